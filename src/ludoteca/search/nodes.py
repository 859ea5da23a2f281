"""The records of a search tree, the memory of a search, and how nodes are made and linked.

All memory belongs to Python (`thinking.py`): trees, states and scratch are passed in.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludoteca.game import Game
from ludoteca.kernel import Array, Floats, Ints, Record, field, kernel
from ludoteca.kernel.atomic import atomic_swap, release
from ludoteca.search.levels import SearchSettings

MAX_DEPTH = 512  # nodes passed in one simulation
NARROW, WHOLE = 1, 2  # a node has its most promising children only, or all
# shared trees: another thread is making a node's first children, or all that are missing
GROWING, WIDENING = 3, 4
APART = 4  # records of trees, of 24 bytes, that lie in lines of their own (64 bytes)


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
    # the walk came to where another seat chooses, see `simulate_secret`; shared trees: to where the thread
    # stays
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


class SearchMemory(NamedTuple):
    """All that a thread reads and writes in a search, but for its root."""

    rules: SearchParameters
    tree: Tree
    nodes: Array
    views: Array  # games with secrets: other numbers of the same nodes; `nodes` in open games
    scores: Array  # open games: what a choice asks of each node
    states: Array  # seven
    knowledge: Any  # the game's work record after `prepare`
    imagined: Any  # another one
    work: Any  # and one for playouts
    path: Ints  # nodes passed
    lists: Ints  # four of legal actions
    result: Floats  # by seat
    worth: Floats  # two numbers an action
    # [0]: the sum of all results; [1 + i]: that of the simulations which began with the i-th legal action of
    # the root; a row has a column for each seat, and the last row is scratch
    totals: Floats
    # by child of the root: simulations of earlier searches, and the sum of their results for the seat to
    # move, see turn_memory.py
    reused: Floats


# ---- making memory -----------------------------------------------------------------------------------------


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


def make_memory(game: Game, rules: SearchParameters, most_nodes: int, threads: int = 1) -> list[SearchMemory]:
    """Memory for each of several threads, which share the nodes: each has a range of them to make new ones
    of."""
    seats = game.players[-1]
    """The same for several threads, which share the nodes: each has a range of them to make new ones of."""
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
        SearchMemory(
            rules=rules,
            tree=trees[k],
            nodes=nodes,
            views=views,
            scores=scores,
            states=game.State.array(7),
            knowledge=game.Work.new(),
            imagined=game.Work.new(),
            work=game.Work.new(),
            path=np.empty(MAX_DEPTH, np.int32),
            lists=np.empty((4, game.max_legal), np.int32),
            result=results[k, :seats],
            worth=np.empty(2 * game.max_legal),
            totals=np.zeros((game.max_legal + 2, seats)),
            reused=np.zeros((game.max_legal, 2)),
        )
        for k in range(threads)
    ]


# ---- nodes -------------------------------------------------------------------------------------------------


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


@kernel
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
    return link_outcome(nodes, tree, holder, last, new)


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
def visits_wanted(tree: Tree, expand_at: int) -> int:
    """Visits at which a node gets children. It is choosy when the tree is half full."""
    filled = 8 * int(tree.used - tree.begin) // int(tree.end - tree.begin)
    return expand_at << max(0, filled - 4)
