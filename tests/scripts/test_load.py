"""benchmarks/load.py: a real server, real pages, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import load

REFUSED = {
    '--tables 0': '--tables is a number from 1 to 5000.',
    '--bots 9': '--bots is a number from 0 to 4.',
    '--seconds nan': '--seconds is a number from 1 to 3600.',
    '--pace 0': '--pace is at least 0.05 seconds.',
    '--game chess': "There is no game 'chess'; the games are ",
    '--people 5 --bots 4': 'No game that is asked for is played by 9: change --people, --bots or --game.',
    '--servers 2': 'Several servers need PostgreSQL: name a new database with --database ',
    '--workers 99': '--workers is a number from 0 to 64.',
    '--json /nowhere/at/all.json': "There is no folder '/nowhere/at' to write --json into.",
}


@pytest.mark.parametrize('said', REFUSED)
def test_what_cannot_be_measured_is_refused_in_a_sentence(said: str) -> None:
    given = load.arguments().parse_args(said.split())
    assert load.problem_of(given).startswith(REFUSED[said])


@pytest.mark.wide
def test_a_server_of_its_own_is_measured_with_people_who_play(tmp_path: Path) -> None:
    path = tmp_path / 'found.json'
    said = f'--tables 3 --watchers 1 --game octiles --seconds 2 --pace 0.2 --json {path}'
    assert load.main(said.split()) == 0
    found = json.loads(path.read_text())
    assert found['pages'] == 9
    assert found['errors'] == {}
    assert {'p50', 'p95', 'p99'} < found['to other pages, ms'].keys()


def test_times_are_told_as_the_shares_that_keep_to_them() -> None:
    told = load.spread([k / 1000 for k in range(101)])
    assert told == {'count': 101, 'p50': 50.0, 'p95': 95.0, 'p99': 99.0}
    assert load.spread([]) == {'count': 0, 'p50': 0, 'p95': 0, 'p99': 0}
