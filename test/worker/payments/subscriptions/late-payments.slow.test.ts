import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { stripeClient } from '../../../../worker/payments/gateways/stripe/client.ts';
import type { GatewayName } from '../../../../worker/payments/rules/attempt.ts';
import type { AttemptId } from '../../../../worker/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { type DrivenObject, driveObject } from '../attempts/driven-object.ts';
import { endSubscription } from '../attempts/provider-side.ts';
import {
  buyer,
  dayMs,
  gateways,
  hourMs,
  owner,
  remainingAmounts,
  stubGateways,
} from '../payments-fixture.ts';
import {
  acceptAllCards,
  becomePastDue,
  cardRequest,
  declineAllCards,
  sendCard,
} from './card-fixture.ts';
import { buyPlan, makeChange, ownedIn, runAlarmsUntil } from './change-helpers.ts';

const start = Date.UTC(2027, 0, 15, 12);
type Fakes = ReturnType<typeof stubGateways>;

async function scenario(
  gateway: GatewayName,
  act: (
    driven: DrivenObject,
    fakes: Fakes,
    purchase: ReturnType<typeof buyer>['purchase'],
  ) => Promise<void>,
) {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const fakes = stubGateways();
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], terms: shownTerms() });
  await driveObject(stub, (driven) => act(driven, fakes, purchase));
}

/** A pause until 15 April, whose end cannot be charged. */
async function resumeUnpaid(driven: DrivenObject, id: AttemptId, fakes: Fakes) {
  expect((await makeChange(driven, id, { kind: 'pause', months: 2 })).state).toBe('done');
  await runAlarmsUntil(driven, Date.UTC(2027, 3, 10));
  declineAllCards(fakes);
  await runAlarmsUntil(driven, Date.UTC(2027, 3, 16));
}

test.each(gateways)(
  'late payments: %s: a pause whose end is paid by a retry continues',
  async (gateway) => {
    await scenario(gateway, async (driven, fakes, purchase) => {
      const id = await buyPlan(driven, purchase);
      await resumeUnpaid(driven, id, fakes);
      await runAlarmsUntil(driven, Date.UTC(2027, 3, 19));
      expect(ownedIn(driven)).toMatchObject({ status: 'past_due', ends: false, amounts: [3999] });
      acceptAllCards(fakes);
      await runAlarmsUntil(driven, Date.UTC(2027, 3, 30));
      expect(ownedIn(driven)).toMatchObject({
        status: 'active',
        isUsable: true,
        amounts: [3999, 3999],
      });
    });
  },
);

test.each(gateways)(
  'late payments: %s: a pause whose end is paid with a new card continues',
  async (gateway) => {
    await scenario(gateway, async (driven, fakes, purchase) => {
      const id = await buyPlan(driven, purchase);
      await resumeUnpaid(driven, id, fakes);
      await runAlarmsUntil(driven, Date.UTC(2027, 3, 19));
      const update = await sendCard(driven, cardRequest(purchase));
      expect(update).toMatchObject({ state: 'done', payment: 'paid' });
      await driven.run((object) => object.sync());
      expect(ownedIn(driven)).toMatchObject({
        status: 'active',
        isUsable: true,
        amounts: [3999, 3999],
      });
      await runAlarmsUntil(driven, Date.UTC(2027, 4, 17));
      expect(ownedIn(driven).amounts).toEqual([3999, 3999, 3999]);
    });
  },
);

test('late payments: a cancellation finishes although Stripe has ended the subscription and its schedule', async () => {
  await scenario('stripe', async (driven, fakes, purchase) => {
    const id = await buyPlan(driven, { ...purchase, plan: 'quarterly_usd' });
    const planned = await makeChange(driven, id, { kind: 'switch', plan: 'monthly_usd' });
    expect(planned.state).toBe('done');
    await endSubscription(fakes, 'stripe', ownedIn(driven).subscriptionId ?? '');
    await driven.run((object) => object.cancelSubscription(id));
    await driven.runDueAlarms();
    expect(ownedIn(driven)).toMatchObject({ status: 'ended', ends: true });
  });
});

test('late payments: nobody can pay the invoice of a subscription that Stripe has ended', async () => {
  await scenario('stripe', async (driven, fakes, purchase) => {
    await becomePastDue(driven, purchase, fakes);
    const { subscriptionId } = ownedIn(driven);
    await endSubscription(fakes, 'stripe', subscriptionId ?? '');
    await driven.run((object) => object.sync());
    await runAlarmsUntil(driven, Date.now() + dayMs);
    expect(ownedIn(driven).status).toBe('ended');
    const stripe = stripeClient(env);
    const [invoice] = (await stripe.invoices.list({ subscription: subscriptionId ?? '' })).data;
    acceptAllCards(fakes);
    await expect(stripe.invoices.pay(invoice?.id ?? '')).rejects.toThrow('void');
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
  });
});

test('late payments: an invoice that was paid after Stripe ended its subscription is refunded', async () => {
  await scenario('stripe', async (driven, fakes, purchase) => {
    await becomePastDue(driven, purchase, fakes);
    const { subscriptionId } = ownedIn(driven);
    await endSubscription(fakes, 'stripe', subscriptionId ?? '');
    acceptAllCards(fakes);
    const stripe = stripeClient(env);
    const [invoice] = (await stripe.invoices.list({ subscription: subscriptionId ?? '' })).data;
    vi.setSystemTime(Date.now() + hourMs);
    await stripe.invoices.pay(invoice?.id ?? '');
    await driven.run((object) => object.sync());
    await runAlarmsUntil(driven, Date.now() + dayMs);
    expect(ownedIn(driven)).toMatchObject({ status: 'ended', amounts: [3999, 3999, -3999] });
    expect(remainingAmounts(fakes.captured())).toEqual([3999, 0]);
  });
});

test.each(gateways)(
  'late payments: %s: the owner gets one e-mail about a pause whose end was not paid',
  async (gateway) => {
    const { fakes, stub, emails, attempt, owned, runAlarm } = await owner({ gateway });
    const request = { kind: 'pause', plan: null, months: 1 } as const;
    const quote = await stub.quoteChange(attempt.id, request);
    if (quote.kind !== 'quoted') throw new Error(quote.refusal);
    await stub.confirmChange(attempt.id, quote.change.id);
    await runAlarm();
    declineAllCards(fakes);
    const ends = (await owned()).subscription.pausesUntil ?? 0;
    for (let at = Date.now(); at < ends + 10 * dayMs; at += 6 * hourMs) {
      vi.setSystemTime(at);
      fakes.stripe.passTime();
      await fakes.braintree.passTime();
      await runAlarm();
    }
    expect((await owned()).subscription.status).toBe('past_due');
    expect(emails.ofTemplate('renewal_failed')).toMatchObject([
      { until: null, data: { step: 'failed', amount: 3999, until: null } },
    ]);
  },
);
