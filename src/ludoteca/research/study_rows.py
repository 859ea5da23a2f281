"""Rows of games with their figures, of several simulations at once: one pool of processes plays them all.

The folders are those of `rows`, with the columns `game_figures.FIGURES` besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludoteca.game import GameError
from ludoteca.research import rows
from ludoteca.research.game_figures import FIGURES, WatchedGames
from ludoteca.research.processes import results as in_processes
from ludoteca.research.random_play import Results
from ludoteca.research.simulate import RANDOM, Job, check_numbers
from ludoteca.text import words

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:  # the extra `research` brings it
    pa = pq = None

SHARD, BOT_SHARD = 4096, 256
"""Games in a file, at random and by bots."""

AT_ONCE = 16
"""Games at random that a process plays before it reports; of bots it is one."""


class Cell(NamedTuple):
    """Games of one simulation, and the folder for their rows."""

    folder: Path
    job: Job


class Piece:
    """Games that make one file: those that are finished, until it is written."""

    def __init__(self, cell: Cell, numbers: range) -> None:
        self.cell, self.numbers, self.left = cell, numbers, len(numbers)
        self.results = Results.empty(cell.job.loaded, cell.job.players, len(numbers))
        self.figures = np.full((len(numbers), len(FIGURES)), np.nan, np.float32)

    def add(self, number: int, results: Results, figures: Sequence[float]) -> None:
        """A game is finished."""
        self.results.write(number - self.numbers.start, results)
        self.figures[number - self.numbers.start] = figures
        self.left -= 1

    def write(self) -> None:
        """Write what is finished, to one file if all games are."""
        for one in rows.finished(self.results):
            numbers = range(self.numbers.start + one.start, self.numbers.start + one.stop)
            part = slice(one.start, one.stop)
            table = rows.game_table(self.cell.job, numbers, self.results.part(part))
            for name, column in zip(FIGURES, self.figures[part].T, strict=True):
                table = table.append_column(name, pa.array(column, mask=np.isnan(column)))
            rows.write_table(table, rows.file_of(self.cell.folder, 'games', numbers))


def check_cells(cells: Sequence[Cell]) -> None:
    """Raises GameError if rows cannot be written, or if one of the folders holds other games."""
    if pq is None:
        raise GameError(words('research.error.no_pyarrow'))
    for cell in cells:
        rows.check(cell.folder, cell.job, False, FIGURES)


def write_watched(
    cells: Sequence[Cell],
    games: int,
    *,
    processes: int = 1,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Play the games 0 to `games` - 1 of each cell that its folder does not hold yet, and write them. Returns
    how many were played. `progress` is called with the number of games just played or found.

    Whatever stops it, Ctrl-C included, the games that are finished are written. Raises GameError as
    `rows.write_rows` does.
    """
    check_cells(cells)
    check_numbers(0, games, processes)
    folder, played, open_ = Path(), 0, dict[tuple[int, int], Piece]()
    try:
        wanted: list[tuple[int, range]] = []
        for place, cell in enumerate(cells):
            folder = cell.folder
            rows.begin(folder, cell.job, False, FIGURES)
            gaps = list(rows.missing(range(games), rows.ranges(folder)))
            if progress is not None and (found := games - sum(map(len, gaps))):
                progress(found)
            wanted += [(place, gap) for gap in gaps]
        try:
            for place, first, ended in in_processes(_watch, _jobs(cells, wanted, open_), processes):
                piece = open_[place, first]
                for number, results, figures in ended:
                    piece.add(number, results, figures)
                played += len(ended)
                if not piece.left:
                    folder = piece.cell.folder
                    open_.pop((place, first)).write()
                if progress is not None:
                    progress(len(ended))
        finally:
            for piece in open_.values():
                piece.write()
    except OSError as problem:
        raise GameError(
            words('research.error.rows_not_written', folder=folder, problem=problem.strerror or problem)
        ) from problem
    return played


def _jobs(
    cells: Sequence[Cell], wanted: Sequence[tuple[int, range]], open_: dict[tuple[int, int], Piece]
) -> Iterator[tuple[int, int, WatchedGames, range]]:
    """The work of processes, piece by piece; a piece is noted as open when its first game is given away."""
    for place, gap in wanted:
        cell = cells[place]
        at_random, games = set(cell.job.by.split(',')) == {RANDOM}, cell.job.watched()
        for numbers in rows.pieces(gap, SHARD if at_random else BOT_SHARD):
            open_[place, numbers.start] = Piece(cell, numbers)
            for start in range(numbers.start, numbers.stop, AT_ONCE if at_random else 1):
                stop = min(start + AT_ONCE, numbers.stop) if at_random else start + 1
                yield place, numbers.start, games, range(start, stop)


def _watch(
    place: int, first: int, games: WatchedGames, numbers: range
) -> tuple[int, int, list[tuple[int, Results, list[float]]]]:
    return place, first, games.watch_all(numbers)


def read_columns(folder: Path, games: int, names: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    """Columns of the first games in a folder, in the order of their numbers: what a row does not have is NaN.
    Raises GameError if not all of them are there."""
    parts = [
        pq.read_table(rows.file_of(folder, 'games', one), columns=['game', *names])
        for one in rows.ranges(folder)
        if one.start < games
    ]
    table = pa.concat_tables(parts).sort_by('game').slice(0, games) if parts else None
    if table is None or table.num_rows < games or table.column('game')[games - 1].as_py() != games - 1:
        raise GameError(words('study.error.not_all', folder=folder, games=games))
    return {name: _values(table.column(name)) for name in names}


def _values(column: Any) -> npt.NDArray[Any]:
    """A column as numbers, or as words where it has words."""
    if pa.types.is_dictionary(column.type):
        return np.array(column.to_pylist())
    return np.asarray(column.to_numpy(zero_copy_only=False), np.float64)
