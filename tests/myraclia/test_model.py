"""The compiled rules against the slow model: whole games step by step, turns in positions made by chance, and
every payment."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from typing import Any

import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.games.myraclia.components import FIRST_DARK, N_TILES
from ludoteca.games.myraclia.rules import SPAN, Phase, rest_fits
from ludoteca.games.myraclia.view.facts import tile_id
from ludoteca.kernel import compiled
from tests.myraclia.model import (
    COLOURS,
    CUBES,
    TABLE,
    TILES,
    TOKENS,
    Game,
    Payment,
    ascending,
    beside,
    can_pay,
    payments,
    place_of,
)
from tests.myraclia.support import (
    ARRANGED,
    MYRACLIA,
    OPTIONS,
    Policy,
    anything,
    assert_same,
    crowd,
    prefer,
    read_position,
)
from tests.width import width

POLICIES: dict[str, Policy] = {
    'anything': anything,
    'crowd': crowd,
    'wild cards': prefer('terraform', 'five', '3'),
    'keep': prefer('reserve', 'change', 'add'),
    'pass': prefer('pass', 'end'),
    'own tile': prefer('terraform', 'done', 'reserve'),
}


def follow(position: Position, policy: Policy, chooser: random.Random, most: int) -> Counter[str]:
    """Play on (at most so many actions), comparing the two at every step; returns what has been met."""
    game = Game.read(position.to_json())
    assert_same(position, game)
    while not game.ending and most:
        most -= 1
        legal = position.legal()
        assert len(set(legal)) == len(legal)
        assert set(legal) == game.legal(), position.to_json()
        name = policy(game, legal, chooser)
        position.apply(position.actions()[legal.index(name)])
        game.play(name, position.to_json() if changes_by_chance(name) else {})
        assert_same(position, game)
    game.met[game.ending] += 1
    return game.met


def changes_by_chance(name: str) -> bool:
    """May something be drawn when this is played?"""
    return name.split()[0] in ('end', 'place', 'token')


COMMON = {
    'disk moved': 40,
    'triples': 15,
    'payments with fives': 15,
    'triple of a colour that is in reserve': 4,
    'cubes of the zone': 10,
    'abandoned tile completed': 20,
    'abandoned tile reserved': 10,
    'reservations': 15,
    'reserved tile completed': 8,
    'changes': 40,
    'adds': 10,
    'adds after three actions': 2,
    'bonus of 2': 10,
    'disks used up': 3,
    'fetched from the bag': 3,
    'terraformed': 7,
}
"""What seven games by chance meet at least."""


def short_of(met: Counter[str], expected: Mapping[str, int]) -> dict[str, int]:
    """What was met less often than expected; interpreted games are cut short, and nothing is expected of
    them."""
    return {name: met[name] for name, n in expected.items() if met[name] < n} if compiled else {}


@pytest.mark.parametrize('players', [2, 3, 4, 5])
def test_starts_arranged_by_chance_agree_with_the_model(players: int) -> None:
    """And the first rounds after them."""
    met: Counter[str] = Counter()
    starts = width(2, 12) if compiled else 2
    for seed in range(starts):
        options = ARRANGED | ({'darkness': True, 'kickstarter': True, 'cubes': 3} if seed % 2 else {})
        met += follow(ludoteca.new('myraclia', players, seed, options), anything, random.Random(seed), 40)
    start = TABLE['players'][str(players)]['start_tiles']
    assert met['starting tiles'] == start * starts
    assert met['last tile kept from a place'] > 0 or players > 2 or starts < 12


@pytest.mark.parametrize('players', [2, 3, 4, 5])
def test_games_by_chance_agree_with_the_model(players: int) -> None:
    """The options singly and all together; narrow, each of them for one number of players."""
    met: Counter[str] = Counter()
    for k, options in [*enumerate(OPTIONS)][width(players % 4, 0) :: width(4, 1)]:
        met += follow(
            ludoteca.new('myraclia', players, k, options),
            anything,
            random.Random(k),
            10**6 if compiled else 90,
        )
    assert short_of(met, {name: max(1, width(n // 8, n)) for name, n in COMMON.items()}) == {}


EXPECTED: dict[str, dict[str, int]] = {
    'crowd': {'fourth disk': 5, 'bag renewed in a draw': 2},
    'wild cards': {'triples': 15, 'payments with fives': 15},
    'keep': {
        'reservations': 15,
        'changes': 50,
        'abandoned tile completed': 20,
        'abandoned tile reserved': 20,
    },
    'pass': {'took nothing': 100, 'cubes left on the board': 50, 'endless': 1},
    'own tile': {'reserved tile completed': 8, 'reservations': 15},
    'all options': {
        'Darkness drawn': 3,
        'Darkness placed before others': 3,
        'tie for the token': 2,
        'tokens stacked': 1,
        **{f'token {kind}': 1 for kind in {token['kind'] for token in TOKENS.values()}},
    },
}


@pytest.mark.parametrize('name', EXPECTED)
def test_games_of_all_sorts_agree_with_the_model(name: str) -> None:
    met: Counter[str] = Counter()
    every = (2, 3, 4, 5, 2, 3) if name == 'all options' else (2, 3, 4, 5)
    for k, players in enumerate(every[width(1, 0) :: width(4, 1)]):
        options = OPTIONS[-1] if name == 'all options' else OPTIONS[players]
        start = ludoteca.new('myraclia', players, f'{name} {k}', options)
        met += follow(
            start, POLICIES.get(name, POLICIES['own tile']), random.Random(name), 2000 if compiled else 90
        )
    assert short_of(met, {what: width(n // 10, n) for what, n in EXPECTED[name].items()}) == {}


# ---- positions that games seldom reach ---------------------------------------------------------------------


def some_position(chooser: random.Random, players: int, rich: bool) -> dict[str, Any]:
    """A turn of terraforming made by chance: tiles of anybody, abandoned and reserved ones, cubes in the pool
    (many, if `rich`)."""
    laid = [options for options in OPTIONS if options != ARRANGED]
    data = ludoteca.new('myraclia', players, chooser.randrange(10**9), chooser.choice(laid)).to_json()
    for key in ('board', 'columns', 'cubes'):
        data.pop(key, None)
    left = [colour for colour, n in CUBES.items() for _ in range(n)]
    chooser.shuffle(left)
    seats, kept = list(range(players)), chooser.random()
    for entry in data['surface']:
        required, kind = TILES[entry['tile']].required, chooser.random()
        if kind < 0.4 * kept:
            entry['owner'] = chooser.randrange(players)
        elif kind < 0.7:
            cubes = ascending(chooser.sample(required, chooser.randrange(1, len(required))))
            entry['cubes'] = list(cubes)
            for colour in cubes:
                left.remove(colour)
            if seats and chooser.random() < 0.4:
                entry['reserved'] = seats.pop(chooser.randrange(len(seats)))
    budget = chooser.randrange(12)
    size = budget + chooser.randrange(6)
    if rich:
        colours, least, most = chooser.choice([(7, 0, 4), (5, 2, 3), (3, 3, 7)])
        wanted = Counter(
            {colour: chooser.randrange(least, most) for colour in chooser.sample(COLOURS, colours)}
        )
        size, budget = 40, chooser.randrange(8, 15)
        left = list((wanted & Counter(left)).elements())
    pool = Counter(left[:size])
    return data | {
        'phase': 'turn',
        'round': chooser.choice((1, 1, 2, 7)),
        'pool': {colour: pool[colour] for colour in COLOURS if pool[colour]},
        'budget': min(budget, pool.total()),
        'scores': [chooser.randrange(6) for _ in range(players)],
        'actions': 0 if rich else chooser.choice((0, 1, 2, 3)),
        'to_move': chooser.randrange(players),
    }


@pytest.mark.parametrize('players', [2, 3, 4, 5])
def test_turns_in_positions_by_chance_agree_with_the_model(players: int) -> None:
    chooser, met = random.Random(players), Counter[str]()
    for _ in range(width(20, 60) if compiled else 12):
        data = some_position(chooser, players, rich=False)
        met += follow(
            read_position(data), chooser.choice([*POLICIES.values()]), chooser, 14 if compiled else 6
        )
    expected = {
        'triples': 5,
        'reservations': 8,
        'changes': 8,
        'adds': 4,
        'abandoned tile completed': 10,
        'reserved tile completed': 3,
    }
    assert short_of(met, {what: width(n // 4, n) for what, n in expected.items()}) == {}


def pairs_beside(entry: Mapping[str, Any], chooser: random.Random) -> dict[str, int]:
    """Two cubes each of five colours, none of which the tile lacks if it lacks but two: a payment of two wild
    cards of five."""
    lacked = [colour for colour in TILES[entry['tile']].required if colour not in entry.get('cubes', ())]
    others = [colour for colour in COLOURS if colour not in lacked]
    return dict.fromkeys(others if len(others) == 5 else chooser.sample(COLOURS, 5), 2)


def test_a_tile_is_said_to_be_too_far_to_reserve_exactly_if_nothing_terraformed_lies_beside_it() -> None:
    chooser, told = random.Random('far'), Counter[bool]()
    for _ in range(width(40, 200) if compiled else 12):
        position = read_position(some_position(chooser, 3, rich=False) | {'actions': 0})
        view, s = position.view(), position.state
        if s.phase != Phase.TURN:
            continue
        places = {
            tile: divmod(int(s.where[tile]), SPAN)[::-1] for tile in range(N_TILES) if s.where[tile] >= 0
        }
        for tile, own_place in places.items():
            if s.owner[tile] >= 0 or tile in s.reserved or tile >= FIRST_DARK:
                continue
            near = any(s.owner[other] >= 0 for other, place in places.items() if place in beside(own_place))
            said = MYRACLIA.why_not(view, ('do:reserve', f'el:{tile_id(s, tile)}'))
            assert said.startswith('Only a tile beside a terraformed one') != near, said
            told[near] += 1
    assert min(told[near] for near in (False, True)) > 20, told


@pytest.mark.parametrize('players', [2, 3, 4, 5])
def test_random_starting_surfaces_have_three_neighbours_for_most_tiles(players: int) -> None:
    for seed in range(width(60, 300) if compiled else 10):
        s = ludoteca.new('myraclia', players=players, seed=seed).state
        places = {divmod(int(cell), SPAN)[::-1] for cell in s.where if cell >= 0}
        many = Counter(sum(other in places for other in beside(place)) for place in places)
        assert min(many) >= 2
        assert 2 * sum(n for neighbours, n in many.items() if neighbours >= 3) > len(places)


# ---- payments ----------------------------------------------------------------------------------------------


def paid_in_steps(position: Position) -> Iterator[Payment]:
    """The cubes of every way to go on with a payment to its end, from the names of the steps. There is one
    after each step."""
    assert position.legal()
    for name in position.legal():
        after = position.copy().after(name)
        match name.split():
            case ['pay', _, 'with', '3', colour]:
                cubes = [colour] * 3
            case ['pay', _, 'with', 'any', 'five']:
                cubes = []
            case ['pay' | 'use', colour]:
                cubes = [colour]
            case _:
                raise AssertionError(name)
        if after.state.phase in (2, 3) and after.to_json().get('steps'):
            yield from (ascending([*cubes, *rest]) for rest in paid_in_steps(after))
        else:
            yield ascending(cubes)


def wild_cards(payment: Payment, missing: Payment) -> tuple[int, int]:
    """How many triples and fives a payment has, from its size alone: plain + 3 triples + 5 fives."""
    replaced = len(set(missing) - set(payment))
    fives = (len(payment) - (len(missing) - replaced) - 3 * replaced) // 2
    return replaced - fives, fives


def test_the_steps_lead_to_every_payment_that_obeys_the_hand_rule_once() -> None:
    chooser, met = random.Random('payments'), Counter[str]()
    while met['payments'] < (3000 if compiled else 40):
        data = some_position(chooser, chooser.randrange(2, 6), rich=True)
        if chooser.random() < 0.3:
            data |= {'pool': pairs_beside(chooser.choice(data['surface']), chooser), 'budget': 10}
        position = read_position(data)
        game = Game.read(data)
        for name in chooser.sample(position.legal(), min(4 if compiled else 1, len(position.legal()))):
            if not name.startswith('terraform'):
                continue
            missing = game.missing(game.surface[place_of(name.split()[1])])
            expected = payments(missing, game.pool, game.budget)
            if len(expected) > (400 if compiled else 30):
                continue
            found = list(paid_in_steps(position.copy().after(name)))
            assert len(found) == len(set(found)), 'a payment can be made in two ways'
            assert set(found) == expected
            met['payments'] += len(found)
            for payment in found:
                triples, fives = wild_cards(payment, missing)
                met[f'{triples} triples'] += 1
                met[f'{fives} fives'] += 1
                met['both'] += triples > 0 and fives > 0
    expected_counts = {
        '0 fives': 100,
        '1 triples': 100,
        '2 triples': 20,
        '1 fives': 500,
        '2 fives': 1,
        'both': 50,
    }
    assert short_of(met, expected_counts) == {}


def fit(triples: tuple[int, ...], left: list[int], most: list[int], put: int, budget: int) -> bool:
    """Can these triples be paid from what is left of each colour, and `put` cubes for fives besides, of each
    colour at most so many?"""
    rest = [n - 3 * triples.count(colour) for colour, n in enumerate(left)]
    room = sum(min(n, limit) for n, limit in zip(rest, most, strict=True))
    return min(rest) >= 0 and 3 * len(triples) + put <= budget and put <= room


def test_a_step_of_a_payment_is_offered_exactly_if_its_wild_cards_can_still_be_found() -> None:
    """Against all choices of triples, whatever has been paid before."""
    chooser, answers = random.Random('wild cards'), Counter[bool]()
    colours, state = range(len(COLOURS)), read_position(some_position(random.Random(1), 2, rich=True)).state
    for _ in range(5_000 if compiled else 2_000):
        pool = [chooser.choice((0, 0, 1, 1, 2, 3, 3, 4, 6)) for _ in colours]
        bits = [chooser.choice(('', '', 'plain', 'wild')) for _ in colours]
        plain, wild = ([what == kind for what in bits] for kind in ('plain', 'wild'))
        fives, more, budget = chooser.choice((0, 0, 1)), chooser.randrange(1, 4), chooser.randrange(5, 21)
        first, chosen = chooser.randrange(3), [0] * len(COLOURS)
        if fives == 0:
            chosen[chooser.randrange(first + 1)] = chooser.randrange(2)
        state.pool[:], state.triples[:], state.budget = pool, chosen, budget
        left = [n - p - 3 * t for n, p, t in zip(pool, plain, chosen, strict=True)]
        sound = min(left) >= 0 and not any(w and t for w, t in zip(wild, chosen, strict=True))

        free = [colour for colour in colours if colour >= first and not wild[colour] and fives == 0]
        most = [0 if by_wild else 2 for by_wild in wild]
        within = budget - sum(plain) - 3 * sum(chosen)
        expected = sound and any(
            fit(triples, left, most, 5 * (fives + more - many), within)
            for many in range(more + 1)
            for triples in combinations_with_replacement(free, many)
        )
        paid, replaced = (sum(1 << colour for colour in colours if has[colour]) for has in (plain, wild))
        assert rest_fits(state, paid, replaced, fives, first, more) == expected
        answers[expected] += 1
    assert min(answers.values()) > sum(answers.values()) / 10


def test_what_can_be_paid_is_what_has_a_payment() -> None:
    chooser = random.Random(5)
    for _ in range(1500):
        pool = Counter(chooser.choices(COLOURS[: chooser.randrange(1, 8)], k=chooser.randrange(14)))
        missing = ascending(chooser.sample(COLOURS, chooser.randrange(1, 5)))
        budget = chooser.randrange(13)
        assert can_pay(missing, pool, budget) == bool(payments(missing, pool, budget))
