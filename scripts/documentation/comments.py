"""Comments of fields are part of the reference.

Shapes and units of a field stand in the comment beside or above it. Sphinx reads only comments that begin
with `#:`, a mark of its own that the code does without.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.pycode import parser

COMMENT = re.compile(r'^\s*#:? ?(?!\s*(?:-{3}|noqa|type:|fmt:|ruff:|pragma:))(.*)\r?\n?$')
"""A comment that says something to people: no line between sections, no word to a tool."""


def set_up(_app: Any) -> None:
    """Have Sphinx read them."""
    parser.comment_re = COMMENT
