"""The messages of a table to an open page. Each one is the whole view; see table.js."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from ludoteca.game import SPECTATOR, Event
from ludoteca.match import BOT
from ludoteca.text import words
from ludoteca.web.table.fragments import curtain_fragments, fragments
from ludoteca.web.table.model import TableView
from ludoteca.web.table.wording import events_text, notice_words

MOST_NOTICES = 3
"""So many of the last notices are in a message."""


def mark(fragment: str) -> str:
    """A short hash of a fragment. With it a page says which fragments it has."""
    return hashlib.blake2b(fragment.encode(), digest_size=6).hexdigest()


def table_message(parts: Mapping[str, str], title: str, **more: Any) -> dict[str, Any]:
    """A message of these fragments. `more` replaces values, which are those of a table without a match."""
    return {
        'version': -1,
        'seat': SPECTATOR,
        'colour': '',
        'colours': [],
        'fragments': dict(parts),
        'marks': {name: mark(part) for name, part in parts.items()},
        'choices': None,
        'events': [],
        'draft': [],
        'speak': '',
        'turns': 0,
        'finished': 0,
        'mine': False,
        'sealed': False,
        'curtain': False,
        'next': SPECTATOR,
        'ready': False,
        'over': False,
        'won': False,
        'who': '',
        'names': [],
        'title': title,
        **more,
    }


def match_message(table: TableView, since: int | None, choices: dict[str, Any] | None) -> dict[str, Any]:
    """The message of a match. `since`: how many turns the page has shown; None: it shows the position as it
    is."""
    match, seat = table.match, table.seat
    parts = fragments(table)
    events: tuple[Event, ...] = ()
    drafted = match.drafted(seat)
    watched = bool(drafted) and (seat not in match.to_move or match.seats[seat].kind == BOT)
    if since is not None and since < match.turns:
        events = tuple(event for row in match.log(seat, since) for event in row.events)
    key = (
        'web.table.title_over'
        if match.result
        else 'web.table.title_turn'
        if table.acts
        else 'web.table.title'
    )
    return table_message(
        parts,
        words(key, game=table.game.title),
        version=match.version(seat),
        seat=seat,
        colour=table.colours[seat] if seat >= 0 else '',
        colours=list(table.colours),
        choices=choices,
        events=[event.json() for event in events],
        draft=[event.json() for event in drafted if event.flights or watched],
        speak=events_text(table.game, events, table.names),
        turns=match.turns,
        finished=match.finished(),
        mine=table.acts,
        sealed=table.acts and len(match.to_move) > 1,
        ready=True,
        over=match.result is not None,
        won=table.won,
        who=table.name(seat) if seat >= 0 else '',
        names=list(table.names),
        **({'watched': True} if watched else {}),
        **({'rematch': table.rematch} if table.rematch else {}),
        **_notices(table),
    )


def _notices(table: TableView) -> dict[str, Any]:
    """What happened beside the turns: how much since the match began, and the last of it in words. The page
    knows what of it is new to it."""
    found = table.match.notices
    last = [notice_words(table, notice) for notice in found[-MOST_NOTICES:]]
    return {'notices': {'count': len(found), 'last': last}} if last else {}


def curtain_message(table: TableView, following: int) -> dict[str, Any]:
    """The message while a shared screen goes to the person of another seat. It says what a spectator may
    know, and shows no picture. `table` is a spectator's."""
    match, name = table.match, table.name(following)
    return table_message(
        curtain_fragments(table, following),
        words('web.table.title', game=table.game.title),
        version=match.version(SPECTATOR),
        colours=list(table.colours),
        speak=words('web.table.curtain_for', name=name),
        turns=match.turns,
        finished=match.finished(),
        curtain=True,
        next=following,
        ready=True,
        who=name,
        **_notices(table),
    )
