// The replay: turns follow each other by themselves, with their motion, their words and what was said then; and the panel with
// everything else about an earlier position: speed, whose knowledge is looked at, a link, pictures, a film.
import { send } from './live.js';
import { numberOf } from './past.js';

/** @typedef {import('./past.js').Past} Past */
/**
 * @typedef {object} Now
 * @property {number} turns
 * @property {boolean} over
 * @property {number} seat
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
const ASK = 600; // milliseconds between two questions about a film

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** @template {HTMLElement} T @param {string} selector @returns {T} */
const find = (selector) => /** @type {T} */ (document.querySelector(selector));

export class Replay {
  /**
   * @param {Past} past
   * @param {{page: {table: string, words: Record<string, string>}, now: () => Now, look: (eyes: number | null) => unknown,
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
    /** The film that is being made, or is there. @type {string} */
    this.film = '';
    this.panel = find('#replay');
    this.slide = /** @type {HTMLInputElement} */ (this.panel.querySelector("input[name='turn']"));
    this.read();
    this.panel.addEventListener('input', (event) => this.chosen(/** @type {HTMLInputElement} */ (event.target)));
    this.panel.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.makeFilm();
    });
    document.addEventListener('visibilitychange', () => document.hidden && this.pause());
    this.mark();
  }

  /** What was chosen in this browser before. */
  read() {
    try {
      const { speed, skips } = JSON.parse(localStorage.getItem(KEY) ?? '{}');
      if (SPEEDS.includes(speed)) this.speed = speed;
      this.skips = Boolean(skips);
    } catch { /* the browser stores nothing */ }
    this.showChoices();
  }

  keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify({ speed: this.speed, skips: this.skips }));
    } catch { /* as above */ }
    this.showChoices();
  }

  showChoices() {
    for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (this.panel.querySelectorAll("input[name='speed']"))) radio.checked = Number(radio.value) === this.speed;
    /** @type {HTMLInputElement} */ (this.panel.querySelector("input[name='passes']")).checked = this.skips;
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
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.speed) + by))] ?? 1;
    this.keep();
    this.hooks.say(`${this.speed}×`, true);
  }

  // ---- playing

  toggle() {
    if (this.playing) this.pause();
    else void this.play();
  }

  pause() {
    this.ticket++;
    this.playing = false;
    this.mark();
  }

  /** Play from the position on show, from the beginning if that is the end. Whatever else is looked at meanwhile ends it. */
  async play() {
    const mine = ++this.ticket;
    const goesOn = () => this.ticket === mine;
    this.playing = true;
    const last = this.hooks.now().turns;
    let at = this.past.at === null || this.past.at >= last ? 0 : this.past.at;
    if (this.past.at !== at) await this.past.go(at, 0);
    this.mark();
    while (goesOn() && this.past.at === at) {
      await this.rest(at);
      if (!goesOn() || this.past.at !== at) break;
      const next = await this.following(at);
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

  /** The turn to show after a turn; null at the end. @param {number} at @returns {Promise<number | null>} */
  async following(at) {
    const last = this.hooks.now().turns;
    let next = at + 1;
    while (this.skips && next < last && (await this.past.look(next))?.passed) next++;
    return next > last ? null : next;
  }

  /** As long as it takes to see and to read a turn. @param {number} at */
  async rest(at) {
    const look = await this.past.look(at);
    const said = document.getElementById('said')?.textContent ?? '';
    const reading = Math.min(MOST_READING, LETTER * (look?.speak.length ?? 0) + SAID * said.length);
    await new Promise((resolve) => setTimeout(resolve, ((still.matches ? REST_STILL : REST) + reading) / this.speed));
  }

  /** Show which position it is, and whether it plays. */
  mark() {
    const { turns, over, eyes, names, seat } = this.hooks.now();
    const at = this.past.at ?? turns;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".past [data-act='play']"))) {
      const label = (this.playing ? button.dataset.pause : button.dataset.play) ?? '';
      button.classList.toggle('playing', this.playing);
      button.setAttribute('aria-label', label);
      button.title = label;
    }
    document.body.classList.toggle('replaying', this.playing);
    if (this.panel.hidden) return;
    Object.assign(this.slide, { max: String(turns), value: String(at) });
    this.slide.setAttribute('aria-label', this.panel.querySelector('.slide span')?.textContent ?? ''); // the label is taken for that of the output before it
    this.slide.setAttribute('aria-valuetext', document.querySelector('#moves output')?.textContent ?? '');
    const output = this.panel.querySelector('.slide output');
    if (output) output.textContent = `${numberOf(at)} / ${numberOf(turns)}`;
    const query = new URLSearchParams({ turn: String(at), seat: String(seat), theme: this.theme, ...(eyes === null ? {} : { eyes: String(eyes) }) });
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (this.panel.querySelectorAll('[data-picture]'))) {
      const name = `picture.${link.dataset.picture}`;
      link.href = `/api/tables/${this.hooks.page.table}/${name}?${query}`;
      link.download = `turn-${numberOf(at)}.${link.dataset.picture}`;
    }
    /** @type {HTMLElement} */ (this.panel.querySelector("[data-act='share-turn']")).hidden = !this.base;
    const choice = this.panel.querySelector('select[name=eyes]');
    if (choice instanceof HTMLSelectElement) {
      /** @type {HTMLElement} */ (choice.parentElement).hidden = !over;
      if (choice.options.length === 1) {
        const words = (/** @type {string} */ name) => (choice.dataset.seat ?? '').replace('#', name);
        for (const [number, name] of names.entries()) choice.add(new Option(words(name), String(number)));
        choice.add(new Option(choice.dataset.watch, '-1'));
      }
      choice.value = eyes === null ? '' : String(eyes);
    }
  }

  /** The theme on show. */
  get theme() {
    const { theme } = document.documentElement.dataset;
    return theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  }

  // ---- the panel

  /** @param {HTMLElement} button */
  open(button) {
    if (!this.panel.hidden) return this.close();
    this.pause();
    this.panel.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    this.mark();
    this.slide.focus({ preventScroll: true });
    return true;
  }

  /** @returns {boolean} whether it was open */
  close() {
    if (this.panel.hidden) return false;
    this.panel.hidden = true;
    const button = find("[data-act='replay-more']");
    button.setAttribute('aria-expanded', 'false');
    button.focus({ preventScroll: true });
    return true;
  }

  /** The beginning of links to a turn; '' if others could not open them. */
  get base() {
    const { link } = find("[data-act='share']")?.dataset ?? {};
    return link || (/^\/watch\//.test(location.pathname) ? location.origin + location.pathname : '');
  }

  /** Copy a link to the turn on show, as it is seen. */
  async share() {
    const { turns, eyes } = this.hooks.now();
    const query = new URLSearchParams({ turn: String(this.past.at ?? turns), ...(eyes === null ? {} : { eyes: String(eyes) }) });
    const text = `${this.base}?${query}`;
    const { words } = this.hooks.page;
    try {
      await navigator.clipboard.writeText(text);
      this.hooks.say(words['link.copied'] ?? '', true);
    } catch {
      this.hooks.say(`${words['link.failed']} ${text}`, true);
    }
  }

  // ---- a film

  get films() {
    return `/api/tables/${this.hooks.page.table}/films`;
  }

  async makeFilm() {
    const { eyes, seat } = this.hooks.now();
    const form = /** @type {HTMLFormElement} */ (find('#film'));
    const kind = /** @type {HTMLSelectElement} */ (form.elements.namedItem('kind')).value;
    const wanted = { kind, theme: this.theme, eyes, passes: !this.skips, ...(seat >= 0 ? { seat } : {}) };
    const { ok, data } = await send(this.films, wanted);
    this.film = ok ? data.id : '';
    this.showFilm(ok ? data : { state: 'failed', sentence: data.detail });
    const mine = this.film;
    while (mine && this.film === mine) {
      await new Promise((resolve) => setTimeout(resolve, ASK));
      if (this.film !== mine) return;
      let { ok, status, data } = await send(`${this.films}/${mine}`, {}, 'GET');
      // another server was asked, or this one has begun anew: a film has the same number everywhere
      if (status === 404) ({ ok, status, data } = await send(this.films, wanted));
      if (this.film !== mine) return;
      if (!ok && status) this.film = '';
      if (ok || status) this.showFilm(ok ? data : { state: 'failed', sentence: data.detail });
      if (ok && (data.state === 'ready' || data.state === 'failed')) return;
    }
  }

  stopFilm() {
    const { film } = this;
    this.film = '';
    this.showFilm({ state: '' });
    if (film) void send(`${this.films}/${film}`, {}, 'DELETE');
  }

  /** @param {{state: string, done?: number, frames?: number, url?: string, bytes?: number, sentence?: string}} film */
  showFilm({ state, done = 0, frames = 1, url = '', bytes = 0, sentence = '' }) {
    const form = find('#film');
    const busy = state === 'waiting' || state === 'making';
    const bar = /** @type {HTMLProgressElement} */ (form.querySelector('progress'));
    bar.hidden = !busy;
    bar.value = done / frames;
    /** @type {HTMLElement} */ (form.querySelector("[type='submit']")).hidden = busy;
    /** @type {HTMLElement} */ (form.querySelector("[data-act='film-stop']")).hidden = !busy;
    const link = /** @type {HTMLAnchorElement} */ (form.querySelector('a'));
    const fresh = link.hidden && state === 'ready';
    link.hidden = state !== 'ready';
    if (url) link.href = url;
    const output = /** @type {HTMLElement} */ (form.querySelector('output'));
    const text = { ready: `${(bytes / 1e6).toFixed(1)} MB`, failed: sentence || output.dataset.failed, making: output.dataset.making, waiting: output.dataset.making }[state] ?? '';
    if (output.textContent !== text) output.textContent = text;
    if (fresh) link.focus({ preventScroll: true });
  }
}
