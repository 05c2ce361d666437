import { expect, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import type { AttemptState } from '../../../../worker/payments/rules/attempt.ts';
import { declining } from '../../../fakes/test-nonces.ts';
import { bankPurchase, ibans, walletPurchase } from '../bank-fixture.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import { dayMs, minuteMs, remainingAmounts } from '../payments-fixture.ts';
import {
  type Bank,
  buyAgain,
  buyPlan,
  intro,
  noRenewals,
  startedAt,
  testCrashes,
} from './crash-fixture.ts';
import type { Driven } from './driven-object.ts';
import { askingCard } from './provider-side.ts';

/** Nothing of a failed attempt may renew, or be paid later. */
function nothingRuns({ stripe, braintree }: Bank) {
  const { subscriptions, payment_intents: intents, invoices } = stripe.state;
  const states = [subscriptions, intents, invoices].flatMap((table) =>
    Object.values(table).map(({ status }) => status),
  );
  for (const status of states) expect(['canceled', 'incomplete_expired', 'void']).toContain(status);
  expect(Object.values(braintree.state.subscriptions)).toEqual([]);
}

/** Runs everything that is due until a time. */
async function until(driven: Driven, end: number) {
  for (let at = driven.alarm(); at !== null && at <= end; at = driven.alarm()) {
    vi.setSystemTime(Math.max(at, Date.now() + 1));
    await driven.run((object) => object.alarm());
  }
}

async function debited(
  driven: Driven,
  purchase: Purchase,
  { stripe }: Bank,
  iban: string,
  end: AttemptState,
) {
  const asked = { ...purchase, ...(await bankPurchase(stripe, 'sepa_debit', iban)) };
  const { state, pollingId } = await driven.buy(asked);
  expect(['processing', end]).toContain(state);
  await driven.pass(dayMs);
  expect(driven.attempt(pollingId).state).toBe(end);
}

testCrashes({
  async 'a purchase'(driven, purchase, bank) {
    await buyPlan(driven, purchase, bank);
    expect(remainingAmounts(bank.taken())).toEqual([3999]);
  },
  async 'an intro'(driven, purchase, bank) {
    await buyPlan(driven, { ...purchase, plan: intro }, bank);
    expect(remainingAmounts(bank.taken())).toEqual([699]);
  },
  async 'an intro, then renewals'(driven, purchase, bank) {
    await buyPlan(driven, { ...purchase, plan: intro }, bank);
    await until(driven, startedAt + 40 * dayMs);
    expect(remainingAmounts(bank.taken())).toEqual([699, 3999, 3999]);
  },
  async 'a second half that is refused'(driven, purchase, bank) {
    expect((await buyAgain(driven, { ...purchase, plan: noRenewals }, bank)).state).toBe('failed');
    expect(remainingAmounts(bank.taken())).toEqual([0]);
    nothingRuns(bank);
  },
  async 'a decline'(driven, purchase, bank) {
    const nonce = declining[purchase.gateway];
    expect((await buyAgain(driven, { ...purchase, plan: intro, nonce }, bank)).state).toBe(
      'declined',
    );
    nothingRuns(bank);
    expect(remainingAmounts(bank.taken())).toEqual([]);
  },
  async 'a challenge that nobody answers'(driven, purchase, bank) {
    const nonce =
      purchase.gateway === 'stripe'
        ? 'pm_card_authenticationRequired'
        : await nonceOfCard(bank.braintree, askingCard);
    expect(await driven.buy({ ...purchase, plan: intro, nonce })).toMatchObject({
      state: 'failed',
      challengedAt: expect.any(Number),
    });
    nothingRuns(bank);
  },
  async 'a debit that is paid days later'(driven, purchase, bank) {
    await debited(driven, purchase, bank, ibans.paysLater, 'active');
    expect(remainingAmounts(bank.taken())).toEqual([3999]);
  },
  async 'a debit that fails days later'(driven, purchase, bank) {
    await debited(driven, purchase, bank, ibans.failsLater, 'declined');
    expect(driven.object().ownedSubscriptions()).toMatchObject([
      { subscription: { status: 'ended' } },
    ]);
    nothingRuns(bank);
  },
  async 'PayPal, approved on its page, then a renewal'(driven, purchase, bank) {
    const asked = { ...purchase, ...(await walletPurchase(bank.stripe, 'paypal')) };
    const pollingId = await driven.open(asked);
    await driven.pass(2 * minuteMs);
    const { paymentId } = driven.attempt(pollingId);
    bank.stripe.challenge(paymentId ?? '', 'authenticated');
    await driven.open({ ...asked, nonce: null, paymentId });
    await driven.pass(2 * minuteMs);
    expect(driven.attempt(pollingId).state).toBe('active');
    await until(driven, startedAt + 40 * dayMs);
    expect(remainingAmounts(bank.taken())).toEqual([3999, 3999]);
  },
  async Link(driven, purchase, bank) {
    const asked = { ...purchase, ...(await walletPurchase(bank.stripe, 'link')) };
    await buyPlan(driven, asked, bank);
    expect(remainingAmounts(bank.taken())).toEqual([3999]);
  },
  async 'an upsell'(driven, purchase, bank) {
    await buyPlan(driven, purchase, bank);
    await buyPlan(driven, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null }, bank);
    expect(remainingAmounts(bank.taken())).toEqual([3999, 799]);
  },
});
