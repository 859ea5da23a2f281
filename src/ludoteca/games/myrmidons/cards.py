"""What lies beside the board: what is known of the other army, the fights just seen, the order being made."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from ludoteca.drawing.geometry import Point, polar, polygon
from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import number, tag, translate, use, words
from ludoteca.game import Card, Game, View
from ludoteca.games.myrmidons import components as C
from ludoteca.games.myrmidons import figures as F
from ludoteca.games.myrmidons import rules as R
from ludoteca.games.myrmidons.figures import COLOURS
from ludoteca.games.myrmidons.labels import (
    PIECE_OF_ID,
    heading_words,
    kinds_in,
    piece_id,
    planned_fights,
    possible_words,
    reach_of_friends,
    type_word,
)
from ludoteca.games.myrmidons.rules import OFF, SIDE, Phase, State

CARD = 316.                 # width of a card's drawing, about one unit a pixel
FEW = 4                     # squares that are listed one by one
MOST_FIGHTS = 3             # that a card shows
STEPPER, ROW = 27., 40.     # width of a number of steps, height of a row
ANY = '?'                   # a pencil mark of one's own


# ---- what follows from what was seen -----------------------------------------------------------------------------------------

def deduced(view: View, piece: int) -> tuple[str, str] | None:
    """The pencil mark that an unknown enemy deserves: ('type', its values), ('crest', '?') for one of few that may be the
    Commander, ('foot', '≥3') for one that cannot be slow; None if there is nothing to note."""
    s = view.state
    if not view.settings.deductions or piece // SIDE == view.seat or s.type[piece] >= 0 or s.phase == Phase.DEPLOY:
        return None
    kinds = kinds_in(int(s.mask[piece]))
    if len(kinds) == 1 and kinds[0] != C.COMMANDER:
        return 'type', C.TYPES[kinds[0]]
    unknown = [other for other in _army(piece // SIDE) if s.at[other] >= 0 and s.type[other] < 0]
    leaders = [other for other in unknown if int(s.mask[other]) & 1]
    if piece in leaders and (len(leaders) < len(unknown) or len(leaders) == 1) and len(leaders) <= FEW:
        return 'crest', '!' if len(leaders) == 1 else '?'
    least = min((C.MOVEMENT[kind] for kind in kinds), default=1)
    return ('foot', f'≥{least}') if least > 1 else None


def _army(seat: int) -> range:
    return range(seat * SIDE, (seat + 1) * SIDE)


def pencils(game: Game, view: View, element: str) -> tuple[str, ...]:
    """What the viewer may pencil on an unknown enemy: the Commander, the types of its army, a question mark."""
    s, piece = view.state, PIECE_OF_ID.get(element, -1)
    if piece < 0 or view.seat < 0 or piece // SIDE == view.seat or s.at[piece] < 0 or s.type[piece] >= 0 or s.phase == Phase.DEPLOY:
        return ()
    kinds = kinds_in(int(s.pool[piece // SIDE]))
    return (*(game.words('pencil.commander') if kind == C.COMMANDER else C.TYPES[kind] for kind in kinds), ANY)


def known_words(game: Game, view: View, piece: int) -> str:
    """One sentence about an enemy on the board, '' if there is nothing to say."""
    s, say = view.state, game.words
    if s.type[piece] >= 0 or s.phase == Phase.DEPLOY:
        return ''
    square, sentences = C.SQUARES[s.at[piece]], []
    if view.settings.deductions and (types := possible_words(game, s, piece)):
        sentences.append(say('text.possible', square=square, types=types))
    if notes := view.notes.get(piece_id(piece)):
        sentences.append(say('text.noted', square=square, notes=', '.join(notes)))
    return ' '.join(sentences)


# ---- cards -------------------------------------------------------------------------------------------------------------------

def cards(game: Game, view: View) -> tuple[Card, ...]:
    """The order being made; the fights of the last turn; the other army as the viewer knows it."""
    s = view.state
    if s.phase == Phase.DEPLOY:
        return ()
    found = []
    if s.phase == Phase.ORDER and view.actions:
        found.append(_order_card(game, view))
    elif s.n_fights and (shown := [i for i in range(s.n_fights) if s.type[s.attacker[i]] >= 0 and s.type[s.defender[i]] >= 0]):
        found.append(_fight_card(game, view, shown[:MOST_FIGHTS]))
    if not s.ending:
        found += [_army_card(game, view, 1 - view.seat)] if view.seat >= 0 else [_army_card(game, view, seat) for seat in range(2)]
    return tuple(found)


def _svg(width: float, height: float, label: str, *parts: str) -> Markup:
    return tag('svg', *parts, viewBox=f'0 0 {number(width)} {number(height)}', class_='board card-drawing', role='group',
               aria_label=label, font_family=var('font'))


def _mini(view: View, seat: int, kind: int, x: float, y: float, size: float, faded: bool = False) -> Markup:
    """A block's face, `size` wide."""
    return use(F.face_name(view.colours, seat, kind), translate(x, y, scale=size / F.BLOCK), opacity=.34 if faded else None)


def _text(text: str, x: float, y: float, size: float = 12.5, weight: float = 500, colour: str = 'text',
          anchor: str = 'middle') -> Markup:
    return words(text, x=x, y=y, font_size=size, font_weight=weight, fill=var(colour), text_anchor=anchor)


# the other army

def _places(s: State, seat: int, kind: int, deductions: bool) -> tuple[list[int], list[int], int]:
    """Squares of the pieces that are of a type for sure, squares of those that can be, and how many were taken."""
    known: list[int] = []
    can: list[int] = []
    for piece in _army(seat):
        mask = 1 << int(s.type[piece]) if s.type[piece] >= 0 else int(s.mask[piece]) if deductions else int(s.pool[seat])
        if s.at[piece] >= 0 and mask >> kind & 1:
            (known if mask == 1 << kind else can).append(int(s.at[piece]))
    taken = sum(s.type[piece] == kind and s.at[piece] == OFF for piece in _army(seat))
    return known, can, taken


def _where(game: Game, s: State, seat: int, kind: int, deductions: bool) -> tuple[list[str], bool, bool]:
    """Where a type is or can be, in one or two short lines; whether that is certain; whether it is out of the game."""
    known, can, taken = _places(s, seat, kind, deductions)
    left = [C.SQUARES[square] for square in known]
    copies = C.COPIES if s.army == R.Army.RANDOM and kind else 1
    if left and (len(left) + taken >= copies or not can):
        return [' '.join(left)], True, False
    if taken >= copies or not (can or left):
        return [game.words('card.army.taken')] if taken else [game.words('card.army.nowhere')], True, True
    names = left + sorted(C.SQUARES[square] for square in can)
    if len(names) > FEW or (len(names) == len([p for p in _army(seat) if s.type[p] < 0 and s.at[p] >= 0]) and len(names) > 1):
        return [game.words('card.army.any', n=len(names))], False, False
    return [' '.join(names[:2]), ' '.join(names[2:])], False, False


def _army_card(game: Game, view: View, seat: int) -> Card:
    """Each type that may be in an army, and where it can be."""
    s, say = view.state, game.words
    kinds = kinds_in(int(s.pool[seat]))
    columns = 6 if len(kinds) <= 12 else 7
    pitch, small = CARD / columns, len(kinds) > 12
    size, height = (44., 84.) if not small else (36., 60.)
    parts = []
    for k, kind in enumerate(kinds):
        x, y = pitch * (k % columns + .5), height * (k // columns)
        lines, sure, gone = _where(game, s, seat, kind, view.settings.deductions)
        label = say('card.army.label', type=type_word(game, kind), where=' '.join(lines).strip())
        face = _mini(view, seat, kind, x, y + size / 2 + 4, size, gone)
        written = [_text(line, x, y + size + 20 + 13 * i, 11 if len(line) > 6 else 12, 650 if sure and not gone else 500,
                         'text' if sure and not gone else 'text-2') for i, line in enumerate(lines[:1 if small else 2])]
        if small and not gone and not sure and len(lines) > 1 and lines[1]:
            some = say('card.army.some', n=sum(len(line.split()) for line in lines))
            written = [_text(some, x, y + size + 20, 11, 500, 'text-2')]
        parts.append(tag('g', face, *written, role='img', aria_label=label))
    rows = -(-len(kinds) // columns)
    colour = say(f'colour.{view.colour(seat, COLOURS)}')
    title = say('card.army.title' if view.seat >= 0 else 'card.army.title_public', colour=colour)
    note = say('card.army.note' if view.settings.deductions else 'card.army.note_plain')
    return Card(f'army-{seat}', title, note, _svg(CARD, height * rows, title, *parts))


# the last fights

def _fight_card(game: Game, view: View, shown: Sequence[int]) -> Card:
    """Both blocks face up, sword against shield, and what came of it."""
    s, say, height = view.state, game.words, 84.
    parts = [_fight(game, view, i, height * k) for k, i in enumerate(shown)]
    title = say('card.fight.title' if len(shown) == 1 else 'card.fight.title_many')
    note = say('card.fight.hidden_again' if s.memory else 'card.fight.stays')
    return Card('fights', title, '' if s.ending else note, _svg(CARD, height * len(shown), title, *parts))


def _fight(game: Game, view: View, i: int, top: float) -> Markup:
    s = view.state
    say, attacker, defender = game.words, int(s.attacker[i]), int(s.defender[i])
    ours, theirs = int(s.type[attacker]), int(s.type[defender])
    sword, shield, won = C.SWORD[ours], C.SHIELD[theirs], bool(s.won[i])
    result = say(f'card.fight.{"repelled" if not won else "won" if sword > shield else "won_even"}')
    middle, ink = CARD / 2, var('text')
    label = say('card.fight.label', attacker=type_word(game, ours), defender=type_word(game, theirs), sword=sword, shield=shield,
                result=result)
    return tag('g', _mini(view, attacker // SIDE, ours, 35, top + 39, 66),
               _mini(view, defender // SIDE, theirs, CARD - 35, top + 39, 66, won),
               tag('g', use(F.name('sword'), translate(middle - 60, top + 28)),
                   use(F.name('shield'), translate(middle + 61, top + 29)), fill=ink),
               _text(str(sword), middle - 36, top + 40, 30, 800), _text('≥' if won else '<', middle, top + 38, 24, 500, 'text-2'),
               _text(str(shield), middle + 34, top + 40, 30, 800), _text(result, middle, top + 67, 12.5, 650),
               role='img', aria_label=label)


# the order

def _order_card(game: Game, view: View) -> Card:
    """A compass, and for each piece that goes or could go how many steps it does."""
    s, say = view.state, game.words
    heading, leader = int(s.heading), R.leader_square(s, int(s.to_move))
    rows = list(_rows(game, view, heading, leader))
    height = 116 + ROW * len(rows)
    compass = _compass(game, view, heading, leader, (58., 56.))
    parts = [compass, _text(heading_words(game, heading), 128, 50, 17, 700, 'text', 'start'),
             _text(_sum(game, s), 128, 72, 13, 500, 'text-2', 'start')]
    parts += [tag('g', *row, transform=translate(0, 116 + ROW * k)) for k, row in enumerate(rows)]
    return Card('order', say('card.order.title'), say('card.order.note'), _svg(CARD, height, say('card.order.title'), *parts))


def _sum(game: Game, s: State) -> str:
    """How many go and how many fight."""
    fights = planned_fights(s)
    key = 'none' if not s.n_friends else 'some' if fights else 'go'
    return game.words(f'card.order.sum.{key}', n=game.words(f'number.{s.n_friends + 1}'), fights=fights)


def _compass(game: Game, view: View, heading: int, leader: int, middle: Point) -> Markup:
    """Eight arrows, as the viewer sees the board; those that are no order are faint."""
    s = view.state
    colour = PLAYERS[view.colour(int(s.to_move), COLOURS)]
    parts = [tag('circle', r=54, fill=var('surface-2'), stroke=var('line'))]
    for way in range(8):
        turn = 45 * way + (180 if s.to_move == 1 else 0)
        can = R.can_order(s, int(s.to_move), leader, way)
        tip = polygon([polar(51, turn), polar(29, turn + 27), polar(31, turn), polar(29, turn - 27)])
        fill, edge = (colour.base, colour.dark) if way == heading else (var('surface'), var('text-3'))
        arrow = tag('path', d=tip, fill=fill, stroke=edge, stroke_width=1.5, stroke_linejoin='round', opacity=None if can else .3)
        if not can or way == heading:
            parts.append(arrow)
            continue
        x, y = polar(40, turn)
        parts.append(tag('g', arrow, tag('circle', cx=x, cy=y, r=17, fill='none', pointer_events='all'), class_='target',
                         role='button', tabindex='0', aria_label=game.words('board.order', heading=heading_words(game, way)),
                         data_redraft=f'el:way-{C.HEADINGS[way]}'))
    helmet = tag('g', use(F.name('crest-page')), fill=var('text'), transform='translate(0 1) scale(.62)')
    return tag('g', *parts, helmet, transform=translate(*middle))


def _rows(game: Game, view: View, heading: int, leader: int) -> Iterator[list[str]]:
    """One row a piece, front to back: those that were named, those that could be, the Commander."""
    s = view.state
    named = {int(s.friend[i]): int(s.steps[i]) for i in range(s.n_friends)}
    reach = reach_of_friends(s)
    for square in sorted({*reach, leader}, key=lambda square: C.ORDER[heading][square]):
        steps = 1 if square == leader else named.get(square, 0)
        yield _row(game, view, square, heading, steps, reach.get(square, 1), square == leader)


def _row(game: Game, view: View, square: int, heading: int, steps: int, most: int, leads: bool) -> list[str]:
    s, say = view.state, game.words
    piece = int(s.on[square])
    kind, end = int(s.type[piece]), square + steps * C.OFFSET[heading]
    goes = say('card.order.goes' if steps else 'card.order.stays', start=C.SQUARES[square], end=C.SQUARES[end])
    parts: list[str] = [
        tag('rect', x=0, y=2, width=CARD, height=ROW - 4, rx=9, fill=var('surface-2'), opacity=None if steps else .5),
        _mini(view, piece // SIDE, kind, 20, ROW / 2, 30, not steps),
        _text(goes, 42, ROW / 2 + 5, 14, 650 if steps else 500, 'text' if steps else 'text-2', 'start')]
    left = 118.
    if leads:
        parts.append(_text(say('card.order.commander'), left, ROW / 2 + 5, 12.5, 500, 'text-2', 'start'))
    else:
        parts += [_stepper(game, view, square, heading, n, n == steps, left + STEPPER * n) for n in range(most + 1)]
    if steps and s.on[end] >= 0 and s.on[end] // SIDE != s.to_move:
        parts += _chance(game, view, kind, int(s.on[end]))
    return parts


def _stepper(game: Game, view: View, square: int, heading: int, n: int, on: bool, x: float) -> Markup:
    """A number of steps to choose; 0 is to stay."""
    colour = PLAYERS[view.colour(view.seat, COLOURS)]
    box: dict[str, float] = {'x': x, 'y': 6, 'width': STEPPER - 3, 'height': ROW - 12, 'rx': 6}
    shown = tag('rect', fill=colour.base if on else var('surface'), stroke=colour.dark if on else var('line-strong'),
                stroke_opacity=1 if on else .5, **box)
    label = words(str(n) if n else '–', x=x + STEPPER / 2 - 1.5, y=ROW / 2 + 5, font_size=14, font_weight=700,
                  text_anchor='middle', fill='#fff' if on else var('text'))
    if on:
        return tag('g', shown, label)
    piece, end = piece_id(int(view.state.on[square])), C.SQUARES[square + n * C.OFFSET[heading]]
    return tag('g', shown, label, class_='target', role='button', tabindex='0', data_redraft=f'el:{piece} el:sq-{end}',
               aria_label=game.words('card.order.step' if n else 'card.order.stay', start=C.SQUARES[square], end=end))


def _chance(game: Game, view: View, kind: int, enemy: int) -> list[str]:
    """Crossed swords at the end of a row, with what is certain of the fight."""
    s, x = view.state, CARD - 14
    if s.type[enemy] >= 0:
        shields = {C.SHIELD[int(s.type[enemy])]}
    elif view.settings.deductions:
        shields = {C.SHIELD[other] for other in kinds_in(int(s.mask[enemy]))}
    else:
        shields = {0, C.MOST_STEPS + 1}
    won = {C.SWORD[kind] >= shield for shield in shields}
    key = 'unsure' if len(won) != 1 else 'wins' if won == {True} else 'fails'
    return [tag('g', use(F.name('crossed')), transform=translate(x - 2, ROW / 2, scale=.56), role='img',
                aria_label=game.words(f'card.order.{key}')),
            _text({'unsure': '?', 'wins': '✓', 'fails': '✗'}[key], x - 26, ROW / 2 + 6, 16, 800,
                  {'unsure': 'text-2', 'wins': 'text', 'fails': 'danger'}[key])]

