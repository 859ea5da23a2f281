"""Numbers are printed as people read them."""

from __future__ import annotations

import pytest

from ludoteca.game import load
from ludoteca.research.plots import compact
from ludoteca.text.numbers import with_half, with_minus


def test_a_number_below_zero_has_a_minus_sign_and_others_are_as_they_were() -> None:
    assert [with_minus(f'{value:+}') for value in (-8, 0.5, 0)] == ['−8', '+0.5', '+0']


@pytest.mark.parametrize(
    ('value', 'text'),
    [(-1234.5, '−1,234'), (-0.25, '−0.25'), (-0.0001, '−1e−04'), (1234.5, '1,234'), (0.0, '0'), (None, '–')],
)
def test_figures_of_any_size_have_the_same_minus_sign(value: float | None, text: str) -> None:
    assert compact(value) == text


@pytest.mark.parametrize(
    ('game', 'key', 'one', 'more'),
    [
        ('octiles', 'board.stack_hand', 'one tile below the one', '2 tiles below the one'),
        ('myrmidons', 'prompt.help.quiet', 'in one turn', 'in 2 turns'),
        ('mykerinos', 'count.cubes', '1 cube', '2 cubes'),
        ('mykerinos', 'count.sets', '1 set of five', '2 sets of five'),
        ('myriath', 'points', '1 point', '2 points'),
        ('myriath', 'about.places', 'in one way', 'in 2 ways'),
        ('myraclia', 'panel.disks', '1 disk left', '2 disks left'),
        ('myraclia', 'card.bags.tiles', '1 tile in', '2 tiles in'),
    ],
)
def test_one_thing_is_counted_as_one(game: str, key: str, one: str, more: str) -> None:
    words = load(game).words
    assert one in words.counted(key, 1)
    assert f'{one}s' not in words.counted(key, 1)
    assert more in words.counted(key, 2)


@pytest.mark.parametrize(('number', 'text'), [(0.5, '½'), (2.5, '2½'), (3.0, '3'), (0.25, '0.25')])
def test_a_half_is_one_sign(number: float, text: str) -> None:
    assert with_half(number) == text
