"""The pages' addresses, and the line over which an open table page gets its messages."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, WebSocket
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocketDisconnect

from ludoteca.game import SPECTATOR, GameError, load
from ludoteca.text import words
from ludoteca.web import api, pages, table_json, views
from ludoteca.web.access import for_all, for_seats
from ludoteca.web.table_server import TableServer, NotFound, Page, LiveTable
from ludoteca.web.people import People
from ludoteca.web.pictures import Picture
from ludoteca.web.security import whole

router = APIRouter(include_in_schema=False)
Name = Annotated[str, Path(max_length=40, pattern=r'^[a-z0-9_]+$')]
TableId = Annotated[str, Path(max_length=32)]
Theme = Annotated[Literal['light', 'dark'], Query()]
CHECKED = 30.0
"""Seconds after which the token of an open line is looked at again."""
KEPT_A_DAY = {'Cache-Control': 'public, max-age=86400'}


@router.get('/')
async def lobby(request: Request) -> Response:
    visitor, mine, open_tables = await _lists(request)
    return HTMLResponse(await run_in_threadpool(pages.lobby, visitor, mine, open_tables))


@router.get('/lists')
async def lists(request: Request) -> Response:
    return HTMLResponse(str(await run_in_threadpool(pages.lists, *await _lists(request))))


async def _lists(request: Request) -> tuple[Any, Any, Any]:
    visitor, store = await api.visitor_of(request), api.server_of(request).store
    mine = await run_in_threadpool(store.tables_of, visitor.id) if visitor.id else ()
    return visitor, mine, await run_in_threadpool(store.open_tables)


@router.post('/tables')
async def new_table(request: Request) -> Response:
    """A table from a form of the lobby."""
    visitor = await api.visitor_of(request)
    async with request.form(max_files=0, max_fields=120) as form:
        items = [(key, str(value)) for key, value in form.multi_items()]
    given = dict(items)
    game = table_json.known_game(given.get('game', ''))
    modes: dict[str, table_json.Mode] = {'bot': 'bot', 'here': 'here', 'link': 'link', 'open': 'open'}
    mode = modes.get(given.get('mode', 'bot'))
    if mode is None:
        raise GameError(words('web.error.wrong_body', problem='mode'))
    count = given.get(f'players-{game}', '')
    players = whole(count, 9)
    if count and players is None:
        raise GameError(words('web.error.wrong_body', problem=words('web.new.players')))
    prefix = f'option-{game}-'
    options: dict[str, Any] = {
        key.removeprefix(prefix): value for key, value in given.items() if key.startswith(prefix)
    }
    for name in load(game).options.members():
        if name in options:  # a box for each member, and an empty value that is there if none is checked
            options[name] = [value for key, value in items if key == prefix + name and value]
    api.check_rate(request, 'tables', api.address_of(request))
    person = await api.people_of(request).settle(visitor)
    live = await table_json.new_table(
        api.server_of(request),
        person,
        game,
        mode,
        players,
        given.get('level', table_json.USUAL_LEVEL),
        options,
        [value for key, value in items if key == 'colours' and value],
    )
    if request.headers.get('accept', '').startswith('application/json'):
        return JSONResponse({'url': f'/tables/{live.id}'}, 201)
    return RedirectResponse(f'/tables/{live.id}', 303)


@router.post('/tables/{table}/join')
async def join(request: Request, table: TableId) -> Response:
    live, _ = await api.join(request, table, None)
    return RedirectResponse(f'/tables/{live.id}', 303)


@router.get('/join/{token}')
async def invitation(request: Request, token: Annotated[str, Path(max_length=100)]) -> Response:
    """What a link opens. Nothing is taken by looking at it."""
    visitor, store = await api.visitor_of(request), api.server_of(request).store
    found = await run_in_threadpool(store.invited, token)
    table = await run_in_threadpool(store.table, found[0]) if found else None
    if found is None or table is None:
        raise NotFound(words('web.error.invite_wrong'))
    if table.seats_of(visitor.id):
        return RedirectResponse(f'/tables/{table.id}', 303)
    info = table.seats[found[1]]
    if info.kind != 'open' or table.status != 'open':
        raise NotFound(words('web.error.invite_used'))
    return HTMLResponse(pages.invitation(visitor, table, token))


@router.post('/join/{token}')
async def accept(request: Request, token: Annotated[str, Path(max_length=100)]) -> Response:
    found = await run_in_threadpool(api.server_of(request).store.invited, token)
    if found is None:
        raise NotFound(words('web.error.invite_wrong'))
    live, _ = await api.join(request, found[0], token)
    return RedirectResponse(f'/tables/{live.id}', 303)


@router.get('/tables/{table}')
async def table(request: Request, table: TableId) -> Response:
    live, visitor = await api.live_of(request, table)
    message = await run_in_threadpool(_first_message, live, visitor)
    return HTMLResponse(await run_in_threadpool(pages.table, visitor, live.table, message, live.link(visitor)))


@router.get('/watch/{token}')
async def watch(request: Request, token: Annotated[str, Path(max_length=100)]) -> Response:
    """A private table for somebody whom one of those who sit there lets watch. Its page has this address, so that it can be
    passed on; the cookie says from now on that this guest may look."""
    live, visitor = await api.watched(request, token)
    return await table(request, live.id) if not live.seats_of(visitor) else RedirectResponse(f'/tables/{live.id}', 303)


def _first_message(live: LiveTable, visitor: Any, here: int | None = None) -> dict[str, Any]:
    seat = SPECTATOR
    if live.ready:
        with live.lock:
            seat = live.seat_of(visitor)
    return live.message(Page(visitor, asyncio.Event(), seat, here=_own(live, visitor, here)))


def _own(live: LiveTable, visitor: Any, seat: int | None) -> int | None:
    """The seat, if it is the visitor's."""
    return seat if seat is not None and seat in live.seats_of(visitor) else None


@router.get('/tables/{table}/view')
@for_seats
async def view(request: Request, table: TableId, here: api.SeatQuery = None) -> Response:
    """The whole view once more, for a page whose line is down; `here`: the seat whose person is at a shared screen."""
    live, visitor = await api.live_of(request, table)
    return JSONResponse(await run_in_threadpool(_first_message, live, visitor, here))


@router.get('/tables/{table}/at/{turn}')
@for_seats
async def look_back(
    request: Request, table: TableId, turn: Annotated[int, Path(ge=0)], seat: api.SeatQuery = None
) -> Response:
    """The position after a turn, as fragments."""
    live, visitor = await api.live_of(request, table)

    def draw() -> dict[str, Any]:
        with live.lock:
            sight = live.sight(visitor, table_json.seat_at_screen(live, visitor, seat))
            parts, events = views.past_fragments(sight, turn)
            return {
                'at': turn,
                'fragments': parts,
                'events': [event.json() for event in events],
                'speak': views.events_text(sight.game, events, views.names_of(sight)) or words('web.table.beginning'),
            }

    if not live.ready:
        raise GameError(words('web.error.not_ready'))
    return JSONResponse(await run_in_threadpool(draw))


@router.get('/games/{name}/rules')
async def rules(request: Request, name: Name) -> Response:
    visitor, game = await api.visitor_of(request), load(table_json.known_game(name))
    return HTMLResponse(await run_in_threadpool(pages.rules, visitor, game))


@router.get('/games/{name}/picture-{theme}.svg')
@for_all
async def picture(request: Request, name: Name, theme: Literal['light', 'dark']) -> Response:
    return await _svg(request, Picture(table_json.known_game(name), 'emblem', theme=theme))


@router.get('/games/{name}/badge.svg')
@for_all
async def badge(request: Request, name: Name) -> Response:
    return await _svg(request, Picture(table_json.known_game(name), 'badge'))


@router.get('/games/{name}/positions/{example}.svg')
@for_all
async def position_picture(
    request: Request,
    name: Name,
    example: Annotated[str, Path(max_length=40, pattern=r'^[\w-]+$')],
    turn: Annotated[str, Query(max_length=2000)] = '',
    theme: Theme = 'light',
) -> Response:
    # a plus sign in a query is a space to its parser
    return await _svg(request, Picture(table_json.known_game(name), 'position', example, turn.replace(' ', '+'), theme))


@router.get('/games/{name}/figures/{figure}.svg')
@for_all
async def figure(
    request: Request,
    name: Name,
    figure: Annotated[str, Path(max_length=40, pattern=r'^[\w-]+$')],
    theme: Theme = 'light',
) -> Response:
    return await _svg(request, Picture(table_json.known_game(name), 'figure', figure, theme=theme))


async def _svg(request: Request, picture: Picture) -> Response:
    packed = await run_in_threadpool(picture.packed)
    headers = KEPT_A_DAY | {'Vary': 'Accept-Encoding'}
    if 'gzip' in request.headers.get('accept-encoding', ''):
        return Response(packed, media_type='image/svg+xml', headers=headers | {'Content-Encoding': 'gzip'})
    return Response(gzip.decompress(packed), media_type='image/svg+xml', headers=headers)


@router.get('/api')
async def api_docs(request: Request) -> Response:
    visitor = await api.visitor_of(request)
    return HTMLResponse(pages.api_docs(visitor, request.app.openapi()))


@router.get('/credits')
async def credits_page(request: Request) -> Response:
    return HTMLResponse(pages.credits_page(await api.visitor_of(request)))


@router.get('/favicon.ico')
@for_all
async def favicon() -> Response:
    from ludoteca.web import assets

    return Response(assets.files()['favicon.svg'], media_type='image/svg+xml', headers=KEPT_A_DAY)


@router.get('/robots.txt')
@for_all
async def robots() -> Response:
    return Response('User-agent: *\nDisallow: /tables/\nDisallow: /join/\nDisallow: /watch/\n', media_type='text/plain')


# ---- the line ------------------------------------------------------------------------------------------------------------------


@router.websocket('/tables/{table}/live')
@for_seats
async def live(socket: WebSocket, table: str) -> None:
    """Each message is the whole view; what the page has already is left out. The page begins by saying what that is."""
    server: TableServer = socket.app.state.server
    people: People = socket.app.state.people
    visitor = await people.who(socket)
    live = await server.look(table, visitor)
    page = Page(visitor, asyncio.Event(), SPECTATOR)
    server.enter(live, page)
    try:
        await socket.accept()
        hello = await asyncio.wait_for(_read(socket, server.limits.message), 20)
        page.have, page.turns = _marks(hello.get('have')), _number(hello.get('turns'))
        seat = _own(live, visitor, _number(hello.get('seat')))
        page.seat = SPECTATOR if seat is None else seat
        page.here = _own(live, visitor, _number(hello.get('here')))
        if page.here is not None and page.here == seat and page.turns is not None:
            page.seen[page.here] = page.turns
        page.dirty.set()
        reader = asyncio.ensure_future(_receive(socket, live, page, server.limits.message))
        writer = asyncio.ensure_future(_write(socket, server, live, page))
        try:
            await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reader, writer):
                task.cancel()
            await asyncio.wait({reader, writer})
        for task in (reader, writer):
            problem = None if task.cancelled() else task.exception()
            if problem and not isinstance(problem, RuntimeError):
                raise problem
    except (TimeoutError, WebSocketDisconnect):
        pass
    finally:
        server.leave(live, page)
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close()


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _marks(value: Any) -> dict[str, str]:
    return {str(key): str(mark) for key, mark in value.items()} if isinstance(value, dict) else {}


async def _read(socket: WebSocket, most: int) -> dict[str, Any]:
    """What a page says. Raises GameError if it is nothing that a page would say."""
    message = await socket.receive()
    if message['type'] == 'websocket.disconnect':
        raise WebSocketDisconnect(message.get('code', 1005))
    text = message.get('text') or ''
    if len(text) > most:
        raise GameError(words('web.error.too_large'))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise GameError(words('web.error.not_json')) from problem
    if not isinstance(data, dict):
        raise GameError(words('web.error.not_json'))
    return data


async def _receive(socket: WebSocket, live: LiveTable, page: Page, most: int) -> None:
    """A page that several people share says who has come to the screen, or that somebody has left it (null). Nothing else is said
    over the line; its end is noticed."""
    while True:
        said = await _read(socket, most)
        if 'here' in said:
            page.here = _own(live, page.visitor, _number(said['here']))
            page.dirty.set()


async def _write(socket: WebSocket, server: TableServer, live: LiveTable, page: Page) -> None:
    shown: tuple[int, int, bool] | None = None
    while True:
        with contextlib.suppress(TimeoutError):
            # a program's token may be revoked by another process
            await asyncio.wait_for(page.dirty.wait(), CHECKED if page.visitor.token else None)
        page.dirty.clear()
        said = await run_in_threadpool(server.told, live, page)
        have = page.have or {}
        said['fragments'] = {
            name: part for name, part in said['fragments'].items() if have.get(name) != said['marks'][name]
        }
        page.have, page.turns, page.seat = said['marks'], said['turns'], said['seat']
        before, shown = shown, (said['version'], said['seat'], said['ready'])
        if shown != before or said['fragments']:  # what this page cannot see is not told to it
            await socket.send_text(json.dumps(said, separators=(',', ':'), ensure_ascii=False))
