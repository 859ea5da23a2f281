"""Nobody gets more than a seat may know; and hidden states are enough to play on."""

from __future__ import annotations

import ast
import inspect
import itertools
import random
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ludoteca.game import Game, committed
from ludoteca.kernel import open_defaults as public
from tests.conformance.harness import (
    Case,
    History,
    after,
    cases,
    difference,
    hidden,
    legal,
    played,
    same,
    seats,
)
from tests.conformance.outputs import OUTPUTS
from tests.conformance.secrets import alternatives_of, check_guess, check_hide, check_leaks, check_leaks_after
from tests.width import width


@pytest.mark.smoke
def test_hide_keeps_the_contract(case: Case) -> None:
    for seed in range(width(1 if case.options.changed() else 2, 3)):
        check_hide(played(case, seed), width(10, 40))


def test_guesses_are_consistent_and_play_on(case: Case) -> None:
    for seed in range(width(1, 2)):
        check_guess(played(case, seed), 12)


def test_guesses_differ(game: Game) -> None:
    """Where something is hidden, seeds matter."""
    from tests.conformance.harness import guessed

    history = played(cases(game.name)[0], 0)
    h = hidden(game, history.states[0], 0)
    first, *rest = [guessed(game, h, 0, seed) for seed in range(20)]
    assert same(h, history.states[0]) or any(not same(first, other) for other in rest)


def test_actions_are_hidden_as_declared(case: Case) -> None:
    game = case.game
    for before, action, _ in played(case, 0).steps():
        for seat in seats(before):
            seen = int(game.kernels.hide_action(before, action, seat))
            assert -1 <= seen < game.n_actions
            assert seat != before.to_move or seen == action, 'the mover does not know its own action'
            assert game.hidden or seen == action, 'a secret action in a game declared open'


@pytest.mark.interpreted
def test_secrets_interpreted(few: Case) -> None:
    for seed in range(width(1, 1 if few.options.changed() else 3)):
        check_hide(played(few, seed), 8)
        check_guess(played(few, seed), 4)


# ---- sealed choices ----------------------------------------------------------------------------------------


def sealed_positions(case: Case, seed: int) -> Iterator[Any]:
    """The positions of a game at which sealed choices begin: a sealed phase, or, where one follows the other,
    the next choice."""
    previous = None
    for s in played(case, seed).states:
        if not s.ending and s.phase in case.game.sealed and not going_on(case.game, previous, s):
            yield s
        previous = s


def going_on(game: Game, before: Any, s: Any) -> bool:
    """Are the sealed choices under way, since nothing has been opened between the two states?"""
    return before is not None and before.phase in game.sealed and s.reveals == before.reveals


def view_of(game: Game, s: Any, seat: int) -> Any:
    copy = s.copy()
    game.kernels.mover_view(copy, seat)
    return copy


def test_sealed_choices_do_not_know_of_each_other(case: Case) -> None:
    """Whatever others have sealed before it, a seat sees and may choose the same; so any order of entry gives
    the same game."""
    game, rng = case.game, random.Random(str(case))
    for s in itertools.islice((s for seed in range(3) for s in sealed_positions(case, seed)), 12):
        first = {seat: view_of(game, s, seat) for seat in range(case.players)}
        chosen: dict[int, list[int]] = {}
        for seat in rng.sample(range(case.players), case.players):
            assert first[seat].to_move == seat
            assert first[seat].phase in game.sealed
            assert same(hidden(game, first[seat], seat), first[seat]), (
                'the view of a sealed phase is not hidden'
            )
            chosen[seat], before, state = [], None, first[seat]
            while before is None or not committed(before, state):
                before = state
                chosen[seat].append(rng.choice(legal(game, before)))
                state = after(game, before, chosen[seat][-1])
        state, begun = s.copy(), set()
        while any(chosen.values()):
            seat = int(state.to_move)
            for other in range(case.players):
                if other not in begun:
                    seen = difference(view_of(game, state, other), first[other])
                    assert not seen, (
                        f'mover_view must take back what others have sealed: it leaves {", ".join(seen)}'
                    )
            assert legal(game, view_of(game, state, seat)) == legal(game, state)
            begun.add(seat)
            game.kernels.apply(state, chosen[seat].pop(0))
        assert state.phase not in game.sealed or state.ending or state.reveals != s.reveals, (
            'all have sealed, and nothing was opened: `reveals` must go up, or the phase change'
        )


def test_sealed_choices_are_secret_actions(game: Game) -> None:
    """Who seals choices says which actions are secret; the default of `Kernels` shows them all."""
    assert not game.sealed or game.kernels.hide_action is not public.hide_action, (
        'sealed choices are shown to everybody'
    )


# ---- the leak test -----------------------------------------------------------------------------------------


def test_no_output_tells_what_a_seat_cannot_know(usual: Case) -> None:
    """Narrow, the fewest players get every output at a third of the game (of the first 90 actions of a long
    one, while much is hidden still), or at its start and middle if it starts with sealed choices; the most
    players get every third output soon after the start."""
    history, first = played(usual, 0), usual == cases(usual.name)[0]
    sealed, n = history.states[0].phase in usual.game.sealed, len(history.actions)
    history = history.until(width((n if n < 300 else 90) if first else 40, n))
    cuts = width(2 if first and sealed else 1, 6 if n < 200 else 3)
    outputs = sorted(OUTPUTS)[:: 1 if first else width(3, 1)]
    count = 2 if usual.game.hidden else 1
    rng = random.Random(str(usual))
    different = check_leaks(history, outputs, cuts=cuts, count=count, rng=rng)
    if not different and (sealed_here := half_sealed(history)):
        different = check_leaks_after(history.until(sealed_here), outputs, 2 * count, rng)
    assert different or hides_chance_alone(history), 'the alternatives are all the same: nothing was tested'


def half_sealed(history: History) -> int | None:
    """After how many actions somebody has sealed a choice for the first time, and somebody else has not: in
    some games nothing else is ever secret."""
    game, states = history.game, history.states
    return next(
        (
            n
            for n in range(1, len(states))
            if going_on(game, states[n - 1], states[n]) and states[n].to_move != states[n - 1].to_move
        ),
        None,
    )


def hides_chance_alone(history: History) -> bool:
    """Has everybody always seen everything but the generator? Then no other game looks the same."""
    return all(
        set(difference(hidden(history.game, s, seat), s)) <= {'rng'}
        for s in history.sample(40)
        for seat in seats(s)
    )


def test_nothing_leaks_whatever_the_options(case: Case) -> None:
    history = played(case, 1)
    check_leaks(
        history.until(width(150, len(history.actions))),
        ['hidden_state', 'names_of_actions', 'events', 'what_was_revealed'],
        cuts=width(1, 4),
        count=2 if case.game.hidden else 1,
        rng=random.Random(str(case)),
    )


def test_the_leak_test_finds_leaks(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """An output made from the true state, or from the generator alone, is caught."""
    history = played(cases(game.name)[0], 0)
    for leak in (lambda past, seat: past.last.tobytes(), lambda past, seat: past.last.rng.tobytes()):
        monkeypatch.setitem(OUTPUTS, 'leak', leak)
        with pytest.raises(AssertionError, match='cannot know'):
            check_leaks(history, ['leak'], cuts=3, count=1, rng=random.Random(1))


# ---- mutations ---------------------------------------------------------------------------------------------


def statements(function: ast.FunctionDef) -> list[tuple[list[ast.stmt], int]]:
    """Where each statement of a function stands, in its body and in blocks within it; not its docstring."""
    found = []
    for node in ast.walk(function):
        for name in ('body', 'orelse', 'finalbody'):
            block = getattr(node, name, None)
            if isinstance(block, list):
                found += [
                    (block, k)
                    for k, statement in enumerate(block)
                    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
                    and not isinstance(statement, ast.Pass)
                ]
    return found


def source_of(kernel: Any) -> tuple[types.FunctionType, ast.Module]:
    """A kernel as plain Python, and its source without decorators."""
    function = getattr(kernel, 'python', kernel)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    tree.body[0].decorator_list = []  # type: ignore[attr-defined]
    return function, tree


def helpers(kernel: Any) -> list[Any]:
    """A kernel and the kernels of its own module that it calls, directly or not."""
    found = [kernel]
    for caller in found:
        function, tree = source_of(caller)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called = function.__globals__.get(node.func.id)
                own = getattr(getattr(called, 'python', called), '__module__', None) == function.__module__
                if own and inspect.isfunction(getattr(called, 'python', called)) and called not in found:
                    found.append(called)
    return found


def mutants(hide: Any) -> Iterator[tuple[str, Callable[[Any, int], None]]]:
    """`hide` with one statement left out, for every statement of it and of its helpers: what was left out,
    and the function."""
    family = helpers(hide)
    for member in family:
        for number in range(len(statements(source_of(member)[1].body[0]))):  # type: ignore[arg-type]
            scope = dict(source_of(hide)[0].__globals__)
            removed = ''
            for other in family:
                function, tree = source_of(other)
                if other is member:
                    block, k = statements(tree.body[0])[number]  # type: ignore[arg-type]
                    removed = f'{function.__name__}: {ast.unparse(block[k])}'
                    block[k] = ast.copy_location(ast.Pass(), block[k])
                exec(compile(tree, function.__code__.co_filename, 'exec'), scope)
            yield removed, scope[source_of(hide)[0].__name__]


def test_every_line_of_hide_is_needed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any one statement of `hide`, one of the checks above fails."""
    histories = [
        played(case, seed)
        for case in cases(game.name)
        if not case.options.changed()
        for seed in range(width(1, 2))
    ]
    alternatives_of(game)

    def survives() -> bool:
        try:
            for history in histories:
                check_hide(history, 12)
                check_guess(history, 4, plays_on=False)
                check_leaks(
                    history, ['hidden_state'], cuts=80 if game.hidden else 5, count=2, rng=random.Random(1)
                )
        except (AssertionError, IndexError):
            return False
        return True

    assert survives()
    if game.hidden:
        monkeypatch.setattr(
            type(game), 'kernels', game.kernels._replace(hide_action=lambda s, action, seat: action)
        )
        with pytest.raises(AssertionError):
            check_leaks(histories[0], ['names_of_actions'], cuts=5, count=2, rng=random.Random(1))
        monkeypatch.undo()
    kernels, unneeded = game.kernels, []
    for removed, hide in mutants(kernels.hide):
        monkeypatch.setattr(type(game), 'kernels', kernels._replace(hide=hide))
        if survives():
            unneeded.append(removed)
    assert not unneeded, 'no test fails without: ' + '; '.join(unneeded)
