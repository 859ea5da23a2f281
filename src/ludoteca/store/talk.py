"""Chat and pencilled notes."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, select

from ludoteca.game import GameError
from ludoteca.match import clean_name
from ludoteca.store.entities import (
    ChatLine,
    line_of,
)
from ludoteca.store.models import ChatRow, NotesRow
from ludoteca.store.section import Section
from ludoteca.text import words

LINES_KEPT = 1000
"""How many lines of chat are kept for a table."""
NOTES_KEPT = 64
"""On how many things a seat can pencil something."""


class Talk(Section):
    """Chat, which all at a table read, and notes, which only their seat does."""

    def chat(self, table_id: str, limit: int = 100) -> tuple[ChatLine, ...]:
        """The last lines said at a table, the oldest first."""
        query = (
            select(ChatRow).where(ChatRow.table_id == table_id).order_by(ChatRow.number.desc()).limit(limit)
        )
        with self._database.read() as session:
            return tuple(line_of(row) for row in session.scalars(query))[::-1]

    def add_chat(
        self, table_id: str, name: str, text: str, person_id: str | None = None, seat: int = -1
    ) -> ChatLine:
        """Keep something said at a table: for good when this returns, and only then may anybody be told.
        Raises GameError."""
        with self._database.write() as session:
            self._changing(session, table_id)  # two lines at once: one waits for the other
            last = session.scalar(select(func.max(ChatRow.number)).where(ChatRow.table_id == table_id))
            number = 0 if last is None else last + 1
            row = ChatRow(
                table_id=table_id,
                number=number,
                person=person_id,
                seat=seat,
                name=clean_name(name),
                text=text,
                time=self._clock(),
            )
            session.add(row)
            session.execute(
                delete(ChatRow).where(ChatRow.table_id == table_id, ChatRow.number <= number - LINES_KEPT)
            )
        return line_of(row)

    def notes(self, table_id: str) -> dict[int, dict[str, tuple[str, ...]]]:
        """The notes of every seat: labels by element. Each seat's are secret to the others."""
        with self._database.read() as session:
            rows = session.scalars(select(NotesRow).where(NotesRow.table_id == table_id))
            return {
                row.seat: {element: tuple(labels) for element, labels in row.labels.items()} for row in rows
            }

    def set_note(
        self, table_id: str, seat: int, element: str, labels: Sequence[str]
    ) -> dict[str, tuple[str, ...]]:
        """Replace what a seat has pencilled on one element; returns all its notes. Raises GameError if there
        would be too many."""
        with self._database.write() as session:
            # two notes at once: one waits for the other
            self._changed(session, self._row(session, table_id), shows=False)
            row = session.get(NotesRow, (table_id, seat))
            kept = {key: list(value) for key, value in row.labels.items() if key != element} if row else {}
            if labels:
                if len(kept) >= NOTES_KEPT:
                    raise GameError(words('store.error.notes', most=NOTES_KEPT))
                kept[element] = list(labels)
            if row:
                row.labels, row.changes = kept, row.changes + 1
            else:
                session.add(NotesRow(table_id=table_id, seat=seat, labels=kept, changes=1))
        return {key: tuple(value) for key, value in kept.items()}
