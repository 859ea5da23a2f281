"""Changing what was begun: a step in the middle keeps what still fits, clicks that make no action,
arrangements made in secret."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pytest

from ludoteca.game import GameError, games, load
from ludoteca.match import SPECTATOR, Match, NotYourTurn, Stale
from tests.match.support import clock, new, play, rules, seen
from tests.toy import Toy
from tests.toy import rules as rules_of_toy

ARRANGED = [name for name in games() if load(name).arranged]


def dropping(players: int = 3) -> tuple[Match, int]:
    """A match in which a seat is to drop a card of several kinds."""
    for seed in itertools.count():
        match = new('toy', players, seed)
        for seat in range(players):
            match.act(seat, None, 'bid-1')
        (seat,) = match.to_move
        if len(match.names(seat)) > 1:
            return match, seat
    raise AssertionError


# ---- what still fits stays ---------------------------------------------------------------------------------


def test_a_step_that_does_not_fit_any_more_goes_and_none_is_played_that_ends_the_turn() -> None:
    match, seat = dropping()
    first, other = match.names(seat)[:2]
    match.act(seat, None, first)
    played = match.act(seat, None, other, keep=0, rest=True)
    assert (played.steps, played.committed) == (1, False)
    assert match.draft(seat) == (other,)
    assert [entry.kind for entry in match.entries[-2:]] == ['undo', 'step']
    assert match.act(seat, None, match.names(seat)[-1], keep=0 + 1, rest=True).committed


@pytest.mark.parametrize('name', ARRANGED)
def test_a_step_changed_in_the_middle_keeps_what_still_fits(name: str) -> None:
    match = new(name, 2)
    last = match.shuffle(0, seed=4)
    old = match.draft(0)
    others, version = [seen(match, seat) for seat in (SPECTATOR, 1)], match.version(0)
    match.act(0, version, last, keep=1, rest=True)
    assert match.draft(0)[:2] == (old[0], last)
    assert [step for step in match.draft(0)[2:] if step in old] == list(old[1 : len(match.draft(0)) - 1])
    assert match.may_act(0)
    assert match.version(0) > version
    assert [seen(match, seat) for seat in (SPECTATOR, 1)] == others
    with pytest.raises(Stale):
        match.act(0, version, last, keep=1, rest=True)
    again = Match.rebuild(match.setup, match.entries, clock())
    assert seen(again, 0) == seen(match, 0)
    match.act(0, None, old[0], keep=0)
    assert match.draft(0) == (old[0],), 'without being asked for nothing stays'


# ---- clicks that are no action -----------------------------------------------------------------------------


class Swapping(Toy):
    """A click on the bag drops the last kind of card that can be dropped, and draws from the bag."""

    def redraft(self, s: Any, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:
        if s.phase != rules_of_toy.DROPPING or targets[-1] != 'el:bag':
            return None
        return (
            max(k + rules_of_toy.DROP for k in range(3) if s.hand[s.to_move, k] > 0),
            rules_of_toy.DRAW,
            rules_of_toy.DRAW,
        )


def test_the_game_may_make_another_draft_of_a_click_but_ends_no_turn_with_it() -> None:
    with rules(Swapping()):
        match, seat = dropping()
        version, others = match.version(seat), [seen(match, other) for other in range(-1, 3) if other != seat]
        assert not match.redraft(seat, version, ['el:market-plum'])
        assert match.version(seat) == version
        assert match.redraft(seat, version, ['el:bag'])
        assert match.draft(seat) == (match.choices(seat)[0].choices[-1].name,)
        assert match.turns == 3
        assert [seen(match, other) for other in range(-1, 3) if other != seat] == others
        n = len(match.entries)
        assert match.redraft(seat, None, ['el:bag'])
        assert len(match.entries) == n, 'what is in the draft already stays as it is'
        with pytest.raises(Stale):
            match.redraft(seat, version, ['el:bag'])
        with pytest.raises(NotYourTurn):
            match.redraft((seat + 1) % 3, None, ['el:bag'])
        again = Match.rebuild(match.setup, match.entries, clock())
        assert seen(again, seat) == seen(match, seat)


def test_a_game_that_makes_nothing_of_clicks_says_so() -> None:
    match = new('toy', 2)
    assert not match.redraft(0, 0, ['el:bag'])
    assert match.entries == []


# ---- arrangements ------------------------------------------------------------------------------------------


@pytest.mark.parametrize('name', ARRANGED)
def test_an_arrangement_by_lot_fills_the_draft_but_for_the_step_that_seals_it(name: str) -> None:
    found = set()
    for seed in range(6):
        match = new(name, 2)
        others = [seen(match, seat) for seat in (SPECTATOR, 1)]
        last = match.shuffle(0, match.version(0), seed)
        assert last in match.names(0)
        assert {choice.name for choice in match.choices(0)[-1].choices if choice.commits} >= {last}
        assert [seen(match, seat) for seat in (SPECTATOR, 1)] == others
        found.add((*match.draft(0), last))
    assert len(found) > 3
    assert match.shuffle(0, seed=1) == match.shuffle(0, seed=1)
    lots = set()
    for _ in range(5):
        match.shuffle(0)
        lots.add(match.draft(0))
    assert len(lots) > 1, 'drawn from the entropy of the system'
    match.act(0, None, match.names(0)[0])
    assert not match.may_act(0)
    assert match.arranging(0)
    with pytest.raises(NotYourTurn):
        match.shuffle(0)
    assert Match.rebuild(match.setup, match.entries, clock()).draft(0) == match.draft(0)


@pytest.mark.parametrize('name', ARRANGED)
def test_an_arrangement_can_be_kept_and_made_again(name: str) -> None:
    match = new(name, 2)
    with pytest.raises(GameError, match='not complete'):
        match.arrangement(0)
    last = match.shuffle(0, seed=2)
    kept = match.arrangement(0, last)
    assert match.fits(1, kept)
    assert match.sealed(0) is None
    match.act(0, None, last)
    assert match.arrangement(0) == kept, 'sealed or not'
    assert match.sealed(0) == match.entries[-1].action
    assert match.sealed(1) is None
    assert match.arrange(1, match.version(1), kept) == last
    assert ' '.join((*match.draft(1), last)) == kept
    for wrong in ('', last, f'{kept} {last}', 'nonsense'):
        assert not match.fits(1, wrong)
        with pytest.raises(GameError, match='does not fit'):
            match.arrange(1, None, wrong)
    assert match.draft(1)
    match.act(1, None, last)
    assert not match.arranging(0)
    (mover,) = match.to_move
    with pytest.raises(GameError, match='nothing to arrange'):
        match.shuffle(mover)
    with pytest.raises(GameError, match='nothing to arrange'):
        match.arrange(mover, None, kept)
    with pytest.raises(GameError, match='nothing to arrange'):
        match.arrangement(0)
    assert not match.fits(0, kept)


def test_where_nothing_is_arranged_nothing_can_be() -> None:
    match = new('toy', 2)
    assert not match.arranging(0)
    with pytest.raises(GameError, match='nothing to arrange'):
        match.shuffle(0)


# ---- turns as people count them ----------------------------------------------------------------------------


def test_secret_choices_of_all_are_no_turns_for_people() -> None:
    match = new('toy', 3)
    for seat in range(3):
        match.act(seat, None, 'bid-1')
    assert (match.turns, match.finished()) == (3, 0)
    play(match, 2)
    assert (match.turns, match.finished()) == (4, 1)
    assert [match.finished(at) for at in range(5)] == [0, 0, 0, 0, 1]


def test_it_is_known_whose_turn_brought_something_to_light() -> None:
    match, seat = dropping()
    assert match.revealing == SPECTATOR, 'the bids were opened, by nobody in particular'
    match.act(seat, None, match.names(seat)[0])
    match.act(seat, None, 'draw')
    assert match.revealing == seat
    (seat,) = match.to_move
    match.act(seat, None, match.names(seat)[0])
    assert match.revealing != seat, "a draft is nobody else's"
    match.act(seat, None, next(name for name in match.names(seat) if name.startswith('take')))
    assert match.revealing == SPECTATOR
