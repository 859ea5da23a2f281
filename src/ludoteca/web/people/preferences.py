"""What a person prefers: the settings that pages and drawings look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ludoteca.game import COLOURS, ViewSettings


@dataclass(frozen=True)
class Preferences:
    """The settings of a person."""

    theme: str = 'system'
    confirm: str = 'auto'
    coordinates: bool = True
    marks: bool = True
    deductions: bool = True
    sound: bool = False
    haptics: bool = False
    notify: bool = False
    log: str = 'sentences'
    coach: str = 'first'  # says what to notice and warns before blunders: in the first games of a title, or…
    places: bool = False  # the board as a list beside the drawing
    colour: str = ''  # the colour that the person would like to have in new games; '' for none

    ALLOWED = {  # noqa: RUF012 (a constant)
        'theme': ('system', 'light', 'dark'),
        'confirm': ('auto', 'on', 'off'),
        'coach': ('first', 'always', 'never'),
        'log': ('sentences', 'notation'),
        'colour': ('', *COLOURS),
    }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Preferences:
        """The preferences that were stored. Unknown names and impossible values are left out."""
        found: dict[str, Any] = {}
        for name, default in asdict(cls()).items():
            value = data.get(name, default)
            if value in cls.ALLOWED.get(name, (True, False)) and isinstance(value, type(default)):
                found[name] = value
        return cls(**found)

    def json(self) -> dict[str, Any]:
        """The preferences as plain data."""
        return asdict(self)

    @property
    def drawing(self) -> ViewSettings:
        """The preferences that a drawing looks at."""
        return ViewSettings(coordinates=self.coordinates, marks=self.marks, deductions=self.deductions)
