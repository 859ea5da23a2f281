"""Texts of a game with a component set tell the numbers of the set, not those of the game itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import ludoteca
from ludoteca.game import Game, GameError
from ludoteca.game.components import exported, table_of
from ludoteca.games.myraclia.view.facts import points_words
from tests.components.sets import interpreted, second


@pytest.fixture
def planets() -> Iterator[Game]:
    with interpreted(second('myraclia')) as game:
        yield game


def explained(position: ludoteca.Position, element: str) -> str:
    explanation = position.game.explain(position.view(), element)
    assert explanation is not None
    return explanation.text


def test_rewards_at_the_end_are_those_of_the_set(planets: Game) -> None:
    position, values = ludoteca.new(planets.name, players=2, seed=1), exported(planets)
    own = table_of(planets).own
    for element, part in (
        ('line-types', 'all_types'),
        ('surface-0-plains', 'all_types'),
        ('line-area', 'overtaken'),
    ):
        assert values[part] != own[part]
        text = explained(position, element)
        assert points_words(values[part]) in text
        assert str(own[part]) not in text


@pytest.mark.parametrize('players', [2, 3, 4, 5])
def test_the_bag_gives_as_many_cubes_as_the_set_says(planets: Game, players: int) -> None:
    position = ludoteca.new(planets.name, players=players, seed=1)
    counts = exported(planets)['players'][str(players)]
    text = explained(position, 'bag')
    assert {word.strip('.,') for word in text.split() if word[0].isdigit()} == {
        str(counts['draft']),
        str(counts['draft_first']),
    }
    assert int(position.state.board.sum()) == counts['draft_first']


def test_where_both_drafts_are_alike_one_number_is_told() -> None:
    position = ludoteca.new('myraclia', players=2, seed=1)
    assert explained(position, 'bag') == position.game.words('about.bag.text', cubes=10)
    five = ludoteca.new('myraclia', players=5, seed=1)
    assert explained(five, 'bag').endswith(five.game.words('about.bag.first', cubes=20))


def test_the_length_of_the_game_and_of_the_draft_are_those_of_the_set(planets: Game) -> None:
    position = ludoteca.new(planets.name, players=2, seed=1)
    counts = exported(planets)['players']['2']
    (card,) = (card for card in planets.cards(position.view()) if card.id == 'round')
    assert planets.words('card.round.cubes_how', cubes=counts['draft_first']) in card.drawing
    assert planets.words('card.round.end_how', n=counts['end_tiles']) in card.drawing
    assert str(counts['end_tiles']) in explained(position, 'disks-0')


@pytest.mark.parametrize(
    ('key', 'refused'),
    [
        ('action.error.type', lambda position: position.play('deploy 9-9-9')),
        ('action.error.name', lambda position: position.play('nonsense')),
        ('position.error.pieces', lambda position: position.game.from_json({'to_move': 0, 'pieces': 1})),
    ],
)
def test_an_example_of_a_type_is_one_of_the_set(
    key: str, refused: Callable[[ludoteca.Position], object]
) -> None:
    with interpreted(second('myrmidons')) as game:
        values = exported(game)
        with pytest.raises(GameError) as raised:
            refused(ludoteca.new(game.name, players=2, seed=1))
    types = ', '.join((values['commander'], *values['others']))
    assert str(raised.value) in [
        game.words(key, example=one, types=types, name="'nonsense'", key='pieces') for one in values['base']
    ]


def test_a_handicap_is_that_of_the_set() -> None:
    with interpreted(second('myriath')) as game:
        position = ludoteca.new(game.name, players=2, seed=1)
        handicap = f'{exported(game)["handicap"][1]:g}'
        assert game.words('about.handicap', points=handicap) in explained(position, 'score-1')
