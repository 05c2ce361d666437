import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

const mocks = vi.hoisted(() => {
  const on: Record<string, (metric: { name: string; value: number }) => void> = {};
  const listen = (name: string) => (report: (typeof on)[string]) => {
    on[name] = report;
  };
  return {
    on,
    onLCP: listen('LCP'),
    onFCP: listen('FCP'),
    onINP: listen('INP'),
    onTTFB: listen('TTFB'),
    onCLS: listen('CLS'),
    nextFrame: async () => {},
    watchNavigationVitals: vi.fn(),
  };
});
vi.mock('web-vitals', () => mocks);
vi.mock('../../../../islands/runtime/navigation/next-frame.ts', () => mocks);
vi.mock('../../../../islands/runtime/tracking/navigation-vitals.ts', () => mocks);

beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.clearAllMocks();
});

async function open() {
  const page = openPage(documentWith(element('main', { 'data-screen': 'intro' })));
  const { deliverTo } = await import('../../../../islands/runtime/tracking/track.ts');
  const { watchVitals } = await import('../../../../islands/runtime/tracking/web-vitals.ts');
  const sent: unknown[] = [];
  deliverTo(({ name, properties }) => sent.push([name, properties]));
  watchVitals();
  const [swap, note] = mocks.watchNavigationVitals.mock.calls[0] ?? [];
  const measure = (name: string, value: number) => mocks.on[name]?.({ name, value });
  return { ...page, sent, swap, note, measure };
}

it('web vitals: sends rounded values once, when the page is left', async () => {
  const { sent, fire, measure } = await open();
  fire('pagehide');
  expect(sent).toEqual([]);
  measure('LCP', 1234.5);
  measure('CLS', 0.123456);
  measure('LCP', 1300.4);
  fire('pagehide');
  fire('pagehide');
  expect(sent).toEqual([['web_vitals', { lcp: 1300, cls: 0.1235, screen_name: 'intro' }]]);
});

it('web vitals: when the page is hidden they are sent one task later', async () => {
  vi.useFakeTimers();
  const { sent, fire, measure, document } = await open();
  fire('visibilitychange');
  await vi.runAllTimersAsync();
  Object.assign(document, { hidden: true });
  fire('visibilitychange');
  measure('INP', 48);
  expect(sent).toEqual([]);
  await vi.runAllTimersAsync();
  expect(sent).toEqual([['web_vitals', { inp: 48, screen_name: 'intro' }]]);
});

it('web vitals: a swapped-in screen has its own values', async () => {
  const { sent, fire, measure, swap, note, document } = await open();
  measure('TTFB', 80);
  const main = document.querySelector('main');
  if (main) main.dataset.screen = 'signup';
  swap();
  await Promise.resolve();
  expect(sent).toEqual([['web_vitals', { ttfb: 80, screen_name: 'intro' }]]);
  // Of the first screen.
  measure('LCP', 5000);
  measure('FCP', 5000);
  note('lcp', 90.6);
  fire('pagehide');
  expect(sent[1]).toEqual(['web_vitals', { cls: 0, lcp: 91, screen_name: 'signup' }]);
});
