"""A tree of variations: its order, its limits, and its JSON form."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from ludoteca.analysis import LARGEST, MOST_NODES, AnalysisTree, Root
from ludoteca.game import GameError
from tests.sentences import check_sentence

ROOT = Root('octiles', 2, {}, '0' * 31 + '1')


def grown() -> AnalysisTree:
    """A main line a b c with a variation to b, which has one of its own, and one to a."""
    tree = AnalysisTree(ROOT)
    a = tree.add(0, 'a', 0)
    b = tree.add(a.id, 'b', 1)
    tree.add(b.id, 'c', 0)
    x = tree.add(a.id, 'x', 1)
    tree.add(x.id, 'y', 0)
    tree.add(x.id, 'z', 0)
    tree.add(0, 'n', 0)
    return tree


def read(tree: AnalysisTree) -> list[tuple[str, int]]:
    return [(node.turn, depth) for node, depth in tree.walk()]


def test_variations_are_read_behind_the_turn_that_they_replace() -> None:
    expected = [('a', 0), ('n', 1), ('b', 0), ('x', 1), ('y', 1), ('z', 2), ('c', 0)]
    assert read(grown()) == expected
    assert [node.turn for node in grown().line(0)] == ['a', 'b', 'c']


def test_a_line_that_is_put_first_is_the_main_line_and_nothing_is_lost() -> None:
    tree = grown()
    z = next(node.id for node in tree.nodes.values() if node.turn == 'z')
    tree.put_first(z)
    assert [node.turn for node in tree.line(0)] == ['a', 'x', 'z']
    assert {turn for turn, _ in read(tree)} == set('abcnxyz')
    assert AnalysisTree.parse(tree.text()).nodes == tree.nodes


def test_a_turn_follows_a_position_once() -> None:
    tree = grown()
    assert tree.add(0, 'a', 0).id == 1
    assert len(tree.nodes) == 8


def test_what_is_removed_goes_with_all_that_follows_it() -> None:
    tree = grown()
    x = next(node for node in tree.nodes.values() if node.turn == 'x')
    assert tree.remove(x.id) == x.parent
    assert {turn for turn, _ in read(tree)} == set('abcn')
    with pytest.raises(GameError):
        tree.remove(0)


def test_names_comments_and_marks_survive_json() -> None:
    tree = grown()
    tree.describe(3, 'An\nidea', 'Look\r\nhere', [['ring', 'a2'], ['arrow', 'a2', 'b3'], ['ring', 'a2']])
    again = AnalysisTree.parse(tree.text())
    node = again.node(3)
    assert (node.name, node.comment) == ('An idea', 'Look\nhere')
    assert [mark.json() for mark in node.marks] == [['ring', 'a2'], ['arrow', 'a2', 'b3']]
    assert again.json() == tree.json()


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(grown().text())
    change(data)
    return data


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    'format': lambda data: data.update(format=2),
    'key': lambda data: data.update(more=1),
    'nodes': lambda data: data.update(nodes={}),
    'seed': lambda data: data['root'].update(seed='x'),
    'players': lambda data: data['root'].update(players=9),
    'knows': lambda data: data['root'].update(knows=5),
    'option': lambda data: data['root'].update(options={'flight': True}),
    'other game': lambda data: data['root'].update(position={'game': 'myriath'}),
    'no parent': lambda data: data['nodes'][2].update(parent=77),
    'later parent': lambda data: data['nodes'][1].update(parent=2),
    'own parent': lambda data: data['nodes'][1].update(parent=1),
    'twice': lambda data: data['nodes'].append(data['nodes'][1]),
    'same turn': lambda data: data['nodes'].append({'id': 90, 'parent': 0, 'turn': 'a'}),
    'no turn': lambda data: data['nodes'][1].update(turn=''),
    'no number': lambda data: data['nodes'][1].update(id=True),
    'comment': lambda data: data['nodes'][1].update(comment=7),
    'mark': lambda data: data['nodes'][1].update(marks=[['ring', '"><script>']]),
    'arrow': lambda data: data['nodes'][1].update(marks=[['arrow', 'a2']]),
    'node key': lambda data: data['nodes'][1].update(more=1),
    'root turn': lambda data: data['nodes'][0].update(turn='a'),
}


@pytest.mark.parametrize('name', FORGED)
def test_a_forged_tree_gets_one_sentence(name: str) -> None:
    with pytest.raises(GameError) as error:
        AnalysisTree.parse(json.dumps(changed(FORGED[name])))
    check_sentence(str(error.value))


@pytest.mark.parametrize(
    'text', ['', '[]', '{', 'null', '"x"', '[' * 5000, '{"format":1,"game":"chess","nodes":[]}']
)
def test_what_is_no_tree_gets_one_sentence(text: str) -> None:
    with pytest.raises(GameError) as error:
        AnalysisTree.parse(text)
    check_sentence(str(error.value))


def test_a_tree_has_limits() -> None:
    with pytest.raises(GameError, match='KB'):
        AnalysisTree.parse(' ' * 10 * LARGEST)
    tree = AnalysisTree(ROOT)
    for number in range(MOST_NODES - 1):
        tree.nodes[number + 1] = type(tree.node(0))(number + 1, number, 'a', comment='x' * 600)
    with pytest.raises(GameError, match='positions'):
        tree.add(0, 'b', 0)
    with pytest.raises(GameError, match='KB'):
        tree.text()
