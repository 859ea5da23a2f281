"""Pictures that are kept as files are those that the games draw."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ludoteca.game import load
from ludoteca.web.html.illustrations import READY, Picture, ready_pictures
from tests.built_in import BUILT_IN

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize('name', BUILT_IN)
def test_ready_pictures_are_what_the_game_draws_now(name: str) -> None:
    """If not: `make pictures`."""
    pictures = list(ready_pictures(name))
    assert {picture.kind for picture in pictures} >= {'emblem', 'badge', 'position'}
    for picture in pictures:
        assert gzip.decompress(picture.file.read_bytes()).decode() == picture.draw(), picture


def test_there_is_no_ready_picture_that_no_page_shows() -> None:
    shown = {picture.file for name in BUILT_IN for picture in ready_pictures(name)}
    assert set(READY.rglob('*.svg.gz')) == shown


@pytest.mark.parametrize('name', BUILT_IN)
def test_the_readme_shows_what_the_game_draws_now(name: str) -> None:
    """If not: `make pictures`."""
    file = f'docs/{name}.svg'
    assert f'src="{file}"' in (ROOT / 'README.md').read_text(encoding='utf-8')
    assert (ROOT / file).read_text(encoding='utf-8') == load(name).emblem()


@pytest.mark.parametrize('accepted', ['gzip', 'identity'])
def test_a_ready_picture_needs_no_drawing(
    guest: Callable[..., TestClient], monkeypatch: pytest.MonkeyPatch, accepted: str
) -> None:
    """Neither the lobby nor a rules page waits for kernels."""
    client = guest()
    drawn: list[Picture] = []

    def draw(picture: Picture) -> str:
        drawn.append(picture)
        return '<svg/>'

    monkeypatch.setattr(Picture, 'draw', draw)
    for name in BUILT_IN:
        rules = client.get(f'/games/{name}/rules').text
        sources = [part.split('"')[0].replace('&amp;', '&') for part in rules.split('<img src="')[1:]]
        assert sources
        for address in [*sources, f'/games/{name}/picture-light.svg', f'/games/{name}/badge.svg']:
            if address.startswith('/games/'):
                answer = client.get(address, headers={'Accept-Encoding': accepted})
                assert answer.status_code == 200
                assert answer.text.startswith('<svg')
    assert drawn == []
