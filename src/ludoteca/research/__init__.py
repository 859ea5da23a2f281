"""Research: many random games at once, counting turns, benchmarks, arenas, and the interfaces that other
libraries use.

>>> from ludoteca.research.simulate import simulate
>>> games = simulate('octiles', players=2, games=100, seed=1)
>>> games.turns.shape, games.scores.shape       # a row for each game
((100,), (100, 2))
>>> sorted(games.summary()['endings'])
['blocked', 'home', 'repetition']
"""
