"""The core has everything but pages: rules, search, simulations and drawings run without the packages of any
extra, and whoever asks for more is told in one sentence which extra brings it."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from ludoteca.cli.extras import EXTRAS
from tests.built_in import BUILT_IN
from tests.width import width

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / 'pyproject.toml').read_text())['project']
BESIDES = {'scipy', 'torch', 'yaml', 'shapely', 'anyio', 'httpx'}
"""More that the core must do without, and that is installed where tests run."""

ALONE = '''
import json, sys
class Without:
    """Finds all modules but those."""
    finders = list(sys.meta_path)
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] not in BLOCKED:
            return next(filter(None, (one.find_spec(name, path, target) for one in self.finders)), None)
BLOCKED, GAMES = json.loads(sys.argv[1])
sys.meta_path[:] = [Without()]
import ludoteca
from ludoteca.cli import main
from ludoteca.search import think
from ludoteca.research.simulate import simulate
from ludoteca.research.study import Study
assert set(GAMES) <= set(ludoteca.game_names())
for name in ludoteca.game_names():
    ludoteca.load(name)
for name in GAMES:
    position = ludoteca.new(name, seed=1)
    assert position.svg().startswith('<svg')
    assert sum(simulate(name, games=3, seed=1).turns) > 0
    think(position.game, position.state, simulations=20, seed=1)
for command in json.loads(sys.argv[2]):
    print(main(command), flush=True)
assert not set(BLOCKED) & set(sys.modules)
'''

COMMANDS = {
    ('simulate', 'octiles', '--games', '5', '--seed', '1', '--json'): '',
    ('games',): '',
    ('version',): '',
    ('serve',): 'server',
    ('open',): 'server',
    ('work',): 'server',
    ('check-matches',): 'server',
    ('draw', 'octiles', '-o', 'picture.png'): 'server',
    ('simulate', 'octiles', '--games', '5', '--out', 'rows'): 'research',
    ('study', 'octiles', '--games', '5', '--out', 'study'): 'research',
    ('simulate', 'octiles', '--games', '5', '--executor', 'dask'): 'cluster',
    ('simulate', 'octiles', '--games', '5', '--executor', 'ray'): 'cluster',
}
"""Commands, and the extra that they ask for; '' for none."""


def blocked() -> list[str]:
    """The modules that the extras bring, as far as they are installed; the base install keeps its own."""
    return sorted({module for modules in EXTRAS.values() for module in modules} | BESIDES)


def test_the_core_plays_simulates_and_searches_alone(tmp_path: Path) -> None:
    names = width(['octiles'], list(BUILT_IN))
    arguments = [json.dumps([blocked(), names]), json.dumps([list(command) for command in COMMANDS])]
    done = subprocess.run(
        [sys.executable, '-c', ALONE, *arguments], text=True, capture_output=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    statuses = [int(line) for line in done.stdout.splitlines() if line in ('0', '1', '2')]
    assert statuses == [2 if extra else 0 for extra in COMMANDS.values()], done.stdout + done.stderr
    refused = [(command, extra) for command, extra in COMMANDS.items() if extra]
    sentences = done.stderr.splitlines()
    assert len(sentences) == len(refused), 'one sentence for each'
    for (command, extra), sentence in zip(refused, sentences, strict=True):
        assert f'extra `{extra}`' in sentence, command
    assert not list(tmp_path.iterdir()), 'nothing is half-written'


def distributions(requirements: list[str]) -> set[str]:
    """The names of the packages in some requirements."""
    found = set()
    for one in requirements:
        name = one.split(';')[0].strip()
        for sign in '<>=![ ':
            name = name.split(sign)[0]
        found.add(name.lower().replace('_', '-'))
    return found - {'ludoteca', 'pydantic'}  # Typer has brought pydantic


@cache
def modules_of_distributions() -> dict[str, set[str]]:
    """The modules that each installed distribution brings, by its name."""
    found: dict[str, set[str]] = {}
    for module, names in packages_distributions().items():
        for name in names:
            found.setdefault(name.lower().replace('_', '-'), set()).add(module)
    return found


@pytest.mark.parametrize('extra', EXTRAS)
def test_each_package_of_an_extra_is_known_by_what_it_is_imported_as(extra: str) -> None:
    by_distribution = modules_of_distributions()
    given: dict[str, Any] = PROJECT['optional-dependencies']
    known = {module for modules in EXTRAS.values() for module in modules}
    for name in distributions(given[extra]):
        if name in by_distribution:
            assert by_distribution[name] & known, f'{name} of {extra}: one of {by_distribution[name]}'


def test_the_base_install_has_no_package_of_the_server() -> None:
    base = distributions(PROJECT['dependencies'])
    assert base == {'numpy', 'numba', 'markupsafe', 'htpy', 'typer', 'rich'}
    assert not base & distributions(PROJECT['optional-dependencies']['server'])
