"""The leak test's other games: they differ from the true one, and the seat could not have told."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import ludoteca
from ludoteca.game import Position
from ludoteca.kernel import compiled
from tests.myrmidons.alternatives import alternatives
from tests.myrmidons.model import COMMANDER, SQUARES
from tests.myrmidons.support import GO, PIECES, TYPES, battlefield, board, encode, turn_names, word
from tests.myrmidons.test_model import OPTIONS
from tests.width import width


def some_game(options: dict[str, Any], seed: int, steps: int) -> tuple[Position, list[int]]:
    """The start of a random game and so many actions, orders as often as they are legal; it is not over."""
    start, chooser = ludoteca.new('myrmidons', 2, seed, options), random.Random(seed)
    position, actions = start.copy(), list[int]()
    while len(actions) < steps:
        legal = position.actions()
        orders = [action for action in legal if 1784 <= action < 1792 or action == GO]
        actions.append(chooser.choice(orders if orders and chooser.random() < 0.5 else legal))
        position.apply(actions[-1])
        if position.over:
            return some_game(options, seed + 1000, steps)
    return start, actions


def seen(start: Position, actions: list[int], seat: int) -> list[object]:
    """What a seat can see on the table: who stands where, who fought whom and what they showed, what it has
    done itself, and that the others have done something. Written from the rulebook, not from `hide`."""
    position, found = start.copy(), list[object]()
    for action in [*actions, None]:
        s = position.state
        found.append(
            (
                {(PIECES[n], SQUARES[at]) for n, at in enumerate(s.at.tolist()) if at >= 0},
                int(s.to_move),
                int(s.turn),
            )
        )
        found.append(
            [
                (int(n), bool(won), TYPES[s.type[n]])
                for k, won in enumerate(s.won[: s.n_fights].tolist())
                for n in (s.attacker[k], s.defender[k])
            ]
        )
        if seat >= 0:
            found.append([int(kind) for n, kind in enumerate(s.type.tolist()) if n // 12 == seat])
            found.append(s.hand[seat].tolist())
        if action is not None:
            name = word(action)
            found.append(
                name if seat == s.to_move or (not name.startswith('deploy') and ':' not in name) else '?'
            )
            assert action in position.actions(), f'{name} is not legal'
            position.apply(action)
    return found


def types(position: Position, actions: list[int]) -> tuple[int, ...]:
    """All kinds at the end of these actions."""
    after = position.copy()
    for action in actions:
        after.apply(action)
    return tuple(after.state.type.tolist())


def games() -> Iterator[tuple[Position, list[int], int]]:
    """Starts, actions and a seat or spectator, of all armies; cuts in the deployment, in orders and between
    turns."""
    for options in OPTIONS.values():
        size = options.get('size', 6)
        for seed in range(width(1, 5) if compiled else 1):
            for steps in (0, 3, size, size + 2, 2 * size, 2 * size + 5, 2 * size + 11, 2 * size + 16):
                start, actions = some_game(options, seed, steps)
                for seat in range(-1, 2):
                    yield start, actions, seat


def test_other_line_ups_show_the_same_game() -> None:
    different = leaders = 0
    for n, (start, actions, seat) in enumerate(games()):
        others = alternatives(start, actions, seat, 3, random.Random(n))
        assert len(others) == 3
        for other, changed in others:
            assert len(changed) == len(actions)
            assert seen(other, changed, seat) == seen(start, actions, seat)
            truth, lie = types(start, actions), types(other, changed)
            different += truth != lie
            leaders += any(
                name.startswith('order') and name != was and owner_of(start, actions) != seat
                for name, was in zip(turn_names(changed), turn_names(actions), strict=True)
            )
    assert different > (width(100, 500) if compiled else 60)
    assert leaders > (width(4, 30) if compiled else 1), 'no other Commander gave an order'


def owner_of(start: Position, actions: list[int]) -> int:
    """The seat to move after these actions."""
    after = start.copy()
    for action in actions:
        after.apply(action)
    return after.to_move


def test_of_four_pieces_in_a_square_that_go_one_step_any_may_be_the_commander() -> None:
    """The rulebook's Chelone formation."""
    start = battlefield(['c1=3-2-4 d1=1-1-1 c2=5-1-3 d2=2-5-2', 'f7=1-1-1 f6=3-2-4'])
    actions = encode('order N c2:1 d2:1 c1:1 go')
    others = alternatives(start, actions, 1, 60, random.Random(1))
    assert {tuple(turn_names(changed)) for _, changed in others} == {
        (f'order N {friends} go',)
        for friends in ('c2:1 d2:1 c1:1', 'c2:1 d2:1 d1:1', 'c2:1 c1:1 d1:1', 'd2:1 c1:1 d1:1')
    }
    for other, _ in others:
        assert other.state.type.tolist()[12:] == start.state.type.tolist()[12:], 'the own pieces'


def test_whoever_went_further_or_was_not_next_to_all_is_not_the_commander() -> None:
    start = battlefield(['b1=3-2-4 c1=1-1-1 d1=5-1-3 d2=2-5-2', 'f7=1-1-1 f6=3-2-4'])
    for order, leaders in (
        ('order N d2:1 b1:1 go', {'c1'}),
        ('order N d2:2 d1:1 go', {'c1', 'd1'}),
        ('order NE d2:1 d1:1 go', {'c1', 'd1', 'd2'}),
    ):
        others = alternatives(start, encode(order), 1, 60, random.Random(1))
        found = {
            square for other, _ in others for square, (_, kind) in board(other).items() if kind == COMMANDER
        }
        assert found == {*leaders, 'f7'}


def test_after_the_end_there_is_no_other_game() -> None:
    start = battlefield(['a6=3-2-4 c1=1-1-1', 'f7=1-1-1 f6=3-2-4'])
    assert alternatives(start, encode('a6-a7 f7-e6'), 1, 3, random.Random(1)) == []
