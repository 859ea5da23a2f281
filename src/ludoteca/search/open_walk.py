"""Trees of games without secrets: which child is chosen, how a node gets children, and the walk down the tree
of a single thread."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from typing import Any

from ludoteca.kernel import Floats, kernel, mix
from ludoteca.kernel.atomic import release
from ludoteca.kernel.exponential import exp_of
from ludoteca.search.nodes import (
    NARROW,
    WHOLE,
    SearchMemory,
    SearchParameters,
    Tree,
    find_outcome,
    insert_node,
    note_score,
    visits_wanted,
)

# Names that every game provides; `bind` puts the game's own functions in their place.
# ruff: noqa: F821
apply: Callable[..., None]
legal_actions: Callable[..., int]
revealed: Callable[..., int]
look_at_all: Callable[..., None]


# ---- choosing a child --------------------------------------------------------------------------------------


@kernel
def select_by_prior(nodes: Any, scores: Any, rules: SearchParameters, node: int) -> int:
    """The child of an open game's node with the highest PUCT score."""
    scale = rules.exploration * sqrt(nodes[node].visits + 1.0)
    best, best_score = 0, -1e300
    begin = int(nodes[node].few)
    for child in range(begin, begin + nodes[node].n_few):
        c = scores[child]
        score = c.mean + scale * c.prior / (1.0 + c.visits)
        if score > best_score:
            best, best_score = child, score
    begin = int(nodes[node].others)
    for child in range(begin, begin + nodes[node].n_others):
        c = scores[child]
        score = c.mean + scale * c.prior / (1.0 + c.visits)
        # of equals the lowest action
        if score > best_score or (score == best_score and nodes[child].action < nodes[best].action):
            best, best_score = child, score
    return best


@kernel
def select_by_visits(nodes: Any, rules: SearchParameters, node: int, dice: int) -> int:
    """The child of an open game's node with the highest UCB1 score; the ones never visited come first, in an
    order drawn by `dice`."""
    fresh, best, best_score = 0, 0, -1e300
    log_n = log(nodes[node].visits + 1.0)
    child = int(nodes[node].first)
    while child:
        c = nodes[child]
        if c.visits == 0:
            fresh += 1
        elif fresh == 0:
            score = c.value / c.visits + rules.exploration * sqrt(log_n / c.visits)
            if score > best_score:
                best, best_score = child, score
        child = int(c.next)
    if fresh == 0:
        return best
    which = dice % fresh
    child = int(nodes[node].first)
    while child:
        if nodes[child].visits == 0:
            best = child
            if which == 0:
                break
            which -= 1
        child = int(nodes[child].next)
    # another thread may have visited all of them meanwhile
    return best if best else int(nodes[node].first)


@kernel
def select_open(nodes: Any, scores: Any, rules: SearchParameters, node: int, dice: int) -> int:
    """The child of an open game's node to go to."""
    if rules.sharpness > 0.0:
        return select_by_prior(nodes, scores, rules, node)
    return select_by_visits(nodes, rules, node, dice)


# ---- growing the tree --------------------------------------------------------------------------------------


@kernel
def largest_below(bound: float, a: float, b: float) -> float:
    """The larger of `a` and of `b`, which counts only if it is less than `bound`."""
    return max(a, b if b < bound else -1e300)


@kernel
def nth_largest(values: Floats, n: int, which: int) -> float:
    """The `which`-th largest (from 1) of the first `n` values; equal ones count as one.

    A maximum has to wait for the one before it. So there are four, which do not wait for each other.
    """
    bound = 1e300
    for _ in range(which):
        a, b, c, d = -1e300, -1e300, -1e300, -1e300
        for k in range(n >> 2):
            a = largest_below(bound, a, values[4 * k])
            b = largest_below(bound, b, values[4 * k + 1])
            c = largest_below(bound, c, values[4 * k + 2])
            d = largest_below(bound, d, values[4 * k + 3])
        for i in range(n & ~3, n):
            a = largest_below(bound, a, values[i])
        largest = max(max(a, b), max(c, d))
        if largest == -1e300:
            return bound
        bound = largest
    return bound


def expand(memory: SearchMemory, node: int, n: int) -> bool:
    """Make children of an open game's node for its `n` legal actions: the ones that the estimates like best,
    and when it has been visited often, or has few, all the others. False if there is no room.

    The position is states[0], and its actions are lists[0]. The children are ascending; links and statistics
    of those that are there already stay.
    """
    nodes, scores, tree, rules = memory.nodes, memory.scores, memory.tree, memory.rules
    lists, worth, mover, whole = memory.lists, memory.worth, int(memory.states[0].to_move), True
    if tree.used + n > tree.end:
        tree.full = 1
        return False
    if rules.sharpness > 0.0:
        worth[0] = 1.0
        if n > 1:
            look_at_all(memory.states, n, lists, memory.result, worth)
        best, total = -1.0, 0.0
        for i in range(n):
            best = max(best, worth[i])
        for i in range(n):
            worth[n + i] = exp_of(max(-600.0, rules.sharpness * (worth[i] - best)))
        for i in range(n):
            total += worth[n + i]
        least = -1.0
        whole = node == 0 or n <= 2 * rules.narrow or nodes[node].visits >= rules.wide_at
        if not whole:
            least = nth_largest(worth, n, int(rules.narrow))
        child, last, made = int(nodes[node].first), 0, int(tree.used)
        widened = child > 0
        for i in range(n):
            if child and nodes[child].action == lists[0, i]:
                nodes[child].prior = worth[n + i] / total
                note_score(nodes, scores, rules, child)
                last, child = child, int(nodes[child].next)
            elif worth[i] >= least:
                nodes[tree.used].estimate = worth[i]
                nodes[tree.used].prior = worth[n + i] / total
                note_score(nodes, scores, rules, tree.used)
                last = insert_node(nodes, tree, node, last, child, int(lists[0, i]), mover)
        release()  # another thread that chooses among them finds them whole
        first = made if tree.used > made else 0  # no link to a node that nobody has made
        if widened:
            nodes[node].others = first
            release()
            nodes[node].n_others = tree.used - made
        else:
            nodes[node].few = first
            nodes[node].n_few = tree.used - made
    else:
        last = 0
        for i in range(n):
            last = insert_node(nodes, tree, node, last, 0, int(lists[0, i]), mover)
    release()
    nodes[node].expanded = WHOLE if whole else NARROW
    return True


# ---- a walk ------------------------------------------------------------------------------------------------


@kernel
def needs_children(tree: Tree, rules: SearchParameters, grown: int, visits: int) -> bool:
    """Shall a node get its first children now, or all that are missing? `grown` is its `expanded`."""
    if grown == NARROW:
        return visits >= rules.wide_at and tree.full == 0
    return grown == 0


def open_walk(memory: SearchMemory, seed: int) -> int:
    """Walk states[0] from the root down the tree, growing it, to where it is to be evaluated. The nodes
    passed go into `path`; returns how many they are.

    A node gets children at its `expand_at`-th visit, later in a tree that fills up; but a turn that was begun
    is finished first, because estimates are at their best between turns. A single legal action is applied
    without a node of its own.
    """
    s, nodes, tree, rules, path = memory.states[0], memory.nodes, memory.tree, memory.rules, memory.path
    node, depth, begun, passed = 0, 1, False, False  # passed: the node's forced action has been applied
    path[0] = 0
    while s.ending == 0 and depth + 2 < len(path):
        child, action, grown = node, -1, int(nodes[node].expanded)
        if not passed:
            action = int(nodes[node].then) - 1
        visits = int(nodes[node].visits)
        if action < 0 and needs_children(tree, rules, grown, visits):
            if grown == 0 and node != 0 and not begun:
                if visits + 1 < visits_wanted(tree, int(rules.expand_at)):
                    break
            n = legal_actions(s, memory.lists[0])
            if n == 1 and node != 0 and not passed:
                action = int(memory.lists[0, 0])
                nodes[node].then = action + 1
            elif not expand(memory, node, n) and nodes[node].first == 0:
                break
        passed = action >= 0
        if not passed:
            child = select_open(nodes, memory.scores, rules, node, mix(seed, depth))
            action = int(nodes[child].action)
            path[depth] = child
            depth += 1
        mover, turn, reveals = int(s.to_move), int(s.turn), int(s.reveals)
        apply(s, action)
        code = revealed(s)
        if code < 0:  # more than could be branched on
            break
        if code:
            child = find_outcome(nodes, tree, rules, child, 0, 2 * code + int(passed), mover)
            if child == 0:
                break
            path[depth] = child
            depth += 1
            passed = False
        node = child
        begun = s.turn == turn and s.to_move == mover and s.reveals == reveals
    return depth
