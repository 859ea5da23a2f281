// The page of a review: it follows the judging of turns while that goes on, and shows another turn or another step of a line without
// being loaded anew. Arrow keys go from turn to turn.
import './lobby.js';
import { openShare } from './share.js';
import { supply } from './symbols.js';
import { Idiomorph } from './vendor/idiomorph.js';

const LOOK_AGAIN = 1000;
const here = location.pathname;
let newest = 0;

const content = () => /** @type {HTMLElement} */ (document.getElementById('review'));

/**
 * Put the content of an address in the place of what is shown.
 * @param {string} search
 * @returns {Promise<boolean | null>} null: something else has been asked for meanwhile
 */
async function show(search) {
  const asked = ++newest;
  const address = new URL(here + search, location.href);
  address.searchParams.set('part', 'true');
  try {
    const answer = await fetch(address, { headers: { Accept: 'text/html' } });
    const text = await answer.text();
    if (asked !== newest) return null;
    if (!answer.ok) return false;
    const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('review');
    if (!fresh) return false;
    supply(text);
    Idiomorph.morph(content(), fresh, { morphStyle: 'outerHTML' });
    return true;
  } catch {
    return asked === newest ? false : null; // the server is away: what is shown stays
  }
}

/** Say what the panel of a turn says. */
function speak() {
  const said = document.getElementById('speak');
  const panel = document.getElementById('turn');
  const text = panel?.querySelector('.steps p')?.textContent || panel?.querySelector('h2')?.textContent || '';
  if (said) said.textContent = text.replace(/\s+/g, ' ').trim();
}

document.addEventListener('click', async (event) => {
  const target = event.target instanceof Element ? event.target.closest('#review a[href^="?"]') : null;
  const href = target?.getAttribute('href');
  if (!href || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const search = href.split('#')[0] ?? '';
  const label = target?.getAttribute('aria-label');
  const shown = await show(search);
  if (shown === null) return;
  if (!shown) {
    location.assign(href);
    return;
  }
  history.replaceState(null, '', here + search);
  // a link that is no longer there leaves its focus to the panel
  if (label && !document.activeElement?.matches('#review a')) {
    const same = [...content().querySelectorAll('a')].find((link) => link.getAttribute('aria-label') === label);
    (same ?? document.getElementById('turn'))?.focus({ preventScroll: true });
  }
  const panel = document.getElementById('turn');
  if (panel && panel.getBoundingClientRect().top < 0) panel.scrollIntoView({ block: 'start' });
  else if (panel && target?.closest('.rows, .graph')) panel.scrollIntoView({ block: 'nearest' });
  speak();
});

document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
  if (typing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const way = { ArrowLeft: 'prev', ArrowRight: 'next' }[event.key];
  const link = way ? content().querySelector(`[data-go='${way}']`) : null;
  if (!(link instanceof HTMLElement)) return;
  event.preventDefault();
  link.click();
});

const button = /** @type {HTMLElement | null} */ (document.querySelector('[data-share]'));
if (button) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const { turn, number = '', turns } = content().dataset;
    openShare({ turn: Number(turn), number, turns: Number(turns), eyes: {}, seat: {}, passes: true });
  });
}

async function follow() {
  if (content().dataset.status !== 'running') return;
  if (!document.hidden) await show('');
  setTimeout(follow, LOOK_AGAIN);
}
setTimeout(follow, LOOK_AGAIN);
document.body.dataset.script = 'ready';
