"""Jobs in the database: nobody has one twice, subjects take turns, and what a dead worker had goes on."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from sqlalchemy import select, update

from ludoteca.store import Heard, NewJob, Store, notices
from ludoteca.store.jobs import MOST_TRIES
from ludoteca.store.models import JobRow, WorkerRow

FORMS = ('toy',)


def job(
    name: str, subject: str = '', rank: int = 0, form: str = 'toy', seconds: float | None = None
) -> NewJob:
    return NewJob(name, 'turn', rank, subject or name, form, {'name': name}, seconds)


def taken(store: Store, worker: str = 'w', most: int = 9) -> list[str]:
    return [one.id for one in store.take_jobs(worker, FORMS, most)]


def forget(store: Store, **values: float) -> None:
    """As if time had gone by for all jobs and workers."""
    with store._database.write() as session:
        session.execute(update(JobRow).values(**values))
        if 'until' in values:
            session.execute(update(WorkerRow).values(until=values['until']))


@pytest.fixture
def other(url: str, store: Store) -> Iterator[Store]:
    with closing(Store(url)) as found:
        yield found


def test_a_job_is_taken_once_done_and_its_answer_fetched_once(store: Store, other: Store) -> None:
    store.post_jobs([job('a', seconds=7.0)], 'server')
    found = other.take_jobs('w', FORMS, 5)
    assert [(one.id, one.kind, one.payload) for one in found] == [('a', 'turn', {'name': 'a'})]
    assert found[0].left is not None
    assert 0 < found[0].left <= 7
    assert taken(store, 'x') == []
    assert store.ask_for_jobs('server', still=True).running == {'a'}
    assert other.finish_job('a', 'w', {'action': 3})
    assert store.ask_for_jobs('another', still=True).answers == ()
    answer = store.ask_for_jobs('server', still=False).answers[0]
    assert (answer.id, answer.result, answer.problem, answer.lost) == ('a', {'action': 3}, '', False)
    assert answer.waited >= 0
    after = store.ask_for_jobs('server', still=True)
    assert (after.answers, after.open) == ((), frozenset())


def test_of_workers_that_take_jobs_at_once_no_two_have_the_same(store: Store, other: Store) -> None:
    names = [f'job {number}' for number in range(24)]
    store.post_jobs([job(name) for name in names], 'server')

    def take(worker: int) -> list[str]:
        mine, found = (store, other)[worker % 2], list[str]()
        while more := taken(mine, f'w{worker}', 2):
            found += more
        return found

    with ThreadPoolExecutor(4) as threads:
        found = [name for part in threads.map(take, range(4)) for name in part]
    assert sorted(found) == sorted(names)


def test_jobs_of_a_form_that_a_worker_does_not_know_are_left_to_others(store: Store) -> None:
    store.post_jobs([job('a', form='newer'), job('b')], 'server')
    assert taken(store) == ['b']
    assert [one.id for one in store.take_jobs('w', ('newer',), 5)] == ['a']


def test_the_lowest_rank_goes_first_and_in_it_subjects_take_turns(store: Store) -> None:
    """A review has many jobs; those of another table do not wait for all of them."""
    many = [job(f'many {number}', 'many', rank=1) for number in range(4)]
    store.post_jobs([*many, job('one', 'one', rank=1), job('people', 'many', rank=0)], 'server')
    order = taken(store)
    assert order[0] == 'people'
    assert order.index('one') < order.index('many 1')
    assert [name for name in order if name.startswith('many')] == [f'many {number}' for number in range(4)]


def test_a_dead_workers_job_is_taken_over_and_its_late_answer_dropped(store: Store, other: Store) -> None:
    store.post_jobs([job('a')], 'server')
    assert taken(store, 'dead') == ['a']
    assert taken(other, 'heir') == []
    forget(store, until=0.0)
    assert store.ask_for_jobs('server', still=True).running == frozenset()
    assert taken(other, 'heir') == ['a']
    assert not store.finish_job('a', 'dead', {'action': 1})
    assert other.finish_job('a', 'heir', {'action': 2})
    assert store.ask_for_jobs('server', still=True).answers[0].result == {'action': 2}


def test_a_dead_workers_job_is_taken_over_though_the_clock_was_put_back(store: Store, other: Store) -> None:
    store.keep_worker('dead', 1, FORMS)
    store.post_jobs([job('a'), job('b')], 'server')
    assert taken(store, 'dead') == ['a', 'b']
    with store._database.read() as session:
        lease = session.scalars(select(JobRow.until)).first()
    assert lease is not None
    forget(store, until=lease + 3600)  # by a clock that has been put back by an hour since
    assert store.workers() == []
    assert store.ask_for_jobs('server', still=True).running == frozenset()
    assert store.take_back_jobs(['a'], 'server') == ['a']
    assert taken(other, 'heir') == ['b']


def test_a_worker_keeps_the_jobs_that_it_is_at_and_no_others(store: Store) -> None:
    """It may have taken one, or answered it, while the database did not tell it so."""
    store.post_jobs([job('a'), job('b')], 'server')
    assert taken(store) == ['a', 'b']
    forget(store, until=0.0)
    assert store.keep_jobs(['a'], 'w') == {'a'}
    assert taken(store, 'heir') == ['b']


def test_a_job_that_ends_every_worker_is_given_up(store: Store) -> None:
    store.post_jobs([job('a')], 'server')
    for number in range(MOST_TRIES):
        assert taken(store, f'w{number}') == ['a']
        forget(store, until=0.0)
    assert taken(store, 'last') == []
    answer = store.ask_for_jobs('server', still=True).answers[0]
    assert answer.lost
    assert answer.result is None


def test_what_nobody_waits_for_any_more_is_not_done(store: Store, other: Store) -> None:
    store.post_jobs([job('a'), job('b'), job('c')], 'server')
    assert taken(other, 'w', 1) == ['a']
    store.drop_jobs(['a', 'b'], 'server')
    assert other.keep_jobs(['a'], 'w') == frozenset()
    assert not other.finish_job('a', 'w', {})
    forget(store, wanted=0.0)  # the server has died
    assert taken(other) == []
    other.keep_worker('w', 1, FORMS)
    with store._database.read() as session:
        assert session.scalars(select(JobRow.id)).all() == []


def test_a_server_takes_back_what_no_worker_has(store: Store) -> None:
    store.post_jobs([job('a'), job('b'), job('c')], 'server')
    assert taken(store, 'w', 1) == ['a']
    assert store.take_back_jobs(['a', 'b'], 'server') == ['b']
    assert store.take_back_jobs(['c'], 'another') == []
    forget(store, until=0.0)
    assert store.take_back_jobs(['a'], 'server') == ['a']
    assert taken(store) == ['c']


def test_a_worker_that_ends_leaves_its_jobs_to_others_at_once(store: Store) -> None:
    store.keep_worker('w', 2, FORMS)
    store.keep_worker('x', 3, ('toy', 'other'))
    assert [(one.id, one.threads, set(one.forms)) for one in store.workers()] == [
        ('w', 2, {'toy'}),
        ('x', 3, {'toy', 'other'}),
    ]
    store.post_jobs([job('a')], 'server')
    assert taken(store, 'w') == ['a']
    figures = store.job_figures()
    assert (figures.waiting, figures.running, figures.workers, figures.threads) == ({}, {'turn': 1}, 2, 5)
    store.end_worker('w')
    assert [one.id for one in store.workers()] == ['x']
    assert taken(store, 'x') == ['a']


def test_a_failed_job_says_why(store: Store) -> None:
    store.post_jobs([job('a')], 'server')
    taken(store)
    assert store.finish_job('a', 'w', None, 'GameError: no such bot')
    answer = store.ask_for_jobs('server', still=True).answers[0]
    assert (answer.result, answer.problem, answer.lost) == (None, 'GameError: no such bot', False)


def test_calls_reach_workers_and_servers_and_are_no_people() -> None:
    sent = list(notices.payloads('me', {'table': 3}, {'ann', '@', '@server'}))
    assert notices.read(sent[0], 'you') == Heard(
        {'table': 3}, frozenset({'ann'}), calls=frozenset({'', 'server'})
    )
