"""`puzzles`: find positions in bots' games in which one turn is clearly the best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludoteca.cli.common import (
    STDIN,
    check_positive,
    fail,
    given_executor,
    percent,
    print_json,
    print_table,
    progress,
    read_options,
    read_seed,
    read_text,
    write_file,
)
from ludoteca.search import LEVELS
from ludoteca.text import words

if TYPE_CHECKING:
    from ludoteca.puzzles import Puzzle, PuzzleFile

MOST_SIMULATIONS = 100_000


def puzzles(
    name: str,
    games: int,
    players: int | None,
    seed: str | None,
    options: Sequence[str],
    level: str,
    sims: int,
    turns: int,
    workers: int | None,
    executor: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Look for puzzles; with `out` they are kept in a file, which grows with every game that is done."""
    from ludoteca.game import load
    from ludoteca.puzzles import MOST_OWN_TURNS, PuzzlePlan, find_in_game, left, write
    from ludoteca.research.processes import results
    from ludoteca.search import cores

    check_positive('--games', games)
    check_positive('--workers', workers)
    if not 1 <= sims <= MOST_SIMULATIONS:
        fail('between', name='--sims', least=1, most=f'{MOST_SIMULATIONS:,}', value=sims)
    if not 1 <= turns <= MOST_OWN_TURNS:
        fail('between', name='--turns', least=1, most=MOST_OWN_TURNS, value=turns)
    game = load(name)
    chosen = read_options(game, options).changed()
    plan = PuzzlePlan.of(game, players, chosen, read_seed(seed), level, sims, turns)
    file = _begun(name, out)
    before = {one.id for one in file.puzzles}
    numbers = left(plan, games, file)
    if out is not None:
        write_file(out, write(file).encode())  # before hours of work: can it be written?
    processes = min(workers or cores(), max(1, len(numbers)))
    with (
        given_executor(executor, workers) as elsewhere,
        progress(len(numbers), words('cli.puzzles.playing', game=game.title)) as advance,
    ):
        begun = file
        jobs = ((plan, number, begun.shallow(plan.run, number)) for number in numbers)
        for number, found in results(find_in_game, jobs, processes, elsewhere, [name]):
            file = file.with_game(plan.run, number, found)
            if out is not None:
                write_file(out, write(file).encode())
            advance(1)
    new = [one for one in file.puzzles if one.id not in before]
    if as_json:
        print_json([one.json() for one in new])
        return
    _print(
        new, words('cli.puzzles.title', n=len(new), games=len(numbers), game=game.title, seed=plan.run.seed)
    )
    if out is not None:
        print(words('cli.puzzles.kept', path=out, n=len(file.puzzles)))


def renew(
    name: str, recheck: bool, workers: int | None, executor: str | None, out: str | None, as_json: bool
) -> None:
    """Grade the puzzles of a file by the levels of today, or confirm those that an earlier finder found. What
    fails is dropped. The file is written after each puzzle."""
    from ludoteca.game import load
    from ludoteca.puzzles import FINDER, write
    from ludoteca.research.processes import results
    from ludoteca.search import cores

    check_positive('--workers', workers)
    if out is None or out == STDIN or not Path(out).exists():
        fail('regrade')
    file = _begun(name, out)
    write_file(out, write(file).encode())  # before the work: can it be written?
    game = load(name)
    before = {one.id: one for one in file.puzzles if not (recheck and one.source.finder == FINDER)}
    processes = min(workers or cores(), max(1, len(before)))
    changed: list[Puzzle] = []
    jobs = ((one, recheck) for one in before.values())
    with (
        given_executor(executor, workers) as elsewhere,
        progress(len(before), words('cli.puzzles.grading', game=game.title)) as advance,
    ):
        for id, now in results(_renewed, jobs, processes, elsewhere, [name]):
            file = file.with_changed(now) if now else file.without(id)
            write_file(out, write(file).encode())
            if now and now.grade != before[id].grade:
                changed.append(now)
            advance(1)
    if as_json:
        print_json([one.json() for one in changed])
        return
    dropped = sum(id in file.dropped for id in before)
    print(words('cli.puzzles.renewed', changed=len(changed), n=len(before), dropped=dropped))
    _print_grades(file.puzzles)


def _renewed(puzzle: Puzzle, recheck: bool) -> tuple[str, Puzzle | None]:
    """The puzzle's id, and what becomes of it."""
    from ludoteca.puzzles import rechecked, regraded

    return puzzle.id, (rechecked if recheck else regraded)(puzzle)


def _begun(name: str, out: str | None) -> PuzzleFile:
    """The file to go on with, or an empty one."""
    from ludoteca.puzzles import PuzzleFile, read

    if out == STDIN:
        fail('stdout_puzzles')
    if out is None or not Path(out).exists():
        return PuzzleFile(name)
    file = read(read_text(out), out)
    if file.game != name:
        fail('other_puzzles', path=out, named=file.game, game=name)
    return file


def _print(found: Sequence[Puzzle], title: str) -> None:
    print(title)
    if not found:
        return
    _print_grades(found)
    rows = [
        [
            one.id,
            str(one.source.game),
            str(one.source.turn),
            str(one.turns),
            one.grade,
            percent(one.expected),
            percent(one.second),
            one.best[0],
        ]
        for one in found
    ]
    keys = ('id', 'number', 'turn', 'turns', 'grade', 'expected', 'second', 'best')
    print_table(rows, [words(f'cli.puzzles.{key}') for key in keys])


def _print_grades(found: Sequence[Puzzle]) -> None:
    grades = Counter(one.grade for one in found)
    print(words('cli.puzzles.grades', grades=', '.join(f'{k} {grades[k]}' for k in LEVELS if grades[k])))
