"""The report of a tournament for people, and its tables for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import htpy as h

from ludoteca.research import plots
from ludoteca.research.plots import compact, percent_between
from ludoteca.research.report_page import figure, page, table
from ludoteca.research.rows import write_whole
from ludoteca.research.tournament import Tournament, interval_of
from ludoteca.text import words

REPORT = 'report.html'


def standings(found: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """The contestants, the strongest first: a header, and a row for each."""
    header = [words(f'tournament.{name}') for name in ('bot', 'strength', 'share', 'games', 'by_seat')]
    order = sorted(found['contestants'], key=lambda one: -one['strength']['value'])
    return header, [
        [
            one['bot'],
            _between(one['strength']),
            percent_between(one['share']),
            f'{one["games"]:,}',
            '  '.join('–' if share is None else f'{100 * share:.0f} %' for share in one['by_seat']),
        ]
        for one in order
    ]


def cross_table(found: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Everybody against everybody: a header, and a row for each."""
    bots = found['bots']
    rows = [
        [
            bot,
            *(
                '–'
                if one is None or one['share'] is None
                else f'{100 * one["share"]:.1f} % ({one["games"]:,})'
                for one in found['cross'][k]
            ),
        ]
        for k, bot in enumerate(bots)
    ]
    return [words('tournament.against'), *bots], rows


def write_report(tournament: Tournament, found: Mapping[str, Any], folder: Path) -> Path:
    """Write the report of a tournament's figures (`tournament.summary`), and return its file."""
    write_whole(folder / REPORT, report(tournament, found).encode())
    return folder / REPORT


def report(tournament: Tournament, found: Mapping[str, Any]) -> str:
    """The figures of a tournament (`tournament.summary`) as one HTML file."""
    game = tournament.loaded
    title = words('tournament.title', game=game.title)
    names = [one['bot'] for one in found['contestants']]
    strengths = [interval_of(one['strength']) for one in found['contestants']]
    colours = game.colours(tournament.players)
    seats = [
        (words('study.report.seat_colour', number=k, colour=words(f'colour.{colour}')), interval_of(one))
        for k, (colour, one) in enumerate(zip(colours, found['seats'], strict=False))
    ]
    options = ' '.join(f'{name}={value}' for name, value in found['options'].items())
    parts: list[h.Node] = [
        h.p[
            words(
                'tournament.about',
                games=f'{found["games"]:,}',
                blocks=f'{found["blocks"]:,}',
                players=found['players'],
                options=options or words('game.none'),
                seed=found['seed'],
            )
        ],
        h.p[found['decision']] if found['decision'] else None,
        h.h2[words('tournament.standings')],
        table(*standings(found), words('tournament.standings')),
        h.div(class_='plots')[
            figure(
                words('tournament.strength'),
                plots.interval_plot(
                    list(zip(names, strengths, strict=True)), words('tournament.strength'), 0.0
                ),
            ),
            figure(words('tournament.seats'), plots.interval_plot(seats, words('tournament.seats'), 0.0)),
        ],
        h.p(class_='note')[words('tournament.strength_note')],
        h.h2[words('tournament.cross')],
        table(*cross_table(found), words('tournament.cross')),
        h.p(class_='note')[words('tournament.cross_note')],
        h.h2[words('study.report.repeat')],
        h.p[
            words(
                'tournament.repeat',
                version=found['ludoteca'],
                rules=found['rules'],
                components=found['components'] or words('game.none'),
                seed=found['seed'],
            )
        ],
    ]
    return page(title, parts)


def _between(one: Mapping[str, Any]) -> str:
    if one['low'] is None:
        return compact(one['value'])
    return f'{compact(one["value"])} ({compact(one["low"])} … {compact(one["high"])})'
