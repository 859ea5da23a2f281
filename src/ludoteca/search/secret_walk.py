"""Trees of games with secrets: which child is chosen, how a node gets children, and the walk down the tree.
Which children of a node are legal depends on the guess."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log, sqrt
from typing import Any

from ludoteca.kernel import Ints, kernel, mix
from ludoteca.search.nodes import (
    WHOLE,
    SearchMemory,
    SearchParameters,
    find_outcome,
    insert_node,
    visits_wanted,
)

EACH = 256  # simulations of a search that have a guess each
# actions of an informed mover that it has never chosen are estimated anew in one guess of so many
SELDOM = 4
FIRST, IMAGINED, ON = 0, 1, 2  # kinds of walks, see `simulate_secret`

# Names that every game provides; `bind` puts the game's own functions in their place.
# ruff: noqa: F821
apply: Callable[..., None]
legal_actions: Callable[..., int]
revealed: Callable[..., int]
hide_action: Callable[..., int]
foresee: Callable[..., None]
look_ahead: Callable[..., float]
FORESEEN: bool  # the game has `foresee`; a constant while compiling


# ---- choosing a child --------------------------------------------------------------------------------------


@kernel
def select_available(stats: Any, rules: SearchParameters, node: int, now: int, beyond: bool) -> int:
    """Of the children that are marked as legal the one with the highest PUCT score. `beyond`: their values
    are what results have exceeded estimates by."""
    trust, total, since = rules.trust, stats[node].total, int(stats[node].since)
    if total == 0.0:
        child = int(stats[node].first)
        while child:
            if stats[child].stamp == now:
                total += stats[child].prior
            child = int(stats[child].next)
        stats[node].total = total
    scale, available = 0.0, -1
    best, best_score = 0, -1e300
    child = int(stats[node].first)
    while child:
        c = stats[child]
        if c.stamp == now:
            if c.available != available:  # most siblings have the same
                available = int(c.available)
                scale = rules.exploration * sqrt(available + since + 0.0) / total
            if c.visits == 0 and beyond:  # most of them: the same without dividing
                score = c.estimate + scale * c.prior
            elif beyond:
                score = c.estimate + c.value / (c.visits + trust) + scale * c.prior / (1.0 + c.visits)
            else:
                score = (c.value + trust * c.estimate) / (c.visits + trust)
                score += scale * c.prior / (1.0 + c.visits)
            if score > best_score:
                best, best_score = child, score
        child = int(c.next)
    return best


@kernel
def select_available_by_visits(stats: Any, rules: SearchParameters, node: int, now: int, dice: int) -> int:
    """Of the children that are marked as legal the one with the highest UCB1 score; the ones never visited
    come first, in an order drawn by `dice`."""
    fresh, best, best_score = 0, 0, -1e300
    child = int(stats[node].first)
    while child:
        c = stats[child]
        if c.stamp == now and c.visits == 0:
            fresh += 1
        elif c.stamp == now and fresh == 0:
            score = c.value / c.visits + rules.exploration * sqrt(log(c.available + 1.0) / c.visits)
            if score > best_score:
                best, best_score = child, score
        child = int(c.next)
    if fresh == 0:
        return best
    which = dice % fresh
    child = int(stats[node].first)
    while child:
        if stats[child].visits == 0 and stats[child].stamp == now:
            best = child
            if which == 0:
                break
            which -= 1
        child = int(stats[child].next)
    return best


@kernel
def select_secret(stats: Any, rules: SearchParameters, node: int, now: int, beyond: bool, dice: int) -> int:
    """The child of a hidden game's node to go to, of those that are marked as legal."""
    if rules.sharpness > 0.0:
        return select_available(stats, rules, node, now, beyond)
    return select_available_by_visits(stats, rules, node, now, dice)


@kernel
def draw_known(views: Any, node: int, n: int, lists: Ints, dice: int) -> int:
    """A child for one of the `n` legal actions, drawn by `dice` (32 bits), each as likely as it was visited,
    or hardly at all if it was not; 0 if none of them has been found yet."""
    total, known, child = 0.0, 0, int(views[node].first)
    for i in range(n):
        action = int(lists[0, i])
        while child and views[child].action < action:
            child = int(views[child].next)
        if child == 0:
            break
        if views[child].action == action and views[child].available > 0:
            total += views[child].visits + 0.01
            lists[1, known] = child
            known += 1
    left, last = total * dice / 4294967296.0, 0
    for i in range(known):
        if left < 0.0:
            break
        last = int(lists[1, i])
        left -= views[last].visits + 0.01
    return last


# ---- growing the tree --------------------------------------------------------------------------------------


@kernel
def count_chosen(stats: Any, node: int) -> None:
    """Count for the children that are marked how often they could have been chosen since they were."""
    since = int(stats[node].since)
    if since == 0:
        return
    child = int(stats[node].first)
    while child:
        if stats[child].stamp == stats[node].marked:
            stats[child].available += since
        child = int(stats[child].next)
    stats[node].since = 0


def mark_legal(memory: SearchMemory, stats: Any, node: int, now: int, informed: bool) -> bool:
    """Merge the actions that are legal this time into the children of a hidden game's node (both ascending)
    and mark them in `stats`, one of `nodes` and `views`. Those that are new to it are left out without room;
    False if none is left. The mover is `informed` if its actions are to be estimated in each guess, and not
    in the first one alone."""
    states, nodes, views, tree, rules = memory.states, memory.nodes, memory.views, memory.tree, memory.rules
    lists, result, worth = memory.lists, memory.result, memory.worth
    n, mover, last, fresh = legal_actions(states[0], lists[0]), int(states[0].to_move), 0, 0
    count_chosen(stats, node)
    stats[node].marked = 0
    stats[node].total = 0.0
    child = int(nodes[node].first)
    for i in range(n):
        action = int(lists[0, i])
        while child and stats[child].action < action:
            last, child = child, int(stats[child].next)
        if child == 0 or stats[child].action != action:
            if tree.used >= tree.end:
                tree.full = 1
                continue
            views[tree.used].next = child  # actions and links are the same in both
            views[tree.used].action = action
            child = insert_node(nodes, tree, node, last, child, action, mover)
            if last:
                views[last].next = child
            else:
                views[node].first = child
        again = informed and (stats[child].visits > 0 or (i + now) % SELDOM == 0)
        if FORESEEN and (again or stats[child].available == 0):  # all at once
            lists[1, fresh] = action
            lists[3, fresh] = child
            fresh += 1
        if not FORESEEN and stats[child].available == 0:
            if rules.sharpness > 0.0:
                stats[child].estimate = look_ahead(states, action, lists, result)
                stats[child].prior = exp(rules.sharpness * (stats[child].estimate - 1.0))
        stats[child].stamp = now
        stats[child].available += 1
        stats[node].marked = now
    if FORESEEN and fresh > 0 and rules.sharpness > 0.0:
        foresee(states[0], lists[1], fresh, worth)
        for i in range(fresh):
            child = int(lists[3, i])
            if worth[i] < 0.0:  # left open
                if stats[child].available > 1:
                    continue
                worth[i] = look_ahead(states, int(nodes[child].action), lists, result)
            stats[child].estimate = worth[i]
            stats[child].prior = exp(rules.sharpness * (stats[child].estimate - 1.0))
    stats[node].expanded = WHOLE
    return bool(stats[node].marked == now)


# ---- a walk ------------------------------------------------------------------------------------------------


def secret_walk(memory: SearchMemory, seat: int, how: int, depth: int, seed: int, now: int, once: int) -> int:
    """Walk states[0] from the node path[depth - 1] down the tree, growing it, to where it is to be evaluated.
    The nodes passed go into `path`; returns how many they are in all. `how` is explained at
    `simulate_secret`; `now` and `once` are the numbers of the guess, and of a guess of this walk alone.

    A node gets children at its `expand_at`-th visit, later in a tree that fills up; but a turn that was begun
    is finished first, because estimates are at their best between turns.
    """
    s, nodes, views, tree, rules = memory.states[0], memory.nodes, memory.views, memory.tree, memory.rules
    path, node, begun = memory.path, int(memory.path[depth - 1]), how == IMAGINED
    # alone: what is legal at a node may be so in this walk only, as after an action that `seat` cannot tell
    # from others
    alone, beyond = how == ON, rules.informed != 0 and how == IMAGINED
    tree.halted = 0
    while s.ending == 0 and depth + 2 < len(path):
        mover, turn, reveals = int(s.to_move), int(s.turn), int(s.reveals)
        stats = views if how == IMAGINED or mover != seat else nodes
        if tree.reply > 0:
            child = int(tree.reply)
            tree.reply = 0
        else:
            visits = int(views[node].visits) if how == IMAGINED else int(nodes[node].visits)
            expand_at = int(rules.expand_later_at) if tree.simulations >= EACH else int(rules.expand_at)
            if stats[node].expanded == 0 and node != 0 and not begun:
                if visits + 1 < visits_wanted(tree, expand_at):
                    break
            if how == FIRST and mover != seat:
                tree.halted = 1
                break
            here = once if alone else now
            if how != IMAGINED and mover != seat:
                n = legal_actions(s, memory.lists[0])
                child = draw_known(stats, node, n, memory.lists, mix(seed, depth))
                if child == 0:
                    break
            else:
                if stats[node].marked == here:
                    stats[node].since += 1
                elif not mark_legal(memory, stats, node, here, beyond and mover != seat):
                    break
                child = select_secret(stats, rules, node, here, beyond, mix(seed, depth))
        action = int(nodes[child].action)
        path[depth] = child
        depth += 1
        seen = action if mover == seat else hide_action(s, action, seat)
        apply(s, action)
        code = revealed(s)
        if code < 0:  # more than could be branched on
            break
        # the searching seat cannot tell this action from others: what follows is the same node
        if seen != action:
            child = find_outcome(nodes, tree, rules, node, seen + 2, 2 * code, mover)
        elif code:
            child = find_outcome(nodes, tree, rules, child, 0, 2 * code, mover)
        if child == 0:
            break
        if seen != action or code:
            path[depth] = child
            depth += 1
        node = child
        begun = s.turn == turn and s.to_move == mover and s.reveals == reveals
        alone = alone or seen != action
    return depth
