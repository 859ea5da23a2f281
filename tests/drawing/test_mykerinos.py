"""The drawing of Mykerinos: what can be clicked, that what is seen is the state, rankings, exhibition,
legibility, what is said."""

from __future__ import annotations

import gzip
import itertools
import math
import random
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from ludoteca.drawing import lettering
from ludoteca.drawing.cards import letters_width
from ludoteca.drawing.palette import Tint, value
from ludoteca.game import COLOURS, Card, Event, Position, View, ViewSettings, load, position, start
from ludoteca.games.mykerinos import components as C
from ludoteca.games.mykerinos import rules as R
from ludoteca.games.mykerinos.rules import LYING, NEUTRAL, NOBODY, Phase
from ludoteca.games.mykerinos.view import cards, facts, museum, symbols
from ludoteca.games.mykerinos.view.events import MARKED
from ludoteca.kernel import compiled
from tests.width import width

pytestmark = pytest.mark.skipif(not compiled, reason='what is drawn does not depend on the mode')

MYKERINOS: Any = load('mykerinos')
SVG = '{http://www.w3.org/2000/svg}'
PHONE, PHONE_CARD = 390, 344  # pixels that the board and a card get on a phone
# the second season; Green may dig, and has tiles of four patrons, one of them used
MOMENT: dict[str, Any] = {
    'game': 'mykerinos',
    'players': 4,
    'to_move': 3,
    'season': 2,
    'turn': 60,
    'first': 1,
    'wings': ['tangerine', 'violet', 'brown', 'lemon', 'blackmore'],
    'tiles': [
        'brown-5',
        'violet-3',
        'tangerine-6 turned',
        'lemon-2',
        'blackmore-7 turned',
        'tangerine-3',
        'violet-4',
        'blackmore-2 turned',
    ],
    'held': [
        [],
        ['lemon-1'],
        ['violet-2', 'tangerine-1'],
        ['brown-2', 'brown-1', 'lemon-3', 'tangerine-2', 'blackmore-1'],
    ],
    'tilted': [{}, {}, {}, {'brown': 1, 'lemon': 1}],
    'cubes': {
        'c1': 0,
        'd1': 0,
        'd2': 0,
        'e1': 2,
        'e2': 1,
        'f2': 1,
        'g1': 0,
        'g3': 3,
        'h3': 3,
        'h2': 2,
        'f5': 3,
        'f4': 3,
    },
    'museum': {'2-violet-brown': 0, '3-lemon': 3, '5-lemon': 3},
    'stock': [3, 4, 4, 5],
}


def moment(*steps: str, **changes: Any) -> Position:
    return position({**MOMENT, **changes}).after(' '.join(steps))


@cache
def game_of(players: int, seed: int) -> tuple[tuple[Position, int, Position], ...]:
    """A random game in which nobody hurries to pass: for each action the position before it, the action, the
    position after it."""
    chance, steps = random.Random(seed), []
    found = Position(MYKERINOS, start(MYKERINOS, players, seed))
    while not found.over:
        before, actions = found.copy(), found.actions()
        action = chance.choice(actions)
        if action == R.PASS and chance.random() < 0.85:
            action = chance.choice(actions)
        found.apply(action)
        steps.append((before, action, found.copy()))
    return tuple(steps)


def some_of(players: int, seed: int, step: int) -> Iterator[View]:
    """Views of some positions of a game by whoever is to move, each with what happened last; all its phases
    are among them."""
    last: tuple[Event, ...] = ()
    seen = set[int]()
    for k, (before, action, after) in enumerate(game_of(players, seed)):
        if k % step == 0 or int(before.state.phase) not in seen:
            seen.add(int(before.state.phase))
            yield before.view(last=last)
        last = MYKERINOS.events(before.hidden(-1), action, after.hidden(-1))
    yield game_of(players, seed)[-1][2].view(0, last)


def page(view: View) -> str:
    return str(MYKERINOS.draw(view, 'page'))


def by_id(text: str) -> dict[str, ElementTree.Element]:
    """The elements of a drawing by their ids, which are unique."""
    elements = [element for element in ElementTree.fromstring(text).iter() if element.get('id')]
    found = {str(element.get('id')): element for element in elements}
    assert len(found) == len(elements)
    return found


def card_of(view: View, name: str) -> Card:
    cards: tuple[Card, ...] = MYKERINOS.cards(view)
    return next(card for card in cards if card.id == name)


def all_ids(view: View) -> dict[str, ElementTree.Element]:
    """The elements of the drawing and of the cards by their ids."""
    found = by_id(page(view))
    for card in MYKERINOS.cards(view):
        more = by_id(str(card.drawing).replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ', 1))
        assert not more.keys() & found.keys()
        found |= more
    return found


def placed(text: str, symbol: str) -> list[tuple[float, float]]:
    """Where copies of a definition stand."""
    pattern = rf'<use href="#mykerinos-{symbol}" transform="translate\(([-\d.]+) ([-\d.]+)\)"'
    return [(float(x), float(y)) for x, y in re.findall(pattern, text)]


def placed_anywhere(text: str, symbol: str) -> list[tuple[float, float]]:
    """Where copies of a definition stand, of any size."""
    pattern = rf'<use href="#mykerinos-{symbol}" transform="translate\(([-\d.]+) ([-\d.]+)\)'
    return [(float(x), float(y)) for x, y in re.findall(pattern, text)]


def near(found: list[tuple[float, float]], expected: list[tuple[float, float]]) -> bool:
    return sorted((round(x, 1), round(y, 1)) for x, y in found) == sorted(
        (round(x, 1), round(y, 1)) for x, y in expected
    )


# ---- what can be clicked -----------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4])
def test_all_that_can_be_clicked_is_there(players: int) -> None:
    defined = set(by_id(f'<svg>{MYKERINOS.symbols().defs}</svg>'))
    phases = set()
    for view in some_of(players, players, 9):
        phases.add(int(view.state.phase))
        elements = all_ids(view)
        assert not elements.keys() & defined
        buttons = {f'do:{button.id}' for button in MYKERINOS.prompt(view).buttons}
        used = set()
        for action in view.actions:
            for target in MYKERINOS.targets(view.state, action):
                assert target.id in buttons or target.id.removeprefix('el:') in elements, target.id
                used.add(target.id)
                if target.id.startswith('el:'):
                    element = elements[target.id[3:]]
                    assert 'target' in str(element.get('class')).split()
                    assert element.get('role') == 'button'
                    assert element.get('aria-label')
                    assert element.find(".//*[@class='hit']") is not None
                    assert element.find(".//*[@class='focus']") is not None
                if target.ghost:
                    assert target.ghost.symbol in defined
        assert buttons == {target for target in used if target.startswith('do:')}, (
            'a button that does nothing'
        )
        for name, element in elements.items():
            if name.startswith('cube-'):
                assert element.get('transform') is None, 'the page moves this group'
                assert 'piece' in str(element.get('class')).split()
    assert phases >= {Phase.EXCAVATE, Phase.DIG, Phase.CLAIM} | (
        {Phase.NEUTRAL, Phase.REMOVE} if players == 2 else set()
    )


def test_no_two_actions_are_chosen_by_the_same_clicks() -> None:
    for players in (2, 4):
        for view in some_of(players, players, 7):
            lists = [
                tuple(target.id for target in MYKERINOS.targets(view.state, action))
                for action in view.actions
            ]
            assert len(set(lists)) == len(lists)


def test_a_click_on_a_cube_begins_an_extension_from_it() -> None:
    """Exactly on the cubes beside which the first cube of an extension may go."""
    elements = by_id(page(moment().view()))
    marked = {name for name, element in elements.items() if element.get('data-target') == 'do:extend'}
    assert marked == {'space-f4', 'space-f5', 'space-g3', 'space-h3'}
    assert not any('data-target' in element.attrib for element in by_id(page(moment().view(0))).values())
    poor = by_id(page(moment(stock=[3, 4, 4, 1]).view()))
    assert not any('data-target' in element.attrib for element in poor.values())


def test_a_tile_can_be_taken_by_a_click_anywhere_on_it() -> None:
    views = [view for view in some_of(4, 4, 3) if facts.choices_of(view.state, view.actions).tiles]
    assert len(views) > 5
    for view in views:
        elements, s = by_id(page(view)), view.state
        layout = symbols.LAYOUTS[facts.rows_of(s)]
        for tile in facts.choices_of(s, view.actions).tiles:
            hit = elements[facts.tile_id(tile)].find(".//*[@class='hit']")
            assert hit is not None
            x, y = layout.corner(2 * int(s.area) + facts.tiles_in(s, int(s.area)).index(tile))
            expected = {'x': x, 'y': y, 'width': symbols.TILE_WIDTH, 'height': symbols.TILE_HEIGHT}
            assert {key: float(hit.get(key, '')) for key in expected} == pytest.approx(expected)


def test_spaces_of_a_draft_are_numbered_and_the_next_ones_marked() -> None:
    found = moment('tangerine', 'g5')
    text = page(found.view())
    assert re.findall(r'font-weight="800"[^>]*>(\d)</text></g>', text).count('1') == 1
    marks = {
        name
        for name, element in by_id(text).items()
        if name.startswith('space-') and element.find(".//*[@class='mark']") is not None
    }
    assert marks == {f'space-{name}' for name in found.legal()}
    quiet = found.view()
    quiet = View(quiet.state, quiet.seat, quiet.actions, settings=ViewSettings(marks=False))
    assert 'class="mark"' not in page(quiet)


def test_the_only_action_left_is_shown_by_the_drawing() -> None:
    found = moment()
    view = found.view()
    layout = symbols.LAYOUTS[2]
    action = MYKERINOS.action_from_name(found.state, 'start a4')
    text = page(View(view.state, view.seat, (action,)))
    assert near(placed(text, 'ghost-green'), [layout.stand(C.SPACES.index('a4'))])
    assert not placed(page(view), 'ghost-green')


# ---- the picture says what the state says ------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 4])
def test_cubes_pyramids_and_tiles_lie_where_the_state_says(players: int) -> None:
    for view in some_of(players, 7, 11):
        s, text = view.state, page(view)
        if s.ending:
            continue
        layout, elements = symbols.LAYOUTS[facts.rows_of(s)], by_id(text)
        cubes, pyramids = facts.cubes_of(s), facts.pyramids_of(s)
        assert {name for name in elements if name.startswith('cube-')} == {
            facts.cube_id(space) for space in cubes
        }
        assert sum(R.cubes_in(s, who, area) for who in range(5) for area in facts.areas_of(s)) == len(cubes)
        for who, colour in enumerate((*COLOURS[:4], 'neutral')):
            spots = [
                (x, y - (9 if space in pyramids else 0))
                for space in cubes
                if cubes[space] == who
                for x, y in [layout.stand(space)]
            ]
            assert near(placed(text, f'cube-{colour}'), spots)
        for area in facts.areas_of(s):
            for k, tile in enumerate(facts.tiles_in(s, area)):
                assert facts.tile_id(tile) in elements
                drawn = near(
                    [
                        spot
                        for spot in placed(text, symbols.cartouche_name(tile).removeprefix('mykerinos-'))
                        if near([spot], [layout.heart(2 * area + k)])
                    ],
                    [layout.heart(2 * area + k)],
                )
                assert drawn == (s.owner[tile] == LYING)
        shown = [
            space
            for space in pyramids
            if s.owner[facts.tiles_in(s, C.AREA_OF[space])[space % 4 // 2]] <= LYING
        ]
        assert len(placed(text, 'pyramid')) >= len(shown)


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_ranking_over_an_area_is_that_of_a_survey(players: int) -> None:
    seen = 0
    for view in some_of(players, 21, 5):
        s = view.state
        if s.ending or facts.surveying(s):
            continue
        for area in facts.areas_of(s):
            trial = s.copy()
            trial.area = area
            R.rank_area(trial)
            expected = [int(who) for who in trial.rank[: trial.n_ranked]]
            assert [who for who, _ in facts.ranking(s, area)] == expected
            assert all(n == R.cubes_in(s, who, area) for who, n in facts.ranking(s, area))
            seen += len(expected)
    assert seen > 40


def test_the_ranking_is_written_over_the_area() -> None:
    """Blue, who has passed, is before Yellow, who has as many cubes."""
    text = page(moment(scale=[2], cubes={'a4': 2, 'b4': 0, 'c4': 1, 'd4': 1}).view())
    plaque = re.search(r'>C</text>(.*?)</g></g>', text)
    assert plaque
    fills = [
        fill
        for fill in re.findall(r'fill="(#[0-9a-f]{6})"', plaque[0])
        if fill in {paint.base for paint in symbols.PAINTS.values()}
    ]
    assert fills == [symbols.PAINTS[colour].base for colour in ('red', 'yellow', 'blue')]
    assert re.findall(r'>(\d)</text>', plaque[0]) == ['2', '1', '1']


def test_in_a_survey_done_areas_are_sand_and_say_who_took_what() -> None:
    views = [view for view in some_of(4, 4, 1) if facts.surveying(view.state) and view.state.area]
    taken = 0
    for view in views[::9]:
        s, text, elements = view.state, page(view), by_id(page(view))
        assert len(placed(text, 'bed')) == s.area
        assert len(placed(text, 'slab-tile')) == 2 * (len(facts.areas_of(s)) - s.area)
        for area in facts.areas_of(s):
            for tile in facts.tiles_in(s, area):
                if s.owner[tile] < LYING:
                    label = elements[facts.tile_id(tile)].find(f'{SVG}g')
                    assert label is not None
                    owner = MYKERINOS.words(f'colour.{COLOURS[s.owner[tile]]}')
                    assert str(label.get('aria-label')).endswith(f'taken by {owner}')
                    taken += 1
    assert taken > 10


def test_the_claim_of_a_survey_keeps_to_its_card() -> None:
    names = ('Robin', 'Wolkenstein-Trostberg the Second of Wien')
    kinds = set()
    for view in some_of(2, 4, 1):
        if not facts.surveying(view.state) or not view.actions:
            continue
        kinds.add(view.state.phase)
        named = replace(view, names=names)
        svg = next(card.drawing for card in MYKERINOS.cards(named) if card.id == 'survey')
        texts = re.findall(r'<text x="12" [^>]*>([^<]*)</text>', svg)
        assert ' '.join(texts) == facts.claim_words(named)
        for text in texts:
            assert lettering.width(text, 12.2, 800) < museum.CARD - 24
    assert Phase.REMOVE in kinds


@pytest.mark.parametrize('name', ['W' * 24, '東京' * 12])
def test_the_claim_of_a_survey_keeps_to_its_card_under_a_name_without_spaces(name: str) -> None:
    views = (view for view in some_of(2, 4, 1) if facts.surveying(view.state) and view.actions)
    named = replace(next(views), names=(name, name))
    texts = re.findall(r'<text x="12" [^>]*>([^<]*)</text>', card_of(named, 'survey').drawing)
    assert len(texts) > 1
    for text in texts:
        assert letters_width(text, 12.2) <= museum.CARD - 24


def test_the_last_cubes_are_framed_in_brass() -> None:
    before = moment(to_move=0)
    after = before.copy().after('start a4')
    events = MYKERINOS.events(
        before.hidden(-1), MYKERINOS.action_from_name(before.state, 'start a4'), after.hidden(-1)
    )
    assert page(after.view(1, events)).count('stroke="var(--last)"') == 1
    assert page(after.view(1)).count('stroke="var(--last)"') == 0


@pytest.mark.parametrize('players', [2, 4])
def test_the_headline_says_season_and_phase_in_every_season(players: int) -> None:
    seen = set()
    for view in some_of(players, 7, 11):
        s = view.state
        if s.ending:
            phase = MYKERINOS.words('board.exhibition')
        elif facts.surveying(s):
            phase = MYKERINOS.words('board.survey', area=C.AREAS[s.area])
        else:
            phase = MYKERINOS.words('board.excavation')
        text = page(view)
        assert MYKERINOS.words('board.season', season=int(s.season) + 1) in text
        assert f'>{phase}<' in text
        seen.add((int(s.season), bool(s.ending)))
    assert {(3, False), (3, True)} <= seen


def test_at_the_end_the_board_is_the_museum_with_its_exhibits() -> None:
    final = game_of(4, 7)[-1][2]
    text = page(final.view(0))
    for colour in COLOURS[:4]:
        shown = {(round(x + 1), round(y)) for x, y in placed_anywhere(text, f'cube-{colour}')}
        rooms = [room for room in range(C.N_ROOMS) if final.state.room[room] == COLOURS.index(colour)]
        assert shown == {tuple(map(round, museum.middle_of(room))) for room in rooms}


# ---- cards and panels --------------------------------------------------------------------------------------


def test_the_exhibition_is_that_of_the_rules() -> None:
    for players in (2, 4):
        for view in some_of(players, 5, 17):
            s = view.state
            for seat in range(players):
                show = facts.show_of(s, seat)
                assert show.total == R.exhibition(s, seat)
                assert show.times == tuple(R.multiplier(s, seat, patron) for patron in range(C.N_PATRONS))
            drawing = str(card_of(view, 'exhibition').drawing)
            for seat in range(players):
                total = facts.show_of(s, seat).total
                before = int(s.points[seat]) - (total if s.ending else 0)
                assert re.search(rf'>{before}( now)? \+ {total} = {before + total}[ <]', drawing)


def test_at_the_end_the_winner_stands_first() -> None:
    over = game_of(4, 4)[-1][2]
    out = over.outcome()
    first = re.search(r'>(Blue|Red|Yellow|Green)</text>', str(card_of(over.view(2), 'exhibition').drawing))
    assert first
    assert first[1] == MYKERINOS.words(f'colour.{COLOURS[out.index(max(out))]}')
    assert [seat for seat, share in enumerate(out) if share] == facts.winners_of(over.state)
    assert first[1] in MYKERINOS.prompt(over.view(2)).text


def test_cards_begin_with_the_viewer() -> None:
    found = moment()
    for seat in range(4):
        first = re.search(
            r'>(Blue|Red|Yellow|Green)</text>', str(card_of(found.view(seat), 'exhibition').drawing)
        )
        assert first
        assert first[1] == MYKERINOS.words(f'colour.{COLOURS[seat]}')
    assert 'patrons' not in [card.id for card in MYKERINOS.cards(found.view(-1))]


def test_patrons_that_were_used_are_tilted_and_cannot_be_clicked() -> None:
    elements = all_ids(moment().view())
    for patron, usable in (('brown', True), ('lemon', False), ('tangerine', True), ('blackmore', True)):
        element = elements[f'patron-{patron}']
        assert ('target' in str(element.get('class')).split()) == usable
    assert 'patron-violet' not in elements
    tilted = {
        name
        for name, element in elements.items()
        if name.startswith('patron-')
        and any('rotate(4)' in str(part.get('transform')) for part in element.iter())
    }
    assert tilted == {'patron-lemon', 'patron-brown'}  # of Sir Brown's two tiles the one behind
    assert '1 of 2 left' in str(elements['patron-brown'].get('aria-label'))


def test_a_tilted_tile_stays_in_its_card() -> None:
    x, y = cards.TILE_WIDTH / 2, cards.TILE_HEIGHT / 2
    turn = math.radians(cards.TILT)
    half_width = x * math.cos(turn) + y * math.sin(turn)
    assert half_width + 2 * 1.2 <= cards.PITCH / 2
    assert x * math.sin(turn) + y * math.cos(turn) + 2 * 2.5 <= 53


@pytest.mark.parametrize('theme', ['light', 'dark'])
def test_the_museum_has_the_tones_of_the_theme(theme: Tint) -> None:
    def lightness(token: str) -> float:
        return sum(int(value(token, theme)[k : k + 2], 16) for k in (1, 3, 5)) / 765

    ground = lightness('surface')
    for token in ('plan', 'plan-hall', 'plan-2', 'plan-3', 'plan-5'):
        assert abs(lightness(token) - ground) < 0.3, token
        assert abs(lightness(token) - lightness('plan-line')) > 0.3, token


def test_the_museum_shows_who_has_which_room() -> None:
    found = moment('brown')
    view = found.view()
    s, elements = view.state, all_ids(view)
    rooms = {facts.room_id(s, room): room for room in range(C.N_ROOMS)}
    assert rooms.keys() <= elements.keys()
    for name, room in rooms.items():
        owner = int(s.room[room])
        label = str(elements[name].get('aria-label'))
        assert (owner == NOBODY) == ('cube' not in label)
        assert ('target' in str(elements[name].get('class'))) == (name.removeprefix('room-') in found.legal())
    drawing = str(card_of(view, 'museum').drawing)
    assert drawing.count('#mykerinos-cube-green') == 2
    assert drawing.count('#mykerinos-cube-blue') == 1
    assert MYKERINOS.cards(view)[0].id == 'museum', 'where the room is chosen comes first'


def test_every_door_of_the_plan_is_one_of_the_rules() -> None:
    """Rooms with a door between them share a wall: their middles are nearer than those of others."""

    def apart(a: int, b: int) -> float:
        (x, y), (u, v) = museum.middle_of(a), museum.middle_of(b)
        return math.hypot(x - u, y - v)

    doors = max(apart(a, b) for a, b in C.DOORS[0])
    others = [
        apart(a, b)
        for a, b in itertools.combinations(range(C.N_ROOMS), 2)
        if (a, b) not in C.DOORS[0] and C.ROOM_POINTS[a] != 3 and C.ROOM_POINTS[b] != 3
    ]
    assert doors < min(others)
    for five_door in range(2):  # and one to the hall for each wing
        shapes = symbols.symbol_set().needed(museum.plan(five_door))
        assert shapes.count('stroke-width="6"') == len(C.DOORS[five_door]) + C.N_WINGS


def test_the_doors_of_the_five_rooms_are_marked_as_reconstructed() -> None:
    for five_door in range(2):
        drawing = str(card_of(moment(options={'five_door': C.FIVE_DOOR[five_door]}).view(), 'museum').drawing)
        shapes = symbols.symbol_set().needed(drawing)
        assert shapes.count('class="reconstructed"') == sum(a in C.FIVES for a, _ in C.DOORS[five_door])
        labels = re.findall(r'aria-label="(\d room of [^"]+)"', drawing)
        assert len(labels) == C.N_ROOMS
        assert all(('reconstructed' in label) == label.startswith('5') for label in labels)
    assert 'reconstructed' in card_of(moment().view(), 'museum').note


def test_rooms_can_be_hit_with_a_finger() -> None:
    scale = PHONE_CARD / museum.CARD
    assert min(museum.DEPTH, 2 * museum.HALF, 2 * museum.ROTUNDA) * scale >= 40


def test_the_passing_scale_shows_the_disks() -> None:
    drawing = str(card_of(moment(scale=[2, 0]).view(), 'scale').drawing)
    assert re.findall(r'aria-label="Space (\d: \w+)"', drawing) == ['1: Yellow', '2: Blue']
    two = str(card_of(game_of(2, 2)[0][0].view(), 'scale').drawing)
    assert re.findall(r'aria-label="Space (\d: \w+)"', two) == ['2: Neutral']


@pytest.mark.parametrize('players', [2, 4])
def test_panels_say_what_everybody_has(players: int) -> None:
    for view in some_of(players, 9, 19):
        s = view.state
        for panel in MYKERINOS.panels(view):
            points, *has = panel.rows
            drawing = ''.join(row.drawing for row in has)
            seat = panel.seat
            assert points.value == str(s.points[seat])
            numbers = [
                int(s.stock[seat]),
                int(s.reserve[seat]),
                *([int(s.neutral_stock[seat])] if players == 2 else []),
            ]
            assert re.findall(r'>(\d+)</text>', drawing) == list(map(str, numbers))
            assert drawing.count('#mykerinos-medal') == s.held[seat].sum()
            assert drawing.count('rotate(') == s.used[seat].sum()
            assert f'{s.stock[seat]} in stock' in drawing
            assert ('passed' in panel.side) == (seat in facts.scale_of(s))


def test_tiles_to_come_are_counted_by_patron() -> None:
    for view in some_of(4, 9, 31):
        unseen = facts.unseen_of(view.state)
        if not unseen or view.state.ending:
            assert 'unseen' not in [card.id for card in MYKERINOS.cards(view)]
            continue
        labels = re.findall(r'aria-label="(\d) of', str(card_of(view, 'unseen').drawing))
        assert [int(n) for n in labels] == [
            sum(C.PATRON_OF[tile] == kind for tile in unseen) for kind in range(6)
        ]


def test_nothing_shown_depends_on_what_comes_later() -> None:
    """Another guess at the undealt tiles gives the same outputs, byte for byte."""

    def outputs(view: View) -> str:
        return '\n'.join(
            (
                page(view),
                MYKERINOS.text(view),
                str(MYKERINOS.prompt(view)),
                str(MYKERINOS.panels(view)),
                str(MYKERINOS.cards(view)),
            )
        )

    work = R.Work.new()
    for view in some_of(3, 12, 23):
        other = view.state.copy()
        MYKERINOS.kernels.guess(other, view.seat, 5, work)
        MYKERINOS.kernels.hide(other, view.seat)
        assert outputs(View(other, view.seat, view.actions, last=view.last)) == outputs(view)


# ---- size and legibility -----------------------------------------------------------------------------------


def test_what_matters_can_be_read_on_a_phone() -> None:
    """A capital digit of a system font is at least 70 % of its size."""
    scale = PHONE / symbols.LAYOUTS[3].box[2]
    assert 0.7 * symbols.POINTS_SIZE * scale >= 8
    text = page(
        next(
            before
            for before, _, _ in game_of(4, 4)
            if before.state.season == 3 and before.state.turn % 9 == 8
        ).view()
    )
    sizes = [
        float(element.get('font-size', 0))
        for element in ElementTree.fromstring(text).iter(f'{SVG}text')
        if element.get('class') != 'coordinate' and str(element.text).isdigit()
    ]
    assert sizes
    assert min(sizes) * 0.7 * scale >= 8
    letters = [
        float(element.get('font-size', 0))
        for element in ElementTree.fromstring(text).iter(f'{SVG}text')
        if str(element.text) in C.AREAS and element.get('class') != 'coordinate'
    ]
    assert min(letters) * scale >= 11
    assert symbols.SPACE * scale >= 37  # a space under a finger


def test_drawings_keep_the_budget() -> None:
    """The largest message of a game of four: the last season, full of cubes, a choice of all spaces; and the
    time that it takes."""
    largest = max(
        (before.view() for before, _, _ in game_of(4, 4) if before.state.season == 3),
        key=lambda view: len(page(view)),
    )
    everything = (
        page(largest)
        + ''.join(str(card.drawing) for card in MYKERINOS.cards(largest))
        + str(MYKERINOS.panels(largest))
    )
    assert len(gzip.compress(everything.encode())) < 20_000
    assert len(gzip.compress(MYKERINOS.symbols().defs.encode())) < 20_000

    def seconds(what: Any) -> float:
        begun = time.process_time()
        what(largest)
        return time.process_time() - begun

    assert min(seconds(page) for _ in range(5)) < 0.03
    assert min(seconds(MYKERINOS.cards) for _ in range(5)) < 0.03


def test_a_drawing_is_a_picture_for_any_renderer() -> None:
    renderer = pytest.importorskip('resvg_py')
    for theme, view in (('light', moment('tangerine').view()), ('dark', game_of(4, 4)[-1][2].view(0))):
        text = MYKERINOS.draw(view, theme)
        assert 'var(' not in text
        assert bytes(renderer.svg_to_bytes(svg_string=text, width=400)).startswith(b'\x89PNG')
        assert 'var(' not in MYKERINOS.emblem(theme)
        assert 'var(' not in MYKERINOS.figure('tiles', theme)
    assert 'var(' not in MYKERINOS.badge()
    assert re.search(r'width="320" height="300"', MYKERINOS.emblem('light', 320))


# ---- events ------------------------------------------------------------------------------------------------


def did(found: Position, name: str) -> list[str]:
    """The kinds of events when a step is played."""
    before, action = found.hidden(-1), MYKERINOS.action_from_name(found.state, name)
    found.apply(action)
    return [event.kind for event in MYKERINOS.events(before, action, found.hidden(-1))]


def test_a_turn_is_told_step_by_step() -> None:
    found = moment()
    assert [kind for name in ('tangerine', 'g5', 'h5') for kind in did(found, name)] == [
        'tangerine',
        'cube',
        'cube',
    ]
    found = moment()
    assert [kind for name in ('brown', '3-violet') for kind in did(found, name)] == ['brown', 'room']
    found = moment()
    assert [kind for name in ('extend g5', 'h5') for kind in did(found, name)] == ['extend', 'cube']
    assert did(moment(), 'pass') == ['pass']


@pytest.mark.parametrize('players', [2, 3, 4])
def test_events_tell_all_that_changes(players: int) -> None:
    """From the events alone: every cube that is laid, every tile that goes to somebody or leaves, every area,
    every season."""
    laid: dict[str, int] = {}
    took, gone, areas, seasons, income = 0, 0, 0, 0, 0
    for before, action, after in game_of(players, 31):
        for event in MYKERINOS.events(before.hidden(-1), action, after.hidden(-1)):
            laid[event.kind] = laid.get(event.kind, 0) + 1
            if event.kind in MARKED and event.piece:
                assert event.elements == (event.piece,) == (f'cube-{event.values["space"]}',)
                space = C.SPACES.index(str(event.values['space']))
                if (
                    after.state.season == before.state.season
                    and not facts.surveying(after.state)
                    and not after.over
                ):
                    assert facts.cubes_of(after.state)[space] == (
                        NEUTRAL if event.kind.startswith('neutral') else event.seat
                    )
                    assert event.way[-1] == pytest.approx(
                        symbols.LAYOUTS[facts.rows_of(before.state)].stand(space), abs=0.1
                    )
            took += event.kind in ('take', 'take_plain')
            gone += int(event.values['n']) if event.kind == 'left' else event.kind == 'removes'
            areas += event.kind.startswith('cleared')
            seasons += event.kind == 'season'
            income += (
                int(event.values['n']) * (players if event.kind == 'income_all' else 1)
                if event.kind.startswith('income')
                else 0
            )
    over = game_of(players, 31)[-1][2].state
    assert took == over.held.sum()
    assert took + gone == C.N_TILES
    assert areas == sum(C.TILES_OF_SEASON) // 2
    assert seasons == C.N_SEASONS - 1
    assert laid['survey'] == C.N_SEASONS
    assert laid['show'] == players
    spent = sum(laid.get(kind, 0) for kind in ('start', 'extend', 'cube', 'room')) - laid.get('violet', 0)
    assert income + players * C.INCOME[players] == spent + over.stock[:players].sum()


def test_a_season_that_is_dealt_turns_its_tiles_in() -> None:
    before, action, after = next(
        step for step in game_of(3, 31) if step[2].state.season > step[0].state.season
    )
    events = {event.kind: event for event in MYKERINOS.events(before.hidden(-1), action, after.hidden(-1))}
    elements = by_id(page(after.view()))
    assert len(events['season'].elements) == C.TILES_OF_SEASON[1]
    assert all('role' not in elements[name].attrib for name in events['season'].elements), (
        'a place does not turn in'
    )
    assert events['first'].seat == after.state.first


def panel_ids(view: View, seat: int) -> set[str]:
    """The ids in the panel of a seat."""
    return set(
        re.findall(r' id="([^"]+)"', ''.join(row.drawing for row in MYKERINOS.panels(view)[seat].rows))
    )


@pytest.mark.parametrize('players', width([2], [2, 3, 4]))
def test_taken_tiles_fly_to_their_owners_and_cubes_to_the_museum(players: int) -> None:
    """Whoever looks: what flies is in the picture before, its goal, which is new, in the one after."""
    done: dict[str, int] = {}
    for before, action, after in game_of(players, 5):
        for event in MYKERINOS.events(before.hidden(-1), action, after.hidden(-1)):
            done[event.kind] = done.get(event.kind, 0) + 1
            flies = event.kind in ('take', 'take_plain', 'museum', 'room')
            assert len(event.flights) == flies
            for (begin, end), viewer in itertools.product(event.flights, range(-1, players)):
                old, new = before.view(viewer), after.view(viewer)
                if event.kind.startswith('take'):
                    assert begin in by_id(page(old))
                    assert begin not in by_id(page(new))
                    assert end in panel_ids(new, event.seat) - panel_ids(old, event.seat)
                else:
                    assert begin in panel_ids(old, event.seat)
                    assert begin.startswith('reserve' if event.kind == 'museum' else 'stock')
                    assert end in all_ids(new).keys() - all_ids(old).keys()
    assert {'take', 'take_plain', 'museum', 'room'} <= done.keys()
    assert players > 2 or done['removes']


# ---- what is said ------------------------------------------------------------------------------------------


def test_prompts_say_what_to_do() -> None:
    def says(found: Position, key: str, **facts: int) -> bool:
        meant: str = MYKERINOS.words(f'prompt.{key}', player='Green', **facts)
        return str(MYKERINOS.prompt(found.view()).text) == meant

    assert says(moment(), 'dig_extend_patron')
    assert says(moment('tangerine', 'g5'), 'next', n=2, of=3)
    assert says(moment(scale=[2, 0, 1]), 'last')
    assert says(moment(stock=[3, 4, 4, 0], held=[[], [], [], []], tilted=[{}] * 4, season=1), 'pass')
    assert [button.key for button in MYKERINOS.prompt(moment().view()).buttons] == ['e', 'p']
    assert MYKERINOS.prompt(moment().view(0)).buttons == ()


def test_nothing_is_offered_that_does_not_exist_yet() -> None:
    """Who has no cube in the region cannot extend, who has no tile cannot ask a patron: neither is spoken
    of."""
    seen = set()
    for seed in range(3):
        found = Position(MYKERINOS, start(MYKERINOS, players=3, seed=seed))
        for k in range(60):
            if found.state.ending:
                break
            view = found.view()
            choices, prompt = facts.choices_of(view.state, view.actions), MYKERINOS.prompt(view)
            if choices.starts and view.state.phase == Phase.EXCAVATE and not view.state.last:
                words = f'{prompt.text} {prompt.help}'
                assert ('extend' in words) == bool(choices.extends), words
                assert ('patron' in words) == bool(choices.patrons), words
                seen.add((bool(choices.extends), bool(choices.patrons)))
            legal = found.legal()
            found.play(legal[(7 * k + 3 * seed) % len(legal)])
    assert {(False, False), (True, False)} <= seen


WHY = (
    ((), ('el:space-f1',), 'A pyramid stands on f1; only Lord Lemon'),
    ((), ('el:cube-e2',), 'On e2 there is a cube of Red'),
    ((), ('do:extend', 'el:space-a4'), 'The space a4 is not next to an excavation'),
    ((), ('el:room-2-lemon-blackmore',), 'Sir Brown’s help'),
    ((), ('el:tile-brown-5',), 'Tiles are taken in the survey'),
    ((), ('el:patron-lemon',), 'Lord Lemon has helped you'),
    ((), ('el:patron-violet',), 'You have no tile of Lady Violet'),
    ((), ('el:nothing',), 'Choose an empty space'),
    (('tangerine', 'g5'), ('el:space-a1',), 'The space a1 is not next to g5'),
    (('tangerine', 'g5'), ('el:patron-brown',), 'Only one patron helps'),
    (('extend g5',), ('el:patron-brown',), 'before the first cube'),
    (('tangerine', 'g5'), ('do:pass',), 'before you pass'),
    (('brown',), ('el:room-3-lemon',), 'there is a cube of Green already'),
    (('brown',), ('el:room-5-violet',), 'a cube of yours in a room beside it'),
    (('brown',), ('el:space-a4',), 'Choose an empty room'),
)


@pytest.mark.parametrize(('steps', 'targets', 'part'), WHY, ids=str)
def test_a_misplaced_click_is_answered(steps: tuple[str, ...], targets: tuple[str, ...], part: str) -> None:
    answer = MYKERINOS.why_not(moment(*steps).view(), targets)
    assert part in answer, answer


def test_a_click_is_answered_by_what_is_missing() -> None:
    poor = moment(stock=[3, 4, 4, 1])
    assert 'needs two cubes' in MYKERINOS.why_not(poor.view(), ('do:extend',))
    assert 'needs two cubes' in MYKERINOS.why_not(poor.view(), ('el:space-f5',))
    assert 'at least' in MYKERINOS.why_not(poor.view(), ('el:patron-tangerine',))
    none = moment(stock=[3, 4, 4, 0])
    assert 'you must pass' in MYKERINOS.why_not(none.view(), ('el:space-a4',))
    helped = replace(none.view(), actions=(R.APPEAL + C.VIOLET, R.PASS))
    assert 'ask a patron, or pass' in MYKERINOS.why_not(helped, ('el:space-a4',))
    three = moment('brown', options={'five_door': 'three'})
    assert 'in the 3 room of its wing' in MYKERINOS.why_not(three.view(), ('el:room-5-violet',))
    assert 'turn of Green' in MYKERINOS.why_not(moment().view(0), ('el:space-a4',))
    assert 'watching' in MYKERINOS.why_not(moment().view(-1), ('el:space-a4',))


def test_a_tile_without_a_patron_begins_a_sentence_like_any_other() -> None:
    s = next(view.state for view in some_of(4, 4, 1) if facts.surveying(view.state)).copy()
    blank = C.PATRON_OF.index(C.BLANK)
    s.owner[blank] = R.GONE
    answer = MYKERINOS.why_not(View(s, int(s.to_move), (R.NOTHING,)), (f'el:{facts.tile_id(blank)}',))
    assert answer == 'The tile without a patron (5 points) is out of the game.'


def test_in_a_survey_clicks_are_answered() -> None:
    answers = set()
    for view in some_of(4, 4, 1):
        s = view.state
        if facts.surveying(s) and view.actions:
            for tile in range(C.N_TILES):
                if s.owner[tile] != R.UNSEEN and tile not in facts.choices_of(s, view.actions).tiles:
                    answers.add(MYKERINOS.why_not(view, (f'el:{facts.tile_id(tile)}',)).split()[-1])
            if s.next_rank >= 2:
                assert 'first two ranks' in MYKERINOS.why_not(view, (f'el:{facts.room_id(s, 5)}',))
    assert {'follow.', 'game.', 'Blue.'} <= answers


def test_the_region_in_characters() -> None:
    rows = str(MYKERINOS.text(moment().view())).split('\n')
    assert rows[0].split() == [*C.COLUMNS]
    assert rows[1].startswith('1 ')
    cells = {
        f'{column}{row}': cell
        for row, line in enumerate((*rows[1:4], *rows[5:8]), 1)
        for column, cell in zip(C.COLUMNS, re.findall(r'\[.\]|[.^]', line), strict=True)
    }
    assert cells['c1'] == '[B]'
    assert cells['e2'] == '[R]'
    assert cells['f5'] == '[G]'
    assert cells['f1'] == '^'
    assert cells['b4'] == '.'


def test_the_words_name_everything() -> None:
    for view in itertools.chain(some_of(2, 3, 29), some_of(4, 3, 29)):
        s, text = view.state, MYKERINOS.text(view)
        for seat in range(int(s.players)):
            assert f'{MYKERINOS.words(f"colour.{COLOURS[seat]}")} (' in text
            assert (
                f'{facts.count_words("points", int(s.points[seat]))},'
                f' {facts.count_words("cubes", int(s.stock[seat]))} in stock, {s.reserve[seat]} in reserve'
                in text
            )
        if not s.ending and not facts.surveying(s):
            assert all(f'Area {C.AREAS[area]}: ' in text for area in facts.areas_of(s))
