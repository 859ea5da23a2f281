"""What people see: drawings, targets, prompts, panels, events, the board in words."""

from __future__ import annotations

import gzip
import io
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from ludoteca.drawing.palette import PLAYERS, Tint, tokens
from ludoteca.drawing.raster import png
from ludoteca.game import Game, Ghost, Position, View, ViewSettings
from tests.built_in import BUILT_IN
from tests.conformance.harness import Case, History, hidden, is_sentence, legal, played, same, seats
from tests.width import width

KILOBYTES = 60  # of a drawing, compressed, at the largest position
FORBIDDEN = {'script', 'style', 'foreignObject', 'iframe', 'image', 'object', 'embed', 'audio', 'video', 'a'}
SVG = '{http://www.w3.org/2000/svg}'
THEMES: tuple[Tint, ...] = ('light', 'dark')  # narrow, one view has the one and the next view the other


def views(history: History, n: int, movers: bool = False) -> list[View]:
    """Views of `n` positions through all eyes, or only those of the seat that has something to choose, with
    what happened last."""
    game, found = history.game, []
    picks = [k for k, s in enumerate(history.states) if any(s is sampled for sampled in history.sample(n))]
    for k in picks:
        s = history.states[k]
        for seat in seats(s):
            chooses = seat == s.to_move and not s.ending
            if movers and not chooses:
                continue
            h = hidden(game, s, seat)
            game.kernels.forget(h, seat, 0)
            actions = tuple(legal(game, s)) if chooses else ()
            happened = events_of(history, k - 1, seat) if k else ()
            found.append(View(h, seat, actions, happened, happened))
    return found


def events_of(history: History, k: int, seat: int) -> tuple[Any, ...]:
    game, (before, action, after) = history.game, list(history.steps())[k]
    shown = [hidden(game, before, seat), hidden(game, after, seat)]
    for h in shown:
        game.kernels.forget(h, seat, 0)
    return game.events(shown[0], int(game.kernels.hide_action(before, action, seat)), shown[1])


def check_svg(text: str, defined: set[str], standalone: bool) -> set[str]:
    """Hold a drawing to the rules for all drawings; its ids. Namespaces may be left to the page."""
    root = ElementTree.fromstring(
        text if 'xmlns=' in text else text.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    )
    assert root.tag == f'{SVG}svg'
    assert re.fullmatch(r'-?[\d.]+ -?[\d.]+ [\d.]+ [\d.]+', root.get('viewBox', ''))
    assert root.get('role')
    assert root.get('aria-label') or root.find(f'{SVG}title') is not None, 'a drawing without a name'
    ids = [element.get('id') for element in root.iter() if element.get('id') is not None]
    assert len(set(ids)) == len(ids), 'ids are not unique'
    for element in root.iter():
        assert element.tag.removeprefix(SVG) not in FORBIDDEN, element.tag
        for key, value in element.attrib.items():
            assert key != 'style', 'a style attribute'
            assert not key.lower().startswith('on'), f'a script: {key}'
            assert 'javascript:' not in value.lower()
            if key.endswith('href'):
                assert value.startswith('#'), f'a reference out of the drawing: {value}'
            for reference in re.findall(r'url\(#([^)]+)\)', value) + (
                [value[1:]] if key.endswith('href') else []
            ):
                assert reference in ids or reference in defined, f'nothing has the id {reference}'
            for token in re.findall(r'var\(--([\w-]+)', value):
                assert not standalone, f'an unresolved token: {token}'
                assert token in tokens('light') or token.startswith('seat'), f'there is no token {token}'
    return {str(id) for id in ids}


@cache
def symbols(game: Game) -> set[str]:
    """The ids of the definitions that all drawings of a page may refer to."""
    return {
        str(element.get('id'))
        for element in ElementTree.fromstring(f'<svg>{game.symbols().defs}</svg>').iter()
        if element.get('id')
    }


@pytest.mark.smoke
def test_drawings_are_sound(usual: Case) -> None:
    game, defined = usual.game, symbols(usual.game)
    for k, view in enumerate(views(played(usual, 0), width(3, 5))):
        page = game.draw(view, 'page')
        assert game.draw(view, 'page') == page
        check_svg(page, defined, standalone=False)
        assert len(gzip.compress(page.encode())) < 1000 * KILOBYTES
        for theme in THEMES[width(k % 2, 0) :: width(2, 1)]:
            text = game.draw(view, theme)
            assert 'xmlns="http://www.w3.org/2000/svg"' in text
            check_svg(text, set(), standalone=True)


def test_definitions_are_sound(game: Game) -> None:
    found = game.symbols()
    for name, text in found.texts.items():
        assert ElementTree.fromstring(text).get('id') == name
    drawing = f'<svg viewBox="0 0 1 1" role="img" aria-label="x">{found.defs}</svg>'
    check_svg(drawing, set(), standalone=False)


def test_settings_and_names_are_respected_without_harm(usual: Case) -> None:
    game, view = usual.game, views(played(usual, 1), 3)[1]
    names = tuple(f'<b>&"{k}' for k in range(usual.players))
    for settings in (ViewSettings(False, True), ViewSettings(True, False), ViewSettings(False, False)):
        changed = View(view.state, view.seat, view.actions, view.events, view.last, settings, names)
        check_svg(game.draw(changed, 'page'), symbols(game), standalone=False)


def test_looking_changes_nothing(usual: Case) -> None:
    game = usual.game
    for view in views(played(usual, 2), 4):
        before = view.state.copy()
        game.draw(view, 'page'), game.text(view), game.panels(view), game.prompt(view), game.why_not(view, ())
        for action in view.actions[:20]:
            game.targets(view.state, action)
        assert same(view.state, before)


# ---- choosing ----------------------------------------------------------------------------------------------


def test_every_target_can_be_clicked(case: Case) -> None:
    """Targets are elements of the page's drawing or of a card, buttons of the prompt, or points of the
    drawing; every action has some, and ghosts are defined."""
    game, defined = case.game, symbols(case.game)
    for view in views(
        played(case, 0), width(8, 24) if not case.options.changed() else width(4, 8), movers=True
    ):
        drawing = game.draw(view, 'page')
        ids = check_svg(drawing, defined, standalone=False)
        x0, y0, wide, high = map(float, re.findall(r'viewBox="([^"]+)"', drawing)[0].split())
        cards = [
            check_svg(str(drawing), defined, standalone=False)
            for card in game.cards(view)
            for drawing in card.drawings
        ]
        assert len(ids.union(*cards)) == len(ids) + sum(map(len, cards)), 'an id stands twice'
        there = {'el': ids.union(*cards), 'do': {button.id for button in game.prompt(view).buttons}}
        for action in view.actions:
            targets = game.targets(view.state, action)
            assert targets, f'{game.action_name(view.state, action)} cannot be chosen'
            for k, target in enumerate(targets):
                kind, _, name = target.id.partition(':')
                if kind == 'at':
                    x, y = map(float, name.split(','))
                    assert x0 < x < x0 + wide, f'{target.id} lies outside the drawing'
                    assert y0 < y < y0 + high, f'{target.id} lies outside the drawing'
                    assert k == len(targets) - 1, 'a point is the last target'
                    assert target.ghost is not None, 'what is laid on a point is shown'
                    assert laid_at(target.ghost.transform) == (x, y), (
                        'the middle of a ghost lies on its point'
                    )
                else:
                    assert name in there[kind], f'{target.id} is not there to be clicked'
                if target.ghost is not None:
                    check_ghost(target.ghost, ids | defined, case.players)


def test_what_a_button_proposes_can_be_played(case: Case) -> None:
    """The steps of a button of the prompt are legal one after another, and all of one turn. Such a button is
    no target."""
    game = case.game
    for view in views(played(case, 0), width(30, 60) if not case.options.changed() else 8):
        for button in game.prompt(view).buttons:
            position = Position(game, view.state.copy())
            for step in button.steps:
                assert position.to_move == view.seat, 'a step of another turn'
                assert step in position.legal(), f'{step} is not legal'
                position.apply(game.action_from_name(position.state, step))


def test_a_shortcut_is_a_whole_turn_that_can_be_clicked(case: Case) -> None:
    """The steps of a shortcut are legal one after another, the last one ends the turn. Its targets are things
    of the drawing, and no list of them is one of an action."""
    game, defined = case.game, symbols(case.game)
    for view in views(played(case, 0), width(12, 40) if not case.options.changed() else 4, movers=True):
        shortcuts = game.shortcuts(view.state, view.colours)
        ids = check_svg(game.draw(view, 'page'), defined, standalone=False) if shortcuts else set()
        own = {tuple(t.id for t in game.targets(view.state, action)) for action in view.actions}
        assert not (shortcuts and not game.parts.shortcuts)
        assert len({shortcut.steps for shortcut in shortcuts}) == len(shortcuts)
        for shortcut in shortcuts:
            assert tuple(target.id for target in shortcut.targets) not in own
            for target in shortcut.targets:
                assert target.id.removeprefix('el:') in ids, f'{target.id} is not there to be clicked'
                if target.ghost is not None:
                    check_ghost(target.ghost, ids | defined, case.players)
            position = Position(game, view.state.copy())
            turn = int(view.state.turn)
            for step in shortcut.steps:
                assert int(position.state.turn) == turn, 'a step of another turn'
                assert step in position.legal(), f'{step} is not legal'
                position.apply(game.action_from_name(position.state, step))
            assert int(position.state.turn) == turn + 1 or position.state.ending, 'the turn goes on'


def laid_at(transform: str) -> tuple[float, float]:
    """Where the transform of a ghost takes the origin: it moves first, then turns, then flips."""
    found = re.fullmatch(
        r'translate\((-?[\d.]+)[ ,](-?[\d.]+)\)(?: rotate\(-?[\d.]+\))?(?: scale\(-1 1\))?', transform
    )
    assert found, transform
    return float(found[1]), float(found[2])


def check_ghost(ghost: Ghost, defined: set[str], players: int) -> None:
    """Hold a ghost to what a page can show."""
    assert ghost != Ghost(), 'a ghost of nothing'
    assert not ghost.symbol or ghost.symbol in defined, ghost
    assert re.fullmatch(r'(M[-\d. ]+L[-\d. ]+)*', ghost.glow), (
        f'what lights up are single lines: {ghost.glow}'
    )
    assert len({seat for seat, _ in ghost.gains}) == len(ghost.gains)
    assert all(0 <= seat < players and re.fullmatch(r'[+-](\d+½?|½)', text) for seat, text in ghost.gains), (
        ghost.gains
    )


def test_prompts_say_what_to_do(usual: Case) -> None:
    game = usual.game
    for view in views(played(usual, 1), 12):
        prompt = game.prompt(view)
        assert prompt.text.strip()
        for words in filter(None, (prompt.text, prompt.help)):
            assert words.endswith('.'), f'{words!r} is no sentence, and others follow it on one line'
        assert len({button.id for button in prompt.buttons}) == len(prompt.buttons)
        keys = [button.key for button in prompt.buttons if button.key]
        assert len(set(keys)) == len(keys)
        assert all(button.label for button in prompt.buttons)
        assert view.actions or not prompt.buttons, 'buttons for somebody who has nothing to choose'


def test_why_not_answers_every_click_with_a_sentence(usual: Case) -> None:
    game, rng = usual.game, random.Random(str(usual))
    for view in views(played(usual, 2), width(3, 6)):
        ids = sorted(check_svg(game.draw(view, 'page'), symbols(game), standalone=False))
        clicks = [
            (),
            ('do:nothing',),
            ('el:nothing',),
            *((f'el:{id}',) for id in rng.sample(ids, min(len(ids), width(6, 12)))),
        ]
        clicks += [tuple(f'el:{id}' for id in rng.sample(ids, min(len(ids), 2))) for _ in range(width(3, 6))]
        for targets in clicks:
            sentence = game.why_not(view, targets)
            assert is_sentence(sentence), (targets, sentence)


# ---- panels, events, words ---------------------------------------------------------------------------------


def test_there_is_a_panel_for_every_seat(usual: Case) -> None:
    game = usual.game
    colours = game.colours(usual.players)
    assert len(set(colours)) == usual.players
    for view in views(played(usual, 0), 4):
        panels = sorted(game.panels(view), key=lambda panel: panel.seat)
        assert [panel.seat for panel in panels] == list(range(usual.players))
        assert [panel.colour for panel in panels] == list(colours)
        for panel in panels:
            assert panel.colour in PLAYERS
            assert panel.pips is None or 0 <= panel.pips[0] <= panel.pips[1]
            for row in panel.rows:
                assert row.label
                if row.drawing:
                    ElementTree.fromstring(row.drawing)


def test_events_are_worded_and_point_into_the_drawing(usual: Case) -> None:
    game, history = usual.game, played(usual, 3)
    for k in range(0, len(history.actions), max(1, len(history.actions) // 40)):
        for seat in seats(history.last):
            happened = events_of(history, k, seat)
            secret = game.kernels.hide_action(history.states[k], history.actions[k], seat) < 0
            assert happened or secret, 'an action without an event'
            for event in happened:
                assert -1 <= event.seat < usual.players
                sentence = game.words(f'event.{event.kind}', player='Ann', **event.values)
                assert sentence.strip()
                assert event.seat >= 0 or 'Ann' not in sentence, 'a player without a seat'
                assert all(len(point) == 2 for point in event.way)
                assert bool(event.way) == bool(event.piece), 'a way is travelled by a piece'
                assert event.json()['kind'] == event.kind


def ids_of(game: Game, view: View) -> set[str]:
    """All ids that the pictures of a view give to a page."""
    pictures = [
        game.draw(view, 'page'),
        *(drawing for card in game.cards(view) for drawing in card.drawings),
        *(row.drawing for panel in game.panels(view) for row in panel.rows),
    ]
    ids = [id for picture in pictures for id in re.findall(r' id="([^"]+)"', picture)]
    assert len(set(ids)) == len(ids), 'an id is in two pictures of a page'
    return set(ids)


def test_what_flies_is_in_the_viewers_pictures(usual: Case) -> None:
    """It begins in the picture before or ends in the one after; for an end that is not there, the owner's
    panel must stand."""
    game, history = usual.game, played(usual, 3)

    def pictured(k: int, seat: int) -> set[str]:
        h = hidden(game, history.states[k], seat)
        game.kernels.forget(h, seat, 0)
        actions = tuple(legal(game, h)) if seat == h.to_move and not h.ending else ()
        return ids_of(game, View(h, seat, actions))

    for seat in seats(history.last):
        flying = [
            (k, event)
            for k in range(0, len(history.actions), max(1, len(history.actions) // width(60, 200)))
            for event in events_of(history, k, seat)
            if event.flights
        ]
        for k, event in flying[:: max(1, len(flying) // width(4, 12))]:
            before, after = pictured(k, seat), pictured(k + 1, seat)
            for start, end in event.flights:
                assert start != end
                assert start in before or end in after, f'{start} to {end}: nothing that can fly'
                assert event.seat >= 0 or (start in before and end in after), (
                    'nobody whose panel could stand for it'
                )


def test_the_board_in_words_names_everybody(usual: Case) -> None:
    game = usual.game
    for view in views(played(usual, 0), 4):
        text = game.text(view)
        assert text.strip()
        assert text.isprintable() or set(text) - {'\n'} <= {c for c in text if c.isprintable()}
        for colour in game.colours(usual.players):
            assert game.words(f'colour.{colour}').lower() in text.lower(), f'{colour} is not in the words'


def test_the_rulebook_is_there(game: Game) -> None:
    text = game.rules()
    assert text.startswith('# ')
    assert len(text.split()) > 150


def test_pictures_for_notebooks(game: Game) -> None:
    from tests.conformance.harness import cases

    position = Position(game, played(cases(game.name)[0], 0).states[1].copy())
    for theme in ('light', 'dark'):
        check_svg(position.svg(theme=theme), set(), standalone=True)


@pytest.mark.parametrize('theme', ['page', 'light', 'dark'])
def test_drawings_do_not_depend_on_what_was_drawn_before(game: Game, theme: Any) -> None:
    from tests.conformance.harness import cases

    first, second, *_ = views(played(cases(game.name)[0], 0), 2)
    expected = game.draw(first, theme)
    game.draw(second, theme)
    assert game.draw(first, theme) == expected


# ---- nothing by colour alone -------------------------------------------------------------------------------

GEOMETRY = (
    'd',
    'x',
    'y',
    'cx',
    'cy',
    'r',
    'rx',
    'x1',
    'x2',
    'y1',
    'y2',
    'points',
    'width',
    'height',
    'transform',
)
PAINT = ('fill', 'stroke')


def written(drawing: str, names: tuple[str, ...]) -> dict[str, list[tuple[str, ...]]]:
    """The attributes of these names of every named part of a picture, copies of definitions written out; the
    words on it with its geometry."""
    root = ElementTree.fromstring(drawing)
    defined = {element.get('id', ''): element for element in root.iter()}

    def parts(element: ElementTree.Element) -> list[tuple[str, ...]]:
        own = tuple(element.get(name, '') for name in names)
        text = (element.text or '').strip() if names == GEOMETRY else ''
        inside = [defined[element.get('href', '')[1:]]] if element.tag == f'{SVG}use' else [*element]
        return [(*own, text), *(part for one in inside for part in parts(one))]

    return {name: parts(element) for name, element in defined.items() if name and element.tag != f'{SVG}svg'}


def test_seats_are_told_apart_by_more_than_colour(usual: Case) -> None:
    """Where a named part of the board is painted otherwise because the seats have other colours, it has
    another shape too."""
    game, told = usual.game, 0
    colours = game.colours(usual.players)
    for view in views(played(usual, 2), width(6, 24)):
        if view.seat >= 0:  # what only the seat to move is shown, such as the ways of an order, tells no seat
            continue
        shapes, paints = [], []
        for given in (colours, (*colours[1:], colours[0])):
            drawing = game.draw(View(view.state, view.seat, (), colours=given), 'light')
            shapes.append(written(drawing, GEOMETRY))
            paints.append(written(drawing, PAINT))
        for name in paints[0].keys() & paints[1].keys():
            if paints[0][name] != paints[1][name]:
                told += 1
                assert shapes[0][name] != shapes[1][name], f'{name} is told by its colour alone'
    assert told or game.name not in BUILT_IN


# ---- nothing hides what must be read -----------------------------------------------------------------------

FACES = {
    'mykerinos': 'cartouche|medal',
    'myraclia': 'badge|gem|disk|turning|star|coin',
    'myrmidons': 'face|back|eye',
    'octiles': 'runner',
}
"""Definitions of each game that are read as words are: pieces, signs, patrons."""
HIDDEN = 48  # how much a colour may change (of 255) before what has it counts as covered


@lru_cache(maxsize=3)  # a picture is compared twice
def pixels(picture: str) -> Any:
    return np.asarray(Image.open(io.BytesIO(png(picture, 560))).convert('RGB')).astype(int)


def covered(below: str, above: str, what: str) -> int:
    """How many pixels of parts of a picture, those that the pattern `what` finds, look otherwise in another
    one."""
    one, other, ground = map(pixels, (below, above, re.sub(what, '', below)))
    read = np.abs(one - ground).max(2) > HIDDEN
    return int((read & (np.abs(one - other).max(2) > HIDDEN)).sum())


def test_the_marks_of_the_last_turn_hide_nothing_that_is_read(usual: Case) -> None:
    """They may touch the rim of a sign or a piece."""
    game, faces = usual.game, FACES.get(usual.game.name)
    drawn = {
        tuple(game.draw(replace(view, last=last), 'light') for last in ((), view.last))
        for view in views(played(usual, 3), width(8, 16))
        if not view.state.ending  # its points are written where the last turn's stood
    }
    for below, above in drawn:
        if below != above:
            assert covered(below, above, r'<text\b.*?</text>') <= 24, usual
            if faces:
                assert covered(below, above, rf'<use href="#{game.name}-(?:{faces})\b[^>]*/>') <= 100, usual


VARIES = {
    'mykerinos': {'patrons', 'survey'},
    'myraclia': {'payment', 'scoring'},
    'myriath': {'scoring'},
    'myrmidons': {'army-0', 'army-1', 'fights', 'order'},
}
"""Cards that grow with what they hold: own patrons, the areas of a season; what a chosen tile costs; fights,
the pieces of an order. Final scorings add what the end brings."""


def test_a_card_keeps_its_size_from_turn_to_turn(usual: Case) -> None:
    """So nothing below it jumps."""
    game, sizes = usual.game, dict[str, set[str]]()
    for view in views(played(usual, 4), width(40, 200)):
        for card in game.cards(view):
            boxes = re.findall(r'<svg[^>]* viewBox="([^"]+)"', ''.join(map(str, card.drawings)))
            sizes.setdefault(card.id, set()).add(' | '.join(boxes))
    varying = {name for name, found in sizes.items() if len(found) > 1}
    assert varying <= VARIES.get(game.name, set()), {name: sizes[name] for name in varying}


BOARD = 590  # pixels of a board in a window of 1024 x 768


def text_sizes(drawing: str) -> set[tuple[float, str]]:
    """The size of every text of a picture in its own units, copies of definitions included, with the text."""
    root = ElementTree.fromstring(drawing)
    defined = {element.get('id', ''): element for element in root.iter()}

    def sizes(element: ElementTree.Element, scale: float, size: float) -> Iterator[tuple[float, str]]:
        for factor in re.findall(r'scale\((-?[\d.]+)', element.get('transform', '')):
            scale *= abs(float(factor))
        size = float(element.get('font-size', size))
        if element.tag == f'{SVG}text':
            yield round(size * scale, 2), ''.join(element.itertext())
        if element.tag == f'{SVG}use':
            yield from sizes(defined[element.get('href', '')[1:]], scale, size)
        for child in element if element.tag != f'{SVG}defs' else ():
            yield from sizes(child, scale, size)

    return set(sizes(root, 1, 0))


def test_every_text_of_a_board_is_legible_on_a_small_laptop(usual: Case) -> None:
    game = usual.game
    for view in views(played(usual, 3), width(6, 40)):
        drawing = game.draw(view, 'light')
        side = max(float(n) for n in re.findall(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', drawing)[0])
        small = {
            text
            for size, text in text_sizes(drawing)
            if size * BOARD / side < (8 if re.fullmatch('[A-Z]', text) else 10)  # a letter repeats a colour
        }
        assert not small, (usual, side, sorted(small)[:8])
