"""Names of actions, and positions as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from reprlib import repr
from typing import Any

import numpy as np

from ludoteca.game import GameError
from ludoteca.game.json_fields import check_keys, whole
from ludoteca.kernel import checked, seed_words, start_generator
from ludoteca.text import Words

from . import components as C
from . import knowledge as K
from . import rules as R
from .options import MyrmidonsOptions
from .rules import ABSENT, OFF, SIDE, UNKNOWN, Army, Ending, Phase, State

KEYS = (
    'game',
    'options',
    'to_move',
    'turn',
    'quiet',
    'pieces',
    'taken',
    'leaderless',
    'deployed',
    'hand',
    'order',
    'last',
    'ending',
    'winner',
    'history',
)
REQUIRED = ('to_move', 'pieces')
PIECE_KEYS = ('at', 'owner', 'type', 'start', 'moved', 'seen', 'no_commander')
ENDINGS = tuple(ending.name.lower() for ending in Ending if ending)
ARMIES = tuple(MyrmidonsOptions.values()['army'])

words = Words(Path(__file__).parent)


# ---- actions -----------------------------------------------------------------------------------------------


def decode(action: int) -> tuple[str, tuple[int, ...]]:
    """The kind of an action, and its values: the type to deploy, the squares of a move, the heading of an
    order, the square and the steps of a friend."""
    match R.ACTIONS.decode(action):
        case 'move', number:
            return 'move', divmod(number, C.N_SQUARES)
        case 'friend', number:
            square, steps = divmod(number, C.MOST_STEPS)
            return 'friend', (square, steps + 1)
        case kind, number:
            return kind, (number,)


def friend_action(square: int, steps: int) -> int:
    """The action by which the friend on a square goes along so many steps."""
    return R.FIRST_FRIEND + square * C.MOST_STEPS + steps - 1


def action_name(s: State, action: int) -> str:  # noqa: ARG001 (names do not depend on the position)
    """`deploy 5-1-3`, `c1-c4` (from and to), `order NE`, `b1:1` (a friend of the Commander and its steps),
    `go`."""
    match decode(action):
        case 'deploy', (kind,):
            return f'deploy {C.TYPES[kind]}'
        case 'move', (start, end):
            return f'{C.SQUARES[start]}-{C.SQUARES[end]}'
        case 'order', (heading,):
            return f'order {C.HEADINGS[heading]}'
        case 'friend', (square, steps):
            return f'{C.SQUARES[square]}:{steps}'
        case name, _:
            return name


def action_from_name(s: State, text: str) -> int:  # noqa: ARG001
    """The action of that name. Raises GameError if the text names none."""
    first, _, rest = text.partition(' ')
    if text == 'go':
        return R.GO
    if first == 'deploy':
        if rest not in C.TYPES:
            raise GameError(words('action.error.type', example=C.BASE[-1], types=', '.join(C.TYPES)))
        return C.TYPES.index(rest)
    if first == 'order':
        if rest not in C.HEADINGS:
            raise GameError(words('action.error.heading', headings=', '.join(C.HEADINGS)))
        return R.FIRST_ORDER + C.HEADINGS.index(rest)
    if move := re.fullmatch(r'([a-f][1-7])-([a-f][1-7])', text):
        return R.FIRST_MOVE + C.SQUARES.index(move[1]) * C.N_SQUARES + C.SQUARES.index(move[2])
    if friend := re.fullmatch(r'([a-f][1-7]):([1-5])', text):
        return friend_action(C.SQUARES.index(friend[1]), int(friend[2]))
    raise GameError(words('action.error.name', name=repr(text), example=C.BASE[-1]))


# ---- positions as JSON -------------------------------------------------------------------------------------


def to_json(s: State) -> dict[str, Any]:
    """The canonical form; see docs/positions.md for the keys."""
    data: dict[str, Any] = {'game': 'myrmidons'}
    if options := options_of(s).changed():
        data['options'] = options
    data['to_move'] = int(s.to_move)
    for key, number in (('turn', s.turn), ('quiet', s.quiet)):
        if number:
            data[key] = int(number)
    board = [piece for piece in range(C.N_PIECES) if s.at[piece] >= 0]
    taken = [piece for piece in range(C.N_PIECES) if s.at[piece] == OFF]
    data['pieces'] = [_piece(s, piece) for piece in board]
    if taken:
        data['taken'] = [
            {'owner': piece // SIDE, 'type': C.TYPES[s.type[piece]], 'start': C.SQUARES[C.START[piece]]}
            for piece in taken
        ]
    if any(s.leaderless):
        data['leaderless'] = [seat for seat in range(2) if s.leaderless[seat]]
    if s.phase == Phase.DEPLOY:
        data['deployed'] = s.placed.tolist()
        data['hand'] = [
            None
            if s.hand[seat, 0] == K.SECRET
            else [C.TYPES[t] for t in range(C.N_TYPES) for _ in range(s.hand[seat, t])]
            for seat in range(2)
        ]
    if s.phase == Phase.ORDER:
        data['order'] = {
            'heading': C.HEADINGS[s.heading],
            'friends': {C.SQUARES[s.friend[i]]: int(s.steps[i]) for i in range(s.n_friends)},
        }
    if s.n_moved:
        data['last'] = _last(s)
    if s.ending:
        data['ending'] = ENDINGS[s.ending - 1]
        if s.winner >= 0:
            data['winner'] = int(s.winner)
    if s.n_past > 1:
        data['history'] = [
            f'{int(s.past[i % R.MEMORY]):x}' for i in range(max(0, s.n_past - R.MEMORY), s.n_past)
        ]
    return data


def options_of(s: State) -> MyrmidonsOptions:
    """The options that a state was set up with."""
    types = (
        [name for t, name in enumerate(C.TYPES) if t and int(s.pool[0]) >> t & 1]
        if s.army == Army.AGREED
        else C.BASE
    )
    return MyrmidonsOptions(
        str(ARMIES[s.army]),
        int(s.size),
        ','.join(types),
        int(s.capture),
        bool(s.memory),
        bool(s.repetition),
        bool(s.sixty),
    )


def _piece(s: State, piece: int) -> dict[str, Any]:
    """A piece on the board: `start` is left out where it stands on it, `type` is null where it is not
    known."""
    data: dict[str, Any] = {
        'at': C.SQUARES[s.at[piece]],
        'owner': piece // SIDE,
        'type': C.TYPES[s.type[piece]] if s.type[piece] >= 0 else None,
    }
    if s.at[piece] != C.START[piece]:
        data['start'] = C.SQUARES[C.START[piece]]
    if s.far[piece]:
        data['moved'] = int(s.far[piece])
    if s.seen[piece]:
        data['seen'] = True
    if not s.lead[piece]:
        data['no_commander'] = True
    return data


def _last(s: State) -> dict[str, Any]:
    """What the last turn did: pieces by their first squares, front to back, each with the square it left and
    its steps."""

    def start(piece: int) -> str:
        return C.SQUARES[C.START[piece]]

    data: dict[str, Any] = {'seat': int(s.moved[0]) // SIDE, 'heading': C.HEADINGS[s.course]}
    if s.ordered:
        data['order'] = True
    data['moved'] = {
        start(s.moved[i]): [C.SQUARES[s.moved_from[i]], int(s.moved_steps[i])] for i in range(s.n_moved)
    }
    if s.n_fights:
        data['fights'] = [
            [start(s.attacker[i]), start(s.defender[i]), bool(s.won[i])] for i in range(s.n_fights)
        ]
    return data


@checked
def from_json(data: Mapping[str, Any]) -> State:
    """The position that `data` describes. Raises GameError with a sentence if it is incomplete or
    impossible."""
    check_keys(data, words('title'), KEYS, REQUIRED)
    s = _blank(_options(data.get('options', {})))
    s.to_move = whole(data, 'to_move', 0, 1)
    # half of what there is room for: the game goes on
    s.turn = whole(data, 'turn', 0, 2**14)
    s.quiet = whole(data, 'quiet', 0, 2**14)
    s.phase = Phase.DEPLOY if 'deployed' in data or 'hand' in data else Phase.TURN
    _read_pieces(s, data)
    if s.phase == Phase.DEPLOY:
        _read_deployment(s, data)
    else:
        s.placed[:] = s.size
        _check_types(s)
        _read_leaderless(s, data.get('leaderless', []))
        _check_knowledge(s)
    if 'last' in data:
        _read_last(s, data['last'])
    _read_ending(s, data)
    for seat in range(2):
        if not s.men[seat] and not s.ending:
            raise GameError(words('position.error.no_pieces', owner=seat))
    _read_history(s, data.get('history', []))
    if 'order' in data:
        _read_order(s, data['order'])
    return s


def _blank(options: MyrmidonsOptions) -> State:
    """No pieces; the options read into the state."""
    s = State.new()
    R.clear_board(s)
    # a fixed seed will do: nothing is drawn after the setup
    start_generator(s, seed_words('a position'))
    s.players = 2
    army, size, types, capture, memory, repetition, sixty = options.encode()[:7].tolist()
    s.army, s.size, s.capture, s.memory, s.repetition, s.sixty = (
        army,
        size,
        capture,
        memory,
        repetition,
        sixty,
    )
    s.pool[:] = R.pool_of(army, types)
    return s


def _options(given: Any) -> MyrmidonsOptions:
    if not isinstance(given, Mapping):
        raise GameError(words('position.error.options'))
    options = MyrmidonsOptions.read(given)
    if problem := options.problem(2):
        raise GameError(problem)
    return options


def _square(value: Any) -> int:
    if value not in C.SQUARES:
        raise GameError(words('position.error.square', square=repr(value)))
    return C.SQUARES.index(value)


def _entries(data: Mapping[str, Any], key: str, allowed: Sequence[str]) -> list[Mapping[str, Any]]:
    """The pieces of a list, each with its owner checked."""
    entries = data.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise GameError(words('position.error.pieces', key=key, example=C.BASE[-1]))
    for entry in entries:
        if unknown := next((name for name in entry if name not in allowed), None):
            raise GameError(words('position.error.piece_key', key=repr(unknown), keys=', '.join(allowed)))
        whole(entry, 'owner', 0, 1)
        if 'owner' not in entry or 'type' not in entry:
            raise GameError(words('position.error.owner', key=key))
        if entry['type'] is not None and entry['type'] not in C.TYPES:
            raise GameError(words('position.error.type', type=repr(entry['type']), types=', '.join(C.TYPES)))
    return entries


def _read_pieces(s: State, data: Mapping[str, Any]) -> None:
    board = _entries(data, 'pieces', PIECE_KEYS)
    taken = _entries(data, 'taken', ('owner', 'type', 'start'))
    numbers = _numbers(s, board, taken)
    for entry, piece in zip(board, numbers, strict=False):
        square = _square(entry['at'])
        if s.on[square] >= 0:
            raise GameError(words('position.error.twice', square=entry['at']))
        R.place_piece(s, piece, square)
        _read_facts(s, entry, piece)
    for entry, piece in zip(taken, numbers[len(board) :], strict=True):
        if entry['type'] is None:
            raise GameError(words('position.error.taken'))
        s.at[piece], s.seen[piece] = OFF, 1
        s.type[piece] = C.TYPES.index(entry['type'])
        s.taken[1 - piece // SIDE] += 1


def _numbers(s: State, board: list[Mapping[str, Any]], taken: list[Mapping[str, Any]]) -> list[int]:
    """The number of each piece: by its `start`, else by its square if it can have begun there, else the first
    free one."""
    entries = [*board, *taken]
    numbers, free = (
        [-1] * len(entries),
        {piece for seat in range(2) for piece in range(seat * SIDE, seat * SIDE + s.size)},
    )
    starts = {(piece // SIDE, C.START[piece]): piece for piece in sorted(free)}
    if any('at' not in entry for entry in board):
        raise GameError(words('position.error.at'))
    for i, entry in enumerate(entries):
        if 'start' in entry:
            piece = starts.get((entry['owner'], _square(entry['start'])), -1)
            if piece not in free:
                raise GameError(
                    words('position.error.start', start=repr(entry['start']), owner=entry['owner'])
                )
            numbers[i] = piece
            free.discard(piece)
    for i, entry in enumerate(board):
        piece = starts.get((entry['owner'], _square(entry['at'])), -1)
        if numbers[i] < 0 and piece in free:
            numbers[i] = piece
            free.discard(piece)
    for i, entry in enumerate(entries):
        if numbers[i] < 0:
            own = sorted(piece for piece in free if piece // SIDE == entry['owner'])
            if not own:
                raise GameError(words('position.error.too_many', owner=entry['owner'], size=s.size))
            numbers[i] = own[0]
            free.discard(own[0])
    return numbers


def _read_facts(s: State, entry: Mapping[str, Any], piece: int) -> None:
    """What is known of a piece on the board."""
    if entry['type'] is not None:
        s.type[piece] = C.TYPES.index(entry['type'])
    s.far[piece] = whole(entry, 'moved', 0, C.MOST_STEPS)
    for key in ('seen', 'no_commander'):
        if not isinstance(entry.get(key, False), bool):
            raise GameError(words('position.error.yes_no', key=key, value=repr(entry[key])))
    s.seen[piece] = entry.get('seen', False)
    s.lead[piece] = not entry.get('no_commander', False)
    if s.type[piece] == UNKNOWN:
        if s.seen[piece]:
            raise GameError(words('position.error.seen', square=entry['at']))
    elif s.far[piece] > C.MOVEMENT[s.type[piece]] or (s.type[piece] == C.COMMANDER and not s.lead[piece]):
        raise GameError(words('position.error.facts', square=entry['at'], type=entry['type']))


def _check_types(s: State) -> None:
    """Are there as many blocks of each type as stand on the board, lie beside it and are in hand?"""
    for t, name in enumerate(C.TYPES):
        for seat in range(2):
            n = sum(int(s.type[piece]) == t for piece in range(seat * SIDE, (seat + 1) * SIDE))
            if n and not int(s.pool[seat]) >> t & 1:
                raise GameError(words('position.error.no_such_type', type=name, army=ARMIES[s.army]))
            if n > (C.COPIES if s.army == Army.RANDOM and t else 1):
                raise GameError(words('position.error.blocks', type=name, n=n, owner=seat))
        n = sum(int(found) == t for found in s.type) + sum(max(0, int(s.hand[seat, t])) for seat in range(2))
        if t and s.army == Army.RANDOM and n > C.COPIES:
            raise GameError(words('position.error.copies', type=name, n=n, copies=C.COPIES))


def _read_deployment(s: State, data: Mapping[str, Any]) -> None:
    """Who has deployed how many pieces, and what they still have in hand (null: secret)."""
    deployed, hands = data.get('deployed', [0, 0]), data.get('hand', [[], []])
    if (
        not isinstance(deployed, list)
        or len(deployed) != 2
        or not all(type(n) is int and 0 <= n <= s.size for n in deployed)
        or min(deployed) == s.size
        or deployed[int(s.to_move)] == s.size
    ):
        raise GameError(words('position.error.deployed', size=s.size))
    if (
        not isinstance(hands, list)
        or len(hands) != 2
        or not all(
            hand is None
            or (isinstance(hand, list) and len(hand) <= C.N_TYPES and all(name in C.TYPES for name in hand))
            for hand in hands
        )
    ):
        raise GameError(words('position.error.hand'))
    if (
        any(key in data for key in ('taken', 'leaderless', 'order', 'ending', 'winner', 'history'))
        or s.turn
        or s.quiet
    ):
        raise GameError(words('position.error.deploying'))
    for seat in range(2):
        pieces = range(seat * SIDE, seat * SIDE + s.size)
        if any(
            s.at[piece] != C.START[piece] or s.far[piece] or s.seen[piece] or not s.lead[piece]
            for piece in pieces
        ):
            raise GameError(words('position.error.rows', owner=seat, size=s.size))
        s.placed[seat] = deployed[seat]
        _read_hand(s, seat, hands[seat])
    _check_types(s)
    for seat in range(2):
        R.deduce(s, seat)


def _read_hand(s: State, seat: int, hand: list[str] | None) -> None:
    placed = [int(s.type[seat * SIDE + k]) for k in range(s.size)]
    known = [t for t in placed if t >= 0]
    if hand is None:
        if known:
            raise GameError(words('position.error.secret_hand', owner=seat))
        s.hand[seat] = K.SECRET
        return
    for name in hand:
        s.hand[seat, C.TYPES.index(name)] += 1
    left = int(s.size) - int(s.placed[seat])
    if any(t < 0 for t in placed[: s.placed[seat]]) or any(t >= 0 for t in placed[s.placed[seat] :]):
        raise GameError(words('position.error.placed', owner=seat))
    # after a complete secret choice no types are left over
    if s.army == Army.RANDOM or not left:
        fits = len(hand) == left
    else:
        fits = sorted([*hand, *(C.TYPES[t] for t in known)]) == sorted(
            C.TYPES[t] for t in range(C.N_TYPES) if int(s.pool[seat]) >> t & 1
        )
    if not fits or s.hand[seat, C.COMMANDER] + known.count(C.COMMANDER) != 1:
        raise GameError(words('position.error.other_hand', owner=seat, left=left))


def _read_leaderless(s: State, given: Any) -> None:
    """A side whose types are all known has a Commander if one of them is. A side with unknown types has one
    unless it is named `leaderless`."""
    if not isinstance(given, list) or any(type(seat) is not int or not 0 <= seat <= 1 for seat in given):
        raise GameError(words('position.error.leaderless'))
    for seat in range(2):
        pieces = [piece for piece in range(seat * SIDE, (seat + 1) * SIDE) if s.at[piece] != ABSENT]
        led = any(s.type[piece] == C.COMMANDER for piece in pieces)
        s.leaderless[seat] = not led and (seat in given or all(s.type[piece] >= 0 for piece in pieces))
        if led and seat in given:
            raise GameError(words('position.error.led', owner=seat))


def _check_knowledge(s: State) -> None:
    """Can the unknown pieces have types that agree with what is known of them?"""
    work = R.Work.new()
    K.prepare(s, -1, work)
    for group in range(2):
        n = int(work.n_pieces[group])
        pieces = work.pieces[group, :n].tolist()
        reach = dict(zip(pieces, work.reach[group, :n].tolist(), strict=True))
        for side in range(2):
            if not s.leaderless[side] and not any(
                s.type[side * SIDE + k] == C.COMMANDER for k in range(SIDE)
            ):
                leaders = [piece for piece in pieces if piece // SIDE == side and R.may_lead(s, piece)]
                if leaders:
                    pieces.remove(leaders[-1])
                elif group == (0 if s.army == Army.RANDOM else side):
                    raise GameError(words('position.error.no_leader', owner=side))
        if any(reach[piece] <= k for k, piece in enumerate(pieces)):
            raise GameError(words('position.error.no_types'))
    for seat in range(2):
        R.deduce(s, seat)


def _read_last(s: State, last: Any) -> None:
    """Read what the last turn did; it is not played again."""
    if (
        not isinstance(last, Mapping)
        or set(last) - {'seat', 'heading', 'order', 'moved', 'fights'}
        or 'seat' not in last
        or last.get('heading') not in C.HEADINGS
        or last.get('order', True) is not True
        or s.phase == Phase.DEPLOY
        or not isinstance(last.get('moved'), Mapping)
        or not 1 <= len(last['moved']) <= R.MOST_MOVED
        or not all(isinstance(way, list) and len(way) == 2 for way in last['moved'].values())
        or not isinstance(last.get('fights', []), list)
        or not all(
            isinstance(fight, list) and len(fight) == 3 and isinstance(fight[2], bool)
            for fight in last.get('fights', [])
        )
    ):
        raise GameError(words('position.error.last'))
    seat, fights = whole(last, 'seat', 0, 1), last.get('fights', [])
    s.course, s.ordered = C.HEADINGS.index(last['heading']), 'order' in last
    ways = [
        (_square(way[0]), whole({'steps': way[1]}, 'steps', 1, C.MOST_STEPS), _by_start(s, seat, name))
        for name, way in last['moved'].items()
    ]
    # front to back
    for start, steps, piece in sorted(ways, key=lambda way: C.ORDER[s.course][way[0]]):
        i = int(s.n_moved)
        s.moved[i], s.moved_from[i], s.moved_steps[i] = piece, start, steps
        s.n_moved += 1
    if (
        any(steps > C.EDGE[s.course][start] for start, steps, _ in ways)
        or len(fights) > len(ways)
        or any(fight[0] not in list(last['moved']) for fight in fights)
    ):
        raise GameError(words('position.error.last'))
    for attacker, defender, won in fights:
        i = int(s.n_fights)
        s.attacker[i], s.defender[i], s.won[i] = (
            _by_start(s, seat, attacker),
            _by_start(s, 1 - seat, defender),
            won,
        )
        s.n_fights += 1


def _by_start(s: State, seat: int, name: Any) -> int:
    """The piece of a seat that began on a square."""
    square = _square(name)
    for piece in range(seat * SIDE, seat * SIDE + s.size):
        if C.START[piece] == square and s.at[piece] != ABSENT:
            return piece
    raise GameError(words('position.error.last'))


def _read_ending(s: State, data: Mapping[str, Any]) -> None:
    """The ending as given. A position in which somebody has won already, or in which sixty turns have passed,
    gets its own."""
    won = [
        (Ending.COMMANDER, 1 - piece // SIDE)
        for piece in range(C.N_PIECES)
        if s.at[piece] == OFF and s.type[piece] == C.COMMANDER
    ]
    won += [
        (Ending.PIECES, seat)
        for seat in range(2)
        if s.taken[seat] >= s.capture or (s.taken[seat] and not s.men[1 - seat])
    ]
    if not won and s.phase == Phase.TURN and s.men[s.to_move] & C.BACK_RANK[int(s.to_move)]:
        won = [(Ending.BACK_RANK, int(s.to_move))]
    if len({winner for _, winner in won}) > 1:
        raise GameError(words('position.error.both'))
    sixty = [(Ending.SIXTY_TURNS, -1)] if s.sixty and s.quiet >= R.QUIET_TURNS and not won else []
    winner = whole(data, 'winner', 0, 1) if 'winner' in data else -1
    if 'ending' not in data:
        if 'winner' in data:
            raise GameError(words('position.error.other_ending'))
        s.ending, s.winner = (*won, *sixty, (Ending.RUNNING, -1))[0]
        return
    if data['ending'] not in ENDINGS:
        raise GameError(words('position.error.ending', endings=', '.join(ENDINGS)))
    repeated = [(Ending.REPETITION, -1)] if s.repetition and not won else []
    s.ending, s.winner = Ending(ENDINGS.index(data['ending']) + 1), winner
    if (s.ending, s.winner) not in [*won, *sixty, *repeated]:
        raise GameError(words('position.error.other_ending'))


def _read_history(s: State, history: Any) -> None:
    if (
        not isinstance(history, list)
        or len(history) > R.MEMORY
        or (history and not s.repetition)
        or not all(
            isinstance(h, str) and re.fullmatch('[0-9a-f]{1,16}', h) and int(h, 16) < 2**63 for h in history
        )
    ):
        raise GameError(words('position.error.history', most=R.MEMORY))
    if history:
        for i, h in enumerate(history):
            s.past[i] = int(h, 16)
        s.n_past = len(history)
    elif s.phase != Phase.DEPLOY:
        R.remember(s)


def _read_order(s: State, order: Any) -> None:
    """An order being made: its heading and the friends named so far, played as actions."""
    if (
        s.ending
        or not isinstance(order, Mapping)
        or set(order) - {'heading', 'friends'}
        or order.get('heading') not in C.HEADINGS
        or not isinstance(order.get('friends', {}), Mapping)
    ):
        raise GameError(words('position.error.order'))
    out = np.empty(R.MAX_LEGAL, np.int32)
    if any(
        s.type[piece] == UNKNOWN
        for piece in range(s.to_move * SIDE, s.to_move * SIDE + SIDE)
        if s.at[piece] >= 0
    ):
        raise GameError(words('position.error.secret_order'))
    heading, named = C.HEADINGS.index(order['heading']), order.get('friends', {})
    friends = {
        _square(name): whole({'steps': steps}, 'steps', 1, C.MOST_STEPS) for name, steps in named.items()
    }
    actions = [R.FIRST_ORDER + heading]
    for square in sorted(friends, key=C.ORDER[heading].__getitem__):  # front to back
        actions.append(friend_action(square, friends[square]))
    for action in actions:
        if action not in out[: R.legal_actions(s, out)]:
            raise GameError(words('position.error.cannot_order', name=repr(action_name(s, action))))
        R.apply(s, action)
