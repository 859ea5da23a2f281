"""Many PUCT trees side by side, for learners that search with a network: `Forest`.

    from ludoteca.batch import Env
    from ludoteca.search import Forest
    env = Env('octiles', 256)
    forest = Forest('octiles', 256, noise=(0.3, 0.25))
    forest.plant(env)
    for _ in range(100):
        obs, legal = forest.select()
        logits, values = network(obs)
        forest.backup(forest.softmax(logits), values)
    actions = forest.choose(temperature=1.0)
    step = env.step(actions)
    forest.advance(np.where(step.done, -1, actions), env)

Values are in the unit of the batch's rewards: 1 for a sole winner, -1 shared among the others. Everything is
derived from what a game declares: secrets are guessed anew for each simulation, from what the seat to move
knows, and a leaf is observed as its own mover sees it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludoteca.game import Game, GameError, Position, load
from ludoteca.kernel import Floats, Ints, kernel, mix, seed_number
from ludoteca.search.forest_tree import (
    GROWN,
    MAX_DEPTH,
    Edge,
    Leaf,
    Node,
    Plant,
    Search,
    Sums,
    bind_forest,
    find_wrong,
    mix_noise,
    read_roots,
)
from ludoteca.text import words

FORMAT = b'ludoteca forest 1\n'
"""What saved forests begin with; a digest, a line of JSON and the trees follow."""
DIGEST = 32  # bytes
WIDTH, HIDDEN_WIDTH = 256, 64
"""Actions of a node, on average, for which there is room, unless another number is given."""
MOST_NODES, MOST_ROOTS, MOST_LEAVES = 1 << 24, 1 << 20, 1 << 12
WHOLE, NUMBER = (int, np.integer), (int, float, np.integer, np.floating)
"""What counts as a whole number, and as a number."""


class Legal(NamedTuple):
    """Lists of legal actions, one a row: those of row `i` are actions[starts[i] : starts[i + 1]], ascending.
    The arrays belong to the forest: the next selection writes over them."""

    starts: npt.NDArray[np.int32]  # (rows + 1,)
    actions: npt.NDArray[np.int32]  # (all together,)


class Policy(NamedTuple):
    """What a search says of the roots, in the same form: a list a tree, empty where the game is over."""

    starts: npt.NDArray[np.int32]  # (roots + 1,)
    actions: npt.NDArray[np.int32]  # (all together,)
    probabilities: npt.NDArray[np.float32]  # (all together,): of each root they add up to 1
    visits: npt.NDArray[np.int32]  # (all together,): simulations that began with the action


@kernel
def soften(logits: Any, rows: int, starts: Ints, actions: Ints, priors: Any) -> None:
    """The softmax of logits[row] over the legal actions of each row."""
    for row in range(rows):
        most, total = -np.inf, 0.0
        for i in range(starts[row], starts[row + 1]):
            most = max(most, float(logits[row, actions[i]]))
        for i in range(starts[row], starts[row + 1]):
            priors[i] = np.exp(float(logits[row, actions[i]]) - most)
            total += priors[i]
        for i in range(starts[row], starts[row + 1]):
            priors[i] = priors[i] / total


@kernel
def draw_actions(starts: Ints, actions: Ints, shares: Any, seed: int, out: Any) -> None:
    """An action for each row, drawn by its shares; -1 for an empty row."""
    for row in range(len(out)):
        out[row] = -1
        left = mix(seed, row) / 4294967296.0
        for i in range(starts[row], starts[row + 1]):
            if shares[i] > 0.0 and (left >= 0.0 or out[row] < 0):
                left -= shares[i]
                out[row] = actions[i]


class Forest:
    """`roots` trees of one game. One thread at a time may use them; it lets others run while it searches.

    A tree has room for `nodes` positions, and for `width` actions of each on average. Where there is none
    left, simulations go on: their leaves are evaluated and not kept (`full`).
    """

    def __init__(
        self,
        game: str | Game,
        roots: int,
        nodes: int = 1_024,
        c_puct: float = 1.25,
        noise: tuple[float, float] | None = None,
        *,
        players: int | None = None,
        leaves: int = 1,
        virtual_loss: float = 1.0,
        unvisited: float | None = None,
        width: int | None = None,
        seed: int | str = 0,
        observe: bool = True,
    ) -> None:
        """Trees without positions: `plant` gives them some.

        `c_puct`: the weight of priors beside values. `noise`: at roots priors are mixed with a Dirichlet
        distribution, given as its alpha and its share. `leaves`: simulations of each tree in a batch, of
        which each takes those under way for so many lost ones (`virtual_loss`). `unvisited`: the value that
        an action counts for which was never visited; None: that of the position, as far as it is known.
        Without `observe` observations have no columns. The same seed, positions and answers give the same
        searches. Raises GameError for an unknown game and for numbers that are impossible.
        """
        self.game = load(game) if isinstance(game, str) else game
        self.players, _ = self.game.checked(players)
        if width is None:
            width = min(self.game.max_legal, HIDDEN_WIDTH if self.game.hidden else WIDTH)
        numbers = (
            ('roots', roots, 1, MOST_ROOTS),
            ('nodes', nodes, 2, MOST_NODES),
            ('leaves', leaves, 1, MOST_LEAVES),
            ('width', width, 1, self.game.n_actions),
        )
        for name, number, least, most in numbers:
            if isinstance(number, bool) or not isinstance(number, WHOLE) or not least <= number <= most:
                raise GameError(
                    words('forest.error.number', name=name, least=least, most=f'{most:,}', number=number)
                )
        alpha, fraction = (1.0, 0.0) if noise is None else noise
        _check_amount('c_puct', c_puct, 0.0, 1e6)
        _check_amount('virtual_loss', virtual_loss, 0.0, 1e6)
        _check_amount('noise[0]', alpha, 1e-6, 1e6)
        _check_amount('noise[1]', fraction, 0.0, 1.0)
        if unvisited is not None:
            _check_amount('unvisited', unvisited, -1.0, 1.0)
        self.roots, self.nodes, self.leaves, self.width = int(roots), int(nodes), int(leaves), int(width)
        self.seed, self.alpha = seed, float(alpha)
        self._seed, self._planted, self._chosen = seed_number(seed), 0, 0
        self._rules = Search.new()
        for name, value in (
            ('c_puct', c_puct),
            ('fraction', fraction),
            ('virtual_loss', virtual_loss),
            ('unvisited', unvisited or 0.0),
            ('by_mean', int(unvisited is None)),
            ('leaves', leaves),
        ):
            setattr(self._rules, name, value)
        self._make_trees()
        self._make_batch(observe)
        self._kernels = bind_forest(self.game)
        self._waits = False
        self._n = 0
        # nothing to do: this only loads or compiles, where Ctrl-C is heard
        self._plant_rows(np.zeros(0, np.int32), 0)
        self.backup(self.select()[1].actions, np.zeros((0, self.players)))

    def _make_trees(self) -> None:
        """Memory for the trees. What is not used is never touched."""
        game, hidden = self.game, self.game.hidden
        self._roots, self._given = game.State.array(self.roots), game.State.array(self.roots)
        self._knowledge, self._plants = game.Work.array(self.roots), Plant.array(self.roots)
        self._plants['idle'] = 1
        listed = 0 if hidden else self.nodes * self.width
        # blocks that double leave up to their size behind
        edged = 2 * self.nodes * self.width if hidden else 4 * self.nodes
        seen = self.nodes if hidden else 0
        # with a spare tree, for cutting trees down
        self._trees: tuple[npt.NDArray[Any], ...] = (
            np.zeros((self.roots + 1, self.nodes), Node.DTYPE),
            np.zeros((self.roots + 1, self.nodes), Sums.DTYPE),
            np.zeros((self.roots + 1, seen), Sums.DTYPE),
            np.zeros((self.roots + 1, edged), Edge.DTYPE),
            np.zeros((self.roots + 1, edged if hidden else 0), Edge.DTYPE),
            np.zeros((self.roots + 1, listed), np.int32),
            np.zeros((self.roots + 1, listed), np.float32),
        )
        self._own = tuple(array[: self.roots] for array in self._trees)
        self._spare = tuple(array[self.roots] for array in self._trees)
        self._order = np.zeros(self.nodes, np.int32)
        self._root_lists = np.zeros((self.roots, game.max_legal), np.int32)
        self._gammas = np.zeros((self.roots, game.max_legal if self._rules.fraction else 0), np.float64)

    def _make_batch(self, observe: bool) -> None:
        """Memory for a batch, and for what is read of the roots."""
        game = self.game
        rows = self.roots * self.leaves * (2 if game.hidden else 1)
        self.rows = rows
        """Leaves of a batch at most."""
        self._leaves, self._steps = Leaf.array(rows + 2), np.zeros((rows + 2, MAX_DEPTH, 3), np.int32)
        self._states, self._imagined = game.State.array(3), game.Work.array(1)
        self._legal, self._which = np.zeros((2, game.max_legal), np.int32)
        self._place = np.zeros(game.n_actions, np.int32)
        self._raised = np.zeros((2, 1 << 16 if game.hidden else 1), np.int32)
        self._result, self._exact = np.zeros(game.players[-1]), np.zeros((1, game.players[-1]))
        self._counts = np.zeros(2, np.int32)
        self._obs = np.zeros((rows, game.observation_size * observe), np.float32)
        room = (rows + 1) * game.max_legal
        self._starts, self._given_starts = np.zeros((2, rows + 1), np.int32)
        self._lists, self._held = np.zeros(room, np.int32), np.zeros(room if game.hidden else 0, np.int32)
        self._movers, self._rows_trees = np.zeros((2, rows), np.int32)
        self._softened = np.zeros(room, np.float32)
        width = self.roots * game.max_legal
        self._policy = Policy(
            np.zeros(self.roots + 1, np.int32),
            np.zeros(width, np.int32),
            np.zeros(width, np.float32),
            np.zeros(width, np.int32),
        )
        self._means, self._actions = np.zeros(self.roots), np.zeros(self.roots, np.int64)

    # ---- roots ---------------------------------------------------------------------------------------------

    def plant(self, states: Any) -> None:
        """Begin anew with a position for each tree: a `batch.Env` of as many games, an array of state records
        of shape (roots,), or a sequence of states or Positions. Of each position only what the seat to move
        knows is kept. A tree whose game is over rests. Raises GameError for other positions, and while leaves
        wait."""
        self._plant(states, np.full(self.roots, -1, np.int32))

    def advance(self, actions: npt.ArrayLike, states: Any) -> None:
        """Go on from the positions, given as in `plant`, to which one action each (int[roots]) has led from
        the roots; -1 stands for none. What the trees hold below these actions is kept where it is still about
        what the seat to move knows: in open games, if no choices are sealed; in others while it is the same
        seat's turn and nothing has been revealed. Other trees begin anew. `kept` tells which is which. Raises
        GameError as `plant` does."""
        given = np.asarray(actions)
        if given.shape != (self.roots,) or given.dtype.kind not in 'iu':
            raise GameError(
                words('forest.error.actions', roots=self.roots, shape=given.shape, dtype=given.dtype)
            )
        self._plant(states, given.astype(np.int32))

    def _plant(self, states: Any, played: Ints) -> None:
        self._check_rest()
        given = self._read_states(states)
        self._given[:] = given
        self._planted += 1
        self._plant_rows(played, self.roots)
        if self._rules.fraction > 0.0:
            self._draw_noise()

    def _plant_rows(self, played: Ints, rows: int) -> None:
        """Give the first `rows` trees their new roots."""
        self._kernels.plant_trees(
            self._given,
            played,
            self._roots,
            self._knowledge,
            self._plants[:rows],
            *self._own,
            self._root_lists,
            self._seed,
            self._planted,
            *self._spare,
            self._order,
        )

    def _draw_noise(self) -> None:
        """Draw the noise of all roots, and mix it into those that have priors already. The others get it with
        their priors."""
        rng = np.random.default_rng([self._seed, self._planted])
        nodes, sums, _, edges, _, _, priors = self._own
        for t in range(self.roots):
            n = int(self._plants[t].n)
            self._gammas[t, :n] = rng.standard_gamma(self.alpha, n)
            if n and sums[t, 0].state == GROWN:
                mix_noise(
                    nodes[t],
                    edges[t],
                    priors[t],
                    self._plants[t],
                    self._gammas[t],
                    self._place,
                    self._root_lists[t],
                    float(self._rules.fraction),
                )

    def _read_states(self, states: Any) -> npt.NDArray[Any]:
        """Positions as an array of records."""
        found = getattr(states, 'states', states)
        if not isinstance(found, np.ndarray) and isinstance(found, Sequence):
            rows = [row.state if isinstance(row, Position) else row for row in found]
            kinds = {getattr(row, 'dtype', None) for row in rows}
            if kinds == {self.game.State.DTYPE}:
                found = self.game.State.array(len(rows))
                for i, row in enumerate(rows):
                    found[i] = row
        wanted = {'roots': self.roots, 'game': self.game.title, 'players': self.players}
        if not isinstance(found, np.ndarray) or found.dtype != self.game.State.DTYPE:
            raise GameError(words('forest.error.states', kind=type(states).__name__, **wanted))
        if found.shape != (self.roots,) or (found['players'] != self.players).any():
            there = sorted(set(found['players'].ravel().tolist()))
            raise GameError(words('forest.error.other_states', shape=found.shape, there=there, **wanted))
        return found

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """Shape (roots,): which trees went on from what was known when they were last planted."""
        return np.asarray(self._plants['kept'] != 0)

    @property
    def full(self) -> npt.NDArray[np.bool_]:
        """Shape (roots,): which trees had no room for something since they were last planted. Their searches
        go on, with leaves that are evaluated and not kept."""
        return np.asarray(self._plants['full'] != 0)

    @property
    def running(self) -> npt.NDArray[np.bool_]:
        """Shape (roots,): which trees have a game that is not over."""
        return np.asarray(self._plants['idle'] == 0)

    @property
    def simulations(self) -> npt.NDArray[np.int32]:
        """Shape (roots,): the simulations through each root, those of an earlier tree that was kept
        included."""
        return np.asarray(self._own[1]['visits'][:, 0])

    # ---- a batch -------------------------------------------------------------------------------------------

    def select(self) -> tuple[npt.NDArray[np.float32], Legal]:
        """Make `leaves` simulations in each tree, up to where the learner is to speak.

        Returns observations (float32[rows, observation size], each as the leaf's mover sees it) and the lists
        of legal actions. Simulations that end with the game are valued exactly and make no row; a tree also
        makes fewer rows when a simulation comes to a leaf that is in the batch already; in games with secrets
        a simulation may make two. So there are 0 to `self.rows` rows. Raises GameError while leaves wait.
        """
        self._check_rest()
        self._kernels.select_leaves(
            self._roots,
            self._knowledge,
            self._plants,
            *self._own,
            self._rules,
            self._leaves,
            self._steps,
            self._states,
            self._imagined,
            self._legal,
            self._which,
            self._place,
            self._raised,
            self._result,
            self._exact,
            self._counts,
            self._obs,
            self._starts,
            self._lists,
            self._held,
            self._movers,
            self._rows_trees,
        )
        self._n, self._waits = int(self._counts[0]), True
        starts = self._given_starts[: self._n + 1]
        starts[:] = self._starts[: self._n + 1]
        return self._obs[: self._n], Legal(starts, self._lists[: self._counts[1]])

    @property
    def to_move(self) -> npt.NDArray[np.int32]:
        """Shape (rows,): the seat to move at each leaf of the batch."""
        return self._movers[: self._n]

    @property
    def trees(self) -> npt.NDArray[np.int32]:
        """Shape (rows,): the tree to which each leaf of the batch belongs."""
        return self._rows_trees[: self._n]

    def softmax(self, logits: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Logits of all actions (float[rows, number of actions]) as priors of the legal ones, in the order of
        `Legal.actions`. The array belongs to the forest. Raises GameError for another shape."""
        self._check_waits()
        given = np.asarray(logits)
        self._check_shape('Logits', given.shape, (self._n, self.game.n_actions))
        n = int(self._starts[self._n])
        soften(given, self._n, self._starts, self._lists, self._softened)
        return self._softened[:n]

    def backup(self, priors: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Add what the learner says of the batch. `priors` (float[all together]): weights from 0 up, one for
        each of `Legal.actions`; those of a row are divided by their sum, and are taken to be equal if all are
        0. `values` (float[rows, players]): what each seat can expect, from -1 to 1. Raises GameError, and
        changes nothing, for other shapes and numbers, and when no leaves wait."""
        self._check_waits()
        given, worth = np.asarray(priors, np.float32), np.asarray(values, np.float32)
        self._check_shape('Priors', given.shape, (int(self._starts[self._n]),))
        self._check_shape('Values', worth.shape, (self._n, self.players))
        row = find_wrong(self._starts, self._n, given, worth)
        if row >= 0:
            raise GameError(words('forest.error.row', row=row))
        nodes, sums, views, edges, view_edges, _, lists = self._own
        self._kernels.back_up(
            self._plants,
            nodes,
            sums,
            views,
            edges,
            view_edges,
            lists,
            self._rules,
            self._leaves,
            self._steps,
            self._n,
            self._starts,
            self._held,
            given,
            worth,
            self._gammas,
            self._root_lists,
            self._place,
        )
        self._waits = False

    # ---- what was found ------------------------------------------------------------------------------------

    def policy(self, temperature: float = 1.0) -> Policy:
        """The visits of each root's legal actions, and their shares when raised to 1 / `temperature`. At
        temperature 0 all goes to the action that was visited most; of several to the one with the highest
        value, then to the lowest. Shares are equal where nothing was visited. The arrays belong to the
        forest: the next call writes over them. Raises GameError for a negative temperature."""
        if not isinstance(temperature, NUMBER) or not temperature >= 0 or temperature == math.inf:
            raise GameError(words('forest.error.temperature', temperature=temperature))
        nodes, sums, _, edges, *_ = self._own
        found = self._policy
        power = 0.0 if temperature == 0 else 1.0 / float(temperature)
        read_roots(
            self._plants,
            nodes,
            sums,
            edges,
            self._root_lists,
            float(power),
            self._place,
            found.starts,
            found.actions,
            found.visits,
            found.probabilities,
            self._means,
        )
        n = int(found.starts[-1])
        return Policy(found.starts, found.actions[:n], found.probabilities[:n], found.visits[:n])

    def choose(self, temperature: float = 1.0) -> npt.NDArray[np.int64]:
        """An action for each root (int64[roots]), drawn from `policy(temperature)`; -1 where the game is
        over. The array belongs to the forest."""
        found = self.policy(temperature)
        self._chosen += 1
        draw_actions(
            found.starts, found.actions, found.probabilities, mix(self._seed, self._chosen), self._actions
        )
        return self._actions

    def values(self) -> Floats:
        """Shape (roots,): what the seat to move can expect at each root, from -1 to 1, as the mean of the
        simulations; 0 without any."""
        sums = self._own[1][:, 0]
        return np.asarray(sums['value'] / np.maximum(1, sums['visits']))

    # ---- saved forests -------------------------------------------------------------------------------------

    def _facts(self) -> dict[str, Any]:
        """What a saved forest and the one that loads it must have in common."""
        kinds = (self.game.State, self.game.Work, Node, Sums, Edge, Plant)
        layout = repr([kind.DTYPE.descr for kind in kinds]).encode()
        return {
            'game': self.game.name,
            'version': self.game.version,
            'record': hashlib.blake2b(layout, digest_size=8).hexdigest(),
            'players': self.players,
            'roots': self.roots,
            'nodes': self.nodes,
            'width': self.width,
            'seed': str(self.seed),
            'alpha': self.alpha,
            'rules': hashlib.blake2b(self._rules.tobytes(), digest_size=8).hexdigest(),
        }

    def _parts(self) -> list[npt.NDArray[Any]]:
        """All arrays that a search goes on from, each cut to what is in use."""
        found: list[npt.NDArray[Any]] = [self._roots, self._knowledge]
        found += [self._root_lists[t, : self._plants[t].n] for t in range(self.roots)]
        if self._gammas.size:
            found += [self._gammas[t, : self._plants[t].n] for t in range(self.roots)]
        for array, name in zip(
            self._own, ('used', 'used', 'used', 'edged', 'edged', 'listed', 'listed'), strict=True
        ):
            found += [array[t, : self._plants[t][name]] for t in range(self.roots)]
        return found

    def save(self) -> bytes:
        """All trees as they stand; they hold what the seats know, and guesses of the rest. Raises GameError
        while leaves wait."""
        self._check_rest()
        counts = np.array([self._planted, self._chosen], np.int64)
        facts = json.dumps(self._facts()).encode() + b'\n'
        body = b''.join(
            (facts, counts.tobytes(), self._plants.tobytes(), *(part.tobytes() for part in self._parts()))
        )
        return FORMAT + hashlib.blake2b(body, digest_size=DIGEST).digest() + body

    def load(self, data: bytes) -> None:
        """Go on from a saved forest as if it had not been interrupted. Raises GameError, and changes nothing,
        if the bytes are damaged or those of another forest: another game or version, other numbers. Load what
        you have saved yourself: bytes that somebody has forged could hold impossible trees."""
        self._check_rest()
        body = data[len(FORMAT) + DIGEST :]
        if data[: len(FORMAT) + DIGEST] != FORMAT + hashlib.blake2b(body, digest_size=DIGEST).digest():
            raise GameError(words('forest.error.damaged'))
        line, _, rest = body.partition(b'\n')
        there = json.loads(line)
        for key, value in self._facts().items():
            if there[key] != value:
                raise GameError(words('forest.error.other', key=key, there=there[key], here=value))
        counts = np.frombuffer(rest, np.int64, 2)
        self._planted, self._chosen = counts.tolist()
        self._plants[:] = np.frombuffer(rest, Plant.DTYPE, self.roots, counts.nbytes)
        at = counts.nbytes + self._plants.nbytes
        for part in self._parts():
            part[...] = np.frombuffer(rest, part.dtype, part.size, at).reshape(part.shape)
            at += part.nbytes

    # ---- checks --------------------------------------------------------------------------------------------

    def _check_rest(self) -> None:
        if self._waits:
            raise GameError(words('forest.error.waiting', rows=self._n))

    def _check_waits(self) -> None:
        if not self._waits:
            raise GameError(words('forest.error.nothing'))

    def _check_shape(self, name: str, shape: tuple[int, ...], wanted: tuple[int, ...]) -> None:
        if shape != wanted:
            raise GameError(words('forest.error.shape', name=name, rows=self._n, wanted=wanted, shape=shape))


def _check_amount(name: str, number: Any, least: float, most: float) -> None:
    """Raises GameError if it is no number in a range."""
    if isinstance(number, bool) or not isinstance(number, NUMBER) or not least <= number <= most:
        raise GameError(
            words('forest.error.amount', name=name, least=f'{least:g}', most=f'{most:g}', number=number)
        )
