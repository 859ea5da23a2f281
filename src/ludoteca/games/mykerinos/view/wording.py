"""The words of Mykerinos: the prompt, the position in words, the stage of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludoteca.game import Button, Prompt, View
from ludoteca.game.seats import from_viewer
from ludoteca.text.players import listed

from .. import components as C
from ..notation import begun, room_name
from ..rules import LYING, NEUTRAL, NOBODY, Phase, State
from .facts import (
    KINDS,
    Choices,
    areas_of,
    choices_of,
    claim_words,
    count_words,
    cubes_of,
    patron_word,
    player_word,
    pyramids_of,
    ranking,
    rows_of,
    say,
    scale_of,
    show_of,
    surveyed,
    surveying,
    tile_words,
    tiles_in,
    unseen_of,
    winners_of,
)

# ---- what to do --------------------------------------------------------------------------------------------


def prompt(view: View) -> Prompt:
    """The viewer's next choice."""
    return replace(_asks(view), chapter=_chapter(view))


def _chapter(view: View) -> str:
    """The chapter of the rulebook about what is done now."""
    s = view.state
    if s.ending:
        return 'the-end-of-the-game-the-exhibition'
    if surveying(s):
        return 'survey'
    if s.phase == Phase.NEUTRAL or s.digger == NEUTRAL:
        return 'two-players'
    return 'the-patrons' if s.appeal >= 0 else 'excavation'


def _asks(view: View) -> Prompt:
    s = view.state
    if s.ending:
        return Prompt(ending_words(s, view.names), say('prompt.help.over'))
    player = player_word(int(s.to_move), view.names)
    if not view.actions:
        if surveying(s):
            return Prompt(say('prompt.wait_claim', player=player, area=C.AREAS[int(s.area)]))
        return Prompt(say('prompt.wait_last' if s.last else 'prompt.wait', player=player))
    choices = choices_of(s, view.actions)
    if surveying(s):
        return _prompt_to_claim(view, player, choices)
    if s.phase == Phase.NEUTRAL:
        return Prompt(say('prompt.neutral', player=player), say('prompt.help.neutral'), _buttons(s, choices))
    if s.phase == Phase.DIG:
        return _prompt_to_dig(s, player)
    if s.phase == Phase.APPEAL:
        patron = C.PATRONS[int(s.appeal)]
        key = f'{patron}_start' if patron in ('violet', 'lemon') and not choices.extends else patron
        return Prompt(say(f'prompt.{key}', player=player), say(f'prompt.help.{key}'), _buttons(s, choices))
    if choices.starts:
        # only possible actions are mentioned
        key = f'dig{"_extend" if choices.extends else ""}{"_patron" if choices.patrons else ""}'
        text = say('prompt.last' if s.last else f'prompt.{key}', player=player)
        help_ = say(f'prompt.help.{key}')
    elif choices.patrons:
        text, help_ = say('prompt.patron', player=player), say('prompt.help.patron')
    else:
        keeps = s.season < C.N_SEASONS - 1 and s.stock[s.to_move] > 0
        text, help_ = say('prompt.pass', player=player), say('prompt.help.pass') if keeps else ''
    return Prompt(text, help_, _buttons(s, choices))


def _buttons(s: State, choices: Choices) -> tuple[Button, ...]:
    """The buttons that apply."""
    neutral = s.phase == Phase.NEUTRAL
    found = []
    if neutral and choices.starts:
        found.append(Button('neutral-start', say('button.neutral_start'), 's'))
    if neutral and choices.extends:
        found.append(Button('neutral-extend', say('button.neutral_extend'), 'x'))
    if choices.extends and not neutral:
        found.append(Button('extend', say('button.extend'), 'e'))
    if choices.passes:
        found.append(Button('pass', say('button.pass'), 'p'))
    if choices.nothing:
        found.append(Button('nothing', say('button.no_neutral' if neutral else 'button.nothing'), 'n'))
    return tuple(found)


def _prompt_to_dig(s: State, player: str) -> Prompt:
    """The prompt for the next cube."""
    laid = [int(space) for space in s.laid if space >= 0]
    if not laid:
        patron = C.PATRONS[int(s.appeal)]
        return Prompt(say(f'prompt.{patron}', player=player), say(f'prompt.help.{patron}'))
    text = say(
        'prompt.next_neutral' if s.digger == NEUTRAL else 'prompt.next',
        player=player,
        n=len(laid) + 1,
        of=len(laid) + int(s.to_lay),
        space=C.SPACES[laid[-1]],
    )
    return Prompt(
        text,
        say('prompt.help.next_lemon' if s.appeal == C.LEMON and s.digger != NEUTRAL else 'prompt.help.next'),
    )


def _prompt_to_claim(view: View, player: str, choices: Choices) -> Prompt:
    """The prompt for a claim in the survey."""
    s = view.state
    area = C.AREAS[int(s.area)]
    if s.phase == Phase.REMOVE:
        return Prompt(say('prompt.remove', player=player, area=area), say('prompt.help.remove'))
    key = (
        'both'
        if choices.tiles and choices.rooms
        else 'tile'
        if choices.tiles
        else 'room'
        if choices.rooms
        else 'none'
    )
    text = say(f'prompt.claim_{key}', player=player, area=area, rank=int(s.next_rank) + 1)
    return Prompt(text, say(f'prompt.help.claim_{key}'), _buttons(s, choices))


def ending_words(s: State, names: Sequence[str]) -> str:
    """The winners, in a sentence."""
    winners = winners_of(s)
    players = listed([player_word(seat, names) for seat in winners])
    points, stock = int(s.points[winners[0]]), count_words('cubes', int(s.stock[winners[0]]))
    if len(winners) > 1:
        return say('prompt.shared', players=players, points=points)
    tied = sum(int(s.points[seat]) == points for seat in range(int(s.players))) > 1
    return say('prompt.tie_break' if tied else 'prompt.won', player=players, points=points, stock=stock)


# ---- the position in words ---------------------------------------------------------------------------------


def colour_word(view: View, who: int) -> str:
    """The word for somebody's colour; it begins with the letter that stands for their cubes."""
    return say('neutral' if who == NEUTRAL else f'colour.{view.colour(who)}')


def letter(view: View, who: int) -> str:
    """The letter that stands for somebody's cubes."""
    return colour_word(view, who)[0]


def region_rows(view: View) -> list[str]:
    """The region in characters: `[B]` a cube of Blue, `^` a pyramid, `.` an empty space; nothing where an
    area was surveyed."""
    s = view.state
    cubes, pyramids, rows = cubes_of(s), pyramids_of(s), []
    header = '   ' + ' '.join(
        f' {name} ' if k % 2 or not k else f'  {name} ' for k, name in enumerate(C.COLUMNS)
    )
    for row in range(3 * rows_of(s)):
        cells = []
        for column in range(C.N_COLUMNS):
            space = C.N_COLUMNS * row + column
            if space in cubes:
                cell = f'[{letter(view, cubes[space])}]'
            elif surveyed(s, C.AREA_OF[space]):
                cell = '   '
            else:
                cell = ' ^ ' if space in pyramids else ' . '
            cells.append(('|' if column and column % 2 == 0 else '') + cell)
        rows.append(f'{row + 1}  ' + ' '.join(cells))
        if row % 3 == 2:
            rows.append('')
    return [header, *(row.rstrip() for row in rows)]


def text(view: View) -> str:
    """The position in characters and sentences."""
    s = view.state
    legend = say('text.legend', colour=colour_word(view, 0), letter=letter(view, 0))
    lines = [] if s.ending else [*region_rows(view), legend]
    lines += _now(view)
    if not s.ending:
        lines += [_area_words(view, area) for area in areas_of(s) if not surveyed(s, area)]
    rooms = [
        say('text.room', room=room_name(s, room), player=player_word(int(s.room[room]), view.names))
        for room in range(C.N_ROOMS)
        if s.room[room] != NOBODY
    ]
    empty = [room_name(s, room) for room in range(C.N_ROOMS) if s.room[room] == NOBODY]
    lines.append(
        say(
            'text.museum',
            rooms=', '.join(rooms) or say('game.none'),
            empty=', '.join(empty) or say('game.none'),
        )
    )
    if scale := scale_of(s):
        lines.append(
            say(
                'text.scale',
                players=', '.join(
                    say('text.place', place=place + 1, player=player_word(who, view.names))
                    for who, place in scale.items()
                ),
            )
        )
    lines += [line for seat in from_viewer(view) for line in _seat_words(view, seat)]
    if unseen := unseen_of(s):
        counts = [(sum(C.PATRON_OF[tile] == kind for tile in unseen), kind) for kind in range(len(KINDS))]
        lines.append(
            say(
                'text.unseen',
                tiles=', '.join(say('text.count', n=n, patron=patron_word(kind)) for n, kind in counts if n),
            )
        )
    return '\n'.join(lines)


def _now(view: View) -> list[str]:
    """The season, the seat to move, the steps of its turn so far."""
    s = view.state
    if s.ending:
        return [ending_words(s, view.names)]
    lines = [say('text.season', season=int(s.season) + 1, of=C.N_SEASONS)]
    if surveying(s):
        return [*lines, say('text.survey', area=C.AREAS[int(s.area)], claim=claim_words(view))]
    seat = int(s.to_move)
    lines.append(
        say(
            'text.last' if s.last else 'text.to_move',
            player=player_word(seat, view.names),
            letter=letter(view, seat),
        )
    )
    if steps := begun(s):
        lines.append(say('text.begun', steps=', '.join(steps)))
    return lines


def _area_words(view: View, area: int) -> str:
    """The tiles and the ranks of an area."""
    s = view.state
    tiles = [tile_words(tile) for tile in tiles_in(s, area) if s.owner[tile] == LYING]
    ranks = [say('text.rank', player=player_word(who, view.names), n=n) for who, n in ranking(s, area)]
    return say(
        'text.area',
        area=C.AREAS[area],
        tiles=listed(tiles) or say('game.none'),
        ranks=', '.join(ranks) or say('text.nobody'),
    )


def _seat_words(view: View, seat: int) -> list[str]:
    """The points, cubes and tiles of a player."""
    s = view.state
    tiles = []
    for kind, n in enumerate(s.held[seat].tolist()):
        if n:
            key = 'text.used' if s.used[seat, kind] else 'text.count'
            tiles.append(say(key, n=n, patron=patron_word(kind), used=int(s.used[seat, kind])))
    total = show_of(s, seat).total
    lines = [
        say(
            'text.seat',
            player=player_word(seat, view.names),
            letter=letter(view, seat),
            points=count_words('points', int(s.points[seat])),
            stock=count_words('cubes', int(s.stock[seat])),
            reserve=int(s.reserve[seat]),
        ),
        say('text.tiles', tiles=', '.join(tiles) or say('game.none'), total=total),
    ]
    if s.players == 2:
        lines.append(say('text.neutral', n=int(s.neutral_stock[seat])))
    return lines


def stage(s: State) -> str:
    """The season out of all seasons."""
    return say('stage', season=int(s.season) + 1, of=C.N_SEASONS)
