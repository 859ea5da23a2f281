"""Numbers are printed as people read them."""

from __future__ import annotations

import pytest

from ludoteca.research.plots import compact
from ludoteca.text.numbers import with_minus


def test_a_number_below_zero_has_a_minus_sign_and_others_are_as_they_were() -> None:
    assert [with_minus(f'{value:+}') for value in (-8, 0.5, 0)] == ['−8', '+0.5', '+0']


@pytest.mark.parametrize(
    ('value', 'text'),
    [(-1234.5, '−1,234'), (-0.25, '−0.25'), (-0.0001, '−1e−04'), (1234.5, '1,234'), (0.0, '0'), (None, '–')],
)
def test_figures_of_any_size_have_the_same_minus_sign(value: float | None, text: str) -> None:
    assert compact(value) == text
