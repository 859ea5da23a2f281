"""The trees of `Forest`: PUCT over information sets with a learner's priors and values, as templates that
`bind_forest` compiles for a game.

A SIMULATION fills the holes of the root (`guess`), walks down its tree and stops at a LEAF: a position that
has no priors yet. There it waits. The learner's answer gives the leaf's actions their priors, and adds its
values to all that the walk has passed (max^n: each choice counts for the seat that made it). Edges lead to
one node for each thing that an action may reveal, as in tree.py, so that nothing is decided on knowledge that
is still to come.

In games with secrets other seats do not know what the seat of the root knows. As in tree.py, a walk halts at
the first choice of another seat. That seat guesses in its turn; an IMAGINED walk goes on from its guess and
is counted in a second set of numbers (`views`). Then the halted walk goes ON, and the others' actions are
drawn as often as `views` has visited them. Actions become known as guesses make them legal. A node where one
is legal that has no prior yet is a leaf once more.

Sources: of the selection rule Silver and others, "A general reinforcement learning algorithm that masters
chess, shogi, and Go through self-play", Science 362 (2018), without their slowly growing constant; of virtual
loss Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search", Computers and Games (2008).

Memory: each tree has ranges of its own in the arrays, and all links count from their beginnings. Edges that
were tried lie in blocks that double; actions of an open game that were not are in a list with their priors
alone, because most of them never will be.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ludoteca.batch import observe_as, reward
from ludoteca.game import Game
from ludoteca.kernel import Array, Floats, Ints, Record, field, kernel, mix, specialise

MAX_DEPTH = 512  # actions of one simulation
MOST_CODES = 32  # outcomes of an action that are told apart; leaves of others are evaluated and forgotten
FEWEST = 2  # edges that the first block of a node has room for
NEW, WAITING, GROWN = range(3)  # a node has no priors; its leaf is with the learner; it has priors
FIRST, IMAGINED, ON = range(3)  # kinds of walks
LEAF, OVER, HALTED, MET = range(4)  # how a walk ends; MET: at a leaf that is with the learner already
NOWHERE = -1  # a position for which there is no node
TAKEN = -1.0  # the prior, in a list, of an action that has an edge; and of an edge that has none yet

# Names that every game provides; `bind_forest` puts the game's own functions in their place.
# ruff: noqa: F821
apply: Callable[..., None]
legal_actions: Callable[..., int]
outcome: Callable[..., None]
hide: Callable[..., None]
mover_view: Callable[..., None]
prepare: Callable[..., None]
guess: Callable[..., None]
revealed: Callable[..., int]
hide_action: Callable[..., int]
# constants while compiling
SECRETS: bool
SEALED: int  # sealed phases, a bit each


class Node(Record):
    """A position as far as the seat of the root can tell it from others. Links count from the beginning of
    the tree; 0 is none, since the root is below nothing."""

    first: int = field('i4')  # open games: where the list of its actions begins
    n: int = field('i4')  # how long it is
    best: int = field('i4')  # the most promising action of the list that has no edge, -1 if all have
    edges: int = field('i4')  # where the block of its edges begins
    count: int = field('i4')  # edges
    room: int = field('i4')  # of the block
    merged: int = field(
        'i4'
    )  # hidden games: first of the nodes after actions that the seat cannot tell apart
    next: int = field('i4')  # another outcome of the same action
    code: int = field('i4')  # of an outcome: what was revealed
    seen: int = field('i4')  # of a merged one: the action as the seat may know it, plus 2


class Sums(Record):
    """What the simulations through a node have brought."""

    value: float = field('f8')  # sum of the values for its mover
    visits: int = field('i4')
    pending: int = field('i4')  # simulations whose leaf is with the learner
    state: int = field('i4')  # NEW, WAITING or GROWN


class Edge(Record):
    """An action that was tried; in hidden games one that was legal in some guess."""

    value: float = field('f8')  # sum of the values for the mover
    visits: int = field('i4')
    pending: int = field('i4')
    prior: float = field('f4')
    action: int = field('i4')
    child: int = field('i4')  # first of its outcomes
    available: int = field('i4')  # hidden games: simulations that could have chosen it


class Plant(Record):
    """A tree: its root, and what of its ranges is in use."""

    seed: int = field('i8')
    used: int = field('i4')  # nodes
    listed: int = field('i4')  # actions in lists
    edged: int = field('i4')  # edges in blocks
    draws: int = field('i4')  # guesses so far
    n: int = field('i4')  # legal actions of the root
    seat: int = field('i1')
    idle: int = field('i1')  # the game is over, or there is none yet
    full: int = field('i1')  # something could not be kept for want of room
    kept: int = field('i1')  # it went on from an earlier tree
    mixed: int = field('i1')  # the root has its noise


class Leaf(Record):
    """A walk that waits for the learner, a row of the batch."""

    tree: int = field('i4')
    node: int = field('i4')  # NOWHERE: to be evaluated, and then forgotten
    depth: int = field('i4')  # steps in all
    begin: int = field('i4')  # of an imagined walk: the first step that counts
    mover: int = field('i4')
    how: int = field('i4')
    grows: int = field('i4')  # shall the node get priors?
    other: int = field('i4')  # do they belong to `views`?


class Search(Record):
    """How to search; `Forest` explains the fields."""

    c_puct: float = field('f8')
    fraction: float = field('f8')  # of noise
    virtual_loss: float = field('f8')
    unvisited: float = field('f8')
    by_mean: int = field('i4')  # an action never visited counts as good as its position, not as `unvisited`
    leaves: int = field('i4')  # simulations of a tree in one batch


# ---- growing a tree ----------------------------------------------------------------------------------------


@kernel
def add_edge(
    nodes: Any, edges: Any, views: Any, plant: Plant, node: int, action: int, prior: float, least: int
) -> int:
    """Give a node an edge; returns its number among those of the node, -1 if there is no room. A first block
    has room for `least` edges."""
    here = nodes[node]
    begin, count = int(here.edges), int(here.count)
    if count == here.room:
        room = max(least, 2 * int(here.room))
        if plant.edged + room > len(edges):
            plant.full = 1
            return -1
        here.edges = plant.edged
        here.room = room
        plant.edged += room
        for k in range(count):
            edges[here.edges + k] = edges[begin + k]
            if len(views):
                views[here.edges + k] = views[begin + k]
        begin = int(here.edges)
    here.count = count + 1
    for which in range(2 if len(views) else 1):
        e = views[begin + count] if which else edges[begin + count]
        e.value = 0.0
        e.visits = 0
        e.pending = 0
        e.prior = prior
        e.action = action
        e.child = 0
        e.available = 0
    return count


@kernel
def add_node(nodes: Any, sums: Any, views: Any, plant: Plant) -> int:
    """A new node, or 0 if there is no room."""
    new = int(plant.used)
    if new >= len(nodes):
        plant.full = 1
        return 0
    plant.used = new + 1
    clear(nodes[new])
    wipe(sums[new])
    if len(views):
        wipe(views[new])
    return new


@kernel
def clear(node: Node) -> None:
    """Make a node as it is when it is new."""
    node.first = 0
    node.n = 0
    node.best = -1
    node.edges = 0
    node.count = 0
    node.room = 0
    node.merged = 0
    node.next = 0
    node.code = 0
    node.seen = 0


@kernel
def wipe(sums: Sums) -> None:
    """Forget what was counted."""
    sums.value = 0.0
    sums.visits = 0
    sums.pending = 0
    sums.state = NEW


@kernel
def find_child(
    nodes: Any, edges: Any, sums: Any, views: Any, plant: Plant, node: int, edge: int, seen: int, code: int
) -> int:
    """The node after an edge for what was revealed, or after what was seen of an action (`seen` > 0), made if
    it is new; NOWHERE if there are too many of them or there is no room."""
    holder = int(nodes[node].edges) + edge
    child = int(nodes[node].merged) if seen else int(edges[holder].child)
    last, count = 0, 0
    while child:
        if nodes[child].code == code and nodes[child].seen == seen:
            return child
        count += 1
        last, child = child, int(nodes[child].next)
    if count >= MOST_CODES:
        return NOWHERE
    new = add_node(nodes, sums, views, plant)
    if new == 0:
        return NOWHERE
    nodes[new].code = code
    nodes[new].seen = seen
    if last:
        nodes[last].next = new
    elif seen:
        nodes[node].merged = new
    else:
        edges[holder].child = new
    return new


@kernel
def most_promising(priors: Array, first: int, n: int) -> int:
    """The first of the largest priors in a list, as its number; -1 if all are taken."""
    best, most = -1, TAKEN
    for i in range(n):
        if priors[first + i] > most:
            best, most = i, float(priors[first + i])
    return best


# ---- choosing an action ------------------------------------------------------------------------------------


@kernel
def guessed_value(sums: Sums, rules: Search) -> float:
    """What an action counts for that was never visited."""
    if not rules.by_mean:
        return float(rules.unvisited)
    return float(sums.value) / max(1, int(sums.visits))


@kernel
def choose_open(
    nodes: Any, sums: Any, edges: Any, actions: Ints, priors: Array, plant: Plant, rules: Search, node: int
) -> int:
    """The edge with the highest PUCT score, made if its action has none; of equal ones that of the lowest
    action. -1 if there is no edge and no room for one."""
    here = nodes[node]
    loss, begin, first = float(rules.virtual_loss), int(here.edges), int(here.first)
    scale = rules.c_puct * sqrt(sums[node].visits + loss * sums[node].pending)
    fresh = guessed_value(sums[node], rules)
    best, best_score, best_action = -1, 0.0, 0
    for k in range(here.count):
        e = edges[begin + k]
        n = e.visits + loss * e.pending
        value = (e.value - loss * e.pending) / n if n > 0.0 else fresh
        score = value + scale * float(e.prior) / (1.0 + n)
        if best < 0 or score > best_score or (score == best_score and e.action < best_action):
            best, best_score, best_action = k, score, int(e.action)
    if here.best < 0:
        return best
    at = first + int(here.best)
    prior, action = float(priors[at]), int(actions[at])
    score = fresh + scale * prior
    if best < 0 or score > best_score or (score == best_score and action < best_action):
        made = add_edge(nodes, edges, edges[:0], plant, node, action, prior, FEWEST)
        if made >= 0:
            priors[at] = TAKEN
            here.best = most_promising(priors, first, int(here.n))
            return made
    return best


@kernel
def match_edges(nodes: Any, stats: Any, node: int, n: int, legal: Ints, which: Ints, place: Ints) -> int:
    """which[i] becomes the number of the edge of legal[i], -1 if it has no prior in `stats`; returns how many
    have one. `place` (an int for each action) is 0 before and after."""
    here, known = nodes[node], 0
    begin = int(here.edges)
    for k in range(here.count):
        place[stats[begin + k].action] = k + 1
    for i in range(n):
        which[i] = place[legal[i]] - 1
        if which[i] >= 0 and stats[begin + which[i]].prior < 0.0:
            which[i] = -1
        known += int(which[i] >= 0)
    for k in range(here.count):
        place[stats[begin + k].action] = 0
    return known


@kernel
def choose_hidden(nodes: Any, sums: Any, stats: Any, rules: Search, node: int, n: int, which: Ints) -> int:
    """The edge with the highest PUCT score among those that are legal this time. Their priors are scaled to
    add up to 1; the simulations that an edge is compared with are those that could have chosen it."""
    loss, begin, total = float(rules.virtual_loss), int(nodes[node].edges), 0.0
    for i in range(n):
        if which[i] >= 0:
            total += float(stats[begin + which[i]].prior)
    fresh = guessed_value(sums[node], rules)
    best, best_score = -1, 0.0
    for i in range(n):
        if which[i] < 0:
            continue
        e = stats[begin + which[i]]
        visits = e.visits + loss * e.pending
        value = (e.value - loss * e.pending) / visits if visits > 0.0 else fresh
        prior = float(e.prior) / total if total > 0.0 else 1.0 / n
        score = value + rules.c_puct * sqrt(e.available) * prior / (1.0 + visits)
        if best < 0 or score > best_score:
            best, best_score = int(which[i]), score
    return best


@kernel
def draw_hidden(nodes: Any, stats: Any, node: int, n: int, which: Ints, dice: int) -> int:
    """An edge drawn by `dice` (32 bits), each as likely as it was visited, or hardly at all if it was not; -1
    if none is known."""
    total, begin = 0.0, int(nodes[node].edges)
    for i in range(n):
        if which[i] >= 0:
            total += stats[begin + which[i]].visits + 0.01
    left, last = total * dice / 4294967296.0, -1
    for i in range(n):
        if which[i] >= 0 and left >= 0.0:
            left -= stats[begin + which[i]].visits + 0.01
            last = int(which[i])
    return last


# ---- a simulation ------------------------------------------------------------------------------------------


def walk(
    s: Any,
    seat: int,
    nodes: Any,
    sums: Any,
    other_sums: Any,
    edges: Any,
    other_edges: Any,
    actions: Ints,
    priors: Array,
    plant: Plant,
    rules: Search,
    chance: int,
    leaf: Leaf,
    steps: Array,
    how: int,
    legal: Ints,
    which: Ints,
    place: Ints,
    raised: Ints,
) -> int:
    """Template: walk the state `s` on from leaf.node, and count the walk as pending; returns how it ends.

    A step is a node, the number of an edge there, and the seat that chose it. raised[0] counts the numbers
    `available` that the walk has raised; they follow, those of `other_edges` as -1 minus their place.
    """
    node, depth = int(leaf.node), int(leaf.depth)
    if how != ON:
        raised[0] = 0
    leaf.grows = 0
    leaf.other = int(how == IMAGINED)
    while True:
        leaf.node, leaf.depth, leaf.mover = node, depth, s.to_move
        if s.ending:
            return OVER
        if node == NOWHERE:
            return LEAF
        grow = not SECRETS or how == IMAGINED or s.to_move == seat
        theirs = SECRETS and (how == IMAGINED or s.to_move != seat)
        here = other_sums if theirs else sums
        stats = other_edges if theirs else edges
        state = int(here[node].state)
        if grow and state == WAITING:
            return MET
        if how == FIRST and not grow and state != NEW:
            return HALTED
        n = -1
        if state == NEW:
            if not grow and how == ON:
                return LEAF
            n = legal_actions(s, legal)
            if n > 1 or not grow:
                leaf.grows = 1
                leaf.other = int(theirs)
                return LEAF
            # a single action needs no prior
            if not SECRETS:
                nodes[node].n = 0
                nodes[node].best = -1
            edge = -1
            for k in range(nodes[node].count):
                if stats[nodes[node].edges + k].action == legal[0]:
                    edge = k
            if edge < 0:
                edge = add_edge(nodes, edges, other_edges, plant, node, int(legal[0]), TAKEN, FEWEST)
            if edge < 0:
                return LEAF
            stats[nodes[node].edges + edge].prior = 1.0
            here[node].state = GROWN
        if SECRETS:
            if n < 0:
                n = legal_actions(s, legal)
            known = match_edges(nodes, stats, node, n, legal, which, place)
            if grow and known < n and not plant.full:
                leaf.grows = 1
                leaf.other = int(theirs)
                return LEAF
            if known == 0:
                return LEAF
            if grow:
                for i in range(n):
                    if which[i] >= 0:
                        at = int(nodes[node].edges) + int(which[i])
                        stats[at].available += 1
                        if raised[0] + 1 < len(raised):
                            raised[0] += 1
                            raised[raised[0]] = -1 - at if theirs else at
                edge = choose_hidden(nodes, here, stats, rules, node, n, which)
            else:
                edge = draw_hidden(nodes, stats, node, n, which, mix(chance, depth))
        else:
            edge = choose_open(nodes, sums, edges, actions, priors, plant, rules, node)
            if edge < 0:
                return LEAF
        at = int(nodes[node].edges) + edge
        action, mover = int(edges[at].action), int(s.to_move)
        if SECRETS and how == IMAGINED:
            other_sums[node].pending += 1
            other_edges[at].pending += 1
        else:
            sums[node].pending += 1
            edges[at].pending += 1
        steps[depth, 0] = node
        steps[depth, 1] = edge
        steps[depth, 2] = mover
        depth += 1
        seen = action
        if SECRETS and mover != seat:
            seen = hide_action(s, action, seat)
        apply(s, action)
        code = revealed(s)
        if code < 0 or depth == len(steps):
            node = NOWHERE
        elif seen != action:
            node = find_child(nodes, edges, sums, other_sums, plant, node, edge, seen + 2, code)
        else:
            node = find_child(nodes, edges, sums, other_sums, plant, node, edge, 0, code)


@kernel
def count_walk(
    nodes: Any, sums: Any, edges: Any, leaf: Leaf, steps: Array, values: Any, row: int, counts: bool
) -> None:
    """A walk is no longer pending. With `counts` its values (values[row], by seat) are added to all that it
    has passed."""
    for k in range(leaf.begin, leaf.depth):
        node, mover = int(steps[k, 0]), int(steps[k, 2])
        at = int(nodes[node].edges) + int(steps[k, 1])
        sums[node].pending -= 1
        edges[at].pending -= 1
        if counts:
            sums[node].visits += 1
            sums[node].value += values[row, mover]
            edges[at].visits += 1
            edges[at].value += values[row, mover]


@kernel
def lower(edges: Any, views: Any, raised: Ints) -> None:
    """Take back what a walk that came to nothing has made available."""
    for k in range(1, raised[0] + 1):
        if raised[k] < 0:
            views[-1 - raised[k]].available -= 1
        else:
            edges[raised[k]].available -= 1


def put_leaf(
    s: Any,
    h: Any,
    nodes: Any,
    here: Any,
    actions: Ints,
    plant: Plant,
    leaf: Leaf,
    row: int,
    total: int,
    obs: Array,
    starts: Ints,
    lists: Ints,
    held: Ints,
    movers: Ints,
    trees: Ints,
) -> int:
    """Template: write the leaf's position into row `row` of the batch; returns the length of all lists with
    its own. `h` is scratch."""
    out = lists[total:]
    n = legal_actions(s, out)
    if leaf.grows and not SECRETS:
        first = int(plant.listed)
        if first + n > len(actions):
            plant.full = 1
            leaf.grows = 0
        else:
            plant.listed += n
            nodes[leaf.node].first = first
            nodes[leaf.node].n = n
            for i in range(n):
                actions[first + i] = out[i]
    if SECRETS:
        for i in range(n):
            held[total + i] = out[i]
    if leaf.grows:
        here[leaf.node].state = WAITING
    starts[row] = total
    starts[row + 1] = total + n
    movers[row] = s.to_move
    trees[row] = leaf.tree
    if obs.shape[1]:
        h[0] = s
        observe_as(s, int(s.to_move), h[0], obs[row])
    return total + n


def settle(
    s: Any,
    ended: int,
    h: Any,
    nodes: Any,
    sums: Any,
    other_sums: Any,
    edges: Any,
    other_edges: Any,
    actions: Ints,
    plant: Plant,
    leaf: Leaf,
    steps: Array,
    result: Floats,
    exact: Floats,
    rows: Ints,
    obs: Array,
    starts: Ints,
    lists: Ints,
    held: Ints,
    movers: Ints,
    trees: Ints,
    raised: Ints,
) -> None:
    """Template: what becomes of a walk that has ended: a row of the batch (rows[0]; rows[1] is the length of
    all lists), or a value at once if the game is over, or nothing."""
    imagined = SECRETS and leaf.how == IMAGINED
    counted = other_sums if imagined else sums
    passed = other_edges if imagined else edges
    if ended == LEAF:
        grown = other_sums if SECRETS and leaf.other else sums
        rows[1] = put_leaf(
            s,
            h,
            nodes,
            grown,
            actions,
            plant,
            leaf,
            int(rows[0]),
            int(rows[1]),
            obs,
            starts,
            lists,
            held,
            movers,
            trees,
        )
        rows[0] += 1
    elif ended == OVER:
        outcome(s, result)
        for p in range(s.players):
            exact[0, p] = reward(result[p], int(s.players))
        count_walk(nodes, counted, passed, leaf, steps, exact, 0, True)
    else:
        lower(edges, other_edges, raised)
        count_walk(nodes, counted, passed, leaf, steps, exact, 0, False)


def select_leaves(
    roots: Any,
    knowledge: Any,
    plants: Any,
    nodes: Any,
    sums: Any,
    views: Any,
    edges: Any,
    view_edges: Any,
    actions: Ints,
    priors: Array,
    rules: Search,
    leaves: Any,
    steps: Array,
    states: Any,
    imagined: Any,
    legal: Ints,
    which: Ints,
    place: Ints,
    raised: Ints,
    result: Floats,
    exact: Floats,
    rows: Ints,
    obs: Array,
    starts: Ints,
    lists: Ints,
    held: Ints,
    movers: Ints,
    trees: Ints,
) -> None:
    """Template: `rules.leaves` simulations of each tree, as far as they can be made before the learner
    answers. rows[0] becomes the number of rows of the batch. `states` are three states of scratch."""
    rows[0] = 0
    rows[1] = 0
    starts[0] = 0
    for t in range(len(plants)):
        plant = plants[t]
        if plant.idle:
            continue
        seat, own, s = int(plant.seat), int(plant.seed), states[0]
        for _ in range(rules.leaves):
            number = int(plant.draws)
            plant.draws = number + 1
            states[0] = roots[t]
            guess(s, seat, mix(own, 2 * number), knowledge[t])
            chance = mix(own, 2 * number + 1)
            row = int(rows[0])
            leaf = leaves[row]
            leaf.tree, leaf.node, leaf.depth, leaf.begin, leaf.how = t, 0, 0, 0, FIRST
            ended = walk(
                s,
                seat,
                nodes[t],
                sums[t],
                views[t],
                edges[t],
                view_edges[t],
                actions[t],
                priors[t],
                plant,
                rules,
                chance,
                leaf,
                steps[row],
                FIRST,
                legal,
                which,
                place,
                raised[0],
            )
            if SECRETS and ended == HALTED:
                # the walk so far is kept, a step of the next row at a time, while the mover imagines
                depth, node, mover = int(leaf.depth), int(leaf.node), int(s.to_move)
                states[2] = states[0]
                hide(s, mover)
                prepare(s, mover, imagined[0])
                guess(s, mover, mix(chance, 1), imagined[0])
                for k in range(depth):
                    steps[row + 1, k] = steps[row, k]
                leaf.begin, leaf.how = depth, IMAGINED
                ended = walk(
                    s,
                    seat,
                    nodes[t],
                    sums[t],
                    views[t],
                    edges[t],
                    view_edges[t],
                    actions[t],
                    priors[t],
                    plant,
                    rules,
                    mix(chance, 2),
                    leaf,
                    steps[row],
                    IMAGINED,
                    legal,
                    which,
                    place,
                    raised[1],
                )
                settle(
                    s,
                    ended,
                    states[1:],
                    nodes[t],
                    sums[t],
                    views[t],
                    edges[t],
                    view_edges[t],
                    actions[t],
                    plant,
                    leaf,
                    steps[row],
                    result,
                    exact,
                    rows,
                    obs,
                    starts,
                    lists,
                    held,
                    movers,
                    trees,
                    raised[1],
                )
                if rows[0] == row:
                    for k in range(depth):
                        steps[row, k] = steps[row + 1, k]
                row = int(rows[0])
                leaf = leaves[row]
                leaf.tree, leaf.node, leaf.depth, leaf.begin, leaf.how = t, node, depth, 0, ON
                states[0] = states[2]
                ended = walk(
                    s,
                    seat,
                    nodes[t],
                    sums[t],
                    views[t],
                    edges[t],
                    view_edges[t],
                    actions[t],
                    priors[t],
                    plant,
                    rules,
                    chance,
                    leaf,
                    steps[row],
                    ON,
                    legal,
                    which,
                    place,
                    raised[0],
                )
            settle(
                s,
                ended,
                states[1:],
                nodes[t],
                sums[t],
                views[t],
                edges[t],
                view_edges[t],
                actions[t],
                plant,
                leaf,
                steps[row],
                result,
                exact,
                rows,
                obs,
                starts,
                lists,
                held,
                movers,
                trees,
                raised[0],
            )
            if ended == MET:
                break


# ---- what the learner says ---------------------------------------------------------------------------------


@kernel
def find_wrong(starts: Ints, rows: int, priors: Array, values: Array) -> int:
    """The first row with a prior that is no number from 0 up, or a value that does not lie between -1 and 1;
    -1 if all are right."""
    for row in range(rows):
        for i in range(starts[row], starts[row + 1]):
            if not 0.0 <= priors[i] < 1e30:
                return row
        for p in range(values.shape[1]):
            if not -1.0 <= values[row, p] <= 1.0:
                return row
    return -1


@kernel
def mix_noise(
    nodes: Any,
    edges: Any,
    priors: Array,
    plant: Plant,
    gammas: Array,
    place: Ints,
    lists: Ints,
    fraction: float,
) -> None:
    """Mix noise into the priors of a root: gammas[i] is the weight of the i-th legal action, lists[i]."""
    root, total = nodes[0], 0.0
    plant.mixed = 1
    for i in range(plant.n):
        total += gammas[i]
    if total <= 0.0:
        return
    for i in range(plant.n):
        place[lists[i]] = i
    for i in range(root.n):
        at = int(root.first) + i
        if priors[at] >= 0.0:
            priors[at] = (1.0 - fraction) * float(priors[at]) + fraction * gammas[i] / total
    root.best = most_promising(priors, int(root.first), int(root.n))
    for k in range(root.edges, root.edges + root.count):
        e = edges[k]
        if e.prior >= 0.0:
            e.prior = (1.0 - fraction) * float(e.prior) + fraction * gammas[place[e.action]] / total
    for i in range(plant.n):
        place[lists[i]] = 0


@kernel
def grow_open(nodes: Any, priors: Array, node: int, given: Array, begin: int, n: int) -> None:
    """The priors of a node's list, divided by their sum; equal ones if all are 0."""
    total, first = 0.0, int(nodes[node].first)
    for i in range(n):
        total += given[begin + i]
    for i in range(n):
        priors[first + i] = given[begin + i] / total if total > 0.0 else 1.0 / n
    nodes[node].best = most_promising(priors, first, n)


@kernel
def grow_hidden(
    nodes: Any,
    edges: Any,
    views: Any,
    stats: Any,
    plant: Plant,
    node: int,
    legal: Ints,
    given: Array,
    begin: int,
    n: int,
    place: Ints,
) -> None:
    """Priors of the actions that were legal at a node and have none yet in `stats`, one of `edges` and
    `views`; the sum over all that were legal is 1."""
    total = 0.0
    for i in range(n):
        total += given[begin + i]
    for k in range(nodes[node].count):
        place[stats[nodes[node].edges + k].action] = k + 1
    for i in range(n):
        action = int(legal[begin + i])
        k = int(place[action]) - 1
        place[action] = 0
        if k < 0:
            k = add_edge(nodes, edges, views, plant, node, action, TAKEN, n)
        if k >= 0 and stats[nodes[node].edges + k].prior < 0.0:
            stats[nodes[node].edges + k].prior = given[begin + i] / total if total > 0.0 else 1.0 / n
    for k in range(nodes[node].count):
        place[stats[nodes[node].edges + k].action] = 0


def back_up(
    plants: Any,
    nodes: Any,
    sums: Any,
    views: Any,
    edges: Any,
    view_edges: Any,
    priors: Array,
    rules: Search,
    leaves: Any,
    steps: Array,
    rows: int,
    starts: Ints,
    held: Ints,
    given: Array,
    values: Array,
    gammas: Array,
    root_lists: Ints,
    place: Ints,
) -> None:
    """Template: add what the learner says of the batch's leaves to their trees."""
    for row in range(rows):
        leaf = leaves[row]
        t, node = int(leaf.tree), int(leaf.node)
        imagined = SECRETS and leaf.how == IMAGINED
        count_walk(
            nodes[t],
            views[t] if imagined else sums[t],
            view_edges[t] if imagined else edges[t],
            leaf,
            steps[row],
            values,
            row,
            True,
        )
        if node == NOWHERE:
            continue
        here = views[t] if SECRETS and leaf.other else sums[t]
        here[node].visits += 1
        here[node].value += values[row, leaf.mover]
        if leaf.grows:
            begin, n = int(starts[row]), int(starts[row + 1] - starts[row])
            if SECRETS:
                stats = view_edges[t] if leaf.other else edges[t]
                grow_hidden(
                    nodes[t], edges[t], view_edges[t], stats, plants[t], node, held, given, begin, n, place
                )
            else:
                grow_open(nodes[t], priors[t], node, given, begin, n)
            here[node].state = GROWN
            if node == 0 and rules.fraction > 0.0 and not plants[t].mixed:
                mix_noise(
                    nodes[t],
                    edges[t],
                    priors[t],
                    plants[t],
                    gammas[t],
                    place,
                    root_lists[t],
                    float(rules.fraction),
                )


# ---- roots -------------------------------------------------------------------------------------------------


@kernel
def keep_below(
    nodes: Any,
    sums: Any,
    views: Any,
    edges: Any,
    view_edges: Any,
    actions: Ints,
    priors: Array,
    plant: Plant,
    root: int,
    spare_nodes: Any,
    spare_sums: Any,
    spare_views: Any,
    spare_edges: Any,
    spare_view_edges: Any,
    spare_actions: Ints,
    spare_priors: Array,
    order: Ints,
) -> None:
    """Make a node the root of its tree and forget all that is not below it. The spare arrays are as large as
    a tree's; `order` has room for its nodes."""
    hidden = len(views) > 0
    order[0] = root
    used, listed, edged, k = 1, 0, 0, 0
    spare_nodes[0] = nodes[root]
    spare_nodes[0].next = 0
    spare_nodes[0].code = 0
    spare_nodes[0].seen = 0
    while k < used:
        old, new = order[k], spare_nodes[k]
        spare_sums[k] = sums[old]
        if hidden:
            spare_views[k] = views[old]
        for i in range(new.n):
            spare_actions[listed + i] = actions[new.first + i]
            spare_priors[listed + i] = priors[new.first + i]
        new.first = listed
        listed += int(new.n)
        begin = int(new.edges)
        for j in range(-1, new.count):  # -1: what lies below actions that cannot be told apart
            child, last = 0, 0
            if j < 0:
                child = int(new.merged)
                new.merged = used if child else 0
            else:
                spare_edges[edged + j] = edges[begin + j]
                if hidden:
                    spare_view_edges[edged + j] = view_edges[begin + j]
                child = int(edges[begin + j].child)
                spare_edges[edged + j].child = used if child else 0
            while child:
                order[used] = child
                spare_nodes[used] = nodes[child]
                if last:
                    spare_nodes[last].next = used
                last, child = used, int(nodes[child].next)
                used += 1
        new.edges = edged
        edged += int(new.room)
        k += 1
    for i in range(used):
        nodes[i] = spare_nodes[i]
        sums[i] = spare_sums[i]
        if hidden:
            views[i] = spare_views[i]
    for i in range(listed):
        actions[i] = spare_actions[i]
        priors[i] = spare_priors[i]
    for k in range(used):
        for i in range(nodes[k].edges, nodes[k].edges + nodes[k].count):
            edges[i] = spare_edges[i]
            if hidden:
                view_edges[i] = spare_view_edges[i]
    plant.used = used
    plant.listed = listed
    plant.edged = edged


def find_played(
    nodes: Any, sums: Any, edges: Any, actions: Ints, action: int, code: int, n: int, legal: Ints
) -> int:
    """Template: the node after an action at the root that revealed `code`, if its list is that of `legal`; 0
    if there is none that can be gone on from."""
    root = nodes[0]
    for k in range(root.edges, root.edges + root.count):
        if edges[k].action != action:
            continue
        child = int(edges[k].child)
        while child and nodes[child].code != code:
            child = int(nodes[child].next)
        if child == 0:
            return 0
        if not SECRETS and sums[child].state == GROWN and nodes[child].n > 0:
            if nodes[child].n != n:
                return 0
            for i in range(n):
                if actions[nodes[child].first + i] != legal[i]:
                    return 0
        return child
    return 0


def plant_trees(
    given: Any,
    played: Ints,
    roots: Any,
    knowledge: Any,
    plants: Any,
    nodes: Any,
    sums: Any,
    views: Any,
    edges: Any,
    view_edges: Any,
    actions: Ints,
    priors: Array,
    root_lists: Ints,
    seed: int,
    number: int,
    spare_nodes: Any,
    spare_sums: Any,
    spare_views: Any,
    spare_edges: Any,
    spare_view_edges: Any,
    spare_actions: Ints,
    spare_priors: Array,
    order: Ints,
) -> None:
    """Template: the positions `given`, whole ones, become the roots, as their seats know them. Where
    played[t] >= 0 led from the old root to the new one, what lies below it is kept if everybody knows it."""
    for t in range(len(plants)):
        plant = plants[t]
        phase, reveals, seat, went_on = int(roots[t].phase), int(roots[t].reveals), int(plant.seat), False
        s, code = roots[t], 0
        roots[t] = given[t]
        code = revealed(s)
        if s.ending:
            hide(s, int(s.to_move))
            plant.idle = 1
            plant.n = 0
        else:
            mover = int(s.to_move)
            either = SEALED >> phase & 1 or SEALED >> int(s.phase) & 1
            if SEALED >> int(s.phase) & 1:
                mover_view(s, mover)
            else:
                hide(s, mover)
            prepare(s, mover, knowledge[t])
            # rules are for whole positions: what is legal is asked of a guess
            given[t] = s
            guess(given[t], mover, 0, knowledge[t])
            plant.n = legal_actions(given[t], root_lists[t])
            below = 0
            if played[t] >= 0 and not plant.idle and code >= 0:
                same = seat == mover and reveals == s.reveals
                if (not SECRETS and not either) or same:
                    below = find_played(
                        nodes[t],
                        sums[t],
                        edges[t],
                        actions[t],
                        int(played[t]),
                        code,
                        int(plant.n),
                        root_lists[t],
                    )
            if below:
                keep_below(
                    nodes[t],
                    sums[t],
                    views[t],
                    edges[t],
                    view_edges[t],
                    actions[t],
                    priors[t],
                    plant,
                    below,
                    spare_nodes,
                    spare_sums,
                    spare_views,
                    spare_edges,
                    spare_view_edges,
                    spare_actions,
                    spare_priors,
                    order,
                )
                went_on = True
            plant.seat = mover
            plant.idle = 0
        plant.full = 0
        plant.mixed = 0
        plant.kept = int(went_on)
        if not went_on:
            plant.used, plant.listed, plant.edged = 1, 0, 0
            clear(nodes[t, 0])
            wipe(sums[t, 0])
            if SECRETS:
                wipe(views[t, 0])
        low, high = mix(seed, 2 * t), mix(seed, 2 * t + 1)
        own = low | (high & 0x7FFFFFFF) << 32
        low, high = mix(own, 2 * number), mix(own, 2 * number + 1)
        plant.seed = low | (high & 0x7FFFFFFF) << 32
        plant.draws = 0


@kernel
def read_roots(
    plants: Any,
    nodes: Any,
    sums: Any,
    edges: Any,
    root_lists: Ints,
    power: float,
    place: Ints,
    starts: Ints,
    lists: Ints,
    visits: Ints,
    shares: Array,
    means: Array,
) -> None:
    """The legal actions of all roots, their visits, and the shares that these have when raised to `power`;
    power 0 stands for the single best one, by value where several were visited as often. Shares are equal
    where nothing was visited. means[t] is what the root's seat can expect."""
    total = 0
    for t in range(len(plants)):
        starts[t] = total
        n = int(plants[t].n)
        root, most, best, best_value = nodes[t, 0], 0, -1, 0.0
        means[t] = sums[t, 0].value / max(1, sums[t, 0].visits)
        for i in range(n):
            lists[total + i] = root_lists[t, i]
            place[root_lists[t, i]] = i
            visits[total + i] = 0
            shares[total + i] = 0.0
        for k in range(root.edges, root.edges + root.count):
            i, e = total + int(place[edges[t, k].action]), edges[t, k]
            visits[i] = e.visits
            if e.visits == 0:
                continue
            value = float(e.value) / e.visits
            if (
                e.visits > most
                or (e.visits == most and value > best_value)
                or (e.visits == most and value == best_value and i < best)
            ):
                best, best_value, most = i, value, int(e.visits)
        whole = 0.0
        for i in range(total, total + n):
            if most == 0:
                shares[i] = 1.0
            elif power == 0.0:
                shares[i] = 1.0 if i == best else 0.0
            elif visits[i] > 0:
                shares[i] = (visits[i] / most) ** power
            whole += shares[i]
        for i in range(total, total + n):
            shares[i] /= whole
            place[lists[i]] = 0
        total += n
    starts[len(plants)] = total


# ---- binding -----------------------------------------------------------------------------------------------

TEMPLATES = (walk, put_leaf, settle, select_leaves, back_up, find_played, plant_trees)
FROM_GAME = (
    'apply',
    'legal_actions',
    'outcome',
    'hide',
    'mover_view',
    'prepare',
    'guess',
    'revealed',
    'hide_action',
)


@cache
def bind_forest(game: Game) -> SimpleNamespace:
    """The templates compiled for a game, as attributes."""
    folder, own = Path(game.folder), game.kernels
    scope = dict(globals())
    scope.update({name: getattr(own, name) for name in FROM_GAME})
    scope['SECRETS'] = game.hidden
    scope['SEALED'] = sum(1 << int(phase) for phase in game.sealed)
    seen = {name: getattr(own, name) for name in ('hide', 'mover_view', 'observe')}
    scope['observe_as'] = specialise(observe_as, {**seen, 'SEALED': scope['SEALED']}, game.name, folder)
    scope['reward'] = specialise(reward, {}, game.name, folder)
    bound = SimpleNamespace()
    for template in TEMPLATES:
        scope[template.__name__] = specialise(template, scope, game.name, folder)
        setattr(bound, template.__name__, scope[template.__name__])
    return bound
