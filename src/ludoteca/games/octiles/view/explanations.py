"""What everything in Octiles is: spaces and tiles, stops and circles, runners, the stack, the panels."""

from __future__ import annotations

from ludoteca.game import Explanation, View
from ludoteca.text.players import either

from .. import components as C
from ..rules import Phase
from .facts import (
    moves_of,
    placements_of,
    player_word,
    runners_home,
    runners_of,
    say,
    side_of,
    stack_words,
    tiles_of,
)

# chapters of the rulebook
BOARD, TILES, TURN, END, KNOWN = 'the-board', 'the-tiles', 'your-turn', 'the-end', 'what-is-known-and-to-whom'
COVER = 'covering-a-tile'
COUNTS = ('home', 'way', 'start')  # of a panel

BUTTONS = {'do-pass': 'passing'}
"""Buttons of the prompt -> the chapter or paragraph about them."""


def explain(view: View, element: str) -> Explanation | None:
    """What a thing of the drawing or a panel is."""
    if element.startswith('do:'):
        return Explanation.of_button(say, element, BUTTONS)
    s = view.state
    if element in ('stack', 'stack-top'):
        return Explanation.of(say, 'stack', say('about.stack.now', stack=stack_words(s)), chapter=KNOWN)
    kind, _, name = element.removeprefix('turns-').partition('-')
    if kind in ('space', 'tile') and name in C.SPACES:
        return _space(view, C.SPACES.index(name))
    if kind in ('post', 'runner') and name in C.POSTS:
        post = C.POSTS.index(name)
        return _runner(view, post) if post in runners_of(s) else _post(view, post)
    if kind in COUNTS and name in map(str, range(int(s.players))):
        seat = int(name)
        return Explanation.of(
            say, kind, chapter=END, player=player_word(s, seat, view.names), home=runners_home(s, seat),
            of=int(s.n_runners), goal=_side_word(side_of(s, seat) ^ 2),
        )  # fmt: skip
    return None


def _side_word(side: int) -> str:
    return say(f'side.{C.SIDES[side]}')


def _space(view: View, space: int) -> Explanation:
    """A space with or without a tile, and the ways in which the tile of this turn can be laid there."""
    s, tiles = view.state, tiles_of(view.state)
    n = len(placements_of(view.actions).get(space, ()))
    now = say('about.lay' if n > 1 else 'about.lay_one', n=n) if n else ''
    if space not in tiles:
        return Explanation.of(say, 'space', now, chapter=BOARD, space=C.SPACES[space])
    laid = s.phase == Phase.MOVE and space == s.laid
    return Explanation.of(
        say, 'laid' if laid else 'tile', now, chapter=TURN if laid else COVER if n else TILES,
        space=C.SPACES[space], player=player_word(s, int(s.to_move), view.names),
    )  # fmt: skip


def _players_of(view: View, post: int) -> tuple[str, str]:
    """Whose home a circle is, and whose goal; '' for nobody's."""
    s, side = view.state, C.SIDE_OF[post]
    seats = {side_of(s, seat): player_word(s, seat, view.names) for seat in range(int(s.players))}
    return seats.get(side, ''), seats.get(side ^ 2, '')


def _post(view: View, post: int) -> Explanation:
    """A free stop or circle."""
    start = [start for start, end in moves_of(view.actions) if end == post]
    now = say('about.end', posts=either([C.POSTS[one] for one in start])) if start else ''
    if post < C.N_STOPS:
        return Explanation.of(say, 'stop', now, chapter=BOARD, post=C.POSTS[post])
    home, goal = _players_of(view, post)
    key = 'circle' if home and goal else 'home_circle' if home else 'goal_circle' if goal else 'no_circle'
    return Explanation.of(say, key, now, chapter=BOARD, post=C.POSTS[post], home=home, goal=goal)


def _runner(view: View, post: int) -> Explanation:
    """A runner: whose it is, where it wants to go, where it can go now."""
    s = view.state
    seat = runners_of(s)[post]
    goal = side_of(s, seat) ^ 2
    arrived = C.SIDE_OF[post] == goal
    ends = [end for start, end in moves_of(view.actions) if start == post]
    now = say('about.ends', ends=either([C.POSTS[end] for end in ends])) if ends else ''
    return Explanation.of(
        say, 'arrived' if arrived else 'runner', now, chapter=END if arrived else TURN, post=C.POSTS[post],
        player=player_word(s, seat, view.names), goal=_side_word(goal), start=_side_word(side_of(s, seat)),
    )  # fmt: skip
