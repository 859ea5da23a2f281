"""Clicks in Mykerinos: targets of actions, and sentences about clicks without effect."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.drawing.svg import translate
from ludoteca.game import COLOURS, Ghost, Target, View, refusals

from .. import components as C
from .. import rules as R
from ..rules import LYING, NEUTRAL, NOBODY, Phase, State
from . import symbols as S
from .facts import (
    KINDS,
    cube_id,
    cubes_of,
    digging_neutral,
    laid_of,
    neighbours,
    patron_id,
    patron_word,
    player_word,
    pyramids_of,
    room_id,
    room_words,
    rows_of,
    say,
    space_id,
    surveying,
    tile_id,
    tile_title,
    tiles_in,
)
from .symbols import LAYOUTS, cube_place

RULES = {
    'extension_cubes': 'excavation.extend-an-excavation',
    'no_extension': 'excavation.extend-an-excavation',
    'no_extension_here': 'excavation.extend-an-excavation',
    'no_cubes': 'excavation',
    'only_pass': 'excavation',
    'occupied': 'excavation.start-an-excavation',
    'not_next': 'excavation.extend-an-excavation',
    'pyramid': 'the-patrons.lord-lemon',
    'second_pyramid': 'the-patrons.lord-lemon',
    'pyramid_lemon': 'the-patrons.lord-lemon',
    'not_beside_own': 'excavation.extend-an-excavation',
    'rank': 'survey',
    'no_reserve': 'survey',
    'room_later': 'what-there-is.the-museum',
    'room_taken': 'what-there-is.the-museum',
    'door': 'what-is-reconstructed.reconstructed-the-doors-of-the-5-rooms',
    'door_three': 'option',
    'patron_survey': 'the-patrons',
    'one_patron': 'excavation.ask-a-patron',
    'patron_first': 'the-patrons',
    'used': 'the-patrons',
    'violet': 'the-patrons.lady-violet',
    'patron_cubes': 'the-patrons',
    'brown': 'the-patrons.sir-brown',
    'tile_later': 'survey',
    'other_area': 'survey',
}
"""Refusals that tell a rule -> its chapter or paragraph in the rulebook."""
why = refusals(say, RULES)

SPACE_OF_ID = {id_(space): space for space in range(C.N_SPACES) for id_ in (space_id, cube_id)}
TILE_OF_ID = {tile_id(tile): tile for tile in range(C.N_TILES)}
PATRON_OF_ID = {patron_id(patron): patron for patron in range(C.N_PATRONS)}


# ---- what to click -----------------------------------------------------------------------------------------


def targets(s: State, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
    """The clicks of a legal action, in order: a space, with a button before it if an extension or a neutral
    cube is meant; a patron, a room, a tile, a button."""
    match R.ACTIONS.decode(action):
        case 'start' | 'space', space:
            return (_space_target(s, space, colours),)
        case 'extend' | 'neutral_start' | 'neutral_extend' as kind, space:
            return Target(f'do:{kind.replace("_", "-")}'), _space_target(s, space, colours)
        case 'room' | 'museum', room:
            return (Target(f'el:{room_id(s, room)}'),)
        case 'appeal', patron:
            return (Target(f'el:{patron_id(patron)}'),)
        case 'take', side:
            return (_tile_target(s, side),)
        case 'neutral_take', side:
            return (Target(f'el:{tile_id(tiles_in(s, int(s.area))[side])}'),)
        case kind, _:
            return (Target(f'do:{kind}'),)


def _tile_target(s: State, side: int) -> Target:
    """A tile of the surveyed area with the ghost of the medal that it becomes."""
    tile = tiles_in(s, int(s.area))[side]
    x, y = LAYOUTS[rows_of(s)].heart(2 * int(s.area) + side)
    medal = S.name(f'medal-{KINDS[C.PATRON_OF[tile]]}')
    return Target(f'el:{tile_id(tile)}', Ghost(symbol=medal, transform=translate(x, y, scale=28 / 19)))


def _space_target(s: State, space: int, colours: Sequence[str]) -> Target:
    """A space with the ghost of the cube that would stand there."""
    x, y = cube_place(LAYOUTS[rows_of(s)], space, space in pyramids_of(s))
    colour = 'neutral' if digging_neutral(s) else (colours or COLOURS)[int(s.to_move)]
    return Target(f'el:{space_id(space)}', Ghost(symbol=S.name(f'ghost-{colour}'), transform=translate(x, y)))


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
    last = targets[-1].removeprefix('el:') if targets else ''
    rooms = {room_id(s, room): room for room in range(C.N_ROOMS)}
    if last.startswith('do:'):
        return _why_no_button(s, last.removeprefix('do:'))
    if last in SPACE_OF_ID:
        return _why_not_space(view, SPACE_OF_ID[last], targets[0])
    if last in rooms:
        return _why_not_room(view, rooms[last])
    if last in PATRON_OF_ID:
        return _why_not_patron(s, PATRON_OF_ID[last])
    if last in TILE_OF_ID:
        return _why_not_tile(view, TILE_OF_ID[last])
    return _choose(s)


def _choose(s: State) -> str:
    """A sentence about the things to choose from."""
    if surveying(s):
        return why(
            'why.choose_claim' if s.phase == Phase.CLAIM else 'why.choose_removed', area=C.AREAS[int(s.area)]
        )
    if s.phase == Phase.APPEAL and s.appeal == C.BROWN:
        return why('why.choose_room')
    if s.phase == Phase.DIG:
        laid = laid_of(s)
        return why(
            'why.choose_next' if laid else 'why.choose_first', space=C.SPACES[laid[-1]] if laid else ''
        )
    return why('why.choose_neutral' if s.phase == Phase.NEUTRAL else 'why.choose')


def _why_no_button(s: State, button: str) -> str:
    """Why a button does not apply."""
    if button == 'extend' and s.phase in (Phase.EXCAVATE, Phase.APPEAL) and s.appeal != C.BROWN:
        return why('why.extension_cubes' if s.stock[s.to_move] < 2 else 'why.no_extension')
    if button == 'pass' and not surveying(s):
        return why('why.pass_later')
    return _choose(s)


def _why_not_space(view: View, space: int, first: str) -> str:
    """Why no cube goes there."""
    s = view.state
    name = C.SPACES[space]
    if surveying(s) or (s.phase == Phase.APPEAL and s.appeal == C.BROWN):
        return _choose(s)
    seat, who, pyramid = int(s.to_move), cubes_of(s).get(space, NOBODY), space in pyramids_of(s)
    if space >= 24 * rows_of(s):
        return _choose(s)
    neutral = s.phase == Phase.NEUTRAL or s.digger == NEUTRAL
    if s.phase == Phase.EXCAVATE and not s.stock[seat]:
        return why('why.only_pass' if tuple(view.actions) == (R.PASS,) else 'why.no_cubes')
    if who != NOBODY:
        if who == (NEUTRAL if neutral else seat) and s.phase in (Phase.EXCAVATE, Phase.APPEAL, Phase.NEUTRAL):
            stock = s.neutral_stock[seat] if neutral else s.stock[seat]
            return why('why.extension_cubes' if stock < 2 else 'why.no_extension_here', space=name)
        return why('why.occupied', space=name, player=player_word(who, view.names))
    return _why_not_empty(s, space, pyramid, neutral, first)


def _why_not_empty(s: State, space: int, pyramid: bool, neutral: bool, first: str) -> str:
    """Why no cube goes on a space without one."""
    name = C.SPACES[space]
    laid = [int(one) for one in s.laid if one >= 0]
    lemon = s.appeal == C.LEMON and not neutral
    if s.phase == Phase.DIG and laid and space not in neighbours(laid[-1]):
        return why('why.not_next', space=name, last=C.SPACES[laid[-1]])
    if pyramid:
        return why(
            'why.second_pyramid' if lemon and laid else 'why.pyramid_lemon' if lemon else 'why.pyramid',
            space=name,
        )
    if s.phase == Phase.NEUTRAL and first not in ('do:neutral-start', 'do:neutral-extend'):
        return why('why.choose_neutral')
    extends = first in ('do:extend', 'do:neutral-extend') or (
        s.phase == Phase.DIG and s.appeal == C.TANGERINE and not laid
    )
    own = [one for one, who in cubes_of(s).items() if who == (NEUTRAL if neutral else int(s.to_move))]
    if extends and not any(near in own for near in neighbours(space)):
        return why('why.not_beside_own', space=name)
    if extends or s.phase == Phase.DIG:
        return why('why.no_next_space', space=name)
    return _choose(s)


def _why_not_room(view: View, room: int) -> str:
    """Why no cube goes into a room."""
    s, seat = view.state, int(view.state.to_move)
    name = room_words(s, room)
    if s.phase == Phase.CLAIM:
        if s.next_rank >= 2:
            return why('why.rank')
        if not s.reserve[seat]:
            return why('why.no_reserve')
    elif s.phase != Phase.APPEAL or s.appeal != C.BROWN:
        return why('why.room_later') if s.phase != Phase.REMOVE else _choose(s)
    if s.room[room] != NOBODY:
        return why('why.room_taken', room=name, player=player_word(int(s.room[room]), view.names))
    if room not in C.FIVES:
        return _choose(s)
    return why('why.door_three' if s.five_door else 'why.door', room=name)


def _why_not_patron(s: State, patron: int) -> str:
    """Why a patron does not help."""
    seat, name = int(s.to_move), patron_word(patron)
    if surveying(s):
        return why('why.patron_survey')
    if s.phase != Phase.EXCAVATE:
        return why('why.one_patron' if s.appeal >= 0 else 'why.patron_first')
    if not s.held[seat, patron]:
        return why('why.no_patron', patron=name)
    if s.held[seat, patron] <= s.used[seat, patron]:
        return why('why.used', patron=name)
    if patron == C.VIOLET:
        return why('why.violet' if not s.reserve[seat] else 'why.no_space', patron=name)
    needed = {C.LEMON: 1, C.BROWN: 1, C.BLACKMORE: 2, C.TANGERINE: 3}[patron]
    if s.stock[seat] < needed:
        return why('why.patron_cubes', patron=name, n=needed)
    return why('why.brown' if patron == C.BROWN else 'why.no_space', patron=name)


def _why_not_tile(view: View, tile: int) -> str:
    """Why a tile cannot be taken."""
    s = view.state
    if not surveying(s):
        return why('why.tile_later')
    owner, name = int(s.owner[tile]), tile_title(tile)
    if owner < LYING:
        return why('why.tile_taken', tile=name, player=player_word(owner, view.names))
    if owner > LYING:
        return why('why.tile_gone', tile=name)
    return why('why.other_area', area=C.AREAS[int(s.area)])
