"""Positions of bots' games in which one turn is clearly the best, by what the seat to move knows.

Each position at which a turn begins is looked at three times: once with the simulations of the plan, and, if
the best turn seems clear, twice with many more and other seeds. It becomes a puzzle if both of these find the
same best turn (or the same few that are as good), and if all other turns lose at least CLEAR of the expected
outcome. A search of its own is made for every action, likely or not. What the seat cannot know is not part of
any of it: the position is written as the seat knows it, read again, and searched in that form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ludoteca.game import Game, State, committed, load
from ludoteca.game.contract import start
from ludoteca.puzzles.files import Later, Puzzle, PuzzleFile, Run, Source
from ludoteca.puzzles.turns import after, key, read_turn, turn_on
from ludoteca.review.judging import LARGE, SMALL
from ludoteca.search import LEVELS, SearchBot, SearchResult, as_guessed, as_known, offered, stream, think
from ludoteca.search.levels import check_level

SIMULATIONS = 2_000
"""Of each search of a first look, if nobody asks for another number."""
FINDER = 2
"""The edition of all this. `rechecked` is for puzzles that an earlier one has found."""
CONFIRM = 10, 30
"""So many times more simulations have the searches of the two looks that confirm a puzzle. The second digs
deeper, since where no chance is left another seed alone repeats a search."""
CLEAR = LARGE
"""So much expected outcome every other turn must lose. A review would call each of them a mistake."""
AS_GOOD = SMALL
"""Turns that lose less than this are as good as the best one."""
MOST_BEST = 3
"""Best turns of a puzzle; a position with more of them asks nothing."""
MOST_SEARCHES = 40
"""Full searches of one look; where it takes more, too many ways lead to nearly the same."""
SHORT = 10
"""Every action gets a search with so many times fewer simulations."""
CLOSE = 2 * CLEAR
"""Actions that lose less than this in their short search get a full one."""
RIVALS = 2
"""So many actions get a full search in any case: those that the first search likes, and those that do best in
their short ones."""
ASKED = 3
"""A level finds a puzzle if it finds the best turn so many times, each time with another seed."""
MOST_A_GAME = 3
"""Puzzles of one game; the positions of a game are alike."""
EASIEST = next(iter(LEVELS))
"""The grade of which a game gives one puzzle at most; the others should ask more."""
MOST_OWN_TURNS = 3
"""Own turns of a puzzle."""
MOST_REPLIES = 12
"""Turns that others take between two own turns of a puzzle; where there are more, it ends before them."""
MOST_TURNS = 1_000
"""A game of bots is left there."""


@dataclass(frozen=True)
class PuzzlePlan:
    """A search for puzzles. A worker process gets it whole."""

    game: str
    run: Run

    @classmethod
    def of(
        cls,
        game: Game,
        players: int | None,
        options: Mapping[str, Any],
        seed: int | str,
        level: str = 'easy',
        simulations: int = SIMULATIONS,
        turns: int = MOST_OWN_TURNS,
    ) -> PuzzlePlan:
        """A plan, checked. Raises GameError for an unknown option, level or number of players."""
        check_level(level)
        number, read = game.checked(players, options)
        run = Run(number, read.changed(), str(seed), level, simulations, game.version, turns)
        return cls(game.name, run)


@dataclass(frozen=True)
class BestTurns:
    """What a look at a position has found: the key and the name of each best turn, the expected outcome of
    the best, and what the best of all other turns loses."""

    turns: dict[str, str]
    expected: float
    lead: float

    @property
    def outcomes(self) -> tuple[float, float]:
        """The expected outcomes after the best turn and after the best of all others, as they are written."""
        return round(self.expected, 4), round(max(0.0, self.expected - self.lead), 4)


class _Unclear(Exception):
    """The best turn is not clear."""


def find_puzzles(plan: PuzzlePlan, games: int, file: PuzzleFile) -> Iterator[PuzzleFile]:
    """Go through the games of a plan that a file does not have yet: yields the file after each of them."""
    for number in left(plan, games, file):
        file = file.with_game(plan.run, *find_in_game(plan, number, file.shallow(plan.run, number)))
        yield file


def left(plan: PuzzlePlan, games: int, file: PuzzleFile) -> list[int]:
    """The numbers of the games of a plan that a file does not have yet."""
    run = file.run(plan.run)
    return [number for number in range(games) if not run.has(number)]


def find_in_game(
    plan: PuzzlePlan, number: int, begun: tuple[Puzzle, ...] | None = None
) -> tuple[int, tuple[Puzzle, ...]]:
    """The number again, and the puzzles in the game of that number. The same plan and number give the same
    puzzles. `begun`: those that a plan of fewer turns has found there, which are only gone on with."""
    found = _begun_in_game(plan, number) if begun is None else begun
    return number, tuple(extended(one, plan.run.turns) for one in found)


def _begun_in_game(plan: PuzzlePlan, number: int) -> tuple[Puzzle, ...]:
    """The puzzles of a game, each of one own turn."""
    game, run = load(plan.game), plan.run
    name = f'{run.seed}/{number}'
    found, asked = list[Puzzle](), set[tuple[int, str]]()
    # in any order, so that puzzles come from all stages of games
    positions = sorted(enumerate(_positions(game, plan, name)), key=lambda one: stream(name, one[0]))
    for _, state in positions:
        one = examine(game, state, plan, number)
        if one is None or any((one.seat, turn) in asked for turn in one.best):
            continue  # what a player has missed is often still there at the next turn
        if one.grade == EASIEST and any(other.grade == EASIEST for other in found):
            continue
        found.append(one)
        asked.update((one.seat, turn) for turn in one.best)
        if len(found) == MOST_A_GAME:
            break
    return tuple(sorted(found, key=lambda one: one.source.turn))


def _positions(game: Game, plan: PuzzlePlan, name: str) -> list[State]:
    """The positions of a game of bots at which a turn begins."""
    run = plan.run
    state = start(game, run.players, name, run.options)
    bot = SearchBot(replace(LEVELS[run.level], seconds=None))
    found, begins, step = list[State](), True, 0
    while not state.ending and state.turn < MOST_TURNS:
        seat = int(state.to_move)
        if begins and not _is_drawn(game, state):
            found.append(state.copy())
        action = bot.choose(game, as_known(game, state, seat), seat, stream(f'{name}/{seat}', step), None)
        before = state.copy()
        game.kernels.apply(state, action)
        begins, step = committed(before, state), step + 1
    return found


def _is_drawn(game: Game, state: State) -> bool:
    """Is there no best turn, since all choose at once, or nothing to go by?"""
    return state.phase in (*game.sealed, *game.sampled_phases, *game.arranged)


def examine(game: Game, state: State, plan: PuzzlePlan, number: int) -> Puzzle | None:
    """The puzzle at the beginning of a turn, if there is one. Nothing of `state` matters but what the seat to
    move knows."""
    seat, run = int(state.to_move), plan.run
    position = game.to_json(as_known(game, state, seat))
    known = as_known(game, game.from_json(position), seat)
    if game.to_json(known) != position:
        return None  # the seat knows something that the JSON form does not tell
    source = Source(run.seed, run.level, run.simulations, number, int(state.turn), FINDER)
    if look(game, known, seat, run.simulations, f'{source.name}/look') is None:
        return None
    name = f'{game.name}-{key(game, known)[:8]}'
    return confirmed(
        Puzzle(name, game.name, run.players, run.options, position, seat, (), 0.0, 0.0, '', source)
    )


def confirmed(puzzle: Puzzle) -> Puzzle | None:
    """The puzzle, of one own turn, with the answer, outcomes and grade that searches find at its position;
    None if none is clearly best. Raises GameError if the rules no longer allow the position."""
    game, seat, source = load(puzzle.game), puzzle.seat, puzzle.source
    known = as_known(game, puzzle.known(), seat)
    found = _confirmed(game, known, seat, source.simulations, source.name)
    grade = grade_of(game, known, seat, set(found.turns), source.name) if found else ''
    if found is None or not grade:
        return None
    expected, second = found.outcomes
    return replace(
        puzzle, best=tuple(found.turns.values()), expected=expected, second=second, grade=grade, then=()
    )


def rechecked(puzzle: Puzzle) -> Puzzle | None:
    """The puzzle with outcomes, grade and later turns as this finder sees them. None if other turns are
    as good as its best ones by now. Raises GameError if the rules no longer allow the position or a
    best turn."""
    now = confirmed(replace(puzzle, source=replace(puzzle.source, finder=FINDER)))
    if now is None or _keys(now) != _keys(puzzle):
        return None
    return extended(replace(now, best=puzzle.best), MOST_OWN_TURNS)


def _keys(puzzle: Puzzle) -> set[str]:
    """The keys of the best turns."""
    game, seat = load(puzzle.game), puzzle.seat
    known = as_known(game, puzzle.known(), seat)
    return {read_turn(game, known, seat, turn).key for turn in puzzle.best}


def _confirmed(game: Game, known: State, seat: int, simulations: int, name: str) -> BestTurns | None:
    """What the looks that confirm a puzzle have found, on their average. None if they do not agree, or if no
    turn is clearly the best."""
    looks = list[BestTurns]()
    for k, times in enumerate(CONFIRM):
        found = look(game, known, seat, times * simulations, f'{name}/confirm {k}')
        if found is None or found.turns.keys() != (looks or [found])[0].turns.keys():
            return None
        looks.append(found)
    expected = sum(one.expected for one in looks) / len(looks)
    return BestTurns(looks[0].turns, expected, sum(one.lead for one in looks) / len(looks))


def extended(puzzle: Puzzle, turns: int) -> Puzzle:
    """The puzzle with the player's turns that are to be found after the first one, as long as they are clear:
    at most so many in all. Others reply as the expert does, on what each of them knows."""
    game, seat, simulations = load(puzzle.game), puzzle.seat, puzzle.source.simulations
    name = puzzle.source.name
    whole = as_guessed(game, as_known(game, puzzle.known(), seat), seat)
    then, best = list[Later](), puzzle.best
    while 1 + len(then) < turns and len(best) == 1:  # of several turns each leads to another position
        place = f'{name}/then {len(then)}'
        whole = turn_on(game, whole, seat, best[0])
        replies = _replies(game, whole, seat, place)
        if replies is None or _is_drawn(game, replies[0]):
            break
        whole = replies[0]
        known = as_known(game, whole, seat)
        if look(game, known, seat, simulations, f'{place}/look') is None:
            break
        found = _confirmed(game, known, seat, simulations, place)
        if found is None:
            break
        best = tuple(found.turns.values())
        then.append(Later(replies[1], best, *found.outcomes))
    return replace(puzzle, then=tuple(then))


def _replies(game: Game, whole: State, seat: int, seed: str) -> tuple[State, tuple[str, ...]] | None:
    """What the others play until it is the seat's turn again, and the position then. None if the game ends
    before that, or if all choose in secret."""
    bot, turns, step = SearchBot(replace(LEVELS['expert'], seconds=None)), list[str](), 0
    while not whole.ending and int(whole.to_move) != seat:
        if int(whole.phase) in game.sealed or len(turns) == MOST_REPLIES:
            return None
        names, mover, ends = list[str](), int(whole.to_move), False
        while not ends:
            known = as_known(game, whole, mover)
            action = bot.choose(game, known, mover, stream(f'{seed}/reply', step), None)
            names.append(game.action_name(known, action))
            before, whole = whole, whole.copy()
            game.kernels.apply(whole, action)
            ends, step = committed(before, whole), step + 1
        turns.append(' '.join(names))
    return None if whole.ending else (whole, tuple(turns))


def look(game: Game, known: State, seat: int, simulations: int, seed: str) -> BestTurns | None:
    """The best turns of a position as a seat knows it, if all others lose clearly against them."""
    try:
        return _Look(game, seat, simulations, seed).found(known)
    except _Unclear:
        return None


class _Look:
    """One look at a position."""

    def __init__(self, game: Game, seat: int, simulations: int, seed: str) -> None:
        self.game, self.seat, self.simulations, self.seed = game, seat, simulations, seed
        self.searches = self.full = 0
        self.turns: dict[str, str] = {}
        self.leads: list[float] = []
        self.seen: set[str] = set()

    def found(self, known: State) -> BestTurns:
        """Raises _Unclear if the best turn is not clear."""
        expected = self._follow(known, (), 0.0)
        if not self.leads:
            raise _Unclear
        return BestTurns(self.turns, expected, min(self.leads))

    def _follow(self, known: State, names: tuple[str, ...], lost: float) -> float:
        """Follow the actions with which a turn that has lost so much can go on and still be as good as the
        best one. Returns the expected outcome of the best of them."""
        values = self._values(known)
        best = max(value for _, value in values)
        for action, value in values:
            loss = lost + best - value
            if loss >= CLEAR:
                self.leads.append(loss)
                continue
            if loss >= AS_GOOD:
                raise _Unclear
            then = after(self.game, known, self.seat, action)
            mark = key(self.game, then.known)
            if mark in self.seen:  # other ways lead to the same
                continue
            self.seen.add(mark)
            told = (*names, self.game.action_name(known, action))
            if not then.ends:
                self._follow(then.known, told, loss)
                continue
            self.turns[mark] = ' '.join(told)
            if len(self.turns) > MOST_BEST:
                raise _Unclear
        return best

    def _values(self, known: State) -> list[tuple[int, float]]:
        """All actions, each with the expected outcome that a search finds which begins with it: a full search
        for those that may be the best, a short one for the others."""
        found = self._think(known, None)
        if len(found.actions) == 1:
            return [(found.action, found.value(0))]
        values = dict[int, float]()
        for action in self._likely(found):
            self._add(values, known, action)
        short = {
            action: self._think(known, action, SHORT).expected[self.seat]
            for action in found.actions
            if action not in values
        }
        for rank, action in enumerate(sorted(short, key=lambda one: -short[one])):
            if rank < RIVALS or max(values.values()) - short[action] < CLOSE:
                self._add(values, known, action)
        return list({**short, **values}.items())

    def _add(self, values: dict[int, float], known: State, action: int) -> None:
        """Add the value of an action. Raises _Unclear if it is neither as good as the best nor clearly
        worse."""
        self.full += 1
        if self.full > MOST_SEARCHES:
            raise _Unclear
        values[action] = self._think(known, action).expected[self.seat]
        if AS_GOOD <= max(values.values()) - values[action] < CLEAR:
            raise _Unclear

    @staticmethod
    def _likely(found: SearchResult) -> list[int]:
        """The best action, and its rivals: first the one that seems worth most, then by visits."""
        best, *others = found.ranking()
        tried = [i for i in others if found.visits[i]]
        first = max(tried, key=found.value, default=others[0])
        rivals = [first, *(i for i in others if i != first)]
        return [found.actions[i] for i in (best, *rivals[:RIVALS])]

    def _think(self, known: State, only: int | None, part: int = 1) -> SearchResult:
        """A search, with this part of the look's simulations."""
        self.searches += 1
        return think(
            self.game,
            known,
            self.seat,
            settings=LEVELS['expert'].settings,
            simulations=max(1, self.simulations // part),
            seed=stream(self.seed, self.searches),
            only=only,
        )


def grade_of(game: Game, known: State, seat: int, best: set[str], seed: str) -> str:
    """The lowest level of bots offered there that finds one of the turns with these keys each time that it is
    asked; '' if none does. Levels make their simulations, whatever time these take."""
    for name in offered(game, int(known.players)):
        bot = SearchBot(replace(LEVELS[name], seconds=None))
        if all(_finds(game, known, seat, bot, best, f'{seed}/{name}/{k}') for k in range(ASKED)):
            return name
    return ''


def regraded(puzzle: Puzzle) -> Puzzle | None:
    """The puzzle with the grade that the levels of today give it; None if none of them finds its turn. Where
    levels are as they were, the grade is. Raises GameError if the rules no longer allow the position or a
    best turn."""
    game = load(puzzle.game)
    known = as_known(game, puzzle.known(), puzzle.seat)
    grade = grade_of(game, known, puzzle.seat, _keys(puzzle), puzzle.source.name)
    return replace(puzzle, grade=grade) if grade else None


def _finds(game: Game, known: State, seat: int, bot: SearchBot, best: set[str], seed: str) -> bool:
    ends, step = False, 0
    while not ends:
        action = bot.choose(game, known.copy(), seat, stream(seed, step), None)
        known, ends = after(game, known, seat, action)
        step += 1
    return key(game, known) in best
