"""Games with secrets: a curtain between people at one screen, arranging in secret, dragging, pencil marks,
fights."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca.game import games, load
from tests.browser.support import LIGHT, POST, ask, changed, new_table, point, ready, state, told

Visit = Callable[..., Page]
ARRANGED = [name for name in games() if load(name).arranged]
GET = '(path) => fetch(path).then((answer) => answer.json())'


def pair(visit: Visit, address: str, game: str) -> tuple[Page, Page]:
    """Two browsers at one table, the one of seat 0 first."""
    pages = [visit(address + LIGHT), visit(address + LIGHT)]
    made = new_table(pages[0], address, game, 'link')
    pages[1].evaluate(POST, ['/api/join', {'invite': made['invite']['token']}])
    pages[1].goto(address + made['url'])
    for page in pages:
        page.wait_for_selector('#drawing svg')
        ready(page)
    one, two = sorted(pages, key=lambda page: state(page)['seat'])
    return one, two


def open_level(page: Page) -> list[tuple[str, list[str], bool]]:
    """What can be chosen next: name, targets, whether it ends the turn."""
    seat = state(page)['seat']
    table = page.evaluate(f"fetch(location.pathname + '/view?here={seat}').then((a) => a.json())")['choices']
    level = table['levels'][-1]
    return [
        (name, [table['targets'][k] for k in pairs[::2]], index in level['commits'])
        for index, (name, *pairs) in enumerate(level['actions'])
    ]


def come(page: Page) -> None:
    """Sit down at a shared screen."""
    page.click("[data-act='here']")
    page.wait_for_selector('#drawing svg')
    expect(page.locator('#curtain')).to_be_hidden()


def by_lot(page: Page) -> list[str]:
    """Arrange by lot and seal; the names of all steps."""
    page.click("[data-act='shuffle']")
    page.wait_for_selector("[data-act='confirm']:enabled")
    view = told(page, state(page)['seat'])
    before = state(page)
    page.click("[data-act='confirm']")
    changed(page, before)
    return [*view['draft'], *view['legal']]


def drag(page: Page, start: str, end: str) -> None:
    """Drag with the mouse from one thing to another."""
    (x, y), (to_x, to_y) = point(page, start), point(page, end)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
    page.mouse.move(to_x, to_y, steps=3)
    expect(page.locator('#overlay .dragged')).to_have_count(1)
    page.mouse.up()
    expect(page.locator('#overlay .dragged')).to_have_count(0)


def drop(page: Page, start: str, end: str) -> dict[str, Any]:
    """Drag, and wait for what comes of it."""
    before = state(page)
    drag(page, start, end)
    changed(page, before)
    return told(page, before['seat'])


# ---- round one screen --------------------------------------------------------------------------------------


@pytest.mark.parametrize('game', ARRANGED)
def test_whoever_comes_to_the_screen_finds_nothing_of_the_one_before(
    visit: Visit, address: str, game: str
) -> None:
    page = visit(address + LIGHT)
    frames: list[str] = []
    page.on('websocket', lambda socket: socket.on('framereceived', lambda frame: frames.append(str(frame))))
    new_table(page, address, game)
    expect(page.locator('#curtain')).to_be_visible()
    expect(page.locator('#drawing svg')).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('#curtain') !== null")
    come(page)
    mine = by_lot(page)
    expect(page.locator('#curtain')).to_be_visible()
    # the picture, the prompt, what was said: all of it is gone, and nothing of the next one has been sent
    assert len(mine) > 3
    for text in (page.content(), frames[-1]):
        assert not any(name in text for name in mine)
    for part in ('#drawing', '#acts', '#cards', '#bubble', '#toast'):
        assert page.locator(part).inner_text() == '', part
        assert page.locator(part).locator('use, path, [id]').count() == 0, part
    assert page.locator('#overlay').locator('use, path, text').count() == 0
    assert not page.title().startswith('Your turn')
    # neither keys nor buttons look behind it
    sent = len(frames)
    for key in ('ArrowLeft', 'Home', 'h', 'u', 'p'):
        page.keyboard.press(key)
    expect(page.locator('#past')).to_be_hidden()
    assert len(frames) == sent
    page.reload()
    ready(page)
    expect(page.locator('#curtain')).to_be_visible()
    assert not any(name in page.content() for name in mine)
    # the other one arranges, without knowing how the first did
    come(page)
    assert state(page)['seat'] == 1
    assert not any(name in page.locator('#moves').inner_text() for name in mine)
    theirs = by_lot(page)
    come(page)
    assert (state(page)['seat'], state(page)['turns'], state(page)['mine']) == (0, 2, True)
    page.click("[data-drawer='settings']")
    page.click('label:has([name=log][value=notation])')
    expect(page.locator('.log')).to_contain_text(mine[0])
    page.keyboard.press('Escape')
    rows = page.locator('.log').inner_text()
    assert ' '.join(theirs) not in rows
    assert '…' not in rows


def test_whoever_brought_something_to_light_looks_before_handing_over(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT)
    new_table(page, address, 'toy')
    for coins in (3, 0):
        come(page)
        before = state(page)
        page.click(f"[data-target='do:bid-{coins}']")
        expect(page.locator('#acts .main >> text=Seal')).to_be_enabled()
        assert state(page) == before, 'a sealed choice is always confirmed'
        page.click("[data-act='confirm']")
        changed(page, before)
    come(page)
    page.mouse.click(*point(page, page.locator('#drawing .can').first.get_attribute('id') or ''))
    page.wait_for_selector('#bag.can')
    page.mouse.click(*point(page, 'bag'))
    name = told(page)['seats'][1]['name']
    page.click(f'text=Hand over to {name}')
    expect(page.locator('#curtain h2')).to_have_text(name)
    expect(page.locator('#drawing svg')).to_have_count(0)
    page.keyboard.press('Enter')
    expect(page.locator('#curtain')).to_be_hidden()
    assert state(page)['seat'] == 1
    # looking back is looking through one's own eyes
    page.keyboard.press('Home')
    expect(page.locator('#past')).to_contain_text('0 of 1')
    page.keyboard.press('End')
    expect(page.locator('#since')).to_be_hidden()


# ---- arranging ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize('game', ARRANGED)
def test_two_arrange_in_secret_and_keep_what_they_like(visit: Visit, address: str, game: str) -> None:
    one, two = pair(visit, address, game)
    one.click("[data-act='shuffle']")
    one.wait_for_selector("[data-act='confirm']:enabled")
    drawn = told(one)['draft']
    one.fill('#favourite-form input', 'The wall')
    one.keyboard.press('Enter')
    expect(one.locator('.favourites')).to_have_text('The wall')
    before = state(one)
    one.click("[data-act='clear']")
    changed(one, before)
    assert told(one)['draft'] == []
    before = state(one)
    one.click('.favourites .btn')
    changed(one, before)
    one.wait_for_selector("[data-act='confirm']:enabled")
    assert told(one)['draft'] == drawn
    version = state(two)['version']
    one.keyboard.press('Escape')  # lets go of the last step, which was only shown
    before = state(one)
    one.keyboard.press('Escape')  # takes one back
    changed(one, before)
    assert told(one)['draft'] == drawn[:-1]
    by_lot(one)
    expect(one.locator('.do')).to_contain_text('Sealed.')
    expect(one.locator("[data-act='shuffle']")).to_have_count(0)
    assert state(two)['version'] == version, 'nobody is told'
    by_lot(two)
    one.wait_for_function("() => document.body.dataset.turns === '2'")
    expect(one.locator('#moves output')).to_have_text('0 / 0')


@pytest.mark.wide
@pytest.mark.parametrize('game', ARRANGED)
def test_a_button_that_was_just_pressed_says_what_it_does_now(visit: Visit, address: str, game: str) -> None:
    """Whoever seals last and begins has the same button for something else."""
    one, two = pair(visit, address, game)
    by_lot(two)
    by_lot(one)
    one.wait_for_function("() => document.body.dataset.turns === '2'")
    expect(one.locator("[data-act='confirm']")).to_have_text('Confirm')


@pytest.mark.parametrize('game', ARRANGED)
def test_things_are_dragged_where_they_shall_stand(visit: Visit, address: str, game: str) -> None:
    one, _ = pair(visit, address, game)
    name, (start, end), _ = next(choice for choice in open_level(one) if len(choice[1]) == 2)
    assert drop(one, start, end)['draft'] == [name]
    second, (start, other), _ = open_level(one)[-1]
    assert drop(one, start, other)['draft'] == [name, second]
    # dragged onto each other they change places
    assert drop(one, end, other)['draft'] == [second, name]
    # and what leads nowhere is let go
    before = state(one)
    hand = open_level(one)[0][1][0]
    drag(one, hand, open_level(one)[1][1][0])
    assert state(one) == before
    expect(one.locator('.chosen')).to_have_count(0)


@pytest.mark.parametrize('game', ARRANGED)
def test_a_turn_of_many_steps_is_made_by_pulling(visit: Visit, address: str, game: str) -> None:
    pulls: list[tuple[str, list[str], bool]] = []
    while len({pull[1][0] for pull in pulls}) < 2:  # hangs on where things were put by lot
        one, two = pair(visit, address, game)
        by_lot(one)
        by_lot(two)
        one.wait_for_function("() => document.body.dataset.mine === 'true'")
        _, targets, _ = next(choice for choice in open_level(one) if not choice[2])
        before = state(one)
        for target in targets:
            one.mouse.click(*point(one, target))
        changed(one, before)
        pulls = [choice for choice in open_level(one) if not choice[2] and len(choice[1]) == 2]
    first = pulls[0]
    assert drop(one, *first[1])['draft'][1:] == [first[0]]
    # the same again, otherwise; and another before it: what was chosen stays
    again = next((pull for pull in pulls[1:] if pull[1][0] == first[1][0]), None)
    if again:
        assert drop(one, *again[1])['draft'][1:] == [again[0]]
    more = next(pull for pull in pulls if pull[1][0] != first[1][0])
    draft = drop(one, *more[1])['draft']
    assert {more[0], (again or first)[0]} == set(draft[1:])
    # taken out by a second click
    before = state(one)
    one.mouse.click(*point(one, more[1][0]))
    one.mouse.click(*point(one, more[1][0]))
    changed(one, before)
    assert told(one)['draft'][1:] == [(again or first)[0]]
    # steppers and other buttons in cards and drawings do the same
    button = one.locator('[data-action], [data-redraft]').first
    if button.count():
        before = state(one)
        button.dispatch_event('click')
        changed(one, before)
        assert told(one)['draft']
    before = state(one)
    one.keyboard.press('Enter')
    changed(one, before)
    assert state(one)['turns'] == 3
    two.wait_for_function("() => document.body.dataset.turns === '3'")
    assert '…' not in two.locator('.log').inner_text()


@pytest.mark.parametrize('game', ARRANGED)
def test_a_finger_drags_on_a_phone(visit: Visit, address: str, game: str) -> None:
    page = visit(address + LIGHT, 390, 844, touch=True)
    new_table(page, address, game)
    come(page)
    assert page.evaluate('document.documentElement.scrollWidth') <= 390
    name, (start, end), _ = next(choice for choice in open_level(page) if len(choice[1]) == 2)
    (x, y), (to_x, to_y) = point(page, start), point(page, end)
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *at: float) -> None:
        places = [{'x': at[0], 'y': at[1]}] if at else []
        fingers.send('Input.dispatchTouchEvent', {'type': kind, 'touchPoints': places})

    before = state(page)
    touch('touchStart', x, y)
    for k in range(1, 6):
        touch('touchMove', x + (to_x - x) * k / 5, y + (to_y - y) * k / 5)
    touch('touchEnd')
    changed(page, before)
    assert told(page, 0)['draft'] == [name]
    assert page.evaluate('scrollY') == 0, 'the page has not scrolled'
    page.tap("[data-act='shuffle']")
    page.wait_for_selector("[data-act='confirm']:enabled")
    page.tap("[data-act='confirm']")
    expect(page.locator('#curtain')).to_be_visible()


# ---- pencil marks ------------------------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.parametrize('game', ARRANGED)
def test_pencil_marks_are_made_by_a_right_click_and_stay(visit: Visit, address: str, game: str) -> None:
    one, two = pair(visit, address, game)
    for page in (one, two):
        by_lot(page)
    one.wait_for_function("() => document.body.dataset.mine === 'true'")
    pieces = one.eval_on_selector_all('#drawing .piece[id]', '(all) => all.map((one) => one.id)')
    element = next(piece for piece in pieces if ask(one, 'pencils', element=piece)['labels'])
    label = ask(one, 'pencils', element=element)['labels'][-1]
    plain = one.locator(f'#{element}').inner_html()
    theirs = two.locator('#drawing').inner_html()
    one.mouse.click(*point(one, element), button='right')
    expect(one.locator('#pencil')).to_be_visible()
    one.click(f'#pencil .labels >> text="{label}"')
    one.wait_for_function(
        '([id, plain]) => document.getElementById(id).innerHTML !== plain', arg=[element, plain]
    )
    assert told(one)['notes'] == {element: [label]}
    one.keyboard.press('Escape')
    expect(one.locator('#pencil')).to_be_hidden()
    one.reload()
    ready(one)
    marked = one.locator(f'#{element}').inner_html()
    assert marked != plain
    assert two.locator('#drawing').inner_html() == theirs
    assert told(two)['notes'] == {}
    # by the keyboard it is rubbed out
    one.mouse.move(*point(one, element))
    one.wait_for_timeout(60)
    one.keyboard.press('p')
    one.click(f'#pencil .labels >> text="{label}"')
    one.wait_for_function(
        '([id, marked]) => document.getElementById(id).innerHTML !== marked', arg=[element, marked]
    )
    assert told(one)['notes'] == {}
    one.keyboard.press('Escape')
    # what was deduced for me can be left out
    one.click("[data-drawer='settings']")
    one.click('.switch:has([name=deductions])')
    one.wait_for_function(
        "() => fetch('/api/me').then((a) => a.json()).then((me) => me.settings.deductions === false)"
    )


# ---- fights ------------------------------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.parametrize('game', ARRANGED)
def test_a_fight_is_played_also_when_looking_back(visit: Visit, address: str, game: str) -> None:
    page = visit(address + LIGHT, motion=True)
    rng, fight = random.Random(3), 0
    while not fight:
        made = new_table(page, address, game)
        path = f'/api{made["url"]}'
        for seat in range(2):
            last = page.evaluate(POST, [f'{path}/shuffle', {'seat': seat}])['last']
            view = page.evaluate(POST, [f'{path}/act', {'seat': seat, 'steps': last}])
        while not (fight or view['result']):
            view = page.evaluate(POST, [f'{path}/act', {'steps': rng.choice(view['legal'])}])
            if any('attacker_face' in event['values'] for event in view['last']):
                fight = view['turns']
    if not view['result']:
        page.evaluate(POST, [f'{path}/resign', {}])
    page.reload()
    ready(page)
    stage = page.locator('#overlay .fight')
    expect(stage).to_have_count(0)
    for still in (False, True):
        page.emulate_media(reduced_motion='reduce' if still else 'no-preference')
        page.locator(f".log [data-at='{fight - 1}']").dispatch_event('click')  # it may be in a drawer
        page.wait_for_timeout(80)
        page.keyboard.press('ArrowRight')
        expect(stage).to_have_count(1)
        assert stage.locator('use').count() == 2
        assert (
            page.evaluate("document.querySelector('.fight').getAnimations({subtree: true}).length > 1")
            != still
        )
        expect(stage).to_have_count(0, timeout=4000)


BACKS = """() => {
    const look = () => {
        const faces = [...document.querySelectorAll('#drawing .piece')].map((piece) => piece.querySelector('.cover') ?? piece);
        const backs = faces.filter((face) => face.querySelector("use[href*='back']")).length;
        const seen = [document.querySelector('#overlay .fight') ? 'fight' : '', backs ? 'backs' : ''].join(' ');
        if (seen !== window.seen.at(-1)) window.seen.push(seen);
    };
    window.seen = [];
    new MutationObserver(look).observe(document.body, {childList: true, subtree: true, attributes: true});
}"""  # noqa: E501


@pytest.mark.wide
def test_the_end_turns_no_piece_over_before_the_last_fight_has_been_seen(visit: Visit, address: str) -> None:
    rng, fights = random.Random(5), False
    while not fights:
        one, two = pair(visit, address, 'myrmidons')
        path = f'/api{one.evaluate("location.pathname")}'
        for page in (one, two):
            last = page.evaluate(POST, [f'{path}/shuffle', {}])['last']
            page.evaluate(POST, [f'{path}/act', {'steps': last}])
        one.emulate_media(reduced_motion='no-preference')
        one.evaluate(BACKS)
        view = one.evaluate(GET, path)
        while not view['result']:
            page = one if view['to_move'] == [0] else two
            legal = page.evaluate(GET, path)['legal']
            view = page.evaluate(POST, [f'{path}/act', {'steps': rng.choice(legal)}])
        fights = any('attacker_face' in event['values'] for event in view['last'])
    one.wait_for_selector('#result .result')
    assert one.evaluate('window.seen').pop() == ' ', 'all pieces lie open in the end'
    assert 'fight ' not in one.evaluate('window.seen')
    before = one.evaluate('window.seen').index(' ')
    assert one.evaluate('window.seen')[before - 1] == 'fight backs'


# ---- a new table -------------------------------------------------------------------------------------------


def test_the_dialog_says_what_does_not_go_together_and_keeps_what_was_chosen(
    visit: Visit, address: str
) -> None:
    page = visit(address)
    page.click("[data-dialog='new']")
    dialog = page.locator('#new')
    dialog.locator('label:has([name=game][value=toy])').click()
    page.select_option('[data-fill]', 'here')
    dialog.locator('label:has([name=players-toy][value="4"])').click()
    dialog.locator("[data-for-game='toy'] .more summary").click()
    page.check('[name=option-toy-long][role=switch]')
    dialog.locator('[type=submit]').click()
    expect(dialog.locator('.problem')).to_contain_text('two or three players')
    assert page.is_checked('[name=option-toy-long][role=switch]')
    dialog.locator('label:has([name=players-toy][value="3"])').click()
    dialog.locator('[type=submit]').click()
    page.wait_for_url('**/tables/*')
    ready(page)
    assert told(page)['options'] == {'long': True}
