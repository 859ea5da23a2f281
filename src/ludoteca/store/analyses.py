"""Boards for analysis, as their owners keep them, and tables that begin in the middle of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from sqlalchemy import delete, func, select
from sqlalchemy.orm import defer

from ludoteca.game import GameError
from ludoteca.match import Match, Setup
from ludoteca.store.entities import SeatPlan, Table, is_id, new_id, table_of
from ludoteca.store.models import AnalysisRow, PersonRow
from ludoteca.store.tables import Tables
from ludoteca.text import words

ANALYSES_KEPT = 100
"""How many boards a person can keep."""


@dataclass(frozen=True)
class Analysis:
    """A board for analysis. `tree` is its JSON form ('' in lists), `nodes` how many positions it has;
    `shared`: whoever has its address may look. `table`: the match that it began at ('': none), after `turn`
    turns, as `seat` knew it (-1: as everybody does). Times are in seconds since 1970."""

    owner: str
    game: str
    title: str
    tree: str
    nodes: int = 1
    shared: bool = False
    table: str = ''
    seat: int = -1
    turn: int = 0
    id: str = ''
    created: float = 0.0
    updated: float = 0.0


class Analyses(Tables):
    """Boards for analysis. Who may look at one is for the caller to say."""

    def analysis(self, analysis_id: str) -> Analysis | None:
        """The board of that id, if there is one."""
        if not is_id(analysis_id):
            return None
        with self._database.read() as session:
            row = session.get(AnalysisRow, analysis_id)
            return _analysis(row, row.tree) if row else None

    def analyses_of(self, person_id: str) -> tuple[Analysis, ...]:
        """A person's boards without their trees, those used last first."""
        query = select(AnalysisRow).where(AnalysisRow.owner == person_id).options(defer(AnalysisRow.tree))
        with self._database.read() as session:
            rows = session.scalars(query.order_by(AnalysisRow.updated.desc(), AnalysisRow.id))
            return tuple(_analysis(row, '') for row in rows)

    def add_analysis(self, new: Analysis) -> Analysis:
        """Keep a new board; its id and times are given here. Raises GameError if its owner has too many."""
        now = self._clock()
        with self._database.write() as session:
            # two boards at once: one waits for the other
            person = select(PersonRow.id).where(PersonRow.id == new.owner).with_for_update()
            if session.scalar(person) is None:
                raise GameError(words('store.error.no_guest'))
            count = select(func.count()).select_from(AnalysisRow).where(AnalysisRow.owner == new.owner)
            if (session.scalar(count) or 0) >= ANALYSES_KEPT:
                raise GameError(words('store.error.analyses', most=ANALYSES_KEPT))
            row = AnalysisRow(
                id=new_id(),
                owner=new.owner,
                game=new.game,
                title=new.title,
                tree=new.tree,
                nodes=new.nodes,
                shared=new.shared,
                table_id=new.table or None,
                seat=new.seat,
                turn=new.turn,
                created=now,
                updated=now,
            )
            session.add(row)
        return _analysis(row, new.tree)

    def change_analysis(self, analysis_id: str, change: Callable[[Analysis], Analysis]) -> Analysis:
        """Change title, tree or sharing of a board. Two changes at once happen one after the other. Raises
        GameError if there is no such board, and what `change` raises; then nothing is changed."""
        with self._database.write() as session:
            query = select(AnalysisRow).where(AnalysisRow.id == analysis_id).with_for_update()
            row = session.scalar(query) if is_id(analysis_id) else None
            if row is None:
                raise GameError(words('store.error.no_analysis'))
            now = change(_analysis(row, row.tree))
            row.title, row.tree, row.nodes, row.shared = now.title, now.tree, now.nodes, now.shared
            row.updated = self._clock()
            return replace(now, updated=row.updated)

    def remove_analysis(self, analysis_id: str, person_id: str) -> bool:
        """Delete a board; returns whether the person had one of that id."""
        if not is_id(analysis_id):
            return False
        query = delete(AnalysisRow).where(AnalysisRow.id == analysis_id, AnalysisRow.owner == person_id)
        with self._database.write() as session:
            return bool(cast(Any, session.execute(query)).rowcount)

    def open_position(self, owner: str, setup: Setup, seats: Sequence[SeatPlan]) -> Table:
        """A new table at which a match begins in the middle of a game (`Setup.position`). Nobody joins it,
        and its seats are not drawn. Raises GameError."""
        match = Match(setup)
        if match.result or not match.to_move:
            raise GameError(words('match.error.over'))
        with self._database.write() as session:
            chairs = [self._chair(session, k, plan) for k, plan in enumerate(seats)]
            for seat, (chair, colour) in enumerate(zip(chairs, match.colours, strict=True)):
                chair.colour, chair.waiting = colour, match.may_act(seat)
            row = self._new_table(session, setup, chairs, owner=owner, begin=False)
            row.setup, row.status, row.rated = setup.json(), 'running', False
            session.flush()
            return table_of(row, None)


def _analysis(row: AnalysisRow, tree: str) -> Analysis:
    return Analysis(
        row.owner,
        row.game,
        row.title,
        tree,
        row.nodes,
        row.shared,
        row.table_id or '',
        row.seat,
        row.turn,
        row.id,
        row.created,
        row.updated,
    )
