import { expect, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import type { AttemptState } from '../../../../worker/payments/purchase/state.ts';
import { declining } from '../../../fakes/test-nonces.ts';
import { bankPurchase, ibans, walletPurchase } from '../bank-fixture.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import { dayMs, minuteMs, remainingAmounts } from '../payments-fixture.ts';
import {
  buyAgain,
  buyPlan,
  type Fakes,
  intro,
  noRenewals,
  startedAt,
  testCrashes,
} from './crash-fixture.ts';
import type { DrivenObject } from './driven-object.ts';
import { challengedCard } from './provider-side.ts';

/** Nothing of a failed attempt may renew, or be paid later. */
function expectNothingRenews({ stripe, braintree }: Fakes) {
  const { subscriptions, payment_intents: intents, invoices } = stripe.state;
  const states = [subscriptions, intents, invoices].flatMap((table) =>
    Object.values(table).map(({ status }) => status),
  );
  for (const status of states) expect(['canceled', 'incomplete_expired', 'void']).toContain(status);
  expect(Object.values(braintree.state.subscriptions)).toEqual([]);
}

/** Runs everything that is due until a time. */
async function runAlarmsUntil(driven: DrivenObject, end: number) {
  for (let at = driven.alarm(); at !== null && at <= end; at = driven.alarm()) {
    vi.setSystemTime(Math.max(at, Date.now() + 1));
    await driven.run((object) => object.alarm());
  }
}

async function buyByDebit(
  driven: DrivenObject,
  purchase: Purchase,
  { stripe }: Fakes,
  iban: string,
  end: AttemptState,
) {
  const request = { ...purchase, ...(await bankPurchase(stripe, 'sepa_debit', iban)) };
  const { state, pollingId } = await driven.buy(request);
  expect(['processing', end]).toContain(state);
  await driven.passTime(dayMs);
  expect(driven.attempt(pollingId).state).toBe(end);
}

testCrashes({
  async 'a purchase'(driven, purchase, fakes) {
    await buyPlan(driven, purchase, fakes);
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
  },
  async 'an intro'(driven, purchase, fakes) {
    await buyPlan(driven, { ...purchase, plan: intro }, fakes);
    expect(remainingAmounts(fakes.captured())).toEqual([699]);
  },
  async 'an intro, then renewals'(driven, purchase, fakes) {
    await buyPlan(driven, { ...purchase, plan: intro }, fakes);
    await runAlarmsUntil(driven, startedAt + 40 * dayMs);
    expect(remainingAmounts(fakes.captured())).toEqual([699, 3999, 3999]);
  },
  async 'a second half that is refused'(driven, purchase, fakes) {
    expect((await buyAgain(driven, { ...purchase, plan: noRenewals }, fakes)).state).toBe('failed');
    expect(remainingAmounts(fakes.captured())).toEqual([0]);
    expectNothingRenews(fakes);
  },
  async 'a decline'(driven, purchase, fakes) {
    const nonce = declining[purchase.gateway];
    expect((await buyAgain(driven, { ...purchase, plan: intro, nonce }, fakes)).state).toBe(
      'declined',
    );
    expectNothingRenews(fakes);
    expect(remainingAmounts(fakes.captured())).toEqual([]);
  },
  async 'a challenge that nobody answers'(driven, purchase, fakes) {
    const nonce =
      purchase.gateway === 'stripe'
        ? 'pm_card_authenticationRequired'
        : await nonceOfCard(fakes.braintree, challengedCard);
    expect(await driven.buy({ ...purchase, plan: intro, nonce })).toMatchObject({
      state: 'failed',
      challengedAt: expect.any(Number),
    });
    expectNothingRenews(fakes);
  },
  async 'a debit that is paid days later'(driven, purchase, fakes) {
    await buyByDebit(driven, purchase, fakes, ibans.paysLater, 'active');
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
  },
  async 'a debit that fails days later'(driven, purchase, fakes) {
    await buyByDebit(driven, purchase, fakes, ibans.failsLater, 'declined');
    expect(driven.object().ownedSubscriptions()).toMatchObject([
      { subscription: { status: 'ended' } },
    ]);
    expectNothingRenews(fakes);
  },
  async 'PayPal, approved on its page, then a renewal'(driven, purchase, fakes) {
    const request = { ...purchase, ...(await walletPurchase(fakes.stripe, 'paypal')) };
    const pollingId = await driven.startPurchase(request);
    await driven.passTime(2 * minuteMs);
    const { paymentId } = driven.attempt(pollingId);
    fakes.stripe.challenge(paymentId ?? '', 'authenticated');
    await driven.startPurchase({ ...request, nonce: null, paymentId });
    await driven.passTime(2 * minuteMs);
    expect(driven.attempt(pollingId).state).toBe('active');
    await runAlarmsUntil(driven, startedAt + 40 * dayMs);
    expect(remainingAmounts(fakes.captured())).toEqual([3999, 3999]);
  },
  async Link(driven, purchase, fakes) {
    const request = { ...purchase, ...(await walletPurchase(fakes.stripe, 'link')) };
    await buyPlan(driven, request, fakes);
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
  },
  async 'an upsell'(driven, purchase, fakes) {
    await buyPlan(driven, purchase, fakes);
    await buyPlan(driven, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null }, fakes);
    expect(remainingAmounts(fakes.captured())).toEqual([3999, 799]);
  },
});
