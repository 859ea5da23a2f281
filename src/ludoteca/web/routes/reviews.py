"""The addresses of reviews: the page, its newest content for an open page, asking for a review and stopping
it. Whoever may look at a table may see the review of its match, once that is over: then nothing of it is
secret."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from ludoteca.game import GameError
from ludoteca.text import words
from ludoteca.web.html.layout import text_of
from ludoteca.web.live.messages import view_for
from ludoteca.web.live.new_tables import open_exercise
from ludoteca.web.live.reviews import ReviewStatus
from ludoteca.web.live.table import LiveTable
from ludoteca.web.pages.review import ReviewCursor, content_of, review_page
from ludoteca.web.people.access import for_keepers
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.routes.analyses import check_plays_alone
from ludoteca.web.routes.context import Asked, TableId

router = APIRouter(include_in_schema=False)
Turn = Annotated[int, Query(ge=0, le=99_999, description='A turn of the match; 0: the usual one.')]
Number = Annotated[int, Path(ge=1, le=99_999)]
Way = Annotated[Literal['board', 'better', 'played'], Query()]
Step = Annotated[int, Query(ge=0, le=999)]


@router.get('/tables/{table}/review')
async def review(
    context: Asked,
    table: TableId,
    turn: Turn = 0,
    line: Way = 'board',
    step: Step = 0,
    everyone: bool = False,
    part: bool = False,
) -> Response:
    """The review of the match at a table, or how far it has come. `turn`, `line`, `step`: what is looked at;
    `everyone`: not only the visitor's own turns; `part`: only what an open page puts in its place."""
    live = await context.look_at_match(table)
    status = await context.reviewer.look(live)
    cursor = ReviewCursor(turn, line if turn else 'board', step, everyone)
    if turn > status.match.turns:
        raise GameError(words('match.error.no_turn', turns=status.match.turns, turn=turn))
    text = await run_in_threadpool(_page, live, context.visitor, status, cursor, part)
    return HTMLResponse(text, headers={'Cache-Control': 'no-store'})


def _page(live: LiveTable, visitor: Visitor, status: ReviewStatus, cursor: ReviewCursor, part: bool) -> str:
    with live.lock:
        view = view_for(live, visitor, live.seat_of(visitor))
    if part:
        return text_of(content_of(view, status.kept, status.review, cursor))
    return review_page(visitor, view, status.kept, status.review, cursor, live.link(visitor))


@router.post('/tables/{table}/review')
async def ask_for_review(context: Asked, table: TableId) -> Response:
    """Have the match at a table reviewed."""
    live = await context.look_at_match(table)
    context.check_rate('hints')
    if live.match().setup.imported:
        await check_plays_alone(context, live.table.game)
    await context.reviewer.ask(live)
    return RedirectResponse(f'/tables/{live.id}/review', 303)


@router.post('/tables/{table}/review/turns/{turn}')
@for_keepers
async def find_better(context: Asked, table: TableId, turn: Number) -> Response:
    """A turn of a review as an exercise: find a better one."""
    live = await context.look_at_match(table)
    context.check_rate('puzzles')
    exercise = await context.reviewer.exercise(live, turn)
    await context.settle()
    opened = await open_exercise(context.server, context.visitor, exercise)
    return RedirectResponse(f'/tables/{opened.id}', 303)


@router.post('/tables/{table}/review/stop')
async def stop_review(context: Asked, table: TableId) -> Response:
    """Stop the review of the match at a table; it can be gone on with."""
    live = await context.look_at_match(table)
    await context.reviewer.stop(live)
    return RedirectResponse(f'/tables/{live.id}/review', 303)
