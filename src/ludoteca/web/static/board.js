// The picture of the position: what lies under the pointer, and the overlay on which ghosts, rings and focus are drawn.
//
// The overlay is an SVG of its own over the drawing, in the drawing's units, so that a new picture never wipes a ghost away.

/** @typedef {import('./choose.js').Ghost} Ghost */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/**
 * What to show over the position.
 * @typedef {object} Scene
 * @property {Ghost[]} [ghosts] what would lie there
 * @property {Ghost[]} [quiet] other possibilities, softer
 * @property {string[]} [rings] things that were picked
 * @property {string[]} [hint] things that a hint points at
 * @property {string} [focus] the thing that has the keyboard
 * @property {string} [outline] the place whose ghost can be turned
 * @property {{now: number, count: number} | null} [turns] of how many variants which one is shown
 * @property {string} [colour] of the seat that looks
 */

const SVG = 'http://www.w3.org/2000/svg';
const CHEVRONS = 22;

/**
 * An SVG element with attributes and children.
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {...Element} children
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

export class Board {
  /**
   * @param {HTMLElement} host holds the drawing
   * @param {SVGSVGElement} overlay
   */
  constructor(host, overlay) {
    this.host = host;
    this.overlay = overlay;
    /** What is being dragged. @type {SVGElement | null} */
    this.dragged = null;
  }

  /** The drawing. */
  get drawing() {
    return /** @type {SVGSVGElement | null} */ (this.host.querySelector('svg'));
  }

  /** A layer of ours within the drawing, under its pieces: runs lie on the board, not on what stands there. */
  under() {
    const found = this.host.querySelector('.underlay');
    if (found) return found;
    const layer = svg('g', { class: 'underlay ghost' });
    const piece = this.drawing?.querySelector('.piece');
    if (piece) piece.before(layer);
    else this.overlay.prepend(layer);
    return layer;
  }

  /** Take our layer out while the drawing is changed; the answer puts it back. */
  lift() {
    const layer = this.host.querySelector('.underlay');
    layer?.remove();
    return () => { if (layer) this.under().replaceChildren(...layer.childNodes); };
  }

  /** Give the overlay the drawing's units. */
  fit() {
    const box = this.drawing?.getAttribute('viewBox');
    if (box && this.overlay.getAttribute('viewBox') !== box) this.overlay.setAttribute('viewBox', box);
  }

  /** The element of a target id `el:…`, if the drawing has it. @param {string} id */
  element(id) {
    if (!id.startsWith('el:')) return null;
    const element = document.getElementById(id.slice(3));
    return element && this.host.contains(element) ? /** @type {SVGGraphicsElement & HTMLElement} */ (/** @type {unknown} */ (element)) : null;
  }

  /**
   * The known targets under a point of the window, the uppermost first; within `slop` pixels round it if there is none right there.
   * @param {number} x
   * @param {number} y
   * @param {ReadonlySet<string>} known
   * @param {number} slop
   */
  hit(x, y, known, slop) {
    for (const radius of slop ? [0, slop / 2, slop] : [0]) {
      /** @type {string[]} */
      const found = [];
      for (let k = 0; k < (radius ? 8 : 1); k++) {
        const px = x + radius * Math.cos((k * Math.PI) / 4);
        const py = y + radius * Math.sin((k * Math.PI) / 4);
        for (const element of document.elementsFromPoint(px, py)) {
          if (!this.host.contains(element)) continue;
          for (let at = /** @type {Element | null} */ (element); at && at !== this.host; at = at.parentElement) {
            const id = `el:${at.id}`;
            if (at.id && known.has(id) && !found.includes(id)) found.push(id);
          }
        }
      }
      if (found.length) return found;
    }
    return [];
  }

  /** Any named thing of the drawing under a point: what a refused click was meant for. @param {number} x @param {number} y */
  named(x, y) {
    for (const element of document.elementsFromPoint(x, y)) {
      const named = this.host.contains(element) ? element.closest('[id]') : null;
      if (named && named !== this.host && this.host.contains(named) && !(named instanceof SVGSVGElement)) return [`el:${named.id}`];
    }
    return [];
  }

  /** The piece under a point, if any. @param {number} x @param {number} y */
  piece(x, y) {
    for (const element of document.elementsFromPoint(x, y)) {
      const piece = this.host.contains(element) ? element.closest('.piece[id]') : null;
      if (piece) return `el:${piece.id}`;
    }
    // pieces mostly take no clicks: then it is the uppermost whose picture lies there
    const found = [...this.host.querySelectorAll('.piece[id]')].reverse().find((piece) => {
      const box = piece.getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    });
    return found ? `el:${found.id}` : '';
  }

  /** A copy of a thing that lies where the thing does, in the drawing's units. @param {string} id @returns {SVGElement | null} */
  copy(id) {
    const element = this.element(id);
    const to = this.overlay.getScreenCTM();
    const own = /** @type {SVGGraphicsElement | null} */ (element?.parentElement ?? null)?.getScreenCTM?.();
    if (!element || !to || !own) return null;
    const copy = /** @type {Element} */ (element.cloneNode(true));
    for (const part of [copy, ...copy.querySelectorAll('[id], [tabindex]')]) {
      part.removeAttribute('id');
      part.removeAttribute('tabindex');
    }
    copy.classList.remove('can', 'chosen', 'target');
    const m = to.inverse().multiply(own);
    const matrix = [m.a, m.b, m.c, m.d, m.e, m.f].map((x) => x.toFixed(4)).join(' ');
    return svg('g', { 'aria-hidden': 'true' }, svg('g', { transform: `matrix(${matrix})` }, copy));
  }

  /** A point of the window in the drawing's units. @param {number} x @param {number} y */
  units(x, y) {
    const matrix = this.overlay.getScreenCTM();
    return matrix ? new DOMPoint(x, y).matrixTransform(matrix.inverse()) : new DOMPoint();
  }

  /** Where a thing lies, in the drawing's units. @param {string} id @returns {Box | null} */
  box(id) {
    const element = this.element(id);
    const matrix = this.overlay.getScreenCTM();
    if (!element || !matrix) return null;
    // what a click hits is the thing's shape; its picture may reach further
    const shape = /** @type {SVGGraphicsElement} */ (element.querySelector('.hit') ?? element);
    const own = shape.getScreenCTM?.();
    const local = own ? shape.getBBox() : null;
    if (!own || !local) return null;
    const to = matrix.inverse().multiply(own);
    const corners = [[local.x, local.y], [local.x + local.width, local.y], [local.x, local.y + local.height],
      [local.x + local.width, local.y + local.height]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(to));
    const xs = corners.map((p) => p.x);
    const ys = corners.map((p) => p.y);
    return { x: Math.min(...xs), y: Math.min(...ys), width: Math.max(...xs) - Math.min(...xs), height: Math.max(...ys) - Math.min(...ys) };
  }

  /** The middle of a thing in the window. @param {string} id */
  centre(id) {
    const rect = this.element(id)?.getBoundingClientRect();
    return rect ? { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 } : null;
  }

  /** Draw the overlay anew. @param {Scene} scene */
  show(scene) {
    this.fit();
    this.overlay.setAttribute('class', `board ghost overlay seat-${scene.colour ?? 'none'}`);
    /** @type {Element[]} */
    const parts = [];
    for (const ghost of scene.quiet ?? []) parts.push(...this.ghost(ghost, true));
    for (const ghost of scene.ghosts ?? []) parts.push(...this.ghost(ghost, false));
    for (const id of scene.rings ?? []) parts.push(...this.ring(id, 'ring'));
    for (const id of scene.hint ?? []) parts.push(...this.ring(id, 'hint'));
    if (scene.outline && scene.turns && scene.turns.count > 1) parts.push(...this.handle(scene.outline, scene.turns));
    if (scene.focus) parts.push(...this.focusRing(scene.focus));
    if (this.dragged) parts.push(this.dragged);
    parts.push(...this.overlay.querySelectorAll('.fight'));
    this.overlay.replaceChildren(...parts);
    const layer = this.under();
    const runs = [...(scene.quiet ?? []).map((ghost) => this.run(ghost.path, true)), ...(scene.ghosts ?? []).map((ghost) => this.run(ghost.path, false))];
    layer.replaceChildren(...layer.querySelectorAll('.trail'), svg('g', { class: `seat-${scene.colour ?? 'none'}` }, ...runs.flat()));
  }

  /** @param {Ghost} ghost @param {boolean} quiet */
  ghost(ghost, quiet) {
    /** @type {Element[]} */
    const parts = [];
    if (ghost.symbol) {
      const href = ghost.symbol.startsWith('#') ? ghost.symbol : `#${ghost.symbol}`;
      const use = svg('use', { href, class: ghost.path ? 'ghost-runner' : 'ghost-symbol' });
      if (ghost.transform) use.setAttribute('transform', ghost.transform);
      if (!quiet || !ghost.path) parts.push(use);
    }
    if (ghost.text) {
      const text = svg('text', { class: 'ghost-text' });
      text.textContent = ghost.text;
      if (ghost.transform) text.setAttribute('transform', ghost.transform);
      parts.push(text);
    }
    return parts;
  }

  /** A run in the mover's colour, with chevrons that say which way. @param {string} d @param {boolean} quiet */
  run(d, quiet) {
    if (!d) return [];
    const line = /** @type {SVGPathElement} */ (svg('path', { d, class: 'ghost-path' }));
    const group = svg('g', { class: quiet ? 'quiet' : '' }, svg('path', { d, class: 'ghost-path-case' }), line);
    if (!quiet) {
      const arrows = svg('g', { class: 'arrows' });
      const length = line.getTotalLength();
      for (let at = CHEVRONS; at < length - 20; at += CHEVRONS) {
        const p = line.getPointAtLength(at);
        const q = line.getPointAtLength(at + 1);
        const turn = (Math.atan2(q.y - p.y, q.x - p.x) * 180) / Math.PI;
        arrows.append(svg('path', { d: 'M-2.2 -2.8L1.4 0L-2.2 2.8', transform: `translate(${p.x.toFixed(1)} ${p.y.toFixed(1)}) rotate(${turn.toFixed(0)})` }));
      }
      group.append(arrows);
    }
    return [group];
  }

  /** @param {string} id @param {string} name */
  ring(id, name) {
    const box = this.box(id);
    if (!box) return [];
    const r = Math.max(box.width, box.height) / 2 + 4;
    const at = { cx: box.x + box.width / 2, cy: box.y + box.height / 2, r };
    return [svg('circle', { ...at, class: `${name}-case` }), svg('circle', { ...at, class: name })];
  }

  /** @param {string} id */
  focusRing(id) {
    const box = this.box(id);
    if (!box) return [];
    const at = { x: box.x - 4, y: box.y - 4, width: box.width + 8, height: box.height + 8, rx: Math.min(box.width, box.height) / 3.4 };
    return [svg('rect', { ...at, class: 'focus-case' }), svg('rect', { ...at, class: 'focus-core' })];
  }

  /**
   * The round handle that turns a ghost, and under it one dot for each of its variants.
   * @param {string} id
   * @param {{now: number, count: number}} turns
   */
  handle(id, { now, count }) {
    const box = this.box(id);
    if (!box) return [];
    const cx = box.x + box.width * 0.86;
    const cy = box.y + box.height * 0.86;
    const handle = svg('g', { class: 'handle', 'data-act': 'turn', transform: `translate(${cx.toFixed(1)} ${cy.toFixed(1)})` },
      svg('circle', { cy: 2, r: 14.5, class: 'shade' }), svg('circle', { r: 13.5 }),
      svg('path', { d: 'M5.6 -3.6A6.6 6.6 0 1 0 6.4 2.2', class: 'turn' }), svg('path', { d: 'M7.6 -7.4L6.6 -1.8L1.6 -4.2Z', class: 'tip' }));
    const dots = svg('g', {});
    for (let k = 0; k < count; k++) {
      const x = box.x + box.width / 2 + (k - (count - 1) / 2) * 9;
      dots.append(svg('circle', { cx: x.toFixed(1), cy: (box.y - 7).toFixed(1), r: k === now ? 4 : 2.8, class: k === now ? 'detent now' : 'detent' }));
    }
    return [dots, handle];
  }
}

/**
 * The neighbour of a point in a direction, for the arrow keys: near, and not far off the direction.
 * @template T
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number, item: T}[]} points
 * @param {number} dx
 * @param {number} dy
 * @returns {T | null}
 */
export function neighbour(from, points, dx, dy) {
  /** @type {T | null} */
  let best = null;
  let least = Infinity;
  for (const { x, y, item } of points) {
    const along = (x - from.x) * dx + (y - from.y) * dy;
    const across = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
    if (along <= 1 || across > along * 2.5) continue;
    const cost = along + 2 * across;
    if (cost < least) [best, least] = [item, cost];
  }
  return best;
}
