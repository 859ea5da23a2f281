"""The operator's page: the key is given in a form; whoever plays at a closed table reads so at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from ludoteca.text import words
from tests.browser.support import new_table
from tests.browser.test_accessible import AXE, violations
from tests.browser.test_room import measure
from tests.web.conftest import OPERATOR

Visit = Callable[..., Page]


@pytest.mark.wide
def test_an_operator_signs_in_mutes_somebody_and_closes_a_table(visit: Visit, address: str) -> None:
    player, page = visit(address), visit(f'{address}/operator', bypass_csp=True)
    table = new_table(player, address, 'octiles')['id']
    assert page.url == f'{address}/operator/login'
    if AXE.exists():
        assert violations(page) == {}
    page.get_by_label(words('operator.key')).fill(OPERATOR)
    page.keyboard.press('Enter')
    page.wait_for_url(f'{address}/operator')
    row = page.locator('.tables > li', has_text=table)
    row.locator('summary').click()
    if AXE.exists():
        assert violations(page) == {}
    assert measure(page) == {}
    row.get_by_role('button', name=words('operator.mute')).click()
    page.locator('.people').get_by_role('button', name=words('operator.unmute')).last.wait_for()
    row.locator('summary').click()
    row.get_by_role('button', name=words('operator.close')).click()
    row.wait_for(state='detached')
    player.locator('#prompt', has_text=words('operator.closed')).wait_for()
    page.get_by_role('button', name=words('operator.leave')).click()
    page.wait_for_url(f'{address}/operator/login')
