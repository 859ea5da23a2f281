"""The puzzles that come with the games fit the rules and keep secrets; the search for puzzles finds the same
again, and goes on where it was; answers are judged."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludoteca.game import Game, GameError, State, load, start
from ludoteca.puzzles import (
    Exercise,
    Puzzle,
    PuzzleFile,
    PuzzlePlan,
    Verdict,
    answer,
    find_in_game,
    find_puzzles,
    judge,
    left,
    puzzle_of,
    puzzles,
    read,
    rechecked,
    write,
)
from ludoteca.puzzles import find as finding
from ludoteca.puzzles.files import FILE, Run, Source
from ludoteca.puzzles.turns import CompleteTurn, after, read_turn, turn_on
from ludoteca.review import Judged
from ludoteca.review import judge as judge_turn
from ludoteca.search import LEVELS, BotLevel, SearchResult, as_known, think
from ludoteca.text import words as said
from tests.built_in import BUILT_IN
from tests.cli.conftest import Run as Command
from tests.cli.conftest import run
from tests.width import width

__all__ = ['run']  # the fixture

WHOLE = {'id', 'players', 'options', 'position', 'seat', 'best', 'expected', 'second', 'grade', 'source'}

# ---- the puzzles that come with the games ------------------------------------------------------------------


@pytest.mark.parametrize('name', BUILT_IN)
def test_puzzles_fit_the_rules_and_their_answers_are_right(name: str) -> None:
    """Best turns are judged without a search."""
    for puzzle in puzzles(name):
        position = puzzle.at_table()
        assert position.to_move == puzzle.seat, puzzle.id
        for turn in puzzle.best:
            assert judge(puzzle, turn, simulations=0) == Verdict(
                'solved', turn_of(puzzle, turn).names, puzzle.best[0], puzzle.expected, puzzle.expected
            )
        assert puzzle.expected - puzzle.second >= finding.CLEAR - 1e-4, puzzle.id
        assert len(set(position.actions())) > 1, puzzle.id


def turn_of(puzzle: Puzzle, turn: str) -> CompleteTurn:
    game = load(puzzle.game)
    return read_turn(game, as_known(game, puzzle.known(), puzzle.seat), puzzle.seat, turn)


@pytest.mark.parametrize('name', BUILT_IN)
def test_puzzles_hold_nothing_that_their_seat_cannot_know(name: str) -> None:
    """To hide it again changes nothing, and what a seat cannot know has no influence on what is judged."""
    game = load(name)
    for puzzle in puzzles(name):
        known = puzzle.known()
        assert game.to_json(as_known(game, known, puzzle.seat)) == puzzle.position, puzzle.id
        assert puzzle.json().keys() - {'then'} == WHOLE
        assert ('then' in puzzle.json()) == (puzzle.turns > 1)


@pytest.mark.parametrize('name', BUILT_IN)
def test_the_file_of_a_game_is_as_the_command_writes_it(name: str) -> None:
    """Each puzzle names a run of the file, so that the command finds it again."""
    path = Path(load(name).folder, FILE)
    if not path.exists():
        pytest.skip('the game has no puzzles')
    text = path.read_text('utf-8')
    file = read(text, path)
    assert write(file) == text
    for puzzle in file.puzzles:
        source = puzzle.source
        runs = [
            run
            for run in file.runs
            if (run.seed, run.level, run.simulations, run.players, run.options)
            == (source.seed, source.level, source.simulations, puzzle.players, puzzle.options)
        ]
        assert len(runs) == 1, puzzle.id
        assert runs[0].has(source.game)
        assert puzzle.grade in LEVELS


@pytest.mark.parametrize('name', BUILT_IN)
def test_later_turns_follow_from_the_answers_before_them_and_the_replies(name: str) -> None:
    """Each is judged without a search, at the position to which all before it lead."""
    game = load(name)
    for puzzle in puzzles(name):
        exercise = Exercise.of_puzzle(puzzle)
        whole = exercise.begin()
        for number, task in enumerate(exercise.tasks if puzzle.turns > 1 else ()):
            for reply in task.replies:
                assert int(whole.to_move) != puzzle.seat, puzzle.id
                whole = turn_on(game, whole, int(whole.to_move), reply)
            assert int(whole.to_move) == puzzle.seat, puzzle.id
            for best in task.best:
                assert answer(exercise, number, whole, best, simulations=0).kind == 'solved', puzzle.id
            whole = turn_on(game, whole, puzzle.seat, task.best[0])


@pytest.mark.wide
def test_a_puzzle_is_gone_on_with_as_it_was() -> None:
    """The search for later turns finds those that come with a game again, and drops nothing of the first."""
    puzzle = next(one for one in puzzles('octiles') if one.turns > 1)
    plan = PuzzlePlan.of(load('octiles'), 2, {}, puzzle.source.seed)
    alone = replace(puzzle, then=())
    number = puzzle.source.game
    assert find_in_game(plan, number, (alone,)) == (number, (puzzle,))
    shallow = PuzzlePlan(plan.game, replace(plan.run, turns=1))
    file = PuzzleFile('octiles').with_game(shallow.run, number, (alone,))
    assert file.shallow(plan.run, number) == (alone,)
    gone_on = file.with_game(plan.run, number, (puzzle,))
    assert gone_on.puzzles == (puzzle,)
    assert [run.turns for run in gone_on.runs] == [3]


@pytest.mark.parametrize('name', BUILT_IN)
def test_no_turn_is_as_good_as_the_answer_to_a_puzzle(name: str) -> None:
    """The finder confirms it at the position in the file, and the judge agrees with the stored outcomes."""
    game, every = load(name), width(25, 5)
    for puzzle in puzzles(name)[::every]:
        known = as_known(game, puzzle.known(), puzzle.seat)
        best = {turn_of(puzzle, turn).key for turn in puzzle.best}
        found = finding.look(
            game,
            known,
            puzzle.seat,
            finding.CONFIRM[0] * puzzle.source.simulations,
            f'{puzzle.source.name}/confirm 0',
        )
        assert found is not None, puzzle.id
        assert found.turns.keys() == best, puzzle.id
        turns = (made_turn(name, puzzle.position, k) for k in range(game.max_legal))
        other = next(turn for turn in turns if turn_of(puzzle, turn).key not in best)
        verdict = judge(puzzle, other, simulations=200)
        assert (verdict.kind, verdict.after <= puzzle.second + 1e-9) == ('wrong', True), puzzle.id
        told = answer(Exercise.of_puzzle(puzzle), 0, known, other, simulations=200)
        assert (told.kind, told.after <= puzzle.second + 1e-9) == ('wrong', True), puzzle.id


@pytest.mark.wide
@pytest.mark.parametrize('name', BUILT_IN)
def test_a_recheck_of_a_puzzle_changes_nothing(name: str) -> None:
    for puzzle in puzzles(name)[::40]:
        assert rechecked(puzzle) == puzzle


# ---- the search for them -----------------------------------------------------------------------------------


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> PuzzlePlan:
    """Games of beginners, searched with so few simulations that much seems clear."""
    monkeypatch.setattr(finding, 'grade_of', lambda *_: 'easy')
    return PuzzlePlan.of(load('octiles'), 2, {}, 3, 'beginner', 20, 1)


def test_the_same_seed_finds_the_same_puzzles(plan: PuzzlePlan) -> None:
    number, found = find_in_game(plan, 0)
    assert number == 0
    assert 0 < len(found) <= finding.MOST_A_GAME
    assert find_in_game(plan, 0) == (0, found)
    other = PuzzlePlan(plan.game, replace(plan.run, seed='6'))
    assert find_in_game(other, 0)[1] != found
    for puzzle in found:
        assert judge(puzzle, puzzle.best[0], simulations=0).kind == 'solved'


def test_a_search_goes_on_where_it_was_and_in_any_order(
    plan: PuzzlePlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    *_, whole = find_puzzles(plan, 3, PuzzleFile('octiles'))
    assert {one.source.game for one in whole.puzzles} == {0, 1, 2}
    begun = PuzzleFile('octiles').with_game(plan.run, *find_in_game(plan, 2))
    begun = read(write(begun), 'file')
    assert left(plan, 3, begun) == [0, 1]
    *_, file = find_puzzles(plan, 3, begun)
    assert write(file) == write(whole)
    monkeypatch.setattr(finding, 'find_in_game', None)
    assert list(find_puzzles(plan, 3, file)) == []


def test_runs_know_their_games_as_ranges() -> None:
    run = Run(2, {}, '1', 'easy', 10, 1)
    for number in (4, 1, 2, 7, 0):
        run = run.with_game(number)
    assert run.done == ((0, 2), (4, 4), (7, 7))
    assert [number for number in range(9) if run.has(number)] == [0, 1, 2, 4, 7]


def test_what_the_seat_cannot_know_makes_no_difference(plan: PuzzlePlan) -> None:
    """The order of the stack is hidden: with another one the same puzzle is found, to the byte."""
    game = load('octiles')
    for state in finding._positions(game, plan, '5/0'):
        work, other = game.Work.new(), as_known(game, state, int(state.to_move))
        game.kernels.prepare(other, int(state.to_move), work)
        game.kernels.guess(other, int(state.to_move), 77, work)
        one, two = (finding.examine(game, each, plan, 0) for each in (state, other))
        assert one == two


EQUALS = json.loads(Path(__file__).with_name('equals.json').read_text('utf-8'))
"""Positions with a turn as good as the best, which a search that goes by its first impression never tries."""


@pytest.mark.parametrize('case', EQUALS, ids=lambda case: f'{case["game"]}: {case["equal"]}')
def test_a_turn_as_good_as_the_best_is_found_however_unlikely_it_seems(case: dict[str, Any]) -> None:
    game, seat = load(case['game']), case['seat']
    known = as_known(game, game.from_json(case['position']), seat)
    found = finding.look(game, known, seat, finding.SIMULATIONS, 'seed')
    assert found is None or read_turn(game, known, seat, case['equal']).key in found.turns


def test_every_action_is_searched_before_a_turn_counts_as_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the first ones all lose clearly."""
    puzzle = next(one for one in puzzles('octiles') if len(one.best) == 1)
    game, known = load(puzzle.game), as_known(load(puzzle.game), puzzle.known(), puzzle.seat)
    forced = set[int]()

    def noted(game: Game, state: State, seat: int, *, only: int | None, **more: Any) -> Any:
        if only is not None and game.to_json(state) == puzzle.position:
            forced.add(only)
        return think(game, state, seat, only=only, **more)

    monkeypatch.setattr('ludoteca.puzzles.find.think', noted)
    assert finding.look(game, known, puzzle.seat, finding.SIMULATIONS, 'seed') is not None
    assert forced == set(puzzle.at_table().actions())


def test_a_position_with_many_good_turns_is_no_puzzle() -> None:
    """At the start of Octiles nothing is clear."""
    game = load('octiles')
    state = start(game, 2, 1)
    known = as_known(game, state, int(state.to_move))
    assert finding.look(game, known, int(state.to_move), 500, 'seed') is None


def test_the_grade_is_the_lowest_level_that_finds_the_turn_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that choose by the number of their simulations stand for the levels."""
    puzzle = made()
    game, known = load(puzzle.game), puzzle.known()
    turn = read_turn(game, known, puzzle.seat, puzzle.best[0])
    asked: list[tuple[int, int]] = []

    class Chooses:
        def __init__(self, level: BotLevel) -> None:
            self.simulations = level.usual.simulations

        def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
            asked.append((self.simulations, seed))
            lucky = self.simulations < 200 and len(asked) == 1
            return turn.actions[0] if lucky or self.simulations >= 200 else turn.actions[0] + 1

    monkeypatch.setattr(finding, 'SearchBot', Chooses)
    assert finding.grade_of(game, known, puzzle.seat, {turn.key}, 'seed') == 'medium'
    assert len(set(asked)) == len(asked) == 2 + 1 + finding.ASKED
    assert finding.grade_of(game, known, puzzle.seat, {'none'}, 'seed') == ''


# ---- the command -------------------------------------------------------------------------------------------


def test_the_command_keeps_what_it_finds(plan: PuzzlePlan, run: Command, tmp_path: Path) -> None:
    path = tmp_path / 'puzzles.json'
    given = (
        'puzzles',
        'octiles',
        '--sims',
        20,
        '--seed',
        3,
        '--level',
        'beginner',
        '--turns',
        1,
        '--workers',
        1,
    )
    first = run(*given, '--games', 1, '--out', path, '--json').json()
    assert [one['source']['game'] for one in first] == [0] * len(first)
    printed = run(*given, '--games', 2, '--out', path).out
    assert 'in 1 games of Octiles, seed 3' in printed
    assert 'By grade: easy' in printed
    file = read(path.read_text('utf-8'), path)
    assert file.run(plan.run).done == ((0, 1),)
    assert [one.json() for one in file.puzzles[: len(first)]] == [
        {**one, 'best': tuple(one['best'])} for one in first
    ]
    kept = path.read_text('utf-8')
    assert run(*given, '--games', 2, '--out', path, '--json').json() == []
    assert path.read_text('utf-8') == kept


def test_the_levels_of_today_grade_a_file_anew(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where levels are as they were, nothing changes; what no level finds any more is dropped."""
    path, few = tmp_path / 'puzzles.json', tuple(one for one in puzzles('octiles') if one.grade == 'easy')[:3]
    given = 'puzzles', 'octiles', '--regrade', '--out', path, '--workers', 1
    path.write_text(write(PuzzleFile('octiles', (), few)), 'utf-8')
    before = path.read_text('utf-8')
    assert said('cli.puzzles.renewed', changed=0, n=3, dropped=0) in run(*given).out
    assert path.read_text('utf-8') == before
    grades = iter(('medium', '', 'easy'))
    monkeypatch.setattr(finding, 'grade_of', lambda *_: next(grades))
    assert [one['id'] for one in run(*given, '--json').json()] == [few[0].id]
    file = read(path.read_text('utf-8'), path)
    assert file.puzzles == (replace(few[0], grade='medium'), few[2])
    assert file.dropped == (few[1].id,)


def test_a_recheck_corrects_or_drops_each_puzzle_and_continues_after_a_break(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / 'puzzles.json'
    done, *rest = puzzles('octiles')[:4]
    old = [replace(one, source=replace(one.source, finder=1)) for one in rest]
    path.write_text(write(PuzzleFile('octiles', (), (done, *old))), 'utf-8')
    asked: list[str] = []

    def confirms(puzzle: Puzzle) -> Puzzle | None:
        """One is corrected, one dropped; the third ends the run, and the next run corrects it."""
        asked.append(puzzle.id)
        if len(asked) == 3:
            raise GameError('A break.')
        return None if len(asked) == 2 else replace(puzzle, second=0.0, source=done.source)

    monkeypatch.setattr('ludoteca.puzzles.rechecked', confirms)
    given = 'puzzles', 'octiles', '--recheck', '--out', path, '--workers', 1
    assert run(*given).status != 0
    assert run(*given).status == 0
    assert asked == [*(one.id for one in rest), rest[2].id]
    file = read(path.read_text('utf-8'), path)
    corrected = [replace(one, second=0.0, source=done.source) for one in (rest[0], rest[2])]
    assert (file.puzzles, file.dropped) == ((done, *corrected), (rest[1].id,))


@pytest.mark.parametrize('answers', [1, 2])
def test_a_puzzle_with_another_answer_is_dropped_in_a_recheck(
    monkeypatch: pytest.MonkeyPatch, answers: int
) -> None:
    puzzle = next(one for one in puzzles('octiles') if len(one.best) == 1)
    answer = turn_of(puzzle, puzzle.best[0]).key
    other = next(turn for turn in puzzle.at_table().turns() if turn_of(puzzle, turn).key != answer)
    best = (other, *puzzle.best)[:answers]
    monkeypatch.setattr(finding, 'confirmed', lambda one: replace(one, best=best))
    assert rechecked(puzzle) is None


def test_a_file_that_cannot_be_written_is_told_before_it_is_graded(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / 'puzzles.json'
    path.write_text(write(PuzzleFile('octiles', (), puzzles('octiles')[:1])), 'utf-8')
    graded: list[str] = []

    def grade(*_: object) -> str:
        graded.append('')
        return 'easy'

    monkeypatch.setattr(finding, 'grade_of', grade)

    def full(**_: object) -> None:
        raise OSError(28, 'No space left on device')

    monkeypatch.setattr(tempfile, 'mkstemp', full)
    ended = run('puzzles', 'octiles', '--regrade', '--out', path, '--workers', 1)
    assert (ended.status, graded) == (2, [])
    assert 'no space left on device' in ended.err.lower()


# ---- answers -----------------------------------------------------------------------------------------------


def made(name: str = 'myriath') -> Puzzle:
    """A puzzle that the suite makes itself: the best turn is simply the first one."""
    game = load(name)
    state = start(game, 2, 1)
    for action in (0, 0, 0):
        legal = np.empty(game.max_legal, np.int32)
        game.kernels.legal_actions(state, legal)
        game.kernels.apply(state, int(legal[action]))
    position = game.to_json(as_known(game, state, int(state.to_move)))
    source = Source('1', 'easy', 10, 0, 3)
    best = (made_turn(name, position, 0),)
    return Puzzle('one', name, 2, {}, position, int(state.to_move), best, 0.9, 0.1, 'easy', source)


def made_turn(name: str, position: object, choice: int) -> str:
    game = load(name)
    known = game.from_json(position)  # type: ignore[arg-type]
    seat, names, ends = int(known.to_move), [], False
    while not ends:
        legal = np.empty(game.max_legal, np.int32)
        n = game.kernels.legal_actions(known, legal)
        action = int(legal[min(choice, n - 1)])
        names.append(game.action_name(known, action))
        known, ends = after(game, known, seat, action)
    return ' '.join(names)


@pytest.mark.parametrize(('loss', 'after'), [(0.0, 0.1), (0.04, 0.1), (0.85, 0.05)])
def test_a_turn_that_is_not_stored_as_best_brings_no_more_than_the_second_best(
    monkeypatch: pytest.MonkeyPatch, loss: float, after: float
) -> None:
    """Whatever the short search of the judge says."""
    puzzle = made()

    def judged(*given: Any, **more: Any) -> Judged:
        return replace(judge_turn(*given, **more), before=(1.0, 1.0), after=(1 - loss, 1 - loss))

    monkeypatch.setattr('ludoteca.puzzles.solving.judge_turn', judged)
    other = made_turn('myriath', puzzle.position, 20)
    verdict = judge(puzzle, other, simulations=20)
    assert (verdict.kind, verdict.counts, verdict.expected) == ('wrong', False, 0.9)
    assert verdict.after == pytest.approx(after)
    assert json.dumps(verdict.json())
    assert verdict == judge(puzzle, other, simulations=20)


@pytest.mark.parametrize(('proven', 'kind'), [(False, 'nearly'), (True, 'wrong')])
def test_a_turn_within_the_margin_counts_where_the_others_were_not_all_searched(
    monkeypatch: pytest.MonkeyPatch, proven: bool, kind: str
) -> None:
    puzzle = made()
    task = replace(Exercise.of_puzzle(puzzle).tasks[0], proven=proven)
    exercise = replace(Exercise.of_puzzle(puzzle), tasks=(task,))
    whole = exercise.begin()

    def even(*given: Any, **more: Any) -> SearchResult:
        return replace(think(*given, **more), expected=(0.5, 0.5))

    monkeypatch.setattr('ludoteca.puzzles.exercise.think', even)
    told = answer(exercise, 0, whole, made_turn('myriath', puzzle.position, 20), simulations=20)
    assert told.kind == kind
    assert told.after == pytest.approx(0.1 if proven else 0.9)


@pytest.mark.parametrize('name', BUILT_IN)
def test_answers_that_are_no_turn_are_refused_in_a_sentence(name: str) -> None:
    puzzle = made(name)
    best = puzzle.best[0]
    with pytest.raises(GameError, match='leave out'):
        judge(puzzle, f'{best} {best}')
    with pytest.raises(GameError, match='names of its steps'):
        judge(puzzle, '  ')
    with pytest.raises(GameError):
        judge(puzzle, 'nonsense')
    if len(words := best.split()) > 1 and name == 'octiles':
        with pytest.raises(GameError, match='The turn goes on'):
            judge(puzzle, words[0])


def test_an_unknown_puzzle_is_refused_in_a_sentence() -> None:
    octiles = load('octiles').title
    with pytest.raises(GameError, match=re.escape(said('puzzle.error.unknown', game=octiles, id='nothing'))):
        puzzle_of('octiles', 'nothing')
    for name in BUILT_IN:
        for puzzle in puzzles(name)[:1]:
            assert puzzle_of(name, puzzle.id) is puzzle


def test_a_puzzle_that_the_rules_do_not_allow_is_refused_in_a_sentence() -> None:
    puzzle = made()
    with pytest.raises(GameError, match='not the turn of seat'):
        replace(puzzle, seat=1 - puzzle.seat).known()
    with pytest.raises(GameError):
        replace(puzzle, position={'game': 'myriath'}).known()


@pytest.mark.parametrize(
    ('change', 'part'),
    [
        ({'grade': 'champion'}, 'grade'),
        ({'best': []}, 'answer'),
        ({'expected': 0.05}, 'expected outcomes'),
        ({'players': 9}, 'number of players'),
        ({'position': {'game': 'octiles'}}, 'not one of myriath'),
        ({'colour': 'red'}, 'colour'),
    ],
)
def test_a_file_that_is_not_as_it_must_be_is_refused(change: dict[str, object], part: str) -> None:
    puzzle = made()
    data = json.loads(write(PuzzleFile('myriath', (), (puzzle,))))
    assert read(json.dumps(data), 'file').puzzles == (puzzle,)
    data['puzzles'][0] |= change
    with pytest.raises(GameError, match=part):
        read(json.dumps(data), 'file')
