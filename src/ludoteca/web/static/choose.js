// What a click means. No document here: levels of legal actions in, a decision out.
//
// A turn is made of steps; `levels[k]` holds the actions of step k, the last level is open, the ones before it are the draft and
// can be chosen anew. An action lists what has to be clicked for it, in order. Actions with equal lists are variants of one another.
// A target `at:x,y` is a point on which what is held is laid: see lay.js.

/**
 * @typedef {{symbol: string, transform: string, path: string, text: string, glow: string, gains: [number, string][]}} Ghost `gains`: seats
 *          with what they would get
 * @typedef {[symbol?: string, transform?: string, path?: string, text?: string, glow?: string | number[],
 *            gains?: [number, string][]]} Packed a ghost in a message, empty ends left out; `glow` may be places in a list of lines
 * @typedef {{name: string, targets: string[], ghosts: (Ghost | null)[], commits: boolean}} Action
 * @typedef {{chosen: string, actions: Action[]}} Level
 * @typedef {{level: number, picked: string[], again: boolean}} Pick
 * @typedef {{targets: string[], ghosts: Packed[], lines: string[], levels: {chosen: string, commits: number[],
 *            actions: [string, ...number[]][]}[]}} Table
 */

/**
 * A ghost as it comes in a message.
 * @param {Packed} packed
 * @param {readonly string[]} [lines]
 * @returns {Ghost}
 */
export function ghostOf([symbol = '', transform = '', path = '', text = '', glow = '', gains = []], lines = []) {
  return { symbol, transform, path, text, glow: typeof glow === 'string' ? glow : glow.map((line) => lines[line] ?? '').join(''), gains };
}

/**
 * Unpack the compact table of a message.
 * @param {Table | null | undefined} table
 * @returns {Level[]}
 */
export function unpack(table) {
  if (!table) return [];
  const ghosts = table.ghosts.map((packed) => ghostOf(packed, table.lines));
  const open = table.levels.length - 1;
  return table.levels.map(({ chosen, commits, actions }, level) => {
    const ends = new Set(commits);
    return {
      chosen,
      actions: actions.map(([name, ...pairs], index) => {
        /** @type {Action} */
        const action = { name, targets: [], ghosts: [], commits: ends.has(index) };
        for (let i = 0; i + 1 < pairs.length; i += 2) {
          action.targets.push(table.targets[pairs[i] ?? 0] ?? '');
          action.ghosts.push(ghosts[pairs[i + 1] ?? -1] ?? null);
        }
        return action;
      }).filter((action) => level === open || !action.commits), // a turn of another kind does not throw away what is begun
    };
  });
}

/** @param {readonly string[]} list @param {readonly string[]} start */
const begins = (list, start) => start.length <= list.length && start.every((id, i) => list[i] === id);

/** @param {readonly string[]} a @param {readonly string[]} b */
export const same = (a, b) => a.length === b.length && begins(a, b);

/**
 * The actions whose targets begin with what was picked.
 * @param {Level | undefined} level
 * @param {readonly string[]} picked
 */
export const possible = (level, picked) => (level ? level.actions.filter((action) => begins(action.targets, picked)) : []);

/**
 * The variants that a pick leaves: if all its possible actions share one list of targets, those actions, else none.
 * @param {Level | undefined} level
 * @param {readonly string[]} picked
 */
export function variants(level, picked) {
  const actions = possible(level, picked);
  const first = actions[0];
  return first && actions.every((action) => same(action.targets, first.targets)) ? actions : [];
}

/**
 * What a click on these things (the uppermost first) picks, given what was picked before. Null: it makes no action.
 *
 * In this order: what continues the pick; the same again; what continues it at another step of the draft; another beginning of the
 * open step; a last target from which the rest is clear; the same two for steps of the draft, the latest first.
 * @param {Level[]} levels
 * @param {number} at the level of the present pick
 * @param {readonly string[]} picked
 * @param {readonly string[]} ids
 * @returns {Pick | null}
 */
export function resolve(levels, at, picked, ids) {
  if (picked.length) {
    for (const id of ids) {
      const next = [...picked, id];
      if (possible(levels[at], next).length) return { level: at, picked: next, again: false };
    }
    for (const id of ids) {
      if (picked.includes(id)) return { level: at, picked: [...picked], again: true };
    }
    for (let level = levels.length - 1; level >= 0; level--) {
      for (const id of ids) {
        const next = [...picked, id];
        if (possible(levels[level], next).length) return { level, picked: next, again: false };
      }
    }
  }
  for (let level = levels.length - 1; level >= 0; level--) {
    const here = levels[level];
    const chosen = here?.actions.find((action) => action.name === here.chosen);
    for (const id of ids) {
      if (chosen && chosen.targets.at(-1) === id) return { level, picked: [...chosen.targets], again: true };
      if (possible(here, [id]).length) return { level, picked: [id], again: false };
    }
    for (const id of ids) {
      const with_id = here ? here.actions.filter((action) => action.targets.includes(id)) : [];
      const first = with_id[0];
      const lone = first?.commits && levels.length === 1; // a turn of one step is not made by a click on where it would end
      if (first && !lone && with_id.every((action) => same(action.targets, first.targets))) {
        return { level, picked: first.targets.slice(0, first.targets.indexOf(id) + 1), again: false };
      }
    }
  }
  return null;
}

/**
 * What can be reached from a thing by dragging it: the second targets of actions that begin with it, each with the step of the draft
 * at which it would be chosen, the open one first.
 * @param {Level[]} levels
 * @param {string} id
 */
export function reachable(levels, id) {
  /** @type {Map<string, number>} */
  const ends = new Map();
  for (let level = levels.length - 1; level >= 0; level--) {
    for (const { targets } of levels[level]?.actions ?? []) {
      const end = targets[0] === id ? targets[1] : undefined;
      if (end && !ends.has(end)) ends.set(end, level);
    }
  }
  return ends;
}

/** The turn of a ghost in degrees, so that the same turn can be kept from place to place. @param {Action | undefined} action */
export function angle(action) {
  const transform = action?.ghosts.find((ghost) => ghost?.transform.includes('rotate'))?.transform;
  const found = transform?.match(/rotate\(\s*(-?[\d.]+)/);
  return found ? ((Number(found[1]) % 360) + 360) % 360 : 0;
}

/**
 * The place in a list of variants of the one turned like `degrees`, else of the next one clockwise.
 * @param {Action[]} actions
 * @param {number} degrees
 */
export function nearest(actions, degrees) {
  let best = 0;
  let least = Infinity;
  actions.forEach((action, i) => {
    const further = (angle(action) - degrees + 360) % 360;
    if (further < least) [best, least] = [i, further];
  });
  return best;
}

/**
 * All things that can be clicked now, those of the present pick's continuation and of the open step first.
 * @param {Level[]} levels
 * @param {number} at
 * @param {readonly string[]} picked
 */
export function clickable(levels, at, picked) {
  /** @type {Set<string>} */
  const ids = new Set();
  if (picked.length) {
    for (const action of possible(levels[at], picked)) ids.add(action.targets[picked.length] ?? '');
    for (const id of picked) ids.add(id);
  }
  for (let level = levels.length - 1; level >= 0; level--) {
    for (const action of levels[level]?.actions ?? []) ids.add(action.targets[0] ?? '');
  }
  for (const id of ids) if (!id || id.startsWith('at:')) ids.delete(id);
  return ids;
}
