// A lesson at the table: the things that it points at, and the ways on and back.

/** @param {string} id of a target, or of what is explained @returns {Element | null} */
function pointed(id) {
  const [, name = id] = /^(?:el|do):(.+)$/.exec(id) ?? [];
  return id.startsWith('do:') ? document.querySelector(`#acts :is([data-target='${CSS.escape(id)}'], [data-button='${CSS.escape(id)}'])`)
    : document.getElementById(name) ?? document.querySelector(`[data-about='${CSS.escape(name)}']`);
}

/** Mark what the lesson points at now. @param {import('./board.js').Board} board */
export function pointAt(board) {
  const strip = document.getElementById('lesson');
  /** @type {string[]} */
  const points = JSON.parse(strip?.dataset.points ?? '[]');
  for (const element of document.querySelectorAll('.pointed')) element.classList.remove('pointed');
  board.points = points.filter((id) => id.startsWith('at:') || board.onBoard(id));
  for (const id of points) if (!board.points.includes(id)) pointed(id)?.classList.add('pointed');
}

/** What was said last; null before anything was. @type {string | null} */
let said = null;

/** What is said next comes into sight, wherever on the page the move before it was made. */
export function inSight() {
  const strip = document.getElementById('lesson');
  const { step } = strip?.dataset ?? {}; // a coach has none
  const says = step === undefined ? '' : `${step} ${strip?.querySelector('.said')?.textContent}`;
  if (says && said !== null && says !== said) strip?.scrollIntoView({ block: 'nearest' });
  said = says;
}

/**
 * Go on in the lesson or the exercise, or back.
 * @param {HTMLElement} button
 * @param {(what: string, body: object) => Promise<{ok: boolean, data: any}>} post
 * @param {(serial: number) => Promise<unknown>} seen
 * @param {string} [what] a lesson, or an exercise
 */
export async function goOn(button, post, seen, what = 'lesson') {
  const { ok, data } = await post(what, { way: button.dataset.way, step: Number(button.dataset.step) });
  if (!ok) return;
  await seen(data.serial);
  // the keyboard goes on where the lesson does: with the next step, or on the board
  const on = document.getElementById('lesson-on');
  if (on) on.focus({ preventScroll: true });
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  document.getElementById('lesson')?.scrollIntoView({ block: 'nearest' });
}
