"""The JSON interface: all that the pages can do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal
from unicodedata import category

from fastapi import APIRouter, Body, Path, Query, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from ludoteca.game import LAID, SPECTATOR, GameError, load
from ludoteca.match import BOT, Match, clean_name, files
from ludoteca.search import LEVELS
from ludoteca.store import OPEN
from ludoteca.text import words
from ludoteca.web import pages, table_json, views
from ludoteca.web.access import for_all, for_seats
from ludoteca.web.table_server import Busy, Forbidden, TableServer, NotFound, LiveTable
from ludoteca.web.people import LONGEST_NAME, People, Visitor
from ludoteca.web.security import Buckets
from ludoteca.web.table_json import Mode

router = APIRouter(prefix='/api')
TableId = Annotated[str, Path(max_length=32, description='Id of the table.')]
SeatQuery = Annotated[int | None, Query(ge=-1, le=8, description='Through which of your seats; -1: as a spectator.')]


class Given(BaseModel):
    """What a request may hold: nothing besides what is declared."""

    model_config = ConfigDict(extra='forbid')


class Me(Given):
    """Changes of what is known about you."""

    name: str | None = Field(None, max_length=200, description='Your name, 1 to 24 letters.')
    settings: dict[str, bool | str] | None = Field(
        None, description='theme, confirm, coordinates, marks, deductions, sound, notify, colour.'
    )


class NewTable(Given):
    """A table to be opened."""

    game: str = Field(max_length=40)
    mode: Mode = Field(
        'bot', description='bot: against bots; here: all seats yours; link: by invitation; open: in the lobby.'
    )
    players: int | None = Field(None, ge=1, le=9, description='Without it, the fewest that the game allows.')
    level: str = Field(table_json.USUAL_LEVEL, max_length=60, description='Of the bots.')
    options: dict[
        str, bool | int | Annotated[str, Field(max_length=400)] | list[Annotated[str, Field(max_length=40)]]
    ] = Field(default_factory=dict, max_length=20, description="The game's options; a set of names as a list.")
    colours: list[Annotated[str, Field(max_length=10)]] = Field(
        default_factory=list,
        max_length=8,
        description='Your colour (here: of as many players as you like); without it, the one of your settings if it is free.',
    )


class Invitation(Given):
    """A link token."""

    invite: str = Field(max_length=100)


class SeatGiven(Given):
    """A seat, where it is not clear."""

    seat: int | None = Field(None, ge=0, le=8)


class Colour(SeatGiven):
    """The colour of a seat."""

    colour: str = Field(max_length=10, description='blue, red, yellow, green or purple; empty: what is left.')


class Act(SeatGiven):
    """Steps of a turn."""

    version: int | None = Field(None, description='The version of the view that this answers.')
    steps: str = Field(
        min_length=1, max_length=2000, description='Names of steps or of a whole turn, separated by spaces.'
    )
    keep: int | None = Field(
        None, ge=0, le=1000, description='Of your draft so many steps stay before these follow; without it, all.'
    )
    rest: bool = Field(
        False, description='With `keep`: the other steps of the draft follow again, each that is still legal.'
    )


class Undo(SeatGiven):
    """A step back within your draft."""

    version: int | None = None
    keep: int | None = Field(None, ge=0, le=1000, description='So many steps stay; without it, all but one.')


class Versioned(SeatGiven):
    """A question about a position."""

    version: int | None = None


class Replace(Given):
    """Somebody who left."""

    seat: int = Field(ge=0, le=8)
    level: str = Field('medium', max_length=60)


class Answer(SeatGiven):
    """Your answer to a request."""

    yes: bool


class Clicked(SeatGiven):
    """What was clicked."""

    targets: list[Annotated[str, Field(max_length=100)]] = Field(max_length=20)


class Dragged(Clicked):
    """What was clicked, or dragged from the first to the last."""

    version: int | None = Field(None, description='The version of the view that this answers.')


class Arrangement(Versioned):
    """How you want to arrange your things."""

    favourite: str = Field('', max_length=40, description='Id of one of your favourites; without it:')
    steps: str = Field('', max_length=2000, description='Names of all steps, separated by spaces.')


class Kept(SeatGiven):
    """An arrangement to be kept."""

    name: str = Field(max_length=200, description='1 to 40 letters; a favourite of the same name gives way.')
    last: str = Field('', max_length=40, description='The step that would end it, if several are left to choose from.')


class Favourite(Given):
    """One of your favourites."""

    favourite: str = Field(max_length=40)


class Pencilled(SeatGiven):
    """Something in the drawing."""

    element: str = Field(max_length=100, description='Its id in the drawing.')


class Note(Pencilled):
    """What you pencil on something."""

    labels: list[Annotated[str, Field(max_length=40)]] = Field(max_length=40, description='None: it is rubbed out.')


class Said(Given):
    """A line of chat."""

    text: str = Field(max_length=2000)


class Fill(Given):
    """A bot for an open seat."""

    seat: int | None = Field(None, ge=0, le=8, description='Without it, all open seats.')
    level: str = Field('medium', max_length=60)


class Label(SeatGiven):
    """What a token is for."""

    label: str = Field('', max_length=40)


def server_of(request: Request) -> TableServer:
    """The server of the application."""
    server: TableServer = request.app.state.server
    return server


def people_of(request: Request) -> People:
    """The people of the application."""
    people: People = request.app.state.people
    return people


async def visitor_of(request: Request) -> Visitor:
    """Who asks. Whether this visitor may do so at this address is settled already (`access.admit`)."""
    return await people_of(request).who(request)


def check_rate(request: Request, buckets: str, key: str) -> None:
    """Raises Busy if `key` does something too often."""
    found: Buckets = request.app.state.buckets[buckets]
    if not found.take(key):
        raise Busy(words('web.error.too_many'))


def address_of(request: Request) -> str:
    """The client's address."""
    return request.client.host if request.client else ''


async def live_of(request: Request, table: str) -> tuple[LiveTable, Visitor]:
    """The live that the visitor may see. Raises NotFound."""
    visitor = await visitor_of(request)
    return await server_of(request).look(table, visitor), visitor


async def answer(request: Request, live: LiveTable, visitor: Visitor, seat: int, **more: Any) -> Response:
    """After a change: the view, or, with `Prefer: return=minimal`, its version only."""
    if 'return=minimal' in request.headers.get('prefer', ''):
        version = live.match().version(seat) if live.ready else -1
        return JSONResponse(
            {'version': version, 'serial': live.serial_of(visitor), **more},
            headers={'Preference-Applied': 'return=minimal'},
        )
    return JSONResponse(await run_in_threadpool(table_json.view_json, live, visitor) | more)


Deed = Callable[[Match, int], dict[str, Any] | None]


async def do(
    request: Request,
    table: str,
    seat: int | None,
    deed: Deed,
    prefer: Callable[[Match], Sequence[int]] | None = None,
) -> Response:
    """Do something to a match for a seat of the visitor's: the one named, else one that the deed is for, else the one whose turn
    it is. What the deed returns is added to the answer, but for what is `laid` then (None: as before): it is kept for the seat."""
    live, visitor = await live_of(request, table)

    def change(match: Match) -> tuple[int, Sequence[str] | None, dict[str, Any]]:
        own = table_json.own_seat(live, visitor, seat, prefer(match) if prefer else ())
        more = deed(match, own) or {}
        laid = more.pop('laid', None)
        changed = laid is not None and tuple(laid) != live.notes_of(own).get(LAID, ())
        if changed:
            live.notes[own] = {**live.notes_of(own), LAID: tuple(laid)}  # the picture that comes with the new draft shows it
        return own, laid if changed else None, more

    own, laid, more = await server_of(request).change(live, change)
    if laid is not None:
        await server_of(request).pencil(live, own, LAID, laid)
    return await answer(request, live, visitor, own, **more)


# ---- games and people ----------------------------------------------------------------------------------------------------------


@router.get('/games', summary='The games and their options', tags=['games'])
@for_all
async def games() -> list[dict[str, Any]]:
    """Name, title, numbers of players, options (the default first; `members`: of which any may be chosen), levels of bots."""
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
            'levels': list(LEVELS),
            'options': {name: list(values) for name, values in game.options.values().items()},
            'members': {name: list(members) for name, members in game.options.members().items()},
        }
        for game in pages.all_games()
    ]


@router.get('/games/{name}/rules', summary='The rulebook', tags=['games'], response_class=PlainTextResponse)
@for_all
async def rules(name: Annotated[str, Path(max_length=40)]) -> Response:
    """In Markdown. Its pictures `position:NAME` are at /games/GAME/positions/NAME.svg."""
    text = await run_in_threadpool(lambda: load(table_json.known_game(name)).rules())
    return PlainTextResponse(text, media_type='text/markdown; charset=utf-8')


@router.get('/me', summary='Who you are', tags=['people'])
async def me(request: Request) -> dict[str, Any]:
    """Your name and settings."""
    visitor = await visitor_of(request)
    return {'id': visitor.id, 'name': visitor.name, 'settings': visitor.wishes.json()}


@router.patch('/me', summary='Change your name or settings', tags=['people'])
async def change_me(request: Request, given: Me) -> dict[str, Any]:
    """A name has 1 to 24 letters."""
    visitor = await visitor_of(request)
    name = None
    if given.name is not None:
        name = clean_name(given.name)
        if not 1 <= len(name) <= LONGEST_NAME:
            raise GameError(words('web.error.long_name'))
    check_rate(request, 'people', address_of(request))
    people = people_of(request)
    person = await people.settle(visitor)
    settings = None
    if given.settings is not None:
        settings = views.Preferences.read({**person.settings, **given.settings}).json()
    visitor.person = await run_in_threadpool(people.store.change_person, person.id, name, settings)
    visitor.name = visitor.person.name
    people.remember(visitor.person)
    if settings is not None:
        server_of(request).wishes_changed(visitor.person)
    return {'id': visitor.id, 'name': visitor.name, 'settings': visitor.wishes.json()}


# ---- tables --------------------------------------------------------------------------------------------------------------------


@router.get('/tables', summary='Your tables and the open ones', tags=['tables'])
async def tables(request: Request) -> dict[str, Any]:
    """Yours with those that wait for you first; open ones with the newest first."""
    visitor, store = await visitor_of(request), server_of(request).store
    mine = await run_in_threadpool(store.tables_of, visitor.id) if visitor.id else ()
    open_tables = await run_in_threadpool(store.open_tables)
    return {
        'mine': [table_json.table_json(table, visitor) for table in mine],
        'open': [table_json.table_json(table, visitor) for table in open_tables],
    }


@router.post('/tables', summary='Open a table', tags=['tables'], status_code=201)
async def new_table(request: Request, given: NewTable) -> Response:
    """The answer has the table, for programs without cookies a bearer token for each of your seats, and links for seats that
    are to be taken by invitation."""
    server, visitor = server_of(request), await visitor_of(request)
    check_rate(request, 'tables', address_of(request))
    person = await people_of(request).settle(visitor)
    live = await table_json.new_table(server, person, given.game, given.mode, given.players, given.level, given.options,
                                   given.colours)
    data = await run_in_threadpool(table_json.view_json, live, visitor)
    if 'cookie' not in request.headers:
        data['tokens'] = {
            seat: await run_in_threadpool(server.store.new_token, live.id, seat, person.id)
            for seat in live.seats_of(visitor)
        }
    return JSONResponse(data, status_code=201, headers={'Location': f'/api/tables/{live.id}'})


async def join(request: Request, table: str, invite: str | None) -> tuple[LiveTable, Visitor]:
    """Take a seat. Raises GameError."""
    server, visitor = server_of(request), await visitor_of(request)
    check_rate(request, 'joins', address_of(request))
    person = await people_of(request).settle(visitor)
    live = await server.live(table)
    seats = live.seats_of(visitor)
    if not (seats and invite is None):
        await server.join(live, person.id, invite, visitor.name, visitor.wishes.colour)
    return live, visitor


@router.post('/join', summary='Take the seat that an invitation opens', tags=['tables'])
async def join_by_link(request: Request, given: Invitation) -> dict[str, Any]:
    """A second time with the same token does nothing."""
    found = await run_in_threadpool(server_of(request).store.invited, given.invite)
    if found is None:
        raise NotFound(words('web.error.invite_wrong'))
    return await _joined(request, *await join(request, found[0], given.invite))


@router.post('/tables/{table}/join', summary='Take a seat at an open table', tags=['tables'])
async def join_open(request: Request, table: TableId) -> dict[str, Any]:
    """Any open seat of a table that is listed in the lobby."""
    return await _joined(request, *await join(request, table, None))


async def _joined(request: Request, live: LiveTable, visitor: Visitor) -> dict[str, Any]:
    data = await run_in_threadpool(table_json.view_json, live, visitor)
    if 'cookie' not in request.headers:
        data['tokens'] = {
            seat: await run_in_threadpool(server_of(request).store.new_token, live.id, seat, visitor.id)
            for seat in live.seats_of(visitor)
        }
    return data


async def watched(request: Request, token: str) -> tuple[LiveTable, Visitor]:
    """The live that a link lets the visitor look at from now on. Raises NotFound."""
    server, visitor = server_of(request), await visitor_of(request)
    table = await run_in_threadpool(server.store.watched, token)
    if table is None:
        raise NotFound(words('web.error.watch_wrong'))
    live = await server.live(table)
    if not live.may_look(visitor):
        people_of(request).let_watch(visitor, table)
    return live, visitor


@router.get('/watch/{token}', summary='The table that a link lets you watch', tags=['tables'])
async def watch(request: Request, token: Annotated[str, Path(max_length=100)]) -> dict[str, Any]:
    """As a spectator may know it. Whoever sits at a private table can give such a link away: it is the `link` in their view.
    The cookie that comes with the answer lets you look at the table from now on."""
    live, visitor = await watched(request, token)
    return await run_in_threadpool(table_json.view_json, live, visitor)


@router.get('/tables/{table}', summary='The table as you may know it', tags=['tables'])
@for_seats
async def view(request: Request, table: TableId, seat: SeatQuery = None) -> dict[str, Any]:
    """Position, version, whose turn it is, what you can choose, how it ended; for the host the links of open seats. Until
    `ready` the match has not begun, or the rules are still being compiled."""
    live, visitor = await live_of(request, table)
    return await run_in_threadpool(table_json.view_json, live, visitor, seat)


@router.post('/tables/{table}/leave', summary='Stand up before the match begins', tags=['tables'])
async def leave(request: Request, table: TableId) -> dict[str, Any]:
    """If the one who opened the table does so, it is closed."""
    live, visitor = await live_of(request, table)
    if visitor.id is None:
        raise Forbidden(words('web.error.no_seat'))
    await run_in_threadpool(server_of(request).store.leave, table, visitor.id)
    await server_of(request).refresh(live)
    return table_json.table_json(live.table, visitor)


@router.post('/tables/{table}/colour', summary='Choose your colour', tags=['tables'])
async def choose_colour(request: Request, table: TableId, given: Colour) -> dict[str, Any]:
    """Before the match begins, one that nobody else there has chosen. Whoever chooses none gets what is left."""
    live, visitor = await live_of(request, table)
    seats = live.seats_of(visitor)
    if visitor.id is None or visitor.token is not None or not seats:
        raise Forbidden(words('web.error.no_seat'))
    check_rate(request, 'joins', address_of(request))
    seat = seats[0] if given.seat is None else given.seat
    await server_of(request).choose_colour(live, visitor.id, seat, given.colour)
    return await run_in_threadpool(table_json.view_json, live, visitor)


def _own_table(live: LiveTable, visitor: Visitor) -> None:
    if not live.hosted_by(visitor):
        raise Forbidden(words('web.error.no_host'))


@router.post('/tables/{table}/invite', summary='Make a link for an open seat', tags=['tables'])
async def invite(request: Request, table: TableId, given: SeatGiven) -> dict[str, Any]:
    """The link made before for this seat stops working. Those that work are in the host's view of the table."""
    live, visitor = await live_of(request, table)
    _own_table(live, visitor)
    check_rate(request, 'joins', address_of(request))
    seats = [info.seat for info in live.table.seats if info.kind == OPEN]
    seat = given.seat if given.seat is not None else (seats or [0])[0]
    server = server_of(request)
    token = await server.link(live, seat)
    return {'seat': seat, 'token': token, 'url': f'{server.address}/join/{token}'}


@router.post('/tables/{table}/fill', summary='Give open seats to bots', tags=['tables'])
async def fill(request: Request, table: TableId, given: Fill) -> dict[str, Any]:
    """When no seat is open any more, the match begins."""
    live, visitor = await live_of(request, table)
    _own_table(live, visitor)
    await server_of(request).fill(live, given.seat, table_json.known_level(given.level))
    return await run_in_threadpool(table_json.view_json, live, visitor)


@router.post('/tables/{table}/tokens', summary='A bearer token for a seat of yours', tags=['tables'], status_code=201)
async def new_token(request: Request, table: TableId, given: Label) -> dict[str, Any]:
    """With it a program plays this seat, and this seat only. It is shown once."""
    live, visitor = await live_of(request, table)
    seat = await run_in_threadpool(table_json.own_seat, live, visitor, given.seat)
    check_rate(request, 'joins', address_of(request))
    return {
        'seat': seat,
        'token': await run_in_threadpool(server_of(request).store.new_token, table, seat, visitor.id, given.label),
    }


@router.delete('/tables/{table}/tokens', summary='Revoke all bearer tokens of a seat', tags=['tables'])
@for_seats
async def revoke_tokens(request: Request, table: TableId, seat: SeatQuery = None) -> dict[str, int]:
    """They open nothing any more."""
    live, visitor = await live_of(request, table)
    own = await run_in_threadpool(table_json.own_seat, live, visitor, seat)
    revoked = await run_in_threadpool(server_of(request).store.revoke, table, own)
    live.check_pages()
    return {'revoked': revoked}


# ---- playing -------------------------------------------------------------------------------------------------------------------


@router.post('/tables/{table}/act', summary='Play a step, or a whole turn', tags=['play'])
@for_seats
async def act(request: Request, table: TableId, given: Act) -> Response:
    """Until the turn is complete its steps are your draft: they can be taken back, and nobody else sees them. 409 if
    `version` is not the present one."""

    def deed(match: Match, seat: int) -> dict[str, Any]:
        played = match.act(seat, given.version, given.steps, given.keep, given.rest)
        return {'committed': played.committed, 'rest': list(played.rest)}

    return await do(request, table, given.seat, deed)


@router.post('/tables/{table}/undo', summary='Take back a step of your draft', tags=['play'])
@for_seats
async def undo(request: Request, table: TableId, given: Undo) -> Response:
    """The last one, or all but the first `keep`."""
    return await do(request, table, given.seat, lambda match, seat: match.undo(seat, given.version, given.keep))


@router.post('/tables/{table}/redraft', summary='Change your draft by a click or a drag', tags=['play'])
@for_seats
async def redraft(request: Request, table: TableId, given: Dragged) -> Response:
    """Where it makes no action but means something: a step in the middle goes, two things that you arrange change places. Else
    `done` is false, and the `sentence` says why it means nothing. Things are arranged in any order: what lies beyond the first
    gap is not in your `draft` but in your `notes`; `do:undo` takes back what was laid last, `do:clear` all."""
    live, visitor = await live_of(request, table)

    def deed(match: Match, seat: int) -> dict[str, Any]:
        laid = match.lay(seat, given.version, live.notes_of(seat).get(LAID, ()), given.targets)
        done = laid is not None or match.redraft(seat, given.version, given.targets)
        sentence = '' if done else table_json.why_not(live, visitor, seat, given.targets)
        return {'done': done, 'sentence': sentence, 'laid': laid}

    return await do(request, table, given.seat, deed)


@router.post('/tables/{table}/shuffle', summary='Arrange your things by lot', tags=['play'])
@for_seats
async def shuffle(request: Request, table: TableId, given: Versioned) -> Response:
    """While all arrange theirs in secret. All steps but the last become your draft; playing the `last` one seals them."""
    return await do(request, table, given.seat, lambda match, seat: {'last': match.shuffle(seat, given.version), 'laid': ()})


@router.post('/tables/{table}/arrange', summary='Arrange your things like a favourite, or as named', tags=['play'])
@for_seats
async def arrange(request: Request, table: TableId, given: Arrangement) -> Response:
    """All steps but the last become your draft; playing the `last` one seals them."""
    live, visitor = await live_of(request, table)
    steps = given.steps
    if given.favourite and visitor.id:
        kept = await run_in_threadpool(server_of(request).store.favourites, visitor.id, live.table.game)
        steps = next((one.steps for one in kept if one.id == given.favourite), '')

    def deed(match: Match, seat: int) -> dict[str, Any]:
        return {'last': match.arrange(seat, given.version, steps), 'laid': ()}

    return await do(request, table, given.seat, deed)


@router.get('/tables/{table}/favourites', summary='Your favourite arrangements', tags=['play'])
async def favourites(request: Request, table: TableId, seat: SeatQuery = None) -> list[dict[str, str]]:
    """Those that fit what you arrange at this table now."""
    live, visitor = await live_of(request, table)
    return await run_in_threadpool(table_json.favourites_json, live, visitor, seat) if live.ready else []


@router.post('/tables/{table}/favourites', summary='Keep your arrangement', tags=['play'], status_code=201)
async def keep(request: Request, table: TableId, given: Kept) -> dict[str, str]:
    """Once it is complete, sealed or not. It is kept for you, to be used at other tables."""
    live, visitor = await live_of(request, table)
    if not live.ready:
        raise GameError(words('web.error.not_ready'))
    if visitor.id is None:
        raise Forbidden(words('web.error.no_seat'))
    check_rate(request, 'people', address_of(request))
    steps = await run_in_threadpool(table_json.arrangement, live, visitor, given.seat, given.last)
    store = server_of(request).store
    one = await run_in_threadpool(store.add_favourite, visitor.id, live.table.game, given.name, steps)
    live.touch(live.seats_of(visitor))
    return {'id': one.id, 'name': one.name, 'steps': one.steps}


@router.post('/tables/{table}/forget-favourite', summary='Forget a favourite arrangement', tags=['play'])
async def forget_favourite(request: Request, table: TableId, given: Favourite) -> dict[str, bool]:
    """Whether there was one is answered."""
    live, visitor = await live_of(request, table)
    if visitor.id is None:
        raise Forbidden(words('web.error.no_seat'))
    done = await run_in_threadpool(server_of(request).store.remove_favourite, visitor.id, given.favourite)
    live.touch(live.seats_of(visitor))
    return {'done': done}


@router.post('/tables/{table}/pencils', summary='What you may pencil on something', tags=['play'])
@for_seats
async def pencils(request: Request, table: TableId, given: Pencilled) -> dict[str, list[str]]:
    """In games with secrets: the labels that there are for an element of the drawing, and those that you have pencilled there."""
    live, visitor = await live_of(request, table)
    if not live.ready:
        raise GameError(words('web.error.not_ready'))
    _, labels, noted = await run_in_threadpool(table_json.pencils, live, visitor, given.seat, given.element)
    return {'labels': labels, 'noted': noted}


@router.post('/tables/{table}/notes', summary='Pencil something', tags=['play'])
@for_seats
async def note(request: Request, table: TableId, given: Note) -> dict[str, Any]:
    """On an element of the drawing. Only you see it: `notes` in your view of the table."""
    live, visitor = await live_of(request, table)
    if not live.ready:
        raise GameError(words('web.error.not_ready'))
    seat, labels, noted = await run_in_threadpool(table_json.pencils, live, visitor, given.seat, given.element)
    chosen = [label for label in labels if label in given.labels]
    if len(chosen) < len(set(given.labels)) or not (chosen or noted or labels):
        raise GameError(words('web.error.pencil', labels=', '.join(labels) or words('game.none')))
    check_rate(request, 'people', address_of(request))
    await server_of(request).pencil(live, seat, given.element, chosen)
    return {'element': given.element, 'labels': chosen}


@router.post('/tables/{table}/resign', summary='Give up', tags=['play'])
@for_seats
async def resign(request: Request, table: TableId, given: SeatGiven) -> Response:
    """With two players the other wins; with more a bot takes the seat."""
    return await do(request, table, given.seat, lambda match, seat: match.resign(seat))


@router.post('/tables/{table}/takeback', summary='Ask to take back your last turn', tags=['play'])
@for_seats
async def takeback(request: Request, table: TableId, given: SeatGiven) -> Response:
    """Bots agree at once; people are asked."""
    live, visitor = await live_of(request, table)
    mine = live.seats_of(visitor)

    def latest(match: Match) -> list[int]:
        """The own seats that may ask, the one that moved last first."""
        able = [seat for seat in mine if not match.may_take_back(seat)]
        moved = (
            [row.seat for row in match.log(SPECTATOR) if row.kind == 'turn' and row.seat in able]
            if len(able) > 1
            else able
        )
        return moved[::-1]

    return await do(request, table, given.seat, lambda match, seat: {'done': match.ask_takeback(seat, mine)}, latest)


@router.post('/tables/{table}/replace', summary='Ask that a bot takes the seat of somebody who left', tags=['play'])
@for_seats
async def replace(request: Request, table: TableId, given: Replace) -> Response:
    """In games of three or more; all others must agree."""
    live, visitor = await live_of(request, table)
    level, mine = table_json.known_level(given.level), live.seats_of(visitor)
    return await do(
        request, table, None, lambda match, seat: {'done': match.ask_replace(seat, given.seat, level, mine)}
    )


@router.post('/tables/{table}/answer', summary='Answer the open request', tags=['play'])
@for_seats
async def answer_request(request: Request, table: TableId, given: Answer) -> Response:
    """Who asked withdraws with no."""

    def asked(match: Match) -> list[int]:
        open_request = match.request
        if open_request is None:
            return []
        leaver = [open_request.value] if open_request.kind == 'replace' and not given.yes else []
        return [*open_request.waiting, *leaver, open_request.seat]

    return await do(request, table, given.seat, lambda match, seat: {'done': match.answer(seat, given.yes)}, asked)


@router.post('/tables/{table}/come-back', summary='Take your seat back from the bot', tags=['play'])
@for_seats
async def come_back(request: Request, table: TableId, given: SeatGiven) -> Response:
    """Not after resigning."""
    return await do(
        request,
        table,
        given.seat,
        lambda match, seat: match.come_back(seat),
        lambda match: [seat for seat, who in enumerate(match.seats) if who.kind == BOT],
    )


@router.post('/tables/{table}/rematch', summary='Another game of the same people', tags=['play'])
async def rematch(request: Request, table: TableId) -> dict[str, Any]:
    """When the match is over. Whoever asks second gets the same table."""
    live, visitor = await live_of(request, table)
    if not live.seats_of(visitor):
        raise Forbidden(words('web.error.no_seat'))
    if not live.ready:
        raise GameError(words('web.error.not_ready'))
    check_rate(request, 'tables', address_of(request))
    server = server_of(request)
    following = await run_in_threadpool(server.store.rematch, table)
    await server.refresh(live)
    server.wake(await server.live(following.id))
    return {'id': following.id, 'url': f'/tables/{following.id}'}


@router.post('/tables/{table}/hint', summary='What a strong bot would play', tags=['play'])
@for_seats
async def hint(request: Request, table: TableId, given: Versioned) -> dict[str, Any]:
    """For the seat whose turn it is, on what it knows; with what to click for each step."""
    live, visitor = await live_of(request, table)
    seat = await run_in_threadpool(table_json.own_seat, live, visitor, given.seat)
    check_rate(request, 'hints', visitor.key)
    version, steps, name = await server_of(request).hint(live, seat)
    if live.match().version(seat) != version or (given.version is not None and given.version != version):
        raise GameError(words('web.table.hint_moved'))
    return {'version': version, 'turn': name, 'steps': steps, 'sentence': words('web.table.hint_says', turn=name)}


@router.post('/tables/{table}/why-not', summary='Why a click makes no action', tags=['play'])
@for_seats
async def why_not(request: Request, table: TableId, given: Clicked) -> dict[str, str]:
    """One sentence."""
    live, visitor = await live_of(request, table)
    if not live.ready:
        return {'sentence': words('web.error.not_ready')}
    return {'sentence': await run_in_threadpool(table_json.why_not, live, visitor, given.seat, given.targets)}


@router.post('/tables/{table}/chat', summary='Say something', tags=['play'])
@for_seats
async def chat(request: Request, table: TableId, given: Said) -> dict[str, int]:
    """To all at the table."""
    live, visitor = await live_of(request, table)
    if not live.seats_of(visitor):
        raise Forbidden(words('web.chat.seatless'))
    text = ' '.join(''.join(c for c in given.text if c.isspace() or category(c) != 'Cc').split())[:500]
    if not text:
        raise GameError(words('web.error.chat_empty'))
    check_rate(request, 'chat', visitor.key)
    line = await server_of(request).say(live, visitor, text)
    return {'number': line.number}


@router.get('/tables/{table}/chat', summary='What was said', tags=['play'])
@for_seats
async def chat_lines(request: Request, table: TableId) -> list[dict[str, Any]]:
    """The last lines, the oldest first."""
    live, visitor = await live_of(request, table)
    return table_json.chat_json(live, visitor)


@router.get('/tables/{table}/log', summary='The turns so far', tags=['history'])
@for_seats
async def log(
    request: Request, table: TableId, since: Annotated[int, Query(ge=0)] = 0, seat: SeatQuery = None
) -> list[dict[str, Any]]:
    """As you may know them."""
    live, visitor = await live_of(request, table)

    def read() -> list[dict[str, Any]]:
        with live.lock:
            return table_json.log_json(live.match(), table_json.seat_to_read(live, visitor, seat), since)

    return await run_in_threadpool(read) if live.ready else []


@router.get('/tables/{table}/positions/{turn}', summary='The position after a turn', tags=['history'])
@for_seats
async def position(
    request: Request, table: TableId, turn: Annotated[int, Path(ge=0)], seat: SeatQuery = None
) -> dict[str, Any]:
    """As you may know it; when the match is over, with nothing hidden."""
    live, visitor = await live_of(request, table)
    if not live.ready:
        raise GameError(words('web.error.not_ready'))
    return await run_in_threadpool(table_json.position_json, live, visitor, turn, seat)


@router.get(
    '/tables/{table}/picture.svg', summary='The position as a picture', tags=['history'], response_class=Response
)
@for_seats
async def picture(
    request: Request,
    table: TableId,
    turn: Annotated[int | None, Query(ge=0, description='After that many turns; without it, now.')] = None,
    seat: SeatQuery = None,
    theme: Annotated[Literal['light', 'dark'], Query()] = 'light',
) -> Response:
    """As you may know it, in SVG that stands alone."""
    live, visitor = await live_of(request, table)
    if not live.ready:
        raise GameError(words('web.error.not_ready'))
    text = await run_in_threadpool(table_json.picture, live, visitor, turn, seat, theme)
    return Response(text, media_type='image/svg+xml')


@router.get('/tables/{table}/export', summary='The match as a file', tags=['history'], response_class=PlainTextResponse)
@for_seats
async def export(request: Request, table: TableId, seat: SeatQuery = None) -> Response:
    """Readable text. Of an unfinished match it holds only what you may know."""
    live, visitor = await live_of(request, table)
    if not live.ready:
        raise GameError(words('web.error.not_ready'))

    def read() -> str:
        with live.lock:
            return files.write(live.match(), table_json.seat_at_screen(live, visitor, seat))

    text = await run_in_threadpool(read)
    name = f'{load(live.table.game).name}-{live.id}.txt'
    return PlainTextResponse(text, headers={'Content-Disposition': f'attachment; filename="{name}"'})


__all__ = ['Body', 'router']
