"""Everything on the table explains itself: whatever can be clicked, lies on the board or stands in a card or
a panel, in every game."""

from __future__ import annotations

import re

import pytest

from ludoteca.game import Game, View
from ludoteca.web.pages.reading import chapter_id
from tests.conformance.harness import Case, played
from tests.conformance.test_pictures import views
from tests.width import width

LONGEST = 460  # letters of an explanation
DECORATION = {'glow'}  # names of the drawing that stand for no thing


def targets_of(game: Game, view: View) -> set[str]:
    """The elements that are clicked for legal actions."""
    every = max(1, len(view.actions) // 300)
    ids = {target.id for action in view.actions[::every] for target in game.targets(view.state, action)}
    return {id_.removeprefix('el:') for id_ in ids if id_.startswith('el:')}


def things_of(game: Game, view: View) -> set[str]:
    """All things with a name in the drawing, the cards and the panels."""
    rows = [row for panel in game.panels(view) for row in panel.rows]
    found = game.cards(view)
    pictures = [game.draw(view, 'page'), *(card.drawing for card in found), *(row.drawing for row in rows)]
    named = {name for picture in pictures for name in re.findall(r' (?:id|data-about)="([^"]+)"', picture)}
    named -= DECORATION
    return named | {row.about for row in rows if row.about} | {f'card-{card.id}' for card in found}


def chapters(game: Game) -> set[str]:
    """The headings of the rulebook as addresses name them."""
    lines = game.rules().splitlines()
    return {chapter_id(line.lstrip('#')) for line in lines if line.startswith('#')}


def test_everything_on_the_table_is_explained(usual: Case) -> None:
    game, known = usual.game, chapters(usual.game)
    if game.parts.explanations is None:
        pytest.skip(f'{game.name} explains nothing; a game that does has view/explanations.py.')
    for seed in range(width(1, 3)):
        for view in views(played(usual, seed), width(5, 12)):
            for element in sorted(targets_of(game, view) | things_of(game, view)):
                found = game.explain(view, element)
                assert found is not None, f'{element} is not explained'
                assert found.title.strip() == found.title
                assert found.title, element
                assert found.text.endswith('.'), (element, found.text)
                assert len(found.text) <= LONGEST, (element, found.text)
                assert not re.search(r'  |\.\.|None|[{}]', found.text), (element, found.text)
                assert not found.chapter or found.chapter in known, (element, found.chapter)


def test_panels_explain_their_scores(usual: Case) -> None:
    """Each row of a panel names what explains it, or has a drawing whose things do."""
    game = usual.game
    if game.parts.explanations is None:
        pytest.skip(f'{game.name} explains nothing; a game that does has view/explanations.py.')
    for view in views(played(usual, 0), 3):
        for panel in game.panels(view):
            for row in panel.rows:
                assert (
                    game.name == 'toy' or row.about or ' id="' in row.drawing or 'data-about' in row.drawing
                )


def test_what_means_nothing_is_not_explained(usual: Case) -> None:
    game = usual.game
    for view in views(played(usual, 0), 3):
        for kind in ('', '-', 'nothing', 'el:nothing', 'card-', 'card-nothing', '__class__', 'x' * 100):
            assert game.explain(view, kind) is None, kind
        for element in {re.sub(r'-.*', '', element) for element in things_of(game, view)}:
            for rest in ('-', '-nothing', '-99-99', '-99', '--1', '-0-nothing-0'):
                assert game.explain(view, element + rest) is None, element + rest
