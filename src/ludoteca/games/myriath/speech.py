"""What Myriath says: what to do, why something cannot be done, the board in words."""
from __future__ import annotations

from collections.abc import Sequence

from ludoteca.game import Button, Game, Prompt, View
from ludoteca.games.myriath import components as C
from ludoteca.games.myriath import rules as R
from ludoteca.games.myriath.beside import end_points
from ludoteca.games.myriath.happened import winners_of
from ludoteca.games.myriath.reading import (
    Lying,
    Reading,
    crossing_name,
    gains_words,
    hand_id,
    lying_name,
    player_word,
    points_text,
    read,
    tile_id,
)
from ludoteca.games.myriath.rules import Phase, State

COLUMN = 4                  # characters from one crossing to the next


# ---- what to do --------------------------------------------------------------------------------------------------------------

def prompt(game: Game, view: View) -> Prompt:
    """What the viewer has to do now."""
    s, say = view.state, game.words
    if s.ending:
        return Prompt(_ending_words(game, s, view.names), say('prompt.help.over'))
    player = player_word(game, s, int(s.to_move), view.names)
    if not view.actions:
        return Prompt(say('prompt.wait_octagon' if s.phase == Phase.SETUP else 'prompt.wait', player=player))
    if view.actions == (R.PASS,):
        return Prompt(say('prompt.pass', player=player), say('prompt.help.pass'), (Button('pass', say('button.pass'), 'p'),))
    if s.phase == Phase.SETUP:
        return Prompt(say('prompt.octagon', player=player), say('prompt.help.octagon'))
    if len(view.actions) == 1:
        piece, crossing = divmod(view.actions[0], R.N_CROSSINGS)
        gained = dict(enumerate(read(s).gains(piece, crossing)[1]))
        return Prompt(say('prompt.lay_one', player=player, tile=C.TILES[C.TILE_OF[piece]],
                          crossing=crossing_name((crossing % int(s.side), crossing // int(s.side))),
                          points=gains_words(game, s, gained, view.names)), say('prompt.help.lay'))
    return Prompt(say('prompt.lay', player=player), say('prompt.help.lay'))


def _ending_words(game: Game, s: State, names: Sequence[str]) -> str:
    """Who has won."""
    winners = winners_of(s)
    players = [player_word(game, s, seat, names) for seat in winners]
    points = points_text(int(s.points[winners[0]]))
    if len(players) == 1:
        return game.words('prompt.won', player=players[0], points=points)
    return game.words('prompt.shared', players=game.words('and', first=', '.join(players[:-1]), last=players[-1]), points=points)


# ---- things in words ---------------------------------------------------------------------------------------------------------

def tile_words(game: Game, view: View, lying: Lying) -> str:
    """A tile on the board: whose it is, where it lies, and what its ends have got."""
    say, s = game.words, view.state
    text = say('tile.label', player=player_word(game, s, lying.seat, view.names), tile=lying_name(s, lying))
    return say('tile.ends', tile=text, ends=ends_words(game, read(s), lying)) if lying.shape.ends else text


def ends_words(game: Game, reading: Reading, lying: Lying) -> str:
    """The ends of a tile: where they are, and the points that they have got."""
    return ', '.join(game.words('tile.end', crossing=crossing_name(at), points=game.words(f'half.{half}'))
                     for at, half in end_points(reading, lying))


# ---- the board as text -------------------------------------------------------------------------------------------------------

def letter(game: Game, view: View, seat: int) -> str:
    """The letter that stands for a seat's tiles."""
    return game.words(f'colour.{view.colour(seat)}')[0]


def board_rows(game: Game, view: View) -> list[str]:
    """The board in characters: `[B]` is a street under a tile of Blue; `b` the quarter that a whole edge covers beside its street;
    `o` a crossing where a half edge is open, `*` one where half edges are connected, `+` any other; `#` a printed square."""
    reading = read(view.state)
    side, letters = reading.side, [letter(game, view, seat) for seat in range(reading.players)]
    streets = {frozenset(street): lying.seat for lying in reading.tiles for street in lying.shape.streets}
    open_ = {edge.crossing for edge in reading.half_edges if not reading.connected(edge)}
    joined = {edge.crossing for edge in reading.half_edges if reading.connected(edge)}

    def between(first: C.Crossing, last: C.Crossing, quarter: int) -> str:
        """The street between two crossings; `quarter` is the first one's on that side."""
        street = frozenset((first, last))
        if street in streets:
            return f'[{letters[streets[street]]}]'
        parts = [reading.owner.get(reading.key(k, at)) for k, at in ((quarter, first), ((quarter + 2) % 4, last))]
        return ' '.join(letters[part[0]].lower() if part else ' ' for part in parts)

    rows = []
    for j in range(side - 1, -1, -1):
        cells = ['o' if (i, j) in open_ else '*' if (i, j) in joined else '+' for i in range(side)]
        across = [between((i, j), (i + 1, j), C.EAST) for i in range(side - 1)]
        rows.append(f'{j + 1:>2}  ' + ''.join(a + b for a, b in zip(cells, [*across, ''], strict=True)))
        if j:
            down = [between((i, j), (i, j - 1), C.SOUTH) for i in range(side)]
            rows.append('   ' + '#'.join(down))
    rows.append('    ' + '   '.join(C.FILES[:side]))
    return [row.rstrip() for row in rows]


def _tile_text(game: Game, s: State, lying: Lying) -> str:
    if not lying.shape.ends:
        return lying_name(s, lying)
    return game.words('text.tile', tile=lying_name(s, lying), ends=ends_words(game, read(s), lying))


def text(game: Game, view: View) -> str:
    """The position in characters and sentences."""
    s, say = view.state, game.words
    reading = read(s)
    sentences = []
    if s.ending:
        sentences.append(_ending_words(game, s, view.names))
    else:
        seat = reading.to_move
        sentences.append(say('text.octagon' if s.phase == Phase.SETUP else 'text.to_move',
                             player=player_word(game, s, seat, view.names), letter=letter(game, view, seat)))
    for seat in range(reading.players):
        lying = [lying for lying in reading.tiles if lying.seat == seat]
        tiles = [_tile_text(game, s, one) for one in sorted(lying, key=lambda one: one.tile != C.THE_OCTAGON)]
        sentences.append(say('text.side', player=player_word(game, s, seat, view.names), letter=letter(game, view, seat),
                             points=points_text(reading.points[seat])))
        sentences.append(say('text.board', tiles='; '.join(tiles) or say('panel.nothing')))
        sentences.append(say('text.hand', tiles=' '.join(C.TILES[tile] for tile in reading.hands[seat]) or say('panel.nothing')))
    colour = say(f'colour.{view.colour(0)}')
    legend = say('text.legend', colour=colour, letter=colour[0], quarter=colour[0].lower())
    return '\n'.join([*board_rows(game, view), '', legend, *sentences])


# ---- why not -----------------------------------------------------------------------------------------------------------------

_TILE_OF_ID = {hand_id(tile): tile for tile in range(C.N_PATHS)}
_LYING_OF_ID = {tile_id(seat, tile): (seat, tile) for seat in range(4) for tile in range(C.N_TILES)}


def why_not(game: Game, view: View, targets: Sequence[str]) -> str:
    """One sentence: why these targets make no action now."""
    s, say = view.state, game.words
    if s.ending:
        return say('why.over')
    player = player_word(game, s, int(s.to_move), view.names)
    if not view.actions:
        return say('why.watching' if view.seat < 0 else 'why.not_your_turn', player=player)
    ids = [target.removeprefix('el:') for target in targets]
    if s.phase == Phase.SETUP:
        return _why_no_octagon(game, view, ids)
    if view.actions == (R.PASS,):
        return say('why.must_pass')
    if ids and ids[-1] == 'do:pass':
        return say('why.no_pass')
    held = next((_TILE_OF_ID[id_] for id_ in ids if id_ in _TILE_OF_ID), -1)
    if held >= 0:
        return _why_not_held(game, view, held, ids)
    return _why_not_there(game, view, ids[-1] if ids else '')


def _why_no_octagon(game: Game, view: View, ids: Sequence[str]) -> str:
    s, say = view.state, game.words
    last = ids[-1] if ids else ''
    if last in _TILE_OF_ID:
        return say('why.octagons_first')
    if last in _LYING_OF_ID:
        return say('why.occupied')
    if last.startswith('square-'):
        i, j = map(int, last.split('-')[1:])
        if R.FIRST_OCTAGON + i + int(s.side) * j not in view.actions:
            return say('why.overlaps_octagon')
    return say('why.choose_square')


def _why_not_held(game: Game, view: View, tile: int, ids: Sequence[str]) -> str:
    s, say = view.state, game.words
    if s.at[view.seat, tile] != R.IN_HAND:
        return say('why.used', tile=C.TILES[tile])
    places = [action for action in view.actions if action < R.FIRST_OCTAGON and C.TILE_OF[action // R.N_CROSSINGS] == tile]
    if not places:
        return say('why.no_place', tile=C.TILES[tile])
    if ids[-1] in _LYING_OF_ID:
        return say('why.occupied')
    return say('why.does_not_fit' if len(ids) > 1 else 'why.choose_place', tile=C.TILES[tile])


def _why_not_there(game: Game, view: View, id_: str) -> str:
    s, say = view.state, game.words
    if id_ in _LYING_OF_ID and (lying := read(s).found(*_LYING_OF_ID[id_])):
        return say('why.lies', tile=tile_words(game, view, lying))
    if id_.startswith('square-'):
        return say('why.square')
    if id_.startswith('cross-'):
        return say('why.crossing', crossing=id_.removeprefix('cross-'))
    return say('why.choose_tile')
