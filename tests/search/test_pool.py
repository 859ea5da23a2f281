"""The pool: tables take turns, nobody waits for a bot, and what is cancelled ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future

import pytest

from ludoteca import game as contract
from ludoteca.search import Pool, make_bot, think

OCTILES = contract.load('octiles')


@pytest.fixture
def pool() -> Iterator[Pool]:
    pool = Pool(1)
    yield pool
    pool.close()


def hold(pool: Pool, table: str) -> tuple[threading.Event, Future[bool]]:
    """Occupy the only thread until the event is set."""
    go, begun = threading.Event(), threading.Event()

    def wait() -> bool:
        begun.set()
        return go.wait(30)

    job = pool.submit(table, wait)
    assert begun.wait(30)
    return go, job


def test_tables_take_turns(pool: Pool) -> None:
    done: list[str] = []
    go, _ = hold(pool, 'first')
    jobs = [
        pool.submit(table, lambda name=name: done.append(name))  # type: ignore[misc]
        for table, name in (('a', 'a1'), ('a', 'a2'), ('a', 'a3'), ('b', 'b1'), ('b', 'b2'), ('c', 'c1'))
    ]
    go.set()
    for job in jobs:
        job.result(30)
    assert done == ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']


def test_a_table_has_one_job_at_a_time() -> None:
    pool, now, most = Pool(3), set[object](), 0

    def job() -> None:
        nonlocal most
        key = object()
        now.add(key)
        most = max(most, len(now))
        time.sleep(0.01)
        now.remove(key)

    jobs = [pool.submit('table', job) for _ in range(6)]
    for waiting in jobs:
        waiting.result(30)
    pool.close()
    assert most == 1


def test_a_bot_thinks_elsewhere(pool: Pool) -> None:
    state = contract.start(OCTILES, 3, 7)
    go, _ = hold(pool, 'other')
    begin = time.monotonic()
    known, bot = state.copy(), make_bot('easy')
    future = pool.submit('table', lambda: bot.choose(OCTILES, known, 0, 1, None))
    assert time.monotonic() - begin < 1
    state.to_move = 1  # the bot has a copy
    assert not future.done()
    go.set()
    assert future.result(60) in contract.Position(OCTILES, contract.start(OCTILES, 3, 7)).actions()


def test_what_a_cancelled_table_wanted_ends(pool: Pool) -> None:
    state, begun = contract.start(OCTILES, 3, 7), threading.Event()
    think(OCTILES, state, simulations=1)

    def long() -> int:
        begun.set()
        return think(OCTILES, state, simulations=10**9).action

    running, waiting, other = (
        pool.submit('table', long),
        pool.submit('table', long),
        pool.submit('other', lambda: 'done'),
    )
    assert begun.wait(30)
    pool.cancel('table')
    assert waiting.cancelled()
    with pytest.raises(CancelledError):
        running.result(30)
    assert other.result(30) == 'done'
    assert pool.submit('table', lambda: 'again').result(30) == 'again'


def test_a_future_cancelled_by_its_owner_is_passed_over(pool: Pool) -> None:
    go, _ = hold(pool, 'first')
    dropped, kept = pool.submit('a', lambda: 1), pool.submit('a', lambda: 2)
    assert dropped.cancel()
    go.set()
    assert kept.result(30) == 2


def test_an_error_reaches_the_one_who_waits(pool: Pool) -> None:
    with pytest.raises(ZeroDivisionError):
        pool.submit('table', lambda: 1 // 0).result(30)
    assert pool.submit('table', lambda: 1).result(30) == 1


def test_a_closed_pool_takes_nothing_more() -> None:
    pool = Pool()
    assert pool.threads >= 1
    pool.close()
    with pytest.raises(RuntimeError, match='closed'):
        pool.submit('table', lambda: 1)
