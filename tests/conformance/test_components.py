"""Every game says which of its components are reconstructed: labels of tables, words, rulebook and credits
agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludoteca.game import Game

ROOT = Path(__file__).parent.parent.parent
CREDITS = ROOT / 'CREDITS.md'
KNOWN = ('certain', 'inferred', 'reconstructed', 'assumed')
PREFIX = 'reconstructed.'


def flat(text: str) -> str:
    """A text in one line and in small letters, without Markdown's marks."""
    return ' '.join(text.replace('*', '').split()).lower()


def test_a_game_says_of_each_part_of_its_components_how_it_is_known(game: Game) -> None:
    assert game.certainty
    for part, known in game.certainty.items():
        assert re.match(rf'({"|".join(KNOWN)})\b', known), f'{part}: {known}'


def test_parts_whose_labels_do_not_call_them_certain_or_inferred_are_reconstructed(game: Game) -> None:
    open_ = {part for part, known in game.certainty.items() if not known.startswith(('certain', 'inferred'))}
    assert open_ <= set(game.reconstructed) <= set(game.certainty)


def test_a_game_has_words_for_each_reconstructed_part_and_for_no_other(game: Game) -> None:
    assert {key.removeprefix(PREFIX) for key in sorted(game.words.keys()) if key.startswith(PREFIX)} == set(
        game.reconstructed
    )


def test_the_rulebook_names_each_reconstructed_part(game: Game) -> None:
    text = flat(game.rules())
    for part in game.reconstructed:
        assert flat(game.words(PREFIX + part)) in text, part
    assert not game.reconstructed or 'reconstruct' in text


def test_the_credits_list_what_is_reconstructed_in_each_game(game: Game) -> None:
    if not Path(game.folder).is_relative_to(ROOT / 'src'):
        pytest.skip('the credits are those of the built-in games')
    parts = ', '.join(game.words(PREFIX + part) for part in game.reconstructed) or 'nothing'
    assert f'\n* **{game.title}**: {parts}\n' in CREDITS.read_text(encoding='utf-8')
