"""What everything in Mykerinos is: spaces, tiles, patrons, areas, rooms, cubes, points, the scale."""

from __future__ import annotations

from ludoteca.game import Explanation, View
from ludoteca.text.players import listed

from .. import components as C
from .. import rules as R
from ..rules import LYING, NEUTRAL, NOBODY, Phase, State
from .facts import (
    KINDS,
    areas_of,
    choices_of,
    count_words,
    cubes_of,
    player_word,
    pyramids_of,
    ranking,
    room_id,
    room_words,
    rows_of,
    say,
    scale_of,
    show_of,
    surveyed,
    surveying,
    tile_title,
    tiles_in,
)
from .targets import PATRON_OF_ID, SPACE_OF_ID, TILE_OF_ID

# chapters of the rulebook
PATRONS, DIGGING, SURVEY, MUSEUM = 'the-patrons', 'excavation', 'survey', 'what-there-is'
CUBES, SEASON, END = 'new-tiles-new-cubes', 'a-season', 'the-end-of-the-game-the-exhibition'
TWO = 'two-players'
CARDS = {
    'card-survey': SURVEY,
    'card-museum': MUSEUM,
    'card-patrons': PATRONS,
    'card-scale': DIGGING,
    'card-exhibition': END,
    'card-unseen': MUSEUM,
}

BUTTONS = {
    'do-extend': 'excavation.extend-an-excavation',
    'do-pass': 'excavation.pass',
    'do-nothing': 'survey',
    'do-neutral-start': 'two-players',
    'do-neutral-extend': 'two-players',
}
"""Buttons of the prompt -> the chapter or paragraph about them."""


def explain(view: View, element: str) -> Explanation | None:
    """What a thing of the region, the museum, another card or a panel is."""
    if element.startswith('do:'):
        return Explanation.of_button(say, element, BUTTONS)
    s = view.state
    if element in SPACE_OF_ID:
        return _space(view, SPACE_OF_ID[element])
    tile = element.replace('face-', 'tile-', 1)
    if tile in TILE_OF_ID:
        return _tile(view, TILE_OF_ID[tile])
    if element in PATRON_OF_ID:
        return _patron(view, view.seat, PATRON_OF_ID[element]) if view.seat >= 0 else None
    if element in CARDS:
        return Explanation.of(say, element, chapter=CARDS[element])
    if element == 'season':
        return Explanation.of(say, 'season', chapter=SEASON, season=int(s.season) + 1, of=C.N_SEASONS)
    kind, _, name = element.partition('-')
    if kind in ('room', 'exhibit'):
        rooms = {room_id(s, room): room for room in range(C.N_ROOMS)}
        return _room(view, rooms[f'room-{name}']) if f'room-{name}' in rooms else None
    if kind == 'area' and name in tuple(C.AREAS) and C.AREAS.index(name) in areas_of(s):
        area = C.AREAS.index(name)
        return Explanation.of(say, 'area', _leading(view, area), chapter=SURVEY, area=name)
    if kind == 'wing' and name in C.PATRONS:
        patron = C.PATRONS.index(name)
        return Explanation.of(say, 'wing', chapter=MUSEUM, patron=say(f'patron.{name}'), rest=_power(patron))
    if kind == 'scale' and name in ('0', '1', '2', '3'):
        return _step(view, int(name))
    return _of_seat(view, kind, name)


# ---- the region --------------------------------------------------------------------------------------------


def _space(view: View, space: int) -> Explanation | None:
    """A space: what it is, whose cube is there, who leads in its area."""
    s = view.state
    if space >= 24 * rows_of(s):
        return None
    who, area = cubes_of(s).get(space, NOBODY), C.AREA_OF[space]
    values = {
        'space': C.SPACES[space],
        'area': C.AREAS[area],
        'player': '' if who == NOBODY else player_word(who, view.names),
    }
    if who != NOBODY:
        return Explanation.of(
            say, 'cube_neutral' if who == NEUTRAL else 'cube', _leading(view, area), chapter=SURVEY, **values
        )
    key = 'pyramid' if space in pyramids_of(s) else 'space'
    return Explanation.of(
        say, key, _leading(view, area), chapter=PATRONS if key == 'pyramid' else DIGGING, **values
    )


def _leading(view: View, area: int) -> str:
    """Who would choose in which order if the area was surveyed now."""
    s = view.state
    if surveyed(s, area):
        return say('about.surveyed', area=C.AREAS[area])
    ranks = [say('back', player=player_word(who, view.names), n=n) for who, n in ranking(s, area)]
    key = 'about.leading' if ranks else 'about.nobody'
    return say(key, area=C.AREAS[area], ranks=', '.join(ranks))


def _power(kind: int) -> str:
    """What a patron does for the owner of a tile."""
    return say(f'about.power.{KINDS[kind]}')


def _tile(view: View, tile: int) -> Explanation | None:
    """A tile of the season: how it is got, what its patron does, who has it."""
    s = view.state
    area = next((area for area in areas_of(s) if tile in tiles_in(s, area)), None)
    if area is None:
        return None
    owner, kind = int(s.owner[tile]), C.PATRON_OF[tile]
    if owner == LYING:
        points = C.POINTS_OF[tile]
        now = say(
            'about.take'
            if tile in choices_of(s, view.actions).tiles and s.phase == Phase.CLAIM
            else 'about.later'
        )
        gain = say('about.gain', points=count_words('points', points)) if points else ''
        return Explanation.of(
            say, 'tile', _power(kind), gain if not surveying(s) else now, chapter=PATRONS,
            tile=tile_title(tile), area=C.AREAS[area],
        )  # fmt: skip
    key = 'taken' if owner < LYING else 'gone'
    player = player_word(owner, view.names) if owner < LYING else ''
    return Explanation.of(
        say, key, _power(kind) if player else '', chapter=PATRONS, tile=tile_title(tile), player=player
    )


# ---- what players have -------------------------------------------------------------------------------------


def _patron(view: View, seat: int, kind: int) -> Explanation | None:
    """The tiles of a patron that a seat has: what they do, how many are left, what they are worth."""
    s = view.state
    n = int(s.held[seat, kind])
    if not n:
        return None
    values = {'patron': say(f'patron.{KINDS[kind]}'), 'player': player_word(seat, view.names)}
    if kind == C.BLANK:
        return Explanation.of(say, 'blank', chapter=MUSEUM, **values)
    left = n - int(s.used[seat, kind])
    times = show_of(s, seat).times[kind]
    return Explanation.of(
        say,
        'patron',
        _power(kind),
        say('about.worth', times=times),
        chapter=PATRONS,
        n=n,
        left=left,
        **values,
    )


def _room(view: View, room: int) -> Explanation:
    """A room of the museum: what it gives, whose cube is there, who may enter."""
    s = view.state
    owner, five = int(s.room[room]), room in C.FIVES
    key = 'room_taken' if owner != NOBODY else 'five' if five else 'room'
    now = ''
    if owner == NOBODY and view.seat >= 0 and not s.ending:
        open_ = int(R.rooms_open(s, view.seat)) >> room & 1
        now = say('about.open' if open_ else 'about.closed')
    return Explanation.of(
        say, key, now, chapter=MUSEUM, room=room_words(s, room), value=C.ROOM_POINTS[room],
        player=player_word(owner, view.names) if owner != NOBODY else '',
        wings=listed([say(f'patron.{C.PATRONS[patron]}') for patron in _patrons_of(s, room)]),
    )  # fmt: skip


def _patrons_of(s: State, room: int) -> list[int]:
    """The patrons of a room's wings."""
    at = {int(s.wing[patron]): patron for patron in range(C.N_PATRONS)}
    return [at[wing] for wing in C.wings_of(room)]


def _step(view: View, k: int) -> Explanation | None:
    """A space of the passing scale."""
    s = view.state
    if k >= max(3, int(s.players)):
        return None
    who = next((who for who, place in scale_of(s).items() if place == k), NOBODY)
    now = (
        say('about.stands', player=player_word(who, view.names)) if who != NOBODY else say('about.step_free')
    )
    return Explanation.of(say, 'scale', now, chapter=TWO if who == NEUTRAL else DIGGING, place=k + 1)


def _of_seat(view: View, kind: str, name: str) -> Explanation | None:
    """A thing in the panel of a seat, or its line in the exhibition."""
    s, (seat, _, rest) = view.state, name.partition('-')
    if seat not in map(str, range(int(s.players))):
        return None
    who = int(seat)
    if kind == 'medal':
        patron = rest.rpartition('-')[0]
        return _patron(view, who, KINDS.index(patron)) if patron in KINDS else None
    counts = {'stock': s.stock, 'reserve': s.reserve}
    if s.players == 2:
        counts['neutral'] = s.neutral_stock
    values = {'player': player_word(who, view.names)}
    if kind in counts and not rest:
        chapter = TWO if kind == 'neutral' else CUBES
        return Explanation.of(say, kind, chapter=chapter, n=int(counts[kind][who]), **values)
    if kind in ('score', 'show') and not rest:
        total = show_of(s, who).total
        points = int(s.points[who]) - (total if s.ending else 0)
        more = {'points': points, 'total': total, 'sum': points + total}
        return Explanation.of(say, kind, chapter=END, **more, **values)
    return None
