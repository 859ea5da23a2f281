"""Tournaments: everybody sits everywhere with the same deals, ratings find what is true, nothing is lost."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludoteca.game import GameError, games, load
from ludoteca.match import files
from ludoteca.research import stopping
from ludoteca.research.intervals import wilson
from ludoteca.research.programs import ProgramBot, running, taking_part
from ludoteca.research.ratings import Seen, chance, fit
from ludoteca.research.stopping import Sequential, Width
from ludoteca.research.tournament import Tournament, compete, summary
from ludoteca.research.tournament_report import write_report
from tests.cli.conftest import Run, run
from tests.width import width

__all__ = ['run']
PAGE = (Path(__file__).parent.parent.parent / 'docs/bots.md').read_text()


def lines(folder: Path) -> list[dict[str, Any]]:
    text = (folder / 'games.jsonl').read_text()
    return sorted(map(json.loads, text.splitlines()), key=lambda line: int(line['number']))


# ---- who sits where ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('bots', 'players', 'seatings', 'blocks'),
    [
        ('ab', 2, 2, 1),
        ('abc', 2, 6, 3),
        ('abc', 3, 6, 1),
        ('abcd', 3, 24, 4),
        ('ab', 3, 6, 2),
        ('ab', 4, 14, 3),
    ],
)
def test_all_line_ups_sit_in_all_seatings(bots: str, players: int, seatings: int, blocks: int) -> None:
    tournament = Tournament('octiles', players, load('octiles').options(), tuple(bots))
    assert (len(tournament.round), tournament.blocks_a_round) == (seatings, blocks)
    assert len({seats for _, seats in tournament.round}) == seatings
    for seat in range(players):  # everybody equally often in each seat
        assert len(set(Counter(seats[seat] for _, seats in tournament.round).values())) == 1
    if len(bots) >= players:
        assert all(len(set(seats)) == players for _, seats in tournament.round)
    assert tournament.fixture(seatings).seats == tournament.fixture(0).seats
    assert tournament.fixture(seatings).block == blocks
    assert tournament.complete(1) == sum(place == 0 or len(bots) < players for place, _ in tournament.round)


@pytest.mark.parametrize(('bots', 'players'), [('ab', 3), ('ab', 4), ('ab', 5), ('abc', 5), ('abc', 2)])
def test_all_bots_hold_as_many_seats_whatever_number_of_games_is_asked_for(bots: str, players: int) -> None:
    tournament = Tournament('myraclia', players, load('myraclia').options(), tuple(bots))
    for asked in (1, 10, 50, 100, 151):
        played = tournament.complete(asked)
        assert asked <= played < asked + len(tournament.round)
        if len(bots) < players:
            held = Counter(one for number in range(played) for one in tournament.fixture(number).seats)
            assert len(set(held.values())) == 1, held


@pytest.fixture(scope='module')
def toy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tournament, Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp('tournaments') / 'toy'
    tournament = Tournament.of(
        'toy', ['random', 'yardstick'], 3, load('toy').options.read({'long': True}), seed=3
    )
    found = compete(tournament, 20, folder)
    write_report(tournament, found, folder)
    return tournament, folder, found


def test_games_of_a_block_begin_alike_and_are_kept(toy: tuple[Tournament, Path, dict[str, Any]]) -> None:
    tournament, folder, found = toy
    seeds: dict[int, set[str]] = {}
    assert found['games'] == 24, 'whole rounds'
    for line in lines(folder):
        match = files.read((folder / line['match']).read_text())
        assert match.result is not None
        assert list(match.result.outcome) == line['outcome']
        assert list(match.result.scores) == line['scores']
        assert [seat.level for seat in match.setup.seats] == line['seats']
        assert match.setup.options == {'long': True}
        seeds.setdefault(line['block'], set()).add(match.setup.seed)
    assert all(len(seed) == 1 for seed in seeds.values())
    assert len(set.union(*seeds.values())) == len(seeds) == 8
    assert tournament.fixture(0).block == 0


def test_figures_add_up(toy: tuple[Tournament, Path, dict[str, Any]]) -> None:
    _, folder, found = toy
    first, second = found['contestants']
    assert first['wins'] + second['wins'] == pytest.approx(24)
    assert first['strength']['value'] == pytest.approx(-second['strength']['value'])
    assert sum(one['value'] for one in found['seats']) == pytest.approx(0, abs=1e-9)
    assert found['cross'][0][1]['share'] + found['cross'][1][0]['share'] == pytest.approx(1)
    assert found['cross'][0][0] is None
    assert json.loads((folder / 'summary.json').read_text()) == found
    report = (folder / 'report.html').read_text()
    assert '<script' not in report
    assert not re.findall(r'(?:src|href)=', report)
    for one in found['contestants']:
        assert one['share']['low'] <= one['share']['value'] <= one['share']['high']
        assert one['share']['value'] == pytest.approx(one['wins'] / one['games'])


def test_the_share_of_a_single_block_is_as_sure_as_its_games_make_it() -> None:
    tournament = Tournament.of('toy', ['random', 'yardstick'], 2)
    games = [
        {
            'number': k,
            'block': 0,
            'seats': ['random', 'yardstick'],
            'outcome': [1.0, 0.0] if k < 30 else [0.0, 1.0],
            'turns': 5,
            'ending': '',
        }
        for k in range(40)
    ]
    share = summary(tournament, games)['contestants'][0]['share']
    assert (share['value'], share['low'], share['high']) == (0.75, *wilson(30, 40))


def test_what_is_there_is_not_played_again_and_a_torn_line_is(
    toy: tuple[Tournament, Path, dict[str, Any]], tmp_path: Path
) -> None:
    tournament, _, found = toy
    counted: list[int] = []

    def stop(done: int) -> None:
        counted.append(done)
        if len(counted) == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compete(tournament, 20, tmp_path / 'again', progress=stop)
    assert len(lines(tmp_path / 'again')) == 7
    with (tmp_path / 'again' / 'games.jsonl').open('a') as file:
        file.write('{"number": 7, "blo')
    counted = [0] * 8
    assert compete(tournament, 20, tmp_path / 'again', progress=counted.append) == found
    assert counted[8:] == [7, *[1] * 17]


def test_a_folder_of_something_else_is_left_alone(
    toy: tuple[Tournament, Path, dict[str, Any]], tmp_path: Path
) -> None:
    tournament, folder, _ = toy
    (tmp_path / 'mine.txt').write_text('mine')
    with pytest.raises(GameError, match='something else'):
        compete(tournament, 3, tmp_path)
    with pytest.raises(GameError, match='its seed is "3", not "4"'):
        compete(Tournament.of('toy', tournament.bots, 3, tournament.options, seed=4), 3, folder)
    other = tmp_path / 'other'
    compete(tournament, 3, other)
    (other / 'games.jsonl').write_text('{"number": 0, "seats": ["yardstick"]}\n')
    with pytest.raises(GameError, match='line 1, is no game'):
        compete(tournament, 3, other)


# ---- ratings -----------------------------------------------------------------------------------------------


def drawn(strengths: list[float], seats: list[float], blocks: int) -> list[Seen]:
    """Games of the model itself, by a generator with a fixed seed."""
    rng, found, players = np.random.default_rng(7), [], len(seats)
    for block in range(blocks):
        who = tuple(rng.permutation(len(strengths))[:players].tolist())
        odds = np.exp([strengths[one] + seats[k] for k, one in enumerate(who)])
        winner = rng.choice(players, p=odds / odds.sum())
        found.append(Seen(who, tuple(float(k == winner) for k in range(players)), block))
    return found


def test_strengths_and_seats_are_found_again() -> None:
    strengths, seats = [0.9, 0.1, -0.3, -0.7], [0.4, -0.1, -0.3]
    found = fit(4, drawn(strengths, seats, 3000))
    for one, true in zip((*found.strengths, *found.seats), (*strengths, *seats), strict=True):
        assert one.value == pytest.approx(true, abs=0.12)
        assert one.low < true < one.high
        assert one.high - one.low < 0.4
    assert sum(chance(found, [0, 1, 2])) == pytest.approx(1)


def test_two_players_win_as_often_as_their_strengths_say() -> None:
    games = [
        Seen((k % 2, 1 - k % 2), (1.0, 0.0) if (k % 2 == 0) == (k % 8 < 6) else (0.0, 1.0), k // 2)
        for k in range(800)
    ]
    found, wins = fit(2, games), sum(one.outcome[one.seats.index(0)] for one in games) / 800
    assert chance(found, [0, 1])[0] + chance(found, [1, 0])[1] == pytest.approx(2 * wins, abs=0.01)


def test_who_wins_everything_is_strong_and_not_without_end() -> None:
    games = [Seen((k % 2, 1 - k % 2), (1.0, 0.0) if k % 2 == 0 else (0.0, 1.0), k) for k in range(40)]
    one = fit(2, games).strengths[0]
    assert 1 < one.value < 4
    assert 0.3 < one.low < one.high < 8
    shared = fit(2, [Seen((0, 1), (0.5, 0.5), k) for k in range(20)])
    assert [one.value for one in shared.strengths] == pytest.approx([0, 0])
    assert math.isnan(fit(2, []).strengths[0].value)


# ---- when to stop ------------------------------------------------------------------------------------------


def test_a_width_is_reached_as_soon_as_it_is_known() -> None:
    rng, rule = np.random.default_rng(3), Width(0.05)
    shares = rng.choice([0.0, 0.5, 1.0], (4000, 1))
    n = next(k for k in range(1, 4000) if rule.decide(shares[:k]))
    assert 1.96 * shares[:n].std() / math.sqrt(n) <= 0.05
    assert 200 < n < 400
    assert not rule.decide(np.full((29, 1), 0.5)), 'too few to know the spread'


def test_the_sequential_test_errs_as_rarely_as_it_says() -> None:
    rng, rule, ended = np.random.default_rng(5), Sequential(0.6), Counter[tuple[float, str]]()
    for true in (0.5, 0.6):
        for _ in range(width(60, 400)):
            shares = (rng.random((2000, 2)) < true).mean(axis=1, keepdims=True)
            n = next(k for k in range(30, 2000) if rule.decide(shares[:k]))
            ended[true, rule.decide(shares[:n])] += 1
    wrong = sum(count for (true, said), count in ended.items() if ('not shown' in said) == (true == 0.6))
    assert wrong / sum(ended.values()) <= 0.08


def test_games_beyond_the_decision_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, 'LEAST_ROUNDS', 3)
    tournament = Tournament.of('toy', ['random', 'yardstick'], seed=1)
    found = compete(tournament, 100, until=Width(0.49))
    assert 6 <= found['games'] < 100
    assert found['contestants'] == compete(tournament, found['games'])['contestants']
    assert 'plus or minus 49' in found['decision']


@pytest.mark.parametrize('text', ['', 'width', 'width:2', 'width:x', 'sprt:0.5', 'sprt:1', 'soon:0.3'])
def test_other_rules_are_refused(text: str) -> None:
    with pytest.raises(GameError, match='ends early by width'):
        stopping.read(text, 2)
    with pytest.raises(GameError, match='between two players, not 3'):
        stopping.read('sprt:0.55', 3)


# ---- programs ----------------------------------------------------------------------------------------------


def documented(folder: Path) -> str:
    """The command of the page's example program."""
    section = PAGE.split('### Programs')[1]
    found = re.search(r'```python\n(.*?)```', section, re.DOTALL)
    assert found
    (folder / 'chance.py').write_text(found[1])
    return f'{sys.executable} {folder / "chance.py"}'


@pytest.mark.parametrize('name', ['toy', *width([], games())])
def test_the_documented_program_takes_part(name: str, tmp_path: Path) -> None:
    players = load(name).players[0]
    command = {'chance': documented(tmp_path)}
    tournament = Tournament.of(name, ['chance', 'random'], players, programs=command, seed=2)
    found = compete(tournament, 2, tmp_path / 'kept')
    assert found['games'] == 2
    assert compete(tournament, 2) == found, 'its chance is that of the question'


def test_the_documented_program_takes_part_in_threads(tmp_path: Path) -> None:
    command = {'chance': documented(tmp_path)}
    tournament = Tournament.of('toy', ['chance', 'random'], programs=command, seed=2)
    with ThreadPoolExecutor(4) as executor:
        found = compete(tournament, 24, executor=executor)
    assert compete(tournament, 24) == found


def test_threads_share_one_program_and_each_is_told_the_answer_to_its_own_question(tmp_path: Path) -> None:
    (tmp_path / 'echo.py').write_text(
        'import sys\n'
        f'open({str(tmp_path / "started")!r}, "a").write("once ")\n'
        'for line in sys.stdin:\n    print(line, end="", flush=True)\n'
    )
    command, together = f'{sys.executable} {tmp_path / "echo.py"}', threading.Barrier(4)

    def answers(thread: int) -> list[Any]:
        together.wait()
        return [running('echo', command).ask({'seed': [thread, k]}, 60)['seed'] for k in range(100)]

    with ThreadPoolExecutor(4) as executor:
        for thread, found in enumerate(executor.map(answers, range(4))):
            assert found == [[thread, k] for k in range(100)]
    assert (tmp_path / 'started').read_text() == 'once '
    running('echo', command).close()


def test_a_program_is_told_what_its_seat_knows(tmp_path: Path) -> None:
    asked = tmp_path / 'asked.jsonl'
    (tmp_path / 'note.py').write_text(
        'import json, sys\n'
        f'for line in sys.stdin:\n    open({str(asked)!r}, "a").write(line)\n'
        '    print(json.dumps(json.loads(line)["legal"][0]), flush=True)\n'
    )
    command = f'{sys.executable} {tmp_path / "note.py"}'
    compete(Tournament.of('toy', ['note', 'random'], programs={'note': command}), 2)
    questions = [json.loads(line) for line in asked.read_text().splitlines()]
    assert {one['seat'] for one in questions} == {0, 1}
    assert all(one['legal'] and one['seconds'] is None for one in questions)
    for one in questions:
        shown = contract_position(one)
        assert shown == one['position']


def contract_position(question: dict[str, Any]) -> Any:
    """The position that was sent, hidden once more for its seat: nothing more is to be hidden."""
    game = load(question['game'])
    state = game.from_json(question['position'])
    game.kernels.hide(state, question['seat'])
    return json.loads(json.dumps(game.to_json(state)))


@pytest.mark.parametrize(
    ('code', 'sentence'),
    [
        ('print("fly", flush=True); sys.stdin.read()', 'answers with a line of JSON'),
        ('print(\'{"action": "fly"}\', flush=True); sys.stdin.read()', 'chose .*fly.* which is not legal'),
        (
            'sys.stdout.buffer.write(b"\\xff\\xfe\\n"); sys.stdout.flush(); sys.stdin.read()',
            r'answers with .*\\\\xff',
        ),
        ('print("[" * 100_000, flush=True); sys.stdin.read()', 'answers with a line of JSON'),
        ('pass', 'has ended instead of answering'),
        ('sys.stdin.read()', 'did not answer within 0.2 seconds'),
    ],
)
def test_a_program_that_does_otherwise_is_named(
    code: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if 'within' in sentence:
        monkeypatch.setattr('ludoteca.research.programs.PATIENCE', 0.2)
    (tmp_path / 'bad.py').write_text(f'import sys\nsys.stdin.readline()\n{code}\n')
    programs = {'bad': f'{sys.executable} {tmp_path / "bad.py"}'}
    tournament = Tournament.of('toy', ['bad', 'random'], programs=programs)
    with pytest.raises(GameError, match=f'The program bad {sentence}'):
        compete(tournament, 2, tmp_path / 'kept')
    assert not list((tmp_path / 'kept').glob('matches/*'))


def test_a_program_ends_with_its_tournament_and_is_started_anew_by_the_next_run(tmp_path: Path) -> None:
    script, noted = tmp_path / 'noting.py', tmp_path / 'noted'
    tournament = Tournament.of('toy', ['mine', 'random'], programs={'mine': f'{sys.executable} {script}'})

    def write(version: str) -> None:
        script.write_text(
            f'import json, os, sys\nopen({str(noted)!r}, "a").write(f"{version} {{os.getpid()}}\\n")\n'
            'for line in sys.stdin:\n    print(json.dumps(json.loads(line)["legal"][0]), flush=True)\n'
        )

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    write('first')
    compete(tournament, 4)
    write('edited')
    with pytest.raises(KeyboardInterrupt):
        compete(tournament, 4, progress=stop)
    compete(tournament, 4)
    versions, processes = zip(*map(str.split, noted.read_text().splitlines()), strict=True)
    assert versions == ('first', 'edited', 'edited'), 'once for each run'
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(int(process), 0)


@pytest.mark.parametrize('fault', ['sys.exit()', 'sys.stdin.read()', 'print("fly", flush=True)'])
def test_a_program_that_has_failed_is_started_anew_by_the_next_run(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / 'mended.py'
    tournament = Tournament.of('toy', ['mine', 'random'], programs={'mine': f'{sys.executable} {script}'})
    script.write_text(f'import sys\nsys.stdin.readline()\n{fault}\n')
    with monkeypatch.context() as patch:
        if 'read()' in fault:
            patch.setattr('ludoteca.research.programs.PATIENCE', 0.2)
        with pytest.raises(GameError, match='The program mine'):
            compete(tournament, 2)
    documented(tmp_path)
    (tmp_path / 'chance.py').replace(script)
    assert compete(tournament, 2)['games'] == 2


def test_a_program_that_was_closed_is_said_to_have_ended() -> None:
    program = running('cat', 'cat')
    assert program.ask({'seed': 1}, 60) == {'seed': 1}
    program.close()
    with pytest.raises(GameError, match='The program cat has ended instead of answering'):
        program.ask({'seed': 2}, 60)
    again = running('cat', 'cat')
    assert again.ask({'seed': 3}, 60) == {'seed': 3}
    again.close()


def test_a_game_begun_when_its_tournament_has_ended_starts_no_program(tmp_path: Path) -> None:
    """By a thread of an executor: what it has begun cannot be called back."""
    command = {'chance': documented(tmp_path)}
    tournament = Tournament.of('toy', ['chance', 'random'], programs=command)
    with taking_part(tournament.programs) as run:
        assert tournament.play(tournament.fixture(0), run)['turns']
    with pytest.raises(GameError, match='The program chance has ended'):
        tournament.play(tournament.fixture(1), run)
    with taking_part(tournament.programs) as another:
        assert tournament.play(tournament.fixture(1), another)['turns']


def test_a_program_of_two_tournaments_at_once_ends_with_the_second_one(tmp_path: Path) -> None:
    command = {'chance': documented(tmp_path)}
    tournament = Tournament.of('toy', ['chance', 'random'], programs=command, seed=2)
    within = list[int]()

    def another(done: int) -> None:
        if not within:
            within.append(compete(tournament, 2)['games'])

    assert compete(tournament, 4, progress=another)['games'] == 4
    assert within == [2]


def test_a_program_that_is_not_there_is_named() -> None:
    game = load('toy')
    from ludoteca.game import start

    state = start(game, 2, 1)
    with pytest.raises(GameError, match='The program no cannot be started'):
        ProgramBot('no', '/nowhere/no').choose(game, state, int(state.to_move), 1, None)


# ---- the command -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('more', 'sentence'),
    [
        ({'bots': ['easy']}, 'at least two'),
        ({'bots': ['easy', 'easy']}, 'takes part twice'),
        ({'bots': ['easy', 'nobody']}, 'no bot'),
        ({'players': 9}, 'played by 2 to 4'),
        ({'simulations': 0}, 'at least one simulation'),
        ({'time': 0}, 'seconds above zero, not 0'),
        ({'time': math.inf}, 'seconds above zero, not inf'),
        ({'programs': {'mine': 'x'}}, 'mine takes no part'),
    ],
)
def test_what_cannot_be_played_is_refused(more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        Tournament.of('toy', **{'bots': ['easy', 'random'], **more})


def test_the_command_prints_ratings_and_a_cross_table(run: Run, tmp_path: Path) -> None:
    command = ('arena', 'toy', '--bots', 'random,yardstick', '--workers', 1, '--out', tmp_path / 'kept')
    options = ('--option', 'long=true', '--players', 3, '--games', 6)
    answer = run(*command, *options, '--seed', 1)
    assert '6 games are kept in' in answer.out
    assert 'Everybody against everybody' in answer.out
    again = run(*command, *options, '--json').json()
    assert (again['seed'], again['games'], again['options']) == ('1', 6, {'long': True})
    plain = run(
        'arena', 'toy', '--bots', 'random,random', *options, '--workers', 1, '--seed', 1, '--json'
    ).json()
    assert plain['contestants'][0]['seats'] == 1, 'the old command line, with options'
    counted = ('--bots', 'easy:2,random', '--games', 2, '--workers', 1, '--json')
    assert [one['bot'] for one in run('arena', 'toy', *counted).json()['contestants']] == ['easy:2', 'random']
