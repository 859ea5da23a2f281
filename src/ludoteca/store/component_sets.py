"""Component sets: those with which tables were opened are kept with them, so that every server of the
database and a later start find them, whatever becomes of the files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from ludoteca.game import load
from ludoteca.game.components import MARK, WORDS
from ludoteca.store.models import ComponentSetRow
from ludoteca.store.section import Section


def keep_set(session: Session, name: str, now: float) -> None:
    """Keep the component set of a game that is about to be played; nothing to do for a game without one."""
    chosen = load(name).component_set
    if chosen is not None and session.get(ComponentSetRow, name) is None:
        session.add(ComponentSetRow(name=name, data=chosen.without_words().json(), created=now))


class ComponentSets(Section):
    """The component sets of the database."""

    def component_set(self, game: str, hash_: str) -> Mapping[str, Any] | None:
        """The set of a game by its hash, as plain data without words, which were somebody's; None if no table
        was opened with it."""
        with self._database.read() as session:
            found = session.scalar(
                select(ComponentSetRow.data).where(ComponentSetRow.name == f'{game}{MARK}{hash_}')
            )
        return None if found is None else {key: found[key] for key in found if key not in WORDS}

    def keep_component_set(self, name: str) -> None:
        """Keep the component set of the game of that name. Raises GameError if nobody knows it."""
        with self._database.write() as session:
            keep_set(session, name, self._clock())
