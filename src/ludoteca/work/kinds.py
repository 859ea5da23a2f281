"""All kinds of jobs. A new one is a function, and a line in `KINDS`.

A function is given a payload and answers a result; both are objects of JSON, because they may travel through
the database. Its result depends on the payload alone, seeds included, and on the deadline of its conditions
if that ends it early. A payload has the key `game`, and holds no more than what the seat knows for which the
job is done; that of an `answer` also the best turns that are stored with its exercise.
"""

from __future__ import annotations

from collections.abc import Callable

from ludoteca.work import analyses, answers, blunders, hints, reviews, turns
from ludoteca.work.jobs import Conditions, Payload, Result

KINDS: dict[str, Callable[[Payload, Conditions], Result]] = {
    'turn': turns.choose,
    'hint': hints.find,
    'warning': blunders.look,
    'answer': answers.judge,
    'analysis': analyses.search,
    'review': reviews.judge,
}


def run(kind: str, payload: Payload, conditions: Conditions) -> Result:
    """Do a job. Raises whatever its kind raises."""
    return KINDS[kind](payload, conditions)
