"""`simulate`, `soak` and `bench`: many games at once, with every index checked, and how fast everything
is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludoteca.cli.common import number, percent, print_json, print_table, progress, read_options, read_seed
from ludoteca.game import load
from ludoteca.text import words


def simulate(
    name: str,
    players: int | None,
    games: int,
    seed: str | None,
    by: Any,
    uniform: Any,
    options: Sequence[str],
    threads: int,
    as_json: bool,
) -> None:
    """Play many games and print what happened in them."""
    from ludoteca.research.simulate import simulate as play_games

    game = load(name)
    with progress(games, words('cli.simulate.playing', game=game.title)) as advance:
        result = play_games(
            game,
            players,
            games,
            read_seed(seed),
            uniform,
            read_options(game, options),
            by=by,
            threads=threads,
            progress=advance,
        )
    figures = result.summary()
    if as_json:
        print_json(figures)
        return
    colours = game.colours(result.players)
    rows = [
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
            [words('cli.simulate.ending', ending=ending), percent(share)]
            for ending, share in figures['endings'].items()
        ),
    ]
    print_table(
        rows,
        title=words(
            f'cli.simulate.title.{by}',
            game=game.title,
            players=result.players,
            games=f'{games:,}',
            uniform=uniform,
            seed=result.seed,
        ),
    )


def soak(name: str | None, games: int, seed: str | None, threads: int, as_json: bool) -> None:
    """Play many games of one game or of all with every index checked, and say what was run through."""
    from dataclasses import asdict

    from ludoteca import game as contract
    from ludoteca.kernel.compile import check_bounds

    check_bounds()
    from ludoteca.research.soak import soak as run

    names = [load(name).name] if name else list(contract.games())
    given = read_seed(seed)
    with progress(games * len(names), words('cli.soak.playing')) as advance:
        found = [run(load(one), games, given, threads, advance) for one in names]
    if as_json:
        print_json([{**asdict(one), 'seed': given} for one in found])
        return
    for one in found:
        print(
            words(
                'cli.soak.done',
                game=load(one.game).title,
                games=f'{one.games:,}',
                searched=f'{one.searched:,}',
                actions=f'{one.actions:,}',
                configurations=one.configurations,
                seed=given,
            )
        )


def bench(name: str | None, players: int | None, repeats: int, seconds: float, as_json: bool) -> None:
    """Measure one game or all, and print the figures."""
    from ludoteca import game as contract
    from ludoteca.research.bench import STEPS
    from ludoteca.research.bench import bench as measure

    games = [load(name)] if name else [load(other) for other in contract.games()]
    found = []
    with progress(len(games) * len(STEPS), words('cli.bench.measuring')) as advance:
        for game in games:
            if name or players is None or players in game.players:
                found.append(measure(game, players, repeats, seconds, lambda: advance(1)))
    if as_json:
        print_json(found[0] if name else found)
        return
    for figures in found:
        rows = [
            [words(f'cli.bench.{key}'), words('cli.none') if value is None else number(value)]
            for key, value in figures.items()
            if key not in ('game', 'players')
        ]
        print_table(
            rows, title=words('cli.bench.title', game=load(figures['game']).title, players=figures['players'])
        )
