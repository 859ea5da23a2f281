"""Research: many random games at once, counting turns, benchmarks, arenas, and the interfaces that other
libraries use.

>>> from ludoteca.research.simulate import simulate              # doctest: +SKIP
>>> simulate(game, players=2, games=1000, seed=1).summary()     # doctest: +SKIP
"""
