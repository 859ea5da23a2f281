"""The pages of rules: chapters and paragraphs that can be linked to, readings apart, contents, the brief, and
the search over all of them."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import ludoteca
from ludoteca.game import games, load
from ludoteca.web.html import rulebook
from ludoteca.web.html.rulebook import READINGS, Book, _base_book, address_of, book
from ludoteca.web.html.search import search, stem
from tests.web.test_interface import make

OWN = [name for name in games() if name != 'toy']
Guest = Callable[..., TestClient]
HTML = {'Accept': 'text/html'}


def written(name: str) -> Book:
    """The rulebook of a game, which is there."""
    found = book(name)
    assert found is not None
    return found


def pages_of(client: TestClient, name: str) -> dict[str, str]:
    """The page of a game's rules and that of its readings, by their paths."""
    paths = (f'/games/{name}/rules', f'/games/{name}/readings')
    return {path: client.get(path, headers=HTML).text for path in paths}


@pytest.mark.parametrize('name', games())
def test_every_heading_of_a_column_says_something(guest: Guest, name: str) -> None:
    for path, text in pages_of(guest(), name).items():
        assert not re.findall(r'<th[^>]*>\s*</th>', text), path


@pytest.mark.parametrize('name', games())
def test_every_paragraph_and_every_heading_can_be_linked_to(guest: Guest, name: str) -> None:
    client = guest()
    pages = pages_of(client, name)
    lessons = {f'/games/{name}/learn': client.get(f'/games/{name}/learn', headers=HTML).text}
    for path, text in pages.items():
        main = text[text.index('<main') : text.index('</main>')]
        ids = re.findall(r' id="([^"]+)"', main)
        assert len(ids) == len(set(ids)), path
        for inside in re.findall(r'<h[2-6]([^>]*)>', main):
            assert 'id=' in inside or 'answered' in main, path
        for address in re.findall(r'href="([^"]*#[^"]+)"', text):
            there, _, id_ = html.unescape(address).partition('#')
            assert f' id="{id_}"' in ((pages | lessons)[there] if there else text), address
    found = written(name)
    for chapter in (found.head, *found.chapters, *found.readings):
        for passage in chapter.passages:
            path, _, id_ = address_of(load(name), passage.id).partition('#')
            assert f' id="{id_}"' in pages[path], passage.id


def test_a_paragraph_keeps_its_address_when_others_come_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = load('octiles').rules()
    more = text.replace('\n\n', '\n\nSomething new.\n\n').replace('* **17', '* **Another** one.\n* **17')

    def ids(rules: str) -> list[str]:
        monkeypatch.setattr(type(load('octiles')), 'rules', lambda self: rules)
        _base_book.cache_clear()
        found = written('octiles')
        return [one.id for chapter in (*found.chapters, *found.readings) for one in chapter.passages]

    before, after = ids(text), ids(more)
    _base_book.cache_clear()
    assert len(after) > len(before) + 20
    assert set(before) <= set(after)


@pytest.mark.parametrize('name', OWN)
def test_the_rules_begin_with_half_a_page_for_beginners(name: str) -> None:
    """Goal, a turn, the end, and what beginners get wrong, with a picture or two."""
    chapter = written(name).chapters[0]
    assert chapter.id == rulebook.BRIEF
    text = [passage for passage in chapter.passages if not passage.is_heading]
    leads = [passage.id.partition('.')[2] for passage in text[:4]]
    assert leads[0] == 'goal'
    assert leads[2:] == ['the-end', 'what-beginners-get-wrong']
    assert 100 <= sum(len(passage.text.split()) for passage in text[:4]) <= 180
    assert 1 <= chapter.html.count('<img') <= 2


@pytest.mark.parametrize('name', games())
def test_contents_list_all_chapters(guest: Guest, name: str) -> None:
    found = written(name)
    rules, readings = pages_of(guest(), name).values()
    for text, chapters in ((rules, found.chapters), (readings, found.readings)):
        contents = text[text.index('<details class="contents"') : text.index('</aside>')]
        listed = re.findall(r'href="#([^"]+)"', contents)
        wanted = [id_ for one in chapters for id_ in (one.id, *(part for part, _ in one.parts))]
        assert listed[: len(wanted)] == wanted


@pytest.mark.parametrize('name', OWN)
def test_readings_say_question_answer_and_why_on_a_page_of_their_own(guest: Guest, name: str) -> None:
    found, game = written(name), load(name)
    rules, readings = pages_of(guest(), name).values()
    assert f'href="/games/{name}/readings"' in rules
    assert all(chapter.id in READINGS for chapter in found.readings)
    assert not [chapter for chapter in found.chapters if chapter.id in READINGS]
    answered = re.findall(r'<section class="answered"[^>]*>(.*?)</section>', readings, re.DOTALL)
    assert len(answered) >= 7
    for one in answered:
        assert [len(re.sub('<[^>]+>', '', part)) > 2 for part in re.findall(r'<(?:h3|dd)>.*?</', one)] == [
            True
        ] * 3
    # what is reconstructed is said plainly, as the table of components has it
    for part, known in game.certainty.items():
        kind = known.split(' ')[0].rstrip(':,;')
        assert f'<b>{kind}</b>' in readings
        assert html.escape(known.removeprefix(kind), quote=False)[:40] in html.unescape(readings), part
    assert bool(game.reconstructed) == any(chapter.id == READINGS[0] for chapter in found.readings)


@pytest.mark.parametrize('name', games())
def test_footnotes_of_cards_lead_to_a_chapter_of_the_rules(guest: Guest, name: str) -> None:
    chooser, position = random.Random(name), ludoteca.new(name, seed=1)
    pages = pages_of(guest(), name)
    for _ in range(60):
        for card in position.game.cards(position.view()):
            assert bool(card.chapter) >= bool(card.footnote), card.id
            path, _, id_ = address_of(position.game, card.chapter).partition('#')
            assert not card.footnote or f'id="{id_}"' in pages[path], card.chapter
        if position.over:
            break
        position.apply(chooser.choice(position.actions()))


# ---- the search


@pytest.mark.parametrize(
    ('one', 'other'),
    [('Tiles', 'tile'), ('cities', 'city'), ('FAÇADE', 'facade'), ('crosses', 'cross'), ('passing', 'passed'),
     ('reserved', 'reserve'), ('running', 'run'), ('boxes', 'box')],
)  # fmt: skip
def test_forms_of_a_word_are_one_word_to_the_search(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_the_search_shows_the_sentence_and_leads_to_the_paragraph(guest: Guest) -> None:
    client = guest()
    text = client.get('/rules?q=Wild+CARD+resérvations', headers=HTML).text
    hit = re.search(
        r'<li><a href="/games/myraclia/rules#(wild-cards\.[^"]+)">.*?<p>(.*?)</p>', text, re.DOTALL
    )
    assert hit
    assert '<mark>cards</mark>' in hit[2]
    assert '<mark>reservation</mark>' in hit[2]
    assert 'terraforming only' in hit[2]
    assert f' id="{hit[1]}"' in client.get('/games/myraclia/rules', headers=HTML).text
    # readings are found too, on their own page
    assert '/games/myraclia/readings#readings-and-decisions.d13' in client.get('/rules?q=cube+left+disk').text
    # the game from whose page one asks comes first, whichever that is
    for name in games():
        found = client.get(f'/rules?q=players&first={name}', headers=HTML).text
        assert re.search(r'<section aria-label="([^"]+)"', found)[1] == load(name).title  # type: ignore[index]


def test_a_search_without_hits_says_so_and_proposes_words(guest: Guest) -> None:
    client = guest()
    text = client.get('/rules?q=teraform', headers=HTML).text
    assert 'Nothing in the rules or readings has all these words: teraform.' in html.unescape(text)
    assert '<a href="/rules?q=terraform">terraform</a>' in text
    for query in ('%20', '', '%3Cscript%3E', '***', 'the'):
        answer = client.get(f'/rules?q={query}', headers=HTML)
        assert answer.status_code == 200
        assert '<script>' not in answer.text
    assert client.get('/rules?q=' + 'x' * 101, headers=HTML).status_code in (400, 422)
    assert client.get('/rules?q=x&first=nothing', headers=HTML).status_code == 200


@pytest.mark.parametrize('name', games())
def test_all_that_is_written_can_be_found(name: str) -> None:
    """Three words of a passage find it."""
    chooser = random.Random(name)
    found = written(name)
    passages = [one for part in (*found.chapters, *found.readings) for one in part.passages]
    for passage in chooser.sample(passages, min(12, len(passages))):
        words = re.findall(r'\w{4,}', passage.text)[:3]
        if words:
            assert passage in [one.passage for one in search(name, ' '.join(words))], passage.id


# ---- the table page ----------------------------------------------------------------------------------------


@pytest.mark.parametrize('name', OWN)
def test_every_button_of_the_prompt_is_explained(guest: Guest, name: str) -> None:
    """As the page shows it at the beginning, and after a step of one's own."""
    client, hidden = guest(), load(name).hidden  # with secrets a shared screen has a curtain
    path, _ = make(client, game=name, mode='bot' if hidden else 'here')
    for _ in range(1 if hidden else 2):
        text = client.get(path.removeprefix('/api'), headers=HTML).text
        acts = text[text.index('<div id="acts"') : text.index('<div id="past"')]
        names = re.findall(r'<(?:button|a)[^>]*?data-about="([^"]+)"', acts)
        assert len(names) == len(re.findall('<button|<a ', acts)) > 1
        useless = re.findall(r'<button(?=[^>]* disabled)[^>]*data-about="([^"]+)"', acts)
        assert useless
        for one in [*names, *(f'{about}-off' for about in useless)]:
            found = client.post(f'{path}/explain', json={'elements': [one]}).json()
            assert found['element'] == one, one
            assert found['text'].endswith('.')
            assert found['rules'].startswith(f'/games/{name}/r'), one
        if not hidden:
            step = client.post(f'{path}/hint', json={}).json()['turn'].split(' ')
            client.post(f'{path}/act', json={'steps': step[0]})


def test_the_log_has_one_heading_and_one_line_tells_what_was_missed(guest: Guest) -> None:
    client = guest()
    path, _ = make(client, mode='here')
    text = client.get(path.removeprefix('/api'), headers=HTML).text
    assert len(re.findall(r'<h2[^>]*>Moves</h2>', text)) == 1
    assert re.search(r'<section id="happened"[^>]*><button id="since"', text)
    assert text.count('id="since"') == 1
