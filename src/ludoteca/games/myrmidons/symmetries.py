"""Positions of Myrmidons that are played alike: the board mirrored from left to right, and the sides
exchanged with the board turned by half.

They hold between turns: pieces are deployed, and the friends of an order named, in an order of squares that
no mirror keeps. The ring of positions that finds repetitions holds hashes and cannot be mirrored: images
begin with an empty one.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from ludoteca.game.shapes import Symmetry, always, arranged, seats_by, shifted, unmoved
from ludoteca.kernel import Ints

from .knowledge import OBSERVATION
from .rules import ACTIONS, KEYS, N_PIECES, N_SQUARES, SIDE, Phase, State

FILES, RANKS = 6, 7
MIRRORED_FILES = tuple(range(FILES - 1, -1, -1))
MIRRORED_RANKS = tuple(range(RANKS - 1, -1, -1))
MIRROR = tuple(square - square % FILES + FILES - 1 - square % FILES for square in range(N_SQUARES))
HALF_TURN = tuple(N_SQUARES - 1 - square for square in range(N_SQUARES))
MIRRORED_HEADINGS = tuple((8 - heading) % 8 for heading in range(8))
TURNED_HEADINGS = tuple((heading + 4) % 8 for heading in range(8))


def set_image(bits: int, squares: tuple[int, ...]) -> int:
    """The image of a set of squares."""
    return sum(1 << squares[k] for k in range(N_SQUARES) if int(bits) >> k & 1)


def move(squares: tuple[int, ...], headings: tuple[int, ...], exchanged: bool, s: State) -> None:
    """The image of a state in which every square and heading is another one, and the sides are exchanged or
    not."""
    before = s.copy()
    for piece in range(N_PIECES):
        if s.at[piece] >= 0:
            s.at[piece] = squares[s.at[piece]]
    for square in range(N_SQUARES):
        s.on[squares[square]] = before.on[square]
    for seat in range(2):
        s.men[seat] = set_image(before.men[seat], squares)
    if s.heading >= 0:
        s.heading = headings[s.heading]
        s.clear, s.prey = set_image(before.clear, squares), set_image(before.prey, squares)
        for k in range(s.n_friends):
            s.friend[k] = squares[s.friend[k]]
    if s.course >= 0:
        s.course = headings[s.course]
        for k in range(s.n_moved):
            s.moved_from[k] = squares[s.moved_from[k]]
    if exchanged:
        for values in (s.type, s.at, s.mask, s.far, s.lead, s.seen):
            shifted(values, SIDE, N_PIECES)
        for values in (s.men, s.pool, s.hand, s.placed, s.leaderless, s.taken):
            shifted(values, 1, 2)
        for values, n in ((s.on, N_SQUARES), (s.moved, s.n_moved), (s.attacker, s.n_fights),
                          (s.defender, s.n_fights)):  # fmt: skip
            pieces = values[:n] >= 0
            values[:n][pieces] = (values[:n][pieces] + SIDE) % N_PIECES
        s.to_move = 1 - s.to_move
        if s.winner >= 0:
            s.winner = 1 - s.winner
    key = 0
    for piece in range(N_PIECES):
        if s.at[piece] >= 0:
            key ^= int(KEYS[piece, s.at[piece]])
    s.key = key
    s.past[:] = 0
    s.n_past = 0


def actions_by(squares: str) -> Ints:
    """[action] -> its image under the mirror or the half turn."""
    axes = {'from_file': MIRRORED_FILES, 'to_file': MIRRORED_FILES, 'file': MIRRORED_FILES}
    axes['heading'] = MIRRORED_HEADINGS
    if squares == 'half turn':
        axes |= {'from_rank': MIRRORED_RANKS, 'to_rank': MIRRORED_RANKS, 'rank': MIRRORED_RANKS}
        axes['heading'] = TURNED_HEADINGS
    return arranged(ACTIONS.kinds, axes)


@cache
def symmetries(players: int) -> tuple[Symmetry, ...]:
    """The mirror, and the other side's point of view."""
    size = sum(part.size for part in OBSERVATION)
    order = (*MIRRORED_HEADINGS, *(8 + square for square in MIRROR))
    mirrored = arranged(OBSERVATION, {'file': MIRRORED_FILES}, {'order': order})
    by_mirror, by_turn = actions_by('mirror'), actions_by('half turn')
    lost = ('past', 'n_past', 'key', 'shown')
    return (
        Symmetry(
            'mirror',
            'board',
            partial(move, MIRROR, MIRRORED_HEADINGS, False),
            always(by_mirror),
            seats_by(players, 0),
            (mirrored, np.ones(size, np.int32)),
            lambda s: s.phase == Phase.TURN,
            lost,
        ),
        Symmetry(
            'sides exchanged',
            'seats',
            partial(move, HALF_TURN, TURNED_HEADINGS, True),
            always(by_turn),
            seats_by(players, 1),
            unmoved(OBSERVATION),
            lambda s: s.phase == Phase.TURN,
            lost,
        ),
    )
