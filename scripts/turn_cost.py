#!/usr/bin/env python3
"""What a turn costs the server, in milliseconds of processor time.

    turn_cost.py                              the medians of every game with most players, in its middle
    turn_cost.py --game myriath --turns 60 --profile

Seeded random steps are played at a table that two pages watch, each from a seat of its own. The columns are
medians of steps: what it takes to make the step, to make and write the message of the page whose seat made
it, and the same for the other page; to make and write the view of a spectator who comes now, and that of the
first one who looks at a table of which nothing is remembered; then the bytes of all four, compressed.
`--profile` prints the functions in which the messages of a turn are made.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import random
import statistics
import sys
import time
import zlib
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / 'src')]

from ludoteca.game import SPECTATOR, games, load  # noqa: E402
from ludoteca.match import Match, Seat, Setup  # noqa: E402
from ludoteca.store import Live, Person, SeatInfo, Table  # noqa: E402
from ludoteca.web.live.messages import message_for  # noqa: E402
from ludoteca.web.live.open_page import OpenPage  # noqa: E402
from ludoteca.web.live.table import LiveTable, TableSources  # noqa: E402
from ludoteca.web.people.visitors import Visitor  # noqa: E402
from ludoteca.web.serving.sockets import COMPRESSION  # noqa: E402

MIDDLE = 18  # turns before the first one that is measured


def table_of(name: str, players: int, one_person: bool = False) -> tuple[LiveTable, list[OpenPage]]:
    """A live table of people, and a page for each seat; all seats are played by one person if so wanted."""

    def who(seat: int) -> str:
        return f'person {0 if one_person else seat}'

    setup = Setup.new(name, players, seats=[Seat(f'Name {k}') for k in range(players)], seed=4)
    match = Match(setup, clock=lambda: 0.0)
    seats = tuple(SeatInfo(k, 'person', who(k), f'Name {k}', '', False, '') for k in range(players))
    table = Table(
        'table', name, players, {}, 'running', '', True, 'person 0', None, None, 0, None, 0.0, 0.0, seats
    )
    stored = Live('table', match, cast(Any, None))
    sources = TableSources(
        match=lambda _: stored,
        invite_link=lambda _: '',
        watch_link=lambda _: '',
        favourites=lambda *_: (),
        progress=lambda _: 1.0,
    )
    people = [Visitor(Person(who(k), f'Name {k}', {}, 0.0, 0.0), f'Name {k}') for k in range(players)]
    return LiveTable(table, sources), [OpenPage(one, k, merges=True) for k, one in enumerate(people)]


def told(live: LiveTable, page: OpenPage) -> tuple[float, int]:
    """Make, write and compress the message for a page. Answers what it takes, in seconds of processor time,
    and its size in bytes."""
    began = time.process_time()
    news = page.news(message_for(live, page))
    text = json.dumps(news, separators=(',', ':'), ensure_ascii=False).encode()
    press = zlib.compressobj(COMPRESSION['level'], memLevel=COMPRESSION['memLevel'])
    size = len(press.compress(text) + press.flush())
    return time.process_time() - began, size


def costs(name: str, turns: int, profile: cProfile.Profile | None) -> list[tuple[float, ...]]:
    """For each step what its parts took, and the bytes of its messages."""
    live, pages = table_of(name, load(name).players[-1])
    match, rng, found = live.match(), random.Random(name), []
    while match.status == 'running' and match.turns < MIDDLE + turns:
        seat = next(seat for seat in match.to_move if match.may_act(seat))
        choices = match.choices(seat)[-1].choices
        step = rng.choice(choices).name
        began = time.process_time()
        match.act(seat, None, step)
        if match.turns < MIDDLE:
            continue
        took, at = time.process_time() - began, rng.randrange(1, len(pages))
        if profile:
            profile.enable()
        messages = [told(live, page) for page in (pages[seat], pages[(seat + at) % len(pages)])]
        if profile:
            profile.disable()
        unseen = LiveTable(live.table, live.sources)
        messages.append(told(live, OpenPage(Visitor(None, 'Guest'), SPECTATOR)))
        messages.append(told(unseen, OpenPage(pages[seat].visitor, seat)))
        seconds, sizes = zip(*messages, strict=True)
        found.append((took, *seconds, *sizes))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('--game')
    parser.add_argument('--turns', type=int, default=40)
    parser.add_argument('--profile', action='store_true')
    given = parser.parse_args()
    for name in games():
        if given.game not in (None, name):
            continue
        profile = cProfile.Profile() if given.profile else None
        found = costs(name, given.turns, profile)
        step, own, other, guest, first, *sizes = (
            statistics.median(column) for column in zip(*found, strict=True)
        )
        print(
            f'{name:<10} step {1000 * step:5.1f}  own page {1000 * own:5.1f}  '
            f'other page {1000 * other:5.1f}  spectator {1000 * guest:5.1f}  first view {1000 * first:5.1f}  '
            f'bytes {" ".join(f"{size:6.0f}" for size in sizes)}  ({len(found)} steps)',
            flush=True,
        )
        if profile:
            pstats.Stats(profile).sort_stats('cumulative').print_stats(32)
    return 0


if __name__ == '__main__':
    sys.exit(main())
