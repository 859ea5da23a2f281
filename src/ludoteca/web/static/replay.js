// The replay: turns follow each other by themselves, with their motion, their words and what was said then; and the panel that says
// how: the turn, the speed, and whose knowledge is looked at.
import { numberOf } from './past.js';

/** @typedef {import('./past.js').Past} Past */
/**
 * @typedef {object} Now
 * @property {number} turns
 * @property {boolean} over
 * @property {string[]} names
 * @property {number | null} eyes
 */

const KEY = 'ludoteca.replay';
const SPEEDS = [0.5, 1, 2, 4];
const REST = 750; // milliseconds that a turn stays at speed 1,
const REST_STILL = 1300; // where nothing moves,
const LETTER = 16; // longer for every letter of what happened,
const SAID = 34; // and of what was said
const MOST_READING = 4500;
const QUICKEST = 4; // at this speed nothing moves

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** @template {HTMLElement} T @param {string} selector @returns {T} */
const find = (selector) => /** @type {T} */ (document.querySelector(selector));

export class Replay {
  /**
   * @param {Past} past
   * @param {{now: () => Now, look: (eyes: number | null) => unknown,
   *          say: (text: string, show?: boolean) => void}} hooks
   */
  constructor(past, hooks) {
    this.past = past;
    this.hooks = hooks;
    /** Goes up whenever the replay begins or ends. */
    this.ticket = 0;
    this.playing = false;
    this.speed = 1;
    this.skips = false;
    this.panel = find('#replay');
    this.slide = /** @type {HTMLInputElement} */ (find("#replay [name='turn']"));
    try { // what was chosen in this browser before
      const { speed, skips } = JSON.parse(localStorage.getItem(KEY) ?? '{}');
      if (SPEEDS.includes(speed)) this.speed = speed;
      this.skips = Boolean(skips);
    } catch { /* the browser stores nothing */ }
    this.showChoices();
    this.panel.addEventListener('input', (event) => this.chosen(/** @type {HTMLInputElement} */ (event.target)));
    document.addEventListener('visibilitychange', () => document.hidden && this.pause());
    this.mark();
  }

  keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify({ speed: this.speed, skips: this.skips }));
    } catch { /* as above */ }
    this.showChoices();
  }

  showChoices() {
    /** @type {HTMLInputElement} */ (find(`#replay [name='speed'][value='${this.speed}']`)).checked = true;
    /** @type {HTMLInputElement} */ (find("#replay [name='passes']")).checked = this.skips;
  }

  /** @param {HTMLInputElement} field of the panel */
  chosen({ name, value, checked }) {
    if (name === 'turn') {
      this.pause();
      void this.past.go(Number(value), 0);
    } else if (name === 'speed') {
      this.speed = Number(value);
      this.keep();
    } else if (name === 'passes') {
      this.skips = checked;
      this.keep();
    } else if (name === 'eyes') {
      this.pause();
      this.hooks.look(value === '' ? null : Number(value));
      this.mark();
    }
  }

  /** @param {number} by */
  quicker(by) {
    this.speed = SPEEDS[SPEEDS.indexOf(this.speed) + by] ?? this.speed;
    this.keep();
    this.hooks.say(`${this.speed}×`, true);
  }

  // ---- playing

  toggle() {
    if (this.playing) return this.pause();
    this.close(); // it does not run under its panel
    return this.play();
  }

  pause() {
    this.ticket++;
    this.playing = false;
    this.mark();
  }

  /** Play from the position on show, from the beginning if that is the end. Whatever else is looked at meanwhile ends it.
   * @param {number} [from] after so many turns instead @param {number} [until] the last turn that is played */
  async play(from, until) {
    const mine = ++this.ticket;
    const goesOn = () => this.ticket === mine;
    this.playing = true;
    const last = this.hooks.now().turns;
    let at = from ?? (this.past.at === null || this.past.at >= last ? 0 : this.past.at);
    if (this.past.at !== at) await this.past.go(at, 0);
    this.mark();
    while (goesOn() && this.past.at === at) {
      await this.rest(at, at !== from);
      if (!goesOn() || this.past.at !== at) break;
      const next = await this.following(at, until);
      if (!goesOn() || this.past.at !== at) break;
      if (next === null) {
        this.pause();
        return this.past.go(null);
      }
      at = next;
      await this.past.go(at, this.speed >= QUICKEST ? 0 : 1);
    }
    if (goesOn()) this.pause();
  }

  /** The turn to show after a turn; null at the end. @param {number} at @param {number} [last] @returns {Promise<number | null>} */
  async following(at, last = this.hooks.now().turns) {
    let next = at + 1;
    while (this.skips && next < last && (await this.past.look(next))?.passed) next++;
    return next > last ? null : next;
  }

  /** As long as it takes to see a turn, and to read it. @param {number} at @param {boolean} reads */
  async rest(at, reads) {
    const look = await this.past.look(at);
    const said = document.getElementById('said')?.textContent ?? '';
    const reading = Math.min(reads ? MOST_READING : 0, LETTER * (look?.speak.length ?? 0) + SAID * said.length);
    await new Promise((resolve) => setTimeout(resolve, ((still.matches ? REST_STILL : REST) + reading) / this.speed));
  }

  /** Show which position it is, and whether it plays. */
  mark() {
    const { turns, over, eyes, names } = this.hooks.now();
    const at = this.past.at ?? turns;
    const button = find(".past [data-act='play']");
    button.ariaLabel = button.title = (this.playing ? button.dataset.pause : button.dataset.play) ?? '';
    document.body.classList.toggle('replaying', this.playing);
    if (this.panel.hidden) return;
    Object.assign(this.slide, { max: String(turns), value: String(at) });
    this.slide.ariaValueText = document.querySelector('#moves output')?.textContent ?? '';
    const output = this.panel.querySelector('.slide output');
    if (output) output.textContent = `${numberOf(at)} / ${numberOf(turns)}`;
    const choice = this.panel.querySelector('select[name=eyes]');
    if (choice instanceof HTMLSelectElement) {
      /** @type {HTMLElement} */ (choice.parentElement).hidden = !over;
      if (choice.options.length === 1) {
        for (const [number, name] of names.entries()) choice.add(new Option(choice.dataset.seat?.replace('#', name), `${number}`));
        choice.add(new Option(choice.dataset.watch, '-1'));
      }
      choice.value = eyes === null ? '' : String(eyes);
    }
  }

  // ---- the panel

  /** @param {HTMLElement} button */
  open(button) {
    if (!this.panel.hidden) return this.close();
    this.pause();
    this.panel.hidden = false;
    button.ariaExpanded = 'true';
    this.mark();
    this.slide.focus({ preventScroll: true });
    return true;
  }

  /** @returns {boolean} whether it was open */
  close() {
    if (this.panel.hidden) return false;
    this.panel.hidden = true;
    const button = find("[data-act='replay-more']");
    button.ariaExpanded = 'false';
    button.focus();
    return true;
  }
}
