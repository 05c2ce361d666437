import { arrive } from './arrive.ts';
import { carry } from './carry.ts';
import { watch } from './early.ts';
import { fillBoxes } from './fill.ts';
import { quiet } from './quiet.ts';
import { restoreTyped } from './typed.ts';
import { importers, root, scan, wake } from './wake.ts';

importers.react = () => import('./react.ts');
importers.shared = () => import('./root.ts');

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
