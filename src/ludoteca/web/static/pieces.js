// What has changed in a fragment, told piece by piece: see table/pieces.py, which cuts in the same places.

/** A fragment made of an older one, by the mark of that one: numbers of pieces that stay and how many they are, new text.
 * @typedef {{of: string, told: (number | string)[]}} Change */

const BETWEEN = '><';

/**
 * The fragment that a change makes of an older one.
 * @param {string} text @param {(number | string)[]} told
 */
export function merged(text, told) {
  const pieces = text.split(BETWEEN);
  const found = [];
  for (let k = 0; k < told.length; k += 1) {
    const one = told[k];
    if (typeof one === 'string') {
      found.push(one);
    } else {
      k += 1;
      found.push(...pieces.slice(Number(one), Number(one) + Number(told[k])));
    }
  }
  return found.join(BETWEEN);
}

/**
 * The fragments of a message, whole. null: one of them is a change of a fragment that the page has not.
 * @param {Record<string, string>} fragments those that came whole
 * @param {Record<string, Change>} changes the others
 * @param {{fragments: Record<string, string>, marks: Record<string, string>}} before what the page has
 * @returns {Record<string, string> | null}
 */
export function wholeFragments(fragments, changes, before) {
  const whole = { ...fragments };
  for (const [id, { of, told }] of Object.entries(changes)) {
    const text = before.fragments[id];
    if (text === undefined || before.marks[id] !== of) return null;
    whole[id] = merged(text, told);
  }
  return whole;
}
