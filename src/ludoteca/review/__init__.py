"""What a finished match teaches: how good every turn was, by what its player knew then, and what luck was."""

from ludoteca.review.judging import Judged, Judgement, judge
from ludoteca.review.review import Review, Reviewed, review

__all__ = ['Judged', 'Judgement', 'Review', 'Reviewed', 'judge', 'review']
