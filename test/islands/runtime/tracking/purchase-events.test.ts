import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

beforeEach(() => {
  vi.resetModules();
  fakeBrowser({ main: { screen: 'checkout_v3_tr' } });
});
async function eventsOf(
  tell: (verbs: typeof import('../../../../islands/runtime/tracking/purchase-events.ts')) => void,
) {
  const { deliverTo } = await import('../../../../islands/runtime/tracking/track.ts');
  tell(await import('../../../../islands/runtime/tracking/purchase-events.ts'));
  const events: unknown[] = [];
  deliverTo(({ name, properties, once }) => events.push([name, properties, once]));
  return events;
}

const screen_name = 'checkout_v3_tr';

it('purchase events: a purchase has plan, price, currency and both ids, deduplicated by event id', async () => {
  const paid = {
    kind: 'paid',
    id: 'sub_1',
    event: 'ev_1',
    price: '39.99',
    isProvisional: false,
  } as const;
  const [event] = await eventsOf((verbs) =>
    verbs.trackPurchase('subs_purchase_completed', 'monthly_7d_eur', paid),
  );
  const purchase = {
    plan: 'monthly_7d_eur',
    price: 39.99,
    currency: 'EUR',
    sub_id: 'sub_1',
    event_id: 'ev_1',
  };
  expect(event).toEqual(['subs_purchase_completed', { ...purchase, screen_name }, 'ev_1']);
});

it('purchase events: a purchase is stored for the pixels and in the events slice', async () => {
  fakeBrowser({ local: new Map(), cookie: 'consent=3.yes' });
  const { trackPurchase } = await import('../../../../islands/runtime/tracking/purchase-events.ts');
  const { takePendingPixelPurchases } = await import(
    '../../../../islands/runtime/tracking/pixel-purchases.ts'
  );
  const { $events } = await import('../../../../islands/stores/events.ts');
  const paid = {
    kind: 'paid',
    id: 'sub_1',
    event: 'ev_1',
    price: '9.99',
    isProvisional: false,
  } as const;
  trackPurchase('upsell_purchase_completed', 'upsell_monthly_999_usd', paid);
  const purchase = {
    plan: 'upsell_monthly_999_usd',
    price: 9.99,
    currency: 'USD',
    sub_id: 'sub_1',
    event_id: 'ev_1',
  };
  expect(takePendingPixelPurchases('meta')).toEqual([purchase]);
  expect($events.get().eventsData).toEqual({ upsell_purchase_completed: purchase });
});

it.each([
  ['insufficient_funds', 'insufficient_funds'],
  ['Do Not Honor', 'Do_Not_Honor'],
  ['', 'unknown'],
])('purchase events: a failure has its decline code: %j', async (decline, decline_code) => {
  const failed = { kind: 'failed', message: 'No', decline } as const;
  const [event] = await eventsOf((verbs) =>
    verbs.trackPurchaseFailure('monthly_usd', 'stripe', failed),
  );
  expect(event).toEqual([
    'subs_purchase_failed',
    { plan: 'monthly_usd', gateway: 'stripe', decline_code, screen_name },
    undefined,
  ]);
});
