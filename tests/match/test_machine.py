"""Whatever people do at a table, in whatever order: the match keeps its promises."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ludoteca.game import SPECTATOR, GameError, Position, start
from ludoteca.match import BOT, PERSON, Match, NotYourTurn, Setup, Stale
from tests.match.support import clock, new, seen, whole
from tests.width import width


class Table(RuleBasedStateMachine):
    """People step, take back, choose again, ask, answer, resign and answer to old versions. Beside the match
    runs a plain position that only takes the committed steps."""

    name: str
    players: int
    bots: int = 0

    @initialize(seed=st.integers(0, 5))
    def sit_down(self, seed: int) -> None:
        self.match = new(self.name, self.players, seed, self.bots)
        self.rated = True
        self.setup = self.match.setup
        # names of all committed steps, as the position takes them
        self.played: list[str] = []
        self.drafts: dict[int, list[str]] = {}
        self.lengths: list[int] = [0]  # how many of them stood after each turn

    # ---- the plain model

    def position(self) -> Position:
        game = self.match.game
        state = start(game, self.players, int(self.setup.seed, 16), game.options.read(self.setup.options))
        position = Position(game, state)
        for name in self.played:
            position.play(name)
        return position

    def sealed(self) -> bool:
        return int(self.position().state.phase) in self.match.game.sealed

    def follow(self, seat: int, names: list[str], keep: int | None, committed: bool) -> None:
        draft = self.drafts.setdefault(seat, [])
        del draft[len(draft) if keep is None else keep :]
        draft += names
        if self.sealed():
            if committed and all(not self.match.draft(k) for k in range(self.players)):
                for k in range(self.players):
                    self.played += self.drafts.get(k, [])
                    self.lengths.append(len(self.played))
                self.drafts.clear()
        elif committed:
            self.played += draft
            self.lengths.append(len(self.played))
            self.drafts.clear()

    # ---- what people do

    def others(self, seat: int) -> dict[int, Any]:
        return {k: seen(self.match, k) for k in range(SPECTATOR, self.players) if k != seat}

    def running(self) -> bool:
        return self.match.status == 'running'

    @precondition(running)
    @rule(data=st.data())
    def take_steps(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from([k for k in self.match.to_move if self.match.may_act(k)]))
        levels = self.match.choices(seat)
        assert [level.chosen for level in levels] == [*self.match.draft(seat), '']
        keep = data.draw(st.integers(0, len(levels) - 1))
        wanted = data.draw(st.sampled_from(levels[keep].choices)).name
        others, version = self.others(seat), self.match.version(seat)
        answer = self.match.act(seat, version, wanted, keep if keep < len(levels) - 1 else None)
        assert answer.steps == 1
        assert answer.rest == ()
        assert self.match.version(seat) > version
        was_sealed = self.sealed()
        self.follow(seat, [wanted], keep, answer.committed)
        bots_turn = self.match.seats[seat].kind == BOT and not was_sealed
        if (not answer.committed or (was_sealed and self.drafts)) and not bots_turn:
            assert self.others(seat) == others, "a draft or a sealed choice is nobody else's to see"

    @precondition(running)
    @rule(data=st.data())
    def take_back_a_step(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, self.players - 1))
        others, before = self.others(seat), whole(self.match)
        if self.match.may_act(seat) and self.match.draft(seat):
            self.match.undo(seat, self.match.version(seat))
            self.drafts[seat].pop()
            assert self.others(seat) == others or self.match.seats[seat].kind == BOT
            assert list(self.match.draft(seat)) == self.drafts[seat]
        else:
            with pytest.raises(GameError):
                self.match.undo(seat)
            assert whole(self.match) == before

    @precondition(running)
    @rule(data=st.data())
    def err(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, self.players - 1))
        before, entries = whole(self.match), list(self.match.entries)
        if self.match.version(seat):
            with pytest.raises(Stale):
                self.match.act(seat, data.draw(st.integers(0, self.match.version(seat) - 1)), 'pass')
        with pytest.raises(NotYourTurn if not self.match.may_act(seat) else GameError):
            self.match.act(seat, self.match.version(seat), 'nonsense')
        if self.match.may_act(seat):
            with pytest.raises(GameError):  # so many steps cannot stay
                self.match.act(seat, None, self.match.names(seat)[0], keep=len(self.match.draft(seat)) + 1)
        assert whole(self.match) == before
        assert list(self.match.entries) == entries

    @precondition(running)
    @rule(data=st.data(), yes=st.booleans())
    def ask_for_a_takeback(self, data: st.DataObject, yes: bool) -> None:
        seat = data.draw(st.integers(0, self.players - 1))
        before = whole(self.match)
        if self.match.may_take_back(seat):
            with pytest.raises(GameError):
                self.match.ask_takeback(seat)
            assert whole(self.match) == before
            return
        done, asked = self.match.ask_takeback(seat), self.match.request
        waiting = asked.waiting if asked else ()
        assert done == (not waiting)
        for other in waiting:
            done = self.match.answer(other, yes)
            if not yes:
                break
        assert self.match.request is None
        assert done == (yes or not waiting)
        if done:
            self.go_back()

    def go_back(self) -> None:
        """Turns have been taken back."""
        del self.lengths[self.match.turns + 1 :]
        del self.played[self.lengths[-1] :]
        self.drafts.clear()

    @precondition(running)
    @rule(data=st.data())
    def try_again(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, self.players - 1))
        turns = data.draw(st.none() | st.integers(-1, self.match.turns))
        before, entries = whole(self.match), list(self.match.entries)
        others = [who for k, who in enumerate(self.match.seats) if k != seat]
        if self.match.may_retry(seat, turns):
            with pytest.raises(GameError):
                self.match.retry(seat, turns)
            assert (whole(self.match), list(self.match.entries)) == (before, entries)
            return
        assert all(who.kind == BOT for who in others)
        shown = {k: self.match.view(k, at=turns).state.tobytes() for k in range(-1, self.players) if turns}
        self.match.retry(seat, turns)
        assert turns is None or self.match.turns == turns
        assert seat in self.match.to_move
        for k, state in shown.items():
            assert self.match.view(k, at=turns).state.tobytes() == state, 'more is shown than at that time'
        self.rated = False
        self.go_back()

    @precondition(lambda self: self.running() and self.players > 2 and self.match.turns > 6)
    @rule(data=st.data())
    def resign(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, self.players - 1))
        if self.match.seats[seat].kind == PERSON:
            self.match.resign(seat, 'easy')
            self.drafts.pop(seat, None)
            assert self.match.seats[seat].kind == BOT
            assert self.match.status == 'running'

    @precondition(lambda self: self.running() and self.players > 2)
    @rule(data=st.data(), yes=st.booleans())
    def ask_to_replace_somebody(self, data: st.DataObject, yes: bool) -> None:
        seat, leaver = data.draw(st.permutations(range(self.players)))[:2]
        before = whole(self.match)
        if self.match.request or self.match.seats[leaver].kind == BOT:
            with pytest.raises(GameError):
                self.match.ask_replace(seat, leaver)
            assert whole(self.match) == before
            return
        agreed = [k for k in range(self.players) if k not in (seat, leaver)] if yes else []
        done = self.match.ask_replace(seat, leaver, 'easy', agreed)
        if not done and self.match.request:
            assert leaver not in self.match.request.waiting, 'who is away need not agree'
            self.match.answer(leaver, False)  # and is there, after all
        assert self.match.request is None
        assert (self.match.seats[leaver].kind == BOT) == done
        if done:
            self.drafts.pop(leaver, None)

    @precondition(running)
    @rule(data=st.data())
    def come_back(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, self.players - 1))
        before, was = whole(self.match), self.match.seats[seat].kind
        try:
            self.match.come_back(seat)
        except GameError:
            assert whole(self.match) == before
        else:
            assert (was, self.match.seats[seat]) == (BOT, self.setup.seats[seat])
            self.drafts.pop(seat, None)

    @precondition(
        lambda self: any(
            self.match.arranging(seat) and self.match.may_act(seat) for seat in range(self.players)
        )
    )
    @rule(data=st.data(), seed=st.integers(0, 9))
    def arrange_by_lot(self, data: st.DataObject, seed: int) -> None:
        seat = data.draw(
            st.sampled_from(
                [k for k in range(self.players) if self.match.arranging(k) and self.match.may_act(k)]
            )
        )
        others = self.others(seat)
        last = self.match.shuffle(seat, self.match.version(seat), seed)
        assert self.match.names(seat) == (last,)
        assert self.match.fits(seat, self.match.arrangement(seat, last))
        self.drafts[seat] = list(self.match.draft(seat))
        assert self.others(seat) == others

    @precondition(running)
    @rule(data=st.data())
    def try_a_step_on_a_copy(self, data: st.DataObject) -> None:
        trial, before = self.match.copy(), whole(self.match)
        assert whole(trial) == before
        seat = data.draw(st.sampled_from([k for k in trial.to_move if trial.may_act(k)]))
        trial.act(seat, None, trial.names(seat)[0])
        assert trial.version(seat) > self.match.version(seat)
        assert whole(self.match) == before, 'what is tried on a copy changes the match'

    @precondition(lambda self: not self.running())
    @rule(data=st.data())
    def come_too_late(self, data: st.DataObject) -> None:
        seat, before = data.draw(st.integers(0, self.players - 1)), whole(self.match)
        for late in (self.match.retry, self.match.ask_takeback, self.match.undo, self.match.resign):
            with pytest.raises(GameError, match='is over'):
                late(seat)
        assert whole(self.match) == before

    @precondition(lambda self: not self.running())
    @rule(data=st.data(), yes=st.booleans(), best_of=st.sampled_from((1, 3)))
    def want_a_rematch(self, data: st.DataObject, yes: bool, best_of: int) -> None:
        seat, request = data.draw(st.integers(0, self.players - 1)), self.match.request
        rows, turns = self.match.log(SPECTATOR), self.match.turns
        if request and request.value != best_of:
            with pytest.raises(GameError):
                self.match.ask_rematch(seat, best_of)
            return
        agreed = self.match.ask_rematch(seat, best_of)
        wanted = self.match.request
        assert wanted is not None, 'what all want stays'
        assert agreed == (not wanted.waiting)
        people = {k for k, who in enumerate(self.setup.seats) if who.kind == PERSON}
        assert set(wanted.waiting) <= people - {seat}, 'those who began the match are asked'
        if wanted.waiting and not yes:
            self.match.answer(wanted.waiting[0], False)
            assert self.match.request is None
        assert (self.match.log(SPECTATOR), self.match.turns) == (rows, turns), 'the match itself is over'

    # ---- what holds after everything

    @invariant()
    def the_log_is_the_match(self) -> None:
        again = Match.rebuild(self.setup, self.match.entries, clock())
        assert not again.frozen
        assert again.entries == self.match.entries
        assert whole(again) == whole(self.match)
        assert self.match.rated == self.rated

    @invariant()
    def the_position_is_what_the_committed_steps_lead_to(self) -> None:
        position = self.position()
        assert position.over == (self.match.status == 'finished')
        for seat in range(SPECTATOR, self.players):
            assert (
                self.match.view(seat, at=self.match.turns).state.tobytes()
                == position.view(seat).state.tobytes()
            )
        if not position.over and not self.sealed():
            assert self.match.to_move == (position.to_move,)


@pytest.mark.parametrize(
    ('name', 'players', 'bots', 'examples', 'steps'),
    width(
        [
            ('toy', 3, 0, 6, 30),
            ('toy', 2, 0, 3, 25),
            ('toy', 3, 2, 2, 25),
            ('octiles', 2, 1, 2, 14),
            ('myrmidons', 2, 0, 2, 8),
        ],
        [
            ('toy', 3, 0, 20, 30),
            ('toy', 2, 0, 6, 40),
            ('toy', 3, 2, 8, 30),
            ('octiles', 2, 0, 5, 20),
            ('octiles', 2, 1, 4, 20),
            ('octiles', 3, 0, 3, 20),
            ('myrmidons', 2, 1, 3, 12),
        ],
    ),
)
def test_whatever_people_do_the_match_keeps_its_promises(
    name: str, players: int, bots: int, examples: int, steps: int
) -> None:
    machine = type('Machine', (Table,), {'name': name, 'players': players, 'bots': bots})
    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=examples, stateful_step_count=steps, deadline=None, derandomize=True),
    )


def test_a_setup_is_checked() -> None:
    with pytest.raises(GameError, match='2 to 4'):
        Setup.new('toy', 5)
    with pytest.raises(GameError, match='no option'):
        Setup.new('toy', 3, {'colour': 1})
    with pytest.raises(GameError, match='There is no game'):
        Setup.new('chess')
