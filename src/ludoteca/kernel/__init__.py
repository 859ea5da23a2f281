"""How rules are written: a state is one record, a rule is one compiled function, chance is a generator inside the state."""
from ludoteca.kernel.compile import cache_folder, compiled, kernel, specialise
from ludoteca.kernel.random import below, mix, reseed, seed_words, start_generator
from ludoteca.kernel.record import Array, Floats, Ints, Record, field

__all__ = ['Array', 'Floats', 'Ints', 'Record', 'below', 'cache_folder', 'compiled', 'field', 'kernel', 'mix', 'reseed',
           'seed_words', 'specialise', 'start_generator']
