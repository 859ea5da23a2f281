"""Whatever colours the seats have: all that people see shows exactly those, with their shapes, words and
letters."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

from ludoteca.drawing.palette import PLAYERS
from ludoteca.game import COLOURS, Game, View, load
from tests.conformance.harness import Case, played
from tests.conformance.test_pictures import views
from tests.width import width

REFERENCE = re.compile(r'(?:href="#|url\(#)([\w-]+)')
OTHERS = COLOURS[::-1]


@cache
def definitions(game: Game) -> dict[str, str]:
    root = ElementTree.fromstring(f'<svg>{game.symbols().defs}</svg>')
    return {
        str(element.get('id')): ElementTree.tostring(element, encoding='unicode')
        for element in root.iter()
        if element.get('id')
    }


def painted(game: Game, drawing: str) -> set[str]:
    """The players' colours that are seen in a drawing, in what it refers to too. (The lit side alone tells
    nothing.)"""
    found, ahead, texts = set[str](), REFERENCE.findall(drawing), [drawing]
    while ahead:
        name = ahead.pop()
        if name in definitions(game) and name not in found:
            found.add(name)
            texts.append(definitions(game)[name])
            ahead += REFERENCE.findall(texts[-1])
    text = re.sub(r'var\(--seat[^)]*\)', '', ''.join(texts))  # the page says whose colour that is
    return {
        name
        for k, (name, player) in enumerate(PLAYERS.items(), 1)
        if re.search(f'{player.base}|{player.deep}|--p{k}-', text)
    }


def seen(game: Game, view: View) -> list[str]:
    """All drawings that a viewer gets: the board, cards, panels, ghosts."""
    ghosts = [
        target.ghost.symbol
        for action in view.actions[:40]
        for target in game.targets(view.state, action, view.colours)
        if target.ghost and target.ghost.symbol
    ]
    return [
        game.draw(view, 'page'),
        *(drawing for card in game.cards(view) for drawing in card.drawings),
        *(row.drawing for panel in game.panels(view) for row in panel.rows if row.drawing),
        *(f'<use href="#{symbol}"/>' for symbol in ghosts),
    ]


def test_drawings_show_the_chosen_colours_and_no_others(usual: Case) -> None:
    game = usual.game
    if game.name == 'toy':
        pytest.skip('it shows no colours but in its panels')
    own, chosen = game.colours(usual.players), OTHERS[: usual.players]
    instead, any_ = dict(zip(own, chosen, strict=True)), set[str]()
    for view in views(played(usual, 1), width(2, 4))[width(1, 0) :: width(2, 1)]:
        for before, after in zip(
            seen(game, replace(view, colours=own)), seen(game, replace(view, colours=chosen)), strict=True
        ):
            shown = painted(game, before)
            assert shown <= set(own)
            assert painted(game, after) == {instead[colour] for colour in shown}
            any_ |= shown
        assert seen(game, view) == seen(game, replace(view, colours=own)), 'without a choice: the own ones'
    assert any_, "nothing of this game has a player's colour"


def test_words_and_letters_follow_the_colours(name: str) -> None:
    game = load(name)
    if name == 'toy':
        pytest.skip('it has four colours of its own')
    case = Case(name, game.players[0], game.options())
    own, chosen = (
        game.colours(case.players),
        tuple(colour for colour in OTHERS if colour not in game.colours(case.players)),
    )
    chosen = chosen[: case.players]
    for view in views(played(case, 1), 5):
        coloured = replace(
            view, colours=chosen, names=tuple(game.words(f'colour.{colour}') for colour in chosen)
        )
        assert tuple(chosen[panel.seat] for panel in game.panels(coloured)) == tuple(
            panel.colour for panel in game.panels(coloured)
        )
        text = game.text(coloured) + game.prompt(coloured).text + game.prompt(coloured).help
        for colour in own:
            word = game.words(f'colour.{colour}')
            assert not re.search(rf'\b{word}\b|[ (\[]{word[0]}[)\]>]', text), f'{word} is nobody here'
