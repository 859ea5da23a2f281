"""People, tables, invitations, matches and tokens."""

from __future__ import annotations

import itertools
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from ludoteca.game import COLOURS, GameError, games, registry
from ludoteca.match import BOT, PERSON, Match, MatchResult, Seat
from ludoteca.store import (
    OPEN,
    Conflict,
    Live,
    SeatPlan,
    Store,
    StoreError,
    Table,
    check_matches,
    goes_on,
    new_id,
    secret_key,
)
from ludoteca.store.people import FAVOURITES_KEPT
from ludoteca.store.talk import NOTES_KEPT
from tests.match.support import new, play, rules, step, whole
from tests.match.test_match import FourthEdition, SecondEdition
from tests.width import width


def running(store: Store, players: int = 3, game: str = 'toy') -> tuple[Table, Live, list[str]]:
    """A match among people, seated in the order given."""
    people = [store.new_person(name).id for name in ('Ann', 'Bob', 'Cleo', 'Dan')[:players]]
    table = store.open_table(
        game, [SeatPlan(person=person) for person in people], owner=people[0], shuffled=False
    )
    return table, store.live(table.id), people


def go_on(live: Live, steps: int, seed: int = 1) -> None:
    rng = random.Random(seed)
    for _ in range(steps):
        if live.match.status == 'running':
            live.change(lambda match: step(match, rng))


# ---- people ------------------------------------------------------------------------------------------------


def test_people_are_kept_with_name_and_settings(store: Store, url: str) -> None:
    ann = store.new_person(' Ann\n', {'sound': True})
    assert (ann.name, ann.settings) == ('Ann', {'sound': True})
    store.change_person(ann.id, name='Anna')
    changed = store.change_person(ann.id, settings={'theme': 'dark'})
    assert (changed.name, changed.settings) == ('Anna', {'sound': True, 'theme': 'dark'})
    other = Store(url)
    assert other.person(ann.id) == store.person(ann.id)
    assert other.person('nobody') is None
    with pytest.raises(GameError, match='no longer known'):
        store.change_person('nobody', name='x')
    other.close()


def test_when_somebody_was_seen_is_noted(url: str) -> None:
    now = [1000.0]
    store = Store(url, clock=lambda: now[0])
    ann = store.new_person('Ann')
    now[0] += 3600
    store.person(ann.id)
    found = store.person(ann.id)
    assert found
    assert (found.created, found.seen) == (1000.0, 4600.0)
    store.close()


def test_an_id_given_out_before_makes_one_person_however_often(store: Store) -> None:
    given = new_id()
    with ThreadPoolExecutor(6) as pool:
        people = list(pool.map(lambda _: store.new_person('Ann', person_id=given), range(6)))
    assert {person.id for person in people} == {given}
    assert len({person.created for person in people}) == 1


# ---- tables ------------------------------------------------------------------------------------------------


@pytest.mark.smoke
def test_a_match_begins_when_the_last_seat_is_taken(store: Store) -> None:
    ann, bob = store.new_person('Ann'), store.new_person('Bob')
    plan = [SeatPlan(person=ann.id), SeatPlan(BOT, level='easy'), SeatPlan(OPEN)]
    table = store.open_table('toy', plan, options={'ties': 'nobody'}, owner=ann.id)
    assert (table.status, table.players, table.options) == ('open', 3, {'ties': 'nobody'})
    with pytest.raises(GameError, match='has not begun'):
        store.live(table.id)
    table = store.join(table.id, bob.id, store.invite(table.id))
    assert table.status == 'running'
    assert sorted((seat.kind, seat.name) for seat in table.seats) == [
        (BOT, ''),
        (PERSON, 'Ann'),
        (PERSON, 'Bob'),
    ]
    live = store.live(table.id)
    assert live is store.live(table.id)
    assert [seat.name for seat in live.match.seats] == [seat.name or 'easy' for seat in table.seats]
    assert table.seats_of(bob.id) == tuple(k for k, seat in enumerate(live.match.seats) if seat.name == 'Bob')
    assert store.table(table.id) == table


def test_who_sits_where_is_drawn_unless_said_otherwise(store: Store) -> None:
    ann = store.new_person('Ann')
    plan = [SeatPlan(person=ann.id), SeatPlan(BOT, name='Robot', level='easy')]
    drawn = {store.open_table('toy', plan).seats_of(ann.id) for _ in range(20)}
    assert drawn == {(0,), (1,)}
    assert {store.open_table('toy', plan, shuffled=False).seats_of(ann.id) for _ in range(5)} == {(0,)}


def test_one_person_may_play_several_seats_at_one_screen(store: Store) -> None:
    ann = store.new_person('Ann')
    table = store.open_table(
        'toy', [SeatPlan(person=ann.id, name='Ann'), SeatPlan(person=ann.id, name='Grandpa')], owner=ann.id
    )
    assert table.status == 'running'
    assert table.seats_of(ann.id) == (0, 1)
    assert {seat.name for seat in table.seats} == {'Ann', 'Grandpa'}


def test_an_invitation_seats_a_group_each_person_once(store: Store) -> None:
    ann, bob, cleo, dan = (store.new_person(name) for name in ('Ann', 'Bob', 'Cleo', 'Dan'))
    table = store.open_table('toy', [SeatPlan(person=ann.id)], players=3, owner=ann.id)
    link = store.invite(table.id)
    assert store.invited(link) == table.id
    assert store.join(table.id, ann.id, link).seats_of(ann.id) == (0,), 'who sits there gets no second seat'
    with pytest.raises(GameError, match='private'):
        store.join(table.id, bob.id)
    for _ in range(2):
        assert store.join(table.id, bob.id, link).seats_of(bob.id) == (1,), 'a second time changes nothing'
    table = store.join(table.id, cleo.id, link)
    assert table.status == 'running'
    assert store.join(table.id, bob.id, link).seats_of(bob.id) == table.seats_of(bob.id)
    with pytest.raises(GameError, match='All seats of this table are taken'):
        store.join(table.id, dan.id, link)


def test_a_link_outlives_the_server_and_not_its_key(store: Store, url: str, data: Path) -> None:
    table = store.open_table('toy', [], players=3)
    link = store.invite(table.id)
    with closing(Store(url)) as other:
        assert other.invite(table.id) == link
        assert other.join(table.id, other.new_person('Bob').id, link).seats[0].name == 'Bob'
    (data / 'links.key').unlink()
    with closing(Store(url)) as other:
        assert other.invited(link) is None
        assert other.invited(other.invite(table.id)) == table.id


def test_a_link_opens_no_table_but_its_own(store: Store) -> None:
    """Neither what is in the database, nor links of other kinds, nor halves of different links."""
    bob, tables = store.new_person('Bob'), [store.open_table('toy', [], players=3).id for _ in range(2)]
    one, two = (store.invite(table) for table in tables)
    wrong = [tables[0], '', one + 'A', one[:-1], one.swapcase(), 'é' * 40, tables[0] + two[len(tables[1]) :]]
    for token in (*wrong, store.watch(tables[0]), store.preview(tables[0])):
        assert store.invited(token) is None
        with pytest.raises(GameError, match='not valid any more'):
            store.join(tables[0], bob.id, token)
    with pytest.raises(GameError, match='not valid any more'):
        store.join(tables[1], bob.id, one)


def test_a_full_table_may_wait_for_its_beginning(store: Store, url: str) -> None:
    ann, bob = store.new_person('Ann'), store.new_person('Bob')
    alone = store.open_table(
        'toy', [SeatPlan(person=ann.id), SeatPlan(BOT, level='easy')], owner=ann.id, begin=False
    )
    assert (alone.status, alone.full) == ('open', True)
    table = store.open_table('toy', [SeatPlan(person=ann.id)], players=3, owner=ann.id, listed=True)
    assert store.begin(table.id).status == 'open', 'seats are still open'
    store.fill(table.id, 1, SeatPlan(BOT, level='easy'), begin=False)
    assert [t.id for t in store.open_tables()] == [table.id]
    assert store.join(table.id, bob.id, begin=False).status == 'open'
    assert store.open_tables() == (), 'nobody else can sit down'
    other = Store(url)
    assert {t.id for t in other.to_begin()} == {alone.id, table.id}
    begun = other.begin(table.id)
    assert begun.status == 'running'
    assert other.begin(table.id) == begun
    other.leave(alone.id, ann.id)
    assert other.begin(alone.id).status == 'closed'
    assert other.to_begin() == []
    other.close()


def test_all_open_seats_are_filled_at_once(store: Store) -> None:
    ann = store.new_person('Ann')
    table = store.open_table('toy', [SeatPlan(person=ann.id)], players=4, owner=ann.id)
    store.join(table.id, store.new_person('Bob').id, store.invite(table.id))
    table = store.fill(table.id, None, SeatPlan(BOT, level='easy'))
    assert table.status == 'running'
    assert sorted(seat.kind for seat in table.seats) == [BOT, BOT, PERSON, PERSON]
    with pytest.raises(GameError, match='not open'):
        store.fill(table.id, None, SeatPlan(BOT, level='easy'))


def test_nobody_at_a_table_is_called_like_somebody_else_there(store: Store) -> None:
    ann, other, third = (store.new_person(name) for name in ('Ann', 'ann', 'Ann'))
    table = store.open_table('octiles', [SeatPlan(person=ann.id)], players=4, owner=ann.id, shuffled=False)
    store.join(table.id, other.id, store.invite(table.id))
    store.join(table.id, third.id, store.invite(table.id))
    table = store.fill(table.id, None, SeatPlan(BOT, level='easy'), names=['Ann', 'Ada'])
    assert [seat.name for seat in table.seats] == ['Ann', 'ann 2', 'Ann 3', 'Ada']
    kept = store.person(other.id)
    assert kept is not None
    assert kept.name == 'ann', 'elsewhere it keeps its name'
    table = store.open_table('octiles', [SeatPlan(person=ann.id)], players=4, owner=ann.id, shuffled=False)
    table = store.fill(table.id, None, SeatPlan(BOT, level='easy'), names=['Ada', 'Bo'])
    assert [seat.name for seat in table.seats] == ['Ann', 'Ada', 'Bo', 'Bo 2'], 'too few names'


def test_a_listed_table_can_be_joined_from_the_lobby(store: Store) -> None:
    ann, bob = store.new_person('Ann'), store.new_person('Bob')
    table = store.open_table('toy', [SeatPlan(person=ann.id)], players=3, owner=ann.id, listed=True)
    private = store.open_table('toy', [SeatPlan(person=ann.id)], owner=ann.id)
    assert [t.id for t in store.open_tables()] == [table.id]
    table = store.join(table.id, bob.id)
    table = store.fill(table.id, 2, SeatPlan(BOT, level='easy'))
    assert table.status == 'running'
    assert store.open_tables() == ()
    with pytest.raises(GameError, match='All seats of this table are taken'):
        store.join(table.id, bob.id)
    invite = store.invite(private.id)
    assert store.leave(private.id, ann.id).status == 'closed'
    with pytest.raises(GameError, match='not open any more'):
        store.join(private.id, bob.id, invite)


def test_who_stands_up_before_the_match_begins_leaves_an_open_seat(store: Store) -> None:
    ann, bob = store.new_person('Ann'), store.new_person('Bob')
    table = store.open_table('toy', [SeatPlan(person=ann.id)], players=3, owner=ann.id, listed=True)
    store.join(table.id, bob.id)
    assert store.leave(table.id, bob.id).seats_of(bob.id) == ()
    with pytest.raises(GameError, match='no seat at this table'):
        store.leave(table.id, bob.id)
    assert store.leave(table.id, ann.id).status == 'closed'
    begun, _, people = running(store)
    with pytest.raises(GameError, match='may resign'):
        store.leave(begun.id, people[0])


def test_impossible_tables_are_refused_and_leave_nothing(store: Store) -> None:
    for arguments in (
        {'game': 'chess', 'seats': []},
        {'game': 'toy', 'seats': [SeatPlan(OPEN)] * 7},
        {'game': 'toy', 'seats': [], 'options': {'long': True}, 'players': 4},
        {'game': 'toy', 'seats': [SeatPlan(person='nobody')]},
    ):
        with pytest.raises(GameError):
            store.open_table(**arguments)
    assert store.count_tables() == 0
    with pytest.raises(GameError, match='no such table'):
        store.live('nothing')
    assert store.table('nothing') is None


def test_my_tables_come_with_those_waiting_for_me_first(store: Store) -> None:
    clock = itertools.count(1000.0)
    store._clock = clock.__next__
    ann, bob = store.new_person('Ann'), store.new_person('Bob')
    plan = [SeatPlan(person=ann.id), SeatPlan(person=bob.id)]
    mine = store.open_table('octiles', plan, shuffled=False)
    theirs = store.open_table('octiles', plan[::-1], shuffled=False)
    unfilled = store.open_table('octiles', [SeatPlan(person=ann.id)], owner=ann.id)
    over = store.open_table('octiles', plan, shuffled=False)
    store.live(over.id).change(lambda match: match.resign(0))
    assert [table.id for table in store.tables_of(ann.id)] == [mine.id, theirs.id, unfilled.id, over.id]
    assert [table.waits_for(ann.id) for table in store.tables_of(ann.id)] == [True, False, False, False]
    assert [table.id for table in store.tables_of(bob.id)] == [theirs.id, mine.id, over.id]
    result = store.tables_of(ann.id)[-1].result
    assert result
    assert (result.ending, result.by, result.winners) == ('resigned', 0, (1,))
    assert store.count_tables(owner=ann.id) == 1
    assert store.count_tables(status='running') == 2
    assert store.count_tables(since=2000.0) == 0


def test_a_seat_waits_only_while_it_can_choose(store: Store) -> None:
    table, live, people = running(store)
    assert all(seat.waiting for seat in table.seats)
    live.change(lambda match: match.act(1, None, 'bid-0'))
    found = store.table(table.id)
    assert found
    assert [seat.waiting for seat in found.seats] == [True, False, True]
    live.change(lambda match: (match.ask_replace(1, 0, 'easy'), match.answer(2, True)))
    found = store.table(table.id)
    assert found
    assert (found.seats[0].kind, found.seats[0].level, found.seats[0].person) == (BOT, 'easy', people[0])
    assert not found.waits_for(people[0])


def test_a_rematch_is_opened_once_and_everybody_sits_where_the_game_says(store: Store) -> None:
    table, live, people = running(store, game='octiles')
    with pytest.raises(GameError, match='not over'):
        store.rematch(table.id)
    live.change(lambda match: play(match))
    again = store.rematch(table.id)
    assert store.rematch(table.id).id == again.id
    assert again.status == 'running'
    assert [seat.person for seat in again.seats] == [people[1], people[2], people[0]]
    assert again.previous == table.id
    found = store.table(table.id)
    assert found
    assert found.next == again.id
    assert store.live(again.id).match.setup.seed != live.match.setup.seed


@pytest.mark.parametrize(
    ('game', 'wins', 'more'),
    [
        (1, (1, 0), True),
        (2, (1, 1), True),
        (2, (1.5, 0.5), True),
        (2, (2, 0), False),
        (3, (1.5, 1.5), False),
        (3, (1, 1, 1), False),
        (0, (1, 0), False),
    ],
)
def test_a_best_of_three_ends_with_two_wins_or_after_three_games(
    game: int, wins: tuple[float, ...], more: bool
) -> None:
    assert goes_on(game, dict(zip(COLOURS, wins, strict=False))) == more


def test_a_shared_win_is_half_a_win() -> None:
    shared = MatchResult('end', -1, (1 / 3, 0.0, 1 / 3, 1 / 3), (5.0, 1.0, 5.0, 5.0))
    assert shared.wins == (0.5, 0, 0.5, 0.5)


# ---- matches -----------------------------------------------------------------------------------------------


def test_what_was_acknowledged_is_there_again(store: Store, url: str) -> None:
    table, live, _ = running(store)
    for _ in range(width(12, 25)):
        go_on(live, 1, seed=live.match.turns)
        other = Store(url)
        assert whole(other.live(table.id).match) == whole(live.match)
        assert list(other.live(table.id).match.entries) == list(live.match.entries)
        other.close()
    assert (found := store.table(table.id))
    assert found.turns == live.match.turns


def test_what_cannot_be_stored_has_not_happened(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    table, live, _ = running(store)
    go_on(live, 7)
    before, entries = whole(live.match), list(live.match.entries)

    def full(*_: Any) -> None:
        raise OperationalError('insert', {}, Exception('database or disk is full'))

    with monkeypatch.context() as patch:
        patch.setattr(store, '_append', full)
        with pytest.raises(StoreError, match='nothing has changed'):
            go_on(live, 1)
    with pytest.raises(GameError):
        live.change(lambda match: (step(match, random.Random(1)), match.act(0, -1, 'nonsense')))
    assert whole(live.match) == before
    assert list(live.match.entries) == entries
    go_on(live, 3)
    assert store.log(table.id)[1] == list(live.match.entries)


def test_of_two_processes_the_second_is_told_to_look_again(store: Store, url: str) -> None:
    table, live, _ = running(store)
    other = Store(url)
    behind = other.live(table.id)
    go_on(live, 2)
    with pytest.raises(Conflict):
        go_on(behind, 1)
    assert whole(behind.match) == whole(live.match)
    go_on(behind, 1)
    assert len(store.log(table.id)[1]) == 3
    other.close()


def test_many_threads_take_turns_without_losing_any(store: Store, url: str) -> None:
    table, live, _ = running(store, game='octiles')  # which is not over after 24 steps
    stores = [store, *(Store(url) for _ in range(2))]

    def work(number: int) -> int:
        rng, done = random.Random(number), 0
        own = stores[number % 3].live(table.id)
        while done < 4 and own.match.status == 'running':
            try:
                own.change(lambda match: step(match, rng))
                done += 1
            except Conflict:
                continue
        return done

    with ThreadPoolExecutor(6) as pool:
        done = sum(pool.map(work, range(6)))
    _, entries = store.log(table.id)
    assert len(entries) == done == 24
    assert not Match.rebuild(live.match.setup, entries).frozen
    for other in stores[1:]:
        other.close()


def test_an_open_seat_is_given_to_one_of_many_who_want_it(store: Store) -> None:
    table = store.open_table('toy', [SeatPlan(BOT, level='easy')], listed=True)
    people = [store.new_person(f'{k}').id for k in range(8)]

    def want(person: str) -> bool:
        try:
            return person in {seat.person for seat in store.join(table.id, person).seats}
        except GameError:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(want, people)) == 1


def test_a_server_resumes_all_running_matches(store: Store, url: str) -> None:
    tables = [running(store)[0] for _ in range(3)]
    for k, table in enumerate(tables):
        go_on(store.live(table.id), 5 + k)
    store.live(tables[2].id).change(lambda match: play(match))
    other = Store(url)
    assert [live.id for live in other.resume()] == [tables[0].id, tables[1].id]
    assert [whole(live.match) for live in other.resume()] == [
        whole(store.live(table.id).match) for table in tables[:2]
    ]
    other.close()


@pytest.mark.parametrize('ends', ['closed', 'played to its end', 'goes on'])
def test_what_happens_to_a_table_while_a_server_starts_is_not_undone_by_its_start(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    table, live, _ = running(store)
    go_on(live, 3)
    other = Store(url)
    rebuild = other._rebuild

    def slow(table_id: str) -> Match:
        found = rebuild(table_id)
        if ends == 'closed':
            store.close_table(table_id, 'Closed.')
        elif ends == 'goes on':
            go_on(live, 1)
        else:
            live.change(lambda match: play(match))
        return found

    monkeypatch.setattr(other, '_rebuild', slow)
    found = other.resume()
    assert [one.id for one in found] == ([table.id] if ends == 'goes on' else [])
    now, kept = store.table(table.id), other.table(table.id)
    assert now
    assert kept
    assert (kept.status, kept.sentence) == (now.status, now.sentence)
    assert kept.status == {'closed': 'closed', 'goes on': 'running'}.get(ends, 'finished')
    other.close()


def test_matches_that_the_rules_have_left_behind_are_frozen_and_thaw_with_the_old_rules(
    store: Store, url: str
) -> None:
    table, live, people = running(store)
    go_on(live, 14)
    assert [report.verdict for report in check_matches(store)] == ['same']
    with rules(SecondEdition()):
        assert [report.verdict for report in check_matches(store)] == ['goes on']
    with rules(FourthEdition()):
        (report,) = check_matches(store)
        assert (report.verdict, report.table, report.turns) == ('frozen', table.id, live.match.turns)
        assert 'under version 4 it would go on differently' in report.sentence
        assert (found := store.table(table.id))
        assert found.status == 'running', 'checking changes nothing'
        other = Store(url)
        assert other.resume() == []
        assert (found := other.table(table.id))
        assert (found.status, found.sentence) == ('frozen', report.sentence)
        assert other.live(table.id).match.view(0).actions == ()
        assert [t.id for t in other.tables_of(people[0])] == [table.id]
        other.close()
    other = Store(url)
    assert [live.id for live in other.resume()] == [table.id]
    assert (found := other.table(table.id))
    assert (found.status, found.sentence) == ('running', '')
    assert whole(other.live(table.id).match) == whole(live.match)
    other.close()


def test_a_match_of_a_game_that_is_gone_is_kept_and_said_so(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, live, _ = running(store)
    go_on(live, 3)
    with monkeypatch.context() as patch:
        patch.delitem(registry._added, 'toy')
        other = Store(url)
        assert [report.sentence for report in check_matches(other)] == [
            f"There is no game 'toy'; the games are: {', '.join(games())}."
        ]
        assert other.resume() == []
        with pytest.raises(GameError, match='There is no game'):
            other.live(table.id)
        other.close()
    assert [live.id for live in store.resume()] == [table.id]


def test_matches_leave_memory_when_nobody_uses_them(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('ludoteca.store.matches.KEPT', 2)
    ids = [running(store)[0].id for _ in range(4)]
    kept = store.live(ids[0])
    for table_id in ids:
        store.live(table_id)
    assert store.live(ids[0]) is kept
    assert len(store._recent) == 2
    del kept


# ---- chat --------------------------------------------------------------------------------------------------


def test_what_was_said_is_there_again(store: Store, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, _, people = running(store)
    elsewhere, _, _ = running(store)
    said = [store.add_chat(table.id, 'Ann', f'line {k}', people[0], seat=0) for k in range(5)]
    store.add_chat(elsewhere.id, 'Zoe', 'not here')
    assert [line.number for line in said] == list(range(5))
    other = Store(url)
    assert other.chat(table.id) == tuple(said)
    assert other.chat(table.id, limit=2) == tuple(said[3:])
    assert (said[0].seat, said[0].name, said[0].text) == (0, 'Ann', 'line 0')
    monkeypatch.setattr('ludoteca.store.talk.LINES_KEPT', 3)
    assert other.add_chat(table.id, 'Bob', 'the last').number == 5
    assert [line.number for line in other.chat(table.id)] == [3, 4, 5]
    assert [line.text for line in other.chat(elsewhere.id)] == ['not here']
    with pytest.raises(GameError, match='no such table'):
        other.add_chat('nowhere', 'Ann', 'hello')
    other.close()


def test_lines_said_at_once_are_all_kept(store: Store, url: str) -> None:
    table, _, people = running(store)
    stores = [store, Store(url)]
    with ThreadPoolExecutor(6) as pool:
        numbers = list(
            pool.map(lambda k: stores[k % 2].add_chat(table.id, 'Ann', str(k), people[0]).number, range(18))
        )
    assert sorted(numbers) == list(range(18))
    assert len(store.chat(table.id)) == 18
    stores[1].close()


# ---- tokens and secrets ------------------------------------------------------------------------------------


def test_a_bearer_token_opens_a_seat_until_it_is_revoked(store: Store) -> None:
    table, _, people = running(store)
    one, two = store.new_token(table.id, 1, people[1], 'my robot'), store.new_token(table.id, 1)
    found = store.token(one)
    assert found
    assert (found.table, found.seat, found.person, found.label) == (table.id, 1, people[1], 'my robot')
    assert store.revoke(table.id, 1, one) == 1
    assert store.token(one) is None
    assert store.token(two)
    assert store.token('guess') is None
    assert [token.revoked for token in store.tokens(table.id, 1)] == [True, False]
    assert store.revoke(table.id, 1) == 1
    assert store.token(two) is None
    with pytest.raises(GameError, match='no seat 3'):
        store.new_token(table.id, 3)


def test_links_and_tokens_are_not_in_the_database(file_store: Store, tmp_path: Path) -> None:
    store = file_store
    ann = store.new_person('Ann')
    table = store.open_table('toy', [SeatPlan(person=ann.id)], owner=ann.id)
    link, token = store.invite(table.id), store.new_token(table.id, 0)
    store.close()
    content = b''.join(path.read_bytes() for path in tmp_path.iterdir())
    assert table.id.encode() in content
    assert not any(secret.encode() in content for secret in (token, link, link[len(table.id) :]))
    assert secret_key('links') not in content


def test_what_a_table_tells_holds_no_seed(store: Store) -> None:
    table, live, _ = running(store)
    go_on(live, 5)
    found = store.table(table.id)
    assert live.match.setup.seed not in repr(found)
    assert new('toy', 3).setup.seats == (Seat(),) * 3


# ---- favourites and notes ----------------------------------------------------------------------------------


def test_favourites_are_kept_by_person_and_game_under_one_name_each(store: Store, url: str) -> None:
    ann, bob = store.new_person('Ann').id, store.new_person('Bob').id
    one = store.add_favourite(ann, 'toy', '  my \n way ', 'bid-1')
    assert (one.name, one.steps) == ('my way', 'bid-1')
    again = store.add_favourite(ann, 'toy', 'my way', 'bid-2')
    assert again.id == one.id, 'the newer one of a name takes the place of the older one'
    store.add_favourite(ann, 'toy', 'x' * 60, 'bid-3')
    store.add_favourite(ann, 'octiles', 'my way', 'pass')
    other = Store(url)
    assert [(f.name, f.steps) for f in other.favourites(ann, 'toy')] == [
        ('my way', 'bid-2'),
        ('x' * 40, 'bid-3'),
    ]
    assert other.favourites(bob, 'toy') == ()
    other.close()
    assert not store.remove_favourite(bob, one.id)
    assert store.remove_favourite(ann, one.id)
    assert [f.name for f in store.favourites(ann, 'toy')] == ['x' * 40]
    with pytest.raises(GameError, match='needs a name'):
        store.add_favourite(ann, 'toy', ' \n ', 'bid-1')
    with pytest.raises(GameError, match='no longer known'):
        store.add_favourite('nobody', 'toy', 'a', 'bid-1')


def test_only_so_many_favourites_are_kept(store: Store) -> None:
    ann = store.new_person('Ann').id
    for k in range(FAVOURITES_KEPT):
        store.add_favourite(ann, 'toy', f'number {k}', 'bid-1')
    with pytest.raises(GameError, match='24 favourites'):
        store.add_favourite(ann, 'toy', 'one more', 'bid-1')
    store.add_favourite(ann, 'toy', 'number 3', 'bid-2')
    store.add_favourite(ann, 'octiles', 'one more', 'pass')
    assert len(store.favourites(ann, 'toy')) == FAVOURITES_KEPT


def test_what_a_seat_pencils_is_kept_for_this_seat(store: Store, url: str) -> None:
    table, _, _ = running(store)
    assert store.notes(table.id) == {}
    store.set_note(table.id, 0, 'bag', ['plum', 'apple'])
    store.set_note(table.id, 1, 'bag', ['cherry'])
    assert store.set_note(table.id, 0, 'seat-1', ['apple']) == {
        'bag': ('plum', 'apple'),
        'seat-1': ('apple',),
    }
    other = Store(url)
    assert other.notes(table.id) == {
        0: {'bag': ('plum', 'apple'), 'seat-1': ('apple',)},
        1: {'bag': ('cherry',)},
    }
    other.close()
    assert store.set_note(table.id, 0, 'bag', []) == {'seat-1': ('apple',)}
    for k in range(NOTES_KEPT - 1):
        store.set_note(table.id, 0, f'thing-{k}', ['apple'])
    with pytest.raises(GameError, match='64 things'):
        store.set_note(table.id, 0, 'one-more', ['apple'])
    store.set_note(table.id, 0, 'thing-3', ['plum'])
    with pytest.raises(GameError, match='no such table'):
        store.set_note('nowhere', 0, 'bag', ['plum'])
