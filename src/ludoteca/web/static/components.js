// The page on which components are filled in: they are checked and drawn as one types.
import './lobby.js';

const form = document.querySelector('#filling');
const drawn = document.querySelector('#drawn');
/** Milliseconds without a change after which the drawing is asked for. */
const PAUSE = 350;
let waiting = 0;
let asked = 0;

/** @param {HTMLFormElement} filled @param {Element} shown */
async function draw(filled, shown) {
  const number = ++asked;
  shown.setAttribute('aria-busy', 'true');
  try {
    const fields = [...new FormData(filled)].map(([name, value]) => [name, String(value)]);
    const answer = await fetch(filled.dataset.check ?? '', { method: 'POST', body: new URLSearchParams(fields) });
    const text = await answer.text();
    // an older answer would show what is no longer typed
    if (answer.ok && number === asked) shown.innerHTML = text;
  } catch {
    // without network the last drawing stays; the button asks again
  }
  if (number === asked) shown.removeAttribute('aria-busy');
}

if (form instanceof HTMLFormElement && drawn) {
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => draw(form, drawn), PAUSE);
  });
}
document.body.dataset.script = 'ready';
