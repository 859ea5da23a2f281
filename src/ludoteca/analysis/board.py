"""The position at a node of a tree, as a match that has come there.

All seats are the analyst's, and nobody waits for anybody: phases in which all choose in secret are taken one
seat after the other, so that each choice can be undone and varied. What is shown is either the whole
position, guesses included, or what the seat to move knows of it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from ludoteca.analysis.tree import AnalysisTree, Root
from ludoteca.game import Game, GameError, State, committed, first_action, load, some
from ludoteca.match import Match
from ludoteca.search import as_guessed
from ludoteca.text import words

BOARDS_KEPT = 64


@cache
def studied_game(name: str, open_: bool) -> Game:
    """A game as it is analysed: no phase is sealed. `open_`: nothing but the chance to come is hidden."""
    game = load(name)
    kernels = game.kernels
    if open_:
        kernels = kernels._replace(
            hide=_hide_chance,
            hide_action=_show_action,
            forget=_forget_nothing,
            mover_view=_hide_chance,
            prepare=_prepare_nothing,
            guess=_guess_chance,
        )
    facts = {'kernels': kernels, 'sealed': (), 'arranged': (), 'hidden': game.hidden and not open_}
    form: type[Game] = type(f'Studied{type(game).__name__}', (type(game),), facts)
    return form()


def _hide_chance(s: Any, _seat: int) -> None:
    if not s.ending:
        s.rng[:] = 0


def _guess_chance(s: Any, _seat: int, seed: int, _work: Any) -> None:
    if not s.ending:
        s.rng[:] = (seed + 1, 1, 2, 3)


def _show_action(_s: Any, action: int, _seat: int) -> int:
    return action


def _forget_nothing(_s: Any, _seat: int, _past: int) -> None:
    pass


def _prepare_nothing(_h: Any, _seat: int, _work: Any) -> None:
    pass


@dataclass(frozen=True)
class AnalysisBoard:
    """The position at a node, and the turn that is begun there."""

    tree: AnalysisTree
    at: int
    match: Match

    @property
    def seat(self) -> int:
        """The seat to move; -1 when the game is over."""
        return self.match.to_move[0] if self.match.to_move else -1

    @property
    def state(self) -> State:
        """The whole position at the node, without the turn that is begun."""
        return self.match.true_state()

    def act(self, steps: str, keep: int | None = None, rest: bool = False) -> int:
        """Take steps, and answer the node at which the board stands then: a child, made if there is none,
        once the turn is complete. Raises GameError with what would be legal."""
        before, seat = self.match.turns, self.seat
        self.match.act(seat, None, steps, keep, rest)
        if self.match.turns == before:
            return self.at
        return self.tree.add(self.at, self.match.log(seat, before)[-1].name, seat).id


_kept: OrderedDict[tuple[str, bool, tuple[str, ...]], Match] = OrderedDict()
_lock = Lock()


def board_at(tree: AnalysisTree, at: int, draft: Sequence[str] = (), open_: bool = True) -> AnalysisBoard:
    """The position at a node with a begun turn. Raises GameError if there is no such node, or if what leads
    to it is not legal."""
    turns, key = tree.turns(at), repr(tree.root)
    match = _match_after(tree.root, key, turns, open_).copy()
    if draft:
        before = match.turns
        match.act(match.to_move[0] if match.to_move else 0, None, list(draft))
        if match.turns != before:
            raise GameError(words('analysis.error.draft'))
    return AnalysisBoard(tree, at, match)


def _match_after(root: Root, key: str, turns: tuple[str, ...], open_: bool) -> Match:
    """The match after these turns, from the nearest position that is in memory. Nobody may change it."""
    with _lock:
        for n in range(len(turns), -1, -1):
            known = _kept.get((key, open_, turns[:n]))
            if known is not None:
                _kept.move_to_end((key, open_, turns[:n]))
                break
        else:
            n, known = 0, None
    if known is None:
        known = Match(root.setup(), game=studied_game(root.game, open_))
    if n < len(turns):
        known = known.copy()
        for turn in turns[n:]:
            _take_turn(known, turn)
    with _lock:
        _kept[key, open_, turns] = known
        while len(_kept) > BOARDS_KEPT:
            _kept.popitem(last=False)
    return known


def _take_turn(match: Match, turn: str) -> None:
    """Play one whole turn. Raises GameError if it is not legal, or is no single turn."""
    if not match.to_move:
        raise GameError(words('game.error.over_before', name=turn))
    before = match.turns
    done = match.act(match.to_move[0], None, turn)
    if done.rest or match.turns != before + 1:
        raise GameError(words('analysis.error.one_turn', turn=turn))


def root_state(root: Root) -> State:
    """The whole position at which a board begins. Raises GameError if it cannot be."""
    state = root.setup().start()
    if guessed(load(root.game), state, int(state.to_move)) is not None:
        raise GameError(words('analysis.error.unknown'))
    return state


def guessed(game: Game, state: State, seat: int) -> State | None:
    """A whole position that agrees with what is known of one; None if nothing of it is unknown. (What is not
    there yet, such as a piece that is not deployed, is null in the JSON form and not unknown.)"""
    unknown = count_unknown(game.to_json(state))
    whole = as_guessed(game, state, seat) if unknown else state
    return whole if count_unknown(game.to_json(whole)) < unknown else None


def count_unknown(data: Any) -> int:
    """How many values are null in the JSON form of a position."""
    if isinstance(data, dict):
        return sum(map(count_unknown, data.values()))
    return sum(map(count_unknown, data)) if isinstance(data, list) else data is None


def check_tree(tree: AnalysisTree) -> None:
    """Play a tree that came from outside, and note whose turns they are. Raises GameError with the number of
    the first node that cannot be, or if the board cannot begin where it says."""
    states = {0: root_state(tree.root)}
    for node in list(tree.nodes.values())[1:]:
        before = states[node.parent]
        tree.nodes[node.id] = replace(node, seat=int(before.to_move))
        try:
            states[node.id] = after_turn(load(tree.root.game), before, node.turn)
        except GameError as problem:
            raise GameError(words('analysis.error.node', node=node.id, problem=problem)) from problem


def after_turn(game: Game, state: State, turn: str) -> State:
    """The position after one whole turn. Raises GameError if it is not legal, or is no single turn."""
    out, left = np.empty(game.max_legal, np.int32), turn.split()
    while left:
        if state.ending:
            raise GameError(words('game.error.over_before', name=left[0]))
        action, name, left = first_action(game, state, left)
        legal = out[: game.kernels.legal_actions(state, out)].tolist()
        if action not in legal:
            names = [game.action_name(state, one) for one in legal]
            raise GameError(words('game.error.step_not_legal', name=name, legal=some(names)))
        before, state = state, state.copy()
        game.kernels.apply(state, action)
        if committed(before, state):
            if left:
                break
            return state
    raise GameError(words('analysis.error.one_turn', turn=turn))
