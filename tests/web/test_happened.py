"""What has happened at a table: looking back, the result, the log, the turns of the others, recaps."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from starlette.testclient import TestClient

from ludoteca.game import SPECTATOR, games, load
from ludoteca.match import Match, MatchResult, Seat, Setup
from ludoteca.text import capitalized, words
from ludoteca.web.people.preferences import Preferences
from ludoteca.web.pictures.scenes import ending
from ludoteca.web.table.cache import TableCache
from ludoteca.web.table.log import moves
from ludoteca.web.table.messages import fragments, past_fragments
from ludoteca.web.table.model import SeatLabel, TableView
from ludoteca.web.table.wording import did_text, gains_of, signed, turn_text
from tests.width import games_tested, width

TOLD = [name for name in games_tested() if name in ('mykerinos', 'myraclia')]


@cache
def played(name: str, players: int = 0, turns: int = 10_000, seed: int = 4) -> Match:
    """A match of random turns, as long as `turns` says at most."""
    game, rng = load(name), random.Random(f'{name} {seed}')
    n = players or game.players[0]
    match = Match(
        Setup.new(name, n, seats=[Seat(f'Name {k}') for k in range(n)], seed=seed), clock=lambda: 0.0
    )
    while match.status == 'running' and match.turns < turns:
        seat = next(seat for seat in match.to_move if match.may_act(seat))
        match.act(seat, None, rng.choice(match.names(seat)))
    return match


def sight(match: Match, seat: int, mine: tuple[int, ...] | None = None) -> TableView:
    """The table of a match as a visitor sees it."""
    labels = tuple(SeatLabel(f'Name {k}', 'person', mine=k == seat) for k in range(match.setup.players))
    own = (seat,) if seat >= 0 else ()
    return TableView('table', match, seat, own if mine is None else mine, labels)


def scores(players: str) -> list[tuple[str, str]]:
    """The scores in the panels."""
    return re.findall(r'class="score">.*?<b>([^<]*)</b>|<em[^>]*>([^<]*)<', players)


def plain(html: str) -> str:
    """The text of a fragment."""
    return ' '.join(re.sub(r'<[^>]+>', ' ', html).split())


@pytest.mark.parametrize('name', games_tested())
def test_rows_of_the_log_that_are_remembered_are_those_that_would_be_made(name: str) -> None:
    """One memory serves all seats, spectators and ways of telling, while the match goes on and at its end."""
    kept, texts = TableCache(), set[str]()
    match = Match(played(name).setup, clock=lambda: 0.0)
    for k, entry in enumerate(played(name).entries):
        match.act(entry.seat, None, entry.name)
        if k % width(60, 7) and match.status == 'running':
            continue
        for seat in range(-1, match.setup.players):
            for log in ('sentences', 'notation'):
                plainly = replace(sight(match, seat), preferences=Preferences(log=log))
                rows = match.log(seat, uncovered=match.result is not None)
                texts.add(made := str(moves(plainly, rows)))
                assert str(moves(replace(plainly, remember=kept.part), rows)) == made
    assert len(texts) > 2


# ---- looking back, the result ------------------------------------------------------------------------------


@pytest.mark.parametrize('name', games_tested())
def test_looking_back_shows_the_panels_and_the_stage_of_then(name: str) -> None:
    match = played(name)
    start = played(name, turns=0)
    looked = past_fragments(sight(match, 0), 0)[0]
    assert 'won' not in plain(looked['players'])
    assert scores(looked['players']) == scores(fragments(sight(start, 0))['players'])
    assert plain(looked['heading']) == plain(fragments(sight(start, 0))['heading']) or load(name).arranged
    last = past_fragments(sight(match, 0), match.turns)[0]
    assert plain(last['players']) == plain(fragments(sight(match, 0))['players'])


@pytest.mark.parametrize('name', games_tested())
def test_panels_stand_in_turn_order_and_the_visitors_own_comes_last(name: str) -> None:
    players = load(name).players[-1]
    match = played(name, players, turns=0)
    for seat in range(players):
        seats = [int(at) for at in re.findall(r'data-seat="(\d)"', fragments(sight(match, seat))['players'])]
        order = [panel.seat for panel in load(name).panels(match.view(seat))]
        assert seats[-1] == seat
        assert seats == [order[(order.index(seat) + 1 + k) % players] for k in range(players)]


def test_who_wins_is_told_so_and_others_by_name() -> None:
    match = played('octiles').copy()
    if match.result is None or len(match.result.winners) != 1:
        match = played('octiles', turns=3).copy()
        match.resign(0)
    assert match.result is not None
    winner = match.result.winners[0]
    assert 'You win' in plain(fragments(sight(match, winner))['result'])
    assert 'You win' in plain(fragments(sight(match, winner))['prompt'])
    for table in (
        sight(match, 1 - winner),
        sight(match, -1),
        sight(match, winner, mine=(0, 1)),
    ):
        assert f'Name {winner} wins' in plain(fragments(table)['result'])
        assert 'You win' not in ''.join(fragments(table).values())


def test_several_who_share_a_win_are_named_and_only_all_together_draw() -> None:
    match = played('octiles', 3, turns=3).copy()
    for winners, said in (
        ((1, 2), 'Name 1 and Name 2 share the win'),
        ((0, 1, 2), 'A draw'),
    ):
        outcome = tuple((seat in winners) / len(winners) for seat in range(3))
        match._result = MatchResult('blocked', -1, outcome, (0.0, 0.0, 0.0))
        for seat in (0, 1, -1):
            assert said in plain(fragments(sight(match, seat))['result'])
            assert said in plain(fragments(sight(match, seat))['prompt'])
        assert ending(match, ('Name 0', 'Name 1', 'Name 2')) == f'{said}.'


def test_nobody_is_told_to_have_won_what_a_bot_has_won_after_a_resignation() -> None:
    match = played('octiles', 3, turns=3).copy()
    match.resign(1, 'easy')
    match._result = MatchResult('home', -1, (0.0, 1.0, 0.0), (0.0, 0.0, 0.0))
    assert 'Name 1 wins' in plain(fragments(sight(match, 1))['result'])
    assert 'You win' not in ''.join(fragments(sight(match, 1)).values())
    assert not sight(match, 1).won


@pytest.mark.parametrize('name', games_tested())
def test_a_name_written_from_right_to_left_moves_nothing_that_stands_beside_it(name: str) -> None:
    """It stands in Unicode's isolates, or alone."""
    seen = 0
    for turns in (6, 10_000):
        match = played(name, turns=turns)
        called = [f'\u05d3\u05df {k}' for k in range(match.setup.players)]
        labels = tuple(SeatLabel(one, 'person') for one in called)
        for seat in (-1, 0):
            table = TableView('table', match, seat, (), labels)
            for html in fragments(table).values():
                for beside in re.finditer('(.)(\u05d3\u05df \\d)(.)', html):
                    before, _, after = beside.groups()
                    assert before + after in ('\u2068\u2069', '><', '""'), html[
                        max(0, beside.start() - 80) :
                    ][:160]
                    seen += before == '\u2068'
    assert seen > 4


@pytest.mark.parametrize('name', games())
def test_nothing_lies_over_the_board_when_a_match_is_over(name: str) -> None:
    parts = fragments(sight(played(name), 0))
    assert parts['status'] == '<div id="status"></div>'
    assert 'data-act="play"' in parts['result']


@pytest.mark.parametrize(
    ('won', 'level', 'next_'),
    [
        (True, 'easy', 'medium'),
        (True, 'hard', 'very hard'),
        (True, 'expert', ''),
        (False, 'hard', 'medium'),
        (False, 'expert', 'very hard'),
        (False, 'beginner', ''),
        (True, '', ''),
    ],
)
def test_the_card_of_the_result_has_a_rematch_once_and_after_a_win_a_stronger_bot_else_a_weaker(
    won: bool, level: str, next_: str
) -> None:
    match = played('octiles')
    assert match.result
    winner = match.result.winners[0]
    table = sight(match, winner if won else 1 - winner)
    labels = [SeatLabel('Bot', 'bot' if level else 'person', level)] * 2
    labels[table.seat] = table.labels[table.seat]
    parts = fragments(replace(table, labels=tuple(labels)))
    assert ''.join(parts.values()).count('data-about="act-rematch"') == 1
    assert 'data-about="act-rematch"' in parts['result']
    assert (f'Try {next_}' in plain(parts['result'])) == bool(next_)
    assert ('Try ' in plain(parts['result'])) == bool(next_)
    assert 'Replay' in plain(parts['result'])
    if next_:
        assert f'name="again" value="{table.id}"' in parts['result']
        assert f'name="level" value="{next_.replace(" ", "-")}"' in parts['result']


def test_after_a_level_that_is_no_longer_offered_its_neighbours_are() -> None:
    match = played('myrmidons')
    assert match.result
    tried = set()
    for seat in (0, 1):
        table, labels = sight(match, seat), [SeatLabel('Bot', 'bot', 'hard')] * 2
        labels[seat] = table.labels[seat]
        tried |= set(
            re.findall(r'Try (\w+)', plain(fragments(replace(table, labels=tuple(labels)))['result']))
        )
    assert tried == {'medium', 'expert'}


def test_who_watches_is_offered_no_other_bot() -> None:
    match = played('octiles')
    assert 'Try ' not in plain(fragments(sight(match, -1))['result'])


def test_a_game_that_was_tried_again_says_that_it_is_not_rated() -> None:
    seats = [Seat('Ann'), Seat('Ben', 'bot', 'easy')]
    match = Match(Setup.new('octiles', 2, seats=seats, seed=1), clock=lambda: 0.0)
    labels = (SeatLabel('Ann', 'person', mine=True), SeatLabel('Ben', 'bot', 'easy'))
    table = TableView('table', match, 0, (0,), labels)

    def play() -> None:
        match.act(match.to_move[0], None, match.names(match.to_move[0])[0])

    assert re.search(r'data-act="retry" data-asks="yes" disabled', fragments(table)['menu'])
    while match.turns < 3:
        play()
    parts = fragments(table)
    assert re.search(r'data-act="retry" data-asks="yes">', parts['menu'])
    assert 'data-act="takeback"' not in parts['menu']
    assert 'not rated' not in parts['heading']
    own = next(at for at in range(3) if match.movers(at) == (0,))
    assert 'Try again from here' in past_fragments(table, own)[0]['again']
    assert 'Try again' not in past_fragments(table, own + 1)[0]['again'], 'it is the turn of a bot there'
    match.retry(0, own)
    while match.to_move == (0,):
        play()
    parts = fragments(table)
    assert 'not rated' in parts['heading']
    assert 'tries again: this game does not count' in parts['moves']
    assert 'data-act="retry" data-asks="no">' in parts['menu'], 'nothing is lost any more'
    match.resign(0)
    assert 'Not rated' in fragments(table)['result']


@pytest.mark.parametrize('name', [name for name in games_tested() if not load(name).parts.stages])
def test_a_match_that_is_over_has_begun_no_further_round(name: str) -> None:
    match = played(name)
    heading = plain(fragments(sight(match, 0))['heading'])
    rounds = -(-match.finished() // match.setup.players)
    assert words('web.table.round', n=rounds) in heading
    assert words('web.table.round', n=rounds + 1) not in heading
    assert heading == plain(past_fragments(sight(match, 0), match.turns)[0]['heading'])


def test_the_loser_reads_the_points_of_both_and_how_it_ended() -> None:
    match = played('octiles', turns=3).copy()
    for scores_, by, points in (((5.0, 4.0), -1, ' 5–4'), ((2.0, 3.0), -1, ''), ((5.0, 4.0), 1, '')):
        match._result = MatchResult('home', by, (1.0, 0.0), scores_)
        for seat, key in ((0, 'yours'), (1, 'won')):
            said = words(f'web.table.result.{key}', name='Name 0') + points
            for part in ('result', 'prompt'):
                text = plain(fragments(sight(match, seat))[part])
                assert said in text
                assert re.search(r'\d–\d', text) is None or points
    match._result = MatchResult('home', -1, (1.0, 0.0), (5.0, 4.0))
    over = load('octiles').words('ending.home', player='Name 0')
    assert over in plain(fragments(sight(match, 1))['prompt'])


def test_several_players_at_one_screen_are_not_all_called_you() -> None:
    match = played('octiles', turns=2)
    labels = tuple(SeatLabel(f'Name {k}', 'person', mine=True) for k in range(2))
    you = f'· {words("web.table.you")}'
    both, one = (TableView('table', match, 0, mine, labels) for mine in ((0, 1), (0,)))
    assert you in plain(fragments(one)['players'])
    assert you not in plain(fragments(both)['players'])


def test_who_has_sealed_a_choice_is_not_to_move_at_the_same_screen_and_afterwards() -> None:
    match = Match(Setup.new('myrmidons', 2, seats=[Seat('Ann'), Seat('Ben')], seed=1), clock=lambda: 0.0)
    labels = tuple(SeatLabel(name, 'person', mine=True) for name in ('Ann', 'Ben'))
    match.act(0, None, match.shuffle(0))
    tag = words('web.table.to_move')
    assert plain(fragments(TableView('table', match, 1, (0, 1), labels))['players']).count(tag) == 1
    assert plain(fragments(TableView('table', match, 1, (1,), labels))['players']).count(tag) == 2
    match.act(1, None, match.shuffle(1))
    assert [match.movers(at) for at in range(3)] == [(0, 1), (1,), match.to_move]


def test_only_options_that_somebody_chose_are_told() -> None:
    """Pages propose three cubes at the start of Myraclia, though the rules begin with two."""
    for cubes, told in ((3, False), (2, True)):
        match = Match(Setup.new('myraclia', 2, {'cubes': cubes}, seed=1), clock=lambda: 0.0)
        label = load('myraclia').words('option.cubes')
        assert (label in plain(fragments(sight(match, 0))['heading'])) == told


def test_a_half_point_looks_alike_before_and_after_it_is_made() -> None:
    match, seen = played('myriath', turns=12), 0
    for row in match.log(0):
        before = match.view(row.seat, at=row.number - 1).state
        action = match.game.action_from_name(before, row.name)
        ghosts = [target.ghost for target in match.game.targets(before, action) if target.ghost]
        shown = {seat: text for ghost in ghosts for seat, text in ghost.gains}
        assert shown == {seat: signed(points) for seat, points in gains_of(row.events).items()}
        seen += '½' in str(shown)
    assert seen


def test_a_sentence_above_the_board_names_the_turn_that_scored() -> None:
    match, seen = played('myraclia'), 0
    for turns in range(4, match.turns):
        now = played('myraclia', turns=turns)
        for seat in (0, 1):
            rows = [row for row in now.log(seat) if row.seat != seat and row.number > now.own_last(seat)]
            gains = [gains_of(row.events).get(1 - seat, 0) for row in rows]
            if len(rows) < 2 or max(gains) <= 0 or gains[-1] == max(gains):
                continue
            best = rows[gains.index(max(gains))]
            said = plain(fragments(sight(now, seat))['happened'])
            assert turn_text(now.game, best.events, ('Name 0', 'Name 1'), 1 - seat) in said
            seen += 1
        if seen > 2:
            break
    assert seen


# ---- the log -----------------------------------------------------------------------------------------------


def rows_of(moves: str) -> list[str]:
    """The rows and headings of the log, from top to bottom."""
    return re.findall(r'<li.*?</li>', moves, re.DOTALL)


@pytest.mark.parametrize('name', games_tested())
def test_the_log_tells_turns_in_sentences_oldest_first_with_headings_above_them(name: str) -> None:
    match = played(name)
    rows = rows_of(fragments(sight(match, 0))['moves'])
    numbers = [int(at) for row in rows for at in re.findall(r'data-at="(\d+)"', row)]
    assert numbers == list(range(match.turns + 1))
    assert 'class="rd"' in rows[1], 'the first heading stands above the first turn'
    assert sum('tabindex="0"' in row for row in rows) == 1
    assert 'tabindex="0"' in rows[-1]
    told = [
        plain(re.findall(r'class="mv">(.*)</span><span class="pts"', row)[0])
        for row in rows
        if 'class="pts"' in row
    ]
    assert len(told) == match.turns
    assert all(text[-1] == '.' for text in told)
    assert 'deploy ' not in ' '.join(told)


@pytest.mark.parametrize('name', [name for name in games_tested() if name != 'toy'])
def test_every_turn_is_told_by_what_its_player_did(name: str) -> None:
    match = played(name, load(name).players[-1])
    names = [f'Name {k}' for k in range(match.setup.players)]
    for row in match.log(SPECTATOR, uncovered=True):
        assert row.kind != 'turn' or did_text(match.game, row.events, names, row.seat), row


@pytest.mark.parametrize('name', [name for name in games_tested() if name != 'toy'])
def test_points_in_the_log_add_up_to_the_scores(name: str) -> None:
    match = played(name)
    assert match.result is not None
    assert match.result.by < 0
    total = [0.0] * match.setup.players
    for row in match.log(-1, uncovered=True):
        for event in row.events:
            for seat, points in event.gains:
                assert points
                total[seat] += points
    begun = np.zeros(load(name).players[-1])
    load(name).kernels.scores(match.setup.start(), begun)
    assert total == [end - start for end, start in zip(match.result.scores, begun, strict=False)]
    assert ('class="pt ' in fragments(sight(match, 0))['moves']) == any(total)


def test_the_log_is_in_notation_for_those_who_prefer_it() -> None:
    match = played('myraclia')
    table = replace(sight(match, 0), preferences=Preferences.read({'log': 'notation'}))
    notation = fragments(table)['moves']
    assert any(row.name in plain(notation) for row in match.log(0) if 'terraform' in row.name)
    assert 'terraformed' not in notation
    assert 'terraformed' in fragments(sight(match, 0))['moves']


def test_a_line_up_is_told_in_words_and_a_fight_has_a_sign() -> None:
    match = played('myrmidons')
    moves = fragments(sight(match, 0))['moves']
    assert capitalized(load('myrmidons').words('log.did.arrayed')) in moves
    fights = sum(any('defender' in event.values for event in row.events) for row in match.log(0))
    assert fights
    assert (
        moves.count('<svg class="icon"')
        - fragments(sight(played('octiles'), 0))['moves'].count('<svg class="icon"')
        == fights
    )


# ---- the turns of the others -------------------------------------------------------------------------------


@pytest.mark.parametrize('name', games_tested())
def test_every_opponents_turns_since_my_own_are_told_above_the_board(name: str) -> None:
    players = load(name).players[-1]
    match = played(name, players, turns=17)
    own, rows = match.own_last(0), [row for row in match.log(0) if row.kind == 'turn']
    assert all(row.seat != 0 for row in rows[own:])
    assert not own or rows[own - 1].seat == 0
    line = fragments(sight(match, 0))['happened']
    seats = list(dict.fromkeys(row.seat for row in rows[own:]))
    told = re.findall(r'data-from="(\d+)" data-until="(\d+)"', line)
    assert len(told) == len(seats)
    for seat, (start, end) in zip(seats, told, strict=True):
        of_it = [row.number for row in rows[own:] if row.seat == seat]
        assert (int(start), int(end)) == (of_it[0] - 1, of_it[-1])
        assert f'Name {seat}' in line


@pytest.mark.skipif('myraclia' not in TOLD, reason='another game is tested')
def test_one_more_turn_is_told_as_one() -> None:
    matches = (played('myraclia', turns=turns) for turns in (14, 20, 50))
    told = [fragments(sight(match, seat))['happened'] for match in matches for seat in (0, 1)]
    one, two = (words(f'web.table.happened.{key}', turn='', n=2) for key in ('one_more', 'more'))
    assert any(one in line for line in told)
    assert any(
        re.search(two.replace('2', r'\d').replace('(', r'\(').replace(')', r'\)'), line) for line in told
    )
    assert not any(two.replace('2', '1') in line for line in told)


@pytest.mark.parametrize('name', ['octiles', 'myriath', 'mykerinos'])
def test_the_marks_of_all_opponents_stay_until_my_own_turn_is_over(name: str) -> None:
    match = played(name, 3, turns=0).copy()
    while match.turns < 3 or match.own_last(0) != match.turns - 2:  # two others have moved since
        seat = match.to_move[0]
        match.act(seat, None, match.names(seat)[0])
    marked = [event.seat for event in match.recent(0) if event.elements]
    assert {1, 2} <= set(marked)
    assert 0 not in marked
    view = match.view(0)
    assert len(match.recent(0)) > len(view.last)
    drawing = fragments(sight(match, 0))['drawing']
    assert drawing.count('var(--last)') + drawing.count('-last"') > match.game.draw(view, 'page').count(
        'var(--last)'
    ) + match.game.draw(view, 'page').count('-last"')


# ---- recaps ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize('name', TOLD)
def test_points_of_all_recaps_add_up_to_the_scores(name: str) -> None:
    match = played(name)
    assert match.result is not None
    total, recaps = [0.0] * match.setup.players, 0
    for at in range(1, match.turns + 1):
        told = past_fragments(sight(match, 0), at)[0]['recap']
        recaps += f'data-at="{at}"' in told
        for gains in re.findall(r'data-gains="([^"]*)"', told):
            for gain in gains.split():
                seat, points = gain.split(':')
                total[int(seat)] += float(points)
    assert tuple(total) == match.result.scores
    assert recaps >= 4


@pytest.mark.skipif('mykerinos' not in TOLD, reason='another game is tested')
def test_what_the_neutral_colour_takes_bears_nobodys_sign() -> None:
    match = played('mykerinos')
    recaps = [past_fragments(sight(match, 0), at)[0]['recap'] for at in range(1, match.turns + 1)]
    lines = {line for told in recaps for line in re.findall('<li.*?</li>', told, re.S)}
    neutral = {line for line in lines if 'The neutral colour takes' in line}
    assert neutral
    for line in lines:
        assert ('<svg' in line) == ('Name ' in line), line


@pytest.mark.skipif('myraclia' not in TOLD, reason='another game is tested')
def test_what_was_drafted_several_times_is_counted() -> None:
    match = played('myraclia')
    told = [past_fragments(sight(match, 0), at)[0]['recap'] for at in range(1, match.turns + 1)]
    drafts = [line for recap in told for line in re.findall(r'drafts ([^<]*)', recap)]
    assert any(re.search(r'\b[2-9] ', line) for line in drafts)
    for line in drafts:
        elements = re.split(', | and ', re.sub(r'\d+ ', '', line))
        assert len(elements) == len({*elements}), line


@pytest.mark.parametrize('name', TOLD)
def test_a_page_has_the_recap_of_what_was_over_last(name: str) -> None:
    match = played(name)
    assert match.turns
    assert f'data-at="{match.turns}"' in fragments(sight(match, 0))['recap']
    assert '<li' not in fragments(sight(played(name, turns=1), 0))['recap']


def test_sounds_are_asked_for_once_and_by_those_who_play(guest: Callable[..., TestClient]) -> None:
    client, watcher = guest(), guest()

    def asks(looks: TestClient, path: str) -> bool:
        return 'data-answer="no"' in looks.get(path, headers={'Accept': 'text/html'}).text

    def table() -> str:
        made = client.post('/api/tables', json={'game': 'octiles', 'mode': 'here'}).json()
        return str(made['url'])

    first = table()
    watcher.get('/api/me')
    link = client.get(f'/api{first}').json()['link']
    assert asks(client, first)
    assert not asks(watcher, link.removeprefix('http://testserver'))
    made = client.post('/api/lessons', json={'game': 'octiles', 'lesson': 'run'}).json()
    assert not asks(client, made['url'])
    client.patch('/api/me', json={'settings': {'theme': 'dark'}})
    assert asks(client, first), 'another setting does not answer it'
    client.patch('/api/me', json={'settings': {'sound': False}})
    assert not asks(client, first)
    assert not asks(client, table())
