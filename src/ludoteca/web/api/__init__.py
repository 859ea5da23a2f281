"""The JSON interface: all that the pages can do.

The docstring of a route is its description for people who write programs; it is shown under /api as it stands
here.
"""

from __future__ import annotations

from ludoteca.web.api import analyses, components, general, history, pictures, playing, reviews, tables, turns

ROUTERS = (
    general.router,
    components.router,
    tables.router,
    turns.router,
    playing.router,
    history.router,
    reviews.router,
    pictures.router,
    analyses.router,
)
"""In the order in which the interface is described."""
