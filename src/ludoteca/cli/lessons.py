"""`lessons`: the lessons of the games, and how many people have begun and finished each step."""

from __future__ import annotations

from typing import Any

from ludoteca.cli.common import print_json, print_table
from ludoteca.text import words


def lessons(game: str | None, database: str | None, as_json: bool) -> None:
    """Print the lessons of a game, or of all games, with the counts that the database has. No person is in
    them."""
    from ludoteca.game import games
    from ludoteca.lessons import lessons as lessons_of

    counts = _counts(database)
    found: list[dict[str, Any]] = [
        {
            'game': name,
            'lesson': lesson.id,
            'title': lesson.title,
            'steps': [
                {
                    'id': step.id,
                    'rule': step.rule,
                    'begun': counts.get((name, lesson.id, number), (0, 0))[0],
                    'finished': counts.get((name, lesson.id, number), (0, 0))[1],
                }
                for number, step in enumerate(lesson.steps)
            ],
        }
        for name in ((game,) if game else games())
        for lesson in lessons_of(name)
    ]
    if as_json:
        print_json(found)
        return
    rows = [
        [one['game'], one['title'], str(number), step['id'], str(step['begun']), str(step['finished'])]
        for one in found
        for number, step in enumerate(one['steps'], 1)
    ]
    columns = ('game', 'lesson', 'number', 'step', 'begun', 'finished')
    print_table(rows, [words(f'cli.lessons.{key}') for key in columns])


def _counts(database: str | None) -> dict[tuple[str, str, int], tuple[int, int]]:
    """How many have begun and finished each step; none where there are no data yet."""
    from ludoteca.store import Store, database_file, database_url

    file = database_file(database or database_url())
    if file is not None and not file.exists():
        return {}
    store = Store(database)
    try:
        return {(one.game, one.lesson, one.step): (one.begun, one.finished) for one in store.lesson_counts()}
    finally:
        store.close()
