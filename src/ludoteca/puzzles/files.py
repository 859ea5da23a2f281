"""Puzzles as data: a game's `puzzles.json`, and the file that a search for puzzles writes, are one format. It
is described in docs/puzzles.md."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

from ludoteca.game import Game, GameError, Position, State, load
from ludoteca.search import LEVELS
from ludoteca.text import words

FILE = 'puzzles.json'
FORMAT = 1


class DroppedPuzzle(GameError):
    """The puzzle was dropped; the game has others."""


@dataclass(frozen=True)
class Run:
    """A search for puzzles: what bots of a level played, and with how many simulations their positions were
    first looked at. `version` is that of the game's rules. `done`: the numbers of the games that have been
    gone through, as ranges (first, last), ascending. `turns`: so many own turns has a puzzle at most."""

    players: int
    options: Mapping[str, Any]
    seed: str
    level: str
    simulations: int
    version: int
    turns: int = 1
    done: tuple[tuple[int, int], ...] = ()

    def same(self, other: Run) -> bool:
        """Do both find the same puzzles in games of the same number?"""
        return self.turns == other.turns and self.begins_like(other)

    def begins_like(self, other: Run) -> bool:
        """Do the puzzles of both begin alike, whatever the number of their turns?"""
        return {**asdict(self), 'done': (), 'turns': 0} == {**asdict(other), 'done': (), 'turns': 0}

    def has(self, number: int) -> bool:
        """Has the game of this number been gone through?"""
        return any(first <= number <= last for first, last in self.done)

    def with_game(self, number: int) -> Run:
        """The same run with one more game done."""
        return self._with_done({*self._numbers(), number})

    def without_game(self, number: int) -> Run:
        """The same run with one game less."""
        return self._with_done({*self._numbers()} - {number})

    def _numbers(self) -> list[int]:
        return [n for first, last in self.done for n in range(first, last + 1)]

    def _with_done(self, numbers: set[int]) -> Run:
        ranges: list[tuple[int, int]] = []
        for n in sorted(numbers):
            if ranges and ranges[-1][1] == n - 1:
                ranges[-1] = (ranges[-1][0], n)
            else:
                ranges.append((n, n))
        return Run(**{**vars(self), 'done': tuple(ranges)})


@dataclass(frozen=True)
class Source:
    """Where a puzzle comes from: the seed of the run, the number of the game in it, how many turns had been
    taken, and the edition of the finder that has confirmed it."""

    seed: str
    level: str
    simulations: int
    game: int
    turn: int
    finder: int = 1

    @property
    def name(self) -> str:
        """What the seeds of all searches at the position begin with."""
        return f'{self.seed}/{self.game}/{self.turn}'


@dataclass(frozen=True)
class Later:
    """One more own turn of a puzzle: the turns that others take before it, and the answer, as in `Puzzle`."""

    replies: tuple[str, ...]
    best: tuple[str, ...]
    expected: float
    second: float


@dataclass(frozen=True)
class Puzzle:
    """A position, and the turn that is clearly the best there.

    `position` is the JSON form of what the seat to move knows; nothing else is anywhere in a puzzle. `best`
    are the names of the best turns, several where they are nearly as good as each other. `expected` is the
    seat's expected outcome after the best turn, `second` after the best of all others. `grade` is the lowest
    level of bots that finds the first turn. `then` are the own turns that are to be found after the first
    one. They are played on one position that agrees with what the seat knows, always the same (`as_guessed`).
    """

    id: str
    game: str
    players: int
    options: Mapping[str, Any]
    position: Mapping[str, Any] = field(repr=False)
    seat: int
    best: tuple[str, ...]
    expected: float
    second: float
    grade: str
    source: Source
    then: tuple[Later, ...] = ()

    @property
    def turns(self) -> int:
        """How many own turns are to be found."""
        return 1 + len(self.then)

    def __hash__(self) -> int:
        return hash((self.game, self.id))

    def known(self) -> State:
        """The position as the seat to move knows it. Raises GameError if the rules no longer allow it."""
        game = load(self.game)
        state = cast(State, game.from_json(self.position))
        if state.to_move != self.seat or state.ending or state.players != self.players:
            raise GameError(words('puzzle.error.seat', id=self.id, seat=self.seat))
        return state

    def at_table(self) -> Position:
        """The same as a position to look at and to draw."""
        return Position(load(self.game), self.known())

    def json(self) -> dict[str, Any]:
        """The puzzle as plain data, as it stands in files."""
        left_out = {'game'} if self.then else {'game', 'then'}
        return {name: value for name, value in asdict(self).items() if name not in left_out}


@dataclass(frozen=True)
class PuzzleFile:
    """Puzzles of one game, and the runs that have found them. `dropped`: the ids of puzzles that were in the
    file before."""

    game: str
    runs: tuple[Run, ...] = ()
    puzzles: tuple[Puzzle, ...] = ()
    dropped: tuple[str, ...] = ()

    def run(self, wanted: Run) -> Run:
        """The run like the one given, as far as it has come."""
        return next((run for run in self.runs if run.same(wanted)), wanted)

    def shallow(self, wanted: Run, number: int) -> tuple[Puzzle, ...] | None:
        """The puzzles that a run like the one given, but of fewer turns, has found in a game; None if it has
        not gone through that game."""
        run = self._shallow(wanted, number)
        if run is None:
            return None
        return tuple(one for one in self.puzzles if _is_of(one, run) and one.source.game == number)

    def _shallow(self, wanted: Run, number: int) -> Run | None:
        fits = (run for run in self.runs if run.begins_like(wanted) and run.turns < wanted.turns)
        return next((run for run in fits if run.has(number)), None)

    def with_game(self, wanted: Run, number: int, found: Sequence[Puzzle]) -> PuzzleFile:
        """The same with one more game of a run gone through. Puzzles stand in the order of runs and games,
        whatever the order in which games were gone through; a position is in the file only once. What a run
        of fewer turns has found in the game is replaced."""
        if (old := self._shallow(wanted, number)) is not None:
            kept = tuple(one for one in self.puzzles if not (_is_of(one, old) and one.source.game == number))
            less = old.without_game(number)
            left = tuple(less if run is old else run for run in self.runs if run is not old or less.done)
            return replace(self, runs=left, puzzles=kept).with_game(wanted, number, found)
        run = self.run(wanted)
        if run.has(number):
            return self
        runs = self.runs if run in self.runs else (*self.runs, run)
        place = runs.index(run)
        runs = tuple(one.with_game(number) if one is run else one for one in runs)
        known = {*self.dropped, *(one.id for one in self.puzzles)}
        new = [one for one in found if one.id not in known]

        def order(one: Puzzle) -> tuple[int, int, int]:
            of = next((k for k, other in enumerate(runs) if _is_of(one, other)), place)
            return of, one.source.game, one.source.turn

        return replace(self, runs=runs, puzzles=tuple(sorted((*self.puzzles, *new), key=order)))

    def without(self, id: str) -> PuzzleFile:
        """The file with one puzzle dropped."""
        kept = tuple(one for one in self.puzzles if one.id != id)
        return replace(self, puzzles=kept, dropped=tuple(sorted({*self.dropped, id})))

    def with_changed(self, puzzle: Puzzle) -> PuzzleFile:
        """The file with a puzzle in place of the one with its id."""
        return replace(self, puzzles=tuple(puzzle if one.id == puzzle.id else one for one in self.puzzles))


def _is_of(puzzle: Puzzle, run: Run) -> bool:
    source = puzzle.source
    return (puzzle.players, dict(puzzle.options), source.seed, source.level, source.simulations) == (
        run.players,
        dict(run.options),
        run.seed,
        run.level,
        run.simulations,
    )


def write(file: PuzzleFile) -> str:
    """The text of a file: JSON with a puzzle a line."""
    runs = ',\n'.join(f'  {_line(asdict(run))}' for run in file.runs)
    rows = ',\n'.join(f'  {_line(one.json())}' for one in file.puzzles)
    head = f'"format": {FORMAT},\n "game": {json.dumps(file.game)}'
    dropped = f',\n "dropped": {_line(file.dropped)}' if file.dropped else ''
    return f'{{{head},\n "runs": [\n{runs}\n ],\n "puzzles": [\n{rows}\n ]{dropped}}}\n'


def _line(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)


def read(text: str, source: object) -> PuzzleFile:
    """The puzzles in a text; `source` says in errors where it came from. Positions are only looked at when
    they are asked for. Raises GameError if the text is not as it must be."""
    try:
        data = json.loads(text)
        if data['format'] != FORMAT:
            raise ValueError(f'format {data["format"]}')
        game = load(data['game'])
        runs = tuple(_run(one) for one in data['runs'])
        found = tuple(_puzzle(game, one) for one in data['puzzles'])
        dropped = tuple(map(str, data.get('dropped', ())))
        if len({*dropped, *(one.id for one in found)}) < len(found) + len(dropped):
            raise ValueError('two puzzles with one id')
    except GameError:
        raise
    except KeyError as problem:
        raise GameError(words('puzzle.error.key', source=source, key=problem.args[0])) from problem
    except (ValueError, TypeError, AttributeError, RecursionError) as problem:
        raise GameError(words('puzzle.error.file', source=source, problem=problem)) from problem
    return PuzzleFile(game.name, runs, found, dropped)


def _check_keys(data: Mapping[str, Any], kind: type[Run | Source | Puzzle | Later]) -> None:
    """Raise KeyError for a key that is missing, and ValueError for one that there is not."""
    keys = {one.name for one in fields(kind)} - {'game' if kind is Puzzle else ''}
    if missing := sorted(keys - {'then', 'turns', 'finder'} - data.keys()):
        raise KeyError(missing[0])
    if extra := sorted(data.keys() - keys):
        raise ValueError(f'there is no key {extra[0]}')


def _run(data: Mapping[str, Any]) -> Run:
    _check_keys(data, Run)
    done = tuple((int(first), int(last)) for first, last in data['done'])
    return Run(**{**data, 'done': done})


def _puzzle(game: Game, data: Mapping[str, Any]) -> Puzzle:
    _check_keys(data, Puzzle)
    _check_keys(data['source'], Source)
    given = {
        **data,
        'game': game.name,
        'best': tuple(map(str, data['best'])),
        'source': Source(**data['source']),
        'then': tuple(map(_later, data.get('then', ()))),
    }
    one = Puzzle(**given)
    if not isinstance(one.position, dict) or one.position.get('game') != game.name:
        raise ValueError(f'the position of puzzle {one.id} is not one of {game.name}')
    if not one.best or one.grade not in LEVELS or one.players not in game.players:
        raise ValueError(f'the answer, grade or number of players of puzzle {one.id}')
    turns: tuple[Puzzle | Later, ...] = (one, *one.then)
    if not all(0 <= turn.second < turn.expected <= 1 for turn in turns):
        raise ValueError(f'the expected outcomes of puzzle {one.id}')
    return one


def _later(data: Mapping[str, Any]) -> Later:
    _check_keys(data, Later)
    best = tuple(map(str, data['best']))
    if not best:
        raise ValueError('a turn without an answer')
    return Later(tuple(map(str, data['replies'])), best, data['expected'], data['second'])


@cache
def _file(name: str) -> PuzzleFile:
    path = Path(load(name).folder, FILE)
    if not path.exists() or load(name).component_set is not None:  # their positions have printed values
        return PuzzleFile(name)
    return read(path.read_text('utf-8'), path.name)


def puzzles(name: str) -> tuple[Puzzle, ...]:
    """The puzzles that come with a game; none for a game without a file, and with a component set.
    Raises GameError if the file is not as it must be."""
    return _file(name).puzzles


def puzzle_of(name: str, puzzle: str) -> Puzzle:
    """A puzzle by its id. Raises DroppedPuzzle if it was dropped, and GameError if there never was one."""
    found = next((one for one in puzzles(name) if one.id == puzzle), None)
    if found is not None:
        return found
    if is_dropped(name, puzzle):
        raise DroppedPuzzle(words('puzzle.error.dropped', game=load(name).title))
    raise GameError(words('puzzle.error.unknown', game=load(name).title, id=puzzle[:40]))


def is_dropped(name: str, puzzle: str) -> bool:
    """True if the game once had a puzzle with this id."""
    return puzzle in _file(name).dropped
