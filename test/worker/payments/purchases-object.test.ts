import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { minor, paymentIdOf } from '../../../worker/types.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { buy, buyer, known, open, openBank, quietly } from './payments-fixture.ts';

quietly();

const becomes = (stub: ReturnType<typeof buyer>['stub'], id: string, state: string) =>
  vi.waitFor(async () => expect((await stub.result(id))?.state).toBe(state), pollTimeout);

test('purchase: an approved card has one capture of the catalogue amount and a subscription', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer();
  const attempt = await buy(stub, purchase);
  expect(attempt).toMatchObject({ state: 'active', charge: { amount: 3999, currency: 'USD' } });
  expect(bank.captures()).toMatchObject([{ amount: 3999, currency: 'usd' }]);
  const subscription = bank.state.subscriptions[attempt.charge?.subscriptionId ?? ''];
  expect(subscription).toMatchObject({
    status: 'active',
    metadata: {
      attempt_id: attempt.id,
      plan: 'monthly_usd',
      experiment: 'prices',
      arm: 'fullPrice',
    },
  });
  expect(await stub.hasActiveMainPlan()).toBe(true);
});

test('purchase: an intro charges today’s price and sets the trial', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer({ plan: 'monthly_7d_eur' });
  await buy(stub, purchase);
  expect(bank.captures()).toMatchObject([{ amount: 699, currency: 'eur' }]);
  const [subscription] = Object.values(bank.state.subscriptions);
  const days = ((subscription?.trial_end ?? 0) - (subscription?.trial_start ?? 0)) / 86_400;
  expect([subscription?.status, days]).toEqual(['trialing', 7]);
});

test('purchase: a declined card charges nothing, leaves nothing payable and releases the slot', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer({ nonce: 'pm_card_visa_chargeDeclined' });
  const first = await buy(stub, purchase);
  expect(first).toMatchObject({ state: 'declined', declineCode: 'generic_decline' });
  expect(bank.captures()).toEqual([]);
  const statuses = Object.values(bank.state.payment_intents).map(({ status }) => status);
  expect(statuses).not.toContain('requires_payment_method');
  const second = await buy(stub, { ...purchase, nonce: 'pm_card_visa' });
  expect(second.state).toBe('active');
  expect(second.pollingId).not.toBe(first.pollingId);
});

test('purchase: a challenged card is charged once when the payer returns', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  const asked = await buy(stub, purchase);
  expect(asked.state).toBe('challenged');
  expect(asked.secret).toContain('_secret_');
  bank.challenge(asked.paymentId ?? '', 'authenticated');
  const pollingId = await open(stub, { ...purchase, paymentId: asked.paymentId });
  expect(pollingId).toBe(asked.pollingId);
  await becomes(stub, pollingId, 'active');
  expect((await stub.result(pollingId))?.secret).toBeNull();
  expect(bank.captures()).toHaveLength(1);
});

test('purchase: a failed challenge is a decline, and the next request a new attempt', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  const asked = await buy(stub, purchase);
  bank.challenge(asked.paymentId ?? '', 'failed');
  const pollingId = await open(stub, { ...purchase, nonce: 'pm_card_visa' });
  expect(pollingId).toBe(asked.pollingId);
  await becomes(stub, pollingId, 'declined');
  expect((await buy(stub, { ...purchase, nonce: 'pm_card_visa' })).state).toBe('active');
  expect(bank.captures()).toHaveLength(1);
});

test('purchase: a payer who returns without an answer is challenged again', async () => {
  openBank();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  const asked = await buy(stub, purchase);
  await open(stub, { ...purchase, paymentId: asked.paymentId });
  expect((await known(stub, asked.pollingId)).state).not.toBe('active');
});

test('purchase: another account’s payment intent is refused', async () => {
  openBank();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  await buy(stub, purchase);
  const foreign = await stub.buy({ ...purchase, paymentId: paymentIdOf('pi_foreign') });
  expect(foreign).toEqual({ kind: 'refused', refusal: 'payment_intent_mismatch' });
});

test('purchase: an upsell takes one tap: the saved method of the main purchase is charged', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer();
  const upsell = { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null };
  await buy(stub, purchase);
  expect((await buy(stub, upsell)).state).toBe('active');
  expect(bank.captures().map(({ amount }) => amount)).toEqual([3999, 799]);
  const customers = new Set(bank.captures().map(({ customer }) => customer));
  expect(customers.size).toBe(1);
});

test('purchase: a buyer outside the experiment has an arm and no experiment', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer({ experiment: null });
  const { charge } = await buy(stub, purchase);
  const subscription = bank.state.subscriptions[charge?.subscriptionId ?? ''];
  expect(subscription?.metadata).toMatchObject({ arm: 'fullPrice' });
  expect(subscription?.metadata).not.toHaveProperty('experiment');
});

test('purchase: the one-time guide is one payment without a subscription', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer();
  await buy(stub, purchase);
  const guide = await buy(stub, { ...purchase, plan: 'guide_1799_usd', nonce: null });
  expect(guide).toMatchObject({ state: 'active', charge: { amount: 1799, subscriptionId: null } });
  expect(bank.captures()).toHaveLength(2);
});

test.for([
  ['unknown_plan', { plan: '__proto__' }],
  ['nonce_missing', { nonce: null }],
  ['main_purchase_missing', { plan: 'upsell_monthly_799_usd', nonce: null }],
] as const)('purchase: a request refused by %s creates no attempt', async ([refusal, change]) => {
  const bank = openBank();
  const { stub, purchase } = buyer();
  expect(await stub.buy({ ...purchase, ...change })).toEqual({ kind: 'refused', refusal });
  expect([bank.captures(), await stub.everPaid()]).toEqual([[], false]);
});

test('purchase: a payment method unknown to Stripe fails definitely', async () => {
  openBank();
  const { stub, purchase } = buyer({ nonce: 'pm_nobody' });
  expect((await buy(stub, purchase)).state).toBe('failed');
});

test('projection: D1 gets the purchase and the ledger, also after it was down', async () => {
  openBank();
  const { stub, purchase } = buyer();
  const attempt = await buy(stub, purchase);
  const row = async () =>
    env.DB.prepare(
      `SELECT p.state, p.experiment, p.arm, l.kind, l.amount, l.currency FROM attempts p
       JOIN ledger l ON l.attempt_id = p.id AND l.arm = p.arm
         AND l.experiment = p.experiment WHERE p.id = ?`,
    )
      .bind(attempt.id)
      .first();
  const arm = { experiment: 'prices', arm: 'fullPrice' };
  const expected = { state: 'active', ...arm, kind: 'capture', amount: 3999, currency: 'USD' };
  await vi.waitFor(async () => expect(await row()).toEqual(expected), pollTimeout);
});

test('purchase: a webhook completes a challenge whose payer closed the page', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  const asked = await buy(stub, purchase);
  // Its payer closes the page after the bank.
  bank.challenge(asked.paymentId ?? '', 'authenticated');
  expect(await stub.sync()).toBe(true);
  await becomes(stub, asked.pollingId, 'active');
});

test('purchase: an expired coupon is refused to a new purchase, not to a pending one', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  const over = { ...purchase, coupon: { kind: 'refused', refusal: 'coupon_expired' } } as const;
  expect(await stub.buy(over)).toEqual({ kind: 'refused', refusal: 'coupon_expired' });
  const asked = await buy(stub, {
    ...purchase,
    coupon: { kind: 'discount', code: 'SAVE', discount: minor(1000) },
  });
  bank.challenge(asked.paymentId ?? '', 'authenticated');
  expect(await open(stub, { ...over, paymentId: asked.paymentId })).toBe(asked.pollingId);
  await becomes(stub, asked.pollingId, 'active');
  expect(bank.captures()).toMatchObject([{ amount: 2999 }]);
});

test('card testing: after five declines in an hour the account’s next card is refused', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer({ nonce: 'pm_card_visa_chargeDeclined' });
  for (let tries = 0; tries < 5; tries += 1) {
    expect((await buy(stub, purchase)).state).toBe('declined');
  }
  const calls = Object.keys(bank.state.customers).length;
  expect(await stub.buy({ ...purchase, nonce: 'pm_card_visa' })).toEqual({
    kind: 'refused',
    refusal: 'too_many_declines',
  });
  expect([Object.keys(bank.state.customers).length, bank.captures()]).toEqual([calls, []]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60_000 });
  expect(await open(stub, { ...purchase, nonce: 'pm_card_visa' })).not.toBe('');
});
