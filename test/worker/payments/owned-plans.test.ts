import { expect, test } from 'vitest';
import type { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import { startSubscription } from '../../../worker/payments/rules/subscription.ts';
import { listOwned } from '../../../worker/payments/subscription-changes.ts';
import { attempt } from './attempt-fixture.ts';

const charge = {
  subscriptionId: 'sub',
  paymentId: 'pi',
  customerId: 'cus',
  methodId: 'pm',
  amount: 3999,
  currency: 'USD',
} as const;

test('owned subscriptions: each has its plan and its own net money', () => {
  const { subscription } = startSubscription(attempt({ id: 'a', state: 'active', charge }), 1);
  const upsell = { ...subscription, attempt: 'b', plan: 'upsell_monthly_799_usd' } as const;
  const row = (of: string, id: string, amount: number) => ({ attempt: of, id, amount });
  const rows = [
    row('a', 'capture:1', 3999),
    row('b', 'capture:2', 799),
    row('a', 'refund:3', 500),
    // One that failed later moved no money.
    row('a', 'refund:4', 500),
    row('a', 'refund:4#2', -500),
  ];
  const held = listOwned({
    subscriptions: () => [subscription, upsell],
    rows: () => rows,
    attempt: () => undefined,
  } as unknown as PurchaseStorage);
  expect(held.map(({ plan, rows: own }) => [plan.today, own.length])).toEqual([
    [3999, 2],
    [799, 1],
  ]);
});
