"""The panels of Myraclia, and the cards: the drafting board, the order, the display, the bags, a round at a
glance.

The card of a payment is in payment.py, that of the scoring in scoring.py.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import cache, lru_cache

from markupsafe import Markup

from ludoteca.drawing.boards import focus_ring
from ludoteca.drawing.cards import card_lines, card_svg, card_text, heap_svg, letters_width
from ludoteca.drawing.palette import var
from ludoteca.drawing.svg import joined, number, tag, translate, use, words
from ludoteca.game import Card, Panel, PanelRow, View
from ludoteca.text.players import player_word

from .. import components as C
from .. import rules as R
from ..notation import tiles_to_lay
from ..rules import NONE, Phase, State
from . import payment, scoring
from . import symbols as A
from .facts import (
    RECONSTRUCTED,
    Choices,
    Drafted,
    bits_of,
    choices_of,
    cubes_of,
    display_id,
    drafted,
    element_id,
    element_word,
    face_words,
    footnote_of,
    free_elements,
    group_id,
    heap,
    heap_words,
    held_id,
    on_surface,
    order_now,
    place_of,
    say,
    symbols_of,
    token_words,
    turned_id,
    zone_id,
    zone_of,
)
from .symbols import CARD, name

COLUMN = (CARD - 12) / C.N_COLOURS  # width of a column of the drafting board
WELL = 88.0  # height of a column's cubes
DRAFTED, CUBE_ROW = 18.0, 21.0  # size of a cube there, height of a row
CUBE_ROWS = 3  # of two cubes each; the number above says how many there are
SPOT, SPOT_ROW = 9.5, 20.0  # radius of a disk below it, height of a row of two
WORDS, WORDS_LINE = 14.0, 16.0  # size of the words, height of a line
TOP = 2 * WORDS_LINE + 8  # height of the two lines that say what a cube would bring
ORDER_ROW = 29.0  # height of an order
DISPLAY = 0.8  # size of a tile on the display
DISPLAY_HEIGHT = 122.0
# size of a starting tile, height of a row of them, how many it has
STARTING, STARTING_ROW, ACROSS = 0.58, 92.0, 4
# of a round; `token` with Eternity only
STEPS = ('cubes', 'draft', 'order', 'terraform', 'land', 'end', 'token', 'next')
# the step that is played in a phase
STEP_OF = {Phase.DRAFT: 'draft', Phase.PLACE: 'land', Phase.TOKEN: 'token'}
STEP_ROW = 37.0  # height of a step
KEPT = 1024  # parts of cards and panels that are kept, since they are the same in most messages
ROUND = 'a-round-at-a-glance'  # the chapter of the rules


# ---- panels ------------------------------------------------------------------------------------------------


def panels(view: View) -> tuple[Panel, ...]:
    """One panel a seat, in the order of the phase: points; below them cubes, surfaces, disks, free elements,
    reservation."""
    s, found = view.state, []
    for seat in map(int, s.order[: s.players]):
        side = say('panel.tiles', n=int(s.done[seat]), of=C.END_TILES[s.players])
        if s.phase == Phase.DRAFT and not s.ending and s.passed[seat]:
            side = say('panel.passed', side=side)
        rows = (
            PanelRow(say('panel.points'), str(int(s.points[seat])), about=f'score-{seat}'),
            *_heaps(view, seat),
        )
        found.append(Panel(seat, view.colour(seat), side, rows))
    return tuple(found)


def _heaps(view: View, seat: int) -> Iterator[PanelRow]:
    """What a seat has: its cubes; the surfaces of its tiles; disks left; if there is any, what it gets each
    round, and its reserved tile."""
    s, colour = view.state, view.colour(seat)
    yield _cubes(tuple(cubes_of(s, seat)), seat)
    yield _surfaces(tuple(symbols_of(s, seat)), seat)
    yield _disks(C.DISKS[s.players] - int(R.n_disks(s, seat)), colour, seat)
    if any(free := free_elements(s, seat)):
        yield _free(tuple(free), seat)
    if s.reserved[seat] != NONE:
        yield _reserved(place_of(s, int(s.reserved[seat])), colour, seat)


@lru_cache(maxsize=KEPT)
def _disks(left: int, colour: str, seat: int) -> PanelRow:
    """The disks that are left."""
    disk = A.disk(colour, True, 10, 10, 8.6, opacity=None if left else 0.4)
    number_ = card_text(str(left), 22, 15, 14, 650, 'text' if left else 'text-3', 'start')
    drawing = heap_svg(40, say.counted('panel.disks', left), disk, number_)
    return PanelRow(say('panel.name.disks'), '', drawing, about=f'disks-{seat}', brief=True)


@lru_cache(maxsize=KEPT)
def _reserved(place: str, colour: str, seat: int) -> PanelRow:
    """Where the reserved tile lies."""
    disk, text = A.disk(colour, False, 10, 10, 8.6), card_text(place, 22, 15, 14, 650, anchor='start')
    drawing = heap_svg(26 + 8.5 * len(place), say('panel.reserved', place=place), disk, text)
    return PanelRow(say('panel.name.reserved'), '', drawing, about=f'holds-{seat}')


@lru_cache(maxsize=KEPT)
def _cubes(cubes: tuple[int, ...], seat: int) -> PanelRow:
    """The cubes, one a colour with their number."""
    if not sum(cubes):
        return PanelRow(say('panel.name.cubes'), say('panel.no_cubes'), about='bag')
    parts, x = list[str](), 9.0
    for colour, n in enumerate(cubes):
        if n:
            parts.append(A.cube('cube', colour, x, 10, 15, id=held_id(seat, colour)))
            if n > 1:
                parts.append(card_text(str(n), x + 10, 15, 14, 650, anchor='start'))
            x += 30 if n > 1 else 20
    return PanelRow(say('panel.name.cubes'), '', heap_svg(x - 8, heap_words(cubes), *parts), brief=True)


@lru_cache(maxsize=KEPT)
def _surfaces(symbols: tuple[int, ...], seat: int) -> PanelRow:
    """How many tiles of each surface."""
    parts, labels = list[str](), list[str]()
    for surface, n in enumerate(symbols):
        x, ink = 10 + 34.0 * surface, 'text' if n else 'text-3'
        badge = A.badge(surface, x, 10, 9, opacity=None if n else 0.4)
        number_ = card_text(str(n), x + 12, 15, 14, 650, ink, 'start')
        parts.append(tag('g', badge, number_, data_about=f'surface-{seat}-{C.SURFACES[surface]}'))
        labels.append(say('panel.surface', n=n, surface=say(f'surface.{C.SURFACES[surface]}')))
    drawing = heap_svg(34.0 * len(symbols), ', '.join(labels), *parts)
    return PanelRow(say('panel.name.surfaces'), '', drawing)


@lru_cache(maxsize=KEPT)
def _free(elements: tuple[int, ...], seat: int) -> PanelRow:
    """The cubes that a seat gets each round."""
    parts, x = list[str](), 10.0
    for colour, n in enumerate(elements):
        for _ in range(n):
            parts.append(use(name(f'turning-{C.COLOURS[colour]}'), translate(x, 10, scale=0.47)))
            x += 21
    label = say('panel.free', elements=heap_words(elements))
    return PanelRow(say('panel.name.free'), '', heap_svg(x - 10, label, *parts), about=f'income-{seat}')


# ---- cards -------------------------------------------------------------------------------------------------


def cards(view: View) -> tuple[Card, ...]:
    """The cards from which something is chosen come first: drafting board, payment, display, token; then the
    order, the bags, the scoring."""
    s, choices = view.state, choices_of(view.state, view.actions)
    if s.ending:
        return scoring.card(view), _bags(s), _round(s)
    rest = (scoring.card(view), _bags(s), _round(s))
    display = (_display(s, choices),) if any(tile != NONE for tile in s.display) else ()
    match s.phase:
        case Phase.ARRANGE:
            return _starting(s, choices), _bags(s), _round(s)
        case Phase.DRAFT:
            return (_draft(view, choices), *display, *rest)
        case Phase.PLACE:
            return (*display, _order(view), *rest)
        case Phase.TOKEN:
            return (_token(s), _order(view), *display, *rest)
    return (payment.card(view, choices), _order(view), *display, *rest)


def _row_of_disks(
    colours: Sequence[str], x: float, y: float, now: int, past: Container[int], light: str = '#fff'
) -> Iterator[Markup]:
    """Seats in an order, by their colours: the `now`-th, whose turn it is, ringed; those whose turn is over
    pale."""
    for k, colour in enumerate(colours):
        at = x + 33.5 * k
        yield A.disk(colour, True, at, y, 10.5, opacity=0.35 if k in past else None)
        if k == now:
            yield tag('circle', cx=at, cy=y + 0.4, r=13.5, fill='none', stroke=light, stroke_width=2.2)
        if k < len(colours) - 1:
            yield tag(
                'path',
                d=f'M{number(at + 15.5)} {number(y - 4)}l4 4l-4 4',
                fill='none',
                stroke=light,
                stroke_opacity=0.6,
                stroke_width=1.8,
                stroke_linecap='round',
            )


# the drafting board


def _draft(view: View, choices: Choices) -> Card:
    """What a cube would bring; columns of cubes over the places of disks; who drafts when, and who would
    terraform when. Its size depends on the number of players alone."""
    s, players = view.state, int(view.state.players)
    height = TOP + WELL + disks_height(players) + 2 * ORDER_ROW + 20
    parts: list[str] = [tag('rect', width=CARD, height=height, rx=11, fill=f'url(#{name("well")})')]
    if choices.drafts:
        parts.append(_lines(card_lines(say('card.draft.point'), CARD - 28, WORDS), 550, '#d5daf0'))
    by_column = {int(s.column[colour]): colour for colour in range(C.N_COLOURS) if s.column[colour] != NONE}
    for column in range(C.N_COLOURS):
        x = 6 + COLUMN * (column + 0.5)
        parts.append(tag('rect', fill='#fff', fill_opacity=0.07, **_frame(x)))
        parts.append(_track(tuple(map(view.colour, _on_column(s, column))), x, players))
        if column in by_column:
            colour = by_column[column]
            parts.append(_group(int(s.board[colour]), colour, x, colour in choices.drafts))
    seats, now = s.order[:players].tolist(), order_now(s)
    passed = [seat for seat in seats if s.passed[seat]]
    yet = [seat for seat in seats if seat not in now]
    low = height - 2 * ORDER_ROW - 2
    parts += _order_row(view, 'drafting', seats, passed, low, int(s.to_move))
    parts += _order_row(view, 'terraforming', [*now, *yet], yet, low + ORDER_ROW)
    parts += [_preview(view, colour) for colour in choices.drafts]
    title = say('card.draft.title', round=int(s.round))
    return Card('draft', title, say('card.draft.note'), card_svg(CARD, height, title, *parts), tray=True)


def _on_column(s: State, column: int) -> list[int]:
    """The seats whose disks lie below a column, the first to terraform first."""
    found = [seat for seat in range(int(s.players)) if s.disk[seat] == column]
    return sorted(found, key=lambda seat: int(s.rank[seat]))


def _order_row(
    view: View, label: str, seats: Sequence[int], pale: Sequence[int], top: float, now: int = NONE
) -> Iterator[Markup]:
    """An order with its name; `now`: the seat whose turn it is."""
    y = top + ORDER_ROW / 2
    yield words(say(f'card.draft.{label}'), x=14, y=y + 4.5, font_size=WORDS, font_weight=550, fill='#d5daf0')
    named = [player_word(seat, view.names) for seat in seats if label == 'drafting' or seat not in pale]
    yield tag(
        'g',
        *_row_of_disks(
            [view.colour(seat) for seat in seats],
            164,
            y,
            seats.index(now) if now in seats else NONE,
            [place for place, seat in enumerate(seats) if seat in pale],
        ),
        role='img',
        aria_label=say(f'card.draft.{label}_label', players=', '.join(named) or say('game.none')),
        data_about=label,
    )


def _lines(lines: Sequence[str], weight: float, colour: str) -> Markup:
    """The words at the top, one line in the middle or two."""
    first = TOP / 2 + 7 - WORDS_LINE / 2 * (len(lines) - 1)
    style: dict[str, str | float] = {'x': 14, 'font_size': WORDS, 'font_weight': weight, 'fill': colour}
    return joined(words(line, y=first + WORDS_LINE * k, **style) for k, line in enumerate(lines))


def _preview(view: View, colour: int) -> Markup:
    """What drafting a cube would bring, shown while it is considered: the disks of the column with that of
    the seat to move, and its place in the order."""
    s, found = view.state, drafted(view.state, colour)
    others = [view.colour(seat) for seat in _on_column(s, found.column) if seat != s.to_move]
    return _preview_of(found, colour, view.colour(int(s.to_move)), tuple(others), int(s.players))


@lru_cache(maxsize=KEPT)
def _preview_of(found: Drafted, colour: int, own: str, others: tuple[str, ...], players: int) -> Markup:
    """`own`: the colour of the seat to move; `others`: those of the other disks of the column."""
    x = 6 + COLUMN * (found.column + 0.5)
    disks = (*others[: found.above], own, *others[found.above :])
    a, b = disk_places(len(disks), x, players)[found.above]
    lines = [say('card.draft.preview', place=say(f'nth.{found.place}'))]
    if found.tiles:
        lines.append(say.counted('card.draft.payable', len(found.tiles)))
    return tag(
        'g',
        tag('rect', x=8, y=4, width=CARD - 16, height=TOP - 2, rx=7, fill='#10142a'),
        _lines(lines, 700, '#fff'),
        _track(disks, x, players),
        tag('circle', cx=a, cy=b, r=SPOT + 1.5, fill='none', stroke=var('legal'), stroke_width=2.2),
        class_='places',
        data_shown_by=element_id(R.DRAFT + colour),
        display='none',
        pointer_events='none',
    )


def _frame(x: float) -> dict[str, float]:
    """The frame round the cubes of a column."""
    return {'x': x - COLUMN / 2 + 1.5, 'y': TOP + 6, 'width': COLUMN - 3, 'height': WELL, 'rx': 7}


def disks_height(players: int) -> float:
    """The height of the disks below a column: all may lie below one."""
    return SPOT_ROW * (1 if players == 2 else 2) + 2


def disk_places(n: int, x: float, players: int) -> list[tuple[float, float]]:
    """Where `n` disks lie below a column: side by side, in two rows, the fifth between four."""
    top, low = TOP + WELL + 10 + SPOT, TOP + WELL + 10 + disks_height(players) - SPOT
    left, right, middle = x - 10, x + 10, (top + low) / 2
    return {
        0: [],
        1: [(x, middle)],
        2: [(left, middle), (right, middle)],
        3: [(left, top), (right, top), (x, low)],
        4: [(left, top), (right, top), (left, low), (right, low)],
    }.get(n, [(left, top), (right, top), (x, middle), (left, low), (right, low)])


@lru_cache(maxsize=KEPT)
def _track(disks: tuple[str, ...], x: float, players: int) -> Markup:
    """The field below a column, and the disks on it by their colours."""
    field = tag(
        'rect',
        x=x - COLUMN / 2 + 1.5,
        y=TOP + WELL + 9,
        width=COLUMN - 3,
        height=disks_height(players) + 2,
        rx=7,
        fill='#1c2036',
        stroke='#8c95c4',
        stroke_opacity=0.45,
        stroke_width=1.2,
    )
    places = disk_places(len(disks), x, players)
    return joined(
        [field, *(A.disk(colour, True, *place, SPOT) for colour, place in zip(disks, places, strict=True))]
    )


@lru_cache(maxsize=KEPT)
def _group(n: int, colour: int, x: float, legal: bool) -> Markup:
    """The cubes of a colour on the drafting board."""
    action, frame = R.DRAFT + colour, _frame(x)
    low = frame['y'] + frame['height'] - 11.5
    parts: list[str] = []
    for k in range(min(n, 2 * CUBE_ROWS)):
        alone = n == 1 or (k == n - 1 and k % 2 == 0)
        parts.append(
            A.cube(
                'gem',
                colour,
                x + (0 if alone else 10 if k % 2 else -10),
                low - CUBE_ROW * (k // 2),
                DRAFTED,
                id=group_id(colour) if k == min(n, 2 * CUBE_ROWS) - 1 else None,
            )
        )
    if not n:
        parts.append(A.cube('slot', colour, x, low, DRAFTED, opacity=0.45))
    parts.append(
        words(
            str(n),
            x=x,
            y=frame['y'] + 15,
            font_size=14,
            font_weight=750,
            text_anchor='middle',
            fill='#fff',
            fill_opacity=1 if n else 0.5,
        )
    )
    label = say('card.draft.group', n=n, element=element_word(colour))
    if not legal:
        return tag('g', *parts, id=element_id(action), role='img', aria_label=label)
    mark = tag(
        'rect',
        fill='none',
        stroke=var('legal'),
        stroke_width=1.8,
        stroke_dasharray='4 4',
        stroke_opacity=0.8,
        class_='mark',
        **frame,
    )
    return tag(
        'g',
        *parts,
        A.handles(frame),
        mark,
        id=element_id(action),
        class_='target',
        role='button',
        tabindex='0',
        aria_label=say('card.draft.take', group=label),
        data_target=f'el:{element_id(action)}',
    )


# the order, the exchange zone


def _order(view: View) -> Card:
    """Who terraforms when, and what lies in the exchange zone."""
    s = view.state
    seats = s.order[: int(s.players)].tolist()
    over = s.phase == Phase.TOKEN
    players = tuple((view.colour(seat), player_word(seat, view.names)) for seat in seats)
    past, now = (len(seats) if over else int(s.at)), NONE if over else seats.index(int(s.to_move))
    return _order_of(players, past, now, tuple(zone_of(s)), int(s.round))


@lru_cache(maxsize=KEPT)
def _order_of(
    players: tuple[tuple[str, str], ...], past: int, now: int, zone: tuple[int, ...], round_: int
) -> Card:
    """`players`: colours and names in the order; the first `past` have had their turn, `now` is whose turn it
    is."""
    height = 76.0
    parts: list[str] = [
        tag('rect', width=CARD, height=height, rx=11, fill=f'url(#{name("well")})'),
        tag(
            'g',
            *_row_of_disks([colour for colour, _ in players], 28, 20, now, range(past)),
            role='img',
            aria_label=say('card.order.label', players=', '.join(player for _, player in players)),
            data_about='card-order',
        ),
    ]
    # cubes of all colours leave the name two short lines
    called = card_lines(say('card.order.zone'), 100, WORDS) if sum(zone) else [say('card.order.no_zone')]
    style: dict[str, str | float] = {'x': 14, 'font_size': WORDS, 'font_weight': 550, 'fill': '#d5daf0'}
    label = [words(line, y=69 - 8 * len(called) + 15 * k, **style) for k, line in enumerate(called)]
    parts.append(tag('g', *label, data_about='zone'))
    x = 14 + max(letters_width(line, WORDS) for line in called) + 12  # the middle of a cube
    for colour, n in enumerate(zone):
        if n:
            parts.append(A.cube('gem', colour, x, 56, 16, id=zone_id(colour)))
            if n > 1:
                parts.append(words(str(n), x=x + 10, y=61, font_size=12.5, font_weight=700, fill='#fff'))
            x += 27 if n > 1 else 20
    title = say('card.order.title')
    return Card('order', title, say('card.order.note', round=round_), card_svg(CARD, height, title, *parts))


# the display


def _display(s: State, choices: Choices) -> Card:
    """The three tiles on offer; while tiles are added, they are picked there."""
    pickable = {tile for tiles in choices.places.values() for tile in tiles}
    parts = [
        _offered(
            int(tile),
            translate(CARD / C.N_DISPLAY * (k + 0.5), DISPLAY_HEIGHT / 2 - 3, scale=DISPLAY),
            int(tile) in pickable,
            bool(pickable),
        )
        for k, tile in enumerate(s.display)
        if tile != NONE
    ]
    title = say('card.display.title')
    note = say('card.display.add', n=int(s.to_add)) if s.phase == Phase.PLACE else say('card.display.note')
    return Card(
        'display',
        title,
        note,
        card_svg(CARD, DISPLAY_HEIGHT, title, *parts),
        tray=s.phase == Phase.PLACE,
        footnote=footnote_of(s.display.tolist()),
        chapter=RECONSTRUCTED,
    )


def _starting(s: State, choices: Choices) -> Card:
    """The starting tiles that are still to be laid, to be picked there."""
    tiles, laid = tiles_to_lay(s), len(on_surface(s))
    parts = [
        _offered(
            tile,
            translate(CARD / ACROSS * (k % ACROSS + 0.5), STARTING_ROW * (k // ACROSS + 0.5), scale=STARTING),
            bool(choices.places),
            bool(choices.places),
        )
        for k, tile in enumerate(tiles)
    ]
    title = say('card.start.title')
    return Card(
        'start',
        title,
        say('card.start.note', n=len(tiles)),
        card_svg(CARD, STARTING_ROW * -(-(len(tiles) + laid) // ACROSS), title, *parts),
        tray=True,
        footnote=footnote_of(tiles),
        chapter=RECONSTRUCTED,
    )


@lru_cache(maxsize=KEPT)
def _offered(tile: int, at: str, pickable: bool, picking: bool) -> Markup:
    """A tile that is, or will be, laid; `at`: its transform."""
    face = use(name(f'barren-{C.TILES[tile]}'), at)
    if not pickable:
        return tag(
            'g',
            face,
            id=display_id(tile),
            role='img',
            aria_label=face_words(tile),
            opacity=0.45 if picking else None,
        )
    data = A.hexagon_data(3)
    rings = (
        tag('path', d=A.hexagon_data(-3), class_='hit', fill='none', pointer_events='all'),
        tag(
            'path',
            d=data,
            class_='mark',
            fill='none',
            stroke=var('legal'),
            stroke_width=3,
            stroke_dasharray='9 8',
            opacity=0.85,
        ),
        tag(
            'path',
            d=data,
            class_='chosen-ring',
            display='none',
            fill='none',
            stroke=var('legal'),
            stroke_width=8,
            stroke_linejoin='round',
        ),
        focus_ring('path', d=data),
    )
    return tag(
        'g',
        face,
        tag('g', *rings, transform=at),
        id=display_id(tile),
        class_='target',
        role='button',
        tabindex='0',
        aria_label=face_words(tile),
    )


def _token(s: State) -> Card:
    """The Eternity token that was turned up."""
    token, title = int(s.token), say('card.token.title')
    parts = (
        A.coin(token, 32, 30, 24, id=turned_id(token)),
        card_text(token_words(token), 68, 27, 14, 700, anchor='start'),
        card_text(say(f'card.token.{C.KINDS[C.TOKEN_KIND[token]]}'), 68, 45, 12, 500, 'text-2', 'start'),
    )
    return Card('token', title, '', card_svg(CARD, 60, title, *parts))


# the bags


def _bags(s: State) -> Card:
    """What is in the bag and on the discard pile, which tokens are still face down."""
    tokens, tiles = tuple(bits_of(int(s.token_bag))), int(s.tile_bag).bit_count()
    return _bags_with(tuple(heap(s.bag)), tuple(heap(s.discard)), tokens, tiles, bool(s.eternity))


@lru_cache(maxsize=KEPT)
def _bags_with(
    bag: tuple[int, ...], discard: tuple[int, ...], tokens: tuple[int, ...], tiles: int, eternity: bool
) -> Card:
    parts: list[str] = []
    for k, (key, cubes) in enumerate((('bag', bag), ('discard', discard))):
        y = 14.0 + 34 * k
        row = [card_text(say(f'card.bags.{key}'), 0, y + 4.5, 11.5, 550, 'text-2', 'start')]
        for colour, n in enumerate(cubes):
            x, ink = 70.0 + 35.5 * colour, 'text' if n else 'text-3'
            row += [
                A.cube('cube', colour, x, y, 13.5, opacity=None if n else 0.35),
                card_text(str(n), x + 10, y + 4.5, 12, 650, ink, 'start'),
            ]
        parts.append(
            tag(
                'g',
                *row,
                role='img',
                aria_label=say(f'card.bags.{key}_label', cubes=heap_words(cubes)),
                data_about=key,
            )
        )
    height = 66.0
    if eternity:
        width = min(26.0, (CARD - 90) / max(1, len(tokens)))
        parts += [
            card_text(say('card.bags.tokens'), 0, 86, 11.5, 550, 'text-2', 'start'),
            tag(
                'g',
                *(A.coin(token, 78 + width * k, 81, 10.5) for k, token in enumerate(tokens)),
                role='img',
                aria_label=say(
                    'card.bags.tokens_label', tokens=', '.join(map(token_words, tokens)) or say('game.none')
                ),
                data_about='tokens',
            ),
        ]
        height = 98
    title = say('card.bags.title')
    return Card(
        'bags',
        title,
        say.counted('card.bags.tiles', tiles),
        card_svg(CARD, height, title, *parts),
    )


# a round at a glance


def step_now(s: State) -> str:
    """The step of the round that is played; '' before the first and after the last one."""
    return '' if s.ending or s.phase == Phase.ARRANGE else STEP_OF.get(Phase(int(s.phase)), 'terraform')


def _round(s: State) -> Card:
    """The steps of a round."""
    cubes = C.DRAFT_FIRST[s.players] if s.round == 1 else C.DRAFT[s.players]
    return _round_with(step_now(s), bool(s.eternity), C.END_TILES[s.players], cubes)


@cache
def _round_with(now: str, eternity: bool, last: int, cubes: int) -> Card:
    steps, parts = [step for step in STEPS if step != 'token' or eternity], list[Markup]()
    for k, step in enumerate(steps):
        text = say(f'card.round.{step}_how', n=last, cubes=cubes)
        parts.append(_step(k, say(f'card.round.{step}'), text, step == now))
    title = say('card.round.title')
    return Card(
        'round',
        title,
        say('card.round.note', n=steps.index(now) + 1, of=len(steps)) if now else '',
        card_svg(CARD, STEP_ROW * len(steps), title, *parts),
        footnote=say('card.round.footnote'),
        chapter=ROUND,
    )


def _step(k: int, name: str, text: str, now: bool) -> Markup:
    """A step: its number, its name, what is done."""
    y = STEP_ROW * k
    frame: dict[str, float] = {'x': 0, 'y': y + 1, 'width': CARD, 'height': STEP_ROW - 2, 'rx': 8}
    back = tag('rect', **frame, fill=var('last-soft'), stroke=var('last-bar')) if now else ''
    return tag(
        'g',
        back,
        tag(
            'circle',
            cx=16,
            cy=y + STEP_ROW / 2,
            r=10.5,
            fill=var('accent' if now else 'surface-2'),
            stroke=var('line-strong'),
        ),
        joined(
            (
                card_text(
                    str(k + 1), 16, y + STEP_ROW / 2 + 4.4, 12.5, 700, 'on-accent' if now else 'text-2'
                ),
                card_text(name, 36, y + 15.5, 12.5, 700, 'text', 'start'),
                card_text(text, 36, y + 30, 12, 500, 'text-2', 'start'),
            )
        ),
        role='img',
        aria_label=f'{k + 1} {name}: {text}',
        aria_current='step' if now else None,
    )
