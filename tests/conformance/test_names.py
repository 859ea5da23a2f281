"""Names of actions, and how everything that is not legal is refused."""

from __future__ import annotations

import random
import string

import numpy as np
import pytest

from ludoteca.game import GameError, Position, first_action
from tests.conformance.harness import Case, hidden, is_sentence, legal, played, same
from tests.width import width

RUBBISH = (
    '',
    'x',
    '-',
    ':',
    '0',
    '-1',
    '9' * 20,
    'a' * 300,
    'ä',
    '日本',
    '\x00',
    "'",
    '"',
    '{x}',
    '%s',
    '../..',
    '<b>',
    'nan',
    'None',
    'a1:',
    ':1',
    'a1:9',
    'A1-',
    '-B2',
    'A1-A1',
    'A9-B9',
    'pass!',
    'Pass',
    '1e3',
    '\N{FULLWIDTH DIGIT ZERO}',
    '²',
)


def rubbish(rng: random.Random, names: list[str]) -> str:
    """A text without blanks that may look a little like a name."""
    letters = list(rng.choice(names) if rng.random() < 0.7 else '')
    for _ in range(rng.randint(1, 4)):
        letters.insert(
            rng.randint(0, len(letters)), rng.choice(string.ascii_letters + string.digits + ':-+*/=()!?äß')
        )
    return ''.join(letters)


def refusal(position: Position, text: str) -> str:
    """The sentence with which a text is refused; the position must stay as it was. Empty if it was
    accepted."""
    before = position.state.copy()
    try:
        position.copy().play(text)
    except GameError as error:
        refused = position.copy()
        with pytest.raises(GameError):
            refused.play(text)
        assert same(refused.state, before)
        return str(error)
    return ''


@pytest.mark.smoke
def test_names_are_unique_and_exact_inverses(case: Case) -> None:
    game = case.game
    for s in played(case, 0).sample(width(20, 40)):
        if s.ending:
            continue
        h, names = hidden(game, s, int(s.to_move)), set()
        for action in legal(game, s):
            name = game.action_name(s, action)
            assert name, 'an empty name'
            assert name.isascii(), 'a name that cannot be typed everywhere'
            assert name.isprintable()
            assert name.split(' ') == name.split(), 'words are parted by one blank'
            assert len(name.split()) <= game.most_words, 'a name of more words than declared'
            assert name not in names, 'two legal actions of one name'
            names.add(name)
            assert game.action_from_name(s, name) == action
            assert game.action_name(h, action) == name, 'the mover sees another name than there is'
            assert game.action_from_name(h, name) == action
        # whatever follows, a name ends where it ends
        for one, other in zip(sorted(names), sorted(names)[1:], strict=False):
            assert first_action(game, s, f'{one} {other}'.split())[1:] == (one, other.split())


def test_every_other_action_is_refused_with_a_sentence(case: Case) -> None:
    """By number and by name; a name may also be another spelling of a legal action."""
    game, rng = case.game, random.Random(str(case))
    for s in played(case, 1).sample(width(3, 6)):
        position, allowed = Position(game, s), set() if s.ending else set(legal(game, s))
        for action in [-1, game.n_actions, *rng.sample(range(game.n_actions), min(game.n_actions, 60))]:
            if action in allowed:
                continue
            with pytest.raises(GameError) as refused:
                position.copy().apply(action)
            assert is_sentence(str(refused.value)), str(refused.value)
            if not 0 <= action < game.n_actions:
                continue
            name = game.action_name(s, action)
            assert len(name.split()) <= game.most_words
            if sentence := refusal(position, name):
                assert is_sentence(sentence), sentence
            else:
                assert game.action_from_name(s, name) in allowed


def test_an_action_is_a_whole_number(usual: Case) -> None:
    position = Position(usual.game, played(usual, 0).states[0].copy())
    action = position.actions()[0]
    with pytest.raises(GameError) as refused:
        position.apply(float(action))  # type: ignore[arg-type]
    assert is_sentence(str(refused.value)), str(refused.value)
    position.apply(np.int32(action))  # type: ignore[arg-type]


def test_rubbish_is_refused_with_a_sentence(case: Case) -> None:
    game, rng = case.game, random.Random(str(case))
    for s in played(case, 0).sample(3)[width(1, 0) :]:
        position = Position(game, s)
        names = position.legal() or ['x']
        for text in [*RUBBISH, *(rubbish(rng, names) for _ in range(80))]:
            if text.split() != [text]:
                continue
            if sentence := refusal(position, text):
                assert is_sentence(sentence), sentence
            else:
                assert game.action_from_name(s, text) in legal(game, s)


def test_a_turn_is_played_whole_or_not_at_all(usual: Case) -> None:
    history = played(usual, 2)
    start = history.start
    names, position = [], start.copy()
    for action in history.actions[:6]:
        names.append(usual.game.action_name(position.state, action))
        position.apply(action)
    assert start.turn_name(history.actions[:6]) == ' '.join(names)
    assert same(start.copy().after(' '.join(names)).state, position.state)
    assert refusal(start, ' '.join([*names, 'nonsense']))
