// What changed, shown as motion: a piece travels its way, a new thing turns in. The picture is already the new one; the
// animations only begin where things were. Nothing here keeps state: a stopped animation leaves the right picture.
import { svg } from './board.js';
import { flights, starts } from './fly.js';

/**
 * @typedef {{kind: string, seat: number, values: Record<string, string | number>, elements: string[], way: [number, number][],
 *            piece: string, flights: [string, string][]}} Event
 */
/**
 * What a change takes away: copies of pieces that fall, by id; what all pieces showed before a fight, by id; what flies elsewhere.
 * @typedef {{pieces: Map<string, SVGElement>, sides: Map<string, Element>, begun: import('./fly.js').Starts}} Fallen
 */

const SHORT = 160;
const LONG = 350;
const SPEED = 1.6; // units of the drawing a millisecond
const TURN = 170; // two pieces that fight turn over,
const FACES = 900; // show their faces,
const RESULT = 380; // and one of them falls or is thrown back
const FIGHT = TURN + FACES + RESULT;
const FACE = 0.27; // a face's size, as a part of the drawing's width

const FLASH = 340; // milliseconds in which something lights up
const COUNT = 320; // milliseconds in which points count up

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

/** Nothing falls. @returns {Fallen} */
const nothing = () => ({ pieces: new Map(), sides: new Map(), begun: new Map() });

/**
 * Copy what these events take away, before the new picture is there.
 * @param {readonly Event[]} events
 * @param {import('./board.js').Board} board
 * @returns {Fallen}
 */
export function fallen(events, board) {
  const found = { ...nothing(), begun: starts(events, board.sign) };
  if (document.hidden) return found;
  if (fights(events)) for (const piece of board.host.querySelectorAll('.piece')) found.sides.set(piece.id, /** @type {Element} */ (piece.cloneNode(true)));
  if (still.matches) return found;
  for (const { values: { defender, won } } of events) {
    const copy = defender && won ? board.copy(`el:${defender}`) : null;
    if (copy) found.pieces.set(String(defender), copy);
  }
  return found;
}

/** Is a fight among what happened, in which both pieces are known? @param {readonly Event[]} events */
export const fights = (events) => events.some(({ values }) => values.attacker_face && values.defender_face);

/** The pictures that a piece is made of. @param {Element} piece */
const pictures = (piece) => [...piece.querySelectorAll('use')].map((use) => use.getAttribute('href')).join();

/**
 * Pieces that a change has turned over go on showing what they showed. Returns what covers them.
 * @param {Map<string, Element>} sides what they showed @param {import('./board.js').Board} board
 */
function covered(sides, board) {
  const covers = [];
  for (const [id, before] of sides) {
    const piece = document.getElementById(id);
    if (!piece || !board.host.contains(piece) || pictures(piece) === pictures(before)) continue;
    const cover = svg('g', { class: 'cover', 'aria-hidden': 'true' }, ...before.firstElementChild?.children ?? []);
    for (const mark of cover.querySelectorAll('.mark, .hit')) mark.remove();
    piece.firstElementChild?.append(cover);
    covers.push(cover);
  }
  return covers;
}

/**
 * Where two pieces met, in the overlay's units: ways are in those of what the pieces lie in.
 * @param {Event} event @param {Element | null} piece @param {import('./board.js').Board} board
 */
function meeting(event, piece, board) {
  const [x, y] = event.way.at(event.values.won || event.way.length < 3 ? -1 : -2) ?? [0, 0];
  const to = board.overlay.getScreenCTM();
  const layer = piece?.parentElement ?? board.host.querySelector('.piece')?.parentElement;
  const own = /** @type {SVGGraphicsElement | null} */ (/** @type {unknown} */ (layer))?.getScreenCTM?.();
  const point = new DOMPoint(x, y);
  return to && own ? point.matrixTransform(to.inverse().multiply(own)) : point;
}

/** Two crossed swords, as large as the unit. */
function swords() {
  const blade = 'M-.34 .4L-.3 .44L.3 -.3L.36 -.46L.22 -.38ZM-.42 .2L-.2 .42L-.16 .38L-.38 .16Z';
  return svg('g', {}, svg('circle', { r: 0.62, class: 'seal' }), svg('path', { d: blade, class: 'sword' }),
    svg('path', { d: blade, class: 'sword', transform: 'scale(-1 1)' }));
}

/**
 * A fight, played over the board after `delay` milliseconds: both pieces turn over and show their faces, then one of them falls or
 * is thrown back.
 * @param {Event} event
 * @param {import('./board.js').Board} board
 * @param {DOMPoint} at where, in the overlay's units
 * @param {number} delay
 * @returns {Animation[]}
 */
function fight({ values }, board, at, delay) {
  const view = board.overlay.viewBox.baseVal;
  const size = view.width * FACE;
  const apart = size * 0.62;
  const x = Math.max(view.x + size * 1.2, Math.min(at.x, view.x + view.width - size * 1.2));
  const y = Math.max(view.y + size * 0.62, Math.min(at.y, view.y + view.height - size * 0.62));
  const stage = svg('g', { class: 'fight', transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    svg('rect', { x: -size * 1.22, y: -size * 0.62, width: size * 2.44, height: size * 1.24, rx: size * 0.14, class: 'ground' }));
  board.overlay.append(stage);
  /** @param {string | number | undefined} symbol @param {number} side */
  const face = (symbol, side) => {
    const use = /** @type {SVGUseElement} */ (svg('use', { href: `#${symbol}` }));
    // turning over and falling are on two elements: one element with both animations is blank while a compositor plays them
    const turning = svg('g', {}, use);
    const falling = svg('g', {}, turning);
    stage.append(svg('g', { transform: `translate(${(side * apart).toFixed(1)} 0)` }, falling));
    const box = use.getBBox();
    const scale = size / Math.max(box.width, box.height, 1);
    use.setAttribute('transform', `scale(${scale.toFixed(4)}) translate(${(-box.x - box.width / 2).toFixed(2)} ${(-box.y - box.height / 2).toFixed(2)})`);
    return { turning, falling };
  };
  const attacker = face(values.attacker_face, -1);
  const defender = face(values.defender_face, 1);
  const clash = svg('g', {}, swords());
  stage.append(svg('g', { transform: `scale(${(size * 0.36).toFixed(2)})` }, clash));
  const shown = stage.animate([{ opacity: 0 }, { opacity: 1, offset: 0.06 }, { opacity: 1, offset: 0.86 }, { opacity: 0 }], { duration: FIGHT, delay, fill: 'both' });
  shown.finished.then(() => stage.remove(), () => stage.remove());
  if (still.matches) return [shown]; // without motion a still picture is shown for the same time
  const turned = [{ transform: 'scaleX(0)' }, { transform: 'scaleX(1)' }];
  const running = [shown, ...[attacker, defender].map(({ turning }) => turning.animate(turned, { duration: TURN, delay, fill: 'backwards', easing: 'ease-out' }))];
  running.push(clash.animate([{ transform: 'scale(0)' }, { transform: 'scale(1.25)', offset: 0.6 }, { transform: 'scale(1)' }],
    { duration: 260, delay: delay + TURN, fill: 'backwards', easing: 'ease-out' }));
  const far = size * 0.3;
  running.push(values.won
    ? defender.falling.animate([{ transform: 'none', opacity: 1 }, { transform: `translate(${far * 0.4}px,${far}px) rotate(28deg)`, opacity: 0 }], { duration: RESULT, delay: delay + TURN + FACES, fill: 'forwards', easing: 'ease-in' })
    : attacker.falling.animate([{ transform: 'none' }, { transform: `translate(${-far}px,0) rotate(-8deg)` }], { duration: RESULT, delay: delay + TURN + FACES, fill: 'forwards', easing: 'ease-out' }));
  return running;
}

/**
 * Show what happened. Resolves when all of it has been seen.
 * @param {readonly Event[]} events
 * @param {import('./board.js').Board} board
 * @param {(seat: number) => string} colour of a seat
 * @param {number} [drafter] the seat whose draft was on show: what it laid is there already
 * @param {Fallen} [gone] what the change took away
 */
export async function animate(events, board, colour, drafter = -1, gone = nothing()) {
  const host = board.host;
  const under = board.under();
  under.querySelectorAll('.trail').forEach((trail) => trail.remove());
  board.overlay.querySelectorAll('.fight').forEach((stage) => stage.remove());
  host.querySelectorAll('.cover').forEach((cover) => cover.remove());
  if (document.hidden) return;
  const covers = covered(gone.sides, board);
  /** @type {Animation[]} */
  const running = [];
  let delay = 0;
  let fought = 0; // when the last fight is over
  for (const event of events) {
    const piece = event.piece ? document.getElementById(event.piece) : null;
    const faces = fights([event]);
    if (still.matches && !faces) continue;
    if (piece && host.contains(piece) && event.way.length > 1 && !still.matches) {
      const struck = faces || Boolean(event.values.defender);
      const at = lengths(event.way);
      const length = at.at(-1) ?? 0;
      const duration = Math.min(LONG, Math.max(SHORT, length / SPEED));
      const [endX, endY] = event.way.at(-1) ?? [0, 0];
      const base = own(/** @type {SVGGraphicsElement} */ (/** @type {unknown} */ (piece)));
      /** @param {[number, number][]} way @param {number} first @param {number} last */
      const frames = (way, first, last) => way.map(([x, y], i) => ({
        transform: `translate(${(x - endX).toFixed(2)}px,${(y - endY).toFixed(2)}px) ${base}`,
        offset: last > first ? ((at[first + i] ?? 0) - (at[first] ?? 0)) / ((at[last] ?? 0) - (at[first] ?? 0) || 1) : i / Math.max(1, way.length - 1),
      }));
      // a piece that is thrown back waits where the two met until the fight is over
      const met = faces && !event.values.won && event.way.length > 2 ? event.way.length - 2 : event.way.length - 1;
      const there = frames(event.way.slice(0, met + 1), 0, met);
      const thrown = faces && met < event.way.length - 1;
      // one animation for all of its way, see `fight`
      const whole = duration + (thrown ? TURN + FACES + RESULT : 0);
      const back = thrown ? frames(event.way.slice(met), met, event.way.length - 1) : [];
      const paced = [
        ...there.map((frame) => ({ ...frame, offset: (frame.offset * duration) / whole })),
        ...back.map((frame) => ({ ...frame, offset: 1 - ((1 - frame.offset) * RESULT) / whole })),
      ];
      running.push(piece.animate(paced, { duration: whole, delay, fill: 'backwards', easing: thrown ? 'linear' : 'cubic-bezier(.45,.05,.35,1)' }));
      const lost = gone.pieces.get(String(event.values.defender));
      if (lost) {
        board.overlay.prepend(lost);
        const end = { duration: RESULT, delay: delay + duration + (faces ? TURN + FACES : 0), fill: /** @type {const} */ ('both') };
        const falling = lost.animate([{ opacity: 1 }, { opacity: 0 }], end);
        falling.finished.then(() => lost.remove(), () => lost.remove());
        running.push(falling);
      }
      const d = `M${event.way.map((point) => point.join(' ')).join('L')}`;
      const trail = svg('g', { class: `trail seat-${colour(event.seat)}` }, svg('path', { d, class: 'ghost-path-case' }), svg('path', { d, class: 'ghost-path' }));
      under.prepend(trail);
      const fading = trail.animate([{ opacity: 0 }, { opacity: 0.85, offset: 0.12 }, { opacity: 0.85, offset: 0.55 }, { opacity: 0 }],
        { duration: duration + 900, delay, fill: 'both' });
      fading.finished.then(() => trail.remove(), () => trail.remove());
      delay += duration;
      if (faces) {
        running.push(...fight(event, board, meeting(event, piece, board), delay));
        delay = fought = delay + FIGHT;
      } else if (struck && lost) delay += RESULT;
      continue;
    }
    if (faces) {
      running.push(...fight(event, board, meeting(event, piece, board), delay));
      delay = fought = delay + FIGHT;
      continue;
    }
    const flown = flights(event, gone.begun, board.sign, delay);
    running.push(...flown.running);
    const landed = new Set(flown.running.length ? event.flights.map(([, to]) => to) : []);
    let shown = 0;
    for (const id of event.seat === drafter ? [] : event.elements) {
      if (landed.has(id)) continue; // it is animated as a flight
      const element = document.getElementById(id);
      if (!element || !host.contains(element) || !(element instanceof SVGGraphicsElement)) continue;
      if (element.hasAttribute('role')) continue; // a place, not what came to lie there
      const box = element.getBBox();
      const m = element.transform.baseVal.consolidate()?.matrix;
      const centre = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(m ?? undefined);
      const base = own(element);
      shown++;
      if (element.classList.contains('settles')) {
        /** @param {number} scale */
        const above = (scale) => `translate(${centre.x}px,${centre.y - 160 * (scale - 1)}px) scale(${scale}) translate(${-centre.x}px,${-centre.y}px) ${base}`;
        running.push(element.animate([{ transform: above(1.12), opacity: 0.2 }, { transform: above(1), opacity: 1 }],
          { duration: 240, delay, fill: 'backwards', easing: 'cubic-bezier(.2,.7,.2,1)' }));
        continue;
      }
      /** @param {number} turn @param {number} scale */
      const frame = (turn, scale) => `translate(${centre.x}px,${centre.y}px) rotate(${turn}deg) scale(${scale}) translate(${-centre.x}px,${-centre.y}px) ${base}`;
      running.push(element.animate([{ transform: frame(-45, 1.16), opacity: 0 }, { transform: frame(0, 1), opacity: 1 }],
        { duration: 240, delay, fill: 'backwards', easing: 'cubic-bezier(.2,.7,.2,1)' }));
    }
    if (shown) delay += 240;
    delay = Math.max(delay, flown.landing);
  }
  for (const cover of covers) {
    const covering = cover.animate([{ opacity: 1 }, { opacity: 1 }], { duration: fought });
    covering.finished.then(() => cover.remove(), () => cover.remove());
    running.push(covering);
  }
  for (const lit of still.matches ? [] : host.querySelectorAll('.glow')) {
    running.push(lit.animate([{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 0.25, offset: 0.6 }, { opacity: 1 }],
      { duration: FLASH, delay, fill: 'backwards', easing: 'ease-out' }));
  }
  const hurry = () => { if (document.hidden) for (const animation of running) animation.finish(); };
  document.addEventListener('visibilitychange', hurry); // a page that nobody sees gets no frames, and would wait for ever
  await Promise.allSettled(running.map((animation) => animation.finished));
  document.removeEventListener('visibilitychange', hurry);
}

/** The scores on the page, by the element that shows each. @returns {Map<Element, string>} */
export function scores() {
  return new Map([...document.querySelectorAll('#players .score b')].map((element) => [element, element.textContent ?? '']));
}

/** Let scores count up from what they were. @param {Map<Element, string>} before */
export function countUp(before) {
  if (still.matches || document.hidden) return;
  for (const [element, text] of before) {
    const to = element.textContent ?? '';
    const [low, high] = [Number(text), Number(to)];
    if (!element.isConnected || !(high > low)) continue;
    const unit = Number.isInteger(low) && Number.isInteger(high) ? 1 : 0.5;
    const began = performance.now();
    element.animate([{ transform: 'none' }, { transform: 'scale(1.25)', offset: 0.5 }, { transform: 'none' }], { duration: COUNT + 160 });
    const step = () => {
      if (element.textContent !== shown || !element.isConnected) return; // something newer is there
      const part = Math.min(1, (performance.now() - began) / COUNT);
      shown = part < 1 ? String(Math.floor((low + (high - low) * part) / unit) * unit) : to;
      element.textContent = shown;
      if (part < 1) requestAnimationFrame(step);
    };
    let shown = text;
    element.textContent = text;
    requestAnimationFrame(step);
  }
}
