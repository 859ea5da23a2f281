// Names of places on a small board: those that a sentence of the page uses are shown there, as large as its text.

const LEGIBLE = 11.5; // pixels
const SENTENCES = '#prompt p, #lesson p, #happened .said, #bubble.on';
const PLACE = /-?\d+,-?\d+|[A-Za-z]\d+/g;
const small = matchMedia('(max-width: 760px), (max-height: 520px)'); // as in the stylesheet of boards

/** Show the names that are used now. A place of a grid is named by its row and its column. */
export function showNamed() {
  /** @type {Set<string>} */
  const used = new Set();
  for (const said of small.matches ? document.querySelectorAll(SENTENCES) : []) {
    for (const place of said.textContent?.match(PLACE) ?? []) for (const name of [place, place.slice(0, 1), place.slice(1)]) used.add(name);
  }
  for (const name of /** @type {NodeListOf<SVGTextElement>} */ (document.querySelectorAll('#drawing text.coordinate'))) {
    const named = used.has(name.textContent ?? '');
    name.classList.toggle('named', named);
    const scale = named ? name.getScreenCTM() : null;
    name.style.fontSize = scale ? `${LEGIBLE / Math.hypot(scale.a, scale.b)}px` : '';
  }
}
small.addEventListener('change', showNamed);
