"""The catalogue of words: every key that the code asks for is there with its fields given, every key is asked
for, and no error carries a sentence of its own."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import ludoteca
from ludoteca.game import games, load
from ludoteca.lessons import lessons
from ludoteca.text import Words, words
from tests import toy

PACKAGE = Path(ludoteca.__file__).parent
WILD = '\0'
Pattern = str  # a key in which WILD stands for what is known at run time only


@dataclass(frozen=True)
class Call:
    """A place in the code that asks for words: the key, and the fields given (None: not known before run
    time)."""

    where: str
    pattern: Pattern
    fields: frozenset[str] | None
    of_game: bool


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a module."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding='utf-8'))))


def patterns(node: ast.expr) -> Iterator[Pattern]:
    """The keys that an expression may stand for."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield ''.join(str(part.value) if isinstance(part, ast.Constant) else WILD for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from patterns(node.body)
        yield from patterns(node.orelse)


def matches(pattern: Pattern, key: str) -> list[str] | None:
    """What stands for the wild parts if the key fits the pattern."""
    found = compiled(pattern).fullmatch(key)
    return list(found.groups()) if found else None


@cache
def compiled(pattern: Pattern) -> re.Pattern[str]:
    return re.compile('(.+)'.join(map(re.escape, pattern.split(WILD))))


def callables(module: tuple[ast.AST, ...]) -> dict[str, bool]:
    """Names by which a module calls words, each with whether they are a game's: `words`, and what is assigned
    from `….words` or made by `Words(…)`."""
    found: dict[str, bool] = {}
    for node in module:
        if isinstance(node, ast.ImportFrom) and node.module == 'ludoteca.text':
            found |= {alias.asname or alias.name: False for alias in node.names if alias.name == 'words'}
        if (
            isinstance(node, ast.arg)
            and node.annotation is not None
            and ast.unparse(node.annotation) == 'Words'
        ):
            found[node.arg] = True
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs: list[tuple[ast.expr, ast.expr]] = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=False))
                for name, value in pairs:
                    made = isinstance(value, ast.Call) and ast.unparse(value.func) == 'Words'
                    if isinstance(name, ast.Name) and (
                        made or (isinstance(value, ast.Attribute) and value.attr == 'words')
                    ):
                        found[name.id] = True
    return found


def calls(path: Path) -> Iterator[Call]:
    """All places of a module that ask for words."""
    names = callables(nodes(path))
    for node in nodes(path):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        function = node.func
        if isinstance(function, ast.Name) and function.id in names:
            of_game = names[function.id]
        elif isinstance(function, ast.Attribute) and function.attr == 'words':
            of_game = True
        else:
            continue
        fields = (
            None
            if any(keyword.arg is None for keyword in node.keywords)
            else frozenset(str(k.arg) for k in node.keywords)
        )
        for pattern in patterns(node.args[0]):
            yield Call(f'{path.name}:{node.lineno}', pattern, fields, of_game)


def modules() -> list[Path]:
    """The code outside the games."""
    return [path for path in sorted(PACKAGE.rglob('*.py')) if not path.is_relative_to(PACKAGE / 'games')]


def fields_of(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def check(call: Call, catalogue: Words) -> None:
    """A key that is written out must be there, and its fields given; of one that is put together some key
    must be there."""
    if WILD not in call.pattern:
        assert call.pattern in catalogue, f'{call.where}: there are no words for {call.pattern}'
        if call.fields is not None:
            missing = fields_of(catalogue._texts[call.pattern]) - call.fields
            assert not missing, f'{call.where}: {call.pattern} needs {", ".join(missing)}'
    else:
        assert any(matches(call.pattern, key) for key in sorted(catalogue.keys())), (
            f'{call.where}: no key is like {call.pattern!r}'
        )


@cache
def code() -> str:
    """The text of all code outside the games."""
    return '\n'.join(path.read_text(encoding='utf-8') for path in modules())


def guarded(call: Call) -> bool:
    """Words that a game need not have, since the code looks first."""
    return f"'{call.pattern}' in " in code()


@pytest.mark.smoke
def test_words_that_the_code_asks_for_are_there() -> None:
    found = [call for path in modules() for call in calls(path)]
    assert len(found) > 50
    for call in found:
        for catalogue in [load(name).words for name in games()] if call.of_game else [words]:
            if not (call.of_game and (guarded(call) or WILD in call.pattern)):
                check(call, catalogue)


@pytest.mark.parametrize('name', games())
def test_words_that_a_game_asks_for_are_there(name: str) -> None:
    game = load(name)
    for path in sorted(Path(game.folder).glob('*.py')):
        for call in calls(path):
            check(call, game.words)


@pytest.mark.smoke
@pytest.mark.parametrize('name', games())
def test_a_game_says_choose_and_not_click_since_fingers_and_keys_choose_as_well(name: str) -> None:
    text = (Path(load(name).folder) / 'en.toml').read_text(encoding='utf-8')
    assert re.findall(r'.*\bclick.*', text, re.IGNORECASE) == []


# ---- no sentence beside the catalogue ----------------------------------------------------------------------


@cache
def errors() -> set[str]:
    """The names of GameError and of all classes of the code that derive from it."""
    classes = [
        node for path in PACKAGE.rglob('*.py') for node in nodes(path) if isinstance(node, ast.ClassDef)
    ]
    found, before = {'GameError'}, 0
    while len(found) > before:
        before = len(found)
        found |= {
            node.name
            for node in classes
            if any(ast.unparse(base).split('.')[-1] in found for base in node.bases)
        }
    return found


def called(call: ast.Call) -> str:
    """The last part of the name of what is called; empty if it has none."""
    return getattr(call.func, 'attr', getattr(call.func, 'id', ''))


def sentences(call: ast.Call) -> list[str]:
    """The literal texts of two words and more among the arguments of a call."""
    parts = [node for argument in call.args for node in ast.walk(argument)]
    texts = [
        text.replace(WILD, 'x')
        for part in parts
        if isinstance(part, ast.Constant | ast.JoinedStr)
        for text in patterns(part)
    ]
    return [text for text in texts if re.search(r'\w[,;]? \w', text)]


@pytest.mark.parametrize('folder', [PACKAGE, Path(toy.__file__).parent], ids=['package', 'toy'])
def test_what_errors_say_is_in_the_catalogue(folder: Path) -> None:
    names = errors()
    assert names >= {'GameError', 'NotYourTurn', 'Stale', 'StoreError'}
    for path in sorted(folder.rglob('*.py')):
        for node in nodes(path):
            if isinstance(node, ast.Call) and called(node) in names:
                assert sentences(node) == [], f'{path.name}:{node.lineno}: this belongs into the catalogue'


@pytest.mark.parametrize(
    'code',
    [
        "GameError('No seat is free.')",
        "GameError(f'{seat} is taken.')",
        "GameError('A ' 'b.')",
        "GameError('{} is taken.'.format(seat))",
        "GameError(('Go, ' if on else 'Do not ') + 'go.')",
    ],
)
def test_a_sentence_in_an_error_is_found(code: str) -> None:
    call = ast.parse(code, mode='eval').body
    assert isinstance(call, ast.Call)
    assert sentences(call)


# ---- nothing left over -------------------------------------------------------------------------------------


@cache
def texts_of(folder: Path, without_games: bool) -> tuple[frozenset[Pattern], frozenset[str]]:
    """All strings of the code in a folder, as patterns; and all strings and names, which may stand for a wild
    part."""
    keys, parts = set(), set[str]()
    for path in folder.rglob('*'):
        if (without_games and path.is_relative_to(PACKAGE / 'games')) or 'vendor' in path.parts:
            continue
        if path.suffix == '.py':
            for node in nodes(path):
                if isinstance(node, ast.Constant | ast.JoinedStr):
                    keys |= set(patterns(node))
                for name in ('id', 'attr', 'arg', 'name', 'value'):
                    part = getattr(node, name, None)
                    if isinstance(part, str):
                        parts.add(part)
        elif path.suffix in ('.js', '.mjs'):
            for text in re.findall(r"'([^'\n]*)'|`([^`]*)`", path.read_text(encoding='utf-8')):
                keys.add(re.sub(r'\$\{[^}]*\}', WILD, ''.join(text)))
                parts.add(''.join(text))
    return frozenset(key for key in keys if key.strip(WILD + '.')), frozenset(
        parts | {part.lower() for part in parts}
    )


def unused(keys: set[str], texts: frozenset[Pattern], parts: frozenset[str]) -> list[str]:
    """Keys that no string of the code is, or can become with parts that occur in it."""
    whole, wild = (
        {text for text in texts if WILD not in text},
        [text for text in texts if WILD in text and '.' in text],
    )
    parts |= {str(number) for number in range(10)}
    # parts that are put together themselves
    made = [text for text in texts if WILD in text and len(text) > 4]

    def occurs(part: str) -> bool:
        return part in parts or any(matches(text, part) for text in made)

    return [
        key
        for key in sorted(keys - whole)
        if not any((found := matches(pattern, key)) and all(map(occurs, found)) for pattern in wild)
    ]


def declared(name: str) -> frozenset[str]:
    """What a game declares and words are asked for by: endings, measures, reconstructed parts, lessons,
    options and their values."""
    game = load(name)
    options = game.options.values()
    values = {str(value).lower() for allowed in options.values() for value in allowed}
    return frozenset(
        {
            *game.endings,
            *game.measures,
            *game.reconstructed,
            *(part for lesson in lessons(name) for part in (lesson.id, *(step.id for step in lesson.steps))),
            *(
                answer.say
                for lesson in lessons(name)
                for step in lesson.steps
                for answer in (*step.accept, *step.refuse)
            ),
            *options,
            *values,
            *(f'{key}.{value}' for key in options for value in values),
        }
    )


def own(path: Path) -> set[str]:
    """The keys of one file."""

    def flat(table: dict[str, object], prefix: str) -> Iterator[str]:
        for key, value in table.items():
            if isinstance(value, dict):
                yield from flat(value, f'{prefix}{key}.')
            else:
                yield prefix.rstrip('.') if key == '_' else prefix + key

    return set(flat(tomllib.loads(path.read_text(encoding='utf-8')), ''))


def test_every_shared_word_is_asked_for() -> None:
    assert unused(own(PACKAGE / 'text' / 'en.toml'), *texts_of(PACKAGE, False)) == []


@pytest.mark.parametrize('name', games())
def test_every_word_of_a_game_is_asked_for(name: str) -> None:
    """By the game itself, or by what shows all games."""
    folder = Path(load(name).folder)
    (texts, parts), (more_texts, more_parts) = texts_of(folder, False), texts_of(PACKAGE, True)
    assert unused(own(folder / 'en.toml'), texts | more_texts, parts | more_parts | declared(name)) == []


@pytest.mark.parametrize('name', games())
def test_texts_can_be_filled(name: str) -> None:
    """No text has a brace that is no field, or a field without a name."""
    catalogue = load(name).words
    for key in catalogue.keys():  # noqa: SIM118
        for _, field, form, _ in string.Formatter().parse(catalogue._texts[key]):
            assert field is None or (field.isidentifier() and not form), key


ALWAYS_MORE = {'reason.room'}  # a room brings 2 points or more


@pytest.mark.parametrize('name', games())
def test_reasons_say_one_point_of_one(name: str) -> None:
    catalogue = load(name).words
    keys = catalogue.keys()
    counted = {key.removesuffix('.more') for key in keys if '{n} points' in catalogue._texts[key]}
    told = {key for key in counted if key.startswith('reason.')} - ALWAYS_MORE
    assert [key for key in sorted(told) if f'{key}.one' not in catalogue] == []


@pytest.mark.parametrize(('name', 'kind'), [('mykerinos', 'show'), ('myraclia', 'scored')])
def test_the_sums_of_the_end_have_no_plural_of_one_point(name: str, kind: str) -> None:
    values = dict.fromkeys(('before', 'area', 'surfaces', 'types', 'total', 'sum'), 1)
    assert '1 points' not in load(name).words(f'event.{kind}', player='Red', **values)


def test_a_missing_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        words('there.is.no.such.key')
    assert 'there.is.no.such.key' not in words
    assert 'colour.blue' in words


def test_a_game_falls_back_to_the_shared_words(tmp_path: Path) -> None:
    (tmp_path / 'en.toml').write_text(
        'title = "Sample"\n[colour]\nblue = "Sky"\n[a]\n_ = "table"\nb = "{x} and {y}"\n'
    )
    catalogue = Words(tmp_path)
    assert catalogue('title') == 'Sample'
    assert catalogue('colour.blue') == 'Sky'
    assert catalogue('colour.red') == words('colour.red')
    assert catalogue('a') == 'table'
    assert catalogue('a.b', x=1, y='{z}') == '1 and {z}'
    assert words('colour.blue') != 'Sky'
