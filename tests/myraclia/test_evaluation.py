"""The fixed yardstick and the estimates of a position, against what they are declared to be."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.games.myraclia import components as C
from ludoteca.games.myraclia import evaluation, rules
from ludoteca.games.myraclia.rules import Phase
from ludoteca.kernel import compiled
from tests.expected import after, estimate, foresee
from tests.myraclia.support import EVERYTHING, MYRACLIA

PLAYERS = (2, 3, 4, 5) if compiled else (2, 5)


def some_positions(
    players: int, every: int, options: dict[str, Any] | None = None, random_share: float = 0.3
) -> list[Position]:
    """Positions of a game, also within turns; some of its actions are the yardstick's, the others random."""
    chooser, game, found, step = (
        random.Random(f'evaluation/{players}'),
        ludoteca.new('myraclia', players, players, options),
        [],
        0,
    )
    while not game.over:
        if step % every == 0:
            found.append(game.copy())
        game.apply(
            chooser.choice(game.actions())
            if chooser.random() < random_share
            else MYRACLIA.yardstick(game.state)[0]
        )
        step += 1
    return found if compiled else found[::3]


def survey(game: Position) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """Free tiles, and what `map_out` writes."""
    near, mine, held = np.zeros(rules.N_TILES, np.int64), np.empty(5, np.int64), np.empty(5, np.int64)
    return evaluation.map_out(game.state, near, mine, held), near, mine, held


# ---- the yardstick -----------------------------------------------------------------------------------------


@pytest.mark.parametrize('options', [{}, EVERYTHING], ids=['plain', 'all options'])
@pytest.mark.parametrize('players', PLAYERS)
def test_the_yardstick_plays_whole_legal_turns_and_reserves_nothing(
    players: int, options: dict[str, Any]
) -> None:
    game = ludoteca.new('myraclia', players, 7, options)
    while not game.over:
        before = int(game.state.turn)
        turn = MYRACLIA.yardstick(game.state)
        for k, action in enumerate(turn):
            assert game.state.turn == before
            assert MYRACLIA.yardstick(game.state) == turn[k:]
            assert not rules.RESERVE <= action < rules.END_TURN
            game.apply(action)
        assert game.state.turn == before + 1
    assert game.ending == 'terraformed'


@pytest.mark.parametrize('players', PLAYERS)
def test_the_yardstick_finishes_a_reservation_that_another_has_begun(players: int) -> None:
    found = [game for game in some_positions(players, 1, random_share=0.9) if game.state.phase == Phase.PUT]
    assert found
    for game in found:
        turn = MYRACLIA.yardstick(game.state)
        put = [action for action in turn if rules.PUT <= action < rules.DONE]
        assert len(put) == len(set(put))
        for k, action in enumerate(turn):
            assert MYRACLIA.yardstick(game.state) == turn[k:]
            game.apply(action)


def test_the_yardstick_passes_only_when_no_cube_is_left() -> None:
    for game in some_positions(3, 1, random_share=0.0):
        if game.state.phase == Phase.DRAFT:
            assert MYRACLIA.yardstick(game.state)[0] < rules.PASS


@pytest.mark.parametrize('players', PLAYERS)
def test_the_yardstick_drafts_the_cube_after_which_three_tiles_are_worth_most(players: int) -> None:
    def plan(cubes: list[int], worth: dict[int, float]) -> float:
        total, left = 0.0, dict(worth)
        for _ in range(3):
            counts = {
                tile: left[tile] * 0.4 ** sum(not cubes[colour] for colour in C.REQUIRED[tile])
                for tile in left
            }
            best = max(counts, key=lambda tile: (counts[tile], -tile), default=None)
            if best is None or sum(not cubes[colour] for colour in C.REQUIRED[best]) == 5:
                break
            total += counts[best]
            del left[best]
            for colour in C.REQUIRED[best]:
                cubes[colour] = max(0, cubes[colour] - 1)
        return total

    for game in some_positions(players, 4, random_share=0.0):
        s = game.state
        if s.phase != Phase.DRAFT:
            continue
        worth = {
            tile: evaluation.tile_worth(s, s.to_move, tile, False)
            for tile in range(rules.FIRST_DARK)
            if s.where[tile] >= 0 and s.owner[tile] < 0 and rules.may_terraform(s, tile)
        }
        worth = {tile: value for tile, value in worth.items() if value > 0}
        own = s.own[s.to_move].tolist()
        found = {
            colour: plan([n + (k == colour) for k, n in enumerate(own)], worth)
            for colour in range(7)
            if s.board[colour]
        }
        (chosen,) = MYRACLIA.yardstick(s)
        assert found[chosen] == pytest.approx(max(found.values()))
        equals = [colour for colour in found if found[colour] > max(found.values()) - 1e-9]
        assert s.column[chosen] == max(s.column[colour] for colour in equals)


@pytest.mark.parametrize('players', PLAYERS)
def test_the_yardstick_terraforms_what_is_worth_most_less_half_a_point_a_cube(players: int) -> None:
    """A terraformation is chosen only if it is worth more than nothing; its worth holds the points that it
    brings at once."""
    seen = 0
    for game in some_positions(players, 1, random_share=0.0):
        s = game.state
        if s.phase != Phase.TURN:
            continue
        tiles = [
            action - rules.TERRAFORM for action in game.actions() if rules.TERRAFORM <= action < rules.RESERVE
        ]
        scores = {
            tile: evaluation.tile_worth(s, s.to_move, tile, s.n_terraformed > 0)
            - 0.5 * evaluation.payment_size(s, tile)
            for tile in tiles
        }
        chosen = MYRACLIA.yardstick(s)[0]
        seen += len(tiles)
        if chosen == rules.END_TURN:
            assert max(scores.values(), default=0) <= 1e-9
        else:
            assert scores[chosen - rules.TERRAFORM] == max(scores.values()) > 0
    assert seen > (20 if compiled else 5)


# ---- the estimate ------------------------------------------------------------------------------------------


@pytest.mark.parametrize('options', [{}, EVERYTHING], ids=['plain', 'all options'])
@pytest.mark.parametrize('players', PLAYERS)
def test_the_estimate_is_an_expected_outcome_and_leaves_the_position_as_it_was(
    players: int, options: dict[str, Any]
) -> None:
    phases = set()
    for game in some_positions(players, 1, options):
        before = game.state.tobytes()
        shares = estimate(game)
        assert sum(shares) == pytest.approx(1)
        assert min(shares) >= 0
        assert game.state.tobytes() == before
        phases.add(int(game.state.phase))
    assert {Phase.DRAFT, Phase.TURN, Phase.PAY, Phase.PLACE} <= phases


def test_the_estimate_of_a_finished_game_is_its_outcome() -> None:
    game = ludoteca.new('myraclia', 3, 5)
    while not game.over:
        game.apply(MYRACLIA.yardstick(game.state)[0])
    assert estimate(game) == game.outcome()


@pytest.mark.parametrize('players', PLAYERS)
def test_points_and_cubes_speak_for_a_seat(players: int) -> None:
    """Each by itself, all else being as it was."""
    more_cubes = []
    for game in some_positions(players, 9):
        before = estimate(game)
        for seat in range(players):
            richer = game.copy()
            richer.state.points[seat] += 3
            assert estimate(richer)[seat] > before[seat]
            if game.state.phase == Phase.DRAFT:
                richer = game.copy()
                richer.state.own[seat] += 1
                more_cubes.append(estimate(richer)[seat] - before[seat])
    assert np.mean(more_cubes) > 0.01


@pytest.mark.parametrize('options', [{}, EVERYTHING], ids=['plain', 'all options'])
def test_the_surface_is_mapped_as_the_rules_see_it(options: dict[str, Any]) -> None:
    for game in some_positions(4, 5, options):
        s = game.state
        free, near, mine, held = survey(game)
        for tile in range(rules.N_TILES):
            assert (free >> tile & 1) == (s.where[tile] >= 0 and rules.free_tiles(s) >> tile & 1)
        for seat in range(4):
            assert evaluation.area_of(int(mine[seat]), near) == rules.largest_area(s, seat)
            assert [int(held[seat]) >> 8 * surface & 255 for surface in range(4)] == [
                rules.symbols(s, seat, surface) for surface in range(4)
            ]


def test_a_rough_payment_exists_when_the_rules_find_one() -> None:
    chooser, s = random.Random('payments'), rules.State.new()
    for _ in range(2_000 if compiled else 100):
        s.pool[:] = [chooser.choice([0, 0, 1, 1, 2, 3, 4, 6]) for _ in range(7)]
        s.budget = chooser.randrange(1, 16)
        lacking = sum(1 << colour for colour in chooser.sample(range(7), chooser.randrange(1, 6)))
        size, left = evaluation.pay_roughly(evaluation.pack(s.pool), lacking)
        assert (size <= s.budget) == rules.can_pay(s, lacking)
        if size <= s.budget:
            rest = [left >> 8 * colour & 255 for colour in range(7)]
            assert sum(rest) == sum(s.pool) - size
            assert all(0 <= n <= had for n, had in zip(rest, s.pool, strict=True))


@pytest.mark.parametrize('options', [{}, EVERYTHING], ids=['plain', 'all options'])
def test_what_a_terraformation_brings_is_what_the_rules_give(options: dict[str, Any]) -> None:
    """Without rounds to come, `take_tile` changes worth as the terraformation changes points and the scoring
    of surfaces."""
    seen = 0
    for game in some_positions(3, 1, options):
        s, seat = game.state, game.to_move
        if s.phase != Phase.TURN:
            continue
        for action in game.actions():
            if not rules.TERRAFORM <= action < rules.RESERVE:
                continue
            later = after(game, action)
            while later.state.phase in (Phase.PAY, Phase.FIVES):
                later.apply(later.actions()[0])
            _, near, mine, held = survey(game)
            worth = np.zeros(5)
            evaluation.take_tile(
                s,
                seat,
                action - rules.TERRAFORM,
                1.0,
                2 if s.n_terraformed else 1,
                0.0,
                near,
                mine,
                held,
                np.zeros(5, np.int64),
                worth,
            )
            for other in range(3):
                real = [
                    float(p.state.points[other])
                    + rules.surface_points(p.state, other)
                    + C.ALL_TYPES * rules.has_all_types(p.state, other)
                    for p in (game, later)
                ]
                assert worth[other] == pytest.approx(real[1] - real[0])
            seen += 1
    assert seen > (20 if compiled else 5)


# ---- what is foreseen --------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', PLAYERS)
def test_what_is_foreseen_is_what_is_estimated_and_roughly_so_for_places(players: int) -> None:
    alike = []
    for game in some_positions(players, 3):
        told = foresee(game)
        assert all(0 <= share <= 1 for share in told.values())
        found = {action: estimate(after(game, action))[game.to_move] for action in told}
        if game.state.phase != Phase.PLACE:
            assert told == pytest.approx(found)
        elif len(told) > 8 and np.std(list(found.values())) > 0:
            alike.append(np.corrcoef(list(found.values()), list(told.values()))[0, 1])
    assert np.mean(alike) > 0.2 or not compiled, 'few positions are looked at when interpreted'
