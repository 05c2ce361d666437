import { type ComponentType, createElement, type ReactNode } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { setFlow } from '../../stores/app.ts';
import { setFlowType } from '../../stores/plans.ts';
import { handleBack } from '../navigation/back-button.ts';
import { interceptForms } from '../navigation/intercept-forms.ts';
import { prefetchNext } from '../navigation/prefetch.ts';
import { reportError } from '../tracking/report-error.ts';
import { startTracking } from '../tracking/start-tracking.ts';
import { pageData } from './page-data.ts';
import { putBack } from './trusted-types.ts';
import { useOnHydrate } from './use-on-hydrate.ts';

/** On a page that tells nobody anything, and keeps nothing. */
const isPrivate = () => pageData().kind === 'private';

const roots = new Map<Element, Root>();

function Living({ live, children }: { live: () => void; children?: ReactNode }) {
  useOnHydrate(live);
  return children;
}

/**
 * Gives an island's HTML to React. Resolves once the island is committed and marked `live`. One
 * that throws, now or later, is reported, gets its HTML back and is marked `failed`; the promise
 * then rejects.
 */
export function hydrateIsland(
  island: Element,
  component: ComponentType,
  props: object,
): Promise<void> {
  const html = island.innerHTML;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      putBack(island, html);
      island.removeAttribute('live');
      island.setAttribute('failed', '');
      reportError('island_failed', { type: (error as Error).name });
      reject(error);
    };
    const live = () => {
      island.setAttribute('live', '');
      resolve();
    };
    const tree = createElement(Living, { live }, createElement(component, props));
    roots.set(island, hydrateRoot(island, tree, { onUncaughtError: fail }));
  });
}

/** Ends the islands of a part of the page that was taken away. */
export function unmount(within: Element): void {
  for (const [island, root] of roots) {
    if (!within.contains(island)) continue;
    root.unmount();
    roots.delete(island);
  }
}

if (typeof document !== 'undefined') {
  handleBack();
  interceptForms();
  if (!isPrivate()) startTracking();
}

/** What has time until the page is quiet. */
export function startWhenIdle(): void {
  if (isPrivate()) return;
  const { flow = '', pixels } = pageData();
  setFlow(flow);
  setFlowType(flow);
  prefetchNext();
  import('../tracking/web-vitals.ts').then(({ watchVitals }) => watchVitals());
  if (pixels) import('../../vendors/ads/index.ts').then(({ startPixels }) => startPixels(pixels));
}
