"""What a browser styles anew when a little of a table's page changes.

One selector such as `:has(…) > *` makes each change that `:has` may depend on style every square of the board
anew: a tenth of a second on a phone for each thing that the pointer comes to, and nothing else shows it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from ludoteca.game import load
from tests.browser.support import (
    LIGHT,
    POST,
    actions,
    ask,
    changed,
    drawn,
    my_turn,
    point,
    ready,
    state,
    told,
)
from tests.built_in import BUILT_IN
from tests.width import width

Visit = Callable[..., Page]
GAMES = width(('mykerinos', 'myraclia'), BUILT_IN)


def restyled(chromium: Browser, page: Page, act: Callable[[], object]) -> list[int]:
    """How many elements each of the browser's passes styled while something was done, the largest first."""
    drawn(page)
    chromium.start_tracing(
        page=page, categories=['devtools.timeline', 'disabled-by-default-devtools.timeline']
    )
    try:
        act()
        drawn(page)
    finally:
        trace = chromium.stop_tracing()
    events: list[dict[str, Any]] = json.loads(trace)['traceEvents']
    counts = [
        event['args']['elementCount']
        for event in events
        if event['name'] == 'UpdateLayoutTree' and 'elementCount' in event['args']
    ]
    return sorted(counts, reverse=True)


@pytest.mark.parametrize('game', GAMES)
def test_a_page_is_styled_once_and_then_only_where_it_changes(
    address: str, visit: Visit, chromium: Browser, game: str
) -> None:
    page = visit(address + LIGHT)
    seats = {'mode': 'bot', 'level': 'beginner'} if load(game).hidden else {'mode': 'here'}
    made = page.evaluate(POST, ['/api/tables', {'game': game, **seats}])

    def opens() -> None:
        page.goto(address + made['url'])
        ready(page)
        my_turn(page)

    loading = restyled(chromium, page, opens)
    half = page.evaluate("document.querySelectorAll('body *').length") / 2
    assert loading[1] <= half, loading

    targets = dict.fromkeys(targets[0] for _, targets, _ in actions(page) if targets[0].startswith('el:'))
    box = page.locator('#drawing').bounding_box()
    assert box
    reach = [point(page, target) for target in targets][:4] or [
        (box['x'] + box['width'] * at, box['y'] + box['height'] * at) for at in (0.3, 0.4, 0.5, 0.6)
    ]

    def choose() -> None:
        for x, y in reach:
            page.mouse.move(x, y)
            page.wait_for_timeout(50)
        page.mouse.move(1, 1)
        found, before = told(page), state(page)
        if not found['arranging']:  # which lays all pieces at once
            ask(page, 'act', steps=found['legal'][0])
            changed(page, before)

    choosing = restyled(chromium, page, choose)
    assert len(choosing) > len(reach)
    assert choosing[0] <= half, choosing
