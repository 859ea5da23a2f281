"""A forest searches as a slow search in plain Python does, knows no secrets, and loses nothing between
calls."""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.batch import Env, reward
from ludoteca.game import Game, GameError, Options, Position, State, load
from ludoteca.kernel import Array, checked, mix
from ludoteca.search import Forest, as_known
from ludoteca.search import forest as forest_module
from ludoteca.search.forest_tree import GROWN, NEW, WAITING
from tests.built_in import BUILT_IN
from tests.conformance.harness import configurations, replay
from tests.conformance.secrets import others
from tests.search.slow_forest import SlowTree
from tests.width import width

Answer = Callable[[Array, int], tuple[Array, Array]]


def network(obs: Array, n: int) -> tuple[Array, Array]:
    """Priors and values that follow from an observation and say nothing: whole numbers and 64ths, so that all
    sums are exact."""
    told = (np.abs(obs) * 997).astype(np.int64)
    number = int((told * (1 + np.arange(len(obs)) % 89)).sum()) % (1 << 31)
    weights = np.array([1 + mix(number, i) % 16 for i in range(n)], np.float32)
    return weights, np.array([(mix(number, 1000 + p) % 129 - 64) / 64 for p in range(8)], np.float32)


def answer(forest: Forest, speak: Answer = network) -> int:
    """A batch; returns how many rows it had."""
    obs, legal = forest.select()
    rows = [speak(obs[i], int(legal.starts[i + 1] - legal.starts[i])) for i in range(len(obs))]
    priors = np.concatenate([row[0] for row in rows]) if rows else np.zeros(0, np.float32)
    values = [row[1][: forest.players] for row in rows]
    forest.backup(priors, np.array(values, np.float32).reshape(len(rows), forest.players))
    return len(rows)


def later(game: Game, players: int, seed: int, actions: int, options: Options | None = None) -> State:
    """A position after so many random actions, or one before the end."""
    position, rng = Position(game, contract.start(game, players, seed, options)), random.Random(seed)
    for _ in range(actions):
        after = position.copy()
        after.apply(rng.choice(after.actions()))
        if after.over:
            break
        position = after
    found: State = position.state
    return found


def planted(game: Game, states: list[State], **how: Any) -> Forest:
    forest = Forest(game, len(states), players=int(states[0].players), **{'nodes': 256, **how})
    forest.plant(states)
    return forest


def lists(found: Any) -> list[tuple[list[int], list[int]]]:
    """Actions and visits of each root."""
    cuts = found.starts[1:-1]
    return [
        (a.tolist(), v.tolist())
        for a, v in zip(np.split(found.actions, cuts), np.split(found.visits, cuts), strict=True)
    ]


def compare_with_slow(
    name: str,
    players: int,
    batches: int,
    moments: tuple[int, ...],
    options: Options | None = None,
    **how: Any,
) -> None:
    """The same leaves in the same order, and the same visits."""
    game = load(name)
    rules = {'c_puct': 1.5, 'virtual_loss': 1.0, 'leaves': 1, 'unvisited': None, **how}
    states = [later(game, players, 3, n, options) for n in moments]
    forest = planted(game, states, nodes=512, **rules)
    trees = [SlowTree(game, state, int(forest._plants[t].seed), **rules) for t, state in enumerate(states)]
    for _ in range(batches):
        obs, legal = forest.select()
        batch = [(t, w) for t, tree in enumerate(trees) for w in tree.select()]
        assert forest.trees.tolist() == [t for t, _ in batch]
        told = []
        for i, (t, w) in enumerate(batch):
            seat, part = int(w.s.to_move), slice(legal.starts[i], legal.starts[i + 1])
            assert forest.to_move[i] == seat
            assert legal.actions[part].tolist() == trees[t].legal(w.s)
            known = w.s.copy()
            (game.kernels.mover_view if w.s.phase in game.sealed else game.kernels.hide)(known, seat)
            seen = np.zeros(game.observation_size, np.float32)
            game.kernels.observe(known, seat, seen)
            assert np.array_equal(obs[i], seen)
            told.append(network(obs[i], legal.starts[i + 1] - legal.starts[i]))
        forest.backup(
            np.concatenate([row[0] for row in told]) if told else [],
            np.array([row[1][:players] for row in told]).reshape(len(told), players),
        )
        for (t, w), (weights, values) in zip(batch, told, strict=True):
            trees[t].backup(w, weights, values)
    for t, (_, visits) in enumerate(lists(forest.policy())):
        assert visits == trees[t].visits()
        assert forest.simulations[t] == trees[t].root.own.visits
        assert forest.values()[t] == pytest.approx(trees[t].root.own.value / trees[t].root.own.visits)
        assert not forest.full[t]


@pytest.mark.parametrize('how', [{}, {'leaves': 4, 'unvisited': -0.25}, {'leaves': 3, 'virtual_loss': 2.5}])
@pytest.mark.parametrize(('name', 'players'), [('toy', 2), ('toy', 3), ('octiles', 2)])
def test_visits_are_those_of_a_slow_search(name: str, players: int, how: dict[str, Any]) -> None:
    checked(compare_with_slow)(name, players, width(8, 40), (0, 11), **how)


@pytest.mark.wide
@pytest.mark.parametrize('name', ['toy', 'octiles'])
def test_compiled_visits_are_those_of_a_slow_search(name: str) -> None:
    for how in ({}, {'leaves': 4}):
        compare_with_slow(name, 3, 60, (0, 7, 20, 200), None, **how)


@pytest.mark.wide
@pytest.mark.parametrize('name', BUILT_IN)
def test_visits_are_those_of_a_slow_search_in_every_game(name: str) -> None:
    for case in configurations(name, 'narrow'):
        checked(compare_with_slow)(name, case.players, 6, (0, 10), case.options, leaves=3)


# ---- values ------------------------------------------------------------------------------------------------


def edges_of(forest: Forest, t: int, node: int = 0) -> Any:
    """The edges of a node."""
    nodes, _, _, edges, *_ = forest._own
    here = nodes[t, node]
    return edges[t, int(here.edges) : int(here.edges) + int(here.count)]


def for_the_first(obs: Array, n: int) -> tuple[Array, Array]:
    """Seat 0 wins everywhere."""
    return np.ones(n, np.float32), np.array([1, -1, -1, -1, -1], np.float32)


@checked
def test_each_choice_counts_for_the_seat_that_makes_it() -> None:
    game = load('octiles')
    states = [later(game, 2, 3, n) for n in range(1, 6)]
    assert {int(s.to_move) for s in states} == {0, 1}
    forest = planted(game, states, leaves=2)
    for _ in range(6):
        answer(forest, for_the_first)
    sign = np.array([1.0 if s.to_move == 0 else -1.0 for s in states])
    assert np.array_equal(forest.values(), sign)


@checked
def test_ends_of_the_game_are_valued_exactly_whatever_the_learner_says() -> None:
    game, found = load('toy'), 0
    for seed in range(6):
        state = later(game, 2, seed, 500)  # the next action ends the game
        forest = planted(game, [state], leaves=3)
        for _ in range(8):
            answer(forest, lambda obs, n: (np.ones(n, np.float32), np.full(4, 0.123, np.float32)))
        for e in edges_of(forest, 0):
            if not e.visits:
                continue
            ends = []
            for draw in range(int(forest._plants[0].draws)):
                s, work = forest._roots[0].copy(), game.Work.new()
                game.kernels.prepare(s, int(s.to_move), work)
                game.kernels.guess(s, int(s.to_move), draw, work)
                game.kernels.apply(s, int(e.action))
                share = np.zeros(4)
                game.kernels.outcome(s, share)
                ends.append(reward(share[int(state.to_move)], 2) if s.ending else None)
            if None not in ends and len(set(ends)) == 1:
                found += 1
                assert e.value / e.visits == ends[0]
    assert found > 3


def pending(forest: Forest, t: int) -> int:
    """All that is pending at the nodes and edges of a tree."""
    nodes, sums, views, edges, view_edges, *_ = (array[t] for array in forest._own)
    found = int(sums['pending'].sum() + views['pending'].sum())
    for here in nodes[: int(forest._plants[t].used)]:
        block = slice(int(here.edges), int(here.edges) + int(here.count))
        found += int(edges[block]['pending'].sum() + view_edges[block]['pending'].sum())
    return found


@checked
def test_virtual_loss_is_undone_by_the_answer() -> None:
    for name in ('toy', 'octiles'):
        game = load(name)
        forest = planted(game, [later(game, 2, 1, 8)], leaves=5)
        for _ in range(6):
            answer(forest)
        forest.select()
        assert pending(forest, 0) > 0
        rows = forest._n
        forest.backup(np.ones(forest._starts[rows]), np.zeros((rows, 2)))
        assert pending(forest, 0) == 0
        assert not (forest._own[1]['state'] == WAITING).any()


# ---- noise -------------------------------------------------------------------------------------------------


def wide_open(game: Game, state: State) -> bool:
    """Is there much to choose from?"""
    return len(Position(game, state).actions()) > 4


@checked
def test_noise_changes_the_priors_of_roots_and_no_others() -> None:
    game = load('octiles')
    states = [s for n in range(12) if wide_open(game, s := later(game, 2, 1, n))][:2]
    plain, noisy = planted(game, states), planted(game, states, noise=(0.5, 0.25))
    for _ in range(10):
        answer(plain)
        answer(noisy)

    def priors(forest: Forest, t: int, node: int) -> dict[int, float]:
        nodes, _, _, _, _, actions, weights = forest._own
        here = nodes[t, node]
        listed = slice(int(here.first), int(here.first) + int(here.n))
        found = {int(a): float(w) for a, w in zip(actions[t, listed], weights[t, listed], strict=True)}
        return found | {int(e.action): float(e.prior) for e in edges_of(forest, t, node)}

    below = 0
    for t in range(2):
        assert sum(priors(noisy, t, 0).values()) == pytest.approx(1, abs=1e-5)
        differ = [abs(priors(noisy, t, 0)[a] - p) for a, p in priors(plain, t, 0).items()]
        assert max(differ) > 0.01
        assert max(differ) <= 0.25
        same = {int(e.action): int(e.child) for e in edges_of(plain, t) if e.child}
        for e in edges_of(noisy, t):
            if e.child and int(e.action) in same:
                one, other = priors(noisy, t, int(e.child)), priors(plain, t, same[int(e.action)])
                below += bool(one)
                assert one == other
    assert below > 2


@checked
def test_a_kept_root_gets_noise_of_its_own() -> None:
    env = Env('octiles', 3, seed=4)
    plain, noisy = Forest('octiles', 3), Forest('octiles', 3, noise=(0.5, 0.25))
    for forest in (plain, noisy):
        forest.plant(env)
        for _ in range(12):
            answer(forest, for_the_first)
    actions = plain.choose(0).copy()
    env.step(actions)
    for forest in (plain, noisy):
        forest.advance(actions, env)
    assert plain.kept.all()
    for t in np.flatnonzero(noisy.kept).tolist():
        if plain._own[0][t, 0].n > 1 and noisy._own[1][t, 0].state == GROWN:
            ours, theirs = (
                np.sort(np.concatenate([e['prior'] for e in (edges_of(f, t),)])) for f in (plain, noisy)
            )
            assert len(ours) != len(theirs) or not np.array_equal(ours, theirs)
            assert noisy._plants[t].mixed


# ---- secrets -----------------------------------------------------------------------------------------------


def told(game: Game, state: State, batches: int) -> list[bytes]:
    """All that a forest shows of a position."""
    forest, found = planted(game, [state], leaves=3, seed=5), []
    for _ in range(batches):
        obs, legal = forest.select()
        found += [obs.tobytes(), legal.actions.tobytes(), legal.starts.tobytes(), forest.to_move.tobytes()]
        rows = [network(obs[i], legal.starts[i + 1] - legal.starts[i]) for i in range(len(obs))]
        forest.backup(
            np.concatenate([row[0] for row in rows]) if rows else [],
            np.array([row[1][: forest.players] for row in rows]).reshape(len(rows), forest.players),
        )
    return [*found, *(array.tobytes() for array in forest.policy()), forest.save()]


def check_no_leak(name: str, moments: tuple[int, ...], batches: int) -> None:
    """What a seat cannot know changes neither leaves nor results."""
    game, rng, differ = load(name), random.Random(1), 0
    for moment in moments:
        start = Position(game, contract.start(game, 2, moment))
        position = start.copy()
        actions: list[int] = []
        while len(actions) < moment:
            actions.append(rng.choice(position.actions()))
            position.apply(actions[-1])
        history, seat = replay(start, tuple(actions)), position.to_move
        seen = told(game, position.state, batches)
        root = np.zeros(game.observation_size, np.float32)
        game.kernels.observe(as_known(game, position.state, seat), seat, root)
        if len(position.actions()) > 1:  # else the first leaf lies below the root
            assert seen[0].startswith(root.tobytes())
        for other in others(history, seat, 3, rng):
            differ += other.last.tobytes() != position.state.tobytes()
            assert told(game, other.last, batches) == seen
    assert differ


@checked
def test_no_leak_the_unknown_changes_nothing_in_a_forest() -> None:
    check_no_leak('toy', (1, 3, 5), 6)


@pytest.mark.wide
@checked
def test_no_leak_the_unknown_changes_nothing_in_a_forest_of_myrmidons() -> None:
    check_no_leak('myrmidons', (3, 14, 30), 8)


@checked
def test_no_leak_a_sealed_choice_is_not_kept_for_others() -> None:
    """What lies below a bid is forgotten when another seat is to bid: it would tell the bid."""
    env = Env('toy', 4, seed=1)
    forest = Forest('toy', 4)
    forest.plant(env)
    for _ in range(8):
        answer(forest)
    actions = forest.choose(0).copy()
    env.step(actions)
    forest.advance(actions, env)
    assert not forest.kept.any()
    assert not forest.simulations.any()
    assert not forest._own[1]['visits'][:, 0].any()


# ---- going on ----------------------------------------------------------------------------------------------


def go_on(name: str, steps: int, batches: int) -> tuple[int, int]:
    """Play games by a forest; what is kept has the counts that it had. Returns how many trees were kept, and
    how many began anew."""
    env = Env(name, 3, seed=2)
    forest, kept, fresh = Forest(env.game, 3, 128, leaves=2, seed=1), 0, 0
    forest.plant(env)
    for _ in range(steps):
        for _ in range(batches):
            answer(forest)
        actions = forest.choose().copy()
        before, children = [], []
        for t in range(3):
            e = next(e for e in edges_of(forest, t) if e.action == actions[t])
            before.append((int(e.visits), float(e.value)))
            children.append(int(e.child))
        alone = [
            children[t]
            and not forest._own[0][t, children[t]].next
            and not forest._own[0][t, children[t]].code
            for t in range(3)
        ]
        sums = [
            (int(forest._own[1][t, c].visits), float(forest._own[1][t, c].value))
            for t, c in enumerate(children)
        ]
        step = env.step(actions)
        forest.advance(np.where(step.done, -1, actions), env)
        for t in range(3):
            kept += bool(forest.kept[t])
            fresh += not forest.kept[t]
            if forest.kept[t] and alone[t]:
                assert (forest.simulations[t], float(forest._own[1][t, 0].value)) == sums[t]
            assert forest.kept[t] or forest.simulations[t] == 0
            check_tree(forest, t)
    return kept, fresh


def check_tree(forest: Forest, t: int) -> None:
    """Every node hangs in one place, and all ranges are apart."""
    nodes, sums, _, edges, *_ = (array[t] for array in forest._own)
    plant, found, used = forest._plants[t], [0], np.zeros(int(forest._plants[t].edged), np.int64)
    for node in found:
        here = nodes[node]
        used[int(here.edges) : int(here.edges) + int(here.room)] += 1
        links = [int(here.merged)]
        links += [int(e.child) for e in edges[int(here.edges) : int(here.edges) + int(here.count)]]
        for child in links:
            while child:
                found.append(child)
                child = int(nodes[child].next)
        assert sums[node].state in (NEW, GROWN)
    assert len(found) == len(set(found)) <= plant.used
    assert used.max(initial=0) <= 1


def test_a_tree_that_goes_on_keeps_its_counts() -> None:
    kept, fresh = checked(go_on)('octiles', width(5, 60), 5)
    assert kept > fresh
    kept, fresh = checked(go_on)('toy', width(6, 60), 6)
    assert kept > 0  # from one step of a turn to the next
    assert fresh > 0


def test_a_new_game_of_a_row_begins_anew_where_the_module_shows_how_to_search() -> None:
    """The loop that the head of forest.py shows, with the games played to their ends."""
    shown = textwrap.dedent(re.findall(r'(?:^    .*\n)+', forest_module.__doc__ or '', re.MULTILINE)[0])
    shown = shown.replace('256', '4').replace('range(100)', 'range(4)')
    beginning, loop = shown.split('for _ in', 1)
    scope: dict[str, Any] = {
        'np': np,
        'network': lambda obs: (np.zeros((len(obs), 1433)), np.zeros((len(obs), 2))),
    }
    exec(beginning, scope)
    step, ended = scope['env'].reset(), 0  # the same games, and the arrays that every step writes
    while ended < 2:
        exec(f'for _ in{loop}', scope)
        assert not scope['forest'].kept[step.done].any()
        ended += int(step.done.sum())


@pytest.mark.wide
@pytest.mark.parametrize('name', BUILT_IN)
def test_trees_go_on_in_every_game(name: str) -> None:
    kept, _ = checked(go_on)(name, 8, 4)
    assert kept > 0


@checked
def test_a_saved_forest_goes_on_as_if_nothing_had_been() -> None:
    for name in ('toy', 'octiles'):
        env = Env(name, 2, seed=3)

        def made(name: str = name) -> Forest:
            return Forest(name, 2, 128, noise=(0.3, 0.25), leaves=2, seed='s')

        forest, other = made(), made()
        forest.plant(env)
        for _ in range(5):
            answer(forest)
        other.load(forest.save())
        assert other.save() == forest.save()
        for _ in range(3):
            for one in (forest, other):
                for _ in range(4):
                    answer(one)
            actions = forest.choose().copy()
            assert np.array_equal(actions, other.choose())
            env.step(actions)
            for one in (forest, other):
                one.advance(actions, env)
        assert other.save() == forest.save()


@checked
def test_what_is_no_dump_of_this_forest_is_refused_and_changes_nothing() -> None:
    env = Env('toy', 2, seed=3)
    forest = Forest('toy', 2, 64)
    forest.plant(env)
    answer(forest)
    saved = forest.save()
    for damaged in (b'', saved[:-1], saved[:50], saved[:-1] + b'?', b'ludoteca batch 1\n' + saved):
        with pytest.raises(GameError, match='no saved forest, or not all of one'):
            forest.load(damaged)
    for other, why in (
        (Forest('octiles', 2, 64), 'its game is toy, not octiles'),
        (Forest('toy', 3, 64), 'its roots is 2, not 3'),
        (Forest('toy', 2, 64, c_puct=2.0), 'its rules is'),
        (Forest('toy', 2, 64, seed=1), 'its seed is 0, not 1'),
    ):
        with pytest.raises(GameError, match=why):
            other.load(saved)
    newer = Forest('toy', 2, 64)
    newer.game = type('Newer', (type(newer.game),), {'version': 9})()
    with pytest.raises(GameError, match='its version is 1, not 9'):
        newer.load(saved)
    assert forest.save() == saved


@checked
def test_a_full_tree_says_so_and_goes_on() -> None:
    for name in ('toy', 'octiles'):
        game = load(name)
        forest = planted(game, [later(game, 2, 1, 8)], nodes=4)
        for _ in range(30):
            answer(forest)
        assert forest.full.all()
        assert forest.simulations[0] == 30
        assert forest._plants[0].used <= 4
        forest.plant([later(game, 2, 1, 8)])
        assert not forest.full.any()


@checked
def test_searches_depend_on_the_seed_and_the_row_and_not_on_their_neighbours() -> None:
    game = load('toy')
    states = [later(game, 2, seed, 4) for seed in range(5)]
    many, few = planted(game, states, leaves=2), planted(game, states[:2], leaves=2)
    other = planted(game, states[:2], leaves=2, seed=1)
    for _ in range(10):
        for forest in (many, few, other):
            answer(forest)
    assert lists(many.policy())[:2] == lists(few.policy())
    assert many.values()[:2].tolist() == few.values().tolist() != other.values().tolist()


@pytest.mark.wide
def test_compiled_and_interpreted_forests_are_the_same() -> None:
    def grown() -> bytes:
        env = Env('toy', 3, 3, {'long': True}, seed=2)
        forest = Forest('toy', 3, 200, noise=(0.3, 0.25), players=3, leaves=3)
        forest.plant(env)
        for _ in range(20):
            answer(forest)
        actions = forest.choose().copy()
        env.step(actions)
        forest.advance(actions, env)
        for _ in range(20):
            answer(forest)
        return forest.save()

    assert grown() == checked(grown)()


# ---- what is said of it ------------------------------------------------------------------------------------


@checked
def test_a_policy_is_made_of_visits() -> None:
    game = load('octiles')
    forest = planted(game, [later(game, 2, 1, 8), later(game, 2, 2, 4)])
    assert forest.policy().probabilities[: forest._plants[0].n] == pytest.approx(1 / forest._plants[0].n)
    for _ in range(20):
        answer(forest)
    found = forest.policy(0.5)
    part = slice(found.starts[0], found.starts[1])
    visits = found.visits[part].astype(float)
    assert visits.sum() == 19  # the first simulation was that of the root
    assert found.probabilities[part] == pytest.approx(visits**2 / (visits**2).sum())
    best = forest.policy(0)
    assert best.probabilities[part].max() == 1
    assert best.visits[part][best.probabilities[part].argmax()] == visits.max()
    assert forest.choose(0)[0] == best.actions[part][best.probabilities[part].argmax()]


@checked
def test_a_softmax_is_over_what_is_legal() -> None:
    game = load('octiles')
    forest = planted(game, [later(game, 2, 1, 8), later(game, 2, 2, 4)])
    _, legal = forest.select()
    logits = np.random.default_rng(1).normal(size=(2, game.n_actions)).astype(np.float32) * 30
    priors = forest.softmax(logits)
    for i in range(2):
        part = slice(legal.starts[i], legal.starts[i + 1])
        e = np.exp(logits[i, legal.actions[part]].astype(float) - logits[i, legal.actions[part]].max())
        assert priors[part] == pytest.approx(e / e.sum(), abs=1e-6)
    forest.backup(priors, np.zeros((2, 2)))


@checked
def test_a_tree_whose_game_is_over_rests() -> None:
    game = load('toy')
    running, over = later(game, 2, 1, 3), Position(game, later(game, 2, 1, 500))
    over.apply(over.actions()[0])
    forest = planted(game, [over.state, running])
    assert forest.running.tolist() == [False, True]
    assert answer(forest) == 1
    assert forest.choose()[0] == -1
    assert forest.policy().starts[1] == 0


@checked
def test_arrays_are_written_in_place() -> None:
    game = load('toy')
    forest = planted(game, [later(game, 2, 1, 3)])
    first, legal = forest.select()
    forest.backup(np.ones(len(legal.actions)), np.zeros((1, 2)))
    second, lists_ = forest.select()
    assert first.__array_interface__['data'] == second.__array_interface__['data']
    assert legal.actions.__array_interface__['data'] == lists_.actions.__array_interface__['data']


@checked
def test_the_loop_of_the_documentation_runs_and_turns_values_to_the_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Observations count seats from the seat to move on, and so does a network that sees nothing else."""
    page = (Path(__file__).parents[2] / 'docs' / 'forest.md').read_text()
    loop = page.split('```python\n')[1].split('```')[0]
    movers, backup = set(), Forest.backup

    def ahead(obs: Array) -> tuple[Array, Array]:
        return np.zeros((len(obs), load('octiles').n_actions), np.float32), np.tile(
            [0.5, -0.5], (len(obs), 1)
        )

    def told(forest: Forest, priors: Array, values: Array) -> None:
        movers.update(forest.to_move.tolist())
        assert (values[np.arange(len(values)), forest.to_move] == 0.5).all()
        assert not values.sum(axis=1).any()
        backup(forest, priors, values)

    monkeypatch.setattr(Forest, 'backup', told)
    names: dict[str, Any] = {'network': ahead}
    exec(loop.replace('8', '2').replace('< 10', '< 5'), names)
    assert names['forest'].simulations.shape == (2,)
    assert movers == {0, 1}


@checked
def test_numbers_of_numpy_are_numbers() -> None:
    usual: dict[str, Any] = {'roots': 2, 'nodes': 64, 'leaves': 2, 'width': 8, 'c_puct': 1.5, 'seed': 1}
    of_numpy: dict[str, Any] = {name: np.array(number)[()] for name, number in usual.items()}
    found = []
    for how, noise in ((usual, (0.5, 0.25)), (of_numpy, np.array((0.5, 0.25)))):
        forest = Forest('toy', noise=noise, **how)  # type: ignore[arg-type]
        forest.plant(Env('toy', 2))
        obs, legal = forest.select()
        forest.backup(np.ones(len(legal.actions)), np.zeros((len(obs), 2)))
        warm: Any = how['c_puct'] / 2
        found.append((forest.save(), forest.policy(warm).probabilities.tobytes()))
    assert found[0] == found[1]


@checked
def test_what_makes_no_sense_is_refused_in_a_sentence() -> None:
    game = load('toy')
    state = later(game, 2, 1, 3)
    for how, why in (
        ({'roots': 0}, 'roots is a whole number from 1 to'),
        ({'nodes': 1}, 'nodes is a whole number from 2 to'),
        ({'leaves': 2.0}, 'leaves is a whole number from 1 to'),
        ({'c_puct': -1}, 'c_puct is a number from 0 to'),
        ({'c_puct': float('nan')}, 'c_puct is a number from 0 to'),
        ({'noise': (0, 0.25)}, r'noise\[0\] is a number from 1e-06 to'),
        ({'noise': (0.3, 2)}, r'noise\[1\] is a number from 0 to 1'),
        ({'unvisited': 3}, 'unvisited is a number from -1 to 1'),
        ({'players': 9}, 'is played by 2 to 4, not by 9'),
        ({'game': 'chess'}, 'chess'),
    ):
        with pytest.raises(GameError, match=why):
            Forest(**{'game': 'toy', 'roots': 2, **how})  # type: ignore[arg-type]
    forest = Forest('toy', 2)
    for states in ([state], [state] * 3, [later(game, 3, 1, 3)] * 2, None, 'ab', [1, 2], Env('octiles', 2)):
        with pytest.raises(GameError, match=r'planted with as many positions of .* with 2 players'):
            forest.plant(states)
    forest.plant([state, Position(game, state)])
    with pytest.raises(GameError, match='call select first'):
        forest.backup([], [])
    for actions in ([1], [0.5, 1.0], None):
        with pytest.raises(GameError, match=r'a whole number for each of them, in an array of shape \(2,\)'):
            forest.advance(actions, [state, state])  # type: ignore[arg-type]
    _, legal = forest.select()
    n = len(legal.actions)
    for call in (forest.select, forest.save, lambda: forest.plant([state, state])):
        with pytest.raises(GameError, match='The 2 leaves of the last selection wait'):
            call()
    for priors, values, why in (
        (np.ones(n + 1), np.zeros((2, 2)), 'Priors of 2 leaves are an array of shape'),
        (np.ones(n), np.zeros((2, 3)), 'Values of 2 leaves are an array of shape'),
        (np.full(n, np.nan), np.zeros((2, 2)), 'priors and values of leaf 0 cannot be'),
        (-np.ones(n), np.zeros((2, 2)), 'priors and values of leaf 0 cannot be'),
        (np.ones(n), np.array([[0, 0], [0, 1.5]]), 'priors and values of leaf 1 cannot be'),
    ):
        with pytest.raises(GameError, match=why):
            forest.backup(priors, values)
    with pytest.raises(GameError, match='Logits of 2 leaves are an array of shape'):
        forest.softmax(np.zeros((2, 3)))
    forest.backup(np.zeros(n), np.zeros((2, 2)))
    with pytest.raises(GameError, match='A temperature is a number, 0 or more'):
        forest.policy(-1)
