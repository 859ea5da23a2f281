// The lens: on a small board the stage itself grows round a point, so that all gestures work in it as they do on the board. It
// keeps no history: the browser's way back leads off the page as ever.

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./lay.js').Point} Point */

const TAP = 44; // pixels of the smallest thing that a finger hits
const LEAST = 1.9; // times
const MOST = 4;
const RIM = 12; // pixels of what is outside the lens, at the edge of the board
const ABOVE = 0.3; // of the height: how far down a thing lies whose explanation stands below it
const KEEPS = '#acts, .tray, #about, #pencil, dialog, .drawers'; // pressing these leaves the lens open

export class Lens {
  /** @param {Board} board @param {HTMLElement} felt @param {{closed: () => void, label: string}} hooks */
  constructor(board, felt, { closed, label }) {
    this.board = board;
    this.felt = felt;
    this.closed = closed;
    this.open = false;
    /** What was picked when it opened. */
    this.picked = '';
    this.button = document.createElement('button');
    Object.assign(this.button, { type: 'button', className: 'lens-close', textContent: '×', ariaLabel: label });
    this.button.addEventListener('click', () => this.close());
    document.addEventListener('pointerdown', (event) => {
      if (!this.open || !(event.target instanceof Element) || event.target.closest(KEEPS)) return;
      const box = felt.getBoundingClientRect();
      const inside = event.clientX > box.left + RIM && event.clientX < box.right - RIM && event.clientY > box.top + RIM && event.clientY < box.bottom - RIM;
      if (inside) return;
      this.close();
      // the tap that leaves plays nothing; a finger that scrolls makes no click, and the next one is another's
      if (!felt.contains(event.target)) return;
      const over = new AbortController();
      addEventListener('click', (click) => { click.stopPropagation(); click.preventDefault(); }, { capture: true, once: true, signal: over.signal });
      for (const kind of ['pointerdown', 'pointercancel']) addEventListener(kind, () => over.abort(), { capture: true, once: true, signal: over.signal });
    }, true);
    addEventListener('keydown', (event) => { if (event.key === 'Escape' && this.open) this.close(); }, true);
    addEventListener('resize', () => this.close());
  }

  /**
   * Enlarge what lies round a point of the window.
   * @param {Point} at @param {number} smallest side of the smallest target, in pixels @param {boolean} explained does an explanation
   *        stand below it?
   * @returns {Point} where the point is now
   */
  show(at, smallest, explained) {
    const { board, felt } = this;
    const { stage } = board;
    const unit = board.units(at.x, at.y);
    const room = felt.getBoundingClientRect();
    if (!this.open) {
      const was = stage.getBoundingClientRect();
      const times = Math.max(LEAST, Math.min(MOST, (1.08 * TAP) / smallest));
      felt.append(this.button);
      felt.classList.add('lens');
      this.open = true;
      this.size = { width: was.width * times, height: was.height * times };
      stage.style.width = `${this.size.width}px`;
      stage.style.height = `${this.size.height}px`;
    }
    const size = this.size ?? { width: 0, height: 0 };
    stage.style.left = '0px';
    stage.style.top = '0px';
    const to = board.pixels(unit);
    /** @param {number} here @param {number} wanted @param {number} own @param {number} all */
    const shift = (here, wanted, own, all) => Math.round(Math.min(RIM, Math.max(all - RIM - own, wanted - here)));
    const left = shift(to.x - room.left, room.width / 2, size.width, room.width);
    // what is explained may leave the board's end behind: the explanation lies there
    const top = explained ? Math.round(room.height * ABOVE - (to.y - room.top)) : shift(to.y - room.top, room.height / 2, size.height, room.height);
    stage.style.left = `${left}px`;
    stage.style.top = `${Math.min(RIM, top)}px`;
    const { x, y } = board.pixels(unit);
    return { x, y };
  }

  /** Does a thing of the board lie outside the lens? @param {string} id */
  hides(id) {
    const centre = this.board.onBoard(id) ? this.board.centre(id) : null;
    return centre !== null && !this.board.over(centre.x, centre.y);
  }

  close() {
    if (!this.open) return;
    this.open = false;
    this.felt.classList.remove('lens');
    for (const name of ['width', 'height', 'left', 'top']) this.board.stage.style.removeProperty(name);
    this.button.remove();
    this.closed();
  }
}
