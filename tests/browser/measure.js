// What lies wrong on a page as it is drawn: outside the window, over something else, cut off, too small to hit. Run in the page;
// answers with sentences. Inside drawings only the size of text is measured.
() => {
  const found = new Set();
  const phone = innerWidth <= 760;
  const target = phone ? 44 : 24;
  const slack = 1.5;
  const told = (element) => {
    const words = (element.getAttribute('aria-label') || element.textContent || '').trim().replace(/\s+/g, ' ').slice(0, 40);
    return `<${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ''}.${[...element.classList].join('.')}> ${words}`;
  };
  const seen = (element) => {
    const style = getComputedStyle(element);
    if (!element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) return false;
    if (style.visibility !== 'visible' || Number(style.opacity) === 0 || style.clipPath.startsWith('inset(50%')) return false;
    return !element.closest('.unseen, .skip, [aria-hidden=true].toast, #bubble, .symbols');
  };
  // what an element shows of itself: its box, cut by the ancestors that cut; scrolled away is not cut
  const shown = (element, box) => {
    let { left, top, right, bottom } = box;
    let scrolls = false;
    for (let up = element.parentElement; up; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.position === 'fixed' && !scrolls) break;
      if (!/auto|scroll|hidden|clip/.test(style.overflowX + style.overflowY) || up === document.body || up === document.documentElement) continue;
      const shortened = up.matches('#happened .said') && style.webkitLineClamp !== 'none'; // whole under the pointer, the focus, and in the log
      const room = up.getBoundingClientRect();
      if (/auto|scroll/.test(style.overflowY)) scrolls = true;
      if (!scrolls && !shortened) {
        if (left < room.left - slack || right > room.right + slack || top < room.top - slack || bottom > room.bottom + slack) found.add(`cut by ${told(up)}: ${told(element)}`);
      }
      left = Math.max(left, room.left); top = Math.max(top, room.top); right = Math.min(right, room.right); bottom = Math.min(bottom, room.bottom);
    }
    return { left, top, right, bottom, scrolls };
  };
  const pieces = [];
  const walk = (element) => {
    if (element instanceof SVGElement) return;
    const style = getComputedStyle(element);
    if (style.display === 'none' || element.closest('[inert]')) return;
    if (/^(BUTTON|A|INPUT|SELECT|SUMMARY)$/.test(element.tagName) && seen(element)) {
      const box = element.getBoundingClientRect();
      if (box.width && box.height) {
        const covers = element.matches('.open'); // lies over its line on purpose
        const inline = element.tagName === 'A' && getComputedStyle(element).display === 'inline'; // it may go over two lines
        pieces.push({ element, boxes: covers ? [] : inline ? [...element.getClientRects()] : [box], all: box, kind: 'control' });
        // the coach's button takes in the space over it; test_hints.py taps there
        const hit = element.closest('.switch')?.getBoundingClientRect() ?? box; // all of its label switches it
        if (!inline && (hit.width < target - slack || hit.height < target - slack) && !element.closest('.log, .coach')) found.add(`smaller than ${target}: ${told(element)} ${Math.round(box.width)}x${Math.round(box.height)}`);
      }
    }
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE && child.textContent.trim() && seen(element)) {
        const range = document.createRange();
        range.selectNodeContents(child);
        const boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
        if (!boxes.length || parseFloat(style.fontSize) === 0) continue;
        if (parseFloat(style.fontSize) < 11) found.add(`text of ${style.fontSize}: ${told(element)}`);
        if (style.textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth + 1) found.add(`cut by an ellipsis: ${told(element)}`);
        pieces.push({ element, boxes, all: range.getBoundingClientRect(), kind: 'text' });
      }
    }
    for (const child of element.children) walk(child);
  };
  // what a drawing refers to is there: the page takes symbols from its template when they come into sight
  for (const element of document.querySelectorAll('svg *')) {
    for (const name of ['href', 'fill', 'stroke', 'clip-path', 'filter', 'mask']) {
      const id = (name === 'href' ? /^#(.+)/ : /url\(#([\w-]+)\)/).exec(element.getAttribute(name) ?? '')?.[1];
      if (id && !document.getElementById(id)) found.add(`no ${name} ${id}`);
    }
  }
  // words in drawings are as legible as others; on a wide window there is room for what is printed on pieces in their own size
  for (const text of phone || innerHeight <= 520 ? document.querySelectorAll('.table-page svg text') : []) {
    if (!text.textContent.trim() || !seen(text) || !text.getBoundingClientRect().width) continue;
    const m = text.getScreenCTM();
    const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(m.b, m.a);
    if (size < 10.9) found.add(`text of ${size.toFixed(1)}px in a drawing: ${text.textContent.slice(0, 24)} of ${text.closest('[id]')?.id ?? ''}`);
  }
  // words in drawings are not cut off, and keep to the plate on which they are written: the last rectangle before them
  for (const text of document.querySelectorAll('.table-page svg text')) {
    const box = text.getBoundingClientRect();
    if (!text.textContent.trim() || !box.width || !seen(text)) continue;
    const said = `${text.textContent.slice(0, 32)} of ${text.closest('[id]')?.id ?? ''}`;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const out = (room) => box.left < room.left - 2 || box.right > room.right + 2;
    if (getComputedStyle(text.ownerSVGElement).overflow !== 'visible' && out(text.ownerSVGElement.getBoundingClientRect())) found.add(`cut off in a drawing: ${said}`);
    for (let before = text.previousElementSibling; before; before = before.previousElementSibling) {
      const plate = before.tagName === 'rect' ? before.getBoundingClientRect() : null;
      if (!plate || x < plate.left || x > plate.right || y < plate.top || y > plate.bottom) continue;
      if (out(plate)) found.add(`wider than its plate: ${said}`);
      break;
    }
  }
  const dialog = document.querySelector('dialog[open]'); // what lies behind it cannot be reached
  walk(dialog ?? document.body);
  if (document.documentElement.scrollWidth > innerWidth) {
    const widest = [...document.querySelectorAll('body *')].filter((one) => !(one instanceof SVGElement && one.ownerSVGElement) && one.getBoundingClientRect().right > innerWidth + slack).map(told);
    found.add(`the page is ${document.documentElement.scrollWidth} wide: ${widest.slice(-2).join(', ')}`);
  }
  if (!phone && document.documentElement.scrollHeight > innerHeight && document.body.classList.contains('table-page')) found.add('the page is too high');
  // what lies in one layer must not overlap; asked once for each piece, not for each pair
  const pinned = (element) => { for (let up = element; up && up !== document.body; up = up.parentElement) if (getComputedStyle(up).position === 'fixed') return up; return null; };
  const layer = (element) => pinned(element) ?? element.closest('dialog[open], .drawer:not([hidden]), .recap:not([hidden]), .table-card, .curtain, .drawers, #since, .toast, #net, .pencil');
  const visible = [];
  for (const piece of pieces) {
    const part = shown(piece.element, piece.all);
    if (part.right - part.left < 1 || part.bottom - part.top < 1) continue; // scrolled away
    if (part.left < -slack || part.right > innerWidth + slack) found.add(`outside: ${told(piece.element)}`);
    if (!phone && !part.scrolls && document.body.classList.contains('table-page') && (part.top < -slack || part.bottom > innerHeight + slack)) found.add(`below or above: ${told(piece.element)}`);
    visible.push({ ...piece, part, layer: layer(piece.element) });
  }
  for (let i = 0; i < visible.length; i++) {
    for (let j = i + 1; j < visible.length; j++) {
      const [a, b] = [visible[i], visible[j]];
      if (a.layer !== b.layer || a.part.right <= b.part.left || b.part.right <= a.part.left || a.part.bottom <= b.part.top || b.part.bottom <= a.part.top) continue;
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      const hit = a.boxes.some((one) => b.boxes.some((two) => {
        const wide = Math.min(one.right, two.right, a.part.right, b.part.right) - Math.max(one.left, two.left, a.part.left, b.part.left);
        const high = Math.min(one.bottom, two.bottom, a.part.bottom, b.part.bottom) - Math.max(one.top, two.top, a.part.top, b.part.top);
        return wide > 3 && high > 3;
      }));
      if (hit) found.add(`over each other: ${told(a.element)} and ${told(b.element)}`);
    }
  }
  return [...found];
}
