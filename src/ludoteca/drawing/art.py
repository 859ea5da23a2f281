"""Artwork in SVG files, in the colours of a palette."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from markupsafe import Markup

from ludoteca.drawing.palette import tokens, var
from ludoteca.drawing.svg import NAMESPACE, as_markup

_COLOUR = re.compile(r'--([a-z0-9-]+):\s*([^;]+);')
_VARIABLE = re.compile(r'var\(--([a-z0-9-]+)\)')
_LOCAL = re.compile(r'\bid="|href="#|url\(#')

ElementTree.register_namespace('', NAMESPACE)


class Artwork:
    """The shapes of a game, from a folder of SVG files.

    `palette.css` in the folder names the colours, as in `--ink: #3b2504;`. A shape is a child of an SVG
    file's root that has an id; the drawings know it by that id after the game's name, `mykerinos-pyramid`.
    Shapes write colours as `var(--ink)`: colours of the palette, or tokens of `drawing.palette`, which differ
    by theme. A file is a pattern if its shapes need other colours, too; `painted` gives them.
    """

    def __init__(self, game: str, folder: Path) -> None:
        self.game, self.folder = game, folder
        self.colours = dict(_COLOUR.findall((folder / 'palette.css').read_text('utf-8')))

    def name(self, shape: str) -> str:
        """The id by which drawings refer to a shape."""
        return f'{self.game}-{shape}'

    def shapes(self, file: str) -> dict[str, Markup]:
        """The shapes of a file by their ids in drawings. Raises KeyError if a colour is unknown."""
        return self.painted(file, '')

    def painted(self, file: str, suffix: str, **colours: str) -> dict[str, Markup]:
        """The shapes of a pattern in these colours. All ids of the file, and the ids that it refers to, get
        `-suffix` at their ends. Raises KeyError if a colour is unknown."""
        known = {name: var(name) for name in tokens('light')} | self.colours | colours

        def local(text: str) -> str:
            text = _LOCAL.sub(lambda found: f'{found[0]}{self.game}-', text)
            return re.sub(rf'({self.game}-[\w-]+)', rf'\1-{suffix}', text) if suffix else text

        root = ElementTree.parse(self.folder / f'{file}.svg').getroot()
        return {
            self.name(shape.attrib['id'] + (f'-{suffix}' if suffix else '')): as_markup(
                local(_VARIABLE.sub(lambda variable: known[variable[1]], _written(shape)))
            )
            for shape in root
        }


def _written(shape: ElementTree.Element) -> str:
    """An element as text, without the white space between its children."""
    for element in shape.iter():
        element.text = (element.text or '').strip() or None
        element.tail = None
    return ElementTree.tostring(shape, 'unicode').replace(f' xmlns="{NAMESPACE}"', '').replace(' />', '/>')
