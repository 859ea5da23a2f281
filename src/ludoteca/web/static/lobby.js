// The lobby: a name that is kept when it is changed, the dialog for a new table, and lists that stay fresh.
import { Idiomorph } from './vendor/idiomorph.js';
import { send } from './live.js';

const FRESH = 6000;

/** @param {string} id */
const byId = (id) => document.getElementById(id);

const name = /** @type {HTMLInputElement | null} */ (byId('name'));
if (name) {
  let kept = name.value;
  const keep = async () => {
    const text = name.value.trim();
    if (!text || text === kept) {
      name.value = kept;
      return;
    }
    const { ok, data } = await send('/api/me', { name: text }, 'PATCH');
    if (ok) kept = data.name ?? text;
    name.value = kept;
    for (const button of document.querySelectorAll('[data-sit]')) {
      if (button instanceof HTMLElement) button.textContent = (button.dataset.sit ?? '').replace('#', kept);
    }
  };
  name.addEventListener('change', keep);
  name.addEventListener('keydown', (event) => { if (event.key === 'Enter') name.blur(); });
  byId('rename')?.addEventListener('click', () => { name.focus(); name.select(); });
}

// the link to another browser, on its page
const copy = byId('copy');
if (copy) {
  const link = /** @type {HTMLInputElement | null} */ (byId('link'));
  copy.hidden = false;
  copy.addEventListener('click', async () => {
    link?.select();
    try {
      await navigator.clipboard.writeText(link?.value ?? '');
      copy.textContent = copy.dataset.done ?? '';
    } catch { /* it is selected */ }
  });
}

// the dialog of a new table
document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const opener = /** @type {HTMLElement | null} */ (target?.closest('[data-dialog]') ?? null);
  if (opener) {
    const dialog = /** @type {HTMLDialogElement | null} */ (byId(opener.dataset.dialog ?? ''));
    if (!dialog) return;
    event.preventDefault();
    const form = dialog.querySelector('form');
    const game = opener.dataset.game;
    const field = /** @type {HTMLInputElement | null} */ (game ? form?.querySelector(`[name=game][value='${game}']`) : null);
    if (field && field.type === 'radio') field.checked = true;
    if (form && opener.dataset.who) seatAll(form, opener.dataset.who);
    if (form) dress(form);
    dialog.showModal();
  } else if (target?.closest('[data-close]')) target.closest('dialog')?.close();
});

/** Show the fields of the game that is chosen, and the levels that it offers with so many players: another one gives way
 * to the next weaker one. app.css hides the others that are not needed. @param {HTMLFormElement} form */
function dress(form) {
  const game = String(new FormData(form).get('game'));
  for (const part of form.querySelectorAll('[data-for-game]')) {
    if (part instanceof HTMLFieldSetElement) part.hidden = part.disabled = part.dataset.forGame !== game;
  }
  const place = `${game}-${new FormData(form).get(`players-${game}`)}`;
  for (const option of /** @type {NodeListOf<HTMLOptionElement>} */ (form.querySelectorAll('option[data-only]'))) {
    option.hidden = option.disabled = !option.dataset.only?.split(' ').includes(place);
  }
  for (const select of form.querySelectorAll('select')) {
    while (select.selectedOptions[0]?.disabled) select.selectedIndex -= 1;
  }
}

/** One choice for all seats but the visitor's. @param {HTMLFormElement} form @param {string} who */
function seatAll(form, who) {
  for (const seat of form.querySelectorAll('select[name^=seats-].kind')) if (seat instanceof HTMLSelectElement) seat.value = who;
}
for (const fill of document.querySelectorAll('[data-fill]')) {
  if (!(fill instanceof HTMLSelectElement)) continue;
  const label = fill.closest('label');
  if (label) label.hidden = false;
  fill.addEventListener('change', () => { if (fill.form && fill.value) seatAll(fill.form, fill.value); });
}
for (const form of document.querySelectorAll('.new form')) {
  if (!(form instanceof HTMLFormElement)) continue;
  form.addEventListener('change', () => dress(form));
  dress(form);
  form.addEventListener('submit', (event) => { event.preventDefault(); void open(form); });
}

/** Open the table that a form describes; a refusal is shown in the form. @param {HTMLFormElement} form */
async function open(form) {
  const problem = /** @type {HTMLElement | null} */ (form.querySelector('.problem'));
  const button = /** @type {HTMLButtonElement | null} */ (form.querySelector('[type=submit]'));
  const values = new URLSearchParams();
  for (const [name, value] of new FormData(form)) values.append(name, String(value));
  if (button) button.disabled = true;
  try {
    const answer = await fetch(form.action, { method: 'POST', body: values, headers: { Accept: 'application/json' } });
    const data = await answer.json();
    if (answer.ok) return location.assign(data.url);
    if (problem) problem.textContent = data.detail ?? '';
  } catch {
    if (problem) problem.textContent = problem.dataset.offline ?? '';
  } finally {
    if (button) button.disabled = false;
  }
  if (problem) problem.hidden = !problem.textContent;
  return undefined;
}

// a saved match, position or analysis is opened once it is chosen, or dropped anywhere on the page
const chooser = () => /** @type {HTMLInputElement | null} */ (document.querySelector('input[data-drop]'));

/** @param {File | undefined} file */
function openFile(file) {
  const field = chooser();
  if (!field || !file) return;
  const one = new DataTransfer();
  // of a file that is too large as much as the server needs to say so
  one.items.add(new File([file.slice(0, Number(field.dataset.most))], file.name));
  field.files = one.files;
  field.form?.submit();
}
document.addEventListener('change', ({ target }) => { if (target === chooser()) openFile(chooser()?.files?.[0]); });
for (const kind of ['dragover', 'dragleave', 'drop']) {
  document.addEventListener(kind, (event) => {
    const { dataTransfer, relatedTarget } = /** @type {DragEvent} */ (event);
    const field = chooser();
    if (!field || !dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (kind === 'dragover' || (kind === 'dragleave' && relatedTarget)) document.body.dataset.drop = field.dataset.drop;
    else delete document.body.dataset.drop;
    if (kind === 'drop') openFile(dataTransfer.files[0]);
  });
}

// my tables and open tables
async function freshen() {
  if (document.hidden || document.querySelector('dialog[open]')) return;
  try {
    const answer = await fetch('/lists', { headers: { Accept: 'text/html' } });
    if (!answer.ok) return;
    const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const id of ['running', 'lists']) {
      const shown = byId(id);
      const fresh = parsed.getElementById(id);
      if (shown && fresh) Idiomorph.morph(shown, fresh, { morphStyle: 'outerHTML' });
    }
    const waits = Number(byId('running')?.dataset.waiting ?? 0);
    document.title = document.title.replace(/^(\(\d+\) )?/, waits ? `(${waits}) ` : '');
  } catch { /* the server is away: the lists stay as they are */ }
}
if (byId('lists')) { // the lobby; other pages have none
  setInterval(freshen, FRESH);
  document.addEventListener('visibilitychange', freshen);
}
