"""What is said: the prompt, and the board in characters and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ludoteca.game import Button, Prompt, View
from ludoteca.text.players import letter

from .. import components as C
from .. import rules as R
from ..notation import ENDINGS
from ..rules import State
from .facts import (
    colours_of,
    first_turn,
    moves_of,
    player_word,
    runners_home,
    runners_of,
    say,
    side_of,
    stack_words,
    tiles_of,
)

CELL = 13  # characters from one column of spaces to the next


# ---- what to do --------------------------------------------------------------------------------------------


def prompt(view: View) -> Prompt:
    """What the viewer has to do now."""
    return replace(_asks(view), chapter=_chapter(view))


def _chapter(view: View) -> str:
    """The chapter of the rulebook about what is done now."""
    s = view.state
    if s.ending:
        return 'the-end'
    return 'passing' if R.PASS in view.actions else 'your-turn'


def _must_leave(s: State) -> bool:
    """Must a runner leave the full home now?"""
    return bool(R.must_leave_home(s) and R.legal_placements(s, True, np.empty(R.MAX_LEGAL, np.int32)))


def _asks(view: View) -> Prompt:
    s = view.state
    if s.ending:
        return Prompt(_ending_words(s, view.names))
    seat = int(s.to_move)
    player = player_word(s, seat, view.names)
    if not view.actions:
        return Prompt(say('prompt.wait_move' if s.laid >= 0 else 'prompt.wait_place', player=player))
    if R.PASS in view.actions:
        return Prompt(
            say('prompt.pass', player=player),
            say('prompt.help.pass'),
            (Button('pass', say('button.pass'), 'p'),),
        )
    moves = moves_of(view.actions)
    if len(moves) == 1:
        start, end = moves[0]
        return Prompt(
            say('prompt.move_loop' if start == end else 'prompt.move_one', player=player),
            say('prompt.help.move_one'),
        )
    if moves:
        return Prompt(say('prompt.move', player=player), say('prompt.help.move'))
    if first_turn(s):
        side = side_of(s, seat)
        return Prompt(
            say(
                'prompt.first',
                player=player,
                start=say(f'side.{C.SIDES[side]}'),
                goal=say(f'side.{C.SIDES[side ^ 2]}'),
            ),
            say('prompt.help.place'),
        )
    return Prompt(
        say('prompt.place', player=player),
        say('prompt.help.leave' if _must_leave(s) else 'prompt.help.place'),
    )


def _ending_words(s: State, names: Sequence[str]) -> str:
    """How a finished game ended, as a sentence."""
    player = player_word(s, int(s.winner), names) if s.winner >= 0 else ''
    return say(f'ending.{ENDINGS[int(s.ending) - 1]}', player=player)


# ---- the board as text -------------------------------------------------------------------------------------


class Cell(NamedTuple):
    """A piece of the board written as text: its row and column of characters, and the seat whose runner it
    names (-1: none)."""

    row: int
    column: int
    text: str
    seat: int


def cells(view: View) -> list[Cell]:
    """The board in characters, from the top left on: `[a2 17:7]` a space with tile and rotation, `<C4>` a
    stop, `(A1)` a circle, the last two with the letter of the runner standing there."""
    s, found = view.state, []
    tiles, runners = tiles_of(s), runners_of(s)

    def add(x: float, y: float, text: str, seat: int = -1) -> None:
        found.append(Cell(round((3 - y) * 2), round((x + 2.8) * CELL) + 4 - len(text) // 2, text, seat))

    for space, name in enumerate(C.SPACES):
        inner = f'{tiles[space][0] + 1}:{tiles[space][1]}' if space in tiles else ''
        add(*C.SPACE_XY[name], f'[{name} {inner:<4}]')
    for post, name in enumerate(C.POSTS):
        x, y = C.POST_XY[name]
        left, right = '<>' if post < C.N_STOPS else '()'
        seat = runners.get(post, -1)
        inner = f'{name} {letter(colours_of(view)[seat])}' if seat >= 0 else name
        add(x, round(y * 2) / 2, f'{left}{inner}{right}', seat)
    return sorted(found)


def text(view: View) -> str:
    """The position in characters and sentences."""
    s, rows = view.state, [''] * 13
    for cell in cells(view):
        rows[cell.row] = rows[cell.row].ljust(cell.column) + cell.text
    sentences = []
    if s.ending:
        sentences.append(_ending_words(s, view.names))
    else:
        seat = int(s.to_move)
        sentences.append(
            say(
                'text.to_move', player=player_word(s, seat, view.names), letter=letter(colours_of(view)[seat])
            )
        )
    if s.laid >= 0:
        sentences.append(
            say('text.laid', tile=R.top_tile(s) + 1, space=C.SPACES[int(s.laid)], rotation=int(s.rot[s.laid]))
        )
        if s.covered >= 0:
            sentences.append(say('text.covered', tile=int(s.covered) + 1))
    sentences.append(stack_words(s) + '.')
    for seat in range(int(s.players)):
        side = side_of(s, seat)
        sentences.append(
            say(
                'text.side',
                player=player_word(s, seat, view.names),
                letter=letter(colours_of(view)[seat]),
                start=say(f'side.{C.SIDES[side]}'),
                goal=say(f'side.{C.SIDES[side ^ 2]}'),
                home=runners_home(s, seat),
                of=int(s.n_runners),
            )
        )
    board = '\n'.join(row.rstrip() for row in rows)
    return f'{board}\n\n{say("text.legend")}\n' + '\n'.join(sentences)
