import { beforeEach, expect, it, vi } from 'vitest';
import type { PixelSettings } from '../../../../worker/http/page-kind.ts';
import { everyNetwork, networkNames } from '../../../every-network.ts';
import { fakeBrowser } from '../../browser.ts';

const loaded: string[] = [];
vi.mock('../../../../islands/vendors/load-script.ts', () => ({
  loadScript: async (source: string) => {
    if (source.includes('tiktok')) throw new Error('blocked');
    loaded.push(source);
  },
}));

beforeEach(() => {
  vi.resetModules();
  loaded.length = 0;
});
const purchase = {
  price: 39.99,
  currency: 'USD',
  plan: 'monthly_usd',
  sub_id: 'sub_1',
  event_id: 'e1',
};

/** The contents of the pixels' queues after a purchase. */
async function run(settings: Partial<PixelSettings>, suffix = '') {
  const { window } = fakeBrowser({ local: new Map(), cookie: 'consent=3.yes' });
  Object.assign(document, { body: { dataset: {} } });
  const { queuePixelPurchase } = await import(
    '../../../../islands/runtime/tracking/pixel-purchases.ts'
  );
  const { pixelsOf, runPixel } = await import('../../../../islands/vendors/ads/index.ts');
  queuePixelPurchase(purchase);
  const pixels = pixelsOf({ vendors: '', suffix, ...settings }, 'one_pager');
  for (const pixel of [...pixels, ...pixels]) await runPixel(pixel);
  return window as {
    fbq?: { queue: unknown[][]; disablePushState: boolean };
    ttq?: unknown[];
    dataLayer?: IArguments[];
    clarity?: { q: unknown[][] };
  };
}

it('pixels: every network has one', async () => {
  fakeBrowser({});
  const { pixelsOf } = await import('../../../../islands/vendors/ads/index.ts');
  expect(pixelsOf(everyNetwork, 'one_pager')).toHaveLength(networkNames.length);
});

it('pixels: Meta receives purchases, and all automatic tracking is off', async () => {
  const { fbq } = await run({ meta: '1' });
  const track = { ...purchase, pixelName: 'Purchase', value: 39.99 };
  const data = { ...track, content_ids: ['monthly_usd'], content_type: 'product' };
  const call = ['trackSingle', '1', 'Purchase', data, { eventID: 'e1' }];
  expect(fbq?.queue.filter(([verb]) => verb === 'trackSingle')).toEqual([call]);
  expect(fbq?.queue.slice(0, 2)).toEqual([
    ['set', 'autoConfig', false, '1'],
    ['init', '1'],
  ]);
  expect(fbq?.disablePushState).toBe(true);
});

it('pixels: Google receives consent first, and a conversion where a label is set', async () => {
  const { dataLayer = [] } = await run({ google: { ads: 'AW-1', label: 'l' } }, '_test');
  const commands = dataLayer.map((command) => Array.from(command));
  expect(commands[0]?.slice(0, 2)).toEqual(['consent', 'default']);
  expect(commands.filter(([verb]) => verb === 'event')).toEqual([
    [
      'event',
      'purchase_test',
      {
        ...purchase,
        pixelName: 'purchase_test',
        transaction_id: 'e1',
        value: 39.99,
        items: [{ item_id: 'monthly_usd', price: 39.99, quantity: 1 }],
        send_to: ['AW-1'],
      },
    ],
    [
      'event',
      'conversion',
      { send_to: 'AW-1/l', value: 39.99, currency: 'USD', transaction_id: 'e1' },
    ],
  ]);
  expect(Object.prototype.toString.call(dataLayer[0])).toBe('[object Arguments]');
});

it('pixels: Google receives the four signals before it loads, and is told of their withdrawal', async () => {
  const google = { ads: 'AW-1', label: 'l' };
  const { dataLayer = [] } = await run({ google });
  const signals = (state: string) => ({
    ad_storage: state,
    ad_user_data: state,
    ad_personalization: state,
    analytics_storage: state,
  });
  expect([...(dataLayer[0] ?? [])]).toEqual(['consent', 'default', signals('granted')]);
  const { pixelsOf } = await import('../../../../islands/vendors/ads/index.ts');
  const [pixel] = pixelsOf({ vendors: '', suffix: '', google }, 'one_pager');
  pixel?.withdraw?.();
  expect([...(dataLayer.at(-1) ?? [])]).toEqual(['consent', 'update', signals('denied')]);
});

it('pixels: a blocked pixel keeps its purchase pending', async () => {
  const { ttq } = await run({ tiktok: 'T' });
  expect(ttq).toHaveLength(0);
  const { takePendingPixelPurchases } = await import(
    '../../../../islands/runtime/tracking/pixel-purchases.ts'
  );
  expect(takePendingPixelPurchases('tiktok')).toHaveLength(1);
});

it('pixels: the heatmap masks text and skips the last screen', async () => {
  await run({ heatmap: 'h' });
  expect(document.body.dataset).toEqual({ clarityMask: 'True' });
  const { pixelsOf } = await import('../../../../islands/vendors/ads/index.ts');
  expect(pixelsOf({ vendors: '', suffix: '', heatmap: 'h' }, 'success')).toEqual([]);
});

it('pixels: the heatmap receives consent before it loads, and is told of its withdrawal', async () => {
  const { clarity } = await run({ heatmap: 'h' });
  const signalled = () => clarity?.q.filter(([verb]) => verb === 'consentv2').at(-1);
  const both = (storage: string) => ({ ad_Storage: storage, analytics_Storage: storage });
  expect(signalled()).toEqual(['consentv2', both('granted')]);
  const { pixelsOf } = await import('../../../../islands/vendors/ads/index.ts');
  const [pixel] = pixelsOf({ vendors: '', suffix: '', heatmap: 'h' }, 'one_pager');
  pixel?.withdraw?.();
  expect(signalled()).toEqual(['consentv2', both('denied')]);
});

it('pixels: load from the vendor, or from the fakes in development', async () => {
  await run({ meta: '1', appsflyer: 'k' });
  await run({ vendors: '/fakes', meta: '1' });
  expect([...new Set(loaded)]).toEqual([
    'https://connect.facebook.net/en_US/fbevents.js',
    'https://websdk.appsflyer.com/?st=pba',
    '/fakes/connect.facebook.net/en_US/fbevents.js',
  ]);
});

it('pixels: none load before consent, none remain after its withdrawal', async () => {
  const { document } = fakeBrowser({ local: new Map(), main: { storage: 'memory' } });
  const pollers: (() => void)[] = [];
  const addEventListener = (name: string, listener: () => void) =>
    name === 'visibilitychange' && pollers.push(listener);
  Object.assign(document, { addEventListener, body: { dataset: {} } });
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('history', { state: { depth: 2 } });
  const { $consent } = await import('../../../../islands/stores/consent.ts');
  const { startPixels } = await import('../../../../islands/vendors/ads/index.ts');
  startPixels(JSON.stringify({ vendors: '', suffix: '', meta: '1', heatmap: 'h' }));
  expect(loaded).toEqual([]);
  document.cookie = 'consent=3.yes';
  $consent.setKey('choice', 'yes');
  expect([loaded.length, reload.mock.calls.length]).toEqual([2, 0]);
  document.cookie = 'consent=3.no';
  $consent.setKey('choice', 'no');
  expect([loaded.length, reload.mock.calls.length]).toEqual([2, 1]);
  const { clarity } = window as { clarity?: { q: unknown[][] } };
  expect(clarity?.q.map(([, command]) => command)).toEqual([
    { ad_Storage: 'granted', analytics_Storage: 'granted' },
    { ad_Storage: 'denied', analytics_Storage: 'denied' },
  ]);
  expect(JSON.parse(window.name)).toMatchObject({ depth: 2 });
  // A choice made in another tab takes effect as soon as this tab becomes visible.
  document.cookie = 'consent=3.yes';
  for (const listener of pollers) listener();
  document.cookie = 'consent=3.no';
  for (const listener of pollers) listener();
  expect([loaded.length, reload.mock.calls.length]).toEqual([4, 2]);
});

async function openWithCookies() {
  vi.useFakeTimers();
  const { document } = fakeBrowser({ local: new Map(), cookie: 'consent=3.yes' });
  const { awaitAdCookies } = await import('../../../../islands/vendors/ads/index.ts');
  const { attribution } = await import('../../../../islands/runtime/tracking/attribution.ts');
  return { document, awaitAdCookies, attribution };
}

it('ad cookies: are polled every 500 ms and stored', async () => {
  const { document, awaitAdCookies, attribution } = await openWithCookies();
  awaitAdCookies(['ttp', 'appsflyer_id']);
  document.cookie += '; _ttp=t1';
  vi.advanceTimersByTime(499);
  document.cookie += '; afUserId=a1';
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
  expect(attribution('')).toEqual({ appsflyer_id: 'a1', user_data: { ttp: 't1' } });
});

it('ad cookies: polling ends after ten seconds, and at once without ad consent', async () => {
  const { document, awaitAdCookies, attribution } = await openWithCookies();
  awaitAdCookies(['ttp']);
  vi.advanceTimersByTime(9499);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
  awaitAdCookies(['ttp']);
  document.cookie = 'consent=3.no; _ttp=t1';
  vi.advanceTimersByTime(500);
  expect(vi.getTimerCount()).toBe(0);
  expect(attribution('').user_data).toEqual({});
});
