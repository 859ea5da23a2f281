"""The ladder: levels against the ones below, in a file that is never lost and never played twice."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from ludoteca.cli import matches
from ludoteca.game import GameError
from ludoteca.research import arena as arena_module
from ludoteca.research import ladder
from ludoteca.research.ladder import Rung, climb, rotations, rungs, standings
from ludoteca.search import Bot, make_bot

TWO = Rung('octiles', 2, 'easy', 'beginner')
THREE = Rung('octiles', 3, 'easy', 'beginner')


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """All levels play at random."""

    def make(_: str, **__: object) -> Bot:
        return make_bot('random')

    monkeypatch.setattr(arena_module, 'make_bot', make)


class Stopped(Exception):
    pass


def test_a_ladder_that_is_stopped_goes_on_to_the_same_games(tmp_path: Path) -> None:
    def stop(done: int, _: int) -> None:
        if done == 5:
            raise Stopped

    whole, parts = tmp_path / 'whole', tmp_path / 'parts'
    climb(whole, [TWO, THREE], 4, processes=1)
    with pytest.raises(Stopped):
        climb(parts, [TWO, THREE], 4, processes=1, progress=stop)
    assert len(parts.read_text().splitlines()) == 1 + 5
    with parts.open('a') as file:
        file.write('{"game": "octiles", "pl')  # the power failed
    found = climb(parts, [TWO, THREE], 4, processes=1)
    assert parts.read_text() == whole.read_text()
    assert found == standings(whole, [TWO, THREE], '0')
    assert [one.games for one in found] == [4, 6]
    before = parts.stat().st_mtime_ns
    assert climb(parts, [TWO, THREE], 4, processes=1) == found, 'nothing is played twice'
    assert parts.stat().st_mtime_ns == before


@pytest.mark.parametrize('players', [2, 3, 4])
def test_both_levels_sit_in_every_seat_equally_often(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = []
    original = arena_module.Plan.play

    def note(self: arena_module.Plan, number: int) -> arena_module.Played:
        played = original(self, number)
        seats.append(played.seats)
        return played

    monkeypatch.setattr(arena_module.Plan, 'play', note)
    for number in range(rotations(players)):
        ladder.play(Rung('octiles', players, 'easy', 'beginner'), '0', number)
    upper = Counter(seat for one in seats for seat, owner in enumerate(one) if owner == 0)
    assert set(upper.values()) == {rotations(players) // 2} if players % 2 == 0 else {players}
    assert set(upper) == set(range(players))


def test_rungs_that_are_stopped_have_been_played_about_equally_often(tmp_path: Path) -> None:
    def stop(done: int, _: int) -> None:
        if done == 7:
            raise Stopped

    with pytest.raises(Stopped):
        climb(tmp_path / 'file', [TWO, THREE], 6, processes=1, progress=stop)
    assert [one.games for one in standings(tmp_path / 'file', [TWO, THREE], '0')] == [4, 3]


def test_seeds_are_kept_apart_and_play_other_games(tmp_path: Path) -> None:
    path = tmp_path / 'file'
    climb(path, [TWO], 4, seed='0', processes=1)
    climb(path, [TWO], 2, seed='1', processes=1)
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    turns = {seed: [one['turns'] for one in lines if one['seed'] == seed] for seed in ('0', '1')}
    assert len(turns['0']) == 4
    assert turns['1'] != turns['0'][:2]
    assert standings(path, [TWO], '1')[0].games == 2


def test_rungs_are_neighbours_among_the_levels_named_that_are_offered() -> None:
    assert [(rung.upper, rung.players) for rung in rungs(['octiles'], [2, 9], ['hard', 'easy'])] == [
        ('hard', 2)
    ]
    assert rungs(['myrmidons', 'octiles'], [2, 3], ['medium', 'very-hard', 'hard', 'expert']) == [
        Rung('octiles', 2, 'hard', 'medium'),
        Rung('octiles', 3, 'hard', 'medium'),
        Rung('myrmidons', 2, 'expert', 'medium'),
        Rung('octiles', 2, 'very-hard', 'hard'),
        Rung('octiles', 3, 'expert', 'hard'),
        Rung('octiles', 2, 'expert', 'very-hard'),
    ]
    with pytest.raises(GameError, match="no level 'grandmaster'"):
        rungs(['octiles'], [], ['grandmaster'])
    with pytest.raises(GameError, match='at least two neighbouring levels'):
        rungs(['octiles'], [9], ['hard', 'easy'])


def test_the_ladder_has_a_gap_where_a_level_is_not_offered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / 'file')
    matches.ladder(None, path, 2, '2', 'medium,hard,expert', '0', 1, None, False)
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if ' 2 ' in line]
    percents = {name: others.count('%') for name, *others in lines}
    assert (percents['myrmidons'], percents['octiles']) == (1, 2)


@pytest.mark.parametrize(
    'text', ['{"bread": 2}\nmilk', '{"game": "octiles"}', '{"ladder": 1}\n{"game": 1}\n', 'milk']
)
def test_a_file_that_is_no_ladder_is_refused_and_stays_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / 'notes'
    path.write_text(text)
    with pytest.raises(GameError, match=r'line [12], is no game of a ladder'):
        climb(path, [TWO], 2, processes=1)
    assert path.read_text() == text
