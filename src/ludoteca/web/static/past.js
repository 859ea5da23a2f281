// Looking back: the position after any turn, by arrow keys, buttons, or a click in the list of moves.
import { send } from './live.js';

/** @typedef {{at: number, fragments: Record<string, string>, events: import('./animate.js').Event[], speak: string}} Look */

const KEPT = 60;
const REST = 400; // milliseconds between two turns that are played one after the other
const REST_STILL = 1200; // the same where nothing moves

export class Past {
  /**
   * @param {{path: (at: number) => string, last: () => number, show: (look: Look | null, step: number) => unknown}} hooks
   */
  constructor(hooks) {
    this.hooks = hooks;
    /** After how many turns; null: the present. @type {number | null} */
    this.at = null;
    /** The same of the position that is on the board already. @type {number | null} */
    this.shown = null;
    this.wanted = 0;
    /** @type {Map<number, Look>} */
    this.known = new Map();
  }

  /** @param {number} by */
  step(by) {
    const at = (this.at ?? this.hooks.last()) + by;
    this.go(at >= this.hooks.last() ? null : Math.max(0, at));
  }

  /** Resolves when the position is on the board and its motion has been seen. @param {number | null} at */
  async go(at) {
    const from = this.at ?? this.hooks.last();
    if (at === this.at || (at !== null && (at < 0 || at > this.hooks.last()))) return;
    const ticket = ++this.wanted;
    this.at = at;
    this.mark();
    if (at === null) {
      this.shown = null;
      this.hooks.show(null, 0);
      return;
    }
    const look = this.known.get(at) ?? (await this.fetch(at));
    if (ticket !== this.wanted) return;
    if (!look) {
      // the server is away: what is on the board stays, and says what it is
      this.at = this.shown;
      this.mark();
      return;
    }
    this.shown = at;
    const showing = this.hooks.show(look, at - from);
    this.mark();
    for (const near of [at - 1, at + 1]) {
      if (near >= 0 && near < this.hooks.last() && !this.known.has(near)) void this.fetch(near);
    }
    await showing;
  }

  /** Play the turns after `from` one after the other, then show the present. Whatever else is looked at meanwhile ends it.
   * @param {number} from */
  async play(from) {
    const rest = matchMedia('(prefers-reduced-motion: reduce)').matches ? REST_STILL : REST;
    let at = Math.max(0, from);
    await this.go(at);
    while (this.at === at) {
      await new Promise((resolve) => setTimeout(resolve, rest));
      if (this.at !== at) return;
      if (at >= this.hooks.last()) return this.go(null);
      await this.go(++at);
    }
  }

  /** @param {number} at @returns {Promise<Look | null>} */
  async fetch(at) {
    const { ok, data } = await send(this.hooks.path(at), {}, 'GET');
    if (!ok) return null;
    if (this.known.size >= KEPT) this.known.clear();
    this.known.set(at, data);
    return data;
  }

  /** Positions change when turns are taken back. */
  forget() {
    this.known.clear();
  }

  /** Show in the list of moves and in the counter which position is on the board. */
  mark() {
    const last = this.hooks.last();
    const at = this.at ?? last;
    for (const row of document.querySelectorAll('.log [data-at]')) {
      const here = row instanceof HTMLElement && Number(row.dataset.at) === at;
      row.parentElement?.classList.toggle('cur', here);
      if (here) row.setAttribute('aria-current', 'step');
      else row.removeAttribute('aria-current');
      if (here && this.at !== null && row.parentElement instanceof HTMLElement) row.parentElement.scrollIntoView({ block: 'nearest' });
    }
    const output = document.querySelector('#moves output');
    if (output) output.textContent = `${at} / ${last}`;
    const banner = document.getElementById('past');
    if (banner) {
      banner.hidden = this.at === null;
      const text = banner.querySelector('[data-text]');
      if (text instanceof HTMLElement) text.textContent = (text.dataset.text ?? '').replace('#', String(at)).replace('#', String(last));
    }
  }
}
