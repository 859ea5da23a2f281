"""What all sections of the store share: the database, the clock, and one table in a transaction."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import select
from sqlalchemy.orm import Session

from ludoteca.game import GameError
from ludoteca.store.database import CHANGES, Change, Changes, Database
from ludoteca.store.models import TableRow
from ludoteca.text import words

SEEN = 60.0
"""Seconds: the resolution of the times at which people and tokens were last seen."""


class Section:
    """A part of the store. The parts are one object, `Store`: a transaction often touches several of them."""

    def __init__(self, database: Database, clock: Callable[[], float], key: bytes | None) -> None:
        self._database = database
        self._clock = clock
        self._key = key

    @property
    def shared(self) -> bool:
        """May several servers use the database at a time?"""
        return not self._database.sqlite

    def _row(self, session: Session, table_id: str) -> TableRow:
        row = session.scalar(select(TableRow).where(TableRow.id == table_id).with_for_update())
        if row is None:
            raise GameError(words('store.error.no_table'))
        return row

    def _changing(self, session: Session, table_id: str) -> TableRow:
        """A table that everybody there will see changed."""
        row = self._row(session, table_id)
        self._changed(session, row)
        return row

    def _changed(self, session: Session, row: TableRow, shows: bool = True) -> None:
        """Count a change of a table. `shows`: everybody there can see it, and not by the log."""
        row.revision += 1
        row.shown += int(shows)
        changes: Changes = session.info[CHANGES]
        changes.tables[row.id] = Change(row.revision, row.shown)
