"""The option `memory`: values shown in a fight are seen by both players while it is fresh, then by nobody,
until the game is over.

Twins are two matches that differ in nothing but the kind of a piece that was shown in a fight (and of one
that never was), with the same result. Once the fight is past, nothing that a person is shown may tell which
of the two it is."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from ludoteca.game import View
from ludoteca.games.myrmidons.rules import FIRST_MOVE, FIRST_ORDER
from ludoteca.match import SPECTATOR, Match
from ludoteca.puzzles import puzzles
from ludoteca.puzzles.exercise import Exercise
from ludoteca.puzzles.turns import read_turn
from ludoteca.search import as_known, make_bot
from ludoteca.web.live import hints
from ludoteca.web.live.blunders import plan_of
from ludoteca.web.live.exercises import setup_of
from tests.match.support import new, seen
from tests.myrmidons.support import MYRMIDONS, PIECES, TYPES
from tests.width import width

LINE_UPS = {'true': '3-2-4 1-3-5 1-1-1 5-1-3 2-5-2 4-4-1', 'twin': '1-3-5 3-2-4 1-1-1 5-1-3 2-5-2 4-4-1'}
THEIRS = '4-4-1 1-1-1 5-1-3 3-2-4 1-3-5 2-5-2'
FIGHT = ('a1-a5', 'e7-e6', 'a5-a7')  # repelled either way: sword 3 or 1 against shield 4
ON = ('e6-e5', 'f1-f2', 'e5-e6', 'f2-f1', 'e6-e5')
ATTACKER, DEFENDER = PIECES.index('0-a1'), PIECES.index('1-a7')


def fought(line_up: str = 'true', turns: int = 0, **options: Any) -> Match:
    """A match after the fight and so many turns more."""
    match = new('myrmidons', 2, **options)
    for seat, kinds in enumerate((LINE_UPS[line_up], THEIRS)):
        match.act(seat, None, ' '.join(f'deploy {kind}' for kind in kinds.split()))
    for number, turn in enumerate((*FIGHT, *ON[:turns])):
        match.act(number % 2, None, turn)
    return match


def types(match: Match, seat: int, at: int | None = None) -> tuple[int, int]:
    """What a seat is shown of the two pieces that fought: the numbers of their kinds, -1 if they stand."""
    state = match.view(seat, at=at).state
    return int(state.type[ATTACKER]), int(state.type[DEFENDER])


def values(events: Any) -> str:
    """The kinds that events of fights name."""
    return ' '.join(
        str(value)
        for event in events
        for key, value in event.values.items()
        if key.endswith(('_type', '_face'))
    )


def shown(match: Match, seat: int) -> dict[str, Any]:
    """Everything that a person in that seat is ever shown; what bots think on is not."""
    found = {key: value for key, value in seen(match, seat).items() if key != 'knowledge'}
    for at in (None, *range(match.turns + 1)):
        view = match.view(seat, at=at)
        found[f'pictures {at}'] = [
            function(view)
            for function in (
                MYRMIDONS.draw,
                MYRMIDONS.prompt,
                MYRMIDONS.panels,
                MYRMIDONS.cards,
                MYRMIDONS.text,
            )
        ]
        found[f'json {at}'] = MYRMIDONS.canonical(view.state)
        found[f'pencils {at}'] = [MYRMIDONS.pencils(view, f'piece-{piece}') for piece in PIECES]
    return found


TRUE = (
    TYPES.index(next(kind for kind in TYPES if str(kind) == '3-2-4')),
    TYPES.index(next(kind for kind in TYPES if str(kind) == '4-4-1')),
)


def test_both_values_are_shown_to_both_players_and_spectators_after_a_fight() -> None:
    match = fought()
    for seat in (SPECTATOR, 0, 1):
        assert types(match, seat) == TRUE
        assert values(match.view(seat).last)
        assert values(match.view(seat, since=0).events)
        assert values(match.log(seat)[-1].events)


def test_they_are_shown_until_the_viewers_own_next_turn() -> None:
    # seat 1 has answered: it is past for seat 1, not yet for seat 0
    match = fought(turns=1)
    assert values(match.log(0)[-2].events)
    assert not values(match.log(1)[-2].events)
    assert not values(fought(turns=2).log(0)[-3].events)
    assert not values(fought(turns=2).log(SPECTATOR)[-3].events)


def test_a_draft_does_not_end_the_look() -> None:
    match = fought()
    match.act(1, None, 'order S')
    assert values(match.log(1)[-1].events)
    assert values(match.view(1).last)


@pytest.mark.parametrize('turns', [2, 3, 5])
def test_past_values_are_shown_nowhere(turns: int) -> None:
    match = fought(turns=turns)
    assert types(match, 0) == (TRUE[0], -1)
    assert types(match, 1) == (-1, TRUE[1])
    assert types(match, SPECTATOR) == (-1, -1)
    for seat in (SPECTATOR, 0, 1):
        assert not any(values(row.events) for row in match.log(seat)[:-2])
        for at in range(match.turns + 1):
            assert types(match, seat, at)[0] == (TRUE[0] if seat == 0 and at > 0 else -1), at
            assert types(match, seat, at)[1] == (TRUE[1] if seat == 1 and at > 1 else -1), at


@pytest.mark.parametrize(
    ('seat', 'turns'),
    width(
        [(1, 1), (1, 2), (SPECTATOR, 2), (SPECTATOR, 3)],
        [(1, 1), (1, 2), (1, 5), (SPECTATOR, 2), (SPECTATOR, 3), (SPECTATOR, 5)],
    ),
)
def test_nothing_tells_twins_apart_once_the_fight_is_past(seat: int, turns: int) -> None:
    true, twin = (shown(fought(line_up, turns), seat) for line_up in LINE_UPS)
    different = [key for key in true if true[key] != twin[key]]
    assert not different
    assert fought('true', turns).knowledge(seat).tobytes() != fought('twin', turns).knowledge(seat).tobytes()


def asked(match: Match, seat: int) -> tuple[str, Any]:
    """What is searched for a hint to a seat, and the reasons for some turns of the pieces that can move."""
    live: Any = SimpleNamespace(lock=nullcontext(), match=lambda: match)
    _, state, view = hints._question(live, seat)
    moves = [action for action in view.actions if FIRST_MOVE <= action < FIRST_ORDER]
    return MYRMIDONS.canonical(state), [MYRMIDONS.reasons(view, [move], ()) for move in moves]


@pytest.mark.parametrize('turns', [2, 4])
def test_a_warning_and_the_coach_use_nothing_that_has_been_put_away(turns: int) -> None:
    def told(line_up: str, **options: Any) -> tuple[str, Any]:
        match = fought(line_up, turns, **options)
        view = match.view(1)
        plan = plan_of(match, 1, MYRMIDONS.action_name(view.state, view.actions[0]))
        assert plan
        return MYRMIDONS.canonical(plan.first) + MYRMIDONS.canonical(plan.last), MYRMIDONS.alerts(view)

    assert told('true') == told('twin')
    assert told('true', memory=False)[0] != told('twin', memory=False)[0]


@pytest.mark.parametrize('turns', [2, 4])
def test_a_hint_uses_nothing_that_has_been_put_away(turns: int) -> None:
    true, twin = (asked(fought(line_up, turns), 1) for line_up in LINE_UPS)
    assert true == twin
    true, twin = (asked(fought(line_up, turns, memory=False), 1) for line_up in LINE_UPS)
    assert true[0] != twin[0]


def test_a_puzzle_shows_all_that_its_reasons_use() -> None:
    """Who begins in the middle cannot remember, so nothing is put away there."""
    for puzzle in puzzles('myrmidons')[::10]:
        shown = Match(setup_of(Exercise.of_puzzle(puzzle), 'Ada')).view(puzzle.seat)
        known = View(as_known(MYRMIDONS, puzzle.known(), puzzle.seat), puzzle.seat)
        best = read_turn(MYRMIDONS, known.state, puzzle.seat, puzzle.best[0]).actions
        assert MYRMIDONS.reasons(shown, best, ()) == MYRMIDONS.reasons(known, best, ())
        assert shown.state.mask.tolist() == known.state.mask.tolist()


def test_twins_are_told_apart_while_the_fight_is_fresh_and_always_without_the_option() -> None:
    fresh = [shown(fought(line_up), 1) for line_up in LINE_UPS]
    assert fresh[0]['state'] != fresh[1]['state']
    assert fresh[0]['log'] != fresh[1]['log']
    off = [shown(fought(line_up, 5, memory=False), 1) for line_up in LINE_UPS]
    assert off[0]['state'] != off[1]['state']
    assert off[0]['log'] != off[1]['log']


@pytest.mark.parametrize('turns', [0, 1, 2, 5])
def test_without_the_option_shown_pieces_stay_face_up(turns: int) -> None:
    match = fought(turns=turns, memory=False)
    for seat in (SPECTATOR, 0, 1):
        assert types(match, seat) == TRUE
        assert values(match.log(seat)[-1 - turns].events)


@pytest.mark.parametrize('turns', [0, 1, 2, 5])
def test_what_a_player_with_perfect_recall_knows_is_the_same(turns: int) -> None:
    """So bots play the same, with and without the option."""
    matches = [fought(turns=turns, memory=memory) for memory in (True, False)]
    for seat in (SPECTATOR, 0, 1):
        on: Any
        on, off = (match.knowledge(seat) for match in matches)
        assert [int(on.type[number]) for number in (ATTACKER, DEFENDER)] == list(TRUE)
        assert [name for name in on.dtype.names if on[name].tolist() != off[name].tolist()] == ['memory']
    mover = turns % 2 ^ 1
    chosen = {
        make_bot('easy', simulations=30).choose(MYRMIDONS, match.knowledge(mover), mover, 1, None)
        for match in matches
    }
    assert len(chosen) == 1


def test_a_taken_piece_lies_beside_the_board_face_up() -> None:
    match = new('myrmidons', 2)
    for seat, kinds in enumerate(
        ('1-3-5 3-2-4 1-1-1 5-1-3 2-5-2 4-4-1', '5-1-3 1-1-1 4-4-1 3-2-4 1-3-5 2-5-2')
    ):
        match.act(seat, None, ' '.join(f'deploy {kind}' for kind in kinds.split()))
    for number, turn in enumerate(('a1-a4', 'a7-a5', 'a4-a5', 'e7-e6', 'f1-f2', 'e6-e5', 'f2-f1', 'e5-e6')):
        match.act(number % 2, None, turn)
    for seat in (SPECTATOR, 0, 1):
        assert str(TYPES[types(match, seat)[1]]) == '5-1-3'
    assert types(match, 1)[0] == -1, 'who took it stands again'


def test_when_the_game_is_over_everything_is_shown() -> None:
    match = fought(turns=3)
    match.act(0, None, 'a6-b7')  # the Commander
    assert match.status == 'finished'
    assert match.result is not None
    assert match.result.ending == 'commander'
    for seat in (SPECTATOR, 0, 1):
        assert types(match, seat) == TRUE
        assert (match.view(seat).state.type[:6] >= 0).all()
        assert values(match.log(seat, uncovered=True)[4].events)
        assert (match.view(seat, at=match.turns - 1, uncovered=True).state.type[:6] >= 0).all()
