"""Names of actions of the Fruit Market, and its positions as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from reprlib import repr  # never long
from typing import Any

import numpy as np

from ludoteca.game import GameError
from ludoteca.game.json_fields import check_keys, is_whole
from ludoteca.kernel import Array, checked, reseed
from ludoteca.text import Words

from . import components as C
from . import rules as R
from .options import ToyOptions
from .rules import State

NAMES = (
    *(f'bid-{coins}' for coins in range(R.DROP)),
    *(f'drop-{fruit}' for fruit in C.FRUITS),
    *(f'take-{fruit}' for fruit in C.FRUITS),
    'draw',
)
ENDINGS = ('full', 'dusk')
PHASES = ('bidding', 'dropping', 'picking')
KEYS = (
    'game',
    'players',
    'options',
    'phase',
    'to_move',
    'first',
    'coins',
    'bids',
    'hands',
    'dropped',
    'baskets',
    'market',
    'ending',
    'rng',
)

words = Words(Path(__file__).parent)


# ---- actions -----------------------------------------------------------------------------------------------


def action_name(s: State, action: int) -> str:
    """`bid-2`, `drop-plum`, `take-apple`, `draw`."""
    return NAMES[action]


def action_from_name(s: State, text: str) -> int:
    """The action of that name. Raises GameError if there is none."""
    if text not in NAMES:
        raise GameError(words('action.error.name', name=repr(text), names=', '.join(NAMES)))
    return NAMES.index(text)


# ---- positions ---------------------------------------------------------------------------------------------


def fruits(counts: Array) -> list[str]:
    """Counts by fruit as a list of names."""
    return [fruit for fruit, count in zip(C.FRUITS, counts.tolist(), strict=True) for _ in range(count)]


def cards(counts: Array, n: int) -> list[str | None]:
    """`n` cards, or as many nulls if they are not known."""
    return [None] * n if counts[0] < 0 else [*fruits(counts)]


def default_generator() -> tuple[int, ...]:
    """The generator of a position that names none; hidden positions have it too."""
    s = State.new()
    reseed(s, 0)
    return tuple(s.rng.tolist())


def to_json(s: State) -> dict[str, Any]:
    """The canonical form. Required are `players` and `hands`; what is left out has its default:

    options {}, phase "bidding", to_move 0 (needed in the bidding only), first 0, coins 5 each, bids {} (seat:
    coins, null if sealed but not known), dropped, baskets and market empty, ending none, rng a fixed one.
    What is in the bag and in the deck follows.
    """
    seats = range(int(s.players))
    data: dict[str, Any] = {'game': 'toy', 'players': int(s.players)}
    if s.long or s.ties:
        data['options'] = ({'long': True} if s.long else {}) | ({'ties': 'nobody'} if s.ties else {})
    if s.phase and not s.ending:
        data['phase'] = PHASES[s.phase]
    if s.to_move and s.phase == R.BIDDING:
        data['to_move'] = int(s.to_move)
    if s.first:
        data['first'] = int(s.first)
    if any(s.coins[seat] != C.COINS for seat in seats):
        data['coins'] = s.coins[: s.players].tolist()
    if any(s.bid[seat] != R.NOT_YET for seat in seats):
        data['bids'] = {
            str(seat): None if s.bid[seat] == R.SEALED else int(s.bid[seat])
            for seat in seats
            if s.bid[seat] != R.NOT_YET
        }
    data['hands'] = [cards(s.hand[seat], int(s.held[seat])) for seat in seats]
    if any(s.held[seat] < C.HAND[s.long] for seat in seats):
        data['dropped'] = [cards(s.dropped[seat], C.HAND[s.long] - int(s.held[seat])) for seat in seats]
    if s.turn:
        data['baskets'] = [fruits(s.basket[seat]) for seat in seats]
    if s.market.any():
        data['market'] = fruits(s.market)
    if s.ending:
        data['ending'] = ENDINGS[s.ending - 1]
    if tuple(s.rng.tolist()) != default_generator():
        data['rng'] = s.rng.tolist()
    return data


@checked
def from_json(data: Mapping[str, Any]) -> State:
    """The position that `data` describes. Raises GameError with a sentence if it is incomplete or
    impossible."""
    check_keys(data, words('title'), KEYS, ('players', 'hands'))
    s = State.new()
    s.players = players = _whole(data.get('players'), '"players"', 2, C.MOST_PLAYERS)
    s.long, s.ties = _options(data.get('options', {}), players)
    s.first = _whole(data.get('first', 0), '"first"', 0, players - 1)
    s.coins[:players] = [
        _whole(coins, words('position.coins'), 0, C.COINS)
        for coins in _each(data.get('coins', [C.COINS] * players), '"coins"', players)
    ]
    s.rng[:] = [
        _whole(word, words('position.rng'), 0, 2**32 - 1)
        for word in _each(data.get('rng', default_generator()), '"rng"', 4)
    ]
    nothing: list[list[str]] = [[]] * players
    for seat, basket in enumerate(_each(data.get('baskets', nothing), '"baskets"', players)):
        s.basket[seat] = _counts(basket)
    s.market[:] = _counts(data.get('market', []))
    s.bag[:] = C.FRUITS_EACH - s.market - s.basket.sum(0)
    if (s.bag < 0).any():
        raise GameError(words('position.error.fruits', n=C.FRUITS_EACH))
    _read_cards(
        s,
        _each(data.get('hands'), '"hands"', players),
        _each(data.get('dropped', nothing), '"dropped"', players),
    )
    s.turn = s.basket.sum()
    _read_phase(s, data)
    _read_bids(s, data.get('bids', {}))
    return s


def _whole(value: Any, what: str, least: int, most: int) -> int:
    if not is_whole(value, least, most):
        raise GameError(words('position.error.whole', what=what, least=least, most=most, value=repr(value)))
    return int(value)


def _each(value: Any, what: str, n: int) -> list[Any]:
    if not isinstance(value, list | tuple) or len(value) != n:
        raise GameError(words('position.error.list', what=what, n=n))
    return list(value)


def _counts(names: Any) -> Array:
    if not isinstance(names, list) or any(name not in C.FRUITS for name in names):
        raise GameError(words('position.error.names', names=', '.join(C.FRUITS), given=repr(names)))
    return np.array([names.count(fruit) for fruit in C.FRUITS], np.int8)


def _options(given: Any, players: int) -> list[int]:
    if not isinstance(given, Mapping):
        raise GameError(words('position.error.options'))
    options = ToyOptions.read(given)
    if sentence := options.problem(players):
        raise GameError(sentence)
    long, ties, *_ = options.encode().tolist()
    return [long, ties]


def _read_cards(s: State, hands: list[Any], dropped: list[Any]) -> None:
    s.deck[:] = C.CARDS_EACH
    for seat, (hand, gone) in enumerate(zip(hands, dropped, strict=True)):
        if (
            not isinstance(hand, list)
            or not isinstance(gone, list)
            or len(hand) + len(gone) != C.HAND[s.long]
            or not hand
        ):
            raise GameError(words('position.error.hand', seat=seat, n=C.HAND[s.long]))
        s.held[seat] = len(hand)
        if all(card is None for card in (*hand, *gone)):
            s.hand[seat] = s.dropped[seat] = s.deck[:] = -1
            continue
        s.hand[seat], s.dropped[seat] = _counts(hand), _counts(gone)
        if s.deck[0] >= 0:
            s.deck -= s.hand[seat] + s.dropped[seat]
    known = np.where(s.hand > 0, s.hand, 0).sum(0) + np.where(s.dropped > 0, s.dropped, 0).sum(0)
    if (known > C.CARDS_EACH).any():
        raise GameError(words('position.error.cards', n=C.CARDS_EACH))


def _read_phase(s: State, data: Mapping[str, Any]) -> None:
    """Phase, seat to move and ending, which follow from each other; every seat has as many fruits as it has
    taken turns."""
    players, ending = int(s.players), data.get('ending')
    if ending not in (None, *ENDINGS):
        raise GameError(words('position.error.ending', endings=', '.join(ENDINGS)))
    phase = PHASES[R.PICKING] if ending else data.get('phase', PHASES[R.BIDDING])
    if phase not in PHASES:
        raise GameError(words('position.error.phase', phases=', '.join(PHASES)))
    s.phase = PHASES.index(phase)
    s.ending = 1 + ENDINGS.index(ending) if ending else 0
    s.moved = s.turn % players or (players if ending else 0)
    if s.phase == R.BIDDING:
        s.to_move = _whole(data.get('to_move', 0), '"to_move"', 0, players - 1)
    else:
        s.to_move = (s.first + s.moved - (1 if ending else 0)) % players
    rounds = (s.turn - s.moved) // players
    for k in range(players):
        seat = (s.first + k) % players
        turns = rounds + (k < s.moved)
        begun = s.phase == R.PICKING and not ending and seat == s.to_move
        if s.basket[seat].sum() != turns or s.held[seat] != C.HAND[s.long] - turns - begun:
            raise GameError(
                words('position.error.turns', seat=seat, fruits=turns, cards=C.HAND[s.long] - turns - begun)
            )
    if s.phase == R.BIDDING and s.moved:
        raise GameError(words('position.error.bidding'))
    if bool((s.basket == C.FULL).any()) != (ending == 'full') or (s.basket > C.FULL).any():
        raise GameError(words('position.error.full', n=C.FULL))
    if (
        not ending == 'full'
        and (s.moved == players or s.moved == 0)
        and bool((s.held[:players] == 1).all()) != (ending == 'dusk')
    ):
        raise GameError(words('position.error.dusk'))


def _read_bids(s: State, bids: Any) -> None:
    if not isinstance(bids, Mapping) or any(seat not in map(str, range(s.players)) for seat in bids):
        raise GameError(words('position.error.bids'))
    s.bid[:] = R.NOT_YET
    for seat, coins in bids.items():
        s.bid[int(seat)] = (
            R.SEALED if coins is None else _whole(coins, words('position.bid', seat=seat), 0, C.MOST_BID)
        )
        if s.phase == R.BIDDING and s.bid[int(seat)] > s.coins[int(seat)]:
            raise GameError(words('position.error.coins', seat=seat, bid=coins, coins=s.coins[int(seat)]))
    if s.phase == R.BIDDING and s.bid[s.to_move] != R.NOT_YET:
        raise GameError(words('position.error.bid', seat=s.to_move))
