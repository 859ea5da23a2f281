"""The commands, declared with Typer. Their bodies import what they need."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ludoteca.text import words


def _help(key: str) -> str:
    return words(f'cli.help.{key}')


app = typer.Typer(
    name='ludoteca',
    help=words('cli.help'),
    add_completion=False,
    no_args_is_help=True,
    context_settings={'help_option_names': ['-h', '--help']},
    pretty_exceptions_enable=False,
)

GameName = Annotated[str, typer.Argument(metavar='GAME', help=_help('game'), show_default=False)]
AnyGame = Annotated[str | None, typer.Argument(metavar='GAME', help=_help('any_game'), show_default=False)]
PositionFile = Annotated[
    str, typer.Argument(metavar='POSITION.json', help=_help('position'), show_default=False)
]
Players = Annotated[
    int | None, typer.Option('--players', '-p', metavar='N', help=_help('players'), show_default=False)
]
Seed = Annotated[str | None, typer.Option(metavar='S', help=_help('seed'), show_default=False)]
OptionValues = Annotated[
    list[str], typer.Option('--option', '-O', metavar='NAME=VALUE', help=_help('option'), show_default=False)
]
Games = Annotated[int, typer.Option('--games', '-n', metavar='K', help=_help('simulate.games'))]
Threads = Annotated[int | None, typer.Option(metavar='T', help=_help('simulate.threads'), show_default=False)]
Components = Annotated[
    str | None,
    typer.Option('--components', '-C', metavar='FILE', help=_help('components'), show_default=False),
]
ExecutorName = Annotated[
    str | None,
    typer.Option('--executor', metavar='KIND[:ADDRESS]', help=_help('executor'), show_default=False),
]
Json = Annotated[bool, typer.Option('--json', help=_help('json'))]


def _with(game: str, components: str | None) -> str:
    """The name of the game with the component set of a file."""
    if components is None:
        return game
    from ludoteca.cli.common import with_components

    return with_components(game, components)


def _any_with(game: str | None, components: str | None) -> str | None:
    """The same where a game need not be named."""
    if game is None and components is not None:
        from ludoteca.cli.common import fail

        fail('components_game')
    return None if game is None else _with(game, components)


class Uniform(StrEnum):
    """Over what random players choose."""

    ACTIONS = 'actions'
    TURNS = 'turns'


class Theme(StrEnum):
    """Colours of a drawing."""

    LIGHT = 'light'
    DARK = 'dark'


class LogForm(StrEnum):
    """Forms of the server's log."""

    TEXT = 'text'
    JSON = 'json'


@app.command(help=_help('simulate'))
def simulate(
    game: GameName,
    players: Players = None,
    games: Games = 1000,
    first: Annotated[int, typer.Option(metavar='I', help=_help('simulate.first'))] = 0,
    seed: Seed = None,
    by: Annotated[str, typer.Option(metavar='A[,B…]', help=_help('simulate.by'))] = 'chance',
    uniform: Annotated[Uniform, typer.Option(help=_help('simulate.uniform'))] = Uniform.ACTIONS,
    option: OptionValues = [],  # noqa: B006 (Typer copies it)
    out: Annotated[
        str | None, typer.Option('--out', '-o', metavar='DIR', help=_help('simulate.out'), show_default=False)
    ] = None,
    each_turn: Annotated[bool, typer.Option('--each-turn', help=_help('simulate.each_turn'))] = False,
    threads: Threads = None,
    executor: ExecutorName = None,
    shared: Annotated[bool, typer.Option('--shared', help=_help('simulate.shared'))] = False,
    shard: Annotated[
        int | None, typer.Option(metavar='K', help=_help('simulate.shard'), show_default=False)
    ] = None,
    json: Json = False,
    components: Components = None,
) -> None:
    from ludoteca.cli import play_random

    play_random.simulate(
        _with(game, components),
        players,
        games,
        first,
        seed,
        by,
        uniform.value,
        option,
        out,
        each_turn,
        threads,
        executor,
        shared,
        shard,
        json,
    )


@app.command(help=_help('soak'))
def soak(
    game: AnyGame = None,
    games: Games = 100_000,
    seed: Seed = None,
    threads: Threads = None,
    json: Json = False,
    components: Components = None,
) -> None:
    from ludoteca.cli import play_random

    play_random.soak(_any_with(game, components), games, seed, threads, json)


@app.command(help=_help('legal'))
def legal(
    game: GameName,
    position: PositionFile,
    turns: Annotated[bool, typer.Option('--turns', help=_help('legal.turns'))] = False,
    components: Components = None,
) -> None:
    from ludoteca.cli import positions

    positions.legal(_with(game, components), position, turns)


@app.command(help=_help('perft'))
def perft(
    game: GameName,
    depth: Annotated[
        int, typer.Option('--depth', '-d', metavar='D', help=_help('perft.depth'), show_default=False)
    ],
    position: Annotated[
        str | None,
        typer.Option('--position', metavar='FILE', help=_help('perft.position'), show_default=False),
    ] = None,
    players: Players = None,
    seed: Seed = None,
    option: OptionValues = [],  # noqa: B006
    all_rotations: Annotated[
        bool, typer.Option('--all-rotations', help=_help('perft.all_rotations'))
    ] = False,
    components: Components = None,
) -> None:
    from ludoteca.cli import positions

    positions.perft(_with(game, components), position, players, seed, option, depth, all_rotations)


@app.command(help=_help('draw'))
def draw(
    game: GameName,
    position: Annotated[
        str | None, typer.Argument(metavar='POSITION.json', help=_help('draw.position'), show_default=False)
    ] = None,
    output: Annotated[
        str, typer.Option('--output', '-o', metavar='FILE', help=_help('draw.output'), show_default=False)
    ] = ...,  # type: ignore[assignment]
    seat: Annotated[
        str | None, typer.Option(metavar='SEAT', help=_help('draw.seat'), show_default=False)
    ] = None,
    theme: Annotated[Theme, typer.Option(help=_help('draw.theme'))] = Theme.LIGHT,
    width: Annotated[int, typer.Option(metavar='PIXELS', help=_help('draw.width'))] = 1200,
    players: Players = None,
    seed: Seed = None,
    option: OptionValues = [],  # noqa: B006
    components: Components = None,
) -> None:
    from ludoteca.cli import positions

    positions.draw(_with(game, components), position, output, seat, theme.value, width, players, seed, option)


@app.command(help=_help('bench'))
def bench(
    game: AnyGame = None,
    players: Players = None,
    repeats: Annotated[int, typer.Option(metavar='R', help=_help('bench.repeats'))] = 5,
    seconds: Annotated[float, typer.Option(metavar='S', help=_help('bench.seconds'))] = 1.0,
    against: Annotated[str | None, typer.Option(metavar='FILE', help=_help('bench.against'))] = None,
    json: Json = False,
    components: Components = None,
) -> None:
    from ludoteca.cli import play_random

    play_random.bench(_any_with(game, components), players, repeats, seconds, against, json)


@app.command(help=_help('play'))
def play(
    game: GameName,
    players: Players = None,
    bots: Annotated[
        str | None,
        typer.Option('--bots', '-b', metavar='LEVEL[,LEVEL]', help=_help('play.bots'), show_default='easy'),
    ] = None,
    seat: Annotated[
        str | None, typer.Option(metavar='SEAT', help=_help('play.seat'), show_default=False)
    ] = None,
    seed: Seed = None,
    option: OptionValues = [],  # noqa: B006
    colour: Annotated[
        str, typer.Option(metavar='COLOUR', help=_help('play.colour'), show_default=False)
    ] = '',
    load: Annotated[
        str | None, typer.Option('--load', metavar='FILE', help=_help('play.load'), show_default=False)
    ] = None,
    components: Components = None,
) -> None:
    from ludoteca.cli import terminal

    terminal.play(_with(game, components), players, bots, seat, seed, option, load, colour)


@app.command(help=_help('replay'))
def replay(
    file: Annotated[str, typer.Argument(metavar='FILE', help=_help('replay.file'), show_default=False)],
    at: Annotated[
        int | None, typer.Option('--at', metavar='TURN', help=_help('replay.at'), show_default=False)
    ] = None,
    quiet: Annotated[bool, typer.Option('--quiet', '-q', help=_help('replay.quiet'))] = False,
    json: Json = False,
    components: Components = None,
) -> None:
    from ludoteca.cli import terminal

    terminal.replay(file, at, quiet, json, components)


@app.command(help=_help('review'))
def review(
    file: Annotated[str, typer.Argument(metavar='FILE', help=_help('review.file'), show_default=False)],
    sims: Annotated[int, typer.Option(metavar='N', help=_help('review.sims'))] = 2_000,
    seed: Annotated[str, typer.Option('--seed', '-s', metavar='S', help=_help('seed'))] = '0',
    workers: Annotated[
        int | None, typer.Option(metavar='W', help=_help('review.workers'), show_default=False)
    ] = None,
    executor: ExecutorName = None,
    every: Annotated[bool, typer.Option('--all', '-a', help=_help('review.all'))] = False,
    json: Json = False,
    components: Components = None,
) -> None:
    from ludoteca.cli import reviews

    reviews.review(file, sims, seed, workers, executor, every, json, components)


@app.command(help=_help('film'))
def film(
    file: Annotated[str, typer.Argument(metavar='FILE', help=_help('film.file'), show_default=False)],
    output: Annotated[
        str, typer.Option('--output', '-o', metavar='FILE', help=_help('film.output'), show_default=False)
    ],
    seat: Annotated[
        str | None, typer.Option(metavar='SEAT', help=_help('film.seat'), show_default=False)
    ] = None,
    theme: Annotated[Theme, typer.Option(help=_help('draw.theme'))] = Theme.LIGHT,
    width: Annotated[int, typer.Option(metavar='PIXELS', help=_help('film.width'))] = 600,
    first: Annotated[int, typer.Option('--from', metavar='TURN', help=_help('film.from'))] = 0,
    last: Annotated[
        int | None, typer.Option('--to', metavar='TURN', help=_help('film.to'), show_default=False)
    ] = None,
    skip_passes: Annotated[bool, typer.Option('--skip-passes', help=_help('film.skip_passes'))] = False,
    components: Components = None,
) -> None:
    from ludoteca.cli import films

    films.film(file, output, seat, theme.value, width, first, last, skip_passes, components)


@app.command(help=_help('arena'))
def arena(
    game: GameName,
    bots: Annotated[
        str, typer.Option('--bots', '-b', metavar='A,B[,…]', help=_help('arena.bots'), show_default=False)
    ],
    players: Players = None,
    option: OptionValues = [],  # noqa: B006
    games: Annotated[int, typer.Option('--games', '-n', metavar='K', help=_help('arena.games'))] = 100,
    sims: Annotated[
        int | None, typer.Option(metavar='N', help=_help('arena.sims'), show_default=False)
    ] = None,
    time: Annotated[
        float | None, typer.Option(metavar='T', help=_help('arena.time'), show_default=False)
    ] = None,
    seed: Seed = None,
    workers: Annotated[
        int | None, typer.Option(metavar='W', help=_help('arena.workers'), show_default=False)
    ] = None,
    executor: ExecutorName = None,
    every: Annotated[bool, typer.Option('--all', '-a', help=_help('arena.every'))] = False,
    out: Annotated[
        str | None, typer.Option('--out', '-o', metavar='DIR', help=_help('arena.out'), show_default=False)
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar='RULE', help=_help('arena.until'), show_default=False)
    ] = None,
    program: Annotated[
        list[str], typer.Option(metavar='NAME=COMMAND', help=_help('arena.program'), show_default=False)
    ] = [],  # noqa: B006
    json: Json = False,
    components: Components = None,
) -> None:
    names = [bot.strip() for bot in bots.split(',')]
    if every or out or until or program or ':' in bots or len(names) > (players or len(names)):
        from ludoteca.cli.tournaments import tournament

        tournament(
            _with(game, components),
            players,
            names,
            option,
            games,
            sims,
            time,
            seed,
            workers,
            executor,
            out,
            until,
            program,
            json,
        )
    else:
        from ludoteca.cli import matches

        matches.arena(
            _with(game, components), players, bots, option, games, sims, time, seed, workers, executor, json
        )


@app.command(help=_help('study'))
def study(
    game: GameName,
    out: Annotated[
        str, typer.Option('--out', '-o', metavar='DIR', help=_help('study.out'), show_default=False)
    ],
    players: Annotated[
        str, typer.Option('--players', '-p', metavar='N,N', help=_help('study.players'), show_default=False)
    ] = '',
    by: Annotated[str, typer.Option(metavar='A,B', help=_help('study.by'))] = 'random',
    vary: Annotated[
        list[str], typer.Option(metavar='NAME[=A,B]', help=_help('study.vary'), show_default=False)
    ] = [],  # noqa: B006
    option: OptionValues = [],  # noqa: B006
    games: Annotated[int, typer.Option('--games', '-n', metavar='K', help=_help('study.games'))] = 1000,
    seed: Seed = None,
    match: Annotated[
        list[int], typer.Option(metavar='I', help=_help('study.match'), show_default=False)
    ] = [],  # noqa: B006
    threads: Annotated[
        int | None, typer.Option(metavar='T', help=_help('study.threads'), show_default=False)
    ] = None,
    executor: ExecutorName = None,
    json: Json = False,
    components: Components = None,
) -> None:
    from ludoteca.cli.studies import study

    study(
        _with(game, components), out, players, by, vary, option, games, seed, match, threads, executor, json
    )


@app.command(help=_help('puzzles'))
def puzzles(
    game: GameName,
    games: Annotated[int, typer.Option('--games', '-n', metavar='K', help=_help('puzzles.games'))] = 20,
    players: Players = None,
    seed: Seed = None,
    option: OptionValues = [],  # noqa: B006
    level: Annotated[str, typer.Option(metavar='LEVEL', help=_help('puzzles.level'))] = 'easy',
    sims: Annotated[int, typer.Option(metavar='N', help=_help('puzzles.sims'))] = 2_000,
    turns: Annotated[int, typer.Option(metavar='N', help=_help('puzzles.turns'))] = 3,
    workers: Annotated[
        int | None, typer.Option(metavar='W', help=_help('puzzles.workers'), show_default=False)
    ] = None,
    executor: ExecutorName = None,
    out: Annotated[
        str | None,
        typer.Option('--out', '-o', metavar='FILE', help=_help('puzzles.out'), show_default=False),
    ] = None,
    regrade: Annotated[
        bool, typer.Option('--regrade', help=_help('puzzles.regrade'), show_default=False)
    ] = False,
    recheck: Annotated[
        bool, typer.Option('--recheck', help=_help('puzzles.recheck'), show_default=False)
    ] = False,
    json: Json = False,
    components: Components = None,
) -> None:
    from ludoteca.cli.puzzles import puzzles, renew

    if regrade or recheck:
        renew(_with(game, components), recheck, workers, executor, out, json)
        return
    puzzles(
        _with(game, components),
        games,
        players,
        seed,
        option,
        level,
        sims,
        turns,
        workers,
        executor,
        out,
        json,
    )


@app.command(help=_help('calibration'))
def calibration(
    game: GameName,
    games: Annotated[int, typer.Option('--games', '-n', metavar='K', help=_help('calibration.games'))] = 400,
    players: Players = None,
    seed: Annotated[str, typer.Option('--seed', '-s', metavar='S', help=_help('seed'))] = '0',
    option: OptionValues = [],  # noqa: B006
    level: Annotated[str, typer.Option(metavar='LEVEL', help=_help('calibration.level'))] = 'medium',
    sims: Annotated[int, typer.Option(metavar='N', help=_help('calibration.sims'))] = 2_000,
    workers: Annotated[
        int | None, typer.Option(metavar='W', help=_help('review.workers'), show_default=False)
    ] = None,
    executor: ExecutorName = None,
    out: Annotated[
        str | None,
        typer.Option('--out', '-o', metavar='FILE', help=_help('calibration.out'), show_default=False),
    ] = None,
    json: Json = False,
    components: Components = None,
) -> None:
    from ludoteca.cli.calibration import calibration

    calibration(
        _with(game, components), games, players, seed, option, level, sims, workers, executor, out, json
    )


@app.command(help=_help('ladder'))
def ladder(
    game: AnyGame = None,
    out: Annotated[
        str, typer.Option('--out', '-o', metavar='FILE', help=_help('ladder.out'))
    ] = 'ladder.jsonl',
    games: Annotated[int, typer.Option('--games', '-n', metavar='K', help=_help('ladder.games'))] = 200,
    players: Annotated[
        str | None,
        typer.Option('--players', '-p', metavar='N,N', help=_help('ladder.players'), show_default=False),
    ] = None,
    levels: Annotated[
        str | None, typer.Option('--levels', metavar='A,B', help=_help('ladder.levels'), show_default=False)
    ] = None,
    seed: Annotated[str, typer.Option('--seed', '-s', metavar='S', help=_help('ladder.seed'))] = '0',
    workers: Annotated[
        int | None, typer.Option(metavar='W', help=_help('arena.workers'), show_default=False)
    ] = None,
    executor: ExecutorName = None,
    json: Json = False,
    components: Components = None,
) -> None:
    from ludoteca.cli import matches

    matches.ladder(_any_with(game, components), out, games, players, levels, seed, workers, executor, json)


@app.command(help=_help('serve'))
def serve(
    host: Annotated[
        str | None, typer.Option(metavar='HOST', help=_help('serve.host'), show_default='127.0.0.1')
    ] = None,
    port: Annotated[
        int | None, typer.Option(metavar='PORT', help=_help('serve.port'), show_default='8000')
    ] = None,
    database: Annotated[
        str | None, typer.Option(metavar='URL', help=_help('serve.database'), show_default=False)
    ] = None,
    address: Annotated[
        str | None, typer.Option(metavar='URL', help=_help('serve.address'), show_default=False)
    ] = None,
    log: Annotated[LogForm | None, typer.Option(help=_help('serve.log'), show_default='text')] = None,
    open_page: Annotated[bool, typer.Option('--open/--no-open', help=_help('serve.open'))] = False,
) -> None:
    from ludoteca.cli import matches

    matches.serve(host, port, database, address, log.value if log else None, open_page)


@app.command(help=_help('work'))
def work(
    jobs: Annotated[
        int | None,
        typer.Option(
            '--jobs', '-j', metavar='N', envvar='LUDOTECA_JOBS', help=_help('work.jobs'), show_default=False
        ),
    ] = None,
    database: Annotated[
        str | None, typer.Option(metavar='URL', help=_help('work.database'), show_default=False)
    ] = None,
    log: Annotated[LogForm, typer.Option(envvar='LUDOTECA_LOG', help=_help('serve.log'))] = LogForm.TEXT,
) -> None:
    from ludoteca.cli import work

    work.work(jobs, database, log.value)


@app.command('operator-key', help=_help('operator_key'))
def operator_key() -> None:
    from ludoteca.cli import facts

    facts.operator_key()


@app.command(help=_help('settings'))
def settings(json: Json = False) -> None:
    from ludoteca.cli import facts

    facts.settings(json)


@app.command('open', help=_help('open'))
def open_tables(
    port: Annotated[int, typer.Option(metavar='PORT', help=_help('open.port'))] = 0,
) -> None:
    from ludoteca.cli import matches

    matches.open_tables(port)


@app.command('check-matches', help=_help('check_matches'))
def check_matches(
    database: Annotated[
        str | None, typer.Option(metavar='URL', help=_help('serve.database'), show_default=False)
    ] = None,
    json: Json = False,
) -> None:
    from ludoteca.cli import matches

    raise typer.Exit(matches.check(database, json))


@app.command(help=_help('backup'))
def backup(
    file: Annotated[str, typer.Argument(metavar='FILE', help=_help('backup.file'), show_default=False)],
    database: Annotated[
        str | None, typer.Option(metavar='URL', help=_help('serve.database'), show_default=False)
    ] = None,
) -> None:
    from ludoteca.cli import matches

    matches.backup(file, database)


@app.command(help=_help('restore'))
def restore(
    file: Annotated[str, typer.Argument(metavar='FILE', help=_help('restore.file'), show_default=False)],
    database: Annotated[
        str | None, typer.Option(metavar='URL', help=_help('serve.database'), show_default=False)
    ] = None,
) -> None:
    from ludoteca.cli import matches

    matches.restore(file, database)


@app.command('move-data', help=_help('move_data'))
def move_data(
    source: Annotated[
        str, typer.Argument(metavar='FROM', help=_help('move_data.source'), show_default=False)
    ],
    target: Annotated[str, typer.Argument(metavar='TO', help=_help('move_data.target'), show_default=False)],
) -> None:
    from ludoteca.cli import matches

    matches.move_data(source, target)


@app.command(help=_help('prepare'))
def prepare(
    game: AnyGame = None,
    json: Json = False,
    worker: Annotated[bool, typer.Option('--worker', hidden=True)] = False,
    components: Components = None,
) -> None:
    from ludoteca.cli import kernels

    kernels.prepare(_any_with(game, components), json, worker)


@app.command('new-game', help=_help('new_game'))
def new_game(
    name: Annotated[str, typer.Argument(metavar='NAME', help=_help('new_game.name'), show_default=False)],
    into: Annotated[str, typer.Option(metavar='DIR', help=_help('new_game.into'))] = '.',
) -> None:
    from ludoteca.cli.new_game import new_game

    new_game(name, into)


@app.command('components', help=_help('components_command'))
def components_command(
    game: GameName,
    export: Annotated[
        str | None,
        typer.Option('--export', metavar='FILE', help=_help('components_command.export'), show_default=False),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option('--check', metavar='FILE', help=_help('components_command.check'), show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    from ludoteca.cli.component_sets import components

    components(game, export, check, json)


@app.command(help=_help('games'))
def games(json: Json = False) -> None:
    from ludoteca.cli import facts

    facts.games(json)


@app.command(help=_help('lessons'))
def lessons(
    game: AnyGame = None,
    database: Annotated[
        str | None, typer.Option(metavar='URL', help=_help('serve.database'), show_default=False)
    ] = None,
    json: Json = False,
) -> None:
    from ludoteca.cli.lessons import lessons

    lessons(game, database, json)


@app.command(help=_help('version'))
def version(json: Json = False) -> None:
    from ludoteca.cli import facts

    facts.version(json)
