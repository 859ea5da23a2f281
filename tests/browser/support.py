"""Clicking through a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page

EXPECTED = (
    'the server responded with a status of 4',
    'WebSocket connection to',
    'net::ERR_CONNECTION_REFUSED',
    'Service Worker registration blocked by Playwright',
)
"""What a browser writes into its console of a refused request (the page says it in words), of a server that
is away, and of a page that may have no service worker."""


@dataclass
class Opened:
    """What pages wrote into their consoles that should not be there."""

    complaints: list[str] = field(default_factory=list)
    server_dies: bool = False  # then an answer may break off in any way


def watch(page: Page, opened: Opened) -> None:
    """Note errors, warnings and violations of the content security policy."""

    def note(message: ConsoleMessage) -> None:
        cut = opened.server_dies and 'net::ERR_' in message.text
        if (
            message.type in ('error', 'warning')
            and not cut
            and not any(part in message.text for part in EXPECTED)
        ):
            opened.complaints.append(message.text)

    page.add_init_script(
        "document.addEventListener('securitypolicyviolation', (e) => console.error('CSP: ' + e.violatedDirective))"  # noqa: E501
    )
    page.on('console', note)
    page.on('pageerror', lambda error: opened.complaints.append(str(error)))


LIGHT = '/api/me'
"""A page for a visitor who needs a guest's cookie and nothing to look at."""
POST = """async ([path, body]) => {
    const answer = await fetch(path, {
        method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)});
    return await answer.json();
}"""
RENAME = """(name) => fetch('/api/me', {method: 'PATCH', headers: {'Content-Type': 'application/json'},
    body: JSON.stringify({name})}).then((answer) => answer.ok)"""


def own_name(page: Page) -> str:
    """How whoever looks is called at the table: with a number if somebody else there has the same name."""
    found: str = page.evaluate("""async () => {
        const answer = await fetch(`/api${location.pathname}`);
        return (await answer.json()).seats.find((seat) => seat.yours).name;
    }""")
    return found


def new_table(page: Page, address: str, game: str, mode: str = 'here', **more: Any) -> dict[str, Any]:
    """Make a table and open it, in a page that has visited the server: where the way through the lobby does
    not matter. Returns what the server said of it."""
    made: dict[str, Any] = page.evaluate(POST, ['/api/tables', {'game': game, 'mode': mode, **more}])
    page.goto(address + made['url'])
    ready(page)
    return made


def at_table(visit: Callable[..., Page], address: str, game: str = 'octiles', **more: Any) -> Page:
    """A new guest at a new table for two at one screen. `more` is for the visit."""
    page = visit(address + LIGHT, **more)
    new_table(page, address, game)
    return page


def on_card(page: Page, label: str, game: str = 'Octiles') -> Locator:
    """A button on a game's card in the lobby."""
    return page.locator('.game', has=page.locator('h2', has_text=game)).get_by_role('button', name=label)


def open_from_card(page: Page, label: str, game: str = 'Octiles', touch: bool = False) -> None:
    """Open a table with others from a game's card, through the dialog that asks who plays."""
    opener, begins = on_card(page, label, game), page.locator("#new [type='submit']")
    for button in (opener, begins):
        button.tap() if touch else button.click()


def ready(page: Page) -> None:
    """Wait until a table page's script has begun and its line is open. A selector would be looked for every
    half second."""
    page.wait_for_function(
        "() => document.body?.dataset.script === 'ready' && document.body.dataset.line === 'open'"
    )


def state(page: Page) -> dict[str, Any]:
    """Version, turns, and whether it is the viewer's turn."""
    found = page.evaluate('({...document.body.dataset})')
    return {
        'version': int(found.get('version', -1)),
        'seat': int(found.get('seat', -1)),
        'turns': int(found.get('turns', 0)),
        'mine': found.get('mine') == 'true',
    }


def shifts(page: Page) -> list[tuple[float, list[str]]]:
    """The layout shifts since the first picture that no click or key explains: how large each was (0 to 1),
    and what moved."""
    found: list[tuple[float, list[str]]] = page.evaluate(
        """() => new Promise((go) => {
        const first = performance.getEntriesByName('first-contentful-paint')[0].startTime;
        const name = ({ node }) => node?.id || node?.nodeName || '';
        new PerformanceObserver((list, observer) => {
            observer.disconnect();
            go(list.getEntries().filter((entry) => entry.startTime > first && !entry.hadRecentInput)
                .map(({ value, sources }) => [value, sources.map(name)]));
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => go([]), 1000);
    })"""
    )
    return found


def my_turn(page: Page) -> None:
    """Wait until something can be chosen, or the match is over."""
    page.wait_for_function(
        "() => document.body.dataset.mine === 'true' || document.querySelector('.table-card.result')"
    )


def drawn(page: Page) -> None:
    """Wait until the browser has drawn what it was told so far, such as another size of its window. On a busy
    machine a browser whose window has just changed gives no frame at all now and then, so nobody waits longer
    than three seconds: what is measured is laid out without it."""
    page.evaluate(
        """new Promise((go) => {
        requestAnimationFrame(() => requestAnimationFrame(() => go(0)));
        setTimeout(() => go(0), 3000);
    })"""
    )


def over(page: Page) -> bool:
    """Has the match ended?"""
    return page.locator('.table-card.result').count() > 0


def point(page: Page, target: str) -> tuple[float, float]:
    """Where to click for a target of the drawing."""
    found = page.evaluate(
        """(id) => {
        const hit = document.getElementById(id).querySelector('.hit') ?? document.getElementById(id);
        const box = hit.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }""",
        target.removeprefix('el:'),
    )
    return found[0], found[1]


FINGER = 44
"""Pixels of the smallest thing that a finger hits: what is smaller is enlarged by the first tap."""


def finger(page: Page, target: str) -> None:
    """Tap a thing of the drawing; where it is too small for a finger, once more in the lens."""
    small = page.evaluate(
        """([id, least]) => {
        const one = document.getElementById(id);
        const box = (one.querySelector('.hit') ?? one).getBoundingClientRect();
        return innerWidth < 560 && one.closest('#drawing') !== null && !document.querySelector('.felt.lens')
            && one.classList.contains('can') && Math.min(box.width, box.height) < least;
    }""",
        [target.removeprefix('el:'), FINGER],
    )
    page.touchscreen.tap(*point(page, target))
    if small:
        page.wait_for_selector('.felt.lens')
        page.touchscreen.tap(*point(page, target))


def actions(page: Page) -> list[tuple[str, list[str], str]]:
    """What can be chosen: the name, the targets, and the transform of the last ghost ('' without one)."""
    return listed(
        page.evaluate('fetch(`${location.pathname}/view`).then((a) => a.json()).then((m) => m.choices)')
    )


def listed(found: dict[str, Any]) -> list[tuple[str, list[str], str]]:
    """The same from the choices of a message."""
    table = []
    for name, *pairs in found['levels'][-1]['actions']:
        ghost = found['ghosts'][pairs[-1]] if pairs[-1] >= 0 else []
        table.append((name, [found['targets'][at] for at in pairs[::2]], ghost[1] if len(ghost) > 1 else ''))
    return table


def ask(page: Page, what: str, **body: Any) -> dict[str, Any]:
    """A request to the JSON interface, from the page itself."""
    found: dict[str, Any] = page.evaluate(
        """async ([path, body]) => {
        const answer = await fetch(path, {
            method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)});
        return await answer.json();
    }""",
        [
            f'/api{page.url.partition("/tables")[1]}{page.url.partition("/tables")[2]}/{what}'.replace(
                '#', ''
            ),
            body,
        ],
    )
    return found


def told(page: Page, seat: int | None = None) -> dict[str, Any]:
    """The table as the interface tells it."""
    query = '' if seat is None else f'?seat={seat}'
    found: dict[str, Any] = page.evaluate(
        f"fetch('/api' + location.pathname + '{query}').then((answer) => answer.json())"
    )
    return found


def changed(page: Page, before: dict[str, Any]) -> None:
    """Wait for another version."""
    page.wait_for_function(
        '([seat, version]) => document.body.dataset.seat !== seat || document.body.dataset.version !== version',  # noqa: E501
        arg=[str(before['seat']), str(before['version'])],
    )


def play(page: Page, steps: list[dict[str, Any]], touch: bool = False) -> None:
    """Make the steps of a turn by real clicks: hover, turn with the wheel until the ghost lies as wanted,
    click."""
    for step in steps:
        before = state(page)
        for target, ghost in zip(step['targets'], step['ghosts'], strict=True):
            if target.startswith('do:'):
                page.click(f"[data-target='{target}']")
                break
            if touch:
                finger(page, target)
            else:
                x, y = point(page, target)
                page.mouse.move(x, y)
                turn_to(page, ghost)
                page.mouse.click(x, y)
            if not touch and target != step['targets'][-1]:
                # it is picked now; a click on what is the only thing to do has done it
                page.wait_for_function(
                    """([id, seat, version]) => document.body.dataset.version !== version
                    || document.body.dataset.seat !== seat
                    || document.getElementById(id)?.classList.contains('chosen')""",
                    arg=[target.removeprefix('el:'), str(before['seat']), str(before['version'])],
                )
            if state(page) != before:
                break
        if touch and len(step['targets']) > 1:
            page.click("[data-act='confirm']")
        changed(page, before)


def turn_to(page: Page, ghost: list[str] | None) -> None:
    """Turn the ghost under the pointer with the wheel until its transform is as wanted."""
    if not ghost or len(ghost) < 2 or len(ghost) > 2:
        return
    for _ in range(9):
        page.wait_for_timeout(20)
        if page.locator(f'#overlay use[transform="{ghost[1]}"]').count():
            return
        page.mouse.wheel(0, 100)
    raise AssertionError(f'no variant lies as {ghost[1]}')
