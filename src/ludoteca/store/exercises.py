"""Exercises: which one is done at a table and how far it has come, and what people have done with puzzles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from ludoteca.game import GameError
from ludoteca.match import Match, Setup
from ludoteca.store.entities import SeatPlan, Table, table_of
from ludoteca.store.models import ExerciseRow, PuzzleCardRow, PuzzleDaysRow, TableRow
from ludoteca.store.tables import Tables
from ludoteca.text import words


@dataclass(frozen=True)
class Sitting:
    """How far an exercise at a table has come. `task`: which own turn is sought, from 0. `kind`: what became
    of the last answer: '' nothing is answered yet, 'wrong', 'solved' (the whole exercise is), or 'shown' (the
    solution of the task is on the board). `tries`: wrong answers and solutions shown so far. `said`: what was
    said last."""

    task: int = 0
    kind: str = ''
    tries: int = 0
    said: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PuzzleCard:
    """What a person has done with a puzzle: the card of the scheduler, when the puzzle comes back (seconds
    since 1970), and how often it was solved and failed."""

    puzzle: str
    game: str
    card: Mapping[str, Any]
    due: float
    solved: int
    failed: int


@dataclass(frozen=True)
class PuzzleDays:
    """On how many days in a row a person has solved a puzzle: the last day (days since 1970, UTC), how many
    up to it, and how many at most."""

    day: int = -1
    run: int = 0
    best: int = 0

    def with_day(self, day: int) -> PuzzleDays:
        """The same with a puzzle solved on a day. Clocks are put right a little, and those of several servers
        differ: what was solved after midnight may be followed by the day before."""
        if self.day - 1 <= day <= self.day:
            return self
        run = self.run + 1 if day == self.day + 1 else 1
        return PuzzleDays(day, run, max(run, self.best))

    def current(self, day: int) -> int:
        """How many days in a row there are, as seen on a day that may not have its puzzle yet."""
        return self.run if day - self.day <= 1 else 0


class Exercises(Tables):
    """Exercises are tables of their own, as lessons are. Nobody joins them, and their matches do not end."""

    def open_exercise(
        self, owner: str, setup: Setup, seats: Sequence[SeatPlan], exercise: Mapping[str, Any]
    ) -> Table:
        """A new table with an exercise. Raises GameError."""
        with self._database.write() as session:
            chairs = [self._chair(session, k, plan) for k, plan in enumerate(seats)]
            match = Match(setup)
            for chair, colour in zip(chairs, match.colours, strict=True):
                chair.colour = colour
            row = self._new_table(session, setup, chairs, owner=owner, begin=False)
            row.setup, row.status, row.rated = setup.json(), 'running', False
            session.flush()
            session.add(
                ExerciseRow(table_id=row.id, exercise=dict(exercise), task=0, kind='', tries=0, said={})
            )
            return table_of(row, None)

    def exercise(self, table_id: str) -> tuple[Mapping[str, Any], Sitting] | None:
        """The exercise at a table and how far it has come; None at all other tables."""
        with self._database.read() as session:
            row = session.get(ExerciseRow, table_id)
            return (row.exercise, sitting_of(row)) if row else None

    def exercises_of(self, person_id: str) -> list[Table]:
        """The tables with exercises that a person has open, the newest first."""
        query = (
            select(TableRow)
            .join(ExerciseRow, ExerciseRow.table_id == TableRow.id)
            .where(TableRow.owner == person_id, TableRow.status == 'running')
            .order_by(TableRow.created.desc(), TableRow.id)
        )
        with self._database.read() as session:
            return [table_of(row, None) for row in session.scalars(query)]

    def keep_exercise(
        self,
        table_id: str,
        sitting: Sitting,
        person: str | None = None,
        review: Callable[[PuzzleCard | None], PuzzleCard] | None = None,
        day: int | None = None,
    ) -> Sitting:
        """Keep how far an exercise has come. `review` makes the person's new card of the old one; `day`: the
        person has solved a puzzle on it. Raises GameError if there is no such exercise."""
        with self._database.write() as session:
            table, row = self._row(session, table_id), session.get(ExerciseRow, table_id)
            if row is None:
                raise GameError(words('store.error.no_table'))
            row.task, row.kind, row.tries, row.said = (
                sitting.task,
                sitting.kind,
                sitting.tries,
                dict(sitting.said),
            )
            self._changed(session, table)
            if review is not None and person is not None:
                puzzle = str(row.exercise.get('id', ''))
                known = session.get(PuzzleCardRow, (person, puzzle))
                card = review(card_of(known) if known else None)
                if known is None:
                    known = PuzzleCardRow(person=person, puzzle=puzzle, game=card.game)
                    session.add(known)
                known.card, known.due = dict(card.card), card.due
                known.solved, known.failed = card.solved, card.failed
            if day is not None and person is not None:
                days = session.get(PuzzleDaysRow, person)
                now = (days_of(days) if days else PuzzleDays()).with_day(day)
                if days is None:
                    days = PuzzleDaysRow(person=person)
                    session.add(days)
                days.day, days.run, days.best = now.day, now.run, now.best
            return sitting_of(row)

    def puzzle_cards(self, person_id: str) -> dict[str, PuzzleCard]:
        """What a person has done with puzzles, by their ids."""
        query = select(PuzzleCardRow).where(PuzzleCardRow.person == person_id)
        with self._database.read() as session:
            return {row.puzzle: card_of(row) for row in session.scalars(query)}

    def puzzle_days(self, person_id: str) -> PuzzleDays:
        """On how many days in a row a person has solved a puzzle."""
        with self._database.read() as session:
            row = session.get(PuzzleDaysRow, person_id)
            return days_of(row) if row else PuzzleDays()


def sitting_of(row: ExerciseRow) -> Sitting:
    """How far an exercise has come, as its row says."""
    return Sitting(row.task, row.kind, row.tries, dict(row.said))


def card_of(row: PuzzleCardRow) -> PuzzleCard:
    """A card, as its row says."""
    return PuzzleCard(row.puzzle, row.game, dict(row.card), row.due, row.solved, row.failed)


def days_of(row: PuzzleDaysRow) -> PuzzleDays:
    """Days in a row, as their row says."""
    return PuzzleDays(row.day, row.run, row.best)
