"""Studies: what changes if an option is chosen otherwise, with another number of players, or by others?

A study plays the same numbered games for each combination of what is varied, its cells. Game `i` of two cells
with the same number of players begins with the same seed, so figures are compared game by game. A folder
holds all of it:

    study.json            what was asked for
    games/<cell>/         rows of the games, see `study_rows`
    summary.json          the figures
    report.html           the same for people, with plots
    matches/              games that were asked for, as match files

docs/studies.md explains the figures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludoteca import __version__
from ludoteca.game import Game, GameError, Options, Value, load, variant
from ludoteca.game.components import split
from ludoteca.game.variants import base_of
from ludoteca.research import intervals
from ludoteca.research.fingerprint import fingerprint
from ludoteca.research.game_figures import FIGURES
from ludoteca.research.heads import check_head, read_head
from ludoteca.research.intervals import Interval
from ludoteca.research.match_files import match_text
from ludoteca.research.rows import write_whole
from ludoteca.research.simulate import CHANCE, RANDOM, Job, check_numbers, check_threads
from ludoteca.research.study_rows import Cell, check_cells, read_columns, write_watched
from ludoteca.text import words

FORMAT = 1
HEAD, SUMMARY, MATCHES = 'study.json', 'summary.json', 'matches'
EVERY = 'all'
"""In place of an option's name: every declared option in turn, each with all its values."""

BY = 'by'
MOST_CELLS = 500

COMPONENTS = 'components'
"""In place of an option's name: component sets, each the name of the game that is played with it."""
OWN = 'own'
"""In place of the file of a component set: the game's own components."""

SHARES = ('tie', 'beginner')
"""Figures that are shares of games; those of the seats, `seat_0` and so on, are shares too."""

GENERAL = (
    'turns',
    'actions',
    'branching_mean',
    'branching_max',
    'points',
    *FIGURES,
    'tie',
    'beginner',
)
"""Figures of every game. The game's own measures follow them."""

PICKED = ('turns', 'drama', 'lead_changes', 'margin')
"""Of these figures the game with the greatest value is named in the report."""


@dataclass(frozen=True)
class Variation:
    """An option and the values that it is to take; the first one is what the others are compared with."""

    option: str
    values: tuple[Value, ...]
    typed: tuple[str, ...] = ()  # component sets as they were typed

    @classmethod
    def read(cls, game: Game, text: str) -> Variation:
        """What was typed as `option` (all its values) or `option=value,value`; the values of an option that
        is itself a list are separated by semicolons. Raises GameError for what the game does not know, and
        where there is nothing to compare."""
        name, sign, rest = (part.strip() for part in text.partition('='))
        declared = game.options.values()
        if name == COMPONENTS and COMPONENTS not in declared:
            return cls._of_components(game, rest)
        if name not in declared:
            raise GameError(
                words(
                    'study.error.no_option', name=name[:40], options=', '.join(declared) or words('game.none')
                )
            )
        if not sign:
            return cls(name, declared[name])
        given = rest.split(';' if name in game.options.members() else ',')
        values = [getattr(game.options.read({name: value.strip()}), name) for value in given]
        if len(dict.fromkeys(values)) < 2:
            raise GameError(
                words('study.error.one_value', name=name, values=', '.join(map(_text, declared[name])))
            )
        return cls(name, tuple(dict.fromkeys(values)))

    @classmethod
    def _of_components(cls, game: Game, text: str) -> Variation:
        """Component sets by their files with commas between them; what they are compared with comes first,
        and is the game as it is if only one is named. Raises GameError for a set that cannot be used."""
        typed = [one.strip() for one in text.split(',') if one.strip()]
        named = {OWN: base_of(game).name}
        found = {named.get(one) or variant(game, one).name: one for one in reversed(typed)}
        if len(found) < 2:
            found |= {game.name: OWN if game.component_set is None else game.name}
        if len(found) < 2:
            raise GameError(words('study.error.one_set'))
        names = tuple(reversed(found))
        return cls(COMPONENTS, names, tuple(found[one] for one in names))


class Pair(NamedTuple):
    """Two cells that differ in one thing."""

    axis: str  # the option, or BY
    base: str  # names of cells
    other: str


class LeftOut(NamedTuple):
    """A combination that cannot be played, and why."""

    cell: str
    reason: str


@dataclass(frozen=True)
class Setting:
    """One cell: what is played in it."""

    players: int
    by: str
    options: Options
    varied: tuple[tuple[str, Value], ...]  # the varied options, in their order

    @property
    def name(self) -> str:
        """What the cell is called, and its folder."""
        parts = [
            f'{self.players}p',
            self.by,
            *(f'{name}={_short(name, value)}' for name, value in self.varied),
        ]
        return re.sub(r'[^\w.=+-]', '_', ' '.join(parts).replace(' ', '-'))

    @property
    def game(self) -> str:
        """The name of the game with the component set of this cell; '' if components are not varied."""
        return str(dict(self.varied).get(COMPONENTS, ''))


@dataclass(frozen=True)
class Study:
    """What is to be studied. `games` are played in each cell; `by` names line-ups, each one bot for all seats
    or one for each, joined by `+`; `random` is uniformly random play."""

    game: Game | str
    players: tuple[int, ...]
    by: tuple[str, ...]
    options: Options  # of all cells, where they are not varied
    variations: tuple[Variation, ...]
    one_at_a_time: bool  # else all combinations
    games: int
    seed: int | str

    @classmethod
    def of(
        cls,
        game: Game | str,
        players: Sequence[int] = (),
        by: Sequence[str] = (RANDOM,),
        vary: Sequence[str] = (),
        options: Options | Mapping[str, Any] | None = None,
        games: int = 1000,
        seed: int | str = 0,
    ) -> Study:
        """A study with defaults filled in. `vary` is as it is typed: `name`, `name=value,value`, or `all`.
        Raises GameError if a part does not fit the game, or if nothing can be played."""
        loaded = load(game) if isinstance(game, str) else game
        check_numbers(0, games, 1)
        every = [text for text in vary if text.strip() == EVERY]
        if every and len(vary) > 1:
            raise GameError(words('study.error.all_alone'))
        if every and not loaded.options.values():
            raise GameError(words('study.error.no_options', game=loaded.title))
        variations = tuple(
            Variation.read(loaded, text) for text in (loaded.options.values() if every else vary)
        )
        if twice := {
            one.option for one in variations if [v.option for v in variations].count(one.option) > 1
        }:
            raise GameError(words('study.error.twice', name=min(twice)))
        numbers = tuple(dict.fromkeys(players)) or (loaded.players[0],)
        for number in numbers:
            if number not in loaded.players:
                loaded.checked(number)
        line_ups = tuple(dict.fromkeys(RANDOM if one == CHANCE else one for one in by))
        chosen = options if isinstance(options, Options) else loaded.options.read(options or {})
        found = cls(game, numbers, line_ups, chosen, variations, bool(every), games, seed)
        if len(found.cells) > MOST_CELLS:
            raise GameError(words('study.error.too_many', cells=len(found.cells), most=MOST_CELLS))
        for cell in found.cells:
            found.job(cell)
        if not found.cells:
            raise GameError(found.left_out[0].reason)
        return found

    @property
    def loaded(self) -> Game:
        """The game."""
        return load(self.game) if isinstance(self.game, str) else self.game

    def _choices(self) -> Iterator[dict[str, Value]]:
        """What the varied options are in each cell."""
        first = {one.option: one.values[0] for one in self.variations}
        if self.one_at_a_time:
            yield first
            for one in self.variations:
                yield from ({**first, one.option: value} for value in one.values[1:])
        else:
            for values in product(*(one.values for one in self.variations)):
                yield dict(zip(first, values, strict=True))

    @cached_property
    def _settings(self) -> tuple[tuple[Setting, ...], tuple[LeftOut, ...]]:
        cells: list[Setting] = []
        left: list[LeftOut] = []
        for players, by, choice in product(self.players, self.by, list(self._choices())):
            rules = load(str(choice[COMPONENTS])) if COMPONENTS in choice else self.loaded
            changed = {name: value for name, value in choice.items() if name in rules.options.values()}
            options = rules.options.read(
                {name: getattr(self.options, name) for name in rules.options.values()} | changed
            )
            cell = Setting(players, by, options, tuple(choice.items()))
            if problem := options.problem(players):
                left.append(LeftOut(cell.name, problem))
            else:
                cells.append(cell)
        return tuple(cells), tuple(left)

    @property
    def cells(self) -> tuple[Setting, ...]:
        """What is played."""
        return self._settings[0]

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What does not go together."""
        return self._settings[1]

    def job(self, cell: Setting) -> Job:
        """The games of a cell. Raises GameError if there is no such bot, or if there are too many or too
        few."""
        by = cell.by.replace('+', ',')
        game = cell.game or self.game
        return Job.of(game, cell.players, self.seed, 'actions', cell.options, by).with_bots()

    def pairs(self) -> Iterator[Pair]:
        """The cells that are compared: those that differ in one thing from one with its first value."""
        found = {(cell.players, cell.by, cell.varied): cell.name for cell in self.cells}
        for cell in self.cells:
            first = (cell.players, self.by[0], cell.varied)
            if cell.by != self.by[0] and first in found:
                yield Pair(BY, found[first], cell.name)
            for k, one in enumerate(self.variations):
                if cell.varied[k][1] != one.values[0]:
                    before = (one.option, one.values[0])
                    varied = (*cell.varied[:k], before, *cell.varied[k + 1 :])
                    if (cell.players, cell.by, varied) in found:
                        yield Pair(one.option, found[cell.players, cell.by, varied], cell.name)

    def command(self) -> str:
        """The command line that plays this study again, without its folder."""
        parts = ['ludoteca study', self.loaded.name]
        parts += ['--players', ','.join(map(str, self.players)), '--by', ','.join(self.by)]
        if self.one_at_a_time:
            parts += ['--vary', EVERY]
        else:
            sets = self.loaded.options.members()
            for one in self.variations:
                values = (';' if one.option in sets else ',').join(one.typed or map(_text, one.values))
                parts += ['--vary', _quoted(f'{one.option}={values}')]
        for name, value in self.options.changed().items():
            parts += ['--option', _quoted(f'{name}={_text(value)}')]
        return ' '.join([*parts, '--games', str(self.games), '--seed', _quoted(str(self.seed))])

    def head(self) -> dict[str, Any]:
        """What is studied, as plain data, and with what it can be repeated."""
        return {
            'format': FORMAT,
            'game': self.loaded.name,
            'rules': self.loaded.version,
            'components': fingerprint(self.loaded),
            'ludoteca': __version__,
            'command': self.command(),
            'players': list(self.players),
            'by': list(self.by),
            'vary': {one.option: list(one.values) for one in self.variations},
            **self._sets(),
            'options': self.options.changed(),
            'games': self.games,
            'seed': self.seed,
        }

    def _sets(self) -> dict[str, Any]:
        """The component sets that are varied, whole: by the name of the game with each."""
        names = [str(one) for v in self.variations if v.option == COMPONENTS for one in v.values]
        found = {name: load(name).component_set for name in names}
        return {'component_sets': {name: one.json() for name, one in found.items() if one}} if found else {}

    # ---- in a folder

    def play(
        self,
        folder: Path,
        processes: int = 1,
        progress: Callable[[int], None] | None = None,
        executor: Executor | None = None,
    ) -> int:
        """Play what the folder does not hold yet, in so many processes or by the executor's workers; returns
        how many games that were. Whatever stops it, the games that are finished are kept. Raises GameError if
        the folder holds another study."""
        check_threads(processes)
        found = read_study(folder)
        if found is not None:
            asked = self.head()
            same = {key: asked[key] for key in ('game', 'rules', 'components', 'seed')}
            check_head(found, same, folder, 'study.error.other')
        cells = [Cell(folder / 'games' / cell.name, self.job(cell)) for cell in self.cells]
        check_cells(cells)
        _make(folder)
        write_text(folder / HEAD, json.dumps(self.head(), indent=2))
        return write_watched(cells, self.games, processes=processes, executor=executor, progress=progress)

    def summary(self, folder: Path) -> dict[str, Any]:
        """The figures of the games in a folder, as plain data. Raises GameError if games are missing."""
        columns = {cell.name: self._columns(folder, cell) for cell in self.cells}
        return {
            **self.head(),
            'cells': {cell.name: self._cell(cell, columns[cell.name]) for cell in self.cells},
            'differences': [
                {
                    **pair._asdict(),
                    'figures': {
                        name: _difference(columns[pair.base][name], columns[pair.other][name], name)
                        for name in columns[pair.base]
                        if name in columns[pair.other] and name != 'ending' and name != 'began'
                    },
                }
                for pair in self.pairs()
            ],
            'left_out': [one._asdict() for one in self.left_out],
        }

    def write_summary(self, folder: Path) -> dict[str, Any]:
        """Write the figures, and return them. Raises GameError if games are missing, or the file cannot be
        written."""
        found = self.summary(folder)
        write_text(folder / SUMMARY, json.dumps(found, indent=2))
        return found

    def check_number(self, number: int) -> None:
        """Raises GameError if the study has no such game."""
        if not 0 <= number < self.games:
            raise GameError(words('study.error.no_game', number=number, last=self.games - 1))

    def write_matches(self, folder: Path, number: int) -> list[Path]:
        """Play the game of this number in each cell again and write it as a match file. Raises GameError if
        the study has no such game."""
        self.check_number(number)
        _make(folder / MATCHES)
        found = []
        for cell in self.cells:
            games = self.job(cell).watched()
            text = match_text(self.job(cell).loaded, games, number, games.actions(number))
            found.append(folder / MATCHES / f'{cell.name}-{number}.txt')
            write_text(found[-1], text)
        return found

    # ---- figures

    def _columns(self, folder: Path, cell: Setting) -> dict[str, npt.NDArray[Any]]:
        """The figures of each game in a cell, by name."""
        game, seats = self.loaded, range(cell.players)
        names = ['began', 'ending', 'turns', 'actions', 'branching_mean', 'branching_max', *FIGURES]
        names += [f'{name}_{seat}' for name in ('outcome', 'score', *game.measures) for seat in seats]
        rows = read_columns(folder / 'games' / cell.name, self.games, names)
        outcomes = np.stack([rows[f'outcome_{seat}'] for seat in seats], axis=1)
        began = rows['began'].astype(int)

        def mean_of(name: str) -> npt.NDArray[np.float64]:
            return np.asarray(np.stack([rows[f'{name}_{seat}'] for seat in seats]).mean(axis=0), np.float64)

        general = {
            **{name: rows[name] for name in GENERAL if name in rows},
            'points': mean_of('score'),
            'tie': (outcomes.max(axis=1) < 0.999).astype(float),
            'beginner': outcomes[np.arange(len(outcomes)), began],
        }
        return {
            **{name: general[name] for name in GENERAL},
            **{name: mean_of(name) for name in game.measures},
            **{f'seat_{seat}': outcomes[:, seat] for seat in seats},
            **{
                f'after_{k}': outcomes[np.arange(len(outcomes)), (began + k) % cell.players]
                for k in seats[1:]
                if cell.players > 2
            },
            'ending': rows['ending'],
            'began': began,
        }

    def _cell(self, cell: Setting, columns: Mapping[str, npt.NDArray[Any]]) -> dict[str, Any]:
        """The figures of a cell as plain data."""
        numbers = {name: values for name, values in columns.items() if name not in ('ending', 'began')}
        turns = columns['turns'].astype(int)
        return {
            'players': cell.players,
            'by': cell.by,
            'options': cell.options.changed(),
            'games': len(turns),
            'figures': {name: _interval(values, name).json() for name, values in numbers.items()},
            'endings': {name: float(np.mean(columns['ending'] == name)) for name in self.loaded.endings},
            'began': [float(np.mean(columns['began'] == seat)) for seat in range(cell.players)],
            'turns': np.quantile(turns, (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)).tolist(),
            'lengths': np.bincount(turns).tolist(),
            'picked': {
                name: int(np.nanargmax(numbers[name])) for name in PICKED if not np.isnan(numbers[name]).all()
            },
        }


def is_share(name: str) -> bool:
    """Is a figure a share of games?"""
    return name in SHARES or name.startswith(('seat_', 'after_'))


def _interval(values: npt.NDArray[np.float64], name: str) -> Interval:
    return intervals.of_share(values) if is_share(name) else intervals.of_mean(values)


def _difference(
    base: npt.NDArray[np.float64], other: npt.NDArray[np.float64], name: str
) -> dict[str, float | int | None]:
    """The paired difference of a figure, and how alike the two are (Pearson's correlation)."""
    both = ~(np.isnan(base) | np.isnan(other))
    a, b = base[both], other[both]
    alike = float(np.corrcoef(a, b)[0, 1]) if len(a) > 1 and a.std() and b.std() else float('nan')
    found = intervals.of_difference(b - a, is_share(name)).json()
    return {**found, 'correlation': alike if np.isfinite(alike) else None}


def read_study(folder: Path) -> dict[str, Any] | None:
    """What a folder's study is; None if there is nothing in it. Raises GameError if it holds something
    else."""
    return read_head(folder / HEAD, FORMAT, 'study.error.not_a_study')


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise _not_written(folder, problem) from problem


def write_text(path: Path, text: str) -> None:
    """Write a file of a study as a whole. Raises GameError if that is not possible."""
    try:
        write_whole(path, text.encode())
    except OSError as problem:
        raise _not_written(path, problem) from problem


def _not_written(path: Path, problem: OSError) -> GameError:
    return GameError(words('study.error.not_written', path=path, problem=problem.strerror or problem))


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _short(option: str, value: Value) -> str:
    """A value in the name of a cell: of a component set its hash."""
    return split(str(value))[1] or OWN if option == COMPONENTS else _text(value)


def _quoted(text: str) -> str:
    return text if re.fullmatch(r'[\w=,.+:-]+', text) else f"'{text}'"
