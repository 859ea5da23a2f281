"""How observations and actions are laid out: parts with a shape and named axes; and which positions are
played alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from math import prod
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from ludoteca.kernel.ranges import firsts
from ludoteca.kernel.record import Array, Ints


@dataclass(frozen=True)
class Slice:
    """A named part of an observation, or of the actions: its shape, what it means, and a name for each axis.

    Numbers lie row by row: the last axis runs fastest. A single number has the shape (). Axes of the same
    name and length in several parts count the same things, such as the spaces of the board; the axis `seat`
    of an observation counts from the viewer on. Raises TypeError if there is not one name for each axis.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    axes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.shape, tuple) or len(self.shape) != len(self.axes):
            raise TypeError(
                f'The part {self.name} needs a shape such as (5, 5), and in `axes` one name for each number '
                'of it; a single number has the shape ().'
            )

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def starts(slices: Sequence[Slice]) -> Any:
    """Where each part of an observation begins: an enumeration for kernels, `AT.hand` for the slice
    `hand`."""
    return IntEnum(
        'AT', dict(zip((part.name for part in slices), firsts(part.size for part in slices), strict=False))
    )


# ---- symmetries --------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A way to change a position into another one that is played alike: its IMAGE.

    What is legal in the image are the images of what is legal, and to play commutes with taking the image.
    """

    name: str
    kind: Literal['board', 'colours', 'seats']
    # (s): changes the state into its image, in place
    state: Callable[[Any], None]
    # (s) -> [action] -> its image, int32[n_actions]; what is legal in `s` has an image
    actions: Callable[[Any], Ints]
    seats: tuple[int, ...]  # [seat] -> its image
    # [number] -> where it stands in what the image's seat observes, and 1 or -1 by which it is multiplied
    observation: tuple[Ints, Ints]
    # (s): does it hold of this state?
    holds: Callable[[Any], bool] = lambda _: True
    # fields of the state that the image has lost: memories that cannot be changed with the position
    forgets: tuple[str, ...] = ()

    def image(self, s: Any) -> Any:
        """The image of a state; `s` stays as it is."""
        copy = s.copy()
        self.state(copy)
        return copy

    def observed(self, out: Array) -> Array:
        """What the image of a seat observes of the image of a state, given what that seat observes of it;
        shape (..., observation_size)."""
        places, signs = self.observation
        image = np.empty_like(out)
        image[..., places] = out * signs
        return image


def always(actions: Ints) -> Callable[[Any], Ints]:
    """The field `actions` of a symmetry that permutes them alike in every state."""
    return lambda _: actions


def no_symmetries(players: int) -> tuple[Symmetry, ...]:  # noqa: ARG001
    """The symmetries of a game that declares none."""
    return ()


def arranged(
    parts: Sequence[Slice],
    axes: Mapping[str, Sequence[int]],
    own: Mapping[str, Sequence[int]] = MappingProxyType({}),
) -> Ints:
    """A permutation of the numbers of all parts: [number] -> its image.

    `axes` permutes the indices of every axis of that name. `own` has for single parts, by their names, a
    permutation of their numbers. Raises ValueError if something is not permuted.
    """
    found, begin = [], 0
    for part in parts:
        if part.name in own:
            numbers = np.array(own[part.name], np.int32)
        else:
            grids = np.indices(part.shape)
            moved = [
                np.array(axes[axis])[grid] if axis in axes else grid
                for axis, grid in zip(part.axes, grids, strict=True)
            ]
            numbers = np.zeros(1, np.int32)
            if part.shape:
                numbers = np.ravel_multi_index(tuple(moved), part.shape).ravel().astype(np.int32)
        if sorted(numbers.tolist()) != list(range(part.size)):
            raise ValueError(f'The numbers of {part.name} are not permuted.')
        found.append(begin + numbers)
        begin += part.size
    return np.concatenate(found).astype(np.int32)


def shifted(values: Array, by: int, players: int) -> None:
    """In an array by seats, the seats' rows each `by` seats further on; rows of seats not taken stay."""
    values[:players] = np.roll(values[:players].copy(), by, axis=0)


def shifted_seats(values: Array, by: int, players: int) -> None:
    """In an array of seats, each of them `by` seats further on; what is no seat stays."""
    taken = (values >= 0) & (values < players)
    values[taken] = (values[taken] + by) % players


def seats_by(players: int, by: int) -> tuple[int, ...]:
    """Every seat's image if all move `by` seats further on."""
    return tuple((seat + by) % players for seat in range(players))


def unmoved(parts: Sequence[Slice]) -> tuple[Ints, Ints]:
    """Nothing in an observation of these parts changes, as when seats are counted from the viewer on."""
    size = sum(part.size for part in parts)
    return np.arange(size, dtype=np.int32), np.ones(size, np.int32)


def seats_moved_on(
    players: int,
    hand_on: Callable[[int, int, Any], None],
    n_actions: int,
    observation: Sequence[Slice],
    holds: Callable[[Any], bool] = lambda _: True,
) -> tuple[Symmetry, ...]:
    """All ways in which the seats move on together, in a game whose actions and observations name no seat.
    `hand_on(players, by, s)` changes a state into the one in which every player sits so many seats further
    on."""
    everything = always(np.arange(n_actions, dtype=np.int32))
    return tuple(
        Symmetry(
            f'seats by {by}',
            'seats',
            partial(hand_on, players, by),
            everything,
            seats_by(players, by),
            unmoved(observation),
            holds,
        )
        for by in range(1, players)
    )
