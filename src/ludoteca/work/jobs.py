"""Jobs as plain data, and what they are done with."""

from __future__ import annotations

import base64
import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import ludoteca
from ludoteca.game import Game, GameError, State, load
from ludoteca.search import Bot, make_bot

Payload = Mapping[str, Any]
Result = dict[str, Any]

PACKAGE = Path(__file__).parent.parent
SOURCES = ('kernel', 'search', 'game', 'work', 'review', 'puzzles', 'analysis', 'text')
"""Folders of the package on which the result of a job may depend, beside the game's own."""
KINDS_OF_FILES = ('.py', '.toml', '.json')
"""Code, words (an answer is judged in sentences), and tables of components."""
REMEMBERED = 15.0
"""Seconds for which a bot is remembered that is not asked again. A turn takes half of it at most."""


class LostJob(GameError):
    """Several workers have ended while they did this job; nobody tries again."""


@dataclass(frozen=True)
class Job:
    """Something to be done.

    `kind` names the function (`kinds.KINDS`), `payload` is what it is given: an object of JSON. `subject` is
    the table that it is for; subjects take turns. `key` is what the job is cancelled by; jobs of one key are
    done one after the other. Those of the lowest `rank` come first. `deadline`: a time of time.monotonic() by
    which it should be done, or None. `small`: it takes less than giving it away would.
    """

    kind: str
    subject: str
    key: Hashable
    rank: int
    payload: Payload
    deadline: float | None = None
    small: bool = False

    @property
    def form(self) -> str:
        """See `form_of`."""
        return form_of(str(self.payload['game']))


class Bots:
    """The bots that are at work on a turn. A level may go on from what it has found out for an action before
    (`BotLevel.keeps_tree`), and so may other people's bots."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[Bot, float]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, turn: str, level: str) -> Bot:
        """The bot of a level that makes a turn. Raises GameError if there is no such level."""
        now, key = time.monotonic(), (turn, level)
        with self._lock:
            while self._kept and next(iter(self._kept.values()))[1] < now - REMEMBERED:
                self._kept.popitem(last=False)
            bot = self._kept[key][0] if key in self._kept else make_bot(level)
            self._kept[key] = bot, now
            self._kept.move_to_end(key)
            return bot

    def forget(self, turn: str) -> None:
        """A turn is over."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == turn]:
                del self._kept[key]


@dataclass(frozen=True)
class Conditions:
    """Under which a job is done: the time of time.monotonic() by which it should be, or None; bots that
    remember."""

    deadline: float | None = None
    bots: Bots = field(default_factory=Bots)


# ---- positions in payloads ---------------------------------------------------------------------------------


def packed(state: State) -> str:
    """A position as text. It must be hidden for the seat that the job is for: whoever reads the payload reads
    all of it."""
    return base64.b64encode(state.tobytes()).decode()


def unpacked(game: Game, text: str) -> State:
    """The position that `packed` has made a text of, with memory of its own. Raises ValueError."""
    data = base64.b64decode(text)
    if len(data) != game.State.DTYPE.itemsize:
        raise ValueError(f'A position of {game.name} has {game.State.DTYPE.itemsize} bytes, not {len(data)}.')
    states = game.State.array(1)
    states[:] = np.frombuffer(data, game.State.DTYPE)
    found: State = states[0]
    return found


@cache
def form_of(name: str) -> str:
    """A mark of how positions of a game are packed, and of the program that decides what comes of them: its
    version and its sources. Who has another one leaves the job to others, so that a new version can be
    brought in while the old one runs."""
    game = load(name)
    found = hashlib.blake2b(digest_size=16)
    found.update(f'{ludoteca.__version__} {name} {game.version} {game.State.DTYPE.fields}'.encode())
    folders = [*(PACKAGE / folder for folder in SOURCES), Path(game.folder)]
    for folder in folders:
        for path in sorted(one for one in folder.iterdir() if one.suffix in KINDS_OF_FILES):
            found.update(path.name.encode() + b'\0' + path.read_bytes())
    return f'{name[:20]}/{found.hexdigest()}'
