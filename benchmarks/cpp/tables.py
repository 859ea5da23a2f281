"""The tables of Octiles and Myraclia as C++ headers, from the games' own components."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ludoteca.games.myraclia import components as myraclia
from ludoteca.games.octiles import components as octiles

NUMBERS = {
    'octiles': 'N_SPACES N_STOPS N_POSTS N_TILES FIRST_POST',
    'myraclia': 'N_TILES N_BASE N_COLOURS N_SURFACES N_DISPLAY N_CELLS SPAN LAST_ROUND ALL_TYPES OVERTAKEN',
}


def written(values: Any, suffix: str) -> str:
    """An array as the braces of C++, with a suffix to each number."""
    if np.ndim(values):
        return f'{{{",".join(written(value, suffix) for value in values)}}}'
    return f'{int(values)}{suffix}'


def table(kind: str, name: str, values: Any) -> str:
    """The declaration of an array; u64 takes the bits of an int64."""
    array = np.asarray(values)
    shape = ''.join(f'[{n}]' for n in array.shape)
    text = written(array.astype(np.uint64), 'u') if kind == 'u64' else written(array, '')
    return f'constexpr {kind} {name}{shape} = {text};\n'


def header(game: str) -> str:
    """The header of a game."""
    made = octiles_tables() if game == 'octiles' else myraclia_tables()
    components = octiles if game == 'octiles' else myraclia
    numbers = ''.join(
        f'constexpr int {name} = {getattr(components, name)};\n' for name in NUMBERS[game].split()
    )
    return f'#pragma once\n{numbers}{made}'


def octiles_tables() -> str:
    """What octiles.cpp reads."""
    c = octiles
    crossing = [[c.word(match) for match in rotations] for rotations in c.MATCH]
    return ''.join(
        (
            table('int', 'PRELAID', c.PRELAID),
            table('u8', 'ROTATIONS', c.ROTATIONS_TABLE),
            table('signed char', 'SIDE_OF', c.SIDE_OF_TABLE),
            table('u8', 'SIDE_OF_SEAT', c.SIDE_OF_SEAT_TABLE),
            table('u8', 'N_EXITS', c.N_EXITS_TABLE),
            table('int', 'EXITS', c.EXITS_TABLE),
            table('u8', 'LINK', c.LINK_TABLE),
            table('u64', 'CIRCLES', c.CIRCLES_TABLE),
            table('u64', 'CROSSED', c.CROSSED_TABLE),
            table('u64', 'CROSSING', crossing),
            table('u64', 'STUCK', c.STUCK_TABLE),
        )
    )


def myraclia_tables() -> str:
    """What myraclia.cpp reads."""
    c = myraclia
    assert sum(c.CUBES) < 256  # a heap is eight bytes
    return ''.join(
        (
            table('int', 'CUBES', c.CUBES_TABLE),
            table('u8', 'REQUIRED', c.REQUIRED_TABLE),
            table('int', 'POINTS', c.POINTS_TABLE),
            table('int', 'RELEASED', c.RELEASED_TABLE),
            table('u32', 'SHOWS', (c.SHOWS_TABLE << 8 * np.arange(c.N_SURFACES)).sum(axis=1)),
            table('int', 'START_TILES', c.START_TILES_TABLE),
            table('int', 'DISKS', c.DISKS_TABLE),
            table('int', 'END_TILES', c.END_TILES_TABLE),
            table('int', 'DRAFT_FIRST', c.DRAFT_FIRST_TABLE),
            table('int', 'DRAFT_LATER', c.DRAFT_TABLE),
            table('int', 'SURFACE_POINTS', c.SURFACE_POINTS_TABLE),
            table('int', 'LAYOUT', c.LAYOUT_TABLE),
            table('int', 'STEP', c.STEP_TABLE),
        )
    )


def write(game: str, folder: Path) -> None:
    """Write GAME_tables.h into a folder."""
    (folder / f'{game}_tables.h').write_text(header(game), encoding='utf-8')
