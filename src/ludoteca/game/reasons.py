"""Why one turn is better than another one, and what a player should notice before a turn: what games need
to say it, and the sentences.

A game measures what a turn brings as FACTS, numbers that a player can count on the board. Two turns differ
in some of them; each difference in favour of a turn is a reason for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ludoteca.game.view import Reason
from ludoteca.text import Words

MOST_SENTENCES = 2
"""So many reasons are told; more would not be read."""


class Kind(NamedTuple):
    """A kind of reason: how much one more of it says; whether fewer are better; whether nothing is said of it
    unless it was measured of both turns (so it is where fewer are better). Else a fact that is missing counts
    as 0."""

    weight: float
    fewer: bool = False
    both: bool = False


@dataclass(frozen=True)
class Fact:
    """What a turn brings in one respect: how many (half points are halves), the ids of `Target` that it is
    about, and names for the sentence."""

    n: float
    targets: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)


Facts = dict[str, Fact]
"""By kind what a turn brings."""


def distinguish(kinds: Mapping[str, Kind], facts: Facts, other: Facts | None) -> tuple[Reason, ...]:
    """The reasons for a turn with these facts against another one (None: there is none, so that what it
    brings at all speaks for it), the heaviest first."""
    found = []
    for kind, (weight, fewer, both) in kinds.items():
        mine, theirs = facts.get(kind), (other or {}).get(kind)
        if (fewer or (both and other is not None)) and (mine is None or theirs is None):
            continue
        n, than = mine.n if mine else 0, theirs.n if theirs else 0
        better = than - n if fewer else n - than
        # a turn that brings nothing is not praised for what another one costs
        if better <= 0 or (not fewer and n <= 0):
            continue
        about = mine or theirs
        assert about is not None
        found.append(
            Reason(kind, weight * better, {'n': n, 'other': max(0, than)}, about.targets, about.names)
        )
    return tuple(sorted(found, key=lambda reason: (-reason.weight, reason.kind)))


def sentences(
    say: Words,
    reasons: Sequence[Reason],
    most: int = MOST_SENTENCES,
    than: Literal['next', 'played', 'yours'] = 'next',
) -> tuple[str, ...]:
    """The heaviest reasons, each as one sentence. `than`: is the other turn the next best one, the one
    that was played, or the reader's own?

    The words are under `reason.<kind>`; those under `reason.<kind>.one` are for one thing, `.none` for
    nothing, and `.more` for something of which the other turn brings some, too. `{than}` names the other
    turn."""
    other = say(f'reasons.{than}')
    return tuple(_sentence(say, reason, other) for reason in reasons[:most])


def alert_sentence(say: Words, alerts: Sequence[Reason]) -> str:
    """The gravest alert as a sentence; '' if there is none. The words are under `alert.<kind>`; those under
    `alert.<kind>.one` are for one thing."""
    if not alerts:
        return ''
    kind, n = alerts[0].kind, alerts[0].numbers['n']
    key = f'alert.{kind}.one' if n == 1 and f'alert.{kind}.one' in say else f'alert.{kind}'
    return say(key, n=f'{n:g}', **alerts[0].names)


def _sentence(say: Words, reason: Reason, than: str) -> str:
    n, other = reason.numbers['n'], reason.numbers['other']
    forms = [
        form
        for form, fits in (('one', n == 1), ('none', n == 0), ('more', other > 0))
        if fits and f'reason.{reason.kind}.{form}' in say
    ]
    key = f'reason.{reason.kind}.{forms[0]}' if forms else f'reason.{reason.kind}'
    return say(key, n=f'{n:g}', other=f'{other:g}', than=than, **reason.names)
