"""The form that opens a table: a dialog of the lobby, and a page for browsers without scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ludoteca.game import COLOURS, Game
from ludoteca.search import LEVELS, offered
from ludoteca.text import words
from ludoteca.web.html.layout import bar, h, icon
from ludoteca.web.offers.catalogue import USUAL_LEVEL
from ludoteca.web.offers.component_sets import Offered
from ludoteca.web.pages.controls import lobby_page, radios
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.table.wording import level_word

Sets = Callable[[str], Sequence[Offered]]
"""What gives the component sets that are offered for a game."""

Bots = Mapping[str, str]
"""Levels to choose from, and with which games and numbers of players, such as `octiles-2`; '': with all."""


def no_sets(game: str) -> Sequence[Offered]:  # noqa: ARG001 (as `Sets`)
    """Nothing is offered but the game's own components."""
    return ()


def dialog(games: Sequence[Game], visitor: Visitor, sets: Sets = no_sets) -> h.Element:
    """The dialog; the first game is chosen."""
    close = h.button('.ibtn', type='button', aria_label=words('web.new.close'), **{'data-close': ''})[
        icon('close')
    ]
    cancel = h.button('.btn', type='button', **{'data-close': ''})[words('web.new.cancel')]
    return h.dialog('#new.new', aria_labelledby='new-title')[_form(games, visitor, close, cancel, sets)]


def form_page(visitor: Visitor, game: Game, sets: Sets = no_sets, who: str = '') -> str:
    """The form as a page, for one game. `who`: for whom the other seats are proposed."""
    cancel = h.a('.btn', href='/')[words('web.new.cancel')]
    content = h.div('.wrap')[
        bar('', visitor.name), h.main('.new.alone')[_form([game], visitor, None, cancel, sets, who)]
    ]
    return lobby_page(visitor, f'{words("web.new.title")} · {game.title}', content)


def _form(
    games: Sequence[Game], visitor: Visitor, close: h.Node, cancel: h.Node, sets: Sets, who: str = ''
) -> h.Element:
    title = words('web.new.title')
    heading = title if len(games) > 1 else f'{title}: {games[0].title}'
    return h.form(method='post', action='/tables')[
        h.header[(h.h1 if close is None else h.h2)('#new-title')[heading], close],
        h.div('.fields')[
            _game(games),
            [_players(game, chosen=game is games[0]) for game in games],
            _seats(games, visitor, who),
            [_options(game, chosen=game is games[0]) for game in games],
            [_sets(game, sets(game.name), chosen=game is games[0]) for game in games],
        ],
        h.p('.problem', role='alert', hidden=True, **{'data-offline': words('web.table.offline')}),
        h.div('.dialog-acts')[
            cancel,
            h.button('.btn.main', type='submit')[words('web.new.begin')],
        ],
    ]


def _game(games: Sequence[Game]) -> h.Node:
    first = games[0].name
    if len(games) < 2:
        return h.input(type='hidden', name='game', value=first)
    values = [(game.name, game.title) for game in games]
    return h.div('.field')[h.span[words('web.new.game')], radios('game', values, first)]


def _for_game(game: Game, chosen: bool, *content: h.Node) -> h.Element:
    """Fields of one game; the page shows those of the game that is chosen."""
    return h.fieldset('.stack', **{'data-for-game': game.name}, hidden=not chosen, disabled=not chosen)[
        content
    ]


def _players(game: Game, chosen: bool) -> h.Element:
    """The numbers of players; the usual one is chosen."""
    counts, field = [(str(n), str(n)) for n in game.players], f'players-{game.name}'
    usual = str(game.usual_players or game.players[0])
    return _for_game(
        game,
        chosen,
        h.div('.field.counts')[h.span[words('web.new.players')], radios(field, counts, usual)]
        if len(counts) > 1
        else h.input('.counts', type='hidden', name=field, value=usual),
    )


# ---- who takes part ----------------------------------------------------------------------------------------


def _seats(games: Sequence[Game], visitor: Visitor, who: str) -> h.Element:
    """A row for each seat; app.css shows as many as there are players, and what they need. The first one is
    the visitor's."""
    most, bots = max(game.players[-1] for game in games), _bots(games)
    proposed = who or f'bot-{USUAL_LEVEL}'
    modes = [(mode, words(f'web.new.open_to.{mode}')) for mode in ('link', 'open')]
    return h.fieldset('.field.who')[
        h.legend[words('web.new.who')],
        # the page sets all the others by it; it is of no use without the script
        h.label('.fill', hidden=True)[
            h.span[words('web.new.fill')],
            h.select(**{'data-fill': ''})[h.option(value='')[words('web.new.fill.keep')], _kinds(bots, '')],
        ],
        h.ol('.seatlist')[
            _own_seat(visitor), [_seat(number, bots, proposed) for number in range(2, most + 1)]
        ],
        h.div('.open-to')[
            h.div('.field')[h.span[words('web.new.open_to')], radios('mode', modes, 'link')],
            h.label('.switch')[
                h.span[words('web.new.hints'), h.small[words('web.new.hints.about')]],
                h.input(type='checkbox', role='switch', name='hints'),
            ],
        ],
    ]


def _own_seat(visitor: Visitor) -> h.Element:
    colour = visitor.preferences.colour
    return h.li[
        h.input(type='hidden', name='seats-1', value='me'),
        h.b('.kind')[words('web.new.me')],
        _name(1, visitor.name),
        _colour(1, colour),
    ]


def _seat(number: int, bots: Bots, proposed: str) -> h.Element:
    """A seat that is not the visitor's: a bot's, somebody's at the same screen, or open."""
    label = words('web.new.seat', number=number)
    return h.li[
        h.select('.kind', name=f'seats-{number}', aria_label=label)[_kinds(bots, proposed)],
        _name(number, ''),
        _colour(number, ''),
    ]


def _bots(games: Sequence[Game]) -> Bots:
    """The levels that any of the games offers, the weakest first."""
    places = [(game, players) for game in games for players in game.players]
    found = {}
    for name in LEVELS:
        there = [f'{game.name}-{players}' for game, players in places if name in offered(game, players)]
        if there:
            found[name] = '' if len(there) == len(places) else ' '.join(there)
    return found


def _kinds(bots: Bots, chosen: str) -> list[h.Element]:
    """Whom a seat can be for, as options to choose from."""
    levels = [
        (f'bot-{name}', words('web.new.bot', level=level_word(name).lower()), bots[name]) for name in bots
    ]
    others = [(who, words(f'web.new.{who}'), '') for who in ('here', 'open')]
    return [
        h.option(value=who, selected=who == chosen, data_only=only or None)[text]
        for who, text, only in (*levels, *others)
    ]


def _name(number: int, name: str) -> h.VoidElement:
    label = words('web.new.name', number=number)
    return h.input(
        '.name',
        type='text',
        name=f'seats-{number}-name',
        value=name,
        maxlength=24,
        autocomplete='off',
        spellcheck='false',
        placeholder=words('web.new.name_here'),
        aria_label=label,
    )


def _colour(number: int, chosen: str) -> h.Element:
    values = [('', words('web.new.colour.any')), *((one, words(f'colour.{one}')) for one in COLOURS)]
    return h.select(
        '.colour', name=f'seats-{number}-colour', aria_label=words('web.new.colour', number=number)
    )[[h.option(value=value, selected=value == chosen)[text] for value, text in values]]


# ---- options -----------------------------------------------------------------------------------------------


def _options(game: Game, chosen: bool) -> h.Element:
    """The options of a game; the usual ones are chosen."""
    usual, names = game.usual_options, game.options.values()
    options = [_option(game, name) for name in names if name not in usual]
    return _for_game(
        game,
        chosen,
        [_option(game, name) for name in names if name in usual],
        options and h.details('.more')[h.summary[words('web.new.options')], options],
    )


def _sets(game: Game, offered: Sequence[Offered], chosen: bool) -> h.Node:
    """The component sets to choose from, if any are offered."""
    if not offered:
        return None
    own = h.option(value='', selected=True)[words('web.components.choose.own')]
    values = [h.option(value=one.name)[one.label] for one in offered]
    return _for_game(
        game,
        chosen,
        h.label('.field')[
            h.span[words('web.components.choose')],
            h.select(name=f'components-{game.name}')[own, values],
        ],
    )


def _option(game: Game, name: str) -> h.Element:
    """An option: a switch, a list to choose from, or a box for each member of a set."""
    field, values = f'option-{game.name}-{name}', game.options.values()[name]
    label = game.words(f'option.{name}') if f'option.{name}' in game.words else name
    usual = game.usual_options.get(name, values[0])
    if members := game.options.members().get(name):
        chosen = str(usual).split(',')
        return h.details('.more.subset')[
            h.summary[label],
            h.input(type='hidden', name=field, value=''),  # is sent if no box is checked
            h.div('.boxes')[
                [
                    h.label[
                        h.input(type='checkbox', name=field, value=member, checked=member in chosen),
                        h.span[member],
                    ]
                    for member in members
                ]
            ],
        ]
    if isinstance(usual, bool):
        about = f'option.{name}.about'
        return h.label('.switch')[
            h.span[label, about in game.words and h.small[game.words(about)]],
            h.input(type='hidden', name=field, value='false'),  # is sent alone if the switch is off
            h.input(type='checkbox', role='switch', name=field, value='true', checked=usual),
        ]
    return h.label('.field')[
        h.span[label],
        h.select(name=field)[
            [
                h.option(value=str(value).lower(), selected=value == usual)[
                    game.words(key)
                    if (key := f'option.{name}.{str(value).lower()}') in game.words
                    else str(value)
                ]
                for value in values
            ]
        ],
    ]
