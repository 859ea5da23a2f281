"""Servers, workers and the database are killed in turn while people play against bots."""

from __future__ import annotations

import itertools
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import select

from ludoteca.store import Store
from ludoteca.store.models import EntryRow, JobRow
from tests.postgresql import Cluster, needed
from tests.waiting import until
from tests.web.servers import Person, ServerProcess
from tests.work.processes import WorkerProcess

PAIRS = 4
PATIENCE = 180.0
"""Seconds after which something counts as never happening; it takes a few."""


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A database server that only this test kills."""
    needed()
    found = Cluster()
    yield found
    found.remove()


def kill(cluster: Cluster) -> None:
    """End the database server as the system would that runs out of memory, and start it again when its other
    processes have noticed."""
    assert cluster._process
    cluster._process.kill()
    cluster._process.wait()
    end = time.monotonic() + PATIENCE
    while True:
        try:
            cluster.start()
            return
        except AssertionError:
            assert time.monotonic() < end
            time.sleep(0.2)


class Seated:
    """One of eight people. Whatever is refused or not answered is asked of the next server."""

    def __init__(self, playing: Playing) -> None:
        self.person, self.playing = Person(), playing
        self.person.client.timeout = 20.0
        self._turn = itertools.count()

    def ask(self, path: str, **body: object) -> httpx2.Response | None:
        """An answer that says something about the game; None if the playing has ended."""
        while not self.playing.over.is_set():
            servers = self.playing.servers
            try:
                answer = self.person.ask(servers[next(self._turn) % len(servers)], path, **body)
            except httpx2.HTTPError:
                time.sleep(0.05)
                continue
            if answer.status_code < 500 and answer.status_code != 429:
                return answer
            time.sleep(0.05)
        return None


class Playing:
    """Pairs of people at tables with a bot, one game after the other."""

    def __init__(self, servers: list[ServerProcess]) -> None:
        self.servers, self.over = servers, threading.Event()
        self.people = [Seated(self) for _ in range(2 * PAIRS)]
        # the steps of which a seat was told that they are played, by table and seat
        self.said: dict[tuple[str, int], list[str]] = defaultdict(list)
        self.tables, self.finished = list[tuple[str, tuple[Seated, Seated]]](), 0
        self._problems = list[BaseException]()
        self._threads = [
            threading.Thread(target=self._play_on, args=(self.people[k], self.people[k + 1]), daemon=True)
            for k in range(0, 2 * PAIRS, 2)
        ]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Let nobody begin anything more."""
        self.over.set()
        for thread in self._threads:
            thread.join(60)
        if self._problems:
            raise self._problems[0]

    def _play_on(self, one: Seated, other: Seated) -> None:
        try:
            while not self.over.is_set():
                if (table := self._open(one, other)) is not None:
                    self.tables.append((table, (one, other)))
                    while self._step(table, one) and self._step(table, other):
                        time.sleep(0.02)
        except BaseException as problem:
            self._problems.append(problem)

    def _open(self, one: Seated, other: Seated) -> str | None:
        seats = [{'who': 'me'}, {'who': 'open'}, {'who': 'bot', 'level': 'beginner'}]
        made = one.ask('/api/tables', game='toy', mode='open', seats=seats)
        if made is None:
            return None
        assert made.status_code == 201, made.text
        table = str(made.json()['id'])
        joined = other.ask(f'/api/tables/{table}/join', name='Bob')
        # what was not answered may have happened
        assert joined is None or joined.status_code in (200, 400), joined.text
        return table if joined is not None else None

    def _step(self, table: str, one: Seated) -> bool:
        """Play what this person can play. False when the game is over."""
        answer = one.ask(f'/api/tables/{table}')
        if answer is None:
            return False
        view = answer.json()
        if view['status'] == 'finished':
            self.finished += 1
            return False
        if view.get('may_act') and view['legal']:
            step = view['legal'][-1]
            played = one.ask(f'/api/tables/{table}/act', steps=step, version=view['version'])
            if played is not None and played.status_code == 200:
                self.said[table, view['your_seats'][0]].append(step)
            else:  # it was taken by a request whose answer was lost
                assert played is None or played.status_code in (400, 409), played.text
        return True


@pytest.mark.wide
def test_nothing_acknowledged_is_lost_whatever_is_killed_and_bots_go_on(
    cluster: Cluster, tmp_path: Path
) -> None:
    url = cluster.new()
    with ExitStack() as stack:

        def server() -> ServerProcess:
            found = ServerProcess(url, tmp_path, 0.5, small=0)
            stack.callback(found.end)
            return found.ready()

        def worker() -> WorkerProcess:
            found = WorkerProcess(url, tmp_path, lease=1.0)
            stack.callback(found.end)
            found.line()
            return found

        servers = [server(), server()]
        workers = [worker(), worker()]
        playing = Playing(servers)
        stack.callback(playing.over.set)

        def go_on(what: str) -> None:
            """Games come to their end, which need their bots. Those that were begun before count, too."""
            before = playing.finished
            until(lambda: playing.finished >= before + PAIRS or playing._problems, what, PATIENCE)

        go_on('games were played')
        workers[0].end(signal.SIGKILL)
        go_on('games were played after a worker was killed')
        servers[0].end(signal.SIGKILL)
        servers[0] = server()
        go_on('games were played after a server was killed')
        kill(cluster)
        go_on('games were played after the database was killed')
        workers[1].end(signal.SIGKILL)
        go_on('games were played without any worker')
        workers.append(worker())
        go_on('games were played with a new worker')
        playing.end()
        assert len(playing.said) > 2 * PAIRS

        with closing(Store(url)) as store:
            for (table, seat), steps in playing.said.items():
                with store._database.read() as session:
                    query = select(EntryRow.name).where(
                        EntryRow.table_id == table, EntryRow.seat == seat, EntryRow.name != ''
                    )
                    stored = iter(session.scalars(query.order_by(EntryRow.number)).all())
                assert all(step in stored for step in steps), f'{table}: a step that was acknowledged is lost'
            for table, _ in playing.tables:
                assert not store.live(table).match.frozen

        for table, pair in playing.tables[-PAIRS:]:
            for one in pair:

                def same(one: Seated = one, table: str = table) -> bool:
                    views = [one.person.ask(here, f'/api/tables/{table}') for here in servers]
                    logs = [one.person.ask(here, f'/api/tables/{table}/log').text for here in servers]
                    assert {view.status_code for view in views} == {200}
                    shown = [view.json() | {'link': ''} for view in views]
                    return shown[0] == shown[1] and logs[0] == logs[1]

                until(same, 'all servers show the same in the end', PATIENCE)

        def nothing_left() -> bool:
            with closing(Store(url)) as store, store._database.read() as session:
                return not session.scalars(select(JobRow.id)).all()

        until(nothing_left, 'no job is left over', PATIENCE)
