"""The rules of the games: a page of each rulebook, a page of its readings, and the search over them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ludoteca.game import Game
from ludoteca.game.components import exchangeable
from ludoteca.lessons import lessons
from ludoteca.text import words
from ludoteca.web.html.layout import Markup, bar, components_of, credits_of, h, icon, page
from ludoteca.web.html.rulebook import Chapter, address_of, book
from ludoteca.web.html.search import MOST, SearchHit, nearest_words, search
from ludoteca.web.offers.catalogue import all_games
from ludoteca.web.pages.components import changes
from ludoteca.web.pages.controls import facts, table_form
from ludoteca.web.pages.learn import anchor
from ludoteca.web.people.visitors import Visitor

CERTAINTIES = ('reconstructed', 'assumed', 'inferred', 'certain')
"""How parts of the components are known, the least known first."""


def rules(visitor: Visitor, game: Game) -> str:
    """The rules of a game."""
    found = book(game.name)
    if found is None:
        return _page(visitor, game, [], h.p[words('web.rules.unwritten')], 'rules')
    text: list[h.Node] = [
        _of_set(game),
        _shown(game, found.html),
        h.section('.elsewhere')[
            h.h2('#readings')[words('web.rules.readings')],
            h.p[h.a(href=_readings(game))[words('web.rules.readings.go')]],
        ],
        h.hr,
        h.p('#components')[components_of(game)],
        exchangeable(game) and h.p[h.a(href=f'/games/{game.name}/components')[words('web.components.try')]],
        [h.p[line] for line in credits_of([game])],
        table_form(game, 'bot', words('web.rules.play', game=game.title), 'robot', 'main'),
    ]
    return _page(visitor, game, found.chapters, text, 'rules')


def _of_set(game: Game) -> h.Node:
    """Which component set the game is played with; nothing for its own components."""
    chosen = game.component_set
    if chosen is None:
        return None
    return h.section('.of-set')[
        h.b[words('web.components.set.title', set=chosen.title_or_hash)],
        chosen.about and h.p[chosen.about],
        h.p[words('web.components.set.changes')],
        changes(game),
        h.p[words('web.components.set.below')],
        h.p[components_of(game)],
        h.p[
            h.a(href=f'/games/{game.name}/components')[words('web.components.set.see')],
            ' · ',
            h.a(href=f'/games/{game.name}/components.json')[words('web.components.set.save')],
        ],
    ]


def _shown(game: Game, text: Markup) -> Markup:
    """The text with a link at the end of every rule that a lesson shows."""
    found = str(text)
    for lesson in lessons(game.name):
        for number, step in enumerate(lesson.steps, 1):
            if step.rule:
                where = words('web.rules.shown', title=lesson.title, step=number)
                link = h.a('.shown', href=f'/games/{game.name}/learn#{anchor(lesson, step)}')[where]
                end = re.compile(
                    rf'(<(p|li|h[1-4]|tr)\b[^>]*? id="{re.escape(step.rule)}".*?)(</(?:\2|td)>)', re.DOTALL
                )
                found = end.sub(lambda part, link=link: f'{part[1]} {link}{part[3]}', found, count=1)  # type: ignore[misc]
    return Markup(found)


def readings(visitor: Visitor, game: Game) -> str:
    """What of a game's components is reconstructed, and how open questions of its rules are answered."""
    found = book(game.name)
    chapters = found.readings if found else ()
    text: list[h.Node] = [
        h.h1[words('web.rules.readings.title', game=game.title)],
        h.p[words('web.rules.readings.intro', game=game.title)],
        [chapter.html for chapter in chapters] or h.p[words('web.rules.readings.none')],
        h.h2('#how-it-is-known')[words('web.rules.known')],
        h.p('#components')[components_of(game)],
        h.dl('.known')[_known(game)],
    ]
    return _page(visitor, game, chapters, text, 'readings')


def _known(game: Game) -> Iterator[h.Element]:
    """How each part of the components is known, as the table says that the program plays with."""

    def rank(item: tuple[str, str]) -> int:
        return next((k for k, kind in enumerate(CERTAINTIES) if item[1].startswith(kind)), 0)

    for part, text in sorted(game.certainty.items(), key=rank):
        key = f'reconstructed.{part}'
        name = game.words(key) if key in game.words else part.replace('_', ' ')
        kind = CERTAINTIES[rank((part, text))]
        yield h.div(f'.{kind}')[h.dt[name], h.dd[h.b[kind], text.removeprefix(kind)]]


def _readings(game: Game) -> str:
    return f'/games/{game.name}/readings'


# ---- the frame ---------------------------------------------------------------------------------------------


def _page(visitor: Visitor, game: Game, chapters: Sequence[Chapter], text: h.Node, here: str) -> str:
    """A page with its contents beside it."""
    title = words(f'web.rules.{here}.head', game=game.title)
    content = h.div('.wrap')[
        bar('rules', visitor.name),
        h.div('.book')[
            h.aside('.beside')[_search_form('', game), _contents(game, chapters, here)],
            h.main('.reading')[text],
        ],
    ]
    return _shell(visitor, title, content)


def _shell(visitor: Visitor, title: str, content: h.Element) -> str:
    return page(
        title, content, classes='lobby', script='rules.js', style='rules.css', theme=visitor.preferences.theme
    )


def _contents(game: Game, chapters: Sequence[Chapter], here: str) -> h.Element:
    """The contents: beside the text on wide windows, else folded away."""
    own = [
        h.li[
            h.a(href=f'#{chapter.id}')[chapter.title],
            chapter.parts and h.ol[[h.li[h.a(href=f'#{id_}')[title]] for id_, title in chapter.parts]],
        ]
        for chapter in chapters
    ]
    if here == 'readings':
        own += [h.li[h.a(href='#how-it-is-known')[words('web.rules.known')]]]
        other = h.a(href=f'/games/{game.name}/rules')[words('web.rules.rules.head', game=game.title)]
    else:
        other = h.a(href=_readings(game))[words('web.rules.readings')]
    return h.details('.contents')[
        h.summary[words('web.rules.contents')],
        h.nav(aria_label=words('web.rules.contents'))[h.ol[own], h.p('.other')[other]],
    ]


# ---- all rulebooks, and the search over them ---------------------------------------------------------------


def index(visitor: Visitor, query: str, first: str = '') -> str:
    """All rulebooks; with a query the passages that answer it, those of the game `first` first."""
    query = ' '.join(query.split())
    games = sorted(all_games(), key=lambda game: game.name != first)
    content = h.div('.wrap')[
        bar('rules', visitor.name),
        h.main('.reading.shelf')[
            h.h1[words('web.rules.search.title', query=query) if query else words('web.rules.all')],
            _search_form(query),
            _results(games, query) if query else None,
            [_book(game) for game in games] if not query else None,
        ],
    ]
    title = words('web.rules.search.title', query=query) if query else words('web.rules.all')
    return _shell(visitor, title, content)


def _search_form(query: str, game: Game | None = None) -> h.Element:
    """The form of the search. `game`: its passages come first."""
    label = words('web.rules.search')
    return h.form('#search.find', role='search', action='/rules', method='get')[
        h.label[
            h.span('.unseen')[label],
            h.input(
                type='search', name='q', value=query, maxlength='100', placeholder=label, autocomplete='off'
            ),
        ],
        h.input(type='hidden', name='first', value=game.name) if game else None,
        h.button('.btn', type='submit', aria_label=words('web.rules.search.go'))[icon('search', 20)],
    ]


def _book(game: Game) -> h.Element:
    brief = address_of(game, 'in-two-minutes') if book(game.name) else ''
    return h.section('.spine')[
        h.img(src=f'/games/{game.name}/badge.svg', alt='', width='72', height='72', loading='lazy'),
        h.div[
            h.h2[h.a(href=f'/games/{game.name}/rules')[game.title]],
            h.p[facts(game)],
            h.p[
                h.a(href=brief or f'/games/{game.name}/rules')[words('web.rules.brief')],
                h.a(href=f'/games/{game.name}/rules')[words('web.rules.whole')],
                h.a(href=_readings(game))[words('web.rules.readings')],
            ],
        ],
    ]


def _results(games: Sequence[Game], query: str) -> list[h.Node]:
    """The passages that were found, game by game, and how many there are."""
    found = {game.name: search(game.name, query) for game in games}
    n = sum(map(len, found.values()))
    if not n:
        near = nearest_words([game.name for game in games], query)
        return [
            h.p(role='status')[words('web.rules.search.none', query=query)],
            near
            and h.p[
                words('web.rules.search.near'),
                [[' ', h.a(href=f'/rules?q={word}')[word]] for word in near],
            ],
        ]
    key = 'web.rules.search.one' if n == 1 else 'web.rules.search.found'
    return [
        h.p(role='status')[words(key, n=n, query=query)],
        [
            h.section(aria_label=game.title)[
                h.h2[h.span[game.title], h.span('.count')[str(len(found[game.name]))]],
                h.ol('.hits')[[_hit(game, one) for one in found[game.name][:MOST]]],
                len(found[game.name]) > MOST
                and h.p('.more-hits')[words('web.rules.search.more', n=len(found[game.name]) - MOST)],
            ]
            for game in games
            if found[game.name]
        ],
    ]


def _hit(game: Game, found: SearchHit) -> h.Element:
    """A passage: the heading above it, which leads to it, and the sentence in which words were found."""
    return h.li[
        h.a(href=address_of(game, found.passage.id))[_marked(found.heading)],
        not found.passage.is_heading and h.p[_marked(found.sentence)],
    ]


def _marked(parts: Sequence[tuple[str, bool]]) -> list[h.Node]:
    return [h.mark[text] if hit else Markup('') + text for text, hit in parts]
