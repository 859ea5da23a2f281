"""Clicks and drags that are no legal action but change what was begun: line-ups and orders."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ludoteca.game import LAID, Game, View
from ludoteca.games.myrmidons import components as C
from ludoteca.games.myrmidons import rules as R
from ludoteca.games.myrmidons.labels import kind_of, square_of
from ludoteca.games.myrmidons.rules import SIDE, UNKNOWN, Phase, State

# the headings that a button tries for its order, as steps away from straight ahead
AHEAD = (0, 1, 7, 2, 6, 3, 5, 4)


def redraft(game: Game, s: State, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:   # noqa: ARG001
    """What a draft becomes if these are clicked, or the last is reached by dragging from the first; None if it means nothing."""
    if not targets or s.ending:
        return None
    answer = None if s.phase == Phase.DEPLOY else _order(s, draft, targets)
    return None if answer is None or answer == tuple(draft) else answer


def legal(s: State) -> set[int]:
    """The legal actions."""
    out = np.empty(R.MAX_LEGAL, np.int32)
    return set(out[:R.legal_actions(s, out)].tolist())


# ---- a line-up ---------------------------------------------------------------------------------------------------------------
# Steps fill the squares in turn; people lay pieces where they like. So the draft goes up to the first gap, and what lies beyond it
# is kept beside it. What was laid is a list of labels in the order in which it was: `d1=2-5-2`, or `a1` for what is in the draft.

def arrange(s: State, draft: Sequence[int], laid: Sequence[str],
            targets: Sequence[str]) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
    """What a line-up becomes if these are clicked, or the last is reached by dragging from the first: its steps up to the first
    gap, and the labels of all that was laid. None if it means nothing."""
    if not targets or s.ending or s.phase != Phase.DEPLOY:
        return None
    line = _line_up(s, draft, laid)
    changed = _changed(s, dict(line), targets)
    if changed is None or list(changed.items()) == list(line.items()):
        return None
    free = free_squares(s)
    gap = next((k for k, square in enumerate(free) if square not in changed), len(free))
    steps = tuple(changed[square] for square in free[:min(gap, len(free) - 1)])         # the last one would seal
    drafted = free[:len(steps)]
    labels = (C.SQUARES[at] if at in drafted else f'{C.SQUARES[at]}={C.TYPES[kind]}' for at, kind in changed.items())
    return steps, tuple(labels)


def free_squares(s: State) -> list[int]:
    """The squares of the mover's line-up that are still to be filled, in turn."""
    seat = int(s.to_move)
    return [int(C.START[seat * SIDE + k]) for k in range(s.placed[seat], s.size)]


def laid_ahead(s: State, labels: Sequence[str]) -> dict[int, int]:
    """What the mover has laid where no step has come yet: type by square, in the order in which it was. Labels that do not fit mean
    nothing."""
    free, left = free_squares(s), s.hand[s.to_move].tolist()
    found: dict[int, int] = {}
    for label in labels:
        name, _, type_ = label.partition('=')
        if type_ not in C.TYPES or name not in C.SQUARES:
            continue
        square, kind = C.SQUARES.index(name), C.TYPES.index(type_)
        if square in free and square not in found and left[kind] > 0:
            found[square] = kind
            left[kind] -= 1
    return found


def with_laid(view: View) -> View:
    """The view of somebody who deploys with what is laid ahead of the steps, as if it was deployed."""
    s = view.state
    if s.phase != Phase.DEPLOY or not view.actions or view.seat != s.to_move:
        return view
    ahead = laid_ahead(s, view.notes.get(LAID, ()))
    if not ahead:
        return view
    state, first = s.copy(), view.seat * SIDE
    for square, kind in ahead.items():
        state.type[first + [int(at) for at in C.START[first:first + SIDE]].index(square)] = kind
        state.hand[view.seat, kind] -= 1
    return replace(view, state=state)


def gaps(s: State, seat: int) -> list[int]:
    """The squares of a line-up on which no piece lies, in turn."""
    first = seat * SIDE
    return [int(C.START[piece]) for piece in range(first, first + int(s.size)) if s.type[piece] == UNKNOWN]


def _line_up(s: State, draft: Sequence[int], laid: Sequence[str]) -> dict[int, int]:
    """Types by square, in the order in which they were laid."""
    drafted, now = dict(zip(free_squares(s), draft, strict=False)), s.copy()
    for action in draft:
        R.apply(now, action)
    known = drafted | laid_ahead(now, laid)
    order = [square for label in laid if (square := square_of(s, label.partition('=')[0])) in known]
    return {square: known[square] for square in dict.fromkeys([*order, *known])}


def _changed(s: State, line: dict[int, int], targets: Sequence[str]) -> dict[int, int] | None:
    """A placed piece changes places with another, goes to a free square, or returns to the hand by a click or a drag; one from the
    hand goes to a free square or takes the place of a placed one, which returns to the hand."""
    if targets[0] == 'do:clear':
        return {}
    if targets[0] == 'do:undo':
        return dict(list(line.items())[:-1])
    free, kind = free_squares(s), kind_of(targets[0])
    start, end = square_of(s, targets[0]), square_of(s, targets[-1])
    if kind >= 0:
        if len(targets) < 2 or end not in free or list(line.values()).count(kind) >= s.hand[s.to_move, kind]:
            return None
        line.pop(end, None)
        line[end] = kind
    elif start not in line:
        return None
    elif targets[-1].startswith('el:hand') or start == end:
        del line[start]
    elif end in line:
        line[start], line[end] = line[end], line[start]
    elif end in free:
        line[end] = line.pop(start)
    else:
        return None
    lacks = s.hand[s.to_move, C.COMMANDER] > 0 and C.COMMANDER not in line.values()
    return None if lacks and len(line) == len(free) else line


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
