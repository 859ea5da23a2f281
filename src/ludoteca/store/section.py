"""What all sections of the store share: the database, the clock, and one table in a transaction."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import select
from sqlalchemy.orm import Session

from ludoteca.game import GameError
from ludoteca.store.database import Database
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

    def _row(self, session: Session, table_id: str) -> TableRow:
        row = session.scalar(select(TableRow).where(TableRow.id == table_id).with_for_update())
        if row is None:
            raise GameError(words('store.error.no_table'))
        return row
