"""The buttons of the table page that apply now, and what they do."""

from __future__ import annotations

from typing import Any

from ludoteca.game import LAID, Button, Explanation, Game, Prompt, View
from ludoteca.match import PERSON
from ludoteca.store import BEST_OF
from ludoteca.text import words
from ludoteca.web.html.layout import button, h, icon
from ludoteca.web.table.model import TableView

BUTTONS = (
    'confirm',
    'seal',
    'lay',
    'undo',
    'put_back',
    'hint',
    'turn',
    'flip',
    'shuffle',
    'clear',
    'hand_over',
    'lobby',
    'rematch',
    'next_game',
    'best_of',
)
"""The buttons that are not the game's, as `explained` knows them; each may have `-off` after it."""


def explained(view: View, game: Game, element: str) -> Explanation | None:
    """What a button of the page does, by the name `act-<name>`, or `act-<name>-off` while it is disabled:
    then the explanation begins with why. The chapter is that of what is chosen now. None for anything
    else."""
    name = element.removeprefix('act-')
    off = name.endswith('-off')
    name = name.removesuffix('-off')
    key = f'web.about.{name}'
    if not element.startswith('act-') or name not in BUTTONS or (off and f'{key}.off' not in game.words):
        return None
    why = [words(f'{key}.off')] if off else []
    text = ' '.join([*why, words(f'{key}.text')])
    return Explanation(words(f'{key}.title'), text, game.prompt(view).chapter)


def rematch_buttons(table: TableView) -> list[h.Element]:
    """The way to the next match, or the buttons that ask for it; none for a visitor who has not played, and
    none while it is asked for."""
    request, people = table.match.request, [label for label in table.labels if label.kind == PERSON]
    if table.rematch:
        link = h.a('.btn.main', href=table.rematch, **{'data-about': 'act-rematch'})
        return [link[icon('again'), words('web.table.rematch_begun')]]
    if not table.mine or (request and request.waiting):
        return []
    if table.series_goes_on:
        return [_rematch_button(table, 'next_game', 1, 'main')]
    return [
        _rematch_button(table, 'rematch', 1, 'main'),
        *([_rematch_button(table, 'best_of', BEST_OF)] if len(people) > 1 else []),
    ]


def _rematch_button(table: TableView, name: str, best_of: int, classes: str = '') -> h.Element:
    act: dict[str, Any] = {'data_act': 'rematch', 'data_about': f'act-{name}'}
    send: dict[str, Any] = {'type': 'submit', 'name': 'best_of', 'value': best_of}
    return h.form(method='post', action=f'/tables/{table.id}/rematch')[
        button(words(f'web.table.{name}'), 'again', classes, **send, **act)
    ]


def retry_button(table: TableView, label: str, at: int | None = None) -> h.Element:
    """The button that goes back to the position after so many turns (None: to before the visitor's last one)
    and plays on from there. It asks first, until the match does not count any more."""
    asks = 'yes' if table.match.rated else 'no'
    refused = bool(table.match.may_retry(table.seat, at))
    return button(label, 'undo', '', data_act='retry', data_asks=asks, disabled=refused)


def play_on_button(table: TableView, at: int) -> h.Element:
    """The button that plays on against bots, at another table, from the position after so many turns."""
    return h.form(method='post', action='/analysis')[
        h.input(type='hidden', name='table', value=table.id),
        h.input(type='hidden', name='turn', value=str(at)),
        h.input(type='hidden', name='play_on', value='yes'),
        h.button('.btn', type='submit')[icon('robot', 18), words('web.table.play_on')],
    ]


def replaceable(table: TableView) -> list[int]:
    """The seats of people who have left, for a person who plays on without them. With two players nobody can
    be replaced."""
    match = table.match
    plays = any(match.seats[own].kind == PERSON for own in table.mine)
    if match.setup.players <= 2 or match.status != 'running' or table.scripted or not plays:
        return []
    return [
        seat
        for seat, label in enumerate(table.labels)
        if label.kind == 'person' and label.away and not label.mine
    ]


def replace_button(seat: int, label: str, classes: str = '') -> h.Element:
    """The button that asks the others to let a bot play a seat."""
    return button(label, 'robot', classes, data_act='replace', data_seat=str(seat))


def to_lobby() -> h.Element:
    """The way to another game, from one that is over."""
    return h.a('.btn', href='/', **{'data-about': 'act-lobby'})[words('web.table.result.lobby')]


def acts(table: TableView, view: View, asks: Prompt, lays: bool) -> h.Element:
    """The buttons under the prompt. `asks`: what the game asks for; `lays`: are things laid on points of the
    board?"""
    if table.match.result and table.analysis >= 0:
        return _acts(_draft_buttons(table, arranging=False, lays=False))
    if table.match.result:
        # the other buttons are on the card of the result
        return _acts(to_lobby())
    if table.handover:
        label = words('web.table.hand_over', name=table.handover)
        return _acts(button(label, 'people', 'main', data_act='handover', data_about='act-hand_over'))
    if not table.acts:
        return h.div('#acts.acts')
    arranging = table.match.arranging(table.seat)
    ends = next((one for one in asks.buttons if _ends_turn(table, view, one)), None)
    others = [_own_button(one) for one in asks.buttons if one is not ends]
    return _acts(
        [
            _turning_button('turn', words('web.table.turn_it')),
            _turning_button('flip', words('web.table.lay.flip')),
            None
            if arranging or table.exercise or table.analysis >= 0 or not table.hints
            else button(
                words('web.hint.next.1'), 'hint', 'quiet', fold=True, data_act='hint', data_about='act-hint'
            ),
            _draft_buttons(table, arranging and not table.scripted, lays),
            _follow_button(),
            _own_button(ends, stands_out=True) if ends else _confirm_button(table, lays),
        ],
        others,
    )


def _acts(own: h.Node, of_game: list[h.Element] | None = None) -> h.Element:
    """The buttons: those of the game, then the page's own, which keep their places from turn to turn."""
    return h.div('#acts.acts')[bool(of_game) and h.div('.game-acts')[of_game], h.div('.page-acts')[own]]


def _follow_button() -> h.Element:
    """The button that plays a hinted turn. While one is on show it takes the place of the last button."""
    label = words('web.hint.follow')
    return button(label, 'play', 'main', data_act='follow', hidden=True, data_about='act-hint')


def _draft_buttons(table: TableView, arranging: bool, lays: bool) -> list[h.Node]:
    """The buttons that change the draft."""
    # a begun draft can be taken back, and so can things that were laid in any order
    begun = bool(table.match.draft(table.seat)) or (arranging and bool(table.notes.get(LAID)))
    begun |= table.analysis > 0  # there whole turns can be taken back as well
    return [
        arranging
        and button(
            words('web.table.arrange.shuffle'), 'again', '', data_act='shuffle', data_about='act-shuffle'
        ),
        arranging
        and button(
            words('web.table.arrange.clear'),
            'trash',
            'quiet',
            fold=True,
            data_act='clear',
            data_about='act-clear',
            disabled=not begun,
        ),
        button(
            words('web.table.lay.put_back' if lays else 'web.table.undo'),
            'undo',
            '',
            fold=True,
            data_act='undo',
            data_draft='yes' if begun else 'no',
            data_about='act-put_back' if lays else 'act-undo',
            disabled=not begun,
        ),
    ]


def _turning_button(act: str, label: str) -> h.Element:
    """A button that turns what is held; the page shows it when something is held that can be turned."""
    return button(label, act, 'turn', data_act=act, hidden=True, data_about=f'act-{act}')


def _own_button(own: Button, stands_out: bool = False) -> h.Element:
    """A button of the game. One that proposes steps stands out, and the one that ends the turn."""
    return h.button(
        class_='btn main' if stands_out or own.steps else 'btn',
        type='button',
        **{'data-steps': ' '.join(own.steps), 'data-button': f'do:{own.id}'}
        if own.steps
        else {'data-target': f'do:{own.id}'},
        **{'data-key': own.key or None, 'data-about': f'do:{own.id}'},
    )[own.label, own.key == 'Enter' and h.kbd['⏎']]


def _ends_turn(table: TableView, view: View, own: Button) -> bool:
    """True if a button of the game does what Enter would do, or all that is left to do: it takes the place of
    Confirm."""
    targets = table.game.targets(view.state, view.actions[0]) if len(view.actions) == 1 else ()
    return own.key == 'Enter' or any(target.id == f'do:{own.id}' for target in targets)


def _confirm_button(table: TableView, lays: bool) -> h.Element:
    sealed = len(table.match.to_move) > 1
    label = words('web.table.seal' if sealed else 'web.table.lay.confirm' if lays else 'web.table.confirm')
    name = 'seal' if sealed else 'lay' if lays else 'confirm'
    return button(label, 'check', 'main', data_act='confirm', disabled=True, data_about=f'act-{name}')
