"""Where a board may begin: what somebody may know of a match, a position as JSON, the start of a game."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from ludoteca.analysis.board import guessed, root_state
from ludoteca.analysis.tree import AnalysisTree, Root
from ludoteca.game import Game, GameError, State, committed, load, position
from ludoteca.match import Match, Setup
from ludoteca.match.setup import WHOLE
from ludoteca.text import words


def new_seed() -> str:
    """A seed that nobody can guess, as set-ups hold it."""
    return f'{1 << 127 | secrets.randbits(127):032x}'


def from_start(
    game: str, players: int | None = None, options: Mapping[str, Any] | None = None
) -> AnalysisTree:
    """A board at the start of a game. Raises GameError."""
    setup = Setup.new(game, players, options)
    return AnalysisTree(Root(game, setup.players, setup.options, setup.seed))


def from_position(data: Any) -> AnalysisTree:
    """A board at a position in its JSON form. What is unknown there is guessed. Raises GameError if the
    position is incomplete or impossible."""
    found = position(data)
    return AnalysisTree(_root(found.game, found.state, int(found.state.to_move), -1))


def from_match(match: Match, at: int, viewer: int, everything: bool = False) -> tuple[AnalysisTree, int]:
    """A board at the position of a match after so many committed turns, and the node that shows it.

    `viewer`: the seat whose knowledge it is (-1: what everybody may know), without drafts and sealed choices.
    The board begins there, and what the viewer does not know is guessed from that alone. With `everything`,
    once the match is over, the board begins where the match did, and its main line is the whole match. Raises
    GameError if there is no such turn, or if the match is not over."""
    if not 0 <= at <= match.turns:
        raise GameError(words('match.error.no_turn', turns=match.turns, turn=at))
    if everything and (match.setup.position is None or match.setup.knower == WHOLE):
        return _whole_match(match, at)
    known = match.view(viewer, at=at).state
    return AnalysisTree(_root(match.game, known, max(viewer, 0), viewer, match.setup.colours)), 0


def _root(game: Game, known: State, seat: int, knows: int, colours: tuple[str, ...] = ()) -> Root:
    """A whole position that agrees with what is known of it. Raises GameError if there is none."""
    whole = guessed(game, known, seat)
    data = game.to_json(known if whole is None else whole)
    options = dict(data.get('options', {}))
    knower = None if whole is None else knows
    root = Root(game.name, int(known.players), options, new_seed(), data, knower, colours)
    root_state(root)
    return root


def _whole_match(match: Match, at: int) -> tuple[AnalysisTree, int]:
    setup, game = match.setup, load(match.setup.game)
    turns = match.true_turns()  # raises GameError while the match runs
    options, colours = dict(setup.options), setup.colours
    tree = AnalysisTree(Root(setup.game, setup.players, options, setup.seed, setup.position, colours=colours))
    state, node, names, wanted = setup.start(), 0, list[str](), 0
    for number, turn in enumerate(turns, 1):
        for action in turn.actions:
            names.append(game.action_name(state, action))
            before, state = state, state.copy()
            game.kernels.apply(state, action)
            if committed(before, state):
                node = tree.add(node, ' '.join(names), int(before.to_move)).id
                names = []
        if number <= at:
            wanted = node
    return tree, wanted
