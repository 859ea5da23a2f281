"""Hints: what a strong bot would play for a seat, on what the seat is shown, and why. A hint comes in stages:
where to look, the thing that is chosen first, the whole turn, the turn with the reasons for it. Pages skip a
stage that would add nothing."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ludoteca.game import Game, GameError, Reason, State, View, load
from ludoteca.game.reasons import sentences
from ludoteca.review.lines import LineStep, line
from ludoteca.search import stream
from ludoteca.text import capitalized, words
from ludoteca.web.live.exercises import Exercising
from ludoteca.web.live.table import LiveTable
from ludoteca.web.serving.errors import Forbidden
from ludoteca.web.table.choices import ghost_list
from ludoteca.web.table.places import THING, TURN, WHY, region, thing
from ludoteca.web.table.wording import advice
from ludoteca.work import Desk, Job, hints, ranks
from ludoteca.work.hints import Suggestion, steps_of


@dataclass(frozen=True)
class Hint:
    """A turn for a seat: the version of the seat's view that it answers, what the seat is shown there, the
    turn's steps with what to click for each, and the next best turn."""

    game: Game
    version: int
    view: View
    steps: list[dict[str, Any]]
    advice: str  # the turn in words
    actions: tuple[int, ...]  # of the turn
    other: tuple[int, ...]

    @property
    def turn(self) -> str:
        """The name of the turn."""
        return ' '.join(step['name'] for step in self.steps)

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Why the turn is better than the next best one."""
        return self.game.reasons(self.view, self.actions, (self.other,) if self.other else ())

    def json(self, stage: int) -> dict[str, Any]:
        """What a stage says, and nothing of later stages. `next`: the next stage that adds something."""
        answer: dict[str, Any] = {'version': self.version, 'stage': stage}
        if stage < TURN:
            targets = self.steps[0]['targets']
            at = region(self.game, self.view, targets)
            alone = len(at.targets) == 1
            if alone or stage == THING:
                at = thing(self.game, self.view, targets[0])
            following = WHY if alone or stage == THING else THING
            return answer | {'targets': list(at.targets), 'sentence': at.sentence, 'next': following}
        answer |= {'turn': self.turn, 'steps': self.steps}
        if stage == TURN:
            return answer | {'sentence': self.advice}
        reasons, why = self.reasons, 'web.hint.no_reason'
        if len(self.view.actions) == 1:
            reasons, why = (), 'web.hint.no_other'
        found = sentences(self.game.words, reasons) or (words(why),)
        return answer | {
            'reasons': [reason.json() for reason in reasons],
            'sentence': ' '.join((self.advice, *found)),
        }


@dataclass(frozen=True)
class _Asked:
    """A hint that is sought, or was found."""

    place: tuple[int, int]  # the version of the match, and the step of a lesson
    answer: asyncio.Future[Hint]


_asked: weakref.WeakKeyDictionary[LiveTable, dict[int, _Asked]] = weakref.WeakKeyDictionary()


async def hint(
    live: LiveTable, seat: int, desk: Desk, before_search: Callable[[], object] = lambda: None
) -> Hint:
    """A hint for a seat. All stages of one position are served by one search; `before_search` is called when
    there is to be a new one, and may refuse it. Raises GameError if the seat has nothing to choose."""
    live.check_ready()
    if isinstance(live.script, Exercising):
        raise GameError(words('web.exercise.error.hint'))
    if not live.table.hints_open:
        raise Forbidden(words('web.hint.error.closed'))
    version, state, view = await asyncio.to_thread(_question, live, seat)
    known = _asked.setdefault(live, {})
    asked = known.get(seat)
    failed = asked is not None and asked.answer.done() and _has_failed(asked.answer)
    place = version, live.script.place if live.script else -1
    if asked is None or asked.place != place or failed:
        before_search()
        answer = asyncio.ensure_future(_search(live, seat, desk, version, state, view))
        asked = known[seat] = _Asked(place, answer)
    # somebody else may wait for the same answer
    return await asyncio.shield(asked.answer)


def _has_failed(answer: asyncio.Future[Hint]) -> bool:
    return answer.cancelled() or answer.exception() is not None


async def _search(live: LiveTable, seat: int, desk: Desk, version: int, state: State, view: View) -> Hint:
    game = load(live.table.game)
    if wanted := await asyncio.to_thread(_lesson_move, live, seat):
        return await asyncio.to_thread(hint_of, game, version, state, view, Suggestion(wanted, ()))
    # drawn by what the seat knows: several servers that are asked for stages of one hint find the same turn
    asked = hints.payload(game.name, state, seat, stream(game.canonical(state), 0))
    search = desk.submit(Job('hint', live.id, ('hint', live.id, seat), ranks.HINTS, asked))
    found = hints.read(await asyncio.wrap_future(search))
    return await asyncio.to_thread(hint_of, game, version, state, view, found)


def hint_of(game: Game, version: int, state: State, view: View, found: Suggestion) -> Hint:
    """The hint that follows from what a search has found on `state`."""
    steps = hint_steps(game, state, view.seat, found.actions, view.colours)
    actions = tuple(found.actions[: len(steps)])
    turn = line(game, state, view.seat, [step['name'] for step in steps])
    text = f'{capitalized(advice(game, turn, view.seat, view.names))}.'
    if turn and goes_on(turn[-1]):
        text = f'{text} {words("web.hint.reveals")}'
    return Hint(game, version, view, steps, text, actions, found.other)


def goes_on(last: LineStep) -> bool:
    """True if the turn continues after this step, once something has been revealed."""
    before, after = last.before, last.after
    return bool(after.turn == before.turn and after.to_move == last.seat and not after.ending)


def _question(live: LiveTable, seat: int) -> tuple[int, State, View]:
    """The version of a seat's view, the state to be searched, and the view itself. Only what the seat is
    shown is searched, so that a hint tells nothing that it should remember."""
    with live.lock:
        match = live.match()
        if not match.may_choose(seat):
            raise GameError(words('web.table.hint_not_yours'))
        view = replace(match.view(seat), names=tuple(who.name for who in match.seats), colours=match.colours)
        return match.version(seat), view.state, view


def _lesson_move(live: LiveTable, seat: int) -> list[int]:
    """What the lesson at a table waits for; nothing where none does."""
    with live.lock:
        return live.guide.proposed(live.match()) if live.guide and live.guide.lesson.seat == seat else []


def hint_steps(
    game: Game, state: State, seat: int, actions: Collection[int], colours: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The first of these actions, up to the end of the turn, with what to click for each. `colours`: of all
    seats."""
    return [
        clicked_step(game, known, action, colours) for known, action in steps_of(game, state, seat, actions)
    ]


def clicked_step(game: Game, known: State, action: int, colours: Sequence[str] = ()) -> dict[str, Any]:
    """A step by its name, with what to click for it and the ghosts of what it does. `known`: what its seat
    knows before it."""
    targets = game.targets(known, action, colours)
    return {
        'name': game.action_name(known, action),
        'targets': [target.id for target in targets],
        'ghosts': [ghost_list(target.ghost) if target.ghost else None for target in targets],
    }
