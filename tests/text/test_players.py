"""Words about players."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ludoteca.text import Words, isolated
from ludoteca.text.players import letter, listed, player_word


def test_a_player_is_called_by_name_or_else_by_colour() -> None:
    assert [player_word(seat, ('Ann', '')) for seat in range(3)] == ['Ann', 'Red', 'Yellow']
    assert player_word(1, (), ('green', 'purple')) == 'Purple'


def test_the_letter_of_a_colour_is_that_of_its_word() -> None:
    assert letter('purple') == 'P'


def test_lists_read_as_sentences_do() -> None:
    assert [listed(['a', 'b', 'c'][:n]) for n in range(4)] == ['', 'a', 'a and b', 'a, b and c']
    assert listed([], 'none') == 'none'


def test_words_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / 'en.toml').write_text('title = "My game', encoding='utf-8')
    with pytest.raises(tomllib.TOMLDecodeError) as error:
        Words(tmp_path)
    assert str(tmp_path) in error.value.__notes__[0]


def test_parts_of_sentences_that_run_from_right_to_left_stand_for_themselves() -> None:
    name = '\u05d3\u05df'
    assert isolated(name) == isolated(isolated(name)) == f'\u2068{name}\u2069'
    assert [isolated(other) for other in ('', 'Ann', 'Zoë', '名前')] == ['', 'Ann', 'Zoë', '名前']
    words = Words()
    assert words('web.lobby.to_move', name=name) == words('web.lobby.to_move', name=f'\u2068{name}\u2069')
    assert '\u2068' not in words('web.lobby.to_move', name='Zoë')
