"""Positions of Myriath that are played alike: the area turned and flipped over, and the seats further on."""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from ludoteca.game.shapes import Symmetry, always, arranged, seats_by, seats_moved_on, shifted
from ludoteca.kernel import WORD, Array, Ints

from . import components as C
from . import rules as R
from .knowledge import OBSERVATION
from .rules import IN_HAND, N_CROSSINGS, Phase, State

NAMES = ('', 'quarter turn', 'half turn', 'three quarter turn', 'flip', 'flip and quarter turn',
         'flip and half turn', 'flip and three quarter turn')  # fmt: skip
PIECE_NUMBER = {piece.covers: number for number, piece in enumerate(C.PIECES)}


def crossing_image(crossing: int, orientation: int, side: int) -> int:
    """Where a crossing of an area lies when that is flipped over and turned clockwise (as a tile is)."""
    i, j = crossing % side, crossing // side
    if orientation >= 4:
        i = side - 1 - i
    for _ in range(orientation % 4):
        i, j = j, side - 1 - i
    return i + side * j


def quarter_image(quarter: int, orientation: int) -> int:
    """Which quarter of the image of a crossing a quarter becomes."""
    return ((2 - quarter if orientation >= 4 else quarter) - orientation) % 4


@cache
def actions_by(orientation: int, side: int) -> Ints:
    """[action] -> its image. Pieces that do not lie inside the area stay as they are."""
    found = np.arange(R.N_ACTIONS, dtype=np.int32)
    places = range(side * side)

    def first_of(path: tuple[C.Crossing, ...], at: int) -> int | None:
        """The first crossing of the image of a path that is laid at a crossing; None outside the area."""
        i, j = at % side, at // side
        points = [(i + x, j + y) for x, y in path]
        if not all(0 <= x < side and 0 <= y < side for x, y in points):
            return None
        return min(crossing_image(x + side * y, orientation, side) for x, y in points)

    for piece, shape in enumerate(C.PIECES):
        turned = PIECE_NUMBER[shape.oriented(orientation).covers]
        for at in places:
            if (first := first_of(shape.path, at)) is not None:
                found[R.LAY + piece * N_CROSSINGS + at] = R.LAY + turned * N_CROSSINGS + first
    for at in places:
        if (first := first_of(C.THE_RING.path, at)) is not None:
            found[R.FIRST_OCTAGON + at] = R.FIRST_OCTAGON + first
    return found


def set_image(words: Array, orientation: int, side: int) -> list[int]:
    """The two words of the image of a set of crossings."""
    image = [0, 0]
    for word in range(2):
        for bit in range(WORD):
            if int(words[word]) >> bit & 1:
                there = crossing_image(WORD * word + bit, orientation, side)
                image[there // WORD] |= 1 << there % WORD
    return image


def turn(orientation: int, s: State) -> None:
    """The image of a state under a turn of the area."""
    side, actions = int(s.side), actions_by(orientation, int(s.side))
    before = s.copy()
    for quarter in range(4):
        there = quarter_image(quarter, orientation)
        s.covered[there] = set_image(before.covered[quarter], orientation, side)
        for seat in range(4):
            s.own[seat, there] = set_image(before.own[seat, quarter], orientation, side)
        for way in range(2):  # what faces clockwise faces anticlockwise in a mirror
            flipped = way ^ (orientation >= 4)
            s.faced[flipped, there] = set_image(before.faced[way, quarter], orientation, side)
    laid = s.at != IN_HAND
    s.at[laid] = actions[s.at[laid]]


def observed_by(orientation: int, side: int) -> Ints:
    """[number of an observation] -> its image. Crossings outside the area stay as they are."""
    crossings = list(range(N_CROSSINGS))
    for at in range(side * side):
        there = crossing_image(at, orientation, side)
        wide = [k % side + C.MOST_SIDE * (k // side) for k in (at, there)]
        crossings[wide[0]] = wide[1]
    flipped = int(orientation >= 4)
    return arranged(
        OBSERVATION,
        {
            'crossing': crossings,
            'quarter': [quarter_image(quarter, orientation) for quarter in range(4)],
            'way': [flipped, 1 - flipped],
        },
    )


def hand_on(players: int, by: int, s: State) -> None:
    """The image of a state in which every player sits so many seats further on."""
    for values in (s.own, s.at, s.points):
        shifted(values, by, players)
    s.to_move = (int(s.to_move) + by) % players


@cache
def symmetries(players: int) -> tuple[Symmetry, ...]:
    """All turns of the area, and all ways in which the seats move on together."""
    side, size = C.SIDES[players], sum(part.size for part in OBSERVATION)
    return (
        *(
            Symmetry(
                NAMES[orientation],
                'board',
                partial(turn, orientation),
                always(actions_by(orientation, side)),
                seats_by(players, 0),
                (observed_by(orientation, side), np.ones(size, np.int32)),
            )
            for orientation in range(1, 8)
        ),
        # octagons are laid from seat 0 on
        *seats_moved_on(players, hand_on, R.N_ACTIONS, OBSERVATION, lambda s: s.phase == Phase.PLAY),
    )
