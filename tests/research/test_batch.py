"""A batch plays the games that are played one by one, shows what a seat may know, and refuses illegal actions
before anything is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ludoteca import batch
from ludoteca.batch import BatchStep, Env
from ludoteca.game import Game, GameError, Options, Position, Slice, State, load, start
from ludoteca.kernel import Array, checked
from ludoteca.search import as_known
from tests.built_in import BUILT_IN
from tests.conformance.harness import configurations
from tests.toy import Toy
from tests.width import WIDTH, width

GAMES = width(('toy', 'octiles'), ('toy', *BUILT_IN))
STEPS = width(150, 600)


def chosen(step: BatchStep, at: int) -> Array:
    """A legal action in each game, another one in each row and step."""
    rows = np.arange(len(step.n_legal))
    actions: Array = step.legal[rows, (rows * 7919 + at * 104729) % 10007 % step.n_legal]
    return actions


def copied(step: BatchStep) -> list[Array]:
    """What the arrays hold now."""
    return [array.copy() for array in step]


def same(one: list[Array], other: list[Array]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def observed(position: Position, seat: int) -> Array:
    """The observation of a seat, of a position by itself."""
    found = np.zeros(position.game.observation_size, np.float32)
    known = position.state if position.over else as_known(position.game, position.state, seat)
    position.game.kernels.observe(known, seat, found)
    return found


def check_row(step: BatchStep, i: int, position: Position) -> None:
    """A row says what there is to know of its position."""
    actions = position.actions()
    assert step.to_move[i] == position.to_move
    assert step.n_legal[i] == len(actions)
    assert step.legal[i, : len(actions)].tolist() == actions
    assert (step.legal[i, len(actions) :] == -1).all()
    assert np.flatnonzero(step.mask[i]).tolist() == actions
    assert np.array_equal(step.obs[i], observed(position, position.to_move))


def play_beside(game: Game, players: int, options: Options, steps: int, max_turns: int) -> int:
    """Play a batch, and each of its games by itself; compare all that there is. Returns how many games were
    over."""
    env, ends = Env(game.name, 4, players, options.changed(), seed=3, max_turns=max_turns), 0

    def begun(i: int) -> Position:
        return Position(game, start(game, players, env.seed_of(i), options))

    step, alone = env.reset(), [begun(i) for i in range(env.n)]
    for at in range(steps):
        actions = chosen(step, at)
        step = env.step(actions)
        for i, position in enumerate(alone):
            seat = position.to_move
            position.apply(int(actions[i]))
            broken_off = not position.over and position.state.turn >= max_turns
            assert step.done[i] == (position.over or broken_off)
            assert step.truncated[i] == broken_off
            rewards = [batch.reward(share, players) if position.over else 0 for share in position.outcome()]
            assert np.array_equal(step.reward[i], np.array(rewards, np.float32))
            if step.done[i]:
                ends += 1
                assert np.array_equal(step.final_obs[i], observed(position, seat))
                position = alone[i] = begun(i)
            assert env.position(i).state.tobytes() == position.state.tobytes()
            check_row(step, i, position)
    return ends


@pytest.mark.parametrize('name', GAMES)
def test_a_batch_plays_the_games_that_are_played_one_by_one(name: str) -> None:
    """With any number of players and every option."""
    cases = configurations(name, WIDTH)
    ends = [play_beside(case.game, case.players, case.options, STEPS, 60) for case in cases]
    assert all(ends), 'no game was over'


def write_bytes(h: State, seat: int, out: Array) -> None:
    """Observe everything. It runs interpreted only."""
    out[:] = np.frombuffer(h.tobytes(), np.uint8)


class Telltale(Toy):
    """A game whose observations are all bytes of what a seat is given to observe."""

    observation = (Slice('bytes', (Toy.State.DTYPE.itemsize,), 'the whole record', ('byte',)),)  # type: ignore[assignment]

    kernels = Toy.kernels._replace(observe=write_bytes)


@pytest.mark.parametrize('max_turns', [6, 60])
def test_no_leak_what_is_observed_is_the_hidden_state(
    max_turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    telltale = Telltale()
    monkeypatch.setattr(batch, 'load', lambda name: telltale)
    assert checked(play_beside)(telltale, 4, telltale.options(), 80, max_turns)


@pytest.mark.parametrize('name', GAMES)
def test_games_depend_neither_on_their_number_nor_on_threads(name: str) -> None:
    few, many = Env(name, 3, seed='a'), Env(name, 7, seed='a', threads=3)
    for at in range(STEPS):
        ours, theirs = few.step(chosen(few._step, at)), many.step(chosen(many._step, at))
        assert all(np.array_equal(a, b[:3]) for a, b in zip(ours, theirs, strict=True))
    assert few.seed_of(1) == many.seed_of(1)
    assert Env(name, 1, seed='b').seed_of(0) != Env(name, 1, seed='a').seed_of(0)


def test_rows_and_the_games_of_a_row_are_dealt_differently() -> None:
    env = Env('toy', 50, seed=1)
    seeds, at = {env.seed_of(i) for i in range(env.n)}, 0
    step, games = env.reset(), env.n
    while games < 500:
        step, at = env.step(chosen(step, at)), at + 1
        games += int(step.done.sum())
        seeds |= {env.seed_of(int(i)) for i in np.flatnonzero(step.done)}
    assert len(seeds) == games


def test_compiled_and_interpreted_batches_are_the_same() -> None:
    def played() -> tuple[bytes, list[Array]]:
        env = Env('toy', 3, 3, {'long': True}, seed=2)
        for at in range(60):
            env.step(chosen(env._step, at))
        return env.save(), copied(env._step)

    (saved, arrays), (plain, others) = played(), checked(played)()
    assert saved == plain
    assert same(arrays, others)


def test_a_reset_begins_the_same_games_again() -> None:
    env = Env('toy', 5, seed=9)
    first = copied(env.reset())
    seen = [copied(env.step(chosen(env._step, at))) for at in range(40)]
    assert same(first, copied(env.reset()))
    assert all(same(one, copied(env.step(chosen(env._step, at)))) for at, one in enumerate(seen))


def test_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    env = Env('octiles', 4, seed=1)
    step = env.reset()
    saved, seen, right = env.save(), copied(step), chosen(step, 0)
    illegal = int(np.flatnonzero(~step.mask[2])[0])
    for wrong in (illegal, -1, load('octiles').n_actions, 2**40):
        actions = right.astype(np.int64)
        actions[2] = wrong
        with pytest.raises(GameError, match=f'Action {wrong} is not legal in game 2 of the batch') as refused:
            env.step(actions)
        assert f'Legal: {step.legal[2, 0]} ({env.position(2).legal()[0]}), ' in str(refused.value)
        assert env.save() == saved
        assert same(seen, copied(step))
    env.step(right)


@pytest.mark.parametrize('actions', [[0.0, 0.0], [0], [[0, 0]], 0, [True, True], ['a', 'b'], None])
def test_actions_of_another_kind_are_refused_in_a_sentence(actions: Any) -> None:
    env = Env('toy', 2)
    saved = env.save()
    with pytest.raises(
        GameError, match=r'a whole number for each of the 2 games, in an array of shape \(2,\)'
    ):
        env.step(actions)
    assert env.save() == saved


def test_what_stands_behind_the_list_of_legal_actions_is_not_legal() -> None:
    """Kernels may write there, and longer lists leave their ends."""
    env, tried = Env('octiles', 8, seed=1), 0
    for at in range(50):
        step = env.step(chosen(env._step, at))
        for i in range(env.n):
            behind = int(env._games.allowed[i, step.n_legal[i]])
            if behind not in step.legal[i, : step.n_legal[i]]:
                tried += 1
                actions = chosen(step, at)
                actions[i] = behind
                with pytest.raises(GameError, match=f'Action {behind} is not legal in game {i} of the batch'):
                    env.step(actions)
    assert tried


def test_what_is_written_into_the_arrays_makes_nothing_legal() -> None:
    env = Env('octiles', 2, seed=1)
    step = env.reset()
    illegal = int(np.flatnonzero(~step.mask[0])[0])
    step.mask[:], step.n_legal[:], step.legal[:] = True, 1, illegal
    with pytest.raises(GameError, match='not legal in game 0'):
        env.step([illegal, illegal])


def test_arrays_are_written_in_place_and_shared_without_copies() -> None:
    env = Env('octiles', 3, seed=4)
    step = env.reset()
    shared = [np.from_dlpack(array) for array in step]
    after = env.step(chosen(step, 1))
    for mine, array, again in zip(shared, step, after, strict=True):
        assert array is again
        assert np.shares_memory(mine, array)
        assert np.array_equal(mine, array)


def test_observations_and_masks_can_be_left_out() -> None:
    full, bare = Env('toy', 4, seed=5), Env('toy', 4, seed=5, observe=False, masks=False)
    for at in range(60):
        actions = chosen(full._step, at)
        with_all, without = full.step(actions), bare.step(actions)
        assert without.obs.shape == without.mask.shape == without.final_obs.shape == (4, 0)
        for key in ('legal', 'n_legal', 'to_move', 'reward', 'done', 'truncated'):
            assert np.array_equal(getattr(with_all, key), getattr(without, key))


@pytest.mark.parametrize('name', GAMES)
def test_a_saved_batch_goes_on_as_it_would_have(name: str) -> None:
    one, other = Env(name, 5, seed=6), Env(name, 5, seed=6, threads=2)
    for at in range(STEPS // 2):
        one.step(chosen(one._step, at))
    seen, loaded = copied(one._step), other.load(one.save())
    for key, array in zip(BatchStep._fields, seen, strict=True):
        if key not in ('reward', 'done', 'truncated', 'final_obs'):
            assert np.array_equal(array, getattr(loaded, key)), key
    assert not any(array.any() for array in (loaded.reward, loaded.done, loaded.truncated))
    bare = Env(name, 5, seed=6, observe=False, masks=False).load(one.save())
    assert np.array_equal(bare.legal, loaded.legal)
    for at in range(STEPS // 2):
        ours, theirs = one.step(chosen(one._step, at)), other.step(chosen(other._step, at))
        assert same(copied(ours)[:-1], copied(theirs)[:-1])
        assert np.array_equal(ours.final_obs[ours.done], theirs.final_obs[theirs.done])
    assert one.save() == other.save()


def test_a_damaged_or_foreign_save_is_refused_and_changes_nothing() -> None:
    env = Env('toy', 3, seed=1)
    env.step(chosen(env._step, 0))
    saved = env.save()
    flipped = bytes([*saved[:-1], saved[-1] ^ 1])
    for damaged in (b'', saved[:-1], saved + b'\0', flipped, b'x' + saved, saved[100:]):
        with pytest.raises(GameError, match='no saved batch, or not all of one'):
            env.load(damaged)
    for foreign, key in (
        (Env('toy', 4, seed=1), 'its n is 4, not 3'),
        (Env('toy', 3, seed=2), 'its seed is 2, not 1'),
        (Env('toy', 3, 3, seed=1), 'its players is 3, not 2'),
        (Env('toy', 3, seed=1, max_turns=9), 'its max_turns is 9, not 5000'),
        (Env('toy', 3, options={'long': True}, seed=1), 'its options is'),
    ):
        with pytest.raises(GameError, match=key):
            env.load(foreign.save())
    assert env.save() == saved


@pytest.mark.parametrize('name', width(('toy',), tuple(n for n in ('toy', *BUILT_IN) if load(n).hidden)))
def test_no_leak_an_observation_is_the_same_whatever_the_seat_does_not_know(name: str) -> None:
    """Each row's truth is replaced by a guess that agrees with what its seat knows."""
    game = load(name)
    env, work, differ = Env(name, 4, game.players[-1], seed=8), game.Work.new(), 0
    for at in range(STEPS):
        step = env.step(chosen(env._step, at))
        if at % 5:
            continue
        seen, saved = copied(step), env.save()
        for i in range(env.n):
            seat = int(step.to_move[i])
            known = as_known(game, env.position(i).state, seat)
            game.kernels.prepare(known, seat, work)
            game.kernels.guess(known, seat, at, work)
            differ += known.tobytes() != env.position(i).state.tobytes()
            env._games.states[i] = known
        shown = copied(env.load(env.save()))
        assert same(seen[:5], shown[:5])
        env.load(saved)
    assert differ


def test_numbers_of_numpy_are_numbers() -> None:
    of_numpy: Any = {'n': np.int64(3), 'threads': np.uint8(2), 'max_turns': np.int32(4)}
    env, usual = Env('toy', seed=1, **of_numpy), Env('toy', 3, seed=1, threads=2, max_turns=4)
    assert env.save() == usual.save()


@pytest.mark.parametrize(
    ('make', 'sentence'),
    [
        (lambda: Env('chess', 1), 'no game'),
        (lambda: Env('toy', 0), 'n is a whole number, 1 or more, not 0'),
        (lambda: Env('toy', 1.5), 'n is a whole number, 1 or more, not 1.5'),  # type: ignore[arg-type]
        (lambda: Env('toy', True), 'n is a whole number, 1 or more, not True'),
        (lambda: Env('toy', 1, threads=0), 'threads is a whole number'),
        (lambda: Env('toy', 1, max_turns=-1), 'max_turns is a whole number'),
        (lambda: Env('toy', 1, players=9), '2 to'),
        (lambda: Env('toy', 1, options={'speed': 1}), 'speed'),
        (lambda: Env('toy', 3).position(3), 'numbered from 0 to 2; there is no game 3'),
        (lambda: Env('toy', 3).seed_of(-1), 'numbered from 0 to 2; there is no game -1'),
    ],
)
def test_what_there_is_not_is_said_in_a_sentence(make: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        make()
