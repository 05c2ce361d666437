import { initHistory } from '../navigation/init-history-entry.ts';
import { takeNoScriptState } from '../storage/no-script-cookie.ts';
import { captureEarlyEvents, fallBackToBrowser } from './event-replay.ts';
import { loadChunk } from './load-chunk.ts';
import { requestPage } from './request-page.ts';
import { restoreTyped } from './restore-form-values.ts';
import { showStoredState } from './show-stored-state.ts';
import { whenPageSettled } from './triggers.ts';

const once = (type: string) => new Promise((done) => document.addEventListener(type, done));

/** A prerendered page changes nothing before it is shown. */
const ready = (async () => {
  if (document.prerendering) await once('prerenderingchange');
  if (document.readyState === 'loading') await once('DOMContentLoaded');
})();

/** Loads the code that handles a tap and, in parallel, the code that tracks it. */
function loadFirstTouch(urgent: boolean) {
  const firstTouch = loadChunk('first-touch', () => import('./first-touch.ts'), urgent, ready);
  const visit = () => import('../tracking/visit-events.ts');
  loadChunk('visit', visit, urgent, firstTouch).catch(() => {}); // Reported where it is loaded.
  return firstTouch;
}

let touched = false;

captureEarlyEvents(async (owner) => {
  touched = true;
  const firstTouch = loadFirstTouch(true);
  await ready;
  requestPage();
  firstTouch.then(({ answer }) => answer(owner)).catch(() => fallBackToBrowser(owner));
});

ready.then(() => {
  const follows = initHistory();
  takeNoScriptState();
  showStoredState(document);
  restoreTyped();
  // Forces the layout of the page, once.
  if (follows) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  whenPageSettled()
    .then(() => loadFirstTouch(false))
    .then(({ startWhenSettled }) => startWhenSettled(touched))
    .catch(() => {}); // Reported where the chunk is loaded.
});
