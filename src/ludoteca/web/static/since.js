// What happened since I last looked: the page remembers, by table, and by seat where seats have secrets, the last turn that was
// seen here. Opened again after more than one turn it offers to play them, one after the other.

import { numberOf } from './past.js';

/** @typedef {import('./past.js').Past} Past */

export class Since {
  /** @param {string} table @param {boolean} secrets may one seat know what another does not? @param {Past} past @param {() => {ready: boolean, curtain: boolean, turns: number, seat: number}} now what is on show */
  constructor(table, secrets, past, now) {
    this.table = table;
    this.secrets = secrets;
    this.past = past;
    this.now = now;
    /** The turn after which I last looked, while the rest is on offer. @type {number | null} */
    this.from = null;
    this.looked = '';
    /** A move of mine is on its way: what comes with it, answers of bots included, is seen as it comes. */
    this.acting = false;
    document.addEventListener('visibilitychange', () => this.look());
  }

  get key() {
    return `ludoteca.seen.${this.table}${this.secrets ? `.${this.now().seat}` : ''}`;
  }

  /** @returns {number | null} */
  read() {
    try {
      const text = localStorage.getItem(this.key);
      return text !== null && /^\d+$/.test(text) ? Number(text) : null;
    } catch {
      return null; // the browser stores nothing, so nothing is offered
    }
  }

  /** The present position is on show: if somebody is there to see it, it counts as seen, or what came before it is offered. */
  look() {
    const { ready, curtain, turns } = this.now();
    if (curtain) this.from = null;
    if (curtain) this.refresh();
    if (!ready || curtain || document.hidden) return;
    if (this.key !== this.looked) this.from = null;
    this.looked = this.key;
    const seen = this.from ?? this.read();
    this.from = !this.acting && seen !== null && seen < turns && numberOf(turns) - numberOf(seen) > 1 ? seen : null;
    if (this.from === null) {
      try {
        localStorage.setItem(this.key, String(turns));
      } catch { /* as above */ }
    }
    this.refresh();
  }

  /** Show the offer, if there is one, unless the past is being looked at already. */
  refresh() {
    const element = document.getElementById('since');
    if (!element) return;
    element.hidden = this.from === null || this.past.at !== null;
    element.parentElement?.classList.toggle('missed', !element.hidden);
    const text = element.querySelector('[data-text]');
    if (text instanceof HTMLElement) text.textContent = (text.dataset.text ?? '').replace('#', String(numberOf(this.now().turns) - numberOf(this.from ?? 0)));
  }

  /** I have seen enough: nothing is offered any more. @param {string} [key] whose eyes these are @param {number} [turns] that were seen at least */
  done(key = this.key, turns = 0) {
    this.from = null;
    try {
      localStorage.setItem(key, String(key === this.key ? Math.max(turns, this.now().turns) : turns));
    } catch { /* as above */ }
    this.refresh();
  }

  /** Play what is offered. */
  async play() {
    const { from } = this;
    this.done();
    if (from === null) return;
    await this.past.hooks.play(from);
    this.done();
  }
}
