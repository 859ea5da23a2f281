"""The sentences in which the conformance suite says what a new game lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ludoteca.cli.new_game import files
from ludoteca.game import load
from ludoteca.lessons import lessons
from tests.conformance import test_needs
from tests.conformance.harness import is_sentence
from tests.conformance.needs import knowledge_needed, needs
from tests.outside import games_in

Write = Callable[..., list[str]]
Change = tuple[str, ...]  # a file, a text in it, and what stands there instead


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Write]:
    """Write a small open game with a text of a file replaced (a file alone is left out); what it lacks."""
    with games_in(tmp_path):

        def call(file: str = '', old: str = '', new: str = '') -> list[str]:
            (tmp_path / 'lineup').mkdir()
            for name, text in files('lineup'):
                assert name != file or old in text
                if name != file or old:
                    (tmp_path / 'lineup' / name).write_text(text.replace(old, new) if name == file else text)
            found = needs('lineup')
            assert all(map(is_sentence, found)), found
            return [sentence.replace(f'{tmp_path}/', '') for sentence in found]

        yield call


def test_the_game_that_new_game_writes_lacks_nothing(write: Write) -> None:
    assert write() == []


@pytest.mark.parametrize(
    ('change', 'sentence'),
    [
        (
            ('en.toml',),
            'There is no lineup/en.toml: it holds the words that people read, with a title and a tagline at least.',  # noqa: E501
        ),
        (
            ('rulebook.md',),
            'There is no lineup/rulebook.md: it holds the rules in your own words, with a heading `# Title` and '  # noqa: E501
            'more than 150 words.',
        ),
        (('en.toml', 'ending.full', 'ending.ful'), 'There are no words for ending.full in lineup/en.toml.'),
        (
            ('rulebook.md', '**Advice.**', '![A fork](position:fork)'),
            'The rulebook shows position:fork, and there is no lineup/examples/fork.json, a position as JSON.',  # noqa: E501
        ),
        (
            ('rulebook.md', '**Advice.**', '![A fork](figure:fork)'),
            'The rulebook shows figure:fork, and lineup has no part `figures` that draws it.',
        ),
        (
            ('view.py', 'def prompt(view: View)', 'def prompt(view: View, seat: int)'),
            'The part `wording` has prompt(view, seat) in ludoteca.games.lineup.view; it must be prompt(view).',  # noqa: E501
        ),
        (
            ('view.py', 'def panels(', 'def panel('),
            'The part `panels` has no function panels(view) in ludoteca.games.lineup.view; game/parts.py says '  # noqa: E501
            'what it answers.',
        ),
        (
            ('__init__.py', '    hidden = False ', '    measures = ("stones",)\n    hidden = False '),
            'The game lineup must have both `measures` and a kernel measure, or neither; game/contract.py says '  # noqa: E501
            'what they are.',
        ),
        (
            ('__init__.py', 'GAME = ', 'THE_GAME = '),
            'The game lineup has no instance; its __init__.py must end with one, such as GAME = MyGame().',
        ),
    ],
)
def test_what_a_game_lacks_is_said_in_a_sentence(write: Write, change: Change, sentence: str) -> None:
    assert sentence in write(*change)


@pytest.mark.parametrize(
    ('change', 'start'),
    [
        (('__init__.py', '    minutes = 5\n'), 'Lineup declares no minutes; '),
        (('__init__.py', ', events=view'), ''),
        (('rules.py', 'def estimate(', 'def estimated('), 'No module defines the kernel estimate; '),
        (
            ('__init__.py', 'hidden = False', 'hidden = True'),
            'Lineup is declared hidden and has no hide or guess ',
        ),
        (('__init__.py', 'rules, view', 'rules, views'), 'cannot import name '),
        (('rules.py', 'def near(', 'def near'), ''),
    ],
)
def test_what_cannot_be_imported_is_said_with_its_place(write: Write, change: Change, start: str) -> None:
    (sentence,) = write(*change)
    assert sentence.startswith(f'The game lineup cannot be imported: {start}')
    assert re.search(r' \(in lineup/\w+\.py, line \d+\)\.$', sentence)


def test_a_game_with_secrets_is_asked_for_alternatives(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load('toy')
    monkeypatch.setattr('tests.conformance.needs.find_alternatives', lambda game: None)
    (sentence,) = knowledge_needed(game)
    assert sentence == (
        f'The game toy is declared hidden, so the leak test needs '
        f'{game.folder}/alternatives.py with a function '
        'alternatives(start, actions, seat, count, rng); '
        'tests/conformance/__init__.py says what it answers.'
    )
    monkeypatch.setattr('tests.conformance.needs.find_alternatives', lambda game: lambda start: [])
    assert list(knowledge_needed(game)) == [
        'The leak test of toy has alternatives(start); '
        'it must be alternatives(start, actions, seat, count, rng).'
    ]


def test_lessons_that_cannot_be_read_are_said_to_be_so(write: Write, tmp_path: Path) -> None:
    write()
    (tmp_path / 'lineup/lessons.toml').write_text('[[lesson')
    lessons.cache_clear()
    (sentence,) = needs('lineup')
    assert sentence.startswith('The lessons of lineup cannot be read: ')


@pytest.mark.parametrize('mode', [False, True], ids=['compiled', 'interpreted'])
def test_what_a_game_lacks_is_said_with_compiled_kernels_and_without(mode: bool) -> None:
    """A game that lacks something has no other test, so that without this one all would seem to be well."""
    tests = [value for name, value in vars(test_needs).items() if name.startswith('test_')]
    assert any(mode == any(mark.name == 'interpreted' for mark in one.pytestmark) for one in tests)


def test_an_unknown_game_is_said_to_be_unknown() -> None:
    (sentence,) = needs('nonsense')
    assert sentence.startswith("There is no game 'nonsense'; the games are: ")


def test_missing_words_are_named_with_their_file(write: Write, tmp_path: Path) -> None:
    write()
    key = 'event.fly'
    with pytest.raises(KeyError, match=rf'no words for event\.fly in .*{tmp_path.name}/lineup/en\.toml\.'):
        load('lineup').words(key)
