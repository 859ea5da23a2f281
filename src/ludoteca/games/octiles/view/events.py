"""What happened between two states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ludoteca.drawing.geometry import Point, sample
from ludoteca.game import Event, Sound

from .. import components as C
from .. import rules as R
from ..rules import Ending, State
from .facts import run_of_move, runners_home, side_of, tiles_of

WAY_STEP = 8.0  # distance of two points of an event's way
SOUNDS: Mapping[str, Sound] = {
    'lay': 'tile',
    'cover': 'tile',
    'step': 'tile',
    'run': 'wood',
    'loop': 'wood',
    'home': 'bronze',
    'next': 'draw',
}
"""What is heard of which kind of event."""


def events(
    before: State,
    action: int,
    after: State,
    names: Sequence[str] = (),  # noqa: ARG001 (no event needs them)
    colours: Sequence[str] = (),  # noqa: ARG001 (no event needs them)
) -> tuple[Event, ...]:
    """The events of an action.

    Kinds: lay, cover (space, tile, rotation, covered tile), run, loop (start, end, and the way), home (how
    many of how many), next (the tile now on top), pass, then win, blocked or repetition."""
    return tuple(_events(before, action, after))


def _events(before: State, action: int, after: State) -> Iterator[Event]:
    seat = int(before.to_move)
    match R.ACTIONS.parts(action):
        case 'lay', (space, rotation):
            yield _laid(before, seat, space, rotation)
        case 'move', (start, end):
            yield from _run_events(before, seat, start, end, after)
            if not after.ending:
                yield Event(
                    'next',
                    seat,
                    {'tile': R.top_tile(after) + 1, 'left': int(after.stack_size)},
                    ('stack-top',),
                )
        case _:
            yield Event('pass', seat, {'tile': R.top_tile(before) + 1})
    if after.ending == Ending.HOME:
        yield Event('win', int(after.winner), {'of': int(after.n_runners)})
    elif after.ending:
        yield Event('blocked' if after.ending == Ending.BLOCKED else 'repetition', seat)


def _laid(before: State, seat: int, space: int, rotation: int) -> Event:
    name, covered = C.SPACES[space], int(before.tile[space])
    values: dict[str, str | int] = {'space': name, 'tile': R.top_tile(before) + 1, 'rotation': rotation}
    if covered >= 0:
        values['covered'] = covered + 1
    return Event('lay' if covered < 0 else 'cover', seat, values, (f'tile-{name}',))


def _run_events(before: State, seat: int, start: int, end: int, after: State) -> Iterator[Event]:
    run = run_of_move(tiles_of(before), int(before.laid), start, end)
    way: list[Point] = []
    if run is not None:
        curves = run.curves()
        way = [curves[0].start, *(point for point, _ in sample(curves, WAY_STEP, WAY_STEP)), curves[-1].end]
    names = C.POSTS[start], C.POSTS[end]
    goal = side_of(before, seat) ^ 2
    arrived = int(C.SIDE_OF[end] == goal) - int(C.SIDE_OF[start] == goal)
    yield Event(
        'loop' if start == end else 'run',
        seat,
        {'start': names[0], 'end': names[1]},
        (f'post-{names[0]}', f'post-{names[1]}', f'runner-{names[1]}'),
        tuple((round(x, 1), round(y, 1)) for x, y in way),
        f'runner-{names[1]}' if way else '',
        gains=((seat, arrived),) if arrived else (),
    )
    if C.SIDE_OF[end] == goal:
        yield Event(
            'home', seat, {'end': names[1], 'home': runners_home(after, seat), 'of': int(after.n_runners)}
        )
