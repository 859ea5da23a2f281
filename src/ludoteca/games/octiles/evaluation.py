"""What a position of Octiles is worth: `estimate` and `foresee` for the search, and the fixed `yardstick`
that bots are measured against."""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import numpy as np

from ludoteca.kernel import Array, Floats, Ints, Record, field, kernel, lowest_bit
from ludoteca.kernel.shares import share_out

from . import components as C
from . import rules
from .rules import (
    CIRCLES,
    EXITS,
    FIRST_MOVE,
    FIRST_POST,
    LINK,
    MATCH,
    N_EXITS,
    N_POSTS,
    N_SPACES,
    N_STOPS,
    SIDE_OF,
    STATE,
    STOP_BITS,
    STUCK,
    Ending,
    State,
    apply,
    end_of_path,
    goal_side,
    home_side,
    lay,
    move_runner,
    must_leave_home,
    outcome,
    own_stop,
    step,
    top_tile,
)

# The middles of a space's edges (N, NE, E, ...) seen from its centre, in spacings of neighbouring spaces.
_EDGE_XY = (
    (0.0, 0.5),
    (0.25, 0.25),
    (0.5, 0.0),
    (0.25, -0.25),
    (0.0, -0.5),
    (-0.25, -0.25),
    (-0.5, 0.0),
    (-0.25, 0.25),
)
_PLACE_XY = np.array(
    [np.add(C.SPACE_XY[space], xy) for space in C.SPACES for xy in _EDGE_XY]
    + [C.POST_XY[post] for post in C.POSTS]
)
_CIRCLE_XY = np.array([C.POST_XY[post] for post in C.CIRCLES]).reshape(4, 5, 2)
_APART = np.hypot(*np.moveaxis(_PLACE_XY[:, None, None] - _CIRCLE_XY, -1, 0))  # [place, side, circle]
# [circles taken, as bits][circle]
_TAKEN = np.arange(32)[:, None] >> np.arange(5) & 1

# [side][its circles that are taken, as bits][place] -> straight distance to the nearest other circle of the
# side, in spacings of neighbouring spaces; 0 if all are taken
NEAREST = np.array(
    [[np.where(taken, np.inf, _APART[:, side]).min(1) for taken in _TAKEN] for side in range(4)]
)
NEAREST[:, 31] = 0.0

BLOCKED = 1e9  # distance left where a runner may not end
NO_PLACE = FIRST_POST + N_POSTS  # where paths end that do not exist, so that every post has four
NEAREST = np.pad(NEAREST, ((0, 0), (0, 0), (0, 1)), constant_values=BLOCKED)
WAYS = np.where(EXITS < 0, NO_PLACE, EXITS)  # [post, k] -> place where its k-th path begins


# ---- estimate ----------------------------------------------------------------------------------------------

# What decides: the runners not home yet, the distance they have to go, the part of it that their best paths
# cover as the tiles lie, and how soon the seat moves (1: now, 0: last). Fitted to the outcomes of 1,002 / 470
# / 350 games of 2 / 3 / 4 players, in which searches of 500 or 1,000 simulations with an earlier estimate
# played each other and 0-15 % of the steps were random: multinomial logistic regression over 37,622 / 28,001
# / 20,273 positions. With two players the cross-validated loss is 0.5839; without paths it is 0.5868, without
# the scale of `estimate` 0.5923, with runners home and distances alone 0.6054.
WEIGHTS = np.array(
    [
        [0.0] * 4,
        [0.0] * 4,
        # [players]
        [2.464, 1.716, 0.579, 1.414],
        [1.217, 0.730, 0.250, 0.740],
        [1.369, 1.027, 0.663, 1.302],
    ]
)
# [players, turns until it moves] -> how soon a seat moves
SOONER = np.array([[1.0 - k / max(1, players - 1) for k in range(4)] for players in range(5)])
# an arrival costs about as much time as this distance: runners must end exactly on a circle
ARRIVAL = 1.4


@kernel
def estimate(s: State, out: Floats) -> None:
    """The expected outcome of the race. The more there is left to go, the less an advantage is worth:
    differences are divided by the root of what is left, as in a random walk."""
    if s.ending:
        outcome(s, out)
        return
    players, left_to_go = int(s.players), 0.0
    for seat in range(players):
        goal = goal_side(s, seat)
        first = N_STOPS + 5 * goal
        taken, away = 0, 0
        for i in range(s.n_runners):
            post = int(s.runner[seat, i])
            at_goal = int(SIDE_OF[post] == goal)
            away += 1 - at_goal
            taken |= at_goal << ((post - first) & 31)
        free = ~s.occupied & (STOP_BITS | CIRCLES[goal])
        distance, covered = 0.0, 0.0
        for i in range(s.n_runners):
            post = int(s.runner[seat, i])
            if SIDE_OF[post] == goal:
                continue
            apart = NEAREST[goal, taken, FIRST_POST + post]
            a, b, c, d = ends_of_paths(s, post)
            one = min(left_at(goal, taken, free, a), left_at(goal, taken, free, b))
            two = min(left_at(goal, taken, free, c), left_at(goal, taken, free, d))
            distance += apart
            covered += apart - min(apart, min(one, two))
        left_to_go += distance + ARRIVAL * away
        out[seat] = weigh(players, away, distance, covered, sooner(s, seat))
    scale, total = 1.0 / sqrt(1.0 + left_to_go / players), 0.0
    for seat in range(players):
        out[seat] = exp(out[seat] * scale)
        total += out[seat]
    for seat in range(players):
        out[seat] /= total


@kernel
def ends_of_paths(s: State, post: int) -> tuple[int, int, int, int]:
    """The places where the four paths from a post end: a post, or an edge of a space without a tile. Four
    paths at once take little longer than one, since no step waits for one of another path."""
    a, b, c, d = int(WAYS[post, 0]), int(WAYS[post, 1]), int(WAYS[post, 2]), int(WAYS[post, 3])
    while True:
        a, b, c, d = step(s, a), step(s, b), step(s, c), step(s, d)
        a, b, c, d = step(s, a), step(s, b), step(s, c), step(s, d)
        a, b, c, d = step(s, a), step(s, b), step(s, c), step(s, d)
        a, b, c, d = step(s, a), step(s, b), step(s, c), step(s, d)
        if (a ^ step(s, a)) | (b ^ step(s, b)) | (c ^ step(s, c)) | (d ^ step(s, d)) == 0:
            return a, b, c, d


@kernel
def left_at(goal: int, taken: int, free: int, place: int) -> float:
    """The distance left to a runner whose path ends at a place; BLOCKED if it may not end there. The table is
    read in any case: a branch that nobody could foresee costs more."""
    may_end = int(place < FIRST_POST) | free >> (place - FIRST_POST & 63) & 1
    left = NEAREST[goal, taken, place]
    return left if may_end else BLOCKED


@kernel
def sooner(s: State, seat: int) -> float:
    """How soon a seat moves: 1 now, 0 last."""
    turns = seat - s.to_move
    return SOONER[s.players, turns + s.players if turns < 0 else turns]


@kernel
def weigh(players: int, away: int, distance: float, covered: float, soon: float) -> float:
    """How well a seat stands in the race."""
    return (
        WEIGHTS[players, 2] * covered
        + WEIGHTS[players, 3] * soon
        - WEIGHTS[players, 0] * away
        - WEIGHTS[players, 1] * distance
    )


# ---- foresee -----------------------------------------------------------------------------------------------

ANYWHERE = -1  # all posts, as bits
ALL_POSTS = (1 << N_POSTS) - 1
NOBODY = 32  # the runner at places where there is none
ALL_RUNNERS = (1 << NOBODY) - 1
MOST_PATHS = 20  # of a seat: five runners with four paths
MOST_RUNS = 256  # that are noted before they are settled


class Outlook(Record):
    """What `foresee` notes of a position. A path is numbered 4 * post + k by the k-th exit of the post where
    it begins, a runner seat * 8 + i. Runners at home have no paths."""

    # of the position before the action
    post_of: Array = field('u1', 32)  # [runner] -> post
    runner_at: Array = field(
        'i1', NO_PLACE + 1
    )  # [place] -> runner, NOBODY if there is none or it is at home
    own_ends: Array = field('i8', 4)  # [seat] -> posts where its runners may end if these are free, as bits
    taken: Array = field('i8', 4)  # [seat] -> home circles taken by its runners, as bits
    away: Array = field('i8', 4)  # [seat] -> its runners not at home, as bits
    apart: Array = field('f8', 32)  # [runner] -> distance to the nearest free home circle
    left_to_go: float = field('f8')  # by all runners
    per_away: float = field('f8')  # the weights of this number of players
    per_distance: float = field('f8')
    per_covered: float = field('f8')
    # [seat, place] -> distance left to a runner whose path ends there; BLOCKED: it may not
    left: Array = field('f8', (4, NO_PLACE + 1))
    # [seat, place] -> the same of posts if nobody stood there
    left_if_free: Array = field('f8', (4, NO_PLACE + 1))
    # [path, space] -> 1 + the edge where it enters first, 0 if it does not
    enters: Array = field('u1', (4 * N_POSTS, N_SPACES))
    # [space] -> runners' paths that enter it, those of the seat to move first
    entries: Array = field('u1', (N_SPACES, 80))
    n_entries: Array = field('u1', N_SPACES)
    n_own_entries: Array = field('u1', N_SPACES)  # those of the seat to move
    end_before: Array = field('u1', 4 * N_POSTS)  # [path] -> place where it ends
    gained_before: Array = field('f8', 32)  # [runner] -> the most of its distance that a path covers
    standing_before: Array = field('f8', 4)  # [seat] -> how well it stands
    # of the space looked at
    beyond: Array = field('u1', 8)  # [edge] -> place where the way out of it ends
    winding: int = field('i1')  # does a way out come back to the space?
    crossing: int = field('i8')  # runners with a path that enters it, as bits
    # of the position with the tile tried
    through: Array = field('u1', 9)  # [1 + edge by which a path enters] -> place where it ends
    end: Array = field('u1', 4 * N_POSTS)  # [path of a runner] -> place where it ends
    gained: Array = field('f8', 32)
    standing: Array = field('f8', 4)
    # runs noted, for `settle`: the placements that they follow, how well each seat then stands, and how far
    # all runners have to go
    n_runs: int = field('i8')
    follows: Array = field('i4', MOST_RUNS)
    after: Array = field('f8', (4, MOST_RUNS))
    to_go: Array = field('f8', MOST_RUNS)
    scale: Array = field('f8', MOST_RUNS)
    others: Array = field('f8', MOST_RUNS)


OUTLOOK = Outlook.DTYPE


@kernel
def trace(s: State, view: Outlook, place: int, path: int, listed: int) -> None:
    """Follow a path from its first place; note where it ends and where it enters each space first, and if
    `listed` is 1, the path in the list of the space."""
    seen = 0
    while place < FIRST_POST:
        space, first = place >> 3, 1 - (seen >> (place >> 3) & 1)
        n = int(view.n_entries[space])
        view.entries[space, n] = path
        view.n_entries[space] = n + (listed & first)
        view.enters[path, space] += first * (1 + (place & 7))
        seen |= 1 << space
        following = step(s, place)
        if following == place:
            break
        place = following
    view.end_before[path] = place


@kernel
def trace_all(s: State, view: Outlook, post: int, listed: int) -> None:
    """Follow the paths from a post."""
    for path in range(4 * post, 4 * post + N_EXITS[post]):
        trace(s, view, int(EXITS[post, path & 3]), path, listed)
    for path in range(4 * post + N_EXITS[post], 4 * post + 4):
        view.end_before[path] = NO_PLACE


@kernel
def look_out(s: State, view: Outlook) -> None:
    """Note what all runners have before them, and where the paths from free stops lead."""
    players = int(s.players)
    view.n_entries[:] = 0
    view.enters[:] = 0
    view.runner_at[:] = NOBODY
    view.left_to_go = 0.0
    view.per_away, view.per_distance = WEIGHTS[players, 0], WEIGHTS[players, 1]
    view.per_covered = WEIGHTS[players, 2]
    for k in range(players):
        seat = (s.to_move + k) % players
        goal = goal_side(s, seat)
        own_ends, taken, away, n_away, distance = STOP_BITS | CIRCLES[goal], 0, 0, 0, 0.0
        for i in range(s.n_runners):
            post = int(s.runner[seat, i])
            at_goal = int(SIDE_OF[post] == goal)
            away |= (1 - at_goal) << i
            n_away += 1 - at_goal
            taken |= at_goal << ((post - N_STOPS - 5 * goal) & 31)
        for place in range(FIRST_POST):
            view.left[seat, place] = NEAREST[goal, taken, place]
        for post in range(N_POSTS):
            left = NEAREST[goal, taken, FIRST_POST + post] if own_ends >> post & 1 else BLOCKED
            view.left_if_free[seat, FIRST_POST + post] = left
            view.left[seat, FIRST_POST + post] = BLOCKED if s.occupied >> post & 1 else left
        view.left[seat, NO_PLACE] = BLOCKED
        covered = 0.0
        for i in range(s.n_runners):
            post, runner = int(s.runner[seat, i]), 8 * seat + i
            view.post_of[runner] = post
            if away >> i & 1:
                view.runner_at[FIRST_POST + post] = runner
                view.apart[runner] = NEAREST[goal, taken, FIRST_POST + post]
                distance += view.apart[runner]
                trace_all(s, view, post, 1)
                for path in range(4 * post, 4 * post + 4):
                    view.end[path] = view.end_before[path]
                gained = most_covered(view, runner, post)
                view.gained_before[runner] = gained
                view.gained[runner] = gained
                covered += gained
        view.own_ends[seat], view.taken[seat], view.away[seat] = own_ends, taken, away
        view.left_to_go += distance + ARRIVAL * n_away
        if k == 0:
            for place in range(len(view.n_entries)):  # a copied array takes longer to compile
                view.n_own_entries[place] = view.n_entries[place]
        soon = SOONER[players, (k if k else players) - 1]  # of the position after the action
        view.standing_before[seat] = weigh(players, n_away, distance, covered, soon)
    for post in range(N_STOPS):
        if not s.occupied >> post & 1:
            trace_all(s, view, post, 0)


@kernel
def most_covered(view: Outlook, runner: int, post: int) -> float:
    """The most of its distance that a path covers which a runner at a post has before it."""
    seat, path = runner >> 3, 4 * post
    one = min(view.left[seat, int(view.end[path])], view.left[seat, int(view.end[path + 1])])
    two = min(view.left[seat, int(view.end[path + 2])], view.left[seat, int(view.end[path + 3])])
    return view.apart[runner] - min(view.apart[runner], min(one, two))


@kernel
def note_run(s: State, view: Outlook, space: int, goal: int, own: int, start: int, end: int) -> bool:
    """Note what `estimate` asks of the position after a run of the seat to move over the tile tried in a
    space. Other runners change only if a path of theirs ends where the run begins or ends: then a path of
    its own leads from there to the runner. Those of the seat itself also change if it takes a home circle.
    True if the run wins the game, which needs no note."""
    mover, taken, n = own >> 3, 0, int(view.n_runs)
    if SIDE_OF[end] == goal:
        if view.away[mover] == 1 << (own & 7):
            return True
        taken = int(view.taken[mover]) | 1 << (end - N_STOPS - 5 * goal)
    for seat in range(4):
        view.after[seat, n] = view.standing[seat]
    for seat in range(4):
        view.left[seat, FIRST_POST + start] = view.left_if_free[seat, FIRST_POST + start]
        view.left[seat, FIRST_POST + end] = BLOCKED
    path = 4 * (start & 63)
    changed = 1 << int(view.runner_at[view.end[path]]) | 1 << int(view.runner_at[view.end[path + 1]])
    changed |= 1 << int(view.runner_at[view.end[path + 2]]) | 1 << int(view.runner_at[view.end[path + 3]])
    further, covered = -view.apart[own], -view.gained[own]
    if taken:
        changed |= int(view.away[mover]) << 8 * mover
    else:
        apart = view.left_if_free[mover, FIRST_POST + end]
        left = apart
        for path in range(4 * (end & 63), 4 * (end & 63) + 4):
            edge, place = int(view.enters[path, space]), int(view.end_before[path])
            beyond = int(view.through[edge])
            place = beyond if edge else place
            left = min(left, view.left[mover, place])
            changed |= 1 << int(view.runner_at[place])
        further += apart
        covered += apart - left
    own_team = 255 << 8 * mover
    others, team = changed & ALL_RUNNERS & ~own_team, changed & own_team & ~(1 << own)
    while others:
        runner = lowest_bit(others)
        others &= others - 1
        gained = most_covered(view, runner, int(view.post_of[runner]))
        view.after[runner >> 3, n] += view.per_covered * (gained - view.gained[runner])
    while team:
        runner = lowest_bit(team)
        team &= team - 1
        post = int(view.post_of[runner])
        if taken:
            apart = NEAREST[goal, taken, FIRST_POST + post]
            left = apart
            for path in range(4 * post, 4 * post + 4):
                place = int(view.end[path])
                here = NEAREST[goal, taken, place]
                left = min(left, here if view.left[mover, place] < BLOCKED else BLOCKED)
            further += apart - view.apart[runner]
            covered += apart - left - view.gained[runner]
        else:
            covered += most_covered(view, runner, post) - view.gained[runner]
    worth = view.after[mover, n] + view.per_covered * covered - view.per_distance * further
    if taken:
        worth += view.per_away
        further -= ARRIVAL
    for seat in range(4):
        view.left[seat, FIRST_POST + end] = view.left_if_free[seat, FIRST_POST + end]
        view.left[seat, FIRST_POST + start] = BLOCKED
    view.after[mover, n] = worth
    view.to_go[n] = view.left_to_go + further
    view.n_runs = n + 1
    return False


@kernel
def settle(s: State, view: Outlook, out: Floats) -> None:
    """What `estimate` says for the seat to move after the runs noted: of each placement the best into `out`.
    Roots and divisions of many runs at once take as long as those of a few."""
    n, mover, players = int(view.n_runs), int(s.to_move), int(s.players)
    for k in range(n):
        view.scale[k] = 1.0 / sqrt(1.0 + view.to_go[k] / players)
        view.others[k] = 1.0
    for seat in range(players):
        if seat != mover:
            for k in range(n):
                view.others[k] += exp((view.after[seat, k] - view.after[mover, k]) * view.scale[k])
    for k in range(n):
        view.others[k] = 1.0 / view.others[k]
    for k in range(n):
        placement = int(view.follows[k])
        out[placement] = max(out[placement], view.others[k])
    view.n_runs = 0


@kernel
def draws(s: State, after: Any, placement: int, start: int, end: int) -> bool:
    """Is the game drawn by a turn, because the position occurs for the third time? `after` is scratch: one
    state."""
    after[0] = s
    lay(after[0], placement >> 3, placement & 7)
    move_runner(after[0], start, end)
    return int(after[0].ending) == Ending.REPETITION


@kernel
def look_beyond(s: State, view: Outlook, space: int) -> None:
    """Note what does not depend on what lies in a space: the runners with paths that enter it, and where the
    ways out of it end: at a post, at a space without a tile, or at the space itself, where they come back."""
    lying = s.next[space]
    s.next[space] = STUCK[space]
    view.winding = 0
    for edge in range(8):
        end = FIRST_POST + end_of_path(s, int(LINK[8 * space + edge]))
        view.beyond[edge] = end
        view.winding |= int(end >> 3 == space)
    s.next[space] = lying
    view.crossing = 0
    for k in range(int(view.n_entries[space])):
        view.crossing |= 1 << int(view.runner_at[FIRST_POST + (int(view.entries[space, k]) >> 2)])


@kernel
def look_through(s: State, view: Outlook, space: int, tile: int, rot: int) -> None:
    """Note how paths go on that enter a space, over a tile; if a way out comes back, over it again. Note what
    their runners gain by that, and how well all seats stand."""
    for edge in range(8):
        view.through[1 + edge] = view.beyond[MATCH[tile, rot, edge]]
    if view.winding:
        for edge in range(8):
            for _ in range(3):  # at most; a closed ring is never left, and no path comes to it
                if view.through[1 + edge] >> 3 == space:
                    view.through[1 + edge] = view.beyond[MATCH[tile, rot, int(view.through[1 + edge]) & 7]]
    for k in range(int(view.n_entries[space])):
        path = int(view.entries[space, k])
        view.end[path] = view.through[view.enters[path, space]]
    for seat in range(4):
        view.standing[seat] = view.standing_before[seat]
    crossing = int(view.crossing)
    while crossing:
        runner = lowest_bit(crossing)
        crossing &= crossing - 1
        seat = runner >> 3
        gained = most_covered(view, runner, int(view.post_of[runner]))
        view.standing[seat] += view.per_covered * (gained - view.gained_before[runner])
        view.gained[runner] = gained


@kernel
def look_back(view: Outlook, space: int) -> None:
    """Note again how the paths go on as the tiles lie."""
    for k in range(int(view.n_entries[space])):
        path = int(view.entries[space, k])
        runner = int(view.runner_at[FIRST_POST + (path >> 2)])
        view.end[path] = view.end_before[path]
        view.gained[runner] = view.gained_before[runner]


@kernel
def try_runs(s: State, view: Outlook, after: Any, placement: int, starts: int, k: int, out: Floats) -> bool:
    """Note all runs from one of the posts `starts` (bits) over the tile tried, as such that follow the
    placement `k`; what ends the game goes into out[k] at once. False if there is none. `after` is scratch,
    one state."""
    seat, space, runs = int(s.to_move), placement >> 3, 0
    goal, free = goal_side(s, seat), ~s.occupied & view.own_ends[seat] & ALL_POSTS
    may_recur = s.repetition and s.known + 1 == s.stack_size  # no unknown tile is turned up
    for i in range(int(view.n_own_entries[space])):
        path = int(view.entries[space, i])
        start, end = path >> 2, int(view.end[path]) - FIRST_POST
        legal = (free | own_stop(start)) >> (end & 63) & starts >> start & 1
        runs |= (legal & int(end >= 0)) << i
    found = runs != 0
    while runs:
        path = int(view.entries[space, lowest_bit(runs)])
        runs &= runs - 1
        start, end = path >> 2, int(view.end[path]) - FIRST_POST
        runner = int(view.runner_at[FIRST_POST + start])
        view.follows[view.n_runs] = k
        if may_recur and draws(s, after, placement, start, end):
            out[k] = max(out[k], 1.0 / s.players)
        elif note_run(s, view, space, goal, runner, start, end):
            out[k] = 1.0
    return found


@kernel
def foresee(s: State, actions: Ints, n: int, out: Floats) -> None:
    """What `estimate` says for the seat to move after each of its `n` legal actions; after a placement: when
    the best run has followed.

    The paths are followed once. A tile changes those that enter its space, from there on; and where the ways
    out of the space lead does not depend on the tile."""
    if actions[0] >= FIRST_MOVE:
        foresee_ends(s, np.empty(1, STATE), np.empty(4, np.float64), actions, n, out)
    else:
        foresee_placements(s, np.empty(1, OUTLOOK), np.empty(int(s.repetition), STATE), actions, n, out)


@kernel
def foresee_ends(s: State, after: Any, shares: Floats, actions: Ints, n: int, out: Floats) -> None:
    """`foresee` for runs over a tile that lies, a few at most, or the pass. `after` is scratch, one state, as
    is `shares`."""
    for k in range(n):
        after[0] = s
        apply(after[0], int(actions[k]))
        estimate(after[0], shares)
        out[k] = shares[s.to_move]


@kernel
def foresee_placements(s: State, views: Any, after: Any, actions: Ints, n: int, out: Floats) -> None:
    """`foresee` for placements. Its scratch is one outlook, and one state if positions may recur."""
    view, seat = views[0], int(s.to_move)
    look_out(s, view)
    tile, k = top_tile(s), 0
    starts = CIRCLES[home_side(s, seat)] if must_leave_home(s) else ANYWHERE
    view.n_runs = 0
    while k < n:
        space = int(actions[k]) >> 3
        look_beyond(s, view, space)
        while k < n and actions[k] >> 3 == space:
            placement = int(actions[k])
            look_through(s, view, space, tile, placement & 7)
            out[k] = -1.0
            if not try_runs(s, view, after, placement, starts, k, out):  # no runner can leave home: any may
                try_runs(s, view, after, placement, ANYWHERE, k, out)
            if view.n_runs > MOST_RUNS - MOST_PATHS:
                settle(s, view, out)
            k += 1
        look_back(view, space)
    settle(s, view, out)


# ---- the yardstick: never to be improved -------------------------------------------------------------------


@kernel
def robot_score(s: State, seat: int) -> float:
    """The evaluation of a known robot: +1 for each of the seat's runners on a goal circle, minus the
    straight distance of each other one to the nearest goal circle on which no runner of the seat stands."""
    goal = goal_side(s, seat)
    taken, score = 0, 0.0
    for i in range(s.n_runners):
        post = int(s.runner[seat, i])
        if SIDE_OF[post] == goal:
            taken |= 1 << (post - N_STOPS - 5 * goal)
            score += 1.0
    for i in range(s.n_runners):
        post = int(s.runner[seat, i])
        if SIDE_OF[post] != goal:
            score -= NEAREST[goal, taken, FIRST_POST + post]
    return score


@kernel
def estimate_by_distance(s: State, out: Floats) -> None:
    """The same robot's view as an expected outcome, for the bot `alpha-beta`: the higher a seat's score above
    the others', the larger its share."""
    if s.ending:
        outcome(s, out)
        return
    for seat in range(s.players):
        out[seat] = robot_score(s, seat)
    share_out(int(s.players), 1.0, out, out)


def yardstick(s: State) -> tuple[int, ...]:
    """The turn (or the rest of the turn begun) after which `robot_score` is highest for its mover; among
    equals the one with the lowest actions."""
    seat, best_score = int(s.to_move), -np.inf
    best: tuple[int, ...] = ()
    states = rules.State.array(3)
    placements, moves = np.empty(rules.MAX_LEGAL, np.int32), np.empty(rules.MAX_LEGAL, np.int32)
    states[0] = s
    begun = s.phase == rules.Phase.MOVE
    for placement in [-1] if begun else placements[: rules.legal_actions(states[0], placements)].tolist():
        states[1] = states[0]
        if not begun:
            rules.apply(states[1], placement)
            if placement == rules.PASS:
                return (placement,)
        for move in moves[: rules.legal_actions(states[1], moves)].tolist():
            states[2] = states[1]
            rules.apply(states[2], move)
            score = robot_score(states[2], seat)
            if score > best_score + 1e-9:  # equal sums may differ in their last bits
                best, best_score = (move,) if begun else (placement, move), score
    return best
