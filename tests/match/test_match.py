"""Turns, drafts, versions, views, resigning and rematches."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from typing import Any

import pytest

from ludoteca.game import Event, GameError, committed, load
from ludoteca.match import (
    BOT,
    HIDDEN,
    PERSON,
    RESIGNED,
    SPECTATOR,
    LogEntry,
    Match,
    NotYourTurn,
    Seat,
    Setup,
    Stale,
    clean_name,
    draw_seats,
)
from ludoteca.match import drafts as module
from ludoteca.match.knowledge import ALL_SEEN, Knowledge
from ludoteca.match.seat_view import SeatView
from ludoteca.text import words
from tests.match.support import clock, new, play, rules, seen, step, whole
from tests.toy import Toy
from tests.toy import rules as rules_of_toy

OTHERS = (SPECTATOR, 1)


def bid(match: Match, *coins: int) -> None:
    for seat, n in enumerate(coins):
        match.act(seat, None, f'bid-{n}')


# ---- set-up ------------------------------------------------------------------------------------------------


def test_a_seed_has_128_bits_of_the_systems_entropy_and_leads_to_one_beginning() -> None:
    setups = [Setup.new('toy', 3) for _ in range(20)]
    assert len({setup.seed for setup in setups}) == 20
    assert all(len(setup.seed) == 32 and int(setup.seed, 16) >= 2**127 for setup in setups)
    assert (
        Match(setups[0])._history.states[0].tobytes()
        == Match(Setup.from_json(setups[0].json()))._history.states[0].tobytes()
    )
    assert (
        Setup.new('toy', 3, seed=7).seed
        == Setup.new('toy', 3, seed=7).seed
        != Setup.new('toy', 3, seed=8).seed
    )


def test_a_given_seed_gives_the_same_beginning_as_in_the_library() -> None:
    from ludoteca import game

    assert new('octiles', 2, 99)._history.states[0].tobytes() == game.new('octiles', 2, 99).state.tobytes()


def test_names_are_one_line_without_control_characters() -> None:
    setup = Setup.new('toy', 2, seats=[Seat('  Ann\n\x1b[31m\u202eof  the Hill '), Seat('', BOT, 'easy')])
    assert [seat.name for seat in setup.seats] == ['Ann [31m of the Hill', 'easy']
    assert len(clean_name('x' * 100)) == 40


def test_more_people_than_seats_and_unknown_kinds_are_refused() -> None:
    with pytest.raises(GameError, match='3 people cannot sit at a table for 2'):
        Setup.new('toy', 2, seats=[Seat()] * 3)
    with pytest.raises(GameError, match='person or a bot'):
        Setup.new('toy', 2, seats=[Seat(kind='ghost')])  # type: ignore[arg-type]


def test_seats_are_drawn_each_order_equally_likely() -> None:
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(600):
        counts[draw_seats(3)] = counts.get(draw_seats(3), 0) + 1
    assert len(counts) == 6
    assert all(sorted(order) == [0, 1, 2] for order in counts)


# ---- turns and drafts --------------------------------------------------------------------------------------


def test_the_first_step_of_a_turn_is_the_movers_draft_and_nobody_else_sees_it() -> None:
    match = new('octiles', 2)
    before = {seat: seen(match, seat) for seat in OTHERS}
    played = match.act(0, match.version(0), match.names(0)[3])
    assert (played.steps, played.committed) == (1, False)
    assert {seat: seen(match, seat) for seat in OTHERS} == before
    assert len(match.draft(0)) == 1
    assert len(match.entries) == 1
    assert match.turns == 0
    did = match.drafted(0)
    assert len(did) == 1
    match.act(0, match.version(0), match.names(0)[0])
    assert match.turns == 1
    assert match.drafted(0) == ()
    assert match.log(0)[0].events[:1] == did, 'what was done step by step is what is told of the turn'
    assert match.to_move == (1,)
    assert all(seen(match, seat)['version'] == before[seat]['version'] + 1 for seat in OTHERS)
    assert len(match.log(1)[0].names) == 2


@pytest.mark.smoke
def test_a_whole_turn_may_be_named_at_once() -> None:
    one, two = new('octiles', 2), new('octiles', 2)
    turn = f'{one.names(0)[5]}'
    one.act(0, None, turn)
    turn += ' ' + one.names(0)[0]
    one.act(0, None, one.names(0)[0])
    assert two.act(0, 0, turn).steps == 2
    assert two.entries[-1].hash == one.entries[-1].hash
    assert seen(one, 1) == seen(two, 1) | {'log': seen(one, 1)['log']}
    assert [row.name for row in one.log(1)] == [row.name for row in two.log(1)] == [turn]


def test_another_place_for_the_first_step_can_be_chosen_while_the_second_is_open() -> None:
    match = new('octiles', 2)
    first, other = match.names(0)[0], match.names(0)[-1]
    match.act(0, None, first)
    levels = match.choices(0)
    assert [level.chosen for level in levels] == [first, '']
    assert other in {choice.name for choice in levels[0].choices}
    assert tuple(choice.name for choice in levels[1].choices) == match.names(0)
    version = match.version(0)
    match.act(0, version, other, keep=0)
    assert match.draft(0) == (other,)
    assert [entry.kind for entry in match.entries] == ['step', 'undo', 'step']
    with pytest.raises(Stale):
        match.act(0, version, first, keep=0)
    with pytest.raises(Stale, match=words('match.error.stale_keep', steps=1, keep=2)):
        match.act(0, None, first, keep=2)


@pytest.mark.parametrize(('name', 'players'), [('octiles', 2), ('octiles', 3), ('myriath', 2), ('toy', 3)])
def test_a_choice_says_whether_it_ends_the_turn(name: str, players: int) -> None:
    match, rng = new(name, players), random.Random(5)
    for _ in range(40):
        if match.status == 'running':
            step(match, rng)
        for seat in filter(match.may_act, match.to_move):
            bases = [made.before for made in match._drafts.of(seat)] + [match._drafts.open_state(seat)]
            for level, before in zip(match.choices(seat), bases, strict=True):
                for choice in level.choices:
                    after = before.copy()
                    match.game.kernels.apply(after, match.game.action_from_name(before, choice.name))
                    assert choice.commits == committed(before, after)


def tell(s: Any, action: int) -> None:
    """Whoever lays a card is told at once if the next player has none of that fruit."""
    fruit = action - rules_of_toy.DROP
    tells = rules_of_toy.DROP <= action < rules_of_toy.TAKE and not s.hand[(s.to_move + 1) % s.players, fruit]
    Toy.kernels.apply(s, action)
    s.reveals += int(tells)


class TellTale(Toy):
    """Whether the step can be taken back hangs on what its player cannot know."""

    kernels = Toy.kernels._replace(apply=tell)


def test_where_the_end_of_a_turn_hangs_on_secrets_a_choice_says_that_it_may_end() -> None:
    with rules(TellTale()):
        found = set()
        for seed in range(12):
            match = play(new('toy', 3, seed), 3)
            (seat,) = match.to_move
            base: Any = match._drafts.open_state(seat)
            choices = match.choices(seat)[-1].choices
            for choice in choices:
                after = base.copy()
                match.game.kernels.apply(after, match.game.action_from_name(base, choice.name))
                found.add((committed(base, after), choice.commits))
            # another deal to the others makes no difference
            hands = base.hand.copy()
            base.hand[(seat + 1) % 3], base.hand[(seat + 2) % 3] = (
                hands[(seat + 2) % 3],
                hands[(seat + 1) % 3],
            )
            match._choices_of.clear()
            assert match.choices(seat)[-1].choices == choices
        assert (False, True) in found, 'it may end, and would not'


def test_of_several_steps_none_is_taken_if_one_is_wrong() -> None:
    match = new('octiles', 2)
    match.act(0, None, match.names(0)[0])
    before = whole(match), list(match.entries)
    for wrong in (f'{match.draft(0)[0]} nonsense', 'pass'):
        with pytest.raises(GameError):
            match.act(0, None, wrong, keep=0)
    with pytest.raises(GameError, match='No step was named'):
        match.act(0, None, ' ')
    assert (whole(match), list(match.entries)) == before


def test_an_illegal_step_is_told_what_is_legal() -> None:
    match = new('octiles', 2)
    with pytest.raises(
        GameError, match=r"^'pass' is not legal here; legal are: [a-e][1-5]:\d, .* and \d+ more\.$"
    ):
        match.act(0, None, 'pass')
    with pytest.raises(GameError, match='Action 1432 is not legal here'):
        match.play(0, [1432])


def test_who_is_not_to_move_is_told_whose_turn_it_is() -> None:
    match = Match(Setup.new('octiles', 2, seats=[Seat('Ann')]))
    with pytest.raises(NotYourTurn, match='the turn of Ann'):
        match.act(1, None, 'pass')
    with pytest.raises(NotYourTurn, match='only look'):
        match.act(SPECTATOR, None, 'pass')
    with pytest.raises(GameError, match='There is no seat 2'):
        match.act(2, None, 'pass')


def test_taking_back_is_bounded_within_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, 'UNDOS_A_TURN', 3)
    match = new('octiles', 2)
    for _ in range(3):
        match.act(0, None, match.names(0)[0])
        match.undo(0)
    match.act(0, None, match.names(0)[0])
    with pytest.raises(GameError, match='3 times'):
        match.undo(0)
    match.act(0, None, match.names(0)[0])
    assert match.turns == 1
    match.act(1, None, match.names(1)[0])
    match.act(1, None, match.names(1)[0])
    match.act(0, None, match.names(0)[0])
    match.undo(0)


def test_nothing_is_told_of_the_steps_after_a_reveal_until_it_is_committed() -> None:
    match = new('octiles', 2)
    place = match.names(0)[0]
    match.act(0, None, place)
    turn = f'{place} {match.names(0)[0]}'
    match.undo(0)
    played = match.act(0, None, [turn, 'nonsense', 'and more'])
    assert played.steps == 2
    assert played.committed
    assert played.rest == ('nonsense', 'and', 'more')
    assert match.turns == 1


def test_steps_after_the_end_of_a_turn_without_a_reveal_are_refused() -> None:
    match = new('toy', 3)
    bid(match, 1, 0, 0)
    assert match.to_move == (0,)
    match.act(0, None, match.names(0)[0])
    take = match.names(0)[0]
    assert take.startswith('take')
    with pytest.raises(GameError, match=f'ends with {take}'):
        match.act(0, None, f'{take} draw')
    assert match.draft(0)


# ---- what a seat sees --------------------------------------------------------------------------------------


def test_events_since_a_version_are_told_once() -> None:
    match = new('octiles', 2)
    versions, told = [match.version(0)], list[Event]()
    rng = random.Random(3)
    for _ in range(40):
        step(match, rng)
        told += match.view(0, since=versions[-1]).events
        versions.append(match.version(0))
    everything = match.view(0, since=0).events
    assert tuple(told) == everything
    assert (
        everything[:-1] == tuple(event for row in match.log(0) for event in row.events)[: len(everything) - 1]
    )
    assert match.view(0).events == ()
    assert match.view(0, since=10**6).events == ()


def test_steps_chosen_again_are_told_again_and_steps_taken_back_are_not() -> None:
    match = new('octiles', 2)
    match.act(0, None, match.names(0)[0])
    before = match.version(0)
    match.act(
        0,
        None,
        match.names(0)[0] if len(match.draft(0)) == 0 else match.choices(0)[0].choices[-1].name,
        keep=0,
    )
    again = match.view(0, since=before).events
    assert [event.kind for event in again] == [event.kind for event in match.view(0, since=0).events]
    match.undo(0)
    assert match.view(0, since=before).events == ()


def test_history_shows_a_turn_after_another_and_none_that_does_not_exist() -> None:
    match = play(new('octiles', 2), 30)
    assert match.view(1, at=0).state.tobytes() == new('octiles', 2).view(1).state.tobytes()
    assert match.view(1, at=0).actions == ()
    assert match.view(0, at=5).last == match.log(0)[4].events
    for turn in (-1, match.turns + 1):
        with pytest.raises(GameError, match='no position after turn'):
            match.view(0, at=turn)


def test_others_do_not_learn_hidden_actions_from_log_or_file() -> None:
    match = play(new('toy', 3), 12)
    for row in match.log(SPECTATOR):
        assert not any(name.startswith(('drop', 'bid')) for name in row.names)
    mine = {name for row in match.log(0) if row.seat == 0 for name in row.names}
    assert HIDDEN not in mine


@pytest.mark.parametrize('name', ['octiles', 'myrmidons'])
def test_a_turn_is_described_once_where_all_know_the_same_and_else_for_each(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    made, describe = Counter[tuple[int, int]](), SeatView._describe

    def counted(self: SeatView, before: Any, action: int, after: Any, viewer: int, past: int = 0) -> Any:
        made[id(before), viewer] += 1
        return describe(self, before, action, after, viewer, past)

    monkeypatch.setattr(SeatView, '_describe', counted)
    match, rng = new(name, 2), random.Random(3)
    while match.turns < 8:
        step(match, rng)
        for seat in range(-1, 2):
            match.log(seat)
            match.recent(seat)
    viewers = {viewer for _, viewer in made}
    if match.game.hidden:
        assert viewers == {-1, 0, 1}
        assert match.log(0) != match.log(1), 'each is told what it may know'
    else:
        assert viewers == {-1}
        assert set(made.values()) == {1}
        assert match.log(-1) == match.log(0) == match.log(1)


@pytest.mark.parametrize('kernel', ['forget', 'hide_action'])
def test_an_open_game_that_shows_seats_less_than_they_know_shares_no_descriptions(kernel: str) -> None:
    game = load('octiles')
    own = game.kernels._replace(**{kernel: getattr(load('myrmidons').kernels, kernel)})
    shows = type('Shows', (type(game),), {'kernels': own})()
    assert all(Knowledge(game).all_alike(seat) for seat in (-1, 0, 1))
    assert not any(Knowledge(shows).all_alike(seat) for seat in (-1, 0, 1))
    assert not Knowledge(game).all_alike(ALL_SEEN)


def test_only_a_finished_match_can_be_seen_uncovered() -> None:
    match = play(new('toy', 3), 10)
    with pytest.raises(GameError, match='not over'):
        match.view(0, uncovered=True)
    with pytest.raises(GameError, match='not over'):
        match.log(0, uncovered=True)
    play(match)
    assert all(HIDDEN not in row.names for row in match.log(SPECTATOR, uncovered=True))
    assert match.view(SPECTATOR, at=3, uncovered=True).state.tobytes() == match._history.states[3].tobytes()


def test_a_seats_version_does_not_count_what_others_try() -> None:
    one, two = new('octiles', 2), new('octiles', 2)
    turn = [one.names(0)[0]]
    for _ in range(5):
        one.act(0, None, turn[0])
        one.undo(0)
    one.act(0, None, turn[0])
    turn.append(one.names(0)[0])
    one.act(0, None, turn[1])
    two.act(0, None, turn)
    assert one.version(1) == two.version(1) == 1
    assert one.version(SPECTATOR) == two.version(SPECTATOR)


# ---- turns of bots -----------------------------------------------------------------------------------------


def bots(name: str, players: int, seed: int = 6) -> Match:
    """A match of a person in seat 0 and bots on all other seats."""
    seats = [Seat('Ann'), *(Seat(f'Bot {k}', BOT, 'easy') for k in range(1, players))]
    return Match(Setup.new(name, players, seats=seats, seed=seed), clock())


def until_a_bot_has_begun(match: Match, rng: random.Random) -> int:
    """Play until a bot has made the first step of a turn and not the last; returns its seat."""
    while True:
        seat = next(seat for seat in match.to_move if match.may_act(seat))
        match.play(seat, [rng.choice(match.view(seat).actions)])
        if match.seats[seat].kind == BOT and len(match.draft(seat)) == 1 and len(match.to_move) == 1:
            return seat


@pytest.mark.parametrize(('name', 'players'), [('octiles', 2), ('mykerinos', 3), ('myraclia', 4)])
def test_the_turn_of_a_bot_is_seen_step_by_step_and_told_once(name: str, players: int) -> None:
    match, rng = bots(name, players), random.Random(2)
    for _ in range(4):
        seat = until_a_bot_has_begun(match, rng)
        turns, told = match.turns, dict[int, tuple[Event, ...]]()
        others = [viewer for viewer in range(SPECTATOR, players) if viewer != seat]
        while match.turns == turns:
            state = match._drafts.open_state(seat)
            for viewer in others:
                assert match.knowledge(viewer).tobytes() == match._knowledge.hidden(state, viewer).tobytes()
                assert match.view(viewer).actions == ()
                assert match.recent(viewer)[-len(match.drafted(viewer)) :] == match.drafted(viewer)
                told[viewer] = match.drafted(viewer)
                assert told[viewer]
                assert match.log(viewer, since=turns) == (), 'the log tells whole turns'
            versions = [match.version(viewer) for viewer in others]
            match.play(seat, [rng.choice(match.view(seat).actions)])
            assert [match.version(viewer) for viewer in others] == [version + 1 for version in versions]
        for viewer, version in zip(others, versions, strict=True):
            turn = match.log(viewer, since=turns)[0].events
            assert turn[: len(told[viewer])] == told[viewer]
            assert told[viewer] + match.view(viewer, since=version).events == turn
            assert match.drafted(viewer) == ()
    again = Match.rebuild(match.setup, match.entries, clock())
    assert whole(again) == whole(match)


def test_the_steps_of_a_person_are_not_shown_even_where_a_bot_sat_before() -> None:
    match, rng = bots('octiles', 3), random.Random(2)
    seat = 0
    while match.to_move != (seat,):
        match.play(match.to_move[0], [rng.choice(match.view(match.to_move[0]).actions)])
    before = {viewer: seen(match, viewer) for viewer in (SPECTATOR, 1, 2)}
    match.play(seat, [match.view(seat).actions[0]])
    assert {viewer: seen(match, viewer) for viewer in (SPECTATOR, 1, 2)} == before
    match.resign(seat)
    match.play(seat, [match.view(seat).actions[0]])
    assert match.seats[seat].kind == BOT
    assert all(match.drafted(viewer) for viewer in before)


@pytest.mark.parametrize(('name', 'players'), [('toy', 3), ('myrmidons', 2)])
def test_secret_steps_of_a_bot_are_seen_by_nobody(name: str, players: int) -> None:
    """Not even how many there are."""
    match, rng, found = bots(name, players), random.Random(4), 0
    while match.status == 'running' and found < 12:
        seat = next(seat for seat in match.to_move if match.may_act(seat))
        others = [viewer for viewer in range(SPECTATOR, players) if viewer != seat]
        before, turns = [seen(match, viewer) for viewer in others], match.turns
        actions = match.view(seat).actions
        match.play(seat, [rng.choice(actions[-8:])])  # orders have the highest numbers
        if match.turns == turns and match.seats[seat].kind == BOT:
            found += len(match.to_move) == 1
            assert [seen(match, viewer) for viewer in others] == before
    assert found


# ---- sealed choices ----------------------------------------------------------------------------------------


@pytest.mark.parametrize('order', [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_any_order_of_sealing_gives_the_same_game(order: tuple[int, ...]) -> None:
    straight, other = new('toy', 3), new('toy', 3)
    bids = {0: 'bid-2', 1: 'bid-0', 2: 'bid-3'}
    bid(straight, 2, 0, 3)
    for seat in order:
        assert other.turns == 0
        other.act(seat, other.version(seat), bids[seat])
    assert other._history.states[-1].tobytes() == straight._history.states[-1].tobytes()
    assert [row.seat for row in other.log(SPECTATOR)] == [0, 1, 2]
    logs = [[dataclasses.replace(row, time=0.0) for row in match.log(1)] for match in (straight, other)]
    assert logs[0] == logs[1]


def test_a_sealed_choice_is_invisible_and_final() -> None:
    match = new('toy', 3)
    before = {seat: seen(match, seat) for seat in (SPECTATOR, 0, 1)}
    match.act(2, None, 'bid-3')
    assert {seat: seen(match, seat) for seat in (SPECTATOR, 0, 1)} == before
    assert match.to_move == (0, 1, 2)
    assert not match.may_act(2)
    assert match.draft(2) == ('bid-3',)
    assert match.view(2).actions == ()
    assert match.view(2).state.phase in match.game.sealed, 'nothing is opened before all have sealed'
    with pytest.raises(NotYourTurn, match='sealed'):
        match.undo(2)
    with pytest.raises(NotYourTurn, match='sealed'):
        match.act(2, None, 'bid-0')
    with pytest.raises(GameError, match='ends with bid-0'):
        match.act(0, None, 'bid-0 bid-0')


def test_what_a_seat_sees_in_a_sealed_phase_does_not_depend_on_what_others_have_sealed() -> None:
    sights = set()
    for coins in (0, 3):
        match = new('toy', 3)
        match.act(0, None, f'bid-{coins}')
        sights.add(repr(seen(match, 1)) + repr(seen(match, 2)))
    assert len(sights) == 1


# ---- the end -----------------------------------------------------------------------------------------------


def test_the_result_names_ending_outcome_and_points() -> None:
    match = play(new('octiles', 2))
    assert match.status == 'finished'
    assert match.result is not None
    assert match.result.ending == 'home'
    assert sum(match.result.outcome) == 1
    assert len(match.result.winners) == 1
    assert match.result.scores[match.result.winners[0]] == 5
    assert match.to_move == ()
    assert match.choices(0) == ()
    for action in (
        lambda: match.act(0, None, 'pass'),
        lambda: match.resign(0),
        lambda: match.undo(0),
        lambda: match.ask_takeback(0),
    ):
        with pytest.raises(GameError, match='is over'):
            action()


def test_with_two_players_the_other_wins_when_one_resigns() -> None:
    match = play(new('octiles', 2), 9)
    match.resign(1)
    assert match.result is not None
    assert (match.result.ending, match.result.by, match.result.outcome) == (RESIGNED, 1, (1.0, 0.0))
    assert match.log(0)[-1].kind == 'resign'
    assert match.draft(0) == match.draft(1) == ()


@pytest.mark.parametrize('turns', [0, 3])
def test_after_a_resignation_nothing_is_hidden_as_after_any_end(turns: int) -> None:
    match = play(new('myrmidons', 2), turns)
    match.resign(1)
    for viewer in (0, 1, SPECTATOR):
        assert match.view(viewer).state.tobytes() == match._history.state.tobytes()


def test_with_more_players_a_bot_takes_the_seat_and_the_game_goes_on() -> None:
    match = play(new('toy', 3), 4)
    seat = match.to_move[0]
    match.resign(seat, 'easy')
    assert match.status == 'running'
    assert match.seats[seat] == Seat('', BOT, 'easy')
    assert match.draft(seat) == ()
    with pytest.raises(GameError, match='resigned already'):
        match.resign(seat)
    with pytest.raises(GameError, match='one who has resigned cannot'):
        match.come_back(seat)
    assert play(match).status == 'finished'


def test_a_rematch_is_begun_by_the_next_seat_or_by_the_lowest_score_as_the_game_declares() -> None:
    people = [Seat('Ann'), Seat('Bob'), Seat('Cleo', BOT, 'easy')]
    rotating = play(Match(Setup.new('octiles', 3, {'repetition': True}, people, seed=1)))
    setup, order = rotating.rematch()
    assert order == (1, 2, 0)
    assert [seat.name for seat in setup.seats] == ['Bob', 'Cleo', 'Ann']
    assert setup.options == {'repetition': True}
    assert setup.seed != rotating.setup.seed
    lowest = play(Match(Setup.new('toy', 3, seats=people, seed=1)))
    assert lowest.result
    first = min(range(3), key=lowest.result.scores.__getitem__)
    assert lowest.rematch()[1] == (first, (first + 1) % 3, (first + 2) % 3)
    with pytest.raises(GameError, match='not over'):
        new('toy', 3).rematch()


# ---- rebuilding --------------------------------------------------------------------------------------------


def test_a_log_can_be_cut_back_to_what_was_stored() -> None:
    match = play(new('toy', 3), 11)
    shorter = Match.rebuild(match.setup, match.entries[:7], clock())
    match.truncate(7)
    assert whole(match) == whole(shorter)


@pytest.mark.parametrize(
    'broken',
    [
        {'name': 'bid-99'},
        {'name': 'draw'},
        {'hash': '0' * 32},
        {'seat': 0},
        {'seat': 7},
        {'kind': 'undo'},
        {'kind': 'answer'},
        {'kind': 'return'},
        {'kind': 'ask'},
    ],
)
def test_a_log_that_leads_elsewhere_freezes_the_match_before_that(broken: dict[str, Any]) -> None:
    match = play(new('toy', 3), 5)
    match.ask_replace(0, 1)
    play(match, 7)
    entries = list(match.entries)
    entries[6] = dataclasses.replace(entries[5], **broken)
    frozen = Match.rebuild(match.setup, entries, clock())
    assert frozen.status == 'frozen'
    assert frozen.frozen.startswith('The log of this match does not fit the rules of')
    assert frozen.turns <= match.turns
    assert list(frozen.entries) == entries
    assert [row.kind for row in frozen.log(0)][-1] == 'frozen'
    assert frozen.view(0).actions == ()
    assert frozen.request is None
    for action in (
        lambda: frozen.act(0, None, 'bid-0'),
        lambda: frozen.resign(0),
        lambda: frozen.ask_takeback(0),
    ):
        with pytest.raises(GameError) as error:
            action()
        assert str(error.value) == frozen.frozen


class SecondEdition(Toy):
    """The same rules under a newer version."""

    version = 2


class ThirdEdition(Toy):
    """A draw from the bag is called otherwise."""

    version = 3

    def action_name(self, s: Any, action: int) -> str:
        return super().action_name(s, action).replace('draw', 'grab')

    def action_from_name(self, s: Any, text: str) -> int:
        return super().action_from_name(s, text.replace('grab', 'pull').replace('draw', 'pull'))


class FourthEdition(Toy):
    """The same names lead to other positions after a while."""

    version = 4

    def to_json(self, s: Any) -> dict[str, Any]:
        return super().to_json(s) | ({'changed': True} if s.turn > 1 else {})


def test_under_a_newer_version_a_match_goes_on_if_names_and_hashes_agree() -> None:
    match = play(new('toy', 3), 12)
    with rules(SecondEdition()):
        again = Match.rebuild(match.setup, match.entries, clock())
        assert again.status == 'running'
        assert again.entries == match.entries
        play(again)


@pytest.mark.parametrize('edition', [ThirdEdition, FourthEdition])
def test_under_a_newer_version_a_match_is_frozen_where_they_do_not(edition: type[Toy]) -> None:
    match = play(new('toy', 3), 12)
    assert any(entry.name == 'draw' for entry in match.entries)
    with rules(edition()):
        again = Match.rebuild(match.setup, match.entries, clock())
        assert again.status == 'frozen'
        assert (
            f'began under version 1 of the rules of {again.game.title}; under version {edition.version} '
            in again.frozen
        )
        assert 0 < again.turns < match.turns
        assert again.view(0, at=again.turns).state.tobytes() == match.view(0, at=again.turns).state.tobytes()
        assert not any(name in again.frozen for name in ('draw', 'drop', 'bid', 'take'))


def test_times_are_kept() -> None:
    match = play(new('toy', 3), 12)
    again = Match.rebuild(match.setup, match.entries, lambda: 0.0)
    assert [row.time for row in again.log(0)] == [row.time for row in match.log(0)]
    assert all(isinstance(entry, LogEntry) and entry.time > 0 for entry in again.entries)
    assert all(isinstance(event, Event) for row in match.log(0) for event in row.events)
    assert match.seats[0].kind == PERSON
