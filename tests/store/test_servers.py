"""What servers of one database know of each other: what is new, who is there, whose bots play, which keys."""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import update

from ludoteca.match import BOT, Seat, Setup
from ludoteca.store import Changes, Conflict, Heard, SeatPlan, Store, StoreError, notices
from ludoteca.store.models import LeaseRow, ReviewRow, ServerRow
from tests.match.support import step, whole
from tests.postgresql import Cluster, name_of
from tests.store.test_store import go_on, running
from tests.waiting import until


@pytest.fixture
def other(url: str, store: Store) -> Iterator[Store]:
    """Another server's store of the same database."""
    found = Store(url)
    yield found
    found.close()


# ---- the log -----------------------------------------------------------------------------------------------


def test_a_match_in_memory_takes_in_what_another_server_has_played(store: Store, other: Store) -> None:
    table, live, _ = running(store)
    behind = other.live(table.id)
    for turns in (1, 7, 20):
        go_on(live, turns, seed=turns)
        behind.catch_up()
        assert whole(behind.match) == whole(live.match)
        assert [behind.match.version(seat) for seat in range(-1, 3)] == [
            live.match.version(seat) for seat in range(-1, 3)
        ]
    go_on(behind, 3)
    live.catch_up()
    assert whole(behind.match) == whole(live.match)


def test_of_two_servers_that_play_at_once_none_loses_a_turn(store: Store, other: Store) -> None:
    table, live, _ = running(store)
    lives, rng = (live, other.live(table.id)), random.Random(5)

    def play(mine: int) -> int:
        played = 0
        while played < 12 and lives[mine].match.status == 'running':
            try:
                lives[mine].change(lambda match: step(match, rng))
                played += 1
            except Conflict:
                continue
        return played

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(play, (0, 1))) > 12
    for one in lives:
        one.catch_up()
    assert whole(lives[0].match) == whole(lives[1].match)
    numbers = [entry.hash for entry in store.log(table.id)[1]]
    assert numbers == [entry.hash for entry in lives[1].match.entries]


def test_a_log_that_has_become_shorter_is_read_anew(store: Store, other: Store) -> None:
    table, live, _ = running(store)
    go_on(live, 5)
    behind = other.live(table.id)
    behind.match._entries.append(behind.match.entries[-1])  # as if a copy from before had been brought back
    behind.catch_up()
    assert list(behind.match.entries) == list(live.match.entries)


# ---- what is new -------------------------------------------------------------------------------------------


def test_everything_that_happens_at_a_table_raises_its_revision(store: Store) -> None:
    ann, bob = store.new_person('Ann'), store.new_person('Bob')
    table = store.open_table('toy', [SeatPlan(person=ann.id)], 3, owner=ann.id, listed=True)
    seen = [store.revision(table.id)]
    shown = [store.news(table.id, None, -1)]
    changes: tuple[Callable[[], object], ...] = (
        lambda: store.choose_colour(table.id, ann.id, 0, 'red'),
        lambda: store.join(table.id, bob.id),
        lambda: store.add_chat(table.id, 'Ann', 'hello', ann.id, 0),
        lambda: store.fill(table.id, None, SeatPlan('bot', level='easy')),
        lambda: store.set_note(table.id, 0, 'a', ['x']),
        lambda: go_on(store.live(table.id), 1),
        lambda: store.note_presence(table.id, [ann.id], 'here', True),
        lambda: store.note_presence(table.id, [ann.id], 'here', False),
    )
    for change in changes:
        change()
        seen.append(store.revision(table.id))
        shown.append(store.news(table.id, None, -1))
    assert seen[-2] == seen[-3], 'that somebody has come who was not away is no news'
    assert all(late > early for early, late in itertools.pairwise(seen) if early != seen[-2])
    counts = [news.table.shown for news in shown if news]
    assert counts == sorted(counts)
    assert len({counts[5], counts[6], counts[7]}) == 1, "a seat's own doing is shown to nobody else"
    assert store.revision('nothing') == -1


def test_news_have_what_a_server_does_not_know_yet(store: Store, other: Store) -> None:
    table, live, people = running(store)
    go_on(live, 6)
    store.add_chat(table.id, 'Ann', 'one', people[0], 0)
    news = other.news(table.id, 4, -1)
    assert news
    assert list(news.new) == list(live.match.entries)[4:]
    assert (news.entries, [line.text for line in news.chat]) == (6, ['one'])
    store.add_chat(table.id, 'Ann', 'two', people[0], 0)
    store.set_note(table.id, 1, 'tile', ['x'])
    news = other.news(table.id, 6, 0)
    assert news
    assert (news.new, [line.text for line in news.chat]) == ((), ['two'])
    assert (news.notes, news.noted) == ({1: {'tile': ('x',)}}, {1: 1})


# ---- who is there ------------------------------------------------------------------------------------------


def test_somebody_is_away_who_has_closed_the_last_page_at_the_last_server(store: Store, other: Store) -> None:
    table, _, (ann, bob, _) = running(store)

    def away() -> frozenset[str]:
        news = store.news(table.id, None, -1)
        assert news
        return news.away

    store.note_presence(table.id, [ann, bob], 'first', True)
    assert away() == frozenset()
    other.note_presence(table.id, [ann], 'second', True)
    store.note_presence(table.id, [ann, bob], 'first', False)
    assert away() == {bob}, 'the other page came over'
    other.note_presence(table.id, [ann], 'second', False)
    assert away() == {ann, bob}


@pytest.mark.parametrize('put_back', [False, True], ids=['', 'though-the-clock-was-put-back'])
def test_a_server_that_says_nothing_more_is_forgotten_with_its_pages(store: Store, put_back: bool) -> None:
    table, _, (ann, *_) = running(store)
    store.keep_alive('first')
    store.keep_alive('second')
    store.note_presence(table.id, [ann], 'first', True)
    revision = store.revision(table.id)
    with store._database.write() as session:
        last = ServerRow.until + 3600 if put_back else 0
        session.execute(update(ServerRow).where(ServerRow.id == 'first').values(until=last))
    store.keep_alive('second')
    assert store.revision(table.id) == revision + 1
    news = store.news(table.id, None, -1)
    assert news
    assert news.away == {ann}


# ---- whose bots play ---------------------------------------------------------------------------------------


def bots(store: Store) -> str:
    """A table at which a bot is to choose."""
    return store.open_table('toy', [SeatPlan('bot', level='easy')] * 3, shuffled=False).id


def test_the_bots_of_a_table_are_one_servers_at_a_time(store: Store, other: Store) -> None:
    table = bots(store)
    assert store.forsaken(['toy']) == [table]
    barrier = threading.Barrier(8)

    def claim(server: str) -> bool:
        barrier.wait()
        return (store if server < '4' else other).claim_bots(table, server)

    with ThreadPoolExecutor(8) as pool:
        won = [server for server, has in zip('01234567', pool.map(claim, '01234567'), strict=True) if has]
    assert len(won) == 1
    assert store.claim_bots(table, won[0]), 'it may ask again'
    assert store.forsaken(['toy']) == []
    store.release_bots(table, 'somebody else')
    assert not store.claim_bots(table, 'somebody else')
    store.release_bots(table, won[0])
    assert other.forsaken(['toy']) == [table]
    assert other.forsaken(['to', 't_y', 'octiles']) == [], 'a server without the game cannot play it'


def test_the_bots_of_a_dead_server_are_taken_over(store: Store) -> None:
    table = bots(store)
    assert store.claim_bots(table, 'dead')
    store.keep_alive('dead')
    assert not store.claim_bots(table, 'other')
    with store._database.write() as session:
        session.execute(update(LeaseRow).values(until=0))
    assert store.forsaken(['toy']) == [table]
    assert store.claim_bots(table, 'other')
    store.end_server('other')
    assert store.forsaken(['toy']) == [table]


def test_no_server_is_sought_for_the_bots_of_an_exercise_which_never_think(store: Store) -> None:
    ann = store.new_person('Ann').id
    setup = Setup.new('toy', 2, seats=[Seat('Ann'), Seat('Bob', BOT, 'easy')], seed=1)
    plans = [SeatPlan(person=ann), SeatPlan(BOT, level='easy')]
    trying = store.open_exercise(ann, replace(setup, exercise='toy-1'), plans, {'id': 'toy-1'})
    store.live(trying.id).change(lambda match: match.act(0, None, match.names(0)[0]))
    table = store.table(trying.id)
    assert table is not None
    assert [seat.waiting for seat in table.seats] == [False, True]
    assert store.forsaken(['toy']) == []


def test_the_bots_of_a_dead_server_are_taken_over_though_the_clock_was_put_back(store: Store) -> None:
    table = bots(store)
    assert store.claim_bots(table, 'dead')
    with store._database.write() as session:
        session.execute(update(LeaseRow).values(until=LeaseRow.until + 86_400))
    assert store.forsaken(['toy']) == [table]
    assert store.claim_bots(table, 'other')
    assert not store.claim_bots(table, 'third')


# ---- reviews -----------------------------------------------------------------------------------------------


def test_the_review_of_a_dead_server_goes_on_though_the_clock_was_put_back(store: Store) -> None:
    store.ask_review('key', bots(store), 3)
    assert store.claim_review('key', 'dead')
    assert not store.claim_review('key', 'other')
    with store._database.write() as session:
        session.execute(update(ReviewRow).values(until=ReviewRow.until + 86_400))
    assert store.claim_review('key', 'other')
    assert not store.claim_review('key', 'third')


# ---- keys --------------------------------------------------------------------------------------------------


def test_servers_with_different_keys_do_not_work_together(store: Store, other: Store) -> None:
    store.agree('cookies', b'a' * 32)
    store.agree('links', b'b' * 32)
    other.agree('cookies', b'a' * 32)
    with pytest.raises(StoreError, match=r'links\.key in the data folder is not the one'):
        other.agree('links', b'a' * 32)


def test_a_key_that_was_replaced_is_noticed_once(store: Store) -> None:
    assert not store.is_new_key('cookies', b'a' * 32), 'the first one'
    assert not store.is_new_key('cookies', b'a' * 32)
    assert not store.is_new_key('links', b'b' * 32)
    assert store.is_new_key('cookies', b'b' * 32)
    assert not store.is_new_key('cookies', b'b' * 32)


# ---- notices -----------------------------------------------------------------------------------------------


def test_what_is_stored_is_told_to_the_other_servers_and_not_to_oneself(postgresql: Cluster) -> None:
    url = postgresql.new()
    heard: dict[str, list[Heard]] = {'one': [], 'two': []}
    with (
        closing(Store(url)) as store,
        closing(Store(url)) as other,
        closing(store.notices('one', heard['one'].append)) as first,
        closing(other.notices('two', heard['two'].append)),
    ):
        store.told(first.tell)
        until(lambda: all(found and found[0].missed for found in heard.values()))
        table, live, people = running(store)
        go_on(live, 3)
        store.change_person(people[0], name='Anna')
        until(lambda: people[0] in {one for found in heard['two'] for one in found.people})
        tables = {name: number for found in heard['two'] for name, number in found.tables.items()}
        assert tables == {table.id: store.revision(table.id)}
        # a connection that breaks is made anew, and says that something may have been missed
        before = len(heard['two'])
        postgresql.cut_off(name_of(url))
        until(lambda: any(found.missed for found in heard['two'][before:]))
        go_on(live, 1)
        until(lambda: any(table.id in found.tables for found in heard['two'][before:]))
        assert not any(found.tables or found.people for found in heard['one'])


def test_many_changes_are_told_in_few_notices_and_none_is_too_long() -> None:
    tables = {f'{number:032}': 10**18 for number in range(1000)}
    people = {f'person{number:026}' for number in range(300)}
    texts = list(notices.payloads('me', tables, people))
    assert len(texts) < 15
    assert all(len(text) < 8000 for text in texts)
    read = [found for text in texts if (found := notices.read(text, 'you'))]
    assert {name: number for found in read for name, number in found.tables.items()} == tables
    assert {one for found in read for one in found.people} == people
    assert notices.read(texts[0], 'me') is None
    assert notices.read('nonsense', 'you') is None
    assert Changes() == Changes({}, set())
