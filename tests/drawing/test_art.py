"""Artwork in SVG files."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoteca.drawing.art import Artwork

SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'


@pytest.fixture
def art(tmp_path: Path) -> Artwork:
    (tmp_path / 'palette.css').write_text(':root {\n  --ink: #123456;\n}\n')
    (tmp_path / 'shapes.svg').write_text(
        SVG.format('<g id="dot">\n  <circle r="2" fill="var(--ink)" stroke="var(--legal)"/>\n</g>')
    )
    (tmp_path / 'cube.svg').write_text(
        SVG.format(
            '<linearGradient id="top"><stop stop-color="var(--base)"/></linearGradient>'
            '<g id="cube"><path fill="url(#top)" d="M0 0Z"/><use href="#mark"/></g>'
        )
    )
    return Artwork('toy', tmp_path)


def test_shapes_have_the_colours_of_the_palette_and_keep_the_tokens_of_pages(art: Artwork) -> None:
    circle = '<circle r="2" fill="#123456" stroke="var(--legal)"/>'
    assert art.shapes('shapes') == {'toy-dot': f'<g id="toy-dot">{circle}</g>'}


def test_a_pattern_is_painted_in_colours_of_its_own_under_ids_of_its_own(art: Artwork) -> None:
    shapes = art.painted('cube', 'red', base='#f00')
    assert list(shapes) == ['toy-top-red', 'toy-cube-red']
    assert '#f00' in shapes['toy-top-red']
    assert 'url(#toy-top-red)' in shapes['toy-cube-red']
    assert 'href="#toy-mark-red"' in shapes['toy-cube-red']


def test_a_colour_that_nobody_gives_is_an_error(art: Artwork) -> None:
    with pytest.raises(KeyError, match='base'):
        art.shapes('cube')
