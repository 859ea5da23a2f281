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
 * @property {{now: number, count: number} | null} [turns] of how many variants which one is shown; 0: the drawing shows how many
 * @property {{at: import('./lay.js').Point, turn: boolean, flip: boolean} | null} [handles] round what is about to be laid
 * @property {string} [colour] of the seat that looks
 */

import { point } from './lay.js';
import { supply } from './symbols.js';

const SVG = 'http://www.w3.org/2000/svg';
const CHEVRONS = 22;
const REACH = 130; // units between the pointer and a point to which what is held snaps
const HANDLE = 23; // pixels: half the size of a handle round what is about to be laid
const SMALL_HANDLE = 15; // the same for a pointer, round what is turned in its place
const TOUCHES = -2; // pixels between what is turned in its place and its handle, for a pointer
const GAP = 10; // pixels between it and its handles
const SMALL = 120; // pixels: a ghost smaller than this has its badges beside it
const AMID = 0.27; // of a thing's size: a tap so near the middle means this thing and no neighbour
const SPOT = 26; // units round a point that is pointed at
const PILL = 25; // pixels: height of a badge with what a seat would get

/**
 * An SVG element with attributes and children.
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {...Element} children
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (name === 'use') supply(element.outerHTML);
  element.append(...children);
  return element;
}

/**
 * A copy of an element of a drawing that lies where the element does, in other units.
 * @param {SVGGraphicsElement} element
 * @param {DOMMatrix | null} [to] from those units to pixels of the window; none: they are such pixels
 * @returns {SVGElement | null}
 */
export function duplicate(element, to = null) {
  const own = /** @type {SVGGraphicsElement | null} */ (/** @type {unknown} */ (element.parentElement))?.getScreenCTM?.();
  if (!own) return null;
  const copy = /** @type {Element} */ (element.cloneNode(true));
  for (const part of [copy, ...copy.querySelectorAll('[id], [tabindex]')]) {
    part.removeAttribute('id');
    part.removeAttribute('tabindex');
  }
  copy.classList.remove('can', 'chosen', 'target');
  const m = to ? to.inverse().multiply(own) : own;
  const matrix = [m.a, m.b, m.c, m.d, m.e, m.f].map((x) => x.toFixed(4)).join(' ');
  return svg('g', { 'aria-hidden': 'true' }, svg('g', { transform: `matrix(${matrix})` }, copy));
}

/**
 * The matrix from the units of an element of a drawing to pixels of the window, without the motion that it may be in.
 * @param {SVGGraphicsElement} element
 */
function resting(element) {
  let matrix = /** @type {SVGGraphicsElement | null} */ (/** @type {unknown} */ (element.parentElement))?.getScreenCTM?.();
  for (const { matrix: own } of element.transform?.baseVal ?? []) matrix = matrix?.multiply(own);
  return matrix;
}

export class Board {
  /**
   * @param {HTMLElement} host holds the drawing
   * @param {SVGSVGElement} overlay
   */
  constructor(host, overlay) {
    this.host = host;
    this.overlay = overlay;
    this.stage = host.parentElement ?? host;
    /** What lies beside the board. */
    this.cards = /** @type {HTMLElement} */ (document.getElementById('cards'));
    /** What is held where it fits nowhere, over the whole window. */
    this.carry = svg('svg', { class: 'board ghost carry', width: 1, height: 1, 'aria-hidden': 'true', visibility: 'hidden' });
    document.body.append(this.carry);
    /** The things of the board that a lesson points at. @type {string[]} */
    this.points = [];
    /** The sign of a seat. @type {(seat: number) => Element | null} */
    this.sign = () => null;
    /** What is being dragged. @type {SVGElement | null} */
    this.dragged = null;
    this.coarse = matchMedia('(pointer: coarse)');
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

  /** Is it a thing of the drawing, not one beside the board? @param {string} id */
  onBoard(id) {
    return this.host.contains(this.element(id));
  }

  /** All elements of the drawing and beside the board that a selector finds. @param {string} selector */
  all(selector) {
    return [...this.host.querySelectorAll(selector), ...this.cards.querySelectorAll(selector)];
  }

  /** The element of a target id `el:…`, if the drawing or what lies beside it has it. @param {string} id */
  element(id) {
    if (!id.startsWith('el:')) return null;
    const element = document.getElementById(id.slice(3));
    return element && (this.host.contains(element) || this.cards.contains(element)) ? /** @type {SVGGraphicsElement & HTMLElement} */ (/** @type {unknown} */ (element)) : null;
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
          if (!this.host.contains(element) && !this.cards.contains(element)) continue;
          for (let at = /** @type {Element | null} */ (element); at && at !== this.host; at = at.parentElement) {
            const id = `el:${at.id}`;
            if (at.id && known.has(id) && !found.includes(id)) found.push(id);
          }
          if (element.closest('[data-about]')) break; // what only explains itself hides what lies below it
        }
      }
      if (found.length) return found;
    }
    return [];
  }

  /** Any named thing of the drawing under a point: what a refused click was meant for. @param {number} x @param {number} y */
  named(x, y) {
    for (const element of document.elementsFromPoint(x, y)) {
      const named = this.host.contains(element) || element.closest('.tray') ? element.closest('[data-about], [id]') : null;
      if (named instanceof SVGElement && named.dataset.about) return [`el:${named.dataset.about}`];
      if (named instanceof SVGElement && named.closest('svg') !== this.overlay && !(named instanceof SVGSVGElement)) return [`el:${named.id}`];
    }
    return [];
  }

  /** Is a point in the middle of a thing, be it a target or not? Then a tap there means no neighbour. @param {number} x @param {number} y */
  amid(x, y) {
    const thing = document.elementsFromPoint(x, y).find((element) => this.host.contains(element) || this.cards.contains(element))?.closest('[data-about], [id]');
    if (!thing || thing instanceof SVGSVGElement || !thing.closest('svg')) return false;
    const box = thing.getBoundingClientRect();
    return thing.matches('[data-about]') || Math.max(Math.abs(x - box.x - box.width / 2) / box.width, Math.abs(y - box.y - box.height / 2) / box.height) < AMID;
  }

  /** Is there a place under a point on which something can be dropped, now or later? @param {number} x @param {number} y */
  place(x, y) {
    return document.elementsFromPoint(x, y).some((element) => this.host.contains(element) && element.closest('.place'));
  }

  /** The piece under a point, if any. @param {number} x @param {number} y */
  piece(x, y) {
    for (const element of document.elementsFromPoint(x, y)) {
      const piece = this.host.contains(element) ? element.closest('.piece[id]') : null;
      if (piece) return `el:${piece.id}`;
    }
    // most pieces take no clicks: then take the uppermost one whose picture lies there
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
    return element && to ? duplicate(element, to) : null;
  }

  /** A point of the window in the drawing's units. @param {number} x @param {number} y */
  units(x, y) {
    const matrix = this.overlay.getScreenCTM();
    return matrix ? new DOMPoint(x, y).matrixTransform(matrix.inverse()) : new DOMPoint();
  }

  /** A point of the drawing in the window. @param {import('./lay.js').Point} at */
  pixels({ x, y }) {
    const matrix = this.overlay.getScreenCTM();
    return matrix ? new DOMPoint(x, y).matrixTransform(matrix) : new DOMPoint();
  }

  /** Pixels of a unit of the drawing. */
  get scale() {
    return this.overlay.getScreenCTM()?.a ?? 1;
  }

  /** How near, in units, the pointer must be to a point to which what is held snaps. */
  get reach() {
    return Number(this.drawing?.dataset.snap) || REACH;
  }

  /** The middle of the drawing. */
  middle() {
    const { x, y, width, height } = this.overlay.viewBox.baseVal;
    return { x: x + width / 2, y: y + height / 2 };
  }

  /** The visible part of the drawing: under the lens not all of it. */
  room() {
    const box = this.stage.getBoundingClientRect();
    const felt = (this.stage.parentElement ?? this.stage).getBoundingClientRect();
    const [left, top] = [Math.max(box.left, felt.left), Math.max(box.top, felt.top)];
    return new DOMRect(left, top, Math.min(box.right, felt.right) - left, Math.min(box.bottom, felt.bottom) - top);
  }

  /** The shorter side in pixels of what a click on a thing hits. @param {string} id */
  side(id) {
    const box = this.box(id);
    return box ? Math.min(box.width, box.height) * this.scale : Infinity;
  }

  /** Is a point of the window over the drawing? @param {number} x @param {number} y */
  over(x, y) {
    const box = this.room();
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  }

  /** Is it over the ghost? @param {number} x @param {number} y */
  onGhost(x, y) {
    return [...this.overlay.querySelectorAll('.ghost-symbol')].some((ghost) => {
      const box = ghost.getBoundingClientRect();
      return x >= box.left - GAP && x <= box.right + GAP && y >= box.top - GAP && y <= box.bottom + GAP;
    });
  }

  /** Where a thing of the drawing lies, in its units. @param {string} id @returns {Box | null} */
  box(id) {
    const element = this.element(id);
    const matrix = this.overlay.getScreenCTM();
    if (!element || !matrix || !this.onBoard(id)) return null;
    // what a click hits is the thing's shape; its picture may reach further
    const shape = /** @type {SVGGraphicsElement} */ (element.querySelector('.hit') ?? element);
    const own = resting(element)?.multiply(/** @type {DOMMatrix} */ (element.getScreenCTM()).inverse());
    const drawn = shape.getScreenCTM?.();
    if (!own || !drawn) return null;
    const local = shape.getBBox();
    const to = matrix.inverse().multiply(own).multiply(drawn);
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
    // a run across a tile that would lie there is drawn on the tile
    const laid = (scene.ghosts ?? []).filter(({ symbol, path }) => symbol && !path);
    const across = laid.length ? (scene.ghosts ?? []).flatMap(({ path }) => this.run(path, false)) : [];
    for (const ghost of laid) parts.push(...this.ghost(ghost, false));
    parts.push(...across.map((run) => svg('g', { class: `over seat-${scene.colour ?? 'none'}` }, run)));
    for (const ghost of scene.ghosts ?? []) if (!laid.includes(ghost)) parts.push(...this.ghost(ghost, false));
    for (const id of scene.rings ?? []) parts.push(...this.ring(id, 'ring'));
    for (const id of this.points) parts.push(...this.ring(id, 'pointer'));
    for (const id of scene.hint ?? []) parts.push(...this.ring(id, 'hint'));
    if (scene.focus) parts.push(...this.focusRing(scene.focus));
    if (this.dragged) parts.push(this.dragged);
    // a fight that is being played stays where it is
    for (const old of [...this.overlay.children]) if (!old.classList.contains('fight')) old.remove();
    this.overlay.prepend(...parts);
    // what stands beside a ghost needs to know how large it is
    if (scene.outline && scene.turns) this.overlay.append(...this.handle(scene.outline, scene.turns));
    const box = this.ghostBox() ?? (scene.handles ? this.around(scene.handles.at) : null);
    if (!box) return this.underlay(scene);
    if (scene.handles) this.overlay.append(this.handles(scene.handles, box));
    for (const ghost of scene.ghosts ?? []) this.overlay.append(...this.badges(ghost, box, Boolean(scene.handles)));
    this.underlay(scene);
  }

  /** Runs, under the pieces. @param {Scene} scene */
  underlay(scene) {
    const layer = this.under();
    const runs = [...(scene.quiet ?? []).map((ghost) => this.run(ghost.path, true)), ...(this.overlay.querySelector('.over') ? [] : scene.ghosts ?? []).map((ghost) => this.run(ghost.path, false))];
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
    if (ghost.glow && !quiet) parts.push(svg('path', { d: ghost.glow, class: 'ghost-glow-case' }), svg('path', { d: ghost.glow, class: 'ghost-glow' }));
    if (ghost.text) {
      const text = svg('text', { class: 'ghost-text' });
      text.textContent = ghost.text;
      if (ghost.transform) text.setAttribute('transform', ghost.transform);
      parts.push(text);
    }
    return parts;
  }

  /** Where the ghosts lie in the window, none if there are none. */
  ghostBox() {
    const boxes = [...this.overlay.querySelectorAll('.ghost-symbol')].map((ghost) => ghost.getBoundingClientRect());
    if (!boxes.length) return null;
    const left = Math.min(...boxes.map((box) => box.left));
    const top = Math.min(...boxes.map((box) => box.top));
    return new DOMRect(left, top, Math.max(...boxes.map((box) => box.right)) - left, Math.max(...boxes.map((box) => box.bottom)) - top);
  }

  /** The part of the window round a point that something laid there would cover. @param {import('./lay.js').Point} at */
  around(at) {
    const { x, y } = this.pixels(at);
    const half = this.reach * 0.6 * this.scale;
    return new DOMRect(x - half, y - half, 2 * half, 2 * half);
  }

  /**
   * What seats would get, as badges: one below the other in the middle of a ghost, side by side below it where it is small or has its
   * handles above.
   * @param {Ghost} ghost
   * @param {DOMRect} box of the ghosts
   * @param {boolean} handled
   */
  badges({ transform, gains }, box, handled) {
    const stage = this.room();
    const beside = handled || Math.min(box.width, box.height) < SMALL;
    const ruler = document.createElement('canvas').getContext('2d');
    if (ruler) ruler.font = `700 14px ${getComputedStyle(this.stage).fontFamily}`;
    const widths = gains.map(([, text]) => 38 + Math.ceil(ruler?.measureText(text).width ?? 0));
    const whole = widths.reduce((sum, width) => sum + width + 4, -4);
    let across = -whole / 2;
    const pills = gains.map(([seat, text], k) => {
      const sign = this.sign(seat)?.cloneNode(true);
      const width = widths[k] ?? 0;
      const words = svg('text', { x: 27 - width / 2, dy: '.36em' });
      words.textContent = text;
      const at = beside ? [across + width / 2, 0] : [0, (k - (gains.length - 1) / 2) * (PILL + 3)];
      across += width + 4;
      const pill = svg('g', { class: 'gain', transform: `translate(${at.map((n) => n.toFixed(1)).join(' ')})` },
        svg('rect', { x: -width / 2, y: -PILL / 2, width, height: PILL, rx: PILL / 2 }), words);
      if (sign instanceof SVGElement) pill.append(svg('g', { transform: `translate(${(15 - width / 2).toFixed(1)} 0) scale(.72)` }, sign));
      return pill;
    });
    if (!pills.length) return [];
    const [, x = 0, y = 0] = transform.match(/translate\(\s*(-?[\d.]+)[\s,]+(-?[\d.]+)/)?.map(Number) ?? [];
    let to = this.pixels({ x, y });
    if (beside) {
      // below; above if the handles are below or the board ends there
      const above = (handled && box.top - GAP - 2 * HANDLE < stage.top) || box.bottom + GAP + PILL > stage.bottom;
      const side = Math.max(stage.left + whole / 2 + 4, Math.min(to.x, stage.right - whole / 2 - 4));
      const upon = handled && above && box.bottom + GAP + PILL > stage.bottom; // handles above, the end of the board below
      to = new DOMPoint(side, upon ? stage.bottom - PILL / 2 - 2 : above ? Math.max(stage.top + PILL / 2 + 2, box.top - GAP - PILL / 2) : box.bottom + GAP / 2 + PILL / 2);
    }
    const at = this.units(to.x, to.y);
    return [svg('g', { class: 'gains', transform: `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)}) scale(${(1 / this.scale).toFixed(4)})` }, ...pills)];
  }

  /**
   * Round handles beside what is about to be laid: turn, flip and lay it, as large as a finger.
   * @param {{at: import('./lay.js').Point, turn: boolean, flip: boolean}} what
   * @param {DOMRect} box of the ghost
   */
  handles({ at, turn, flip }, box) {
    const stage = this.room();
    const middle = this.pixels(at);
    const kinds = [...(turn ? ['turn'] : []), ...(flip ? ['flip'] : []), 'confirm'];
    const step = 2 * HANDLE + GAP;
    const half = ((kinds.length - 1) * step) / 2;
    const x = Math.max(stage.left + half + HANDLE + 4, Math.min(middle.x, stage.right - half - HANDLE - 4));
    const y = box.top - GAP - 2 * HANDLE >= stage.top ? box.top - GAP - HANDLE : box.bottom + GAP + HANDLE;
    const to = this.units(x, y);
    const icons = {
      turn: turnIcon(),
      flip: [svg('path', { d: 'M0 -8.5V8.5', class: 'turn axis' }), svg('path', { d: 'M-2.6 -6V6H-9Z', class: 'turn' }), svg('path', { d: 'M2.6 -6V6H9Z', class: 'turn' })],
      confirm: [svg('path', { d: 'M-6 .6L-1.8 4.8L6.4 -4.6', class: 'turn' })],
    };
    const group = svg('g', { transform: `translate(${to.x.toFixed(1)} ${to.y.toFixed(1)}) scale(${(1 / this.scale).toFixed(4)})` });
    kinds.forEach((kind, k) => {
      group.append(svg('g', { class: `handle ${kind}`, 'data-act': kind, transform: `translate(${k * step - half} 0)` },
        svg('circle', { cy: 2.5, r: HANDLE + 0.5, class: 'shade' }), svg('circle', { r: HANDLE }),
        svg('g', { transform: 'scale(1.35)' }, ...icons[/** @type {keyof typeof icons} */ (kind)])));
    });
    return group;
  }

  /**
   * Let a copy of what is held hang at a point of the window, pale: it fits nowhere there.
   * @param {import('./lay.js').Point | null} at null: not
   * @param {import('./lay.js').Place | undefined} [place] one of its places
   * @param {import('./lay.js').Lie} [lies]
   */
  hang(at, place, lies) {
    const symbol = place?.action.ghosts.find((ghost) => ghost?.symbol)?.symbol;
    this.carry.setAttribute('visibility', at && symbol ? 'visible' : 'hidden');
    if (!at || !symbol || !lies) return;
    const flip = lies.flipped ? ' scale(-1 1)' : '';
    this.carry.setAttribute('class', `board ghost carry ${this.overlay.classList.item(3) ?? ''}`);
    this.carry.replaceChildren(svg('g', { transform: `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)}) scale(${this.scale.toFixed(4)}) rotate(${lies.degrees})${flip}` },
      svg('use', { href: symbol.startsWith('#') ? symbol : `#${symbol}`, class: 'ghost-symbol' })));
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
    const spot = point(id);
    const box = spot ? { x: spot.x - SPOT, y: spot.y - SPOT, width: 2 * SPOT, height: 2 * SPOT } : this.box(id);
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
   * The round handle that turns a ghost, beside what it turns and as large as a finger where fingers are used, and over the ghost one
   * dot for each of its variants.
   * @param {string} id
   * @param {{now: number, count: number}} turns
   */
  handle(id, { now, count }) {
    const element = this.element(id);
    // where it lies on the board what a click hits is its shape: the box round a turned picture is larger
    const box = this.onBoard(id) ? (element?.querySelector('.hit') ?? element)?.getBoundingClientRect() : this.ghostBox();
    if (!box) return [];
    const room = this.room();
    const radius = this.coarse.matches ? HANDLE : SMALL_HANDLE;
    const gap = (this.coarse.matches ? GAP : TOUCHES) + radius; // a pointer can move from the thing to the handle without leaving both
    const [cx, cy] = [box.left + box.width / 2, box.top + box.height / 2];
    const sides = [[box.right + gap, cy], [box.left - gap, cy], [cx, box.top - gap], [cx, box.bottom + gap]];
    const others = this.all('.can').filter((one) => one !== element).map((one) => (one.querySelector('.hit') ?? one).getBoundingClientRect());
    // where it covers the fewest things that can be chosen, above all not their middles
    const cost = (/** @type {number[]} */ [x = 0, y = 0]) => (x - radius < room.left || x + radius > room.right || y - radius < room.top || y + radius > room.bottom ? 99 : 0)
      + others.reduce((sum, other) => sum + Math.max(0, 1 - Math.hypot(other.x + other.width / 2 - x, other.y + other.height / 2 - y) / (2 * radius + 4)), 0);
    const [[x = 0, y = 0] = []] = sides.sort((a, b) => cost(a) - cost(b));
    const at = this.units(x, y);
    const scale = (1 / this.scale).toFixed(4);
    const handle = svg('g', { class: 'handle', 'data-act': 'turn', transform: `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)}) scale(${scale})` },
      svg('circle', { cy: 2, r: radius + 1, class: 'shade' }), svg('circle', { r: radius }),
      svg('g', { transform: `scale(${(radius / SMALL_HANDLE).toFixed(2)})` }, ...turnIcon()));
    const over = this.units(box.left + box.width / 2, Math.max(room.top + 8, box.top - 7));
    const dots = svg('g', { transform: `translate(${over.x.toFixed(1)} ${over.y.toFixed(1)}) scale(${scale})` });
    for (let k = 0; k < count; k++) dots.append(svg('circle', { cx: ((k - (count - 1) / 2) * 9).toFixed(1), r: k === now ? 4 : 2.8, class: k === now ? 'detent now' : 'detent' }));
    return [dots, handle];
  }
}

/** The arrow that turns. */
const turnIcon = () => [svg('path', { d: 'M5.6 -3.6A6.6 6.6 0 1 0 6.4 2.2', class: 'turn' }), svg('path', { d: 'M7.6 -7.4L6.6 -1.8L1.6 -4.2Z', class: 'tip' })];

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
