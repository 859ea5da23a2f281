// What changed, shown as motion: a piece travels its way, a new thing turns in. The picture is already the new one; the
// animations only begin where things were. Nothing here keeps state: a stopped animation leaves the right picture.
import { svg } from './board.js';

/**
 * @typedef {{kind: string, seat: number, elements: string[], way: [number, number][], piece: string}} Event
 */

const SHORT = 160;
const LONG = 350;
const SPEED = 1.6; // units of the drawing a millisecond

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** @param {number[]} numbers */
const matrix = (numbers) => `matrix(${numbers.map((x) => x.toFixed(4)).join(',')})`;

/** The element's own transform as CSS. @param {SVGGraphicsElement} element */
function own(element) {
  const m = element.transform?.baseVal.consolidate()?.matrix;
  return m ? matrix([m.a, m.b, m.c, m.d, m.e, m.f]) : '';
}

/** @param {[number, number][]} way */
function lengths(way) {
  const at = [0];
  way.slice(1).forEach(([x, y], i) => {
    const [px, py] = way[i] ?? [x, y];
    at.push((at[i] ?? 0) + Math.hypot(x - px, y - py));
  });
  return at;
}

/**
 * Show what happened. Resolves when all of it has been seen.
 * @param {readonly Event[]} events
 * @param {HTMLElement} host holds the drawing
 * @param {Element} under where trails are drawn
 * @param {(seat: number) => string} colour of a seat
 * @param {number} [drafter] the seat whose draft was on show: what it laid is there already
 */
export async function animate(events, host, under, colour, drafter = -1) {
  under.querySelectorAll('.trail').forEach((trail) => trail.remove());
  if (still.matches || document.hidden) return;
  /** @type {Animation[]} */
  const running = [];
  let delay = 0;
  for (const event of events) {
    const piece = event.piece ? document.getElementById(event.piece) : null;
    if (piece && host.contains(piece) && event.way.length > 1) {
      const at = lengths(event.way);
      const length = at.at(-1) ?? 0;
      const duration = Math.min(LONG, Math.max(SHORT, length / SPEED));
      const [endX, endY] = event.way.at(-1) ?? [0, 0];
      const base = own(/** @type {SVGGraphicsElement} */ (/** @type {unknown} */ (piece)));
      const frames = event.way.map(([x, y], i) => ({
        transform: `translate(${(x - endX).toFixed(2)}px,${(y - endY).toFixed(2)}px) ${base}`,
        offset: length ? (at[i] ?? 0) / length : i / (event.way.length - 1),
      }));
      running.push(piece.animate(frames, { duration, delay, fill: 'backwards', easing: 'cubic-bezier(.45,.05,.35,1)' }));
      const d = `M${event.way.map(([x, y]) => `${x} ${y}`).join('L')}`;
      const trail = svg('g', { class: `trail seat-${colour(event.seat)}` }, svg('path', { d, class: 'ghost-path-case' }), svg('path', { d, class: 'ghost-path' }));
      under.prepend(trail);
      const fading = trail.animate([{ opacity: 0 }, { opacity: 0.85, offset: 0.12 }, { opacity: 0.85, offset: 0.55 }, { opacity: 0 }],
        { duration: duration + 900, delay, fill: 'both' });
      fading.finished.then(() => trail.remove(), () => trail.remove());
      delay += duration;
      continue;
    }
    let shown = 0;
    for (const id of event.seat === drafter ? [] : event.elements) {
      const element = document.getElementById(id);
      if (!element || !host.contains(element) || !(element instanceof SVGGraphicsElement)) continue;
      if (element.hasAttribute('role')) continue; // a place, not what came to lie there
      const box = element.getBBox();
      const m = element.transform.baseVal.consolidate()?.matrix;
      const centre = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(m ?? undefined);
      const base = own(element);
      /** @param {number} turn @param {number} scale */
      const frame = (turn, scale) => `translate(${centre.x}px,${centre.y}px) rotate(${turn}deg) scale(${scale}) translate(${-centre.x}px,${-centre.y}px) ${base}`;
      running.push(element.animate([{ transform: frame(-45, 1.16), opacity: 0 }, { transform: frame(0, 1), opacity: 1 }],
        { duration: 240, delay, fill: 'backwards', easing: 'cubic-bezier(.2,.7,.2,1)' }));
      shown++;
    }
    if (shown) delay += 240;
  }
  await Promise.allSettled(running.map((animation) => animation.finished));
}
