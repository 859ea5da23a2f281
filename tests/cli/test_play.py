"""`play` and `replay`, with the keyboard replaced by a script."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

import ludoteca
from ludoteca.cli.reviews import graph
from ludoteca.game import Position
from ludoteca.match import Match, Setup, files
from tests.cli.conftest import Answer, Run
from tests.match.support import play


def first_turn(seed: int) -> Position:
    return ludoteca.new('octiles', seed=seed)


@pytest.mark.smoke
def test_a_turn_is_typed_in_steps_or_whole_and_the_bot_answers(run: Run) -> None:
    turn = first_turn(3).turns()[0]
    answer = run(
        'play', 'octiles', '--seed', 3, '--seat', 'blue', '--bots', 'random', stdin=f'{turn}\nquit\n'
    )
    assert answer.status == 0
    assert f'1. Blue: {turn}' in answer.out
    assert '2. Yellow bot: ' in answer.out
    step, rest = turn.split()
    again = run(
        'play', 'octiles', '--seed', 3, '--seat', 0, '--bots', 'random', stdin=f'{step}\n{rest}\nquit\n'
    )
    assert again.out.split('2. Yellow bot')[1] == answer.out.split('2. Yellow bot')[1]


def test_a_person_plays_in_the_colour_that_was_named(run: Run) -> None:
    turn = first_turn(3).turns()[0]
    answer = run(
        'play',
        'octiles',
        '--seed',
        3,
        '--seat',
        0,
        '--colour',
        'green',
        '--bots',
        'random',
        stdin=f'{turn}\nquit\n',
    )
    assert f'1. Green: {turn}' in answer.out
    assert 'Blue' not in answer.out
    answer = run('play', 'octiles', '--colour', 'pink')
    assert "pink is not a player's colour; choose among blue, red, yellow, green, purple." in answer.err


def test_what_is_typed_wrongly_is_answered_with_a_sentence(run: Run) -> None:
    answer = run('play', 'octiles', '--seed', 3, '--seat', 0, stdin='pass\nhello\n\na2\nsave\nundo\nquit\n')
    assert answer.status == 0
    assert 'not legal here' in answer.out
    assert "'hello' is no step of Octiles" in answer.out
    assert 'Say where to' in answer.out


def test_help_names_every_command(run: Run) -> None:
    out = run('play', 'octiles', '--seed', 3, '--seat', 0, stdin='help\n').out
    for command in ('legal', 'board', 'undo', 'hint', 'log', 'save', 'export', 'resign', 'quit'):
        assert f'  {command}' in out


def test_legal_and_hint_name_what_can_be_played(run: Run) -> None:
    out = run('play', 'octiles', '--seed', 3, '--seat', 0, stdin='legal\nhint\nquit\n').out
    assert all(name in out for name in first_turn(3).legal())
    assert '% to win' in out


def test_undo_takes_back_the_begun_turn_and_then_the_last_one_of_people(run: Run) -> None:
    step, rest = first_turn(3).turns()[0].split()
    out = run(
        'play',
        'octiles',
        '--seed',
        3,
        '--bots',
        'none',
        stdin=f'{step}\nundo\n{step} {rest}\nundo\nlegal\nlog\nquit\n',
    ).out
    assert '  '.join(first_turn(3).legal()) in out  # after both: the start again
    assert out.count('1. Blue') == 1  # told when it was played; the log is empty


def test_undo_tries_again_against_bots_though_a_tile_was_revealed(run: Run) -> None:
    turn = first_turn(3).turns()[0]
    play = ('play', 'octiles', '--seed', 3, '--seat', 0, '--bots', 'random')
    out = run(*play, stdin=f'{turn}\nundo\nlegal\nlog\nquit\n').out
    assert '  '.join(first_turn(3).legal()) in out
    assert 'Blue tries again: this game does not count' in out


def test_the_end_of_the_input_leaves_the_table(run: Run) -> None:
    assert run('play', 'octiles', '--seat', 0, stdin='').status == 0


def save(run: Run, path: str) -> Answer:
    turn = first_turn(3).turns()[0]
    return run(
        'play', 'octiles', '--seed', 3, '--seat', 0, '--bots', 'random', stdin=f'{turn}\nsave {path}\nquit\n'
    )


def test_a_saved_game_goes_on(run: Run) -> None:
    assert 'Saved to game.json' in save(run, 'game.json').out
    json.loads(Path('game.json').read_text())
    answer = run('play', 'octiles', '--load', 'game.json', stdin='log\nquit\n')
    assert answer.status == 0
    assert '1. Blue: ' in answer.out
    assert '2. Yellow bot: ' in answer.out


@pytest.mark.parametrize(
    ('old', 'new'), [('"octiles"', '"chess"'), ('"step"', '"stop"'), ('"seed"', '"sad"'), ('a', 'b')]
)
def test_a_saved_game_that_was_changed_is_refused(run: Run, old: str, new: str) -> None:
    save(run, 'game.json')
    Path('game.json').write_text(Path('game.json').read_text().replace(old, new))
    answer = run('play', 'octiles', '--load', 'game.json')
    assert answer.status == 2
    assert answer.err.count('\n') == 1


def whole_game(run: Run) -> Answer:
    """Two people at one terminal play a whole game at random and export it in the end."""
    position = first_turn(5)
    typed = []
    for k in itertools.count():
        if position.over:
            break
        turns = position.turns()
        typed.append(turns[k * 7 % len(turns)])
        position.play(typed[-1])
        if k == 10:
            typed += ['export early.txt', 'resign', 'no']
        if k == 20:
            typed += ['resign', 'yes']
            break
    return run('play', 'octiles', '--seed', 5, '--bots', 'none', stdin='\n'.join(typed) + '\n')


def test_a_game_of_people_ends_with_its_result(run: Run) -> None:
    answer = whole_game(run)
    assert answer.status == 0
    assert 'resigned' in answer.out
    assert 'wins' in answer.out


def test_an_unfinished_match_file_tells_no_secret_and_is_not_replayed(run: Run) -> None:
    whole_game(run)
    text = Path('early.txt').read_text()
    assert 'Seed' not in text
    answer = run('replay', 'early.txt')
    assert answer.status == 2
    assert 'not over' in answer.err


def finished_match(path: str) -> None:
    """A match file of a short finished match."""
    match = Match(Setup.new('octiles', 2, seed=8))
    while match.turns < 6:
        match.act(match.to_move[0], None, match.names(match.to_move[0])[0])
    match.resign(0)
    Path(path).write_text(files.write(match))


def test_replay_checks_a_match_file_and_shows_its_turns(run: Run) -> None:
    finished_match('match.txt')
    answer = run('replay', 'match.txt')
    assert answer.status == 0
    assert '6. Yellow: ' in answer.out
    assert '6 turns, all legal' in answer.out
    assert run('replay', 'match.txt', '--quiet').lines[-1] == answer.lines[-1]
    assert run('replay', '-', '--quiet', stdin=Path('match.txt').read_text()).status == 0


@pytest.mark.parametrize(
    ('name', 'said', 'counts'),
    [
        ('octiles', ' has brought all runners to the goal and wins. Points: ', True),
        ('myrmidons', " held the other side's first row for a turn and wins.", False),
    ],
)
def test_replay_says_in_the_words_of_the_game_how_it_ended(
    run: Run, name: str, said: str, counts: bool
) -> None:
    match = play(Match(Setup.new(name, 2, seed=3)))
    Path('match.txt').write_text(files.write(match))
    last = run('replay', 'match.txt', '--quiet').lines[-1]
    assert said in last
    assert counts == ('Points' in last)
    assert match.result
    assert f'({match.result.ending})' not in last


def test_replay_gives_positions_as_json(run: Run) -> None:
    finished_match('match.txt')
    data = run('replay', 'match.txt', '--json').json()
    assert (len(data['turns']), data['at'], data['result']['ending']) == (6, 6, 'resigned')
    start = run('replay', 'match.txt', '--json', '--at', 0).json()['position']
    played = Position(ludoteca.load('octiles'), ludoteca.load('octiles').from_json(start))
    for turn in data['turns']:
        played.play(turn)
    assert played.to_json()['runners'] == data['position']['runners']
    assert run('replay', 'match.txt', '--at', 7).status == 2


def test_review_says_of_every_turn_how_good_it_was(run: Run) -> None:
    finished_match('match.txt')
    answer = run('review', 'match.txt', '--all', '--sims', 30, '--workers', 1)
    assert answer.status == 0
    turns = [line.split() for line in answer.lines if line.strip()[:1] in '123456' and 'Blue' in line]
    assert len([line for line in answer.lines if line.split()[:1] and line.split()[0] in ('1', '6')]) == 2
    assert all(turn[0] in '135' for turn in turns)
    data = run('review', 'match.txt', '--json', '--sims', 30, '--workers', 1).json()
    assert [turn['number'] for turn in data['turns']] == [1, 2, 3, 4, 5, 6]
    assert data['resigned'] == 0
    assert data['expected'][-1] == [0, 1]
    points = [data['turns'][number - 1] for own in data['turning_points'] for number in own]
    told = {turn['number']: turn['judged']['why'] for turn in points if turn['judged']['why']}
    for number, why in told.items():
        (line,) = [line for line in answer.lines if line.startswith(f'- turn {number}, ')]
        assert line.endswith(' '.join(why))
    assert all(turn['judged']['reasons'] or not turn['judged']['why'] for turn in data['turns'])
    assert [graph([row[0] for row in data['expected']])] == [
        line.split()[1] for line in answer.lines if line.startswith('  Blue')
    ]


def test_a_graph_has_a_bar_a_turn_or_the_mean_of_some() -> None:
    assert graph([0, 0.2, 0.5, 1]) == '▁▂▅█'
    assert len(graph([0.5] * 1000)) <= 72


def test_replay_refuses_a_file_with_an_illegal_turn(run: Run) -> None:
    finished_match('match.txt')
    text = Path('match.txt').read_text().splitlines()
    text = ['3. pass' if line.startswith('3. ') else line for line in text]
    Path('match.txt').write_text('\n'.join(text))
    answer = run('replay', 'match.txt')
    assert answer.status == 2
    assert 'turn 3' in answer.err


def test_secrets_are_curtained_between_people(run: Run) -> None:
    answer = run(
        'play', 'toy', '--seed', 1, '--players', 2, '--bots', 'none', stdin='\nbid-0\n\nbid-1\n\nquit\n'
    )
    assert answer.status == 0
    assert answer.out.count('alone') >= 2
