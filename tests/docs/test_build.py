"""The documentation is built without a warning, its links within lead somewhere, and a server may show it."""

from __future__ import annotations

import importlib
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from scripts import make_docs
from scripts.documentation import generated, strict_pages

pytestmark = [pytest.mark.wide, pytest.mark.slow]
QUICK = ('-D', 'toc_object_entries=0')
"""Contents without single names: they take a third of the time."""


@pytest.fixture(scope='module')
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site; its notebooks as they are written."""
    pytest.importorskip('sphinx')
    folder = tmp_path_factory.mktemp('docs') / 'site'
    (make_docs.ROOT / 'docs' / '_static' / 'emblem.svg').unlink(missing_ok=True)  # as in a fresh clone
    assert make_docs.sphinx('html', *QUICK, notebooks=False, output=folder) == 0
    return folder


def test_links_lead_to_pages_and_places_that_exist(site: Path) -> None:
    texts = {page: page.read_text('utf-8') for page in site.rglob('*.html')}
    places = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in texts.items()}
    for page, text in texts.items():
        for target in set(re.findall(r'\b(?:href|src)="([^"]+)"', text)):
            parts = urlsplit(unescape(target))
            if parts.scheme or parts.netloc or 'to-tables' in target:
                continue
            there = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if there in (site.parent, site):  # the tables, or the front page
                continue
            assert there.exists(), f'{page.name}: {target}'
            fragment = unquote(parts.fragment)
            assert not fragment or there.suffix != '.html' or fragment in places[there], (
                f'{page.name}: {target}'
            )


def test_nothing_in_a_page_needs_another_policy(site: Path) -> None:
    for page in site.rglob('*.html'):
        text = page.read_text('utf-8')
        assert not strict_pages.inline(text), page.name
        elsewhere = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="(https?:[^"]+)"', text)
        assert not elsewhere, page.name
    for sheet in site.rglob('*.css'):
        assert 'url(data:' not in sheet.read_text('utf-8').replace('"', '').replace("'", ''), sheet.name


def test_every_public_class_and_function_has_its_place_in_the_reference(site: Path) -> None:
    for module, names in generated.public_modules().items():
        text = (site / 'reference' / f'{module}.html').read_text('utf-8')
        things = vars(importlib.import_module(module))
        missing = [
            name
            for name in names
            if generated.identity(things.get(name)) and f'id="{module}.{name}"' not in text
        ]
        assert not missing, module
