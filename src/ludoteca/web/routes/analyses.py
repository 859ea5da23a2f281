"""Boards for analysis as requests ask for them: who may see and change one, what it began from, and what a
search says of it.

A board holds a whole position. Where it was made of a match that still runs, that position was guessed from
what its owner knows, so there is nothing in it that the owner may not know; nobody else sees it, and no
search looks at it, before the match is over.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool

from ludoteca.analysis import (
    EFFORTS,
    AnalysisBoard,
    AnalysisTree,
    board_at,
    check_tree,
    from_match,
    from_position,
    from_start,
)
from ludoteca.analysis.tree import clean_title
from ludoteca.game import SPECTATOR, Game, GameError, State, load
from ludoteca.match import Seat, Setup, Stale
from ludoteca.match.setup import WHOLE
from ludoteca.review.lines import line
from ludoteca.search import as_known
from ludoteca.store import Analysis, Person, SeatPlan
from ludoteca.text import capitalized, words
from ludoteca.web.live import commands
from ludoteca.web.live.hints import clicked_step
from ludoteca.web.live.table import LiveTable
from ludoteca.web.offers.catalogue import USUAL_LEVEL, bot_name, known_game, known_level
from ludoteca.web.routes.context import Context
from ludoteca.web.serving.errors import Forbidden, NotFound
from ludoteca.web.table.analysis import StudyView, first_own_turn
from ludoteca.web.table.wording import advice, line_texts
from ludoteca.work import Job, ranks
from ludoteca.work import analyses as jobs

T = TypeVar('T')
LINK = re.compile(r'(?:https?://[^/\s]+)?/(tables|analysis)/([A-Za-z0-9_-]{1,32})(?:[/?#]\S*)?')
LINK_TURN = re.compile(r'(?:/at/|[?&#]turn=)([0-9]{1,6})')


@dataclass(frozen=True)
class Cursor:
    """Where a page stands on a board: the node, the begun turn, and whether it shows the whole position."""

    at: int = 0
    draft: tuple[str, ...] = ()
    open: bool = True


@dataclass(frozen=True)
class Access:
    """A board that a visitor may see. `private`: the match from which it was made still runs."""

    found: Analysis
    mine: bool
    private: bool

    def tree(self) -> AnalysisTree:
        """The tree."""
        return AnalysisTree.parse(self.found.tree)

    def check_mine(self) -> None:
        """Raises Forbidden if the visitor may only read."""
        if not self.mine:
            raise Forbidden(words('web.analysis.error.read_only'))


# ---- who may see a board -----------------------------------------------------------------------------------


async def access_to(context: Context, analysis_id: str) -> Access:
    """A board that the visitor may see: an own one, or a shared one. Raises NotFound."""
    found = await run_in_threadpool(context.store.analysis, analysis_id)
    if found is None:
        raise NotFound(words('store.error.no_analysis'))
    mine = context.visitor.id is not None and found.owner == context.visitor.id
    private = await run_in_threadpool(_runs_on, context, found.table)
    if not mine and (private or not found.shared):
        raise NotFound(words('store.error.no_analysis'))
    return Access(found, mine, private)


def _runs_on(context: Context, table_id: str) -> bool:
    """May the match at a table still go on? Then what is secret there stays so."""
    table = context.store.table(table_id) if table_id else None
    return table is not None and table.status != 'finished'


async def change(
    context: Context, access: Access, edit: Callable[[AnalysisTree], T], title: str | None = None
) -> tuple[Access, T]:
    """Change an own board. Raises Forbidden, and what `edit` raises; then nothing is changed."""
    access.check_mine()
    answers: list[T] = []

    def changed(now: Analysis) -> Analysis:
        tree = AnalysisTree.parse(now.tree)
        answers.append(edit(tree))
        text = tree.text()
        return replace(now, tree=text, nodes=len(tree.nodes), title=now.title if title is None else title)

    found = await run_in_threadpool(context.store.change_analysis, access.found.id, changed)
    return replace(access, found=found), answers[-1]


async def describe(context: Context, access: Access, title: str, shared: bool) -> Analysis:
    """Give an own board another title, and share it or no longer. Raises Forbidden."""
    access.check_mine()
    edit = context.store.change_analysis
    new = access.found.id, lambda now: replace(now, title=title, shared=shared)
    return await run_in_threadpool(edit, *new)


# ---- where boards begin ------------------------------------------------------------------------------------


async def keep(
    context: Context,
    tree: AnalysisTree,
    title: str,
    live: LiveTable | None = None,
    seat: int = SPECTATOR,
    turn: int = 0,
) -> Analysis:
    """Keep a new board of the visitor's. `live`: the match that it began at. Raises GameError."""
    context.check_rate('tables')
    person: Person = await context.settle()
    text = tree.text()
    new = Analysis(
        person.id,
        tree.root.game,
        clean_title(title) or words('web.analysis.untitled', game=load(tree.root.game).title),
        text,
        len(tree.nodes),
        table=live.id if live else '',
        seat=seat,
        turn=turn,
    )
    return await run_in_threadpool(context.store.add_analysis, new)


async def of_match(
    context: Context, table_id: str, turn: int | None, seat: int | None, everything: bool | None
) -> tuple[Analysis, int]:
    """A new board at a position of a match, and the node that shows it. `turn`: after so many; None: now.
    `seat`: as that seat knew it (only an own one while the match runs); `everything`: the whole match with
    nothing hidden. By default a match with secrets that one has played is shown as one knew it, any other one
    whole if it is over. Raises GameError."""
    live = await context.look_at_match(table_id)
    tree, at, own, turns, number = await run_in_threadpool(_of_match, context, live, turn, seat, everything)
    title = words('web.analysis.of_match', game=load(live.table.game).title, turn=number)
    return await keep(context, tree, title, live, own, turns), at


def _of_match(
    context: Context, live: LiveTable, turn: int | None, seat: int | None, everything: bool | None
) -> tuple[AnalysisTree, int, int, int, int]:
    """The tree, the node, the seat, how many turns, and how many of them people count."""
    with live.lock:
        match = live.match()
        own = live.seat_at_screen(context.visitor, None)
        if seat is not None:
            over = match.result is not None and SPECTATOR <= seat < match.setup.players
            own = seat if over else live.seat_to_read(context.visitor, seat)
        if everything is None:
            everything = match.result is not None and (own == SPECTATOR or not match.game.hidden)
        turns = match.turns if turn is None else turn
        tree, at = from_match(match, turns, own, everything)
        return tree, at, own, turns, match.finished(turns)


async def of_game(context: Context, game: str, players: int | None, options: Mapping[str, Any]) -> Analysis:
    """A new board at the start of a game. Raises GameError."""
    tree = await run_in_threadpool(from_start, known_game(game), players, options)
    return await keep(context, tree, '')


async def of_position(context: Context, data: Any) -> Analysis:
    """A new board at a position as JSON, or with a tree that was saved. Raises GameError."""
    tree = await run_in_threadpool(_from_data, data)
    return await keep(context, tree, '')


def _from_data(data: Any) -> AnalysisTree:
    if not (isinstance(data, dict) and 'nodes' in data):
        return from_position(data)
    tree = AnalysisTree.read(data)
    tree.text()  # not too large
    check_tree(tree)
    return tree


async def of_link(context: Context, link: str) -> tuple[Analysis, int]:
    """A new board from an address: of a table, at a turn if it names one, or of a board that is shared.
    Raises GameError."""
    fits = LINK.fullmatch(link.strip())
    if fits is None:
        raise GameError(words('web.analysis.error.link'))
    if fits[1] == 'analysis':
        return await copy(context, await access_to(context, fits[2])), 0
    turn = LINK_TURN.search(link)
    return await of_match(context, fits[2], int(turn[1]) if turn else None, None, None)


async def copy(context: Context, access: Access) -> Analysis:
    """An own copy of a board. Raises GameError."""
    found = access.found
    live = await context.look(found.table) if access.private else None
    return await keep(context, access.tree(), found.title, live, found.seat, found.turn)


# ---- looking -----------------------------------------------------------------------------------------------


def study_view(context: Context, access: Access, tree: AnalysisTree, cursor: Cursor) -> StudyView:
    """The board as the visitor sees it. Called in a worker thread. Raises GameError."""
    board = board_at(tree, cursor.at, cursor.draft if access.mine else (), cursor.open)
    return view_of(context, access, board, cursor.open)


def view_of(context: Context, access: Access, board: AnalysisBoard, open_: bool) -> StudyView:
    """The same for a board that stands somewhere already."""
    found = access.found
    return StudyView(
        found.id,
        found.title,
        board,
        access.mine,
        found.shared,
        access.private,
        found.seat if found.table and access.mine else SPECTATOR,
        open_,
        context.visitor.preferences,
        f'{context.server.address}/analysis/{found.id}',
    )


# ---- what a search says ------------------------------------------------------------------------------------


async def search(context: Context, access: Access, cursor: Cursor, effort: int) -> dict[str, Any]:
    """One round of a search at a node, as the bots' workers do it. A person has one search at a time: a new
    one stops the one before. Raises Forbidden while a match runs of which the board may be, Stale if the
    search was stopped, and GameError where the game is over."""
    if access.private:
        raise Forbidden(words('web.analysis.error.private'))
    person = await context.settle()
    game = access.found.game
    await check_plays_alone(context, game)
    context.check_rate('analyses', person.id)
    board = await run_in_threadpool(board_at, access.tree(), cursor.at)
    if board.seat < 0:
        raise GameError(words('search.error.over'))
    payload = jobs.payload(load(game), board.state, effort, secrets.randbits(62))
    key, desk = search_key(person.id), context.server.desk
    desk.cancel(key)
    done = asyncio.wrap_future(desk.submit(Job('analysis', person.id, key, ranks.ANALYSES, payload)))
    await asyncio.wait([done])
    stopped = (asyncio.CancelledError, concurrent.futures.CancelledError)
    if done.cancelled() or isinstance(done.exception(), stopped):
        raise Stale(words('web.analysis.error.stopped'))
    found = await run_in_threadpool(with_steps, load(game), board.state, board.match.colours, done.result())
    if context.visitor.preferences.log != 'notation':
        found['turns'] = await run_in_threadpool(told_search, board, found['turns'])
    return {**found, 'at': cursor.at, 'effort': effort, 'last': effort + 1 >= len(EFFORTS)}


def with_steps(game: Game, state: State, colours: Sequence[str], found: Mapping[str, Any]) -> dict[str, Any]:
    """What a search has found at a position, each turn with its steps as `clicked_step` gives them: by what
    the seat to move knows."""
    seat = found['seat']
    known = as_known(game, state, seat)

    def steps(turn: str) -> list[dict[str, Any]]:
        taken = line(game, known, seat, [turn])
        return [clicked_step(game, step.before, step.action, colours) for step in taken]

    return {**found, 'turns': [{**one, 'steps': steps(one['turn'])} for one in found['turns']]}


def told_search(board: AnalysisBoard, turns: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What a search has found, and under `told` each line in sentences: the first turn as advice, the others
    as the log tells them. All by what the seat to move knows, as the search itself."""
    game, seat = load(board.tree.root.game), board.seat
    known, names, found = as_known(game, board.state, seat), board.match.players, []
    for one in turns:
        steps = line(game, known, seat, one['line'])
        own = list(takewhile(lambda step: step.seat == seat and step.before.turn == known.turn, steps))
        later = line_texts(game, steps[len(own) :], names)
        told = [f'{text}.' for text in (capitalized(advice(game, own, seat, names)), *later)]
        found.append({**one, 'told': told})
    return found


def search_key(person_id: str) -> tuple[str, str]:
    """Under which the searches of a person wait for their turn."""
    return 'analysis', person_id


async def check_plays_alone(context: Context, game: str) -> None:
    """Raises Forbidden while the visitor plays a match of this game against other people without hints: a
    position that they bring may be that of the match."""
    person = await context.settle()
    tables = await run_in_threadpool(context.store.tables_of, person.id)
    if any(
        table.game == game and table.status in ('running', 'frozen') and not table.hints_open
        for table in tables
    ):
        raise Forbidden(words('web.analysis.error.plays', game=load(game).title))


# ---- back to tables ----------------------------------------------------------------------------------------


async def play_on(context: Context, access: Access, at: int, seat: int | None, level: str) -> LiveTable:
    """A new table at which the visitor plays on from a node against bots of a level, from a seat (None: the
    one to move). Raises GameError."""
    if access.private:
        raise Forbidden(words('web.analysis.error.private'))
    await check_plays_alone(context, access.found.game)
    return await _play_on(context, access.tree(), at, seat, level)


async def play_on_from(context: Context, table_id: str, turn: int | None) -> LiveTable:
    """Open a table that goes on from a position of a finished match, from the visitor's seat if there is
    one."""
    live = await context.look_at_match(table_id)
    if await run_in_threadpool(_runs_on, context, table_id):
        raise Forbidden(words('web.analysis.error.runs'))
    if live.match().setup.imported:
        await check_plays_alone(context, live.table.game)
    tree, at, own, _, _ = await run_in_threadpool(_of_match, context, live, turn, None, True)
    return await _play_on(context, tree, at, None if own == SPECTATOR else own, USUAL_LEVEL)


async def _play_on(context: Context, tree: AnalysisTree, at: int, seat: int | None, level: str) -> LiveTable:
    context.check_rate('tables')
    person, level = await context.settle(), known_level(level)
    board = await run_in_threadpool(board_at, tree, at)
    root, data = tree.root, load(tree.root.game).to_json(board.state)
    if board.seat < 0:
        raise GameError(words('match.error.over'))
    own = board.seat if seat is None else seat
    if not 0 <= own < root.players:
        raise GameError(words('match.error.no_seat', seat=own, last=root.players - 1))
    plans = seat_plans(person, own, root.players, level)
    seats = [Seat(plan.name, 'bot' if plan.kind == 'bot' else 'person', plan.level) for plan in plans]
    setup = Setup.new(root.game, root.players, dict(root.options), seats)
    setup = replace(setup, position=data, knower=WHOLE)
    return await context.server.open_position(person.id, setup, plans)


def seat_plans(person: Person, own: int, players: int, level: str) -> list[SeatPlan]:
    """Who sits where: the person, and bots of a level."""
    numbers = iter(range(1, players))
    return [
        SeatPlan(person=person.id, name=person.name)
        if seat == own
        else SeatPlan('bot', level=level, name=bot_name(level, next(numbers), players))
        for seat in range(players)
    ]


async def play_first(context: Context, access: Access, at: int) -> str:
    """Play the first own turn of the line to a node in the match that the board was made from, and answer its
    name. Raises GameError if it is not that turn's time, or if it is not legal any more."""
    access.check_mine()
    found = access.found
    live = await context.look_at_match(found.table) if found.table else None
    turn = first_own_turn(access.tree(), at, found.seat)
    if live is None or found.seat < 0 or turn is None:
        raise GameError(words('web.analysis.play_none'))
    before, node = turn

    def version() -> int:
        with live.lock:
            if live.match().turns != found.turn + before:
                raise Stale(words('web.analysis.error.went_on'))
            return live.match().version(found.seat)

    play = commands.Play(await run_in_threadpool(version), node.turn, 0)
    await context.server.run(live, context.visitor, found.seat, play)
    return node.turn


def from_text(text: str) -> Any:
    """What somebody has pasted or uploaded, as data. Raises GameError if it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise GameError(words('web.analysis.error.text')) from problem
