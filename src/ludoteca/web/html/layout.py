"""The shell of every page, and the small parts that pages share."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from ludoteca.drawing import palette
from ludoteca.drawing.icons import icon
from ludoteca.drawing.marks import emblem, hollow, sign
from ludoteca.drawing.svg import Symbols, escaped
from ludoteca.game import Game
from ludoteca.text import words
from ludoteca.web.html.elements import Element, h
from ludoteca.web.serving import assets

__all__ = [
    'LATIN',
    'Markup',
    'bar',
    'button',
    'components_of',
    'credits_of',
    'data_block',
    'footer',
    'h',
    'hollow',
    'icon',
    'no_script',
    'notice',
    'page',
    'sign',
    'text_of',
]


THEMES: tuple[palette.Tint, ...] = ('light', 'dark')
LATIN = 'fonts/inter-latin.woff2'
"""The font that every page needs: loaded with the style sheets, so that the first picture has it."""


def text_of(node: h.Node) -> str:
    """A node as HTML: what `str` makes of an element, in a tenth of the time. htpy asks each node for each of
    the many kinds that it could be, and hands every piece through a generator for every level above it."""
    out: list[str] = []
    _write(node, out)
    return ''.join(out)


def _write(node: Any, out: list[str]) -> None:
    kind = type(node)
    if kind is Markup:
        out.append(node)
    elif kind is str:
        out.append(escaped(node))
    elif kind is Element:
        out.append(f'<{node._name}{node._attrs}>')
        _write(node._children, out)
        out.append(f'</{node._name}>')
    elif kind is h.VoidElement:
        out.append(f'<{node._name}{node._attrs}>')
    elif kind is list or kind is tuple:
        for child in node:
            _write(child, out)
    elif node is not None and kind is not bool:
        out.append(str(h.fragment[node]))  # whatever else htpy knows


def data_block(data: Any) -> h.Element:
    """Data for the page's script, as a block that is no script itself."""
    text = json.dumps(data, separators=(',', ':'), ensure_ascii=False)
    # only these characters could end a script element or open a comment in it
    safe = (
        text.replace('<', '\\u003c')
        .replace('>', '\\u003e')
        .replace('&', '\\u0026')
        .replace('\u2028', '\\u2028')
        .replace('\u2029', '\\u2029')
    )
    return h.script('#data', type='application/json')[Markup(safe)]


def page(
    title: str,
    *content: h.Node,
    classes: str = '',
    script: str = '',
    style: str = '',
    theme: str = 'system',
    data: Any = None,
    description: str = '',
    last: str = '',
    about: h.Node = None,
    symbols: Symbols | None = None,
) -> str:
    """A whole page. `style`: files besides the common ones. `about`: what others are told of it, see
    pages/sharing. `last`: the id of an element that a browser must have read before it paints the page,
    because late content would move what is already painted. `symbols`: what its drawings may refer to."""
    written = Markup(text_of(content))
    icons = {f'data-{colour}': assets.url(f'favicon-{colour}.svg') for colour in palette.PLAYERS}
    return str(
        h.html(lang='en', **({'data-theme': theme} if theme in ('light', 'dark') else {}))[
            h.head[
                h.meta(charset='utf-8'),
                h.meta(name='viewport', content='width=device-width, initial-scale=1, viewport-fit=cover'),
                h.title[title],
                description and h.meta(name='description', content=description),
                about,
                h.meta(name='color-scheme', content='light dark'),
                h.link(
                    '#favicon',
                    rel='icon',
                    type='image/svg+xml',
                    href=assets.url('favicon.svg'),
                    **{'data-rest': assets.url('favicon.svg'), 'data-turn': assets.url('favicon-blue.svg')},
                    **icons,
                ),
                h.link(rel='manifest', href='/manifest.webmanifest'),
                h.link(rel='apple-touch-icon', href=assets.url('icons/apple-touch.png')),
                [
                    h.meta(
                        name='theme-color',
                        content=palette.value('bg', kind),
                        media=f'(prefers-color-scheme: {kind})',
                    )
                    for kind in THEMES
                ],
                h.link(
                    rel='preload',
                    as_='font',
                    type='font/woff2',
                    href=assets.url(LATIN),
                    crossorigin=True,
                ),
                h.link(rel='stylesheet', href=assets.url('board.css')),
                h.link(rel='stylesheet', href=assets.url('app.css')),
                [h.link(rel='stylesheet', href=assets.url(one)) for one in style.split()],
                h.link(rel='stylesheet', href=assets.url('forced.css'), media='(forced-colors: active)'),
                last and h.link(rel='expect', href=f'#{last}', blocking='render'),
                script
                and [
                    h.script(type='module', src=assets.url(script)),
                    [
                        h.link(rel='modulepreload', href=assets.url(module))
                        for module in assets.imported(script)
                    ],
                    h.script(type='module', src=assets.url('install.js')),
                ],
            ],
            h.body(class_=classes)[
                symbols is not None and _sheet(symbols, written),
                written,
                data is not None and data_block(data),
            ],
        ]
    )


def _sheet(symbols: Symbols, content: str) -> h.Node:
    """The symbols of a page. What its content shows has no size, but is displayed: else gradients would not
    work. The others lie in a template, from which symbols.js takes what comes into sight: a browser prepares
    every symbol of a page, which takes half of the time until the page is drawn."""
    shown, others = symbols.divided(content)
    return h.fragment[
        h.svg('.symbols', width=0, height=0, aria_hidden='true', focusable='false')[Markup(shown)],
        h.template('#symbols')[h.svg[Markup(others)]],
    ]


def button(
    label: str, icon_name: str = '', classes: str = '', fold: bool = False, title: str = '', **attributes: Any
) -> h.Element:
    """A button. With `fold` only its icon is shown where there is little room."""
    return _button(label, icon_name, classes, fold, title, **attributes)


@lru_cache(maxsize=512, typed=True)  # most messages have the same buttons
def _button(label: str, icon_name: str, classes: str, fold: bool, title: str, **attributes: Any) -> h.Element:
    return h.button(
        class_=f'btn {classes}{" fold" if fold else ""}'.strip(),
        type=attributes.pop('type', 'button'),
        aria_label=label if fold else None,
        # a button with an explanation of its own needs no browser's title
        title=title or (label if fold and 'data_about' not in attributes else None),
        **{key.replace('_', '-'): value for key, value in attributes.items()},
    )[icon_name and icon(icon_name), label]


def bar(here: str, name: str | None, colour: str = 'blue') -> h.Element:
    """The line on top of reading pages and the lobby. `name` is the visitor's; None: not shown."""
    links = (('/', 'play'), *((f'/{key}', key) for key in ('learn', 'puzzles', 'analysis', 'rules')))
    return h.header('.bar')[
        h.a('.brand', href='/')[emblem(), words('web.name')],
        h.nav(aria_label=words('web.nav.main'))[
            [
                h.a(href=href, aria_current='page' if key == here else None)[words(f'web.nav.{key}')]
                for href, key in links
            ]
        ],
        name is not None
        and h.div('.guest')[
            sign(colour, 20),
            h.label(for_='name')[words('web.playing_as')],
            h.input(
                '#name',
                type='text',
                value=name,
                maxlength=24,
                autocomplete='nickname',
                spellcheck='false',
                aria_label=words('web.your_name'),
            ),
            h.button('#rename.ibtn', type='button', aria_label=words('web.change_name'))[icon('pencil', 18)],
        ],
    ]


def no_script() -> h.Element:
    """What a page that needs scripts says where there are none."""
    return h.noscript[h.p('.no-script')[words('web.no_script')]]


def notice(title: str, name: str | None, *content: h.Node) -> h.Element:
    """A page of a few lines, and what can be done. `name`: see `bar`."""
    return h.div('.wrap')[bar('', name), h.main('.notice')[emblem(64), h.h1[title], content]]


def credits_of(games: Iterable[Game]) -> list[str]:
    """Who made these games, and what may not be done with them: the words under `credits` of each."""
    return [game.words('credits') for game in games if 'credits' in game.words]


def components_of(game: Game) -> str:
    """Which components of a game are reconstructed, as one sentence."""
    if not game.reconstructed:
        return words('web.components.printed' if game.component_set is None else 'web.components.given')
    parts = ', '.join(game.words(f'reconstructed.{part}') for part in game.reconstructed)
    return words('web.components.reconstructed', parts=parts)


def footer(games: Iterable[Game]) -> h.Element:
    """The foot of reading pages and the lobby: credits, which stay visible."""
    return h.footer('.foot')[
        [h.p[line] for line in credits_of(games)],
        h.p[words('web.not_affiliated')],
        h.nav(aria_label=words('web.nav.more'))[
            h.a(href='/rules#search')[words('web.rules.search')],
            h.a(href='/analysis#films')[words('web.nav.films')],
            h.a(href='/sign-in')[words('web.nav.sign_in')],
            h.a(href='/api')[words('web.nav.api')],
            h.a(href='/docs/')[words('web.nav.docs')],
            h.a(href='/credits')[words('web.nav.credits')],
        ],
    ]
