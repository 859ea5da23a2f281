"""What all tests share: the toy game is known by its name, and tests run in the mode (compiled or
interpreted) that they need. Compiled kernels check their indices."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest

from ludoteca import game
from ludoteca.kernel import compile as forms
from ludoteca.kernel import compiled, process
from tests.interpreted import measured
from tests.toy import GAME
from tests.width import WIDE, WIDTH, varies

if TYPE_CHECKING:
    from tests.postgresql import Cluster

game.add(GAME)
os.environ['LUDOTECA_CHECKED'] = '1'  # in the processes that tests start, too
process.check_bounds()
gc.set_threshold(50_000, 50, 100)  # tests, kernels and games stay: to look for garbage among them is in vain


def pytest_report_header() -> str:
    return f'kernels: {"compiled" if compiled else "interpreted"}, {os.cpu_count()} cores, width: {WIDTH}'


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked `interpreted` run under NUMBA_DISABLE_JIT=1 and nowhere else; there, all others would only
    be slow."""
    kept = [item for item in items if suits_mode(item) and suits_width(item)]
    if len(kept) < len(items):
        there = set(kept)
        config.hook.pytest_deselected(items=[item for item in items if item not in there])
        items[:] = kept


def pytest_collection_finish() -> None:
    """What has been loaded until now stays to the end."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """The branches of rules are counted in some tests only."""
    with measured(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """A test that leaves kernels interpreted, as a server does that compiles beside, fails itself:
    those that come after it in this process would prove nothing of compiled kernels, and take a hundred
    times as long."""
    yield
    if compiled and not forms.all_compiled():
        forms.run_compiled()
        process.never_compile(False)
        pytest.fail('the test has left the kernels of this process interpreted')


def suits_mode(item: pytest.Item) -> bool:
    """LUDOTECA_MODE=any, for scripts/mutation.py: every test with the kernels that there are."""
    return (
        os.environ.get('LUDOTECA_MODE') == 'any'
        or (item.get_closest_marker('interpreted') is None) == compiled
    )


def suits_width(item: pytest.Item) -> bool:
    """Tests marked `wide` run at full width only. LUDOTECA_PROVEN=narrow: those that do the same at any width
    have just run."""
    if item.get_closest_marker('wide'):
        return WIDE
    return os.environ.get('LUDOTECA_PROVEN') != 'narrow' or varies(item)


@pytest.fixture(scope='session')
def postgresql() -> Iterator[Cluster]:
    """A PostgreSQL server, for as long as the tests run."""
    from tests.postgresql import Cluster, needed

    needed()
    cluster = Cluster()
    yield cluster
    cluster.remove()
