"""A match through one seat's eyes as fragments of a page. Everything here is made from what the match gives to that seat."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any

from ludoteca.game import COLOURS, LAID, SPECTATOR, Card, Event, Game, Ghost, Panel, PanelRow, Target, Value, View, ViewSettings
from ludoteca.match import HIDDEN, Match, Row, deal_colours
from ludoteca.store import Favourite, Line
from ludoteca.text import words
from ludoteca.web.layout import Markup, button, credits_of, h, hollow, icon, sign

NO_GHOST = -1
Notes = Mapping[str, tuple[str, ...]]  # by element of the drawing: what somebody pencilled there


@dataclass(frozen=True)
class Preferences:
    """What a person has set."""

    theme: str = 'system'
    confirm: str = 'auto'
    coordinates: bool = True
    marks: bool = True
    deductions: bool = True
    sound: bool = False
    notify: bool = False
    colour: str = ''  # that they would like to have in new games

    ALLOWED = {  # noqa: RUF012 (a constant)
        'theme': ('system', 'light', 'dark'),
        'confirm': ('auto', 'on', 'off'),
        'colour': ('', *COLOURS),
    }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Preferences:
        """From what was stored; what is unknown or impossible is left out."""
        found: dict[str, Any] = {}
        for name, default in asdict(cls()).items():
            value = data.get(name, default)
            if value in cls.ALLOWED.get(name, (True, False)) and isinstance(value, type(default)):
                found[name] = value
        return cls(**found)

    def json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @property
    def drawing(self) -> ViewSettings:
        """What of it a drawing looks at."""
        return ViewSettings(coordinates=self.coordinates, marks=self.marks, deductions=self.deductions)


@dataclass(frozen=True)
class SeatLabel:
    """Who plays a seat, as pages show it."""

    name: str
    kind: str  # person, bot, open
    level: str = ''
    mine: bool = False
    away: bool = False
    colour: str = ''  # the one that they have; before the match begins, if they chose one


@dataclass(frozen=True)
class TableView:
    """A table as one person sees it."""

    table: str
    match: Match
    seat: int  # through whose eyes
    mine: tuple[int, ...]  # all seats of this person
    sitters: tuple[SeatLabel, ...]
    wishes: Preferences = Preferences()
    chat: tuple[Line, ...] = ()
    thinking: frozenset[int] = frozenset()  # bots at work
    rematch: str = ''  # the address of the next match
    draw: Callable[[View], str] | None = None  # keeps drawings; None: drawn anew
    notes: Notes = field(default_factory=dict)  # of this seat
    favourites: tuple[Favourite, ...] = ()  # arrangements of this person that fit now
    shared: bool = False  # do several people sit at this screen who may not know what the others do?
    handover: str = ''  # who comes to the screen when this person has looked enough
    preparing: float = -1.0  # how far the compiling is for which a strong bot waits, 0..1; -1: none waits
    begins: str = ''  # who began this match and why, in words; '' if nobody said

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def colours(self) -> tuple[str, ...]:
        return self.match.colours

    def name(self, seat: int) -> str:
        """A seat's name, else the word for its colour."""
        sitter = self.sitters[seat]
        return sitter.name or words(f'colour.{self.colours[seat]}')


def begins_words(match: Match, rematch: bool, drawn: bool) -> str:
    """Who begins a match and why: because it is a `rematch`, or because it was `drawn` who sits where; '' if neither is so."""
    reason = 'drawn' if match.game.next_first == 'drawn' or not rematch else match.game.next_first
    if not rematch and not drawn:
        return ''
    return words(f'web.table.begins.{reason}', first=match.players[match.first], last=match.players[-1])


def next_words(sight: TableView) -> str:
    """Who would begin a rematch and why."""
    match = sight.match
    return words(f'web.table.next.{match.game.next_first}', first=sight.name(match.next_order[0]), last=sight.name(0))


def sentence(game: Game, event: Event, names: Sequence[str]) -> str:
    """What happened, in words; '' if the game has none for it."""
    key = f'event.{event.kind}'
    if key not in game.words:
        return ''
    player = names[event.seat] if 0 <= event.seat < len(names) else ''
    return game.words(key, player=player, **event.values)


def events_text(game: Game, events: Iterable[Event], names: Sequence[str]) -> str:
    """Events as a few sentences; what is said several times on end is said once."""
    texts = [text for text in (sentence(game, event, names) for event in events) if text]
    return ' '.join(text for k, text in enumerate(texts) if not k or text != texts[k - 1])


def names_of(sight: TableView) -> tuple[str, ...]:
    """All seats' names."""
    return tuple(sight.name(seat) for seat in range(len(sight.sitters)))


# ---- choices -----------------------------------------------------------------------------------------------------------------


def ghost_list(ghost: Ghost, glow: Sequence[int] | str | None = None) -> list[Any]:
    """A ghost as the page reads it, empty ends left out. `glow` may stand for its lines as places in a list of them."""
    lines = ghost.glow if glow is None else glow
    found: list[Any] = [ghost.symbol, ghost.transform, ghost.path, ghost.text, lines, ghost.gains]
    while found and not found[-1]:
        found.pop()
    return found


def choice_table(match: Match, seat: int) -> dict[str, Any] | None:
    """What the seat can choose, as one compact table: see choose.js. None if there is nothing."""
    levels = match.choices(seat)
    if not levels:
        return None
    targets: dict[str, int] = {}
    ghosts: dict[Ghost, int] = {}
    lines: dict[str, int] = {}  # the same half of an edge lights up for many

    def pairs(target: Target) -> tuple[int, int]:
        place = targets.setdefault(target.id, len(targets))
        return place, ghosts.setdefault(target.ghost, len(ghosts)) if target.ghost else NO_GHOST

    def packed(ghost: Ghost) -> list[Any]:
        parts = [f'M{part}' for part in ghost.glow.split('M')[1:]]
        return ghost_list(ghost, [lines.setdefault(part, len(lines)) for part in parts])

    table = [
        {
            'chosen': level.chosen,
            'commits': [index for index, choice in enumerate(level.choices) if choice.commits],
            'actions': [
                [choice.name, *(number for target in choice.targets for number in pairs(target))]
                for choice in level.choices
            ],
        }
        for level in levels
    ]
    shapes = [packed(ghost) for ghost in ghosts]
    return {'targets': list(targets), 'ghosts': shapes, 'lines': list(lines), 'levels': table}


# ---- fragments -----------------------------------------------------------------------------------------------------------------


def seat_view(sight: TableView) -> View:
    """The match as this person sees it now."""
    view, sealed = sight.match.view(sight.seat, settings=sight.wishes.drawing), sight.match.sealed(sight.seat)
    # what was sealed is played when all have sealed; until then it is shown as about to be done
    actions = view.actions if sealed is None else (sealed,)
    return replace(view, actions=actions, names=names_of(sight), notes=sight.notes)


def fragments(sight: TableView) -> dict[str, str]:
    """All fragments of the table page, by the id of the element that each one is."""
    view = seat_view(sight)
    cards = sight.game.cards(view)
    lays = any(
        target.id.startswith('at:') for action in view.actions[:1] for target in sight.game.targets(view.state, action)
    )
    parts = {
        'prompt': _prompt(sight, view, lays),
        'acts': _acts(sight, view, lays),
        'drawing': h.div('#drawing')[Markup(sight.draw(view) if sight.draw else sight.game.draw(view, 'page'))],
        'cards': _cards(sight, cards),
    }
    return {name: str(part) for name, part in (parts | _around(sight, view)).items()}


def _around(sight: TableView, view: View) -> dict[str, h.Element]:
    """The fragments round the board."""
    match = sight.match
    return {
        'heading': _heading(sight),
        'players': _players(sight, view),
        'moves': _moves(sight, match.log(sight.seat, uncovered=match.result is not None)),
        'status': _status(sight),
        'chat': _chat(sight),
        'menu': _menu(sight),
    }


def with_names(view: View, names: tuple[str, ...]) -> View:
    """The view with the names that this visitor sees."""
    return replace(view, names=names)


def mark(fragment: str) -> str:
    """A short hash of a fragment: a page says which ones it has."""
    return hashlib.blake2b(fragment.encode(), digest_size=6).hexdigest()


def place_of(sight: TableView) -> str:
    """How far the match has come: in the game's own words, else in rounds. What is arranged in secret before the first is none."""
    if sight.match.arranging(0):
        return words('web.table.arrange.place')
    return sight.match.stage() or words('web.table.round', n=sight.match.finished() // sight.match.setup.players + 1)


def _heading(sight: TableView) -> h.Element:
    options = sight.game.options.read(sight.match.setup.options).changed()
    more = [words('web.lobby.players', n=sight.match.setup.players), place_of(sight)]
    more += [chosen_words(sight.game, name, value) for name, value in options.items()]
    return h.div('#heading')[h.b[sight.game.title], h.span[' · '.join(more)]]


def chosen_words(game: Game, name: str, value: Value) -> str:
    """An option that was chosen: the words for its value if they say enough, else with the option's own before them."""
    label, key = game.words(f'option.{name}'), f'option.{name}.{str(value).lower()}'
    if value is True or key not in game.words:
        return label
    return f'{label}: {game.words(key)}'


def _signs(sight: TableView) -> h.Node:
    """Whose turn it is, or who won, as signs."""
    match = sight.match
    seats = match.result.winners if match.result else match.to_move
    return [sign(sight.colours[seat], 30) for seat in seats[:2]] or None


def result_words(sight: TableView) -> str:
    """Who won, in words."""
    result = sight.match.result
    assert result is not None
    winners = result.winners
    if len(winners) == 1:
        return words('web.table.result.won', name=sight.name(winners[0]))
    return words('web.table.result.shared')


def _prompt(sight: TableView, view: View, lays: bool) -> h.Element:
    match = sight.match
    if not match.result and sight.mine == (sight.seat,) and match.may_act(sight.seat):
        # whoever plays one seat only is not called by name
        own = words('web.table.your_move')
        view = with_names(view, tuple(own if seat == sight.seat else name for seat, name in enumerate(names_of(sight))))
    asked = sight.game.prompt(view)
    text, help_ = asked.text, asked.help
    if match.result and match.result.by >= 0:
        text, help_ = result_words(sight), words('web.table.result.resigned', name=sight.name(match.result.by))
    elif match.frozen:
        text, help_ = match.frozen, ''
    elif sight.seat in match.to_move and not match.may_act(sight.seat):
        others = [sight.name(seat) for seat in match.to_move if seat != sight.seat]
        # with more, who has sealed already is not told
        text = words('web.table.sealed.one', name=others[0]) if len(others) == 1 else words('web.table.sealed.more')
        help_ = words('web.table.sealed.help')
    mine = match.may_act(sight.seat) if sight.seat >= 0 else False
    return h.section('#prompt.prompt')[
        _signs(sight),
        h.div[
            h.p('.do')[text],
            (help_ or mine) and h.p('.how')[help_ or h.span('.keys')[words('web.table.how_keys')]],
            # what is held, filled in by the page
            lays
            and mine
            and h.p(
                '#held.how',
                hidden=True,
                **{'data-keys': words('web.table.lay.keys'), 'data-taps': words('web.table.lay.taps')},
            ),
        ],
    ]


def _acts(sight: TableView, view: View, lays: bool) -> h.Element:
    """The buttons that apply now; `lays`: is something laid on points of the board?"""
    match = sight.match
    if match.result:
        return h.div('#acts.acts')[
            h.a('.btn', href='/')[words('web.table.result.lobby')],
            (
                (sight.rematch and h.a('.btn.main', href=sight.rematch)[icon('again'), words('web.table.rematch')])
                or (sight.mine and button(words('web.table.rematch'), 'again', 'main', data_act='rematch'))
            ),
        ]
    if sight.handover:
        return h.div('#acts.acts')[
            button(words('web.table.hand_over', name=sight.handover), 'people', 'main', data_act='handover')
        ]
    if sight.seat < 0 or not match.may_act(sight.seat):
        return h.div('#acts.acts')
    draft = match.draft(sight.seat)
    own = sight.game.prompt(view).buttons
    arranging = match.arranging(sight.seat)
    # what was laid in any order goes back in that order
    begun = bool(draft) or (arranging and bool(sight.notes.get(LAID)))
    sealed = len(match.to_move) > 1
    targets = sight.game.targets(view.state, view.actions[0]) if len(view.actions) == 1 else ()
    # the game's own button does what Enter would do, or all that is left
    final = any(b.key == 'Enter' for b in own) or any(target.id == f'do:{b.id}' for target in targets for b in own)
    return h.div('#acts.acts')[
        None if arranging else button(words('web.table.hint'), 'hint', 'quiet', fold=True, data_act='hint'),
        arranging and button(words('web.table.arrange.shuffle'), 'again', '', data_act='shuffle'),
        arranging
        and button(words('web.table.arrange.clear'), 'trash', 'quiet', fold=True, data_act='clear', disabled=not begun),
        button(
            words('web.table.lay.put_back' if lays else 'web.table.undo'),
            'undo',
            '',
            fold=True,
            data_act='undo',
            data_draft='yes' if begun else 'no',
            disabled=not begun,
        ),
        button(label := words('web.table.turn_it'), 'turn', 'turn', data_act='turn', title=label, hidden=True),
        button(label := words('web.table.lay.flip'), 'flip', 'turn', data_act='flip', title=label, hidden=True),
        [
            h.button(
                # all that can be done stands out, and what is proposed
                class_='btn main' if len(view.actions) == 1 or b.steps else 'btn',
                type='button',
                **{'data-steps': ' '.join(b.steps)} if b.steps else {'data-target': f'do:{b.id}'},
                **{'data-key': b.key or None},
            )[b.label, b.key == 'Enter' and h.kbd['⏎']]
            for b in own
        ],
        None
        if final
        else button(
            words('web.table.seal' if sealed else 'web.table.lay.confirm' if lays else 'web.table.confirm'),
            'check',
            'main',
            data_act='confirm',
            disabled=True,
        ),
    ]


def _cards(sight: TableView, cards: Sequence[Card]) -> h.Element:
    """What lies beside the board: the game's cards, and the arrangements that a person keeps."""

    def shown(tray: bool) -> list[h.Element]:
        return [
            h.section(f'#card-{card.id}.info{".tray" if tray else ""}', aria_label=card.title)[
                h.header[h.h3[card.title], card.note and h.span[card.note]],
                Markup(card.drawing),
                card.footnote
                and h.p('.footnote')[
                    h.a(href=f'/games/{sight.game.name}/rules#{card.chapter}', target='_blank')[card.footnote]
                ],
            ]
            for card in cards
            if card.tray == tray
        ]

    return h.div('#cards')[
        h.div('.cards.trays')[trays] if (trays := shown(True)) else None, h.div('.cards')[_favourites(sight), shown(False)]
    ]


def _favourites(sight: TableView) -> h.Element | None:
    """The arrangements that this person keeps for such a game. Not where several people sit at one screen: the others would see
    them."""
    match = sight.match
    if sight.shared or sight.seat < 0 or not match.arranging(sight.seat):
        return None
    rows = [
        h.li[
            h.button(
                '.btn.s',
                type='button',
                disabled=not match.may_act(sight.seat),
                **{'data-act': 'arrange', 'data-favourite': one.id},
            )[one.name],
            h.button(
                '.ibtn',
                type='button',
                aria_label=words('web.table.arrange.forget', name=one.name),
                **{'data-act': 'forget', 'data-favourite': one.id},
            )[icon('close', 16)],
        ]
        for one in sight.favourites
    ]
    label = words('web.table.arrange.name')
    return h.section('#card-favourites.info', aria_label=words('web.table.arrange.title'))[
        h.header[h.h3[words('web.table.arrange.title')], not rows and h.span[words('web.table.arrange.none')]],
        rows and h.ul('.favourites')[rows],
        h.form('#favourite-form.keep')[
            h.input(type='text', name='name', maxlength='40', autocomplete='off', aria_label=label, placeholder=label),
            h.button('.btn.s', type='submit')[words('web.table.arrange.keep')],
        ],
    ]


def _who(sight: TableView, seat: int) -> str:
    return who_words(sight.sitters[seat])


def who_words(sitter: SeatLabel) -> str:
    """What kind of player this is."""
    if sitter.kind == 'bot':
        level = words(f'web.level.{sitter.level}') if f'web.level.{sitter.level}' in words else sitter.level
        return words('web.table.bot', level=level.lower())
    if sitter.kind == 'open':
        return words('web.table.open_seat')
    return words('web.table.you') if sitter.mine else words('web.table.person')


def _tag(sight: TableView, seat: int) -> h.Element | None:
    match, sitter = sight.match, sight.sitters[seat]
    if match.result:
        if seat in match.result.winners:
            return h.span('.tag.won')[words('web.table.won' if len(match.result.winners) == 1 else 'web.table.shared')]
        return h.span('.tag.away')[words('web.table.resigned')] if match.result.by == seat else None
    if seat in sight.thinking:
        return h.span('.tag.thinking')[words('web.table.thinking')]
    if seat == sight.seat and match.sealed(seat) is not None:
        return h.span('.tag.away')[words('web.table.sealed.tag')]
    if seat in match.to_move:
        return h.span('.tag')[words('web.table.to_move')]
    return h.span('.tag.away')[words('web.table.away')] if sitter.away else None


def _players(sight: TableView, view: View) -> h.Element:
    return h.ul('#players.players', aria_label=words('web.table.players'))[
        [_player(sight, panel) for panel in sight.game.panels(view)]
    ]


def _player(sight: TableView, panel: Panel) -> h.Element:
    seat = panel.seat
    colour = words(f'colour.{panel.colour}')
    side = ' · '.join(
        part for part in (colour if colour != sight.name(seat) else '', panel.side, _who(sight, seat)) if part
    )
    on = (' on' if seat in sight.match.to_move else '') + (' own' if seat == sight.seat else '')
    parts: list[h.Node] = []
    if panel.pips:
        have, of = panel.pips
        signs = [sign(panel.colour, 17)] * have + [hollow(panel.colour, 17)] * (of - have)
        label = words('web.table.pips', have=have, of=of)
        what = panel.rows[0].label.lower() if panel.rows else ''
        parts.append(
            h.div('.pips', role='img', aria_label=f'{label} {what}')[
                signs, h.em(aria_hidden='true')[label, what and h.i[f' {what}']]
            ]
        )
    else:
        crowded = sight.match.result is not None or (sight.match.setup.players > 2 and seat != sight.seat)
        parts.extend(_rows(panel.rows, crowded))
    return h.li(class_=f'pl seat-{panel.colour}{on}', aria_current='true' if on else None)[
        h.span('.big')[sign(panel.colour, 30)],
        h.div('.who')[h.strong[sight.name(seat)], h.span[side]],
        _tag(sight, seat),
        parts,
    ]


def _rows(rows: Sequence[PanelRow], folds: bool) -> list[h.Node]:
    """The rows of a panel: a plain number that stands first is the score and large; then values in a line; then in lines of their
    own the drawing of the score and what may be folded away."""
    score = rows[:1] if rows and rows[0].value.replace('.', '').isdigit() else ()
    return [
        [h.p('.score')[h.span('.unseen')[row.label, ' '], h.b[row.value]] for row in score],
        h.dl('.rows')[
            [
                h.div[h.dt[row.label], h.dd[None if row.fold else Markup(row.drawing), row.value]]
                for row in rows[len(score) :]
                if not (row.fold and folds)
            ]
        ],
        [h.div('.wide')[Markup(row.drawing)] for row in score if row.drawing],
        [
            h.details('.fold')[h.summary[row.label, ' ', h.b[row.value]], h.div('.wide')[Markup(row.drawing)]]
            if folds
            else h.div('.wide')[Markup(row.drawing)]
            for row in rows
            if row.fold and row.drawing
        ],
    ]


def move_text(row: Row) -> h.Node:
    """A turn's names; the last one stands out."""
    shown = ['…' if name == HIDDEN else name for name in row.names]
    if len(shown) < 2:
        return shown
    return [' '.join(shown[:-1]), ' ', h.b[shown[-1].replace('-', '–')]]


def row_text(sight: TableView, row: Row) -> h.Node:
    """What a turn was: its names, or, where this person may not know one of them, what could be seen of it."""
    said = events_text(sight.game, row.events, names_of(sight)) if HIDDEN in row.names else ''
    return said or move_text(row)


def number_of(match: Match, at: int) -> str:
    """The number of a turn for people: '' for a secret choice that all make at once."""
    number = match.finished(at)
    return str(number) if not at or number > match.finished(at - 1) else ''


def _moves(sight: TableView, rows: Sequence[Row]) -> h.Element:
    last, players = sight.match.turns, sight.match.setup.players
    finished = sight.match.finished()
    items: list[h.Node] = []
    for row in reversed(rows):
        colour = sight.colours[row.seat] if 0 <= row.seat < players else ''
        if row.kind != 'turn':
            text = words(f'web.table.row.{row.kind}')
            items.append(h.li('.rd')[sight.name(row.seat) + ' ' if row.kind in ('resign', 'return') else '', text])
            continue
        number = sight.match.finished(row.number)
        items.append(
            h.li(class_='cur' if row.number == last else None)[
                h.button(
                    type='button',
                    **{'data-at': str(row.number), 'data-no': str(number)},
                    aria_current='step' if row.number == last else None,
                )[
                    h.span('.no')[number_of(sight.match, row.number)],
                    colour and sign(colour, 15),
                    h.span('.mv')[row_text(sight, row)],
                ]
            ]
        )
        stage = sight.match.stage(row.number - 1)
        if stage:
            if row.number == 1 or stage != sight.match.stage(row.number - 2):
                items.append(h.li('.rd')[stage])
        elif number > sight.match.finished(row.number - 1) and (number - 1) % players == 0:
            items.append(h.li('.rd')[words('web.table.round', n=(number - 1) // players + 1)])
    items.append(
        h.li(class_='cur' if not last else None)[
            h.button('.start', type='button', **{'data-at': '0', 'data-no': '0'})[
                h.span('.no')['0'], h.span('.mv')[sight.begins or words('web.table.beginning')]
            ]
        ]
    )

    def step(act: str, icon_name: str, label: str, classes: str = '') -> h.Element:
        return h.button(
            class_=f'ibtn {classes}'.strip(), type='button', aria_label=words(f'web.table.{label}'), data_act=act
        )[icon(icon_name, 18)]

    return h.section('#moves.card', aria_label=words('web.table.moves'))[
        h.header[
            h.h2[words('web.table.moves')],
            step('first', 'first', 'first', 'edge'),
            step('prev', 'prev', 'back'),
            h.output[f'{finished} / {finished}'],
            step('next', 'next', 'forward'),
            step('last', 'last', 'last', 'edge'),
        ],
        h.ol('.log', tabindex='-1')[items],
    ]


def _status(sight: TableView) -> h.Element:
    """A card over the table: a request, the end, a frozen match, a strong bot that waits."""
    match, cards = sight.match, []
    if sight.preparing >= 0:
        cards.append(_ready_card(sight.preparing))
    if match.result:
        result = match.result
        text = (
            words('web.table.result.resigned', name=sight.name(result.by))
            if result.by >= 0
            else sight.game.words(
                f'ending.{result.ending}', player=sight.name(result.winners[0]) if result.winners else ''
            )
        )
        cards.append(
            h.section('.table-card.result', role='status')[
                h.h2[
                    [sign(sight.colours[seat], 26) for seat in result.winners],
                    h.span[result_words(sight)],
                    h.button('.ibtn', type='button', aria_label=words('web.table.result.look'), data_act='dismiss')[
                        icon('close', 18)
                    ],
                ],
                h.p[text],
                sight.mine and h.p('.next')[next_words(sight)],
                h.div('.dialog-acts')[
                    button(words('web.table.result.look'), 'eye', '', data_act='dismiss'),
                    (
                        (
                            sight.rematch
                            and h.a('.btn.main', href=sight.rematch)[icon('again'), words('web.table.rematch')]
                        )
                        or (sight.mine and button(words('web.table.rematch'), 'again', 'main', data_act='rematch'))
                    ),
                ],
            ]
        )
    request = match.request
    if request:
        asker = sight.name(request.seat)
        text = (
            words('web.table.request.takeback', name=asker)
            if request.kind == 'takeback'
            else words('web.table.request.replace', name=asker, who=sight.name(request.value))
        )
        to_answer = any(seat in request.waiting for seat in sight.mine) or (
            request.value in sight.mine and request.kind == 'replace'
        )
        cards.append(
            h.section('.table-card.request', role='alertdialog', aria_label=text)[
                h.h2[sign(sight.colours[request.seat], 24), h.span[text]],
                h.p[
                    words(
                        'web.table.request.waiting',
                        name='',
                        names=', '.join(sight.name(seat) for seat in request.waiting),
                    )
                ],
                (to_answer or request.seat in sight.mine)
                and h.div('.dialog-acts')[
                    button(
                        words('web.table.request.no' if to_answer else 'web.table.request.withdraw'),
                        '',
                        '',
                        data_act='no',
                    ),
                    to_answer and button(words('web.table.request.yes'), 'check', 'main', data_act='yes'),
                ],
            ]
        )
    return h.div('#status')[cards]


def _chat(sight: TableView) -> h.Element:
    return _chat_lines(sight.chat, sight.colours)


def _chat_lines(chat: Sequence[Line], colours: Sequence[str]) -> h.Element:
    lines = [
        h.li[
            sign(colours[line.seat], 15) if 0 <= line.seat < len(colours) else h.span, h.span[h.b[line.name], line.text]
        ]
        for line in chat
    ]
    count = chat[-1].number + 1 if chat else 0  # of all that was said: more than is shown
    return h.ul('#chat.chat-lines', **{'data-count': str(count)}, aria_label=words('web.table.chat'))[
        lines or h.li[h.span, h.span[words('web.chat.none')]]
    ]


def _menu(sight: TableView) -> h.Element:
    """The drawer of the table: what concerns the match as a whole."""
    match, seat = sight.match, sight.seat
    playing = bool(sight.mine) and match.status == 'running'
    take = playing and any(not match.may_take_back(own) for own in sight.mine)
    gone = [
        other
        for other, sitter in enumerate(sight.sitters)
        if playing and match.setup.players > 2 and sitter.kind == 'person' and sitter.away and not sitter.mine
    ]
    back = [own for own in sight.mine if match.status == 'running' and match.seats[own].kind == 'bot']
    return h.div('#menu.stack')[
        button(words('web.table.takeback'), 'undo', '', data_act='takeback', disabled=not take) if playing else None,
        [
            button(
                words('web.table.menu.replace', name=sight.name(other)),
                'robot',
                '',
                data_act='replace',
                data_seat=str(other),
            )
            for other in gone
        ],
        button(words('web.table.menu.come_back'), 'person', 'main', data_act='back') if back else None,
        button(words('web.table.resign'), 'flag', 'danger', data_act='resign') if playing and seat >= 0 else None,
        button(words('web.table.rematch'), 'again', '', data_act='rematch')
        if match.result and sight.mine and not sight.rematch
        else None,
        h.a('.btn', href=f'/api/tables/{sight.table}/export?seat={seat}', download=True)[
            icon('save'), words('web.table.menu.export')
        ],
        h.a('.btn', href='/')[icon('home'), words('web.table.menu.new')],
        [h.p('.credit')[line] for line in credits_of([sight.game])],
    ]


# ---- a table whose match is not there yet ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class WaitingTable:
    """A table that waits for people."""

    table: str
    game: Game
    sitters: tuple[SeatLabel, ...]
    host: bool  # may make links
    seated: bool
    listed: bool
    shuffled: bool
    links: Mapping[int, str]  # seat -> address
    picture: str  # address
    chat: tuple[Line, ...] = ()
    closed: str = ''  # a sentence why it will not begin

    @property
    def colours(self) -> tuple[str, ...]:
        """What all have if nobody chooses another and nothing is drawn."""
        return deal_colours(self.game.colours(len(self.sitters)), [sitter.colour for sitter in self.sitters])


def waiting_fragments(wait: WaitingTable) -> dict[str, str]:
    """The fragments of the page while there is no match."""
    colours = wait.colours
    title, note = words('web.table.invites.waiting'), words('web.table.invites.text')
    if wait.closed:
        title, note = wait.closed, ''
    players = [
        h.li(class_=f'pl{" open" if sitter.kind == "open" else f" seat-{colours[seat]}"}')[
            h.span('.big')[
                sign(colours[seat], 30) if sitter.colour or not wait.shuffled else hollow(colours[seat], 28)
            ],
            h.div('.who')[
                h.strong[sitter.name or words('web.table.open_seat')],
                h.span[(sitter.kind != 'open' and who_words(sitter)) or ''],
            ],
        ]
        for seat, sitter in enumerate(wait.sitters)
    ]
    parts: dict[str, h.Element] = {
        'heading': h.div('#heading')[h.b[wait.game.title], h.span[words('web.lobby.players', n=len(wait.sitters))]],
        'prompt': h.section('#prompt.prompt')[h.div[h.p('.do')[title], note and h.p('.how')[note]]],
        'acts': h.div('#acts.acts'),
        'cards': h.div('#cards'),
        'drawing': h.div('#drawing.picture')[h.img(src=wait.picture, alt='')],
        'players': h.ul('#players.players', aria_label=words('web.table.players'))[players],
        'moves': h.section('#moves.card', aria_label=words('web.table.moves'))[
            h.header[h.h2[words('web.table.moves')]], h.ol('.log')
        ],
        'status': h.div('#status')[_invite_card(wait)],
        'chat': _chat_lines(wait.chat, colours),
        'menu': h.div('#menu.stack')[h.a('.btn', href='/')[icon('home'), words('web.table.menu.new')]],
    }
    return {name: str(part) for name, part in parts.items()}


def _ready_card(progress: float) -> h.Element:
    """A strong bot waits until the rules are compiled."""
    return h.section('.table-card', role='status')[
        h.h2[h.span[words('web.ready.title')]],
        h.p[words('web.ready.text')],
        h.progress(max='1', value=f'{progress:.3f}', aria_label=words('web.ready.title')),
    ]


def _colour_choice(wait: WaitingTable) -> h.Element | None:
    """For whoever has one seat at a table that has not begun: the colours that there are, and which are taken."""
    mine = [sitter for sitter in wait.sitters if sitter.mine]
    if len(mine) != 1 or wait.closed:
        return None
    own, taken = mine[0].colour, {sitter.colour for sitter in wait.sitters if not sitter.mine}
    label = words('web.table.invites.colour')
    return h.div('.colours', role='group', aria_label=label)[
        h.span[label],
        [
            h.button(
                class_=f'ibtn seat-{colour}',
                type='button',
                disabled=colour in taken,
                title=words(f'colour.{colour}'),
                # pressed once more it is given back
                **{'data-act': 'colour', 'data-colour': '' if colour == own else colour},
                aria_pressed='true' if colour == own else 'false',
            )[(hollow if colour in taken else sign)(colour, 22, words(f'colour.{colour}'))]
            for colour in COLOURS
        ],
    ]


def _invite_card(wait: WaitingTable) -> h.Element | None:
    if wait.closed:
        return None
    open_seats = [seat for seat, sitter in enumerate(wait.sitters) if sitter.kind == 'open']
    if wait.host:
        rows = [
            h.li[
                h.span('.no')[str(seat + 1)],
                h.input(
                    f'#link-{seat}',
                    type='text',
                    readonly=True,
                    value=wait.links[seat],
                    aria_label=words('web.table.invite'),
                )
                if seat in wait.links
                else button(words('web.table.invites.again'), 'link', 's', data_act='link', data_seat=str(seat)),
                button(words('web.table.invites.copy'), 'copy', 's', data_act='copy', data_from=f'link-{seat}')
                if seat in wait.links
                else None,
            ]
            for seat in open_seats
        ]
        return h.section('.table-card', aria_label=words('web.table.invite'))[
            h.h2[h.span[words('web.table.invites.title')]],
            h.p[words('web.table.invites.text')],
            h.ul('.invites')[rows],
            _colour_choice(wait),
            h.div('.dialog-acts')[
                button(words('web.table.invites.bots'), 'robot', '', data_act='fill'),
                button(words('web.table.invites.close'), 'trash', '', data_act='leave'),
            ],
        ]
    if wait.seated:
        return h.section('.table-card')[
            h.h2[h.span[words('web.lobby.waits_for_players')]],
            h.p[words('web.table.invites.begins')],
            _colour_choice(wait),
            h.div('.dialog-acts')[button(words('web.table.invites.leave'), '', '', data_act='leave')],
        ]
    if wait.listed:
        return h.section('.table-card')[
            h.h2[h.span[words('web.lobby.waits_for_players')]],
            h.p[words('web.table.invites.begins')],
            h.form('.dialog-acts', method='post', action=f'/tables/{wait.table}/join')[
                h.button('.btn.main', type='submit')[words('web.lobby.join')]
            ],
        ]
    return None


# ---- looking back --------------------------------------------------------------------------------------------------------------


def past_fragments(sight: TableView, at: int) -> tuple[dict[str, str], tuple[Event, ...]]:
    """Picture, prompt and cards of the position after a number of turns, and the events of its last turn."""
    match = sight.match
    over = match.result is not None
    view = with_names(match.view(sight.seat, at=at, settings=sight.wishes.drawing, uncovered=over), names_of(sight))
    rows = [
        row for row in match.log(sight.seat, max(0, at - 1), uncovered=over) if row.kind == 'turn' and row.number == at
    ]
    title: h.Node = words('web.table.beginning')
    said = events_text(sight.game, view.last, names_of(sight)) if at else sight.begins
    if rows:
        number, name = number_of(match, at), row_text(sight, rows[0])
        title = [words('web.table.turn', n=number), ': ', name] if number else name
        said = said if name != said else ''
    signs = [sign(sight.colours[row.seat], 30) for row in rows]
    prompt = h.section('#prompt.prompt')[signs, h.div[h.p('.do.past-turn')[title], h.p('.how')[said]]]
    drawing = h.div('#drawing')[Markup(sight.game.draw(view, 'page'))]
    parts = {'drawing': drawing, 'prompt': prompt, 'cards': _cards(replace(sight, shared=True), sight.game.cards(view))}
    return {name: str(part) for name, part in parts.items()}, view.last


def message(sight: TableView, since: int | None, choices: dict[str, Any] | None) -> dict[str, Any]:
    """The whole view as a message; see table.js. `since`: how many turns the page has seen (None: it shows what is there)."""
    match, seat = sight.match, sight.seat
    parts = fragments(sight)
    events: tuple[Event, ...] = ()
    if since is not None and since < match.turns:
        events = tuple(event for row in match.log(seat, since) for event in row.events)
    mine = seat >= 0 and match.may_act(seat)
    key = 'web.table.title_over' if match.result else 'web.table.title_turn' if mine else 'web.table.title'
    return table_message(
        parts,
        words(key, game=sight.game.title),
        version=match.version(seat),
        seat=seat,
        colour=sight.colours[seat] if seat >= 0 else '',
        colours=list(sight.colours),
        choices=choices,
        events=[event.json() for event in events],
        draft=[event.json() for event in match.drafted(seat) if event.flights],
        speak=events_text(sight.game, events, names_of(sight)),
        turns=match.turns,
        finished=match.finished(),
        mine=mine,
        sealed=mine and len(match.to_move) > 1,
        ready=True,
        who=sight.name(seat) if seat >= 0 else '',
        names=list(names_of(sight)),
    )


def table_message(parts: Mapping[str, str], title: str, **more: Any) -> dict[str, Any]:
    """A message of these fragments; what is not given is as at a table that nobody plays at. See table.js."""
    return {
        'version': -1,
        'seat': SPECTATOR,
        'colour': '',
        'colours': [],
        'fragments': dict(parts),
        'marks': {name: mark(part) for name, part in parts.items()},
        'choices': None,
        'events': [],
        'draft': [],
        'speak': '',
        'turns': 0,
        'finished': 0,
        'mine': False,
        'sealed': False,
        'curtain': False,
        'next': SPECTATOR,
        'ready': False,
        'who': '',
        'names': [],
        'title': title,
        **more,
    }


def curtain(sight: TableView, following: int) -> dict[str, Any]:
    """What a page is told while the screen goes to the person of another seat: what a spectator may know, and no picture.
    `sight` is a spectator's."""
    match, name = sight.match, sight.name(following)
    asks = words('web.table.curtain_for', name=name)
    parts = {
        'prompt': h.section('#prompt.prompt')[sign(sight.colours[following], 30), h.div[h.p('.do')[asks]]],
        'acts': h.div('#acts.acts'),
        'drawing': h.div('#drawing'),
        'cards': h.div('#cards'),
    } | _around(sight, seat_view(sight))
    return table_message(
        {key: str(part) for key, part in parts.items()},
        words('web.table.title', game=sight.game.title),
        version=match.version(SPECTATOR),
        colours=list(sight.colours),
        speak=asks,
        turns=match.turns,
        finished=match.finished(),
        curtain=True,
        next=following,
        ready=True,
        who=name,
    )


@cache
def symbols(game: Game) -> Markup:
    """The game's symbols, once a page: without size, but displayed, for else gradients would not work."""
    text = game.draw_symbols()
    return (
        Markup(f'<svg class="symbols" width="0" height="0" aria-hidden="true" focusable="false">{text}</svg>')
        if text
        else Markup('')
    )


__all__ = [
    'SPECTATOR',
    'TableView',
    'SeatLabel',
    'Preferences',
    'choice_table',
    'fragments',
    'mark',
    'message',
    'past_fragments',
    'events_text',
    'symbols',
]
