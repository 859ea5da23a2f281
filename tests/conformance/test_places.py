"""The board in rows, for those who do not look at the drawing."""

from __future__ import annotations

import re

import pytest

from ludoteca.game import Game, PlaceGroup, View
from ludoteca.game.places import button_places
from tests.conformance.harness import Case, played
from tests.conformance.test_pictures import ids_of, views
from tests.width import width


def targets_of(game: Game, view: View) -> set[str]:
    """What can be clicked for a legal action."""
    return {target.id for action in view.actions for target in game.targets(view.state, action)}


def stands_for(groups: tuple[PlaceGroup, ...]) -> list[str]:
    """All targets of all places."""
    return [target for group in groups for place in group.places for target in place.targets]


@pytest.mark.smoke
def test_every_target_of_every_legal_action_is_in_one_place(case: Case) -> None:
    """A game with rows of its own leaves out only the buttons, and needs no list of what is left over."""
    game = case.game
    for view in views(played(case, 0), width(12, 24) if not case.options.changed() else width(4, 8)):
        found, needed = stands_for(game.places(view)), targets_of(game, view)
        assert len(set(found)) == len(found), 'a target is in two places'
        assert needed <= set(found), needed - set(found)
        buttons = set(stands_for(button_places(game, view)))
        if game.parts.places:
            assert set(stands_for(game.parts.places.places(view))) == set(found) - buttons


def test_places_stand_for_what_is_there_to_be_clicked(case: Case) -> None:
    """Elements of the drawing or of a card, buttons of the prompt, points that an action needs."""
    game = case.game
    for view in views(played(case, 1), width(6, 16) if not case.options.changed() else width(3, 6)):
        there = {f'el:{id_}' for id_ in ids_of(game, view)}
        there |= {f'do:{button.id}' for button in game.prompt(view).buttons}
        there |= {id_ for id_ in targets_of(game, view) if id_.startswith('at:')}
        assert set(stands_for(game.places(view))) <= there


def test_places_are_named_and_say_what_is_there(case: Case) -> None:
    """Every place has words, no two of a group the same name, and rows of a list hold one place."""
    game, players = case.game, case.players
    for view in views(played(case, 2), width(6, 16) if not case.options.changed() else width(3, 6)):
        groups = game.places(view)
        assert len({group.label for group in groups}) == len(groups), 'two groups have one label'
        for group in groups:
            assert group.label.strip()
            assert group.places, f'{group.label} is empty'
            assert group.kind == 'grid' or all(len(row) == 1 for row in group.rows)
            spoken = [(place.name, place.text) for place in group.places]
            assert len(set(spoken)) == len(spoken), f'two places of {group.label} read alike'
            for place in group.places:
                assert place.targets
                assert f'{place.name}{place.text}'.strip(), f'{place.targets} says nothing'
                assert not re.search(r'[{}<>]|\b(None|nan)\b', place.name + place.text), place
                assert place.name == '' or not place.text.startswith(f'{place.name}: '), (
                    'the name is said twice'
                )
                assert -1 <= place.seat < players


def test_what_is_mine_is_told_from_what_is_not(usual: Case) -> None:
    """Where a place belongs to a seat, its words name this seat's player."""
    game = usual.game
    names = tuple(f'Player{k}' for k in range(usual.players))
    for view in views(played(usual, 3), 6):
        named = View(view.state, view.seat, view.actions, view.events, view.last, names=names)
        for place in (place for group in game.places(named) for place in group.places if place.seat >= 0):
            assert names[place.seat] in place.text, place


def test_rows_of_a_grid_do_not_overlap(usual: Case) -> None:
    """No row is wider than the rows can be aligned by: after the last place of a row comes no gap."""
    for view in views(played(usual, 0), 6):
        for group in usual.game.places(view):
            assert all(row and row[-1] is not None for row in group.rows), group.label
