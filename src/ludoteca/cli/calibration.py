"""`calibration`: does the expected outcome agree with the results of games?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludoteca.cli.common import (
    STDIN,
    check_file,
    check_positive,
    fail,
    given_executor,
    percent,
    print_json,
    print_table,
    progress,
    read_options,
    write_file,
)
from ludoteca.text import words

if TYPE_CHECKING:
    from ludoteca.research.calibration import Calibration, Reliability

MOST_SIMULATIONS = 100_000


def calibration(
    name: str,
    games: int,
    players: int | None,
    seed: str,
    options: Sequence[str],
    level: str,
    sims: int,
    workers: int | None,
    executor: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Compare expected outcomes with results; with `out` the games are kept in a file, which grows with every
    game that is done."""
    from ludoteca.game import load
    from ludoteca.research.calibration import Plan, calibrate, read

    check_positive('--workers', workers)
    if not 1 <= sims <= MOST_SIMULATIONS:
        fail('between', name='--sims', least=1, most=f'{MOST_SIMULATIONS:,}', value=sims)
    if out == STDIN:
        fail('stdout_calibration')
    if out is not None:
        check_file(out)
    game = load(name)
    plan = Plan.of(game, players, read_options(game, options).changed(), seed, level, sims)
    path = Path(out) if out is not None else None
    done = 0
    if path is not None:
        done = sum(bool(one.expected) for one in read(path, plan)[1].values())
        if not path.exists():
            write_file(str(path), b'')  # before hours of work: can it be written?
    with (
        given_executor(executor, workers) as elsewhere,
        progress(games, words('cli.calibration.playing', game=game.title)) as advance,
    ):
        advance(min(done, games))
        found = calibrate(plan, games, path, processes=workers, executor=elsewhere, progress=advance)
    if as_json:
        print_json(found.json())
    else:
        _print(found, game.title)


def _print(found: Calibration, title: str) -> None:
    print(
        words(
            'cli.calibration.title',
            game=title,
            players=found.players,
            games=found.games,
            level=found.level,
            sims=f'{found.simulations:,}',
            seed=found.seed,
        )
    )
    _print_table(found.plain, words('cli.calibration.plain'))
    if found.declared_link != 1.0:
        _print_table(found.declared, words('cli.calibration.declared', link=f'{found.declared_link:g}'))
    print(
        words(
            'cli.calibration.scores',
            plain=f'{found.plain.brier:.3f}',
            plain_error=f'{found.plain.brier_error:.3f}',
            fitted=f'{found.fitted.brier:.3f}',
            declared=f'{found.declared.brier:.3f}',
            ignorant=f'{found.ignorant:.3f}',
            link=f'{found.link:.2f}',
            link_error=f'{found.link_error:.2f}',
        )
    )


def _print_table(part: Reliability, title: str) -> None:
    rows = [
        [
            f'{100 * row.low:.0f} – {100 * row.high:.0f} %',
            str(row.games),
            percent(row.expected),
            percent(row.outcome),
            f'{100 * row.least:.0f} – {100 * row.most:.0f} %',
        ]
        for row in part.rows
    ]
    keys = ('row', 'games', 'expected', 'outcome', 'interval')
    print_table(rows, [words(f'cli.calibration.{key}') for key in keys], title)
