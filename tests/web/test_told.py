"""Turns appear in sentences: people who have not chosen notation never see the name of an action."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest

from ludoteca.analysis import AnalysisTree, board_at, from_start
from ludoteca.game import Game, State, View, load
from ludoteca.match import Match
from ludoteca.puzzles import Exercise, JudgedAnswer, puzzles
from ludoteca.puzzles import turns as puzzle_turns
from ludoteca.review.lines import line
from ludoteca.search import as_known
from ludoteca.store import Sitting
from ludoteca.web.live import exercises
from ludoteca.web.people.preferences import Preferences
from ludoteca.web.routes.analyses import told_search
from ludoteca.web.table.analysis import StudyView, lines, told_turns
from ludoteca.web.table.wording import advice, line_texts
from tests.built_in import BUILT_IN
from tests.conformance.harness import cases, legal, random_turn
from tests.conformance.reasons import choices, names_of
from tests.width import width


def notation(game: Game, known: State) -> set[str]:
    """Names of legal actions that are more than the name of a place, and no plain words."""
    names = {game.action_name(known, action) for action in legal(game, known)}
    groups = game.places(View(known, int(known.to_move), ()))
    places = {place.name for group in groups for place in group.places}
    return {name for name in names - places if re.search(r'[^a-z ]', name) and len(name) > 2}


def check_told(game: Game, known: State, text: str, *turns: str) -> None:
    """Fails if the name of a legal action, or one of these turns, is in a sentence."""
    for name in notation(game, known) | {turn for turn in turns if re.search(r'[^a-z ]', turn)}:
        found = re.search(rf'(?<![\w-]){re.escape(name)}(?![\w-])', text)
        assert not found or len(name) == 2, f'{name!r} in {text!r}'


@pytest.mark.parametrize('name', BUILT_IN)
def test_advice_and_the_log_name_no_action(name: str) -> None:
    """For turns drawn by lot, whole ones and what is left of them after each step."""
    told = set[str]()
    for case in cases(name)[:: width(3, 1)]:
        for choice in list(choices(case, 2))[::3]:
            game, seat, known = choice.game, choice.seat, choice.known
            whole = line(game, known, seat, [names_of(choice, choice.turn)])
            for first, step in enumerate(whole):
                text = advice(game, whole[first:], seat, ())
                check_told(game, step.before, text)
                assert text
                assert text[-1] != '.'
                assert not re.search(r'[{}]|  |, ,', text)
                told.add(text)
            for text in line_texts(game, whole, ['Ann'] * 9):
                check_told(game, known, text)
                assert text.startswith('Ann ') or name == 'toy'
    assert len(told) > 6


@pytest.mark.parametrize('name', BUILT_IN)
def test_turns_in_different_places_are_told_apart(name: str) -> None:
    """Two turns of one position have the same words only where the board shows the difference: how something
    is turned."""
    told, seen = 0, 0
    for case in cases(name):
        for choice in list(choices(case, 4))[:: width(4, 1)]:
            texts = {
                advice(choice.game, line(choice.game, choice.known, choice.seat, [turn]), choice.seat, ())
                for turn in (names_of(choice, choice.turn), names_of(choice, choice.other))
            }
            seen += choice.turn != choice.other
            told += len(texts) == 2
    assert told > 0.8 * seen


def exercise_of(name: str, number: int) -> tuple[exercises.Exercising, Match]:
    """A puzzle at a table."""
    exercise = Exercise.of_puzzle(puzzles(name)[number])
    return exercises.Exercising(exercise, Sitting()), Match(exercises.setup_of(exercise, 'Ann'))


@pytest.mark.parametrize('name', [name for name in BUILT_IN if puzzles(name)])
def test_an_exercise_names_no_action(name: str) -> None:
    for number in range(0, len(puzzles(name)), width(20, 3)):
        script, match = exercise_of(name, number)
        game, seat, task = script.game, script.seat, script.exercise.tasks[0]
        known, players = match.knowledge(seat), match.players
        best = task.best[0]
        wrong = ' '.join(
            step.name
            for step in line(game, known, seat, [names(game, known, random_turn(game, known, seat, 1))])
        )
        trial = match.copy()
        trial.act(seat, None, wrong)
        replies = tuple[str, ...]()
        if trial.result is None and trial.to_move and trial.to_move[0] != seat:
            mover = trial.to_move[0]
            reply = random_turn(game, trial.knowledge(mover), mover, 1)
            replies = (names(game, trial.knowledge(mover), reply),)
        answer = JudgedAnswer('wrong', wrong, best, 0.53, 0.38, replies, why=('Because.',))
        for kind, said in (
            ('shown', {'best': best, 'why': [], 'ends': False}),
            ('', {'again': wrong}),
            ('solved', replace(answer, kind='solved').json()),
            ('solved', replace(answer, kind='nearly').json()),
            ('wrong', answer.json()),
        ):
            script.sitting = Sitting(0, kind, 1, said)
            at = trial if kind == 'wrong' else match
            view = exercises.exercise_view(script, at, seat)
            assert view is not None
            check_told(game, known, f'{view.say} {view.more}', best, wrong, *replies)
            assert view.say.endswith(('.', '!'))
            if replies and kind == 'wrong':
                [told] = line_texts(game, line(game, trial.knowledge(seat), seat, replies), players)
                assert told in view.more


def names(game: Game, known: State, turn: tuple[int, ...]) -> str:
    """A turn by its names."""
    seat, found = int(known.to_move), list[str]()
    for action in turn:
        found.append(game.action_name(known, action))
        known = puzzle_turns.after(game, known, seat, action).known
    return ' '.join(found)


def study(tree: AnalysisTree, at: int, log: str) -> StudyView:
    """A board as its owner sees it."""
    board = board_at(tree, at)
    return StudyView('s', 'S', board, True, False, False, -1, True, Preferences(log=log), '')


@pytest.mark.parametrize('name', BUILT_IN)
def test_lines_of_an_analysis_are_told_in_sentences_or_in_notation_as_their_reader_prefers(
    name: str,
) -> None:
    game, tree = load(name), from_start(name)
    at, positions = 0, {0: board_at(tree, 0).state}
    for seed in range(12):
        board = board_at(tree, at)
        if board.seat < 0:
            break
        known = as_known(game, board.state, board.seat)
        at = board.act(names(game, known, random_turn(game, known, board.seat, seed)))
        positions[at] = board_at(tree, at).state
    plain, told = told_turns(study(tree, at, 'notation')), told_turns(study(tree, at, 'sentences'))
    assert plain == {node.id: node.turn for node in tree.nodes.values()}
    for node in list(tree.nodes.values())[1:]:
        assert told[node.id].endswith('.')
        check_told(game, positions[node.parent], told[node.id], node.turn)
    page = html.unescape(str(lines(study(tree, at, 'sentences'), told)))
    assert all(told[node.id] in page for node in tree.path(at))
    assert told_turns(study(tree, at, 'sentences')) == told, 'also from memory'


@pytest.mark.parametrize('name', BUILT_IN)
def test_what_a_search_finds_is_told_in_sentences(name: str) -> None:
    game, tree = load(name), from_start(name)
    board = board_at(tree, 0)
    known = as_known(game, board.state, board.seat)
    turn = names(game, known, random_turn(game, known, board.seat, 3))
    [found] = told_search(board, [{'turn': turn, 'line': [turn]}])
    assert (found['turn'], found['line']) == (turn, [turn]), 'for programs'
    [told] = found['told']
    check_told(game, known, told, turn)
    assert told[0].isupper()
