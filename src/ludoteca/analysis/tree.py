"""A tree of variations as plain data, with its JSON form and its limits.

A node is a position: that of its parent after one more turn. Node 0 is the root, where the board begins. A
parent has a smaller number than its children, so a list of nodes can be played from its beginning. Nothing
here knows the rules of a game: `board.check_tree` plays a tree that came from outside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Self, cast

from ludoteca.game import GameError, load
from ludoteca.game.json_fields import is_whole
from ludoteca.match import Setup, deal_colours
from ludoteca.match.setup import WHOLE
from ludoteca.text import words

FORMAT: Final = 1
LARGEST: Final = 1 << 20
"""Bytes of a tree as JSON."""
MOST_NODES: Final = 2_000
MOST_MARKS: Final = 60
NAME_LENGTH: Final = 60
COMMENT_LENGTH: Final = 2_000
TURN_LENGTH: Final = 2_000
ELEMENT = re.compile(r'[A-Za-z][\w.:+-]{0,59}', re.ASCII)
"""The id of an element of a drawing."""

MarkKind = Literal['ring', 'arrow']


@dataclass(frozen=True)
class Mark:
    """A ring round an element of the drawing, or an arrow from it to another one."""

    kind: MarkKind
    at: str
    to: str = ''

    @classmethod
    def read(cls, data: Any) -> Self:
        """The inverse of `json`. Raises GameError."""
        if not isinstance(data, list) or not data or data[0] not in ('ring', 'arrow'):
            raise GameError(words('analysis.error.mark'))
        kind, elements = cast(MarkKind, data[0]), data[1:]
        fits = len(elements) == (1 if kind == 'ring' else 2)
        if not fits or not all(isinstance(one, str) and ELEMENT.fullmatch(one) for one in elements):
            raise GameError(words('analysis.error.mark'))
        return cls(kind, *elements)

    def json(self) -> list[str]:
        """The mark as a list: its kind, then one element or two."""
        return [self.kind, self.at, *([self.to] if self.to else [])]


ROOT_KEYS: Final = frozenset(('players', 'seed', 'options', 'position', 'knows', 'colours'))
"""Keys of a root in its JSON form."""


@dataclass(frozen=True)
class Root:
    """Where a board begins: at the start of a game, or at a whole `position` in its JSON form.

    `seed` is that of chance to come, 32 hexadecimal digits. `knows` is the seat whose knowledge the position
    was made of (-1: what everybody may know): what that seat could not know is guessed. None: nothing is
    guessed. `colours` are those of the seats in the match that it was taken from; none: the game's own."""

    game: str
    players: int
    options: Mapping[str, Any]
    seed: str
    position: Mapping[str, Any] | None = None
    knows: int | None = None
    colours: tuple[str, ...] = ()

    def setup(self) -> Setup:
        """The set-up of a match that begins there. Raises GameError if the game knows no such start, or if
        the colours are none."""
        setup = Setup.new(self.game, self.players, dict(self.options), colours=self.colours)
        return replace(setup, seed=self.seed, position=self.position, knower=WHOLE)

    def json(self) -> dict[str, Any]:
        """The root as plain data."""
        data: dict[str, Any] = {'players': self.players, 'seed': self.seed}
        data |= {'options': dict(self.options)} if self.options else {}
        data |= {'position': dict(self.position)} if self.position is not None else {}
        data |= {'colours': list(self.colours)} if self.colours else {}
        return data | ({'knows': self.knows} if self.knows is not None else {})

    @classmethod
    def read(cls, game: str, data: Any) -> Self:
        """The inverse of `json`. Raises GameError if the data have another form."""
        rules = load(game)
        if not isinstance(data, dict) or set(data) - ROOT_KEYS:
            raise GameError(words('analysis.error.root'))
        seed, knows = data.get('seed'), data.get('knows')
        if not isinstance(seed, str) or not re.fullmatch('[0-9a-f]{32}', seed):
            raise GameError(words('analysis.error.root'))
        players: Any = data.get('players')
        options, position = data.get('options', {}), data.get('position')
        if not is_whole(players, rules.players[0], rules.players[-1]) or not isinstance(options, dict):
            raise GameError(words('analysis.error.root'))
        if position is not None and (not isinstance(position, dict) or position.get('game') != game):
            raise GameError(words('analysis.error.root'))
        if knows is not None and not is_whole(knows, -1, players - 1):
            raise GameError(words('analysis.error.root'))
        colours: Any = data.get('colours', [])
        if not isinstance(colours, list) or not all(isinstance(colour, str) for colour in colours):
            raise GameError(words('analysis.error.root'))
        dealt = tuple(deal_colours(rules.colours(players), colours) if colours else ())
        return cls(game, players, rules.options.read(options).changed(), seed, position, knows, dealt)


@dataclass(frozen=True)
class AnalysisNode:
    """A position of the tree: its number, that of its parent (-1: the root has none), the turn between them
    and the seat that takes it; what the analyst calls it, says of it and draws on it."""

    id: int
    parent: int = -1
    turn: str = ''
    name: str = ''
    comment: str = ''
    marks: tuple[Mark, ...] = ()
    seat: int = -1

    def json(self) -> dict[str, Any]:
        """The node as plain data, without what is empty."""
        data: dict[str, Any] = {'id': self.id}
        data |= {'parent': self.parent, 'turn': self.turn, 'seat': self.seat} if self.parent >= 0 else {}
        data |= {'name': self.name} if self.name else {}
        data |= {'comment': self.comment} if self.comment else {}
        return data | ({'marks': [mark.json() for mark in self.marks]} if self.marks else {})

    @classmethod
    def read(cls, data: Any) -> Self:
        """The inverse of `json`. Raises GameError if the data have another form."""
        keys = {'id', 'parent', 'turn', 'seat', 'name', 'comment', 'marks'}
        if not isinstance(data, dict) or set(data) - keys or not is_whole(data.get('id'), 0, 1 << 30):
            raise GameError(words('analysis.error.node_form'))
        number, parent = data['id'], data.get('parent', -1)
        texts = [data.get(key, '') for key in ('turn', 'name', 'comment')]
        marks = data.get('marks', [])
        root = number == 0
        if (
            not is_whole(parent, -1 if root else 0, max(-1, number - 1))
            or not all(isinstance(text, str) for text in texts)
            or root is bool(texts[0])
            or len(texts[0]) > TURN_LENGTH
            or not isinstance(marks, list)
            or not is_whole(data.get('seat', -1), -1, 8)
        ):
            raise GameError(
                words('analysis.error.node', node=number, problem=words('analysis.error.node_form'))
            )
        return cls(
            number,
            parent,
            ' '.join(texts[0].split()),
            clean_title(texts[1]),
            clean_comment(texts[2]),
            read_marks(marks),
            data.get('seat', -1),
        )


def read_marks(data: Sequence[Any]) -> tuple[Mark, ...]:
    """Marks from their JSON form; what is there twice counts once. Raises GameError."""
    if len(data) > MOST_MARKS:
        raise GameError(words('analysis.error.marks', most=MOST_MARKS))
    return tuple(dict.fromkeys(Mark.read(one) for one in data))


def clean_title(text: str) -> str:
    """A name as it is kept: one line of at most `NAME_LENGTH` characters."""
    return ' '.join(''.join(c if c.isprintable() else ' ' for c in text).split())[:NAME_LENGTH].strip()


def clean_comment(text: str) -> str:
    """A comment as it is kept: lines of printable characters, at most `COMMENT_LENGTH`."""
    kept = ''.join(c if c.isprintable() or c == '\n' else ' ' for c in text.replace('\r\n', '\n'))
    return kept.strip()[:COMMENT_LENGTH].strip()


@dataclass
class AnalysisTree:
    """A board for analysis as data. Methods that change it do the whole or raise GameError and do nothing."""

    root: Root
    nodes: dict[int, AnalysisNode] = field(default_factory=lambda: {0: AnalysisNode(0)})
    """By number, a parent before its children. The first child of a node is its main line."""

    # ---- looking

    def node(self, number: int) -> AnalysisNode:
        """The node of that number. Raises GameError if there is none."""
        if number not in self.nodes:
            raise GameError(words('analysis.error.no_node', node=number))
        return self.nodes[number]

    def children(self, number: int) -> list[AnalysisNode]:
        """What follows a node, the main line first."""
        return [node for node in self.nodes.values() if node.parent == number]

    def path(self, number: int) -> list[AnalysisNode]:
        """The nodes from the root's child to this one. Raises GameError if there is no such node."""
        found = []
        node = self.node(number)
        while node.parent >= 0:
            found.append(node)
            node = self.nodes[node.parent]
        return found[::-1]

    def turns(self, number: int) -> tuple[str, ...]:
        """The turns that lead to a node."""
        return tuple(node.turn for node in self.path(number))

    def line(self, number: int) -> list[AnalysisNode]:
        """The main line on from a node, the node itself not included."""
        following = self._by_parent()
        found: list[AnalysisNode] = []
        while number in following:
            found.append(following[number][0])
            number = found[-1].id
        return found

    def _by_parent(self) -> dict[int, list[AnalysisNode]]:
        found: dict[int, list[AnalysisNode]] = {}
        for node in self.nodes.values():
            found.setdefault(node.parent, []).append(node)
        return found

    def walk(self) -> Iterator[tuple[AnalysisNode, int]]:
        """All nodes but the root as they are read: a main line, and behind each of its turns the variations
        to it. With each comes how many variations it lies within."""
        following = self._by_parent()
        waiting: list[tuple[AnalysisNode, int]] = []

        def push(number: int, depth: int) -> None:
            here = following.get(number, [])
            for first in here[:1]:
                waiting.append((first, -depth - 1))  # goes on when its variations have been told
                waiting.extend((node, depth + 1) for node in here[:0:-1])
                waiting.append((first, depth))

        push(0, 0)
        while waiting:
            node, depth = waiting.pop()
            if depth < 0:
                push(node.id, -depth - 1)
                continue
            yield node, depth
            if following[node.parent][0] is not node:
                push(node.id, depth)

    # ---- changing

    def add(self, parent: int, turn: str, seat: int) -> AnalysisNode:
        """The child of a node by a seat's turn, made if there is none. Raises GameError if the tree is
        full."""
        self.node(parent)
        for node in self.nodes.values():
            if node.parent == parent and node.turn == turn:
                return node
        if len(self.nodes) >= MOST_NODES:
            raise GameError(words('analysis.error.nodes', most=MOST_NODES))
        node = AnalysisNode(max(self.nodes) + 1, parent, turn, seat=seat)
        self.nodes[node.id] = node
        return node

    def describe(
        self,
        number: int,
        name: str | None = None,
        comment: str | None = None,
        marks: Sequence[Any] | None = None,
    ) -> AnalysisNode:
        """Give a node another name, comment or other marks; None: they stay. Raises GameError."""
        node = self.node(number)
        node = replace(
            node,
            name=node.name if name is None else clean_title(name),
            comment=node.comment if comment is None else clean_comment(comment),
            marks=node.marks if marks is None else read_marks(marks),
        )
        self.nodes[number] = node
        return node

    def remove(self, number: int) -> int:
        """Remove a node with all that follows it, and answer its parent. Raises GameError for the root."""
        node = self.node(number)
        if node.parent < 0:
            raise GameError(words('analysis.error.remove_root'))
        gone = {number}
        for other in self.nodes.values():  # parents come before their children
            if other.parent in gone:
                gone.add(other.id)
        self.nodes = {other.id: other for other in self.nodes.values() if other.id not in gone}
        return node.parent

    def put_first(self, number: int) -> None:
        """Make a node and those that lead to it the main line. Raises GameError if there is no such node."""
        first = {node.id for node in self.path(number)}
        following = {
            parent: sorted(nodes, key=lambda node: node.id not in first)
            for parent, nodes in self._by_parent().items()
        }
        nodes, waiting = {0: self.nodes[0]}, [0]
        for parent in waiting:  # in breadth: the order among siblings is that of their list
            here = following.get(parent, [])
            nodes |= {node.id: node for node in here}
            waiting += [node.id for node in here]
        self.nodes = nodes

    # ---- as JSON

    def json(self) -> dict[str, Any]:
        """The tree as plain data. It holds the whole position at which the board begins."""
        nodes = [node.json() for node in self.nodes.values()]
        return {'format': FORMAT, 'game': self.root.game, 'root': self.root.json(), 'nodes': nodes}

    def text(self) -> str:
        """The tree as JSON. Raises GameError if it is larger than `LARGEST`."""
        text = json.dumps(self.json(), separators=(',', ':'), ensure_ascii=False)
        if len(text.encode()) > LARGEST:
            raise GameError(words('analysis.error.large', most=LARGEST >> 10))
        return text

    @classmethod
    def read(cls, data: Any) -> Self:
        """The inverse of `json`. Raises GameError if the data have another form. Whether the turns are legal
        is not asked here."""
        if (
            not isinstance(data, dict)
            or data.get('format') != FORMAT
            or not isinstance(data.get('game'), str)
        ):
            raise GameError(words('analysis.error.form', format=FORMAT))
        if set(data) - {'format', 'game', 'root', 'nodes'} or not isinstance(data.get('nodes'), list):
            raise GameError(words('analysis.error.form', format=FORMAT))
        if len(data['nodes']) > MOST_NODES:
            raise GameError(words('analysis.error.nodes', most=MOST_NODES))
        root = Root.read(data['game'], data.get('root'))
        nodes: dict[int, AnalysisNode] = {}
        turns = set()
        for one in data['nodes']:
            node = AnalysisNode.read(one)
            fits = node.parent in nodes if nodes else node.id == 0
            if node.id in nodes or not fits or (node.parent, node.turn) in turns:
                problem = words('analysis.error.parent')
                raise GameError(words('analysis.error.node', node=node.id, problem=problem))
            nodes[node.id] = node
            turns.add((node.parent, node.turn))
        return cls(root, nodes or {0: AnalysisNode(0)})

    @classmethod
    def parse(cls, text: str) -> Self:
        """A tree from JSON. Raises GameError if it is too large, or is no tree."""
        if len(text.encode()) > LARGEST:
            raise GameError(words('analysis.error.large', most=LARGEST >> 10))
        try:
            return cls.read(json.loads(text))
        except (ValueError, RecursionError) as problem:
            if isinstance(problem, GameError):
                raise
            raise GameError(words('analysis.error.form', format=FORMAT)) from problem
