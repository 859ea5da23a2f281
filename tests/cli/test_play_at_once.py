"""`play` begins at once, with an empty cache too, and goes on with compiled rules when they are there."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest

from ludoteca.game import load
from ludoteca.kernel import compiled
from tests.cli.conftest import Start

pytestmark = pytest.mark.skipif(not compiled, reason='nothing is compiled in this process')

GOES_OVER = """
import time
from ludoteca import game as contract
from ludoteca.cli.kernels import prepared
from ludoteca.kernel.compile import is_interpreted
from ludoteca.search import make_bot

game = contract.load({name!r})

def chosen():
    state = contract.start(game, seed=3)
    return make_bot('easy').choose(game, state, int(state.to_move), 5, None)

with prepared(game) as preparation:
    assert is_interpreted(game.folder)
    first = chosen()
    while not preparation.ready(game.name):
        time.sleep(0.05)
    assert not is_interpreted(game.folder)
    assert chosen() == first
    print(preparation.strong_enough(game.name, 'expert'))
"""


@pytest.mark.parametrize('name', ['octiles', 'myraclia'])
def test_with_an_empty_cache_a_person_is_asked_before_anything_is_compiled(
    start: Start, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 10 to 30 seconds of the processor that compiling takes not a fifth is spent."""
    monkeypatch.setenv('LUDOTECA_CACHE', str(tmp_path / 'cache'))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    table = start('-m', 'ludoteca.cli', 'play', name, '--seed', 3, '--seat', 0, stdin=subprocess.PIPE)
    out, err = table.communicate('legal\nquit\n', timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert table.returncode == 0, err
    assert load(name).title in out
    assert after.ru_utime - before.ru_utime < 5, 'processor time of the command and of all that it started'
    assert not [*tmp_path.rglob('legal_actions*')], 'something was compiled first'


def test_the_rules_are_changed_over_while_somebody_plays(start: Start) -> None:
    work = start('-c', GOES_OVER.format(name='octiles'))
    out, err = work.communicate(timeout=300)
    assert work.returncode == 0, err
    assert out.strip() == 'True'


def test_a_strong_bot_waits_for_compiled_rules_and_says_so(start: Start) -> None:
    """It would think a hundredth of what it should."""
    play = ('-m', 'ludoteca.cli', 'play', 'octiles', '--seed', 3, '--seat', 1, '--bots', 'hard')
    table = start(*play, stdin=subprocess.PIPE)
    out, err = table.communicate('quit\n', timeout=300)
    assert table.returncode == 0, err
    assert '1. Blue bot: ' in out
