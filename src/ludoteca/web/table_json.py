"""What pages and the JSON interface have in common: making tables, and the table as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ludoteca.game import SPECTATOR, Event, GameError, load
from ludoteca.match import BOT, Match, deal_colours
from ludoteca.search import LEVELS, bot_names
from ludoteca.store import OPEN, Person, SeatPlan, Table
from ludoteca.text import words
from ludoteca.web import views
from ludoteca.web.table_server import Forbidden, TableServer, NotFound, LiveTable
from ludoteca.web.people import Visitor
from ludoteca.web.views import Preferences

Mode = Literal['bot', 'here', 'link', 'open']
USUAL_LEVEL = 'easy'


def known_game(name: str) -> str:
    """The name of a game that exists. Raises NotFound."""
    try:
        return load(name).name
    except GameError as problem:
        raise NotFound(words('web.error.no_game')) from problem


def known_level(level: str) -> str:
    """The name of a bot that exists. Raises GameError."""
    if level not in bot_names():
        raise GameError(words('web.error.no_level', levels=', '.join(LEVELS)))
    return level


def plans(
    person: Person, game: str, mode: Mode, players: int | None, level: str, colours: Sequence[str] = ()
) -> list[SeatPlan]:
    """Who takes part at a new table; who sits where, and so who begins, is drawn. `colours` are those of the person, at one screen
    of all; without them the one that the person would like to have. Raises GameError."""
    rules = load(game)
    n, _ = rules.checked(players)
    if mode != 'here' and len(colours) > 1:
        raise GameError(words('web.error.colours', colours=len(colours)))
    chosen = [*colours] or [Preferences.read(person.settings).colour]
    if mode == 'here':
        # round one screen everybody is called by the colour
        return [
            SeatPlan(person=person.id, name=words(f'colour.{colour}'), colour=colour)
            for colour in deal_colours(rules.colours(n), chosen)
        ]
    own = SeatPlan(person=person.id, colour=chosen[0])
    if mode == 'bot':
        return [
            own,
            *(SeatPlan('bot', level=known_level(level), name=_bot_name(level, k, n)) for k in range(1, n)),
        ]
    return [own, *(SeatPlan(OPEN) for _ in range(n - 1))]


def _bot_name(level: str, k: int, players: int) -> str:
    """A name for a bot; several of one level are told apart."""
    names = words('web.bots').split()
    return (
        names[(list(LEVELS).index(level) if level in LEVELS else 0) * 4 + k - 1]
        if players <= 5 and level in LEVELS
        else level
    )


async def new_table(
    server: TableServer,
    person: Person,
    game: str,
    mode: Mode,
    players: int | None,
    level: str,
    options: Mapping[str, Any],
    colours: Sequence[str] = (),
) -> LiveTable:
    """A new table. Raises GameError."""
    seats = plans(person, known_game(game), mode, players, level, colours)
    load(game).options.read(options)
    return await server.make(person.id, game, seats, len(seats), options, mode == 'open', True)


def own_seat(live: LiveTable, visitor: Visitor, seat: int | None, prefer: Sequence[int] = ()) -> int:
    """The seat that a visitor acts for: the one named, else the first of his among `prefer`, else the one whose turn it is. Called
    in a worker thread. Raises Forbidden."""
    seats = live.seats_of(visitor)
    if not seats:
        raise Forbidden(words('web.error.no_seat'))
    if seat is not None:
        if seat not in seats:
            raise Forbidden(words('web.error.not_your_seat'))
        return seat
    for own in prefer:
        if own in seats:
            return own
    return live.seat_of(visitor)


def seat_to_read(live: LiveTable, visitor: Visitor, seat: int | None) -> int:
    """Through whose eyes a visitor reads: as asked (-1: as a spectator), else as on the page. Called in a worker thread. Raises
    Forbidden for somebody else's seat."""
    if seat is None:
        return live.seat_of(visitor)
    if seat != SPECTATOR and seat not in live.seats_of(visitor):
        raise Forbidden(words('web.error.not_your_seat'))
    return seat


def seat_at_screen(live: LiveTable, visitor: Visitor, seat: int | None) -> int:
    """The same for the page: where several people share the screen nobody's eyes are taken for granted."""
    return SPECTATOR if seat is None and live.shared(visitor) else seat_to_read(live, visitor, seat)


# ---- as plain data -------------------------------------------------------------------------------------------------------------


def event_json(event: Event) -> dict[str, Any]:
    """What happened, for programs: without the drawing's elements."""
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
        'your_seats': list(table.seats_of(visitor.id)),
        'waits_for_you': table.waits_for(visitor.id),
        'next': table.next,
        'seats': [
            {'seat': info.seat, 'kind': info.kind, 'name': info.name, 'level': info.level, 'colour': colour}
            for info, colour in zip(table.seats, table.colours, strict=True)
        ],
        'url': f'/tables/{table.id}',
    }


def view_json(live: LiveTable, visitor: Visitor, seat: int | None = None) -> dict[str, Any]:
    """A table as a seat may know it. Called in a worker thread. Raises Forbidden for somebody else's seat."""
    data, own = table_json(live.table, visitor), live.seats_of(visitor)
    data['your_seats'] = list(own)
    data['ready'] = live.ready
    data['link'] = live.link(visitor)
    if live.hosted_by(visitor):
        data['invites'] = {
            open_seat: {'token': token, 'url': f'{live.server.address}/join/{token}'}
            for open_seat, token in live.links().items()
        }
    if not live.ready:
        return data
    with live.lock:
        match = live.match()
        seat = seat_to_read(live, visitor, seat)
        view = match.view(seat)
        levels = match.choices(seat) if seat >= 0 else ()
        result = match.result
        data |= {
            'status': match.status,
            'waits_for_you': any(match.may_act(k) and match.seats[k].kind != BOT for k in own),
            'sentence': match.frozen,
            'seat': seat,
            'version': match.version(seat),
            'turns': match.turns,
            'finished': match.finished(),
            'to_move': list(match.to_move),
            'begins': live.begins,
            'may_act': seat >= 0 and match.may_act(seat),
            'arranging': match.arranging(seat),
            'notes': {element: list(labels) for element, labels in live.notes_of(seat).items()},
            'draft': list(match.draft(seat)) if seat >= 0 else [],
            'legal': [choice.name for choice in levels[-1].choices] if levels else [],
            'position': match.game.to_json(view.state),
            'prompt': match.game.prompt(view).text,
            'text': match.game.text(view),
            'last': [event_json(event) for event in view.last],
            'request': request_json(match),
            'result': None
            if result is None
            else {
                'ending': result.ending,
                'by': result.by,
                'outcome': list(result.outcome),
                'scores': list(result.scores),
                'winners': list(result.winners),
            },
        }
        data['seats'] = [
            {
                'seat': k,
                'kind': sitter.kind,
                'name': sitter.name,
                'level': sitter.level,
                'colour': sitter.colour,
                'yours': sitter.mine,
            }
            for k, sitter in enumerate(live.sitters(visitor))
        ]
    return data


def request_json(match: Match) -> dict[str, Any] | None:
    """The open request, if any."""
    request = match.request
    return (
        None
        if request is None
        else {
            'kind': request.kind,
            'seat': request.seat,
            'value': request.value,
            'level': request.level,
            'waiting': list(request.waiting),
        }
    )


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
    """The position after a turn as a seat may know it, and what the turn did. Called in a worker thread. Raises Forbidden, or
    GameError if there is no such turn."""
    with live.lock:
        match = live.match()
        view = match.view(seat_to_read(live, visitor, seat), at=turn, uncovered=match.result is not None)
        return {
            'turn': turn,
            'position': match.game.to_json(view.state),
            'text': match.game.text(view),
            'last': [event_json(event) for event in view.last],
        }


def picture(live: LiveTable, visitor: Visitor, turn: int | None, seat: int | None, theme: Literal['light', 'dark']) -> str:
    """The position, or the one after a turn, as a picture that stands alone. Called in a worker thread. Raises as
    `position_json`."""
    with live.lock:
        match = live.match()
        seat = seat_to_read(live, visitor, seat)
        wishes = visitor.wishes.drawing
        if turn is None:
            view = match.view(seat, settings=wishes)
        else:
            view = match.view(seat, at=turn, settings=wishes, uncovered=match.result is not None)
        return match.game.draw(views.with_names(view, views.names_of(live.sight(visitor, seat))), theme)


def chat_json(live: LiveTable, visitor: Visitor) -> list[dict[str, Any]]:
    """What was said last, the oldest line first."""
    return [
        {'number': line.number, 'seat': line.seat, 'name': line.name, 'text': line.text, 'time': line.time}
        for line in live.lines(visitor)
    ]


def favourites_json(live: LiveTable, visitor: Visitor, seat: int | None) -> list[dict[str, str]]:
    """The visitor's arrangements that fit what a seat of theirs arranges now. Called in a worker thread. Raises Forbidden."""
    with live.lock:
        kept = live.favourites(visitor, own_seat(live, visitor, seat))
    return [{'id': one.id, 'name': one.name, 'steps': one.steps} for one in kept]


def arrangement(live: LiveTable, visitor: Visitor, seat: int | None, last: str) -> str:
    """What a seat of the visitor's has arranged. Called in a worker thread. Raises GameError if it is not complete."""
    with live.lock:
        return live.match().arrangement(own_seat(live, visitor, seat), last)


def pencils(live: LiveTable, visitor: Visitor, seat: int | None, element: str) -> tuple[int, list[str], list[str]]:
    """A seat of the visitor's, what it may pencil on an element of the drawing, and what it has pencilled there. Called in a worker
    thread. Raises Forbidden."""
    with live.lock:
        match, own = live.match(), own_seat(live, visitor, seat)
        view = views.seat_view(live.sight(visitor, own))
        labels = match.game.pencils(view, element) if match.status == 'running' else ()
        return own, list(labels), list(live.notes_of(own).get(element, ()))


def why_not(live: LiveTable, visitor: Visitor, seat: int | None, targets: Sequence[str]) -> str:
    """One sentence: why a click on these targets makes no action. Called in a worker thread. Raises Forbidden."""
    with live.lock:
        match = live.match()
        seat = live.seat_of(visitor) if seat is None else own_seat(live, visitor, seat)
        view = match.view(seat, settings=visitor.wishes.drawing)
        sight = live.sight(visitor, seat)
        return match.game.why_not(views.with_names(view, views.names_of(sight)), list(targets))
