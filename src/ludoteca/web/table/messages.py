"""The messages of a table to an open page (see table.js), and the fragments of the page that they replace, by
their ids. Each message is the whole view."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ludoteca.game import SPECTATOR, Event, View
from ludoteca.match import BOT
from ludoteca.text import words
from ludoteca.web.html.layout import Markup, h, sign, text_of
from ludoteca.web.table.buttons import acts, play_on_button, retry_button
from ludoteca.web.table.cards import cards, result, status
from ludoteca.web.table.drawers import chat_lines, menu, said_then
from ludoteca.web.table.log import (
    MOST_ROWS,
    gain_badges,
    happened,
    last_chapter,
    moves,
    recap,
    row_text,
    turn_number,
)
from ludoteca.web.table.model import TableView, seat_view, with_names
from ludoteca.web.table.places import no_places, places, scores_of
from ludoteca.web.table.players import players
from ludoteca.web.table.prompt import asked, heading, prompt, reading
from ludoteca.web.table.strips import exercise, lesson
from ludoteca.web.table.wording import events_text, notice_words


def as_text(parts: Mapping[str, h.Node]) -> dict[str, str]:
    """Fragments as HTML."""
    return {name: text_of(part) for name, part in parts.items()}


def fragments(table: TableView) -> dict[str, str]:
    """All fragments of the present position."""
    view = seat_view(table)
    found = table.game.cards(view)
    lays = any(
        target.id.startswith('at:')
        for action in view.actions[:1]
        for target in table.game.targets(view.state, action)
    )
    script = table.lesson or table.exercise
    reads = script is not None and script.reads
    asks = asked(table, view)
    parts: dict[str, h.Node] = {
        'prompt': reading(table) if reads else prompt(table, view, asks, lays),
        'acts': h.div('#acts.acts') if reads else acts(table, view, asks, lays),
        'drawing': h.div('#drawing')[Markup(table.drawing(view))],
        'cards': cards(table, found),
        'places': places(table, view),
        'handing': no_handing(),
    }
    return as_text(parts | _around(table, view))


def curtain_fragments(table: TableView, following: int) -> dict[str, str]:
    """The fragments while a shared screen goes to the person of another seat: no picture, no choices. `table`
    is a spectator's."""
    asks = words('web.table.curtain_for', name=table.name(following))
    parts: dict[str, h.Node] = {
        'prompt': h.section('#prompt.prompt')[sign(table.colours[following], 30), h.div[h.p('.do')[asks]]],
        'acts': h.div('#acts.acts'),
        'drawing': h.div('#drawing'),
        'cards': h.div('#cards'),
        'places': no_places(),
        'handing': handing(table, following),
    }
    return as_text(parts | _around(table, seat_view(table)))


def _around(table: TableView, view: View) -> dict[str, h.Node]:
    """The fragments round the board."""
    match = table.match
    rows = match.log(table.seat, uncovered=match.result is not None)
    panels = table.game.panels(view)
    return {
        'heading': heading(table, panels),
        'players': players(table, panels),
        'moves': moves(table, rows),
        'happened': happened(table, rows),
        'recap': recap(table, rows[-MOST_ROWS:], last_chapter(table, rows)),
        'status': status(table),
        'result': result(table),
        'chat': chat_lines(table.chat, table.colours),
        'menu': menu(table),
        **({'lesson': lesson(table)} if match.setup.lesson else {}),
        **({'lesson': exercise(table)} if match.setup.exercise else {}),
    }


def past_fragments(
    table: TableView, at: int, over: bool | None = None
) -> tuple[dict[str, str], tuple[Event, ...]]:
    """All that shows the position after a number of turns (heading, drawing, prompt, panels, cards, what was
    said then), and the events of the last of these turns. `over`: with nothing hidden (None: if the match is
    over)."""
    match = table.match
    over = match.result is not None if over is None else over
    found = match.view(table.seat, at=at, settings=table.preferences.drawing, uncovered=over)
    view = with_names(found, table.names)
    rows = match.log(table.seat, max(0, at - 1), uncovered=over)
    turns = [row for row in rows if row.kind == 'turn' and row.number == at]
    title: h.Node = words('web.table.beginning')
    text = events_text(table.game, view.last, table.names) if at else table.begins
    if turns:
        number, (name, also) = turn_number(match, at), row_text(table, turns[0], table.name(turns[0].seat))
        title = [words('web.table.turn', n=number), ': ', name] if number else name
        title = [title, ' ', gain_badges(table, turns[0].events, turns[0].seat)]
        if table.preferences.log != 'notation':
            text = also
    signs = [sign(table.colours[row.seat], 30) for row in turns]
    panels = table.game.panels(view)
    parts: dict[str, h.Node] = {
        'drawing': h.div('#drawing')[Markup(table.game.draw(view, 'page'))],
        'prompt': h.section('#prompt.prompt')[signs, h.div[h.p('.do.past-turn')[title], h.p('.how')[text]]],
        'heading': heading(table, panels, at),
        'again': h.span('#again')[_again(table, at)],
        'recap': recap(table, match.log(table.seat, max(0, at - MOST_ROWS), uncovered=over), at),
        'players': players(table, panels, at),
        # favourites belong to the present
        'cards': cards(replace(table, shared=True), table.game.cards(view)),
        'said': said_then(table, at),
        'places': places(table, view),
    }
    return as_text(parts), view.last


def _again(table: TableView, at: int) -> h.Node:
    """The button that plays on from an earlier position: in the match itself, or at a table of its own once
    the match is over."""
    match = table.match
    if not table.scripted and not match.may_retry(table.seat, at):
        return retry_button(table, words('web.table.retry'), at)
    taught = match.setup.lesson or match.setup.exercise
    return play_on_button(table, at) if match.result and not taught and at < match.turns else None


MOST_TURNS = 5


def no_handing() -> h.Element:
    """The curtain is open."""
    return h.div('#handing')


def handing(table: TableView, following: int) -> h.Element:
    """Whose turn it is, what has happened since this seat's last turn, and how all stand. `table` is a
    spectator's: nothing here is known to one person alone."""
    assert table.seat == SPECTATOR
    match = table.match
    turns = [row for row in match.log(SPECTATOR, match.own_last(following)) if row.kind == 'turn']
    lines = [(row, *row_text(table, row, table.name(row.seat))) for row in turns[-MOST_TURNS:]]
    return h.div('#handing')[
        h.p[words('web.table.curtain')],
        h.h2('#handing-title')[sign(table.colours[following], 34), h.span[table.name(following)]],
        h.ul('.standing', aria_label=words('web.table.curtain_scores'))[
            [
                h.li(class_=f'seat-{table.colours[seat]}')[
                    sign(table.colours[seat], 18), h.span[table.name(seat)], h.b[value]
                ]
                for seat, value in scores_of(table, seat_view(table))
                if value
            ]
        ],
        bool(lines)
        and h.ol('.since', aria_label=words('web.table.happened'))[
            [
                h.li[
                    sign(table.colours[row.seat], 16),
                    h.span[text, also and f' {also}'],
                    gain_badges(table, row.events, row.seat),
                ]
                for row, text, also in lines
            ]
        ],
    ]


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
