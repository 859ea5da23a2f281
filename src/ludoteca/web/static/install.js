// The browser keeps the shell of the pages (worker.js) where it can: on https, and on this computer itself. Elsewhere, and where it is
// not allowed to, pages work as they do without.
if ('serviceWorker' in navigator) {
  addEventListener('load', () => navigator.serviceWorker.register('/worker.js', { updateViaCache: 'none' }).catch(() => {}));
}
