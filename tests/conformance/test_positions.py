"""Positions as JSON, as pickles, as bytes; and how bad ones are refused."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ludoteca.game import Game, GameError, Position, View, position
from tests.conformance.harness import (
    Case,
    hidden,
    is_sentence,
    legal,
    observation,
    played,
    same,
    seats,
    shares,
)
from tests.width import width

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
    'a' * 1000,
)


def round_trip(game: Game, s: Any) -> Any:
    """Through text and back."""
    return position(json.loads(json.dumps(game.to_json(s)))).state


def test_from_the_greatest_number_of_turns_that_is_read_the_game_goes_on(case: Case) -> None:
    """A counter that overflowed would make a position that is refused."""
    history = played(case, 0)
    data = case.game.to_json(history.states[len(history.states) // 2])
    if 'turn' not in data:
        pytest.skip('the number of turns follows from the rest')
    with pytest.raises(GameError, match=r'turn"? is a whole number from \d+ to \d+') as refused:
        position({**data, 'turn': 2**40})
    most = int(str(refused.value).partition(' to ')[2].partition(',')[0])
    at, rng = position({**data, 'turn': most}), random.Random(0)
    for _ in range(30):
        if at.over:
            break
        at.apply(rng.choice(at.actions()))
        assert at.state.turn >= most


def shown(game: Game, s: Any, seat: int) -> tuple[Any, ...]:
    """What a person and a learner see of a hidden position."""
    view = View(s, seat)
    return (
        game.draw(view, 'page'),
        game.text(view),
        game.panels(view),
        observation(game, s, max(seat, 0)).tolist(),
    )


def test_a_new_game_has_the_options_that_were_chosen(case: Case) -> None:
    data = case.start(0).to_json()
    assert case.game.options.read(data.get('options', {})) == case.options


@pytest.mark.smoke
def test_true_positions_round_trip_through_json(case: Case) -> None:
    """They play on exactly as before: the same choices, values and chance. (What is drawn when it is needed
    comes from the generator, which is no part of a position.)"""
    game, history = case.game, played(case, 0)
    for k in range(0, len(history.states), max(1, len(history.states) // width(3, 12))):
        s = history.states[k]
        again = round_trip(game, s)
        assert game.canonical(again) == game.canonical(s)
        for kernel in ('scores', 'outcome', 'estimate'):
            assert np.allclose(shares(game, kernel, again), shares(game, kernel, s))
        again.rng = s.rng
        for action, following in zip(
            history.actions[k : k + width(20, 40)], history.states[k + 1 :], strict=False
        ):
            assert action in legal(game, again)
            game.kernels.apply(again, action)
            assert game.canonical(again) == game.canonical(following)
            assert (again.turn, again.ending) == (following.turn, following.ending)


def test_finished_positions_round_trip_through_json(case: Case) -> None:
    for seed in range(width(3, 8)):
        s = played(case, seed).last
        again = round_trip(case.game, s)
        assert case.game.canonical(again) == case.game.canonical(s)
        assert again.ending == s.ending
        assert np.allclose(shares(case.game, 'outcome', again), shares(case.game, 'outcome', s))


def test_hidden_positions_round_trip_through_json(case: Case) -> None:
    """They show the same, offer the same, and are hidden still."""
    game = case.game
    for s in played(case, 1).sample(width(3, 8))[: width(2, 8)]:  # nothing is hidden at the end
        for seat in seats(s):
            h = hidden(game, s, seat)
            again = round_trip(game, h)
            assert game.canonical(again) == game.canonical(h)
            assert shown(game, hidden(game, again, seat), seat) == shown(game, h, seat)
            assert game.canonical(hidden(game, again, seat)) == game.canonical(h)
            if seat == s.to_move and not s.ending:
                assert legal(game, again) == legal(game, s)


def test_the_canonical_form_is_stable_and_plain(case: Case) -> None:
    """One line, the keys always in the same order, nothing but JSON's own types, the game named first."""
    game = case.game
    for s in played(case, 2).sample(width(5, 10)):
        data = game.to_json(s)
        assert next(iter(data)) == 'game'
        assert data['game'] == game.name
        assert json.loads(json.dumps(data)) == data
        assert '\n' not in game.canonical(s)
        again = json.loads(json.dumps(data, sort_keys=True))
        assert game.canonical(position(again).state) == game.canonical(s), (
            'the order of keys makes a difference'
        )


@pytest.mark.interpreted
def test_positions_round_trip_interpreted(usual: Case) -> None:
    for seed in range(width(1, 3)):
        for s in played(usual, seed).sample(10):
            assert usual.game.canonical(round_trip(usual.game, s)) == usual.game.canonical(s)


def test_states_round_trip_through_pickle_and_bytes(case: Case) -> None:
    game = case.game
    for s in played(case, 0).sample(10):
        unpickled = pickle.loads(pickle.dumps(s))
        assert type(unpickled) is type(s)
        assert same(unpickled, s)
        read = np.frombuffer(bytearray(s.tobytes()), game.State.DTYPE)[0]
        assert same(read, s)
        if not s.ending:
            assert legal(game, unpickled) == legal(game, read) == legal(game, s)
        other = s.copy()
        other.turn += 1
        assert other.turn != s.turn, 'a copy shares memory with its original'


# ---- bad positions -----------------------------------------------------------------------------------------


def spoiled(data: Any, rng: random.Random) -> Iterator[Any]:
    """The same with one thing changed: every value replaced, every key left out, a key too many."""

    def places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        yield path
        if isinstance(value, dict | list):
            for key in value if isinstance(value, dict) else range(len(value)):
                yield from places(value[key], (*path, key))

    found = [path for path in places(data, ()) if path and path != ('game',)]
    for path in rng.sample(found, min(len(found), width(10, 60))):
        for wrong in rng.sample(WRONG, 5):
            changed = copy.deepcopy(data)
            inner = changed
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = copy.deepcopy(wrong)
            yield changed
        del inner[path[-1]]
        yield changed
    yield {**data, 'nonsense': 1}


def unknown(data: Any) -> bool:
    """Is something of the position unknown? Then what can be chosen may be so, too."""
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return data is None or any(map(unknown, inner))


def check_refused_or_sound(game: Game, data: Any) -> None:
    """A position is refused with a sentence, or it is one: it can be written, shown and played on."""
    found, sentence = None, ''
    try:
        found = position(data)
    except GameError as error:
        sentence = str(error)
    if found is None:
        assert is_sentence(sentence), (sentence, data)
        return
    assert game.canonical(round_trip(game, found.state)) == game.canonical(found.state), data
    assert found.over or found.legal() or unknown(data), data
    for seat in range(found.state.players):
        hidden(game, found.state, seat)


def test_bad_positions_are_refused_with_a_sentence(usual: Case) -> None:
    game, rng = usual.game, random.Random(str(usual))
    for s in played(usual, 3).sample(width(3, 5))[width(1, 0) :]:
        for changed in spoiled(game.to_json(s), rng):
            check_refused_or_sound(game, changed)


def test_what_is_no_position_is_refused_with_a_sentence(game: Game) -> None:
    wrong: tuple[Any, ...] = (None, [], {}, 'x', 1, {'game': 'chess'}, {'game': 1}, {'game': game.name})
    for data in wrong:
        with pytest.raises(GameError) as refused:
            position(data)
        assert is_sentence(str(refused.value)), str(refused.value)


def test_positions_show_what_the_seat_to_move_may_know(usual: Case) -> None:
    """What a Python prompt and a notebook print is made from hidden states."""
    game, s = usual.game, played(usual, 0).states[0]
    here = Position(game, s)
    assert str(here) == game.text(here.view())
    assert here._repr_svg_() == game.draw(here.view())
    assert same(here.view().state, here.hidden(here.to_move)) or game.hidden
