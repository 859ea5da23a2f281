"""Find a position for each kind of reason by a seeded search, and store them for the tests.

    python scripts/find_reasons.py [GAME ...]

A kind counts as found where it is the heaviest reason; where that never happens, where it is one at all.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from ludoteca.game import load
from tests.built_in import BUILT_IN
from tests.conformance.harness import configurations
from tests.conformance.reasons import Choice, choice_of, choices, kinds_of, names_of, path_of

SEEDS = 400
"""So many games are played by chance at most."""


def entry_of(choice: Choice, kind: str) -> dict[str, Any]:
    """What is stored of a choice."""
    numbers = next(dict(reason.numbers) for reason in choice.reasons if reason.kind == kind)
    return {
        'position': choice.game.to_json(choice.known),
        'turn': names_of(choice, choice.turn),
        'other': names_of(choice, choice.other),
        'numbers': numbers,
    }


def is_stable(name: str, entry: dict[str, Any], kind: str) -> bool:
    """Does the stored form say the same?"""
    again = choice_of(name, json.loads(json.dumps(entry)))
    return any(reason.kind == kind and dict(reason.numbers) == entry['numbers'] for reason in again.reasons)


def find(name: str) -> dict[str, dict[str, Any]]:
    """By kind the first position in which it is the heaviest reason, else in which it is one."""
    kinds, best, any_ = kinds_of(load(name)), dict[str, Any](), dict[str, Any]()
    cases = configurations(name, 'narrow')
    for seed in range(SEEDS):
        for case in cases:
            for choice in choices(case, seed):
                for k, reason in enumerate(choice.reasons):
                    into = best if k == 0 else any_
                    if reason.kind not in into and is_stable(
                        name, entry := entry_of(choice, reason.kind), reason.kind
                    ):
                        into[reason.kind] = entry
        if best.keys() == kinds.keys() or (seed > SEEDS // 10 and (best | any_).keys() == kinds.keys()):
            break
    missing = [kind for kind in kinds if kind not in best and kind not in any_]
    if missing:
        print(f'{name}: nothing found for {", ".join(missing)}')
    return {kind: best.get(kind) or any_[kind] for kind in kinds if kind not in missing}


if __name__ == '__main__':
    for game in sys.argv[1:] or BUILT_IN:
        text = ',\n'.join(f'  {json.dumps(kind)}: {json.dumps(entry)}' for kind, entry in find(game).items())
        path_of(game).write_text(f'{{\n{text}\n}}\n', encoding='utf-8')
