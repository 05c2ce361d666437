import { expect, it, vi } from 'vitest';
import { claim, withdrawFromPurchase } from '../../../islands/account/purchases-api.ts';
import { $checkout } from '../../../islands/stores/checkout.ts';

const respondWith = (...subscriptions: { slot: string; state: string }[]) =>
  vi.stubGlobal('fetch', async () => Response.json({ data: { subscriptions } }));

const plan = (state: string) => ({ slot: 'main', state });
const extra = (state: string) => ({ slot: 'upsell', state });

it.each([
  ['the only plan', [plan('withdrawn')], null],
  ['the plan, with its extra', [plan('withdrawn'), extra('ended')], null],
  ['an extra', [plan('active'), extra('withdrawn')], true],
  ['an earlier plan', [plan('active'), plan('withdrawn')], true],
] as const)(
  'withdrawal of %s: pages state an active plan only if one is left',
  async (_, left, is) => {
    $checkout.setKey('isSuccess', true);
    respondWith(...left);
    expect(await withdrawFromPurchase('a1')).toEqual(left);
    expect($checkout.get().isSuccess).toBe(is);
  },
);

it('guarantee: afterwards no page states an active plan', async () => {
  $checkout.setKey('isSuccess', true);
  respondWith(plan('withdrawn'));
  await claim();
  expect($checkout.get().isSuccess).toBeNull();
});
