"""The board in rows: squares with their pieces as the viewer sees them, pieces in hand, orders."""

from __future__ import annotations

from collections.abc import Mapping

from ludoteca.game import Place, PlaceGroup, View
from ludoteca.game.places import in_list, without_name

from .. import components as C
from ..rules import SIDE, UNKNOWN, Phase
from .board import labels
from .facts import piece_id, say, with_laid


def places(view: View) -> tuple[PlaceGroup, ...]:
    """The ranks from the opponent's to the viewer's own, as in the drawing."""
    said, shown = labels(view), with_laid(view)
    ranks = range(C.N_RANKS) if view.seat == 1 else range(C.N_RANKS - 1, -1, -1)
    files = range(C.N_FILES - 1, -1, -1) if view.seat == 1 else range(C.N_FILES)
    rows = tuple(tuple(_square(shown, rank * C.N_FILES + file, said) for file in files) for rank in ranks)
    return (
        PlaceGroup(say('places.board'), rows, 'grid'),
        *in_list(say('places.hand'), _labelled('hand-', said)),
        *in_list(say('places.orders'), _labelled('way-', said)),
    )


def _square(view: View, square: int, said: Mapping[str, str]) -> Place:
    """A square, and the piece on it."""
    s, name = view.state, C.SQUARES[square]
    piece, target = int(s.on[square]), f'el:sq-{name}'
    # squares that the viewer has still to fill
    waits = s.phase == Phase.DEPLOY and piece // SIDE == view.seat and s.type[piece] == UNKNOWN
    if piece < 0 or waits:
        return Place((target,), name, without_name(said[f'sq-{name}'], name) or say('places.empty'))
    label = without_name(said[piece_id(piece)], name)
    return Place((f'el:{piece_id(piece)}', target), name, label, piece // SIDE)


def _labelled(kind: str, said: Mapping[str, str]) -> list[Place]:
    """The things of a kind that are labelled."""
    return [Place((f'el:{id_}',), '', text) for id_, text in said.items() if id_.startswith(kind)]
