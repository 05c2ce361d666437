import { expect, test } from 'vitest';
import { canBeReplaced, isRetry } from '../../../../worker/payments/rules/again.ts';
import { attempt } from '../attempt-fixture.ts';

const before = attempt({ coupon: 'TEN', amount: 3599 });
const again = {
  plan: before.plan,
  gateway: before.gateway,
  nonce: 'pm_other',
  coupon: { code: 'TEN' },
};

test('the same plan, way to pay and sum are a retry, whatever the card', () => {
  expect(isRetry(before, again)).toBe(true);
  expect(isRetry(before, { ...again, plan: 'quarterly_usd' })).toBe(false);
  expect(isRetry(before, { ...again, gateway: 'braintree' })).toBe(false);
  expect(isRetry(before, { ...again, gateway: 'braintree', nonce: null })).toBe(true);
});

test('another sum is no retry', () => {
  expect(isRetry(before, { ...again, coupon: null })).toBe(false);
  expect(isRetry(before, { ...again, coupon: { code: 'HALF' } })).toBe(false);
  expect(isRetry(attempt(), again)).toBe(false);
});

test('a coupon that ended meanwhile, and a purchase that is over, tell nothing of the sum', () => {
  expect(isRetry(before, { ...again, coupon: { refusal: 'coupon_expired' } })).toBe(true);
  expect(isRetry({ ...before, state: 'active' }, { ...again, coupon: null })).toBe(true);
});

test('only what was not sent, and is not under way, makes way', () => {
  const states = ['open', 'sent', 'challenged', 'returned', 'active'] as const;
  const made = states.filter((state) => canBeReplaced(attempt({ gateway: 'braintree', state })));
  expect(made).toEqual(['challenged']);
  expect(canBeReplaced(attempt({ state: 'challenged' }))).toBe(false);
});
