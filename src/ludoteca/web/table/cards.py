"""The cards of the table page: those of the game, the arrangements that a person keeps, a strong bot that
waits, a request, and how the match has ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludoteca.game import Card
from ludoteca.match import MatchResult, Request
from ludoteca.store import Favourite
from ludoteca.text import words
from ludoteca.web.html.layout import Markup, button, h, icon, sign
from ludoteca.web.html.rulebook import address_of
from ludoteca.web.table.buttons import rematch_buttons
from ludoteca.web.table.model import TableView
from ludoteca.web.table.wording import (
    end_words,
    level_word,
    next_words,
    notice_words,
    request_words,
    result_words,
    score_words,
)


def cards(table: TableView, found: Sequence[Card]) -> h.Element:
    """The cards; those that are trays stay in sight."""
    trays = [_card(table, card, '.info.tray') for card in found if card.tray]
    others = [_card(table, card, '.info') for card in found if not card.tray]
    return h.div('#cards')[
        h.div('.cards.trays')[trays] if trays else None, h.div('.cards')[_favourites(table), others]
    ]


def _card(table: TableView, card: Card, classes: str) -> h.Element:
    return h.section(f'#card-{card.id}{classes}', aria_label=card.title)[
        h.header[h.h2[card.title], card.note and h.span[card.note]],
        h.div('.cells')[map(Markup, card.cells)] if card.cells else None,
        Markup(card.drawing),
        card.footnote
        and h.p('.footnote')[h.a(href=address_of(table.game, card.chapter), target='_blank')[card.footnote]],
    ]


def _favourites(table: TableView) -> h.Element | None:
    """The arrangements that the visitor keeps for such a game. None at a shared screen: the others would see
    them."""
    match = table.match
    if table.shared or table.seat < 0 or not match.arranging(table.seat):
        return None
    rows = [_favourite(one, match.may_choose(table.seat)) for one in table.favourites]
    label = words('web.table.arrange.name')
    return h.section('#card-favourites.info', aria_label=words('web.table.arrange.title'))[
        h.header[
            h.h2[words('web.table.arrange.title')], not rows and h.span[words('web.table.arrange.none')]
        ],
        rows and h.ul('.favourites')[rows],
        h.form('#favourite-form.keep', method='dialog')[
            h.input(
                type='text',
                name='name',
                maxlength='40',
                autocomplete='off',
                aria_label=label,
                placeholder=label,
            ),
            h.button('.btn.s', type='submit')[words('web.table.arrange.keep')],
        ],
    ]


def _favourite(one: Favourite, usable: bool) -> h.Element:
    return h.li[
        h.button(
            '.btn.s', type='button', disabled=not usable, **{'data-act': 'arrange', 'data-favourite': one.id}
        )[one.name],
        h.button(
            '.ibtn',
            type='button',
            aria_label=words('web.table.arrange.forget', name=one.name),
            **{'data-act': 'forget', 'data-favourite': one.id},
        )[icon('close', 16)],
    ]


def status(table: TableView) -> h.Element:
    """The cards that apply now."""
    match = table.match
    # only who is asked for a rematch has a card over the board, which the others may want to look at
    calls = match.request if not match.result or any(map(match.is_asked, table.mine)) else None
    return h.div('#status')[
        _preparing_card(table.preparing) if table.preparing >= 0 else None,
        _request_card(table, calls) if calls else None,
        not match.request and any(match.may_come_back(own) for own in table.mine) and _replaced_card(),
    ]


def _preparing_card(progress: float) -> h.Element:
    """A strong bot waits until the rules are compiled."""
    return h.section('.table-card', role='status')[
        h.h2[h.span[words('web.ready.title')]],
        h.p[words('web.ready.text')],
        h.progress(max='1', value=f'{progress:.3f}', aria_label=words('web.ready.title')),
    ]


def _replaced_card() -> h.Element:
    """A bot plays for the visitor, who is back."""
    return h.section('.table-card', role='status')[
        h.h2[icon('robot', 24), h.span[words('web.table.menu.replaced')]],
        h.div('.dialog-acts')[button(words('web.table.menu.come_back'), 'person', 'main', data_act='back')],
    ]


def result(table: TableView) -> h.Element:
    """Beside the board: how the match has ended; nothing while it runs. It never lies over the board."""
    return h.div('#result')[_result_card(table, table.match.result) if table.match.result else None]


def _result_card(table: TableView, result: MatchResult) -> h.Element:
    match = table.match
    offer = match.request if match.request and match.request.waiting else None
    return h.section('.table-card.result', role='status')[
        h.h2[[sign(table.colours[seat], 26) for seat in result.winners], h.span[result_words(table)]],
        h.p[end_words(table, result)],
        not match.rated
        and h.p[words('web.table.result.imported' if match.setup.imported else 'web.table.result.unrated')],
        (score := score_words(table, over=True)) and h.p[score],
        table.mine and h.p('.next')[_next(table, offer)],
        h.div('.dialog-acts')[
            rematch_buttons(table),
            _answers(table, offer) if offer and offer.seat in table.mine else None,
            table.next_level and _try_next(table),
            button(words('web.replay.title'), 'play', '', data_act='play'),
            match.turns > 0 and _review(table),
        ],
    ]


def _next(table: TableView, offer: Request | None) -> str:
    """Who asks for a rematch and who has not answered, or who has declined it; else who would begin it."""
    if offer:
        return f'{request_words(table, offer)} {_waits(table, offer)}'
    for notice in table.match.notices[-1:]:
        if notice.kind == 'refuse' and notice.request and notice.request.kind == 'rematch':
            return notice_words(table, notice) or next_words(table)
    return next_words(table)


def _review(table: TableView) -> h.Element:
    """The button that has the match reviewed, and shows the review."""
    return h.form(method='post', action=f'/tables/{table.id}/review')[
        h.button('.btn', type='submit')[icon('chart', 18), words('web.review.open')]
    ]


def _try_next(table: TableView) -> h.Element:
    """The same once more against bots of the next level."""
    level = table.next_level
    return h.form(method='post', action='/tables')[
        h.input(type='hidden', name='again', value=table.id),
        h.input(type='hidden', name='level', value=level),
        h.button('.btn', type='submit')[
            icon('robot'), words('web.table.result.try', level=level_word(level).lower())
        ],
    ]


def _request_card(table: TableView, request: Request) -> h.Element:
    """A player asks the others for something."""
    text, waits = request_words(table, request), _waits(table, request)
    return h.section('.table-card.request', role='alertdialog', aria_label=text)[
        h.h2[sign(table.colours[request.seat], 24), h.span[text]],
        waits and h.p[waits],
        h.div('.dialog-acts')[_answers(table, request)],
    ]


def _waits(table: TableView, request: Request) -> str:
    """Whose answers a request waits for."""
    others = [table.name(seat) for seat in request.waiting if seat not in table.mine]
    waits = [words('web.table.request.yours')] if len(others) < len(request.waiting) else []
    if others:
        waits.append(words('web.table.request.waiting', names=', '.join(others)))
    return ' '.join(waits)


def _answers(table: TableView, request: Request) -> h.Element | None:
    """The buttons with which the visitor answers a request, or withdraws it."""
    answers = any(seat in request.waiting for seat in table.mine) or (
        request.kind == 'replace' and request.value in table.mine
    )
    if not answers and request.seat not in table.mine:
        return None
    refuse = words('web.table.request.no' if answers else 'web.table.request.withdraw')
    send: dict[str, Any] = {'type': 'submit', 'name': 'yes'}
    return h.form(method='post', action=f'/tables/{table.id}/answer')[
        button(refuse, value='no', data_act='no', **send),
        answers
        and button(words('web.table.request.yes'), 'check', 'main', value='yes', data_act='yes', **send),
    ]
