"""Whole pages: the lobby, a table, an invitation, rules, the interface for programs, credits, errors."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import quote

from markdown_it import MarkdownIt

from ludoteca import game as contract
from ludoteca.drawing.marks import emblem
from ludoteca.game import COLOURS, Game, load
from ludoteca.search import LEVELS
from ludoteca.store import OPEN, Table
from ludoteca.text import words
from ludoteca.web import views
from ludoteca.web.layout import Markup, bar, button, components_of, credits_of, footer, h, hollow, icon, page, sign
from ludoteca.web.people import LONGEST_NAME, Visitor

FEW = 2  # so many games are shown as large cards
USUAL_LEVEL = 'easy'
SHOWN = 6  # tables in a list of the lobby


def all_games() -> list[Game]:
    """The games that exist."""
    return [load(name) for name in contract.games()]


# ---- the lobby -----------------------------------------------------------------------------------------------------------------


def _facts(game: Game) -> str:
    least, most = game.players[0], game.players[-1]
    return words('web.lobby.facts', players=str(least) if least == most else f'{least}–{most}', minutes=game.minutes)


def _quick(game: Game, mode: str, label: str, icon_name: str, classes: str = '') -> h.Element:
    """A form of one button: a table at once, without a dialog."""
    return h.form(method='post', action='/tables')[
        h.input(type='hidden', name='game', value=game.name),
        h.input(type='hidden', name='mode', value=mode),
        h.button(class_=f'btn {classes}'.strip(), type='submit')[icon(icon_name, 18), label],
    ]


def _against_bots(game: Game) -> h.Element:
    """The same with a choice of the bot's strength, where there is room for it."""
    return h.form(method='post', action='/tables')[
        h.input(type='hidden', name='game', value=game.name),
        h.input(type='hidden', name='mode', value='bot'),
        h.fieldset('.strength')[
            h.span[words('web.new.level')], _radios('level', [(name, level_word(name)) for name in LEVELS], USUAL_LEVEL)
        ],
        h.button('.btn.main', type='submit')[icon('robot', 18), words('web.lobby.bot')],
    ]


def _components(game: Game) -> h.Element:
    """Whether components are reconstructed, in a word or two; the rules page says which."""
    key = 'reconstructed' if game.reconstructed else 'printed'
    return h.a('.made', href=f'/games/{game.name}/rules#components', title=components_of(game))[words(f'web.lobby.{key}')]


def _card(game: Game) -> h.Element:
    return h.li('.game')[
        h.a('.pic', href=f'/games/{game.name}/rules', tabindex='-1', aria_hidden='true')[
            h.picture[h.img(src=f'/games/{game.name}/picture-light.svg', alt='', width='640', height='600')]
        ],
        h.div('.body')[
            h.h2[game.title],
            h.button(
                '.ibtn.choices',
                type='button',
                aria_label=(more := words('web.lobby.choices', game=game.title)),
                title=more,
                **{'data-dialog': 'new', 'data-game': game.name},
            )[icon('gear')],
            h.p('.meta')[_facts(game)],
            _components(game),
            h.p('.line')[game.words('tagline') if 'tagline' in game.words else ''],
            h.div('.go')[
                _against_bots(game),
                _quick(game, 'here', words('web.lobby.here'), 'people'),
                _quick(game, 'link', words('web.lobby.invite'), 'link'),
                h.a('.btn', href=f'/games/{game.name}/rules')[icon('rules', 18), words('web.lobby.rules')],
            ],
        ],
    ]


def _badge(name: str) -> h.VoidElement:
    return h.img('.thumb', src=f'/games/{name}/badge.svg', alt='', width='44', height='44', loading='lazy')


def _others(table: Table, visitor: Visitor) -> str:
    """Who else sits at a table."""
    names = [
        info.name or words(f'colour.{table.colours[info.seat]}')
        for info in table.seats
        if info.kind != OPEN and (info.person is None or info.person != visitor.id)
    ]
    return words('web.lobby.with', names=', '.join(names)) if names else words('web.lobby.alone')


def level_word(level: str) -> str:
    """A level's name for people."""
    return words(f'web.level.{level}') if f'web.level.{level}' in words else level


def _mine_row(table: Table, visitor: Visitor) -> h.Element:
    waits = table.status == 'running' and table.waits_for(visitor.id)
    game = load(table.game)
    label, kind = words('web.lobby.look'), ''
    if table.status == 'running':
        # where several choose in secret, who has chosen already is not told
        moving = None if game.sealed else next((info for info in table.seats if info.waiting), None)
        left = (
            ''
            if waits or moving is None
            else words('web.lobby.to_move', name=moving.name or words(f'colour.{table.colours[moving.seat]}'))
        )
        label = words('web.lobby.your_move') if waits else words('web.lobby.look')
        kind = 'main' if waits else ''
        # secret choices of all are turns of the match, and none for people
        place = '' if game.sealed else words('web.lobby.turn', n=table.turns + 1)
    elif table.status == OPEN:
        left, place = words('web.lobby.waits_for_players'), ''
    else:
        place = ''
        winners = table.result.winners if table.result else ()
        left = (
            words('web.lobby.won', name='', names=', '.join(table.seats[k].name for k in winners))
            if len(winners) == 1
            else words('web.lobby.drawn')
            if table.result
            else words('web.lobby.over')
        )
    return h.li(class_=f'row{" wait" if waits else ""}', id=f'row-{table.id}')[
        _badge(table.game),
        h.div('.tx')[h.b[game.title], h.span[' · '.join(filter(None, (_others(table, visitor), place)))]],
        h.span('.left')[left],
        h.a(class_=f'btn s {kind}'.strip(), href=f'/tables/{table.id}')[label],
    ]


def _open_row(table: Table) -> h.Element:
    game = load(table.game)
    taken = [info.kind != OPEN for info in table.seats]
    signs = [
        sign(colour, 18) if on else hollow(colour, 18) for colour, on in zip(table.colours, taken, strict=True)
    ]
    people = ', '.join(info.name for info in table.seats if info.kind == 'person')
    label = words('web.lobby.seats', taken=sum(taken), of=len(taken))
    return h.li('.row', id=f'row-{table.id}')[
        _badge(table.game),
        h.div('.tx')[h.b[game.title], h.span[f'{people} · {words("web.lobby.players", n=table.players)}']],
        h.span('.seats', role='img', aria_label=label)[signs],
        h.form(method='post', action=f'/tables/{table.id}/join')[
            h.button('.btn.s', type='submit')[words('web.lobby.join')]
        ],
    ]


def lists(visitor: Visitor, mine: Sequence[Table], open_tables: Sequence[Table]) -> h.Element:
    """My tables, those waiting first, and the tables that anybody may join."""
    waiting = sum(table.status == 'running' and table.waits_for(visitor.id) for table in mine)
    foreign = [table for table in open_tables if not table.seats_of(visitor.id)]
    count = words('web.lobby.waiting_one') if waiting == 1 else words('web.lobby.waiting', n=waiting)
    return h.div('#lists.two', **{'data-waiting': str(waiting)})[
        h.section(class_='panel mine' if waiting else 'panel mine idle', aria_label=words('web.lobby.mine'))[
            h.header[h.h2[words('web.lobby.mine')], waiting > 0 and h.span('.num')[count]],
            h.ul[[_mine_row(table, visitor) for table in mine[: SHOWN * 2]]]
            if mine
            else h.p('.none')[words('web.lobby.none_mine')],
        ],
        h.section('.panel.open', aria_label=words('web.lobby.open'))[
            h.header[
                h.h2[words('web.lobby.open')],
                h.span('.grow'),
                h.button('.btn.s', type='button', **{'data-dialog': 'new'})[icon('plus', 18), words('web.lobby.new')],
            ],
            h.ul[[_open_row(table) for table in foreign[:SHOWN]]]
            if foreign
            else h.p('.none')[words('web.lobby.none_open')],
        ],
    ]


def _radios(name: str, values: Sequence[tuple[str, str]], chosen: str) -> h.Element:
    return h.div('.segments')[
        [
            h.label[h.input(type='radio', name=name, value=value, checked=value == chosen), h.span[label]]
            for value, label in values
        ]
    ]


def _colour_radios(name: str, chosen: str) -> h.Element:
    """The players' colours by their signs, and none of them."""
    values = [('', words('web.new.colour.any')), *((colour, words(f'colour.{colour}')) for colour in COLOURS)]
    return h.div('.segments.signs')[
        [
            h.label(title=label)[
                h.input(type='radio', name=name, value=value, checked=value == chosen),
                h.span[sign(value, 20, label) if value else label],
            ]
            for value, label in values
        ]
    ]


def _colour_boxes() -> h.Element:
    """The players' colours as boxes to check."""
    return h.div('.segments.signs')[
        [
            h.label(title=words(f'colour.{colour}'))[
                h.input(type='checkbox', name='colours', value=colour), h.span[sign(colour, 20, words(f'colour.{colour}'))]
            ]
            for colour in COLOURS
        ]
    ]


def _option(game: Game, name: str) -> h.Element:
    """A field of the dialog: a list to choose from, or a box for each member of a set."""
    field, values = f'option-{game.name}-{name}', game.options.values()[name]
    label = game.words(f'option.{name}') if f'option.{name}' in game.words else name
    if members := game.options.members().get(name):
        chosen = str(values[0]).split(',')
        return h.details('.more.subset')[
            h.summary[label],
            h.input(type='hidden', name=field, value=''),  # is there if no box is checked
            h.div('.boxes')[
                [
                    h.label[h.input(type='checkbox', name=field, value=member, checked=member in chosen), h.span[member]]
                    for member in members
                ]
            ],
        ]
    return h.label('.field')[
        h.span[label],
        h.select(name=field)[
            [
                h.option(value=str(value).lower())[
                    game.words(key) if (key := f'option.{name}.{str(value).lower()}') in game.words else str(value)
                ]
                for value in values
            ]
        ],
    ]


def _dialog(games: Sequence[Game], wishes: views.Preferences) -> h.Element:
    first = games[0]
    levels = [(name, level_word(name)) for name in LEVELS]

    def for_game(game: Game) -> h.Element:
        counts = [(str(n), str(n)) for n in game.players]
        options = [_option(game, name) for name in game.options.values()]
        return h.fieldset(
            '.stack', **{'data-for-game': game.name}, hidden=game is not first, disabled=game is not first
        )[
            h.div('.field')[h.span[words('web.new.players')], _radios(f'players-{game.name}', counts, counts[0][0])]
            if len(counts) > 1
            else h.input(type='hidden', name=f'players-{game.name}', value=counts[0][0]),
            options and h.details('.more')[h.summary[words('web.new.options')], options],
        ]

    modes = [(mode, words(f'web.new.mode.{mode}')) for mode in ('bot', 'here', 'link', 'open')]
    return h.dialog('#new', aria_labelledby='new-title')[
        h.form(method='post', action='/tables')[
            h.header[
                h.h2('#new-title')[words('web.new.title')],
                h.button('.ibtn', type='button', aria_label=words('web.new.close'), **{'data-close': ''})[
                    icon('close')
                ],
            ],
            h.div('.field')[
                h.span[words('web.new.game')], _radios('game', [(game.name, game.title) for game in games], first.name)
            ]
            if len(games) > 1
            else h.input(type='hidden', name='game', value=first.name),
            h.div('.field')[h.span[words('web.new.mode')], _radios('mode', modes, 'bot')],
            [for_game(game) for game in games],
            h.fieldset('.field', **{'data-for-mode': 'bot'})[
                h.span[words('web.new.level')], _radios('level', levels, USUAL_LEVEL)
            ],
            h.fieldset('.field', **{'data-for-mode': 'bot link open'})[
                h.span[words('web.new.colour')], _colour_radios('colours', wishes.colour)
            ],
            h.fieldset('.field', hidden=True, disabled=True, **{'data-for-mode': 'here'})[
                h.span[words('web.new.colours')], _colour_boxes()
            ],
            h.p('.problem', role='alert', hidden=True, **{'data-offline': words('web.table.offline')}),
            h.div('.dialog-acts')[
                h.button('.btn', type='button', **{'data-close': ''})[words('web.new.cancel')],
                h.button('.btn.main', type='submit')[words('web.new.begin')],
            ],
        ]
    ]


def lobby(visitor: Visitor, mine: Sequence[Table], open_tables: Sequence[Table]) -> str:
    """The first page."""
    games = all_games()
    waiting = sum(table.status == 'running' and table.waits_for(visitor.id) for table in mine)
    line = words('web.lobby.line.one') if len(games) < 2 else words('web.lobby.line.many', n=len(games))
    content = h.div('.wrap')[
        bar('play', visitor.name, visitor.wishes.colour or COLOURS[0]),
        h.div('.head')[h.h1[words('web.lobby.title')], h.p[line]],
        h.ul(class_='games few' if len(games) <= FEW else 'games')[[_card(game) for game in games]],
        lists(visitor, mine, open_tables),
        footer(games),
        _dialog(games, visitor.wishes),
    ]
    return page(
        (f'({waiting}) ' if waiting else '') + words('web.name'),
        content,
        h.div('#speak.unseen', aria_live='polite'),
        classes='lobby',
        script='lobby.js',
        theme=visitor.wishes.theme,
        description=words('web.lobby.line.one'),
    )


# ---- a table -------------------------------------------------------------------------------------------------------------------


def table(visitor: Visitor, table: Table, message: Mapping[str, Any], link: str = '') -> str:
    """The table page, complete: the script adds motion and choosing, not content. `link`: where others can look at it, if this
    visitor may say so."""
    game = load(table.game)
    part = {name: Markup(text) for name, text in message['fragments'].items()}
    wishes = visitor.wishes
    seated = bool(table.seats_of(visitor.id))
    said = {key: words(f'web.table.{key}') for key in ('copied', 'selected', 'refused', 'offline')}
    said |= {key: words(f'web.table.share.{key}') for key in ('seat', 'watch', 'failed')}
    said |= {'thinking': words('web.table.searching'), 'yourTurn': words('web.table.your_turn', game=game.title)}
    said |= {key: words(f'web.table.lay.{key}') for key in ('turnNothing', 'turnNotHere', 'flipNothing', 'flipNotHere')}
    said |= {key: words(f'web.table.lay.{key}') for key in ('gain', 'gainOwn', 'board')}
    said['kept'] = words('web.table.arrange.kept')
    said['noPencil'] = words('web.table.pencil.none')
    data = {
        'table': table.id,
        'game': game.name,
        'redrafts': type(game).redraft is not Game.redraft,
        'secrets': game.hidden,
        'settings': wishes.json(),
        'words': said,
        'message': dict(message),
    }
    return page(
        message['title'],
        h.a('.skip', href='#drawing')[words('web.skip')],
        h.div('.top')[
            h.a('.home', href='/', aria_label=words('web.nav.lobby'))[emblem(30)],
            part['prompt'],
            part['acts'],
            h.div('#past.past', hidden=True)[
                h.span(**{'data-text': words('web.table.looking_back')}),
                h.button('.btn.main', type='button', **{'data-act': 'present'})[words('web.table.present')],
            ],
        ],
        h.main('#felt.felt')[
            views.symbols(game),
            h.div('.stage')[
                part['drawing'], h.svg('#overlay.board.ghost.overlay', aria_hidden='true', focusable='false')
            ],
            h.p('#bubble.bubble', aria_hidden='true'),
            h.p('#net.net', role='status', hidden=True)[words('web.table.offline')],
            part['status'],
            h.section('#curtain.curtain', hidden=not message['curtain'])[
                h.p[words('web.table.curtain')],
                h.h2(**{'data-name': ''})[message['who'] if message['curtain'] else ''],
                h.p[words('web.table.curtain_text')],
                h.button('.btn.main', type='button', **{'data-act': 'here'})[words('web.table.curtain_ready')],
            ],
            h.section('#pencil.pencil', hidden=True, role='dialog', aria_label=words('web.table.pencil.title'))[
                h.header[
                    h.h3[words('web.table.pencil.title')],
                    h.button(
                        '.ibtn', type='button', aria_label=words('web.table.pencil.close'), **{'data-act': 'rub'}
                    )[icon('close', 16)],
                ],
                h.div('.labels'),
            ]
            if game.hidden
            else None,
        ],
        h.aside('.side')[
            h.div('.ttl')[
                h.a('.home', href='/', aria_label=words('web.nav.lobby'))[emblem(26)],
                part['heading'],
                link
                and h.button(
                    '.ibtn',
                    type='button',
                    aria_label=words('web.table.share'),
                    title=words('web.table.share'),
                    **{'data-act': 'share', 'data-link': link},
                )[icon('share')],
            ],
            part['players'],
            part['cards'],
            h.div('#since.past', hidden=True)[
                h.button('.btn.quiet', type='button', **{'data-act': 'since'})[
                    icon('next', 18), h.span(**{'data-text': words('web.table.since')})
                ],
            ],
            part['moves'],
            h.nav('.drawers', aria_label=words('web.nav.more'))[
                _opener('chat', 'chat', words('web.table.chat'), count=True),
                _opener('rules', 'rules', words('web.table.rules')),
                _opener('menu', 'menu', words('web.table.menu')),
                _opener('settings', 'gear', words('web.table.settings')),
            ],
            _drawer(
                'chat',
                words('web.table.chat'),
                [
                    h.div('.inside')[part['chat']],
                    h.form('#chat-form.chat-form')[
                        h.input(
                            type='text',
                            name='text',
                            maxlength='500',
                            autocomplete='off',
                            aria_label=words('web.chat.placeholder'),
                            placeholder=words('web.chat.placeholder'),
                            **{'data-first': ''},
                        ),
                        h.button('.btn.main', type='submit')[words('web.chat.send')],
                    ]
                    if seated
                    else h.p('.chat-form')[words('web.chat.seatless')],
                ],
            ),
            _drawer('rules', words('web.table.rules'), [h.div('.inside')], source=f'/games/{game.name}/rules'),
            _drawer('menu', words('web.table.menu'), [h.div('.inside')[part['menu']]]),
            _drawer('settings', words('web.table.settings'), [h.div('.inside')[_settings(wishes, game)]]),
        ],
        _ask_resign(table),
        h.div('#speak.unseen', aria_live='polite', role='status'),
        h.div('#toast.toast', aria_hidden='true'),
        classes='table-page with-cards' if _has_cards(game) else 'table-page',
        script='table.js',
        theme=wishes.theme,
        data=data,
    )


def _opener(name: str, icon_name: str, label: str, count: bool = False) -> h.Element:
    return h.button(type='button', aria_expanded='false', aria_controls=f'drawer-{name}', **{'data-drawer': name})[
        icon(icon_name, 21), label, count and h.span('.n', hidden=True)
    ]


def _drawer(name: str, label: str, content: h.Node, source: str | None = None) -> h.Element:
    return h.section(
        f'#drawer-{name}.drawer', hidden=True, aria_label=label, **{'data-source': source} if source else {}
    )[
        h.header[
            h.h2[label], h.button('.ibtn.close', type='button', aria_label=words('web.table.close'))[icon('close')]
        ],
        content,
    ]


def _has_cards(game: Game) -> bool:
    """Does a game ever have something to show beside the board?"""
    return type(game).cards is not Game.cards or bool(game.arranged)


def _settings(wishes: views.Preferences, game: Game) -> h.Element:
    def choice(name: str, values: Sequence[str], chosen: str) -> h.Element:
        return h.fieldset('.field')[
            h.legend[words(f'web.settings.{name}')],
            _radios(name, [(value, words(f'web.settings.{name}.{value}')) for value in values], chosen),
        ]

    def switch(name: str, on: bool) -> h.Element:
        return h.label('.switch')[
            h.span[words(f'web.settings.{name}')], h.input(type='checkbox', role='switch', name=name, checked=on)
        ]

    keys = [('r', 'R'), ('enter', 'Enter'), ('u', 'U'), ('h', 'H'), ('arrows', '← →'), ('escape', 'Esc')]
    if game.hidden:
        keys.append(('p', 'P'))
    return h.form('#settings-form.stack')[
        choice('theme', ('system', 'light', 'dark'), wishes.theme),
        choice('confirm', ('auto', 'on', 'off'), wishes.confirm),
        h.fieldset('.field')[h.legend[words('web.settings.colour')], _colour_radios('colour', wishes.colour)],
        h.div[
            switch('coordinates', wishes.coordinates),
            switch('marks', wishes.marks),
            game.hidden and switch('deductions', wishes.deductions),
            switch('sound', wishes.sound),
            switch('notify', wishes.notify),
        ],
        h.hr,
        h.div('.field')[h.span[words('web.settings.keys')]],
        h.dl('.keys')[[h.div[h.dt[h.kbd[key]], h.dd[words(f'web.settings.key.{name}')]] for name, key in keys]],
    ]


def _ask_resign(table: Table) -> h.Element:
    return h.dialog('#ask-resign', aria_labelledby='ask-resign-title')[
        h.form(method='dialog')[
            h.h2('#ask-resign-title')[words('web.table.resign.title')],
            h.p[words('web.table.resign.text.two' if table.players == 2 else 'web.table.resign.text.more')],
            h.div('.dialog-acts')[
                h.button('.btn', value='no')[words('web.table.resign.no')],
                h.button('.btn.danger', value='yes')[icon('flag', 18), words('web.table.resign.yes')],
            ],
        ]
    ]


def invitation(visitor: Visitor, table: Table, token: str) -> str:
    """What a link opens: one button that takes the seat. Looking at the link alone takes nothing."""
    game = load(table.game)
    host = next((info.name for info in table.seats if info.person == table.owner and info.name), '')
    return page(
        game.title,
        h.div('.wrap')[
            bar('', visitor.name),
            h.main('.notice.invitation')[
                h.img(src=f'/games/{game.name}/picture-light.svg', alt='', width='640', height='600'),
                h.h1[words('web.join.title', name=host, game=game.title) if host else game.title],
                h.p[game.words('tagline') if 'tagline' in game.words else _facts(game)],
                h.form(method='post', action=f'/join/{quote(token, safe="")}')[
                    h.button('.btn.main', type='submit')[words('web.join.sit', name=visitor.name)]
                ],
                h.a(href=f'/games/{game.name}/rules')[words('web.lobby.rules')],
            ],
        ],
        classes='lobby',
        script='lobby.js',
        theme=visitor.wishes.theme,
    )


# ---- rules ---------------------------------------------------------------------------------------------------------------------


PICTURES = ('position:', 'figure:')


def picture_address(game: Game, spec: str, theme: str = 'light') -> str:
    """Where a picture is found that a rulebook names as `position:NAME`, `position:NAME?turn=STEP+STEP` or `figure:NAME`."""
    kind, _, rest = spec.partition(':')
    name, _, query = rest.partition('?')
    return f'/games/{game.name}/{kind}s/{quote(name, safe="")}.svg?theme={theme}' + (f'&{query}' if query else '')


def chapter_id(heading: str) -> str:
    """The id of a heading of a rulebook: its words in small letters, joined by `-`."""
    return '-'.join(re.findall(r'[a-z0-9]+', heading.lower()))


def _is_link(url: str) -> bool:
    return url.startswith((*PICTURES, '#', '/', 'https:', 'http:'))


@cache
def rules_html(name: str) -> str:
    """The rulebook as HTML. Raw HTML in it is shown as text; pictures are our own drawings."""
    game = load(name)
    try:
        text = game.rules()
    except FileNotFoundError:
        return str(h.p[words('web.rules.unwritten')])
    markdown = MarkdownIt('commonmark', {'html': False, 'typographer': True}).enable(
        ['table', 'replacements', 'smartquotes']
    )
    # these are no addresses of the web: they stand for drawings of ours
    markdown.validateLink = _is_link  # type: ignore[method-assign]
    tokens = markdown.parse(text)
    for token, following in itertools.pairwise(tokens):
        if token.type == 'heading_open':
            token.attrs['id'] = chapter_id(following.content)
    for token in tokens:
        for child in token.children or ():
            if child.type == 'image' and str(child.attrs.get('src', '')).startswith(PICTURES):
                child.attrs['src'] = picture_address(game, str(child.attrs['src']))
                child.attrs['loading'] = 'lazy'
                child.attrs['width'] = child.attrs['height'] = '720'
    return str(markdown.renderer.render(tokens, markdown.options, {}))


def rules(visitor: Visitor, game: Game) -> str:
    """The page of a game's rules."""
    return page(
        words('web.rules.title', game=game.title),
        h.div('.wrap')[
            bar('', visitor.name),
            h.main('.reading')[
                Markup(rules_html(game.name)),
                h.hr,
                h.p('#components')[components_of(game)],
                [h.p[line] for line in credits_of([game])],
                _quick(game, 'bot', words('web.rules.play', game=game.title), 'robot', 'main'),
            ],
        ],
        classes='lobby',
        script='lobby.js',
        theme=visitor.wishes.theme,
    )


# ---- other pages ---------------------------------------------------------------------------------------------------------------


def error(status: int, sentence: str) -> str:
    """One clear sentence, and a way on."""
    return page(
        words('web.error.title'),
        h.div('.wrap')[
            bar('', None),
            h.main('.notice')[
                emblem(64),
                h.h1[words('web.error.title')],
                h.p[sentence],
                h.a('.btn.main', href='/')[words('web.error.home')],
                h.p('.unseen')[str(status)],
            ],
        ],
        classes='lobby',
    )


def credits_page(visitor: Visitor) -> str:
    """Whose games these are."""
    return page(
        words('web.nav.credits'),
        h.div('.wrap')[
            bar('', visitor.name),
            h.main('.reading')[
                h.h1[words('web.nav.credits')],
                [
                    [h.h2[game.title], [h.p[line] for line in credits_of([game])], h.p[components_of(game)]]
                    for game in all_games()
                ],
                h.p[words('web.not_affiliated')],
            ],
        ],
        classes='lobby',
        script='lobby.js',
        theme=visitor.wishes.theme,
    )


def api_docs(visitor: Visitor, schema: Mapping[str, Any]) -> str:
    """The interface for programs, from its OpenAPI description; no script is needed to read it."""

    def body(operation: Mapping[str, Any]) -> h.Node:
        content = operation.get('requestBody', {}).get('content', {}).get('application/json', {}).get('schema', {})
        name = str(content.get('$ref', '')).rpartition('/')[2]
        fields = schema.get('components', {}).get('schemas', {}).get(name, {})
        if not fields:
            return None
        needed = fields.get('required', [])
        return [
            h.h4[words('web.api.body')],
            h.ul[
                [
                    h.li[h.code[key], ' ' if key in needed else '? ', _type(value), ' ', value.get('description', '')]
                    for key, value in fields.get('properties', {}).items()
                ]
            ],
        ]

    def _type(value: Mapping[str, Any]) -> str:
        kinds = [one.get('type', '') for one in value.get('anyOf', [value])]
        return '(' + ' or '.join(kind for kind in kinds if kind) + ')'

    entries = [
        h.details(id=operation.get('operationId'))[
            h.summary[h.span(class_=f'verb {verb}')[verb.upper()], h.code[path], h.span[operation.get('summary', '')]],
            h.div[
                h.p[operation.get('description', '')],
                body(operation),
                [
                    h.p[h.code[f'{parameter["name"]}'], f' ({parameter["in"]}) ', parameter.get('description', '')]
                    for parameter in operation.get('parameters', [])
                    if parameter['in'] in ('path', 'query')
                ],
            ],
        ]
        for path, verbs in schema['paths'].items()
        for verb, operation in verbs.items()
    ]
    example = (
        'curl -X POST http://127.0.0.1:8000/api/tables -H "Content-Type: application/json" \\\n'
        '     -d \'{"game": "' + contract.games()[0] + '", "mode": "bot", "level": "easy"}\'\n'
        'curl http://127.0.0.1:8000/api/tables/ID -H "Authorization: Bearer TOKEN"\n'
        'curl -X POST http://127.0.0.1:8000/api/tables/ID/act -H "Authorization: Bearer TOKEN" \\\n'
        '     -H "Content-Type: application/json" -d \'{"version": 0, "steps": "STEP STEP"}\''
    )
    return page(
        words('web.api.title'),
        h.div('.wrap')[
            bar('research', visitor.name),
            h.main('.reading.api')[
                h.h1[words('web.api.title')],
                h.p[words('web.api.intro')],
                h.p[words('web.api.live')],
                h.pre[h.code[example]],
                h.p[h.a(href='/api/openapi.json')['/api/openapi.json']],
                entries,
            ],
        ],
        classes='lobby',
        script='lobby.js',
        theme=visitor.wishes.theme,
    )


__all__ = [
    'LONGEST_NAME',
    'all_games',
    'api_docs',
    'button',
    'credits_page',
    'error',
    'invitation',
    'lists',
    'lobby',
    'rules',
    'table',
]
