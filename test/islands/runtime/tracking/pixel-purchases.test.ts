import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

beforeEach(() => vi.resetModules());
const sold = (event_id: string) => ({
  price: 39.99,
  currency: 'USD',
  plan: 'monthly_usd',
  sub_id: 'sub_1',
  event_id,
});

const local = new Map<string, string>();
/** Another document, or tab, of the same browser. */
async function open(cookie = 'consent=3.yes') {
  vi.resetModules();
  fakeBrowser({ local, cookie });
  const { queuePixelPurchase, takePendingPixelPurchases } = await import(
    '../../../../islands/runtime/tracking/pixel-purchases.ts'
  );
  return {
    queuePixelPurchase,
    ids: (pixel: string) => takePendingPixelPurchases(pixel).map(({ event_id }) => event_id),
  };
}

beforeEach(() => local.clear());

it('pixel purchases: each pixel gets each purchase once, across reloads', async () => {
  const { queuePixelPurchase } = await open();
  queuePixelPurchase(sold('e1'));
  queuePixelPurchase(sold('e1'));
  queuePixelPurchase(sold('e2'));
  expect((await open()).ids('meta')).toEqual(['e1', 'e2']);
  for (let reloads = 0; reloads < 50; reloads += 1) expect((await open()).ids('meta')).toEqual([]);
  expect((await open()).ids('tiktok')).toEqual(['e1', 'e2']);
});

it('pixel purchases: nothing is stored without ad consent', async () => {
  (await open('consent=3.no')).queuePixelPurchase(sold('e1'));
  expect((await open('consent=3.yes')).ids('meta')).toEqual([]);
});

it('pixel purchases: carry the click id of the ad', async () => {
  const { queuePixelPurchase } = await open();
  const { mergeAnalyticsData } = await import('../../../../islands/stores/events.ts');
  mergeAnalyticsData({ google_click_id: 'G1', gbraid: 'B1', wbraid: 'W1' });
  queuePixelPurchase(sold('e1'));
  const { takePendingPixelPurchases } = await import(
    '../../../../islands/runtime/tracking/pixel-purchases.ts'
  );
  expect(takePendingPixelPurchases('meta')).toEqual([
    { ...sold('e1'), gclid: 'G1', gbraid: 'B1', wbraid: 'W1' },
  ]);
});
