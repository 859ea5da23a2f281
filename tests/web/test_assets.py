"""The browser's files, as they are served."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from starlette.testclient import TestClient

from ludoteca.web.serving import assets

Guest = Callable[..., TestClient]
BUDGET = 64 * 1024  # bytes
TSC = Path(__file__).resolve().parents[2] / 'node_modules/typescript/bin/tsc'
IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*['"](\.{1,2}/[^'"]+)['"]""")
LITERAL = re.compile(r"""'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`""")


def modules(first: str) -> set[str]:
    """A module and all that it imports, at once or later, and so on."""
    found, open_ = set[str](), [first]
    while open_:
        path = open_.pop()
        if path not in found:
            found.add(path)
            folder = PurePosixPath(path).parent
            open_ += [str(folder / name) for name in IMPORT.findall(assets.files()[path].decode())]
    return found


def test_the_script_of_the_table_page_takes_less_than_64_kb(guest: Guest) -> None:
    """Packed, as it is served, all modules together: those that hardly anybody needs, too."""
    client = guest()
    client.headers['Accept-Encoding'] = 'gzip'
    found = modules('table.js') | {'install.js'}
    found.remove('analysis.js')  # no table's page loads it, but that of a board for analysis
    assert found >= {'table.js', 'turn.js', 'places.js', 'signals.js', 'vendor/idiomorph.js'}
    sizes = {}
    for path in found:
        answer = client.get(assets.url(path))
        assert answer.headers['content-encoding'] == 'gzip'
        sizes[path] = int(answer.headers['content-length'])
        assert 'immutable' in answer.headers['cache-control']
    assert sum(sizes.values()) < BUDGET, sizes


def test_a_browser_that_unpacks_nothing_gets_the_same_script(guest: Guest) -> None:
    client = guest()
    plain = client.get(assets.url('table.js'), headers={'Accept-Encoding': 'identity'})
    assert 'content-encoding' not in plain.headers
    assert plain.text == client.get(assets.url('table.js'), headers={'Accept-Encoding': 'gzip'}).text
    assert plain.content == assets.files()['table.js']


@pytest.mark.skipif(not (TSC.exists() and shutil.which('node')), reason='tsc is not installed: npm ci')
def test_scripts_are_served_as_they_are_written_but_for_comments_and_spaces(tmp_path: Path) -> None:
    """Both are printed anew by the compiler, without comments: all but spaces is the same, and so are the
    spaces within texts."""
    paths = [path for path in assets.files() if path.endswith('.js')]
    for path in paths:
        for kind, content in (
            ('written', (assets.FOLDER / path).read_bytes()),
            ('served', assets.files()[path]),
        ):
            file = tmp_path / kind / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    for kind in ('written', 'served'):
        command = ['node', str(TSC), '--allowJs', '--noCheck', '--removeComments', '--noResolve']
        command += ['--target', 'es2022', '--module', 'es2022', '--moduleResolution', 'bundler']
        command += ['--rootDir', kind, '--outDir', f'{kind}-printed']
        subprocess.run([*command, *(f'{kind}/{path}' for path in paths)], cwd=tmp_path, check=True)
    for path in paths:
        written, served = (
            (tmp_path / f'{kind}-printed' / path).read_text() for kind in ('written', 'served')
        )
        assert re.sub(r'\s', '', served) == re.sub(r'\s', '', written), path
        assert LITERAL.findall(served) == LITERAL.findall(written), path


def test_licences_of_others_are_served_beside_their_files(guest: Guest) -> None:
    for path in assets.files():
        if path.startswith('vendor/') and path.endswith('.js'):
            licence = guest().get(assets.url(path.removesuffix('.js') + '.LICENSE'))
            assert 'Permission to use, copy, modify' in licence.text
    assert 'SIL OPEN FONT LICENSE' in guest().get(assets.url('fonts/inter.LICENSE')).text


def test_a_browser_asks_for_a_font_once(guest: Guest) -> None:
    answer = guest().get(assets.url('fonts/inter-greek.woff2'))
    assert answer.headers['content-type'] == 'font/woff2'
    assert 'immutable' in answer.headers['cache-control']


def test_the_style_sheets_speak_of_nothing_that_no_page_and_no_drawing_has() -> None:
    package = Path(assets.__file__).parents[1]
    code = '\n'.join(path.read_text() for end in ('py', 'js') for path in package.rglob(f'*.{end}'))
    names = set(re.findall(r'[A-Za-z][\w-]*', code))
    # of names that are put together: `fades-{step}`, `${name}-case`
    begins, ends = set(re.findall(r'([A-Za-z][\w-]*-)\$?\{', code)), set(re.findall(r'\}(-[\w-]+)', code))
    unknown = set[str]()
    for path in package.rglob('web/static/*.css'):
        rules = re.findall(r'([^{}]+)\{', re.sub(r'/\*.*?\*/', '', path.read_text(), flags=re.DOTALL))
        styled = {name for rule in rules for name in re.findall(r'[.#]([A-Za-z][\w-]*)', rule)}
        unknown |= {
            name
            for name in styled - names
            if f'{name.rpartition("-")[0]}-' not in begins and f'-{name.rpartition("-")[2]}' not in ends
        }
    assert not unknown
