"""Limits that no test reaches unless it means to, hints that are found at once, and no warnings."""

from ludoteca.web.live import blunders
from ludoteca.web.serving.security import Limits
from ludoteca.work import hints

ROOMY = Limits(
    rate=1000,
    burst=10_000,
    pages=2000,
    pages_burst=20_000,
    new_tables=100,
    new_tables_burst=1000,
    hints=100,
    hints_burst=1000,
    pictures=100,
    pictures_burst=1000,
    films=100,
    films_burst=1000,
    people=100,
    people_burst=1000,
)


def quick_hints() -> None:
    """Have hints found in a fraction of the time: tests play by them, and need legal turns rather than strong
    ones. Their turns are not searched for blunders."""
    hints.SECONDS = 0.15
    blunders.SECONDS = 0.0
