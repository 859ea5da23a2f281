"""Panels and cards of Myrmidons: pieces taken; the order being made, the fights just seen, knowledge of the
other army."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from ludoteca.drawing.cards import card_lines, card_svg, card_text
from ludoteca.drawing.geometry import Point, polar, polygon
from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import number, tag, translate, use, words
from ludoteca.game import Card, Panel, PanelRow, View

from .. import components as C
from .. import rules as R
from ..rules import OFF, SIDE, Phase, State
from . import symbols as S
from .facts import (
    COLOURS,
    FEW,
    army,
    gaps,
    heading_words,
    kinds_in,
    piece_id,
    planned_fights,
    reach_of_friends,
    say,
    type_word,
    with_laid,
)

CARD = 316.0  # width of a card's drawing, about one unit a pixel
MOST_FIGHTS = 3  # that a card shows
STEPPER, ROW = 27.0, 40.0  # width of a number of steps, height of a row
COMPASS = 144.0  # of an order: on a phone a finger hits each of its arrows


# ---- what each player has ----------------------------------------------------------------------------------


def panels(view: View) -> tuple[Panel, ...]:
    """One panel a seat: its side of the board, and the pieces that it has taken beside the number that it
    needs."""
    s, found = view.state, []
    for seat in range(2):
        taken = say('panel.taken_value', n=int(s.taken[seat]), of=int(s.capture))
        rows = [PanelRow(say('panel.taken'), taken, _prizes(view, seat), about=f'prizes-{seat}')]
        if s.phase == Phase.DEPLOY and view.seat == seat:
            laid = int(s.size) - len(gaps(with_laid(view).state, seat))
            value = say('panel.taken_value', n=laid, of=int(s.size))
            rows = [PanelRow(say('panel.deployed'), value, about=f'deployed-{seat}')]
        found.append(
            Panel(
                seat,
                view.colour(seat, COLOURS),
                say('panel.side', row=1 if seat == 0 else C.N_RANKS),
                tuple(rows),
            )
        )
    return tuple(found)


def _prizes(view: View, seat: int) -> Markup:
    """The pieces that a seat has taken, on as many places as it needs to win."""
    s, wanted = view.state, int(view.state.capture)
    taken = [piece for piece in range(C.N_PIECES) if s.at[piece] == OFF and piece // SIDE != seat]
    pitch, size = (37.0, 34.0) if wanted == 4 else (27.0, 25.0)
    parts = []
    for k in range(max(wanted, len(taken))):
        x = pitch * k + size / 2 + 1
        if k < len(taken):
            kind = int(s.type[taken[k]])
            face = (
                S.face_name(view.colours, 1 - seat, kind)
                if kind >= 0
                else S.back_name(view.colours, 1 - seat)
            )
            parts.append(
                tag('g', use(face), transform=translate(x, size / 2 + 1, scale=size / (S.BLOCK + S.THICK)))
            )
        else:
            parts.append(
                tag(
                    'rect',
                    x=x - size / 2 + 1,
                    y=2,
                    width=size - 2,
                    height=size - 2,
                    rx=5,
                    fill=var('surface-2'),
                    stroke=var('line-strong'),
                    stroke_opacity=0.6,
                    stroke_dasharray='3 3',
                )
            )
    width = pitch * max(wanted, len(taken)) + 2
    kinds = ', '.join(type_word(int(s.type[piece])) for piece in taken if s.type[piece] >= 0)
    return tag(
        'svg',
        *parts,
        width=width,
        height=size + 2,
        viewBox=f'0 0 {number(width)} {number(size + 2)}',
        class_='prizes',
        role='img',
        aria_label=kinds or say('panel.nothing'),
        font_family=var('font'),
    )


# ---- cards -------------------------------------------------------------------------------------------------


def cards(view: View) -> tuple[Card, ...]:
    """The order being made; the fights of the last turn; the other army as the viewer knows it."""
    s = view.state
    if s.phase == Phase.DEPLOY:
        return ()
    found = []
    if s.phase == Phase.ORDER and view.actions:
        found.append(_order_card(view))
    elif s.n_fights and (
        shown := [i for i in range(s.n_fights) if s.type[s.attacker[i]] >= 0 and s.type[s.defender[i]] >= 0]
    ):
        found.append(_fight_card(view, shown[:MOST_FIGHTS]))
    if not s.ending:
        found += (
            [_army_card(view, 1 - view.seat)]
            if view.seat >= 0
            else [_army_card(view, seat) for seat in range(2)]
        )
    return tuple(found)


def _mini(view: View, seat: int, kind: int, x: float, y: float, size: float, faded: bool = False) -> Markup:
    """A block's face, `size` wide."""
    return use(
        S.face_name(view.colours, seat, kind),
        translate(x, y, scale=size / S.BLOCK),
        opacity=0.34 if faded else None,
    )


# the other army


class _Standing(NamedTuple):
    """An army as a card tells of it. Cards ask for each type of it, and fields of a record are slow."""

    pieces: list[tuple[int, int]]  # of each in the game its square and the set of types that it can be
    unknown: int  # how many of them show no type
    taken: Counter[int]  # type -> how many of it were taken


def _standing(s: State, seat: int, deductions: bool) -> _Standing:
    types, places, masks, pool = s.type.tolist(), s.at.tolist(), s.mask.tolist(), int(s.pool[seat])
    standing = [piece for piece in army(seat) if places[piece] >= 0]
    return _Standing(
        [
            (
                places[piece],
                1 << types[piece] if types[piece] >= 0 else masks[piece] if deductions else pool,
            )
            for piece in standing
        ],
        sum(types[piece] < 0 for piece in standing),
        Counter(types[piece] for piece in army(seat) if places[piece] == OFF),
    )


def _where(of: _Standing, kind: int, copies: int) -> tuple[list[str], bool, bool]:
    """The squares of a type of which an army may have so many, certain or possible, in one or two short
    lines; whether they are certain; whether the type is out of the game."""
    known = [C.SQUARES[square] for square, mask in of.pieces if mask == 1 << kind]
    can = [C.SQUARES[square] for square, mask in of.pieces if mask >> kind & 1 and mask != 1 << kind]
    taken = of.taken[kind]
    if known and (len(known) + taken >= copies or not can):
        return [' '.join(known)], True, False
    if taken >= copies or not (can or known):
        return [say('card.army.taken')] if taken else [say('card.army.nowhere')], True, True
    names = known + sorted(can)
    if len(names) > FEW or 1 < len(names) == of.unknown:
        return [say('card.army.any', n=len(names))], False, False
    return [' '.join(names[:2]), ' '.join(names[2:])], False, False


def _army_card(view: View, seat: int) -> Card:
    """Each type that an army may have, and its possible squares."""
    s = view.state
    kinds, standing = kinds_in(int(s.pool[seat])), _standing(s, seat, view.settings.deductions)
    columns = 6 if len(kinds) <= 12 else 7
    pitch, small = CARD / columns, len(kinds) > 12
    size, height = (44.0, 84.0) if not small else (36.0, 60.0)
    parts = []
    for k, kind in enumerate(kinds):
        x, y = pitch * (k % columns + 0.5), height * (k // columns)
        copies = C.COPIES if s.army == R.Army.RANDOM and kind else 1
        lines, sure, gone = _where(standing, kind, copies)
        label = say('card.army.label', type=type_word(kind), where=' '.join(lines).strip())
        face = _mini(view, seat, kind, x, y + size / 2 + 4, size, gone)
        written = [
            card_text(
                line,
                x,
                y + size + 20 + 13 * i,
                11 if len(line) > 6 else 12,
                650 if sure and not gone else 500,
                'text' if sure and not gone else 'text-2',
            )
            for i, line in enumerate(lines[: 1 if small else 2])
        ]
        if small and not gone and not sure and len(lines) > 1 and lines[1]:
            some = say('card.army.some', n=sum(len(line.split()) for line in lines))
            written = [card_text(some, x, y + size + 20, 11, 500, 'text-2')]
        parts.append(
            tag('g', face, *written, role='img', aria_label=label, data_about=f'type-{C.TYPES[kind]}')
        )
    rows = -(-len(kinds) // columns)
    colour = say(f'colour.{view.colour(seat, COLOURS)}')
    title = say('card.army.title' if view.seat >= 0 else 'card.army.title_public', colour=colour)
    note = say('card.army.note' if view.settings.deductions else 'card.army.note_plain')
    return Card(f'army-{seat}', title, note, card_svg(CARD, height * rows, title, *parts))


# the last fights


def _fight_card(view: View, shown: Sequence[int]) -> Card:
    """Both blocks face up, sword against shield, and the result."""
    s, height = view.state, 84.0
    parts = [_fight(view, i, height * k) for k, i in enumerate(shown)]
    title = say('card.fight.title' if len(shown) == 1 else 'card.fight.title_many')
    note = say('card.fight.hidden_again' if s.memory else 'card.fight.stays')
    return Card('fights', title, '' if s.ending else note, card_svg(CARD, height * len(shown), title, *parts))


def _fight(view: View, i: int, top: float) -> Markup:
    s = view.state
    attacker, defender = int(s.attacker[i]), int(s.defender[i])
    ours, theirs = int(s.type[attacker]), int(s.type[defender])
    sword, shield, won = C.SWORD[ours], C.SHIELD[theirs], bool(s.won[i])
    result = say(f'card.fight.{"repelled" if not won else "won" if sword > shield else "won_even"}')
    middle, ink = CARD / 2, var('text')
    label = say(
        'card.fight.label',
        attacker=type_word(ours),
        defender=type_word(theirs),
        sword=sword,
        shield=shield,
        result=result,
    )
    return tag(
        'g',
        _mini(view, attacker // SIDE, ours, 35, top + 39, 66),
        _mini(view, defender // SIDE, theirs, CARD - 35, top + 39, 66, won),
        tag(
            'g',
            use(S.name('sword'), translate(middle - 60, top + 28)),
            use(S.name('shield'), translate(middle + 61, top + 29)),
            fill=ink,
        ),
        card_text(str(sword), middle - 36, top + 40, 30, 800),
        card_text('≥' if won else '<', middle, top + 38, 24, 500, 'text-2'),
        card_text(str(shield), middle + 34, top + 40, 30, 800),
        card_text(result, middle, top + 67, 12.5, 650),
        role='img',
        aria_label=label,
    )


# the order


def _order_card(view: View) -> Card:
    """A compass, and the number of steps of each piece that goes or could go."""
    s = view.state
    heading, leader = int(s.heading), R.leader_square(s, int(s.to_move))
    rows = list(_rows(view, heading, leader))
    height, left = COMPASS + ROW * len(rows), COMPASS + 12.0
    parts = [
        _compass(view, heading, leader, (COMPASS / 2, COMPASS / 2 - 2)),
        card_text(heading_words(heading), left, COMPASS / 2 - 8, 17, 700, 'text', 'start'),
        *(
            card_text(line, left, COMPASS / 2 + 14 + 17 * k, 13, 500, 'text-2', 'start')
            for k, line in enumerate(card_lines(_sum(s), CARD - left, 13))
        ),
    ]
    parts += [tag('g', *row, transform=translate(0, COMPASS + ROW * k)) for k, row in enumerate(rows)]
    return Card(
        'order',
        say('card.order.title'),
        say('card.order.note'),
        card_svg(CARD, height, say('card.order.title'), *parts),
    )


def _sum(s: State) -> str:
    """The numbers of pieces that go and of fights."""
    fights = planned_fights(s)
    key = 'none' if not s.n_friends else 'some' if fights else 'go'
    return say(f'card.order.sum.{key}', n=say(f'number.{s.n_friends + 1}'), fights=fights)


def _compass(view: View, heading: int, leader: int, middle: Point) -> Markup:
    """Eight arrows, as the viewer sees the board; those that are no order are faint."""
    s = view.state
    colour = PLAYERS[view.colour(int(s.to_move), COLOURS)]
    parts = [tag('circle', r=COMPASS / 2 - 4, fill=var('surface-2'), stroke=var('line'))]
    for way in range(8):
        turn = 45 * way + (180 if s.to_move == 1 else 0)
        can = R.can_order(s, int(s.to_move), leader, way)
        tip = polygon([polar(66, turn), polar(41, turn + 20), polar(44, turn), polar(41, turn - 20)])
        fill, edge = (colour.base, colour.dark) if way == heading else (var('surface'), var('text-3'))
        arrow = tag(
            'path',
            d=tip,
            fill=fill,
            stroke=edge,
            stroke_width=1.5,
            stroke_linejoin='round',
            opacity=None if can else 0.3,
        )
        if not can or way == heading:
            parts.append(arrow)
            continue
        x, y = polar(55, turn)
        parts.append(
            tag(
                'g',
                arrow,
                tag('circle', cx=x, cy=y, r=21, fill='none', pointer_events='all'),
                class_='target',
                role='button',
                tabindex='0',
                aria_label=say('board.order', heading=heading_words(way)),
                data_redraft=f'el:way-{C.HEADINGS[way]}',
            )
        )
    helmet = tag('g', use(S.name('crest-page')), fill=var('text'), transform='translate(0 1) scale(.8)')
    return tag('g', *parts, helmet, transform=translate(*middle))


def _rows(view: View, heading: int, leader: int) -> Iterator[list[str]]:
    """One row a piece, front to back: those that were named, those that could be, the Commander."""
    s = view.state
    named = {int(s.friend[i]): int(s.steps[i]) for i in range(s.n_friends)}
    reach = reach_of_friends(s)
    for square in sorted({*reach, leader}, key=lambda square: C.ORDER[heading][square]):
        steps = 1 if square == leader else named.get(square, 0)
        yield _row(view, square, heading, steps, reach.get(square, 1), square == leader)


def _row(view: View, square: int, heading: int, steps: int, most: int, leads: bool) -> list[str]:
    s = view.state
    piece = int(s.on[square])
    kind, end = int(s.type[piece]), square + steps * C.OFFSET[heading]
    goes = say(
        'card.order.goes' if steps else 'card.order.stays', start=C.SQUARES[square], end=C.SQUARES[end]
    )
    parts: list[str] = [
        tag(
            'rect',
            x=0,
            y=2,
            width=CARD,
            height=ROW - 4,
            rx=9,
            fill=var('surface-2'),
            opacity=None if steps else 0.5,
        ),
        tag('g', _mini(view, piece // SIDE, kind, 20, ROW / 2, 30, not steps), data_about=piece_id(piece)),
        card_text(goes, 42, ROW / 2 + 5, 14, 650 if steps else 500, 'text' if steps else 'text-2', 'start'),
    ]
    left = 118.0
    if leads:
        parts.append(card_text(say('card.order.commander'), left, ROW / 2 + 5, 12.5, 500, 'text-2', 'start'))
    else:
        parts += [_stepper(view, square, heading, n, n == steps, left + STEPPER * n) for n in range(most + 1)]
    if steps and s.on[end] >= 0 and s.on[end] // SIDE != s.to_move:
        parts += _chance(view, kind, int(s.on[end]))
    return parts


def _stepper(view: View, square: int, heading: int, n: int, on: bool, x: float) -> Markup:
    """A number of steps to choose; 0 is to stay."""
    colour = PLAYERS[view.colour(view.seat, COLOURS)]
    box: dict[str, float] = {'x': x, 'y': 6, 'width': STEPPER - 3, 'height': ROW - 12, 'rx': 6}
    shown = tag(
        'rect',
        fill=colour.base if on else var('surface'),
        stroke=colour.dark if on else var('line-strong'),
        stroke_opacity=1 if on else 0.5,
        **box,
    )
    label = words(
        str(n) if n else '–',
        x=x + STEPPER / 2 - 1.5,
        y=ROW / 2 + 5,
        font_size=14,
        font_weight=700,
        text_anchor='middle',
        fill='#fff' if on else var('text'),
    )
    if on:
        return tag('g', shown, label)
    piece, end = piece_id(int(view.state.on[square])), C.SQUARES[square + n * C.OFFSET[heading]]
    return tag(
        'g',
        shown,
        label,
        class_='target',
        role='button',
        tabindex='0',
        data_redraft=f'el:{piece} el:sq-{end}',
        aria_label=say('card.order.step' if n else 'card.order.stay', start=C.SQUARES[square], n=n, end=end),
    )


def _chance(view: View, kind: int, enemy: int) -> list[str]:
    """Crossed swords at the end of a row, with the result of the fight if it is certain."""
    s, x = view.state, CARD - 14
    if s.type[enemy] >= 0:
        shields = {C.SHIELD[int(s.type[enemy])]}
    elif view.settings.deductions:
        shields = {C.SHIELD[other] for other in kinds_in(int(s.mask[enemy]))}
    else:
        shields = {0, C.MOST_STEPS + 1}
    won = {C.SWORD[kind] >= shield for shield in shields}
    key = 'unsure' if len(won) != 1 else 'wins' if won == {True} else 'fails'
    return [
        tag(
            'g',
            use(S.name('crossed')),
            transform=translate(x - 2, ROW / 2, scale=0.56),
            role='img',
            aria_label=say(f'card.order.{key}'),
        ),
        card_text(
            {'unsure': '?', 'wins': '✓', 'fails': '✗'}[key],
            x - 26,
            ROW / 2 + 6,
            16,
            800,
            {'unsure': 'text-2', 'wins': 'text', 'fails': 'danger'}[key],
        ),
    ]
