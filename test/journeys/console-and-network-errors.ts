import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Fakes } from '../fakes/index.ts';
import { networkHosts } from '../fakes/networks/server.ts';
import { unknownScripts } from './unknown-scripts.ts';
import { openVendorProxy } from './vendor-proxy.ts';

const vendors = [
  'js.stripe.com',
  'api.stripe.com',
  'accounts.google.com',
  'maps.googleapis.com',
  'js.braintreegateway.com',
  'assets.braintreegateway.com',
  'api.sandbox.braintreegateway.com',
  'payments.sandbox.braintree-api.com',
  'cas.static.client.cardinaltrusted.com',
  'cas.client.cardinaltrusted.com',
  'acs.bank.example',
  'www.paypal.com',
  'c.paypal.com',
  'b.stats.paypal.com',
  'checkout.paypal.com',
  'pay.google.com',
  // The policy allows these only if a deployment configures them.
  ...networkHosts,
];

/** An expected response that browsers report as an error. */
export interface Expected {
  url: RegExp;
  /** HTTP status; `aborted`: no response; `offline`: not sent; `logged`: our own log line about it. */
  answer: number | 'aborted' | 'offline' | 'logged';
}

const signs = {
  aborted: 'net::ERR_FAILED',
  offline: 'net::ERR_INTERNET_DISCONNECTED',
  logged: 'TypeError: Failed to fetch',
};

export interface Watch {
  /** All faults as sentences. */
  faults: string[];
  /** Layout shifts per screen: their sum, and what moved from where to where. */
  shifts: Map<string, { by: number; moved: string[] }>;
  expected: Expected[];
}

/**
 * Injected before the page's own code: reports layout shifts that were not caused by a touch. The effects of a
 * touch include the responses to the requests that it starts. Browsers excuse 500 ms after a touch; here it is 30
 * frames, the same time on a fast machine and more on a slow one.
 */
function observeShifts() {
  if (window !== top) return;
  const excused: { from: number; to: number }[] = [];
  const excuse = (from: number) => {
    const period = { from, to: Number.POSITIVE_INFINITY };
    excused.push(period);
    return period;
  };
  const endSoon = (period: { to: number }) => {
    let frames = 30;
    const onFrame = (now: number) => {
      frames -= 1;
      if (frames > 0) requestAnimationFrame(onFrame);
      else period.to = now;
    };
    requestAnimationFrame(onFrame);
  };
  for (const type of ['pointerdown', 'pointerup', 'keydown']) {
    addEventListener(type, ({ timeStamp }) => endSoon(excuse(timeStamp)), true);
  }
  let outside = { to: 0 };
  addEventListener('outside:start', () => {
    outside = excuse(performance.now());
  });
  addEventListener('outside:end', () => endSoon(outside));
  const send = window.fetch;
  window.fetch = (...request) => {
    const response = send(...request);
    if (excused.some(({ to }) => to === Number.POSITIVE_INFINITY)) {
      const period = excuse(performance.now());
      const end = () => endSoon(period);
      response.then(end, end);
    }
    return response;
  };
  const { shifted } = window as unknown as {
    shifted: (screen: string, by: number, what: string) => void;
  };
  const box = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].join(' ');
  const nameOf = ({ node, previousRect, currentRect }: Source) =>
    `${node?.nodeName} ${(node as Element)?.className ?? ''} ${box(previousRect)} → ${box(currentRect)}`;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & Shift)[]) {
      const screen = document.querySelector('main')?.dataset.screen ?? 'a page';
      const { startTime: at } = entry;
      // A document that is being replaced has no root element.
      const disturbed = document.documentElement?.dataset.disturbed;
      if (disturbed && at >= Number(disturbed)) continue;
      if (entry.hadRecentInput || excused.some(({ from, to }) => from <= at && at <= to)) continue;
      shifted(screen, entry.value, entry.sources.map(nameOf).join(', '));
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

interface Source {
  node: Node | null;
  previousRect: DOMRectReadOnly;
  currentRect: DOMRectReadOnly;
}

interface Shift {
  value: number;
  hadRecentInput: boolean;
  sources: Source[];
}

/**
 * Runs something that the page waits for outside itself: a step in the bank's frame or in another tab, or the
 * device's location. The result may move the page.
 */
export async function outside(page: Page, work: () => Promise<void>): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('outside:start')));
  await work();
  await page.evaluate(() => dispatchEvent(new Event('outside:end')));
}

/** From now on the test itself moves the page and changes its HTML. */
export const ignoreLayoutShifts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.documentElement.dataset.disturbed ??= String(performance.now());
  });

/** Injected likewise: records all policy violations, also those that are only reported. */
function observeRefusals() {
  if (window !== top) return;
  const { refused } = window as unknown as { refused: (what: string) => void };
  addEventListener('securitypolicyviolation', (event) => {
    const { disposition, effectiveDirective, blockedURI, sample } = event;
    // braintree-web's inline-iframe.js writes Cardinal's HTML; payment pages only report it.
    if (disposition === 'report' && sample?.includes('<iframe id="Cardinal-')) return;
    refused([disposition, effectiveDirective, blockedURI, sample].join(' '));
  });
}

/** Injected likewise: reports islands whose HTML differed from their component's, unless the test changed it. */
function observeRerendering() {
  if (window !== top) return;
  const { rerendered } = window as unknown as { rerendered: (island: string) => void };
  new MutationObserver((changes) => {
    if (document.documentElement.dataset.disturbed) return;
    for (const { target } of changes) rerendered((target as Element).getAttribute('name') ?? '');
  }).observe(document, { subtree: true, attributeFilter: ['rerendered'] });
}

/** Opens a browser context that is observed from before its first page; the fakes respond for vendors. */
export async function openContext(
  browser: Browser,
  fakes: Fakes,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; seen: Watch }> {
  const faults: string[] = [];
  const proxy = await openVendorProxy(fakes, vendors, (url) => {
    faults.push(`requested the unexpected address ${url}`);
  });
  const context = await browser.newContext({
    ...options,
    proxy: { server: proxy.url, bypass: '127.0.0.1' },
    ignoreHTTPSErrors: true,
  });
  context.on('close', () => proxy.close());
  const shifts: Watch['shifts'] = new Map();
  const expected: Expected[] = [];
  await context.exposeBinding('shifted', (_, screen: string, by: number, what: string) => {
    const before = shifts.get(screen) ?? { by: 0, moved: [] };
    shifts.set(screen, { by: before.by + by, moved: [...before.moved, what] });
  });
  await context.addInitScript(observeShifts);
  await context.exposeBinding('refused', (_, what: string) => {
    faults.push(`our policy refused: ${what}`);
  });
  await context.addInitScript(observeRefusals);
  await context.exposeBinding('rerendered', (_, island: string) => {
    faults.push(`the HTML of ${island} differs from its component’s`);
  });
  await context.addInitScript(observeRerendering);
  const known = (text: string, address: string) =>
    expected.some(({ url, answer }) => {
      const sign = typeof answer === 'number' ? `status of ${answer}` : signs[answer];
      return url.test(address) && text.includes(sign);
    });
  context.on('console', (message) => {
    const { url } = message.location();
    if (message.type() !== 'error' || known(message.text(), url)) return;
    faults.push(`console: ${message.text()} (${url})`);
  });
  context.on('request', (request) => faults.push(...unknownScripts(request)));
  context.on('weberror', (error) => faults.push(`page error: ${error.error()}`));
  return { context, seen: { faults, shifts, expected } };
}

export function errorsOf({ faults, shifts }: Watch): string[] {
  const moved = [...shifts]
    .filter(([, { by }]) => by >= 0.0005)
    .map(([screen, { by, moved }]) => `${screen} shifted by ${by.toFixed(3)}: ${moved.join('; ')}`);
  return [...faults, ...moved];
}

/** Runs in the page. An animation that is not rendered, as in a closed `<details>`, never finishes in Chromium. */
const areAnimationsOver = () =>
  !document.getAnimations().some(({ effect, playState }) => {
    const { target } = effect as KeyframeEffect;
    const ends = effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    return ends && playState === 'running' && target?.checkVisibility();
  });

/** Resolves when no visible finite animation is running. */
export const waitForAnimations = async (page: Page): Promise<void> => {
  await page.waitForFunction(areAnimationsOver);
};
