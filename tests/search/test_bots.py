"""Bots by name: legal, within their time, in the order of their strength, and open to other people's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.game import Effort, Game, GameError, State
from ludoteca.research.arena import arena
from ludoteca.search import (
    LEVELS,
    Bot,
    SearchBot,
    as_known,
    bot_names,
    bots,
    make_bot,
    offered,
    offered_instead,
    think,
)
from ludoteca.search.bots import GuestBot

OCTILES, TOY = contract.load('octiles'), contract.load('toy')


class Lowest:
    """A bot as others may write it: the lowest legal action."""

    def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
        out = np.empty(game.max_legal, np.int32)
        game.kernels.legal_actions(state, out)
        return int(out[0])


class NoBot:
    """Something without `choose`."""


def broken() -> Bot:
    raise RuntimeError('no engine')


class Failing:
    """A bot that ends as `how` says."""

    how: BaseException | float | None = None

    def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
        if isinstance(self.how, BaseException):
            raise self.how
        return self.how  # type: ignore[return-value]


@pytest.fixture
def guests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Bots of other people, found as if their packages were installed."""
    made_by = {
        'lowest': 'Lowest',
        'nobot': 'NoBot',
        'broken': 'broken',
        'missing': 'Nowhere',
        'easy': 'Lowest',
        'failing': 'Failing',
    }
    points = EntryPoints(EntryPoint(name, f'{__name__}:{what}', bots.GROUP) for name, what in made_by.items())
    monkeypatch.setattr(bots, 'entry_points', lambda group: points.select(group=group))
    bots._guests.cache_clear()
    yield
    bots._guests.cache_clear()


@pytest.mark.usefixtures('guests')
@pytest.mark.parametrize(
    ('how', 'said'),
    [
        (ValueError('my\nbug'), r"^The bot 'failing' failed at test_bots\.py:\d+: ValueError: my bug\.$"),
        (SystemExit('no weights'), 'SystemExit: no weights'),
        (EOFError(), r'test_bots\.py:\d+: EOFError\.$'),
        (BrokenPipeError(), 'BrokenPipeError'),
        (FileNotFoundError(2, 'No such file or directory', 'w.npz'), "No such file or directory: 'w.npz'"),
        (GameError('Said well.'), '^Said well.$'),
        (5.0, "^The bot 'failing' chose 5.0, which is no number of an action"),
        (None, "^The bot 'failing' chose None"),
    ],
)
def test_whatever_another_persons_bot_fails_with_is_said_in_a_sentence_that_names_it(
    monkeypatch: pytest.MonkeyPatch, how: BaseException | float | None, said: str
) -> None:
    monkeypatch.setattr(Failing, 'how', how)
    with pytest.raises(GameError, match=said):
        arena(TOY, 2, ['failing', 'random'], 2, processes=1)


@pytest.mark.usefixtures('guests')
def test_who_interrupts_interrupts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Failing, 'how', KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        arena(TOY, 2, ['failing', 'random'], 2, processes=1)


def test_the_levels_come_first_the_weakest_first() -> None:
    levels = ('beginner', 'easy', 'medium', 'hard', 'very-hard', 'expert')
    assert bot_names()[:8] == (*levels, 'random', 'yardstick')
    budgets = [level.usual.simulations for level in LEVELS.values()]
    assert budgets == sorted(budgets)


@pytest.mark.parametrize('game', [OCTILES, TOY], ids=lambda game: game.name)
@pytest.mark.parametrize('name', bot_names()[:8])
def test_a_bot_only_chooses_legal_actions(game: Game, name: str) -> None:
    out = np.empty(game.max_legal, np.int32)
    for players in game.players:
        players_bots = [make_bot(name, simulations=30) for _ in range(players)]
        state, step = contract.start(game, players, name), 0
        while not state.ending and step < 60:
            seat = int(state.to_move)
            hidden = state.copy()
            game.kernels.hide(hidden, seat)
            action = players_bots[seat].choose(game, hidden, seat, step, None)
            assert action in out[: game.kernels.legal_actions(state, out)]
            game.kernels.apply(state, action)
            step += 1


def test_the_same_seed_gives_the_same_action() -> None:
    state = contract.start(OCTILES, 3, 'seed')
    for name in ('beginner', 'easy', 'random'):
        chosen = [
            [make_bot(name).choose(OCTILES, state.copy(), 0, seed, None) for seed in range(20)]
            for _ in range(2)
        ]
        assert chosen[0] == chosen[1]


def test_what_is_chosen_in_secret_is_drawn() -> None:
    """A bot that always bid the same would be seen through; the better bids are drawn more often."""
    state = contract.start(TOY, 2, 'secret')
    hidden = state.copy()
    TOY.kernels.mover_view(hidden, 0)
    bids = [make_bot('hard').choose(TOY, hidden.copy(), 0, seed, None) for seed in range(60)]
    assert len(set(bids)) > 1
    result = think(TOY, hidden, 0, simulations=1000, seed=1)
    assert bids.count(result.action) == max(map(bids.count, bids))


def test_a_game_may_declare_how_a_level_plays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulations that are asked for go first."""
    monkeypatch.setattr(type(TOY), 'efforts', {'easy': Effort(7), 'medium': {2: Effort(8), 3: Effort(5)}})
    cases = (
        (2, 'easy', None, 7),
        (3, 'easy', None, 7),
        (2, 'easy', 9, 9),
        (2, 'beginner', None, 16),
        (2, 'medium', None, 8),
        (3, 'medium', None, 5),
        (4, 'medium', None, 200),
    )
    for players, name, given, expected in cases:
        state = contract.start(TOY, players, 'declared')
        known = as_known(TOY, state, int(state.to_move))
        bot = make_bot(name, simulations=given)
        assert isinstance(bot, SearchBot)
        assert bot.think(TOY, known.copy(), int(known.to_move), 1, None).simulations == expected


def test_an_unguided_level_tries_what_no_estimate_has_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where a search asks the estimates, it begins with the action that they like best, whatever the seed."""
    state = contract.start(OCTILES, 3, 'declared')
    known = as_known(OCTILES, state, int(state.to_move))

    def tried(level: str) -> set[int]:
        bot = make_bot(level)
        return {bot.choose(OCTILES, known.copy(), int(known.to_move), seed, None) for seed in range(20)}

    monkeypatch.setattr(type(OCTILES), 'efforts', {'easy': {3: Effort(1)}, 'medium': Effort(1, guided=False)})
    assert len(tried('easy')) == 1
    assert len(tried('medium')) > 5
    assert LEVELS['medium'].settings_in(OCTILES, 3).sharpness == 0.0
    assert LEVELS['medium'].settings.sharpness > 0.0


@pytest.mark.parametrize('name', [name for name in contract.games() if name != TOY.name])
def test_no_game_declares_a_level_to_be_more_careful_than_the_next(name: str) -> None:
    game = contract.load(name)
    assert set(game.efforts) <= set(LEVELS)
    for declared in game.efforts.values():
        assert isinstance(declared, Effort) or set(declared) <= set(game.players)
    assert all(0 <= action < game.n_actions for action in game.declines)
    for players in game.players:
        efforts = [level.effort(game, players) for level in LEVELS.values()]
        # simulations that estimates guide are worth more than others
        assert [(effort.guided, effort.simulations) for effort in efforts] == sorted(
            {(effort.guided, effort.simulations) for effort in efforts}
        ), 'each level sees further than the one before'


@pytest.mark.parametrize('name', contract.games())
def test_levels_are_offered_from_beginner_to_expert_and_the_others_keep_their_names(name: str) -> None:
    game = contract.load(name)
    for players in game.players:
        there = offered(game, players)
        assert list(there) == [level for level in LEVELS if level in there], 'the weakest first'
        assert (there[0], there[-1]) == ('beginner', 'expert')
        assert {'easy', 'medium'} <= set(there), 'what pages propose, and who moves for somebody'
        for level in LEVELS:
            assert make_bot(level)
            instead = offered_instead(game, players, level)
            assert instead == level if level in there else instead in there
            assert instead in list(LEVELS)[: list(LEVELS).index(level) + 1], 'never a stronger one'
    assert offered_instead(game, players, 'random') == 'random'


def test_a_game_has_as_many_levels_as_there_is_room_for() -> None:
    found = {
        (name, players): offered(contract.load(name), players)
        for name in contract.games()
        for players in contract.load(name).players
    }
    usual = ('beginner', 'easy', 'medium', 'hard', 'expert')
    six = ('beginner', 'easy', 'medium', 'hard', 'very-hard', 'expert')
    assert {place: there for place, there in found.items() if there != usual} == {
        ('myriath', 2): six,
        ('myrmidons', 2): ('beginner', 'easy', 'medium', 'expert'),
        ('octiles', 2): six,
    }
    assert offered_instead(contract.load('myrmidons'), 2, 'hard') == 'medium'
    assert offered_instead(OCTILES, 3, 'very-hard') == 'hard'


def test_the_deadline_is_kept() -> None:
    state = contract.start(OCTILES, 2, 1)
    while len(contract.Position(OCTILES, state).actions()) < 20:
        OCTILES.kernels.apply(state, contract.Position(OCTILES, state).actions()[0])
    bot = make_bot('expert')
    bot.choose(OCTILES, state.copy(), int(state.to_move), 1, time.monotonic())
    begin = time.monotonic()
    bot.choose(OCTILES, state.copy(), int(state.to_move), 1, begin + 0.1)
    assert time.monotonic() - begin < 2


def test_more_thought_wins_more() -> None:
    result = arena(OCTILES, 2, ['medium', 'beginner'], 8, seed=1, processes=1)
    assert result.contestants[0].wins >= 6


@pytest.mark.usefixtures('guests')
def test_other_peoples_bots_are_found_and_play() -> None:
    assert bot_names()[10:] == ('broken', 'failing', 'lowest', 'missing', 'nobot')
    lowest = make_bot('lowest')
    assert isinstance(lowest, GuestBot)
    assert isinstance(lowest.bot, Lowest)
    assert not isinstance(make_bot('easy'), GuestBot)
    result = arena(TOY, 2, ['lowest', 'random'], 4, processes=1)
    assert sum(c.wins for c in result.contestants) == pytest.approx(4)


@pytest.mark.usefixtures('guests')
@pytest.mark.parametrize(
    ('name', 'sentence'),
    [
        ('nobot', 'which has no method `choose`'),
        ('broken', 'RuntimeError: no engine'),
        ('missing', 'AttributeError'),
        ('nobody', "There is no bot 'nobody'; the bots are: beginner, easy"),
    ],
)
def test_a_bot_that_cannot_be_made_is_explained(name: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        make_bot(name)
