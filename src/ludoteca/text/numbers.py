"""Numbers as people read them."""

from __future__ import annotations


def with_minus(number: str) -> str:
    """A number as printed. Python writes a hyphen, `-8`; a minus sign, `−8`, is as wide as a plus sign and is
    not broken off at the end of a line."""
    return number.replace('-', '−')
