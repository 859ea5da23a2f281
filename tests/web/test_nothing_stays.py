"""Tables that nobody uses any more leave nothing behind. Counted in objects; `benchmarks/day.py` shows the
memory of thousands of tables."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.day import alive, day
from ludoteca.store import matches
from ludoteca.web.table import cache
from tests.waiting import until

KEPT = 6
TABLES = 24


@pytest.fixture(autouse=True)
def apart() -> Iterator[None]:
    """What other tests have left in memory, a million objects, is looked through and counted no more."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def test_tables_leave_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the tables that were used last stay, however many there have been; their pages do not."""
    monkeypatch.setattr('ludoteca.web.live.server.AWAY_AFTER', 0.0)
    monkeypatch.setattr('ludoteca.web.live.server.TABLES_KEPT', KEPT)
    monkeypatch.setattr(matches, 'KEPT', KEPT)
    for name in ('TABLES_KEPT', 'VIEWS_KEPT'):
        monkeypatch.setattr(cache, name, KEPT)
    for name in ('_used', '_viewed'):
        monkeypatch.setattr(cache, name, type(cache._used)())
    before = alive()

    async def counts() -> list[dict[str, int]]:
        url = f'sqlite:///{tmp_path}/tables.sqlite3'
        found = [kinds async for _, kinds in day(url, TABLES, TABLES // 3, turns=2)]
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        assert not [task for task in tasks if '_note_away' in str(task)]
        return found

    found = asyncio.run(counts())
    for kinds in found:
        more = {name: count - before[name] for name, count in kinds.items()}
        assert 0 < more['LiveTable'] <= KEPT + 1
        assert more['Live'] <= KEPT + 1
        assert more['Match'] <= KEPT + 1
        assert more['TableCache'] <= KEPT + 1
        assert more['OpenPage'] <= 2
        assert more['Visitor'] <= 2
        assert more['Task'] <= 3
    # a thread that ends beside may hold what it has just made for a moment longer
    until(lambda: not more_than(before), lambda: more_than(before), 5)


def more_than(before: dict[str, int]) -> dict[str, int]:
    return {name: count - before[name] for name, count in alive().items() if count > before[name]}


def test_tasks_of_another_threads_loop_are_not_counted() -> None:
    """Another test's server in this process begins and ends tasks while this one's are counted."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    before = alive()['Task']
    thread.start()
    try:
        sleeping = asyncio.run_coroutine_threadsafe(asyncio.sleep(60), loop)
        until(lambda: asyncio.all_tasks(loop), 'no task began')
        assert alive()['Task'] == before
        sleeping.cancel()
        until(lambda: not asyncio.all_tasks(loop), 'the task did not end')
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
