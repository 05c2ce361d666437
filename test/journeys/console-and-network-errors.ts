import type { BrowserContext, Page, Route } from 'playwright-core';
import type { Fakes } from '../fakes/index.ts';
import { networkHosts } from '../fakes/networks/server.ts';
import { strangerIn } from './unknown-scripts.ts';

const elsewhere = /^(?!(https?:\/\/127\.0\.0\.1[:/]|data:|blob:|about:))/;
const vendors = [
  'js.stripe.com',
  'api.stripe.com',
  'accounts.google.com',
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
  // Admitted by our policy only where a deployment has them.
  ...networkHosts,
];

/** An answer that the visit is about, though browsers call it an error. */
export interface Expected {
  url: RegExp;
  /** HTTP status; `aborted` when the request never arrives, `offline` when it never leaves. */
  answer: number | 'aborted' | 'offline';
}

const signs = { aborted: 'net::ERR_FAILED', offline: 'net::ERR_INTERNET_DISCONNECTED' };

/** What a visit must not show. */
export interface Watch {
  /** Everything that went wrong, each as a sentence. */
  faults: string[];
  /** The layout shifts of each screen: their sum, and what moved from where to where. */
  shifts: Map<string, { by: number; moved: string[] }>;
  expected: Expected[];
}

/**
 * Told to the page before any of its own code runs: reports each shift that no touch explains. The
 * browser excuses half a second after a touch; here it is the 30 frames which that is on a machine
 * with time, so that a busy one is given more.
 */
function observeShifts() {
  if (window !== top) return;
  const touches: { from: number; to: number }[] = [];
  const onTouch = ({ timeStamp: from }: Event) => {
    const touch = { from, to: Number.POSITIVE_INFINITY };
    touches.push(touch);
    let frames = 30;
    const onFrame = (now: number) => {
      frames -= 1;
      if (frames > 0) requestAnimationFrame(onFrame);
      else touch.to = now;
    };
    requestAnimationFrame(onFrame);
  };
  for (const type of ['pointerdown', 'pointerup', 'keydown']) addEventListener(type, onTouch, true);
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
      const { disturbed } = document.documentElement.dataset;
      if (disturbed && at >= Number(disturbed)) continue;
      if (entry.hadRecentInput || touches.some(({ from, to }) => from <= at && at <= to)) continue;
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

/** From now on a test moves the page about: what shifts is its own doing. */
export const disturb = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.documentElement.dataset.disturbed ??= String(performance.now());
  });

/** Told to the page likewise: whatever our policies refuse, or only report, a visitor would be without. */
function observeRefusals() {
  if (window !== top) return;
  const { refused } = window as unknown as { refused: (what: string) => void };
  addEventListener('securitypolicyviolation', (event) => {
    const { disposition, effectiveDirective, blockedURI, sample } = event;
    // braintree-web's inline-iframe.js writes Cardinal's HTML; a payment page only reports that.
    if (disposition === 'report' && sample?.includes('<iframe id="Cardinal-')) return;
    refused([disposition, effectiveDirective, blockedURI, sample].join(' '));
  });
}

/** Hands the vendors' addresses to the fakes; any other host outside this machine is a fault. */
async function outside(route: Route, fakes: Fakes, faults: string[]): Promise<void> {
  const request = route.request();
  const { hostname, href } = new URL(request.url());
  if (!vendors.includes(hostname)) {
    faults.push(`asked the unexpected address ${href}`);
    return route.abort();
  }
  const sent = request.postDataBuffer() ?? Buffer.alloc(0);
  const answer = await fakes.fetch({
    url: href,
    method: request.method(),
    headers: Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':')),
    arrayBuffer: async () => new Uint8Array(sent).buffer,
  });
  await route.fulfill({
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: Buffer.from(await answer.arrayBuffer()),
  });
}

/** Watches all that a browser context does, from before its first page. */
export async function watch(context: BrowserContext, fakes: Fakes): Promise<Watch> {
  const faults: string[] = [];
  const shifts: Watch['shifts'] = new Map();
  const expected: Expected[] = [];
  await context.route(elsewhere, (route) => outside(route, fakes, faults));
  await context.exposeBinding('shifted', (_, screen: string, by: number, what: string) => {
    const before = shifts.get(screen) ?? { by: 0, moved: [] };
    shifts.set(screen, { by: before.by + by, moved: [...before.moved, what] });
  });
  await context.addInitScript(observeShifts);
  await context.exposeBinding('refused', (_, what: string) => {
    faults.push(`our policy refused: ${what}`);
  });
  await context.addInitScript(observeRefusals);
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
  context.on('request', (request) => faults.push(...strangerIn(request)));
  context.on('weberror', (error) => faults.push(`page error: ${error.error()}`));
  return { faults, shifts, expected };
}

/** Everything that a visit showed and must not. */
export function faultsOf({ faults, shifts }: Watch): string[] {
  const moved = [...shifts]
    .filter(([, { by }]) => by >= 0.0005)
    .map(([screen, { by, moved }]) => `${screen} shifted by ${by.toFixed(3)}: ${moved.join('; ')}`);
  return [...faults, ...moved];
}

/** Resolves when no animation of the page runs that has an end. */
export const stillness = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
