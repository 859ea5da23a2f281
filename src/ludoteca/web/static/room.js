// The room of the table page, where a stylesheet alone cannot say it: panels that open, and cards that scroll.

/** By seat whether its panel was opened (true) or shut (false) by hand. @type {Map<string, boolean>} */
const chosen = new Map();

/** Show the panels as they were opened, and say which are open. */
export function fitPanels() {
  for (const panel of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#players .pl[data-seat]'))) {
    const open = chosen.get(panel.dataset.seat ?? '');
    panel.classList.toggle('open', open === true);
    panel.classList.toggle('shut', open === false);
    panel.querySelector('button.open')?.setAttribute('aria-expanded', String(isOpen(panel)));
  }
}

/** Say how long those who are away have been so. */
export function countAway() {
  for (const gone of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#players .gone'))) {
    const minutes = Math.floor((Date.now() / 1000 - Number(gone.dataset.since)) / 60);
    if (minutes > 0) gone.textContent = (document.getElementById('players')?.dataset.away ?? '').replace('#', String(minutes));
  }
}
setInterval(countAway, 20_000);

// also where they get more or less room without a message, such as by the panel of a player that is opened
const resized = new ResizeObserver(() => fitCards());
/** @type {WeakSet<Element>} */
const observed = new WeakSet();

/** Cards and texts that scroll can be reached and scrolled by keyboard. */
export function fitCards() {
  for (const cards of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.cards, .cells, .prompt, .lesson-text, .recap > ol'))) {
    if (!observed.has(cards)) resized.observe(cards);
    observed.add(cards);
    const { overflowX, overflowY } = getComputedStyle(cards);
    if ((cards.scrollHeight > cards.clientHeight + 1 && overflowY === 'auto') || (cards.scrollWidth > cards.clientWidth + 1 && overflowX === 'auto')) cards.tabIndex = 0;
    else cards.removeAttribute('tabindex');
  }
}

/** Does a panel show all that it has? The stylesheet says so, by the size of the window. @param {Element} panel */
const isOpen = (panel) => getComputedStyle(panel).getPropertyValue('--panel').trim() === 'open';

/** Open a panel or shut it. @param {HTMLElement} button in it */
export function togglePanel(button) {
  const panel = /** @type {HTMLElement | null} */ (button.closest('.pl'));
  if (!panel) return;
  chosen.set(panel.dataset.seat ?? '', !isOpen(panel));
  fitPanels();
}

addEventListener('resize', () => {
  fitPanels();
  fitCards();
});
