"""Everything that a seat is ever shown or given, for the leak test.

An OUTPUT is a function (history, seat) -> bytes. Whatever a seat cannot know must not change a byte of any of
them. `history` is the whole truth: an output finds its own way to what the seat may see, by the same code
that serves people, programs and bots. To put another output under the test, write a function here with
`@output` over it.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

from ludoteca.analysis import search_position
from ludoteca.game import LAID, Event, Refusal, State, View
from ludoteca.game.reasons import alert_sentence, sentences
from ludoteca.lessons import attempt, position
from ludoteca.match import BOT, PERSON, Match, Seat, Setup, TrueTurn, files
from ludoteca.puzzles import Exercise, Puzzle, judge
from ludoteca.puzzles import turns as puzzle_turns
from ludoteca.puzzles.files import Source
from ludoteca.review import judge_turn
from ludoteca.review.lines import line
from ludoteca.review.review import payload_of
from ludoteca.search import make_bot, think
from ludoteca.store import ChatLine, Favourite, Live, Person, SeatInfo, Table, Token
from ludoteca.web.live import blunders, hints, table_json
from ludoteca.web.live.messages import message_for, view_for
from ludoteca.web.live.open_page import OpenPage
from ludoteca.web.live.table import LiveTable, TableSources
from ludoteca.web.pages.lobby import Shown, lists
from ludoteca.web.pages.table import table_page
from ludoteca.web.people.preferences import Preferences
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.pictures.scenes import Eyes, film_turns, frame, is_pass, preview, scene_at, sentence_of
from ludoteca.web.routes.analyses import with_steps
from ludoteca.web.table.buttons import BUTTONS, explained
from ludoteca.web.table.messages import fragments, past_fragments
from ludoteca.web.table.model import Notes
from ludoteca.web.table.places import STAGES
from ludoteca.web.table.wording import advice, line_texts
from ludoteca.work import analyses as work_analyses
from ludoteca.work import answers as work_answers
from ludoteca.work import blunders as work_blunders
from ludoteca.work import hints as work_hints
from ludoteca.work import turns as work_turns
from tests.conformance.harness import History, guessed, hidden, legal, observation, random_turn

Output = Callable[[History, int], bytes]
OUTPUTS: dict[str, Output] = {}


def output(function: Output) -> Output:
    """Add an output to the registry under its function's name."""
    OUTPUTS[function.__name__] = function
    return function


def _bytes(value: object) -> bytes:
    return repr(value).encode()


@output
def info_state(history: History, seat: int) -> bytes:
    return history.game.info_state(history.last, seat).encode()


# ---- the game itself ---------------------------------------------------------------------------------------


def _shown(history: History, s: State, seat: int) -> Any:
    """A position as it is shown to a person."""
    copy = hidden(history.game, s, seat)
    history.game.kernels.forget(copy, seat, 0)
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


def _ids(history: History, seat: int) -> list[str]:
    """Things in the drawing."""
    return re.findall(r' id="([^"]+)"', history.game.draw(_view(history, seat), 'page'))


def _named(history: History, seat: int) -> list[str]:
    """Whatever explains itself in drawing, cards and panels."""
    view, game = _view(history, seat), history.game
    rows = [row for panel in game.panels(view) for row in panel.rows]
    pictures = [
        game.draw(view, 'page'),
        *(drawing for card in game.cards(view) for drawing in card.drawings),
        *(row.drawing for row in rows),
    ]
    found = re.findall(r' (?:id|data-about)="([^"]+)"', ''.join(map(str, pictures)))
    return [*dict.fromkeys(found), *(row.about for row in rows if row.about)]


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
    return json.dumps(
        [[event.json() for event in happened] for _, happened in _known(history, seat)]
    ).encode()


@output
def what_was_revealed(history: History, seat: int) -> bytes:
    return _bytes([int(history.game.kernels.revealed(s)) for s in history.states])


@output
def legal_names_and_targets(history: History, seat: int) -> bytes:
    view, game = _view(history, seat), history.game
    return _bytes(
        [(game.action_name(view.state, action), game.targets(view.state, action)) for action in view.actions]
    )


@output
def shortcuts(history: History, seat: int) -> bytes:
    view = _view(history, seat)
    return _bytes(list(history.game.shortcuts(view.state)) if view.actions else [])


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
def cards(history: History, seat: int) -> bytes:
    return _bytes(history.game.cards(_view(history, seat)))


@output
def pencils(history: History, seat: int) -> bytes:
    """What may be pencilled on anything in the drawing."""
    view = _view(history, seat)
    return _bytes([history.game.pencils(view, one) for one in _ids(history, seat)])


@output
def board_in_words(history: History, seat: int) -> bytes:
    return history.game.text(_view(history, seat)).encode()


@output
def explanations(history: History, seat: int) -> bytes:
    """What is said of anything in the drawing, the cards and the panels."""
    view, game = _view(history, seat), history.game
    buttons = [f'do:{button.id}' for button in game.prompt(view).buttons]
    return _bytes([game.explain(view, one) for one in (*_ids(history, -1), *_named(history, seat), *buttons)])


@output
def explanations_of_buttons(history: History, seat: int) -> bytes:
    """What is said of the page's own buttons, of use or not."""
    view, game = _view(history, seat), history.game
    names = [f'act-{name}{rest}' for name in BUTTONS for rest in ('', '-off')]
    return _bytes([explained(view, game, name) for name in names])


@output
def refusals(history: History, seat: int) -> bytes:
    """Why a click on anything in the drawing makes no action, and which rule that is."""
    view, game = _view(history, seat), history.game
    found = [game.why_not(view, [f'el:{one}']) for one in _ids(history, -1)]
    return _bytes([(str(why), why.chapter if isinstance(why, Refusal) else '') for why in found])


@output
def places(history: History, seat: int) -> bytes:
    return _bytes(history.game.places(_view(history, seat)))


@output
def why_not(history: History, seat: int) -> bytes:
    return history.game.why_not(_view(history, seat), ()).encode()


@output
def seen_by_learners(history: History, seat: int) -> bytes:
    return observation(history.game, history.last, seat).tobytes() if seat >= 0 else b''


@output
def guesses_of_bots(history: History, seat: int) -> bytes:
    h = hidden(history.game, history.last, seat)
    return b''.join(
        _bytes([guess[name].tolist() for name in guess.dtype.names])
        for guess in (guessed(history.game, h, seat, seed) for seed in (1, 2))
    )


# ---- matches -----------------------------------------------------------------------------------------------

seeds = itertools.count()


def match_of(history: History, kind: Literal['person', 'bot'] = PERSON) -> Match:
    """The match of these actions, between people or bots. Its set-up has another seed, since nothing that a
    seat sees may depend on the seed."""
    found: Match | None = history.memory.get(('match', kind))
    if found is not None:
        return found
    game, start = history.game, history.states[0]
    level = 'easy' if kind == BOT else ''
    match = Match(
        Setup.new(
            game.name,
            int(start.players),
            seats=[Seat(f'Seat {k}', kind, level) for k in range(start.players)],
            seed=next(seeds),
        ),
        clock=lambda: 0.0,
    )
    match._history.states[0] = start.copy()
    for s, action, _ in history.steps():
        match.play(int(s.to_move), [action])
    for k, s in enumerate(history.states[: len(match._history.states)]):
        match._history.states[k].rng[:] = s.rng
    history.memory['match', kind] = match
    return match


@output
def match_log(history: History, seat: int) -> bytes:
    return _bytes(match_of(history).log(seat))


@output
def match_page(history: History, seat: int) -> bytes:
    """All that a page or a program asks a match for."""
    match, game = match_of(history), history.game
    view = match.view(seat, since=0)
    parts = [
        match.version(seat),
        match.to_move,
        match.status,
        view.actions,
        view.events,
        view.last,
        match.recent(seat),
        match.own_last(seat),
        [(match.movers(turn), match.arranged(turn)) for turn in range(match.turns + 1)],
        game.draw(view, 'page'),
        game.prompt(view),
        game.panels(view),
        game.text(view),
        game.canonical(match.knowledge(seat)),
    ]
    if seat >= 0:
        parts += [
            match.choices(seat),
            match.draft(seat),
            match.drafted(seat),
            match.may_act(seat),
            match.may_take_back(seat),
        ]
    parts += [game.draw(match.view(seat, at=turn), 'page') for turn in {0, match.turns // 2, match.turns}]
    return _bytes(parts)


@output
def turn_of_a_bot(history: History, seat: int) -> bytes:
    """What is seen of a turn that a bot is making: how often something changed, where it stands, what it did,
    and what an open page is told."""
    match, game = match_of(history, BOT), history.game
    if match.may_act(seat):
        return b''
    view = match.view(seat, since=0)
    told = [match.version(seat), view.events, match.recent(seat), match.drafted(seat)]
    live, visitor = _live_table(history, seat, kind=BOT)
    pages_open = [OpenPage(visitor, seat, turns) for turns in (None, max(0, match.turns - 1))]
    return _bytes([*told, game.text(view), [message_for(live, page) for page in pages_open]])


@output
def match_file(history: History, seat: int) -> bytes:
    return files.write(match_of(history), seat).encode()


def _trial(history: History) -> Match:
    """A copy of the match in which drafts may be changed."""
    return match_of(history).copy()


@output
def redraft(history: History, seat: int) -> bytes:
    """What becomes of a draft by clicks and drags on things in the drawing."""
    if seat < 0 or not match_of(history).may_act(seat):
        return b''
    ids, found = _ids(history, seat), []
    some = ids[:: max(1, len(ids) // 10)]
    for targets in [[one] for one in some] + [[one, other] for one in some[:4] for other in some]:
        trial = _trial(history)
        found.append(
            (
                trial.redraft(seat, None, [f'el:{one}' for one in targets]),
                trial.draft(seat),
                trial.version(seat),
            )
        )
    return _bytes(found)


@output
def lay(history: History, seat: int) -> bytes:
    """What becomes of an arrangement by clicks and drags, in any order."""
    if seat < 0 or not match_of(history).may_act(seat) or not match_of(history).arranging(seat):
        return b''
    ids, found, trial = [f'el:{one}' for one in _ids(history, seat)], [], _trial(history)
    laid: tuple[str, ...] = ()
    some = ids[:: max(1, len(ids) // 12)]
    for targets in [
        *([one, other] for one in some for other in some[::-2]),
        ['do:undo'],
        *([one] for one in some),
        ['do:clear'],
    ]:
        after = trial.lay(seat, None, laid, targets)
        laid = laid if after is None else after
        found.append((after, trial.draft(seat), trial.version(seat)))
    return _bytes(found)


@output
def shuffle(history: History, seat: int) -> bytes:
    """Arrangements by lot, for fixed seeds."""
    found = []
    for seed in (1, 2):
        trial = _trial(history)
        if seat >= 0 and trial.arranging(seat) and trial.may_act(seat):
            found.append(
                (trial.shuffle(seat, seed=seed), trial.draft(seat), trial.names(seat), trial.choices(seat))
            )
    return _bytes(found)


# ---- bots --------------------------------------------------------------------------------------------------


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


@output
def input_of_bots(history: History, seat: int) -> bytes:
    """The whole record that a bot thinks on: what the server gives to it."""
    known = match_of(history).knowledge(seat)
    return _bytes([(name, known[name].tolist()) for name in known.dtype.names])


@output
def hint(history: History, seat: int) -> bytes:
    """What the page's hint says and points at in all its stages, for a fixed seed, if the seat has something
    to choose."""
    match, game = match_of(history), history.game
    if seat < 0 or not match.may_act(seat):
        return b''
    known = match.knowledge(seat)
    # simulations alone end the searches: what time ends differs from run to run
    found = work_hints.find_hint(game, known, seat, 5, simulations=30, seconds=600)
    hint = hints.hint_of(game, match.version(seat), known, match.view(seat), found)
    return _bytes([hint.json(stage) for stage in STAGES])


@output
def told_turns(history: History, seat: int) -> bytes:
    """Turns of a seat that are drawn by lot in words: as advice, and as the log tells them."""
    match, game = match_of(history), history.game
    if seat < 0 or not match.may_act(seat):
        return b''
    known, found = match.knowledge(seat), []
    for seed in range(3):
        state, names = guessed(game, known, seat, 0), []
        for action in random_turn(game, known, seat, seed):
            names.append(game.action_name(hidden(game, state, seat), action))
            game.kernels.apply(state, action)
        steps = line(game, known, seat, names)
        found.append((advice(game, steps, seat, match.players), line_texts(game, steps, match.players)))
    return _bytes(found)


@output
def job(history: History, seat: int) -> bytes:
    """What stands in the database when a worker is to choose an action for a seat, find a hint for it, or
    look at a turn."""
    match, game = match_of(history), history.game
    if seat < 0 or not match.may_act(seat):
        return b''
    known = match.knowledge(seat)
    payloads = [
        work_turns.payload(game.name, known, seat, 'hard', 5, 'turn'),
        work_hints.payload(game.name, known, seat, 5),
    ]
    for action in random_turn(game, known, seat, 1) if not match.arranging(seat) else ():
        if (plan := blunders.plan_of(match, seat, game.action_name(known, action))) is not None:
            payloads.append(work_blunders.payload(game.name, plan, 5))
    return _bytes(payloads)


@output
def warning(history: History, seat: int) -> bytes:
    """What is said before turns of a seat that are drawn by lot, if they are much worse than the best one."""
    match, game = match_of(history), history.game
    if seat < 0 or not match.may_act(seat) or match.arranging(seat):
        return b''
    found = []
    for seed in range(2):
        state, names = guessed(game, match.knowledge(seat), seat, 0), []
        for action in random_turn(game, match.knowledge(seat), seat, seed):
            names.append(game.action_name(hidden(game, state, seat), action))
            game.kernels.apply(state, action)
        plan = blunders.plan_of(match, seat, ' '.join(names))
        if plan and (compared := work_blunders.compare(game, plan, 5, simulations=30)):
            found.append(blunders.told(game, plan, compared))
    return _bytes(found)


@output
def reasons(history: History, seat: int) -> bytes:
    """Why one turn is better than another one, for turns of a seat that are drawn by lot."""
    match, game = match_of(history), history.game
    if seat < 0 or not match.may_act(seat):
        return b''
    view, known = match.view(seat), match.knowledge(seat)
    turns = [random_turn(game, known, seat, seed) for seed in range(4)]
    found = [game.reasons(view, one, [other]) for one in turns for other in turns]
    return _bytes([(each, sentences(game.words, each)) for each in found])


@output
def alerts(history: History, seat: int) -> bytes:
    """What the coach would tell a seat before its turn."""
    found = history.game.alerts(_view(history, seat))
    return _bytes((found, alert_sentence(history.game.words, found)))


@output
def puzzle(history: History, seat: int) -> bytes:
    """What a puzzle at this position would hold, what is said to an answer, and what stands in the database
    when a worker is to judge it. Turns that are drawn by lot stand for the best one and for the answer."""
    match, game = match_of(history), history.game
    if seat < 0 or not match.may_act(seat) or match.draft(seat) or match.arranging(seat):
        return b''
    known, turns = match.knowledge(seat), []
    for seed in range(2):
        state, names = known, []
        for action in random_turn(game, known, seat, seed):
            names.append(game.action_name(state, action))
            state, _ = puzzle_turns.after(game, state, seat, action)
        turns.append(' '.join(names))
    position, source, best = game.to_json(known), Source('1', 'easy', 1, 0, 0), (turns[0],)
    one = Puzzle('one', game.name, history.last.players, {}, position, seat, best, 1, 0, 'easy', source)
    job = work_answers.payload(Exercise.of_puzzle(one), 0, known, turns[1])
    return _bytes([one.json(), judge(one, turns[1], simulations=10).json(), job])


@output
def lesson_answers(history: History, seat: int) -> bytes:
    """What the answers of a lesson depend on: the position, and what the seat has done since a turn."""
    match = match_of(history)
    if seat < 0:
        return b''
    turns = sorted({0, match.turns // 2})
    return repr([position(match, seat), *(attempt(match, seat, since) for since in turns)]).encode()


# ---- pages -------------------------------------------------------------------------------------------------


def _live_table(
    history: History,
    seat: int,
    notes: Mapping[int, Notes] | None = None,
    favourites: Sequence[Favourite] = (),
    kind: Literal['person', 'bot'] = PERSON,
) -> tuple[LiveTable, Visitor]:
    """The table as the server keeps it, the match at it, and the visitor who plays the seat; of bots, one who
    looks from it."""
    match, game = match_of(history, kind), history.game
    seats = tuple(
        SeatInfo(k, 'person', f'person {k}', f'Name {k}', '', match.may_act(k), '')
        for k in range(history.last.players)
    )
    table = Table(
        'table',
        game.name,
        len(seats),
        {},
        match.status,
        '',
        True,
        'person 0',
        None,
        None,
        match.turns,
        match.result,
        0.0,
        0.0,
        seats,
        hints=True,
    )
    stored = Live('table', match, cast(Any, None))  # nothing is changed, so nothing is stored
    sources = TableSources(
        match=lambda _: stored,
        invite_link=lambda table: '',
        watch_link=lambda table: '',
        favourites=lambda person, game: favourites,
        progress=lambda game: 1.0,
    )
    live = LiveTable(table, sources, [ChatLine(0, 0, 'Name 0', 'Hello', 0.0)], notes)
    name = f'Name {seat}' if seat >= 0 else 'Somebody'
    return live, Visitor(Person(f'person {seat}', name, {'places': True}, 0.0, 0.0), name)


def _turns(history: History) -> list[int]:
    match = match_of(history)
    return sorted({0, match.turns // 2, max(0, match.turns - 1), match.turns})


@output
def socket_messages(history: History, seat: int) -> bytes:
    """What an open page is sent, with all its fragments, choices and events: one that has seen nothing, and
    one that has seen all but the last turn."""
    live, visitor = _live_table(history, seat)
    pages_open = [OpenPage(visitor, seat, turns) for turns in (None, 0, max(0, live.match().turns - 1))]
    return json.dumps([message_for(live, page) for page in pages_open]).encode()


@output
def whole_page(history: History, seat: int) -> bytes:
    live, visitor = _live_table(history, seat)
    return table_page(visitor, live.table, message_for(live, OpenPage(visitor, seat))).encode()


@output
def lobby(history: History, seat: int) -> bytes:
    """The tables in the lobby, and as programs read them."""
    live, visitor = _live_table(history, seat)
    return (
        lists(visitor, Shown([live.table], [], [live.table]))
        + json.dumps(table_json.table_json(live.table, visitor))
    ).encode()


@output
def web_history(history: History, seat: int) -> bytes:
    live, visitor = _live_table(history, seat)
    return _bytes([past_fragments(view_for(live, visitor, seat), turn) for turn in _turns(history)])


@output
def log_in_notation(history: History, seat: int) -> bytes:
    """The page of somebody who prefers notation to sentences."""
    live, visitor = _live_table(history, seat)
    table = replace(view_for(live, visitor, seat), preferences=Preferences(log='notation'))
    return _bytes([fragments(table), past_fragments(table, live.match().turns)])


@output
def web_why_not(history: History, seat: int) -> bytes:
    """What is answered to a click on anything in the drawing."""
    live, visitor = _live_table(history, seat)
    ids = re.findall(r' id="([^"]+)"', history.game.draw(match_of(history).view(seat), 'page'))
    return _bytes(
        [table_json.why_not(live, visitor, None, [f'el:{one}']) for one in ids[:: max(1, len(ids) // 12)]]
    )


@output
def web_explanations(history: History, seat: int) -> bytes:
    """What the server says of things in the drawing, the cards and the panels, now and in the past."""
    live, visitor = _live_table(history, seat)
    ids = _named(history, seat)
    some = [ids[k :: max(1, len(ids) // 12)][:4] for k in range(min(3, len(ids)))]
    past = [table_json.explanation(live, visitor, None, ids[:3], turn) for turn in _turns(history)]
    return _bytes(
        [past, *(table_json.explanation(live, visitor, None, [one]) for few in some for one in few)]
    )


@output
def json_view(history: History, seat: int) -> bytes:
    live, visitor = _live_table(history, seat)
    views_of_it = [table_json.view_json(live, visitor), table_json.view_json(live, visitor, -1)]
    return json.dumps([*views_of_it, table_json.chat_json(live, visitor)]).encode()


@output
def json_log(history: History, seat: int) -> bytes:
    return json.dumps(table_json.log_json(match_of(history), seat, 0)).encode()


@output
def json_positions(history: History, seat: int) -> bytes:
    live, visitor = _live_table(history, seat)
    return json.dumps([table_json.position_json(live, visitor, turn) for turn in _turns(history)]).encode()


@output
def pictures_of_positions(history: History, seat: int) -> bytes:
    live, visitor = _live_table(history, seat)
    return _bytes(
        [table_json.picture(live, visitor, turn, None, 'light') for turn in (None, *_turns(history)[1:3])]
    )


@output
def films_and_previews(history: History, seat: int) -> bytes:
    """A frame of a film as the seat may see it, how many it has, and what messengers show of a link to a
    turn."""
    match, turn = match_of(history), _turns(history)[-1]
    looked = scene_at(match, turn, Eyes(seat), 'light')
    previews = [preview(scene_at(match, turn, Eyes(), 'light')), sentence_of(match, turn)]
    frames = [film_turns(match, 0, turn, passes) for passes in (False, True)]
    return _bytes([looked.millis, frame(looked), frames, *previews, is_pass(match, turn)])


@output
def notes(history: History, seat: int) -> bytes:
    """A page of a seat at a table at which everybody has pencilled something, the others even the truth."""
    told: dict[str, tuple[str, ...]] = dict.fromkeys(
        _ids(history, -1), (history.game.canonical(history.last),)
    )
    told[LAID] = (history.game.canonical(history.last), 'd1=2-5-2', 'd7=2-5-2')
    own_notes = {'bag': ('own',), LAID: ('e1=1-1-1', 'e7=1-1-1')}
    pencilled = {other: own_notes if other == seat else told for other in range(history.last.players)}
    live, visitor = _live_table(history, seat, pencilled)
    own = (
        [table_json.pencils(live, visitor, seat, one) for one in _ids(history, seat)[:6]] if seat >= 0 else []
    )
    return json.dumps(
        [message_for(live, OpenPage(visitor, seat)), table_json.view_json(live, visitor), own]
    ).encode()


@output
def favourites(history: History, seat: int) -> bytes:
    """Which of a person's arrangements fit."""
    if seat < 0 or not match_of(history).arranging(seat):
        return b''
    kept = []
    for seed in range(3):
        trial = _trial(history)
        if trial.may_act(seat):
            last = trial.shuffle(seat, seed=seed)
            kept.append(Favourite(str(seed), history.game.name, str(seed), trial.arrangement(seat, last)))
    kept.append(Favourite('no', history.game.name, 'no', 'nothing'))
    live, visitor = _live_table(history, seat, favourites=kept)
    told = message_for(live, OpenPage(visitor, seat))
    return json.dumps([table_json.favourites_json(live, visitor, seat), told]).encode()


@output
def token_of_a_seat(history: History, seat: int) -> bytes:
    """What a program is given that has the token of a seat, where all seats are one person's and it claims to
    be at another one."""
    if seat < 0:
        return b''
    live, person = _live_table(history, seat)
    live.set_table(
        replace(
            live.table,
            listed=False,
            seats=tuple(replace(info, person='person 0') for info in live.table.seats),
        )
    )
    visitor = Visitor(None, '', token=Token('hash', 'table', seat, 'person 0', '', 0.0, None, False, True))
    other = (seat + 1) % history.last.players
    told = [message_for(live, OpenPage(visitor, other, since, here=other)) for since in (None, 0)]
    assert live.seats_of(person) == (tuple(range(history.last.players)) if seat == 0 else ())
    answers = [
        table_json.view_json(live, visitor),
        table_json.chat_json(live, visitor),
        table_json.position_json(live, visitor, 0),
    ]
    pictures = [
        table_json.picture(live, visitor, None, None, 'light'),
        table_json.why_not(live, visitor, None, []),
    ]
    return json.dumps([told, answers, pictures]).encode()


@output
def several_seats_of_a_person(history: History, seat: int) -> bytes:
    """What a screen shows that all share, to the person of a seat who has said to be there and has something
    to choose."""
    live, visitor = _live_table(history, seat)
    if seat < 0 or not live.match().may_act(seat):
        return b''
    live.set_table(
        replace(live.table, seats=tuple(replace(info, person=f'person {seat}') for info in live.table.seats))
    )
    return json.dumps(message_for(live, OpenPage(visitor, seat, 0, here=seat))).encode()


@output
def review_of_a_turn(history: History, seat: int) -> bytes:
    """What a worker is given that judges the turn of a seat, and what it answers; the lines to play
    through."""
    game, s = history.game, history.last
    if seat != s.to_move or s.ending or s.phase in (*game.sealed, *game.arranged):
        return b''
    known = hidden(game, s, seat)
    action = legal(game, known)[-1]
    payload = payload_of(game, TrueTurn(seat, 0, (action,), (s,)), 6, 'seed')
    judged = judge_turn(payload)
    steps = [
        (step.name, step.seat, step.events, hidden(game, step.after, seat).tobytes())
        for name in ('better_line', 'played_line')
        for step in line(game, known, seat, judged[name])
    ]
    return _bytes((payload, judged, steps))


@output
def lines_of_an_analysis(history: History, seat: int) -> bytes:
    """What a worker is given that searches a position for the seat to move, and the best turns with their
    steps as the page draws them."""
    game, s = history.game, history.last
    if seat != s.to_move or s.ending or s.phase in (*game.sealed, *game.arranged):
        return b''
    payload = {**work_analyses.payload(game, s, 0, 1), 'simulations': 6, 'seconds': 60.0}
    found = {**search_position(payload), 'seconds': 0.0}
    return _bytes((payload, with_steps(game, s, (), found)))


@output
def watch_link(history: History, seat: int) -> bytes:
    """What somebody sees whom a link lets watch a private table."""
    if seat >= 0:
        return b''
    live, _ = _live_table(history, seat)
    live.set_table(replace(live.table, listed=False))
    visitor = Visitor(None, 'Somebody', 'guest', watches=('table',))
    assert live.may_look(visitor)
    message = message_for(live, OpenPage(visitor, 0, 0, here=0))
    answers = [
        message,
        table_json.view_json(live, visitor),
        table_json.chat_json(live, visitor),
        live.link(visitor),
    ]
    return (json.dumps(answers) + table_page(visitor, live.table, message, live.link(visitor))).encode()


@output
def curtain(history: History, seat: int) -> bytes:
    """What a screen shows that all share, before anybody has said to be there: not more than a spectator
    knows."""
    if seat >= 0:
        return b''
    live, visitor = _live_table(history, seat)
    live.set_table(
        replace(live.table, seats=tuple(replace(info, person='person -1') for info in live.table.seats))
    )
    page = OpenPage(visitor, seat)
    return (
        json.dumps(message_for(live, page)) + table_page(visitor, live.table, message_for(live, page))
    ).encode()
