"""The first file of a folder of results: it says what the folder holds, so that a command that is given the
folder again goes on with it, or says that it holds something else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludoteca.game import GameError
from ludoteca.text import words


def read_head(path: Path, form: int, problem: str) -> dict[str, Any] | None:
    """What the head at `path` says; None if its folder is missing or empty.

    Raises GameError with the sentence `problem` if the folder is none, if it holds other files and no head,
    or if the head is of another `form`.
    """
    folder = path.parent
    wrong = GameError(words(problem, folder=folder))
    if not path.exists():
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise wrong
        return None
    try:
        found = json.loads(path.read_text('utf-8'))
        if found['format'] != form:
            raise ValueError(found['format'])
        return dict(found)
    except (ValueError, KeyError, TypeError):
        raise wrong from None


def check_head(found: Mapping[str, Any], asked: Mapping[str, Any], folder: Path, problem: str) -> None:
    """Raises GameError with the sentence `problem` if a head says something else than is asked for now."""
    for key, value in asked.items():
        if found.get(key) != value:
            there = json.dumps(found.get(key))
            raise GameError(words(problem, folder=folder, key=key, there=there, asked=json.dumps(value)))
