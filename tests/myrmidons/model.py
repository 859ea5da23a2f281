"""A slow model of Myrmidons, written from the rulebook alone, that the compiled rules are compared with.

Nothing here is shared with the package. Things go by the names that people use: squares `c4`, headings `NE`,
kinds of pieces `5-1-3`, turns `c1-c4` or `order NE b1:1 c2:4 go`; a piece is called after its side and the
square on which it started, `0-c1`. What a turn may be is found out by trying: an order is any choice of
friends and distances that can be carried out literally.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from typing import Any, NamedTuple

# ---- the board and the pieces ------------------------------------------------------------------------------

HEADINGS = {
    'N': (0, 1),
    'NE': (1, 1),
    'E': (1, 0),
    'SE': (1, -1),
    'S': (0, -1),
    'SW': (-1, -1),
    'W': (-1, 0),
    'NW': (-1, 1),
}
SQUARES = tuple(file + rank for rank in '1234567' for file in 'abcdef')
BACK_RANK = ('1', '7')
"""The row closest to each seat."""
REMEMBERED = 64
"""Positions, before the one in question, among which the third occurrence is looked for."""
ROWS = (('1', '2'), ('7', '6'))
"""The rows on which each seat deploys, each from file a to file f."""


class Kind(NamedTuple):
    """What a piece can do."""

    sword: int
    shield: int
    movement: int

    def __str__(self) -> str:
        return f'{self.sword}-{self.shield}-{self.movement}'

    @classmethod
    def read(cls, text: str) -> Kind:
        return cls(*map(int, text.split('-')))


COMMANDER = Kind(1, 1, 1)
KINDS = tuple(Kind(*values) for values in product(range(1, 6), repeat=3) if sum(values) == 9)
"""All others: the three values add up to 9."""
BASE = tuple(map(Kind.read, ('5-1-3', '4-4-1', '3-2-4', '2-5-2', '1-3-5')))


@cache
def shifted(square: str, heading: str, steps: int = 1) -> str | None:
    """The square so many steps away, None beyond the edge."""
    x, y = HEADINGS[heading]
    name = chr(ord(square[0]) + x * steps) + chr(ord(square[1]) + y * steps)
    return name if name in SQUARES else None


@cache
def adjacent(a: str, b: str) -> bool:
    """Are these two different squares neighbours, even diagonally?"""
    return any(shifted(a, heading) == b for heading in HEADINGS)


@cache
def way(start: str, end: str) -> tuple[str, int]:
    """Heading and number of steps from one square to another."""
    return next(
        (heading, steps)
        for heading in HEADINGS
        for steps in range(1, 7)
        if shifted(start, heading, steps) == end
    )


def front_to_back(heading: str) -> Any:
    """A sorting key for squares: the foremost first; of those side by side the one nearer to a1 by rows."""
    x, y = HEADINGS[heading]
    return lambda square: (-(x * ord(square[0]) + y * int(square[1])), SQUARES.index(square))


def starts(seat: int, size: int) -> tuple[str, ...]:
    """The squares on which a side deploys, in their order."""
    return tuple(file + row for row in ROWS[seat] for file in 'abcdef')[:size]


def owner(piece: str) -> int:
    """The seat that a piece belongs to."""
    return int(piece[0])


# ---- a game ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rules:
    """What was agreed before the game."""

    army: str = 'base'
    size: int = 6
    types: tuple[Kind, ...] = BASE
    capture: int = 4
    repetition: bool = True
    sixty: bool = True

    def json(self) -> dict[str, Any]:
        """The options as people write them."""
        return {
            'army': self.army,
            'size': self.size,
            'types': ','.join(map(str, self.types))
            if self.army == 'agreed'
            else ','.join(sorted(map(str, BASE))),
            'capture': self.capture,
            'repetition': self.repetition,
            'sixty': self.sixty,
        }


class Moved(NamedTuple):
    """A piece that went so many steps, the square that it attacked included."""

    piece: str
    start: str
    steps: int


class Fight(NamedTuple):
    """A fight, and whether the defender was removed."""

    attacker: str
    defender: str
    won: bool


@dataclass(frozen=True)
class Battle:
    """A plan carried out up to the fights: where everybody stands; an attacker shares the square of its
    target."""

    heading: str
    at: dict[str, str]
    moved: tuple[Moved, ...]
    attacks: tuple[tuple[str, str], ...]
    """Attacker and defender, front to back."""

    def step_back(self, piece: str, longest: int = 1) -> int:
        """The piece goes back one square; a friend that stands there makes room likewise. Returns how many
        went back."""
        # whoever is pushed back has moved
        start = next(moved.start for moved in self.moved if moved.piece == piece)
        assert self.at[piece] != start, 'pushed beyond the square that it came from'
        previous = shifted(self.at[piece], self.heading, -1)
        assert previous is not None
        for other, square in list(self.at.items()):
            if square == previous:
                assert owner(other) == owner(piece)
                longest = self.step_back(other, longest + 1)
        self.at[piece] = previous
        return longest


@dataclass(frozen=True)
class Game:
    """A position between two turns, or during deployment; `at` has the pieces on the board, `kinds` all that
    were deployed.

    `past` are the positions since the last capture, of which the rules page lets only the last 64 count.
    Public beside the board: `far`, the longest way that a piece went; `shown`, the pieces that were in a
    fight; `leaders`, who may be each seat's Commander by the orders that it has given. `moved`, `fights`,
    `chain` (the longest line that was repelled) and `cut_short` (a win came before the last fight) tell of
    the last turn."""

    rules: Rules
    hands: tuple[Mapping[Kind, int], Mapping[Kind, int]]
    to_move: int = 0
    at: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    taken: tuple[int, int] = (0, 0)
    quiet: int = 0
    turn: int = 0
    past: tuple[object, ...] = ()
    ending: str = ''
    winner: int | None = None
    far: Mapping[str, int] = field(default_factory=dict)
    shown: frozenset[str] = frozenset()
    leaders: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    moved: tuple[Moved, ...] = ()
    fights: tuple[Fight, ...] = ()
    chain: int = 0
    cut_short: bool = False

    # set-up
    @classmethod
    def start(cls, rules: Rules, hands: tuple[Mapping[Kind, int], Mapping[Kind, int]] | None = None) -> Game:
        """A game before the first piece is deployed. `hands` are what the sides have drawn, with random
        armies only."""
        if hands is None:
            army = {'base': BASE, 'agreed': rules.types, 'secret': KINDS}[rules.army]
            hands = (dict.fromkeys((COMMANDER, *army), 1),) * 2
        pieces = tuple(
            frozenset(f'{seat}-{square}' for square in starts(seat, rules.size)) for seat in range(2)
        )
        return cls(rules, hands, leaders=(pieces[0], pieces[1]))

    @classmethod
    def battlefield(cls, rules: Rules, pieces: Mapping[str, tuple[int, Kind]], to_move: int = 0) -> Game:
        """Pieces anywhere (square: seat and kind); where they started is made up."""
        free = [[f'{seat}-{square}' for square in starts(seat, rules.size)] for seat in range(2)]
        at = {free[seat].pop(): square for square, (seat, _) in pieces.items()}
        kinds = {piece: pieces[square][1] for piece, square in at.items()}
        sides = tuple(frozenset(piece for piece in at if owner(piece) == seat) for seat in range(2))
        return cls(rules, ({}, {}), to_move, at, kinds, leaders=(sides[0], sides[1])).begun()

    def begun(self) -> Game:
        """With this position noted as having occurred."""
        return replace(self, past=(*self.past, self.public_position()))

    def public_position(self) -> object:
        """What makes two positions the same: who stands where (told apart by where they came from), and whose
        turn it is."""
        return frozenset(self.at.items()), self.to_move

    # deployment
    def deploying(self) -> bool:
        """Are there still pieces to be put on the board?"""
        return bool(self.hands[0] or self.hands[1]) and len(self.kinds) < 2 * self.rules.size

    def placed(self, seat: int) -> int:
        """How many pieces a side has deployed."""
        return sum(owner(piece) == seat for piece in self.kinds)

    def deployable(self) -> set[Kind]:
        """The kinds that the seat may put on its next square: every army has its Commander."""
        own = Counter(kind for piece, kind in self.kinds.items() if owner(piece) == self.to_move)
        left = {kind for kind, n in self.hands[self.to_move].items() if n > own[kind]}
        last = self.placed(self.to_move) == self.rules.size - 1
        return {COMMANDER} if last and COMMANDER in left else left

    def deploy(self, kind: Kind) -> Game:
        """The next piece put on its square."""
        seat, size = self.to_move, self.rules.size
        square = starts(seat, size)[self.placed(seat)]
        after = replace(
            self, kinds={**self.kinds, f'{seat}-{square}': kind}, at={**self.at, f'{seat}-{square}': square}
        )
        if after.placed(seat) < size:
            return after
        return replace(after, to_move=1) if seat == 0 else replace(after, to_move=0).begun()

    # what is legal
    def commander(self, seat: int) -> str | None:
        """The seat's Commander, None if it is not on the board."""
        return next(
            (piece for piece in self.at if owner(piece) == seat and self.kinds[piece] == COMMANDER), None
        )

    def carried_out(self, heading: str, steps: Mapping[str, int]) -> Battle | None:
        """These own pieces (by square) go so many steps each, front to back; None if one of them cannot."""
        here = {square: piece for piece, square in self.at.items()}
        at, moved, attacks = dict(self.at), list[Moved](), list[tuple[str, str]]()
        for start in sorted(steps, key=front_to_back(heading)):
            piece = here.pop(start)
            for step in range(1, steps[start] + 1):
                square = shifted(start, heading, step)
                if square is None:
                    return None
                if square in here:
                    attacked = {defender for _, defender in attacks}
                    if step < steps[start] or owner(here[square]) == owner(piece) or here[square] in attacked:
                        return None
            assert square is not None
            if square in here:
                attacks.append((piece, here[square]))
            else:
                here[square] = piece
            at[piece] = square
            moved.append(Moved(piece, start, steps[start]))
        return Battle(heading, at, tuple(moved), tuple(attacks))

    def moves(self) -> Iterator[str]:
        """Single moves: up to the movement, in one direction."""
        for piece, square in self.at.items():
            if owner(piece) == self.to_move:
                for heading, steps in product(HEADINGS, range(1, self.kinds[piece].movement + 1)):
                    if self.carried_out(heading, {square: steps}) is not None:
                        yield f'{square}-{shifted(square, heading, steps)}'

    def ways_to_go(self, square: str, heading: str, movable: set[str]) -> list[int]:
        """0, and the distances that a friend might go if all `movable` squares were clear: beyond the edge,
        an enemy or a friend that has no order there is no way at all."""
        here = {where: piece for piece, where in self.at.items()}
        found = [0]
        for steps in range(1, self.kinds[here[square]].movement + 1):
            target = shifted(square, heading, steps)
            if target is None or (
                target in here and owner(here[target]) == self.to_move and target not in movable
            ):
                break
            found.append(steps)
            if target in here and owner(here[target]) != self.to_move:
                break
        return found

    def orders(self) -> Iterator[str]:
        """Orders: every choice of friends round the Commander and of distances that can be carried out."""
        leader = self.commander(self.to_move)
        if leader is None:
            return
        middle = self.at[leader]
        friends = [
            square
            for piece, square in self.at.items()
            if owner(piece) == self.to_move and adjacent(middle, square)
        ]
        for heading in HEADINGS:
            named = sorted(friends, key=front_to_back(heading))
            ways = [self.ways_to_go(square, heading, {middle, *friends}) for square in named]
            for distances in product(*ways):
                steps = {square: n for square, n in zip(named, distances, strict=True) if n}
                if steps and self.carried_out(heading, {**steps, middle: 1}) is not None:
                    yield ' '.join(
                        ['order', heading, *(f'{square}:{n}' for square, n in steps.items()), 'go']
                    )

    def turns(self) -> list[str]:
        """All legal turns; during deployment, all legal steps."""
        if self.ending:
            return []
        if self.deploying():
            return [f'deploy {kind}' for kind in self.deployable()]
        found = [*self.moves(), *self.orders()]
        assert found, 'a side always has a legal turn'
        return found

    # what happens
    def play(self, name: str) -> Game:
        """The position after the turn of that name."""
        match name.split():
            case 'deploy', kind:
                return self.deploy(Kind.read(kind))
            case 'order', heading, *friends, 'go':
                leader = self.commander(self.to_move)
                assert leader is not None
                steps = {square: int(n) for square, n in (friend.split(':') for friend in friends)}
                return self.after(self.carried_out(heading, {**steps, self.at[leader]: 1}))
            case (move,):
                start, end = move.split('-')
                heading, n = way(start, end)
                return self.after(self.carried_out(heading, {start: n}))
        raise ValueError(f'{name} is no turn')

    def after(self, battle: Battle | None) -> Game:
        """The position after a turn: all have moved, now the fights, front to back; then it is the other's
        turn."""
        assert battle is not None, 'not legal'
        seat, taken, ending, fights, chain = self.to_move, self.taken[self.to_move], '', [], 0
        for attacker, defender in battle.attacks:
            # no more fights: who has not fought stands before its target
            if ending:
                battle.step_back(attacker)
                continue
            won = self.kinds[attacker].sword >= self.kinds[defender].shield
            fights.append(Fight(attacker, defender, won))
            if won:
                del battle.at[defender]
                taken += 1
                ending = (
                    'commander'
                    if self.kinds[defender] == COMMANDER
                    else 'pieces'
                    if taken >= self.rules.capture
                    else ''
                )
            else:
                chain = max(chain, battle.step_back(attacker))
        captures = taken > self.taken[seat]
        told = replace(
            self,
            at=battle.at,
            taken=(taken, self.taken[1]) if seat == 0 else (self.taken[0], taken),
            turn=self.turn + 1,
            quiet=0 if captures else self.quiet + 1,
            past=() if captures else self.past,
            moved=battle.moved,
            fights=tuple(fights),
            chain=chain,
            cut_short=len(fights) < len(battle.attacks),
            **self.learned(battle.moved, fights),
        )
        if ending:
            return replace(told, ending=ending, winner=seat)
        return replace(told, to_move=1 - seat).start_of_turn()

    def start_of_turn(self) -> Game:
        """What may end the game when a turn begins: before anything else, an own piece on the other's back
        rank."""
        if any(
            owner(piece) == self.to_move and square[1] == BACK_RANK[1 - self.to_move]
            for piece, square in self.at.items()
        ):
            return replace(self, ending='back_rank', winner=self.to_move)
        if self.rules.repetition and self.past[-REMEMBERED:].count(self.public_position()) == 2:
            return replace(self, ending='repetition')
        if self.rules.sixty and self.quiet == 60:
            return replace(self, ending='sixty_turns')
        return self.begun()

    # what everybody has seen
    def learned(self, moved: tuple[Moved, ...], fights: list[Fight]) -> dict[str, Any]:
        """What a turn told everybody. An order moves the Commander exactly one step, and all others that move
        were next to it."""
        far = {**self.far, **{one.piece: max(one.steps, self.far.get(one.piece, 0)) for one in moved}}
        shown = self.shown | {piece for fight in fights for piece in (fight.attacker, fight.defender)}
        leaders = list(self.leaders)
        if len(moved) > 1:
            leaders[self.to_move] &= {
                one.piece
                for one in moved
                if one.steps == 1 and all(adjacent(one.start, other.start) for other in moved if other != one)
            }
        return {'far': far, 'shown': shown, 'leaders': tuple(leaders)}

    def json(self) -> dict[str, Any]:
        """The position as JSON, as far as a made-up one goes: nothing taken, nothing seen."""
        pieces = [
            {'at': square, 'owner': owner(piece), 'type': str(self.kinds[piece]), 'start': piece[2:]}
            for piece, square in self.at.items()
        ]
        return {'game': 'myrmidons', 'options': self.rules.json(), 'to_move': self.to_move, 'pieces': pieces}
