"""What is known and what is not: bags are drawn from when something is needed, and nobody can foresee what
will come."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from math import sqrt

import numpy as np
import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.kernel import compiled, reseed
from tests.myraclia.alternatives import alternatives
from tests.myraclia.model import COLOURS, CUBES, TABLE, TOKENS
from tests.myraclia.support import (
    EVERYTHING,
    MYRACLIA,
    bag,
    described,
    discarded,
    flower,
    last_turn,
    played,
    read_position,
    tile_bag,
)
from tests.playing import play_on

HIDE, GUESS, REVEALED = MYRACLIA.kernels.hide, MYRACLIA.kernels.guess, MYRACLIA.kernels.revealed
DRAWS = 2000 if compiled else 400


def guessed(position: Position, seed: int) -> Position:
    """What a seat may imagine: a future by lot."""
    state, work = position.hidden(0), MYRACLIA.Work.new()
    GUESS(state, 0, seed, work)
    return Position(MYRACLIA, state)


def assert_shares(counts: Iterable[int], share: float, draws: int) -> None:
    """Each was drawn about so often: within 4 sigma, and as much again for there being many."""
    for n in counts:
        assert abs(n - share * draws) < 5 * sqrt(draws * share * (1 - share)) + 1


def some_game(players: int, seed: int, most: int) -> tuple[Position, list[int]]:
    """The start of a random game, and its actions."""
    actions, before, start = list[int](), None, None
    for position, name in played(players, seed, EVERYTHING, most):
        if before is None:
            start = position.copy()
        else:
            actions.append(MYRACLIA.action_from_name(before.state, name))
        before = position.copy()
    assert start is not None
    return start, actions


# ---- hide --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4, 5])
def test_only_the_generator_is_hidden(players: int) -> None:
    for position, _ in played(players, 1, EVERYTHING, 10**6 if compiled else 60):
        for seat in range(-1, players):
            hidden = position.hidden(seat)
            differing = [
                name for name in hidden.dtype.names if not np.array_equal(hidden[name], position.state[name])
            ]
            assert differing == ([] if position.over else ['rng'])
            assert position.over or not hidden.rng.any()
            again = hidden.copy()
            HIDE(again, seat)
            assert again.tobytes() == hidden.tobytes()


def test_what_is_in_the_bags_is_known_to_all() -> None:
    position = ludoteca.new('myraclia', 3, 1, EVERYTHING)
    view = Position(MYRACLIA, position.hidden(-1))
    assert bag(view) == bag(position)
    assert tile_bag(view) == tile_bag(position)
    assert bag(view).total() == 103 - 9 - 15


def test_every_action_is_public() -> None:
    for position, _ in played(2, 4, EVERYTHING, 80):
        for action in position.actions():
            assert [MYRACLIA.kernels.hide_action(position.state, action, seat) for seat in (-1, 0, 1)] == [
                action
            ] * 3


def test_people_are_shown_all_that_a_seat_knows_and_the_mover_sees_the_hidden_state() -> None:
    position = ludoteca.new('myraclia', 2, 1)
    hidden = position.hidden(0)
    shown, view = hidden.copy(), position.state.copy()
    MYRACLIA.kernels.forget(shown, 0, 1)
    MYRACLIA.kernels.mover_view(view, 0)
    assert shown.tobytes() == view.tobytes() == hidden.tobytes()


# ---- what comes to light -----------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 5])
def test_reveals_go_up_when_something_is_drawn_and_only_then(players: int) -> None:
    before = None
    for position, name in played(players, 2, EVERYTHING, 10**6 if compiled else 200):
        if before is not None:
            now, then = position.to_json(), before.to_json()
            lain = {entry['tile'] for entry in now['surface']} | {*then['display']}
            drawn = (
                {*filter(None, now['display'])} - lain
                or now.get('round', 1) > then.get('round', 1)
                or now.get('token') not in (None, then.get('token'))
            )
            grown = int(position.state.reveals) - int(before.state.reveals)
            assert (grown > 0) == bool(drawn), name
            assert (REVEALED(position.state) != 0) == (grown > 0)
        before = position.copy()


def test_a_game_begins_without_news() -> None:
    position = ludoteca.new('myraclia', 2, 1, EVERYTHING)
    assert (int(position.state.reveals), int(REVEALED(position.state)), int(position.state.turn)) == (0, 0, 0)


def test_the_draw_of_a_round_is_more_than_anybody_can_foresee() -> None:
    position = last_turn(flower()).after('end turn')
    assert position.to_json()['round'] == 3
    assert REVEALED(position.state) == -1


def replenished(seed: int) -> Position:
    """The end of a turn that draws a tile for the display, with another future."""
    position = read_position(described(flower(), phase='place', actions=1, add=1, round=2))
    reseed(position.state, seed)
    return position.after(position.legal()[0])


def test_other_tiles_are_other_news_and_the_same_tile_the_same() -> None:
    codes: dict[str, set[int]] = {}
    for seed in range(DRAWS // 4):
        position = replenished(seed)
        drawn = next(iter(set(position.to_json()['display']) - set(described(flower())['display'])))
        codes.setdefault(drawn, set()).add(int(REVEALED(position.state)))
    assert len(codes) > 20
    assert all(len(found) == 1 for found in codes.values())
    numbers = {next(iter(found)) for found in codes.values()}
    assert len(numbers) == len(codes)
    assert all(0 < code < 2**30 for code in numbers)


def test_a_token_and_the_tiles_drawn_with_it_are_one_piece_of_news() -> None:
    """Never the same code for two outcomes."""
    position, outcomes = last_turn(flower(), options={'eternity': True}, actions=1, add=1), dict[int, str]()
    for seed in range(DRAWS // 2):
        now = position.copy()
        now.play('end turn')
        reseed(now.state, seed)
        data = play_on(now, now.legal()[0]).to_json()
        outcome = f'{data["display"]} {data["token"]}'
        assert outcomes.setdefault(int(REVEALED(now.state)), outcome) == outcome
        assert 0 < REVEALED(now.state) < 2**30
    assert len(outcomes) > 150 or not compiled


# ---- chance ------------------------------------------------------------------------------------------------


def test_every_tile_in_the_bag_is_drawn_as_often_as_any_other() -> None:
    shown = set(described(flower())['display'])
    counts = Counter(
        tile for seed in range(DRAWS) for tile in replenished(seed).to_json()['display'] if tile not in shown
    )
    assert len(counts) == 56 - 7 - 3
    assert_shares(counts.values(), 1 / len(counts), DRAWS)


def test_cubes_are_drawn_by_their_number_in_the_bag() -> None:
    position = last_turn(flower(), discard=discarded({'green': 20, 'black': 9, 'white': 1}, {}))
    counts: Counter[str] = Counter()
    for seed in range(DRAWS // 4):
        now = position.copy()
        reseed(now.state, seed)
        counts += Counter(now.after('end turn').to_json()['board'])
    for colour, n in (('green', 20), ('black', 9), ('white', 1)):
        assert_shares([counts[colour]], n / 30, DRAWS // 4 * 10)


def test_every_token_is_turned_up_as_often_as_any_other() -> None:
    position = last_turn(flower(), options={'eternity': True}, used_tokens=['E01', 'E02', 'E03'])
    counts: Counter[str] = Counter()
    for seed in range(DRAWS // 4):
        now = position.copy()
        reseed(now.state, seed)
        counts[now.after('end turn').to_json()['token']] += 1
    assert set(counts) == set(TOKENS) - {'E01', 'E02', 'E03'}
    assert_shares(counts.values(), 1 / 13, DRAWS // 4)


def test_starting_cubes_and_tiles_are_drawn_evenly() -> None:
    games = DRAWS // 4
    tiles, cubes = Counter[str](), Counter[str]()
    for seed in range(games):
        data = ludoteca.new('myraclia', 3, seed).to_json()
        tiles += Counter(entry['tile'] for entry in data['surface'])
        for held in data['cubes']:
            cubes += Counter(held)
    assert_shares(tiles.values(), TABLE['players']['3']['start_tiles'] / 56, games)
    for colour in COLOURS:
        assert_shares([cubes[colour]], CUBES[colour] / 103, 6 * games)


# ---- guesses and alternatives ------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 4])
def test_a_guess_agrees_with_all_that_is_known_and_depends_on_its_seed_alone(players: int) -> None:
    for position, _ in played(players, 3, EVERYTHING, 10**6 if compiled else 40):
        hidden, guess = position.hidden(0), guessed(position, 7)
        assert guess.to_json() == position.to_json()
        assert guess.state.tobytes() == guessed(position, 7).state.tobytes()
        assert position.over or guess.state.rng.any()
        HIDE(guess.state, 0)
        assert guess.state.tobytes() == hidden.tobytes()


def test_guesses_are_different_futures() -> None:
    position = last_turn(flower())
    boards = {str(guessed(position, seed).after('end turn').to_json()['board']) for seed in range(20)}
    assert len(boards) > 10


def shown(start: Position, actions: list[int], seat: int) -> list[bytes]:
    """What a seat sees from the start on."""
    position = start.copy()
    views = [position.hidden(seat).tobytes()]
    for action in actions:
        position.apply(action)  # which must be legal there, too
        views.append(position.hidden(seat).tobytes())
    return views


@pytest.mark.parametrize('most', [0, 8, 60, 150])
def test_alternatives_show_the_same_game(most: int) -> None:
    start, actions = some_game(3, 5, most)
    for seat in (-1, 0, 2):
        found = alternatives(start, actions, seat, 3, random.Random(seat))
        assert len(found) == 3
        for other in found:
            assert shown(other, actions, seat) == shown(start, actions, seat)
            assert (other.state.rng == start.state.rng).all() == (most > 8), (
                'before anything is drawn all futures are possible'
            )


def test_there_is_no_other_game_when_all_is_over() -> None:
    start, actions = some_game(2, 3, 10**6)
    assert alternatives(start, actions, 0, 5, random.Random(1)) == []
