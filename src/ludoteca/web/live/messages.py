"""What one visitor, or one open page, is told of a live table. Here the viewer's seat is chosen: everything
behind it is made of what the match gives to that seat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludoteca.game import SPECTATOR, load
from ludoteca.store import OPEN, Table
from ludoteca.text import words
from ludoteca.web.live.exercises import exercise_view
from ludoteca.web.live.open_page import OpenPage
from ludoteca.web.live.table import LiveTable
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.table.messages import curtain_message, match_message, table_message
from ludoteca.web.table.model import TableView, WaitingTable
from ludoteca.web.table.waiting import waiting_fragments


def view_for(live: LiveTable, visitor: Visitor, seat: int) -> TableView:
    """The table as a visitor sees it from a seat. Called under the lock."""
    match, preferences = live.match(), visitor.preferences
    shared, notes, mine = live.is_shared(visitor), live.notes_of(seat), live.seats_of(visitor)
    exercise = exercise_view(live.script, match, seat) if seat in mine else None
    unplayed = exercise.unplayed if exercise else ''
    drawn = match, match.version(seat), match.status, tuple(sorted(notes.items())), unplayed
    # do not show a bot that has chosen in secret, or that thinks about a turn that was taken back
    shows_thinking = live.thinking is not None and match.to_move == (live.thinking,)
    waits = live.preparing and not match.result
    return TableView(
        live.id,
        match,
        seat,
        mine,
        live.seat_labels(visitor),
        preferences,
        live.lines(visitor),
        frozenset(match.to_move if shows_thinking else ()),
        f'/tables/{live.table.next}' if live.table.next and mine else '',  # the rematch is private
        lambda view: live.cache.drawing(match, view, (seat, preferences.drawing), drawn),
        live.cache.part,
        notes,
        () if shared else live.favourites(visitor, seat),
        shared,
        hints=live.table.hints_open,
        coached=live.is_coached(visitor),
        people=live.table.between_people,
        watching=live.watching,
        preparing=live.sources.progress(live.table.game) if waits else -1.0,
        begins=live.begins,
        asks_sound=visitor.person is not None and 'sound' not in visitor.person.settings,
        lesson=live.guide.view(match) if live.guide and live.guide.seat == seat in mine else None,
        exercise=exercise,
        score=live.score if live.table.previous else {},
        series=live.table.series,
        series_goes_on=live.series_goes_on,
    )


def waiting_for(live: LiveTable, visitor: Visitor) -> WaitingTable:
    """The table as a visitor sees it while there is no match."""
    table, hosts = live.table, live.hosted_by(visitor)
    waits = table.status == OPEN and not table.full
    inviter = next((info.name for info in table.seats if info.person and info.person == table.owner), '')
    return WaitingTable(
        live.id,
        load(table.game),
        live.seat_labels(visitor),
        hosts and waits,
        bool(live.seats_of(visitor)),
        table.listed,
        live.invitation(visitor).get('url', ''),
        f'/games/{table.game}/picture-light.svg',
        live.lines(visitor),
        _closed(table, inviter) if table.status == 'closed' else '',
        table.options,
        inviter,
        table.hints,
    )


def _closed(table: Table, inviter: str) -> str:
    """Why a table is closed."""
    return table.sentence or words('web.table.closed' if inviter else 'web.error.no_table', name=inviter)


def message_for(live: LiveTable, page: OpenPage) -> dict[str, Any]:
    """The whole view for a page. Called in a worker thread."""
    page.correct()
    visitor = page.visitor
    if not live.ready:
        serial = live.serial_of(visitor)
        parts = waiting_fragments(waiting_for(live, visitor))
        title = words('web.table.title', game=load(live.table.game).title)
        return table_message(parts, title, serial=serial, seat=page.seat)
    live.cache.use()
    with live.lock:
        serial = live.serial_of(visitor)
        if live.is_shared(visitor):
            return {**_shared_message(live, page), 'serial': serial}
        view, since = view_for(live, visitor, live.seat_of(visitor, page.seat)), page.turns
        reads = live.script is not None and live.script.reads
        choices = None if reads else live.cache.choices(view.match, view.seat)
        made = live.cache.message(
            (view.seat, view.preferences), since, view.said, lambda: match_message(view, since, choices)
        )
        return {**made, 'serial': serial}


def first_message(live: LiveTable, visitor: Visitor, here: int | None = None) -> dict[str, Any]:
    """The whole view for a page that has shown nothing. `here`: the seat of the person who has come to a
    shared screen. Called in a worker thread."""
    seat = SPECTATOR
    if live.ready:
        with live.lock:
            seat = live.seat_of(visitor)
    return message_for(live, OpenPage(visitor, seat, here=here if here in live.seats_of(visitor) else None))


def _shared_message(live: LiveTable, page: OpenPage) -> dict[str, Any]:
    """The view for a page that several people share: that of the person who has come to the screen, as long
    as this person can choose something. Then the curtain falls; but a person who has just revealed something
    looks at it first."""
    match, visitor, here = live.match(), page.visitor, page.here
    seat = live.seat_of(visitor, SPECTATOR if here is None else here)
    hands_over = here is not None and here != seat and match.revealing == here
    if here is None or (here != seat and not hands_over):
        page.draw_curtain()
        return curtain_message(replace(view_for(live, visitor, SPECTATOR), mine=()), seat)
    view = view_for(live, visitor, here)
    if hands_over:
        view = replace(view, handover=view.name(seat))
    message = match_message(view, page.seen.get(here), live.cache.choices(match, here))
    page.saw(here, match.turns)
    return message
