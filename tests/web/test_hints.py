"""A hint is told in four stages, by one search; what a stage does not tell is not in its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from ludoteca.game import GameError, View, load, start
from ludoteca.review.lines import LineStep, line
from ludoteca.text import words
from ludoteca.web.live import hints
from ludoteca.web.table.places import STAGES, THING, TURN, WHERE, WHY, region, thing
from ludoteca.work import hints as work_hints
from ludoteca.work.hints import Suggestion
from tests.built_in import BUILT_IN
from tests.conformance.harness import cases, legal
from tests.conformance.reasons import choices
from tests.width import width

Guest = Callable[..., TestClient]


def table(client: TestClient, game: str = 'octiles') -> str:
    made = client.post('/api/tables', json={'game': game, 'mode': 'here'}).json()
    return f'/api{made["url"]}'


def told(client: TestClient, path: str, stage: int) -> dict[str, Any]:
    answer = client.post(f'{path}/hint', json={'stage': stage})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize('game', width(('octiles', 'myriath', 'mykerinos'), BUILT_IN))
def test_each_stage_tells_more(guest: Guest, game: str) -> None:
    client = guest()
    path = table(client, game)
    where, piece, turn, why = (told(client, path, stage) for stage in STAGES)
    assert [one['stage'] for one in (where, piece, turn, why)] == [WHERE, THING, TURN, WHY]
    for early in (where, piece):
        assert early.keys() == {'version', 'stage', 'targets', 'sentence', 'next'}
        assert turn['sentence'] not in early['sentence']
    first = turn['steps'][0]['targets']
    assert piece['targets'] == first[:1]
    assert set(where['targets']) & set(first)
    assert 'reasons' not in turn
    assert why['steps'] == turn['steps']
    assert all(one['sentence'].endswith('.') for one in (where, piece, turn, why))
    assert piece['next'] == WHY
    if where['next'] == THING:
        assert len({one['sentence'] for one in (where, piece, turn, why)}) == 4


@pytest.mark.parametrize('game', BUILT_IN)
def test_a_stage_that_points_at_one_thing_goes_on_to_the_turn(game: str) -> None:
    """Where all that can be chosen in a part of the board is the hinted thing, the second stage would add
    nothing to the first."""
    rules = load(game)
    seen = set[int]()
    for choice in list(choices(cases(game)[0], 1))[:: width(6, 1)][:30]:
        if choice.known.phase in rules.sealed:
            continue
        view = replace(choice.view, actions=tuple(legal(rules, choice.known)))
        hint = hints.hint_of(rules, 1, choice.known, view, Suggestion(list(choice.turn), choice.other))
        where, piece = hint.json(WHERE), hint.json(THING)
        alone = len(where['targets']) == 1
        assert where['next'] == (WHY if alone else THING)
        assert (where['sentence'] == piece['sentence']) is alone
        seen.add(where['next'])
    assert THING in seen


def test_without_a_stage_the_whole_turn_is_told(guest: Guest) -> None:
    client = guest()
    path = table(client)
    assert client.post(f'{path}/hint', json={}).json() == told(client, path, TURN)


def test_servers_that_are_asked_for_stages_of_one_hint_search_alike(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched, make = list[Any](), work_hints.payload

    def noted(*arguments: Any) -> Any:
        searched.append(make(*arguments))
        return searched[-1]

    monkeypatch.setattr(work_hints, 'payload', noted)
    client = guest()
    path = table(client)
    told(client, path, WHERE)
    hints._asked.clear()  # as another server, which has not been asked yet
    turn = told(client, path, TURN)['turn']
    client.post(f'{path}/act', json={'steps': turn.split()[0]})
    told(client, path, TURN)
    first, second, later = searched
    assert first == second
    assert later['seed'] != first['seed']


def test_one_search_serves_all_stages_of_a_position(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    searches = list[int]()
    find = work_hints.find_hint

    def counted(*arguments: Any, **more: Any) -> work_hints.Suggestion:
        searches.append(1)
        return find(*arguments, **more)

    monkeypatch.setattr(work_hints, 'find_hint', counted)
    client = guest()
    path = table(client)
    turn = [told(client, path, stage) for stage in (*STAGES, *STAGES)][-1]['turn']
    assert len(searches) == 1
    client.post(f'{path}/act', json={'steps': turn.split()[0]})
    assert told(client, path, TURN)['turn'] != turn
    assert len(searches) == 2


def test_a_search_that_fails_is_not_kept(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    client = guest()
    path = table(client)

    def fails(*_: Any, **__: Any) -> work_hints.Suggestion:
        raise GameError('No hint.')

    with monkeypatch.context() as patch:
        patch.setattr(work_hints, 'find_hint', fails)
        assert client.post(f'{path}/hint', json={}).status_code == 400
    assert told(client, path, TURN)['turn']


@pytest.mark.parametrize('stage', [0, 5, -1, 'two', None])
def test_there_are_four_stages(guest: Guest, stage: object) -> None:
    client = guest()
    assert client.post(f'{table(client)}/hint', json={'stage': stage}).status_code == 422


def test_a_turn_without_countable_advantages_is_said_to_have_none() -> None:
    game = load('myriath')
    state = start(game, 2, 1)
    view = View(state, 0, (0,))
    same = hints.hint_of(game, 1, state, view, work_hints.find_hint(game, state, 0, 3, simulations=20))
    alike = replace(same, view=replace(view, actions=(0, 1)), other=same.actions)
    assert alike.json(WHY)['sentence'] == f'{same.advice} {words("web.hint.no_reason")}'
    alone = replace(same, other=same.actions)
    assert alone.json(WHY)['sentence'] == f'{same.advice} {words("web.hint.no_other")}'


def test_a_turn_in_which_something_comes_to_light_is_told_up_to_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choice = next(iter(choices(cases('octiles')[0], 1)))
    found = Suggestion(list(choice.turn), choice.other)
    whole = hints.hint_of(choice.game, 1, choice.known, choice.view, found)
    assert words('web.hint.reveals') not in whole.advice

    def stops(*arguments: Any) -> list[LineStep]:
        first = line(*arguments)[0]
        first.after.reveals += 1
        return [first]

    monkeypatch.setattr(hints, 'line', stops)
    part = hints.hint_of(choice.game, 1, choice.known, choice.view, found)
    assert part.advice.endswith(words('web.hint.reveals'))


@pytest.mark.parametrize('name', BUILT_IN)
def test_where_to_look_is_a_part_of_the_table_and_has_the_thing_in_it(name: str) -> None:
    """For turns drawn by lot: what is chosen first lies in the region, and the sentence names a part."""
    case = cases(name)[0]
    seen = set()
    for choice in list(choices(case, 1))[:: width(6, 1)][:30]:
        game, view = choice.game, choice.view
        if view.state.phase in game.sealed:
            continue
        out = tuple(legal(game, view.state))
        view = View(view.state, view.seat, out)
        targets = [target.id for target in game.targets(choice.known, choice.turn[0])]
        where = region(game, view, targets)
        assert set(where.targets) & set(targets), targets
        assert where.sentence.startswith('Look at ')
        seen.add(where.sentence)
        named = thing(game, view, targets[0])
        assert named.targets == (targets[0],)
        assert named.sentence.endswith('.')
    assert len(seen) > 2
