"""The third way in: a wheel in an empty environment. It needs the registry of Python packages."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import socket
import subprocess
import sys
import time
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILT_IN = ('mykerinos', 'myraclia', 'myriath', 'myrmidons', 'octiles')
pytestmark = pytest.mark.wide

CLEAN = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(('LUDOTECA', 'NUMBA', 'PYTHON', 'VIRTUAL_ENV')) and name != 'HOME'
}


def run(*command: str | Path, home: Path, **environment: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        env={**CLEAN, 'HOME': str(home), **environment},
        cwd=home,
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, f'{done.stdout[-3000:]}\n{done.stderr[-3000:]}'
    return done.stdout


@pytest.fixture(scope='module')
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheels that `make wheel` builds, by the kind of computer they are for."""
    folder = tmp_path_factory.mktemp('dist')
    run(sys.executable, ROOT / 'scripts/make_wheel.py', folder, home=folder, LUDOTECA_CHECKED='0')
    return {path.stem.rpartition('-')[2]: path for path in folder.glob('*.whl')}


@pytest.fixture(scope='module')
def core(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `ludoteca` of an environment in which nothing is but what pip installs for the wheel."""
    place = tmp_path_factory.mktemp('environment')
    venv.create(place, with_pip=True)
    install(place, str(wheels.get('linux_x86_64') or wheels['any']))
    return place / 'bin/ludoteca'


@pytest.fixture(scope='module')
def alone(core: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], str, str]:
    """Of the core without extras: which packages there are, what a simulation says, and how the server is
    refused."""
    home, python = tmp_path_factory.mktemp('home'), core.with_name('python')
    names = 'import importlib.metadata as m; print(*sorted({d.name.lower() for d in m.distributions()}))'
    packages = set(run(python, '-c', names, home=home).split())
    simulated = run(core, 'simulate', 'octiles', '--games', '50', '--seed', '1', '--json', home=home)
    refused = subprocess.run(
        [core, 'serve'], env={**CLEAN, 'HOME': str(home)}, text=True, capture_output=True, check=False
    )
    assert refused.returncode == 2
    return packages, simulated, refused.stderr


@pytest.fixture(scope='module')
def installed(core: Path, alone: object, wheels: dict[str, Path]) -> Path:
    """The same with its extra `server`."""
    install(core.parents[1], f'{wheels.get("linux_x86_64") or wheels["any"]}[server]')
    return core


def install(place: Path, what: str) -> None:
    # how pip is set up on this computer
    kept = {name: os.environ[name] for name in ('HOME',) if name in os.environ}
    done = subprocess.run(
        [place / 'bin/python', '-m', 'pip', 'install', '-q', '--disable-pip-version-check', what],
        env={**CLEAN, **kept},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_the_wheel_for_every_computer_holds_no_compiled_code(wheels: dict[str, Path]) -> None:
    names = zipfile.ZipFile(wheels['any']).namelist()
    assert not [name for name in names if name.endswith('.kernel')]
    assert 'ludoteca/web/ready/octiles/emblem-light.svg.gz' in names
    assert len([name for name in names if name.endswith('rulebook.md')]) == len(BUILT_IN)


def test_without_extras_there_is_the_core_and_no_package_of_the_server(
    alone: tuple[set[str], str, str],
) -> None:
    packages, simulated, refused = alone
    assert {'numpy', 'numba', 'typer'} <= packages
    assert packages.isdisjoint({'fastapi', 'starlette', 'uvicorn', 'sqlalchemy', 'pillow', 'pyarrow', 'ray'})
    assert json.loads(simulated)['games'] == 50
    assert refused.count('\n') == 1
    assert 'extra `server`' in refused


@pytest.mark.skipif(
    platform.system() != 'Linux' or platform.machine() != 'x86_64', reason='kernels come for Linux on x86-64'
)
def test_with_a_ready_wheel_no_kernel_is_compiled(
    installed: Path, wheels: dict[str, Path], tmp_path: Path
) -> None:
    if 'linux_x86_64' not in wheels:
        pytest.skip('this processor is older than x86-64-v3')
    assert json.loads(run(installed, 'prepare', '--json', home=tmp_path).splitlines()[-1])['ready']
    assert not list(tmp_path.rglob('*.kernel'))
    for name in BUILT_IN:
        found = json.loads(
            run(installed, 'simulate', name, '--games', '50', '--seed', '1', '--json', home=tmp_path)
        )
        assert found['games'] == 50
    assert not list(tmp_path.rglob('*.kernel'))


@contextlib.contextmanager
def started(command: Path, home: Path) -> Iterator[str]:
    with socket.socket() as found:
        found.bind(('127.0.0.1', 0))
        port = found.getsockname()[1]
    child = subprocess.Popen(
        [command, 'open', '--port', str(port)],
        env={**CLEAN, 'HOME': str(home), 'BROWSER': 'true'},
        cwd=home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f'http://127.0.0.1:{port}'
    finally:
        child.terminate()
        child.wait(20)


def test_the_tables_open_and_a_bot_answers(installed: Path, tmp_path: Path) -> None:
    def ask(path: str, **given: object) -> dict[str, object]:
        request = urllib.request.Request(
            address + path,
            json.dumps(given).encode() if given else None,
            {'Content-Type': 'application/json', **bearer},
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            found: dict[str, object] = json.loads(answer.read())
        return found

    bearer: dict[str, str] = {}
    with started(installed, tmp_path) as address:
        end = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(address, timeout=5) as lobby:
                    page = lobby.read().decode()
                break
            except OSError:
                assert time.monotonic() < end
                time.sleep(0.1)
        assert all(f'/games/{name}/picture-light.svg' in page for name in BUILT_IN)
        for name in BUILT_IN:
            bearer.clear()
            table = ask('/api/tables', game=name, mode='bot', level='easy')
            tokens = table['tokens']
            assert isinstance(tokens, dict)
            bearer['Authorization'] = f'Bearer {next(iter(tokens.values()))}'
            path, turns, end = f'/api/tables/{table["id"]}', 0, time.monotonic() + 60
            while turns < 2:
                view = ask(path)
                if view['may_act'] and isinstance(view['legal'], list):
                    ask(f'{path}/act', steps=view['legal'][0])
                elif time.monotonic() > end:
                    pytest.fail(f'{name}: the bot does not answer')
                time.sleep(0.1)  # who asks all the time is refused for some seconds
                turns = int(str(ask(path)['turns']))
