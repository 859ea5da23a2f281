// A lesson at the table: the things that it points at, and the ways on and back.
import { duplicate, svg } from './board.js';

/** @param {string} id of a target, or of what is explained @returns {Element | null} */
function pointed(id) {
  const [, name = id] = /^(?:el|do):(.+)$/.exec(id) ?? [];
  return id.startsWith('do:') ? document.querySelector(`#acts :is([data-target='${CSS.escape(id)}'], [data-button='${CSS.escape(id)}'])`)
    : document.getElementById(name) ?? document.querySelector(`[data-about='${CSS.escape(name)}']`);
}

/** A frame round a thing of a card's drawing, as the thing is shaped and turned. @param {Element} element @returns {SVGElement | null} */
function framed(element) {
  const shape = /** @type {SVGGraphicsElement | null} */ (element instanceof SVGElement ? element.querySelector('.hit') : null);
  const drawing = shape?.ownerSVGElement;
  const copy = shape && drawing?.getScreenCTM() && duplicate(shape, drawing.getScreenCTM());
  if (!copy) return null;
  const frame = svg('g', { class: 'pointing' }, copy, /** @type {Element} */ (copy.cloneNode(true)));
  frame.querySelectorAll('.hit').forEach((line, k) => line.setAttribute('class', k ? 'pointer' : 'pointer-case'));
  drawing?.append(frame);
  return frame;
}

/** Mark what the lesson points at now. @param {import('./board.js').Board} board */
export function pointAt(board) {
  const strip = document.getElementById('lesson');
  /** @type {string[]} */
  const points = JSON.parse(strip?.dataset.points ?? '[]');
  for (const frame of document.querySelectorAll('#cards .pointing')) frame.remove();
  for (const element of document.querySelectorAll('.pointed')) element.classList.remove('pointed');
  board.points = points.filter((id) => id.startsWith('at:') || board.onBoard(id));
  for (const id of points) {
    const element = board.points.includes(id) ? null : pointed(id);
    if (element && !framed(element)) element.classList.add('pointed');
  }
}

/** Pixels at the top of the window that the words of a lesson cover: on a phone they stay there while the page scrolls. */
export function covered() {
  const strip = document.getElementById('lesson');
  return strip && getComputedStyle(strip).position === 'sticky' ? strip.getBoundingClientRect().bottom : 0;
}

/** What was said last. */
let said = '';
const still = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * What is said next comes into sight, wherever on the page the move before it was made; and after each move the first thing that the step
 * points at.
 * @param {import('./board.js').Board} board
 */
export function inSight(board) {
  const strip = document.getElementById('lesson');
  const { step = '', points = '[]' } = strip?.dataset ?? {}; // a coach has none
  if (!strip || !step) return;
  const says = `${step} ${strip.querySelector('.said')?.textContent}`;
  const behavior = still.matches ? 'instant' : 'smooth';
  if (said && says !== said && !covered()) strip.scrollIntoView({ block: 'nearest', behavior });
  const first = /** @type {string[]} */ (JSON.parse(points)).find((id) => !id.startsWith('do:')); // buttons are always in sight
  if (first) (first.startsWith('at:') ? board.stage : pointed(first))?.scrollIntoView({ block: 'nearest', behavior });
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
  if (button.ariaBusy) return;
  button.ariaBusy = 'true'; // it keeps the keyboard focus, which a disabled one would lose
  const { ok, data } = await post(what, { way: button.dataset.way, step: Number(button.dataset.step) });
  if (ok) await seen(data.serial);
  button.ariaBusy = null;
  if (!ok) return;
  // the keyboard goes on where the lesson does: with the next step, or on the board
  const on = document.getElementById('lesson-on');
  if (on) on.focus({ preventScroll: true });
  else if (document.activeElement === button) button.blur();
}
