"""The addresses of the pages, of their forms, and of their pictures."""

from __future__ import annotations

import gzip
import time
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from ludoteca.analysis import LARGEST
from ludoteca.game import Game, GameError, load
from ludoteca.game.components import split
from ludoteca.match import files
from ludoteca.puzzles import DroppedPuzzle, is_dropped
from ludoteca.puzzles.memory import daily, day_of
from ludoteca.search import offered_instead
from ludoteca.store import BEST_OF, Analysis
from ludoteca.text import words
from ludoteca.web.html import manual
from ludoteca.web.html.illustrations import Picture
from ludoteca.web.live.commands import AnswerRequest
from ludoteca.web.live.guide import Learnt
from ludoteca.web.live.messages import first_message, view_for
from ludoteca.web.live.new_tables import (
    LONGEST_FILE,
    Mode,
    SeatChoice,
    TablePlan,
    Who,
    open_file,
    open_lesson,
    open_puzzle,
    open_table,
    plan_again,
)
from ludoteca.web.live.table import LiveTable
from ludoteca.web.offers.catalogue import USUAL_LEVEL, known_game
from ludoteca.web.pages import analysis as analysis_pages
from ludoteca.web.pages import installed, reading
from ludoteca.web.pages import learn as learn_pages
from ludoteca.web.pages import lobby as lobby_pages
from ludoteca.web.pages import new_table as new_table_pages
from ludoteca.web.pages import puzzles as puzzle_pages
from ludoteca.web.pages import rules as rules_pages
from ludoteca.web.pages.sharing import social
from ludoteca.web.pages.table import table_page
from ludoteca.web.people.access import for_all, for_keepers, for_seats
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.pictures.scenes import is_pass
from ludoteca.web.routes import analyses
from ludoteca.web.routes.context import Asked, Context, EyesQuery, LinkToken, SeatQuery, TableId
from ludoteca.web.routes.share_links import checked_turn, shared_invitation, shared_table
from ludoteca.web.serving import assets
from ludoteca.web.serving.errors import Forbidden, NotFound, status_of
from ludoteca.web.serving.security import whole
from ludoteca.web.table.analysis import study_message
from ludoteca.web.table.messages import past_fragments
from ludoteca.web.table.wording import events_text

router = APIRouter(include_in_schema=False)
Name = Annotated[str, Path(max_length=40, pattern=r'^[a-z0-9_]+(@[0-9a-f]{12})?$')]
PictureName = Annotated[str, Path(max_length=40, pattern=r'^[\w-]+$')]
Theme = Annotated[Literal['light', 'dark'], Query()]
KEPT_A_DAY = {'Cache-Control': 'public, max-age=86400'}
MODES: dict[str, Mode] = {'bot': 'bot', 'here': 'here', 'link': 'link', 'open': 'open'}
SHOWERS = (
    'facebookexternalhit',
    'Twitterbot',
    'LinkedInBot',
    'Slackbot-LinkExpanding',
    'TelegramBot',
    'WhatsApp',
    'Discordbot',
)
"""Programs that show what a link leads to. Some of them ask robots.txt."""
TurnQuery = Annotated[int | None, Query(ge=0, le=1_000_000, description='After so many turns.')]
WHO: dict[str, Who] = {'me': 'me', 'here': 'here', 'bot': 'bot', 'open': 'open'}


# ---- the lobby ---------------------------------------------------------------------------------------------


@router.get('/')
async def lobby(context: Asked) -> Response:
    """The first page."""
    shown = lobby_pages.Shown(*await context.tables(), await context.learnt())
    sets = context.server.sets
    return HTMLResponse(await run_in_threadpool(lobby_pages.lobby, context.visitor, shown, sets.of))


@router.get('/lists')
async def lists(context: Asked) -> Response:
    """The lists of tables alone, for a lobby that is open."""
    tables = await context.tables()
    # every open lobby asks again and again
    learnt = await context.learnt() if any(table.lesson for table in tables[0]) else Learnt()
    shown = lobby_pages.Shown(*tables, learnt)
    return HTMLResponse(await run_in_threadpool(lobby_pages.lists, context.visitor, shown))


@router.get('/games/{name}/new')
async def new_table_form(context: Asked, name: Name, who: Literal['', 'here', 'open'] = '') -> Response:
    """The form of a new table as a page, for browsers without scripts. `who`: for whom the other seats are
    proposed."""
    game, sets = load(known_game(name)), context.server.sets
    page = await run_in_threadpool(new_table_pages.form_page, context.visitor, game, sets.of, who)
    return HTMLResponse(page)


@router.post('/tables')
@for_keepers
async def new_table(request: Request, context: Asked) -> Response:
    """A table from a form of the lobby."""
    async with request.form(max_files=0, max_fields=120) as form:
        items = [(key, str(value)) for key, value in form.multi_items()]
    context.check_rate('tables')
    given = dict(items)
    if again := given.get('again'):
        plan = await plan_again(context.server, context.visitor, again, given.get('level', ''))
    else:
        plan = _plan(items)
    live = await open_table(context.server, await context.settle(), plan)
    if request.headers.get('accept', '').startswith('application/json'):
        return JSONResponse({'url': f'/tables/{live.id}'}, 201)
    return _to_table(live)


@router.get('/learn')
async def learn(context: Asked) -> Response:
    """The lessons of all games."""
    learnt = await context.learnt()
    return HTMLResponse(await run_in_threadpool(learn_pages.index, context.visitor, learnt))


@router.get('/games/{name}/learn')
async def learn_game(context: Asked, name: Name) -> Response:
    """The lessons of a game."""
    game, learnt = load(known_game(name)), await context.learnt()
    return HTMLResponse(await run_in_threadpool(learn_pages.of_one, context.visitor, game, learnt))


@router.post('/lessons')
@for_keepers
async def open_a_lesson(request: Request, context: Asked) -> Response:
    """A lesson from a button of the lobby, of the rules or of the page of lessons."""
    async with request.form(max_files=0, max_fields=10) as form:
        given = {key: str(value) for key, value in form.items()}
    context.check_rate('tables')
    step = whole(given['step'], 99) if 'step' in given else None
    if 'step' in given and step is None:
        raise GameError(words('web.error.wrong_body', problem='step'))
    await context.settle()
    lesson = given.get('lesson', '')
    return _to_table(
        await open_lesson(context.server, context.visitor, known_game(given.get('game', '')), lesson, step)
    )


@router.get('/puzzles')
async def all_puzzles(context: Asked) -> Response:
    """The puzzle of the day, and the games with their puzzles."""
    done = await _puzzles_done(context)
    return HTMLResponse(await run_in_threadpool(puzzle_pages.index, context.visitor, daily(done.day), done))


@router.get('/games/{name}/puzzles')
async def game_puzzles(context: Asked, name: Name) -> Response:
    """The puzzles of a game, by grade."""
    game, done = load(known_game(name)), await _puzzles_done(context)
    return HTMLResponse(await run_in_threadpool(puzzle_pages.of_one, context.visitor, game, done))


async def _puzzles_done(context: Context) -> puzzle_pages.PuzzleProgress:
    own, now = context.visitor.id, time.time()
    if own is None:
        return puzzle_pages.PuzzleProgress(now=now, day=day_of(now))
    cards = await run_in_threadpool(context.store.puzzle_cards, own)
    return puzzle_pages.PuzzleProgress(
        cards, await run_in_threadpool(context.store.puzzle_days, own), now, day_of(now)
    )


@router.post('/puzzles')
@for_keepers
async def open_a_puzzle(request: Request, context: Asked) -> Response:
    """A puzzle from a button: one by its id, the next one of a game, or that of the day."""
    async with request.form(max_files=0, max_fields=10) as form:
        given = {key: str(value)[:60] for key, value in form.items()}
    context.check_rate('puzzles')
    await context.settle()
    wanted = {name: given.get(name, '') for name in ('puzzle', 'game', 'grade', 'after')}
    try:
        return _to_table(await open_puzzle(context.server, context.visitor, **wanted))
    except DroppedPuzzle:
        return _dropped_puzzle(context, wanted['puzzle'].partition('-')[0])


def _dropped_puzzle(context: Context, game: str) -> Response:
    return HTMLResponse(puzzle_pages.dropped(context.visitor, load(game)), 410)


def _plan(items: list[tuple[str, str]]) -> TablePlan:
    """The fields of a form as a plan. Raises GameError."""
    given = dict(items)
    game = known_game(given.get('game', ''))
    mode = MODES.get(given.get('mode', 'bot'))
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
    colours = [value for key, value in items if key == 'colours' and value]
    chosen = given.get(f'components-{game}', '')
    rules = load(game)
    number, _ = rules.checked(players)
    seats = _seats(given, rules, number) if 'seats-1' in given else []
    if chosen and split(chosen)[0] != game:
        raise GameError(words('web.error.wrong_body', problem=words('web.components.choose')))
    played = known_game(chosen) if chosen else game
    level = offered_instead(rules, number, given.get('level', USUAL_LEVEL))
    return TablePlan(played, mode, players, level, options, colours, seats, given.get('hints') == 'on')


def _seats(given: dict[str, str], game: Game, players: int) -> list[SeatChoice]:
    """Who takes part, by the fields of the form: `bot-easy` is a bot of that level, or of the next weaker one
    where it is not offered, as a form says it that has no script. Raises GameError."""
    found = []
    for number in range(1, players + 1):
        who, _, level = given.get(f'seats-{number}', '').partition('-')
        if who not in WHO:
            raise GameError(words('web.error.who', number=number))
        name, colour = (given.get(f'seats-{number}-{field}', '') for field in ('name', 'colour'))
        level = offered_instead(game, players, level)
        found.append(SeatChoice(WHO[who], level, name if who in ('me', 'here') else '', colour))
    return found


def _to_table(live: LiveTable, query: str = '') -> Response:
    return RedirectResponse(f'/tables/{live.id}{"?" if query else ""}{query}', 303)


@router.post('/tables/{table}/join')
@for_keepers
async def join(context: Asked, table: TableId) -> Response:
    """Take a seat at an open table."""
    return _to_table(await context.join(table))


@router.get('/join/{token}')
async def invitation(context: Asked, token: LinkToken) -> Response:
    """What a link opens. To look at the page takes nothing."""
    found = await run_in_threadpool(context.store.invited, token)
    table = await run_in_threadpool(context.store.table, found) if found else None
    if table is None:
        raise NotFound(words('web.error.invite_wrong'))
    if table.seats_of(context.visitor.id):
        return RedirectResponse(f'/tables/{table.id}', 303)
    if table.full or table.status != 'open':
        raise NotFound(words('store.error.full' if table.full else 'store.error.closed_table'))
    about = social(shared_invitation(context.store, await context.server.live(table.id)))
    return HTMLResponse(lobby_pages.invitation(context.visitor, table, token, about))


@router.post('/join/{token}')
@for_keepers
async def accept(context: Asked, token: LinkToken) -> Response:
    """Take a seat at the table that a link opens."""
    return _to_table(await context.accept(token))


# ---- a table -----------------------------------------------------------------------------------------------


@router.get('/tables/{table}')
async def table(context: Asked, table: TableId, turn: TurnQuery = None, eyes: EyesQuery = None) -> Response:
    """The page of a table. A link to a turn opens it there, as the seat `eyes` knew it if that is told."""
    try:
        live = await context.look(table)
    except NotFound as problem:
        if context.brings_cookies:
            raise
        # a browser that keeps none is not known at the table that it has just begun
        raise NotFound(words('web.error.no_cookie', problem=problem)) from problem
    if live.table.exercise and is_dropped(live.table.game, live.table.exercise):
        return _dropped_puzzle(context, live.table.game)
    return HTMLResponse(await run_in_threadpool(_table_page, context, live, turn, eyes))


def _table_page(
    context: Context, live: LiveTable, turn: int | None, eyes: int | None, by_link: bool = False
) -> str:
    visitor, at = context.visitor, checked_turn(live, turn)
    shared = shared_table(context.store, live, at, by_link)
    look = None
    if at is not None and not live.is_shared(visitor):
        try:
            look = _past(live, visitor, at, None, eyes)
        except Forbidden:  # the match still runs: everybody looks with the own eyes
            look = _past(live, visitor, at, None, None)
    return table_page(visitor, live.table, first_message(live, visitor), live.link(visitor), look, shared)


@router.post('/tables/{table}/rematch')
@for_keepers
async def rematch(request: Request, context: Asked, table: TableId) -> Response:
    """Ask for a rematch, without a script."""
    async with request.form(max_files=0, max_fields=2) as form:
        best_of = BEST_OF if form.get('best_of') == str(BEST_OF) else 1
    live = await context.look(table)
    return RedirectResponse(f'/tables/{await context.rematch(live, best_of) or live.id}', 303)


@router.post('/tables/{table}/answer')
@for_keepers
async def answer(request: Request, context: Asked, table: TableId) -> Response:
    """Answer the open request, without a script."""
    async with request.form(max_files=0, max_fields=2) as form:
        yes = form.get('yes') == 'yes'
    live = await context.look_at_match(table)
    command = AnswerRequest(yes, live.seats_of(context.visitor))
    await context.server.run(live, context.visitor, None, command)
    return RedirectResponse(f'/tables/{live.table.next or live.id}', 303)


@router.get('/watch/{token}')
async def watch(context: Asked, token: LinkToken, turn: TurnQuery = None, eyes: EyesQuery = None) -> Response:
    """A private table for a visitor with a link to watch. The page keeps this address, so that it can be
    passed on; from now on the cookie says that this guest may look."""
    live = await context.watch(token)
    if live.seats_of(context.visitor):
        query = urlencode(
            {name: value for name, value in (('turn', turn), ('eyes', eyes)) if value is not None}
        )
        return _to_table(live, query)
    live = await context.look(live.id)
    return HTMLResponse(await run_in_threadpool(_table_page, context, live, turn, eyes, True))


@router.get('/tables/{table}/view')
@for_seats
async def view(context: Asked, table: TableId, here: SeatQuery = None) -> Response:
    """The whole view once more, for a page whose socket is down. `here`: the seat of the person at a shared
    screen."""
    live = await context.look(table)
    return JSONResponse(await run_in_threadpool(first_message, live, context.visitor, here))


@router.get('/tables/{table}/at/{turn}')
@for_seats
async def look_back(
    context: Asked,
    table: TableId,
    turn: Annotated[int, Path(ge=0)],
    seat: SeatQuery = None,
    eyes: EyesQuery = None,
) -> Response:
    """The position after a turn, as fragments. `eyes`: as this seat knew it, when the match is over."""
    live = await context.look_at_match(table)
    return JSONResponse(await run_in_threadpool(_past, live, context.visitor, turn, seat, eyes))


def _past(live: LiveTable, visitor: Visitor, turn: int, seat: int | None, eyes: int | None) -> dict[str, Any]:
    with live.lock:
        own, uncovered = live.eyes_of(visitor, seat, eyes)
        view = view_for(live, visitor, own)
        parts, events = past_fragments(view, turn, uncovered)
        return {
            'at': turn,
            'eyes': eyes if live.match().result else None,
            'passed': is_pass(live.match(), turn),
            'fragments': parts,
            'events': [event.json() for event in events],
            'speak': events_text(view.game, events, view.names) or words('web.table.beginning'),
        }


# ---- analysis ----------------------------------------------------------------------------------------------


@router.get('/analysis')
async def own_analyses(context: Asked) -> Response:
    """A person's boards for analysis."""
    return await _analyses(context)


async def _analyses(
    context: Context, sent: analysis_pages.Sent = analysis_pages.NOTHING, status: int = 200
) -> Response:
    own = context.visitor.id
    boards = await run_in_threadpool(context.store.analyses_of, own) if own else ()
    text = await run_in_threadpool(analysis_pages.index, context.visitor, boards, sent)
    return HTMLResponse(text, status)


@router.post('/analysis')
@for_keepers
async def new_analysis(request: Request, context: Asked) -> Response:
    """A new board from a form: of a match, from an address, a position, or the start of a game; or a table
    with the finished match of a file."""
    async with request.form(max_files=20, max_fields=10) as form:
        upload = form.get('file')
        if len(form.getlist('file')) > 1:
            raise GameError(words('web.analysis.error.one_file'))
        content = (await upload.read()).decode(errors='replace') if isinstance(upload, UploadFile) else ''
        given = {key: value for key, value in form.items() if isinstance(value, str)}
    if given.get('table'):
        turn = whole(given.get('turn', ''), 100_000)
        if given.get('play_on'):
            return _to_table(await analyses.play_on_from(context, given['table'], turn))
        everything = True if given.get('everything') else None
        return _to_board(*await analyses.of_match(context, given['table'], turn, None, everything))
    given['data'] = content or given.get('data', '').strip()
    sent_by = next((field for field in ('link', 'game') if given.get(field)), 'data')
    try:
        return await _begun(context, sent_by, given)
    except GameError as problem:
        if sent_by == 'game' and isinstance(problem, NotFound):
            raise  # no form sends that
        if len(given['data']) > LONGEST_FILE:
            del given['data']  # nobody mends that in a field
        sent = analysis_pages.Sent(sent_by, given, str(problem))
        return await _analyses(context, sent, status_of(problem))


async def _begun(context: Context, form: str, given: Mapping[str, str]) -> Response:
    """The way to what was written into a form. `form`: the field that tells it from the others. Raises
    GameError."""
    text = given['data']
    if form == 'link':
        return _to_board(*await analyses.of_link(context, given['link']))
    if form == 'game':
        options = dict(part.partition('=')[::2] for part in given.get('options', '').split())
        players = whole(given.get('players', ''), 9)
        return _to_board(await analyses.of_game(context, given['game'], players, options))
    if len(text) > LARGEST:
        raise GameError(words('web.analysis.error.large', most=LARGEST >> 10))
    if files.looks_like_match(text):
        context.check_rate('tables')
        return _to_table(await open_file(context.server, await context.settle(), text))
    data = await run_in_threadpool(analyses.from_text, text)
    return _to_board(await analyses.of_position(context, data))


def _to_board(board: Analysis, at: int = 0) -> Response:
    return RedirectResponse(f'/analysis/{board.id}' + (f'?at={at}' if at else ''), 303)


@router.get('/analysis/{analysis}')
async def analysis(
    context: Asked,
    analysis: Annotated[str, Path(max_length=32)],
    at: Annotated[int, Query(ge=0, le=1 << 30)] = 0,
) -> Response:
    """The page of a board for analysis."""
    access = await analyses.access_to(context, analysis)
    return HTMLResponse(await run_in_threadpool(_analysis_page, context, access, at))


def _analysis_page(context: Context, access: analyses.Access, at: int) -> str:
    tree = access.tree()
    cursor = analyses.Cursor(at if at in tree.nodes else 0)
    study = analyses.study_view(context, access, tree, cursor)
    return analysis_pages.study_page(context.visitor, study, study_message(study, None, 0))


# ---- pictures ----------------------------------------------------------------------------------------------


@router.get('/games/{name}/picture-{theme}.svg')
@for_all
async def picture(request: Request, name: Name, theme: Literal['light', 'dark']) -> Response:
    """The picture of a game in the lobby."""
    return await _svg(request, Picture(known_game(name), 'emblem', theme=theme))


@router.get('/games/{name}/badge.svg')
@for_all
async def badge(request: Request, name: Name) -> Response:
    """The small picture of a game in lists."""
    return await _svg(request, Picture(known_game(name), 'badge'))


@router.get('/games/{name}/positions/{example}.svg')
@for_all
async def position_picture(
    request: Request,
    name: Name,
    example: PictureName,
    turn: Annotated[str, Query(max_length=2000)] = '',
    theme: Theme = 'light',
) -> Response:
    """A position of the rulebook."""
    # a plus sign in a query is a space to its parser
    return await _svg(request, Picture(known_game(name), 'position', example, turn.replace(' ', '+'), theme))


@router.get('/games/{name}/figures/{figure}.svg')
@for_all
async def figure(request: Request, name: Name, figure: PictureName, theme: Theme = 'light') -> Response:
    """A picture of the rulebook that shows no position."""
    return await _svg(request, Picture(known_game(name), 'figure', figure, theme=theme))


async def _svg(request: Request, picture: Picture) -> Response:
    packed = await run_in_threadpool(picture.packed)
    headers = KEPT_A_DAY | {'Vary': 'Accept-Encoding'}
    if 'gzip' in request.headers.get('accept-encoding', ''):
        return Response(packed, media_type='image/svg+xml', headers=headers | {'Content-Encoding': 'gzip'})
    return Response(gzip.decompress(packed), media_type='image/svg+xml', headers=headers)


# ---- pages to read -----------------------------------------------------------------------------------------


@router.get('/games/{name}/rules')
async def rules(context: Asked, name: Name) -> Response:
    """The rules of a game."""
    game = load(known_game(name))
    return HTMLResponse(await run_in_threadpool(rules_pages.rules, context.visitor, game))


@router.get('/games/{name}/readings')
async def readings(context: Asked, name: Name) -> Response:
    """What of a game is reconstructed, and how open questions of its rules are answered."""
    game = load(known_game(name))
    return HTMLResponse(await run_in_threadpool(rules_pages.readings, context.visitor, game))


@router.get('/rules')
async def all_rules(
    context: Asked,
    q: Annotated[str, Query(max_length=100)] = '',
    first: Annotated[str, Query(max_length=40)] = '',
) -> Response:
    """All rulebooks, and the search over them. `first`: the game whose passages come before the others."""
    return HTMLResponse(await run_in_threadpool(rules_pages.index, context.visitor, q, first))


@router.get('/api')
async def api_docs(request: Request, context: Asked) -> Response:
    """The interface for programs."""
    address = str(request.base_url).rstrip('/')
    return HTMLResponse(reading.api_docs(context.visitor, request.app.openapi(), address))


@router.get('/docs')
@for_all
async def docs_home() -> Response:
    """The documentation: its pages refer to each other from the folder on."""
    return RedirectResponse('/docs/', 308)


@router.get('/docs/{path:path}')
@for_all
async def docs(request: Request, path: str) -> Response:
    """A page of the documentation, or a file that belongs to it."""
    if not await run_in_threadpool(manual.is_built):
        return HTMLResponse(reading.no_manual(), 200 if not path else 404)
    found = await run_in_threadpool(manual.file, path)
    if found is None:
        raise NotFound(words('web.error.not_found'))
    headers = {'ETag': found.tag, 'Cache-Control': 'no-cache'}
    if request.headers.get('if-none-match') == found.tag:
        return Response(status_code=304, headers=headers)
    return Response(found.content, media_type=found.kind, headers=headers)


@router.get('/credits')
async def credits_page(context: Asked) -> Response:
    """The authors of the games."""
    return HTMLResponse(reading.credits_page(context.visitor))


@router.get('/favicon.ico')
@for_all
async def favicon() -> Response:
    """The icon of the site, for browsers that ask for it of themselves."""
    return Response(assets.files()['favicon.svg'], media_type='image/svg+xml', headers=KEPT_A_DAY)


@router.get('/manifest.webmanifest')
@for_all
async def manifest() -> Response:
    """What a browser needs to install the site."""
    return Response(installed.manifest(), media_type='application/manifest+json', headers=KEPT_A_DAY)


@router.get('/worker.js')
@for_all
async def worker() -> Response:
    """The service worker. It stands at the root, so that it may look after all pages."""
    text = await run_in_threadpool(installed.worker)
    return Response(text, media_type=assets.KINDS['.js'], headers={'Cache-Control': 'no-cache'})


@router.get(installed.OFFLINE)
@for_all
async def offline() -> Response:
    """The page that the service worker shows without network."""
    return HTMLResponse(installed.offline())


@router.get('/robots.txt')
@for_all
async def robots() -> Response:
    """Tables and links are not for search engines."""
    text = 'User-agent: *\nDisallow: /tables/\nDisallow: /join/\nDisallow: /watch/\nDisallow: /previews/\n'
    text += 'Disallow: /analysis/\n'
    # those who show a link that somebody was sent look at this page, and follow it nowhere
    text += ''.join(f'\nUser-agent: {name}' for name in SHOWERS) + '\nAllow: /\n'
    return Response(text, media_type='text/plain')
