"""The board and the tiles of Octiles as tables, derived from board.json.

A PORT is an edge of a space: space * 8 + edge, edges 0..7 = N, NE, E, SE, S, SW, W, NW. A POST is where a
runner can stand: 0..15 the stops, 16..35 the home circles, five a side in the order W, N, E, S (clockwise
round the board). A PLACE on a path is a port, or FIRST_POST + post. SIDE 0..3 = W, N, E, S; the side opposite
to a side is side ^ 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludoteca.game.components import ComponentTable
from ludoteca.game.kinds import Each, Joined
from ludoteca.text import Words

EDGES = ('N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW')
SIDES = 'WNES'


def _turned(pairs: Sequence[Sequence[int]], by: int) -> list[list[int]]:
    return sorted(sorted((end + by) % len(EDGES) for end in pair) for pair in pairs)


def _notes(table: Mapping[str, Any]) -> Iterator[str]:
    words, seen = Words(Path(__file__).parent), list[list[list[int]]]()
    for number, pairs in enumerate(table['tiles'], 1):
        lies = [_turned(pairs, by) for by in range(len(EDGES))]
        if first := next((k for k, other in enumerate(seen, 1) if other in lies), 0):
            yield words('components.alike', first=first, second=number)
        seen.append(lies[0])


TABLE = ComponentTable(
    Path(__file__).parent / 'board.json', notes=_notes, tiles=Each(Joined(len(EDGES), 'tiles'))
)
_data = TABLE.read(__name__)

CERTAINTY: dict[str, str] = _data['certainty']
SPACES: tuple[str, ...] = tuple(_data['spaces'])  # a2, a3, b2 ... ascending
STOPS: tuple[str, ...] = tuple(_data['stops'])
CIRCLES: tuple[str, ...] = tuple(name for side in SIDES for name in _data['circles'][side])
POSTS = STOPS + CIRCLES
N_SPACES, N_STOPS, N_POSTS, N_TILES = len(SPACES), len(STOPS), len(POSTS), len(_data['tiles'])
N_PORTS = 8 * N_SPACES
FIRST_POST = N_PORTS
SPACE_XY: dict[str, tuple[float, float]] = {name: tuple(xy) for name, xy in _data['spaces'].items()}
POST_XY: dict[str, tuple[float, float]] = {
    name: tuple(xy) for group in (_data['stops'], *_data['circles'].values()) for name, xy in group.items()
}
COLOURS: dict[str, str] = _data['colours']  # of the four sides
PRELAID = tuple(SPACES.index(name) for name in _data['laid_before_three_player_games'])

Pairs = tuple[tuple[int, int], ...]
# [tile] in rotation 0
PAIRS: tuple[Pairs, ...] = tuple(tuple((a, b) for a, b in pairs) for pairs in _data['tiles'])


def rotated(pairs: Pairs, rotation: int) -> Pairs:
    """The edges joined when the tile is turned `rotation` times 45 degrees clockwise, in the order of
    `pairs`."""
    return tuple(((a + rotation) % 8, (b + rotation) % 8) for a, b in pairs)


def _partners(pairs: Pairs) -> list[int]:
    """[edge] -> the edge joined to it."""
    partner = [0] * 8
    for a, b in pairs:
        partner[a], partner[b] = b, a
    return partner


def _place(name: str) -> int:
    """The number of the place called `a2.N` (an edge) or `B3` (a post)."""
    space, dot, edge = name.partition('.')
    return SPACES.index(space) * 8 + EDGES.index(edge) if dot else FIRST_POST + POSTS.index(name)


# [port] -> the place joined to it by the board
LINK: list[int] = [_place(name) for space in SPACES for name in _data['joined'][space]]
# [tile][rotation][edge] -> edge
MATCH: list[list[list[int]]] = [[_partners(rotated(pairs, r)) for r in range(8)] for pairs in PAIRS]
# [tile] -> how many rotations give different patterns; rotation r gives the pattern of r % that number
ROTATIONS: list[int] = [len({tuple(match) for match in MATCH[tile]}) for tile in range(N_TILES)]
# [post] -> ports by which a runner leaves it
EXITS: list[list[int]] = [
    [port for port in range(N_PORTS) if LINK[port] == FIRST_POST + post] for post in range(N_POSTS)
]
# [post] -> side of a home circle, -1 for a stop
SIDE_OF: list[int] = [-1] * N_STOPS + [i // 5 for i in range(20)]
# [players][seat] -> side on which the seat's runners start
SIDE_OF_SEAT: list[list[int]] = [
    [SIDES.index(side) for side in _data['seats'].get(str(n), '')] for n in range(5)
]
MIDDLE = 2  # index of the middle circle of a side, left empty by four players

LINK_TABLE = np.array(LINK, np.int64)
MATCH_TABLE = np.array(MATCH, np.int64)
ROTATIONS_TABLE = np.array(ROTATIONS, np.int64)
EXITS_TABLE = np.array([ports + [-1] * (4 - len(ports)) for ports in EXITS], np.int64)
N_EXITS_TABLE = np.array([len(ports) for ports in EXITS], np.int64)
SIDE_OF_TABLE = np.array(SIDE_OF, np.int64)
SIDE_OF_SEAT_TABLE = np.array([sides + [0] * (4 - len(sides)) for sides in SIDE_OF_SEAT], np.int64)
# [side] -> its circles as bits
CIRCLES_TABLE = np.array([31 << (N_STOPS + 5 * side) for side in range(4)], np.int64)


def word(places: list[int]) -> int:
    """Eight places, a byte each (the first lowest), as the 64-bit integer with these bits."""
    return int.from_bytes(bytes(places), 'little', signed=True)


# Where a runner that enters a space at edge 0..7 goes next: across the tile lying there to the place joined
# to the far edge; without a tile it is stuck at its port. One word a space; the rows of STUCK behind the
# spaces make every post stay itself.
CROSSED_TABLE = np.array(
    [
        [
            [word([LINK[8 * space + MATCH[tile][r][edge]] for edge in range(8)]) for space in range(N_SPACES)]
            for r in range(8)
        ]
        for tile in range(N_TILES)
    ],
    np.int64,
)
STUCK_TABLE = np.array(
    [word([8 * space + edge for edge in range(8)]) for space in range(N_SPACES + 5)], np.int64
)
