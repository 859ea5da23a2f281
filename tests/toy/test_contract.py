"""The contract itself: a game that lacks something is refused when it is declared, in one sentence."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from ludoteca.game import Game, Kernels, new
from ludoteca.kernel import open_defaults
from tests.toy import GAME, Toy, evaluation, knowledge, rules

NEEDED = [name for name in Kernels._fields if name not in Kernels._field_defaults]


def module(name: str, **values: Any) -> ModuleType:
    """A module that defines functions of these names."""
    made = ModuleType(name)
    for key, value in values.items():
        value.__module__ = name
        setattr(made, key, value)
    return made


def functions(*names: str) -> dict[str, Any]:
    """A new function for each name."""
    return {name: lambda *args: None for name in names}


# ---- Kernels.of --------------------------------------------------------------------------------------------


def test_kernels_are_collected_from_the_modules_that_define_them() -> None:
    found = Kernels.of(rules, knowledge, evaluation)
    assert found == GAME.kernels
    assert (found.setup, found.hide, found.estimate) == (rules.setup, knowledge.hide, evaluation.estimate)
    assert found == Kernels.of(evaluation, rules, knowledge), 'in whatever order they are named'


def test_a_kernel_that_no_module_defines_has_its_default() -> None:
    found = Kernels.of(module('one', **functions(*NEEDED)))
    assert (found.forget, found.prepare, found.hide_action) == (
        open_defaults.forget,
        open_defaults.prepare,
        open_defaults.hide_action,
    )
    assert (found.hide, found.guess, found.mover_view) == (
        open_defaults.hide,
        open_defaults.guess,
        open_defaults.hide,
    )
    assert found.foresee is None
    assert found.measure is None


def test_without_a_mover_view_a_seat_sees_what_the_game_hides() -> None:
    one = module('one', **functions(*NEEDED, 'hide'))
    assert Kernels.of(one).mover_view is one.hide


@pytest.mark.parametrize('missing', NEEDED)
def test_a_missing_kernel_is_named_in_one_sentence(missing: str) -> None:
    with pytest.raises(TypeError) as refused:
        Kernels.of(module('one', **functions(*(name for name in NEEDED if name != missing))))
    assert (
        str(refused.value)
        == f'No module defines the kernel {missing}; game/contract.py says what it must do.'
    )


def test_several_missing_kernels_are_named_in_the_same_sentence() -> None:
    with pytest.raises(TypeError) as refused:
        Kernels.of(rules, evaluation)
    assert (
        str(refused.value) == 'No module defines the kernel observe; game/contract.py says what it must do.'
    )


@pytest.mark.parametrize('left_out', [('hide',), ('guess',), ('hide', 'guess')])
def test_a_hidden_game_is_refused_without_a_hide_and_a_guess_of_its_own(left_out: tuple[str, ...]) -> None:
    facts = {name: value for name, value in vars(Toy).items() if not name.startswith('__')}
    kernels = GAME.kernels._replace(**{name: getattr(open_defaults, name) for name in left_out})
    with pytest.raises(TypeError) as refused:
        type('Other', (Game,), {**facts, 'kernels': kernels})
    assert str(refused.value) == (
        f'Other is declared hidden and has no {" or ".join(left_out)} of its own: '
        'the default is for games in which nothing is secret.'
    )


def test_an_open_game_needs_neither() -> None:
    facts = {name: value for name, value in vars(Toy).items() if not name.startswith('__')}
    kernels = GAME.kernels._replace(hide=open_defaults.hide, guess=open_defaults.guess)
    other = type('Other', (Game,), {**facts, 'hidden': False, 'kernels': kernels})
    assert issubclass(other, Game)
    assert other.kernels == kernels


def test_a_game_with_sealed_phases_is_refused_without_a_mover_view_of_its_own() -> None:
    facts = {name: value for name, value in vars(Toy).items() if not name.startswith('__')}
    with pytest.raises(TypeError, match=r'^Other has sealed phases and no mover_view of its own: [^.]*\.$'):
        type('Other', (Game,), {**facts, 'kernels': GAME.kernels._replace(mover_view=GAME.kernels.hide)})


def test_a_kernel_that_is_defined_twice_is_refused_with_both_places() -> None:
    with pytest.raises(TypeError) as refused:
        Kernels.of(module('one', **functions(*NEEDED, 'hide')), module('two', **functions('hide')))
    assert str(refused.value) == 'The kernel hide is defined twice: in one and in two.'


def test_what_a_module_imports_from_another_does_not_count() -> None:
    assert vars(evaluation)['outcome'] is rules.outcome, 'the toy game shows it'
    one = module('one', **functions(*NEEDED, 'hide'))
    two = module('two')
    two.hide = one.hide  # type: ignore[attr-defined]
    assert Kernels.of(one, two).hide is one.hide
    assert Kernels.of(two, one).hide is one.hide
    with pytest.raises(TypeError, match='No module defines the kernel'):
        Kernels.of(two)


# ---- declarations ------------------------------------------------------------------------------------------


def test_missing_declarations_are_named_in_one_sentence() -> None:
    with pytest.raises(TypeError) as refused:
        type(
            'Half',
            (Game,),
            {
                'name': 'half',
                'players': range(2, 3),
                'minutes': 1,
                'kernels': GAME.kernels,
                'State': Toy.State,
                'Work': Toy.Work,
                'observation': Toy.observation,
            },
        )
    assert str(refused.value) == (
        'Half declares no n_actions, max_legal, max_turns, endings, hidden, lists_turns, parts; '
        'game/contract.py says what each means.'
    )


NO_DEFAULT = (
    'name',
    'players',
    'minutes',
    'endings',
    'hidden',
    'observation',
    'State',
    'Work',
    'kernels',
    'parts',
)


@pytest.mark.parametrize('missing', NO_DEFAULT)
def test_each_declaration_without_a_default_is_asked_for(missing: str) -> None:
    facts = {
        name: value for name, value in vars(Toy).items() if not name.startswith('__') and name != missing
    }
    with pytest.raises(TypeError, match=rf'^Other declares no {missing}; [^.]*\.py says what each means\.$'):
        type('Other', (Game,), facts)


def test_a_declaration_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match=r'^Other declares usual_player, which no game has; [^.]*\.py says'):
        type('Other', (Toy,), {'usual_player': 3})


def test_what_a_game_inherits_need_not_be_declared_again() -> None:
    class Variant(Toy):
        minutes = 20

    assert Variant.players == Toy.players
    assert Variant().folder == GAME.folder, (
        'the words and the rulebook stay those of the game that declares the parts'
    )


# ---- what a game may leave out -----------------------------------------------------------------------------


class Plain(Toy):
    """The Fruit Market without rows of its own."""

    parts = replace(Toy.parts, places=None)


def test_without_places_what_can_be_chosen_is_listed_as_the_drawing_labels_it() -> None:
    position = new('toy', seed=1)
    for bid in ('bid-1', 'bid-0'):
        position.play(bid)
    position.play(position.legal()[0])  # a card is dropped; now a fruit is picked
    view = position.view(position.to_move)
    (group,) = Plain().places(view)
    assert (group.label, group.kind) == ('What can be chosen', 'list')
    fruits = {target.id for action in view.actions for target in GAME.targets(view.state, action)}
    assert {target for place in group.places for target in place.targets} == fruits
    bag = next(place for place in group.places if place.targets == ('el:bag',))
    assert bag.name == f'Bag with {int(view.state.bag.sum())} fruits'


def test_the_buttons_of_the_prompt_are_places_in_every_game() -> None:
    view = new('toy', seed=1).view(0)
    *_, buttons = Plain().places(view)
    assert buttons.label == 'Buttons'
    assert [place.targets for place in buttons.places] == [
        (f'do:{button.id}',) for button in GAME.prompt(view).buttons
    ]
