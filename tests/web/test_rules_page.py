"""The page of a game's rules, and the ways that lead to its chapters."""

from __future__ import annotations

import random
import re

import pytest

import ludoteca
from ludoteca.game import games
from ludoteca.web.pages.reading import rules_html


@pytest.mark.parametrize('name', games())
def test_chapters_can_be_linked_to(name: str) -> None:
    html = rules_html(name)
    ids = re.findall(r'<h[1-6] id="([a-z0-9-]+)">', html)
    assert len(ids) == len(re.findall(r'<h[1-6]', html)) > 0
    for target in re.findall(r'href="#([^"]+)"', html):
        assert target in ids, f'the page has no chapter {target}'


@pytest.mark.parametrize('name', games())
def test_footnotes_of_cards_lead_to_a_chapter_of_the_rules(name: str) -> None:
    chooser, position = random.Random(name), ludoteca.new(name, seed=1)
    html = rules_html(name)
    for _ in range(60):
        for card in position.game.cards(position.view()):
            assert bool(card.chapter) >= bool(card.footnote), card.id
            assert not card.footnote or f'id="{card.chapter}"' in html, card.chapter
        if position.over:
            break
        position.apply(chooser.choice(position.actions()))
