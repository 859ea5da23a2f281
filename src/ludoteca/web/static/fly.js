// Things that go from one place of the page to another fly there over the whole window: drawing, panels and cards share no coordinates.
// Copies fly, on a layer of their own; the things themselves are there already, hidden until the copies land.
import { duplicate, svg } from './board.js';

/** @typedef {import('./animate.js').Event} Event */
/**
 * An end of a flight in the window: the element that is there, none at the window's edge, and a copy if it is the thing itself, with
 * the box that was `copied` if it is not seen there before it flies.
 * @typedef {{box: DOMRect, element: Element | null, copy: SVGElement | null, copied?: DOMRect}} End
 */
/**
 * Where a thing is: `seen`, or out of sight, then `edge` is where the window ends on the way there; neither if it is not there.
 * `home`: is it in its owner's panel?
 * @typedef {{seen: End | null, edge: End | null, home: boolean}} Place
 */
/**
 * A flight before the new picture is there. `card`: the one beside the board in which it begins; `there`: was its goal there before?
 * @typedef {{from: Place, card: {id: string, name: string | null} | null, to: string, there: boolean}} Start
 */
/** @typedef {Map<Event, Start[]>} Starts */

const SHORT = 450; // milliseconds
const LONG = 680;
const APART = 90; // between two things of one event that fly
const FRAMES = 24;
const ARC = 0.09; // how far a way is bent, as a part of its length
const LIFT = 0.35; // how much larger things look on their way
const EDGE = 14; // pixels that stay visible of a thing that flies out of the window

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Functions that end flights: everything then lies where it belongs at once. @type {Set<() => void>} */
const landings = new Set();

/** End all flights. */
export function land() {
  for (const end of [...landings]) end();
}
document.addEventListener('visibilitychange', land);
window.addEventListener('resize', land);

function layer() {
  const found = document.getElementById('flights');
  if (found) return found;
  const made = svg('svg', { id: 'flights', class: 'board ghost flights', 'aria-hidden': 'true' });
  document.body.append(made);
  return made;
}

/** @param {DOMRect} box */
const middle = (box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

/** Is the middle of an element to be seen: in the window, and in all that scrolls? @param {Element} element */
function seen(element) {
  const box = element.getBoundingClientRect();
  if (!box.width || !box.height || !element.checkVisibility()) return false;
  const { x, y } = middle(box);
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return false;
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
    if (at instanceof SVGElement || getComputedStyle(at).overflow === 'visible') continue;
    const room = at.getBoundingClientRect();
    if (x < room.left || y < room.top || x > room.right || y > room.bottom) return false;
  }
  return true;
}

/**
 * @param {Element | null} element
 * @param {Element | null} heading of the owner's panel: its sign
 * @returns {Place}
 */
function place(element, heading) {
  const box = element?.getBoundingClientRect();
  if (!element || !box?.width) return { seen: null, edge: null, home: false };
  const home = Boolean(heading?.closest('li')?.contains(element));
  if (element instanceof SVGGraphicsElement && seen(element)) return { seen: { box, element, copy: duplicate(element) }, edge: null, home };
  const { x, y } = middle(box);
  const at = [Math.max(EDGE, Math.min(x, innerWidth - EDGE)), Math.max(EDGE, Math.min(y, innerHeight - EDGE))].map((n) => n - EDGE);
  return { seen: null, edge: { box: new DOMRect(at[0], at[1], 2 * EDGE, 2 * EDGE), element: null, copy: null }, home };
}

/**
 * The end that is shown: the thing itself, else the heading of its owner's panel (unless the other end is in that panel), else the
 * edge of the window.
 * @param {Place} place
 * @param {Place} other
 * @param {Element | null} heading
 * @returns {End | null}
 */
function end(place, other, heading) {
  const head = heading && !other.home && seen(heading) ? { box: heading.getBoundingClientRect(), element: heading, copy: null } : null;
  return place.seen ?? head ?? place.edge;
}

/** The card beside the board in which something lies, and what it is called. @param {Element | null} element */
const cardOf = (element) => { const found = element?.closest('.info'); return found ? { id: found.id, name: found.getAttribute('aria-label') } : null; };

/**
 * Where a flight begins. If its card is gone by now, or another player's, what flies leaves the heading of its owner's panel; to a
 * goal in that panel it flies from where it was, and is not seen before: it would look like one of the other player's things.
 * @param {Start} start
 * @param {Place} aim
 * @param {Element | null} heading
 * @returns {Place}
 */
function handedOver({ from, card }, aim, heading) {
  if (!from.seen || !card || document.getElementById(card.id)?.getAttribute('aria-label') === card.name) return from;
  const copied = from.seen.box;
  if (!aim.seen || aim.home || !heading || !seen(heading)) return { ...from, seen: { ...from.seen, copied } };
  const { x, y } = middle(heading.getBoundingClientRect());
  return { ...from, seen: { ...from.seen, box: new DOMRect(x - copied.width / 2, y - copied.height / 2, copied.width, copied.height), copied } };
}

/**
 * Before the new picture is there: where these events' flights begin, with copies of what will fly.
 * @param {readonly Event[]} events
 * @param {(seat: number) => Element | null} sign of a seat, in the heading of its panel
 * @returns {Starts}
 */
export function starts(events, sign) {
  land();
  /** @type {Starts} */
  const found = new Map();
  if (still.matches || document.hidden) return found;
  for (const event of events) {
    if (!event.flights.length) continue;
    found.set(event, event.flights.map(([from, to]) => {
      const element = document.getElementById(from);
      return { from: place(element, sign(event.seat)), card: cardOf(element), to, there: Boolean(document.getElementById(to)) };
    }));
  }
  return found;
}

/**
 * A thing of the flight, its middle in the origin.
 * @param {End} end
 * @param {number} scale
 */
function part({ box, copy, copied = box }, scale) {
  const { x, y } = middle(copied);
  return svg('g', { transform: `scale(${scale.toFixed(4)}) translate(${(-x).toFixed(2)} ${(-y).toFixed(2)})` }, ...(copy ? [copy] : []));
}

/** @param {number} t */
const ease = (t) => (t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2);

/**
 * Fly from one end to the other; the way bends after a goal that moves, as when somebody scrolls.
 * @param {End} from
 * @param {End} to
 * @param {Element | null} goal what appears when it lands
 * @param {number} delay
 * @returns {{running: Animation[], landing: number}} `landing`: when, in milliseconds from now
 */
function fly(from, to, goal, delay) {
  const [start, stop] = [middle(from.box), middle(to.box)];
  const length = Math.hypot(stop.x - start.x, stop.y - start.y);
  const duration = Math.max(SHORT, Math.min(LONG, 380 + 0.35 * length));
  const ratio = Math.min(to.box.width / from.box.width, to.box.height / from.box.height);
  // bent upwards; what flies straight up or down, to the left
  const side = stop.x > start.x ? 1 : -1;
  const bend = length ? (2 * ARC * side) : 0;
  const top = { x: (start.x + stop.x) / 2 + bend * (stop.y - start.y), y: (start.y + stop.y) / 2 - bend * (stop.x - start.x) };
  const frames = Array.from({ length: FRAMES + 1 }, (_, k) => {
    const t = k / FRAMES;
    const way = ease(t);
    const [a, b, c] = [(1 - way) ** 2, 2 * way * (1 - way), way ** 2];
    const scale = ratio ** way * (1 + LIFT * Math.sin(Math.PI * t));
    const rises = from.copy && !from.copied ? 1 : Math.min(1, t / 0.2);
    const sinks = to.copy ? 1 : Math.min(1, (1 - t) / 0.2);
    return {
      transform: `translate(${(a * start.x + b * top.x + c * stop.x).toFixed(2)}px,${(a * start.y + b * top.y + c * stop.y).toFixed(2)}px) scale(${scale.toFixed(4)})`,
      opacity: Math.min(rises, sinks),
    };
  });
  const [left, arriving] = [part(from, 1), part(to, 1 / ratio)];
  const group = svg('g', { class: 'flight' }, left, arriving);
  const bent = svg('g', {}, group);
  layer().append(bent);
  const timing = { duration, delay, fill: /** @type {const} */ ('both') };
  const running = [group.animate(frames, timing)];
  if (from.copy && to.copy) {
    // on its way it turns into the thing at the other end
    running.push(arriving.animate([{ opacity: 0 }, { opacity: 0, offset: 0.45 }, { opacity: 1, offset: 0.8 }, { opacity: 1 }], timing),
      left.animate([{ opacity: 1 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }], timing));
  }
  if (goal) running.push(goal.animate([{ opacity: 0 }, { opacity: 0 }], { duration: delay + duration }));
  const done = () => {
    landings.delete(done);
    bent.remove();
    if (!landings.size) document.getElementById('flights')?.remove();
    for (const animation of running) animation.cancel();
  };
  const follow = () => {
    if (!to.element?.isConnected || !landings.has(done)) return;
    const at = middle(to.element.getBoundingClientRect());
    const way = ease(running[0]?.effect?.getComputedTiming().progress ?? 0);
    bent.setAttribute('transform', `translate(${((at.x - stop.x) * way).toFixed(2)} ${((at.y - stop.y) * way).toFixed(2)})`);
    requestAnimationFrame(follow);
  };
  landings.add(done);
  follow();
  running[0]?.finished.then(done, done);
  return { running, landing: delay + duration };
}

/**
 * When the new picture is there: let everything fly that an event moves.
 * @param {Event} event
 * @param {Starts} begun
 * @param {(seat: number) => Element | null} sign as above
 * @param {number} delay milliseconds until it begins
 * @returns {{running: Animation[], landing: number}} `landing`: when the last of it has landed; `delay` if nothing flies
 */
export function flights(event, begun, sign, delay) {
  const heading = sign(event.seat);
  /** @type {Animation[]} */
  const running = [];
  let [next, landing] = [delay, delay];
  for (const flown of begun.get(event) ?? []) {
    const { to, there } = flown;
    const goal = document.getElementById(to);
    const aim = place(goal, heading);
    const from = handedOver(flown, aim, heading);
    const [start, stop] = [end(from, aim, heading), end(aim, from, heading)];
    if (!start || !stop || (!start.copy && !stop.copy)) continue; // nothing of it can be seen
    const flight = fly(start, stop, there || !stop.copy ? null : goal, next);
    running.push(...flight.running);
    landing = Math.max(landing, flight.landing);
    next += APART;
  }
  return { running, landing };
}
