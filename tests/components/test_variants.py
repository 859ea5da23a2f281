"""Games with a component set: names, positions, kernels and records of their own, beside the game itself."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ludoteca
from ludoteca.game import Game, GameError, load, variant
from ludoteca.game.components import exported
from ludoteca.game.variants import forget, kept_in
from ludoteca.kernel import compiled
from ludoteca.match import Match, Setup, files
from ludoteca.research.fingerprint import fingerprint
from ludoteca.research.simulate import simulate
from ludoteca.text import words
from tests.components.sets import FOLDER, GAMES, interpreted, second
from tests.conformance import test_symmetries
from tests.conformance.harness import Case, legal, played, spread
from tests.conformance.outputs import OUTPUTS
from tests.conformance.secrets import check_guess, check_hide, check_leaks
from tests.conformance.test_play import check_game, check_position
from tests.width import WIDTH, width

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return second(request.param)


def test_a_variant_is_a_game_of_its_own(game: Game) -> None:
    own = load(game.base_name)
    assert load(game.name) is game
    assert game.name == f'{own.name}@{game.component_set.hash}'
    assert game.title == f'{own.title} · {game.component_set.title}'
    assert (game.folder, game.home) == (own.folder, f'{own.folder}@{game.component_set.hash}')
    assert game.State.DTYPE.descr == own.State.DTYPE.descr
    assert fingerprint(game) != fingerprint(own)
    assert own.component_set is None


def test_the_rules_hold_whatever_is_printed(game: Game) -> None:
    """One game, held to the contract step by step."""
    with interpreted(game):
        for players in width((game.players[0],), tuple(game.players)):
            case = Case(game.name, players, game.options())
            history = check_game(case, 1) if WIDTH == 'wide' else played(case, 1)
            for k in spread(len(history.states), 12):
                check_position(game, case, history, k)
            for s in history.sample(width(4, 12)):
                seat = int(s.to_move)
                hidden = s.copy()
                game.kernels.hide(hidden, seat)
                data = game.to_json(hidden)
                assert data['game'] == game.name
                assert game.to_json(game.from_json(data)) == data
                for action in [] if s.ending else legal(game, s)[:20]:
                    assert game.action_from_name(s, game.action_name(s, action)) == action
                out = np.zeros(game.observation_size, np.float32)
                game.kernels.observe(hidden, seat, out)
                assert np.isfinite(out).all()


@pytest.mark.parametrize('name', width(('myrmidons',), GAMES))
def test_nobody_gets_more_than_a_seat_may_know_whatever_is_printed(name: str) -> None:
    with interpreted(second(name)) as game:
        case = Case(game.name, game.players[0], game.options())
        history = played(case, 1)
        check_hide(history, width(3, 10))
        check_guess(history, width(2, 6), plays_on=bool(width(0, 1)))
        outputs = width(('position_json', 'match_log', 'whole_page', 'json_view'), tuple(OUTPUTS))
        check_leaks(history, outputs, 1, 1, random.Random(1))


@pytest.mark.wide
def test_symmetries_are_those_of_the_rules(game: Game) -> None:
    with interpreted(game):
        case = Case(game.name, game.players[0], game.options())
        test_symmetries.test_symmetric_positions_are_played_alike(case)
        test_symmetries.test_symmetries_permute(case)


def test_a_variant_is_drawn_and_worded(game: Game) -> None:
    with interpreted(game):
        case = Case(game.name, game.players[0], game.options())
        for s in played(case, 1).sample(3):
            position = ludoteca.Position(game, s.copy())
            assert position.svg().startswith('<svg')
            assert str(position)
            game.cards(position.view())


def test_positions_of_another_set_are_refused_with_a_sentence_that_names_it(game: Game) -> None:
    own = load(game.base_name)
    with interpreted(game):
        data = ludoteca.new(game.name, seed=1).to_json()
        assert ludoteca.position(data).game is game
        with pytest.raises(GameError, match=f'position of the component set {game.component_set.hash}'):
            own.from_json(data)
        with pytest.raises(GameError, match="position of the game's own components"):
            game.from_json({**data, 'game': own.name})


def test_match_files_name_the_set(game: Game) -> None:
    with interpreted(game):
        match = Match(Setup.new(game.name, seed=3), lambda: 0.0)
        match.resign(0)
        text = files.write(match)
        assert f'Game: {game.name}\n' in text
        assert files.read(text).game is game
        strange = text.replace(game.component_set.hash, '0123456789ab')
        with pytest.raises(GameError, match='needs the component set 0123456789ab'):
            files.read(strange)


def test_states_and_options_survive_pickles(game: Game) -> None:
    with interpreted(game):
        position = ludoteca.new(game.name, seed=1)
        for one in (position.state, game.options()):
            again = pickle.loads(pickle.dumps(one))
            assert type(again) is type(one)


def test_a_pickled_game_takes_its_set_along_to_another_computer(tmp_path: Path) -> None:
    """One that has neither the file nor the cache of this one."""
    game = second('octiles')
    answer = subprocess.run(
        [sys.executable, '-c', 'import pickle, sys; print(pickle.load(sys.stdin.buffer)[0].title)'],
        input=pickle.dumps((game, game.options())),
        capture_output=True,
        check=True,
        env={**os.environ, 'PYTHONPATH': f'{ROOT / "src"}', 'LUDOTECA_CACHE': str(tmp_path)},
    )
    assert answer.stdout.decode().strip() == game.title


def test_a_game_outside_the_package_has_it_without_a_line_of_shared_code() -> None:
    rich = variant('toy', card_points=7)
    with interpreted(rich):
        assert rich.title == f'{load("toy").title} · {rich.component_set.label}'
        position = ludoteca.new(rich.name, 2, seed=1)
        assert type(position.state).__module__ == f'tests.{rich.name}.rules'
        assert position.to_json()['game'] == rich.name
        assert variant('toy', coins=5) is load('toy')
    with pytest.raises(GameError, match="'coins' must be a whole number from 3 to 9, not 2"):
        variant('toy', coins=2)


def test_a_game_that_was_forgotten_is_loaded_anew() -> None:
    game = second('octiles')
    forget(game.name)
    assert not [name for name in sys.modules if game.name in name]
    again = second('octiles')
    assert again is not game
    assert again.name == game.name


CHILD = """
import pickle, sys
import ludoteca
game = ludoteca.load(sys.argv[1])
print(game.title)
print(type(pickle.load(sys.stdin.buffer)).__module__)
"""


def test_another_process_finds_a_set_by_its_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('LUDOTECA_CACHE', str(tmp_path))
    game = variant('octiles', FOLDER / 'octiles.json')
    assert kept_in() == tmp_path / 'components'
    assert [path.name for path in kept_in().iterdir()] == [f'{game.name}.json']
    answer = subprocess.run(
        [sys.executable, '-c', CHILD, game.name],
        input=pickle.dumps(game.options()),
        capture_output=True,
        check=True,
        env={**os.environ, 'PYTHONPATH': f'{ROOT / "src"}'},
    )
    # the words of a file need the file
    called = f'{load(game.base_name).title} · {words("components.untitled")}'
    assert answer.stdout.decode().split('\n')[:2] == [called, f'ludoteca.games.{game.name}.options']
    path = kept_in() / f'{game.name}.json'
    path.write_text(path.read_text().replace('[1, 4]', '[4, 1]', 1))  # another set under that name
    refused = subprocess.run(
        [sys.executable, '-c', CHILD, game.name],
        input=b'',
        capture_output=True,
        check=False,
        env={**os.environ, 'PYTHONPATH': f'{ROOT / "src"}'},
    )
    assert b'needs the component set' in refused.stderr


# ---- kernels -----------------------------------------------------------------------------------------------


def begun(game: Game) -> list[float]:
    """The points at the start of a game of two."""
    return ludoteca.new(game.name, 2, seed=1).scores()


@pytest.mark.skipif(not compiled, reason='of compiled kernels')
def test_two_sets_in_one_process_give_each_its_own_results() -> None:
    """Patch, run, unpatch, run: as a game with a set beside the game itself, alternating."""
    own, other = load('myriath'), variant('myriath', {'handicap': [3, 0, 0.5, 1]}, keep=False)
    assert [begun(game) for game in (own, other, own, other)] == [[0, 0], [3, 0], [0, 0], [3, 0]]


@pytest.mark.wide
@pytest.mark.skipif(not compiled, reason='of compiled kernels')
def test_whole_games_of_two_sets_in_one_process_keep_apart() -> None:
    own, other = load('myriath'), variant('myriath', {'handicap': [3, 0, 0.5, 1]}, keep=False)
    found = [simulate(game, 2, 50, seed=5).scores for game in (own, other, own, other)]
    assert np.array_equal(found[0], found[2])
    assert np.array_equal(found[1], found[3])
    assert np.array_equal(found[1] - found[0], np.tile([3.0, 0.0], (50, 1))), (
        'three points for the first seat'
    )


@pytest.mark.skipif(not compiled, reason='of compiled kernels')
def test_kernels_that_read_no_changed_value_are_those_of_the_game_itself() -> None:
    own, other = load('myriath'), variant('myriath', {'handicap': [3, 0, 0.5, 1]}, keep=False)
    assert other.kernels.legal_actions.dispatcher is own.kernels.legal_actions.dispatcher  # type: ignore[attr-defined]
    assert other.kernels.setup.dispatcher is not own.kernels.setup.dispatcher  # type: ignore[attr-defined]


# ---- words -------------------------------------------------------------------------------------------------


def test_a_set_is_called_what_the_file_calls_it_that_was_given_last() -> None:
    """Two files with equal values are one game; the words of the first are not put into the mouth of the
    second."""
    values, key = {'handicap': [0, 4.5, 2, 3]}, next(iter(load('myriath').certainty))
    ann = {**values, 'title': "Ann's", 'about': 'Found by Ann.', 'certainty': {key: 'certain: says Ann'}}
    game = variant('myriath', ann, keep=False)
    first = fingerprint(game), game.title, exported(game)['about'], game.certainty[key]
    assert first[1:] == ("Myriath · Ann's", 'Found by Ann.', 'certain: says Ann')
    again = variant('myriath', {**values, 'title': "Bob's"}, keep=False)
    assert again is game
    assert (again.title, 'Ann' in repr((exported(again), again.certainty))) == ("Myriath · Bob's", False)
    assert fingerprint(again) == first[0], 'words are no components'
    silent = variant('myriath', {**ann, 'title': 'Carol'}, keep=False, silent=True)
    assert silent.title == "Myriath · Bob's", 'what people bring renames nothing for others'
    unnamed = variant('myriath', values, keep=False)
    assert unnamed.title == f'Myriath · {words("components.untitled")}'
    forget(game.name)
