"""Lessons: how far each has come, and how many people have begun and finished each step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from ludoteca.game import GameError
from ludoteca.match import Match, Setup
from ludoteca.store.entities import SeatPlan, Table, table_of
from ludoteca.store.models import LessonCountRow, LessonRow, SeatRow, TableRow
from ludoteca.store.tables import Tables
from ludoteca.text import words


@dataclass(frozen=True)
class LessonProgress:
    """How far a lesson at a table has come. `furthest`: the last step that was ever reached. `accepted`: a
    good other move of this step is on the board, and its words have this key. `until`: after how many turns
    of the match the pupil began to play on; -1: the lesson still goes on."""

    lesson: str
    step: int = 0
    furthest: int = 0
    accepted: str = ''
    until: int = -1

    @property
    def scripted(self) -> bool:
        """Does the lesson still go on?"""
        return self.until < 0


@dataclass(frozen=True)
class StepCount:
    """How many lessons have reached a step, and how many have gone on from it."""

    game: str
    lesson: str
    step: int
    begun: int
    finished: int


class Lessons(Tables):
    """Lessons are tables of their own; nobody joins them, and their seats are not drawn."""

    def open_lesson(
        self, owner: str, setup: Setup, seats: Sequence[SeatPlan], step: int, play: Callable[[Match], None]
    ) -> Table:
        """A new table at which a lesson begins at a step: `play` brings the match there. Raises GameError
        if the rules do not let it, and leaves no table behind then."""
        trial = Match(setup)
        play(trial)
        with self._database.write() as session:
            chairs = [self._chair(session, k, plan) for k, plan in enumerate(seats)]
            for chair, colour in zip(chairs, trial.colours, strict=True):
                chair.colour = colour
            row = self._new_table(session, setup, chairs, owner=owner, begin=False)
            row.setup, row.status, row.rated = setup.json(), 'running', False
            session.flush()
            session.add(_row(row.id, LessonProgress(setup.lesson, step, step)))
            _count(session, row.game, setup.lesson, step, begun=1)
            table_id = row.id
        self.live(table_id).change(play)
        found = self.table(table_id)
        assert found is not None
        return found

    def lesson_progress(self, table_id: str) -> LessonProgress | None:
        """How far the lesson at a table has come; None at all other tables."""
        with self._database.read() as session:
            row = session.get(LessonRow, table_id)
            return progress_of(row) if row else None

    def keep_lesson(self, table_id: str, progress: LessonProgress, finished: bool = False) -> LessonProgress:
        """Keep how far a lesson has come, and count what is reached for the first time. `finished`: the pupil
        has gone on from the last step. Raises GameError if there is no such lesson."""
        with self._database.write() as session:
            table, row = self._row(session, table_id), session.get(LessonRow, table_id)
            if row is None:
                raise GameError(words('store.error.no_table'))
            first = progress.step if row.furthest < progress.step else row.furthest
            for step in range(row.furthest, first):
                _count(session, table.game, row.lesson, step, finished=1)
                _count(session, table.game, row.lesson, step + 1, begun=1)
            if finished and row.until < 0:
                _count(session, table.game, row.lesson, progress.step, finished=1)
            row.step, row.accepted, row.until = progress.step, progress.accepted, progress.until
            row.furthest = first
            self._changed(session, table)
            return progress_of(row)

    def lessons_of(self, person_id: str) -> list[tuple[Table, LessonProgress]]:
        """The lessons that a person has begun, the newest first."""
        mine = select(SeatRow.table_id).where(SeatRow.person == person_id)
        query = (
            select(TableRow, LessonRow)
            .join(LessonRow, LessonRow.table_id == TableRow.id)
            .where(TableRow.id.in_(mine))
            .order_by(TableRow.created.desc(), TableRow.id)
        )
        with self._database.read() as session:
            return [(table_of(table, None), progress_of(row)) for table, row in session.execute(query)]

    def lesson_counts(self) -> list[StepCount]:
        """The counts of all lessons, in the order of their steps. No person is in them."""
        order = (LessonCountRow.game, LessonCountRow.lesson, LessonCountRow.step)
        with self._database.read() as session:
            rows = session.scalars(select(LessonCountRow).order_by(*order))
            return [StepCount(row.game, row.lesson, row.step, row.begun, row.finished) for row in rows]


def _row(table_id: str, progress: LessonProgress) -> LessonRow:
    return LessonRow(
        table_id=table_id,
        lesson=progress.lesson,
        step=progress.step,
        furthest=progress.furthest,
        accepted=progress.accepted,
        until=progress.until,
    )


def progress_of(row: LessonRow) -> LessonProgress:
    """How far a lesson has come, as its row says."""
    return LessonProgress(row.lesson, row.step, row.furthest, row.accepted, row.until)


def _count(session: Session, game: str, lesson: str, step: int, begun: int = 0, finished: int = 0) -> None:
    """Count one more. Two lessons may reach a step at the same moment, at different servers."""
    insert: Any = sqlite.insert if session.get_bind().dialect.name == 'sqlite' else postgresql.insert
    query = insert(LessonCountRow).values(game=game, lesson=lesson, step=step, begun=begun, finished=finished)
    more = {'begun': LessonCountRow.begun + begun, 'finished': LessonCountRow.finished + finished}
    session.execute(query.on_conflict_do_update(index_elements=['game', 'lesson', 'step'], set_=more))
