"""The definitions that the pictures of Mykerinos refer to, and where things lie in the region. The shapes are
in art/.

A space is SPACE wide, a tile two columns and three rows of them within a border of PAD. The two tiles of an
area touch; between areas lies a gap. The upper left corner of the sand is the origin. The region of the first
three seasons is wide and has the horizon above it, and each area's ranking stands over it; the last season's
fills the square, the rankings stand at the sides.

Cubes stand round the middle of their space, those beside a cartouche a little outwards. They are seen from
above and from the left, light comes from the upper left as everywhere.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from ludoteca.drawing import marks
from ludoteca.drawing.art import Artwork
from ludoteca.drawing.geometry import Point
from ludoteca.drawing.palette import PLAYERS
from ludoteca.drawing.svg import Symbols, number, pair, tag, translate, use, words

from .. import components as C
from .facts import KINDS

SPACE, PAD = 80.0, 4.0
TILE_WIDTH, TILE_HEIGHT = 2 * SPACE + 2 * PAD, 3 * SPACE + 2 * PAD
SEAM = 20.0  # gap between the areas of a row
CUBE = 44.0  # front edge of a cube
ASIDE = 10.0  # how far what stands beside a cartouche stands outwards
POINTS_SIZE = 25.0  # of the points printed in a cartouche

ART = Artwork('mykerinos', Path(__file__).parent / 'art')
COLOURS, name = ART.colours, ART.name


class Paint(NamedTuple):
    """The colours of a cube: its front, its lit and shaded sides, its outline."""

    base: str
    light: str
    dark: str
    deep: str


PAINTS = {
    **{name: Paint(player.base, player.light, player.dark, player.deep) for name, player in PLAYERS.items()},
    'neutral': Paint(*(COLOURS[f'neutral{part}'] for part in ('', '-light', '-dark', '-deep'))),
}


class Cloth(NamedTuple):
    """The colours of a patron: ground, lit and shaded ground, what is drawn on it."""

    base: str
    light: str
    dark: str
    ink: str


CLOTHS = {kind: Cloth(*(COLOURS[kind + part] for part in ('', '-light', '-dark', '-ink'))) for kind in KINDS}


# ---- geometry of the region --------------------------------------------------------------------------------


class Layout(NamedTuple):
    """Where things lie: `side` of the square, `left` and `top` of the region, `gap` between the rows of
    areas."""

    rows: int
    side: float
    left: float
    top: float
    gap: float

    def corner(self, slot: int) -> Point:
        """The upper left corner of a tile, two an area in the order of the deal."""
        row, column = divmod(slot, 4)
        return (
            self.left + column * TILE_WIDTH + (SEAM if column > 1 else 0),
            self.top + row * (TILE_HEIGHT + self.gap),
        )

    def middle(self, space: int) -> Point:
        """The middle of a space."""
        row, column = divmod(space, C.N_COLUMNS)
        x, y = self.corner(4 * (row // 3) + column // 2)
        return x + PAD + SPACE * (column % 2 + 0.5), y + PAD + SPACE * (row % 3 + 0.5)

    def stand(self, space: int, aside: float = ASIDE) -> Point:
        """Where something stands on a space: beside a cartouche a little outwards."""
        x, y = self.middle(space)
        if space // C.N_COLUMNS % 3 == 1:
            x += aside if space % 2 else -aside
        return x, y

    def heart(self, slot: int) -> Point:
        """The middle of a tile."""
        x, y = self.corner(slot)
        return x + TILE_WIDTH / 2, y + TILE_HEIGHT / 2

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The view box, with room for the shadow."""
        return -5.0, -4.0, self.side + 10, self.side + 10


PLAQUE = 46.0  # height of a ranking over its area
FLANK = 64.0  # width of the rankings beside the areas
LAYOUTS = {2: Layout(2, 740.0, 34.0, 154.0, PLAQUE + 10), 3: Layout(3, 820.0, FLANK, 36.0, 8.0)}
HORIZON = 102.0  # height of the picture over the region of the first seasons
LIFT = 9.0  # how much higher a cube stands on a pyramid


def cube_place(layout: Layout, space: int, raised: bool) -> Point:
    """Where a cube stands on a space; on a pyramid it stands higher."""
    x, y = layout.stand(space)
    return (x, y - LIFT) if raised else (x, y)


# ---- patrons -----------------------------------------------------------------------------------------------


def sign_of_patron(kind: str, transform: str) -> Markup:
    """A patron's sign, 24 units across."""
    return use(name(f'sign-{kind}'), transform, fill=CLOTHS[kind].ink)


def medal(
    kind: str, x: float, y: float, radius: float, turn: float = 0, **attributes: str | float | None
) -> Markup:
    """A patron's disk."""
    return use(name(f'medal-{kind}'), translate(x, y, turn, radius / 19), **attributes)


def cartouche_half(tile: int) -> float:
    """Half the height of a tile's cartouche; half its width is 23."""
    return 46.0 if C.POINTS_OF[tile] and C.PATRON_OF[tile] != C.BLANK else 33.0


def cartouche_name(tile: int) -> str:
    """The id of a tile's cartouche."""
    return name(f'cartouche-{KINDS[C.PATRON_OF[tile]]}-{C.POINTS_OF[tile]}')


def _cartouche(tile: int) -> Markup:
    """The ring in the middle of a tile: the patron's sign, below it the printed points if there are any."""
    kind, points = KINDS[C.PATRON_OF[tile]], C.POINTS_OF[tile]
    blank = C.PATRON_OF[tile] == C.BLANK
    parts = [use(name(f'{"low" if blank or not points else "tall"}-{kind}'))]
    if not blank:
        parts.append(sign_of_patron(kind, translate(0, -20 if points else 0, scale=1.22)))
    if points:
        y = 0 if blank else 22.5
        style: dict[str, str | float] = {'font_weight': 850, 'text_anchor': 'middle', 'fill': COLOURS['ink']}
        parts.append(use(name('points'), translate(0, y)))
        parts.append(words(str(points), y=y + 0.35 * POINTS_SIZE, font_size=POINTS_SIZE, **style))
    return tag('g', *parts, id=cartouche_name(tile))


# ---- cubes -------------------------------------------------------------------------------------------------

NEUTRAL_SHAPE = 'M-3.1-9H3.1V-3.1H9V3.1H3.1V9H-3.1V3.1H-9V-3.1H-3.1Z'


def _shape(colour: str) -> Markup:
    """A player's shape, or the cross of the neutral colour; see `marks.shape`."""
    if colour == 'neutral':
        return tag('path', d=NEUTRAL_SHAPE, stroke_linejoin='round')
    return marks.shape(colour)


def sign(colour: str, x: float, y: float, scale: float, edge: str = COLOURS['ivory']) -> Markup:
    """A player's shape in its colour."""
    style: dict[str, str | float] = {'fill': PAINTS[colour].base, 'stroke': edge, 'stroke_width': 2}
    return tag('g', _shape(colour), transform=translate(x, y, scale=scale), **style)


def cube(colour: str, x: float, y: float, size: float, **attributes: str | float | None) -> Markup:
    """A cube with its shadow, `size` wide at its front."""
    return use(name(f'cube-{colour}'), translate(x, y, scale=size / CUBE), **attributes)


# ---- all definitions ---------------------------------------------------------------------------------------


@cache
def symbol_set() -> Symbols:
    """All definitions that the drawings refer to."""
    shapes = ART.shapes('region') | ART.shapes('museum') | ART.shapes('signs')
    for kind, cloth in CLOTHS.items():
        shapes |= ART.painted('patron', kind, **cloth._asdict())
    for tile in range(C.N_TILES):
        shapes[cartouche_name(tile)] = _cartouche(tile)
    for colour, paint in PAINTS.items():
        shapes[name(f'mark-{colour}')] = tag('g', _shape(colour), id=name(f'mark-{colour}'))
        shapes |= ART.painted('cube', colour, **paint._asdict())
    return Symbols(shapes)


def frame_data(x: float, y: float, width: float, height: float, reach: float) -> str:
    """The four corners of a rectangle as path data."""
    return ''.join(
        f'M{pair(a, b - q * reach)}V{number(b)}H{number(a - p * reach)}'
        for p, a in ((-1, x), (1, x + width))
        for q, b in ((-1, y), (1, y + height))
    )
