// Looking back: the position after any turn, by arrow keys, buttons, or a click in the list of moves.
import { send } from './live.js';

/** @typedef {{at: number, fragments: Record<string, string>, events: import('./animate.js').Event[], speak: string}} Look */

const KEPT = 60;

export class Past {
  /**
   * @param {{path: (at: number) => string, last: () => number, show: (look: Look | null, step: number) => unknown}} hooks
   */
  constructor(hooks) {
    this.hooks = hooks;
    /** After how many turns; null: the present. @type {number | null} */
    this.at = null;
    this.wanted = 0;
    /** @type {Map<number, Look>} */
    this.known = new Map();
  }

  /** @param {number} by */
  step(by) {
    const at = (this.at ?? this.hooks.last()) + by;
    this.go(at >= this.hooks.last() ? null : Math.max(0, at));
  }

  /** @param {number | null} at */
  async go(at) {
    const from = this.at ?? this.hooks.last();
    if (at === this.at || (at !== null && (at < 0 || at > this.hooks.last()))) return;
    const ticket = ++this.wanted;
    this.at = at;
    this.mark();
    if (at === null) {
      this.hooks.show(null, 0);
      return;
    }
    const look = this.known.get(at) ?? (await this.fetch(at));
    if (ticket !== this.wanted || !look) return;
    this.hooks.show(look, at - from);
    this.mark();
    for (const near of [at - 1, at + 1]) {
      if (near >= 0 && near < this.hooks.last() && !this.known.has(near)) void this.fetch(near);
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
