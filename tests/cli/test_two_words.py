"""Names of two words, secrets and sets of things on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludoteca
from ludoteca.game import games, load
from tests.cli import myrmidons
from tests.cli.conftest import Run

LINE_UP = 'deploy 1-1-1 deploy 5-1-3 deploy 4-4-1 deploy 3-2-4 deploy 2-5-2 deploy 1-3-5'
TYPES = '5-1-3,4-4-1,3-3-3,2-2-5,1-5-3'
PLAY = ('play', 'myrmidons', '--seed', 3, '--seat', 'red', '--bots', 'random')


def test_legal_names_steps_and_turns_one_a_line(run: Run) -> None:
    Path('p.json').write_text(json.dumps(myrmidons.POSITION))
    steps = run('legal', 'myrmidons', 'p.json')
    assert (steps.status, steps.err) == (0, '')
    assert steps.lines == [*myrmidons.MOVES, *myrmidons.ORDERS]
    orders = [f'{name} c1:{n} go' for name, ways in myrmidons.ORDERS.items() for n in ways]
    assert run('legal', 'myrmidons', 'p.json', '--turns').lines == [*myrmidons.MOVES, *orders]
    assert run('perft', 'myrmidons', '--position', 'p.json', '--depth', 1).lines[-1] == str(
        len(myrmidons.MOVES) + len(orders)
    )


def test_perft_counts_line_ups(run: Run) -> None:
    """The rulebook: 720 starting combinations for each army, more than half a million setups."""
    assert [run('perft', 'myrmidons', '--seed', 1, '--depth', depth).lines[-1] for depth in (1, 2)] == [
        '720',
        str(720 * 720),
    ]


def test_what_is_legal_does_not_depend_on_what_is_hidden(run: Run) -> None:
    hidden = json.loads(json.dumps(myrmidons.POSITION))
    for piece in hidden['pieces'][2:]:
        piece['type'] = None
    answer = run('legal', 'myrmidons', '-', stdin=f'{json.dumps(myrmidons.POSITION)}\n{json.dumps(hidden)}\n')
    first, second = (json.loads(line) for line in answer.lines)
    assert first == second


def test_a_picture_shows_a_seat_no_more_than_it_may_know(run: Run) -> None:
    hidden = json.loads(json.dumps(myrmidons.POSITION))
    for piece in hidden['pieces'][2:]:
        piece['type'] = None
    for name, position in (('true', myrmidons.POSITION), ('hidden', hidden)):
        Path(f'{name}.json').write_text(json.dumps(position))
        assert run('draw', 'myrmidons', f'{name}.json', '-o', f'{name}.svg', '--seat', 'red').status == 0
        assert (
            run('draw', 'myrmidons', f'{name}.json', '-o', f'{name}-blue.svg', '--seat', 'blue').status == 0
        )
    assert Path('true.svg').read_text() == Path('hidden.svg').read_text()
    assert Path('true-blue.svg').read_text() != Path('hidden-blue.svg').read_text()


def test_steps_of_two_words_are_typed_singly_or_as_a_whole_turn(run: Run) -> None:
    whole = run(*PLAY, stdin=f'{LINE_UP}\norder NE b1:2 go\nquit\n')
    assert whole.status == 0
    assert f'1. Red: {LINE_UP}' in whole.out
    assert '2. Blue bot: ? ? ? ? ? ?' in whole.out
    assert '3. Red: order NE b1:2 go' in whole.out
    assert '4. Blue bot: ' in whole.out
    steps = LINE_UP.replace(' deploy', '\ndeploy') + '\norder NE\nb1:2\ngo\nquit\n'
    single = run(*PLAY, stdin=steps)
    assert single.out.split('4. Blue bot: ')[1] == whole.out.split('4. Blue bot: ')[1]


def test_half_a_name_and_a_step_too_many_are_answered_with_a_sentence(run: Run) -> None:
    answer = run(
        *PLAY, stdin=f'{LINE_UP} go\ndeploy\ndeploy 9-9-9\n{LINE_UP}\norder\norder NE go\nlog\nquit\n'
    )
    assert answer.status == 0
    assert 'The turn ends with deploy 1-3-5' in answer.out
    assert answer.out.count('A deployment names a type') == 2
    assert 'An order names its heading' in answer.out
    assert "'go' is not legal here; legal are: b1:1" in answer.out
    assert '3. Red' not in answer.out


def test_undo_takes_back_one_step_of_an_order(run: Run) -> None:
    out = run(*PLAY, stdin=f'{LINE_UP}\norder NE b1:2\nundo\nlegal\nundo\nlegal\nquit\n').out
    assert 'b1:1  b1:2  b1:3' in out
    assert 'order N  order NE' in out


def test_an_exported_match_shows_what_its_player_may_know(run: Run) -> None:
    run(*PLAY, stdin=f'{LINE_UP}\norder NE b1:2 go\nexport red.txt\nsave all.json\nquit\n')
    text = Path('red.txt').read_text()
    assert '\n1. deploy 1-1-1 deploy 5-1-3' in text
    assert '\n2. ? ? ? ? ? ?\n3. order NE b1:2 go\n' in text
    assert 'Seed' not in text
    again = run('play', 'myrmidons', '--load', 'all.json', stdin='log\nquit\n')
    assert '2. Blue bot: ? ? ? ? ? ?' in again.out
    assert '3. Red: order NE b1:2 go' in again.out


def test_a_finished_match_with_names_of_two_words_is_replayed(run: Run) -> None:
    from ludoteca.match import Match, Setup, files

    match = Match(Setup.new('myrmidons', 2, {'army': 'agreed', 'types': TYPES}, seed=8))
    for seat in range(2):
        match.act(seat, None, 'deploy 1-1-1 deploy 5-1-3 deploy 4-4-1 deploy 3-3-3 deploy 2-2-5 deploy 1-5-3')
    match.act(0, None, 'order NE b1:2 go')
    match.act(1, None, 'a7-a6')
    match.resign(0)
    Path('match.txt').write_text(files.write(match))
    answer = run('replay', 'match.txt')
    assert (answer.status, answer.err) == (0, '')
    assert '3. Red: order NE b1:2 go' in answer.out
    assert '4 turns, all legal' in answer.out
    assert run('replay', 'match.txt', '--json').json()['options'] == {
        'army': 'agreed',
        'types': '1-5-3,2-2-5,3-3-3,4-4-1,5-1-3',
    }
    Path('match.txt').write_text(Path('match.txt').read_text().replace('order NE b1:2 go', 'order NE b1:2'))
    assert 'turn 3' in run('replay', 'match.txt').err


def test_simulate_takes_sets_of_things_in_any_order(run: Run) -> None:
    command = ('simulate', 'myrmidons', '--games', 30, '--seed', 1, '--json', '-O', 'army=agreed')
    figures = run(*command, '-O', f'types={TYPES}').json()
    assert figures['options'] == {'army': 'agreed', 'types': '1-5-3,2-2-5,3-3-3,4-4-1,5-1-3'}
    assert run(*command, '-O', f'types={",".join(reversed(TYPES.split(",")))}').json() == figures


@pytest.mark.parametrize('uniform', ['actions', 'turns'])
def test_simulate_tells_in_which_ways_games_end(run: Run, uniform: str) -> None:
    figures = run('simulate', 'myrmidons', '--games', 400, '--seed', 1, '--uniform', uniform, '--json').json()
    assert list(figures['endings']) == ['back_rank', 'commander', 'pieces', 'repetition', 'sixty_turns']
    assert figures['endings']['back_rank'] > figures['endings']['commander'] > 0.2
    assert figures['draws'] == pytest.approx(
        figures['endings']['repetition'] + figures['endings']['sixty_turns']
    )
    table = run('simulate', 'myrmidons', '--games', 400, '--seed', 1, '--uniform', uniform).out
    assert 'ended: back_rank' in table


def test_games_tells_of_what_sets_are_made(run: Run) -> None:
    found = {game['name']: game['members'] for game in run('games', '--json').json()}
    assert found['myrmidons'] == {'types': list(load('myrmidons').options.members()['types'])}
    assert found == {
        name: {key: list(members) for key, members in load(name).options.members().items()}
        for name in games()
    }
    assert 'types=1-3-5' in run('games').out.replace('\n', '')


def test_python_plays_the_same_names() -> None:
    position = ludoteca.new('myrmidons', seed=3).after(LINE_UP).after(LINE_UP).after('order NE b1:2 go')
    assert position.to_move == 1
