"""Pictures for the rulebook of Myraclia that are more than a step on the map: all tiles, what lies beside the map in a position,
all places where tiles can be added."""
from __future__ import annotations

import json
from pathlib import Path

from ludoteca.drawing.palette import var
from ludoteca.drawing.svg import standalone
from ludoteca.game import SPECTATOR, Game, Position, Theme
from ludoteca.games.myraclia import art as A
from ludoteca.games.myraclia import beside, drawing

EXAMPLES = Path(__file__).parent / 'examples'
TURN = ('terraform 1,1 pay green pay yellow pay black terraform 2,1 pay yellow pay red pay blue '
        'reserve 0,2 put green put yellow done end turn')

# the card ('map': the map itself), the example, what is played from it, and whether it is shown as to whom it is to move
CARDS: dict[str, tuple[str, str, str, bool]] = {
    'draft': ('draft', 'draft', '', False),
    'drafted': ('draft', 'draft', 'draft green draft green draft blue draft orange draft green draft yellow', False),
    'payment': ('payment', 'wild', 'terraform 1,1 pay green', True),
    'places': ('map', 'turn', TURN, True),
    'scoring': ('scoring', 'finished', '', False),
}


def figure(game: Game, name: str, theme: Theme = 'light') -> str:
    """The picture of that name, standing alone unless the theme is 'page'; '' if there is none."""
    if name == 'tiles':
        return drawing.all_tiles(game, theme)
    if name not in CARDS:
        return ''
    card, example, played, chooses = CARDS[name]
    position = Position(game, game.from_json(json.loads((EXAMPLES / f'{example}.json').read_text('utf-8')))).after(played)
    view = position.view(position.to_move if chooses else SPECTATOR)
    if card == 'map':
        return drawing.draw(game, view, theme)
    drawn = next(found.drawing for found in beside.cards(game, view) if found.id == card)
    return drawn if theme == 'page' else standalone(drawn, theme, symbols=A.symbol_set(), background=var('surface'))
