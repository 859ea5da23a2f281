"""The lobby: lists of tables, what was played last, new tables seat by seat, invitations."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from ludoteca.game import games, load
from ludoteca.lessons import lessons
from ludoteca.match import MatchResult
from ludoteca.search import LEVELS, offered
from ludoteca.text import isolated, words
from ludoteca.text.players import listed
from ludoteca.web.pages.lobby import _result_words
from tests.web.test_interface import make
from tests.web.test_races import pair

Guest = Callable[..., TestClient]
HTML = {'Accept': 'text/html'}
JSON = {'Accept': 'application/json'}


def page(client: TestClient, path: str = '/') -> str:
    """A page as text."""
    answer = client.get(path, headers=HTML)
    assert answer.status_code == 200, answer.text
    found: str = html.unescape(answer.text)
    return found


def row(client: TestClient, table: str) -> str:
    """The row of a table in the lists of the lobby; '' if it is not there."""
    text = page(client, '/lists')
    found = re.search(rf'<li class="row[^"]*" id="row-{table}">.*?</li>', text, re.S)
    return found[0] if found else ''


def plain(text: str) -> str:
    return ' '.join(re.sub(r'<[^>]+>', ' ', text).split())


def opened(client: TestClient, form: dict[str, Any]) -> dict[str, Any]:
    """The table that a form of the lobby opens, as programs read it."""
    answer = client.post('/tables', data=form, headers=JSON)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = client.get(f'/api{answer.json()["url"]}').json()
    return found


def card(client: TestClient, game: str) -> str:
    """The card of a game."""
    cards = re.findall(r'<li class="game">.*?</li>', page(client), re.S)
    found: str = next(one for one in cards if f'>{load(game).title}</h2>' in one)
    return found


def form_of(text: str, label: str) -> dict[str, str]:
    """The hidden and chosen fields of the form whose button says this."""
    form = next(one for one in re.findall(r'<form.*?</form>', text, re.S) if label in one)
    fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    chosen = r'<input type="(?:radio|checkbox)"(?: role="switch")? name="([^"]+)" value="([^"]*)" checked'
    return dict(fields + re.findall(chosen, form))


# ---- lists -------------------------------------------------------------------------------------------------


def test_a_running_open_table_can_be_watched_and_a_private_one_cannot(guest: Guest) -> None:
    host, friend, stranger = guest(), guest(), guest()
    path, view = make(host, mode='open')
    assert 'Join' in row(stranger, view['id'])
    assert friend.post(f'{path}/join').status_code == 200
    found = row(stranger, view['id'])
    assert re.search(rf'<a class="btn s" href="/tables/{view["id"]}">.*?Watch', found)
    assert view['id'] in [table['id'] for table in stranger.get('/api/tables').json()['watch']]
    assert page(stranger, f'/tables/{view["id"]}').count('<svg')
    assert 'Watch' not in row(host, view['id'])
    private, _, _ = pair(guest)
    assert row(stranger, private.rpartition('/')[2]) == ''
    host.post(f'{path}/resign', json={})
    assert row(stranger, view['id']) == '', 'it is over'


def test_a_finished_table_says_when_against_whom_and_how_it_ended(guest: Guest) -> None:
    client = guest()
    path, view = make(client, mode='bot', level='beginner', game='myriath')
    client.post(f'{path}/resign', json={})
    found = row(client, view['id'])
    bot = next(seat['name'] for seat in view['seats'] if seat['kind'] == 'bot')
    assert f'{bot} (bot, beginner)' in plain(found)
    assert words('web.lobby.won', names=bot) in plain(found)
    assert re.search(r'<time datetime="\d{4}-\d\d-\d\d">\d{1,2} [A-Z][a-z]{2} \d{4}</time>', found)
    assert f'href="/tables/{view["id"]}"' in found
    assert 'data-link="http' in page(client, f'/tables/{view["id"]}'), 'and there is a link to pass on'
    host, friend = guest(), guest()
    path, view = make(host, mode='link')
    friend.post('/api/join', json={'invite': view['invite']['token']})
    friend.post(f'{path}/resign', json={})
    assert words('web.lobby.you_won') in plain(row(host, view['id']))


@pytest.mark.parametrize(
    ('kinds', 'winners', 'text'),
    [
        ('person person person', (0,), words('web.lobby.you_won')),
        ('bot person person', (0,), words('web.lobby.won', names='Ann')),
        ('person person person', (1, 2), words('web.lobby.won', names=listed(['Bob', 'Eve']))),
        ('person person person', (0, 1, 2), words('web.lobby.drawn')),
    ],
)
@pytest.mark.parametrize('own', [(0,), (1,), (), (0, 1, 2)])
def test_a_result_says_whose_each_score_is_the_visitors_first(
    kinds: str, winners: tuple[int, ...], text: str, own: tuple[int, ...]
) -> None:
    names, points = ('Ann', 'Bob', 'Eve'), (3, 2, 1)
    seats = [SimpleNamespace(kind=kind, name=name) for kind, name in zip(kinds.split(), names, strict=True)]
    result = MatchResult('blocked', -1, tuple((seat in winners) / len(winners) for seat in range(3)), points)
    table: Any = SimpleNamespace(result=result, seats=seats, players=3, seats_of=lambda _: own)
    said = _result_words(table, cast(Any, SimpleNamespace(id=7)))
    called = [words('web.lobby.you') if own == (seat,) else isolated(names[seat]) for seat in range(3)]
    order = sorted(range(3), key=lambda seat: seat not in own)
    scores = [words('web.lobby.score', name=called[seat], points=str(points[seat])) for seat in order]
    assert said.endswith(words('web.lobby.result', result='', scores=', '.join(scores)))
    if own == (0,) or winners != (0,):
        assert said == words('web.lobby.result', result=text, scores=', '.join(scores))


def test_tables_that_are_not_over_come_before_the_games_and_those_that_wait_first(guest: Guest) -> None:
    client = guest()
    _, over = make(client, mode='here')
    client.post(f'/api/tables/{over["id"]}/resign', json={})
    _, waiting = make(client, mode='here')
    left = client.post('/api/lessons', json={'game': 'myriath', 'lesson': 'ends', 'step': 2}).json()
    _, open_table = make(client, mode='link')
    for path in ('/', '/lists'):
        text = page(client, path)
        at = {view['id']: text.index(f'id="row-{view["id"]}"') for view in (over, waiting, left, open_table)}
        running, lists = text.index('id="running"'), text.index('id="lists"')
        games_at = text.index('<li class="game">') if path == '/' else lists
        assert running < at[waiting['id']] < min(at[left['id']], at[open_table['id']])
        assert max(at[left['id']], at[open_table['id']]) < games_at <= lists < at[over['id']]


def test_a_newcomer_has_one_place_to_begin_and_who_was_here_has_it_no_more(guest: Guest) -> None:
    client = guest()
    text = page(client)
    assert text.count('class="first-steps"') == 1
    found = re.search(r'<section class="first-steps".*?</section>', text, re.S)
    assert found
    game = form_of(found[0], 'name="game"')['game']
    answer = client.post('/lessons', data={'game': game}, headers=HTML)
    assert lessons(game)[0].said(lessons(game)[0].steps[0]) in html.unescape(answer.text)
    assert 'first-steps' not in page(client)


def test_buttons_of_one_word_are_told_apart_by_their_games(guest: Guest) -> None:
    text = page(guest())
    for key in ('bot', 'here', 'invite', 'rules', 'choices'):
        named = re.findall(rf'{words(f"web.lobby.{key}")}<span class="unseen">: ([^<]+)</span>', text)
        assert named == [load(name).title for name in games()]


def test_taglines_are_on_every_card(guest: Guest) -> None:
    client = guest()
    for name in games():
        if 'tagline' in load(name).words:
            assert load(name).words('tagline') in card(client, name)


# ---- once more ---------------------------------------------------------------------------------------------


def test_a_card_remembers_how_a_game_was_played_last(guest: Guest) -> None:
    client = guest()
    assert 'Again' not in card(client, 'octiles')
    _, first = make(client, mode='bot', players=3, level='beginner', options={'repetition': True})
    assert 'Again: beginner, 3 players' in plain(card(client, 'octiles'))
    assert 'Again' not in card(client, 'myriath')
    assert 'Again' not in card(guest(), 'octiles')
    again = opened(client, form_of(card(client, 'octiles'), 'Again'))
    assert again['id'] != first['id']
    assert again['options'] == {'repetition': True}
    assert sorted(seat['level'] for seat in again['seats']) == ['', 'beginner', 'beginner']
    stronger = opened(client, {'again': first['id'], 'level': 'medium'})
    assert sorted(seat['level'] for seat in stronger['seats']) == ['', 'medium', 'medium']
    make(client, mode='here', players=4)
    assert 'Again: here together, 4 players' in plain(card(client, 'octiles'))
    again = opened(client, form_of(card(client, 'octiles'), 'Again'))
    assert {seat['name'] for seat in again['seats']} == {'Blue', 'Red', 'Yellow', 'Green'}
    assert again['your_seats'] == [0, 1, 2, 3]
    make(client, mode='link')
    assert 'Again: by link, 2 players' in plain(card(client, 'octiles'))
    again = opened(client, form_of(card(client, 'octiles'), 'Again'))
    assert again['status'] == 'open'
    assert not again['listed']


def test_again_is_what_was_set_though_a_bot_plays_for_somebody_by_now(guest: Guest) -> None:
    host, friend, third = guest(), guest(), guest()
    bot, open_seat = {'who': 'bot', 'level': 'hard'}, {'who': 'open'}
    path, view = make(host, players=4, seats=[{'who': 'me'}, bot, open_seat, open_seat])
    for client in (friend, third):
        client.post('/api/join', json={'invite': view['invite']['token']})
    offered = card(host, 'octiles')
    gone = friend.get(path).json()['your_seats'][0]
    assert host.post(f'{path}/replace', json={'seat': gone, 'level': 'beginner'}).status_code == 200
    assert third.post(f'{path}/answer', json={'yes': True}).json()['done']
    assert host.get(path).json()['seats'][gone]['level'] == 'beginner'
    assert card(host, 'octiles') == offered
    again = opened(host, form_of(offered, words('web.lobby.again', how='')))
    assert sorted((seat['kind'], seat['level']) for seat in again['seats']) == [
        ('bot', 'hard'),
        ('open', ''),
        ('open', ''),
        ('person', ''),
    ]


def test_who_was_replaced_by_a_bot_sits_down_again(guest: Guest) -> None:
    client = guest()
    path, view = make(client, mode='bot', level='hard', players=3)
    client.post(f'{path}/resign', json={})
    again = opened(client, {'again': view['id']})
    assert sorted(seat['level'] for seat in again['seats']) == ['', 'hard', 'hard']
    assert len(again['your_seats']) == 1


def test_nobody_repeats_a_table_of_somebody_else(guest: Guest) -> None:
    _, view = make(guest(), mode='bot')
    for given in (view['id'], 'nothing', '\x00'):
        for answer in (
            guest().post('/tables', headers=JSON, data={'again': given}),
            guest().post('/api/tables', json={'again': given}),
        ):
            assert answer.status_code == 404
            assert answer.json()['detail'].endswith('.')


def test_against_bots_one_tries_again_and_the_table_remembers_it(guest: Guest) -> None:
    client, stranger = guest(), guest()
    path, view = make(client, mode='bot', level='beginner')
    address = path.removeprefix('/api')
    while not (view['may_act'] and view['turns'] and view['turns'] > view['your_seats'][0]):
        if view['may_act']:
            client.post(f'{path}/act', json={'steps': view['legal'][0]})
        view = client.get(path).json()
    assert view['rated']
    at = view['your_seats'][0]
    assert 'Try again from here' in client.get(f'{address}/at/{at}').json()['fragments']['again']
    assert stranger.post(f'{path}/retry', json={'turn': at}).status_code == 404
    answer = client.post(f'{path}/retry', json={'turn': at + 1})
    assert answer.status_code == 400
    assert answer.json()['detail'].endswith('.')
    answer = client.post(f'{path}/retry', json={'turn': at}).json()
    assert (answer['turns'], answer['may_act'], answer['rated']) == (at, True, False)
    assert not client.get('/api/tables').json()['mine'][0]['rated'], 'it is stored'
    client.post(f'{path}/resign', json={})
    assert 'not rated' in plain(row(client, view['id']))
    path, one, _ = pair(guest)
    assert one.post(f'{path}/retry', json={}).status_code == 400


# ---- a new table, seat by seat -----------------------------------------------------------------------------

MIXED = {
    'game': 'octiles',
    'players-octiles': '4',
    'seats-1': 'me',
    'seats-1-name': 'Ann',
    'seats-1-colour': 'purple',
    'seats-2': 'here',
    'seats-2-name': '  Ben  ',
    'seats-3': 'bot-hard',
    'seats-3-name': 'not of a bot',
    'seats-4': 'open',
    'seats-4-colour': '',
    'seats-5': 'bot-easy',
    'mode': 'link',
}


def test_people_at_one_screen_bots_of_any_level_and_open_seats_sit_at_one_table(guest: Guest) -> None:
    client, friend = guest(), guest()
    view = opened(client, MIXED)
    kinds = [(seat['kind'], seat['level']) for seat in view['seats']]
    assert kinds == [('person', ''), ('person', ''), ('bot', 'hard'), ('open', '')]
    assert [seat['name'] for seat in view['seats']][:2] == ['Ann', 'Ben']
    assert view['seats'][2]['name'] != 'not of a bot'
    assert view['seats'][0]['colour'] == 'purple'
    assert (view['status'], view['listed']) == ('open', False)
    joined = friend.post('/api/join', json={'invite': view['invite']['token']}).json()
    assert joined['status'] == 'running'
    assert len(client.get(f'/api/tables/{view["id"]}').json()['your_seats']) == 2
    purple = next(seat for seat in joined['seats'] if seat['colour'] == 'purple')
    assert purple['name'] == 'Ann'
    assert opened(client, {**MIXED, 'mode': 'open'})['listed']


def test_bots_of_one_table_have_levels_of_their_own(guest: Guest) -> None:
    bots = {f'seats-{k}': f'bot-{level}' for k, level in ((2, 'beginner'), (3, 'medium'), (4, 'beginner'))}
    view = opened(guest(), {**MIXED, **bots})
    assert sorted(seat['level'] for seat in view['seats']) == ['', 'beginner', 'beginner', 'medium']
    assert len({seat['name'] for seat in view['seats']}) == 4


def test_people_without_names_at_one_screen_are_called_by_their_colours(guest: Guest) -> None:
    nameless = {'seats-1-name': '', 'seats-2-name': '', 'seats-3': 'here', 'seats-4': 'here'}
    client = guest()
    client.patch('/api/me', json={'name': 'Cleo'})
    view = opened(client, {**MIXED, **nameless, 'seats-3-name': '', 'seats-3-colour': 'green'})
    by_name = {seat['name']: seat['colour'] for seat in view['seats']}
    assert by_name.pop('Cleo') == 'purple'
    assert by_name['Green'] == 'green'
    assert all(name.lower() == colour for name, colour in by_name.items())


@pytest.mark.parametrize(
    ('wrong', 'sentence'),
    [
        ({'seats-2': 'me'}, 'One of the seats is yours, and one only'),
        ({'seats-1': 'open'}, 'One of the seats is yours, and one only'),
        ({'seats-3': 'bot-genius'}, 'level'),
        ({'seats-3': 'ghost'}, 'Seat 3 is for nobody yet'),
        ({'seats-4': ''}, 'Seat 4 is for nobody yet'),
        ({'seats-4-colour': 'purple'}, 'Two players cannot both be purple'),
        ({'seats-4-colour': 'pink'}, "not a player's colour"),
        ({'players-octiles': '5'}, 'Octiles is played by 2 to 4'),
    ],
)
def test_seats_that_do_not_go_together_are_answered_in_one_sentence(
    guest: Guest, wrong: dict[str, str], sentence: str
) -> None:
    answer = guest().post('/tables', data={**MIXED, **wrong}, headers=JSON)
    assert answer.status_code == 400
    assert sentence in answer.json()['detail']
    assert answer.json()['detail'].endswith('.')
    as_page = guest().post('/tables', data={**MIXED, **wrong}, headers=HTML)
    assert as_page.status_code == 400
    assert sentence in html.unescape(as_page.text)


def test_programs_name_seats_too(guest: Guest) -> None:
    seats = [
        {'who': 'me', 'colour': 'red'},
        {'who': 'bot', 'level': 'medium'},
        {'who': 'here', 'name': 'Eve'},
    ]
    client = guest()
    view = client.post('/api/tables', json={'game': 'myriath', 'seats': seats}).json()
    assert {seat['level'] for seat in view['seats']} == {'', 'medium'}
    assert len(view['your_seats']) == 2
    answer = client.post('/api/tables', json={'game': 'myriath', 'seats': seats, 'players': 4})
    assert answer.status_code == 400
    assert answer.json()['detail'] == '3 seats are named for 4 players; name one for each.'
    assert client.post('/api/tables', json={}).status_code == 404


@pytest.mark.parametrize('name', games())
def test_the_form_works_as_a_page_without_a_script(guest: Guest, name: str) -> None:
    """Sent as it comes, it opens a table of the usual players and options."""
    client, game = guest(), load(name)
    assert f'href="/games/{name}/new"' in card(client, name)
    text = page(client, f'/games/{name}/new')
    form = re.search(r'<form method="post" action="/tables">.*?</form>', text, re.S)
    assert form
    given = form_of(text, 'Begin')
    given |= {
        field: re.findall(r'<option value="([^"]*)"( selected)?', options)[0][0]
        if ' selected' not in options
        else re.findall(r'<option value="([^"]*)" selected', options)[0]
        for field, options in re.findall(r'<select[^>]* name="([^"]+)".*?>(.*?)</select>', form[0], re.S)
    }
    for member in (field for field in given if f'type="checkbox" name="{field}"' in form[0]):
        given[member] = re.findall(rf'type="checkbox" name="{member}" value="([^"]+)" checked', form[0])  # type: ignore[assignment]
    view = opened(client, given)
    assert view['players'] == (game.usual_players or game.players[0])
    assert view['options'] == dict(game.usual_options)
    assert 'data-script' not in form[0]


def test_forms_offer_the_levels_of_a_game_and_number_of_players_and_no_others(guest: Guest) -> None:
    client = guest()
    lobby = page(client)
    for name in games():
        game = load(name)
        given = set(re.findall(r'name="level" value="([^"]+)"', card(client, name)))
        assert given == set(offered(game, game.usual_players or game.players[0]))
        for text in (lobby, page(client, f'/games/{name}/new')):
            for kinds in re.findall(r'<select[^>]* name="seats-\d"[^>]*>(.*?)</select>', text, re.S):
                options = re.findall(
                    r'<option value="bot-([^"]+)"(?: selected)?(?: data-only="([^"]+)")?>', kinds
                )
                assert [level for level, _ in options] == [one for one in LEVELS if one in dict(options)]
                for players in game.players:
                    place = f'{name}-{players}'
                    there = [level for level, only in options if not only or place in only.split()]
                    assert there == list(offered(game, players))


def test_a_form_without_a_script_takes_the_next_weaker_level_and_a_name_from_elsewhere_is_taken_as_it_is(
    guest: Guest,
) -> None:
    client = guest()
    bots = {f'seats-{k}': f'bot-{level}' for k, level in ((2, 'very-hard'), (3, 'expert'), (4, 'easy'))}
    view = opened(client, {**MIXED, **bots})
    assert sorted(seat['level'] for seat in view['seats']) == ['', 'easy', 'expert', 'hard']
    view = opened(client, {**MIXED, **bots, 'players-octiles': '2'})
    assert sorted(seat['level'] for seat in view['seats']) == ['', 'very-hard']
    view = opened(client, {'game': 'myrmidons', 'mode': 'bot', 'level': 'hard'})
    assert sorted(seat['level'] for seat in view['seats']) == ['', 'medium']
    for name, level in (('myrmidons', 'hard'), ('mykerinos', 'very-hard')):
        view = client.post('/api/tables', json={'game': name, 'level': level}).json()
        assert {seat['level'] for seat in view['seats']} == {'', level}
        again = opened(client, {'again': view['id']})
        assert {seat['level'] for seat in again['seats']} == {'', level}
        known = next(one for one in client.get('/api/games').json() if one['name'] == name)
        assert level not in known['levels']


@pytest.mark.parametrize('name', games())
def test_usual_numbers_and_options_can_be_played(guest: Guest, name: str) -> None:
    game, client = load(name), guest()
    game.checked(game.usual_players, game.options.read(game.usual_options))
    view = opened(client, form_of(card(client, name), 'Play a bot'))
    assert view['players'] == (game.usual_players or game.players[0])
    assert view['options'] == dict(game.usual_options)


def test_games_are_shown_at_their_best(guest: Guest) -> None:
    assert load('mykerinos').usual_players == 3
    assert load('myraclia').usual_options == {'cubes': 3}


# ---- invitations -------------------------------------------------------------------------------------------


def test_a_link_shows_who_invites_to_what_and_who_sits_there(guest: Guest) -> None:
    host, friend = guest(), guest()
    host.patch('/api/me', json={'name': 'Ann'})
    view = opened(host, {**MIXED, 'seats-1-name': '', 'option-octiles-repetition': 'true'})
    text = page(friend, f'/join/{view["invite"]["token"]}')
    assert 'Ann invites you to Octiles' in text
    assert load('octiles').words('tagline') in text
    shown = plain(text)
    assert f'4 players · {load("octiles").words("option.repetition")}' in shown
    bot = view['seats'][2]['name']
    assert re.search(rf'Ann\W+Ben\W+{bot} \(bot, hard\)\W+open seat', shown)
    assert re.search(r'data-sit="Sit down as #"[^>]*>Sit down as \w+<', text)
    assert host.get(f'/api/tables/{view["id"]}').json()['status'] == 'open', 'to look takes nothing'


def test_an_open_table_says_who_invites_before_anybody_sits_down(guest: Guest) -> None:
    host, stranger = guest(), guest()
    host.patch('/api/me', json={'name': 'Ann'})
    _, view = make(host, mode='open', options={'repetition': True})
    told = stranger.get(f'/tables/{view["id"]}/view').json()['fragments']
    assert 'Ann invites you to Octiles' in told['prompt']
    assert load('octiles').words('option.repetition') in told['heading']
    assert 'Waiting for players' in host.get(f'/tables/{view["id"]}/view').json()['fragments']['prompt']
