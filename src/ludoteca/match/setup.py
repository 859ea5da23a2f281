"""The set-up of a match: who sits where, and from what the game starts."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Self

from ludoteca.game import COLOURS, GameError, State, Value, load, start
from ludoteca.kernel import seed_words, start_generator
from ludoteca.search import as_guessed
from ludoteca.text import words

PERSON: Final = 'person'
BOT: Final = 'bot'
WHOLE: Final = -2
"""In place of the seat that knows a position: nothing of it is unknown."""
NAME_LENGTH = 40


@dataclass(frozen=True)
class Seat:
    """Who plays a seat: the name shown, a person or a bot, and the bot's level ('' for a person)."""

    name: str = ''
    kind: Literal['person', 'bot'] = PERSON
    level: str = ''


def clean_name(text: str) -> str:
    """A name that a person typed, as it is kept: one line, no control characters, at most 40 characters."""
    return ' '.join(''.join(c if c.isprintable() else ' ' for c in text).split())[:NAME_LENGTH].strip()


@dataclass(frozen=True)
class Setup:
    """What a match starts from.

    `version` is that of the rules under which the match began, `options` are those that differ from their
    defaults, `seed` is 128 bits as 32 hexadecimal digits and secret until the match is over. `colours` are
    the palette's names of the seats' colours; none if they are the game's own. They change what people see,
    and nothing in the game. `lesson` is the id of the lesson that the match is, `exercise` that of the
    exercise; '' for all other matches. `imported`: it was read from a file, which may say anything of who
    played.

    A match may begin with a `position` (its JSON form, as secret as the seed). What the seat `knower` does
    not know of it is filled in by one guess, always the same, and the seed is of no use then. If the position
    is whole, `knower` is WHOLE, and the chance to come follows from the seed.
    """

    game: str
    version: int
    players: int
    options: Mapping[str, Value]
    seed: str
    seats: tuple[Seat, ...]
    colours: tuple[str, ...] = ()
    lesson: str = ''
    exercise: str = ''
    position: Mapping[str, Any] | None = None
    knower: int = 0
    imported: bool = False

    @classmethod
    def new(
        cls,
        game: str,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        seats: Sequence[Seat] = (),
        seed: int | str | None = None,
        colours: Sequence[str] = (),
    ) -> Self:
        """A checked set-up. Without a seed the system's entropy is used; missing seats are nameless people,
        bots without a name are called by their level; colours that are missing or '' are dealt
        (`deal_colours`). The caller draws who sits where (`draw_seats`). Raises GameError."""
        rules = load(game)
        players = max(len(seats), rules.players[0]) if players is None else players
        if len(seats) > players:
            raise GameError(words('match.error.seats', seats=len(seats), players=players))
        for seat in seats:
            if seat.kind not in (PERSON, BOT):
                raise GameError(words('match.error.seat_kind', kind=seat.kind))
        chosen = rules.options.read(options or {})
        # checks the number of players and what the options say together
        start(rules, players, 0, chosen)
        parts = [secrets.randbits(32) for _ in range(4)] if seed is None else seed_words(seed).tolist()
        value = sum(int(part) << 32 * k for k, part in enumerate(parts))
        if seed is None:
            # so that the number is taken as it is, see kernel.seed_words
            value |= 1 << 127
        filled = [*seats, *(Seat() for _ in range(players - len(seats)))]
        named = tuple(
            replace(s, name=clean_name(s.name) or (s.level if s.kind == BOT else '')) for s in filled
        )
        own = rules.colours(players)
        dealt = deal_colours(own, colours)
        return cls(
            game,
            rules.version,
            players,
            chosen.changed(),
            f'{value:032x}',
            named,
            () if dealt == own else dealt,
        )

    def json(self) -> dict[str, Any]:
        """As plain data for a database (secret: it holds the seed)."""
        data = {
            'game': self.game,
            'version': self.version,
            'players': self.players,
            'options': dict(self.options),
            'seed': self.seed,
            'seats': [[s.name, s.kind, s.level] for s in self.seats],
        }
        data |= {'colours': list(self.colours)} if self.colours else {}
        data |= {'lesson': self.lesson} if self.lesson else {}
        data |= {'exercise': self.exercise} if self.exercise else {}
        if self.position is not None:
            data |= {'position': dict(self.position), 'knower': self.knower}
        data |= {'imported': True} if self.imported else {}
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `json`."""
        return cls(
            data['game'],
            data['version'],
            data['players'],
            dict(data['options']),
            data['seed'],
            tuple(Seat(name, kind, level) for name, kind, level in data['seats']),
            tuple(data.get('colours', ())),
            data.get('lesson', ''),
            data.get('exercise', ''),
            data.get('position'),
            data.get('knower', 0),
            data.get('imported', False),
        )

    def start(self) -> State:
        """The true state before the first turn. Raises GameError if the game no longer knows such a
        set-up."""
        game = load(self.game)
        if self.position is None:
            return start(game, self.players, int(self.seed, 16), self.options)
        state: State = game.from_json(self.position)
        if int(state.players) != self.players:
            raise GameError(words('match.error.position', players=self.players, given=int(state.players)))
        if self.knower != WHOLE:
            return as_guessed(game, state, self.knower)
        if not state.ending:
            start_generator(state, seed_words(int(self.seed, 16)))
        return state


def deal_colours(own: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """The colours of all seats. A seat without a `wanted` colour ('' or missing) gets the game's own (`own`)
    if it is free, else the first free one. Raises GameError if a wanted one is no colour, is wanted twice, or
    is for no seat."""
    if len(wanted) > len(own):
        raise GameError(words('match.error.colours', players=len(own), colours=len(wanted)))
    for seat, colour in enumerate(wanted):
        if colour and colour not in COLOURS:
            raise GameError(words('match.error.no_colour', colour=colour[:40], colours=', '.join(COLOURS)))
        if colour and colour in wanted[:seat]:
            raise GameError(words('match.error.same_colour', colour=colour))
    dealt = [
        colour or ('' if own[seat] in wanted else own[seat])
        for seat, colour in enumerate((*wanted, *[''] * (len(own) - len(wanted))))
    ]
    for seat, colour in enumerate(dealt):
        dealt[seat] = colour or next(one for one in (*own, *COLOURS) if one not in dealt)
    return tuple(dealt)


def draw_seats(n: int) -> tuple[int, ...]:
    """A random order of `n` people, from the system's entropy: for each seat who sits there."""
    order = list(range(n))
    secrets.SystemRandom().shuffle(order)
    return tuple(order)
