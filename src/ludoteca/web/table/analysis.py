"""The parts of a page with a board for analysis: those of the table page; the tree, the notes, the menu."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ludoteca.analysis import AnalysisBoard, AnalysisNode, AnalysisTree, board_at, root_state
from ludoteca.analysis.board import after_turn, studied_game
from ludoteca.analysis.tree import COMMENT_LENGTH, NAME_LENGTH
from ludoteca.game import SPECTATOR, Game, State, View, load
from ludoteca.review.lines import line
from ludoteca.search import offered
from ludoteca.text import capitalized, words
from ludoteca.web.html.layout import button, h, icon, sign
from ludoteca.web.people.preferences import Preferences
from ludoteca.web.table.choices import choice_table
from ludoteca.web.table.messages import as_text, fragments, table_message
from ludoteca.web.table.model import Notes, SeatLabel, TableView, seat_view
from ludoteca.web.table.wording import (
    advice,
    did_text,
    ending_words,
    events_text,
    level_word,
    result_words,
)

DEEPEST = 4
"""Lines within lines are moved in so often, and no further."""
TURNS_KEPT = 20_000
"""The turns of so many nodes are remembered in words."""
GUESSED = '?'
ELEMENT_ID = re.compile(r' id="([\w.:+-]+)"', re.ASCII)


@dataclass(frozen=True)
class StudyView:
    """A board for analysis as one visitor sees it."""

    id: str
    title: str
    board: AnalysisBoard
    mine: bool
    shared: bool
    private: bool  # does the match still run from which the board was made?
    seat: int  # the visitor's own in that match; -1: none
    open: bool  # is the whole position shown?
    preferences: Preferences
    link: str  # the address for others

    @property
    def tree(self) -> AnalysisTree:
        """The tree that the board belongs to."""
        return self.board.tree

    @property
    def node(self) -> AnalysisNode:
        """Where the board stands."""
        return self.tree.node(self.board.at)

    @property
    def table(self) -> TableView:
        """The board as a table page shows one. The visitor looks through the eyes of the seat to move."""
        board = self.board
        labels = tuple(SeatLabel('', 'analyst', colour=colour) for colour in board.match.colours)
        return TableView(
            self.id,
            board.match,
            board.seat,
            (),
            labels,
            self.preferences,
            notes=guessed_things(self.tree, self.open),
            analysis=board.at,
        )


def guessed_things(tree: AnalysisTree, open_: bool) -> Notes:
    """The elements of the drawing that show something guessed, each with a question mark."""
    root = tree.root
    if root.knows is None or root.knows < 0 or not open_ or root.position is None:
        return {}
    return dict.fromkeys(_unknown_things(root.game, root.knows, json.dumps(root.position)), (GUESSED,))


@lru_cache(maxsize=256)
def _unknown_things(name: str, knows: int, position_text: str) -> tuple[str, ...]:
    """The elements of a drawing that a seat does not know: those on which it can pencil what they may be."""
    game = load(name)
    if game.parts.pencils is None:
        return ()
    state = game.from_json(json.loads(position_text))
    game.kernels.hide(state, knows)
    view = View(state, knows, ())
    drawn = dict.fromkeys(ELEMENT_ID.findall(game.draw(view)))
    return tuple(one for one in drawn if game.pencils(view, one))


def study_message(study: StudyView, came_from: int | None, serial: int) -> dict[str, Any]:
    """All that a page needs to show the board. `came_from`: the node that it shows; what happened since is
    played if this one follows it. `serial`: goes up from answer to answer."""
    table, board = study.table, study.board
    match, node = table.match, study.node
    parts = fragments(table)
    for gone in ('chat', 'recap'):
        parts.pop(gone)
    view, told = seat_view(table), told_turns(study)
    parts |= as_text(
        {
            'moves': lines(study, told),
            'happened': h.section('#happened.happened')[h.p[state_words(study)]],
            'note': note(study, view, told[board.at]),
            'menu': menu(study),
            'result': h.div('#result')[_result(table, view) if match.result else None],
        }
    )
    acts = study.mine and board.seat >= 0
    if not study.mine:
        parts['acts'] = as_text({'acts': h.div('#acts.acts')})['acts']
    follows = came_from is not None and node.parent == came_from and not match.draft(max(board.seat, 0))
    rows = match.log(node.seat, match.turns - 1) if node.parent >= 0 else ()
    events = tuple(event for row in rows for event in row.events) if follows else ()
    children = study.tree.children(board.at)
    drafted = match.drafted(board.seat) if board.seat >= 0 else ()
    return table_message(
        parts,
        words('web.analysis.page', title=study.title),
        version=serial,
        serial=serial,
        seat=board.seat,
        colour=table.colours[board.seat] if board.seat >= 0 else '',
        colours=list(table.colours),
        choices=choice_table(match, board.seat) if acts else None,
        events=[event.json() for event in events],
        draft=[event.json() for event in drafted if event.flights],
        speak=events_text(table.game, events, table.names),
        turns=board.at,
        finished=match.finished(),
        mine=acts,
        ready=True,
        over=match.result is not None,
        names=list(table.names),
        study={
            'at': board.at,
            'draft': list(match.draft(board.seat)) if board.seat >= 0 else [],
            'open': study.open,
            'parent': node.parent,
            'next': children[0].id if children else None,
            'guessed': list(table.notes),
            'marks': [mark.json() for mark in node.marks],
            'searches': not study.private and board.seat >= 0,
        },
    )


def state_words(study: StudyView) -> str:
    """What the visitor must know of the board, under the prompt: who sees it, and what of it is guessed."""
    found = []
    if study.private:
        found.append(words('web.analysis.private'))
    knows = study.tree.root.knows
    if knows is not None:
        who = words('web.analysis.everybody') if knows < 0 else study.table.name(knows)
        found.append(words('web.analysis.guessed', name=who))
    if not study.mine:
        found.append(words('web.analysis.read_only'))
    return ' '.join(found)


def _result(table: TableView, view: View) -> h.Element:
    winners = table.match.result.winners if table.match.result else ()
    return h.section('.table-card.result', role='status')[
        h.h2[[sign(table.colours[seat], 26) for seat in winners], h.span[result_words(table)]],
        h.p[ending_words(table, view)],
    ]


# ---- the tree ----------------------------------------------------------------------------------------------


def lines(study: StudyView, told: Mapping[int, str]) -> h.Element:
    """The tree as a list of turns: the main line, and behind each of its turns the variations to it, moved
    in. `told`: see `told_turns`."""
    label = words('web.analysis.lines')
    return h.section('#moves.card.tree', aria_label=label)[
        h.header[
            h.h2[label],
            [
                h.button('.ibtn', type='button', tabindex='-1', aria_label=words(key), data_act=act)[
                    icon(act, 18)
                ]
                for act, key in (
                    ('first', 'web.table.first'),
                    ('prev', 'web.table.back'),
                    ('next', 'web.table.forward'),
                )
            ],
        ],
        h.ol('.log', tabindex='-1')[
            _row(study, study.tree.node(0), words('web.analysis.root'), 0),
            [_row(study, node, told[node.id], depth) for node, depth in study.tree.walk()],
        ],
    ]


def told_turns(study: StudyView) -> dict[int, str]:
    """By node the turn that leads to it as the log tells it, or in notation if the visitor prefers that. All
    sides are the analyst's: nothing is hidden."""
    nodes, root = study.tree.nodes.values(), study.tree.root
    told = {node.id: node.turn for node in nodes}
    if study.preferences.log == 'notation':
        return told
    places, states = {0: hash(repr(root))}, dict[int, State]()
    for node in nodes:  # a parent comes before its children
        if node.parent < 0:
            continue
        place = places[node.id] = hash((places[node.parent], node.turn))
        text = _kept.get(place)
        if text is None:
            if len(_kept) >= TURNS_KEPT:
                _kept.clear()
            text = _kept[place] = _told_turn(study, _state_at(study.tree, node.parent, states), node)
        told[node.id] = text
    return told


_kept: dict[int, str] = {}
"""By a hash of the root and of the turns up to a node what `told_turns` answers for it."""


def _told_turn(study: StudyView, before: State, node: AnalysisNode) -> str:
    game, names = studied_game(study.tree.root.game, True), study.table.names
    events = [event for step in line(game, before, node.seat, [node.turn]) for event in step.events]
    did = did_text(game, events, names, node.seat)
    return f'{capitalized(did)}.' if did else events_text(game, events, names)


def _state_at(tree: AnalysisTree, number: int, states: dict[int, State]) -> State:
    """The whole position at a node. `states` are those that are known."""
    if not states:
        states[0] = root_state(tree.root)
    path = [node for node in tree.path(number) if node.id not in states]
    for node in path:
        states[node.id] = after_turn(load(tree.root.game), states[node.parent], node.turn)
    return states[number]


def _row(study: StudyView, node: AnalysisNode, name: str, depth: int) -> h.Element:
    here = node.id == study.board.at
    colours = study.board.match.colours
    classes = f'deep-{min(depth, DEEPEST)}{" cur" if here else ""}'
    return h.li(class_=classes)[
        h.button(
            type='button',
            tabindex='0' if here else '-1',
            aria_current='step' if here else None,
            **{'data-at': str(node.id)},
        )[
            sign(colours[node.seat], 15) if 0 <= node.seat < len(colours) else None,
            h.span('.mv')[
                node.name and h.b('.called')[node.name, ' '],
                name,
                node.comment and h.span('.also')[f' {node.comment}'],
                depth > 0 and h.span('.unseen')[f' {words("web.analysis.variation")}'],
            ],
        ]
    ]


# ---- what is said of a position ----------------------------------------------------------------------------


def note(study: StudyView, view: View, turn: str) -> h.Element:
    """Name, comment and marks of the position, to be changed by its owner. `turn`: the one that led to it."""
    node = study.node
    if not study.mine:
        return h.div('#note.stack')[
            h.h3[node.name or turn or words('web.analysis.root')],
            [h.p('.comment')[line] for line in node.comment.split('\n') if line]
            or h.p('.how')[words('web.analysis.no_comment')],
            _marks(study, view),
        ]
    return h.div('#note.stack')[
        h.form('#note-form.stack', method='dialog', data_node=str(node.id))[
            h.label('.field')[
                h.span[words('web.analysis.name')],
                h.input(
                    type='text', name='name', value=node.name, maxlength=str(NAME_LENGTH), autocomplete='off'
                ),
            ],
            h.label('.field')[
                h.span[words('web.analysis.comment')],
                h.textarea(name='comment', rows='4', maxlength=str(COMMENT_LENGTH))[node.comment],
            ],
            h.button('.btn', type='submit')[icon('check', 18), words('web.analysis.keep')],
        ],
        h.h3[words('web.analysis.marks')],
        button(words('web.analysis.draw'), 'pencil', '', data_study='draw', aria_pressed='false'),
        h.p('.how')[words('web.analysis.draw_help')],
        _marks(study, view),
        _mark_form(view, study.board.match.game),
        node.parent >= 0
        and h.div('.stack')[
            h.hr,
            button(words('web.analysis.main_line'), 'up', '', data_study='first'),
            button(words('web.analysis.remove'), 'trash', 'danger', data_study='remove'),
        ],
    ]


def _marks(study: StudyView, view: View) -> h.Node:
    marks = study.node.marks
    names = element_names(study.board.match.game, view)
    if not marks:
        return None
    return h.ul('.marks')[
        [
            h.li[
                h.span[
                    words(
                        f'web.analysis.mark.{mark.kind}',
                        at=names.get(mark.at, mark.at),
                        to=names.get(mark.to, mark.to),
                    )
                ],
                study.mine
                and h.button(
                    '.ibtn',
                    type='button',
                    aria_label=words('web.analysis.rub', number=number),
                    **{'data-study': 'rub', 'data-mark': str(number - 1)},
                )[icon('close', 16)],
            ]
            for number, mark in enumerate(marks, 1)
        ]
    ]


def _mark_form(view: View, game: Game) -> h.Node:
    """Rings and arrows for those who do not draw them: from one place of the board, and to another one."""
    names = element_names(game, view)
    if not names:
        return None
    options = [h.option(value=element)[name] for element, name in names.items()]
    return h.details[
        h.summary[words('web.analysis.by_name')],
        h.form('#mark-form.stack', method='dialog')[
            h.label('.field')[h.span[words('web.analysis.mark.at')], h.select(name='at')[options]],
            h.label('.field')[
                h.span[words('web.analysis.mark.to')],
                h.select(name='to')[h.option(value='')[words('web.analysis.mark.none')], options],
            ],
            h.button('.btn', type='submit')[icon('plus', 18), words('web.analysis.mark.add')],
        ],
    ]


def element_names(game: Game, view: View) -> dict[str, str]:
    """The elements of the drawing that have a place in the board as a list, with their names."""
    found: dict[str, str] = {}
    for group in game.places(view):
        for place in group.places:
            elements = (one.removeprefix('el:') for one in place.targets if one.startswith('el:'))
            element = next(elements, '')
            if element and place.name:
                found.setdefault(element, place.name)
    return found


# ---- the menu ----------------------------------------------------------------------------------------------


def menu(study: StudyView) -> h.Element:
    """What concerns the board as a whole."""
    path = f'/api/analyses/{study.id}'
    return h.div('#menu.stack')[
        button(
            words('web.places.title'),
            'log',
            '',
            data_act='places',
            aria_pressed=str(study.preferences.places).lower(),
        ),
        study.tree.root.knows is not None
        and button(
            words('web.analysis.show_guessed'),
            'eye',
            '',
            data_study='open',
            aria_pressed=str(study.open).lower(),
        ),
        study.mine and study.private and study.seat >= 0 and _play_first(study),
        not study.private and study.board.seat >= 0 and _play_on(study),
        study.mine and not study.private and _sharing(study),
        not study.mine and button(words('web.analysis.copy'), 'copy', 'main', data_study='copy'),
        study.mine and _rename(study),
        h.a('.btn', href=f'{path}?download=true', download=True)[icon('save'), words('web.analysis.save')],
        study.mine and button(words('web.analysis.delete'), 'trash', 'danger', data_study='delete'),
        h.a('.btn', href=f'/games/{study.tree.root.game}/rules', target='_blank')[
            icon('rules'), words('web.table.rules')
        ],
        h.a('.btn', href='/analysis')[icon('home'), words('web.analysis.all')],
    ]


def _play_first(study: StudyView) -> h.Element:
    """The first own turn of the line, to be played in the match."""
    found = first_own_turn(study.tree, study.board.at, study.seat)
    if found is None:
        return button(words('web.analysis.play_none'), 'play', 'main', data_study='play', disabled=True)
    node = found[1]
    before = board_at(study.tree, node.parent)
    label = words('web.analysis.play', turn=_turn_words(study, before, node.turn))
    return button(label, 'play', 'main', data_study='play')


def _turn_words(study: StudyView, board: AnalysisBoard, turn: str) -> str:
    """A turn as advice to the seat to move, or in notation if the visitor prefers that."""
    if study.preferences.log == 'notation':
        return turn
    game = board.match.game
    return advice(game, line(game, board.state, board.seat, [turn]), board.seat, study.table.names)


def first_own_turn(tree: AnalysisTree, at: int, seat: int) -> tuple[int, AnalysisNode] | None:
    """The first turn of a seat on the way to a node: how many turns come before it, and where it leads."""
    found = ((number, node) for number, node in enumerate(tree.path(at)) if node.seat == seat)
    return next(found, None)


def _play_on(study: StudyView) -> h.Element:
    colours = study.board.match.colours
    return h.form('#play-on.stack', method='dialog')[
        h.h3[words('web.analysis.play_on')],
        h.label('.field')[
            h.span[words('web.analysis.play_on.seat')],
            h.select(name='seat')[
                [
                    h.option(value=str(seat), selected=seat == study.board.seat)[words(f'colour.{colour}')]
                    for seat, colour in enumerate(colours)
                ]
            ],
        ],
        h.label('.field')[
            h.span[words('web.analysis.play_on.level')],
            h.select(name='level')[
                [
                    h.option(value=level, selected=level == 'medium')[level_word(level)]
                    for level in offered(study.board.match.game, len(colours))
                ]
            ],
        ],
        h.button('.btn', type='submit')[icon('robot'), words('web.analysis.play_on.begin')],
    ]


def _sharing(study: StudyView) -> h.Element:
    label = words('web.analysis.share.off' if study.shared else 'web.analysis.share.on')
    return h.div('.stack')[
        button(label, 'share', '', data_study='unshare' if study.shared else 'share'),
        study.shared
        and h.label('.field')[
            h.span[words('web.analysis.share.link')],
            h.input('#study-link', type='text', readonly=True, value=study.link),
        ],
    ]


def _rename(study: StudyView) -> h.Element:
    return h.form('#title-form.stack', method='dialog')[
        h.label('.field')[
            h.span[words('web.analysis.title')],
            h.input(
                type='text',
                name='title',
                value=study.title,
                maxlength=str(NAME_LENGTH),
                required=True,
                autocomplete='off',
            ),
        ],
        h.button('.btn', type='submit')[icon('check', 18), words('web.analysis.rename')],
    ]


def board_json(study: StudyView) -> Mapping[str, Any]:
    """The position for programs."""
    board, table = study.board, study.table
    view = seat_view(table)
    return {
        'at': board.at,
        'parent': study.node.parent,
        'children': [node.id for node in study.tree.children(board.at)],
        'seat': board.seat,
        'draft': list(board.match.draft(board.seat)) if board.seat >= 0 else [],
        'legal': list(board.match.names(board.seat)) if board.seat >= 0 and study.mine else [],
        'position': board.match.game.to_json(view.state),
        'prompt': board.match.game.prompt(view).text,
        'over': board.seat == SPECTATOR,
    }
