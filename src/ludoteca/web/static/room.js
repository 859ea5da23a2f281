// The room of the table page, where a stylesheet alone cannot say it: panels that open, and a line over the board that never shrinks.

/** By seat whether its panel was opened (true) or shut (false) by hand. @type {Map<string, boolean>} */
const chosen = new Map();
let wide = 0;

/** Show the panels as they were opened, and say which are open. */
export function fitPanels() {
  for (const panel of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#players .pl[data-seat]'))) {
    const open = chosen.get(panel.dataset.seat ?? '');
    panel.classList.toggle('open', open === true);
    panel.classList.toggle('shut', open === false);
    panel.querySelector('button.open')?.setAttribute('aria-expanded', String(isOpen(panel)));
  }
}

// also where they get more or less room without a message, such as by the panel of a player that is opened
const resized = new ResizeObserver(() => fitCards());
/** @type {WeakSet<Element>} */
const observed = new WeakSet();

/** Cards that scroll can be reached and scrolled by keyboard. */
export function fitCards() {
  for (const cards of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#cards > .cards'))) {
    if (!observed.has(cards)) resized.observe(cards);
    observed.add(cards);
    if (cards.scrollHeight > cards.clientHeight + 1 && getComputedStyle(cards).overflowY === 'auto') cards.tabIndex = 0;
    else cards.removeAttribute('tabindex');
  }
}

/** @param {Element} panel */
function isOpen(panel) {
  const more = panel.querySelector('.more');
  return Boolean(more) && getComputedStyle(/** @type {Element} */ (more)).display !== 'none';
}

/** Open a panel or shut it. @param {HTMLElement} button in it */
export function togglePanel(button) {
  const panel = /** @type {HTMLElement | null} */ (button.closest('.pl'));
  if (!panel) return;
  chosen.set(panel.dataset.seat ?? '', !isOpen(panel));
  fitPanels();
}

/**
 * What stands over the board keeps the most room that it has had: the board does not jump from turn to turn. The height is
 * a property of the line: one of the page would be inherited by every square of the board, and each be styled anew.
 */
export function fitLine() {
  const top = /** @type {HTMLElement | null} */ (document.querySelector('.top'));
  if (!top) return;
  if (wide !== innerWidth) {
    wide = innerWidth;
    top.style.removeProperty('--top');
  }
  const line = top.offsetHeight ? top : /** @type {HTMLElement | null} */ (top.querySelector('.prompt'));
  if (line) top.style.setProperty('--top', `${line.offsetHeight}px`);
}

// also where it grows without a message, such as by a line about what is held
const growing = new ResizeObserver(fitLine);
for (const line of document.querySelectorAll('.top, .prompt')) growing.observe(line);

addEventListener('resize', () => {
  fitPanels();
  fitCards();
  fitLine();
});
