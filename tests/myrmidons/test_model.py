"""The compiled rules against the slow model: in whole games, turn by turn, and in crowded positions that
games seldom reach."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from math import prod
from typing import Any

import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.kernel import compiled
from tests.myrmidons.model import COMMANDER, HEADINGS, KINDS, SQUARES, Game, Kind, Rules, adjacent, owner
from tests.myrmidons.support import (
    MYRMIDONS,
    assert_same,
    assert_same_news,
    encode,
    model_of,
    played,
    read_position,
    word,
)
from tests.width import width

Policy = Callable[[Game, list[str], random.Random], str]
TWELVE = {'army': 'agreed', 'size': 12, 'types': ','.join(str(kind) for kind in KINDS[4:15])}
OPTIONS: dict[str, dict[str, Any]] = {
    'base': {},
    'agreed': {'army': 'agreed', 'types': ','.join(str(kind) for kind in KINDS[3:8])},
    'secret': {'army': 'secret'},
    'random': {'army': 'random'},
    'twelve agreed': TWELVE,
    'twelve secret': {'army': 'secret', 'size': 12, 'capture': 8},
    'twelve random': {'army': 'random', 'size': 12, 'sixty': False},
}


def anything(game: Game, turns: list[str], chooser: random.Random) -> str:
    return chooser.choice(turns)


def quarrel(game: Game, turns: list[str], chooser: random.Random) -> str:
    """Mostly a fight, if possible one that does not end the game; nobody runs home."""
    some = chooser.sample(turns, min(len(turns), 40))
    after = {turn: game.play(turn) for turn in some}
    fights = [turn for turn in some if after[turn].fights and not after[turn].ending]
    stays = [
        turn
        for turn in some
        if not any(square[1] in '17' for square in (after[turn].at[m.piece] for m in after[turn].moved))
    ]
    return chooser.choice(fights or stays or turns)


def wander(game: Game, turns: list[str], chooser: random.Random) -> str:
    """Steps in the own half: nothing is ever taken."""
    half = ('123', '567')[game.to_move]
    home = [
        turn
        for turn in turns
        if all(
            square[1] in half for piece, square in game.play(turn).at.items() if owner(piece) == game.to_move
        )
    ]
    return chooser.choice(home)


def dither(game: Game, turns: list[str], chooser: random.Random) -> str:
    """To and fro."""
    return next(turn for turn in ('a2-a1', 'a1-a2', 'a7-a6', 'a6-a7') if turn in turns)


def same_turns(position: Position, game: Game) -> list[str]:
    """The legal turns of both, which must be the same."""
    turns = game.turns()
    listed = [' '.join(map(word, turn)) for turn in MYRMIDONS.turns(position.state)]
    assert len(set(listed)) == len(listed)
    assert set(listed) == set(turns), (game.json(), set(listed) ^ set(turns))
    return turns


def follow(position: Position, game: Game, policy: Policy, chooser: random.Random, most: int) -> Counter[str]:
    """Play a game (at most so many turns), comparing the two before every turn; returns what has been met."""
    met: Counter[str] = Counter()
    while game.turn < most:
        assert_same(position, game)
        if game.turn:
            assert_same_news(position, game)
        if game.ending:
            break
        turns = same_turns(position, game)
        met['positions'] += 1
        turn = policy(game, turns, chooser) if not game.deploying() else chooser.choice(turns)
        position, game = played(position, turn), game.play(turn)
        met['fights'] += len(game.fights)
        met['several fights'] += len(game.fights) > 1
        met['chains'] += game.chain > 1
    met[game.ending] += 1
    return met


@pytest.mark.parametrize('options', OPTIONS.values(), ids=OPTIONS)
def test_random_games_agree_with_the_model(options: dict[str, Any]) -> None:
    met: Counter[str] = Counter()
    for seed in range(width(1, 12) if compiled else 1):
        position = ludoteca.new('myrmidons', 2, seed, options)
        met += follow(position, model_of(position), anything, random.Random(seed), 200 if compiled else 10)
    assert met['positions'] > (width(15, 300) if compiled else 12)
    assert met['back_rank'] >= (width(0, 1) if compiled else 0)


@pytest.mark.parametrize('options', OPTIONS.values(), ids=OPTIONS)
def test_games_full_of_fights_agree_with_the_model(options: dict[str, Any]) -> None:
    met: Counter[str] = Counter()
    for seed in range(width(1, 8) if compiled else 1):
        position = ludoteca.new('myrmidons', 2, 100 + seed, options)
        met += follow(position, model_of(position), quarrel, random.Random(seed), 120 if compiled else 8)
    assert met['fights'] > width(4, 40) or not compiled


def test_games_without_captures_agree_with_the_model() -> None:
    met: Counter[str] = Counter()
    for seed in range(width(1, 4) if compiled else 1):
        position = ludoteca.new('myrmidons', 2, seed)
        met += follow(position, model_of(position), wander, random.Random(seed), 80 if compiled else 8)
        for options in ({}, {'repetition': False}):
            position = ludoteca.new('myrmidons', 2, seed, options)
            met += follow(position, model_of(position), dither, random.Random(seed), 80 if compiled else 10)
    if compiled:
        # in the games of the option without repetition at least
        assert met['sixty_turns'] >= width(2, 8)
        assert met['repetition'] >= width(1, 4)


# ---- crowded positions -------------------------------------------------------------------------------------


def crowd(chooser: random.Random, rules: Rules, friends: int, enemies: int) -> Game:
    """A Commander anywhere with friends round it, enemies among and near them."""
    middle = chooser.choice(SQUARES)
    near = sorted(
        (square for square in SQUARES if square != middle),
        key=lambda square: (not adjacent(middle, square)) * chooser.random() + 0.6 * chooser.random(),
    )
    mover = chooser.randrange(2)
    kinds = rules.types if rules.army != 'secret' else KINDS
    mine, theirs = chooser.sample(kinds, friends), chooser.sample(kinds, enemies)
    if chooser.random() < 0.5:  # weak against strong: attacks are repelled
        mine, theirs = (
            sorted(mine)[:: -1 if chooser.random() < 0.2 else 1],
            sorted(theirs, key=lambda kind: -kind.shield),
        )
    pieces = {middle: (mover, COMMANDER)}
    squares = near[: friends + enemies + 4]
    chooser.shuffle(squares)
    for kind in mine:
        pieces[_free(squares, pieces, mover, middle, chooser.random() < 0.85)] = (mover, kind)
    for kind in (*theirs, COMMANDER):
        pieces[_free(squares, pieces, 1 - mover, middle, False)] = (1 - mover, kind)
    return Game.battlefield(rules, pieces, mover)


def _free(
    squares: list[str], pieces: dict[str, tuple[int, Kind]], seat: int, middle: str, close: bool
) -> str:
    """A free square, beside the middle if asked for and there is one."""
    free = [square for square in squares if square not in pieces]
    beside = [square for square in free if adjacent(square, middle)]
    return (beside if close and beside else free)[0]


def size_of_orders(game: Game) -> int:
    """A bound of what the model has to try."""
    leader = game.commander(game.to_move)
    assert leader is not None
    return sum(
        prod(
            len(game.ways_to_go(square, heading, set(SQUARES)))
            for piece, square in game.at.items()
            if owner(piece) == game.to_move and adjacent(game.at[leader], square)
        )
        for heading in HEADINGS
    )


CROWDS = {
    'base': (Rules(), 5, 5),
    'strong': (Rules('agreed', 6, KINDS[14:]), 5, 5),
    'weak': (Rules('agreed', 6, (KINDS[0], KINDS[1], KINDS[2], KINDS[4], KINDS[9])), 5, 5),
    'twelve': (Rules('agreed', 12, KINDS[:11]), 8, 10),
    'secret': (Rules('secret', 12, KINDS), 7, 8),
}


@pytest.mark.parametrize('name', CROWDS)
def test_crowded_positions_agree_with_the_model(name: str) -> None:
    rules, friends, enemies = CROWDS[name]
    chooser, met = random.Random(name), Counter[str]()
    while met['positions'] < (width(14, 120) if compiled else 4):
        game = crowd(chooser, rules, friends, enemies)
        if game.start_of_turn().ending or size_of_orders(game) > 2500:
            continue
        position = read_position(game.json())
        turns = same_turns(position, game)
        met['positions'] += 1
        met['turns'] += len(turns)
        orders = [turn for turn in turns if turn.startswith('order')]
        for turn in chooser.sample(orders, min(len(orders), 25)):
            expected = game.play(turn)
            met['several fights'] += len(expected.fights) > 1
            met['chains'] += expected.chain > 1
            met['long chains'] += expected.chain > 2
            met['cut short'] += expected.cut_short
            after = position.copy()
            for action in encode(turn):
                MYRMIDONS.kernels.apply(after.state, action)
            assert_same(after, expected)
            assert_same_news(after, expected)
    if compiled:
        assert met['several fights'] > width(7, 100)
        assert met['chains'] > width(0, 30)
        assert met['long chains'] > width(-1, 10) or name == 'strong'
        assert met['cut short'] > width(0, 20)
