"""An answer to an exercise is judged the same wherever that is done, and a dead worker's judging goes on."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from sqlalchemy import update

from ludoteca.game import load, start
from ludoteca.puzzles import Exercise, JudgedAnswer, Task
from ludoteca.puzzles.turns import after
from ludoteca.search import as_known
from ludoteca.store import NewJob, Store
from ludoteca.store.models import JobRow
from ludoteca.work import Conditions, Job, answers, desk, kinds, ranks
from ludoteca.work.jobs import Payload, form_of
from tests.conformance.harness import random_turn
from tests.waiting import until
from tests.work.test_desk import Office, office, store

__all__ = ['office', 'store']
pytestmark = pytest.mark.parametrize('store', ['sqlite'], indirect=True)


def asked(number: int) -> Payload:
    """A turn at the beginning of a market, as an answer; another one stands for the best."""
    game = load('toy')
    state = start(game, 2, number)
    while int(state.phase) in game.sealed:
        for action in random_turn(game, as_known(game, state, int(state.to_move)), int(state.to_move), 1):
            game.kernels.apply(state, action)
    seat = int(state.to_move)
    known, turns = as_known(game, state, seat), list[str]()
    for seed in range(20):
        at, names = known, []
        for action in random_turn(game, known, seat, seed):
            names.append(game.action_name(at, action))
            at, _ = after(game, at, seat, action)
        turns.append(' '.join(names))
    best, turn = sorted(set(turns))[:2]
    exercise = Exercise('one', 'toy', 2, {}, {}, seat, (Task((best,), 0.9, 0.3),))
    return {**answers.payload(exercise, 0, known, turn), 'simulations': 500}


def judged(payload: Payload) -> JudgedAnswer:
    """What somebody says of an answer who is given its job as text."""
    return answers.read(kinds.run('answer', json.loads(json.dumps(payload)), Conditions()))


def job(payload: Payload) -> Job:
    return Job('answer', 'table', 'table', ranks.PEOPLE, payload)


def test_the_server_and_a_worker_judge_an_answer_alike(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, 'PATIENCE', 3600.0)  # the worker has all the time in the world
    payloads = [asked(number) for number in range(2)]
    here = [answers.read(office.desk.submit(job(one)).result(60)) for one in payloads]
    office.worker()
    posted, post = list[str](), Store.post_jobs

    def noted(own: Store, new: Sequence[NewJob], asker: str) -> None:
        posted.extend(one.kind for one in new)
        post(own, new, asker)

    monkeypatch.setattr(Store, 'post_jobs', noted)
    there = [answers.read(office.desk.submit(job(one)).result(60)) for one in payloads]
    assert posted == ['answer'] * 2
    assert there == here == [judged(one) for one in payloads]
    assert {one.turn for one in here} == {str(one['turn']) for one in payloads}


def test_an_answer_is_judged_by_another_worker_when_the_first_one_dies(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, 'PATIENCE', 3600.0)
    office.store.keep_worker('dead', 1, {form_of('toy')})
    office.know('dead')
    payload = asked(1)
    answer = office.desk.submit(job(payload))
    until(lambda: office.store.take_jobs('dead', [form_of('toy')], 1))
    with office.store._database.write() as session:  # its lease has run out
        session.execute(update(JobRow).values(until=0.0))
    office.worker()
    assert answers.read(answer.result(60)) == judged(payload)
