import { type ComponentType, createElement, type ReactNode, startTransition } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { setFlow } from '../../stores/app.ts';
import { setFlowType } from '../../stores/plans.ts';
import { saveSession } from '../../stores/session.ts';
import { prefetchNext } from '../navigation/prefetch.ts';
import { stayed } from '../navigation/stayed.ts';
import { hooks } from '../navigation/visit-hooks.ts';
import { reportError } from '../tracking/report-error.ts';
import { startTracking } from '../tracking/start-tracking.ts';
import { rememberInput } from './carry-input.ts';
import './default-policy.ts';
import { pageData } from './page-data.ts';
import { scheduleIslands } from './scheduler.ts';
import { whenIdle } from './triggers.ts';
import { setHtml } from './trusted-types.ts';
import { useOnHydrate } from './use-on-hydrate.ts';

const reportFailure = (error: unknown) =>
  stayed().then(() => reportError('island_failed', { type: (error as Error).name }));

const isPrivate = () => pageData().kind === 'private';

interface Hydrating {
  root: Root;
  /** Ends the wait for an island whose screen was left before it was live. */
  leave: () => void;
}

const roots = new Map<Element, Hydrating>();

interface MarkerProps {
  render: () => void;
  live: () => void;
  children?: ReactNode;
}

function HydrationMarker({ render, live, children }: MarkerProps) {
  render();
  useOnHydrate(live);
  return children;
}

/** React's error for HTML that differs from the component's: https://react.dev/errors/418 */
const isMismatch = (error: unknown) => /\b418\b/.test(String(error));

/**
 * Resolves once `live`, or once its screen is left. If it throws, now or later, its HTML is restored and the promise
 * rejects. React replaces HTML that differs, usually because a translator or a password manager changed it first. What
 * the visitor typed is carried over in both cases.
 */
export function hydrateIsland(
  island: Element,
  component: ComponentType,
  props: object,
): Promise<void> {
  const html = island.innerHTML;
  let isRepeated = false;
  let carryInput = () => {};
  const render = () => {
    // React renders a second time, in the same task, before it replaces the HTML.
    carryInput = rememberInput(island, isRepeated);
    isRepeated = true;
  };
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      setHtml(island, html);
      carryInput();
      island.removeAttribute('live');
      island.setAttribute('failed', '');
      void reportFailure(error);
      reject(error);
    };
    const live = () => {
      carryInput = rememberInput(island, false);
      island.setAttribute('live', '');
      resolve();
    };
    const tree = createElement(HydrationMarker, { render, live }, createElement(component, props));
    // React splits the work of a transition, so that no large island blocks a tap.
    startTransition(() => {
      const root = hydrateRoot(island, tree, {
        onUncaughtError: fail,
        // React reports an island whose screen is left while it hydrates.
        onRecoverableError: (error) => {
          if (!island.isConnected) return;
          carryInput();
          // Journeys fail at this attribute, unless they changed the HTML themselves.
          if (isMismatch(error)) island.setAttribute('rerendered', '');
          else globalThis.reportError?.(error);
        },
      });
      roots.set(island, { root, leave: resolve });
    });
  });
}

export function unmount(within: Element): void {
  for (const [island, { root, leave }] of roots) {
    if (!within.contains(island)) continue;
    root.unmount();
    // The islands of the next screen wait for it.
    leave();
    roots.delete(island);
  }
}

hooks.removed = unmount;
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
