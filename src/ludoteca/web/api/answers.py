"""What several routes of the interface answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from ludoteca.web.live.commands import Command
from ludoteca.web.live.guide import LessonAnswer
from ludoteca.web.live.table import LiveTable
from ludoteca.web.live.table_json import view_json
from ludoteca.web.routes.context import Context
from ludoteca.web.serving import metrics, tracing


async def view_of(context: Context, live: LiveTable, seat: int | None = None) -> dict[str, Any]:
    """The table as the visitor may know it."""
    return await run_in_threadpool(view_json, live, context.visitor, seat)


async def view_with_tokens(context: Context, live: LiveTable) -> dict[str, Any]:
    """The same for a visitor who has just sat down: a program without cookies gets a token for each of its
    seats."""
    data = await view_of(context, live)
    if not context.brings_cookies:
        new_token, person = context.store.new_token, context.visitor.id
        data['tokens'] = {
            seat: await run_in_threadpool(new_token, live.id, seat, person)
            for seat in live.seats_of(context.visitor)
        }
    return data


async def opened(context: Context, live: LiveTable) -> Response:
    """The table that a request has opened, and where it is."""
    data = await view_with_tokens(context, live)
    return JSONResponse(data, status_code=201, headers={'Location': f'/api/tables/{live.id}'})


def _numbers(context: Context, live: LiveTable, seat: int) -> tuple[int, int]:
    """The version of a seat, and how much the visitor has seen happen."""
    if not live.ready:
        return -1, live.serial_of(context.visitor)
    with live.lock:
        return _numbers_now(context, live, seat)


def _numbers_now(context: Context, live: LiveTable, seat: int) -> tuple[int, int]:
    return live.match().version(seat), live.serial_of(context.visitor)


async def _numbers_soon(context: Context, live: LiveTable, seat: int) -> tuple[int, int]:
    """The same; a thread waits for the match only if another one has it."""
    if live.is_loaded and live.lock.acquire(blocking=False):
        try:
            return _numbers_now(context, live, seat)
        finally:
            live.lock.release()
    return await run_in_threadpool(_numbers, context, live, seat)


async def run_command(context: Context, live: LiveTable, seat: int | None, command: Command) -> Response:
    """Run a command for a seat of the visitor's: the one that is named, else one that the command is for,
    else the one whose turn it is. Answers the view with what the command says; with `Prefer: return=minimal`
    its version only. Where a lesson answers the command instead, `done` is false and `sentence` is its
    answer."""
    try:
        with tracing.span('turn', game=live.table.game, command=type(command).__name__):
            outcome = await context.server.run(live, context.visitor, seat, command)
    except LessonAnswer as said:
        return await answer(context, live, said.seat, {'done': False, 'sentence': str(said), 'rules': ''})
    if outcome.answer.get('committed') and outcome.seen_by is None:
        metrics.TURNS.labels(live.table.game, 'person').inc()
    return await answer(context, live, outcome.seat, outcome.answer)


async def answer(context: Context, live: LiveTable, seat: int, said: Mapping[str, Any]) -> Response:
    """The view with what is said; with `Prefer: return=minimal` its version, as the seat sees it, only."""
    if 'return=minimal' in context.request.headers.get('prefer', ''):
        version, serial = await _numbers_soon(context, live, seat)
        return JSONResponse(
            {'version': version, 'serial': serial, **said},
            headers={'Preference-Applied': 'return=minimal'},
        )
    return JSONResponse(await view_of(context, live) | dict(said))
