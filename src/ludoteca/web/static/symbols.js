// The symbols that drawings refer to. The page comes with those that it shows; a browser prepares every one of them, so the others
// lie in a template until a drawing asks for them.

const REFERENCES = /(?:href="#|url\(#)([\w-]+)/g;
const sheet = document.querySelector('.symbols > defs');
const spare = /** @type {HTMLTemplateElement | null} */ (document.querySelector('template#symbols'))?.content;

/** Have ready what a drawing refers to, directly or through others; before it is put into the page. @param {string} drawing */
export function supply(drawing) {
  if (!sheet || !spare) return;
  for (const [, id] of drawing.matchAll(REFERENCES)) {
    const symbol = spare.getElementById(id ?? '');
    if (!symbol) continue; // it is there
    sheet.append(symbol);
    supply(symbol.outerHTML);
  }
}
