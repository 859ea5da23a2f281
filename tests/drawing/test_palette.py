"""Colours: one source, legible in both themes, told apart without colour."""

from __future__ import annotations

import re

import pytest

from ludoteca.drawing import palette, styles
from ludoteca.drawing.palette import PLAYERS, Tint, tokens, value

THEMES: tuple[Tint, ...] = ('light', 'dark')


def luminance(colour: str) -> float:
    """Relative luminance of '#rrggbb' (WCAG 2)."""
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize('theme', THEMES)
@pytest.mark.parametrize(
    ('text', 'ground', 'least'),
    [
        ('text', 'surface', 14),
        ('text', 'bg', 14),
        ('text-2', 'surface', 7),
        ('text-2', 'bg', 6.5),
        ('text-3', 'surface', 5),
        ('accent', 'surface', 6.5),
        ('on-accent', 'accent', 6.5),
        ('line-strong', 'surface', 3),
        ('danger', 'surface', 5),
        ('warn', 'surface', 5),
        ('legal', 'legal-case', 8),
        ('path', 'path-edge', 10),
        ('last', 'last-case', 8),
    ],
)
def test_what_must_be_read_can_be_read(theme: Tint, text: str, ground: str, least: float) -> None:
    assert contrast(value(text, theme), value(ground, theme)) >= least


@pytest.mark.parametrize('theme', ['light', 'dark'])
def test_what_a_lesson_points_at_stands_out_on_every_board(theme: Tint) -> None:
    """One of the two colours of its ring does, and they stand out from each other."""
    ring = value('pointer', theme), value('pointer-case', theme)
    assert contrast(*ring) >= 3
    for grey in range(256):
        assert max(contrast(colour, f'#{grey:02x}{grey:02x}{grey:02x}') for colour in ring) >= 3, grey


@pytest.mark.parametrize('theme', THEMES)
def test_players_tones_can_be_read_on_their_backgrounds(theme: Tint) -> None:
    for k in range(1, 6):
        assert contrast(value(f'p{k}-t', theme), value(f'p{k}-s', theme)) >= 4.5
        assert contrast(value('on-player', theme), value(f'p{k}-t', theme)) >= 4.5


def test_players_differ_by_shape() -> None:
    assert len({player.shape for player in PLAYERS.values()}) == len(PLAYERS) == 5


def test_both_themes_have_the_same_tokens() -> None:
    assert tokens('light').keys() == tokens('dark').keys()
    assert value('bg', 'light') != value('bg', 'dark')


def test_the_style_sheet_defines_every_token_that_it_uses() -> None:
    sheet = styles.stylesheet()
    defined = set(re.findall(r'--([\w-]+):', sheet))
    assert set(re.findall(r'var\(--([\w-]+)', sheet)) <= defined
    assert set(tokens('light')) <= defined
    assert sheet.count('{') == sheet.count('}')


def test_the_dark_rules_hold_only_what_differs() -> None:
    dark = palette.css().split(':root[data-theme="dark"]')[1]
    assert '--bg: #14130f;' in dark
    assert '--legal:' not in dark


def test_an_unknown_token_is_refused() -> None:
    with pytest.raises(KeyError):
        palette.var('no-such-token')


def test_tokens_are_resolved_through_tokens() -> None:
    assert palette.resolve('fill="var(--bg)"', 'dark') == 'fill="#14130f"'
    assert 'var(' not in palette.resolve('x="var(--focus-ring)"', 'light')
    assert '"' not in palette.resolve('var(--font)', 'light')
