"""Component sets: what a game can be played with besides its own printed values."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from ludoteca.game import Game, load, variant
from ludoteca.game.components import exported, parsed, table_of, text_of
from ludoteca.game.variants import differences, tried
from ludoteca.text import words
from ludoteca.web.api.bodies import Given
from ludoteca.web.api.refusals import refusals
from ludoteca.web.offers.catalogue import known_game
from ludoteca.web.people.access import for_all
from ludoteca.web.routes.context import Asked
from ludoteca.web.serving.errors import Forbidden

router = APIRouter(prefix='/api/games/{name}')
Name = Annotated[str, Path(max_length=40, description='Of a game, or of a game with a set.')]


class SetGiven(Given):
    """A component set."""

    set: dict[str, Any] = Field(
        description='As `GET` answers it, with other values; parts that are left out are those of the game.'
    )
    keep: bool = Field(False, description='Keep it, so that tables can be opened with it.')


@router.get('/components', summary='Its components', tags=['games'], responses=refusals(400, 404, 422))
@for_all
async def components(context: Asked, name: Name) -> dict[str, Any]:
    """`set` is the component set that the game is played with, `offered` are the names of the game with other
    sets, and what these are called: tables are opened with such a name as `game`. `own`: may you bring
    sets?"""

    def found() -> dict[str, Any]:
        game = load(known_game(name))
        table_of(game)
        sets = context.server.sets
        offered = [{'name': one.name, 'title': one.label} for one in sets.of(game.base_name)]
        return {'set': exported(game), 'offered': offered, 'own': sets.own}

    return await run_in_threadpool(found)


@router.post(
    '/components', summary='Check a component set', tags=['games'], responses=refusals(400, 403, 404, 422)
)
async def check_components(context: Asked, name: Name, given: SetGiven) -> dict[str, Any]:
    """Says in one sentence what is impossible, else the `name` of the game with this set, and what differs
    from the game's own values."""
    context.check_rate('tables' if given.keep else 'pictures')
    if given.keep and not context.server.sets.own:
        raise Forbidden(words('web.components.error.not_offered', game=load(known_game(name)).title))

    def made() -> dict[str, Any]:
        base = load(known_game(name))
        data = parsed(text_of(given.set), 'set')
        if not given.keep:
            with tried(base, data) as game:
                return _told(game, data)
        game = variant(base, data, silent=True)
        if game.component_set is not None:
            context.store.keep_component_set(game.name)
        return _told(game, data)

    return await run_in_threadpool(made)


def _told(game: Game, data: Any) -> dict[str, Any]:
    own = game.component_set is None
    # what the asker calls it, and nobody else hears
    label = '' if own else replace(game.component_set, title=data.get('title', '').strip()).label
    return {
        'name': game.name,
        'title': game.title if own else words('components.title', game=game.words('title'), set=label),
        'differences': [
            {'place': place, 'own': own, 'value': value} for place, own, value in differences(game)
        ],
    }
