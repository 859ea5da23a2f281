"""What holds at every moment of every game, whatever is played."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.games.mykerinos.rules import State
from ludoteca.kernel import compiled
from tests.mykerinos.model import BESIDE, NEUTRAL, ORDER, PATRONS, TILES, spaces_of_area
from tests.mykerinos.support import MYKERINOS, OPTIONS, TILES_OF_SEASON, facts

Facts = dict[str, Any]
SEEDS = range(4 if compiled else 1)
cases = pytest.mark.parametrize(
    ('players', 'option'), [(players, option) for players in (2, 3, 4) for option in OPTIONS]
)


class Step(NamedTuple):
    """What is to be seen before and after a step, its name, and the state after it."""

    before: Facts
    name: str
    after: Facts
    state: State


def steps(players: int, option: str, seed: int) -> Iterator[Step]:
    """A random game. Passes are rarer than by chance."""
    position, chooser = ludoteca.new('mykerinos', players, seed, OPTIONS[option]), random.Random(seed)
    after, n = facts(position.state), 0
    while not position.over and (compiled or n < 200):
        names, before, n = position.legal(), after, n + 1
        name = chooser.choice(names)
        if name == 'pass' and chooser.random() < 0.8:
            name = chooser.choice(names)
        position.play(name)
        after = facts(position.state)
        yield Step(before, name, after, position.state.copy())


@cache
def games(players: int, option: str) -> list[Step]:
    """The steps of several random games, one after another."""
    return [step for seed in SEEDS for step in steps(players, option, seed)]


@cases
def test_each_colour_has_25_cubes(players: int, option: str) -> None:
    for _, name, shown, _ in games(players, option):
        lying, rooms = Counter(shown['cubes'].values()), Counter(shown['museum'].values())
        for seat in range(players):
            assert shown['stock'][seat] + shown['reserve'][seat] + lying[seat] + rooms[seat] == 25, name
            assert min(shown['stock'][seat], shown['reserve'][seat]) >= 0
        assert sum(shown['neutral']) + shown['neutral reserve'] + lying[NEUTRAL] == (
            25 if players == 2 else 0
        )
        assert min(*shown['neutral'], shown['neutral reserve']) >= 0


@cases
def test_each_tile_is_in_exactly_one_place(players: int, option: str) -> None:
    for _, _, shown, state in games(players, option):
        deck, dealt = [ORDER[tile] for tile in state.deck], sum(TILES_OF_SEASON[: shown['season']])
        taken = [tile for tiles in shown['held'] for tile in tiles]
        assert sorted([*shown['lying'], *shown['gone'], *taken, *deck[dealt:]]) == sorted(TILES)
        assert shown['lying'] <= set(deck[dealt - TILES_OF_SEASON[shown['season'] - 1] : dealt])
        held = [Counter(tile.split('-')[0] for tile in tiles) for tiles in shown['held']]
        assert shown['patrons'] == [[count[name] for name in (*PATRONS, 'blank')] for count in held]


@cases
def test_scores_never_fall_and_are_those_of_the_tiles_until_the_exhibition(players: int, option: str) -> None:
    for before, _, after, state in games(players, option):
        assert all(a <= b for a, b in zip(before['points'], after['points'], strict=True))
        if not state.ending:
            assert after['points'] == [sum(TILES[tile].points for tile in tiles) for tiles in after['held']]


@cases
def test_at_most_one_cube_a_space_and_a_room(players: int, option: str) -> None:
    for before, _, after, state in games(players, option):
        cubes = [int(words[0]) | int(words[1]) << 61 for words in state.cubes]
        assert sum(bits.bit_count() for bits in cubes) == len(after['cubes'])
        region = {
            space
            for area in range(TILES_OF_SEASON[after['season'] - 1] // 2)
            for space in spaces_of_area(area)
        }
        assert after['cubes'].keys() <= region
        assert before['museum'].items() <= after['museum'].items()


@cases
def test_a_tile_is_used_at_most_once_a_season_and_not_in_the_season_it_is_taken(
    players: int, option: str
) -> None:
    owned: list[Counter[str]] = [Counter() for _ in range(players)]
    tilts: list[Counter[str]] = [Counter() for _ in range(players)]
    for before, name, after, state in games(players, option):
        if before['turn'] == 0 or (after['season'] != before['season']):
            owned = [Counter(tile.split('-')[0] for tile in tiles) for tiles in after['held']]
            tilts = [Counter() for _ in range(players)]
        if name in PATRONS:
            tilts[before['to move']][name] += 1
            assert all(count <= owned[seat] for seat, count in enumerate(tilts))
        if before['season'] == after['season'] and not state.ending:
            assert after['tilted'] == [[count[patron] for patron in PATRONS] for count in tilts]
        else:
            assert after['tilted'] == [[0] * 5] * players


@cases
def test_only_lord_lemon_puts_a_cube_on_a_pyramid_and_only_one(players: int, option: str) -> None:
    patron, high = '', 0
    for before, name, after, _ in games(players, option):
        if before['phase'] == 'excavate':
            patron, high = name if name in PATRONS else '', 0
        if name.split()[-1] in BESIDE and name.split()[-1] in before.get('pyramids', ()):
            high += 1
            assert patron == 'lemon'
            assert high == 1
        if before['phase'] not in ('claim', 'remove') and after['season'] == before['season']:
            added = after['cubes'].keys() - before['cubes'].keys()
            assert before['cubes'].items() <= after['cubes'].items() or after['phase'] in ('claim', 'remove')
            assert not added & before['pyramids'] or patron == 'lemon'


@cases
def test_every_begun_turn_can_be_completed(players: int, option: str) -> None:
    """Whichever step it begins with, and however it goes on."""
    chooser, tried = random.Random(players), 0
    for step in games(players, option)[::7]:
        position = Position(MYKERINOS, step.state)
        for action in position.actions():
            trial, taken = position.copy(), 1
            trial.apply(action)
            while trial.state.turn == step.state.turn:
                trial.apply(chooser.choice(trial.actions()))
                taken, tried = taken + 1, tried + 1
            assert taken <= 6
            assert trial.state.turn == step.state.turn + 1
    assert tried > (150 if compiled else 20)


@cases
def test_survey_claims_only_by_those_with_cubes_there(players: int, option: str) -> None:
    claims = 0
    for before, name, after, _ in games(players, option):
        if before['phase'] == 'claim':
            here = Counter(
                who for space, who in before['cubes'].items() if space in spaces_of_area(before['area'])
            )
            assert here[before['to move']] > 0
            assert set(here) == set(before['ranking'])
            assert [here[who] for who in before['ranking']] == sorted(here.values(), reverse=True)
            assert before['ranking'][before['rank']] == before['to move']
            assert not name.startswith('museum') or before['rank'] < 2
            claims += 1
        if before['phase'] == 'remove':
            assert players == 2
            assert before['ranking'][before['rank']] == NEUTRAL
        assert (before['phase'] in ('claim', 'remove')) or before['held'] == after['held']
    assert claims > (100 if compiled else 0)


@cases
def test_turns_and_reveals_go_up_one_by_one_and_seats_that_have_passed_do_not_dig(
    players: int, option: str
) -> None:
    for before, _, after, state in games(players, option):
        assert after['turn'] - before['turn'] in (0, 1)
        assert state.reveals == after['season'] - 1
        assert after['season'] - before['season'] in (0, 1)
        disks = [who for who in after['scale'] if who is not None]
        assert len(set(disks)) == len(disks)
        if not state.ending and after['phase'] not in ('claim', 'remove'):
            assert after['to move'] not in disks
        assert MYKERINOS.kernels.revealed(state) == (-1 if after['season'] > before['season'] else 0)
