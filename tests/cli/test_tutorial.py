"""docs/add-a-game.md makes the game that `new-game` writes; docs/game-contract.md names all that a game may
have."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from ludoteca.cli.new_game import files
from ludoteca.game import Game, Kernels
from tests.cli.conftest import Run
from tests.conformance.needs import protocols
from tests.outside import games_in

DOCS = Path(__file__).parent.parent.parent / 'docs'
TUTORIAL = (DOCS / 'add-a-game.md').read_text()
REFERENCE = (DOCS / 'game-contract.md').read_text()


def written() -> dict[str, str]:
    """The files that a reader writes. Blocks of one file follow each other, parted by two empty lines."""
    found: dict[str, list[str]] = {}
    for file, block in re.findall(r'^```\w+ (\S+)\n(.*?)^```$', TUTORIAL, re.DOTALL | re.MULTILINE):
        found.setdefault(file, []).append(block)
    return {file: '\n\n'.join(blocks) for file, blocks in found.items()}


def test_the_tutorial_makes_the_game_that_new_game_writes() -> None:
    """Which tests/cli/test_new_game.py holds to the contract."""
    assert written() == dict(files('lineup'))


def test_the_tutorial_says_how_long_the_game_is() -> None:
    lines = [line for text in written().values() for line in text.splitlines() if line]
    assert f'The game is {len(lines)} lines' in TUTORIAL


def test_what_the_tutorial_plays_can_be_played(run: Run, tmp_path: Path) -> None:
    (tmp_path / 'lineup').mkdir()
    for file, text in written().items():
        (tmp_path / 'lineup' / file).write_text(text)
    commands = [
        line
        for line in re.findall(r'^ludoteca (.*)$', TUTORIAL, re.MULTILINE)
        if re.match('draw|simulate', line)
    ]
    assert len(commands) == 2
    with games_in(tmp_path):
        assert [run(*shlex.split(command)).err for command in commands] == ['', '']
    assert (tmp_path / 'start.svg').read_text().startswith('<svg')


def test_the_reference_names_every_declaration_kernel_and_function() -> None:
    named = set(re.findall(r'`(\w+)[`(]', '\n'.join(re.findall(r'^\|.*', REFERENCE, re.MULTILINE))))
    functions = {
        name for protocol in protocols().values() for name in vars(protocol) if not name.startswith('_')
    }
    assert named >= {*Game.__annotations__, *Kernels._fields, *protocols(), *functions}


def test_the_reference_says_what_has_a_default() -> None:
    kernels = REFERENCE.partition('## All kernels')[2].partition('## All parts')[0]
    rows = re.findall(r'^\| `(\w+)\(.*?\)` \|([^|]*)\|', kernels, re.MULTILINE)
    assert [name for name, _ in rows] == sorted(Kernels._fields, key=[name for name, _ in rows].index)
    assert {name for name, default in rows if default.strip()} == set(Kernels._field_defaults)
