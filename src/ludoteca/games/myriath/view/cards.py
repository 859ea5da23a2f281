"""The things beside the board: the viewer's tray, the score tracks and the open hands of all, at the end the
scoring."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from markupsafe import Markup

from ludoteca.drawing.boards import focus_ring
from ludoteca.drawing.cards import card_text, cut_name, letters_width
from ludoteca.drawing.marks import shape
from ludoteca.drawing.palette import PLAYERS, Player, player_var, var
from ludoteca.drawing.svg import number, tag, translate, use
from ludoteca.game import Card, Panel, PanelRow, View
from ludoteca.text.players import player_word

from .. import components as C
from .. import rules as R
from ..rules import Phase
from . import symbols as S
from .facts import (
    PlacedTile,
    Reading,
    bar,
    crossing_name,
    end_points,
    hand_id,
    points_text,
    read,
    say,
)
from .symbols import name

CARD = 316.0  # width of a card's drawing, about one unit a pixel
COLUMNS = 6  # of the tray: pairs of ends; its rows are the bodies
PITCH, ROW = CARD / COLUMNS, 57.0  # of the tray's slots
HELD = 0.225  # size of a tile in the tray
SMALL, SMALL_PITCH, SMALL_ROW = 0.13, 39.0, 24.0  # the same of an open hand in a panel
CELL, LEAST_CELLS = 11.4, 20  # of a score track: a cell a point
LEGEND = 22.0  # height of the tray's legend
# of the scoring: heights of a player's head and of a row, size of a tile
SCORED_HEAD, SCORED_ROW, SCORED = 42.0, 39.0, 0.145
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


def _slot(tile: int, width: float, height: float) -> tuple[float, float]:
    """The middle of a tile's slot."""
    return width * (tile % COLUMNS + 0.5), height * (tile // COLUMNS + 0.5)


def _tray(view: View) -> Card:
    """The viewer's tiles in fixed places."""
    s, seat, colour = view.state, view.seat, view.colour(view.seat)
    hand = read(s).hands[seat]
    legal = {C.TILE_OF[action // R.N_CROSSINGS] for action in view.actions if action < R.FIRST_OCTAGON}
    judged = bool(view.actions) and s.phase == Phase.PLAY
    parts = [
        _in_hand(tile, colour, tile in legal, judged and tile not in legal) if tile in hand else _used(tile)
        for tile in range(C.N_PATHS)
    ]
    parts.append(_legend(3 * ROW + LEGEND / 2 + 3, colour))
    title = say('card.hand.title')
    drawing = _svg(CARD, 3 * ROW + LEGEND, title, *parts, class_='board card-drawing')
    return Card('hand', title, say('card.hand.note', n=len(hand), of=C.N_PATHS), drawing, tray=True)


@lru_cache(maxsize=KEPT)
def _in_hand(tile: int, colour: str, legal: bool, stuck: bool) -> Markup:
    """A tile of the tray, with its name; dim if it has no place on the board now."""
    x, y = _slot(tile, PITCH, ROW)
    frame: dict[str, float] = {
        'x': x - PITCH / 2 + 1.5,
        'y': y - ROW / 2 + 1.5,
        'width': PITCH - 3,
        'height': ROW - 3,
    }
    label = say('card.hand.stuck' if stuck else 'card.hand.tile', tile=C.TILES[tile])
    return tag(
        'g',
        tag('rect', rx=8, fill=var('surface-2'), fill_opacity=None if legal else 0.55, **frame),
        tag(
            'rect',
            class_='chosen-ring',
            display='none',
            rx=8,
            fill=PLAYERS[colour].base,
            fill_opacity=0.14,
            stroke=PLAYERS[colour].base,
            stroke_width=3,
            **frame,
        ),
        tag(
            'g',
            tag('g', S.tile(tile, colour), transform=translate(x, y - 6, scale=HELD)),
            card_text(C.TILES[tile], x, y + ROW / 2 - 6.5, 10.5, 600, 'text-2'),
            opacity=0.32 if stuck else None,
        ),
        _hit(x, y),
        focus_ring('rect', rx=8, **frame) if legal else '',
        id=hand_id(tile),
        class_='hand target' if legal else 'hand',
        role='button' if legal else 'img',
        tabindex='0' if legal else None,
        aria_label=label,
    )


def _hit(x: float, y: float) -> Markup:
    """A slot as something to click."""
    return tag(
        'rect',
        class_='hit',
        fill='none',
        pointer_events='all',
        x=x - PITCH / 2,
        y=y - ROW / 2,
        width=PITCH,
        height=ROW,
    )


@cache
def _used(tile: int) -> Markup:
    """A slot whose tile lies on the board."""
    x, y = _slot(tile, PITCH, ROW)
    return tag(
        'g',
        use(
            name(f'flat-{C.TILES[tile]}'),
            translate(x, y - 6, scale=HELD),
            fill='none',
            stroke=var('text-3'),
            stroke_opacity=0.6,
            stroke_width=5,
            stroke_dasharray='10 14',
            stroke_linecap='round',
        ),
        _hit(x, y),
        id=hand_id(tile),
        class_='hand used',
        role='img',
        aria_label=say('card.hand.used', tile=C.TILES[tile]),
    )


@cache
def _legend(y: float, colour: str) -> Markup:
    """What the marks on the board mean, in one line."""

    def line(x: float) -> str:
        return f'M{number(x - 6)} {number(y + 6)}L{number(x + 6)} {number(y - 6)}'

    ring: dict[str, float] = {'cx': 166, 'cy': y, 'r': 7}
    square: dict[str, float] = {'x': 240, 'y': y - 6, 'width': 12, 'height': 12, 'rx': 2.5}
    dashes = {'stroke_dasharray': '3.6 3.7', 'stroke_linecap': 'round'}
    items = (
        (9.0, S.open_bars(line(9), colour, 7.6), 'open'),
        (62.0, S.gold_bars(line(62), 7.6), 'connected'),
        (
            166.0,
            Markup(
                tag('circle', stroke=var('legal-case'), stroke_width=4, **dashes, **ring)
                + tag('circle', stroke=var('legal'), stroke_width=2, **dashes, **ring)
            ),
            'meets',
        ),
        (
            246.0,
            Markup(
                tag('rect', stroke=var('last-case'), stroke_width=5, **square)
                + tag('rect', stroke=S.HALO, stroke_width=3.4, **square)
            ),
            'last',
        ),
    )
    return tag(
        'g',
        *(
            tag(
                'g',
                tag('g', drawing, fill='none'),
                card_text(say(f'card.hand.{key}'), x + 13, y + 4, 10.8, 500, 'text-2', 'start'),
                data_about=f'mark-{key}',
            )
            for x, drawing, key in items
        ),
    )


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
        strokes.append(
            f'M{number(pitch * (k // 2) + 2.1)} {number(low)}L{number(pitch * (k // 2 + 1) - 2.1)} {number(high)}'  # noqa: E501
        )
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
            stroke_width=2,
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
    places = [(tile, *_slot(tile, SMALL_PITCH, SMALL_ROW)) for tile in range(C.N_PATHS)]
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
        card_text(sum_, 38, 34.5, 11.8, 500, 'text-2', 'start'),
        card_text(points, CARD - 12, 29, 21, 750, 'text', 'end'),
    ]
    for k, placed in enumerate(tiles):
        parts.append(
            tag(
                'g',
                *_scored_tile(reading, placed, player),
                transform=translate(CARD / 2 * (k % 2), SCORED_HEAD + 5 + SCORED_ROW * (k // 2)),
            )
        )
    return parts, SCORED_HEAD + 5 + SCORED_ROW * ((len(tiles) + 1) // 2) + 12


def _scored_tile(reading: Reading, placed: PlacedTile, colour: Player) -> Iterator[Markup]:
    """A tile as it lies, its name, and each end with its points."""
    x, y = S.middle(placed.shape)
    gold = ''.join(bar(edge) for edge in placed.half_edges if reading.connected(edge))
    open_ = ''.join(bar(edge) for edge in placed.half_edges if not reading.connected(edge))
    yield tag(
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
        transform=f'{translate(21, SCORED_ROW / 2, scale=SCORED)} {translate(-x, -y)}',
    )
    ends = ' · '.join(
        say('card.scoring.end', crossing=crossing_name(at), points=say(f'half.{half}'))
        for at, half in end_points(reading, placed)
    )
    yield card_text(C.TILES[placed.tile], 46, SCORED_ROW / 2 - 2.5, 12, 650, 'text', 'start')
    yield card_text(ends, 46, SCORED_ROW / 2 + 11, 11.5, 500, 'text-2', 'start')
