"""Writing SVG: numbers, elements, definitions, pictures that stand alone; signs and icons."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from ludoteca.drawing import icons, marks
from ludoteca.drawing.palette import PLAYERS
from ludoteca.drawing.svg import (
    Symbols,
    evenly,
    gradient,
    number,
    picture,
    quiet,
    standalone,
    tag,
    translate,
    use,
    words,
)


@pytest.mark.parametrize(
    ('given', 'written'),
    [(1, '1'), (1.5, '1.5'), (0.005, '0.01'), (-0.001, '0'), (100, '100'), (2 / 3, '0.67')],
)
def test_numbers_are_short(given: float, written: str) -> None:
    assert number(given) == written


def test_attributes_are_escaped_and_children_are_not() -> None:
    element = tag('g', tag('path', d='M0 0'), class_='a', aria_label='<"&', opacity=0.5, id=None)
    assert element == '<g class="a" aria-label="&lt;&#34;&amp;" opacity="0.5"><path d="M0 0"/></g>'
    assert words('<b>', x=1) == '<text x="1">&lt;b&gt;</text>'


def test_transforms() -> None:
    assert translate(1, 2) == 'translate(1 2)'
    assert translate(1, 2, 45, 1.03) == 'translate(1 2) rotate(45) scale(1.03)'


def symbols() -> Symbols:
    return Symbols(
        {
            'paint': '<linearGradient id="paint"/>',
            'disc': '<circle id="disc" r="1" fill="url(#paint)"/>',
            'pair': '<g id="pair"><use href="#disc"/></g>',
            'other': '<g id="other"/>',
        }
    )


def test_a_picture_takes_what_it_refers_to_through_others() -> None:
    assert 'id="other"' in symbols().defs
    needed = symbols().needed(use('pair'))
    assert all(f'id="{name}"' in needed for name in ('pair', 'disc', 'paint'))
    assert 'id="other"' not in needed


def test_definitions_are_divided_by_who_needs_them() -> None:
    shown, rest = symbols().divided(use('disc'))
    assert shown == f'<defs>{symbols().texts["paint"]}{symbols().texts["disc"]}</defs>'
    assert rest == f'<defs>{symbols().texts["pair"]}{symbols().texts["other"]}</defs>'


def test_a_standalone_picture_has_a_size_a_ground_and_no_tokens() -> None:
    drawing = tag('svg', use('pair'), tag('rect', fill='var(--bg)'), viewBox='-10 -20 40 20', class_='board')
    root = ElementTree.fromstring(standalone(drawing, 'dark', 400, symbols(), 'var(--felt-2)'))
    assert root.tag == '{http://www.w3.org/2000/svg}svg'
    assert (root.get('width'), root.get('height'), root.get('class')) == ('400', '200', 'board')
    ground = root[1]
    assert [ground.get(key) for key in ('x', 'y', 'width', 'height')] == ['-10', '-20', '40', '20']
    assert [element.get('fill') for element in root.iter('{http://www.w3.org/2000/svg}rect')] == [
        '#172622',
        '#14130f',
    ]


def test_what_is_no_picture_is_refused() -> None:
    for text in ('<g/>', '<svg/>', ''):
        with pytest.raises(ValueError, match='viewBox'):
            standalone(text, 'light')


@pytest.mark.parametrize('name', icons.NAMES)
def test_icons_are_sound(name: str) -> None:
    silent, spoken = (
        ElementTree.fromstring(icons.icon(name, 16)),
        ElementTree.fromstring(icons.icon(name, label='Do <it>')),
    )
    assert (silent.get('width'), silent.get('aria-hidden'), silent.get('stroke')) == (
        '1rem',
        'true',
        'currentColor',
    )
    assert (spoken.get('role'), spoken.get('aria-label'), spoken.get('aria-hidden')) == (
        'img',
        'Do <it>',
        None,
    )


def test_every_player_has_a_sign_of_their_own() -> None:
    for make in (marks.sign, marks.hollow, marks.favicon):
        drawn = [make(colour) for colour in PLAYERS]
        assert len(set(drawn)) == len(PLAYERS)
        for text in drawn:
            ElementTree.fromstring(text)
    for text in (marks.emblem(), marks.favicon()):
        ElementTree.fromstring(text)


def test_a_gradient_writes_of_its_stops_only_what_is_not_usual() -> None:
    assert gradient('linearGradient', 'sky', [(0, 'red', 0.5), (0.5, 'white'), (1, 'blue', 1)], x1=0) == (
        '<linearGradient id="sky" x1="0"><stop stop-color="red" stop-opacity="0.5"/><stop offset="0.5" stop-color="white"/>'  # noqa: E501
        '<stop offset="1" stop-color="blue"/></linearGradient>'
    )
    assert evenly(('red', 'white', 'blue')) == [(0, 'red'), (0.5, 'white'), (1, 'blue')]


def test_a_quiet_layer_is_left_out_when_nothing_is_in_it() -> None:
    assert quiet('', '') == ''
    assert 'aria-hidden="true"' in quiet('<path/>')


def test_a_picture_stands_alone_but_on_a_page() -> None:
    drawing = '<svg viewBox="0 0 10 10"></svg>'
    assert picture(drawing, 'page') == drawing
    assert picture(drawing, 'dark', 20) == standalone(drawing, 'dark', 20)
