"""What Myrmidons says: what to do, why something cannot be done, what each player has, the board in words."""
from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from ludoteca.drawing.palette import var
from ludoteca.drawing.svg import number, tag, translate, use
from ludoteca.game import Button, Game, Panel, PanelRow, Prompt, View
from ludoteca.games.myrmidons import cards as beside
from ludoteca.games.myrmidons import components as C
from ludoteca.games.myrmidons import figures as F
from ludoteca.games.myrmidons import rules as R
from ludoteca.games.myrmidons.figures import COLOURS
from ludoteca.games.myrmidons.labels import (
    friends_of,
    heading_words,
    headings_of,
    moves_of,
    pieces_of,
    plan,
    planned_fights,
    player_word,
    square_of,
    step,
    type_word,
)
from ludoteca.games.myrmidons.redraft import gaps, with_laid
from ludoteca.games.myrmidons.rules import OFF, SIDE, Army, Phase, State

SOON = 12                   # turns before a draw from which on it is said


# ---- what to do --------------------------------------------------------------------------------------------------------------

def prompt(game: Game, view: View) -> Prompt:
    """What the viewer has to do now."""
    s, say = view.state, game.words
    if s.ending:
        return Prompt(_ending_words(game, s, view.names))
    seat = int(s.to_move)
    player = player_word(game, seat, view.names)
    if s.phase == Phase.DEPLOY:
        return _prompt_to_deploy(game, view)
    if not view.actions:
        return Prompt(say('prompt.wait', player=player), _draw_near(game, s))
    if s.phase == Phase.ORDER:
        return _prompt_to_order(game, view, player)
    moves, headings = moves_of(view.actions), headings_of(view.actions)
    buttons = (Button('order', say('button.order'), 'o'),) if headings else ()
    help_ = _draw_near(game, s) or say('prompt.help.turn' if headings else 'prompt.help.move')
    if len(view.actions) == 1 and moves:
        (start, (end,)), = moves.items()
        help_ = say('prompt.help.fight') if s.on[end] >= 0 else help_
        return Prompt(say('prompt.move_one', player=player, start=C.SQUARES[start], end=C.SQUARES[end]), help_, buttons)
    return Prompt(say('prompt.turn' if headings else 'prompt.move', player=player), help_, buttons)


def _prompt_to_deploy(game: Game, view: View) -> Prompt:
    view = with_laid(view)
    s, say = view.state, game.words
    if not view.actions:
        sealed = view.seat >= 0 and s.placed[view.seat] == s.size
        return Prompt(say('prompt.deployed' if sealed else 'prompt.deploying'))
    player = player_word(game, view.seat, view.names)
    free = gaps(s, view.seat)
    if not free:
        kinds = [int(s.type[view.seat * SIDE + k]) for k in range(s.placed[view.seat], s.size)]
        steps = tuple(game.action_name(view.state, kind) for kind in kinds)
        seal = Button('seal', say('button.seal'), 'Enter', steps)
        return Prompt(say('prompt.complete', player=player), say('prompt.help.seal'), (seal,))
    left, square = int(s.size) - int(s.placed[view.seat]), C.SQUARES[free[0]]
    if left == 1 and len(view.actions) == 1:
        return Prompt(say('prompt.seal', player=player, square=square, type=type_word(game, view.actions[0])),
                      say('prompt.help.seal'))
    help_ = say('prompt.help.secret' if s.army == Army.SECRET else 'prompt.help.deploy', n=int(s.size))
    return Prompt(say('prompt.deploy', player=player, square=square), help_)


def _prompt_to_order(game: Game, view: View, player: str) -> Prompt:
    s, say = view.state, game.words
    going, heading = plan(s), heading_words(game, int(s.heading))
    fights = planned_fights(s)
    front = R.must_go(s, R.leader_square(s, int(s.to_move)))
    if R.GO not in view.actions:
        if front >= 0:
            return Prompt(say('prompt.order_front', player=player, heading=heading, square=C.SQUARES[front]),
                          say('prompt.help.friend'))
        return Prompt(say('prompt.order', player=player, heading=heading), say('prompt.help.friend'))
    key = 'none' if not fights else 'one' if fights == 1 else 'more'
    text = say(f'prompt.order_{key}', player=player, n=say(f'number.{len(going)}'), heading=heading,
               fights=say(f'number.{fights}') if fights > 1 else '')
    return Prompt(text, say('prompt.help.go'), (Button('go', say('button.go'), 'Enter'),))


def _draw_near(game: Game, s: State) -> str:
    """A remark if the rule of sixty turns will soon end the game."""
    left = R.QUIET_TURNS - int(s.quiet)
    return game.words('prompt.help.quiet', n=left) if s.sixty and left <= SOON else ''


def _ending_words(game: Game, s: State, names: Sequence[str]) -> str:
    """How a finished game ended, as a sentence."""
    player = player_word(game, int(s.winner), names) if s.winner >= 0 else ''
    return game.words(f'ending.{game.endings[int(s.ending) - 1]}', player=player)


# ---- what each player has ----------------------------------------------------------------------------------------------------

def panels(game: Game, view: View) -> tuple[Panel, ...]:
    """One panel a seat: where it stands, and the pieces that it has taken beside those that it needs."""
    s, say, found = view.state, game.words, []
    for seat in range(2):
        taken = say('panel.taken_value', n=int(s.taken[seat]), of=int(s.capture))
        rows = [PanelRow(say('panel.taken'), taken, _prizes(game, view, seat))]
        if s.phase == Phase.DEPLOY and view.seat == seat:
            laid = int(s.size) - len(gaps(with_laid(view).state, seat))
            rows = [PanelRow(say('panel.deployed'), say('panel.taken_value', n=laid, of=int(s.size)))]
        found.append(Panel(seat, view.colour(seat, COLOURS), say('panel.side', rank=1 if seat == 0 else C.N_RANKS), tuple(rows)))
    return tuple(found)


def _prizes(game: Game, view: View, seat: int) -> Markup:
    """The pieces that a seat has taken, on as many places as it needs to win."""
    s, of = view.state, int(view.state.capture)
    taken = [piece for piece in range(C.N_PIECES) if s.at[piece] == OFF and piece // SIDE != seat]
    pitch, size = (37., 34.) if of == 4 else (27., 25.)
    parts = []
    for k in range(max(of, len(taken))):
        x = pitch * k + size / 2 + 1
        if k < len(taken):
            kind = int(s.type[taken[k]])
            face = F.face_name(view.colours, 1 - seat, kind) if kind >= 0 else F.back_name(view.colours, 1 - seat)
            parts.append(tag('g', use(face), transform=translate(x, size / 2 + 1, scale=size / (F.BLOCK + F.THICK))))
        else:
            parts.append(tag('rect', x=x - size / 2 + 1, y=2, width=size - 2, height=size - 2, rx=5, fill=var('surface-2'),
                             stroke=var('line-strong'), stroke_opacity=.6, stroke_dasharray='3 3'))
    width = pitch * max(of, len(taken)) + 2
    kinds = ', '.join(type_word(game, int(s.type[piece])) for piece in taken if s.type[piece] >= 0)
    return tag('svg', *parts, width=width, height=size + 2, viewBox=f'0 0 {number(width)} {number(size + 2)}', class_='prizes',
               role='img', aria_label=kinds or game.words('panel.nothing'), font_family=var('font'))


# ---- the board as text -------------------------------------------------------------------------------------------------------

def letter(game: Game, view: View, seat: int) -> str:
    """The letter that stands for a seat's pieces."""
    return game.words(f'colour.{view.colour(seat, COLOURS)}')[0]


def _character_cell(game: Game, view: View, piece: int) -> str:
    """A square in characters: its piece's values (`C` for the Commander, `???` if they are not known) and its owner's letter."""
    kind = int(view.state.type[piece])
    values = '???' if kind < 0 else ' C ' if kind == C.COMMANDER else ''.join(map(str, C.VALUES[kind]))
    return f'{values} {letter(game, view, piece // SIDE)}'


def text(game: Game, view: View) -> str:
    """The position in characters and sentences; the viewer's side is below."""
    s, say = view.state, game.words
    ranks = range(C.N_RANKS) if view.seat == 1 else range(C.N_RANKS - 1, -1, -1)
    files = range(C.N_FILES - 1, -1, -1) if view.seat == 1 else range(C.N_FILES)
    rows = []
    for rank in ranks:
        on = [int(s.on[rank * C.N_FILES + file]) for file in files]
        rows.append(f'{rank + 1} ' + ' '.join(f'[{_character_cell(game, view, piece) if piece >= 0 else " " * 5}]' for piece in on))
    rows.append('  ' + ' '.join(f'   {C.FILES[file]}   ' for file in files).rstrip())
    sentences = [say('text.legend')]
    if s.ending:
        sentences.append(_ending_words(game, s, view.names))
    elif s.phase == Phase.DEPLOY:
        sentences.append(say('text.deploying'))
    else:
        seat = int(s.to_move)
        sentences.append(say('text.to_move', player=player_word(game, seat, view.names), letter=letter(game, view, seat)))
    if s.phase == Phase.ORDER:
        steps = ', '.join(say('text.going', start=C.SQUARES[square], end=C.SQUARES[step(square, int(s.heading), n)])
                          for square, n in plan(s))
        sentences.append(say('text.order', heading=heading_words(game, int(s.heading)), steps=steps))
    if s.phase == Phase.DEPLOY and view.actions:
        sentences.append(say('text.hand', types=', '.join(f'{type_word(game, kind)} ×{n}' if n > 1 else type_word(game, kind)
                                                          for kind in range(C.N_TYPES) if (n := int(s.hand[view.seat, kind])) > 0)))
    for seat in range(2):
        sentences.append(say('text.side', player=player_word(game, seat, view.names), letter=letter(game, view, seat),
                             taken=int(s.taken[seat]), of=int(s.capture)))
    known = [beside.known_words(game, view, piece) for piece in pieces_of(s) if piece // SIDE != view.seat]
    return '\n'.join([*rows, '', *sentences, *filter(None, known)])


# ---- why not -----------------------------------------------------------------------------------------------------------------

def why_not(game: Game, view: View, targets: Sequence[str]) -> str:
    """One sentence: why these targets make no action now."""
    s, say = view.state, game.words
    if s.ending:
        return say('why.over')
    if not view.actions:
        if s.phase == Phase.DEPLOY:
            return say('why.watching_deploy' if view.seat < 0 else 'why.sealed')
        return say('why.watching' if view.seat < 0 else 'why.not_your_turn', player=player_word(game, int(s.to_move), view.names))
    squares = [square for square in (square_of(s, target) for target in targets) if square >= 0]
    if s.phase == Phase.DEPLOY:
        return _why_not_deploy(game, view, targets, squares)
    if targets and targets[-1].startswith(('do:order', 'el:way')):
        return _why_no_order(game, view, targets)
    if s.phase == Phase.ORDER:
        return _why_not_friend(game, view, squares)
    return _why_not_move(game, view, squares)


def _why_not_deploy(game: Game, view: View, targets: Sequence[str], squares: Sequence[int]) -> str:
    s, say = view.state, game.words
    own = [C.START[view.seat * SIDE + k] for k in range(s.size)]
    if targets and targets[0].startswith('el:hand-'):
        return say('why.commander_last' if squares and squares[-1] in own else 'why.choose_square')
    return say('why.choose_type' if squares and squares[-1] in own else 'why.own_rows')


def _why_no_order(game: Game, view: View, targets: Sequence[str]) -> str:
    s, say = view.state, game.words
    leader = R.leader_square(s, int(s.to_move))
    if leader < 0:
        return say('why.leaderless')
    heading = targets[-1].removeprefix('el:way-')
    if heading in C.HEADINGS:
        return say('why.no_order_there', heading=heading_words(game, C.HEADINGS.index(heading)))
    return say('why.choose_heading' if headings_of(view.actions) or s.phase == Phase.ORDER else 'why.no_order')


def _why_not_friend(game: Game, view: View, squares: Sequence[int]) -> str:
    s, say = view.state, game.words
    leader, heading = R.leader_square(s, int(s.to_move)), int(s.heading)
    front = R.must_go(s, leader)
    start = next((square for square in squares if s.on[square] >= 0 and s.on[square] // SIDE == s.to_move), -1)
    if start < 0:
        return say('why.choose_friend', heading=heading_words(game, heading))
    if start == leader:
        return say('why.leader_goes_one')
    if not C.ROUND[leader] >> start & 1:
        return say('why.not_beside', square=C.SQUARES[start])
    if front >= 0 and start != front:
        return say('why.front_first', square=C.SQUARES[front])
    most = friends_of(view.actions).get(start, 0)
    if most:
        return say('why.friend_goes', square=C.SQUARES[start], n=most, heading=heading_words(game, heading))
    return say('why.friend_blocked', square=C.SQUARES[start], heading=heading_words(game, heading))


def _why_not_move(game: Game, view: View, squares: Sequence[int]) -> str:
    s, say = view.state, game.words
    if not squares or s.on[squares[0]] < 0:
        return say('why.choose_piece')
    start = squares[0]
    piece, name = int(s.on[start]), C.SQUARES[start]
    if piece // SIDE != s.to_move:
        return say('why.enemy', square=name)
    ends = moves_of(view.actions).get(start, [])
    if not ends:
        return say('why.stuck', square=name)
    if len(squares) < 2 or squares[-1] == start:
        return say('why.choose_end', square=name)
    end = squares[-1]
    if s.on[end] >= 0 and s.on[end] // SIDE == s.to_move:
        return say('why.friend_there', end=C.SQUARES[end])
    if C.HEADING_TO[start, end] < 0:
        return say('why.not_straight', square=name, end=C.SQUARES[end])
    movement = C.MOVEMENT[int(s.type[piece])]
    if C.STEPS_TO[start, end] > movement:
        return say('why.too_far', square=name, n=movement, end=C.SQUARES[end])
    return say('why.in_the_way', square=name, end=C.SQUARES[end])
