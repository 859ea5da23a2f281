"""The words of Myrmidons: the prompt, and the board in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludoteca.game import Button, Prompt, View
from ludoteca.text.players import letter

from .. import components as C
from .. import notation
from .. import rules as R
from ..rules import SIDE, Army, Phase, State
from .facts import (
    COLOURS,
    gaps,
    heading_words,
    headings_of,
    known_words,
    moves_of,
    pieces_of,
    plan,
    planned_fights,
    player_word,
    say,
    step,
    type_word,
    with_laid,
)

SOON = 12  # turns before a draw from which on it is said


# ---- what to do --------------------------------------------------------------------------------------------


def prompt(view: View) -> Prompt:
    """The viewer's next choice."""
    return replace(_asks(view), chapter=_chapter(view))


def _chapter(view: View) -> str:
    """The chapter of the rulebook about what is done now."""
    s = view.state
    chapters = {Phase.DEPLOY: 'setting-up', Phase.ORDER: 'giving-an-order'}
    return 'the-end' if s.ending else chapters.get(s.phase, 'your-turn')


def _asks(view: View) -> Prompt:
    s = view.state
    if s.ending:
        return Prompt(_ending_words(s, view.names))
    seat = int(s.to_move)
    player = player_word(seat, view.names)
    if s.phase == Phase.DEPLOY:
        return _prompt_to_deploy(view)
    if not view.actions:
        return Prompt(say('prompt.wait', player=player), _draw_near(s))
    if s.phase == Phase.ORDER:
        return _prompt_to_order(view, player)
    moves, headings = moves_of(view.actions), headings_of(view.actions)
    buttons = (Button('order', say('button.order'), 'o'),) if headings else ()
    help_ = _draw_near(s) or say('prompt.help.turn' if headings else 'prompt.help.move')
    if len(view.actions) == 1 and moves:
        ((_, (end,)),) = moves.items()
        help_ = say('prompt.help.fight') if s.on[end] >= 0 else help_
        return Prompt(say('prompt.move_one', player=player), help_, buttons)
    return Prompt(say('prompt.turn' if headings else 'prompt.move', player=player), help_, buttons)


def _prompt_to_deploy(view: View) -> Prompt:
    view = with_laid(view)
    s = view.state
    if not view.actions:
        sealed = view.seat >= 0 and s.placed[view.seat] == s.size
        return Prompt(say('prompt.deployed' if sealed else 'prompt.deploying'))
    player = player_word(view.seat, view.names)
    free = gaps(s, view.seat)
    if not free:
        kinds = [int(s.type[view.seat * SIDE + k]) for k in range(s.placed[view.seat], s.size)]
        steps = tuple(notation.action_name(view.state, kind) for kind in kinds)
        seal = Button('seal', say('button.seal'), 'Enter', steps)
        return Prompt(say('prompt.complete', player=player), say('prompt.help.seal'), (seal,))
    left = int(s.size) - int(s.placed[view.seat])
    if left == 1 and len(view.actions) == 1:
        return Prompt(
            say('prompt.seal', player=player, type=type_word(view.actions[0])),
            say('prompt.help.seal'),
        )
    help_ = say('prompt.help.secret' if s.army == Army.SECRET else 'prompt.help.deploy', n=int(s.size))
    return Prompt(say('prompt.deploy', player=player), help_)


def _prompt_to_order(view: View, player: str) -> Prompt:
    s = view.state
    going, heading = plan(s), heading_words(int(s.heading))
    fights = planned_fights(s)
    front = R.must_go(s, R.leader_square(s, int(s.to_move)))
    if R.GO not in view.actions:
        if front >= 0:
            return Prompt(
                say('prompt.order_front', player=player, heading=heading),
                say('prompt.help.friend'),
            )
        return Prompt(say('prompt.order', player=player, heading=heading), say('prompt.help.friend'))
    key = 'none' if not fights else 'one' if fights == 1 else 'more'
    text = say(
        f'prompt.order_{key}',
        player=player,
        n=say(f'number.{len(going)}'),
        heading=heading,
        fights=say(f'number.{fights}') if fights > 1 else '',
    )
    return Prompt(text, say('prompt.help.go'), (Button('go', say('button.go'), 'Enter'),))


def _draw_near(s: State) -> str:
    """A remark if the rule of sixty turns will soon end the game."""
    left = R.QUIET_TURNS - int(s.quiet)
    return say.counted('prompt.help.quiet', left) if s.sixty and left <= SOON else ''


def _ending_words(s: State, names: Sequence[str]) -> str:
    """How a finished game ended, as a sentence."""
    player = player_word(int(s.winner), names) if s.winner >= 0 else ''
    return say(f'ending.{notation.ENDINGS[int(s.ending) - 1]}', player=player)


# ---- the board in words ------------------------------------------------------------------------------------


def _character_cell(view: View, piece: int) -> str:
    """A square in characters: its piece's values (`C` for the Commander, `???` if they are not known) and its
    owner's letter."""
    kind = int(view.state.type[piece])
    values = '???' if kind < 0 else ' C ' if kind == C.COMMANDER else ''.join(map(str, C.VALUES[kind]))
    return f'{values} {letter(view.colour(piece // SIDE, COLOURS))}'


def text(view: View) -> str:
    """The position in characters and sentences; the viewer's side is below."""
    s = view.state
    ranks = range(C.N_RANKS) if view.seat == 1 else range(C.N_RANKS - 1, -1, -1)
    files = range(C.N_FILES - 1, -1, -1) if view.seat == 1 else range(C.N_FILES)
    rows = []
    for rank in ranks:
        on = [int(s.on[rank * C.N_FILES + file]) for file in files]
        rows.append(
            f'{rank + 1} '
            + ' '.join(f'[{_character_cell(view, piece) if piece >= 0 else " " * 5}]' for piece in on)
        )
    rows.append('  ' + ' '.join(f'   {C.FILES[file]}   ' for file in files).rstrip())
    sentences = [say('text.legend', commander=C.TYPES[C.COMMANDER])]
    if s.ending:
        sentences.append(_ending_words(s, view.names))
    elif s.phase == Phase.DEPLOY:
        sentences.append(say('text.deploying'))
    else:
        seat = int(s.to_move)
        sentences.append(
            say(
                'text.to_move',
                player=player_word(seat, view.names),
                letter=letter(view.colour(seat, COLOURS)),
            )
        )
    if s.phase == Phase.ORDER:
        steps = ', '.join(
            say('text.going', start=C.SQUARES[square], end=C.SQUARES[step(square, int(s.heading), n)])
            for square, n in plan(s)
        )
        sentences.append(say('text.order', heading=heading_words(int(s.heading)), steps=steps))
    if s.phase == Phase.DEPLOY and view.actions:
        sentences.append(
            say(
                'text.hand',
                types=', '.join(
                    f'{type_word(kind)} ×{n}' if n > 1 else type_word(kind)
                    for kind in range(C.N_TYPES)
                    if (n := int(s.hand[view.seat, kind])) > 0
                ),
            )
        )
    for seat in range(2):
        sentences.append(
            say(
                'text.side',
                player=player_word(seat, view.names),
                letter=letter(view.colour(seat, COLOURS)),
                taken=int(s.taken[seat]),
                of=int(s.capture),
            )
        )
    known = [known_words(view, piece) for piece in pieces_of(s) if piece // SIDE != view.seat]
    return '\n'.join([*rows, '', *sentences, *filter(None, known)])
