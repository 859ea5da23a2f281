// The pointer over the board: hovering, clicking, the wheel, two fingers, a long press.
import { clickable } from './choose.js';
import { distance } from './lay.js';

/** @typedef {import('./turn.js').Turn} Turn */

const TOUCH_SLOP = 22;
const TWIST = 0.45; // radians of a two-finger turn to the next variant
const WHEEL = 40;
const LONG_PRESS = 550; // milliseconds
const RESTS = 2; // pixels within which a pointer has not moved: clicks are told in whole pixels, moves in parts of them

export class Pointer {
  /** @param {Turn} turn */
  constructor(turn) {
    this.turn = turn;
    /** Is the next click to be ignored, since it ends a drag, a turn of two fingers or a long press? */
    this.spent = false;
    this.pressed = 0;
    this.wheel = 0;
    /** @type {Map<number, {x: number, y: number, startX: number, startY: number}>} */
    this.fingers = new Map();
    this.twist = 0;
    this.listen();
  }

  listen() {
    const { host, stage, cards } = this.turn.board;
    let frame = 0;
    for (const root of [host, cards]) {
      root.addEventListener('pointermove', (event) => {
        if (event.pointerType === 'touch') return this.finger(event);
        this.turn.pointer = { x: event.clientX, y: event.clientY };
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(() => {
          // browsers repeat the last move when the page was laid out anew: a hint stays on show until the pointer really moves
          if (!this.turn.suggested() || distance(this.turn.hintedAt, this.turn.pointer) >= RESTS) this.hover(event.clientX, event.clientY);
        });
      });
      // a finger moves the dragged thing and not the page; decided here, before the page begins to scroll
      root.addEventListener('touchmove', (event) => {
        const drags = this.turn.drag.held && event.timeStamp >= this.turn.drag.held.from && event.touches.length === 1;
        // two fingers turn what can be turned; else they zoom
        if ((drags || (this.turn.twists && event.touches.length === 2)) && event.cancelable) event.preventDefault();
      }, { passive: false });
      // a pointer does not take the keyboard focus away: arrow keys go on looking back
      root.addEventListener('mousedown', (event) => {
        if (root === host || (event.target instanceof Element && event.target.closest('.can'))) event.preventDefault();
      });
      root.addEventListener('pointerleave', () => { cancelAnimationFrame(frame); this.turn.unhover(); });
      root.addEventListener('pointerdown', (event) => {
        this.turn.touch = event.pointerType === 'touch';
        this.turn.byKey = false;
        if (this.fingers.size === 0) this.spent = false;
        this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY });
        this.twist = 0;
        this.turn.drag.grab(event);
        clearTimeout(this.pressed);
        if (this.turn.touch && this.fingers.size === 1) this.pressed = window.setTimeout(() => this.explain(event.clientX, event.clientY), LONG_PRESS);
      });
      root.addEventListener('click', (event) => {
        if (event.detail === 0 || this.spent) return; // made by a key: handled there
        if (event.target instanceof Element && event.target.closest('[data-action], [data-steps], [data-redraft], [data-target], [data-act]')) return; // a button of the drawing
        if (event.target instanceof Element && event.target.closest('.turns') && this.turn.turn(1)) return;
        if (!this.turn.touch && this.turn.suggested()) {
          // a pointer that rests where it was when the hint came: what a click would do there is shown before it is done
          cancelAnimationFrame(frame);
          this.hover(event.clientX, event.clientY);
          if (distance(this.turn.hintedAt, { x: event.clientX, y: event.clientY }) < RESTS && !this.turn.suggested()) return;
        }
        const known = clickable(this.turn.levels, this.turn.at, this.turn.picked);
        const { board } = this.turn;
        const slop = this.turn.touch && !board.place(event.clientX, event.clientY) && !board.amid(event.clientX, event.clientY) ? TOUCH_SLOP : 0;
        const found = this.turn.board.hit(event.clientX, event.clientY, known, slop);
        if (root === host && !found.length && !this.turn.paused && this.turn.places().length) return this.turn.lay(event.clientX, event.clientY);
        if (root === host && found[0] && this.turn.touch && this.turn.hooks.lens(board.side(found[0]), { x: event.clientX, y: event.clientY })) return;
        const ids = found.length ? found : this.turn.board.named(event.clientX, event.clientY);
        const where = { x: event.clientX, y: event.clientY };
        if (!this.turn.paused && (found.length || (root === host && this.turn.levels.length) || ids.length)) this.turn.press(ids, where);
        else void this.turn.hooks.explains(where);
      });
      root.addEventListener('focusin', (event) => {
        const id = event.target instanceof Element ? `el:${event.target.id}` : '';
        this.turn.focused = id;
        if (event.target instanceof Element && event.target.matches(':focus-visible')) this.turn.look([id]);
        this.turn.refresh();
      });
      root.addEventListener('focusout', () => { this.turn.focused = ''; this.turn.hovered = null; this.turn.refresh(); });
      root.addEventListener('keydown', (event) => this.turn.keys.key(event));
    }
    addEventListener('pointermove', (event) => this.turn.drag.pull(event));
    for (const kind of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      addEventListener(kind, (event) => {
        this.fingers.delete(event.pointerId);
        clearTimeout(this.pressed);
        if (this.turn.drag.held?.pointer === event.pointerId) this.turn.drag.release(kind === 'pointerup' ? event : null);
      });
    }
    host.addEventListener('contextmenu', (event) => {
      // a finger that rests asks what a thing is
      if (this.turn.touch || this.pencil(event.clientX, event.clientY)) event.preventDefault();
    });
    stage.addEventListener('focus', () => { if (stage.matches(':focus-visible')) this.turn.begin(); });
    stage.addEventListener('blur', () => { if (this.turn.hovered && !this.turn.isSet()) this.turn.unhover(); });
    stage.addEventListener('keydown', (event) => { if (event.target === stage) this.turn.keys.steer(event); });
    stage.addEventListener('wheel', (event) => {
      if (event.ctrlKey || !this.turn.levels.length) return;
      this.wheel += event.deltaY;
      if (Math.abs(this.wheel) < WHEEL) return event.preventDefault();
      if (this.turn.turn(Math.sign(this.wheel))) event.preventDefault();
      this.wheel = 0;
    }, { passive: false });
    addEventListener('resize', () => this.turn.refresh());
  }

  /** A finger rests: what lies there explains itself. @param {number} x @param {number} y */
  explain(x, y) {
    if (this.turn.drag.held?.moving) return;
    this.turn.drag.held = null;
    this.spent = true;
    void this.turn.hooks.explains({ x, y });
  }

  /** Make a note on the piece at a point of the window, if there is one. @param {number} x @param {number} y */
  pencil(x, y) {
    const id = this.turn.hooks.pencil && !this.turn.paused ? this.turn.board.piece(x, y) : '';
    if (!id) return false;
    this.turn.drag.held = null;
    this.spent = true;
    this.turn.hooks.pencil?.(id.slice(3), { x, y });
    return true;
  }

  /** The same for what has the keyboard, else for what lies under the pointer. */
  pencilHere() {
    const focused = this.turn.focused ? this.turn.board.centre(this.turn.focused) : null;
    const { x, y } = focused ?? this.turn.pointer;
    return x >= 0 && this.pencil(x, y);
  }

  /** Two fingers that turn round each other turn the ghost. @param {PointerEvent} event */
  finger(event) {
    const own = this.fingers.get(event.pointerId);
    if (!own || this.fingers.size !== 2) return;
    const other = [...this.fingers.entries()].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return;
    const before = Math.atan2(own.y - other.y, own.x - other.x);
    own.x = event.clientX;
    own.y = event.clientY;
    let change = Math.atan2(own.y - other.y, own.x - other.x) - before;
    if (change > Math.PI) change -= 2 * Math.PI;
    if (change < -Math.PI) change += 2 * Math.PI;
    this.twist += change;
    if (Math.abs(this.twist) > TWIST) {
      this.turn.turn(Math.sign(this.twist));
      this.twist = 0;
      this.spent = true;
    }
  }

  /** @param {number} x @param {number} y */
  hover(x, y) {
    if (this.turn.paused || this.turn.drag.held?.moving || !this.turn.levels.length || document.elementFromPoint(x, y)?.closest('.turns, .handle')) return;
    const ids = this.turn.board.hit(x, y, clickable(this.turn.levels, this.turn.at, this.turn.picked), 0);
    if (ids.length || !this.turn.board.over(x, y) || !this.turn.places().length) {
      this.turn.hanging = null;
      return this.turn.look(ids);
    }
    if (!this.turn.isSet()) this.turn.follow(x, y);
  }
}
