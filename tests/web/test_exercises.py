"""Puzzles and other exercises at a table: answers are judged, refuted and kept, by what the seat knows."""

from __future__ import annotations

import asyncio
import html
import json
import re
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from ludoteca.game import load
from ludoteca.match import Match
from ludoteca.puzzles import Exercise, JudgedAnswer, Puzzle, PuzzleFile, files, memory, puzzle_of, puzzles
from ludoteca.puzzles.memory import DAY, daily, day_of, next_puzzle, reviewed, shuffled
from ludoteca.puzzles.turns import read_turn
from ludoteca.review.lines import line
from ludoteca.search import as_known
from ludoteca.store import PuzzleDays, Sitting
from ludoteca.text import words
from ludoteca.web.live import exercises
from ludoteca.web.serving.errors import Busy
from ludoteca.web.table.model import SeatLabel, TableView, seat_view
from ludoteca.web.table.wording import advice
from ludoteca.work import Conditions, Job, answers, kinds, ranks
from ludoteca.work.jobs import packed
from tests.built_in import BUILT_IN
from tests.web.conftest import fresh
from tests.width import width

Guest = Callable[..., TestClient]


def begin(client: TestClient, **given: str) -> tuple[str, Any]:
    """Open a puzzle: its path and its view."""
    answer = client.post('/api/puzzles', json=given)
    assert answer.status_code == 201, answer.text
    return f'/api/tables/{answer.json()["id"]}', answer.json()


def act(client: TestClient, path: str, steps: str) -> Any:
    return client.post(f'{path}/act', json={'steps': steps})


def go(client: TestClient, path: str, way: str, step: int = 0) -> Any:
    return client.post(f'{path}/exercise', json={'way': way, 'step': step})


def simple() -> Puzzle:
    """A puzzle of one turn in a game without secrets, with a turn that is no answer."""
    return next(one for one in puzzles('myriath') if one.turns == 1 and one.expected < 0.95)


def wrong(puzzle: Puzzle) -> str:
    """A turn that is not among the best ones."""
    game = load(puzzle.game)
    known = as_known(game, puzzle.known(), puzzle.seat)
    keys = {read_turn(game, known, puzzle.seat, text).key for text in puzzle.best}
    names = puzzle.at_table().turns()
    return next(turn for turn in names if read_turn(game, known, puzzle.seat, turn).key not in keys)


@pytest.fixture
def judge_all_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is not a best turn is wrong, and is answered with the first legal turn: no search."""

    def told(exercise: Exercise, number: int, known: Any, turn: str, *_: object) -> JudgedAnswer:
        task = exercise.tasks[number]
        if exercises._is_best(load(exercise.game), exercise, number, known, turn):
            return JudgedAnswer('solved', turn, task.best[0], task.expected, task.expected, why=('Because.',))
        return JudgedAnswer('wrong', turn, task.best[0], task.expected, task.second, why=('It is better.',))

    monkeypatch.setattr(answers, 'told', told)


@pytest.mark.smoke
@pytest.mark.usefixtures('judge_all_wrong')
def test_a_puzzle_is_failed_tried_again_and_solved(guest: Guest) -> None:
    client, puzzle = guest(), simple()
    path, view = begin(client, puzzle=puzzle.id)
    before = view['position']
    assert before == puzzle.position
    assert view['exercise']['kind'] == ''
    for seat in view['seats']:  # a name, as at every table
        assert seat['name'] != seat['level']
        assert seat['name'][0].isupper()
    turn = wrong(puzzle)
    view = act(client, path, turn).json()
    told = view['exercise']
    assert (told['kind'], told['reads'], view['turns']) == ('wrong', True, 1)
    chances = {'best': round(100 * puzzle.expected), 'after': round(100 * puzzle.second)}
    assert told['say'] == words('web.exercise.wrong', **chances)
    assert told['more'] == words('web.exercise.why', why='It is better.')
    refused = act(client, path, puzzle.best[0])
    assert refused.json()['sentence'] == words('web.exercise.error.read')
    view = go(client, path, 'again').json()
    assert (view['position'], view['turns'], view['exercise']['kind']) == (before, 0, '')
    view = act(client, path, puzzle.best[0]).json()
    assert (view['exercise']['kind'], view['turns']) == ('solved', 1)
    page = client.get('/games/myriath/puzzles').text
    assert '1 of ' in page


class AtOnce:
    """A desk that has its jobs done at once, as if by a worker."""

    def __init__(self) -> None:
        self.jobs = list[Job]()

    def submit(self, job: Job) -> Future[dict[str, Any]]:
        self.jobs.append(job)
        future: Future[dict[str, Any]] = Future()
        result = kinds.run(job.kind, json.loads(json.dumps(job.payload)), Conditions())
        future.set_result(json.loads(json.dumps(result)))
        return future


class Dropped(AtOnce):
    """A desk whose jobs another request cancels."""

    def submit(self, job: Job) -> Future[dict[str, Any]]:
        future: Future[dict[str, Any]] = Future()
        future.cancel()
        return future

    def cancel(self, key: Hashable) -> None:
        """Nothing is left to be cancelled."""


def test_an_answer_whose_search_another_request_has_dropped_is_refused_in_a_sentence() -> None:
    puzzle = simple()
    known = as_known(load(puzzle.game), puzzle.known(), puzzle.seat)
    script = exercises.Exercising(Exercise.of_puzzle(puzzle), Sitting())
    asked = exercises.prepare(script, (known, wrong(puzzle)), Dropped(), 'table', lambda: None)  # type: ignore[arg-type]
    with pytest.raises(Busy):
        asyncio.run(asked)


@pytest.mark.usefixtures('judge_all_wrong')
def test_an_answer_that_needs_a_search_is_a_job_for_which_somebody_waits_and_a_best_turn_is_none() -> None:
    puzzle, desk = simple(), AtOnce()
    known = as_known(load(puzzle.game), puzzle.known(), puzzle.seat)
    script = exercises.Exercising(Exercise.of_puzzle(puzzle), Sitting())

    def judged(turn: str) -> JudgedAnswer | None:
        asyncio.run(exercises.prepare(script, (known, turn), desk, 'table', lambda: None))  # type: ignore[arg-type]
        return script.judged(turn)

    best = judged(puzzle.best[0])
    assert (best and best.kind, desk.jobs) == ('solved', [])
    turn = wrong(puzzle)
    assert judged(turn) == judged(turn) == answers.told(script.exercise, 0, known, turn)
    [job] = desk.jobs
    assert (job.kind, job.subject, job.rank, job.small) == ('answer', 'table', ranks.PEOPLE, False)
    task = {'best': puzzle.best, 'expected': puzzle.expected, 'second': puzzle.second}
    assert job.payload['state'] == packed(known), 'nothing but what the seat knows'
    assert (job.payload['game'], job.payload['seat'], job.payload['turn']) == (puzzle.game, puzzle.seat, turn)
    assert job.payload['task'] == {**task, 'replies': (), 'proven': True}


def test_that_an_answer_ends_the_game_is_not_said_of_the_best_turn() -> None:
    puzzle = simple()
    found = JudgedAnswer(
        'wrong', wrong(puzzle), puzzle.best[0], puzzle.expected, 0.0, ends=True, why=('It is better.',)
    )
    script = exercises.Exercising(Exercise.of_puzzle(puzzle), Sitting(0, 'wrong', 1, found.json()))
    match = Match(exercises.setup_of(script.exercise, 'Ann'))
    view = exercises.exercise_view(script, match, puzzle.seat)
    assert view is not None
    why = words('web.exercise.why', why='It is better.')
    assert view.more == f'{words("web.exercise.ends")} {why}'


def test_a_turn_that_would_end_the_game_is_on_the_board_until_one_tries_again(guest: Guest) -> None:
    client, game = guest(), load('octiles')
    for puzzle in puzzles('octiles'):
        known = as_known(game, puzzle.known(), puzzle.seat)
        *_, end = line(game, known, puzzle.seat, puzzle.best[:1])
        if end.after.ending:
            break
    path, _ = begin(client, puzzle=puzzle.id)

    def drawing() -> str:
        page = client.get(path.removeprefix('/api')).text
        return page.partition('id="drawing"')[2].partition('<svg id="overlay"')[0]

    before = drawing()
    shown = go(client, path, 'solution').json()
    assert (shown['turns'], shown['status']) == (0, 'running'), 'it is not played'
    after = drawing()
    go(client, path, 'again')
    assert drawing() == before
    for step in puzzle.best[0].split():  # begun by a step, as on the page
        solved = act(client, path, step).json()
    assert (solved['turns'], solved['exercise']['kind']) == (0, 'solved')
    assert drawing() == after != before
    found = JudgedAnswer('solved', puzzle.best[0], puzzle.best[0], 1.0, 1.0, ends=True)
    script = exercises.Exercising(Exercise.of_puzzle(puzzle), Sitting(0, 'solved', 1, found.json()))
    match = Match(exercises.setup_of(script.exercise, 'Ann'))
    exercise = exercises.exercise_view(script, match, puzzle.seat)
    labels = tuple(SeatLabel(seat.name, seat.kind) for seat in match.seats)
    view = seat_view(TableView('', match, puzzle.seat, (puzzle.seat,), labels, exercise=exercise))
    assert game.to_json(view.state) == game.to_json(end.after)
    assert view.last, 'with its marks'


@pytest.mark.usefixtures('judge_all_wrong')
def test_the_solution_is_shown_with_its_reason_and_counts_as_failed(tmp_path: Path) -> None:
    puzzle, app = simple(), fresh(tmp_path)
    with TestClient(app, headers={'Origin': 'http://testserver'}) as client:
        path, _ = begin(client, puzzle=puzzle.id)
        view = go(client, path, 'solution').json()
        assert view['exercise']['kind'] == 'shown'
        game, known = load(puzzle.game), puzzle.known()
        best = advice(game, line(game, known, puzzle.seat, puzzle.best[:1]), puzzle.seat, ())
        assert view['exercise']['say'] == words('web.exercise.shown', best=best)
        assert view['turns'] == 1
        store = app.state.server.store
        person = store.table(view['id']).owner
        card = store.puzzle_cards(person)[puzzle.id]
        assert (card.solved, card.failed) == (0, 1)
        go(client, path, 'again')
        act(client, path, puzzle.best[0])
        again = store.puzzle_cards(person)[puzzle.id]
        assert (again.solved, again.failed, again.due) == (1, 1, card.due)
        assert store.puzzle_days(person).run == 1


@pytest.mark.usefixtures('judge_all_wrong')
def test_an_exercise_stands_where_it_was_after_a_restart(tmp_path: Path) -> None:
    puzzle = simple()
    with TestClient(fresh(tmp_path), headers={'Origin': 'http://testserver'}) as client:
        path, _ = begin(client, puzzle=puzzle.id)
        before, cookies = act(client, path, wrong(puzzle)).json(), client.cookies
    with TestClient(fresh(tmp_path), headers={'Origin': 'http://testserver'}, cookies=cookies) as client:
        after = client.get(path).json()
        assert {key: after[key] for key in ('exercise', 'position', 'turns')} == {
            key: before[key] for key in ('exercise', 'position', 'turns')
        }
        assert go(client, path, 'again').json()['position'] == puzzle.position


def long_puzzles() -> list[Puzzle]:
    """Of several turns: one of a few games, at full width all."""
    found = []
    for name in width(('octiles', 'mykerinos'), BUILT_IN):
        found += [one for one in puzzles(name) if one.turns > 1][: width(1, 99)]
    return found


@pytest.mark.parametrize('puzzle', long_puzzles(), ids=lambda one: one.id)
def test_replies_are_played_between_the_turns_of_a_puzzle(guest: Guest, puzzle: Puzzle) -> None:
    client = guest()
    path, view = begin(client, puzzle=puzzle.id)
    assert view['exercise']['of'] == puzzle.turns
    for number, best in enumerate((puzzle.best, *(one.best for one in puzzle.then))):
        assert (view['exercise']['task'], view['exercise']['kind']) == (number, '')
        view = act(client, path, best[0]).json()
    assert view['exercise']['kind'] == 'solved', view['exercise']
    view = go(client, path, 'again', puzzle.turns - 1).json()
    assert (view['exercise']['task'], view['turns']) == (0, 0)
    for number in range(puzzle.turns):
        view = go(client, path, 'solution', number).json()
        assert view['exercise']['goes_on'] == (number < puzzle.turns - 1)
        if view['exercise']['goes_on']:
            view = go(client, path, 'on', number).json()
            assert view['exercise']['task'] == number + 1


@pytest.mark.parametrize('name', width(('myrmidons',), BUILT_IN))
def test_what_the_seat_cannot_know_is_in_no_answer(guest: Guest, name: str) -> None:
    """A leak test: exercises are made of the position as its seat knows it, which is all that is stored; what
    was guessed for the match at the table is hidden again."""
    client, game = guest(), load(name)
    for puzzle in puzzles(name)[:3]:
        path, view = begin(client, puzzle=puzzle.id)
        known = as_known(game, puzzle.known(), puzzle.seat)
        assert view['position'] == game.to_json(known) == puzzle.position
        onlooker = guest()
        assert onlooker.get(path).status_code == 404
        assert onlooker.get(path.removeprefix('/api')).status_code == 404
        exported = client.get(f'{path}/export').text
        assert 'Seed' not in exported
        text = client.get(path.removeprefix('/api')).text + client.get(path).text
        turns = (line(game, known, puzzle.seat, [best]) for best in puzzle.best)
        best = [words('web.exercise.shown', best=advice(game, one, puzzle.seat, ())) for one in turns]
        assert not any(sentence in html.unescape(text) for sentence in best)


@pytest.mark.parametrize(
    ('given', 'said'),
    [
        ({'puzzle': 'octiles-00000000'}, 'Octiles has no puzzle'),
        ({'puzzle': '../octiles'}, 'There is no game'),
        ({'game': 'octiles', 'grade': 'godlike'}, 'level'),
        ({'game': 'chess'}, 'There is no game'),
    ],
)
def test_an_unknown_or_forged_puzzle_gets_one_sentence(
    guest: Guest, given: dict[str, str], said: str
) -> None:
    for answer in (guest().post('/api/puzzles', json=given), guest().post('/puzzles', data=given)):
        assert answer.status_code in (400, 404)
        sentence = answer.json()['detail']
        assert said in sentence
        assert sentence.endswith('.')
        assert '\n' not in sentence


@pytest.fixture
def drop(monkeypatch: pytest.MonkeyPatch) -> Callable[[Puzzle], None]:
    """Has a puzzle dropped from its file."""

    def dropped(puzzle: Puzzle) -> None:
        file = files._file(puzzle.game).without(puzzle.id)
        monkeypatch.setattr(files, '_file', lambda name: file if name == puzzle.game else PuzzleFile(name))
        monkeypatch.setattr(memory, 'shuffled', shuffled.__wrapped__)

    return dropped


@pytest.mark.usefixtures('judge_all_wrong')
def test_a_link_to_a_dropped_puzzle_says_so_and_offers_another_one_of_the_game(
    guest: Guest, drop: Callable[[Puzzle], None]
) -> None:
    client, puzzle = guest(), simple()
    path, _ = begin(client, puzzle=puzzle.id)
    act(client, path, puzzle.best[0])
    drop(puzzle)
    sentence = words('puzzle.error.dropped', game=load(puzzle.game).title)
    said = client.post('/api/puzzles', json={'puzzle': puzzle.id})
    assert (said.status_code, said.json()['detail']) == (410, sentence)
    table = path.removeprefix('/api')
    for page in (client.post('/puzzles', data={'puzzle': puzzle.id}), client.get(table)):
        assert page.status_code == 410
        assert html.escape(sentence) in page.text
        assert f'name="game" value="{puzzle.game}"' in page.text
    other = client.post('/puzzles', data={'game': puzzle.game})
    assert other.status_code == 200
    assert str(other.url.path) != table


@pytest.mark.usefixtures('judge_all_wrong')
def test_what_was_done_with_a_dropped_puzzle_does_no_harm(
    guest: Guest, drop: Callable[[Puzzle], None]
) -> None:
    client, puzzle = guest(), simple()
    path, _ = begin(client, puzzle=puzzle.id)
    drop(puzzle)
    act(client, path, puzzle.best[0])
    page = client.get(f'/games/{puzzle.game}/puzzles')
    many = len(puzzles(puzzle.game))
    assert words('web.puzzles.count', solved=0, n=many) in page.text
    assert begin(client, game=puzzle.game)[1]['exercise']['kind'] == ''
    assert client.get('/puzzles').status_code == 200


def test_what_an_exercise_does_not_wait_for_is_refused_in_one_sentence(guest: Guest) -> None:
    client = guest()
    path, view = begin(client, puzzle=simple().id)
    for answer in (
        client.post(f'{path}/resign', json={}),
        client.post(f'{path}/retry', json={}),
        client.post(f'{path}/hint', json={'stage': 1}),
        go(client, path, 'again'),
        go(client, path, 'on'),
        go(client, path, 'solution', 1),
        client.post(f'{path}/lesson', json={'way': 'next', 'step': 0}),
        act(client, path, 'no such step'),
    ):
        assert answer.status_code == 400, answer.text
        assert re.search(r'[.;]', answer.json()['detail'])
    assert client.get(path).json()['version'] == view['version']


def test_opening_a_puzzle_twice_is_one_table_and_old_ones_are_put_away(guest: Guest) -> None:
    client = guest()
    first = [begin(client, puzzle=one.id)[0] for one in puzzles('octiles')[:2]]
    assert begin(client, puzzle=puzzles('octiles')[0].id)[0] == first[0]
    for one in puzzles('octiles')[2:4]:
        begin(client, puzzle=one.id)
    assert [client.get(path).json()['status'] for path in first] == ['closed', 'running']
    assert client.get('/api/tables').json()['mine'] == []


def test_a_turning_point_of_a_match_is_an_exercise_as_well() -> None:
    puzzle = puzzle_of('myrmidons', puzzles('myrmidons')[0].id)
    game, known = load('myrmidons'), puzzle.known()
    exercise = Exercise.of_turn(
        'turn-5', game, known, puzzle.seat, {}, puzzle.best, puzzle.expected, puzzle.second
    )
    assert exercise.position == puzzle.position
    assert Exercise.of(exercise.json()) == exercise
    assert exercise == replace(Exercise.of_puzzle(puzzle), id='turn-5', tasks=exercise.tasks)


# ---- which puzzle is next ----------------------------------------------------------------------------------


def test_the_puzzle_of_a_day_is_the_same_for_all_and_games_take_turns() -> None:
    now = 1_800_000_000.0
    assert day_of(now) == day_of(now - now % DAY) == day_of(now - now % DAY + DAY - 1)
    found = [daily(day) for day in range(1000, 1000 + 5 * 120)]
    assert all(found)
    names = [one.game for one in found if one]
    assert len(set(names[:5])) == 5
    assert names[5:10] == names[:5]
    of_one = [one.id for one in found[::5] if one]
    assert len(set(of_one[: len(puzzles(names[0]))])) == len(puzzles(names[0]))


def test_what_is_due_comes_first_then_new_ones_from_the_easiest() -> None:
    first, second, *_ = shuffled('octiles')
    due = {first.id: 50.0, second.id: 10.0}
    assert next_puzzle('octiles', due.get, 60.0) == second
    assert next_puzzle('octiles', due.get, 60.0, without=[second.id]) == first
    found = next_puzzle('octiles', due.get, 5.0)
    assert found is not None
    assert found.grade == 'beginner'
    assert found.id not in due
    everything = {one.id: 100.0 + k for k, one in enumerate(shuffled('octiles'))}
    assert next_puzzle('octiles', everything.get, 5.0) == first


def test_a_solved_puzzle_comes_back_after_days_that_grow_and_a_failed_one_sooner() -> None:
    card, due = reviewed(None, True, 0.0)
    assert due >= DAY
    later, again = reviewed(card, True, due)
    assert again - due > due
    _, sooner = reviewed(later, False, again)
    assert DAY <= sooner - again < again - due


def test_days_in_a_row_are_counted_and_end_quietly() -> None:
    days = PuzzleDays()
    for day in (7, 7, 8, 9, 12):
        days = days.with_day(day)
    assert days == PuzzleDays(12, 1, 3)
    assert [days.current(day) for day in (12, 13, 14)] == [1, 1, 0]


def test_days_in_a_row_are_not_lost_to_a_clock_that_is_put_back_over_midnight() -> None:
    days = PuzzleDays()
    for day in (10, 11, 12, 11, 12, 13):
        days = days.with_day(day)
    assert days == PuzzleDays(13, 4, 4)
    for day in (400, 14, 15):  # a clock that was far ahead for a while
        days = days.with_day(day)
    assert days == PuzzleDays(15, 2, 4)
