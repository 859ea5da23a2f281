"""How rules are written: a state is one record, a rule is one compiled function, chance is a generator inside
the state."""

from ludoteca.kernel.bits import (
    WORD,
    WORD_MASK,
    byte_of,
    count_bits,
    holds,
    list_set,
    lowered,
    lowest_bit,
    nth_bit,
    nth_of,
    put_in,
    raised,
    size_of,
    take_out,
    words_of,
)
from ludoteca.kernel.compile import bounds_checked, checked, compiled, kernel, specialise
from ludoteca.kernel.random import below, is_blank, mix, reseed, seed_number, seed_words, start_generator
from ludoteca.kernel.record import Array, Floats, Ints, Record, field

__all__ = [
    'WORD',
    'WORD_MASK',
    'Array',
    'Floats',
    'Ints',
    'Record',
    'below',
    'bounds_checked',
    'byte_of',
    'checked',
    'compiled',
    'count_bits',
    'field',
    'holds',
    'is_blank',
    'kernel',
    'list_set',
    'lowered',
    'lowest_bit',
    'mix',
    'nth_bit',
    'nth_of',
    'put_in',
    'raised',
    'reseed',
    'seed_number',
    'seed_words',
    'size_of',
    'specialise',
    'start_generator',
    'take_out',
    'words_of',
]
