"""A position of Myriath for the commands: a game whose steps have names of three words, and many of them."""

from __future__ import annotations

from typing import Any

POSITION: dict[str, Any] = {
    'game': 'myriath',
    'players': 2,
    'to_move': 0,
    'tiles': [{'owner': 0, 'tile': 'O', 'at': [2, 2]}, {'owner': 1, 'tile': 'O', 'at': [3, 3]}],
}
PLACEMENTS = 184
"""How many there are in this position."""
