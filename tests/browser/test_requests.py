"""What people ask of each other at a table is told to all of them, however it ends."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from ludoteca.text import words
from tests.browser.support import LIGHT, POST, actions, changed, new_table, own_name, ready, state

Visit = Callable[..., Page]


def at_one_table(visit: Visit, address: str, people: int) -> list[Page]:
    """So many people at a table of Myriath, in the order in which they move."""
    pages = [visit(address + LIGHT)]
    new_table(pages[0], address, 'myriath', 'link', players=people)
    for _ in range(people - 1):
        pages.append(visit(pages[0].input_value('.invites input')))
        pages[-1].click('text=Sit down')
        ready(pages[-1])
        expect(pages[0].locator('#players .pl.open')).to_have_count(people - len(pages))
    for page in pages:
        page.wait_for_selector('#drawing svg')
    return sorted(pages, key=lambda page: state(page)['seat'])


def play(pages: list[Page], seat: int) -> None:
    """One turn through the interface, which everybody sees."""
    before = [state(page) for page in pages]
    while state(pages[seat])['mine']:
        now = state(pages[seat])
        name = actions(pages[seat])[0][0]
        pages[seat].evaluate(
            POST, [f'/api{pages[seat].evaluate("location.pathname")}/act', {'steps': name, 'seat': seat}]
        )
        changed(pages[seat], now)
    for page, old in zip(pages, before, strict=True):
        page.wait_for_function('(turns) => Number(document.body.dataset.turns) > turns', arg=old['turns'])


def from_menu(page: Page, label: str) -> None:
    page.click("[data-drawer='menu']")
    page.get_by_role('button', name=label).click()


def told(page: Page, text: str) -> None:
    """It is shown for a moment, and said to screen readers."""
    expect(page.locator('#toast')).to_have_text(text)
    expect(page.locator('#toast')).to_have_class('toast on')
    expect(page.locator('#speak')).to_contain_text(text)


def test_how_a_request_ended_is_shown_and_said_to_everybody_else(visit: Visit, address: str) -> None:
    pages = at_one_table(visit, address, 3)
    asker, other, third = pages
    name = own_name(asker)
    play(pages, 0)
    from_menu(asker, 'Take back')
    for page in (other, third):
        expect(page.locator('#speak')).to_contain_text(words('web.table.request.takeback', name=name))
        expect(page.locator('#toast')).not_to_have_class('toast on')  # there is a card
    third.click("#status [data-act='no']")
    for page in (asker, other):
        told(page, words('web.table.notice.refuse.takeback', player=own_name(third)))
    expect(third.locator('#toast')).not_to_have_class('toast on')  # who refuses knows it

    from_menu(asker, 'Take back')
    other.wait_for_selector('#status .request')
    asker.click("#status [data-act='no']")
    for page in (other, third):
        told(page, words('web.table.notice.withdraw.takeback', player=name))

    from_menu(asker, 'Take back')
    other.wait_for_selector('#status .request')
    play(pages, 1)
    for page in pages:
        told(page, words('web.table.notice.lapse.takeback', name=name))

    # a page that was away is told when it is back, and nothing twice
    third.reload()
    ready(third)
    assert third.locator('#toast').inner_text() == ''


def test_a_rematch_is_offered_beside_the_board_and_takes_both_there_when_it_is_accepted(
    visit: Visit, address: str
) -> None:
    loser, winner = at_one_table(visit, address, 2)
    loser.click("[data-drawer='menu']")
    loser.click("#menu [data-act='resign']")
    loser.click("#ask-resign [value='yes']")
    told(winner, f'{own_name(loser)} resigns.')
    old, offer = winner.url, "#result [data-about='act-best_of']"
    winner.click(offer)
    loser.click("#status [data-act='no']")
    told(winner, f'{own_name(loser)} declined the rematch.')
    expect(winner.locator('#result .next')).to_contain_text('declined')
    winner.click(offer)
    expect(winner.locator("#result [data-act='no']")).to_be_visible()
    expect(winner.locator('#status .request')).to_have_count(0)  # the asker looks at the board meanwhile
    loser.locator("#status [data-act='yes']").press('Enter')
    for page in (winner, loser):
        page.wait_for_url(lambda url: url != old)
        ready(page)
        expect(page.locator('#heading')).to_contain_text('Best of three')
    assert loser.url == winner.url
