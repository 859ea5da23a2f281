"""Pictures for the rulebook of Mykerinos that show no region: all tiles, and what lies beside the region in a position."""
from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from ludoteca.drawing.palette import var
from ludoteca.drawing.svg import standalone
from ludoteca.game import SPECTATOR, Game, Position, Theme
from ludoteca.games.mykerinos import art as A
from ludoteca.games.mykerinos import beside, drawing

EXAMPLES = Path(__file__).parent / 'examples'

# the card, the example, what is played from it, the last step: it is shown as about to be chosen, to whom it is to move
CARDS: dict[str, tuple[str, str, str, str]] = {
    'museum': ('museum', 'two', '', ''),
    'patrons': ('patrons', 'dig', '', 'pass'),
    'brown': ('museum', 'dig', 'brown', '5-lemon'),
    'claim': ('museum', 'survey', 'take 2', 'museum 3-tangerine'),
    'exhibition': ('exhibition', 'last', 'take 1', ''),
}


def figure(game: Game, name: str, theme: Theme = 'light') -> str:
    """The picture of that name, standing alone unless the theme is 'page'; '' if there is none."""
    if name == 'tiles':
        return drawing.all_tiles(game, theme)
    if name not in CARDS:
        return ''
    card, example, played, last = CARDS[name]
    position = Position(game, game.from_json(json.loads((EXAMPLES / f'{example}.json').read_text('utf-8')))).after(played)
    view = position.view(position.to_move if last else SPECTATOR)
    if last:
        view = replace(view, actions=(game.action_from_name(position.state, last),))
    drawn = next(found.drawing for found in beside.cards(game, view) if found.id == card)
    return drawn if theme == 'page' else standalone(drawn, theme, symbols=A.symbol_set(), background=var('surface'))
