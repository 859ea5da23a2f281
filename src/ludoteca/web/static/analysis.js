// A board for analysis: walking its tree, notes, rings and arrows, searches. The board itself is that of table.js.
import { svg } from './board.js';
import { ghostOf } from './choose.js';
import { send } from './live.js';
import { markRow } from './log.js';
import { announce } from './tools.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {{at: number, draft: string[], open: boolean, parent: number, next: number | null, marks: string[][], guessed: string[], searches: boolean}} Place */
/** @typedef {import('./table.js').Message & {study: Place}} Message */
/** @typedef {{name: string, targets: string[], ghosts: (import('./choose.js').Ghost | null)[]}[]} Steps */
/** @typedef {{turn: string, visits: number, expected: number[], line: string[], steps: any[], told?: string[]}} Found `told`: the line in sentences */
/** @typedef {{expected: number[], turns: Found[], simulations: number, effort: number, last: boolean}} Answer */

const SHOWN = 4; // turns of a line that are shown in sentences, after its first one
const WIDE = 5; // pixels: of an arrow, or of a ring
const TIP = 15; // pixels: of the tip of an arrow
const DRAG = 12; // pixels from which a press is a drag
const KEPT = 500; // milliseconds in which changed settings are kept
const SPACE = 7; // pixels between a thing and the ring round it
const REST = 300; // milliseconds that a position is on the board before it is searched
const PHONE = '(width <= 47.5em)'; // there a drawer covers the page
const ROOMY = '(width >= 80em) and (height > 32.5em)'; // there it has a place of its own

/** @param {string} id */
const byId = (id) => document.getElementById(id);

/** What a form says, by the names of its fields. @param {HTMLFormElement} form @returns {Record<string, string>} */
const fields = (form) => Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, String(value)]));

/** What a table page asks of its past and of its socket, for a tree of positions. */
export class Study {
  /**
   * @param {{api: string, study: Record<string, string>, message: any}} page
   * @param {Board} board
   * @param {{now: () => Message, receive: (message: Message, first: boolean) => void, post: (what: string, body?: object) => Promise<{ok: boolean, status: number, data: any}>,
   *          preview: (steps: Steps | null) => void}} hooks
   */
  constructor(page, board, hooks) {
    this.api = page.api;
    this.words = page.study;
    this.board = board;
    this.hooks = hooks;
    this.marks = svg('svg', { class: 'study-marks', 'aria-hidden': 'true', focusable: 'false' });
    board.stage.append(this.marks);
    this.drawing = false;
    /** @type {{id: string, x: number, y: number} | null} */
    this.from = null;
    /** The last mark is kept. @type {Promise<void>} */
    this.marking = Promise.resolve();
    /** The search under way; a new one has another number. */
    this.round = 0;
    this.running = false;
    /** Is every position searched that comes on the board? */
    this.searches = true;
    /** The position whose answer is on show, and all answers by position. */
    this.searched = -1;
    /** @type {Map<number, Answer>} */
    this.answers = new Map();
    /** The server has been told to stop. @type {Promise<unknown>} */
    this.stopping = Promise.resolve();
    this.timer = 0;
    /** What the seat to move can expect, on the button that opens the search. */
    this.badge = make('span', 'n');
    /** The line that was pressed: its turn stays on the board. @type {HTMLElement | null} */
    this.pressed = null;
    document.body.dataset.line = 'open';
    document.addEventListener('click', (event) => this.click(event), true);
    document.addEventListener('submit', (event) => void this.submit(event));
    // no socket tells that the settings are kept
    byId('settings-form')?.addEventListener('change', () => setTimeout(() => this.again(), KEPT));
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.drawing) return;
      this.draw(false);
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true);
    for (const kind of ['pointerdown', 'pointerup', 'pointercancel']) board.stage.addEventListener(kind, (event) => this.point(/** @type {PointerEvent} */ (event)), true);
    for (const kind of ['mousedown', 'mouseup', 'touchstart', 'touchend']) board.stage.addEventListener(kind, (event) => this.drawing && event.stopPropagation(), true);
    new ResizeObserver(() => this.show()).observe(board.stage);
    this.watch();
  }

  /** @returns {Place} */
  get place() {
    return this.hooks.now().study;
  }

  /** What every request says besides: where the page stands, and what it has. @param {Record<string, unknown>} body */
  body({ version, seat, anyway, turn, eyes, ...body }) {
    const { at, draft, open } = this.place;
    return { at, draft, open, have: this.hooks.now().marks, came_from: at, ...body };
  }

  /** @param {string} what @param {Record<string, unknown>} [body] */
  async post(what, body = {}) {
    return this.hooks.post(what, body);
  }

  // ---- the socket of a table: there is none, answers bring all that is new

  get open() { return true; }

  again() { void this.reload(); }

  say() { void this.reload(); }

  /** The whole page once more. */
  async reload() {
    const { at } = this.place;
    await this.post('view', { at, draft: [], have: {} });
  }

  // ---- walking, as the past of a table is walked

  /** No turn of a table is looked back at. @type {null} */
  get at() { return null; }

  forget() { /* nothing is remembered */ }

  mark() { markRow(this.place.at); }

  /** @param {number | null} node */
  async go(node) {
    if (node === null || node === this.place.at) return;
    await this.post('view', { at: node, draft: [] });
  }

  /** @param {number} by */
  async step(by) {
    const { parent, next, at, draft } = this.place;
    if (by < 0 && draft.length) return void (await this.post('view', { at, draft: [] }));
    const to = by < 0 ? parent : next;
    if (to !== null && to >= 0) await this.go(to);
  }

  async play() { /* a tree is walked step by step */ }

  // ---- what is on show

  /** The position on the board, or the size of the board, is another one. */
  show() {
    const { stage, host } = this.board;
    const box = stage.getBoundingClientRect();
    this.marks.setAttribute('viewBox', `0 0 ${box.width || 1} ${box.height || 1}`);
    this.marks.replaceChildren();
    for (const id of this.place.guessed) {
      const at = this.middle(id, box);
      if (at) this.guess(at.x + 0.36 * at.w, at.y - 0.36 * at.h);
    }
    for (const [kind, at = '', to = ''] of this.place.marks) {
      const from = this.middle(at, box);
      const end = kind === 'arrow' ? this.middle(to, box) : null;
      if (from && kind === 'ring') this.both('ellipse', { cx: from.x, cy: from.y, rx: from.w / 2 + SPACE, ry: from.h / 2 + SPACE });
      else if (from && end) this.arrow(from, end);
    }
    const button = document.querySelector("[data-study='draw']");
    button?.setAttribute('aria-pressed', String(this.drawing));
    host.parentElement?.parentElement?.classList.toggle('drawing-marks', this.drawing);
    const search = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-study='search']"));
    if (search) search.disabled = !this.place.searches;
    this.follow();
  }

  /** The middle of a thing of the drawing within the stage. @param {string} id @param {DOMRect} stage */
  middle(id, stage) {
    const element = byId(id);
    if (!element || !this.board.stage.contains(element)) return null;
    const box = element.getBoundingClientRect();
    return { x: box.x + box.width / 2 - stage.x, y: box.y + box.height / 2 - stage.y, w: box.width, h: box.height };
  }

  /** A line with a case, so that it is seen on every ground. @param {string} name @param {Record<string, string | number>} attributes */
  both(name, attributes) {
    this.marks.append(svg(name, { ...attributes, class: 'case', 'stroke-width': WIDE + 4 }), svg(name, { ...attributes, class: 'core', 'stroke-width': WIDE }));
  }

  /** A question mark on what is guessed. @param {number} x @param {number} y */
  guess(x, y) {
    const text = svg('text', { x, y: y + 5, class: 'guessed' });
    text.textContent = '?';
    this.marks.append(svg('circle', { cx: x, cy: y, r: 9, class: 'guessed-ground' }), text);
  }

  /** @param {{x: number, y: number}} from @param {{x: number, y: number}} to */
  arrow(from, to) {
    const angle = Math.atan2(to.y - from.y, to.x - from.x);
    const wing = (/** @type {number} */ turn) => `${(to.x - TIP * Math.cos(angle + turn)).toFixed(1)},${(to.y - TIP * Math.sin(angle + turn)).toFixed(1)}`;
    const d = `M${from.x.toFixed(1)},${from.y.toFixed(1)}L${to.x.toFixed(1)},${to.y.toFixed(1)}M${wing(0.5)}L${to.x.toFixed(1)},${to.y.toFixed(1)}L${wing(-0.5)}`;
    this.both('path', { d });
  }

  // ---- drawing rings and arrows

  /** @param {boolean} on */
  draw(on) {
    this.drawing = on;
    this.from = null;
    this.show();
    if (on) {
      // the board lies free where the drawer covers it
      if (matchMedia(PHONE).matches) /** @type {HTMLElement | null} */ (document.querySelector('#drawer-note .close'))?.click();
      announce(this.words['study.drawing'] ?? '', true);
    }
  }

  /** @param {PointerEvent} event */
  point(event) {
    if (!this.drawing) return;
    event.stopPropagation();
    event.preventDefault();
    const [named] = this.board.named(event.clientX, event.clientY);
    const id = named?.replace(/^el:/, '') ?? '';
    if (event.type === 'pointerdown') {
      this.from = id ? { id, x: event.clientX, y: event.clientY } : null;
      return;
    }
    const from = this.from;
    this.from = null;
    if (event.type === 'pointercancel' || !from || !id) return;
    const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > DRAG && id !== from.id;
    void this.toggle(far ? ['arrow', from.id, id] : ['ring', from.id]);
  }

  /** Draw a mark, or take it away if it is there, one after the other. @param {string[]} mark */
  toggle(mark) {
    const same = (/** @type {string[]} */ other) => other.join() === mark.join();
    const next = () => {
      const { marks } = this.place;
      return this.keepMarks(marks.some(same) ? marks.filter((one) => !same(one)) : [...marks, mark]);
    };
    this.marking = this.marking.then(next, next);
    return this.marking;
  }

  /** Keep the marks, and what has been written beside them: the answer shows both. @param {string[][]} marks */
  async keepMarks(marks) {
    const form = byId('note-form');
    const written = form instanceof HTMLFormElement && Number(form.dataset.node) === this.place.at ? fields(form) : {};
    await this.post('note', { ...written, marks });
  }

  // ---- buttons and forms

  /** @param {MouseEvent} event */
  click(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (this.drawing && target && this.board.stage.contains(target)) {
      event.stopImmediatePropagation();
      event.preventDefault();
      return;
    }
    const button = /** @type {HTMLButtonElement | null} */ (target?.closest('[data-study]') ?? null);
    if (button && !button.disabled) void this.act(button);
  }

  /** @param {HTMLButtonElement} button */
  async act(button) {
    const { study = '' } = button.dataset;
    if (study === 'draw') this.draw(!this.drawing);
    else if (study === 'rub') {
      const left = this.place.marks.filter((_, k) => k !== Number(button.dataset.mark));
      await this.keepMarks(left);
    } else if (study === 'first') await this.post('first');
    else if (study === 'remove') {
      const { ok } = await this.post('remove', { draft: [] });
      this.answers.clear(); // another position may get its number
      if (ok) announce(this.words['study.removed'] ?? '', true);
    } else if (study === 'open') await this.post('view', { open: !this.place.open });
    else if (study === 'search') {
      this.searches = true;
      this.answers.delete(this.place.at);
      await this.search();
    } else if (study === 'stop') this.stop(this.words['study.stopped']);
    else if (study === 'look') this.press(/** @type {HTMLElement} */ (button.closest('li')));
    else if (study === 'line') await this.post('line', { turns: JSON.parse(button.dataset.line ?? '[]') });
    else if (study === 'share' || study === 'unshare') await this.share(study === 'share');
    else if (study === 'copy') this.leave(await send(`${this.api}/copy`));
    else if (study === 'play') this.leave(await this.hooks.post('play'));
    else if (study === 'delete' && confirm(this.words['study.delete_sure'])) {
      const { ok } = await send(this.api, {}, 'DELETE');
      if (ok) location.assign('/analysis');
    }
  }

  /** Go where an answer leads. @param {{ok: boolean, data: any}} answer */
  leave({ ok, data }) {
    if (ok && data.url) location.assign(data.url);
    else if (!ok) announce(data.detail ?? '', true);
  }

  /** @param {boolean} shared */
  async share(shared) {
    const { ok, data } = await send(this.api, { shared }, 'PATCH');
    if (!ok) return announce(data.detail ?? '', true);
    await this.post('view');
    const field = /** @type {HTMLInputElement | null} */ (byId('study-link'));
    if (!field) return;
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      announce(this.words['study.copied'] ?? '', true);
    } catch { /* it is selected */ }
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!['note-form', 'mark-form', 'title-form', 'play-on'].includes(form.id)) return;
    event.preventDefault();
    const given = fields(form);
    if (form.id === 'note-form') {
      const { ok } = await this.post('note', given);
      if (ok && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    } else if (form.id === 'mark-form') await this.toggle(given.to ? ['arrow', given.at ?? '', given.to] : ['ring', given.at ?? '']);
    else if (form.id === 'play-on') this.leave(await send(`${this.api}/play-on`, { at: this.place.at, seat: Number(given.seat), level: given.level }));
    else {
      const { ok, data } = await send(this.api, { title: given.title }, 'PATCH');
      if (ok) await this.post('view');
      else announce(data.detail ?? '', true);
    }
  }

  // ---- what a search says

  /** Search while the page is looked at; show what the lines do. */
  watch() {
    const opener = document.querySelector("[data-drawer='engine']");
    const list = byId('engine-turns');
    if (!opener || !list) return;
    opener.append(this.badge);
    if (matchMedia(ROOMY).matches && document.querySelector("[data-study='search']")) {
      /** @type {HTMLElement} */ (byId('drawer-engine')).hidden = false;
      opener.setAttribute('aria-expanded', 'true');
    }
    document.addEventListener('visibilitychange', () => this.follow());
    const show = (/** @type {Event} */ { target }) => this.preview(target instanceof Element ? target.closest('li') : null);
    const rest = () => this.preview(this.pressed);
    list.addEventListener('pointerover', (event) => event.pointerType === 'mouse' && show(event));
    list.addEventListener('pointerleave', rest);
    list.addEventListener('focusin', show);
    list.addEventListener('focusout', rest);
    // a move that is being made is not hidden by the line
    for (const kind of ['pointerover', 'focusin']) document.addEventListener(kind, ({ target }) => this.pressed && target instanceof Element && target.closest('#felt, #cards, #acts') && this.press(null));
  }

  /** Search the position on the board once it stays there; show what is known of it. */
  follow() {
    clearTimeout(this.timer);
    const { at, searches } = this.place;
    if (this.running && (document.hidden || at !== this.searched)) this.stop('', true);
    if (at !== this.searched) this.present(at);
    const wanted = this.searches && searches && this.hooks.now().mine && !document.hidden;
    if (wanted && !this.running && !this.answers.get(at)?.last) this.timer = window.setTimeout(() => void this.search(), REST);
  }

  async search() {
    clearTimeout(this.timer);
    const round = ++this.round;
    const { at } = this.place;
    this.searched = at;
    this.searching(true);
    await this.stopping;
    for (let answer = this.answers.get(at); !answer?.last && round === this.round;) {
      const { ok, status, data } = await send(`${this.api}/search`, { at, effort: answer ? answer.effort + 1 : 0 });
      if (round !== this.round) return;
      if (!ok) { // another page of this person searches now, or no search is allowed
        this.stop(status === 409 ? this.words['study.stopped'] : data.detail, false, false);
        return;
      }
      answer = data;
      this.answers.set(at, data);
      this.tell(data);
    }
    if (round === this.round) this.searching(false);
  }

  /** End the search. @param {string} [text] why @param {boolean} [goesOn] with the next position @param {boolean} [tells] the server */
  stop(text = '', goesOn = false, tells = true) {
    this.searches = goesOn;
    this.round += 1;
    this.searching(false);
    this.state(text);
    if (tells) this.stopping = send(`${this.api}/stop`);
  }

  /** Another position is on the board: show what was found of it before, if anything. @param {number} at */
  present(at) {
    this.searched = at;
    this.press(null);
    const answer = this.answers.get(at);
    if (answer) return this.tell(answer);
    for (const id of ['engine-bars', 'engine-turns']) byId(id)?.replaceChildren();
    this.badge.hidden = true;
  }

  /** Show the turn of a line on the board. @param {HTMLElement | null} row */
  preview(row) {
    const found = row && this.answers.get(this.searched)?.turns.find(({ turn }) => turn === row.dataset.turn);
    this.hooks.preview(found ? found.steps.map((step) => ({ ...step, ghosts: step.ghosts.map((/** @type {any} */ packed) => packed && ghostOf(packed)) })) : null);
  }

  /** Keep the turn of a line on the board, or let it go. @param {HTMLElement | null} row */
  press(row) {
    this.pressed = row === this.pressed ? null : row;
    for (const button of document.querySelectorAll("[data-study='look']")) button.setAttribute('aria-pressed', String(button.closest('li') === this.pressed));
    this.preview(this.pressed);
    if (this.pressed && matchMedia(PHONE).matches) byId('felt')?.scrollIntoView({ block: 'start' });
  }

  /** @param {boolean} on */
  searching(on) {
    this.running = on;
    for (const [what, hidden] of /** @type {const} */ ([['search', on], ['stop', !on]])) {
      const button = /** @type {HTMLButtonElement | null} */ (document.querySelector(`[data-study='${what}']`));
      if (!button) continue;
      const focused = document.activeElement === button;
      button.hidden = hidden;
      if (hidden && focused) /** @type {HTMLElement | null} */ (document.querySelector(`[data-study='${what === 'search' ? 'stop' : 'search'}']`))?.focus();
    }
    this.state(on ? this.words['study.thinking'] ?? '' : '');
  }

  /** @param {string} text */
  state(text) {
    const line = byId('engine-state');
    if (line) line.textContent = text;
  }

  /** Show what a round has found. Lines that stay keep what is open and focused in them. @param {Answer} answer */
  tell({ expected, turns }) {
    byId('engine-bars')?.replaceChildren(...expected.map((share, seat) => this.bar(seat, share)));
    this.badge.textContent = percent(expected[this.hooks.now().seat] ?? 0);
    this.badge.hidden = false;
    const list = byId('engine-turns');
    const focused = document.activeElement;
    const rows = turns.map((found) => {
      const old = [...list?.children ?? []].find((row) => row instanceof HTMLElement && row.dataset.turn === found.turn);
      return this.fill(/** @type {HTMLElement} */ (old ?? this.row()), found);
    });
    if (rows.length !== list?.children.length || rows.some((row, k) => row !== list?.children[k])) list?.replaceChildren(...rows);
    if (focused instanceof HTMLElement && list?.contains(focused)) focused.focus({ preventScroll: true });
    if (this.pressed && !rows.includes(this.pressed)) this.press(null);
  }

  /** @param {number} seat @param {number} share */
  bar(seat, share) {
    const { names, colours } = this.hooks.now();
    const row = make('div', `study-bar seat-${colours[seat]}`);
    const meter = make('div', 'meter');
    const part = make('span', '');
    part.style.width = `${100 * share}%`;
    meter.append(part);
    meter.role = 'meter';
    meter.ariaLabel = `${this.words['study.expected']}: ${names[seat] ?? ''}`;
    meter.ariaValueNow = String(Math.round(100 * share));
    row.append(make('span', '', names[seat]), meter, make('output', '', percent(share)));
    return row;
  }

  /** A line without its words. */
  row() {
    const row = make('li', '');
    const details = make('details', '');
    details.append(make('summary', '', this.words['study.details']), make('p', 'how'), make('p', 'how'));
    row.append(this.button('look', 'line'), details, this.button('line', 'btn s', this.words['study.add']));
    return row;
  }

  /** @param {string} study @param {string} name @param {string} [text] */
  button(study, name, text) {
    const button = /** @type {HTMLButtonElement} */ (make('button', name, text));
    button.type = 'button';
    button.dataset.study = study;
    return button;
  }

  /** Write what was found into a line. @param {HTMLElement} row @param {Found} found */
  fill(row, { turn, visits, expected, line, told }) {
    const [first = '', ...later] = told ?? line;
    const { names, seat } = this.hooks.now();
    const [look, details, add] = /** @type {HTMLElement[]} */ ([...row.children]);
    const [, shares, follows] = details?.children ?? [];
    row.dataset.turn = turn;
    look?.replaceChildren(make('output', '', percent(expected[seat] ?? 0)), make('span', '', first));
    look?.setAttribute('aria-pressed', String(row === this.pressed));
    const counted = (this.words['study.simulations'] ?? '').replace('#n', visits.toLocaleString('en'));
    if (shares) shares.textContent = `${expected.map((share, k) => `${names[k]} ${percent(share)}`).join(', ')} · ${counted}`;
    if (follows) follows.textContent = told ? `${later.slice(0, SHOWN).join(' ')}${later.length > SHOWN ? ' …' : ''}` : later.join(' · ');
    if (add) add.dataset.line = JSON.stringify(line);
    return row;
  }
}

/** @param {number} share */
const percent = (share) => `${Math.round(100 * share)} %`;

/** @param {string} tag @param {string} name @param {string} [text] */
function make(tag, name, text = '') {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.textContent = text;
  return element;
}
