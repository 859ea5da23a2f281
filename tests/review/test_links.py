"""Links make of what is expected how often it comes true."""

from __future__ import annotations

import numpy as np
import pytest

from ludoteca.game import load
from ludoteca.review.links import fit, linked
from tests.built_in import BUILT_IN


def test_a_link_keeps_sums_and_order_and_one_changes_nothing() -> None:
    expected = np.array([[0.2, 0.8], [0.5, 0.5], [0.0, 1.0]])
    assert linked(expected, 1.0) is expected
    for exponent in (0.4, 2.5):
        found = linked(expected, exponent)
        assert found.sum(axis=1) == pytest.approx([1, 1, 1])
        assert found[0, 0] < found[1, 0] == pytest.approx(0.5)
    assert linked(np.array([0.2, 0.3, 0.5]), 2.0) == pytest.approx(np.array([0.04, 0.09, 0.25]) / 0.38)


def test_with_two_seats_a_link_is_the_logistic_one() -> None:
    p, a = 0.7, 1.6
    odds = (p / (1 - p)) ** a
    assert linked(np.array([p, 1 - p]), a)[0] == pytest.approx(odds / (1 + odds))


@pytest.mark.parametrize('exponent', [0.5, 1.0, 2.0])
def test_the_exponent_is_found_from_which_results_were_drawn(exponent: float) -> None:
    chance = np.random.default_rng(1)
    first = chance.uniform(0.05, 0.95, 4000)
    expected = np.column_stack((first, 1 - first))
    won = chance.uniform(size=4000) < linked(expected, exponent)[:, 0]
    found, error = fit(expected, np.column_stack((won, ~won)).astype(float))
    assert 0 < error < 0.1
    assert abs(found - exponent) < 4 * error


def test_where_nothing_speaks_for_an_exponent_it_is_one() -> None:
    assert fit(np.full((5, 2), 0.5), np.tile([1.0, 0.0], (5, 1))) == (1.0, float('inf'))


@pytest.mark.parametrize('name', BUILT_IN)
def test_a_link_changes_no_order_of_two_seats(name: str) -> None:
    link = load(name).link
    shares = [linked(np.array([p, 1 - p]), link)[0] for p in (0.1, 0.4, 0.5, 0.6, 0.9)]
    assert shares == sorted(shares)
    assert shares[2] == pytest.approx(0.5)
