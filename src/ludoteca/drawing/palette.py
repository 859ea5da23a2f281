"""All colours, sizes and times of what people see: the one source of the pages' style sheet and of every
drawing.

A TOKEN is a named value. In pages it is a CSS custom property (`var(--legal)`); in a picture that stands
alone it is resolved to its literal value (`resolve`). Players are told apart by colour AND shape; the
smallest CIEDE2000 difference between any two of the five is 33 to normal eyes, 17 to protans, 15 to deutans
and tritans. Text on surfaces has at least 5:1 (captions), 7:1 (help) and 15:1 (text) in both themes; borders
of controls that stand alone at least 3:1.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

Tint = Literal['light', 'dark']


@dataclass(frozen=True)
class Player:
    """One of the five players' colours.

    `base` is the colour, `light` and `dark` its lit and shaded sides, `deep` its outline on a piece. `tone`
    is a shade of it that text can be written in on a surface, `soft` a background of it; each for the light
    and the dark theme.
    """

    name: str
    shape: Literal['circle', 'triangle', 'square', 'diamond', 'star']
    base: str
    light: str
    dark: str
    deep: str
    tone: tuple[str, str]
    soft: tuple[str, str]

    @property
    def edge(self) -> str:
        """The colour of the edge that makes a line of this colour stand out on light wood too: cream, or a
        dark one for a light colour."""
        return self.deep if self.name in ('yellow', 'purple') else '#fffdf4'


PLAYERS: dict[str, Player] = {
    player.name: player
    for player in (
        Player(
            'blue',
            'circle',
            '#2468c8',
            '#84b8ff',
            '#123f85',
            '#0b2852',
            ('#1c55a8', '#8dbdf7'),
            ('#e3eefb', '#1a2c44'),
        ),
        Player(
            'red',
            'triangle',
            '#d9482f',
            '#ff9c83',
            '#8f2413',
            '#5c170c',
            ('#b2341d', '#ff9b86'),
            ('#fbe7e2', '#43221b'),
        ),
        Player(
            'yellow',
            'square',
            '#f5c93a',
            '#ffeda6',
            '#a67708',
            '#6b4c05',
            ('#7d5a00', '#f6d26a'),
            ('#fbf1d2', '#3b3013'),
        ),
        Player(
            'green',
            'diamond',
            '#1f9d6b',
            '#7fe0b6',
            '#0d5d3e',
            '#083c28',
            ('#13734d', '#74d6ac'),
            ('#def2e9', '#14352a'),
        ),
        Player(
            'purple',
            'star',
            '#d58be0',
            '#f6d6fb',
            '#8a3f97',
            '#55225e',
            ('#8b3fa1', '#dca6ea'),
            ('#f5e6f9', '#382240'),
        ),
    )
}

# Each group: token -> value in the light theme, or (light, dark) where they differ.
Values = Mapping[str, str | tuple[str, str]]

SURFACES: Values = {  # warm paper, four steps and no more
    'bg': ('#f4f0e8', '#14130f'),  # the page
    'surface': ('#fffdf9', '#1f1d18'),  # cards, panels
    'surface-2': ('#efe9dd', '#2a2720'),  # wells, tracks, hovered rows
    'line': ('#ddd4c4', '#38342b'),  # hairlines
    'line-strong': ('#93866f', '#7d7462'),  # borders of buttons and inputs
    'text': ('#211c15', '#f3eee3'),
    'text-2': ('#5c5344', '#c0b7a5'),
    'text-3': ('#746a59', '#9d9482'),  # captions only
}
# petrol, for the page only: it never marks what somebody owns
ACCENT: Values = {
    'accent': ('#0b6472', '#62c9d3'),
    'accent-strong': ('#084d58', '#8ee0e8'),
    'accent-soft': ('#dcecec', '#173a3f'),
    'on-accent': ('#ffffff', '#04222a'),
    'danger': ('#a3261b', '#ff9c8c'),
    'warn': ('#8a5a00', '#f0c26a'),
    'focus': ('#0b6472', '#8ee0e8'),
    'focus-halo': ('#ffffff', '#14130f'),
    'focus-ring': '0 0 0 2px var(--focus-halo), 0 0 0 5px var(--focus)',
}
MARKS: Values = {  # on a board; one meaning each, in all games
    'legal': '#7fe9ef',
    'legal-case': '#07343c',  # may be chosen: a light core in a dark case
    'ghost-opacity': '.93',
    'ghost-line': '#b9fbff',  # a preview: what would lie there
    'last': '#ffd873',
    'last-case': '#3d2a05',  # the last move: brass, and brass for nothing else
    'last-soft': ('#fdf0cd', '#3a321d'),
    'last-bar': ('#c78f12', '#d9a93a'),  # the same in the log
    'bad': '#ff8a76',  # refused, with a sentence
    'pointer': '#ffd54a',
    'pointer-case': '#241a02',  # what a lesson points at
    'focus-board': '#ffffff',
    'focus-board-case': '#07343c',
    'player-edge': ('#1b1408', '#0b0a07'),  # outline of every player's sign
    'on-player': ('#ffffff', '#0d1420'),  # text on a player's tone
}
MATERIALS: Values = {  # what boards and pieces are made of
    'felt-1': ('#35504a', '#263a36'),
    'felt-2': ('#1f322e', '#172622'),
    'felt-3': ('#13211e', '#0d1614'),
    'walnut-1': ('#7c4f2d', '#684124'),
    'walnut-2': ('#623a1e', '#512f17'),
    'walnut-3': ('#4a2a14', '#3b210f'),
    'well-1': '#2c423d',
    'well-2': '#1c2d29',
    'maple-1': '#f6d9a2',
    'maple-2': '#e6bd7d',
    'maple-3': '#d5a462',
    'bone-1': '#fdf5e1',
    'bone-2': '#d9c6a0',
    'path': '#fff3d4',
    'path-edge': '#452508',
    'path-shade': '#3e1e04',
    'clay-1': '#e08656',
    'clay-2': '#bd5a2d',
    'glaze-1': '#46382f',
    'glaze-2': '#1d1511',
    'tiles-1': '#e9c79b',
    'tiles-2': '#dcae7c',
    'sand-1': '#f8e3b0',
    'sand-2': '#eccb86',
    'desert-1': '#e2b869',
    'desert-2': '#c28f43',
    'plan': ('#f6efdf', '#28241c'),
    'plan-line': ('#4b3b2a', '#d8c7a4'),
    'plan-hall': ('#fbf3df', '#332d21'),
    'plan-ray': ('#e6cf9c', '#5d4f33'),
    'plan-2': ('#dce3e4', '#3a4a52'),
    'plan-3': ('#f3e4c3', '#4c4230'),
    'plan-5': ('#f6d98b', '#6d5622'),
    'enamel-1': ('#fdfdfb', '#dcdbd6'),
    'enamel-2': ('#e4e5e3', '#c3c2bc'),
    'slate': '#2b2e34',
    'acrylic-opacity': '.74',
    'barren': '#a3947c',
    'plains': '#98c443',
    'forest': '#439150',
    'water': '#4599d2',
    'mountain': '#b0aaa8',
}
TYPE: Values = {  # a ratio of about 1.2
    'font': 'Inter, system-ui, sans-serif',  # app.css brings it
    'fs-xs': '.75rem',
    'fs-s': '.8125rem',
    'fs-m': '.9375rem',
    'fs-l': '1.125rem',
    'fs-xl': '1.375rem',
    'fs-2xl': '1.875rem',
    'fs-3xl': '2.5rem',
    'lh-tight': '1.2',
    'lh': '1.45',
    'fw': '400',
    'fw-m': '550',
    'fw-b': '680',
}
SPACE: Values = {  # steps of 4 px
    's1': '.25rem',
    's2': '.5rem',
    's3': '.75rem',
    's4': '1rem',
    's5': '1.25rem',
    's6': '1.5rem',
    's8': '2rem',
    's10': '2.5rem',
    's12': '3rem',
    'r-s': '.375rem',
    'r-m': '.625rem',
    'r-l': '1rem',
    'r-full': '999px',
    'tap': '2.75rem',  # the least side of what a finger must hit
    'sh-1': ('0 1px 2px rgb(60 42 14 / .10), 0 1px 1px rgb(60 42 14 / .06)', '0 1px 2px rgb(0 0 0 / .5)'),
    'sh-2': (
        '0 2px 4px rgb(60 42 14 / .08), 0 8px 20px -6px rgb(60 42 14 / .18)',
        '0 2px 4px rgb(0 0 0 / .4), 0 8px 20px -6px rgb(0 0 0 / .6)',
    ),
    'sh-3': (
        '0 4px 10px rgb(60 42 14 / .10), 0 22px 48px -12px rgb(60 42 14 / .32)',
        '0 4px 10px rgb(0 0 0 / .45), 0 22px 48px -12px rgb(0 0 0 / .8)',
    ),
    't-fast': '150ms',
    't': '240ms',
    't-slow': '350ms',
    'ease': 'cubic-bezier(.2, .7, .2, 1)',
}


def _player_tokens() -> Values:
    """The players' tokens, `p1` to `p5` in the order of PLAYERS: -c the colour, -t its tone for text, -s its
    soft background, -e the edge of a line in it."""
    found: dict[str, str | tuple[str, str]] = {}
    for number, player in enumerate(PLAYERS.values(), 1):
        found |= {
            f'p{number}-c': player.base,
            f'p{number}-t': player.tone,
            f'p{number}-s': player.soft,
            f'p{number}-e': player.edge,
        }
    return found


GROUPS: tuple[Values, ...] = (SURFACES, ACCENT, _player_tokens(), MARKS, MATERIALS, TYPE, SPACE)


@cache
def tokens(theme: Tint) -> Mapping[str, str]:
    """All tokens of a theme with their values; a value may refer to other tokens."""
    index = 0 if theme == 'light' else 1
    return {
        name: value if isinstance(value, str) else value[index]
        for group in GROUPS
        for name, value in group.items()
    }


def var(name: str) -> str:
    """A token as a drawing writes it, `var(--name)`. Raises KeyError for a name that is no token."""
    tokens('light')[name]
    return f'var(--{name})'


def player_var(colour: str, part: Literal['c', 't', 's', 'e']) -> str:
    """A token of a player's colour as a drawing writes it; the parts are those of `_player_tokens`."""
    return var(f'p{list(PLAYERS).index(colour) + 1}-{part}')


_REFERENCE = re.compile(r'var\(--([a-z0-9-]+)\)')


def value(name: str, theme: Tint) -> str:
    """The literal value of a token in a theme."""
    return _REFERENCE.sub(lambda found: value(found[1], theme), tokens(theme)[name])


def resolve(text: str, theme: Tint) -> str:
    """SVG or HTML text with every `var(--token)` in it replaced by its literal value, fit for an attribute in
    double quotes."""
    return _REFERENCE.sub(
        lambda found: html.escape(value(found[1], theme), quote=False).replace('"', "'"), text
    )


def _rules(names: Mapping[str, str], scheme: Tint) -> str:
    return f'color-scheme: {scheme};\n' + '\n'.join(f'--{name}: {text};' for name, text in names.items())


@cache
def css() -> str:
    """The rules that define the tokens: light by default; dark by the system's setting or by
    `data-theme="dark"` on the root.

    Classes such as `.seat-blue` set `--seat`, `--seat-tone`, `--seat-soft` and `--seat-edge` for everything
    that belongs to a player.
    """
    light, dark = tokens('light'), tokens('dark')
    different = {name: text for name, text in dark.items() if text != light[name]}
    seats = '\n'.join(
        f'.seat-{name} {{ --seat: var(--p{k}-c); --seat-tone: var(--p{k}-t); --seat-soft: var(--p{k}-s); '
        f'--seat-edge: var(--p{k}-e); }}'
        for k, name in enumerate(PLAYERS, 1)
    )
    return (
        f':root {{\n{_rules(light, "light")}\n}}\n'
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{\n{_rules(different, "dark")}\n}} }}\n'  # noqa: E501
        f':root[data-theme="dark"] {{\n{_rules(different, "dark")}\n}}\n{seats}\n'
    )
