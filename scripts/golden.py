#!/usr/bin/env python3
"""Record what the program does, and compare it with what it did before: for changes that must change nothing.

    golden.py write FILE                    record everything in FILE
    golden.py write FILE --part games       record one part of it (or several)
    golden.py compare FILE                  record again what is in FILE, and say what differs
    golden.py digests                       renew tests/golden/data/digests.json, or parts of it
    golden.py database                      make tests/golden/data/today.sqlite.gz anew

    games       random games of every game, number of players and value of an option: a hash each
    perft       numbers of sequences of turns
    positions   positions as JSON, names of actions, and the sentences with which bad ones are refused
    pages       what people see: drawings, prompts, panels, cards, logs, targets, messages; a server's pages
    matches     logs and match files, and what becomes of the recorded ones when they are read again
    bots        what searches find, and hints
    database    tests/golden/data/today.sqlite.gz: what is in it, and how its matches go on

`compare` ends with exit code 1 if anything differs. `digests` is for changes that were meant. The database is
of use as long as it stays what it was on its day: it is made anew only where it cannot be kept.

A recording is a zip file; it belongs outside the repository. Every text is kept whole, so that a difference
can be shown. All that the script asks of the program is asked in the one section `the program`: where a name
in the program changes, only that section need.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import hashlib
import json
import random
import re
import shutil
import sqlite3
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ludoteca import game as contract
from ludoteca.game import Game, GameError, State, View
from ludoteca.match import LogEntry, Match, Seat, Setup, files
from ludoteca.store import SeatPlan, Store
from ludoteca.web.html.rulebook import book
from ludoteca.web.live import hints
from ludoteca.web.people import visitors
from ludoteca.web.table.choices import choice_table
from ludoteca.web.table.messages import match_message, past_fragments
from ludoteca.web.table.model import SeatLabel, TableView
from ludoteca.web.table.wording import events_text
from ludoteca.work import hints as work_hints

T = TypeVar('T')
ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / 'tests/golden/data'
TITLES = ('mykerinos', 'myraclia', 'myriath', 'myrmidons', 'octiles')
NAMES = ('Ann', 'Bob', 'Cleo', 'Dan', 'Eve')
KEY = b'g' * 32
"""What signs the cookies and links of the database that is kept."""

# ---- the program -------------------------------------------------------------------------------------------

Refused = GameError


def game_of(name: str) -> Game:
    """A game by its name."""
    return contract.load(name)


def players_of(game: Game) -> list[int]:
    """The numbers of players."""
    return list(game.players)


def values_of(game: Game) -> dict[str, tuple[Any, ...]]:
    """The options, each with the values that are tried, the default first."""
    return game.options.values()


def allowed(game: Game, players: int, options: Mapping[str, Any]) -> bool:
    """Do these options go together?"""
    return game.options.read(options).problem(players) is None


def check_options(game: Game, players: int, options: Mapping[str, Any]) -> None:
    """Raise a refusal if a game cannot begin so."""
    game.checked(players, game.options.read(options))


def begin(game: Game, players: int, seed: int, options: Mapping[str, Any]) -> Any:
    """The state of a game at its start."""
    return contract.new(game.name, players, seed, options).state


def scratch(game: Game) -> tuple[Any, Any]:
    """A scratch record, and room for a list of actions."""
    return game.Work.new(), np.zeros(max(game.max_legal, 256), np.int32)


def legal(game: Game, s: State, out: Any) -> int:
    """Write the legal actions; how many there are."""
    return int(game.kernels.legal_actions(s, out))


def random_action(game: Game, s: State, work: Any) -> int:
    """An action by lot."""
    return int(game.kernels.random_action(s, work))


def random_turn(game: Game, s: State, work: Any, out: Any) -> int:
    """Write a turn by lot; how many actions it has."""
    return int(game.kernels.random_turn(s, work, out))


def apply(game: Game, s: State, action: int) -> None:
    """Play an action."""
    game.kernels.apply(s, action)


def hidden(game: Game, s: State, seat: int) -> State:
    """What a seat knows of a state."""
    copy = s.copy()
    game.kernels.hide(copy, seat)
    return copy


def lists_turns(game: Game) -> bool:
    """Can the turns of a position be listed?"""
    return game.lists_turns


def is_arranging(game: Game, s: State) -> bool:
    """Does everybody arrange things in secret?"""
    return int(s.phase) in game.arranged


def canonical(game: Game, s: State) -> str:
    """A position as one line of JSON."""
    return game.canonical(s)


def read_position(data: Any) -> Any:
    """The position that JSON describes, or a refusal."""
    return contract.position(data).state


def standing(game: Game, s: State) -> dict[str, Any]:
    """How a game stands: ending, turns, reveals, chance, outcome, scores and measures."""
    here = contract.Position(game, s)
    figures = []
    for seat in range(s.players if s.ending and game.kernels.measure is not None else 0):
        out = np.zeros(len(game.measures))
        game.kernels.measure(s, seat, out)  # type: ignore[misc]
        figures.append(out.tolist())
    return {
        'ending': here.ending,
        'turn': int(s.turn),
        'reveals': int(s.reveals),
        'rng': s.rng.tolist(),
        'outcome': here.outcome(),
        'scores': here.scores(),
        'measures': figures,
    }


def action_name(game: Game, s: State, action: int) -> str:
    """The name of an action."""
    return game.action_name(s, action)


def action_from_name(game: Game, s: State, name: str) -> int:
    """The action of a name, or a refusal."""
    return game.action_from_name(s, name)


def observation(game: Game, s: State, seat: int) -> list[float]:
    """The observation of a hidden state."""
    out = np.zeros(game.observation_size, np.float32)
    game.kernels.observe(s, seat, out)
    return [float(value) for value in out]


def simulation(game: Game, players: int, games: int, options: Mapping[str, Any]) -> list[list[Any]]:
    """Games by chance, in one compiled call: how each went."""
    from ludoteca.research.simulate import simulate

    found = simulate(game, players, games, seed=5, options=game.options.read(options))
    return [
        [found.turns[k], found.actions[k], found.endings[k], *found.outcomes[k], *found.scores[k]]
        for k in range(games)
    ]


def perft(game: Game, s: State, depth: int, weighted: bool, progress: Callable[[int], None]) -> int:
    """How many sequences of turns there are. `progress` is called now and then and may raise."""
    from ludoteca.research.perft import perft as count

    return count(game, s, depth, weighted, progress)


def has_weights(game: Game) -> bool:
    """Does the game say how many equal forms an action has?"""
    return game.perft_weight is not None


def thought(game: Game, s: State, seat: int, seed: int) -> dict[str, Any]:
    """The whole result of a small search on what a seat knows, but for the time that it took."""
    from ludoteca.search import think

    found = think(game, s, seat, simulations=60, seed=seed).json()
    return {key: value for key, value in found.items() if key not in ('seconds', 'per_second', 'speed')}


def hint(game: Game, known: State, seat: int, colours: Sequence[str]) -> list[dict[str, Any]]:
    """The steps of a hint, with what to click. It is not the clock that ends the search."""
    found = work_hints.find_hint(game, known, seat, 5, simulations=30, seconds=3600.0)
    return hints.hint_steps(game, known, seat, found.actions, colours)


def bots_choice(game: Game, level: str, known: State, seat: int) -> int:
    """What a bot of a level chooses."""
    from ludoteca.search import make_bot

    return int(make_bot(level, simulations=40).choose(game, known, seat, 4, None))


def simulations_of_bots() -> list[str]:
    """The levels of bots."""
    from ludoteca.search import LEVELS

    return list(LEVELS)


def symbols(game: Game) -> str:
    """What ghosts refer to."""
    return game.symbols().defs


def emblem(game: Game, theme: Any) -> str:
    """The picture of a game."""
    return game.emblem(theme)


def badge(game: Game) -> str:
    """The small picture of a game."""
    return game.badge()


def figure(game: Game, name: str) -> str:
    """A picture in the rulebook."""
    return game.figure(name)


def rulebook(game: Game) -> str:
    """The rulebook as Markdown."""
    return game.rules()


def facts(game: Game) -> dict[str, Any]:
    """What a game declares."""
    return {
        'title': game.title,
        'version': game.version,
        'minutes': game.minutes,
        'players': list(game.players),
        'actions': game.n_actions,
        'most legal': game.max_legal,
        'most turns': game.max_turns,
        'hidden': game.hidden,
        'endings': game.endings,
        'measures': game.measures,
        'certainty': game.certainty,
        'sealed': game.sealed,
        'reconstructed': game.reconstructed,
        'observation': [[s.name, s.size, s.meaning] for s in game.observation],
        'options': values_of(game),
        'members': game.options.members(),
        'colours': [game.colours(n) for n in game.players],
    }


def examples(game: Game) -> dict[str, Any]:
    """The positions of the rulebook, by name."""
    return {
        path.stem: json.loads(path.read_text('utf-8'))
        for path in sorted(Path(game.folder, 'examples').glob('*.json'))
    }


def view_of_position(game: Game, s: State) -> View:
    """A position as the seat to move sees it."""
    return contract.Position(game, s).view()


def draw(game: Game, view: View, theme: Any) -> str:
    """The drawing of a view."""
    return game.draw(view, theme)


def prompt(game: Game, view: View) -> dict[str, Any]:
    """What is asked of the viewer."""
    asked = game.prompt(view)
    return {
        'text': asked.text,
        'help': asked.help,
        'buttons': [[b.id, b.label, b.key, b.steps] for b in asked.buttons],
    }


def panels(game: Game, view: View) -> list[dict[str, Any]]:
    """What players have."""
    return [
        {
            'seat': p.seat,
            'colour': p.colour,
            'side': p.side,
            'pips': p.pips,
            'rows': [[row.label, row.value, row.drawing, row.fold] for row in p.rows],
        }
        for p in game.panels(view)
    ]


def cards(game: Game, view: View) -> list[list[Any]]:
    """What lies beside the board."""
    return [
        [c.id, c.title, c.note, ''.join(c.drawings), c.tray, c.footnote, c.chapter] for c in game.cards(view)
    ]


def pencils(game: Game, view: View, element: str) -> Sequence[str]:
    """What may be pencilled on an element."""
    return game.pencils(view, element)


def in_words(game: Game, view: View) -> str:
    """The board in words."""
    return game.text(view)


def why_not(game: Game, view: View, targets: Sequence[str]) -> str:
    """Why these targets make no action."""
    return game.why_not(view, targets)


def redraft(game: Game, base: State, draft: Sequence[int], targets: Sequence[str]) -> Any:
    """What a draft becomes by a click or a drag."""
    return game.redraft(base, draft, targets)


def arrange(
    game: Game, base: State, draft: Sequence[int], laid: Sequence[str], targets: Sequence[str]
) -> Any:
    """What a draft and what is laid become by a click or a drag."""
    return game.arrange(base, draft, laid, targets)


def new_match(
    name: str,
    players: int,
    options: Mapping[str, Any],
    seed: int,
    seats: Sequence[Sequence[str]],
    colours: Sequence[str] = (),
) -> Match:
    """A match of these seats: name, kind, level."""
    given = [Seat(*seat) for seat in seats]  # type: ignore[arg-type]
    return Match(Setup.new(name, players, options, given, seed, colours), Clock())


def record_of(match: Match) -> dict[str, Any]:
    """A match as plain data: what it starts from, and its log."""
    return {
        'setup': match.setup.json(),
        'entries': [[e.kind, e.seat, e.action, e.name, e.hash, e.time] for e in match.entries],
    }


def rebuilt(record: Mapping[str, Any]) -> Match:
    """The match of a record."""
    return Match.rebuild(
        Setup.from_json(record['setup']), [LogEntry(*entry) for entry in record['entries']], Clock()
    )


def file_of(match: Match, seat: int) -> str:
    """The match file for a seat."""
    return files.write(match, seat)


def read_file(text: str) -> Match:
    """The match of a file, or a refusal."""
    return files.read(text)


def facts_of_match(match: Match) -> dict[str, Any]:
    """All that is public of a match."""
    result, asked = match.result, match.request
    return {
        'status': match.status,
        'frozen': match.frozen,
        'turns': match.turns,
        'finished': match.finished(),
        'stage': match.stage(),
        'to move': match.to_move,
        'revealing': match.revealing,
        'players': match.players,
        'colours': match.colours,
        'seats': [[s.name, s.kind, s.level] for s in match.seats],
        'result': result and [result.ending, result.by, result.outcome, result.scores, result.winners],
        'request': asked and [asked.kind, asked.seat, asked.value, asked.level, asked.waiting],
    }


def facts_of_seat(match: Match, seat: int) -> dict[str, Any]:
    """What a match says of one seat."""
    found: dict[str, Any] = {'version': match.version(seat)}
    if seat >= 0:
        found |= {
            'draft': match.draft(seat),
            'drafted': events_json(match.drafted(seat)),
            'acts': match.may_act(seat),
            'takes back': match.may_take_back(seat),
            'sealed': match.sealed(seat),
            'arranging': match.arranging(seat),
        }
    return found


def acting(match: Match) -> list[int]:
    """The seats that can choose something."""
    return [seat for seat in match.to_move if match.may_act(seat)]


def log_of(match: Match, seat: int, since: int = 0, uncovered: bool = False) -> list[list[Any]]:
    """The rows of the log, each with its events as data and as sentences."""
    return [
        [
            row.number,
            row.kind,
            row.seat,
            row.names,
            events_json(row.events),
            events_text(match.game, row.events, match.players),
        ]
        for row in match.log(seat, since, uncovered)
    ]


def events_json(events: Iterable[contract.Event]) -> list[dict[str, Any]]:
    """Events as plain data."""
    return [event.json() for event in events]


def choices_of(match: Match, seat: int) -> list[Any]:
    """What a seat can choose at every level of its turn, and what to click for it."""

    def ghost(g: Any) -> Any:
        return g and [g.symbol, g.transform, g.path, g.text, g.glow, g.gains]

    return [
        [
            level.chosen,
            [[c.name, c.commits, [[t.id, ghost(t.ghost)] for t in c.targets]] for c in level.choices],
        ]
        for level in match.choices(seat)
    ]


def message_of(match: Match, seat: int, since: int | None) -> dict[str, Any]:
    """What the page of a seat is told; `since`: how many turns it has shown."""
    sitters = tuple(
        SeatLabel(who.name, who.kind, who.level, mine=k == seat, colour=match.colours[k])
        for k, who in enumerate(match.seats)
    )
    sight = TableView('table', match, seat, (seat,) if seat >= 0 else (), sitters)
    table = choice_table(match, seat) if seat >= 0 and match.may_act(seat) else None
    return match_message(sight, since, table)


def past_of(match: Match, seat: int, at: int) -> dict[str, str]:
    """What the page of a seat shows of the position after a number of turns."""
    sitters = tuple(
        SeatLabel(who.name, who.kind, who.level, mine=k == seat) for k, who in enumerate(match.seats)
    )
    return past_fragments(TableView('table', match, seat, (seat,) if seat >= 0 else (), sitters), at)[0]


def open_store(path: Path) -> Store:
    """A database file, opened."""
    return Store(f'sqlite:///{path}', Clock(1_900_000_000.0), KEY)


def cookies_of(store: Store, person_id: str, watches: Sequence[str] = ()) -> str:
    """The cookie of a guest."""
    found = store.person(person_id)
    assert found is not None
    return visitors.Visitors(store, KEY).write(visitors.Visitor(found, found.name, watches=tuple(watches)))


@contextlib.contextmanager
def served(path: Path) -> Iterator[Callable[[str, str], Any]]:
    """A server over a database file, without a network: makes clients of a cookie or a bearer token."""
    from starlette.testclient import TestClient

    from ludoteca.web import create_app
    from ludoteca.web.serving.security import Limits

    roomy = Limits(
        rate=10_000,
        burst=100_000,
        pages=10_000,
        pages_burst=100_000,
        new_tables=1000,
        new_tables_burst=1000,
        hints=1000,
        hints_burst=1000,
    )
    app = create_app(f'sqlite:///{path}', key=KEY, prepare=False, limits=roomy, pace=0.0)
    with TestClient(app) as first, contextlib.ExitStack() as stack:

        def client(cookie: str = '', token: str = '') -> TestClient:
            headers = {'Origin': 'http://testserver'}
            headers |= {'Cookie': f'{visitors.COOKIE}={cookie}'} if cookie else {}
            headers |= {'Authorization': f'Bearer {token}'} if token else {}
            found = TestClient(app, headers=headers)
            found.portal = first.portal
            stack.callback(found.close)
            return found

        yield client


def rules_page(name: str) -> str:
    """The rulebook as HTML, readings included."""
    found = book(name)
    return ''.join([found.html, *(one.html for one in found.readings)]) if found else ''


# ---- what is recorded --------------------------------------------------------------------------------------

Texts = dict[str, str]
"""key -> text; a key is a moment and what was looked at then, joined by a comma."""
Groups = Iterator[tuple[str, Texts]]


@dataclass(frozen=True)
class Extent:
    """How much is recorded: random games of a configuration, games of which pages are kept, positions of each
    of these, whether everything else is recorded too, and the wanted groups (None: all)."""

    games: int = 200
    paged: int = 20
    positions: int = 14
    wide: bool = True
    only: frozenset[str] | None = None

    def wants(self, group: str) -> bool:
        """Is this group to be recorded?"""
        return self.only is None or group in self.only


FULL = Extent()
SMALL = Extent(games=20, paged=4, positions=3, wide=False)
"""What the tests hold."""


class Clock:
    """Advances by `step` seconds at every look. With a step of 0, for comparisons, it does not matter how
    often it is read."""

    def __init__(self, start: float = 1_800_000_000.0, step: float = 0.0) -> None:
        self.now, self.step = start, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


class Lot:
    """Draws that are the same in every version of Python."""

    def __init__(self, *seed: object) -> None:
        self.random = random.Random(' '.join(map(str, seed))).random

    def below(self, n: int) -> int:
        """A number below n."""
        return int(self.random() * n)

    def one(self, values: Sequence[T]) -> T:
        """One of them."""
        return values[self.below(len(values))]


def line(value: Any) -> str:
    """Plain data as text, a list on the first levels over several lines."""

    def simple(one: Any) -> Any:
        if isinstance(one, np.generic):
            return one.item()
        raise TypeError(repr(one))

    def tidy(one: Any) -> Any:
        if isinstance(one, float | np.floating):
            return float(f'{float(one):.6g}')
        if isinstance(one, Mapping):
            return {str(key): tidy(inner) for key, inner in one.items()}
        return [tidy(inner) for inner in one] if isinstance(one, list | tuple) else one

    return json.dumps(tidy(value), ensure_ascii=False, default=simple, indent=0)


def digest(*texts: str, size: int = 8) -> str:
    """A short hash of texts."""
    found = hashlib.blake2b(digest_size=size)
    for text in texts:
        found.update(text.encode() + b'\0')
    return found.hexdigest()


def spread(values: Sequence[T], n: int) -> list[T]:
    """At most n of them, evenly spread, first and last among them."""
    return [values[k] for k in sorted({round(k * (len(values) - 1) / max(1, n - 1)) for k in range(n)})]


def or_refusal(action: Callable[[], Any]) -> str:
    """What an action answers, or the sentence with which it is refused."""
    try:
        return str(action())
    except Refused as problem:
        return f'refused: {problem}'


Options = dict[str, Any]


@cache
def configurations(name: str) -> tuple[tuple[int, tuple[tuple[str, Any], ...]], ...]:
    """Defaults and every option alone for all numbers of players; every pair of options for one number, in
    turn; and every combination of three of which no two go together without the third."""
    game, found = game_of(name), []
    values = values_of(game)
    changes = [(key, value) for key, every in values.items() for value in every[1:]]
    pairs = [(a, b) for k, a in enumerate(changes) for b in changes[k + 1 :] if a[0] != b[0]]
    threes = [
        (*pair, c) for pair in pairs for c in changes if c not in pair and c[0] > max(key for key, _ in pair)
    ]
    for k, chosen in enumerate([(), *((change,) for change in changes), *pairs, *threes]):
        fit = [players for players in players_of(game) if allowed(game, players, dict(chosen))]
        if len(chosen) > 1 and fit:
            alone = all(allowed(game, fit[0], dict(chosen[:n] + chosen[n + 1 :])) for n in range(len(chosen)))
            fit = [] if len(chosen) > 2 and alone else [fit[k % len(fit)]]
        found += [(players, tuple(chosen)) for players in fit]
    return tuple(found)


def called(name: str, players: int, options: Iterable[tuple[str, Any]]) -> str:
    """A configuration in words."""
    return ' '.join([name, f'{players}p', *(f'{key}={str(value).lower()}' for key, value in options)])


# ---- games -------------------------------------------------------------------------------------------------

LONGEST = 4000
"""Actions after which a random game is left."""


def random_game(game: Game, players: int, options: Options, seed: int) -> str:
    """The hash of a random game: of its actions, and of how it ends. Actions are drawn from their list, or by
    the rules."""
    s, lot, played = begin(game, players, seed, options), Lot(game.name, players, seed), list[int]()
    work, out = scratch(game)
    source = seed % 3  # of actions: their list, the rules, or whole turns from the rules
    while not s.ending and len(played) < LONGEST:
        if source == 0:
            turn = [int(out[lot.below(legal(game, s, out))])]
        elif source == 1 or not lists_turns(game):
            turn = [random_action(game, s, work)]
        else:
            turn = out[: random_turn(game, s, work, out)].tolist()
        for action in turn:
            apply(game, s, action)
        played += turn
    return digest(str(played), canonical(game, s), line(standing(game, s)), size=5)


def record_games(extent: Extent, _: Recording | None) -> Groups:
    """Random games, by their hashes."""
    for name in TITLES:
        game = game_of(name)
        chosen = configurations(name)
        for players, options in chosen:
            if not extent.wants(called(name, players, options)):
                continue
            found = [random_game(game, players, dict(options), seed) for seed in range(extent.games)]
            texts = {f'game {seed}, hash': text for seed, text in enumerate(found)}
            if extent.wide:
                texts['all games, hash'] = digest(*found)
                texts['games in one call, results'] = line(
                    simulation(game, players, extent.games, dict(options))
                )
            yield called(name, players, options), texts


# ---- perft -------------------------------------------------------------------------------------------------

MOST_SEQUENCES = 600_000
MOST_PIECES = 12
"""How many calls of `progress` a count may take before it is given up."""


class TooManyError(Exception):
    """The count takes too long."""


def counts(game: Game, s: State, weighted: bool) -> list[int]:
    """Numbers of sequences, to the depth where there would be too many."""
    found = [1]
    while len(found) < 6 and found[-1]:
        grows = found[-1] // (found[-2] if len(found) > 1 else 1)
        if len(found) > 1 and found[-1] * grows > MOST_SEQUENCES:
            break
        looks = 0

        def look(_: int) -> None:
            nonlocal looks
            looks += 1
            if looks > MOST_PIECES:
                raise TooManyError

        try:
            found.append(perft(game, s, len(found), weighted, look))
        except TooManyError:
            break
    return found[1:]


def record_perft(_extent: Extent, _: Recording | None) -> Groups:
    """Perft from the start of every configuration, and from three positions of a random game."""
    for name in TITLES:
        game = game_of(name)
        for players, options in configurations(name):
            s, texts = begin(game, players, 7, dict(options)), Texts()
            work, _out = scratch(game)
            n = 0
            while not s.ending and n < 60:
                if n % 20 == 0 and not is_arranging(game, s):
                    texts[f'after {n} actions, counts'] = line(counts(game, s, False))
                    if has_weights(game):
                        texts[f'after {n} actions, weighted counts'] = line(counts(game, s, True))
                apply(game, s, random_action(game, s, work))
                n += 1
            yield called(name, players, options), texts


# ---- positions ---------------------------------------------------------------------------------------------

WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2.5,
    10**12,
    -(10**12),
    '',
    'x',
    '0',
    [],
    [None],
    {},
    {'x': 1},
    [[]],
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """All places in nested data."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def spoiled(data: Any, lot: Lot, n: int) -> Iterator[tuple[str, Any]]:
    """The same with one thing changed or left out, and what was changed."""
    found = [path for path in places(data) if path and path != ('game',)]
    for _ in range(n):
        path, wrong = lot.one(found), lot.one(WRONG)
        changed = inner = json.loads(json.dumps(data))
        for key in path[:-1]:
            inner = inner[key]
        if lot.below(6):
            inner[path[-1]] = wrong
        else:
            wrong = 'nothing'
            del inner[path[-1]]
        yield f'{".".join(map(str, path))} = {wrong!r}', changed
    yield 'nonsense = 1', {**data, 'nonsense': 1}


def wrong_names(names: Sequence[str], lot: Lot) -> Iterator[str]:
    """Names that may be of no action."""
    yield from ('', 'x', 'pass', 'a1', 'a1-a2', '9 9 9', '?', 'é', 'a' * 300)
    for _ in range(12):
        name = lot.one(names)
        k = lot.below(len(name))
        yield lot.one(
            [
                name[:k] + name[k + 1 :],
                name[:k] + lot.one('abxz019:-+ ') + name[k + 1 :],
                name.upper(),
                f'{name} {name}',
            ]
        )


def read_again(game: Game, data: Any) -> str:
    """The hash of the position that JSON describes, or a refusal."""
    return digest(canonical(game, read_position(data)))


def names_and_errors(game: Game, s: State, lot: Lot, n: int) -> Texts:
    """Everything about one position as JSON, and of the names of its actions."""
    texts, data = Texts(), json.loads(canonical(game, s))
    again = read_position(data)
    texts['position'] = canonical(game, s)
    texts['position again'] = (
        canonical(game, again) if canonical(game, again) != canonical(game, s) else 'the same'
    )
    for seat in range(-1, s.players):
        h = hidden(game, s, seat)
        same = canonical(game, read_position(json.loads(canonical(game, h)))) == canonical(game, h)
        texts[f'position as seat {seat} knows it'] = f'{canonical(game, h)} {same}'
    if not s.ending:
        out = scratch(game)[1]
        actions = out[: legal(game, s, out)].tolist()
        names = [action_name(game, s, action) for action in actions]
        texts['names'] = line(list(zip(actions, names, strict=True)))
        texts['names read'] = str([action_from_name(game, s, name) for name in names] == actions)
        texts['wrong names'] = line(
            [[name, or_refusal(partial(action_from_name, game, s, name))] for name in wrong_names(names, lot)]
        )
    texts['bad positions'] = line(
        [[what, or_refusal(partial(read_again, game, bad))] for what, bad in spoiled(data, lot, n)]
    )
    return texts


def record_positions(_extent: Extent, _: Recording | None) -> Groups:
    """Positions of random games and of the rulebooks; options that are refused."""
    for name in TITLES:
        game = game_of(name)
        single = [
            {key: value} for key, tried in values_of(game).items() for value in ('nonsense', 10**9, *tried)
        ]
        yield (
            f'{name} options',
            {
                f'options {options} for {players} players, answer': or_refusal(
                    partial(check_options, game, players, options)
                )
                for players in (0, 2, 9)
                for options in ({}, {'nonsense': 1}, *single)
            },
        )
        texts = Texts()
        for key, data in examples(game).items():
            s = read_position(data)
            texts |= {
                f'{key}, {what}': text for what, text in names_and_errors(game, s, Lot(name, key), 20).items()
            }
            view = view_of_position(game, s)
            texts[f'{key}, drawing'], texts[f'{key}, words'] = draw(game, view, 'light'), in_words(game, view)
        yield f'{name} examples', texts
        for players, options in spread(configurations(name), 8):
            s, work = begin(game, players, 11, dict(options)), scratch(game)[0]
            states = [s.copy()]
            while not s.ending and len(states) < 1200:
                apply(game, s, random_action(game, s, work))
                states.append(s.copy())
            texts = Texts()
            for k, one in enumerate(spread(states, 6)):
                found = names_and_errors(game, one, Lot(name, players, k), 40)
                texts |= {f'position {k}, {what}': text for what, text in found.items()}
            yield called(name, players, options), texts


# ---- pages -------------------------------------------------------------------------------------------------

STRIDE = {'mykerinos': 11, 'myraclia': 23, 'myriath': 5, 'myrmidons': 7, 'octiles': 17}
"""After how many actions of a game the next position is recorded."""


def seats_of(players: int, k: int) -> list[list[str]]:
    """Who sits there: people with names, every fourth time without; every fifth time one bot."""
    found = [['' if k % 4 == 3 else name, 'person', ''] for name in NAMES[:players]]
    if k % 5 == 4:
        found[-1] = ['', 'bot', 'easy']
    return found


def colours_of(name: str, players: int, k: int) -> Sequence[str]:
    """Chosen colours for every third match."""
    return tuple(reversed(facts(game_of(name))['colours'][-1]))[:players] if k % 3 == 2 else ()


@dataclass
class Table:
    """A match that is played by lot, and what is kept of the turn that is being made."""

    match: Match
    lot: Lot
    bases: dict[int, State]
    drafts: dict[int, list[int]]
    laid: dict[int, tuple[str, ...]]

    def seat(self) -> int:
        """The seat that acts next."""
        return self.lot.one(acting(self.match))

    def step(self, seat: int) -> None:
        """Take a step by lot, sometimes back."""
        match, version = self.match, self.match.turns
        if self.drafts.get(seat) and self.lot.below(9) == 0:
            match.undo(seat)
            self.drafts[seat].pop()
            return
        if not self.drafts.get(seat):
            self.bases[seat], self.drafts[seat] = match.knowledge(seat), []
        names = match.names(seat)
        k = self.lot.below(len(names))
        self.drafts[seat].append(match.view(seat).actions[k])
        match.act(seat, None, names[k])
        if match.turns != version:
            self.drafts.clear()


def looked_at(table: Table, seat: int, version: int, turns: int, mover: bool, theme: str) -> Texts:
    """Everything that a seat is shown of a match. `version` and `turns`: what it saw last."""
    match, game = table.match, table.match.game
    view = match.view(seat, since=version)
    drawing = draw(game, view, 'page')
    ids = re.findall(r' id="([^"]+)"', drawing)
    some = [f'el:{one}' for one in spread(ids, 7)] if ids else []
    texts = {
        'drawing': drawing,
        'prompt': line(prompt(game, view)),
        'panels': line(panels(game, view)),
        'cards': line(cards(game, view)),
        'words': in_words(game, view),
        'position': canonical(game, view.state),
        'events since': line(events_json(view.events)),
        'last events': line(events_json(view.last)),
        'actions': line(view.actions),
        'names of players': line([view.names, view.colours]),
        'log': line(log_of(match, seat, max(0, match.turns - 3))),
        'seat': line(facts_of_seat(match, seat)),
        'why not': line(
            [
                why_not(game, view, some[k : k + n])
                for k, n in ((0, 0), (0, 1), (2, 1), (4, 1), (1, 2), (3, 2))
            ]
        ),
        'pencils': line([pencils(game, view, one) for one in spread(ids, 9)] if ids else []),
    }
    message = message_of(match, seat, turns)
    message['fragments'] = {
        key: part.replace(drawing, 'DRAWING') for key, part in message['fragments'].items()
    }
    del message['marks']
    texts['message'] = line(message)
    if seat >= 0:
        texts['observation'] = line(observation(game, match.knowledge(seat), seat))
    if theme != 'page':
        texts[f'drawing {theme}'] = draw(game, view, theme)
    if mover:
        texts['choices'] = line(choices_of(match, seat))
        draft = table.drafts.get(seat, [])
        base = table.bases[seat] if draft else match.knowledge(seat)
        pairs = [*([one] for one in some), *([a, b] for a in some[::2] for b in some[1::2])]
        texts['redraft'] = line([redraft(game, base, draft, pair) for pair in pairs])
        if is_arranging(game, base):
            texts['arrangement'] = line(list(arrangements(table, base, draft, pairs)))
    return texts


def arrangements(
    table: Table, base: State, draft: Sequence[int], pairs: Sequence[list[str]]
) -> Iterator[Any]:
    """What is laid by clicks and drags one after another."""
    laid = tuple[str, ...]()
    for targets in (*pairs, ['do:undo'], *pairs[:4], ['do:clear']):
        found = arrange(table.match.game, base, draft, laid, targets)
        if found is not None:
            draft, laid = found
        yield [targets, found]


def paged_game(name: str, players: int, options: Options, k: int, positions: int, full: bool) -> Texts:
    """A match by lot, looked at now and then by the mover, by another seat and by a spectator."""
    match = new_match(name, players, options, 100 + k, seats_of(players, k), colours_of(name, players, k))
    table, texts, seen = (
        Table(match, Lot(name, players, k), {}, {}, {}),
        Texts(),
        dict[int, tuple[int, int]](),
    )
    n = found = 0
    while True:
        over = match.status != 'running'
        if over or (n + k) % (STRIDE[name] if full else 3 * STRIDE[name]) == 0:
            texts[f'action {n}, match'] = line(facts_of_match(match))
            mover = -1 if over else table.lot.one(acting(match))
            others = [seat for seat in range(players) if seat != mover]
            for seat in dict.fromkeys((mover, table.lot.one(others), -1)):
                theme = ('light', 'dark', 'page')[found % 3] if seat == mover or not full else 'page'
                shown = looked_at(table, seat, *seen.get(seat, (0, 0)), seat == mover and not over, theme)
                seen[seat] = match.version(seat), match.turns
                who = 'mover' if seat == mover and not over else 'spectator' if seat < 0 else 'other'
                texts |= {f'action {n} {who} seat {seat}, {what}': text for what, text in shown.items()}
            found += 1
        if over or found >= positions:
            break
        table.step(table.seat())
        n += 1
    for at in sorted({0, match.turns // 2, match.turns}) if full else ():
        texts[f'action {n} looking back to turn {at}, fragments'] = line(past_of(match, 0, at))
    return texts


def record_pages(extent: Extent, _: Recording | None) -> Groups:
    """Games as people see them; then the pages of a server."""
    for name in TITLES:
        game, chosen = game_of(name), configurations(name)
        if extent.wide:
            names = re.findall(r'figure:([\w-]+)', rulebook(game))
            yield (
                f'{name} itself',
                {
                    'always, facts': line(facts(game)),
                    'always, symbols': symbols(game),
                    'always, badge': badge(game),
                    **{f'always, emblem {theme}': emblem(game, theme) for theme in ('page', 'light', 'dark')},
                    **{f'figure {one}, drawing': figure(game, one) for one in names},
                    'always, rules': rules_page(name),
                },
            )
        for k in range(extent.paged):
            players, options = chosen[round(k * (len(chosen) - 1) / max(1, extent.paged - 1))]
            if extent.wants(group := f'{called(name, players, options)} game {k}'):
                yield group, paged_game(name, players, dict(options), k, extent.positions, extent.wide)
    if extent.only is None or any(group.startswith('server') for group in extent.only):
        yield from server_pages(extent)


# ---- a server ----------------------------------------------------------------------------------------------

VOLATILE = (
    (r'/static/[0-9a-f]{12}/', '/static/VERSION/'),
    (r'\b(?:1[6-9]|20)\d{8}(?:\.\d+)?\b', 'TIME'),
    (r'\bDate: \d{4}-\d\d-\d\d', 'Date: DAY'),
)
"""Patterns of what differs in each run, and their placeholders."""


def settled(text: str) -> str:
    """A text with placeholders for what changes each time."""
    for pattern, word in VOLATILE:
        text = re.sub(pattern, word, text)
    return text


def broken(text: str) -> str:
    """JSON over several lines, so that a difference is short; other texts as they are."""
    try:
        return line(json.loads(text))
    except ValueError:
        return text


@contextlib.contextmanager
def kept_database() -> Iterator[tuple[Path, dict[str, Any]]]:
    """A copy of the database that is kept, and who and what is in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, 'today.sqlite3')
        path.write_bytes(gzip.decompress((DATA / 'today.sqlite.gz').read_bytes()))
        yield path, json.loads((DATA / 'today.json').read_text('utf-8'))


def visit(client: Any, path: str, **body: Any) -> str:
    """What a server answers: its status and the text."""
    answer = client.post(path, json=body['body']) if 'body' in body else client.get(path, **body)
    return settled(f'{answer.status_code} {answer.headers.get("content-type", "")}\n{broken(answer.text)}')


def over_the_line(client: Any, table: str, **hello: Any) -> str:
    """The first message that a page is sent, or how it is sent away."""
    from starlette.websockets import WebSocketDisconnect

    try:
        with client.websocket_connect(f'/tables/{table}/live') as socket:
            socket.send_text(json.dumps(hello))
            said = json.loads(socket.receive_text())
    except WebSocketDisconnect as problem:
        return f'{problem.code} {problem.reason}'
    said.pop('marks', None)
    said.pop('serial', None)
    return settled(line(said))


def server_pages(extent: Extent) -> Groups:
    """The pages, messages and answers of a server over the database that is kept."""
    wide = extent.wide
    with kept_database() as (path, kept), served(path) as client:
        ann, bob = (client(kept['cookies'][name], '') for name in ('Ann', 'Bob'))
        guest = client(kept['cookies']['Guest'], '')
        if wide:
            yield 'server', general_pages(ann, guest, kept)
        for label, table in kept['tables'].items():
            if wide or (label.endswith(' running') and extent.wants(f'server {label}')):
                program = client('', kept['tokens'][label]) if label in kept['tokens'] else None
                yield (
                    f'server {label}',
                    table_pages(table, {'Ann': ann, 'Bob': bob, 'guest': guest, 'program': program}, wide),
                )
        for label, table in kept['tables'].items():
            if wide and label.endswith((' running', ' arranging')):
                yield f'server {label} goes on', acts_at(table, ann, bob, Lot(label))


def general_pages(ann: Any, guest: Any, kept: Mapping[str, Any]) -> Texts:
    """The pages that are about no table."""
    texts = Texts()
    addresses = [
        '/',
        '/lists',
        '/credits',
        '/api',
        '/api/openapi.json',
        '/api/games',
        '/api/me',
        '/api/tables',
        '/robots.txt',
        '/static/x/board.css',
        '/static/x/favicon.svg',
        '/tables/nothing',
        '/nothing',
        '/games/chess/rules',
        '/join/nothing',
        '/watch/nothing',
        '/api/tables/nothing',
    ]
    for name in TITLES:
        addresses += [
            f'/games/{name}/rules',
            f'/games/{name}/picture-light.svg',
            f'/games/{name}/picture-dark.svg',
            f'/games/{name}/badge.svg',
            f'/api/games/{name}/rules',
        ]
        addresses += sorted(set(re.findall(rf'/games/{name}/[a-z]+/[^"]+\.svg[^"]*', rules_page(name))))
    addresses += [f'/join/{token}' for token in kept['invites'].values()]
    addresses += [f'/api/watch/{token}' for token in kept['watches'].values()]
    for address in addresses:
        texts[f'{address}, for Ann'] = visit(ann, address.replace('&amp;', '&'))
        if not address.endswith('svg'):
            texts[f'{address}, for a guest'] = visit(
                guest, address.replace('&amp;', '&'), headers={'Accept': 'text/html'}
            )
    return texts


def table_pages(table: str, clients: Mapping[str, Any], wide: bool) -> Texts:
    """One table as everybody sees it, on pages and as programs do."""
    texts, api = Texts(), f'/api/tables/{table}'
    for who, client in clients.items():
        if client is None:
            continue
        if who != 'program':
            texts[f'{who}, page'] = visit(client, f'/tables/{table}')
        texts[f'{who}, view'] = visit(client, api)
        if wide:
            for part in (
                'log',
                'chat',
                'export',
                'positions/0',
                'positions/3',
                'picture.svg',
                'favourites',
                'log?since=2',
                'export?seat=1',
                '?seat=1',
            ):
                texts[f'{who}, {part}'] = visit(client, f'{api}/{part}' if part[0] != '?' else api + part)
            for targets in ([], ['el:nothing'], ['do:end'], ['el:a1', 'el:b2']):
                texts[f'{who}, why not {targets}'] = visit(
                    client, f'{api}/why-not', body={'targets': targets}
                )
    for who, client in clients.items():
        if client is not None and (wide or who == 'Ann'):
            for hello in (
                ({}, {'have': {}, 'turns': 0, 'seat': 0}, {'seat': 0, 'here': 0, 'turns': 1})
                if wide
                else ({},)
            ):
                texts[f'{who}, line {json.dumps(hello, separators=(",", ":"))}'] = over_the_line(
                    client, table, **hello
                )
    return texts


def acts_at(table: str, ann: Any, bob: Any, lot: Lot) -> Texts:
    """What a server answers when people act at a table."""
    texts, api = Texts(), f'/api/tables/{table}'
    for favourite in ann.get(f'{api}/favourites').json():
        given = {'favourite': favourite['id']}
        texts[f'first {favourite["name"]}, favourite'] = visit(ann, f'{api}/arrange', body=given)
        texts[f'first {favourite["name"]}, page'] = visit(ann, f'/tables/{table}')
    texts['first, wrong arrangement'] = visit(ann, f'{api}/arrange', body={'steps': 'a1 b1'})
    for n in range(14):
        for who, client in (('Ann', ann), ('Bob', bob)):
            view = client.get(api).json()
            if not view.get('may_act'):
                continue
            name = lot.one(view['legal'])
            texts[f'{n} {who}, wrong step'] = visit(client, f'{api}/act', body={'steps': 'nonsense'})
            texts[f'{n} {who}, stale step'] = visit(
                client, f'{api}/act', body={'steps': name, 'version': 10**6}
            )
            texts[f'{n} {who}, step'] = visit(
                client, f'{api}/act', body={'steps': name, 'version': view['version']}
            )
            texts[f'{n} {who}, page'] = visit(client, f'/tables/{table}')
            if n % 4 == 1:
                texts[f'{n} {who}, undo'] = visit(client, f'{api}/undo', body={})
            if n % 5 == 2:
                texts[f'{n} {who}, takeback'] = visit(client, f'{api}/takeback', body={})
                other = bob if client is ann else ann
                texts[f'{n} {who}, answer'] = visit(other, f'{api}/answer', body={'yes': n % 2 == 0})
            texts[f'{n} {who}, redraft'] = visit(
                client, f'{api}/redraft', body={'targets': ['el:a1', 'el:b2']}
            )
            break
    drawing = ann.get(f'{api}/picture.svg').text
    for element in spread(re.findall(r' id="([^"]+)"', drawing), 5):
        texts[f'then {element}, pencils'] = visit(ann, f'{api}/pencils', body={'element': element})
        texts[f'then {element}, note'] = visit(
            ann, f'{api}/notes', body={'element': element, 'labels': ['2']}
        )
        texts[f'then {element}, click'] = visit(ann, f'{api}/redraft', body={'targets': [f'el:{element}']})
    texts['then, chat'] = visit(ann, f'{api}/chat', body={'text': 'Well played <b>'})
    texts['then, lines'] = visit(bob, f'{api}/chat')
    texts['then, wrong body'] = visit(ann, f'{api}/act', body={'nothing': 1})
    texts['then, resign'] = visit(ann, f'{api}/resign', body={})
    texts['then, page'] = visit(bob, f'/tables/{table}')
    texts['then, export'] = visit(bob, f'{api}/export')
    return texts


# ---- matches -----------------------------------------------------------------------------------------------


def played_match(name: str, players: int, options: Options, k: int) -> Match:
    """A match with drafts, steps taken back, requests, people who leave and come back; every second one goes
    to its end."""
    match = new_match(
        name,
        players,
        options,
        300 + k,
        seats_of(players, 4 if k % 6 == 5 else 0),
        colours_of(name, players, k),
    )
    table, n = Table(match, Lot('match', name, k), {}, {}, {}), 0
    people = [
        seat for seat, who in enumerate(seats_of(players, 4 if k % 6 == 5 else 0)) if who[1] == 'person'
    ]
    while match.status == 'running' and n < (3000 if k % 2 else STRIDE[name] * (k + 2) // 2):
        seat, event = table.seat(), table.lot.below(60)
        with contextlib.suppress(Refused):
            if event == 0:
                match.ask_takeback(seat, agreed=people)
                table.drafts.clear()
            elif event == 1:
                match.ask_takeback(seat)
                match.answer(table.lot.one(people), bool(table.lot.below(2)))
                table.drafts.clear()
            elif event == 2 and players > 2:
                match.ask_replace(people[0], people[-1], agreed=people)
                table.drafts.clear()
            elif event == 3:
                match.come_back(people[-1])
                table.drafts.clear()
        if event == 4 and n > 20 and k % 3 == 2 and match.status == 'running':
            with contextlib.suppress(Refused):
                match.resign(people[0])
                table.drafts.clear()
        if match.status == 'running':
            table.step(table.seat())
        n += 1
    return match


def texts_of_match(match: Match, players: int) -> Texts:
    """A match as it is kept, written and read."""
    texts = {'match, record': line(record_of(match)), 'match, facts': line(facts_of_match(match))}
    over = match.status == 'finished'
    for seat in range(-1, players):
        texts[f'seat {seat}, file'] = file_of(match, seat)
        texts[f'seat {seat}, facts'] = line(facts_of_seat(match, seat) if not over else match.version(seat))
        texts[f'seat {seat}, log'] = line(log_of(match, seat))
        texts[f'seat {seat}, position'] = canonical(match.game, match.knowledge(seat))
        texts[f'seat {seat}, reading of the file'] = or_refusal(partial(written_again, file_of(match, seat)))
    if over:
        texts['match, uncovered log'] = line(log_of(match, -1, uncovered=True))
        texts['match, order of a rematch'] = line(match.next_order)
    return texts


def written_again(text: str) -> str:
    """The hash of a match file that was read and written, or a refusal."""
    return digest(file_of(read_file(text), -1))


def record_matches(_extent: Extent, before: Recording | None) -> Groups:
    """Matches that are played again, and those that were recorded, read again."""
    for name in TITLES:
        chosen = configurations(name)
        for k in range(12):
            players, options = chosen[k * (len(chosen) - 1) // 11]
            group, match = (
                f'{called(name, players, options)} match {k}',
                played_match(name, players, dict(options), k),
            )
            texts = texts_of_match(match, players)
            old = before.texts('matches', group) if before and before.has('matches', group) else texts
            again = texts_of_match(rebuilt(json.loads(old['match, record'])), players)
            texts |= {f'rebuilt {key}': text for key, text in again.items()}
            if match.status == 'finished':
                file = old['seat -1, file']
                texts['recorded file, written again'] = file_of(read_file(file), -1)
                lines = file.splitlines()
                for cut in range(0, len(lines), max(1, len(lines) // 14)):
                    for what, bad in (
                        ('without', [*lines[:cut], *lines[cut + 1 :]]),
                        ('nonsense for', [*lines[:cut], 'nonsense', *lines[cut + 1 :]]),
                    ):
                        texts[f'recorded file, {what} line {cut}'] = or_refusal(
                            partial(written_again, '\n'.join(bad))
                        )
            yield group, texts


# ---- bots --------------------------------------------------------------------------------------------------


def record_bots(_extent: Extent, _: Recording | None) -> Groups:
    """What searches find on positions of random games. Their sums may differ from machine to machine."""
    for name in TITLES:
        game = game_of(name)
        for players, options in spread(configurations(name), 5):
            match, texts = new_match(name, players, dict(options), 500, seats_of(players, 0)), Texts()
            table = Table(match, Lot('bots', name), {}, {}, {})
            for n in range(60):
                if match.status != 'running':
                    break
                seat = table.seat()
                if n % 12 == 5:
                    known = match.knowledge(seat)
                    texts[f'action {n}, search'] = line(thought(game, known, seat, n))
                    texts[f'action {n}, hint'] = line(hint(game, known, seat, match.colours))
                    texts[f'action {n}, choices of bots'] = line(
                        [bots_choice(game, level, known, seat) for level in simulations_of_bots()]
                    )
                table.step(seat)
            yield called(name, players, options), texts


# ---- the database that is kept -----------------------------------------------------------------------------


def make_database() -> None:
    """Make the database that is kept, and a list of who and what is in it."""
    DATA.mkdir(parents=True, exist_ok=True)
    kept: dict[str, Any] = {
        'people': {},
        'cookies': {},
        'tables': {},
        'tokens': {},
        'invites': {},
        'watches': {},
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, 'today.sqlite3')
        store = Store(f'sqlite:///{path}', Clock(1_790_000_000.0, 1.0), KEY)
        for name in NAMES:
            kept['people'][name] = store.new_person(
                name, {'theme': 'light', 'confirm': 'on'} if name == 'Bob' else {}
            ).id
        guest = store.new_person('Guest').id
        for name in TITLES:
            fill_database(store, name, kept)
        watched = [table for label, table in kept['tables'].items() if label.endswith(' running')]
        for person, number in (*kept['people'].items(), ('Guest', guest)):
            kept['cookies'][person] = cookies_of(store, number, watched if person == 'Guest' else ())
        store.close()
        with sqlite3.connect(path) as connection:
            for name, change in (
                ('octiles', "update entries set hash = '0' where table_id = ? and number = 9"),
                ('myrmidons', "update entries set name = 'nonsense' where table_id = ? and number = 6"),
            ):
                connection.execute(change, (kept['tables'][f'{name} frozen'],))
        connection.close()
        store = open_store(path)
        store.resume()  # marks what is frozen
        store.close()
        with sqlite3.connect(path) as connection:
            connection.execute('pragma journal_mode = delete')
            connection.execute('vacuum')
        connection.close()
        (DATA / 'today.sqlite.gz').write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    (DATA / 'today.json').write_text(json.dumps(kept, indent=1) + '\n', 'utf-8')


def fill_database(store: Store, name: str, kept: dict[str, Any]) -> None:
    """Tables of all kinds for one game."""
    game, people = game_of(name), kept['people']
    most = players_of(game)[-1]
    own = list(people)

    def table(label: str, who: Sequence[str], steps: int = 0, **more: Any) -> Any:
        plans = [
            SeatPlan(person=people[one])
            if one in people
            else SeatPlan('bot', level='easy')
            if one == 'bot'
            else SeatPlan('open')
            for one in who
        ]
        found = store.open_table(name, plans, owner=people['Ann'], **{'shuffled': False, **more})
        kept['tables'][f'{name} {label}'] = found.id
        if 'open' not in who:
            live, lot = store.live(found.id), Lot(name, label)
            while steps and live.match.status == 'running':
                store_step(live, lot)
                steps -= 1
        return found

    two, many = own[:2], own[:most]
    changed = next(
        (dict(options) for players, options in configurations(name) if options and players == 2), {}
    )
    finished = table('finished', two, 2500, options=changed, listed=True)
    for k, text in enumerate(('Hello', 'Good luck <3', 'Thanks')):
        store.add_chat(finished.id, own[k % 2], text, people[own[k % 2]], k % 2)
    if store.live(finished.id).match.status == 'finished':
        kept['tables'][f'{name} rematch'] = store.rematch(finished.id).id
    running = table('running', many if most < 3 else own[:2], 41)
    kept['tokens'][f'{name} running'] = store.new_token(running.id, 0, people['Ann'], 'a program')
    store.new_token(running.id, 1, people['Bob'], 'revoked')
    store.revoke(running.id, 1)
    store.set_note(running.id, 0, 'a1', ('1', '2'))
    store.set_note(running.id, 1, 'b1', ('x',))
    kept['watches'][name] = store.watch(running.id)
    store.add_chat(running.id, 'Ann', 'Your turn', people['Ann'], 0)
    table('of many', many, 60, listed=True)
    with_bot = table('with a bot', ['Ann', 'bot'], 0)
    live, lot = store.live(with_bot.id), Lot(name, 'bot')
    for _ in range(200):
        if live.match.status != 'running' or (live.match.turns > 5 and acting(live.match) == [0]):
            break
        store_step(live, lot)
    if acting(live.match) != [0]:
        live.change(lambda match: match.resign(0) if match.status == 'running' else None)
    table('at one screen', ['Ann', 'Ann'], 33)
    resigned = store.live(table('resigned', two, 12).id)
    resigned.change(lambda match: match.resign(1) if match.status == 'running' else None)
    asked = store.live(table('asked', two, 26).id)
    for seat in (0, 1):
        with contextlib.suppress(Refused):
            asked.change(lambda match, seat=seat: match.ask_takeback(seat))  # type: ignore[misc]
            break
    if most > 2:
        left = store.live(table('left', own[:3], 20).id)
        left.change(lambda match: match.ask_replace(0, 2, agreed=(0, 1)))
        other = store.live(table('given up', own[:3], 20).id)
        other.change(lambda match: match.resign(2))
    if name in ('octiles', 'myrmidons'):
        table('frozen', two, 24)
    if name == 'myrmidons':
        arranging = table('arranging', two, 0, options={'army': 'secret'})
        match = store.live(arranging.id)
        last = match.change(lambda match: match.shuffle(0, seed=3))
        store.add_favourite(people['Ann'], name, 'Wall', match.match.arrangement(0, last))
        store.add_favourite(people['Ann'], name, 'Another', 'nothing that fits')
        sealed = store.live(table('sealed', two, 0).id)
        last = sealed.change(lambda match: match.shuffle(0, seed=4))
        sealed.change(lambda match: match.act(0, None, last))
    waiting = table('waiting', ['Ann', 'open'], begin=False)
    kept['invites'][name] = store.invite(waiting.id)
    table('listed', ['Ann', 'bot', 'open'] if most > 2 else ['Ann', 'open'], listed=True, shuffled=True)


def store_step(live: Any, lot: Lot) -> None:
    """A step by lot at a table of the database."""

    def step(match: Match) -> None:
        seat = lot.one(acting(match))
        match.act(seat, None, lot.one(match.names(seat)))

    live.change(step)


def kept_texts(store: Store, table: str) -> Texts:
    """All that the database holds of a table."""
    found = store.table(table)
    assert found is not None
    texts = {
        'table, facts': line(
            [
                found.game,
                found.players,
                found.options,
                found.status,
                found.sentence,
                found.listed,
                found.owner,
                found.previous,
                found.next,
                found.turns,
                found.shuffled,
                found.colours,
                found.result and [found.result.ending, found.result.scores, found.result.outcome],
                [
                    [
                        s.seat,
                        s.kind,
                        s.person,
                        s.name,
                        s.level,
                        s.waiting,
                        s.colour,
                    ]
                    for s in found.seats
                ],
            ]
        ),
        'table, chat': line(
            [[one.number, one.seat, one.name, one.text, one.time] for one in store.chat(table)]
        ),
        'table, notes': line(store.notes(table)),
        'table, tokens': line(
            [
                [t.seat, t.person, t.label, t.revoked]
                for seat in range(found.players)
                for t in store.tokens(table, seat)
            ]
        ),
        'table, way to watch': store.watch(table),
    }
    if found.status not in ('open', 'closed'):
        setup, entries = store.log(table)
        match = store.live(table).match
        texts['match, log'] = line(
            [setup.json(), [[e.kind, e.seat, e.action, e.name, e.hash, e.time] for e in entries]]
        )
        texts['match, facts'] = line(facts_of_match(match))
        for seat in range(-1, found.players):
            texts[f'seat {seat}, position'] = canonical(match.game, match.knowledge(seat))
            texts[f'seat {seat}, file'] = file_of(match, seat)
        if match.status == 'finished':
            texts['match, file read and written'] = str(
                file_of(read_file(file_of(match, -1)), -1) == file_of(match, -1)
            )
    return texts


def record_database(extent: Extent, _: Recording | None) -> Groups:
    """What is in the database that is kept; then its matches go on, and are so when it is opened again."""
    with kept_database() as (path, kept):
        store = open_store(path)
        for label, table in kept['tables'].items():
            if extent.wants(label):
                yield label, kept_texts(store, table)
        own = kept['people']
        texts = {
            f'{name}, tables': line([table.id for table in store.tables_of(number)])
            for name, number in own.items()
        }
        texts |= {
            f'{name}, favourites': line(
                [[f.id, f.name, f.steps] for game in TITLES for f in store.favourites(number, game)]
            )
            for name, number in own.items()
        }
        texts |= {
            f'token of {label}, opens': line([t.table, t.seat, t.label] if (t := store.token(text)) else None)
            for label, text in kept['tokens'].items()
        }
        texts |= {
            f'link of {label}, opens': line(store.invited(text)) for label, text in kept['invites'].items()
        }
        texts |= {
            f'way to watch {label}, opens': line(store.watched(text))
            for label, text in kept['watches'].items()
        }
        yield 'everything else', texts
        tables = {label: table for label, table in kept['tables'].items() if extent.wants(f'{label} goes on')}
        for label, table in tables.items():
            found = store.table(table)
            if found and found.status == 'running':
                live, lot = store.live(table), Lot(label, 'goes on')
                for _n in range(12):
                    if live.match.status == 'running':
                        store_step(live, lot)
        after = {label: kept_texts(store, table) for label, table in tables.items()}
        store.close()
        store = open_store(path)
        for label, table in tables.items():
            again = kept_texts(store, table)
            same = 'the same' if again == after[label] else 'another'
            yield f'{label} goes on', after[label] | {'opened again, everything': same}
        store.close()


PARTS: dict[str, Callable[[Extent, Any], Groups]] = {
    'games': record_games,
    'perft': record_perft,
    'positions': record_positions,
    'pages': record_pages,
    'matches': record_matches,
    'bots': record_bots,
    'database': record_database,
}


# ---- the file ----------------------------------------------------------------------------------------------

PIECE = re.compile(r'(?<=>)(?=<)|(?<=\n)')
"""Where texts are cut into pieces; equal pieces are kept once."""


class Recording:
    """A zip file with a member for each group of texts."""

    def __init__(self, path: Path, mode: Any = 'r') -> None:
        self.zip = zipfile.ZipFile(path, mode, zipfile.ZIP_DEFLATED, compresslevel=6)
        self.members = set(self.zip.namelist())

    def add(self, part: str, group: str, texts: Texts) -> None:
        """Keep a group of texts."""
        pieces: dict[str, int] = {}
        packed = {
            key: [pieces.setdefault(piece, len(pieces)) for piece in PIECE.split(text)]
            for key, text in texts.items()
        }
        self.zip.writestr(f'{part}/{group}', json.dumps([list(pieces), packed], separators=(',', ':')))

    def has(self, part: str, group: str) -> bool:
        """Is there such a group?"""
        return f'{part}/{group}' in self.members

    def texts(self, part: str, group: str) -> Texts:
        """A group of texts, as it was kept."""
        pieces, packed = json.loads(self.zip.read(f'{part}/{group}'))
        return {key: ''.join(pieces[k] for k in found) for key, found in packed.items()}

    def groups(self, part: str) -> list[str]:
        """The groups of a part."""
        return [name.partition('/')[2] for name in self.zip.namelist() if name.startswith(f'{part}/')]


def write(path: Path, parts: Sequence[str]) -> None:
    """Record parts in a file."""
    temporary = path.with_name(f'{path.name}.part')
    recording = Recording(temporary, 'w')
    for part in parts:
        began, groups, texts = time.monotonic(), 0, 0
        for group, found in PARTS[part](FULL, None):
            recording.add(part, group, found)
            groups, texts = groups + 1, texts + len(found)
        print(f'{part}: {texts:,} texts in {groups} groups, {time.monotonic() - began:.0f} s', flush=True)
    recording.zip.close()
    shutil.move(temporary, path)


SHOWN = 4
"""How many differences of a group are shown, and how many groups of a part."""


def differing(old: str, new: str) -> str:
    """Where two texts begin to differ, with the line before."""
    was, now = PIECE.split(old), PIECE.split(new)
    k = next((k for k, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), min(len(was), len(now)))

    def cut(lines: list[str]) -> str:
        return repr(lines[k][:300]) if k < len(lines) else 'the end'

    before = f'      after {was[k - 1][:160]!r}\n' if k else ''
    return f'line {k + 1} of {len(was)}:\n{before}      was   {cut(was)}\n      is    {cut(now)}'


def differences(old: Texts, new: Texts) -> list[str]:
    """In sentences, what differs between two groups of texts."""
    found = [f'{key} is missing now' for key in old if key not in new]
    found += [f'{key} is new' for key in new if key not in old]
    return found + [
        f'{key} differs in {differing(old[key], new[key])}'
        for key in old
        if key in new and old[key] != new[key]
    ]


def compare(path: Path, parts: Sequence[str]) -> int:
    """Record parts again and print what differs from a file; how many texts do."""
    recording, total = Recording(path), 0
    for part in parts:
        left, count, shown = set(recording.groups(part)), 0, 0
        if not left:
            print(f'{part}: not in the file')
            continue
        for group, texts in PARTS[part](FULL, recording):
            known = group in left
            left.discard(group)
            found = differences(recording.texts(part, group), texts) if known else ['the whole group is new']
            count += len(found)
            if found and shown < SHOWN:
                shown += 1
                more = [f'and {len(found) - SHOWN} more'] if len(found) > SHOWN else []
                print(f'{part}/{group}:', *found[:SHOWN], *more, sep='\n   ', flush=True)
        for group in sorted(left):
            count += 1
            print(f'{part}/{group}: the whole group is missing now')
        print(f'{part}: {f"{count} texts differ" if count else "no difference"}', flush=True)
        total += count
    return total


# ---- the digests of the tests ------------------------------------------------------------------------------

Digests = dict[str, dict[str, str]]
"""group -> what was looked at -> the hashes of all moments, one after another."""
TESTED = ('games', 'pages', 'database')


def digests_of(texts: Texts) -> dict[str, str]:
    """The digests of a group of texts, with the moments that they are of."""
    moments = list(dict.fromkeys(key.rpartition(', ')[0] for key in texts))
    kinds = list(dict.fromkeys(key.rpartition(', ')[2] for key in texts))
    found = {
        kind: ' '.join(
            digest(texts[key], size=3) if (key := f'{moment}, {kind}') in texts else '-' for moment in moments
        )
        for kind in kinds
    }
    return {'': '; '.join(moments) if kinds != ['hash'] else f'{len(moments)} games', **found}


def write_digests(parts: Sequence[str]) -> None:
    """Renew parts of the digests that the tests compare with."""
    file = DATA / 'digests.json'
    found = json.loads(file.read_text('utf-8'))
    for part in parts:
        found[part] = {group: digests_of(texts) for group, texts in PARTS[part](SMALL, None)}
    file.write_text(json.dumps(found, indent=0) + '\n', 'utf-8')


def read_digests() -> dict[str, Digests]:
    """The digests of the tests, by part."""
    found: dict[str, Digests] = json.loads((DATA / 'digests.json').read_text('utf-8'))
    return found


def changed(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """What differs between the digests of a group, in a few words each."""
    moments = new.get('', '').split('; ')
    if old.get('') != new.get(''):
        return ['the moments at which it was looked at']
    found = [kind for kind in {**old, **new} if kind not in old or kind not in new]
    for kind in old:
        pairs = list(zip(old[kind].split(), new.get(kind, '').split(), strict=False)) if kind else []
        first = next((k for k, (a, b) in enumerate(pairs) if a != b), None)
        if first is not None:
            found.append(
                f'{kind} at {moments[first]}' if len(moments) == len(pairs) else f'{kind} of game {first}'
            )
    return found


def main() -> int:
    """Read the command line and do it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('command', choices=('write', 'compare', 'digests', 'database'))
    parser.add_argument('file', nargs='?', type=Path)
    parser.add_argument('--part', action='extend', nargs='+', choices=tuple(PARTS))
    given = parser.parse_args()
    if given.command in ('write', 'compare'):
        if given.file is None:
            parser.error('a FILE is needed')
        if given.command == 'compare':
            return 1 if compare(given.file, given.part or list(PARTS)) else 0
        write(given.file, given.part or list(PARTS))
    elif given.command == 'digests':
        if untested := set(given.part or ()) - set(TESTED):
            parser.error(f'the tests compare {", ".join(TESTED)}, not {", ".join(sorted(untested))}')
        write_digests(given.part or TESTED)
    else:
        make_database()
    return 0


if __name__ == '__main__':
    sys.exit(main())
