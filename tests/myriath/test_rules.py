"""The rules one by one, in positions small enough to follow on a board.

Crossings are a1 (south-west) to g7. The octagons of those who have nothing to do with it lie in corners: `O
a6` covers crossings a6 to b7, `O f1` f1 to g2. L-AA r0 c3 comes from an arrow in c3, goes east to d3, bends,
and goes north to an arrow in d4.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

import ludoteca
from ludoteca.game import GameError, Position
from ludoteca.games.myriath import rules
from ludoteca.kernel import compiled
from ludoteca.match import Match, Setup
from ludoteca.match.setup import Seat
from tests.myriath.model import HANDICAPS, SIDES, TABLE, orientations, oriented
from tests.myriath.support import MYRIATH, gains, names, position
from tests.playing import play_on
from tests.width import width

CORNERS = 'O a6', 'O f1'


def board(mine: str = '', others: str = '', to_move: int = 0) -> Position:
    """Two players, their octagons in the corners, and what they have laid besides."""
    first, second = (
        f'{octagon}, {laid}' if laid else octagon
        for octagon, laid in zip(CORNERS, (mine, others), strict=True)
    )
    return position({0: first, 1: second}, to_move=to_move)


def refused(position: Position, text: str) -> None:
    """The step is refused, and nothing changes."""
    before = position.to_json()
    with pytest.raises(GameError):
        position.play(text)
    assert position.to_json() == before


@cache
def random_game(players: int, seed: int) -> tuple[str, ...]:
    """The names of all steps of a random game."""
    position, chooser, played = ludoteca.new('myriath', players, 0), random.Random(seed), list[str]()
    while not position.over:
        action = chooser.choice(position.actions())
        played.append(MYRIATH.action_name(position.state, action))
        MYRIATH.kernels.apply(position.state, action)
    return tuple(played)


def replay(players: int, seed: int) -> Iterator[tuple[Position, str]]:
    """Each position of a random game with what was done there."""
    position = ludoteca.new('myriath', players, 0)
    for name in random_game(players, seed):
        yield position.copy(), name
        position.play(name)


# ---- setup -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4])
def test_each_player_has_the_octagon_and_18_tiles_and_the_area_depends_on_their_number(players: int) -> None:
    start = ludoteca.new('myriath', players, 1)
    data = start.to_json()
    assert data['tiles'] == []
    side = SIDES[players]
    assert names(start) == {f'O {"abcdefghijk"[i]}{j + 1}' for i in range(side - 1) for j in range(side - 1)}
    assert int(start.state.side) == side


@pytest.mark.parametrize('players', [2, 3, 4])
def test_octagons_are_laid_in_turn_order_and_then_the_first_player_begins(players: int) -> None:
    start = ludoteca.new('myriath', players, 1)
    for seat, spot in zip(range(players), ('O a1', 'O c3', 'O e5', 'O a5'), strict=False):
        assert start.to_move == seat
        assert all(name.startswith('O ') for name in names(start))
        start.play(spot)
        assert [entry['owner'] for entry in start.to_json()['tiles']] == list(range(seat + 1))
    assert start.to_move == 0
    assert start.state.turn == 0, 'octagons are no turns'
    assert not any(name.startswith('O ') for name in names(start))


def test_an_octagon_must_not_overlap_another_one() -> None:
    start = ludoteca.new('myriath', 2, 1)
    every = names(start)
    # the last four share a street with it
    assert names(play_on(start, 'O c3')) == every - {'O c3', 'O b3', 'O d3', 'O c2', 'O c4'}
    refused(start, 'O d3')


def test_octagons_may_meet_corner_to_corner_and_give_no_points() -> None:
    start = ludoteca.new('myriath', 2, 1).after('O c3 O d4')
    assert start.scores() == [0, 0]


@pytest.mark.parametrize('spot', ['O g1', 'O a7', 'O g7'])
def test_outer_squares_are_not_for_octagons(spot: str) -> None:
    refused(ludoteca.new('myriath', 2, 1), spot)


def test_nothing_else_is_laid_before_all_octagons_lie() -> None:
    start = ludoteca.new('myriath', 2, 1)
    refused(start, 'L-AA r0 c3')
    refused(start, 'pass')
    refused(start.after('O a1'), 'L-AA r0 c3')


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_third_player_starts_with_half_a_point_and_the_fourth_with_one(players: int) -> None:
    assert (
        ludoteca.new('myriath', players, 1).scores()
        == [0, 0, 0.5, 1][:players]
        == [half / 2 for half in HANDICAPS[:players]]
    )


# ---- what is legal -----------------------------------------------------------------------------------------


def test_first_placements_with_octagons_corner_to_corner() -> None:
    start = position({0: 'O c3', 1: 'O d4'})
    points = [gains(start, name) for name in names(start)]
    assert {half: points.count([half / 2, 0]) for half in range(1, 5)} == {1: 84, 2: 88, 3: 8, 4: 4}
    assert len(points) == 184


def test_first_placements_with_octagons_apart() -> None:
    assert len(names(position({0: 'O b2', 1: 'O e5'}))) == 208


def test_first_placements_with_three_players() -> None:
    start = position({0: 'O d4', 1: 'O e5', 2: 'O a1'}, players=3)
    # the others touch the octagon in the corner
    assert len([name for name in names(start) if int(name[-1]) > 2]) == 184


def test_a_tile_is_turned_and_flipped_at_will() -> None:
    start = board(others='L-AA r0 c3')
    for tile in TABLE:
        if tile != 'O':
            assert {name.split()[1] for name in names(start) if name.startswith(tile)} == set(
                orientations(tile)
            )
    assert orientations('U-AI') == ('r0', 'r1', 'r2', 'r3', 'f0', 'f1', 'f2', 'f3')


def test_half_of_an_end_that_touches_an_opponent_is_enough() -> None:
    # the second arrow in c3 comes from the north
    assert gains(board(others='L-AA r0 c3'), 'L-AA r3 c3') == [0.5, 0.5]


def test_an_opponents_bevel_is_enough() -> None:
    assert gains(board(others='L-AA r0 b3'), 'L-AA r0 c3') == [0.5, 0]  # it bends in c3


def test_an_opponents_end_on_the_own_bevel_is_not_enough_but_scores() -> None:
    # it bends in c3, where the arrow touches it
    assert 'L-AA r0 b3' not in names(board(others='L-AA r0 c3'))
    # so its end in c4 touches an opponent too
    both = board(others='L-AA r0 c3, L-AI r0 c4')
    assert gains(both, 'L-AA r0 b3') == [0.5, 1]


def test_contact_with_own_tiles_alone_is_not_enough_but_scores() -> None:
    assert 'L-AI r0 d4' not in names(board('L-AA r0 c3'))
    both = board('L-AA r0 c3', 'L-AA r0 e5')
    # a point of the 1.5 where two own arrows meet
    assert gains(both, 'L-AI r0 d4') == [1.5, 0.5]


def test_two_arrows_tip_to_tip_are_no_contact() -> None:
    """In c3, one from the east, one from the west."""
    assert 'L-AA r2 b2' not in names(board(others='L-AA r0 c3'))
    # its other end touches a whole edge in b2
    assert gains(board(others='L-AI r3 c1'), 'L-AA r2 b2') == [0.5, 0.5]
    assert gains(board(others='L-AI r3 c1, L-AA r0 c3'), 'L-AA r2 b2') == [0.5, 0.5]


def test_bevels_that_meet_are_no_contact() -> None:
    corner = position({0: 'O a6', 1: 'O c3'})
    # they bend in c3, back to back with the octagon
    assert not {f'L-{ends} r3 c2' for ends in ('AA', 'II', 'OO')} & names(corner)
    assert 'L-AA r0 b2' in names(corner)


def test_a_tile_without_contact_is_refused() -> None:
    refused(board(), 'L-AA r0 c3')


def test_a_tile_must_not_overlap_another_one_whoever_has_laid_it() -> None:
    for laid in (board(others='L-AA r0 c3'), board('L-AA r0 c3', 'Z-AA r0 b1')):
        assert not {'U-AA r0 c3', 'Z-AA r0 c3', 'L-AI r0 c3'} & names(laid)


def test_a_tile_lies_wholly_inside_the_area() -> None:
    at_the_edge = board(others='L-AA r0 e3')  # e3, f3, f4
    assert 'L-AI r0 f4' in names(at_the_edge)  # f4, g4, g5
    assert not {
        name for name in names(at_the_edge) if name.startswith('Z') and name.split()[1:] == ['r0', 'f4']
    }
    refused(at_the_edge, 'Z-AA r0 f4')  # it would end in h5


def test_every_tile_is_laid_once() -> None:
    start = board(others='L-AA r0 c3')
    assert 'L-AA r3 c3' in names(start)
    after = start.copy().after('L-AA r3 c3')
    after.play(after.legal()[-1])
    assert after.to_move == 0
    assert not any(name.startswith('L-AA') for name in names(after))
    assert any(name.startswith('L-AI') for name in names(after))


def test_a_turn_is_one_tile_and_then_the_next_player_clockwise_has_it() -> None:
    for players in (2, 3, 4):
        laid, turn = None, 0
        for now, name in replay(players, 1):
            if laid is not None:
                assert now.to_move == (laid + 1) % players
            assert now.state.turn == turn
            laid, turn = now.to_move, turn + (not name.startswith('O '))


# ---- points ------------------------------------------------------------------------------------------------


def test_the_first_scoring_example() -> None:
    """A half edge on a corner: half a point for the tile that has the edge."""
    assert gains(position({0: 'O a6', 1: 'O d4'}), 'L-AA r0 c3') == [0.5, 0]


def test_the_second_scoring_example() -> None:
    """A whole edge on a corner: one point."""
    assert gains(position({0: 'O a6', 1: 'O d4'}), 'L-AI r0 c3') == [1, 0]


def test_the_third_scoring_example() -> None:
    """Red lays L-AO: its arrow touches half of a whole edge of Z-OO, its whole edge lies on a bevel of Z-OO,
    and an arrow of the blue L-AO touches its bevel."""
    assert gains(position({0: 'O a1', 1: 'O f6, L-AO r3 e4, Z-OO f0 d3'}), 'L-AO r3 e3') == [1.5, 1]


MEETINGS = {
    'a half edge on a corner': ('', 'L-AA r0 b3', 'L-AA r0 c3', [0.5, 0]),
    'a whole edge on a corner': ('', 'L-AA r1 d4', 'L-AI r0 c3', [1, 0]),
    'two whole edges': ('', 'L-AI r0 c3', 'L-II r0 d4', [1, 1]),
    'an arrow on half a whole edge': ('', 'L-AI r0 c3', 'L-AA r0 d4', [0.5, 0.5]),
    'two arrows side by side': ('', 'L-AA r0 c3', 'L-AA r3 c3', [0.5, 0.5]),
    'an arrow on the second half of a whole edge': ('L-AI r0 c3', 'L-AA r0 d4', 'L-AA r3 d4', [1.5, 0.5]),
    'four arrows': ('L-AA r2 c3, L-AI r1 d3', 'L-AA r0 d4', 'L-AO r3 d4', [1.5, 0.5]),
}


@pytest.mark.parametrize('what', MEETINGS)
def test_what_meets_in_a_crossing_gives_points(what: str) -> None:
    mine, others, name, expected = MEETINGS[what]
    assert gains(board(mine, others), name) == expected


def test_a_whole_edge_half_connected_gains_the_other_half_later() -> None:
    # its whole edge in d4 is open to east and north
    first = board('L-AI r0 c3', to_move=1)
    assert gains(first, 'L-AA r0 d4') == [0.5, 0.5]
    second = first.after('L-AA r0 d4')
    assert second.scores() == [0.5, 0.5]
    # the new arrow's half edges, and the second half
    assert gains(second, 'L-AA r3 d4') == [1.5, 0.5]
    assert second.after('L-AA r3 d4').scores() == [2, 1]


def test_octagons_and_bevels_never_score() -> None:
    """Whatever touches an octagon, its owner gets nothing as long as no other tile of theirs lies."""
    start = position({0: 'O c3', 1: 'O d4'})
    assert {gains(start, name)[1] for name in names(start)} == {0}
    for name in TABLE:
        assert len(oriented(name, 'r0').half_edges) == (0 if name == 'O' else 4)


def test_the_owner_of_the_end_scores_whoever_is_to_move() -> None:
    three = position({0: 'O a8', 1: 'O h1, L-AA r0 c3', 2: 'O h8'}, players=3, to_move=2)
    assert gains(three, 'L-AA r3 c3') == [0, 0.5, 0.5]
    own = board('L-AI r0 c3', 'L-AA r0 d4', to_move=1)
    # two arrows of the same colour score as well
    assert gains(own, 'L-AI r3 d4') == [0.5, 1.5]


def test_nobody_can_have_more_than_36_points_and_the_handicap() -> None:
    assert sum(len(oriented(tile, 'r0').half_edges) for tile in TABLE) / 2 == 36
    if compiled:
        assert max(max(list(replay(4, seed))[-1][0].scores()) for seed in range(3)) < 36


# ---- passing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4])
def test_a_pass_is_forced_when_nothing_fits_and_never_chosen(players: int) -> None:
    passed = 0
    for now, name in replay(players, 1):
        if name == 'pass':
            passed += 1
            assert names(now) == {'pass'}
        else:
            refused(now, 'pass')
    assert passed >= players


def test_who_passed_may_lay_a_tile_later() -> None:
    """In this game a player has nowhere to lay a tile, and then the opponent's tile makes a place."""
    seats = [(now.to_move, name) for now, name in replay(2, 280)]
    first = next(k for k, (_, name) in enumerate(seats) if name == 'pass')
    assert any(seat == seats[first][0] and name != 'pass' for seat, name in seats[first:])


def test_a_tile_begins_the_count_of_passes_anew() -> None:
    for now, name in replay(2, 280):
        after = now.copy().after(name)
        assert after.state.passes == (now.state.passes + 1 if name == 'pass' else 0)


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_game_ends_when_all_pass_in_turn(players: int) -> None:
    played = random_game(players, 1)
    assert played[-players:] == ('pass',) * players
    assert played[-players - 1] != 'pass'
    *_, (last, name) = replay(players, 1)
    assert not last.over
    assert last.outcome() == [0] * players
    last.play(name)
    assert last.ending == 'passed'
    assert last.actions() == []
    assert MYRIATH.kernels.legal_actions(last.state, np.empty(MYRIATH.max_legal, np.int32)) == 0
    with pytest.raises(GameError):
        last.play('pass')


# ---- the end -----------------------------------------------------------------------------------------------


def end_of(players: int, seed: int) -> Position:
    return ludoteca.new('myriath', players, 0).after(' '.join(random_game(players, seed)))


@pytest.mark.parametrize('seed', range(width(2, 8)))
@pytest.mark.parametrize('players', [2, 3, 4])
def test_who_has_most_points_wins(players: int, seed: int) -> None:
    end = end_of(players, seed)
    scores = end.scores()
    winners = [score == max(scores) for score in scores]
    assert end.outcome() == [won / sum(winners) for won in winners]


@pytest.mark.parametrize(
    ('players', 'seed', 'winners'), [(2, 1, 2), (3, 9, 2), (3, 108, 3), (4, 2, 2), (4, 60, 3)]
)
def test_ties_are_shared(players: int, seed: int, winners: int) -> None:
    end = end_of(players, seed)
    assert sorted(end.outcome()) == [0] * (players - winners) + [1 / winners] * winners
    assert end.scores().count(max(end.scores())) == winners


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_handicap_counts(players: int) -> None:
    """The score is what the ends have gained and what the track began with."""
    total = [half / 2 for half in HANDICAPS[:players]]
    for now, name in replay(players, 3):
        total = [points + gain for points, gain in zip(total, gains(now, name), strict=True)]
    assert end_of(players, 3).scores() == total


# ---- hands and series --------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 4])
def test_everybody_sees_everything_but_the_generator(players: int) -> None:
    for now, _ in replay(players, 2):
        for seat in range(-1, players):
            hidden = now.hidden(seat)
            assert MYRIATH.to_json(hidden) == now.to_json()
            assert (hidden.at == now.state.at).all()
            assert not hidden.rng.any()
            assert MYRIATH.kernels.revealed(hidden) == 0


def series(players: int, seed: int) -> Match:
    """A match of people with names in which a random game was played."""
    seats = [Seat(name) for name in ('Ada', 'Ben', 'Cem', 'Dee')[:players]]
    match = Match(Setup.new('myriath', players, seats=seats, seed=seed))
    for name in random_game(players, seed):
        (seat,) = match.to_move
        match.act(seat, match.version(seat), name)
    return match


@pytest.mark.parametrize(('players', 'seed'), [(2, 0), (2, 2), (3, 1), (3, 2), (4, 0), (4, 3)])
def test_the_lowest_scorer_begins_the_next_game(players: int, seed: int) -> None:
    match = series(players, seed)
    assert match.result is not None
    scores = list(match.result.scores)
    lowest = scores.index(min(scores))
    assert scores.count(min(scores)) == 1
    setup, order = match.rematch(1)
    assert order == tuple((lowest + k) % players for k in range(players)), (
        'the others keep their order round the table'
    )
    assert [seat.name for seat in setup.seats] == [match.setup.seats[old].name for old in order]
    assert setup.players == players


@pytest.mark.parametrize(
    ('players', 'seed', 'lowest'),
    [
        (2, 1, [0, 1]),
        (3, 0, [0, 1]),
        (3, 3, [1, 2]),
        (3, 108, [0, 1, 2]),
        (4, 48, [2, 3]),
        (4, 13, [0, 1, 2]),
        (4, 124, [1, 2, 3]),
    ],
)
def test_of_several_lowest_scorers_the_first_in_turn_order_begins(
    players: int, seed: int, lowest: list[int]
) -> None:
    match = series(players, seed)
    assert match.result is not None
    scores = match.result.scores
    assert [seat for seat in range(players) if scores[seat] == min(scores)] == lowest
    assert match.rematch(1)[1][0] == lowest[0]


@pytest.mark.parametrize('players', [3, 4])
def test_in_a_series_handicaps_follow_the_seats(players: int) -> None:
    setup, order = series(players, 2).rematch(1)
    assert order != tuple(range(players))
    assert MYRIATH.to_json(Match(setup).knowledge(0))['scores'] == [0, 0, 0.5, 1][:players]


def test_in_an_area_of_one_word_the_placements_are_those_of_any_area() -> None:
    """The list for two players is made in a way of its own; the sets from which other lists are made hold the
    same placements."""
    found, out = np.zeros((rules.N_PIECES, 2), np.int64), np.empty(MYRIATH.max_legal, np.int32)
    seen = 0
    for seed in range(width(3, 20)):
        game, rng = ludoteca.new('myriath', 2, seed), random.Random(seed)
        while not game.over:
            state = game.state
            if state.phase == rules.Phase.PLAY:
                n = rules.list_in_one_word(state, out)
                rules.find_placements(state, found)
                assert not found[:, 1].any()
                assert out[:n].tolist() == [
                    piece * rules.N_CROSSINGS + at
                    for piece in range(rules.N_PIECES)
                    for at in range(49)
                    if int(found[piece, 0]) >> at & 1
                ]
                seen += n
            game.apply(rng.choice(game.actions()))
    assert seen > 1000
