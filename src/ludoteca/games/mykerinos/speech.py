"""What Mykerinos says: what to do, why something cannot be done, the position in words."""
from __future__ import annotations

from collections.abc import Sequence

from ludoteca.game import Button, Game, Prompt, View
from ludoteca.games.mykerinos import components as C
from ludoteca.games.mykerinos.beside import claim_words
from ludoteca.games.mykerinos.notation import begun, room_name
from ludoteca.games.mykerinos.reading import (
    KINDS,
    Choices,
    areas_of,
    choices_of,
    cube_id,
    cubes_of,
    from_viewer,
    laid_of,
    listed,
    neighbours,
    patron_id,
    patron_word,
    player_word,
    pyramids_of,
    ranking,
    room_id,
    room_words,
    rows_of,
    scale_of,
    show_of,
    space_id,
    surveyed,
    surveying,
    tile_id,
    tile_words,
    tiles_in,
    unseen_of,
    winners_of,
)
from ludoteca.games.mykerinos.rules import LYING, NEUTRAL, NOBODY, Phase, State

SPACE_OF_ID = {id_(space): space for space in range(C.N_SPACES) for id_ in (space_id, cube_id)}
TILE_OF_ID = {tile_id(tile): tile for tile in range(C.N_TILES)}
PATRON_OF_ID = {patron_id(patron): patron for patron in range(C.N_PATRONS)}


# ---- what to do --------------------------------------------------------------------------------------------------------------

def prompt(game: Game, view: View) -> Prompt:
    """What the viewer has to do now."""
    s, say = view.state, game.words
    if s.ending:
        return Prompt(ending_words(game, s, view.names), say('prompt.help.over'))
    player = player_word(game, int(s.to_move), view.names)
    if not view.actions:
        if surveying(s):
            return Prompt(say('prompt.wait_claim', player=player, area=C.AREAS[int(s.area)]))
        return Prompt(say('prompt.wait_last' if s.last else 'prompt.wait', player=player))
    choices = choices_of(s, view.actions)
    if surveying(s):
        return _prompt_to_claim(game, view, player, choices)
    if s.phase == Phase.NEUTRAL:
        return Prompt(say('prompt.neutral', player=player), say('prompt.help.neutral'), _buttons(game, s, choices))
    if s.phase == Phase.DIG:
        return _prompt_to_dig(game, s, player)
    if s.phase == Phase.APPEAL:
        patron = C.PATRONS[int(s.appeal)]
        return Prompt(say(f'prompt.{patron}', player=player), say(f'prompt.help.{patron}'), _buttons(game, s, choices))
    if choices.starts:
        text = say('prompt.last' if s.last else 'prompt.dig_patron' if choices.patrons else 'prompt.dig', player=player)
        help_ = say('prompt.help.extend' if choices.extends else 'prompt.help.start')
    elif choices.patrons:
        text, help_ = say('prompt.patron', player=player), say('prompt.help.patron')
    else:
        text, help_ = say('prompt.pass', player=player), say('prompt.help.pass')
    return Prompt(text, help_, _buttons(game, s, choices))


def _buttons(game: Game, s: State, choices: Choices) -> tuple[Button, ...]:
    """The buttons that apply."""
    say, neutral = game.words, s.phase == Phase.NEUTRAL
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


def _prompt_to_dig(game: Game, s: State, player: str) -> Prompt:
    """Where the next cube goes."""
    say = game.words
    laid = [int(space) for space in s.laid if space >= 0]
    if not laid:
        patron = C.PATRONS[int(s.appeal)]
        return Prompt(say(f'prompt.{patron}', player=player), say(f'prompt.help.{patron}'))
    text = say('prompt.next_neutral' if s.digger == NEUTRAL else 'prompt.next', player=player, n=len(laid) + 1,
               of=len(laid) + int(s.to_lay), space=C.SPACES[laid[-1]])
    return Prompt(text, say('prompt.help.next_lemon' if s.appeal == C.LEMON and s.digger != NEUTRAL else 'prompt.help.next'))


def _prompt_to_claim(game: Game, view: View, player: str, choices: Choices) -> Prompt:
    """What to take in the survey."""
    s, say = view.state, game.words
    area = C.AREAS[int(s.area)]
    if s.phase == Phase.REMOVE:
        return Prompt(say('prompt.remove', player=player, area=area), say('prompt.help.remove'))
    key = 'both' if choices.tiles and choices.rooms else 'tile' if choices.tiles else 'room' if choices.rooms else 'none'
    text = say(f'prompt.claim_{key}', player=player, area=area, rank=int(s.next_rank) + 1)
    return Prompt(text, say(f'prompt.help.claim_{key}'), _buttons(game, s, choices))


def ending_words(game: Game, s: State, names: Sequence[str]) -> str:
    """Who has won."""
    winners = winners_of(s)
    players = listed(game, [player_word(game, seat, names) for seat in winners])
    points, stock = int(s.points[winners[0]]), int(s.stock[winners[0]])
    if len(winners) > 1:
        return game.words('prompt.shared', players=players, points=points)
    tied = sum(int(s.points[seat]) == points for seat in range(int(s.players))) > 1
    return game.words('prompt.tie_break' if tied else 'prompt.won', player=players, points=points, stock=stock)


# ---- the position in words ---------------------------------------------------------------------------------------------------

def colour_word(game: Game, view: View, who: int) -> str:
    """The word for somebody's colour; it begins with the letter that stands for their cubes."""
    return game.words('neutral' if who == NEUTRAL else f'colour.{view.colour(who)}')


def letter(game: Game, view: View, who: int) -> str:
    """The letter that stands for somebody's cubes."""
    return colour_word(game, view, who)[0]


def region_rows(game: Game, view: View) -> list[str]:
    """The region in characters: `[B]` a cube of Blue, `^` a pyramid, `.` an empty space; nothing where an area was surveyed."""
    s = view.state
    cubes, pyramids, rows = cubes_of(s), pyramids_of(s), []
    header = '   ' + ' '.join(f' {name} ' if k % 2 or not k else f'  {name} ' for k, name in enumerate(C.COLUMNS))
    for row in range(3 * rows_of(s)):
        cells = []
        for column in range(C.N_COLUMNS):
            space = C.N_COLUMNS * row + column
            if space in cubes:
                cell = f'[{letter(game, view, cubes[space])}]'
            elif surveyed(s, C.AREA_OF[space]):
                cell = '   '
            else:
                cell = ' ^ ' if space in pyramids else ' . '
            cells.append(('|' if column and column % 2 == 0 else '') + cell)
        rows.append(f'{row + 1}  ' + ' '.join(cells))
        if row % 3 == 2:
            rows.append('')
    return [header, *(row.rstrip() for row in rows)]


def text(game: Game, view: View) -> str:
    """The position in characters and sentences."""
    s, say = view.state, game.words
    legend = say('text.legend', colour=colour_word(game, view, 0), letter=letter(game, view, 0))
    lines = [] if s.ending else [*region_rows(game, view), legend]
    lines += _now(game, view)
    if not s.ending:
        lines += [_area_words(game, view, area) for area in areas_of(s) if not surveyed(s, area)]
    rooms = [say('text.room', room=room_name(s, room), player=player_word(game, int(s.room[room]), view.names))
             for room in range(C.N_ROOMS) if s.room[room] != NOBODY]
    empty = [room_name(s, room) for room in range(C.N_ROOMS) if s.room[room] == NOBODY]
    lines.append(say('text.museum', rooms=', '.join(rooms) or say('game.none'), empty=', '.join(empty) or say('game.none')))
    if scale := scale_of(s):
        lines.append(say('text.scale', players=', '.join(say('text.place', place=place + 1,
                                                             player=player_word(game, who, view.names))
                                                         for who, place in scale.items())))
    lines += [line for seat in from_viewer(view) for line in _seat_words(game, view, seat)]
    if unseen := unseen_of(s):
        counts = [(sum(C.PATRON_OF[tile] == kind for tile in unseen), kind) for kind in range(len(KINDS))]
        lines.append(say('text.unseen', tiles=', '.join(say('text.count', n=n, patron=patron_word(game, kind))
                                                        for n, kind in counts if n)))
    return '\n'.join(lines)


def _now(game: Game, view: View) -> list[str]:
    """The season, whose turn it is, what has been begun."""
    s, say = view.state, game.words
    if s.ending:
        return [ending_words(game, s, view.names)]
    lines = [say('text.season', season=int(s.season) + 1, of=C.N_SEASONS)]
    if surveying(s):
        return [*lines, say('text.survey', area=C.AREAS[int(s.area)], claim=claim_words(game, view))]
    seat = int(s.to_move)
    lines.append(say('text.last' if s.last else 'text.to_move', player=player_word(game, seat, view.names),
                     letter=letter(game, view, seat)))
    if steps := begun(s):
        lines.append(say('text.begun', steps=', '.join(steps)))
    return lines


def _area_words(game: Game, view: View, area: int) -> str:
    """The tiles of an area, and who leads there."""
    s, say = view.state, game.words
    tiles = [tile_words(game, tile) for tile in tiles_in(s, area) if s.owner[tile] == LYING]
    ranks = [say('text.rank', player=player_word(game, who, view.names), n=n) for who, n in ranking(s, area)]
    return say('text.area', area=C.AREAS[area], tiles=listed(game, tiles) or say('game.none'), ranks=', '.join(ranks)
               or say('text.nobody'))


def _seat_words(game: Game, view: View, seat: int) -> list[str]:
    """What a player has."""
    s, say = view.state, game.words
    tiles = []
    for kind, n in enumerate(s.held[seat].tolist()):
        if n:
            key = 'text.used' if s.used[seat, kind] else 'text.count'
            tiles.append(say(key, n=n, patron=patron_word(game, kind), used=int(s.used[seat, kind])))
    total = show_of(s, seat).total
    lines = [say('text.seat', player=player_word(game, seat, view.names), letter=letter(game, view, seat),
                 points=int(s.points[seat]), stock=int(s.stock[seat]), reserve=int(s.reserve[seat])),
             say('text.tiles', tiles=', '.join(tiles) or say('game.none'), total=total)]
    if s.players == 2:
        lines.append(say('text.neutral', n=int(s.neutral_stock[seat])))
    return lines


# ---- why not -----------------------------------------------------------------------------------------------------------------

def why_not(game: Game, view: View, targets: Sequence[str]) -> str:
    """One sentence: why these targets make no action now."""
    s, say = view.state, game.words
    if s.ending:
        return say('why.over')
    if not view.actions:
        return say('why.watching' if view.seat < 0 else 'why.not_your_turn', player=player_word(game, int(s.to_move), view.names))
    last = targets[-1].removeprefix('el:') if targets else ''
    rooms = {room_id(s, room): room for room in range(C.N_ROOMS)}
    if last.startswith('do:'):
        return _why_no_button(game, s, last.removeprefix('do:'))
    if last in SPACE_OF_ID:
        return _why_not_space(game, view, SPACE_OF_ID[last], targets[0])
    if last in rooms:
        return _why_not_room(game, view, rooms[last])
    if last in PATRON_OF_ID:
        return _why_not_patron(game, s, PATRON_OF_ID[last])
    if last in TILE_OF_ID:
        return _why_not_tile(game, view, TILE_OF_ID[last])
    return _choose(game, s)


def _choose(game: Game, s: State) -> str:
    """What is to be chosen now."""
    say = game.words
    if surveying(s):
        return say('why.choose_claim' if s.phase == Phase.CLAIM else 'why.choose_removed', area=C.AREAS[int(s.area)])
    if s.phase == Phase.APPEAL and s.appeal == C.BROWN:
        return say('why.choose_room')
    if s.phase == Phase.DIG:
        laid = laid_of(s)
        return say('why.choose_next' if laid else 'why.choose_first', space=C.SPACES[laid[-1]] if laid else '')
    return say('why.choose_neutral' if s.phase == Phase.NEUTRAL else 'why.choose')


def _why_no_button(game: Game, s: State, button: str) -> str:
    """Why a button does not apply."""
    say = game.words
    if button == 'extend' and s.phase in (Phase.EXCAVATE, Phase.APPEAL) and s.appeal != C.BROWN:
        return say('why.extension_cubes' if s.stock[s.to_move] < 2 else 'why.no_extension')
    if button == 'pass' and not surveying(s):
        return say('why.pass_later')
    return _choose(game, s)


def _why_not_space(game: Game, view: View, space: int, first: str) -> str:
    """Why no cube goes there."""
    s, say = view.state, game.words
    name = C.SPACES[space]
    if surveying(s) or (s.phase == Phase.APPEAL and s.appeal == C.BROWN):
        return _choose(game, s)
    seat, who, pyramid = int(s.to_move), cubes_of(s).get(space, NOBODY), space in pyramids_of(s)
    if space >= 24 * rows_of(s):
        return _choose(game, s)
    neutral = s.phase == Phase.NEUTRAL or s.digger == NEUTRAL
    if s.phase == Phase.EXCAVATE and not s.stock[seat]:
        return say('why.no_cubes')
    if who != NOBODY:
        if who == (NEUTRAL if neutral else seat) and s.phase in (Phase.EXCAVATE, Phase.APPEAL, Phase.NEUTRAL):
            stock = s.neutral_stock[seat] if neutral else s.stock[seat]
            return say('why.extension_cubes' if stock < 2 else 'why.no_extension_here', space=name)
        return say('why.occupied', space=name, player=player_word(game, who, view.names))
    return _why_not_empty(game, s, space, pyramid, neutral, first)


def _why_not_empty(game: Game, s: State, space: int, pyramid: bool, neutral: bool, first: str) -> str:
    """Why no cube goes on a space without one."""
    say, name = game.words, C.SPACES[space]
    laid = [int(one) for one in s.laid if one >= 0]
    lemon = s.appeal == C.LEMON and not neutral
    if s.phase == Phase.DIG and laid and space not in neighbours(laid[-1]):
        return say('why.not_next', space=name, last=C.SPACES[laid[-1]])
    if pyramid:
        return say('why.second_pyramid' if lemon and laid else 'why.pyramid_lemon' if lemon else 'why.pyramid', space=name)
    if s.phase == Phase.NEUTRAL and first not in ('do:neutral-start', 'do:neutral-extend'):
        return say('why.choose_neutral')
    extends = first in ('do:extend', 'do:neutral-extend') or (s.phase == Phase.DIG and s.appeal == C.TANGERINE and not laid)
    own = [one for one, who in cubes_of(s).items() if who == (NEUTRAL if neutral else int(s.to_move))]
    if extends and not any(near in own for near in neighbours(space)):
        return say('why.not_beside_own', space=name)
    if extends or s.phase == Phase.DIG:
        return say('why.no_next_space', space=name)
    return _choose(game, s)


def _why_not_room(game: Game, view: View, room: int) -> str:
    """Why no cube goes into a room."""
    s, say, seat = view.state, game.words, int(view.state.to_move)
    name = room_words(game, s, room)
    if s.phase == Phase.CLAIM:
        if s.next_rank >= 2:
            return say('why.rank')
        if not s.reserve[seat]:
            return say('why.no_reserve')
    elif s.phase != Phase.APPEAL or s.appeal != C.BROWN:
        return say('why.room_later') if s.phase != Phase.REMOVE else _choose(game, s)
    if s.room[room] != NOBODY:
        return say('why.room_taken', room=name, player=player_word(game, int(s.room[room]), view.names))
    if room not in C.FIVES:
        return _choose(game, s)
    return say('why.door_three' if s.five_door else 'why.door', room=name)


def _why_not_patron(game: Game, s: State, patron: int) -> str:
    """Why a patron does not help."""
    say, seat, name = game.words, int(s.to_move), patron_word(game, patron)
    if surveying(s):
        return say('why.patron_survey')
    if s.phase != Phase.EXCAVATE:
        return say('why.one_patron' if s.appeal >= 0 else 'why.patron_first')
    if not s.held[seat, patron]:
        return say('why.no_patron', patron=name)
    if s.held[seat, patron] <= s.used[seat, patron]:
        return say('why.used', patron=name)
    if patron == C.VIOLET:
        return say('why.violet' if not s.reserve[seat] else 'why.no_space', patron=name)
    needed = {C.LEMON: 1, C.BROWN: 1, C.BLACKMORE: 2, C.TANGERINE: 3}[patron]
    if s.stock[seat] < needed:
        return say('why.patron_cubes', patron=name, n=needed)
    return say('why.brown' if patron == C.BROWN else 'why.no_space', patron=name)


def _why_not_tile(game: Game, view: View, tile: int) -> str:
    """Why a tile cannot be taken."""
    s, say = view.state, game.words
    if not surveying(s):
        return say('why.tile_later')
    owner, name = int(s.owner[tile]), tile_words(game, tile)
    if owner < LYING:
        return say('why.tile_taken', tile=name, player=player_word(game, owner, view.names))
    if owner > LYING:
        return say('why.tile_gone', tile=name)
    return say('why.other_area', area=C.AREAS[int(s.area)])


