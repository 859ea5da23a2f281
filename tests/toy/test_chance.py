"""Chance at a Python prompt: positions without their future wait for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludoteca.game import Chance, GameError, Position, Slice, load, start
from ludoteca.game.shapes import arranged
from tests.conformance import test_chance
from tests.conformance.harness import Case, is_sentence, same
from tests.toy import GAME, Toy, rules


def picking() -> Position:
    """Somebody may draw a fruit."""
    position = Position(GAME, start(GAME, seed=4)).without_future()
    position.play('bid-1 bid-0')
    position.apply(position.actions()[0])
    return position


def test_a_draw_is_waited_for_and_resolved() -> None:
    here = picking()
    bag = here.state.bag.tolist()
    seat = here.to_move
    here.play('draw')
    assert here.waiting
    assert here.actions() == []
    assert here.chance() == {fruit: count / sum(bag) for fruit, count in enumerate(bag)}
    here.resolve(2)
    assert here.chance() == {}
    assert here.state.basket[seat].tolist() == [0, 0, 1]
    assert here.state.bag.tolist() == [bag[0], bag[1], bag[2] - 1]
    assert here.to_move != seat


def test_the_future_is_taken_out_of_a_copy() -> None:
    here = Position(GAME, start(GAME, seed=4))
    before = here.state.copy()
    assert not here.without_future().state.rng.any()
    assert same(here.state, before)


def test_a_turn_that_ends_with_a_draw_is_listed() -> None:
    here = Position(GAME, start(GAME, seed=4))
    here.play('bid-1 bid-0')
    assert here.without_future().turns() == here.turns()
    assert any(turn.endswith('draw') for turn in here.turns())


def test_a_full_position_never_waits() -> None:
    here = Position(GAME, start(GAME, seed=4))
    while not here.over:
        here.apply(here.actions()[-1])
        assert not here.waiting


def test_what_chance_forbids_is_refused_with_a_sentence() -> None:
    here = picking()
    with pytest.raises(GameError) as refused:
        here.resolve(0)
    assert str(refused.value) == 'Nothing is left to chance here; an action comes next.'
    here.play('draw')
    calls: list[Callable[[], None]] = [
        lambda: here.apply(rules.DRAW),
        lambda: here.play('draw'),
        lambda: here.resolve(3),
    ]
    for wrong in calls:
        before = here.state.copy()
        with pytest.raises(GameError) as refused:
            wrong()
        assert is_sentence(str(refused.value))
        assert '0 (fruit apple), 1 (fruit cherry), 2 (fruit plum)' in str(refused.value)
        assert same(here.state, before)


def test_declared_chance_and_its_kernels_belong_together() -> None:
    with pytest.raises(TypeError, match='explicit chance among its `chances` and kernels chance'):

        class _Open(Toy):
            chances = ()  # type: ignore[assignment]

    with pytest.raises(TypeError, match='explicit chance names its outcomes'):
        Chance('die', 'explicit', 'a die')


def test_a_part_names_each_of_its_axes() -> None:
    assert Slice('board', (3, 4), 'stones', ('row', 'column')).size == 12
    assert Slice('turn', (), 'a number').size == 1
    with pytest.raises(TypeError, match='one name for each number'):
        Slice('board', (3, 4), 'stones', ('row',))


def test_axes_are_permuted_in_every_part_that_has_them() -> None:
    parts = (Slice('a', (2, 3), '', ('seat', 'fruit')), Slice('b', (), ''), Slice('c', (3,), '', ('fruit',)))
    assert arranged(parts, {'fruit': (1, 2, 0)}).tolist() == [1, 2, 0, 4, 5, 3, 6, 8, 9, 7]
    assert arranged(parts, {}, {'c': (2, 1, 0)}).tolist() == [0, 1, 2, 3, 4, 5, 6, 9, 8, 7]
    with pytest.raises(ValueError, match='not permuted'):
        arranged(parts, {'fruit': (0, 0, 1)})


# ---- what the suite makes of options without chance --------------------------------------------------------


def test_options_may_leave_no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with explicit chance is held to it where there is any."""
    case = Case('myriath', 2, load('myriath').options())  # nothing is drawn in it
    monkeypatch.setattr(type(case.game), 'chance_mode', 'explicit')
    test_chance.test_apply_draws_what_chance_says(case)


def test_what_is_drawn_without_being_waited_for_is_found() -> None:
    with pytest.raises(AssertionError, match='something is drawn'):
        test_chance.check_no_chance(Case('toy', 2, GAME.options()))
