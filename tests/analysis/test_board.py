"""The board at a node: it is played by the rules, and nothing comes of what its analyst may not know."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ludoteca.analysis import (
    AnalysisTree,
    Root,
    board_at,
    check_tree,
    from_match,
    from_position,
    from_start,
    root_state,
)
from ludoteca.game import SPECTATOR, GameError, games, load
from ludoteca.match import Match, Setup, files
from ludoteca.match.setup import WHOLE
from tests.sentences import check_sentence
from tests.width import width

GAMES = width(('octiles', 'myrmidons'), games())
FIRST = 'deploy 2-5-2 deploy 1-3-5 deploy 1-1-1 deploy 4-4-1 deploy 5-1-3 deploy 3-2-4'
SECOND = 'deploy 1-1-1 deploy 5-1-3 deploy 4-4-1 deploy 3-2-4 deploy 2-5-2 deploy 1-3-5'


def played(name: str, turns: int, seed: int = 1) -> Match:
    """A match after some random turns."""
    match, rng = Match(Setup.new(name, seed=seed)), np.random.default_rng(seed)
    while match.turns < turns and match.to_move:
        seat = next(seat for seat in match.to_move if match.may_act(seat))
        match.act(seat, None, str(rng.choice(match.names(seat))))
    return match


def battle(line_up: str, turns: int = 2) -> Match:
    """A match of Myrmidons in which Blue has deployed so, after some turns that tell nothing of it."""
    match = Match(Setup.new('myrmidons', seed=5))
    match.act(0, None, FIRST)
    match.act(1, None, line_up)
    for number in range(turns):
        match.act(number % 2, None, ('c1-c2', 'c7-c6', 'd1-d2', 'd7-d6')[number])
    return match


@pytest.mark.parametrize('name', GAMES)
def test_a_whole_match_is_its_main_line(name: str) -> None:
    match = played(name, 9)
    true = match.game.canonical(match.true_state())
    match.resign(0)
    tree, at = from_match(match, match.turns, 0, everything=True)
    assert load(name).canonical(board_at(tree, at).state) == true
    assert tree.line(0)[-1].id == at
    check_tree(tree)
    earlier, node = from_match(match, 4, 0, everything=True)
    assert earlier.json() == tree.json()
    assert node < at


@pytest.mark.parametrize('everything', [False, True])
def test_a_board_of_a_match_keeps_the_colours_of_its_seats(everything: bool) -> None:
    match = Match(Setup.new('octiles', colours=('green', 'red')))
    match.resign(0)
    tree, at = from_match(match, 0, 0, everything)
    assert board_at(tree, at).match.colours == ('green', 'red')
    assert AnalysisTree.parse(tree.text()).json() == tree.json()


def test_a_board_that_begins_at_the_end_of_a_match_tells_its_result() -> None:
    match = played('myriath', 999)
    assert match.result
    board = board_at(*from_match(match, match.turns, 0))
    assert board.match.result == match.result
    assert board.seat < 0, 'nobody is to move'


@pytest.mark.parametrize('name', GAMES)
def test_a_board_is_played_by_the_rules_and_each_way_of_looking_leads_to_the_same_tree(name: str) -> None:
    tree, node = from_match(played(name, 5), 5, 0)
    trees = [tree, AnalysisTree(tree.root)]
    rng = np.random.default_rng(4)
    for _ in range(12):
        board = board_at(trees[0], node)
        if board.seat < 0:
            break
        turn, ends = list[str](), node
        while ends == node:
            turn.append(str(rng.choice(board.match.names(board.seat))))
            ends = board.act(turn[-1])
        other = board_at(trees[1], node, turn[:-1], open_=False)
        assert other.act(turn[-1]) == ends
        node = ends
    assert trees[0].json() == trees[1].json()
    check_tree(trees[0])
    assert AnalysisTree.parse(trees[0].text()).json() == trees[0].json()


def test_a_board_of_a_match_follows_from_what_its_seat_knows() -> None:
    """Whatever the other side has deployed: position and tree are the same, but for the seed of chance."""
    for viewer, same in ((0, True), (SPECTATOR, True), (1, False)):
        roots = []
        for line_up in (FIRST, SECOND):
            tree, _ = from_match(battle(line_up), 2, viewer)
            assert (tree.root.knows, len(tree.nodes)) == (viewer, 1)
            roots.append(json.dumps({**tree.json(), 'root': {**tree.root.json(), 'seed': ''}}))
        assert (roots[0] == roots[1]) is same


def test_a_board_of_a_match_that_runs_has_no_draft_and_no_sealed_choice() -> None:
    match = Match(Setup.new('myrmidons', seed=5))
    match.act(0, None, FIRST)
    for viewer in (0, 1, SPECTATOR):
        tree, _ = from_match(match, 0, viewer)
        assert tree.root.position is not None
        assert tree.root.position.get('deployed', [0, 0]) == [0, 0]


def test_a_match_that_runs_is_never_shown_whole() -> None:
    with pytest.raises(GameError) as error:
        from_match(battle(SECOND), 2, 0, everything=True)
    check_sentence(str(error.value))


def test_choices_that_all_make_in_secret_can_be_made_anew_on_a_board() -> None:
    tree = from_start('myrmidons')
    first = board_at(tree, 0).act(FIRST)
    after = board_at(tree, first).act(SECOND)
    other = board_at(tree, first).act(FIRST)
    anew = board_at(tree, 0).act(SECOND)
    assert [node.id for node in tree.children(first)] == [after, other]
    assert [node.id for node in tree.children(0)] == [first, anew]
    types = [piece['type'] for piece in load('myrmidons').to_json(board_at(tree, after).state)['pieces']]
    assert types[:3] == ['2-5-2', '1-3-5', '1-1-1']
    assert types[6:9] == ['1-1-1', '5-1-3', '4-4-1']


def test_what_is_unknown_in_a_position_is_guessed_and_said_to_be() -> None:
    match = battle(SECOND)
    known = match.game.to_json(match.view(0).state)
    assert any(piece['type'] is None for piece in known['pieces'])
    root = from_position(known).root
    assert root.knows == SPECTATOR
    assert root.position is not None
    assert all(piece['type'] for piece in root.position['pieces'])
    assert from_position(root.position).root.knows is None


def test_a_tree_that_cannot_be_played_gets_one_sentence_with_the_node() -> None:
    for turn in ('a9:0 A1-B2', 'a2:7', 'pass pass', 'no such thing'):
        tree = from_start('octiles')
        tree.add(0, turn, 0)
        with pytest.raises(GameError, match=r'^Node 1 ') as error:
            check_tree(tree)
        check_sentence(str(error.value))


def test_a_root_with_unknown_values_gets_one_sentence() -> None:
    match = battle(SECOND)
    known = match.game.to_json(match.view(0).state)
    with pytest.raises(GameError) as error:
        root_state(Root('myrmidons', 2, {}, '1' * 32, known))
    check_sentence(str(error.value))


def test_what_does_not_exist_is_refused_in_one_sentence() -> None:
    tree = from_start('octiles')
    for at, draft in ((7, ()), (0, ('nonsense',)), (0, (' '.join(_whole_turn(tree)),))):
        with pytest.raises(GameError) as error:
            board_at(tree, at, draft)
        check_sentence(str(error.value))


def _whole_turn(tree: AnalysisTree) -> list[str]:
    board, found = board_at(AnalysisTree(tree.root), 0), list[str]()
    while board.match.turns == 0:
        found.append(board.match.names(board.seat)[0])
        board.act(found[-1])
    return found


def test_a_match_from_a_position_is_written_and_read_again() -> None:
    match = played('octiles', 6)
    position = match.game.to_json(match.true_state())
    setup = Setup.from_json({**match.setup.json(), 'position': position, 'knower': WHOLE})
    begun = Match(setup)
    assert begun.game.to_json(begun.true_state()) == position
    assert not begun.rated
    begun.act(begun.to_move[0], None, _first_turn(begun))
    begun.resign(0)
    again = files.read(files.write(begun))
    assert again.setup.position == position
    assert again.game.canonical(again.true_state()) == begun.game.canonical(begun.true_state())


def _first_turn(match: Match) -> str:
    found, trial = list[str](), match.copy()
    while trial.turns == match.turns:
        found.append(trial.names(trial.to_move[0])[0])
        trial.act(trial.to_move[0], None, found[-1])
    return ' '.join(found)
