"""What everybody knows of the stack, and what a guess puts in place of the rest."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.games.octiles.rules import State
from ludoteca.kernel import compiled
from tests.chance import assert_uniform
from tests.octiles.model import Game
from tests.octiles.support import EAST, OCTILES, decode, lay, position, read_position

WEST = 'A1 A2 A3 A4 A5'
FIFTEEN = 'a2 a3 b2 b3 b4 b5 c1 c2 c3 c4 c5 d1 d2 d3 d4'
HIDE, GUESS = OCTILES.kernels.hide, OCTILES.kernels.guess


def known_stack(state: State) -> tuple[int | None, ...]:
    """The stack of a hidden state, top first."""
    return tuple(OCTILES.to_json(state)['stack'])


def guessed(hidden: State, seed: int) -> State:
    """A copy of the hidden state with its holes filled."""
    state, work = hidden.copy(), OCTILES.Work.new()
    GUESS(state, 0, seed, work)
    return state


def steps(players: int, seed: int, most: int) -> Iterator[tuple[Position, Position, Game]]:
    """A random game: the position before and after each action, and the model at the start of that turn."""
    chooser, after = random.Random(seed), ludoteca.new('octiles', players, seed)
    game = Game.read(after.to_json())
    turn: list[int] = []
    while not after.over and after.state.turn < most:
        before = after.copy()
        turn.append(chooser.choice(after.actions()))
        after.apply(turn[-1])
        yield before, after, game
        if after.state.phase == 0:
            game, turn = game.play(decode(turn)), []


@pytest.mark.parametrize('players', [2, 3, 4])
def test_hide_keeps_exactly_what_everybody_knows(players: int) -> None:
    for _, after, game in steps(players, 21, 10**6 if compiled else 60):
        # the tile laid is in the mover's hand: nothing else has been seen
        if after.state.phase == 1:
            assert known_stack(after.hidden(0)) == game.public_stack()
        for seat in range(-1, players):
            hidden = after.hidden(seat)
            assert hidden.tobytes() == after.hidden(0).tobytes()
            again = hidden.copy()
            HIDE(again, seat)
            assert again.tobytes() == hidden.tobytes()


def test_hide_shows_no_more_than_the_model_does_before_any_turn() -> None:
    for before, _, game in steps(3, 5, 10**6 if compiled else 60):
        assert known_stack(before.hidden(1)) == game.public_stack()


def test_hide_leaves_tiles_and_runners_as_they_are() -> None:
    for _, after, _ in steps(2, 8, 40):
        shown, true = OCTILES.to_json(after.hidden(0)), after.to_json()
        assert {**shown, 'stack': []} == {**true, 'stack': []}
        assert all(a in (None, b) for a, b in zip(shown['stack'], true['stack'], strict=True))


def test_hide_takes_out_the_random_generator() -> None:
    assert not any(ludoteca.new('octiles', 2, 1).hidden(0).rng)


def test_only_the_top_is_known_at_the_start() -> None:
    for players, size in ((2, 18), (3, 16), (4, 18)):
        start = ludoteca.new('octiles', players, 9)
        assert known_stack(start.hidden(0)) == (start.to_json()['stack'][0], *[None] * (size - 1))


def test_a_placement_reveals_nothing() -> None:
    for before, after, _ in steps(2, 4, 60):
        if after.state.phase == 1:
            assert after.state.reveals == before.state.reveals
            assert OCTILES.kernels.revealed(after.state) == 0
            assert known_stack(after.hidden(0)) == known_stack(before.hidden(0))


def test_a_pass_reveals_nothing() -> None:
    start = position({0: WEST, 1: 'F6 F5 F4 F3 B3'})
    after = start.copy().after('pass')
    assert after.state.reveals == start.state.reveals
    assert OCTILES.kernels.revealed(after.state) == 0
    assert known_stack(after.hidden(0)) == known_stack(start.hidden(0))


def test_a_finished_turn_reveals_the_next_tile_once() -> None:
    for before, after, _ in steps(4, 6, 10**6 if compiled else 60):
        if after.state.phase == 0 and not after.over:
            known, now = known_stack(before.hidden(0)), known_stack(after.hidden(0))
            fresh = known[1:2] == (None,)
            assert now[0] is not None
            assert OCTILES.kernels.revealed(after.state) == (now[0] if fresh else 0)
            assert after.state.reveals == before.state.reveals + fresh


def test_covered_tiles_stay_known_at_the_bottom_in_their_order() -> None:
    start = position({0: WEST, 1: EAST}, tiles={'a2': (18, 0), 'e4': (17, 0)}, top=[1, 11])
    start.play('a2:0 A2-B3')
    size = len(start.to_json()['stack'])
    assert known_stack(start.hidden(1)) == (11, *[None] * (size - 2), 18)
    start.play(next(name for name in start.turns() if name.startswith('e4')))
    assert known_stack(start.hidden(1)) == (2, *[None] * (size - 3), 18, 17)
    start.play(next(name for name in start.turns() if not name.startswith(('a2', 'e4', 'b3'))))
    assert known_stack(start.hidden(1))[-2:] == (18, 17)


def test_a_known_tile_that_comes_to_the_top_is_nothing_new() -> None:
    start = position({0: 'B3 B4 B5 C2 C3', 1: 'E3 E4 D3 D4 D5'}, tiles=lay(FIFTEEN), top=[1, 17, 18], known=2)
    assert known_stack(start.hidden(0)) == (1, 17, 18)
    start.play(start.turns()[0])
    assert start.state.reveals == 0
    assert OCTILES.kernels.revealed(start.state) == 0


@pytest.mark.parametrize('known', [0, 1])
def test_the_last_unknown_tile_is_known_by_elimination(known: int) -> None:
    start = position(
        {0: 'B3 B4 B5 C2 C3', 1: 'E3 E4 D3 D4 D5'}, tiles=lay(FIFTEEN), top=[1, 17, 18], known=known
    )
    assert known_stack(start.hidden(0)) == ((1, 17, 18) if known else (1, None, None))


def test_an_unknown_tile_written_as_null_is_filled_in_if_it_is_the_only_one() -> None:
    whole = position({0: 'B3 B4 B5 C2 C3', 1: 'E3 E4 D3 D4 D5'}, tiles=lay(FIFTEEN), top=[1, 17, 18], known=1)
    data = {**whole.to_json(), 'stack': [1, None, 18], 'known': 1}
    assert read_position(data).to_json()['stack'] == [1, 17, 18]


def test_at_the_end_nothing_is_hidden() -> None:
    won = position({0: 'F6 F5 F4 F3 E4', 1: 'A1 A2 A3 D4 B2'})
    assert None in known_stack(won.hidden(0))
    won.play('e3:0 E4-F2')
    assert known_stack(won.hidden(-1)) == tuple(won.to_json()['stack'])
    drawn = position({0: 'A1 F5 F4 F3 F2', 1: 'F6 A2 A3 A4 A5'}).after('pass pass')
    assert None not in known_stack(drawn.hidden(0))


def test_every_action_is_public() -> None:
    for before, _, _ in steps(2, 4, 6):
        for action in before.actions():
            assert [OCTILES.kernels.hide_action(before.state, action, seat) for seat in (-1, 0, 1)] == [
                action
            ] * 3


def test_people_are_shown_all_that_a_seat_knows() -> None:
    hidden = ludoteca.new('octiles', 2, 1).hidden(0)
    shown = hidden.copy()
    OCTILES.kernels.forget(shown, 0, 0)
    assert shown.tobytes() == hidden.tobytes()


def test_the_view_of_the_mover_is_the_hidden_state() -> None:
    start = ludoteca.new('octiles', 2, 1)
    view = start.state.copy()
    OCTILES.kernels.mover_view(view, 0)
    assert view.tobytes() == start.hidden(0).tobytes()


# ---- guesses -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4])
def test_a_guess_agrees_with_all_that_is_known(players: int) -> None:
    for _, after, _ in steps(players, 31, 10**6 if compiled else 50):
        hidden = after.hidden(0)
        guess = guessed(hidden, int(after.state.turn))
        data = OCTILES.to_json(guess)
        assert (
            sorted(data['stack'] + [tile for tile, _ in data['tiles'].values()]) == list(range(1, 19))
            or 'laid' in data
        )
        assert all(a in (None, b) for a, b in zip(known_stack(hidden), data['stack'], strict=True))
        assert None not in data['stack']
        HIDE(guess, 0)
        assert guess.tobytes() == hidden.tobytes()


def test_a_guess_depends_on_its_seed_alone() -> None:
    hidden = ludoteca.new('octiles', 2, 1).hidden(0)
    assert guessed(hidden, 5).tobytes() == guessed(hidden, 5).tobytes()
    assert len({guessed(hidden, seed).stack.tobytes() for seed in range(20)}) == 20


@pytest.mark.parametrize('laid', [False, True])
def test_guesses_are_uniform_over_the_unknown_order(laid: bool) -> None:
    start = position(
        {0: 'B3 B4 B5 C2 C3', 1: 'E3 E4 D3 D4 D5'},
        tiles=lay('a2 a3 b2 b3 b4 b5 c1 c2 c3 c4 c5 d1'),
        top=[1, 14, 15, 16, 17, 18],
        known=1,
    )
    if laid:
        # the tile under it is out of play
        start.play(next(name for name in start.legal() if name.startswith('b3')))
    hidden, work, counts = start.hidden(0), OCTILES.Work.new(), Counter[tuple[int | None, ...]]()
    for seed in range(4800 if compiled else 480):
        guess = hidden.copy()
        GUESS(guess, 0, seed, work)
        counts[known_stack(guess)] += 1
    assert len(counts) == 24
    assert all(stack[0] == 1 and stack[-1] == 18 for stack in counts)
    assert_uniform(counts.values())


@pytest.mark.parametrize('covered', [1, 2])
def test_a_covered_tile_is_not_guessed_into_the_stack(covered: int) -> None:
    start = position({0: WEST, 1: EAST}, tiles={'a2': (covered, 0)}, top=[18])
    start.play(next(name for name in start.legal() if name.startswith('a2')))
    for seed in range(20):
        stack = known_stack(guessed(start.hidden(0), seed))
        assert covered not in stack
        assert len(set(stack)) == 17


def test_guesses_put_every_tile_anywhere() -> None:
    hidden, work = ludoteca.new('octiles', 2, 1).hidden(0), OCTILES.Work.new()
    places: dict[int, Counter[int]] = {place: Counter() for place in range(1, 18)}
    for seed in range(3400 if compiled else 170):
        guess = hidden.copy()
        GUESS(guess, 0, seed, work)
        for place, count in places.items():
            count[int(guess.stack[(guess.stack_head + place) % 18])] += 1
    for count in places.values():
        assert len(count) == 17
        assert_uniform(count.values())
