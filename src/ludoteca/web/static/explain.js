// What things are: a bubble beside a thing of the board, a card or a panel, by hover, long press, a click that is no move, or a key.
import { neighbour } from './board.js';
import { announce } from './tools.js';

/** What the server says of a thing. @typedef {{element: string, title: string, text: string, rules: string, pencil: string}} About */
/** A thing of the page: the name by which it is asked for. @typedef {{name: string, element: Element}} Thing */
/** @typedef {{x: number, y: number}} Point */
/**
 * @typedef {object} Hooks
 * @property {(elements: string[]) => Promise<About | null>} ask
 * @property {() => string} stamp of all that answers depend on
 * @property {(why: string) => string} rule the address of the rule that a refusal tells, '' for none
 * @property {() => boolean} closed is there nothing to explain now?
 * @property {() => boolean} holding is something held, so that hovering means laying it?
 * @property {(id: string, at: Point) => void} pencil make a note on a thing
 * @property {Record<string, string>} words
 */

const RESTS = 600; // milliseconds that a pointer rests on a thing before the thing explains itself
const LATER = 1500; // the same where a click would play something: its effect is shown first
const LEAVES = 260; // milliseconds from the pointer's leaving to the bubble's closing: the pointer may be on its way into the bubble
const MOST = 8; // names that are asked for at once
const WITHIN = 0.4; // how large, compared with the thing that is hit, a thing drawn on it may be
const ALONE = 16000; // square pixels of the largest thing that is found although it takes no clicks
const GAP = 10; // pixels between a thing and its bubble
const EDGE = 8; // between the bubble and the window's edge
const ROOTS = '#drawing, #cards, #players, #acts';
const NAMED = '[data-about], [id]';

/** The name under which a thing is asked for; a disabled button has one of its own and says why it is disabled. @param {Element} element */
const nameOf = (element) => (/** @type {HTMLElement | SVGElement} */ (element).dataset.about ?? element.id) + (element.matches('button:disabled') ? '-off' : '');

/** @param {DOMRect} box @param {Point} at */
const holds = (box, { x, y }) => box.width > 0 && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

/** How much of one box another one covers. @param {{left: number, right: number, top: number, bottom: number}} a @param {DOMRect} b */
const overlap = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

export class Explain {
  /** @param {Hooks} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    /** Answers, as long as nothing changes. @type {Map<string, Promise<About | null>>} */
    this.known = new Map();
    this.stamp = '';
    /** The thing that the bubble stands beside. @type {Thing | null} */
    this.shown = null;
    /** How the explanation was asked for. @type {'hover' | 'click' | 'key'} */
    this.by = 'hover';
    this.why = '';
    /** On what a note can be made, '' for nothing. */
    this.pencil = '';
    /** What had the keyboard before. @type {Element | null} */
    this.before = null;
    this.asked = 0;
    /** The button on which a finger has rested. @type {Element | null} */
    this.held = null;
    /** Was the bubble pressed? A finger that has rested lifts where it stands now, and does not mean it. */
    this.pressed = false;
    this.timer = 0;
    this.leaving = 0;
    /** @type {Element | null} */
    this.over = null;
    this.pointer = { x: -1, y: -1 };
    this.bubble = this.make();
    this.listen();
  }

  make() {
    const make = (/** @type {string} */ name, /** @type {string} */ id, /** @type {Record<string, string>} */ more = {}) => {
      const element = document.createElement(name);
      if (id) element.id = id;
      for (const [key, value] of Object.entries(more)) element.setAttribute(key, value);
      return element;
    };
    const { words } = this.hooks;
    const bubble = make('section', 'about', { class: 'explain', tabindex: '-1', hidden: '', 'aria-labelledby': 'about-title', 'aria-describedby': 'about-text' });
    const rules = make('a', 'about-rules', { target: '_blank' });
    const note = make('button', 'about-note', { type: 'button' });
    rules.textContent = words.aboutRules ?? '';
    note.textContent = words.aboutNote ?? '';
    const foot = make('footer', '');
    foot.append(rules, note);
    const text = make('div', 'about-text');
    text.append(make('p', ''), make('p', '', { class: 'why' }));
    bubble.append(make('h3', 'about-title'), text, foot);
    document.body.append(make('div', 'about-ring', { class: 'about-ring', 'aria-hidden': 'true', hidden: '' }), bubble);
    return bubble;
  }

  /** @param {string} id */
  part(id) {
    return /** @type {HTMLElement} */ (this.bubble.querySelector(`#${id}`));
  }

  listen() {
    document.addEventListener('pointermove', (event) => {
      if (event.pointerType === 'touch') return;
      this.pointer = { x: event.clientX, y: event.clientY };
      const target = event.target instanceof Element ? event.target : null;
      if (this.bubble.contains(target)) return clearTimeout(this.leaving);
      const root = target?.closest(ROOTS);
      // under the button that opens a player's strip there are things that can be meant, too
      const near = target?.closest(NAMED) ?? null;
      const over = !root ? null : near === root ? this.things(this.pointer)[0]?.element ?? null : near;
      if (this.shown && this.by !== 'key' && !this.near()) this.leave();
      if (over === this.over) return;
      this.over = over;
      clearTimeout(this.timer);
      if (over && event.buttons === 0) this.timer = window.setTimeout(() => this.rest(), over.closest('.can') ? LATER : RESTS);
    });
    document.addEventListener('pointerleave', (event) => {
      if (event.pointerType === 'touch') return; // a finger that is lifted leaves, too
      clearTimeout(this.timer);
      this.over = null;
      if (this.by !== 'key') this.leave();
    });
    document.addEventListener('pointerdown', (event) => {
      clearTimeout(this.timer);
      this.held = null;
      this.pressed = event.target instanceof Node && this.bubble.contains(event.target);
      if (this.pressed) return;
      this.close();
      // a finger that rests on a button asks what it does
      const button = event.pointerType === 'touch' && event.target instanceof Element ? event.target.closest('#acts [data-about]') : null;
      if (button) this.timer = window.setTimeout(() => { this.held = button; void this.show(this.up(button), 'click'); }, RESTS);
    }, true);
    document.addEventListener('pointercancel', () => this.lifted(null), true);
    document.addEventListener('pointerup', (event) => this.lifted(event), true);
    document.addEventListener('focusin', (event) => this.focused(event));
    document.addEventListener('focusout', (event) => { if (this.shown?.element === event.target && this.by === 'hover') this.close(false); });
    document.addEventListener('click', (event) => this.clicked(event), true);
    document.addEventListener('scroll', (event) => { if (this.shown && event.target instanceof Node && !this.bubble.contains(event.target)) this.close(); }, { capture: true, passive: true });
    addEventListener('resize', () => this.close());
    document.getElementById('players')?.parentElement?.addEventListener('click', (event) => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.detail && target?.closest('#players') && !target.closest('summary, button, a')) void this.point({ x: event.clientX, y: event.clientY });
    });
    this.bubble.addEventListener('focusout', (event) => {
      if (!(event.relatedTarget instanceof Node && this.bubble.contains(event.relatedTarget)) && document.hasFocus()) this.close(false);
    });
    this.bubble.addEventListener('click', (event) => {
      // a click on the bubble closes it, unless it is on a link or text was selected
      if (!this.pressed && event.detail) return event.preventDefault();
      if (event.target instanceof Element && !event.target.closest('a, button') && !getSelection()?.toString()) this.close();
    });
    this.bubble.addEventListener('keydown', (event) => this.steer(event));
    this.part('about-note').addEventListener('click', () => {
      const { shown } = this;
      const box = shown?.element.getBoundingClientRect();
      this.close();
      if (shown && box) this.hooks.pencil(this.pencil, { x: box.left + box.width / 2, y: box.top + box.height / 2 });
    });
  }

  // ---- which thing is meant

  /** The things at a point, the smallest first: what lies there, and what is drawn on it but takes no clicks. @param {Point} at @returns {Thing[]} */
  things(at) {
    /** @type {Set<Element>} */
    const found = new Set();
    /** @type {Element | null} */
    let root = null;
    for (const hit of document.elementsFromPoint(at.x, at.y)) {
      const within = hit.closest(ROOTS);
      if (!within || (root && within !== root)) continue;
      root = within;
      for (let element = hit.closest(NAMED); element && element !== root && root.contains(element); element = element.parentElement?.closest(NAMED) ?? null) {
        // a card explains itself by its heading
        if (!element.matches('.info') || hit.closest('.info > header')) found.add(element);
      }
    }
    if (!root) return [];
    const size = (/** @type {Element} */ element) => { const box = element.getBoundingClientRect(); return box.width * box.height; };
    const least = Math.min(...[...found].filter((element) => !element.matches('.info')).map(size));
    const most = Number.isFinite(least) ? least * WITHIN : ALONE;
    if (root.id !== 'players') for (const element of root.querySelectorAll(NAMED)) if (!found.has(element) && holds(element.getBoundingClientRect(), at) && size(element) < most) found.add(element);
    return [...found].map((element) => ({ name: nameOf(element), element, size: size(element) })).sort((a, b) => a.size - b.size).slice(0, MOST);
  }

  /** The thing that an element of the page is, and those that it lies in. @param {Element} element @returns {Thing[]} */
  up(element) {
    const root = element.closest(ROOTS);
    const found = [];
    for (let at = element.closest(NAMED); root && at && at !== root && root.contains(at); at = at.parentElement?.closest(NAMED) ?? null) found.push({ name: nameOf(at), element: at });
    return found;
  }

  // ---- what the server says

  /** The explanation of the first of these things that has one; asked for once as long as nothing changes. @param {Thing[]} things @returns {Promise<About | null>} */
  async ask(things) {
    const stamp = this.hooks.stamp();
    if (stamp !== this.stamp) this.known.clear();
    this.stamp = stamp;
    const names = things.map(({ name }) => name);
    const key = names.join(' ');
    const answer = this.known.get(key) ?? this.hooks.ask(names);
    this.known.set(key, answer);
    const about = await answer;
    if (!about) this.known.delete(key);
    return about;
  }

  /** What lies at a point. @param {Point} at */
  async about(at) {
    const things = this.hooks.closed() ? [] : this.things(at);
    return things.length ? this.ask(things) : null;
  }

  // ---- showing

  /** The pointer rests. */
  async rest() {
    const { over } = this;
    if (this.hooks.closed() || (this.hooks.holding() && !over?.closest('#acts')) || (this.shown && this.by === 'key')) return;
    const things = this.things(this.pointer);
    if (things.length && over) await this.show(things, 'hover', '', () => this.over === over);
  }

  /** Explain what lies at a point, and why a click there was no move. @param {Point} at @param {string} [why] @returns {Promise<boolean>} whether there is anything to say */
  async point(at, why = '') {
    clearTimeout(this.timer);
    const things = this.hooks.closed() ? [] : this.things(at);
    return things.length > 0 && this.show(things, 'click', why);
  }

  /** Explain what has the keyboard, else what lies under the pointer, else the first thing. @returns {Promise<boolean>} */
  async key() {
    if (this.hooks.closed()) return false;
    const active = document.activeElement;
    const things = active?.closest(ROOTS) ? this.up(active) : this.things(this.pointer);
    const first = this.all()[0];
    return things.length || first ? this.show(things.length ? things : first ? [first] : [], 'key') : false;
  }

  /**
   * @param {Thing[]} things @param {'hover' | 'click' | 'key'} by @param {string} [why] @param {() => boolean} [still] is it still wanted when the answer is there?
   * @returns {Promise<boolean>}
   */
  async show(things, by, why = '', still = () => true) {
    const turn = ++this.asked;
    const about = await this.ask(things);
    const thing = about && things.find(({ name }) => name === about.element);
    if (turn !== this.asked || !still() || this.hooks.closed()) return Boolean(thing);
    if (!about || !thing || !thing.element.isConnected) return false;
    this.close(false, false);
    this.shown = thing;
    this.by = by;
    this.why = why;
    this.fill(about, why);
    this.place(thing.element);
    thing.element.setAttribute('aria-describedby', 'about-text');
    if (by === 'key') {
      this.before ??= document.activeElement;
      this.bubble.focus({ preventScroll: true });
    } else if (by === 'click') announce([about.title, about.text, why].join('. ').replace(/\.\./g, '.'));
    return true;
  }

  /** @param {About} about @param {string} why */
  fill(about, why) {
    const [text, reason] = this.part('about-text').children;
    const whole = (/** @type {string} */ words) => words.replace(/(?<=\d)-(?=\d)/g, '\u2011'); // names such as 2-5-2 stay on one line
    this.part('about-title').textContent = whole(about.title);
    if (text) text.textContent = whole(about.text);
    if (reason instanceof HTMLElement) {
      reason.textContent = why;
      reason.hidden = !why;
    }
    const rules = /** @type {HTMLAnchorElement} */ (this.part('about-rules'));
    const href = (why && this.hooks.rule(why)) || about.rules; // a refusal leads to its own rule
    rules.hidden = !href;
    rules.href = href;
    this.pencil = about.pencil;
    this.part('about-note').hidden = !about.pencil;
    this.bubble.classList.toggle('quiet', this.by === 'hover');
    this.bubble.setAttribute('role', this.by === 'key' ? 'dialog' : 'tooltip');
    this.bubble.hidden = false;
  }

  /** Put the bubble beside a thing: within the window, not over the thing, and over as few things as possible that can be chosen. @param {Element} element */
  place(element) {
    const box = element.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.bubble;
    const bar = document.querySelector('.drawers');
    const bottom = bar && getComputedStyle(bar).position === 'fixed' ? bar.getBoundingClientRect().top : innerHeight;
    const across = Math.max(EDGE, Math.min(box.left + box.width / 2 - width / 2, innerWidth - width - EDGE));
    const down = Math.max(EDGE, Math.min(box.top + box.height / 2 - height / 2, bottom - height - EDGE));
    const places = [[box.right + GAP, down], [box.left - GAP - width, down], [across, box.bottom + GAP], [across, box.top - GAP - height]];
    const boxes = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)].filter((one) => !one.contains(element)).map((one) => one.getBoundingClientRect());
    const busy = boxes('.can, #acts > *, #overlay .ghost-symbol, #overlay .gains');
    const others = boxes('#drawing :is([role], .piece)[id]');
    let best = [across, down];
    let least = Infinity;
    for (const [left = 0, top = 0] of places) {
      const own = { left, top, right: left + width, bottom: top + height };
      if (left < EDGE || top < EDGE || own.right > innerWidth - EDGE || own.bottom > bottom - EDGE) continue;
      const cost = busy.reduce((sum, one) => sum + 3 * overlap(own, one), 0) + others.reduce((sum, one) => sum + overlap(own, one), 0);
      if (cost < least) [best, least] = [[left, top], cost];
    }
    const ring = /** @type {HTMLElement} */ (document.getElementById('about-ring'));
    ring.hidden = this.by === 'hover';
    for (const [side, length] of Object.entries({ left: box.left - 3, top: box.top - 3, width: box.width + 6, height: box.height + 6 })) ring.style.setProperty(side, `${length.toFixed(1)}px`);
    this.bubble.style.left = `${Math.round(best[0] ?? 0)}px`;
    this.bubble.style.top = `${Math.round(best[1] ?? 0)}px`;
  }

  /** The page has changed: an open explanation is asked for anew, or closed if its thing is gone. */
  refresh() {
    if (!this.shown) return;
    const { name, element } = this.shown;
    const again = element.isConnected ? element : document.getElementById(name);
    if (!again || !again.getBoundingClientRect().width) return void this.close();
    if (this.by !== 'key' && this.hooks.stamp() !== this.stamp) void this.show([{ name, element: again }], this.by, '', () => this.shown !== null);
    else this.place(again);
  }

  /** Is the pointer on the thing that is explained? */
  near() {
    return Boolean(this.shown && holds(this.shown.element.getBoundingClientRect(), this.pointer));
  }

  /** A button that has the keyboard explains itself when it keeps it. @param {FocusEvent} event */
  focused(event) {
    const button = event.target instanceof Element && event.target.matches(':focus-visible') ? event.target.closest('#acts [data-about]') : null;
    if (!button) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => { if (document.activeElement === button) void this.show(this.up(button), 'hover', '', () => document.activeElement === button); }, LATER);
  }

  /** A disabled button gets no click: it says why it is disabled. @param {PointerEvent | null} event */
  lifted(event) {
    if (this.held) return;
    clearTimeout(this.timer);
    if (event?.target instanceof Element && event.target.closest('#acts button:disabled')) void this.point({ x: event.clientX, y: event.clientY });
  }

  /** The click after a finger has rested on a button presses nothing. @param {MouseEvent} event */
  clicked(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (this.held && target?.closest('#acts')) {
      event.preventDefault();
      event.stopPropagation();
    }
    this.held = null;
  }

  leave() {
    clearTimeout(this.leaving);
    this.leaving = window.setTimeout(() => { if (this.shown && this.by !== 'key' && !this.near() && !this.bubble.matches(':hover')) this.close(); }, LEAVES);
  }

  /** @param {boolean} [back] give the keyboard back @param {boolean} [forget] nothing that is on its way is shown @returns {boolean} whether it was open */
  close(back = true, forget = true) {
    if (forget) this.asked++;
    clearTimeout(this.leaving);
    if (!this.shown) return false;
    this.shown.element.removeAttribute('aria-describedby');
    this.shown = null;
    const { before } = this;
    if (forget) this.before = null;
    const inside = this.bubble.contains(document.activeElement);
    if (!inside || forget) this.bubble.hidden = true;
    /** @type {HTMLElement} */ (document.getElementById('about-ring')).hidden = true;
    if (back && inside) {
      const { activeElement } = document; // hidden, it would keep the keyboard until the next frame
      if ((before instanceof HTMLElement || before instanceof SVGElement) && before.isConnected && before !== document.body) before.focus({ preventScroll: true });
      else if (activeElement instanceof HTMLElement) activeElement.blur();
    }
    return true;
  }

  // ---- from thing to thing with the keyboard

  /** All things that can be seen. @returns {(Thing & Point)[]} */
  all() {
    const found = [...document.querySelectorAll('#drawing :is([role][id], [data-about], .piece[id]), #cards :is([role][id], [data-about]), #players [data-about], #acts [data-about]')];
    return found.flatMap((element) => {
      const box = element.getBoundingClientRect();
      const x = box.left + box.width / 2;
      const y = box.top + box.height / 2;
      return box.width && element.checkVisibility() && x > 0 && y > 0 && x < innerWidth && y < innerHeight ? [{ name: nameOf(element), element, x, y }] : [];
    });
  }

  /** @param {KeyboardEvent} event */
  async steer(event) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (event.key === 'Tab' || event.key === 'Enter' || event.key === ' ') return event.stopPropagation();
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === '?' || event.key === 'i') {
      event.preventDefault();
      return void this.close();
    }
    if ((!dx && !dy) || !this.shown) return;
    event.preventDefault();
    const box = this.shown.element.getBoundingClientRect();
    let from = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    const points = this.all().filter(({ name }) => name !== this.shown?.name).map((thing) => ({ ...thing, item: thing }));
    for (let next = neighbour(from, points, dx ?? 0, dy ?? 0); next; next = neighbour(from, points, dx ?? 0, dy ?? 0)) {
      if (await this.show([next], 'key')) return;
      from = next;
    }
  }
}
