"""The documentation at /docs: files that were built before, and nothing else of this computer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ludoteca.web.html import manual
from ludoteca.web.serving.security import POLICY

Guest = Callable[..., TestClient]


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small documentation."""
    folder = tmp_path / 'documentation'
    (folder / '_static').mkdir(parents=True)
    (folder / 'index.html').write_text('<h1>Home</h1>')
    (folder / '_static' / 'furo.css').write_text('body {}')
    (tmp_path / 'secret.txt').write_text('secret')
    monkeypatch.setattr(manual, 'FOLDER', folder)
    return folder


def test_files_of_the_documentation_are_served(guest: Guest, built: Path) -> None:
    client = guest()
    moved = client.get('/docs', follow_redirects=False)
    assert (moved.status_code, moved.headers['location']) == (308, '/docs/')
    home, style = client.get('/docs/'), client.get('/docs/_static/furo.css')
    assert home.text == client.get('/docs/index.html').text == '<h1>Home</h1>'
    assert home.headers['content-type'] == 'text/html; charset=utf-8'
    assert style.headers['content-type'] == 'text/css; charset=utf-8'
    assert home.headers['content-security-policy'] == POLICY, 'the policy of all pages'
    again = client.get('/docs/', headers={'If-None-Match': home.headers['etag']})
    assert (again.status_code, again.content) == (304, b'')
    (built / 'index.html').write_text('<h1>Anew</h1>')
    assert client.get('/docs/').text == '<h1>Anew</h1>', 'built anew, it is shown without a restart'


@pytest.mark.parametrize(
    'path',
    [
        'nothing.html',
        '_static',
        '../secret.txt',
        '%2e%2e/secret.txt',
        '..%2fsecret.txt',
        '%2fetc%2fpasswd',
        'a%00b',
    ],
)
def test_no_address_leads_out_of_the_folder(guest: Guest, built: Path, path: str) -> None:
    answer = guest().get(f'/docs/{path}')
    assert answer.status_code == 404
    assert 'secret' not in answer.text


def test_a_server_without_documentation_says_how_it_is_built(
    guest: Guest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manual, 'FOLDER', tmp_path / 'documentation')
    home = guest().get('/docs/')
    assert home.status_code == 200
    assert 'make docs' in home.text
    assert guest().get('/docs/reference.html').status_code == 404
    assert 'href="/docs/"' in guest().get('/').text
