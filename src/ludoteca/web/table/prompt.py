"""The top of the table page: the heading, and what the visitor is asked to do."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.game import Panel, Prompt, View
from ludoteca.game.reasons import alert_sentence
from ludoteca.text import words
from ludoteca.web.html.layout import h, sign
from ludoteca.web.table.model import TableView, with_names
from ludoteca.web.table.players import scores
from ludoteca.web.table.wording import ending_words, options_words, result_words, score_words, stage_words


def heading(table: TableView, panels: Sequence[Panel], at: int | None = None) -> h.Element:
    """The game, the number of players, how far the match has come (`at`: had come after so many turns), and
    the options; on a phone how all stand."""
    players = words('web.lobby.players', n=table.match.setup.players)
    more = [stage_words(table, at)]
    more += options_words(table.game, table.match.setup.options)
    if table.watching and not table.mine and not table.match.result:
        more.append(words('web.table.you_watch'))
    if table.watching:
        more.append(words.counted('web.table.watching', table.watching))
    if table.people:
        more.append(words('web.table.hints.on' if table.hints else 'web.table.hints.off'))
    if score := score_words(table):
        more.append(score)
    if table.match.setup.lesson:
        more.append(words('web.lesson.match'))
    elif table.match.setup.exercise:
        more.append(words('web.exercise.match'))
    elif not table.match.rated and table.analysis < 0:
        more.append(words('web.table.unrated'))
    title = h.div[h.h1[table.game.title], h.span[h.span('.count')[f'{players} · '], ' · '.join(more)]]
    return h.div('#heading')[title, scores(table, panels, at)]


def asked(table: TableView, view: View) -> Prompt:
    """What the game asks for now. A visitor with one seat is not called by name."""
    if table.mine == (table.seat,) and table.acts:
        own = words('web.table.your_move')
        names = tuple(own if seat == table.seat else name for seat, name in enumerate(table.names))
        view = with_names(view, names)
    return table.game.prompt(view)


def prompt(table: TableView, view: View, asks: Prompt, lays: bool) -> h.Element:
    """What the visitor is asked to do. `asks`: what the game asks for (`asked`); `lays`: are things laid on
    points of the board?"""
    text, help_ = _asked(table, view, asks)
    # the drawer of rules opens there
    chapter = {'data-chapter': asks.chapter or None}
    return h.section('#prompt.prompt', **chapter)[
        _signs(table),
        h.div[
            h.p('.do')[text],
            _coach(table, view)
            or ((help_ or table.acts) and h.p('.how')[help_ or h.span('.keys')[words('web.table.how_keys')]]),
            # the page fills in what is held
            lays
            and table.acts
            and h.p(
                '#held.how',
                hidden=True,
                **{'data-keys': words('web.table.lay.keys'), 'data-taps': words('web.table.lay.taps')},
            ),
        ],
    ]


def _coach(table: TableView, view: View) -> h.Element | None:
    """What the coach says before a turn of the visitor's: after a lesson its advice, otherwise the one thing
    to notice; None if there is nothing to say. The button turns the coach off."""
    if not table.acts:
        return None
    label = h.b[words('web.lesson.coach')]
    if table.lesson and table.lesson.coach >= 0:
        return h.p('.how.coach')[label, ' ', table.lesson.say]
    if not table.coached or table.match.draft(table.seat):
        return None
    text = alert_sentence(table.game.words, table.game.alerts(view))
    off = h.button(type='button', data_act='coach')[words('web.table.coach_off')]
    return h.p('.how.coach')[label, ' ', text, ' ', off] if text else None


def reading(table: TableView) -> h.Element:
    """In a lesson or an exercise: there is only something to read."""
    key = f'web.exercise.read.{table.exercise.kind}' if table.exercise else 'web.lesson.read'
    return h.section('#prompt.prompt')[h.div[h.p('.do')[words(key)]]]


def _asked(table: TableView, view: View, asks: Prompt) -> tuple[str, str]:
    """The sentence of the prompt, and the help under it ('': none)."""
    match = table.match
    if match.result:
        return result_words(table), ending_words(table, view)
    if match.frozen:
        return match.frozen, ''
    if table.seat in match.to_move and not match.may_act(table.seat):
        others = [table.name(seat) for seat in match.to_move if seat != table.seat]
        # with more players the page does not tell who has sealed already
        one = len(others) == 1
        text = words('web.table.sealed.one', name=others[0]) if one else words('web.table.sealed.more')
        return text, words('web.table.sealed.help')
    return asks.text, asks.help


def _signs(table: TableView) -> h.Node:
    """The signs of the seats that are to move, or that have won."""
    match = table.match
    seats = match.result.winners if match.result else match.to_move
    return [sign(table.colours[seat], 30) for seat in seats[:2]] or None
