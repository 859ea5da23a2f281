"""The addresses of whoever runs the server: the operator's page, what can be done on it, the metrics."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.concurrency import run_in_threadpool

from ludoteca.store import JobFigures, StoreError
from ludoteca.text import words
from ludoteca.web.live.server import TableServer
from ludoteca.web.pages import operator as pages
from ludoteca.web.people.access import for_all, for_operator
from ludoteca.web.people.operator import Operator
from ludoteca.web.routes.context import TableId
from ludoteca.web.serving import logs, metrics
from ludoteca.web.serving.errors import Busy

router = APIRouter(include_in_schema=False)
SHOWN, SPEAKERS = 200, 20
"""How many tables the page lists."""


def _operator(request: Request) -> Operator:
    found: Operator = request.app.state.operator
    return found


def gauges(server: TableServer) -> dict[str, float]:
    """What a server has at the moment."""
    thinking, waiting = server.pool.load()
    return {
        'sockets': server.pages,
        'live_tables': len(server._tables),
        'bots_thinking': thinking,
        'bots_waiting': waiting,
        'bot_threads': server.pool.threads,
        'jobs_given': server.desk.given_away(),
    }


def _jobs(server: TableServer) -> JobFigures | None:
    """What workers have to do; None while the database does not answer."""
    try:
        return server.store.job_figures()
    except StoreError:
        return None


def of_workers(found: JobFigures | None) -> dict[str, float]:
    """The same as gauges."""
    if found is None:
        return {}
    return {
        'jobs_waiting': sum(found.waiting.values()),
        'jobs_running': sum(found.running.values()),
        'workers': found.workers,
        'worker_threads': found.threads,
    }


@router.get('/metrics')
@for_operator
async def figures(request: Request) -> Response:
    """All figures, for Prometheus."""
    server: TableServer = request.app.state.server
    found = await run_in_threadpool(_jobs, server)
    by_status = {'waiting': found.waiting, 'running': found.running} if found else {}
    text = metrics.page(gauges(server) | of_workers(found), by_status)
    return Response(text, media_type=CONTENT_TYPE_LATEST)


@router.get('/operator/login')
@for_all
async def login_form(request: Request) -> Response:
    """Where a browser gives the key."""
    _operator(request).check_open()
    return HTMLResponse(pages.login())


@router.post('/operator/login')
@for_all
async def login(request: Request, key: Annotated[str, Form(max_length=1_000)] = '') -> Response:
    """The key, in the body of a form: an address would be kept by browsers and logs."""
    operator, client = _operator(request), request.client
    operator.check_open()
    if not request.app.state.buckets['operator'].take(client.host if client else ''):
        raise Busy(words('web.error.too_many'))
    if not operator.knows(key.strip()):
        return HTMLResponse(pages.login(words('operator.error.wrong')), 403)
    headers = {'Set-Cookie': operator.cookie(request.url.scheme == 'https')}
    return RedirectResponse('/operator', 303, headers)


@router.post('/operator/logout')
@for_operator
async def logout(request: Request) -> Response:
    """Forget that the key was shown."""
    headers = {'Set-Cookie': _operator(request).no_cookie(request.url.scheme == 'https')}
    return RedirectResponse('/operator/login', 303, headers)


@router.get('/operator')
@for_all
async def overview(request: Request) -> Response:
    """The page; for others the form that asks for the key."""
    if not _operator(request).admits(request):
        return RedirectResponse('/operator/login', 303)
    server: TableServer = request.app.state.server
    oldest = request.query_params.get('order') == 'oldest'
    return HTMLResponse(await run_in_threadpool(_overview, server, request.app.state.problems, oldest))


def _overview(server: TableServer, problems: logs.Problems, oldest: bool) -> str:
    try:
        counts, tables = server.store.count_by_status(), server.store.overviews(SHOWN, oldest)
        muted, speakers = server.store.muted(), server.store.speakers(SPEAKERS)
        storage = ''
    except StoreError as problem:
        counts, tables, muted, speakers, storage = {}, [], [], [], str(problem)
    sockets = {live.id: len(live.pages) for live in list(server._tables.values())}
    memory = metrics.REGISTRY.get_sample_value('process_resident_memory_bytes')
    return pages.overview(
        pages.Overall(gauges(server) | of_workers(_jobs(server)), memory, counts, storage, time.time()),
        tables,
        sockets,
        muted,
        speakers,
        problems.last(),
    )


@router.post('/operator/tables/{table}/close')
@for_operator
async def close_table(request: Request, table: TableId) -> Response:
    """Close a table. Its people are told in a sentence; its log stays."""
    server: TableServer = request.app.state.server
    live = await server.live(table)
    await run_in_threadpool(server.store.close_table, table, words('operator.closed'))
    await server.refresh(live)
    server.desk.cancel(table)
    return RedirectResponse('/operator', 303)


@router.post('/operator/people/{person}/mute')
@for_operator
async def mute(
    request: Request,
    person: Annotated[str, Path(max_length=32)],
    muted: Annotated[bool, Form()] = True,
) -> Response:
    """Let a person's lines be taken at no table, or again."""
    server: TableServer = request.app.state.server
    await run_in_threadpool(server.store.set_muted, person, muted)
    return RedirectResponse('/operator', 303)
