"""What whoever runs a server looks at and does: which tables there are, closing one, muting somebody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from ludoteca.game import GameError
from ludoteca.store.database import CHANGES
from ludoteca.store.entities import Person, person_of
from ludoteca.store.models import ChatRow, PersonRow, SeatRow, TableRow
from ludoteca.store.section import Section
from ludoteca.text import words

UNFINISHED = ('open', 'running', 'frozen')
MUTED = 'muted'
"""The key under which the settings of a person say so. The person itself cannot change it."""


@dataclass(frozen=True)
class Overview:
    """A table as its operator sees it: nothing of what happens at it. `people`: ids and names of those who
    sit there; `updated` is the last time that something happened that all could see."""

    id: str
    game: str
    status: str
    players: int
    turns: int
    created: float
    updated: float
    people: tuple[tuple[str, str], ...]


class Operating(Section):
    """Tables and people, as an operator sees them."""

    def count_by_status(self) -> dict[str, int]:
        """How many tables there are, by status."""
        query = select(TableRow.status, func.count()).group_by(TableRow.status)
        with self._database.read() as session:
            return {row[0]: row[1] for row in session.execute(query)}

    def overviews(self, limit: int, oldest: bool = False) -> list[Overview]:
        """The unfinished tables at which something happened last, the newest first; or those at which nothing
        has happened for the longest time, the `oldest` first."""
        order = TableRow.updated.asc() if oldest else TableRow.updated.desc()
        query = (
            select(TableRow).where(TableRow.status.in_(UNFINISHED)).order_by(order, TableRow.id).limit(limit)
        )
        with self._database.read() as session:
            rows = list(session.scalars(query))
            names = self._names(session, [row.id for row in rows])
            return [
                Overview(
                    row.id,
                    row.game,
                    row.status,
                    row.players,
                    row.turns,
                    row.created,
                    row.updated,
                    names.get(row.id, ()),
                )
                for row in rows
            ]

    @staticmethod
    def _names(session: object, tables: Sequence[str]) -> dict[str, tuple[tuple[str, str], ...]]:
        """By table the people who sit there, each once and in the order of their names, which is not that of
        their seats."""
        query = (
            select(SeatRow.table_id, PersonRow.id, PersonRow.name)
            .join(PersonRow, SeatRow.person == PersonRow.id)
            .where(SeatRow.table_id.in_(tables))
            .distinct()
            .order_by(PersonRow.name, PersonRow.id)
        )
        found: dict[str, tuple[tuple[str, str], ...]] = {}
        for table, person, name in session.execute(query):  # type: ignore[attr-defined]
            found[table] = (*found.get(table, ()), (person, name))
        return found

    def close_table(self, table_id: str, sentence: str) -> None:
        """Close a table that is not over: nobody can sit down or play there any more. Its log stays as it is.
        `sentence` is what its people are told. Raises GameError."""
        with self._database.write() as session:
            row = self._row(session, table_id)
            if row.status not in UNFINISHED:
                raise GameError(words('operator.error.over'))
            row.status, row.sentence = 'closed', sentence
            self._changed(session, row)
            for chair in row.seats:
                chair.waiting = False

    def set_muted(self, person_id: str, muted: bool) -> None:
        """Let a person's lines no longer be taken at any table, or let them be taken again. Raises
        GameError."""
        with self._database.write() as session:
            row = session.get(PersonRow, person_id, with_for_update=True)
            if row is None:
                raise GameError(words('store.error.no_guest'))
            session.info[CHANGES].people.add(person_id)
            rest = {key: value for key, value in row.settings.items() if key != MUTED}
            row.settings = {**rest, MUTED: True} if muted else rest

    def is_muted(self, person_id: str) -> bool:
        """Has an operator muted this person?"""
        with self._database.read() as session:
            row = session.get(PersonRow, person_id)
            return row is not None and bool(row.settings.get(MUTED))

    def speakers(self, limit: int) -> list[Person]:
        """Those who wrote last, at any table, also at those that are over; the last first."""
        last = func.max(ChatRow.time).label('last')
        said = (
            select(ChatRow.person, last)
            .group_by(ChatRow.person)
            .order_by(last.desc())
            .limit(limit)
            .subquery()
        )
        query = select(PersonRow).join(said, PersonRow.id == said.c.person).order_by(said.c.last.desc())
        with self._database.read() as session:
            return [person_of(row) for row in session.scalars(query)]

    def muted(self) -> list[Person]:
        """All whom an operator has muted."""
        query = select(PersonRow).where(PersonRow.settings[MUTED].as_boolean())
        with self._database.read() as session:
            return [person_of(row) for row in session.scalars(query.order_by(PersonRow.name))]
