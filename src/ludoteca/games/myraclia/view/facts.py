"""Facts of a state of Myraclia for everything that people see: names and ids of things, legal choices, the
cost of payments, the gains of tiles, the final scoring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludoteca.game import is_unprinted
from ludoteca.game.seats import highest
from ludoteca.kernel import Array
from ludoteca.text import Words, players
from ludoteca.text.players import player_word

from .. import components as C
from .. import rules as R
from ..notation import cell_name, tiles_to_lay
from ..rules import NONE, Phase, State

say = Words(Path(__file__).parent.parent)

TURN_PHASES = frozenset((Phase.TURN, Phase.PAY, Phase.FIVES, Phase.PUT, Phase.PLACE))
PAYING = (Phase.PAY, Phase.FIVES, Phase.PUT)
LAYING = (Phase.PLACE, Phase.ARRANGE)  # tiles are laid
# the chapter of the rules that says how all is known
RECONSTRUCTED = 'what-is-reconstructed'
TILES_KEPT = 1 << 12  # tiles of surfaces whose words are kept: most lie as they did in the turn before
KEPT = 256  # answers about states: drawing, cards and panels of all viewers ask the same


def certain(part: str) -> bool:
    """Is this part of the table of components known to be what is printed?"""
    return not is_unprinted(C.CERTAINTY[part])


def marked(text: str, part: str) -> str:
    """A text, with the mark of uncertainty if this part of the table is not certain."""
    return text if certain(part) else say('unsure', text=text)


def footnote_of(tiles: Iterable[int]) -> str:
    """The footnote of tiles whose released elements are not certain; '' if none of them releases anything."""
    shown = any(tile != NONE and C.RELEASED[tile] >= 0 for tile in tiles)
    return say('unsure_released') if shown and not certain('released') else ''


def _state(data: bytes) -> State:
    """A state from its bytes."""
    state: State = np.frombuffer(data, State.DTYPE)[0]
    return state.copy()  # kernels take records that could be written


# ---- names and ids -----------------------------------------------------------------------------------------


def listed(parts: Sequence[str]) -> str:
    """Several things as a list in words, or that there are none."""
    return players.listed(parts, say('game.none'))


def element_word(colour: int) -> str:
    """An element in words."""
    return say(f'element.{C.COLOURS[colour]}')


def elements_words(colours: Iterable[int]) -> str:
    """Elements as a list in words."""
    return listed([element_word(colour) for colour in colours])


def heap_words(cubes: Sequence[int]) -> str:
    """A heap of cubes as a list in words."""
    return listed([say('heap', n=n, element=element_word(colour)) for colour, n in enumerate(cubes) if n])


def surfaces_word(tile: int) -> str:
    """The surfaces of a tile in words."""
    return listed([say(f'surface.{C.SURFACES[surface]}') for surface in C.SURFACES_OF[tile]])


def token_words(token: int) -> str:
    """An Eternity token in words."""
    kind, value = C.KINDS[C.TOKEN_KIND[token]], C.TOKEN_VALUE[token]
    if C.TOKEN_KIND[token] == C.POINT_TOKEN:
        return points_words(value)
    return say(
        f'token.{kind}',
        what=say(f'surface.{C.SURFACES[value]}')
        if C.TOKEN_KIND[token] == C.SURFACE_TOKEN
        else element_word(value),
    )


def points_words(n: int) -> str:
    """A number of points in words."""
    return say('point' if abs(n) == 1 else 'points', n=n)


@cache
def face_words(tile: int) -> str:
    """The barren side of a tile in words."""
    if tile >= C.FIRST_DARK:
        return say('tile.dark', tile=C.TILES[tile])
    prizes = [points_words(C.POINTS[tile])] if C.POINTS[tile] else []
    if C.RELEASED[tile] >= 0:
        prizes.append(say('tile.releases', element=element_word(C.RELEASED[tile])))
    text = say(
        'tile.cost',
        tile=C.TILES[tile],
        surfaces=surfaces_word(tile),
        elements=elements_words(C.REQUIRED[tile]),
    )
    return say('tile.brings', tile=text, prizes=', '.join(prizes)) if prizes else text


def tile_words(s: State, tile: int, names: Sequence[str] = ()) -> str:
    """A tile of the surface in words: whose it is, or what it costs; cubes and tokens on it."""
    owner, holder = (
        '' if seat == NONE else player_word(seat, names) for seat in (int(s.owner[tile]), holder_of(s, tile))
    )
    return _tile_words(tile, owner, holder, int(s.cubes_on[tile]), int(s.tokens_on[tile]))


@lru_cache(maxsize=TILES_KEPT)
def _tile_words(tile: int, owner: str, holder: str, cubes: int, tokens: int) -> str:
    """`owner`, and who has reserved it (`holder`), by their names, '' for nobody."""
    if owner:
        text = say('tile.terraformed', tile=C.TILES[tile], surfaces=surfaces_word(tile), player=owner)
        if C.RELEASED[tile] >= 0:
            text = say(
                'tile.brings', tile=text, prizes=say('tile.gives', element=element_word(C.RELEASED[tile]))
            )
    else:
        text = face_words(tile)
    if holder:
        text = say('tile.reserved', tile=text, player=holder)
    if cubes:
        text = say('tile.cubes', tile=text, elements=elements_words(bits_of(cubes)))
    if tokens:
        text = say('tile.tokens', tile=text, tokens=', '.join(map(token_words, bits_of(tokens))))
    return text


def tile_name(s: State, tile: int) -> str:
    """A tile of the map in short: its surfaces and its place."""
    return say('tile.at', surfaces=kind_word(tile), place=place_of(s, tile))


def kind_word(tile: int) -> str:
    """What a tile is as the board shows it: its surfaces, or Darkness."""
    return say('tile.darkness') if tile >= C.FIRST_DARK else surfaces_word(tile)


def place_of(s: State, tile: int) -> str:
    """The name of the place of a tile."""
    return cell_name(int(s.where[tile]))


def tile_id(s: State, tile: int) -> str:
    """The id of a tile of the surface as something to click: `tile-P04`, `tile-P04-2` and `tile-P04-3` for
    the later actions of a turn, `tile-P04-add` while tiles are added.

    A page lets people choose the steps of a turn anew by what was clicked for them. A click on a tile that
    cannot be paid after the first action would so replace that action; with another id it is a click that is
    answered by why it makes none."""
    stage = (
        ''
        if not in_turn(s)
        else '-add'
        if s.phase == Phase.PLACE
        else f'-{s.n_actions + 1}'
        if s.n_actions
        else ''
    )
    return f'tile-{C.TILES[tile]}{stage}'


# how the ids of things on the surface begin; the name of their tile follows
ON_TILES = ('tile', 'face', 'cube')


def tile_of(id_: str) -> int:
    """The tile of the surface that an id means, NONE for none."""
    kind, *rest = id_.split('-')
    return C.TILES.index(rest[0]) if kind in ON_TILES and rest and rest[0] in C.TILES else NONE


def face_id(tile: int) -> str:
    """The id of what is seen of it: this moves when it is laid or turned over."""
    return f'face-{C.TILES[tile]}'


def display_id(tile: int) -> str:
    """The id of a tile of the display."""
    return f'display-{C.TILES[tile]}'


def cube_id(tile: int, colour: int) -> str:
    """The id of a cube on a tile."""
    return f'cube-{C.TILES[tile]}-{C.COLOURS[colour]}'


def disk_id(tile: int) -> str:
    """The id of the disk on a terraformed or reserved tile."""
    return f'disk-{C.TILES[tile]}'


def symbol_id(tile: int) -> str:
    """The id of the free element that a terraformed tile shows."""
    return f'free-{C.TILES[tile]}'


def group_id(colour: int) -> str:
    """The id of the topmost cube of a group on the drafting board."""
    return f'group-{C.COLOURS[colour]}'


def held_id(seat: int, colour: int) -> str:
    """The id of the cube that stands for those of a colour in a seat's panel."""
    return f'held-{seat}-{C.COLOURS[colour]}'


def pool_id(colour: int) -> str:
    """The id of the cube that stands for those of a colour among the cubes of the seat to move."""
    return f'pool-{C.COLOURS[colour]}'


def zone_id(colour: int) -> str:
    """The id of the cube that stands for those of a colour in the exchange zone."""
    return f'zone-{C.COLOURS[colour]}'


def turned_id(token: int) -> str:
    """The id of the Eternity token that was turned up."""
    return f'turned-{C.TOKENS[token]}'


def coin_id(token: int) -> str:
    """The id of an Eternity token on the surface."""
    return f'coin-{C.TOKENS[token]}'


@cache
def place_id(cell: int) -> str:
    """The id of a place without a tile."""
    return 'place-' + '_'.join(str(k).replace('-', 'm') for k in C.place_of(cell))


@lru_cache(maxsize=1)
def cells_by_id() -> dict[str, int]:
    """The places by their ids."""
    return {place_id(cell): cell for cell in range(C.N_CELLS)}


@cache
def element_id(action: int) -> str:
    """The id of a cube, or of a way to pay, by the action: `draft-blue`, `pay-red`, `pay-blue-3-green`,
    `pay-white-five`."""
    if R.TRIPLE <= action < R.FIVE:
        colour, given = divmod(action - R.TRIPLE, C.N_COLOURS)
        return f'pay-{C.COLOURS[colour]}-3-{C.COLOURS[given]}'
    if R.FIVE <= action < R.USE:
        return f'pay-{C.COLOURS[action - R.FIVE]}-five'
    first, word = next(
        (first, word)
        for first, word in (
            (R.PUT, 'put'),
            (R.USE, 'use'),
            (R.PAY, 'pay'),
            (R.ADD, 'add'),
            (R.DRAFT, 'draft'),
        )
        if action >= first
    )
    return f'{word}-{C.COLOURS[action - first]}'


# ---- sets and seats ----------------------------------------------------------------------------------------


def bits_of(bits: int) -> list[int]:
    """The numbers in a set of bits."""
    return [k for k in range(bits.bit_length()) if bits >> k & 1]


def heap(cubes: Array) -> list[int]:
    """A heap of cubes as numbers by colour."""
    return [int(n) for n in cubes]


def on_surface(s: State) -> list[int]:
    """The tiles of the surface, those behind first: by rows, then from left to right."""
    cells = s.where.tolist()
    return sorted((tile for tile, cell in enumerate(cells) if cell != NONE), key=cells.__getitem__)


def holder_of(s: State, tile: int) -> int:
    """Who has reserved a tile, NONE for nobody."""
    reserved = s.reserved[: s.players].tolist()
    return reserved.index(tile) if tile in reserved else NONE


def in_turn(s: State) -> bool:
    """Is somebody terraforming?"""
    return not s.ending and int(s.phase) in TURN_PHASES


def cubes_of(s: State, seat: int) -> list[int]:
    """The cubes of a seat, without those that the exchange zone lends it in its turn."""
    return heap(s.pool - s.lent if in_turn(s) and seat == s.to_move else s.own[seat])


def zone_of(s: State) -> list[int]:
    """The cubes of the exchange zone, lent ones included."""
    return heap(s.zone + s.lent)


def free_elements(s: State, seat: int) -> list[int]:
    """What a seat gets at the end of each round, by colour."""
    found = [0] * C.N_COLOURS
    for tile, owner in enumerate(s.owner[: C.FIRST_DARK].tolist()):
        if owner == seat:
            if C.RELEASED[tile] >= 0:
                found[C.RELEASED[tile]] += 1
            for token in bits_of(int(s.tokens_on[tile])):
                if C.TOKEN_KIND[token] == C.FREE_TOKEN:
                    found[C.TOKEN_VALUE[token]] += 1
    return found


def around(cell: int) -> list[int]:
    """The six places next to one (in the window: the surface never reaches its edge)."""
    q, r = C.place_of(cell)
    return [C.cell_at(q + a, r + b) for a, b in C.WAYS if max(abs(q + a), abs(r + b)) <= C.REACH]


def neighbours(s: State, cell: int) -> list[int]:
    """The tiles next to a place."""
    return [int(s.cell[near]) for near in around(cell) if s.cell[near] != NONE]


def open_cells(s: State) -> set[int]:
    """The places where a tile can be added, by the compact form; at the start where one can be laid."""
    if s.phase == Phase.ARRANGE:
        return {start_place(s, action)[1] for action in legal(s)}
    out = np.empty(R.MAX_LEGAL, np.int32)
    return {int(cell) for cell in out[: R.list_cells(s, out)]}


def order_now(s: State) -> list[int]:
    """The terraforming order if the draft ended now, of the seats that have a disk on the drafting board."""
    placed = [seat for seat in range(int(s.players)) if s.disk[seat] != NONE]
    return sorted(placed, key=lambda seat: (-int(s.disk[seat]), -int(s.rank[seat])))


class Drafted(NamedTuple):
    """What drafting a cube would bring the seat to move: the column where its disk would lie (it need not
    move), how many disks lie above it there, its place in the terraforming order if the draft ended then, and
    the tiles that it could pay for then and cannot now."""

    column: int
    above: int
    place: int
    tiles: tuple[int, ...]


def drafted(s: State, colour: int) -> Drafted:
    """What drafting a cube of a colour would bring the seat to move."""
    return _drafted(s.tobytes(), colour)


@lru_cache(maxsize=KEPT)
def _drafted(data: bytes, colour: int) -> Drafted:
    s = _state(data)
    seat, after = int(s.to_move), s.copy()
    after.own[seat, colour] += 1
    if after.disk[seat] == NONE or after.column[colour] < after.disk[seat]:
        R.lay_disk(after, seat, int(after.column[colour]))
    column, rank = int(after.disk[seat]), int(after.rank[seat])
    above = sum(
        int(after.disk[other] == column and after.rank[other] < rank) for other in range(int(s.players))
    )
    tiles = payable(after, seat) - payable(s, seat)
    return Drafted(column, above, order_now(after).index(seat) + 1, tuple(sorted(tiles)))


def payable(s: State, seat: int) -> set[int]:
    """The tiles that a seat could pay for with its cubes and those of the exchange zone, if it were to
    terraform."""
    return set(_payable(s.tobytes(), seat))


@lru_cache(maxsize=KEPT)
def _payable(data: bytes, seat: int) -> frozenset[int]:
    s = _state(data)
    trial = s.copy()
    trial.to_move, trial.phase, trial.pool[:] = seat, Phase.TURN, s.own[seat] + s.zone
    trial.budget = int(s.own[seat].sum())
    return frozenset(
        tile
        for tile in on_surface(s)
        if tile < C.FIRST_DARK
        and s.owner[tile] == NONE
        and R.may_terraform(trial, tile)
        and R.can_pay(trial, R.lacks(trial, tile))
    )


# ---- what can be chosen ------------------------------------------------------------------------------------


@dataclass
class Choices:
    """Legal actions, sorted by kind."""

    drafts: list[int] = field(default_factory=list)  # colours
    tiles: list[int] = field(default_factory=list)  # to terraform
    reserves: list[int] = field(default_factory=list)  # tiles for a first or another reservation
    adds: list[int] = field(default_factory=list)  # colours
    pays: list[int] = field(default_factory=list)  # actions
    uses: list[int] = field(default_factory=list)  # colours
    puts: list[int] = field(default_factory=list)  # colours
    # cell -> tiles of the display, or starting tiles
    places: dict[int, list[int]] = field(default_factory=dict)
    tokens: list[int] = field(default_factory=list)  # tiles
    buttons: list[str] = field(default_factory=list)  # of the prompt


def choices_of(s: State, actions: Iterable[int]) -> Choices:
    """The actions, sorted by kind."""
    found = Choices()
    for action in actions:
        if action < R.PASS:
            found.drafts.append(action - R.DRAFT)
        elif action == R.PASS:
            found.buttons.append('pass')
        elif action < R.RESERVE:
            found.tiles.append(action - R.TERRAFORM)
        elif action < R.ADD:
            found.reserves.append((action - R.RESERVE) % C.N_TILES)
        elif action < R.END_TURN:
            found.adds.append(action - R.ADD)
        elif action == R.END_TURN:
            found.buttons.append('end')
        elif action < R.USE:
            found.pays.append(action)
        elif action < R.PUT:
            found.uses.append(action - R.USE)
        elif action < R.DONE:
            found.puts.append(action - R.PUT)
        elif action == R.DONE:
            found.buttons.append('done')
        elif action < R.TOKEN:
            slot, cell = divmod(action - R.PLACE, C.N_CELLS)
            found.places.setdefault(cell, []).append(int(s.display[slot]))
        elif action >= R.ARRANGE:
            tile, cell = start_place(s, action)
            found.places.setdefault(cell, []).append(tile)
        else:
            found.tokens.append(action - R.TOKEN)
    if found.reserves:
        found.buttons.insert(0, 'change' if s.reserved[s.to_move] != NONE else 'reserve')
    return found


def start_place(s: State, action: int) -> tuple[int, int]:
    """The starting tile that is laid by an action, and its cell."""
    slot, k = divmod(action - R.ARRANGE, R.N_START_CELLS)
    return tiles_to_lay(s)[slot], int(R.start_cell(k))


# ---- what a tile brings ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gains:
    """What terraforming a tile would bring: points printed on it, by tokens, by own tiles beside it; and to
    each opponent."""

    printed: int
    tokens: int
    beside: int
    others: dict[int, int]

    @property
    def total(self) -> int:
        """All points of whoever terraforms."""
        return self.printed + self.tokens + self.beside


def gains_of(s: State, tile: int) -> Gains:
    """What it would bring the seat to move to terraform a tile now."""
    seat, beside = int(s.to_move), [0] * 5
    for other in neighbours(s, int(s.where[tile])):
        if s.owner[other] != NONE:
            beside[s.owner[other]] += bonus(s, int(s.owner[other]))
    tokens = sum(
        C.TOKEN_VALUE[token]
        for token in bits_of(int(s.tokens_on[tile]))
        if C.TOKEN_KIND[token] == C.POINT_TOKEN
    )
    return Gains(
        C.POINTS[tile],
        tokens,
        beside[seat],
        {other: n for other, n in enumerate(beside) if n and other != seat},
    )


def bonus(s: State, owner: int) -> int:
    """Points for each tile of an owner beside the next one that the seat to move terraforms."""
    return 2 if owner == s.to_move and s.n_terraformed else 1


# ---- payments ----------------------------------------------------------------------------------------------


def missing_of(s: State, tile: int) -> list[int]:
    """The required colours that do not lie on a tile yet."""
    return bits_of(sum(1 << colour for colour in C.REQUIRED[tile]) & ~int(s.cubes_on[tile]))


def paid_of(s: State) -> list[int]:
    """The cubes chosen so far for the payment or the reservation in progress, by colour."""
    return [
        (int(s.plain) >> colour & 1) + 3 * int(s.triples[colour]) + int(s.used[colour])
        for colour in range(C.N_COLOURS)
    ]


def lent_of(s: State) -> list[int]:
    """The cubes of the pool that come from the exchange zone, but for those chosen already; own ones are used
    first."""
    return [min(int(lent), int(n) - paid) for lent, n, paid in zip(s.lent, s.pool, paid_of(s), strict=True)]


def legal(s: State) -> list[int]:
    """The legal actions of a state."""
    out = np.empty(R.MAX_LEGAL, np.int32)
    return [int(action) for action in out[: R.legal_actions(s, out)]]


def cost_of(action: int) -> list[int]:
    """The cubes that a step of a payment uses, by colour (those of a five are chosen by further steps)."""
    found = [0] * C.N_COLOURS
    if R.PAY <= action < R.TRIPLE:
        found[action - R.PAY] = 1
    elif R.TRIPLE <= action < R.FIVE:
        found[(action - R.TRIPLE) % C.N_COLOURS] = 3
    elif R.USE <= action < R.PUT:
        found[action - R.USE] = 1
    return found


def cheapest(s: State) -> tuple[int, ...]:
    """The cheapest way to complete the payment in progress, as actions: the fewest cubes, of equal ways the
    more common ones."""
    return _cheapest(s)[2]


def _cheapest(s: State) -> tuple[int, int, tuple[int, ...]]:
    """For the cheapest way: how many cubes it takes, how rare they are together, and its actions."""
    actions = legal(s)
    if s.phase == Phase.FIVES or actions[0] < R.TRIPLE:
        # paying plainly is cheapest where it is possible, and common elements come first
        actions = actions[:1]
    best: tuple[int, int, tuple[int, ...]] | None = None
    for action in actions:
        trial = s.copy()
        R.apply(trial, action)
        size, rarity, rest = _cheapest(trial) if trial.phase in (Phase.PAY, Phase.FIVES) else (0, 0, ())
        cost = cost_of(action)
        found = size + sum(cost), rarity + sum(colour * n for colour, n in enumerate(cost)), (action, *rest)
        best = found if best is None or found < best else best
    assert best is not None, 'a payment that was begun can be completed'
    return best


# ---- scoring -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scoring:
    """The final scoring of a seat, as things stand: points before it, and what they come from; tiles of the
    largest area and what it gives; symbols of each surface and what they give together; the bonus for all of
    them."""

    before: int
    sources: tuple[int, ...]
    area: int
    area_points: int
    symbols: tuple[int, ...]
    surface_points: int
    types_points: int

    @property
    def earlier(self) -> int:
        """Points on the track whose source the position does not tell."""
        return self.before - sum(self.sources)

    @property
    def total(self) -> int:
        """Points with the final scoring."""
        return self.before + self.area_points + self.surface_points + self.types_points


def scoring_of(s: State, seat: int) -> Scoring:
    """The final scoring of a seat as things stand."""
    return _scoring_of(s.tobytes(), seat)


@lru_cache(maxsize=KEPT)
def _scoring_of(data: bytes, seat: int) -> Scoring:
    s = _state(data)
    area, surfaces = int(R.area_points(s, seat)), int(R.surface_points(s, seat))
    types = C.ALL_TYPES * int(R.has_all_types(s, seat))
    before = int(s.points[seat]) - (area + surfaces + types if s.ending else 0)
    return Scoring(
        before,
        tuple(s.sources[seat].tolist()),
        int(R.largest_area(s, seat)),
        area,
        symbols_of(s, seat),
        surfaces,
        types,
    )


def symbols_of(s: State, seat: int) -> tuple[int, ...]:
    """How many symbols of each surface the seat's terraformed tiles show."""
    return _symbols_of(s.tobytes(), seat)


@lru_cache(maxsize=KEPT)
def _symbols_of(data: bytes, seat: int) -> tuple[int, ...]:
    s = _state(data)
    return tuple(int(R.symbols(s, seat, surface)) for surface in range(C.N_SURFACES))


def standings(s: State) -> list[int]:
    """All seats, the best first: points, then all types of surfaces, then tiles that show plains."""
    return sorted(range(int(s.players)), key=lambda seat: (-int(R.standing(s, seat)), seat))


def winners_of(s: State) -> list[int]:
    """The seats that stand best."""
    return highest([int(R.standing(s, seat)) for seat in range(int(s.players))])


def tie_words(s: State) -> str:
    """At the end what has made one winner of several seats with as many points; '' if nothing had to, or
    nothing did."""
    winners = winners_of(s)
    tied = highest(s.points[: s.players].tolist())
    if len(tied) == 1 or len(winners) > 1:
        return ''
    return say(
        'tie.types' if [seat for seat in tied if R.has_all_types(s, seat)] == winners else 'tie.plains'
    )
