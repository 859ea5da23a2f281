"""Colours of seats: dealt once, kept by the set-up, the file and the rematch; the game knows nothing of
them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from ludoteca.game import COLOURS, GameError, games, load
from ludoteca.match import Match, Seat, Setup, deal_colours, files
from tests.match.support import clock, play

SEED = 5
OTHERS = COLOURS[::-1]
# a set-up as it was stored before there was a choice
STORED = {
    'game': 'octiles',
    'version': 1,
    'players': 2,
    'options': {},
    'seed': '8000000000000000000000000000000a',
    'seats': [['Ann', 'person', ''], ['Bob', 'bot', 'easy']],
}


def coloured(name: str, *colours: str, **more: Any) -> Match:
    return Match(Setup.new(name, seed=SEED, colours=colours, **more), clock())


@pytest.mark.parametrize(
    ('own', 'wanted', 'dealt'),
    [
        (('blue', 'yellow'), (), ('blue', 'yellow')),
        (('blue', 'yellow'), ('', 'green'), ('blue', 'green')),
        (('blue', 'yellow'), ('yellow',), ('yellow', 'blue')),
        (('red', 'blue'), ('', 'red'), ('blue', 'red')),
        (('blue', 'red', 'yellow'), ('', 'blue', ''), ('red', 'blue', 'yellow')),
        (COLOURS, ('purple',), ('purple', 'red', 'yellow', 'green', 'blue')),
    ],
)
def test_who_chooses_no_colour_has_that_of_the_seat_or_what_is_left(
    own: tuple[str, ...], wanted: tuple[str, ...], dealt: tuple[str, ...]
) -> None:
    assert deal_colours(own, wanted) == dealt


@pytest.mark.parametrize(
    ('wanted', 'sentence'),
    [
        (('green', 'green'), 'Two players cannot both be green; choose another colour for one of them.'),
        (('', 'pink'), "pink is not a player's colour; choose among blue, red, yellow, green, purple."),
        (('red', 'blue', 'green'), '3 colours are too many for 2 players; name at most one for each.'),
    ],
)
def test_colours_that_cannot_be_are_refused_with_a_sentence(wanted: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(GameError) as refused:
        Setup.new('octiles', 2, colours=wanted)
    assert str(refused.value) == sentence
    with pytest.raises(GameError) as refused:
        Match(dataclasses.replace(Setup.new('octiles', 2), colours=wanted))
    assert str(refused.value) == sentence


def test_a_set_up_as_it_was_stored_opens_unchanged() -> None:
    setup = Setup.from_json(STORED)
    assert setup.json() == STORED
    assert Match(setup).colours == load('octiles').colours(2)
    assert 'Colours' not in files.write(Match(setup))
    assert Setup.new('octiles', 2, colours=load('octiles').colours(2), seed=1) == Setup.new(
        'octiles', 2, seed=1
    )


@pytest.mark.parametrize('name', games())
def test_the_game_is_the_same_in_any_colours(name: str) -> None:
    n = load(name).players[0]
    usual, other = (
        play(coloured(name, *colours, seats=[Seat(f'Seat {k}') for k in range(n)]), 40)
        for colours in ((), OTHERS[:n])
    )
    assert usual.colours != other.colours
    assert other.entries == usual.entries, 'names, actions or hashes'
    for seat in range(-1, n):
        assert other.view(seat).state.tobytes() == usual.view(seat).state.tobytes()
        assert other.names(max(seat, 0)) == usual.names(max(seat, 0))
        for row, twin in zip(usual.log(seat), other.log(seat), strict=True):
            assert twin.names == row.names
            assert [
                dataclasses.replace(event, values=_without_symbols(event.values)) for event in twin.events
            ] == [dataclasses.replace(event, values=_without_symbols(event.values)) for event in row.events]


def _without_symbols(values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if not key.endswith('_face')}


def test_nameless_players_are_called_by_their_colours() -> None:
    match = coloured('octiles', 'green', 'purple')
    assert match.players == ('Green', 'Purple')
    assert match.view(0).names == ('Green', 'Purple')
    assert 'Green (G) is to move' in load('octiles').text(match.view(0)) or 'Green' in load('octiles').text(
        match.view(0)
    )
    assert load('octiles').prompt(match.view(0)).text.startswith('Green')


def test_a_file_keeps_the_colours() -> None:
    match = play(coloured('octiles', 'green', 'red'))
    text = files.write(match)
    assert 'Colours: green red\n' in text
    again = files.read(text)
    assert again.setup == match.setup
    assert files.write(again) == text


@pytest.mark.parametrize(
    ('line', 'sentence'),
    [
        (
            'Colours: green green',
            'Line 5: Two players cannot both be green; choose another colour for one of them.',
        ),
        (
            'Colours: green pink',
            "Line 5: pink is not a player's colour; choose among blue, red, yellow, green, purple.",
        ),
    ],
)
def test_impossible_colours_in_a_file_are_told_with_their_line(line: str, sentence: str) -> None:
    text = files.write(play(coloured('octiles', 'green', 'red')))
    with pytest.raises(GameError) as refused:
        files.read(text.replace('Colours: green red', line))
    assert str(refused.value) == sentence


@pytest.mark.parametrize('colours', [(), ('green', 'red')])
def test_everybody_keeps_their_colour_in_the_rematch(colours: tuple[str, ...]) -> None:
    match = play(coloured('octiles', *colours, seats=[Seat('Ann'), Seat('Bob')]))
    setup, order = match.rematch()
    again = Match(setup)
    assert order == (1, 0)
    assert dict(zip(again.players, again.colours, strict=True)) == dict(
        zip(match.players, match.colours, strict=True)
    )
