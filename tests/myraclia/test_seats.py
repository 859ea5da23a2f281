"""No seat of Myraclia is better than another: with the seats numbered otherwise, rules, estimate and bots do
the same for the same players. Only equal cubes at the start are decided by the number of a seat (D9)."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.games.myraclia import rules
from ludoteca.kernel import compiled
from ludoteca.search import think
from tests.chance import assert_uniform
from tests.expected import estimate, foresee
from tests.myraclia.support import EVERYTHING, MYRACLIA, played

PLAYERS = (2, 3, 5) if compiled else (2, 3)
EVERY = 5 if compiled else 20
MOST = 10**6 if compiled else 120
OF_A_SEAT = ('points', 'sources', 'reserved', 'done', 'terraformed', 'own', 'disk', 'rank', 'passed')
NAMES_SEATS = ('order', 'owner')


def renumbered(position: Position, seats: tuple[int, ...]) -> Position:
    """The same position, seat k being called seats[k]."""
    copy = position.copy()
    before, after = position.state, copy.state
    for field in OF_A_SEAT:
        for k, seat in enumerate(seats):
            getattr(after, field)[seat] = getattr(before, field)[k]
    for field in NAMES_SEATS:
        for i, seat in enumerate(getattr(before, field)):
            getattr(after, field)[i] = seats[seat] if seat != rules.NONE else seat
    after.to_move = seats[before.to_move]
    return copy


def by_number(values: Any, seats: tuple[int, ...]) -> list[Any]:
    """What belongs to each seat, in the order of their other numbers."""
    found = [0] * len(seats)
    for k, seat in enumerate(seats):
        found[seat] = values[k]
    return found


def some_seats(players: int) -> list[tuple[int, ...]]:
    """Other numbers for the seats: all of them backwards, and some at random."""
    every = list(permutations(range(players)))[1:]
    return [every[-1], *random.Random(players).sample(every, min(2, len(every) - 1))]


@pytest.mark.parametrize('options', [{}, EVERYTHING], ids=['plain', 'all options'])
@pytest.mark.parametrize('players', PLAYERS)
def test_the_rules_treat_all_seats_alike(players: int, options: dict[str, Any]) -> None:
    """The same actions lead to the same positions, with the same outcome."""
    for seats in some_seats(players):
        other: Position | None = None
        for position, name in played(players, 1, options, MOST):
            if other is None:
                other = renumbered(position, seats)
                continue
            other.apply(MYRACLIA.action_from_name(other.state, name))
            assert other.state.tobytes() == renumbered(position, seats).state.tobytes()
            assert other.actions() == position.actions()
        assert other is not None
        assert other.outcome() == by_number(position.outcome(), seats)
        assert other.scores() == by_number(position.scores(), seats)


@pytest.mark.parametrize('players', PLAYERS)
def test_bots_treat_all_seats_alike(players: int) -> None:
    """Estimates, which speak for one seat as for another, and the yardstick's turns."""
    phases: Counter[int] = Counter()
    for step, (position, _) in enumerate(played(players, 2, {}, MOST)):
        if position.over or step % EVERY:
            continue
        phases[position.state.phase] += 1
        for seats in some_seats(players):
            other = renumbered(position, seats)
            assert estimate(other) == pytest.approx(by_number(estimate(position), seats))
            assert foresee(other) == pytest.approx(foresee(position))
            assert MYRACLIA.yardstick(other.state) == MYRACLIA.yardstick(position.state)
    assert phases[rules.Phase.DRAFT]


@pytest.mark.skipif(not compiled, reason='thousands of simulations')
def test_a_search_finds_the_same_for_both_seats() -> None:
    for step, (position, _) in enumerate(played(2, 3, {}, 60)):
        if step % 4 == 0:
            found, other = (
                think(MYRACLIA, s, simulations=300, seed=step) for s in (position.state, mirrored(position))
            )
            assert (found.actions, found.visits) == (other.actions, other.visits)
            assert list(found.expected) == pytest.approx(other.expected[::-1])


def mirrored(position: Position) -> Any:
    """The state of two players with their seats exchanged."""
    return renumbered(position, (1, 0)).state


@pytest.mark.skipif(not compiled, reason='hundreds of games')
def test_either_seat_drafts_first_as_often_unless_their_cubes_are_equal() -> None:
    firsts = [0, 0]
    for seed in range(2_000):
        s = ludoteca.new('myraclia', 2, seed).state
        if np.array_equal(s.own[0], s.own[1]):
            assert s.order[0] == 0
        else:
            firsts[s.order[0]] += 1
    assert sum(firsts) < 2_000
    assert_uniform(firsts)
