"""What a rulebook must say: where the rules are read in one of several ways, that is named as our reading."""

from __future__ import annotations

import re

import pytest

from ludoteca.game import load

READINGS = {
    'octiles': [
        'Four players',
        'Barred circles',
        'Three players',
        'The stack',
        'After a pass',
        'Everybody passes',
    ],
    'myrmidons': ['One straight line', 'One attacker for each enemy', 'Front to back', 'Repelled together'],
    'myriath': [
        'Corners',
        'Outer squares',
        'Inside the area',
        'The later half',
        'Points that meet',
        'Another tile',
    ],
}


@pytest.mark.parametrize(
    ('name', 'question'), [(name, question) for name, found in READINGS.items() for question in found]
)
def test_a_reading_is_named_as_such(name: str, question: str) -> None:
    section = load(name).rules().partition('## Readings and decisions')[2].partition('\n## ')[0]
    entries = dict(re.findall(r'^\| ([^|:]+): ([^\n]+)\|$', section, re.MULTILINE))
    assert re.search(r'\bour reading\b|\bwe read\b', entries[question], re.IGNORECASE)


def test_octiles_says_how_often_random_games_lock_up() -> None:
    """Measured in games uniform over complete turns: 295 of 200,000 with two players."""
    text = ' '.join(load('octiles').rules().split())
    assert (
        'about one in 670 ends like this with two players, one in 9,400 with three, and one in 40,000 with four'  # noqa: E501
        in text
    )


@pytest.mark.parametrize('name', ['octiles', 'myrmidons', 'mykerinos', 'myriath', 'myraclia'])
def test_seats_begin_and_not_colours_which_go_with_the_people(name: str) -> None:
    text = ' '.join(load(name).rules().split())
    colours = r'\**(Blue|Red|Yellow|Green|Purple)\**'
    assert re.findall(rf'{colours} (begins|moves first)|[Bb]eginning with {colours}', text) == []
    assert 'Colours go with the people' in text
