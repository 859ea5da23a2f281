"""The tables of the database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Dialect,
    Double,
    ForeignKey,
    Index,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    true,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Json(TypeDecorator[dict[str, Any]]):
    """A JSON object. What is none in a row is an empty one: the lists in which the row stands go on, and
    whoever needs the value finds it missing."""

    impl = JSON
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """What reads a value."""
        read = super().result_processor(dialect, coltype)

        def process(value: Any) -> Any:
            try:
                found = read(value) if read else value
            except ValueError:
                return {}
            return found if found is None or isinstance(found, dict) else {}

        return process

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        """Parts of the object are compared as JSON compares them."""
        return self.impl_instance.coerce_compared_value(op, value)


class Base(DeclarativeBase):
    """Constraints have names, so that later migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            'ix': 'ix_%(table_name)s_%(column_0_N_name)s',
            'uq': 'uq_%(table_name)s_%(column_0_N_name)s',
            'ck': 'ck_%(table_name)s_%(constraint_name)s',
            'fk': 'fk_%(table_name)s_%(column_0_N_name)s',
            'pk': 'pk_%(table_name)s',
        }
    )
    type_annotation_map = {dict[str, Any]: Json(none_as_null=True), float: Double}  # noqa: RUF012 (read by SQLAlchemy)


class PersonRow(Base):
    """Somebody with a cookie. Times are in seconds since 1970."""

    __tablename__ = 'people'
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    settings: Mapped[dict[str, Any]]
    created: Mapped[float]
    seen: Mapped[float]


class TableRow(Base):
    """A table, and the match at it once all seats are taken. `setup` holds the seed."""

    __tablename__ = 'tables'
    __table_args__ = (
        CheckConstraint("status in ('open', 'running', 'finished', 'frozen', 'closed')", name='status'),
        Index(None, 'status', 'listed', 'updated'),
    )
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(40))
    version: Mapped[int]
    players: Mapped[int]
    options: Mapped[dict[str, Any]]
    setup: Mapped[dict[str, Any] | None]
    status: Mapped[str] = mapped_column(String(8))
    sentence: Mapped[str] = mapped_column(Text)  # why it is frozen
    listed: Mapped[bool]  # in the lobby, else by link only
    hints: Mapped[bool] = mapped_column(
        server_default=false(), default=False
    )  # hints for people who play each other
    shuffled: Mapped[bool]  # is it drawn who sits where?
    owner: Mapped[str | None] = mapped_column(ForeignKey('people.id'), index=True)
    # the table of which it is the rematch
    previous: Mapped[str | None] = mapped_column(ForeignKey('tables.id'), unique=True)
    # which game of a best of three it is, from 1; 0: of none
    series: Mapped[int] = mapped_column(server_default='0', default=0)
    turns: Mapped[int]
    entries: Mapped[int]  # how many the log has
    result: Mapped[dict[str, Any] | None]
    rated: Mapped[bool] = mapped_column(server_default=true(), default=True)  # does it count? see Match.rated
    created: Mapped[float]
    updated: Mapped[float]
    # goes up with all that a server with the table in memory must know of; secret, since drafts count
    revision: Mapped[int] = mapped_column(server_default='0', default=0)
    # goes up with what everybody at the table can see, the log apart
    shown: Mapped[int] = mapped_column(server_default='0', default=0)
    seats: Mapped[list[SeatRow]] = relationship(
        order_by='SeatRow.seat', cascade='all, delete-orphan', lazy='selectin'
    )


class ComponentSetRow(Base):
    """A component set with which a table was opened, by the name of the game with it; see
    `game.components`."""

    __tablename__ = 'component_sets'
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    data: Mapped[dict[str, Any]]
    created: Mapped[float]


class SeatRow(Base):
    """A seat at a table: a person's, a bot's, or open. Before the match begins the order of the seats may
    still be drawn."""

    __tablename__ = 'seats'
    __table_args__ = (CheckConstraint("kind in ('person', 'bot', 'open')", name='kind'),)
    table_id: Mapped[str] = mapped_column(ForeignKey('tables.id'), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(6))
    level: Mapped[str] = mapped_column(String(40))
    person: Mapped[str | None] = mapped_column(ForeignKey('people.id'), index=True)
    name: Mapped[str] = mapped_column(String(40))
    waiting: Mapped[bool]  # can this seat choose something now, or answer to a rematch?
    # '': not chosen; in a match: the game's own
    colour: Mapped[str] = mapped_column(String(8), server_default='')


class EntryRow(Base):
    """One line of a match's log, never changed and never deleted."""

    __tablename__ = 'entries'
    table_id: Mapped[str] = mapped_column(ForeignKey('tables.id'), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(8))
    seat: Mapped[int]
    action: Mapped[int]
    name: Mapped[str] = mapped_column(Text)
    hash: Mapped[str] = mapped_column(String(32))
    time: Mapped[float]


class ChatRow(Base):
    """Something said at a table. Of each table the last lines are kept."""

    __tablename__ = 'chat'
    table_id: Mapped[str] = mapped_column(ForeignKey('tables.id'), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[str | None] = mapped_column(ForeignKey('people.id'))
    # -1: before the match began, or by somebody without a seat
    seat: Mapped[int]
    name: Mapped[str] = mapped_column(String(40))  # of who said it, at that time
    text: Mapped[str] = mapped_column(Text)
    time: Mapped[float]


class FavouriteRow(Base):
    """An arrangement that a person likes to use again: the names of all its steps."""

    __tablename__ = 'favourites'
    __table_args__ = (UniqueConstraint('person', 'game', 'name'),)
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey('people.id'))
    game: Mapped[str] = mapped_column(String(40))
    name: Mapped[str] = mapped_column(String(40))
    steps: Mapped[str] = mapped_column(Text)
    created: Mapped[float]


class NotesRow(Base):
    """What a seat pencilled on things in the drawing: labels by element. No other seat may see it."""

    __tablename__ = 'notes'
    table_id: Mapped[str] = mapped_column(ForeignKey('tables.id'), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    labels: Mapped[dict[str, Any]]
    changes: Mapped[int] = mapped_column(server_default='0', default=0)  # how often they were changed


class LessonRow(Base):
    """How far the lesson at a table has come; see `store.lessons.Progress`."""

    __tablename__ = 'lessons'
    table_id: Mapped[str] = mapped_column(ForeignKey('tables.id'), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(40))
    step: Mapped[int]
    furthest: Mapped[int]
    accepted: Mapped[str] = mapped_column(String(40))
    until: Mapped[int]


class LessonCountRow(Base):
    """How many lessons have reached a step, and have gone on from it. It says nothing of persons."""

    __tablename__ = 'lesson_counts'
    game: Mapped[str] = mapped_column(String(40), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(40), primary_key=True)
    step: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    begun: Mapped[int]
    finished: Mapped[int]


class AnalysisRow(Base):
    """A board for analysis. `tree` is its JSON form; see `ludoteca.analysis`. `shared`: whoever has its
    address may look. `table_id`: the match that it began at, after so many turns (`turn`), as `seat` knew it
    (-1: as everybody does)."""

    __tablename__ = 'analyses'
    __table_args__ = (Index(None, 'owner', 'updated'),)
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner: Mapped[str] = mapped_column(ForeignKey('people.id'))
    game: Mapped[str] = mapped_column(String(40))
    title: Mapped[str] = mapped_column(String(60))
    tree: Mapped[str] = mapped_column(Text)
    nodes: Mapped[int]
    shared: Mapped[bool]
    table_id: Mapped[str | None] = mapped_column(ForeignKey('tables.id'))
    seat: Mapped[int]
    turn: Mapped[int]
    created: Mapped[float]
    updated: Mapped[float]


class ReviewRow(Base):
    """The review of a match; see `store.reviews`. `server` judges its turns until a time by the database's
    clock, which it puts off."""

    __tablename__ = 'reviews'
    __table_args__ = (CheckConstraint("status in ('running', 'stopped', 'done')", name='status'),)
    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    table_id: Mapped[str] = mapped_column(ForeignKey('tables.id'), index=True)
    turns: Mapped[int]
    status: Mapped[str] = mapped_column(String(8))
    server: Mapped[str] = mapped_column(String(32))
    until: Mapped[float]
    created: Mapped[float]


class JudgedTurnRow(Base):
    """A turn of a review, judged (`Judged.json`)."""

    __tablename__ = 'judged_turns'
    review: Mapped[str] = mapped_column(ForeignKey('reviews.key'), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    judged: Mapped[dict[str, Any]]


class ExerciseRow(Base):
    """The exercise at a table and how far it has come; see `store.exercises.Sitting`. `exercise` holds the
    answers."""

    __tablename__ = 'exercises'
    table_id: Mapped[str] = mapped_column(ForeignKey('tables.id'), primary_key=True)
    exercise: Mapped[dict[str, Any]]
    task: Mapped[int]
    kind: Mapped[str] = mapped_column(String(8))
    tries: Mapped[int]
    said: Mapped[dict[str, Any]]


class PuzzleCardRow(Base):
    """What a person has done with a puzzle, and when it comes back; `card` is that of the scheduler."""

    __tablename__ = 'puzzle_cards'
    person: Mapped[str] = mapped_column(ForeignKey('people.id'), primary_key=True)
    puzzle: Mapped[str] = mapped_column(String(60), primary_key=True)
    game: Mapped[str] = mapped_column(String(40))
    card: Mapped[dict[str, Any]]
    due: Mapped[float]
    solved: Mapped[int]  # how often
    failed: Mapped[int]  # how often the first answer was wrong


class PuzzleDaysRow(Base):
    """On how many days in a row a person has solved a puzzle: the last one (days since 1970, UTC), how many
    up to it, and how many at most."""

    __tablename__ = 'puzzle_days'
    person: Mapped[str] = mapped_column(ForeignKey('people.id'), primary_key=True)
    day: Mapped[int]
    run: Mapped[int]
    best: Mapped[int]


class SignInRow(Base):
    """The link with which a person goes on in another browser: one for each person, good once and for a
    while. Only its hash is kept."""

    __tablename__ = 'sign_ins'
    person: Mapped[str] = mapped_column(ForeignKey('people.id'), primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    until: Mapped[float]


class TokenRow(Base):
    """A bearer token with which a program plays a seat; only its hash is kept."""

    __tablename__ = 'tokens'
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    table_id: Mapped[str] = mapped_column(ForeignKey('tables.id'), index=True)
    seat: Mapped[int]
    person: Mapped[str | None] = mapped_column(ForeignKey('people.id'))
    label: Mapped[str] = mapped_column(String(40))
    created: Mapped[float]
    used: Mapped[float | None]
    revoked: Mapped[bool]


# ---- what servers of one database tell each other ----------------------------------------------------------

PASSING = {'passing': True}
"""Tables that hold what is true only while servers run."""


class ServerRow(Base):
    """A server that uses the database. It is alive until a time by the database's clock, which it puts
    off."""

    __tablename__ = 'servers'
    __table_args__ = {'info': PASSING}  # noqa: RUF012 (read by SQLAlchemy)
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    until: Mapped[float]


class LeaseRow(Base):
    """Which server plays for the bots of a table, and until when if it does not say more."""

    __tablename__ = 'leases'
    __table_args__ = {'info': PASSING}  # noqa: RUF012
    table_id: Mapped[str] = mapped_column(ForeignKey('tables.id'), primary_key=True)
    server: Mapped[str] = mapped_column(String(32))
    until: Mapped[float]


class PresenceRow(Base):
    """A person who has had a page of a table open: at which server the last one, and is it open still?"""

    __tablename__ = 'presence'
    __table_args__ = {'info': PASSING}  # noqa: RUF012
    table_id: Mapped[str] = mapped_column(ForeignKey('tables.id'), primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey('people.id'), primary_key=True)
    server: Mapped[str] = mapped_column(String(32), index=True)
    here: Mapped[bool]


class MarkRow(Base):
    """What all servers of a database must agree on: a mark of each secret key, from which nobody learns the
    key."""

    __tablename__ = 'marks'
    __table_args__ = {'info': PASSING}  # noqa: RUF012
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(String(64))


# ---- work that servers leave to workers --------------------------------------------------------------------


class WorkerRow(Base):
    """A process that does jobs: in how many threads, and of which forms. It is alive until a time by the
    database's clock, which it puts off."""

    __tablename__ = 'workers'
    __table_args__ = {'info': PASSING}  # noqa: RUF012
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    threads: Mapped[int]
    forms: Mapped[dict[str, Any]]
    until: Mapped[float]


class JobRow(Base):
    """A job that a server has given away; see `store.jobs`."""

    __tablename__ = 'jobs'
    __table_args__ = (
        CheckConstraint("status in ('waiting', 'running', 'done', 'failed')", name='status'),
        Index(None, 'status', 'rank', 'due'),
        {'info': PASSING},
    )
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))
    rank: Mapped[int]  # those of the lowest rank are done first
    subject: Mapped[str] = mapped_column(
        String(64), index=True
    )  # the table that it is for: subjects take turns
    form: Mapped[str] = mapped_column(String(64))  # of its payload, and of the program that can read it
    payload: Mapped[dict[str, Any]]
    seconds: Mapped[float | None]  # after `created` in which it should be done
    asker: Mapped[str] = mapped_column(String(32), index=True)  # the server that waits for it
    wanted: Mapped[float]  # until when, if the asker does not say more
    created: Mapped[float]
    due: Mapped[float]  # among those of its rank the earliest comes first
    status: Mapped[str] = mapped_column(String(8))
    worker: Mapped[str | None] = mapped_column(String(32))
    until: Mapped[float | None]  # when it is taken over, if its worker does not say more
    begun: Mapped[float | None]
    tries: Mapped[int]
    result: Mapped[dict[str, Any] | None]
