"""What concerns the match as a whole: resigning, requests, rematches, hints, chat."""

from __future__ import annotations

from functools import partial
from typing import Any
from unicodedata import category

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from ludoteca.game import GameError
from ludoteca.text import words
from ludoteca.web.api import bodies
from ludoteca.web.api.answers import run_command
from ludoteca.web.api.refusals import refusals
from ludoteca.web.live import commands, hints, table_json
from ludoteca.web.live.exercises import Exercising, Go
from ludoteca.web.live.guide import StepLesson
from ludoteca.web.offers.catalogue import known_level
from ludoteca.web.people.access import for_seats
from ludoteca.web.routes.context import Asked, TableId
from ludoteca.web.serving.errors import Forbidden

router = APIRouter(prefix='/api')
LONGEST_LINE = 500


@router.post(
    '/tables/{table}/resign', summary='Give up', tags=['play'], responses=refusals(403, 404, 409, 422, 503)
)
@for_seats
async def resign(context: Asked, table: TableId, given: bodies.SeatGiven) -> Response:
    """With two players the other wins; with more a bot takes the seat."""
    return await run_command(context, await context.look(table), given.seat, commands.Resign())


@router.post(
    '/tables/{table}/takeback',
    summary='Ask to take back your last turn',
    tags=['play'],
    responses=refusals(403, 404, 409, 422, 503),
)
@for_seats
async def takeback(context: Asked, table: TableId, given: bodies.SeatGiven) -> Response:
    """Bots agree at once; people are asked."""
    live = await context.look(table)
    command = commands.AskTakeback(live.seats_of(context.visitor))
    return await run_command(context, live, given.seat, command)


@router.post(
    '/tables/{table}/retry',
    summary='Try again from an earlier position',
    tags=['play'],
    responses=refusals(403, 404, 409, 422, 503),
)
@for_seats
async def retry(context: Asked, table: TableId, given: bodies.Retried) -> Response:
    """Where all other seats are bots: from one in which it was your turn. The game is not
    rated any more."""
    return await run_command(context, await context.look(table), given.seat, commands.Retry(given.turn))


@router.post(
    '/tables/{table}/replace',
    summary='Ask that a bot takes the seat of somebody who left',
    tags=['play'],
    responses=refusals(403, 404, 409, 422, 503),
)
@for_seats
async def replace(context: Asked, table: TableId, given: bodies.Replace) -> Response:
    """In games of three or more; all others must agree."""
    live = await context.look(table)
    mine = live.seats_of(context.visitor)
    if live.is_here(given.seat):
        raise GameError(words('web.error.present', name=live.table.seats[given.seat].name))
    command = commands.AskReplace(given.seat, known_level(given.level), mine)
    return await run_command(context, live, None, command)


@router.post(
    '/tables/{table}/answer',
    summary='Answer the open request',
    tags=['play'],
    responses=refusals(403, 404, 409, 422, 503),
)
@for_seats
async def answer_request(context: Asked, table: TableId, given: bodies.RequestAnswer) -> Response:
    """Who asked withdraws with no."""
    live = await context.look(table)
    command = commands.AnswerRequest(given.yes, live.seats_of(context.visitor))
    return await run_command(context, live, given.seat, command)


@router.post(
    '/tables/{table}/come-back',
    summary='Take your seat back from the bot',
    tags=['play'],
    responses=refusals(403, 404, 409, 422, 503),
)
@for_seats
async def come_back(context: Asked, table: TableId, given: bodies.SeatGiven) -> Response:
    """Not after resigning."""
    return await run_command(context, await context.look(table), given.seat, commands.ComeBack())


@router.post(
    '/tables/{table}/rematch',
    summary='Ask for another game of the same people',
    tags=['play'],
    description=(
        'When the match is over. The others are asked: `request` in their view waits for their answer. '
        'When all have agreed, when there\nis nobody to ask, or when a best of three goes on, `id` and `url` '
        'are those of the new table, otherwise they are empty.'
    ),
    responses=refusals(403, 404, 409, 422, 503),
)
async def rematch(context: Asked, table: TableId, given: bodies.Rematch | None = None) -> dict[str, Any]:
    """Asking for what somebody else has asked for agrees to it."""
    best_of = given.best_of if given else 1
    following = await context.rematch(await context.look(table), best_of)
    return {'id': following, 'url': f'/tables/{following}' if following else ''}


@router.post(
    '/tables/{table}/lesson',
    summary='Go on in a lesson, or back',
    tags=['lessons'],
    responses=refusals(403, 404, 409, 422, 503),
)
@for_seats
async def lesson(context: Asked, table: TableId, given: bodies.LessonWay) -> Response:
    """The step is in `lesson` of your view. Moves that a step waits for are played as elsewhere."""
    live = await context.look(table)
    if live.guide is None:
        raise GameError(words('web.lesson.error.none'))
    command = StepLesson(live.guide, given.way, given.step)
    return await run_command(context, live, live.guide.lesson.seat, command)


@router.post(
    '/tables/{table}/exercise',
    summary='Try again, see the solution, or go on in an exercise',
    tags=['puzzles'],
    responses=refusals(403, 404, 409, 422, 503),
)
@for_seats
async def exercise(context: Asked, table: TableId, given: bodies.ExerciseWay) -> Response:
    """The task is in `exercise` of your view. An answer is a complete turn, played as elsewhere."""
    live = await context.look(table)
    if not isinstance(live.script, Exercising):
        raise GameError(words('web.exercise.error.none'))
    return await run_command(context, live, live.script.seat, Go(live.script, given.way, given.step))


@router.post(
    '/tables/{table}/hint',
    summary='What a strong bot would play',
    tags=['play'],
    responses=refusals(403, 404, 422, 503),
    description=(
        'For the seat whose turn it is, on what it knows. Stage 1 says where to look, 2 what is chosen '
        'first, 3 the whole turn\nwith what to click for each step, 4 also why it is better than the next '
        'best one. `next` names the stage that adds\nsomething. All stages of a position answer about the '
        'same turn.'
    ),
)
@for_seats
async def hint(context: Asked, table: TableId, given: bodies.Hinted) -> dict[str, Any]:
    """Give a hint."""
    live = await context.look(table)
    seat = await run_in_threadpool(live.seat_to_play, context.visitor, given.seat)
    check = partial(context.check_rate, 'hints', context.visitor.key)
    found = await hints.hint(live, seat, context.server.desk, check)
    version = found.version
    if live.match().version(seat) != version or (given.version is not None and given.version != version):
        raise GameError(words('web.table.hint_moved'))
    return await run_in_threadpool(found.json, given.stage)


@router.post(
    '/tables/{table}/why-not',
    summary='Why a click makes no action',
    tags=['play'],
    responses=refusals(403, 404, 422, 503),
)
@for_seats
async def why_not(context: Asked, table: TableId, given: bodies.Clicked) -> dict[str, str]:
    """One sentence, and the address of the rule that it tells, if it tells one."""
    live = await context.look(table)
    if not live.ready:
        return {'sentence': words('web.error.not_ready'), 'rules': ''}
    explain = partial(table_json.why_not, live, context.visitor, given.seat, given.targets)
    return await run_in_threadpool(explain)


@router.post(
    '/tables/{table}/explain',
    summary='What something on the table is',
    tags=['play'],
    responses=refusals(403, 404, 422, 503),
)
@for_seats
async def explain(context: Asked, table: TableId, given: bodies.Explained) -> dict[str, str]:
    """Of the first element that means anything: a title, a few sentences, the address of the rules that say
    more, and the one of these on which you may pencil something. All empty if none means anything."""
    live = await context.look_at_match(table)
    find = partial(
        table_json.explanation, live, context.visitor, given.seat, given.elements, given.turn, given.eyes
    )
    return await run_in_threadpool(find) or {
        'element': '',
        'title': '',
        'text': '',
        'rules': '',
        'pencil': '',
    }


@router.post(
    '/tables/{table}/chat', summary='Say something', tags=['play'], responses=refusals(403, 404, 422, 503)
)
@for_seats
async def chat(context: Asked, table: TableId, given: bodies.Said) -> dict[str, int]:
    """To all at the table."""
    live = await context.look(table)
    if not live.seats_of(context.visitor):
        raise Forbidden(words('web.chat.seatless'))
    token = context.visitor.token
    person = token.person if token is not None else context.visitor.id
    if person is not None and await run_in_threadpool(context.store.is_muted, person):
        raise Forbidden(words('web.chat.muted'))
    printable = ''.join(c for c in given.text if c.isspace() or category(c) != 'Cc')
    text = ' '.join(printable.split())[:LONGEST_LINE]
    if not text:
        raise GameError(words('web.error.chat_empty'))
    context.check_rate('chat', context.visitor.key)
    line = await context.server.say(live, context.visitor, text)
    return {'number': line.number}


@router.get('/tables/{table}/chat', summary='What was said', tags=['play'], responses=refusals(403, 404, 503))
@for_seats
async def chat_lines(context: Asked, table: TableId) -> list[dict[str, Any]]:
    """The last lines, the oldest first."""
    return table_json.chat_json(await context.look(table), context.visitor)
