"""Monte Carlo tree search over information sets, written once as templates that `bind` compiles for a game.

A simulation fills the holes of the root (`guess`), walks down the tree, evaluates where it leaves it and adds
the result to the nodes passed (max^n: each node counts for the seat that moved into it). Edges are actions
AND what they revealed: the nodes below an action whose `revealed` differs are different nodes, so that
nothing is decided on knowledge that was still to come.

Sources: of the walk by determinizations with availability counts Cowling, Powley and Whitehouse, "Information
Set Monte Carlo Tree Search", IEEE Transactions on Computational Intelligence and AI in Games 4 (2012); of
guessing anew for another seat Goodman, "Re-determinizing MCTS in Hanabi", IEEE Conference on Games (2019); of
the selection rules Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem"
(2002), and Rosin, "Multi-armed bandits with episode context" (2011).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ludoteca.game import Game
from ludoteca.kernel import Array, Floats, Ints, bind_templates, kernel, mix
from ludoteca.kernel.atomic import atomic_add
from ludoteca.search.look_ahead import ask_at_once, ask_each, look_ahead
from ludoteca.search.nodes import SearchMemory, SearchParameters, note_score
from ludoteca.search.open_walk import expand, open_walk
from ludoteca.search.secret_walk import EACH, FIRST, IMAGINED, ON, mark_legal, secret_walk
from ludoteca.search.shared_walk import BUSY, shared_walk

MAX_PLAYOUT = 100_000  # random actions after which a playout to the end is cut off all the same
# shared trees: below a busy node a thread stays for one simulation for so many visits of it, but for no more
# than that
STAY_PART, STAY_MOST = 32, 32

# Names that every game provides; `bind` puts the game's own functions in their place.
# ruff: noqa: F821
apply: Callable[..., None]
outcome: Callable[..., None]
estimate: Callable[..., None]
hide: Callable[..., None]
prepare: Callable[..., None]
guess: Callable[..., None]
random_action: Callable[..., int]


def evaluate(states: Any, work: Any, rules: SearchParameters, result: Floats) -> None:
    """The outcome of states[0], or its estimate after the playout's random turns, into `result`."""
    s = states[0]
    last, steps, most = (
        int(s.turn) + rules.playout,
        0,
        MAX_PLAYOUT if rules.playout < 0 else 32 * rules.playout,
    )
    while s.ending == 0 and steps < most and (rules.playout < 0 or s.turn < last):
        apply(s, random_action(s, work))
        steps += 1
    if s.ending:
        outcome(s, result)
    else:
        estimate(s, result)


@kernel
def add_totals(totals: Array, path: Ints, depth: int, result: Floats, players: int) -> None:
    """Count the result of a simulation for all, and for those that began with the same action."""
    first = int(path[1]) if depth > 1 else 0
    for p in range(players):
        totals[0, p] += result[p]
        totals[first, p] += result[p]


def simulate_open(memory: SearchMemory, root: Any, seat: int, seed: int, simulations: int) -> None:
    """Run simulations from `root`, a position as `seat` knows it, on a tree of an open game, which goes on
    where it was."""
    states, nodes, rules, path, result = memory.states, memory.nodes, memory.rules, memory.path, memory.result
    for _ in range(simulations):
        number = int(memory.tree.simulations)
        states[0] = root
        guess(states[0], seat, mix(seed, 2 * number), memory.knowledge)
        depth = open_walk(memory, mix(seed, 2 * number + 1))
        evaluate(states, memory.work, rules, result)
        for i in range(depth):
            nodes[path[i]].visits += 1
            nodes[path[i]].value += result[nodes[path[i]].mover]
            if rules.sharpness > 0.0:
                note_score(nodes, memory.scores, rules, path[i])
        add_totals(memory.totals, path, depth, result, root.players)
        memory.tree.simulations = number + 1


def simulate_secret(memory: SearchMemory, root: Any, seat: int, seed: int, simulations: int) -> None:
    """Run simulations from `root`, a position as `seat` knows it, on a tree of a game with secrets, which
    goes on where it was.

    The others do not know what the seat knows. So where a simulation FIRST comes to a choice of another seat,
    it halts, and that seat guesses in its turn what is hidden from it. A walk through this IMAGINED position
    goes on from there and is counted in `views`, a second set of numbers for the same nodes. Then the halted
    walk goes ON, and the actions of the others are drawn as often as `views` has visited them: they are those
    of somebody who neither knows the seat's secrets nor always does the same.

    `views` counts for all guesses together, so by its values alone the others would not know their own
    secrets either. If they are `informed`, their actions are estimated in each guess, `views` adds up by how
    much results exceed these estimates, and the halted walk goes on with the very action that was chosen in
    the imagined position. From the simulation EACH on, `hold` simulations have a guess in common, so that
    what was legal and foreseen at a node in that guess need not be asked again.
    """
    states, nodes, tree, rules, path = memory.states, memory.nodes, memory.tree, memory.rules, memory.path
    # the guess in states[5]; the node where it halted, and what its mover imagines there, in states[6]
    held, at = -1, -1
    for _ in range(simulations):
        number = int(tree.simulations)
        which = number if number < EACH else EACH + (number - EACH) // int(rules.hold)
        if which == held:
            states[0] = states[5]
        else:
            states[0] = root
            guess(states[0], seat, mix(seed, 2 * which), memory.knowledge)
            states[5] = states[0]
            held, at = which, -1
        chance, now, once = mix(seed, 2 * number + 1), which + 1, -2 * number - 1
        path[0] = 0
        depth = secret_walk(memory, seat, FIRST, 1, chance, now, once)
        if tree.halted:
            states[4] = states[0]
            if path[depth - 1] == at:
                states[0] = states[6]
            else:
                mover = int(states[0].to_move)
                hide(states[0], mover)
                prepare(states[0], mover, memory.imagined)
                guess(states[0], mover, mix(mix(seed, 2 * which + 1), 1), memory.imagined)
                states[6] = states[0]
                at = int(path[depth - 1])
            end = secret_walk(memory, seat, IMAGINED, depth, mix(chance, 2), now, once - 1)
            evaluate(states, memory.work, rules, memory.result)
            count_imagined(memory, depth - 1, end)
            states[0] = states[4]
            if rules.informed and end > depth:
                tree.reply = path[depth]
            depth = secret_walk(memory, seat, ON, depth, chance, now, once)
        evaluate(states, memory.work, rules, memory.result)
        for i in range(depth):
            nodes[path[i]].visits += 1
            nodes[path[i]].value += memory.result[nodes[path[i]].mover]
        add_totals(memory.totals, path, depth, memory.result, root.players)
        tree.simulations = number + 1


@kernel
def count_imagined(memory: SearchMemory, begin: int, end: int) -> None:
    """Count the result of an imagined walk in `views`, of informed movers only what is not foreseen."""
    views, result = memory.views, memory.result
    for i in range(begin, end):
        node = int(memory.path[i])
        gained = result[memory.nodes[node].mover]
        views[node].visits += 1
        views[node].value += gained
        if memory.rules.informed:
            views[node].value -= views[node].estimate if views[node].available else gained


@kernel
def count_shared(memory: SearchMemory, begin: int, end: int, visits: int, gained: Floats) -> None:
    """Add visits, or what each seat has gained by them, to the nodes of a part of the path."""
    nodes = memory.nodes
    for i in range(begin, end):
        node = int(memory.path[i])
        if visits > 0:
            atomic_add(nodes, node, 'visits', visits)
        else:
            atomic_add(nodes, node, 'value', gained[nodes[node].mover])
        if memory.rules.sharpness > 0.0:
            note_score(nodes, memory.scores, memory.rules, node)


def simulate_shared(memory: SearchMemory, root: Any, seat: int, seed: int, simulations: int) -> None:
    """`simulate_open` on a tree that several threads share.

    A walk from the top halts where the child to go to is not busy, or has no children. There the thread stays
    for some simulations, which begin with what is to be known of that position: each guesses chance anew.
    Their visits are added to the nodes above before them, so that others look elsewhere meanwhile, and their
    results after them.
    """
    states, tree, path, result = memory.states, memory.tree, memory.path, memory.result
    left, gained = simulations, memory.totals[len(memory.totals) - 1]
    while left > 0:
        states[0] = root
        number = int(tree.simulations)
        guess(states[0], seat, mix(seed, 2 * number), memory.knowledge)
        path[0], tree.passed = 0, 0
        top = shared_walk(memory, mix(seed, 2 * number + 1), 1, True)
        halted, passed, stay = tree.halted == 1, int(tree.passed), 1
        visits = int(memory.nodes[path[top - 1]].visits)
        if halted and visits >= BUSY:
            stay = min(left, STAY_MOST, visits // STAY_PART)
        count_shared(memory, 0, top, stay, result)
        if stay > 1:
            states[4] = states[0]
            hide(states[4], seat)
            prepare(states[4], seat, memory.imagined)
        for p in range(root.players):
            gained[p] = 0.0
        for k in range(number, number + stay):
            if k > number:
                states[0] = states[4]
                guess(states[0], seat, mix(seed, 2 * k), memory.imagined)
            depth, tree.passed = top, passed
            if halted:
                depth = shared_walk(memory, mix(seed, 2 * k + 1), top, False)
            evaluate(states, memory.work, memory.rules, result)
            count_shared(memory, top, depth, 0, result)
            add_totals(memory.totals, path, depth, result, root.players)
            for p in range(root.players):
                gained[p] += result[p]
        count_shared(memory, 0, top, 0, gained)
        tree.simulations = number + stay
        left -= stay


# ---- binding -----------------------------------------------------------------------------------------------

LOOKS = (look_ahead, ask_each, ask_at_once)
OPEN = (expand, open_walk, evaluate, simulate_open)
SECRET = (mark_legal, secret_walk, evaluate, simulate_secret)
SHARED = (shared_walk, simulate_shared)  # in addition to OPEN
FROM_GAME = (
    'apply',
    'legal_actions',
    'outcome',
    'estimate',
    'hide',
    'prepare',
    'guess',
    'revealed',
    'hide_action',
    'random_action',
    'foresee',
)


@cache
def bind(game: Game, edition: str = '', shared: bool = False) -> SimpleNamespace:
    """The templates compiled for a game, as attributes, with the kernels that a frozen bot has in place of
    the game's own. Compiling happens at the first call and is kept in the game's cache. `simulate` is that of
    the game's trees; those that several threads share are for open games, and compiled only for those who ask
    for them."""
    kernels = game.kernels._replace(**game.editions.get(edition, {}))
    names = {name: getattr(kernels, name) for name in FROM_GAME}
    names['FORESEEN'] = kernels.foresee is not None
    place = '_'.join(filter(None, (game.name, edition))), Path(game.home)
    if shared:
        names |= vars(bind(game, edition))
        names |= vars(bind_templates(SHARED, names, *place))
        names['simulate'] = names['simulate_shared']
    else:
        names |= vars(bind_templates(LOOKS, names, *place))
        names['look_at_all'] = names['ask_at_once' if names['FORESEEN'] else 'ask_each']
        names |= vars(bind_templates(SECRET if game.hidden else OPEN, names, *place))
        names['simulate'] = names['simulate_secret' if game.hidden else 'simulate_open']
    return SimpleNamespace(**names)
