"""Games, pages and a database of one day are what they were on that day."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scripts import golden
from tests.width import games_tested, width

DIGESTS = golden.read_digests()
GAMES = tuple(name for name in games_tested() if name in golden.TITLES)
RENEW = (
    'To see what differs, record with `python scripts/golden.py write FILE` before the change, and '
    'compare with `python scripts/golden.py compare FILE` after it. If the change is meant, renew the '
    'hashes: `python scripts/golden.py digests`.'
)
TABLES = (' finished', ' running', ' frozen', ' arranging', ' sealed', ' waiting', ' running goes on')
"""The tables of the database that are looked at in `make test`."""


def groups_of(part: str, name: str) -> list[str]:
    """The groups of a part that are about a game."""
    return [group for group in DIGESTS[part] if group.split(' ')[0] == name]


def recorded(part: str, only: frozenset[str]) -> dict[str, dict[str, str]]:
    """The digests of some groups, as they are now."""
    found = golden.PARTS[part](replace(golden.SMALL, only=only), None)
    return {group: golden.digests_of(texts) for group, texts in found}


def check(part: str, groups: list[str]) -> None:
    """Nothing differs in these groups."""
    found = recorded(part, frozenset(groups))
    wrong = [
        f'{part}/{group}: {what} is not what it was.'
        for group in groups
        for what in golden.changed(DIGESTS[part][group], found.get(group, {}))
    ]
    assert not wrong, '\n'.join([*wrong[:12], f'{len(wrong)} differences in all. {RENEW}'])


@pytest.mark.parametrize('name', GAMES)
def test_random_games_are_played_as_they_were(name: str) -> None:
    groups = groups_of('games', name)
    check('games', width(golden.spread(groups, 4), groups))


@pytest.mark.parametrize('name', GAMES)
def test_pages_show_what_they_showed(name: str) -> None:
    groups = groups_of('pages', name)
    check('pages', width(golden.spread(groups, 2), groups))


def test_a_server_sends_what_it_sent() -> None:
    check('pages', [group for group in groups_of('pages', 'server') if group.split(' ')[1] in GAMES])


@pytest.mark.parametrize('name', GAMES)
def test_a_database_of_that_day_opens_and_its_matches_go_on(name: str) -> None:
    groups = groups_of('database', name)
    check('database', width([group for group in groups if group.removeprefix(name) in TABLES], groups))


def test_what_differs_is_said_by_game_and_moment() -> None:
    """A digest that is another one is told from all others."""
    group = next(iter(DIGESTS['pages']))
    digests = DIGESTS['pages'][group]
    assert golden.changed(digests, digests) == []
    first, _, rest = digests['match'].partition(' ')
    other = {**digests, 'match': f'000000 {rest}'}
    assert golden.changed(other, digests) == [f'match at {digests[""].split("; ")[0]}']
    without = {key: value for key, value in digests.items() if key != 'prompt'}
    assert golden.changed(without, digests) == ['prompt']
    assert first in golden.differences({'a': f'x\n{first}'}, {'a': 'x\ny'})[0]
