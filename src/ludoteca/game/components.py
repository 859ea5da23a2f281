"""Component sets: other printed values than a game's own.

A game whose table of printed values may vary declares it in its module `components`:

    TABLE = ComponentTable(
        Path(__file__).parent / 'tiles.json', tiles=Each(Entry(points=Whole(0, 9, 'points')))
    )
    _data = TABLE.read(__name__)

and everything else in that module is derived from `_data`. The keywords name the parts that may vary; all
others stay as they are. A COMPONENT SET is a JSON object with some or all of these parts; `variants.py` makes
a game with it.

The WORDS of a set (its title, what is said about it and its values) are those of the file that was given
last. Who knows a set by its hash alone calls it by the hash: the words may be somebody else's.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from ludoteca.game.contract import Game
from ludoteca.game.errors import GameError
from ludoteca.game.kinds import Path as Where
from ludoteca.game.kinds import ValueKind, at, shown
from ludoteca.text import words

MARK = '@'
"""Between the name of a game and the hash of a component set."""
DIGITS = 12
NAME = re.compile(rf'(\w+){MARK}([0-9a-f]{{{DIGITS}}})')
WORDS = ('title', 'about', 'certainty')
"""Keys of a set that people have written: what it is called, what is said of it, how its values are known."""
ABOUT = ('game', *WORDS)
"""Keys of a set that are no values."""
LONGEST_TITLE = 60
LARGEST = 200_000
"""Bytes of a file with a component set, at most."""

GIVEN = 'given'
"""How a value is known that a component set gives: the first word of its `certainty`."""
LOADING: dict[str, ComponentSet] = {}
"""Sets with which modules of a game are being loaded, by the name of the game with the set."""


# ---- the table of a game -----------------------------------------------------------------------------------


class ComponentTable:
    """A game's table of printed values, and which parts of it may vary.

    `own` is the table, or the JSON file that holds it. `check` says in a sentence what of a whole table does
    not go together beyond what the kinds say; it yields none for a table that is fine. `notes` says in
    sentences where the rulebook does not hold for a table that is fine.
    """

    def __init__(
        self,
        own: Path | Mapping[str, Any],
        check: Callable[[Mapping[str, Any]], Iterator[str]] | None = None,
        notes: Callable[[Mapping[str, Any]], Iterator[str]] | None = None,
        **parts: ValueKind,
    ) -> None:
        self.own: dict[str, Any] = (
            json.loads(own.read_text(encoding='utf-8')) if isinstance(own, Path) else dict(own)
        )
        self.parts = parts
        self._check, self._notes = check, notes

    def read(self, module: str) -> dict[str, Any]:
        """The table for the module `components` of that name: the game's own, or that of the component set
        for which the module is being loaded."""
        found = NAME.fullmatch(module.rpartition('.')[0].rpartition('.')[2])
        return self.own if found is None else LOADING[found[0]].table(self)

    def values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The parts that may vary, with the values of a set where it gives them."""
        return {name: given.get(name, self.own[name]) for name in self.parts}

    def check(self, given: Any, game: Game) -> None:
        """Raises GameError, with a sentence that names the place, if a set cannot be used with this game."""
        if not isinstance(given, Mapping):
            raise GameError(words('components.error.no_object', parts=', '.join(self.parts)))
        if given.get('game', game.base_name) != game.base_name:
            raise GameError(
                words('components.error.other_game', named=shown(given['game']), game=game.base_name)
            )
        for key in given:
            if key not in self.own and key not in ABOUT:
                raise GameError(
                    words(
                        'components.error.no_part',
                        key=shown(key),
                        parts=', '.join(self.parts),
                        game=game.title,
                    )
                )
            if key in self.own and key not in self.parts and key not in ABOUT and given[key] != self.own[key]:
                raise GameError(words('components.error.fixed_part', key=key, parts=', '.join(self.parts)))
        self._check_words(given, game)
        for name, kind in self.parts.items():
            if name in given:
                kind.check(given[name], (name,), self.own)
        if self._check is not None:
            for sentence in self._check({**self.own, **self.values(given)}):
                raise GameError(sentence)

    @staticmethod
    def _check_words(given: Mapping[str, Any], game: Game) -> None:
        for key in ('title', 'about'):
            text, most = given.get(key, ''), LONGEST_TITLE if key == 'title' else 2000
            if (
                not isinstance(text, str)
                or len(text) > most
                or not text.replace('\n', ' ' * (key == 'about') or '\n').isprintable()
            ):
                raise GameError(words('components.error.text', key=key, most=most))
        known = given.get('certainty', {})
        if not isinstance(known, Mapping) or not all(
            isinstance(key, str) and isinstance(text, str) and len(text) < 2000 for key, text in known.items()
        ):
            raise GameError(words('components.error.certainty', parts=', '.join(game.certainty)))
        for key in known:
            if key not in game.certainty:
                raise GameError(words('components.error.certainty', parts=', '.join(game.certainty)))

    def notes(self, values: Mapping[str, Any]) -> list[str]:
        """Where the rulebook does not hold for the values of a set, in sentences."""
        return list(self._notes({**self.own, **values})) if self._notes else []

    def differences(self, values: Mapping[str, Any]) -> Iterator[tuple[Where, ValueKind, Any, Any]]:
        """Where values of a set differ from the game's own: place, kind, own value, the set's value."""
        for name, kind in self.parts.items():
            for path, leaf, value in kind.leaves(values[name], (name,)):
                try:
                    own = at(self.own, path)
                except (KeyError, IndexError):
                    own = None
                if value != own:
                    yield path, leaf, own, value


def written(values: Any) -> str:
    """Values as JSON that is the same for equal values."""
    return json.dumps(values, sort_keys=True, separators=(',', ':'))


# ---- a set -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ComponentSet:
    """A component set that was checked."""

    game: str
    hash: str
    title: str  # '' if nobody gave it one
    values: Mapping[str, Any] = field(repr=False)  # all parts that may vary
    about: str = field(default='', repr=False)
    certainty: Mapping[str, str] = field(default_factory=dict, repr=False)  # what the set says of its values

    @property
    def name(self) -> str:
        """The name of the game with this set."""
        return f'{self.game}{MARK}{self.hash}'

    @property
    def words(self) -> tuple[str, str, Mapping[str, str]]:
        """What people have said of the set: nothing in the game depends on it."""
        return self.title, self.about, self.certainty

    def without_words(self) -> ComponentSet:
        """The same values, of which nobody has said anything."""
        return replace(self, title='', about='', certainty={})

    @property
    def label(self) -> str:
        """What the set is called for people."""
        return self.title or words('components.untitled')

    @property
    def title_or_hash(self) -> str:
        """What the set is called after the words `component set`."""
        return self.title or self.hash

    def table(self, own: ComponentTable) -> dict[str, Any]:
        """The whole table of the game with the values of the set, without its words: equal values make equal
        modules."""
        known = self.without_words().known(own)
        return {**copy.deepcopy(own.own), **copy.deepcopy(dict(self.values)), 'certainty': known}

    def known(self, own: ComponentTable) -> dict[str, str]:
        """How each part of the components is known: as the set says, else as before where the set changes
        nothing."""
        known = dict(own.own.get('certainty', {}))
        for part in {kind.part for _, kind, _, _ in own.differences(self.values)} - {''}:
            known[part] = f'{GIVEN}: {words("components.given", title=self.title_or_hash)}'
        return known | {key: text for key, text in self.certainty.items() if key in known}

    def json(self) -> dict[str, Any]:
        """The set as plain data, as it is exported."""
        found: dict[str, Any] = {'game': self.game, 'title': self.title}
        if self.about:
            found['about'] = self.about
        if self.certainty:
            found['certainty'] = dict(self.certainty)
        return {**found, **copy.deepcopy(dict(self.values))}


def split(name: str) -> tuple[str, str]:
    """The name of a game without a set, and the hash of its set; '' if it has none."""
    base, _, hash_ = name.partition(MARK)
    return base, hash_


def table_of(game: Game) -> ComponentTable:
    """The table of a game. Raises GameError if the game declares none: its components cannot be exchanged."""
    if (table := _table(game)) is None:
        raise GameError(words('components.error.no_table', game=game.title))
    return table


def exchangeable(game: Game) -> bool:
    """Does the game declare a table, so that it can be played with other components?"""
    return _table(game) is not None


def _table(game: Game) -> ComponentTable | None:
    found = getattr(sys.modules.get(f'{package_of(game)}.components'), 'TABLE', None)
    return found if isinstance(found, ComponentTable) else None


def package_of(game: Game) -> str:
    """The package that holds a game's modules."""
    return game.kernels.setup.__module__.rpartition('.')[0]


def checked_set(game: Game, given: Any) -> ComponentSet:
    """A component set from plain data. Raises GameError, with a sentence that names the place, if it cannot
    be used."""
    table = table_of(game)
    table.check(given, game)
    values = {name: copy.deepcopy(value) for name, value in table.values(given).items()}
    digest = hashlib.blake2b(written(values).encode(), digest_size=DIGITS // 2).hexdigest()
    known = {
        key: text
        for key, text in given.get('certainty', {}).items()
        if text != table.own.get('certainty', {}).get(key)
    }
    return ComponentSet(
        game.base_name, digest, given.get('title', '').strip(), values, given.get('about', ''), known
    )


def exported(game: Game) -> dict[str, Any]:
    """The component set of a game as plain data: of a variant its own, of a game the values that it is played
    with."""
    if game.component_set is not None:
        return cast(ComponentSet, game.component_set).json()
    table = table_of(game)
    known = {key: table.own[key] for key in ABOUT if key in table.own}
    found = {'game': game.name, 'title': '', **known, **table.values({})}
    return copy.deepcopy(found)


def text_of(data: Mapping[str, Any]) -> str:
    """A set as the text of a JSON file: what is short on one line."""
    return _lines(data, '') + '\n'


def _lines(value: Any, indent: str) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value or len(flat) + len(indent) <= 100:
        return flat
    inner = indent + ' '
    if isinstance(value, dict):
        rows = [f'{inner}{json.dumps(key)}: {_lines(one, inner)}' for key, one in value.items()]
        return '{\n' + ',\n'.join(rows) + f'\n{indent}}}'
    return '[\n' + ',\n'.join(inner + _lines(one, inner) for one in value) + f'\n{indent}]'


def read_set(path: Path | str) -> Any:
    """The data of a file with a component set. Raises GameError if it cannot be read or is not JSON."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as problem:
        why = getattr(problem, 'strerror', None) or str(problem)
        raise GameError(words('components.error.unreadable', path=path, reason=why.lower())) from problem
    return parsed(data, str(path))


def set_of_file(data: Any, source: str) -> str:
    """The game that a set names. Raises GameError if it names none."""
    named = data.get('game') if isinstance(data, Mapping) else None
    if not isinstance(named, str):
        raise GameError(words('components.error.no_game', path=source))
    return split(named)[0]


def parsed(data: bytes | str, source: str) -> Any:
    """The data of JSON text. Raises GameError if it is too long or is not JSON."""
    if len(data) > LARGEST:
        raise GameError(words('components.error.large', path=source, most=LARGEST))
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise GameError(words('components.error.not_json', path=source)) from problem
