// The dialog that gives a match to others: links, pictures of the turn that is looked at, and films.
import { send } from './live.js';

/**
 * @typedef {object} Shown what is looked at
 * @property {number} turn
 * @property {string | number} number of the turn, as people count
 * @property {number} turns of the match
 * @property {{eyes?: number}} eyes whose knowledge of then, if anything is hidden
 * @property {{seat?: number}} seat that looks, if one does
 * @property {boolean} passes are turns shown in which somebody only passes?
 */

const ASK = 600; // milliseconds between two questions about a film
const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('share'));
const FILMS = `/api/tables/${dialog.dataset.table}/films`;

/** @type {Shown} */
let shown;
/** The film that is being made: what was asked for, and where to ask how far it has come. @type {object | null} */
let wanted = null;
let path = FILMS;

/** @param {string} selector @returns {any} */
const find = (selector) => dialog.querySelector(selector);

/** @param {Shown} what */
export function openShare(what) {
  shown = what;
  const { turn, number } = what;
  const whole = dialog.dataset.link || (/^\/watch\//.test(location.pathname) ? location.origin + location.pathname : '');
  find('.stack').hidden = !whole; // others could not open it
  find('#share-whole').value = whole;
  find('#share-turn').value = `${whole}?${query({ turn, ...what.eyes })}`;
  for (const part of /** @type {NodeListOf<HTMLAnchorElement>} */ (dialog.querySelectorAll('[data-turn], [data-kind]'))) {
    if (part.dataset.turn) part.textContent = part.dataset.turn.replace('#', `${number}`);
    else part.search = query({ turn, ...view() });
  }
  find('output').textContent = '';
  dialog.showModal();
  if (sessionStorage[FILMS] && !wanted) void makeFilm(JSON.parse(sessionStorage[FILMS]));
}

/** @param {object} values @returns {string} */
const query = (values) => String(new URLSearchParams(/** @type {any} */ (values)));

/** How pictures show it. */
const view = () => ({ ...shown.eyes, ...shown.seat, theme: document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light') });

/** Copy the text of a field, which stays selected where that is not allowed. @param {HTMLElement} field @returns {Promise<string>} what to say */
export async function copy(field) {
  const { copied = '', selected = '' } = find('output').dataset;
  /** @type {HTMLInputElement} */ (field).select();
  return navigator.clipboard?.writeText(/** @type {HTMLInputElement} */ (field).value).then(() => copied, () => selected) ?? selected;
}

dialog.addEventListener('click', async ({ target }) => {
  if (target instanceof HTMLElement && target.dataset.field) find('output').textContent = await copy(find(target.dataset.field));
});

find('#film').addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  if (wanted) {
    void send(path, {}, 'DELETE');
    forget();
    return showFilm({});
  }
  const { turn, turns, passes } = shown;
  void makeFilm({ ...view(), kind: find('[name=kind]').value, passes, first: find('[name=turns]').value ? turn : 0, last: turns });
});

/** Have a film made, and show how far it has come. What was asked for outlives the page, and a server that is started again.
 * @param {object} film */
async function makeFilm(film) {
  wanted = film;
  path = FILMS;
  sessionStorage[FILMS] = JSON.stringify(film);
  for (let again = ''; wanted === film;) {
    const { ok, status, data } = await send(path, film, path === FILMS ? 'POST' : 'GET');
    if (wanted !== film) return;
    if (status === 404 && path !== FILMS) { // another server was asked, or this one has begun again
      again = `${find('#film').dataset.again} `;
      path = FILMS;
      continue;
    }
    if (ok) path = `${FILMS}/${data.id}`;
    if (status) showFilm(ok ? data : { state: 'failed', sentence: data.detail }, again);
    if (status && !/ing$/.test(data.state)) return forget();
    await new Promise((resolve) => setTimeout(resolve, ASK));
  }
}

function forget() {
  wanted = null;
  delete sessionStorage[FILMS];
}

/** @param {{state?: string, done?: number, frames?: number, url?: string, sentence?: string}} film @param {string} [again] why it is begun again */
function showFilm({ state = '', done = 0, frames = 1, url = '', sentence = '' }, again = '') {
  find('#film').dataset.state = state; // the stylesheet says what is there then
  find('progress').value = done / frames;
  const output = find('#film output');
  output.ariaLive = /ing$/.test(state) ? 'off' : 'polite'; // nobody listens to every turn
  output.textContent = again + sentence;
  if (url) Object.assign(find('#film a'), { href: url }).focus();
}
