"""The report of a study for people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import htpy as h

from ludoteca.game import Game, Value, load
from ludoteca.research import plots
from ludoteca.research.intervals import Interval
from ludoteca.research.plots import compact, percent_between
from ludoteca.research.report_page import figure, page, table
from ludoteca.research.study import BY, COMPONENTS, GENERAL, PICKED, Setting, Study, is_share, write_text
from ludoteca.text import words
from ludoteca.text.numbers import with_minus

REPORT = 'report.html'
PLOTTED = tuple(name for name in GENERAL if name not in ('actions', 'branching_max'))
"""Figures whose differences are plotted; tables have all."""


def write_report(study: Study, found: Mapping[str, Any], folder: Path) -> Path:
    """Write the report of a study's figures (`Study.summary`), and return its file. Raises GameError if that
    is not possible."""
    write_text(folder / REPORT, report(study, found))
    return folder / REPORT


def report(study: Study, found: Mapping[str, Any]) -> str:
    """The figures of a study (`Study.summary`) as one HTML file."""
    title = words('study.report.title', game=study.loaded.title)
    return page(title, [part for section in _sections(study, found) for part in section])


def _sections(study: Study, found: Mapping[str, Any]) -> Iterator[list[h.Node]]:
    labels = {cell.name: cell_label(study, cell) for cell in study.cells}
    yield [
        h.p[
            words(
                'study.report.about',
                games=f'{study.games:,}',
                cells=len(study.cells),
                seed=study.seed,
            )
        ]
    ]
    if found['differences']:
        yield _differences(study, found, labels)
    yield _winners(study, found, labels)
    yield _character(study, found, labels)
    yield _lengths(found, labels)
    yield _games(found, labels)
    yield _repeat(study, found)


def _differences(study: Study, found: Mapping[str, Any], labels: Mapping[str, str]) -> list[h.Node]:
    """What changes with each thing that is varied: plots, and a table of all figures."""
    parts: list[h.Node] = [
        h.h2[words('study.report.differences')],
        h.p(class_='note')[words('study.report.differences_note')],
    ]
    for axis in dict.fromkeys(one['axis'] for one in found['differences']):
        pairs = [one for one in found['differences'] if one['axis'] == axis]
        parts.append(h.h3[axis_label(study.loaded, axis)])
        parts.append(h.div(class_='plots')[_difference_plots(study, pairs, labels)])
        for pair in pairs:
            parts += _difference_table(study, found, labels, pair)
    return parts


def _difference_plots(
    study: Study, pairs: Sequence[Mapping[str, Any]], labels: Mapping[str, str]
) -> list[h.Node]:
    """One plot for each figure that is known, with a line for each pair."""
    shown = [
        name
        for name in (*PLOTTED, *study.loaded.measures)
        if any(pair['figures'][name]['value'] is not None for pair in pairs)
    ]
    found: list[h.Node] = []
    for name in shown:
        label = figure_label(study.loaded, name)
        rows = [(labels[pair['other']], _interval(pair['figures'][name])) for pair in pairs]
        found.append(figure(label, plots.interval_plot(rows, label, 0.0, is_share(name))))
    return found


def _difference_table(
    study: Study, found: Mapping[str, Any], labels: Mapping[str, str], pair: Mapping[str, Any]
) -> list[h.Node]:
    """All figures of a pair."""
    base, other = found['cells'][pair['base']], found['cells'][pair['other']]
    head = words('study.report.compared', other=labels[pair['other']], base=labels[pair['base']])
    rows = [
        [
            figure_label(study.loaded, name),
            value_text(base['figures'][name]['value'], name),
            value_text(other['figures'][name]['value'], name),
            value_text(one['value'], name, signed=True),
            f'{value_text(one["low"], name, True)} … {value_text(one["high"], name, True)}',
            compact(one['correlation']),
        ]
        for name, one in pair['figures'].items()
    ]
    columns = ('figure', 'before', 'after', 'difference', 'interval', 'correlation')
    return [h.h3[head], table([words(f'study.report.column.{name}') for name in columns], rows, head)]


def _winners(study: Study, found: Mapping[str, Any], labels: Mapping[str, str]) -> list[h.Node]:
    """Seats, beginners and ties."""
    shown: list[h.Node] = []
    for cell in study.cells:
        figures = found['cells'][cell.name]['figures']
        colours = study.loaded.colours(cell.players)
        rows = [(seat_label(k, colour), _interval(figures[f'seat_{k}'])) for k, colour in enumerate(colours)]
        rows.append((words('study.report.beginner'), _interval(figures['beginner'])))
        rows += [
            (words('study.report.after', number=k), _interval(figures[f'after_{k}']))
            for k in range(1, cell.players)
            if cell.players > 2
        ]
        label = labels[cell.name]
        shown.append(figure(label, plots.interval_plot(rows, label, 1 / cell.players, True)))
    return [
        h.h2[words('study.report.winners')],
        h.p(class_='note')[words('study.report.winners_note')],
        h.div(class_='plots')[shown],
    ]


def _character(study: Study, found: Mapping[str, Any], labels: Mapping[str, str]) -> list[h.Node]:
    """A table of all figures, a column a cell."""
    names = [*GENERAL, *study.loaded.measures]
    title = words('study.report.character')
    rows = [
        [
            figure_label(study.loaded, name),
            *(_with_interval(found['cells'][cell]['figures'][name], name) for cell in labels),
        ]
        for name in names
    ]
    rows += [
        [
            words('study.report.ending', ending=ending),
            *(f'{100 * found["cells"][cell]["endings"][ending]:.1f} %' for cell in labels),
        ]
        for ending in study.loaded.endings
    ]
    return [
        h.h2[title],
        h.p(class_='note')[words('study.report.character_note')],
        table([words('study.report.column.figure'), *labels.values()], rows, title),
    ]


def _lengths(found: Mapping[str, Any], labels: Mapping[str, str]) -> list[h.Node]:
    """How long games last."""
    shown: list[h.Node] = [
        figure(label, plots.distribution_plot(found['cells'][name]['lengths'], label))
        for name, label in labels.items()
    ]
    return [h.h2[words('study.report.lengths')], h.div(class_='plots')[shown]]


def _games(found: Mapping[str, Any], labels: Mapping[str, str]) -> list[h.Node]:
    """Games that are worth a look, and how to open them."""
    title = words('study.report.games')
    rows = [
        [
            labels[cell],
            *(
                f'{found["cells"][cell]["picked"][name]:,}' if name in found['cells'][cell]['picked'] else '–'
                for name in PICKED
            ),
        ]
        for cell in labels
    ]
    header = [words('study.report.cell'), *(words(f'study.report.most_{name}') for name in PICKED)]
    commands = f'{found["command"]} --out DIR --match 17\n'
    commands += f'ludoteca replay DIR/matches/{next(iter(labels))}-17.txt'
    return [
        h.h2[title],
        h.p[words('study.report.games_note')],
        h.pre[h.code[commands]],
        table(header, rows, title),
    ]


def _repeat(study: Study, found: Mapping[str, Any]) -> list[h.Node]:
    """Everything that decides how these games went."""
    return [
        h.h2[words('study.report.repeat')],
        h.p[
            words(
                'study.report.repeat_note',
                version=found['ludoteca'],
                rules=found['rules'],
                components=found['components'] or words('game.none'),
                seed=found['seed'],
                last=f'{study.games - 1:,}',
            )
        ],
        h.pre[h.code[f'{found["command"]} --out DIR']],
        *(
            h.p(class_='note')[words('study.report.left_out', cell=one['cell'], reason=one['reason'])]
            for one in found['left_out']
        ),
    ]


def cell_label(study: Study, cell: Setting) -> str:
    """What a cell is called: only what differs between cells, if there are several."""
    parts = []
    if len(study.players) > 1:
        parts.append(words('study.report.players', players=cell.players))
    if len(study.by) > 1:
        parts.append(cell.by)
    parts += [
        set_label(value) if name == COMPONENTS else f'{name}={_plain(value)}' for name, value in cell.varied
    ]
    return ' '.join(parts) or words('study.report.one_cell', players=cell.players, by=cell.by)


def set_label(value: Value) -> str:
    """What components are called that a game is played with."""
    found = load(str(value)).component_set
    return str(found.title_or_hash) if found else words('study.report.own')


def axis_label(game: Game, axis: str) -> str:
    """What is varied, for people."""
    if axis in (BY, COMPONENTS):
        return words(f'study.report.{axis}')
    return game.words(f'option.{axis}')


def figure_label(game: Game, name: str) -> str:
    """A figure, for people."""
    kind, _, number = name.rpartition('_')
    if kind == 'seat':
        return words('study.report.seat', number=int(number))
    if kind == 'after':
        return words('study.report.after', number=int(number))
    return game.words(f'measure.{name}') if name in game.measures else words(f'study.figure.{name}')


def seat_label(seat: int, colour: str) -> str:
    """A seat by number and colour."""
    return words('study.report.seat_colour', number=seat, colour=words(f'colour.{colour}'))


def value_text(value: float | None, name: str, signed: bool = False) -> str:
    """A figure as text; shares in percent."""
    if value is None:
        return '–'
    sign = '+' if signed and value > 0 else ''
    return sign + (with_minus(f'{100 * value:.1f} %') if is_share(name) else compact(value))


def _with_interval(one: Mapping[str, Any], name: str) -> str:
    """A figure and half of its interval; a share and all of it, as it is not in the middle."""
    if is_share(name):
        return percent_between(one)
    text = value_text(one['value'], name)
    return text if one['low'] is None else f'{text} ± {compact((one["high"] - one["low"]) / 2)}'


def _interval(one: Mapping[str, Any]) -> Interval:
    value, low, high = (math.nan if one[name] is None else one[name] for name in ('value', 'low', 'high'))
    return Interval(value, low, high, int(one['n']))


def _plain(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
