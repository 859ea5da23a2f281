"""Pictures that need no position of a match: those of the lobby and of the rules pages, and icons.

They are kept as files, packed, in `ready/` (icons of the installed site in `static/icons/`), so that a page
shows them at once. `make pictures` makes the files anew, and a test holds them equal to the drawings. A
picture that is not there (another theme, a game from outside) is drawn when it is asked for.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib
import importlib.resources
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from ludoteca import game as contract
from ludoteca.drawing.marks import app_icon
from ludoteca.game import GameError, Position, Theme, load
from ludoteca.game.components import split
from ludoteca.text import words

READY = Path(__file__).parents[1] / 'ready'
ICON_FOLDER = Path(__file__).parents[1] / 'static' / 'icons'
ICONS = {
    'any-192': (192, 'any'),
    'any-512': (512, 'any'),
    'maskable-192': (192, 'maskable'),
    'maskable-512': (512, 'maskable'),
    'apple-touch': (180, ''),
}
"""Icons of the installed site by their files' names: size in pixels, and the purpose that the manifest tells
('': not in the manifest). The maskable icon and Apple's fill their square."""
SPEC = re.compile(r'\]\((position|figure):([\w-]+)(?:\?turn=([^)\s]+))?\)')
"""A picture in a rulebook: `position:NAME`, `position:NAME?turn=STEP+STEP` or `figure:NAME`."""


@dataclass(frozen=True)
class Picture:
    """Which picture of a game is meant. `kind`: 'emblem' (the lobby's), 'badge' (the small one for lists),
    'position' (of its folder `examples`, with `turn` as words joined by `+`) or 'figure'."""

    game: str
    kind: str
    name: str = ''
    turn: str = ''
    theme: Theme = 'light'

    @property
    def file(self) -> Path:
        """Where the picture is kept, if it is kept."""
        turn = f'-{hashlib.blake2b(self.turn.encode(), digest_size=5).hexdigest()}' if self.turn else ''
        name = f'-{self.name}' if self.name else ''
        return READY / self._drawn / f'{self.kind}{name}{turn}-{self.theme}.svg.gz'

    @property
    def _drawn(self) -> str:
        """The game that is drawn: but for figures the game itself, whatever components it is played with."""
        return self.game if self.kind == 'figure' else split(self.game)[0]

    @property
    def address(self) -> str:
        """Where pages find it."""
        if self.kind in ('emblem', 'badge'):
            name = f'picture-{self.theme}' if self.kind == 'emblem' else 'badge'
            return f'/games/{self.game}/{name}.svg'
        turn = f'&turn={self.turn}' if self.turn else ''
        return f'/games/{self.game}/{self.kind}s/{quote(self.name, safe="")}.svg?theme={self.theme}{turn}'

    def draw(self) -> str:
        """The picture as SVG text. Raises GameError if there is none of that name."""
        game = load(self._drawn)
        if self.kind == 'emblem':
            return game.emblem(self.theme)
        if self.kind == 'badge':
            return game.badge()
        if self.kind == 'position':
            return draw_position(self._drawn, self.name, self.turn, self.theme)
        if not (svg := game.figure(self.name, self.theme)):
            raise GameError(words('web.error.not_found'))
        return svg

    def packed(self) -> bytes:
        """The picture, packed by gzip. Raises GameError if there is none of that name."""
        return _packed(self)


@lru_cache(400)
def _packed(picture: Picture) -> bytes:
    try:
        return picture.file.read_bytes()
    except OSError:
        return gzip.compress(picture.draw().encode(), mtime=0)


def draw_position(name: str, example: str, turn: str, theme: Theme) -> str:
    """A position of a game's folder `examples` as a picture with nothing hidden. With `turn` (words joined by
    `+`) all its steps but the last are played. The last one is shown as about to be chosen. Raises GameError
    if there is no such position."""
    game = load(name)
    folder = importlib.resources.files(importlib.import_module(type(game).__module__)).joinpath('examples')
    if (
        not example.replace('-', '').replace('_', '').isalnum()
        or not (file := folder.joinpath(f'{example}.json')).is_file()
    ):
        raise GameError(words('web.error.not_found'))
    position = Position(game, game.from_json(json.loads(file.read_text('utf-8'))))
    left = turn.replace('+', ' ').split()
    if not left:
        return game.draw(contract.View(position.state, contract.SPECTATOR), theme)
    action, _, left = contract.first_action(game, position.state, left)
    while left:
        position.apply(action)
        action, _, left = contract.first_action(game, position.state, left)
    if action not in position.actions():
        raise GameError(words('web.error.not_found'))
    return game.draw(replace(position.view(), actions=(action,)), theme)


def icon_png(name: str) -> bytes:
    """An icon of ICONS, drawn."""
    import resvg_py

    size, purpose = ICONS[name]
    return bytes(resvg_py.svg_to_bytes(svg_string=app_icon(purpose != 'any'), width=size))


def ready_pictures(name: str) -> Iterator[Picture]:
    """The pictures of a game that pages show."""
    yield Picture(name, 'emblem')
    yield Picture(name, 'badge')
    for kind, picture, turn in dict.fromkeys(SPEC.findall(load(name).rules())):
        yield Picture(name, kind, picture, turn)


def make_icons(folder: Path = ICON_FOLDER) -> list[Path]:
    """Draw all icons into `folder`. Returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name in ICONS:
        made.append(folder / f'{name}.png')
        made[-1].write_bytes(icon_png(name))
    return made


def make_ready(folder: Path = READY) -> list[Path]:
    """Draw all pictures that pages show into `folder`, which then holds nothing else. Returns the files."""
    made = []
    for name in contract.games():
        for picture in ready_pictures(name):
            path = folder / picture.file.relative_to(READY)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(gzip.compress(picture.draw().encode(), 9, mtime=0))
            made.append(path)
    for path in folder.rglob('*.svg.gz'):
        if path not in made:
            path.unlink()
    return made
