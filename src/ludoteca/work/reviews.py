"""The kind `review`: one turn of a finished match, judged by what its player knew."""

from __future__ import annotations

from ludoteca.review import judge_turn
from ludoteca.work.jobs import Conditions, Payload, Result


def judge(payload: Payload, conditions: Conditions) -> Result:  # noqa: ARG001 (its searches end by themselves)
    """`Judged.json`, for a payload of `review.payloads`."""
    return judge_turn(payload)
