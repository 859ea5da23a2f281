"""The rules with the second set of each game against the slow models of the games' own tests, whose tables
are those of the set for as long as a test runs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import ludoteca
from ludoteca.game import Game
from tests.components.sets import interpreted, second
from tests.width import width

ACTIONS = width(25, 200)
Patch = pytest.MonkeyPatch


@pytest.fixture
def game(request: pytest.FixtureRequest, monkeypatch: Patch) -> Iterator[Game]:
    """The game with its second set, which writes positions under the game's own name as the models do."""
    found = second(request.param)
    monkeypatch.setattr(type(found), 'to_json', lambda self, s: self.parts.notation.to_json(s), raising=True)
    with interpreted(found):
        yield found


def of(name: str) -> pytest.MarkDecorator:
    """The test is of this game."""
    return pytest.mark.parametrize('game', [name], indirect=True)


@of('octiles')
def test_octiles(game: Game, monkeypatch: Patch) -> None:
    from tests.octiles import model, support, test_model

    for number, pairs in enumerate(game.component_set.values['tiles'], 1):
        pattern = frozenset(frozenset((model.EDGES[a], model.EDGES[b])) for a, b in pairs)
        turned = [model.turned_pattern(pattern, rotation) for rotation in range(8)]
        monkeypatch.setitem(model.TILES, number, pattern)
        different = tuple(r for r in range(8) if turned[r] not in turned[:r])
        monkeypatch.setitem(model.ROTATIONS, number, different)
        for rotation, one in enumerate(turned):
            across = {edge: other for pair in one for edge in pair for other in pair - {edge}}
            monkeypatch.setitem(model.PATTERN, (number, rotation), one)
            monkeypatch.setitem(model.ACROSS, (number, rotation), across)
    for module in (support, test_model):
        monkeypatch.setattr(module, 'OCTILES', game)
    position = ludoteca.new(game.name, 2, 5)
    start = model.Game.read(position.to_json())
    met = test_model.follow(position, start, test_model.anything, random.Random(1), ACTIONS)
    assert met['positions'] > 10


@of('mykerinos')
def test_mykerinos(game: Game, monkeypatch: Patch) -> None:
    from tests.mykerinos import model, support

    values = game.component_set.values
    for name, tile in model.TILES.items():
        kind, _, number = name.partition('-')
        printed = values['tiles'][kind][int(number or 1) - 1]
        changed = tile._replace(points=printed['points'], pyramids=tuple(printed['pyramids']))
        monkeypatch.setitem(model.TILES, name, changed)
    for players in model.INCOME:
        monkeypatch.setitem(model.INCOME, players, values['income'][str(players)])
    monkeypatch.setattr(model, 'CUBES', values['cubes'])
    monkeypatch.setattr(model, 'NEUTRAL_INCOME', values['neutral_income'])
    monkeypatch.setattr(support, 'MYKERINOS', game)
    for players in width((3,), (2, 3, 4)):
        position, chooser = ludoteca.new(game.name, players, 4), random.Random(players)
        data = position.to_json()
        deal = [
            (entry.removesuffix(' turned'), entry.endswith(' turned'))
            for entry in data['tiles'] + data['deck']
        ]
        other = model.Game.start(players, data['wings'], deal, three_only=False)
        for _ in range(ACTIONS):
            support.assert_same(position, other)
            if position.over:
                break
            step = chooser.choice(sorted(other.legal()))
            position.play(step)
            other = other.play(step)


@of('myraclia')
def test_myraclia(game: Game, monkeypatch: Patch) -> None:
    from tests.myraclia import model, support, test_model

    values = game.component_set.values
    for key, value in values.items():
        monkeypatch.setitem(model.TABLE, key, value)
    for colour, cubes in values['colours'].items():
        monkeypatch.setitem(model.CUBES, colour, cubes)
    for token in values['tokens']:
        monkeypatch.setitem(model.TOKENS, token['id'], token)
    for name, tile in dict(model._tiles()).items():
        monkeypatch.setitem(model.TILES, name, tile)
    for module in (support, test_model):
        if hasattr(module, 'MYRACLIA'):
            monkeypatch.setattr(module, 'MYRACLIA', game)
    position = ludoteca.new(game.name, 2, 3, {'eternity': True, 'kickstarter': True})
    met: Counter[str] = test_model.follow(position, support.anything, random.Random(2), ACTIONS)
    assert met is not None


@of('myriath')
def test_myriath(game: Game, monkeypatch: Patch) -> None:
    from tests.myriath import model, support, test_model

    values = game.component_set.values
    monkeypatch.setattr(model, 'HANDICAPS', tuple(round(2 * points) for points in values['handicap']))
    for players, side in values['areas'].items():
        monkeypatch.setitem(model.SIDES, int(players), side)
    for module in (support, test_model):
        monkeypatch.setattr(module, 'MYRIATH', game)
    position = ludoteca.new(game.name, 2, 2)
    met = test_model.follow(
        position, model.Game.start(2), test_model.anything, random.Random(1), width(0.005, 0.2)
    )
    assert met['passes'] >= 2


@of('myrmidons')
def test_myrmidons(game: Game, monkeypatch: Patch) -> None:
    from tests.myrmidons import model, support, test_model

    values: dict[str, Any] = dict(game.component_set.values)
    commander, kinds, base = (
        model.Kind.read(values['commander']),
        tuple(map(model.Kind.read, values['others'])),
        tuple(map(model.Kind.read, values['base'])),
    )
    monkeypatch.setattr(model.Rules, '__init__', _with_base(model.Rules.__init__, base))
    changed = {'KINDS': kinds, 'BASE': base, 'COMMANDER': commander, 'TYPES': (commander, *kinds)}
    for module in (model, support, test_model):
        for key, value in {**changed, 'MYRMIDONS': game}.items():
            if hasattr(module, key):
                monkeypatch.setattr(module, key, value)
    names = [one for one in support.ACTIONS if one.startswith('deploy')]
    for name in names:
        monkeypatch.delitem(support.ACTIONS, name)
    for number in range(20):
        monkeypatch.setitem(support.ACTIONS, support.word(number), number)
    position = ludoteca.new(game.name, 2, 6)
    start = support.model_of(position)
    met = test_model.follow(position, start, test_model.anything, random.Random(1), width(10, 60))
    assert met['positions'] > 5


def _with_base(made: Any, base: Any) -> Any:
    def init(self: Any, *args: Any, **values: Any) -> None:
        made(self, *args, **{'types': base, **values} if len(args) < 1 else values)

    return init
