"""A board for analysis in the browser: a tree is built, commented, drawn on, shared, and opened by another
person."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.support import ready


def drawer(page: Page, name: str) -> None:
    """Open a drawer, if it does not stand open."""
    opener = page.locator(f"button[data-drawer='{name}']")
    if opener.is_visible() and opener.get_attribute('aria-expanded') != 'true':
        opener.click()


