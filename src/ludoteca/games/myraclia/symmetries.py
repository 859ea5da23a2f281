"""Positions of Myraclia that are played alike: the planet turned by half and mirrored, and the seats further
on.

Turns by a sixth would lead out of the window of 41 x 41 places in which tiles can lie, so that they are no
permutations of the actions. Colours differ in their numbers of cubes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np

from ludoteca.game.shapes import (
    Symmetry,
    always,
    arranged,
    seats_by,
    seats_moved_on,
    shifted,
    shifted_seats,
    unmoved,
)
from ludoteca.kernel import Ints

from . import components as C
from . import rules as R
from .knowledge import OBSERVATION, TILE_NUMBERS
from .rules import ACTIONS, NONE, Phase, State

SPAN = C.SPAN
TURNS: dict[str, tuple[bool, bool]] = {  # are q and r exchanged, are they turned round
    'half turn': (False, True),
    'mirror': (True, False),
    'mirror and half turn': (True, True),
}


def place_image(exchanged: bool, turned: bool, span: int, number: int) -> int:
    """The image of a place in a window of so many columns and rows, by its number."""
    q, r = number % span, number // span
    if exchanged:
        q, r = r, q
    if turned:
        q, r = span - 1 - q, span - 1 - r
    return q + span * r


def turn(image: Callable[[int, int], int], s: State) -> None:
    """The image of a state under a turn of the planet."""
    cells = np.array([image(SPAN, cell) for cell in range(C.N_CELLS)])
    before = s.copy()
    s.cell[cells] = before.cell
    for tile in range(C.N_TILES):
        if before.where[tile] != NONE:
            s.where[tile] = cells[before.where[tile]]
    s.rows[:] = 0
    for cell in range(C.N_CELLS):
        if s.cell[cell] != NONE:
            s.rows[cell // SPAN] |= 1 << cell % SPAN


def actions_by(image: Callable[[int, int], int]) -> Ints:
    """[action] -> its image: other places for tiles, all else the same."""
    cells = [image(SPAN, cell) for cell in range(C.N_CELLS)]
    start = [image(C.START_SPAN, cell) for cell in range(C.START_SPAN**2)]
    return arranged(
        ACTIONS.kinds,
        {},
        {
            'place': [C.N_CELLS * slot + cell for slot in range(C.N_DISPLAY) for cell in cells],
            'arrange': [len(start) * slot + cell for slot in range(C.MOST_START) for cell in start],
        },
    )


def observed_by(exchanged: bool, turned: bool) -> tuple[Ints, Ints]:
    """What becomes of an observation: q and r of every tile, numbers 2 and 3, change places and signs."""
    places, signs = unmoved(OBSERVATION)
    for tile in range(C.N_TILES):
        q, r = TILE_NUMBERS * tile + 2, TILE_NUMBERS * tile + 3
        if exchanged:
            places[q], places[r] = r, q
        if turned:
            signs[q] = signs[r] = -1
    return places, signs


def hand_on(players: int, by: int, s: State) -> None:
    """The image of a state in which every player sits so many seats further on."""
    for values in (
        s.terraformed,
        s.points,
        s.sources,
        s.reserved,
        s.done,
        s.own,
        s.disk,
        s.rank,
        s.passed,
    ):
        shifted(values, by, players)
    for values in (s.owner, s.order):
        shifted_seats(values, by, players)
    s.to_move = (int(s.to_move) + by) % players


@cache
def symmetries(players: int) -> tuple[Symmetry, ...]:
    """Half turn and mirrors of the planet, and all ways in which the seats move on together."""
    found = []
    for name, (exchanged, turned) in TURNS.items():
        image = partial(place_image, exchanged, turned)
        actions = actions_by(image)
        found.append(
            Symmetry(
                name,
                'board',
                partial(turn, image),
                always(actions),
                seats_by(players, 0),
                observed_by(exchanged, turned),
            )
        )
    # cubes are dealt in the order of the seats when the starting tiles lie
    on = seats_moved_on(players, hand_on, R.N_ACTIONS, OBSERVATION, lambda s: s.phase != Phase.ARRANGE)
    return (*found, *on)
