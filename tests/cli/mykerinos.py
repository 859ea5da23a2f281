"""A position of Mykerinos for the commands: a game whose turns have many steps and are too many to be
listed."""

from __future__ import annotations

from typing import Any

POSITION: dict[str, Any] = {
    'game': 'mykerinos',
    'players': 2,
    'to_move': 0,
    'season': 2,
    'wings': ['brown', 'blackmore', 'lemon', 'violet', 'tangerine'],
    'tiles': [
        'lemon-6',
        'violet-3',
        'tangerine-2',
        'brown-6',
        'tangerine-3',
        'blackmore-1',
        'brown-1',
        'brown-2 turned',
    ],
    'held': [['lemon-1', 'tangerine-1'], ['brown-3']],
    'gone': ['lemon-2', 'lemon-3', 'lemon-4', 'violet-1', 'violet-2'],
    'cubes': {'c4': 0, 'd2': 1, 'e4': 'neutral', 'f4': 'neutral'},
    'stock': [6, 1],
    'neutral': [4, 0],
}
"""Blue can ask Lord Lemon and Colonel Tangerine, and lay neutral cubes afterwards; Red can ask Sir Brown."""
