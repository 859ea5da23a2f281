"""What commands share: reading positions and options, writing files whole or not at all, progress, tables."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ludoteca.text import words

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ludoteca.game import Game, Options, Position, State
    from ludoteca.match import Match

STDIN = '-'


def fail(key: str, **values: object) -> NoReturn:
    """Refuse a command with the sentence `cli.error.<key>`."""
    from ludoteca.game import GameError

    raise GameError(words(f'cli.error.{key}', **values))


def check_positive(option: str, value: int | None) -> None:
    """Refuse a number of which there must be one at least; None: it was not given."""
    if value is not None and value < 1:
        fail('positive', name=option, value=value)


def reason(error: OSError) -> str:
    """Why the system refused, as the end of a sentence."""
    return (error.strerror or type(error).__name__).lower()


# ---- reading -----------------------------------------------------------------------------------------------


def read_text(path: str) -> str:
    """The text of a file, or of standard input for `-`."""
    try:
        data = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except FileNotFoundError:
        fail('no_file', path=path)
    except IsADirectoryError:
        fail('directory', path=path)
    except OSError as error:
        fail('unreadable', path=path, reason=reason(error))
    except ValueError:  # a null character in the name
        fail('no_file', path=repr(path))
    return decode(data, path)


def decode(data: bytes, source: str) -> str:
    """Bytes as text."""
    try:
        return data.decode('utf-8-sig')
    except UnicodeDecodeError:
        fail('not_text', path=source)


def parse_position(game: Game, text: str, source: str) -> Position:
    """A position of `game` from JSON text; `source` says in errors where the text came from."""
    from ludoteca.game import GameError, Position
    from ludoteca.game.components import split

    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        fail('not_json', source=source, line=error.lineno, column=error.colno, reason=error.msg)
    except (ValueError, RecursionError):  # a number of thousands of digits; thousands of nested brackets
        fail('not_position', source=source, game=game.name)
    if not isinstance(data, Mapping):
        fail('not_position', source=source, game=game.name)
    named = data.get('game', game.name)
    if named != game.name and not (isinstance(named, str) and split(named)[0] == game.base_name):
        fail('other_game', source=source, named=json.dumps(named), game=game.name)
    try:
        return Position(game, game.from_json({'game': game.name, **data}))
    except GameError as error:
        fail('impossible', source=source, sentence=error)


def with_components(name: str, path: str) -> str:
    """The name of a game with the component set of a file. If the name has a set, it must be this one."""
    from ludoteca.game import variant
    from ludoteca.game.components import parsed, split

    found = variant(name, parsed(read_text(path), path)).name
    if split(name)[1]:
        _check_components(name, name, found)
    return found


def _check_components(what: str, name: str, found: str) -> None:
    """Refuse --components of the game called `found` for what is of the one called `name`."""
    from ludoteca.game.contract import set_words

    if found != name:
        fail('other_components', what=what, needs=set_words(name), given=set_words(found))


def read_match(path: str, components: str | None = None) -> Match:
    """The match of a match file, with the component set of the file `components` if it is given."""
    from ludoteca.game import GameError, variant
    from ludoteca.game.components import parsed, set_of_file
    from ludoteca.match import files

    text, name = read_text(path), ''
    if components is not None:
        data = parsed(read_text(components), components)
        name = variant(set_of_file(data, components), data).name
    try:
        match = files.read(text)
    except GameError as problem:
        fail('match_file', path=path, sentence=problem)
    if name:
        _check_components(path, match.game.name, name)
    return match


def read_position(game: Game, path: str) -> Position:
    """The position in a file (`-`: standard input)."""
    return parse_position(game, read_text(path), words('cli.standard_input') if path == STDIN else path)


def read_seed(text: str | None) -> int | str:
    """A seed that was typed, else one from the system's entropy, short enough to be typed again."""
    if text is None:
        import secrets

        return secrets.randbelow(10**9)
    if text.startswith('-') or not text:
        fail('seed', given=text)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 40 else text


def read_options(game: Game, given: Sequence[str]) -> Options:
    """Options typed as name=value."""
    values: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition('=')
        if not sign:
            fail('option', given=text, names=', '.join(game.options.values()) or words('cli.none'))
        values[name.strip()] = value.strip()
    return game.options.read(values)


def read_seat(game: Game, players: int, given: str, spectator: bool = True) -> int:
    """A seat typed as a number from 0, by its colour, or (-1) as a spectator."""
    colours = [words(f'colour.{colour}').lower() for colour in game.colours(players)]
    named = {
        **{colour: seat for seat, colour in enumerate(colours)},
        **{str(seat): seat for seat in range(players)},
    }
    if spectator:
        named |= {'-1': -1, words('cli.spectator'): -1}
    if given.lower() not in named:
        fail('seat', given=given, last=players - 1, colours=', '.join(colours))
    return named[given.lower()]


def start(game: Game, players: int | None, seed: int | str, options: Sequence[str]) -> State:
    """The start of a game from what was typed."""
    from ludoteca.game import start as begin

    return begin(game, players, seed, read_options(game, options))


# ---- writing -----------------------------------------------------------------------------------------------


def check_file(path: str) -> None:
    """Refuse the name of a directory for a file."""
    if Path(path).is_dir():
        fail('directory', path=path)


def write_file(path: str, data: bytes) -> None:
    """Write a file whole or not at all: to a temporary name beside it, which then takes its place."""
    check_file(path)
    target = Path(path)
    temporary = ''
    try:
        handle, temporary = tempfile.mkstemp(prefix=f'.{target.name}.', dir=target.parent)
        with os.fdopen(handle, 'wb') as file:
            file.write(data)
        Path(temporary).chmod(_mode(target))
        Path(temporary).replace(target)
    except (OSError, ValueError) as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        fail('unwritable', path=path, reason=reason(error) if isinstance(error, OSError) else error)
    except BaseException:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """The permissions of a file that is to be replaced, or those that a new one gets."""
    with contextlib.suppress(OSError):
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def print_json(data: object) -> None:
    """One line of JSON on standard output, at once."""
    print(json.dumps(data), flush=True)


@contextlib.contextmanager
def given_executor(
    text: str | None, workers: int | None, option: str = '--workers'
) -> Iterator[Executor | None]:
    """The executor that was named; None if none was. `workers` is what was typed for the number of processes
    on this computer."""
    if text is None:
        yield None
        return
    check_positive(option, workers)
    from ludoteca.research.executors import opened

    with opened(text, workers) as executor:
        yield executor


@contextlib.contextmanager
def progress(total: int | None, label: str) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr if that is a terminal. The function given takes the number of steps just
    done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn('{task.description}'), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda steps: bar.advance(task, steps)


def print_table(rows: Iterable[Sequence[str]], header: Sequence[str] = (), title: str = '') -> None:
    """A table for people on standard output; all columns but the first are aligned to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False, emoji=False)
    if title:
        console.print(title, soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, show_header=bool(header), pad_edge=False)
    rows = [list(row) for row in rows]
    for k in range(max((len(row) for row in (header, *rows)), default=0)):
        table.add_column(header[k] if k < len(header) else '', justify='left' if k == 0 else 'right')
    for row in rows:
        table.add_row(*row)
    console.print(table)


def percent(share: float) -> str:
    """A share for people."""
    return f'{100 * share:.1f} %'


def number(value: Any) -> str:
    """A number for people: at least three significant digits, with thousands separators."""
    value = float(value)
    return f'{value:,.0f}' if abs(value) >= 1000 or value == int(value) else f'{value:.3g}'
