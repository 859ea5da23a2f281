"""What the tests of Mykerinos share: positions, and what the real game and the model show of them in the same
words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import ludoteca
from ludoteca.game import Position
from ludoteca.game import position as read
from ludoteca.games.mykerinos.rules import State
from ludoteca.kernel import WORD
from tests.mykerinos.model import (
    AREAS_OF_SEASON,
    INCOME,
    NEUTRAL,
    ORDER,
    PATRONS,
    Game,
    Who,
    neighbours,
    pyramid_spaces,
)

MYKERINOS = ludoteca.load('mykerinos')
PHASES = ('excavate', 'appeal', 'dig', 'neutral', 'claim', 'remove')
SPACES = [column + str(row) for row in range(1, 10) for column in 'abcdefgh']
TILES_OF_SEASON = [2 * areas for areas in AREAS_OF_SEASON]
OPTIONS: dict[str, dict[str, Any]] = {'any': {}, 'three': {'five_door': 'three'}}


def read_position(data: Any) -> Position:
    """The position that is written as JSON."""
    return read(data)


def new_game(players: int, seed: int, **options: Any) -> tuple[Position, Game]:
    """A new game, and the model of it: with the same deal and the same order of the wings."""
    position = ludoteca.new('mykerinos', players, seed, options)
    data = position.to_json()
    deal = [
        (entry.removesuffix(' turned'), entry.endswith(' turned')) for entry in data['tiles'] + data['deck']
    ]
    return position, Game.start(players, data['wings'], deal, three_only=options.get('five_door') == 'three')


# ---- what a state shows, read from its documented fields ---------------------------------------------------


def colour(number: int) -> Who:
    """A seat, or the neutral colour."""
    return NEUTRAL if number == 4 else number


def spaces_in(words: Any) -> set[str]:
    """The spaces of a set of two words of bits."""
    bits = int(words[0]) | int(words[1]) << WORD
    return {space for k, space in enumerate(SPACES) if bits >> k & 1} if bits else set()


def facts(s: State) -> dict[str, Any]:
    """Everything that both can be asked for."""
    n, over = int(s.players), bool(s.ending)
    rooms = {MYKERINOS.action_name(s, 216 + room): int(seat) for room, seat in enumerate(s.room) if seat >= 0}
    owners: dict[int, set[str]] = {}
    for tile, owner in zip(ORDER, s.owner.tolist(), strict=True):
        owners.setdefault(owner, set()).add(tile)
    shown: dict[str, Any] = {
        'season': int(s.season) + 1,
        'turn': int(s.turn),
        'cubes': {space: colour(who) for who in range(5) for space in spaces_in(s.cubes[who])},
        'museum': rooms,
        'stock': s.stock[:n].tolist(),
        'reserve': s.reserve[:n].tolist(),
        'neutral': s.neutral_stock[:n].tolist() if n == 2 else [0] * n,
        'neutral reserve': int(s.neutral_reserve) if n == 2 else 0,
        'held': [owners.get(seat, set()) for seat in range(n)],
        'lying': owners.get(4, set()),
        'gone': owners.get(5, set()),
        'patrons': s.held[:n].tolist(),
        'tilted': s.used[:n, :5].tolist(),
        'points': s.points[:n].tolist(),
        'scale': [None if who < 0 else colour(who) for who in s.scale.tolist()],
    }
    if not over:
        shown |= {'phase': PHASES[int(s.phase)], 'to move': int(s.to_move), 'first': int(s.first)}
        if shown['phase'] in ('claim', 'remove'):
            ranking = [colour(who) for who in s.rank[: s.n_ranked].tolist()]
            shown |= {'area': int(s.area), 'ranking': ranking, 'rank': int(s.next_rank)}
        else:
            shown['pyramids'] = spaces_in(s.pyramids)
    return shown


def model_phase(game: Game) -> str:
    """The phase by its documented meaning."""
    if game.area is not None:
        return 'remove' if game.removing() else 'claim'
    if not game.steps:
        return 'excavate'
    if game.own_part_done():
        return 'dig' if game.steps[-1].startswith('neutral extend') else 'neutral'
    # the others leave no choice but of a space
    return 'appeal' if game.steps[-1] in ('violet', 'lemon', 'brown') else 'dig'


def model_facts(game: Game) -> dict[str, Any]:
    """The same of the model."""
    table, n = game.table, game.players
    held = [Counter(tile.split('-')[0] for tile in tiles) for tiles in table.held]
    shown: dict[str, Any] = {
        'season': game.season,
        'turn': game.turn,
        'cubes': table.cubes,
        'museum': table.museum,
        'stock': table.stock,
        'reserve': [table.reserve(seat) for seat in range(n)],
        'neutral': table.neutral,
        'neutral reserve': table.reserve(NEUTRAL) if n == 2 else 0,
        'held': [set(tiles) for tiles in table.held],
        'lying': table.lying,
        'gone': table.gone,
        'patrons': [[count[name] for name in (*PATRONS, 'blank')] for count in held],
        'tilted': [[tilted[name] for name in PATRONS] for tilted in table.tilted],
        'points': table.points,
        'scale': table.scale(),
    }
    if not game.over:
        shown |= {'phase': model_phase(game), 'to move': game.to_move, 'first': game.first}
        if game.area is not None:
            shown |= {'area': game.area, 'ranking': game.ranking, 'rank': game.rank}
        else:
            shown['pyramids'] = game.pyramids
    return shown


def assert_same(position: Position, game: Game) -> None:
    """The real position shows what the model's does, and allows the same."""
    shown, expected = facts(position.state), model_facts(game)
    assert shown == expected, {
        key: (shown.get(key), expected[key]) for key in expected if shown.get(key) != expected[key]
    }
    assert position.over == game.over
    if game.over:
        winners = game.winners()
        assert position.scores() == game.points
        assert position.outcome() == [(seat in winners) / len(winners) for seat in range(game.players)]
    listed = position.legal()
    assert len(set(listed)) == len(listed)
    assert set(listed) == game.legal(), (set(listed) ^ game.legal(), position.to_json())


# ---- positions to try rules in -----------------------------------------------------------------------------


def table(
    players: int = 3,
    *,
    season: int = 1,
    held: Iterable[Iterable[str]] = (),
    gone: Iterable[str] = (),
    tiles: Iterable[str] = (),
    **more: Any,
) -> dict[str, Any]:
    """A position before somebody's turn as JSON: full incomes in the stocks, the patrons' wings in their
    usual order. `tiles` are the first of the season's; where it does not matter which tiles are where, it is
    filled up."""
    hands = [list(seat) for seat in held] or [[] for _ in range(players)]
    shown, left = list(tiles), list(gone)
    now, out = {name.split()[0] for name in shown}, set(left).union(*hands)
    rest = [tile for tile in ORDER if tile not in now | out]
    for _ in range(sum(TILES_OF_SEASON[: season - 1]) - len(out - now)):
        left.append(rest.pop())
    shown += rest[: TILES_OF_SEASON[season - 1] - len(shown)]
    data = {
        'game': 'mykerinos',
        'players': players,
        'to_move': 0,
        'season': season,
        'wings': list(PATRONS),
        'tiles': shown,
        'held': hands,
        'gone': left,
        'stock': [INCOME[players]] * players,
    }
    return data | ({'neutral': [4, 4]} if players == 2 else {}) | more


def position(players: int = 3, **more: Any) -> Position:
    """The same as a position to play on; its deck is in the order of the tiles, so that it can be dealt."""
    data = table(players, **more)
    placed = {name.split()[0] for key in ('tiles', 'gone') for name in data[key]}.union(*data['held'])
    return read_position({'deck': [tile for tile in ORDER if tile not in placed], **data})


def clear(*spaces: str, season: int = 2, without: Iterable[str] = ()) -> list[str]:
    """A deal that leaves these spaces free of pyramids."""
    dealt: list[str] = []
    for slot in range(TILES_OF_SEASON[season - 1]):
        taken = {entry.split()[0] for entry in dealt} | {*without}
        dealt.append(
            next(
                tile + ' turned' * turned
                for tile in ORDER
                for turned in (False, True)
                if tile not in taken and pyramid_spaces(slot, tile, turned).isdisjoint(spaces)
            )
        )
    return dealt


def trails(position: Position, ground: str, near: str = '') -> list[list[str]]:
    """All lines of empty spaces, each beside the one before: `.` for one without pyramid, `^` for one with a
    pyramid. The first lies beside `near` if that is given. Where pyramids stand is no rule, so tests ask for
    what they need."""
    game = Game.read(position.to_json()).table
    lines: list[list[str]] = [[]]
    for kind in ground:
        fitting = [
            space
            for space in game.region
            if space not in game.cubes and (space in game.pyramids) == (kind == '^')
        ]
        lines = [
            [*line, space]
            for line in lines
            for space in fitting
            if space not in line and (not (line or near) or space in neighbours([near, *line][-1]))
        ]
    return lines


def trail(position: Position, ground: str, near: str = '') -> list[str]:
    """The first of these lines."""
    return trails(position, ground, near)[0]


def legal(position: Position) -> set[str]:
    """The names of the legal steps; each is listed once."""
    listed = position.legal()
    assert len(set(listed)) == len(listed)
    return set(listed)
