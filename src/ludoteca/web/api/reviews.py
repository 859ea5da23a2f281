"""Reviews of finished matches, for programs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import Response

from ludoteca.web.api.answers import opened
from ludoteca.web.api.refusals import refusals
from ludoteca.web.live.new_tables import open_exercise
from ludoteca.web.live.table import LiveTable
from ludoteca.web.people.access import for_seats
from ludoteca.web.routes.context import Asked, Context, TableId

router = APIRouter(prefix='/api')


async def _answer(context: Context, live: LiveTable) -> dict[str, Any]:
    """How far a review has come, and when it is done all of it."""
    found = await context.reviewer.look(live)
    return {
        'status': found.kept.status if found.kept else 'none',
        'judged': found.kept.judged if found.kept else 0,
        'turns': found.match.turns,
        'review': found.review.json() if found.review else None,
    }


@router.get(
    '/tables/{table}/review',
    summary='The review of a finished match',
    tags=['history'],
    responses=refusals(400, 403, 404, 503),
)
@for_seats
async def review(context: Asked, table: TableId) -> dict[str, Any]:
    """`status` is `none` (nobody has asked for it), `running`, `stopped` or `done`; `judged` of `turns` turns
    are judged. `review` is what `ludoteca review --json` prints, once it is done."""
    return await _answer(context, await context.look_at_match(table))


@router.post(
    '/tables/{table}/review',
    summary='Have a finished match reviewed',
    tags=['history'],
    responses=refusals(400, 403, 404, 429, 503),
    status_code=202,
)
@for_seats
async def ask_for_review(context: Asked, table: TableId) -> dict[str, Any]:
    """Turns are judged one after the other, and kept: who asks again gets the same. A review that was stopped
    goes on where it was. The answer is that of GET."""
    live = await context.look_at_match(table)
    context.check_rate('hints')
    await context.reviewer.ask(live)
    return await _answer(context, live)


@router.post(
    '/tables/{table}/review/turns/{turn}',
    summary='Try to find better than a turn of a review',
    tags=['puzzles'],
    responses=refusals(400, 403, 404, 422, 429, 503),
    status_code=201,
)
async def find_better(
    context: Asked, table: TableId, turn: Annotated[int, Path(ge=1, le=99_999)]
) -> Response:
    """A table of your own with the position before that turn, as its player knew it: an exercise like a
    puzzle. Only turns for which the review has something better are exercises."""
    live = await context.look_at_match(table)
    context.check_rate('puzzles')
    exercise = await context.reviewer.exercise(live, turn)
    await context.settle()
    live = await open_exercise(context.server, context.visitor, exercise)
    return await opened(context, live)


@router.post(
    '/tables/{table}/review/stop',
    summary='Stop a review',
    tags=['history'],
    responses=refusals(400, 403, 404, 503),
)
@for_seats
async def stop_review(context: Asked, table: TableId) -> dict[str, Any]:
    """What has been judged is kept. The answer is that of GET."""
    live = await context.look_at_match(table)
    await context.reviewer.stop(live)
    return await _answer(context, live)
