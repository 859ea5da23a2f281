"""The queue in which messages are made: what is due first comes first, and a message tells what has changed
while it waited."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from functools import partial

import pytest

from ludoteca.web.live.bots import PATIENCE
from ludoteca.web.live.message_queue import MessageQueue
from ludoteca.web.live.open_page import OpenPage
from ludoteca.web.live.table import MOVER
from ludoteca.web.people.visitors import Visitor
from scripts.turn_cost import table_of


def held(queue: MessageQueue[int]) -> Callable[[], None]:
    """Keep the thread of a queue at work until the answer is called."""
    go_on = threading.Event()

    def wait() -> int:
        assert go_on.wait(20)
        return 0

    queue.submit(0.0, wait)
    return go_on.set


def test_what_is_due_first_comes_first_and_of_equals_what_came_first() -> None:
    queue, made = MessageQueue[int]('test'), list[int]()

    def make(k: int) -> int:
        made.append(k)
        return k

    go_on = held(queue)
    found = [queue.submit(due, partial(make, k)) for k, due in enumerate((3.0, 1.0, 2.0, 1.0))]
    go_on()
    assert [one.result(20) for one in found] == [0, 1, 2, 3]
    assert made == [1, 3, 2, 0]


def test_a_message_that_nobody_waits_for_is_not_made_and_a_failure_ends_nothing() -> None:
    queue, made = MessageQueue[int]('test'), list[int]()
    go_on = held(queue)

    def make() -> int:
        made.append(0)
        return 0

    def fail() -> int:
        raise ValueError

    gone, failed = queue.submit(1.0, make), queue.submit(2.0, fail)
    last = queue.submit(3.0, lambda: 7)
    assert gone.cancel()
    go_on()
    with pytest.raises(ValueError):
        failed.result(20)
    with pytest.raises(CancelledError):
        gone.result(20)
    assert (last.result(20), made) == (7, [])


def test_what_changes_while_a_page_stands_in_line_is_told_by_the_message_that_it_waits_for() -> None:
    live, (page, _) = table_of('octiles', 2)
    woken = list[float | None]()
    page.listen(lambda: woken.append(page.due))
    page.touch()
    page.touch(5.0)  # what may wait longer makes nobody wait
    assert len(woken) == 2
    assert woken[0] == woken[1]
    page.begin()
    begun = page.due
    page.touch()  # while it is made
    due = page.due
    assert begun is None, 'both are told by it'
    assert due is not None, 'that is told by the next one'
    assert live.match().version(0) == 0


def due_after(touch: Callable[[], None], pages: list[OpenPage]) -> list[float]:
    """By when each page is due, in seconds after now; -1 if it is not."""
    for page in pages:
        page.begin()
    now = time.monotonic()
    touch()
    return [-1.0 if page.due is None else page.due - now for page in pages]


def test_those_who_wait_for_a_turn_come_before_the_one_who_made_it_and_bots_come_last() -> None:
    live, pages = table_of('octiles', 3)
    for page in pages:
        live.open_page(page)
    mover = pages[1].visitor
    a, b, c = due_after(lambda: live.touch(None, mover), pages)
    assert max(a, c) < MOVER / 2
    assert b >= MOVER
    assert min(due_after(lambda: live.touch(patience=PATIENCE), pages)) >= PATIENCE
    assert due_after(lambda: live.touch([2]), pages)[:2] == [-1.0, -1.0]


class BegunMeanwhile(OpenPage):
    """A page whose message is begun in another thread whenever somebody has looked when it is due."""

    kept: float | None = None

    @property
    def _due(self) -> float | None:
        found = self.kept
        self.kept = None
        return found

    @_due.setter
    def _due(self, due: float | None) -> None:
        self.kept = due


def test_what_changes_while_a_message_is_begun_makes_the_page_due_the_next_one() -> None:
    page = BegunMeanwhile(Visitor(None, 'Ann'))
    page.touch()
    page.touch()
    assert page.kept is not None
