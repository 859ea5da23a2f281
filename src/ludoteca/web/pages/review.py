"""The page of a review: the turning points, one turn on the board as its player knew it, with the better turn
and lines to play through; the expected outcome over the match, what luck was, and every turn with its
judgement. A player of the match sees only their own turns, until they ask for all."""

from __future__ import annotations

import bisect
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ludoteca.drawing.graphs import GraphMark, share_graph
from ludoteca.drawing.svg import joined, tag, use
from ludoteca.drawing.svg import words as svg_words
from ludoteca.game import GameError, Ghost, State, View
from ludoteca.match import LogRow
from ludoteca.puzzles import exercise_of_turn
from ludoteca.review import Judged, Review, Reviewed, seeds_of
from ludoteca.review.judging import SMALL
from ludoteca.review.lines import LineStep, line
from ludoteca.review.review import TURNING_POINTS
from ludoteca.search import as_known
from ludoteca.store import KeptReview
from ludoteca.text import capitalized, words
from ludoteca.text.numbers import with_minus
from ludoteca.web.html.layout import Markup, bar, button, h, icon, page, sign
from ludoteca.web.pages.sharing import share_dialog
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.table.log import row_text, turn_number
from ludoteca.web.table.model import TableView
from ludoteca.web.table.wording import advice, events_text, result_words

Line = Literal['board', 'better', 'played']
PIECE = re.compile(r'<[a-z]+(?: [^>]*)? class="(?:[^"]* )?piece[ "]')
"""The beginning of a drawing's first piece."""
LEAST = 0.005
"""Losses below it are not told."""
LUCK_SIZES = {
    'little': 0.0,
    'tenth': 0.1,
    'fifth': 0.2,
    'third': 1 / 3,
    'half': 0.5,
    'two_thirds': 2 / 3,
    'whole': 1.0,
    'more': 1.5,
}
"""What each size in words stands for, in wins. A figure becomes the nearest of them."""
ICONS = {'best': 'check', 'good': 'check', 'inaccuracy': 'info', 'mistake': 'warning'}


@dataclass(frozen=True)
class ReviewCursor:
    """What of a review is looked at: the number of a turn from 1, a line from its beginning, and how many of
    its actions are played. `everyone`: a player of the match sees the others' turns as well."""

    turn: int
    line: Line = 'board'
    step: int = 0
    everyone: bool = False

    def href(self) -> str:
        """The address of this view of the page."""
        more = '' if self.line == 'board' else f'&line={self.line}&step={self.step}'
        return f'?turn={self.turn}{more}{"&everyone=true" if self.everyone else ""}#turn'

    def at(self, turn: int) -> ReviewCursor:
        """Another turn, looked at in the same way."""
        return ReviewCursor(turn, everyone=self.everyone)


def turning_points(review: Review, seats: Collection[int]) -> list[int]:
    """The numbers of the turns with which these seats lost most, the worst first."""
    points = [number for seat in seats for number in review.turning_points[seat]]
    return sorted(points, key=lambda number: -review.turns[number - 1].judged.loss)[:TURNING_POINTS]


def usual_turn(review: Review, mine: Collection[int]) -> int:
    """The turn that is looked at first: the biggest turning point of the visitor, or of all players for a
    spectator. Without a turning point it is the first turn."""
    seats = mine or range(review.players)
    first = next((turn.number for turn in review.turns if turn.judged.seat in seats), 1)
    return next(iter(turning_points(review, seats)), first)


def review_page(
    visitor: Visitor,
    table: TableView,
    kept: KeptReview | None,
    review: Review | None,
    cursor: ReviewCursor,
    link: str = '',
) -> str:
    """The whole page. `link`: see `table_page`."""
    title = words('web.review.title', game=table.game.title)
    content = h.div('.wrap')[
        bar('play', visitor.name),
        h.main('.review')[
            h.header('.review-head')[
                h.h1[title],
                h.p[[sign(table.colours[seat], 20) for seat in _winners(table)], ' ', result_words(table)],
                button(words('web.share.title'), 'share', '', data_share='', hidden=True),
                h.a('.btn', href=f'/tables/{table.id}')[icon('prev', 18), words('web.review.back')],
            ],
            content_of(table, kept, review, cursor),
        ],
        share_dialog(table.id, link),
    ]
    return page(
        title,
        content,
        h.div('#speak.unseen', aria_live='polite'),
        classes='lobby review-page',
        script='review.js',
        style='review.css',
        theme=visitor.preferences.theme,
        symbols=table.game.symbols(),
    )


def _winners(table: TableView) -> tuple[int, ...]:
    return table.match.result.winners if table.match.result else ()


def content_of(
    table: TableView, kept: KeptReview | None, review: Review | None, cursor: ReviewCursor
) -> h.Element:
    """All below the title; the page's script puts a newer one in its place."""
    if review is None:
        return _unfinished(table, kept)
    if not cursor.turn:
        cursor = cursor.at(usual_turn(review, table.mine))
    rows = {row.number: row for row in table.match.log(table.seat, uncovered=True) if row.kind == 'turn'}
    return _content(table, 'done', cursor.turn)[
        _points(table, review, cursor, rows),
        turn_panel(table, review, cursor, rows),
        h.section('.card.course', aria_labelledby='course')[
            h.h2('#course')[words('web.review.course')],
            h.p('.unseen')[_course(table, review)],
            _graph(table, review, cursor),
            _legend(table),
        ],
        _luck(table, review),
        _turns(table, review, cursor, rows),
        h.p('.note')[
            words(
                'web.review.explained' if seeds_of(table.game) > 1 else 'web.review.explained.once',
                sims=f'{review.simulations:,}',
            )
        ],
    ]


def _content(table: TableView, status: str, turn: int) -> h.Element:
    """What holds the content. It says how far the review has come, and which turn is looked at."""
    last, number = str(table.match.turns), _number(table, turn)
    return h.div('#review', data_status=status, data_turn=str(turn), data_number=number, data_turns=last)


# ---- while it is made --------------------------------------------------------------------------------------


def _unfinished(table: TableView, kept: KeptReview | None) -> h.Element:
    status, done, turns = ('none', 0, table.match.turns)
    if kept:
        status, done, turns = kept.status, kept.judged, kept.turns
    action = f'/tables/{table.id}/review'
    label = words('web.review.progress', done=done, of=turns)
    return _content(table, status, table.match.turns)[
        h.section('.card.making')[
            h.h2[words(f'web.review.{status}')],
            h.p[words(f'web.review.{status}.text')],
            kept is not None
            and [
                h.progress(max=str(turns), value=str(done), aria_label=label),
                h.p('.count', role='status')[label],
            ],
            h.form(method='post', action=f'{action}/stop' if status == 'running' else action)[
                h.button('.btn' if status == 'running' else '.btn.main', type='submit')[
                    icon('pause' if status == 'running' else 'chart', 18),
                    words(f'web.review.{status}.do'),
                ]
            ],
        ]
    ]


def _switch(table: TableView) -> bool:
    """True if the visitor can choose between their own turns and all turns."""
    return 0 < len(table.mine) < len(table.labels)


def _seats(table: TableView, cursor: ReviewCursor) -> Collection[int]:
    """The seats whose turns are shown."""
    return table.mine if _switch(table) and not cursor.everyone else range(len(table.labels))


# ---- the whole match ---------------------------------------------------------------------------------------


def share(value: float) -> str:
    """A share of a win for people. What rounds to zero has no sign."""
    return with_minus(f'{100 * value:z.0f} %')


def _number(table: TableView, turn: int) -> str:
    """The number of a turn as the log of the match has it; 0 for what all choose in secret at once."""
    return turn_number(table.match, turn) or '0'


def _lost(turn: Reviewed) -> float:
    """What a turn lost, as the difference of the two shares that are told."""
    judged = turn.judged
    return max(0.0, round(judged.before[judged.seat], 2) - round(judged.after[judged.seat], 2))


def change(value: float) -> str:
    """How much a share of a win changed, for people. What rounds to zero has no sign."""
    percent = round(100 * value)
    return with_minus(f'{percent:+} %') if percent else '0 %'


def _course(table: TableView, review: Review) -> str:
    """The graph in words: for each seat the beginning, the middle and the end."""
    last = len(review.expected) - 1
    return ' '.join(
        words(
            'web.review.course.seat',
            name=table.name(seat),
            start=share(review.expected[0][seat]),
            middle=share(review.expected[last // 2][seat]),
            end=share(review.expected[last][seat]),
        )
        for seat in range(review.players)
    )


def _graph(table: TableView, review: Review, cursor: ReviewCursor) -> h.Element:
    marks = [
        GraphMark(
            number - 1,
            seat,
            cursor.at(number).href(),
            words(
                'web.review.point',
                number=_number(table, number),
                name=table.name(seat),
                loss=share(_lost(review.turns[number - 1])),
            ),
        )
        for seat in _seats(table, cursor)
        for number in sorted(review.turning_points[seat])
    ]
    changes = {turn.number: turn.luck for turn in review.turns if any(turn.luck)}
    drawn = share_graph(
        review.expected, table.colours, marks, changes, cursor.turn - 1, words('web.review.course')
    )
    return h.figure('.plot')[
        drawn,
        h.figcaption[
            h.span[words('web.review.axis', turns=table.match.finished())],
            bool(changes) and h.span[words('web.review.strip')],
        ],
    ]


def _legend(table: TableView) -> h.Element:
    return h.ul('.legend')[
        [h.li[sign(colour, 18), table.name(seat)] for seat, colour in enumerate(table.colours)]
    ]


def luck_words(luck: float, error: float) -> str:
    """How lucky a player was, in words. `luck` and its standard `error` are in wins."""
    size = min(LUCK_SIZES, key=lambda name: abs(LUCK_SIZES[name] - abs(luck)))
    if size == 'little' or abs(luck) < error:
        return words('web.review.luck.little' if size == 'little' else 'web.review.luck.unclear')
    kind = 'good' if luck > 0 else 'bad'
    return words(f'web.review.luck.{kind}', size=words(f'web.review.luck.size.{size}'))


def _luck(table: TableView, review: Review) -> h.Element:
    """How lucky each player was."""
    return h.section('.card.luck', aria_labelledby='luck')[
        h.h2('#luck')[words('web.review.luck')],
        h.p[words('web.review.luck.text' if any(review.luck) else 'web.review.luck.none')],
        any(review.luck)
        and h.ul[
            [
                h.li[
                    sign(table.colours[seat], 16),
                    h.b[table.name(seat)],
                    h.span[luck_words(review.luck[seat], review.errors[seat])],
                ]
                for seat in range(review.players)
            ]
        ],
    ]


def _points(table: TableView, review: Review, cursor: ReviewCursor, rows: Mapping[int, LogRow]) -> h.Element:
    """The turns that cost most, the worst first, and the switch between the visitor's turns and all."""
    seats = _seats(table, cursor)
    title = 'web.review.points.mine' if seats == table.mine else 'web.review.points'
    points = turning_points(review, seats)
    return h.section('.card.points', aria_labelledby='points')[
        h.header[
            h.h2('#points')[words(title)],
            _switch(table)
            and h.nav('.whose', aria_label=words('web.review.whose'))[
                [
                    h.a(
                        '.btn.s',
                        href=replace(cursor, everyone=everyone).href(),
                        aria_current='true' if everyone == cursor.everyone else None,
                    )[words(f'web.review.whose.{"all" if everyone else "mine"}')]
                    for everyone in (False, True)
                ]
            ],
        ],
        h.ol('.rows')[[_row(table, review, review.turns[number - 1], cursor, rows) for number in points]]
        if points
        else h.p[words('web.review.points.none')],
    ]


def _turns(table: TableView, review: Review, cursor: ReviewCursor, rows: Mapping[int, LogRow]) -> h.Element:
    seats = _seats(table, cursor)
    return h.section('.card.turns', aria_labelledby='turns')[
        h.h2('#turns')[words('web.review.turns')],
        h.ol('.rows')[
            [_row(table, review, turn, cursor, rows) for turn in review.turns if turn.judged.seat in seats]
        ],
    ]


def _row(
    table: TableView, review: Review, turn: Reviewed, cursor: ReviewCursor, rows: Mapping[int, LogRow]
) -> h.Element:
    judged, seat = turn.judged, turn.judged.seat
    point = turn.number in review.turning_points[seat]
    lucky = max(range(review.players), key=lambda one: turn.luck[one]) if any(turn.luck) else -1
    here = turn.number == cursor.turn
    return h.li(class_=f'{judged.judgement}{" point" if point else ""}{" here" if here else ""}')[
        h.a(href=cursor.at(turn.number).href(), aria_current='step' if here else None)[
            h.span('.no')[_number(table, turn.number)],
            sign(table.colours[seat], 15, table.name(seat)),
            h.span[_told(table, turn, rows)],
        ],
        h.p[
            _chip(judged.judgement, _lost(turn), judged.errors[seat]),
            lucky >= 0
            and turn.luck[lucky] >= LEAST
            and h.span('.luck-after')[
                sign(table.colours[lucky], 13, table.name(lucky)),
                words('web.review.turns.luck', change=change(turn.luck[lucky])),
            ],
        ],
    ]


def _chip(judgement: str, loss: float = 0.0, error: float = 0.0) -> h.Element:
    """The word for a turn, with what it lost where that is not less than it takes to be told. Where a turn is
    good although it seems to have lost much, the standard error says why."""
    lost = change(-loss) if loss >= LEAST else ''
    if judgement == 'good' and loss >= SMALL:
        lost = words('web.review.turns.unsure', loss=lost, error=f'{100 * error:.0f}')
    return h.span(f'.judged.{judgement}')[
        icon(ICONS[judgement], 15), words(f'review.{judgement}'), lost and h.b[lost]
    ]


def _told(table: TableView, turn: Reviewed, rows: Mapping[int, LogRow]) -> h.Node:
    """What a turn was, as the log tells it."""
    row = rows.get(turn.number)
    return row_text(table, row)[0] if row else ' '.join(turn.judged.names)


# ---- one turn ----------------------------------------------------------------------------------------------


def turn_panel(
    table: TableView, review: Review, cursor: ReviewCursor, rows: Mapping[int, LogRow]
) -> h.Element:
    """One turn: the board after it as its player knew it, or a line that is played through, with the better
    turn as a ghost at its beginning; what was better and why."""
    turn = review.turns[cursor.turn - 1]
    judged, seat = turn.judged, turn.judged.seat
    played = table.match.true_turns()[cursor.turn - 1]
    known = as_known(table.game, played.states[0], seat)
    steps = _line(table, known, turn, cursor)
    better, view = line(table.game, known, seat, judged.better), View(known, seat)
    ghosts = _ghosts(table, better) if cursor.line == 'better' and not cursor.step else ()
    if cursor.line == 'board':
        view = table.match.view(seat, at=cursor.turn)
    elif done := steps[: cursor.step]:
        view = View(done[-1].after, seat, last=done[-1].events)
    number, name = cursor.turn, table.name(seat)
    numbers = [one.number for one in review.turns if one.judged.seat in _seats(table, cursor)]
    return h.section('#turn.card.turn', tabindex='-1', aria_labelledby='turn-title')[
        h.header[
            _to(cursor, numbers, 'prev', words('web.review.before')),
            h.h2('#turn-title')[
                sign(table.colours[seat], 22),
                ' ',
                words('web.review.turn', number=_number(table, number), name=name),
                ' ',
                _chip(judged.judgement),
            ],
            _to(cursor, numbers, 'next', words('web.review.after')),
        ],
        h.div('.turn-board')[
            _drawing(table, view, ghosts),
            h.div('.turn-text')[
                h.p('.did')[_told(table, turn, rows)],
                h.p('.sizes')[_sizes(turn)],
                bool(judged.better)
                and [
                    h.p('.instead')[h.b[words('web.review.better')], ' ', _instead(table, judged, better)],
                    judged.why and h.ul('.why')[[h.li[sentence] for sentence in judged.why]],
                    _lines(turn, cursor, steps, table),
                    _find_better(table, review, turn),
                ],
                _analyse(table, turn),
                any(turn.luck) and h.p('.lucky')[_lucky(table, turn)],
                table.game.hidden
                and h.p('.note')[
                    words('web.review.knew' if cursor.line == 'board' else 'web.review.guessed', name=name)
                ],
            ],
        ],
    ]


def _to(cursor: ReviewCursor, numbers: Sequence[int], way: Literal['prev', 'next'], label: str) -> h.Element:
    """The link to the turn before or after, among the `numbers` of those that are shown."""
    k = bisect.bisect_left(numbers, cursor.turn) - 1 if way == 'prev' else bisect.bisect(numbers, cursor.turn)
    if not 0 <= k < len(numbers):
        return h.span('.ibtn', aria_hidden='true')
    there = cursor.at(numbers[k]).href()
    return h.a('.ibtn', href=there, aria_label=label, title=label, **{'data-go': way})[icon(way, 20)]


def _sizes(turn: Reviewed) -> str:
    judged = turn.judged
    if judged.judgement == 'best':
        return words('web.review.sizes.best', before=share(judged.before[judged.seat]))
    return words(
        'web.review.sizes',
        before=share(judged.before[judged.seat]),
        after=share(judged.after[judged.seat]),
        loss=share(_lost(turn)),
    )


def _lucky(table: TableView, turn: Reviewed) -> str:
    parts = [
        words('web.review.lucky.seat', name=table.name(seat), change=change(value))
        for seat, value in enumerate(turn.luck)
    ]
    return words('web.review.lucky', changes=', '.join(parts))


def _line(table: TableView, known: State, turn: Reviewed, cursor: ReviewCursor) -> list[LineStep]:
    judged = turn.judged
    names = {'better': judged.better_line, 'played': judged.played_line}.get(cursor.line, ())
    return line(table.game, known, judged.seat, names)


def _find_better(table: TableView, review: Review, turn: Reviewed) -> h.Node:
    """The button that makes an exercise of the turn, if it can be one."""
    try:
        exercise_of_turn(table.match, review, turn.number)
    except GameError:
        return None
    return h.form(method='post', action=f'/tables/{table.id}/review/turns/{turn.number}')[
        h.button('.btn', type='submit')[icon('hint', 18), words('web.review.find')]
    ]


def _analyse(table: TableView, turn: Reviewed) -> h.Element:
    """The way to a board for analysis that shows the position before a turn."""
    return h.form(method='post', action='/analysis', enctype='multipart/form-data')[
        h.input(type='hidden', name='table', value=table.id),
        h.input(type='hidden', name='turn', value=str(turn.number - 1)),
        h.input(type='hidden', name='everything', value='yes'),
        h.button('.btn', type='submit')[icon('chart', 18), words('web.analysis.open')],
    ]


def _lines(turn: Reviewed, cursor: ReviewCursor, steps: Sequence[LineStep], table: TableView) -> h.Element:
    """The ways to look at the turn, and the buttons of the line that is played through."""
    kinds: list[Line] = ['board', 'better', *(['played'] if turn.judged.refutation else [])]  # type: ignore[list-item]
    chosen = cursor.line
    text = ''
    if chosen != 'board' and 0 < cursor.step <= len(steps):
        step = steps[cursor.step - 1]
        text = events_text(table.game, step.events, table.names)
    return h.div('.lines')[
        h.nav('.ways', aria_label=words('web.review.ways'))[
            [
                h.a(
                    '.btn.s',
                    href=replace(cursor, line=kind, step=int(kind == 'played')).href(),
                    aria_current='true' if kind == chosen else None,
                )[words(f'web.review.way.{kind}')]
                for kind in kinds
            ]
        ],
        chosen != 'board'
        and h.div('.steps')[
            _step(cursor, cursor.step - 1, len(steps), 'left', words('web.review.step.back')),
            h.output[words('web.review.step.of', step=min(cursor.step, len(steps)), of=len(steps))],
            _step(cursor, cursor.step + 1, len(steps), 'right', words('web.review.step.on')),
            h.p(aria_live='polite')[text],
        ],
    ]


def _step(cursor: ReviewCursor, step: int, last: int, icon_name: str, label: str) -> h.Element:
    if not 0 <= step <= last:
        return h.span('.ibtn', aria_hidden='true')
    return h.a('.ibtn', href=replace(cursor, step=step).href(), aria_label=label, title=label, data_step='')[
        icon(icon_name, 20)
    ]


def _instead(table: TableView, judged: Judged, better: Sequence[LineStep]) -> h.Element:
    """The better turn in words, or in notation for readers who prefer it."""
    if table.preferences.log == 'notation':
        return h.code[' '.join(judged.better)]
    return h.span[f'{capitalized(advice(table.game, better, judged.seat, table.names))}.']


def _ghosts(table: TableView, better: Sequence[LineStep]) -> tuple[Ghost, ...]:
    """What the better turn would lay and move."""
    found = list[Ghost]()
    for step in better:
        targets = table.game.targets(step.before, step.action, table.colours)
        found += [target.ghost for target in targets if target.ghost]
    return tuple(dict.fromkeys(found))


def _drawing(table: TableView, view: View, ghosts: Sequence[Ghost]) -> h.Element:
    """The board, with ghosts over it."""
    shown = replace(view, names=table.names, colours=table.colours, settings=table.preferences.drawing)
    drawing, colour = table.game.draw(shown, 'page'), table.colours[view.seat]
    runs = joined(_run(ghost.path) for ghost in ghosts if ghost.path)
    piece = PIECE.search(drawing)
    if runs and piece:  # on the board, and under what stands there: also where the board is turned
        layer = tag('g', tag('g', runs, class_=f'seat-{colour}'), class_='underlay ghost')
        drawing, runs = f'{drawing[: piece.start()]}{layer}{drawing[piece.start() :]}', Markup('')
    over = runs + joined(_ghost(ghost) for ghost in ghosts)
    box = re.search(r'viewBox="([^"]+)"', drawing)
    classes = f'board ghost overlay seat-{colour}'
    return h.div('.drawn')[
        Markup(drawing),
        bool(over)
        and box is not None
        and tag('svg', over, class_=classes, viewBox=box[1], aria_hidden='true', focusable='false'),
    ]


def _run(path: str) -> Markup:
    """A way that a piece would go."""
    return joined(tag('path', d=path, class_=name) for name in ('ghost-path-case', 'ghost-path'))


def _ghost(ghost: Ghost) -> Markup:
    """A ghost as the page of a table draws it, but for its way."""
    parts = list[Markup]()
    if ghost.symbol:
        kind = 'ghost-runner' if ghost.path else 'ghost-symbol'
        parts.append(use(ghost.symbol.removeprefix('#'), ghost.transform, class_=kind))
    if ghost.glow:
        parts += [tag('path', d=ghost.glow, class_=name) for name in ('ghost-glow-case', 'ghost-glow')]
    if ghost.text:
        parts.append(svg_words(ghost.text, class_='ghost-text', transform=ghost.transform or None))
    return joined(parts)
