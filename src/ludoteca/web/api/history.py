"""What has happened at a table: the log, positions, pictures, the match as a file."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import PlainTextResponse, Response
from starlette.concurrency import run_in_threadpool

from ludoteca.game import load
from ludoteca.match import files
from ludoteca.web.api.refusals import refusals
from ludoteca.web.live import table_json
from ludoteca.web.live.table import LiveTable
from ludoteca.web.people.access import for_seats
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.routes.context import Asked, EyesQuery, PastQuery, SeatQuery, TableId, ThemeQuery

router = APIRouter(prefix='/api')


@router.get(
    '/tables/{table}/log',
    summary='The turns so far',
    tags=['history'],
    responses=refusals(403, 404, 422, 503),
)
@for_seats
async def log(
    context: Asked, table: TableId, since: Annotated[int, Query(ge=0)] = 0, seat: SeatQuery = None
) -> list[dict[str, Any]]:
    """As you may know them."""
    live = await context.look(table)
    return await run_in_threadpool(_log, live, context.visitor, seat, since) if live.ready else []


def _log(live: LiveTable, visitor: Visitor, seat: int | None, since: int) -> list[dict[str, Any]]:
    with live.lock:
        return table_json.log_json(live.match(), live.seat_to_read(visitor, seat), since)


@router.get(
    '/tables/{table}/positions/{turn}',
    summary='The position after a turn',
    tags=['history'],
    responses=refusals(403, 404, 422, 503),
)
@for_seats
async def position(
    context: Asked, table: TableId, turn: Annotated[int, Path(ge=0)], seat: SeatQuery = None
) -> dict[str, Any]:
    """As you may know it; when the match is over, with nothing hidden."""
    live = await context.look_at_match(table)
    return await run_in_threadpool(table_json.position_json, live, context.visitor, turn, seat)


@router.get(
    '/tables/{table}/picture.svg',
    summary='The position as a picture',
    tags=['history'],
    response_class=Response,
    responses=refusals(403, 404, 422, 503, kind='image/svg+xml'),
)
@for_seats
async def picture(
    context: Asked,
    table: TableId,
    turn: PastQuery = None,
    seat: SeatQuery = None,
    theme: ThemeQuery = 'light',
    eyes: EyesQuery = None,
) -> Response:
    """As you may know it, in SVG that stands alone."""
    live = await context.look_at_match(table)
    text = await run_in_threadpool(table_json.picture, live, context.visitor, turn, seat, theme, eyes)
    return Response(text, media_type='image/svg+xml')


@router.get(
    '/tables/{table}/export',
    summary='The match as a file',
    tags=['history'],
    response_class=Response,
    responses=refusals(403, 404, 422, 503, kind='text/plain'),
)
@for_seats
async def export(context: Asked, table: TableId, seat: SeatQuery = None) -> Response:
    """Readable text. Of an unfinished match it holds only what you may know."""
    live = await context.look_at_match(table)
    text = await run_in_threadpool(_file, live, context.visitor, seat)
    name = f'{load(live.table.game).name}-{live.id}.txt'
    return PlainTextResponse(text, headers={'Content-Disposition': f'attachment; filename="{name}"'})


def _file(live: LiveTable, visitor: Visitor, seat: int | None) -> str:
    with live.lock:
        return files.write(live.match(), live.seat_at_screen(visitor, seat))
