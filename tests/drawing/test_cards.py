"""What the drawings of cards have in common."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ludoteca.drawing.cards import cut_name, letters_width


@given(st.text(max_size=40), st.floats(20, 400), st.floats(8, 24))
def test_a_name_is_whole_where_it_has_room_and_else_ends_with_an_ellipsis(
    name: str, most: float, size: float
) -> None:
    shown = cut_name(name, most, size)
    if letters_width(name, size) <= most:
        assert shown == name
    else:
        assert shown.endswith('…')
        assert name.startswith(shown[:-1])
        assert shown == '…' or letters_width(shown, size) <= most


def test_wide_letters_take_more_room() -> None:
    assert cut_name('Wilhelmina', 100, 14) == 'Wilhelmina'
    assert cut_name('WWWWWWWWWW', 100, 14) == 'WWWWWW…'
    assert cut_name('東京東京東京東京東京', 100, 14) == '東京東京東京…'
