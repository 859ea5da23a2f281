"""The drawing of Myriath: geometry of tiles and ghosts, what can be clicked, half edges and points,
legibility, what is said."""

from __future__ import annotations

import gzip
import math
import random
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from ludoteca.drawing.geometry import Point
from ludoteca.drawing.palette import PLAYERS
from ludoteca.game import Card, Event, Position, View, ViewSettings, load, new, position
from ludoteca.games.myriath import components as C
from ludoteca.games.myriath import rules as R
from ludoteca.games.myriath.view import board, cards
from ludoteca.games.myriath.view import symbols as shapes
from ludoteca.games.myriath.view import targets as view_targets
from ludoteca.games.myriath.view.facts import PlacedTile, points_text, read, split
from ludoteca.kernel import compiled

pytestmark = pytest.mark.skipif(not compiled, reason='what is drawn does not depend on the mode')

MYRIATH: Any = load('myriath')

SVG = '{http://www.w3.org/2000/svg}'
PHONE = 390  # pixels that the board gets on a phone
TRAY = 272  # pixels that the tray gets at least
START: dict[str, Any] = {
    'game': 'myriath',
    'players': 2,
    'to_move': 0,
    'tiles': [{'owner': 0, 'tile': 'O', 'at': [2, 2]}, {'owner': 1, 'tile': 'O', 'at': [3, 3]}],
}


@cache
def played(players: int, seed: int = 1) -> tuple[tuple[Position, tuple[Event, ...]], ...]:
    """A random game: every position with the events that led to it."""
    chance, found = random.Random(seed), new('myriath', players, seed=seed)
    history: list[tuple[Position, tuple[Event, ...]]] = [(found.copy(), ())]
    while not found.over:
        before, action = found.state.copy(), chance.choice(found.actions())
        found.apply(action)
        history.append((found.copy(), MYRIATH.events(before, action, found.state)))
    return tuple(history)


def views(step: int = 9) -> Iterator[View]:
    """Views of positions with two to four players, the last one among them."""
    for players in (2, 3, 4):
        history = played(players)
        for k in (*range(0, len(history) - 1, step), len(history) - 1):
            yield history[k][0].view(last=history[k][1])


def by_id(text: str) -> dict[str, ElementTree.Element]:
    """The elements of a drawing by their ids, which are unique."""
    elements = [element for element in ElementTree.fromstring(text).iter() if element.get('id')]
    found = {str(element.get('id')): element for element in elements}
    assert len(found) == len(elements)
    return found


def together(card: Card) -> str:
    """All drawings of a card in one."""
    return f'<g>{"".join(card.drawings)}</g>'


def page(view: View) -> str:
    return str(MYRIATH.draw(view, 'page'))


def parts(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """All elements of a kind; cards need not name their namespace."""
    return [element for element in root.iter() if element.tag.removeprefix(SVG) == name]


def lines(data: str) -> list[tuple[Point, Point]]:
    """Path data that consists of single lines."""
    numbers = [
        tuple(map(float, part))
        for part in re.findall(r'M([^\sL]+) ([^\sL]+)L([^\sM]+) ([^\sMLZ]+)(?=M|$)', data)
    ]
    return [((a, b), (c, d)) for a, b, c, d in numbers]


def rings(data: str) -> list[list[Point]]:
    """Path data that consists of closed polygons, each point a step from the one before."""
    found, (x, y) = [], (0.0, 0.0)
    for part in data.split('z')[:-1]:
        steps = [float(number) for number in re.findall(r'-?(?:\d+\.?\d*|\.\d+)', part)]
        ring: list[Point] = []
        for right, down in zip(steps[::2], steps[1::2], strict=True):
            x, y = round(x + right, 1), round(y + down, 1)
            ring.append((x, y))
        x, y = ring[0]  # `z` goes back to it
        found.append(ring)
    return found


def area(ring: list[Point]) -> float:
    return sum(a * d - b * c for (a, b), (c, d) in zip(ring, [*ring[1:], ring[0]], strict=True)) / 2


def transformed(point: Point, transform: str) -> Point:
    """A point under a ghost's transform: flipped first, then turned, then moved."""
    found = re.fullmatch(r'translate\((\S+) (\S+)\)(?: rotate\((\d+)\))?( scale\(-1 1\))?', transform)
    assert found is not None, transform
    x, y = (-point[0] if found[4] else point[0]), point[1]
    turn = math.radians(float(found[3] or 0))
    return (
        round(float(found[1]) + x * math.cos(turn) - y * math.sin(turn), 3),
        round(float(found[2]) + x * math.sin(turn) + y * math.cos(turn), 3),
    )


# ---- geometry ----------------------------------------------------------------------------------------------


def test_outlines_have_the_area_of_their_parts() -> None:
    """A street is as wide as half a unit, a quarter is a fourth of a crossing; insets stay inside."""
    for shape in (*C.PIECES, C.THE_RING):
        expected = len(shape.streets) * 50.0 * 50.0 + len(shape.quarters) * 50.0 * 50.0 / 4
        assert sum(area(list(ring)) for ring in shapes.outline(shape)) == pytest.approx(expected)
        smaller = [area(ring) for ring in rings(shapes.outline_data(shape, shapes.RIM))]
        assert 0 < sum(smaller) < expected
        assert len(smaller) == 1 + (shape is C.THE_RING)


def test_the_middle_of_a_piece_is_the_middle_of_its_path() -> None:
    for piece in C.PIECES:
        x, y = shapes.middle(piece)
        columns, rows = [100 * i for i, _ in piece.path], [-100 * j for _, j in piece.path]
        assert (min(columns) + max(columns), min(rows) + max(rows)) == (2 * x, 2 * y)
        on_square = len(set(columns)) == 2 and len(set(rows)) == 2
        assert ((x % 100, y % 100) == (50, 50)) == on_square  # L and U turn round a printed square


def test_a_ghost_lies_as_the_tile_will() -> None:
    """The held tile under the ghost's transform has the outline and the half edges of the piece that is
    laid."""
    symbols = by_id(f'<svg>{MYRIATH.symbols().defs}</svg>')
    for piece in range(R.N_PIECES):
        check_ghost(symbols, piece)


def check_ghost(symbols: dict[str, ElementTree.Element], piece: int) -> None:
    side, crossing = 7, 2 + 7 * 2
    target, symbol, transform = view_targets.held_tile(piece * R.N_CROSSINGS + crossing, side)
    held = symbols[symbol]
    paths = [element.get('d', '') for element in held.iter() if element.tag.endswith('path')]
    outline = next(path for path in paths if path.endswith('z'))
    bars = next(path for path in paths if lines(path) and not path.endswith('z'))
    lying = PlacedTile(0, C.TILE_OF[piece], piece, (2, 2))
    drawn = {
        (round(x, 3), round(y, 3))
        for ring in rings(shapes.outline_data(lying.shape, shapes.CUT))
        for x, y in ring
    }
    assert near({transformed(point, transform) for ring in rings(outline) for point in ring}, drawn)
    assert near(
        {transformed(point, transform) for line in lines(bars) for point in line},
        {
            point
            for edge in lying.half_edges
            for point in shapes.half_edge(edge.crossing, edge.here, edge.there)
        },
    )
    x, y = shapes.middle(lying.shape)
    assert target == f'at:{x:g},{y:g}'


def near(found: set[Point], expected: set[Point]) -> bool:
    """Are these the same points, up to the rounding of what is written?"""
    return len(found) == len(expected) and all(min(math.dist(a, b) for b in expected) < 0.03 for a in found)


def test_half_edges_lie_on_their_owners_side() -> None:
    """All of a half edge lies in its own quarter, and it leads from the middle of the crossing to a
    corner."""
    for here in range(4):
        for there in ((here + 1) % 4, (here + 3) % 4):
            start, end = shapes.half_edge((0, 0), here, there)
            (u, v), (a, b) = shapes.DIRECTIONS[here], shapes.DIRECTIONS[there]
            for x, y in (start, end):
                assert (u - a) * x + (v - b) * y == pytest.approx(shapes.BAR / math.sqrt(2))
            assert math.hypot(*start) < 10
            assert math.dist(end, (25 * (u + a), 25 * (v + b))) < 8


# ---- the picture -------------------------------------------------------------------------------------------


def test_all_that_can_be_clicked_is_there() -> None:
    defined = set(by_id(f'<svg>{MYRIATH.symbols().defs}</svg>'))
    for view in views():
        elements = by_id(page(view))
        side, s = int(view.state.side), view.state
        for card in MYRIATH.cards(view):
            beside_ids = by_id(together(card))
            assert not beside_ids.keys() & (elements.keys() | defined)
            elements |= beside_ids
        assert not elements.keys() & defined
        assert {f'cross-{C.FILES[i]}{j + 1}' for i in range(side) for j in range(side)} <= elements.keys()
        assert {f'square-{i}-{j}' for i in range(side - 1) for j in range(side - 1)} <= elements.keys()
        lying = {
            f'tile-{seat}-{C.TILES[tile]}'
            for seat in range(int(s.players))
            for tile in range(C.N_TILES)
            if s.at[seat, tile] != R.IN_HAND
        }
        assert {name for name in elements if name.startswith('tile-')} == lying
        left, top, width, height = board.box(side)
        for action in view.actions:
            for target in MYRIATH.targets(s, action):
                kind, _, name = target.id.partition(':')
                if kind == 'el':
                    assert 'target' in str(elements[name].get('class')).split()
                elif kind == 'at':
                    x, y = map(float, name.split(','))
                    assert left < x < left + width
                    assert top < y < top + height
                    assert target.ghost is not None
                    assert target.ghost.symbol in defined
                else:
                    assert name in {button.id for button in MYRIATH.prompt(view).buttons}


def test_half_edges_are_drawn_as_the_rules_count_them() -> None:
    """Golden ones are the points of their owners; the others are those that still face a free quarter."""
    for view in views(5):
        s, elements = view.state, by_id(page(view))
        for seat in range(int(s.players)):
            gold = open_ = 0
            for name, element in elements.items():
                if name.startswith(f'tile-{seat}-'):
                    paths = parts(element, 'path')
                    gold += sum(
                        len(lines(path.get('d', ''))) for path in paths if path.get('stroke') == shapes.GOLD
                    )
                    open_ += sum(
                        len(lines(path.get('d', '')))
                        for path in paths
                        if path.get('stroke') == '#fff'
                        and path.get('stroke-width') == f'{0.58 * shapes.BAR:.2f}'
                    )
            tiles = sum(int(action) != R.IN_HAND for action in s.at[seat, : C.N_PATHS])
            assert gold == int(s.points[seat]) - C.HANDICAP[seat]
            assert gold + open_ == 4 * tiles


def test_what_the_last_turn_connected_lights_up() -> None:
    lit = 0
    for players in (2, 4):
        history = played(players)
        for (before, _), (after, events) in pairwise(history):
            if not events or events[0].kind != 'lay' or after.over:
                continue
            view = after.view(last=events)
            glow = by_id(page(view)).get('glow')
            gained = sum(int(after.state.points[k]) - int(before.state.points[k]) for k in range(players))
            drawn = (
                max((len(lines(path.get('d', ''))) for path in parts(glow, 'path')), default=0)
                if glow is not None
                else 0
            )
            assert drawn == gained
            lit += drawn
    assert lit > 100


def test_ghosts_promise_what_the_rules_give() -> None:
    """Points for every seat, and a line for each half point."""
    chance = random.Random(3)
    for view in views(6):
        for action in chance.sample(view.actions, min(40, len(view.actions))):
            if action >= R.FIRST_OCTAGON:
                continue
            ghost = MYRIATH.targets(view.state, action)[-1].ghost
            after = view.state.copy()
            R.apply(after, action)
            gained = {
                seat: int(after.points[seat]) - int(view.state.points[seat])
                for seat in range(int(after.players))
            }
            assert dict(ghost.gains) == {
                seat: ('+½', '+1', '+1½', '+2', '+2½', '+3')[half - 1]
                for seat, half in gained.items()
                if half
            }
            assert len(lines(ghost.glow)) == sum(gained.values())


def test_a_single_action_is_drawn_as_a_ghost() -> None:
    found = position(START)
    action = (
        MYRIATH.action_from_name(found.state, 'L-AI r1 c3')
        if 'L-AI r1 c3' in found.legal()
        else found.actions()[40]
    )
    view = replace(found.view(), actions=(action,))
    text = page(view)
    assert 'ghost-tile' in text
    assert 'ghost-tile' not in page(found.view())
    ghost = MYRIATH.targets(found.state, action)[-1].ghost
    drawn = [path.get('d', '') for path in parts(ElementTree.fromstring(text), 'path')]
    assert any(
        sorted(lines(data)) == sorted(lines(ghost.glow))
        for data in drawn
        if data.count('L') == ghost.glow.count('L')
    )
    assert text.count('+½') + 2 * text.count('+1<') == len(lines(ghost.glow))


def test_places_are_where_an_end_can_meet_an_opponent() -> None:
    """Each ring of a hidden group is a crossing where some placement of that tile has an end on another
    player's tile."""
    for view in views(11):
        if view.state.phase != R.Phase.PLAY or R.PASS in view.actions or not view.actions:
            continue
        reading, elements = read(view.state), by_id(page(view))
        expected: dict[str, set[Point]] = {}
        for action in view.actions:
            piece, first = split(action, reading.side)
            ghost = PlacedTile(reading.to_move, C.TILE_OF[piece], piece, first)
            met = {
                shapes.crossing_point(edge.crossing)
                for edge in ghost.half_edges
                if (reading.meets(edge) or (reading.to_move, 0))[0] != reading.to_move
            }
            assert met
            expected.setdefault(f'places-hand-{C.TILES[ghost.tile]}', set()).update(met)
        groups = {name: element for name, element in elements.items() if name.startswith('places-')}
        assert groups.keys() == expected.keys()
        for name, element in groups.items():
            assert element.get('display') == 'none'
            data = element[0].get('d', '')
            assert {
                (float(x) + board.PLACE, float(y)) for x, y in re.findall(r'M(\S+) ([^a]+)a', data)
            } == expected[name]


def test_squares_that_can_be_ringed_are_marked() -> None:
    found = new('myriath', 3, seed=1)
    marked = page(found.view())
    assert marked.count('v38l14') == 2 * 64
    assert 'v38l14' not in page(replace(found.view(), settings=ViewSettings(marks=False)))
    assert 'v38l14' not in page(found.view(1))
    found.play('O d4')
    assert page(found.view()).count('v38l14') == 2 * (64 - 5)  # its own square, and those beside it


def test_ends_wear_their_points_when_the_game_is_over() -> None:
    """Board and table agree with each other and with the scores."""
    for players in (2, 3, 4):
        final, last = played(players)[-1]
        view = final.view(last=last)
        texts = [
            element.text
            for element in parts(ElementTree.fromstring(page(view)), 'text')
            if not element.get('class')
        ]
        total = sum({'½': 1, '1': 2}[str(text)] for text in texts)
        assert total == sum(int(half) for half in final.state.points[:players]) - sum(C.HANDICAP[:players])
        (card,) = MYRIATH.cards(view)
        assert card.id == 'scoring'
        shown = [str(element.text) for element in parts(ElementTree.fromstring(card.drawing), 'text')]
        ends = [part for text in shown if ' · ' in text for part in text.split(' · ')]
        assert sum({'0': 0, '½': 1, '1': 2}[part] for part in ends) == total
        sums = [text for text in shown if 'half edges' in text]
        for half, sum_ in zip(
            sorted(map(int, final.state.points[:players]), reverse=True), sums, strict=True
        ):
            assert points_text(half) in shown
            assert sum_.partition(' = ')[2] in ('', points_text(half)), 'the same as beside it'


# ---- tray and panels ---------------------------------------------------------------------------------------


def test_the_tray_shows_what_is_left_in_fixed_places() -> None:
    for view in views():
        if view.state.ending:
            continue
        (card,) = MYRIATH.cards(view)
        assert card.id == 'hand'
        elements = by_id(together(card))
        legal = {
            C.TILES[C.TILE_OF[action // R.N_CROSSINGS]] for action in view.actions if action < R.FIRST_OCTAGON
        }
        for tile in range(C.N_PATHS):
            element = elements[f'hand-{C.TILES[tile]}']
            in_hand = view.state.at[view.seat, tile] == R.IN_HAND
            classes = str(element.get('class')).split()
            assert ('used' in classes) == (not in_hand)
            assert ('target' in classes) == (C.TILES[tile] in legal)
            assert C.TILES[tile] in str(element.get('aria-label'))
            assert (element.get('tabindex') == '0') == ('target' in classes)
            hit = next(rect for rect in parts(element, 'rect') if rect.get('class') == 'hit')
            assert f'hand-{C.TILES[tile]}' in by_id(card.cells[tile])
            assert min(float(hit.get(key, '0')) for key in ('width', 'height')) * TRAY / cards.CARD >= 44
        assert len(legal) == len(
            [name for name in elements if 'target' in str(elements[name].get('class')).split()]
        )


def test_every_tile_stays_in_its_cell_and_its_name_is_legible_on_a_small_laptop() -> None:
    """A window of 1024 pixels leaves the tray 250."""
    for tile, shape in enumerate(C.UPRIGHT[: C.N_PATHS]):
        (x, y), (outline, *_) = shapes.middle(shape), shapes.outline(shape)
        reach = cards.HELD * shapes.BAR
        across = max(abs(a - x) for a, _ in outline) * cards.HELD + reach
        down = max(abs(b - y) for _, b in outline) * cards.HELD + reach
        assert across <= cards.PITCH / 2, C.TILES[tile]
        assert down <= cards.ROW / 2 - 7, C.TILES[tile]
    card = MYRIATH.cards(next(views()))[0]
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', together(card))]
    assert min(sizes) * 250 / cards.CARD >= 11


def test_spectators_have_no_tray() -> None:
    assert MYRIATH.cards(position(START).view(-1)) == ()


def test_a_tile_without_a_place_says_so() -> None:
    for view in views(3):
        if view.state.phase == R.Phase.PLAY and view.actions and R.PASS not in view.actions:
            legal = {C.TILE_OF[action // R.N_CROSSINGS] for action in view.actions}
            stuck = [tile for tile in read(view.state).hands[view.seat] if tile not in legal]
            if stuck:
                label = str(
                    by_id(together(MYRIATH.cards(view)[0]))[f'hand-{C.TILES[stuck[0]]}'].get('aria-label')
                )
                assert 'no place' in label
                assert 'nowhere' in MYRIATH.why_not(view, (f'el:hand-{C.TILES[stuck[0]]}',))
                return
    raise AssertionError('there was no such tile')


def test_the_track_says_the_points() -> None:
    """A stroke for each half point; never fewer cells than the rulebook's, and room for all points."""
    for half in (0, 1, 2, 17, 40, 47, 73):
        svg = ElementTree.fromstring(str(cards.track('blue', half)))
        strokes = next(path for path in parts(svg, 'path') if path.get('stroke-linecap')) if half else None
        data = '' if strokes is None else strokes.get('d', '')
        assert len(lines(data)) == half
        width = float(str(svg.get('width')))
        assert all(0 < x < width for line in lines(data) for x, _ in line)
        pairs = zip(lines(data), lines(data)[2:], strict=False)
        gaps = [after[0][0] - before[1][0] for before, after in pairs]
        assert all(gap > 1.5 * float(strokes.get('stroke-width', 0)) for gap in gaps if strokes is not None)
        rising = sum(start[1] > end[1] for start, end in lines(data))
        assert rising == (half + 1) // 2


def test_open_hands_are_drawn_for_all_but_the_viewer() -> None:
    for view in views():
        for panel in MYRIATH.panels(view):
            hand = read(view.state).hands[panel.seat]
            row = panel.rows[1]
            assert row.value == str(len(hand))
            assert bool(row.drawing) == (panel.seat != view.seat or bool(view.state.ending))
            assert panel.rows[0].value == points_text(int(view.state.points[panel.seat]))
            if row.drawing:
                svg = ElementTree.fromstring(row.drawing)
                groups = {
                    str(group.get('fill')): [use.get('href') for use in group] for group in parts(svg, 'g')
                }
                assert len(groups.get(PLAYERS[panel.colour].base, ())) == len(hand)
                assert len(groups.get('none', ())) == C.N_PATHS - len(hand)


# ---- size, time, legibility --------------------------------------------------------------------------------


def largest() -> View:
    """A position with many tiles on the largest board, at the end of a game."""
    return max(
        (game[-1] for game in (played(4, seed) for seed in range(1, 4))),
        key=lambda found: int((found[0].state.at != R.IN_HAND).sum()),
    )[0].view()


def test_the_largest_position_is_small_and_quick() -> None:
    view = largest()
    page(view)
    begun = time.process_time()
    text = page(view)
    assert time.process_time() - begun < 0.1  # measured: 0.01
    assert len(gzip.compress(text.encode())) < 40_000  # measured: 23 000
    cards = ''.join(together(card) for card in MYRIATH.cards(view)) + ''.join(
        row.drawing for panel in MYRIATH.panels(view) for row in panel.rows
    )
    assert len(gzip.compress(cards.encode())) < 12_000


def test_targets_of_a_long_list_are_quick() -> None:
    found = max((position for position, _ in played(4)), key=lambda position: len(position.actions()))
    actions = found.actions()
    assert len(actions) > 500
    MYRIATH.targets(found.state, actions[0])
    begun = time.process_time()
    for action in actions:
        MYRIATH.targets(found.state, action)
    assert time.process_time() - begun < 0.15 * len(actions) / 1000  # measured: 0.01 for 1,000


@pytest.mark.parametrize('players', [2, 3, 4])
def test_points_can_be_read_on_a_phone(players: int) -> None:
    final, last = played(players)[-1]
    before, events = next(
        found for found in reversed(played(players)) if found[1] and found[1][0].kind == 'lay'
    )
    scale = PHONE / board.box(int(final.state.side))[2]
    for view in (final.view(last=last), before.view(last=events)):
        for text in parts(ElementTree.fromstring(page(view)), 'text'):
            if not text.get('class'):
                badge = board.BADGE_SCALE[int(final.state.side)] if str(text.text).startswith('+') else 1
                assert float(text.get('font-size', '0')) * badge * scale >= 7.5
    assert shapes.BAR * scale >= 2.5


def test_pictures_stand_alone() -> None:
    tiles = [board.all_tiles(theme) for theme in ('light', 'dark')]
    for text in (MYRIATH.emblem(), MYRIATH.emblem('dark'), MYRIATH.badge(), *tiles):
        assert 'var(' not in text
        by_id(text)
        references = set(re.findall(r'(?:href="#|url\(#)([\w-]+)', text))
        assert references <= by_id(text).keys()
    box = re.search(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', MYRIATH.emblem())
    assert box is not None
    assert float(box[3]) / float(box[4]) == pytest.approx(320 / 300)
    labels = [element.text for element in parts(ElementTree.fromstring(board.all_tiles()), 'text')]
    assert sorted(map(str, labels)) == sorted(C.TILES)


def test_the_moment_of_the_emblem_is_possible() -> None:
    tiles = MYRIATH.to_json(board._moment())['tiles']
    found = position({'game': 'myriath', 'players': 4, 'to_move': 0, 'tiles': tiles})
    assert found.to_json()['tiles'] == tiles
    assert (
        sum(edge.seat == 0 for edge in read(found.state).half_edges if read(found.state).connected(edge)) > 4
    )


# ---- what is said ------------------------------------------------------------------------------------------


def test_the_board_in_characters_shows_streets_and_ends() -> None:
    for view in views(13):
        s, text = view.state, MYRIATH.text(view)
        side = int(s.side)
        board = text.split('\n\n')[0].splitlines()
        assert len(board) == 2 * side
        reading = read(s)
        for seat in range(int(s.players)):
            streets = sum(len(lying.shape.streets) for lying in reading.tiles if lying.seat == seat)
            assert sum(row.count(f'[{"BRYG"[seat]}]') for row in board) == streets
        assert sum(row.count('#') for row in board) == (side - 1) ** 2
        assert max(map(len, board)) <= 4 * side + 2


def test_the_prompt_follows_the_game() -> None:
    found = new('myriath', 2, seed=1)
    assert 'octagon' in MYRIATH.prompt(found.view()).text
    assert 'octagon' in MYRIATH.prompt(found.view(1)).text
    assert MYRIATH.prompt(position(START).view()).text.startswith('Blue: lay a tile')
    assert MYRIATH.prompt(replace(position(START).view(), names=('Ada', 'Bob'))).text.startswith('Ada:')
    assert MYRIATH.prompt(position(START).view(1)).text == MYRIATH.words('prompt.wait', player='Blue')
    passed = next((before.view() for before, _ in played(2) if before.actions() == [R.PASS]), None)
    if passed is not None:
        assert [button.id for button in MYRIATH.prompt(passed).buttons] == ['pass']
    final = played(2)[-1][0]
    points = [int(half) for half in final.state.points[:2]]
    said = MYRIATH.prompt(final.view()).text
    assert points_text(max(points)) in said
    assert ('share' in said) == (points[0] == points[1])


def test_events_say_who_gets_what() -> None:
    for players in (2, 4):
        kinds = set()
        for _, events in played(players)[1:]:
            for event in events:
                sentence = MYRIATH.words(f'event.{event.kind}', player='Ann', **event.values)
                assert sentence.endswith('.')
                kinds.add(event.kind)
                if event.kind == 'lay':
                    assert event.elements == (f'tile-{event.seat}-{event.values["tile"]}',)
                    assert '+' in sentence
        assert {'octagon', 'lay', 'pass'} < kinds
        assert kinds & {'win', 'shared'}


def test_a_refused_click_is_answered() -> None:
    found = position(START)
    view = found.view()
    found.play(found.legal()[0])
    later, laid = found.view(0), found.legal()
    assert laid
    answers = {
        (): 'Choose one of your tiles',
        ('el:square-3-3',): 'Printed squares',
        ('el:cross-d4',): 'd4',
        ('do:pass',): 'may not pass',
        ('el:tile-1-O',): 'Red: O d4',
        ('el:hand-L-AA',): 'ringed place',
        ('el:hand-L-AA', 'el:tile-1-O'): 'overlap',
        ('el:hand-L-AA', 'at:0,0'): 'does not fit',
        ('el:hand-L-AA', 'el:hand-U-II'): 'U-II',
    }
    for targets, part in answers.items():
        assert part in MYRIATH.why_not(view, targets), targets
    assert 'turn of Red' in MYRIATH.why_not(later, ('el:hand-L-AA',))
    assert 'watching' in MYRIATH.why_not(found.view(-1), ())
    own = replace(later, actions=(0,))
    assert 'on the board already' in MYRIATH.why_not(replace(own, seat=0), ('el:hand-L-AA',))
    setup = new('myriath', 2, seed=1).after('O c3')
    assert 'overlap' in MYRIATH.why_not(setup.view(), ('el:square-2-2',))
    assert 'octagon' in MYRIATH.why_not(setup.view(), ('el:hand-L-AA',))
    assert 'over' in MYRIATH.why_not(played(2)[-1][0].view(), ())


def test_points_below_zero_have_the_minus_sign_of_badges() -> None:
    """A hyphen is shorter than a digit and hangs low."""
    assert [points_text(half) for half in (-16, -1, 0, 17)] == ['−8', '−0.5', '0', '8.5']
