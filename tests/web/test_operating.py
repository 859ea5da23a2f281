"""What those who watch over a server ask it, and what they learn."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import ludoteca
from ludoteca.game import games
from ludoteca.store import Store, StoreError
from ludoteca.text import words
from ludoteca.web import create_app


def test_health_answers_and_makes_nobody_a_guest(guest: Callable[..., TestClient]) -> None:
    answer = guest().get('/api/health')
    assert answer.json() == {'status': 'ok', 'version': ludoteca.__version__}
    assert 'set-cookie' not in answer.headers


def test_ready_says_how_much_of_each_game_is_compiled(guest: Callable[..., TestClient]) -> None:
    answer = guest().get('/api/ready')
    assert answer.status_code == 200
    assert answer.json()['status'] == 'ok'
    compiled = answer.json()['compiled']
    assert {*compiled} == {*games()}
    assert all(0 <= share <= 1 for share in compiled.values())
    assert 'set-cookie' not in answer.headers


def test_a_server_whose_database_cannot_be_read_is_not_ready(
    app: FastAPI, guest: Callable[..., TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Store) -> None:
        raise StoreError(words('store.error.not_read'))

    monkeypatch.setattr(Store, 'check', broken)
    answer = guest().get('/api/ready')
    assert answer.status_code == 503
    assert answer.json()['detail'] == words('store.error.not_read')
    assert guest().get('/api/health').status_code == 200


def test_a_server_whose_keys_were_replaced_says_so_when_it_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv('LUDOTECA_DATA', str(tmp_path))
    caplog.set_level(logging.WARNING)

    def told() -> list[str]:
        caplog.clear()
        with TestClient(create_app(prepare=False)):
            pass
        return [line.partition(' is another one than before')[0] for line in caplog.messages]

    assert told() == []
    assert told() == []
    (tmp_path / 'cookies.key').unlink()
    assert told() == ['The key cookies.key']
    (tmp_path / 'links.key').write_bytes(b'o' * 32)
    assert told() == ['The key links.key']
    assert told() == []
