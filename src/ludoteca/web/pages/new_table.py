"""The dialog of the lobby that opens a table."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.game import COLOURS, Game
from ludoteca.search import LEVELS
from ludoteca.text import words
from ludoteca.web.catalogue import USUAL_LEVEL
from ludoteca.web.layout import h, icon, sign
from ludoteca.web.pages.controls import colour_radios, radios
from ludoteca.web.preferences import Preferences
from ludoteca.web.table.wording import level_word


def dialog(games: Sequence[Game], preferences: Preferences) -> h.Element:
    """The dialog; the first game is chosen."""
    return h.dialog('#new', aria_labelledby='new-title')[
        h.form(method='post', action='/tables')[
            h.header[
                h.h2('#new-title')[words('web.new.title')],
                h.button('.ibtn', type='button', aria_label=words('web.new.close'), **{'data-close': ''})[
                    icon('close')
                ],
            ],
            _game(games),
            _mode(),
            [_of_game(game, chosen=game is games[0]) for game in games],
            _fields_of_modes(preferences),
            h.p('.problem', role='alert', hidden=True, **{'data-offline': words('web.table.offline')}),
            h.div('.dialog-acts')[
                h.button('.btn', type='button', **{'data-close': ''})[words('web.new.cancel')],
                h.button('.btn.main', type='submit')[words('web.new.begin')],
            ],
        ]
    ]


def _game(games: Sequence[Game]) -> h.Node:
    first = games[0].name
    if len(games) < 2:
        return h.input(type='hidden', name='game', value=first)
    values = [(game.name, game.title) for game in games]
    return h.div('.field')[h.span[words('web.new.game')], radios('game', values, first)]


def _mode() -> h.Element:
    modes = [(mode, words(f'web.new.mode.{mode}')) for mode in ('bot', 'here', 'link', 'open')]
    return h.div('.field')[h.span[words('web.new.mode')], radios('mode', modes, 'bot')]


def _of_game(game: Game, chosen: bool) -> h.Element:
    """The fields of one game: its numbers of players and its options."""
    counts = [(str(n), str(n)) for n in game.players]
    options = [_option(game, name) for name in game.options.values()]
    field = f'players-{game.name}'
    return h.fieldset('.stack', **{'data-for-game': game.name}, hidden=not chosen, disabled=not chosen)[
        h.div('.field')[h.span[words('web.new.players')], radios(field, counts, counts[0][0])]
        if len(counts) > 1
        else h.input(type='hidden', name=field, value=counts[0][0]),
        options and h.details('.more')[h.summary[words('web.new.options')], options],
    ]


def _option(game: Game, name: str) -> h.Element:
    """An option: a list to choose from, or a box for each member of a set."""
    field, values = f'option-{game.name}-{name}', game.options.values()[name]
    label = game.words(f'option.{name}') if f'option.{name}' in game.words else name
    if members := game.options.members().get(name):
        chosen = str(values[0]).split(',')
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
    return h.label('.field')[
        h.span[label],
        h.select(name=field)[
            [
                h.option(value=str(value).lower())[
                    game.words(key)
                    if (key := f'option.{name}.{str(value).lower()}') in game.words
                    else str(value)
                ]
                for value in values
            ]
        ],
    ]


def _fields_of_modes(preferences: Preferences) -> list[h.Element]:
    """The fields that only some modes have: the level of bots, one's own colour, the colours of all."""
    levels = [(name, level_word(name)) for name in LEVELS]
    return [
        h.fieldset('.field', **{'data-for-mode': 'bot'})[
            h.span[words('web.new.level')], radios('level', levels, USUAL_LEVEL)
        ],
        h.fieldset('.field', **{'data-for-mode': 'bot link open'})[
            h.span[words('web.new.colour')], colour_radios('colours', preferences.colour)
        ],
        h.fieldset('.field', hidden=True, disabled=True, **{'data-for-mode': 'here'})[
            h.span[words('web.new.colours')], _colour_boxes()
        ],
    ]


def _colour_boxes() -> h.Element:
    """The players' colours as boxes to check."""
    return h.div('.segments.signs')[
        [
            h.label(title=words(f'colour.{colour}'))[
                h.input(type='checkbox', name='colours', value=colour),
                h.span[sign(colour, 20, words(f'colour.{colour}'))],
            ]
            for colour in COLOURS
        ]
    ]
