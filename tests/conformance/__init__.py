"""One suite for all games: whatever a game declares, it is held to. A new game is tested by being there.

Every test runs for each game that `ludoteca.game_names()` knows, most of them for every number of players and
all options, singly and in pairs. LUDOTECA_GAME=<name> runs them for one game, and LUDOTECA_GAMES names
folders that hold games outside the package. What a game still lacks is said first, in sentences (needs.py).

A game that is declared `hidden` must bring `alternatives`, for the leak test, in tests/<name>/alternatives.py
or beside its rules. So must an open game in which something else than the generator is unknown to all, such
as the order of a stack:

    alternatives(start, actions, seat, count, rng) -> list of Position, or of (Position, actions)

`start` is a true position at the beginning, `actions` are those played since then. It returns `count` other
beginnings (another deal, another order of a stack) under which `seat` would have seen exactly the same so
far, with actions of their own where some are secret. It is written from the rules alone, without `hide`,
`hide_action` or `guess`; [] if the seat has seen everything.

Whatever is shown, exported or given to bots is in the registry of outputs.py, one function each.
"""
