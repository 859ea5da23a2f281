"""Games as rows of Parquet files, in pieces: it can be stopped, goes on, and several computers can share it.

A folder holds the games of one job, by their numbers:

    simulation.json                                       what decides how a game of a certain number goes
    games/games-000000000000-000000065536.parquet         a row a game: the numbers from, up to
    turns/turns-000000000000-000000065536.parquet         a row a finished turn, if they are wanted

A file appears when it is whole. So nobody who reads the folder sees a half-written one, and whatever stops a
simulation, what is there need not be played again. `pyarrow.parquet.read_table(folder / 'games')` reads all.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from ludoteca import __version__
from ludoteca.game import Game, GameError
from ludoteca.research.bot_games import BotGames, Played
from ludoteca.research.heads import check_head, read_head
from ludoteca.research.processes import Pace
from ludoteca.research.processes import results as in_processes
from ludoteca.research.random_play import TRACE, Results, Turns
from ludoteca.research.simulate import CHANCE, SHARD, Job, Tally, check_numbers, paced, pieces, play
from ludoteca.text import words

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:  # the extra `research` brings it
    pa = pq = None

FORMAT = 1
MANIFEST = 'simulation.json'
BOT_SHARD, TURN_SHARD = 64, 1 << 12
"""Games in a file: by bots, and where each turn has a row; by chance SHARD. Files end where the number of a
game is a multiple of it."""

MOST_SHARD = 1 << 22
"""A worker keeps the games of a file in memory until it is made: a hundred bytes for each."""

NAME = re.compile(r'games-(\d{12,})-(\d{12,})\.parquet')
BEGUN = re.compile(r'(?:games|turns)-(\d{12,})-(\d{12,})\.')


@dataclass(frozen=True)
class Rows:
    """What a folder holds of the games that were asked for."""

    folder: Path
    job: Job
    first: int
    games: int
    played: int  # of them now; the others were there
    # sums of the figures of files that workers have written now
    sums: Mapping[range, dict[str, Any]] = field(default_factory=dict)

    def summary(self, executor: Executor | None = None) -> dict[str, Any]:
        """The figures of these games, as `Simulation.summary` gives them. One file after another is read, or
        several by the workers of an `executor` that share the folder."""
        game, wanted = self.job.loaded, range(self.first, self.first + self.games)
        there = dict(once(wanted, ranges(self.folder)))
        known = {numbers: one for numbers, one in self.sums.items() if there.get(numbers) == numbers}
        left = ((numbers, part) for numbers, part in there.items() if numbers not in known)
        jobs = ((self.job, self.folder, numbers, part) for numbers, part in left)
        found = {**known, **dict(in_processes(sums_in, jobs, executor=executor, games=[self.job.game]))}
        tally = Tally(game, self.job.players)
        for numbers in there:
            tally.include(found[numbers])
        empty = Results.empty(game, self.job.players, 0)
        head = self.job.simulation(self.first, empty).head()
        return {**head, 'games': self.games, **tally.summary()}


def sums_in(job: Job, folder: Path, numbers: range, wanted: range) -> tuple[range, dict[str, Any]]:
    """The sums of the figures of the wanted games in the file of these numbers."""
    results = read_results(job.loaded, job.players, file_of(folder, 'games', numbers))
    games = common(numbers, wanted)
    part = results.part(slice(games.start - numbers.start, games.stop - numbers.start))
    return numbers, Tally(job.loaded, job.players).add(part).sums()


def write_rows(
    folder: Path,
    job: Job,
    first: int,
    games: int,
    *,
    each_turn: bool = False,
    threads: int = 1,
    executor: Executor | None = None,
    shared: bool = False,
    shard: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Rows:
    """Play the `games` games of a job from number `first` on that the folder does not hold yet, and write
    them. `each_turn`: a row for each finished turn, too. `threads`, `executor`: as in `simulate`. `progress`
    is called with the number of games just played or found.

    Workers of an executor send files as they are to be written, and this process writes them. `shared`: the
    folder is the same for all of them, and they write it themselves; what one process can take in is no limit
    then. Only games by chance are that fast. `shard`: games in a file, which is the work of one job; 1 to
    `MOST_SHARD`.

    Whatever stops it, Ctrl-C included, the games that are finished are written. Memory does not grow with the
    number of games. Raises GameError if the folder holds games of another job, if it holds something else, if
    it cannot be written to, if pyarrow is not installed, or if workers are to share the folder and do not.
    """
    if pq is None:
        raise GameError(words('research.error.no_pyarrow'))
    check_numbers(first, games, threads)
    if shared and (executor is None or job.by != CHANCE):
        raise GameError(words('executor.error.shared'))
    if shard is not None and not 1 <= shard <= MOST_SHARD:
        raise GameError(words('research.error.shard', most=f'{MOST_SHARD:,}', shard=shard))
    wanted, sums = range(first, first + games), dict[range, dict[str, Any]]()
    try:
        begin(folder, job, each_turn, wanted=wanted)
        there = ranges(folder)
        gaps = list(missing(wanted, there))
        found = games - sum(map(len, gaps))
        if progress is not None and found:
            progress(found)
        size = shard or (TURN_SHARD if each_turn else SHARD if job.by == CHANCE else BOT_SHARD)
        parts = (piece for gap in gaps for piece in pieces(gap, size))
        if job.by != CHANCE:
            _by_bots(folder, job, parts, each_turn, threads, executor, progress)
        elif executor is not None:
            place = folder.resolve() if shared else None
            sums = _by_workers(folder, job, parts, each_turn, executor, place, progress)
        else:
            for numbers in parts:
                _play(folder, job, numbers, each_turn, threads, progress)
    except OSError as problem:
        raise GameError(
            words('research.error.rows_not_written', folder=folder, problem=problem.strerror or problem)
        ) from problem
    return Rows(folder, job, first, games, games - found, sums)


def _play(
    folder: Path,
    job: Job,
    numbers: range,
    each_turn: bool,
    threads: int,
    progress: Callable[[int], None] | None,
) -> None:
    """Play games by chance and write what is finished, to one file if all are."""
    piece = Piece(folder, job, numbers, each_turn)
    try:
        play(job, numbers, piece.results, threads, progress, piece.note if each_turn else None)
    finally:
        piece.write()


class Piece:
    """Games that make one file: those that are finished, until it is written."""

    def __init__(self, folder: Path, job: Job, numbers: range, each_turn: bool = False) -> None:
        self.folder, self.job, self.numbers, self.left = folder, job, numbers, len(numbers)
        self.results = Results.empty(job.loaded, job.players, len(numbers))
        self._each_turn, self._noted, self._lock = each_turn, list[Turns](), Lock()

    def add(self, numbers: range, results: Results, turns: Turns | None = None) -> None:
        """These games are finished."""
        row = numbers.start - self.numbers.start
        self.results.write(row, results)
        if turns is not None and self._each_turn:
            self.note(turns.from_row(row))
        self.left -= len(numbers)

    def note(self, turns: Turns) -> None:
        """These turns are finished; their rows count from the first game."""
        with self._lock:
            self._noted.append(turns)

    def files(self) -> Iterator[tuple[str, range, Any]]:
        """The files of what is finished: kind, numbers and table. Turns come before their games."""
        for rows in finished(self.results):
            numbers = range(self.numbers.start + rows.start, self.numbers.start + rows.stop)
            if self._each_turn:
                yield 'turns', numbers, _turn_table(self.job, numbers, rows, self._noted)
            yield 'games', numbers, self.table(numbers, slice(rows.start, rows.stop))

    def table(self, numbers: range, rows: slice) -> Any:
        """Rows of games."""
        return game_table(self.job, numbers, self.results.part(rows))

    def write(self) -> None:
        """Write what is finished, to one file if all games are."""
        for kind, numbers, table in self.files():
            write_table(table, file_of(self.folder, kind, numbers))


def _by_bots(
    folder: Path,
    job: Job,
    parts: Iterable[range],
    each_turn: bool,
    threads: int,
    executor: Executor | None,
    progress: Callable[[int], None] | None,
) -> None:
    """Let bots play games in processes. A file is written when its last game has come."""
    open_, bots, pace = dict[int, Piece](), job.bots(each_turn), Pace.of(threads, executor)

    def jobs() -> Iterator[tuple[int, BotGames, range]]:
        for numbers in parts:
            open_[numbers.start] = Piece(folder, job, numbers, each_turn)
            yield from ((numbers.start, bots, some) for some in paced(numbers, pace))

    try:
        for first, played in in_processes(_play_bots, jobs(), threads, executor, [job.game]):
            pace.told(len(played.numbers), played.seconds)
            open_[first].add(played.numbers, played.results, played.turns)
            if not open_[first].left:
                open_.pop(first).write()
            if progress is not None:
                progress(len(played.numbers))
    finally:
        for piece in open_.values():
            piece.write()


def _play_bots(first: int, bots: BotGames, numbers: range) -> tuple[int, Played]:
    return first, bots.play_all(numbers)


# ---- by workers elsewhere ----------------------------------------------------------------------------------


class Made(NamedTuple):
    """What a worker has made of games: their files, by kind, unless it has written them itself; and the sums
    of their figures."""

    numbers: range
    files: dict[str, bytes]
    sums: dict[str, Any]


def _by_workers(
    folder: Path,
    job: Job,
    parts: Iterable[range],
    each_turn: bool,
    executor: Executor,
    place: Path | None,
    progress: Callable[[int], None] | None,
) -> dict[range, dict[str, Any]]:
    """Have workers play games by chance, a file each; the sums of their figures."""
    sums = {}
    head = (folder / MANIFEST).read_bytes()
    jobs = ((job, numbers, each_turn, place, head) for numbers in parts)
    for made in in_processes(make_files, jobs, executor=executor, games=[job.game]):
        for kind, data in made.files.items():
            write_whole(file_of(folder, kind, made.numbers), data)
        sums[made.numbers] = made.sums
        if progress is not None:
            progress(len(made.numbers))
    return sums


def make_files(job: Job, numbers: range, each_turn: bool, place: Path | None, head: bytes) -> Made:
    """Play games by chance and make their files; written to the folder at `place` if there is one. Raises
    GameError if this worker has no pyarrow, or if that folder has another `head` than the asker's."""
    if pq is None:
        raise GameError(words('executor.error.no_pyarrow', host=socket.gethostname()))
    if place is not None and not _has_head(place, head):
        raise GameError(words('executor.error.not_shared', host=socket.gethostname(), folder=place))
    piece, files = Piece(Path(), job, numbers, each_turn), dict[str, bytes]()
    play(job, numbers, piece.results, 1, None, piece.note if each_turn else None)
    for kind, some, table in piece.files():
        if place is not None:
            write_table(table, file_of(place, kind, some))
        else:
            files[kind] = as_file(table)
    return Made(numbers, files, Tally(job.loaded, job.players).add(piece.results).sums())


def _has_head(folder: Path, head: bytes) -> bool:
    try:
        return (folder / MANIFEST).read_bytes() == head
    except OSError:
        return False


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


def begin(folder: Path, job: Job, each_turn: bool, figures: Sequence[str] = (), *, wanted: range) -> None:
    """Make a folder, or see that it holds games of this job. Files that were begun, and turns without their
    games, are taken away if they are of games that are `wanted` now: something has stopped the program that
    wrote them. Of other games somebody else may be writing them."""
    if not check(folder, job, each_turn, figures):
        for kind in ('games', 'turns') if each_turn else ('games',):
            (folder / kind).mkdir(parents=True, exist_ok=True)
        head = {**manifest(job, each_turn, figures), 'ludoteca': __version__}
        write_whole(folder / MANIFEST, json.dumps(head, indent=2).encode())
        return
    games = set(ranges(folder))
    for path in [*folder.glob('*/*.part'), *(folder / 'turns').glob('turns-*.parquet')]:
        match = BEGUN.match(path.name)
        numbers = range(*map(int, match.groups())) if match else wanted
        if common(numbers, wanted) and (path.suffix == '.part' or numbers not in games):
            path.unlink(missing_ok=True)


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


def once(wanted: range, there: list[range]) -> Iterator[tuple[range, range]]:
    """The files that are there, by their numbers, and the wanted numbers in each that no file before has: two
    commands may have played the same games."""
    start = wanted.start
    for numbers in there:
        if part := common(numbers, range(start, wanted.stop)):
            yield numbers, part
            start = part.stop


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
    write_whole(path, as_file(table))


def as_file(table: Any) -> bytes:
    """A table as the bytes of a file."""
    out = pa.BufferOutputStream()
    pq.write_table(table, out, compression='zstd')
    return bytes(out.getvalue())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file; it appears when it is whole. Two may write the same one at once: a worker that was given
    up may live on."""
    part = path.with_name(f'{path.stem}.{secrets.token_hex(4)}.part')
    try:
        part.write_bytes(data)
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


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
