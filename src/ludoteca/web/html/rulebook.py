"""A game's rulebook as HTML, in chapters, with an id for every paragraph, and as passages to be searched.

Two chapters stand on a page of their own, that of readings: what of the components is reconstructed, and how
questions that the rules leave open are answered. A table there is a list of readings: in each row a label (if
there is a column for it), the question, how it is played here, and why.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

from ludoteca.game import Game, Theme, load
from ludoteca.game.components import split
from ludoteca.text import words
from ludoteca.web.html.elements import h
from ludoteca.web.html.illustrations import Picture

PICTURES = ('position:', 'figure:')
READINGS = ('what-is-reconstructed', 'readings-and-decisions')
"""The chapters of the page of readings."""
BRIEF = 'in-two-minutes'
"""The chapter that a beginner reads first; it stands out."""
ADDRESSES_KEPT = 4096  # of chapters: the names of games with components of their own are many
FIRST_WORDS = 6  # how many words of a paragraph make its id
LEAVES = ('paragraph', 'list_item', 'tr')
"""The tokens that have an id, besides headings: the smallest pieces to which a link can lead."""


@dataclass(frozen=True)
class Passage:
    """A piece of a rulebook that an address leads to: its id, its text without marks, and the heading above
    it; `is_heading` if it is that heading."""

    id: str
    heading: str
    text: str
    is_heading: bool = False


@dataclass(frozen=True)
class Chapter:
    """A chapter: its id and title, HTML with the title, the headings in it, and its passages."""

    id: str
    title: str
    html: Markup
    parts: tuple[tuple[str, str], ...]
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Book:
    """A rulebook: what stands before the first chapter (its title with it), the chapters, and those of the
    page of readings."""

    head: Chapter
    chapters: tuple[Chapter, ...]
    readings: tuple[Chapter, ...]

    @property
    def html(self) -> Markup:
        """All but the readings."""
        return Markup('').join(chapter.html for chapter in (self.head, *self.chapters))

    def address(self, game: str, id_: str) -> str:
        """The address of a chapter or of a paragraph, on whichever page it stands; '' for ''."""
        if not id_:
            return ''
        apart = any(id_ in (chapter.id, *(one.id for one in chapter.passages)) for chapter in self.readings)
        return f'/games/{game}/{"readings" if apart else "rules"}#{id_}'


def book(name: str) -> Book | None:
    """The rulebook of a game, whatever components it is played with; None if it is not written yet."""
    return _base_book(split(name)[0])


@cache
def _base_book(name: str) -> Book | None:
    """The rulebook of a game; None if it is not written yet. Raw HTML in it is shown as text; its pictures
    are drawings of ours."""
    game = load(name)
    try:
        text = game.rules()
    except FileNotFoundError:
        return None
    markdown = MarkdownIt(
        'commonmark', {'html': False, 'typographer': True}, renderer_cls=RendererHTML
    ).enable(['table', 'replacements', 'smartquotes'])
    # no addresses of the web, but names of drawings of ours
    markdown.validateLink = _is_link  # type: ignore[method-assign]
    tokens = markdown.parse(text)
    for opened, token, closed in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opened.type == 'th_open' and not token.content:  # a column without a heading
            opened.tag = closed.tag = 'td'
    for token in tokens:
        for child in token.children or ():
            if child.type == 'image' and str(child.attrs.get('src', '')).startswith(PICTURES):
                child.attrs['src'] = picture_address(game, str(child.attrs['src']))
                child.attrs['loading'] = 'lazy'
                child.attrs['width'] = child.attrs['height'] = '720'
    ids = list(_name_all(tokens))
    starts = [k for k, token in enumerate(tokens) if token.type == 'heading_open' and token.tag == 'h2']
    cuts = [0, *starts, len(tokens)]
    chapters = [_chapter(markdown, tokens[a:b], name, ids) for a, b in itertools.pairwise(cuts) if a < b]
    first = chapters.pop(0) if cuts[1] > 0 else Chapter('', '', Markup(''), (), ())
    apart = tuple(one for one in chapters if one.id in READINGS)
    return Book(first, tuple(one for one in chapters if one not in apart), apart)


def address_of(game: Game, id_: str) -> str:
    """The address of a chapter or a paragraph of a game's rulebook; '' for ''."""
    return _address_of(game.name, id_)


@lru_cache(maxsize=ADDRESSES_KEPT)
def _address_of(name: str, id_: str) -> str:
    found = book(name)
    return found.address(name, id_) if found else ''


def chapter_id(heading: str) -> str:
    """The id of a heading of a rulebook: its words in small letters, joined by `-`."""
    return '-'.join(re.findall(r'[a-z0-9]+', heading.lower()))


def picture_address(game: Game, spec: str, theme: Theme = 'light') -> str:
    """The address of a picture that a rulebook names: `position:NAME`, `position:NAME?turn=STEP+STEP`,
    `figure:NAME`."""
    kind, _, rest = spec.partition(':')
    name, _, query = rest.partition('?')
    return Picture(game.name, kind, name, query.removeprefix('turn='), theme).address


def _is_link(url: str) -> bool:
    return url.startswith((*PICTURES, '#', '/', 'https:', 'http:'))


# ---- ids and passages --------------------------------------------------------------------------------------


def _name_all(tokens: Sequence[Token]) -> Iterator[Passage]:
    """Give an id to every heading, paragraph, item of a list and row of a table, and say what stands there.
    The id of a paragraph is made of the heading above it and of its own first words, or of those with which
    it begins in bold or slanting letters: so it stays when something else is added or removed."""
    used: set[str] = set()
    chapter = heading = ''
    inside = 0  # how deep in lists and tables
    for k, token in enumerate(tokens):
        kind, _, end = token.type.rpartition('_')
        if kind == 'heading' and end == 'open':
            heading = _plain(tokens[k + 1])
            token.attrs['id'] = chapter = _unused(chapter_id(heading), used)
            yield Passage(chapter, heading, heading, is_heading=True)
        if kind not in LEAVES:
            continue
        inside += {'open': 1, 'close': -1}[end]
        if end == 'close' or inside > 1:
            continue
        parts = list(_within(tokens, k))
        cells = [part for part in parts if part.type == 'inline']
        text = ' · '.join(filter(None, map(_plain, cells)))
        if kind == 'tr' and tokens[k + 1].type == 'th_open':
            continue
        row = kind == 'tr' and _plain(cells[0])
        own = _lead(cells) or '-'.join(chapter_id(row or text).split('-')[:FIRST_WORDS])
        token.attrs['id'] = id_ = _unused(f'{chapter}.{own}' if chapter else own or 'top', used)
        if text:
            yield Passage(id_, heading, text)


def _within(tokens: Sequence[Token], k: int) -> Iterator[Token]:
    """The tokens between the one that opens at `k` and the one that closes it."""
    level = tokens[k].level
    return itertools.takewhile(lambda token: token.level > level, tokens[k + 1 :])


def _lead(cells: Sequence[Token]) -> str:
    """The words with which something begins in bold or slanting letters, as an id; those of a label in the
    first cell of a row. '' if there are none."""
    if len(cells) > 3:
        return chapter_id(_plain(cells[0]))
    children = list(cells[0].children or ()) if cells else []
    marks = [child for child in children if child.content or child.type.endswith('_open')][:1]
    if not marks or marks[0].type not in ('strong_open', 'em_open'):
        return ''
    inner = itertools.takewhile(lambda child: not child.type.endswith('_close'), children)
    return chapter_id(''.join(child.content for child in inner))


def _plain(token: Token) -> str:
    """The text of a piece without its marks; pictures by what they show."""
    parts = [
        ' ' if child.type in ('softbreak', 'hardbreak') else child.content for child in token.children or ()
    ]
    return re.sub(r'\s+', ' ', ''.join(parts)).strip()


def _unused(id_: str, used: set[str]) -> str:
    """The id, or the id with a number if it is taken; it is taken from then on."""
    names = itertools.chain((id_,), (f'{id_}-{n}' for n in itertools.count(2)))
    found = next(name for name in names if name not in used)
    used.add(found)
    return found


# ---- chapters ----------------------------------------------------------------------------------------------


def _chapter(markdown: MarkdownIt, tokens: list[Token], game: str, passages: Sequence[Passage]) -> Chapter:
    headings = [
        (str(token.attrs['id']), _plain(tokens[k + 1]), token.tag)
        for k, token in enumerate(tokens)
        if token.type == 'heading_open'
    ]
    id_, title, _ = headings[0] if headings else ('', '', '')
    named = {str(token.attrs['id']) for token in tokens if 'id' in token.attrs}
    own = tuple(passage for passage in passages if passage.id in named)
    if id_ in READINGS:
        html = ''.join(_readings_html(markdown, tokens))
    else:
        html = markdown.renderer.render(tokens, markdown.options, {})
    html = html.replace('<table>', '<div class="scrolls" tabindex="0"><table>')
    html = html.replace('</table>', '</table></div>')
    html = _led(html, game, id_)
    if id_ == BRIEF:
        html = f'<section class="brief">{html}</section>'
    parts = tuple((one, text) for one, text, tag in headings[1:] if tag == 'h3')
    return Chapter(id_, title, Markup(html), parts, own)


def _led(html: str, game: str, chapter: str) -> str:
    """Links from the rules to the readings, and back, lead to the other page."""

    def other(match: re.Match[str]) -> str:
        there = 'readings' if match[1] in READINGS else 'rules'
        here = 'readings' if chapter in READINGS else 'rules'
        return f'href="/games/{game}/{there}#{match[1]}"' if there != here else match[0]

    return re.sub(r'href="#([^"]+)"', other, html)


def _readings_html(markdown: MarkdownIt, tokens: list[Token]) -> Iterator[str]:
    """A chapter of readings: each row of its tables as a question with two answers."""
    rest: list[Token] = []
    renderer = markdown.renderer
    assert isinstance(renderer, RendererHTML)
    k = 0
    while k < len(tokens):
        token = tokens[k]
        if token.type != 'table_open':
            rest.append(token)
            k += 1
            continue
        yield markdown.renderer.render(rest, markdown.options, {})
        rest = []
        inside = list(_within(tokens, k))
        for n, row in enumerate(inside):
            if row.type == 'tr_open' and 'id' in row.attrs:
                cells = [
                    Markup(renderer.renderInline(one.children or [], markdown.options, {}))
                    for one in _within(inside, n)
                    if one.type == 'inline'
                ]
                yield str(_reading(str(row.attrs['id']), cells))
        k += len(inside) + 2
    yield markdown.renderer.render(rest, markdown.options, {})


def _reading(id_: str, cells: Sequence[Markup]) -> h.Element:
    """A question, how it is played here, and why."""
    *label, question, here, why = cells
    return h.section('.answered', id=id_)[
        h.h3[label and h.span('.label')[label[0]], h.span('.question')[question]],
        h.dl[
            h.div[h.dt[words('web.rules.here')], h.dd[here]],
            h.div[h.dt[words('web.rules.why')], h.dd[why]],
        ],
    ]
