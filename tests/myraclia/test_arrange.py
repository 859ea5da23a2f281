"""The players arrange the starting tiles (layout=arranged, P10): they lay them in turn, and then everything
else is dealt."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.kernel import compiled
from ludoteca.search import SearchBot, make_bot
from tests.expected import estimate, foresee
from tests.myraclia.model import DARK, TABLE, beside, place_of
from tests.myraclia.support import ARRANGED, MYRACLIA, bag, names, read_position, starting, tile_bag
from tests.observations import slices

START = {players: TABLE['players'][str(players)]['start_tiles'] for players in (2, 3, 4, 5)}
EVERYTHING: dict[str, Any] = ARRANGED | {'cubes': 3, 'kickstarter': True, 'eternity': True, 'darkness': True}
PLAYERS = pytest.mark.parametrize('players', [2, 3, 4, 5])
SEEDS = 12 if compiled else 2
BIG_TRIANGLE = [(q, r) for r in range(3) for q in range(3 - r)]


def arranged(players: int, seed: int, options: dict[str, Any] = ARRANGED) -> list[Position]:
    """The positions of a start arranged by chance, from the first one to the first draft."""
    chooser, position = random.Random(seed), ludoteca.new('myraclia', players, seed, options)
    found = [position.copy()]
    while position.to_json().get('phase') == 'arrange':
        position.apply(chooser.choice(position.actions()))
        found.append(position.copy())
    return found


def places_of(position: Position) -> list[tuple[int, int]]:
    """The places of the surface."""
    return [(q, r) for q, r in (entry['at'] for entry in position.to_json()['surface'])]


def open_places(position: Position) -> set[str]:
    """Where the next tile may lie; each tile everywhere."""
    found = [name.split(' at ') for name in names(position, 'place')]
    tiles, places = {tile for tile, _ in found}, {place for _, place in found}
    assert len(found) == len(tiles) * len(places)
    assert tiles == {*position.to_json()['to_lay']}
    return places


# ---- what is laid when -------------------------------------------------------------------------------------


@PLAYERS
def test_as_many_tiles_as_ever_are_drawn_and_nothing_else(players: int) -> None:
    position = ludoteca.new('myraclia', players, 1, EVERYTHING)
    data = position.to_json()
    assert (data['phase'], data['surface'], data['display'], data['to_move']) == (
        'arrange',
        [],
        [None] * 3,
        0,
    )
    assert len(data['to_lay']) == START[players]
    assert not data.keys() & {'cubes', 'board', 'discard', 'round', 'turn'}
    assert bag(position).total() == 103
    assert not tile_bag(position) & {*data['to_lay'], *DARK}, 'Darkness comes after the set-up'


@PLAYERS
def test_they_are_laid_in_turn_in_the_order_of_the_seats(players: int) -> None:
    found = arranged(players, 3)
    assert [position.to_move for position in found[:-1]] == [k % players for k in range(START[players])]
    assert [int(position.state.turn) for position in found] == [*range(START[players] + 1)]


@PLAYERS
def test_p10_the_arranged_start_is_one_that_the_booklet_allows(players: int) -> None:
    """It hangs together, each tile lies beside two others, and most lie beside three."""
    for seed in range(SEEDS):
        cells = places_of(arranged(players, seed)[-1])
        assert len(cells) == START[players]
        near = [sum(other in cells for other in beside(cell)) for cell in cells]
        assert min(near) >= 2
        assert 2 * sum(n >= 3 for n in near) > len(cells)


def test_p10_the_first_tile_lies_on_0_0_the_second_beside_it_and_each_other_one_beside_two() -> None:
    assert open_places(starting(['P04', 'F01', 'F02', 'F03', 'F04', 'F05', 'F06', 'F08'])) == {'0,0'}
    seven = [f'M{k:02}' for k in range(1, 8)]
    assert open_places(starting(seven, (0, 0))) == {f'{q},{r}' for q, r in beside((0, 0))}
    assert open_places(starting(seven[:6], (0, 0), (1, 0))) == {'0,1', '1,-1'}
    assert open_places(starting(seven[:5], (0, 0), (1, 0), (0, 1))) == {'1,-1', '1,1', '-1,1'}
    assert open_places(starting(seven[:4], (0, 0), (1, 0), (2, 0), (0, 1))) == {'1,1', '1,-1', '2,-1', '-1,1'}


def test_p10_the_last_tile_leaves_most_with_three_others_beside_them() -> None:
    """A triangle of six tiles and one more: with the eighth so that five of eight have three, and not only
    four."""
    seven = [*BIG_TRIANGLE, (1, -1)]
    offered = open_places(starting(['M01'], *seven))
    closed = {
        f'{q},{r}'
        for q in range(-3, 5)
        for r in range(-3, 5)
        if (q, r) not in seven and sum(other in seven for other in beside((q, r))) >= 2
    } - offered
    assert offered
    assert closed
    for place in offered | closed:
        cells = [*seven, place_of(place)]
        three = sum(sum(other in cells for other in beside(cell)) >= 3 for cell in cells)
        assert (three > 4) == (place in offered), place


def test_whatever_lies_the_last_tile_has_a_place_and_so_has_one_in_a_position_made_up() -> None:
    """Grown by the rule there is always one; where there is none two neighbours do, or one."""
    for seed in range(SEEDS):
        for position in arranged(2, seed)[:-1]:
            assert position.legal()
    row = [(q, 0) for q in range(-3, 4)]
    two = {
        f'{q},{r}'
        for q in range(-5, 6)
        for r in (-1, 1)
        if sum(other in row for other in beside((q, r))) == 2
    }
    assert open_places(starting(['M01'], *row)) == two
    alone = starting(['P04', 'W05'], *((q, -q) for q in range(-3, 4)), players=3)
    assert open_places(alone)


@PLAYERS
def test_when_all_lie_the_display_cubes_and_the_draft_are_dealt(players: int) -> None:
    before, position = arranged(players, 5, EVERYTHING)[-2:]
    data = position.to_json()
    assert 'phase' not in data
    assert 'to_lay' not in data
    assert all(data['display'])
    assert not {*data['display']} & {*DARK}
    assert {*DARK} <= tile_bag(position)
    assert [sum(cubes.values()) for cubes in data['cubes']] == [3] * players
    assert sum(data['board'].values()) == min(20, 5 * players)
    assert (data.get('round', 1), position.to_move) == (1, data['order'][0])
    assert position.state.reveals > before.state.reveals == 0
    assert MYRACLIA.kernels.revealed(position.state) == -1
    assert MYRACLIA.kernels.revealed(before.state) == 0


@PLAYERS
def test_d9_the_drafting_order_follows_from_the_cubes_as_ever(players: int) -> None:
    for seed in range(SEEDS):
        position = arranged(players, seed)[-1]
        rarest = [
            sorted(
                ([*TABLE['colours']].index(colour) for colour, n in cubes.items() for _ in range(n)),
                reverse=True,
            )
            for cubes in position.to_json()['cubes']
        ]
        assert position.to_json()['order'] == sorted(range(players), key=lambda seat: (rarest[seat], seat))


def test_the_other_layouts_play_as_before() -> None:
    """Seeds of old games: the draw of tiles and cubes has not changed."""
    for layout, surface, display, cubes, board in OLD:
        data = ludoteca.new('myraclia', 2, 1, {'layout': layout}).to_json()
        assert {entry['tile']: tuple(entry['at']) for entry in data['surface']} == surface
        assert (data['display'], data['cubes'], data['board']) == (display, cubes, board)


OLD: tuple[tuple[str, dict[str, tuple[int, int]], list[str], list[dict[str, int]], dict[str, int]], ...] = (
    (
        'recommended',
        {
            'P09': (2, 1),
            'P10': (1, 2),
            'P11': (0, 0),
            'F07': (2, 0),
            'F11': (1, 1),
            'W01': (1, 0),
            'W07': (0, 1),
            'M09': (0, 2),
        },
        ['P05', 'F05', 'M08'],
        [{'yellow': 1, 'white': 1}, {'red': 1, 'white': 1}],
        {'green': 2, 'yellow': 2, 'orange': 1, 'red': 4, 'blue': 1},
    ),
    (
        'random',
        {
            'P05': (3, -1),
            'P10': (0, -1),
            'P11': (2, -1),
            'F01': (2, 0),
            'F05': (0, 0),
            'M08': (1, -1),
            'M09': (1, 0),
            'M11': (0, 1),
        },
        ['M13', 'W08', 'P09'],
        [{'red': 2}, {'red': 2}],
        {'green': 1, 'yellow': 3, 'red': 3, 'blue': 2, 'black': 1},
    ),
)


# ---- names, positions, what is shown -----------------------------------------------------------------------


@PLAYERS
def test_positions_while_arranging_read_back_exactly(players: int) -> None:
    for position in arranged(players, 7, EVERYTHING):
        again = read_position(position.to_json())
        assert again.to_json() == position.to_json()
        assert again.actions() == position.actions()
        differing = [
            name
            for name in again.state.dtype.names
            if not np.array_equal(again.state[name], position.state[name])
        ]
        assert set(differing) <= {'rng', 'reveals', 'news'}


def test_a_tile_still_to_be_laid_is_observed_like_one_on_the_display() -> None:
    position = starting(['P04', 'W05'], *BIG_TRIANGLE)
    out = np.zeros(MYRACLIA.observation_size, np.float32)
    MYRACLIA.kernels.observe(position.hidden(0), 0, out)
    parts = slices(MYRACLIA, out)
    tiles = parts['tiles'].reshape(60, -1)
    listed = [*TABLE['tiles'], TABLE['kickstarter']]
    for k, tile in enumerate(listed):
        assert tiles[k, 1] == (tile['id'] in ('P04', 'W05'))
    assert not parts['phase'].any(), 'none of the phases'


def test_nobody_is_ahead_while_the_start_is_arranged() -> None:
    for position in arranged(3, 9)[:-1]:
        assert estimate(position) == pytest.approx([1 / 3] * 3)
        assert [*foresee(position).values()] == pytest.approx([1 / 3] * len(position.actions()))


def test_bots_and_the_yardstick_arrange_too() -> None:
    position = ludoteca.new('myraclia', 2, 4, ARRANGED)
    bot = make_bot('medium')
    assert isinstance(bot, SearchBot)
    seen = set()
    for seed in range(4 if compiled else 1):
        limited = SearchBot(bot.level, simulations=40)
        action = limited.choose(MYRACLIA, position.hidden(0), 0, seed, None)
        assert action in position.actions()
        seen.add(action)
    assert len(seen) > 1 or not compiled, 'drawn by lot, or all starts of bots would be alike'
    assert MYRACLIA.yardstick(position.hidden(0)) == (position.actions()[0],)


def test_what_is_said_and_asked_while_arranging() -> None:
    position = starting(['P04', 'W05'], *BIG_TRIANGLE)
    view = position.view()
    assert MYRACLIA.prompt(view).text == 'Blue: lay a starting tile, one of 2.'
    assert MYRACLIA.prompt(position.view(1)).text == MYRACLIA.words('prompt.wait_arrange', player='Blue')
    assert MYRACLIA.stage(position.state) == 'setting up'
    assert MYRACLIA.cards(view)[0].id == 'start'
    assert 'P04, plains' in MYRACLIA.text(view)
    assert 'beside one other only' in MYRACLIA.why_not(view, ('el:display-P04', 'el:place-4_m1'))
    assert 'Pick a starting tile' in MYRACLIA.why_not(view, ('el:place-1_m1',))
    last = starting(['M01'], *BIG_TRIANGLE, (1, -1))
    drawn = MYRACLIA.draw(last.view(), 'page').split('id="place-')[1:]
    closed = next(place for place in drawn if 'No tile can be added' in place[:400])
    assert 'most must have three' in MYRACLIA.why_not(
        last.view(), ('el:display-M01', 'el:place-' + closed.split('"')[0])
    )


def test_what_happens_is_told() -> None:
    found = arranged(2, 2)
    kinds = []
    for before, after in itertools.pairwise(found):
        action = next(
            a
            for a in before.actions()
            if _played(before, a).to_json()['surface'] == after.to_json()['surface']
        )
        kinds.append([event.kind for event in MYRACLIA.events(before.hidden(-1), action, after.hidden(-1))])
    assert kinds == [['lay']] * 7 + [['lay', 'display', 'deal', 'deal', 'round']]


def _played(position: Position, action: int) -> Position:
    trial = position.copy()
    trial.apply(action)
    return trial
