"""Everything that a seat is ever shown or given, for the leak test.

An OUTPUT is a function (history, seat) -> bytes. Whatever a seat cannot know must not change a byte of any of them. `history` is
the whole truth: an output finds its own way to what the seat may see, by the same code that serves people, programs and bots.
To put another output under the test, write a function here with `@output` over it.
"""
from __future__ import annotations

import itertools
import json
from collections.abc import Callable

from ludoteca.game import Event, State, View
from ludoteca.match import Match, Seat, Setup, files
from ludoteca.search import make_bot, think
from ludoteca.web import service, views
from tests.conformance.harness import History, guessed, hidden, legal, observation

Output = Callable[[History, int], bytes]
OUTPUTS: dict[str, Output] = {}


def output(function: Output) -> Output:
    """Add an output to the registry under its function's name."""
    OUTPUTS[function.__name__] = function
    return function


def _bytes(value: object) -> bytes:
    return repr(value).encode()


# ---- the game itself ---------------------------------------------------------------------------------------------------------

def _shown(history: History, s: State, seat: int) -> State:
    """A position as it is shown to a person."""
    copy = hidden(history.game, s, seat)
    history.game.kernels.forget(copy)
    return copy


def _known(history: History, seat: int) -> list[tuple[str, tuple[Event, ...]]]:
    """For each action its name as the seat may know it ('' if it may not), and its events."""
    known: dict[int, list[tuple[str, tuple[Event, ...]]]] = history.memory.setdefault('known', {})
    if seat in known:
        return known[seat]
    game = history.game
    found = known[seat] = []
    for before, action, after in history.steps():
        seen = int(game.kernels.hide_action(before, action, seat))
        name = game.action_name(hidden(game, before, seat), seen) if seen >= 0 else ''
        found.append((name, game.events(_shown(history, before, seat), seen, _shown(history, after, seat))))
    return found


def _view(history: History, seat: int) -> View:
    """The last position through a seat's eyes; `last` is what happened in the last two actions."""
    s = history.last
    actions = tuple(legal(history.game, s)) if seat == s.to_move and not s.ending else ()
    recent = History(history.game, history.states[-3:], history.actions[-2:])
    happened = sum((events for _, events in _known(recent, seat)), ())
    return View(_shown(history, s, seat), seat, actions, events=happened, last=happened)


@output
def hidden_state(history: History, seat: int) -> bytes:
    s = hidden(history.game, history.last, seat)
    return _bytes([(name, s[name].tolist()) for name in s.dtype.names])


@output
def position_json(history: History, seat: int) -> bytes:
    return history.game.canonical(hidden(history.game, history.last, seat)).encode()


@output
def names_of_actions(history: History, seat: int) -> bytes:
    return _bytes([name for name, _ in _known(history, seat)])


@output
def events(history: History, seat: int) -> bytes:
    return json.dumps([[event.json() for event in happened] for _, happened in _known(history, seat)]).encode()


@output
def what_was_revealed(history: History, seat: int) -> bytes:
    return _bytes([int(history.game.kernels.revealed(s)) for s in history.states])


@output
def legal_names_and_targets(history: History, seat: int) -> bytes:
    view, game = _view(history, seat), history.game
    return _bytes([(game.action_name(view.state, action), game.targets(view.state, action)) for action in view.actions])


@output
def drawing(history: History, seat: int) -> bytes:
    return history.game.draw(_view(history, seat), 'page').encode()


@output
def picture(history: History, seat: int) -> bytes:
    return history.game.draw(_view(history, seat), 'dark').encode()


@output
def prompt(history: History, seat: int) -> bytes:
    return _bytes(history.game.prompt(_view(history, seat)))


@output
def panels(history: History, seat: int) -> bytes:
    return _bytes(history.game.panels(_view(history, seat)))


@output
def board_in_words(history: History, seat: int) -> bytes:
    return history.game.text(_view(history, seat)).encode()


@output
def why_not(history: History, seat: int) -> bytes:
    return history.game.why_not(_view(history, seat), ()).encode()


@output
def seen_by_learners(history: History, seat: int) -> bytes:
    return observation(history.game, history.last, seat).tobytes() if seat >= 0 else b''


@output
def guesses_of_bots(history: History, seat: int) -> bytes:
    h = hidden(history.game, history.last, seat)
    return b''.join(_bytes([guess[name].tolist() for name in guess.dtype.names])
                    for guess in (guessed(history.game, h, seat, seed) for seed in (1, 2)))


# ---- matches -----------------------------------------------------------------------------------------------------------------

seeds = itertools.count()


def match_of(history: History) -> Match:
    """The match of these actions. Its set-up has another seed, since nothing that a seat sees may depend on the seed."""
    found: Match | None = history.memory.get('match')
    if found is not None:
        return found
    game, start = history.game, history.states[0]
    match = Match(Setup.new(game.name, int(start.players), seats=[Seat(f'Seat {k}') for k in range(start.players)],
                            seed=next(seeds)), clock=lambda: 0.0)
    match._states[0] = start.copy()
    for s, action, _ in history.steps():
        match.play(int(s.to_move), [action])
    for k, s in enumerate(history.states[:len(match._states)]):
        match._states[k].rng[:] = s.rng
    history.memory['match'] = match
    return match


@output
def match_log(history: History, seat: int) -> bytes:
    return _bytes(match_of(history).log(seat))


@output
def match_page(history: History, seat: int) -> bytes:
    """All that a page or a program asks a match for."""
    match, game = match_of(history), history.game
    view = match.view(seat, since=0)
    parts = [match.version(seat), match.to_move, match.status, view.actions, view.events, view.last, game.draw(view, 'page'),
             game.prompt(view), game.panels(view), game.text(view), game.canonical(match.knowledge(seat))]
    if seat >= 0:
        parts += [match.choices(seat), match.draft(seat), match.may_act(seat), match.may_take_back(seat)]
    parts += [game.draw(match.view(seat, at=turn), 'page') for turn in {0, match.turns // 2, match.turns}]
    return _bytes(parts)


@output
def match_file(history: History, seat: int) -> bytes:
    return files.write(match_of(history), seat).encode()


# ---- bots --------------------------------------------------------------------------------------------------------------------

@output
def search_of_bots(history: History, seat: int) -> bytes:
    """The search's whole result and a bot's choice, for a fixed seed, if the seat is to move."""
    game, s = history.game, history.last
    if s.ending or seat != s.to_move:
        return b''
    found = think(game, s, simulations=40, seed=3).json()
    del found['seconds']
    known = match_of(history).knowledge(seat)
    return _bytes([found, make_bot('easy', simulations=30).choose(game, known, seat, 4, None)])


# ---- pages -------------------------------------------------------------------------------------------------------------------

def _sight(history: History, seat: int) -> views.Sight:
    sitters = tuple(views.Sitter(f'Name {k}', 'person', mine=k == seat) for k in range(history.last.players))
    return views.Sight('table', match_of(history), seat, (seat,) if seat >= 0 else (), sitters)


@output
def web_page(history: History, seat: int) -> bytes:
    """The message that a page is made from, with all its fragments and choices."""
    sight = _sight(history, seat)
    choices = views.choice_table(sight.match, seat) if seat >= 0 else None
    return json.dumps(views.message(sight, 0, choices)).encode()


@output
def web_history(history: History, seat: int) -> bytes:
    sight = _sight(history, seat)
    return _bytes([views.past_fragments(sight, turn) for turn in sorted({0, sight.match.turns // 2, sight.match.turns})])


@output
def web_log(history: History, seat: int) -> bytes:
    return json.dumps(service.log_json(match_of(history), seat, 0)).encode()
