"""What pages are told in games of all kinds: the largest messages, the tables of choices, who begins
again."""

from __future__ import annotations

import json
import random
import time
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from starlette.testclient import TestClient

from ludoteca.game import games, load
from ludoteca.match import Match, Seat, Setup
from ludoteca.web.table.choices import NO_GHOST, choice_table, ghost_list
from ludoteca.web.table.messages import match_message
from ludoteca.web.table.model import SeatLabel, TableView
from tests.web.test_interface import SMALL, make
from tests.width import width

LONGEST = width(30, 60)  # turns that are played in search of it


@cache
def largest(name: str) -> tuple[Match, int]:
    """A match of as many as can play, where most can be chosen, and the seat that chooses."""
    game, rng, best = load(name), random.Random(name), (0, 0)
    setup = Setup.new(
        name, game.players[-1], seats=[Seat(f'Seat {k}') for k in range(game.players[-1])], seed=4
    )
    match = Match(setup, clock=lambda: 0.0)
    steps: list[tuple[int, str]] = []
    while match.status == 'running' and match.turns < LONGEST:
        seat = next(seat for seat in match.to_move if match.may_act(seat))
        choices = match.choices(seat)[-1].choices
        best = max(best, (len(choices), len(steps)))
        steps.append((seat, rng.choice(choices).name))
        match.act(seat, None, steps[-1][1])
    found = Match(setup, clock=lambda: 0.0)
    for seat, step in steps[: best[1]]:
        found.act(seat, None, step)
    return found, next(seat for seat in found.to_move if found.may_act(seat))


@pytest.mark.parametrize('name', games())
def test_the_largest_message_of_a_game_is_small_and_made_quickly(name: str) -> None:
    match, seat = largest(name)
    labels = tuple(SeatLabel(f'Name {k}', 'person') for k in range(match.setup.players))
    view = TableView('table', match, seat, (seat,), labels)
    match.choices(seat)
    took: list[float] = []
    for _ in range(3):
        began = time.process_time()
        message = match_message(view, None, choice_table(match, seat))
        text = json.dumps(message, separators=(',', ':'))
        took.append(time.process_time() - began)
    assert len(zlib.compress(text.encode())) < SMALL
    assert min(took) < 0.25  # here only that nothing is wrong by an order of magnitude
    assert message['names'] == [f'Name {k}' for k in range(match.setup.players)]


@pytest.mark.parametrize('name', games())
def test_a_table_of_choices_says_what_the_match_says(name: str) -> None:
    match, seat = largest(name)
    table = choice_table(match, seat)
    assert table is not None
    for level, packed in zip(match.choices(seat), table['levels'], strict=True):
        choices = level.choices + level.shortcuts
        assert packed['commits'] == [k for k, choice in enumerate(choices) if choice.commits]
        for choice, (action, *pairs) in zip(choices, packed['actions'], strict=True):
            assert action == choice.name
            for target, at, ghost in zip(choice.targets, pairs[::2], pairs[1::2], strict=True):
                assert table['targets'][at] == target.id
                assert (ghost == NO_GHOST) == (target.ghost is None)
                if target.ghost is not None:
                    assert unpacked(table, ghost) == ghost_list(target.ghost)


def unpacked(table: dict[str, Any], number: int) -> list[Any]:
    """A ghost of a table as it was before it was packed."""
    ghost: list[Any] = list(table['ghosts'][number])
    if len(ghost) > 4:
        ghost[4] = ''.join(table['lines'][line] for line in ghost[4])
    return ghost


@pytest.mark.parametrize(
    'name', [name for name in games() if load(name).next_first == 'lowest' and not load(name).hidden]
)
def test_who_had_least_begins_the_rematch(guest: Callable[..., TestClient], name: str) -> None:
    host, friend = guest(), guest()
    path, view = make(host, game=name, mode='link')
    friend.post('/api/join', json={'invite': view['invite']['token']})
    people, rng, view = (host, friend), random.Random(name), host.get(path).json()
    mover = host if view['may_act'] else friend
    for _ in range(400):
        view = mover.get(path).json()
        if view['result']:
            break
        while view['may_act']:
            view = mover.post(f'{path}/act', json={'steps': rng.choice(view['legal'])}).json()
        mover = friend if mover is host else host
    scores = view['result']['scores']
    least = next(one for one in people if scores.index(min(scores)) in one.get(path).json()['your_seats'])
    friend.post(f'{path}/rematch')
    again = f'/api/tables/{host.post(f"{path}/rematch").json()["id"]}'
    assert least.get(again).json()['your_seats'] == [0]
    assert least.get(again).json()['may_act']
