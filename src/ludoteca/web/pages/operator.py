"""The pages of whoever runs the server. They need no script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ludoteca.store import Person
from ludoteca.store.operating import UNFINISHED, Overview
from ludoteca.text import words
from ludoteca.web.html.layout import bar, h, page
from ludoteca.web.offers.catalogue import title_of
from ludoteca.web.serving.logs import Problem

STYLE = 'operator.css'


@dataclass(frozen=True)
class Overall:
    """How the server does: what it has just now, its memory in bytes, tables by status, why the database
    cannot be read ('' if it can), and the time."""

    gauges: Mapping[str, float]
    memory: float | None
    counts: Mapping[str, int]
    storage: str
    now: float


def _page(*content: h.Node) -> str:
    body = h.div('.wrap')[bar('', None), h.main('.operator')[content]]
    return page(words('operator.title'), body, classes='lobby', style=STYLE)


def login(problem: str = '') -> str:
    """The form that asks for the key. `problem`: why it asks again."""
    return _page(
        h.h1[words('operator.title')],
        h.form('.card', method='post', action='/operator/login')[
            # for password managers
            h.input(type='text', name='username', value='operator', autocomplete='username', hidden=True),
            h.label('.field')[
                h.span[words('operator.key')],
                h.input(type='password', name='key', required=True, autocomplete='current-password'),
                h.small[words('operator.key_where')],
            ],
            problem and h.p('.problem', role='alert')[problem],
            h.button('.btn.main', type='submit')[words('operator.enter')],
        ],
    )


def overview(
    overall: Overall,
    tables: Sequence[Overview],
    sockets: Mapping[str, int],
    muted: Sequence[Person],
    speakers: Sequence[Person],
    problems: Sequence[Problem],
) -> str:
    """How the server does, its tables, and what can be done about them. `sockets`: open pages by table;
    `speakers`: who wrote last."""
    silent = {person.id for person in muted}
    rest = sum(overall.counts.get(status, 0) for status in UNFINISHED) - len(tables)
    return _page(
        h.div('.head')[
            h.h1[words('operator.title')],
            h.form(method='post', action='/operator/logout')[
                h.button('.btn.quiet.s', type='submit')[words('operator.leave')]
            ],
        ],
        _load(overall),
        _problems(overall, problems),
        h.section('.card')[
            h.h2[words('operator.tables')],
            h.p[words('operator.tables_text')],
            rest > 0
            and h.p[
                words('operator.rest', n=rest),
                ' ',
                h.a(href='/operator?order=oldest')[words('operator.oldest')],
            ],
            h.ul('.tables')[[_table(one, sockets.get(one.id, 0), silent, overall.now) for one in tables]]
            if tables
            else h.p[words('operator.no_tables')],
        ],
        _people('operator.speakers', [person for person in speakers if person.id not in silent], False),
        _people('operator.muted', muted, True),
    )


def _people(title: str, people: Sequence[Person], muted: bool) -> h.Node:
    """People, to be muted or heard again; nothing if there are none."""
    if not people:
        return None
    return h.section('.card')[
        h.h2[words(title)], h.ul('.people')[[_person(one.id, one.name, muted) for one in people]]
    ]


def _load(overall: Overall) -> h.Element:
    """Figures of the moment."""
    figures = [(words(f'metrics.{name}'), f'{value:,.0f}') for name, value in overall.gauges.items()]
    if overall.memory:
        figures.append((words('operator.memory'), f'{overall.memory / 1e6:,.0f} MB'))
    for status, count in sorted(overall.counts.items()):
        figures.append(
            (words('operator.with_status', status=words(f'operator.status.{status}')), f'{count:,}')
        )
    return h.section('.card')[
        h.h2[words('operator.load')],
        h.dl[[h.div[h.dt[label.rstrip('.')], h.dd[value]] for label, value in figures]],
    ]


def _problems(overall: Overall, problems: Sequence[Problem]) -> h.Element:
    """What has gone wrong since the server was started."""
    return h.section('.card')[
        h.h2[words('operator.problems')],
        overall.storage and h.p('.bad')[overall.storage],
        h.ul('.problems')[
            [
                h.li[
                    h.span('.bad' if problem.level == 'error' else '')[problem.message],
                    ' ',
                    h.small[words('operator.times', count=problem.count, time=_time(problem.last))],
                ]
                for problem in problems
            ]
        ]
        if problems
        else not overall.storage and h.p[words('operator.no_problems')],
    ]


def _table(one: Overview, sockets: int, silent: set[str], now: float) -> h.Element:
    """A table: how it stands, who sits there, and how to close it."""
    facts = [
        words(f'operator.status.{one.status}'),
        words('operator.players', players=one.players, people=len(one.people)),
        words('operator.turns', turns=one.turns),
        words('operator.sockets', sockets=sockets),
        words('operator.age', age=_span(now - one.created)),
        words('operator.last_act', age=_span(now - one.updated)),
    ]
    title = title_of(one.game)
    return h.li[
        h.div[h.strong[title], ' ', h.code[one.id]],
        h.p[' · '.join(facts)],
        h.details[
            h.summary[words('operator.act'), h.span('.unseen')[f': {title} {one.id}']],
            h.ul('.people')[[_person(person, name, person in silent) for person, name in one.people]],
            h.form(method='post', action=f'/operator/tables/{one.id}/close')[
                h.p[words('operator.close_text')],
                h.button('.btn.s.danger', type='submit')[words('operator.close')],
            ],
        ],
    ]


def _person(person: str, name: str, muted: bool) -> h.Element:
    """Somebody, to be muted or heard again."""
    key = 'unmute' if muted else 'mute'
    return h.li[
        h.span[name],
        h.form(method='post', action=f'/operator/people/{person}/mute')[
            h.input(type='hidden', name='muted', value='false' if muted else 'true'),
            h.button('.btn.s', type='submit')[words(f'operator.{key}'), h.span('.unseen')[f': {name}']],
        ],
    ]


def _span(seconds: float) -> str:
    """A time in its largest whole unit."""
    for unit, size in (('days', 86_400), ('hours', 3_600), ('minutes', 60)):
        if seconds >= size:
            return words(f'operator.{unit}', n=int(seconds // size))
    return words('operator.seconds', n=max(0, int(seconds)))


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime('%Y-%m-%d %H:%M UTC')
