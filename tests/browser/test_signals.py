"""What is heard, felt and notified: nothing unasked, and nothing that the page does not show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from tests.browser.support import LIGHT, POST, actions, changed, my_turn, new_table, state

Visit = Callable[..., Page]
LISTEN = """() => {
    window.heard = { starts: 0, buzzes: [], notes: [] };
    for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
        const start = kind.prototype.start;
        kind.prototype.start = function (...more) { heard.starts++; return start.apply(this, more); };
    }
    navigator.vibrate = (pattern) => { heard.buzzes.push([pattern].flat()); return true; };
    window.Notification = class {
        static permission = 'default';
        static asked = 0;
        static async requestPermission() { this.asked++; return this.permission = 'granted'; }
        constructor(title, options) { heard.notes.push({ title, ...options }); }
        addEventListener() {}
    };
}"""
LOUD = """async (address) => {
    const { SOUNDS } = await import(address);
    const found = {};
    for (const [name, sound] of Object.entries(SOUNDS)) {
        const audio = new OfflineAudioContext(1, 44100 * 1.5, 44100);
        sound(audio, 0);
        const samples = (await audio.startRendering()).getChannelData(0);
        const peak = (from, to) => samples.subarray(44100 * from, 44100 * to)
            .reduce((most, one) => Math.max(most, Math.abs(one)), 0);
        found[name] = [peak(0, 1.2), peak(1.2, 1.5)];
    }
    return found;
}"""


def heard(page: Page) -> dict[str, Any]:
    """What was heard, felt and notified since this was last asked."""
    found: dict[str, Any] = page.evaluate(
        """() => {
            const found = { ...heard };
            Object.assign(heard, { starts: 0, buzzes: [], notes: [] });
            return found;
        }"""
    )
    return found


def play(page: Page) -> None:
    """Play a turn through the interface, and wait until the bot has answered."""
    before = state(page)
    page.evaluate(POST, [f'/api{page.evaluate("location.pathname")}/act', {'steps': actions(page)[0][0]}])
    changed(page, before)
    my_turn(page)
    page.wait_for_timeout(0)


def switch(page: Page, name: str) -> None:
    """Change a setting by a click."""
    with page.expect_response('**/api/me'):
        page.click(f"#settings-form [name='{name}']")


def test_sounds_vibrations_and_notifications_are_for_those_who_ask(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT, motion=True)
    page.context.add_init_script(f'({LISTEN})()')
    new_table(page, address, 'myriath', 'bot', players=2, level='beginner')
    my_turn(page)
    loaded = "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/signals.js')).map(({ name }) => name)"  # noqa: E501

    # nothing is heard, felt or even loaded that nobody asked for
    play(page)
    assert heard(page) == {'starts': 0, 'buzzes': [], 'notes': []}
    assert page.evaluate(loaded) == []
    assert page.evaluate('Notification.asked') == 0

    # a click in the settings asks, and lets a sample be heard and felt
    page.click("[data-drawer='settings']")
    switch(page, 'sound')
    page.wait_for_function('() => heard.starts > 0')
    switch(page, 'haptics')
    page.wait_for_function('() => heard.buzzes.length > 0')
    switch(page, 'notify')
    assert page.evaluate('Notification.asked') == 1
    page.keyboard.press('Escape')
    peaks = page.evaluate(LOUD, page.evaluate(loaded)[0])
    assert set(peaks) == {'wood', 'tile', 'bronze', 'draw', 'turn', 'won', 'over'}
    for name, (peak, after) in peaks.items():
        assert 0.02 < peak <= 1, name
        assert after < 0.001, f'{name} does not end'

    # a turn and its answer are heard, and that it is my turn is felt
    heard(page)
    play(page)
    page.wait_for_function('() => heard.starts > 0 && heard.buzzes.length > 0')
    assert heard(page)['notes'] == [], 'somebody looks'

    # who looks back hears nothing; who looks elsewhere reads no more than the title says
    page.keyboard.press('ArrowLeft')
    page.wait_for_selector('body.looking-back')
    page.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })")
    play(page)
    page.wait_for_function('() => heard.notes.length > 0')
    found = heard(page)
    assert found['starts'] == 0
    assert found['buzzes'] == []
    assert [note['title'] for note in found['notes']] == [page.title()]
    assert {key for note in found['notes'] for key in note} == {'title', 'tag', 'data'}
    page.evaluate('delete document.hidden')
    page.keyboard.press('Escape')
    page.wait_for_selector('body:not(.looking-back)')

    # without motion nothing vibrates
    page.emulate_media(reduced_motion='reduce')
    heard(page)
    play(page)
    page.wait_for_function('() => heard.starts > 0')
    assert heard(page)['buzzes'] == []
