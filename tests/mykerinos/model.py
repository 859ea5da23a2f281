"""A slow model of Mykerinos, written from the rulebook alone, that the compiled rules are compared with.

Nothing here is shared with the package but its table of components (tiles.json), which no rule follows from.
Things go by the names that people use: spaces `c4`, rooms `2-violet-brown`, tiles `lemon-3`, seats 0, 1 ...
and NEUTRAL, steps `extend c4`. A turn is whatever can be laid down whole: all of them are listed, and a step
is legal if some turn goes on with it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import resources
from typing import Any, NamedTuple

Who = int | str
Turn = tuple[str, ...]
NEUTRAL = 'neutral'

# ---- components --------------------------------------------------------------------------------------------

BOX: dict[str, Any] = json.loads(
    resources.files('ludoteca.games.mykerinos').joinpath('tiles.json').read_text('utf-8')
)
PATRONS = ('violet', 'lemon', 'brown', 'blackmore', 'tangerine')
AREAS = 'ABCDEF'
CUBES = 25
INCOME = {2: 11, 3: 11, 4: 8}
NEUTRAL_INCOME = 4
AREAS_OF_SEASON = (4, 4, 4, 6)


class Tile(NamedTuple):
    """A terrain-patron tile: whose portrait it has, its points, and which of its 2 x 3 spaces have a pyramid,
    row by row."""

    patron: str | None
    points: int
    pyramids: tuple[int, ...]


TILES: dict[str, Tile] = {
    'blank' if patron == 'blank' else f'{patron}-{number}': Tile(
        None if patron == 'blank' else patron, tile['points'], tuple(tile['pyramids'])
    )
    for patron in (*PATRONS, 'blank')
    for number, tile in enumerate(BOX['tiles'][patron], 1)
}
ORDER = list(TILES)


def spaces_of_area(area: int) -> list[str]:
    """Four columns and three rows, from the upper left; areas lie in two columns."""
    down, across = divmod(area, 2)
    return ['abcdefgh'[4 * across + x] + str(3 * down + y + 1) for y in range(3) for x in range(4)]


def pyramid_spaces(slot: int, tile: str, upside_down: bool) -> set[str]:
    """The spaces with a pyramid of the tile dealt as the `slot`-th, two an area, left and right."""
    grid = [[2 * y + x in TILES[tile].pyramids for x in range(2)] for y in range(3)]
    if upside_down:
        grid = [row[::-1] for row in grid[::-1]]
    half = [space for k, space in enumerate(spaces_of_area(slot // 2)) if k % 4 // 2 == slot % 2]
    return {
        space for space, pyramid in zip(half, (cell for row in grid for cell in row), strict=True) if pyramid
    }


def neighbours(space: str) -> list[str]:
    """The four spaces beside it, whether they exist or not."""
    column, row = ord(space[0]), int(space[1:])
    return [
        chr(column + 1) + str(row),
        chr(column - 1) + str(row),
        chr(column) + str(row + 1),
        chr(column) + str(row - 1),
    ]


BESIDE = {
    space: [other for other in neighbours(space) if any(other in spaces_of_area(area) for area in range(6))]
    for area in range(6)
    for space in spaces_of_area(area)
}


class Wing(NamedTuple):
    """The rooms of a patron's wing."""

    five: str
    three: str
    twos: tuple[str, str]


def museum_of(ring: Iterable[str]) -> dict[str, Wing]:
    """The wings of the patrons, in the order in which their markers lie round the museum."""
    ring = list(ring)
    shared = {(a, b): f'2-{a}-{b}' for a, b in zip(ring, ring[1:] + ring[:1], strict=True)}
    return {
        p: Wing(f'5-{p}', f'3-{p}', (shared[ring[i - 1], p], shared[p, ring[(i + 1) % 5]]))
        for i, p in enumerate(ring)
    }


# ---- a position --------------------------------------------------------------------------------------------


@dataclass
class Game:
    """A position; `play` leads to another. In an excavation everything is as it was when the turn began, and
    `steps` are those that have been taken in it; `table` shows the position with them."""

    players: int
    ring: tuple[str, ...]
    tiles: list[tuple[str, bool]]  # of the season, in deal order: name, upside down
    deck: list[tuple[str, bool]]
    three_only: bool = False
    season: int = 1
    first: int = 0
    to_move: int = 0
    turn: int = 0
    lying: set[str] = field(default_factory=set)
    held: list[list[str]] = field(default_factory=list)
    tilted: list[Counter[str]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    cubes: dict[str, Who] = field(default_factory=dict)
    museum: dict[str, int] = field(default_factory=dict)
    stock: list[int] = field(default_factory=list)
    neutral: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    steps: Turn = ()
    area: int | None = None  # in the survey
    ranking: list[Who] = field(default_factory=list)
    rank: int = 0  # whose claim it is, the first rank being 0
    over: bool = False

    # set-up
    @classmethod
    def start(
        cls, players: int, ring: Iterable[str], deal: Iterable[tuple[str, bool]], *, three_only: bool = False
    ) -> Game:
        """A new game with these patron markers round the museum and this deal."""
        game = cls(
            players,
            tuple(ring),
            [],
            list(deal),
            three_only,
            0,
            held=[[] for _ in range(players)],
            tilted=[Counter() for _ in range(players)],
            stock=[0] * players,
            neutral=[0] * players,
            points=[0] * players,
        )
        game.new_season()
        return game

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Game:
        """A position written as JSON in which every tile is known."""
        n = data['players']
        tiles, deck = (
            [(entry.removesuffix(' turned'), entry.endswith(' turned')) for entry in data.get(key, ())]
            for key in ('tiles', 'deck')
        )
        held, gone = data.get('held', [[]] * n), data.get('gone', [])
        lying, survey = {tile for tile, _ in tiles}.difference(gone, *held), data.get('survey')
        game = cls(
            n,
            tuple(data['wings']),
            tiles,
            deck,
            data.get('options', {}).get('five_door') == 'three',
            data['season'],
            data.get('first', 0),
            data['to_move'],
            data.get('turn', 0),
            lying,
            [list(seat) for seat in held],
            [Counter(entry) for entry in data.get('tilted', [{}] * n)],
            set(gone),
            dict(data.get('cubes', {})),
            dict(data.get('museum', {})),
            list(data.get('stock', [0] * n)),
            list(data.get('neutral', [0] * n)),
            [],
            list(data.get('scale', [])),
            over='ending' in data,
        )
        game.points = [sum(TILES[tile].points for tile in seat) for seat in held]
        if game.over:
            game.points = [points + game.exhibition(seat) for seat, points in enumerate(game.points)]
        if survey:
            game.area, game.rank = AREAS.index(survey['area']), survey['rank'] - 1
            game.ranking = game.ranked(game.area)
        for step in data.get('begun', ()):
            game = game.play(step)
        return game

    def json(self) -> dict[str, Any]:
        """The position in its canonical form."""

        def tile(entry: tuple[str, bool]) -> str:
            return entry[0] + ' turned' * entry[1]

        n, sort = self.players, {name: number for number, name in enumerate(ORDER)}.__getitem__
        seats: dict[str, list[Any]] = {
            'held': [sorted(tiles, key=sort) for tiles in self.held],
            'tilted': [{p: entry[p] for p in PATRONS if entry[p]} for entry in self.tilted],
        }
        optional = {
            'options': {'five_door': 'three'} if self.three_only else {},
            'turn': self.turn,
            'first': self.first,
            'deck': [tile(entry) for entry in self.deck],
            'gone': sorted(self.gone, key=sort),
            'cubes': self.cubes,
            'museum': self.museum,
            'scale': self.passed,
            'begun': list(self.steps),
        }
        return {
            'game': 'mykerinos',
            'players': n,
            'to_move': self.to_move,
            'season': self.season,
            'wings': list(self.ring),
            'tiles': [tile(entry) for entry in self.tiles],
            'stock': self.stock,
            'scores': self.points,
            **({'neutral': self.neutral} if n == 2 else {}),
            **{key: value for key, value in optional.items() if value},
            **{key: value for key, value in seats.items() if any(value)},
            **(
                {'survey': {'area': AREAS[self.area], 'rank': self.rank + 1}} if self.area is not None else {}
            ),
            **({'ending': 'exhibition'} if self.over else {}),
        }

    # what can be seen
    @cached_property
    def wings(self) -> dict[str, Wing]:
        return museum_of(self.ring)

    @cached_property
    def pyramids(self) -> set[str]:
        """The spaces with a pyramid, whether there is a cube on it or not."""
        return set().union(*(pyramid_spaces(slot, *tile) for slot, tile in enumerate(self.tiles)))

    @cached_property
    def region(self) -> tuple[str, ...]:
        return tuple(
            space for area in range(AREAS_OF_SEASON[self.season - 1]) for space in spaces_of_area(area)
        )

    def reserve(self, who: Who) -> int:
        """The cubes of a colour that are neither in a stock, nor in the region, nor in the museum."""
        out = [*self.cubes.values(), *self.museum.values()].count(who)
        return CUBES - out - (sum(self.neutral) if who == NEUTRAL else self.stock[int(who)])

    def two_tiles(self, area: int) -> list[str]:
        """The tiles of an area, left and right."""
        return [tile for tile, _ in self.tiles[2 * area : 2 * area + 2]]

    def scale(self) -> list[Who | None]:
        """The spaces of the passing scale: who has put a disk there."""
        disks: list[Who | None] = [*self.passed]
        if self.players == 2:
            disks = [*disks[:1], *[None] * (not disks), NEUTRAL, *disks[1:]]
        return disks + [None] * (4 - len(disks))

    def copy(self) -> Game:
        """A position of its own."""
        return replace(
            self,
            tiles=list(self.tiles),
            deck=list(self.deck),
            lying=set(self.lying),
            held=[list(tiles) for tiles in self.held],
            tilted=[Counter(entry) for entry in self.tilted],
            gone=set(self.gone),
            cubes=dict(self.cubes),
            museum=dict(self.museum),
            stock=list(self.stock),
            neutral=list(self.neutral),
            points=list(self.points),
            passed=list(self.passed),
            ranking=list(self.ranking),
        )

    @cached_property
    def table(self) -> Game:
        """The position with the steps taken so far."""
        game, neutral = self.copy(), False
        for step in self.steps:
            neutral = neutral or step.startswith(NEUTRAL)
            game.carry_out(step, NEUTRAL if neutral else self.to_move)
        game.steps = ()
        return game

    def carry_out(self, step: str, who: Who) -> None:
        """What a step of an excavation does."""
        seat, last = self.to_move, step.split()[-1]
        if step == 'pass':
            self.passed.append(seat)
        elif step in PATRONS:
            self.tilted[seat][step] += 1
            self.stock[seat] += step == 'violet'  # from the reserve, which is what is left
        elif last in BESIDE:
            self.cubes[last] = who
            (self.neutral if who == NEUTRAL else self.stock)[seat] -= 1
        elif step != 'nothing':
            self.museum[step] = seat
            self.stock[seat] -= 1

    # excavation: what is legal
    def trails(self, cubes: int, begins: Iterable[str], pyramids: int = 0, laid: Turn = ()) -> Iterator[Turn]:
        """Where so many cubes can be laid one after the other, each but the first next to the one before, at
        most so many of them on pyramids."""
        for space in begins:
            high = space in self.pyramids
            if space in self.region and space not in self.cubes and space not in laid and high <= pyramids:
                if cubes == 1:
                    yield (*laid, space)
                else:
                    yield from self.trails(cubes - 1, BESIDE[space], pyramids - high, (*laid, space))

    def beside(self, who: Who) -> list[str]:
        """The spaces next to a cube of that colour."""
        own = {space for space, owner in self.cubes.items() if owner == who}
        return [space for space in self.region if own.intersection(BESIDE[space])]

    def digs(self, who: Who, cubes: int, prefix: str = '', pyramids: int = 0) -> Iterator[Turn]:
        """Every start and every extension with that many cubes at hand."""
        if cubes >= 1:
            yield from ((f'{prefix}start {space}',) for (space,) in self.trails(1, self.region, pyramids))
        if cubes >= 2:
            yield from ((f'{prefix}extend {a}', b) for a, b in self.trails(2, self.beside(who), pyramids))

    def open_rooms(self, seat: int) -> list[str]:
        """The empty rooms that the seat may put a cube into."""
        own, rooms = {room for room, owner in self.museum.items() if owner == seat}, []
        for wing in self.wings.values():
            rooms += [wing.three, *wing.twos]
            if own & ({wing.three} if self.three_only else {wing.three, *wing.twos}):
                rooms.append(wing.five)
        return sorted(set(rooms) - self.museum.keys())

    def untilted(self, seat: int, patron: str) -> bool:
        return sum(TILES[tile].patron == patron for tile in self.held[seat]) > self.tilted[seat][patron]

    @cached_property
    def own_turns(self) -> list[Turn]:
        """The turns of the seat to move, without the neutral move."""
        seat, cubes = self.to_move, self.stock[self.to_move]
        turns: list[Turn] = [('pass',), *self.digs(seat, cubes)]
        powers: dict[str, Iterable[Turn]] = {
            'violet': self.digs(seat, cubes + 1) if self.reserve(seat) else (),
            'lemon': self.digs(seat, cubes, pyramids=1),
            'brown': ((room,) for room in self.open_rooms(seat)) if cubes else (),
            'blackmore': self.trails(2, self.region) if cubes >= 2 else (),
            'tangerine': self.trails(3, self.beside(seat)) if cubes >= 3 else (),
        }
        return turns + [
            (patron, *turn)
            for patron, power in powers.items()
            if self.untilted(seat, patron)
            for turn in power
        ]

    @cached_property
    def neutral_turns(self) -> list[Turn]:
        """The neutral moves after the own action; to make none is one."""
        return [('nothing',), *self.digs(NEUTRAL, self.neutral[self.to_move], 'neutral ')]

    @cached_property
    def turns_begun(self) -> list[Turn]:
        """What can still be done in this turn: the steps to come of all turns that go on so. Nothing: the
        turn is finished."""
        done = len(self.steps)
        if rest := [turn[done:] for turn in self.own_turns if len(turn) > done and turn[:done] == self.steps]:
            return rest
        own = next(turn for turn in self.own_turns if turn == self.steps[: len(turn)])
        if self.players > 2 or own == ('pass',):
            return []
        before = replace(self, steps=own).table
        neutral = before.neutral_turns
        # no neutral cube can be laid: there is nothing to choose
        if len(neutral) == 1:
            return []
        done -= len(own)
        return [turn[done:] for turn in neutral if len(turn) > done and turn[:done] == self.steps[len(own) :]]

    def own_part_done(self) -> bool:
        """Has the own action been completed, so that it is the neutral move that goes on?"""
        return any(turn == self.steps[: len(turn)] for turn in self.own_turns)

    # the survey: what is legal
    def ranked(self, area: int) -> list[Who]:
        """Who has cubes in the area, most cubes first, ties to the one who passed earlier."""
        count = Counter(self.cubes[space] for space in spaces_of_area(area) if space in self.cubes)
        order: list[Who | None] = [disk for disk in self.scale() if disk is not None]
        # who made the last turn and did not pass
        order += [seat for seat in range(self.players) if seat not in order]
        return sorted(count, key=lambda who: (-count[who], order.index(who)))

    def removing(self) -> bool:
        """Is it to be chosen which tile the neutral colour takes away?"""
        return self.area is not None and self.ranking[self.rank] == NEUTRAL

    def claims(self) -> set[str]:
        """What the seat to move may do in the survey."""
        assert self.area is not None
        lying = [str(k) for k, tile in enumerate(self.two_tiles(self.area), 1) if tile in self.lying]
        if self.removing():
            return {f'neutral take {k}' for k in lying}
        claims = {f'take {k}' for k in lying} | {'nothing'}
        if self.rank < 2 and self.reserve(self.to_move):
            claims |= {f'museum {room}' for room in self.open_rooms(self.to_move)}
        return claims

    # what happens
    def legal(self) -> set[str]:
        """The names of the legal steps."""
        if self.over:
            return set()
        return self.claims() if self.area is not None else {turn[0] for turn in self.turns_begun}

    def play(self, step: str) -> Game:
        """The position after a legal step."""
        assert step in self.legal(), step
        game = self.copy()
        if self.area is not None:
            game.turn += 1
            game.claim(step)
        else:
            game.steps = (*self.steps, step)
            game.__dict__['own_turns'] = self.own_turns  # the same until the turn is finished
            if not game.turns_begun:
                last_turn = len(self.passed) == self.players - 1
                game = game.table.copy()
                game.turn += 1
                if last_turn:
                    game.begin_survey()
                else:
                    game.to_move = game.next_digger()
        return game

    def next_digger(self) -> int:
        """The next seat clockwise that has not passed."""
        clockwise = [(self.to_move + k) % self.players for k in range(1, self.players + 1)]
        return next(seat for seat in clockwise if seat not in self.passed)

    def claim(self, step: str) -> None:
        """A claim in the survey, or the choice of the tile that the neutral colour takes away."""
        assert self.area is not None
        match step.split():
            case ['take', k]:
                tile = self.two_tiles(self.area)[int(k) - 1]
                self.lying.remove(tile)
                self.held[self.to_move].append(tile)
                self.points[self.to_move] += TILES[tile].points
            case ['neutral', 'take', k]:
                self.discard([self.two_tiles(self.area)[int(k) - 1]])
            case ['museum', room]:
                self.museum[room] = self.to_move  # from the reserve, which is what is left
        self.rank += 1
        self.go_on_with_survey()

    def begin_survey(self) -> None:
        self.area, self.rank, self.ranking = 0, 0, self.ranked(0)
        self.go_on_with_survey()

    def go_on_with_survey(self) -> None:
        """Up to the next choice that somebody has."""
        while self.area is not None:
            lying = [tile for tile in self.two_tiles(self.area) if tile in self.lying]
            if self.rank == len(self.ranking):
                self.finish_area(lying)
                continue
            who = self.ranking[self.rank]
            if who != NEUTRAL:
                if lying or self.rank < 2:
                    self.to_move = int(who)
                    return
            elif len(self.ranking) == 1:
                self.discard(lying)
            elif self.rank < 2:
                if len(lying) == 2:
                    self.to_move = self.who_chooses_for_the_neutral()
                    return
                self.discard(lying)
            self.rank += 1

    def who_chooses_for_the_neutral(self) -> int:
        """If it is second, the first. If it is first, the third, or who has no cubes there."""
        if self.rank == 1:
            return int(self.ranking[0])
        return int(self.ranking[2]) if len(self.ranking) == 3 else 1 - int(self.ranking[1])

    def discard(self, tiles: Iterable[str]) -> None:
        self.lying -= {*tiles}
        self.gone |= {*tiles}

    def finish_area(self, lying: list[str]) -> None:
        """Cubes to the reserves, tiles that nobody took out of the game, and on to the next area or
        season."""
        assert self.area is not None
        self.discard(lying)
        for space in spaces_of_area(self.area):
            self.cubes.pop(space, None)
        self.area, self.rank = self.area + 1, 0
        if self.area == AREAS_OF_SEASON[self.season - 1]:
            self.end_season()
        else:
            self.ranking = self.ranked(self.area)

    def end_season(self) -> None:
        """The last on the scale gets the marker; disks and tiles are taken back. After the fourth season
        comes the exhibition."""
        self.first = next((seat for seat in range(self.players) if seat not in self.passed), self.passed[-1])
        self.area, self.ranking, self.passed = None, [], []
        self.tilted = [Counter() for _ in range(self.players)]
        if self.season < 4:
            self.new_season()
        else:
            self.over = True
            self.points = [points + self.exhibition(seat) for seat, points in enumerate(self.points)]

    def new_season(self) -> None:
        """Deal a region, and cubes from the reserves."""
        self.season += 1
        self.__dict__.pop('pyramids', None)
        self.__dict__.pop('region', None)
        n = 2 * AREAS_OF_SEASON[self.season - 1]
        self.tiles, self.deck = self.deck[:n], self.deck[n:]
        self.lying = {tile for tile, _ in self.tiles}
        self.to_move = self.first
        for seat in range(self.players):
            self.stock[seat] += min(INCOME[self.players], self.reserve(seat))
        if self.players == 2:
            for _ in range(NEUTRAL_INCOME):
                for seat in (self.first, 1 - self.first):
                    self.neutral[seat] += self.reserve(NEUTRAL) > 0

    # the end
    def exhibition(self, seat: int) -> int:
        """What the seat's tiles are worth in the museum, and its sets of five."""
        own = {room for room, owner in self.museum.items() if owner == seat}
        count = Counter(TILES[tile].patron for tile in self.held[seat])
        total = 5 * min(count[patron] for patron in PATRONS)
        for tile in self.held[seat]:
            if (patron := TILES[tile].patron) is not None:
                wing = self.wings[patron]
                total += max(1, 2 * bool(own & {*wing.twos}), 3 * (wing.three in own), 5 * (wing.five in own))
        return total

    def winners(self) -> list[int]:
        """Most points, then most cubes in the stock; those who are equal in both share the victory."""
        best = max(zip(self.points, self.stock, strict=True))
        return [seat for seat in range(self.players) if (self.points[seat], self.stock[seat]) == best]
