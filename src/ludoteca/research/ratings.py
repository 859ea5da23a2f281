"""How strong players are, and what their seats are worth, from games of any number of players.

The model is that of Plackett (1975) and Luce (1959), of which the first place counts: who wins is drawn with
chances in proportion to exp(strength of the player + advantage of its seat). Games tell who has won, and no
more: a second place is declared by none of them. A win shared by several counts in parts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludoteca.research.intervals import NOTHING, Z95, Interval

PRIOR = 2.0
"""Strengths and advantages are taken to lie within this of 0 (one standard deviation), so that who has won
everything is strong and not infinitely so. A strength of 2 wins 88 % of games between two."""
STEPS = 100


class Seen(NamedTuple):
    """One game: the player of each seat, the outcome of each seat, and the deal that it began with."""

    seats: tuple[int, ...]
    outcome: tuple[float, ...]
    block: int


class Ratings(NamedTuple):
    """Natural logarithms of odds, the mean over all players, and over all seats, being 0: a difference of 1
    makes a win 2.7 times as likely as the other's."""

    strengths: tuple[Interval, ...]  # of the players
    seats: tuple[Interval, ...]


def fit(players: int, games: Sequence[Seen]) -> Ratings:
    """The strengths of so many players and the advantages of their seats: the values with the highest
    posterior probability, and 95 % intervals. The games of a block are not independent; so intervals follow
    from the spread between blocks (a sandwich estimate), and are never narrower than those of the model."""
    if not games:
        return Ratings((NOTHING,) * players, ())
    n_seats = len(games[0].seats)
    size = players + n_seats
    who = np.array([game.seats for game in games])
    won = np.array([game.outcome for game in games], np.float64)
    # (games, seats, parameters): which ones count for a seat
    design = np.zeros((len(games), n_seats, size))
    rows = np.arange(len(games))
    for seat in range(n_seats):
        design[rows, seat, who[:, seat]] = 1
        design[:, seat, players + seat] = 1
    found = np.zeros(size)
    for _ in range(STEPS):
        scores, curve = _slopes(design, won, found)
        step = np.linalg.solve(curve, scores.sum(axis=0) - found / PRIOR**2)
        # never further at once than the curve can be trusted
        found += step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-10:
            break
    scores, curve = _slopes(design, won, found)
    spread = _centred(_covariance(scores, np.array([game.block for game in games]), curve), players)
    centre = np.concatenate(
        [found[:players] - found[:players].mean(), found[players:] - found[players:].mean()]
    )
    half = Z95 * np.sqrt(spread)
    seen = [
        Interval(float(value), float(value - by), float(value + by), len(games))
        for value, by in zip(centre, half, strict=True)
    ]
    return Ratings(tuple(seen[:players]), tuple(seen[players:]))


def chance(ratings: Ratings, seats: Sequence[int]) -> list[float]:
    """The chance of each seat to win where these players sit."""
    worth = [
        math.exp(ratings.strengths[player].value + ratings.seats[seat].value)
        for seat, player in enumerate(seats)
    ]
    return [one / sum(worth) for one in worth]


Floats = npt.NDArray[np.float64]


def _slopes(design: Floats, won: Floats, at: Floats) -> tuple[Floats, Floats]:
    """The slope of the logarithm of the likelihood for each game (games, parameters), and how fast that of
    the posterior falls (parameters, parameters)."""
    level = design @ at
    chances = np.exp(level - level.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    slopes = np.einsum('gs,gsp->gp', won - chances, design)
    mean = np.einsum('gs,gsp->gp', chances, design)
    curve = np.einsum('gs,gsp,gsq->pq', chances, design, design, optimize=True) - mean.T @ mean
    return slopes, curve + np.eye(len(at)) / PRIOR**2


def _covariance(scores: Floats, blocks: npt.NDArray[np.int_], curve: Floats) -> tuple[Floats, Floats]:
    """The covariance of the parameters by the model, and by the spread between blocks."""
    inverse = np.asarray(np.linalg.inv(curve), np.float64)
    _, place = np.unique(blocks, return_inverse=True)
    n = int(place.max()) + 1
    sums = np.zeros((n, scores.shape[1]))
    np.add.at(sums, place, scores)
    return inverse, inverse @ (sums.T @ sums) @ inverse * (n / max(n - 1, 1))


def _centred(covariances: tuple[Floats, Floats], players: int) -> Floats:
    """The larger variance of each parameter less the mean of its kind."""
    size = len(covariances[0])
    centre = np.eye(size)
    centre[:players, :players] -= 1 / players
    centre[players:, players:] -= 1 / (size - players)
    return np.maximum(*(np.diag(centre @ one @ centre.T) for one in covariances))
