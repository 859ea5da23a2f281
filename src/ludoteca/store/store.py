"""People, tables, matches and tokens: everything that the program remembers.

    store = Store()  # the database of the data folder, brought up to date
    ann = store.new_person('Ann')
    table = store.open_table(game, [SeatPlan(person=ann.id), SeatPlan(OPEN)], owner=ann.id)
    # all seats are taken, so the match begins
    store.join(table.id, store.new_person('Bob').id, invite=store.invite(table.id))
    live = store.live(table.id)
    # stored for good when this returns
    live.change(lambda match: match.act(0, match.version(0), 'a2:7'))

All methods may be called from several threads. Each is one transaction. The database holds no secret that
opens a seat: bearer tokens are kept as hashes, and a link's token is worked out from a key that lies in a
file of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import text

from ludoteca.game import GameError
from ludoteca.game.variants import add_source
from ludoteca.store.analyses import Analyses
from ludoteca.store.backup import trial_copy
from ludoteca.store.component_sets import ComponentSets
from ludoteca.store.database import Database
from ludoteca.store.exercises import Exercises
from ludoteca.store.folder import address, database_url
from ludoteca.store.jobs import Jobs
from ludoteca.store.lessons import Lessons
from ludoteca.store.operating import Operating
from ludoteca.store.people import People
from ludoteca.store.reviews import Reviews
from ludoteca.store.servers import Servers
from ludoteca.store.talk import Talk
from ludoteca.text import words


class Store(People, Lessons, Reviews, Exercises, Analyses, Talk, Operating, Servers, Jobs, ComponentSets):
    """The database, opened and brought up to date."""

    def __init__(
        self,
        url: str | None = None,
        clock: Callable[[], float] = time.time,
        key: bytes | None = None,
        may_change: bool = True,
    ) -> None:
        """`url` as in `database_url`, which is the default; `key`: what links are worked out with (None: the
        one in the data folder, read when it is needed); `may_change`: as for Database. Raises StoreError."""
        super().__init__(Database(url or database_url(), may_change), clock, key)
        self._unknown = add_source(self.component_set)

    @property
    def place(self) -> str:
        """Where the database is, for people."""
        return self._database.place

    @property
    def in_memory(self) -> bool:
        """Is the database one that no other process can have?"""
        return self._database.sqlite and self._database.url.database in (None, '', ':memory:')

    def check(self) -> None:
        """Raises StoreError if the database cannot be read just now."""
        with self._database.read() as session:
            session.execute(text('SELECT version_num FROM alembic_version')).one()

    def close(self) -> None:
        """Close all connections."""
        self._unknown()
        self._database.close()


# ---- before an upgrade -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Report:
    """How a running match fares under the rules as they are now: 'same' version, 'goes on' under another, or
    'frozen'; `sentence` says it to people."""

    table: str
    game: str
    turns: int
    verdict: Literal['same', 'goes on', 'frozen']
    sentence: str


@contextmanager
def unchanged(url: str) -> Iterator[Store]:
    """The store of a database that stays as it is, while servers may go on: of a SQLite file a copy, which is
    brought up to date; of PostgreSQL itself. Raises StoreError; of PostgreSQL also if its form is older."""
    if address(url).get_backend_name() == 'sqlite':
        with trial_copy(url) as copy, closing(Store(copy)) as store:
            yield store
    else:
        with closing(Store(url, may_change=False)) as store:
            yield store


def check_matches(store: Store) -> Iterator[Report]:
    """Replay all running matches under the rules as they are now and report on each; nothing is changed."""
    for table_id in store.running():
        table = store.table(table_id)
        assert table is not None
        try:
            match = store._rebuild(table_id)
        except GameError as problem:
            yield Report(table_id, table.game, table.turns, 'frozen', str(problem))
            continue
        if match.frozen:
            yield Report(table_id, table.game, table.turns, 'frozen', match.frozen)
        elif match.setup.version == match.game.version:
            yield Report(
                table_id,
                table.game,
                table.turns,
                'same',
                words('store.check.same', version=match.game.version),
            )
        else:
            yield Report(
                table_id,
                table.game,
                table.turns,
                'goes on',
                words('store.check.goes_on', old=match.setup.version, new=match.game.version),
            )
