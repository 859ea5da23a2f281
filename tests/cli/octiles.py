"""Positions of Octiles for the commands that need a real game."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / 'data' / 'octiles'
PATTERNS = (1, 4, 2, 8, 4, 8, 8, 4, 8, 8, 4, 8, 8, 4, 8, 8, 8, 2)  # different rotations of tiles 1..18
HOME = {'W': 'A1 A2 A3 A4 A5', 'N': 'A6 B6 C6 D6 E6', 'E': 'F6 F5 F4 F3 F2', 'S': 'F1 E1 D1 C1 B1'}
SIDES = {2: 'WE', 3: 'WNE', 4: 'WNES'}

POSITION = {
    'game': 'octiles',
    'players': 2,
    'to_move': 1,
    'tiles': {'a2': [17, 7]},
    'stack': [8, 7, 15, 18, 10, 11, 9, 2, 16, 6, 4, 1, 5, 14, 12, 13, 3],
    'runners': {'A2': 0, 'A3': 0, 'A4': 0, 'A5': 0, 'B2': 0, 'F2': 1, 'F3': 1, 'F4': 1, 'F5': 1, 'F6': 1},
}
TURNS = {'e3:2 F2-E4', 'e3:3 F2-E4', 'e4:0 F5-E4', 'e4:1 F5-E4', 'e4:1 F6-E5'}


def start(players: int, stack: list[int]) -> dict[str, Any]:
    """The start with a given stack, its top first; of three players the first two tiles lie in rotation 0."""
    runners = {
        post: seat
        for seat, side in enumerate(SIDES[players])
        for k, post in enumerate(HOME[side].split())
        if players < 4 or k != 2
    }
    laid = 2 if players == 3 else 0
    tiles = {space: [tile, 0] for space, tile in zip(('c1', 'd1'), stack[:laid], strict=False)}
    return {
        'game': 'octiles',
        'players': players,
        'to_move': 0,
        'tiles': tiles,
        'stack': stack[laid:],
        'runners': runners,
    }


def perft() -> dict[str, tuple[dict[str, Any], list[int]]]:
    """Starts with the numbers of sequences of 1, 2, 3 turns, all rotations counted."""
    found = {}
    for name, counts in json.loads((DATA / 'perft.json').read_text()).items():
        stack = list(range(1, 19))
        found[name] = start(int(name[0]), stack[::-1] if name.endswith('18..1') else stack), counts
    return found


def recorded(every: int) -> Iterator[tuple[dict[str, Any], set[str]]]:
    """Every so-many-th recorded position with the names of its legal turns, rotations of the same pattern
    once."""
    with gzip.open(DATA / 'positions_2p.jsonl.gz', 'rt') as file:
        lines = [line for line in map(json.loads, file) if not line.get('end')]
    for line in lines[::every]:
        count = PATTERNS[line['pool_top_first'][0] - 1]
        turns = {
            f'{space}:{int(rotation) % count} {move}'
            for space, rotations in line['moves'].items()
            for rotation, moves in rotations.items()
            for move in moves
        }
        yield (
            {
                'game': 'octiles',
                'players': line['np'],
                'to_move': line['turn'],
                'tiles': line['tiles'],
                'stack': line['pool_top_first'],
                'runners': line['runners'],
            },
            turns or {'pass'},
        )
