"""Turns of bots at a table: seen step by step as they are decided, and never long."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from ludoteca.search.levels import THINKING_SECONDS
from ludoteca.store import Closed, StoreError
from ludoteca.web.live.bots import BotPlayer, _at_work, _Work
from tests.match.support import new, step
from tests.waiting import until
from tests.web.test_interface import make
from tests.web.test_races import listening

Guest = Callable[..., TestClient]


class Stepper:
    """A bot that decides one action each time it is let go on: of a turn of several, not to end it."""

    def __init__(self) -> None:
        self.go = threading.Semaphore(0)
        self.deadlines: list[tuple[tuple[int, int], float]] = []

    def choose(self, game: Any, state: Any, seat: int, seed: int, deadline: float | None) -> int:
        assert deadline is not None
        self.deadlines.append(((seat, int(state.turn)), deadline))
        self.go.acquire(timeout=30)
        out = np.empty(game.max_legal, np.int32)
        legal = out[: game.kernels.legal_actions(state, out)].tolist()
        for action in legal:
            after = state.copy()
            game.kernels.apply(after, action)
            if (after.turn, after.to_move, after.reveals) == (state.turn, state.to_move, state.reveals):
                return int(action)
        return int(legal[0])


@pytest.fixture
def stepper(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stepper]:
    found = Stepper()
    monkeypatch.setattr('ludoteca.work.jobs.make_bot', lambda level: found)
    yield found
    found.go.release(10_000)


def go_on(client: TestClient, path: str) -> bool:
    """If it is the person's turn: one step of it, the first one that can be chosen."""
    view = client.get(path).json()
    if not view['may_act']:
        return False
    return client.post(f'{path}/act', json={'steps': view['legal'][0]}).status_code == 200


@pytest.mark.parametrize('game', ['octiles', 'mykerinos'])
def test_a_page_sees_the_first_action_of_a_bot_before_the_last_one_is_decided(
    guest: Guest, stepper: Stepper, game: str
) -> None:
    client = guest()
    path, _ = make(client, game=game, mode='bot')
    with listening(client, path) as message:
        said = message()
        while not said.get('watched'):
            pictures = said['fragments'].get('drawing', '')
            if not go_on(client, path):
                stepper.go.release()
            said = message()
        turns, shown = said['turns'], said['draft']
        assert shown, 'what the step did'
        assert said['events'] == []
        assert said['fragments']['drawing'] != pictures
        assert 'moves' not in said['fragments'], 'the log tells whole turns'
        while said['turns'] == turns:
            assert said['draft'][: len(shown)] == shown
            stepper.go.release()
            said = message()
        assert said['events'][: len(shown)] == shown, 'the turn as a whole begins with what was seen'


def test_one_message_tells_a_turn_and_that_a_bot_is_at_work_on_the_next_one(
    guest: Guest, stepper: Stepper
) -> None:
    client = guest()
    path, _ = make(client, game='octiles', mode='bot')
    with listening(client, path) as message:
        said, own = message(), False
        while not said['mine']:
            stepper.go.release()
            said = message()
        while said['mine'] or not own:
            own = True
            assert go_on(client, path)
            turns, said = said['turns'], message()
        assert said['turns'] == turns + 1
        assert 'tag thinking' in said['fragments']['players']
        stepper.go.release()
        said = message()
        assert said.get('watched') or said['turns'] > turns + 1, 'nothing came between'


def test_who_chooses_in_secret_is_not_seen_at_work() -> None:
    secret, open_ = new('myrmidons', 2, bots=1), new('octiles', 2, bots=1)
    assert secret.to_move == (0, 1)
    assert _at_work(secret) is None
    assert _at_work(open_) == (1 if open_.to_move == (1,) else None)
    step(open_, random.Random(0))
    while open_.to_move == (0,):
        step(open_, random.Random(0))
    assert _at_work(open_) == 1


def test_a_turn_of_a_bot_has_one_deadline_and_the_next_one_another(guest: Guest, stepper: Stepper) -> None:
    began, client = time.monotonic(), guest()
    stepper.go.release(100)
    path, _ = make(client, mode='bot')
    until(lambda: go_on(client, path) and len(stepper.deadlines) >= 6)
    of_turns: dict[tuple[int, int], set[float]] = {}
    for turn, deadline in stepper.deadlines:
        of_turns.setdefault(turn, set()).add(deadline)
    assert len(of_turns) >= 3
    assert len(stepper.deadlines) > len(of_turns)
    assert all(len(deadlines) == 1 for deadlines in of_turns.values())
    ends = [min(deadlines) for deadlines in of_turns.values()]
    assert ends == sorted(set(ends))
    assert began < ends[0] - THINKING_SECONDS < time.monotonic()


class Told:
    """Stands for a table: whom it has told."""

    def __init__(self) -> None:
        self.seats: list[Any] = []

    def touch(self, seats: Any, patience: float) -> None:
        assert patience > 0, 'people are told first'
        self.seats.append(seats)


def test_steps_that_come_quickly_are_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message each would be gone before it was read: a step waits a little for the next one, between two
    messages lies the pace of bots, and a turn that is over is told at once."""
    monkeypatch.setattr('ludoteca.web.live.bots.TOGETHER', 0.03)
    live: Any = Told()
    bots, work = BotPlayer.__new__(BotPlayer), _Work()
    bots._pace = 0.2

    async def play() -> None:
        bots._tell_soon(live, work, [0, 1])
        bots._tell_soon(live, work, [0, 2])
        assert live.seats == []
        await asyncio.sleep(0.1)
        assert live.seats == [{0, 1, 2}]
        bots._tell_soon(live, work, [1])
        await asyncio.sleep(0.06)
        assert live.seats == [{0, 1, 2}], 'what was told is looked at first'
        await asyncio.sleep(0.15)
        assert live.seats == [{0, 1, 2}, {1}]
        bots._tell_soon(live, work, [0])
        bots._tell_soon(live, work, None)
        assert len(live.seats) == 2
        bots._tell(live, work)
        assert live.seats[2:] == [None]
        await asyncio.sleep(0.3)
        assert len(live.seats) == 3, 'nothing is told twice'

    asyncio.run(play())


def test_bots_go_on_and_are_released_when_the_database_is_there_again(
    guest: Guest, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever they ask of it fails three times."""
    monkeypatch.setattr('ludoteca.web.live.bots.FIRST_PAUSE', 0.01)
    monkeypatch.setattr('ludoteca.web.live.bots.LONGEST_PAUSE', 0.05)
    bots, failed = app.state.server.bots, Counter[str]()
    held = set[str]()

    def fail(what: str) -> None:
        failed[what] += 1
        if failed[what] <= 3:
            raise StoreError('The database is away.')

    async def claim(table: str) -> bool:
        fail('claim')
        held.add(table)
        return True

    async def release(table: str) -> None:
        fail('release')
        held.discard(table)

    def play(*given: Any, do: Any = BotPlayer._play) -> Any:
        fail('play')
        return do(*given)

    monkeypatch.setattr(bots, '_claim', claim)
    monkeypatch.setattr(bots, '_release', release)
    monkeypatch.setattr(BotPlayer, '_play', staticmethod(play))
    client = guest()
    path, view = make(client, game='octiles', mode='bot', level='beginner')
    if view['may_act']:
        client.post(f'{path}/act', json={'steps': client.post(f'{path}/hint', json={}).json()['turn']})
    until(lambda: client.get(path).json()['may_act'])
    until(lambda: failed['release'] > 3 and not held)
    assert min(failed.values()) > 3
    turns = client.get(path).json()['turns']
    client.post(f'{path}/act', json={'steps': client.post(f'{path}/hint', json={}).json()['turn']})
    until(lambda: client.get(path).json()['turns'] == turns + 2)


def test_bots_whose_claim_was_stored_unanswered_are_released_when_it_is_nobodys_turn_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    live: Any = SimpleNamespace(id='table')
    bots, work, held = BotPlayer.__new__(BotPlayer), _Work(), set[str]()
    turns = iter([SimpleNamespace(seat=0), None])

    async def look(*_: object) -> Any:
        return next(turns)

    async def claim(table: str) -> bool:
        held.add(table)
        raise StoreError('The database is away.')

    async def release(table: str) -> None:
        held.remove(table)

    monkeypatch.setattr(BotPlayer, '_look', look)
    monkeypatch.setattr(BotPlayer, '_watch', lambda *_: None)
    bots._claim, bots._release, bots._spawn = claim, release, lambda again: again.close()  # type: ignore[assignment, return-value]
    bots._desk = SimpleNamespace(forget=lambda _: None)  # type: ignore[assignment]
    for left in ({'table'}, set()):
        work.bots_pending = True
        asyncio.run(bots._play_all(live, work))
        assert held == left


def test_a_table_that_is_closed_while_its_bot_thinks_is_no_failure() -> None:
    def closed(_: object) -> None:
        raise Closed('The table was closed.')

    live: Any = SimpleNamespace(lock=nullcontext(), sees_still=lambda *_: True, change=closed)
    turn: Any = SimpleNamespace(seat=0, version=0)
    assert BotPlayer._play(live, turn, 0) is None
