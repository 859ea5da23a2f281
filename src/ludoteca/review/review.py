"""A finished match, reviewed: every turn judged, the expected outcome over the match, and what luck was."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from typing import Any, cast

import numpy as np

from ludoteca.game import Game, GameError, State, load
from ludoteca.kernel import Array, Floats
from ludoteca.match import Match, TrueTurn
from ludoteca.review.judging import SMALL, Judged, judge
from ludoteca.search import as_known
from ludoteca.text import words

SIMULATIONS = 2_000
"""Of each search, if nobody asks for another number: three searches at most for an action and a seed."""
EDITION = 1
"""Goes up when the same match would be reviewed otherwise: reviews of other editions are not shown."""
TURNING_POINTS = 3
"""So many turns of a seat at most are called turning points."""


ENOUGH = 8
"""So many transitions without a reveal say how exact the search is; fewer do not."""


@dataclass(frozen=True)
class Reviewed:
    """A turn of a match, judged, and what came after it: luck if something came to light with it, else drift.
    Of turns that were committed together the last one has it."""

    number: int  # from 1
    judged: Judged
    luck: tuple[float, ...]  # by seat
    drift: tuple[float, ...]  # by seat


@dataclass(frozen=True)
class Review:
    """A finished match, reviewed. Whatever has an entry for each seat adds up:
    outcome = expected[0] + skill + luck + drift."""

    game: str
    players: int
    simulations: int
    turns: tuple[Reviewed, ...]
    # [turn][seat]: the expected outcome before each turn, and last the outcome
    expected: tuple[tuple[float, ...], ...]
    skill: tuple[float, ...]  # what all turns changed, the seat's own and the others' losses
    luck: tuple[float, ...]  # what changed when something came to light
    drift: tuple[float, ...]  # what the search saw only later, and what one seat knew and another did not
    adjusted: tuple[float, ...]  # the outcome less luck
    errors: tuple[float, ...]  # standard errors of `luck`, and so of `adjusted`
    turning_points: tuple[tuple[int, ...], ...]  # by seat: numbers of the turns that lost most, worst first
    resigned: int  # the seat that gave up; then the rest to the outcome counts as nobody's luck. -1: nobody

    def json(self) -> dict[str, Any]:
        """The review as plain data."""
        return asdict(self)


def review(
    match: Match,
    *,
    simulations: int = SIMULATIONS,
    seed: int | str = 0,
    executor: Executor | None = None,
    progress: Callable[[int], object] | None = None,
) -> Review:
    """Review a finished match. Turns are judged by the `executor`, or one after the other here; the answer is
    the same. `progress` is told how many turns are done.

    Raises GameError if the match is not over, or was not played at all.
    """
    if match.result is None:
        raise GameError(words('review.error.running'))
    tasks = payloads(match, simulations, seed)
    judged = list[Judged]()
    if executor is None:
        answers: Iterator[dict[str, Any]] = map(judge_turn, tasks)
    else:
        # what is not asked for any more, because the caller was stopped, is cancelled
        answers = executor.map(judge_turn, tasks)
    for one in answers:
        judged.append(Judged.from_json(one))
        if progress is not None:
            progress(len(judged))
    return put_together(match, simulations, judged)


def payloads(match: Match, simulations: int = SIMULATIONS, seed: int | str = 0) -> list[dict[str, Any]]:
    """What `judge_turn` needs for each turn of a finished match, as plain data. Of each position it is what
    the seat knew, and nothing else. Raises GameError as `review` does."""
    if match.result is None:
        raise GameError(words('review.error.running'))
    game, played = match.game, match.true_turns()
    if not played:
        raise GameError(words('review.error.empty'))
    return [payload_of(game, turn, simulations, f'{seed}/{k}') for k, turn in enumerate(played)]


def payload_of(game: Game, turn: TrueTurn, simulations: int, seed: str) -> dict[str, Any]:
    """The same for one turn."""
    known = [as_known(game, state, turn.seat) for state in turn.states]
    return {
        'game': game.name,
        'version': game.version,
        'states': [base64.b64encode(state.tobytes()).decode() for state in known],
        'actions': list(turn.actions),
        'seat': turn.seat,
        'simulations': simulations,
        'seed': seed,
    }


def judge_turn(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Judge one turn: a pure function from plain data to plain data (`Judged.json`), for a worker anywhere.
    Raises GameError if the rules are of another version."""
    game = load(payload['game'])
    if game.version != payload['version']:
        raise GameError(words('review.error.version', game=game.title))
    states = [cast(State, _state(game, text)) for text in payload['states']]
    return judge(
        game,
        states,
        payload['actions'],
        payload['seat'],
        simulations=payload['simulations'],
        seed=payload['seed'],
    ).json()


def _state(game: Game, text: str) -> Any:
    found = game.State.array(1)
    found.view(np.uint8)[:] = np.frombuffer(base64.b64decode(text), np.uint8)
    return found[0]


def put_together(match: Match, simulations: int, judged: Sequence[Judged]) -> Review:
    """The review of a finished match whose turns are all judged."""
    assert match.result is not None
    outcome = np.array(match.result.outcome)
    return _reviewed(
        match.setup.game, simulations, match.true_turns(), list(judged), outcome, match.result.by
    )


def key_of(match: Match, simulations: int = SIMULATIONS) -> str:
    """The name under which the review of a finished match is kept: of what was played, the rules, the setting
    and the edition of reviews. Names of people are not part of it, nor is what was taken back."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(
        f'{EDITION}/{match.game.name}/{match.game.version}/{match.game.link}/{simulations}'.encode()
    )
    digest.update(match.setup.start().tobytes())
    for turn in match.true_turns():
        digest.update(f'/{turn.seat}:{turn.batch}:{",".join(map(str, turn.actions))}'.encode())
    return digest.hexdigest()


def _reviewed(
    game: str, simulations: int, played: tuple[TrueTurn, ...], judged: list[Judged], outcome: Floats, by: int
) -> Review:
    """Put the judged turns together."""
    expected = np.array([one.before for one in judged])
    change = np.array([one.after for one in judged]) - expected
    luck, drift = np.zeros_like(expected), np.zeros_like(expected)  # [turn][seat]
    revealed, first = np.zeros(len(judged), bool), 0
    for k in range(len(judged)):
        last = k + 1 == len(judged)
        if not last and played[k + 1].batch == played[k].batch:
            continue
        # turns of one batch were chosen without knowledge of each other: what they changed is added up
        foreseen = expected[first] + change[first : k + 1].sum(axis=0)
        following = outcome if last else expected[k + 1]
        # nothing comes to light at the end of a match: who knew all before knows who has won
        revealed[k] = not last and played[first].states[0].reveals != played[k + 1].states[0].reveals
        if not (last and by >= 0):
            (luck if revealed[k] else drift)[k] = following - foreseen
        first = k + 1
    skill, lucky = change.sum(axis=0), luck.sum(axis=0)
    return Review(
        game,
        len(outcome),
        simulations,
        tuple(
            Reviewed(k + 1, one, tuple(luck[k].tolist()), tuple(drift[k].tolist()))
            for k, one in enumerate(judged)
        ),
        (*(one.before for one in judged), tuple(outcome.tolist())),
        tuple(skill.tolist()),
        tuple(lucky.tolist()),
        tuple(drift.sum(axis=0).tolist()),
        tuple((outcome - lucky).tolist()),
        tuple(_errors(judged, drift, revealed).tolist()),
        tuple(_turning_points(judged, seat) for seat in range(len(outcome))),
        by,
    )


def _errors(judged: list[Judged], drift: Floats, revealed: Array) -> Floats:
    """The standard errors of all luck together, by seat. Where nothing comes to light a perfect search would
    find no change, so what it finds there says how exact it is. Where something comes to light (almost) every
    time, the two seeds of each search must say it."""
    quiet = drift[~revealed][:-1]  # the last transition leads to the outcome itself
    if len(quiet) >= ENOUGH:
        variance: Floats = np.square(quiet).mean(axis=0)
    else:
        seeds = [np.square(one.before_errors) + np.square(one.errors) for one in judged]
        variance = 2 * np.mean(seeds, axis=0)
    return np.asarray(np.sqrt(revealed.sum() * variance))


def _turning_points(judged: list[Judged], seat: int) -> tuple[int, ...]:
    """The numbers of the turns with which a seat lost most, the worst first."""
    lost = [
        (-one.loss, k + 1)
        for k, one in enumerate(judged)
        if one.seat == seat and one.loss >= SMALL and one.judgement in ('inaccuracy', 'mistake')
    ]
    return tuple(number for _, number in sorted(lost)[:TURNING_POINTS])
