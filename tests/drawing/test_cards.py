"""What the drawings of cards have in common."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from ludoteca.drawing.cards import card_lines, cut_name, letters_width
from ludoteca.drawing.marks import pill
from ludoteca.drawing.palette import PLAYERS


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
    assert cut_name('Wilhelmina', 110, 14) == 'Wilhelmina'
    assert cut_name('WWWWWWWWWW', 110, 14) == 'WWWWWW…'
    assert cut_name('東京東京東京東京東京', 100, 14) == '東京東京東京…'


def test_a_bold_name_without_a_narrow_letter_is_as_wide_as_it_may_be_drawn() -> None:
    """In DejaVu Sans Bold, a usual font of pages on Linux, this name is 205 units wide, and the number 35."""
    assert letters_width('Bonneheddo Donbombad', 14.5) >= 205
    assert letters_width('12.5', 14.5) >= 35


@given(st.text(max_size=80), st.floats(40, 400), st.floats(8, 24))
def test_a_word_that_is_wider_than_its_line_is_cut(text: str, most: float, size: float) -> None:
    for line in card_lines(text, most, size):
        assert letters_width(line, size) <= most or line == '…'


def test_a_sentence_breaks_where_wide_letters_fill_the_line() -> None:
    assert card_lines('東京東京 says which tile', 100, 14) == ['東京東京', 'says which', 'tile']
    assert card_lines('東京東京東京 says', 70, 14) == ['東京東…', 'says']


@given(
    st.from_regex(r'[+−](\d{1,2}½?|½)', fullmatch=True), st.sampled_from(sorted(PLAYERS)), st.floats(20, 40)
)
def test_points_stay_in_their_pill_in_the_widest_font(text: str, colour: str, height: float) -> None:
    drawing = ElementTree.fromstring(f'<svg>{pill(colour, text, height)}</svg>')
    frame, written = drawing.find('rect'), drawing.find('text')
    assert frame is not None
    assert written is not None
    right = float(frame.get('x', 0)) + float(frame.get('width', 0))
    reach = letters_width(text, float(written.get('font-size', 0))) / 2
    assert float(written.get('x', 0)) + reach <= right - 0.2 * height
    assert float(written.get('x', 0)) - reach >= float(frame.get('x', 0)) + height
