import { expect } from 'vitest';
import { full, journey } from './run-journey.ts';
import { goToCheckout, payAndFinish } from './walk-flow.ts';

/**
 * Functions that a browser, a web view or an extension may lack, as paths from the window. Outside the full run one
 * visitor lacks all of a group, none of which stands in for another.
 */
const optional: Record<string, string[]> = {
  'messages, words, motion and what is recent': [
    'BroadcastChannel',
    'navigator.sendBeacon',
    'AbortSignal.timeout',
    'AbortSignal.any',
    'structuredClone',
    'crypto.randomUUID',
    'navigator.clipboard',
    'Intl.DisplayNames',
    'Intl.PluralRules',
    'Intl.Collator',
    'document.startViewTransition',
    'Element.prototype.animate',
    'HTMLFormElement.prototype.requestSubmit',
    'Array.prototype.toSorted',
    'Array.prototype.findLast',
    'HTMLDialogElement.prototype.showModal',
    'HTMLElement.prototype.showPopover',
    'HTMLScriptElement.supports',
    'Intl.ListFormat',
    'Intl.RelativeTimeFormat',
    'Intl.Segmenter',
    'navigator.serviceWorker',
    'Object.groupBy',
    'Promise.withResolvers',
    'reportError',
  ],
  'idle time, observers and storage of its own': [
    'requestIdleCallback',
    'scheduler',
    'IntersectionObserver',
    'ResizeObserver',
    'PerformanceObserver',
    'localStorage',
    'sessionStorage',
    'indexedDB',
  ],
};

/** Runs in the page before its own code. */
function remove(paths: string[]) {
  for (const path of paths) {
    const names = path.split('.');
    const name = names.pop() ?? '';
    const find = () =>
      names.reduce<object | undefined>(
        (at, each) => at?.[each as keyof typeof at] as object | undefined,
        window,
      );
    let holder: object | null | undefined = find();
    // An accessor of the window or of `navigator` is on a prototype.
    for (; holder; holder = Object.getPrototypeOf(holder)) Reflect.deleteProperty(holder, name);
    const left = find();
    if (left && name in left) throw new Error(`${path} is still there`);
  }
}
/** Runs in the page: whoever touches a storage gets an error. */
function block(storages: string[]) {
  const get = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  for (const name of storages) Object.defineProperty(window, name, { get });
}

const cases: [title: string, change: typeof remove, paths: string[]][] = [
  ...Object.entries(optional).flatMap(([kind, paths]): [string, typeof remove, string[]][] =>
    full ? paths.map((path) => [path, remove, [path]]) : [[kind, remove, paths]],
  ),
  ['permission to use storage', block, ['localStorage', 'sessionStorage']],
];

journey.for(full ? cases : cases.slice(0, -1))(
  'missing functions: a visitor without %s buys a plan',
  async ([, change, paths], { visitor, server }) => {
    const { page } = visitor;
    await page.addInitScript(change, paths);
    await goToCheckout(visitor);
    await visitor.waitLive('card-form');
    await payAndFinish(visitor);
    expect(await page.locator('x-island[failed]').count()).toBe(0);
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
  },
);
