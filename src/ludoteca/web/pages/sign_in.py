"""The pages of a link from one browser to another."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from ludoteca.store import Person
from ludoteca.text import words
from ludoteca.web.html.layout import h, icon, notice
from ludoteca.web.pages.controls import lobby_page
from ludoteca.web.people.visitors import Visitor


@dataclass(frozen=True)
class Own:
    """What the person has that a browser was until now."""

    tables: int
    puzzles: int


def make_page(visitor: Visitor, minutes: int, link: str = '') -> str:
    """What a link does, and the button that makes one; and the link that has just been made."""
    title = words('web.sign_in.title')
    return _notice(
        visitor,
        title,
        h.p[words('web.sign_in.text', name=visitor.name)],
        link and _link(link),
        h.p[words('web.sign_in.terms', minutes=minutes)],
        h.form(method='post', action='/sign-in')[
            h.button(class_=f'btn {"quiet" if link else "main"}', type='submit')[
                icon('link', 18), words('web.sign_in.again' if link else 'web.sign_in.make')
            ]
        ],
    )


def _link(link: str) -> h.Element:
    return h.div('.linked')[
        h.label(for_='link')[words('web.sign_in.link')],
        h.input('#link', type='text', readonly=True, value=link),
        # the page's script shows it: without one the link is copied by hand
        h.button('#copy.btn.main', type='button', hidden=True, data_done=words('web.sign_in.copied'))[
            icon('copy', 18), words('web.sign_in.copy')
        ],
    ]


def ask_page(visitor: Visitor, person: Person, token: str, own: Own | None) -> str:
    """Is this browser to be that person? `own`: what it would no longer find."""
    if visitor.id == person.id:
        title = words('web.sign_in.title')
        return _notice(
            visitor,
            title,
            h.p[words('web.sign_in.same', name=person.name)],
            h.a('.btn.main', href='/')[words('web.error.home')],
        )
    title = words('web.sign_in.asks', name=person.name)
    leaves = ''
    if own:
        leaves = words('web.sign_in.leaves', own=visitor.name, tables=own.tables, puzzles=own.puzzles)
    return _notice(
        visitor,
        title,
        h.p[words('web.sign_in.gets', name=person.name)],
        leaves and h.p[leaves],
        h.form(method='post', action=f'/sign-in/{quote(token, safe="")}')[
            h.button('.btn.main', type='submit')[words('web.sign_in.go_on', name=person.name)]
        ],
        h.a('.btn.quiet', href='/')[words('web.sign_in.stay', own=visitor.name)],
    )


def _notice(visitor: Visitor, title: str, *content: h.Node) -> str:
    """A few lines, and what can be done."""
    return lobby_page(visitor, title, notice(title, visitor.name, content))
