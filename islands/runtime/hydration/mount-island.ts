import { type ComponentType, createElement, type ReactNode, startTransition } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { stayed } from '../navigation/stayed.ts';
import { reportError } from '../tracking/report-error.ts';
import { rememberInput } from './carry-input.ts';
import { setHtml } from './trusted-types.ts';
import { useOnHydrate } from './use-on-hydrate.ts';

export const reportFailure = (error: unknown) =>
  stayed().then(() => reportError('island_failed', { type: (error as Error).name }));
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
