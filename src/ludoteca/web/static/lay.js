// Laying what is held: which of its places is meant by a point of the board. No document here: actions in, a place out.
//
// A place is an action whose next target is a point `at:x,y`; what is held lies there turned and perhaps flipped over, as its ghost
// says. Distances are in the drawing's units.

/** @typedef {import('./choose.js').Action} Action */
/** @typedef {import('./choose.js').Level} Level */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{degrees: number, flipped: boolean}} Lie how a thing lies: turned clockwise, after it was flipped over */
/** @typedef {Point & Lie & {action: Action}} Place */

const REACH = 130; // how near the pointer must be to a place, unless the drawing says otherwise
const OTHERWISE = 60; // a place where it would lie otherwise is as good as one that is so much further away
const NEAR = 100; // how far a thing may move when it is turned
const OFF = 25; // a quarter turn off what flipping should give is as bad as being so much further away

/** The point of a target `at:x,y`, null for others. @param {string | undefined} id @returns {Point | null} */
export function point(id) {
  if (!id?.startsWith('at:')) return null;
  const [x = NaN, y = NaN] = id.slice(3).split(',').map(Number);
  return { x, y };
}

/** How the ghost of an action lies. @param {Action | undefined} action @returns {Lie} */
export function lie(action) {
  const transform = action?.ghosts.find((ghost) => ghost?.transform)?.transform ?? '';
  const turn = transform.match(/rotate\(\s*(-?[\d.]+)/);
  return { degrees: turn ? around(Number(turn[1])) : 0, flipped: /scale\(\s*-/.test(transform) };
}

/** An angle from 0 up to 360. @param {number} degrees */
const around = (degrees) => ((degrees % 360) + 360) % 360;

/**
 * Where what is picked can be laid.
 * @param {Level | undefined} level
 * @param {readonly string[]} picked without a point
 * @returns {Place[]}
 */
export function places(level, picked) {
  /** @type {Place[]} */
  const found = [];
  for (const action of level?.actions ?? []) {
    const at = point(action.targets[picked.length]);
    if (at && picked.every((id, i) => action.targets[i] === id)) found.push({ ...at, ...lie(action), action });
  }
  return found;
}

/**
 * The place that is meant by a point: near, and as it lies in the hand if that goes.
 * @param {readonly Place[]} all
 * @param {Point} at
 * @param {Lie} wanted
 * @param {number} [reach]
 */
export function snap(all, at, wanted, reach = REACH) {
  return best(all, (place) => {
    const far = distance(place, at);
    return far > reach ? Infinity : far + (place.degrees === wanted.degrees && place.flipped === wanted.flipped ? 0 : OTHERWISE);
  });
}

/**
 * The place of a thing turned on by one: the next turn that goes near by, none if there is no other.
 * @param {readonly Place[]} all
 * @param {Point & Lie} from
 * @param {number} by 1 clockwise, -1 back
 */
export function turned(all, from, by) {
  const near = all.filter((place) => place.flipped === from.flipped && distance(place, from) <= NEAR && place.degrees !== from.degrees);
  return best(near, (place) => around((place.degrees - from.degrees) * by) * 1000 + distance(place, from));
}

/**
 * How a thing would lie flipped over from left to right, as it is seen.
 * @param {readonly Place[]} all
 * @param {Lie} from
 * @returns {Lie}
 */
export function mirrored(all, from) {
  // things that look the same after half a turn are never turned further
  const whole = all.some((place) => place.degrees >= 180) ? 360 : 180;
  return { degrees: around(-from.degrees) % whole, flipped: !from.flipped };
}

/**
 * The place of a thing flipped over, near by; none if it goes nowhere there.
 * @param {readonly Place[]} all
 * @param {Point & Lie} from
 */
export function flipped(all, from) {
  const wanted = mirrored(all, from);
  const near = all.filter((place) => place.flipped === wanted.flipped && distance(place, from) <= NEAR);
  return best(near, (place) => distance(place, from) + OFF * (Math.min(around(place.degrees - wanted.degrees), around(wanted.degrees - place.degrees)) / 90));
}

/**
 * The next place in a direction, for the arrow keys: near, not far off the direction, lying as now if that goes.
 * @param {readonly Place[]} all
 * @param {Point & Lie} from
 * @param {number} dx
 * @param {number} dy
 */
export function towards(all, from, dx, dy) {
  return best(all, (place) => {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const across = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    if (along < 1 || across > along * 3) return Infinity;
    return along + 1.5 * across + (place.degrees === from.degrees && place.flipped === from.flipped ? 0 : OTHERWISE);
  });
}

/** Can what is held be turned somewhere? @param {readonly Place[]} all @param {Lie} lies */
export const turns = (all, lies) => all.some((place) => place.flipped === lies.flipped && place.degrees !== lies.degrees);

/** Can it be flipped over? @param {readonly Place[]} all @param {Lie} lies */
export const flips = (all, lies) => all.some((place) => place.flipped !== lies.flipped);

/**
 * The next way for it to lie while it fits nowhere.
 * @param {readonly Place[]} all
 * @param {Lie} lies
 * @param {number} by
 * @returns {Lie}
 */
export function turnedInHand(all, lies, by) {
  const next = best(all.filter((place) => place.flipped === lies.flipped && place.degrees !== lies.degrees),
    (place) => around((place.degrees - lies.degrees) * by));
  return next ? { degrees: next.degrees, flipped: next.flipped } : lies;
}

/** @param {Point} a @param {Point} b */
export const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * The place that costs least; none if all cost endlessly much.
 * @param {readonly Place[]} all
 * @param {(place: Place) => number} cost
 * @returns {Place | null}
 */
function best(all, cost) {
  /** @type {Place | null} */
  let found = null;
  let least = Infinity;
  for (const place of all) {
    const own = cost(place);
    if (own < least) [found, least] = [place, own];
  }
  return found;
}
