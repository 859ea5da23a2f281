// The browser keeps the shell of the pages (worker.js) where that is possible: on https, and on this computer itself. Elsewhere, and
// where it is not allowed, pages work without it.
if ('serviceWorker' in navigator) {
  addEventListener('load', () => navigator.serviceWorker.register('/worker.js', { updateViaCache: 'none' }).catch(() => {}));
}
