"""Names of three words on the command line, and lists of hundreds of them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli import myriath
from tests.cli.conftest import Run

PLAY = ('play', 'myriath', '--seed', 3, '--bots', 'none')
OCTAGONS = 'O c3\nO d4\n'


def test_legal_names_each_placement_on_a_line(run: Run) -> None:
    Path('p.json').write_text(json.dumps(myriath.POSITION))
    steps = run('legal', 'myriath', 'p.json')
    assert (steps.status, steps.err) == (0, '')
    assert len(set(steps.lines)) == len(steps.lines) == myriath.PLACEMENTS
    assert {len(line.split()) for line in steps.lines} == {3}
    assert run('legal', 'myriath', 'p.json', '--turns').lines == steps.lines
    assert run('perft', 'myriath', '--position', 'p.json', '--depth', 1).lines[-1] == str(myriath.PLACEMENTS)


def test_a_tile_is_named_in_any_orientation_in_which_it_lies_so(run: Run) -> None:
    answer = run(*PLAY, stdin=f'{OCTAGONS}U-II f2 e5\nquit\n')
    assert answer.status == 0
    assert '3. Blue: U-II r0 e5' in answer.out


def test_what_is_no_whole_name_is_answered_with_what_one_looks_like(run: Run) -> None:
    answer = run(
        *PLAY,
        stdin=f'O\n{OCTAGONS}U-II\nU-II e5\nU-II r4 e5\nU-II r0 h1\nU-II e5 r0\nu-ii r0 e5\nlog\nquit\n',
    )
    assert answer.status == 0
    assert answer.out.count('is no step of Myriath') == 7
    assert answer.out.count('(r0, r1, r2, r3, f0, f1, f2, f3)') == answer.out.count('(a1 to g7)') == 7
    assert '3. Blue' not in answer.out


def test_one_turn_is_typed_at_a_time(run: Run) -> None:
    out = run(*PLAY, stdin=f'{OCTAGONS}U-II r0 e5 L-AA r0 b2\nlog\nquit\n').out
    assert 'The turn ends with U-II r0 e5' in out
    assert '3. Blue' not in out


def test_a_finished_match_is_written_and_replayed(run: Run) -> None:
    from ludoteca.match import Match, Setup, files

    match = Match(Setup.new('myriath', 2, seed=8))
    for n, name in enumerate(('O c3', 'O d4', 'U-II f2 e5', 'L-AA r0 b2')):
        match.act(n % 2, None, name)
    match.resign(1)
    text = files.write(match)
    Path('match.txt').write_text(text)
    assert '\n3. U-II r0 e5\n4. L-AA r0 b2\n' in text
    answer = run('replay', 'match.txt')
    assert (answer.status, answer.err) == (0, '')
    assert '3. Blue: U-II r0 e5' in answer.out
    assert '4 turns, all legal' in answer.out
    Path('match.txt').write_text(text.replace('U-II r0 e5', 'U-II r0'))
    assert 'turn 3' in run('replay', 'match.txt').err
