"""States as a seat may know them, and what can be told from them. This is where a match hides what is
secret."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludoteca.game import Game, State
from ludoteca.kernel import open_defaults

ALL_SEEN = -2
"""A viewer from whom nothing is hidden: for matches that are over."""
GUESSES = 3
"""How many guesses of what a seat does not know are tried to tell whether a choice may end its turn."""


class Knowledge:
    """The game's kernels of knowledge, applied to copies. A viewer is a seat, SPECTATOR, or ALL_SEEN."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def all_alike(self, viewer: int) -> bool:
        """Does a viewer know and see what a spectator does, now and when it looks back? So it is in games in
        which all know and are shown the same, as long as the match runs."""
        kernels = self.game.kernels
        return (
            viewer != ALL_SEEN
            and not self.game.hidden
            and kernels.forget is open_defaults.forget
            and kernels.hide_action is open_defaults.hide_action
        )

    def hidden(self, state: State, viewer: int) -> State:
        """What a viewer with perfect recall knows."""
        state = state.copy()
        if viewer != ALL_SEEN:
            self.game.kernels.hide(state, viewer)
        return state

    def shown(self, state: State, viewer: int, past: int) -> State:
        """What a page shows of it; `past` 1: not even what the last action brought to light."""
        state = self.hidden(state, viewer)
        if viewer != ALL_SEEN:
            self.game.kernels.forget(state, viewer, past)
        return state

    def mover_view(self, state: State, seat: int) -> State:
        """What a seat knows in a sealed phase, as the seat to move."""
        state = state.copy()
        self.game.kernels.mover_view(state, seat)
        return state

    def chosen_on(self, state: State, seat: int, sealed: bool) -> State:
        """The state on which a seat chooses, as it knows it. `sealed`: all seats choose in secret now."""
        return self.mover_view(state, seat) if sealed else self.hidden(state, seat)

    def guesses(self, known: State, seat: int) -> list[State]:
        """Some states that the seat cannot tell from the true one, always the same for the same hidden state.
        An answer found on the true state itself could give away what is hidden. Each guess is there once:
        where nothing is hidden there is one."""
        guesses, work = dict[bytes, State](), self.game.Work.new()
        self.game.kernels.prepare(known, seat, work)
        for seed in range(GUESSES):
            guess = known.copy()
            self.game.kernels.guess(guess, seat, seed, work)
            guesses.setdefault(guess.tobytes(), guess)
        return list(guesses.values())

    def ending(self, guesses: Sequence[State]) -> Callable[[int], bool]:
        """A function that says whether an action may end the draft, as far as can be told from guesses of
        what its seat does not know. It is asked for every action that a seat can choose."""
        if self.game.one_step:
            return lambda _: True
        places, apply = self.game.State.array(1), self.game.kernels.apply
        after = places[0]  # a view: each guess is written into it
        # what `committed` compares, its fields looked up once for all actions
        turn, to_move, reveals, phase, ending = (
            places[name].item for name in ('turn', 'to_move', 'reveals', 'phase', 'ending')
        )
        befores = [(guess, (int(guess.turn), int(guess.to_move), int(guess.reveals))) for guess in guesses]

        def may_commit(action: int) -> bool:
            for guess, before in befores:
                places[0] = guess
                apply(after, action)
                if (turn(), to_move(), reveals()) != before or phase() < 0 or ending():
                    return True
            return False

        return may_commit
