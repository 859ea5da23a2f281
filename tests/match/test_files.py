"""Match files: what is written can be read again, what is broken is told line by line, and nothing secret is
in them."""

from __future__ import annotations

import re
from functools import cache

import pytest

from ludoteca.game import GameError
from ludoteca.match import BOT, HIDDEN, SPECTATOR, Match, Seat, Setup, files
from ludoteca.text import words
from tests.match.support import clock, new, play, rules
from tests.match.test_match import FourthEdition

SEED = 3
PEOPLE = [Seat('Ann, the first'), Seat('Bob', BOT, 'easy')]


@cache
def finished(name: str = 'octiles') -> Match:
    options = {'repetition': True} if name == 'octiles' else {'ties': 'nobody'}
    return play(Match(Setup.new(name, 2, options, PEOPLE, seed=SEED), clock()))


@pytest.mark.parametrize('name', ['octiles', 'toy'])
def test_a_finished_match_goes_through_a_file_unchanged(name: str) -> None:
    match = finished(name)
    text = files.write(match)
    again = files.read(text)
    assert files.write(again) == text
    assert again.result == match.result
    assert again.setup == match.setup
    assert [row.names for row in again.log(0, uncovered=True)] == [
        row.names for row in match.log(0, uncovered=True)
    ]
    assert again._history.states[-1].tobytes() == match._history.states[-1].tobytes()


@pytest.mark.parametrize('players', [2, 3, 4])
def test_matches_with_requests_and_resignations_too(players: int) -> None:
    match = play(new('toy', players), 6)
    match.ask_takeback(0, agreed=range(players)) if not match.may_take_back(0) else None
    match.resign(1)
    play(match)
    again = files.read(files.write(match))
    assert again.result == match.result
    assert re.search(r'^# resign: seat 2$', files.write(match), re.MULTILINE)


def test_a_file_is_readable() -> None:
    lines = files.write(finished()).splitlines()
    assert lines[:7] == [
        'Format: 1',
        'Game: octiles',
        'Rules: 1',
        'Players: 2',
        'Options: repetition=true',
        'Seat 1: person, Ann, the first',
        'Seat 2: bot easy, Bob',
    ]
    assert lines[7].startswith('Date: 2027-01-15')
    assert re.fullmatch('Seed: [0-9a-f]{32}', lines[8])
    assert re.fullmatch(r'Result: home; outcome [01] [01]; points \d \d', lines[9])
    assert lines[10] == ''
    assert re.fullmatch(r'1\. [a-e][1-5]:[0-7] [A-F][1-6]-[A-F][1-6]', lines[11])


@pytest.mark.parametrize('name', ['', 'Ann,', ',', ', the second', '# 1', 'Seat 2: bot easy', '{'])
def test_a_name_goes_through_a_file_whatever_it_ends_in(name: str) -> None:
    seats = [Seat(name), Seat(name, BOT, 'easy')]
    match = play(Match(Setup.new('toy', 2, {}, seats, seed=SEED), clock()))
    assert files.read(files.write(match)).setup.seats == match.setup.seats


def test_a_year_is_written_with_four_digits() -> None:
    text = files.write(finished()).replace('Date: 2027', 'Date: 0927')
    assert files.write(files.read(text)) == text


@pytest.mark.parametrize('seat', [SPECTATOR, 0, 1, 2])
def test_an_unfinished_match_is_written_as_a_seat_may_know_it(seat: int) -> None:
    match = play(new('toy', 3), 10)
    text = files.write(match, seat)
    assert match.setup.seed not in text
    assert not any(entry.hash in text for entry in match.entries if entry.hash)
    assert f'Seen by: {"a spectator" if seat < 0 else f"seat {seat + 1}"}' in text
    for row in match.log(SPECTATOR, uncovered=False):
        line = next(line for line in text.splitlines() if line.startswith(f'{row.number}. '))
        assert (HIDDEN in line) == (row.seat != seat)
    start = next(line for line in text.splitlines() if line.startswith('Start: '))
    assert start == f'Start: {match.game.canonical(new("toy", 3).view(seat, at=0).state)}'
    with pytest.raises(GameError, match=re.escape(words('match.file.not_over'))):
        files.read(text)


def test_drafts_are_in_no_file() -> None:
    match = new('octiles', 2)
    text = files.write(match, 0)
    match.act(0, None, match.names(0)[0])
    assert files.write(match, 0) == text


def test_turns_may_be_typed_in_pieces_of_the_library() -> None:
    """Comments, empty lines, a byte order mark, Windows line ends and headers in another order do no harm."""
    match = finished()
    lines = files.write(match).splitlines()
    text = '\ufeff# a comment\r\n' + '\r\n'.join(
        [*reversed(lines[:10]), '', '# and another', '', *lines[11:]]
    )
    assert files.read(text).result == match.result


BROKEN = [
    (r'Game: octiles', 'Game: chess', r"^Line 2: There is no game 'chess'; the games are: "),
    (r'Game: octiles\n', '', r'^This is no match file: it has no header "Game'),
    (r'Players: 2', 'Players: 7', r"^Line 4: Players is a whole number from 2 to 4, not '7'\.$"),
    (r'Players: 2\n', '', r'^The match file lacks the header Players'),
    (
        r'repetition=true',
        'repetition=perhaps',
        r"^Line 5: The option repetition cannot be 'perhaps'; it is one of: ",
    ),
    (r'repetition=true', 'colour=red', r"^Line 5: There is no option 'colour'; the options are: "),
    (r'Seat 2: bot easy', 'Seat 2: ghost', r'^Line 7: a seat is written as "person, Ann" or "bot easy, Bob"'),
    (r'Seat 2:', 'Seat 3:', r'^Line 7: there is no seat 3: the match has 2 players'),
    (r'Date: .*', 'Date: yesterday', r"^Line 8: a date is written as 2026-11-20, not 'yesterday'"),
    (r'Seed: .*', 'Seed: 12', r"^Line 9: the seed is 32 hexadecimal digits, not '12'"),
    (r'Seed: .*\n', '', r'^The match file lacks the header Seed'),
    (r'Format: 1', 'Format: 2', r"^Line 1: the format '2' is not known here"),
    (r'Format: 1', 'Colour: 1', r"^Line 1: there is no header 'Colour'; the headers are Format, Game"),
    (r'Format: 1', 'Game: octiles', r'^Line 2: the header Game stands in line 1 already'),
    (r'Format: 1', 'nonsense', r"^Line 1: 'nonsense' should be a header such as"),
    (r'\n2\. ', '\n3. ', r'^Line 13: this is turn 2, not 3\.$'),
    (r'\n2\. .*', '\n2. nonsense', r"^Line 13: turn 2: 'nonsense' is no step of Octiles"),
    (r'\n2\. .*', '\n2. pass', r"^Line 13: turn 2: 'pass' is not legal here; legal are: "),
    (
        r'\n2\. (\S+) .*',
        r'\n2. \1',
        r'^Line 13: turn 2: the turn is not finished after \S+; it could go on with [A-F]\d-',
    ),
    (r'\n2\. .*', '\nnonsense', r"^Line 13: 'nonsense' should be a turn such as"),
    (r'(\n3\. .*)', r'\1 pass', r"^Line 14: turn 3: the turn is over before 'pass'"),
    (
        r'\n(\d+)\. [^\n]*\n$',
        '\n',
        r'^Line \d+: the match is not over after \d+ turns, although line 10 tells of its result',
    ),
    (
        r'Result: home',
        'Result: away',
        r'^Line 10: the result does not fit the turns; it would be "home; outcome ',
    ),
    (
        r'Result: .*',
        'Result: I won',
        r'^Line 10: the result is written as "home; outcome 1 0; points 5 3", not as',
    ),
    (r'points \d', 'points 9', r'^Line 10: the result does not fit the turns'),
    (
        r'Result: home;',
        'Result: resigned (seat 1);',
        r'^Line 10: the result does not fit the turns; it would be "home; ',
    ),
]


@pytest.mark.parametrize(('old', 'new_text', 'sentence'), BROKEN)
def test_a_broken_file_is_refused_with_its_line_and_what_would_be_right(
    old: str, new_text: str, sentence: str
) -> None:
    text, count = re.subn(old, new_text, files.write(finished()), count=1)
    assert count == 1
    with pytest.raises(GameError, match=sentence) as error:
        files.read(text)
    assert '\n' not in str(error.value)


def test_turns_after_the_end_are_refused() -> None:
    text = files.write(finished())
    number = int(text.rstrip().splitlines()[-1].partition('.')[0]) + 1
    with pytest.raises(
        GameError, match=rf"^Line \d+: turn {number}: the match is over \(home\) before 'pass'"
    ):
        files.read(f'{text}{number}. pass\n')


def test_what_is_no_text_of_a_match_is_refused() -> None:
    for text in (
        '',
        '\n\n',
        '# only a comment\n',
        '{"game": "octiles"}',
        '\0\1\2',
        'x' * (files.LONGEST + 1),
        '1. pass',
    ):
        with pytest.raises(GameError):
            files.read(text)


def test_a_file_of_other_rules_says_so() -> None:
    text = files.write(finished('toy')).replace('Rules: 1', 'Rules: 7').replace('1. bid', '1. bet', 1)
    with pytest.raises(GameError, match='written under version 7 of the rules; these are version 1'):
        files.read(text)
    with rules(FourthEdition()):
        assert files.read(files.write(finished('toy'))).setup.version == 4


def test_a_resigned_match_is_over_for_a_file() -> None:
    match = play(new('octiles', 2), 11)
    match.resign(1)
    text = files.write(match)
    assert 'Result: resigned (seat 2); outcome 1 0; points ' in text
    assert files.read(text).result == match.result
    with pytest.raises(GameError, match='only a match of two players'):
        files.read(text.replace('(seat 2)', '(seat 3)'))
    with pytest.raises(GameError, match=r'^Line 9: the result is written as'):
        files.read(text.replace('(seat 2)', f'(seat {"9" * 5000})'))


def test_positions_of_a_replay_come_with_the_turns_that_led_to_them() -> None:
    match = finished('toy')
    positions = list(files.replay(files.read(files.write(match))))
    assert positions[0][0] is None
    assert [row.number for row, _ in positions if row] == list(range(1, match.turns + 1))
    assert positions[-1][1].state.tobytes() == match._history.states[-1].tobytes()
    running = play(new('toy', 3), 8)
    assert all(
        view.state.tobytes() == running.view(1, at=row.number if row else 0).state.tobytes()
        for row, view in files.replay(running, 1)
    )
