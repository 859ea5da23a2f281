"""Several threads grow one tree of an open game, and nothing is lost or counted twice."""

from __future__ import annotations

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.game import Game, State
from ludoteca.kernel import compiled
from ludoteca.kernel.compile import Kernel, run_compiled, run_interpreted
from ludoteca.kernel.digest import digest_of
from ludoteca.search import LEVELS, SearchSettings, as_known, think, thinking
from ludoteca.search.nodes import SearchMemory
from ludoteca.search.simulate import bind
from ludoteca.search.turn_memory import children
from tests.width import width

OPEN = width(('octiles',), ('octiles', 'mykerinos'))
WITHOUT_ESTIMATES = LEVELS['beginner'].settings


def position(game: Game, actions: int = 15) -> State:
    """A position of a game played at random."""
    out, rng = np.empty(game.max_legal, np.int32), np.random.default_rng(3)
    state = contract.start(game, 2, 'shared')
    for _ in range(actions):
        game.kernels.apply(state, int(rng.choice(out[: game.kernels.legal_actions(state, out)])))
    assert not state.ending
    return state


def search_of(game: Game, state: State, simulations: int, settings: SearchSettings) -> thinking._Search:
    """A search of a position."""
    seat = int(state.to_move)
    root = as_known(game, state, seat)
    return thinking._Search(game, root, seat, settings, simulations, end=None, seed=1, stop=lambda: False)


def grown(
    game: Game, simulations: int, threads: int, settings: SearchSettings | None = None
) -> list[SearchMemory]:
    """The memory of the threads that have grown a tree together."""
    state = position(game)
    jobs = thinking._sharing(search_of(game, state, simulations, settings or SearchSettings()), threads)
    jobs[0].run(1)
    thinking._grow_all(jobs)
    return [job.memory for job in jobs]


def check(trees: list[SearchMemory], simulations: int) -> None:
    """All counts are whole, and every node is linked once."""
    nodes = trees[0].nodes
    made = {i for memory in trees for i in range(int(memory.tree.begin), int(memory.tree.used))}
    for memory in trees:
        assert memory.tree.used <= memory.tree.end
        unused = nodes[int(memory.tree.used) : int(memory.tree.end)]
        assert not unused['visits'].any()
        assert not unused['next'].any()
    found, waiting = {0}, [0]
    while waiting:
        node = waiting.pop()
        assert nodes[node].expanded <= 2  # nobody holds a claim any more
        below = 0
        for first, kind in ((int(nodes[node].first), 'action'), (int(nodes[node].outcomes), 'seen')):
            keys, child = [], first
            while child:
                assert child not in found
                found.add(child)
                waiting.append(child)
                key = (int(nodes[child].action),) if kind == 'action' else ()
                keys.append(key or (int(nodes[child].seen), int(nodes[child].code)))
                below += int(nodes[child].visits)
                child = int(nodes[child].next)
            assert len(set(keys)) == len(keys)
            if kind == 'action':
                assert keys == sorted(keys)
        assert below <= nodes[node].visits
        assert -1e-6 <= nodes[node].value <= nodes[node].visits + 1e-6
    assert found == made
    first_actions = children(nodes, 0)
    assert nodes[0].visits == sum(int(nodes[child].visits) for child in first_actions) == simulations
    assert sum(int(memory.tree.simulations) for memory in trees) == simulations
    # what each seat has of the results is the same, node by node and in all
    totals = np.sum([memory.totals for memory in trees], axis=0)
    for child in first_actions:
        assert np.isclose(totals[child, int(nodes[child].mover)], nodes[child].value)


@pytest.mark.parametrize('threads', [2, 4])
@pytest.mark.parametrize('name', OPEN)
def test_no_node_is_lost_and_no_visit(name: str, threads: int) -> None:
    game = contract.load(name)
    for settings in (None, SearchSettings(wide_at=10, narrow=2), WITHOUT_ESTIMATES):
        check(grown(game, 4_000, threads, settings), 4_000)


def test_all_threads_do_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('ludoteca.search.thinking.CHUNK', 10)
    trees = grown(contract.load('octiles'), 20_000, 2)
    check(trees, 20_000)
    assert all(memory.tree.simulations for memory in trees)


@pytest.mark.parametrize('room', [300, 2_000])
@pytest.mark.parametrize('name', OPEN)
def test_a_shared_tree_without_room_still_answers(
    name: str, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr('ludoteca.search.thinking.MOST_NODES', room)
    check(grown(contract.load(name), 5_000, 2), 5_000)


@pytest.mark.wide
def test_a_thread_that_finds_no_children_where_another_had_no_room_goes_no_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One game in ten had it: the thread took the root for a child and played its action, number 0."""
    monkeypatch.setattr('ludoteca.search.thinking.MOST_NODES', 300)
    for _ in range(25):
        check(grown(contract.load('mykerinos'), 5_000, 4), 5_000)


def test_a_shared_tree_finds_what_one_thread_finds() -> None:
    game = contract.load('octiles')
    state = position(game)
    one, two = (think(game, state, simulations=8_000, seed=2, threads=threads) for threads in (1, 2))
    assert two.simulations == sum(two.visits) == 8_000
    assert abs(one.expected[0] - two.expected[0]) < 0.03
    assert one.action in [two.actions[i] for i in two.ranking()[:3]]


@pytest.mark.parametrize('actions', width((40,), (15, 40, 60)))
@pytest.mark.parametrize('name', OPEN)
def test_a_thread_that_stays_below_a_node_grows_the_same_tree(name: str, actions: int) -> None:
    """It goes on where it has halted: no action is played twice and none left out."""
    game, simulations = contract.load(name), 10_000
    state = position(game, actions)
    search = search_of(game, state, simulations, LEVELS['expert'].settings)
    alone, staying = thinking._Job(search), thinking._sharing(search, 1)[0]
    shapes = []
    for job in (alone, staying):
        job.grow()
        nodes, used = job.memory.nodes, int(job.memory.tree.used)
        shares = np.array([nodes[child].visits for child in children(nodes, 0)]) / simulations
        shapes.append((shares, used, nodes['visits'][:used].sum() / simulations))
    (shares, used, depth), (others, others_used, others_depth) = shapes
    assert np.abs(shares - others).max() < 0.1
    assert others_used == pytest.approx(used, rel=0.08)
    assert others_depth == pytest.approx(depth, rel=0.05)


def test_kernels_of_different_trees_have_different_names() -> None:
    """The linker joins what has one name: a search that grew a tree alone and one that shared its tree ran
    the same walk, if both were loaded from the cache and chance had numbered them alike."""
    game, names = contract.load('octiles'), dict[str, str]()
    for edition in ('', *game.editions):
        for shared in (False, True):
            for made in vars(bind(game, edition, shared)).values():
                if isinstance(made, Kernel):
                    digest = digest_of(made)
                    assert names.setdefault(made.python.__qualname__, digest) == digest
    assert len(names) >= 9


@pytest.mark.skipif(not compiled, reason='all is interpreted already')
def test_interpreted_threads_share_a_tree_too() -> None:
    game = contract.load('octiles')
    run_interpreted()
    try:
        check(grown(game, 40, 2), 40)
    finally:
        run_compiled()
