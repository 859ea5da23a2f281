"""`arena` with all line-ups and seatings: ratings, a cross table, and games that are kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ludoteca.cli.common import (
    check_positive,
    fail,
    given_executor,
    number,
    print_json,
    print_table,
    progress,
    read_options,
    read_seed,
)
from ludoteca.text import words


def tournament(
    name: str,
    players: int | None,
    bots: Sequence[str],
    options: Sequence[str],
    games: int,
    sims: int | None,
    time: float | None,
    seed: str | None,
    workers: int | None,
    executor: str | None,
    out: str | None,
    until: str | None,
    programs: Sequence[str],
    as_json: bool,
) -> None:
    """Play a tournament, or what its folder lacks of it, and print who is how strong."""
    from ludoteca.game import load
    from ludoteca.research import stopping
    from ludoteca.research.plots import compact
    from ludoteca.research.tournament import Tournament, compete, read_tournament
    from ludoteca.research.tournament_report import cross_table, standings, write_report
    from ludoteca.search import cores

    if sims is not None and time is not None:
        fail('limit')
    check_positive('--workers', workers)
    game, folder = load(name), Path(out) if out else None
    head = read_tournament(folder) if folder else None
    asked = Tournament.of(
        name,
        bots,
        players,
        read_options(game, options),
        dict(map(_program, programs)),
        sims,
        time,
        head['seed'] if head and seed is None else read_seed(seed),
    )
    rule = stopping.read(until, len(bots)) if until else None
    with (
        given_executor(executor, workers) as elsewhere,
        progress(games, words('cli.arena.playing', game=game.title)) as advance,
    ):
        found = compete(
            asked,
            games,
            folder,
            until=rule,
            processes=workers or cores(),
            executor=elsewhere,
            progress=advance,
        )
    report = write_report(asked, found, folder) if folder is not None else None
    if as_json:
        print_json(found)
        return
    header, rows = standings(found)
    title = words(
        'cli.arena.title',
        game=game.title,
        players=asked.players,
        games=f'{found["games"]:,}',
        seed=asked.seed,
    )
    print_table(rows, header, title)
    header, rows = cross_table(found)
    print_table(rows, header, words('tournament.cross'))
    print(words('cli.arena.seats', seats='  '.join(compact(one['value']) for one in found['seats'])))
    print(
        words(
            'cli.arena.turns',
            draws=found['draws'],
            **{key: number(value) for key, value in found['turns'].items()},
        )
    )
    if found['decision']:
        print(found['decision'])
    if report is not None:
        print(words('cli.arena.kept', games=f'{found["games"]:,}', folder=out, report=str(report)))


def _program(text: str) -> tuple[str, str]:
    """A program as it was typed."""
    name, sign, command = (part.strip() for part in text.partition('='))
    if not (sign and name and command and ',' not in name):
        fail('program', given=text)
    return name, command
