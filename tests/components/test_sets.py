"""Component sets: what is checked, what is exported, what a set is called."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca.game import GameError, load, variant
from ludoteca.game.components import ComponentSet, checked_set, exported, table_of, text_of
from ludoteca.game.variants import differences
from ludoteca.text import words
from tests.components.sets import FOLDER, GAMES, second
from tests.conformance.harness import is_sentence


def changed(name: str, *path: str | int, value: Any) -> dict[str, Any]:
    """The exported set of a game with another value at one place; `...` takes the key away."""
    data = exported(load(name))
    at: Any = data
    for step in path[:-1]:
        at = at[step]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return data


WRONG: list[tuple[str, Any, str]] = [
    ('mykerinos', 7, 'JSON object'),
    ('mykerinos', {'game': 'octiles'}, 'for mykerinos'),
    ('mykerinos', {'windows': 3}, "'windows'"),
    ('mykerinos', {'patrons': ['violet']}, "'patrons' cannot vary"),
    ('mykerinos', {'title': 'x' * 61}, 'title of a component set'),
    ('mykerinos', {'title': 'a\nb'}, 'title of a component set'),
    ('mykerinos', {'certainty': {'colour': 'certain'}}, "'certainty' says"),
    ('mykerinos', {'tiles': {}}, "'tiles' lacks 'violet'"),
    ('mykerinos', {'cubes': True}, "'cubes' must be a whole number from 15 to 40, not True"),
    ('mykerinos', {'cubes': 15, 'income': {'2': 15, '3': 15, '4': 15}}, ''),
    ('mykerinos', changed('mykerinos', 'tiles', 'violet', 3, 'points', value=10), 'tiles violet 4 points'),
    ('mykerinos', changed('mykerinos', 'tiles', 'violet', 0, 'pyramids', value=[6]), 'violet 1 pyramids'),
    ('mykerinos', changed('mykerinos', 'tiles', 'violet', 0, 'pyramids', value=[1, 1]), 'each once'),
    ('mykerinos', changed('mykerinos', 'tiles', 'violet', 0, 'pyramids', value=[True]), 'each once'),
    ('mykerinos', changed('mykerinos', 'tiles', 'violet', 6, value=...), "'tiles violet' has 7 entries"),
    (
        'mykerinos',
        changed('mykerinos', 'tiles', 'lemon', 0, 'points', value=...),
        "'tiles lemon 1' lacks 'points'",
    ),
    ('mykerinos', changed('mykerinos', 'tiles', 'lemon', 0, 'colour', value=1), "no 'colour'"),
    ('myraclia', changed('myraclia', 'tiles', 16, 'required', value=['green']), 'tiles F03 required'),
    ('myraclia', changed('myraclia', 'tiles', 16, 'released', value='blue'), 'F03'),
    (
        'myraclia',
        changed('myraclia', 'tiles', 16, 'released', value='pink'),
        "'tiles F03 released' must be one of",
    ),
    ('myraclia', changed('myraclia', 'tiles', 16, 'id', value='F99'), "'tiles F03 id' must stay"),
    ('myraclia', changed('myraclia', 'tokens', 3, 'value', value=0), 'tokens E04 value'),
    ('myraclia', changed('myraclia', 'layouts', '2', 0, value=[5, 5]), 'layout for 2'),
    ('myraclia', changed('myraclia', 'players', '4', 'end_tiles', value=9), 'game of 4'),
    ('myriath', changed('myriath', 'areas', '4', value=12), 'areas 4'),
    ('myriath', changed('myriath', 'handicap', 2, value=0.3), 'handicap 3'),
    ('myriath', {'bodies': {}}, 'bodies'),
    ('myrmidons', changed('myrmidons', 'others', 0, value='1-3-6'), 'others 1'),
    ('myrmidons', changed('myrmidons', 'others', 0, value='1-4-4'), '1-4-4 is there twice'),
    ('myrmidons', changed('myrmidons', 'base', 0, value='1-4-4'), ''),
    ('myrmidons', changed('myrmidons', 'base', 0, value='2-2-2'), 'names 2-2-2'),
    ('myrmidons', {'commander': '5-5-5'}, 'goes one step, so its third number is 1, not 5'),
    ('myrmidons', {'commander': '5-5-1'}, ''),
    (
        'octiles',
        changed('octiles', 'tiles', 16, value=[[0, 1], [2, 3], [4, 5], [6, 6]]),
        "'tiles 17' must join",
    ),
    ('octiles', changed('octiles', 'tiles', 16, value=[[0, 1]]), "'tiles 17' must join"),
    ('octiles', changed('octiles', 'tiles', 16, value='x'), "'tiles 17' must join"),
]


@pytest.mark.parametrize(('name', 'data', 'part'), [case for case in WRONG if case[2]])
def test_whatever_is_impossible_is_answered_with_a_sentence_that_names_the_place(
    name: str, data: Any, part: str
) -> None:
    with pytest.raises(GameError) as caught:
        checked_set(load(name), data)
    assert part in str(caught.value)
    assert is_sentence(str(caught.value))


@pytest.mark.parametrize(('name', 'data'), [case[:2] for case in WRONG if not case[2]])
def test_whatever_fits_is_taken(name: str, data: Any) -> None:
    assert isinstance(checked_set(load(name), data), ComponentSet)


@pytest.mark.parametrize('name', GAMES)
def test_what_a_game_exports_is_the_game_itself(name: str) -> None:
    game = load(name)
    data = exported(game)
    assert json.loads(text_of(data)) == data
    assert variant(game, data) is game
    assert variant(game) is game
    assert differences(game) == []
    assert set(table_of(game).parts) <= set(data)


@pytest.mark.parametrize('name', GAMES)
def test_the_second_set_differs_in_every_part_that_may_vary(name: str) -> None:
    game = second(name)
    parts = {path.split(' ')[0] for path, _, _ in differences(game)}
    assert parts == {key.split('_')[0] for key in table_of(load(name)).parts}
    assert exported(game) == json.loads((FOLDER / f'{name}.json').read_text('utf-8'))
    assert checked_set(game, exported(game)).hash == game.component_set.hash


def test_the_hash_is_of_the_values_alone() -> None:
    game = load('octiles')
    data = exported(second('octiles'))
    one = checked_set(game, data)
    other = checked_set(game, {'tiles': data['tiles']})
    assert one.hash == other.hash
    assert (one.label, other.label) == ('Other paths', words('components.untitled'))
    tiles = copy.deepcopy(data['tiles'])
    tiles[0], tiles[1] = tiles[1], tiles[0]
    assert checked_set(game, {'tiles': tiles}).hash != one.hash


def test_a_set_says_how_its_values_are_known() -> None:
    """What it changes is given by it, what it leaves stays as it was, and it may say it itself."""
    game = load('mykerinos')
    data = {'title': 'Mine', 'tiles': changed('mykerinos', 'tiles', 'violet', 0, 'points', value=7)['tiles']}
    mine = variant(game, data, keep=False)
    assert mine.certainty['points'] == 'given: as in the component set Mine'
    assert mine.certainty['pyramids'] == game.certainty['pyramids']
    assert mine.reconstructed == ('pyramids', 'doors')
    said = {**data, 'certainty': {'points': 'certain: read from the printed tiles'}}
    assert checked_set(game, said).known(table_of(game))['points'].startswith('certain: read')


def test_parts_are_given_as_data_or_as_files(tmp_path: Path) -> None:
    whole = FOLDER / 'mykerinos.json'
    tiles = json.loads(whole.read_text('utf-8'))['tiles']
    bare = tmp_path / 'tiles.json'
    bare.write_text(json.dumps(tiles))
    names = {ludoteca.variant('mykerinos', tiles=one).name for one in (tiles, bare, str(bare), whole)}
    assert len(names) == 1
    assert ludoteca.variant('mykerinos', whole).name not in names, 'the whole set has more cubes, too'


@pytest.mark.parametrize('text', ['', '[', '\x00', '[' * 100_000])
def test_a_file_that_is_no_set_is_refused_with_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / 'set.json'
    path.write_text(text)
    for file in (path, tmp_path, tmp_path / 'missing.json'):
        with pytest.raises(GameError) as caught:
            variant('octiles', file)
        assert is_sentence(str(caught.value))


def test_a_game_without_a_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr('ludoteca.games.octiles.components.TABLE')
    with pytest.raises(GameError, match='Octiles declares no table'):
        variant('octiles', {})


def test_a_set_that_nobody_knows_is_asked_for_by_its_hash() -> None:
    with pytest.raises(GameError, match='needs the component set 0123456789ab of Octiles'):
        load('octiles@0123456789ab')
    with pytest.raises(GameError, match='no game'):
        load('chess@0123456789ab')
