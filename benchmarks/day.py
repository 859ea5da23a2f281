#!/usr/bin/env python3
"""Whether tables leave memory behind: many of them, one after the other, in one server without a network.

    day.py                              2,000 tables
    day.py --tables 10000 --every 1000

At each table two people open a page, play a few turns and close it again. After so many tables it prints what
is alive of each kind of object that belongs to tables, and the memory of the process. Tables that were used
last stay in memory, so both rise at first; then they must not.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from ludoteca.game import games
from ludoteca.match import Match
from ludoteca.store import Live, SeatPlan, Store
from ludoteca.web.live import server as table_server
from ludoteca.web.live.commands import Play
from ludoteca.web.live.open_page import OpenPage
from ludoteca.web.live.server import TableServer
from ludoteca.web.live.table import LiveTable
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.serving import sockets
from ludoteca.web.serving.preparation import Preparation
from ludoteca.web.table.cache import TableCache

KINDS = (LiveTable, Live, Match, TableCache, OpenPage, Visitor, asyncio.Task)
"""What belongs to tables."""
BEGINS = 0.001  # seconds between two looks whether a match has begun


def alive() -> dict[str, int]:
    """How many objects of each kind there are. Tasks of a loop that another thread runs are not counted: they
    come and go."""
    gc.collect()
    found = [one for one in gc.get_objects() if type(one) in KINDS]
    kinds = Counter(type(one) for one in found if not (isinstance(one, asyncio.Task) and _elsewhere(one)))
    return {kind.__name__: kinds[kind] for kind in KINDS}


def _elsewhere(task: asyncio.Task[Any]) -> bool:
    loop = task.get_loop()
    return loop.is_running() and loop is not asyncio._get_running_loop()


async def one_table(server: TableServer, game: str, turns: int, rng: random.Random) -> None:
    """A table from its beginning to the end of its pages."""
    people = [await asyncio.to_thread(server.store.new_person, f'Name {k}') for k in range(2)]
    plans = [SeatPlan('person', person.id, person.name) for person in people]
    live = await server.open_table(people[0].id, game, plans, {}, True)
    while not live.ready:
        await asyncio.sleep(BEGINS)
    pages = [OpenPage(Visitor(person, person.name), k, merges=True) for k, person in enumerate(people)]
    for page in pages:
        server.enter(live, page)
        page.hello({'merges': True, 'have': {}}, live.seats_of(page.visitor))
        page.news(await asyncio.to_thread(server.message, live, page))
    for _ in range(turns):
        match = live.match()
        seat = next((seat for seat in range(2) if match.may_act(seat)), None)
        if seat is None:
            break
        visitor = next(page.visitor for page in pages if seat in live.seats_of(page.visitor))
        await server.run(live, visitor, seat, Play(None, rng.choice(match.names(seat))))
        for page in pages:
            page.news(await asyncio.to_thread(server.message, live, page))
    for page in pages:
        server.exit(live, page)


async def day(url: str, tables: int, every: int, turns: int = 4) -> AsyncIterator[tuple[int, dict[str, int]]]:
    """Play at so many tables. Answers after some of them how many there were, and what is alive."""
    table_server.AWAY_AFTER = 0.0
    preparation = Preparation()
    preparation.skip()
    store, rng, names = Store(url, key=b'k' * 32), random.Random(0), games()
    server = TableServer(store, preparation, threads=1)
    try:
        for n in range(1, tables + 1):
            await one_table(server, names[n % len(names)], turns, rng)
            if n % every == 0:
                await asyncio.sleep(0.05)  # for what goes on beside
                yield n, alive()
    finally:
        await server.close()
        store.close()


def memory() -> float:
    """The megabytes that this process holds (Linux)."""
    return int(Path('/proc/self/statm').read_text().split()[1]) * os.sysconf('SC_PAGE_SIZE') / 2**20


async def _print(given: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        began = time.process_time()
        url = f'sqlite:///{folder}/tables.sqlite3'
        async for n, found in day(url, given.tables, given.every, given.turns):
            kinds = ', '.join(f'{name} {count}' for name, count in found.items())
            seconds = time.process_time() - began
            print(f'{n:>6} tables  {memory():6.1f} MB  {seconds:6.1f} s  {kinds}', flush=True)


def main(said: Sequence[str] | None = None) -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('--tables', type=int, default=2000)
    parser.add_argument('--every', type=int, default=200, help='after so many tables a line is printed')
    parser.add_argument('--turns', type=int, default=4, help='steps at each table')
    parser.add_argument('--folder', help='of the database, such as one in memory')
    given = parser.parse_args(said)
    sockets.collect_seldom()
    asyncio.run(_print(given))
    return 0


if __name__ == '__main__':
    sys.exit(main())
