"""The lobby and invitations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import quote

from ludoteca.game import COLOURS, Game, load
from ludoteca.lessons import lessons
from ludoteca.match import BOT
from ludoteca.puzzles import puzzles
from ludoteca.search import offered
from ludoteca.store import OPEN, SeatInfo, Table
from ludoteca.text import isolated, words
from ludoteca.text.players import listed
from ludoteca.web.html.layout import bar, components_of, footer, h, hollow, icon, page, sign
from ludoteca.web.live.guide import Learnt
from ludoteca.web.offers.catalogue import USUAL_LEVEL, all_games
from ludoteca.web.pages.controls import (
    facts,
    file_input,
    lobby_page,
    of_game,
    radios,
    table_form,
    tagline,
)
from ludoteca.web.pages.new_table import Sets, dialog, no_sets
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.table.wording import level_word, terms_words

FEW = 2  # so many games are shown as large cards
SHOWN = 6  # tables in a list
LONG = 14  # letters of a word for which a card's title is set smaller


@dataclass(frozen=True)
class Shown:
    """What the lobby shows to a visitor: the visitor's tables, those that wait first; the tables that anybody
    may join; those of others that anybody may watch; and how far the visitor has come in lessons."""

    mine: Sequence[Table] = ()
    open: Sequence[Table] = ()
    watched: Sequence[Table] = ()
    learnt: Learnt = field(default_factory=Learnt)

    def running(self) -> list[Table]:
        """The visitor's tables at which something can still happen. A lesson that has come to its end is not
        among them."""
        going = (table for table in self.mine if _goes_on(table))
        return [table for table in going if not self.learnt.has_ended(table)]

    def over(self) -> list[Table]:
        """The visitor's other tables."""
        return [table for table in self.mine if not _goes_on(table)]


def _goes_on(table: Table) -> bool:
    return table.status in ('open', 'running') or table.is_rematch_asked


def lobby(visitor: Visitor, shown: Shown, sets: Sets = no_sets) -> str:
    """The first page. `sets`: the component sets that are offered for a game."""
    games = all_games()
    last = _last_played(visitor, shown.mine)
    waiting = count_waiting(visitor, shown.mine)
    line = words('web.lobby.line.one') if len(games) < 2 else words('web.lobby.line.many', n=len(games))
    content = h.div('.wrap')[
        bar('play', visitor.name, visitor.preferences.colour or COLOURS[0]),
        h.main[
            h.div('.head')[h.h1[words('web.lobby.title')], h.p[line]],
            _first_steps(games, shown),
            _running(visitor, shown),
            h.ul(class_='games few' if len(games) <= FEW else 'games')[
                [
                    _card(game, _again(visitor, last.get(game.name)), _learn(game, shown.learnt))
                    for game in games
                ]
            ],
            _lists(visitor, shown),
        ],
        footer(games),
        dialog(games, visitor, sets),
    ]
    return page(
        (f'({waiting}) ' if waiting else '') + words('web.name'),
        content,
        h.div('#speak.unseen', aria_live='polite'),
        classes='lobby',
        script='lobby.js',
        theme=visitor.preferences.theme,
        description=words('web.lobby.line.one'),
    )


def count_waiting(visitor: Visitor, mine: Sequence[Table]) -> int:
    """The number of tables at which the visitor can choose something."""
    return sum(_waits(table, visitor) for table in mine)


def _waits(table: Table, visitor: Visitor) -> bool:
    # a lesson waits without asking
    goes_on = table.status == 'running' or table.is_rematch_asked
    return goes_on and not table.lesson and table.waits_for(visitor.id)


# ---- games -------------------------------------------------------------------------------------------------


def _first_steps(games: Sequence[Game], shown: Shown) -> h.Node:
    """Where a newcomer begins: with the shortest first lesson, of a game without reconstructed components if
    there is one. Nothing for those who have been here."""
    taught = [game for game in games if lessons(game.name)]
    if shown.mine or not taught:
        return None
    game = min(taught, key=lambda one: (bool(one.reconstructed), len(lessons(one.name)[0].steps)))
    return h.section('.first-steps', aria_label=words('web.lobby.new_here'))[
        h.p[h.b[words('web.lobby.new_here')], ' ', words('web.lobby.first_steps')],
        h.form(method='post', action='/lessons')[
            h.input(type='hidden', name='game', value=game.name),
            h.button('.btn.main', type='submit')[icon('play', 18), words('web.learn.title', game=game.title)],
        ],
    ]


def _card(game: Game, again: h.Node, learn: h.Node) -> h.Element:
    rules = f'/games/{game.name}/rules'
    return h.li('.game')[
        h.a('.pic', href=rules, tabindex='-1', aria_hidden='true')[
            h.picture[h.img(src=f'/games/{game.name}/picture-light.svg', alt='', width='640', height='600')]
        ],
        h.div('.body')[
            h.h2(class_='long' if max(map(len, game.title.split())) > LONG else None)[game.title],
            h.p('.meta')[facts(game)],
            _components(game),
            h.p('.line')[tagline(game)],
            h.div('.go')[
                again,
                table_form(
                    game, 'bot', words('web.lobby.bot'), 'robot', 'main', _players(game), _strength(game)
                ),
                learn,
                _asks_who(game, 'open', words('web.lobby.invite'), 'link'),
                _asks_who(game, 'here', words('web.lobby.here'), 'people'),
            ],
            h.p('.also')[
                h.a(href=f'/games/{game.name}/new', **{'data-dialog': 'new', 'data-game': game.name})[
                    words('web.lobby.choices'), of_game(game)
                ],
                bool(puzzles(game.name))
                and h.a(href=f'/games/{game.name}/puzzles')[words('web.puzzles.title'), of_game(game)],
                h.a(href=rules)[words('web.lobby.rules'), of_game(game)],
            ],
        ],
    ]


def _asks_who(game: Game, who: str, label: str, icon_name: str) -> h.Element:
    """A button that opens the form of a new table with others: how many, and who."""
    opens = {'data-dialog': 'new', 'data-game': game.name, 'data-who': who}
    return h.form(action=f'/games/{game.name}/new')[
        h.input(type='hidden', name='who', value=who),
        h.button('.btn', type='submit', **opens)[icon(icon_name, 18), label, of_game(game)],
    ]


def _last_played(visitor: Visitor, mine: Sequence[Table]) -> dict[str, Table]:
    """By game the newest table that the visitor has opened and sits at."""
    own = (table for table in mine if table.owner == visitor.id and not table.lesson)
    opened = [table for table in own if table.seats_of(visitor.id)]
    return {table.game: table for table in sorted(opened, key=lambda table: table.created)}


def _learn(game: Game, learnt: Learnt) -> h.Node:
    """The way into the lessons: the next one, or their page when all are done."""
    known = lessons(game.name)
    if not known:
        return None
    done = learnt.count(game.name)
    label = words('web.lobby.learn_of', done=done, of=len(known)) if done else words('web.lobby.learn')
    content = [icon('hint', 18), label, of_game(game)]
    if learnt.following(game.name) is None:
        return h.a('.btn.learn', href=f'/games/{game.name}/learn')[content]
    return h.form(method='post', action='/lessons')[
        h.input(type='hidden', name='game', value=game.name),
        h.button('.btn.learn', type='submit')[content],
    ]


def _again(visitor: Visitor, table: Table | None) -> h.Element | None:
    """The button that opens a table like the visitor's last one of a game."""
    if table is None:
        return None
    return h.form(method='post', action='/tables')[
        h.input(type='hidden', name='again', value=table.id),
        h.button('.btn.again', type='submit')[
            icon('again', 18),
            words('web.lobby.again', how=_how_played(visitor, table)),
            of_game(load(table.game)),
        ],
    ]


def _how_played(visitor: Visitor, table: Table) -> str:
    """Against whom, and how many took part, in words."""
    others = [info for info in table.seats if info.person != visitor.id]
    # a bot that plays for somebody was not asked for
    bots = [info for info in others if info.kind == BOT and info.person is None]
    kinds = [*dict.fromkeys(level_word(info.level).lower() for info in bots)]
    if len(table.seats) > len(others) + 1:
        kinds.append(words('web.lobby.here').lower())
    if len(others) > len(bots):
        kinds.append(words('web.lobby.open_to_all' if table.listed else 'web.lobby.by_link'))
    return ', '.join((*kinds, words('web.lobby.players', n=table.players)))


def _players(game: Game) -> h.Node:
    """The number of players and the options that a first game is proposed with, where they are not the
    usual ones of the interface."""
    given = {f'option-{game.name}-{name}': value for name, value in game.usual_options.items()}
    if game.usual_players:
        given[f'players-{game.name}'] = game.usual_players
    return [h.input(type='hidden', name=name, value=str(value).lower()) for name, value in given.items()]


def _strength(game: Game) -> h.Element:
    """The levels of bots, where there is room for them."""
    players = game.usual_players or game.players[0]
    levels = [(name, level_word(name)) for name in offered(game, players)]
    return h.fieldset('.strength')[h.span[words('web.new.level')], radios('level', levels, USUAL_LEVEL)]


def _components(game: Game) -> h.Element | None:
    """Says that components are reconstructed, if some are; the rules page says which."""
    if not game.reconstructed:
        return None
    return h.p('.made', title=components_of(game))[words('web.lobby.reconstructed')]


# ---- tables ------------------------------------------------------------------------------------------------


def lists(visitor: Visitor, shown: Shown) -> str:
    """The lists of tables alone, for a page that is open."""
    return f'{_running(visitor, shown)}{_lists(visitor, shown)}'


def _running(visitor: Visitor, shown: Shown) -> h.Element:
    """The visitor's tables that are not over, those that wait first."""
    tables = sorted(shown.running(), key=lambda table: not _waits(table, visitor))
    waiting = count_waiting(visitor, shown.mine)
    count = words('web.lobby.waiting_one') if waiting == 1 else words('web.lobby.waiting', n=waiting)
    return h.section(
        '#running.panel',
        aria_label=words('web.lobby.mine'),
        hidden=not tables,
        **{'data-waiting': str(waiting)},
    )[
        h.header[h.h2[words('web.lobby.mine')], waiting > 0 and h.span('.num')[count]],
        h.ul[[_mine_row(table, visitor) for table in tables[: SHOWN * 2]]],
    ]


def _lists(visitor: Visitor, shown: Shown) -> h.Element:
    """The tables that anybody may join, the visitor's that are over, then those of others that anybody may
    watch."""
    over = shown.over()
    foreign = [table for table in shown.open if not table.seats_of(visitor.id)]
    return h.div('#lists.two')[
        h.section('.panel.open', aria_label=words('web.lobby.open'))[
            h.header[
                h.h2[words('web.lobby.open')],
                h.span('.grow'),
                h.a('.btn.s', href=f'/games/{all_games()[0].name}/new', **{'data-dialog': 'new'})[
                    icon('plus', 18), words('web.lobby.new')
                ],
            ],
            h.ul[[_open_row(table) for table in foreign[:SHOWN]]]
            if foreign
            else h.p('.none')[words('web.lobby.none_open')],
        ],
        h.section('.panel', aria_label=words('web.lobby.finished'))[
            h.header[h.h2[words('web.lobby.finished')], h.span('.grow'), _file_form()],
            h.ul[[_mine_row(table, visitor) for table in over[: SHOWN * 2]]]
            if over
            else h.p('.none')[words('web.lobby.open_file_how')],
        ],
        bool(shown.watched)
        and h.section('.panel.watch', aria_label=words('web.lobby.watched'))[
            h.header[h.h2[words('web.lobby.watched')]],
            h.ul[[_watch_row(table) for table in shown.watched[:SHOWN]]],
        ],
    ]


def _file_form() -> h.Element:
    """The button that opens a saved match. Without a script it takes two: one chooses the file."""
    return h.form('.open-file', method='post', action='/analysis', enctype='multipart/form-data')[
        h.label('.btn.s')[icon('open', 18), words('web.lobby.open_file'), file_input('unseen')],
        h.noscript[h.button('.btn.s', type='submit')[words('web.lobby.look')]],
    ]


def _row_start(table: Table, *details: h.Node) -> list[h.Node]:
    """The game of a row: its badge, its title, and lines of details."""
    src = f'/games/{table.game}/badge.svg'
    return [
        h.img('.thumb', src=src, alt='', width='44', height='44', loading='lazy'),
        h.div('.tx')[h.b[load(table.game).title], [h.span[line] for line in details if line]],
    ]


def _mine_row(table: Table, visitor: Visitor) -> h.Element:
    waits = _waits(table, visitor)
    others = ' · '.join(filter(None, (_others(table, visitor), _turn_words(table))))
    is_lesson = bool(table.lesson) and table.status == 'running'
    if table.lesson:
        others = _lesson_words(table)
    label = 'go_on' if is_lesson else 'look' if not waits else 'answer' if table.result else 'your_move'
    return h.li(class_=f'row{" wait" if waits else ""}', id=f'row-{table.id}')[
        _row_start(
            table,
            others,
            '' if table.status == 'running' and (waits or is_lesson) else _state(table, visitor),
        ),
        h.a(class_='btn s main' if waits else 'btn s', href=f'/tables/{table.id}')[
            words(f'web.lobby.{label}'), of_game(load(table.game))
        ],
        bool(table.result and table.turns) and _review(table),
    ]


def _review(table: Table) -> h.Element:
    """The button that has a finished match reviewed."""
    label = words('web.review.of', game=load(table.game).title)
    return h.form(method='post', action=f'/tables/{table.id}/review')[
        h.button('.ibtn', type='submit', aria_label=label, title=label)[icon('chart', 20)]
    ]


def _lesson_words(table: Table) -> str:
    """Which lesson is given at a table."""
    title = next((one.title for one in lessons(table.game) if one.id == table.lesson), table.lesson)
    return words('web.lesson.label', title=title)


def _turn_words(table: Table) -> str:
    """How far a match has come. Secret choices that all make at once are turns of the match, but not for
    people."""
    counts = table.status == 'running' and not load(table.game).sealed
    return words('web.lobby.turn', n=table.turns + 1) if counts else ''


def _others(table: Table, visitor: Visitor) -> str:
    """Who else sits at a table, bots with their levels."""
    names = [
        _seat_name(table, info)
        for info in table.seats
        if info.kind != OPEN and (info.person is None or info.person != visitor.id)
    ]
    if names:
        text = ', '.join(names)
        return words('web.lobby.with', names=text) if table.seats_of(visitor.id) else text
    return _terms(table) if table.status == OPEN else words('web.lobby.alone')


def _seat_name(table: Table, info: SeatInfo) -> str:
    """What somebody at a table is called in lists."""
    name = isolated(info.name) or words(f'colour.{table.colours[info.seat]}')
    if info.kind != BOT:
        return name
    return words('web.lobby.bot_name', name=name, level=level_word(info.level).lower())


def _state(table: Table, visitor: Visitor) -> h.Node:
    """What a table waits for, or how its match has ended and when."""
    if table.status == OPEN:
        return words('web.lobby.waits_for_players')
    if table.status == 'running':
        # where several choose in secret, the lobby does not tell who has chosen already
        sealed = load(table.game).sealed
        moving = None if sealed else next((info for info in table.seats if info.waiting), None)
        if moving is None:
            return ''
        return words('web.lobby.to_move', name=moving.name or words(f'colour.{table.colours[moving.seat]}'))
    if table.is_rematch_asked:
        return words('web.lobby.rematch')
    ended = datetime.fromtimestamp(table.updated, UTC)
    month = words('web.months').split()[ended.month - 1]
    date = words('web.date', day=ended.day, month=month, year=ended.year)
    result = _result_words(table, visitor)
    parts = (result, '' if table.rated else words('web.table.unrated'))
    text = ''.join(f'{part} · ' for part in parts if part)
    return [text, h.time(datetime=ended.date().isoformat())[date]]


def _result_words(table: Table, visitor: Visitor) -> str:
    """How a match has ended for the visitor, and with which points: the visitor's own first, of more than two
    players each with a name."""
    result = table.result
    if result is None:
        return words('web.lobby.over')
    own, winners = table.seats_of(visitor.id), result.winners
    if result.drawn:
        text = words('web.lobby.drawn')
    elif winners == own and len(own) == 1 and table.seats[winners[0]].kind != BOT:
        text = words('web.lobby.you_won')
    else:
        text = words('web.lobby.won', names=listed([table.seats[seat].name for seat in winners]))
    if not any(result.scores):
        return text
    scores = [
        words('web.lobby.score', name=_called(table, seat, own), points=f'{result.scores[seat]:g}')
        for seat in sorted(range(table.players), key=lambda seat: seat not in own)
    ]
    return words('web.lobby.result', result=text, scores=', '.join(scores))


def _called(table: Table, seat: int, own: Sequence[int]) -> str:
    """What a seat is called in a result; `own` are the visitor's."""
    if own == (seat,):
        return words('web.lobby.you')
    return isolated(table.seats[seat].name)


def _open_row(table: Table) -> h.Element:
    taken = [info.kind != OPEN for info in table.seats]
    signs = [
        sign(colour, 18) if on else hollow(colour, 18)
        for colour, on in zip(table.colours, taken, strict=True)
    ]
    people = ', '.join(_seat_name(table, info) for info in table.seats if info.kind != OPEN)
    label = words('web.lobby.seats', taken=sum(taken), of=len(taken))
    return h.li('.row', id=f'row-{table.id}')[
        _row_start(table, people, _terms(table)),
        h.span('.seats', role='img', aria_label=label)[signs],
        h.form(method='post', action=f'/tables/{table.id}/join')[
            h.button('.btn.s', type='submit')[words('web.lobby.join'), of_game(load(table.game))]
        ],
    ]


def _watch_row(table: Table) -> h.Element:
    people = ', '.join(_seat_name(table, info) for info in table.seats)
    return h.li('.row', id=f'row-{table.id}')[
        _row_start(table, people, _turn_words(table)),
        h.a('.btn.s', href=f'/tables/{table.id}')[
            icon('eye', 18), words('web.lobby.watch'), of_game(load(table.game))
        ],
    ]


def _terms(table: Table) -> str:
    """On which terms a table is played."""
    hints = table.hints if table.between_people else None
    return terms_words(load(table.game), table.players, table.options, hints)


# ---- invitations -------------------------------------------------------------------------------------------


def invitation(visitor: Visitor, table: Table, token: str, about: h.Node = None) -> str:
    """What a link opens: who invites to what, who sits there, and one button that takes the seat. To look at
    the page takes nothing. `about`: see `layout.page`."""
    game = load(table.game)
    host = next((info.name for info in table.seats if info.person == table.owner and info.name), '')
    sit = words('web.join.sit', name=visitor.name)
    content = h.div('.wrap')[
        bar('', visitor.name),
        h.main('.notice.invitation')[
            h.img(src=f'/games/{game.name}/picture-light.svg', alt='', width='640', height='600'),
            h.h1[words('web.join.title', name=host, game=game.title) if host else game.title],
            h.p[tagline(game, facts(game))],
            h.p('.terms')[_terms(table)],
            h.ul('.sits', aria_label=words('web.join.sits'))[[_sits(table, info) for info in table.seats]],
            h.form(method='post', action=f'/join/{quote(token, safe="")}')[
                # the page puts another name in, if the visitor takes one
                h.button('.btn.main', type='submit', data_sit=words('web.join.sit', name='#'))[sit]
            ],
            h.a('.btn.quiet', href=f'/games/{game.name}/rules')[icon('rules', 18), words('web.lobby.rules')],
        ],
    ]
    return lobby_page(visitor, game.title, content, about)


def _sits(table: Table, info: SeatInfo) -> h.Element:
    """A seat of an invitation. Colours that nobody has chosen are dealt when the match begins."""
    colour = table.colours[info.seat]
    name = words('web.table.open_seat') if info.kind == OPEN else _seat_name(table, info)
    return h.li(class_='open' if info.kind == OPEN else None)[
        (sign if info.colour else hollow)(colour, 20), h.span[name]
    ]
