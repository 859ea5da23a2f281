"""A line-up is laid in any order of squares: what is dropped lies where it was dropped."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import LIGHT, changed, new_table, point, ready, state, told
from tests.browser.test_secrets import drag, pair
from tests.width import width

Visit = Callable[..., Page]
GAME = 'myrmidons'
LAID = 'arrangement'


def side(page: Page) -> str:
    """The rank of the own line-up."""
    return '17'[state(page)['seat']]


def lies(page: Page) -> dict[str, str]:
    """What lies on the own squares, as the picture says it: values by square."""
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('#drawing .piece.movable')].map((piece) => {
        const [square, rest] = piece.getAttribute('aria-label').split(':');
        return [square, rest.match(/\\d-\\d-\\d|Commander/)[0].replace('Commander', '1-1-1')];
    }))"""
    )
    return found


def put(page: Page, start: str, square: str, *, touch: bool = False) -> None:
    """Drag from the hand or from a square to a square of the own side, by mouse or by finger."""
    start = f'piece-{state(page)["seat"]}-{start}' if start[0] in 'abcdef' else f'hand-{start}'
    if not touch:
        drag(page, start, f'sq-{square}')
        return
    (x, y), (to_x, to_y) = point(page, start), point(page, f'sq-{square}')
    fingers = page.context.new_cdp_session(page)
    fingers.send('Input.dispatchTouchEvent', {'type': 'touchStart', 'touchPoints': [{'x': x, 'y': y}]})
    for k in range(1, 6):
        at = {'x': x + (to_x - x) * k / 5, 'y': y + (to_y - y) * k / 5}
        fingers.send('Input.dispatchTouchEvent', {'type': 'touchMove', 'touchPoints': [at]})
    fingers.send('Input.dispatchTouchEvent', {'type': 'touchEnd', 'touchPoints': []})


def lie(page: Page, wanted: dict[str, str]) -> None:
    """Wait until exactly these pieces lie on the own side."""
    squares = {square + side(page): type_ for square, type_ in wanted.items()}
    for square, type_ in squares.items():
        expect(page.locator(f'#drawing .piece.movable[aria-label^="{square}:"]')).to_have_count(1)
        page.wait_for_function(
            "([square, type]) => document.querySelector(`#drawing .piece.movable[aria-label^='${square}:']`)"
            "?.getAttribute('aria-label').includes(type)",
            arg=[square, type_.replace('1-1-1', 'Commander')],
        )
    expect(page.locator('#drawing .piece.movable')).to_have_count(len(squares))
    assert lies(page) == squares


@pytest.mark.parametrize('touch', width([True], [False, True]))
def test_a_piece_lies_where_it_was_dropped_in_any_order(visit: Visit, address: str, touch: bool) -> None:
    page = visit(address + LIGHT, **({'width': 390, 'height': 844, 'touch': True} if touch else {}))
    new_table(page, address, GAME, 'bot', level='easy')
    seal = page.locator('#acts .btn.main:not([hidden])')
    rank = side(page)
    wanted: dict[str, str] = {}
    for square, type_ in zip('dfacbe', ('1-1-1', '5-1-3', '1-3-5', '3-2-4', '2-5-2', '4-4-1'), strict=True):
        expect(seal).to_be_disabled()
        put(page, type_, f'{square}{rank}', touch=touch)
        wanted[square] = type_
        lie(page, wanted)
        if len(wanted) in (2, 4):
            page.reload()
            ready(page)
            lie(page, wanted)
    expect(seal).to_have_text('Seal⏎')
    expect(seal).to_be_enabled()
    # pieces change places, also with one that was laid ahead
    put(page, f'd{rank}', f'f{rank}', touch=touch)
    wanted |= {'d': wanted['f'], 'f': wanted['d']}
    lie(page, wanted)
    before = state(page)
    seal.tap() if touch else seal.click()
    changed(page, before)
    page.wait_for_function('() => Number(document.body.dataset.turns) >= 2')
    view = told(page)
    own = {
        piece['at'][0]: piece['type']
        for piece in view['position']['pieces']
        if piece['owner'] == state(page)['seat']
    }
    if view['turns'] == 2:
        assert own == wanted


def test_what_is_dragged_can_be_clicked_and_chosen_by_the_keyboard(visit: Visit, address: str) -> None:
    """In any order: a click on a piece and one on its square; a click on what lies takes it back."""
    page = visit(address + LIGHT)
    new_table(page, address, GAME, 'bot', level='easy')
    rank, seat = side(page), state(page)['seat']

    def click(thing: str) -> None:
        page.mouse.move(*point(page, thing))
        page.mouse.click(*point(page, thing))

    wanted: dict[str, str] = {}
    for square, type_ in zip('dfa', ('1-1-1', '5-1-3', '1-3-5'), strict=True):
        click(f'hand-{type_}')
        click(f'sq-{square}{rank}')
        wanted[square] = type_
        lie(page, wanted)
    click(f'piece-{seat}-d{rank}')
    del wanted['d']
    lie(page, wanted)
    # the keyboard lays a piece on the next square that is free
    for square, type_ in zip('bc', ('1-1-1', '3-2-4'), strict=True):
        for thing in (f'#hand-{type_}', f'#sq-{square}{rank}'):
            page.focus(thing)
            page.keyboard.press('Enter')
        wanted[square] = type_
        lie(page, wanted)


@pytest.mark.wide
def test_what_was_laid_is_taken_back_in_the_order_in_which_it_was_laid(visit: Visit, address: str) -> None:
    one, two = pair(visit, address, GAME)
    theirs = two.evaluate('fetch(`${location.pathname}/view`).then((a) => a.json())')
    version = state(two)
    rank, wanted = side(one), {}
    for square, type_ in (('e', '5-1-3'), ('a', '1-3-5'), ('c', '4-4-1')):
        put(one, type_, f'{square}{rank}')
        wanted[square] = type_
        lie(one, wanted)
    one.keyboard.press('Escape')
    del wanted['c']
    lie(one, wanted)
    one.click("[data-act='undo']")
    del wanted['a']
    lie(one, wanted)
    assert told(one)['draft'] == []
    # to another free square, onto one from the hand, back into the hand
    put(one, f'e{rank}', f'b{rank}')
    lie(one, {'b': '5-1-3'})
    put(one, '2-5-2', f'b{rank}')
    lie(one, {'b': '2-5-2'})
    put(one, '5-1-3', f'a{rank}')
    lie(one, {'a': '5-1-3', 'b': '2-5-2'})
    assert told(one)['draft'] == ['deploy 5-1-3', 'deploy 2-5-2']
    one.mouse.click(*point(one, f'sq-a{rank}'))
    lie(one, {'b': '2-5-2'})
    one.mouse.click(*point(one, 'hand-3-2-4'))
    expect(one.locator('#acts .btn.main:not([hidden])')).to_be_disabled()
    one.mouse.click(*point(one, f'sq-f{rank}'))
    lie(one, {'b': '2-5-2', 'f': '3-2-4'})
    # all away
    one.click("[data-act='clear']")
    lie(one, {})
    expect(one.locator("[data-act='clear']")).to_be_disabled()
    # nobody else has noticed anything
    assert state(two) == version
    assert two.evaluate('fetch(`${location.pathname}/view`).then((a) => a.json())') == theirs


@pytest.mark.wide
def test_shuffle_and_favourites_take_the_place_of_what_was_laid(visit: Visit, address: str) -> None:
    one, _ = pair(visit, address, GAME)
    rank, line = (
        side(one),
        dict(zip('fedcba', ('1-1-1', '5-1-3', '1-3-5', '3-2-4', '2-5-2', '4-4-1'), strict=True)),
    )
    laid: dict[str, str] = {}
    for square, type_ in line.items():
        put(one, type_, f'{square}{rank}')
        laid[square] = type_
        lie(one, laid)
    one.fill('#favourite-form input', 'The wall')
    one.keyboard.press('Enter')
    expect(one.locator('.favourites')).to_have_text('The wall')
    one.click("[data-act='clear']")
    lie(one, {})
    put(one, '1-1-1', f'c{rank}')
    lie(one, {'c': '1-1-1'})
    one.click("[data-act='shuffle']")
    one.wait_for_selector("[data-act='confirm']:enabled")
    assert told(one)['notes'] == {}
    before = state(one)
    put(one, f'a{rank}', f'f{rank}')  # a gap at the beginning: all else stays
    changed(one, before)
    expect(one.locator('#drawing .piece.movable')).to_have_count(5)
    one.click('.favourites .btn')
    one.wait_for_selector("[data-act='confirm']:enabled")
    assert [step.split()[1] for step in (*told(one)['draft'], *told(one)['legal'])] == [
        line[square] for square in 'abcdef'
    ]
    before = state(one)
    one.click("[data-act='confirm']")
    changed(one, before)
    expect(one.locator('.do')).to_contain_text('Sealed.')
