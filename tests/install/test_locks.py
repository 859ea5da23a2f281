"""The locks that `make setup` and the image install from: whole, so that no resolver looks beyond them."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
EXTRAS = {
    'requirements.lock': {'build', 'server'},
    'requirements-dev.lock': {'build', 'server', 'dev'},
    'requirements-full.lock': {'build', 'server', 'dev', 'research', 'cluster', 'docs'},
    'requirements-image.lock': {'server', 'postgres', 'tracing'},
}
NOT_INSTALLED = {'requirements-image.lock': {'opentelemetry-exporter-otlp-proto-http'}}
"""What no test installs, so that nothing tells what it needs."""


def pinned(lock: str) -> dict[str, str]:
    """The version of each package in a lock."""
    lines = re.findall(r'^([\w.-]+)==([^\s;\\]+)', (ROOT / lock).read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in lines}


def missing(lock: str, distribution: str, extras: set[str], seen: set[tuple[str, str]]) -> list[str]:
    """What a distribution with extras needs here, directly or not, and a lock does not give."""
    found = []
    versions = pinned(lock)
    for extra in {'', *extras}:
        if (distribution, extra) in seen:
            continue
        seen.add((distribution, extra))
        for text in metadata.requires(distribution) or ():
            wanted = Requirement(text)
            if wanted.marker and not wanted.marker.evaluate({'extra': extra}):
                continue
            name = canonicalize_name(wanted.name)
            given = versions.get(name)
            if name != 'ludoteca' and not (given and wanted.specifier.contains(given, prereleases=True)):
                found.append(f'{distribution}[{extra}] needs {text}, and the lock gives {given}')
                continue
            try:
                found += missing(lock, name, set(wanted.extras), seen)
            except metadata.PackageNotFoundError:  # only `make test-all` installs it
                expected = lock == 'requirements-full.lock' or name in NOT_INSTALLED.get(lock, ())
                assert expected, f'{name} is in {lock} and is not installed'
    return found


@pytest.mark.parametrize('lock', EXTRAS)
def test_a_lock_gives_all_that_its_packages_need(lock: str) -> None:
    assert missing(lock, 'ludoteca', EXTRAS[lock], set()) == []


def test_the_image_carries_the_versions_that_tests_run_with() -> None:
    """Rules that were compiled for another Numba or NumPy are passed over."""
    image, full = pinned('requirements-image.lock'), pinned('requirements-full.lock')
    assert {name: image[name] for name in image.keys() & full} == {
        name: full[name] for name in image.keys() & full
    }
    assert {'numba', 'numpy', 'uvicorn', 'sqlalchemy', 'psycopg'} <= image.keys() & full


def test_pip_asks_for_nothing_beyond_a_lock() -> None:
    """Its resolver may take the newest `package[extra]`, whatever is pinned, and then has no hash for it."""
    files = [(ROOT / name).read_text() for name in ('Makefile', 'deploy/Containerfile')]
    installing = re.findall(r'pip install .*', '\n'.join(files))
    from_locks = [line for line in installing if '--requirement' in line or ' -r ' in line]
    assert len(from_locks) == len(EXTRAS)
    assert all('--no-deps' in line and '--require-hashes' in line for line in from_locks)
