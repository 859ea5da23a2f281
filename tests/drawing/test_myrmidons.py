"""The drawing of Myrmidons: what can be clicked, secrets, legibility, orientation, orders, and what is
said."""

from __future__ import annotations

import gzip
import itertools
import math
import random
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from ludoteca.game import LAID, Event, Position, View, ViewSettings, load, position, start
from ludoteca.games.myrmidons import components as C
from ludoteca.games.myrmidons import rules as R
from ludoteca.games.myrmidons.rules import State
from ludoteca.games.myrmidons.view import board, facts, symbols
from ludoteca.kernel import compiled

pytestmark = pytest.mark.skipif(not compiled, reason='what is drawn does not depend on the mode')

MYRMIDONS: Any = load('myrmidons')

SVG = '{http://www.w3.org/2000/svg}'
PHONE = 390  # pixels that the board gets on a phone
ARMIES: tuple[Mapping[str, Any], ...] = (
    {},
    {'memory': False},
    {'army': 'secret'},
    {'army': 'secret', 'size': 12},
    {'army': 'random', 'size': 12, 'capture': 8},
)
MOMENT: dict[str, Any] = {  # seat 0 could give an order to the north-east
    'game': 'myrmidons',
    'options': {'memory': False},
    'to_move': 0,
    'turn': 9,
    'pieces': [
        {'at': 'c2', 'owner': 0, 'type': '1-1-1', 'start': 'c1'},
        {'at': 'd2', 'owner': 0, 'type': '4-4-1', 'start': 'd1'},
        {'at': 'c3', 'owner': 0, 'type': '3-2-4', 'start': 'b1'},
        {'at': 'b2', 'owner': 0, 'type': '1-3-5', 'start': 'a1'},
        {'at': 'a4', 'owner': 0, 'type': '2-5-2', 'start': 'e1', 'seen': True},
        {'at': 'a5', 'owner': 1, 'type': '4-4-1', 'start': 'a7', 'seen': True},
        {'at': 'f6', 'owner': 1, 'type': '2-5-2', 'start': 'e7'},
        {'at': 'd6', 'owner': 1, 'type': '5-1-3', 'start': 'd7'},
        {'at': 'c7', 'owner': 1, 'type': '3-2-4', 'no_commander': True},
        {'at': 'b7', 'owner': 1, 'type': '1-1-1'},
    ],
    'taken': [{'owner': 0, 'type': '5-1-3', 'start': 'f1'}, {'owner': 1, 'type': '1-3-5', 'start': 'f7'}],
}


def moment(*steps: str, **changes: Any) -> Position:
    return position({**MOMENT, **changes}).after(' '.join(steps))


def deployment(n: int = 0, **options: Any) -> Position:
    """A deployment after `n` pieces of seat 0."""
    found = Position(MYRMIDONS, start(MYRMIDONS, 2, 5, MYRMIDONS.options.read(options)))
    for k in range(n):
        found.apply(found.actions()[k % len(found.actions())])
    return found


def played(options: Mapping[str, Any], seed: int) -> Iterator[tuple[Position, int, State]]:
    """A random game: for each action the position before it, the action, and the state after it."""
    chance = random.Random(seed)
    found = Position(MYRMIDONS, start(MYRMIDONS, 2, seed, MYRMIDONS.options.read(options)))
    while not found.over:
        before, action = found.copy(), chance.choice(found.actions())
        found.apply(action)
        yield before, action, found.state


def shown(s: State, seat: int, past: int = 0) -> State:
    """A state as it is shown to a seat."""
    copy = s.copy()
    MYRMIDONS.kernels.hide(copy, seat)
    MYRMIDONS.kernels.forget(copy, seat, past)
    return copy


def view(found: Position, seat: int | None = None, **more: Any) -> View:
    seat = found.to_move if seat is None else seat
    return View(
        shown(found.state, seat), seat, tuple(found.actions()) if seat == found.to_move else (), **more
    )


def happened(found: Position, action: str, seat: int, past: int = 0) -> tuple[Event, ...]:
    """Play an action; what a seat is told of it."""
    before, number = shown(found.state, seat, past), MYRMIDONS.action_from_name(found.state, action)
    known = int(MYRMIDONS.kernels.hide_action(found.state, number, seat))
    found.apply(number)
    return tuple(MYRMIDONS.events(before, known, shown(found.state, seat, past)))


def by_id(text: str) -> dict[str, ElementTree.Element]:
    """The elements of a drawing by their ids, which are unique."""
    elements = [element for element in ElementTree.fromstring(text).iter() if element.get('id')]
    found = {str(element.get('id')): element for element in elements}
    assert len(found) == len(elements)
    return found


def page(seen: View) -> str:
    return str(MYRMIDONS.draw(seen, 'page'))


def outputs(seen: View) -> str:
    """All that a person is shown of a view."""
    return '\n'.join(
        (
            page(seen),
            MYRMIDONS.text(seen),
            str(MYRMIDONS.prompt(seen)),
            str(MYRMIDONS.panels(seen)),
            str(MYRMIDONS.cards(seen)),
            str([MYRMIDONS.pencils(seen, element) for element in facts.PIECE_OF_ID]),
        )
    )


# ---- the picture -------------------------------------------------------------------------------------------


@pytest.mark.parametrize('options', ARMIES, ids=str)
def test_all_that_can_be_clicked_is_there(options: Mapping[str, Any]) -> None:
    defined = set(by_id(f'<svg>{MYRMIDONS.symbols().defs}</svg>'))
    for k, (before, _, _) in enumerate(played(options, 3)):
        if k > 24 and k % 7:
            continue
        seen = view(before)
        elements = by_id(page(seen))
        assert not elements.keys() & defined
        assert {f'sq-{name}' for name in C.SQUARES} <= elements.keys()
        buttons = {f'do:{button.id}' for button in MYRMIDONS.prompt(seen).buttons}
        for action in seen.actions:
            for target in MYRMIDONS.targets(seen.state, action):
                assert target.id in buttons or target.id.removeprefix('el:') in elements, target.id
                if target.id.startswith('el:'):
                    element = elements[target.id[3:]]
                    assert 'target' in str(element.get('class')).split()
                    assert element.get('role') == 'button'
                    assert element.get('aria-label')
                    assert element.find(".//*[@class='hit']") is not None
                if target.ghost and target.ghost.symbol:
                    assert target.ghost.symbol in defined
        for name, element in elements.items():
            if name.startswith('piece-'):
                assert element.get('transform') is None, 'the page moves this group'
                assert 'piece' in str(element.get('class')).split()


def test_targets_are_lists_of_their_own() -> None:
    """Nothing in this game is a variant of something else."""
    for before, _, _ in itertools.islice(played({}, 8), 0, None, 3):
        lists = [
            tuple(target.id for target in MYRMIDONS.targets(before.state, action))
            for action in before.actions()
        ]
        assert len(set(lists)) == len(lists)


def test_pieces_keep_their_ids_and_stand_where_the_state_says() -> None:
    for before, _, _ in itertools.islice(played({}, 4), 12, None, 5):
        for seat in (-1, 0, 1):
            seen = view(before, seat)
            elements = by_id(page(seen))
            on_board = {
                facts.piece_id(piece): piece for piece in range(C.N_PIECES) if seen.state.at[piece] >= 0
            }
            assert {name for name in elements if name.startswith('piece-')} == on_board.keys()
            for name, piece in on_board.items():
                x, y = symbols.square_centre(int(seen.state.at[piece]))
                placed = elements[name].find(f'{SVG}g')
                assert placed is not None
                assert str(placed.get('transform')).startswith(f'translate({x:g} {y:g})')


def test_everybody_sees_the_own_side_below() -> None:
    """Seat 1 sees the board turned by half a circle, its blocks upright; spectators see it as seat 0 does."""
    found = moment()
    texts = {seat: page(view(found, seat)) for seat in (-1, 0, 1)}
    turned = 'rotate(180 312 364)'
    assert turned in texts[1]
    assert all(turned not in texts[seat] for seat in (-1, 0))
    placed = by_id(texts[1])['piece-1-a7'].find(f'{SVG}g')
    assert placed is not None
    assert str(placed.get('transform')).endswith('rotate(180)')
    names = re.findall(r'class="coordinate"[^>]*>(\w)<', texts[1])
    assert names == [*'fedcba', *'1234567']
    assert re.findall(r'class="coordinate"[^>]*>(\w)<', texts[0]) == [*'abcdef', *'7654321']
    assert MYRMIDONS.text(view(found, 1)).startswith('1 ')
    assert MYRMIDONS.text(view(found, 0)).startswith('7 ')


def test_ghosts_of_a_turned_board_lie_where_the_mover_sees_them() -> None:
    found = moment(to_move=1)
    for action in found.actions():
        targets = MYRMIDONS.targets(found.state, action)
        if (ghost := targets[-1].ghost) and ghost.symbol.startswith('myrmidons-face'):
            end = (action - R.FIRST_MOVE) % C.N_SQUARES
            x, y = symbols.square_centre(end)
            assert ghost.transform == f'translate({symbols.WIDTH - x:g} {symbols.HEIGHT - y:g})'
            assert ghost.path.endswith(f'L{x:g} {y:g}')  # ways are the same for all


def test_values_can_be_read_on_a_phone() -> None:
    """A capital digit of a system font is at least 70 % of its size; pencil marks of both kinds are not much
    smaller."""
    scale = PHONE / board.VIEW[2]
    assert 0.7 * symbols.DIGIT * scale >= 9
    seen = view(moment(), 0, notes={'piece-1-d7': ('5-1-3',)})
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"[^>]*>(?:≥\d|\?|5-1-3)<', page(seen))]
    assert len(sizes) >= 4
    assert min(sizes) * 0.7 * scale >= 8.5


def test_a_move_of_the_hand_can_hit_what_is_meant() -> None:
    """The arrows of orders lie above the Commander, and leave its middle free."""
    elements = by_id(page(view(moment())))
    ids = list(elements)
    for heading in C.HEADINGS:
        if f'way-{heading}' in elements:
            hit = elements[f'way-{heading}'].find(".//*[@class='hit']")
            assert hit is not None
            assert float(hit.get('r', '')) < board.ROSE - 20
            assert ids.index(f'way-{heading}') > ids.index('piece-0-c1')


def test_drawings_keep_the_budget() -> None:
    """The largest message (an order of a large army, seen for the first time) and the time that it takes."""
    largest = max(
        (
            view(before)
            for before, _, _ in itertools.islice(played({'army': 'random', 'size': 12}, 2), 20, 60)
        ),
        key=lambda seen: len(page(seen)),
    )
    assert len(gzip.compress((page(largest) + str(MYRMIDONS.cards(largest))).encode())) < 12_000
    assert len(gzip.compress((page(largest) + MYRMIDONS.symbols().defs).encode())) < 30_000

    def seconds() -> float:
        begun = time.process_time()
        page(largest)
        return time.process_time() - begun

    assert min(seconds() for _ in range(5)) < 0.03


def test_a_drawing_is_a_picture_for_any_renderer() -> None:
    renderer = pytest.importorskip('resvg_py')
    for theme, seen in (
        ('light', view(moment('order NE', 'c3:3'))),
        ('dark', view(deployment(3, army='secret'))),
    ):
        text = MYRMIDONS.draw(seen, theme)
        assert 'var(' not in text
        assert bytes(renderer.svg_to_bytes(svg_string=text, width=400)).startswith(b'\x89PNG')
        assert 'var(' not in MYRMIDONS.emblem(theme)
    assert 'var(' not in MYRMIDONS.badge()


# ---- secrets -----------------------------------------------------------------------------------------------


def test_nothing_shown_depends_on_types_that_the_view_does_not_know() -> None:
    """Another guess at the secrets gives the same outputs, byte for byte."""
    work = R.Work.new()
    for before, _, _ in itertools.islice(played({'memory': False}, 12), 14, None, 4):
        for seat in (-1, 0, 1):
            known = shown(before.state, seat)
            expected = outputs(View(known, seat))
            for seed in range(3):
                other = known.copy()
                MYRMIDONS.kernels.prepare(other, seat, work)
                MYRMIDONS.kernels.guess(other, seat, seed, work)
                assert outputs(View(shown(other, seat), seat)) == expected


def test_unknown_enemies_show_their_backs() -> None:
    text = page(view(moment(), 0))
    elements = by_id(text)
    for name in ('piece-1-b7', 'piece-1-c7', 'piece-1-d7', 'piece-1-e7'):
        shown_as = {str(use.get('href')) for use in elements[name].iter(f'{SVG}use')}
        assert '#myrmidons-back-1' in shown_as
        assert not any(href.startswith('#myrmidons-face') for href in shown_as)
    assert '#myrmidons-face-1-4-4-1' in {use.get('href') for use in elements['piece-1-a7'].iter(f'{SVG}use')}


def test_who_watches_an_order_being_made_sees_nothing_of_it() -> None:
    found = moment('order NE', 'd2:1', 'c3:3')
    for seat in (-1, 1):
        assert outputs(view(found, seat)) == outputs(view(moment(), seat))


def test_a_pencil_mark_follows_from_what_all_have_seen() -> None:
    found = moment()
    seen = view(found, 0)
    pieces = {name: facts.PIECE_OF_ID[name] for name in ('piece-1-b7', 'piece-1-c7', 'piece-1-e7')}
    assert facts.deduced(seen, pieces['piece-1-b7']) == ('crest', '?')
    # no Commander, and 4-4-1 is known
    assert facts.deduced(seen, pieces['piece-1-c7']) == ('foot', '≥2')
    quiet = view(found, 0, settings=ViewSettings(deductions=False))
    assert all(facts.deduced(quiet, piece) is None for piece in pieces.values())
    assert '≥2' not in page(quiet)


def test_own_pencil_marks_are_drawn_and_said_and_can_be_chosen() -> None:
    notes = {'piece-1-b7': ('C',), 'piece-1-d7': ('5-1-3', '3-2-4', '2-5-2')}
    seen = view(moment(), 0, notes=notes)
    assert '>C<' in page(seen)
    assert '>513 +2<' in page(seen)
    assert 'b7: C' in MYRMIDONS.text(seen)
    assert MYRMIDONS.pencils(seen, 'piece-1-b7') == ('C', '1-3-5', '2-5-2', '3-2-4', '4-4-1', '5-1-3', '?')
    # own, seen in a fight, no pieces
    for element in ('piece-0-c1', 'piece-1-a7', 'sq-a1', 'nothing'):
        assert MYRMIDONS.pencils(seen, element) == ()
    assert MYRMIDONS.pencils(view(moment(), -1), 'piece-1-b7') == ()


# ---- orders ------------------------------------------------------------------------------------------------


def plan(*steps: str) -> Position:
    return moment('order NE', *steps)


def test_the_plan_of_an_order_is_drawn_from_start_to_end() -> None:
    """Ghosts stand where pieces would, arrows point there, fights have crossed swords, pieces stand where
    they stood."""
    seen = view(plan('d2:1', 'c3:3', 'b2:2'))
    text = page(seen)
    for end, kind in (('e3', '4-4-1'), ('d3', '1-1-1'), ('d4', '1-3-5')):
        x, y = symbols.square_centre(C.SQUARES.index(end))
        ghost = (
            rf'translate\({x:g} {y:g}\) scale\(0.9\)"><g opacity="0.56"><use href="#myrmidons-face-0-{kind}"'
        )
        assert re.search(ghost, text), end
    x, y = symbols.square_centre(C.SQUARES.index('f6'))
    swords = re.findall(r'<g transform="translate\(([\d.]+) ([\d.]+)\)"><use href="#myrmidons-crossed"', text)
    assert [(float(a), float(b)) for a, b in swords] == [(x - 51, y + 51)]
    numbers = re.findall(r'font-weight="800"[^>]*>(\d)</text>', text)
    # of those that could go further than one step
    assert sorted(numbers) == ['2', '3']
    prompt = MYRMIDONS.prompt(seen)
    assert prompt.text == 'Red, your order: four go north-east, one fights.'
    assert [(button.id, button.key) for button in prompt.buttons] == [('go', 'Enter')]


def test_arrows_on_one_line_keep_apart() -> None:
    scene = board._scene(view(plan('d2:1', 'c3:3', 'b2:2')), True)
    lanes = {C.SQUARES[square]: lane for square, lane in board._lanes(scene).items()}
    assert lanes['c2'] == lanes['d2'] == 0
    assert lanes['b2'] == -lanes['c3'] != 0
    tip = board._arrow((0, 0), (100, 0), 10, 20, 0)
    assert '80 0' in tip


def test_in_an_order_every_friend_shows_how_far_it_can_go() -> None:
    text = page(view(plan()))
    dots = {(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="14"', text)}
    assert symbols.square_centre(C.SQUARES.index('e3')) in dots  # d2
    assert {symbols.square_centre(C.SQUARES.index(name)) for name in ('d4', 'e5')} <= dots  # c3
    hidden = page(View(view(plan()).state, 0, tuple(plan().actions()), settings=ViewSettings(marks=False)))
    assert ' r="14"' not in hidden


def test_a_friend_that_comes_before_one_named_can_still_be_pulled() -> None:
    """Friends are named front to back, but d2, before c3, is marked after it too; b2 stands behind c3 and can
    go when that does."""
    marked = {
        name
        for name, element in by_id(page(view(plan('d2:1')))).items()
        if 'it can go' in str(element.get('aria-label'))
    }
    assert marked == {'piece-0-b1'}
    marked = {
        name
        for name, element in by_id(page(view(plan('c3:3')))).items()
        if 'it can go' in str(element.get('aria-label'))
    }
    assert marked == {'piece-0-a1', 'piece-0-d1'}


def test_another_heading_is_one_click_away() -> None:
    """Arrows round the Commander: at rest those of free squares, while an order is being made."""
    before, during = by_id(page(view(moment()))), by_id(page(view(plan())))
    assert all(before[name].get('display') == 'none' for name in before if name.startswith('way-'))
    shown_now = {name for name in during if name.startswith('way-') and during[name].get('display') is None}
    assert shown_now == {'way-NW', 'way-SW', 'way-S', 'way-SE'}


def test_the_single_thing_left_to_do_is_drawn() -> None:
    found = deployment(5)
    assert len(found.actions()) == 1
    kind = C.TYPES[found.actions()[0]]
    x, y = symbols.square_centre(C.SQUARES.index('f1'))
    assert (
        f'<g transform="translate({x:g} {y:g})" opacity="0.8"><use href="#myrmidons-face-0-{kind}"'
        in page(view(found))
    )
    assert 'seal' in MYRMIDONS.prompt(view(found)).text.lower()


# ---- changing a draft --------------------------------------------------------------------------------------


def redrafted(found: Position, draft: Sequence[str], *targets: str) -> list[str] | None:
    """The names of what a draft becomes."""
    state, actions = found.copy(), []
    for name in draft:
        actions.append(MYRMIDONS.action_from_name(state.state, name))
        state.apply(actions[-1])
    answer = MYRMIDONS.redraft(shown(found.state, found.to_move), actions, targets)
    if answer is None:
        return None
    state = found.copy()
    # every answer can be played and commits nothing
    for action in answer:
        state.apply(action)
        assert (state.to_move, state.state.turn) == (found.to_move, found.state.turn)
    return [MYRMIDONS.action_name(found.state, action) for action in answer]


ORDER = ('order NE', 'd2:1', 'c3:3', 'b2:2')


def test_the_button_begins_an_order_straight_ahead() -> None:
    assert redrafted(moment(), (), 'do:order') == ['order N']
    assert redrafted(moment(to_move=1), (), 'do:order') is not None
    assert redrafted(moment(), ORDER, 'do:order') is None


def test_a_friend_of_an_order_is_changed_added_and_taken_out() -> None:
    found = moment()
    # b2 stays behind it
    assert redrafted(found, ORDER, 'el:piece-0-b1', 'el:sq-d4') == ['order NE', 'd2:1', 'c3:1', 'b2:1']
    assert redrafted(found, ORDER, 'el:piece-0-d1') == ['order NE', 'c3:3', 'b2:2']
    assert redrafted(found, ORDER, 'el:piece-0-d1', 'el:sq-d2') == ['order NE', 'c3:3', 'b2:2']
    assert redrafted(found, ORDER, 'el:piece-0-b1') == ['order NE', 'd2:1']  # it stays in the way of b2
    assert redrafted(found, ('order NE', 'c3:3'), 'el:piece-0-d1', 'el:sq-e3') == ['order NE', 'd2:1', 'c3:3']
    assert redrafted(found, ORDER, 'el:piece-0-c1') is None  # the Commander goes anyway
    assert redrafted(found, ORDER, 'el:piece-0-e1', 'el:sq-b5') is None  # not beside it
    # off its line
    assert redrafted(found, ORDER, 'el:piece-0-d1', 'el:sq-e2') == ['order NE', 'c3:3', 'b2:2']
    assert redrafted(found, ('order NE', 'c3:3'), 'el:piece-0-d1', 'el:sq-e2') is None


def test_an_order_is_turned_and_keeps_whom_it_can() -> None:
    turned = redrafted(moment(), ORDER, 'el:way-NW')
    assert turned is not None
    assert turned[0] == 'order NW'
    assert {name.partition(':')[0] for name in turned[1:]} <= {'d2', 'c3', 'b2'}
    assert redrafted(moment(), (), 'el:piece-0-c1', 'el:way-S') == ['order S']
    assert redrafted(moment(), ORDER, 'el:way-NE') is None


def test_the_friend_before_the_commander_goes_along_by_itself() -> None:
    """Northwards c3 stands in the Commander's way: whoever is named behind it takes it along, and it cannot
    be taken out."""
    found = moment()
    assert redrafted(found, ('order N',), 'el:piece-0-a1', 'el:sq-b5') == ['order N', 'c3:1', 'b2:3']
    assert redrafted(found, ('order N', 'c3:2', 'b2:3'), 'el:piece-0-b1') is None
    assert redrafted(found, ('order N', 'c3:2'), 'el:piece-0-b1') == ['order N']


def arranged(
    found: Position, draft: Sequence[str], laid: Sequence[str], *targets: str
) -> tuple[list[str], list[str]] | None:
    """The line-up that clicks make of another: the names of its steps, and what was laid."""
    state = shown(found.state, found.to_move)
    answer = MYRMIDONS.arrange(
        state, [MYRMIDONS.action_from_name(found.state, name) for name in draft], laid, targets
    )
    return answer and ([MYRMIDONS.action_name(found.state, action) for action in answer[0]], list(answer[1]))


def test_a_line_up_is_changed_by_dragging() -> None:
    found = deployment()
    draft, laid = ['deploy 5-1-3', 'deploy 4-4-1', 'deploy 1-1-1'], ['a1', 'b1', 'c1']

    def changed(*targets: str) -> tuple[list[str], list[str]] | None:
        return arranged(found, draft, laid, *targets)

    assert changed('el:piece-0-a1', 'el:piece-0-c1') == (
        ['deploy 1-1-1', 'deploy 4-4-1', 'deploy 5-1-3'],
        laid,
    )
    assert changed('el:piece-0-a1', 'el:sq-b1') == (['deploy 4-4-1', 'deploy 5-1-3', 'deploy 1-1-1'], laid)
    assert changed('el:hand-2-5-2', 'el:piece-0-b1') == (
        ['deploy 5-1-3', 'deploy 2-5-2', 'deploy 1-1-1'],
        ['a1', 'c1', 'b1'],
    )
    assert changed('el:hand-2-5-2', 'el:sq-d1') == ([*draft, 'deploy 2-5-2'], [*laid, 'd1'])
    assert changed('el:piece-0-c1') == (draft[:2], laid[:2])
    assert changed('el:piece-0-a1', 'el:hand-2-5-2') == ([], ['b1=4-4-1', 'c1=1-1-1'])
    assert changed('el:piece-0-a1', 'el:sq-d4') is None
    assert changed('el:piece-1-a7', 'el:piece-0-a1') is None
    assert changed('el:hand-2-5-2') is None
    assert changed('el:hand-5-1-3', 'el:sq-d1') is None  # it lies on a1
    assert changed('do:undo') == (draft[:2], laid[:2])
    assert changed('do:clear') == ([], [])
    assert arranged(found, (), (), 'do:undo') is None


def test_what_is_laid_lies_where_it_was_laid() -> None:
    """Steps fill the squares in turn: what lies beyond a gap waits beside the draft, and joins it when the
    gap is filled."""
    found = deployment()
    assert arranged(found, (), (), 'el:hand-2-5-2', 'el:sq-d1') == ([], ['d1=2-5-2'])
    assert arranged(found, (), ['d1=2-5-2'], 'el:hand-5-1-3', 'el:sq-a1') == (
        ['deploy 5-1-3'],
        ['d1=2-5-2', 'a1'],
    )
    waiting = ['d1=2-5-2', 'a1', 'c1=1-1-1']
    filled = ['deploy 5-1-3', 'deploy 4-4-1', 'deploy 1-1-1', 'deploy 2-5-2']
    assert arranged(found, ['deploy 5-1-3'], waiting, 'el:hand-4-4-1', 'el:sq-b1') == (
        filled,
        ['d1', 'a1', 'c1', 'b1'],
    )
    assert arranged(found, filled, ['d1', 'a1', 'c1', 'b1'], 'do:undo') == (['deploy 5-1-3'], waiting)
    # the last one is not a step before it is sealed
    line = [*filled, 'deploy 1-3-5']
    full = arranged(found, line, ['d1', 'a1', 'c1', 'b1', 'e1'], 'el:hand-3-2-4', 'el:sq-f1')
    assert full == (line, ['d1', 'a1', 'c1', 'b1', 'e1', 'f1=3-2-4'])
    assert full is not None
    seen = view(found.copy().after(' '.join(line)), notes={LAID: tuple(full[1])})
    assert [button.steps for button in MYRMIDONS.prompt(seen).buttons] == [('deploy 3-2-4',)]
    assert not MYRMIDONS.prompt(replace(seen, notes={})).buttons
    # what does not fit means nothing
    for stale in (['a1=1-1-1'], ['d1=9-9-9'], ['d4=1-1-1'], ['d1'], ['d1=5-1-3'], ['nonsense']):
        assert arranged(found, ['deploy 5-1-3'], stale, 'el:hand-2-5-2', 'el:sq-e1') == (
            ['deploy 5-1-3'],
            ['a1', 'e1=2-5-2'],
        )


def test_no_line_up_is_laid_without_the_commander() -> None:
    found = deployment(army='secret')
    others = [name for name in C.TYPES if name != '1-1-1'][:6]
    laid = [f'{square}1={name}' for square, name in zip('abcde', others, strict=False)]
    draft = [f'deploy {name}' for name in others[:5]]
    assert arranged(found, draft, [one[:2] for one in laid], f'el:hand-{others[5]}', 'el:sq-f1') is None
    assert arranged(found, draft, [one[:2] for one in laid], 'el:hand-1-1-1', 'el:sq-f1') is not None


def test_seat_1_arranges_its_own_rows() -> None:
    found = deployment(6)
    assert found.to_move == 1
    draft = ['deploy 5-1-3', 'deploy 4-4-1']
    assert arranged(found, draft, (), 'el:piece-1-a7', 'el:sq-b7') == (draft[::-1], ['a7', 'b7'])
    assert arranged(found, draft, (), 'el:piece-1-a7', 'el:sq-a1') is None


# ---- beside the board --------------------------------------------------------------------------------------


def card(seen: View, name: str) -> str:
    return next(str(found.drawing) for found in MYRMIDONS.cards(seen) if found.id == name)


def test_the_order_card_plays_what_the_board_plays() -> None:
    """Every stepper and every arrow of the compass changes the draft; the rows are those that go or could,
    front to back."""
    found, seen = moment(), view(plan('d2:1', 'c3:3', 'b2:2'))
    text = card(seen, 'order')
    clicks = re.findall(r'data-redraft="([^"]+)"', text)
    assert len(clicks) > 10
    for click in clicks:
        assert redrafted(found, ORDER, *click.split()) is not None, click
    assert re.findall(r'>(\w\d) → (\w\d)<', text) == [('d2', 'e3'), ('c3', 'f6'), ('c2', 'd3'), ('b2', 'd4')]
    assert not any(found.id == 'order' for found in MYRMIDONS.cards(view(moment())))


def test_the_chance_of_a_fight_is_told_only_as_far_as_it_is_certain() -> None:
    """On f6 5-1-3, 3-2-4 and 2-5-2 can stand: 3 against shields of 1, 2 and 5 is uncertain."""
    seen = view(plan('c3:3'))
    assert MYRMIDONS.words('card.order.unsure') in card(seen, 'order')
    known = [{**piece, 'moved': 3} if piece['at'] == 'f6' else piece for piece in MOMENT['pieces']]
    other = moment(
        'order NE',
        'c3:3',
        pieces=[
            {**piece, 'type': '5-1-3'}
            if piece['at'] == 'f6'
            else {**piece, 'type': '2-5-2'}
            if piece['at'] == 'd6'
            else piece
            for piece in known
        ],
    )
    assert MYRMIDONS.words('card.order.wins') in card(view(other), 'order')
    blind = View(view(other).state, 0, tuple(other.actions()), settings=ViewSettings(deductions=False))
    assert MYRMIDONS.words('card.order.unsure') in card(blind, 'order')


def test_the_army_card_says_where_each_type_can_be() -> None:
    labelled = dict(re.findall(r'aria-label="([^:"]+): ([^"]+)"', card(view(moment(), 0), 'army-1')))
    assert labelled == {
        'Commander': 'b7 d6 f6',
        '1-3-5': 'taken',
        '2-5-2': 'any of 4',
        '3-2-4': 'any of 4',
        '4-4-1': 'a5',
        '5-1-3': 'any of 4',
    }


@pytest.mark.parametrize('memory', [False, True])
def test_a_fight_is_shown_on_a_card_as_long_as_its_values_are(memory: bool) -> None:
    found = moment(
        to_move=1,
        options={'memory': memory},
        **(
            {}
            if not memory
            else {
                'pieces': [
                    {key: value for key, value in piece.items() if key != 'seen'}
                    for piece in MOMENT['pieces']
                ]
            }
        ),
    )
    found.play('a5-a4')
    for seat in (-1, 0, 1):
        text = card(view(found, seat), 'fights')
        assert '#myrmidons-face-1-4-4-1' in text
        assert '#myrmidons-face-0-2-5-2' in text
    past = View(shown(found.state, 0, 1), 0)
    assert any(found.id == 'fights' for found in MYRMIDONS.cards(past)) is not memory


@pytest.mark.parametrize(('start', 'end', 'even'), [('b5', 'a5', True), ('e6', 'd6', False)])
def test_where_a_fight_is_told_a_sword_equal_to_the_shield_is_said_to_be_enough(
    start: str, end: str, even: bool
) -> None:
    """A 4-4-1 attacks a 4-4-1, or a 5-1-3 with its shield of 1."""
    found = moment(
        pieces=[{**piece, 'at': start} if piece['at'] == 'd2' else piece for piece in MOMENT['pieces']]
    )
    about_to = MYRMIDONS.prompt(
        replace(view(found), actions=(MYRMIDONS.action_from_name(found.state, f'{start}-{end}'),))
    )
    assert 'at least as high as the shield' in about_to.help
    (event,) = happened(found, f'{start}-{end}', 0)
    sentence = MYRMIDONS.words(f'event.{event.kind}', player='Red', **event.values)
    assert ('sword 4 equals shield 4, which is enough' in sentence) is even
    assert ('sword 4 beats shield 1' in sentence) is not even
    assert ('Equal is enough' in card(view(found, 0), 'fights')) is even
    assert 'Equal is enough: a sword of 4 takes a shield of 4.' in ' '.join(MYRMIDONS.rules().split())


# ---- what happened -----------------------------------------------------------------------------------------


def test_a_repelled_attack_goes_there_and_back() -> None:
    (event,) = happened(moment(to_move=1), 'a5-a4', 0)
    assert (event.kind, event.piece, event.values['won']) == ('repelled', 'piece-1-a7', 0)
    assert (event.values['attacker_face'], event.values['defender_face']) == (
        'myrmidons-face-1-4-4-1',
        'myrmidons-face-0-2-5-2',
    )
    first, met, last = event.way
    assert first == last == symbols.square_centre(C.SQUARES.index('a5'))
    assert met[0] == first[0]
    assert 0 < met[1] - first[1] < symbols.CELL


def test_an_order_is_told_front_to_back_and_never_who_leads() -> None:
    found = plan('d2:1', 'c3:3', 'b2:2')
    told = happened(found, 'go', 1)
    assert [(event.values['start'], event.kind) for event in told] == [
        ('d2', 'goes'),
        ('c3', 'repelled'),
        ('c2', 'goes'),
        ('b2', 'goes'),
    ]
    for event in told:
        piece = facts.PIECE_OF_ID[event.piece]
        assert event.way[-1] == symbols.square_centre(int(found.state.at[piece]))
    sentences = ' '.join(
        MYRMIDONS.words(f'event.{event.kind}', player='Red', **event.values) for event in told
    )
    assert 'Commander' not in sentences
    before = moment()
    assert [event.kind for event in happened(before, 'order NE', 1)] == ['order']
    assert not happened(before, 'd2:1', 1)
    assert [event.kind for event in happened(moment('order NE'), 'd2:1', 0)] == ['join']


def test_events_of_the_past_keep_what_is_not_shown_any_longer() -> None:
    unseen = [{key: value for key, value in piece.items() if key != 'seen'} for piece in MOMENT['pieces']]
    (fresh,) = happened(moment(to_move=1, options={}, pieces=unseen), 'a5-a4', 0)
    (past,) = happened(moment(to_move=1, options={}, pieces=unseen), 'a5-a4', 0, past=1)
    assert (fresh.kind, past.kind) == ('repelled', 'repelled_forgotten')
    assert 'attacker_face' not in past.values
    assert 'sword' not in past.values


def test_every_event_has_a_sentence_and_ends_where_its_piece_stands() -> None:
    kinds = set()
    for seed, options in enumerate((*ARMIES, *ARMIES)):
        for before, action, after in played(options, 40 + seed):
            for seat in (-1, 0, 1):
                known = int(MYRMIDONS.kernels.hide_action(before.state, action, seat))
                told = MYRMIDONS.events(shown(before.state, seat), known, shown(after, seat))
                assert told or known < 0
                for event in told:
                    kinds.add(event.kind)
                    assert MYRMIDONS.words(f'event.{event.kind}', player='Ann', **event.values)
                    if event.way:
                        x, y = symbols.square_centre(int(after.at[facts.PIECE_OF_ID[event.piece]]))
                        assert math.dist(event.way[-1], (x, y)) < 0.2
    assert kinds >= {
        'deploy',
        'arrayed',
        'order',
        'join',
        'move',
        'goes',
        'wins',
        'repelled',
        'back_rank',
        'commander',
        'fallen',
    }


def test_the_squares_of_the_last_turn_are_marked() -> None:
    found = moment(to_move=1)
    told = happened(found, 'a5-a4', 0)
    x, y = symbols.square_centre(C.SQUARES.index('a4'))
    for seen in (view(found, 0, last=told), view(found, 0)):
        text = page(seen)
        assert text.count('#f6c445') == 2
        assert f'x="{x - 52:g}" y="{y - 52:g}" width="104"' in text


# ---- words -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('targets', 'words'),
    [
        (('el:sq-d4',), 'why.choose_piece'),
        (('el:piece-1-a7',), 'why.enemy'),
        (('el:piece-0-d1', 'el:sq-f7'), 'why.not_straight'),
        (('el:piece-0-d1', 'el:sq-d4'), 'why.too_far_one'),
        (('el:piece-0-a1', 'el:sq-e2'), 'why.in_the_way'),
        (('el:piece-0-a1', 'el:piece-0-c1'), 'why.friend_there'),
        (('el:piece-0-a1',), 'why.choose_end'),
        (('do:order',), 'why.choose_heading'),
    ],
)
def test_why_a_move_is_refused(targets: Sequence[str], words: str) -> None:
    sentence = MYRMIDONS.why_not(view(moment()), targets)
    pattern = re.escape(MYRMIDONS.words._texts[words])
    assert re.fullmatch(re.sub(r'\\\{\w+\\\}', '.+', pattern), sentence), sentence


def test_why_a_friend_is_refused() -> None:
    north = view(moment('order N'))
    assert MYRMIDONS.why_not(north, ('el:piece-0-a1', 'el:sq-b4')) == MYRMIDONS.words(
        'why.front_first', square='c3'
    )
    assert MYRMIDONS.why_not(view(plan()), ('el:piece-0-e1',)) == MYRMIDONS.words(
        'why.not_beside', square='a4'
    )
    assert MYRMIDONS.why_not(view(plan()), ('el:piece-0-c1',)) == MYRMIDONS.words('why.leader_goes_one')
    assert 'or give the order' not in MYRMIDONS.why_not(north, ('el:sq-a4',))
    assert 'or give the order' in MYRMIDONS.why_not(view(plan('c3:1')), ('el:sq-f7',))
    assert 'can go one step to the north-east' in MYRMIDONS.why_not(view(plan()), ('el:sq-d2',))


def test_a_square_says_from_where_it_can_be_reached() -> None:
    seen = view(moment())
    start, ends = next(iter(facts.moves_of(seen.actions).items()))
    free = next(end for end in ends if seen.state.on[end] < 0)
    text = MYRMIDONS.explain(seen, f'sq-{C.SQUARES[free]}').text
    assert re.search(rf'It can be reached from: [^.]*{C.SQUARES[start]}', text)


def test_the_legend_of_the_board_in_words_names_the_commander_of_the_components(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = view(moment())
    monkeypatch.setattr(C, 'TYPES', ('2-1-1', *C.TYPES[1:]))
    assert 'C a Commander (2-1-1)' in MYRMIDONS.text(seen)


def test_the_board_in_words_has_what_the_viewer_knows() -> None:
    text = MYRMIDONS.text(view(moment(), 0))
    rows = text.splitlines()
    assert rows[2].startswith('5 [441 B]')
    assert rows[5] == '2 [     ] [135 R] [ C  R] [441 R] [     ] [     ]'
    assert rows[0].count('[??? B]') == 2
    types = 'Commander, 2-5-2, 3-2-4, 5-1-3'
    assert MYRMIDONS.words('text.possible', square='b7', types=types) in rows
    assert 'To be deployed' in MYRMIDONS.text(view(deployment(2)))
