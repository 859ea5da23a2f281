"""The games as games of OpenSpiel. To import this module is to register them: `ludoteca_octiles` and so on.

    import pyspiel
    import ludoteca.research.openspiel
    game = pyspiel.load_game('ludoteca_octiles(players=3,repetition=True)')

Their parameters are `players`, the game's options by their names, and `max_game_length`: after so many
decisions a game is broken off, and all returns are 0. Elsewhere returns are 1 for a sole winner, -1 shared
among the others, and 0 if all share the win.

Chance is explicit. What a game declares as drawn one by one (`Game.chances`) has its own outcomes and their
true probabilities. Whole deals at the start are drawn by DEAL_NODES chance nodes of DEALS outcomes each,
which stand for DEALS ** DEAL_NODES equally likely seeds. States hold nothing of chance to come: clones of one
state go on alike or differently as chance decides in each of them. A game in which chance decides nothing
with its options is deterministic, and has no chance nodes.

Where all choose in secret at once they do so one after another, and nobody's information state tells what
others have chosen. Nothing is observed at a chance node: its tensors are zeros.
"""

from __future__ import annotations

import re
import struct
import threading
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

import numpy as np

from ludoteca.batch import reward
from ludoteca.game import Game, GameError, some, start
from ludoteca.game import games as all_games
from ludoteca.game import load as load_rules
from ludoteca.game.options import Options
from ludoteca.kernel import seed_words
from ludoteca.search import as_known
from ludoteca.text import words

try:
    import pyspiel
except ImportError as problem:  # the extra `research` brings it
    raise GameError(words('research.error.no_openspiel')) from problem

__all__ = ['SpielGame', 'SpielObserver', 'SpielState', 'load', 'register']

PREFIX = 'ludoteca_'
LONGEST = 10_000
"""Decisions after which a game is broken off, unless another number is given."""
DEALS, DEAL_NODES = 64, 4
EACH_DEAL = [(number, 1 / DEALS) for number in range(DEALS)]
MOST_DRAWS = 64
"""More than chance ever decides between two decisions of players."""
TRIED_SEEDS = 12  # a set-up that is the same for all of these draws nothing

TERMINAL, CHANCE = int(pyspiel.PlayerId.TERMINAL), int(pyspiel.PlayerId.CHANCE)


class Room(threading.local):
    """What one thread works with: a record, its bytes, and lists of actions and of outcomes."""

    def __init__(self, game: Game) -> None:
        self.state, self.out = game.State.new(), np.zeros(game.max_legal, np.int32)
        self.memory = memoryview(self.state.data.view(np.uint8))
        self.outcomes = np.zeros(max(1, game.n_outcomes), np.int32)
        self.probabilities = np.zeros(max(1, game.n_outcomes))
        self.shares, self.work = np.zeros(game.players.stop - 1), game.Work.new()
        self.observation = np.zeros(game.observation_size)


class Variant:
    """A game with a number of players and options. There is one object for each; see `variant`."""

    def __init__(self, game: Game, players: int, options: Options, longest: int) -> None:
        self.game, self.players, self.options, self.longest = game, players, options, longest
        self.room = Room(game)
        self._seen = struct.Struct(f'<{players}i')

    def __reduce__(self) -> tuple[Any, ...]:
        return variant, (self.game.name, self.players, self.options, self.longest)

    @cached_property
    def deals(self) -> bool:
        """Does the set-up draw anything?"""
        states = [self.set_up(seed) for seed in range(TRIED_SEEDS)]
        for state in states:
            state.rng[:] = 0
        return self.game.chance_mode != 'none' and len({state.tobytes() for state in states}) > 1

    @cached_property
    def beginning(self) -> Moment:
        """Where a game begins."""
        if self.deals:
            return Moment(self, b'', CHANCE, 0, b'', 1)
        return self.moment(self.set_up(0), 0, b'')

    def set_up(self, seed: int) -> Any:
        """A game's first state, without the chance to come."""
        state = start(self.game, self.players, seed_of_deal(seed), self.options)
        self.game.kernels.drop_future(state)
        return state

    def moment(self, state: Any, moves: int, seen: bytes) -> Moment:
        """A state after so many decisions of which the seats have seen what `seen` says."""
        mover = int(state.to_move)
        if state.ending or moves >= self.longest:
            mover = TERMINAL
        elif state.phase < 0:
            mover = CHANCE
        return Moment(self, state.tobytes(), mover, moves, seen)

    def after(self, before: Moment, action: int) -> Moment:
        """The moment after a legal action."""
        state = before.state()
        seen = before.seen + self.seen_by_all(state, action) if self.game.hidden else b''
        self.game.kernels.apply(state, action)
        return self.moment(state, before.moves + 1, seen)

    def seen_by_all(self, state: Any, action: int) -> bytes:
        """An action as each seat knows it."""
        hide_action = self.game.kernels.hide_action
        return self._seen.pack(*[int(hide_action(state, action, seat)) for seat in range(self.players)])


@cache
def variant(name: str, players: int, options: Options, longest: int) -> Variant:
    """The one object of these. Raises GameError for an unknown game, and if the others are impossible."""
    game = load_rules(name)
    players, options = game.checked(players, options)
    if longest < 1:
        raise GameError(words('research.error.longest', longest=longest))
    return Variant(game, players, options, longest)


def seed_of_deal(deal: int) -> int:
    """The seed of a deal; large, so that it is taken as it is (`seed_words`)."""
    low, high = (int(word) for word in seed_words(f'deal {deal}')[:2])
    return 1 << 127 | high << 32 | low


class Moment:
    """A moment of a game. It is never changed, so that states share it."""

    __slots__ = ('_legal', 'data', 'deal', 'mover', 'moves', 'seen', 'variant')

    def __init__(
        self, variant: Variant, data: bytes, mover: int, moves: int, seen: bytes, deal: int = 0
    ) -> None:
        self.variant = variant
        self.data = data  # of the record; b'' before it is dealt
        self.mover = mover  # a seat, CHANCE or TERMINAL
        self.moves = moves  # decisions so far
        # in games with secrets: for every action and every seat the action as the seat knows it
        self.seen = seen
        self.deal = deal  # while the game is dealt: 1, and the digits drawn so far
        self._legal: list[int] | None = None

    def __deepcopy__(self, memory: dict[int, Any]) -> Moment:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Moment, (self.variant, self.data, self.mover, self.moves, self.seen, self.deal)

    @property
    def legal(self) -> list[int]:
        """The legal actions, ascending."""
        if self._legal is None:
            state, out = self.state(), self.variant.room.out
            self._legal = out[: self.variant.game.kernels.legal_actions(state, out)].tolist()
        return self._legal

    def state(self) -> Any:
        """The record, in the room of this thread: the next call writes over it."""
        room = self.variant.room
        room.memory[:] = self.data
        return room.state

    def known(self, seat: int) -> Any:
        """A copy of the record that holds what a seat knows, or with -1 a spectator."""
        state = self.state()
        if seat >= 0 and self.mover != TERMINAL:
            return as_known(self.variant.game, state, seat)
        self.variant.game.kernels.hide(state, seat)  # a game that was broken off keeps its secrets
        return state.copy()


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ours as a game of OpenSpiel; each has a class of its own, see `register`."""

    name = ''

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Raises GameError for a number of players or options that are impossible."""
        params = params or {}
        kind = variant_of(self.name, params)
        rules = kind.game
        own = game_type(rules, drawn=kind.deals or rules.chance_mode == 'explicit')
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.n_actions,
            max_chance_outcomes=max(DEALS * kind.deals, rules.n_outcomes),
            num_players=kind.players,
            min_utility=reward(0.0, kind.players),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=kind.longest,
        )
        super().__init__(own, info, dict(params))
        self._variant = kind

    @property
    def variant(self) -> Variant:
        """The game, its number of players and its options."""
        found: Variant | None = getattr(self, '_variant', None)
        if found is None:  # a game that was pickled has lost what Python knew of it
            found = self._variant = variant_of(self.name, self.get_parameters())
        return found

    def new_initial_state(self) -> SpielState:
        """The beginning of a game."""
        return SpielState(self, self.variant.beginning)

    def max_chance_nodes_in_history(self) -> int:
        """How often chance may decide in a game."""
        kind = self.variant
        draws = MOST_DRAWS * (kind.longest + 1) if kind.game.chance_mode == 'explicit' else 0
        return draws + DEAL_NODES * kind.deals

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """An observer; see `SpielObserver`."""
        if isinstance(iig_obs_type, dict):  # OpenSpiel leaves the type out where there is none
            iig_obs_type, params = None, iig_obs_type
        return SpielObserver(self.variant, iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a game. All that Python knows of it is one object that never changes."""

    def __init__(self, game: SpielGame, at: Moment) -> None:
        super().__init__(game)
        self.at = at

    # ---- who decides, and what -----------------------------------------------------------------------------

    def current_player(self) -> int:
        """The seat to move, or chance, or that the game is over."""
        return self.at.mover

    def is_terminal(self) -> bool:
        """Is the game over or broken off?"""
        return self.at.mover == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self.at.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may decide, ascending, and how probable each is."""
        at = self.at
        if not at.data:
            return EACH_DEAL
        room = at.variant.room
        n = at.variant.game.kernels.chance(at.state(), room.outcomes, room.probabilities)
        return list(zip(room.outcomes[:n].tolist(), room.probabilities[:n].tolist(), strict=True))

    def _apply_action(self, action: int) -> None:
        at = self.at
        if at.mover == CHANCE:
            self.at = self._decided(action)
        elif at.mover == TERMINAL:
            raise GameError(words('game.error.over'))
        elif action not in at.legal:
            names = [self._action_to_string(at.mover, legal) for legal in at.legal]
            raise GameError(words('game.error.not_legal', legal=some(names)))
        else:
            self.at = at.variant.after(at, action)

    def _decided(self, outcome: int) -> Moment:
        """After a decision of chance."""
        at, kind = self.at, self.at.variant
        outcomes = [number for number, _ in self.chance_outcomes()]
        if outcome not in outcomes:
            names = some([f'{number} ({self._action_to_string(CHANCE, number)})' for number in outcomes])
            raise GameError(words('game.error.no_outcome', outcome=outcome, outcomes=names))
        if at.data:
            state = at.state()
            kind.game.kernels.resolve(state, outcome)
            return kind.moment(state, at.moves, at.seen)
        deal = at.deal * DEALS + outcome
        if deal < DEALS**DEAL_NODES:
            return Moment(kind, b'', CHANCE, 0, b'', deal)
        return kind.moment(kind.set_up(deal), 0, b'')

    # ---- the end -------------------------------------------------------------------------------------------

    def returns(self) -> list[float]:
        """1 for a sole winner, -1 shared among the others; all 0 until the game is over."""
        at, players = self.at, self.at.variant.players
        if at.mover != TERMINAL or not (state := at.state()).ending:
            return [0.0] * players
        shares = at.variant.room.shares
        at.variant.game.kernels.outcome(state, shares)
        return [reward(share, players) for share in shares[:players].tolist()]

    # ---- words ---------------------------------------------------------------------------------------------

    def _action_to_string(self, player: int, action: int) -> str:
        at = self.at
        if player == CHANCE:
            return at.variant.game.outcome_names[action] if at.data else f'deal {action}'
        return at.variant.game.action_name(at.state(), action)

    def __str__(self) -> str:
        at = self.at
        if not at.data:
            return f'to be dealt: {at.deal}'
        return at.variant.game.canonical(at.state())

    def _to_struct(self) -> dict[str, Any]:
        """The position as JSON has it."""
        return self.at.variant.game.to_json(self.at.state()) if self.at.data else {'deal': self.at.deal}

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        """The position as JSON has it, as far as a seat knows it."""
        return self.at.variant.game.to_json(self.at.known(player)) if self.at.data else {}

    # ---- other states that look alike ----------------------------------------------------------------------

    def resample_from_infostate(self, player: int, sample: Callable[[], float]) -> SpielState:
        """A state that looks to a seat like this one, drawn by a number from 0 to 1: the seat's secrets are
        its own, those of others are guessed. Its history is empty, so that it tells nothing of the truth."""
        at, kind = self.at, self.at.variant
        if not kind.game.hidden or at.mover == CHANCE:
            return SpielState(self.get_game(), at)
        kernels, room = kind.game.kernels, kind.room
        state = at.state().copy()  # with what others have sealed, not as `known` has it
        kernels.hide(state, player)
        kernels.prepare(state, player, room.work)
        kernels.guess(state, player, int(sample() * (1 << 53)), room.work)
        kernels.drop_future(state)
        return SpielState(self.get_game(), Moment(kind, state.tobytes(), at.mover, at.moves, at.seen))


class SpielObserver:
    """What a seat observes: `dict` and `tensor` (float32) as `set_from` has filled them, and a text.

    An observation is the position as the seat knows it: the parts of `Game.observation` as a tensor, JSON as
    a text. An information state adds all actions, as the seat has seen them, to the text, and has no tensor:
    one that tells all histories apart would be as long as a game. Of games with secrets there are also the
    public part (what a spectator knows) and the private part (what the seat knows beyond it) as texts.
    """

    def __init__(self, kind: Variant, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise GameError(words('research.error.observer', params=', '.join(map(str, params))))
        asked = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        self.kind, self.recall = kind, bool(asked.perfect_recall)
        self.public = bool(asked.public_info)
        self.private = asked.private_info != pyspiel.PrivateInfoType.NONE
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if self.public and self.private and not self.recall:
            self.tensor, at = np.zeros(kind.game.observation_size, np.float32), 0
            for part in kind.game.observation:
                self.dict[part.name] = self.tensor[at : at + part.size].reshape(part.shape)
                at += part.size

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill `tensor`, and so `dict`, with what a seat observes."""
        at = state.at
        if self.tensor is None:
            return
        if at.mover == CHANCE:
            self.tensor.fill(0)
            return
        numbers = self.kind.room.observation
        self.kind.game.kernels.observe(at.known(player), player, numbers)
        self.tensor[:] = numbers

    def string_from(self, state: SpielState, player: int) -> str:
        """What a seat observes as a text."""
        at, game = state.at, self.kind.game
        if not at.data:
            return ''
        if not self.private:
            return game.canonical(at.known(-1)) if self.public else ''
        if not self.public:
            return self._private(at, player)
        if self.recall:
            return f'{game.info_state(at.state(), player)} after {self._actions(state, player)}'
        return f'{player} {game.canonical(at.known(player))}'

    def _actions(self, state: SpielState, player: int) -> str:
        """All actions so far as a seat has seen them; in an open game those of chance, too."""
        kind, seen = self.kind, state.at.seen
        if kind.game.hidden:
            known = struct.unpack(f'<{len(seen) // 4}i', seen)[player :: kind.players]
        else:
            known = state.history()[DEAL_NODES * kind.deals :]
        return ' '.join('?' if action < 0 else str(action) for action in known)

    def _private(self, at: Moment, player: int) -> str:
        """What a seat knows beyond a spectator."""
        game = self.kind.game
        own, public = game.to_json(at.known(player)), game.to_json(at.known(-1))
        more = {key: value for key, value in own.items() if value != public.get(key)}
        return str(more) if more and game.hidden else ''


# ---- registered games --------------------------------------------------------------------------------------


def game_type(game: Game, *, drawn: bool) -> Any:
    """What OpenSpiel is told of a game; `drawn`: does chance decide anything?"""
    modes, kinds = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=PREFIX + game.name,
        long_name=f'Ludoteca {game.title}',
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if drawn else modes.DETERMINISTIC,
        information=kinds.IMPERFECT_INFORMATION if game.hidden else kinds.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=default_parameters(game),
    )


def default_parameters(game: Game) -> dict[str, Any]:
    """The parameters of a registered game, each with its default."""
    return {'players': game.players[0], 'max_game_length': LONGEST, **as_parameters(game.options())}


def as_parameters(options: Options) -> dict[str, Any]:
    """Options as parameters. A comma would end a parameter, so the members of a set are separated by
    spaces."""
    named = {name: getattr(options, name) for name in options.values()}
    return {
        name: value.replace(',', ' ') if name in options.members() else value for name, value in named.items()
    }


def variant_of(name: str, params: Mapping[str, Any]) -> Variant:
    """The variant that the parameters of a registered game ask for. Raises GameError if they are
    impossible."""
    game = load_rules(name)
    given = {**default_parameters(game), **params}
    players, longest = int(given.pop('players')), int(given.pop('max_game_length'))
    return variant(name, players, game.options.read(given), longest)


def register(game: Game) -> None:
    """Make a game known to OpenSpiel under `ludoteca_` and its name. Its class is found in this module, as
    `OctilesGame` is, so that games can be pickled."""
    words_of_name = re.findall(r'[^\W_]+', game.name)
    title = ''.join(word.title() for word in words_of_name)
    made = type(f'{title}Game', (SpielGame,), {'name': game.name, '__module__': __name__})
    globals()[made.__name__] = made
    pyspiel.register_game(game_type(game, drawn=game.chance_mode != 'none'), made)


def load(
    name: str, players: int | None = None, options: Mapping[str, Any] | None = None, longest: int = LONGEST
) -> Any:
    """A game as `pyspiel.load_game` loads it. Raises GameError for an unknown game, option or number of
    players."""
    game = load_rules(name)
    players, chosen = game.checked(players, options)
    if PREFIX + game.name not in pyspiel.registered_names():  # made known since
        register(game)
    return pyspiel.load_game(
        PREFIX + game.name, {'players': players, 'max_game_length': longest, **as_parameters(chosen)}
    )


for _name in all_games():
    register(load_rules(_name))
