"""What a new game still lacks, in sentences: what the suite takes for granted before it plays a game."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import get_args, get_type_hints

from ludoteca import game as contract
from ludoteca.game import Game, GameError, Parts, parts
from ludoteca.kernel import open_defaults
from ludoteca.lessons import lessons
from tests.conformance.secrets import find_alternatives

ALTERNATIVES = 'alternatives(start, actions, seat, count, rng)'


def needs(name: str) -> list[str]:
    """What the game of that name lacks, each as one sentence that says what would be right."""
    try:
        spec = find_spec(f'ludoteca.games.{name}') if name in contract.games() else None
        if spec and spec.origin and (missing := files_needed(Path(spec.origin).parent)):
            return missing
        game = contract.load(name)
    except GameError as error:
        return [str(error)]
    return [
        *parts_needed(game),
        *knowledge_needed(game),
        *words_needed(game),
        *pictures_needed(game),
        *lessons_needed(name),
    ]


# ---- the parts ---------------------------------------------------------------------------------------------


def protocols() -> dict[str, type]:
    """The Protocol of every part."""
    hints = get_type_hints(Parts, vars(parts) | {'Game': Game})
    return {name: (get_args(hint) or (hint,))[0] for name, hint in hints.items()}  # `Cards | None`: Cards


def parts_needed(game: Game) -> Iterator[str]:
    """Functions that a part lacks, or that take other arguments than they are given."""
    for part, protocol in protocols().items():
        module = getattr(game.parts, part)
        if module is None:
            continue
        for name, wanted in vars(protocol).items():
            if name.startswith('_') or not inspect.isfunction(wanted):
                continue
            given = getattr(module, name, None)
            asked = list(inspect.signature(wanted).parameters.values())[1:]  # without self
            written = ', '.join(one.name for one in asked)
            where = module.__name__ if isinstance(module, ModuleType) else type(module).__name__
            if not callable(given):
                yield (
                    f'The part `{part}` has no function {name}({written}) in {where}; '
                    'game/parts.py says what it answers.'
                )
            elif not takes(given, asked):
                took = ', '.join(inspect.signature(given).parameters)
                yield f'The part `{part}` has {name}({took}) in {where}; it must be {name}({written}).'


def takes(function: Callable[..., object], asked: list[inspect.Parameter]) -> bool:
    """Can a function be called with these arguments, and without those of them that have a default?"""
    signature = inspect.signature(function)
    try:
        signature.bind(*asked)
        signature.bind(*(one for one in asked if one.default is inspect.Parameter.empty))
    except TypeError:
        return False
    return True


# ---- who knows what ----------------------------------------------------------------------------------------


def knowledge_needed(game: Game) -> Iterator[str]:
    """What only a game with secrets must have."""
    kernels, found = game.kernels, find_alternatives(game)
    if found is None and game.hidden:
        yield (
            f'The game {game.name} is declared hidden, so the leak test needs '
            f'{game.folder}/alternatives.py with a function {ALTERNATIVES}; '
            'tests/conformance/__init__.py says what it answers.'
        )
    elif found is not None and len(inspect.signature(found).parameters) != ALTERNATIVES.count(',') + 1:
        took = ', '.join(inspect.signature(found).parameters)
        yield f'The leak test of {game.name} has alternatives({took}); it must be {ALTERNATIVES}.'
    if game.sealed and kernels.hide_action is open_defaults.hide_action:
        yield (
            f'The game {game.name} has sealed phases and needs a kernel hide_action: the default shows '
            'what was sealed to everybody.'
        )
    if bool(game.measures) != (kernels.measure is not None):
        yield (
            f'The game {game.name} must have both `measures` and a kernel measure, or neither; '
            'game/contract.py says what they are.'
        )


# ---- words, rulebook, pictures -----------------------------------------------------------------------------


def files_needed(folder: Path) -> list[str]:
    """Files that are not there."""
    meant = {
        'en.toml': 'the words that people read, with a title and a tagline at least',
        'rulebook.md': 'the rules in your own words, with a heading `# Title` and more than 150 words',
    }
    return [
        f'There is no {folder / file}: it holds {what}.'
        for file, what in meant.items()
        if not (folder / file).exists()
    ]


def words_needed(game: Game) -> Iterator[str]:
    """Words that are asked for by what the game declares."""
    keys = [
        'title',
        'tagline',
        *(f'ending.{one}' for one in game.endings),
        *(f'measure.{one}' for one in game.measures),
        *(f'reconstructed.{one}' for one in game.reconstructed),
    ]
    for option, values in game.options.values().items():
        keys.append(f'option.{option}')
        if option not in game.options.members():
            # an option that is on says what it is called
            keys += [f'option.{option}.{str(value).lower()}' for value in values if value is not True]
    if missing := [key for key in keys if key not in game.words]:
        yield f'There are no words for {", ".join(missing)} in {Path(game.folder, "en.toml")}.'


def pictures_needed(game: Game) -> Iterator[str]:
    """What the rulebook shows and nobody can draw."""
    for kind, name in re.findall(r'!\[[^\]]*\]\((position|figure):([^)?]+)', game.rules()):
        if kind == 'position' and not (file := Path(game.folder, 'examples', f'{name}.json')).exists():
            yield f'The rulebook shows position:{name}, and there is no {file}, a position as JSON.'
        if kind == 'figure' and not game.parts.figures:
            yield f'The rulebook shows figure:{name}, and {game.name} has no part `figures` that draws it.'


def lessons_needed(name: str) -> Iterator[str]:
    """What is wrong with the file of the lessons; test_lessons.py plays what it holds."""
    try:
        lessons(name)
    except GameError as error:
        yield str(error)
