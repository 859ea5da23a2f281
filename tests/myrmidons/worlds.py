"""All that may lie behind what a seat knows: an enumeration, written from the rules alone, that guesses are
compared with.

A WORLD gives every piece that the seat does not know its kind. Worlds are equally likely as draws of BLOCKS:
where armies are drawn at random from a common pool, a kind of which two blocks are left counts twice.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import prod

from tests.myrmidons.model import COMMANDER, KINDS, Game, Kind, starts

World = dict[str, Kind]
SPECTATOR = -1


def strangers(game: Game, seat: int) -> list[str]:
    """The pieces whose kind the seat (-1: a spectator) has never seen, those not yet deployed included; none
    after the end."""
    if game.ending:
        return []
    if not game.deploying():
        return [piece for piece in game.kinds if int(piece[0]) != seat and piece not in game.shown]
    return [
        f'{other}-{square}'
        for other in range(2)
        if other != seat
        for square in starts(other, game.rules.size)
    ]


def blocks(game: Game, seat: int, side: int) -> Counter[Kind]:
    """The blocks of which a piece of that side unknown to the seat may be one."""
    rules = game.rules
    left = Counter[Kind](
        {
            'base': dict.fromkeys(rules.types, 1),
            'agreed': dict.fromkeys(rules.types, 1),
            'secret': dict.fromkeys(KINDS, 1),
            'random': dict.fromkeys(KINDS, 2),
        }[rules.army]
    )
    known = Counter(
        game.kinds[piece] for piece in game.shown if rules.army == 'random' or int(piece[0]) == side
    )
    if seat >= 0 and rules.army == 'random':  # all that it holds or held, shown or not
        known = Counter(game.kinds[piece] for piece in game.shown if int(piece[0]) != seat)
        own = Counter(kind for piece, kind in game.kinds.items() if int(piece[0]) == seat)
        known.update(game.hands[seat] if game.deploying() else own)
    del known[COMMANDER]
    left.subtract(known)
    assert min(left.values()) >= 0
    return left


def shared(game: Game, seat: int) -> list[Counter[Kind]]:
    """For each side the blocks of which its unknown pieces are made; the same object if both are made of
    common ones."""
    sides = [blocks(game, seat, side) for side in range(2)]
    return [sides[0], sides[0]] if game.rules.army == 'random' and seat == SPECTATOR else sides


def may_lead(game: Game, piece: str) -> bool:
    """Can this unknown piece be the Commander, by the orders given and the ways it went?"""
    return piece in game.leaders[int(piece[0])] and game.far.get(piece, 0) <= COMMANDER.movement


def commanders(game: Game, side: int) -> int:
    """How many Commanders are among the unknown pieces of a side: one unless it has been shown (or, in
    made-up positions, is not there at all)."""
    own = [piece for piece, kind in game.kinds.items() if int(piece[0]) == side and kind == COMMANDER]
    return int(game.deploying() or (bool(own) and own[0] not in game.shown))


def leaderships(game: Game, seat: int) -> list[set[str]]:
    """Every choice of unknown pieces to be the Commanders, at most one a side."""
    found: list[set[str]] = [set()]
    for side in range(2):
        unknown = [piece for piece in strangers(game, seat) if int(piece[0]) == side]
        if commanders(game, side) and unknown:
            found = [{*chosen, piece} for chosen in found for piece in unknown if may_lead(game, piece)]
    return found


def worlds(game: Game, seat: int) -> list[tuple[World, int]]:
    """All worlds with their weights."""
    found: list[tuple[World, int]] = []
    left = shared(game, seat)

    def fill(rest: list[str], world: World, weight: int) -> None:
        if not rest:
            found.append((world, weight))
            return
        piece, *others = rest
        pool = left[int(piece[0])]
        for kind, n in list(pool.items()):
            if n and kind.movement >= game.far.get(piece, 0):
                pool[kind] -= 1
                fill(others, {**world, piece: kind}, weight * n)
                pool[kind] += 1

    for leaders in leaderships(game, seat):
        rest = sorted(
            set(strangers(game, seat)) - leaders, key=lambda piece: (-game.far.get(piece, 0), piece)
        )
        fill(rest, dict.fromkeys(leaders, COMMANDER), 1)
    return found


def some_world(game: Game, seat: int, rng: random.Random) -> World:
    """One of the worlds, none of them impossible to come (how often each does is of no importance)."""
    left = shared(game, seat)

    def fill(rest: list[str]) -> World | None:
        if not rest:
            return {}
        piece, *others = rest
        pool = left[int(piece[0])]
        fitting = [kind for kind in KINDS if pool[kind] and kind.movement >= game.far.get(piece, 0)]
        for kind in rng.sample(fitting, len(fitting)):
            pool[kind] -= 1
            if (world := fill(others)) is not None:
                return {piece: kind, **world}
            pool[kind] += 1
        return None

    for leaders in rng.sample(choices := leaderships(game, seat), len(choices)):
        rest = sorted(
            set(strangers(game, seat)) - leaders, key=lambda piece: (-game.far.get(piece, 0), piece)
        )
        if (world := fill(rest)) is not None:
            return {**dict.fromkeys(leaders, COMMANDER), **world}
    raise AssertionError('even the truth is impossible')


Left = tuple[int, ...]
"""How many Commanders of seat 0 and of seat 1, and how many blocks of movement 1, 2 ... 5, are still to be
given."""


def marginals(game: Game, seat: int) -> dict[str, dict[Kind, Fraction]]:
    """The chance of every kind for every piece that the seat does not know, without listing the worlds:
    counted piece by piece. Nothing but the movement tells one block from another, so blocks of equal movement
    are counted together."""
    found: dict[str, dict[Kind, Fraction]] = {}
    for pieces, pool in _groups(game, seat):
        found |= _counted(game, pieces, pool)[1]
    return found


def n_worlds(game: Game, seat: int) -> int:
    """The sum of the weights of all worlds, counted in the same way."""
    return prod(_counted(game, pieces, pool)[0] for pieces, pool in _groups(game, seat))


def _groups(game: Game, seat: int) -> list[tuple[list[str], Counter[Kind]]]:
    """Unknown pieces, and the blocks of which those are made."""
    pools, pieces = shared(game, seat), strangers(game, seat)
    if pools[0] is pools[1]:
        return [(pieces, pools[0])]
    return [([piece for piece in pieces if int(piece[0]) == side], pools[side]) for side in range(2)]


def _counted(
    game: Game, pieces: list[str], pool: Mapping[Kind, int]
) -> tuple[int, dict[str, dict[Kind, Fraction]]]:
    """How many worlds there are, and the chances in them."""
    sides = {int(piece[0]) for piece in pieces}
    leaders = [commanders(game, side) if side in sides else 0 for side in range(2)]
    start: Left = (
        *leaders,
        *(sum(n for kind, n in pool.items() if kind.movement == movement) for movement in range(1, 6)),
    )

    def choices(piece: str, left: Left) -> Iterator[tuple[int, int, Left]]:
        """What may be given to the piece (a place in `left`), in how many ways, and what is left then."""
        for k, n in enumerate(left):
            fits = k == int(piece[0]) and may_lead(game, piece) if k < 2 else k - 1 >= game.far.get(piece, 0)
            if n and fits:
                yield k, n, (*left[:k], n - 1, *left[k + 1 :])

    layers: list[dict[Left, int]] = [{start: 1}]  # ways to get to each state
    for piece in pieces:
        following: dict[Left, int] = defaultdict(int)
        for left, ways in layers[-1].items():
            for _, n, after in choices(piece, left):
                following[after] += ways * n
        layers.append(following)
    # and from there on: the Commanders must be among them
    onward = {left: int(left[:2] == (0, 0)) for left in layers[-1]}
    total = sum(ways * onward[left] for left, ways in layers[-1].items())
    found: dict[str, dict[Kind, Fraction]] = {}
    for piece, layer in zip(reversed(pieces), reversed(layers[:-1]), strict=True):
        given: dict[int, int] = defaultdict(int)
        before: dict[Left, int] = {}
        for left, ways in layer.items():
            before[left] = 0
            for k, n, after in choices(piece, left):
                before[left] += n * onward[after]
                given[k] += ways * n * onward[after]
        onward = before
        found[piece] = {COMMANDER: Fraction(given[int(piece[0])], total)} if given[int(piece[0])] else {}
        for kind, n in pool.items():
            if n and (ways := given[kind.movement + 1]):
                found[piece][kind] = Fraction(ways * n, total * start[kind.movement + 1])
        assert sum(found[piece].values()) == 1
    return total, found
