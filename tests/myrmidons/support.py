"""What the tests of Myrmidons share: actions as words by the documented numbers, the model of a real
position, and comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import ludoteca
from ludoteca.game import Position
from ludoteca.game import position as read
from ludoteca.games.myrmidons.rules import State
from tests.myrmidons.model import COMMANDER, HEADINGS, KINDS, SQUARES, Game, Kind, Rules, owner, starts

MYRMIDONS = ludoteca.load('myrmidons')
TYPES = (COMMANDER, *KINDS)
"""The kinds by the numbers that the game documents."""
PIECES = tuple(f'{seat}-{square}' for seat in range(2) for square in starts(seat, 12))
"""The pieces by their numbers."""
FIRST_MOVE = 20
FIRST_ORDER = FIRST_MOVE + 42 * 42
FIRST_FRIEND = FIRST_ORDER + 8
GO = FIRST_FRIEND + 42 * 5
ARMIES = ('base', 'agreed', 'secret', 'random')


def read_position(data: Any) -> Position:
    """The position that is written as JSON."""
    return read(data)


def word(action: int) -> str:
    """The name of an action."""
    if action < FIRST_MOVE:
        return f'deploy {TYPES[action]}'
    if action < FIRST_ORDER:
        start, end = divmod(action - FIRST_MOVE, 42)
        return f'{SQUARES[start]}-{SQUARES[end]}'
    if action < FIRST_FRIEND:
        return f'order {tuple(HEADINGS)[action - FIRST_ORDER]}'
    if action < GO:
        square, steps = divmod(action - FIRST_FRIEND, 5)
        return f'{SQUARES[square]}:{steps + 1}'
    assert action == GO
    return 'go'


ACTIONS = {word(action): action for action in range(GO + 1)}
"""The number of each name."""


def encode(turn: str) -> list[int]:
    """The actions of a turn written as words."""
    words, found = turn.split(), list[int]()
    while words:
        name = ' '.join(words.pop(0) for _ in range(2 if words[0] in ('deploy', 'order') else 1))
        found.append(ACTIONS[name])
    return found


def turn_names(actions: Iterable[int]) -> Iterator[str]:
    """Actions put together to turns (an order, from its heading to `go`, is one); the last may be an order
    that is still open."""
    order: list[str] = []
    for action in actions:
        name = word(action)
        if order or name.startswith('order'):
            order.append(name)
            if name == 'go':
                yield ' '.join(order)
                order = []
        else:
            yield name
    if order:
        yield ' '.join(order)


def played(position: Position, turn: str) -> Position:
    """The position after a turn, whose steps must all be legal."""
    after = position.copy()
    for action in encode(turn):
        after.apply(action)
    return after


def kind_bits(bits: int) -> set[Kind]:
    """The kinds whose bits are set."""
    return {kind for number, kind in enumerate(TYPES) if bits >> number & 1}


def rules_of(s: State) -> Rules:
    """The options of a real game."""
    types = tuple(kind for kind in TYPES if kind in kind_bits(int(s.pool[0])) and kind != COMMANDER)
    return Rules(ARMIES[s.army], int(s.size), types, int(s.capture), bool(s.repetition), bool(s.sixty))


def model_of(position: Position) -> Game:
    """The model of a true position between two turns or in deployment; what had occurred before is not
    read."""
    s = position.state
    assert s.phase != 2
    present = [piece for number, piece in enumerate(PIECES) if s.at[number] != -2]
    leaders = [piece for piece in present if s.lead[PIECES.index(piece)]]
    sides = tuple(frozenset(piece for piece in leaders if owner(piece) == seat) for seat in range(2))
    kinds = {
        piece: TYPES[s.type[PIECES.index(piece)]] for piece in present if s.type[PIECES.index(piece)] >= 0
    }
    at = {piece: SQUARES[s.at[PIECES.index(piece)]] for piece in kinds if s.at[PIECES.index(piece)] >= 0}
    hands = tuple(_hand(s, seat, kinds) for seat in range(2)) if s.phase == 0 else ({}, {})
    game = Game(
        rules_of(s),
        (hands[0], hands[1]),
        int(s.to_move),
        at,
        kinds,
        tuple(s.taken.tolist()),
        int(s.quiet),
        int(s.turn),
        far={piece: int(s.far[PIECES.index(piece)]) for piece in present if s.far[PIECES.index(piece)]},
        shown=frozenset(piece for piece in present if s.seen[PIECES.index(piece)]),
        leaders=(sides[0], sides[1]),
    )
    return game if s.phase == 0 else game.begun()


def _hand(s: State, seat: int, kinds: Mapping[str, Kind]) -> dict[Kind, int]:
    """All that a seat could deploy at the start of a true position: what is left, and what it has
    deployed."""
    deployed = [kind for piece, kind in kinds.items() if owner(piece) == seat]
    return {
        kind: n
        for number, kind in enumerate(TYPES)
        if (n := int(s.hand[seat, number]) + deployed.count(kind))
    }


def battlefield(pieces: Mapping[int, str] | Sequence[str], to_move: int = 0, **more: Any) -> Position:
    """A small position: for each seat its pieces as `c1=5-1-3 d1=1-1-1`."""
    sides = dict(enumerate(pieces)) if not isinstance(pieces, Mapping) else pieces
    listed = [
        {'at': at, 'owner': seat, 'type': kind}
        for seat, side in sides.items()
        for at, kind in (piece.split('=') for piece in side.split())
    ]
    return read_position({'game': 'myrmidons', 'to_move': to_move, 'pieces': listed, **more})


def board(position: Position) -> dict[str, tuple[int, Kind]]:
    """Who stands where: for each occupied square the seat and the kind."""
    s = position.state
    return {
        SQUARES[square]: (number // 12, TYPES[s.type[number]])
        for square, number in enumerate(s.on.tolist())
        if number >= 0
    }


def model_board(game: Game) -> dict[str, tuple[int, Kind]]:
    """The same of the model."""
    return {square: (owner(piece), game.kinds[piece]) for piece, square in game.at.items()}


def assert_same(position: Position, game: Game, names: bool = True) -> None:
    """The real position shows what the model's does; `names`: pieces have come from where the model says."""
    s = position.state
    assert position.ending == game.ending
    assert int(s.winner) == (-1 if game.winner is None else game.winner)
    if game.ending:
        assert position.outcome() == (
            [float(seat == game.winner) for seat in range(2)] if game.winner is not None else [0.5, 0.5]
        )
    else:
        assert int(s.to_move) == game.to_move
    assert int(s.turn) == game.turn
    assert int(s.quiet) == game.quiet
    assert tuple(s.taken.tolist()) == game.taken
    assert position.scores() == list(map(float, game.taken))
    if game.deploying():
        return
    assert board(position) == model_board(game)
    for square, number in enumerate(s.on.tolist()):
        assert number < 0 or s.at[number] == square
        assert bool(s.men[0] >> square & 1) == (0 <= number < 12)
        assert bool(s.men[1] >> square & 1) == (number >= 12)
    if names:
        assert {PIECES[number]: SQUARES[at] for number, at in enumerate(s.at.tolist()) if at >= 0} == game.at


def assert_same_news(position: Position, game: Game) -> None:
    """The real position says of the last turn, and of the pieces, what the model knows to be public. Whole
    games only."""
    s = position.state
    moved = [(PIECES[s.moved[k]], SQUARES[s.moved_from[k]], int(s.moved_steps[k])) for k in range(s.n_moved)]
    assert moved == list(game.moved)
    assert int(s.ordered) == (len(moved) > 1)
    fights = [(PIECES[s.attacker[k]], PIECES[s.defender[k]], bool(s.won[k])) for k in range(s.n_fights)]
    assert fights == list(game.fights)
    for number, piece in enumerate(PIECES):
        assert int(s.far[number]) == game.far.get(piece, 0)
        assert bool(s.seen[number]) == (piece in game.shown)
