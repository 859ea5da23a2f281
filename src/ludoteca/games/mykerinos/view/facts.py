"""Facts of a state of Mykerinos for drawing and wording: names and ids of things, tiles and cubes, ranks in
an area, points of the exhibition, choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ludoteca.game import View
from ludoteca.game.seats import highest
from ludoteca.kernel import WORD
from ludoteca.text import Words, capitalized, players
from ludoteca.text.players import listed

from .. import components as C
from .. import rules as R
from ..notation import room_name
from ..rules import LYING, NEUTRAL, NOBODY, UNSEEN, Phase, State

say = Words(Path(__file__).parent.parent)


SURVEY = (Phase.CLAIM, Phase.REMOVE)
BLANK_NAME = 'blank'
KINDS = (*C.PATRONS, BLANK_NAME)  # of tiles, in the order of `held`


# ---- names and ids -----------------------------------------------------------------------------------------


def player_word(seat: int, names: Sequence[str] = ()) -> str:
    """A player's name, or the word for their colour; NEUTRAL is the neutral colour."""
    return say('neutral') if seat == NEUTRAL else players.player_word(seat, names)


def colour_of(view: View, who: int) -> str:
    """The colour of a seat, or of NEUTRAL."""
    return 'neutral' if who == NEUTRAL else view.colour(who)


def patron_word(kind: int) -> str:
    """A patron's name; the blank tile's for none."""
    return say(f'patron.{KINDS[kind]}')


def space_id(space: int) -> str:
    """The id of a space of the region."""
    return f'space-{C.SPACES[space]}'


def cube_id(space: int) -> str:
    """The id of the cube on a space."""
    return f'cube-{C.SPACES[space]}'


def tile_id(tile: int) -> str:
    """The id of a tile of the region, and of the mark that a taken tile leaves."""
    return f'tile-{C.TILES[tile]}'


def room_id(s: State, room: int) -> str:
    """The id of a room of the museum."""
    return f'room-{room_name(s, room)}'


def patron_id(patron: int) -> str:
    """The id of the viewer's tiles of a patron."""
    return f'patron-{C.PATRONS[patron]}'


def face_id(tile: int) -> str:
    """The id of the cartouche of a tile that lies in the region: a cube may lie on the rest."""
    return f'face-{C.TILES[tile]}'


def medal_id(seat: int, kind: int, k: int) -> str:
    """The id of the k-th tile of a patron in a seat's panel."""
    return f'medal-{seat}-{KINDS[kind]}-{k}'


def heap_id(seat: int, what: str) -> str:
    """The id of the cube that stands for a seat's `stock`, `reserve` or `neutral` cubes in its panel."""
    return f'{what}-{seat}'


def exhibit_id(s: State, room: int) -> str:
    """The id of the cube in a room of the museum."""
    return f'exhibit-{room_name(s, room)}'


def count_words(things: str, n: int) -> str:
    """So many `points`, `tiles`, `cubes` or `sets` in words."""
    return say.counted(f'count.{things}', n)


def tile_words(tile: int) -> str:
    """A tile in words: its patron, and its points."""
    n = C.POINTS_OF[tile]
    points = count_words('points', n)
    if C.PATRON_OF[tile] == C.BLANK:
        return say('tile.blank', points=points)
    return say('tile.points' if n else 'tile.plain', patron=patron_word(C.PATRON_OF[tile]), points=points)


def tile_title(tile: int) -> str:
    """A tile in words, at the beginning of a title or a sentence."""
    return capitalized(tile_words(tile))


def room_words(s: State, room: int) -> str:
    """A room in words: its worth and its wings."""
    patron_at = s.wing.tolist().index
    wings = listed([patron_word(patron_at(wing)) for wing in C.wings_of(room)])
    return say('room', value=C.ROOM_POINTS[room], wings=wings)


# ---- sets --------------------------------------------------------------------------------------------------


def spaces_of(low: int, high: int) -> list[int]:
    """The spaces of a set."""
    left, found = high << WORD | low, list[int]()
    while left:
        found.append((left & -left).bit_length() - 1)
        left &= left - 1
    return found


def cubes_of(s: State) -> dict[int, int]:
    """All cubes of the region: space -> seat or NEUTRAL, upper rows first."""
    words = s.cubes.tolist()
    return dict(sorted((space, who) for who in range(5) for space in spaces_of(*words[who])))


def pyramids_of(s: State) -> set[int]:
    """The spaces with a pyramid."""
    return set(spaces_of(*s.pyramids.tolist()))


def rows_of(s: State) -> int:
    """The number of rows of areas in the region: two, in the last season three."""
    return int(R.DEAL[s.season]) // 4


def areas_of(s: State) -> range:
    """The areas of the region."""
    return range(2 * rows_of(s))


def tiles_in(s: State, area: int) -> list[int]:
    """The two tiles of an area, left and right, wherever they are now."""
    first = int(s.dealt) - int(R.DEAL[s.season]) + 2 * area
    return [int(tile) for tile in s.deck[first : first + 2]]


def surveying(s: State) -> bool:
    """Is an area being surveyed?"""
    return not s.ending and int(s.phase) in SURVEY


def surveyed(s: State, area: int) -> bool:
    """Has the survey of the area ended?"""
    return bool(s.ending or (surveying(s) and area < s.area))


# ---- who leads ---------------------------------------------------------------------------------------------


def scale_of(s: State) -> dict[int, int]:
    """The passing scale: seat or NEUTRAL -> its place, 0 the first."""
    return {int(who): place for place, who in enumerate(s.scale) if who != NOBODY}


def ranking(s: State, area: int, cubes: dict[int, int] | None = None) -> list[tuple[int, int]]:
    """The ranks in a survey of the area now, the first first: seats or NEUTRAL, each with its number of
    cubes. Ties go to the one that passed earlier."""
    counts = [0] * 5
    for space, who in (cubes_of(s) if cubes is None else cubes).items():
        counts[who] += C.AREA_OF[space] == area
    place = scale_of(s)
    order = sorted(
        (who for who in range(5) if counts[who]), key=lambda who: (-counts[who], place.get(who, 4), who)
    )
    return [(who, counts[who]) for who in order]


# ---- what the exhibition gives -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Show:
    """The exhibition of a seat: for each patron the number of tiles, its factor, and the room that gives it
    (NOBODY for none)."""

    tiles: tuple[int, ...]
    times: tuple[int, ...]
    rooms: tuple[int, ...]

    @property
    def sets(self) -> int:
        """The number of sets of five different patrons."""
        return min(self.tiles)

    @property
    def total(self) -> int:
        """All points of the exhibition."""
        return sum(n * times for n, times in zip(self.tiles, self.times, strict=True)) + 5 * self.sets


def show_of(s: State, seat: int) -> Show:
    """The exhibition of a seat as things stand."""
    tiles, times, rooms = [], [], []
    for patron in range(C.N_PATRONS):
        wing = int(s.wing[patron])
        own = [room for room in (C.FIVES[wing], C.THREES[wing], *C.twos_of(wing)) if s.room[room] == seat]
        tiles.append(int(s.held[seat, patron]))
        rooms.append(own[0] if own else NOBODY)
        times.append(C.ROOM_POINTS[own[0]] if own else 1)
    return Show(tuple(tiles), tuple(times), tuple(rooms))


def standings(s: State) -> list[int]:
    """All seats, the best first: points, then cubes in the stock."""
    return sorted(range(int(s.players)), key=lambda seat: (-int(s.points[seat]), -int(s.stock[seat]), seat))


def winners_of(s: State) -> list[int]:
    """The seats with most points and, of these, most cubes in the stock."""
    return highest([(int(s.points[seat]), int(s.stock[seat])) for seat in range(int(s.players))])


def unseen_of(s: State) -> list[int]:
    """The tiles that have not been dealt yet."""
    return [tile for tile in range(C.N_TILES) if s.owner[tile] == UNSEEN]


# ---- what can be chosen ------------------------------------------------------------------------------------


@dataclass
class Choices:
    """Legal actions, sorted by kind."""

    # spaces for a start, the seat's own or a neutral one
    starts: list[int] = field(default_factory=list)
    extends: list[int] = field(default_factory=list)  # spaces for the first cube of an extension
    spaces: list[int] = field(default_factory=list)  # spaces for the next cube
    rooms: list[int] = field(default_factory=list)  # for Sir Brown's cube, or as a claim
    patrons: list[int] = field(default_factory=list)
    tiles: list[int] = field(default_factory=list)  # to take, or for the neutral colour to take
    passes: bool = False
    nothing: bool = False


def choices_of(s: State, actions: Iterable[int]) -> Choices:
    """The actions, sorted by kind."""
    choices = Choices()
    for action in actions:
        match R.ACTIONS.decode(action):
            case 'start' | 'neutral_start', space:
                choices.starts.append(space)
            case 'extend' | 'neutral_extend', space:
                choices.extends.append(space)
            case 'space', space:
                choices.spaces.append(space)
            case 'room' | 'museum', room:
                choices.rooms.append(room)
            case 'appeal', patron:
                choices.patrons.append(patron)
            case 'take' | 'neutral_take', side:
                choices.tiles.append(tiles_in(s, int(s.area))[side])
            case 'pass', _:
                choices.passes = True
            case 'nothing', _:
                choices.nothing = True
    return choices


def digging_neutral(s: State) -> bool:
    """Are neutral cubes laid now?"""
    return bool(s.phase == Phase.NEUTRAL or s.digger == NEUTRAL)


def laid_of(s: State) -> list[int]:
    """The spaces of the cubes laid in the turn in progress, in their order."""
    spaces = [*s.own_laid, *s.laid] if digging_neutral(s) else [*s.laid]
    return [int(space) for space in spaces if space >= 0]


def lying_tiles(s: State) -> list[int]:
    """The tiles that lie in the region."""
    return [tile for area in areas_of(s) for tile in tiles_in(s, area) if s.owner[tile] == LYING]


@cache
def neighbours(space: int) -> tuple[int, ...]:
    """The spaces next to one, in any region."""
    row, column = divmod(space, C.N_COLUMNS)
    return tuple(
        C.N_COLUMNS * (row + a) + column + b
        for a, b in ((0, 1), (0, -1), (1, 0), (-1, 0))
        if 0 <= row + a < C.N_ROWS and 0 <= column + b < C.N_COLUMNS
    )


# ---- whose claim it is -------------------------------------------------------------------------------------


def claim_words(view: View) -> str:
    """The claim in a survey: its player, and the things to choose from."""
    s = view.state
    player = player_word(int(s.to_move), view.names)
    if s.phase == Phase.REMOVE:
        return say('card.survey.remove', player=player)
    left = any(s.owner[tile] == LYING for tile in tiles_in(s, int(s.area)))
    key = 'low' if s.next_rank >= 2 else 'high' if left else 'room'
    return say(f'card.survey.{key}', player=player, rank=int(s.next_rank) + 1)
