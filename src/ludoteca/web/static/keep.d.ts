/** What the service worker keeps: pages/installed.py writes it over worker.js. */
declare const KEEP: {
  /** of the cache, by a digest of all that is kept */
  name: string;
  /** addresses that are kept at once */
  shell: string[];
  /** addresses that are kept when they are first asked for */
  pictures: string[];
  /** address of the page that is shown without network */
  offline: string;
};
