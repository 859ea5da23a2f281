"""Taking back committed turns, and bots in the place of those who left: only by consent."""

from __future__ import annotations

import pytest

from ludoteca.game import GameError
from ludoteca.match import BOT, PERSON, SPECTATOR, Match, Notice, Request, Seat, Setup
from tests.match.support import clock, new, play, seen, whole


def taken(players: int = 3, bots: int = 0) -> Match:
    """A toy match in which the winner of the bidding has taken a fruit from the market: nothing was revealed
    since the bids."""
    seats = [Seat(kind=BOT, level='easy') if k >= players - bots else Seat() for k in range(players)]
    match = Match(Setup.new('toy', players, seats=seats, seed=1), clock())
    for seat in range(players):
        match.act(seat, None, 'bid-1' if seat == 0 else 'bid-0')
    match.act(0, None, match.names(0)[0])
    match.act(0, None, match.names(0)[0])
    assert match.log(0)[-1].names[1].startswith('take')
    return match


def asked(match: Match) -> Request | None:
    return match.request


def test_a_turn_is_taken_back_when_all_the_others_agree() -> None:
    match = taken()
    assert len(match.log(1)) == 4
    before = Match.rebuild(match.setup, match.entries[:3], clock())
    version = match.version(1)
    assert match.ask_takeback(0) is False
    assert asked(match) == Request('takeback', 0, 3, '', (1, 2))
    assert match.version(1) == version + 1
    assert match.answer(2, True) is False
    assert match.turns == 4
    assert match.answer(1, True) is True
    assert match.turns == 3
    assert asked(match) is None
    assert match.view(1).state.tobytes() == before.view(1).state.tobytes()
    assert [row.kind for row in match.log(1)] == ['turn'] * 3 + ['takeback']
    assert match.view(1, since=version).events == ()
    after = match.version(1)
    play(match, 5, seed=4)
    assert match.log(1) == Match.rebuild(match.setup, match.entries).log(1)
    assert match.view(1, since=version).events == (), 'what was seen before cannot be gone on from'
    assert match.view(1, since=after).events
    play(match)
    assert not Match.rebuild(match.setup, match.entries).frozen


def test_one_no_is_enough_and_the_asker_may_withdraw() -> None:
    match = taken()
    for who in (2, 0):
        match.ask_takeback(0)
        assert match.answer(who, False) is False
        assert match.request is None
        assert match.turns == 4
    match.ask_takeback(0)
    with pytest.raises(GameError, match='does not wait for your answer'):
        match.answer(0, True)
    match.answer(1, True)
    with pytest.raises(GameError, match='does not wait for your answer'):
        match.answer(1, True)
    with pytest.raises(GameError, match='still open'):
        match.ask_takeback(0)
    match.answer(0, False)
    with pytest.raises(GameError, match='Nothing was asked'):
        match.answer(1, True)


def test_the_seats_of_one_person_and_bots_agree_at_once() -> None:
    match = taken()
    assert match.ask_takeback(0, agreed=(0, 1, 2)) is True
    assert match.turns == 3
    match = taken(bots=2)
    assert match.ask_takeback(0) is True
    match = taken(bots=1)
    assert match.ask_takeback(0) is False
    assert match.request
    assert match.request.waiting == (1,)


def test_who_has_several_seats_answers_once_for_all_of_them() -> None:
    match = taken()
    match.ask_takeback(0)
    assert match.answer(2, True, alike=(0, 1, 2)) is True
    assert match.turns == 3
    again = Match.rebuild(match.setup, match.entries, clock())
    assert whole(again) == whole(match)
    match = taken()
    match.ask_takeback(0)
    assert match.answer(2, False, alike=(1, 2)) is False
    assert (match.request, match.turns) == (None, 4)


def test_a_refusal_stands_in_the_log_and_a_withdrawal_does_not() -> None:
    match = taken()
    match.ask_takeback(0)
    match.answer(0, False)
    assert [row.kind for row in match.log(0) if row.kind != 'turn'] == []
    match.ask_takeback(0)
    match.answer(2, False)
    assert [(row.kind, row.seat) for row in match.log(0) if row.kind != 'turn'] == [('refuse', 2)]


def notices(match: Match, since: int = 0) -> list[Notice]:
    return list(match.notices[since:])


def test_how_a_request_ended_is_told_to_all_once() -> None:
    match = taken()
    request = Request('takeback', 0, 3, '', (1, 2))
    match.ask_takeback(0)
    match.answer(2, False)
    assert notices(match) == [Notice('ask', 0, request), Notice('refuse', 2, request)]
    match.ask_takeback(0)
    match.answer(0, False)
    assert notices(match, 2) == [Notice('ask', 0, request), Notice('withdraw', 0, request)]
    match.ask_takeback(0)
    match.answer(2, True)
    match.act(1, None, match.names(1)[0])
    match.act(1, None, 'draw')
    assert [(notice.kind, notice.seat) for notice in notices(match, 4)] == [
        ('ask', 0),
        ('lapse', SPECTATOR),
    ]
    before = match.copy()
    match.resign(1)
    assert notices(match, 6) == [Notice('resign', 1)]
    assert notices(before) == notices(match)[:6]
    assert notices(Match.rebuild(match.setup, match.entries, clock())) == notices(match)


def test_across_a_reveal_a_turn_is_taken_back_only_among_people() -> None:
    for bots in (0, 1):
        match = taken(bots=bots)
        match.act(1, None, match.names(1)[0])
        match.act(1, None, 'draw')
        if bots:
            assert 'only if all players were people' in match.may_take_back(0)
            with pytest.raises(GameError, match='was revealed'):
                match.ask_takeback(0)
            assert match.request is None
        else:
            assert match.may_take_back(0) == ''
            match.ask_takeback(0)
            match.answer(1, True)
            assert match.answer(2, True)
            assert match.turns == 3


def test_a_request_lapses_when_the_game_goes_on() -> None:
    match = taken()
    match.ask_takeback(0)
    match.act(1, None, match.names(1)[0])
    assert match.request, "a draft is nobody's to see"
    match.act(1, None, 'draw')
    assert match.request is None


def test_what_cannot_be_taken_back() -> None:
    match = new('toy', 3)
    assert match.may_take_back(0) == 'You have not finished any turn that could be taken back.'
    match = taken()
    match.act(1, None, match.names(1)[0])
    assert match.may_take_back(1) == 'Your turn is not finished; take back its steps first.'
    assert 'no seat' in match.may_take_back(9)
    play(match)
    assert 'is over' in match.may_take_back(0)


def test_a_sealed_phase_is_taken_back_for_all_or_not_at_all() -> None:
    match = new('toy', 3)
    for seat in range(3):
        match.act(seat, None, 'bid-0')
    match.ask_takeback(1, agreed=(0, 2))
    assert match.turns == 0
    assert all(match.may_act(seat) for seat in range(3))


def test_drafts_of_others_are_dropped_by_a_takeback() -> None:
    match = taken()
    match.act(1, None, match.names(1)[0])
    match.ask_takeback(0, agreed=(1, 2))
    assert match.draft(1) == ()
    assert match.may_act(0)


# ---- leaving -----------------------------------------------------------------------------------------------


def test_who_left_is_replaced_by_a_bot_when_all_the_others_agree_and_may_come_back() -> None:
    match = Match(Setup.new('toy', 3, seats=[Seat('Ann'), Seat('Bob'), Seat('Cleo')], seed=1), clock())
    assert match.ask_replace(0, 1, 'hard') is False
    assert match.request == Request('replace', 0, 1, 'hard', (2,))
    assert match.answer(2, True) is True
    assert match.seats[1] == Seat('Bob', BOT, 'hard')
    again = Match.rebuild(match.setup, match.entries, clock())
    assert whole(again) == whole(match)
    match.come_back(1)
    assert match.seats[1] == Seat('Bob')
    assert [row.kind for row in match.log(0)] == ['replace', 'return']
    with pytest.raises(GameError, match='Only a player whom a bot has replaced'):
        match.come_back(1)


def test_the_leaver_may_refuse_and_by_playing_ends_the_request() -> None:
    match = taken()
    match.ask_replace(0, 1)
    match.answer(1, False)
    assert match.request is None
    match.ask_replace(0, 1)
    with pytest.raises(GameError, match='does not wait'):
        match.answer(1, True)
    match.act(1, None, match.names(1)[0])
    match.act(1, None, 'draw')
    assert match.request is None
    match.ask_replace(0, 1)
    match.act(2, None, match.names(2)[0])
    match.act(2, None, 'draw')
    assert match.request, 'others may play on while it is open'


def test_who_cannot_be_replaced() -> None:
    match = taken(bots=1)
    for leaver in (0, 2):
        with pytest.raises(GameError, match='Only another person'):
            match.ask_replace(0, leaver)
    with pytest.raises(GameError, match='With two players'):
        new('toy', 2).ask_replace(0, 1)
    with pytest.raises(GameError, match='no seat 5'):
        match.ask_replace(0, 5)


def test_who_resigns_while_asked_needs_not_agree_any_more() -> None:
    match = taken()
    match.ask_takeback(0)
    match.answer(1, True)
    match.resign(2)
    assert match.turns == 3
    match = taken()
    match.ask_takeback(0)
    match.resign(0)
    assert match.request is None
    assert match.turns == 4


def test_a_request_ends_with_the_game() -> None:
    match = play(new('toy', 3))
    last = match.entries[-1]
    match.truncate(len(match.entries) - 1)
    match.ask_replace(last.seat, (last.seat + 1) % 3)
    match.act(last.seat, None, last.name)
    assert match.status == 'finished'
    assert match.request is None


def test_what_happened_beside_the_turns_stays_in_the_log_when_turns_are_taken_back() -> None:
    match = taken()
    match.resign(2)
    match.ask_takeback(0, agreed=(1,))
    assert [(row.number, row.kind) for row in match.log(1)] == [
        (1, 'turn'),
        (2, 'turn'),
        (3, 'turn'),
        (3, 'resign'),
        (3, 'takeback'),
    ]


def test_the_bot_begins_the_turn_anew() -> None:
    match = taken()
    match.act(1, None, match.names(1)[0])
    others = seen(match, 2)
    match.ask_replace(0, 1, agreed=(2,))
    assert match.draft(1) == ()
    assert match.may_act(1)
    assert seen(match, 2)['state'] == others['state']
    assert {seat.kind for seat in match.seats} == {PERSON, BOT}


# ---- trying again against bots -----------------------------------------------------------------------------


def against_bots(name: str = 'octiles', players: int = 2, turns: int = 5, seed: int = 1) -> Match:
    """A match of seat 0 against bots, some turns old."""
    match = new(name, players, seed, bots=players - 1)
    while match.turns < turns:
        play(match, 1, seed=len(match.entries))
    return match


def own_turns(match: Match, seat: int = 0) -> list[int]:
    """After how many turns it was the seat's turn."""
    return [at for at in range(match.turns) if match.movers(at) == (seat,)]


def test_against_bots_alone_one_tries_again_from_any_own_turn_though_each_reveals_a_tile() -> None:
    match = against_bots()
    assert 'only if all players were people' in match.may_take_back(0)
    assert against_bots().rated
    for at in reversed(own_turns(match)):
        then = match.view(0, at=at).state.tobytes()
        assert match.may_retry(0, at) == ''
        match.retry(0, at)
        assert (match.turns, match.to_move, match.draft(0)) == (at, (0,), ())
        assert match.view(0).state.tobytes() == then
    assert [row.kind for row in match.log(1)][-1] == 'retry'
    assert not match.rated
    again = Match.rebuild(match.setup, match.entries, clock())
    assert not again.frozen
    assert whole(again) == whole(match)
    assert not again.rated
    play(match)
    assert not match.rated, 'it stays so'


def test_without_a_turn_one_tries_the_last_own_turn_again_and_a_draft_is_dropped() -> None:
    match = against_bots()
    while match.to_move != (0,):
        match.act(1, None, match.names(1)[0])
    last = own_turns(match)[-1]
    match.act(0, None, match.names(0)[0])
    assert match.draft(0)
    match.retry(0)
    assert (match.turns, match.draft(0)) == (last, ())


def test_what_was_drawn_comes_again_and_nothing_else_is_told() -> None:
    """Chance is kept: nobody fishes for a better tile by trying again."""
    match = against_bots()
    at = own_turns(match)[-1]
    turn = match.log(0)[at].name
    before, version = match.view(0, at=at + 1).state.tobytes(), match.version(0)
    match.retry(0, at)
    assert match.view(0, since=version).events == ()
    match.act(0, None, turn)
    assert match.view(0).state.tobytes() == before


def test_where_a_person_plays_or_may_come_back_nobody_tries_again() -> None:
    match = taken(bots=1)
    assert match.may_retry(0).startswith('You can try again only where all other seats are bots')
    match = taken(players=3)
    match.ask_replace(0, 1, agreed=(2,))
    match.resign(2)
    assert match.seats[1].kind == match.seats[2].kind == BOT
    assert 'all other seats are bots' in match.may_retry(0), 'seat 1 may come back'
    before, entries = whole(match), len(match.entries)
    with pytest.raises(GameError):
        match.retry(0)
    assert (whole(match), len(match.entries)) == (before, entries)
    assert match.rated


def test_one_tries_again_only_from_an_own_turn_that_was_gone_on_from() -> None:
    match = against_bots()
    own = own_turns(match)
    others = [at for at in range(match.turns) if at not in own]
    for at in (*others, -1, match.turns, match.turns + 1):
        assert match.may_retry(0, at).startswith(
            'You can try again only from a position in which it was your turn'
        )
    assert against_bots(turns=0).may_retry(0)
    assert 'is over' in play(against_bots()).may_retry(0)
    assert 'only look' in match.may_retry(-1)


def test_what_all_choose_in_secret_is_chosen_anew_by_all() -> None:
    match = against_bots('toy', 3, turns=3)
    assert match.may_retry(0, 0) == ''
    assert match.may_retry(0, 1), 'the bids were opened together'
    match.retry(0, 0)
    assert match.turns == 0
    assert all(match.may_act(seat) for seat in range(3))
