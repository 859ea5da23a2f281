"""What is not known to be printed so is labelled in the table of components, and marked where players meet
it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest

from ludoteca.game import Card, Position
from ludoteca.games.myraclia import components as C
from ludoteca.games.myraclia.rules import Phase
from ludoteca.games.myraclia.view.cards import STEP_OF, STEPS, step_now
from tests.conformance.test_remembered import memories
from tests.myraclia.model import TABLE, TILES
from tests.myraclia.support import EVERYTHING, MYRACLIA, flower, last_turn, played, starting, turn
from tests.width import width

RULES = MYRACLIA.rules()
UNSURE = ('surface_table', 'released')


def card(position: Position, id_: str) -> Card:
    """A card beside the map."""
    return next(found for found in MYRACLIA.cards(position.view()) if found.id == id_)


def paying() -> Position:
    """The payment for F07, which releases a cube."""
    return turn(flower('F07'), 'yellow red blue', owners={(1, 0): 1}).after('terraform 0,0')


def chapters() -> set[str]:
    """The chapters of the rules page, as links name them."""
    return {
        '-'.join(re.findall(r'[a-z0-9]+', heading.lower()))
        for heading in re.findall(r'^#+ (.*)$', RULES, re.MULTILINE)
    }


def test_every_part_of_the_table_is_labelled() -> None:
    assert {label.split()[0].rstrip(',:') for label in TABLE['certainty'].values()} == {
        'certain',
        'reconstructed',
        'assumed',
    }
    parts = {
        'colours': 'cubes',
        'surfaces': 'counts',
        'players': 'counts',
        'all_types': 'bonuses',
        'overtaken': 'bonuses',
    }
    for part in TABLE.keys() - {'about', 'certainty'}:
        assert parts.get(part, part) in TABLE['certainty'], part


def test_the_points_for_surfaces_and_the_tiles_that_release_are_labelled_as_ours() -> None:
    assert TABLE['certainty']['surface_table'].startswith('assumed')
    assert TABLE['certainty']['released'].startswith('reconstructed')
    releasing = [name for name, tile in TILES.items() if tile.released]
    assert 2 * len(releasing) == len(TABLE['tiles']), 'the half that the label speaks of'
    assert TABLE['certainty'] == C.CERTAINTY


def test_the_rules_page_says_so_and_marks_them() -> None:
    assert 'what-is-reconstructed' in chapters()
    assert '| points † | 1 | 3 | 6 | 10 | 15 |' in RULES
    assert '**released** †' in RULES
    assert '**Reconstructed: which tiles release an element †.**' in RULES
    assert '**Assumed: the points for surfaces †**' in RULES
    assert RULES.count('](#what-is-reconstructed)') >= 2, 'and the marks lead there'


def test_the_scoring_marks_the_points_for_surfaces() -> None:
    for position in (last_turn(flower()), last_turn(flower(), round=40).after('end turn')):
        found = card(position, 'scoring')
        for surface in ('Plains', 'Forests', 'Water', 'Mountains'):
            assert re.search(rf'>{surface} †<', str(found.drawing), re.IGNORECASE), surface
        assert '>All types †<' not in str(found.drawing)
        assert '†' in found.footnote
        assert '1, 3, 6, 10 and 15' in found.footnote
        assert found.chapter == 'what-is-reconstructed'


def test_tiles_that_release_are_marked_where_they_are_offered_and_paid() -> None:
    releasing, quiet = ['F07', None, None], ['P01', 'P02', 'P04']
    for display, marked in ((releasing, True), (quiet, False)):
        position = last_turn(flower('W05', spare=['F07', 'P01', 'P02', 'P04']), display=display)
        assert ('†' in card(position, 'display').footnote) == marked
    assert card(last_turn(flower(), display=releasing), 'display').chapter == 'what-is-reconstructed'
    assert 'releases yellow †' in str(card(paying(), 'payment').drawing)
    assert '†' in card(paying(), 'payment').footnote
    assert (
        '†' in card(starting(['F07', 'P01'], *((q, r) for r in range(2) for q in range(3))), 'start').footnote
    )


def test_the_board_in_words_says_it_too() -> None:
    text = MYRACLIA.text(paying().view())
    assert (
        'Not known from the game itself: the points for surfaces, and which tiles release an element' in text
    )


@pytest.fixture
def nothing_remembered() -> Iterator[None]:
    """What is changed here is not changed in play: nothing made before or here is shown elsewhere."""

    def forget() -> None:
        for memory in memories(MYRACLIA):
            memory.cache_clear()

    forget()
    yield
    forget()


@pytest.mark.usefixtures('nothing_remembered')
def test_what_becomes_certain_loses_its_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    for part in UNSURE:
        monkeypatch.setitem(C.CERTAINTY, part, 'certain: a photograph shows it')
    for position in (paying(), last_turn(flower())):
        assert not any(
            '†' in str(found.drawing) + found.footnote for found in MYRACLIA.cards(position.view())
        )
        assert '†' not in MYRACLIA.text(position.view())
    assert 'Not known' not in MYRACLIA.text(paying().view())


# ---- a round at a glance -----------------------------------------------------------------------------------


def test_the_card_of_a_round_marks_the_present_step() -> None:
    seen = set()
    for position, _ in itertools.islice(played(2, 3, EVERYTHING, 400), 0, None, width(3, 1)):
        found, now = card(position, 'round'), step_now(position.state)
        assert str(found.drawing).count('aria-current="step"') == bool(now)
        assert found.chapter in chapters()
        if now:
            name = MYRACLIA.words(f'card.round.{now}')
            step = re.search(r'aria-label="(\d) ([^:]*):[^"]*" aria-current="step"', str(found.drawing))
            assert step
            assert step[2] == name
            assert found.note == f'step {step[1]} of 8'
        seen.add(now)
    assert seen >= {'draft', 'terraform', 'land', 'token'}
    assert STEP_OF.keys() <= {*Phase}


def test_the_card_has_the_steps_of_the_rules_page_in_their_order() -> None:
    table = RULES.split('## A round at a glance')[1].split('\n## ')[0]
    steps = re.findall(r'^\| (\d) \| \*\*(.*?)\*\* \|', table, re.MULTILINE)
    assert [name for _, name in steps] == [MYRACLIA.words(f'card.round.{step}') for step in STEPS]
    assert [int(k) for k, _ in steps] == [*range(1, len(steps) + 1)]
    plain = str(card(last_turn(flower()), 'round').drawing)
    assert [name in plain for _, name in steps] == [name != 'Eternity' for _, name in steps]


def test_darkness_is_called_what_it_is() -> None:
    assert 'experienced' in MYRACLIA.words('option.darkness')
    assert 'experienced players' in next(
        line for line in RULES.split('\n') if line.startswith('| `darkness`')
    )
    assert 'experienced players' in RULES.split('### Darkness')[1].split('\n## ')[0]
