"""What several pages have in common: the frame of a page, forms of one button, choices by radio buttons."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.analysis import LARGEST
from ludoteca.game import COLOURS, Game
from ludoteca.text import words
from ludoteca.web.html.layout import h, icon, page, sign
from ludoteca.web.people.visitors import Visitor


def lobby_page(
    visitor: Visitor, title: str, content: h.Element, about: h.Node = None, style: str = ''
) -> str:
    """A page that looks like the lobby. `about`, `style`: see `layout.page`."""
    return page(
        title,
        content,
        classes='lobby',
        script='lobby.js',
        style=style,
        theme=visitor.preferences.theme,
        about=about,
    )


def facts(game: Game) -> str:
    """Players and minutes of a game, in words."""
    least, most = game.players[0], game.players[-1]
    players = str(least) if least == most else f'{least}–{most}'
    return words('web.lobby.facts', players=players, minutes=game.minutes)


def tagline(game: Game, otherwise: str = '') -> str:
    """The line that says what a game is about."""
    return game.words('tagline') if 'tagline' in game.words else otherwise


def table_form(game: Game, mode: str, label: str, icon_name: str, classes: str, *more: h.Node) -> h.Element:
    """A form that opens a table at once, without a dialog."""
    return h.form(method='post', action='/tables')[
        h.input(type='hidden', name='game', value=game.name),
        h.input(type='hidden', name='mode', value=mode),
        more,
        h.button(class_=f'btn {classes}'.strip(), type='submit')[icon(icon_name, 18), label, of_game(game)],
    ]


def of_game(game: Game) -> h.Element:
    """The game's name after the label of a button, for screen readers: many buttons of the lobby have the
    same label."""
    return h.span('.unseen')[f': {game.title}']


def radios(name: str, values: Sequence[tuple[str, str]], chosen: str) -> h.Element:
    """One of some values, each with its words."""
    return h.div('.segments')[
        [
            h.label[h.input(type='radio', name=name, value=value, checked=value == chosen), h.span[label]]
            for value, label in values
        ]
    ]


def colour_radios(name: str, chosen: str) -> h.Element:
    """One of the players' colours, by their signs, or none of them."""
    values = [
        ('', words('web.new.colour.any')),
        *((colour, words(f'colour.{colour}')) for colour in COLOURS),
    ]
    return h.div('.segments.signs')[
        [
            h.label(title=label)[
                h.input(type='radio', name=name, value=value, checked=value == chosen),
                h.span[sign(value, 20, label) if value else label],
            ]
            for value, label in values
        ]
    ]


def file_input(*classes: str) -> h.VoidElement:
    """The field for a saved match, position or analysis. With a script the form is sent once a file is
    chosen, or dropped anywhere on the page."""
    return h.input(
        class_=' '.join(classes) or None,
        type='file',
        name='file',
        accept='.txt,.json,text/plain,application/json',
        data_most=str(LARGEST + 1),
        data_drop=words('web.analysis.drop'),
    )
