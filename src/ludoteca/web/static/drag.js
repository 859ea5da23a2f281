// Dragging: a thing is taken at one place and dropped at another.
import { resolve, reachable } from './choose.js';
import { snap } from './lay.js';

/** @typedef {import('./turn.js').Turn} Turn */
/** @typedef {import('./lay.js').Place} Place */

const TOUCH_SLOP = 11;
const DRAG = 6; // pixels after which a press is a drag
const SNAP = 0.8; // of a place's size: within this distance a dragged thing snaps to the place
const HOLD = 170; // milliseconds after which a finger drags a thing that lies beside the board; before, it scrolls the page
const ABOVE = 62; // pixels by which what a finger drags lies above it

export class Drag {
  /** @param {Turn} turn */
  constructor(turn) {
    this.turn = turn;
    /**
     * What is being dragged, and where it may go: ids with the step of the draft at which they would be chosen. A thing that is
     * `laid` on a point: how far its middle is from the pointer in pixels, and where it lay before.
     * @type {{id: string, pointer: number, x: number, y: number, moving: boolean, first: boolean, ends: Map<string, number>,
     *         end: string, from: number, laid: {dx: number, dy: number, before: Place | null} | null} | null}
     */
    this.held = null;
  }

  /** What is dragged from a point of the window, if anything can be. @param {PointerEvent} event */
  grab(event) {
    this.letGo();
    const { clientX: x, clientY: y } = event;
    if (this.turn.paused || !this.turn.levels.length || this.turn.pointing.fingers.size > 1 || event.button !== 0) return;
    const drag = { id: '', pointer: event.pointerId, x, y, moving: false, first: true, ends: new Map(), end: '', from: 0 };
    const before = this.turn.isSet() ? this.turn.place() : null;
    if (before && this.turn.board.onGhost(x, y)) {
      const middle = this.turn.board.pixels(before);
      this.held = { ...drag, laid: { dx: middle.x - x, dy: middle.y - y, before } };
      return;
    }
    const starts = this.turn.levels.flatMap(({ actions }) => actions.flatMap(({ targets }) => (targets.length > 1 ? [targets[0] ?? ''] : [])));
    const slop = this.turn.touch ? TOUCH_SLOP : 0;
    let id = this.turn.board.hit(x, y, new Set(starts), slop)[0] ?? '';
    const first = Boolean(id);
    if (!id && this.turn.hooks.redrafts) {
      // a thing that a step of the draft has put there
      const laid = this.turn.levels.flatMap((level) => level.actions.filter((action) => action.name === level.chosen).flatMap(({ targets }) => targets.slice(-1)));
      const found = this.turn.board.hit(x, y, new Set(laid), 0)[0];
      const piece = this.turn.board.piece(x, y);
      if (found || this.turn.board.element(piece)?.matches('.movable')) id = piece || (found ?? '');
    }
    if (!id) return;
    const laid = this.turn.places([id], this.turn.open).length ? { dx: 0, dy: this.turn.touch ? -ABOVE : 0, before: null } : null;
    const from = this.turn.touch && !this.turn.board.onBoard(id) ? event.timeStamp + HOLD : 0; // by the finger's clock: a busy page hears of it late
    this.held = { ...drag, id, first, ends: reachable(this.turn.levels, id), from, laid };
  }

  /** Drag on. @param {PointerEvent} event */
  pull(event) {
    const drag = this.held;
    if (!drag || event.pointerId !== drag.pointer) {
      const finger = this.turn.pointing.fingers.get(event.pointerId);
      if (finger && Math.hypot(event.clientX - finger.startX, event.clientY - finger.startY) > DRAG) clearTimeout(this.turn.pointing.pressed);
      return;
    }
    const { clientX: x, clientY: y } = event;
    if (this.turn.pointing.fingers.size > 1 || this.turn.paused) return this.letGo();
    const begins = !drag.moving;
    if (begins) {
      if (Math.hypot(x - drag.x, y - drag.y) <= DRAG) return;
      if (event.timeStamp < drag.from) return this.letGo(); // the page scrolls
      drag.moving = true;
      clearTimeout(this.turn.pointing.pressed);
      this.turn.pointing.spent = true;
      if (drag.laid) {
        if (drag.id) {
          this.turn.drop();
          this.turn.picked = [drag.id];
        }
        document.body.classList.add('carrying');
      }
    }
    if (drag.laid) {
      const at = { x: x + drag.laid.dx, y: y + drag.laid.dy };
      const place = this.turn.board.over(at.x, at.y) ? snap(this.turn.places(), this.turn.board.units(at.x, at.y), this.turn.lies, this.turn.board.reach) : null;
      this.turn.showAt(place, at);
      return;
    }
    if (begins) {
      if (drag.first) {
        const pick = resolve(this.turn.levels, this.turn.open, [], [drag.id]);
        this.turn.at = pick?.level ?? this.turn.open;
        this.turn.picked = [drag.id];
      } else {
        this.turn.drop();
      }
      this.turn.variant = null;
      this.turn.given = false;
      this.turn.hovered = null;
      const piece = this.turn.board.element(drag.id)?.matches('.piece') ? drag.id : this.turn.board.piece(drag.x, drag.y) || drag.id;
      this.turn.board.dragged = this.turn.board.copy(piece);
      this.turn.board.host.classList.add('dragging');
      this.turn.refresh();
    }
    const end = this.snap(x, y);
    if (this.turn.board.dragged) {
      const from = this.turn.board.units(drag.x, drag.y);
      const to = this.turn.board.units(x, y);
      this.turn.board.dragged.setAttribute('transform', `translate(${(to.x - from.x).toFixed(1)} ${(to.y - from.y).toFixed(1)})`);
      this.turn.board.dragged.setAttribute('class', end ? 'dragged snapped' : 'dragged');
    }
    if (end === drag.end) return;
    drag.end = end;
    this.turn.hovered = end ? { level: drag.ends.get(end) ?? this.turn.open, picked: [drag.id, end], again: false } : null;
    this.turn.refresh();
  }

  /** The place to which what is dragged would go from a point. @param {number} x @param {number} y */
  snap(x, y) {
    const ends = this.held?.ends ?? new Map();
    const under = this.turn.board.hit(x, y, new Set(ends.keys()), 0)[0];
    if (under) return under;
    if (this.turn.board.place(x, y)) return ''; // it can be laid on a point here
    let best = '';
    let least = Infinity;
    for (const id of ends.keys()) {
      const rect = this.turn.board.element(id)?.getBoundingClientRect();
      if (!rect || !rect.width) continue;
      const distance = Math.hypot(rect.x + rect.width / 2 - x, rect.y + rect.height / 2 - y) / Math.max(rect.width, rect.height);
      if (distance < SNAP && distance < least) [best, least] = [id, distance];
    }
    return best;
  }

  /** Drop what is dragged. @param {PointerEvent | null} event null: it was broken off */
  release(event) {
    const drag = this.held;
    const place = drag?.laid ? this.turn.place() : null;
    this.letGo();
    if (!drag?.moving) return;
    if (drag.laid) {
      if (event && place) return this.turn.put(place);
      const { before } = drag.laid;
      if (before) {
        this.turn.picked = [...before.action.targets];
        this.turn.variant = before.action;
      } else if (!event || !this.turn.board.over(event.clientX, event.clientY)) this.turn.drop();
      return this.turn.refresh();
    }
    const where = event && { x: event.clientX, y: event.clientY };
    if (where && drag.end) {
      this.turn.at = drag.ends.get(drag.end) ?? this.turn.open;
      this.turn.picked = [drag.id];
      void this.turn.press([drag.end], where);
      return;
    }
    const to = where ? this.turn.board.named(where.x, where.y).filter((id) => id !== drag.id) : [];
    this.turn.drop();
    this.turn.refresh();
    if (to.length && this.turn.hooks.redrafts) void this.turn.refuse([drag.id, ...to.slice(0, 1)], where, !drag.first);
  }

  /** What is dragged goes back where it was. @returns {boolean} whether anything was dragged */
  cancel() {
    if (!this.held?.moving) return false;
    this.release(null);
    return true;
  }

  /** Nothing is dragged any more. */
  letGo() {
    const moving = this.held?.moving;
    this.held = null;
    if (!moving) return;
    document.body.classList.remove('carrying');
    this.turn.hanging = null;
    this.turn.board.dragged = null;
    this.turn.board.host.classList.remove('dragging');
    this.turn.hovered = null;
    this.turn.refresh();
  }
}
