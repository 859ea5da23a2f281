"""The frame of a report: one HTML file without scripts, in both themes, that needs nothing beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import htpy as h
from markupsafe import Markup

from ludoteca.drawing.palette import PLAYERS

STYLE = """
:root { color-scheme: light dark; --ink: #22262c; --soft: #5b626c; --line: #d9dce1; --paper: #fbfbf9; --card: #ffffff; --mark: MARK_LIGHT; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9eaec; --soft: #a8aeb8; --line: #3a3f47; --paper: #17191d; --card: #1f2227; --mark: MARK_DARK; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { max-width: 48rem; margin: .5rem 0; }
.note { color: var(--soft); font-size: .9rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 1rem; }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .75rem; }
figcaption { font-size: .9rem; font-weight: 600; margin-bottom: .25rem; }
.wide { overflow-x: auto; }
.wide:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; margin: .5rem 0; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
thead th { color: var(--soft); font-weight: 600; }
tbody th { font-weight: 500; }
code { font: .875rem/1.4 ui-monospace, monospace; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.plot { display: block; width: 100%; height: auto; }
.plot text { fill: var(--ink); font-size: 12px; font-family: system-ui, sans-serif; }
.plot .label { text-anchor: end; }
.plot .tick { text-anchor: middle; fill: var(--soft); }
.plot .grid { stroke: var(--line); }
.plot .reference { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 4 3; }
.plot .bar { stroke: var(--mark); stroke-width: 3; stroke-linecap: round; }
.plot .point, .plot .column { fill: var(--mark); }
"""  # noqa: E501 (a style sheet)


def page(title: str, parts: Iterable[h.Node]) -> str:
    """A whole report."""
    light, dark = PLAYERS['blue'].tone
    style = STYLE.replace('MARK_LIGHT', light).replace('MARK_DARK', dark)
    whole = h.html(lang='en')[
        h.head[
            h.meta(charset='utf-8'),
            h.meta(name='viewport', content='width=device-width, initial-scale=1'),
            h.title[title],
            h.style[Markup(style)],
        ],
        h.body[h.main[h.h1[title], list(parts)]],
    ]
    return str(whole) + '\n'


def figure(caption: str, plot: str) -> h.Element:
    """A plot with its caption."""
    return h.figure[h.figcaption[caption], Markup(plot)]


def table(header: Sequence[str], rows: Iterable[Sequence[str]], label: str) -> h.Element:
    """A table that scrolls by itself where it is too wide; the first cell of a row is its head."""
    return h.div('.wide', tabindex='0', role='region', aria_label=label)[
        h.table[
            h.thead[h.tr[(h.th(scope='col')[one] for one in header)]],
            h.tbody[
                (h.tr[h.th(scope='row')[row[0]], (h.td[one] for one in row[1:])] for row in map(list, rows))
            ],
        ]
    ]
