"""A turn that loses much asks once before it is committed: for those who have a coach, against bots alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest
from starlette.testclient import TestClient

from ludoteca.game import load
from ludoteca.search import Pool
from ludoteca.web.live import blunders
from ludoteca.web.live.blunders import plan_of
from ludoteca.web.live.table import LiveTable
from ludoteca.work import blunders as work_blunders
from ludoteca.work.blunders import PlannedTurn, Warned, compare
from tests.match.support import new
from tests.review.test_review import refused_win

Guest = Callable[..., TestClient]
BLUNDER = Warned(0.9, 0.2)


def table(client: TestClient, **more: object) -> tuple[str, dict[str, Any]]:
    """A table of the visitor's, who is to move, and its view."""
    asked = {'game': 'octiles', 'mode': 'bot', 'level': 'beginner', **more}
    made = client.post('/api/tables', json=asked).json()
    path = f'/api{made["url"]}'
    return path, client.get(path).json()


def wants(client: TestClient, coach: str = 'always') -> None:
    assert client.patch('/api/me', json={'settings': {'coach': coach}}).status_code == 200


@pytest.fixture
def warns(monkeypatch: pytest.MonkeyPatch) -> list[PlannedTurn]:
    """Have every turn found a blunder; the plans that were looked at."""
    seen = list[PlannedTurn]()

    def compared(game: object, plan: PlannedTurn, *_: Any, **__: Any) -> Warned:
        seen.append(plan)
        return BLUNDER

    monkeypatch.setattr(work_blunders, 'compare', compared)
    monkeypatch.setattr(blunders, 'SECONDS', 60.0)  # the answer is there long before
    monkeypatch.setattr(blunders, 'is_interpreted', lambda folder: False)
    return seen


def turn_of(client: TestClient, path: str) -> list[str]:
    """The steps of a legal turn."""
    steps = client.post(f'{path}/hint', json={}).json()['steps']
    return [step['name'] for step in steps]


def mine(client: TestClient, path: str) -> dict[str, Any]:
    """The view once it is the visitor's turn."""
    until = time.monotonic() + 60
    view: dict[str, Any] = client.get(path).json()
    while not view['may_act'] and time.monotonic() < until:
        time.sleep(0.02)
        view = client.get(path).json()
    return view


def about_to_move(guest: Guest) -> tuple[TestClient, str, str]:
    """A visitor who wants to be warned and is to move, the table's address, and the steps of a legal turn."""
    client = guest()
    wants(client)
    path, _ = table(client)
    mine(client, path)
    return client, path, ' '.join(turn_of(client, path))


def test_a_blunder_is_not_played_before_it_was_asked_about(guest: Guest, warns: list[PlannedTurn]) -> None:
    client = guest()
    wants(client)
    path, _ = table(client)
    view = mine(client, path)
    first, last = turn_of(client, path)
    assert 'warning' not in client.post(f'{path}/act', json={'steps': first}).json()
    assert not warns  # a draft is no turn yet
    answer = client.post(f'{path}/act', json={'steps': last}).json()
    assert '90 %' in answer['warning']
    assert '20 %' in answer['warning']
    assert answer['committed'] is False
    assert answer['draft'] == [first]
    assert answer['turns'] == view['turns']
    assert len(warns[0].actions) == 2
    minimal = client.post(f'{path}/act', json={'steps': last}, headers={'Prefer': 'return=minimal'}).json()
    assert minimal.keys() >= {'version', 'serial', 'warning', 'expected'}
    assert 'position' not in minimal
    played = client.post(f'{path}/act', json={'steps': last, 'anyway': True}).json()
    assert 'warning' not in played
    assert played['committed']


def test_nobody_is_warned_who_has_turned_the_coach_off(guest: Guest, warns: list[PlannedTurn]) -> None:
    client = guest()
    wants(client, 'never')
    path, _ = table(client)
    mine(client, path)
    assert client.post(f'{path}/act', json={'steps': ' '.join(turn_of(client, path))}).json()['committed']
    assert not warns


@pytest.mark.parametrize('mode', ['here', 'open'])
def test_nobody_is_warned_in_matches_with_people(guest: Guest, warns: list[PlannedTurn], mode: str) -> None:
    client, friend = guest(), guest()
    wants(client)
    wants(friend)
    if mode == 'here':
        path, _ = table(client, mode='here')
        movers = [client]
    else:
        path, _ = table(client, mode='open', hints=True)
        assert friend.post(f'{path}/join', json={}).json()['ready']
        movers = [client, friend]
    for mover in movers:
        if mover.get(path).json().get('may_act'):
            steps = ' '.join(turn_of(mover, path))
            assert mover.post(f'{path}/act', json={'steps': steps}).json()['committed']
    assert not warns


def test_a_turn_is_played_when_the_search_is_late(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    client, path, steps = about_to_move(guest)
    cancelled = list[Any]()
    submit, cancel = Pool.submit, Pool.cancel

    def never(pool: Pool, key: Any, call: Callable[[], Any], rank: int) -> Future[Any]:
        return Future() if key[0] == 'warning' else submit(pool, key, call, rank)

    def noted(pool: Pool, key: Any) -> None:
        cancelled.append(key)
        cancel(pool, key)

    monkeypatch.setattr(Pool, 'submit', never)
    monkeypatch.setattr(Pool, 'cancel', noted)
    monkeypatch.setattr(blunders, 'SECONDS', 0.05)
    monkeypatch.setattr(blunders, 'is_interpreted', lambda folder: False)
    assert client.post(f'{path}/act', json={'steps': steps}).json()['committed']
    assert [key for key in cancelled if key[0] == 'warning']


def test_a_turn_is_played_when_another_request_has_dropped_the_search(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, path, steps = about_to_move(guest)
    submit = Pool.submit

    def dropped(pool: Pool, key: Any, call: Callable[[], Any], rank: int) -> Future[Any]:
        if key[0] != 'warning':
            return submit(pool, key, call, rank)
        future: Future[Any] = Future()
        future.cancel()
        return future

    monkeypatch.setattr(Pool, 'submit', dropped)
    monkeypatch.setattr(blunders, 'SECONDS', 60.0)
    monkeypatch.setattr(blunders, 'is_interpreted', lambda folder: False)
    assert client.post(f'{path}/act', json={'steps': steps}).json()['committed']


def test_a_step_that_is_not_legal_is_refused_as_ever(guest: Guest, warns: list[PlannedTurn]) -> None:
    client = guest()
    wants(client)
    path, _ = table(client)
    mine(client, path)
    answer = client.post(f'{path}/act', json={'steps': 'a2:9'})
    assert answer.status_code == 400
    assert not warns


def test_nothing_is_said_of_a_position_that_is_gone(guest: Guest, warns: list[PlannedTurn]) -> None:
    client = guest()
    wants(client)
    path, _ = table(client)
    view = mine(client, path)
    steps = ' '.join(turn_of(client, path))
    stale = client.post(f'{path}/act', json={'steps': steps, 'version': view['version'] - 1})
    assert stale.status_code == 409
    assert not warns


def test_nobody_is_warned_in_a_lesson(
    guest: Guest, warns: list[PlannedTurn], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, path, steps = about_to_move(guest)
    monkeypatch.setattr(LiveTable, 'scripted', True)
    assert client.post(f'{path}/act', json={'steps': steps}).json()['committed']
    assert not warns


# ---- what is a blunder -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('best', 'planned', 'is_one'),
    [
        (0.9, 0.5, True),
        (0.5, 0.41, False),  # less than a fifth
        (0.5, 0.39, True),
        (0.3, 0.22, False),  # more than a fifth of little
        (0.2, 0.05, True),
        (0.5, 0.6, False),
    ],
)
def test_a_blunder_loses_a_fifth_of_what_can_be_expected(best: float, planned: float, is_one: bool) -> None:
    assert Warned(best, planned).is_blunder == is_one


def test_to_refuse_a_win_is_a_blunder_and_to_win_is_none() -> None:
    game = load('octiles')
    state, win, other = refused_win(game)

    def found(turn: tuple[int, ...]) -> Warned | None:
        last = state.copy()
        for action in turn[:-1]:
            game.kernels.apply(last, action)
        return compare(game, PlannedTurn(int(state.to_move), state, last, turn), 1, simulations=300)

    refused = found(other)
    assert refused is not None
    assert refused.is_blunder
    assert refused.turn == win
    text = blunders.told(game, PlannedTurn(int(state.to_move), state, state, other), refused)['warning']
    assert text.endswith(game.words('reason.wins'))
    won = found(win)
    assert won is None or not won.is_blunder


def test_a_plan_is_a_whole_turn() -> None:
    match = new('octiles', 2)
    seat = match.to_move[0]
    first = match.choices(seat)[-1].choices[0].name
    assert plan_of(match, seat, first) is None
    match.act(seat, None, first)
    last = match.choices(seat)[-1].choices[0].name
    draft, version = match.draft(seat), match.version(seat)
    plan = plan_of(match, seat, last)
    assert plan is not None
    assert len(plan.actions) == 2
    again = plan_of(match, seat, f'{first} {last}', 0)
    assert again is not None
    assert again.actions == plan.actions
    assert (match.draft(seat), match.version(seat)) == (draft, version)
    assert plan_of(match, seat, 'nonsense') is None
