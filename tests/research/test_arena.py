"""The arena: seats rotate, starts are common, shares come with their intervals."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.game import Game, GameError, Position, State
from ludoteca.research import arena as module
from ludoteca.research.arena import arena, wilson
from ludoteca.search import Bot, make_bot
from ludoteca.text import words

OCTILES, TOY = contract.load('octiles'), contract.load('toy')


class Witness:
    """Plays at random and remembers what it saw first."""

    def __init__(self, seen: list[tuple[int, bytes]]) -> None:
        self.seen, self.first, self.bot = seen, True, make_bot('random')

    def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
        if self.first:
            self.seen.append((seat, state.tobytes()))
            self.first = False
        return self.bot.choose(game, state, seat, seed, deadline)


def test_seats_rotate_and_a_round_begins_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, bytes]] = []

    def make(name: str, **_: object) -> Bot:
        return Witness(seen) if name == 'expert' else make_bot('random')

    monkeypatch.setattr(module, 'make_bot', make)
    arena(OCTILES, 3, ['expert', 'easy', 'hard'], 6, processes=1)
    assert [seat for seat, _ in seen] == [0, 2, 1, 0, 2, 1]
    starts = [state for seat, state in seen if seat == 0]
    assert starts[0] != starts[1]
    seen.clear()
    arena(OCTILES, 2, ['expert', 'expert'], 4, processes=1)
    first = [state for seat, state in seen if seat == 0]
    assert first[0] == first[1] != first[2] == first[3]


def test_the_same_seed_gives_the_same_games_however_many_processes() -> None:
    one, two, other = (
        arena('octiles', 2, ['random', 'random'], 6, seed=seed, processes=processes)
        for seed, processes in ((1, 1), (1, 2), (2, 1))
    )
    assert one.contestants == two.contestants
    assert one.turns == two.turns
    assert one.turns != other.turns


def test_wins_are_counted_by_contestant_and_seat() -> None:
    calls: list[tuple[int, int]] = []
    result = arena(
        OCTILES,
        3,
        ['yardstick', 'random'],
        6,
        processes=1,
        progress=lambda done, games: calls.append((done, games)),
    )
    strong, weak = result.contestants
    assert (strong.seats, weak.seats) == (1, 2)
    assert (strong.wins, strong.share, strong.high) == (6, 1, 1)
    assert strong.low == pytest.approx(0.61, abs=0.01)
    assert list(strong.by_seat) == [1, 1, 1]
    assert weak.wins == 0
    assert calls == [(k, 6) for k in range(1, 7)]
    assert result.endings == {'home': 6}
    assert result.draws == result.capped == 0
    data = json.loads(json.dumps(result.json()))
    assert data['contestants'][0]['bot'] == 'yardstick'
    assert data['turns'].keys() == {'mean', 'median', 'max'}


def test_long_games_are_broken_off_and_shared() -> None:
    result = arena(OCTILES, 2, ['random', 'random'], 2, most_turns=5, processes=1)
    assert result.capped == result.draws == 2
    assert [c.wins for c in result.contestants] == [1, 1]
    assert result.turns['max'] == 5


def test_games_with_secrets_are_played() -> None:
    result = arena(TOY, 3, ['easy', 'random'], 6, sims=50, processes=1)
    assert sum(c.wins for c in result.contestants) == pytest.approx(6)


def test_a_time_for_each_turn_is_kept() -> None:
    result = arena(OCTILES, 2, ['expert', 'random'], 1, time=0.01, processes=1)
    assert result.seconds < 20
    assert result.contestants[0].wins == 1


def test_the_time_that_is_given_is_for_all_actions_of_a_turn_and_the_help_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: dict[tuple[int, int], list[float | None]] = {}

    class First:
        def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
            seen.setdefault((seat, int(state.turn)), []).append(deadline)
            return Position(game, state).actions()[0]

    monkeypatch.setattr(module, 'make_bot', lambda name, **_: First())
    arena(OCTILES, 2, ['easy', 'hard'], 1, time=5, most_turns=4, processes=1)
    assert any(len(times) > 1 for times in seen.values())
    assert all(len(set(times)) == 1 for times in seen.values())
    assert words('cli.help.arena.time').startswith('Seconds a turn')
    assert words('cli.help.arena.sims').startswith('Simulations an action')


def test_an_illegal_choice_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheat:
        def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
            return 1432

    monkeypatch.setattr(module, 'make_bot', lambda name, **_: Cheat())
    with pytest.raises(GameError, match="'easy' chose 1432, which is not legal in turn 1 of game 0"):
        arena(OCTILES, 2, ['easy', 'hard'], 2, processes=1)


@pytest.mark.parametrize(
    ('players', 'bots', 'more', 'sentence'),
    [
        (5, ['easy', 'hard'], {}, 'played by 2 to 4'),
        (2, ['easy'], {}, 'at least 2 bots and at most 2'),
        (2, ['easy', 'hard', 'easy'], {}, 'at least 2 bots and at most 2'),
        (2, ['easy', 'deep'], {}, "no bot 'deep'"),
        (2, ['easy', 'hard'], {'games': 0}, 'From 1 to 10,000,000 games'),
        (2, ['easy', 'hard'], {'sims': 0}, 'at least one simulation'),
        (2, ['easy', 'hard'], {'time': 0}, 'seconds above zero, not 0'),
        (2, ['easy', 'hard'], {'time': math.inf}, 'seconds above zero, not inf'),
    ],
)
def test_what_cannot_be_played_is_refused(
    players: int, bots: list[str], more: dict[str, float], sentence: str
) -> None:
    with pytest.raises(GameError, match=sentence):
        arena(OCTILES, players, bots, **{'games': 2, 'processes': 1, **more})  # type: ignore[arg-type]


def test_the_interval_is_wilsons() -> None:
    """The worked example of the formula: 10 of 20 gives 0.299 to 0.701; all or nothing stays within 0 and
    1."""
    assert np.allclose(wilson(10, 20), (0.299, 0.701), atol=5e-4)
    assert (wilson(20, 20)[1], wilson(0, 20)[0]) == (1, 0)
    assert wilson(190, 200)[0] == pytest.approx(0.910, abs=1e-3)
