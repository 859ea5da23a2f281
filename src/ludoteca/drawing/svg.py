"""Writing SVG as text: numbers, elements, named definitions, and pictures that stand alone.

Drawings use classes and presentation attributes only, never style attributes, style sheets or scripts, so
that they are the same under a strict content security policy, in a file, in a notebook and in any renderer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from typing import Literal

from markupsafe import Markup, escape

from ludoteca.drawing.palette import Tint, resolve

NAMESPACE = 'http://www.w3.org/2000/svg'
KEPT = 1 << 14  # numbers and texts that are kept as written: after a turn most of them are written again
LONG = 200  # characters of a text that is not kept

as_markup: Callable[[str], Markup] = partial(str.__new__, Markup)
"""Text that is known to be sound, as Markup; quicker than Markup(…), which asks its argument for __html__."""

_escaped = lru_cache(maxsize=KEPT, typed=True)(escape)


def escaped(text: str) -> Markup:
    """Text as it stands in HTML and SVG. Markup stays as it is."""
    return _escaped(text) if len(text) < LONG else escape(text)


@lru_cache(maxsize=KEPT)
def number(value: float) -> str:
    """A number with at most two decimals, without trailing zeros."""
    text = f'{value:.2f}'.rstrip('0').rstrip('.')
    return '0' if text in ('-0', '') else text


@cache
def with_text(pixels: float) -> str:
    """The side of a small picture in a line of text, in pixels at the usual text size. It grows with the
    text."""
    return f'{pixels / 16:g}rem'


@lru_cache(maxsize=KEPT)
def pair(x: float, y: float) -> str:
    """Two coordinates."""
    return f'{number(x)} {number(y)}'


@lru_cache(maxsize=KEPT)
def translate(x: float, y: float, turn: float = 0, scale: float = 1) -> str:
    """A transform: to a place, turned clockwise by degrees, scaled."""
    return (
        f'translate({pair(x, y)})'
        + (f' rotate({number(turn)})' if turn else '')
        + (f' scale({scale:.3g})' if scale != 1 else '')
    )


def tag(name: str, *children: str, **attributes: str | float | None) -> Markup:
    """An SVG element. Children are SVG text (nothing is escaped in them); values of attributes are escaped.
    In an attribute's name `_` stands for `-`, a last `_` is dropped (`class_`); None leaves the attribute
    out."""
    start, inner = _opening(name, **attributes), ''.join(children)
    return as_markup(f'{start}>{inner}</{name}>' if inner else f'{start}/>')


@lru_cache(maxsize=KEPT, typed=True)
def _opening(name: str, /, **attributes: str | float | None) -> str:
    """The start of an element, without its last character."""
    written = f'<{name}'
    for key, value in attributes.items():
        if value is not None:
            text = escape(value) if isinstance(value, str) else number(value)
            written += f' {_attribute_name(key)}="{text}"'
    return written


@lru_cache(maxsize=KEPT)
def _attribute_name(key: str) -> str:
    return key.rstrip('_').replace('_', '-')


@lru_cache(maxsize=KEPT, typed=True)
def use(name: str, transform: str | None = None, **attributes: str | float | None) -> Markup:
    """A copy of a definition."""
    return tag('use', href=f'#{name}', transform=transform or None, **attributes)


def words(text: str, **attributes: str | float | None) -> Markup:
    """A text element with escaped text."""
    return tag('text', escaped(text), **attributes)


def joined(parts: Iterable[Markup | Literal['']]) -> Markup:
    """Pieces of a drawing, one after another."""
    return as_markup(''.join(parts))  # Markup's own way copies each piece


def quiet(*children: str, **attributes: str | float) -> Markup | str:
    """A layer that takes no clicks and that screen readers pass over; '' if nothing is in it."""
    return (
        tag('g', *children, class_='decoration', aria_hidden='true', pointer_events='none', **attributes)
        if any(children)
        else ''
    )


def gradient(
    kind: str,
    id_: str,
    stops: Iterable[tuple[float, str] | tuple[float, str, float]],
    **attributes: str | float,
) -> Markup:
    """A gradient (`linearGradient` or `radialGradient`) with its stops: where (0 to 1), the colour, and the
    opacity if not 1."""
    return tag(
        kind,
        *(
            tag(
                'stop',
                offset=offset or None,
                stop_color=colour,
                stop_opacity=opacity[0] if opacity and opacity[0] != 1 else None,
            )
            for offset, colour, *opacity in stops
        ),
        id=id_,
        **attributes,
    )


def evenly(colours: Sequence[str]) -> list[tuple[float, str]]:
    """Two or more colours as the evenly spaced stops of a gradient."""
    return [(k / (len(colours) - 1), colour) for k, colour in enumerate(colours)]


_REFERENCES = (re.compile(r'href="#([\w-]+)'), re.compile(r'url\(#([\w-]+)'))
"""Two, which take a quarter of the time of one for both."""


class Symbols:
    """Named definitions that drawings refer to: gradients, clips, symbols. `texts` gives each one's SVG text
    by its id, which the text itself carries."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)

    @cached_property
    def defs(self) -> str:
        """All of them in one <defs>. On a page it belongs into an <svg> that is not `display: none` (give it
        no size instead): gradients and clips of an undisplayed picture do not work."""
        return f'<defs>{"".join(self.texts.values())}</defs>'

    def needed(self, drawing: str) -> str:
        """A <defs> of those that a drawing refers to, directly or through others."""
        return self.divided(drawing)[0]

    def divided(self, drawing: str) -> tuple[str, str]:
        """A <defs> of those that a drawing refers to, directly or through others, and one of the rest."""
        found: dict[str, None] = {}
        ahead = _references(drawing)
        while ahead:
            name = ahead.pop()
            if name in self.texts and name not in found:
                found[name] = None
                ahead += _references(self.texts[name])
        needed, rest = (
            ''.join(text for name, text in self.texts.items() if (name in found) == wanted)
            for wanted in (True, False)
        )
        return f'<defs>{needed}</defs>', f'<defs>{rest}</defs>'


def _references(text: str) -> list[str]:
    """What a text refers to."""
    return list({name: None for pattern in _REFERENCES for name in pattern.findall(text)})


_OPENING = re.compile(r'<svg\b([^>]*)>')
_BOX = re.compile(r'viewBox="([-\d. ]+)"')


def standalone(
    drawing: str, theme: Tint, size: int = 800, symbols: Symbols | None = None, background: str = ''
) -> str:
    """A page's drawing (one <svg> with a viewBox) as a picture of its own, right in every renderer of static
    SVG.

    It gets its width (`size`) and height, the definitions it refers to, a background (a colour or token in
    var() form, '' for none) and literal values instead of tokens. Raises ValueError if `drawing` is no <svg>
    with a viewBox.
    """
    opening = _OPENING.match(drawing)
    box = _BOX.search(opening[1]) if opening else None
    if opening is None or box is None:
        raise ValueError('A drawing is one <svg> element that has a viewBox.')
    x, y, width, height = map(float, box[1].split())
    attributes = re.sub(r' (?:xmlns|width|height)="[^"]*"', '', opening[1])
    parts = [
        f'<svg xmlns="{NAMESPACE}" width="{size}" height="{number(size * height / width)}"{attributes}>',
        symbols.needed(drawing) if symbols else '',
        tag('rect', x=x, y=y, width=width, height=height, fill=background) if background else '',
        drawing[opening.end() :],
    ]
    return resolve(''.join(parts), theme)


def picture(
    drawing: str,
    theme: Tint | Literal['page'],
    size: int = 800,
    symbols: Symbols | None = None,
    background: str = '',
) -> str:
    """A drawing as it is for a page (theme 'page'), else as a picture of its own; see `standalone`."""
    return str(drawing) if theme == 'page' else standalone(drawing, theme, size, symbols, background)
