"""What follows from what was seen, and what a guess puts in place of the rest: exactly uniform over an
enumeration of its own."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.games.myrmidons import knowledge
from ludoteca.games.myrmidons.rules import FIRST_MOVE, N_SQUARES, SIDE, Army, Phase, State, Work
from ludoteca.kernel import compiled
from tests.chance import assert_distributed
from tests.myrmidons.model import BASE, COMMANDER, Game, Kind, owner
from tests.myrmidons.support import (
    MYRMIDONS,
    PIECES,
    TYPES,
    battlefield,
    encode,
    kind_bits,
    model_of,
    played,
    word,
)
from tests.myrmidons.test_model import OPTIONS
from tests.myrmidons.worlds import SPECTATOR, marginals, n_worlds, strangers, worlds
from tests.width import width

GUESSES = width(6000, 20_000) if compiled else width(150, 300)
MOST_WORLDS = width(1500, 5000)


def told(game: Game, turns: list[str], chooser: random.Random) -> str:
    """A turn that tells something, if possible a fight, and does not end the game."""
    some = chooser.sample(turns, min(len(turns), 30))
    after = {turn: game.play(turn) for turn in some}
    quiet = [
        turn
        for turn in some
        if not after[turn].ending
        and not any(after[turn].at[moved.piece][1] == '71'[game.to_move] for moved in after[turn].moved)
    ]
    fights = [turn for turn in quiet if after[turn].fights]
    return chooser.choice(fights if fights and chooser.random() < 0.8 else quiet or turns)


@cache
def stories(name: str) -> list[tuple[Position, Game]]:
    """Positions of games of an army in which much is told, with what the model knows of them."""
    found, n = [], 0
    for seed in range(6 if compiled else 2):
        chooser = random.Random(f'{name} {seed}')
        position = ludoteca.new('myrmidons', 2, seed, OPTIONS[name])
        game = model_of(position)
        while not game.ending and game.turn < (70 if compiled else 12):
            found.append((position, game))
            turns = game.turns() if game.deploying() else some_turns(position, n)
            n += 1
            turn = told(game, turns, chooser) if not game.deploying() else chooser.choice(turns)
            position, game = played(position, turn), game.play(turn)
    return found


def some_turns(position: Position, seed: int) -> list[str]:
    """Turns at random: listing all is not needed here."""
    s, work, found = position.state.copy(), MYRMIDONS.Work.new(), dict[str, None]()
    out = np.empty(64, np.int32)
    s.rng[:] = [seed + 1, 2, 3, 4]
    for _ in range(30):
        n = MYRMIDONS.kernels.random_turn(s, work, out)
        found[' '.join(map(word, out[:n].tolist()))] = None
    return list(found)


def guesses(hidden: Any, seat: int, n: int) -> Iterator[State]:
    """So many guesses; the record is the same each time."""
    work, guesses = MYRMIDONS.Work.new(), MYRMIDONS.State.array(1)
    MYRMIDONS.kernels.prepare(hidden, seat, work)
    guess = guesses[0]
    for seed in range(n):
        guesses[0] = hidden
        MYRMIDONS.kernels.guess(guess, seat, seed, work)
        yield guess


def check_uniform(position: Position, game: Game, seat: int) -> int:
    """Chi-square of guesses against the enumeration; returns the number of worlds."""
    pieces = [piece for piece in strangers(game, seat) if piece in game.kinds]
    numbers = [PIECES.index(piece) for piece in pieces]
    weights: Counter[bytes] = Counter()
    for world, weight in worlds(game, seat):
        weights[bytes(TYPES.index(world[piece]) for piece in pieces)] += weight
    counts: Counter[bytes] = Counter()
    for guess in guesses(position.hidden(seat), seat, GUESSES):
        counts[guess.type[numbers].tobytes()] += 1
    assert set(counts) <= set(weights), (game.json(), 'a guess that cannot be')
    if compiled and len(weights) * 12 < GUESSES and min(weights.values()) == max(weights.values()):
        assert set(counts) == set(weights), 'a world that is never guessed'
    assert_distributed([counts[world] for world in weights], weights.values())
    return len(weights)


def chosen(name: str, seat: int, n: int) -> list[tuple[Position, Game]]:
    """Positions of the stories with not too many worlds, of various numbers of them."""
    sized = [
        (n_worlds(game, seat), k)
        for k, (_, game) in enumerate(stories(name))
        if len(strangers(game, seat)) < 11
    ]
    sized = sorted(entry for entry in sized if 1 < entry[0] < MOST_WORLDS)
    return [stories(name)[k] for _, k in sized[:: max(1, len(sized) // n)][: n + 1]]


@pytest.mark.parametrize('name', OPTIONS)
def test_two_ways_to_count_worlds_agree(name: str) -> None:
    """The enumeration and the count by movement, both of which guesses are compared with."""
    for _, game in chosen(name, SPECTATOR, 1):
        listed = worlds(game, SPECTATOR)
        assert sum(weight for _, weight in listed) == n_worlds(game, SPECTATOR)
        for piece, chances in marginals(game, SPECTATOR).items():
            ways: Counter[Kind] = Counter()
            for world, weight in listed:
                ways[world[piece]] += weight
            assert chances == {kind: Fraction(n, ways.total()) for kind, n in ways.items()}


@pytest.mark.parametrize(
    ('name', 'seat'),
    [
        (name, seat)
        for k, name in enumerate(OPTIONS)
        for seat in range(-1, 2)
        if width(seat == k % 3 - 1, True)
    ],
)
def test_guesses_are_uniform_over_all_that_may_be(name: str, seat: int) -> None:
    sizes = [
        check_uniform(position, game, seat) for position, game in chosen(name, seat, 2 if compiled else 1)
    ]
    assert (sizes and max(sizes) > 3) or not compiled


# ---- the pencil marks --------------------------------------------------------------------------------------


def possible(game: Game) -> dict[str, set[Kind]]:
    """For each piece the kinds that it can have by all that is public."""
    found = {piece: set(chances) for piece, chances in marginals(game, SPECTATOR).items()}
    return found | {piece: {game.kinds[piece]} for piece in game.shown}


@pytest.mark.parametrize('name', OPTIONS)
def test_the_mask_of_a_piece_is_what_it_can_be_by_all_that_is_public(name: str) -> None:
    smaller = 0
    for position, game in stories(name)[:: 6 if 'random' in name else width(4, 2)]:
        if len(strangers(game, SPECTATOR)) > 17:
            continue  # nothing is known yet, and counting is slow
        for piece, kinds in possible(game).items():
            mask = kind_bits(int(position.state.mask[PIECES.index(piece)]))
            assert mask == kinds, (game.json(), piece)
            smaller += len(mask) < game.rules.size and piece not in game.shown
    if compiled:
        assert smaller > width(5, 10)
        assert any(position.state.lead.sum() < 2 * game.rules.size for position, game in stories(name))


def test_what_has_not_been_seen_is_not_in_the_mask() -> None:
    """A mask is the same whatever the truth is: it follows from ways, orders and fights alone."""
    true = battlefield(['c1=3-2-4 d1=1-1-1 e2=2-5-2', 'c7=4-4-1 d7=1-1-1'])
    other = battlefield(['c1=1-1-1 d1=3-2-4 e2=1-3-5', 'c7=1-1-1 d7=4-4-1'])
    assert true.state.mask.tolist() == other.state.mask.tolist()
    assert played(true, 'c1-c2').state.mask.tolist() == played(other, 'c1-c2').state.mask.tolist()


def test_a_way_of_four_steps_tells_two_kinds_and_two_such_ways_tell_them_from_the_rest() -> None:
    start = battlefield(['a1=3-2-4 b1=1-3-5 c1=1-1-1 d1=5-1-3 e1=4-4-1 f1=2-5-2', 'f7=1-1-1 e7=2-5-2'])
    once = played(start, 'a1-a5')
    assert kind_bits(int(once.state.mask[0])) == {Kind(3, 2, 4), Kind(1, 3, 5)}
    assert len(kind_bits(int(once.state.mask[1]))) == 6
    twice = played(played(once, 'f7-f6'), 'b1-b5')
    for number in range(6):
        kinds = kind_bits(int(twice.state.mask[number]))
        assert kinds == (
            {Kind(3, 2, 4), Kind(1, 3, 5)}
            if number < 2
            else {COMMANDER, *BASE} - {Kind(3, 2, 4), Kind(1, 3, 5)}
        )


@pytest.mark.parametrize('steps', range(2, 6))
def test_as_many_long_ways_as_pieces_that_can_go_them_leave_none_for_the_others(steps: int) -> None:
    kinds = {'a1': Kind(3, 2, 4), 'b1': Kind(1, 3, 5), 'c1': COMMANDER, 'd1': Kind(5, 1, 3)}
    kinds |= {'e1': Kind(4, 4, 1), 'f1': Kind(2, 5, 2)}
    position = battlefield([' '.join(f'{at}={kind}' for at, kind in kinds.items()), 'f7=1-1-1 e7=2-5-2'])
    fast = [square for square, kind in kinds.items() if kind.movement >= steps]
    for n, square in enumerate(fast):
        for number in range(6):
            assert len(kind_bits(int(position.state.mask[number]))) >= len(fast), 'the last one tells it'
        answer = ('f7-f6', 'f6-f7')[n % 2]
        position = played(played(position, f'{square}-{square[0]}{1 + steps}'), answer)
    for number, square in enumerate(kinds):
        expected = {kind for kind in kinds.values() if (kind.movement >= steps) == (square in fast)}
        assert kind_bits(int(position.state.mask[number])) == expected


# ---- who leads ---------------------------------------------------------------------------------------------


def check_marginals(position: Position, game: Game, seat: int, pieces: list[str]) -> None:
    """Chi-square of the kinds of each of these pieces, over many guesses."""
    chances = marginals(game, seat)
    counts: dict[str, Counter[int]] = {piece: Counter() for piece in pieces}
    for guess in guesses(position.hidden(seat), seat, GUESSES):
        for piece, counter in counts.items():
            counter[int(guess.type[PIECES.index(piece)])] += 1
    for piece, counter in counts.items():
        assert {TYPES[number] for number in counter} <= set(chances[piece])
        assert_distributed(
            [counter[TYPES.index(kind)] for kind in chances[piece]], map(float, chances[piece].values())
        )


def test_an_order_leaves_those_as_commanders_who_went_one_step_and_stood_next_to_all() -> None:
    position = battlefield(
        ['a1=3-2-4 b1=1-1-1 c1=5-1-3 d1=1-3-5 e1=4-4-1 f1=2-5-2', 'f7=1-1-1 e7=2-5-2 d7=4-4-1 c7=3-2-4']
    )
    for turn, leaders in (
        ('order N a1:1 go', 'a1 b1'),
        ('order N c1:1 go', 'b1 c1'),
        ('order N a1:1 c1:1 go', 'b1'),
        ('order NE c1:1 a1:1 go', 'b1'),
        ('order N c1:2 go', 'b1'),
        ('b1-b2', 'a1 b1 c1 d1 e1 f1'),
        ('c1-c3', 'a1 b1 d1 e1 f1'),
    ):
        after, game = played(position, turn), model_of(position).play(turn)
        expected = {PIECES.index(f'0-{square}') for square in leaders.split()}
        assert {number for number in range(6) if int(after.state.mask[number]) & 1} == expected, turn
        chances = marginals(game, 1)
        assert {chances[PIECES[number]][COMMANDER] for number in expected} == {Fraction(1, len(expected))}


@pytest.mark.parametrize('name', ['base', 'secret', 'twelve agreed', 'random'])
def test_commanders_are_guessed_with_their_right_chances_after_orders(name: str) -> None:
    found = 0
    for position, game in stories(name):
        seat = 1 - game.to_move
        if game.deploying() or game.ending or found == (2 if compiled else 1):
            continue
        chances = marginals(game, seat)
        leaders = [piece for piece in chances if 0 < chances[piece].get(COMMANDER, 0) < 1]
        if leaders and len(leaders) < game.rules.size - 1:
            found += 1
            check_marginals(position, game, seat, leaders)
    assert found


# ---- deployment --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('name', 'steps'),
    [
        (name, steps)
        for k, name in enumerate(['base', 'secret', 'random', 'twelve random'])
        for steps in (2, 7)
        if width(steps == (2, 7)[k % 2], True)
    ],
)
def test_a_deployment_is_guessed_uniformly_while_it_is_made(name: str, steps: int) -> None:
    """The seat that has not sealed yet may have put anything on its first squares."""
    position = ludoteca.new('myrmidons', 2, steps, OPTIONS[name])
    for _ in range(steps):
        position.apply(random.Random(name).choice(position.actions()))
    game = model_of(position)
    viewer = 1
    check_marginals(position, game, viewer, [piece for piece in game.kinds if owner(piece) != viewer])
    for guess in guesses(position.hidden(viewer), viewer, 30):
        assert guess.type[12:].tolist() == position.state.type[12:].tolist()
        army = guess.hand[0] + np.bincount(guess.type[:12][guess.type[:12] >= 0], minlength=len(TYPES))
        assert army[0] == 1
        if name != 'secret' and game.placed(0) < game.rules.size:
            assert army.sum() == game.rules.size
        if 'random' in name:
            own = position.state.type[12:]
            assert (
                army + position.state.hand[1] + np.bincount(own[own >= 0], minlength=len(TYPES))
            ).max() <= 2


# ---- what is hidden ----------------------------------------------------------------------------------------


@pytest.mark.parametrize('name', OPTIONS)
def test_a_seat_knows_its_own_pieces_and_those_that_fought(name: str) -> None:
    for position, game in stories(name)[::4]:
        for seat in range(-1, 2):
            hidden = position.hidden(seat)
            for number, piece in enumerate(PIECES):
                if piece in game.kinds:
                    known = game.ending or owner(piece) == seat or piece in game.shown
                    assert int(hidden.type[number]) == (TYPES.index(game.kinds[piece]) if known else -1)
            assert game.ending or not hidden.rng.any() or hidden.rng.tolist() != position.state.rng.tolist()
            if game.deploying():
                for side in range(2):
                    assert (hidden.hand[side] < 0).all() or (side == seat or name != 'random')


def test_a_guess_depends_on_its_seed_and_on_nothing_else() -> None:
    for position, game in stories('base')[14:40:6]:
        if game.ending:
            continue
        hidden, first = position.hidden(1), []
        for guess in guesses(hidden, 1, 5):
            first.append(guess.tobytes())
            again = guess.copy()
            MYRMIDONS.kernels.hide(again, 1)
            assert all(np.array_equal(again[field], hidden[field]) for field in hidden.dtype.names)
        assert first == [guess.tobytes() for guess in guesses(hidden, 1, 5)]


def test_what_a_search_supposes_may_be_and_depends_on_its_seed_only() -> None:
    """Each supposed type is one that the piece can have, and each side has one Commander."""
    for name in ('base', 'secret', 'random'):
        for position, game in stories(name)[14:40:6]:
            if game.ending or position.state.phase == Phase.DEPLOY:
                continue
            hidden, work = position.hidden(1), Work.new()
            MYRMIDONS.kernels.prepare(hidden, 1, work)
            for seed in range(20):
                twice = []
                for _ in range(2):
                    state = hidden.copy()
                    knowledge.suppose(state, 1, seed, work)
                    twice.append(state.tobytes())
                assert twice[0] == twice[1]
                for side in range(2):
                    pieces = range(side * SIDE, side * SIDE + int(state.size))
                    standing = [piece for piece in pieces if state.at[piece] >= 0]
                    assert all(state.mask[piece] >> state.type[piece] & 1 for piece in standing)
                    assert sum(state.type[piece] == 0 for piece in standing) == 1
                    if state.army != Army.RANDOM:
                        types = [state.type[piece] for piece in pieces]
                        assert len(set(types)) == len(types)


@pytest.mark.parametrize('mover', [0, 1])
def test_a_search_supposes_that_the_commander_stayed_at_home(mover: int) -> None:
    """One step ahead a piece is the Commander far less often than one that did not move."""
    position = ludoteca.new('myrmidons', seed=1)
    while position.state.phase == Phase.DEPLOY:
        position.apply(position.actions()[0])
    moved = -1
    for ahead in (6, -6)[: mover + 1]:
        step = next(
            action
            for action in position.actions()
            if (action - FIRST_MOVE) % N_SQUARES - (action - FIRST_MOVE) // N_SQUARES == ahead
        )
        moved = int(position.state.on[(step - FIRST_MOVE) // N_SQUARES])
        position.apply(step)
    hidden, work, led = position.hidden(1 - mover), Work.new(), 0
    MYRMIDONS.kernels.prepare(hidden, 1 - mover, work)
    for seed in range(600):
        state = hidden.copy()
        knowledge.suppose(state, 1 - mover, seed, work)
        led += int(state.type[moved] == 0)
    assert 0 < led < 40


def test_others_see_of_an_order_its_heading_and_its_end_but_no_names() -> None:
    start = battlefield(['c1=3-2-4 d1=1-1-1 c2=5-1-3', 'f7=1-1-1 f6=3-2-4'])
    s, shown = start.state.copy(), dict[int, list[int]]({-1: [], 0: [], 1: []})
    actions = encode('order N c2:1 c1:1 go')
    for action in actions:
        for seat, seen in shown.items():
            seen.append(int(MYRMIDONS.kernels.hide_action(s, action, seat)))
        MYRMIDONS.kernels.apply(s, action)
    assert shown[0] == actions
    assert shown[1] == shown[-1] == [actions[0], -1, -1, actions[-1]]


def test_a_deployment_is_seen_by_nobody_else() -> None:
    start = ludoteca.new('myrmidons', 2, 1)
    for action in start.actions():
        assert [int(MYRMIDONS.kernels.hide_action(start.state, action, seat)) for seat in (-1, 0, 1)] == [
            -1,
            action,
            -1,
        ]


def test_an_order_being_made_is_seen_by_nobody_else() -> None:
    start = battlefield(['c1=3-2-4 d1=1-1-1 c2=5-1-3', 'f7=1-1-1 f6=3-2-4'])
    begun = played(start, 'order N c2:1')
    for seat in (-1, 1):
        before, after = start.hidden(seat), begun.hidden(seat)
        assert all(np.array_equal(before[field], after[field]) for field in before.dtype.names)
