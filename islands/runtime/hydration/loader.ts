import { arrive } from '../navigation/init-history-entry.ts';
import { carry } from '../storage/no-script-cookie.ts';
import { watch } from './event-replay.ts';
import { fillBoxes } from './fill-boxes.ts';
import { restoreTyped } from './restore-form-values.ts';
import { importers, root, scan, wake } from './scheduler.ts';
import { quiet } from './when-idle.ts';

importers.react = () => import('./react-chunk.ts');
importers.shared = () => import('./hydrate-island.ts');

const parsed = new Promise<unknown>((done) => {
  if (document.readyState !== 'loading') done(null);
  else addEventListener('DOMContentLoaded', done);
});

watch((island) => parsed.then(() => wake(island, true)));

parsed.then(() => {
  arrive();
  carry();
  fillBoxes(document);
  restoreTyped();
  scan(document);
  quiet
    .then(() => root())
    .then(({ settle }) => settle())
    .catch(() => {});
});
