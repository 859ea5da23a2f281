"""What everything in Myrmidons is: pieces as far as the viewer knows them, squares, orders, types, prizes."""

from __future__ import annotations

from ludoteca.game import Explanation, View
from ludoteca.text.players import listed

from .. import components as C
from ..rules import SIDE, Phase
from .facts import (
    PIECE_OF_ID,
    heading_words,
    kinds_in,
    moves_of,
    piece_id,
    player_word,
    possible_words,
    say,
    type_word,
    with_laid,
)

# chapters of the rulebook
BOARD, MOVING, FIGHTING, ORDERS, END = (
    'the-board-and-the-pieces',
    'moving-a-piece',
    'fighting',
    'giving-an-order',
    'the-end',
)
SETUP, KNOWN = 'setting-up', 'what-is-known-and-to-whom'

BUTTONS = {'do-order': 'giving-an-order', 'do-go': 'giving-an-order', 'do-seal': 'setting-up'}
"""Buttons of the prompt -> the chapter or paragraph about them."""


def explain(view: View, element: str) -> Explanation | None:
    """What a thing of the board, the hand, a card or a panel is."""
    if element.startswith('do:'):
        return Explanation.of_button(say, element, BUTTONS)
    view = with_laid(view)
    s = view.state
    if element in PIECE_OF_ID:
        piece = PIECE_OF_ID[element]
        return _piece(view, piece) if s.at[piece] >= 0 else None
    if element in ('card-order', 'card-fights'):
        return Explanation.of(say, element, chapter=ORDERS if element == 'card-order' else FIGHTING)
    kind, _, name = element.partition('-')
    if kind == 'sq' and name in C.SQUARES:
        return _square(view, C.SQUARES.index(name))
    if kind == 'way' and name in C.HEADINGS:
        return Explanation.of(say, 'way', chapter=ORDERS, heading=heading_words(C.HEADINGS.index(name)))
    if kind == 'hand' and name in C.TYPES:
        n = int(s.hand[view.seat, C.TYPES.index(name)]) if view.seat >= 0 else -1
        now = say('about.hand_left', n=n) if n >= 0 else ''
        return _type(C.TYPES.index(name), now)
    if kind == 'type' and name in C.TYPES:
        return _type(C.TYPES.index(name), '')
    if kind in ('prizes', 'deployed') and name in ('0', '1'):
        return _of_seat(view, kind, int(name))
    if element in ('card-army-0', 'card-army-1'):
        return Explanation.of(say, 'card-army', chapter=KNOWN, player=player_word(int(name[-1]), view.names))
    return None


def _of_seat(view: View, kind: str, seat: int) -> Explanation:
    """What a panel counts: the pieces taken, or deployed."""
    s = view.state
    return Explanation.of(
        say, kind, chapter=END if kind == 'prizes' else SETUP, player=player_word(seat, view.names),
        n=int(s.taken[seat]), of=int(s.capture if kind == 'prizes' else s.size),
    )  # fmt: skip


def _values(kind: int) -> dict[str, int]:
    """The three values of a type."""
    return {'sword': C.SWORD[kind], 'shield': C.SHIELD[kind], 'movement': C.MOVEMENT[kind]}


def _strength(kind: int) -> str:
    """What a type can do, in a sentence."""
    return say('about.leader' if kind == C.COMMANDER else 'about.strength', **_values(kind))


def _type(kind: int, now: str) -> Explanation:
    """A type of pieces."""
    key = 'leader_type' if kind == C.COMMANDER else 'type'
    return Explanation.of(say, key, now, chapter=BOARD, type=type_word(kind), strength=_strength(kind))


def _piece(view: View, piece: int) -> Explanation:
    """A piece, of a type that the viewer knows or not."""
    s, seat, kind = view.state, piece // SIDE, int(view.state.type[piece])
    square, player = int(s.at[piece]), player_word(seat, view.names)
    values = {'player': player, 'square': C.SQUARES[square]}
    if s.phase == Phase.DEPLOY and kind < 0:
        return Explanation.of(say, 'deploying', chapter=SETUP, **values)
    if kind < 0:
        noted = view.notes.get(piece_id(piece))
        return Explanation.of(
            say, 'unknown', say('about.noted', notes=', '.join(noted)) if noted else '', chapter=KNOWN,
            types=_possible(view, piece), **values,
        )  # fmt: skip
    ends = moves_of(view.actions).get(square, [])
    now = say('about.goes', n=len(ends)) if ends else ''
    if s.seen[piece] and not s.ending and seat != view.seat:
        now = say('about.seen')
    chapter = ORDERS if kind == C.COMMANDER else FIGHTING
    return Explanation.of(
        say, 'piece', now, chapter=chapter, type=type_word(kind), strength=_strength(kind), **values
    )


def _possible(view: View, piece: int) -> str:
    """The types that an unknown piece can have, by what the viewer wants to see: all of its army, or those
    that are still possible."""
    s = view.state
    words = possible_words(s, piece) if view.settings.deductions else ''
    return words or listed([type_word(kind) for kind in kinds_in(int(s.pool[piece // SIDE]))])


def _square(view: View, square: int) -> Explanation:
    """A square: what stands there, or what can come."""
    s = view.state
    if s.on[square] >= 0:
        return _piece(view, int(s.on[square]))
    name = C.SQUARES[square]
    rank = next((seat for seat in range(2) if C.BACK_RANK[seat] >> square & 1), -1)
    comers = [start for start, ends in moves_of(view.actions).items() if square in ends]
    now = say('about.comers', pieces=listed([C.SQUARES[start] for start in comers])) if comers else ''
    if s.phase == Phase.DEPLOY:
        return Explanation.of(
            say,
            'start' if rank >= 0 else 'square',
            now,
            chapter=SETUP,
            square=name,
            player=player_word(max(rank, 0), view.names),
        )
    values = {
        'player': player_word(max(rank, 0), view.names),
        'other': player_word(1 - max(rank, 0), view.names),
    }
    return Explanation.of(
        say,
        'rank' if rank >= 0 else 'square',
        now,
        chapter=END if rank >= 0 else MOVING,
        square=name,
        **values,
    )
