"""`legal`, `perft` and `draw`."""

from __future__ import annotations

import json
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import ludoteca
from ludoteca.game import Position, committed, games, load, start
from ludoteca.research.perft import perft
from tests.cli import octiles
from tests.cli.conftest import Run


def test_legal_turns_of_a_file_one_a_line(run: Run) -> None:
    Path('p.json').write_text(json.dumps(octiles.POSITION))
    answer = run('legal', 'octiles', 'p.json', '--turns')
    assert (answer.status, answer.err) == (0, '')
    assert set(answer.lines) == octiles.TURNS
    assert len(answer.lines) == len(octiles.TURNS)


def test_legal_steps_are_the_first_of_turns(run: Run) -> None:
    answer = run('legal', 'octiles', '-', stdin=json.dumps(octiles.POSITION))
    assert set(answer.json()) == {turn.split()[0] for turn in octiles.TURNS}


def test_legal_answers_each_line_of_input_with_a_list(run: Run) -> None:
    positions = list(octiles.recorded(every=9))
    answer = run(
        'legal', 'octiles', '-', '--turns', stdin='\n'.join(json.dumps(position) for position, _ in positions)
    )
    assert (answer.status, answer.err) == (0, '')
    assert len(answer.lines) == len(positions)
    for line, (position, turns) in zip(answer.lines, positions, strict=True):
        names = json.loads(line)
        assert set(names) == turns, position
        assert len(names) == len(turns), position


def test_legal_stops_at_a_bad_line_and_names_it(run: Run) -> None:
    good = json.dumps(octiles.POSITION)
    answer = run('legal', 'octiles', '-', stdin=f'{good}\n\n{{"game"\n{good}\n')
    assert answer.status == 2
    assert len(answer.lines) == 1
    assert 'Line 3 of standard input' in answer.err


def test_legal_of_a_finished_game_is_empty(run: Run) -> None:
    over = {
        **octiles.POSITION,
        'tiles': {},
        'stack': list(range(1, 19)),
        'to_move': 1,
        'ending': 'home',
        'runners': {'A2': 1, 'A3': 1, 'A4': 1, 'A5': 1, 'B2': 1, 'F2': 0, 'F3': 0, 'F4': 0, 'F5': 0, 'F6': 0},
    }
    answer = run('legal', 'octiles', '-', stdin=json.dumps(over))
    assert answer.json() == []


@pytest.mark.parametrize('name', octiles.perft())
def test_perft_of_all_rotations(run: Run, name: str) -> None:
    position, counts = octiles.perft()[name]
    Path('start.json').write_text(json.dumps(position))
    for depth, count in enumerate(counts, 1):
        answer = run('perft', 'octiles', '--position', 'start.json', '--depth', depth, '--all-rotations')
        assert (answer.status, answer.lines[-1]) == (0, str(count))


def test_perft_counts_the_listed_turns(run: Run) -> None:
    Path('p.json').write_text(json.dumps(octiles.POSITION))
    assert run('perft', 'octiles', '--position', 'p.json', '--depth', 1).lines[-1] == str(len(octiles.TURNS))
    assert run('perft', 'octiles', '--position', 'p.json', '--depth', 0).lines[-1] == '1'
    # two turns: after each of the first, all of the second
    position = ludoteca.load('octiles').from_json(octiles.POSITION)
    total = sum(
        len(ludoteca.Position(ludoteca.load('octiles'), position.copy()).after(turn).turns())
        for turn in octiles.TURNS
    )
    assert run('perft', 'octiles', '--position', 'p.json', '--depth', 2).lines[-1] == str(total)


def walked(position: Position) -> int:
    """How many turns there are, walked step by step."""
    total = 0
    for action in position.actions():
        after = position.copy()
        after.apply(action)
        total += 1 if committed(position.state, after.state) else walked(after)
    return total


@pytest.mark.parametrize('name', games())
def test_perft_counts_what_can_be_played_in_every_game(name: str) -> None:
    game = load(name)
    position = Position(game, start(game, seed=4))
    # there a turn of `perft` is all that a seat arranges
    while position.state.phase in game.arranged:
        position.apply(position.actions()[0])
    assert perft(game, position.state, 1) == walked(position)
    if game.lists_turns:
        turns = list(game.turns(position.state))
        assert perft(game, position.state, 1) == len(turns)
        total = 0
        for turn in turns:
            after = position.copy()
            for action in turn:
                after.apply(action)
            total += len(after.turns())
        assert perft(game, position.state, 2) == total


def test_perft_completes_a_begun_turn(run: Run) -> None:
    Path('p.json').write_text(json.dumps({**octiles.POSITION, 'laid': {'e4': 1}}))
    assert run('perft', 'octiles', '--position', 'p.json', '--depth', 1).lines[-1] == '2'


@pytest.mark.parametrize('theme', ['light', 'dark'])
def test_draw_writes_an_svg_picture(run: Run, theme: str) -> None:
    Path('p.json').write_text(json.dumps(octiles.POSITION))
    answer = run('draw', 'octiles', 'p.json', '-o', 'p.svg', '--theme', theme)
    assert (answer.status, answer.out, answer.err) == (0, '', '')
    assert ET.parse('p.svg').getroot().tag == '{http://www.w3.org/2000/svg}svg'
    assert sorted(path.name for path in Path().iterdir()) == ['p.json', 'p.svg']


def test_draw_writes_a_png_picture_of_the_width_asked_for(run: Run) -> None:
    assert run('draw', 'octiles', '-o', 'p.png', '--width', 300, '--players', 3, '--seed', 1).status == 0
    data = Path('p.png').read_bytes()
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    assert struct.unpack('>I', data[16:20])[0] == 300


def test_draw_of_the_same_seed_is_the_same(run: Run) -> None:
    for name, seed in (('a.svg', 'one'), ('b.svg', 'one'), ('c.svg', 'two')):
        run('draw', 'octiles', '-o', name, '--seed', seed)
    assert Path('a.svg').read_bytes() == Path('b.svg').read_bytes() != Path('c.svg').read_bytes()


@pytest.mark.parametrize('seat', ['0', 'yellow', 'spectator', '-1'])
def test_draw_through_the_eyes_of_a_seat(run: Run, seat: str) -> None:
    assert run('draw', 'octiles', '-o', 'p.svg', '--seat', seat).status == 0


def test_draw_replaces_a_file_whole_and_keeps_its_permissions(run: Run) -> None:
    Path('p.svg').write_text('old')
    Path('p.svg').chmod(0o640)
    assert run('draw', 'octiles', '-o', 'p.svg').status == 0
    assert ET.parse('p.svg').getroot().tag.endswith('svg')
    assert Path('p.svg').stat().st_mode & 0o777 == 0o640
