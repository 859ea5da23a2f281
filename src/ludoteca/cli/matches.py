"""`arena`, `serve` and `check-matches`: commands that hand over to other parts of the package."""

from __future__ import annotations

import contextlib

from ludoteca.cli.common import fail, number, percent, print_json, print_table, progress, read_seed
from ludoteca.text import words

USUAL_PORT = 8000


def arena(
    name: str,
    players: int | None,
    bots: str,
    games: int,
    sims: int | None,
    time: float | None,
    seed: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Let bots play against each other and print who is stronger."""
    from ludoteca.game import load
    from ludoteca.research.arena import arena as compete

    if sims is not None and time is not None:
        fail('limit')
    if workers is not None and workers < 1:
        fail('positive', name='--workers', value=workers)
    game = load(name)
    names = [bot.strip() for bot in bots.split(',')]
    players = max(game.players[0], len(names)) if players is None else players
    with progress(games, words('cli.arena.playing', game=game.title)) as advance:
        found = compete(
            game.name,
            players,
            names,
            games,
            sims=sims,
            time=time,
            seed=read_seed(seed),
            processes=workers,
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


def serve(host: str, port: int, database: str | None, address: str | None, open_page: bool) -> None:
    """Open the tables to browsers; returns when the server is stopped."""
    if not 0 <= port <= 65535:
        fail('port', port=port)
    from ludoteca.web.app import serve as run

    with contextlib.suppress(KeyboardInterrupt):  # how a server is stopped; not a failure
        run(host, port, open_page, database, address=address)


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
    serve('127.0.0.1', port, None, None, True)


def check(database: str | None, as_json: bool) -> int:
    """Replay all running matches under these rules; the exit status is 1 if one of them could not go on."""
    import dataclasses

    from ludoteca.store import Store, check_matches

    store, frozen = Store(database), 0
    try:
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
    finally:
        store.close()
    if not as_json:
        print(words('cli.check.frozen' if frozen else 'cli.check.fine', frozen=frozen))
    return int(frozen > 0)
