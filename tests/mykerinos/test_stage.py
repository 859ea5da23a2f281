"""How far a game has come, as pages say it."""

from __future__ import annotations

import random

from tests.match.support import new


def test_pages_speak_of_seasons_where_turns_would_say_little() -> None:
    match, chooser = new('mykerinos', 3), random.Random(3)
    seen = [match.stage()]
    while match.status == 'running':
        (seat,) = match.to_move
        legal = [choice.name for choice in match.choices(seat)[-1].choices]
        match.act(seat, None, 'pass' if 'pass' in legal else chooser.choice(legal))
        seen.append(match.stage())
    assert list(dict.fromkeys(seen)) == [f'season {n} of 4' for n in range(1, 5)]
    assert match.stage(0) == 'season 1 of 4'
