"""The pages of analysis: a person's boards, and one board."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludoteca.game import Game, load
from ludoteca.store import Analysis
from ludoteca.text import words
from ludoteca.web.html.layout import Markup, bar, button, h, icon
from ludoteca.web.offers.catalogue import all_games, title_of
from ludoteca.web.pages.controls import file_input, lobby_page
from ludoteca.web.pages.table import board_page
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.table.analysis import StudyView

SCRIPT_WORDS = (
    'thinking',
    'stopped',
    'expected',
    'simulations',
    'details',
    'add',
    'copied',
    'drawing',
    'delete_sure',
    'removed',
    'played',
)


@dataclass(frozen=True)
class Sent:
    """A form for a new board that was refused: the field that tells it from the others, what was written into
    it, and why there is no board."""

    form: str = ''
    given: Mapping[str, str] = field(default_factory=dict)
    problem: str = ''

    def value(self, form: str, name: str) -> str:
        """What was written into a field of a form."""
        return self.given.get(name, '') if form == self.form else ''

    def said(self, form: str) -> h.Node:
        """The sentence, in the form that was sent."""
        return form == self.form and h.p('.problem', role='alert')[self.problem]


NOTHING = Sent()


def index(visitor: Visitor, boards: Sequence[Analysis], sent: Sent = NOTHING) -> str:
    """A person's boards, and the ways to a new one. What was `sent` and refused is there to be mended."""
    title = words('web.analysis.boards')
    content = h.div('.wrap')[
        bar('analysis', visitor.name),
        h.main('.reading.analyses')[
            h.h1[title],
            h.p[words('web.analysis.intro')],
            h.section[
                h.h2[words('web.analysis.from_start')],
                h.div('.ways')[[_start_form(game, sent) for game in all_games()]],
            ],
            h.section[h.h2[words('web.analysis.from_link')], _link_form(sent)],
            h.section[h.h2[words('web.analysis.from_position')], _position_form(sent)],
            h.section[
                h.h2[words('web.analysis.yours')],
                h.ul('.boards')[[_board(one) for one in boards]]
                if boards
                else h.p[words('web.analysis.none')],
            ],
            h.section(id='films')[h.h2[words('web.analysis.films')], h.p[words('web.analysis.films_how')]],
        ],
    ]
    return lobby_page(visitor, title, content, style='rules.css')


def _start_form(game: Game, sent: Sent) -> h.Element:
    """The start of a game, with the number of players and its options."""
    mine = sent.value('game', 'game') == game.name
    chosen = sent.value('game', 'players') if mine else str(game.usual_players)
    return h.details('.lesson-card', open=mine)[
        h.summary[game.title],
        h.form('.stack', method='post', action='/analysis', enctype='multipart/form-data')[
            h.input(type='hidden', name='game', value=game.name),
            h.label('.field')[
                h.span[words('web.new.players')],
                h.select(name='players')[
                    [h.option(value=str(n), selected=str(n) == chosen)[str(n)] for n in game.players]
                ],
            ],
            h.label('.field')[
                h.span[words('web.analysis.options')],
                h.input(
                    type='text',
                    name='options',
                    value=sent.value('game', 'options') if mine else None,
                    autofocus=mine,
                    autocomplete='off',
                    spellcheck='false',
                    placeholder=' '.join(f'{name}={_said(value)}' for name, value in _defaults(game).items()),
                ),
            ],
            mine and sent.said('game'),
            h.button('.btn', type='submit')[icon('plus', 18), words('web.analysis.begin')],
        ],
    ]


def _defaults(game: Game) -> Mapping[str, Any]:
    return {
        name: value for name, value in vars(game.options()).items() if isinstance(value, bool | str | int)
    }


def _said(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _link_form(sent: Sent) -> h.Element:
    return h.form('.stack', method='post', action='/analysis', enctype='multipart/form-data')[
        sent.said('link'),
        h.label('.field')[
            h.span[words('web.analysis.link')],
            h.input(
                type='text',
                name='link',
                value=sent.value('link', 'link') or None,
                required=True,
                maxlength='400',
                autocomplete='off',
                autofocus=sent.form == 'link',
            ),
        ],
        h.div[h.button('.btn', type='submit')[icon('link', 18), words('web.analysis.begin')]],
    ]


def _position_form(sent: Sent) -> h.Element:
    return h.form('.stack', method='post', action='/analysis', enctype='multipart/form-data')[
        sent.said('data'),
        h.label('.field')[h.span[words('web.analysis.file')], file_input()],
        h.label('.field')[
            h.span[words('web.analysis.json')],
            h.textarea(
                name='data', rows='6', spellcheck='false', autocomplete='off', autofocus=sent.form == 'data'
            )[sent.value('data', 'data')],
        ],
        h.div[h.button('.btn', type='submit')[icon('open', 18), words('web.analysis.open_file')]],
    ]


def _board(one: Analysis) -> h.Element:
    day = datetime.datetime.fromtimestamp(one.updated, datetime.UTC)
    return h.li[
        h.a(href=f'/analysis/{one.id}')[one.title],
        ' ',
        h.span('.how')[
            words('web.analysis.facts', game=title_of(one.game), nodes=one.nodes, day=f'{day:%Y-%m-%d}')
        ],
    ]


def study_page(visitor: Visitor, study: StudyView, message: Mapping[str, Any]) -> str:
    """The page of a board."""
    parts = {name: Markup(text) for name, text in message['fragments'].items()}
    drawers: list[tuple[str, str, str, h.Node]] = [
        ('moves', 'log', words('web.analysis.lines'), parts['moves']),
        ('note', 'pencil', words('web.analysis.note'), h.div('.inside')[parts['note']]),
        ('engine', 'chart', words('web.analysis.engine'), h.div('.inside')[_engine(study)]),
        ('menu', 'menu', words('web.analysis.menu'), h.div('.inside')[parts['menu']]),
    ]
    texts = {f'study.{key}': words(f'web.analysis.{key}') for key in SCRIPT_WORDS}
    game = load(study.tree.root.game)
    data = {'table': study.id, 'secrets': False, 'api': f'/api/analyses/{study.id}', 'study': texts}
    return board_page(visitor, game, message, drawers, data, style='analysis.css')


def _engine(study: StudyView) -> h.Element:
    """What a search says."""
    if study.private:
        return h.div('#engine.stack')[h.p[words('web.analysis.error.private')]]
    return h.div('#engine.stack')[
        button(words('web.analysis.search'), 'search', 'main', data_study='search'),
        button(words('web.analysis.stop'), 'pause', '', data_study='stop', hidden=True),
        h.p('#engine-state.how', role='status'),
        h.div('#engine-bars', role='group', aria_label=words('web.analysis.expected')),
        h.ol('#engine-turns'),
        h.p('.how')[words('web.analysis.engine_help')],
    ]
