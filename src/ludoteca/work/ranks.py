"""What comes first. Jobs of a lower rank are done before all others."""

from __future__ import annotations

from typing import Final

PEOPLE: Final = 0
"""Somebody waits for it to go on: the bots at a table with people, the warning before a turn, the verdict on
an answer."""
HINTS: Final = 1
"""Somebody has asked for it, and can go on without it."""
BOTS: Final = 2
"""Bots among themselves."""
ANALYSES: Final = 3
"""Somebody looks at a position."""
REVIEWS: Final = 4
"""It is long, and nobody waits."""
