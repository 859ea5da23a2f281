"""The words of Myraclia: the prompt, the stage, the position in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ludoteca.game import Button, Prompt, View
from ludoteca.game.seats import from_viewer
from ludoteca.text.players import letter, player_word

from .. import components as C
from .. import rules as R
from ..notation import action_name, begun, tiles_to_lay
from ..rules import ASIDE, NONE, Phase, State
from .facts import (
    Choices,
    bits_of,
    certain,
    cheapest,
    choices_of,
    cubes_of,
    element_word,
    face_words,
    free_elements,
    heap,
    heap_words,
    holder_of,
    in_turn,
    listed,
    missing_of,
    on_surface,
    order_now,
    paid_of,
    place_of,
    points_words,
    say,
    scoring_of,
    surfaces_word,
    tie_words,
    tile_words,
    token_words,
    winners_of,
    zone_of,
)

KEYS = {'pass': 'p', 'end': 'e', 'reserve': 'r', 'change': 'c', 'done': 'd'}


# ---- what to do --------------------------------------------------------------------------------------------


def prompt(view: View) -> Prompt:
    """What the viewer has to do now."""
    return replace(_asks(view), chapter=_chapter(view))


CHAPTERS = {
    Phase.ARRANGE: 'arranging-the-start', Phase.DRAFT: 'the-draft', Phase.PAY: 'terraforming',
    Phase.FIVES: 'wild-cards', Phase.PUT: 'reserving', Phase.PLACE: 'new-land', Phase.TOKEN: 'eternity',
}  # fmt: skip


def _chapter(view: View) -> str:
    """The chapter of the rulebook about what is done now."""
    return 'scoring' if view.state.ending else CHAPTERS.get(view.state.phase, 'your-turn')


def _asks(view: View) -> Prompt:
    s = view.state
    if s.ending:
        return Prompt(ending_words(s, view.names), say('prompt.help.over'))
    player = player_word(int(s.to_move), view.names)
    if not view.actions:
        return Prompt(say(f'prompt.wait_{_kind(s)}', player=player))
    choices = choices_of(s, view.actions)
    text, help_ = _asked(s, player, choices)
    buttons = [Button(button, say(f'button.{button}'), KEYS[button]) for button in choices.buttons]
    if steps := proposed(s, choices):
        key = 'put_all' if s.phase == Phase.PUT else 'pay'
        buttons.append(Button(key, say(f'button.{key}'), 'Enter', steps))
    return Prompt(text, help_, tuple(buttons))


def proposed(s: State, choices: Choices) -> tuple[str, ...]:
    """The steps that Enter plays: the cheapest way to pay, or all cubes of a reservation that can be put."""
    if choices.pays or choices.uses:
        return played(s, cheapest(s))
    if not choices.puts:
        return ()
    most = int(R.most_put(s, int(s.target))) - int(s.plain).bit_count()
    return played(s, (*(R.PUT + colour for colour in choices.puts[:most]), R.DONE))


def played(s: State, actions: Sequence[int]) -> tuple[str, ...]:
    """The names of actions that are played one after another."""
    # no name of these depends on what went before
    return tuple(action_name(s, action) for action in actions)


def _kind(s: State) -> str:
    """What is done now, as the words call it."""
    own = {Phase.ARRANGE: 'arrange', Phase.DRAFT: 'draft', Phase.TOKEN: 'token', Phase.PLACE: 'place'}
    return own.get(Phase(int(s.phase)), 'turn')


def _asked(s: State, player: str, choices: Choices) -> tuple[str, str]:
    """What the player to move is asked to do, and how it is done."""
    match s.phase:
        case Phase.ARRANGE:
            n = len(tiles_to_lay(s))
            return say('prompt.arrange' if n > 1 else 'prompt.arrange_last', player=player, n=n), say(
                'prompt.help.arrange'
            )
        case Phase.DRAFT:
            return say('prompt.draft', player=player), say(
                'prompt.help.draft_last' if s.passed.sum() == s.players - 1 else 'prompt.help.draft'
            )
        case Phase.TURN:
            left = R.MOST_ACTIONS - int(s.n_actions)
            if not (choices.tiles or choices.reserves):
                key = 'add' if choices.adds else 'done' if not left else 'stuck'
                return say(f'prompt.turn_{key}', player=player), say(
                    'prompt.help.end' if s.to_add else 'prompt.help.end_plain', n=int(s.to_add)
                )
            help_ = say('prompt.help.turn' if choices.tiles else 'prompt.help.turn_reserve')
            return say('prompt.turn', player=player, n=int(s.n_actions) + 1, of=R.MOST_ACTIONS), help_
        case Phase.PAY:
            return say('prompt.pay', player=player, surfaces=surfaces_word(int(s.target))), say(
                'prompt.help.pay'
            )
        case Phase.FIVES:
            return say('prompt.fives', player=player, n=1 + sum(heap(s.used)), of=5 * int(s.fives)), say(
                'prompt.help.fives'
            )
        case Phase.PUT:
            missing = len(missing_of(s, int(s.target))) - int(s.plain).bit_count()
            key = 'prompt.put' if s.plain else 'prompt.put_first'
            return say(
                key, player=player, surfaces=surfaces_word(int(s.target)), points=points_words(missing)
            ), say('prompt.help.put')
        case Phase.PLACE:
            dark = any(tile >= C.FIRST_DARK for tiles in choices.places.values() for tile in tiles)
            return say(
                'prompt.place' if s.to_add > 1 else 'prompt.place_last', player=player, n=int(s.to_add)
            ), say('prompt.help.place_dark' if dark else 'prompt.help.place')
    return say('prompt.token', player=player, token=token_words(int(s.token))), say('prompt.help.token')


def ending_words(s: State, names: Sequence[str]) -> str:
    """Who has won."""
    winners = winners_of(s)
    points = int(s.points[winners[0]])
    players = listed([player_word(seat, names) for seat in winners])
    if len(winners) > 1:
        return say('prompt.shared', players=players, points=points)
    if by := tie_words(s):
        return say('prompt.tie_break', player=players, points=points, by=by)
    return say('prompt.won', player=players, points=points)


def stage(s: State) -> str:
    """The round, or that the surface is still being laid."""
    return say('stage_start') if s.phase == Phase.ARRANGE else say('stage', round=int(s.round))


# ---- the position in words ---------------------------------------------------------------------------------


def map_rows(view: View) -> list[str]:
    """The surface in characters, a tile eight wide and each row half a tile to the right of the one above:
    `P04[B]` terraformed by Blue, `P04r[B]` reserved by Blue, `P04` free."""
    s = view.state
    places = {C.place_of(int(s.where[tile])): tile for tile in on_surface(s)}
    if not places:
        return []
    rows = range(min(r for _, r in places), max(r for _, r in places) + 1)
    left = min(2 * q + r for q, r in places)
    found = []
    for r in rows:
        line = ''
        for q in sorted(q for q, row in places if row == r):
            tile = places[q, r]
            seat = int(s.owner[tile]) if s.owner[tile] != NONE else holder_of(s, tile)
            mark = (
                '' if seat == NONE else f'{"" if s.owner[tile] != NONE else "r"}[{letter(view.colour(seat))}]'
            )
            line = line.ljust(4 * (2 * q + r - left)) + C.TILES[tile] + mark
        found.append(f'{r:>3}  {line}')
    return found


def text(view: View) -> str:
    """The position in characters and sentences."""
    s = view.state
    legend = say('text.legend', colour=say(f'colour.{view.colour(0)}'), letter=letter(view.colour(0)))
    lines = [*map_rows(view), '', legend, *_now(view)]
    tiles = on_surface(s)
    free = [tile for tile in tiles if s.owner[tile] == NONE]
    lines += [
        say('text.free'),
        *(say('text.tile', place=place_of(s, tile), tile=tile_words(s, tile, view.names)) for tile in free),
    ]
    shown = [face_words(int(tile)) for tile in s.display if tile != NONE]
    lines.append(say('text.display', tiles='; '.join(shown) or say('game.none')))
    lines += [line for seat in from_viewer(view) for line in _seat_words(view, seat)]
    lines += [
        say('text.bag', cubes=heap_words(heap(s.bag))),
        say('text.discard', cubes=heap_words(heap(s.discard))),
    ]
    if tokens := bits_of(int(s.token_bag)):
        lines.append(say('text.tokens', tokens=', '.join(map(token_words, tokens))))
    if not (certain('surface_table') and certain('released')):
        lines.append(say('text.unsure'))
    return '\n'.join(lines)


def _now(view: View) -> Iterator[str]:
    """The round, whose turn it is, what has been begun."""
    s = view.state
    if s.ending:
        yield ending_words(s, view.names)
        return
    seat = int(s.to_move)
    yield say(
        f'text.to_{_kind(s)}',
        round=int(s.round),
        player=player_word(seat, view.names),
        letter=letter(view.colour(seat)),
    )
    if s.phase == Phase.ARRANGE:
        yield say('text.to_lay', tiles='; '.join(map(face_words, tiles_to_lay(s))))
        return
    order = ', '.join(player_word(int(one), view.names) for one in s.order[: s.players])
    if s.phase == Phase.DRAFT:
        columns = sorted(
            (int(s.column[colour]), colour) for colour in range(C.N_COLOURS) if s.column[colour] != NONE
        )
        groups = [
            say('text.group', n=int(s.board[colour]), element=element_word(colour), column=column + 1)
            for column, colour in columns
        ]
        disks = [
            say(
                'text.aside' if s.disk[one] == ASIDE else 'text.disk',
                player=player_word(one, view.names),
                column=int(s.disk[one]) + 1,
            )
            for one in order_now(s)
        ]
        yield say('text.board', cubes=', '.join(groups) or say('game.none'))
        yield say('text.drafting', players=order, disks=', '.join(disks) or say('game.none'))
        return
    yield say('text.order', players=order)
    if s.phase == Phase.TOKEN:
        yield say('text.token', token=token_words(int(s.token)))
    elif s.phase == Phase.PLACE:
        yield say('text.add', n=int(s.to_add))
    elif in_turn(s):
        yield say(
            'text.pool',
            budget=int(s.budget) - sum(paid_of(s)),
            cubes=heap_words([a - b for a, b in zip(heap(s.pool), paid_of(s), strict=True)]),
        )
        if steps := begun(s):
            yield say('text.begun', steps=', '.join(steps))
    if any(zone := zone_of(s)):
        yield say('text.zone', cubes=heap_words(zone))


def _seat_words(view: View, seat: int) -> Iterator[str]:
    """What a player has."""
    s = view.state
    found = scoring_of(s, seat)
    yield say(
        'text.seat',
        player=player_word(seat, view.names),
        letter=letter(view.colour(seat)),
        points=points_words(int(s.points[seat])),
        n=int(s.done[seat]),
        of=C.END_TILES[s.players],
        disks=say.counted('panel.disks', C.DISKS[s.players] - int(R.n_disks(s, seat))),
    )
    surfaces = listed(
        [
            say('text.count', n=n, surface=say(f'surface.{C.SURFACES[surface]}'))
            for surface, n in enumerate(found.symbols)
            if n
        ]
    )
    yield say('text.surfaces', surfaces=surfaces, area=found.area, total=found.total)
    yield say('text.cubes', cubes=heap_words(cubes_of(s, seat)), free=heap_words(free_elements(s, seat)))
