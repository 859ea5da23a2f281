// The recap of a season, a draft or a round: its lines come one after the other, and the scores of the panels count up with them.
// It can be skipped at any time. Nothing here keeps state: a skipped recap leaves the right scores.
import { countUp } from './animate.js';

const BEFORE = 420; // milliseconds before the first line,
const STEP = 620; // from line to line,
const REST = 2600; // and after the last one

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Ends what is being played. @type {(() => void) | null} */
let end = null;

/** Skip the recap. @returns {boolean} whether there was one */
export function skipRecap() {
  const element = document.getElementById('recap');
  if (!element || element.hidden) return false;
  end?.();
  element.hidden = true;
  return true;
}

/* On a phone it lies over the page: whoever touches something else goes on with the game. */
document.addEventListener('pointerdown', ({ target }) => {
  const element = document.getElementById('recap');
  if (element && !element.hidden && getComputedStyle(element).position === 'fixed' && !(target instanceof Node && element.contains(target))) skipRecap();
});

/** The score on the page of a seat. @param {string} seat */
const scoreOf = (seat) => document.querySelector(`#players [data-seat='${seat}'] .score b`);

/** Let a score count up by some points. @param {Element} score @param {number} points */
function add(score, points) {
  const before = new Map([[score, score.textContent ?? '']]);
  score.textContent = String(Number(score.textContent) + points);
  countUp(before);
}

/**
 * Play the recap that is on the page. Resolves when it has been seen or skipped; without motion all of it is there at once, until
 * it is closed.
 */
export async function playRecap() {
  const element = document.getElementById('recap');
  const lines = /** @type {HTMLElement[]} */ ([...(element?.querySelectorAll('li') ?? [])]);
  if (!element || !lines.length) return;
  end?.();
  element.hidden = false;
  const list = lines[0]?.parentElement; // it scrolls; heading, sums and button do not
  if (list) list.scrollTop = 0;
  if (still.matches || document.hidden) return;
  let over = false;
  /** @type {() => void} */
  let wake = () => {};
  /** The scores at the end. @type {Map<Element, string>} */
  const after = new Map();
  const finish = () => {
    if (over) return;
    over = true;
    if (end === finish) end = null;
    for (const line of lines) line.classList.remove('later');
    for (const [score, text] of after) score.textContent = text;
    element.hidden = true;
    wake();
  };
  end = finish;
  /** @param {number} time */
  const wait = (time) => new Promise((resolve) => {
    wake = () => resolve(undefined);
    setTimeout(resolve, time);
  });
  for (const line of lines) line.classList.add('later');
  await wait(BEFORE); // scores may still be counting up
  if (over) return;
  const gains = lines.map((line) => (line.dataset.gains ?? '').split(' ').filter(Boolean).map((gain) => gain.split(':')));
  for (const [seat, points] of gains.flat()) {
    const score = scoreOf(seat ?? '');
    if (!score) continue;
    if (!after.has(score)) after.set(score, score.textContent ?? '');
    score.textContent = String(Number(score.textContent) - Number(points));
  }
  for (const [k, line] of lines.entries()) {
    line.classList.remove('later');
    line.scrollIntoView({ block: 'nearest' });
    for (const [seat, points] of gains[k] ?? []) {
      const score = scoreOf(seat ?? '');
      if (score) add(score, Number(points));
    }
    await wait(STEP);
    if (over) return;
  }
  await wait(REST);
  finish();
}
