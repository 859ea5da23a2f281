"""The contract of a game: everything that search, matches, pages, terminal, library and tests may ask of one.

options         what can be chosen before a game
chance          what chance decides in a game, and how that is written down
contract        the game itself: declared facts, kernels, parts
parts           the modules of which a game consists, as Protocols
places          the board in rows, for those who do not look at the drawing
reasons         why one turn is better than another one
shapes          how observations and actions are laid out, and which positions are alike
view            what drawings and pages are made of
position        a position to play with
registry        games are found by their names
json_fields     what all readers of positions check
components      own component sets: other printed values
variants        games with a component set
kinds           kinds of printed values
"""

from ludoteca.game.actions import ActionSpace
from ludoteca.game.chance import Chance
from ludoteca.game.components import ComponentSet, ComponentTable
from ludoteca.game.contract import (
    SPECTATOR,
    Effort,
    Efforts,
    Game,
    Kernels,
    State,
    committed,
    first_action,
    is_unprinted,
    start,
)
from ludoteca.game.errors import GameError
from ludoteca.game.options import Options, Value, option, subset
from ludoteca.game.parts import Parts
from ludoteca.game.position import Position, new, position, some
from ludoteca.game.registry import add, games
from ludoteca.game.shapes import Slice, Symmetry, starts
from ludoteca.game.variants import load, variant
from ludoteca.game.view import (
    COLOURS,
    LAID,
    Button,
    Card,
    Event,
    Explanation,
    Ghost,
    Panel,
    PanelRow,
    Place,
    PlaceGroup,
    Prompt,
    Reason,
    Refusal,
    Shortcut,
    Sound,
    Target,
    Theme,
    View,
    ViewSettings,
    refusals,
)

__all__ = [
    'COLOURS',
    'LAID',
    'SPECTATOR',
    'ActionSpace',
    'Button',
    'Card',
    'Chance',
    'ComponentSet',
    'ComponentTable',
    'Effort',
    'Efforts',
    'Event',
    'Explanation',
    'Game',
    'GameError',
    'Ghost',
    'Kernels',
    'Options',
    'Panel',
    'PanelRow',
    'Parts',
    'Place',
    'PlaceGroup',
    'Position',
    'Prompt',
    'Reason',
    'Refusal',
    'Shortcut',
    'Slice',
    'Sound',
    'State',
    'Symmetry',
    'Target',
    'Theme',
    'Value',
    'View',
    'ViewSettings',
    'add',
    'committed',
    'first_action',
    'games',
    'is_unprinted',
    'load',
    'new',
    'option',
    'position',
    'refusals',
    'some',
    'start',
    'starts',
    'subset',
    'variant',
]
