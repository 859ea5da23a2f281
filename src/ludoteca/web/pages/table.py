"""The page of a table: the parts of its first message, and the frame that the script fills later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.drawing.marks import emblem
from ludoteca.game import Game, load
from ludoteca.store import Table
from ludoteca.text import words
from ludoteca.web.html.layout import Markup, components_of, h, icon, no_script, page
from ludoteca.web.pages.controls import colour_radios, radios
from ludoteca.web.pages.replay import more_button, play_button, replay_panel
from ludoteca.web.pages.sharing import LinkPreview, share_dialog, social
from ludoteca.web.people.preferences import Preferences
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.table.messages import no_handing
from ludoteca.web.table.places import THING, WHERE, WHY, no_places

PLACE_WORDS = (
    'can',
    'next',
    'instead',
    'picked',
    'plays',
    'ways',
    'left',
    'ready',
    'nearest',
    'none',
    'none_own',
)
PLACE_KEYS = {
    'arrows': '← → ↑ ↓',
    'pages': 'PgUp PgDn',
    'enter': 'Enter',
    'can': '. ,',
    'own': 'N',
    'news': 'C',
    'scores': 'S',
    'turn': 'T',
}

Parts = Mapping[str, Markup]
"""The fragments of a message, by their ids."""


def table_page(
    visitor: Visitor,
    table: Table,
    message: Mapping[str, Any],
    link: str = '',
    look: Mapping[str, Any] | None = None,
    shared: LinkPreview | None = None,
) -> str:
    """The table page, complete: the script adds motion and choosing, no content. `link`: an address at which
    others can look at the table, if the visitor may give it away. `look`: the turn at which it is opened, as
    fragments of an earlier position; `shared`: what it tells of itself to those who are sent its address."""
    game = load(table.game)
    fragments = dict(message['fragments']) | (dict(look['fragments']) if look else {})
    parts = {name: Markup(text) for name, text in fragments.items()}
    return page(
        message['title'],
        h.button('.skip', type='button', **{'data-act': 'places'})[words('web.places.skip')],
        h.a('.skip', href='#drawing')[words('web.skip')],
        no_script(),
        _top(parts),
        _area(parts),
        _board(game, parts, message),
        h.aside('.side')[
            _side_title(parts, visitor.preferences.sound, shares=True),
            _of_set(game),
            parts['result'],
            h.div('.recaps')[parts['recap']],
            parts['players'],
            parts['cards'],
            _drawers(visitor, table, game, parts),
        ],
        share_dialog(table.id, link),
        _ask_resign(table),
        _ask('retry', words('web.table.retry.text'), 'undo'),
        _ask('blunder', '', 'check'),
        _ask('shut', words('web.table.shut.text'), 'trash', ' danger') if table.status == 'open' else None,
        h.div('#speak.unseen', aria_live='polite', role='status'),
        h.div('#toast.toast', aria_hidden='true'),
        classes=_classes(visitor, game, table.players) + (' looking-back' if look else ''),
        script='table.js',
        style='table.css',
        theme=visitor.preferences.theme,
        data=_data(visitor, table, game, message) | ({'look': dict(look)} if look else {}),
        last='toast',
        about=social(shared) if shared else None,
        symbols=game.symbols(),
    )


def board_page(
    visitor: Visitor,
    game: Game,
    message: Mapping[str, Any],
    drawers: Sequence[tuple[str, str, str, h.Node]],
    data: Mapping[str, Any],
    dialogs: h.Node = None,
    style: str = '',
) -> str:
    """A page with the board of the table page and drawers of its own, each with its name, icon, label and
    content; that of the settings comes last by itself. `data`: what its script is given besides."""
    parts = {name: Markup(text) for name, text in message['fragments'].items()}
    settings = words('web.table.settings')
    own = [*drawers, ('settings', 'gear', settings, h.div('.inside')[_settings(visitor.preferences, game)])]
    cards = ' with-cards' if game.parts.cards or game.arranged else ''
    return page(
        message['title'],
        h.button('.skip', type='button', **{'data-act': 'places'})[words('web.places.skip')],
        h.a('.skip', href='#drawing')[words('web.skip')],
        no_script(),
        _top(parts),
        _area(parts),
        _board(game, parts, message),
        h.aside('.side')[
            _side_title(parts, visitor.preferences.sound),
            parts['result'],
            h.div('.recaps')[h.section('#recap.recap', hidden=True)],
            parts['players'],
            parts['cards'],
            h.nav('.drawers', aria_label=words('web.nav.more'))[
                [_opener(name, icon_name, label) for name, icon_name, label, _ in own]
            ],
            [_drawer(name, label, content) for name, _, label, content in own],
        ],
        dialogs,
        h.div('#speak.unseen', aria_live='polite', role='status'),
        h.div('#toast.toast', aria_hidden='true'),
        classes=f'table-page study-page{cards}{" as-list" if visitor.preferences.places else ""}',
        script='table.js',
        style=f'table.css {style}',
        theme=visitor.preferences.theme,
        data=_board_data(visitor, game, message) | dict(data),
        last='toast',
        symbols=game.symbols(),
    )


def _classes(visitor: Visitor, game: Game, players: int) -> str:
    """The classes of the page: are there cards, are there many players, is the board shown as a list?"""
    cards = ' with-cards' if game.parts.cards or game.arranged else ''
    many = ' many' if players > 2 else ''
    return f'table-page{cards}{many}{" as-list" if visitor.preferences.places else ""}'


def _data(visitor: Visitor, table: Table, game: Game, message: Mapping[str, Any]) -> dict[str, Any]:
    """What the script of the page is given."""
    return {'table': table.id, 'secrets': game.hidden} | _board_data(visitor, game, message)


def _board_data(visitor: Visitor, game: Game, message: Mapping[str, Any]) -> dict[str, Any]:
    """What it is given wherever there is a board."""
    lay = ('turnNothing', 'turnNotHere', 'flipNothing', 'flipNotHere', 'gain', 'gainOwn', 'board', 'at')
    texts = {key: words(f'web.table.{key}') for key in ('refused', 'offline', 'restored')}
    texts['thinking'] = words('web.table.searching')
    texts |= {key: words(f'web.table.lay.{key}') for key in lay}
    texts |= {f'places.{key}': words(f'web.places.{key}') for key in PLACE_WORDS}
    texts |= {f'hint.{stage}': words(f'web.hint.next.{stage}') for stage in (WHERE, THING, WHY)}
    texts['hintKey'] = words('web.hint.key')
    texts |= {'closeLens': words('web.table.lens'), 'zoomed': words('web.table.zoomed')}
    texts['kept'] = words('web.table.arrange.kept')
    texts['noPencil'] = words('web.table.pencil.none')
    texts |= {'aboutRules': words('web.table.about.rules'), 'aboutNote': words('web.table.about.note')}
    return {
        'game': game.name,
        'redrafts': game.parts.redrafts is not None,
        'settings': visitor.preferences.json(),
        'sounds': dict(game.sounds),
        'words': texts,
        'message': dict(message),
    }


def _of_set(game: Game) -> h.Node:
    """Which component set the game is played with; nothing for its own components."""
    if game.component_set is None:
        return None
    title = words('web.components.set.title', set=game.component_set.title_or_hash)
    return h.p('.of-set')[
        h.a(href=f'/games/{game.name}/rules', target='_blank', title=components_of(game))[title],
        game.reconstructed and f' · {words("web.lobby.reconstructed")}',
    ]


def _home(size: int) -> h.Element:
    return h.a('.home', href='/', aria_label=words('web.nav.lobby'))[emblem(size)]


def _top(parts: Parts) -> h.Element:
    """The prompt and the buttons; while the page looks back, the way to the present."""
    return h.header('.top')[
        _home(30),
        parts['prompt'],
        parts['acts'],
        h.div('#past.past', hidden=True)[
            h.span(**{'data-text': words('web.table.looking_back')}),
            [
                h.button('.ibtn', type='button', aria_label=words(f'web.table.{key}'), data_act=act)[
                    icon(act, 18)
                ]
                for act, key in (('prev', 'back'), ('next', 'forward'))
            ],
            play_button(),
            more_button(),
            h.span('#again'),
            h.button('.btn.main', type='button', **{'data-act': 'present'})[words('web.table.present')],
        ],
    ]


def _area(parts: Parts) -> h.Element:
    """The area between header and board: the card of a lesson or an exercise, or what the others did."""
    return h.div('.area')[parts.get('lesson'), parts['happened']]


def _board(game: Game, parts: Parts, message: Mapping[str, Any]) -> h.Element:
    """The drawing, and what can lie over it."""
    return h.main('#felt.felt')[
        h.div('.stage')[
            parts['drawing'], h.svg('#overlay.board.ghost.overlay', aria_hidden='true', focusable='false')
        ],
        _listed(parts),
        h.p('#bubble.bubble', aria_hidden='true'),
        h.p('#net.net', role='status', hidden=True)[words('web.table.offline')],
        parts['status'],
        _curtain(parts, drawn=message['curtain']),
        _pencil() if game.hidden else None,
        h.ul('#said.said'),
        replay_panel(game),
    ]


def _listed(parts: Parts) -> h.Element:
    """The board as a list, which the page shows beside the drawing or in its place if it is asked for."""
    title, close, typed = words('web.places.title'), words('web.table.close'), words('web.places.typed')
    return h.section('#listed.listed', aria_label=title)[
        h.header[
            h.h2[title],
            h.button('.ibtn', type='button', aria_label=close, **{'data-act': 'places'})[icon('close', 18)],
        ],
        # 'dialog': sent before its script is there, it does nothing, and keeps what was typed
        h.form('#typed.typed', method='dialog')[
            h.label[
                typed,
                h.input(
                    type='text', name='name', autocomplete='off', autocapitalize='off', spellcheck='false'
                ),
            ],
            h.button('.btn.s', type='submit')[words('web.places.play')],
            h.output(aria_live='polite'),
        ],
        parts.get('places', no_places()),
        h.details[
            h.summary[words('web.settings.keys')],
            h.dl('.keys')[
                (
                    h.div[h.dt[h.kbd[key]], h.dd[words(f'web.places.key.{name}')]]
                    for name, key in PLACE_KEYS.items()
                )
            ],
        ],
    ]


def _curtain(parts: Parts, drawn: bool) -> h.Element:
    """The curtain of a shared screen: what all may know, and the button of the person who comes to it."""
    return h.section('#curtain.curtain', hidden=not drawn, aria_labelledby='handing-title')[
        parts.get('handing', no_handing()),
        h.button('.btn.main', type='button', aria_describedby='handing-title', **{'data-act': 'here'})[
            words('web.table.curtain_ready')
        ],
        h.p[words('web.table.curtain_text')],
    ]


def _pencil() -> h.Element:
    """The labels that can be pencilled on an element, filled in by the page."""
    title, close = words('web.table.pencil.title'), words('web.table.pencil.close')
    return h.section('#pencil.pencil', hidden=True, role='dialog', aria_label=title)[
        h.header[
            h.h3[title],
            h.button('.ibtn', type='button', aria_label=close, **{'data-act': 'rub'})[icon('close', 16)],
        ],
        h.div('.labels'),
    ]


def _side_title(parts: Parts, sound: bool, shares: bool = False) -> h.Element:
    share, sounds = words('web.share.title'), words('web.settings.sound')
    return h.div('.ttl')[
        _home(26),
        parts['heading'],
        h.button(
            '.ibtn.sound',
            type='button',
            aria_label=sounds,
            title=sounds,
            aria_pressed=str(sound).lower(),
            data_act='sound',
        )[icon('sound')],
        shares
        and h.button('.ibtn', type='button', aria_label=share, title=share, data_act='share')[icon('share')],
    ]


# ---- drawers -----------------------------------------------------------------------------------------------


def _drawers(visitor: Visitor, table: Table, game: Game, parts: Parts) -> list[h.Element]:
    """The drawers, after the buttons that open them."""
    log, chat, rules = words('web.table.moves'), words('web.table.chat'), words('web.table.rules')
    menu, settings = words('web.table.menu'), words('web.table.settings')
    seated = bool(table.seats_of(visitor.id))
    own = _settings(visitor.preferences, game)
    return [
        h.nav('.drawers', aria_label=words('web.nav.more'))[
            _opener('moves', 'log', log),
            _opener('chat', 'chat', chat, count=True),
            _opener('rules', 'rules', rules),
            _opener('menu', 'menu', menu),
            _opener('settings', 'gear', settings),
        ],
        _drawer('moves', log, parts['moves']),
        _drawer('chat', chat, [h.div('.inside')[parts['chat']], _chat_form(seated)]),
        _drawer('rules', rules, [h.div('.inside')], source=f'/games/{game.name}/rules'),
        _drawer('menu', menu, [h.div('.inside')[parts['menu']]]),
        _drawer('settings', settings, [h.div('.inside')[own]]),
    ]


def _opener(name: str, icon_name: str, label: str, count: bool = False) -> h.Element:
    return h.button(
        type='button', aria_expanded='false', aria_controls=f'drawer-{name}', **{'data-drawer': name}
    )[icon(icon_name, 21), label, count and h.span('.n', hidden=True)]


def _drawer(name: str, label: str, content: h.Node, source: str | None = None) -> h.Element:
    data = {'data-source': source} if source else {}
    close = words('web.table.close')
    # the log names itself, also where it stands open
    own = name == 'moves'
    return h.section(f'#drawer-{name}.drawer', hidden=True, aria_label=None if own else label, **data)[
        h.header[
            not own and h.h2[label], h.button('.ibtn.close', type='button', aria_label=close)[icon('close')]
        ],
        content,
    ]


def _chat_form(seated: bool) -> h.Element:
    if not seated:
        return h.p('.chat-form')[words('web.chat.seatless')]
    placeholder = words('web.chat.placeholder')
    return h.form('#chat-form.chat-form', method='dialog')[
        h.input(
            type='text',
            name='text',
            maxlength='500',
            autocomplete='off',
            aria_label=placeholder,
            placeholder=placeholder,
            **{'data-first': ''},
        ),
        h.button('.btn.main', type='submit')[words('web.chat.send')],
    ]


def _settings(preferences: Preferences, game: Game) -> h.Element:
    """The form of a person's preferences; that of deductions in games with secrets only."""

    def choice(name: str, values: Sequence[str], chosen: str) -> h.Element:
        return h.fieldset('.field')[
            h.legend[words(f'web.settings.{name}')],
            radios(name, [(value, words(f'web.settings.{name}.{value}')) for value in values], chosen),
        ]

    def switch(name: str, on: bool) -> h.Element:
        return h.label('.switch')[
            h.span[words(f'web.settings.{name}')],
            h.input(type='checkbox', role='switch', name=name, checked=on),
        ]

    keys = [('r', 'R'), ('enter', 'Enter'), ('u', 'U'), ('h', 'H'), ('about', '?')]
    keys += [('arrows', '← →'), ('can', '. ,'), ('space', 'K'), ('speed', '+ −'), ('escape', 'Esc')]
    if game.hidden:
        keys.append(('p', 'P'))
    return h.form('#settings-form.stack', method='dialog')[
        switch('sound', preferences.sound),
        choice('theme', ('system', 'light', 'dark'), preferences.theme),
        choice('confirm', ('auto', 'on', 'off'), preferences.confirm),
        choice('log', ('sentences', 'notation'), preferences.log),
        choice('coach', ('first', 'always', 'never'), preferences.coach),
        h.fieldset('.field')[
            h.legend[words('web.settings.colour')], colour_radios('colour', preferences.colour)
        ],
        h.div[
            switch('coordinates', preferences.coordinates),
            switch('marks', preferences.marks),
            game.hidden and switch('deductions', preferences.deductions),
            switch('haptics', preferences.haptics),
            switch('notify', preferences.notify),
            switch('places', preferences.places),
        ],
        h.hr,
        h.div('.field')[h.span[words('web.settings.keys')]],
        h.dl('.keys')[
            [h.div[h.dt[h.kbd[key]], h.dd[words(f'web.settings.key.{name}')]] for name, key in keys]
        ],
    ]


def _ask_resign(table: Table) -> h.Element:
    text = words('web.table.resign.text.two' if table.players == 2 else 'web.table.resign.text.more')
    return _ask('resign', text, 'flag', ' danger')


def _ask(what: str, text: str, icon_name: str, classes: str = '') -> h.Element:
    """A dialog that asks before something is done; see `ask` of table.js."""
    return h.dialog(f'#ask-{what}', aria_labelledby=f'ask-{what}-title')[
        h.form(method='dialog')[
            h.h2(f'#ask-{what}-title')[words(f'web.table.{what}.title')],
            h.p[text],
            h.div('.dialog-acts')[
                h.button('.btn', value='no')[words(f'web.table.{what}.no')],
                h.button(class_=f'btn{classes}', value='yes')[
                    icon(icon_name, 18), words(f'web.table.{what}.yes')
                ],
            ],
        ]
    ]
