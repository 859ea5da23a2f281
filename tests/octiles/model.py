"""A slow model of Octiles, written from the rulebook alone, that the compiled rules are compared with.

Nothing here is shared with the package: the board is worked out from where its spaces, stops and circles lie,
rules are loops over dictionaries, and things go by the names that people use: spaces `a2`, stops and circles
`B4` (both are POSTS), edges `a2.NE` (a PORT is a space and one of its edges), tiles 1..18, turns `a2:7 A1-B2`
or `pass`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).resolve().parent.parent / 'data' / 'octiles'


# ---- the board ---------------------------------------------------------------------------------------------

EDGES = ('N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW')  # clockwise
STEPS = dict(zip(EDGES, [(0, 2), (1, 1), (2, 0), (1, -1), (0, -2), (-1, -1), (-2, 0), (-1, 1)], strict=True))
"""From the middle of a space, over an edge, to what lies there, in half widths of a space: the next space or
a stop."""

MISSING = {'a1', 'a5', 'e1', 'e5', 'a4', 'd5', 'e2', 'b1'}
SPACES = tuple(sorted({column + row for column in 'abcde' for row in '12345'} - MISSING))
STOPS = tuple(column + row for column in 'BCDE' for row in '2345')
CIRCLES = {
    'W': {'A1': 'a2.S', 'A2': 'a2.SW', 'A3': 'a2.W', 'A4': 'a3.W', 'A5': 'a3.NW'},
    'N': {'A6': 'b5.W', 'B6': 'b5.NW', 'C6': 'b5.N', 'D6': 'c5.N', 'E6': 'c5.NE'},
    'E': {'F6': 'e4.N', 'F5': 'e4.NE', 'F4': 'e4.E', 'F3': 'e3.E', 'F2': 'e3.SE'},
    'S': {'F1': 'd1.E', 'E1': 'd1.SE', 'D1': 'd1.S', 'C1': 'c1.S', 'B1': 'c1.SW'},
}
"""The home circles of each side, clockwise round the board, and the edge that each touches."""
PRINTED_PATHS = (
    'a2.NW-a3.SW',
    'b5.NE-c5.NW',
    'e4.SE-e3.NE',
    'd1.SW-c1.SE',
    'a3.N-b4.W',
    'c5.E-d4.N',
    'e3.S-d2.E',
    'c1.W-b2.S',
)
ALL_CIRCLES = {circle for side in CIRCLES.values() for circle in side}
POSTS = (*STOPS, *(circle for side in 'WNES' for circle in CIRCLES[side]))

OPPOSITE = {'W': 'E', 'E': 'W', 'N': 'S', 'S': 'N'}
SEATS = {2: 'WE', 3: 'WNE', 4: 'WNES'}
"""The side on which each seat begins, in turn order."""
MIDDLE = {'A3', 'C6', 'F4', 'D1'}
PRELAID = ('c1', 'd1')
"""Spaces that have a tile from the start when three play."""


class Port(NamedTuple):
    """An edge of a space."""

    space: str
    edge: str

    def __str__(self) -> str:
        return f'{self.space}.{self.edge}'

    @classmethod
    def read(cls, text: str) -> Port:
        return cls(*text.split('.'))


def _joined() -> dict[Port, Port | str]:
    """What the board joins to each edge: another edge, a stop or a circle."""
    at: dict[tuple[int, int], str] = {}
    for name in SPACES:
        at[2 * 'abcde'.index(name[0]), 2 * '12345'.index(name[1])] = name
    for name in STOPS:
        at[2 * 'ABCDEF'.index(name[0]) - 1, 2 * '123456'.index(name[1]) - 1] = name
    joined: dict[Port, Port | str] = {}
    for (x, y), space in at.items():
        if space in SPACES:
            for edge, (dx, dy) in STEPS.items():
                there = at.get((x + dx, y + dy))
                if there in STOPS:
                    joined[Port(space, edge)] = there
                elif there is not None:
                    joined[Port(space, edge)] = Port(there, opposite_edge(edge))
    for circles in CIRCLES.values():
        for circle, port in circles.items():
            joined[Port.read(port)] = circle
    for path in PRINTED_PATHS:
        a, b = map(Port.read, path.split('-'))
        joined[a], joined[b] = b, a
    return joined


def turned(edge: str, eighths: int) -> str:
    """The edge that lies `eighths` of a full turn further clockwise."""
    return EDGES[(EDGES.index(edge) + eighths) % 8]


def opposite_edge(edge: str) -> str:
    return turned(edge, 4)


JOINED = _joined()
EXITS = {post: tuple(port for port, thing in JOINED.items() if thing == post) for post in POSTS}
"""The edges by which a runner can leave each post."""


# ---- the tiles ---------------------------------------------------------------------------------------------

Pattern = frozenset[frozenset[str]]
"""Four pairs of edges."""


def turned_pattern(pattern: Pattern, eighths: int) -> Pattern:
    return frozenset(frozenset(turned(edge, eighths) for edge in pair) for pair in pattern)


def all_patterns() -> set[Pattern]:
    """All ways to join eight edges in four pairs."""

    def pairings(edges: frozenset[str]) -> Iterator[Pattern]:
        if not edges:
            yield frozenset()
        for a, b in combinations(sorted(edges), 2):
            if a == min(edges):
                for rest in pairings(edges - {a, b}):
                    yield rest | {frozenset({a, b})}

    return set(pairings(frozenset(EDGES)))


TILES: dict[int, Pattern] = {
    int(number): frozenset(frozenset(pair.split('-')) for pair in pairs)
    for number, pairs in json.loads((DATA / 'tiles.json').read_text('utf-8')).items()
}
"""The pattern of each tile in rotation 0."""
PATTERN = {(tile, rotation): turned_pattern(TILES[tile], rotation) for tile in TILES for rotation in range(8)}
ROTATIONS = {
    tile: tuple(r for r in range(8) if PATTERN[tile, r] not in {PATTERN[tile, s] for s in range(r)})
    for tile in TILES
}
"""The rotations of each tile that differ, each the smallest that gives its pattern."""
ACROSS = {
    laid: {edge: other for pair in pattern for edge in pair for other in pair - {edge}}
    for laid, pattern in PATTERN.items()
}
"""Where the line goes that begins at an edge of a tile in a rotation."""


def canonical(tile: int, rotation: int) -> int:
    """The smallest rotation that gives the same pattern."""
    return next(r for r in range(8) if PATTERN[tile, r] == PATTERN[tile, rotation])


# ---- a position --------------------------------------------------------------------------------------------

Laid = dict[str, tuple[int, int]]
"""Tile and rotation on each covered space."""


@dataclass(frozen=True, order=True)
class Turn:
    """A tile laid and a runner moved."""

    space: str
    rotation: int
    start: str
    end: str

    def __str__(self) -> str:
        return f'{self.space}:{self.rotation} {self.start}-{self.end}'


def walk(tiles: Mapping[str, tuple[int, int]], port: Port) -> Port | str:
    """Follow the path that enters a space at `port` to the first post, or to the first space without a
    tile."""
    here: Port | str = port
    while isinstance(here, Port) and here.space in tiles:
        here = JOINED[Port(here.space, ACROSS[tiles[here.space]][here.edge])]
    return here


@dataclass(frozen=True)
class Game:
    """A position at the start of a turn. `stack` is the whole truth, top first; `known` is how many tiles at
    its bottom have been seen going there; `seen` counts how often each position has occurred."""

    players: int
    to_move: int
    tiles: Laid
    stack: tuple[int, ...]
    runners: Mapping[str, int]
    known: int = 0
    passes: int = 0
    repetition: bool = False
    seen: Mapping[object, int] = field(default_factory=dict)
    ending: str = ''
    winner: int | None = None

    # set-up
    @classmethod
    def start(
        cls,
        players: int,
        stack: tuple[int, ...],
        rotations: tuple[int, int] = (0, 0),
        *,
        repetition: bool = False,
    ) -> Game:
        """A game's beginning; with three players the first two tiles are laid in these rotations."""
        runners = {
            circle: seat
            for seat, side in enumerate(SEATS[players])
            for circle in CIRCLES[side]
            if not (players == 4 and circle in MIDDLE)
        }
        tiles: Laid = {}
        if players == 3:
            tiles = {
                space: (tile, canonical(tile, r))
                for space, tile, r in zip(PRELAID, stack, rotations, strict=False)
            }
            stack = stack[2:]
        return cls(players, 0, tiles, stack, runners, repetition=repetition).counted()

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Game:
        """A position written as JSON, at the start of a turn and without unknown tiles; what had occurred
        before is not read."""
        tiles = {space: (tile, canonical(tile, r)) for space, (tile, r) in data['tiles'].items()}
        return cls(
            data['players'],
            data['to_move'],
            tiles,
            tuple(data['stack']),
            dict(data['runners']),
            data.get('known', 0),
            data.get('passes', 0),
            data.get('options', {}).get('repetition', False),
        ).counted()

    def home(self, seat: int) -> set[str]:
        """The circles on the seat's own side."""
        return set(CIRCLES[SEATS[self.players][seat]])

    def goal(self, seat: int) -> set[str]:
        """The circles on the side opposite to the seat's."""
        return set(CIRCLES[OPPOSITE[SEATS[self.players][seat]]])

    # what is legal
    def allowed(self) -> Iterator[Turn]:
        """Every turn that obeys rules 1 to 3, perhaps more than once; the rotation is the smallest of its
        pattern."""
        goal = self.goal(self.to_move)
        leaving = [
            (post, port)
            for post, seat in self.runners.items()
            if seat == self.to_move and post not in goal
            for port in EXITS[post]
        ]
        tile = self.stack[0]
        for space in SPACES:
            # a covered tile counts as gone
            others = {s: laid for s, laid in self.tiles.items() if s != space}
            for start, port in leaving:
                reached = walk(others, port)
                # so it will cross the new tile
                if isinstance(reached, Port) and reached.space == space:
                    for rotation in ROTATIONS[tile]:
                        end = walk({**others, space: (tile, rotation)}, reached)
                        if (
                            isinstance(end, str)
                            and (end in STOPS or end in goal)
                            and (end not in self.runners or end == start)
                        ):
                            yield Turn(space, rotation, start, end)

    def home_circles_full(self) -> bool:
        """Are all five of the mover's home circles occupied, by anybody?"""
        return self.home(self.to_move) <= self.runners.keys()

    def turns(self) -> set[Turn]:
        """All legal turns; none means that the player has to pass."""
        if self.ending:
            return set()
        turns = set(self.allowed())
        if self.home_circles_full():
            vacating = {turn for turn in turns if turn.start in self.home(self.to_move)}
            return vacating or turns
        return turns

    def names(self) -> set[str]:
        """The legal turns as people write them."""
        return {str(turn) for turn in self.turns()} or (set() if self.ending else {'pass'})

    # what happens
    def play(self, turn: Turn | None) -> Game:
        """The position after a legal turn; None is a pass."""
        following = (self.to_move + 1) % self.players
        if turn is None:
            passed = replace(self, to_move=following, passes=self.passes + 1)
            return replace(passed, ending='blocked') if passed.passes == self.players else passed.counted()
        covered = self.tiles.get(turn.space)
        stack = self.stack[1:] if covered is None else (*self.stack[1:], covered[0])
        tiles = {**self.tiles, turn.space: (self.stack[0], turn.rotation)}
        runners = {post: seat for post, seat in self.runners.items() if post != turn.start} | {
            turn.end: self.to_move
        }
        known = min(self.known + (covered is not None), len(stack))
        after = replace(self, tiles=tiles, stack=stack, runners=runners, known=known, passes=0)
        mine = {post for post, seat in runners.items() if seat == self.to_move}
        if mine <= self.goal(self.to_move):
            return replace(after, ending='home', winner=self.to_move)
        return replace(after, to_move=following).counted()

    def play_name(self, name: str) -> Game:
        """The position after the turn of that name."""
        if name == 'pass':
            assert not self.turns()
            return self.play(None)
        turn = next(turn for turn in self.turns() if str(turn) == name)
        return self.play(turn)

    # what everybody knows
    def public_stack(self) -> tuple[int | None, ...]:
        """The stack as everybody knows it, top first: the top, the tiles seen going to the bottom, and the
        last unknown one, which can only be the tile that is nowhere else. After the end all is shown."""
        hidden = range(1, len(self.stack) - self.known)
        if self.ending or len(hidden) == 1:
            return self.stack
        return tuple(None if i in hidden else tile for i, tile in enumerate(self.stack))

    def counted(self) -> Game:
        """With this position counted once more; its third occurrence ends the game if that option is
        chosen."""
        if not self.repetition:
            return self
        position = (
            frozenset(self.tiles.items()),
            frozenset(self.runners.items()),
            self.public_stack(),
            self.to_move,
        )
        seen = Counter(self.seen)
        seen[position] += 1
        return replace(self, seen=seen, ending='repetition' if seen[position] == 3 else '')

    def json(self) -> dict[str, Any]:
        """The required keys of a position as JSON."""
        return {
            'game': 'octiles',
            'players': self.players,
            'to_move': self.to_move,
            'tiles': {space: list(laid) for space, laid in self.tiles.items()},
            'stack': list(self.stack),
            'runners': dict(self.runners),
        }


def perft(game: Game, depth: int) -> int:
    """How many sequences of `depth` turns there are, all eight rotations of a tile counted as different."""
    if depth == 0:
        return 1
    if not (turns := game.turns()):
        return 0 if game.ending else perft(game.play(None), depth - 1)
    same = 8 // len(ROTATIONS[game.stack[0]])
    return sum(same * perft(game.play(turn), depth - 1) for turn in turns)
