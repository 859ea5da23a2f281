"""What to click for an action, and why other clicks make none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from ludoteca.drawing.svg import translate
from ludoteca.game import Ghost, Shortcut, Target, View, refusals
from ludoteca.text.players import either

from .. import components as C
from .. import rules as R
from ..notation import action_name, move_name
from ..rules import Phase, State
from .facts import (
    RUNS_KEPT,
    SEAT_COLOURS,
    Run,
    moves_of,
    placements_of,
    player_word,
    run_of_move,
    runners_of,
    runs,
    runs_across,
    say,
    side_of,
    tiles_of,
    whole_turns,
)
from .symbols import post_point, space_point

RULES = {
    'must_pass': 'passing',
    'no_pass': 'passing',
    'unreached': 'your-turn.the-path',
    'no_rotation': 'your-turn.the-path',
    'leave_home_place': 'leaving-home',
    'leave_home_move': 'leaving-home',
    'stays_home': 'your-turn.circles',
    'no_run': 'your-turn.the-path',
    'no_way': 'your-turn.the-path',
    'not_across': 'your-turn.the-path',
    'runs_into': 'the-board',
    'ends_occupied': 'your-turn.the-end-of-the-path',
    'ends_circle': 'your-turn.circles',
    'only_ends': 'your-turn.the-end-of-the-path',
}
"""Refusals that tell a rule -> its chapter or paragraph in the rulebook."""
why = refusals(say, RULES)
LAYS_KEPT = 1 << 11  # ways to lay a tile that are kept: what can be done now, at many tables

# ---- what to click -----------------------------------------------------------------------------------------


def named_targets(
    s: State, actions: Sequence[int], colours: Sequence[str] = ()
) -> Iterator[tuple[str, tuple[Target, ...]]]:
    """The name of each action, and what to click for it."""
    tile = int(s.stack[s.stack_head])
    for action in actions:
        lays = R.ACTIONS.decode(action)[0] == 'lay'
        yield action_name(s, action), (_lay_target(tile, action),) if lays else targets(s, action, colours)


def targets(s: State, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
    """What to click, in order, for a legal action: a space (its rotations are variants); a runner and where
    it ends; the button."""
    match R.ACTIONS.parts(action):
        case 'lay', _:
            return (_lay_target(int(s.stack[s.stack_head]), action),)
        case 'move', (start, end):
            run = run_of_move(tiles_of(s), int(s.laid), start, end)
            colour = (colours or SEAT_COLOURS[int(s.players)])[int(s.to_move)]
            ghost = _run_ghost(end, colour, run.way()[0] if run else '')
            return Target(f'el:post-{C.POSTS[start]}'), Target(f'el:post-{C.POSTS[end]}', ghost)
        case kind, _:
            return (Target(f'do:{kind}'),)


@lru_cache(maxsize=LAYS_KEPT)
def _lay_target(tile: int, action: int) -> Target:
    """The space on which an action lays a tile."""
    _, (space, rotation) = R.ACTIONS.parts(action)
    transform = translate(*space_point(space), turn=45 * rotation)
    return Target(
        f'el:space-{C.SPACES[space]}', Ghost(symbol=f'octiles-tile-{tile + 1}', transform=transform)
    )


def shortcuts(s: State, colours: Sequence[str] = ()) -> tuple[Shortcut, ...]:
    """A runner first, then where it ends: the tile lies so that the run comes about. Placements that lead to
    the same end are variants, the shortest run first."""
    if s.phase != Phase.PLACE or s.ending:
        return ()
    found: dict[tuple[int, int], list[tuple[float, Shortcut]]] = {}
    colour = (colours or SEAT_COLOURS[int(s.players)])[int(s.to_move)]
    lying, tile = tiles_of(s), int(s.stack[s.stack_head])
    for placement, moves in whole_turns(s):
        _, (space, rotation) = R.ACTIONS.parts(placement)
        tiles, lay = {**lying, space: (tile, rotation)}, _lay_target(tile, placement)
        across = {start: runs_across(tiles, space, start) for start in dict(moves)}
        firsts = {start: Target(f'el:post-{C.POSTS[start]}', lay.ghost) for start in across}
        name = action_name(s, placement)
        for start, end in moves:
            run = across[start].get(end)
            way, length = run.way() if run else ('', 0.0)
            steps = name, move_name(start, end)
            last = Target(f'el:post-{C.POSTS[end]}', _run_ghost(end, colour, way))
            found.setdefault((start, end), []).append((length, Shortcut(steps, (firsts[start], last))))
    return tuple(one for ways in found.values() for _, one in sorted(ways, key=lambda way: way[0]))


@lru_cache(maxsize=RUNS_KEPT)
def _run_ghost(end: int, colour: str, way: str) -> Ghost:
    """A run, as path data, and the runner where it ends."""
    x, y = post_point(end)
    return Ghost(symbol=f'octiles-runner-{colour}', transform=translate(x, y + 3), path=way)


# ---- why not -----------------------------------------------------------------------------------------------


def why_not(view: View, targets: Sequence[str]) -> str:
    """One sentence: why these targets make no action now. The last one is meant, after a runner that was
    chosen as its end."""
    s = view.state
    if s.ending:
        return why('why.over')
    player = player_word(s, int(s.to_move), view.names)
    if not view.actions:
        return why('why.watching' if view.seat < 0 else 'why.not_your_turn', player=player)
    if R.PASS in view.actions:
        return why('why.must_pass')
    kind, name = _place_of(targets[-1]) if targets else ('', '')
    if kind == 'pass':
        return why('why.no_pass')
    if kind == 'stack':
        return why('why.stack_tile' if s.phase == Phase.PLACE else 'why.stack_runner')
    if kind == 'space' and name in C.SPACES:
        if s.phase == Phase.MOVE:
            return why('why.laid_already', space=C.SPACES[int(s.laid)])
        space = C.SPACES.index(name)
        return (
            why('why.may_lay', space=name)
            if space in placements_of(view.actions)
            else _why_not_space(s, space)
        )
    if kind == 'post' and name in C.POSTS:
        post, end, start = C.POSTS.index(name), name, _chosen_runner(s, targets)
        if start >= 0 and post not in _movable(s):
            post, name = start, C.POSTS[start]
        ends = [end for start, end in moves_of(view.actions) if start == post]
        if ends:
            return why('why.only_ends', post=name, ends=either([C.POSTS[end] for end in ends]))
        return _why_not_runner(view, post, end)
    return why('why.unknown')


def _place_of(target: str) -> tuple[str, str]:
    """The kind and the name of the place that a target is: a tile or a runner stands for its own."""
    kind, _, name = target.partition(':')[2].partition('-')
    return {'tile': 'space', 'runner': 'post'}.get(kind, kind), name


def _chosen_runner(s: State, targets: Sequence[str]) -> int:
    """The post of the runner that was chosen before the last target; -1: none."""
    found = [C.POSTS.index(name) for kind, name in map(_place_of, targets[:-1]) if kind == 'post']
    return next((post for post in found if post in _movable(s)), -1)


def _obstacle(s: State, run: Run, runners: Mapping[int, int]) -> str:
    """The obstacle that keeps a runner of the seat to move from this run: 'gap', 'occupied', 'circle', or ''
    for none."""
    if run.end < 0:
        return 'gap'
    if C.SIDE_OF[run.end] not in (-1, side_of(s, int(s.to_move)) ^ 2):
        return 'circle'
    own_loop = run.end == run.start and run.end < C.N_STOPS
    return 'occupied' if run.end in runners and not own_loop else ''


def _movable(s: State) -> list[int]:
    """Posts of the runners of the seat to move that have not reached their goal."""
    seat = int(s.to_move)
    return [
        int(post) for post in s.runner[seat] if post >= 0 and C.SIDE_OF[int(post)] != side_of(s, seat) ^ 2
    ]


def _why_not_space(s: State, space: int) -> str:
    tile, runners, found = R.top_tile(s), runners_of(s), []
    for rotation in range(C.ROTATIONS[tile]):
        tiles = {**tiles_of(s), space: (tile, rotation)}
        found += [
            _obstacle(s, run, runners)
            for post in _movable(s)
            for run in runs(tiles, post)
            if run.crosses(space)
        ]
    name = C.SPACES[space]
    if not found:
        return why('why.unreached', space=name)
    if '' in found:
        return why('why.leave_home_place', space=name)
    reasons = [say(f'why.reason.{kind}') for kind in ('gap', 'occupied', 'circle') if kind in found]
    return why('why.no_rotation', reasons=either(reasons), space=name)


def _why_not_runner(view: View, post: int, end: str) -> str:
    s, name = view.state, C.POSTS[post]
    runners, laid = runners_of(s), int(s.laid)
    if post not in runners:
        return why('why.no_runner', post=name)
    if runners[post] != s.to_move:
        return why('why.others_runner', post=name, player=player_word(s, runners[post], view.names))
    if post not in _movable(s):
        return why('why.stays_home', post=name)
    if s.phase == Phase.PLACE:
        return _why_no_turn(s, post, end)
    across = [run for run in runs(tiles_of(s), post) if run.crosses(laid)]
    found = {_obstacle(s, run, runners): run for run in across}
    if not found:
        return why('why.not_across', post=name, space=C.SPACES[laid])
    if '' in found:
        return why('why.leave_home_move')
    if 'occupied' in found:
        return why('why.ends_occupied', post=name, end=C.POSTS[found['occupied'].end])
    if 'circle' in found:
        return why('why.ends_circle', post=name, end=C.POSTS[found['circle'].end])
    return why('why.runs_into', post=name, space=C.SPACES[found['gap'].gap])


def _why_no_turn(s: State, post: int, end: str) -> str:
    """Why a runner of the seat to move, chosen before the tile lies, does not run to this end."""
    name, home = C.POSTS[post], side_of(s, int(s.to_move))
    turns = {turn for _, moves in whole_turns(s) for turn in moves}
    ends = [C.POSTS[last] for start, last in turns if start == post]
    if ends:
        return why('why.may_run' if end == name or end in ends else 'why.no_way', post=name, end=end)
    leaving = R.must_leave_home(s) and all(C.SIDE_OF[start] == home for start, _ in turns)
    return why('why.leave_home_move' if leaving and C.SIDE_OF[post] != home else 'why.no_run', post=name)
