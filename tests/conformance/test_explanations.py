"""Everything on the table explains itself: whatever can be clicked, lies on the board or stands in a card or
a panel, in every game."""

from __future__ import annotations

import re

import pytest

from ludoteca.game import Game, Refusal, View
from ludoteca.web.html.rulebook import book
from ludoteca.web.table.buttons import BUTTONS, explained
from tests.built_in import BUILT_IN
from tests.conformance.harness import Case, played
from tests.conformance.test_pictures import views
from tests.width import width

LONGEST = 460  # letters of an explanation
DECORATION = {'glow'}  # names of the drawing that stand for no thing


def targets_of(game: Game, view: View) -> set[str]:
    """The elements that are clicked for legal actions."""
    every = max(1, len(view.actions) // 300)
    ids = {target.id for action in view.actions[::every] for target in game.targets(view.state, action)}
    return {id_.removeprefix('el:') for id_ in ids if id_.startswith('el:')}


def buttons_of(game: Game, view: View) -> set[str]:
    """The buttons of the prompt, and those that are clicked for legal actions."""
    every = max(1, len(view.actions) // 300)
    ids = {target.id for action in view.actions[::every] for target in game.targets(view.state, action)}
    prompt = game.prompt(view)
    return {f'do:{button.id}' for button in prompt.buttons} | {one for one in ids if one.startswith('do:')}


def things_of(game: Game, view: View) -> set[str]:
    """All things with a name in the drawing, the cards and the panels."""
    rows = [row for panel in game.panels(view) for row in panel.rows]
    found = game.cards(view)
    pictures = [
        game.draw(view, 'page'),
        *(drawing for card in found for drawing in card.drawings),
        *(row.drawing for row in rows),
    ]
    named = {name for picture in pictures for name in re.findall(r' (?:id|data-about)="([^"]+)"', picture)}
    named -= DECORATION
    return named | {row.about for row in rows if row.about} | {f'card-{card.id}' for card in found}


def chapters(game: Game) -> set[str]:
    """Chapters and paragraphs of the rulebook as addresses name them."""
    found = book(game.name)
    whole = (found.head, *found.chapters, *found.readings) if found else ()
    return {passage.id for chapter in whole for passage in chapter.passages}


def is_outside(game: Game) -> bool:
    """Is this somebody else's game, which need not say where its rules are?"""
    return game.name not in BUILT_IN


def test_everything_on_the_table_is_explained(usual: Case) -> None:
    game, known = usual.game, chapters(usual.game)
    if game.parts.explanations is None:
        pytest.skip(f'{game.name} explains nothing; a game that does has view/explanations.py.')
    for seed in range(width(1, 3)):
        for view in views(played(usual, seed), width(5, 12)):
            own = buttons_of(game, view)
            for element in sorted(targets_of(game, view) | things_of(game, view) | own):
                found = game.explain(view, element)
                assert found is not None, f'{element} is not explained'
                assert found.title.strip() == found.title
                assert found.title, element
                assert found.text.endswith('.'), (element, found.text)
                assert len(found.text) <= LONGEST, (element, found.text)
                assert not re.search(r'  |\.\.|None|[{}]', found.text), (element, found.text)
                assert not found.chapter or found.chapter in known, (element, found.chapter)
                assert element not in own or is_outside(game) or found.chapter, element


def test_what_is_asked_of_people_has_a_chapter_of_the_rules(usual: Case) -> None:
    """The drawer of rules opens there, and the page's own buttons lead there."""
    game, known = usual.game, chapters(usual.game)
    for view in views(played(usual, 0), width(5, 12)):
        chapter = game.prompt(view).chapter
        assert chapter in known or (is_outside(game) and not chapter), chapter


def test_buttons_of_the_page_say_what_they_do_and_why_they_are_of_no_use(usual: Case) -> None:
    game, known = usual.game, chapters(usual.game)
    view = next(iter(views(played(usual, 0), 1)))
    useless = {'confirm', 'seal', 'lay', 'undo', 'put_back', 'hint', 'turn', 'flip', 'clear'}
    for name in BUTTONS:
        found = explained(view, game, f'act-{name}')
        assert found is not None
        assert found.title
        assert found.text.endswith('.'), name
        assert found.chapter in known or (is_outside(game) and not found.chapter)
        off = explained(view, game, f'act-{name}-off')
        assert (off is not None) == (name in useless), name
        assert off is None or (off.text.endswith(found.text) and len(off.text) > len(found.text))
    for name in ('act-', 'act-nothing', 'act-off', 'act', 'undo', 'act-lobby-off', 'do:nothing-'):
        assert explained(view, game, name) is None


def test_refusals_that_tell_a_rule_lead_to_it(usual: Case) -> None:
    """Clicks that make no action are answered; where a rule is told, its place in the rulebook is there."""
    game, known = usual.game, chapters(usual.game)
    told = 0
    for view in views(played(usual, 0), width(6, 16)):
        for element in sorted(things_of(game, view) | {'nothing'})[:: width(3, 1)]:
            why = game.why_not(view, [f'el:{element}'])
            chapter = why.chapter if isinstance(why, Refusal) else ''
            assert not chapter or chapter in known, (element, why, chapter)
            told += bool(chapter)
    assert told or is_outside(game)


def test_panels_explain_their_scores(usual: Case) -> None:
    """Each row of a panel names what explains it, or has a drawing whose things do."""
    game = usual.game
    if game.parts.explanations is None:
        pytest.skip(f'{game.name} explains nothing; a game that does has view/explanations.py.')
    for view in views(played(usual, 0), 3):
        for panel in game.panels(view):
            for row in panel.rows:
                assert is_outside(game) or row.about or ' id="' in row.drawing or 'data-about' in row.drawing


def test_what_means_nothing_is_not_explained(usual: Case) -> None:
    game = usual.game
    for view in views(played(usual, 0), 3):
        for kind in ('', '-', 'nothing', 'el:nothing', 'card-', 'card-nothing', '__class__', 'x' * 100):
            assert game.explain(view, kind) is None, kind
        for element in {re.sub(r'-.*', '', element) for element in things_of(game, view)}:
            for rest in ('-', '-nothing', '-99-99', '-99', '--1', '-0-nothing-0'):
                assert game.explain(view, element + rest) is None, element + rest
