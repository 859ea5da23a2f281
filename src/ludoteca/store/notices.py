"""What servers of one PostgreSQL database tell each other at once: that a table or a person has changed.

A notice says that something is new, and never what: whoever hears it reads the database. So one that gets
lost costs time, and no truth. All notices go through one channel. Those that come up while others are on
their way are sent together.
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from ludoteca.store.database import Changes, Database

log = logging.getLogger(__name__)

CHANNEL = 'ludoteca'
LARGEST = 7_500
"""Bytes of a notice. PostgreSQL takes less than 8,000."""
CALL = '@'
"""Stands before the id of whoever is called, where a person's could stand: servers that know of no calls look
for that person, find nobody, and go on."""
AGAIN = 0.5
"""Seconds after which a connection that was lost is made anew."""
SILENCE = 1.0
"""Seconds after which a listener looks whether it is to end."""


@dataclass(frozen=True)
class Heard:
    """What another server has changed: by table its revision, and people; and whom it calls. `missed`:
    notices may have been lost before this one, so that nothing in memory is sure to be new."""

    tables: Mapping[str, int] = field(default_factory=dict)
    people: frozenset[str] = frozenset()
    missed: bool = False
    calls: frozenset[str] = frozenset()


class Notices:
    """Sends a server's notices, and hears those of the others over one connection that does nothing else."""

    def __init__(self, database: Database, server: str, heard: Callable[[Heard], None]) -> None:
        """`server`: the id of this server, whose own notices it passes over. `heard` is called in a
        thread."""
        self._database, self._server, self._heard = database, server, heard
        self._tables: dict[str, int] = {}
        self._people: set[str] = set()  # and whom it calls, with CALL before their ids
        self._due = threading.Condition()
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=work, name=name, daemon=True)
            for work, name in ((self._send_all, 'notices out'), (self._listen, 'notices in'))
        ]
        for thread in self._threads:
            thread.start()

    def tell(self, changes: Changes) -> None:
        """Have the other servers told. It is in the database already."""
        with self._due:
            for table, change in changes.tables.items():
                self._tables[table] = max(change.revision, self._tables.get(table, 0))
            self._people |= changes.people | {CALL + whom for whom in changes.calls}
            self._due.notify()

    def close(self) -> None:
        """Tell what is left to be told, and end."""
        self._ended.set()
        with self._due:
            self._due.notify()
        for thread in self._threads:
            thread.join(SILENCE * 3)

    # ---- out

    def _send_all(self) -> None:
        while True:
            with self._due:
                self._due.wait_for(lambda: self._tables or self._people or self._ended.is_set())
                tables, people = self._tables, self._people
                self._tables, self._people = {}, set()
            if not (tables or people):
                return
            try:
                self._send(tables, people)
            except SQLAlchemyError:  # the others look by themselves before long
                log.warning('Other servers could not be told of what has changed', exc_info=True)
                self._ended.wait(AGAIN)

    def _send(self, tables: Mapping[str, int], people: set[str]) -> None:
        engine = self._database.engine.execution_options(isolation_level='AUTOCOMMIT')
        with engine.connect() as connection:
            for payload in payloads(self._server, tables, people):
                connection.execute(
                    text('SELECT pg_notify(:channel, :payload)'), {'channel': CHANNEL, 'payload': payload}
                )

    # ---- in

    def _listen(self) -> None:
        lost = False
        while not self._ended.is_set():
            try:
                with self._connection() as connection:
                    connection.execute(f'LISTEN {CHANNEL}')
                    lost = False
                    self._heard(Heard(missed=True))
                    while not self._ended.is_set():
                        for notice in connection.notifies(timeout=SILENCE, stop_after=1):
                            if found := read(notice.payload, self._server):
                                self._heard(found)
            except Exception as problem:  # whatever breaks the connection, another one is made
                if not (lost or self._ended.is_set()):
                    log.warning('The connection for notices of other servers is lost: %s', problem)
                lost = True
                self._ended.wait(AGAIN)

    @contextlib.contextmanager
    def _connection(self) -> Iterator[Any]:
        """A connection of the driver's that belongs to no pool."""
        borrowed = self._database.engine.raw_connection()
        found: Any = borrowed.driver_connection
        borrowed.detach()
        try:
            found.autocommit = True
            yield found
        finally:
            with contextlib.suppress(Exception):
                found.close()


def payloads(server: str, tables: Mapping[str, int], people: set[str]) -> Iterator[str]:
    """Notices as text, each of them short enough."""
    parts: list[tuple[str, int | None]] = [*tables.items(), *((person, None) for person in sorted(people))]
    at_once = max(1, LARGEST // 60)  # an id has 32 characters at most, a revision 20
    for first in range(0, len(parts), at_once):
        yield json.dumps([server, *parts[first : first + at_once]], separators=(',', ':'))


def read(payload: str, server: str) -> Heard | None:
    """What a notice says; None if it is one's own, or none of ours."""
    try:
        sender, *parts = json.loads(payload)
        tables = {str(name): int(revision) for name, revision in parts if revision is not None}
        others = frozenset(str(name) for name, revision in parts if revision is None)
    except (ValueError, TypeError):
        log.warning('A notice that cannot be read was passed over')
        return None
    if sender == server:
        return None
    calls = frozenset(name.removeprefix(CALL) for name in others if name.startswith(CALL))
    return Heard(tables, frozenset(name for name in others if not name.startswith(CALL)), calls=calls)
