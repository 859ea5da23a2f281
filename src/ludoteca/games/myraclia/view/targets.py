"""What to click in Myraclia, and why other clicks make no action."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ludoteca.drawing.svg import number, translate
from ludoteca.game import COLOURS, Ghost, Target, View, refusals
from ludoteca.text.players import either, player_word

from .. import components as C
from .. import rules as R
from ..notation import cell_name
from ..rules import NONE, Phase, State
from . import symbols as A
from .facts import (
    LAYING,
    cells_by_id,
    choices_of,
    coin_id,
    display_id,
    element_id,
    element_word,
    gains_of,
    holder_of,
    legal,
    listed,
    missing_of,
    neighbours,
    place_id,
    points_words,
    say,
    start_place,
    tile_id,
    tile_name,
    tile_of,
    token_words,
)
from .symbols import middle, name

RULES = {
    'three_actions': 'your-turn',
    'no_disk': 'what-there-is.disks',
    'nothing_to_reserve': 'reserving',
    'add_later': 'new-land',
    'dark_first': 'darkness',
    'form_a': 'new-land',
    'form_b': 'new-land',
    'start_two': 'arranging-the-start',
    'start_three': 'arranging-the-start',
    'display_later': 'new-land',
    'terraformed': 'terraforming',
    'darkness': 'darkness',
    'reserved': 'reserving',
    'far': 'terraforming',
    'far_reserve': 'reserving',
    'lacking': 'wild-cards',
    'too_few': 'exchange',
    'own_reservation': 'reserving',
    'no_reservation': 'reserving',
    'one_missing': 'reserving',
    'no_budget': 'exchange',
    'no_cube': 'reserving',
    'penalty': 'reserving',
}
"""Refusals that tell a rule -> its chapter or paragraph in the rulebook."""
why = refusals(say, RULES)

KEPT = 1 << 12  # previews of tiles at places that are kept
DISPLAY_OF_ID = {display_id(tile): tile for tile in range(C.N_TILES)}


# ---- what to click -----------------------------------------------------------------------------------------

_BUTTONS = {R.PASS: (Target('do:pass'),), R.END_TURN: (Target('do:end'),), R.DONE: (Target('do:done'),)}


def targets(s: State, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
    """What to click, in order, for a legal action: a tile, with a button before it if it is to be reserved;
    cubes and ways to pay in the cards; a tile of the display and its place; a button."""
    if action in _BUTTONS:
        return _BUTTONS[action]
    if action >= R.ARRANGE:
        return _placing(*start_place(s, action))
    if action >= R.TOKEN:
        tile = action - R.TOKEN
        x, y = middle(int(s.where[tile]))
        dx, dy = A.COIN_PLACES[int(s.tokens_on[tile]).bit_count() % len(A.COIN_PLACES)]
        ghost = Ghost(symbol=name(f'coin-{C.TOKENS[s.token]}'), transform=translate(x + dx, y + dy))
        return (Target(f'el:{tile_id(s, tile)}', ghost),)
    if action >= R.PLACE:
        slot, cell = divmod(action - R.PLACE, C.N_CELLS)
        return _placing(int(s.display[slot]), cell)
    if R.TERRAFORM <= action < R.RESERVE:
        tile = action - R.TERRAFORM
        gains = gains_of(s, tile)
        shown = {int(s.to_move): gains.total, **gains.others}
        ghost = Ghost(
            symbol=name(f'living-{C.TILES[tile]}'),
            transform=translate(*middle(int(s.where[tile]))),
            gains=tuple((seat, f'+{n}') for seat, n in shown.items() if n),
        )
        return (Target(f'el:{tile_id(s, tile)}', ghost),)
    if R.RESERVE <= action < R.ADD:
        tile = (action - R.RESERVE) % C.N_TILES
        x, y = middle(int(s.where[tile]))
        dx, dy = A.prize_places(tile, True)[1]
        disk = name(f'disk-{(colours or COLOURS)[int(s.to_move)]}-dark')
        ghost = Ghost(symbol=disk, transform=translate(x + dx, y + dy, scale=A.HELD / A.DISK))
        return Target('do:reserve' if action < R.CHANGE else 'do:change'), Target(
            f'el:{tile_id(s, tile)}', ghost
        )
    return (Target(f'el:{element_id(action)}'),)


def redraft(s: State, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:
    """A click on a tile that can only be reserved, or only be what the reservation is changed to, does that
    without the button."""
    tile = tile_of(targets[-1].removeprefix('el:')) if targets else NONE
    now = s.copy()
    for action in draft:
        R.apply(now, action)
    if tile == NONE or now.phase != Phase.TURN:
        return None
    actions = legal(now)
    action = (R.CHANGE if now.reserved[now.to_move] != NONE else R.RESERVE) + tile
    return (*draft, action) if action in actions and R.TERRAFORM + tile not in actions else None


@lru_cache(maxsize=KEPT)
def _placing(tile: int, cell: int) -> tuple[Target, ...]:
    # a page shows the ghosts of all places at once, but only the paths of ghosts that have one (even of no
    # length): tiles everywhere would hide the map
    x, y = middle(cell)
    ghost = Ghost(
        symbol=name(f'barren-{C.TILES[tile]}'), transform=translate(x, y), path=f'M{number(x)} {number(y)}'
    )
    return Target(f'el:{display_id(tile)}'), Target(f'el:{place_id(cell)}', ghost)


# ---- why not -----------------------------------------------------------------------------------------------


def why_not(view: View, targets: Sequence[str]) -> str:
    """One sentence: why these targets make no action now."""
    s = view.state
    if s.ending:
        return why('why.over')
    if not view.actions:
        return why(
            'why.watching' if view.seat < 0 else 'why.not_your_turn',
            player=player_word(int(s.to_move), view.names),
        )
    last, first = (targets[-1].removeprefix('el:'), targets[0]) if targets else ('', '')
    if last.startswith('do:'):
        return _why_no_button(view, last.removeprefix('do:'))
    if last.startswith('place-') and last in cells_by_id():
        return _why_not_place(view, cells_by_id()[last], first.removeprefix('el:'))
    if last in DISPLAY_OF_ID:
        return _why_not_display(s, DISPLAY_OF_ID[last])
    tile = tile_of(last)
    if tile != NONE and s.where[tile] != NONE:
        return _why_not_tile(view, tile, first)
    if last in _COINS:
        return why('why.token_lies', token=token_words(_COINS[last]))
    if last.startswith('draft-') and s.phase == Phase.DRAFT:
        return why('why.none_left', element=_element_of(last))
    return _choose(s)


_COINS = {coin_id(token): token for token in range(C.N_TOKENS)}
_ELEMENTS = {element_id(R.DRAFT + colour): colour for colour in range(C.N_COLOURS)}


def _element_of(id_: str) -> str:
    return element_word(_ELEMENTS.get(id_, 0))


def _choose(s: State) -> str:
    """What is to be chosen now."""
    phase = Phase(int(s.phase))
    return why(f'why.choose_{phase.name.lower()}', n=int(s.to_add))


def _why_no_button(view: View, button: str) -> str:
    """Why a button does not apply."""
    s = view.state
    if s.phase == Phase.TURN and button in ('reserve', 'change'):
        if s.n_actions == R.MOST_ACTIONS:
            return why('why.three_actions')
        if s.reserved[s.to_move] == NONE and R.n_disks(s, int(s.to_move)) >= C.DISKS[s.players]:
            return why('why.no_disk')
        return why('why.nothing_to_reserve')
    return _choose(s)


def _why_not_place(view: View, cell: int, first: str) -> str:
    """Why no tile goes there."""
    s = view.state
    if s.phase not in LAYING:
        return why('why.add_later')
    near = neighbours(s, cell)
    actions = choices_of(s, view.actions).places
    if cell in actions:
        key = 'pick_first' if s.phase == Phase.PLACE else 'pick_start'
        return why('why.dark_first' if first in DISPLAY_OF_ID else f'why.{key}', place=cell_name(cell))
    if len(near) < 2:
        return why('why.form_a' if s.phase == Phase.PLACE else 'why.start_two', place=cell_name(cell))
    if s.phase == Phase.ARRANGE:
        return why('why.start_three', place=cell_name(cell))
    poor = [tile for tile in near if len(neighbours(s, int(s.where[tile]))) < 3]
    return (
        why(
            'why.form_b',
            place=cell_name(cell),
            tile=tile_name(s, poor[0]),
            n=len(neighbours(s, int(s.where[poor[0]]))),
        )
        if poor
        else _choose(s)
    )


def _why_not_display(s: State, tile: int) -> str:
    """Why a tile of the display is not chosen."""
    if s.phase not in LAYING:
        return why('why.display_later')
    if tile < C.FIRST_DARK and any(one >= C.FIRST_DARK for one in s.display):
        return why('why.dark_first')
    return why('why.pick_place')


def _why_not_tile(view: View, tile: int, first: str) -> str:
    """Why a tile of the surface is not chosen."""
    s, seat = view.state, int(view.state.to_move)
    holder, name = holder_of(s, tile), tile_name(s, tile)
    if s.phase not in (Phase.TURN, Phase.TOKEN):
        return _choose(s)
    if s.owner[tile] != NONE:
        return why('why.terraformed', tile=name, player=player_word(int(s.owner[tile]), view.names))
    if tile >= C.FIRST_DARK:
        return why('why.darkness')
    if holder not in (NONE, seat) or (holder == seat and s.phase == Phase.TOKEN):
        return why('why.reserved', tile=name, player=player_word(holder, view.names))
    if s.phase == Phase.TOKEN:
        return _choose(s)
    if s.n_actions == R.MOST_ACTIONS:
        return why('why.three_actions')
    if first in ('do:reserve', 'do:change'):
        return _why_not_reserve(s, tile, holder, first)
    if holder == NONE and R.n_disks(s, seat) >= C.DISKS[s.players]:
        return why('why.no_disk')
    if not R.may_terraform(s, tile):
        return why('why.far', tile=name)
    return _why_not_payable(s, tile)


def _why_not_payable(s: State, tile: int) -> str:
    """Which elements cannot be paid."""
    lacking = [colour for colour in missing_of(s, tile) if not s.pool[colour]]
    name = tile_name(s, tile)
    if not s.budget:
        return why('why.no_budget')
    if lacking:
        return why('why.lacking', tile=name, elements=either([element_word(colour) for colour in lacking]))
    return why('why.too_few', tile=name, n=len(missing_of(s, tile)), budget=int(s.budget))


def _why_not_reserve(s: State, tile: int, holder: int, button: str) -> str:
    """Why a tile cannot be reserved."""
    name = tile_name(s, tile)
    if holder == s.to_move:
        return why('why.own_reservation', tile=name)
    if s.reserved[s.to_move] == NONE:
        if button == 'do:change':
            return why('why.no_reservation')
        if R.n_disks(s, int(s.to_move)) >= C.DISKS[s.players]:
            return why('why.no_disk')
    if not R.is_near(s, tile):
        return why('why.far_reserve', tile=name)
    missing = missing_of(s, tile)
    if len(missing) == 1:
        return why('why.one_missing', tile=name)
    put = int(R.most_put(s, tile))
    if not s.budget:
        return why('why.no_budget')
    if not put:
        return why('why.no_cube', tile=name, elements=listed([element_word(colour) for colour in missing]))
    return why('why.penalty', tile=name, n=len(missing) - put, points=points_words(int(s.points[s.to_move])))
