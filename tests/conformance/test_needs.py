"""What a new game lacks is said before it is played, in sentences."""

from __future__ import annotations

import pytest

from tests.conformance.needs import needs


@pytest.mark.smoke
def test_a_game_has_all_that_the_suite_needs(wanted: str) -> None:
    if found := needs(wanted):
        pytest.fail('\n'.join(found), pytrace=False)


@pytest.mark.interpreted
def test_a_game_has_all_that_the_suite_needs_interpreted(wanted: str) -> None:
    """A game that lacks something has no other test that could fail."""
    test_a_game_has_all_that_the_suite_needs(wanted)
