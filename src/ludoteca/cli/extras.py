"""Which extra brings a package that is not installed."""

from __future__ import annotations

from ludoteca.text import words

EXTRAS = {
    'server': (
        'alembic',
        'fastapi',
        'fsrs',
        'httptools',
        'itsdangerous',
        'markdown_it',
        'multipart',
        'PIL',
        'prometheus_client',
        'pydantic_settings',
        'python_multipart',
        'resvg_py',
        'segno',
        'sqlalchemy',
        'starlette',
        'uvicorn',
        'uvloop',
        'websockets',
    ),
    'film': ('av',),
    'postgres': ('psycopg',),
    'research': ('gymnasium', 'open_spiel', 'pettingzoo', 'pyarrow', 'pyspiel'),
    'cluster': ('dask', 'distributed', 'ray'),
}
"""The extras of pyproject.toml and the modules that they bring, as they are imported."""


def missing(problem: ModuleNotFoundError) -> str | None:
    """What to install for a module that is not there, as a sentence; None if no extra has it."""
    name = (problem.name or '').split('.')[0]
    extra = next((extra for extra, modules in EXTRAS.items() if name in modules), None)
    return words('cli.error.extra', package=name, extra=extra) if extra else None
