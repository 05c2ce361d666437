import { expect, test } from 'vitest';
import { planOf } from '../../../../worker/catalog/plans.ts';
import { newAttempt } from '../../../../worker/payments/rules/new-attempt.ts';

const terms = {
  gateway: 'stripe',
  nonce: 'pm',
  deviceData: null,
  experiment: null,
  arm: 'fullPrice',
  terms: null,
} as const;
const ids = { id: 'a', pollingId: 'p' };

test('attempt: the amount is the plan’s price less the coupon', () => {
  const plan = planOf('monthly_7d', 'EUR');
  const whole = newAttempt(plan, { ...terms, coupon: null }, ids, 5);
  expect(whole).toMatchObject({ plan: 'monthly_7d_eur', slot: 'main', amount: 699, coupon: null });
  expect(whole).toMatchObject({ state: 'open', openedAt: 5, dueAt: 5, rounds: 0, version: 1 });
  const coupon = { kind: 'discount', code: 'SPRING', discount: 70 } as const;
  expect(newAttempt(plan, { ...terms, coupon }, ids, 5)).toMatchObject({
    amount: 629,
    coupon: 'SPRING',
  });
});
