"""What a person at a Python prompt plays with: a position, its text and its turns."""

from __future__ import annotations

import copy
import pickle

import pytest

from ludoteca.game import GameError, Position, new, position
from tests.toy import GAME
from tests.toy.test_rules import at, in_round


def bytes_of(where: Position) -> bytes:
    return bytes(where.state.tobytes())


# ---- playing -----------------------------------------------------------------------------------------------


def test_play_changes_the_position_and_answers_nothing() -> None:
    here = at()
    before = bytes_of(here)
    answer: object = here.play('bid-1')  # type: ignore[func-returns-value]
    assert answer is None
    assert bytes_of(here) != before
    assert here.to_move == 1


def test_after_answers_a_new_position_and_leaves_the_old_one() -> None:
    here = at()
    before = bytes_of(here)
    there = here.after('bid-1')
    assert there is not here
    assert bytes_of(here) == before
    assert (here.to_move, there.to_move) == (0, 1)
    there.play('bid-2')
    assert bytes_of(here) == before, 'nor do they share anything'


def test_play_leads_where_after_does_over_steps_and_turns() -> None:
    here, there = at(), at().after('bid-0 bid-2 bid-1')
    here.play('bid-0 bid-2')
    here.play('bid-1')
    assert bytes_of(here) == bytes_of(there)
    assert bytes_of(here.after('')) == bytes_of(here), 'nothing leads nowhere'


REFUSED = ('bid-4', 'bid-1 bid-4', 'bid-1 drop-plum', 'bid-1 nonsense', 'nonsense', 'bid-1 bid-1 bid-1 bid-1')


@pytest.mark.parametrize('text', REFUSED)
def test_a_text_that_is_refused_changes_nothing(text: str) -> None:
    here = at()
    before = bytes_of(here)
    with pytest.raises(GameError):
        here.play(text)
    with pytest.raises(GameError):
        here.after(text)
    assert bytes_of(here) == before


def test_a_refusal_names_the_step_and_what_is_legal() -> None:
    with pytest.raises(GameError, match=r'drop-plum.*bid-0, bid-1, bid-2, bid-3'):
        at().play('bid-1 drop-plum')


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    here = at()
    before = bytes_of(here)
    with pytest.raises(GameError, match='bid-0, bid-1, bid-2, bid-3'):
        here.apply(GAME.action_from_name(here.state, 'draw'))
    assert bytes_of(here) == before


def test_after_the_end_nothing_can_be_played() -> None:
    over = new('toy', 2, 3)
    while not over.over:
        over.apply(over.actions()[0])
    before = bytes_of(over)
    assert (over.actions(), over.legal(), over.turns()) == ([], [], [])
    assert 'bid-0' not in over
    with pytest.raises(GameError):
        over.play('bid-0')
    with pytest.raises(GameError):
        over.apply(0)
    assert bytes_of(over) == before


# ---- asking ------------------------------------------------------------------------------------------------


def test_in_says_whether_a_text_can_be_played() -> None:
    here = at()
    before = bytes_of(here)
    assert all(name in here for name in here.legal())
    assert all(turn in here for turn in here.turns())
    assert 'bid-1 bid-2 bid-0' in here, 'several turns'
    assert ' bid-1  bid-2 ' in here, 'as play would take it'
    assert all(text not in here for text in ('bid-4', 'bid-1 bid-4', 'draw', 'nonsense', '', '  '))
    assert bytes_of(here) == before


def test_a_turn_of_two_steps_is_in_a_position_and_so_is_its_beginning() -> None:
    here = in_round('dropping')
    assert 'drop-plum' in here
    assert 'drop-plum take-apple' in here
    assert 'take-apple' not in here


@pytest.mark.parametrize('what', [3, None, ('bid-1',), b'bid-1'])
def test_only_texts_can_be_in_a_position(what: object) -> None:
    assert what not in at()


def test_repr_says_the_game_the_turn_and_who_is_to_move() -> None:
    assert repr(at().after('bid-0 bid-2')) == '<Fruit Market, 3 players, turn 0, seat 2 to move>'
    assert (
        repr(in_round('dropping').after('drop-plum take-apple'))
        == '<Fruit Market, 3 players, turn 1, seat 1 to move>'
    )


def test_repr_says_how_a_game_ended() -> None:
    over = new('toy', 2, 3)
    while not over.over:
        assert repr(over) == f'<Fruit Market, 2 players, turn {over.state.turn}, seat {over.to_move} to move>'
        over.apply(over.actions()[0])
    assert repr(over) == f'<Fruit Market, 2 players, turn {over.state.turn}, {over.ending}>'
    assert over.ending in GAME.endings


def test_a_position_is_read_back_from_its_plain_data() -> None:
    here = at().after('bid-0 bid-2 bid-1')
    assert position(here.to_json()).to_json() == here.to_json()
    assert repr(position(here.to_json())) == repr(here)


def test_a_record_that_was_changed_by_others_has_other_actions() -> None:
    """Actions are listed once a step, and again if the record is not as it was."""
    position = new('toy', seed=1)
    bids = position.actions()
    bids.append(10**6)  # the answer is the caller's own
    with pytest.raises(GameError, match='not legal'):
        position.apply(10**6)
    played = position.copy()
    played.apply(bids[0])
    position.game.kernels.apply(position.state, bids[0])
    assert position.actions() == played.actions()
    for _ in range(200):
        if position.over:
            break
        action = position.actions()[0]
        other = position.copy()
        other.apply(action)
        position.game.kernels.apply(position.state, action)
        assert (position.over, position.state.tobytes()) == (other.over, other.state.tobytes())
    assert position.over
    assert position.actions() == []
    with pytest.raises(GameError, match='over'):
        position.apply(action)


def test_a_position_survives_a_copy_and_a_pickle() -> None:
    position = new('toy', seed=2)
    for other in (copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        other.apply(other.actions()[0])
        assert other.state.tobytes() != position.state.tobytes()
    position.state = position.copy().state
    assert position.actions()


@pytest.mark.parametrize('seat', [-2, 3, 99])
def test_a_seat_that_there_is_not_sees_nothing(seat: int) -> None:
    here = at()
    for look in (here.hidden, here.info_state, here.view, here.svg):
        with pytest.raises(GameError, match='no seat'):
            look(seat)
    assert here.hidden(-1) is not None
    assert here.svg(-1)
