"""The command `ludoteca`: everything that the package can do, from a terminal.

Commands are declared in `app`; what a command needs is imported when it runs, so that help is there at once.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, NoReturn

REFUSED = 2  # exit status after bad input, with one sentence on stderr
INTERRUPTED = 130  # after Ctrl-C, as shells report it
PIPE_CLOSED = 141  # nobody reads our output any more, as shells report it
TERMINATED = 143  # after SIGTERM, as shells report it

SERVERS = 'open', 'serve', 'work'
"""Commands with an answer of their own to SIGTERM."""


class Terminated(BaseException):
    """The process is told to end: like Ctrl-C it lets what is finished be written."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line `arguments` (default: the program's own) and return the exit status."""
    if arguments is None:  # a process of its own
        arguments = sys.argv[1:]
        if arguments and arguments[0] not in SERVERS:
            signal.signal(signal.SIGTERM, _terminate)
    arguments = list(arguments) or ['open']
    if sys.stdout is None:  # started with standard output closed
        sys.stdout = open(os.devnull, 'w')  # noqa: PTH123, SIM115 (open as long as the process lives)
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except OSError as error:  # such as a full disk; errors of named files are handled where they occur
        _drop_output()
        from ludoteca.text import words

        path, reason = error.filename or words('cli.output'), (error.strerror or str(error)).lower()
        return _refuse(words('cli.error.unwritable', path=path, reason=reason))
    except KeyboardInterrupt:
        return INTERRUPTED
    except Terminated:
        return TERMINATED
    return status


def _terminate(*_: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough: what is finished is being written
    raise Terminated


def _drop_output() -> None:
    """Have what is still in the buffer of standard output go nowhere, so that it does not raise again when
    Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@cache
def _commands() -> Any:
    """All commands, read from the signatures of their functions. Typer would read them anew at every call."""
    from typer.main import get_command

    from ludoteca.cli.app import app

    return get_command(app)


def _run(arguments: list[str]) -> int:
    import typer

    # The base of all errors in how a command was typed: Typer brings its own copy of Click and does not
    # export it.
    usage_error: Any = typer.BadParameter.__bases__[0]
    try:
        return int(_commands()(arguments, prog_name='ludoteca', standalone_mode=False) or 0)
    except SystemExit as error:  # Typer's own answer to a closed pipe
        raise BrokenPipeError from error
    except (typer.Abort, EOFError):
        return INTERRUPTED
    except usage_error as error:
        return _refuse(error.format_message())
    except ModuleNotFoundError as error:
        from ludoteca.cli.extras import missing

        sentence = missing(error)
        if sentence is None:
            raise
        return _refuse(sentence)
    except ValueError as error:
        from ludoteca.game import GameError

        if not isinstance(error, GameError):
            raise
        return _refuse(str(error))


def _refuse(sentence: str) -> int:
    """Say in one sentence on stderr what is wrong."""
    sentence = ' '.join(sentence.split())
    print(sentence if sentence.endswith(('.', '!', '?')) else sentence + '.', file=sys.stderr)
    return REFUSED
