"""A kernel in two forms: what one form did the other goes on with, nobody waits for a compiler, and indices
are checked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ludoteca
from ludoteca.game import games, load, start
from ludoteca.kernel import compile as forms
from ludoteca.kernel import compiled
from tests.built_in import BUILT_IN
from tests.width import width

pytestmark = pytest.mark.skipif(not compiled, reason='there is one form only')

PLAY = """
import sys
import ludoteca
from ludoteca.kernel import compile as forms, process
from ludoteca.search import LEVELS, think

name, pattern = sys.argv[1:]
(forms.run_compiled if pattern[0] == 'c' else forms.run_interpreted)()
position = ludoteca.new(name, seed=5)
for k in range(60):
    if position.over:
        break
    (forms.run_compiled if pattern[k % len(pattern)] == 'c' else forms.run_interpreted)()
    if k % 10 == 9:
        found = think(position.game, position.state, settings=LEVELS['medium'].settings, simulations=30, seed=k)
        print(found.visits, found.action)
        position.apply(found.action)
    else:
        actions = position.actions()
        position.apply(actions[k * 7 % len(actions)])
    for seat in range(-1, int(position.state.players)):
        print(position.game.canonical(position.hidden(seat)))
print(position.state.tobytes().hex())
print('numba' in sys.modules, file=sys.stderr)
"""  # noqa: E501


def run(program: str, *arguments: str, **environment: str) -> tuple[str, str]:
    env = {**os.environ, 'PYTHONPATH': str(Path(ludoteca.__file__).parents[1]), **environment}
    done = subprocess.run(
        [sys.executable, '-c', program, *arguments], env=env, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.parametrize('name', width(BUILT_IN[-1:], BUILT_IN))
def test_a_game_and_its_searches_may_change_their_form_between_any_two_calls(name: str) -> None:
    interpreted, numba = run(PLAY, name, 'i')
    assert numba.strip().endswith('False'), 'interpreted kernels need no compiler'
    assert len(interpreted.splitlines()) > 50
    for pattern in width(['cicci'], ['c', 'cicci']):
        assert run(PLAY, name, pattern)[0] == interpreted


def test_a_process_that_never_compiles_plays_with_what_it_finds(tmp_path: Path) -> None:
    program = """
import ludoteca
from ludoteca.kernel import compile as forms, process
process.never_compile()
position = ludoteca.new('octiles', seed=1)
print(len(position.turns()))
from ludoteca.games.octiles import rules
print(rules.apply.dispatcher.signatures)
"""
    turns, signatures = run(program, LUDOTECA_CACHE=str(tmp_path))[0].split()
    assert int(turns) > 0
    assert signatures == '[]'
    assert not list(tmp_path.rglob('*.kernel'))


OUTSIDE = """
import numpy as np
from ludoteca.kernel import checked, kernel
from ludoteca.kernel import compile as forms, process

@kernel
def third(values, k: int) -> int:
    return values[k]

values = np.arange(3)
third(values, 1)
try:
    checked(lambda: third(values, 40_000_000))()
except IndexError:
    print('refused')
"""


def test_indices_are_checked_where_a_position_is_read_whatever_the_form(tmp_path: Path) -> None:
    """Without checks the kernel would read what lies somewhere else in memory. The process cannot change its
    mind any more."""
    assert run(OUTSIDE + LATE, LUDOTECA_CACHE=str(tmp_path), LUDOTECA_CHECKED='0')[0].splitlines() == [
        'refused',
        'too late',
    ]


LATE = """
try:
    third(values, 3)
except IndexError:
    print('refused')
try:
    process.check_bounds(not process.bounds_checked())
except RuntimeError:
    print('too late')
"""
CHECKED = (
    """
import numpy as np
from ludoteca.kernel import kernel
from ludoteca.kernel import compile as forms, process

@kernel
def third(values, k: int) -> int:
    return values[k]

values = np.arange(3)
third(values, 1)
"""
    + LATE
)


def test_a_process_can_have_its_compiled_kernels_check_their_indices(tmp_path: Path) -> None:
    assert run(CHECKED, LUDOTECA_CACHE=str(tmp_path), LUDOTECA_CHECKED='1')[0].splitlines() == [
        'refused',
        'too late',
    ]


@pytest.mark.parametrize('name', games())
def test_every_game_reads_positions_with_checked_indices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until a position is validated nothing unchecked works on it."""
    game = load(name)
    position = game.to_json(start(game, seed=1))
    found: list[object] = []
    new = game.State.new

    def noting() -> object:
        found.append(forms._here.get())
        return new()

    monkeypatch.setattr(game.State, 'new', noting)
    game.from_json(position)
    assert found
    assert set(found) == {'interpreted'}
