"""What a finished match teaches: how good every turn was, by what its player knew then, and what luck was."""

from ludoteca.review.judging import Judged, Judgement, judge, seeds_of
from ludoteca.review.review import (
    SIMULATIONS,
    Review,
    Reviewed,
    judge_turn,
    key_of,
    payloads,
    put_together,
    review,
)

__all__ = [
    'SIMULATIONS',
    'Judged',
    'Judgement',
    'Review',
    'Reviewed',
    'judge',
    'judge_turn',
    'key_of',
    'payloads',
    'put_together',
    'review',
    'seeds_of',
]
