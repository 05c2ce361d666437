import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  canBeReplaced,
  evaluatePurchase,
  isRetry,
  type Purchase,
} from '../../../../worker/payments/attempts/purchase-request.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { ChangeStorage } from '../../../../worker/payments/subscriptions/change-storage.ts';
import { paymentIdOf } from '../../../../worker/platform/types.ts';
import { buyer } from '../payments-fixture.ts';
import { type AttemptChange, attempt, planNamed } from './attempt-fixture.ts';

const now = 1_800_000_000_000;

/** The decision on a purchase after some earlier attempts. */
async function judged(change: Partial<Purchase>, before: AttemptChange[] = [], left = false) {
  const { stub, purchase } = buyer(change);
  return runInDurableObject(stub, (_: Purchases, { storage }) => {
    const ledger = new PurchaseStorage(storage.kv);
    const { account, email } = purchase;
    ledger.setProfile({ account, email, customers: {}, isDeleted: left });
    for (const [at, one] of before.entries())
      ledger.save(attempt({ id: `a${at}`, openedAt: now, ...one }));
    return evaluatePurchase(ledger, purchase, now, new ChangeStorage(storage.kv, ledger));
  });
}

test('purchase request: a new plan creates an attempt', async () => {
  const plan = { id: 'monthly_usd' };
  expect(await judged({})).toMatchObject({ kind: 'create', plan, replaces: undefined });
});

test.each<[string, Partial<Purchase>, boolean]>([
  ['unauthorized', {}, true],
  ['plan_unknown', { plan: 'monthly_nok' }, false],
  ['plan_unknown', { plan: '__proto__' }, false],
  ['payment_intent_mismatch', { paymentId: paymentIdOf('pi_1') }, false],
  ['main_plan_required', { plan: 'guide_1799_usd' }, false],
  ['nonce_missing', { nonce: null }, false],
  ['coupon_unknown', { coupon: { kind: 'refused', refusal: 'coupon_unknown' } }, false],
  ['terms_changed', { terms: { kind: 'refused', refusal: 'terms_changed' } }, false],
])('purchase request: is refused with %s', async (refusal, change, left) => {
  expect(await judged(change, [], left)).toEqual({ kind: 'refused', refusal });
});

const open = { state: 'open', plan: 'monthly_usd', slot: 'main' } as const;

test('purchase request: the same plan is a retry, another plan is refused', async () => {
  expect(await judged({}, [open])).toMatchObject({ kind: 'retry', attempt: { id: 'a0' } });
  expect(await judged({ plan: 'quarterly_usd' }, [open])).toEqual({
    kind: 'refused',
    refusal: 'purchase_in_progress',
  });
});

test('purchase request: a challenged Braintree attempt is replaced', async () => {
  const challenged = { ...open, gateway: 'braintree', state: 'challenged' } as const;
  const verdict = await judged({ plan: 'quarterly_usd' }, [challenged]);
  expect(verdict).toMatchObject({ kind: 'create', replaces: { id: 'a0' } });
});

test.each<[number, AttemptChange, boolean]>([
  [5, { state: 'declined' }, true],
  [4, { state: 'declined' }, false],
  [5, { state: 'declined', openedAt: now - 60 * 60_000 }, false],
  [5, { state: 'failed', challengedAt: now }, true],
  [5, { state: 'failed' }, false],
  [5, { state: 'active', slot: 'upsell' }, false],
])(
  'purchase request: after %i attempts %j another is refused: %s',
  async (count, before, refused) => {
    const verdict = await judged({}, Array(count).fill(before));
    expect(verdict.kind === 'refused' && verdict.refusal === 'too_many_declines').toBe(refused);
  },
);

const pending = attempt({ coupon: 'TEN', amount: 3599 });
const requested = {
  plan: pending.plan,
  gateway: pending.gateway,
  nonce: 'pm_other',
  coupon: { kind: 'discount', code: 'TEN' },
} as const;

test('purchase request: the same plan, gateway and amount are a retry, whatever the card', () => {
  expect(isRetry(pending, requested)).toBe(true);
  expect(isRetry(pending, { ...requested, plan: planNamed('quarterly_usd') })).toBe(false);
  expect(isRetry(pending, { ...requested, gateway: 'braintree' })).toBe(false);
  expect(isRetry(pending, { ...requested, gateway: 'braintree', nonce: null })).toBe(true);
});

test('purchase request: another amount is not a retry', () => {
  expect(isRetry(pending, { ...requested, coupon: null })).toBe(false);
  expect(isRetry(pending, { ...requested, coupon: { kind: 'discount', code: 'HALF' } })).toBe(
    false,
  );
  expect(isRetry(attempt(), requested)).toBe(false);
});

test('purchase request: with an expired coupon or a final attempt the amount is not compared', () => {
  expect(
    isRetry(pending, { ...requested, coupon: { kind: 'refused', refusal: 'coupon_expired' } }),
  ).toBe(true);
  expect(isRetry({ ...pending, state: 'active' }, { ...requested, coupon: null })).toBe(true);
});

test('purchase request: only a challenged Braintree attempt, or a rerouted one, can be replaced', () => {
  const states = ['open', 'sent', 'challenged', 'returned', 'rerouted', 'active'] as const;
  const made = states.filter((state) => canBeReplaced(attempt({ gateway: 'braintree', state })));
  expect(made).toEqual(['challenged', 'rerouted']);
  expect(canBeReplaced(attempt({ state: 'challenged' }))).toBe(false);
});
