"""Pages, live updates, JSON interface, and the browser's static files.

Importing the package loads no server; `create_app` and `serve` are fetched from `ludoteca.web.app` when first
used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludoteca.web.app import create_app, serve

__all__ = ['create_app', 'serve']


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    from ludoteca.web import app

    return getattr(app, name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
