"""What a search has found out about the rest of a turn, kept for the next action of the same turn.

A turn of several actions is searched action by action. When the first has been played, the part of its tree
that lies below it is about the very position from which the next search starts. `TurnMemory` keeps that part
and grafts it into the new tree, so that those simulations need not be made again.

A part is used only if its position is the one to be searched, byte for byte as the seat knows it, and if
nothing was revealed since: the rest of the tree is forgotten at once, and all of it when the turn ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludoteca.game import Game, State, committed
from ludoteca.kernel import Ints
from ludoteca.search.known import as_known
from ludoteca.search.nodes import SearchMemory

LINKS = ('first', 'few', 'others', 'outcomes')  # of a node to those below it
TAKEN = ('then', 'expanded', 'n_few', 'n_others')  # what else the root's children have from the larger tree
MARKS = ('stamp', 'marked', 'since')  # of single guesses
MOST_KEPT = 1 << 19  # nodes; a larger part is forgotten


class TurnMemory:
    """The part of a tree below the actions that one seat has played in this turn; empty at first."""

    def __init__(self) -> None:
        self._key: tuple[Any, ...] = ()  # what the tree was grown for: game, seat and settings
        self._known = b''  # the position at `_node`, as the seat knows it
        self._node = 0
        self._nodes: Any = None
        self._views: Any = None  # the same as `_nodes` in open games

    def __bool__(self) -> bool:
        return self._nodes is not None

    def forget(self) -> None:
        """Let the tree go."""
        self._nodes = self._views = None

    def keep(self, key: tuple[Any, ...], root: State, tree: SearchMemory) -> None:
        """Remember the tree that was grown at `root`, a position as its seat knows it."""
        used = int(tree.tree.used)
        self._key, self._known, self._node = key, root.tobytes(), 0
        self._nodes = tree.nodes[:used]
        self._views = self._nodes if tree.views is tree.nodes else tree.views[:used]

    def advance(self, game: Game, state: State, seat: int, action: int) -> None:
        """The seat has played `action` at `state`: of the tree only what lies below it matters. All is
        forgotten if the turn ends with it, or if it reveals anything."""
        if not self:
            return
        k, known, work = game.kernels, as_known(game, state, seat), game.Work.new()
        if known.tobytes() != self._known:
            self.forget()
            return
        after = known.copy()
        k.prepare(known, seat, work)
        k.guess(after, seat, 0, work)
        k.apply(after, action)
        if committed(known, after) or k.revealed(after):
            self.forget()
            return
        open_game = self._views is self._nodes
        if open_game and int(self._nodes[self._node].then) == action + 1:
            below = self._node  # a forced action has no node of its own
        else:
            below = next((c for c in children(self._nodes, self._node) if self._nodes[c].action == action), 0)
        if below == 0:
            self.forget()
            return
        self._known, self._node = as_known(game, after, seat).tobytes(), below
        if open_game:
            self._nodes[below].then = 0
        self._compact()

    def _compact(self) -> None:
        """Copy what lies below `_node` and let the rest go: the tree has room for many times as much."""
        below = np.sort(descendants(self._nodes, children(self._nodes, self._node)))
        old = np.concatenate([[self._node], below])  # siblings stay one after another
        if len(old) > MOST_KEPT:
            self.forget()
            return
        new = np.zeros(len(self._nodes), np.int32)
        new[old] = np.arange(len(old))
        open_game = self._views is self._nodes
        self._nodes = copied(self._nodes, old, new)
        self._nodes[0].outcomes = 0  # of the action that led here
        self._views = self._nodes if open_game else copied(self._views, old, new)
        self._node = 0

    def fits(self, key: tuple[Any, ...], root: State) -> bool:
        """Is the tree about this position, as its seat knows it, and was it grown in the same way?"""
        return bool(self) and (key, root.tobytes()) == (self._key, self._known)

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self._nodes) if self else 0

    def graft(self, tree: SearchMemory) -> None:
        """Put what is known into a tree of the same position in which one simulation was made: its root has
        all of its children. Their numbers are added up; below each lies what the larger tree has there.

        `tree.reused` becomes the number of simulations and the sum of results for the seat to move, by child
        of the root.
        """
        old = {int(self._nodes[child].action): child for child in children(self._nodes, 0)}
        pairs = [
            (old[action], child)
            for child in children(tree.nodes, 0)
            if (action := int(tree.nodes[child].action)) in old
        ]
        linked = [(was, child) for was, child in pairs if self._nodes[was].first or self._nodes[was].outcomes]
        used = int(tree.tree.used)
        below = np.sort(descendants(self._nodes, [was for was, _ in linked], siblings=False))
        new = np.zeros(len(self._nodes), np.int32)
        new[below] = np.arange(used, used + len(below))
        both = [(self._nodes, tree.nodes)]
        if tree.views is not tree.nodes:
            both.append((self._views, tree.views))
        for source, target in both:
            target[used : used + len(below)] = copied(source, below, new)
            for was, child in linked:
                for link in declared(source, LINKS):
                    target[child][link] = new[source[was][link]]
                for name in declared(source, TAKEN):
                    target[child][name] = source[was][name]
            for was, child in pairs:
                target[child].value += source[was].value
                target[child].visits += source[was].visits
                for name in declared(source, ('available',)):
                    target[child][name] += source[was][name]
        tree.tree.used = used + len(below)
        for was, child in pairs:
            tree.reused[child - 1] = self._nodes[was].visits, self._nodes[was].value
        made = int(tree.reused[:, 0].sum())
        tree.tree.simulations += made
        tree.nodes[0].visits += made


def children(nodes: Any, node: int) -> list[int]:
    """The children of a node, ascending by action."""
    following, found, child = nodes['next'], [], int(nodes['first'][node])
    while child:
        found.append(child)
        child = int(following[child])
    return found


def descendants(nodes: Any, roots: list[int], siblings: bool = True) -> Ints:
    """The nodes below some siblings, breadth first, and with `siblings` these themselves before them."""
    level = np.array(roots, np.int32)
    found = [level] if siblings else []
    first = True
    while len(level):
        links = [nodes['first'][level], nodes['outcomes'][level]]
        if not first:  # those of the first level are all there
            links.append(nodes['next'][level])
        level = np.concatenate(links)
        level, first = level[level > 0], False
        found.append(level)
    return np.concatenate(found) if found else np.empty(0, np.int32)


def copied(nodes: Any, old: Ints, new: Ints) -> Any:
    """The nodes `old` with their links renamed by `new`. Marks of single guesses are wiped off."""
    some = nodes[old]
    for link in declared(nodes, (*LINKS, 'next')):
        some[link] = new[some[link]]
    for mark in declared(nodes, MARKS):
        some[mark] = 0
    return some


def declared(nodes: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some fields that nodes have: in games without secrets they have others than in games with."""
    return tuple(name for name in names if name in nodes.dtype.names)
