"""`games` and `version`: what there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ludoteca.cli.common import print_json, print_table
from ludoteca.text import words

if TYPE_CHECKING:
    from ludoteca.game import Slice


def games(as_json: bool) -> None:
    """List the games with the facts that they declare."""
    from ludoteca import game as contract

    found = [contract.load(name) for name in contract.games()]
    if as_json:
        print_json([facts(game) for game in found])
        return
    rows = []
    for game in found:
        sets, least, most = game.options.members(), game.players[0], game.players[-1]
        options = ', '.join(
            f'{name}={values[0]}|…' if name in sets else f'{name}={"|".join(map(_value, values))}'
            for name, values in game.options.values().items()
        )
        rows.append(
            [
                game.name,
                str(least) if least == most else f'{least}–{most}',
                str(game.minutes),
                f'{game.n_actions:,}',
                words('cli.yes' if game.hidden else 'cli.no'),
                options or words('cli.none'),
            ]
        )
    print_table(
        rows,
        [words(f'cli.games.{key}') for key in ('name', 'players', 'minutes', 'actions', 'hidden', 'options')],
    )


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def facts(game: Any) -> dict[str, Any]:
    """The declared facts of a game as plain data."""
    return {
        'name': game.name,
        'title': game.title,
        'version': game.version,
        'players': list(game.players),
        'minutes': game.minutes,
        'n_actions': game.n_actions,
        'max_legal': game.max_legal,
        'max_turns': game.max_turns,
        'endings': list(game.endings),
        'measures': list(game.measures),
        'hidden': game.hidden,
        'lists_turns': game.lists_turns,
        'sealed': list(game.sealed),
        'next_first': game.next_first,
        'reconstructed': list(game.reconstructed),
        'certainty': dict(game.certainty),
        'options': {name: list(values) for name, values in game.options.values().items()},
        'members': {name: list(members) for name, members in game.options.members().items()},
        'actions': layout(game.actions.kinds),
        'chances': [
            {'name': kind.name, 'mode': kind.mode, 'meaning': kind.meaning, 'outcomes': len(kind.outcomes)}
            for kind in game.chances
        ],
        'observation': layout(game.observation),
    }


def layout(parts: Sequence[Slice]) -> list[dict[str, object]]:
    """The parts of which observations or actions consist."""
    return [
        {
            'name': part.name,
            'size': part.size,
            'meaning': part.meaning,
            'shape': list(part.shape),
            'axes': list(part.axes),
        }
        for part in parts
    ]


def version(as_json: bool) -> None:
    """Print the versions that matter for a report of a defect."""
    import platform
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as version_of

    from ludoteca import __version__

    found = {'ludoteca': __version__, 'python': platform.python_version()}
    for package in ('numba', 'numpy'):
        try:
            found[package] = version_of(package)
        except PackageNotFoundError:
            found[package] = words('cli.none')
    found['platform'] = platform.platform()
    if as_json:
        print_json(found)
    else:
        print('\n'.join(f'{name} {value}' for name, value in found.items()))


def settings(as_json: bool) -> None:
    """List the settings of the server."""
    from dataclasses import asdict

    from ludoteca.web.serving import settings as known

    rows = known.rows(known.read())
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    for row in rows:
        mark = '*' if row.is_set else ' '
        print(f'{mark} {row.name:<32} {row.value or words("cli.none")}')
        bounds = f' ({row.bounds})' if row.bounds else ''
        print(f'      {row.meaning}{bounds}')
    for name in known.unknown():
        print(words('settings.unknown', name=name))


def operator_key() -> None:
    """Print the operator's key."""
    from ludoteca.web.people.operator import key_of_folder

    print(key_of_folder(make=True))
