"""Reasons are of declared kinds, true, told in sentences, and found for every kind."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from ludoteca.game import load
from ludoteca.game.reasons import MOST_SENTENCES, Fact, Kind, alert_sentence, distinguish, sentences
from ludoteca.text import Words
from tests.built_in import BUILT_IN
from tests.conformance.harness import Case, is_sentence
from tests.conformance.reasons import Choice, choice_of, choices, kinds_of, stored
from tests.width import width

LEAST_KINDS = 8
LONGEST = 150  # letters of a sentence
LONGEST_ALERT = 80


def things_at(choice: Choice) -> str:
    """The pictures before and after both turns."""
    game, found = choice.game, ''
    for turn in (), choice.turn, choice.other:
        s = choice.after(turn)[1]
        view = choice.view if not turn else None
        if view is None:
            game.kernels.hide(s, choice.seat)
            view = type(choice.view)(s, choice.seat)
        found += game.draw(view, 'page') + ''.join(
            drawing for card in game.cards(view) for drawing in card.drawings
        )
    return found


@pytest.mark.parametrize('title', BUILT_IN)
def test_every_kind_of_reason_has_a_position(title: str) -> None:
    """The positions were found by scripts/find_reasons.py."""
    game, entries = load(title), stored(title)
    assert entries.keys() == kinds_of(game).keys()
    assert len(entries) >= LEAST_KINDS
    for kind, entry in entries.items():
        reasons = choice_of(title, entry).reasons
        assert {'kind': kind, 'numbers': entry['numbers']} in [
            {'kind': reason.kind, 'numbers': dict(reason.numbers)} for reason in reasons
        ], kind


@pytest.mark.parametrize('title', BUILT_IN)
def test_reasons_point_at_things_that_are_drawn(title: str) -> None:
    for kind, entry in stored(title).items():
        choice = choice_of(title, entry)
        reason = next(one for one in choice.reasons if one.kind == kind)
        drawn = things_at(choice) if reason.targets else ''
        for target in reason.targets:
            assert f'id="{target.removeprefix("el:")}"' in drawn, (kind, target)


def test_reasons_are_told_in_sentences_the_heaviest_first(usual: Case) -> None:
    game = usual.game
    for choice in islice(choices(usual, 3, every=width(7, 1)), width(40, 2000)):
        reasons = choice.reasons
        assert reasons == choice.reasons
        assert [one.weight for one in reasons] == sorted((one.weight for one in reasons), reverse=True)
        told = sentences(game.words, reasons)
        assert len(told) == min(MOST_SENTENCES, len(reasons))
        for reason in reasons:
            kind = kinds_of(game)[reason.kind]
            n, other = reason.numbers['n'], reason.numbers['other']
            assert n < other if kind.fewer else n > other
            (text,) = sentences(game.words, [reason])
            assert is_sentence(text), text
            assert len(text) <= LONGEST, text
            assert not re.search(r'[{}]|\b1 (points|tiles|areas|rows|cubes|pieces|enemies)\b', text), text


def test_the_gravest_alert_is_told_in_a_short_sentence(usual: Case) -> None:
    """Nobody else is told, and nothing in the middle of a turn."""
    game, told = usual.game, set[str]()
    for choice in islice(choices(usual, 3, every=width(7, 1)), width(80, 2000)):
        alerts = choice.alerts
        assert alerts == choice.alerts
        assert [one.weight for one in alerts] == sorted((one.weight for one in alerts), reverse=True)
        assert game.alerts(choice.view) == ()
        text = alert_sentence(game.words, alerts)
        assert bool(text) == bool(alerts)
        for alert in alerts:
            text = alert_sentence(game.words, [alert])
            assert is_sentence(text), text
            assert len(text) <= LONGEST_ALERT, text
            assert not re.search(r'[{}]|\b1 (points|tiles|pieces)\b', text), text
            told.add(alert.kind)
    assert told or not game.parts.reasons


def test_a_turn_without_another_one_has_reasons_of_its_own(usual: Case) -> None:
    for choice in islice(choices(usual, 4), 20):
        for reason in choice.game.reasons(choice.view, choice.turn, ()):
            assert reason.numbers['n'] > 0
            assert reason.numbers['other'] == 0
            assert not kinds_of(choice.game)[reason.kind].fewer


def test_a_turn_is_no_better_than_itself(usual: Case) -> None:
    for choice in islice(choices(usual, 5), 20):
        assert choice.game.reasons(choice.view, choice.turn, [choice.turn]) == ()


def test_a_game_that_gives_no_reasons_has_none() -> None:
    game = load('toy')
    assert game.parts.reasons is None
    choice = next(choices(Case(game.name, game.players[0], game.options()), 0))
    assert choice.reasons == ()


# ---- facts and words ---------------------------------------------------------------------------------------

KINDS = {'more': Kind(2.0), 'fewer': Kind(1.0, fewer=True), 'both': Kind(1.0, both=True)}


def test_only_what_is_better_is_a_reason() -> None:
    facts = {'more': Fact(3), 'fewer': Fact(1), 'both': Fact(2)}
    other = {'more': Fact(1), 'fewer': Fact(4), 'both': Fact(2)}
    found = distinguish(KINDS, facts, other)
    assert [(one.kind, one.weight, dict(one.numbers)) for one in found] == [
        ('more', 4.0, {'n': 3, 'other': 1}),
        ('fewer', 3.0, {'n': 1, 'other': 4}),
    ]
    assert distinguish(KINDS, other, facts) == ()


def test_what_was_not_measured_is_not_compared_where_it_must_be() -> None:
    facts = {'more': Fact(3), 'fewer': Fact(0), 'both': Fact(2)}
    assert [one.kind for one in distinguish(KINDS, facts, {})] == ['more']
    assert [one.kind for one in distinguish(KINDS, facts, None)] == ['more', 'both']


def test_what_a_worse_turn_costs_is_no_praise() -> None:
    assert distinguish(KINDS, {'more': Fact(0)}, {'more': Fact(-2)}) == ()


def test_sentences_fit_their_numbers(tmp_path: object) -> None:
    class Said(Words):
        def __init__(self) -> None:
            self._texts = {'reason.more': '{n}', 'reason.more.one': 'one', 'reason.more.more': '{n}>{other}'}
            self._texts |= {'reason.fewer': '{n}<{other}', 'reason.fewer.none': 'none<{other} {than}'}
            self._texts |= {'reasons.next': 'next', 'reasons.played': 'played'}

    def told(kind: str, n: float, other: float) -> str:
        mine, theirs = {kind: Fact(n)}, {kind: Fact(other)}
        return sentences(Said(), distinguish(KINDS, mine, theirs))[0]

    assert told('more', 1, 0) == 'one'
    assert told('more', 1.5, 0) == '1.5'
    assert told('more', 3, 1.5) == '3>1.5'
    assert told('fewer', 0, 2) == 'none<2 next'
    assert told('fewer', 1, 2) == '1<2'
    found = distinguish(KINDS, {'fewer': Fact(0)}, {'fewer': Fact(1)})
    assert sentences(Said(), found, than='played') == ('none<1 played',)
