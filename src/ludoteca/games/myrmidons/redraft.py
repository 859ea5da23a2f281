"""Clicks and drags that are no legal action but change what was begun: line-ups and orders."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ludoteca.game import Game, State, committed
from ludoteca.games.myrmidons import components as C
from ludoteca.games.myrmidons import rules as R
from ludoteca.games.myrmidons.labels import kind_of, square_of
from ludoteca.games.myrmidons.rules import SIDE, Phase

# the headings that a button tries for its order, as steps away from straight ahead
AHEAD = (0, 1, 7, 2, 6, 3, 5, 4)


def redraft(game: Game, s: State, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:   # noqa: ARG001
    """What a draft becomes if these are clicked, or the last is reached by dragging from the first; None if it means nothing."""
    if not targets or s.ending:
        return None
    answer = _line_up(s, draft, targets) if s.phase == Phase.DEPLOY else _order(s, draft, targets)
    return None if answer is None or answer == tuple(draft) else answer


def legal(s: State) -> set[int]:
    """The legal actions."""
    out = np.empty(R.MAX_LEGAL, np.int32)
    return set(out[:R.legal_actions(s, out)].tolist())


# ---- a line-up ---------------------------------------------------------------------------------------------------------------

def _line_up(s: State, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:
    """Types by the squares of the own rows: a placed piece changes places with another; one from the hand takes the place of a
    placed one, which returns to the hand, or goes to the next free square; the last one placed returns to the hand by a click."""
    seat, placed = int(s.to_move), list(draft)
    own = [C.START[seat * SIDE + k] for k in range(s.placed[seat], s.size)]
    squares = [square_of(s, target) for target in targets]
    start = own.index(squares[0]) if squares[0] in own else -1
    end = own.index(squares[-1]) if squares[-1] in own else -1
    kind = kind_of(targets[0])
    if kind >= 0:
        if len(targets) < 2 or end < 0:
            return None
        placed[end:end + 1] = [kind]
    elif start < 0 or start >= len(placed):
        return None
    elif len(targets) > 1 and targets[-1].startswith('el:hand'):
        placed[start:] = []
    elif len(targets) < 2 or start == end:
        if start != len(placed) - 1:
            return None
        placed.pop()
    elif end < 0 or end >= len(placed):
        placed.append(placed.pop(start)) if end >= 0 else None
    else:
        placed[start], placed[end] = placed[end], placed[start]
    return _kept(s, placed)


def _kept(s: State, actions: Sequence[int]) -> tuple[int, ...]:
    """The actions in turn, without those that are not legal and the one that would commit."""
    state, found = s.copy(), []
    for action in actions:
        if action not in legal(state):
            continue
        before = state.copy()
        R.apply(state, action)
        if committed(before, state):
            break
        found.append(action)
    return tuple(found)


# ---- an order ----------------------------------------------------------------------------------------------------------------

def _order(s: State, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:
    """The plan of an order: its heading changes, a friend goes further or less far, joins, or stays after all."""
    leader = R.leader_square(s, int(s.to_move))
    if leader < 0:
        return None
    heading = draft[0] - R.FIRST_ORDER if draft and R.FIRST_ORDER <= draft[0] < R.FIRST_FRIEND else -1
    friends = dict(divmod(action - R.FIRST_FRIEND, C.MOST_STEPS) for action in draft[1:]) if heading >= 0 else {}
    plan = {square: steps + 1 for square, steps in friends.items()}
    last = targets[-1].removeprefix('el:')
    if last == 'do:order':
        return None if heading >= 0 else _begun(s, leader)
    if last.removeprefix('way-') in C.HEADINGS:
        heading = C.HEADINGS.index(last.removeprefix('way-'))
        return _planned(s, leader, heading, plan)
    if heading < 0:
        return None
    squares = [square_of(s, target) for target in targets]
    start, end = squares[0], squares[-1]
    if start < 0 or start == leader or not C.ROUND[leader] >> start & 1 or s.on[start] < 0 or s.on[start] // SIDE != s.to_move:
        return None
    if start == end or end < 0 or C.HEADING_TO[start, end] != heading:          # pulled off its line: it stays
        if plan.pop(start, None) is None or (plan and start == leader + C.OFFSET[heading]):
            return None                         # it did not go anyway; or it must make way for the Commander
        return _planned(s, leader, heading, plan)
    plan[start] = int(C.STEPS_TO[start, end])
    changed = _planned(s, leader, heading, plan)
    return changed if changed is not None and _named(start, plan[start]) in changed else None


def _begun(s: State, leader: int) -> tuple[int, ...] | None:
    """An order in the heading nearest to straight ahead."""
    ahead = 0 if s.to_move == 0 else 4
    headings = [(ahead + turn) % 8 for turn in AHEAD]
    return next(((R.FIRST_ORDER + heading,) for heading in headings if R.can_order(s, int(s.to_move), leader, heading)), None)


def _named(square: int, steps: int) -> int:
    return R.FIRST_FRIEND + square * C.MOST_STEPS + steps - 1


def _planned(s: State, leader: int, heading: int, plan: Mapping[int, int]) -> tuple[int, ...] | None:
    """The draft of a plan, front to back. Whoever cannot go so far goes as far as it can; the friend before the Commander goes
    along if anybody else does, since it has to make way."""
    if R.FIRST_ORDER + heading not in legal(s):
        return None
    state, actions = s.copy(), [R.FIRST_ORDER + heading]
    R.apply(state, actions[0])
    wanted = dict(plan)
    front = R.must_go(state, leader)
    if front >= 0 and front not in wanted and wanted:
        wanted[front] = 1
    for square in sorted(wanted, key=lambda square: C.ORDER[heading][square]):
        able = legal(state)
        steps = next((n for n in range(wanted[square], 0, -1) if _named(square, n) in able), 0)
        if steps:
            actions.append(_named(square, steps))
            R.apply(state, actions[-1])
    return tuple(actions)
