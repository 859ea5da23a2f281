"""The options of Octiles."""

from __future__ import annotations

from dataclasses import dataclass

from ludoteca.game import Options, option


@dataclass(frozen=True)
class OctilesOptions(Options):
    """Options of Octiles."""

    repetition: bool = option(False)  # the third occurrence of a position is a draw
