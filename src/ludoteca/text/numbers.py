"""Numbers as people read them."""

from __future__ import annotations


def with_half(number: float) -> str:
    """A number as badges show it, a half as one sign: `½`, `2½`."""
    whole = int(number)
    return f'{whole or ""}½' if number - whole == 0.5 else f'{number:g}'


def with_minus(number: str) -> str:
    """A number as printed. Python writes a hyphen, `-8`; a minus sign, `−8`, is as wide as a plus sign and is
    not broken off at the end of a line."""
    return number.replace('-', '−')
