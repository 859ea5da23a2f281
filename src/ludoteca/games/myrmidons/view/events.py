"""The events of Myrmidons between two hidden states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ludoteca.drawing.geometry import along
from ludoteca.game import Event, Sound

from .. import components as C
from ..notation import decode
from ..rules import OFF, SIDE, Ending, Phase, State
from . import symbols as S
from .facts import heading_words, piece_id, step, type_word
from .symbols import CELL, square_centre

SOUNDS: Mapping[str, Sound] = {
    'deploy': 'wood',
    'move': 'wood',
    'goes': 'wood',
    'pushed': 'wood',
    'halts': 'wood',
    'step': 'wood',
    'arrayed': 'bronze',
    'wins': 'bronze',
    'wins_even': 'bronze',
    'repelled': 'bronze',
    'wins_forgotten': 'bronze',
    'repelled_forgotten': 'bronze',
    'fallen': 'bronze',
}
"""What is heard of which kind of event."""


def events(
    before: State,
    action: int,
    after: State,
    names: Sequence[str] = (),  # noqa: ARG001 (the contract's)
    colours: Sequence[str] = (),
) -> tuple[Event, ...]:
    """The effects of an action, as far as the viewer may know them.

    Kinds: deploy (type, square; own ones only), then arrayed; order (heading); join (square, steps; own ones
    only); for each piece that went, front to back, one of move, goes, pushed, halts, wins, wins_even (the
    sword equals the shield), repelled (`wins_forgotten`, `repelled_forgotten` if the values are not shown any
    longer) with values start and end, and its square now if that is another one (stop); then fallen,
    back_rank, commander, pieces, repetition or sixty_turns. The way of a piece ends where it stands now.
    Fights carry `attacker` and `defender` (ids of elements), `won`, and if both values are known
    `attacker_face` and `defender_face` (symbols); the last point but one of a repelled attacker's way is
    where the blocks met.
    """
    return tuple(_events(before, action, after, colours))


def _events(before: State, action: int, after: State, colours: Sequence[str]) -> Iterator[Event]:
    seat = int(before.to_move)
    if before.phase == Phase.DEPLOY:
        square = C.START[seat * SIDE + int(before.placed[seat])]
        if action >= 0:
            _, (kind,) = decode(action)
            yield Event(
                'deploy',
                seat,
                {'type': type_word(kind), 'square': C.SQUARES[square]},
                (piece_id(int(before.on[square])),),
            )
        if after.placed[seat] == after.size:
            yield Event('arrayed', seat)
    elif after.n_moved:
        yield from ways(after, colours)
    elif action >= 0:
        match decode(action):
            case 'order', (heading,):
                yield Event('order', seat, {'heading': heading_words(heading)})
            case 'friend', (square, steps):
                yield Event('join', seat, {'square': C.SQUARES[square], 'steps': steps})
    if after.ending:
        yield from _end(after)


def _end(after: State) -> Iterator[Event]:
    ending = Ending(int(after.ending))
    if ending == Ending.COMMANDER:
        fallen = next(
            piece
            for piece in range(C.N_PIECES)
            if after.type[piece] == C.COMMANDER and after.at[piece] == OFF
        )
        yield Event('fallen', fallen // SIDE)
    yield Event(ending.name.lower(), int(after.winner), {'n': int(after.capture)})


def ways(s: State, colours: Sequence[str]) -> tuple[Event, ...]:
    """The movements and fights of the last turn, front to back."""
    fights = {int(s.attacker[i]): i for i in range(s.n_fights)}
    found = []
    for i in range(s.n_moved):
        piece, start = int(s.moved[i]), int(s.moved_from[i])
        end = step(start, int(s.course), int(s.moved_steps[i]))
        stop = int(s.at[piece])
        values: dict[str, str | int] = {'start': C.SQUARES[start], 'end': C.SQUARES[end]}
        if stop != end:
            values['stop'] = C.SQUARES[stop]
        kind, way = 'goes' if s.ordered else 'move', [square_centre(start), square_centre(end)]
        if piece in fights:
            kind = _fight(s, fights[piece], values, colours)
            if stop != end:
                way = [
                    square_centre(start),
                    along(square_centre(end), S.aim(int(s.course)), -0.4 * CELL),
                    square_centre(stop),
                ]
        elif stop != end:
            met = s.on[end] >= 0 and s.on[end] // SIDE != piece // SIDE
            kind = 'halts' if met else 'pushed'
            way = [square_centre(start), square_centre(stop)] if met else [*way, square_centre(stop)]
        found.append(
            Event(
                kind,
                piece // SIDE,
                values,
                (piece_id(piece),),
                tuple((round(x, 1), round(y, 1)) for x, y in way),
                piece_id(piece),
                gains=((piece // SIDE, 1),) if values.get('won') else (),
            )
        )
    return tuple(found)


def _fight(s: State, i: int, values: dict[str, str | int], colours: Sequence[str]) -> str:
    """The kind of a fight's event. Knowledge of the fight is written into `values`."""
    attacker, defender = int(s.attacker[i]), int(s.defender[i])
    ours, theirs = int(s.type[attacker]), int(s.type[defender])
    values |= {'attacker': piece_id(attacker), 'defender': piece_id(defender), 'won': int(s.won[i])}
    kind = 'wins' if s.won[i] else 'repelled'
    if min(ours, theirs) < 0:
        return f'{kind}_forgotten'
    values |= {
        'attacker_face': S.face_name(colours, attacker // SIDE, ours),
        'defender_face': S.face_name(colours, defender // SIDE, theirs),
        'attacker_type': type_word(ours),
        'defender_type': type_word(theirs),
        'sword': C.SWORD[ours],
        'shield': C.SHIELD[theirs],
    }
    return 'wins_even' if s.won[i] and C.SWORD[ours] == C.SHIELD[theirs] else kind
