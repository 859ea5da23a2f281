"""The board in rows, for those who do not look at the drawing: helpers that games share, and the default for
games that have no such part."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from ludoteca.game.view import Card, Place, PlaceGroup, View
from ludoteca.text import words

if TYPE_CHECKING:
    from ludoteca.game.contract import Game

LABEL = 'aria-label'


def in_rows(
    placed: Iterable[tuple[float, float, Place]], span: int = 1
) -> tuple[tuple[Place | None, ...], ...]:
    """Places at (row, column) as the rows of a `PlaceGroup`, both ascending. Columns are whole numbers of
    gaps; each place takes `span` of them, so those of one row must be that far apart."""
    rows: dict[float, list[tuple[int, Place]]] = {}
    for row, column, place in placed:
        rows.setdefault(row, []).append((round(column), place))
    first = min((column for row in rows.values() for column, _ in row), default=0)

    def filled(row: Sequence[tuple[int, Place]]) -> Iterator[Place | None]:
        at = first
        for column, place in row:
            yield from [None] * (column - at)
            yield place
            at = column + span

    ordered = (sorted(rows[row], key=lambda one: one[0]) for row in sorted(rows))
    return tuple(tuple(filled(row)) for row in ordered)


def in_list(label: str, places: Iterable[Place]) -> tuple[PlaceGroup, ...]:
    """Places one below the other; no group if there are none."""
    rows = tuple((place,) for place in places)
    return (PlaceGroup(label, rows),) if rows else ()


def without_name(label: str, name: str) -> str:
    """A label of the drawing, `name: what is there` or `name, what is there`, without the name."""
    return label.removeprefix(name).removeprefix(':').removeprefix(',').strip() if name else label


def on_cards(
    cards: Iterable[Card], kinds: Container[str], seat_of: Callable[[str], int] = lambda _: -1
) -> tuple[PlaceGroup, ...]:
    """The things of some kinds in the drawings of cards, a group for each card that has some. The kind of a
    thing is the beginning of its id, and its text is its label in the drawing. `seat_of` tells its owner's
    seat by its id."""
    found: dict[str, list[Place]] = {}
    for card in cards:
        labels = [label for drawing in card.drawings for label in labels_in(drawing).items()]
        for id_, label in labels:
            if id_.partition('-')[0] in kinds:
                found.setdefault(card.title, []).append(Place((f'el:{id_}',), '', label, seat_of(id_)))
    return tuple(group for title, places in found.items() for group in in_list(title, places))


def button_places(game: Game, view: View) -> tuple[PlaceGroup, ...]:
    """The buttons of the prompt."""
    buttons = game.prompt(view).buttons
    return in_list(words('places.buttons'), (Place((f'do:{button.id}',), button.label) for button in buttons))


def listed_places(game: Game, view: View) -> tuple[PlaceGroup, ...]:
    """What can be chosen, as the drawing and the cards label it."""
    targets = {
        target.id: None
        for action in view.actions
        for target in game.targets(view.state, action)
        if not target.id.startswith('do:')
    }
    labels: dict[str, str] = {}
    if targets:
        for picture in (
            game.draw(view, 'page'),
            *(drawing for card in game.cards(view) for drawing in card.drawings),
        ):
            labels |= labels_in(picture)
    found = (Place((id_,), labels.get(id_.partition(':')[2], id_.partition(':')[2])) for id_ in targets)
    return in_list(words('places.choices'), found)


def labels_in(picture: str) -> dict[str, str]:
    """The labels in a picture, by the ids of their elements or of those around them."""
    found: dict[str, str] = {}

    def read(element: ElementTree.Element, id_: str) -> None:
        id_ = element.get('id', id_)
        if id_ and LABEL in element.attrib:
            found.setdefault(id_, element.attrib[LABEL])
        for child in element:
            read(child, id_)

    if picture:
        read(ElementTree.fromstring(picture), '')
    return found
