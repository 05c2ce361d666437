import { setFlow } from '../../stores/app.ts';
import { setFlowType } from '../../stores/plans.ts';
import { saveSession } from '../../stores/session.ts';
import { prefetchNext } from '../navigation/prefetch.ts';
import { navigationHooks } from '../navigation/visit-hooks.ts';
import { startTracking } from '../tracking/start-tracking.ts';
import './default-policy.ts';
import { reportFailure, unmount } from './mount-island.ts';
import { pageData } from './page-data.ts';
import { scheduleIslands } from './scheduler.ts';
import { whenIdle } from './triggers.ts';

const isPrivate = () => pageData().kind === 'private';

navigationHooks.removed = unmount;
/** A browser that lacks something here still gets its islands. */
function start(job: () => void): void {
  try {
    job();
  } catch (error) {
    void reportFailure(error);
  }
}

if (typeof document !== 'undefined') {
  start(saveSession);
  if (!isPrivate()) start(startTracking);
}

export function startScreen(main: Element): void {
  scheduleIslands(main);
  whenIdle().then(prefetchNext);
}

export { switchLanguage } from '../navigation/switch-language.ts';
export { hydrate } from './scheduler.ts';

export function startPage(): void {
  scheduleIslands(document);
  if (isPrivate()) return;
  const { flow = '', pixels } = pageData();
  setFlow(flow);
  setFlowType(flow);
  prefetchNext();
  if (pageData().kind === 'payment')
    import('../../account/after-signup.ts').then(
      (after) => after.prepareOnPayment(),
      () => {},
    );
  const isBlocked = () => {};
  import('../tracking/web-vitals.ts').then(({ watchVitals }) => watchVitals(), isBlocked);
  if (pixels) {
    import('../../vendors/ads/index.ts').then(({ startPixels }) => startPixels(pixels), isBlocked);
  }
}
