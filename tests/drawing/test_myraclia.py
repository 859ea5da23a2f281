"""The drawing of Myraclia: what can be clicked, that the state is what is seen, payments, order and scoring,
legibility, words."""

from __future__ import annotations

import gzip
import random
import re
import time
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from ludoteca.drawing.cards import letters_width
from ludoteca.drawing.svg import number
from ludoteca.game import COLOURS, Card, Event, Position, View, ViewSettings, load, new, position, start
from ludoteca.game.seats import from_viewer
from ludoteca.games.myraclia import components as C
from ludoteca.games.myraclia import rules as R
from ludoteca.games.myraclia.notation import cell_from_name
from ludoteca.games.myraclia.rules import ASIDE, NONE, Phase
from ludoteca.games.myraclia.view import board, cards, facts, payment, symbols
from ludoteca.games.myraclia.view.events import MARKED
from ludoteca.kernel import compiled
from ludoteca.text.players import player_word

pytestmark = pytest.mark.skipif(not compiled, reason='what is drawn does not depend on the mode')

MYRACLIA: Any = load('myraclia')
SVG = '{http://www.w3.org/2000/svg}'
PHONE, PHONE_CARD = 390, 344  # pixels that the board and a card get on a phone
EXTRAS = {'eternity': True, 'darkness': True, 'kickstarter': True}
MOMENT: dict[str, Any] = {  # Blue terraforms in round 3 and can pay for some of the tiles
    'game': 'myraclia',
    'players': 3,
    'to_move': 0,
    'round': 3,
    'order': [0, 1, 2],
    'phase': 'turn',
    'scores': [5, 3, 0],
    'pool': {'green': 3, 'red': 1, 'blue': 2, 'yellow': 1},
    'budget': 6,
    'surface': [
        {'tile': 'F07', 'at': [0, 0], 'owner': 0},
        {'tile': 'W05', 'at': [1, 0], 'owner': 1},
        {'tile': 'P04', 'at': [2, 0], 'owner': 0},
        {'tile': 'P10', 'at': [3, 0]},
        {'tile': 'M08', 'at': [0, -1]},
        {'tile': 'W02', 'at': [1, -1]},
        {'tile': 'W13', 'at': [2, -1]},
        {'tile': 'P09', 'at': [3, -1], 'reserved': 1, 'cubes': ['yellow']},
        {'tile': 'M12', 'at': [0, 1]},
        {'tile': 'F01', 'at': [1, 1]},
        {'tile': 'W10', 'at': [0, 2]},
        {'tile': 'F06', 'at': [1, 2], 'cubes': ['red', 'blue']},
        {'tile': 'M13', 'at': [-1, 2]},
    ],
    'display': ['M06', 'W12', 'P08'],
}


def moment(*steps: str, **changes: Any) -> Position:
    return position({**MOMENT, **changes}).after(' '.join(steps))


@cache
def game_of(players: int, seed: int, extras: bool = False) -> tuple[tuple[Position, int, Position], ...]:
    """A random game in which people terraform if they can: for each action the position before it, the
    action, and after it."""
    chance, steps = random.Random(seed), []
    found = Position(
        MYRACLIA, start(MYRACLIA, players, seed, MYRACLIA.options.read(EXTRAS if extras else {}))
    )
    while not found.over:
        before, actions = found.copy(), found.actions()
        tiles = [action for action in actions if R.TERRAFORM <= action < R.RESERVE]
        action = chance.choice(tiles if tiles and chance.random() < 0.8 else actions)
        if action in (R.PASS, R.END_TURN) and chance.random() < 0.8:
            action = chance.choice(actions)
        found.apply(action)
        steps.append((before, action, found.copy()))
    return tuple(steps)


def some_of(players: int, seed: int, step: int, extras: bool = False) -> Iterator[View]:
    """Views of some positions of a game by whoever is to move, each with what happened last; all its phases
    are among them."""
    last: tuple[Event, ...] = ()
    seen = dict.fromkeys(Phase, 0)
    for k, (before, action, after) in enumerate(game_of(players, seed, extras)):
        seen[Phase(int(before.state.phase))] += 1
        if k % step == 0 or seen[Phase(int(before.state.phase))] < 4:
            yield before.view(last=last)
        last = MYRACLIA.events(before.hidden(-1), action, after.hidden(-1))
    yield game_of(players, seed, extras)[-1][2].view(0, last)


def page(view: View) -> str:
    return str(MYRACLIA.draw(view, 'page'))


def by_id(text: str) -> dict[str, ElementTree.Element]:
    """The elements of a drawing by their ids, which are unique."""
    elements = [element for element in ElementTree.fromstring(text).iter() if element.get('id')]
    found = {str(element.get('id')): element for element in elements}
    assert len(found) == len(elements)
    return found


def card_of(view: View, name: str) -> Card:
    cards: tuple[Card, ...] = MYRACLIA.cards(view)
    return next(card for card in cards if card.id == name)


def all_ids(view: View) -> dict[str, ElementTree.Element]:
    """The elements of the drawing and of the cards by their ids."""
    found = by_id(page(view))
    for card in MYRACLIA.cards(view):
        more = by_id(str(card.drawing).replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ', 1))
        assert not more.keys() & found.keys()
        found |= more
    return found


def classes(element: ElementTree.Element) -> list[str]:
    return str(element.get('class')).split()


def tile_of(name: str) -> int:
    return C.TILES.index(name)


# ---- what can be clicked -----------------------------------------------------------------------------------


@pytest.mark.parametrize(('players', 'extras'), [(2, False), (3, True), (5, True)])
def test_all_that_can_be_clicked_is_there(players: int, extras: bool) -> None:
    defined, phases = set(by_id(f'<svg>{MYRACLIA.symbols().defs}</svg>')), set()
    for view in some_of(players, players, 11, extras):
        phases.add(Phase(int(view.state.phase)))
        elements = all_ids(view)
        assert not elements.keys() & defined
        buttons, used = (
            {f'do:{button.id}' for button in MYRACLIA.prompt(view).buttons if not button.steps},
            set(),
        )
        for action in view.actions:
            for target in MYRACLIA.targets(view.state, action):
                used.add(target.id)
                if target.ghost:
                    assert target.ghost.symbol in defined
        for target in used - buttons:
            element = elements[target.removeprefix('el:')]
            assert 'target' in classes(element)
            assert element.get('role') == 'button'
            assert element.get('aria-label')
            assert element.find(".//*[@class='hit']") is not None
            assert element.find(".//*[@class='focus']") is not None
        assert buttons == {target for target in used if target.startswith('do:')}, (
            'a button that does nothing'
        )
        shown = {f'el:{name}' for name, element in elements.items() if 'target' in classes(element)}
        assert shown == used - buttons, 'something that looks as if it could be clicked'
        for element in elements.values():
            if 'piece' in classes(element):
                assert element.get('transform') is None, 'the page moves this group'
    assert phases >= {Phase.DRAFT, Phase.TURN, Phase.PAY, Phase.PUT, Phase.PLACE} | (
        {Phase.TOKEN} if extras else set()
    )


def test_no_two_actions_are_chosen_by_the_same_clicks() -> None:
    for view in some_of(4, 4, 9, True):
        lists = [
            tuple(target.id for target in MYRACLIA.targets(view.state, action)) for action in view.actions
        ]
        assert len(set(lists)) == len(lists)


TARGETS = (
    ((), 'terraform 1,1', ('el:tile-F01',)),
    ((), 'reserve 0,-1', ('do:reserve', 'el:tile-M08')),
    ((), 'end turn', ('do:end',)),
    (('terraform 1,1',), 'pay green', ('el:pay-green',)),
    (('terraform 1,1',), 'pay red with 3 green', None),
    (('terraform 1,1', 'pay green'), 'pay red', ('el:pay-red',)),
    (('reserve 0,-1',), 'put yellow', ('el:put-yellow',)),
    (('reserve 0,-1', 'put yellow'), 'done', ('do:done',)),
    (
        ('terraform 1,1', 'pay green', 'pay red', 'end turn'),
        'place W12 at 2,1',
        ('el:display-W12', 'el:place-2_1'),
    ),
    (
        ('terraform 1,1', 'pay green', 'pay red', 'end turn'),
        'place W12 at -1,1',
        ('el:display-W12', 'el:place-m1_1'),
    ),
    (('terraform 1,1', 'pay green', 'pay red'), 'terraform 1,2', ('el:tile-F06-2',)),
)


@pytest.mark.parametrize(('steps', 'name', 'ids'), TARGETS, ids=str)
def test_targets(steps: tuple[str, ...], name: str, ids: tuple[str, ...] | None) -> None:
    found = moment(*steps)
    action = MYRACLIA.action_from_name(found.state, name)
    assert (action in found.actions()) == (ids is not None)
    if ids is not None:
        assert tuple(target.id for target in MYRACLIA.targets(found.state, action)) == ids


def test_a_tile_is_another_thing_to_click_after_an_action() -> None:
    """Else a page would take a click on a tile that cannot be paid any more for another choice of the first
    action."""
    before, after = moment(), moment('terraform 1,1', 'pay green', 'pay red')
    adding = after.copy().after('end turn')
    ids = [
        {
            target.id
            for action in found.actions()
            for target in MYRACLIA.targets(found.state, action)
            if target.id.startswith('el:tile')
        }
        for found in (before, after, adding)
    ]
    assert ids[0]
    assert ids[1]
    assert not ids[0] & ids[1]
    names = [
        {name for name in by_id(page(found.view())) if name.startswith('tile-')}
        for found in (before, after, adding)
    ]
    assert not names[0] & names[1]
    assert not (names[0] | names[1]) & names[2]


def test_marks_are_shown_unless_they_are_switched_off() -> None:
    for found in (moment(), moment('terraform 1,1', 'pay green', 'pay red', 'end turn')):
        view = found.view()
        assert 'class="mark"' in page(view)
        assert 'class="mark"' not in page(
            View(view.state, view.seat, view.actions, settings=ViewSettings(marks=False))
        )
        assert 'class="mark"' not in page(found.view(1))


# ---- the picture says what the state says ------------------------------------------------------------------


@pytest.mark.parametrize(('players', 'extras'), [(2, False), (5, True)])
def test_tiles_disks_cubes_and_tokens_lie_where_the_state_says(players: int, extras: bool) -> None:
    cubes, tokens = 0, 0
    for view in some_of(players, 7, 23, extras):
        s, elements = view.state, by_id(page(view))
        lying = {facts.face_id(tile) for tile in range(C.N_TILES) if s.where[tile] != NONE}
        assert {name for name in elements if name.startswith('face-')} == lying
        for tile in facts.on_surface(s):
            text = ElementTree.tostring(elements[facts.face_id(tile)], encoding='unicode')
            x, y = symbols.middle(int(s.where[tile]))
            assert f'translate({number(x)} {number(y)})' in text
            disks = re.findall(r'#myraclia-disk-(\w+)-(light|dark)', text)
            holder = facts.holder_of(s, tile)
            owner = int(s.owner[tile])
            expected = [
                (COLOURS[seat], side) for seat, side in ((owner, 'light'), (holder, 'dark')) if seat != NONE
            ]
            assert disks == expected
            assert ('#myraclia-living-' in text) == (s.owner[tile] != NONE)
            put = int(s.plain) if s.phase == Phase.PUT and tile == s.target else 0
            assert set(re.findall(r'#myraclia-gem-(\w+)', text)) == {
                C.COLOURS[colour] for colour in facts.bits_of(int(s.cubes_on[tile]) | put)
            }
            assert re.findall(r'#myraclia-coin-(\w+)', text) == [
                C.TOKENS[token] for token in facts.bits_of(int(s.tokens_on[tile]))
            ]
            cubes, tokens = cubes + ('#myraclia-gem' in text), tokens + ('#myraclia-coin' in text)
            label = elements[facts.face_id(tile)][0].get('aria-label', '')
            assert C.TILES[tile] in label
            if s.owner[tile] == NONE and tile < C.FIRST_DARK:
                assert all(facts.element_word(colour) in label for colour in C.REQUIRED[tile])
    assert cubes
    assert tokens or not extras


def test_a_face_shows_what_a_tile_requires_and_brings() -> None:
    """Cubes by number and colour, points, the released element, the badge; on the other side the badge
    again."""
    drawn = symbols.symbol_set().texts
    for tile in range(C.FIRST_DARK):
        barren, living = (
            drawn[symbols.name(f'barren-{C.TILES[tile]}')],
            drawn[symbols.name(f'living-{C.TILES[tile]}')],
        )
        assert re.findall(r'#myraclia-cube-(\w+)', barren) == [
            C.COLOURS[colour] for colour in C.REQUIRED[tile]
        ]
        assert re.findall(r'#myraclia-star-(\d)', barren) == ([str(C.POINTS[tile])] if C.POINTS[tile] else [])
        assert re.findall(r'#myraclia-spring-(\w+)', barren) == (
            [C.COLOURS[C.RELEASED[tile]]] if C.RELEASED[tile] >= 0 else []
        )
        for face in (barren, living):
            assert re.findall(r'#myraclia-badge-(\w+)', face) == [
                C.SURFACES[surface] for surface in C.SURFACES_OF[tile]
            ]
        assert {C.SURFACES[surface] for surface in C.SURFACES_OF[tile]} == set(
            re.findall(r'#myraclia-land-(\w+)-\d', living)
        )


def test_nothing_on_a_tile_hides_what_it_costs() -> None:
    """Printed things, a reserving disk and the first two tokens keep clear of the cubes and of each other."""
    for tile in range(C.FIRST_DARK):
        for held in (False, True):
            places, at = symbols.prize_places(tile, held)
            prizes = [
                (*spot, symbols.STAR)
                for spot in places[: int(C.POINTS[tile] > 0) + int(C.RELEASED[tile] >= 0)]
            ]
            rounds = [
                *prizes,
                *(
                    [(*at, symbols.HELD)]
                    if held
                    else [(*spot, symbols.COIN) for spot in symbols.COIN_PLACES[:2]]
                ),
            ]
            for k, (x, y, r) in enumerate(rounds):
                for u, v, q in rounds[:k]:
                    assert ((x - u) ** 2 + (y - v) ** 2) ** 0.5 > 0.82 * (r + q), C.TILES[tile]
            for _, x, y, size in symbols.cost_places(tile):
                for u, v, r in rounds:
                    dx, dy = max(abs(x - u) - size / 2, 0), max(abs(y - v) - size / 2, 0)
                    assert (dx * dx + dy * dy) ** 0.5 > 0.7 * r, C.TILES[tile]


@pytest.mark.parametrize('players', [2, 5])
def test_everything_lies_within_the_picture(players: int) -> None:
    for view in some_of(players, 3, 29, True):
        s = view.state
        left, top, side = board.box_of(s)
        cells = [int(s.where[tile]) for tile in facts.on_surface(s)]
        cells += facts.choices_of(s, view.actions).places
        for cell in cells:
            x, y = symbols.middle(cell)
            assert left + symbols.APOTHEM < x < left + side - symbols.APOTHEM
            assert top + symbols.RADIUS < y < top + side - symbols.RADIUS
        assert page(view).count(f'viewBox="{number(left)} {number(top)} {number(side)} {number(side)}"') == 1


def test_places_are_shown_only_while_tiles_are_added() -> None:
    found = moment('terraform 1,1', 'pay green', 'pay red')
    assert not [name for name in by_id(page(found.view())) if name.startswith('place-')]
    found.play('end turn')
    elements = by_id(page(found.view()))
    dashed = {
        name
        for name, element in elements.items()
        if name.startswith('place-') and element.find(".//*[@class='mark']") is not None
    }
    assert dashed == {facts.place_id(cell) for cell in facts.choices_of(found.state, found.actions()).places}
    crossed = {
        name
        for name, element in elements.items()
        if name.startswith('place-') and any(part.text == 'b' for part in element.iter())
    }
    assert crossed
    assert not crossed & dashed
    for name in crossed:
        assert R.n_neighbours(found.state, facts.cells_by_id()[name]) == 2


def test_the_only_action_left_is_shown_by_the_drawing() -> None:
    for steps, name, symbol in (
        ((), 'terraform 1,1', 'living-F01'),
        ((), 'reserve 0,-1', 'disk-blue-dark'),
        (('terraform 1,1', 'pay green', 'pay red', 'end turn'), 'place W12 at 2,1', 'barren-W12'),
    ):
        found = moment(*steps)
        view = found.view()
        action = MYRACLIA.action_from_name(found.state, name)
        assert page(View(view.state, view.seat, (action,))).count(f'#myraclia-{symbol}"') == 1
        assert f'#myraclia-{symbol}"' not in page(view)


def test_the_last_turn_is_framed_in_brass() -> None:
    found, last = moment(), list[Event]()
    for name in ('terraform 1,1', 'pay green', 'pay red', 'end turn', 'place W12 at 2,1'):
        before = found.hidden(-1)
        action = MYRACLIA.action_from_name(found.state, name)
        found.apply(action)
        last += MYRACLIA.events(before, action, found.hidden(-1))
    assert page(found.view(1, last)).count('stroke="var(--last)"') == 2
    assert page(found.view(1)).count('stroke="var(--last)"') == 0


# ---- what a tile brings, what it costs ---------------------------------------------------------------------


def finished(found: Position, tile: int) -> Position:
    """The position after a tile was terraformed in the cheapest way."""
    after = found.copy()
    after.apply(R.TERRAFORM + tile)
    for action in facts.cheapest(after.state):
        after.apply(action)
    return after


@pytest.mark.parametrize('players', [2, 4])
def test_a_ghost_says_what_terraforming_brings_to_whom(players: int) -> None:
    seen = set()
    for before, _, _ in game_of(players, 8, True):
        s = before.state
        if s.phase != Phase.TURN:
            continue
        for action in before.actions():
            if R.TERRAFORM <= action < R.RESERVE:
                ghost = MYRACLIA.targets(s, action)[0].ghost
                after = finished(before, action - R.TERRAFORM)
                change = [int(after.state.points[seat]) - int(s.points[seat]) for seat in range(players)]
                assert {seat: f'+{n}' for seat, n in enumerate(change) if n} == dict(ghost.gains)
                seen.add((int(s.n_terraformed > 0), len(ghost.gains)))
    assert {(0, 2), (1, 1), (1, 2)} <= seen


def all_payments(found: Position) -> list[tuple[int, int]]:
    """Sizes of all ways to complete a payment, each with how rare its cubes are together."""
    ways = []
    for action in found.actions():
        after, cost = found.copy(), facts.cost_of(action)
        after.apply(action)
        rest = all_payments(after) if after.state.phase in (Phase.PAY, Phase.FIVES) else [(0, 0)]
        ways += [
            (sum(cost) + size, sum(colour * n for colour, n in enumerate(cost)) + rarity)
            for size, rarity in rest
        ]
    return ways


@pytest.mark.parametrize(
    'pool',
    [
        {'green': 1, 'red': 1},
        {'green': 4, 'blue': 2},
        {'yellow': 3, 'black': 3, 'red': 1},
        {'red': 6, 'white': 2},
        {'yellow': 2, 'orange': 2, 'blue': 2, 'black': 1, 'green': 1},
        {'red': 3, 'blue': 3, 'green': 3},
    ],
)
def test_the_cheapest_way_is_the_one_with_the_fewest_cubes(pool: dict[str, int]) -> None:
    found = moment(pool=pool, budget=sum(pool.values()))
    tiles = [action for action in found.actions() if R.TERRAFORM <= action < R.RESERVE]
    assert tiles
    for action in tiles:
        paying = found.copy()
        paying.apply(action)
        plan = facts.cheapest(paying.state)
        size = sum(sum(facts.cost_of(step)) for step in plan)
        assert size == min(all_payments(paying))[0]
        for step in plan:
            paying.apply(step)
        assert paying.state.owner[action - R.TERRAFORM] == 0


def test_enter_pays_in_the_cheapest_way() -> None:
    seen = 0
    for view in some_of(3, 12, 3):
        s = view.state
        if s.phase not in (Phase.PAY, Phase.FIVES):
            continue
        (button,) = MYRACLIA.prompt(view).buttons
        assert (button.id, button.key) == ('pay', 'Enter')
        assert button.steps == tuple(MYRACLIA.action_name(s, action) for action in facts.cheapest(s))
        paying = Position(MYRACLIA, s.copy())
        for step in button.steps:
            paying.play(step)
        assert paying.state.owner[s.target] == s.to_move
        seen += 1
    assert seen > 10


def test_enter_puts_all_cubes_that_can_be_put() -> None:
    for steps in (('reserve 0,-1',), ('reserve 0,-1', 'put yellow')):
        found = moment(*steps)
        button = MYRACLIA.prompt(found.view()).buttons[-1]
        assert (button.id, button.key) == ('put_all', 'Enter')
        assert (*steps, *button.steps) == ('reserve 0,-1', 'put yellow', 'put red', 'done')
        found.play(' '.join(button.steps))
        assert found.state.reserved[0] != NONE


def test_each_way_to_pay_an_element_is_a_click_away() -> None:
    """The next one's ways are targets, that of Enter first; those of later elements play what comes before,
    too."""
    later = 0
    for view in some_of(3, 12, 3):
        s = view.state
        if s.phase != Phase.PAY:
            continue
        drawing_, plan = str(card_of(view, 'payment').drawing), facts.cheapest(s)
        assert re.findall(r'data-target="el:(pay-[\w-]+)"', drawing_)[0] == facts.element_id(plan[0])
        found = set(re.findall(r'data-steps="([^"]+)"', drawing_))
        expected, trial, names = set(), s.copy(), list[str]()
        for action in plan:
            if trial.phase != Phase.PAY or trial.target == NONE:
                break
            ways = [MYRACLIA.action_name(trial, way) for way in facts.legal(trial)]
            if names and len(ways) > 1:
                expected |= {' '.join([*names, way]) for way in ways}
            names.append(MYRACLIA.action_name(trial, action))
            R.apply(trial, action)
        assert found == expected
        later += len(expected)
    assert later > 5


def test_cubes_of_the_exchange_zone_have_a_compartment() -> None:
    """The heaps tell of them too. In the cheapest way they wear two arrows, and own cubes are used first."""
    pool, lent = {'green': 1, 'red': 3, 'blue': 2}, {'red': 1, 'green': 1}
    found = moment(pool=pool, lent=lent, budget=4)
    labels = re.findall(
        r'aria-label="([^"]+of the exchange zone)"', str(card_of(found.view(), 'payment').drawing)
    )
    assert labels == ['1 green, 1 of the exchange zone', '3 red, 1 of the exchange zone']
    paying = found.after('terraform 1,1')
    drawing_ = str(card_of(paying.view(), 'payment').drawing)
    zone, _, rest = drawing_.partition('data-about="zone"')[2].partition('</g>')
    assert re.findall(r'#myraclia-gem-(\w+)', zone) == ['green', 'red']
    assert re.findall(r'>(\d)</text>', zone) == ['1', '1']
    assert zone.count(payment.SWAP) == 1, 'the sign of the zone'
    assert rest.count(payment.SWAP) == 1, 'green is lent, the first red is not'


def test_the_payment_counts_off_what_is_chosen() -> None:
    view = moment('terraform 1,1', 'pay green').view()
    labels = re.findall(r'aria-label="(\d+) (\w+)"', str(card_of(view, 'payment').drawing))
    assert labels == [('2', 'green'), ('1', 'yellow'), ('1', 'red'), ('2', 'blue')]
    assert card_of(view, 'payment').note == MYRACLIA.words('card.payment.some', n=5, of=6)
    assert card_of(view, 'payment').tray
    other = card_of(moment('terraform 1,1', 'pay green').view(1), 'payment')
    assert 'target' not in str(other.drawing)


def test_the_payment_says_how_many_cubes_may_be_used_also_of_one_and_of_none() -> None:
    notes = {
        card.note
        for seed in (5, 6)
        for view in some_of(2, seed, 1)
        for card in MYRACLIA.cards(view)
        if card.id == 'payment'
    }
    assert not {'all 0 may be used', 'all 1 may be used'} & notes
    assert {'none left', '1 may be used', 'all 2 may be used'} <= notes


def test_a_click_on_a_tile_that_can_only_be_reserved_reserves_it() -> None:
    """Without the button; also in the middle of a turn, and to change a reservation. A tile that can be paid
    is paid."""
    only, payable, changing = 0, 0, 0
    for view in some_of(3, 12, 3):
        s = view.state
        if s.phase != Phase.TURN:
            continue
        choices = facts.choices_of(s, view.actions)
        for tile in facts.on_surface(s):
            found = MYRACLIA.redraft(s, (), (f'el:{facts.tile_id(s, tile)}',))
            if tile not in choices.reserves or tile in choices.tiles:
                assert found is None
                payable += tile in choices.tiles
                continue
            assert found is not None
            (action,) = found
            assert action in view.actions
            assert MYRACLIA.action_name(s, action).split()[0] == (
                'change' if s.reserved[s.to_move] != NONE else 'reserve'
            )
            only += 1
            changing += action >= R.CHANGE
    assert min(only, payable, changing) > 5
    found = moment()
    steps = ('terraform 1,1', 'pay green', 'pay red')
    draft = []
    for step in steps:
        draft.append(MYRACLIA.action_from_name(found.state, step))
        found.apply(draft[-1])
    tile = next(
        tile
        for tile in facts.choices_of(found.state, found.actions()).reserves
        if R.TERRAFORM + tile not in found.actions()
    )
    made = MYRACLIA.redraft(moment().state, draft, (f'el:{facts.tile_id(found.state, tile)}',))
    assert made == (*draft, R.RESERVE + tile)
    assert MYRACLIA.redraft(found.state, (), ('el:display-M06',)) is None
    assert MYRACLIA.redraft(found.state, (), ()) is None


def test_neighbours_wear_what_they_would_get() -> None:
    text = page(moment('terraform 1,1').view())
    assert re.findall(r'>(\+\d)</text>', text) == ['+1', '+1']
    second = page(moment('terraform 1,1', 'pay green', 'pay red', 'terraform 1,2').view())
    assert re.findall(r'>(\+\d)</text>', second) == ['+2']


# ---- explanations ------------------------------------------------------------------------------------------


def test_a_column_says_whether_the_disk_moves_and_whether_that_makes_its_owner_later() -> None:
    told = set()
    for view in some_of(2, 6, 1):
        s = view.state
        if s.phase != Phase.DRAFT or s.ending or s.disk[view.seat] == NONE:
            continue
        place = facts.order_now(s).index(view.seat)
        for colour in facts.choices_of(s, view.actions).drafts:
            after = s.copy()
            R.apply(after, R.DRAFT + colour)
            if after.phase != Phase.DRAFT:
                continue
            moved = int(after.disk[view.seat]) != int(s.disk[view.seat])
            later = facts.order_now(after).index(view.seat) > place
            text = MYRACLIA.explain(view, f'group-{C.COLOURS[colour]}').text
            assert text.endswith(
                MYRACLIA.words(f'about.column.{"later" if later else "moves" if moved else "stays"}')
            )
            told.add((moved, later))
    assert told == {(False, False), (True, False), (True, True)}


def test_what_a_tile_is_said_to_release_carries_the_mark_of_what_is_not_known() -> None:
    view = moment().view()
    assert 'one red cube †' in MYRACLIA.explain(view, 'face-P10').text
    assert MYRACLIA.explain(view, 'face-F07').text.endswith('one yellow cube †.')


# ---- cards and panels --------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 5])
def test_the_drafting_board_shows_cubes_disks_and_what_order_would_result(players: int) -> None:
    seen = 0
    for view in some_of(players, 6, 2):
        s = view.state
        if s.phase != Phase.DRAFT or s.ending:
            continue
        drawing_ = str(card_of(view, 'draft').drawing)
        found = re.findall(r'aria-label="(?:Draft one of )?(\d+) (\w+)"', drawing_)
        groups = {colour: int(n) for n, colour in found}
        assert groups == {
            C.COLOURS[colour]: int(s.board[colour])
            for colour in range(C.N_COLOURS)
            if s.column[colour] != NONE
        }
        on_columns = re.findall(
            r'#myraclia-disk-(\w+)-light" transform="translate\(([\d.]+) ([\d.]+) ?\)', drawing_
        )
        assert len(on_columns) >= int(sum(s.disk[seat] not in (NONE, ASIDE) for seat in range(players)))
        trial = s.copy()
        R.set_terraforming_order(trial)
        placed = [int(seat) for seat in trial.order[:players] if s.disk[seat] != NONE]
        assert facts.order_now(s) == placed
        label = re.search(r'aria-label="Terraforming order if the draft ended now: ([\w, ]+)"', drawing_)
        assert label
        assert label[1] == (', '.join(map(player_word, placed)) or 'none')
        seen += bool(placed)
    assert seen > 10


def test_what_a_cube_would_bring_keeps_to_its_plate_in_a_wide_bold_font() -> None:
    sentences = set()
    for view in some_of(2, 6, 1):
        if view.state.phase != Phase.DRAFT or view.state.ending:
            continue
        root = ElementTree.fromstring(str(card_of(view, 'draft').drawing))
        for preview in (group for group in root.iter('g') if group.get('data-shown-by')):
            plate = preview.find('rect')
            assert plate is not None
            left, top = float(plate.get('x', 0)), float(plate.get('y', 0))
            for line in preview.findall('text'):
                x, y, size = (float(line.get(key, 0)) for key in ('x', 'y', 'font-size'))
                text = ''.join(line.itertext())
                assert x + letters_width(text, size) <= left + float(plate.get('width', 0))
                assert top + size <= y <= top + float(plate.get('height', 0))
                sentences.add(re.sub(r'^\d', 'n', text))
    assert 'One more tile becomes payable.' in sentences
    assert 'n more tiles become payable.' in sentences


def test_the_exchange_zone_leaves_its_name_free_and_keeps_to_the_card_in_a_wide_bold_font() -> None:
    view = moment().view()
    view.state.zone[:] = 2  # of every colour
    root = ElementTree.fromstring(str(card_of(view, 'order').drawing))
    cubes = [cube for cube in root.iter('use') if cube.get('id', '').startswith('zone-')]
    lefts = [float(re.findall(r'[\d.]+', cube.get('transform', ''))[0]) - 8 for cube in cubes]
    texts = [text for text in root.iter('text') if float(text.get('y', 0)) >= 50]
    ends = [
        float(text.get('x', 0)) + letters_width(''.join(text.itertext()), float(text.get('font-size', 0)))
        for text in texts
    ]
    called, numbers = ends[: -len(C.COLOURS)], ends[-len(C.COLOURS) :]
    assert len(lefts) == len(C.COLOURS)
    assert max(called) <= lefts[0]
    assert all(end <= left + 0.01 for end, left in zip(numbers, [*lefts[1:], symbols.CARD], strict=True))


def test_all_disks_find_room_below_one_column() -> None:
    for players in range(2, 6):
        for n in range(players + 1):
            places = cards.disk_places(n, 100, players)
            assert len(set(places)) == n
            for x, y in places:
                assert abs(x - 100) + cards.SPOT <= cards.COLUMN / 2
                assert y - cards.SPOT >= cards.TOP + cards.WELL + 8
                assert y + cards.SPOT <= cards.TOP + cards.WELL + 12 + cards.disks_height(players)


def test_words_of_the_drafting_board_are_legible_on_a_small_laptop() -> None:
    """A window of 1024 pixels leaves a card 250."""
    for view in some_of(5, 6, 9):
        for card in MYRACLIA.cards(view):
            if card.id in ('draft', 'order'):
                sizes = re.findall(r'<text[^>]* font-size="([\d.]+)"', str(card.drawing))
                assert min(map(float, sizes), default=14) * 250 / symbols.CARD >= 9.8


def test_the_scoring_is_that_of_the_rules() -> None:
    for players in (2, 4):
        steps = game_of(players, 5, True)
        for before, _, after in steps[::37] + steps[-1:]:
            s = before.state.copy()
            expected = [facts.scoring_of(s, seat) for seat in range(players)]
            R.score_surface(s)
            assert [found.total for found in expected] == s.points[:players].tolist()
            if after.over:
                assert [
                    facts.scoring_of(after.state, seat).total for seat in range(players)
                ] == after.state.points[:players].tolist()


NUMBER = re.compile(r'<text x="([\d.]+)"[^>]* text-anchor="middle"[^>]*>(-?\d+)</text>')


def test_the_scoring_adds_up() -> None:
    """In each player's column of the table: what the sources give is the sum; the score track says where
    everybody stands."""
    for players in (2, 3, 5):
        steps = game_of(players, 5, True)
        for view in (steps[len(steps) // 2][0].view(), steps[-1][2].view(0)):
            s = view.state
            text = str(card_of(view, 'scoring').drawing)
            track, table = (
                text.split('</g>', 1)[0],
                text[text.index(f'>{facts.say("card.scoring.printed")}<') :],
            )
            columns: dict[str, list[int]] = {}
            for x, n in NUMBER.findall(table):
                columns.setdefault(x, []).append(int(n))
            seats = facts.standings(s) if s.ending else from_viewer(view)
            assert len(columns) == players
            for seat, numbers in zip(seats, columns.values(), strict=True):
                assert numbers[-1] == sum(numbers[:-1]) == facts.scoring_of(s, seat).total
                assert facts.scoring_of(s, seat).earlier == 0, (
                    'a game from its start knows what all points come from'
                )
            said = re.search(r'aria-label="Score track: ([^"]+)"', text)
            assert said, track
            assert [int(n) for n in re.findall(r'(-?\d+) points?', said[1])] == [
                int(s.points[seat]) for seat in seats
            ]


def test_points_of_unknown_source_have_a_row_of_their_own() -> None:
    found = moment(scores=[7, 5, 0], sources=[{'printed': 3, 'reserved': -1}, {}, {}])
    assert [facts.scoring_of(found.state, seat).earlier for seat in (0, 1)] == [5, 5]
    assert f'>{facts.say("card.scoring.earlier")}<' in str(card_of(found.view(), 'scoring').drawing)


def test_at_the_end_the_winner_stands_first() -> None:
    over = game_of(4, 4)[-1][2]
    out = over.outcome()
    table = str(MYRACLIA.cards(over.view(2))[0].drawing).split('aria-label="Score track')[1]
    first = re.search(r'aria-label="(Blue|Red|Yellow|Green)"', table)
    assert first
    assert first[1] == player_word(out.index(max(out)))
    assert [seat for seat, share in enumerate(out) if share] == facts.winners_of(over.state)
    assert first[1] in MYRACLIA.prompt(over.view(2)).text


def test_the_bags_are_counted() -> None:
    for view in some_of(3, 9, 41, True):
        s, card = view.state, card_of(view, 'bags')
        assert f'In the bag: {facts.heap_words(facts.heap(s.bag))}' in str(card.drawing)
        assert f'Discarded: {facts.heap_words(facts.heap(s.discard))}' in str(card.drawing)
        assert card.note.startswith(f'{int(s.tile_bag).bit_count()} tiles')
        assert len(re.findall(r'#myraclia-coin', str(card.drawing))) == int(s.token_bag).bit_count()


@pytest.mark.parametrize('players', [2, 5])
def test_panels_say_what_everybody_has(players: int) -> None:
    for view in some_of(players, 9, 31, True):
        s = view.state
        for panel in MYRACLIA.panels(view):
            seat, (points, *rows) = panel.seat, panel.rows
            assert points.value == str(s.points[seat])
            assert f'{s.done[seat]} of' in panel.side
            drawing_ = ''.join(row.drawing for row in rows)
            left = C.DISKS[players] - R.n_disks(s, seat)
            assert f'"{left} disk{"s" * (left != 1)} left"' in drawing_
            assert ('#myraclia-disk-' + panel.colour + '-dark' in drawing_) == (s.reserved[seat] != NONE)
            assert drawing_.count('#myraclia-turning') == sum(facts.free_elements(s, seat))
            assert drawing_.count('#myraclia-cube') == sum(n > 0 for n in facts.cubes_of(s, seat))


def test_free_elements_are_those_that_the_round_gives() -> None:
    rounds = 0
    for before, _, after in game_of(4, 13, True):
        if after.state.round == before.state.round + 1:
            for seat in range(4):
                given = facts.heap(after.state.own[seat])
                assert all(n <= m for n, m in zip(given, facts.free_elements(after.state, seat), strict=True))
            rounds += 1
    assert rounds > 2


def test_nothing_shown_depends_on_what_comes_later() -> None:
    """Another guess at the bags gives the same outputs, byte for byte."""

    def outputs(view: View) -> str:
        return '\n'.join(
            (
                page(view),
                MYRACLIA.text(view),
                str(MYRACLIA.prompt(view)),
                str(MYRACLIA.panels(view)),
                str(MYRACLIA.cards(view)),
            )
        )

    work = R.Work.new()
    for view in some_of(3, 14, 37, True):
        other = view.state.copy()
        MYRACLIA.kernels.guess(other, view.seat, 5, work)
        MYRACLIA.kernels.hide(other, view.seat)
        assert outputs(View(other, view.seat, view.actions, last=view.last)) == outputs(view)


# ---- size and legibility -----------------------------------------------------------------------------------


def test_what_matters_can_be_read_on_a_phone() -> None:
    """At the start for all numbers of players; a capital letter of a system font is at least 70 % of its
    size. Late in a game of five a tile is still as large as a finger needs."""
    for players in C.PLAYERS:
        side = board.box_of(new('myraclia', players, 1).state)[2]
        assert 0.7 * 0.8 * min(size for size, _ in symbols.COSTS.values()) * PHONE / side >= 6.5
        assert 0.7 * 1.3 * symbols.STAR * PHONE / side >= 7
    late = max(
        board.box_of(before.state)[2] for before, _, _ in game_of(5, 5) if before.state.phase != Phase.PLACE
    )
    assert 2 * symbols.APOTHEM * PHONE / late >= 40
    for view in some_of(5, 5, 17):
        for card in MYRACLIA.cards(view):
            sizes = [float(size) for size in re.findall(r'<text[^>]*font-size="([\d.]+)"', str(card.drawing))]
            assert min(sizes, default=12.0) * PHONE_CARD / symbols.CARD >= 12


def test_buttons_can_be_hit_with_a_finger() -> None:
    """They are rectangles; what is only explained may be smaller."""
    for view in some_of(4, 10, 7):
        for card in MYRACLIA.cards(view):
            for width, height in re.findall(
                r'<rect class="hit"[^>]* width="([\d.]+)" height="([\d.]+)"', str(card.drawing)
            ):
                assert float(height) * PHONE_CARD / symbols.CARD >= 44
                assert float(width) * PHONE_CARD / symbols.CARD >= 40


def test_drawings_keep_the_budget() -> None:
    """The largest message of a game of five, and the time that it takes."""
    largest = max(
        (before.view() for before, _, _ in game_of(5, 5, True)[::7]), key=lambda view: len(page(view))
    )
    everything = (
        page(largest)
        + ''.join(str(card.drawing) for card in MYRACLIA.cards(largest))
        + str(MYRACLIA.panels(largest))
    )
    assert len(gzip.compress(everything.encode())) < 20_000
    assert len(gzip.compress(MYRACLIA.symbols().defs.encode())) < 25_000

    def seconds(what: Any) -> float:
        begun = time.process_time()
        what(largest)
        return time.process_time() - begun

    assert min(seconds(page) for _ in range(5)) < 0.03
    assert min(seconds(MYRACLIA.cards) for _ in range(5)) < 0.03


def test_a_drawing_is_a_picture_for_any_renderer() -> None:
    renderer = pytest.importorskip('resvg_py')
    for theme, view in (('light', moment('terraform 1,1').view()), ('dark', game_of(4, 4)[-1][2].view(0))):
        text = MYRACLIA.draw(view, theme)
        assert 'var(' not in text
        assert bytes(renderer.svg_to_bytes(svg_string=text, width=400)).startswith(b'\x89PNG')
        assert 'var(' not in MYRACLIA.emblem(theme)
        assert 'var(' not in MYRACLIA.figure('tiles', theme)
    assert 'var(' not in MYRACLIA.badge()
    assert re.search(r'width="320" height="300"', MYRACLIA.emblem('light', 320))


# ---- events ------------------------------------------------------------------------------------------------


def did(found: Position, name: str) -> list[str]:
    """The kinds of events when a step is played."""
    before, action = found.hidden(-1), MYRACLIA.action_from_name(found.state, name)
    found.apply(action)
    return [event.kind for event in MYRACLIA.events(before, action, found.hidden(-1))]


def test_a_turn_is_told_step_by_step() -> None:
    found = moment()
    told = [
        did(found, name)
        for name in (
            'terraform 1,1',
            'pay green',
            'pay red',
            'reserve 0,-1',
            'put yellow',
            'done',
            'end turn',
            'place W12 at 2,1',
            'place M06 at -1,1',
        )
    ]
    assert told[:3] == [['choose'], ['pay'], ['pay', 'terraform', 'beside', 'opponent']]
    assert told[3:6] == [['begin'], ['put'], ['reserve']]
    assert told[6:] == [['end_zone'], ['place'], ['place', 'display']]


@pytest.mark.parametrize('players', [2, 3, 5])
def test_points_are_told_to_the_last_one(players: int) -> None:
    """From the events alone: the points of every seat, at every step and in the final scoring."""
    points = [0] * players
    for before, action, after in game_of(players, 31, True):
        for event in MYRACLIA.events(before.hidden(-1), action, after.hidden(-1)):
            if event.kind in ('terraform', 'beside', 'tokens', 'opponent'):
                points[event.seat] += int(event.values['points'])
            elif event.kind in ('reserve', 'change'):
                points[event.seat] -= int(event.values['points'])
            elif event.kind == 'scored':
                assert event.values['before'] == points[event.seat]
                points[event.seat] = int(event.values['sum'])
        assert points == after.state.points[:players].tolist()


@pytest.mark.parametrize('players', [2, 4])
def test_events_tell_all_that_changes(players: int) -> None:
    """Every tile that is placed, turned over or reserved, every token, every released cube, every round."""
    count: dict[str, int] = {}
    for before, action, after in game_of(players, 33, True):
        gone = [
            int(before.state.pool[colour]) - int(after.state.pool[colour]) for colour in range(C.N_COLOURS)
        ]
        released = 0
        for event in MYRACLIA.events(before.hidden(-1), action, after.hidden(-1)):
            count[event.kind] = count.get(event.kind, 0) + 1
            released += event.kind == 'released'
            if event.piece:
                assert event.elements == (event.piece,)
                assert event.piece in by_id(page(after.view(-1)))
        if before.state.phase in (Phase.PAY, Phase.FIVES) and after.state.phase == Phase.TURN:
            paid = sum(facts.paid_of(before.state)) + sum(facts.cost_of(action))
            assert sum(gone) == paid - released
    over = game_of(players, 33, True)[-1][2].state
    assert count['terraform'] == int((over.owner != NONE).sum())
    assert count['place'] == len(facts.on_surface(over)) - C.START_TILES[players]
    assert count['token'] == count['token_up'] == C.N_TOKENS - int(over.token_bag).bit_count()
    assert count['round'] == over.round - 1
    assert count['order'] == over.round
    assert count['scored'] == players


def test_marked_kinds_are_kinds_of_events() -> None:
    assert all(f'event.{kind}' in MYRACLIA.words for kind in MARKED)


# ---- what is said ------------------------------------------------------------------------------------------

PROMPTS = (
    ((), 'Blue: terraform or reserve a tile, action 1 of 3.', ('r', 'e')),
    (('terraform 1,1',), 'Blue: pay for the forests.', ('Enter',)),
    (
        ('terraform 1,1', 'pay green', 'pay red'),
        'Blue: terraform or reserve a tile, action 2 of 3.',
        ('r', 'e'),
    ),
    (('reserve 0,-1',), 'Blue: put a cube on the mountains, at least one.', ('Enter',)),
    (
        ('reserve 0,-1', 'put yellow'),
        'Blue: another cube on the mountains, or done for 2 points.',
        ('d', 'Enter'),
    ),
    (('terraform 1,1', 'pay green', 'pay red', 'end turn'), 'Blue: add a tile to the map.', ()),
)


@pytest.mark.parametrize(('steps', 'text', 'keys'), PROMPTS, ids=str)
def test_prompts_say_what_to_do(steps: tuple[str, ...], text: str, keys: tuple[str, ...]) -> None:
    prompt = MYRACLIA.prompt(moment(*steps).view())
    assert prompt.text == text
    assert prompt.help
    assert tuple(button.key for button in prompt.buttons) == keys
    assert MYRACLIA.prompt(moment(*steps).view(1)).buttons == ()


ADDING = ('terraform 1,1', 'pay green', 'pay red', 'end turn')
WHY: Sequence[tuple[tuple[str, ...], tuple[str, ...], str]] = (
    ((), ('el:tile-F07',), 'Blue has terraformed the forests on 0,0 already'),
    ((), ('el:face-P09',), 'Red has reserved the plains on 3,-1'),
    ((), ('el:tile-W13',), 'you have no orange or white, and not enough'),
    ((), ('el:tile-M13',), 'No terraformed tile lies beside the mountains on -1,2'),
    ((), ('do:reserve', 'el:tile-M13'), 'can be reserved; beside the mountains on -1,2 there is none'),
    ((), ('do:change', 'el:tile-M08'), 'no reservation to change'),
    ((), ('do:reserve', 'el:tile-F06'), 'can be reserved; beside the forests on 1,2 there is none'),
    ((), ('el:display-M06',), 'are added when a turn ends'),
    ((), ('el:place-2_1',), 'when your turn ends'),
    ((), ('el:nothing',), 'Choose a tile'),
    (('terraform 1,1',), ('el:face-F07',), 'how the missing element is paid'),
    (('reserve 0,-1',), ('do:done',), 'Put a cube on the tile'),
    (ADDING, ('el:place-2_1',), 'Pick a tile of the display first'),
    (ADDING, ('el:display-W12',), 'now choose a dashed place'),
    (ADDING, ('el:display-W12', 'el:place-4_m1'), '(b)'),
    (ADDING, ('el:display-W12', 'el:place-m2_3'), '(a)'),
    (ADDING, ('el:tile-F07-add',), 'Pick a tile of the display'),
)


@pytest.mark.parametrize(('steps', 'targets', 'part'), WHY, ids=str)
def test_a_misplaced_click_is_answered(steps: tuple[str, ...], targets: tuple[str, ...], part: str) -> None:
    answer = MYRACLIA.why_not(moment(*steps).view(), targets)
    assert part in answer, answer


def test_the_compact_form_is_explained_by_the_neighbour_that_breaks_it() -> None:
    answers = 0
    for view in some_of(4, 2, 9):
        s = view.state
        if s.phase != Phase.PLACE or s.ending:
            continue
        shown = next(int(tile) for tile in s.display if tile != NONE)
        for name, element in by_id(page(view)).items():
            if not name.startswith('place-') or 'target' in classes(element):
                continue
            answer, cell = (
                MYRACLIA.why_not(view, (f'el:{facts.display_id(shown)}', f'el:{name}')),
                facts.cells_by_id()[name],
            )
            if R.n_neighbours(s, cell) < 2:
                assert answer.endswith('(a).')
                continue
            told = re.search(r'but beside the [a-z ]+ on (\S+) there are (\d)', answer)
            assert told
            assert R.n_neighbours(s, cell_from_name(told[1])) == int(told[2]) < 3
            answers += 1
    assert answers > 5


def test_a_click_is_answered_by_what_is_missing() -> None:
    assert 'more for what stays missing' in MYRACLIA.why_not(
        moment(scores=[0, 0, 0]).view(), ('do:reserve', 'el:tile-M08')
    )
    assert 'none of the cubes that are needed for the mountains' in MYRACLIA.why_not(
        moment(pool={'white': 2}, budget=2).view(), ('do:reserve', 'el:tile-M08')
    )
    assert 'no cube of your own' in MYRACLIA.why_not(moment(budget=0).view(), ('el:tile-F01',))
    assert 'takes 2 cubes, and you may use 1' in MYRACLIA.why_not(moment(budget=1).view(), ('el:tile-F01',))
    assert 'three actions' in MYRACLIA.why_not(
        moment(actions=3, terraformed=1, add=1).view(), ('el:tile-F01-4',)
    )
    assert 'turn of Blue' in MYRACLIA.why_not(moment().view(1), ('el:tile-F01',))
    assert 'watching' in MYRACLIA.why_not(moment().view(-1), ('el:tile-F01',))
    over = game_of(2, 2)[-1][2]
    assert 'over' in MYRACLIA.why_not(over.view(0), ('el:tile-F01',))


def test_the_map_in_characters() -> None:
    rows = str(MYRACLIA.text(moment().view())).split('\n')
    at = {
        cell: (row, rows[row].index(cell)) for row in range(4) for cell in re.findall(r'[A-Z]\d\d', rows[row])
    }
    surface = {entry['tile']: entry['at'] for entry in MOMENT['surface']}
    assert at.keys() == surface.keys()
    for name, (q, r) in surface.items():
        assert at[name][0] == r + 1
        assert at[name][1] - at['F07'][1] == 4 * (2 * q + r)
    assert 'F07[B]' in rows[1]
    assert 'W05[R]' in rows[1]
    assert 'P09r[R]' in rows[0]
    assert 'P10[' not in rows[1]


def test_the_words_name_everything() -> None:
    for view in some_of(5, 3, 47, True):
        s, text = view.state, MYRACLIA.text(view)
        for seat in range(5):
            word = player_word(seat)
            assert f'{word} ({word[0]}): {facts.points_words(int(s.points[seat]))}' in text
        for tile in facts.on_surface(s):
            assert C.TILES[tile] in text
            if s.owner[tile] == NONE:
                assert facts.tile_words(s, tile) in text
        assert f'In the bag: {facts.heap_words(facts.heap(s.bag))}.' in text
