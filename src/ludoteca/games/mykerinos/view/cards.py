"""Panels and cards of Mykerinos: the survey, the viewer's patrons, the museum (museum.py), the points of the
exhibition, the tiles not yet seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from ludoteca.drawing.boards import focus_ring
from ludoteca.drawing.cards import (
    HEAP,
    card_lines,
    card_svg,
    card_text,
    cut_name,
    heap_svg,
    letters_width,
)
from ludoteca.drawing.palette import var
from ludoteca.drawing.svg import tag, translate, words
from ludoteca.game import Card, Panel, PanelRow, View
from ludoteca.game.seats import from_viewer

from .. import components as C
from ..rules import GONE, LYING
from . import museum
from . import symbols as S
from .facts import (
    KINDS,
    Show,
    areas_of,
    choices_of,
    claim_words,
    colour_of,
    count_words,
    heap_id,
    medal_id,
    patron_id,
    patron_word,
    player_word,
    ranking,
    say,
    scale_of,
    show_of,
    standings,
    surveyed,
    surveying,
    tile_id,
    tile_words,
    tiles_in,
    unseen_of,
    winners_of,
)
from .museum import CARD
from .symbols import CLOTHS, COLOURS, PAINTS, name

# there: radius of a tile's medal, how far one reaches at least under the next of its patron
MEDAL, OVERLAP = 9.5, 8.0
TILE_WIDTH, TILE_HEIGHT, TILT = 94.0, 86.0, 4.0  # of the viewer's own tiles
PITCH, ROW = CARD / 3, 116.0
AREA_ROW = 37.0  # of the survey: height of an area,
CLAIM, CLAIM_ROW, CLAIM_LINES = 12.2, 16.0, 2  # size of the words of a claim, their lines
SHOW_HEAD, SHOW_ROW = 30.0, 84.0  # of the exhibition: height of a player's head, and of all of a player


# ---- panels ------------------------------------------------------------------------------------------------


def panels(view: View) -> tuple[Panel, ...]:
    """One panel a seat: points, tiles, cubes, its place on the passing scale."""
    s, found = view.state, []
    place = scale_of(s)
    for seat in range(int(s.players)):
        rows = (
            PanelRow(say('panel.points'), str(int(s.points[seat])), about=f'score-{seat}'),
            _tiles(seat, tuple(s.held[seat].tolist()), tuple(s.used[seat].tolist())),
            *_heaps(view, seat),
        )
        side = ''
        if seat in place:
            side = say(f'panel.passed.{place[seat]}')
        elif seat == s.first and not s.ending:
            side = say('panel.first')
        found.append(Panel(seat, view.colour(seat), side, rows))
    return tuple(found)


def _tiles(seat: int, kinds: tuple[int, ...], uses: tuple[int, ...]) -> PanelRow:
    """A seat's tiles as medals, so many of each kind; those that were used this season are tilted and
    pale."""
    if not sum(kinds):
        return PanelRow(say('panel.tiles'), say('panel.none'), about='card-patrons')
    parts, labels, x = list[str](), list[str](), MEDAL + 1
    for kind, count in enumerate(kinds):
        used = uses[kind]
        for k in range(count):
            tilted = k < used
            medal, pale = medal_id(seat, kind, k), 0.45 if tilted else None
            parts.append(
                S.medal(KINDS[kind], x, HEAP / 2, MEDAL, 28 if tilted else 0, id=medal, opacity=pale)
            )
            # tiles of a patron lie on each other
            x += 2 * MEDAL - OVERLAP if k < count - 1 else 2 * MEDAL + 2
        if count:
            labels.append(say('panel.kind', n=count, patron=patron_word(kind), used=used))
    return PanelRow(say('panel.tiles'), '', heap_svg(x - MEDAL, ', '.join(labels), *parts), brief=True)


def _heaps(view: View, seat: int) -> Iterator[PanelRow]:
    """A seat's cubes: stock, reserve, neutral."""
    s = view.state
    yield _heap(seat, 'stock', view.colour(seat), int(s.stock[seat]))
    yield _heap(seat, 'reserve', view.colour(seat), int(s.reserve[seat]))
    if s.players == 2:
        yield _heap(seat, 'neutral', 'neutral', int(s.neutral_stock[seat]))


def _heap(seat: int, what: str, colour: str, count: int) -> PanelRow:
    """A cube and how many there are; a reserve is pale, since it cannot be used this season."""
    pale = 0.45 if what == 'reserve' else None
    cube = S.cube(colour, 9.5, 11, 14, id=heap_id(seat, what), opacity=pale)
    ink = 'text-2' if what == 'reserve' else 'text'
    text = card_text(str(count), 22, 15, 14.5, 650, ink, 'start')
    drawing = heap_svg(42, say(f'panel.{what}', n=count), cube, text)
    return PanelRow(say(f'panel.name.{what}'), '', drawing, brief=True)


# ---- cards -------------------------------------------------------------------------------------------------


def cards(view: View) -> tuple[Card, ...]:
    """The survey or the viewer's patrons, the museum (before them if a room is to be chosen), the passing
    scale, the exhibition, the tiles not yet seen."""
    s = view.state
    if s.ending:
        return _exhibition(view), museum.card(view)
    survey = [_survey(view)] if surveying(s) else []
    own = [_patrons(view)] if view.seat >= 0 and s.held[view.seat, : C.N_PATRONS].any() else []
    found = [*survey, museum.card(view), *own] if survey else [*own, museum.card(view)]
    if choices_of(s, view.actions).rooms:
        found.sort(key=lambda card: card.id != 'museum')
    found += [museum.scale_card(view), _exhibition(view)]
    if unseen := unseen_of(s):
        found.append(_unseen(unseen))
    return tuple(found)


# the viewer's patrons


def _patrons(view: View) -> Card:
    """The viewer's tiles, one pile a patron; usable ones can be clicked."""
    s, seat = view.state, view.seat
    usable = choices_of(s, view.actions).patrons
    own = [patron for patron in range(C.N_PATRONS) if s.held[seat, patron]]
    parts = [
        _pile(view, seat, patron, PITCH * (k % 3 + 0.5), ROW * (k // 3) + 53, patron in usable)
        for k, patron in enumerate(own)
    ]
    title = say('card.patrons.title')
    note = say('card.patrons.note')
    return Card('patrons', title, note, card_svg(CARD, ROW * (1 + (len(own) - 1) // 3), title, *parts))


def _pile(view: View, seat: int, patron: int, x: float, y: float, usable: bool) -> Markup:
    """A patron's tile, further ones of the same patron behind it; those that were used are tilted."""
    s = view.state
    n, used = int(s.held[seat, patron]), int(s.used[seat, patron])
    left, active = n - used, bool(s.appeal == patron and seat == s.to_move)
    kind = KINDS[patron]
    box: dict[str, float] = {
        'x': -TILE_WIDTH / 2,
        'y': -TILE_HEIGHT / 2,
        'width': TILE_WIDTH,
        'height': TILE_HEIGHT,
        'rx': 9,
    }
    behind = [
        tag(
            'rect',
            fill=CLOTHS[kind].base,
            stroke=CLOTHS[kind].dark,
            stroke_width=1.2,
            **box,
            transform=translate(1.2 * k, -2.5 * k, TILT if k >= left else 0),
        )
        for k in range(min(n, 3) - 1, 0, -1)
    ]
    front = tag(
        'g',
        *_face(kind, box),
        transform=translate(0, 0, TILT if not left and not active else 0),
        opacity=None if left or active else 0.5,
    )
    parts, own = [*behind, front], PAINTS[view.colour(seat)].base
    if active:
        parts.append(tag('rect', fill='none', stroke=own, stroke_width=4, **{**box, 'rx': 10}))
    if usable:
        parts.append(
            tag(
                'g',
                tag(
                    'rect', fill='none', stroke=var('legal-case'), stroke_opacity=0.75, stroke_width=5, **box
                ),
                tag('rect', fill='none', stroke=var('legal'), stroke_width=2.4, **box),
                class_='mark',
                opacity=0.85,
            )
        )
        parts += [
            tag('rect', class_='chosen-ring', display='none', fill='none', stroke=own, stroke_width=4, **box),
            focus_ring('rect', **box),
        ]
    key = 'active' if active else 'used' if not left else 'usable' if n == 1 else 'left'
    state = say(f'card.patrons.{key}', left=left, n=n)
    parts += [
        tag('rect', class_='hit', fill='none', pointer_events='all', **{**box, 'height': TILE_HEIGHT + 18}),
        card_text(state, 0, TILE_HEIGHT / 2 + 14, 11.5, 600 if left else 500, 'text' if left else 'text-2'),
    ]
    label = say('card.patrons.label', patron=patron_word(patron), power=say(f'power.{kind}'), state=state)
    return tag(
        'g',
        tag('g', *parts, transform=translate(x, y)),
        id=patron_id(patron),
        class_='patron target' if usable else 'patron',
        role='button' if usable else 'img',
        tabindex='0' if usable else None,
        aria_label=label,
    )


def _face(kind: str, box: dict[str, float]) -> Iterator[Markup]:
    """The patron's side of a tile: sign, name, power."""
    cloth = CLOTHS[kind]
    inner = {key: value + (4 if key in 'xy' else -8 if key != 'rx' else -3) for key, value in box.items()}
    yield tag('rect', fill=f'url(#{name(f"cloth-{kind}")})', stroke=cloth.dark, stroke_width=1.4, **box)
    yield tag('rect', fill='none', stroke=COLOURS['cream'], stroke_opacity=0.6, stroke_width=1.1, **inner)
    yield tag('circle', cy=-14, r=23, fill=COLOURS['cream'], fill_opacity=0.16)
    yield S.sign_of_patron(kind, translate(0, -14, scale=1.42))
    yield words(
        say(f'short.{kind}'), y=20, font_size=13.2, font_weight=750, text_anchor='middle', fill=cloth.ink
    )
    yield words(
        say(f'power.{kind}'), y=34, font_size=11, font_weight=550, text_anchor='middle', fill=cloth.ink
    )


# the survey


def _survey(view: View) -> Card:
    """Area by area the ranks, the claim, the tiles and their takers."""
    s = view.state
    parts, y = list[str](), 0.0
    for area in areas_of(s):
        now = area == s.area
        claim = card_lines(claim_words(view), CARD - 24, CLAIM) if now else []
        height = AREA_ROW + (CLAIM_ROW * max(CLAIM_LINES, len(claim)) + 4 if now else 0)
        parts.append(
            tag(
                'g',
                *_surveyed_area(view, area, height, claim),
                transform=translate(0, y),
                data_about=f'area-{C.AREAS[area]}',
            )
        )
        y += height + 3
    title = say('card.survey.title')
    return Card('survey', title, say('card.survey.note'), card_svg(CARD, y - 3, title, *parts))


def _surveyed_area(view: View, area: int, height: float, claim: Sequence[str]) -> Iterator[Markup]:
    """`claim`: the lines that say who chooses from what, in the area that is being surveyed."""
    s = view.state
    now, done, middle = area == s.area, surveyed(s, area), AREA_ROW / 2
    yield tag(
        'rect',
        width=CARD,
        height=height,
        rx=9,
        fill=var('surface-2'),
        fill_opacity=1 if now else 0.55,
        stroke=var('line-strong') if now else None,
        stroke_width=1.6,
    )
    yield tag(
        'circle',
        cx=20,
        cy=middle,
        r=12.5,
        fill=COLOURS['dune-3'],
        stroke=COLOURS['bronze'],
        opacity=0.5 if done else None,
    )
    yield words(
        C.AREAS[area],
        x=20,
        y=middle + 5.6,
        font_size=15.5,
        font_weight=800,
        text_anchor='middle',
        fill=COLOURS['ink'],
    )
    for k, (who, n) in enumerate(ranking(s, area)):
        past = now and k < s.next_rank
        yield tag(
            'g',
            S.sign(colour_of(view, who), 50 + 41 * k, middle, 0.74, PAINTS[colour_of(view, who)].deep),
            card_text(str(n), 66 + 41 * k, middle + 5.4, 15, 700),
            opacity=0.4 if past else None,
            role='img',
            aria_label=say('card.survey.rank', rank=k + 1, player=player_word(who, view.names), n=n),
        )
    if done:
        yield card_text(say('card.survey.done'), 42, middle + 4.5, 12, 500, 'text-2', 'start')
    for k, tile in enumerate(tiles_in(s, area)):
        yield _fate(view, tile, CARD - 86 + 47 * k, middle)
    for k, line in enumerate(claim):
        yield card_text(line, 12, AREA_ROW + 12 + CLAIM_ROW * k, CLAIM, 650, 'text', 'start')


def _fate(view: View, tile: int, x: float, y: float) -> Markup:
    """A tile of the survey: it lies, somebody has taken it, or it is gone."""
    owner, label = int(view.state.owner[tile]), tile_words(tile)
    parts = [S.medal(KINDS[C.PATRON_OF[tile]], x, y, 13, opacity=0.28 if owner == GONE else None)]
    if owner == GONE:
        label = say('board.gone', tile=label)
    elif owner < LYING:
        colour = colour_of(view, owner)
        label = say('board.taken', tile=label, player=player_word(owner, view.names))
        parts.append(S.sign(colour, x + 17, y + 4, 0.68, PAINTS[colour].deep))
    elif C.POINTS_OF[tile]:
        parts.append(card_text(f'+{C.POINTS_OF[tile]}', x + 22, y + 5, 12, 700, 'text-2'))
    return tag('g', *parts, role='img', aria_label=label, data_about=tile_id(tile))


# the exhibition


def _exhibition(view: View) -> Card:
    """The points of each player's exhibition: tiles times the best room of each patron's wing, sets of five;
    at the end the winner first."""
    s = view.state
    over = bool(s.ending)
    seats = standings(s) if over else from_viewer(view)
    parts = [
        tag('g', *_shown(view, seat), transform=translate(0, SHOW_ROW * k), data_about=f'show-{seat}')
        for k, seat in enumerate(seats)
    ]
    title = say('card.exhibition.final' if over else 'card.exhibition.title')
    return Card('exhibition', title, '', card_svg(CARD, SHOW_ROW * len(seats) - 8, title, *parts), tray=over)


def _shown(view: View, seat: int) -> Iterator[Markup]:
    """The exhibition of a player."""
    s, colour, player = view.state, view.colour(seat), player_word(seat, view.names)
    show, over = show_of(s, seat), bool(s.ending)
    before, won = int(s.points[seat]) - (show.total if over else 0), over and seat in winners_of(s)
    yield tag(
        'rect',
        width=CARD,
        height=SHOW_ROW - 8,
        rx=9,
        fill=var('last-soft') if won else var('surface-2'),
        fill_opacity=1 if won else 0.7,
        stroke=var('last-bar') if won else None,
    )
    yield S.sign(colour, 18, SHOW_HEAD / 2, 0.82, PAINTS[colour].deep)
    key = 'sum_over' if over else 'sum'
    sums = say(
        f'card.exhibition.{key}',
        points=before,
        total=show.total,
        sum=before + show.total,
        stock=int(s.stock[seat]),
    )
    name = cut_name(player, CARD - 52 - letters_width(sums, 12.5), 13.5)
    yield card_text(name, 34, SHOW_HEAD / 2 + 5, 13.5, 700, 'text', 'start')
    yield card_text(sums, CARD - 10, SHOW_HEAD / 2 + 5, 12.5, 650, 'text', 'end')
    width = (CARD - 12) / 6
    for patron in range(C.N_PATRONS):
        yield _times(show, patron, 6 + width * (patron + 0.5))
    yield tag(
        'g',
        card_text(
            say('card.exhibition.sets', points=5 * show.sets),
            6 + width * 5.5,
            SHOW_HEAD + 18,
            13,
            700,
            'text' if show.sets else 'text-3',
        ),
        card_text(say('card.exhibition.set'), 6 + width * 5.5, SHOW_HEAD + 37, 11, 500, 'text-2'),
        role='img',
        aria_label=say(
            'card.exhibition.sets_label',
            sets=count_words('sets', show.sets),
            points=count_words('points', 5 * show.sets),
        ),
    )


def _times(show: Show, patron: int, x: float) -> Markup:
    """Tiles of a patron times the best room of its wing."""
    n, times = show.tiles[patron], show.times[patron]
    room = say('card.exhibition.room', value=times) if times > 1 else say('card.exhibition.no_room')
    return tag(
        'g',
        S.medal(KINDS[patron], x - 14.5, SHOW_HEAD + 12.5, 9, opacity=None if n else 0.4),
        card_text(f'{n}×{times}', x + 10, SHOW_HEAD + 17, 12.2, 700, 'text' if n else 'text-3'),
        card_text(room, x, SHOW_HEAD + 37, 11, 500, 'text-2' if n or times > 1 else 'text-3'),
        role='img',
        aria_label=say(
            'card.exhibition.label',
            patron=patron_word(patron),
            tiles=count_words('tiles', n),
            room=room,
            points=count_words('points', n * times),
        ),
    )


# the tiles not yet seen


def _unseen(unseen: Sequence[int]) -> Card:
    """The number of tiles of each patron still to come."""
    counts = [sum(C.PATRON_OF[tile] == kind for tile in unseen) for kind in range(len(KINDS))]
    width = CARD / len(KINDS)
    parts = [
        tag(
            'g',
            S.medal(KINDS[kind], width * (kind + 0.5) - 11, 14, 11, opacity=None if n else 0.35),
            card_text(str(n), width * (kind + 0.5) + 11, 19, 14, 700, 'text' if n else 'text-3'),
            role='img',
            aria_label=say('card.unseen.label', n=n, patron=patron_word(kind)),
        )
        for kind, n in enumerate(counts)
    ]
    title = say('card.unseen.title')
    return Card('unseen', title, say('card.unseen.note', n=sum(counts)), card_svg(CARD, 28, title, *parts))
