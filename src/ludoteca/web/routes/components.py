"""The addresses of component sets: the page on which one is filled in, its check, and the file."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from ludoteca.game import Game, GameError, load, variant
from ludoteca.game.components import checked_set, exported, table_of, text_of
from ludoteca.game.variants import tried
from ludoteca.text import words
from ludoteca.web.html.layout import h
from ludoteca.web.offers.catalogue import known_game
from ludoteca.web.offers.component_forms import MOST_FIELDS, set_of, values_of
from ludoteca.web.pages.components import components_page, drawing
from ludoteca.web.people.access import for_all
from ludoteca.web.routes.context import Asked
from ludoteca.web.serving.errors import Forbidden, NotFound

router = APIRouter(include_in_schema=False)
Name = Annotated[str, Path(max_length=40)]


def _with_table(name: str) -> Game:
    """The game of that name, if its components can be exchanged. Raises NotFound."""
    game = load(known_game(name))
    try:
        table_of(game)
    except GameError as problem:
        raise NotFound(str(problem)) from problem
    return game


@router.get('/games/{name}/components')
async def fill_in(context: Asked, name: Name) -> Response:
    """The page on which a component set is filled in, with the values of the game or of its set."""
    game = _with_table(name)

    def made() -> str:
        title = game.component_set.title if game.component_set else ''
        own = context.server.sets.own
        return components_page(context.visitor, game, exported(game), title, own, drawing(game))

    return HTMLResponse(await run_in_threadpool(made))


@router.get('/games/{name}/components.json')
@for_all
async def file(name: Name) -> Response:
    """The components that a game is played with, as a component set."""
    game = _with_table(name)
    return _download(game.name, await run_in_threadpool(lambda: text_of(exported(game))))


@router.post('/games/{name}/components/check')
async def check(request: Request, context: Asked, name: Name) -> Response:
    """What the fields make: the drawing, or the sentence that says what is impossible."""
    game, given = _with_table(name), await _given(request)
    context.check_rate('pictures')
    return HTMLResponse(str(h.fragment[await run_in_threadpool(_drawn, game, given)]))


@router.post('/games/{name}/components')
async def use(request: Request, context: Asked, name: Name) -> Response:
    """A set that was filled in: drawn, as a file, or to play with."""
    game, given = _with_table(name), await _given(request)
    context.check_rate('pictures')
    data = _data(game, given)
    do = given.get('do', ['draw'])[0]
    if do == 'draw':

        def made() -> str:
            drawn, own = _drawn(game, given), context.server.sets.own
            shown = _shown(game, data)
            return components_page(context.visitor, game, shown, data['title'], own, drawn)

        return HTMLResponse(await run_in_threadpool(made))
    if do == 'file':

        def written() -> tuple[str, str]:
            with tried(game, data) as found:
                return found.name, text_of({**exported(found), 'title': data['title']})

        return _download(*await run_in_threadpool(written))
    if not context.server.sets.own:
        raise Forbidden(words('web.components.error.not_offered', game=game.title))
    context.check_rate('tables')
    found = await run_in_threadpool(lambda: variant(game, data, silent=True))
    if found.component_set is not None:
        await run_in_threadpool(context.store.keep_component_set, found.name)
    return RedirectResponse(f'/games/{found.name}/new', 303)


async def _given(request: Request) -> dict[str, list[str]]:
    async with request.form(max_files=0, max_fields=MOST_FIELDS) as form:
        return values_of([(key, str(value)) for key, value in form.multi_items()])


def _data(game: Game, given: dict[str, list[str]]) -> dict[str, Any]:
    title = ' '.join(given.get('title', [''])[0].split())
    return {'game': game.base_name, 'title': title, **set_of(table_of(game), given)}


def _shown(game: Game, data: dict[str, Any]) -> dict[str, Any]:
    """The values that the fields show again: those that were sent, where they can be used."""
    try:
        return checked_set(game, data).json()
    except GameError:
        return data


def _drawn(game: Game, given: dict[str, list[str]]) -> h.Node:
    try:
        with tried(game, _data(game, given)) as found:
            return drawing(found)
    except GameError as problem:
        return drawing(game, str(problem))


def _download(name: str, text: str) -> Response:
    file_name = re.sub(r'[^\w@-]', '', name)
    return Response(
        text,
        media_type='application/json',
        headers={'Content-Disposition': f'attachment; filename="{file_name}.json"'},
    )
