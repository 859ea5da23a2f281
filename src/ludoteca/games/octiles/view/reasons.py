"""Why a turn is good: runners brought home or forward, paths that lead on, and what others are denied.
Before a turn: who can get home with the next tile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludoteca.game import Reason, View
from ludoteca.game.reasons import Fact, Facts, Kind, distinguish

from .. import components as C
from .. import rules as R
from ..rules import Phase, State
from .facts import legal, moves_of, player_word, runners_home, runs, side_of, tiles_of

KINDS = {
    'wins': Kind(100.0),
    'home': Kind(6.0),
    'ready': Kind(2.0),  # own runners with a path that leads home as the tiles lie
    'threats': Kind(2.0, fewer=True),  # those of others
    'starts': Kind(1.5),
    'forward': Kind(1.0),  # rows that runners come nearer to their goal
    'last': Kind(0.8),  # rows that the last runner comes nearer
    'reach': Kind(0.5),  # rows that the best paths of the own runners lead forward
    'hinders': Kind(0.5, fewer=True),  # the same of others
    'stop': Kind(0.4),  # paths of others that would end where the runner now stands
}
ALERTS = {
    'wins': Kind(3.0),
    'loses': Kind(2.0),  # somebody else could win with the next tile
    'home': Kind(1.0),
}
ROWS = 5  # from the start to the goal, one for each line of stops and one for the circles
_NORTHWARDS = {'W': (-1.0, 0.0), 'N': (0.0, 1.0), 'E': (1.0, 0.0), 'S': (0.0, -1.0)}


def rows_to_go(post: int, goal: int) -> int:
    """Rows from a post to the goal side: 0 on a circle there, 5 on any other circle, else the lines of stops
    from here on."""
    side = C.SIDE_OF[post]
    if side >= 0:
        return 0 if side == goal else ROWS
    (x, y), (east, north) = C.POST_XY[C.POSTS[post]], _NORTHWARDS[C.SIDES[goal]]
    return round(2.5 - (x * east + y * north))


def reasons(view: View, turn: Sequence[int], others: Sequence[Sequence[int]]) -> tuple[Reason, ...]:
    """Why a turn is better than the first of the others."""
    other = _facts(view.state, others[0]) if others else None
    return distinguish(KINDS, _facts(view.state, turn), other)


def alerts(view: View) -> tuple[Reason, ...]:
    """What the seat to move should notice before it lays its tile."""
    s, seat = view.state, int(view.state.to_move)
    if s.phase != Phase.PLACE:
        return ()
    facts = Facts()
    if _gets_home(s, seat, [int(R.top_tile(s))]):
        facts['wins' if _away(s, seat) == 1 else 'home'] = Fact(1)
    players = int(s.players)
    for rival in ((seat + k) % players for k in range(1, players)):
        if _away(s, rival) == 1 and _gets_home(s, rival, _following_tiles(s)):
            facts['loses'] = Fact(1, names={'player': player_word(s, rival, view.names)})
            break
    return distinguish(ALERTS, facts, None)


def _away(s: State, seat: int) -> int:
    """The runners of a seat that are not home."""
    return int(s.n_runners) - runners_home(s, seat)


def _following_tiles(s: State) -> list[int]:
    """The tiles of which any may be the next one, as far as everybody knows."""
    following = int(s.stack[(int(s.stack_head) + 1) % C.N_TILES])
    unseen = int(R.unseen_tiles(s))
    return [following] if following >= 0 else [tile for tile in range(C.N_TILES) if unseen >> tile & 1]


def _gets_home(s: State, seat: int, tiles: Iterable[int]) -> bool:
    """True if a seat that had to lay one of these tiles now could bring a runner home. A seat that must leave
    its side is left out."""
    trial = s.copy()
    trial.to_move = seat
    trial.occupied |= R.STOP_BITS  # only circles are free to end on
    if R.must_leave_home(trial):
        return False
    for tile in tiles:
        trial.stack[int(trial.stack_head)] = tile
        for placement in legal(trial):
            if placement == R.PASS:
                break
            laid = trial.copy()
            R.apply(laid, placement)
            if any(C.SIDE_OF[end] >= 0 for _, end in moves_of(legal(laid))):
                return True
    return False


def _facts(before: State, turn: Sequence[int]) -> Facts:
    """What a turn brings to the seat to move."""
    s, seat = before.copy(), int(before.to_move)
    for action in turn:
        R.apply(s, action)
    end = next((end for _, end in moves_of(turn)), -1)
    there = (f'el:post-{C.POSTS[end]}',) if end >= 0 else ()
    goal, start = side_of(s, seat) ^ 2, side_of(s, seat)
    was, now = _posts(before, seat), _posts(s, seat)
    to_go = [[rows_to_go(post, goal) for post in posts] for posts in (was, now)]
    begun = [sum(C.SIDE_OF[post] != start for post in posts) for posts in (was, now)]
    facts = {
        'wins': Fact(int(bool(s.ending) and s.winner == seat), there),
        'home': Fact(runners_home(s, seat) - runners_home(before, seat), there),
        'starts': Fact(begun[1] - begun[0], there),
        'forward': Fact(sum(to_go[0]) - sum(to_go[1]), there),
        'last': Fact(max(to_go[0]) - max(to_go[1]), there),
    }
    if s.ending:
        return facts
    rivals = [other for other in range(int(s.players)) if other != seat]
    ready, reach, _ = _paths(s, [seat], end)
    threats, theirs, at_end = _paths(s, rivals, end)
    return facts | {
        'ready': Fact(len(ready), _targets(ready)),
        'threats': Fact(len(threats), _targets(threats)),
        'reach': Fact(reach),
        'hinders': Fact(theirs),
        'stop': Fact(at_end, there),
    }


def _posts(s: State, seat: int) -> list[int]:
    return [int(post) for post in s.runner[seat] if post >= 0]


def _paths(s: State, seats: Sequence[int], end: int) -> tuple[list[int], int, int]:
    """Of these seats' runners that are not home: the posts of those with a path that leads home as the tiles
    lie, the rows that their best paths lead forward altogether, and how many paths end at the post `end`."""
    tiles, taken = tiles_of(s), {post for seat in range(int(s.players)) for post in _posts(s, seat)}
    home, forward, at_end = list[int](), 0, 0
    for seat in seats:
        goal = side_of(s, seat) ^ 2
        for post in _posts(s, seat):
            if C.SIDE_OF[post] == goal:
                continue
            ends = [run.end for run in runs(tiles, post) if run.end >= 0]
            at_end += end in ends
            free = [one for one in ends if one not in taken and C.SIDE_OF[one] in (-1, goal)]
            nearest = min((rows_to_go(one, goal) for one in free), default=ROWS)
            home += [post] if nearest == 0 else []
            forward += max(0, rows_to_go(post, goal) - nearest)
    return home, forward, at_end


def _targets(posts: Sequence[int]) -> tuple[str, ...]:
    return tuple(f'el:post-{C.POSTS[post]}' for post in posts)
