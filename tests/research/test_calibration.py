"""Calibrations compare what is expected in the middle of games with their results, and lose no game."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ludoteca.game import GameError, load
from ludoteca.research import calibration
from ludoteca.research.calibration import Compared, Plan, calibrate, compare, read, reliability, summary


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, 'PILOTS', 3)
    monkeypatch.setattr(calibration, 'LEAST', 4)


def plan(level: str = 'beginner', seed: str = '0') -> Plan:
    return Plan.of(load('octiles'), 2, {}, seed, level, simulations=10)


class Stopped(Exception):
    pass


def test_a_calibration_that_is_stopped_goes_on_to_the_same_result(tmp_path: Path) -> None:
    whole, parts = tmp_path / 'whole', tmp_path / 'parts'
    found = calibrate(plan(), 6, whole, processes=1)
    left = iter(range(3))

    def stop(_: int) -> None:
        if next(left, None) is None:
            raise Stopped

    with pytest.raises(Stopped):
        calibrate(plan(), 6, parts, processes=1, progress=stop)
    with parts.open('a') as file:
        file.write('{"number": 4, "se')  # the power failed
    assert calibrate(plan(), 6, parts, processes=1) == found
    assert parts.read_text() == whole.read_text()
    before = whole.stat().st_mtime_ns
    assert calibrate(plan(), 6, whole, processes=1) == found
    assert whole.stat().st_mtime_ns == before, 'nothing is played twice'
    fewer = calibrate(plan(), 4, whole, processes=1)
    assert fewer.games == 4
    with pytest.raises(GameError, match='another calibration'):
        calibrate(plan(seed='1'), 6, whole)


def test_all_seats_are_asked_in_the_middle_of_games() -> None:
    found = [compare(plan(), 8, number) for number in range(4)]
    assert {one.seat for one in found} == {0, 1}
    assert [one.turn for one in found] == [8, 9, 8, 9]
    for one in found:
        assert sum(one.expected) == pytest.approx(1, abs=1e-5)
        assert sum(one.outcome) == 1
    assert compare(plan(), 8, 3) == found[3]


def test_a_game_in_which_all_choose_at_once_until_its_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of its games has a middle; to look for more would never end."""
    octiles, left = load('octiles'), iter(range(10))

    def never(plan: Plan, middle: int, number: int) -> Compared:
        next(left)
        return Compared(number, -1, middle, (), (1.0, 0.0))

    monkeypatch.setattr(calibration, 'compare', never)
    with pytest.raises(GameError) as refused:
        calibrate(plan(), 6, processes=1)
    assert str(refused.value).startswith(f'None of 6 games of {octiles.title} has a turn after its middle')


def test_a_game_that_is_over_before_its_middle_is_replaced(tmp_path: Path) -> None:
    one = compare(plan(), 10_000, 0)
    assert (one.seat, one.expected) == (-1, ())
    file = tmp_path / 'file'
    calibrate(plan(), 4, file, processes=1)
    lines = file.read_text().splitlines()
    gone = lines[1][: lines[1].index('"seat"')] + '"seat": -1, "turn": 8, "expected": [], "outcome": [1, 0]}'
    file.write_text('\n'.join([lines[0], gone, *lines[2:]]) + '\n')
    found = calibrate(plan(), 4, file, processes=1)
    assert (found.games, found.over_before) == (4, 1)
    assert sorted(read(file, plan())[1]) == [0, 1, 2, 3, 4]


def test_a_reliability_table_counts_what_came_true() -> None:
    expected, outcome = np.array([0.12, 0.18, 0.85, 1.0]), np.array([0.0, 1.0, 1.0, 0.5])
    found = reliability(expected, outcome)
    assert [(row.low, row.games) for row in found.rows] == [(0.1, 2), (0.8, 1), (0.9, 1)]
    assert found.rows[0].expected == pytest.approx(0.15)
    assert found.rows[0].outcome == 0.5
    assert found.rows[0].least < 0.5 < found.rows[0].most
    assert found.brier == pytest.approx((0.12**2 + 0.82**2 + 0.15**2 + 0.5**2) / 4)
    assert found.gap == pytest.approx((2 * 0.35 + 0.15 + 0.5) / 4)


def test_a_link_is_judged_by_games_that_it_was_not_fitted_to() -> None:
    """Half of the games say nothing against the search, the others contradict it: each half is given the link
    of the other one."""
    sure = (0.9, 0.1)
    games = [
        Compared(k, 0, 8, sure, (1.0, 0.0) if k // 2 % 2 or k % 20 < 2 else (0.0, 1.0)) for k in range(400)
    ]
    found = summary(plan(), 8, games)
    halves = {row.low: row.outcome for row in found.fitted.rows}
    assert len(halves) == 2
    assert halves[max(halves)] < 0.5, 'these games contradict; their link comes from those that agree'
