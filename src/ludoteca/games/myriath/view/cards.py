"""The things beside the board: the viewer's tray, the score tracks and the open hands of all, at the end the
scoring."""

from __future__ import annotations

from functools import cache, lru_cache

from markupsafe import Markup

from ludoteca.drawing.boards import focus_ring
from ludoteca.drawing.cards import card_svg, card_text, cut_name, letters_width
from ludoteca.drawing.marks import shape
from ludoteca.drawing.palette import PLAYERS, Player, player_var, var
from ludoteca.drawing.svg import number, pair, tag, translate, use
from ludoteca.game import Card, Panel, PanelRow, View
from ludoteca.text.players import player_word

from .. import components as C
from ..rules import Phase
from . import symbols as S
from .facts import (
    PlacedTile,
    Reading,
    bar,
    end_points,
    ends_words,
    hand_id,
    points_text,
    read,
    say,
    tile_laid,
)
from .symbols import name

CARD = 316.0  # width of a card's drawing, about one unit a pixel
COLUMNS = 6  # of the tray: pairs of ends; its rows are the bodies
PITCH, ROW = CARD / COLUMNS, 52.0  # of the tray's cells
HELD = 0.178  # size of a tile in the tray: the widest fills a cell
LABEL = 14.0  # size of the words there
SMALL, SMALL_PITCH, SMALL_ROW = 0.13, 39.0, 24.0  # the same of an open hand in a panel
CELL, LEAST_CELLS = 11.4, 20  # of a score track: a cell a point
LEGEND = 20.0  # height of a line of the tray's legend
# of the scoring: heights of a player's head and of a row, size of a tile
SCORED_HEAD, SCORED_ROW, SCORED = 42.0, 46.0, 0.125
KEPT = 512  # parts of cards and panels that are kept, since they are the same in most messages


def _svg(w: float, h: float, label: str, *parts: str, **attributes: str | float) -> Markup:
    return tag(
        'svg',
        *parts,
        viewBox=f'0 0 {number(w)} {number(h)}',
        role='group',
        aria_label=label,
        font_family=var('font'),
        **attributes,
    )


def cards(view: View) -> tuple[Card, ...]:
    """The viewer's tray; at the end the scoring."""
    if view.state.ending:
        return (_scoring(view),)
    return (_tray(view),) if view.seat >= 0 else ()


# ---- the tray ----------------------------------------------------------------------------------------------


def _tray(view: View) -> Card:
    """The viewer's tiles in fixed places, each a drawing of its own; below them the legend."""
    s, seat, colour = view.state, view.seat, view.colour(view.seat)
    hand = read(s).hands[seat]
    legal = {tile_laid(action) for action in view.actions}
    judged = bool(view.actions) and s.phase == Phase.PLAY
    cells = tuple(
        _in_hand(tile, colour, tile in legal, judged and tile not in legal) if tile in hand else _used(tile)
        for tile in range(C.N_PATHS)
    )
    title = say('card.hand.title')
    note = say('card.hand.note', n=len(hand), of=C.N_PATHS)
    return Card('hand', title, note, _legend(colour), tray=True, cells=cells)


def _cell(label: str, *parts: str) -> Markup:
    """A cell of the tray: what is drawn in it."""
    return card_svg(PITCH, ROW, label, *parts)


FRAME: dict[str, float] = {'x': 1.5, 'y': 1.5, 'width': PITCH - 3, 'height': ROW - 3}
AT = translate(PITCH / 2, ROW / 2 - 7, scale=HELD)
HIT = tag('rect', class_='hit', fill='none', pointer_events='all', width=PITCH, height=ROW)


@lru_cache(maxsize=KEPT)
def _in_hand(tile: int, colour: str, legal: bool, stuck: bool) -> Markup:
    """A tile of the tray, with its name; dim if it has no place on the board now."""
    label, ink = (
        say('card.hand.stuck' if stuck else 'card.hand.tile', tile=C.TILES[tile]),
        PLAYERS[colour].base,
    )
    ring: dict[str, str | float] = {'class_': 'chosen-ring', 'display': 'none', **FRAME}
    parts = (
        tag('rect', rx=8, fill=var('surface-2'), fill_opacity=None if legal else 0.55, **FRAME),
        tag('rect', rx=8, fill=ink, fill_opacity=0.14, stroke=ink, stroke_width=3, **ring),
        tag(
            'g',
            tag('g', S.tile(tile, colour), transform=AT),
            card_text(C.TILES[tile], PITCH / 2, ROW - 5, LABEL, 600, 'text-2'),
            opacity=0.32 if stuck else None,
        ),
        HIT,
        focus_ring('rect', rx=8, **FRAME) if legal else '',
    )
    held = tag(
        'g',
        *parts,
        id=hand_id(tile),
        class_='hand target' if legal else 'hand',
        role='button' if legal else 'img',
        tabindex='0' if legal else None,
        aria_label=label,
    )
    return _cell(C.TILES[tile], held)


@cache
def _used(tile: int) -> Markup:
    """A cell whose tile is on the board."""
    outline = use(
        name(f'flat-{C.TILES[tile]}'),
        AT,
        fill='none',
        stroke=var('text-3'),
        stroke_opacity=0.6,
        stroke_width=5,
        stroke_dasharray='10 14',
        stroke_linecap='round',
    )
    label = say('card.hand.used', tile=C.TILES[tile])
    used = tag('g', outline, HIT, id=hand_id(tile), class_='hand used', role='img', aria_label=label)
    return _cell(C.TILES[tile], used)


@cache
def _legend(colour: str) -> Markup:
    """What the marks on the board mean."""
    bar = 'M-6 6L6 -6'
    square: dict[str, float] = {'x': -6, 'y': -6, 'width': 12, 'height': 12, 'rx': 2.5}
    dashes = {'stroke_dasharray': '3.6 3.7', 'stroke_linecap': 'round'}
    items = (
        ('open', S.open_bars(bar, colour, 7.6)),
        ('connected', S.gold_bars(bar, 7.6)),
        (
            'meets',
            tag('circle', r=7, stroke=var('legal-case'), stroke_width=4, **dashes)
            + tag('circle', r=7, stroke=var('legal'), stroke_width=2, **dashes),
        ),
        (
            'last',
            tag('rect', stroke=var('last-case'), stroke_width=5, **square)
            + tag('rect', stroke=S.HALO, stroke_width=3.4, **square),
        ),
    )
    parts = [
        tag(
            'g',
            tag('g', drawing, fill='none', transform=translate(14, 0)),
            card_text(say(f'card.hand.{key}'), 30, 4.7, LABEL, 500, 'text-2', 'start'),
            transform=translate(CARD / 2 * (k % 2), LEGEND * (k // 2 + 0.5) + 2),
            data_about=f'mark-{key}',
        )
        for k, (key, drawing) in enumerate(items)
    ]
    return card_svg(CARD, 2 * LEGEND + 4, say('card.hand.title'), *parts)


# ---- panels ------------------------------------------------------------------------------------------------


def panels(view: View) -> tuple[Panel, ...]:
    """One panel a seat: its points on the rulebook's pencil track, the tiles left; the open hands of others
    as a drawing."""
    s = view.state
    reading, found = read(s), []
    for seat in range(reading.players):
        points, hand, colour = points_text(reading.points[seat]), reading.hands[seat], view.colour(seat)
        own = seat == view.seat and not s.ending
        found.append(
            Panel(
                seat,
                colour,
                '',
                (
                    PanelRow(
                        say('panel.points'),
                        points,
                        track(colour, reading.points[seat]),
                        about=f'score-{seat}',
                    ),
                    PanelRow(
                        say('panel.left'),
                        str(len(hand)),
                        '' if own else open_hand(colour, tuple(hand)),
                        fold=not own,
                        about=f'left-{seat}',
                        brief=True,
                    ),
                ),
            )
        )
    return tuple(found)


@lru_cache(maxsize=KEPT)
def track(colour: str, half: int) -> Markup:
    """The rulebook's score track: a stroke is half a point, a cross a whole one."""
    cells = max(LEAST_CELLS, -(-half // 2) + 2)
    pitch = CELL * LEAST_CELLS / cells
    boxes = ''.join(f'M{number(pitch * k)} .5V{number(CELL + 0.5)}' for k in range(1, cells))
    fives = ''.join(
        f'M{number(pitch * k)} .5h{number(pitch)}v{CELL}h-{number(pitch)}z' for k in range(4, cells, 5)
    )
    ends = 2.6, CELL - 1.6
    strokes = []
    for k in range(half):  # up, then down, in each cell
        low, high = ends if k % 2 else ends[::-1]
        start, end = ((k // 2 + share) * pitch for share in (0.18, 0.82))
        strokes.append(f'M{pair(start, low)}L{pair(end, high)}')
    width = CELL * LEAST_CELLS
    return _svg(
        width + 1,
        CELL + 1,
        say('panel.track', points=points_text(half)),
        tag('path', d=fives, fill=var('surface-2')),
        tag(
            'rect',
            x=0.5,
            y=0.5,
            width=width,
            height=CELL,
            fill='none',
            stroke=var('line-strong'),
            stroke_opacity=0.55,
        ),
        tag('path', d=boxes, stroke=var('line'), fill='none'),
        tag(
            'path',
            d=''.join(strokes),
            stroke=player_var(colour, 't'),
            stroke_width=round(0.175 * pitch, 2),
            stroke_linecap='round',
            fill='none',
        ),
        class_='track',
        width=width + 1,
        height=CELL + 1,
    )


@lru_cache(maxsize=KEPT)
def open_hand(colour: str, hand: tuple[int, ...]) -> Markup:
    """The tiles left to a seat, in fixed places."""
    player = PLAYERS[colour]
    places = [
        (tile, SMALL_PITCH * (tile % COLUMNS + 0.5), SMALL_ROW * (tile // COLUMNS + 0.5))
        for tile in range(C.N_PATHS)
    ]
    left = [
        use(name(f'flat-{C.TILES[tile]}'), translate(x, y, scale=SMALL))
        for tile, x, y in places
        if tile in hand
    ]
    used = [
        use(name(f'flat-{C.TILES[tile]}'), translate(x, y, scale=SMALL))
        for tile, x, y in places
        if tile not in hand
    ]
    names = ', '.join(C.TILES[tile] for tile in hand) or say('panel.nothing')
    width, height = SMALL_PITCH * COLUMNS, SMALL_ROW * 3
    return _svg(
        width,
        height,
        names,
        tag('g', *left, fill=player.base, stroke=player.deep, stroke_width=6, stroke_linejoin='round')
        if left
        else '',
        tag(
            'g',
            *used,
            fill='none',
            stroke=var('text-3'),
            stroke_opacity=0.55,
            stroke_width=6,
            stroke_dasharray='9 16',
            stroke_linecap='round',
        )
        if used
        else '',
        class_='open-hand',
        width=width,
        height=height,
    )


# ---- the final scoring -------------------------------------------------------------------------------------


def _scoring(view: View) -> Card:
    """For each player the handicap and the points of every end of every tile."""
    reading, parts, y = read(view.state), list[str](), 0.0
    for seat in sorted(range(reading.players), key=lambda seat: (-reading.points[seat], seat)):
        block, height = _scored(view, reading, seat)
        parts.append(tag('g', *block, transform=translate(0, y)))
        y += height
    title = say('card.scoring.title')
    return Card(
        'scoring',
        title,
        say('card.scoring.note'),
        _svg(CARD, y - 10, title, *parts, class_='board card-drawing'),
    )


def _scored(view: View, reading: Reading, seat: int) -> tuple[list[Markup], float]:
    """The scoring of a seat, and how high it is."""
    tiles = [placed for placed in reading.tiles if placed.seat == seat and placed.shape.ends]
    connected = sum(half for placed in tiles for _, half in end_points(reading, placed))
    handicap = reading.points[seat] - connected
    player, points = PLAYERS[view.colour(seat)], points_text(reading.points[seat])
    if handicap:
        sum_ = say.counted('card.scoring.with_handicap', connected, handicap=points_text(handicap))
    else:
        sum_ = say.counted('card.scoring.sum', connected, points=points)
    name = cut_name(player_word(seat, view.names), CARD - 56 - letters_width(points, 21), 14.5)
    parts = [
        tag('rect', width=CARD, height=SCORED_HEAD, rx=8, fill=player_var(player.name, 's')),
        tag(
            'g',
            shape(player.name),
            transform=translate(20, 21),
            fill=player.base,
            stroke=var('player-edge'),
            stroke_width=1.5,
        ),
        card_text(name, 38, 19, 14.5, 700, 'text', 'start'),
        card_text(sum_, 38, 35, LABEL, 500, 'text-2', 'start'),
        card_text(points, CARD - 12, 29, 21, 750, 'text', 'end'),
    ]
    for k, placed in enumerate(tiles):
        corner = PITCH * (k % COLUMNS), SCORED_HEAD + 4 + SCORED_ROW * (k // COLUMNS)
        parts.append(_scored_tile(reading, placed, player, translate(*corner)))
    return parts, SCORED_HEAD + SCORED_ROW * -(-len(tiles) // COLUMNS) + 14


def _scored_tile(reading: Reading, placed: PlacedTile, colour: Player, place: str) -> Markup:
    """A tile as it lies, below it the points of each end."""
    x, y = S.middle(placed.shape)
    gold = ''.join(bar(edge) for edge in placed.half_edges if reading.connected(edge))
    open_ = ''.join(bar(edge) for edge in placed.half_edges if not reading.connected(edge))
    shown = tag(
        'g',
        tag(
            'path',
            d=S.outline_data(placed.shape, S.CUT),
            fill=colour.base,
            stroke=colour.deep,
            stroke_width=5,
        ),
        tag('path', d=open_, stroke='#fff', stroke_width=10, stroke_linecap='round') if open_ else '',
        S.bars(gold, S.GOLD, S.GOLD_CASE, 20) if gold else '',
        transform=f'{translate(PITCH / 2, 15, scale=SCORED)} {translate(-x, -y)}',
    )
    ends = end_points(reading, placed)
    points = card_text(' · '.join(say(f'half.{half}') for _, half in ends), PITCH / 2, 40, LABEL, 600)
    label = say('tile.ends', tile=C.TILES[placed.tile], ends=ends_words(reading, placed))
    return tag('g', shown, points, transform=place, role='img', aria_label=label)
