"""The drawing of Octiles: smooth paths, sound SVG within its budget, what can be clicked, and what is
said."""

from __future__ import annotations

import gzip
import json
import math
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ludoteca.drawing.geometry import Curve, opposite
from ludoteca.game import Event, Position, Target, View, ViewSettings, load, new, position
from ludoteca.games.octiles import components as C
from ludoteca.games.octiles import rules as R
from ludoteca.games.octiles.view import board, symbols, wording
from ludoteca.games.octiles.view import targets as view_targets
from ludoteca.games.octiles.view.facts import lines_words
from ludoteca.kernel import compiled
from tests.width import width

pytestmark = pytest.mark.skipif(not compiled, reason='what is drawn does not depend on the mode')

OCTILES: Any = load('octiles')

SVG = '{http://www.w3.org/2000/svg}'
ORDER = list(range(1, 19))
MIDDLE: dict[str, Any] = {  # of a game with four players
    'game': 'octiles',
    'players': 4,
    'to_move': 0,
    'stack': [4, 5, 6, 12, 8],
    'known': 2,
    'tiles': {
        'a3': [1, 0],
        'b5': [2, 0],
        'e4': [18, 1],
        'd1': [15, 4],
        'b3': [10, 7],
        'c1': [7, 5],
        'a2': [3, 1],
        'c4': [17, 3],
        'd4': [11, 1],
        'b2': [9, 7],
        'c3': [14, 1],
        'd3': [16, 7],
        'c5': [13, 6],
    },
    'runners': {
        'D6': 1,
        'F3': 2,
        'F2': 2,
        'B5': 1,
        'B4': 0,
        'B2': 3,
        'E2': 0,
        'C2': 3,
        'F6': 0,
        'F1': 1,
        'A4': 2,
        'E5': 3,
        'D4': 0,
        'D5': 1,
        'C5': 2,
        'C3': 3,
    },
}


def middle(*steps: str) -> Position:
    return position(MIDDLE).after(' '.join(steps))


@cache
def recorded() -> tuple[Position, ...]:
    """Positions of recorded games with two players, a few of each stage."""
    path = Path(__file__).parent.parent / 'data' / 'octiles' / 'positions_2p.jsonl.gz'
    found = []
    for k, line in enumerate(gzip.decompress(path.read_bytes()).decode().splitlines()):
        data = json.loads(line)
        if k % 60 == 7 and data.get('moves'):
            found.append(
                position(
                    {
                        'game': 'octiles',
                        'players': 2,
                        'to_move': data['turn'],
                        'tiles': data['tiles'],
                        'stack': data['pool_top_first'],
                        'runners': data['runners'],
                    }
                )
            )
    return tuple(found)


def positions() -> Iterator[Position]:
    """Positions before and after a tile was laid, with two to four players."""
    yield from (new('octiles', players, seed=k) for k, players in enumerate((2, 3, 4)))
    yield from (middle(), middle('b4:2'), middle('b3:0'))
    for found in recorded():
        yield found
        if found.legal()[0] != 'pass':
            yield found.copy().after(found.legal()[len(found.legal()) // 2])


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def by_id(text: str) -> dict[str, ElementTree.Element]:
    """The elements of a drawing by their ids, which are unique."""
    elements = [element for element in parsed(text).iter() if element.get('id')]
    found = {str(element.get('id')): element for element in elements}
    assert len(found) == len(elements)
    return found


def page(view: View) -> str:
    return str(OCTILES.draw(view, 'page'))


# ---- the curve rule ----------------------------------------------------------------------------------------


def joined(before: Curve, after: Curve) -> bool:
    """Does one curve go on where the other ends, without a kink?"""
    return math.dist(before.end, after.start) < 0.02 and math.dist(before.arriving, after.leaving) < 1e-3


def curves_at(port: int) -> Iterator[Curve]:
    """The lines that leave a space by a port, over all other edges."""
    space, out = divmod(port, 8)
    for edge in range(8):
        if edge != out:
            yield symbols.tile_line(edge, out, symbols.space_point(space))


def test_lines_go_on_smoothly_over_every_seam() -> None:
    """From a tile over the board (a printed path, or none) to the next tile, or to a stop or circle."""
    seams = 0
    for port in range(C.N_PORTS):
        ahead = symbols.board_line(port)
        for line in curves_at(port):
            if C.LINK[port] >= C.FIRST_POST:
                assert joined(line, ahead)
                assert math.dist(ahead.end, symbols.post_point(C.LINK[port] - C.FIRST_POST)) < 0.02
                seams += 1
                continue
            for back in curves_at(C.LINK[port]):
                following = Curve(back.end, back.start, opposite(back.arriving), opposite(back.leaving))
                assert joined(line, ahead) if ahead.length > 1 else joined(line, following)
                assert joined(ahead, following) or ahead.length < 0.02
                seams += 1
    assert seams == 72 * 7 + 64 * 49


def test_arcs_really_end_where_they_are_said_to() -> None:
    """A curve's two directions lie symmetrically to its chord, so one arc can meet both."""
    for port in range(C.N_PORTS):
        for curve in (*curves_at(port), symbols.board_line(port)):
            if curve.length > 1:
                assert math.dist(curve.at(1)[0], curve.end) < 0.02
                assert math.dist(curve.at(1)[1], curve.arriving) < 1e-3


def test_printed_paths_are_arcs_of_the_same_rule() -> None:
    radii = sorted(
        round(symbols.board_line(port).radius, 1)
        for port in range(C.N_PORTS)
        if C.LINK[port] < C.FIRST_POST and symbols.board_line(port).length > 1
    )
    assert radii == [20.7] * 8 + [50.0] * 8  # each of the eight from both ends


def test_bridges_are_the_same_in_every_rotation_and_long_lines_lie_below() -> None:
    for tile in range(C.N_TILES):
        spans = [symbols.span(edges) for edges in symbols.layers(tile)]
        assert spans == sorted(spans, reverse=True)
        assert sorted(symbols.layers(tile)) == sorted(C.PAIRS[tile])


# ---- the picture -------------------------------------------------------------------------------------------


def test_drawings_are_valid_quiet_and_complete() -> None:
    defined = set(by_id(f'<svg>{OCTILES.symbols().defs}</svg>'))
    for found in positions():
        view = found.view()
        elements = by_id(page(view))
        assert {f'space-{name}' for name in C.SPACES} <= elements.keys()
        assert {f'post-{name}' for name in C.POSTS} <= elements.keys()
        assert not elements.keys() & defined
        lying = {f'tile-{C.SPACES[k]}' for k in range(C.N_SPACES) if view.state.tile[k] >= 0}
        assert {name for name in elements if name.startswith('tile-')} == lying
        standing = {f'runner-{C.POSTS[post]}' for seat in view.state.runner for post in seat if post >= 0}
        assert {name for name in elements if name.startswith('runner-')} == standing
        for name, element in elements.items():
            kind = name.partition('-')[0]
            if kind in ('space', 'post') or name == 'stack':
                assert element.get('role') in ('button', 'img')
                assert len(element.get('aria-label', '')) > 5
            if kind in ('tile', 'runner') or name == 'stack-top':
                assert element.get('transform') is None, 'the page moves this group'


def test_there_are_no_styles_no_scripts_and_nothing_from_elsewhere() -> None:
    for theme in ('page', 'light', 'dark'):
        text = OCTILES.draw(middle('b4:2').view(), theme)
        for element in parsed(text).iter():
            assert element.tag.removeprefix(SVG) in {
                'svg',
                'g',
                'path',
                'circle',
                'ellipse',
                'rect',
                'text',
                'use',
                'defs',
                'stop',
                'linearGradient',
                'radialGradient',
                'clipPath',
                'filter',
                'pattern',
                'feGaussianBlur',
            }
            assert 'style' not in element.attrib
            assert element.get('href', '#').startswith('#')


def fullest() -> Position:
    """All spaces covered, a turn's runner still to move."""
    full = next(found for found in recorded() if (found.state.tile >= 0).all())
    return full.copy().after(full.legal()[0])


def test_the_fullest_position_keeps_the_budget() -> None:
    """A message about it and all that a page loads once; what stands alone; the time it takes."""
    view = fullest().view()
    assert len(gzip.compress(page(view).encode())) < 15_000
    assert len(gzip.compress((page(view) + OCTILES.symbols().defs).encode())) < 60_000
    assert len(gzip.compress(OCTILES.draw(view, 'light').encode())) < 60_000

    def seconds() -> float:
        start = time.process_time()
        page(view)
        return time.process_time() - start

    assert min(seconds() for _ in range(7)) < 0.03


def test_a_drawing_is_a_picture_for_any_renderer() -> None:
    renderer = pytest.importorskip('resvg_py')
    for theme in width(('light',), ('light', 'dark')):
        text = OCTILES.draw(middle('b4:2').view(), theme)
        assert 'var(' not in text
        picture = bytes(renderer.svg_to_bytes(svg_string=text))
        assert picture.startswith(b'\x89PNG')
        assert len(picture) > 200_000  # the board, not an empty sheet


def test_pictures_of_the_game() -> None:
    for text in (board.emblem(), board.emblem('dark', 320), board.badge()):
        root = parsed(text)
        assert root.get('width')
        assert 'var(' not in text
    assert board.emblem() != board.emblem('dark')


def test_sides_without_a_player_are_quiet() -> None:
    quiet = {
        players: page(new('octiles', players, seed=1).view()).count('#octiles-circle-quiet')
        for players in (2, 3, 4)
    }
    assert quiet == {2: 10, 3: 5, 4: 0}


def test_marks_and_coordinates_can_be_left_out() -> None:
    view = middle().view()
    assert '#octiles-legal' in page(view)
    assert 'coordinate' in page(view)
    bare = View(view.state, view.seat, view.actions, settings=ViewSettings(coordinates=False, marks=False))
    assert '#octiles-legal' not in page(bare)
    assert 'coordinate' not in page(bare)
    assert page(bare).count(' target"') == page(view).count(' target"') > 5


def test_who_has_nothing_to_choose_sees_no_targets() -> None:
    for seat in (1, -1):
        text = page(middle().view(seat))
        assert ' target"' not in text
        assert 'tabindex' not in text
        assert '#octiles-legal' not in text


def test_the_tile_just_laid_is_lifted_and_can_be_turned() -> None:
    elements = by_id(page(middle('b4:2').view()))
    assert 'lifted' in elements['tile-b4'].get('class', '').split()
    assert 'hidden' not in elements['turns-space-b4'].get('class', '').split()
    others = [name for name in elements if name.startswith('turns-') and name != 'turns-space-b4']
    assert others, 'it may still be laid elsewhere'
    assert all('hidden' in elements[name].get('class', '').split() for name in others)
    assert 'lifted' not in page(middle('b4:2', middle('b4:2').legal()[0]).view())


def test_the_only_run_is_shown_and_several_are_not() -> None:
    one, several = middle('b4:2'), middle('b3:0')
    assert len(one.legal()) == 1
    assert len(several.legal()) > 1
    wide = f'stroke-width="{symbols.RUN_CORE}"'
    assert wide in page(one.view())
    assert wide not in page(several.view())


def test_the_first_turn_shows_runners_direction_and_goal() -> None:
    """Whoever makes the first turn sees where its runners stand and where they go; nobody else, and later
    nobody."""
    first = new('octiles', players=2, seed=10)
    goal = OCTILES.words('board.goal_sign')
    assert goal in page(first.view())
    assert goal not in page(first.view(1 - first.to_move))
    assert OCTILES.prompt(first.view()).text.endswith(' from the west to the east.')
    assert goal not in page(middle().view())
    shown = page(first.view())
    starts = {int(post) for post in first.state.runner[first.to_move] if post >= 0}
    runs = {name.split()[1].split('-')[0] for name in first.turns()}
    assert runs <= {C.POSTS[post] for post in starts}
    for post in runs:
        assert re.search(rf'id="post-{post}" class="post target"', shown), post


def test_the_sign_of_the_goal_covers_no_stop_circle_or_runner() -> None:
    """Whoever begins: a runner may stand anywhere, and no name of a place is covered either."""
    taken = [
        box
        for post in range(C.N_POSTS)
        for x, y in [symbols.post_point(post)]
        for box in ((x - 18, y - 18, x + 18, y + 18), (x - 14, y - 46, x + 14, y + 12))
    ]
    found, seats = new('octiles', players=4, seed=10), set()
    for _ in range(4):
        view = found.view()
        seats.add(view.seat)
        bare = page(replace(view, settings=ViewSettings(marks=False)))
        names = re.findall(r'<text class="coordinate" x="([-\d.]+)" y="([-\d.]+)"', bare)
        named = [(x - 8, y - 8, x + 8, y) for x, y in ((float(x), float(y)) for x, y in names)]
        left, top, right, low = sign_of(page(view))
        assert max(abs(edge) for edge in (left, top, right, low)) <= symbols.SLAB
        for a, b, c, d in (*taken, *named):
            assert c <= left or a >= right or d <= top or b >= low, view.seat
        found.play(found.turns()[0])
    assert len(seats) == 4


def sign_of(text: str) -> tuple[float, float, float, float]:
    """The box of the goal's sign and its arrow: left, top, right, bottom."""
    arrow, x, y, w, h = re.findall(
        r'transform="(translate[^"]+)" stroke-linejoin="round"[^>]*/>'
        r'<rect x="([-\d.]+)" y="([-\d.]+)" width="([-\d.]+)" height="([-\d.]+)" rx="16"',
        text,
    )[0]
    left, top, right, low = float(x), float(y), float(x) + float(w), float(y) + float(h)
    turn = int((re.findall(r'rotate\((-?\d+)\)', arrow) or ['0'])[0])
    return (left, top - 21 * (turn == -90), right + 21 * (turn == 0), low + 21 * (turn == 90))


def test_a_run_is_chosen_by_its_runner_first() -> None:
    """The shortcuts are exactly the whole turns; each names its runner and where it ends, with the tile as it
    would lie and the run."""
    for found in (new('octiles', players=2, seed=10), middle()):
        offered = OCTILES.shortcuts(found.state)
        assert sorted(' '.join(one.steps) for one in offered) == sorted(found.turns())
        for one in offered:
            begin, end = one.steps[1].split('-')
            assert [target.id for target in one.targets] == [f'el:post-{begin}', f'el:post-{end}']
            lay, run = (target.ghost for target in one.targets)
            assert lay is not None
            assert run is not None
            assert lay.symbol.startswith('octiles-tile-')
            assert run.path
    assert OCTILES.shortcuts(middle('b3:0').state) == ()


def test_the_last_move_is_brass() -> None:
    before = middle('b4:2')
    action = before.actions()[0]
    events = OCTILES.events(
        middle().hidden(0), OCTILES.action_from_name(middle().state, 'b4:2'), before.hidden(0)
    )
    after = before.copy()
    after.apply(action)
    events += OCTILES.events(before.hidden(0), action, after.hidden(0))
    text = page(after.view(last=events))
    assert text.count('#octiles-last') == 1
    assert text.count('stroke="var(--last)"') == 2  # where the runner was, where it stands
    assert 'var(--last)' not in page(after.view())


# ---- what can be clicked -----------------------------------------------------------------------------------


def test_every_legal_action_can_be_clicked() -> None:
    defined = set(by_id(f'<svg>{OCTILES.symbols().defs}</svg>'))
    for found in positions():
        view = found.view()
        elements = by_id(page(view))
        for action in view.actions:
            for target in OCTILES.targets(view.state, action):
                if target.id == 'do:pass':
                    assert [button.id for button in OCTILES.prompt(view).buttons] == ['pass']
                    continue
                element = elements[target.id.removeprefix('el:')]
                assert 'target' in element.get('class', '').split()
                assert (element.get('role'), element.get('tabindex')) == ('button', '0')
                assert target.ghost is None or target.ghost.symbol in defined


def test_rotations_of_a_space_are_variants_and_everything_else_is_told_apart() -> None:
    for found in (middle(), middle('b3:0'), *recorded()[:8]):
        ways: dict[tuple[str, ...], set[str]] = {}
        for action in found.actions():
            targets: tuple[Target, ...] = OCTILES.targets(found.state, action)
            name = OCTILES.action_name(found.state, action)
            ways.setdefault(tuple(target.id for target in targets), set()).add(name.partition(':')[0])
            if ':' in name:
                turn = 45 * int(name[-1])
                assert (f'rotate({turn})' in targets[0].ghost.transform) == (turn > 0)  # type: ignore[union-attr]
        assert all(len(names) == 1 for names in ways.values())


def test_the_ghost_of_a_run_leads_from_post_to_post() -> None:
    found = middle('b4:2')
    ((start, end),) = [OCTILES.targets(found.state, action) for action in found.actions()]
    assert (start.id, end.id) == ('el:post-B4', 'el:post-E4')
    assert end.ghost.symbol == 'octiles-runner-blue'
    assert end.ghost.path.startswith('M-150 -50L')
    assert re.search(r'150 -50$', end.ghost.path)


def test_runners_let_clicks_through() -> None:
    elements = by_id(page(middle('b4:2').view()))
    for name, element in elements.items():
        if name.startswith('runner-'):
            assert element.get('pointer-events') == 'none'
            assert element.get('aria-hidden') == 'true'


# ---- what happened -----------------------------------------------------------------------------------------


def played(found: Position, name: str) -> tuple[Event, ...]:
    before = found.copy()
    found.play(name)
    return tuple(
        OCTILES.events(before.hidden(0), OCTILES.action_from_name(before.state, name), found.hidden(0))
    )


def test_laying_and_covering_are_told_apart() -> None:
    (laid,) = played(middle(), 'b4:2')
    assert (laid.kind, laid.seat, dict(laid.values)) == ('lay', 0, {'space': 'b4', 'tile': 4, 'rotation': 2})
    name = next(name for name in middle().legal() if name.startswith('c3'))
    (covering,) = played(middle(), name)
    assert covering.kind == 'cover'
    assert covering.values['covered'] == 14


def test_a_run_travels_its_way_on_the_board() -> None:
    found = middle('b4:2')
    run, shown = played(found, 'B4-E4')
    assert (run.kind, run.piece, dict(run.values)) == ('run', 'runner-E4', {'start': 'B4', 'end': 'E4'})
    assert run.piece in by_id(page(found.view()))
    assert (run.way[0], run.way[-1]) == ((-150, -50), (150, -50))
    steps = [math.dist(a, b) for a, b in pairwise(run.way)]
    assert max(steps) < 9
    assert sum(steps) > 400
    assert (shown.kind, shown.values['tile'], shown.values['left']) == ('next', 5, 4)


def test_coming_home_winning_and_passing_are_said() -> None:
    kinds: dict[str, Event] = {}
    for seed in range(40):
        found, work = new('octiles', 2 + seed % 3, seed=seed), R.Work.new()
        while not found.over:
            name = OCTILES.action_name(found.state, OCTILES.kernels.random_action(found.state, work))
            for event in played(found, name):
                kinds[event.kind] = event
                sentence = OCTILES.words(f'event.{event.kind}', player='Ann', **event.values)
                assert '{' not in sentence
        if {'home', 'win', 'pass', 'loop'} <= kinds.keys():
            break
    assert kinds['win'].values['of'] in (4, 5)
    assert int(kinds['home'].values['home']) <= int(kinds['home'].values['of'])
    assert kinds['loop'].values['start'] == kinds['loop'].values['end']
    assert kinds['loop'].way[0] == kinds['loop'].way[-1]
    assert 'tile' in kinds['pass'].values


# ---- what is said ------------------------------------------------------------------------------------------


def why(view: View, *targets: str) -> tuple[str, Mapping[str, Any]]:
    """The reason given, and its values."""
    asked: dict[str, Mapping[str, Any]] = {}

    def say(key: str, **values: Any) -> str:
        asked[key] = values
        return str(OCTILES.words(key, **values))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(view_targets, 'why', say)
        sentence = view_targets.why_not(view, targets)
    assert re.fullmatch(r'[A-Z][^{}]*\.', sentence)
    (key,) = [
        key for key in asked if key.startswith('why.') and key not in ('why.or',) and '.reason.' not in key
    ]
    return key.removeprefix('why.'), asked[key]


def test_who_is_not_to_move_is_told_so() -> None:
    assert why(middle().view(1), 'el:space-b4')[0] == 'not_your_turn'
    assert why(middle().view(-1), 'el:space-b4')[0] == 'watching'


def test_clicks_out_of_order_are_answered() -> None:
    placing, moving = middle().view(), middle('b4:2').view()
    assert why(placing, 'do:pass')[0] == 'no_pass'
    assert why(placing, 'el:stack')[0] == 'stack_tile'
    assert why(placing, 'el:elsewhere')[0] == 'unknown'
    assert why(placing)[0] == 'unknown'
    assert why(placing, 'el:space-b4')[0] == 'may_lay'
    assert why(moving, 'el:space-c2')[0] == 'laid_already'
    assert why(moving, 'el:stack')[0] == 'stack_runner'
    assert why(moving, 'el:post-D2')[0] == 'no_runner'
    assert why(moving, 'el:post-C5') == ('others_runner', {'post': 'C5', 'player': 'Yellow'})
    assert why(moving, 'el:post-F6') == ('stays_home', {'post': 'F6'})
    assert why(moving, 'el:post-B4', 'el:post-C4') == ('only_ends', {'post': 'B4', 'ends': 'E4'})
    assert why(moving, 'el:post-B4', 'el:post-C5') == ('only_ends', {'post': 'B4', 'ends': 'E4'})
    assert why(moving, 'el:post-B4', 'el:stack')[0] == 'stack_runner'
    assert why(moving, 'el:post-B4', 'el:space-c2')[0] == 'laid_already'


@pytest.mark.parametrize(
    ('targets', 'reason', 'values'),
    [
        (('el:post-B4',), 'may_run', {'post': 'B4', 'end': 'B4'}),
        (('el:runner-B4',), 'may_run', {'post': 'B4', 'end': 'B4'}),
        (('el:post-B4', 'el:post-A3'), 'no_way', {'post': 'B4', 'end': 'A3'}),
        (('el:post-D2',), 'no_runner', {'post': 'D2'}),
        (('el:post-C5',), 'others_runner', {'post': 'C5', 'player': 'Yellow'}),
        (('el:post-F6',), 'stays_home', {'post': 'F6'}),
    ],
)
def test_a_runner_chosen_before_the_tile_is_answered_by_what_keeps_it(
    targets: tuple[str, ...], reason: str, values: Mapping[str, str]
) -> None:
    assert why(middle().view(), *targets) == (reason, values)


def test_reasons_are_true() -> None:
    """For every space without a legal rotation and every runner that cannot cross the new tile, the reason
    holds."""
    seen = set()
    for found in positions():
        view, s = found.view(), found.state
        occupied = {C.POSTS[post] for seat in s.runner for post in seat if post >= 0}
        empty = {C.SPACES[k] for k in range(C.N_SPACES) if s.tile[k] < 0}
        if s.phase == R.Phase.PLACE and view.actions != (R.PASS,):
            legal = {name.partition(':')[0] for name in found.legal()}
            for space in set(C.SPACES) - legal:
                reason, _ = why(view, f'el:space-{space}')
                assert reason in ('unreached', 'no_rotation', 'leave_home_place')
                assert (reason == 'leave_home_place') <= bool(R.must_leave_home(s))
                seen.add(reason)
        elif s.phase == R.Phase.MOVE:
            starts = {name.partition('-')[0] for name in found.legal()}
            for post in {C.POSTS[post] for post in s.runner[s.to_move] if post >= 0} - starts:
                reason, values = why(view, f'el:post-{post}')
                seen.add(reason)
                if reason == 'runs_into':
                    assert values['space'] in empty
                elif reason == 'ends_occupied':
                    assert values['end'] in occupied
                elif reason == 'ends_circle':
                    assert values['end'] in C.CIRCLES
                else:
                    assert reason in ('not_across', 'stays_home', 'leave_home_move')
    assert {'unreached', 'no_rotation', 'not_across', 'stays_home', 'runs_into', 'ends_occupied'} <= seen


LEAVE_HOME: dict[str, Any] = {  # all five home circles of Blue are occupied, three of them by Yellow
    'game': 'octiles',
    'players': 2,
    'to_move': 0,
    'stack': [5, 16, 2, 7, 12, 15],
    'known': 5,
    'tiles': {
        'a2': [13, 2],
        'a3': [18, 0],
        'b2': [17, 6],
        'b4': [4, 3],
        'c1': [9, 4],
        'c2': [1, 0],
        'c4': [11, 3],
        'd2': [3, 0],
        'd3': [8, 3],
        'd4': [6, 4],
        'e3': [14, 1],
        'e4': [10, 5],
    },
    'runners': {'C4': 1, 'D2': 0, 'D5': 1, 'E2': 0, 'A1': 0, 'A2': 1, 'A3': 1, 'A4': 0, 'A5': 1, 'F2': 0},
}


def test_a_player_who_must_leave_home_is_told_so() -> None:
    found = position(LEAVE_HOME)
    assert OCTILES.prompt(found.view()).help == OCTILES.words('prompt.help.leave')
    assert why(found.view(), 'el:space-d3')[0] == 'leave_home_place'
    assert why(found.view(), 'el:post-D2')[0] == 'leave_home_move'
    assert why(found.view(), 'el:space-b4')[0] == 'unreached'
    assert why(found.view(), 'el:space-c4') == (
        'no_rotation',
        {'space': 'c4', 'reasons': OCTILES.words('why.reason.gap')},
    )
    reasons = {
        why(found.copy().after(name).view(), f'el:post-{post}')[0]
        for name in found.legal()
        for post in ('D2', 'E2')
    }
    assert reasons <= {'not_across', 'runs_into', 'ends_occupied', 'ends_circle', 'leave_home_move'}


def test_prompts_name_the_move() -> None:
    assert OCTILES.prompt(middle().view()).text == 'Blue: lay the top tile of the stack and run across it.'
    assert (
        OCTILES.prompt(middle('b4:2').view()).text == 'Blue: one runner can cross your tile: the ringed one.'
    )
    assert OCTILES.prompt(middle().view(2)).text == OCTILES.words('prompt.wait_place', player='Blue')
    named = middle().view()
    named = View(named.state, named.seat, named.actions, names=('Wren', '', '', ''))
    assert OCTILES.prompt(named).text.startswith('Wren: ')


def test_panels_count_the_runners() -> None:
    blue, *_, green = OCTILES.panels(middle().view())
    assert blue.pips == (1, 4)
    assert green.pips == (0, 4)
    assert blue.side == 'west to east'
    assert [row.value for row in blue.rows] == ['1 of 4', '3', '0']


def test_the_board_in_characters_shows_everything_once() -> None:
    for found in positions():
        view = found.view()
        rows: dict[int, int] = {}
        for cell in wording.cells(view):
            assert cell.column > rows.get(cell.row, -1), 'cells overlap'
            rows[cell.row] = cell.column + len(cell.text)
        assert max(rows.values()) <= 80
        text = OCTILES.text(view)
        for name in (*C.SPACES, *C.POSTS):
            assert len(re.findall(rf'[\[<(]{name}\b', text)) == 1
        letters = re.findall(r'[A-F][1-6] ([BRYG])[>)]', text)
        assert len(letters) == view.state.players * view.state.n_runners


def test_what_everybody_knows_of_the_stack_is_said() -> None:
    assert (
        f'The stack: 5 tiles, the top one with lines {lines_words(3)}; known at the bottom, in the order'
        f' in which they will come, tiles with lines {lines_words(11)}; {lines_words(7)}.' in str(middle())
    )
    assert (
        by_id(page(middle().view()))['stack']
        .get('aria-label', '')
        .startswith(f'The stack: 5 tiles, the top one with lines {lines_words(3)}')
    )
    laid = middle('b4:2')
    assert lines_words(3) not in by_id(page(laid.view()))['stack'].get('aria-label', '')
