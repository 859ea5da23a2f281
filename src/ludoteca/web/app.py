"""The application, and the server that runs it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

import uvicorn
from fastapi import Depends, FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Match, Route
from starlette.types import ASGIApp
from starlette.websockets import WebSocketDisconnect, WebSocketState
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

import ludoteca
from ludoteca.game import GameError
from ludoteca.kernel import compile as forms
from ludoteca.kernel import process
from ludoteca.store import DatabaseLock, Store, StoreError, database_file, database_url, secret_key
from ludoteca.text import words
from ludoteca.web import api, routes
from ludoteca.web.api import refusals
from ludoteca.web.live import socket as table_socket
from ludoteca.web.live.reviews import Reviewer
from ludoteca.web.live.server import TableServer
from ludoteca.web.offers.component_sets import OfferedSets
from ludoteca.web.pages.reading import error
from ludoteca.web.people import access
from ludoteca.web.people.operator import Operator, key_of_folder
from ludoteca.web.people.visitors import Cookies, Visitor, Visitors
from ludoteca.web.pictures.films import Films
from ludoteca.web.pictures.rasters import Rasters
from ludoteca.web.serving import assets, logs, metrics, sockets, timeouts, tracing
from ludoteca.web.serving.errors import closing, status_of
from ludoteca.web.serving.instrumentation import Instrumentation
from ludoteca.web.serving.preparation import Preparation
from ludoteca.web.serving.security import LOOPBACK, Buckets, Guard, Limits
from ludoteca.web.serving.settings import Settings, listed

log = logging.getLogger(__name__)
LOST = {
    'cookies': 'everybody is a stranger now; if you have the old key, put it back before anybody comes',
    'links': 'no link that was made before opens anything; if you have the old key, put it back',
}
"""By the name of a key what is lost without it."""
PING = 40.0
"""Seconds between two questions whether a page is still there. Proxies close a socket on which nothing has
been said for a minute."""
ROUTERS = (
    *api.ROUTERS,  # first, since addresses are looked for in this order: turns are asked for most
    *routes.ROUTERS,
    table_socket.router,
)


def create_app(
    database: str | None = None,
    *,
    key: bytes | None = None,
    prepare: bool = True,
    limits: Limits | None = None,
    hosts: Sequence[str] = (*LOOPBACK, 'testserver'),
    address: str = 'http://127.0.0.1:8000',
    pace: float = 0.7,
    threads: int | None = None,
    operator_key: str = '',
    components: str = '',
    own_components: bool = False,
) -> FastAPI:
    """The application. Raises StoreError.

    `database`: its URL (None: see ludoteca.store.database_url); `key`: signs cookies and links (None: the
    keys in the data folder); `prepare`: compile the rules in child processes at the start; `hosts`: the names
    under which the server answers, '*' for all; `address`: how invitations begin; `pace`: the least time
    between two turns of bots; `threads`: for bots; `operator_key`: opens the operator's page and the
    metrics ('': both are closed); `components`: the folder of the component sets that are offered;
    `own_components`: may people bring theirs?"""
    limits = limits or Limits()
    store = Store(database, key=key)
    # all are made now: later there may be no room for a file
    keys = {name: key or secret_key(name) for name in ('cookies', 'links')}
    if store.shared:  # every server reads the cookies and the links of every other one
        for name, secret in keys.items():
            store.agree(name, secret)
    visitors = Visitors(store, keys['cookies'])
    preparation = Preparation()
    sets = OfferedSets(store, components, own_components)
    server = TableServer(store, preparation, limits, address.rstrip('/'), pace, threads, sets)
    app = FastAPI(
        title=words('web.name'),
        version=ludoteca.__version__,
        lifespan=lambda app: _lifespan(app, server, prepare, keys),
        docs_url=None,
        redoc_url=None,
        openapi_url='/api/openapi.json',
        description=words('web.api.intro'),
        servers=[{'url': '/'}],
        dependencies=[Depends(access.admit)],
    )
    app.state.server, app.state.visitors, app.state.buckets = server, visitors, _buckets(limits)
    app.state.rasters, app.state.films = Rasters(), Films()
    app.state.operator, app.state.problems = Operator(operator_key), logs.Problems()
    app.state.reviewer = Reviewer(server)
    for router in ROUTERS:
        app.include_router(router)
    app.router.routes.append(Route('/static/{version}/{path:path}', assets.serve))
    refusals.describe(app)
    _handle_errors(app)
    # the first added is the innermost
    app.add_middleware(Cookies, visitors=visitors)
    app.add_middleware(GZipMiddleware, minimum_size=700, compresslevel=6)
    app.add_middleware(Guard, hosts=hosts, limits=limits)
    app.add_middleware(Instrumentation)
    return app


def _tell_of_new_keys(store: Store, keys: Mapping[str, bytes]) -> None:
    """Tell whoever runs the server if its keys were lost or replaced: visitors notice, and take the new
    cookies."""
    with contextlib.suppress(StoreError):  # a database that cannot be written to is told of elsewhere
        for name, secret in keys.items():
            if store.is_new_key(name, secret):
                log.warning('The key %s.key is another one than before: %s', name, LOST[name])


def _buckets(limits: Limits) -> dict[str, Buckets]:
    """How often each thing may be done."""
    return {
        'tables': Buckets(limits.new_tables, limits.new_tables_burst),
        'puzzles': Buckets(limits.new_tables * 5, limits.new_tables_burst * 2),
        'joins': Buckets(limits.new_tables * 2, limits.new_tables_burst * 2),
        'hints': Buckets(limits.hints, limits.hints_burst),
        'chat': Buckets(1.0, 10),
        'pictures': Buckets(limits.pictures, limits.pictures_burst),
        'films': Buckets(limits.films, limits.films_burst),
        'operator': Buckets(0.1, 6),
        'people': Buckets(limits.people, limits.people_burst),
        'analyses': Buckets(2 * limits.hints, 3 * limits.hints_burst),  # rounds of searches
    }


@contextlib.asynccontextmanager
async def _lifespan(
    app: FastAPI, server: TableServer, prepare: bool, keys: Mapping[str, bytes]
) -> AsyncIterator[None]:
    """Run what runs beside the requests, from the start of the application to its end."""
    tasks = []
    problems: logging.Handler = app.state.problems
    logging.getLogger('ludoteca').addHandler(problems)
    if not server.store.shared:
        await asyncio.to_thread(_tell_of_new_keys, server.store, keys)
    if prepare:
        tasks.append(server.spawn(server.preparation.run()))
    else:
        server.preparation.skip()
    if server.store.shared:
        tasks.append(server.spawn(server.share()))
    tasks.append(server.spawn(_resume(server)))
    try:
        yield
    finally:
        for task in reversed(tasks):
            task.cancel()
        await server.preparation.close()
        await app.state.reviewer.close()
        await app.state.films.close()
        await app.state.rasters.close()
        await server.close()
        await asyncio.to_thread(server.store.close)
        logging.getLogger('ludoteca').removeHandler(problems)


async def _resume(server: TableServer) -> None:
    try:
        await server.resume()
    except asyncio.CancelledError:
        raise
    except Exception:
        log.exception('Running matches could not be resumed')


# ---- errors ------------------------------------------------------------------------------------------------


def _handle_errors(app: FastAPI) -> None:
    app.add_exception_handler(GameError, cast(Any, _game_error))
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _wrong_request)
    app.add_exception_handler(Exception, _broken)


async def _game_error(request: Request | WebSocket, problem: Exception) -> Response | None:
    """A refusal, with its sentence."""
    if isinstance(request, WebSocket):
        # a page learns why only over a socket that was accepted
        if request.client_state == WebSocketState.CONNECTING:
            await request.accept()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await request.close(*closing(problem))
        return None
    if isinstance(problem, StoreError):
        metrics.STORAGE.inc()
    return await _answer(request, status_of(problem), str(problem))


async def _http_error(request: Request, problem: Exception) -> Response:
    """An address that does not exist, or a method that it does not take."""
    assert isinstance(problem, HTTPException)
    sentence = {404: 'web.error.not_found', 405: 'web.error.method'}.get(
        problem.status_code, 'web.error.unread'
    )
    answer = await _answer(request, problem.status_code, words(sentence))
    if problem.status_code == 405:
        answer.headers['Allow'] = ', '.join(_methods(request))
    return answer


def _methods(request: Request) -> list[str]:
    """What can be done with an address."""
    found = [
        method
        for method in ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')
        if any(
            route.matches({**request.scope, 'method': method})[0] == Match.FULL
            for route in request.app.routes
        )
    ]
    return ['GET', 'HEAD', *found[1:]] if 'GET' in found else found


async def _wrong_request(request: Request, problem: Exception) -> Response:
    """A request whose values are not as declared."""
    assert isinstance(problem, RequestValidationError)
    first: dict[str, Any] = dict(problem.errors()[0]) if problem.errors() else {}
    if first.get('loc', ('',))[0] == 'path':
        return await _answer(request, 404, words('web.error.not_found'))
    where = '.'.join(str(part) for part in first.get('loc', ())[1:]) or 'body'
    return await _answer(
        request, 422, words('web.error.wrong_body', problem=f'{where}: {first.get("msg", "")}')
    )


async def _broken(request: Request, problem: Exception) -> Response:
    """An error of ours."""
    route = metrics.route_of(request.scope)  # the address itself may hold a link
    log.error('%s %s failed', request.method, route, exc_info=problem)
    metrics.BROKEN.labels(route).inc()
    return await _answer(request, 500, words('web.error.server'))


async def _answer(request: Request, status: int, sentence: str) -> Response:
    """An error as one sentence: a page for a browser that navigates, JSON for scripts and programs."""
    accepts = request.headers.get('accept', '')
    if 'text/html' in accepts and not request.scope['path'].startswith('/api/'):
        return HTMLResponse(error(status, sentence, await _visitor(request)), status)
    return JSONResponse({'detail': sentence}, status, headers={'Retry-After': '2'} if status == 429 else None)


async def _visitor(request: Request) -> Visitor | None:
    """The person at the browser that asks; None for a program, and if the database does not say."""
    visitors: Visitors = request.app.state.visitors
    try:
        visitor = await visitors.who(request)
    except StoreError:
        return None
    return None if visitor.token or visitor.refused else visitor


# ---- the server --------------------------------------------------------------------------------------------


def is_loopback(host: str) -> bool:
    """Does the address reach this computer only?"""
    return host in ('localhost', '::1') or host.startswith('127.')


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises GameError with a sentence if it cannot."""
    family = socket.AF_INET6 if ':' in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != 'win32':
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as problem:
        found.close()
        raise GameError(
            words('web.server.port', host=host, port=port, reason=problem.strerror or str(problem))
        ) from problem
    return found


def hosts_of(settings: Settings) -> tuple[str, ...]:
    """The host names under which a server answers: this computer's, the one of its address and those that it
    is told; all if it is told none and others than this computer reach it."""
    if not settings.hosts and not is_loopback(settings.host):
        return ('*',)
    own = urlsplit(settings.address).hostname or ''
    return (*LOOPBACK, *listed(f'[{own}]' if ':' in own else own), *listed(settings.hosts))


def serve(settings: Settings, open_browser: bool = False, *, prepare: bool = True) -> None:
    """Run the server until it is interrupted.

    It listens on this computer only unless its settings say otherwise, and says so then. Raises GameError if
    the address cannot be listened on, StoreError if the database cannot be opened or (Occupied) if another
    server has it.
    """
    host = settings.host
    listening = bind(host, settings.port)
    port = listening.getsockname()[1]
    shown = f'[{host}]' if ':' in host else host
    if host in ('0.0.0.0', '::'):
        shown = socket.gethostname()
    own = settings.address or f'http://{shown}:{port}'
    logs.set_up(settings.log, settings.log_level)
    if settings.tracing:
        tracing.set_up()
    with contextlib.ExitStack() as stack:
        stack.callback(listening.close)
        url = settings.database.get_secret_value() or database_url()
        if (file := database_file(url)) is not None:
            stack.enter_context(DatabaseLock(file, own))
        if prepare:  # requests do not wait for a compiler
            forms.run_interpreted()
            process.never_compile()
        app = create_app(
            url,
            hosts=hosts_of(settings),
            address=own,
            pace=settings.pace,
            prepare=prepare,
            limits=settings.limits,
            threads=settings.threads,
            components=settings.components,
            own_components=is_loopback(host) if settings.own_components is None else settings.own_components,
            operator_key=settings.operator_key.get_secret_value() or key_of_folder(),
        )
        _run(app, listening, settings, own, open_browser)


def behind(app: ASGIApp, settings: Settings) -> ASGIApp:
    """The application as it stands behind its proxies: what they say of their clients counts, and nobody
    else's word does."""
    return (
        cast(ASGIApp, ProxyHeadersMiddleware(cast(Any, app), settings.trusted)) if settings.trusted else app
    )


def configured(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """How uvicorn runs the application."""
    return uvicorn.Config(
        behind(app, settings),
        http=timeouts.TimedHttpProtocol,
        log_config=None,
        access_log=False,  # it would hold links; see `observed`
        proxy_headers=False,  # see `behind`
        server_header=False,
        date_header=True,
        ws=sockets.Socket,
        ws_max_size=64 * 1024,
        ws_ping_interval=PING,
        timeout_graceful_shutdown=3,
    )


def _run(app: FastAPI, listening: socket.socket, settings: Settings, own: str, open_browser: bool) -> None:
    config = configured(app, settings)
    server = uvicorn.Server(config)
    announcing = _announce(server, own, settings.host, open_browser)
    sockets.collect_seldom()
    sockets.hand_over_soon()
    # uvicorn's own choice: uvloop where there is one
    with (
        contextlib.suppress(KeyboardInterrupt),
        asyncio.Runner(loop_factory=config.get_loop_factory()) as runner,
    ):
        runner.run(_serve(server, listening, announcing))


async def _serve(
    server: uvicorn.Server, listening: socket.socket, announcing: Coroutine[Any, Any, None]
) -> None:
    await asyncio.gather(server.serve([listening]), announcing)


async def _announce(server: uvicorn.Server, address: str, host: str, open_browser: bool) -> None:
    """Say where the server is. Not before Ctrl+C is heard: the server's own handlers are there once it has
    started."""
    while not server.started:
        if server.should_exit:
            return
        await asyncio.sleep(0.02)
    print(words('web.server.at', address=address), flush=True)
    if not is_loopback(host):
        print(words('web.server.open', host=host), flush=True)
    if open_browser:
        await asyncio.to_thread(webbrowser.open, address)
