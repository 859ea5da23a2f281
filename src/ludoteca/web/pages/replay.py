"""The replay on the table page: the button that plays, and the panel that says how."""

from __future__ import annotations

from ludoteca.game import Game
from ludoteca.text import words
from ludoteca.web.html.layout import h, icon
from ludoteca.web.pages.controls import radios

SPEEDS = ('0.5', '1', '2', '4')
USUAL_SPEED = '1'


def play_button() -> h.Element:
    """Plays the match from the position on show, and pauses."""
    play = words('web.replay.play')
    data = {'data-act': 'play', 'data-play': play, 'data-pause': words('web.replay.pause')}
    return h.button('.ibtn.play', type='button', aria_label=play, title=play, **data)[
        icon('play', 18), icon('pause', 18)
    ]


def more_button() -> h.Element:
    """Opens the panel."""
    more = words('web.replay.more')
    data = {'data-act': 'replay-more'}
    return h.button(
        '.ibtn',
        type='button',
        aria_label=more,
        title=more,
        aria_expanded='false',
        aria_controls='replay',
        **data,
    )[icon('more', 18)]


def replay_panel(game: Game) -> h.Element:
    """The panel: which turn, how quick, through whose eyes. The page fills in what depends on the
    position."""
    close, title = words('web.table.close'), words('web.replay.title')
    return h.section('#replay.replay', hidden=True, role='dialog', aria_label=title)[
        h.header[
            h.h3[title],
            h.button('.ibtn', type='button', aria_label=close, **{'data-act': 'replay-more'})[
                icon('close', 16)
            ],
        ],
        h.label('.slide')[
            h.span[words('web.replay.turn')],
            h.output,
            # the label is taken for that of the output before it
            h.input(
                type='range', name='turn', min='0', max='0', value='0', aria_label=words('web.replay.turn')
            ),
        ],
        h.fieldset('.field')[
            h.legend[words('web.replay.speed')],
            radios('speed', [(one, f'{one.replace("0.5", "½")}×') for one in SPEEDS], USUAL_SPEED),
        ],
        h.label('.switch')[
            h.span[words('web.replay.passes')], h.input(type='checkbox', role='switch', name='passes')
        ],
        game.hidden
        and h.label('.field.eyes', hidden=True)[
            h.span[words('web.replay.eyes')],
            h.select(
                name='eyes',
                **{'data-seat': words('web.replay.eyes.seat'), 'data-watch': words('web.replay.eyes.watch')},
            )[h.option(value='')[words('web.replay.eyes.all')]],
        ],
    ]
