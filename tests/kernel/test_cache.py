"""The cache of compiled code: never stale, safe for several processes, and nowhere but in its own place."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludoteca
from ludoteca.kernel import machine
from tests.width import width

SOURCES = {
    'helper.py': """
from ludoteca.kernel import kernel

@kernel
def doubled(x: int) -> int:
    return 2 * x
""",
    'components.py': """
import json
from pathlib import Path
import numpy as np

VALUE = np.array(json.loads((Path(__file__).parent / 'data.json').read_text()), np.int64)
""",
    'rules.py': """
from ludoteca.kernel import kernel
from sample.components import VALUE
from sample.helper import doubled

@kernel
def answer(x: int) -> int:
    return doubled(x) + VALUE[0]
""",
    'view/__init__.py': '',
    'view/board.py': """
from sample import rules

COLOUR = 1

def draw(x: int) -> str:
    return f'{COLOUR} {rules.answer(x)}'
""",
    '__init__.py': 'from sample.view import board\n',
    'data.json': '[5]',
}
PROGRAM = """
from sample.rules import answer
found = int(answer(10))
stats = answer.dispatcher.stats
print(found, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""
PATCHED = """
from sample import components
components.VALUE[0] = 7
"""


class Sample:
    """A folder of kernels, and a cache of its own."""

    def __init__(self, place: Path, fork: subprocess.Popen[str] | None = None) -> None:
        self.root, self.folder, self.cache, self.fork = place, place / 'sample', place / 'cache', fork

    def write(self) -> None:
        for name, text in SOURCES.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)

    def process(self, cache: Path | None = None, before: str = '') -> subprocess.Popen[str]:
        """A new process of Python that asks the kernel, and says what it answers and whether its compiled
        code was found."""
        paths = [str(self.root), str(Path(ludoteca.__file__).parents[1])]
        env = {
            **os.environ,
            'LUDOTECA_CACHE': str(cache or self.cache),
            'PYTHONPATH': os.pathsep.join(paths),
            'PYTHONDONTWRITEBYTECODE': '1',
            'NUMBA_DISABLE_JIT': '0',
        }
        return subprocess.Popen(
            [sys.executable, '-c', before + PROGRAM],
            env=env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, cache: Path | None = None, before: str = '') -> tuple[int, bool]:
        """What the kernel answers in another process, and whether its compiled code was found. Narrow, the
        process is a copy of one that has loaded the compiler and knows nothing of the sample."""
        if self.fork is None or not hasattr(os, 'fork'):
            return finish(self.process(cache, before))
        assert self.fork.stdin is not None
        assert self.fork.stdout is not None
        job = {'root': str(self.root), 'cache': str(cache or self.cache), 'program': before + PROGRAM}
        self.fork.stdin.write(json.dumps(job) + '\n')
        self.fork.stdin.flush()
        return understood(self.fork.stdout.readline())

    def directories(self) -> list[str]:
        return sorted(path.name for path in (self.cache / 'kernels').iterdir())

    def litter(self) -> list[Path]:
        """Compiled code that lies beside the sources."""
        return [
            path
            for path in self.folder.rglob('*')
            if path.suffix in ('.nbi', '.nbc', '.kernel') or path.name == '__pycache__'
        ]


def finish(process: subprocess.Popen[str]) -> tuple[int, bool]:
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return understood(out)


def understood(said: str) -> tuple[int, bool]:
    answer, hits, misses = map(int, said.split())
    assert (hits > 0) != (misses > 0) or (hits, misses) == (0, 0)
    return answer, hits > 0


FORK = """
import json, os, sys, traceback
from ludoteca.kernel import kernel

@kernel
def first(x: int) -> int:
    return x + 1
first(1)
sys.dont_write_bytecode = True
for line in sys.stdin:
    child = os.fork()
    if not child:
        job = json.loads(line)
        sys.path.insert(0, job['root'])
        os.environ['LUDOTECA_CACHE'] = job['cache']
        try:
            exec(job['program'], {'__name__': '__main__'})
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
"""
"""A process that has compiled something, and does every program that it reads in a copy of itself."""


@pytest.fixture(scope='module')
def fork(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str] | None]:
    if width(False, True):
        yield None
        return
    env = {
        **os.environ,
        'LUDOTECA_CACHE': str(tmp_path_factory.mktemp('fork')),
        'NUMBA_DISABLE_JIT': '0',
        'PYTHONPATH': str(Path(ludoteca.__file__).parents[1]),
    }
    with subprocess.Popen(
        [sys.executable, '-c', FORK], env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield process
        process.kill()


@pytest.fixture
def sample(tmp_path: Path, fork: subprocess.Popen[str] | None) -> Sample:
    """One that nothing was compiled of."""
    new = Sample(tmp_path, fork)
    new.write()
    return new


@pytest.fixture(scope='module')
def run_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The place of a sample of which a process has compiled the kernels."""
    sample = Sample(tmp_path_factory.mktemp('sample'))
    sample.write()
    assert sample.run() == (25, False)
    return sample.root


@pytest.fixture
def warm(run_once: Path, tmp_path: Path, fork: subprocess.Popen[str] | None) -> Sample:
    """A copy of it, and of its cache."""
    shutil.copytree(run_once, tmp_path, dirs_exist_ok=True)
    return Sample(tmp_path, fork)


def test_a_new_process_finds_compiled_code(warm: Sample) -> None:
    assert finish(warm.process()) == (25, True)
    assert warm.directories() == ['sample']
    assert warm.litter() == []


TWO = """
from ludoteca.kernel import kernel

@kernel
def one(x: int) -> int:
    return x + 1

@kernel
def other(x: int) -> int:
    return x + 2

one(1), other(1)
"""


def test_the_first_kernel_that_a_process_compiles_is_kept_like_all_others(tmp_path: Path) -> None:
    (tmp_path / 'two.py').write_text(TWO)
    env = {
        **os.environ,
        'LUDOTECA_CACHE': str(tmp_path / 'cache'),
        'NUMBA_DISABLE_JIT': '0',
        'PYTHONPATH': str(Path(ludoteca.__file__).parents[1]),
    }
    subprocess.run([sys.executable, str(tmp_path / 'two.py')], env=env, check=True)
    kept = sorted(path.name.partition('-')[0] for path in (tmp_path / 'cache').rglob('*.kernel'))
    assert kept == ['one', 'other']


def test_a_change_in_another_file_is_noticed(warm: Sample) -> None:
    (warm.folder / 'helper.py').write_text(SOURCES['helper.py'].replace('2 * x', '3 * x'))
    assert warm.run() == (35, False)


def test_a_change_in_how_an_instruction_is_compiled_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [machine.instruction_digest('write_set')]
    monkeypatch.setattr(machine, 'NUMBERS', [*machine.NUMBERS[:-1], []])
    told.append(machine.instruction_digest('write_set'))
    monkeypatch.setattr(machine, '_vector', lambda builder, values: values[0])
    told.append(machine.instruction_digest('write_set'))
    monkeypatch.setitem(machine.INSTRUCTIONS, 'write_set', machine.places_of)
    told.append(machine.instruction_digest('write_set'))
    assert len(set(told)) == 4


def test_a_change_in_a_data_file_is_noticed(warm: Sample) -> None:
    (warm.folder / 'data.json').write_text('[6]')
    assert warm.run() == (26, False)
    (warm.folder / 'data.json').write_text('[5]')
    assert warm.run() == (25, True), 'what was compiled for the old value is still there'


PAIR = """
from typing import NamedTuple
import numpy as np
from ludoteca.kernel import Array, kernel

class Pair(NamedTuple):
    first: Array
    second: Array

@kernel
def of_pair(pair: Pair) -> int:
    return pair.first[0]

@kernel
def of_arrays(a: Array, b: Array) -> int:
    return Pair(a, b).first[0]

def answer(x: int) -> int:
    return CALL

answer.dispatcher = KERNEL.dispatcher
"""


@pytest.mark.parametrize(
    ('kernel', 'call', 'answers'),
    [
        ('of_pair', 'of_pair(Pair(second=np.array([x]), first=np.array([5])))', (5, 5)),
        ('of_arrays', 'of_arrays(np.array([x]), np.array([5]))', (10, 5)),
    ],
)
def test_fields_of_a_named_tuple_that_change_places_are_noticed(
    sample: Sample, kernel: str, call: str, answers: tuple[int, int]
) -> None:
    text = PAIR.replace('CALL', call).replace('KERNEL', kernel)
    (sample.folder / 'rules.py').write_text(text)
    assert [sample.run(), sample.run()] == [(answers[0], False), (answers[0], True)]
    first, second = '    first: Array\n', '    second: Array\n'
    (sample.folder / 'rules.py').write_text(text.replace(first + second, second + first))
    assert sample.run() == (answers[1], False)


def test_a_table_patched_before_the_first_call_takes_effect_with_a_warm_cache(warm: Sample) -> None:
    assert warm.run(before=PATCHED) == (27, False)
    assert warm.run(before=PATCHED) == (27, True)


def test_a_patched_table_does_not_poison_a_cold_cache_for_others(sample: Sample) -> None:
    assert sample.run(before=PATCHED) == (27, False)
    assert sample.run() == (25, False)


def test_a_table_cannot_be_changed_in_silence_once_it_was_compiled_in(sample: Sample) -> None:
    """Kernels that are compiled already would go on with the old values."""
    assert (
        sample.run(
            before="""
from sample import components, rules
rules.answer(10)
try:
    components.VALUE[0] = 7
except ValueError as problem:
    assert 'read-only' in str(problem)
else:
    raise AssertionError('the table was changed')
"""
        )[0]
        == 25
    )


def test_a_table_that_is_rebound_after_it_was_compiled_in_is_refused_at_the_next_compiling(
    sample: Sample,
) -> None:
    assert (
        sample.run(
            before="""
from ludoteca.kernel import kernel
from ludoteca.kernel.digest import ChangedTable
from sample import rules
rules.answer(10)
rules.VALUE = rules.VALUE + 1

@kernel
def more(x: int) -> int:
    return rules.answer(x)
answer = rules.answer

@kernel
def other(x: int) -> int:
    return answer(x)
try:
    other(1)
except ChangedTable as problem:
    assert 'rules.answer' in str(problem)
else:
    raise AssertionError('an old and a new table were mixed')
rules.VALUE = rules.VALUE - 1
"""
        )[0]
        == 25
    )


UNRELATED = [
    ('view/board.py', 'COLOUR = 1', '# a comment\nCOLOUR = 2'),
    ('view/board.py', "f'{COLOUR} ", "f'{COLOUR + 1}: "),
    ('rules.py', '    return', '    # a comment\n\n    return'),
    ('rules.py', '    return', '    """What it says."""\n    return'),
    ('helper.py', '@kernel\ndef doubled', 'def unused() -> None: ...\n\n@kernel\ndef doubled'),
    ('data.json', '[5]', '[ 5 ]'),
]


@pytest.mark.parametrize('changes', width([UNRELATED], [[change] for change in UNRELATED]))
def test_a_change_that_no_kernel_depends_on_costs_nothing(
    warm: Sample, changes: list[tuple[str, str, str]]
) -> None:
    for file, old, new in changes:
        text = (warm.folder / file).read_text()
        assert old in text
        (warm.folder / file).write_text(text.replace(old, new))
    assert warm.run() == (25, True)


def test_code_that_was_cut_short_is_compiled_anew(warm: Sample) -> None:
    for path in (warm.cache / 'kernels').rglob('*.kernel'):
        path.write_bytes(path.read_bytes()[:100])
    assert warm.run() == (25, False)
    assert warm.run() == (25, True)


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


def test_only_files_that_were_unused_for_30_days_are_removed(warm: Sample) -> None:
    kernels = warm.cache / 'kernels'
    current = sorted(path for path in kernels.rglob('*') if path.is_file())
    day, now = 86400, time.time()
    for name, age in (
        ('old/1.nbi', 31),
        ('sample/2.kernel', 400),
        ('young/1.nbi', 29),
        ('sample/3.kernel', 0),
    ):
        path = kernels / name
        path.parent.mkdir(exist_ok=True)
        path.write_text('')
        os.utime(path, (now - age * day, now - age * day))
    beside = warm.cache / 'something-else'
    beside.mkdir()
    os.utime(beside, (now - 400 * day, now - 400 * day))
    for path in current:  # what is used stays young
        os.utime(path, (now - 29 * day, now - 29 * day))
    assert warm.run() == (25, True)
    assert warm.run(before=PATCHED) == (27, False)  # files are removed when new ones are written
    assert sorted(path.name for path in kernels.iterdir()) == ['sample', 'young']
    left = {path.relative_to(kernels).as_posix() for path in kernels.rglob('*') if path.is_file()}
    assert {'young/1.nbi', 'sample/3.kernel'} < left
    assert 'sample/2.kernel' not in left
    assert beside.exists()
    used = [path for path in current if path.stem.startswith('answer')]
    assert used
    assert all(path.stat().st_mtime > now - day for path in used)
