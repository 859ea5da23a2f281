"""Rows of games with their figures, of several simulations at once: one pool of processes plays them all.

The folders are those of `rows`, with the columns `game_figures.FIGURES` besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludoteca.game import GameError
from ludoteca.research import rows
from ludoteca.research.game_figures import FIGURES, Watched, WatchedGames
from ludoteca.research.processes import Pace
from ludoteca.research.processes import results as in_processes
from ludoteca.research.simulate import RANDOM, Job, check_numbers, paced, pieces
from ludoteca.text import words

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:  # the extra `research` brings it
    pa = pq = None

SHARD, BOT_SHARD = 4096, 256
"""Games in a file, at random and by bots."""


class Cell(NamedTuple):
    """Games of one simulation, and the folder for their rows."""

    folder: Path
    job: Job


class Piece(rows.Piece):
    """Games that make one file, with their figures."""

    def __init__(self, cell: Cell, numbers: range) -> None:
        super().__init__(cell.folder, cell.job, numbers)
        self.figures = np.full((len(numbers), len(FIGURES)), np.nan, np.float32)

    def add_watched(self, watched: Watched) -> None:
        """These games are finished."""
        self.add(watched.numbers, watched.results)
        row = watched.numbers.start - self.numbers.start
        self.figures[row : row + len(watched.numbers)] = watched.figures

    def table(self, numbers: range, rows_: slice) -> Any:
        table = super().table(numbers, rows_)
        for name, column in zip(FIGURES, self.figures[rows_].T, strict=True):
            table = table.append_column(name, pa.array(column, mask=np.isnan(column)))
        return table


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
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Play the games 0 to `games` - 1 of each cell that its folder does not hold yet, and write them. Returns
    how many were played. `processes`, `executor`: as in `processes.results`. `progress` is called with the
    number of games just played or found.

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
            rows.begin(folder, cell.job, False, FIGURES, wanted=range(games))
            gaps = list(rows.missing(range(games), rows.ranges(folder)))
            if progress is not None and (found := games - sum(map(len, gaps))):
                progress(found)
            wanted += [(place, gap) for gap in gaps]
        try:
            paces = [Pace.of(processes, executor) for _ in cells]
            jobs, kinds = _jobs(cells, wanted, open_, paces), [cell.job.game for cell in cells]
            for place, first, ended in in_processes(_watch, jobs, processes, executor, kinds):
                piece = open_[place, first]
                paces[place].told(len(ended.numbers), ended.seconds)
                piece.add_watched(ended)
                played += len(ended.numbers)
                if not piece.left:
                    folder = piece.folder
                    open_.pop((place, first)).write()
                if progress is not None:
                    progress(len(ended.numbers))
        finally:
            for piece in open_.values():
                piece.write()
    except OSError as problem:
        raise GameError(
            words('research.error.rows_not_written', folder=folder, problem=problem.strerror or problem)
        ) from problem
    return played


def _jobs(
    cells: Sequence[Cell],
    wanted: Sequence[tuple[int, range]],
    open_: dict[tuple[int, int], Piece],
    paces: Sequence[Pace],
) -> Iterator[tuple[int, int, WatchedGames, range]]:
    """The work of processes, piece by piece; a piece is noted as open when its first game is given away."""
    for place, gap in wanted:
        cell = cells[place]
        at_random, games = set(cell.job.by.split(',')) == {RANDOM}, cell.job.watched()
        for numbers in pieces(gap, SHARD if at_random else BOT_SHARD):
            open_[place, numbers.start] = Piece(cell, numbers)
            for some in paced(numbers, paces[place]):
                yield place, numbers.start, games, some


def _watch(place: int, first: int, games: WatchedGames, numbers: range) -> tuple[int, int, Watched]:
    return place, first, games.watch_all(numbers)


def read_columns(folder: Path, games: int, names: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    """Columns of the first games in a folder, in the order of their numbers: what a row does not have is NaN.
    Raises GameError if not all of them are there."""
    parts = [
        pq.read_table(rows.file_of(folder, 'games', one), columns=['game', *names]).slice(
            part.start - one.start, len(part)
        )
        for one, part in rows.once(range(games), rows.ranges(folder))
    ]
    table = pa.concat_tables(parts).sort_by('game') if parts else None
    if table is None or table.num_rows < games or table.column('game')[games - 1].as_py() != games - 1:
        raise GameError(words('study.error.not_all', folder=folder, games=games))
    return {name: _values(table.column(name)) for name in names}


def _values(column: Any) -> npt.NDArray[Any]:
    """A column as numbers, or as words where it has words."""
    if pa.types.is_dictionary(column.type):
        return np.array(column.to_pylist())
    return np.asarray(column.to_numpy(zero_copy_only=False), np.float64)
