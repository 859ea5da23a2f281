"""`arena`, `ladder`, `serve` and `check-matches`: commands that hand over to other parts of the package."""

from __future__ import annotations

import contextlib
import gc
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludoteca.cli.common import (
    check_file,
    check_positive,
    fail,
    given_executor,
    number,
    percent,
    print_json,
    print_table,
    progress,
    read_options,
    read_seed,
)
from ludoteca.text import words

if TYPE_CHECKING:
    from ludoteca.research.ladder import Standing

USUAL_PORT = 8000


def arena(
    name: str,
    players: int | None,
    bots: str,
    options: Sequence[str],
    games: int,
    sims: int | None,
    time: float | None,
    seed: str | None,
    workers: int | None,
    executor: str | None,
    as_json: bool,
) -> None:
    """Let bots play against each other and print who is stronger."""
    from ludoteca.game import load
    from ludoteca.research.arena import arena as compete

    if sims is not None and time is not None:
        fail('limit')
    check_positive('--workers', workers)
    game = load(name)
    names = [bot.strip() for bot in bots.split(',')]
    players = max(game.players[0], len(names)) if players is None else players
    with (
        given_executor(executor, workers) as elsewhere,
        progress(games, words('cli.arena.playing', game=game.title)) as advance,
    ):
        found = compete(
            game.name,
            players,
            names,
            games,
            options=read_options(game, options),
            sims=sims,
            time=time,
            seed=read_seed(seed),
            processes=workers,
            executor=elsewhere,
            progress=lambda *_: advance(1),
        )
    if as_json:
        print_json(found.json())
        return
    rows = [
        [
            c.bot,
            number(c.wins),
            percent(c.share),
            f'{percent(c.low)} – {percent(c.high)}',
            '  '.join(words('cli.none') if share is None else percent(share) for share in c.by_seat),
        ]
        for c in found.contestants
    ]
    print_table(
        rows,
        [words(f'cli.arena.{key}') for key in ('bot', 'wins', 'share', 'interval', 'by_seat')],
        words('cli.arena.title', game=game.title, players=players, games=f'{found.games:,}', seed=found.seed),
    )
    print(
        words(
            'cli.arena.turns', draws=found.draws, **{key: number(value) for key, value in found.turns.items()}
        )
    )


def ladder(
    name: str | None,
    out: str,
    games: int,
    players: str | None,
    levels: str | None,
    seed: str,
    workers: int | None,
    executor: str | None,
    as_json: bool,
) -> None:
    """Play what a ladder's file lacks and print where the levels stand. Raises KeyboardInterrupt if it is
    stopped, after it has printed what is known by then."""
    from ludoteca.game import games as known
    from ludoteca.game import load
    from ludoteca.research import ladder as module
    from ludoteca.search.levels import LEVELS

    check_positive('--workers', workers)
    check_file(out)
    wanted = module.rungs(
        [load(name).name] if name else known(),
        [_whole_number('--players', part) for part in (players or '').split(',') if part.strip()],
        [level.strip() for level in levels.split(',')] if levels else list(LEVELS),
    )
    stopped, path = None, Path(out)
    try:
        with (
            given_executor(executor, workers) as elsewhere,
            progress(None, words('cli.ladder.playing')) as advance,
        ):
            found = module.climb(
                path,
                wanted,
                games,
                seed=seed,
                processes=workers,
                executor=elsewhere,
                progress=lambda *_: advance(1),
            )
    except KeyboardInterrupt as interrupt:
        stopped, found = interrupt, module.standings(path, wanted, seed)
    if as_json:
        print_json([one.json() for one in found])
    else:
        _print_ladder(found, seed)
    if stopped is not None:
        print(words('cli.ladder.stopped'), file=sys.stderr)
        raise stopped


def _whole_number(option: str, text: str) -> int:
    """A number above zero that was typed."""
    if not (text.strip().isascii() and text.strip().isdigit() and len(text) < 4 and int(text)):
        fail('positive', name=option, value=text.strip())
    return int(text)


def _print_ladder(found: Sequence[Standing], seed: str) -> None:
    """One line a game and number of players, one column a pair of levels; empty where one is not offered."""
    pairs = list(dict.fromkeys((one.rung.upper, one.rung.lower) for one in found))
    lines: dict[tuple[str, int], dict[tuple[str, str], str]] = {}
    for one in found:
        cell = words(
            'cli.ladder.cell',
            games=one.games,
            **{key: round(100 * getattr(one, key)) for key in ('share', 'low', 'high')},
        )
        line = lines.setdefault((one.rung.game, one.rung.players), {})
        line[one.rung.upper, one.rung.lower] = cell if one.games else words('cli.none')
    print_table(
        [
            [game, str(players), *(line.get(pair, '') for pair in pairs)]
            for (game, players), line in lines.items()
        ],
        [
            words('cli.ladder.game'),
            words('cli.ladder.players'),
            *(words('cli.ladder.pair', upper=upper, lower=lower) for upper, lower in pairs),
        ],
        words('cli.ladder.title', seed=seed),
    )


def serve(
    host: str | None,
    port: int | None,
    database: str | None,
    address: str | None,
    log: str | None,
    open_page: bool,
) -> None:
    """Open the tables to browsers; returns when the server is stopped. What is None: as the settings say."""
    gc.disable()  # what is loaded now will stay: to look for garbage among it takes a tenth of the start
    from ludoteca.game import games, load
    from ludoteca.game.registry import places
    from ludoteca.web.app import serve as run
    from ludoteca.web.serving import settings

    gc.enable()
    if port is not None and not 0 <= port <= 65535:
        fail('port', port=port)
    found = settings.read(host=host, port=port, database=database, address=address, log=log)
    for name in settings.unknown():
        print(words('settings.unknown', name=name), file=sys.stderr)
    if places():
        for name in games():  # one that cannot be loaded is told now, not on the first page
            load(name)
    with contextlib.suppress(KeyboardInterrupt):  # how a server is stopped; not a failure
        run(found, open_page)


def open_tables(port: int) -> None:
    """Open the tables on this computer in the browser; returns when the server is stopped. Without a port (0)
    it is the usual one or, if that is taken, a free one."""
    from ludoteca.game import GameError

    if port == 0:
        from ludoteca.web.app import bind

        try:
            bind('127.0.0.1', USUAL_PORT).close()
            port = USUAL_PORT
        except GameError:
            pass
    from ludoteca.store import Occupied

    try:
        serve('127.0.0.1', port, None, None, None, True)
    except Occupied as problem:
        if not problem.address:
            raise
        print(words('web.server.already', address=problem.address))
        webbrowser.open(problem.address)


def check(database: str | None, as_json: bool) -> int:
    """Replay all running matches under these rules; the exit status is 1 if one of them could not go on."""
    import dataclasses

    from ludoteca.store import check_matches, database_url, unchanged

    frozen = 0
    with unchanged(database or database_url()) as store:
        for count, report in enumerate(check_matches(store), 1):
            frozen += report.verdict == 'frozen'
            if as_json:
                print_json(dataclasses.asdict(report))
            else:
                print(
                    words(
                        'cli.check.match',
                        number=count,
                        game=report.game,
                        table=report.table,
                        turns=report.turns,
                        sentence=report.sentence,
                    )
                )
    if not as_json:
        print(words('cli.check.frozen' if frozen else 'cli.check.fine', frozen=frozen))
    return int(frozen > 0)


def backup(path: str, database: str | None) -> None:
    """Copy all data into a file."""
    from ludoteca.store import backup as copy
    from ludoteca.store import database_url

    found = copy(database or database_url(), Path(path))
    print(
        words('cli.backup.done', path=path, rows=f'{sum(found.rows.values()):,}', tables=found.rows['tables'])
    )


def restore(path: str, database: str | None) -> None:
    """Bring all data of a copy back."""
    from ludoteca.store import database_url
    from ludoteca.store import restore as bring_back

    found = bring_back(Path(path), database or database_url())
    print(
        words(
            'cli.restore.done', path=path, rows=f'{sum(found.rows.values()):,}', tables=found.rows['tables']
        )
    )


def move_data(source: str, target: str) -> None:
    """Copy all data of a database into an empty one."""
    from ludoteca.store import data_folder, shown
    from ludoteca.store import move_data as move

    found = move(source, target)
    print(
        words(
            'cli.move_data.done',
            source=shown(source),
            target=shown(target),
            rows=f'{sum(found.rows.values()):,}',
            kinds=len(found.rows),
            tables=f'{found.rows["tables"]:,}',
            logs=f'{len(found.logs):,}',
            folder=data_folder(),
        )
    )
