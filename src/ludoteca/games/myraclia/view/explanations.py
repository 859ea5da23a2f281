"""What everything in Myraclia is: tiles, cubes, disks, tokens, columns, the zone, payments, points."""

from __future__ import annotations

from ludoteca.game import Explanation, View
from ludoteca.text import capitalized
from ludoteca.text.players import player_word

from .. import components as C
from .. import rules as R
from ..notation import cell_name
from ..rules import ASIDE, NONE, Phase, State
from .facts import (
    cells_by_id,
    choices_of,
    coin_id,
    cubes_of,
    display_id,
    drafted,
    element_word,
    elements_words,
    free_elements,
    gains_of,
    heap_words,
    holder_of,
    in_turn,
    lent_of,
    listed,
    marked,
    missing_of,
    order_now,
    paid_of,
    place_of,
    points_words,
    say,
    scoring_of,
    surfaces_word,
    symbols_of,
    tile_name,
    tile_of,
    token_words,
    turned_id,
    zone_of,
)

# chapters of the rulebook
PARTS, DRAFT, EXCHANGE, TERRAFORM, WILD = (
    'what-there-is',
    'the-draft',
    'exchange',
    'terraforming',
    'wild-cards',
)
RESERVE, LAND, ROUND_END, SCORING, TOKENS = (
    'reserving',
    'new-land',
    'the-end-of-a-round',
    'scoring',
    'eternity',
)
DARK, START, GLANCE = 'darkness', 'arranging-the-start', 'a-round-at-a-glance'
# things without a state of their own -> their chapter
PLAIN = {
    'bag': PARTS, 'discard': PARTS, 'tokens': TOKENS, 'zone': EXCHANGE,
    'drafting': DRAFT, 'terraforming': DRAFT,
    'card-start': START, 'card-draft': DRAFT, 'card-order': DRAFT, 'card-payment': TERRAFORM,
    'card-display': LAND,
    'card-token': TOKENS, 'card-bags': PARTS, 'card-scoring': SCORING, 'card-round': GLANCE,
    'line-printed': TERRAFORM, 'line-tokens': TOKENS, 'line-own': TERRAFORM, 'line-others': TERRAFORM,
    'line-reserved': RESERVE, 'line-earlier': SCORING, 'line-surface': SCORING, 'line-types': SCORING,
    'line-area': SCORING,
}  # fmt: skip
TOKEN_OF_ID = {id_(token): token for token in range(len(C.TOKENS)) for id_ in (coin_id, turned_id)}
DISPLAY_OF_ID = {display_id(tile): tile for tile in range(C.N_TILES)}
HEAPS = ('draft', 'group', 'pool', 'zone', 'put', 'add', 'use', 'pay')

BUTTONS = {
    'do-pass': 'the-draft',
    'do-end': 'new-land',
    'do-reserve': 'reserving',
    'do-change': 'reserving',
    'do-done': 'reserving',
    'do-pay': 'wild-cards',
    'do-put_all': 'reserving',
}
"""Buttons of the prompt -> the chapter or paragraph about them."""


def explain(view: View, element: str) -> Explanation | None:
    """What a thing of the map, a card or a panel is."""
    if element.startswith('do:'):
        return Explanation.of_button(say, element, BUTTONS)
    s = view.state
    if element in PLAIN:
        return _plain(s, element)
    if element in cells_by_id():
        return _place(view, cells_by_id()[element])
    if element in DISPLAY_OF_ID:
        return _offered(view, DISPLAY_OF_ID[element])
    if element in TOKEN_OF_ID:
        return _token(TOKEN_OF_ID[element])
    kind, _, name = element.partition('-')
    colour, _, way = name.partition('-')
    if kind == 'cube' and way in C.COLOURS and colour in C.TILES:
        return Explanation.of(say, 'cube_on', chapter=RESERVE, element=_title(way))
    tile = C.TILES.index(colour) if kind in ('disk', 'free') and colour in C.TILES else tile_of(element)
    if tile != NONE:
        return _on_map(view, kind, tile) if s.where[tile] != NONE else None
    if kind in HEAPS and colour in C.COLOURS:
        return _cubes(view, kind, C.COLOURS.index(colour), way)
    return _of_seat(view, kind, name)


def _plain(s: State, element: str) -> Explanation:
    """A thing without a state of its own."""
    first, later = C.DRAFT_FIRST[s.players], C.DRAFT[s.players]
    apart = element == 'bag' and first != later
    return Explanation.of(
        say,
        element,
        say('about.bag.first', cubes=first) if apart else '',
        chapter=PLAIN[element],
        types=points_words(C.ALL_TYPES),
        overtaken=points_words(C.OVERTAKEN),
        cubes=later,
    )


def _title(colour: str) -> str:
    """An element at the beginning of a title."""
    return capitalized(say(f'element.{colour}'))


# ---- the map -----------------------------------------------------------------------------------------------


def _on_map(view: View, kind: str, tile: int) -> Explanation | None:
    """A tile of the map, or the disk or the free element on it."""
    s = view.state
    owner, holder = int(s.owner[tile]), int(holder_of(s, tile))
    marks = owner if owner != NONE else holder
    values = {
        'tile': tile_name(s, tile),
        'surfaces': surfaces_word(tile),
        'player': player_word(marks, view.names) if marks != NONE else '',
    }
    if kind == 'disk':
        if marks == NONE:
            return None
        key, chapter = ('disk_living', TERRAFORM) if owner != NONE else ('disk_reserved', RESERVE)
        return Explanation.of(say, key, chapter=chapter, **values)
    if tile >= C.FIRST_DARK:
        return Explanation.of(say, 'dark', chapter=DARK, **values)
    element = element_word(C.RELEASED[tile]) if C.RELEASED[tile] >= 0 else ''
    if owner != NONE:
        if kind == 'free':
            return (
                Explanation.of(say, 'free', chapter=ROUND_END, element=element, **values) if element else None
            )
        more = say('about.each_round', cube=_released(tile), **values) if element else ''
        return Explanation.of(say, 'living', more, chapter=TERRAFORM, **values)
    key, chapter = ('reserved', RESERVE) if holder != NONE else ('barren', TERRAFORM)
    return Explanation.of(
        say, key, _missing(view, tile), _now(view, tile), chapter=chapter,
        price=elements_words(C.REQUIRED[tile]), gain=_gain(tile), **values,
    )  # fmt: skip


def _gain(tile: int) -> str:
    """What is printed on a tile for whoever terraforms it."""
    found = [points_words(C.POINTS[tile])] if C.POINTS[tile] else []
    if C.RELEASED[tile] >= 0:
        found.append(_released(tile))
    return listed(found) if found else say('about.nothing')


def _released(tile: int) -> str:
    """The cube that a tile releases, and gives each round."""
    return marked(say('about.released', element=element_word(C.RELEASED[tile])), 'released')


def _missing(view: View, tile: int) -> str:
    """What is still to be paid, if some of it lies there."""
    s = view.state
    return say('about.missing', elements=elements_words(missing_of(s, tile))) if s.cubes_on[tile] else ''


def _now(view: View, tile: int) -> str:
    """What the viewer can do with a tile of the map now, and what it would bring."""
    choices = choices_of(view.state, view.actions)
    if tile in choices.tokens:
        return say('about.lay_token')
    if tile in choices.tiles:
        return say('about.terraform', points=points_words(gains_of(view.state, tile).total))
    return say('about.reserve') if tile in choices.reserves else ''


def _place(view: View, cell: int) -> Explanation:
    """A place without a tile."""
    now = say('about.lay_here') if cell in choices_of(view.state, view.actions).places else ''
    chapter = START if view.state.phase == Phase.ARRANGE else LAND
    return Explanation.of(say, 'place', now, chapter=chapter, place=cell_name(cell))


def _offered(view: View, tile: int) -> Explanation | None:
    """A tile of the display, or one of those to begin with."""
    s = view.state
    if tile >= C.FIRST_DARK:
        return Explanation.of(say, 'dark', chapter=DARK)
    key, chapter = ('starting', START) if s.phase == Phase.ARRANGE else ('display', LAND)
    return Explanation.of(
        say, key, chapter=chapter, surfaces=surfaces_word(tile),
        price=elements_words(C.REQUIRED[tile]), gain=_gain(tile),
    )  # fmt: skip


def _token(token: int) -> Explanation:
    """An Eternity token."""
    kind = C.KINDS[C.TOKEN_KIND[token]]
    key = 'token_stays' if C.TOKEN_KIND[token] in (C.FREE_TOKEN, C.SURFACE_TOKEN) else 'token_once'
    return Explanation.of(say, key, say(f'about.token.{kind}'), chapter=TOKENS, token=token_words(token))


# ---- cubes -------------------------------------------------------------------------------------------------


def _cubes(view: View, kind: str, colour: int, way: str) -> Explanation | None:
    """Cubes of an element: a column of the drafting board, those that may be used, or a way to pay."""
    s = view.state
    values: dict[str, object] = {'element': element_word(colour), 'title': _title(C.COLOURS[colour])}
    if kind in ('draft', 'group'):
        return _column(view, colour, values)
    if kind == 'zone':
        return Explanation.of(say, 'zone_cube', chapter=EXCHANGE, n=zone_of(s)[colour], **values)
    if not in_turn(s):
        return None
    values |= {'player': player_word(int(s.to_move), view.names)}
    if kind == 'pool':
        paid, lent = paid_of(s), lent_of(s)
        values |= {'n': int(s.pool[colour]) - paid[colour], 'budget': int(s.budget) - sum(paid)}
        more = say('about.lent', n=lent[colour]) if lent[colour] else ''
        return Explanation.of(say, 'pool', more, chapter=EXCHANGE, **values)
    if kind == 'pay' and way:
        given = way.rpartition('-')[2]
        if given != 'five' and given not in C.COLOURS:
            return None
        values['of'] = say(f'element.{given}') if given != 'five' else ''
        return Explanation.of(say, 'pay_five' if given == 'five' else 'pay_three', chapter=WILD, **values)
    return Explanation.of(say, kind, chapter={'pay': TERRAFORM, 'use': WILD}.get(kind, RESERVE), **values)


def _column(view: View, colour: int, values: dict[str, object]) -> Explanation:
    """A column of the drafting board: its cubes, and whose disks stand below."""
    s = view.state
    column = int(s.column[colour])
    below = [
        player_word(seat, view.names)
        for seat in range(int(s.players))
        if 0 <= s.disk[seat] < ASIDE and s.disk[seat] == column
    ]
    now = ''
    if colour in choices_of(s, view.actions).drafts:
        now = say(f'about.column.{_disk_goes(s, view.seat, colour)}')
    who = say('about.column.below', players=listed(below)) if below else ''
    return Explanation.of(say, 'column', who, now, chapter=DRAFT, n=int(s.board[colour]), **values)


def _disk_goes(s: State, seat: int, colour: int) -> str:
    """What drafting a cube would do to the disk of the seat to move, and to its place in the terraforming
    order."""
    if s.disk[seat] == NONE:
        return 'first'
    if s.column[colour] >= s.disk[seat]:
        return 'stays'
    return 'later' if drafted(s, colour).place > order_now(s).index(seat) + 1 else 'moves'


# ---- what players have -------------------------------------------------------------------------------------


def _of_seat(view: View, kind: str, name: str) -> Explanation | None:
    """A thing in the panel of a seat."""
    s, (seat, _, rest) = view.state, name.partition('-')
    if seat not in map(str, range(int(s.players))):
        return None
    who = int(seat)
    values: dict[str, object] = {'player': player_word(who, view.names)}
    if kind == 'held' and rest in C.COLOURS:
        colour = C.COLOURS.index(rest)
        values |= {'n': cubes_of(s, who)[colour], 'title': _title(rest), 'element': element_word(colour)}
        return Explanation.of(say, 'held', chapter=DRAFT, **values)
    if kind == 'surface' and rest in C.SURFACES:
        surface = C.SURFACES.index(rest)
        values |= {'surface': say(f'surface.{rest}'), 'n': symbols_of(s, who)[surface]}
        values |= {'types': points_words(C.ALL_TYPES)}
        return Explanation.of(say, 'surface', chapter=SCORING, **values)
    if rest:
        return None
    if kind == 'score':
        found = scoring_of(s, who)
        values |= {'points': points_words(int(s.points[who])), 'total': found.total}
        return Explanation.of(say, 'score', chapter=SCORING, **values)
    if kind == 'disks':
        values |= {
            'n': C.DISKS[s.players] - int(R.n_disks(s, who)),
            'of': C.DISKS[s.players],
            'end': C.END_TILES[s.players],
        }
        return Explanation.of(say, 'disks', chapter=PARTS, **values)
    if kind == 'income' and any(free := free_elements(s, who)):
        return Explanation.of(say, 'income', chapter=ROUND_END, cubes=heap_words(free), **values)
    if kind == 'holds' and s.reserved[who] != NONE:
        tile = int(s.reserved[who])
        values |= {'place': place_of(s, tile), 'missing': elements_words(missing_of(s, tile))}
        return Explanation.of(say, 'holds', chapter=RESERVE, **values)
    return None
