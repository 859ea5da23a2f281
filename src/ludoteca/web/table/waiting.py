"""The table page while there is no match: who is there, colours to choose, links to give away."""

from __future__ import annotations

from functools import lru_cache

import segno

from ludoteca.game import COLOURS
from ludoteca.text import words
from ludoteca.web.html.layout import Markup, button, h, hollow, sign
from ludoteca.web.table.buttons import to_lobby
from ludoteca.web.table.drawers import chat_lines, lobby_link
from ludoteca.web.table.messages import as_text
from ludoteca.web.table.model import SeatLabel, WaitingTable
from ludoteca.web.table.wording import player_words, terms_words


def waiting_fragments(table: WaitingTable) -> dict[str, str]:
    """All fragments of the page."""
    title, note = words('web.table.invites.waiting'), words('web.table.invites.begins')
    if table.closed:
        title, note = table.closed, ''
    elif table.listed and table.inviter and not table.seated and not table.host:
        title = words('web.join.title', name=table.inviter, game=table.game.title)
    terms = terms_words(table.game, len(table.labels), table.options, table.hints)
    players = [_player(table, seat, label) for seat, label in enumerate(table.labels)]
    parts: dict[str, h.Element] = {
        'heading': h.div('#heading')[h.div[h.h1[table.game.title], h.span[terms]]],
        'prompt': h.section('#prompt.prompt')[h.div[h.p('.do')[title], note and h.p('.how')[note]]],
        'acts': h.div('#acts.acts')[to_lobby() if table.closed else None],
        'cards': h.div('#cards'),
        'drawing': h.div('#drawing.picture')[h.img(src=table.picture, alt='')],
        'players': h.ul('#players.players', aria_label=words('web.table.players'))[players],
        'moves': h.section('#moves.card', aria_label=words('web.table.moves'))[
            h.header[h.h2[words('web.table.moves')]], h.ol('.log')
        ],
        'status': h.div('#status')[_card(table)],
        'result': h.div('#result'),
        'recap': h.section('#recap.recap', hidden=True),
        'happened': h.section('#happened.happened', hidden=True),
        'chat': chat_lines(table.chat, table.colours),
        'menu': h.div('#menu.stack')[lobby_link()],
    }
    return as_text(parts)


def _player(table: WaitingTable, seat: int, label: SeatLabel) -> h.Element:
    """A seat. A colour that may still change is hollow: until all seats are taken, one that nobody chose."""
    colour, is_open = table.colours[seat], label.kind == 'open'
    certain = label.colour or all(other.kind != 'open' for other in table.labels)
    return h.li(class_=f'pl{" open" if is_open else f" seat-{colour}"}')[
        h.div('.strip')[
            h.span('.big')[sign(colour, 26) if certain else hollow(colour, 26)],
            h.strong[label.name or words('web.table.open_seat')],
            not is_open and h.span('.kind')[player_words(label)],
        ],
    ]


def _card(table: WaitingTable) -> h.Element | None:
    """What the visitor can do: the host invites, people with a seat wait, others join a table that is
    listed."""
    if table.closed:
        return None
    if table.host:
        return _host_card(table)
    leave = button(words('web.table.invites.leave'), '', '', data_act='leave')
    if table.seated:
        return _waiting_card(_colour_choice(table), h.div('.dialog-acts')[leave])
    if table.listed:
        return _waiting_card(
            h.form('.dialog-acts', method='post', action=f'/tables/{table.id}/join')[
                h.button('.btn.main', type='submit')[words('web.lobby.join')]
            ]
        )
    return None


def _waiting_card(*content: h.Node) -> h.Element:
    return h.section('.table-card')[h.h2[h.span[words('web.table.invites.waiting')]], content]


def _host_card(table: WaitingTable) -> h.Element:
    """The link that seats a whole group, also as a QR code."""
    return h.section('.table-card', aria_label=words('web.table.invite'))[
        h.h2[h.span[words('web.table.invites.title')]],
        h.p[words('web.table.invites.public' if table.listed else 'web.table.invites.text')],
        h.div('.invites')[
            h.input(
                '#link', type='text', readonly=True, value=table.link, aria_label=words('web.table.invite')
            ),
            button(words('web.table.invites.copy'), 'copy', 's', data_act='copy', data_from='link'),
            h.div('.qr', role='img', aria_label=words('web.table.invites.qr'))[_qr(table.link)],
        ]
        if table.link
        else None,
        _colour_choice(table),
        h.div('.dialog-acts')[
            button(words('web.table.invites.bots'), 'robot', '', data_act='fill'),
            button(words('web.table.invites.close'), 'trash', '', data_act='close'),
        ],
    ]


@lru_cache(maxsize=64)
def _qr(address: str) -> Markup:
    """An address as a QR code, dark on light in both themes, as cameras want it."""
    return Markup(segno.make(address, error='m').svg_inline(border=2, omitsize=True, light='#fff'))


def _colour_choice(table: WaitingTable) -> h.Element | None:
    """For a visitor with one seat: the colours that there are, and those that are taken."""
    mine = [label for label in table.labels if label.mine]
    if len(mine) != 1 or table.closed:
        return None
    own, taken = mine[0].colour, {label.colour for label in table.labels if not label.mine}
    label = words('web.table.invites.colour')
    return h.div('.colours', role='group', aria_label=label)[
        h.span[label],
        [
            h.button(
                class_=f'ibtn seat-{colour}',
                type='button',
                disabled=colour in taken,
                title=words(f'colour.{colour}'),
                # pressed once more, the button gives the colour back
                **{'data-act': 'colour', 'data-colour': '' if colour == own else colour},
                aria_pressed='true' if colour == own else 'false',
            )[(hollow if colour in taken else sign)(colour, 22, words(f'colour.{colour}'))]
            for colour in COLOURS
        ],
    ]
