// The pages of rules: the contents mark the section that is being read, and on a phone they fold again when a section was chosen.
import './lobby.js';

const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".contents a[href^='#']")]);
const sections = links.flatMap((link) => {
  const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
  return section ? [{ link, section }] : [];
});
const contents = document.querySelector('.contents');

/** How far below the window's top a heading counts as reached. */
const REACHED = 120;

function mark() {
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const reached = sections.filter(({ section }) => section.getBoundingClientRect().top < REACHED);
  const aimed = sections.find(({ section }) => section.matches(':target'));
  // the last sections may be too short ever to be reached
  const now = atEnd && aimed && aimed.section.getBoundingClientRect().top > 0 ? aimed : reached.at(-1);
  for (const { link } of sections) {
    if (link === now?.link) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  const list = contents?.querySelector('nav');
  if (!now || !list || list.scrollHeight <= list.clientHeight) return;
  const { offsetTop } = now.link;
  if (offsetTop < list.scrollTop || offsetTop > list.scrollTop + list.clientHeight - 40) list.scrollTop = offsetTop - list.clientHeight / 2;
}

let asked = 0;
const later = () => {
  cancelAnimationFrame(asked);
  asked = requestAnimationFrame(mark);
};
addEventListener('scroll', later, { passive: true });
addEventListener('resize', later);
addEventListener('hashchange', later);
contents?.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('a')) contents.removeAttribute('open');
});
/** What a link leads to is shown, also where it is folded away. */
function unfold() {
  const there = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = there?.closest('details:not([open])');
  if (!folded) return;
  folded.setAttribute('open', '');
  there?.scrollIntoView();
}
addEventListener('hashchange', unfold);
unfold();
mark();
document.body.dataset.script = 'ready';
