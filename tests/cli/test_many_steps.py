"""Turns of many steps on the command line, which are too many to be listed whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import mykerinos
from tests.cli.conftest import Run

PLAY = ('play', 'mykerinos', '--players', 2, '--seed', 3, '--bots', 'none')
STEPS = ('tangerine', 'c5', 'b5', 'b6', 'neutral extend e5', 'e6')


@pytest.mark.parametrize(
    ('begun', 'last'),
    [
        (0, ['extend b4', 'extend d4', 'extend c5', 'lemon', 'tangerine', 'pass']),
        (1, ['c3', 'b4', 'd4', 'c5']),
        (2, ['b5', 'd5', 'c6']),
        (3, ['b4', 'b6']),
        (4, ['neutral extend e5', 'neutral extend f5']),
        (5, ['d5', 'f5', 'e6']),
    ],
)
def test_legal_names_the_next_steps_of_a_begun_turn(run: Run, begun: int, last: list[str]) -> None:
    answer = run('legal', 'mykerinos', '-', stdin=json.dumps({**mykerinos.POSITION, 'begun': STEPS[:begun]}))
    assert (answer.status, answer.err) == (0, '')
    assert answer.json()[-len(last) :] == last


def test_a_turn_that_is_finished_is_not_begun(run: Run) -> None:
    answer = run('legal', 'mykerinos', '-', stdin=json.dumps({**mykerinos.POSITION, 'begun': STEPS}))
    assert answer.status == 2
    assert 'write the position after it' in answer.err


@pytest.mark.parametrize(
    ('change', 'sentence'),
    [
        ({'begun': ['violet']}, 'The step violet in "begun" is not legal there'),
        ({'scores': [2, 3]}, 'would be [2, 2]'),
        ({'tiles': ['lemon-6']}, 'the 8 tiles'),
        ({'tiles': ['lemon-8', *mykerinos.POSITION['tiles'][1:]]}, "not 'lemon-8'"),
        ({'gone': []}, '8 other tiles'),
        ({'cubes': {'a1': 0, 'a9': 0}}, 'no such space'),
        ({'stock': [25, 0]}, 'only 25'),
        ({'museum': {'5-lemon': 0}}, '5-lemon'),
    ],
)
def test_impossible_positions_are_refused_with_one_sentence(
    run: Run, change: dict[str, object], sentence: str
) -> None:
    Path('p.json').write_text(json.dumps({**mykerinos.POSITION, **change}))
    answer = run('legal', 'mykerinos', 'p.json')
    assert (answer.status, answer.out) == (2, '')
    assert sentence in answer.err
    assert answer.err.count('\n') == 1


def test_turns_that_are_too_many_are_refused_with_a_sentence(run: Run) -> None:
    Path('p.json').write_text(json.dumps(mykerinos.POSITION))
    for arguments in (
        ('legal', 'mykerinos', 'p.json', '--turns'),
        ('simulate', 'mykerinos', '--games', 1, '--uniform', 'turns'),
    ):
        answer = run(*arguments)
        assert (answer.status, answer.out) == (2, '')
        assert 'turns of Mykerinos are too many' in answer.err


def test_a_turn_is_typed_in_steps_or_whole(run: Run) -> None:
    whole = run(
        *PLAY,
        stdin='start a2 neutral extend c2 c3\nstart a2 neutral start c2\nstart d1\nnothing\nlog\nquit\n',
    )
    assert whole.status == 0
    # no neutral cube lies there yet, and nothing was played
    assert "'neutral extend c2' is not legal here" in whole.out
    assert '1. Blue: start a2 neutral start c2' in whole.out
    assert '2. Red: start d1 nothing' in whole.out
    single = run(*PLAY, stdin='start a2\nneutral start c2\nstart d1 nothing\nlog\nquit\n')
    assert '1. Blue: start a2 neutral start c2' in single.out
    assert '2. Red: start d1 nothing' in single.out


def test_undo_takes_back_one_step_of_a_turn(run: Run) -> None:
    typed = (
        'start a2 nothing',
        'start d2 nothing',
        'extend b2 c2',
        'undo',
        'legal',
        'undo',
        'legal',
        'extend b2 c2 nothing',
    )
    out = run(*PLAY, stdin='\n'.join((*typed, 'quit\n'))).out
    assert 'Blue> c2  b3\n' in out  # the second cube is taken back, then the first
    assert 'extend b2  pass\n' in out
    assert '3. Blue: extend b2 c2 nothing' in out


def test_a_match_is_written_and_replayed(run: Run) -> None:
    from ludoteca.match import Match, Setup, files

    match = Match(Setup.new('mykerinos', 2, seed=3))
    for seat, name in (
        (0, 'start a2 neutral start c2'),
        (1, 'start d2 nothing'),
        (0, 'pass'),
        (1, 'pass'),
        (0, 'take 1'),
    ):
        match.act(seat, None, name)
    match.resign(1)
    text = files.write(match)
    Path('match.txt').write_text(text)
    assert '\n1. start a2 neutral start c2\n2. start d2 nothing\n' in text
    answer = run('replay', 'match.txt')
    assert (answer.status, answer.err) == (0, '')
    assert 'take 1' in answer.out
