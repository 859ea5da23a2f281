"""Plots as SVG for reports: figures with their intervals, and distributions. Colours come from the style
sheet of the report (`report_page`), so that a plot is legible in both themes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.drawing.svg import tag
from ludoteca.research.intervals import Interval
from ludoteca.text.numbers import with_minus

WIDTH = 400
ROW, TOP, BOTTOM = 26, 8, 30
LABEL, CHARACTER, MOST_LABEL = 24, 6.4, 200  # pixels
BARS = 40  # of a distribution


def compact(value: float | None) -> str:
    """A number for people: three significant digits, thousands with separators."""
    if value is None or not math.isfinite(value):
        return '–'
    if abs(value) < 1e-9:
        return '0'
    if abs(value) >= 1000:
        return with_minus(f'{value:,.0f}')
    text = f'{value:.3g}' if abs(value) >= 0.0005 else f'{value:.0e}'
    return with_minus(text)


def percent_between(one: Mapping[str, Any]) -> str:
    """A share in percent and its interval, if it has one."""
    if one['value'] is None:
        return '–'
    if one['low'] is None:
        return f'{100 * one["value"]:.1f} %'
    low, high = max(0.0, one['low']), min(1.0, one['high'])
    return f'{100 * one["value"]:.1f} % ({100 * low:.1f} … {100 * high:.1f})'


def ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Round numbers that lie between two, at most about so many."""
    span = max(high - low, 1e-9)
    step = 10 ** math.floor(math.log10(span))
    step *= next((k for k in (0.1, 0.2, 0.5, 1, 2) if span / (k * step) <= most), 5)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def interval_plot(
    rows: Sequence[tuple[str, Interval]], title: str, reference: float | None = None, percent: bool = False
) -> str:
    """One line for each figure: a point, and a bar from the lower to the upper end of its interval.
    `reference` is a value at which a line stands, such as no difference."""
    known = [one for _, one in rows if math.isfinite(one.value)]
    ends = [end for one in known for end in (one.low, one.high, one.value) if math.isfinite(end)]
    ends += [] if reference is None else [reference]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    margin = 0.06 * (high - low) or max(abs(high), 0.1 if percent else 1.0)
    low, high = low - margin, high + margin
    widest = max((len(label) for label, _ in rows), default=0)
    left = min(MOST_LABEL, LABEL + CHARACTER * widest)
    height = TOP + ROW * len(rows) + BOTTOM

    def at(value: float) -> float:
        return left + (WIDTH - left - 16) * (value - low) / (high - low)

    parts = []
    for value in ticks(low, high, 4):
        text = with_minus(f'{100 * value:.3g} %') if percent else compact(value)
        parts.append(tag('line', class_='grid', x1=at(value), x2=at(value), y1=TOP, y2=height - BOTTOM))
        parts.append(tag('text', text, class_='tick', x=at(value), y=height - BOTTOM + 16))
    if reference is not None:
        line = {'x1': at(reference), 'x2': at(reference), 'y1': float(TOP), 'y2': float(height - BOTTOM)}
        parts.append(tag('line', class_='reference', **line))
    for k, (label, one) in enumerate(rows):
        y = TOP + ROW * (k + 0.5)
        room = int((left - 12) / CHARACTER)
        short = label if len(label) <= room else '…' + label[-room + 1 :]  # what differs stands last
        parts.append(tag('text', _escaped(short), class_='label', x=left - 12, y=y + 4))
        if not math.isfinite(one.value):
            continue
        if math.isfinite(one.low):
            parts.append(tag('line', class_='bar', x1=at(one.low), x2=at(one.high), y1=y, y2=y))
        parts.append(tag('circle', class_='point', cx=at(one.value), cy=y, r=4.5))
    return _plot(parts, height, title)


def distribution_plot(counts: Sequence[int], title: str) -> str:
    """Bars of how often each number occurs: counts[k] times k. Many numbers share a bar."""
    used = [k for k, n in enumerate(counts) if n]
    first, last = (used[0], used[-1]) if used else (0, 0)
    wide = max(1, math.ceil((last - first + 1) / BARS))
    bars = [sum(counts[k : k + wide]) for k in range(first, last + 1, wide)]
    left, height, plot = 30.0, 150, 108.0
    each = (WIDTH - left - 16) / len(bars)
    most = max(*bars, 1)
    parts = []
    for k, n in enumerate(bars):
        tall = plot * n / most
        box = {'x': left + each * k, 'y': TOP + plot - tall, 'width': max(each - 1, 1), 'height': tall}
        parts.append(tag('rect', class_='column', **box))
    for value in ticks(first, last + wide):
        x = left + each * (value - first + 0.5 * (wide == 1)) / wide
        if x < WIDTH - 10:
            parts.append(tag('text', compact(value), class_='tick', x=x, y=TOP + plot + 18))
    return _plot(parts, height, title)


def _plot(parts: Sequence[str], height: float, title: str) -> str:
    box = f'0 0 {WIDTH} {height:g}'
    return tag('svg', *parts, class_='plot', viewBox=box, role='img', **{'aria_label': title})


def _escaped(text: str) -> str:
    return text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
