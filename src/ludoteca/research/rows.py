"""Games as rows of Parquet files, in pieces: it can be stopped, goes on, and several computers can share it.

A folder holds the games of one job, by their numbers:

    simulation.json                                       what decides how a game of a certain number goes
    games/games-000000000000-000000065536.parquet         a row a game: the numbers from, up to
    turns/turns-000000000000-000000065536.parquet         a row a finished turn, if they are wanted

A file appears when it is whole. So nobody who reads the folder sees a half-written one, and whatever stops a
simulation, what is there need not be played again. `pyarrow.parquet.read_table(folder / 'games')` reads all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from ludoteca import __version__
from ludoteca.game import Game, GameError
from ludoteca.research.heads import check_head, read_head
from ludoteca.research.random_play import TRACE, Results, Turns
from ludoteca.research.simulate import CHANCE, Job, Tally, check_numbers, play
from ludoteca.text import words

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:  # the extra `research` brings it
    pa = pq = None

FORMAT = 1
MANIFEST = 'simulation.json'
SHARD, BOT_SHARD, TURN_SHARD = 1 << 16, 64, 1 << 12
"""Games in a file: by chance, by bots, and where each turn has a row. Files end where the number of a game
is a multiple of it."""

NAME = re.compile(r'games-(\d{12,})-(\d{12,})\.parquet')


@dataclass(frozen=True)
class Rows:
    """What a folder holds of the games that were asked for."""

    folder: Path
    job: Job
    first: int
    games: int
    played: int  # of them now; the others were there

    def summary(self) -> dict[str, Any]:
        """The figures of these games, as `Simulation.summary` gives them; one file after another is read."""
        game, tally = self.job.loaded, Tally(self.job.loaded, self.job.players)
        for numbers in ranges(self.folder):
            wanted = common(numbers, range(self.first, self.first + self.games))
            if wanted:
                found = read_results(game, self.job.players, file_of(self.folder, 'games', numbers))
                rows = slice(wanted.start - numbers.start, wanted.stop - numbers.start)
                tally.add(found.part(rows))
        empty = Results.empty(game, self.job.players, 0)
        head = self.job.simulation(self.first, empty).head()
        return {**head, 'games': self.games, **tally.summary()}


def write_rows(
    folder: Path,
    job: Job,
    first: int,
    games: int,
    *,
    each_turn: bool = False,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Rows:
    """Play the `games` games of a job from number `first` on that the folder does not hold yet, and write
    them. `each_turn`: a row for each finished turn, too. `threads`: as in `simulate`. `progress` is called
    with the number of games just played or found.

    Whatever stops it, Ctrl-C included, the games that are finished are written. Memory does not grow with the
    number of games. Raises GameError if the folder holds games of another job, if it holds something else, if
    it cannot be written to, or if pyarrow is not installed.
    """
    if pq is None:
        raise GameError(words('research.error.no_pyarrow'))
    check_numbers(first, games, threads)
    wanted = range(first, first + games)
    try:
        begin(folder, job, each_turn)
        there = ranges(folder)
        gaps = list(missing(wanted, there))
        found = games - sum(map(len, gaps))
        if progress is not None and found:
            progress(found)
        size = TURN_SHARD if each_turn else SHARD if job.by == CHANCE else BOT_SHARD
        for numbers in (piece for gap in gaps for piece in pieces(gap, size)):
            _play(folder, job, numbers, each_turn, threads, progress)
    except OSError as problem:
        raise GameError(
            words('research.error.rows_not_written', folder=folder, problem=problem.strerror or problem)
        ) from problem
    return Rows(folder, job, first, games, games - found)


def _play(
    folder: Path,
    job: Job,
    numbers: range,
    each_turn: bool,
    threads: int,
    progress: Callable[[int], None] | None,
) -> None:
    """Play games and write what is finished, to one file if all are."""
    results = Results.empty(job.loaded, job.players, len(numbers))
    noted: list[Turns] = []
    lock = Lock()

    def note(turns: Turns) -> None:
        with lock:
            noted.append(turns)

    try:
        play(job, numbers, results, threads, progress, note if each_turn else None)
    finally:
        for rows in finished(results):
            piece = range(numbers.start + rows.start, numbers.start + rows.stop)
            if each_turn:
                write_table(_turn_table(job, piece, rows, noted), file_of(folder, 'turns', piece))
            part = results.part(slice(rows.start, rows.stop))
            write_table(game_table(job, piece, part), file_of(folder, 'games', piece))


# ---- files -------------------------------------------------------------------------------------------------


def manifest(job: Job, each_turn: bool, figures: Sequence[str] = ()) -> dict[str, Any]:
    """What decides how a game of a certain number goes, and what is written of it. `figures`: further
    columns, see `study_rows`."""
    game = job.loaded
    return {
        'format': FORMAT,
        'game': game.name,
        'version': game.version,
        'players': job.players,
        'options': job.options.changed(),
        'seed': job.seed,
        'by': job.by,
        'uniform': job.uniform if job.by == CHANCE else None,
        'lists': job.lists if job.by == CHANCE else None,
        'each_turn': each_turn,
        'figures': list(figures) or None,
    }


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """What a folder says that it holds; None if there is nothing in it. Raises GameError if it holds
    something else."""
    return read_head(folder / MANIFEST, FORMAT, 'research.error.not_rows')


def check(folder: Path, job: Job, each_turn: bool, figures: Sequence[str] = ()) -> bool:
    """Does a folder hold games of this job? False: there is nothing in it. Raises GameError if it holds
    something else."""
    found = read_manifest(folder)
    if found is not None:
        check_head(found, manifest(job, each_turn, figures), folder, 'research.error.other_rows')
    return found is not None


def begin(folder: Path, job: Job, each_turn: bool, figures: Sequence[str] = ()) -> None:
    """Make a folder, or see that it holds games of this job. Turns without their games are taken away: they
    were written when something stopped the program."""
    if not check(folder, job, each_turn, figures):
        for kind in ('games', 'turns') if each_turn else ('games',):
            (folder / kind).mkdir(parents=True, exist_ok=True)
        head = {**manifest(job, each_turn, figures), 'ludoteca': __version__}
        write_whole(folder / MANIFEST, json.dumps(head, indent=2).encode())
        return
    games = set(ranges(folder))
    for path in [*folder.glob('*/*.part'), *(folder / 'turns').glob('turns-*.parquet')]:
        match = NAME.fullmatch(path.name.replace('turns-', 'games-'))
        if match is None or range(*map(int, match.groups())) not in games:
            path.unlink()


def file_of(folder: Path, kind: str, numbers: range) -> Path:
    """The file of the games, or turns, of these numbers."""
    return folder / kind / f'{kind}-{numbers.start:012}-{numbers.stop:012}.parquet'


def ranges(folder: Path) -> list[range]:
    """The numbers of the games in each file, in their order."""
    found = (NAME.fullmatch(path.name) for path in (folder / 'games').iterdir())
    return sorted((range(*map(int, one.groups())) for one in found if one), key=lambda one: one.start)


def missing(wanted: range, there: list[range]) -> Iterator[range]:
    """What of the wanted numbers is not there."""
    start = wanted.start
    for numbers in there:
        if start < numbers.start:
            yield range(start, min(numbers.start, wanted.stop))
        start = max(start, numbers.stop)
        if start >= wanted.stop:
            return
    yield range(start, wanted.stop)


def pieces(numbers: range, size: int) -> Iterator[range]:
    """The numbers, cut at the multiples of `size`."""
    start = numbers.start
    while start < numbers.stop:
        stop = min((start // size + 1) * size, numbers.stop)
        yield range(start, stop)
        start = stop


def common(a: range, b: range) -> range:
    """The numbers that are in both."""
    return range(max(a.start, b.start), max(max(a.start, b.start), min(a.stop, b.stop)))


def finished(results: Results) -> Iterator[range]:
    """Runs of rows whose games are finished."""
    done = np.concatenate(([0], results.endings != 0, [0]))
    edges = np.flatnonzero(np.diff(done.astype(np.int8)))
    yield from (range(int(start), int(stop)) for start, stop in zip(edges[::2], edges[1::2], strict=True))


def write_table(table: Any, path: Path) -> None:
    """Write a table; the file appears when it is whole."""
    part = path.with_suffix('.part')
    pq.write_table(table, part, compression='zstd')
    part.replace(path)


def write_whole(path: Path, data: bytes) -> None:
    """The same with bytes."""
    part = path.with_suffix('.part')
    part.write_bytes(data)
    part.replace(path)


# ---- tables ------------------------------------------------------------------------------------------------


def game_table(job: Job, numbers: range, results: Results) -> Any:
    """The rows of games."""
    game, n = job.loaded, len(numbers)
    lists = results.branching[:, 0] > 0
    mean = results.branching[:, 0] / np.maximum(results.actions, 1)
    columns: dict[str, Any] = {
        'game': pa.array(np.arange(numbers.start, numbers.stop, dtype=np.int64)),
        'seed': _same(str(job.seed), n),
        'options': _same(json.dumps(job.options.changed(), sort_keys=True), n),
    }
    for seat, bot in enumerate(_players(job)):
        columns[f'by_{seat}'] = _same(bot, n)
    columns |= {
        'began': pa.array(results.began),
        'turns': pa.array(results.turns),
        'actions': pa.array(results.actions),
        'branching_mean': pa.array(mean, mask=~lists),
        'branching_max': pa.array(results.branching[:, 1].astype(np.int32), mask=~lists),
        'ending': pa.DictionaryArray.from_arrays(pa.array(results.endings - 1), pa.array(game.endings)),
    }
    for seat in range(job.players):
        columns[f'outcome_{seat}'] = pa.array(results.outcomes[:, seat])
        columns[f'score_{seat}'] = pa.array(results.scores[:, seat])
        for k, name in enumerate(game.measures):
            columns[f'{name}_{seat}'] = pa.array(results.measures[:, seat, k])
    return pa.table(columns)


def _turn_table(job: Job, numbers: range, rows: range, noted: list[Turns]) -> Any:
    """The rows of the turns of finished games, in their order."""
    trace = np.concatenate([np.zeros((0, len(TRACE)), np.int32), *(one.trace for one in noted)])
    standing = np.concatenate([np.zeros((0, job.players), np.float32), *(one.standing for one in noted)])
    mine = (trace[:, 0] >= rows.start) & (trace[:, 0] < rows.stop)
    trace, standing = trace[mine], standing[mine]
    order = np.lexsort((trace[:, 1], trace[:, 0]))  # turns of one game are noted in their order
    trace, standing = trace[order], standing[order]
    columns: dict[str, Any] = {
        'game': pa.array(numbers.start - rows.start + trace[:, 0].astype(np.int64)),
        'turn': pa.array(trace[:, 1]),
        'seat': pa.array(trace[:, 2].astype(np.int8)),
        'actions': pa.array(trace[:, 3]),
        'branching': pa.array(trace[:, 4], mask=trace[:, 4] == 0),
    }
    for seat in range(job.players):
        columns[f'score_{seat}'] = pa.array(standing[:, seat])
    return pa.table(columns)


def _same(text: str, n: int) -> Any:
    """A column of the same word."""
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int8)), pa.array([text]))


def _players(job: Job) -> list[str]:
    return job.by.split(',') if job.by != CHANCE else [CHANCE] * job.players


def read_results(game: Game, players: int, path: Path) -> Results:
    """The results in a file of games."""
    table = pq.read_table(path)

    def column(name: str) -> Any:
        return table.column(name).to_numpy()

    actions = column('actions')
    lists = np.nan_to_num(column('branching_mean').astype(np.float64))
    longest = np.nan_to_num(column('branching_max').astype(np.float64))
    ending = table.column('ending').combine_chunks()
    places = np.array([game.endings.index(name) for name in ending.dictionary.to_pylist()] or [0], np.int8)
    return Results(
        column('turns'),
        actions,
        (1 + places[ending.indices.to_numpy()]).astype(np.int8),
        np.stack([column(f'outcome_{seat}') for seat in range(players)], axis=1),
        np.stack([column(f'score_{seat}') for seat in range(players)], axis=1),
        np.stack(
            [
                np.stack([column(f'{name}_{seat}') for name in game.measures], axis=1)
                if game.measures
                else np.zeros((len(actions), 0), np.float32)
                for seat in range(players)
            ],
            axis=1,
        ),
        column('began'),
        np.stack([np.rint(lists * actions), longest], axis=1).astype(np.int64),
    )
