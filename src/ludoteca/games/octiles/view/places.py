"""The board in rows: spaces, stops and circles as they lie, then the stack."""

from __future__ import annotations

from ludoteca.game import Place, PlaceGroup, View
from ludoteca.game.places import in_list, in_rows, without_name

from .. import components as C
from .board import labels
from .facts import runners_of, say


def places(view: View) -> tuple[PlaceGroup, ...]:
    """Rows from north to south. Stops lie between spaces, so a place takes two columns of half a space."""
    said, runners = labels(view), runners_of(view.state)
    placed = []
    for id_, name, (x, y) in (
        *((f'space-{name}', name, C.SPACE_XY[name]) for name in C.SPACES),
        *((f'post-{name}', name, C.POST_XY[name]) for name in C.POSTS),
    ):
        seat = runners.get(C.POSTS.index(name), -1) if name in C.POSTS else -1
        place = Place((f'el:{id_}',), name, without_name(said[id_], name), seat)
        placed.append((-round(2 * y), round(2 * x), place))
    stack = Place(('el:stack',), '', said['stack'])
    return (
        PlaceGroup(say('places.board'), in_rows(placed, span=2), 'grid', span=2),
        *in_list(say('places.stack'), [stack]),
    )
