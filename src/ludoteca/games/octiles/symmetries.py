"""Positions of Octiles that are played alike: the board turned, with the seats round it.

The circles wind round the board, so it has no mirror; and with three players a turn would leave a seat
without its side. How an action that lays a tile is turned depends on the tile on top of the stack, since of
equal rotations the smallest counts; so does what is observed of the tiles. The memory of the option
`repetition` holds hashes and cannot be turned: images begin with an empty one.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from ludoteca.game.shapes import Symmetry, arranged, seats_by, shifted
from ludoteca.kernel import Array, Ints

from . import components as C
from . import rules as R
from .knowledge import AT, OBSERVATION
from .rules import ACTIONS, N_SPACES, N_TILES, ROTATIONS, State

Point = tuple[float, float]
N_EDGES = 8


def images(points: list[Point], quarters: int) -> list[int]:
    """[point] -> the number of the point to which it comes if the board is turned clockwise by so many
    quarters round 0, 0."""
    found = []
    for x, y in points:
        for _ in range(quarters):
            x, y = y, -x
        found.append(min(range(len(points)), key=lambda k: abs(points[k][0] - x) + abs(points[k][1] - y)))
    return found


SPACE_IMAGES = [images(list(C.SPACE_XY.values()), quarters) for quarters in range(4)]
POST_IMAGES = [images(list(C.POST_XY.values()), quarters) for quarters in range(4)]


def rotations_by(quarters: int, tile: int) -> list[int]:
    """[rotation] -> its image for a tile. Those that are never used, since they are equal to smaller ones,
    stay."""
    equal = int(ROTATIONS[tile])
    return [(rot + 2 * quarters) % equal if rot < equal else rot for rot in range(N_EDGES)]


@cache
def actions_for(quarters: int, tile: int) -> Ints:
    """[action] -> its image while that tile is on top."""
    posts = POST_IMAGES[quarters]
    return arranged(
        ACTIONS.kinds,
        {
            'space': SPACE_IMAGES[quarters],
            'rotation': rotations_by(quarters, tile),
            'from': posts,
            'to': posts,
        },
    )


def actions_by(quarters: int, s: State) -> Ints:
    """[action] -> its image in the state; where the tile is unknown nothing can be laid."""
    return actions_for(quarters, max(0, R.top_tile(s)))


def turn(quarters: int, by: int, s: State) -> None:
    """The image of a state under a turn by so many quarters, by which every seat becomes the one so many
    seats further on."""
    before, players, spaces, posts = s.copy(), int(s.players), SPACE_IMAGES[quarters], POST_IMAGES[quarters]
    for space in range(N_SPACES):
        tile, rot = int(before.tile[space]), int(before.rot[space])
        R.place_tile(s, spaces[space], tile, rotations_by(quarters, tile)[rot] if tile >= 0 else 0)
    s.occupied = 0
    for seat in range(players):
        for i in range(s.n_runners):
            s.runner[seat, i] = posts[before.runner[seat, i]]
            s.occupied |= 1 << int(s.runner[seat, i])
    shifted(s.runner, by, players)
    s.to_move = (s.to_move + by) % players
    if s.winner >= 0:
        s.winner = (s.winner + by) % players
    if s.laid >= 0:
        s.laid = spaces[s.laid]
    if s.covered >= 0:
        s.covered_rot = rotations_by(quarters, int(s.covered))[s.covered_rot]
    s.past[:] = 0
    s.n_past = 0


class Turn(Symmetry):
    """A turn of the board."""

    def observed(self, out: Array) -> Array:
        """As for every symmetry; then each tile turns as its pattern says."""
        image = super().observed(out)
        tiles = image[..., AT.tiles : AT.rotations].reshape(*out.shape[:-1], N_SPACES, N_TILES)
        at = slice(AT.rotations, AT.rotations + N_SPACES * N_EDGES)
        turned = image[..., at].reshape(*out.shape[:-1], N_SPACES, N_EDGES).copy()
        quarters = QUARTERS[self.name]
        for tile in range(N_TILES):
            lies = tiles[..., tile] > 0
            moved = np.zeros_like(turned[lies])
            moved[..., rotations_by(quarters, tile)] = turned[lies]
            turned[lies] = moved
        image[..., at] = turned.reshape(*out.shape[:-1], N_SPACES * N_EDGES)
        return image


QUARTERS = {'quarter turn': 1, 'half turn': 2, 'three quarter turn': 3}


def observed_by(quarters: int) -> tuple[Ints, Ints]:
    """What becomes of an observation but for the tiles' rotations."""
    spaces, sides = SPACE_IMAGES[quarters], [(side + quarters) % 4 for side in range(4)]
    places = arranged(
        OBSERVATION,
        {'space': spaces, 'post': POST_IMAGES[quarters], 'side': sides},
        {'laid': [0, *(1 + space for space in spaces)]},
    )
    return places, np.ones(len(places), np.int32)


@cache
def symmetries(players: int) -> tuple[Symmetry, ...]:
    """A half turn with two players, all turns with four, none with three."""
    if players == 3:
        return ()
    return tuple(
        Turn(
            name,
            'board',
            partial(turn, quarters, quarters * players // 4),
            partial(actions_by, quarters),
            seats_by(players, quarters * players // 4),
            observed_by(quarters),
            forgets=('past', 'n_past'),
        )
        for name, quarters in QUARTERS.items()
        if quarters * players % 4 == 0
    )
