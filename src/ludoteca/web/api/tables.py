"""Tables: opened, taken, left, given to bots and to programs."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from ludoteca.text import words
from ludoteca.web.api.answers import opened, view_of, view_with_tokens
from ludoteca.web.api.bodies import Colour, Fill, Invitation, Label, NewLesson, NewPuzzle, NewTable
from ludoteca.web.api.refusals import refusals
from ludoteca.web.live.new_tables import (
    SeatChoice,
    TablePlan,
    open_lesson,
    open_puzzle,
    open_table,
    plan_again,
)
from ludoteca.web.live.table import LiveTable
from ludoteca.web.live.table_json import table_json
from ludoteca.web.offers.catalogue import USUAL_LEVEL, known_level
from ludoteca.web.people.access import for_seats
from ludoteca.web.routes.context import Asked, Context, LinkToken, SeatQuery, TableId
from ludoteca.web.serving.errors import Forbidden

router = APIRouter(prefix='/api')


@router.get('/tables', summary='Your tables and the open ones', tags=['tables'], responses=refusals(403, 503))
async def tables(context: Asked) -> dict[str, Any]:
    """Yours with those that wait for you first; open ones with the newest first; and those of others that you
    may watch."""
    names = ('mine', 'open', 'watch')
    found = zip(names, await context.tables(), strict=True)
    return {name: [table_json(table, context.visitor) for table in tables] for name, tables in found}


@router.post(
    '/tables',
    summary='Open a table',
    tags=['tables'],
    status_code=201,
    description=(
        'The answer has the table, for programs without cookies a bearer token for each of your seats, '
        'and while a seat is open the link\nwith which others take one (`invite`).'
    ),
    responses=refusals(403, 404, 422, 503),
)
async def new_table(context: Asked, given: NewTable) -> Response:
    """A new table."""
    context.check_rate('tables')
    person = await context.settle()
    seats = [SeatChoice(seat.who, seat.level, seat.name, seat.colour) for seat in given.seats]
    level, options = given.level or USUAL_LEVEL, given.options
    plan = TablePlan(given.game, given.mode, given.players, level, options, given.colours, seats, given.hints)
    if given.again:
        plan = await plan_again(context.server, context.visitor, given.again, given.level or '')
    live = await open_table(context.server, person, plan)
    return await opened(context, live)


@router.post(
    '/lessons',
    summary='Open a lesson',
    tags=['lessons'],
    status_code=201,
    responses=refusals(403, 404, 422, 503),
)
async def new_lesson(context: Asked, given: NewLesson) -> Response:
    """A table at which a game is learnt; if your lesson still goes on, that table."""
    context.check_rate('tables')
    await context.settle()
    live = await open_lesson(context.server, context.visitor, given.game, given.lesson, given.step)
    return await opened(context, live)


@router.post(
    '/puzzles',
    summary='Open a puzzle',
    tags=['puzzles'],
    status_code=201,
    responses=refusals(403, 404, 410, 422, 503),
)
async def new_puzzle(context: Asked, given: NewPuzzle) -> Response:
    """A table with the position of a puzzle, of which you know what its seat knows. If you have it open, that
    table, from the beginning."""
    context.check_rate('puzzles')
    await context.settle()
    live = await open_puzzle(context.server, context.visitor, given.puzzle, given.game, given.grade)
    return await opened(context, live)


@router.post(
    '/join',
    summary='Take a seat by invitation',
    tags=['tables'],
    responses=refusals(403, 404, 422, 503),
)
async def join_by_link(context: Asked, given: Invitation) -> dict[str, Any]:
    """A second time with the same token does nothing. A name that somebody at the table has already gets a
    number there."""
    return await view_with_tokens(context, await context.accept(given.invite))


@router.post(
    '/tables/{table}/join',
    summary='Take a seat at an open table',
    tags=['tables'],
    responses=refusals(403, 404, 503),
)
async def join_open(context: Asked, table: TableId) -> dict[str, Any]:
    """Any open seat of a table that is listed in the lobby. A name that somebody there has already gets a
    number."""
    return await view_with_tokens(context, await context.join(table))


@router.get(
    '/watch/{token}',
    summary='The table that a link lets you watch',
    tags=['tables'],
    description=(
        'As a spectator may know it. Whoever sits at a private table can give such a link away: '
        'it is the `link` in their view.\n'
        'The cookie that comes with the answer lets you look at the table from now on.'
    ),
    responses=refusals(403, 404, 503),
)
async def watch(context: Asked, token: LinkToken) -> dict[str, Any]:
    """A private table."""
    return await view_of(context, await context.watch(token))


@router.get(
    '/tables/{table}',
    summary='The table as you may know it',
    tags=['tables'],
    description=(
        'Position, version, whose turn it is, what you can choose, how it ended; '
        'for the host the link with which others sit down. Until\n'
        '`ready` the match has not begun, or the rules are still being compiled.'
    ),
    responses=refusals(403, 404, 422, 503),
)
@for_seats
async def view(context: Asked, table: TableId, seat: SeatQuery = None) -> dict[str, Any]:
    """A table."""
    return await view_of(context, await context.look(table), seat)


@router.post(
    '/tables/{table}/leave',
    summary='Stand up before the match begins',
    tags=['tables'],
    responses=refusals(403, 404, 503),
)
async def leave(context: Asked, table: TableId) -> dict[str, Any]:
    """If the one who opened the table does so, it is closed."""
    live, visitor = await context.look(table), context.visitor
    if visitor.id is None:
        raise Forbidden(words('web.error.no_seat'))
    await context.server.leave(live, visitor.id)
    return table_json(live.table, visitor)


@router.post(
    '/tables/{table}/colour',
    summary='Choose your colour',
    tags=['tables'],
    description=(
        'Before the match begins, one that nobody else there has chosen. '
        'Whoever chooses none gets what is left.'
    ),
    responses=refusals(403, 404, 422, 503),
)
async def choose_colour(context: Asked, table: TableId, given: Colour) -> dict[str, Any]:
    """The colour of an own seat."""
    live, visitor = await context.look(table), context.visitor
    seats = live.seats_of(visitor)
    if visitor.id is None or visitor.token is not None or not seats:
        raise Forbidden(words('web.error.no_seat'))
    context.check_rate('joins')
    seat = seats[0] if given.seat is None else given.seat
    await context.server.choose_colour(live, visitor.id, seat, given.colour)
    return await view_of(context, live)


async def _own_table(context: Context, table: str) -> LiveTable:
    """A table that the visitor has opened. Raises NotFound or Forbidden."""
    live = await context.look(table)
    if not live.hosted_by(context.visitor):
        raise Forbidden(words('web.error.no_host'))
    return live


@router.post(
    '/tables/{table}/fill',
    summary='Give open seats to bots',
    tags=['tables'],
    responses=refusals(403, 404, 422, 503),
)
async def fill(context: Asked, table: TableId, given: Fill) -> dict[str, Any]:
    """When no seat is open any more, the match begins."""
    live = await _own_table(context, table)
    await context.server.fill(live, given.seat, known_level(given.level))
    return await view_of(context, live)


@router.post(
    '/tables/{table}/tokens',
    summary='A bearer token for a seat of yours',
    tags=['tables'],
    status_code=201,
    responses=refusals(403, 404, 422, 503),
)
async def new_token(context: Asked, table: TableId, given: Label) -> dict[str, Any]:
    """With it a program plays this seat, and this seat only. It is shown once."""
    live, visitor = await context.look(table), context.visitor
    seat = await run_in_threadpool(live.seat_to_play, visitor, given.seat)
    context.check_rate('joins')
    token = await run_in_threadpool(context.store.new_token, table, seat, visitor.id, given.label)
    return {'seat': seat, 'token': token}


@router.delete(
    '/tables/{table}/tokens',
    summary='Revoke all bearer tokens of a seat',
    tags=['tables'],
    responses=refusals(403, 404, 422, 503),
)
@for_seats
async def revoke_tokens(context: Asked, table: TableId, seat: SeatQuery = None) -> dict[str, int]:
    """They open nothing any more."""
    live = await context.look(table)
    own = await run_in_threadpool(live.seat_to_play, context.visitor, seat)
    revoked = await run_in_threadpool(context.store.revoke, table, own)
    live.check_pages()
    return {'revoked': revoked}
