"""Tables: who sits where, and when the match begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain, count
from typing import Any

from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session

from ludoteca.game import GameError, load
from ludoteca.match import BOT, NAME_LENGTH, PERSON, Match, Seat, Setup, clean_name, deal_colours, draw_seats
from ludoteca.store.component_sets import keep_set
from ludoteca.store.entities import (
    OPEN,
    SeatPlan,
    Status,
    Table,
    added,
    goes_on,
    is_id,
    new_id,
    table_of,
)
from ludoteca.store.keys import Keys
from ludoteca.store.matches import ADD_ENTRIES, Matches, rows_of
from ludoteca.store.models import ExerciseRow, LessonRow, PersonRow, SeatRow, TableRow, TokenRow
from ludoteca.text import words


class Tables(Keys, Matches):
    """Tables from the moment when they are opened; links let people take seats."""

    # ---- what there is

    def table(self, table_id: str) -> Table | None:
        """The table of that id, if there is one."""
        if not is_id(table_id):
            return None
        with self._database.read() as session:
            row = session.get(TableRow, table_id)
            return table_of(row, self._following(session, table_id)) if row else None

    def tables_of(self, person_id: str, limit: int = 100) -> tuple[Table, ...]:
        """A person's tables: those waiting for it first, then running, open, and the rest, each newest
        first. Exercises are not among them."""
        waiting = select(SeatRow.table_id).where(
            SeatRow.person == person_id, SeatRow.kind == PERSON, SeatRow.waiting
        )
        mine = select(SeatRow.table_id).where(SeatRow.person == person_id)
        order = (
            TableRow.id.in_(waiting).desc(),
            (TableRow.status == 'running').desc(),
            (TableRow.status == 'open').desc(),
            TableRow.updated.desc(),
            TableRow.id,
        )
        query = select(TableRow).where(
            (TableRow.owner == person_id) | TableRow.id.in_(mine),
            TableRow.status != 'closed',
            TableRow.id.not_in(select(ExerciseRow.table_id)),
        )
        return self._tables(query.order_by(*order).limit(limit))

    def earlier_games(self, person_id: str, table: Table) -> int:
        """How many games of the same title, in which turns were played, a person began before a table.
        Lessons and exercises are not counted."""
        mine = select(SeatRow.table_id).where(SeatRow.person == person_id)
        query = select(func.count()).where(
            TableRow.id.in_(mine),
            TableRow.game == table.game,
            TableRow.created < table.created,
            TableRow.turns > 0,
            TableRow.id.not_in(select(LessonRow.table_id)),
            TableRow.id.not_in(select(ExerciseRow.table_id)),
        )
        with self._database.read() as session:
            return session.scalar(query) or 0

    def open_tables(self, limit: int = 100) -> tuple[Table, ...]:
        """The tables in the lobby that anybody may join, newest first."""
        free = select(SeatRow.table_id).where(SeatRow.kind == OPEN)
        query = select(TableRow).where(TableRow.status == 'open', TableRow.listed, TableRow.id.in_(free))
        return self._tables(query.order_by(TableRow.updated.desc(), TableRow.id).limit(limit))

    def watchable_tables(self, limit: int = 100) -> tuple[Table, ...]:
        """The tables in the lobby whose match has begun and is not over, the one with the newest turn
        first."""
        query = select(TableRow).where(TableRow.status == 'running', TableRow.listed)
        return self._tables(query.order_by(TableRow.updated.desc(), TableRow.id).limit(limit))

    def count_tables(self, owner: str | None = None, status: Status | None = None, since: float = 0.0) -> int:
        """How many tables there are, of an owner, in a state, opened after a time: for limits."""
        query = select(func.count()).select_from(TableRow).where(TableRow.created >= since)
        if owner is not None:
            query = query.where(TableRow.owner == owner)
        if status is not None:
            query = query.where(TableRow.status == status)
        with self._database.read() as session:
            return session.scalar(query) or 0

    def score(self, table: Table) -> dict[str, float]:
        """By colour what was won in the games of which this table is the rematch: in all of them, or since
        the best of three began."""
        score = dict[str, float]()
        with self._database.read() as session:
            while table.previous and table.series != 1:
                table = table_of(session.get_one(TableRow, table.previous), table.id)
                score = added(score, table.wins)
        return score

    def _following(self, session: Session, table_id: str) -> str | None:
        return session.scalar(select(TableRow.id).where(TableRow.previous == table_id))

    def _tables(self, query: Select[Any]) -> tuple[Table, ...]:
        with self._database.read() as session:
            rows = session.scalars(query).all()
            rematches = select(TableRow.previous, TableRow.id).where(
                TableRow.previous.in_([row.id for row in rows])
            )
            following = {previous: table_id for previous, table_id in session.execute(rematches)}  # noqa: C416 (rows, not tuples)
            return tuple(table_of(row, following.get(row.id)) for row in rows)

    # ---- opening, joining, leaving

    def open_table(
        self,
        game: str,
        seats: Sequence[SeatPlan],
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        owner: str | None = None,
        listed: bool = False,
        shuffled: bool = True,
        begin: bool = True,
        hints: bool = False,
    ) -> Table:
        """A new table; seats not named are open. If none is open the match begins at once, unless `begin` is
        False: then it is for a call of `begin`, as in `join` and `fill` (to begin needs the compiled rules).
        `listed`: in the lobby for everybody; `shuffled`: who sits where is drawn when the match begins;
        `hints`: see `Table.hints_open`. Raises GameError."""
        rules = load(game)
        players = max(len(seats), rules.players[0]) if players is None else players
        plan = [*seats, *(SeatPlan(OPEN) for _ in range(players - len(seats)))]
        with self._database.write() as session:
            chairs = [self._chair(session, k, s) for k, s in enumerate(plan)]
            checked = Setup.new(
                game,
                players,
                options,
                [self._seat(chair) for chair in chairs],
                0,
                [chair.colour for chair in chairs],
            )
            row = self._new_table(
                session, checked, chairs, owner, listed=listed, shuffled=shuffled, begin=begin, hints=hints
            )
        return table_of(row, None)

    def join(
        self,
        table_id: str,
        person_id: str,
        invite: str | None = None,
        name: str = '',
        begin: bool = True,
        colour: str = '',
    ) -> Table:
        """Take an open seat, with the table's link or, if it is listed, without. When the last is taken the
        match begins. A second time with the link does nothing. `colour` is what the person would like to
        have: it is theirs if it was not chosen for another seat before; else the seat has the colour that was
        chosen for it, if any. Raises GameError."""
        with self._database.write() as session:
            row = self._changing(session, table_id)
            seated = any(chair.person == person_id for chair in row.seats)
            if invite is None and not row.listed:
                raise GameError(words('store.error.private'))
            if invite is not None and self.invited(invite) != table_id:
                raise GameError(words('store.error.link'))
            if invite is not None and seated:
                return table_of(row, self._following(session, table_id))
            chairs = [chair for chair in row.seats if chair.kind == OPEN]
            if not chairs:
                raise GameError(words('store.error.full'))
            if row.status != 'open':
                raise GameError(words('store.error.closed_table'))
            if seated:
                raise GameError(words('store.error.seated'))
            taken = any(chair.colour == colour for chair in row.seats if chair is not chairs[0])
            plan = SeatPlan(PERSON, person_id, name, colour='' if taken else colour)
            self._fill(session, chairs[0], plan, row.seats)
            if begin:
                self._begin_if_full(session, row)
            row.updated = self._clock()
        return table_of(row, None)

    def fill(
        self,
        table_id: str,
        seat: int | None,
        plan: SeatPlan,
        begin: bool = True,
        names: Sequence[str] = (),
    ) -> Table:
        """Give an open seat (None: all that are open) to a bot or a person; when no other is left the match
        begins. Each is called by the first of `names` that nobody at the table has. Raises GameError."""
        with self._database.write() as session:
            row = self._changing(session, table_id)
            chairs = [
                chair
                for chair in row.seats
                if chair.kind == OPEN and row.status == 'open' and seat in (None, chair.seat)
            ]
            if not chairs:
                raise GameError(words('store.error.not_open'))
            for chair in chairs:
                self._fill(session, chair, plan, row.seats, names)
            if begin:
                self._begin_if_full(session, row)
            row.updated = self._clock()
        return table_of(row, None)

    def choose_colour(self, table_id: str, person_id: str, seat: int, colour: str) -> Table:
        """Give a person's seat a colour before the match begins; '' for what will be left. Raises GameError
        if another has it."""
        with self._database.write() as session:
            row = self._changing(session, table_id)
            chairs = [chair for chair in row.seats if chair.person == person_id and chair.seat == seat]
            if not chairs:
                raise GameError(words('store.error.seatless'))
            if row.status != 'open':
                raise GameError(
                    words(f'store.error.{"closed_table" if row.status == "closed" else "coloured"}')
                )
            if colour and any(chair.colour == colour for chair in row.seats if chair is not chairs[0]):
                raise GameError(words('store.error.colour', colour=colour))
            deal_colours(load(row.game).colours(row.players), [colour])  # is it one?
            chairs[0].colour = colour
            row.updated = self._clock()
        return table_of(row, None)

    def begin(self, table_id: str) -> Table:
        """Let the match begin, if no seat is open and it has not begun. Raises GameError if there is no such
        table."""
        with self._database.write() as session:
            row = self._changing(session, table_id)
            if row.status == 'open':
                self._begin_if_full(session, row)
        return table_of(row, None)

    def to_begin(self) -> list[Table]:
        """The tables at which all seats are taken but whose match has not begun."""
        free = select(SeatRow.table_id).where(SeatRow.kind == OPEN)
        query = select(TableRow).where(TableRow.status == 'open', TableRow.id.not_in(free))
        return list(self._tables(query.order_by(TableRow.created, TableRow.id)))

    def leave(self, table_id: str, person_id: str) -> Table:
        """Stand up from a table whose match has not begun; if its owner does, the table is closed. Raises
        GameError."""
        with self._database.write() as session:
            row = self._changing(session, table_id)
            if row.status != 'open':
                raise GameError(words(f'store.error.{"closed_table" if row.status == "closed" else "begun"}'))
            chairs = [chair for chair in row.seats if chair.person == person_id]
            if row.owner == person_id:
                row.status, chairs = 'closed', list(row.seats)
            elif not chairs:
                raise GameError(words('store.error.seatless'))
            else:
                for chair in chairs:
                    chair.kind, chair.person, chair.name, chair.colour = OPEN, None, '', ''
            session.execute(
                update(TokenRow)
                .where(TokenRow.table_id == table_id, TokenRow.seat.in_([c.seat for c in chairs]))
                .values(revoked=True)
            )  # the next person on the seat is somebody else
            row.updated = self._clock()
        return table_of(row, None)

    def rematch(self, table_id: str, best_of: int = 1) -> Table:
        """The table of the rematch, seated as the game declares; if it was opened already, that one. It is
        the next game of the best of three, if that goes on, otherwise the first of one if `best_of` says so.
        Raises GameError."""
        live = self.live(table_id)
        with live.lock:
            setup, order = live.match.rematch()
        table = self.table(table_id)
        assert table is not None
        going = goes_on(table.series, added(self.score(table), table.wins))
        series = table.series + 1 if going else int(best_of > 1)
        with self._database.write() as session:
            old = self._changing(session, table_id)
            if following := self._following(session, table_id):
                return table_of(self._row(session, following), self._following(session, following))
            people, colours = [chair.person for chair in old.seats], live.match.colours
            chairs = _chairs(setup, [people[k] for k in order], [colours[k] for k in order])
            row = self._new_table(
                session, setup, chairs, old.owner, previous=old.id, hints=old.hints, series=series
            )
        return table_of(row, None)

    def import_match(self, owner: str, match: Match) -> Table:
        """A table with a finished match that was read from a file. Its seats are nobody's."""
        assert match.result
        setup = replace(match.setup, imported=True)
        with self._database.write() as session:
            chairs = _chairs(setup, [None] * len(setup.seats), match.colours)
            row = self._new_table(session, setup, chairs, owner, begin=False)
            row.setup, row.status, row.rated = setup.json(), 'finished', False
            row.turns, row.entries, row.result = match.turns, len(match.entries), asdict(match.result)
            session.flush()
            if match.entries:
                session.execute(ADD_ENTRIES, rows_of(row.id, match.entries))
            return table_of(row, None)

    # ---- inside a transaction

    def _chair(self, session: Session, seat: int, plan: SeatPlan) -> SeatRow:
        chair = SeatRow(
            seat=seat,
            kind=OPEN,
            level='',
            person=None,
            name='',
            waiting=False,
            colour=plan.colour,
        )
        if plan.kind != OPEN:
            self._fill(session, chair, plan)
        return chair

    def _fill(
        self,
        session: Session,
        chair: SeatRow,
        plan: SeatPlan,
        others: Sequence[SeatRow] = (),
        names: Sequence[str] = (),
    ) -> None:
        """Somebody sits down beside `others`, called unlike them: by the plan's name, or one of `names`."""
        name = plan.name
        if plan.kind == PERSON and plan.person is not None:
            person = session.get(PersonRow, plan.person)
            if person is None:
                raise GameError(words('store.error.no_guest'))
            name = name or person.name
        chair.kind, chair.level, chair.name = (
            plan.kind,
            plan.level if plan.kind == BOT else '',
            _unlike([clean_name(one) for one in names or (name,)], [other.name for other in others]),
        )
        chair.person = plan.person if plan.kind == PERSON else None
        chair.colour = plan.colour or chair.colour

    def _seat(self, chair: SeatRow) -> Seat:
        return Seat(chair.name, BOT if chair.kind == BOT else PERSON, chair.level)

    def _new_table(
        self,
        session: Session,
        setup: Setup,
        chairs: list[SeatRow],
        owner: str | None,
        listed: bool = False,
        shuffled: bool = False,
        previous: str | None = None,
        begin: bool = True,
        hints: bool = False,
        series: int = 0,
    ) -> TableRow:
        now = self._clock()
        keep_set(session, setup.game, now)
        row = TableRow(
            id=new_id(),
            game=setup.game,
            version=setup.version,
            players=setup.players,
            options=dict(setup.options),
            setup=None,
            status='open',
            sentence='',
            listed=listed,
            hints=hints,
            shuffled=shuffled,
            owner=owner,
            previous=previous,
            series=series,
            turns=0,
            entries=0,
            result=None,
            created=now,
            updated=now,
            seats=chairs,
        )
        session.add(row)
        if begin:
            self._begin_if_full(session, row)
        return row

    def _begin_if_full(self, session: Session, row: TableRow) -> None:
        """Draw who sits where, deal the colours that are left, draw the seed, and let the match begin, if no
        seat is open."""
        if any(chair.kind == OPEN for chair in row.seats):
            return
        chairs = list(row.seats)
        order = draw_seats(len(chairs)) if row.shuffled else tuple(range(len(chairs)))
        kept = [(c.kind, c.level, c.person, c.name) for c in (chairs[k] for k in order)]
        setup = Setup.new(
            row.game,
            row.players,
            row.options,
            [self._seat(chairs[k]) for k in order],
            colours=[chairs[k].colour for k in order],
        )
        match = Match(setup)
        tokens = session.scalars(select(TokenRow).where(TokenRow.table_id == row.id)).all()
        for token in tokens:  # a token goes with its seat
            token.seat = order.index(token.seat)
        for k, (chair, values) in enumerate(zip(chairs, kept, strict=True)):
            chair.kind, chair.level, chair.person, chair.name = values
            chair.colour, chair.waiting = match.colours[k], match.may_act(k)
        row.setup, row.status, row.version = setup.json(), 'running', setup.version


def _chairs(setup: Setup, people: Sequence[str | None], colours: Sequence[str]) -> list[SeatRow]:
    """The seats of a match whose set-up is complete."""
    return [
        SeatRow(
            seat=k,
            kind=who.kind,
            level=who.level[:NAME_LENGTH],
            person=people[k],
            name=who.name,
            waiting=False,
            colour=colours[k],
        )
        for k, who in enumerate(setup.seats)
    ]


def _unlike(names: Sequence[str], others: Iterable[str]) -> str:
    """The first of the names that none of the `others` has. If all are taken, the last one gets the least
    number from 2 that tells it from them; two may have no name."""
    taken = {other.casefold() for other in others if other}
    numbered = (f'{names[-1][: NAME_LENGTH - 3]} {number}' for number in count(2))
    return next(name for name in chain(names, numbered) if name.casefold() not in taken)
