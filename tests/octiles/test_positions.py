"""2,470 positions of twenty recorded games, each with the complete list of legal moves."""

from __future__ import annotations

import gzip
import json
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from ludoteca.kernel import compiled
from tests.octiles.model import DATA, ROTATIONS, Game, Turn, canonical
from tests.octiles.support import assert_same, canonical_tiles, model_turns, read_position, turns

Line = dict[str, Any]


@cache
def recorded() -> dict[int, list[Line]]:
    """The lines of each game; the last one tells how it ended."""
    games: dict[int, list[Line]] = {}
    with gzip.open(DATA / 'positions_2p.jsonl.gz', 'rt', encoding='utf-8') as lines:
        for line in map(json.loads, lines):
            games.setdefault(line['game'], []).append(line)
    return games


def as_json(line: Line) -> dict[str, Any]:
    """A recorded position in the form that the game reads."""
    return {
        'game': 'octiles',
        'players': line['np'],
        'to_move': line['turn'],
        'tiles': line['tiles'],
        'stack': line['pool_top_first'],
        'runners': line['runners'],
    }


def recorded_turns(line: Line) -> set[Turn | None]:
    """The legal turns of a line, rotations that give the same pattern taken together."""
    tile, found = line['pool_top_first'][0], set[Turn | None]()
    for space, rotations in line['moves'].items():
        for rotation, moves in rotations.items():
            found |= {Turn(space, canonical(tile, int(rotation)), *move.split('-')) for move in moves}
    return found or {None}


def chosen(line: Line) -> str:
    """The name of the turn that was played."""
    if line['chosen'] == 'pass':
        return 'pass'
    space, rotation, start, end = line['chosen'].split()
    return f'{space}:{rotation} {start}-{end}'


@cache
def sample() -> list[tuple[Line, Line]]:
    """All positions with the line after them; interpreted one in 25, and all in which rule 4 is in force."""
    pairs = [pair for lines in recorded().values() for pair in pairwise(lines)]
    assert len(pairs) == 2470
    return (
        pairs
        if compiled
        else [pair for i, pair in enumerate(pairs) if i % 25 == 0 or 'HOME' in pair[0]['state']]
    )


def test_the_model_lists_exactly_the_recorded_turns() -> None:
    for line, _ in sample():
        assert model_turns(Game.read(as_json(line))) == recorded_turns(line)


def test_exactly_the_recorded_turns_are_legal() -> None:
    for line, _ in sample():
        assert turns(read_position(as_json(line))) == recorded_turns(line), (line['game'], line['ply'])


def test_all_rotations_together_are_as_many_moves_as_recorded() -> None:
    for line, _ in sample()[::5]:
        same = 8 // len(ROTATIONS[line['pool_top_first'][0]])
        assert line['nmoves'] == same * sum(turn is not None for turn in turns(read_position(as_json(line))))


def test_the_chosen_turn_leads_to_the_next_recorded_position() -> None:
    for line, following in sample():
        position = read_position(as_json(line)).after(chosen(line))
        data = position.to_json()
        assert data['runners'] == following['runners']
        assert data['tiles'] == {
            space: list(tile) for space, tile in canonical_tiles(following['tiles']).items()
        }
        assert data['stack'] == following['pool_top_first']
        assert position.over == (following['state'] == 'GAMEOVER_STATE')
        if position.over:
            assert position.ending == 'home'
            assert position.outcome() == [float(seat == following['winner']) for seat in range(2)]
        else:
            assert position.to_move == following['turn']


@pytest.mark.parametrize('number', [0, 7, 18])
def test_a_recorded_game_can_be_played_through(number: int) -> None:
    lines = recorded()[number][: None if compiled else 40]
    position, game = read_position(as_json(lines[0])), Game.read(as_json(lines[0]))
    for line in lines:
        assert_same(position, game)
        if not line.get('end'):
            position.play(chosen(line))
            turn = game.turns() and decode_name(chosen(line), game)
            game = game.play(turn or None)


def decode_name(name: str, game: Game) -> Turn:
    """The model's turn of a recorded name, whose rotation need not be the smallest."""
    placement, move = name.split()
    space, rotation = placement.split(':')
    return Turn(space, canonical(game.stack[0], int(rotation)), *move.split('-'))
