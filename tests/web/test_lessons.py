"""Lessons at a table: what a pupil is told and may do, and that a lesson goes on where it was left."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from ludoteca.game import load
from ludoteca.lessons import Lesson, lesson_of, lessons, line_of
from ludoteca.match import Match
from ludoteca.text import words
from tests.built_in import BUILT_IN
from tests.waiting import until
from tests.web.conftest import fresh
from tests.width import width

Guest = Callable[..., TestClient]
Program = Callable[..., TestClient]
LAST = len(lesson_of('octiles', 'run').steps) - 1


def begin(client: TestClient, game: str = 'octiles', lesson: str = 'run', **more: object) -> tuple[str, Any]:
    """Open a lesson: its path and its view."""
    answer = client.post('/api/lessons', json={'game': game, 'lesson': lesson, **more})
    assert answer.status_code == 201, answer.text
    return f'/api/tables/{answer.json()["id"]}', answer.json()


def go(client: TestClient, path: str, way: str, step: int) -> Any:
    return client.post(f'{path}/lesson', json={'way': way, 'step': step})


def act(client: TestClient, path: str, steps: str) -> Any:
    return client.post(f'{path}/act', json={'steps': steps})


def idle(app: FastAPI, path: str) -> bool:
    """Have the bots of a table looked, and do they rest?"""
    live = app.state.server._tables[path.rpartition('/')[2]]
    return bool(app.state.server.bots.is_idle(live))


@pytest.mark.smoke
def test_a_lesson_is_played_to_its_end_and_on_against_a_beginner(guest: Guest, app: FastAPI) -> None:
    client = guest()
    path, view = begin(client)
    lesson, line = lesson_of('octiles', 'run'), line_of(lesson_of('octiles', 'run'))
    for number, wanted in enumerate(line.wanted):
        told = view['lesson']
        assert (told['step'], told['of'], told['reads']) == (number, len(lesson.steps), wanted is None)
        assert told['say'] == lesson.said(lesson.steps[number])
        if wanted:
            view = act(client, path, ' '.join(wanted.names)).json()
        elif number < len(lesson.steps) - 1:
            view = go(client, path, 'next', number).json()
    assert view['turns'] == len(line.turns)
    assert not view['rated']
    view = go(client, path, 'play_on', len(lesson.steps) - 1).json()
    for turn in range(3):
        assert view['lesson']['coach'] == turn
        assert view['lesson']['say'] == lesson.coach(turn)
        turns = view['turns']
        while view['may_act'] and view['turns'] == turns:  # a quick bot has answered already
            view = act(client, path, view['legal'][0]).json()
        until(lambda turns=turns: client.get(path).json()['turns'] >= turns + 2)  # type: ignore[misc]
        view = client.get(path).json()
    assert 'lesson' not in view
    until(lambda: idle(app, path))


def test_what_a_step_does_not_wait_for_is_answered_and_not_played(guest: Guest) -> None:
    client = guest()
    path, _ = begin(client, 'octiles', 'home', step=1)
    lesson = lesson_of('octiles', 'home')
    before = client.get(path).json()
    loop = act(client, path, 'c3:0 C4-C4')
    assert loop.status_code == 200
    assert (loop.json()['done'], loop.json()['sentence']) == (False, lesson.said(lesson.steps[1], 'loop'))
    view = client.get(path).json()
    assert (view['turns'], view['draft']) == (before['turns'], [])
    assert view['lesson']['answer'] == loop.json()['sentence']
    # a good one is played and said to be one; then the lesson goes back to its own
    view = act(client, path, 'e4:1 E4-F5').json()
    assert view['turns'] == before['turns'] + 1
    assert view['lesson']['say'] == lesson.said(lesson.steps[1], 'home')
    assert act(client, path, 'pass').json()['sentence'] == words('web.lesson.error.read')
    view = go(client, path, 'next', 1).json()
    assert view['position']['runners'] == {**view['position']['runners'], 'E4': 0, 'F6': 0}
    assert view['lesson']['step'] == 2


def test_a_lesson_goes_back_from_a_good_other_move_to_the_same_step(guest: Guest) -> None:
    client = guest()
    path, before = begin(client, 'octiles', 'home', step=1)
    act(client, path, 'e4:1 E4-F5')
    view = go(client, path, 'back', 1).json()
    assert view['lesson']['step'] == 1
    assert view['position'] == before['position']


def test_a_lesson_goes_back_and_begins_anew(guest: Guest) -> None:
    client = guest()
    path, first = begin(client)
    for number in (0, 1):
        go(client, path, 'next', number)
    act(client, path, 'a3:2 A4-B3')
    view = go(client, path, 'back', 3).json()
    assert (view['lesson']['step'], view['turns']) == (2, 0)
    view = go(client, path, 'repeat', 2).json()
    assert (view['lesson']['step'], view['position']) == (0, first['position'])
    assert [row['kind'] for row in client.get(f'{path}/log').json()] == []


def test_steps_of_a_turn_are_drafts_that_earlier_steps_keep(guest: Guest) -> None:
    client = guest()
    path, view = begin(client, 'myraclia', 'terraform', step=2)
    assert view['draft'] == ['terraform 2,1']
    answer = client.post(f'{path}/undo', json={})
    assert answer.json()['sentence'] == words('web.lesson.error.back')
    view = act(client, path, 'pay yellow').json()
    assert view['lesson']['step'] == 2
    view = client.post(f'{path}/undo', json={}).json()
    assert view['draft'] == ['terraform 2,1']
    view = act(client, path, 'pay yellow pay red pay black').json()
    assert view['lesson']['step'] == 3


def test_a_hint_is_the_move_of_the_lesson(guest: Guest) -> None:
    client = guest()
    path, _ = begin(client, 'octiles', 'run', step=2)
    hint = client.post(f'{path}/hint', json={}).json()
    assert hint['turn'] == 'a3:2 A4-B3'


def test_a_button_of_a_lesson_that_is_pressed_twice_goes_its_way_once(guest: Guest) -> None:
    client = guest()
    path, _ = begin(client)
    for way, step, reached in (('next', 0, 1), ('back', 1, 0)):
        answers = [go(client, path, way, step) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 200]
        assert [answer.json()['lesson']['step'] for answer in answers] == [reached, reached]
    begin(client, step=LAST)
    assert [go(client, path, 'repeat', LAST).json()['lesson']['step'] for _ in range(2)] == [0, 0]
    begin(client, step=LAST)
    played_on = [go(client, path, 'play_on', LAST) for _ in range(2)]
    assert [answer.json()['lesson']['coach'] for answer in played_on] == [0, 0]


@pytest.mark.parametrize(
    ('path', 'body', 'sentence'),
    [
        ('lesson', {'way': 'next', 'step': 3}, words('web.lesson.error.step', step=1, given=4)),
        ('lesson', {'way': 'back', 'step': 0}, words('web.lesson.error.first')),
        ('lesson', {'way': 'play_on', 'step': 0}, words('web.lesson.error.not_last', last=LAST + 1)),
        ('lesson', {'way': 'sideways', 'step': 0}, None),
        ('lesson', {'way': 'next', 'step': -1}, None),
        ('resign', {}, words('web.lesson.error.not_now')),
        ('takeback', {}, words('web.lesson.error.not_now')),
        ('retry', {'turn': 0}, words('web.lesson.error.not_now')),
    ],
)
def test_a_forged_step_is_refused_in_a_sentence(guest: Guest, path: str, body: object, sentence: str) -> None:
    client = guest()
    table, before = begin(client)
    answer = client.post(f'{table}/{path}', json=body)
    assert answer.status_code in (400, 422)
    assert sentence is None or answer.json()['detail'] == sentence
    assert answer.json()['detail'].endswith('.')
    after = client.get(table).json()
    assert (after['turns'], after['lesson']['step']) == (before['turns'], 0)


@pytest.mark.parametrize(
    ('body', 'sentence'),
    [
        (
            {'game': 'octiles', 'lesson': 'none'},
            words('lesson.error.unknown', game='Octiles', lesson='none', known='run, home'),
        ),
        (
            {'game': 'octiles', 'lesson': 'run', 'step': LAST + 1},
            words('lesson.error.step', lesson=lesson_of('octiles', 'run').title, last=LAST),
        ),
        ({'game': 'toy'}, 'has no lessons'),
        ({'game': 'nothing'}, words('web.error.no_game')),
        ({'game': 'octiles', 'step': -1}, None),
    ],
)
def test_an_unknown_lesson_is_refused_in_a_sentence(guest: Guest, body: object, sentence: str) -> None:
    answer = guest().post('/api/lessons', json=body)
    assert answer.status_code in (400, 404, 422)
    assert sentence is None or sentence in answer.json()['detail']


def test_a_lesson_is_for_its_pupil_alone(guest: Guest, app: FastAPI) -> None:
    """Who watches sees the match and nothing of the lesson, and cannot go on in it."""
    pupil, other = guest(), guest()
    path, view = begin(pupil, 'myrmidons', 'moves', step=3)
    assert other.get(path).status_code == 404
    assert go(other, path, 'next', 3).status_code == 404
    watched = other.get(f'/api/watch/{view["link"].rpartition("/")[2]}').json()
    assert 'lesson' not in watched
    page = other.get(path.removeprefix('/api')).text
    lesson = lesson_of('myrmidons', 'moves')
    for step in lesson.steps:
        assert html.escape(lesson.said(step), quote=False) not in page
    assert go(other, path, 'back', 3).status_code == 403
    assert pupil.get(path, params={'seat': -1}).json().get('lesson') is None


def test_bots_rest_while_a_lesson_goes_on(guest: Guest, app: FastAPI) -> None:
    """Also where it would be their turn: after a good other move."""
    client = guest()
    path, _ = begin(client, 'octiles', 'home', step=1)
    act(client, path, 'e4:1 E4-F5')
    assert idle(app, path)
    view = client.get(path).json()
    assert (view['to_move'], view['turns']) == ([1], 17)


def test_a_lesson_goes_on_where_it_was_left_also_after_a_restart(tmp_path: Path) -> None:
    origin = {'Origin': 'http://testserver'}
    with TestClient(fresh(tmp_path), headers=origin) as client:
        first, _ = begin(client)
        for number in (0, 1):
            go(client, first, 'next', number)
        act(client, first, 'a3:2 A4-B3')
        cookies = dict(client.cookies)
    with TestClient(fresh(tmp_path), headers=origin, cookies=cookies) as client:
        path, view = begin(client)
        assert (path, view['lesson']['step'], view['turns']) == (first, 3, 2)
        assert words('web.learn.go_on', step=4) in client.get('/games/octiles/learn').text


def test_lessons_are_counted_by_steps_and_no_person_is_in_the_counts(tmp_path: Path) -> None:
    app = fresh(tmp_path)
    with TestClient(app, headers={'Origin': 'http://testserver'}) as client:
        path, _ = begin(client)
        for number in (0, 1):
            go(client, path, 'next', number)
        go(client, path, 'back', 2)
        go(client, path, 'next', 1)
        client.cookies.clear()
        begin(client, step=1)
        found = app.state.server.store.lesson_counts()
        assert [(one.step, one.begun, one.finished) for one in found] == [(0, 1, 1), (1, 2, 1), (2, 1, 0)]


def test_a_lesson_that_the_rules_do_not_let_begin_leaves_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(match: Match, *where: object) -> None:
        match.act(0, None, 'a2:2')
        match.act(0, None, 'A1-F6')

    app = fresh(tmp_path)
    monkeypatch.setattr('ludoteca.web.live.server.go_to', breaks)
    with TestClient(app, headers={'Origin': 'http://testserver'}) as client:
        answer = client.post('/api/lessons', json={'game': 'octiles', 'lesson': 'run', 'step': 3})
        assert answer.status_code == 400
        assert answer.json()['detail'].endswith('.')
        assert app.state.server.store.count_tables() == 0
        assert not app.state.server.store.lesson_counts()


def card(client: TestClient, game: str) -> str:
    """The card of a game in the lobby."""
    cards = re.findall(r'<li class="game">.*?</li>', html.unescape(client.get('/').text), re.DOTALL)
    found: str = next(one for one in cards if f'>{load(game).title}</h2>' in one)
    return found


def taught(client: TestClient, game: str) -> str:
    """What the button of the lessons says on a game's card."""
    found = re.search(r'class="btn learn".*?</svg>(.*?)<span', card(client, game), re.DOTALL)
    assert found, 'there is one on every card'
    return found[1]


def test_learn_stays_on_the_card_of_a_game_that_was_played_and_counts_what_is_done(guest: Guest) -> None:
    client = guest()
    table = client.post('/api/tables', json={'game': 'octiles', 'mode': 'here'}).json()
    client.post(f'/api/tables/{table["id"]}/resign', json={})
    assert taught(client, 'octiles') == words('web.lobby.learn')
    known = lessons('octiles')
    for done, lesson in enumerate(known, 1):
        begin(client, 'octiles', lesson.id, step=len(lesson.steps) - 1)
        assert taught(client, 'octiles') == words('web.lobby.learn_of', done=done, of=len(known))
        assert taught(client, 'myriath') == words('web.lobby.learn')
    assert 'href="/games/octiles/learn"' in card(client, 'octiles'), 'all are done: there one can choose'


@pytest.mark.parametrize('name', BUILT_IN)
def test_a_lesson_is_done_when_its_last_step_is_reached_and_stays_so(guest: Guest, name: str) -> None:
    client = guest()
    for lesson in lessons(name):
        last = len(lesson.steps) - 1
        path, view = begin(client, name, lesson.id, step=last)
        assert row(client, name, lesson)[0] == words('web.learn.again')
        assert row(client, name, lesson)[1], 'there is a tick'
        assert f'row-{view["id"]}"' not in client.get('/').text, 'it waits for nobody'
        go(client, path, 'back', last)
        assert row(client, name, lesson) == (words('web.learn.go_on', step=last), True)
        assert f'row-{view["id"]}"' in client.get('/').text
        begin(client, name, lesson.id, step=last)
        again, view = begin(client, name, lesson.id)
        assert (again, view['lesson']['step']) == (path, 0), 'once more means from the beginning'


def row(client: TestClient, game: str, lesson: Lesson) -> tuple[str, bool]:
    """On the page of all lessons: what the button of a lesson says, and whether the lesson is ticked."""
    text = html.unescape(client.get('/learn').text)
    course = re.search(rf'<section class="course" id="{game}">.*?</section>', text, re.DOTALL)
    assert course
    rows = re.findall(r'<li(?: class="(done)")?>(.*?)</li>', course[0], re.DOTALL)
    done, found = next((done, found) for done, found in rows if f'<h3>{lesson.title}</h3>' in found)
    assert lesson.about in found
    label = re.search(r'<button.*?</svg>(.*?)<span', found, re.DOTALL)
    assert label
    return label[1], bool(done)


def test_all_lessons_are_on_one_page_with_the_step_that_was_reached(guest: Guest) -> None:
    client = guest()
    for name in BUILT_IN:
        for lesson in lessons(name):
            assert row(client, name, lesson) == (words('web.learn.begin'), False)
    begin(client, 'myriath', 'ends', step=4)
    assert row(client, 'myriath', lesson_of('myriath', 'ends')) == (words('web.learn.go_on', step=5), False)
    for path in ('/', '/puzzles', '/rules', '/analysis', '/games/octiles/learn'):
        assert f'href="/learn">{words("web.nav.learn")}<' in client.get(path).text.replace(
            ' aria-current="page"', ''
        )


@pytest.mark.parametrize('name', BUILT_IN)
def test_the_last_step_leads_to_the_next_lesson_and_from_the_last_lesson_to_puzzles(
    guest: Guest, name: str
) -> None:
    client, known = guest(), lessons(name)
    for lesson, following in zip(known, [*known[1:], None], strict=True):
        last = len(lesson.steps) - 1
        _, view = begin(client, name, lesson.id, step=last)
        assert view['lesson']['following'] == (following.id if following else '')
        strip = html.unescape(client.get(f'/tables/{view["id"]}/view').json()['fragments']['lesson'])
        main = re.search(r'<button[^>]*id="lesson-on"[^>]*>.*?</svg>(.*?)<kbd', strip, re.DOTALL)
        assert main
        if following:
            title = words('web.learn.of', title=following.title)
            assert re.sub('<[^>]+>', '', main[1]) == words('web.lesson.following') + title
            fields = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', strip))
            answer = client.post('/lessons', data=fields)
            assert following.said(following.steps[0]) in html.unescape(answer.text)
        else:
            assert main[1] == words('web.lesson.play_on')
            assert f'href="/games/{name}/puzzles"' in strip
        assert strip.count('data-way="play_on"') == 1
        assert begin(client, name, lesson.id, step=last - 1)[1]['lesson']['following'] == ''


def test_a_lesson_that_was_left_stands_in_the_lobby_and_calls_nobody(guest: Guest) -> None:
    client = guest()
    path, _ = begin(client, 'myriath', 'ends')
    text = client.get('/').text
    left = re.search(rf'id="row-{path.rpartition("/")[2]}".*?</li>', text, re.DOTALL)
    assert left
    assert words('web.lesson.label', title=lesson_of('myriath', 'ends').title) in left[0]
    assert words('web.lobby.go_on') in left[0]
    assert 'data-waiting="0"' in text


def test_the_button_of_the_lobby_opens_the_next_lesson(guest: Guest) -> None:
    client = guest()
    first = client.post('/lessons', data={'game': 'octiles'}, follow_redirects=False)
    assert first.status_code == 303
    assert (
        client.post('/lessons', data={'game': 'octiles'}, follow_redirects=False).headers['location']
        == first.headers['location']
    )
    path = f'/api{first.headers["location"]}'
    last = len(lessons('octiles')[0].steps) - 1
    client.post('/lessons', data={'game': 'octiles', 'lesson': 'run', 'step': str(last)})
    assert go(client, path, 'play_on', last).status_code == 200
    following = client.post('/lessons', data={'game': 'octiles'})
    assert lessons('octiles')[1].title in following.text
    assert client.post('/lessons', data={'game': 'octiles', 'step': 'x'}).status_code == 400


@pytest.mark.parametrize('name', BUILT_IN)
def test_rules_and_steps_lead_to_each_other(guest: Guest, name: str) -> None:
    client = guest()
    rules, learn = client.get(f'/games/{name}/rules').text, client.get(f'/games/{name}/learn').text
    readings = client.get(f'/games/{name}/readings').text
    for lesson in lessons(name):
        for step in lesson.steps:
            assert f'id="{lesson.id}.{step.id}"' in learn
            if step.rule:
                assert f'#{step.rule}"' in learn
                assert f'/games/{name}/learn#{lesson.id}.{step.id}"' in rules + readings


def test_every_lesson_opens_as_a_page_at_every_step(guest: Guest) -> None:
    client = guest()
    for name in BUILT_IN:
        for lesson in lessons(name):
            path, _ = begin(client, name, lesson.id)
            for number, step in [*enumerate(lesson.steps)][:: width(3, 1)]:
                begin(client, name, lesson.id, step=number)
                page = html.unescape(client.get(path.removeprefix('/api')).text)
                assert lesson.said(step) in page
                assert words('web.lesson.step', step=number + 1, of=len(lesson.steps)) in page


@pytest.mark.parametrize('what', ['lessons', 'puzzles'])
def test_a_lesson_or_a_puzzle_offers_nothing_that_it_refuses(
    guest: Callable[..., TestClient], what: str
) -> None:
    client = guest()
    made = client.post(f'/api/{what}', json={'game': 'mykerinos'}).json()
    page = client.get(made['url'], headers={'Accept': 'text/html'}).text
    assert 'id="menu"' in page
    for act in ('takeback', 'retry', 'resign', 'replace'):
        assert f'data-act="{act}"' not in page, act
