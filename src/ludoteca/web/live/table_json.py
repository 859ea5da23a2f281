"""A table as plain data, for programs and for answers to the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Literal

from ludoteca.game import Event, Refusal
from ludoteca.match import Match, MatchResult
from ludoteca.store import Favourite, Table
from ludoteca.web.html.rulebook import address_of
from ludoteca.web.live.exercises import exercise_view
from ludoteca.web.live.messages import view_for
from ludoteca.web.live.table import LiveTable
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.table import buttons
from ludoteca.web.table.model import seat_view, with_names


def event_json(event: Event) -> dict[str, Any]:
    """An event for programs: without the elements of the drawing."""
    return {'kind': event.kind, 'seat': event.seat, 'values': dict(event.values)}


def table_json(table: Table, visitor: Visitor) -> dict[str, Any]:
    """A table in a list."""
    return {
        'id': table.id,
        'game': table.game,
        'players': table.players,
        'options': dict(table.options),
        'status': table.status,
        'listed': table.listed,
        'turns': table.turns,
        'rated': table.rated,
        'hints': table.hints_open,
        'series': table.series,
        **({'lesson_id': table.lesson} if table.lesson else {}),
        **({'exercise_id': table.exercise} if table.exercise else {}),
        'result': result_json(table.result) if table.result else None,
        'your_seats': list(table.seats_of(visitor.id)),
        'waits_for_you': table.waits_for(visitor.id),
        # a rematch is private
        'next': table.next if table.seats_of(visitor.id) else None,
        'seats': [
            {'seat': info.seat, 'kind': info.kind, 'name': info.name, 'level': info.level, 'colour': colour}
            for info, colour in zip(table.seats, table.colours, strict=True)
        ],
        'url': f'/tables/{table.id}',
    }


def view_json(live: LiveTable, visitor: Visitor, seat: int | None = None) -> dict[str, Any]:
    """A table as a seat may know it. Called in a worker thread. Raises Forbidden for somebody else's seat."""
    data = table_json(live.table, visitor)
    data['your_seats'] = list(live.seats_of(visitor))
    data['ready'] = live.ready
    data['link'] = live.link(visitor)
    data |= {'invite': found} if (found := live.invitation(visitor)) else {}
    if live.ready:
        with live.lock:
            data |= match_json(live, visitor, live.seat_to_read(visitor, seat))
            data['seats'] = [
                {
                    'seat': number,
                    'kind': label.kind,
                    'name': label.name,
                    'level': label.level,
                    'colour': label.colour,
                    'yours': label.mine,
                }
                for number, label in enumerate(live.seat_labels(visitor))
            ]
    return data


def match_json(live: LiveTable, visitor: Visitor, seat: int) -> dict[str, Any]:
    """The match as a seat may know it. Called under the lock."""
    match = live.match()
    view = match.view(seat)
    guide = live.guide
    lesson = guide.view(match) if guide and guide.lesson.seat == seat in live.seats_of(visitor) else None
    exercise = exercise_view(live.script, match, seat) if seat in live.seats_of(visitor) else None
    may_choose = seat >= 0 and match.may_choose(seat)
    return {
        'status': match.status,
        'waits_for_you': any(match.may_choose(own) or match.is_asked(own) for own in live.seats_of(visitor)),
        'sentence': match.frozen,
        'rated': match.rated,
        'seat': seat,
        'version': match.version(seat),
        'turns': match.turns,
        'finished': match.finished(),
        'to_move': list(match.to_move),
        'begins': live.begins,
        'may_act': may_choose,
        'arranging': match.arranging(seat),
        'notes': {element: list(labels) for element, labels in live.notes_of(seat).items()},
        'draft': list(match.draft(seat)) if seat >= 0 else [],
        # names alone: what a page needs of each choice besides takes Myriath five times as long
        'legal': list(match.names(seat)) if may_choose else [],
        'position': match.game.to_json(view.state),
        'prompt': match.game.prompt(view).text,
        'text': match.game.text(view),
        'last': [event_json(event) for event in view.last],
        'request': request_json(match),
        'result': result_json(match.result) if match.result else None,
        **({'lesson': asdict(lesson)} if lesson else {}),
        **({'exercise': asdict(exercise)} if exercise else {}),
    }


def result_json(result: MatchResult) -> dict[str, Any]:
    """How a match has ended."""
    return {
        'ending': result.ending,
        'by': result.by,
        'outcome': list(result.outcome),
        'scores': list(result.scores),
        'winners': list(result.winners),
    }


def request_json(match: Match) -> dict[str, Any] | None:
    """The open request, if there is one."""
    request = match.request
    if request is None:
        return None
    return {
        'kind': request.kind,
        'seat': request.seat,
        'value': request.value,
        'level': request.level,
        'waiting': list(request.waiting),
    }


def log_json(match: Match, seat: int, since: int) -> list[dict[str, Any]]:
    """The turns as a seat may know them."""
    return [
        {
            'number': row.number,
            'kind': row.kind,
            'seat': row.seat,
            'name': row.name,
            'time': row.time,
            'events': [event_json(event) for event in row.events],
        }
        for row in match.log(seat, since, uncovered=match.result is not None)
    ]


def position_json(live: LiveTable, visitor: Visitor, turn: int, seat: int | None = None) -> dict[str, Any]:
    """The position after a turn as a seat may know it, and what the turn did. Called in a worker thread.
    Raises Forbidden, or GameError if there is no such turn."""
    with live.lock:
        match = live.match()
        own = live.seat_to_read(visitor, seat)
        view = match.view(own, at=turn, uncovered=match.result is not None)
        return {
            'turn': turn,
            'position': match.game.to_json(view.state),
            'text': match.game.text(view),
            'last': [event_json(event) for event in view.last],
        }


def picture(
    live: LiveTable,
    visitor: Visitor,
    turn: int | None,
    seat: int | None,
    theme: Literal['light', 'dark'],
    eyes: int | None = None,
) -> str:
    """The position, or the one after a turn, as a picture that stands alone. `eyes`: see `LiveTable.eyes_of`.
    Called in a worker thread. Raises as `position_json` does."""
    with live.lock:
        match = live.match()
        own, settings = live.seat_to_read(visitor, seat), visitor.preferences.drawing
        if turn is None:
            view = match.view(own, settings=settings)
        else:
            own, uncovered = (
                (own, match.result is not None) if eyes is None else live.eyes_of(visitor, seat, eyes)
            )
            view = match.view(own, at=turn, settings=settings, uncovered=uncovered)
        return match.game.draw(with_names(view, view_for(live, visitor, own).names), theme)


def chat_json(live: LiveTable, visitor: Visitor) -> list[dict[str, Any]]:
    """What was said last, the oldest line first."""
    return [
        {'number': line.number, 'seat': line.seat, 'name': line.name, 'text': line.text, 'time': line.time}
        for line in live.lines(visitor)
    ]


def favourite_json(one: Favourite) -> dict[str, str]:
    """An arrangement that a person keeps."""
    return {'id': one.id, 'name': one.name, 'steps': one.steps}


def favourites_json(live: LiveTable, visitor: Visitor, seat: int | None) -> list[dict[str, str]]:
    """The visitor's arrangements that fit what an own seat arranges now. Called in a worker thread. Raises
    Forbidden."""
    with live.lock:
        kept = live.favourites(visitor, live.seat_to_play(visitor, seat))
    return [favourite_json(one) for one in kept]


def arrangement(live: LiveTable, visitor: Visitor, seat: int | None, last: str) -> str:
    """What an own seat has arranged. Called in a worker thread. Raises GameError if it is not complete."""
    with live.lock:
        return live.match().arrangement(live.seat_to_play(visitor, seat), last)


def pencils(
    live: LiveTable, visitor: Visitor, seat: int | None, element: str
) -> tuple[int, list[str], list[str]]:
    """An own seat, what it may pencil on an element of the drawing, and what it has pencilled there. Called
    in a worker thread. Raises Forbidden."""
    with live.lock:
        match, own = live.match(), live.seat_to_play(visitor, seat)
        view = seat_view(view_for(live, visitor, own))
        labels = match.game.pencils(view, element) if match.status == 'running' else ()
        return own, list(labels), list(live.notes_of(own).get(element, ()))


def explanation(
    live: LiveTable,
    visitor: Visitor,
    seat: int | None,
    elements: Sequence[str],
    turn: int | None = None,
    eyes: int | None = None,
) -> dict[str, str] | None:
    """What the first of these elements is that means anything, now or after a turn: its title, its text, the
    address of the rules that say more, and the one of these on which the seat may pencil something ('' for
    none). None if none of them means anything. Called in a worker thread. Raises Forbidden, or GameError if
    there is no such turn."""
    with live.lock:
        match, own = live.match(), live.seat_at_screen(visitor, seat)
        table = view_for(live, visitor, own)
        if turn is None:
            view = seat_view(table)
        else:
            looks, uncovered = live.eyes_of(visitor, own, eyes)
            past = match.view(looks, at=turn, settings=visitor.preferences.drawing, uncovered=uncovered)
            view = with_names(past, table.names)
        answers = (
            (one, buttons.explained(view, match.game, one) or match.game.explain(view, one))
            for one in elements
        )
        element, found = next(((one, about) for one, about in answers if about), ('', None))
        if found is None:
            return None
        open_ = own >= 0 and turn is None and match.status == 'running'
        pencils = (one for one in elements if open_ and match.game.pencils(view, one))
        pencil = next(pencils, '')
    return {
        'element': element,
        'title': found.title,
        'text': found.text,
        'rules': address_of(match.game, found.chapter),
        'pencil': pencil,
    }


def why_not(live: LiveTable, visitor: Visitor, seat: int | None, targets: Sequence[str]) -> dict[str, str]:
    """One sentence: why a click on these targets makes no action, and the address of the rule that it tells
    ('' if it tells none). Called in a worker thread. Raises Forbidden."""
    with live.lock:
        match = live.match()
        own = live.seat_of(visitor) if seat is None else live.seat_to_play(visitor, seat)
        view = match.view(own, settings=visitor.preferences.drawing)
        why = match.game.why_not(with_names(view, view_for(live, visitor, own).names), list(targets))
        chapter = why.chapter if isinstance(why, Refusal) else ''
        return {'sentence': str(why), 'rules': address_of(match.game, chapter)}
