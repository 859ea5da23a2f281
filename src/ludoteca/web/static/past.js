// Looking back: the position after any turn, by arrow keys, buttons, or a click in the list of moves.
import { send } from './live.js';
import { markRow } from './log.js';

/** @typedef {{at: number, fragments: Record<string, string>, events: import('./animate.js').Event[], speak: string, passed: boolean}} Look */

const KEPT = 60;

/**
 * How many turns people count after so many turns of the match: secret choices of all do not count. The log may not tell the newest
 * turns yet, while a fight is shown: they are counted on from its last row. @param {number} at
 */
export function numberOf(at) {
  const row = document.querySelector(`.log [data-at='${at}']`) ?? [...document.querySelectorAll('.log [data-no]')].at(-1);
  const { at: told = 0, no = told } = row instanceof HTMLElement ? row.dataset : {};
  return Number(no) + Math.max(0, at - Number(told));
}

export class Past {
  /**
   * @param {{path: (at: number) => string, last: () => number, closed: () => boolean,
   *          show: (look: Look | null, step: number) => unknown, marked: (at: number, last: number) => void,
   *          play: (from: number, until?: number) => Promise<unknown>}} hooks `closed`: may nothing
   * be looked at now?
   */
  constructor(hooks) {
    this.hooks = hooks;
    /** The number of turns after which the position is looked at; null: the present. @type {number | null} */
    this.at = null;
    /** The same for the position that is on the board already. @type {number | null} */
    this.shown = null;
    this.wanted = 0;
    /** @type {Map<number, Look>} */
    this.known = new Map();
  }

  /** @param {number} by */
  async step(by) {
    const last = this.hooks.last();
    const at = (this.at ?? last) + by;
    if (at === last && this.at !== null) {
      // the last turn is seen too before the present is there again
      await this.go(last);
      if (this.at !== last) return;
    }
    await this.go(at >= last ? null : Math.max(0, at));
  }

  /**
   * Resolves when the position is on the board and its motion has been seen.
   * @param {number | null} at
   * @param {number} [step] as which it is shown: 1 lets what happened be seen
   */
  async go(at, step) {
    const from = this.at ?? this.hooks.last();
    if (at === this.at || (at !== null && (at < 0 || at > this.hooks.last() || this.hooks.closed()))) return;
    const ticket = ++this.wanted;
    this.at = at;
    this.mark();
    if (at === null) {
      this.shown = null;
      this.hooks.show(null, 0);
      return;
    }
    const look = this.known.get(at) ?? (await this.fetch(at));
    if (this.hooks.closed()) return;
    if (ticket !== this.wanted) return;
    if (!look) {
      // the server is away: the position on the board stays, with its own heading
      this.at = this.shown;
      this.mark();
      return;
    }
    this.shown = at;
    const showing = this.hooks.show(look, step ?? at - from);
    this.mark();
    for (const near of [at - 1, at + 1]) {
      if (near >= 0 && near < this.hooks.last() && !this.known.has(near)) void this.fetch(near);
    }
    await showing;
  }

  /** @param {number} at @returns {Promise<Look | null>} */
  async fetch(at) {
    const path = this.hooks.path(at);
    const { ok, data } = await send(path, {}, 'GET');
    if (!ok) return null;
    if (this.known.size >= KEPT) this.known.clear();
    if (this.hooks.path(at) === path) this.known.set(at, data);
    return data;
  }

  /** The position after a turn, as it may be seen. @param {number} at @returns {Promise<Look | null>} */
  async look(at) {
    return this.known.get(at) ?? (await this.fetch(at));
  }

  /** Show the position on show once more, as it is seen now. */
  async again() {
    const { at } = this;
    this.known.clear();
    if (at === null) return;
    this.at = null;
    await this.go(at, 0);
  }

  /** Positions change when turns are taken back. */
  forget() {
    this.known.clear();
  }

  /** Show in the list of moves and in the counter which position is on the board. */
  mark() {
    const last = this.hooks.last();
    const at = this.at ?? last;
    markRow(at);
    const output = document.querySelector('#moves output');
    if (output) output.textContent = `${numberOf(at)} / ${numberOf(last)}`;
    this.hooks.marked(at, last);
    const banner = document.getElementById('past');
    if (banner) {
      banner.hidden = this.at === null;
      const text = banner.querySelector('[data-text]');
      if (text instanceof HTMLElement) {
        text.textContent = (text.dataset.text ?? '').replace('#', String(numberOf(at))).replace('#', String(numberOf(last)));
      }
    }
  }
}
