"""The turn that a seat is making: steps, drafts, arrangements, notes. Each change is a command."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from ludoteca.game import GameError, State
from ludoteca.text import words
from ludoteca.web.api import bodies
from ludoteca.web.api.answers import answer, run_command
from ludoteca.web.api.refusals import refusals
from ludoteca.web.live import blunders, commands, table_json
from ludoteca.web.live.exercises import Exercising, completes, prepare
from ludoteca.web.live.table import LiveTable
from ludoteca.web.people.access import for_seats
from ludoteca.web.routes.context import Asked, Context, SeatQuery, TableId
from ludoteca.web.serving.errors import Forbidden

router = APIRouter(prefix='/api')


@router.post(
    '/tables/{table}/act',
    summary='Play a step, or a whole turn',
    tags=['play'],
    description=(
        'Until the turn is complete its steps are your draft: they can be taken back, '
        'and nobody else sees them. 409 if\n`version` is not the present one. While your `coach` speaks, in '
        'a match against bots: a turn that loses more than a fifth of what\nyou can expect is not played; '
        'the `warning` says so, and `anyway` plays it. In a lesson `done` is false for a turn that it does '
        'not wait for, and the `sentence` says why.'
    ),
    responses=refusals(403, 404, 409, 422, 503),
)
@for_seats
async def act(context: Asked, table: TableId, given: bodies.Act) -> Response:
    """Play."""
    live = await context.look(table)
    if context.visitor.preferences.coach != 'never' and not given.anyway and live.ready:
        seat = await run_in_threadpool(live.seat_to_play, context.visitor, given.seat)
        asked = given.version, given.steps, given.keep
        found = await blunders.warning(live, context.visitor, seat, *asked, context.server.desk)
        if found is not None:
            return await answer(context, live, seat, found)
    if isinstance(live.script, Exercising):
        await _judge(context, live, live.script, given)
    command = commands.Play(given.version, given.steps, given.keep, given.rest)
    return await run_command(context, live, given.seat, command)


async def _judge(context: Context, live: LiveTable, script: Exercising, given: bodies.Act) -> None:
    """Judge the answer to an exercise before it is played."""
    seat = await run_in_threadpool(live.seat_to_play, context.visitor, given.seat)

    def begun() -> tuple[State, str] | None:
        with live.lock:
            match = live.match()
            if script.reads or seat != script.seat or not match.may_act(seat):
                return None
            if given.version is not None and given.version != match.version(seat):
                return None
            return completes(match, seat, given.steps, given.keep, given.rest)

    check = partial(context.check_rate, 'hints', context.visitor.key)
    await prepare(script, await run_in_threadpool(begun), context.server.desk, live.id, check)


@router.post(
    '/tables/{table}/undo',
    summary='Take back a step of your draft',
    tags=['play'],
    responses=refusals(403, 404, 409, 422, 503),
)
@for_seats
async def undo(context: Asked, table: TableId, given: bodies.StepBack) -> Response:
    """The last one, or all but the first `keep`."""
    command = commands.Undo(given.version, given.keep)
    return await run_command(context, await context.look(table), given.seat, command)


@router.post(
    '/tables/{table}/redraft',
    summary='Change your draft by a click or a drag',
    tags=['play'],
    description=(
        'Where it makes no action but means something: a step in the middle goes, '
        'two things that you arrange change places. Else\n'
        '`done` is false, and the `sentence` says why it means nothing. '
        'Things are arranged in any order: what lies beyond the first\n'
        'gap is not in your `draft` but in your `notes`; '
        '`do:undo` takes back what was laid last, `do:clear` all.'
    ),
    responses=refusals(403, 404, 409, 422, 503),
)
@for_seats
async def redraft(context: Asked, table: TableId, given: bodies.Dragged) -> Response:
    """Change the draft."""
    live = await context.look(table)
    why_not = partial(table_json.why_not, live, context.visitor, targets=given.targets)
    command = commands.Redraft(given.version, given.targets, live.laid, why_not)
    return await run_command(context, live, given.seat, command)


@router.post(
    '/tables/{table}/shuffle',
    summary='Arrange your things by lot',
    tags=['play'],
    description=(
        'While all arrange theirs in secret. All steps but the last become your draft; '
        'playing the `last` one seals them.'
    ),
    responses=refusals(403, 404, 409, 422, 503),
)
@for_seats
async def shuffle(context: Asked, table: TableId, given: bodies.Versioned) -> Response:
    """Arrange by lot."""
    command = commands.Shuffle(given.version)
    return await run_command(context, await context.look(table), given.seat, command)


@router.post(
    '/tables/{table}/arrange',
    summary='Arrange your things like a favourite, or as named',
    tags=['play'],
    responses=refusals(403, 404, 409, 422, 503),
)
@for_seats
async def arrange(context: Asked, table: TableId, given: bodies.Arrangement) -> Response:
    """All steps but the last become your draft; playing the `last` one seals them."""
    live, person, steps = await context.look(table), context.visitor.id, given.steps
    if given.favourite and person:
        kept = await run_in_threadpool(context.store.favourites, person, live.table.game)
        steps = next((one.steps for one in kept if one.id == given.favourite), '')
    return await run_command(context, live, given.seat, commands.Arrange(given.version, steps))


# ---- favourites --------------------------------------------------------------------------------------------


@router.get(
    '/tables/{table}/favourites',
    summary='Your favourite arrangements',
    tags=['play'],
    responses=refusals(403, 404, 422, 503),
)
async def favourites(context: Asked, table: TableId, seat: SeatQuery = None) -> list[dict[str, str]]:
    """Those that fit what you arrange at this table now."""
    live = await context.look(table)
    if not live.ready:
        return []
    return await run_in_threadpool(table_json.favourites_json, live, context.visitor, seat)


@router.post(
    '/tables/{table}/favourites',
    summary='Keep your arrangement',
    tags=['play'],
    status_code=201,
    responses=refusals(403, 404, 422, 503),
)
async def keep(context: Asked, table: TableId, given: bodies.Kept) -> dict[str, str]:
    """Once it is complete, sealed or not. It is kept for you, to be used at other tables."""
    live, visitor = await context.look_at_match(table), context.visitor
    if visitor.id is None:
        raise Forbidden(words('web.error.no_seat'))
    context.check_rate('people')
    steps = await run_in_threadpool(table_json.arrangement, live, visitor, given.seat, given.last)
    add = context.store.add_favourite
    one = await run_in_threadpool(add, visitor.id, live.table.game, given.name, steps)
    live.touch(live.seats_of(visitor))
    return table_json.favourite_json(one)


@router.post(
    '/tables/{table}/forget-favourite',
    summary='Forget a favourite arrangement',
    tags=['play'],
    responses=refusals(403, 404, 422, 503),
)
async def forget_favourite(context: Asked, table: TableId, given: bodies.FavouriteGiven) -> dict[str, bool]:
    """Whether there was one is answered."""
    live, visitor = await context.look(table), context.visitor
    if visitor.id is None:
        raise Forbidden(words('web.error.no_seat'))
    done = await run_in_threadpool(context.store.remove_favourite, visitor.id, given.favourite)
    live.touch(live.seats_of(visitor))
    return {'done': done}


# ---- notes -------------------------------------------------------------------------------------------------


@router.post(
    '/tables/{table}/pencils',
    summary='What you may pencil on something',
    tags=['play'],
    description=(
        'In games with secrets: the labels that there are for an element of the drawing, '
        'and those that you have pencilled there.'
    ),
    responses=refusals(403, 404, 422, 503),
)
@for_seats
async def pencils(context: Asked, table: TableId, given: bodies.Pencilled) -> dict[str, list[str]]:
    """The labels of an element."""
    live = await context.look_at_match(table)
    find = partial(table_json.pencils, live, context.visitor, given.seat, given.element)
    _, labels, noted = await run_in_threadpool(find)
    return {'labels': labels, 'noted': noted}


@router.post(
    '/tables/{table}/notes', summary='Pencil something', tags=['play'], responses=refusals(403, 404, 422, 503)
)
@for_seats
async def note(context: Asked, table: TableId, given: bodies.Note) -> dict[str, Any]:
    """On an element of the drawing. Only you see it: `notes` in your view of the table."""
    live = await context.look_at_match(table)
    find = partial(table_json.pencils, live, context.visitor, given.seat, given.element)
    seat, labels, noted = await run_in_threadpool(find)
    chosen = [label for label in labels if label in given.labels]
    if len(chosen) < len(set(given.labels)) or not (chosen or noted or labels):
        raise GameError(words('web.error.pencil', labels=', '.join(labels) or words('game.none')))
    context.check_rate('people')
    await context.server.pencil(live, seat, given.element, chosen)
    return {'element': given.element, 'labels': chosen}
