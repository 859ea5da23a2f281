"""The lobby and invitations."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from ludoteca.game import COLOURS, Game, load
from ludoteca.search import LEVELS
from ludoteca.store import OPEN, Table
from ludoteca.text import words
from ludoteca.web.catalogue import USUAL_LEVEL, all_games
from ludoteca.web.layout import bar, components_of, footer, h, hollow, icon, page, sign
from ludoteca.web.pages.controls import facts, lobby_page, radios, table_form, tagline
from ludoteca.web.pages.new_table import dialog
from ludoteca.web.people import Visitor
from ludoteca.web.table.wording import level_word

FEW = 2  # so many games are shown as large cards
SHOWN = 6  # tables in a list


def lobby(visitor: Visitor, mine: Sequence[Table], open_tables: Sequence[Table]) -> str:
    """The first page."""
    games = all_games()
    waiting = count_waiting(visitor, mine)
    line = words('web.lobby.line.one') if len(games) < 2 else words('web.lobby.line.many', n=len(games))
    content = h.div('.wrap')[
        bar('play', visitor.name, visitor.preferences.colour or COLOURS[0]),
        h.main[
            h.div('.head')[h.h1[words('web.lobby.title')], h.p[line]],
            h.ul(class_='games few' if len(games) <= FEW else 'games')[[_card(game) for game in games]],
            lists(visitor, mine, open_tables),
        ],
        footer(games),
        dialog(games, visitor.preferences),
    ]
    return page(
        (f'({waiting}) ' if waiting else '') + words('web.name'),
        content,
        h.div('#speak.unseen', aria_live='polite'),
        classes='lobby',
        script='lobby.js',
        theme=visitor.preferences.theme,
        description=words('web.lobby.line.one'),
    )


def count_waiting(visitor: Visitor, mine: Sequence[Table]) -> int:
    """The number of tables at which the visitor can choose something."""
    return sum(_waits(table, visitor) for table in mine)


def _waits(table: Table, visitor: Visitor) -> bool:
    return table.status == 'running' and table.waits_for(visitor.id)


# ---- games


def _card(game: Game) -> h.Element:
    rules, more = f'/games/{game.name}/rules', words('web.lobby.choices', game=game.title)
    return h.li('.game')[
        h.a('.pic', href=rules, tabindex='-1', aria_hidden='true')[
            h.picture[h.img(src=f'/games/{game.name}/picture-light.svg', alt='', width='640', height='600')]
        ],
        h.div('.body')[
            h.h2[game.title],
            h.button(
                '.ibtn.choices',
                type='button',
                aria_label=more,
                title=more,
                **{'data-dialog': 'new', 'data-game': game.name},
            )[icon('gear')],
            h.p('.meta')[facts(game)],
            _components(game),
            h.p('.line')[tagline(game)],
            h.div('.go')[
                table_form(game, 'bot', words('web.lobby.bot'), 'robot', 'main', _strength()),
                table_form(game, 'here', words('web.lobby.here'), 'people', ''),
                table_form(game, 'link', words('web.lobby.invite'), 'link', ''),
                h.a('.btn', href=rules)[icon('rules', 18), words('web.lobby.rules')],
            ],
        ],
    ]


def _strength() -> h.Element:
    """The levels of bots, where there is room for them."""
    levels = [(name, level_word(name)) for name in LEVELS]
    return h.fieldset('.strength')[h.span[words('web.new.level')], radios('level', levels, USUAL_LEVEL)]


def _components(game: Game) -> h.Element:
    """Whether components are reconstructed, in a word or two; the rules page says which."""
    label = words('web.lobby.reconstructed' if game.reconstructed else 'web.lobby.printed')
    return h.a('.made', href=f'/games/{game.name}/rules#components', title=components_of(game))[label]


# ---- tables


def lists(visitor: Visitor, mine: Sequence[Table], open_tables: Sequence[Table]) -> h.Element:
    """The visitor's tables, those that wait first, and the tables that anybody may join."""
    waiting = count_waiting(visitor, mine)
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
                h.button('.btn.s', type='button', **{'data-dialog': 'new'})[
                    icon('plus', 18), words('web.lobby.new')
                ],
            ],
            h.ul[[_open_row(table) for table in foreign[:SHOWN]]]
            if foreign
            else h.p('.none')[words('web.lobby.none_open')],
        ],
    ]


def _row_start(table: Table, *details: str) -> list[h.Node]:
    """The game of a row: its badge, its title, and a line of details."""
    src = f'/games/{table.game}/badge.svg'
    return [
        h.img('.thumb', src=src, alt='', width='44', height='44', loading='lazy'),
        h.div('.tx')[h.b[load(table.game).title], h.span[' · '.join(filter(None, details))]],
    ]


def _mine_row(table: Table, visitor: Visitor) -> h.Element:
    waits = _waits(table, visitor)
    # secret choices of all are turns of the match, and none for people
    counts = table.status == 'running' and not load(table.game).sealed
    place = words('web.lobby.turn', n=table.turns + 1) if counts else ''
    return h.li(class_=f'row{" wait" if waits else ""}', id=f'row-{table.id}')[
        _row_start(table, _others(table, visitor), place),
        h.span('.left')['' if waits else _state_words(table)],
        h.a(class_='btn s main' if waits else 'btn s', href=f'/tables/{table.id}')[
            words('web.lobby.your_move') if waits else words('web.lobby.look')
        ],
    ]


def _others(table: Table, visitor: Visitor) -> str:
    """Who else sits at a table."""
    names = [
        info.name or words(f'colour.{table.colours[info.seat]}')
        for info in table.seats
        if info.kind != OPEN and (info.person is None or info.person != visitor.id)
    ]
    return words('web.lobby.with', names=', '.join(names)) if names else words('web.lobby.alone')


def _state_words(table: Table) -> str:
    """What a table waits for, or how its match has ended."""
    if table.status == OPEN:
        return words('web.lobby.waits_for_players')
    if table.status == 'running':
        # where several choose in secret, the lobby does not tell who has chosen already
        sealed = load(table.game).sealed
        moving = None if sealed else next((info for info in table.seats if info.waiting), None)
        if moving is None:
            return ''
        return words('web.lobby.to_move', name=moving.name or words(f'colour.{table.colours[moving.seat]}'))
    if table.result is None:
        return words('web.lobby.over')
    winners = table.result.winners
    if len(winners) != 1:
        return words('web.lobby.drawn')
    return words('web.lobby.won', name='', names=table.seats[winners[0]].name)


def _open_row(table: Table) -> h.Element:
    taken = [info.kind != OPEN for info in table.seats]
    signs = [
        sign(colour, 18) if on else hollow(colour, 18)
        for colour, on in zip(table.colours, taken, strict=True)
    ]
    people = ', '.join(info.name for info in table.seats if info.kind == 'person')
    label = words('web.lobby.seats', taken=sum(taken), of=len(taken))
    return h.li('.row', id=f'row-{table.id}')[
        _row_start(table, f'{people} · {words("web.lobby.players", n=table.players)}'),
        h.span('.seats', role='img', aria_label=label)[signs],
        h.form(method='post', action=f'/tables/{table.id}/join')[
            h.button('.btn.s', type='submit')[words('web.lobby.join')]
        ],
    ]


# ---- invitations


def invitation(visitor: Visitor, table: Table, token: str) -> str:
    """What a link opens: one button that takes the seat. To look at the page takes nothing."""
    game = load(table.game)
    host = next((info.name for info in table.seats if info.person == table.owner and info.name), '')
    content = h.div('.wrap')[
        bar('', visitor.name),
        h.main('.notice.invitation')[
            h.img(src=f'/games/{game.name}/picture-light.svg', alt='', width='640', height='600'),
            h.h1[words('web.join.title', name=host, game=game.title) if host else game.title],
            h.p[tagline(game, facts(game))],
            h.form(method='post', action=f'/join/{quote(token, safe="")}')[
                h.button('.btn.main', type='submit')[words('web.join.sit', name=visitor.name)]
            ],
            h.a(href=f'/games/{game.name}/rules')[words('web.lobby.rules')],
        ],
    ]
    return lobby_page(visitor, game.title, content)
