"""A page that puts together what it is sent has the whole page, whatever happens in whatever order."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections import deque
from pathlib import Path
from typing import Any

import pytest

import ludoteca.web
from ludoteca.game import GameError
from ludoteca.store import Person
from ludoteca.web.html.layout import Markup, h, text_of
from ludoteca.web.live.messages import first_message, message_for
from ludoteca.web.live.open_page import OpenPage
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.table.messages import mark
from ludoteca.web.table.pieces import BETWEEN, Change, change, cut, cut_once, is_worth
from scripts.turn_cost import table_of
from tests.width import width

STEPS = width(40, 300)
GAMES = ('myrmidons', 'myraclia', 'octiles')  # sealed choices and a curtain, drafts, neither


def merged(text: str, told: Change) -> str:
    """The fragment that a change makes of an older one: what pieces.js does."""
    pieces, found, ahead = cut(text), list[str](), iter(told)
    for one in ahead:
        if isinstance(one, str):
            found.append(one)
        else:
            count = next(ahead)
            assert isinstance(count, int)
            found += pieces[one : one + count]
    return BETWEEN.join(found)


class Browser:
    """What table.js does with messages: `fragments` are those on the page, `marks` say which it has."""

    def __init__(
        self, page: OpenPage, message: dict[str, Any], own: tuple[int, ...], merges: bool = True
    ) -> None:
        self.page, self.now, self.own, self.merges = page, message, own, merges
        self.changes = 0
        self.socket: deque[dict[str, Any]] = deque()
        self.asked: deque[dict[str, Any]] = deque()
        self.hello()

    def hello(self) -> None:
        """The socket was opened anew: what was on its way is lost."""
        self.socket.clear()
        said = {'merges': self.merges} | {key: self.now[key] for key in ('turns', 'seat')}
        self.page.hello({**said, 'have': self.now['marks'], 'here': self.page.here}, self.own)

    def receive(self, message: dict[str, Any]) -> None:
        """A message of the socket."""
        now = self.now
        if message['version'] < now['version'] and message['seat'] == now['seat']:
            return
        came, changes = dict(message['fragments']), message.get('changes', {})
        if fits := all(now['marks'].get(name) == one['of'] for name, one in changes.items()):
            came |= {name: merged(now['fragments'][name], one['told']) for name, one in changes.items()}
        marks = {**now['marks'], **{name: message['marks'][name] for name in came}}
        if not fits or any(marks.get(name) != mark for name, mark in message['marks'].items()):
            self.page.lacks(now['marks'], now['turns'])
            return
        self.changes += len(changes)
        assert all(mark(part) == marks[name] for name, part in came.items())
        self.now = {**message, 'fragments': {**now['fragments'], **came}, 'marks': marks}

    def answer(self, view: dict[str, Any]) -> None:
        """A view that was asked for."""
        newest = self.socket[-1] if self.socket else self.now
        older = view['serial'] < newest['serial'] and view['version'] <= newest['version']
        if not (view['seat'] == newest['seat'] and older):
            self.receive(view)


def person(name: str, rng: random.Random) -> Person:
    """A person with settings by lot."""
    settings = {key: rng.random() < 0.5 for key in ('coordinates', 'marks', 'places')}
    return Person(name, name, {**settings, 'log': rng.choice(('sentences', 'notation'))}, 0.0, 0.0)


@pytest.mark.parametrize('name', GAMES)
@pytest.mark.parametrize('shared', [False, True])
def test_merged_fragments_are_the_whole_page(name: str, shared: bool) -> None:
    """One of the pages puts changes together, the other one knows whole fragments only."""
    rng = random.Random(f'{name} {shared}')
    live, pages = table_of(name, 2, one_person=shared)
    match = live.match()
    browsers = [
        Browser(page, first_message(live, page.visitor), live.seats_of(page.visitor), merges=not k)
        for k, page in enumerate(pages)
    ]
    compared = 0
    for _ in range(STEPS):
        act(rng, live, browsers)
        for browser in browsers:
            if rng.random() < 0.6:
                news = browser.page.news(message_for(live, browser.page))
                browser.socket.extend([news] if news else [])
            for queue, take in ((browser.socket, browser.receive), (browser.asked, browser.answer)):
                while queue and rng.random() < 0.5:
                    take(queue.popleft())
        if rng.random() < 0.3:
            live.touch()
            for browser in browsers:
                settle(live, browser)
                whole = message_for(
                    live, OpenPage(browser.page.visitor, browser.now['seat'], here=browser.page.here)
                )
                assert browser.now['fragments'] == whole['fragments']
                assert browser.now['choices'] == whole['choices']
                compared += 1
        if match.status != 'running':
            break
    assert compared > 3
    assert [bool(browser.changes) for browser in browsers] == [True, False]


def settle(live: Any, browser: Browser) -> None:
    """All that is on its way arrives, until nothing more comes."""
    for _ in range(4):
        news = browser.page.news(message_for(live, browser.page))
        browser.socket.extend([news] if news else [])
        while browser.asked:
            browser.answer(browser.asked.popleft())
        while browser.socket:
            browser.receive(browser.socket.popleft())


def act(rng: random.Random, live: Any, browsers: list[Browser]) -> None:
    """Something happens at the table, or to one of the pages."""
    match, browser = live.match(), rng.choice(browsers)
    kind = rng.choice(('step', 'step', 'step', 'step', 'undo', 'ask', 'settings', 'hello', 'here'))
    if kind in ('step', 'undo'):
        seat = next(seat for seat in match.to_move if match.may_act(seat))
        try:
            if kind == 'undo':
                match.undo(seat)
            else:
                match.act(seat, None, rng.choice(match.choices(seat)[-1].choices).name)
        except GameError:
            return  # there is nothing to undo
        live.touch()
    elif kind == 'ask':
        browser.asked.append(first_message(live, browser.page.visitor, browser.page.here))
    elif kind == 'settings' and not browser.asked:
        visitor: Visitor = browser.page.visitor
        assert visitor.id is not None
        visitor.become(person(visitor.id, rng))
        browser.page.touch()
    elif kind == 'hello':
        browser.hello()
    elif kind == 'here':
        browser.page.come(
            rng.choice((None, *live.seats_of(browser.page.visitor))), live.seats_of(browser.page.visitor)
        )


def test_what_a_page_says_while_its_message_is_made_counts_for_the_next_one() -> None:
    live, (page, _) = table_of('octiles', 2)
    whole = page.news(message_for(live, page))
    assert whole is not None
    made = message_for(live, page)
    page.lacks({}, 0)
    assert page.news(made) is None
    again = page.news(message_for(live, page))
    assert again is not None
    assert again['fragments'] == whole['fragments']
    assert page.news(message_for(live, page)) is None


def test_what_was_in_a_message_that_was_passed_over_is_sent_again() -> None:
    live, (page, _) = table_of('octiles', 2)
    match, own = live.match(), live.seats_of(page.visitor)
    while match.to_move != (0,):
        seat = match.to_move[0]
        match.act(seat, None, match.choices(seat)[-1].choices[0].name)
    browser = Browser(page, first_message(live, page.visitor), own)
    settle(live, browser)
    begun = next(choice.name for choice in match.choices(0)[-1].choices if not choice.commits)

    match.act(0, None, begun)
    late = page.news(message_for(live, page))
    assert late is not None
    assert 'drawing' in late['fragments'] | late['changes']
    match.undo(0)
    browser.answer(first_message(live, page.visitor))  # overtakes it
    browser.receive(late)
    match.act(0, None, begun)
    news = page.news(message_for(live, page))
    assert news is not None
    assert 'drawing' not in news['fragments'] | news.get('changes', {})
    browser.receive(news)
    settle(live, browser)
    assert browser.now['fragments'] == first_message(live, page.visitor)['fragments']


# ---- changes piece by piece --------------------------------------------------------------------------------

PIECES = ('<a', '/a', 'b', '', 'long enough to be named by its number', 'another one of that length', 'é😀')


def two_fragments(rng: random.Random) -> tuple[str, str]:
    """A fragment, and one that has pieces of it."""
    before = [rng.choice(PIECES) for _ in range(rng.randrange(1, 30))]
    first, last = sorted(rng.randrange(len(before) + 1) for _ in range(2))
    now = [*before[:first], *rng.choices(PIECES, k=rng.randrange(1, 5)), *before[last:]]
    if rng.random() < 0.3:
        rng.shuffle(before)
    return BETWEEN.join(before), BETWEEN.join(now)


def test_a_change_makes_the_fragment_of_the_one_before() -> None:
    rng = random.Random(1)
    for _ in range(width(500, 5000)):
        before, now = two_fragments(rng)
        assert merged(before, change(cut_once(before)[1], *cut_once(now))) == now


def test_a_change_of_little_is_short() -> None:
    before = BETWEEN.join(f'piece number {k} of the drawing' for k in range(1000))
    now = before.replace('number 500', 'number five hundred')
    told = change(cut_once(before)[1], *cut_once(now))
    assert is_worth(told, now)
    assert len(json.dumps(told)) < 80


def test_pages_put_changes_together_as_the_server_means_them() -> None:
    """pieces.js in Node, beside the same in Python."""
    node = shutil.which('node')
    if node is None:
        pytest.skip('Node.js is missing; type-checking the browser modules needs it, too')
    rng, cases = random.Random(2), []
    for _ in range(100):
        before, now = two_fragments(rng)
        cases.append([before, change(cut_once(before)[1], *cut_once(now)), now])
    module = (Path(ludoteca.web.__file__).parent / 'static' / 'pieces.js').read_text('utf-8')
    run = """
        const [module, cases] = JSON.parse(require('fs').readFileSync(0, 'utf-8'));
        import('data:text/javascript,' + encodeURIComponent(module)).then(({ merged, wholeFragments }) => {
            const wrong = cases.filter(([before, told, now]) => merged(before, told) !== now);
            const has = { fragments: { a: 'x' }, marks: { a: '1' } };
            const other = wholeFragments({}, { a: { of: '2', told: [0, 1] } }, has);
            console.log(JSON.stringify([wrong.length, other]));
        });
    """
    said = subprocess.run(
        [node, '-e', run], input=json.dumps([module, cases]), capture_output=True, text=True, check=True
    )
    assert json.loads(said.stdout) == [0, None]


def test_nodes_are_written_as_htpy_writes_them() -> None:
    def node() -> h.Element:
        return h.div('#a.b', title='"<&>"')[
            'text & <more>',
            Markup('<i>as it is</i>'),
            None,
            True,
            False,
            7,
            [h.br, h.input(disabled=True), (h.span[part] for part in ('one', 'two'))],
            h.fragment[h.b['bold'], ' ', 'plain'],
            h.section,
        ]

    assert text_of(node()) == str(node())
