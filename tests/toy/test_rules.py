"""The rules of the Fruit Market, one test a rule, named after it. Positions are written as people write
them."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import pytest

from ludoteca.game import GameError, Position, new, position
from ludoteca.kernel import seed_words, start_generator
from tests.conformance.harness import figures, guessed, hidden
from tests.toy import GAME
from tests.toy.components import CARDS_EACH, FRUITS


def at(**keys: Any) -> Position:
    """A position of three players, each with the four cards that are enough for most tests."""
    return position(
        {'game': 'toy', 'players': 3, 'hands': [['apple', 'apple', 'cherry', 'plum']] * 3, **keys}
    )


def in_round(phase: str, **keys: Any) -> Position:
    """The first turn of the first round, in the given phase."""
    hand = ['apple', 'cherry', 'plum'] if phase == 'picking' else ['apple', 'apple', 'cherry', 'plum']
    whole = [['apple', 'apple', 'cherry', 'plum']] * 2
    gone = {'dropped': [['apple'], [], []]} if phase == 'picking' else {}
    return at(**{'hands': [hand, *whole], 'phase': phase, 'market': ['apple', 'plum'], **gone, **keys})


# ---- the bidding -------------------------------------------------------------------------------------------


def test_nobody_bids_more_than_three_coins_or_than_he_has() -> None:
    assert at().legal() == ['bid-0', 'bid-1', 'bid-2', 'bid-3']
    assert at(coins=[1, 5, 5]).legal() == ['bid-0', 'bid-1']
    with pytest.raises(GameError, match='not legal'):
        at(coins=[1, 5, 5]).play('bid-2')


def test_the_highest_bidder_pays_and_begins() -> None:
    played = at().after('bid-1 bid-3 bid-2')
    assert played.to_move == 1
    assert played.state.coins.tolist()[:3] == [5, 2, 5]


def test_a_tie_is_won_by_the_next_clockwise_who_pays() -> None:
    assert at().after('bid-2 bid-1 bid-2').to_move == 0
    played = at(first=1).after('bid-2 bid-1 bid-2')
    assert played.to_move == 2
    assert played.state.coins.tolist()[:3] == [5, 5, 3]


def test_with_the_option_nobody_pays_for_a_tie() -> None:
    played = at(options={'ties': 'nobody'}, first=1).after('bid-2 bid-1 bid-2')
    assert played.to_move == 1
    assert played.state.coins.tolist()[:3] == [5, 5, 5]
    assert at(options={'ties': 'nobody'}).after('bid-2 bid-1 bid-0').state.coins.tolist()[:3] == [3, 5, 5]


def test_bids_are_secret_until_all_are_sealed() -> None:
    begun = at().after('bid-3 bid-1')
    assert '"bids":{"0":null,"1":1}' in GAME.canonical(begun.hidden(1))
    assert '"bids":{"0":null,"1":null}' in GAME.canonical(begun.hidden(2))
    assert begun.state.reveals == 0
    opened = begun.after('bid-0')
    assert opened.state.reveals == 1
    assert '"bids":{"0":3,"1":1,"2":0}' in GAME.canonical(opened.hidden(2))


def test_opening_the_bids_reveals_them_as_one_code() -> None:
    codes = {
        GAME.kernels.revealed(at().after(' '.join(f'bid-{coins}' for coins in bids)).state)
        for bids in itertools.product(range(4), repeat=3)
    }
    assert len(codes) == 64
    assert 0 not in codes


# ---- a turn ------------------------------------------------------------------------------------------------


def test_a_turn_is_a_dropped_card_and_a_picked_fruit() -> None:
    position = in_round('dropping')
    assert position.legal() == ['drop-apple', 'drop-cherry', 'drop-plum']
    assert len(position.turns()) == 3 * 3
    played = position.copy().after('drop-apple take-plum')
    assert played.to_move == 1
    assert played.state.turn == 1
    assert played.to_json()['dropped'] == [['apple'], [], []]
    assert played.to_json()['baskets'] == [['plum'], [], []]
    assert played.to_json()['market'] == ['apple']


def test_a_dropped_card_is_known_to_its_owner_alone() -> None:
    played = in_round('dropping').after('drop-cherry')
    assert GAME.to_json(played.hidden(0))['dropped'] == [['cherry'], [], []]
    assert GAME.to_json(played.hidden(1))['dropped'] == [[None], [], []]
    assert GAME.to_json(played.hidden(-1))['hands'] == [[None] * 3, [None] * 4, [None] * 4]


def test_dropping_reveals_nothing_and_drawing_does() -> None:
    dropped = in_round('dropping').after('drop-cherry')
    assert dropped.state.reveals == 0
    drawn = dropped.after('draw')
    assert drawn.state.reveals == 1
    assert 1 <= GAME.kernels.revealed(drawn.state) <= 3
    assert drawn.state.bag.sum() == dropped.state.bag.sum() - 1
    assert in_round('picking').after('take-apple').state.reveals == 0


def test_only_fruits_on_the_market_are_taken() -> None:
    assert in_round('picking').legal() == ['take-apple', 'take-plum', 'draw']
    assert in_round('picking', market=[]).legal() == ['draw']


def test_every_fruit_in_the_bag_is_drawn_equally_often() -> None:
    """Of 12 apples, cherries and plums 2, 3 and 7 are left."""
    drawn, draws, start = (
        Counter[str](),
        6000,
        in_round('picking', market=['apple'] * 7 + ['cherry'] * 6 + ['plum'] * 2),
    )
    for seed in range(draws):
        position = start.copy()
        start_generator(position.state, seed_words(seed))
        GAME.kernels.apply(position.state, GAME.action_from_name(position.state, 'draw'))
        drawn[FRUITS[GAME.kernels.revealed(position.state) - 1]] += 1
    expected = dict(zip(FRUITS, (draws * 2 / 12, draws * 3 / 12, draws * 7 / 12), strict=True))
    assert sum((drawn[fruit] - expected[fruit]) ** 2 / expected[fruit] for fruit in FRUITS) < 2 + 4 * 2


def test_after_the_last_turn_of_a_round_two_fruits_are_laid_out() -> None:
    baskets, dropped = [['apple'], ['plum'], []], [['apple'], ['apple'], ['apple']]
    hands = [['apple', 'cherry', 'plum']] * 3
    position = at(hands=hands, dropped=dropped, baskets=baskets, phase='picking', market=['apple'])
    assert position.to_move == 2
    played = position.copy().after('take-apple')
    assert played.to_json().get('phase') is None, 'bidding again'
    assert len(played.to_json()['market']) == 2
    assert 4 * 1 <= GAME.kernels.revealed(played.state) <= 4 * 9
    assert played.state.reveals == 1


# ---- the end -----------------------------------------------------------------------------------------------


def last_turn(third: list[str], hands: list[str]) -> Position:
    """The last player of the last round, about to pick; all baskets but this one have a fruit of each
    kind."""
    return at(
        hands=[[card] for card in hands],
        dropped=[['apple', 'cherry', 'plum']] * 3,
        baskets=[list(FRUITS), list(FRUITS), third],
        phase='picking',
        market=['plum'],
    )


def test_the_game_is_over_when_everybody_has_one_card() -> None:
    played = last_turn(['apple', 'plum'], ['apple', 'apple', 'plum']).after('take-plum')
    assert played.ending == 'dusk'
    assert played.scores() == [5 + 3 + 2, 5 + 3 + 2, 5 + 3 + 2 * 2]
    assert played.outcome() == [0, 0, 1]


def test_a_full_basket_ends_the_game_at_once() -> None:
    played = last_turn(['plum', 'plum'], ['apple', 'cherry', 'apple']).after('take-plum')
    assert played.ending == 'full'
    assert played.scores() == [10, 10, 8]
    early = at(
        hands=[['apple', 'plum']] + [['apple', 'cherry', 'plum']] * 2,
        dropped=[['cherry', 'apple']] + [['apple']] * 2,
        baskets=[['apple'], ['plum'], ['plum']],
        phase='picking',
        market=['apple'],
    )
    early.state.basket[0] = (2, 0, 0)
    assert early.after('take-apple').ending == 'full'


def test_equal_players_share_the_win() -> None:
    played = last_turn(['apple', 'cherry'], ['apple', 'cherry', 'plum']).after('take-plum')
    assert played.scores() == [10, 10, 10]
    assert played.outcome() == [1 / 3] * 3


def test_cards_count_only_at_the_end() -> None:
    assert last_turn(['apple', 'plum'], ['apple', 'apple', 'plum']).scores() == [8, 8, 7]


def test_at_the_end_all_cards_are_shown() -> None:
    before = last_turn(['apple', 'plum'], ['apple', 'apple', 'plum'])
    reveals = before.state.reveals
    played = before.after('take-plum')
    assert played.state.reveals == reveals + 1
    assert GAME.to_json(played.hidden(-1)) == played.to_json()


def test_rounds_and_coins_spent_are_measured() -> None:
    played = last_turn(['apple', 'plum'], ['apple', 'apple', 'plum']).after('take-plum')
    assert figures(GAME, played.state).tolist() == [[3, 0]] * 3
    early = at(
        hands=[['apple', 'plum'], *[['apple', 'cherry', 'plum']] * 2],
        dropped=[['cherry', 'apple'], *[['apple']] * 2],
        baskets=[['apple'], ['plum'], ['plum']],
        phase='picking',
        market=['apple'],
        coins=[2, 5, 4],
    )
    early.state.basket[0] = (2, 0, 0)
    assert figures(GAME, early.after('take-apple').state).tolist() == [[2, 3], [2, 0], [2, 1]]


# ---- setup and options -------------------------------------------------------------------------------------


def test_everybody_is_dealt_four_cards_of_eighteen() -> None:
    for players, long, cards in ((2, False, 4), (4, False, 4), (3, True, 6)):
        position = new('toy', players, 7, {'long': long})
        assert [len(hand) for hand in position.to_json()['hands']] == [cards] * players
        assert position.state.hand.sum() + position.state.deck.sum() == 3 * CARDS_EACH
        assert len(position.to_json()['market']) == 2


def test_the_long_game_is_for_two_or_three() -> None:
    with pytest.raises(GameError, match='two or three'):
        new('toy', 4, 1, {'long': 'true'})
    with pytest.raises(GameError, match='winner of every bidding'):
        new('toy', 2, 1, {'long': True, 'ties': 'nobody'})


def test_the_long_game_has_five_rounds() -> None:
    position = new('toy', 2, 3, {'long': True})
    while not position.over:
        position.play(
            position.legal()[-1]
            if position.state.phase == 0
            else min(position.legal(), key=lambda name: name != 'draw')
        )
    assert position.state.turn == 10 or position.ending == 'full'


# ---- knowledge ---------------------------------------------------------------------------------------------


def test_guesses_are_uniform_over_what_is_possible() -> None:
    """Hands and dropped cards of the other player come as often as a deal of the unseen cards would make
    them."""
    position = at(
        players=2,
        hands=[['apple', 'apple', 'apple'], ['cherry', 'plum', 'plum']],
        dropped=[['apple'], ['cherry']],
        baskets=[['apple'], ['plum']],
    )
    h, draws = hidden(GAME, position.state, 0), 8000
    guesses = (guessed(GAME, h, 0, seed) for seed in range(draws))
    counts = Counter((tuple(guess.hand[1].tolist()), tuple(guess.dropped[1].tolist())) for guess in guesses)
    unseen = (2, 6, 6)
    expected = {}
    for dropped in range(3):
        for hand in itertools.product(range(4), repeat=3):
            left = [n - (k == dropped) for k, n in enumerate(unseen)]
            if sum(hand) == 3 and all(n <= m for n, m in zip(hand, left, strict=True)):
                ways = math.prod(math.comb(m, n) for n, m in zip(hand, left, strict=True)) * unseen[dropped]
                expected[hand, tuple(int(k == dropped) for k in range(3))] = ways
    total = sum(expected.values())
    assert total == 14 * math.comb(13, 3)
    assert set(counts) <= set(expected)
    chi_square = sum(
        (counts[key] - draws * ways / total) ** 2 / (draws * ways / total) for key, ways in expected.items()
    )
    assert abs(chi_square - (len(expected) - 1)) < 4 * math.sqrt(2 * len(expected))


def test_a_sealed_bid_is_guessed_among_what_its_owner_can_pay() -> None:
    h = hidden(GAME, at(coins=[2, 5, 5]).after('bid-1 bid-3').state, 2)
    guesses = [guessed(GAME, h, 2, seed).bid.tolist()[:3] for seed in range(400)]
    assert {bid for bid, *_ in guesses} == {0, 1, 2}
    assert {bid for _, bid, _ in guesses} == {0, 1, 2, 3}
    assert {bid for *_, bid in guesses} == {-1}


def test_the_yardstick_plays_whole_legal_turns() -> None:
    for seed in range(20):
        position = new('toy', 3, seed)
        while not position.over:
            turn = GAME.yardstick(position.hidden(position.to_move))
            assert position.turn_name(turn) in position.turns()
            position.play(position.turn_name(turn))
