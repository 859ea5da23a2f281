"""The games, and the person who asks."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import PlainTextResponse, Response
from starlette.concurrency import run_in_threadpool

import ludoteca
from ludoteca.game import GameError, load
from ludoteca.lessons import lessons
from ludoteca.match import clean_name
from ludoteca.puzzles import puzzles
from ludoteca.search import LEVELS, offered
from ludoteca.text import words
from ludoteca.web.api.bodies import Me
from ludoteca.web.api.refusals import refusals
from ludoteca.web.live.server import TableServer
from ludoteca.web.offers.catalogue import all_games, known_game
from ludoteca.web.people.access import for_all
from ludoteca.web.people.preferences import Preferences
from ludoteca.web.people.visitors import LONGEST_NAME, Visitor
from ludoteca.web.routes.context import Asked

router = APIRouter(prefix='/api')


@router.get(
    '/games',
    summary='The games and their options',
    tags=['games'],
    description=(
        'Name, title, numbers of players, options (the default first; '
        '`members`: of which any may be chosen), levels of bots that are offered with some number of players.'
    ),
    responses=refusals(),
)
@for_all
async def games() -> list[dict[str, Any]]:
    """All games."""
    return [
        {
            'name': game.name,
            'title': game.title,
            'version': game.version,
            'players': list(game.players),
            'minutes': game.minutes,
            'hidden': game.hidden,
            'reconstructed': list(game.reconstructed),
            'endings': list(game.endings),
            'levels': [name for name in LEVELS if any(name in offered(game, n) for n in game.players)],
            'options': {name: list(values) for name, values in game.options.values().items()},
            'members': {name: list(members) for name, members in game.options.members().items()},
        }
        for game in all_games()
    ]


@router.get(
    '/games/{name}/rules',
    summary='The rulebook',
    tags=['games'],
    response_class=Response,
    responses=refusals(404, kind='text/markdown'),
)
@for_all
async def rules(name: Annotated[str, Path(max_length=40)]) -> Response:
    """In Markdown. Its pictures `position:NAME` are at /games/GAME/positions/NAME.svg."""
    text = await run_in_threadpool(lambda: load(known_game(name)).rules())
    return PlainTextResponse(text, media_type='text/markdown; charset=utf-8')


@router.get('/games/{name}/lessons', summary='The lessons', tags=['lessons'], responses=refusals(404, 422))
@for_all
async def game_lessons(name: Annotated[str, Path(max_length=40)]) -> list[dict[str, Any]]:
    """In the order in which they are given, each with what its steps say."""
    known = await run_in_threadpool(lambda: lessons(known_game(name)))
    return [
        {
            'id': one.id,
            'title': one.title,
            'about': one.about,
            'steps': [{'id': step.id, 'say': one.said(step), 'rule': step.rule} for step in one.steps],
        }
        for one in known
    ]


@router.get('/games/{name}/puzzles', summary='The puzzles', tags=['puzzles'], responses=refusals(404, 422))
@for_all
async def game_puzzles(name: Annotated[str, Path(max_length=40)]) -> list[dict[str, Any]]:
    """What there is to be solved, without positions and answers. `turns`: how many own turns are to be
    found; `grade`: the lowest level of bots that finds the first one."""
    known = await run_in_threadpool(lambda: puzzles(known_game(name)))
    return [{'id': one.id, 'grade': one.grade, 'players': one.players, 'turns': one.turns} for one in known]


@router.get('/health', summary='Does the server run?', tags=['operating'], responses=refusals())
@for_all
async def health() -> dict[str, str]:
    """For those who watch over the server: it answers."""
    return {'status': 'ok', 'version': ludoteca.__version__}


@router.get('/ready', summary='Can people play here?', tags=['operating'], responses=refusals(503))
@for_all
async def ready(request: Request) -> dict[str, Any]:
    """The database can be read, else 503. `compiled`: by game how much of its rules, from 0 to 1; they can be
    played before."""
    server: TableServer = request.app.state.server
    await run_in_threadpool(server.store.check)
    games = {game.name: round(server.preparation.progress_of(game.name), 3) for game in all_games()}
    return {'status': 'ok', 'compiled': games}


@router.get('/me', summary='Who you are', tags=['people'], responses=refusals(403, 503))
async def me(context: Asked) -> dict[str, Any]:
    """Your name and settings."""
    return _person_json(context.visitor)


@router.patch(
    '/me', summary='Change your name or settings', tags=['people'], responses=refusals(403, 422, 503)
)
async def change_me(context: Asked, given: Me) -> dict[str, Any]:
    """A name has 1 to 24 letters."""
    name = None
    if given.name is not None:
        name = clean_name(given.name)
        if not 1 <= len(name) <= LONGEST_NAME:
            raise GameError(words('web.error.long_name'))
    context.check_rate('people')
    person = await context.settle()
    settings = None
    if given.settings is not None:
        known = Preferences.read(given.settings).json()
        settings = {name: value for name, value in known.items() if name in given.settings}
    person = await run_in_threadpool(context.store.change_person, person.id, name, settings)
    context.visitor.become(person)
    context.visitors.remember(person)
    if settings is not None:
        context.server.person_changed(person)
    return _person_json(context.visitor)


def _person_json(visitor: Visitor) -> dict[str, Any]:
    return {'id': visitor.id, 'name': visitor.name, 'settings': visitor.preferences.json()}
