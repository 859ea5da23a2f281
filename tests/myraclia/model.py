"""A slow model of Myraclia, written from the rulebook and its settled readings (D1 ... H2), that the compiled
rules are compared with.

Nothing here is shared with the package but its table of components: rules are loops over dictionaries, heaps
of cubes are Counters, and things go by the names that people use: colours `green`, tiles `P04`, tokens `E05`,
places as pairs of q and r, actions by their words. Which cubes, tiles and tokens are drawn the model is told:
it takes them from the real position after the action, and checks that they could be drawn.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import ludoteca

TABLE: dict[str, Any] = json.loads(
    (Path(ludoteca.__file__).parent / 'games/myraclia/tiles.json').read_text('utf-8')
)

Place = tuple[int, int]
Heap = Counter[str]
Payment = tuple[str, ...]
"""The cubes of a payment in ascending order of their colours."""

COLOURS: tuple[str, ...] = tuple(TABLE['colours'])
"""From the most common to the rarest."""
CUBES: dict[str, int] = TABLE['colours']
SURFACES: tuple[str, ...] = tuple(TABLE['surfaces'])
DARK = ('D1', 'D2', 'D3')
KICKSTARTER = 'K01'
TOKENS: dict[str, dict[str, Any]] = {token['id']: token for token in TABLE['tokens']}
COLUMNS, SLOTS, MOST_ACTIONS, LAST_ROUND = 7, 3, 3, 40
WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


@dataclass(frozen=True)
class Tile:
    """What is printed on a tile."""

    surfaces: tuple[str, ...]
    required: tuple[str, ...]
    points: int
    released: str | None


def _tiles() -> Iterator[tuple[str, Tile]]:
    for printed in (*TABLE['tiles'], TABLE['kickstarter']):
        required = tuple(sorted(printed['required'], key=COLOURS.index))
        yield (
            printed['id'],
            Tile(tuple(printed['surfaces']), required, printed['points'], printed.get('released')),
        )
    for name in DARK:
        yield name, Tile((), (), 0, None)


TILES = dict(_tiles())


def heap(cubes: Iterable[str] | Mapping[str, int] = ()) -> Heap:
    """Cubes by colour, in the order of the colours, none that are zero."""
    counts = Counter(cubes)
    return Counter({colour: counts[colour] for colour in COLOURS if counts[colour]})


def ascending(colours: Iterable[str]) -> Payment:
    """Colours in their order."""
    return tuple(sorted(colours, key=COLOURS.index))


def place_name(place: Place) -> str:
    """How a place is written."""
    return f'{place[0]},{place[1]}'


def place_of(name: str) -> Place:
    """The place that is written so."""
    q, r = map(int, name.split(','))
    return q, r


def beside(place: Place) -> list[Place]:
    """The six places round one."""
    return [(place[0] + q, place[1] + r) for q, r in WAYS]


# ---- wild cards --------------------------------------------------------------------------------------------


def _ways(cubes: Heap, missing: Payment) -> Iterator[tuple[int, int, int]]:
    """For each set of missing colours that these cubes can pay by themselves: their number, the most triples
    among the cubes left that are of use, and how many fives must then pay the rest. Nothing says yet that
    there are cubes enough for these."""
    own = [colour for colour in missing if cubes[colour]]
    for n in range(len(own) + 1):
        for plain in combinations(own, n):
            left = cubes - Counter(plain)
            triples = min(len(missing) - n, sum(count // 3 for count in left.values()))
            yield n, triples, len(missing) - n - triples


def pays(cubes: Heap, missing: Payment) -> bool:
    """Do these cubes pay for the missing colours (perhaps with cubes to spare): each by itself, by three of a
    colour or by five of any? It costs least to pay with as many triples as there are, and fives may be of
    anything that is left."""
    return any(cubes.total() >= n + 3 * triples + 5 * fives for n, triples, fives in _ways(cubes, missing))


def can_pay(missing: Payment, pool: Heap, budget: int) -> bool:
    """Do some cubes of the pool pay, no more than the budget?"""
    return any(
        min(pool.total(), budget) >= n + 3 * triples + 5 * fives for n, triples, fives in _ways(pool, missing)
    )


def payments(missing: Payment, pool: Heap, budget: int) -> set[Payment]:
    """All payments that obey the hand rule: they pay, and no cube of them could be left out. Found by going
    through all heaps of cubes from the pool, from small to large; what holds a heap that pays already has
    cubes too many."""
    return set(_payments(ascending(missing), ascending(pool.elements()), budget))


@cache
def _payments(missing: Payment, pool: Payment, budget: int) -> frozenset[Payment]:
    there, found = Counter(pool), set[Payment]()

    def grow(cubes: Payment) -> None:
        if _pays(cubes, missing):
            if not any(_pays(cubes[:k] + cubes[k + 1 :], missing) for k in range(len(cubes))):
                found.add(cubes)
        elif len(cubes) < min(budget, 5 * len(missing)):
            for colour in COLOURS[COLOURS.index(cubes[-1]) if cubes else 0 :]:
                if cubes.count(colour) < there[colour]:
                    grow((*cubes, colour))

    grow(())
    return frozenset(found)


@cache
def _pays(cubes: Payment, missing: Payment) -> bool:
    return pays(Counter(cubes), missing)


def steps_of(payment: Payment, missing: Payment) -> list[str]:
    """The steps in which a payment that obeys the hand rule is made: the missing colours in their order;
    those that are among the cubes by themselves, of the others the first with triples, in the order of their
    colours, and the rest with fives; then the cubes of the fives. The hand rule leaves no other way: fives
    never hold three of a colour."""
    wild = heap(payment) - Counter(colour for colour in missing if colour in payment)
    replaced = [colour for colour in missing if colour not in payment]
    triples = [colour for colour in COLOURS for _ in range(wild[colour] // 3)]
    fives = wild - Counter({colour: 3 * n for colour, n in Counter(triples).items()})
    assert fives.total() == 5 * (len(replaced) - len(triples))
    how = dict(
        zip(
            replaced,
            [f' with 3 {colour}' for colour in triples] + [' with any five'] * len(replaced),
            strict=False,
        )
    )
    uses = [f'use {colour}' for colour in ascending(fives.elements())]
    return [f'pay {colour}{how.get(colour, "")}' for colour in missing] + uses


# ---- a game ------------------------------------------------------------------------------------------------


@dataclass
class Game:
    """A position. `order` are the seats in the order of the phase; `disks` the disks on the drafting board,
    each a seat and its column (1 to 7, 8: aside), in the order in which they were placed."""

    players: int
    options: dict[str, Any]
    order: list[int]
    to_move: int
    surface: dict[Place, str]
    display: list[str | None]
    points: list[int]
    own: list[Heap]
    bag: Heap
    tile_bag: set[str]
    phase: str = 'draft'
    round: int = 1
    turn: int = 0
    owner: dict[str, int] = field(default_factory=dict)
    reserved: dict[int, str] = field(default_factory=dict)
    cubes_on: dict[str, set[str]] = field(default_factory=dict)
    tokens_on: dict[str, set[str]] = field(default_factory=dict)
    zone: Heap = field(default_factory=Counter)
    discard: Heap = field(default_factory=Counter)
    board: Heap = field(default_factory=Counter)
    columns: list[str] = field(default_factory=list)
    disks: list[tuple[int, int]] = field(default_factory=list)
    passed: set[int] = field(default_factory=set)
    pool: Heap = field(default_factory=Counter)
    budget: int = 0
    # what of the pool comes from the zone, if own cubes are used first
    lent: Heap = field(default_factory=Counter)
    mine: Heap = field(default_factory=Counter)  # what the seat to move owned when its turn began
    actions: int = 0
    terraformed: int = 0
    to_add: int = 0
    steps: list[str] = field(default_factory=list)
    sources: list[Counter[str]] = field(default_factory=list)  # of the points on the track, of each seat
    token_bag: set[str] = field(default_factory=set)
    used_tokens: set[str] = field(default_factory=set)
    token: str | None = None
    ending: str = ''
    to_lay: set[str] = field(default_factory=set)  # starting tiles, while the players lay them
    met: Counter[str] = field(default_factory=Counter)

    # reading and writing
    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Game:
        """A position written as JSON, which must not be in the middle of a payment or a reservation."""
        options = {
            'layout': 'recommended',
            'cubes': 2,
            'kickstarter': False,
            'eternity': False,
            'darkness': False,
            **data.get('options', {}),
        }
        players = data['players']
        surface = {tuple(entry['at']): entry['tile'] for entry in data['surface']}
        game = cls(
            players,
            options,
            list(data.get('order', range(players))),
            data['to_move'],
            surface,
            list(data['display']),
            list(data.get('scores', [0] * players)),
            [heap(cubes) for cubes in data.get('cubes', [{}] * players)],
            heap(CUBES),
            set(),
        )
        for entry in data['surface']:
            tile = entry['tile']
            if 'owner' in entry:
                game.owner[tile] = entry['owner']
            if 'reserved' in entry:
                game.reserved[entry['reserved']] = tile
            game.cubes_on[tile], game.tokens_on[tile] = (
                set(entry.get('cubes', ())),
                set(entry.get('tokens', ())),
            )
        game.sources = [Counter(given) for given in data.get('sources', [{}] * players)]
        for name in ('zone', 'discard', 'board', 'pool', 'lent'):
            setattr(game, name, heap(data.get(name, {})))
        assert not data.get('steps')
        game.phase, game.ending = data.get('phase', 'draft'), data.get('ending', '')
        game.round, game.turn = data.get('round', 1), data.get('turn', 0)
        game.budget = data.get('budget', game.pool.total() - game.lent.total())
        game.actions, game.terraformed, game.to_add = (
            data.get(key, 0) for key in ('actions', 'terraformed', 'add')
        )
        game.token, game.used_tokens = data.get('token'), set(data.get('used_tokens', ()))
        game.disks = [
            (seat, COLUMNS + 1 if column == 'aside' else column) for seat, column in data.get('disks', ())
        ]
        game.passed = set(data.get('passed', ()))
        if game.phase == 'draft' and not game.ending:
            game.columns = list(data.get('columns', ())) or game.columns_of(game.board)
        game.bag = heap(CUBES) - game.cubes_outside()
        here = {*game.surface.values(), *filter(None, game.display)}
        game.tile_bag = {tile for tile in TILES if game.plays_with(tile)} - here
        if game.phase == 'arrange':
            game.to_lay, game.round = set(data['to_lay']), 0
            game.tile_bag -= game.to_lay | set(DARK)
        game.token_bag = set(TOKENS) - game.tokens_outside() if options['eternity'] else set()
        return game

    def plays_with(self, tile: str) -> bool:
        """Do the options bring this tile into the game?"""
        return bool(
            {KICKSTARTER: self.options['kickstarter'], **dict.fromkeys(DARK, self.options['darkness'])}.get(
                tile, True
            )
        )

    def cubes_outside(self) -> Heap:
        """All cubes that are not in the bag."""
        on_tiles = Counter(colour for colours in self.cubes_on.values() for colour in colours)
        return sum((self.zone, self.discard, self.board, self.pool, *self.own), on_tiles)

    def tokens_outside(self) -> set[str]:
        """All tokens that are not face down."""
        return set().union(self.used_tokens, *self.tokens_on.values(), {self.token} if self.token else set())

    def copy(self) -> Game:
        """An independent copy."""
        return deepcopy(self)

    def json(self) -> dict[str, Any]:
        """The position in the canonical form that the game documents."""
        data: dict[str, Any] = {
            'game': 'myraclia',
            'players': self.players,
            'to_move': self.to_move,
            'order': self.order,
            'surface': self._surface(),
            'display': self.display,
            'scores': self.points,
        }
        defaults = {'layout': 'recommended', 'cubes': 2}
        if options := {
            name: value for name, value in self.options.items() if value != defaults.get(name, False)
        }:
            data['options'] = options
        if any(self.own):
            data['cubes'] = [dict(heap(cubes)) for cubes in self.own]
        if any(n for sources in self.sources for n in sources.values()):
            data['sources'] = [{source: n for source, n in sources.items() if n} for sources in self.sources]
        for name in ('zone', 'discard', 'board'):
            if cubes := dict(heap(getattr(self, name))):
                data[name] = cubes
        if self.round > 1:
            data['round'] = self.round
        if self.turn:
            data['turn'] = self.turn
        if self.used_tokens:
            data['used_tokens'] = sorted(self.used_tokens)
        if self.ending:
            return data | {'ending': self.ending}
        if self.phase == 'draft':
            return data | self._draft_json()
        data['phase'] = self.phase
        if self.phase == 'arrange':
            return data | {'to_lay': [tile for tile in TILES if tile in self.to_lay]}
        if self.phase == 'token':
            return data | {'token': self.token}
        if self.pool:
            data |= {'pool': dict(heap(self.pool)), 'budget': self.budget}
        given = {
            'lent': dict(heap(self.lent)),
            'actions': self.actions,
            'terraformed': self.terraformed,
            'add': self.to_add,
            'steps': self.written_steps(),
        }
        return data | {key: value for key, value in given.items() if value}

    def written_steps(self) -> list[str]:
        """The steps of what was begun; cubes of a reservation in the order of their colours."""
        first, *rest = self.steps or ['']
        if first.startswith('terraform') or not first:
            return self.steps
        return [first, *(f'put {colour}' for colour in ascending(step.split()[1] for step in rest))]

    def _surface(self) -> list[dict[str, Any]]:
        entries = []
        for place, tile in sorted(self.surface.items(), key=lambda item: list(TILES).index(item[1])):
            entry: dict[str, Any] = {'tile': tile, 'at': list(place)}
            if tile in self.owner:
                entry['owner'] = self.owner[tile]
            if tile in self.reserved.values():
                entry['reserved'] = next(seat for seat, reserved in self.reserved.items() if reserved == tile)
            if self.cubes_on.get(tile):
                entry['cubes'] = list(ascending(self.cubes_on[tile]))
            if self.tokens_on.get(tile):
                entry['tokens'] = sorted(self.tokens_on[tile])
            entries.append(entry)
        return entries

    def _draft_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {'columns': self.columns}
        if self.disks:
            data['disks'] = [[seat, 'aside' if column > COLUMNS else column] for seat, column in self.disks]
        if self.passed:
            data['passed'] = sorted(self.passed)
        return data

    # bags
    def renew_bag(self) -> None:
        """E1: an empty bag is filled with all that was discarded."""
        if not self.bag and self.discard:
            self.met['bag renewed'] += 1
            self.bag, self.discard = self.discard, Counter()

    def draw(self, drawn: Heap, n: int) -> None:
        """These cubes are drawn from the bag, which is renewed when it is empty, perhaps in the middle."""
        self.renew_bag()
        assert drawn.total() == min(n, self.bag.total() + self.discard.total())
        if drawn.total() < self.bag.total():
            assert drawn <= self.bag
            self.bag -= drawn
        else:
            self.met['bag renewed in a draw'] += drawn.total() > self.bag.total()
            assert self.bag <= drawn
            rest, self.bag = drawn - self.bag, Counter()
            self.renew_bag()
            assert rest <= self.bag
            self.bag -= rest
            self.renew_bag()

    def fetch(self, colour: str) -> bool:
        """E3: a cube of a colour from the discard pile, else from the bag, if there is one."""
        for source in (self.discard, self.bag):
            if source[colour]:
                source[colour] -= 1
                self.discard, self.bag = +self.discard, +self.bag
                self.met['fetched from the bag'] += source is not self.discard and not self.discard[colour]
                self.renew_bag()
                return True
        self.met['nothing to fetch'] += 1
        return False

    def refill_display(self, seen: Mapping[str, Any]) -> None:
        """Tiles are drawn for the empty slots; never a second Darkness tile (K2)."""
        for slot, tile in enumerate(seen['display']):
            if self.display[slot] is not None:
                assert self.display[slot] == tile
                continue
            possible = {
                name for name in self.tile_bag if name not in DARK or not set(DARK) & set(self.display)
            }
            assert tile in possible if possible else tile is None
            self.met['Darkness drawn'] += tile in DARK
            self.display[slot] = tile
            self.tile_bag -= {tile}

    # the starting tiles
    def start_places(self) -> list[Place]:
        """P10: where the next starting tile may lie. The first one lies on 0,0, the second beside it, each
        other one beside two; in the end more than half must lie beside three."""
        if not self.surface:
            return [(0, 0)]
        near = Counter(
            other for place in self.surface for other in beside(place) if other not in self.surface
        )
        places = [place for place, n in near.items() if n >= min(2, len(self.surface))]
        if len(self.to_lay) > 1:
            return places
        good = [place for place in places if self.most_have_three(place)]
        self.met['last tile kept from a place'] += len(good) < len(places)
        return good

    def most_have_three(self, last: Place) -> bool:
        """Would more than half of the tiles have three neighbours with one there?"""
        places = {*self.surface, last}
        three = [place for place in places if sum(other in places for other in beside(place)) >= 3]
        return len(three) > len(places) / 2

    def lay(self, tile: str, place: Place, seen: Mapping[str, Any]) -> None:
        """A starting tile is laid; after the last one the display, cubes for everybody, and the first
        round."""
        self.surface[place] = tile
        self.cubes_on[tile], self.tokens_on[tile] = set(), set()
        self.to_lay.remove(tile)
        self.turn += 1
        self.met['starting tiles'] += 1
        if self.to_lay:
            self.to_move = (self.to_move + 1) % self.players
            return
        self.refill_display(seen)
        self.tile_bag |= {tile for tile in DARK if self.plays_with(tile)}
        for seat in range(self.players):
            self.own[seat] = heap(seen['cubes'][seat])
            self.draw(self.own[seat], self.options['cubes'])
        rarest = [
            sorted(map(COLOURS.index, self.own[seat].elements()), reverse=True)
            for seat in range(self.players)
        ]
        self.order = sorted(range(self.players), key=lambda seat: (rarest[seat], seat))
        self.round = 1
        self.begin_round(seen)

    # the draft
    @staticmethod
    def columns_of(board: Heap) -> list[str]:
        """The colours drawn from left to right: larger groups to the right, of equal ones the more common."""
        return sorted(
            (colour for colour in COLOURS if board[colour]),
            key=lambda colour: (board[colour], -COLOURS.index(colour)),
        )

    def column(self, colour: str) -> int:
        """Where a colour lies, 1 to 7; the groups fill from the right."""
        return COLUMNS - len(self.columns) + 1 + self.columns.index(colour)

    def begin_round(self, seen: Mapping[str, Any]) -> None:
        """Cubes are drawn and laid on the drafting board."""
        counts = TABLE['players'][str(self.players)]
        self.board = heap(seen['board'])
        self.draw(self.board, counts['draft_first' if self.round == 1 else 'draft'])
        self.columns, self.disks, self.passed = self.columns_of(self.board), [], set()
        self.phase, self.to_move = 'draft', self.order[0]

    def left_to_right(self) -> list[int]:
        """The seats by their disks: columns from the left, in a column in the order of placing."""
        return [seat for seat, _ in sorted(self.disks, key=lambda disk: disk[1])]

    def draft(self, colour: str) -> None:
        """A cube is taken; the disk goes to its column unless it is there or to the left of it (D13)."""
        seat = self.to_move
        self.board[colour] -= 1
        self.board = +self.board
        self.own[seat][colour] += 1
        at = dict(self.disks).get(seat)
        if at is None or self.column(colour) < at:
            self.met['disk moved'] += at is not None
            self.disks = [disk for disk in self.disks if disk[0] != seat] + [(seat, self.column(colour))]
            self.met['fourth disk'] += sum(column == self.column(colour) for _, column in self.disks) > 3
        self.next_drafter()

    def pass_(self) -> None:
        """No more cubes for this seat; if it took none its disk goes aside, to the right (D8)."""
        seat = self.to_move
        self.passed.add(seat)
        if seat not in dict(self.disks):
            self.met['took nothing'] += 1
            self.disks.append((seat, COLUMNS + 1))
        self.next_drafter()

    def next_drafter(self) -> None:
        """The next in the order who has not passed, if there is anybody and anything left."""
        self.turn += 1
        at = self.order.index(self.to_move)
        waiting = [seat for seat in self.order[at + 1 :] + self.order[: at + 1] if seat not in self.passed]
        if self.board and waiting:
            self.to_move = waiting[0]
            return
        self.met['cubes left on the board'] += bool(self.board)
        self.discard += self.board
        self.board = Counter()
        self.order = self.left_to_right()[::-1]
        self.to_move = self.order[0]
        self.begin_turn()

    # what is on the surface
    def free(self, tile: str) -> bool:
        """No player's disk on it."""
        return tile not in self.owner and tile not in self.reserved.values()

    def missing(self, tile: str) -> Payment:
        """The required colours that are not on the tile."""
        return tuple(colour for colour in TILES[tile].required if colour not in self.cubes_on.get(tile, ()))

    def neighbours(self, place: Place) -> list[str]:
        """The tiles round a place."""
        return [self.surface[other] for other in beside(place) if other in self.surface]

    def by_terraformed(self, place: Place) -> bool:
        """Does a place adjoin a terraformed tile?"""
        return any(tile in self.owner for tile in self.neighbours(place))

    def owned(self, seat: int) -> list[str]:
        """The tiles that a seat has terraformed."""
        return [tile for tile, owner in self.owner.items() if owner == seat]

    def has_disk(self, seat: int) -> bool:
        """T5: has the seat a disk left?"""
        used = len(self.owned(seat)) + (seat in self.reserved)
        assert used <= TABLE['players'][str(self.players)]['disks']
        return used < int(TABLE['players'][str(self.players)]['disks'])

    # a turn of terraforming
    def begin_turn(self) -> None:
        """X1: own cubes and the exchange zone are one pool."""
        self.phase = 'turn'
        self.mine = self.own[self.to_move]
        self.pool, self.lent, self.budget = self.mine + self.zone, self.zone, self.mine.total()
        self.own[self.to_move], self.zone = Counter(), Counter()
        self.actions = self.terraformed = self.to_add = 0
        self.steps = []

    def may_terraform(self, place: Place) -> bool:
        """Is it a tile that the mover may terraform, if it can pay?"""
        tile, seat = self.surface[place], self.to_move
        if tile in DARK:
            return False
        if self.reserved.get(seat) == tile:
            return True
        first = self.round == 1 and not self.owned(seat)
        return (
            self.free(tile)
            and self.has_disk(seat)
            and (first or self.by_terraformed(place) or not self.owner)
        )

    def enough_to_reserve(self, tile: str, put: Iterable[str] = ()) -> bool:
        """Could a reservation with these cubes, and perhaps more, be made: not all required, and points for
        what is missing?"""
        missing = [colour for colour in self.missing(tile) if colour not in put]
        possible = sum(bool(self.pool[colour]) for colour in missing)
        most = min(possible, self.budget - len(list(put)), len(missing) - 1)
        return (
            most >= 0 and len(missing) - most <= self.points[self.to_move] and (most > 0 or bool(list(put)))
        )

    def may_reserve(self, place: Place) -> bool:
        """Is it a tile that the mover may reserve, or change its reservation to?"""
        tile = self.surface[place]
        return (
            tile not in DARK
            and self.free(tile)
            and self.by_terraformed(place)
            and self.enough_to_reserve(tile)
        )

    def turn_actions(self) -> Iterator[str]:
        """What can be done before or after an action."""
        seat = self.to_move
        if self.actions < MOST_ACTIONS:
            for place, tile in self.surface.items():
                if self.may_terraform(place) and can_pay(self.missing(tile), self.pool, self.budget):
                    yield f'terraform {place_name(place)}'
                if self.may_reserve(place):
                    if seat in self.reserved:
                        yield f'change {place_name(place)}'
                    elif self.has_disk(seat):
                        yield f'reserve {place_name(place)}'
        if seat in self.reserved and self.budget:
            missing = self.missing(self.reserved[seat])
            for colour in missing if len(missing) > 1 else ():
                if self.pool[colour]:
                    yield f'add {colour}'
        yield 'end turn'

    def target(self) -> str:
        """The tile that is paid for or reserved."""
        return self.surface[place_of(self.steps[0].split()[1])]

    def payment_steps(self) -> Iterator[str]:
        """How the payment may go on."""
        missing, done = self.missing(self.target()), self.steps[1:]
        for payment in payments(missing, self.pool, self.budget):
            steps = steps_of(payment, missing)
            if steps[: len(done)] == done:
                yield steps[len(done)]

    def put_steps(self) -> Iterator[str]:
        """How the reservation may go on."""
        tile, put = self.target(), [step.split()[1] for step in self.steps[1:]]
        for colour in self.missing(tile):
            if (
                colour not in put
                and self.pool[colour]
                and len(put) < self.budget
                and self.enough_to_reserve(tile, [*put, colour])
            ):
                yield f'put {colour}'
        if put and len(self.missing(tile)) - len(put) <= self.points[self.to_move]:
            yield 'done'

    def spend(self, cubes: Iterable[str]) -> list[str]:
        """Cubes leave the pool."""
        spent = list(cubes)
        own_left = self.budget - len(spent)
        assert own_left >= 0
        assert Counter(spent) <= self.pool
        self.pool = self.pool - Counter(spent)
        self.lent = self.lent & self.pool
        self.budget = own_left
        return spent

    def release(self, colour: str) -> None:
        """A cube is gained for immediate use."""
        if self.fetch(colour):
            self.pool[colour] += 1
            self.budget += 1

    def pay(self) -> None:
        """If the payment is complete, the tile is terraformed."""
        tile, done = self.target(), self.steps[1:]
        missing = self.missing(tile)
        paid = {
            tuple(steps_of(payment, missing)): payment
            for payment in payments(missing, self.pool, self.budget)
        }
        if tuple(done) not in paid:
            return
        payment = paid[tuple(done)]
        self.met['triples'] += sum(' with 3 ' in step for step in done)
        self.met['payments with fives'] += any('any five' in step for step in done)
        self.met['payments with two fives'] += sum('any five' in step for step in done) > 1
        self.met['triple of a colour that is in reserve'] += any(
            self.pool[step.split()[1]] > 0 for step in done if ' with 3 ' in step
        )
        self.met['cubes of the zone'] += self.actions == 0 and not Counter(payment) <= self.mine
        place = place_of(self.steps[0].split()[1])
        self.steps = []
        self.discard += Counter(self.spend(payment)) + Counter(self.cubes_on[tile])
        self.terraform(place, tile)

    def score(self, seat: int, source: str, n: int) -> None:
        """Points on the track."""
        self.points[seat] += n
        self.sources[seat][source] += n

    def terraform(self, place: Place, tile: str) -> None:
        """Points, released elements and bonuses of a tile that is paid for."""
        seat = self.to_move
        self.met['abandoned tile completed'] += bool(self.cubes_on[tile]) and self.free(tile)
        if self.free(tile):
            self.to_add += 1
        elif self.reserved.get(seat) == tile:
            self.met['reserved tile completed'] += 1
            del self.reserved[seat]
        self.cubes_on[tile] = set()
        self.actions += 1
        self.terraformed += 1
        for neighbour in self.neighbours(place):
            if neighbour in self.owner:
                mine = self.owner[neighbour] == seat
                self.score(
                    self.owner[neighbour],
                    'own' if mine else 'others',
                    2 if mine and self.terraformed > 1 else 1,
                )
                self.met['bonus of 2'] += mine and self.terraformed > 1
        self.owner[tile] = seat
        self.score(seat, 'printed', TILES[tile].points)
        if released := TILES[tile].released:
            self.release(released)
        for token in sorted(self.tokens_on[tile]):
            kind = TOKENS[token]['kind']
            self.met[f'token {kind}'] += 1
            if kind == 'points':
                self.score(seat, 'tokens', TOKENS[token]['value'])
            elif kind == 'released':
                self.release(TOKENS[token]['element'])
            else:
                continue
            self.tokens_on[tile].remove(token)
            self.used_tokens.add(token)
        self.met['disks used up'] += not self.has_disk(seat)

    def reserve(self) -> None:
        """The cubes of a reservation are laid, and what is missing is paid in points."""
        seat, tile, change = self.to_move, self.target(), self.steps[0].startswith('change')
        put = self.spend(step.split()[1] for step in self.steps[1:])
        self.met['abandoned tile reserved'] += bool(self.cubes_on[tile])
        self.cubes_on[tile] |= set(put)
        self.score(seat, 'reserved', -len(self.missing(tile)))
        assert self.points[seat] >= 0
        self.reserved[seat] = tile
        self.met['changes' if change else 'reservations'] += 1
        self.to_add += not change
        self.actions += 1
        self.steps = []

    def add(self, colour: str) -> None:
        """R3: a cube for the reserved tile."""
        self.met['adds'] += 1
        self.met['adds after three actions'] += self.actions == MOST_ACTIONS
        self.cubes_on[self.reserved[self.to_move]] |= set(self.spend([colour]))

    def end_turn(self, seen: Mapping[str, Any]) -> None:
        """What is left goes to the zone; then tiles are added."""
        self.zone, self.pool, self.lent, self.budget = self.pool, Counter(), Counter(), 0
        self.phase = 'place'
        self.go_on_placing(seen)

    # new tiles
    def keeps_form(self, place: Place) -> bool:
        """The Compact form rule: two neighbours, and if just two, both with three others."""
        near = [other for other in beside(place) if other in self.surface]
        return len(near) > 2 or (len(near) == 2 and all(len(self.neighbours(other)) >= 3 for other in near))

    def open_places(self) -> list[Place]:
        """Where the next tile may go."""
        edge = {other for place in self.surface for other in beside(place)} - self.surface.keys()
        return [place for place in edge if self.keeps_form(place)]

    def place_actions(self) -> Iterator[str]:
        """Tiles of the display, Darkness first, to places that keep the form."""
        shown = [tile for tile in self.display if tile]
        dark = [tile for tile in shown if tile in DARK]
        for tile in dark or shown:
            for place in self.open_places():
                yield f'place {tile} at {place_name(place)}'

    def place(self, tile: str, place: Place, seen: Mapping[str, Any]) -> None:
        """A tile of the display is laid."""
        self.met['Darkness placed before others'] += tile in DARK
        self.display[self.display.index(tile)] = None
        self.surface[place] = tile
        self.cubes_on[tile], self.tokens_on[tile] = set(), set()
        self.to_add -= 1
        self.go_on_placing(seen)

    def go_on_placing(self, seen: Mapping[str, Any]) -> None:
        """If nothing more is to be added, the display is replenished and the turn is over."""
        if self.to_add and any(self.display):
            return
        self.to_add = self.actions = self.terraformed = 0
        self.refill_display(seen)
        self.turn += 1
        at = self.order.index(self.to_move) + 1
        if at < self.players:
            self.to_move = self.order[at]
            self.met['zone at hand'] += bool(self.zone)
            self.begin_turn()
        else:
            self.end_round(seen)

    # end of the round, end of the game
    def end_round(self, seen: Mapping[str, Any]) -> None:
        """The end is checked, then the Eternity token is turned up."""
        if any(
            len(self.owned(seat)) >= TABLE['players'][str(self.players)]['end_tiles']
            for seat in range(self.players)
        ):
            self.end('terraformed')
        elif self.round == LAST_ROUND:
            self.end('endless')
        elif self.token_bag and self.token_places():
            self.phase, self.token = 'token', seen['token']
            assert self.token in self.token_bag
            self.token_bag.remove(self.token)
            least = min(self.points)
            self.met['tie for the token'] += self.points.count(least) > 1
            self.to_move = [seat for seat in self.order if self.points[seat] == least][-1]
        else:
            self.next_round(seen)

    def token_places(self) -> list[Place]:
        """The free tiles, Darkness excepted."""
        return [place for place, tile in self.surface.items() if self.free(tile) and tile not in DARK]

    def lay_token(self, place: Place, seen: Mapping[str, Any]) -> None:
        """The token turned up goes to a tile."""
        assert self.token
        self.tokens_on[self.surface[place]].add(self.token)
        self.met['tokens stacked'] += len(self.tokens_on[self.surface[place]]) > 1
        self.token = None
        self.turn += 1
        self.next_round(seen)

    def next_round(self, seen: Mapping[str, Any]) -> None:
        """Unused cubes are discarded, the order is turned back, free elements are given, the next draft
        begins."""
        self.discard += self.zone
        self.zone = Counter()
        self.order.reverse()
        for seat in self.order:
            for tile in self.owned(seat):
                free = [
                    TILES[tile].released,
                    *(TOKENS[token].get('element') for token in self.tokens_on[tile]),
                ]
                for colour in filter(None, free):
                    self.own[seat][colour] += self.fetch(colour)
            self.own[seat] = +self.own[seat]
        self.round += 1
        self.begin_round(seen)

    def end(self, ending: str) -> None:
        """The game is over: points for surfaces and areas."""
        self.ending = ending
        self.points = [self.points[seat] + sum(self.bonuses(seat).values()) for seat in range(self.players)]

    def surfaces_of(self, tile: str) -> list[str]:
        """The symbols of a terraformed tile, those of tokens included."""
        return [
            *TILES[tile].surfaces,
            *(TOKENS[token]['surface'] for token in self.tokens_on[tile] if 'surface' in TOKENS[token]),
        ]

    def symbols(self, seat: int) -> Counter[str]:
        """How often a seat shows each surface."""
        return Counter(surface for tile in self.owned(seat) for surface in self.surfaces_of(tile))

    def area(self, seat: int) -> int:
        """The size of the largest contiguous area of a seat."""
        left, largest = {place for place, tile in self.surface.items() if self.owner.get(tile) == seat}, 0
        while left:
            group, ahead = set[Place](), [left.pop()]
            while ahead:
                place = ahead.pop()
                group.add(place)
                ahead += [other for other in beside(place) if other in left]
                left -= set(ahead)
            largest = max(largest, len(group))
        return largest

    def bonuses(self, seat: int) -> dict[str, int]:
        """The points of the final scoring by their source."""
        symbols, areas = self.symbols(seat), [self.area(other) for other in range(self.players)]
        return {
            'types': 6 if len(symbols) == len(SURFACES) else 0,
            'area': 3 * sum(area < areas[seat] for area in areas),
            'surfaces': sum(TABLE['surface_table'][min(n, 5)] for n in symbols.values()),
        }

    def winners(self) -> list[int]:
        """Those with the most points, then with all types of surfaces, then with the most tiles that show
        Plains."""

        def standing(seat: int) -> tuple[int, bool, int]:
            plains = sum('plains' in self.surfaces_of(tile) for tile in self.owned(seat))
            return self.points[seat], len(self.symbols(seat)) == len(SURFACES), plains

        best = max(map(standing, range(self.players)))
        return [seat for seat in range(self.players) if standing(seat) == best]

    # all together
    def legal(self) -> set[str]:
        """The names of all legal actions."""
        if self.ending:
            return set()
        if self.phase == 'draft':
            return {f'draft {colour}' for colour in self.board} | {'pass'}
        if self.phase == 'arrange':
            return {
                f'place {tile} at {place_name(place)}'
                for tile in self.to_lay
                for place in self.start_places()
            }
        if self.phase == 'place':
            return set(self.place_actions())
        if self.phase == 'token':
            return {f'token {place_name(place)}' for place in self.token_places()}
        if not self.steps:
            return set(self.turn_actions())
        return set(self.payment_steps() if self.steps[0].startswith('terraform') else self.put_steps())

    def play(self, name: str, seen: Mapping[str, Any]) -> None:
        """Play a legal action; `seen` is the real position after it, of which the display, the drafting board
        and the token are read where something is drawn."""
        match name.split():
            case ['draft', colour]:
                self.draft(colour)
            case ['pass']:
                self.pass_()
            case ['terraform' | 'reserve' | 'change', _]:
                self.steps = [name]
            case ['pay' | 'use', *_]:
                self.steps = [*self.steps, name]
                self.pay()
            case ['put', _]:
                self.steps = [*self.steps, name]
            case ['done']:
                self.reserve()
            case ['add', colour]:
                self.add(colour)
            case ['end', 'turn']:
                self.end_turn(seen)
            case ['place', tile, 'at', place] if self.phase == 'arrange':
                self.lay(tile, place_of(place), seen)
            case ['place', tile, 'at', place]:
                self.place(tile, place_of(place), seen)
            case ['token', place]:
                self.lay_token(place_of(place), seen)
            case _:
                raise AssertionError(name)
