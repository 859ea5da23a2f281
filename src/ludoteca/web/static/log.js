// The log: one of its rows takes part in the tab order, arrow keys go from row to row, Enter looks at a position.

const rows = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.log [data-at]')]);

/** Scroll the log, and nothing else, until a row is in sight. @param {HTMLElement} row */
function reveal(row) {
  const log = row.closest('.log');
  if (!log) return;
  const [room, box] = [log.getBoundingClientRect(), row.getBoundingClientRect()];
  if (row.parentElement === log.lastElementChild) log.scrollTop = log.scrollHeight;
  else if (box.top < room.top) log.scrollTop -= room.top - box.top;
  else if (box.bottom > room.bottom) log.scrollTop += box.bottom - room.bottom;
}

/** Bring the row of the position that is on the board into sight, as when the log is opened. */
export function showLog() {
  const row = /** @type {HTMLElement | null} */ (document.querySelector('.log .cur [data-at]'));
  if (row) reveal(row);
}

/** The row of the position that is on the board: it stands out, is in sight, and is where the tab key comes to. @param {number} at */
export function markRow(at) {
  for (const row of rows()) {
    const here = Number(row.dataset.at) === at;
    row.parentElement?.classList.toggle('cur', here);
    row.tabIndex = here ? 0 : -1;
    if (here) row.setAttribute('aria-current', 'step');
    else row.removeAttribute('aria-current');
    if (here) reveal(row);
  }
}

/** A key within the log. @param {KeyboardEvent} event @returns {boolean} whether it was one of the log's */
export function logKey(event) {
  const row = /** @type {HTMLElement | null} */ (event.target instanceof Element ? event.target.closest('.log [data-at]') : null);
  if (!row || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  if (event.key === 'Enter' || event.key === ' ') return true; // the row is a button, and presses itself
  const all = rows();
  const at = all.indexOf(row);
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return false;
  event.preventDefault();
  const next = all[to];
  if (!next) return true;
  row.tabIndex = -1;
  next.tabIndex = 0;
  next.focus({ preventScroll: true });
  reveal(next);
  return true;
}
