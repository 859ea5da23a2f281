"""Options of Mykerinos."""

from __future__ import annotations

from dataclasses import dataclass

from ludoteca.game import Options, option


@dataclass(frozen=True)
class MykerinosOptions(Options):
    """Options of Mykerinos."""

    # rooms of which one must hold an own cube before the wing's 5 room is entered
    five_door: str = option('any', 'three')
