import { expect, test } from 'vitest';
import { begin } from '../../worker/funnel/bought.ts';
import { heldBy } from '../../worker/held.ts';
import type { Ledger } from '../../worker/ledger.ts';
import { attempt } from './attempt.ts';

const charge = {
  subscriptionId: 'sub',
  paymentId: 'pi',
  customerId: 'cus',
  methodId: 'pm',
  amount: 3999,
  currency: 'USD',
} as const;

test('each thing has its plan and its own money', () => {
  const { bought } = begin(attempt({ id: 'a', state: 'active', charge }), 1);
  const upsell = { ...bought, attempt: 'b', plan: 'upsell_monthly_799_usd' } as const;
  const rows = [{ attempt: 'a' }, { attempt: 'b' }, { attempt: 'a' }];
  const held = heldBy({
    bought: () => [bought, upsell],
    rows: () => rows,
    attempt: () => undefined,
  } as unknown as Ledger);
  expect(held.map(({ plan, rows: own }) => [plan.today, own.length])).toEqual([
    [3999, 2],
    [799, 1],
  ]);
});
