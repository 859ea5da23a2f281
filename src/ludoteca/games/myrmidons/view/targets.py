"""Clicks in Myrmidons: targets of actions, pencil marks, changes of line-ups and orders, sentences about
clicks without effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ludoteca.drawing.geometry import Point
from ludoteca.drawing.svg import pair, translate
from ludoteca.game import Ghost, Target, View, refusals

from .. import components as C
from .. import rules as R
from ..notation import action_name, decode, friend_action
from ..rules import SIDE, Phase, State
from . import symbols as S
from .facts import (
    PIECE_OF_ID,
    free_squares,
    friends_of,
    heading_words,
    headings_of,
    kind_of,
    kinds_in,
    laid_ahead,
    moves_of,
    piece_id,
    player_word,
    say,
    square_of,
    step,
)
from .symbols import HEIGHT, WIDTH, square_centre

RULES = {
    'sealed': 'setting-up',
    'own_rows': 'setting-up',
    'leaderless': 'giving-an-order',
    'no_order_there': 'giving-an-order',
    'no_order': 'giving-an-order',
    'leader_goes_one': 'giving-an-order',
    'not_beside': 'giving-an-order',
    'front_first': 'giving-an-order',
    'friend_goes': 'giving-an-order',
    'friend_goes_one': 'giving-an-order',
    'friend_blocked': 'giving-an-order',
    'stuck': 'moving-a-piece',
    'friend_there': 'moving-a-piece',
    'not_straight': 'moving-a-piece',
    'too_far': 'moving-a-piece',
    'too_far_one': 'moving-a-piece',
    'in_the_way': 'moving-a-piece',
}
"""Refusals that tell a rule -> its chapter or paragraph in the rulebook."""
why = refusals(say, RULES)

# the headings that a button tries for its order, as steps away from straight ahead
AHEAD = (0, 1, 7, 2, 6, 3, 5, 4)
ANY = '?'  # a pencil mark of one's own


# ---- what to click -----------------------------------------------------------------------------------------


class Reading(NamedTuple):
    """What targets read out of a state, as plain numbers."""

    s: State
    to_move: int
    on: list[int]  # [square] -> the piece there, -1 if there is none
    type: list[int]  # [piece]
    heading: int
    colours: Sequence[str]

    @classmethod
    def of(cls, s: State, colours: Sequence[str]) -> Reading:
        """What is read once for many targets."""
        return cls(s, int(s.to_move), s.on.tolist(), s.type.tolist(), int(s.heading), colours)

    def place(self, square: int) -> Point:
        """The middle of a square as the seat to move sees it."""
        x, y = square_centre(square)
        return (WIDTH - x, HEIGHT - y) if self.to_move == 1 else (x, y)


def targets(s: State, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
    """The clicks of a legal action, in order: a type in hand and its square; a piece and the end of its move;
    the Commander and the arrow of an order; the button that carries an order out."""
    return _targets(Reading.of(s, colours), action)


def named_targets(
    s: State, actions: Sequence[int], colours: Sequence[str] = ()
) -> Iterator[tuple[str, tuple[Target, ...]]]:
    """The name of each action, and its clicks."""
    seen = Reading.of(s, colours)
    for action in actions:
        yield action_name(s, action), _targets(seen, action)


def _targets(seen: Reading, action: int) -> tuple[Target, ...]:
    s, to_move = seen.s, seen.to_move
    match decode(action):
        case 'deploy', (kind,):
            square = C.START[to_move * SIDE + int(s.placed[to_move])]
            ghost = Ghost(S.face_name(seen.colours, to_move, kind), translate(*seen.place(square)))
            return Target(f'el:hand-{C.TYPES[kind]}'), Target(f'el:sq-{C.SQUARES[square]}', ghost)
        case 'move', (start, end):
            return _going(seen, start, end)
        case 'order', (heading,):
            leader = seen.on[R.leader_square(s, to_move)]
            return Target(f'el:{piece_id(leader)}'), Target(f'el:way-{C.HEADINGS[heading]}')
        case 'friend', (square, steps):
            return _going(seen, square, step(square, seen.heading, steps))
        case name, _:
            return (Target(f'do:{name}'),)


def _going(seen: Reading, start: int, end: int) -> tuple[Target, ...]:
    """A piece, and the square or the enemy to which it goes."""
    piece, other = seen.on[start], seen.on[end]
    way = _way(start, end)
    if other >= 0 and other // SIDE != seen.to_move:
        near = seen.place(step(end, int(C.HEADING_TO[start, end]), -1))
        x, y = seen.place(end)
        between = translate((3 * x + 2 * near[0]) / 5, (3 * y + 2 * near[1]) / 5)
        ghost = Ghost(S.name('crossed'), between, path=way)
        return Target(f'el:{piece_id(piece)}'), Target(f'el:{piece_id(other)}', ghost)
    face = S.face_name(seen.colours, piece // SIDE, seen.type[piece])
    ghost = Ghost(face, translate(*seen.place(end)), path=way)
    return Target(f'el:{piece_id(piece)}'), Target(f'el:sq-{C.SQUARES[end]}', ghost)


@lru_cache(maxsize=C.N_SQUARES**2)
def _way(start: int, end: int) -> str:
    """A move from square to square, as path data."""
    return f'M{pair(*square_centre(start))}L{pair(*square_centre(end))}'


def pencils(view: View, element: str) -> tuple[str, ...]:
    """The pencil marks for an unknown enemy: the Commander, the types of its army, a question mark."""
    s, piece = view.state, PIECE_OF_ID.get(element, -1)
    if (
        piece < 0
        or view.seat < 0
        or piece // SIDE == view.seat
        or s.at[piece] < 0
        or s.type[piece] >= 0
        or s.phase == Phase.DEPLOY
    ):
        return ()
    kinds = kinds_in(int(s.pool[piece // SIDE]))
    return (*(say('pencil.commander') if kind == C.COMMANDER else C.TYPES[kind] for kind in kinds), ANY)


# ---- a line-up ---------------------------------------------------------------------------------------------

# Steps fill the squares in turn; people lay pieces where they like. So the draft goes up to the first gap,
# and what lies beyond it is kept beside it. What was laid is a list of labels in the order of laying:
# `d1=2-5-2`, or `a1` for a piece of the draft.


def arrange(
    s: State, draft: Sequence[int], laid: Sequence[str], targets: Sequence[str]
) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
    """The line-up after a click on these targets, or after a drag from the first to the last: its steps up to
    the first gap, and the labels of all pieces laid. None if the click means nothing."""
    if not targets or s.ending or s.phase != Phase.DEPLOY:
        return None
    line = _line_up(s, draft, laid)
    changed = _changed(s, dict(line), targets)
    if changed is None or list(changed.items()) == list(line.items()):
        return None
    free = free_squares(s)
    gap = next((k for k, square in enumerate(free) if square not in changed), len(free))
    # the last step would seal the line-up
    steps = tuple(changed[square] for square in free[: min(gap, len(free) - 1)])
    drafted = free[: len(steps)]
    labels = (
        C.SQUARES[at] if at in drafted else f'{C.SQUARES[at]}={C.TYPES[kind]}' for at, kind in changed.items()
    )
    return steps, tuple(labels)


def _line_up(s: State, draft: Sequence[int], laid: Sequence[str]) -> dict[int, int]:
    """Types by square, in the order in which they were laid."""
    drafted, now = dict(zip(free_squares(s), draft, strict=False)), s.copy()
    for action in draft:
        R.apply(now, action)
    known = drafted | laid_ahead(now, laid)
    order = [square for label in laid if (square := square_of(s, label.partition('=')[0])) in known]
    return {square: known[square] for square in dict.fromkeys([*order, *known])}


def _changed(s: State, line: dict[int, int], targets: Sequence[str]) -> dict[int, int] | None:
    """A placed piece changes places with another, goes to a free square, or returns to the hand by a click or
    a drag; one from the hand goes to a free square or takes the place of a placed one, which returns to the
    hand."""
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


# ---- an order ----------------------------------------------------------------------------------------------


def redraft(s: State, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:
    """The draft after a click on these targets, or after a drag from the first to the last; None if the click
    means nothing."""
    if not targets or s.ending:
        return None
    answer = None if s.phase == Phase.DEPLOY else _order(s, draft, targets)
    return None if answer is None or answer == tuple(draft) else answer


def legal(s: State) -> set[int]:
    """The legal actions."""
    out = np.empty(R.MAX_LEGAL, np.int32)
    return set(out[: R.legal_actions(s, out)].tolist())


def _order(s: State, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:
    """The plan of an order: its heading changes, a friend goes further or less far, joins, or stays after
    all."""
    leader = R.leader_square(s, int(s.to_move))
    if leader < 0:
        return None
    heading, plan = next(iter(headings_of(draft)), -1), friends_of(draft)
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
    if (
        start < 0
        or start == leader
        or not C.ROUND[leader] >> start & 1
        or s.on[start] < 0
        or s.on[start] // SIDE != s.to_move
    ):
        return None
    # pulled off its line: it stays
    if start == end or end < 0 or C.HEADING_TO[start, end] != heading:
        if plan.pop(start, None) is None or (plan and start == leader + C.OFFSET[heading]):
            return None  # it did not go anyway, or it must make way for the Commander
        return _planned(s, leader, heading, plan)
    plan[start] = int(C.STEPS_TO[start, end])
    changed = _planned(s, leader, heading, plan)
    return changed if changed is not None and friend_action(start, plan[start]) in changed else None


def _begun(s: State, leader: int) -> tuple[int, ...] | None:
    """An order in the heading nearest to straight ahead."""
    ahead = 0 if s.to_move == 0 else 4
    headings = [(ahead + turn) % 8 for turn in AHEAD]
    return next(
        (
            (R.FIRST_ORDER + heading,)
            for heading in headings
            if R.can_order(s, int(s.to_move), leader, heading)
        ),
        None,
    )


def _planned(s: State, leader: int, heading: int, plan: Mapping[int, int]) -> tuple[int, ...] | None:
    """The draft of a plan, front to back. A friend that cannot go so far goes as far as it can. The friend
    before the Commander goes along if any other does, since it has to make way."""
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
        steps = next((n for n in range(wanted[square], 0, -1) if friend_action(square, n) in able), 0)
        if steps:
            actions.append(friend_action(square, steps))
            R.apply(state, actions[-1])
    return tuple(actions)


# ---- why not -----------------------------------------------------------------------------------------------


def why_not(view: View, targets: Sequence[str]) -> str:
    """One sentence: why these targets make no action now."""
    s = view.state
    if s.ending:
        return why('why.over')
    if not view.actions:
        if s.phase == Phase.DEPLOY:
            return why('why.watching_deploy' if view.seat < 0 else 'why.sealed')
        return why(
            'why.watching' if view.seat < 0 else 'why.not_your_turn',
            player=player_word(int(s.to_move), view.names),
        )
    squares = [square for square in (square_of(s, target) for target in targets) if square >= 0]
    if s.phase == Phase.DEPLOY:
        return _why_not_deploy(view, targets, squares)
    if targets and targets[-1].startswith(('do:order', 'el:way')):
        return _why_no_order(view, targets)
    if s.phase == Phase.ORDER:
        return _why_not_friend(view, squares)
    return _why_not_move(view, squares)


def _why_not_deploy(view: View, targets: Sequence[str], squares: Sequence[int]) -> str:
    s = view.state
    own = [C.START[view.seat * SIDE + k] for k in range(s.size)]
    if targets and targets[0].startswith('el:hand-'):
        return why('why.commander_last' if squares and squares[-1] in own else 'why.choose_square')
    return why('why.choose_type' if squares and squares[-1] in own else 'why.own_rows')


def _why_no_order(view: View, targets: Sequence[str]) -> str:
    s = view.state
    leader = R.leader_square(s, int(s.to_move))
    if leader < 0:
        return why('why.leaderless')
    heading = targets[-1].removeprefix('el:way-')
    if heading in C.HEADINGS:
        return why('why.no_order_there', heading=heading_words(C.HEADINGS.index(heading)))
    return why(
        'why.choose_heading' if headings_of(view.actions) or s.phase == Phase.ORDER else 'why.no_order'
    )


def _why_not_friend(view: View, squares: Sequence[int]) -> str:
    s = view.state
    leader, heading = R.leader_square(s, int(s.to_move)), int(s.heading)
    front = R.must_go(s, leader)
    start = next(
        (square for square in squares if s.on[square] >= 0 and s.on[square] // SIDE == s.to_move), -1
    )
    if start < 0:
        key = 'why.friend_or_go' if R.GO in view.actions else 'why.choose_friend'
        return why(key, heading=heading_words(heading))
    if start == leader:
        return why('why.leader_goes_one')
    if not C.ROUND[leader] >> start & 1:
        return why('why.not_beside', square=C.SQUARES[start])
    if front >= 0 and start != front:
        return why('why.front_first', square=C.SQUARES[front])
    most = friends_of(view.actions).get(start, 0)
    if most:
        key = 'why.friend_goes_one' if most == 1 else 'why.friend_goes'
        return why(key, square=C.SQUARES[start], n=most, heading=heading_words(heading))
    return why('why.friend_blocked', square=C.SQUARES[start], heading=heading_words(heading))


def _why_not_move(view: View, squares: Sequence[int]) -> str:
    s = view.state
    if not squares or s.on[squares[0]] < 0:
        return why('why.choose_piece')
    start = squares[0]
    piece, name = int(s.on[start]), C.SQUARES[start]
    if piece // SIDE != s.to_move:
        return why('why.enemy', square=name)
    ends = moves_of(view.actions).get(start, [])
    if not ends:
        return why('why.stuck', square=name)
    if len(squares) < 2 or squares[-1] == start:
        return why('why.choose_end', square=name)
    end = squares[-1]
    if s.on[end] >= 0 and s.on[end] // SIDE == s.to_move:
        return why('why.friend_there', end=C.SQUARES[end])
    if C.HEADING_TO[start, end] < 0:
        return why('why.not_straight', square=name, end=C.SQUARES[end])
    movement = C.MOVEMENT[int(s.type[piece])]
    if C.STEPS_TO[start, end] > movement:
        key = 'why.too_far_one' if movement == 1 else 'why.too_far'
        return why(key, square=name, n=movement, end=C.SQUARES[end])
    return why('why.in_the_way', square=name, end=C.SQUARES[end])
