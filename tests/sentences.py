"""From which text of a game's catalogue a sentence was made."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ludoteca.game import Game
from ludoteca.text import Words


class Gap(dict[str, str]):
    """Fills any field of a text with a mark."""

    def __missing__(self, field: str) -> str:
        return '\0'


def errors(game: Game) -> dict[str, str]:
    """What a game says is wrong with names of actions and with positions, by keys; fields are marked by
    zeros."""
    texts = Words(game.folder)._texts
    return {
        key: text.format_map(Gap())
        for key, text in texts.items()
        if key.startswith(('action.error.', 'position.error.'))
    }


def kinds_of(sentence: str, texts: Mapping[str, str]) -> list[str]:
    """Of which of the texts a sentence may have been made, whatever their fields were filled with."""
    return [
        key
        for key, text in texts.items()
        if re.fullmatch('.+'.join(map(re.escape, text.split('\0'))), sentence, re.DOTALL)
    ]


def check_sentence(text: str) -> None:
    """Fails if a text is not one sentence for people: a line that ends like a sentence."""
    assert '\n' not in text, text
    assert text.endswith(('.', '?')), text
    assert 'Error' not in text, text
