"""A position of Myrmidons for the commands: a game with secrets whose steps have names of two words."""

from __future__ import annotations

from typing import Any

POSITION: dict[str, Any] = {
    'game': 'myrmidons',
    'to_move': 0,
    'pieces': [
        {'at': 'c1', 'owner': 0, 'type': '5-1-3'},
        {'at': 'd1', 'owner': 0, 'type': '1-1-1'},
        {'at': 'c7', 'owner': 1, 'type': '1-1-1'},
        {'at': 'e4', 'owner': 1, 'type': '2-5-2'},
    ],
}
MOVES = [
    'c1-a1',
    'c1-b1',
    'c1-b2',
    'c1-c2',
    'c1-d2',
    'c1-a3',
    'c1-c3',
    'c1-e3',
    'c1-c4',
    'c1-f4',
    'd1-e1',
    'd1-c2',
    'd1-d2',
    'd1-e2',
]
ORDERS = {'order N': (1, 2, 3), 'order NE': (1, 2, 3), 'order E': (1,), 'order W': (1, 2), 'order NW': (1, 2)}
"""The headings that are possible, and how far the 5-1-3 can go along."""
