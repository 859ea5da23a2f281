"""Why a turn is good: what an attack beats, who stands where, and what the enemy could do or learn.

Of an enemy whose type is not shown only that is used which follows from what everybody has seen of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludoteca.game import Reason, View
from ludoteca.game.reasons import Fact, Facts, Kind, distinguish

from .. import components as C
from .. import rules as R
from ..notation import decode
from ..rules import Phase, State
from .facts import army, kinds_in, piece_id, player_word, step

KINDS = {
    'safe_row': Kind(20.0, both=True),  # pieces on the enemy's first row that no enemy can reach
    'takes': Kind(4.0),  # enemies that fall whatever they are
    'row': Kind(3.0, both=True),  # pieces on the enemy's first row
    'hunted': Kind(3.0, fewer=True),  # enemies that could attack the Commander by a move
    'commander': Kind(2.0),  # attacked enemies that may be the Commander
    'exposed': Kind(1.5, fewer=True),  # own pieces that could be taken by a move
    'threatens': Kind(1.0, both=True),  # enemies that own moves could then take for sure
    'reveals': Kind(0.6, fewer=True),  # own pieces that are turned over
    'leaders': Kind(0.5, both=True),  # own pieces that may be the Commander, by the ways that they have gone
    'chance': Kind(0.4),  # types of the attacked enemy that would fall
    'forward': Kind(0.3),  # rows
    'movers': Kind(0.25),  # pieces that go together
    # deployments
    'lines': Kind(1.0, fewer=True),  # that lead to the Commander
    'guards': Kind(0.3, both=True),  # shields of the pieces beside the Commander
    'reach': Kind(0.1, both=True),  # squares to which pieces could go at once
}
ALERTS = {
    'wins': Kind(5000.0),  # an enemy that falls for sure, and with it the game
    'intruder': Kind(500.0),  # enemies on the seat's first row
    'breaks_through': Kind(200.0),  # to the enemy's first row, where nothing can come
    'brink': Kind(100.0),  # the next loss is the last one
    'hunted': Kind(5.0),  # enemies that could take the Commander by a move
    'takes': Kind(1.0),  # an enemy that falls for sure
}


class Mover(NamedTuple):
    """A piece that goes: from which square, how many steps, in which heading."""

    square: int
    steps: int
    heading: int

    @property
    def end(self) -> int:
        return step(self.square, self.heading, self.steps)


def reasons(view: View, turn: Sequence[int], others: Sequence[Sequence[int]]) -> tuple[Reason, ...]:
    """Why a turn is better than the first of the others; a deployment, why the whole line-up is."""
    measure = _deployed if view.state.phase == Phase.DEPLOY else _facts
    other = measure(view.state, others[0]) if others else None
    return distinguish(KINDS, measure(view.state, turn), other)


def alerts(view: View) -> tuple[Reason, ...]:
    """What the seat to move should notice before its turn. A fight is certain if it is so whatever the enemy
    is; an enemy may come if it may by all that it can be."""
    s, seat = view.state, int(view.state.to_move)
    if s.phase != Phase.TURN:
        return ()
    own, enemies = _on_board(s, seat), _on_board(s, 1 - seat)
    facts = Facts()

    def note(kind: str, piece: int, by: int = -1, n: int = 1) -> None:
        names = {'player': player_word(1 - seat, view.names), 'square': C.SQUARES[s.at[piece]]}
        facts[kind] = Fact(n, names=names | ({'by': C.SQUARES[s.at[by]]} if by >= 0 else {}))

    prey = [(piece, enemy) for enemy in enemies for piece in own if _takes_for_sure(s, piece, enemy)]
    last = [pair for pair in prey if s.taken[seat] + 1 == s.capture or kinds_of(s, pair[1]) == (C.COMMANDER,)]
    if prey:
        piece, enemy = (last or prey)[0]
        note('wins' if last else 'takes', enemy, piece)
    if intruders := [enemy for enemy in enemies if int(R.BACK_RANK[1 - seat]) >> int(s.at[enemy]) & 1]:
        note('intruder', intruders[0], n=len(intruders))
    if (free := next((piece for piece in own if _breaks_through(s, piece)), -1)) >= 0:
        note('breaks_through', free)
    attacks = [(enemy, piece) for enemy in enemies for piece in _prey_of(s, enemy, own)]
    if attacks and s.taken[1 - seat] + 1 == s.capture:
        note('brink', attacks[0][1])
    if hunters := [enemy for enemy, piece in attacks if s.type[piece] == C.COMMANDER]:
        note('hunted', hunters[0], n=len(hunters))
    return distinguish(ALERTS, facts, None)


def _breaks_through(s: State, piece: int) -> bool:
    """Can a piece of the seat to move go to a free square of the enemy's first row that no enemy can reach in
    one turn?"""
    seat, start = int(s.to_move), int(s.at[piece])
    goals = _ways(s, piece, int(s.type[piece])) & int(R.BACK_RANK[seat]) & ~int(s.men[0] | s.men[1])
    for end in (square for square in range(C.N_SQUARES) if goals >> square & 1):
        after = s.copy()
        R.apply(after, R.FIRST_MOVE + start * C.N_SQUARES + end)
        if not any(_might_come(after, enemy, piece) for enemy in _on_board(after, 1 - seat)):
            return True
    return False


def movers_of(s: State, turn: Sequence[int]) -> list[Mover]:
    """The pieces that go in a turn, the Commander last in an order."""
    heading, going = int(s.heading), [(int(s.friend[i]), int(s.steps[i])) for i in range(s.n_friends)]
    for action in turn:
        match decode(action):
            case 'move', (start, end):
                return [Mover(start, int(C.STEPS_TO[start, end]), int(C.HEADING_TO[start, end]))]
            case 'order', (ordered,):
                heading = ordered
            case 'friend', (square, steps):
                going.append((square, steps))
    going.append((R.leader_square(s, int(s.to_move)), 1))
    return [Mover(square, steps, heading) for square, steps in going]


def _facts(before: State, turn: Sequence[int]) -> Facts:
    """What a turn brings to the seat to move."""
    seat, movers = int(before.to_move), movers_of(before, turn)
    fights = [mover for mover in movers if _is_enemy(before, mover.end, seat)]
    attacked = [int(before.on[mover.end]) for mover in fights]
    up = 1 if seat == 0 else -1
    ranks = [
        up * (mover.end // C.N_FILES - mover.square // C.N_FILES) for mover in movers if mover not in fights
    ]
    facts = {
        'movers': Fact(len(movers) if len(movers) > 1 else 0),
        'forward': Fact(sum(ranks)),
        'reveals': Fact(sum(not before.seen[int(before.on[mover.square])] for mover in fights)),
    }
    if fights:
        return facts | _fought(before, fights, attacked)
    s = before.copy()
    for action in turn:
        R.apply(s, action)
    return facts | ({} if s.ending else _stands(s, seat))


# ---- deployments -------------------------------------------------------------------------------------------


def _deployed(before: State, turn: Sequence[int]) -> Facts:
    """How an army stands when it is deployed; nothing while pieces are missing."""
    s, seat = before.copy(), int(before.to_move)
    for _, (kind,) in map(decode, turn):
        s.type[seat * C.SIDE + s.placed[seat]] = kind
        s.placed[seat] += 1
    own = _on_board(s, seat)[: int(s.size)]
    leaders = [piece for piece in own if s.type[piece] == C.COMMANDER]
    if s.placed[seat] < s.size or not leaders:
        return {}
    square, men = int(s.at[leaders[0]]), int(s.men[seat])
    near = [int(C.STEPS_TO[square, int(s.at[piece])]) == 1 for piece in own]
    guards = [piece for piece, beside in zip(own, near, strict=True) if beside]
    everywhere = R.targets_from(square, 1, 0)
    ways = sum((_ways(s, piece, int(s.type[piece])) & ~men).bit_count() for piece in own)
    return {
        'lines': Fact((int(everywhere) & ~men).bit_count(), _targets(leaders)),
        'guards': Fact(sum(int(R.SHIELD[int(s.type[piece])]) for piece in guards), _targets(guards)),
        'reach': Fact(ways),
    }


# ---- fights ------------------------------------------------------------------------------------------------


def _fought(s: State, fights: Sequence[Mover], attacked: Sequence[int]) -> Facts:
    """What attacks can bring, whatever the enemies are."""
    beaten = [
        [kind for kind in kinds_of(s, enemy) if _falls(int(s.type[int(s.on[mover.square])]), kind)]
        for mover, enemy in zip(fights, attacked, strict=True)
    ]
    sure = [
        enemy for enemy, kinds in zip(attacked, beaten, strict=True) if len(kinds) == len(kinds_of(s, enemy))
    ]
    leaders = [enemy for enemy in attacked if C.COMMANDER in kinds_of(s, enemy)]
    best = max(range(len(attacked)), key=lambda i: len(beaten[i]))
    facts = {
        'takes': Fact(len(sure), _targets(sure)),
        'commander': Fact(len(leaders), _targets(leaders)),
    }
    if not sure:
        possible = len(kinds_of(s, attacked[best]))
        facts['chance'] = Fact(len(beaten[best]), _targets([attacked[best]]), {'of': str(possible)})
    return facts


def kinds_of(s: State, piece: int) -> tuple[int, ...]:
    """The types that a piece can have."""
    kind = int(s.type[piece])
    return (kind,) if kind >= 0 else kinds_in(int(s.mask[piece]))


def _falls(attacker: int, defender: int) -> bool:
    return bool(R.SWORD[attacker] >= R.SHIELD[defender])


def _is_enemy(s: State, square: int, seat: int) -> bool:
    piece = int(s.on[square])
    return piece >= 0 and piece not in army(seat)


# ---- how things stand after a turn without fights ----------------------------------------------------------


def _stands(s: State, seat: int) -> Facts:
    own, enemies = _on_board(s, seat), _on_board(s, 1 - seat)
    hunters = [enemy for enemy in enemies if _reaches(s, enemy, R.leader_square(s, seat))]
    prey_of_others = {piece for enemy in enemies for piece in _prey_of(s, enemy, own)}
    exposed = [piece for piece in own if piece in prey_of_others]
    prey = [enemy for enemy in enemies if any(_takes_for_sure(s, piece, enemy) for piece in own)]
    on_row = [piece for piece in own if int(R.BACK_RANK[seat]) >> int(s.at[piece]) & 1]
    safe = [piece for piece in on_row if not any(_might_come(s, enemy, piece) for enemy in enemies)]
    leaders = [piece for piece in own if R.may_lead(s, piece) and not s.seen[piece]]
    return {
        'hunted': Fact(len(hunters), _targets(hunters)),
        'exposed': Fact(len(exposed), _targets(exposed)),
        'threatens': Fact(len(prey), _targets(prey)),
        'row': Fact(len(on_row), _targets(on_row)),
        'safe_row': Fact(len(safe), _targets(safe)),
        'leaders': Fact(len(leaders)),
    }


def _on_board(s: State, seat: int) -> list[int]:
    return [piece for piece in army(seat) if s.at[piece] >= 0]


def _ways(s: State, piece: int, kind: int) -> int:
    """The squares, as bits, to which a piece can move if it is of that type."""
    return int(R.targets_from(int(s.at[piece]), int(R.MOVEMENT[kind]), int(s.men[0] | s.men[1])))


def _reaches(s: State, piece: int, square: int) -> bool:
    """Can a piece move to a square, by all that it can be?"""
    return square >= 0 and any(_ways(s, piece, kind) >> square & 1 for kind in kinds_of(s, piece))


def _prey_of(s: State, enemy: int, own: Sequence[int]) -> list[int]:
    """The own pieces that an enemy could take by a move, by all that it can be."""
    swords = dict[int, int]()  # by how far its types go, the strongest
    for kind in kinds_of(s, enemy):
        far = int(R.MOVEMENT[kind])
        swords[far] = max(swords.get(far, 0), int(R.SWORD[kind]))
    start, men = int(s.at[enemy]), int(s.men[0] | s.men[1])
    ways = [(int(R.targets_from(start, far, men)), sword) for far, sword in swords.items()]
    return [
        piece
        for piece in own
        if any(way >> int(s.at[piece]) & 1 and sword >= R.SHIELD[int(s.type[piece])] for way, sword in ways)
    ]


def _takes_for_sure(s: State, piece: int, enemy: int) -> bool:
    """Would a piece take an enemy by a move, whatever that is?"""
    own = int(s.type[piece])
    reached = _ways(s, piece, own) >> int(s.at[enemy]) & 1
    return bool(reached) and all(_falls(own, kind) for kind in kinds_of(s, enemy))


def _might_come(s: State, enemy: int, piece: int) -> bool:
    """Might an enemy come as far as a piece in one turn? In an order its friends may make way, so nothing
    stops it here but the distance."""
    start, end = int(s.at[enemy]), int(s.at[piece])
    steps = int(C.STEPS_TO[start, end])
    return steps > 0 and any(R.MOVEMENT[kind] >= steps for kind in kinds_of(s, enemy))


def _targets(pieces: Sequence[int]) -> tuple[str, ...]:
    return tuple(f'el:{piece_id(piece)}' for piece in pieces)
