"""The tree of an open game that several threads share.

A visit is counted on the way down and its value added on the way up, so that others look elsewhere meanwhile
(Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search", Computers and Games 2008: tree
parallelization with virtual loss). There are no locks: counts are added atomically, who makes a node's
children claims it, who comes to a claimed node evaluates there, and each thread makes new nodes in a range of
its own. What one core has written another one waits for; so a thread stays below a busy node for several
simulations, and what they have found is added to the nodes above it all at once (`simulate_shared`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludoteca.kernel import kernel, mix
from ludoteca.kernel.atomic import atomic_add, atomic_swap
from ludoteca.search.nodes import (
    GROWING,
    NARROW,
    WIDENING,
    SearchMemory,
    find_outcome,
    note_score,
    visits_wanted,
)
from ludoteca.search.open_walk import needs_children, select_open

# a node is busy that was visited at least so often, and in one simulation of so many
BUSY, BUSY_PART = 256, 64

# Names that every game provides; `bind` puts the game's own functions in their place.
# ruff: noqa: F821
apply: Callable[..., None]
legal_actions: Callable[..., int]
revealed: Callable[..., int]
expand: Callable[..., bool]


@kernel
def claim(nodes: Any, node: int) -> bool:
    """May this thread make children of a shared node? Until they are made, or given up, no other one may."""
    was = int(nodes[node].expanded)
    if was != 0 and was != NARROW:
        return False
    return atomic_swap(nodes, node, 'expanded', was, WIDENING if was else GROWING) == was


@kernel
def give_up(nodes: Any, node: int) -> int:
    """Let others try to make the children for which there was no room; returns the first that there is."""
    if nodes[node].expanded >= GROWING:
        nodes[node].expanded = NARROW if nodes[node].expanded == WIDENING else 0
    return int(nodes[node].first)


def shared_walk(memory: SearchMemory, seed: int, depth: int, top: bool) -> int:
    """`open_walk` from the node path[depth - 1] on. A walk from the `top` halts where the child to go to is
    not busy, or has no children; only those from there on count the nodes that they pass."""
    s, nodes, tree, rules, path = memory.states[0], memory.nodes, memory.tree, memory.rules, memory.path
    node, begun, passed = int(path[depth - 1]), False, tree.passed == 1
    busy = max(BUSY, int(nodes[0].visits) // BUSY_PART)
    tree.halted = tree.passed = 0
    while s.ending == 0 and depth + 2 < len(path):
        child, action, grown = node, -1, int(nodes[node].expanded)
        if not passed:
            action = int(nodes[node].then) - 1
        if action < 0 and grown == GROWING:
            break
        visits = int(nodes[node].visits)
        if action < 0 and needs_children(tree, rules, grown, visits):
            visits -= int(not top)  # this one is counted already
            if grown == 0 and node != 0 and not begun:
                if visits + 1 < visits_wanted(tree, int(rules.expand_at)):
                    break
            n = legal_actions(s, memory.lists[0])
            if n == 1 and node != 0 and not passed:
                action = int(memory.lists[0, 0])
                nodes[node].then = action + 1
            elif not claim(nodes, node):
                # another thread makes the first children, or has just found no room for them
                if nodes[node].expanded == GROWING or nodes[node].first == 0:
                    break
            elif not expand(memory, node, n) and give_up(nodes, node) == 0:
                break
        before, passed = passed, action >= 0
        if not passed:
            child = select_open(nodes, memory.scores, rules, node, mix(seed, depth))
            if top and (nodes[child].visits < busy or nodes[child].expanded == 0):
                tree.halted, tree.passed = 1, int(before)
                break
            action = int(nodes[child].action)
            path[depth] = child
            depth += 1
            if not top:
                atomic_add(nodes, child, 'visits', 1)
                note_score(nodes, memory.scores, rules, child)
        mover, turn, reveals = int(s.to_move), int(s.turn), int(s.reveals)
        apply(s, action)
        code = revealed(s)
        if code < 0:  # more than could be branched on
            break
        if code:
            child = find_outcome(nodes, tree, rules, child, 0, 2 * code + int(passed), mover)
        if child == 0:
            break
        if code:
            path[depth] = child
            depth += 1
            passed = False
            if not top:
                atomic_add(nodes, child, 'visits', 1)
        node = child
        begun = s.turn == turn and s.to_move == mover and s.reveals == reveals
    return depth
