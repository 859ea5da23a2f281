"""What spares time and memory changes nothing that anybody sees, and keeps nothing that is of no use."""

from __future__ import annotations

import asyncio
import contextlib
import operator
import threading
from functools import partial
from typing import Any, cast

import htpy
import pytest
from markupsafe import Markup
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from ludoteca.game import load, start
from ludoteca.match import Match, Setup
from ludoteca.match.knowledge import Knowledge
from ludoteca.store import SeatPlan, Store
from ludoteca.web.html.elements import h
from ludoteca.web.html.layout import text_of
from ludoteca.web.live import socket as table_socket
from ludoteca.web.live.messages import message_for
from ludoteca.web.live.open_page import OpenPage
from ludoteca.web.live.table import LiveTable
from ludoteca.web.serving.sockets import Socket
from ludoteca.web.table import cache
from ludoteca.web.table.cache import TableCache
from scripts.turn_cost import table_of

ATTRIBUTES: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((), {}),
    (('#a.b.c',), {'title': '"<&>"'}),
    (('.b',), {'data_at': '1', 'hidden': True}),
    (('.b',), {'data_at': 1, 'hidden': 1}),  # equal to those before, but written otherwise
    (({'data-x': 'y'},), {'class_': ['one', {'two': True, 'three': False}]}),
    ((), {'title': Markup('&amp;')}),
    ((), {'title': '&amp;'}),
    ((), {'disabled': False, 'aria_label': None}),
)


@pytest.mark.parametrize('times', [1, 2])
def test_elements_that_are_remembered_are_written_as_htpy_writes_them(times: int) -> None:
    for given, more in ATTRIBUTES:
        for name in ('div', 'button', 'input'):
            ours, theirs = getattr(h, name), getattr(htpy, name)
            for _ in range(times):
                assert text_of(ours(*given, **more)) == str(theirs(*given, **more))
    assert text_of(h.p['a', h.b['<'], [None, 3]]) == str(htpy.p['a', htpy.b['<'], [None, 3]])


def test_what_htpy_refuses_is_refused() -> None:
    with pytest.raises(ValueError, match='class shorthand'):
        h.div('.a b')
    with pytest.raises(TypeError):
        text_of(h.div[object()])  # type: ignore[index]


def test_an_open_socket_keeps_no_compressor() -> None:
    def never_asked(*_: object) -> None:
        """An application."""

    config = Config(never_asked, interface='asgi3')
    socket = Socket(config, ServerState(), {}, object())
    [factory] = socket.conn.available_extensions or []
    said, extension = factory.process_request_params([], [])
    assert said == [('server_no_context_takeover', None), ('client_no_context_takeover', None)]
    encoded = extension.encode(Frame(Opcode.TEXT, b'to be said ' * 100))
    assert len(encoded.data) < 100
    assert not {'encoder', 'decoder'} & vars(extension).keys()


def test_few_tables_remember_whole_views_and_many_their_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, 'VIEWS_KEPT', 2)
    monkeypatch.setattr(cache, 'TABLES_KEPT', 3)
    monkeypatch.setattr(cache, '_used', type(cache._used)())
    monkeypatch.setattr(cache, '_viewed', type(cache._viewed)())
    tables, made = [TableCache() for _ in range(4)], list[str]()

    def part(k: int) -> str:
        made.append(f'part {k}')
        return ''

    def view(k: int) -> dict[str, Any]:
        made.append(f'view {k}')
        return {}

    def use(k: int) -> None:
        tables[k].use()
        tables[k].part('part', 1, partial(part, k))
        tables[k].message('view', None, 1, partial(view, k))

    for k in (0, 0, 1, 2, 0):
        use(k)
    assert made == ['part 0', 'view 0', 'part 1', 'view 1', 'part 2', 'view 2', 'view 0']
    use(3)
    use(1)
    assert made[7:] == ['part 3', 'view 3', 'part 1', 'view 1']


@pytest.mark.parametrize('name', ['octiles', 'myrmidons'])
def test_no_guess_is_tried_twice(name: str) -> None:
    game = load(name)
    known = start(game, seed=3)
    game.kernels.hide(known, 0)
    guesses = Knowledge(game).guesses(known, 0)
    assert 1 <= len({guess.tobytes() for guess in guesses}) == len(guesses) <= 3


def test_choices_of_a_draft_are_those_that_would_be_made_anew() -> None:
    """Steps that stay keep their choices; nobody else's are kept."""
    match = Match(Setup.new('octiles', 2, seed=5))
    for _ in range(6):
        seat = match.to_move[0]
        levels = match.choices(seat)
        assert Match.rebuild(match.setup, match.entries).choices(seat) == levels
        match.act(seat, None, levels[-1].choices[0].name)


def test_who_is_waited_for_is_stored_whichever_server_stores_the_turn(tmp_path: Any) -> None:
    """A server writes only what has changed at the seats. It takes nothing for known that another one has
    written."""
    stores = [Store(f'sqlite:///{tmp_path}/shared.sqlite3', key=b'k' * 32) for _ in range(2)]
    ann = stores[0].new_person('Ann').id
    plans = [SeatPlan('person', ann), SeatPlan('person', ann)]
    table = stores[0].open_table('octiles', plans, 2, owner=ann)
    stores[0].begin(table.id)
    for k in (0, 0, 1, 0, 1, 1, 1, 0, 0):
        live = stores[k].live(table.id)
        live.catch_up()
        seat = live.match.to_move[0]
        name = live.match.names(seat)[0]
        live.change(operator.methodcaller('act', seat, None, name))
        kept = stores[1 - k].table(table.id)
        assert kept is not None
        assert [info.waiting for info in kept.seats] == [live.match.may_act(s) for s in range(2)]
        assert kept.turns == live.match.turns
    for store in stores:
        store.close()


@pytest.mark.parametrize('name', ['myriath', 'myrmidons', 'octiles'])
def test_names_are_those_of_the_choices_that_a_page_is_given(name: str) -> None:
    """A program is told names without the rest of each choice being made."""
    match = Match(Setup.new(name, 2, seed=5))
    for _ in range(8):
        for seat in (0, 1):
            names = match.names(seat)
            levels = match.choices(seat)
            found = tuple(choice.name for choice in levels[-1].choices) if levels else ()
            assert names == found == match.names(seat)
        seat = next(seat for seat in match.to_move if match.may_act(seat))
        match.act(seat, None, match.names(seat)[0])


def test_pages_wait_for_no_match_of_another_table() -> None:
    """A turn that cannot be stored just now keeps its match for many seconds."""
    tables = [table_of('octiles', 2) for _ in range(4)]
    for live, _ in tables:
        live.match()
    sent = list[int]()

    class Serves:
        """A server."""

        def message(self, live: LiveTable, page: OpenPage) -> dict[str, Any]:
            return message_for(live, page)

    async def tell(k: int) -> None:
        async def send(_: Any) -> None:
            sent.append(k)

        live, pages = tables[k]
        await table_socket.Teller(*cast(Any, (Serves(), live, pages[0], send)))._tell(0.0)

    async def run() -> None:
        held, go_on = threading.Event(), threading.Event()

        def store() -> None:
            with contextlib.ExitStack() as stack:
                for live, _ in tables[:3]:
                    stack.enter_context(live.lock)
                held.set()
                assert go_on.wait(30)

        storing = asyncio.get_running_loop().run_in_executor(None, store)
        await asyncio.to_thread(held.wait)
        assert [live.is_free for live, _ in tables] == [False, False, False, True]
        waiting = [asyncio.create_task(tell(k)) for k in range(3)]
        await asyncio.sleep(0.05)
        await asyncio.wait_for(tell(3), 20)
        assert sent == [3]
        go_on.set()
        await asyncio.gather(storing, *waiting)

    asyncio.run(run())
    assert sorted(sent) == [0, 1, 2, 3]
