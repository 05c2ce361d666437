import { initHistory } from '../navigation/init-history-entry.ts';
import { takeNoScriptState } from '../storage/no-script-cookie.ts';
import { captureEarlyEvents } from './event-replay.ts';
import { restoreTyped } from './restore-form-values.ts';
import { hydrate, importers, loadShared, scheduleIslands } from './scheduler.ts';
import { showStoredState } from './show-stored-state.ts';
import { whenPageSettled } from './triggers.ts';

importers.react = () => import('./react-chunk.ts');
importers.shared = () => import('./hydrate-island.ts');

const parsed = new Promise<unknown>((done) => {
  if (document.readyState !== 'loading') done(null);
  else addEventListener('DOMContentLoaded', done);
});

captureEarlyEvents((island) => parsed.then(() => hydrate(island, true)));

parsed.then(() => {
  initHistory();
  takeNoScriptState();
  showStoredState(document);
  restoreTyped();
  scheduleIslands(document);
  whenPageSettled
    .then(() => loadShared())
    .then(({ startWhenIdle: settle }) => settle())
    .catch(() => {});
});
