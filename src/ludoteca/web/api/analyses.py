"""Boards for analysis: where they begin, walking and changing trees, searches, the ways back to tables."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import JSONResponse, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from ludoteca.analysis import EFFORTS, AnalysisBoard, AnalysisTree, board_at
from ludoteca.analysis.tree import clean_title
from ludoteca.game import GameError, Refusal
from ludoteca.store import Analysis
from ludoteca.text import words
from ludoteca.web.api.bodies import Given
from ludoteca.web.api.refusals import refusals
from ludoteca.web.html.rulebook import address_of
from ludoteca.web.routes import analyses
from ludoteca.web.routes.analyses import Access, Cursor
from ludoteca.web.routes.context import Asked, Context
from ludoteca.web.table.analysis import StudyView, board_json, study_message
from ludoteca.web.table.buttons import explained
from ludoteca.web.table.model import seat_view

router = APIRouter(prefix='/api')
AnalysisId = Annotated[str, Path(max_length=32, description='Id of the analysis.')]
Text = Annotated[str, Field(max_length=200)]
REFUSALS = refusals(403, 404, 409, 422, 503)


# ---- what requests hold ------------------------------------------------------------------------------------


class NewAnalysis(Given):
    """Where a board begins: at a match, a position, a saved tree, an address, or the start of a game."""

    table: str = Field('', max_length=32, description='Id of a table.')
    turn: int | None = Field(None, ge=0, le=100_000, description='After so many turns; without it, now.')
    seat: int | None = Field(
        None,
        ge=-1,
        le=8,
        description='As that seat knew it, -1: as everybody did; while the match runs only your own seats.',
    )
    everything: bool | None = Field(
        None, description='Once the match is over: all of it, with nothing hidden.'
    )
    data: dict[str, Any] | None = Field(
        None, description='A position, or a tree as GET /api/analyses/{analysis} gives it.'
    )
    link: str = Field('', max_length=400, description='Address of a table, or of a shared analysis.')
    game: str = Field('', max_length=40, description='A game, from its start.')
    players: int | None = Field(None, ge=1, le=9)
    options: dict[str, bool | int | Text | list[Text]] = Field(default_factory=dict, max_length=20)


class PlaceGiven(Given):
    """Where you stand on a board."""

    at: int = Field(0, ge=0, le=1 << 30, description='Number of the node; 0 is the beginning.')
    draft: list[Annotated[str, Field(max_length=400)]] = Field(
        default_factory=list, max_length=64, description='Steps of a begun turn.'
    )
    open: bool = Field(True, description='The whole position; else what the seat to move knows of it.')
    have: dict[str, Annotated[str, Field(max_length=40)]] | None = Field(
        None, max_length=60, description='For pages: marks of the fragments that they have.'
    )
    came_from: int | None = Field(None, ge=0, le=1 << 30, description='For pages: the node that they show.')

    @property
    def cursor(self) -> Cursor:
        """The place as the server takes it."""
        return Cursor(self.at, tuple(self.draft), self.open)


class PlaceAct(PlaceGiven):
    """Steps from there."""

    steps: str = Field(min_length=1, max_length=2000, description='Names of steps, or of a whole turn.')
    keep: int | None = Field(None, ge=0, le=1000, description='Of the draft so many steps stay.')
    rest: bool = Field(False, description='With `keep`: the other steps follow again where they are legal.')


class PlaceUndo(PlaceGiven):
    """A step back."""

    keep: int | None = Field(None, ge=0, le=1000, description='So many steps of the draft stay.')


class PlaceTargets(PlaceGiven):
    """Clicks on things of the drawing."""

    targets: list[Text] = Field(max_length=20)


class PlaceElements(PlaceGiven):
    """Things of the drawing."""

    elements: list[Text] = Field(max_length=20)


class PlaceLine(PlaceGiven):
    """Whole turns that follow one another."""

    turns: list[Annotated[str, Field(max_length=2000)]] = Field(min_length=1, max_length=60)


class PlaceNote(PlaceGiven):
    """What you say of a position; what is left out stays."""

    name: str | None = Field(None, max_length=200)
    comment: str | None = Field(None, max_length=4000)
    marks: list[list[Text]] | None = Field(
        None, max_length=100, description='["ring", element] or ["arrow", element, element].'
    )


class PlaceSearch(PlaceGiven):
    """A round of a search."""

    effort: int = Field(0, ge=0, lt=len(EFFORTS), description='0 is the shortest round.')


class PlayOn(PlaceGiven):
    """A table that begins there."""

    seat: int | None = Field(None, ge=0, le=8, description='Yours; without it, the one to move.')
    level: str = Field('medium', max_length=60, description='Of the bots.')


class Changed(Given):
    """Changes of a board as a whole."""

    title: str | None = Field(None, min_length=1, max_length=200)
    shared: bool | None = Field(None, description='May whoever has the address look?')


# ---- boards ------------------------------------------------------------------------------------------------


def _listed(one: Analysis) -> dict[str, Any]:
    """A board in a list."""
    return {
        'id': one.id,
        'game': one.game,
        'title': one.title,
        'nodes': one.nodes,
        'shared': one.shared,
        'table': one.table,
        'updated': one.updated,
        'url': f'/analysis/{one.id}',
    }


@router.get('/analyses', summary='Your boards', tags=['analysis'], responses=refusals(403, 503))
async def boards(context: Asked) -> list[dict[str, Any]]:
    """Those used last first."""
    if context.visitor.id is None:
        return []
    found = await run_in_threadpool(context.store.analyses_of, context.visitor.id)
    return [_listed(one) for one in found]


@router.post(
    '/analyses',
    summary='A new board',
    tags=['analysis'],
    status_code=201,
    description=(
        'From exactly one of: `table`, `data`, `link`, `game`. What you may not know of a match is guessed.'
    ),
    responses=refusals(403, 404, 409, 422, 503),
)
async def new_board(context: Asked, given: NewAnalysis) -> Response:
    """Where it stands is `at`."""
    at = 0
    chosen = [bool(given.table), given.data is not None, bool(given.link), bool(given.game)]
    if sum(chosen) != 1:
        raise GameError(words('web.analysis.error.source'))
    if given.table:
        source = (given.table, given.turn, given.seat, given.everything)
        found, at = await analyses.of_match(context, *source)
    elif given.data is not None:
        found = await analyses.of_position(context, given.data)
    elif given.link:
        found, at = await analyses.of_link(context, given.link)
    else:
        found = await analyses.of_game(context, given.game, given.players, given.options)
    url = f'/analysis/{found.id}' + (f'?at={at}' if at else '')
    return JSONResponse({**_listed(found), 'at': at, 'url': url}, 201)


@router.get(
    '/analyses/{analysis}', summary='A board', tags=['analysis'], responses=refusals(403, 404, 422, 503)
)
async def board(context: Asked, analysis: AnalysisId, download: Annotated[bool, Query()] = False) -> Response:
    """Its tree, to be kept and opened again. Yours, or one that is shared."""
    access = await analyses.access_to(context, analysis)
    tree = await run_in_threadpool(access.tree)
    if download:
        name = f'{access.found.game}-{access.found.id}.json'
        return JSONResponse(tree.json(), headers={'Content-Disposition': f'attachment; filename="{name}"'})
    more = {'mine': access.mine, 'private': access.private}
    return JSONResponse({**_listed(access.found), **more, 'tree': tree.json()})


@router.patch(
    '/analyses/{analysis}', summary='Rename or share a board', tags=['analysis'], responses=REFUSALS
)
async def change_board(context: Asked, analysis: AnalysisId, given: Changed) -> dict[str, Any]:
    """It cannot be shared while the match runs from which it was made."""
    access = await analyses.access_to(context, analysis)
    access.check_mine()
    if given.shared and access.private:
        raise GameError(words('web.analysis.error.share'))
    title = clean_title(given.title or '') or access.found.title
    shared = access.found.shared if given.shared is None else given.shared
    found = await analyses.describe(context, access, title, shared)
    return _listed(found)


@router.delete('/analyses/{analysis}', summary='Delete a board', tags=['analysis'], responses=REFUSALS)
async def delete_board(context: Asked, analysis: AnalysisId) -> dict[str, bool]:
    """For good."""
    access = await analyses.access_to(context, analysis)
    access.check_mine()
    done = await run_in_threadpool(context.store.remove_analysis, analysis, access.found.owner)
    return {'done': done}


@router.post(
    '/analyses/{analysis}/copy',
    summary='Take a copy of a board',
    tags=['analysis'],
    status_code=201,
    responses=REFUSALS,
)
async def copy_board(context: Asked, analysis: AnalysisId) -> Response:
    """The copy is yours."""
    found = await analyses.copy(context, await analyses.access_to(context, analysis))
    return JSONResponse(_listed(found), 201)


# ---- walking and changing ----------------------------------------------------------------------------------


async def _answer(
    context: Context, access: Access, cursor: Cursor, given: PlaceGiven, **more: Any
) -> dict[str, Any]:
    """The board as it stands now: for programs as data, for pages as a message."""
    return await run_in_threadpool(_shown, context, access, cursor, given, more)


def _shown(
    context: Context, access: Access, cursor: Cursor, given: PlaceGiven, more: dict[str, Any]
) -> dict[str, Any]:
    study = analyses.study_view(context, access, access.tree(), cursor)
    if given.have is None:
        return {**board_json(study), **more}
    serial = time.time_ns() // 1_000_000
    message = study_message(study, given.came_from, serial)
    marks = message['marks']
    message['fragments'] = {
        name: part for name, part in message['fragments'].items() if given.have.get(name) != marks[name]
    }
    return {'version': serial, 'serial': serial, **more, 'message': message}


@router.post('/analyses/{analysis}/view', summary='A position', tags=['analysis'], responses=REFUSALS)
async def view(context: Asked, analysis: AnalysisId, given: PlaceGiven) -> dict[str, Any]:
    """With what can be chosen there."""
    return await _answer(context, await analyses.access_to(context, analysis), given.cursor, given)


@router.post('/analyses/{analysis}/act', summary='Take steps', tags=['analysis'], responses=REFUSALS)
async def act(context: Asked, analysis: AnalysisId, given: PlaceAct) -> dict[str, Any]:
    """Once a turn is complete the board stands at its node, which is made if there is none."""

    def play(tree: AnalysisTree) -> Cursor:
        board = board_at(tree, given.at, given.draft, given.open)
        at = board.act(given.steps, given.keep, given.rest)
        draft = board.match.draft(board.seat) if at == given.at and board.seat >= 0 else ()
        return Cursor(at, tuple(draft), given.open)

    access = await analyses.access_to(context, analysis)
    access.check_mine()
    trial = await run_in_threadpool(play, await run_in_threadpool(access.tree))
    if trial.at != given.at:
        access, trial = await analyses.change(context, access, play)
    return await _answer(context, access, trial, given, done=True, committed=trial.at != given.at)


@router.post('/analyses/{analysis}/undo', summary='Go back', tags=['analysis'], responses=REFUSALS)
async def undo(context: Asked, analysis: AnalysisId, given: PlaceUndo) -> dict[str, Any]:
    """By a step of the draft, or, where no turn is begun, to the position before. The tree stays."""

    def back(tree: AnalysisTree) -> Cursor:
        board = board_at(tree, given.at, given.draft, given.open)
        if not given.draft:
            return Cursor(max(0, tree.node(given.at).parent), (), given.open)
        board.match.undo(board.seat, None, given.keep)
        return Cursor(given.at, tuple(board.match.draft(board.seat)), given.open)

    access = await analyses.access_to(context, analysis)
    cursor = await run_in_threadpool(back, await run_in_threadpool(access.tree))
    return await _answer(context, access, cursor, given, done=True)


@router.post(
    '/analyses/{analysis}/redraft',
    summary='Change a begun turn by clicks',
    tags=['analysis'],
    responses=REFUSALS,
)
async def redraft(context: Asked, analysis: AnalysisId, given: PlaceTargets) -> dict[str, Any]:
    """Where they make no step but mean something; else the `sentence` says why not."""

    def change(tree: AnalysisTree) -> tuple[bool, Cursor]:
        board = board_at(tree, given.at, given.draft, given.open)
        done = board.seat >= 0 and board.match.redraft(board.seat, None, given.targets)
        draft = board.match.draft(board.seat) if board.seat >= 0 else ()
        return done, Cursor(given.at, tuple(draft), given.open)

    access = await analyses.access_to(context, analysis)
    access.check_mine()
    done, cursor = await run_in_threadpool(change, await run_in_threadpool(access.tree))
    if done:
        return await _answer(context, access, cursor, given, done=True)
    return {'done': False, **await _at(context, access, given, _why_not(given.targets))}


@router.post(
    '/analyses/{analysis}/why-not', summary='Why a click does nothing', tags=['analysis'], responses=REFUSALS
)
async def why_not(context: Asked, analysis: AnalysisId, given: PlaceTargets) -> dict[str, str]:
    """One sentence, and the address of the rule that says more."""
    access = await analyses.access_to(context, analysis)
    return await _at(context, access, given, _why_not(given.targets))


def _why_not(targets: list[str]) -> Callable[[StudyView], dict[str, str]]:
    def ask(study: StudyView) -> dict[str, str]:
        game = study.board.match.game
        why = game.why_not(seat_view(study.table), targets)
        return {
            'sentence': str(why),
            'rules': address_of(game, why.chapter if isinstance(why, Refusal) else ''),
        }

    return ask


@router.post(
    '/analyses/{analysis}/explain', summary='What something is', tags=['analysis'], responses=REFUSALS
)
async def explain(context: Asked, analysis: AnalysisId, given: PlaceElements) -> dict[str, str]:
    """The first of these elements that means anything; empty if none does."""

    def ask(study: StudyView) -> dict[str, str]:
        view, game = seat_view(study.table), study.board.match.game
        for element in given.elements:
            about = explained(view, game, element) or game.explain(view, element)
            if about:
                found = {'element': element, 'title': about.title, 'text': about.text, 'pencil': ''}
                return found | {'rules': address_of(game, about.chapter)}
        return {}

    return await _at(context, await analyses.access_to(context, analysis), given, ask)


async def _at(
    context: Context, access: Access, given: PlaceGiven, ask: Callable[[StudyView], dict[str, str]]
) -> dict[str, str]:
    """What is answered of a position."""

    def answer() -> dict[str, str]:
        return ask(analyses.study_view(context, access, access.tree(), given.cursor))

    return await run_in_threadpool(answer)


@router.post('/analyses/{analysis}/line', summary='Add turns', tags=['analysis'], responses=REFUSALS)
async def line(context: Asked, analysis: AnalysisId, given: PlaceLine) -> dict[str, Any]:
    """One after the other, from a node on. The board stands at the first one then."""

    def play(tree: AnalysisTree) -> int:
        nodes = [given.at]
        for turn in given.turns:
            board: AnalysisBoard = board_at(tree, nodes[-1], (), given.open)
            if board.seat < 0:
                raise GameError(words('game.error.over_before', name=turn))
            after = board.act(turn)
            if after == nodes[-1]:
                break  # the last turn of a line may be left off in the middle
            nodes.append(after)
        return nodes[min(1, len(nodes) - 1)]

    access = await analyses.access_to(context, analysis)
    access, at = await analyses.change(context, access, play)
    return await _answer(context, access, Cursor(at, (), given.open), given, done=True)


@router.post(
    '/analyses/{analysis}/note', summary='Say something of a position', tags=['analysis'], responses=REFUSALS
)
async def note(context: Asked, analysis: AnalysisId, given: PlaceNote) -> dict[str, Any]:
    """Its name, a comment, rings and arrows."""

    def describe(tree: AnalysisTree) -> None:
        tree.describe(given.at, given.name, given.comment, given.marks)

    access, _ = await analyses.change(context, await analyses.access_to(context, analysis), describe)
    return await _answer(context, access, given.cursor, given, done=True)


@router.post('/analyses/{analysis}/remove', summary='Remove a line', tags=['analysis'], responses=REFUSALS)
async def remove(context: Asked, analysis: AnalysisId, given: PlaceGiven) -> dict[str, Any]:
    """A position with all that follows it. The board stands at the one before then."""
    access = await analyses.access_to(context, analysis)
    access, at = await analyses.change(context, access, lambda tree: tree.remove(given.at))
    return await _answer(context, access, Cursor(at, (), given.open), given, done=True)


@router.post(
    '/analyses/{analysis}/first', summary='Make a line the main line', tags=['analysis'], responses=REFUSALS
)
async def first(context: Asked, analysis: AnalysisId, given: PlaceGiven) -> dict[str, Any]:
    """All that leads to a position comes before its variations."""
    access = await analyses.access_to(context, analysis)
    access, _ = await analyses.change(context, access, lambda tree: tree.put_first(given.at))
    return await _answer(context, access, given.cursor, given, done=True)


# ---- searches, and back to tables --------------------------------------------------------------------------


@router.post(
    '/analyses/{analysis}/search', summary='What a search says', tags=['analysis'], responses=REFUSALS
)
async def search(context: Asked, analysis: AnalysisId, given: PlaceSearch) -> dict[str, Any]:
    """Of a position: what all seats can expect, and the three best turns. Each round takes longer than the
    one before, until `last`. A new round of yours stops the one before: that answers 409. No search looks at
    the board of a match that runs, or at a game that you play against others just now."""
    access = await analyses.access_to(context, analysis)
    return await analyses.search(context, access, given.cursor, given.effort)


@router.post('/analyses/{analysis}/stop', summary='Stop your search', tags=['analysis'], responses=REFUSALS)
async def stop(context: Asked, analysis: AnalysisId) -> dict[str, bool]:
    """Whatever round is under way."""
    await analyses.access_to(context, analysis)
    if context.visitor.id is not None:
        context.server.desk.cancel(analyses.search_key(context.visitor.id))
    return {'done': True}


@router.post(
    '/analyses/{analysis}/play',
    summary='Play the planned turn in the match',
    tags=['analysis'],
    responses=REFUSALS,
)
async def play(context: Asked, analysis: AnalysisId, given: PlaceGiven) -> dict[str, Any]:
    """The first turn of your seat on the way to a position, if its time has come and it is still legal. For
    boards that were made of a match of yours that runs."""
    access = await analyses.access_to(context, analysis)
    turn = await analyses.play_first(context, access, given.at)
    return {'done': True, 'turn': turn, 'url': f'/tables/{access.found.table}'}


@router.post(
    '/analyses/{analysis}/play-on',
    summary='Play on against bots',
    tags=['analysis'],
    status_code=201,
    responses=REFUSALS,
)
async def play_on(context: Asked, analysis: AnalysisId, given: PlayOn) -> Response:
    """A new table begins at a position. It does not count."""
    access = await analyses.access_to(context, analysis)
    live = await analyses.play_on(context, access, given.at, given.seat, given.level)
    return JSONResponse({'id': live.id, 'url': f'/tables/{live.id}'}, 201)
