"""The line over the board: what it offers lies inside the window and can be hit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from ludoteca.game import games, load
from tests.browser.support import LIGHT, POST, changed, new_table, over, state
from tests.width import width

Visit = Callable[..., Page]
SIZES = (390, 844), (1024, 768), (1440, 900)
STEPS = width(6, 14)
TABLES = [(name, load(name).players[-1]) for name in width(('mykerinos',), games()) if name != 'toy']
"""Narrow, a game of many buttons and one of secrets; that buttons of all games lie inside the window is held
by test_room.py."""
UNREACHABLE = """() => {
    const found = [];
    scrollTo(0, 0);
    for (const button of document.querySelectorAll('#acts .btn:not([hidden])')) {
        if (button.disabled && !button.checkVisibility()) continue; // on phones Confirm comes when there is something to confirm
        const box = button.getBoundingClientRect();
        const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
        const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        const icon = button.querySelector('.icon')?.getBoundingClientRect();
        const cut = icon && (icon.left < box.left || icon.right > box.right);
        if (!inside || cut || !hit || !button.contains(hit)) found.push(button.textContent || button.dataset.act);
    }
    const words = document.querySelector('.do').getBoundingClientRect();
    if (words.width < 150 || words.height < 10) found.push('the words');
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page is too wide');
    return found;
}"""  # noqa: E501


@pytest.mark.parametrize(('game', 'players'), TABLES)
def test_every_button_of_the_prompt_line_can_be_hit(
    visit: Visit, address: str, game: str, players: int
) -> None:
    page = visit(address + LIGHT, 1440, 900)
    seats = {'mode': 'here'} if not load(game).hidden else {'mode': 'bot', 'level': 'beginner'}
    new_table(page, address, game, players=players, **seats)
    lines: set[str] = set()
    for step in range(STEPS):
        page.wait_for_function("""() => document.querySelector('.table-card.result')
            || (document.body.dataset.mine === 'true' && !document.querySelector('[data-act=hint]:disabled'))""")  # noqa: E501
        if over(page):  # the bot has won
            break
        line = ' '.join(page.locator('#acts .btn:not([hidden])').all_inner_texts())
        if line not in lines:  # the same buttons need not be measured again
            lines.add(line)
            page.evaluate("document.querySelector('#recap:not([hidden]) > .btn')?.click()")
            for wide, high in SIZES:
                page.set_viewport_size({'width': wide, 'height': high})
                assert page.evaluate(UNREACHABLE) == [], (wide, line)
        path = f'/api{page.evaluate("location.pathname")}'
        view = page.evaluate('(path) => fetch(path).then((answer) => answer.json())', path)
        if view['arranging']:
            steps = page.evaluate(POST, [f'{path}/shuffle', {}])['last']
        else:
            # the more is begun and not ended, the more can be pressed
            steps = view['legal'][(7 * step + 3) % len(view['legal'])]
        before = state(page)
        view = page.evaluate(POST, [f'{path}/act', {'steps': steps}])
        if view['result']:
            break
        changed(page, before)
    assert lines
