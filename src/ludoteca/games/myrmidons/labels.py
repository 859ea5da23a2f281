"""Ids and words of things in Myrmidons, and what a state says, for everything that people see."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludoteca.game import Game, View
from ludoteca.games.myrmidons import components as C
from ludoteca.games.myrmidons import rules as R
from ludoteca.games.myrmidons.figures import COLOURS
from ludoteca.games.myrmidons.rules import SIDE, Phase, State


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


def player_word(game: Game, seat: int, names: Sequence[str] = ()) -> str:
    """A player's name, or the word for their colour."""
    return names[seat] if seat < len(names) and names[seat] else game.words(f'colour.{COLOURS[seat]}')


def type_word(game: Game, kind: int) -> str:
    """A type by its values; the Commander by its title."""
    return game.words('commander') if kind == C.COMMANDER else C.TYPES[kind]


def heading_words(game: Game, heading: int) -> str:
    """A heading in words."""
    return game.words(f'heading.{C.HEADINGS[heading]}')


def kinds_in(mask: int) -> list[int]:
    """The types of a mask."""
    return [kind for kind in range(C.N_TYPES) if mask >> kind & 1]


def square_words(game: Game, view: View, piece: int) -> str:
    """A piece on the board: where it stands, whose it is, what it is as far as the viewer knows."""
    s, say, seat, kind = view.state, game.words, piece // SIDE, int(view.state.type[piece])
    values = {'square': C.SQUARES[s.at[piece]], 'player': player_word(game, seat, view.names)}
    if kind >= 0:
        key = 'board.seen' if s.seen[piece] and not s.ending else 'board.piece'
        return say(key, type=type_word(game, kind), **values)
    if s.phase == Phase.DEPLOY:
        return say('board.deploying', **values)
    text = say('board.unknown', **values)
    if view.settings.deductions and (types := possible_words(game, s, piece)):
        text = say('board.possible', piece=text, types=types)
    if notes := view.notes.get(piece_id(piece)):
        text = say('board.noted', piece=text, notes=', '.join(notes))
    return text


def possible_words(game: Game, s: State, piece: int) -> str:
    """The types that an unknown piece can have, if that is less than all of its army's; else ''."""
    mask = int(s.mask[piece])
    return '' if mask == int(s.pool[piece // SIDE]) else ', '.join(type_word(game, kind) for kind in kinds_in(mask))


# ---- what a state says -------------------------------------------------------------------------------------------------------

def moves_of(actions: Iterable[int]) -> dict[int, list[int]]:
    """The single moves among actions: from -> to."""
    found: dict[int, list[int]] = {}
    for action in actions:
        if R.FIRST_MOVE <= action < R.FIRST_ORDER:
            start, end = divmod(action - R.FIRST_MOVE, C.N_SQUARES)
            found.setdefault(start, []).append(end)
    return found


def headings_of(actions: Iterable[int]) -> list[int]:
    """The headings in which an order can be begun."""
    return [action - R.FIRST_ORDER for action in actions if R.FIRST_ORDER <= action < R.FIRST_FRIEND]


def friends_of(actions: Iterable[int]) -> dict[int, int]:
    """The friends that can be named next in an order: square -> most steps."""
    found: dict[int, int] = {}
    for action in actions:
        if R.FIRST_FRIEND <= action < R.GO:
            square, steps = divmod(action - R.FIRST_FRIEND, C.MOST_STEPS)
            found[square] = max(found.get(square, 0), steps + 1)
    return found


def step(square: int, heading: int, steps: int) -> int:
    """The square so many steps on."""
    return square + steps * C.OFFSET[heading]


def plan(s: State) -> list[tuple[int, int]]:
    """The order being made, front to back: squares and steps, the Commander's own among them."""
    heading, leader = int(s.heading), R.leader_square(s, int(s.to_move))
    going = [(int(s.friend[i]), int(s.steps[i])) for i in range(s.n_friends)] + [(leader, 1)]
    return sorted(going, key=lambda mover: C.ORDER[heading][mover[0]])


def planned_fights(s: State) -> int:
    """How many of those that go in the order being made will fight."""
    ends = [step(square, int(s.heading), steps) for square, steps in plan(s)]
    return sum(s.on[end] >= 0 and s.on[end] // SIDE != s.to_move for end in ends)


def reach_of_friends(s: State) -> dict[int, int]:
    """In an order: how far each friend beside the Commander could go, those before it going as planned; those that cannot are left
    out."""
    seat, heading, leader = int(s.to_move), int(s.heading), R.leader_square(s, int(s.to_move))
    named = {int(s.friend[i]): int(s.steps[i]) for i in range(s.n_friends)}
    clear, prey, found = int(s.men[0] | s.men[1]), int(s.men[1 - seat]), {}
    for square in sorted(range(C.N_SQUARES), key=lambda square: C.ORDER[heading][square]):
        piece = int(s.on[square])
        if piece < 0 or piece // SIDE != seat or not C.ROUND[leader] >> square & 1:
            continue
        behind = square == leader - C.OFFSET[heading]               # right behind the Commander, which goes one step
        most = 1 if behind else R.reach(square, heading, C.MOVEMENT[int(s.type[piece])], clear, prey)
        if most:
            found[square] = int(most)
        if square in named:
            end = 1 << step(square, heading, named[square])
            clear, prey = clear & ~(1 << square) | end, prey & ~end
    return found


def pieces_of(s: State) -> list[int]:
    """The pieces on the board."""
    return [piece for piece in range(C.N_PIECES) if s.at[piece] >= 0]
