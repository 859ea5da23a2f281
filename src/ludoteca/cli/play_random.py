"""`simulate`, `soak` and `bench`: many games at once, games with every index checked, and how fast everything
is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludoteca.cli.common import (
    fail,
    given_executor,
    number,
    percent,
    print_json,
    print_table,
    progress,
    read_options,
    read_seed,
    read_text,
)
from ludoteca.game import Game, load
from ludoteca.text import words


def simulate(
    name: str,
    players: int | None,
    games: int,
    first: int,
    seed: str | None,
    by: str,
    uniform: Any,
    options: Sequence[str],
    out: str | None,
    each_turn: bool,
    threads: int | None,
    executor: str | None,
    shared: bool,
    shard: int | None,
    as_json: bool,
) -> None:
    """Play many games and print what happened in them; with `out`, write a row of each."""
    from ludoteca.research.simulate import Job, check_numbers, figures
    from ludoteca.search import cores

    game = load(name)
    if each_turn and out is None:
        fail('each_turn')
    if shared and (out is None or executor is None):
        fail('shared')
    if shard is not None and out is None:
        fail('shard')
    chosen = read_options(game, options)
    job = Job.of(name, players, _seed(out, seed), uniform, chosen, by)
    at_once = cores() if threads is None else threads
    check_numbers(first, games, at_once)
    note = ''
    with (
        given_executor(executor, threads, '--threads') as elsewhere,
        progress(games, words('cli.simulate.playing', game=game.title)) as advance,
    ):
        if out is None:
            found = figures(job, first, games, threads=at_once, executor=elsewhere, progress=advance)
        else:
            from ludoteca.research.rows import write_rows

            rows = write_rows(
                Path(out),
                job,
                first,
                games,
                each_turn=each_turn,
                threads=at_once,
                executor=elsewhere,
                shared=shared,
                shard=shard,
                progress=advance,
            )
            found = rows.summary(elsewhere if shared else None)
            new = f'{rows.played:,}'
            note = words('cli.simulate.written', new=new, found=f'{games - rows.played:,}', folder=out)
    if as_json:
        print_json(found)
        return
    print_table(
        _rows(game, found),
        title=words(
            f'cli.simulate.title.{"chance" if job.by == "chance" else "bots"}',
            game=game.title,
            players=job.players,
            games=f'{games:,}',
            uniform=uniform,
            seed=job.seed,
            by=by,
        ),
    )
    if note:
        print(note)


def _seed(out: str | None, typed: str | None) -> int | str:
    """The seed that was typed, else that of the folder's games, else a new one."""
    from ludoteca.research.rows import read_manifest

    found = read_manifest(Path(out)) if out and typed is None else None
    return found['seed'] if found else read_seed(typed)


def _rows(game: Game, figures: Mapping[str, Any]) -> list[list[str]]:
    """The figures of a simulation as the rows of a table: a label and a value each."""
    colours = game.colours(figures['players'])
    return [
        [
            words('cli.simulate.turns'),
            words(
                'cli.simulate.turns_value',
                mean=number(figures['turns']['mean']),
                median=number(figures['turns']['median']),
                max=number(figures['turns']['max']),
            ),
        ],
        *(
            [words('cli.simulate.wins', player=words(f'colour.{colour}')), percent(share)]
            for colour, share in zip(colours, figures['wins'], strict=True)
        ),
        [words('cli.simulate.draws'), percent(figures['draws'])],
        [words('cli.simulate.wins_of_the_first'), percent(figures['wins_of_the_first'])],
        [
            words('cli.simulate.scores'),
            words(
                'cli.simulate.scores_value',
                mean=number(figures['scores']['mean']),
                winner=number(figures['scores']['winner']),
            ),
        ],
        *(
            [
                game.words(f'measure.{name}'),
                words(
                    'cli.simulate.scores_value', mean=number(found['mean']), winner=number(found['winner'])
                ),
            ]
            for name, found in figures['measures'].items()
        ),
        *(
            [
                [
                    words('cli.simulate.branching'),
                    words(
                        'cli.simulate.branching_value',
                        mean=number(figures['branching']['mean']),
                        max=number(figures['branching']['max']),
                    ),
                ]
            ]
            if figures['branching']
            else []
        ),
        *(
            [words('cli.simulate.ending', ending=ending), percent(share)]
            for ending, share in figures['endings'].items()
        ),
    ]


def soak(name: str | None, games: int, seed: str | None, threads: int | None, as_json: bool) -> None:
    """Play many games, of one game or of all, with every index checked, and say how much was played."""
    from dataclasses import asdict

    from ludoteca import game as contract
    from ludoteca.kernel.process import check_bounds

    check_bounds()
    from ludoteca.research.soak import soak as run
    from ludoteca.search import cores

    names = [load(name).name] if name else list(contract.games())
    at_once = cores() if threads is None else threads
    given = read_seed(seed)
    with progress(games * len(names), words('cli.soak.playing')) as advance:
        found = [run(load(one), games, given, at_once, advance) for one in names]
    if as_json:
        print_json([{**asdict(one), 'seed': given} for one in found])
        return
    for one in found:
        print(
            words(
                'cli.soak.done',
                game=load(one.game).title,
                games=f'{one.games:,}',
                endless=f'{one.endless:,}',
                searched=f'{one.searched:,}',
                actions=f'{one.actions:,}',
                configurations=one.configurations,
                seed=given,
            )
        )


def bench(
    name: str | None, players: int | None, repeats: int, seconds: float, against: str | None, as_json: bool
) -> None:
    """Measure one game or all, and print the figures; beside those of the file `against`, if there is one."""
    from ludoteca import game as contract
    from ludoteca.research.bench import STEPS, compared, read_figures
    from ludoteca.research.bench import bench as measure

    others = read_figures(read_text(against)) if against else []
    games = [load(name)] if name else [load(other) for other in contract.games()]
    measured = {(game.name, game.players[0] if players is None else players) for game in games}
    if against and measured.isdisjoint((other['game'], other['players']) for other in others):
        fail('nothing_compared', path=against)
    found = []
    with progress(len(games) * len(STEPS), words('cli.bench.measuring')) as advance:
        for game in games:
            if name or players is None or players in game.players:
                found.append(measure(game, players, repeats, seconds, lambda: advance(1)))
    beside = [compared(figures, others) for figures in found]
    if as_json:
        if against:
            found = [
                figures | {'against': [{**asdict(one), 'ratio': round(one.ratio, 3)} for one in rows]}
                for figures, rows in zip(found, beside, strict=True)
            ]
        print_json(found[0] if name else found)
        return
    for figures, comparisons in zip(found, beside, strict=True):
        rows = [
            [words(f'cli.bench.{key}'), words('cli.none') if value is None else number(value)]
            for key, value in figures.items()
            if key not in ('game', 'players')
        ]
        title = words('cli.bench.title', game=load(figures['game']).title, players=figures['players'])
        print_table(rows, title=title)
        header = [words(f'cli.bench.column.{column}') for column in ('figure', 'now', 'other', 'ratio')]
        for program in dict.fromkeys(one.program for one in comparisons):
            lines = [
                [words(f'cli.bench.{one.key}'), number(one.now), number(one.other), f'{one.ratio:.2f}']
                for one in comparisons
                if one.program == program
            ]
            print_table(lines, header, words('cli.bench.against', other=program or against))
