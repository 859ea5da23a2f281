"""What everything in Myriath is: tiles on the board and in the tray, ends on crossings, squares, points."""

from __future__ import annotations

from ludoteca.game import Explanation, View
from ludoteca.text.players import player_word

from .. import components as C
from .. import rules as R
from ..components import Crossing
from ..rules import IN_HAND, Phase
from .facts import (
    PlacedTile,
    crossing_name,
    end_points,
    ends_words,
    points_text,
    points_words,
    read,
    say,
    tile_laid,
)
from .targets import LYING_OF_ID, TILE_OF_ID

# chapters of the rulebook
BOARD, TILES, LEGAL, POINTS, SETUP, END = (
    'the-board',
    'the-tiles',
    'what-is-legal',
    'points',
    'setting-up',
    'the-end',
)
ENDS = {'A': 'arrow', 'I': 'inside', 'O': 'outside'}
MARKS = ('open', 'connected', 'meets', 'last')  # of the legend

BUTTONS = {'do-pass': 'passing'}
"""Buttons of the prompt -> the chapter or paragraph about them."""


def explain(view: View, element: str) -> Explanation | None:
    """What a thing of the board, the tray, the scoring or a panel is."""
    if element.startswith('do:'):
        return Explanation.of_button(say, element, BUTTONS)
    element = element.removeprefix('places-')
    if element in LYING_OF_ID:
        placed = read(view.state).found(*LYING_OF_ID[element])
        return _tile(view, placed) if placed else None
    if element in TILE_OF_ID:
        return _in_hand(view, TILE_OF_ID[element]) if view.seat >= 0 else None
    if element in ('card-hand', 'card-scoring'):
        return Explanation.of(say, element, chapter=TILES if element == 'card-hand' else POINTS)
    kind, _, name = element.partition('-')
    if kind == 'mark' and name in MARKS:
        return Explanation.of(say, f'mark_{name}', chapter=POINTS)
    side = int(view.state.side)
    if kind == 'cross' and name in (
        names := {crossing_name((i, j)): (i, j) for i in range(side) for j in range(side)}
    ):
        return _crossing(view, names[name])
    if kind == 'square':
        return _square(view, name)
    if kind in ('score', 'left') and name in map(str, range(int(view.state.players))):
        return _of_seat(view, kind, int(name))
    return None


def _tile(view: View, placed: PlacedTile) -> Explanation:
    """A tile on the board."""
    values = {'player': player_word(placed.seat, view.names), 'tile': C.TILES[placed.tile]}
    if not placed.shape.ends:
        return Explanation.of(say, 'octagon', chapter=SETUP, **values)
    ends = ends_words(read(view.state), placed)
    return Explanation.of(say, 'tile', chapter=POINTS, ends=ends, **values)


def _in_hand(view: View, tile: int) -> Explanation:
    """A tile of the viewer's tray, or the empty slot of one that lies on the board."""
    s = view.state
    name = C.TILES[tile]
    if s.at[view.seat, tile] != IN_HAND:
        return Explanation.of(say, 'used', chapter=TILES, tile=name)
    n = sum(tile_laid(action) == tile for action in view.actions)
    now = ''
    if view.actions and s.phase == Phase.PLAY:
        now = say.counted('about.places', n) if n else say('about.no_place')
    first, second = (say(f'about.end.{ENDS[end]}') for end in name[2:])
    ends = say('about.same_ends' if name[2] == name[3] else 'about.two_ends', first=first, second=second)
    shape = say(f'about.shape.{name[0]}')
    return Explanation.of(say, 'hand', now, chapter=TILES, tile=name, shape=shape, ends=ends)


def _crossing(view: View, at: Crossing) -> Explanation:
    """A crossing: the ends that lie there, with what they have got; else the tile that lies over it."""
    reading = read(view.state)
    name = crossing_name(at)
    ends = [
        say(
            'about.on_crossing',
            player=player_word(placed.seat, view.names),
            tile=C.TILES[placed.tile],
            points=say(f'half.{half}'),
        )
        for placed in reading.tiles
        for place, half in end_points(reading, placed)
        if place == at
    ]
    if ends:
        return Explanation.of(say, 'ends', chapter=POINTS, crossing=name, ends=', '.join(ends))
    over = next(
        (reading.owner[key] for key in (reading.key(k, at) for k in range(4)) if key in reading.owner), None
    )
    placed = reading.found(*over) if over else None
    return _tile(view, placed) if placed else Explanation.of(say, 'crossing', chapter=LEGAL, crossing=name)


def _square(view: View, name: str) -> Explanation | None:
    """A printed square."""
    s, side = view.state, int(view.state.side)
    parts = name.split('-')
    if len(parts) != 2 or not all(part.isdigit() and int(part) < side - 1 for part in parts):
        return None
    i, j = map(int, parts)
    if s.phase != Phase.SETUP or s.ending:
        return Explanation.of(say, 'square', chapter=BOARD)
    now = say('about.rings') if R.FIRST_OCTAGON + i + side * j in view.actions else ''
    return Explanation.of(say, 'ringed', now, chapter=SETUP)


def _of_seat(view: View, kind: str, seat: int) -> Explanation:
    """The points of a seat, or the tiles left to it."""
    s = view.state
    reading = read(s)
    handicap = C.HANDICAP[seat]
    more = say('about.handicap', points=points_text(handicap)) if handicap and kind == 'score' else ''
    return Explanation.of(
        say, kind, more, chapter=POINTS if kind == 'score' else END, player=player_word(seat, view.names),
        points=points_words(reading.points[seat]), n=len(reading.hands[seat]),
    )  # fmt: skip
