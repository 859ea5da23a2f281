"""Facts about a position that drawing and wording both need: what lies where, runs, colours and names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludoteca.drawing.geometry import Curve, line, path, total
from ludoteca.game import View
from ludoteca.text import Words, players

from .. import components as C
from .. import rules as R
from ..rules import Phase, State
from .symbols import board_line, port_point, post_point, space_point, tile_line

say = Words(Path(__file__).parent.parent)
# [players] -> the colours of the seats, if nobody chooses others
SEAT_COLOURS = {
    players: tuple(C.COLOURS[C.SIDES[side]] for side in C.SIDE_OF_SEAT[players]) for players in (2, 3, 4)
}
Tiles = Mapping[int, tuple[int, int]]  # space -> (tile, rotation)
POSITIONS_KEPT = 8  # whose whole turns are kept: those that are shown just now
RUNS_KEPT = 1 << 12  # whose ways are kept as written: most tiles lie as they did in the turn before


# ---- what lies where ---------------------------------------------------------------------------------------


def tiles_of(s: State) -> dict[int, tuple[int, int]]:
    """The tiles on the board: space -> (tile, rotation)."""
    lying = enumerate(zip(s.tile.tolist(), s.rot.tolist(), strict=True))
    return {space: placed for space, placed in lying if placed[0] >= 0}


def runners_of(s: State) -> dict[int, int]:
    """The runners: post -> seat."""
    return {
        post: seat for seat, posts in enumerate(s.runner[: s.players].tolist()) for post in posts if post >= 0
    }


def stack_of(s: State) -> list[int]:
    """Tiles of the stack, top first, -1 where unknown; the one in the mover's hand is not among them."""
    first = int(s.phase == Phase.MOVE)
    return [int(s.stack[(int(s.stack_head) + i) % C.N_TILES]) for i in range(first, int(s.stack_size))]


def side_of(s: State, seat: int) -> int:
    """The side on which a seat starts; its goal is `side ^ 2`."""
    return C.SIDE_OF_SEAT[int(s.players)][seat]


def first_turn(s: State) -> bool:
    """Is the seat to move in its first turn: has none of its runners left its side?"""
    seat = int(s.to_move)
    side = side_of(s, seat)
    return bool(
        s.turn < s.players and all(C.SIDE_OF[int(post)] == side for post in s.runner[seat] if post >= 0)
    )


def runners_home(s: State, seat: int) -> int:
    """How many runners of a seat have reached their goal."""
    return sum(C.SIDE_OF[int(post)] == side_of(s, seat) ^ 2 for post in s.runner[seat] if post >= 0)


def legal(s: State) -> list[int]:
    """The legal actions of a state."""
    out = np.empty(R.MAX_LEGAL, np.int32)
    found: list[int] = out[: R.legal_actions(s, out)].tolist()
    return found


def moves_of(actions: Iterable[int]) -> list[tuple[int, int]]:
    """The runner moves among actions, as (from, to)."""
    return [divmod(number, C.N_POSTS) for kind, number in map(R.ACTIONS.decode, actions) if kind == 'move']


WholeTurn = tuple[int, list[tuple[int, int]]]
"""A placement, and the runner moves after it as (from, to)."""


def whole_turns(s: State) -> tuple[WholeTurn, ...]:
    """The placements of a seat that has not laid its tile yet. Kept for the last positions, since drawing and
    targets ask for the same ones."""
    return _whole_turns(s.tobytes())


@lru_cache(maxsize=POSITIONS_KEPT)
def _whole_turns(data: bytes) -> tuple[WholeTurn, ...]:
    s: State = np.frombuffer(bytearray(data), State.DTYPE)[0]
    return tuple(_turns_from(s))


def _turns_from(s: State) -> Iterator[WholeTurn]:
    for placement in legal(s):
        if placement != R.PASS:
            laid = s.copy()
            R.apply(laid, placement)
            yield placement, moves_of(legal(laid))


def placements_of(actions: Iterable[int]) -> dict[int, list[int]]:
    """The placements among actions: space -> rotations."""
    placements: dict[int, list[int]] = {}
    for action in actions:
        match R.ACTIONS.parts(action):
            case 'lay', (space, rotation):
                placements.setdefault(space, []).append(rotation)
    return placements


# ---- runs --------------------------------------------------------------------------------------------------


class Run(NamedTuple):
    """The way of a runner that leaves `start`: lines (space, edge in, edge out), then the post where it ends
    (-1: it does not) or the space without a tile that it runs into (-1: none)."""

    start: int
    lines: tuple[tuple[int, int, int], ...]
    end: int
    gap: int

    def crosses(self, space: int) -> bool:
        """Does it cross (or run into) that space?"""
        return self.gap == space or space in [at for at, _, _ in self.lines]

    def curves(self) -> list[Curve]:
        """Its way in the plane, from the centre of the post that it leaves."""
        if not self.lines:
            return []
        space, edge, _ = self.lines[0]
        found = [line(post_point(self.start), port_point(8 * space + edge))]
        for space, edge, out in self.lines:
            found += [tile_line(edge, out, space_point(space)), board_line(8 * space + out)]
        return [curve for curve in found if curve.length > 1]

    def way(self) -> tuple[str, float]:
        """The same as path data, and its length."""
        return _way(self)


@lru_cache(maxsize=RUNS_KEPT)
def _way(run: Run) -> tuple[str, float]:
    curves = run.curves()
    return path(curves), total(curves)


def follow(tiles: Tiles, post: int, port: int) -> Run:
    """The run of a runner that leaves a post by the edge `port`."""
    lines: list[tuple[int, int, int]] = []
    place = port
    while place < C.FIRST_POST:
        space, edge = divmod(place, 8)
        if space not in tiles:
            return Run(post, tuple(lines), -1, space)
        tile, rotation = tiles[space]
        out = C.MATCH[tile][rotation][edge]
        lines.append((space, edge, out))
        place = C.LINK[8 * space + out]
    return Run(post, tuple(lines), place - C.FIRST_POST, -1)


def runs(tiles: Tiles, post: int) -> list[Run]:
    """The runs by all exits of a post."""
    return [follow(tiles, post, port) for port in C.EXITS[post]]


def runs_across(tiles: Tiles, laid: int, start: int) -> dict[int, Run]:
    """The runs from `start` across the tile laid, by the posts where they end; the shortest if there are
    several."""
    found: dict[int, Run] = {}
    for run in runs(tiles, start):
        if run.crosses(laid):
            known = found.get(run.end)
            if known is None or run.way()[1] < known.way()[1]:
                found[run.end] = run
    return found


def run_of_move(tiles: Tiles, laid: int, start: int, end: int) -> Run | None:
    """The run from `start` to `end` across the tile laid."""
    return runs_across(tiles, laid, start).get(end)


# ---- words and colours -------------------------------------------------------------------------------------


def colours_of(view: View) -> tuple[str, ...]:
    """The colours of all seats."""
    own = SEAT_COLOURS[int(view.state.players)]
    return tuple(view.colour(seat, own) for seat in range(len(own)))


def player_word(s: State, seat: int, names: Sequence[str] = ()) -> str:
    """A player's name, or the word for their colour."""
    return players.player_word(seat, names, SEAT_COLOURS[int(s.players)])


@cache
def lines_words(tile: int, rotation: int = 0) -> str:
    """The four lines of a tile as it lies, by the edges that they join: N-SE, NE-S, E-W, SW-NW."""
    match = C.MATCH[tile][rotation]
    return ', '.join(f'{C.EDGES[a]}-{C.EDGES[match[a]]}' for a in range(8) if a < match[a])


def stack_words(s: State) -> str:
    """The stack: how many tiles, the top one, and those that everybody knows at its bottom."""
    tiles = stack_of(s)
    if s.phase == Phase.MOVE:
        text = say.counted('board.stack_hand', len(tiles)) if tiles else say('board.stack_empty')
    elif len(tiles) == 1:
        text = say('board.stack_one', lines=lines_words(tiles[0]))
    else:
        text = say('board.stack', n=len(tiles), lines=lines_words(tiles[0]))
    known = [
        lines_words(tile)
        for tile in tiles[max(len(tiles) - int(s.known), 0 if s.phase == Phase.MOVE else 1) :]
        if tile >= 0
    ]
    return say('board.known', stack=text, tiles='; '.join(known)) if known else text
