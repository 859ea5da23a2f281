"""The pictures that messengers show of a link: of a match at a turn, as a spectator may see it, or of a game
to which somebody is invited."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from ludoteca.game import load
from ludoteca.store import Table
from ludoteca.text import words
from ludoteca.web.html.illustrations import Picture
from ludoteca.web.live.table import LiveTable
from ludoteca.web.people.access import for_all
from ludoteca.web.pictures.rasters import digest
from ludoteca.web.pictures.scenes import PREVIEW_BOX, Scene, all_seen, preview, scene_at
from ludoteca.web.routes.context import Asked
from ludoteca.web.routes.share_links import invited
from ludoteca.web.serving.errors import NotFound

router = APIRouter(include_in_schema=False)

KEPT_OVER = 'public, max-age=604800'
"""For a turn of a match that is over: it does not change any more."""
KEPT_RUNNING = 'public, max-age=60'


@router.get('/previews/{token}.png')
@for_all
async def preview_picture(
    request: Request,
    context: Asked,
    token: Annotated[str, Path(max_length=100, pattern=r'^[\w-]+$')],
    turn: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
) -> Response:
    """The picture of a link. Its address is given away with the link, and opens nothing else."""
    table = await run_in_threadpool(context.store.previewed, token)
    if table is None:
        raise NotFound(words('web.error.not_found'))
    live = await context.server.live(table)
    svg, final = await run_in_threadpool(_drawn, live, turn)
    tag = f'"{digest(svg, PREVIEW_BOX[0])}"'
    headers = {
        'Cache-Control': KEPT_OVER if final else KEPT_RUNNING,
        'ETag': tag,
        # pages of messengers show it, too
        'Cross-Origin-Resource-Policy': 'cross-origin',
    }
    if request.headers.get('if-none-match') == tag:
        return Response(status_code=304, headers=headers)
    context.check_rate('pictures')
    png = await context.rasters.png(svg, PREVIEW_BOX[0])
    return Response(png, media_type='image/png', headers=headers)


def _drawn(live: LiveTable, turn: int | None) -> tuple[str, bool]:
    """The picture as SVG, and whether it stays as it is."""
    if not live.ready:
        return preview(_invitation(live.table)), False
    with live.lock:
        match = live.match()
        scene = scene_at(match, match.turns if turn is None else turn, all_seen(match), 'light')
        return preview(scene), match.result is not None


def _invitation(table: Table) -> Scene:
    """A game that has not begun: its picture, and who is there."""
    game, colours = load(table.game), table.colours
    seats = [(colours[info.seat], info.name or words('web.table.open_seat'), '') for info in table.seats]
    return Scene(game.title, Picture(table.game, 'emblem').draw(), '', invited(table), '', tuple(seats))
