"""The cards beside the board: those of the game, and the arrangements that a person keeps."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.game import Card
from ludoteca.store import Favourite
from ludoteca.text import words
from ludoteca.web.html.layout import Markup, h, icon
from ludoteca.web.html.rulebook import address_of
from ludoteca.web.table.model import TableView


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
