"""What everybody knows of the deal to come, and what a guess puts in place of the rest."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.games.mykerinos.rules import State
from ludoteca.kernel import compiled
from tests.chance import assert_uniform
from tests.mykerinos.model import ORDER, TILES
from tests.mykerinos.support import MYKERINOS, TILES_OF_SEASON, position

HIDE, GUESS = MYKERINOS.kernels.hide, MYKERINOS.kernels.guess


def guessed(hidden: State, seed: int) -> State:
    """A copy of the hidden state with its holes filled."""
    state, work = hidden.copy(), MYKERINOS.Work.new()
    MYKERINOS.kernels.prepare(state, 0, work)
    GUESS(state, 0, seed, work)
    return state


def games(players: int, seed: int) -> Iterator[Position]:
    """Every position of a random game."""
    position, chooser, n = ludoteca.new('mykerinos', players, seed), random.Random(seed), 0
    yield position
    while not position.over and (compiled or n < 60):
        position.apply(chooser.choice(position.actions()))
        n += 1
        yield position


@pytest.mark.parametrize('players', [2, 3, 4])
def test_hide_takes_out_the_deal_of_later_seasons_and_nothing_else(players: int) -> None:
    for game in games(players, 7):
        hidden = game.hidden(0)
        dealt = sum(TILES_OF_SEASON[: game.to_json()['season']])
        for name in game.state.dtype.names:
            if name in ('deck', 'turned') and not game.over:
                assert hidden[name][:dealt].tolist() == game.state[name][:dealt].tolist()
                assert hidden[name][dealt:].tolist() == [-1] * (36 - dealt)
            elif name == 'rng' and not game.over:
                assert hidden.rng.tolist() == [0] * 4
            else:
                assert hidden[name].tobytes() == game.state[name].tobytes(), name


def test_all_seats_and_spectators_know_the_same() -> None:
    for game in games(3, 2):
        assert len({game.hidden(seat).tobytes() for seat in range(-1, 3)}) == 1


def test_hiding_twice_is_hiding_once() -> None:
    for game in games(2, 5):
        hidden = game.hidden(1)
        again = hidden.copy()
        HIDE(again, 1)
        assert again.tobytes() == hidden.tobytes()


def test_the_order_of_the_tiles_to_come_is_out() -> None:
    a, b = ludoteca.new('mykerinos', 3, 1), ludoteca.new('mykerinos', 3, 1)
    b.state.deck[8:] = b.state.deck[8:][::-1].copy()
    assert a.state.tobytes() != b.state.tobytes()
    assert a.hidden(0).tobytes() == b.hidden(0).tobytes()


def test_the_turns_of_the_tiles_to_come_are_out() -> None:
    a, b = ludoteca.new('mykerinos', 3, 1), ludoteca.new('mykerinos', 3, 1)
    b.state.turned[8:] = 1 - b.state.turned[8:]
    assert a.state.tobytes() != b.state.tobytes()
    assert a.hidden(0).tobytes() == b.hidden(0).tobytes()


def test_the_random_generator_is_out() -> None:
    a, b = ludoteca.new('mykerinos', 3, 1), ludoteca.new('mykerinos', 3, 1)
    b.state.rng = [1, 2, 3, 4]
    assert a.hidden(0).tobytes() == b.hidden(0).tobytes()


def test_which_tiles_have_not_been_dealt_is_known() -> None:
    game = ludoteca.new('mykerinos', 4, 3)
    assert sorted(ORDER[tile] for tile, owner in enumerate(game.hidden(0).owner) if owner == -1) == sorted(
        entry.split()[0] for entry in game.to_json()['deck']
    )


def test_at_the_end_nothing_is_hidden() -> None:
    game = position(season=4).after('pass pass pass')
    assert game.hidden(0).tobytes() == game.hidden(-1).tobytes() == game.state.tobytes()


def test_every_action_is_public() -> None:
    for game in list(games(2, 4))[:60:10]:
        for action in game.actions():
            assert [MYKERINOS.kernels.hide_action(game.state, action, seat) for seat in (-1, 0, 1)] == [
                action
            ] * 3


def test_people_are_shown_all_that_a_seat_knows() -> None:
    hidden = ludoteca.new('mykerinos', 2, 1).hidden(0)
    for past in (0, 1):
        shown = hidden.copy()
        MYKERINOS.kernels.forget(shown, 0, past)
        assert shown.tobytes() == hidden.tobytes()


def test_the_view_of_the_mover_is_the_hidden_state() -> None:
    start = ludoteca.new('mykerinos', 2, 1)
    view = start.state.copy()
    MYKERINOS.kernels.mover_view(view, 0)
    assert view.tobytes() == start.hidden(0).tobytes()


# ---- guesses -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4])
def test_a_guess_agrees_with_all_that_is_known(players: int) -> None:
    for n, game in enumerate(games(players, 31)):
        if n % 5 or game.over:
            continue
        hidden = game.hidden(0)
        guess = guessed(hidden, n)
        data = MYKERINOS.to_json(guess)
        shown = MYKERINOS.to_json(hidden)
        assert shown.pop('deck', None) is None
        assert {key: value for key, value in data.items() if key != 'deck'} == shown
        known = {entry.split()[0] for entry in data['tiles'] + data.get('deck', [])}
        assert known.union(data.get('gone', []), *data.get('held', [])) == set(TILES)
        assert Position(MYKERINOS, guess).actions() == game.actions()
        HIDE(guess, 0)
        assert guess.tobytes() == hidden.tobytes()


def test_a_guess_depends_on_its_seed_alone() -> None:
    hidden = ludoteca.new('mykerinos', 2, 1).hidden(0)
    assert guessed(hidden, 5).tobytes() == guessed(hidden, 5).tobytes()
    assert len({guessed(hidden, seed).deck.tobytes() for seed in range(20)}) == 20


def test_a_guess_goes_on_by_a_generator_that_works() -> None:
    assert any(guessed(ludoteca.new('mykerinos', 2, 1).hidden(0), 3).rng)


@pytest.mark.parametrize('season', [1, 2, 3])
def test_guesses_put_every_tile_anywhere_either_way_up(season: int) -> None:
    game = position(season=season)
    hidden, dealt = game.hidden(0), sum(TILES_OF_SEASON[:season])
    unseen = [tile for tile, owner in enumerate(hidden.owner) if owner == -1]
    draws = 60 * len(unseen) if compiled else 6 * len(unseen)
    tiles = [Counter[int]() for _ in range(36)]
    turned, sides, pairs = [Counter[int]() for _ in range(36)], Counter[tuple[int, ...]](), Counter[bool]()
    for seed in range(draws):
        guess = guessed(hidden, seed)
        assert sorted(guess.deck[dealt:].tolist()) == unseen
        for place in range(dealt, 36):
            tiles[place][int(guess.deck[place])] += 1
            turned[place][int(guess.turned[place])] += 1
        sides[tuple(guess.turned[dealt : dealt + 3].tolist())] += 1
        pairs[bool(guess.deck[dealt] < guess.deck[dealt + 1])] += 1
    for place in range(dealt, 36):
        assert_uniform(tiles[place][tile] for tile in unseen)
        assert_uniform(turned[place][side] for side in (0, 1))
    if compiled:
        assert_uniform(sides.values())
    assert len(sides) == 8
    assert_uniform(pairs.values())
    assert sum(sides.values()) == draws


def test_in_the_last_season_there_is_nothing_to_guess() -> None:
    hidden = position(season=4).hidden(0)
    a, b = guessed(hidden, 1), guessed(hidden, 2)
    assert a.deck.tolist() == b.deck.tolist() == hidden.deck.tolist()
    assert a.turned.tolist() == b.turned.tolist()
