"""Pages bring their font: the same letters, as wide as drawings take them to be, on every computer."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route

import ludoteca
from ludoteca.drawing import lettering
from ludoteca.web.html.layout import LATIN
from ludoteca.web.serving import assets
from tests.browser.support import LIGHT, drawn, new_table, shifts

Visit = Callable[..., Page]
BUDGET = 60_000  # bytes of all fonts of a page in Latin letters
FOR_PROGRAMS = {'cli', 'settings'}
"""Tables of the catalogue that pages do not show."""
WIDTHS = """([kind, weight, texts]) => texts.map((text) => {
    const line = document.createElement(kind), all = document.createRange();
    line.textContent = text;
    line.style.cssText = `position: absolute; white-space: pre; font-size: 15px; font-weight: ${weight}`;
    document.body.append(line);
    all.selectNodeContents(line);
    const { width } = all.getBoundingClientRect();
    line.remove();
    return width;
})"""


def _texts(table: dict[str, Any]) -> Iterator[str]:
    for value in table.values():
        yield from _texts(value) if isinstance(value, dict) else [str(value)]


@cache
def shown() -> tuple[str, ...]:
    """All texts of the catalogues that pages can show."""
    package = Path(ludoteca.__file__).parent
    found: list[str] = []
    for path in (package / 'text/en.toml', *sorted(package.glob('games/*/en.toml'))):
        tables = tomllib.loads(path.read_text('utf-8'))
        found += _texts({name: table for name, table in tables.items() if name not in FOR_PROGRAMS})
    return tuple(found)


def fonts_of(page: Page, selector: str) -> dict[str, int]:
    """How many letters of these elements' own texts the browser drew in which font; fonts of the computer
    are marked."""
    session, found = page.context.new_cdp_session(page), dict[str, int]()
    for domain in ('DOM', 'CSS'):
        session.send(f'{domain}.enable')
    root = session.send('DOM.getDocument')['root']['nodeId']
    for node in session.send('DOM.querySelectorAll', {'nodeId': root, 'selector': selector})['nodeIds']:
        for font in session.send('CSS.getPlatformFontsForNode', {'nodeId': node})['fonts']:
            name = font['familyName'] + ('' if font['isCustomFont'] else ' of the computer')
            found[name] = found.get(name, 0) + int(font['glyphCount'])
    return found


@pytest.mark.parametrize('path', ['/', '/games/octiles/rules', 'octiles'])
def test_a_latin_page_draws_all_text_in_one_small_font_of_its_own(
    visit: Visit, address: str, path: str
) -> None:
    page, asked = visit(address + LIGHT), list[Request]()
    page.on('request', lambda request: asked.append(request))
    if path.startswith('/'):
        page.goto(address + path)
    else:
        new_table(page, address, path)
    drawn(page)
    assert set(fonts_of(page, 'body *')) == {'Inter'}
    assert {request.url for request in asked if '.woff2' in request.url} == {address + assets.url(LATIN)}
    assert len(assets.files()[LATIN]) <= BUDGET


def test_every_character_of_the_catalogues_is_in_the_font_of_latin_pages(visit: Visit, address: str) -> None:
    page = visit(f'{address}/credits')
    characters = sorted(set(''.join(shown())) - set('\n'))
    assert {'é', '½', '−', '’'} < set(characters)
    page.evaluate(
        """(text) => document.body.replaceChildren(Object.assign(document.createElement('p'),
            { id: 'all', textContent: text }))""",
        ' '.join(characters),
    )
    drawn(page)
    assert set(fonts_of(page, '#all')) == {'Inter'}


@pytest.mark.parametrize(('kind', 'weight'), [('span', 400), ('span', 680), ('span', 800), ('button', 550)])
def test_text_is_as_wide_on_a_page_as_drawings_take_it_to_be(
    visit: Visit, address: str, kind: str, weight: int
) -> None:
    page = visit(f'{address}/credits')
    texts = [text for text in shown() if text.strip() and '\n' not in text][::7]
    widths = page.evaluate(WIDTHS, [kind, weight, texts])
    for text, wide in zip(texts, widths, strict=True):
        assert wide == pytest.approx(lettering.width(text, 15, weight), rel=0.01), text


def test_nothing_moves_when_the_font_arrives_late(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT, 1024, 768)

    def late(route: Route) -> None:
        page.wait_for_timeout(800)
        route.continue_()

    page.route('**/*.woff2', late)
    new_table(page, address, 'mykerinos')
    page.wait_for_timeout(1500)
    assert shifts(page) == []
