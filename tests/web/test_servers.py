"""Several servers on one database: people at different ones play one match, whatever becomes of a server."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import update

from ludoteca.store import Store
from ludoteca.store.models import LeaseRow
from ludoteca.text import words
from tests.postgresql import Cluster
from tests.waiting import until
from tests.web.servers import Person, ServerProcess
from tests.web.test_races import at_once
from tests.width import width

NEVER = 3600.0
Pair = tuple[ServerProcess, ServerProcess]


@pytest.fixture(scope='module')
def url(postgresql: Cluster) -> str:
    return postgresql.new()


@pytest.fixture(scope='module')
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp('data')


class Running:
    """The servers of this module. One that a test has ended is started anew for the next one."""

    def __init__(self, url: str, data: Path) -> None:
        self.url, self.data, self.found = url, data, dict[str, ServerProcess]()

    def get(self, look_round: float, *names: str) -> list[ServerProcess]:
        """The servers of these names, which answer."""
        for name in names:
            if name not in self.found or self.found[name].process.poll() is not None:
                self.found[name] = ServerProcess(self.url, self.data, look_round)
        return [self.found[name].ready() for name in names]

    def close(self) -> None:
        """End all of them."""
        for server in self.found.values():
            server.end()


@pytest.fixture(scope='module')
def all_servers(url: str, data: Path) -> Iterator[Running]:
    with closing(Running(url, data)) as found:
        yield found


@pytest.fixture
def servers(all_servers: Running) -> Pair:
    """Two servers that hear of each other by notices alone: they do not look round."""
    first, second = all_servers.get(NEVER, 'first', 'second')
    return first, second


@pytest.fixture
def looking(all_servers: Running) -> ServerProcess:
    """A server that looks round often."""
    return all_servers.get(0.2, 'third')[0]


def pair(host: ServerProcess, friend: ServerProcess, **body: object) -> tuple[str, list[Person]]:
    """A match of two, which one person opens at a server and another one joins at another: the table, and the
    people in the order of their seats."""
    ann, bob = Person(), Person()
    made = ann.ask(host, '/api/tables', game='toy', mode='link', players=2, **body).json()
    token = ann.view(friend, made['id'])['invite']['token']
    assert bob.ask(friend, '/api/join', invite=token).status_code == 200
    table = str(made['id'])
    return table, sorted((ann, bob), key=lambda one: one.view(host, table)['your_seats'])


def mover(people: list[Person], server: ServerProcess, table: str) -> Person:
    return next(one for one in people if one.view(server, table)['may_act'])


def play(person: Person, server: ServerProcess, table: str, which: int = -1) -> dict[str, object]:
    view = person.view(server, table)
    answer = person.ask(
        server, f'/api/tables/{table}/act', steps=view['legal'][which], version=view['version']
    )
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_whole_game_is_played_over_two_servers_and_both_show_every_turn(servers: Pair, url: str) -> None:
    table, people = pair(*servers)
    with people[0].page(servers[0], table) as first, people[1].page(servers[1], table) as second:
        pages, number = (first, second), 0
        while True:
            views = [one.view(servers[number % 2], table) for one in people]
            if views[0]['status'] != 'running':
                break
            who = next(k for k, view in enumerate(views) if view['may_act'])
            # nobody is bound to a server: each step is asked of the other one
            number += 1
            after = play(people[who], servers[number % 2], table)
            pages[who].until_version(int(str(after['version'])))
        assert number > 10
        for page, person in zip(pages, people, strict=True):
            for server in servers:
                page.until_version(person.view(server, table)['version'])
            assert page.message['over']
            assert page.serials == sorted(page.serials), 'numbers go up, whichever server counts'
    logs = [one.ask(server, f'/api/tables/{table}/log').text for one in people for server in servers]
    assert logs[0] == logs[1]
    assert logs[2] == logs[3]
    store = Store(url)
    assert not store.live(table).match.frozen
    store.close()


def test_drafts_choices_chat_notes_and_requests_are_the_same_at_every_server(
    servers: Pair,
) -> None:
    here, there = servers
    table, people = pair(here, there)
    with people[0].page(here, table) as first, people[1].page(there, table) as second:
        path = f'/api/tables/{table}'
        assert people[0].ask(here, f'{path}/chat', text='Good luck').status_code < 300
        second.until('chat', 'Good luck')
        assert people[1].ask(there, f'{path}/chat', text='Thank you').status_code < 300
        first.until('chat', 'Thank you')
        # secret choices of both, one at each server
        for person, server in zip(people, servers, strict=True):
            play(person, server, table, 0)
        for page, person, server in ((first, people[0], there), (second, people[1], here)):
            page.until_version(person.view(server, table)['version'])
        # a draft that is begun at one server goes on at the other, and is taken back there
        who = mover(people, here, table)
        watching = second if who is people[0] else first
        before = len(watching.serials)
        play(who, here, table)
        view = who.view(there, table)
        assert view['draft']
        answer = who.ask(there, f'{path}/undo', version=view['version'])
        assert answer.status_code == 200, answer.text
        assert who.view(here, table)['draft'] == []
        assert who.ask(here, f'{path}/chat', text='Hm.').status_code < 300
        watching.until('chat', 'Hm.')
        assert len(watching.serials) == before + 1, 'of the draft of another nothing was heard'
        # a turn, the wish to take it back, and the answer, each at another server
        turns = who.view(here, table)['turns']
        while who.view(here, table)['turns'] == turns:
            play(who, here, table)
        other = next(one for one in people if one is not who)
        assert who.ask(there, f'{path}/takeback', empty=True).status_code == 200
        watching.until('status', words('web.table.request.yours'))
        assert other.ask(here, f'{path}/answer', yes=True).status_code == 200
        assert who.view(there, table)['turns'] == turns


def test_a_rematch_is_asked_for_at_one_server_accepted_at_another_and_leads_both_to_one_table(
    servers: Pair,
) -> None:
    here, there = servers
    table, people = pair(here, there)
    path = f'/api/tables/{table}'
    assert people[0].ask(here, f'{path}/resign', empty=True).status_code == 200
    with people[0].page(here, table) as first, people[1].page(there, table) as second:
        assert people[0].ask(here, f'{path}/rematch', best_of=3).json()['url'] == ''
        second.until('status', 'data-act="yes"')
        assert people[1].ask(there, f'{path}/answer', yes=True).status_code == 200
        for page in (first, second):
            page.until('result', words('web.table.rematch_begun'))
    following = {person.view(server, table)['next'] for person, server in zip(people, servers, strict=True)}
    assert len(following) == 1
    view = people[0].view(here, following.pop())
    assert (view['status'], view['series']) == ('running', 1)
    # both at once, each at a server of its own
    table, people = pair(here, there)
    path = f'/api/tables/{table}'
    assert people[0].ask(here, f'{path}/resign', empty=True).status_code == 200
    calls = zip(people, servers, strict=True)
    at_once(*(partial(person.ask, server, f'{path}/rematch', best_of=1) for person, server in calls))
    assert people[0].view(here, table)['next'] == people[1].view(there, table)['next'] is not None


def test_of_two_turns_for_one_version_at_two_servers_one_is_played_and_the_other_refused_in_a_sentence(
    servers: Pair,
) -> None:
    table, people = pair(*servers)
    for _ in range(width(3, 12)):
        who = mover(people, servers[0], table)
        views = [who.view(server, table) for server in servers]
        assert [view.pop('link') for view in views], 'links lead to the server that was asked'
        assert views[0] == views[1]
        step = {'steps': views[0]['legal'][-1], 'version': views[0]['version']}
        answers = at_once(
            *(partial(who.ask, server, f'/api/tables/{table}/act', **step) for server in servers)
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        refused = next(answer for answer in answers if answer.status_code == 409).json()
        assert refused['detail'].endswith('.')
        assert who.view(servers[0], table)['version'] == who.view(servers[1], table)['version']


def test_secret_choices_at_two_servers_at_once_both_count(
    servers: Pair,
) -> None:
    for _ in range(width(2, 8)):
        table, people = pair(*servers)
        calls = [
            partial(play, person, server, table, 0) for person, server in zip(people, servers, strict=True)
        ]
        at_once(*calls)
        assert mover(people, servers[0], table).view(servers[1], table)['turns'] == 2


def test_who_closes_the_page_at_one_server_is_away_at_the_other_and_comes_back(
    servers: Pair,
) -> None:
    here, there = servers
    table, people = pair(here, there)
    for person in people:
        play(person, here, table, 0)
    stays = mover(people, here, table)
    leaves = next(one for one in people if one is not stays)
    with stays.page(here, table) as page:
        with leaves.page(there, table):
            assert 'class="gone"' not in page.fragments['players']
        page.until('players', 'class="gone"')
        with leaves.page(here, table):
            while 'class="gone"' in page.fragments['players']:
                page.next()


def test_another_name_and_other_preferences_are_known_at_once(
    servers: Pair,
) -> None:
    here, there = servers
    ann = Person()
    ann.ask(here, '/api/tables', game='toy', mode='here')
    answer = ann.client.patch(
        f'{here.address}/api/me',
        json={'name': 'Zoe', 'settings': {'theme': 'dark'}},
        headers={'Origin': here.address},
    )
    assert answer.status_code == 200
    me = ann.ask(there, '/api/me').json()
    assert (me['name'], me['settings']['theme']) == ('Zoe', 'dark')


def test_bots_play_each_turn_once_and_are_seen_at_both_servers(servers: Pair, url: str) -> None:
    here, there = servers
    ann = Person()
    table = ann.ask(here, '/api/tables', game='toy', mode='bot', level='beginner').json()['id']
    with ann.page(there, table) as page:
        while (view := ann.view(there, table))['status'] == 'running':
            if view['may_act']:
                play(ann, here, table)
            else:
                until(lambda: ann.view(there, table)['version'] > view['version'])
        page.until_version(view['version'])
        assert page.message['over']
    store = Store(url)
    match = store.live(table).match
    assert not match.frozen
    assert match.turns == len(match.log(-1))
    store.close()


def test_what_was_not_heard_is_found_by_looking_round(looking: ServerProcess, url: str) -> None:
    """Another program writes to the log without a word to anybody."""
    table, people = pair(looking, looking)
    with people[0].page(looking, table) as page, closing(Store(url)) as store:
        live = store.live(table)
        live.change(lambda match: match.act(0, None, match.names(0)[0]))
        live.change(lambda match: match.act(1, None, match.names(1)[0]))
        page.until_version(live.match.version(0))


# ---- servers that end --------------------------------------------------------------------------------------


def test_a_server_that_ends_tells_its_pages_and_loses_no_draft(servers: Pair) -> None:
    first, second = servers
    table, people = pair(first, second)
    for person in people:
        play(person, first, table, 0)
    who = mover(people, first, table)
    with who.page(first, table) as page:
        play(who, first, table)
        before = who.view(first, table)
        assert before['draft']
        first.process.send_signal(signal.SIGTERM)
        assert page.closed() == 1012
    with who.page(second, table) as again:
        assert again.message['version'] == before['version']
        assert again.message['serial'] >= page.serials[-1]
    assert who.view(second, table)['draft'] == before['draft']
    play(who, second, table)
    first.end()


@pytest.mark.wide
def test_when_a_server_is_killed_another_one_plays_on_for_its_bots(
    servers: Pair, looking: ServerProcess, url: str
) -> None:
    doomed, ann = servers[1], Person()
    made = ann.ask(doomed, '/api/tables', game='toy', mode='bot', level='beginner', players=3)
    table = made.json()['id']
    until(lambda: ann.view(doomed, table)['may_act'])
    doomed.end(signal.SIGKILL)
    with closing(Store(url)) as store:
        until(lambda: store.claim_bots(table, 'dead'))  # as if it had died while its bots thought
        with ann.page(looking, table) as page:
            # bots may have sealed their bids before they died: then the bidding ends with Ann's, and she may
            # be the first to move
            for _ in range(5):
                play(ann, looking, table, 0)
                if not ann.view(looking, table)['may_act']:
                    break
            until(lambda: not ann.view(looking, table)['may_act'])
            version = ann.view(looking, table)['version']
            with store._database.write() as session:
                session.execute(update(LeaseRow).values(until=0))
            page.until_version(version + 1)
    until(lambda: ann.view(looking, table)['may_act'], seconds=60)
    play(ann, looking, table)


@pytest.mark.wide
def test_a_server_with_other_keys_does_not_start(url: str, servers: Pair, tmp_path: Path) -> None:
    other = ServerProcess(url, tmp_path)
    try:
        assert other.process.wait(60) != 0
        assert 'cookies.key in the data folder is not the one that the other servers' in other.errors()
    finally:
        other.end()
