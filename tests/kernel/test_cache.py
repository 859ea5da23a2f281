"""The cache of compiled code: never stale, safe for several processes, and nowhere but in its own place."""
from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ludoteca

SOURCES = {
    'helper.py': '''
from ludoteca.kernel import kernel

@kernel
def doubled(x: int) -> int:
    return 2 * x
''',
    'components.py': '''
import json
from pathlib import Path
import numpy as np

VALUE = np.array(json.loads((Path(__file__).parent / 'data.json').read_text()), np.int64)
''',
    'rules.py': '''
from ludoteca.kernel import kernel
from sample.components import VALUE
from sample.helper import doubled

@kernel
def answer(x: int) -> int:
    return doubled(x) + VALUE[0]
''',
    'drawing.py': 'COLOUR = 1\n',
    '__init__.py': '',
    'data.json': '[5]',
}
PROGRAM = '''
from sample.rules import answer
found = int(answer(10))
stats = answer.stats
print(found, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
'''


class Sample:
    """A folder of kernels, and a cache of its own."""

    def __init__(self, place: Path) -> None:
        self.root, self.folder, self.cache = place, place / 'sample', place / 'cache'
        self.folder.mkdir()
        for name, text in SOURCES.items():
            (self.folder / name).write_text(text)

    def process(self, cache: Path | None = None) -> subprocess.Popen[str]:
        paths = [str(self.root), str(Path(ludoteca.__file__).parents[1])]
        env = {**os.environ, 'LUDOTECA_CACHE': str(cache or self.cache), 'PYTHONPATH': os.pathsep.join(paths),
               'PYTHONDONTWRITEBYTECODE': '1', 'NUMBA_DISABLE_JIT': '0'}
        return subprocess.Popen([sys.executable, '-c', PROGRAM], env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, cache: Path | None = None) -> tuple[int, bool]:
        """What the kernel answers, and whether its compiled code was found."""
        return finish(self.process(cache))

    def directories(self) -> list[str]:
        return sorted(path.name.split('-')[0] for path in (self.cache / 'kernels').iterdir())

    def litter(self) -> list[Path]:
        """Compiled code that lies beside the sources."""
        return [path for path in self.folder.rglob('*') if path.suffix in ('.nbi', '.nbc') or path.name == '__pycache__']


def finish(process: subprocess.Popen[str]) -> tuple[int, bool]:
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    answer, hits, misses = map(int, out.split())
    assert (hits > 0) != (misses > 0) or (hits, misses) == (0, 0)
    return answer, hits > 0


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    return Sample(tmp_path)


def test_a_new_process_finds_compiled_code(sample: Sample) -> None:
    assert sample.run() == (25, False)
    assert sample.run() == (25, True)
    assert sample.directories() == ['sample', 'shared']
    assert sample.litter() == []


def test_a_change_in_another_file_is_noticed(sample: Sample) -> None:
    sample.run()
    (sample.folder / 'helper.py').write_text(SOURCES['helper.py'].replace('2 * x', '3 * x'))
    assert sample.run() == (35, False)


def test_a_change_in_a_data_file_is_noticed(sample: Sample) -> None:
    sample.run()
    (sample.folder / 'data.json').write_text('[6]')
    assert sample.run() == (26, False)
    (sample.folder / 'data.json').write_text('[5]')
    assert sample.run() == (25, True), 'what was compiled for the old value is still there'


def test_a_change_that_no_kernel_depends_on_costs_nothing(sample: Sample) -> None:
    sample.run()
    (sample.folder / 'drawing.py').write_text('COLOUR = 2\n')
    assert sample.run() == (25, True)


def test_two_processes_at_once_do_not_disturb_each_other(sample: Sample) -> None:
    both = [sample.process(), sample.process()]
    assert [finish(process)[0] for process in both] == [25, 25]
    assert sample.run() == (25, True)


def test_without_a_writable_directory_all_works_without_caching(sample: Sample) -> None:
    """A file where the directory should be cannot be written into, not even by root."""
    blocked = sample.root / 'blocked'
    blocked.write_text('')
    assert sample.run(blocked) == (25, False)
    assert sample.run(blocked) == (25, False)
    assert sample.litter() == []
    assert blocked.read_text() == ''


def test_only_directories_that_were_unused_for_30_days_are_removed(sample: Sample) -> None:
    sample.run()
    kernels = sample.cache / 'kernels'
    current = sorted(kernels.iterdir())
    day, now = 86400, time.time()
    for name, age in (('old-1', 31), ('old-2', 400), ('young-1', 29), ('young-2', 0)):
        directory = kernels / name
        directory.mkdir()
        (directory / 'code.nbi').write_text('')
        os.utime(directory, (now - age * day, now - age * day))
    beside = sample.cache / 'something-else'
    beside.mkdir()
    os.utime(beside, (now - 400 * day, now - 400 * day))
    for directory in current:                                   # what is used stays young
        os.utime(directory, (now - 29 * day, now - 29 * day))
    assert sample.run() == (25, True)
    assert sorted(path.name for path in kernels.iterdir()) == sorted([*(path.name for path in current), 'young-1', 'young-2'])
    assert all(directory.stat().st_mtime > now - day for directory in current)
    assert beside.exists()
