"""A server's jobs are done here or by a worker, and come to the same; whoever dies, nobody waits for ever."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from ludoteca.game import GameError, load, start
from ludoteca.search import LEVELS, Pool, make_bot
from ludoteca.search.thinking import _stopped
from ludoteca.store import Store, StoreError
from ludoteca.store import jobs as rows
from ludoteca.store.models import JobRow
from ludoteca.work import Bots, Conditions, Desk, Job, LostJob, desk, kinds, ranks, turns
from ludoteca.work.jobs import form_of, packed, unpacked
from ludoteca.work.worker import Worker
from tests.built_in import BUILT_IN
from tests.waiting import until
from tests.width import width
from tests.work.processes import WorkerProcess

Kind = Callable[[Mapping[str, Any], Conditions], dict[str, Any]]


def asked(kind: str, key: str = 'table', deadline: float | None = None, **payload: Any) -> Job:
    return Job(kind, key, key, ranks.PEOPLE, {'game': 'toy', **payload}, deadline)


@pytest.fixture(params=width(('sqlite',), ('sqlite', 'postgresql')))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == 'sqlite':
        url = f'sqlite:///{tmp_path / "jobs.sqlite3"}'
    else:
        url = request.getfixturevalue('postgresql').schema()
    with closing(Store(url)) as found:
        yield found


def url_of(store: Store) -> str:
    found: str = store._database.url.render_as_string(hide_password=False)
    return found


class Office:
    """A desk on a store, and workers in threads of this process."""

    def __init__(self, store: Store, stack: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store, self._stack, self._patch = store, stack, monkeypatch
        self.pool, self.waited = Pool(1), list[str]()
        stack.callback(self.pool.close)
        self.desk = Desk(self.pool, store, 'server', lambda kind, _: self.waited.append(kind))
        stack.callback(self.desk.close)
        if store.shared:
            notices = store.notices('server', lambda heard: self.desk.called() if heard.calls else None)
            store.told(notices.tell)
            stack.callback(notices.close)

    def kind(self, name: str, function: Kind) -> None:
        """A kind of job more."""
        self._patch.setitem(kinds.KINDS, name, function)

    def worker(self, threads: int = 1) -> Worker:
        """A worker of which the desk knows."""
        own = self._stack.enter_context(closing(Store(url_of(self.store))))
        found = Worker(own, threads, lambda name: None, ['toy'])
        thread = threading.Thread(target=found.run, daemon=True)
        thread.start()

        def end() -> None:
            found.end()
            thread.join()

        self._stack.callback(end)
        self.know(found.id)
        return found

    def ghost(self) -> None:
        """A worker that the desk takes to be alive, and that does nothing."""
        found = rows.WorkerInfo('ghost', 1, frozenset({form_of('toy')}))
        self._patch.setattr(Store, 'workers', lambda _: [found])
        self.know('ghost')

    def know(self, worker: str) -> None:
        """Wait until the desk knows of a worker."""
        until(lambda: any(one.id == worker and one.forms for one in self.store.workers()))
        self.desk.look()
        until(lambda: any(one.id == worker and one.forms for one in self.desk._workers))


@pytest.fixture
def office(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    with ExitStack() as stack:
        yield Office(store, stack, monkeypatch)


def where(payload: Mapping[str, Any], _: Conditions) -> dict[str, Any]:
    return {'thread': threading.current_thread().name, 'said': payload['said']}


# ---- here, or by a worker ----------------------------------------------------------------------------------


def test_without_workers_no_row_is_written(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError('a job was written into the database')

    monkeypatch.setattr(Store, 'post_jobs', never)
    office.kind('where', where)
    for number in range(5):
        assert office.desk.submit(asked('where', said=number)).result(30)['said'] == number
    assert office.waited == ['where'] * 5


def test_a_worker_does_what_the_server_gives_away(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, 'PATIENCE', 3600.0)
    own: set[int] = set()

    def here(*_: object) -> dict[str, Any]:
        own.add(threading.get_ident())
        return {}

    office.kind('here', here)
    office.pool.submit('', lambda: own.add(threading.get_ident())).result(30)
    office.worker(2)
    futures = [office.desk.submit(asked('here', key=str(number))) for number in range(6)]
    assert [one.result(30) for one in futures] == [{}] * 6
    assert len(own) > 1, 'nothing was done by the worker'
    assert office.waited == ['here'] * 6
    with office.store._database.read() as session:
        assert session.scalars(select(JobRow.id)).all() == [], 'what was fetched is gone'


def test_what_is_little_is_not_given_away(office: Office) -> None:
    office.kind('where', where)
    office.ghost()
    small = Job('where', 'table', 'table', ranks.PEOPLE, {'game': 'toy', 'said': 1}, small=True)
    assert office.desk.submit(small).result(30)['thread'].startswith('bots')
    octiles = load('octiles')
    assert [level for level in (*LEVELS, 'random', 'alpha-beta') if turns.is_small(octiles, 2, level)] == [
        'beginner',
        'easy',
        'medium',
        'random',
    ]


def test_a_database_in_memory_has_no_workers() -> None:
    pool = Pool(1)
    with closing(Store('sqlite://')) as store, closing(pool):
        found = Desk(pool, store, 'server', lambda *_: None)
        found.look()
        assert found._thread is None
        found.close()


@pytest.mark.parametrize('level', ['beginner', 'medium'])
@pytest.mark.parametrize('name', ['octiles', 'myrmidons'])
def test_the_same_job_gives_the_same_move_wherever_it_is_done(name: str, level: str) -> None:
    """By way of the database, in another process or in a thread: a payload is all that there is."""
    game = load(name)
    state = start(game, 2, 5)
    game.kernels.hide(state, int(state.to_move))
    seat, found = int(state.to_move), set()
    for number in range(3):
        payload = turns.payload(name, state, seat, level, 11, str(number))
        travelled = json.loads(json.dumps(payload))
        found.add(kinds.run('turn', travelled, Conditions())['action'])
    bot = make_bot(level)
    assert found == {bot.choose(game, state.copy(), seat, 11, None)}


def test_positions_travel_whole() -> None:
    for name in BUILT_IN:
        game = load(name)
        state = start(game, seed=3)
        again = unpacked(game, json.loads(json.dumps(packed(state))))
        assert again.tobytes() == state.tobytes()
        again.to_move = 1  # it has memory of its own
    with pytest.raises(ValueError, match='bytes'):
        unpacked(load('octiles'), packed(start(load('myriath'), seed=3)))


def test_programs_of_other_sources_have_another_form(monkeypatch: pytest.MonkeyPatch) -> None:
    one = form_of.__wrapped__('octiles')
    assert one == form_of('octiles')
    assert one != form_of('myriath')
    monkeypatch.setattr('ludoteca.__version__', '0.0.9')
    assert form_of.__wrapped__('octiles') != one


def test_bots_remember_a_turn_and_no_longer() -> None:
    bots = Bots()
    first = bots.get('turn 1', 'expert')
    assert bots.get('turn 1', 'expert') is first
    assert bots.get('turn 2', 'expert') is not first
    bots.forget('turn 1')
    assert bots.get('turn 1', 'expert') is not first


# ---- what goes wrong ---------------------------------------------------------------------------------------


def test_a_job_that_fails_at_a_worker_is_done_here_and_fails_with_its_own_sentence(office: Office) -> None:
    here = threading.main_thread()
    office.worker()

    def refuse(*_: object) -> dict[str, Any]:
        raise GameError(f'Not for {here.name}.')

    office.kind('refuse', refuse)
    with pytest.raises(GameError, match='Not for'):
        office.desk.submit(asked('refuse')).result(30)


def test_a_cancelled_job_ends_early_wherever_it_is(office: Office) -> None:
    begun, ended = threading.Event(), threading.Event()

    def long(*_: object) -> dict[str, Any]:
        begun.set()
        until(_stopped.get())
        ended.set()
        return {}

    office.kind('long', long)
    office.worker()
    running = office.desk.submit(asked('long', key='one'))
    waiting = office.desk.submit(asked('long', key='two'))
    assert begun.wait(30)
    office.desk.cancel('two')
    with pytest.raises(CancelledError):
        waiting.result(30)
    office.desk.cancel('one')
    with pytest.raises(CancelledError):
        running.result(30)
    assert ended.wait(30), 'the search goes on for nobody'
    assert office.desk.given_away() == 0


@pytest.mark.parametrize('store', width(('postgresql',), ('sqlite', 'postgresql')), indirect=True)
def test_a_worker_that_is_killed_in_the_middle_of_a_job_loses_it_to_another_one(
    store: Store, office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, 'PATIENCE', 3600.0)  # the server has all the time in the world
    doomed = WorkerProcess(url_of(store), tmp_path)
    try:
        office.know(doomed.line())
        answer: Future[dict[str, Any]] = office.desk.submit(asked('hang'))
        assert doomed.line() == 'at it'
        assert not answer.done()
    finally:
        doomed.end(signal.SIGKILL)
    with store._database.write() as session:  # its lease has run out
        session.execute(update(JobRow).values(until=0.0))
    office.kind('hang', lambda *_: {'by': 'another'})
    office.worker()
    assert answer.result(30) == {'by': 'another'}


def test_when_all_workers_are_gone_the_server_does_their_jobs_itself(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, 'PATIENCE', 0.1)
    office.kind('where', where)
    office.ghost()
    first = office.desk.submit(asked('where', said=1))
    assert first.result(30)['thread'].startswith('bots')


def test_a_job_that_has_ended_several_workers_is_refused_in_a_sentence(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, 'LEASE', 0.0)
    office.ghost()
    monkeypatch.setattr(desk, 'PATIENCE', 3600.0)
    future = office.desk.submit(asked('where', said=1))

    def dies() -> bool:
        office.store.take_jobs('ghost', [form_of('toy')], 1)
        return future.done()

    until(dies)
    with pytest.raises(LostJob, match=r'^Several workers have ended .*\.$'):
        future.result(30)


def test_a_job_goes_on_here_when_the_database_does_not_answer(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, 'SAFETY', 0.01)
    office.kind('where', where)
    office.ghost()

    def away(*_: object, **__: object) -> None:
        raise StoreError('The database is away.')

    with monkeypatch.context() as patch:
        for name in ('post_jobs', 'ask_for_jobs', 'workers'):
            patch.setattr(Store, name, away)
        assert office.desk.submit(asked('where', said=1)).result(30)['thread'].startswith('bots')


def test_a_worker_loads_no_web_server() -> None:
    code = (
        'import sys, ludoteca.work.worker, ludoteca.cli.work, ludoteca.web.serving.logs; '
        'print({name.split(".")[0] for name in sys.modules} '
        '& {"fastapi", "starlette", "uvicorn", "pydantic", "websockets", "prometheus_client"})'
    )
    found = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == 'set()'
