"""What a seat can choose, as a compact table for the page: see choose.js."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from typing import Any, TypeVar

from ludoteca.game import Ghost
from ludoteca.match import Choice, Match

NO_GHOST = -1
T = TypeVar('T')


def ghost_list(ghost: Ghost, glow: Sequence[int] | str | None = None) -> list[Any]:
    """A ghost as the page reads it, without trailing empty values. `glow`: indices in a list of lines,
    instead of the lines."""
    lines = ghost.glow if glow is None else glow
    found: list[Any] = [ghost.symbol, ghost.transform, ghost.path, ghost.text, lines, ghost.gains]
    while found and not found[-1]:
        found.pop()
    return found


def choice_table(match: Match, seat: int) -> dict[str, Any] | None:
    """The choices of a seat; None if there are none. Targets, ghosts and lines are numbered and written
    once."""
    levels = match.choices(seat)
    if not levels:
        return None
    targets, ghosts = _numbers(str), _numbers(Ghost)
    lines = _numbers(str)  # without their M: many ghosts light up the same half of an edge

    def row(choice: Choice) -> list[Any]:
        found: list[Any] = [choice.name]
        for id_, ghost in choice.targets:
            found += targets[id_], NO_GHOST if ghost is None else ghosts[ghost]
        return found

    def packed(ghost: Ghost) -> list[Any]:
        return ghost_list(ghost, [lines[part] for part in ghost.glow.split('M')[1:]] if ghost.glow else ())

    table = [
        {
            'chosen': level.chosen,
            'commits': [index for index, choice in enumerate(choices) if choice.commits],
            'actions': [row(choice) for choice in choices],
        }
        for level in levels
        for choices in [level.choices + level.shortcuts]
    ]
    shapes = [packed(ghost) for ghost in ghosts]
    return {
        'targets': list(targets),
        'ghosts': shapes,
        'lines': [f'M{line}' for line in lines],
        'levels': table,
    }


def _numbers(_: type[T]) -> defaultdict[T, int]:
    """Numbers things from 0, each when it is first asked for."""
    return defaultdict(count().__next__)
