"""Reviews of finished matches: each turn that has been judged, so that none is judged twice.

A review is known by its key (`review.key_of`), which is the same for all who ask. Its server is the one that
judges its turns, as long as it says so; another one may go on afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from ludoteca.store.models import JudgedTurnRow, ReviewRow
from ludoteca.store.tables import Tables

HELD = 60.0
"""Seconds for which a server has a review if it does not say more: a turn takes much less."""
ReviewStatus = Literal['running', 'stopped', 'done']


@dataclass(frozen=True)
class KeptReview:
    """How far a review has come: `judged` turns of `turns`."""

    key: str
    table: str
    turns: int
    status: ReviewStatus
    judged: int


class Reviews(Tables):
    """The reviews of all matches."""

    def kept_review(self, key: str) -> KeptReview | None:
        """How far the review of that key has come; None if nobody has asked for it."""
        with self._database.read() as session:
            row = session.get(ReviewRow, key)
            return _kept(session, row) if row else None

    def ask_review(self, key: str, table_id: str, turns: int) -> KeptReview:
        """Have a review made, or go on with one that was stopped."""
        values = {
            'key': key,
            'table_id': table_id,
            'turns': turns,
            'status': 'running',
            'server': '',
            'until': 0.0,
            'created': self._clock(),
        }
        with self._database.write() as session:
            session.execute(_insert(session, ReviewRow).values(**values).on_conflict_do_nothing())
            session.execute(
                update(ReviewRow)
                .where(ReviewRow.key == key, ReviewRow.status == 'stopped')
                .values(status='running')
            )
            return _kept(session, session.get_one(ReviewRow, key))

    def stop_review(self, key: str) -> None:
        """Stop a review. What has been judged is kept."""
        with self._database.write() as session:
            session.execute(
                update(ReviewRow)
                .where(ReviewRow.key == key, ReviewRow.status == 'running')
                .values(status='stopped', server='', until=0.0)
            )

    def claim_review(self, key: str, server: str) -> bool:
        """Is it this server that judges the turns of a review from now on?"""
        now = self._database.now()
        held = self._database.holds(ReviewRow.until, HELD)
        with self._database.write() as session:
            done = session.execute(
                update(ReviewRow)
                .where(
                    ReviewRow.key == key,
                    ReviewRow.status == 'running',
                    ~held | (ReviewRow.server == server),
                )
                .values(server=server, until=now + HELD)
                .returning(ReviewRow.key),
                execution_options={'synchronize_session': False},
            )
            return done.scalar() is not None

    def release_review(self, key: str, server: str) -> None:
        """Leave a review to whoever goes on with it."""
        with self._database.write() as session:
            session.execute(
                update(ReviewRow)
                .where(ReviewRow.key == key, ReviewRow.server == server)
                .values(server='', until=0.0)
            )

    def keep_judged(self, key: str, number: int, judged: Mapping[str, Any]) -> KeptReview:
        """Keep a turn that was judged. With the last one the review is done."""
        with self._database.write() as session:
            row = session.get_one(ReviewRow, key, with_for_update=True)
            values = {'review': key, 'number': number, 'judged': dict(judged)}
            session.execute(_insert(session, JudgedTurnRow).values(**values).on_conflict_do_nothing())
            found = _kept(session, row)
            if found.judged == row.turns:
                row.status, row.server, row.until = 'done', '', 0.0
                session.flush()
                return _kept(session, row)
            if row.status == 'running':
                row.until = self._database.now() + HELD
            return found

    def judged_turns(self, key: str) -> dict[int, dict[str, Any]]:
        """By its number from 0, each turn of a review that was judged."""
        query = select(JudgedTurnRow.number, JudgedTurnRow.judged).where(JudgedTurnRow.review == key)
        with self._database.read() as session:
            return {row.number: row.judged for row in session.execute(query)}

    def judged_numbers(self, key: str) -> set[int]:
        """The numbers of the turns that were judged."""
        query = select(JudgedTurnRow.number).where(JudgedTurnRow.review == key)
        with self._database.read() as session:
            return set(session.scalars(query))


def _insert(session: Session, model: type[Any]) -> Any:
    return (sqlite.insert if session.get_bind().dialect.name == 'sqlite' else postgresql.insert)(model)


def _kept(session: Session, row: ReviewRow) -> KeptReview:
    query = select(func.count()).select_from(JudgedTurnRow).where(JudgedTurnRow.review == row.key)
    status: Any = row.status
    return KeptReview(row.key, row.table_id, row.turns, status, session.scalar(query) or 0)
