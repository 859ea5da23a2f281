"""Which version of Ludoteca, of the rules and of the components a job was made with. A worker elsewhere that
has another one would play other games under the same numbers: it is refused."""

from __future__ import annotations

import hashlib
import json
import pickle
import socket
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ludoteca import __version__
from ludoteca.game import Game, GameError, load, variant
from ludoteca.game.components import exported, split
from ludoteca.research.fingerprint import fingerprint
from ludoteca.text import words

PACKAGE = Path(__file__).resolve().parent.parent
PARTS = ('kernel', 'game', 'search', 'batch', 'match', 'review', 'puzzles', 'research')
"""What decides how a game goes and what is written of it, besides the game's own folder."""
SHOWN = 10  # digits of a digest in a sentence


class Played(NamedTuple):
    """A game, as a job was made with it."""

    name: str
    version: int
    components: str
    sources: str
    component_set: str  # as JSON, if it has one of its own; else ''


class Stamp(NamedTuple):
    """What a worker must have, too."""

    ludoteca: str
    sources: str
    games: tuple[Played, ...]


def stamp_of(games: Iterable[Game | str]) -> Stamp:
    """The versions of this process. A game that is known by no name is sent whole, with its rules."""
    named = sorted({one if isinstance(one, str) else _name(one) for one in games} - {''})
    return Stamp(__version__, sources(), tuple(played(name) for name in named))


def _name(game: Game) -> str:
    try:
        return game.name if load(game.name) is game else ''
    except GameError:
        return ''


def packed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """A job, for `checked`: it is unpacked by workers that know all that is in it."""
    return pickle.dumps((function, arguments))


def checked(stamp: Stamp, job: bytes) -> Any:
    """Do a job that was packed, in a worker. Raises GameError if the worker has another version."""
    if problem := different(stamp):
        raise GameError(problem)
    function, arguments = pickle.loads(job)
    return function(*arguments)


@cache
def different(stamp: Stamp) -> str:
    """What is different here, as a sentence; '' if nothing is."""
    if (stamp.ludoteca, stamp.sources) != (__version__, sources()):
        return _sentence(_version(*stamp[:2]), _version(__version__, sources()))
    for one in stamp.games:
        try:
            if one.component_set:
                variant(split(one.name)[0], json.loads(one.component_set), keep=False)
            here = played(one.name)
        except GameError:
            return words('executor.error.no_game', host=socket.gethostname(), game=one.name)
        if here != one:
            return _sentence(_rules(one), _rules(here))
    return ''


def _sentence(wanted: str, there: str) -> str:
    return words('executor.error.version', host=socket.gethostname(), wanted=wanted, there=there)


def _version(version: str, digest: str) -> str:
    return words('executor.version', version=version, digest=digest[:SHOWN])


def _rules(one: Played) -> str:
    return words(
        'executor.rules',
        game=one.name,
        version=one.version,
        components=one.components[:SHOWN],
        digest=one.sources[:SHOWN],
    )


def played(name: str) -> Played:
    """A game as this process knows it. Raises GameError for an unknown one."""
    game = load(name)
    own = '' if game.component_set is None else json.dumps(exported(game), sort_keys=True)
    return Played(name, game.version, fingerprint(game), _digest(_rule_files(Path(game.folder))), own)


def _rule_files(folder: Path) -> list[Path]:
    """The modules of a game without what people see."""
    return [path for path in folder.rglob('*.py') if 'view' not in path.relative_to(folder).parts]


@cache
def sources() -> str:
    """A digest of the modules that all games share."""
    return _digest([path for part in PARTS for path in (PACKAGE / part).rglob('*.py')])


def _digest(files: Iterable[Path]) -> str:
    found = hashlib.blake2b(digest_size=16)
    for path in sorted(files):
        found.update(f'{path.parent.name}/{path.name}\0'.encode())
        found.update(path.read_bytes().replace(b'\r\n', b'\n'))
    return found.hexdigest()
