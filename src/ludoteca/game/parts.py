"""The modules that a game consists of, as Protocols: what each must be able to do, and what some may.

A game's module implements a Protocol by having functions of these names and signatures; mypy compares them.
`s` is always a state of the game's own record type. Everything in the parts for people is made from hidden
states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ludoteca.drawing.svg import Symbols
from ludoteca.game.view import (
    Card,
    Event,
    Explanation,
    Panel,
    PlaceGroup,
    Prompt,
    Reason,
    Shortcut,
    Target,
    Theme,
    View,
)

if TYPE_CHECKING:
    from ludoteca.game.contract import Game


# ---- what every game has -----------------------------------------------------------------------------------


class Notation(Protocol):
    """Names of actions, and positions as plain data (notation.py)."""

    def action_name(self, s: Any, action: int) -> str:
        """The name of an action, unique among the legal ones of `s`."""

    def action_from_name(self, s: Any, text: str) -> int:
        """The inverse of `action_name`. Raises GameError with a sentence if the text names no action."""

    def to_json(self, s: Any) -> dict[str, Any]:
        """A position as plain data in its canonical form: keys in a fixed order, defaults omitted, unknown
        values null."""

    def from_json(self, data: Mapping[str, Any]) -> Any:
        """The position that `data` describes. Raises GameError if it is incomplete or impossible."""


class Board(Protocol):
    """The drawing (view/board.py)."""

    def draw(self, view: View, theme: Theme = 'light') -> str:
        """The position as SVG text.

        A drawing with exactly one action left in `view.actions` shows that action itself (where the piece
        would go, and how it gets there), so that a page draws no ghost of its own."""

    def symbols(self) -> Symbols:
        """What drawings for pages and ghosts refer to, the same for every position; none if a drawing holds
        all it needs."""


class Panels(Protocol):
    """What each player has (view/cards.py)."""

    def panels(self, view: View) -> tuple[Panel, ...]:
        """One panel a seat, in the order in which the seats have their turns."""


class Targets(Protocol):
    """What can be clicked (view/targets.py)."""

    def targets(self, s: Any, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
        """What to click, in order, to choose a legal action of the hidden state `s`. `colours` are the seats'
        as in a `View`: only ghosts depend on them."""

    def why_not(self, view: View, targets: Sequence[str]) -> str:
        """One sentence: why these targets make no action now."""


class Wording(Protocol):
    """What is said (view/wording.py)."""

    def prompt(self, view: View) -> Prompt:
        """What the viewer has to do now."""

    def text(self, view: View) -> str:
        """The board in words and characters, for terminals and screen readers."""


class Events(Protocol):
    """What happened (view/events.py)."""

    def events(
        self, before: Any, action: int, after: Any, names: Sequence[str] = (), colours: Sequence[str] = ()
    ) -> tuple[Event, ...]:
        """What happened when `action` (hidden for a seat, maybe -1) led from one hidden state to another.
        `names` and `colours` are the players' as in a `View`: for values that name several of them, or that
        are symbols of the drawing."""


# ---- what some games have ----------------------------------------------------------------------------------


class Cards(Protocol):
    """More to look at beside the board than the panels."""

    def cards(self, view: View) -> tuple[Card, ...]:
        """The cards, the most important first."""


class Explanations(Protocol):
    """What everything on the table is (view/explanations.py)."""

    def explain(self, view: View, element: str) -> Explanation | None:
        """What an element is: an id or a `data-about` of the drawing, a card or a panel, or `card-` and the
        id of a card. None for an element that means nothing."""


class Places(Protocol):
    """The board to be read and played without the drawing (view/places.py)."""

    def places(self, view: View) -> tuple[PlaceGroup, ...]:
        """The things of the board and of the cards in rows: what lies there, and every target of a legal
        action in exactly one of them. Buttons of the prompt (`do:…`) are left out; `Game.places` adds
        them."""


class Reasons(Protocol):
    """Why a turn is good, and what to notice before one (view/reasons.py)."""

    def reasons(self, view: View, turn: Sequence[int], others: Sequence[Sequence[int]]) -> tuple[Reason, ...]:
        """What a turn brings that the first of the `others` does not, in things that a player can see; the
        heaviest first. `turn` and `others` are actions from `view.state` on, each up to the first that is
        committed; `others` are the next best turns, the best first, none if there is no other.

        `view.state` is what `view.seat`, which is to move, is shown. Whatever of a turn depends on what it
        does not know is left out, so that every reason stays true."""

    def alerts(self, view: View) -> tuple[Reason, ...]:
        """Dangers and chances that the seat to move should notice before its turn, the gravest first; nothing
        once the turn has begun. They are true as the board is, whatever the seat does not know."""


class Pictures(Protocol):
    """The game's pictures in the lobby."""

    def emblem(self, theme: Theme = 'light', size: int = 640) -> str:
        """The picture on the game's card, as SVG text."""

    def badge(self, size: int = 44) -> str:
        """A small square picture for lists, as SVG text."""


class Figures(Protocol):
    """Pictures in the rulebook that show no position."""

    def figure(self, game: Game, name: str, theme: Theme = 'light') -> str:
        """The picture written `figure:NAME` in the rulebook, as SVG text; '' if there is none."""


class Stages(Protocol):
    """How far a game has come, where the number of turns does not say it."""

    def stage(self, s: Any) -> str:
        """A few words such as 'season 2 of 4'. `s` is the state as a spectator knows it."""


class Pencils(Protocol):
    """What a viewer may pencil on the drawing, in games with secrets."""

    def pencils(self, view: View, element: str) -> tuple[str, ...]:
        """The labels that may stand on an element of the drawing (`View.notes`)."""


class Redrafts(Protocol):
    """Clicks that are no legal action and still mean something."""

    def redraft(self, s: Any, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:
        """What the draft becomes if these are clicked, or the last is reached by dragging from the first,
        where that is no legal action: a step in the middle goes, a plan is turned. None if it means nothing.

        `s` is the mover's hidden state before the draft. The answer must not commit; steps that are not legal
        are left out."""


class Shortcuts(Protocol):
    """Whole turns that can be chosen at once (view/targets.py)."""

    def shortcuts(self, s: Any, colours: Sequence[str] = ()) -> tuple[Shortcut, ...]:
        """The whole turns that can be chosen by other targets than those of their steps. `s` and `colours`
        are as in `targets`; a turn may be begun in it."""


class Lists(Protocol):
    """The choices of a long list at once (view/targets.py)."""

    def named_targets(
        self, s: Any, actions: Sequence[int], colours: Sequence[str] = ()
    ) -> Iterable[tuple[str, tuple[Target, ...]]]:
        """What `action_name` and `targets` answer for each of these actions. It is for games with hundreds of
        them: what they have in common is looked up once."""


class Arranges(Protocol):
    """Things that a seat lays in any order, in phases that are `arranged`."""

    def arrange(
        self, s: Any, draft: Sequence[int], laid: Sequence[str], targets: Sequence[str]
    ) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
        """What the draft and what is laid become if these are clicked, or the last is reached by dragging
        from the first. `do:undo` takes back what was laid last, `do:clear` all. None if it means nothing.

        `laid` is the game's own list of what was laid, the last one last; what no step of the draft stands
        for yet is in it and nowhere else. It is kept for the seat alone (`View.notes` under `LAID`); what of
        it does not fit the draft means nothing. `s` and the draft of the answer are as in `redraft`."""


class Yardstick(Protocol):
    """A fixed player (evaluation.py)."""

    def yardstick(self, s: Any) -> tuple[int, ...]:
        """The best complete turn by a fixed evaluation, against which bots are measured and by which
        simulations may play: never to be improved. `s` is hidden for the seat to move; a turn may be begun in
        it."""


@dataclass(frozen=True)
class Parts:
    """The modules of a game; those that only some games have are None where they are missing."""

    notation: Notation
    board: Board
    panels: Panels
    targets: Targets
    wording: Wording
    events: Events
    cards: Cards | None = None
    explanations: Explanations | None = None
    places: Places | None = None
    reasons: Reasons | None = None
    pictures: Pictures | None = None
    figures: Figures | None = None
    stages: Stages | None = None
    pencils: Pencils | None = None
    redrafts: Redrafts | None = None
    shortcuts: Shortcuts | None = None
    lists: Lists | None = None
    arranges: Arranges | None = None
    yardstick: Yardstick | None = None
