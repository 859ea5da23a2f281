"""`legal`, `perft` and `draw`: commands that look at one position."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludoteca.cli.common import (
    STDIN,
    decode,
    fail,
    parse_position,
    print_json,
    progress,
    read_position,
    read_seat,
    read_seed,
    start,
    write_file,
)
from ludoteca.drawing.raster import png
from ludoteca.game import Position, load
from ludoteca.text import words


def legal(name: str, path: str, turns: bool) -> None:
    """Print the names of the legal actions or turns. For a file there is one name a line; for standard input
    each position is one line and is answered by one JSON list."""
    game = load(name)
    if path != STDIN:
        for step in _names(read_position(game, path), turns):
            print(step)
        return
    for number, line in enumerate(sys.stdin.buffer, 1):
        source = words('cli.line', number=number)
        text = decode(line, source)
        if text.strip():
            print_json(_names(parse_position(game, text, source), turns))


def _names(position: Position, turns: bool) -> list[str]:
    return position.turns() if turns else position.legal()


def perft(
    name: str,
    path: str | None,
    players: int | None,
    seed: str | None,
    options: Sequence[str],
    depth: int,
    all_rotations: bool,
) -> None:
    """Count the sequences of turns from a position, and print the count alone."""
    from ludoteca.research import perft as counting

    game = load(name)
    if path is None:
        state = start(game, players, read_seed(seed), options)
    else:
        if players is not None or seed is not None or options:
            fail('start_of_position')
        position = read_position(game, path)
        if _unknown(position.to_json()):
            fail('unknown', path=path)
        state = position.state
    with progress(None, words('cli.perft.counting', depth=depth)) as advance:
        last = 0

        def report(total: int) -> None:
            nonlocal last
            advance(total - last)
            last = total

        count = counting.perft(game, state, depth, all_rotations, report)
    print(count)


def _unknown(data: Any) -> bool:
    """Does a position's JSON form hold unknown values?"""
    if isinstance(data, dict):
        data = list(data.values())
    return data is None or (isinstance(data, list) and any(_unknown(value) for value in data))


def draw(
    name: str,
    path: str | None,
    output: str,
    seat: str | None,
    theme: Any,
    width: int,
    players: int | None,
    seed: str | None,
    options: Sequence[str],
) -> None:
    """Write a picture of a position, or of the start of a game, as one seat may see it."""
    suffix = Path(output).suffix.lower()
    if suffix not in ('.svg', '.png'):
        fail('picture', path=output)
    if not 16 <= width <= 8192:
        fail('width', width=width)
    game = load(name)
    if path is not None and (players is not None or seed is not None or options):
        fail('start_of_position')
    if path is None:
        position = Position(game, start(game, players, read_seed(seed if seed is not None else '0'), options))
    else:
        position = read_position(game, path)
    viewer = None if seat is None else read_seat(game, int(position.state.players), seat)
    svg = position.svg(viewer, theme)
    write_file(output, svg.encode() if suffix == '.svg' else png(svg, width))
