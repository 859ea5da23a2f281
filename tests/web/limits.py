"""Limits that no test reaches unless it means to."""

from ludoteca.web.security import Limits

ROOMY = Limits(
    rate=1000,
    burst=10_000,
    pages=2000,
    pages_burst=20_000,
    new_tables=100,
    new_tables_burst=1000,
    hints=100,
    hints_burst=1000,
)
