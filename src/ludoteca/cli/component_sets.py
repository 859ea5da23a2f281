"""`components`: a game's components as a file, and component sets of one's own checked."""

from __future__ import annotations

import sys

from ludoteca.cli.common import STDIN, fail, print_json, read_text, write_file
from ludoteca.game import load, variant
from ludoteca.game.components import exported, parsed, table_of, text_of
from ludoteca.game.variants import differences
from ludoteca.text import words

MOST_SHOWN = 20  # values that differ; --json prints all


def components(name: str, export: str | None, check: str | None, as_json: bool) -> None:
    """Write the components of a game, or say whether a set can be played with; without either, say how each
    part of the components is known."""
    game = load(name)
    table_of(game)
    if export is not None and check is not None:
        fail('components_one')
    if export == STDIN:
        sys.stdout.write(text_of(exported(game)))
        return
    if export is not None:
        write_file(export, text_of(exported(game)).encode())
        print(words('cli.components.written', game=game.title, path=export))
        return
    if check is not None:
        base = load(game.base_name)
        game = variant(base, parsed(read_text(check), check), keep=False)
        if not as_json and game is base:
            print(words('cli.components.same', path=check, game=base.title))
            return
    found, changed = game.component_set, differences(game)
    if as_json:
        print_json(
            {
                'game': game.base_name,
                'name': game.name,
                'title': found.label if found else '',
                'hash': found.hash if found else '',
                'differences': changed,
                'certainty': dict(game.certainty),
            }
        )
        return
    if found is not None:
        print(
            words(
                'cli.components.fine',
                path=name if check is None else check,
                title=found.label,
                hash=found.hash,
                game=load(game.base_name).title,
            )
        )
        for place, own, value in changed[:MOST_SHOWN]:
            print('  ' + words('cli.components.changed', place=place, own=own, value=value))
        if len(changed) > MOST_SHOWN:
            print('  ' + words('cli.components.more', n=len(changed) - MOST_SHOWN))
    for part, known in game.certainty.items():
        print(f'{part}: {known}')
