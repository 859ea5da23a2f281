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

Several threads may work on the tree of an open game (`SHARED`). A visit is counted on the way down and its
value added on the way up, so that others look elsewhere meanwhile (Chaslot, Winands and van den Herik,
"Parallel Monte-Carlo Tree Search", Computers and Games 2008: tree parallelization with virtual loss). There
are no locks: counts are added atomically, who makes a node's children claims it, who comes to a claimed node
evaluates there, and each thread makes new nodes in a range of its own. What one core has written another one
waits for; so a thread stays below a busy node for several simulations, and what they have found is added to
the nodes above it all at once (`simulate_together`).

All memory belongs to Python (`thinking.py`): trees, states and scratch are passed in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import exp, log, sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from ludoteca.game import Game
from ludoteca.kernel import Array, Floats, Ints, Record, field, kernel, mix, specialise
from ludoteca.kernel.atomic import atomic_add, atomic_swap, release
from ludoteca.kernel.exponential import exp_of
from ludoteca.search.levels import SearchSettings

MAX_DEPTH = 512  # nodes passed in one simulation
MAX_PLAYOUT = 100_000  # random actions after which a playout to the end is cut off all the same
NARROW, WHOLE = 1, 2  # a node has its most promising children only, or all
# shared trees: another thread is making a node's first children, or all that are missing
GROWING, WIDENING = 3, 4
EACH = 256  # simulations of a search in a game with secrets that have a guess each
# actions of an informed mover that it has never chosen are estimated anew in one guess of so many
SELDOM = 4
FEW = 16  # a begun turn with more continuations than this is estimated as it stands
APART = 4  # records of trees, of 24 bytes, that lie in lines of their own (64 bytes)
FIRST, IMAGINED, ON, TOP = 0, 1, 2, 3  # kinds of walks, see `simulate` and `simulate_together`
# shared trees: a node is busy that was visited at least so often, and in one simulation of so many; below it
# a thread stays for one simulation for so many visits of it, but for no more than that
BUSY, BUSY_PART, STAY_PART, STAY_MOST = 256, 64, 32, 32

# Names that every game provides; `bind` puts the game's own functions in their place.
# ruff: noqa: F821
apply: Callable[..., None]
legal_actions: Callable[..., int]
outcome: Callable[..., None]
estimate: Callable[..., None]
hide: Callable[..., None]
prepare: Callable[..., None]
guess: Callable[..., None]
revealed: Callable[..., int]
hide_action: Callable[..., int]
random_action: Callable[..., int]
foresee: Callable[..., None]
look_at_all: Callable[..., None]
# of the game; a constant while compiling, so that what an open game does not need is left out
SECRETS: bool
FORESEEN: bool  # the game has `foresee`
# do several threads work on the tree? A constant, too
SHARED: bool


class Node(Record):
    """An action at the node above it, or one of the things that an action may reveal (`code` > 0). Links are
    indices, 0: none."""

    # sum of the results for `mover`; in `views` of informed searches, of what they exceed estimates by
    value: float = field('f8')
    visits: int = field('i4')
    estimate: float = field('f4')  # expected outcome for `mover` right after the action
    # how much the estimates speak for it; the sum over siblings is 1 in open games
    prior: float = field('f4')
    action: int = field('i4')
    next: int = field('i4')  # sibling, or next outcome
    first: int = field('i4')  # child
    outcomes: int = field('i4')  # first of the nodes below that differ in what was revealed
    code: int = field('i4')  # of an outcome: what was revealed
    # of an outcome: the action as the searching seat may know it, if it cannot know it all
    seen: int = field('i4')
    mover: int = field('i1')
    expanded: int = field('i1')  # 0, NARROW, WHOLE, GROWING or WIDENING


class OpenNode(Node):
    """A node of a game without secrets."""

    # the children that a node gets at first lie one after another from `few` on, those that it gets later
    # from `others` on
    n_few: int = field('i2')
    few: int = field('i4')
    others: int = field('i4')
    n_others: int = field('i2')
    # 1 + the single legal action here, which is applied at once; 0: none, or not known yet
    then: int = field('i4')


class Marks(Record):
    """What a node of a game with secrets has beside. Which of its children are legal depends on the guess."""

    available: int = field('i4')  # simulations that could have chosen it
    stamp: int = field('i4')  # the last guess in which it was legal, counted from 1
    # the last guess for which the legal ones among its children were marked, counted from 1; how often a walk
    # has chosen among them since, and the sum of their priors, 0: not known
    marked: int = field('i4')
    since: int = field('i4')
    total: float = field('f8')


class SecretNode(Node, Marks):
    """A node of a game with secrets; what a choice asks for lies together."""


class Score(Record):
    """What `select_by_prior` asks of a node of an open game, made ready whenever the node's numbers change: a
    choice looks at dozens of nodes, and only one of them changes."""

    mean: float = field('f8')  # of the results and the estimate
    prior: float = field('f4')
    visits: int = field('i4')


class Tree(Record):
    """What a thread counts. Its new nodes come from a range of the array that is its own."""

    begin: int = field('i4')  # the range: from the first node to the end
    end: int = field('i4')
    used: int = field('i4')  # the next node that is free
    simulations: int = field('i4')
    full: int = field('i1')  # a node could not be made for want of room
    # the walk came to where another seat chooses, see `simulate`; shared trees: to where the thread stays
    halted: int = field('i1')
    passed: int = field('i1')  # shared trees: the forced action of the node where it halted has been applied
    reply: int = field('i4')  # what the other seat has chosen where the walk halted, 0: not known


class SearchParameters(Record):
    """How to search: the compiled form of `levels.Settings`, where the fields are explained."""

    exploration: float = field('f8')
    trust: float = field('f8')
    sharpness: float = field('f8')
    expand_at: int = field('i4')
    expand_later_at: int = field('i4')
    playout: int = field('i4')
    narrow: int = field('i4')
    wide_at: int = field('i4')
    most_codes: int = field('i4')
    hold: int = field('i4')
    informed: int = field('i1')


# ---- choosing a child --------------------------------------------------------------------------------------


@kernel
def note_score(nodes: Any, scores: Any, rules: SearchParameters, node: int) -> None:
    """Make a node's score ready. A node that was not visited counts as good as its estimate."""
    c = nodes[node]
    scores[node].mean = (c.value + rules.trust * c.estimate) / (c.visits + rules.trust)
    scores[node].prior = c.prior
    scores[node].visits = c.visits


def note_scores(nodes: Any, scores: Any, rules: SearchParameters) -> None:
    """The same for all nodes of arrays."""
    scores['mean'] = (nodes['value'] + rules.trust * nodes['estimate'].astype(float)) / (
        nodes['visits'] + rules.trust
    )
    scores['prior'] = nodes['prior']
    scores['visits'] = nodes['visits']


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
def select_available(stats: Any, rules: SearchParameters, node: int, now: int, beyond: bool) -> int:
    """The same in a game with secrets, of the children that are marked as legal. `beyond`: their values are
    what results have exceeded estimates by."""
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


def select_by_visits(nodes: Any, rules: SearchParameters, node: int, now: int, dice: int) -> int:
    """The child with the highest UCB1 score; the ones never visited come first, in an order drawn by
    `dice`."""
    fresh, best, best_score = 0, 0, -1e300
    log_n = log(nodes[node].visits + 1.0)
    child = int(nodes[node].first)
    while child:
        c = nodes[child]
        if SECRETS and c.stamp != now:
            child = int(c.next)
            continue
        if c.visits == 0:
            fresh += 1
        elif fresh == 0:
            if SECRETS:
                log_n = log(c.available + 1.0)
            score = c.value / c.visits + rules.exploration * sqrt(log_n / c.visits)
            if score > best_score:
                best, best_score = child, score
        child = int(c.next)
    if fresh == 0:
        return best
    which = dice % fresh
    child = int(nodes[node].first)
    while child:
        if nodes[child].visits == 0 and (not SECRETS or nodes[child].stamp == now):
            best = child
            if which == 0:
                break
            which -= 1
        child = int(nodes[child].next)
    # another thread may have visited all of them meanwhile
    return best if best else int(nodes[node].first)


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
def add_node(nodes: Any, tree: Tree, action: int, mover: int) -> int:
    """A new node at the end of the array, which the caller knows to have room."""
    new = int(tree.used)
    tree.used = new + 1
    nodes[new].action = action
    nodes[new].mover = mover
    return new


@kernel
def link_outcome(nodes: Any, tree: Tree, holder: int, last: int, new: int) -> int:
    """Link a thread's newest node as an outcome of `holder`, after `last` (0: as the first). If another
    thread has linked the same outcome meanwhile, that one is returned and the new node is given back."""
    while True:
        if last:
            found = atomic_swap(nodes, last, 'next', 0, new)
        else:
            found = atomic_swap(nodes, holder, 'outcomes', 0, new)
        if found == 0:
            return new
        if nodes[found].code == nodes[new].code and nodes[found].seen == nodes[new].seen:
            tree.used = new
            nodes[new].action = nodes[new].mover = nodes[new].seen = nodes[new].code = 0
            return int(found)
        last = int(found)


def find_outcome(
    nodes: Any, tree: Tree, rules: SearchParameters, holder: int, seen: int, code: int, mover: int
) -> int:
    """The node below `holder` for what was seen and revealed, made if it is new; 0 if there are too many of
    them already."""
    last, count = 0, 0
    child = int(nodes[holder].outcomes)
    while child:
        if nodes[child].code == code and nodes[child].seen == seen:
            return child
        count += 1
        last, child = child, int(nodes[child].next)
    if count >= rules.most_codes or tree.used >= tree.end:
        return 0
    new = add_node(nodes, tree, int(nodes[holder].action), mover)
    nodes[new].seen = seen
    nodes[new].code = code
    if SHARED:
        return link_outcome(nodes, tree, holder, last, new)
    if last:
        nodes[last].next = new
    else:
        nodes[holder].outcomes = new
    return new


@kernel
def insert_node(
    nodes: Any, tree: Tree, parent: int, last: int, following: int, action: int, mover: int
) -> int:
    """A new child of `parent` between its children `last` (0: it is to be the first) and `following` (0: the
    last)."""
    new = add_node(nodes, tree, action, mover)
    nodes[new].next = following
    release()  # another thread that finds the node finds it whole
    if last:
        nodes[last].next = new
    else:
        nodes[parent].first = new
    return new


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


def look_ahead(states: Any, action: int, lists: Ints, result: Floats) -> float:
    """The expected outcome for the seat to move in states[0] after an action there; a turn that the action
    leaves unfinished is finished in the way that the estimate likes best: by one more action, and if need be
    by the last legal one after it."""
    states[1] = states[0]
    s = states[1]
    seat, turn, reveals = int(s.to_move), int(s.turn), int(s.reveals)
    apply(s, action)
    if s.ending or s.turn != turn or s.to_move != seat or s.reveals != reveals:
        estimate(s, result)
        return result[seat]
    n = legal_actions(s, lists[1])
    if n > FEW:
        estimate(s, result)
        return result[seat]
    best = -1.0
    for i in range(n):
        states[2] = states[1]
        s = states[2]
        apply(s, int(lists[1, i]))
        if s.ending == 0 and s.turn == turn and s.to_move == seat and s.reveals == reveals:
            states[3] = states[2]
            apply(states[3], int(lists[2, legal_actions(s, lists[2]) - 1]))
            if states[3].ending or states[3].turn != turn or states[3].to_move != seat:
                s = states[3]
        estimate(s, result)
        best = max(best, result[seat])
    return best


def ask_each(states: Any, n: int, lists: Ints, result: Floats, worth: Floats) -> None:
    """The expected outcome for the seat to move after each of its `n` actions, into `worth`: one look ahead
    after another."""
    for i in range(n):
        worth[i] = look_ahead(states, int(lists[0, i]), lists, result)


def ask_at_once(states: Any, n: int, lists: Ints, _: Floats, worth: Floats) -> None:
    """The same, roughly, by the game's own `foresee`."""
    foresee(states[0], lists[0], n, worth)


def expand(
    states: Any,
    nodes: Any,
    scores: Any,
    tree: Tree,
    rules: SearchParameters,
    node: int,
    n: int,
    lists: Ints,
    result: Floats,
    worth: Floats,
) -> bool:
    """Make children of an open game's node for its `n` legal actions: the ones that the estimates like best,
    and when it has been visited often, or has few, all the others. False if there is no room.

    The children are ascending; links and statistics of those that are there already stay. `worth` has room
    for two numbers an action.
    """
    mover, whole = int(states[0].to_move), True
    if tree.used + n > tree.end:
        tree.full = 1
        return False
    if rules.sharpness > 0.0:
        worth[0] = 1.0
        if n > 1:
            look_at_all(states, n, lists, result, worth)
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


def refresh(
    states: Any,
    nodes: Any,
    views: Any,
    stats: Any,
    tree: Tree,
    rules: SearchParameters,
    node: int,
    n: int,
    lists: Ints,
    result: Floats,
    worth: Floats,
    now: int,
    informed: bool,
) -> bool:
    """Merge the actions that are legal this time into the children of a hidden game's node (both ascending)
    and mark them in `stats`, one of `nodes` and `views`. Those that are new to it are left out without room;
    False if none is left. The mover is `informed` if its actions are to be estimated in each guess, and not
    in the first one alone."""
    mover, last, fresh = int(states[0].to_move), 0, 0
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


# ---- a simulation ------------------------------------------------------------------------------------------


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


def walk(
    seat: int,
    states: Any,
    nodes: Any,
    views: Any,
    scores: Any,
    tree: Tree,
    rules: SearchParameters,
    seed: int,
    path: Ints,
    depth: int,
    how: int,
    now: int,
    once: int,
    lists: Ints,
    result: Floats,
    worth: Floats,
) -> int:
    """Walk states[0] from the node path[depth - 1] down the tree, growing it, to where it is to be evaluated.
    The nodes passed go into `path`; returns how many they are in all. `how` is explained at `simulate`.

    A node gets children at its `expand_at`-th visit, later in a tree that fills up; but a turn that was begun
    is finished first, because estimates are at their best between turns. A single legal action is applied
    without a node of its own.
    """
    s, node, begun = states[0], int(path[depth - 1]), how == IMAGINED
    # passed: the node's forced action has been applied; alone: what is legal at a node may be so in this walk
    # only, as after an action that `seat` cannot tell from others
    passed, stats, alone, here, busy = False, nodes, how == ON, now, 0
    if SHARED and how == TOP:
        busy = max(BUSY, int(nodes[0].visits) // BUSY_PART)
    elif SHARED:
        passed = tree.passed == 1
    tree.halted = tree.passed = 0
    while s.ending == 0 and depth + 2 < len(path):
        child, action = node, -1
        if not SECRETS and not passed:
            action = int(nodes[node].then) - 1
        grow, informed = True, False
        if SECRETS:
            grow = how == IMAGINED or s.to_move == seat
            stats = views if how == IMAGINED or s.to_move != seat else nodes
            informed = FORESEEN and rules.informed != 0 and how == IMAGINED and s.to_move != seat
        grown = int(stats[node].expanded)
        if grown == NARROW and nodes[node].visits >= rules.wide_at and not tree.full:
            grown = 0
        if SHARED and action < 0 and grown == GROWING:
            break
        if SECRETS and tree.reply > 0:
            child = int(tree.reply)
        elif action < 0 and (SECRETS or grown == 0):
            # choosy when it is half full
            filled = 8 * int(tree.used - tree.begin) // int(tree.end - tree.begin)
            wanted = int(rules.expand_at)
            if SECRETS and tree.simulations >= EACH:
                wanted = int(rules.expand_later_at)
            wanted <<= max(0, filled - 4)
            visits = int(views[node].visits) if how == IMAGINED else int(nodes[node].visits)
            if SHARED and how != TOP:
                visits -= 1  # this one is counted already
            if stats[node].expanded == 0 and node != 0 and not begun and visits + 1 < wanted:
                break
            if how == FIRST and not grow:
                tree.halted = 1
                break
            if SECRETS:
                here = once if alone else now
                if not grow:
                    child = draw_known(stats, node, legal_actions(s, lists[0]), lists, mix(seed, depth))
                    if child == 0:
                        break
                elif stats[node].marked == here:
                    stats[node].since += 1
                elif not refresh(
                    states,
                    nodes,
                    views,
                    stats,
                    tree,
                    rules,
                    node,
                    legal_actions(s, lists[0]),
                    lists,
                    result,
                    worth,
                    here,
                    informed,
                ):
                    break
            else:
                n = legal_actions(s, lists[0])
                if n == 1 and node != 0 and not passed:
                    action = int(lists[0, 0])
                    nodes[node].then = action + 1
                elif SHARED and not claim(nodes, node):
                    # another thread makes the first children, or has just found no room for them
                    if nodes[node].expanded == GROWING or nodes[node].first == 0:
                        break
                elif (
                    not expand(states, nodes, scores, tree, rules, node, n, lists, result, worth)
                    and give_up(nodes, node) == 0
                ):
                    break
        before, passed = passed, action >= 0
        if not passed:
            if SECRETS:
                if not grow:  # chosen or drawn above
                    tree.reply = 0
                elif rules.sharpness > 0.0:
                    beyond = rules.informed != 0 and how == IMAGINED
                    child = select_available(stats, rules, node, here, beyond)
                else:
                    child = select_by_visits(stats, rules, node, here, mix(seed, depth))
            elif rules.sharpness > 0.0:
                child = select_by_prior(nodes, scores, rules, node)
            else:
                child = select_by_visits(nodes, rules, node, here, mix(seed, depth))
            if SHARED and how == TOP and (nodes[child].visits < busy or nodes[child].expanded == 0):
                tree.halted, tree.passed = 1, int(before)
                break
            action = int(nodes[child].action)
            path[depth] = child
            depth += 1
            if SHARED and how != TOP:
                atomic_add(nodes, child, 'visits', 1)
                note_score(nodes, scores, rules, child)
        mover, turn, reveals, seen = int(s.to_move), int(s.turn), int(s.reveals), action
        if SECRETS and mover != seat:
            seen = hide_action(s, action, seat)
        apply(s, action)
        code = revealed(s)
        if code < 0:  # more than could be branched on
            break
        # the searching seat cannot tell this action from others: what follows is the same node
        if seen != action:
            child = find_outcome(nodes, tree, rules, node, seen + 2, 2 * code, mover)
        elif code:
            child = find_outcome(nodes, tree, rules, child, 0, 2 * code + int(passed), mover)
        if child == 0:
            break
        if seen != action or code:
            path[depth] = child
            depth += 1
            passed = False
            if SHARED and how != TOP:
                atomic_add(nodes, child, 'visits', 1)
        node = child
        begun = s.turn == turn and s.to_move == mover and s.reveals == reveals
        if SECRETS:
            alone = alone or seen != action
    return depth


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


def simulate(
    root: Any,
    seat: int,
    states: Any,
    knowledge: Any,
    imagined: Any,
    work: Any,
    nodes: Any,
    views: Any,
    scores: Any,
    tree: Tree,
    rules: SearchParameters,
    seed: int,
    path: Ints,
    lists: Ints,
    result: Floats,
    worth: Floats,
    totals: Array,
    simulations: int,
) -> None:
    """Run simulations from the hidden state `root` of `seat` on a tree, which goes on where it was.

    In games with secrets the others do not know what the seat knows. So where a simulation FIRST comes to a
    choice of another seat, it halts, and that seat guesses in its turn what is hidden from it. A walk through
    this IMAGINED position goes on from there and is counted in `views`, a second set of numbers for the same
    nodes. Then the halted walk goes ON, and the actions of the others are drawn as often as `views` has
    visited them: they are those of somebody who neither knows the seat's secrets nor always does the same.

    `views` counts for all guesses together, so by its values alone the others would not know their own
    secrets either. If they are `informed`, their actions are estimated in each guess, `views` adds up by how
    much results exceed these estimates, and the halted walk goes on with the very action that was chosen in
    the imagined position. From the simulation EACH on, `hold` simulations have a guess in common, so that
    what was legal and foreseen at a node in that guess need not be asked again.

    `states` are seven states, `knowledge` the game's work record after `prepare`, `imagined` and `work`
    others; `path`, `lists` (four of legal actions), `result` and `worth` are scratch. totals[0] is the sum
    of all results, totals[1 + i] that of the simulations which began with the i-th legal action of the root;
    a row has a column for each seat, and the last row is scratch.
    """
    held, at = -1, -1
    for _ in range(simulations):
        number = int(tree.simulations)
        which = number if number < EACH else EACH + (number - EACH) // int(rules.hold)
        if which == held:
            states[0] = states[5]
        else:
            states[0] = root
            guess(states[0], seat, mix(seed, 2 * which), knowledge)
            if SECRETS:
                states[5] = states[0]
                held, at = which, -1
        chance, now, once = mix(seed, 2 * number + 1), which + 1, -2 * number - 1
        path[0] = 0
        depth = walk(
            seat,
            states,
            nodes,
            views,
            scores,
            tree,
            rules,
            chance,
            path,
            1,
            FIRST,
            now,
            once,
            lists,
            result,
            worth,
        )
        if SECRETS and tree.halted:
            states[4] = states[0]
            if path[depth - 1] == at:
                states[0] = states[6]
            else:
                mover = int(states[0].to_move)
                hide(states[0], mover)
                prepare(states[0], mover, imagined)
                guess(states[0], mover, mix(mix(seed, 2 * which + 1), 1), imagined)
                states[6] = states[0]
                at = int(path[depth - 1])
            end = walk(
                seat,
                states,
                nodes,
                views,
                scores,
                tree,
                rules,
                mix(chance, 2),
                path,
                depth,
                IMAGINED,
                now,
                once - 1,
                lists,
                result,
                worth,
            )
            evaluate(states, work, rules, result)
            for i in range(depth - 1, end):
                node = path[i]
                views[node].visits += 1
                views[node].value += result[nodes[node].mover]
                if rules.informed:  # only what is not foreseen
                    views[node].value -= (
                        views[node].estimate if views[node].available else result[nodes[node].mover]
                    )
            states[0] = states[4]
            if rules.informed and end > depth:
                tree.reply = path[depth]
            depth = walk(
                seat,
                states,
                nodes,
                views,
                scores,
                tree,
                rules,
                chance,
                path,
                depth,
                ON,
                now,
                once,
                lists,
                result,
                worth,
            )
        evaluate(states, work, rules, result)
        for i in range(depth):
            nodes[path[i]].visits += 1
            nodes[path[i]].value += result[nodes[path[i]].mover]
            if not SECRETS and rules.sharpness > 0.0:
                note_score(nodes, scores, rules, path[i])
        first = path[1] if depth > 1 else 0
        for p in range(root.players):
            totals[0, p] += result[p]
            totals[first, p] += result[p]
        tree.simulations = number + 1


@kernel
def count_shared(
    nodes: Any,
    scores: Any,
    rules: SearchParameters,
    path: Ints,
    begin: int,
    end: int,
    visits: int,
    gained: Floats,
) -> None:
    """Add visits, and what each seat has gained by them, to the nodes of a part of the path."""
    for i in range(begin, end):
        node = int(path[i])
        if visits > 0:
            atomic_add(nodes, node, 'visits', visits)
        else:
            atomic_add(nodes, node, 'value', gained[nodes[node].mover])
        if rules.sharpness > 0.0:
            note_score(nodes, scores, rules, node)


def simulate_together(
    root: Any,
    seat: int,
    states: Any,
    knowledge: Any,
    imagined: Any,
    work: Any,
    nodes: Any,
    views: Any,
    scores: Any,
    tree: Tree,
    rules: SearchParameters,
    seed: int,
    path: Ints,
    lists: Ints,
    result: Floats,
    worth: Floats,
    totals: Array,
    simulations: int,
) -> None:
    """The same on the tree of an open game that several threads share.

    A walk from the TOP halts where the child to go to is not busy, or has no children. There the thread stays
    for some simulations, which begin with what is to be known of that position: each guesses chance anew.
    Their visits are added to the nodes above before them, so that others look elsewhere meanwhile, and their
    results after them.
    """
    left, gained = simulations, totals[len(totals) - 1]
    while left > 0:
        states[0] = root
        number = int(tree.simulations)
        guess(states[0], seat, mix(seed, 2 * number), knowledge)
        path[0], tree.passed = 0, 0
        top = walk(
            seat,
            states,
            nodes,
            views,
            scores,
            tree,
            rules,
            mix(seed, 2 * number + 1),
            path,
            1,
            TOP,
            0,
            0,
            lists,
            result,
            worth,
        )
        halted, passed, stay = tree.halted == 1, int(tree.passed), 1
        if halted and nodes[path[top - 1]].visits >= BUSY:
            stay = min(left, STAY_MOST, int(nodes[path[top - 1]].visits) // STAY_PART)
        count_shared(nodes, scores, rules, path, 0, top, stay, result)
        if stay > 1:
            states[4] = states[0]
            hide(states[4], seat)
            prepare(states[4], seat, imagined)
        for p in range(root.players):
            gained[p] = 0.0
        for k in range(stay):
            if k > 0:
                states[0] = states[4]
                guess(states[0], seat, mix(seed, 2 * (number + k)), imagined)
            depth, tree.passed = top, passed
            if halted:
                depth = walk(
                    seat,
                    states,
                    nodes,
                    views,
                    scores,
                    tree,
                    rules,
                    mix(seed, 2 * (number + k) + 1),
                    path,
                    top,
                    ON,
                    0,
                    0,
                    lists,
                    result,
                    worth,
                )
            evaluate(states, work, rules, result)
            count_shared(nodes, scores, rules, path, top, depth, 0, result)
            first = path[1] if depth > 1 else 0
            for p in range(root.players):
                gained[p] += result[p]
                totals[0, p] += result[p]
                totals[first, p] += result[p]
        count_shared(nodes, scores, rules, path, 0, top, 0, gained)
        tree.simulations = number + stay
        left -= stay


# ---- binding -----------------------------------------------------------------------------------------------

TEMPLATES = (
    select_by_visits,
    look_ahead,
    ask_each,
    ask_at_once,
    find_outcome,
    expand,
    refresh,
    walk,
    evaluate,
    simulate,
)
# the templates that are others for a tree that several threads share; the last one takes the place of
# `simulate`
OF_SHARED = (find_outcome, walk, simulate_together)
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
)


@cache
def bind(game: Game, edition: str = '', shared: bool = False) -> Any:
    """The templates compiled for a game, as attributes, with the kernels that a frozen bot has in place of
    the game's own. Compiling happens at the first call and is kept in the game's cache. The ones for trees
    that several threads share are others, compiled only for those who ask for them. Each has a name of its
    own: of two kernels of one name in one process the linker may take either."""
    kernels = game.kernels._replace(**game.editions.get(edition, {}))
    scope = dict(globals())
    scope.update({name: getattr(kernels, name) for name in FROM_GAME})
    scope['foresee'] = kernels.foresee
    scope['SECRETS'], scope['SHARED'], scope['FORESEEN'] = game.hidden, shared, kernels.foresee is not None
    name = '_'.join(filter(None, (game.name, edition, 'shared' if shared else '')))
    bound = SimpleNamespace()
    if shared:
        bound = SimpleNamespace(**vars(bind(game, edition)))
        scope.update(vars(bound))
    for template in OF_SHARED if shared else TEMPLATES:
        scope[template.__name__] = specialise(template, scope, name, Path(game.home))
        setattr(bound, template.__name__, scope[template.__name__])
    if shared:
        bound.simulate = bound.simulate_together
    scope['look_at_all'] = bound.ask_each if kernels.foresee is None else bound.ask_at_once
    return bound


def make_trees(game: Game, most_nodes: int, seats: int, threads: int) -> list[SimpleNamespace]:
    """Memory for a search on several threads: everything that `simulate` wants but the root, the seat, the
    rules and the seed. The threads share the nodes: each has a range of them to make new ones of."""
    nodes = SecretNode.array(most_nodes) if game.hidden else OpenNode.array(most_nodes)
    views = SecretNode.array(most_nodes) if game.hidden else nodes
    # a node's score is noted when the node is made: no need to clear that much memory for every search
    scores = np.empty(1 if game.hidden else most_nodes, Score.DTYPE)
    # what a thread writes all the time lies apart from what others do: in one cache line they would wait for
    # each other
    trees, results = Tree.array(APART * threads)[::APART], np.zeros((threads, max(seats, 8 * APART)))
    for k in range(threads):
        trees[k].begin, trees[k].end = most_nodes * k // threads, most_nodes * (k + 1) // threads
        trees[k].used = trees[k].begin + (k == 0)
    return [
        SimpleNamespace(
            states=game.State.array(7),
            knowledge=game.Work.new(),
            imagined=game.Work.new(),
            work=game.Work.new(),
            nodes=nodes,
            views=views,
            scores=scores,
            tree=trees[k],
            path=np.empty(MAX_DEPTH, np.int32),
            lists=np.empty((4, game.max_legal), np.int32),
            result=results[k, :seats],
            worth=np.empty(2 * game.max_legal),
            totals=np.zeros((game.max_legal + 2, seats)),
            # by child of the root: simulations of earlier searches, and the sum of their results for the seat
            # to move, see turn_memory.py
            reused=np.zeros((game.max_legal, 2)),
        )
        for k in range(threads)
    ]


def make_rules(settings: SearchSettings, game: Game, players: int) -> SearchParameters:
    """Settings in the form that kernels read, for a position of so many players."""
    rules = SearchParameters.new()
    for name in ('exploration', 'trust', 'sharpness', 'playout', 'narrow', 'wide_at', 'most_codes'):
        setattr(rules, name, getattr(settings, name))
    if settings.scaled:  # outcomes of all seats add up to 1
        rules.exploration *= 2 / players
        rules.sharpness *= players / 2
    rules.expand_at = rules.expand_later_at = max(2, settings.expand_at)
    rules.hold = 1
    if game.hidden and rules.sharpness > 0:
        kernels = game.kernels._replace(**game.editions.get(settings.edition, {}))
        rules.informed = settings.informed and kernels.foresee is not None
        rules.hold = settings.hold
        rules.expand_later_at = max(rules.expand_at, settings.expand_later_at)
    return rules
