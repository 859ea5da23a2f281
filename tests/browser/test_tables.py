"""Whole games and parts of games, by clicks, touch and keys."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ludoteca.text import words
from tests.browser.support import (
    LIGHT,
    actions,
    ask,
    at_table,
    changed,
    finger,
    my_turn,
    new_table,
    on_card,
    open_from_card,
    over,
    play,
    point,
    ready,
    shifts,
    state,
    told,
)
from tests.width import width

Visit = Callable[..., Page]
SHOWN = """() => [document.getElementById('players').innerText, document.getElementById('cards').innerText,
    [...document.querySelectorAll('#drawing [id]')].map((one) => one.id).sort()]"""


def test_a_guest_plays_a_whole_game_against_a_bot_by_clicks(visit: Visit, address: str) -> None:
    """Narrow, the first turns by clicks."""
    page = visit(address)
    page.click("[data-dialog='new']")
    dialog = page.locator('#new')
    dialog.locator('label:has([name=game][value=octiles])').click()
    page.select_option('[name=seats-2]', 'bot-beginner')
    dialog.locator('[type=submit]').click()
    page.wait_for_url('**/tables/*')
    ready(page)
    for turn in range(150):
        my_turn(page)
        if over(page):
            break
        if turn == 5:
            for value, moved in shifts(page):
                assert 'felt' not in moved, 'the board stays where it is'
                assert value < 0.01, moved
        hint, before = ask(page, 'hint'), state(page)
        if turn < width(5, 150):
            play(page, hint['steps'])
        else:  # the rest of the game
            ask(page, 'act', steps=hint['turn'])
            changed(page, before)
    expect(page.locator('.table-card.result h2')).to_contain_text('win')
    assert page.locator('.log [data-at]').count() > 15
    old = page.url
    page.click('#result >> text=Rematch')
    page.wait_for_url(lambda url: url != old)
    ready(page)
    assert state(page)['turns'] <= 1


def test_who_chooses_green_in_the_dialog_plays_green(visit: Visit, address: str) -> None:
    page = visit(address)
    page.click("[data-dialog='new']")
    dialog = page.locator('#new')
    dialog.locator('label:has([name=game][value=octiles])').click()
    page.select_option('[name=seats-1-colour]', 'green')
    # a level that is not offered with so many players gives way to the next weaker one, and cannot be chosen
    level = dialog.locator('[name=seats-2]')
    two = level.locator('option:enabled').all_text_contents()
    level.select_option('bot-very-hard')
    dialog.locator('label:has([name=players-octiles][value="3"])').click()
    expect(level).to_have_value('bot-hard')
    three = level.locator('option:enabled').all_text_contents()
    assert set(two) - set(three) == {'Bot, very hard'}
    assert not level.locator('option:disabled').evaluate_all(
        '(all) => all.filter((one) => !one.hidden).length'
    )
    dialog.locator('label:has([name=game][value=myrmidons])').click()
    expect(level).to_have_value('bot-medium')
    dialog.locator('label:has([name=game][value=octiles])').click()
    dialog.locator('label:has([name=players-octiles][value="2"])').click()
    level.select_option('bot-easy')
    dialog.locator('[type=submit]').click()
    page.wait_for_url('**/tables/*')
    ready(page)
    own = page.locator('#players .pl.seat-green')
    expect(own.locator('.about')).to_contain_text('Green')
    expect(own).to_have_class(re.compile(r'\bown\b'))
    expect(page.locator("#drawing use[href='#octiles-circle-green']")).to_have_count(5)
    my_turn(page)
    assert 'favicon-green' in (page.locator('link[rel=icon]').get_attribute('href') or '')
    # in the settings one can say so for good
    page.click("[data-drawer='settings']")
    page.locator('#settings-form label:has([name=colour][value=purple])').click()
    page.wait_for_function(
        "fetch('/api/me').then((a) => a.json()).then((me) => me.settings.colour === 'purple')"
    )
    page.goto(address)
    open_from_card(page, 'Here together')
    ready(page)
    assert 'purple' in {seat['colour'] for seat in told(page)['seats']}


@pytest.mark.wide
def test_a_colour_is_chosen_while_a_table_waits(visit: Visit, address: str) -> None:
    host = visit(address)
    open_from_card(host, 'Invite')
    ready(host)
    host.click("[data-act='colour'][data-colour='red']")
    expect(host.locator('#players .pl.seat-red')).to_have_count(1)
    friend = visit(host.input_value('.invites input'))
    friend.fill('#name', 'Zoe')
    friend.press('#name', 'Enter')
    expect(friend.locator('.invitation button')).to_have_text('Sit down as Zoe')
    friend.click('text=Sit down')
    ready(friend)
    host.wait_for_selector('#drawing svg')
    for page, mine in ((host, True), (friend, False)):
        expect(page.locator('#players .pl.seat-red')).to_have_count(1)
        assert (page.locator('#players .pl.seat-red.own').count() == 1) == mine


def test_a_waiting_table_is_closed_only_after_a_question(visit: Visit, address: str) -> None:
    host = visit(address)
    open_from_card(host, 'Invite')
    ready(host)
    link = host.input_value('.invites input')
    host.click('text=Close the table')
    host.click('#ask-shut >> text=Keep it open')
    expect(host.locator('#ask-shut')).to_be_hidden()
    friend = visit(link)
    expect(friend.locator('.invitation button')).to_be_visible()
    host.click('text=Close the table')
    host.click("#ask-shut button[value='yes']")
    host.wait_for_url(f'{address}/')
    friend.click('text=Sit down')
    expect(friend.locator('.notice')).to_be_visible()


def test_who_waits_at_a_table_that_is_closed_is_told_and_shown_the_way_on(visit: Visit, address: str) -> None:
    host = visit(address + LIGHT, 390, 844, touch=True)
    new_table(host, address, 'myraclia', 'link', players=5)
    friend = visit(host.locator('.invites input').first.input_value())
    friend.click('text=Sit down')
    ready(friend)
    shut = host.get_by_role('button', name='Close the table')
    card, shown = host.locator('.table-card').bounding_box(), shut.bounding_box()
    assert card
    assert shown
    assert card['y'] + card['height'] > shown['y'] + shown['height'], 'all of the card is in sight'
    shut.tap()
    host.locator("#ask-shut button[value='yes']").tap()
    host.wait_for_url(f'{address}/')
    expect(friend.locator('.do')).to_contain_text('has closed this table')
    friend.locator('#acts a').click()
    friend.wait_for_url(f'{address}/')


def test_hot_seat_passes_the_seat_by_itself(visit: Visit, address: str) -> None:
    page = at_table(visit, address)
    first, second = (seat['name'] for seat in told(page)['seats'])
    assert {first, second} == {'Blue', 'Yellow'}
    expect(page.locator('.log .start')).to_contain_text(words('web.table.begins.drawn', first=first))
    for turn, name in enumerate((first, second, first)):
        expect(page.locator('.do')).to_contain_text(f'{name}: ')
        play(page, ask(page, 'hint')['steps'])
        assert state(page)['turns'] == turn + 1
        assert state(page)['mine']


def test_two_browsers_see_each_committed_turn_and_no_draft(visit: Visit, address: str) -> None:
    host = visit(address + LIGHT)
    new_table(host, address, 'octiles', 'link', hints=True)
    link = host.input_value('.invites input')
    friend = visit(link)
    friend.click('text=Sit down')
    ready(friend)
    host.wait_for_selector('#drawing svg')
    first, second = (host, friend) if state(host)['mine'] else (friend, host)
    steps = ask(first, 'hint')['steps']
    play(first, steps[:1])
    assert state(first)['version'] == 1
    assert state(second)['version'] == 0
    assert first.locator('.lifted').count() == 1
    assert second.locator('.lifted').count() == 0
    play(first, steps[1:])
    second.wait_for_function("() => document.body.dataset.turns === '1'")
    my_turn(second)
    # the link opens nothing any more
    third = visit(link)
    expect(third.locator('.notice')).to_contain_text(words('store.error.full'))
    # a reconnect finds the present view again
    second.context.set_offline(True)
    second.evaluate('window.dispatchEvent(new Event("offline"))')
    second.context.set_offline(False)
    second.reload()
    ready(second)
    assert state(second)['turns'] == 1
    play(second, ask(second, 'hint')['steps'])
    first.wait_for_function("() => document.body.dataset.turns === '2'")
    # they talk
    first.click("[data-drawer='chat']")
    first.fill('#chat-form input', '<b>well played</b>')
    first.keyboard.press('Enter')
    expect(second.locator('#chat')).to_contain_text('<b>well played</b>')
    expect(second.locator("[data-drawer='chat'] .n")).to_have_text('1')


def test_history_by_arrow_keys(visit: Visit, address: str) -> None:
    page = at_table(visit, address)
    for _ in range(3):
        play(page, ask(page, 'hint')['steps'])
    tiles = page.locator('.tile').count()
    page.set_viewport_size({'width': 1024, 'height': 768})
    board = page.locator('#felt').bounding_box()
    page.keyboard.press('ArrowLeft')
    expect(page.locator('#past')).to_be_visible()
    expect(page.locator('#past')).to_contain_text('2 of 3')
    page.wait_for_selector('body.looking-back')
    assert page.locator('#felt').bounding_box() == board, 'the board stays where it is'
    page.keyboard.press('Home')
    expect(page.locator('#past')).to_contain_text('0 of 3')
    expect(page.locator('.tile')).to_have_count(0)
    page.keyboard.press('ArrowRight')
    expect(page.locator('.tile')).to_have_count(1)
    page.click(".log [data-at='2']")
    expect(page.locator('#moves output')).to_have_text('2 / 3')
    page.keyboard.press('End')
    page.keyboard.press('Enter')
    expect(page.locator('#past')).to_be_hidden()
    expect(page.locator('.tile')).to_have_count(tiles)
    play(page, ask(page, 'hint')['steps'])


def test_a_phone_by_touch(visit: Visit, address: str) -> None:
    page = visit(address, 390, 844, touch=True)
    open_from_card(page, 'Here together', touch=True)
    ready(page)
    assert page.evaluate('document.documentElement.scrollWidth') <= 390
    for turn in range(3):
        before = state(page)
        # tap a place, one where the tile can be turned if there is any: the tile lies there as a draft
        places = [targets[0] for _, targets, _ in actions(page) if len(targets) == 1]
        place = max(places, key=places.count)
        finger(page, place)
        changed(page, before)
        laid = state(page)
        confirm = page.locator("[data-act='confirm']")
        if places.count(place) > 1:
            # turn it by the button
            page.tap("[data-act='turn']")
            changed(page, laid)
            laid = state(page)
        # a runner by tapping: nothing is committed before Confirm
        if not confirm.is_enabled():
            moves = page.evaluate(
                "fetch('/api' + location.pathname).then((a) => a.json()).then((v) => v.legal)"
            )
            start, end = moves[0].split('-')
            finger(page, f'post-{start}')
            if not confirm.is_enabled():
                finger(page, f'post-{end}')
        assert state(page)['turns'] == turn
        page.tap("[data-act='confirm']")
        changed(page, laid)
        assert state(page)['turns'] == turn + 1


def test_the_keyboard_alone(visit: Visit, address: str) -> None:
    page = visit(address)
    on_card(page, 'Here together').focus()
    page.keyboard.press('Enter')
    page.locator("#new [type='submit']").press('Enter')
    ready(page)
    page.focus('#drawing .can[tabindex="0"]')
    page.keyboard.press('ArrowUp')
    page.keyboard.press('ArrowDown')
    assert page.evaluate("document.activeElement.closest('#drawing') !== null")
    first = page.evaluate("document.querySelector('#drawing [id^=space-].can').id")
    page.focus(f'#{first}')
    before = state(page)
    page.keyboard.press('r')
    page.keyboard.press('Enter')
    changed(page, before)
    assert state(page)['turns'] == 0
    laid = state(page)
    page.keyboard.press('u')
    changed(page, laid)
    assert page.locator('.lifted').count() == 0
    undone = state(page)
    page.focus(f'#{first}')
    page.keyboard.press('Enter')
    changed(page, undone)
    laid = state(page)
    if page.locator("[data-act='confirm']").is_enabled():
        page.evaluate('document.activeElement.blur()')
        page.keyboard.press('Enter')
    else:
        ends = page.evaluate("fetch('/api' + location.pathname).then((a) => a.json()).then((v) => v.legal)")
        for post in ends[0].split('-'):
            page.focus(f'#post-{post}')
            page.keyboard.press('Enter')
    changed(page, laid)
    assert state(page)['turns'] == 1
    expect(page.locator('#speak')).to_contain_text('lays a tile')


def test_a_refused_click_says_why(visit: Visit, address: str) -> None:
    page = at_table(visit, address)
    page.mouse.click(*point(page, 'space-e3'))
    expect(page.locator('#about .why')).to_contain_text('path')
    page.locator('#about-text').click()  # it is read, and put away
    expect(page.locator('#about')).to_be_hidden()
    page.mouse.click(*point(page, 'post-F3'))
    expect(page.locator('#about .why')).to_contain_text('belongs to')


def test_draft_is_chosen_anew_and_taken_back(visit: Visit, address: str) -> None:
    page = visit(address)
    places = page.locator('#drawing .can[id^=space]')
    while places.count() < 2:  # some first tiles have a single place
        page.goto(address)
        open_from_card(page, 'Here together')
        ready(page)
    ids = [places.nth(k).get_attribute('id') or '' for k in range(2)]
    for target in ids:
        before = state(page)
        page.mouse.click(*point(page, target))
        changed(page, before)
        expect(page.locator('.lifted')).to_have_id(target.replace('space', 'tile'))
    before = state(page)
    page.keyboard.press('Escape')
    changed(page, before)
    expect(page.locator('.lifted')).to_have_count(0)


@pytest.mark.wide
def test_runner_travels_and_reduced_motion_is_honoured(visit: Visit, address: str) -> None:
    for motion in (True, False):
        page = at_table(visit, address, motion=motion)
        page.evaluate("""() => {
            window.moved = [];
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...a) { window.moved.push(this.id); return animate.apply(this, a); };
        }""")  # noqa: E501
        play(page, ask(page, 'hint')['steps'])
        page.wait_for_timeout(50)
        moved = page.evaluate('window.moved')
        assert any(element.startswith('runner-') for element in moved) == motion
        if not motion:
            # nothing else moves, and nothing is missing that a page opened now would show
            assert moved == []
            shown = page.evaluate(SHOWN)
            page.reload()
            ready(page)
            assert page.evaluate(SHOWN) == shown


def test_resign_and_settings(visit: Visit, address: str) -> None:
    page = visit(address)
    on_card(page, 'Play a bot').click()
    ready(page)
    page.click("[data-drawer='settings']")
    page.click('label:has([value=dark])')
    assert page.evaluate('document.documentElement.dataset.theme') == 'dark'
    page.click('.switch:has([name=coordinates])')
    expect(page.locator('#drawing .coordinate')).to_have_count(0)
    page.reload()
    ready(page)
    assert page.evaluate('document.documentElement.dataset.theme') == 'dark'
    page.click("[data-drawer='rules']")
    expect(page.locator('#drawer-rules .reading h1')).to_have_text('Octiles')
    page.click("[data-drawer='menu']")
    page.click("#menu [data-act='resign']")
    page.click("#ask-resign [value='yes']")
    expect(page.locator('.table-card.result')).to_contain_text('resigned')
    expect(page.locator('#drawer-menu')).to_be_hidden()  # it makes way for the result
    assert page.title().startswith('Octiles, over')


@pytest.mark.wide
def test_title_and_favicon_tell_whose_turn_it_is(visit: Visit, address: str) -> None:
    page = at_table(visit, address)
    assert page.title().startswith('Your turn')
    table = page.evaluate('async () => (await fetch("/api" + location.pathname)).json()')
    colour = table['seats'][table['to_move'][0]]['colour']  # who begins is drawn
    assert f'favicon-{colour}.svg' in (page.get_attribute('#favicon', 'href') or '')


def test_a_runner_is_dragged_to_where_it_runs(visit: Visit, address: str) -> None:
    page = at_table(visit, address)
    play(page, ask(page, 'hint')['steps'][:1])
    start, end = ask(page, 'hint')['turn'].split('-')
    before = state(page)
    page.mouse.move(*point(page, f'post-{start}'))
    page.mouse.down()
    # away from all posts it is let go
    page.mouse.move(*point(page, 'stack'), steps=4)
    expect(page.locator('#overlay .dragged')).to_have_count(1)
    page.mouse.up()
    expect(page.locator('#overlay .dragged')).to_have_count(0)
    assert state(page) == before
    page.mouse.move(*point(page, f'post-{start}'))
    page.mouse.down()
    page.mouse.move(*point(page, f'post-{end}'), steps=4)
    page.mouse.up()
    changed(page, before)
    assert state(page)['turns'] == 1
    expect(page.locator('.log')).to_contain_text(f'ran from {start} to {end}')


@pytest.mark.wide
def test_trying_again_asks_first_and_says_that_the_game_is_not_rated(visit: Visit, address: str) -> None:
    page = visit(address)
    on_card(page, 'Play a bot').click()
    ready(page)
    my_turn(page)
    before = told(page)['position']
    play(page, ask(page, 'hint')['steps'])
    my_turn(page)
    page.click("[data-drawer='menu']")
    page.click("#menu [data-act='retry']")
    dialog = page.locator('#ask-retry')
    expect(dialog).to_contain_text('will not be rated')
    dialog.locator("[value='no']").click()
    assert told(page)['rated']
    page.click("#menu [data-act='retry']")
    dialog.locator("[value='yes']").click()
    expect(page.locator('#heading')).to_contain_text('not rated')
    assert told(page)['position'] == before
    # while one looks back it can be said of any own turn, and nothing is asked any more
    turns = state(page)['turns']
    play(page, ask(page, 'hint')['steps'])
    page.wait_for_function(
        '(turns) => Number(document.body.dataset.turns) === turns + 2', arg=turns
    )  # the bot, too
    my_turn(page)
    page.keyboard.press('ArrowLeft')
    page.keyboard.press('ArrowLeft')
    page.click('#again button')
    expect(page.locator('#past')).to_be_hidden()
    my_turn(page)
    assert told(page)['position'] == before


def test_undo_takes_back_the_last_turn_where_none_is_begun(visit: Visit, address: str) -> None:
    """Against a bot, after a question; Escape does not."""
    page = visit(address + LIGHT)
    new_table(page, address, 'octiles', 'bot', level='beginner')
    my_turn(page)
    undo = page.locator("#acts [data-act='undo']")
    expect(undo).to_be_disabled()
    turns = state(page)['turns']
    before = state(page)
    ask(page, 'act', steps=ask(page, 'hint')['turn'])
    changed(page, before)
    my_turn(page)
    page.keyboard.press('Escape')
    expect(page.locator('#ask-retry')).to_be_hidden()
    undo.click()
    page.click("#ask-retry button[value='yes']")
    page.wait_for_function('(turns) => Number(document.body.dataset.turns) === turns', arg=turns)
