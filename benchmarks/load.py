#!/usr/bin/env python3
"""How many people servers bear: real ones on a new database, and people with open pages.

    load.py                                       100 tables of two people, a step every 10 s each, 30 s long
    load.py --tables 500 --watchers 1 --seconds 60
    load.py --tables 20 --people 1 --bots 1 --level medium --pace 1 --json waits.json
    load.py --tables 500 --restart                and how soon the server answers after a restart
    load.py --servers 2 --workers 2 --database postgresql://… --people 1 --bots 1

People choose among their legal steps by lot. Each has an address of its own, so that no rate is reached. The
time of a turn runs from the request that ends it to the message on every other page of its table. Processor
time and memory are those of the server's process, by /proc (Linux). The people are this process: what it
takes of the same cores, and how late it notices anything, is printed too.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import random
import resource
import signal
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from ludoteca.game import games, load
from ludoteca.store import Store

LEAST_PACE = 0.05
ROOM = {'LUDOTECA_LIMIT_ALL_SOCKETS': '100000', 'LUDOTECA_LIMIT_ALL_TABLES': '100000'}
MOST = {'servers': 16, 'workers': 64, 'tables': 5000, 'people': 5, 'watchers': 50, 'bots': 4, 'seconds': 3600}
OPENED_AT_ONCE = 8  # tables, and pages, that are opened at the same time
WARM_PACE, WARMS = 0.2, 5.0  # seconds of play after which a server has read and compiled what it needs
RESTS = 4.0  # seconds without more memory after which all is read and compiled
SETTLES = 1.0  # seconds after the pages are open, before anything is measured
STARTS_WITHIN = 120.0  # seconds that a server may take to start
WORKERS_WITHIN = 600.0  # seconds in which workers compile all games
SPARE_FILES = 256
LOOK = 0.01  # seconds between two looks at how late this process is
IDLE = 2.0  # seconds after which a connection is closed: sooner than the server would


@dataclass
class Found:
    """What was measured."""

    waits: list[float] = field(default_factory=list)  # from a request to the message on another page
    bots: list[float] = field(default_factory=list)  # from a turn to that of the bot after it
    late: list[float] = field(default_factory=list)  # how late this process woke up
    turns: int = 0
    steps: int = 0
    bytes: int = 0
    messages: int = 0
    errors: dict[str, int] = field(default_factory=dict)

    def failed(self, what: str) -> None:
        """Count an error."""
        self.errors[what] = self.errors.get(what, 0) + 1


@dataclass
class Watched:
    """A table as its pages see it."""

    id: str
    game: str
    bots: int
    turns: int = 0
    since: float = 0.0  # when the last turn was seen
    # when a step was sent, how many turns there were before, and who sent it
    posted: tuple[float, int, Person] | None = None


class Running:
    """A process of the program."""

    def __init__(self, settings: dict[str, str], *arguments: str) -> None:
        self.settings, self.arguments = settings, arguments
        self.process: asyncio.subprocess.Process | None = None

    async def launch(self) -> None:
        """Start the process."""
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, '-m', 'ludoteca', *self.arguments),
            env={**os.environ, **self.settings},
            stdout=asyncio.subprocess.DEVNULL,
        )

    async def stop(self) -> None:
        """End the process."""
        if self.process and self.process.returncode is None:
            self.process.send_signal(signal.SIGINT)
            try:
                await asyncio.wait_for(self.process.wait(), 15)
            except TimeoutError:
                self.process.kill()
                await self.process.wait()

    def processor(self) -> float:
        """The seconds of processor time that it has taken."""
        assert self.process
        fields = Path(f'/proc/{self.process.pid}/stat').read_text().rpartition(')')[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def memory(self) -> int:
        """The bytes that it holds in memory."""
        assert self.process
        pages = int(Path(f'/proc/{self.process.pid}/statm').read_text().split()[1])
        return pages * os.sysconf('SC_PAGE_SIZE')


class Server(Running):
    """A process that serves, on a port of its own."""

    def __init__(self, settings: dict[str, str]) -> None:
        with socket.socket() as found:
            found.bind(('127.0.0.1', 0))
            self.port = int(found.getsockname()[1])
        super().__init__(settings, 'serve', '--port', str(self.port))

    @property
    def address(self) -> str:
        """Where it answers."""
        return f'http://127.0.0.1:{self.port}'

    async def start(self) -> float:
        """Start the process. Answers the seconds until its first answer. Raises RuntimeError if there is
        none."""
        began = time.perf_counter()
        await self.launch()
        assert self.process
        async with httpx2.AsyncClient(base_url=self.address) as client:
            while time.perf_counter() - began < STARTS_WITHIN:
                if self.process.returncode is not None:
                    raise RuntimeError('The server has ended by itself; its own words are above.')
                with contextlib.suppress(httpx2.TransportError):
                    if (await client.get('/')).status_code < 500:
                        return time.perf_counter() - began
                await asyncio.sleep(0.02)
        raise RuntimeError(f'The server has not answered within {STARTS_WITHIN:g} seconds.')


class Site:
    """All servers and workers on one database, with a folder for their keys."""

    def __init__(self, folder: Path, given: argparse.Namespace) -> None:
        self.database = given.database or f'sqlite:///{folder}/ludoteca.sqlite3'
        # servers believe what is said of clients from here, so that each person has an address of its own
        settings = {
            'LUDOTECA_DATA': str(folder),
            'LUDOTECA_DATABASE': self.database,
            'LUDOTECA_PROXIES': '127.0.0.1',
            **ROOM,
        }
        self.servers = [Server(settings) for _ in range(given.servers)]
        self.workers = [Running(settings, 'work', '--jobs', '1') for _ in range(given.workers)]

    async def start(self) -> float:
        """Start all of them. Answers the seconds until the first answer of the first server."""
        first = await self.servers[0].start()  # which makes the tables of the database
        await asyncio.gather(*(server.start() for server in self.servers[1:]))
        for worker in self.workers:
            await worker.launch()
        began = time.perf_counter()
        while self.workers and not await asyncio.to_thread(self._workers_ready):
            if time.perf_counter() - began > WORKERS_WITHIN:
                raise RuntimeError(f'The workers were not ready within {WORKERS_WITHIN:g} seconds.')
            await asyncio.sleep(0.5)
        return first

    def _workers_ready(self) -> bool:
        with contextlib.closing(Store(self.database)) as store:
            ready = [one for one in store.workers() if len(one.forms) == len(games())]
        return len(ready) == len(self.workers)

    async def stop(self) -> None:
        """End all of them."""
        await asyncio.gather(*(one.stop() for one in (*self.workers, *self.servers)))

    def processor(self) -> float:
        """The seconds of processor time that the servers have taken."""
        return sum(server.processor() for server in self.servers)

    def thought(self) -> float:
        """The same of the workers."""
        return sum(worker.processor() for worker in self.workers)

    def memory(self) -> int:
        """The bytes that the servers hold in memory."""
        return sum(server.memory() for server in self.servers)


class Person:
    """A browser with a cookie and an address of its own."""

    def __init__(self, load_: Load, number: int) -> None:
        self.load, self.rng = load_, random.Random(number)
        self.server = load_.site.servers[number % len(load_.site.servers)]
        third, second, first = number % 250, number // 250 % 250, number // 62_500
        self.headers = {
            'Origin': self.server.address,
            'X-Forwarded-For': f'10.{first}.{second}.{third + 1}',
            'Prefer': 'return=minimal',
        }

    async def post(self, path: str, body: dict[str, Any]) -> httpx2.Response:
        """Send a request; the cookie of the first answer is kept."""
        answer = await self.load.client.post(f'{self.server.address}{path}', json=body, headers=self.headers)
        if cookie := answer.headers.get('set-cookie'):
            self.headers['Cookie'] = cookie.partition(';')[0]
        return answer

    @contextlib.asynccontextmanager
    async def page(self, table: Watched) -> AsyncIterator[ClientConnection]:
        """An open page of a table: it says that it has nothing yet."""
        url = f'ws://127.0.0.1:{self.server.port}/tables/{table.id}/live'
        async with self.load.opening:  # a thousand at once would only wait for each other
            opened = await connect(url, additional_headers=self.headers, max_size=None, open_timeout=60)
            await opened.send(json.dumps({'merges': True, 'have': {}}))
        async with opened:
            yield opened


class Load:
    """Tables, their people and what is measured."""

    def __init__(
        self, given: argparse.Namespace, site: Site, client: httpx2.AsyncClient, pace: float, people: int
    ) -> None:
        """`people`: how many there are already."""
        self.given, self.site, self.client, self.pace = given, site, client, pace
        self.found = Found()
        self.measuring = False
        self.people = people
        self.opened: list[tuple[Watched, Person, bool]] = []  # pages: of whom, and does this person play?
        self.ready = 0
        self.acting: set[asyncio.Task[None]] = set()
        self.opening = asyncio.Semaphore(OPENED_AT_ONCE)

    def person(self) -> Person:
        """Somebody else."""
        self.people += 1
        return Person(self, self.people)

    async def open_table(self, game: str) -> None:
        """A new table with all its people seated."""
        given, host = self.given, self.person()
        guests = [self.person() for _ in range(given.people - 1)]
        seats = [{'who': 'me'}, *({'who': 'open'} for _ in guests)]
        seats += [{'who': 'bot', 'level': given.level} for _ in range(given.bots)]
        answer = await host.post('/api/tables', {'game': game, 'mode': 'open', 'seats': seats})
        answer.raise_for_status()
        table = Watched(answer.json()['id'], game, given.bots)
        for guest in guests:
            (await guest.post(f'/api/tables/{table.id}/join', {})).raise_for_status()
        self.opened += [(table, one, True) for one in (host, *guests)]
        self.opened += [(table, self.person(), False) for _ in range(given.watchers)]

    async def open_tables(self, count: int) -> None:
        """So many tables, a few at a time."""
        fitting = games_for(self.given)
        gate = asyncio.Semaphore(OPENED_AT_ONCE)

        async def one(number: int) -> None:
            async with gate:
                await self.open_table(fitting[number % len(fitting)])

        await asyncio.gather(*(one(number) for number in range(count)))

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[int]:
        """All pages open, and everybody at play. Answers how many pages there are."""
        pages = [asyncio.create_task(self.keep_page(*one)) for one in self.opened]
        looking = asyncio.create_task(self.look())
        try:
            while self.ready < len(pages):
                await asyncio.sleep(0.1)
            await asyncio.sleep(SETTLES)
            yield len(pages)
        finally:
            for task in (*pages, *self.acting, looking):
                task.cancel()
            await asyncio.gather(*pages, *self.acting, looking, return_exceptions=True)

    async def look(self) -> None:
        """Note how late this process notices things, until this is cancelled: times of turns hold as much of
        it twice."""
        while True:
            began = time.perf_counter()
            await asyncio.sleep(LOOK)
            if self.measuring:
                self.found.late.append(time.perf_counter() - began - LOOK)

    async def keep_page(self, table: Watched, person: Person, plays: bool) -> None:
        """One open page, until this is cancelled."""
        acting: asyncio.Task[None] | None = None
        turns = None
        while True:
            try:
                async with person.page(table) as page:
                    self.ready += turns is None
                    async for text in page:
                        message = json.loads(text)
                        self.see(table, person, message, len(text), turns)
                        turns = message['turns']
                        if plays and message['mine'] and message['choices']:
                            if acting:
                                acting.cancel()
                            acting = asyncio.create_task(self.act(table, person, message))
                            self.acting.add(acting)
                            acting.add_done_callback(self.acting.discard)
            except (ConnectionClosed, OSError, TimeoutError) as problem:
                self.found.failed(f'socket: {type(problem).__name__}')
                await asyncio.sleep(0.5)

    def see(
        self, table: Watched, person: Person, message: dict[str, Any], size: int, before: int | None
    ) -> None:
        """A message has come to a person's page, which had shown so many turns before."""
        now, turns = time.perf_counter(), message['turns']
        if self.measuring:
            self.found.bytes += size
            self.found.messages += 1
        if before is None or turns <= before:
            return
        posted = table.posted
        if posted and turns > posted[1] >= before and person is not posted[2] and self.measuring:
            self.found.waits.append(now - posted[0])
        if turns <= table.turns:
            return
        if self.measuring:
            self.found.turns += turns - table.turns
            if table.bots and posted and turns > posted[1] + 1:
                self.found.bots.append(now - (table.since or posted[0]))
        table.turns, table.since = turns, now

    async def act(self, table: Watched, person: Person, message: dict[str, Any]) -> None:
        """Think, then play one of the legal steps."""
        await asyncio.sleep(person.rng.uniform(0.5, 1.5) * self.pace)
        step = person.rng.choice(message['choices']['levels'][-1]['actions'])[0]
        body = {'version': message['version'], 'seat': message['seat'], 'steps': step, 'rest': True}
        table.posted = time.perf_counter(), message['turns'], person
        try:
            answer = await person.post(f'/api/tables/{table.id}/act', body)
        except httpx2.HTTPError as problem:
            self.found.failed(f'request: {type(problem).__name__}')
            return
        if answer.status_code >= 400 and answer.status_code != 409:  # 409: the view was overtaken
            self.found.failed(f'status {answer.status_code}')
        self.found.steps += self.measuring


def games_for(given: argparse.Namespace) -> list[str]:
    """The games that so many can play. Raises ValueError if there is none."""
    players = given.people + given.bots
    names = [given.game] if given.game else games()
    found = [name for name in names if players in load(name).players]
    if not found:
        raise ValueError(
            f'No game that is asked for is played by {players}: change --people, --bots or --game.'
        )
    return found


def spread(times: Sequence[float]) -> dict[str, float | int]:
    """How many there are, and the times in milliseconds that half, 95 and 99 of a hundred keep to."""
    if len(times) < 2:
        return {'count': len(times), **{f'p{share}': round(1000 * sum(times), 1) for share in (50, 95, 99)}}
    parts = statistics.quantiles(times, n=100, method='inclusive')
    return {'count': len(times), **{f'p{share}': round(1000 * parts[share - 1], 1) for share in (50, 95, 99)}}


async def measure(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Run it all. Answers what was measured."""
    site = Site(folder, given)
    try:
        started = await site.start()
        # each person keeps a cookie, the client none
        none = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        limits = httpx2.Limits(max_connections=200, keepalive_expiry=IDLE)
        async with httpx2.AsyncClient(timeout=60, limits=limits, cookies=none) as client:
            result = {'start': round(started, 2), **await _measure(given, site, client)}
        if given.restart:
            await site.servers[0].stop()
            result['restart'] = round(await site.servers[0].start(), 2)
    finally:
        await site.stop()
    return result


async def rests(site: Site) -> None:
    """Wait until the server takes no more memory: rules are compiled and read in the background."""
    began, before, still = time.perf_counter(), site.memory(), 0.0
    while still < RESTS and time.perf_counter() - began < STARTS_WITHIN:
        await asyncio.sleep(0.5)
        now = site.memory()
        still = still + 0.5 if abs(now - before) < 2**20 else 0.0
        before = now


async def _measure(given: argparse.Namespace, site: Site, client: httpx2.AsyncClient) -> dict[str, Any]:
    # what a server reads and compiles once belongs to no table
    first = Load(given, site, client, WARM_PACE, 0)
    await first.open_tables(len(games_for(given)))
    async with first.playing():
        await asyncio.sleep(WARMS)
    await rests(site)
    run = Load(given, site, client, given.pace, first.people)
    empty = site.memory()
    await run.open_tables(given.tables)
    seated = site.memory()
    async with run.playing() as pages:
        shown, processor, thought = site.memory(), site.processor(), site.thought()
        began, own = time.perf_counter(), time.process_time()
        run.measuring = True
        await asyncio.sleep(given.seconds)
        run.measuring = False
        own = time.process_time() - own
        seconds, processor = time.perf_counter() - began, site.processor() - processor
        thought = site.thought() - thought
    found = run.found
    return {
        'pages': pages,
        'turns': found.turns,
        'steps': found.steps,
        'to other pages, ms': spread(found.waits),
        'waiting for bots, ms': spread(found.bots),
        'processor a turn, ms': round(1000 * processor / max(1, found.turns), 1),
        'processor a message, ms': round(1000 * processor / max(1, found.messages), 1),
        'cores in use': round(processor / seconds, 2),
        'cores of workers': round(thought / seconds, 2),
        'cores of the people': round(own / seconds, 2),
        'people late, ms': spread(found.late),
        'bytes a message': round(found.bytes / max(1, found.messages)),
        'memory at first, MB': round(empty / 2**20, 1),
        'memory a table, KB': round((seated - empty) / given.tables / 1024, 1),
        'memory a socket with its view, KB': round((shown - seated) / pages / 1024, 1),
        'memory at last, MB': round(site.memory() / 2**20, 1),
        'errors': found.errors,
    }


def machine() -> dict[str, Any]:
    """What it was measured on, and when."""
    model = 'unknown'
    with contextlib.suppress(OSError):
        lines = Path('/proc/cpuinfo').read_text().splitlines()
        model = next((line.partition(': ')[2] for line in lines if line.startswith('model name')), model)
    return {
        'date': datetime.now(UTC).strftime('%Y-%m-%d'),
        'processor': model,
        'cores': os.cpu_count(),
        'others waiting': round(os.getloadavg()[0], 1),
        'python': platform.python_version(),
    }


def arguments() -> argparse.ArgumentParser:
    """What can be said on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('--tables', type=int, default=100)
    parser.add_argument('--people', type=int, default=2, help='who play at each table')
    parser.add_argument('--watchers', type=int, default=0, help='who watch each table')
    parser.add_argument('--bots', type=int, default=0, help='at each table')
    parser.add_argument('--level', default='easy', help='of the bots')
    parser.add_argument('--game', help='without it, all games that so many can play')
    parser.add_argument('--seconds', type=float, default=30, help='how long it is measured')
    parser.add_argument('--pace', type=float, default=10, help='seconds that people think about a step')
    parser.add_argument(
        '--restart', action='store_true', help='measure the first answer after a restart, too'
    )
    parser.add_argument('--json', type=Path, metavar='FILE', help='write what was measured')
    parser.add_argument('--servers', type=int, default=1, help='on one database, with --database')
    parser.add_argument('--workers', type=int, default=0, help='processes that think for the bots')
    parser.add_argument('--database', metavar='URL', help='without it, SQLite in a new folder')
    return parser


def problem_of(given: argparse.Namespace) -> str:
    """Why this cannot be measured, as a sentence; '' if it can."""
    if given.servers > 1 and not (given.database or '').startswith('postgres'):
        return 'Several servers need PostgreSQL: name a new database with --database postgresql://…'
    for name, most in MOST.items():
        least = 0 if name in ('watchers', 'bots', 'workers') else 1
        if not least <= getattr(given, name) <= most:
            return f'--{name} is a number from {least} to {most}.'
    if given.game is not None and given.game not in games():
        return f'There is no game {given.game!r}; the games are {", ".join(games())}.'
    if not given.pace >= LEAST_PACE:
        return f'--pace is at least {LEAST_PACE:g} seconds.'
    if given.json and not given.json.resolve().parent.is_dir():
        return f'There is no folder {str(given.json.parent)!r} to write --json into.'
    try:
        games_for(given)
    except ValueError as problem:
        return str(problem)
    return ''


def main(said: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    given = arguments().parse_args(said)
    if problem := problem_of(given):
        print(problem, file=sys.stderr)
        return 2
    files = given.tables * (given.people + given.watchers) + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < files:  # the server inherits it
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, hard), hard))
    asked = {key: value for key, value in vars(given).items() if key not in ('json', 'database')}
    asked['database'] = (given.database or 'sqlite').partition(':')[0]  # an address may hold a password
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = {'asked': asked, 'machine': machine(), **asyncio.run(measure(given, Path(folder)))}
        except (RuntimeError, httpx2.HTTPError) as problem:
            print(problem, file=sys.stderr)
            return 1
    for key, value in found.items():
        told = ', '.join(f'{name} {one}' for name, one in value.items()) if isinstance(value, dict) else value
        print(f'{key:<36} {told}')
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
