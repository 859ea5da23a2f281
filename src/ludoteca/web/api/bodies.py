"""The bodies of requests, as the interface declares them.

Their words are read by people who write programs.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ludoteca.web.live.new_tables import Mode, Who
from ludoteca.web.offers.catalogue import USUAL_LEVEL


class Given(BaseModel):
    """What a request may hold: nothing besides what is declared, and no text in place of a number."""

    model_config = ConfigDict(extra='forbid', strict=True)


class Me(Given):
    """Changes of what is known about you."""

    name: str | None = Field(None, max_length=200, description='Your name, 1 to 24 letters.')
    settings: dict[str, bool | str] | None = Field(
        None,
        description='theme, confirm, coordinates, marks, deductions, warn, sound, haptics, notify, colour.',
    )


class NewSeat(Given):
    """Who takes part at a new table."""

    who: Who = Field(
        description='me: you; here: somebody at your screen; bot; open: whoever takes the seat. Who sits '
        'where is drawn.'
    )
    level: str = Field(USUAL_LEVEL, max_length=60, description='Of a bot.')
    name: str = Field('', max_length=200, description='Of a person; without it, yours, or the colour.')
    colour: str = Field('', max_length=10)


class NewTable(Given):
    """A table to be opened."""

    game: str = Field('', max_length=40, description='Its name; needed unless `again` is given.')
    mode: Mode = Field(
        'bot',
        description='bot: against bots; here: all seats yours; link: by invitation; open: in the lobby.',
    )
    players: int | None = Field(None, ge=1, le=9, description='Without it, the fewest that the game allows.')
    level: str | None = Field(None, max_length=60, description=f'Of the bots; without it, {USUAL_LEVEL}.')
    seats: list[NewSeat] = Field(
        default_factory=list,
        max_length=9,
        description='Who takes part, one of them you; `mode` then only says who may take open seats: open, '
        'or link.',
    )
    again: str = Field(
        '',
        max_length=32,
        description='Id of a table of yours: the same game, options and bots once more, the bots of '
        '`level` if it is given.',
    )
    options: dict[
        str, bool | int | Annotated[str, Field(max_length=400)] | list[Annotated[str, Field(max_length=40)]]
    ] = Field(
        default_factory=dict, max_length=20, description="The game's options; a set of names as a list."
    )
    colours: list[Annotated[str, Field(max_length=10)]] = Field(
        default_factory=list,
        max_length=8,
        description=(
            'Your colour (here: of as many players as you like); '
            'without it, the one of your settings if it is free.'
        ),
    )
    hints: bool = Field(False, description='May people who play each other ask for hints?')


class Invitation(Given):
    """A link token."""

    invite: str = Field(max_length=100)


class SeatGiven(Given):
    """A seat, where it is not clear."""

    seat: int | None = Field(None, ge=0, le=8)


class Colour(SeatGiven):
    """The colour of a seat."""

    colour: str = Field(max_length=10, description='blue, red, yellow, green or purple; empty: what is left.')


class Act(SeatGiven):
    """Steps of a turn."""

    version: int | None = Field(None, description='The version of the view that this answers.')
    steps: str = Field(
        min_length=1, max_length=2000, description='Names of steps or of a whole turn, separated by spaces.'
    )
    keep: int | None = Field(
        None,
        ge=0,
        le=1000,
        description='Of your draft so many steps stay before these follow; without it, all.',
    )
    rest: bool = Field(
        False, description='With `keep`: the other steps of the draft follow again, each that is still legal.'
    )
    anyway: bool = Field(False, description='Play it, whatever your setting `warn` would say of it.')


class StepBack(SeatGiven):
    """A step back within your draft."""

    version: int | None = None
    keep: int | None = Field(None, ge=0, le=1000, description='So many steps stay; without it, all but one.')


class Versioned(SeatGiven):
    """A question about a position."""

    version: int | None = None


class Hinted(Versioned):
    """How much a hint is to tell."""

    stage: int = Field(3, ge=1, le=4, description='1: where to look, 2: the thing, 3: the turn, 4: why.')


class Retried(SeatGiven):
    """A position to play on from."""

    turn: int | None = Field(
        None, ge=0, description='After which turn; without it, before your own last one.'
    )


class Replace(Given):
    """Somebody who left."""

    seat: int = Field(ge=0, le=8)
    level: str = Field('medium', max_length=60)


class Rematch(Given):
    """What you want to play."""

    best_of: Literal[1, 3] = Field(
        1, description='3: up to three games, until somebody has won two; a shared win counts half.'
    )


class RequestAnswer(SeatGiven):
    """Your answer to a request."""

    yes: bool


class Clicked(SeatGiven):
    """What was clicked."""

    targets: list[Annotated[str, Field(max_length=100)]] = Field(max_length=20)


class Explained(SeatGiven):
    """Things of a drawing, a card or a panel."""

    elements: list[Annotated[str, Field(max_length=100)]] = Field(
        min_length=1,
        max_length=12,
        description='Their ids or what `data-about` names, the one that is meant first.',
    )
    turn: int | None = Field(None, ge=0, description='After which turn; without it, now.')
    eyes: int | None = Field(
        None,
        ge=-1,
        le=8,
        description='With `turn`, of a match that is over: as this seat knew it then (-1: a spectator).',
    )


class Dragged(Clicked):
    """What was clicked, or dragged from the first to the last."""

    version: int | None = Field(None, description='The version of the view that this answers.')


class Arrangement(Versioned):
    """How you want to arrange your things."""

    favourite: str = Field('', max_length=40, description='Id of one of your favourites; without it:')
    steps: str = Field('', max_length=2000, description='Names of all steps, separated by spaces.')


class Kept(SeatGiven):
    """An arrangement to be kept."""

    name: str = Field(max_length=200, description='1 to 40 letters; a favourite of the same name gives way.')
    last: str = Field(
        '', max_length=40, description='The step that would end it, if several are left to choose from.'
    )


class FavouriteGiven(Given):
    """One of your favourites."""

    favourite: str = Field(max_length=40)


class Pencilled(SeatGiven):
    """Something in the drawing."""

    element: str = Field(max_length=100, description='Its id in the drawing.')


class Note(Pencilled):
    """What you pencil on something."""

    labels: list[Annotated[str, Field(max_length=40)]] = Field(
        max_length=40, description='None: it is rubbed out.'
    )


class NewLesson(Given):
    """A lesson to be opened."""

    game: str = Field(max_length=40, description='Its name.')
    lesson: str = Field(
        '', max_length=40, description='Its id; without it, the one that was left last, or the next one.'
    )
    step: int | None = Field(
        None, ge=0, le=99, description='Where it begins, from 0; without it, where it was left.'
    )


class LessonWay(Given):
    """The way on or back in a lesson."""

    way: Literal['next', 'back', 'repeat', 'play_on'] = Field(
        description='next: after a step that is only read; repeat: from the first step; play_on: after the '
        'last step, against beginners.'
    )
    step: int = Field(ge=0, le=99, description='The step that this answers, from 0.')


class NewPuzzle(Given):
    """A puzzle to be opened; with nothing given, the one of the day."""

    puzzle: str = Field('', max_length=60, description='Its id.')
    game: str = Field('', max_length=40, description='Without an id: the next puzzle of this game.')
    grade: str = Field('', max_length=20, description='Of the next puzzle; see the list.')


class ExerciseWay(Given):
    """The way on in an exercise."""

    way: Literal['again', 'solution', 'on'] = Field(
        description='again: after a wrong answer, or from the start when it is over; on: after a '
        'solution, to the next turn that is to be found.'
    )
    step: int = Field(ge=0, le=9, description='The task that this answers, from 0.')


class Said(Given):
    """A line of chat."""

    text: str = Field(max_length=2000)


class Fill(Given):
    """A bot for an open seat."""

    seat: int | None = Field(None, ge=0, le=8, description='Without it, all open seats.')
    level: str = Field('medium', max_length=60)


class Label(SeatGiven):
    """What a token is for."""

    label: str = Field('', max_length=40)
