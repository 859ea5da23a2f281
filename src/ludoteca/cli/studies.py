"""`study`: games under different rules or by different players, compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludoteca.cli.common import (
    check_positive,
    fail,
    given_executor,
    print_json,
    print_table,
    progress,
    read_options,
    read_seed,
)
from ludoteca.text import words

MOST_SHOWN = 12  # differences of a pair in the terminal; the report has all


def study(
    name: str,
    out: str,
    players: str,
    by: str,
    vary: Sequence[str],
    options: Sequence[str],
    games: int,
    seed: str | None,
    matches: Sequence[int],
    threads: int | None,
    executor: str | None,
    as_json: bool,
) -> None:
    """Play what the folder lacks, write figures, report and match files, and print the figures."""
    from ludoteca.game import load
    from ludoteca.research.study import Study, read_study
    from ludoteca.research.study_report import write_report
    from ludoteca.search import cores

    game, folder = load(name), Path(out)
    check_positive('--threads', threads)
    head = read_study(folder)
    asked = Study.of(
        name,
        whole_numbers('--players', players),
        [one.strip() for one in by.split(',') if one.strip()] or ['random'],
        vary,
        read_options(game, options),
        games,
        head['seed'] if head and seed is None else read_seed(seed),
    )
    for number in matches:
        asked.check_number(number)
    with (
        given_executor(executor, threads, '--threads') as elsewhere,
        progress(games * len(asked.cells), words('cli.study.playing', game=game.title)) as advance,
    ):
        played = asked.play(folder, cores() if threads is None else threads, advance, elsewhere)
    found = asked.write_summary(folder)
    page = write_report(asked, found, folder)
    written = [path for number in matches for path in asked.write_matches(folder, number)]
    if as_json:
        print_json(found)
        return
    _print_cells(asked, found)
    _print_differences(asked, found)
    total = games * len(asked.cells)
    print(words('cli.study.written', new=f'{played:,}', found=f'{total - played:,}', path=str(page)))
    for path in written:
        print(words('cli.study.match', path=str(path)))


def whole_numbers(option: str, text: str) -> list[int]:
    """Numbers that were typed with commas between them."""
    parts = [part.strip() for part in text.split(',') if part.strip()]
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        fail('numbers', name=option, value=text)
    return [int(part) for part in parts]


def _print_cells(asked: Any, found: dict[str, Any]) -> None:
    from ludoteca.research.study_report import cell_label, value_text

    columns = ('turns', 'beginner', 'tie', 'lead_changes', 'decided')
    print_table(
        [
            [
                cell_label(asked, cell),
                *(
                    value_text(found['cells'][cell.name]['figures'][column]['value'], column)
                    for column in columns
                ),
            ]
            for cell in asked.cells
        ],
        [words('cli.study.cell'), *(words(f'cli.study.{one}') for one in columns)],
        words(
            'cli.study.title',
            game=asked.loaded.title,
            games=f'{asked.games:,}',
            cells=len(asked.cells),
            seed=asked.seed,
        ),
    )


def _print_differences(asked: Any, found: dict[str, Any]) -> None:
    """The differences that lie beyond their intervals."""
    from ludoteca.research.study_report import cell_label, figure_label, value_text

    labels = {cell.name: cell_label(asked, cell) for cell in asked.cells}
    for pair in found['differences']:
        rows = [
            [
                figure_label(asked.loaded, name),
                value_text(one['value'], name, True),
                f'{value_text(one["low"], name, True)} … {value_text(one["high"], name, True)}',
            ]
            for name, one in pair['figures'].items()
            if one['low'] is not None and not one['low'] <= 0 <= one['high']
        ]
        title = words('cli.study.difference', other=labels[pair['other']], base=labels[pair['base']])
        if not rows:
            print(title)
            print(words('cli.study.nothing'))
            continue
        header = [words(f'cli.study.{key}') for key in ('figure', 'change', 'interval')]
        print_table(rows[:MOST_SHOWN], header, title)
