"""The games as environments of PettingZoo (all seats) and Gymnasium (one seat against bots).

    from ludoteca.research.envs import AEC, SeatEnv
    env = AEC('mykerinos', players=4)                       # PettingZoo's agent-environment cycle
    env = SeatEnv('octiles', opponents='easy', seat=0)      # gymnasium.Env

What an agent gets is made from the state without all that its seat cannot know (`Kernels.hide`). Both have
the same observation: `observation`, the numbers of `Game.observation` (float32), and `action_mask`, 1 for
each legal action (int8); nobody but the seat to move has any. Rewards come at the end alone: 1 for a sole
winner, -1 shared among the others, 0 for all if all share the win, so that they add up to nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import cache
from operator import index
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ludoteca.batch import MOST_TURNS, reward
from ludoteca.game import Game, GameError, Position, load, start
from ludoteca.research.bot_games import named, seat_bot
from ludoteca.search import as_known, stream
from ludoteca.text import words

try:
    import gymnasium
    import pettingzoo
    from gymnasium import spaces
except ImportError as problem:  # the extra `research` brings them
    raise GameError(words('research.error.no_environments')) from problem

Observation = dict[str, npt.NDArray[Any]]
RENDER_MODES = ['human', 'ansi', 'svg']


@cache
def observation_space(game: Game) -> spaces.Dict:
    """What agents see."""
    return spaces.Dict(
        {
            'observation': spaces.Box(-1.0, 1.0, (game.observation_size,), np.float32),
            'action_mask': spaces.Box(0, 1, (game.n_actions,), np.int8),
        }
    )


class Table:
    """A game that is played, and what each seat sees of it."""

    def __init__(
        self, game: str, players: int | None, options: Mapping[str, Any] | None, max_turns: int
    ) -> None:
        self.game = load(game)
        self.players, self.options = self.game.checked(players, options)
        self.max_turns = max_turns
        self._numbers = np.zeros(self.game.observation_size)

    def begin(self, seed: int | str) -> None:
        """Set a game up."""
        self.position = Position(self.game, start(self.game, self.players, seed, self.options))

    @property
    def broken_off(self) -> bool:
        """Has it taken too many turns?"""
        return not self.position.over and int(self.position.state.turn) >= self.max_turns

    def observe(self, seat: int) -> Observation:
        """What a seat sees, and what it may do."""
        known = as_known(self.game, self.position.state, seat)
        self.game.kernels.observe(known, seat, self._numbers)
        mask = np.zeros(self.game.n_actions, np.int8)
        if seat == self.position.to_move:
            mask[self.position.actions()] = 1
        return {'observation': self._numbers.astype(np.float32), 'action_mask': mask}

    def render(self, mode: str | None, seat: int | None = None) -> str | None:
        """The position in a mode, as a seat (default: the seat to move) knows it."""
        if mode is None:
            return None
        if mode == 'svg':
            return self.position.svg(seat)
        text = self.game.text(self.position.view(seat))
        if mode == 'ansi':
            return text
        print(text)
        return None

    def rewards(self) -> list[float]:
        """Of all seats: they add up to nothing."""
        if not self.position.over:
            return [0.0] * self.players
        return [reward(share, self.players) for share in self.position.outcome()]


def _checked(seed: int | None) -> int:
    return secrets.randbits(62) if seed is None else int(seed)


def _check_mode(render_mode: str | None) -> None:
    if render_mode not in (None, *RENDER_MODES):
        raise GameError(words('research.error.render', mode=render_mode, modes=', '.join(RENDER_MODES)))


class AEC(pettingzoo.AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A game with all seats as agents: `player_0` and so on, in the order of the seats.

    Where all choose in secret at once they do so one after another, and nobody's observation knows what
    others have chosen. `step` raises GameError for an action that is not legal, and changes nothing.
    """

    metadata: ClassVar[dict[str, Any]] = {
        'render_modes': RENDER_MODES,
        'name': 'ludoteca',
        'is_parallelizable': False,
    }

    def __init__(
        self,
        game: str,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        max_turns: int = MOST_TURNS,
        render_mode: str | None = None,
    ) -> None:
        """`options`: those of the game by their names. Raises GameError for an unknown game, option, mode
        of rendering, or number of players."""
        super().__init__()
        _check_mode(render_mode)
        self.table, self.render_mode = Table(game, players, options, max_turns), render_mode
        self.possible_agents = [f'player_{seat}' for seat in range(self.table.players)]
        space, actions = observation_space(self.table.game), self.table.game.n_actions
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees: the same space for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """All actions of the game; those that are legal are in the mask."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Set a new game up: the same for the same seed, another each time without one. `options` mean
        nothing."""
        self.table.begin(_checked(seed))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()
        if self.render_mode == 'human':
            self.render()

    def _to_move(self) -> str:
        return self.possible_agents[self.table.position.to_move]

    def observe(self, agent: str) -> Observation:
        """What an agent sees; once the game is over, all of it."""
        return self.table.observe(self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move, a whole number; None for an agent whose game is over."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.table.position.apply(-1 if action is None else index(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        over, broken_off = self.table.position.over, self.table.broken_off
        self.rewards = dict(zip(self.agents, self.table.rewards(), strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, broken_off)
        self.agent_selection = self.agents[0] if over else self._to_move()
        self._accumulate_rewards()
        if self.render_mode == 'human':
            self.render()

    def render(self) -> str | None:
        """The position as the agent to move knows it, as `render_mode` says: text (`ansi`) or an SVG drawing.
        `human` prints the text, also after each step, and returns nothing."""
        return self.table.render(self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a game; bots have the others.

    An action that is not legal loses the game: reward -1, `terminated`, and `info['illegal']` says in a
    sentence what would be. With `illegal='refuse'` it raises GameError and changes nothing.
    """

    metadata: ClassVar[dict[str, Any]] = {'render_modes': RENDER_MODES}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        opponents: str = 'easy',
        seat: int = 0,
        illegal: str = 'lose',
        max_turns: int = MOST_TURNS,
        render_mode: str | None = None,
    ) -> None:
        """`opponents`: a bot such as `easy` or `expert:2000` (simulations an action); its moves do not depend
        on the clock. Raises GameError for what there is not."""
        _check_mode(render_mode)
        self.table, self.render_mode = Table(game, players, options, max_turns), render_mode
        if not 0 <= seat < self.table.players:
            raise GameError(words('research.error.seat', seat=seat, last=self.table.players - 1))
        if illegal not in ('lose', 'refuse'):
            raise GameError(words('research.error.illegal', illegal=illegal))
        self.seat, self.illegal = seat, illegal
        self._bot = seat_bot(*named(opponents))
        self.observation_space = observation_space(self.table.game)
        self.action_space = spaces.Discrete(self.table.game.n_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Set a new game up and play on to the first choice of the seat. Games after one with a seed are
        drawn from it, too."""
        super().reset(seed=seed)
        self._seed, self._steps, self._lost = int(self.np_random.integers(1 << 62)), 0, False
        self.table.begin(self._seed)
        self._play_on()
        if self.render_mode == 'human':
            self.render()
        return self.table.observe(self.seat), {}

    def _play_on(self) -> None:
        """Let the bots play until the seat is to move or the game is over."""
        game, position = self.table.game, self.table.position
        while not position.over and not self.table.broken_off and position.to_move != self.seat:
            mover = position.to_move
            chance = stream(f'{self._seed}/{mover}', self._steps)
            known = as_known(game, position.state, mover)
            position.apply(self._bot.choose(game, known, mover, chance, None))
            self._steps += 1

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, a whole number, and on to the next choice of the seat: observation, reward,
        terminated, truncated, info. Raises GameError when the game is over, and for an illegal action if
        these are refused."""
        position, info = self.table.position, dict[str, Any]()
        if self._lost or position.over:
            raise GameError(words('game.error.over'))
        try:
            position.apply(index(action))
        except GameError as problem:
            if self.illegal == 'refuse':
                raise
            self._lost, info['illegal'] = True, str(problem)
            return self.table.observe(self.seat), -1.0, True, False, info
        self._play_on()
        if self.render_mode == 'human':
            self.render()
        over = position.over
        reward = self.table.rewards()[self.seat]
        return self.table.observe(self.seat), reward, over, self.table.broken_off, info

    def render(self) -> str | None:
        """The position as the seat knows it, as `render_mode` says: text (`ansi`) or an SVG drawing. `human`
        prints the text, also after each step, and returns nothing."""
        return self.table.render(self.render_mode, self.seat)
