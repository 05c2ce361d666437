import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { addMonths } from '../../../../worker/catalog/rules/renewal-date.ts';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import { stripeClient } from '../../../../worker/payments/gateways/stripe/client.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { AttemptId } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import '../announced-audit.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { type DrivenObject, driveObject } from '../attempts/driven-object.ts';
import { endSubscription } from '../attempts/provider-side.ts';
import {
  buyer,
  combined,
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
  passOneMonth,
  sendCard,
} from './card-fixture.ts';
import { buyPlan, casesAt, makeChange, ownedIn, runAlarmsUntil } from './change-helpers.ts';

const start = Date.UTC(2027, 0, 15, 12);
type Fakes = ReturnType<typeof stubGateways>;

type Scenario = (driven: DrivenObject, fakes: Fakes, purchase: Purchase) => Promise<void>;

async function scenario(gateway: GatewayName, act: Scenario, now = start) {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const fakes = stubGateways();
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway], terms: shownTerms() });
  await driveObject(stub, (driven) => act(driven, fakes, purchase));
}

const testAt = (at: readonly GatewayName[], scenarios: Record<string, Scenario>) =>
  test.each(casesAt(at, scenarios))('late payments: %s: %s', (gateway, _name, act) =>
    scenario(gateway, act),
  );

/** A pause until 15 April, whose end cannot be charged. */
async function resumeUnpaid(driven: DrivenObject, id: AttemptId, fakes: Fakes) {
  expect((await makeChange(driven, id, { kind: 'pause', months: 2 })).state).toBe('done');
  await runAlarmsUntil(driven, Date.UTC(2027, 3, 10));
  declineAllCards(fakes);
  await runAlarmsUntil(driven, Date.UTC(2027, 3, 16));
}

testAt(gateways, {
  async 'a pause whose end is paid by a retry continues'(driven, fakes, purchase) {
    await resumeUnpaid(driven, await buyPlan(driven, purchase), fakes);
    await runAlarmsUntil(driven, Date.UTC(2027, 3, 19));
    expect(ownedIn(driven)).toMatchObject({ status: 'past_due', ends: false, amounts: [3999] });
    acceptAllCards(fakes);
    await runAlarmsUntil(driven, Date.UTC(2027, 3, 30));
    expect(ownedIn(driven)).toMatchObject({
      status: 'active',
      isUsable: true,
      amounts: [3999, 3999],
    });
  },
  async 'a pause whose end is paid with a new card continues'(driven, fakes, purchase) {
    await resumeUnpaid(driven, await buyPlan(driven, purchase), fakes);
    await runAlarmsUntil(driven, Date.UTC(2027, 3, 19));
    const update = await sendCard(driven, cardRequest(purchase));
    expect(update).toMatchObject({ state: 'done', payment: 'paid' });
    await driven.run((object) => object.sync());
    expect(ownedIn(driven)).toMatchObject({
      status: 'active',
      isUsable: true,
      amounts: [3999, 3999],
    });
    // The pause ended on the 15th; the days until the payment gave no access, and are not paid for.
    await runAlarmsUntil(driven, Date.UTC(2027, 4, 18));
    expect(ownedIn(driven)).toMatchObject({ amounts: [3999, 3999], isUsable: true });
    await runAlarmsUntil(driven, Date.UTC(2027, 4, 21));
    expect(ownedIn(driven).amounts).toEqual([3999, 3999, 3999]);
  },
  async 'until the failed renewal is read the card page names no period'(driven, fakes, purchase) {
    await buyPlan(driven, purchase);
    const due = ownedIn(driven).paidUntil ?? 0;
    declineAllCards(fakes);
    await passOneMonth(fakes);
    const unread = await driven.run((object) => object.card());
    expect(unread?.due).toBe(3999);
    expect(unread).not.toHaveProperty('since');
    await driven.run((object) => object.sync());
    expect(await driven.run((object) => object.card())).toMatchObject({ due: 3999, since: due });
  },
  async 'a plan cancelled right after a late payment lasts for its whole period'(
    driven,
    fakes,
    purchase,
  ) {
    const id = await buyPlan(driven, purchase);
    const due = ownedIn(driven).paidUntil ?? 0;
    declineAllCards(fakes);
    await runAlarmsUntil(driven, due + 12 * dayMs);
    await sendCard(driven, cardRequest(purchase));
    await driven.run((object) => object.sync());
    const paidAt = Date.now();
    await driven.run((object) => object.cancelSubscription(id));
    await runAlarmsUntil(driven, addMonths(paidAt, 1) - 2 * dayMs);
    expect(ownedIn(driven)).toMatchObject({ amounts: [3999, 3999], isUsable: true });
    await runAlarmsUntil(driven, addMonths(paidAt, 1) + 2 * dayMs);
    expect(ownedIn(driven)).toMatchObject({ amounts: [3999, 3999], isUsable: false });
  },
});

type Way = 'retry' | 'new card';

/** Days after the due day from which the card is accepted, or on which a new one is entered. */
const lateDays: [Way, number][] = [
  ['retry', 1],
  ['retry', 4],
  ['retry', 9],
  ['retry', 12],
  ['new card', 1],
  ['new card', 6],
  ['new card', 8],
  ['new card', 13],
  ['new card', 20],
  ['new card', 25],
];
/** Stripe ends a subscription after its last retry, on the fourteenth day. */
const lastDay = { stripe: 13, braintree: 25 };
/** The renewal is due a month later; February is the shortest month. */
const boughtOn = [Date.UTC(2027, 0, 1, 12), Date.UTC(2027, 0, 31, 12), Date.UTC(2027, 3, 15, 12)];
/** Pairs are enough, except on the last day, when a short month leaves the least time until the next payment. */
const lateCells = gateways.flatMap((gateway) => {
  const inTime = lateDays.filter(([, days]) => days < lastDay[gateway]);
  const last = lateDays.filter(([, days]) => days === lastDay[gateway]);
  return [
    ...combined(3, [[gateway], inTime, boughtOn]),
    ...combined(1, [[gateway], last, boughtOn]),
  ].map(([, [way, days], at]) => [gateway, way, days, at] as const);
});
const graceMs = 7 * dayMs;

test.each(lateCells)(
  'late payments: %s: a %s from day %i pays from its day once access has ended (bought %i)',
  async (gateway, way, days, at) => {
    await scenario(
      gateway,
      async (driven, fakes, purchase) => {
        await buyPlan(driven, purchase);
        const due = ownedIn(driven).paidUntil ?? 0;
        declineAllCards(fakes);
        await runAlarmsUntil(driven, due + days * dayMs);
        await driven.run((object) => object.sync());
        const page = await driven.run((object) => object.card());
        expect(page).toMatchObject({ due: 3999, since: days < 7 ? due : null });
        if (way === 'new card') await sendCard(driven, cardRequest(purchase));
        acceptAllCards(fakes);
        // Webhooks would say at once that a retry was paid.
        for (let day = 0; day < 14 && ownedIn(driven).amounts.length < 2; day += 1) {
          await runAlarmsUntil(driven, Date.now() + dayMs);
          await driven.run((object) => object.sync());
        }
        await driven.runDueAlarms();
        const paid = ownedIn(driven);
        const paidAt = paid.rows[1]?.at ?? 0;
        const isLate = paidAt > due + graceMs;
        // Braintree counts from the first billing date, Stripe from the purchase.
        const inCycle = gateway === 'stripe' ? addMonths(at, 2) : addMonths(due, 1);
        const end = isLate ? addMonths(paidAt, 1) : inCycle;
        expect(Math.abs((paid.paidUntil ?? 0) - end)).toBeLessThanOrEqual(dayMs);
        expect(paid).toMatchObject({ status: 'active', ends: false, isRestartDue: false });
        await runAlarmsUntil(driven, end - 2 * dayMs);
        expect(ownedIn(driven)).toMatchObject({ amounts: [3999, 3999], isUsable: true });
        await runAlarmsUntil(driven, end + 2 * dayMs);
        const renewed = ownedIn(driven);
        expect(renewed).toMatchObject({ amounts: [3999, 3999, 3999], isUsable: true });
        expect(Math.abs((renewed.rows[2]?.at ?? 0) - end)).toBeLessThanOrEqual(1.5 * dayMs);
        await runAlarmsUntil(driven, addMonths(end, 1) + 2 * dayMs);
        expect(ownedIn(driven).amounts).toHaveLength(4);
      },
      at,
    );
  },
);

testAt(['stripe'], {
  async 'a cancellation finishes although Stripe has ended the subscription and its schedule'(
    driven,
    fakes,
    purchase,
  ) {
    const id = await buyPlan(driven, { ...purchase, plan: 'quarterly_usd' });
    const planned = await makeChange(driven, id, { kind: 'switch', plan: 'monthly_usd' });
    expect(planned.state).toBe('done');
    await endSubscription(fakes, 'stripe', ownedIn(driven).subscriptionId ?? '');
    await driven.run((object) => object.cancelSubscription(id));
    await driven.runDueAlarms();
    expect(ownedIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
  async 'nobody can pay the invoice of a subscription that Stripe has ended'(
    driven,
    fakes,
    purchase,
  ) {
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
  },
  async 'an invoice that was paid after Stripe ended its subscription is refunded'(
    driven,
    fakes,
    purchase,
  ) {
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
  },
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
