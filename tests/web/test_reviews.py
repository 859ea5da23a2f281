"""Reviews in the browser: one click on a finished match, kept and never made twice, stopped and gone on with;
nothing of a match that is not over."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from ludoteca.game import View
from ludoteca.review import Judged, judge_turn, key_of, payloads
from ludoteca.review import review as whole_review
from ludoteca.search import as_known
from ludoteca.text import words
from ludoteca.web.live import reviews
from ludoteca.web.live.reviews import Reviewer
from ludoteca.web.pages import review as review_pages
from ludoteca.web.pages.review import change, luck_words, share
from tests.built_in import BUILT_IN
from tests.waiting import until
from tests.web.test_interface import make
from tests.web.test_races import pair

Guest = Callable[..., TestClient]
FEW = 10
"""Simulations of a search here."""
SOON = 120.0


class Counting:
    """Threads that judge turns, and how many they have judged."""

    def __init__(self) -> None:
        self.judged = 0
        self.most = 10**6

    def __call__(self) -> Executor:
        return ThreadPoolExecutor(1)

    def judge(self, payload: Any) -> dict[str, Any]:
        while self.judged >= self.most:
            time.sleep(0.01)
        self.judged += 1
        return judge_turn(payload)


@pytest.fixture
def counting(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counting]:
    """Reviews of few simulations, made in this process and counted."""
    found = Counting()
    monkeypatch.setattr(reviews, 'judge_turn', found.judge)
    before, reviewer = app.state.reviewer, Reviewer(app.state.server)
    monkeypatch.setattr(Reviewer, 'simulations', FEW)
    monkeypatch.setattr(Reviewer, 'workers', found)
    app.state.reviewer = reviewer
    yield found
    found.most = 10**6
    app.state.portal.call(reviewer.close)
    app.state.reviewer = before


def finished(client: TestClient, game: str = 'octiles', turns: int = 4) -> str:
    """The table of a match that was given up after some turns."""
    path, view = make(client, game=game, mode='here')
    while view['turns'] < turns:
        view = client.post(f'{path}/act', json={'steps': view['legal'][0]}).json()
    client.post(f'{path}/resign', json={})
    return path.removeprefix('/api')


def status(client: TestClient, table: str) -> str:
    found = re.search(r'id="review" data-status="(\w+)"', client.get(f'{table}/review').text)
    assert found
    return found[1]


def wait_for(client: TestClient, table: str, wanted: str) -> str:
    """The page once the review stands so."""
    until(lambda: status(client, table) == wanted, seconds=SOON)
    return client.get(f'{table}/review').text


def test_what_rounds_to_zero_has_no_sign() -> None:
    assert share(-0.001) == change(-0.001) == change(0.001) == '0 %'
    assert [change(0.25), change(-0.25)] == ['+25 %', '−25 %']


@pytest.mark.parametrize(
    ('luck', 'error', 'kind', 'size'),
    [
        (0.0, 0.3, 'little', ''),
        (-0.04, 0.0, 'little', ''),
        (0.25, 0.3, 'unclear', ''),
        (-0.1, 0.05, 'bad', 'tenth'),
        (0.36, 0.13, 'good', 'third'),
        (-0.66, 0.12, 'bad', 'two_thirds'),
        (1.7, 0.1, 'good', 'more'),
    ],
)
def test_luck_is_told_as_the_nearest_part_of_a_win_or_as_none_where_it_may_be_chance(
    luck: float, error: float, kind: str, size: str
) -> None:
    told = words(f'web.review.luck.size.{size}') if size else ''
    assert luck_words(luck, error) == words(f'web.review.luck.{kind}', **({'size': told} if told else {}))


TURN_LINK = re.compile(r'<a href="\?turn=(\d+)')


def listed(page: str) -> list[int]:
    """The numbers of the turns in the list of all turns."""
    return [int(number) for number in TURN_LINK.findall(page.partition('class="card turns"')[2])]


def test_a_player_sees_their_own_turns_and_biggest_turning_point_first_and_all_turns_on_request(
    app: FastAPI, guest: Guest, counting: Counting
) -> None:
    path, ann, bob = pair(guest)
    people = {client.get(path).json()['your_seats'][0]: client for client in (ann, bob)}
    while (view := ann.get(path).json())['turns'] < 8:
        mover = people[view['to_move'][0]]
        mover.post(f'{path}/act', json={'steps': mover.get(path).json()['legal'][-1]})
    bob.post(f'{path}/resign', json={})
    table = path.removeprefix('/api')
    ann.post(f'{table}/review')
    wait_for(ann, table, 'done')
    found = whole_review(app.state.server._tables[table.rpartition('/')[2]].match(), simulations=FEW)
    for seat, client in people.items():
        own = [turn.number for turn in found.turns if turn.judged.seat == seat]
        page = client.get(f'{table}/review').text
        points = list(found.turning_points[seat])
        shown = page.partition('class="card points"')[2].partition('</section>')[0]
        assert [int(number) for number in re.findall(r'<li class=.*?turn=(\d+)', shown)] == points
        assert f'href="?turn={[*points, own[0]][0]}&amp;everyone=true#turn"' in shown
        assert listed(page) == own
        following = client.get(f'{table}/review', params={'turn': own[0]}).text
        assert f'href="?turn={own[1]}#turn" aria-label="{words("web.review.after")}"' in following
        everyone = client.get(f'{table}/review', params={'everyone': True}).text
        assert listed(everyone) == [turn.number for turn in found.turns]


def test_a_turn_of_a_review_opens_the_whole_match_for_analysis_at_that_turn(
    app: FastAPI, guest: Guest, counting: Counting
) -> None:
    client = guest()
    table = finished(client, 'myrmidons', turns=6)
    client.post(f'{table}/review')
    wait_for(client, table, 'done')
    page = client.get(f'{table}/review?turn=5').text
    form = re.search(r'<form method="post" action="/analysis".*?</form>', page)
    assert form
    given = dict(re.findall(r'name="(\w+)" value="(.*?)"', form[0]))
    answer = client.post('/analysis', files={name: (None, value) for name, value in given.items()})
    board = answer.url.path.rpartition('/')[2]
    nodes = client.get(f'/api/analyses/{board}').json()['tree']['nodes']
    assert len(nodes) == 7
    assert answer.url.query == b'at=4'


def test_one_click_reviews_a_match_and_everybody_gets_the_same(
    app: FastAPI, guest: Guest, counting: Counting
) -> None:
    client = guest()
    table = finished(client)
    assert f'action="{table}/review"' in client.get(table).text
    assert f'action="{table}/review"' in client.get('/').text
    assert status(client, table) == 'none'
    assert counting.judged == 0, 'to look makes nothing'
    answer = client.post(f'{table}/review')
    assert str(answer.url).endswith(f'{table}/review')
    page = wait_for(client, table, 'done')
    match = app.state.server._tables[table.rpartition('/')[2]].match()
    assert counting.judged == match.turns
    found = whole_review(match, simulations=FEW)
    for seat in range(2):
        assert luck_words(found.luck[seat], found.errors[seat]) in html.unescape(page)
    points = [found.turns[number - 1] for seat in range(2) for number in found.turning_points[seat]]
    first = max(points, key=lambda turn: turn.judged.loss, default=found.turns[0])
    assert f'href="?turn={first.number}#turn" aria-current="step"' in page
    assert words('web.review.whose.mine') not in page, 'both seats are the same person'
    for turn in found.turns:
        assert f'href="?turn={turn.number}#turn"' in page
        panel = client.get(f'{table}/review', params={'turn': turn.number, 'part': True}).text
        told = html.unescape(panel)
        assert panel.startswith('<div id="review"')
        assert words(f'review.{turn.judged.judgement}') in panel
        for sentence in turn.judged.why:
            assert sentence in told
        for way, line in (('better', turn.judged.better_line), ('played', turn.judged.played_line)):
            for step in {0, len(line)} if line else ():
                where: dict[str, Any] = {'turn': turn.number, 'line': way, 'step': step, 'part': True}
                assert client.get(f'{table}/review', params=where).status_code == 200
    for number in range(1, match.turns + 1):
        answer = client.post(f'/api{table}/review/turns/{number}')
        if answer.status_code == 201:
            assert answer.json()['exercise']['say']
            back = f'href="{table}/review?turn={number}"'
            assert back in client.get(f'/tables/{answer.json()["id"]}').text
        else:
            assert answer.json()['detail'] == words('review.error.no_exercise')
    watcher = guest()
    assert watcher.get(f'{table}/review').status_code == 404, 'the table is private'
    assert watcher.post(f'{table}/review').status_code == 404
    client.post(f'{table}/review')
    assert status(client, table) == 'done'
    assert counting.judged == match.turns, 'nothing is judged twice'


@pytest.mark.parametrize('game', BUILT_IN)
def test_the_better_turn_is_told_in_words_or_in_notation_as_its_reader_prefers(
    app: FastAPI, guest: Guest, counting: Counting, game: str
) -> None:
    client, judged = guest(), []
    for _ in range(5):  # in a match by lot every turn may be the best one
        table = finished(client, game, turns=6)
        client.post(f'{table}/review')
        wait_for(client, table, 'done')
        match = app.state.server._tables[table.rpartition('/')[2]].match()
        judged = [turn for turn in whole_review(match, simulations=FEW).turns if turn.judged.better]
        if judged:
            break
    assert judged

    def better(turn: int) -> str:
        panel = client.get(f'{table}/review', params={'turn': turn, 'part': True}).text
        found = re.search(r'<p class="instead"><b>Better:</b> (.*?)</p>', panel)
        assert found
        return html.unescape(found[1])

    for turn in judged:
        told = re.fullmatch(r'<span>([A-Z].*\.)</span>', better(turn.number))
        assert told
        assert ' '.join(turn.judged.better) not in told[1]
    assert client.patch('/api/me', json={'settings': {'log': 'notation'}}).status_code == 200
    for turn in judged:
        assert better(turn.number) == f'<code>{" ".join(turn.judged.better)}</code>'


@pytest.mark.parametrize('game', ['octiles', 'myrmidons'])
def test_the_board_shows_the_turn_that_was_played_whether_it_was_good_or_bad(
    app: FastAPI, guest: Guest, counting: Counting, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    client, drawn = guest(), list[tuple[View, Any]]()
    table = finished(client, game, turns=8)
    client.post(f'{table}/review')
    wait_for(client, table, 'done')
    match = app.state.server._tables[table.rpartition('/')[2]].match()
    draw = review_pages._drawing

    def noted(table: Any, view: View, ghosts: Any) -> Any:
        drawn.append((view, ghosts))
        return draw(table, view, ghosts)

    monkeypatch.setattr(review_pages, '_drawing', noted)

    def shown(**where: Any) -> tuple[View, Any]:
        assert client.get(f'{table}/review', params=where).status_code == 200
        return drawn.pop()

    def known(state: Any, seat: int) -> Any:
        return match.game.to_json(as_known(match.game, state, seat))

    turns = match.true_turns()
    for number, (turn, following) in enumerate(pairwise(turns), 1):
        view, ghosts = shown(turn=number)
        assert (view.seat, bool(view.last), ghosts) == (turn.seat, True, ())
        if following.batch == number:  # else both were made at once, in secret
            assert match.game.to_json(view.state) == known(following.states[0], turn.seat)
    review = whole_review(match, simulations=FEW)
    worse = next(turn.number for turn in review.turns if turn.judged.better)
    view, ghosts = shown(turn=worse, line='better')
    assert match.game.to_json(view.state) == known(turns[worse - 1].states[0], view.seat)
    assert ghosts, 'the better turn is on the position in which it could be played'
    assert shown(turn=worse, line='better', step=999)[1] == ()


def test_a_line_says_that_what_its_player_did_not_know_is_guessed(
    app: FastAPI, guest: Guest, counting: Counting
) -> None:
    client = guest()
    table = finished(client, 'myrmidons', turns=8)
    client.post(f'{table}/review')
    wait_for(client, table, 'done')
    match = app.state.server._tables[table.rpartition('/')[2]].match()
    turn = next(turn for turn in whole_review(match, simulations=FEW).turns if turn.judged.better_line)
    name = words('colour.' + match.colours[turn.judged.seat])
    for line, note in (('board', 'knew'), ('better', 'guessed'), ('played', 'guessed')):
        where: dict[str, Any] = {'turn': turn.number, 'line': line, 'step': 1, 'part': True}
        panel = html.unescape(client.get(f'{table}/review', params=where).text)
        for one in ('knew', 'guessed'):
            assert (words(f'web.review.{one}', name=name) in panel) == (one == note)


def test_a_review_that_is_stopped_goes_on_where_it_was(
    app: FastAPI, guest: Guest, counting: Counting
) -> None:
    client = guest()
    table = finished(client)
    counting.most = 2
    client.post(f'{table}/review')
    until(lambda: '2 of 4 turns judged' in client.get(f'{table}/review').text, seconds=SOON)
    client.post(f'{table}/review/stop')
    assert status(client, table) == 'stopped'
    counting.most = 10**6
    store = app.state.server.store
    match = app.state.server._tables[table.rpartition('/')[2]].match()
    kept = store.judged_turns(key_of(match, FEW))
    client.post(f'{table}/review')
    wait_for(client, table, 'done')
    assert {k: store.judged_turns(key_of(match, FEW))[k] for k in kept} == kept
    assert counting.judged <= match.turns + 1, 'at most the turn that was stopped is judged again'


def test_a_server_goes_on_with_a_review_that_another_one_has_left(
    app: FastAPI, guest: Guest, counting: Counting
) -> None:
    client = guest()
    table = finished(client)
    store = app.state.server.store
    live = app.state.server._tables[table.rpartition('/')[2]]
    key = key_of(live.match(), FEW)
    store.ask_review(key, live.id, live.match().turns)
    assert store.claim_review(key, 'another')
    assert not store.claim_review(key, app.state.server.id), 'it has the review'
    assert status(client, table) == 'running'
    store.release_review(key, 'another')
    wait_for(client, table, 'done')


def test_a_running_match_has_no_review_and_a_turn_that_is_none_is_refused(
    guest: Guest, counting: Counting
) -> None:
    client = guest()
    path, _ = make(client, game='myrmidons', mode='here')
    running = path.removeprefix('/api')
    for answer in (client.get(f'{running}/review'), client.post(f'{running}/review')):
        assert (answer.status_code, answer.json()['detail']) == (400, words('review.error.running'))
    assert 'review"' not in client.get(running).text
    table = finished(client)
    wrong: list[dict[str, Any]] = [{'turn': 5}, {'turn': -1}, {'turn': 1, 'line': 'sideways'}]
    for params in (*wrong, {'turn': 1, 'step': 10**6}):
        answer = client.get(f'{table}/review', params=params)
        assert answer.status_code in (400, 422)
        assert answer.json()['detail'].strip()
    assert counting.judged == 0


def test_a_payload_holds_what_the_seat_knew_and_a_judgement_survives_the_database(
    app: FastAPI, guest: Guest
) -> None:
    client = guest()
    table = finished(client, turns=2)
    match = app.state.server._tables[table.rpartition('/')[2]].match()
    first, again = payloads(match, FEW), payloads(match, FEW)
    assert first == again
    one = judge_turn(first[0])
    key, store = key_of(match, FEW), app.state.server.store
    store.ask_review(key, match_table(table), 2)
    store.keep_judged(key, 0, one)
    kept = store.judged_turns(key)[0]
    assert Judged.from_json(kept) == Judged.from_json(one)
    assert Judged.from_json(kept).json() == one


def match_table(path: str) -> str:
    return path.rpartition('/')[2]
