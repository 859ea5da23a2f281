"""Positions as PNG, and films of a match."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import JSONResponse, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from ludoteca.drawing import film as films
from ludoteca.game import SPECTATOR, GameError, Position, load
from ludoteca.game.components import split
from ludoteca.game.kinds import shown
from ludoteca.text import words
from ludoteca.web.api import bodies
from ludoteca.web.api.refusals import refusals
from ludoteca.web.live import table_json
from ludoteca.web.live.table import LiveTable
from ludoteca.web.offers.catalogue import known_game
from ludoteca.web.people.access import for_all, for_seats
from ludoteca.web.pictures.films import Film
from ludoteca.web.pictures.scenes import Eyes, film_frames, film_turns
from ludoteca.web.routes.context import Asked, Context, EyesQuery, PastQuery, SeatQuery, TableId, ThemeQuery

router = APIRouter(prefix='/api')

FilmId = Annotated[str, Path(max_length=40, description='Id of the film.')]


@router.get(
    '/tables/{table}/picture.png',
    summary='The position as a PNG',
    tags=['history'],
    response_class=Response,
    responses=refusals(403, 404, 422, 503, kind='image/png'),
)
@for_seats
async def picture_png(
    context: Asked,
    table: TableId,
    turn: PastQuery = None,
    seat: SeatQuery = None,
    theme: ThemeQuery = 'light',
    eyes: EyesQuery = None,
    width: Annotated[int, Query(ge=16, le=2000, description='Pixels.')] = 1000,
) -> Response:
    """As you may know it."""
    live = await context.look_at_match(table)
    context.check_rate('pictures')
    svg = await run_in_threadpool(table_json.picture, live, context.visitor, turn, seat, theme, eyes)
    return Response(await context.rasters.png(svg, width), media_type='image/png')


class PositionGiven(bodies.Given):
    """A position of a game, and how it is drawn."""

    position: dict[str, Any] = Field(description='As JSON, see docs/positions.md.')
    seat: int | None = Field(
        None,
        ge=-1,
        le=8,
        description='As this seat may see it (-1: a spectator); without it, who is to move.',
    )
    kind: Literal['svg', 'png'] = 'svg'
    theme: Literal['light', 'dark'] = 'light'
    width: int = Field(1000, ge=16, le=2000, description='Pixels of a PNG.')


@router.post(
    '/games/{name}/picture',
    summary='A position as a picture',
    tags=['games'],
    response_class=Response,
    responses={**refusals(404, 422), 200: {'content': {'image/svg+xml': {}, 'image/png': {}}}},
)
@for_all
async def position_picture(
    context: Asked, name: Annotated[str, Path(max_length=40)], given: PositionGiven
) -> Response:
    """Any position: nothing of it is kept."""
    context.check_rate('pictures')
    svg = await run_in_threadpool(_drawn, known_game(name), given)
    if given.kind == 'svg':
        return Response(svg, media_type='image/svg+xml')
    return Response(await context.rasters.png(svg, given.width), media_type='image/png')


def _drawn(name: str, given: PositionGiven) -> str:
    game = load(name)
    named = given.position.get('game', game.name)
    if not (isinstance(named, str) and split(named)[0] == game.base_name):
        raise GameError(words('game.error.other_position', named=shown(named), game=game.name))
    state = game.from_json({'game': game.name, **given.position})
    return Position(game, state).svg(given.seat, given.theme)


class FilmWanted(bodies.SeatGiven):
    """A film of a match."""

    kind: films.Kind = Field('gif', description='gif or mp4.')
    theme: Literal['light', 'dark'] = 'light'
    eyes: int | None = Field(
        None,
        ge=-1,
        le=8,
        description='Of a match that is over: what this seat knew then (-1: a spectator), '
        'instead of everything.',
    )
    first: int = Field(0, ge=0, description='After so many turns it begins,')
    last: int | None = Field(None, ge=0, description='and after so many it ends; without it, now.')
    passes: bool = Field(True, description='Are turns shown in which somebody only passes?')
    width: int = Field(films.WIDTH, ge=films.WIDTHS[0], le=films.WIDTHS[1], description='Pixels.')


@router.post(
    '/tables/{table}/films',
    summary='Have a film made',
    tags=['history'],
    status_code=202,
    responses=refusals(403, 404, 422, 503),
)
@for_seats
async def make_film(context: Asked, table: TableId, given: FilmWanted) -> Response:
    """Of what you may know. Ask for its `id` until its `state` is `ready`; then `url` has the film. A server
    keeps a film for a while, and does not know those of others: if `id` is unknown, ask for it again."""
    live = await context.look_at_match(table)
    if not films.can_make(given.kind):
        raise GameError(words('film.missing', extra='film'))
    context.check_rate('films')
    film = await _want(context, live, given)
    return JSONResponse(_film_json(context, table, film), 202)


async def _want(context: Context, live: LiveTable, given: FilmWanted) -> Film:
    settings = context.visitor.preferences.drawing

    def planned() -> tuple[Eyes, list[int], tuple[int, str]]:
        with live.lock:
            match = live.match()
            seat, uncovered = live.eyes_of(context.visitor, given.seat, given.eyes)
            # one film for all who may see everything
            eyes = Eyes(SPECTATOR if uncovered else seat, uncovered)
            turns = film_turns(match, given.first, given.last, given.passes)
            return eyes, turns, (match.epoch, match.status)

    eyes, turns, state = await run_in_threadpool(planned)
    if len(turns) > films.MOST_FRAMES:
        raise GameError(words('film.long', most=films.MOST_FRAMES, turns=len(turns)))
    frames = film_frames(live.match(), turns, eyes, given.theme, settings)

    def drawn(at: int) -> tuple[str, int]:
        with live.lock:
            if (live.match().epoch, live.match().status) != state:
                raise GameError(words('web.film.changed'))
            return frames[at]()

    async def draw(at: int) -> tuple[str, int]:
        return await run_in_threadpool(drawn, at)

    name = f'{load(live.table.game).name}-{live.id}.{given.kind}'
    key = live.id, state, tuple(turns), eyes, given.theme, settings
    return context.films.want(context.visitor.key, key, given.kind, name, given.width, len(turns), draw)


def _film_json(context: Context, table: str, film: Film) -> dict[str, Any]:
    """A film for programs, and in words how far it has come."""
    return {
        'id': film.id,
        'kind': film.kind,
        'state': film.state,
        'done': film.done,
        'frames': film.total,
        'seconds': film.seconds,
        'sentence': _progress(film, context.films.ahead(film)),
        'bytes': len(film.data),
        'url': f'/api/tables/{table}/films/{film.id}/file' if film.state == 'ready' else None,
    }


def _progress(film: Film, ahead: int) -> str:
    """How far a film has come, or why there is none. `ahead`: how many films come before it."""
    if film.state == 'failed':
        return film.sentence
    if film.state == 'ready':
        return words('web.film.ready', size=f'{len(film.data) / 1e6:.1f}')
    if ahead:
        return words('web.film.waiting_one') if ahead == 1 else words('web.film.waiting', n=ahead)
    if film.done == film.total:
        return words('web.film.finishing')
    if film.seconds is None:
        return words('web.film.starting')
    minutes = round(film.seconds / 60)
    left = words('web.film.minutes', n=minutes) if minutes > 1 else words('web.film.seconds', n=film.seconds)
    return words('web.film.making', done=film.done, of=film.total, left=left)


@router.get(
    '/tables/{table}/films/{film}',
    summary='How far a film has come',
    tags=['history'],
    responses=refusals(403, 404, 422, 503),
)
@for_seats
async def film(context: Asked, table: TableId, film: FilmId) -> dict[str, Any]:
    """`state` is `waiting`, `making`, `ready` or `failed`; `done` of its `frames` are made, and in about so
    many `seconds` it is ready. `sentence` says that in words, or why it has failed."""
    await context.look(table)
    return _film_json(context, table, context.films.find(context.visitor.key, film))


@router.delete(
    '/tables/{table}/films/{film}',
    summary='Give up a film',
    tags=['history'],
    responses=refusals(403, 404, 422, 503),
)
@for_seats
async def give_up_film(context: Asked, table: TableId, film: FilmId) -> dict[str, bool]:
    """Unless somebody else waits for it, too, it is not made."""
    await context.look(table)
    context.films.give_up(context.visitor.key, film)
    return {'done': True}


@router.get(
    '/tables/{table}/films/{film}/file',
    summary='A film',
    tags=['history'],
    response_class=Response,
    responses={
        **refusals(403, 404, 422, 503),
        200: {'content': {kind: {} for kind in films.MEDIA_TYPES.values()}},
    },
)
@for_seats
async def film_file(context: Asked, table: TableId, film: FilmId) -> Response:
    """When its `state` is `ready`."""
    await context.look(table)
    found = context.films.find(context.visitor.key, film)
    if found.state != 'ready':
        raise GameError(words('web.film.not_ready'))
    headers = {'Content-Disposition': f'attachment; filename="{found.name}"'}
    return Response(found.data, media_type=films.MEDIA_TYPES[found.kind], headers=headers)
