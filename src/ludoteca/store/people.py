"""People and what they keep: names, settings, favourite arrangements."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any, cast

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError

from ludoteca.game import GameError
from ludoteca.match import clean_name
from ludoteca.store.database import CHANGES
from ludoteca.store.entities import (
    Favourite,
    Person,
    is_id,
    new_id,
    person_of,
)
from ludoteca.store.folder import StoreError
from ludoteca.store.models import FavouriteRow, PersonRow, SeatRow, TableRow
from ludoteca.store.section import SEEN, Section
from ludoteca.text import words

FAVOURITES_KEPT = 24
"""How many arrangements a person can keep for a game."""


class People(Section):
    """People, who are known by a cookie."""

    def new_person(
        self, name: str = '', settings: Mapping[str, Any] | None = None, person_id: str | None = None
    ) -> Person:
        """A new guest. `person_id`: one that was given out before (`new_id`); if there is somebody of that id
        already, that one."""
        now = self._clock()
        row = PersonRow(
            id=person_id or new_id(),
            name=clean_name(name),
            settings=dict(settings or {}),
            created=now,
            seen=now,
        )
        try:
            with self._database.write() as session:
                known = session.get(PersonRow, row.id)
                if known is not None:
                    return person_of(known)
                session.add(row)
        except IntegrityError:  # another request of the same browser was quicker
            with self._database.read() as session:
                return person_of(session.get_one(PersonRow, row.id))
        return person_of(row)

    def person(self, person_id: str) -> Person | None:
        """The person of that id, if there is one; notes that it was seen."""
        with self._database.read() as session:
            row = session.get(PersonRow, person_id)
        now = self._clock()
        if row and now - row.seen > SEEN:
            # who only looks is not refused because that cannot be stored
            with contextlib.suppress(StoreError), self._database.write() as session:
                session.execute(update(PersonRow).where(PersonRow.id == person_id).values(seen=now))
        return person_of(row) if row else None

    def change_person(
        self, person_id: str, name: str | None = None, settings: Mapping[str, Any] | None = None
    ) -> Person:
        """Give a person another name, or change some of its settings; the others stay as they are, also those
        that another request has just changed. Raises GameError if there is no such person."""
        with self._database.write() as session:
            row = session.get(PersonRow, person_id, with_for_update=True)
            if row is None:
                raise GameError(words('store.error.no_guest'))
            session.info[CHANGES].people.add(person_id)
            if name is not None:
                row.name = clean_name(name)
                open_tables = select(TableRow.id).where(TableRow.status == 'open')
                session.execute(
                    update(SeatRow)
                    .where(SeatRow.person == person_id, SeatRow.name == '', SeatRow.table_id.in_(open_tables))
                    .values(name=row.name)
                )
            if settings is not None:
                row.settings = {**row.settings, **settings}
        return person_of(row)

    def favourites(self, person_id: str, game: str) -> tuple[Favourite, ...]:
        """The arrangements that a person keeps for a game, the oldest first."""
        query = select(FavouriteRow).where(FavouriteRow.person == person_id, FavouriteRow.game == game)
        with self._database.read() as session:
            rows = session.scalars(query.order_by(FavouriteRow.created, FavouriteRow.id))
            return tuple(Favourite(row.id, row.game, row.name, row.steps) for row in rows)

    def add_favourite(self, person_id: str, game: str, name: str, steps: str) -> Favourite:
        """Keep an arrangement under a name; one of the same name gives way. Raises GameError."""
        name = clean_name(name)
        if not name:
            raise GameError(words('store.error.favourite_name'))
        with self._database.write() as session:
            if session.scalar(select(PersonRow).where(PersonRow.id == person_id).with_for_update()) is None:
                raise GameError(words('store.error.no_guest'))
            mine = session.scalars(
                select(FavouriteRow).where(FavouriteRow.person == person_id, FavouriteRow.game == game)
            ).all()
            row = next((other for other in mine if other.name == name), None)
            if row is None:
                if len(mine) >= FAVOURITES_KEPT:
                    raise GameError(words('store.error.favourites', most=FAVOURITES_KEPT))
                row = FavouriteRow(
                    id=new_id(), person=person_id, game=game, name=name, steps=steps, created=self._clock()
                )
                session.add(row)
            row.steps = steps
            session.info[CHANGES].people.add(person_id)
        return Favourite(row.id, game, name, steps)

    def remove_favourite(self, person_id: str, favourite: str) -> bool:
        """Forget an arrangement; returns whether the person had one of that id."""
        if not is_id(favourite):
            return False
        query = delete(FavouriteRow).where(FavouriteRow.id == favourite, FavouriteRow.person == person_id)
        with self._database.write() as session:
            session.info[CHANGES].people.add(person_id)
            return bool(cast(Any, session.execute(query)).rowcount)
