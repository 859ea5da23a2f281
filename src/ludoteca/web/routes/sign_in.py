"""From one browser to another: a link that makes the other one the same person."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from ludoteca.store.keys import SIGN_IN
from ludoteca.text import words
from ludoteca.web.pages import sign_in as pages
from ludoteca.web.people.access import for_keepers
from ludoteca.web.routes.context import Asked, Context, LinkToken
from ludoteca.web.serving.errors import NotFound

router = APIRouter(include_in_schema=False)
MINUTES = round(SIGN_IN / 60)


@router.get('/sign-in')
async def about(context: Asked) -> Response:
    """What a link does, and the button that makes one."""
    return HTMLResponse(await run_in_threadpool(pages.make_page, context.visitor, MINUTES))


@router.post('/sign-in')
@for_keepers
async def make(context: Asked) -> Response:
    """A new link. It is told in this answer, and nowhere else."""
    context.check_rate('people')
    person = await context.settle()
    token = await run_in_threadpool(context.store.new_sign_in, person.id)
    link = f'{context.server.address}/sign-in/{token}'
    return HTMLResponse(await run_in_threadpool(pages.make_page, context.visitor, MINUTES, link))


@router.get('/sign-in/{token}')
async def ask(context: Asked, token: LinkToken) -> Response:
    """Whom a link makes this browser, and what becomes of the person that it was. To look at the page takes
    nothing."""
    person = await run_in_threadpool(context.store.signs_in, token)
    if person is None:
        raise _wrong()
    own = await run_in_threadpool(_own, context)
    return HTMLResponse(await run_in_threadpool(pages.ask_page, context.visitor, person, token, own))


@router.post('/sign-in/{token}')
@for_keepers
async def go_on(context: Asked, token: LinkToken) -> Response:
    """Be that person from now on."""
    context.check_rate('people')
    person = await run_in_threadpool(context.store.sign_in, token)
    if person is None:
        raise _wrong()
    context.visitors.remember(person)
    context.visitor.settle(person)
    return RedirectResponse('/', 303)


def _wrong() -> NotFound:
    return NotFound(words('web.sign_in.wrong', minutes=MINUTES))


def _own(context: Context) -> pages.Own | None:
    """What the person has that the browser was until now; None for one who has done nothing."""
    own = context.visitor.id
    if own is None:
        return None
    return pages.Own(len(context.store.tables_of(own)), len(context.store.puzzle_cards(own)))
