"""What is said: the prompt, and the board in characters and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludoteca.game import Button, Prompt, View
from ludoteca.text.players import letter, listed, player_word

from .. import components as C
from .. import rules as R
from ..notation import placement
from ..rules import Phase, State
from .facts import (
    PlacedTile,
    ends_words,
    gains_words,
    placed_name,
    points_text,
    points_words,
    read,
    say,
    winners_of,
)

# ---- what to do --------------------------------------------------------------------------------------------


def prompt(view: View) -> Prompt:
    """What the viewer has to do now."""
    return replace(_asks(view), chapter=_chapter(view))


def _chapter(view: View) -> str:
    """The chapter of the rulebook about what is done now."""
    s = view.state
    if s.ending:
        return 'the-end'
    return 'setting-up' if s.phase == Phase.SETUP else 'passing' if R.PASS in view.actions else 'your-turn'


def _asks(view: View) -> Prompt:
    s = view.state
    if s.ending:
        return Prompt(_ending_words(s, view.names), say('prompt.help.over'))
    player = player_word(int(s.to_move), view.names)
    if not view.actions:
        return Prompt(say('prompt.wait_octagon' if s.phase == Phase.SETUP else 'prompt.wait', player=player))
    if view.actions == (R.PASS,):
        return Prompt(
            say('prompt.pass', player=player),
            say('prompt.help.pass'),
            (Button('pass', say('button.pass'), 'p'),),
        )
    if s.phase == Phase.SETUP:
        return Prompt(say('prompt.octagon', player=player), say('prompt.help.octagon'))
    if len(view.actions) == 1:
        piece, crossing = placement(view.actions[0])
        gained = dict(enumerate(read(s).gains(piece, crossing)[1]))
        return Prompt(
            say(
                'prompt.lay_one',
                player=player,
                tile=C.TILES[C.TILE_OF[piece]],
                points=gains_words(gained, view.names),
            ),
            say('prompt.help.lay'),
        )
    return Prompt(say('prompt.lay', player=player), say('prompt.help.lay'))


def _ending_words(s: State, names: Sequence[str]) -> str:
    """Who has won."""
    winners = winners_of(s)
    players = listed([player_word(seat, names) for seat in winners])
    points = points_text(int(s.points[winners[0]]))
    return (
        say('prompt.won', player=players, points=points)
        if len(winners) == 1
        else say('prompt.shared', players=players, points=points)
    )


# ---- the board as text -------------------------------------------------------------------------------------


def board_rows(view: View) -> list[str]:
    """The board in characters: `[B]` is a street under a tile of Blue; `b` the quarter that a whole edge
    covers beside its street; `o` a crossing where a half edge is open, `*` one where half edges are
    connected, `+` any other; `#` a printed square."""
    reading = read(view.state)
    side, letters = reading.side, [letter(view.colour(seat)) for seat in range(reading.players)]
    streets = {frozenset(street): placed.seat for placed in reading.tiles for street in placed.shape.streets}
    open_ = {edge.crossing for edge in reading.half_edges if not reading.connected(edge)}
    joined = {edge.crossing for edge in reading.half_edges if reading.connected(edge)}

    def between(first: C.Crossing, last: C.Crossing, quarter: int) -> str:
        """The street between two crossings; `quarter` is the first one's on that side."""
        street = frozenset((first, last))
        if street in streets:
            return f'[{letters[streets[street]]}]'
        parts = [
            reading.owner.get(reading.key(k, at)) for k, at in ((quarter, first), ((quarter + 2) % 4, last))
        ]
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


def _tile_text(s: State, placed: PlacedTile) -> str:
    if not placed.shape.ends:
        return placed_name(s, placed)
    return say('text.tile', tile=placed_name(s, placed), ends=ends_words(read(s), placed))


def text(view: View) -> str:
    """The position in characters and sentences."""
    s = view.state
    reading = read(s)
    sentences = []
    if s.ending:
        sentences.append(_ending_words(s, view.names))
    else:
        seat = reading.to_move
        sentences.append(
            say(
                'text.octagon' if s.phase == Phase.SETUP else 'text.to_move',
                player=player_word(seat, view.names),
                letter=letter(view.colour(seat)),
            )
        )
    for seat in range(reading.players):
        placed = [placed for placed in reading.tiles if placed.seat == seat]
        tiles = [_tile_text(s, one) for one in sorted(placed, key=lambda one: one.tile != C.THE_OCTAGON)]
        sentences.append(
            say(
                'text.side',
                player=player_word(seat, view.names),
                letter=letter(view.colour(seat)),
                points=points_words(reading.points[seat]),
            )
        )
        sentences.append(say('text.board', tiles='; '.join(tiles) or say('panel.nothing')))
        sentences.append(
            say(
                'text.hand',
                tiles=' '.join(C.TILES[tile] for tile in reading.hands[seat]) or say('panel.nothing'),
            )
        )
    colour = say(f'colour.{view.colour(0)}')
    legend = say('text.legend', colour=colour, letter=colour[0], quarter=colour[0].lower())
    return '\n'.join([*board_rows(view), '', legend, *sentences])
