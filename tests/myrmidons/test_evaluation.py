"""The fixed yardstick and the estimate of a position, against what they are declared to be."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.games.myrmidons.rules import FIRST_MOVE, FIRST_ORDER, Phase
from ludoteca.kernel import compiled
from ludoteca.search import SearchSettings, make_bot, think, thinking
from ludoteca.search.turn_memory import children
from tests.expected import after, estimate, foresee
from tests.myrmidons.model import HEADINGS, SQUARES, Kind, shifted
from tests.myrmidons.support import MYRMIDONS, PIECES, TYPES, battlefield, word
from tests.width import width

MANY = {'army': 'random', 'size': 12, 'capture': 8}
SCATTERED = ('c1=1-1-1 d2=5-1-3 b4=2-5-2 e3=3-2-4', 'c7=1-1-1 d6=4-4-1 b5=1-3-5 f5=5-1-3')
HOME = ('a1=1-1-1 c1=2-5-2 d1=5-1-3', 'a7=1-1-1 c7=2-5-2 d7=5-1-3')


def play_on(position: Position, chooser: random.Random) -> None:
    """One random action."""
    position.apply(chooser.choice(position.actions()))


def some_positions(seed: int, n: int, options: dict[str, Any] | None = None) -> Iterator[Position]:
    """Positions of random games between two actions, the deployment included."""
    chooser = random.Random(seed)
    while n:
        position = ludoteca.new('myrmidons', seed=chooser.randrange(10**9), options=options or {})
        while not position.over and n:
            if chooser.random() < 0.2:
                yield position.copy()
                n -= 1
            play_on(position, chooser)


# ---- the yardstick -----------------------------------------------------------------------------------------


def guesses(position: Position) -> Iterator[Position]:
    """The twenty positions that the mover takes into account."""
    seat = position.to_move
    hidden, work = position.hidden(seat), MYRMIDONS.Work.new()
    MYRMIDONS.kernels.prepare(hidden, seat, work)
    for seed in range(20):
        state = hidden.copy()
        MYRMIDONS.kernels.guess(state, seat, seed, work)
        yield Position(MYRMIDONS, state)


def standing(position: Position) -> dict[str, tuple[int, Kind]]:
    """Seat and kind of the piece on each occupied square."""
    s = position.state
    return {
        SQUARES[s.at[number]]: (number // 12, TYPES[s.type[number]])
        for number in range(len(PIECES))
        if s.at[number] >= 0
    }


def can_take(board: dict[str, tuple[int, Kind]], start: str, end: str) -> bool:
    """Would the piece on one square take the one on another in one move?"""
    kind, other = board[start][1], board[end][1]
    for heading in HEADINGS:
        at: str | None = start
        for _ in range(kind.movement):
            at = shifted(at, heading) if at else None
            if at == end:
                return kind.sword >= other.shield
            if at in board:
                break
    return False


def points(before: Position, turn: tuple[int, ...]) -> int:
    """Twelve for a piece taken, three for one threatened (the Commander counts as many as win), one for a row
    gained."""
    seat, wins, after = before.to_move, int(before.state.capture), before.copy()
    for action in turn:
        after.apply(action)
    lost = [kind for square, (owner, kind) in standing(before).items() if owner != seat]
    left = [kind for square, (owner, kind) in standing(after).items() if owner != seat]
    taken = sum(wins if str(kind) == '1-1-1' else 1 for kind in lost) - sum(
        wins if str(kind) == '1-1-1' else 1 for kind in left
    )
    board = standing(after)
    threats = sum(
        wins if str(board[end][1]) == '1-1-1' else 1
        for end in board
        if board[end][0] != seat
        and any(can_take(board, start, end) for start in board if board[start][0] == seat)
    )
    rows = [
        sum(int(square[1]) for square, (owner, _) in standing(p).items() if owner == seat)
        for p in (before, after)
    ]
    return 12 * taken + 3 * threats + (rows[1] - rows[0]) * (1 if seat == 0 else -1)


def best_turn(position: Position) -> tuple[int, ...]:
    """The turn with most points in all guesses together, the first among equals."""
    worlds = list(guesses(position))
    return max(MYRMIDONS.turns(position.state), key=lambda turn: sum(points(world, turn) for world in worlds))


@pytest.mark.skipif(not compiled, reason='thousands of turns')
@pytest.mark.parametrize('options', [{}, {'army': 'random'}], ids=['base', 'random'])
def test_the_yardstick_is_the_best_turn_by_captures_threats_and_rows(options: dict[str, Any]) -> None:
    chosen = [position for position in some_positions(1, 60, options) if position.state.phase != 0][:12]
    assert any(position.state.phase == 2 for position in chosen)
    for position in chosen[:: width(4, 1)]:
        assert MYRMIDONS.yardstick(position.hidden(position.to_move)) == best_turn(position)


def test_the_yardstick_of_a_small_position() -> None:
    """It takes the piece that it can take."""
    position = battlefield(('a1=1-1-1 c3=5-1-3', 'f7=1-1-1 c5=1-3-5'))
    turn = MYRMIDONS.yardstick(position.hidden(0))
    assert turn == best_turn(position)
    assert [word(action) for action in turn] == ['c3-c5']


def test_the_yardstick_finishes_an_order() -> None:
    position = battlefield(('c3=1-1-1 d3=3-2-4', 'f7=1-1-1')).after('order N')
    turn = MYRMIDONS.yardstick(position.hidden(0))
    assert word(turn[-1]) == 'go'
    position.play(' '.join(map(word, turn)))
    assert position.state.turn == 1


def test_the_yardstick_deploys_its_commander_and_then_the_highest_shields() -> None:
    position = ludoteca.new('myrmidons', seed=1)
    names = []
    while position.to_move == 0:
        (action,) = MYRMIDONS.yardstick(position.hidden(0))
        names.append(word(action))
        position.apply(action)
    assert names == [f'deploy {name}' for name in ('1-1-1', '2-5-2', '4-4-1', '1-3-5', '3-2-4', '5-1-3')]


@pytest.mark.skipif(not compiled, reason='whole games of thousands of turns')
@pytest.mark.parametrize('options', [{}, {'army': 'secret'}, MANY], ids=['base', 'secret', 'many'])
def test_the_yardstick_plays_legal_turns_and_knows_its_seat_only(options: dict[str, Any]) -> None:
    chooser = random.Random(5)
    for position in some_positions(2, 40, options):
        seat = position.to_move
        hidden = position.hidden(seat)
        turn = MYRMIDONS.yardstick(hidden.copy())
        world = hidden.copy()
        MYRMIDONS.kernels.prepare(hidden, seat, work := MYRMIDONS.Work.new())
        MYRMIDONS.kernels.guess(world, seat, chooser.randrange(2**30), work)
        MYRMIDONS.kernels.hide(world, seat)
        assert MYRMIDONS.yardstick(world) == turn
        before = position.state.turn
        for action in turn:
            position.apply(action)
        assert position.state.turn == before + 1 or position.state.phase == 0 or before == 0


# ---- the estimate ------------------------------------------------------------------------------------------


@pytest.mark.parametrize('options', [{}, {'army': 'secret'}, MANY], ids=['base', 'secret', 'many'])
def test_estimates_are_shares(options: dict[str, Any]) -> None:
    for position in some_positions(3, 150 if compiled else 15, options):
        shares = estimate(position)
        assert sum(shares) == pytest.approx(1)
        assert all(0 < share < 1 for share in shares)


def mirrored(pieces: tuple[str, str], files: bool) -> tuple[str, str]:
    """A small position seen in a mirror: files reversed, or ranks and sides."""
    sides = [[piece.split('=') for piece in side.split()] for side in pieces]
    if files:
        sides = [[['fedcba'['abcdef'.index(at[0])] + at[1], kind] for at, kind in side] for side in sides]
    else:
        sides = [[[at[0] + str(8 - int(at[1])), kind] for at, kind in side] for side in reversed(sides)]
    first, second = (' '.join(f'{at}={kind}' for at, kind in side) for side in sides)
    return first, second


def test_the_estimate_is_the_same_in_a_mirror() -> None:
    for pieces in (SCATTERED, HOME):
        for to_move in range(2):
            share = estimate(battlefield(pieces, to_move))
            assert estimate(battlefield(mirrored(pieces, True), to_move)) == pytest.approx(share)
            assert estimate(battlefield(mirrored(pieces, False), 1 - to_move))[::-1] == pytest.approx(share)


def test_an_order_being_made_counts_as_if_the_other_were_to_move() -> None:
    ordering, other = battlefield(SCATTERED).after('order N'), battlefield(SCATTERED, to_move=1)
    assert estimate(ordering) == pytest.approx(estimate(other))


@pytest.mark.parametrize(
    ('better', 'worse'),
    [
        # can take the Commander
        (('a1=1-1-1 c4=5-1-3', 'c6=1-1-1 f7=5-1-3'), ('a1=1-1-1 c4=5-1-3', 'd7=1-1-1 f7=5-1-3')),
        # can take a unit
        (
            ('a1=1-1-1 c3=5-1-3', 'a7=1-1-1 c5=1-3-5 f7=4-4-1'),
            ('a1=1-1-1 c3=5-1-3', 'a7=1-1-1 d6=1-3-5 f7=4-4-1'),
        ),
        # arrives and stays, or would have to face a match
        (
            ('a1=1-1-1 b5=2-5-2', 'f7=1-1-1 f6=4-4-1 e7=3-2-4'),
            ('a1=1-1-1 b5=2-5-2', 'f7=1-1-1 d6=5-1-3 e7=3-2-4'),
        ),
        # has one more
        (('a1=1-1-1 c2=5-1-3 d1=1-3-5', 'a7=1-1-1 b7=2-5-2'), ('a1=1-1-1 c2=5-1-3', 'a7=1-1-1 b7=2-5-2')),
        # can take the one that stands on its first row
        (
            ('a1=1-1-1 c3=4-4-1 c2=5-1-3', 'f7=1-1-1 c1=1-3-5'),
            ('a1=1-1-1 e3=4-4-1 d5=5-1-3', 'f7=1-1-1 c1=1-3-5'),
        ),
    ],
)
def test_the_estimate_knows_what_decides(better: tuple[str, str], worse: tuple[str, str]) -> None:
    assert estimate(battlefield(better))[0] > estimate(battlefield(worse))[0] + 0.05


def test_who_is_about_to_win_is_far_ahead() -> None:
    assert estimate(battlefield(('a1=1-1-1 c4=5-1-3', 'c6=1-1-1 f7=5-1-3')))[0] > 0.8
    # nobody can take the one on c1
    assert estimate(battlefield(('a1=1-1-1 d4=1-3-5', 'f7=1-1-1 c1=2-5-2')))[0] < 0.2


# ---- the search on it --------------------------------------------------------------------------------------


def turn_of_search(position: Position, simulations: int) -> str:
    """The whole turn that a search plays."""
    names, turn = [], position.state.turn
    while position.state.turn == turn and not position.over:
        result = think(MYRMIDONS, position.state, simulations=simulations, seed=1)
        names.append(result.names[result.best])
        position.apply(result.action)
    return ' '.join(names)


@pytest.mark.skipif(not compiled, reason='thousands of simulations')
def test_the_search_takes_what_wins() -> None:
    assert (
        turn_of_search(battlefield(('a1=1-1-1 c4=5-1-3 b1=2-5-2', 'c6=1-1-1 f7=5-1-3 e7=4-4-1')), 500)
        == 'c4-c6'
    )
    assert turn_of_search(battlefield(('a1=1-1-1 b5=2-5-2 f1=1-3-5', 'f7=1-1-1 f6=4-4-1')), 3000).startswith(
        'b5-'
    )


@pytest.mark.skipif(not compiled, reason='thousands of simulations')
@pytest.mark.parametrize('hold', [1, SearchSettings().hold])
def test_the_search_does_not_think_that_the_other_knows_its_secrets(hold: int) -> None:
    """A block that can be attacked is attacked in the search as often if it is the Commander as if its
    neighbour is. Where simulations share a guess it is so less often: after a reply that costs the Commander
    they turn to other moves until the next guess."""
    worlds = [('c2=1-1-1 e2=2-5-2 a3=3-2-4', 'c2'), ('c2=2-5-2 e2=1-1-1 a3=3-2-4', 'e2')]
    commander, other = list[float](), list[float]()
    for seed in range(8):
        for own, leader in worlds:
            position = battlefield((own, 'f7=1-1-1 e4=5-1-3'))
            search = thinking._Search(
                MYRMIDONS,
                position.hidden(0),
                0,
                SearchSettings(exploration=4.0, hold=hold),
                8_000,
                None,
                seed,
                lambda: False,
            )
            job = thinking._Job(search)
            job.grow()
            tree = job.memory
            quiet = next(
                child for child in children(tree.nodes, 0) if word(tree.nodes[child].action) == 'a3-b3'
            )
            replies = list(children(tree.nodes, quiet))
            visits = {word(tree.nodes[child].action): int(tree.views[child].visits) for child in replies}
            for square in ('c2', 'e2'):
                (commander if square == leader else other).append(
                    visits[f'e4-{square}'] / sum(visits.values())
                )
    assert sum(other) / 16 > 0.1
    assert (sum(commander) - sum(other)) / 16 < 0.05
    assert hold > 1 or abs(sum(commander) - sum(other)) / 16 < 0.05


@pytest.mark.skipif(not compiled, reason='whole deployments')
@pytest.mark.parametrize(
    'options', [{}, {'army': 'secret'}, {'army': 'random'}, MANY], ids=['base', 'secret', 'random', 'many']
)
def test_bots_deploy_legally_and_never_twice_alike(options: dict[str, Any]) -> None:
    seen = set()
    for game in range(width(2, 8)):
        position, names, bot = ludoteca.new('myrmidons', seed=7, options=options), [], make_bot('expert')
        for step in range(int(position.state.size)):
            hidden = position.state.copy()
            MYRMIDONS.kernels.mover_view(hidden, 0)
            names.append(word(bot.choose(MYRMIDONS, hidden, 0, 1000 * game + step, None)))
            position.play(names[-1])
        seen.add(tuple(names))
    assert len(seen) > width(1, 5)


@pytest.mark.skipif(not compiled, reason='hundreds of simulations')
def test_the_same_deployment_is_drawn_from_the_same_seed() -> None:
    position = ludoteca.new('myrmidons', seed=7)
    chosen = [make_bot('hard').choose(MYRMIDONS, position.hidden(0), 0, 3, None) for _ in range(2)]
    assert chosen[0] == chosen[1]


# ---- what is foreseen --------------------------------------------------------------------------------------


def test_moves_are_foreseen_as_they_are_estimated_and_the_rest_is_left_open() -> None:
    """Most shares are the same number; conclusions from a move on other pieces are not foreseen, nor draws.
    The state stays as it was."""
    same, compared = 0, 0
    for position in some_positions(8, width(40, 200)):
        if position.state.phase != Phase.TURN:
            continue
        before, seat = position.state.tobytes(), position.to_move
        told = foresee(position)
        assert position.state.tobytes() == before
        for action, share in told.items():
            if FIRST_MOVE <= action < FIRST_ORDER:
                compared += 1
                same += share == pytest.approx(estimate(after(position, action))[seat])
                assert 0 <= share <= 1
            else:
                assert share == -1
    assert compared
    assert same > 0.8 * compared
