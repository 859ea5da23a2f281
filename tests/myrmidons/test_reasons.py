"""Every number in a reason of Myrmidons agrees with the rules applied, whatever the enemy's pieces are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest

from ludoteca.games.myrmidons import components as C
from ludoteca.games.myrmidons import rules as R
from ludoteca.games.myrmidons.view.reasons import ALERTS, reasons
from tests.conformance.harness import Case, after, configurations, guessed, legal, random_turn
from tests.conformance.reasons import (
    Choice,
    Proof,
    bot_choices,
    choices,
    kinds_of,
    prove_alerts,
    stored_choices,
)
from tests.width import width

State = Any  # the game's own record
CASES = configurations('myrmidons', 'narrow')[:2]
GAME = CASES[0].game
SIDE = C.SIDE


def sword(kind: int) -> int:
    return int(C.TYPES[kind].split('-')[0])


def shield(kind: int) -> int:
    return int(C.TYPES[kind].split('-')[1])


def movement(kind: int) -> int:
    return int(C.TYPES[kind].split('-')[2])


def kinds(s: State, piece: int) -> list[int]:
    """What a piece can be by all that is public of it, or is."""
    if s['type'][piece] >= 0:
        return [int(s['type'][piece])]
    return [kind for kind in range(C.N_TYPES) if int(s['mask'][piece]) >> kind & 1]


def standing(s: State, seat: int) -> list[int]:
    return [piece for piece in range(SIDE * seat, SIDE * seat + SIDE) if s['at'][piece] >= 0]


def reach(s: State, piece: int, kind: int) -> set[int]:
    """The squares to which a piece could move if it were of that type and its turn: by the legal moves."""
    trial = s.copy()
    trial.to_move, trial.phase = piece // SIDE, R.Phase.TURN
    for other in range(C.N_PIECES):
        if trial.type[other] < 0:
            trial.type[other] = 1
    trial.type[piece] = kind
    moves = [action for action in legal(GAME, trial) if R.FIRST_MOVE <= action < R.FIRST_ORDER]
    pairs = [divmod(action - R.FIRST_MOVE, C.N_SQUARES) for action in moves]
    return {end for start, end in pairs if start == s['at'][piece]}


def commander(s: State, seat: int) -> int:
    return next((int(s['at'][piece]) for piece in standing(s, seat) if s['type'][piece] == 0), -1)


def hunters(s: State, seat: int) -> int:
    there = commander(s, seat)
    return sum(
        any(there in reach(s, enemy, kind) for kind in kinds(s, enemy)) for enemy in standing(s, 1 - seat)
    )


def exposed(s: State, seat: int) -> int:
    return sum(
        any(
            int(s['at'][piece]) in reach(s, enemy, kind) and sword(kind) >= shield(int(s['type'][piece]))
            for enemy in standing(s, 1 - seat)
            for kind in kinds(s, enemy)
        )
        for piece in standing(s, seat)
    )


def threatened(s: State, seat: int) -> int:
    return sum(
        any(
            int(s['at'][enemy]) in reach(s, piece, int(s['type'][piece]))
            and all(sword(int(s['type'][piece])) >= shield(kind) for kind in kinds(s, enemy))
            for piece in standing(s, seat)
        )
        for enemy in standing(s, 1 - seat)
    )


def on_row(s: State, seat: int) -> list[int]:
    rank = 6 if seat == 0 else 0
    return [piece for piece in standing(s, seat) if s['at'][piece] // 6 == rank]


def unreachable(s: State, piece: int) -> bool:
    """Is every enemy too far away, or on no line with it?"""
    y, x = divmod(int(s['at'][piece]), 6)
    for enemy in standing(s, 1 - piece // SIDE):
        b, a = divmod(int(s['at'][enemy]), 6)
        dx, dy = abs(a - x), abs(b - y)
        if 0 in (dx, dy, dx - dy) and any(movement(kind) >= max(dx, dy) for kind in kinds(s, enemy)):
            return False
    return True


def may_lead(s: State, seat: int) -> int:
    return sum(
        bool(s['lead'][piece]) and s['far'][piece] <= 1 and not s['seen'][piece]
        for piece in standing(s, seat)
    )


def attacks(before: State, s: State) -> list[tuple[int, int]]:
    """Who went onto whom: by the moves that everybody saw."""
    found = []
    for i in range(int(s['n_moved'])):
        end = int(s['moved_from'][i]) + int(s['moved_steps'][i]) * C.OFFSET[int(s['course'])]
        other = int(before['on'][end])
        if other >= 0 and other // SIDE != int(before.to_move):
            found.append((int(s['moved'][i]), other))
    return found


def beaten(b: State, attacker: int, defender: int) -> list[int]:
    return [kind for kind in kinds(b, defender) if sword(int(b['type'][attacker])) >= shield(kind)]


def chance(b: State, s: State) -> float:
    found = attacks(b, s)
    sure = any(beaten(b, one, other) == kinds(b, other) for one, other in found)
    return 0 if sure or not found else max(len(beaten(b, one, other)) for one, other in found)


def rows(b: State, s: State, seat: int) -> int:
    fought = {one for one, _ in attacks(b, s)}
    found = 0
    for i in range(int(s['n_moved'])):
        if int(s['moved'][i]) not in fought:
            start = int(s['moved_from'][i])
            end = start + int(s['moved_steps'][i]) * C.OFFSET[int(s['course'])]
            found += (end // 6 - start // 6) * (1 if seat == 0 else -1)
    return found


Measure = Callable[[State, State, int], float]
QUIET: dict[str, Measure] = {
    'hunted': lambda b, s, seat: hunters(s, seat),
    'exposed': lambda b, s, seat: exposed(s, seat),
    'threatens': lambda b, s, seat: threatened(s, seat),
    'row': lambda b, s, seat: len(on_row(s, seat)),
    'safe_row': lambda b, s, seat: sum(unreachable(s, piece) for piece in on_row(s, seat)),
    'leaders': lambda b, s, seat: may_lead(s, seat),
}


def steps_of(s: State, piece: int, a: int, b: int) -> int:
    """How many empty squares, or one enemy behind them, lie in a direction, by the piece's own movement."""
    y, x = divmod(int(s['at'][piece]), 6)
    on = {int(s['at'][other]): other for seat in (0, 1) for other in standing(s, seat)}
    for k in range(1, movement(int(s['type'][piece])) + 1):
        j, i = y + k * b, x + k * a
        if not (0 <= i < 6 and 0 <= j < 7):
            return k - 1
        if (other := on.get(6 * j + i)) is not None:
            return k - (other // SIDE == piece // SIDE)
    return movement(int(s['type'][piece]))


WAYS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]


def round_leader(s: State, seat: int) -> tuple[int, list[int]]:
    """How many squares round the Commander no own piece stands on, and the own pieces round it."""
    y, x = divmod(commander(s, seat), 6)
    own = {divmod(int(s['at'][piece]), 6): piece for piece in standing(s, seat)}
    near = [(y + b, x + a) for a, b in WAYS if 0 <= x + a < 6 and 0 <= y + b < 7]
    return sum(square not in own for square in near), [own[square] for square in near if square in own]


DEPLOYED: dict[str, Measure] = {
    'lines': lambda b, s, seat: round_leader(s, seat)[0],
    'guards': lambda b, s, seat: sum(shield(int(s['type'][one])) for one in round_leader(s, seat)[1]),
    'reach': lambda b, s, seat: sum(steps_of(s, one, *way) for one in standing(s, seat) for way in WAYS),
}
ALWAYS: dict[str, Measure] = {
    'movers': lambda b, s, seat: s['n_moved'] if s['n_moved'] > 1 else 0,
    'forward': rows,
    'reveals': lambda b, s, seat: sum(not b['seen'][one] for one, _ in attacks(b, s)),
    'takes': lambda b, s, seat: sum(beaten(b, one, two) == kinds(b, two) for one, two in attacks(b, s)),
    'commander': lambda b, s, seat: sum(0 in kinds(b, two) for _, two in attacks(b, s)),
    'chance': lambda b, s, seat: chance(b, s),
}


def outcome_of(choice: Choice, turn: tuple[int, ...], seed: int) -> tuple[State, State]:
    """What the seat is shown before the turn, and a guess of it with the turn played by the rules. The types
    of enemies are taken out again afterwards."""
    shown = choice.view.state
    s = guessed(GAME, shown, choice.seat, seed)
    for action in turn:
        GAME.kernels.apply(s, action)
    if not s['n_fights'] and not s.ending:
        for piece in standing(s, 1 - choice.seat):
            s.type[piece] = shown['type'][piece]
    return shown, s


def measured(choice: Choice, kind: str, turn: tuple[int, ...], seed: int) -> float:
    before, s = outcome_of(choice, turn, seed)
    return float((QUIET | ALWAYS | DEPLOYED)[kind](before, s, choice.seat))


def check(choice: Choice) -> set[str]:
    """Returns the kinds that were compared."""
    for reason in choice.reasons:
        for guess in (0, 1):
            n = measured(choice, reason.kind, choice.turn, guess)
            assert reason.numbers['n'] == n, (reason, choice.turn)
            if reason.kind not in QUIET or not outcome_of(choice, choice.other, guess)[1].ending:
                other = measured(choice, reason.kind, choice.other, guess)
                assert reason.numbers['other'] == max(0, other), (reason, choice.other)
    return {reason.kind for reason in choice.reasons}


@pytest.mark.parametrize('case', CASES, ids=str)
def test_reasons_are_true(case: Case) -> None:
    assert {*QUIET, *ALWAYS, *DEPLOYED} == kinds_of(case.game).keys()
    told = set[str]()
    for seed in range(2):
        for choice in choices(case, seed, every=width(2, 1)):
            told |= check(choice)
    assert len(told) > 6


def test_every_kind_is_true_where_it_is_stored_and_in_games_of_bots() -> None:
    for choice in (*stored_choices('myrmidons'), *bot_choices('myrmidons', width(6, 1))):
        check(choice)


def test_that_a_piece_goes_alone_is_no_reason() -> None:
    alone = [one for one in choices(CASES[0], 0) if R.FIRST_MOVE <= one.turn[0] < R.FIRST_ORDER]
    assert alone
    for choice in alone:
        assert 'movers' not in {reason.kind for reason in reasons(choice.view, choice.turn, ())}


@pytest.mark.parametrize('case', CASES, ids=str)
def test_a_piece_that_falls_for_sure_falls_whatever_the_enemy_is(case: Case) -> None:
    told = 0
    for seed in range(3):
        for choice in choices(case, seed):
            wanted = [reason for reason in choice.reasons if reason.kind == 'takes']
            for guess in range(6 if wanted else 0):
                before, s = choice.after(choice.turn, guess)
                taken = s['taken'][choice.seat] - before['taken'][choice.seat]
                told += 1
                assert s.ending or taken >= wanted[0].numbers['n']
    assert told


# ---- alerts ------------------------------------------------------------------------------------------------


def moved(s: State, start: int, end: int) -> State:
    return after(GAME, s, R.FIRST_MOVE + start * C.N_SQUARES + end)


def turns(s: State) -> list[State]:
    """What every move of the seat to move, and some of its orders, lead to."""
    found = [after(GAME, s, move) for move in legal(GAME, s) if R.FIRST_MOVE <= move < R.FIRST_ORDER]
    for seed in range(20):
        trial = s.copy()
        for action in random_turn(GAME, s, int(s.to_move), seed):
            trial = after(GAME, trial, action)
        found.append(trial)
    return found


def squares(alert: Any) -> list[int]:
    """Where the piece of a sentence comes from, and the square that it is about."""
    return [C.SQUARES.index(alert.names[name]) for name in ('by', 'square') if name in alert.names]


def takes(s: State, alert: Any, wins: bool) -> bool:
    start, end = squares(alert)
    enemy, own = int(s['on'][end]), int(s['on'][start])
    s = moved(s, start, end)
    if wins:
        return bool(s.ending and s['winner'] == own // SIDE)
    return bool(s['at'][enemy] < 0 and s['at'][own] >= 0)


def intruders(s: State, seat: int) -> list[int]:
    """Enemies on the first row of a seat."""
    first = range(C.N_FILES) if seat == 0 else range(C.N_SQUARES - C.N_FILES, C.N_SQUARES)
    return [piece for piece in standing(s, 1 - seat) if s['at'][piece] in first]


def take_or_lose(s: State, seat: int, n: float) -> bool:
    """Every turn after which an intruder still stands there loses, unless it wins."""
    ends = [end for end in turns(s) if intruders(end, seat) and not (end.ending and end['winner'] == seat)]
    return len(intruders(s, seat)) == n and all(end.ending and end['winner'] == 1 - seat for end in ends)


def breaks_through(s: State, seat: int, start: int) -> bool:
    """The piece goes to a square of the enemy's first row on which no turn of the enemy takes it."""
    piece = int(s['on'][start])
    ends = [end for end in reach(s, piece, int(s['type'][piece])) if s['on'][end] < 0]
    after_moves = [moved(s, start, end) for end in ends]
    there = [one for one in after_moves if piece in intruders(one, 1 - seat)]
    return any(all(end['at'][piece] >= 0 for end in turns(one)) for one in there)


def attackers(s: State, seat: int, square: int) -> list[int]:
    """The enemies that, by one of the types that they can have, would take the piece on a square."""
    found = []
    for enemy in standing(s, 1 - seat):
        for kind in kinds(s, enemy):
            trial = s.copy()
            trial.to_move, trial.type[enemy] = 1 - seat, kind
            if square in reach(s, enemy, kind) and shield(int(s['type'][s['on'][square]])) <= sword(kind):
                found.append(enemy)
                break
    return found


def hunted(known: State, seat: int, n: float, square: int) -> bool:
    found = attackers(known, seat, commander(known, seat))
    return len(found) == n and int(known['on'][square]) in found


PROOFS: dict[str, Proof] = {
    'wins': lambda a, s, seat: takes(s, a, True),
    'takes': lambda a, s, seat: takes(s, a, False),
    'intruder': lambda a, s, seat: take_or_lose(s, seat, a.numbers['n']),
    'breaks_through': lambda a, s, seat: breaks_through(s, seat, squares(a)[0]),
}
BY_WHAT_IS_KNOWN: dict[str, Proof] = {
    'hunted': lambda a, s, seat: hunted(s, seat, a.numbers['n'], squares(a)[0]),
    'brink': lambda a, s, seat: (
        s['taken'][1 - seat] + 1 == s['capture'] and bool(attackers(s, seat, squares(a)[0]))
    ),
}


def test_alerts_are_true() -> None:
    """In games played by chance, and in games between bots; what enemies may do by all that they can be."""
    assert {*PROOFS, *BY_WHAT_IS_KNOWN} == ALERTS.keys()
    met = set[str]()
    drawn = (choice for case in CASES for seed in range(3) for choice in choices(case, seed))
    for choice in chain(drawn, bot_choices('myrmidons', width(2, 1))):
        known = {
            kind: (lambda a, s, seat, proof=proof, known=choice.view.state: proof(a, known, seat))
            for kind, proof in BY_WHAT_IS_KNOWN.items()
        }
        met |= prove_alerts([choice], PROOFS | known)
    assert met == ALERTS.keys()
