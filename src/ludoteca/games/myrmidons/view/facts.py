"""Facts of a state of Myrmidons for drawing and wording: ids and words of things, possible moves, line-ups,
knowledge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from ludoteca.game import LAID, View
from ludoteca.text import Words, players

from .. import components as C
from .. import rules as R
from ..notation import decode
from ..rules import SIDE, UNKNOWN, Phase, State

say = Words(Path(__file__).parent.parent)
COLOURS = ('red', 'blue')  # of the seats and of the sides, if nobody chooses others
FEW = 4  # at most so many pieces or squares are told one by one
KEPT = 1024  # sets of types that are remembered


# ---- ids and words -----------------------------------------------------------------------------------------


@cache
def piece_id(piece: int) -> str:
    """The id of a piece: its seat and the square on which it started."""
    return f'piece-{piece // SIDE}-{C.SQUARES[C.START[piece]]}'


PIECE_OF_ID = {piece_id(piece): piece for piece in range(C.N_PIECES)}


def square_of(s: State, target: str) -> int:
    """The square that a target or id means: its own, or the one on which the piece stands; -1 for none."""
    name = target.removeprefix('el:')
    if name in PIECE_OF_ID:
        return max(-1, int(s.at[PIECE_OF_ID[name]]))
    name = name.removeprefix('sq-')
    return C.SQUARES.index(name) if name in C.SQUARES else -1


def kind_of(target: str) -> int:
    """The type that a target in the hand means, -1 for none."""
    name = target.removeprefix('el:').removeprefix('hand-')
    return C.TYPES.index(name) if name in C.TYPES else -1


def player_word(seat: int, names: Sequence[str] = ()) -> str:
    """A player's name, or the word for their colour."""
    return players.player_word(seat, names, COLOURS)


def type_word(kind: int) -> str:
    """A type by its values; the Commander by its title."""
    return say('commander') if kind == C.COMMANDER else C.TYPES[kind]


def heading_words(heading: int) -> str:
    """A heading in words."""
    return say(f'heading.{C.HEADINGS[heading]}')


@lru_cache(maxsize=KEPT)
def kinds_in(mask: int) -> tuple[int, ...]:
    """The types of a mask."""
    return tuple(kind for kind in range(C.N_TYPES) if mask >> kind & 1)


@lru_cache(maxsize=KEPT)
def kinds_words(mask: int) -> str:
    """The types of a mask in words."""
    return ', '.join(type_word(kind) for kind in kinds_in(mask))


# ---- what can be done --------------------------------------------------------------------------------------


def pieces_of(s: State) -> list[int]:
    """The pieces on the board."""
    return [piece for piece, square in enumerate(s.at[: C.N_PIECES].tolist()) if square >= 0]


def moves_of(actions: Iterable[int]) -> dict[int, list[int]]:
    """The single moves among actions: from -> to."""
    moves: dict[int, list[int]] = {}
    for action in actions:
        match decode(action):
            case 'move', (start, end):
                moves.setdefault(start, []).append(end)
    return moves


def headings_of(actions: Iterable[int]) -> list[int]:
    """The headings in which an order can be begun."""
    return [heading for kind, heading in map(R.ACTIONS.decode, actions) if kind == 'order']


def friends_of(actions: Iterable[int]) -> dict[int, int]:
    """The friends that can be named next in an order: square -> most steps."""
    friends: dict[int, int] = {}
    for action in actions:
        match decode(action):
            case 'friend', (square, steps):
                friends[square] = max(friends.get(square, 0), steps)
    return friends


def step(square: int, heading: int, steps: int) -> int:
    """The square so many steps on."""
    return square + steps * C.OFFSET[heading]


def plan(s: State) -> list[tuple[int, int]]:
    """The order being made, front to back: squares and steps, the Commander's own among them."""
    heading, leader = int(s.heading), R.leader_square(s, int(s.to_move))
    going = [(int(s.friend[i]), int(s.steps[i])) for i in range(s.n_friends)] + [(leader, 1)]
    return sorted(going, key=lambda mover: C.ORDER[heading][mover[0]])


def planned_fights(s: State) -> int:
    """The number of fights in the order being made."""
    ends = [step(square, int(s.heading), steps) for square, steps in plan(s)]
    return sum(s.on[end] >= 0 and s.on[end] // SIDE != s.to_move for end in ends)


def reach_of_friends(s: State) -> dict[int, int]:
    """The most steps of each friend beside the Commander in an order, while those before it go as planned.
    Friends that cannot go are left out."""
    seat, heading, leader = int(s.to_move), int(s.heading), R.leader_square(s, int(s.to_move))
    named = {int(s.friend[i]): int(s.steps[i]) for i in range(s.n_friends)}
    clear, prey, found = int(s.men[0] | s.men[1]), int(s.men[1 - seat]), {}
    for square in sorted(range(C.N_SQUARES), key=lambda square: C.ORDER[heading][square]):
        piece = int(s.on[square])
        if piece < 0 or piece // SIDE != seat or not C.ROUND[leader] >> square & 1:
            continue
        # right behind the Commander, which goes one step
        behind = square == leader - C.OFFSET[heading]
        most = 1 if behind else R.reach(square, heading, C.MOVEMENT[int(s.type[piece])], clear, prey)
        if most:
            found[square] = int(most)
        if square in named:
            end = 1 << step(square, heading, named[square])
            clear, prey = clear & ~(1 << square) | end, prey & ~end
    return found


# ---- line-ups ----------------------------------------------------------------------------------------------


def free_squares(s: State) -> list[int]:
    """The squares of the mover's line-up that are still to be filled, in turn."""
    seat = int(s.to_move)
    return [int(C.START[seat * SIDE + k]) for k in range(s.placed[seat], s.size)]


def laid_ahead(s: State, labels: Sequence[str]) -> dict[int, int]:
    """The pieces that the mover has laid where no step has come yet: types by square, in the order of the
    laying. Labels that do not fit mean nothing."""
    free, left = free_squares(s), s.hand[s.to_move].tolist()
    found: dict[int, int] = {}
    for label in labels:
        name, _, type_ = label.partition('=')
        if type_ not in C.TYPES or name not in C.SQUARES:
            continue
        square, kind = C.SQUARES.index(name), C.TYPES.index(type_)
        if square in free and square not in found and left[kind] > 0:
            found[square] = kind
            left[kind] -= 1
    return found


def with_laid(view: View) -> View:
    """The view of a deploying seat, with pieces laid ahead of the steps shown as deployed."""
    s = view.state
    if s.phase != Phase.DEPLOY or not view.actions or view.seat != s.to_move:
        return view
    ahead = laid_ahead(s, view.notes.get(LAID, ()))
    if not ahead:
        return view
    state, first = s.copy(), view.seat * SIDE
    for square, kind in ahead.items():
        state.type[first + [int(at) for at in C.START[first : first + SIDE]].index(square)] = kind
        state.hand[view.seat, kind] -= 1
    return replace(view, state=state)


def gaps(s: State, seat: int) -> list[int]:
    """The squares of a line-up on which no piece lies, in turn."""
    first = seat * SIDE
    return [int(C.START[piece]) for piece in range(first, first + int(s.size)) if s.type[piece] == UNKNOWN]


# ---- what is known of a piece ------------------------------------------------------------------------------


def army(seat: int) -> range:
    """The pieces of a seat, those out of the game included."""
    return range(seat * SIDE, (seat + 1) * SIDE)


def deduced(view: View, piece: int) -> tuple[str, str] | None:
    """The pencil mark that an unknown enemy deserves: ('type', its values), ('crest', '?') for one of few
    that may be the Commander, ('foot', '≥3') for one that cannot be slow; None if there is nothing to
    note."""
    s = view.state
    if (
        not view.settings.deductions
        or piece // SIDE == view.seat
        or s.type[piece] >= 0
        or s.phase == Phase.DEPLOY
    ):
        return None
    kinds = kinds_in(int(s.mask[piece]))
    if len(kinds) == 1 and kinds[0] != C.COMMANDER:
        return 'type', C.TYPES[kinds[0]]
    places, types, masks = s.at.tolist(), s.type.tolist(), s.mask.tolist()
    unknown = [other for other in army(piece // SIDE) if places[other] >= 0 and types[other] < 0]
    leaders = [other for other in unknown if masks[other] & 1]
    if piece in leaders and (len(leaders) < len(unknown) or len(leaders) == 1) and len(leaders) <= FEW:
        return 'crest', '!' if len(leaders) == 1 else '?'
    least = min((C.MOVEMENT[kind] for kind in kinds), default=1)
    return ('foot', f'≥{least}') if least > 1 else None


def possible_words(s: State, piece: int) -> str:
    """The types that an unknown piece can have, if that is less than all of its army's; else ''."""
    mask = int(s.mask[piece])
    return '' if mask == int(s.pool[piece // SIDE]) else kinds_words(mask)


def known_words(view: View, piece: int) -> str:
    """One sentence about an enemy on the board, '' if there is nothing to say."""
    s = view.state
    if s.type[piece] >= 0 or s.phase == Phase.DEPLOY:
        return ''
    square, sentences = C.SQUARES[s.at[piece]], []
    if view.settings.deductions and (types := possible_words(s, piece)):
        sentences.append(say('text.possible', square=square, types=types))
    if notes := view.notes.get(piece_id(piece)):
        sentences.append(say('text.noted', square=square, notes=', '.join(notes)))
    return ' '.join(sentences)


def square_words(view: View, piece: int) -> str:
    """A piece on the board in words: its square, its owner, its type as far as the viewer knows it."""
    s, seat, kind = view.state, piece // SIDE, int(view.state.type[piece])
    values = {'square': C.SQUARES[s.at[piece]], 'player': player_word(seat, view.names)}
    if kind >= 0:
        key = 'board.seen' if s.seen[piece] and not s.ending else 'board.piece'
        return say(key, type=type_word(kind), **values)
    if s.phase == Phase.DEPLOY:
        return say('board.deploying', **values)
    text = say('board.unknown', **values)
    if view.settings.deductions and (types := possible_words(s, piece)):
        text = say('board.possible', piece=text, types=types)
    if notes := view.notes.get(piece_id(piece)):
        text = say('board.noted', piece=text, notes=', '.join(notes))
    return text
