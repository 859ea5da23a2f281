"""Who sits where now, and what seats ask of each other: to take turns back, to put a bot on the seat of
somebody who left, to play again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from ludoteca.game import GameError
from ludoteca.match.history import History
from ludoteca.match.log import NotYourTurn, Request
from ludoteca.match.setup import BOT, PERSON, Seat
from ludoteca.text import words

Asked = Literal['takeback', 'replace', 'rematch']


class Requests:
    """The seats and the open request. Its methods change nothing else: the match carries out what a request
    asks for."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self._first_seats = tuple(seats)
        self.seats = list(seats)
        self.open: Request | None = None
        self._resigned: set[int] = set()
        self._replaced: set[int] = set()

    def copy(self) -> Requests:
        """The same state, changed independently."""
        other = Requests(self._first_seats)
        other.seats, other.open = list(self.seats), self.open
        other._resigned, other._replaced = set(self._resigned), set(self._replaced)
        return other

    # ---- seats

    def resign(self, seat: int) -> None:
        """Note that a seat has resigned."""
        self._resigned.add(seat)

    def check_resign(self, seat: int) -> None:
        """Raises NotYourTurn if the seat has resigned already."""
        if seat in self._resigned:
            raise NotYourTurn(words('match.error.resigned'))

    def check_person(self, seat: int) -> None:
        """Raises NotYourTurn if a bot plays on for the person of this seat."""
        self.check_resign(seat)
        if self.seats[seat].kind == BOT:
            raise NotYourTurn(words('match.error.replaced'))

    def seat_bot(self, seat: int, level: str, may_return: bool = False) -> None:
        """Put a bot on a seat; `may_return`: its person may take it back."""
        self.seats[seat] = Seat(self.seats[seat].name, BOT, level)
        if may_return:
            self._replaced.add(seat)

    def check_return(self, seat: int) -> None:
        """Raises GameError if no bot has replaced the person of this seat."""
        if not self.is_replaced(seat):
            raise GameError(words('match.error.come_back'))

    def is_replaced(self, seat: int) -> bool:
        """Has a bot replaced the person of this seat?"""
        return seat in self._replaced

    def seat_person(self, seat: int) -> None:
        """The person whom a bot replaced is back."""
        self._replaced.discard(seat)
        self.seats[seat] = self._first_seats[seat]

    def check_alone(self, seat: int) -> None:
        """Raises GameError unless all other seats are bots whose places nobody may take back."""
        others = (other for other in range(len(self.seats)) if other != seat)
        if any(self.seats[other].kind == PERSON or other in self._replaced for other in others):
            raise GameError(words('match.error.retry_people'))

    # ---- asking

    def check_takeback(self, seat: int, history: History) -> int:
        """How many turns stay if the seat takes its last one back. Raises GameError if it may not ask for
        that."""
        if self.open:
            raise GameError(words('match.error.request'))
        own = [turn.batch for turn in history.turns if turn.seat == seat]
        if not own:
            raise GameError(words('match.error.nothing_to_take_back'))
        first = history.states[history.turns[own[-1]].first]
        if first.reveals != history.state.reveals and any(s.kind == BOT for s in self.seats):
            raise GameError(words('match.error.revealed'))
        return own[-1]

    def check_replace(self, seat: int, leaver: int) -> None:
        """Raises GameError if the seat may not ask to put a bot on the leaver's."""
        if self.open:
            raise GameError(words('match.error.request'))
        if len(self.seats) < 3:
            raise GameError(words('match.error.two_players'))
        if self.seats[leaver].kind == BOT or leaver == seat:
            raise GameError(words('match.error.replace'))

    def check_rematch(self) -> None:
        """Raises GameError if a rematch cannot be asked for, since another one is."""
        if self.open:
            raise GameError(words('match.error.request'))

    def ask(self, kind: Asked, seat: int, value: int, level: str) -> None:
        """Open a request: all other people must agree, a leaver excepted. A rematch is for those who began
        the match."""
        waiting = tuple(
            k
            for k, s in enumerate(self._first_seats if kind == 'rematch' else self.seats)
            if s.kind == PERSON and k != seat and not (kind == 'replace' and k == value)
        )
        self.open = Request(kind, seat, value, level, waiting)

    def check_answer(self, seat: int, yes: bool) -> Request:
        """The open request. Raises GameError if there is none or the seat has no say in it."""
        request = self.open
        if not request or not request.waiting:
            raise GameError(words('match.error.no_request'))
        refuses = not yes and (seat == request.seat or (request.kind == 'replace' and seat == request.value))
        if seat not in request.waiting and not refuses:
            raise GameError(words('match.error.no_answer'))
        return request

    def answer(self, seat: int, yes: bool) -> None:
        """Note a seat's answer; a no ends the request."""
        if self.open:
            waiting = tuple(k for k in self.open.waiting if k != seat)
            self.open = replace(self.open, waiting=waiting) if yes else None

    def take_agreed(self) -> Request | None:
        """Close and return the open request if everybody who must agree has agreed. Bots agree always; a
        request whose asker has become a bot is closed. A rematch that all want stays open: nothing can follow
        it here."""
        request = self.open
        if request and request.kind == 'rematch':
            return None if request.waiting else request
        if request and any(self.seats[k].kind == BOT for k in (request.seat, *request.waiting)):
            waiting = tuple(k for k in request.waiting if self.seats[k].kind == PERSON)
            self.open = request = (
                None if self.seats[request.seat].kind == BOT else replace(request, waiting=waiting)
            )
        if request is None or request.waiting:
            return None
        self.open = None
        return request

    def turn_committed(self, seats: Sequence[int], over: bool) -> Request | None:
        """Close a request that a committed turn of these seats answers: a takeback, or the replacement of a
        player who has now moved. Returns the request that has lapsed so."""
        request = self.open
        if request and (request.kind == 'takeback' or over or request.value in seats):
            self.open = None
            return request
        return None
