"""The catalogue of all words shown to people, and what renders them.

Words lie in TOML files: `en.toml` here for what all games share, `en.toml` in a game's folder for its own. A
key is the dotted path of a table; a text may hold {fields}, and literal braces are doubled. A game's `Words`
falls back to the shared ones.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import bidirectional

LANGUAGE = 'en'
ISOLATES = ('\u2068', '\u2069')
"""Unicode's signs around a part of a text that has a direction of its own: its first letter says which, and
what stands beside the part has no say in it (Unicode Standard Annex 9)."""


def isolated(text: str) -> str:
    """A part of a sentence, such as a name. Where letters of it run from right to left, it stands in
    `ISOLATES`: a number beside it would be drawn on its other side."""
    if text.isascii() or not any(bidirectional(letter) in ('R', 'AL') for letter in text):
        return text
    opens, closes = ISOLATES
    return text if text[0] == opens and text[-1] == closes else f'{opens}{text}{closes}'


def capitalized(text: str) -> str:
    """A text at the beginning of a title or of a sentence: its first letter is a capital, the rest stays."""
    return text[:1].upper() + text[1:]


def _flat(table: Mapping[str, Any], prefix: str = '') -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = f'{prefix}{name}'
        if isinstance(value, Mapping):
            yield from _flat(value, key + '.')
        else:
            yield (key[:-2] if key.endswith('._') else key), str(value)


@cache
def _read(path: Path) -> dict[str, str]:
    try:
        return dict(_flat(tomllib.loads(path.read_text(encoding='utf-8'))))
    except tomllib.TOMLDecodeError as error:
        error.add_note(f'These are the words in {path}.')
        raise


class Words:
    """The words of a folder, on top of the shared ones: `words('event.lay', space='a2')`."""

    def __init__(self, folder: Path | str | None = None) -> None:
        shared = Path(__file__).parent
        self._path = Path(folder or shared) / f'{LANGUAGE}.toml'
        self._texts = _read(shared / f'{LANGUAGE}.toml') | _read(self._path)

    def __call__(self, key: str, /, **values: object) -> str:
        """The text under `key` with its fields filled, each `isolated`. Raises KeyError for a key that is not
        in the catalogue."""
        if key not in self._texts:
            raise KeyError(f'There are no words for {key} in {self._path}.')
        text = self._texts[key]
        if '{' not in text and '}' not in text:
            return text
        for name, value in values.items():
            if isinstance(value, str):
                values[name] = isolated(value)
        return text.format_map(values)

    def counted(self, key: str, count: float, /, **values: object) -> str:
        """The text under `key`; that under `key.one` for one thing. `{n}` is the count if not given."""
        return self(f'{key}.one' if count == 1 else key, **{'n': count, **values})

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    def keys(self) -> frozenset[str]:
        """All keys."""
        return frozenset(self._texts)


words = Words()
"""The words that all games share."""
