import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { stripeCards } from '../../../../worker/payments/gateways/stripe/card.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { type AttemptId, minor, type PaymentId } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { type DrivenObject, driveObject } from '../attempts/driven-object.ts';
import { buyer, dayMs, gateways, remainingAmounts, stubGateways } from '../payments-fixture.ts';
import { cardRequest, declineAllCards } from './card-fixture.ts';
import {
  buyPlan,
  casesAt,
  changeRequest,
  getQuote,
  makeChange,
  ownedIn,
  runAlarmsUntil,
} from './change-helpers.ts';

const start = Date.UTC(2027, 0, 15, 12);
const day = (at: number | null) => new Date(at ?? 0).toISOString().slice(0, 10);

type Scenario = (
  driven: DrivenObject,
  id: AttemptId,
  fakes: ReturnType<typeof stubGateways>,
  purchase: ReturnType<typeof buyer>['purchase'],
) => Promise<void>;

/** The owner of a plan that was bought on 15 January 2027. */
async function scenario(gateway: GatewayName, plan: string, act: Scenario) {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const fakes = stubGateways();
  const nonce = approved[gateway];
  const { stub, purchase } = buyer({ gateway, nonce, plan, terms: shownTerms() });
  await driveObject(stub, async (driven) => {
    await act(driven, await buyPlan(driven, purchase), fakes, purchase);
  });
}

const testAt = (at: readonly GatewayName[], plan: string, scenarios: Record<string, Scenario>) =>
  test.each(casesAt(at, scenarios))('plan change: %s: %s', (gateway, _name, act) =>
    scenario(gateway, plan, act),
  );

/** The captures on which a gateway's records and the ledger agree. */
function expectAgreement(driven: DrivenObject, { captured }: ReturnType<typeof stubGateways>) {
  const { amounts } = ownedIn(driven);
  expect(remainingAmounts(captured()).sort()).toEqual([...amounts].sort());
  return amounts;
}

testAt(gateways, 'monthly_usd', {
  async 'an upgrade charges the displayed amount, less the unused days, and renews as the new plan'(
    driven,
    id,
    fakes,
  ) {
    await runAlarmsUntil(driven, start + 10 * dayMs);
    const quote = await getQuote(driven, id, { kind: 'upgrade', plan: 'quarterly_usd' });
    // 21 of January's 31 days are unused.
    expect(quote).toMatchObject({ amount: 5999 - 2709, credit: 2709, next: { amount: 5999 } });
    expect(expectAgreement(driven, fakes)).toEqual([3999]);
    await runAlarmsUntil(driven, Date.now() + 60_000);
    const made = await makeChange(driven, id, { kind: 'upgrade', plan: 'quarterly_usd' });
    expect(made.state).toBe('done');
    expect(expectAgreement(driven, fakes)).toEqual([3999, made.amount]);
    expect(ownedIn(driven)).toMatchObject({ plan: 'quarterly_usd', status: 'active' });
    expect(day(ownedIn(driven).paidUntil)).toMatch(/2027-04-2[56]/);
    await runAlarmsUntil(driven, Date.UTC(2027, 4, 15));
    expect(expectAgreement(driven, fakes)).toEqual([3999, made.amount, 5999]);
    expect(ownedIn(driven).isUsable).toBe(true);
  },
  async 'a payment with an open dispute gives no credit'(driven, id, fakes, purchase) {
    await runAlarmsUntil(driven, start + dayMs);
    const upgrade = changeRequest({ kind: 'upgrade', plan: 'quarterly_usd' });
    const shown = await getQuote(driven, id, upgrade);
    const payment = driven.object().ownedSubscriptions()[0]?.rows[0]?.paymentId ?? '';
    // Its webhook is late.
    fakes[purchase.gateway].dispute(payment);
    await driven.run((object) => object.confirmChange(id, shown.id));
    await driven.runDueAlarms();
    expect(driven.object().planChange(shown.id)?.state).toBe('failed');
    const quote = await driven.run((object) => object.quoteChange(id, upgrade));
    expect(quote).toEqual({ kind: 'refused', refusal: 'change_not_possible' });
    expect(expectAgreement(driven, fakes)).toEqual([3999]);
  },
  async 'the refunded part of a payment gives no credit'(driven, id, fakes) {
    await runAlarmsUntil(driven, start + dayMs);
    const upgrade = changeRequest({ kind: 'upgrade', plan: 'quarterly_usd' });
    const shown = await getQuote(driven, id, upgrade);
    const payment = ownedIn(driven).rows[0]?.paymentId as PaymentId;
    await driven.run((object) => object.refund(payment, minor(3900), 'goodwill'));
    await driven.run((object) => object.confirmChange(id, shown.id));
    await driven.runDueAlarms();
    const quote = await driven.run((object) => object.quoteChange(id, upgrade));
    expect(quote).toEqual({ kind: 'refused', refusal: 'change_not_possible' });
    expect(remainingAmounts(fakes.captured())).toEqual([99]);
  },
  async 'after five declined upgrades in an hour the next is refused'(driven, id, fakes, purchase) {
    declineAllCards(fakes);
    await runAlarmsUntil(driven, start + dayMs);
    const upgrade = { kind: 'upgrade', plan: 'quarterly_usd' } as const;
    const made = [];
    for (let tries = 0; tries < 5; tries += 1) made.push(await makeChange(driven, id, upgrade));
    expect(made.map(({ state }) => state)).toEqual(Array(5).fill('declined'));
    const sixth = await getQuote(driven, id, upgrade);
    const confirm = () => driven.run((object) => object.confirmChange(id, sixth.id));
    const refused = { kind: 'refused', refusal: 'too_many_declines' };
    expect(await confirm()).toEqual(refused);
    expect(await driven.run((object) => object.updateCard(cardRequest(purchase)))).toEqual(refused);
    const extra = { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null };
    expect(await driven.run((object) => object.buy(extra))).toEqual(refused);
    const pause = await getQuote(driven, id, { kind: 'pause' });
    expect(await driven.run((object) => object.confirmChange(id, pause.id))).toMatchObject({
      kind: 'accepted',
    });
    expect(expectAgreement(driven, fakes)).toEqual([3999]);
  },
  async 'a declined upgrade changes nothing'(driven, id, fakes) {
    const [method = ''] = Object.keys(fakes.stripe.state.payment_methods).filter(
      (one) => fakes.stripe.state.payment_methods[one]?.customer,
    );
    fakes.stripe.state.cards[method] = 'pm_card_chargeCustomerFail';
    for (const token of Object.keys(fakes.braintree.state.methods))
      fakes.braintree.decline(token, '2001');
    await runAlarmsUntil(driven, start + dayMs);
    const made = await makeChange(driven, id, { kind: 'upgrade', plan: 'quarterly_usd' });
    expect(made.state).toBe('declined');
    expect(ownedIn(driven)).toMatchObject({ plan: 'monthly_usd', status: 'active', ends: false });
    expect(expectAgreement(driven, fakes)).toEqual([3999]);
    const again = await driven.run((object) => object.confirmChange(id, made.id));
    expect(again).toMatchObject({ kind: 'accepted', change: { state: 'declined' } });
  },
  async 'a pause can be ended early, before it begins and while it runs'(driven, id, fakes) {
    await runAlarmsUntil(driven, start + 10 * dayMs);
    expect((await makeChange(driven, id, { kind: 'pause', months: 3 })).state).toBe('done');
    expect((await makeChange(driven, id, { kind: 'resume' })).amount).toBe(0);
    expect(ownedIn(driven).pausesUntil).toBeNull();
    await runAlarmsUntil(driven, Date.UTC(2027, 1, 20));
    expect(expectAgreement(driven, fakes)).toEqual([3999, 3999]);
    expect((await makeChange(driven, id, { kind: 'pause', months: 3 })).state).toBe('done');
    await runAlarmsUntil(driven, Date.UTC(2027, 3, 1));
    expect(ownedIn(driven).isUsable).toBe(false);
    const resumed = await makeChange(driven, id, { kind: 'resume' });
    expect(resumed).toMatchObject({ state: 'done', amount: 3999 });
    expect(expectAgreement(driven, fakes)).toEqual([3999, 3999, 3999]);
    expect(ownedIn(driven)).toMatchObject({ status: 'active', isUsable: true });
    expect(day(ownedIn(driven).paidUntil)).toMatch(/2027-05-0[12]/);
    await runAlarmsUntil(driven, Date.UTC(2027, 4, 5));
    expect(expectAgreement(driven, fakes)).toEqual([3999, 3999, 3999, 3999]);
  },
  async 'a declined early resumption leaves the pause as planned'(driven, id, fakes) {
    await makeChange(driven, id, { kind: 'pause', months: 3 });
    await runAlarmsUntil(driven, Date.UTC(2027, 2, 1));
    const { cards, payment_methods: methods } = fakes.stripe.state;
    const [method = ''] = Object.keys(methods).filter((one) => methods[one]?.customer);
    const good = cards[method] ?? '';
    cards[method] = 'pm_card_chargeCustomerFail';
    for (const token of Object.keys(fakes.braintree.state.methods))
      fakes.braintree.decline(token, '2001');
    expect((await makeChange(driven, id, { kind: 'resume' })).state).toBe('declined');
    expect(expectAgreement(driven, fakes)).toEqual([3999]);
    expect(day(ownedIn(driven).pausesUntil)).toBe('2027-05-15');
    cards[method] = good;
    for (const token of Object.keys(fakes.braintree.state.methods))
      fakes.braintree.decline(token, '1000');
    await runAlarmsUntil(driven, Date.UTC(2027, 4, 17));
    expect(expectAgreement(driven, fakes)).toEqual([3999, 3999]);
  },
  async 'buying the same plan again before it ends continues it'(driven, id, fakes) {
    await driven.run((object) => object.cancelSubscription(id));
    await driven.runDueAlarms();
    expect(ownedIn(driven).ends).toBe(true);
    const result = await driven.run((object) => object.resumeSubscription(id));
    expect(result.kind).toBe('resumed');
    await driven.runDueAlarms();
    expect(ownedIn(driven)).toMatchObject({ ends: false, cancelRequestedAt: null });
    await runAlarmsUntil(driven, Date.UTC(2027, 1, 20));
    expect(expectAgreement(driven, fakes)).toEqual([3999, 3999]);
  },
  async 'buying another plan before the current one ends starts it afterwards'(driven, id, fakes) {
    await driven.run((object) => object.cancelSubscription(id));
    await driven.runDueAlarms();
    const made = await makeChange(driven, id, { kind: 'switch', plan: 'quarterly_usd' });
    expect([made.state, made.amount, day(made.takesEffectAt)]).toEqual(['done', 0, '2027-02-15']);
    expect(ownedIn(driven)).toMatchObject({ ends: false, nextPlan: 'quarterly_usd' });
    await runAlarmsUntil(driven, Date.UTC(2027, 1, 20));
    expect(expectAgreement(driven, fakes)).toEqual([3999, 5999]);
    expect(ownedIn(driven).plan).toBe('quarterly_usd');
  },
  async 'an extra pauses and continues with its plan'(driven, id, fakes, purchase) {
    await runAlarmsUntil(driven, start + dayMs);
    await buyPlan(driven, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null });
    expect((await makeChange(driven, id, { kind: 'pause', months: 2 })).state).toBe('done');
    await runAlarmsUntil(driven, Date.UTC(2027, 3, 10));
    expect(remainingAmounts(fakes.captured()).sort()).toEqual([3999, 799]);
    expect(ownedIn(driven, 'upsell').isUsable).toBe(false);
    await runAlarmsUntil(driven, Date.UTC(2027, 3, 20));
    expect(remainingAmounts(fakes.captured()).sort()).toEqual([3999, 3999, 799, 799]);
  },
});

testAt(gateways, 'quarterly_usd', {
  async 'a downgrade begins when the paid period ends, and can be undone until then'(
    driven,
    id,
    fakes,
  ) {
    await runAlarmsUntil(driven, start + 10 * dayMs);
    const wanted = { kind: 'switch', plan: 'monthly_usd' } as const;
    expect((await makeChange(driven, id, wanted)).state).toBe('done');
    expect(ownedIn(driven)).toMatchObject({ plan: 'quarterly_usd', nextPlan: 'monthly_usd' });
    expect((await makeChange(driven, id, { kind: 'continue' })).state).toBe('done');
    expect(ownedIn(driven)).toMatchObject({ plan: 'quarterly_usd', nextPlan: null });
    expect((await makeChange(driven, id, wanted)).state).toBe('done');
    await runAlarmsUntil(driven, Date.UTC(2027, 3, 14));
    expect(expectAgreement(driven, fakes)).toEqual([5999]);
    await runAlarmsUntil(driven, Date.UTC(2027, 5, 1));
    expect(expectAgreement(driven, fakes)).toEqual([5999, 3999, 3999]);
    expect(ownedIn(driven)).toMatchObject({ plan: 'monthly_usd', nextPlan: null });
    expect(ownedIn(driven).isUsable).toBe(true);
  },
});

testAt(['stripe'], 'quarterly_usd', {
  async 'a switch keeps the card and the tax of the renewals'(driven, id, fakes) {
    await runAlarmsUntil(driven, start + 10 * dayMs);
    const { subscriptions, subscription_schedules: schedules } = fakes.stripe.state;
    const [subscription] = Object.values(subscriptions);
    if (!subscription) throw new Error('no subscription');
    subscription.automatic_tax = { ...subscription.automatic_tax, enabled: true };
    const wanted = { kind: 'switch', plan: 'monthly_usd' } as const;
    expect((await makeChange(driven, id, wanted)).state).toBe('done');
    const phases = Object.values(schedules)[0]?.phases ?? [];
    expect(phases.map(({ automatic_tax }) => automatic_tax?.enabled)).toEqual([true, true]);
    expect((await stripeCards(env).billing([subscription.id])).card?.last4).toBe('4242');
    for (const { automatic_tax } of [subscription, ...phases])
      Object.assign(automatic_tax ?? {}, { enabled: false });
    await runAlarmsUntil(driven, Date.UTC(2027, 3, 20));
    expect(expectAgreement(driven, fakes)).toEqual([5999, 3999]);
    const upgrade = { kind: 'upgrade', plan: 'quarterly_usd' } as const;
    expect((await makeChange(driven, id, upgrade)).state).toBe('done');
  },
});

test.each([
  [{ kind: 'switch', plan: 'monthly_usd' }, 2],
  [{ kind: 'pause', months: 1 }, 1],
] as const)(
  'plan change: stripe: %j says in each of its %i calls that the subscription outlives its schedule',
  (wanted, calls) =>
    scenario('stripe', 'quarterly_usd', async (driven, id) => {
      const [send, sent] = [fetch, [] as string[]];
      vi.stubGlobal('fetch', (url: string | Request, init?: RequestInit) => {
        const isSchedule = /\/subscription_schedules/.test(new Request(url).url);
        if (isSchedule && init?.method === 'POST') sent.push(String(init.body));
        return send(url, init);
      });
      await runAlarmsUntil(driven, start + 10 * dayMs);
      expect((await makeChange(driven, id, wanted)).state).toBe('done');
      const said = sent.map((body) => new URLSearchParams(body).get('end_behavior'));
      expect(said).toEqual(Array(calls).fill('release'));
    }),
);

test.each(gateways.flatMap((gateway) => [1, 2, 3].map((months) => [gateway, months] as const)))(
  'plan change: %s: a pause of %i months has no charge and no access, and then charges again',
  async (gateway, months) => {
    await scenario(gateway, 'monthly_usd', async (driven, id, fakes) => {
      await runAlarmsUntil(driven, start + 10 * dayMs);
      const made = await makeChange(driven, id, { kind: 'pause', months });
      const back = `2027-0${2 + months}-15`;
      expect([made.state, day(made.until)]).toEqual(['done', back]);
      expect([ownedIn(driven).status, ownedIn(driven).isUsable]).toEqual(['active', true]);
      await runAlarmsUntil(driven, Date.UTC(2027, 1, 17));
      expect([ownedIn(driven).status, ownedIn(driven).isUsable]).toEqual(['paused', false]);
      await runAlarmsUntil(driven, Date.parse(back) - dayMs);
      expect(expectAgreement(driven, fakes)).toEqual([3999]);
      await runAlarmsUntil(driven, Date.parse(back) + 2 * dayMs);
      expect(expectAgreement(driven, fakes)).toEqual([3999, 3999]);
      expect(ownedIn(driven)).toMatchObject({
        status: 'active',
        pausesUntil: null,
        isUsable: true,
      });
    });
  },
);

testAt(['braintree'], 'monthly_usd', {
  async 'a pause that the gateway has just ended, with a late webhook, is not paid twice'(
    driven,
    id,
    fakes,
  ) {
    await makeChange(driven, id, { kind: 'pause', months: 1 });
    const ends = Date.UTC(2027, 2, 15);
    await runAlarmsUntil(driven, ends - 2 * dayMs);
    vi.setSystemTime(ends + 60_000);
    await fakes.braintree.passTime();
    expect(ownedIn(driven).status).toBe('paused');
    const resume = changeRequest({ kind: 'resume' });
    const quote = await driven.run((object) => object.quoteChange(id, resume));
    expect(quote).toEqual({ kind: 'refused', refusal: 'change_not_possible' });
    await runAlarmsUntil(driven, ends + dayMs);
    expect(ownedIn(driven)).toMatchObject({ status: 'active', isUsable: true });
    expect(expectAgreement(driven, fakes)).toEqual([3999, 3999]);
  },
});

test.each(gateways)(
  'plan change: %s: a cancellation also ends changed, paused and planned ones',
  async (gateway) => {
    for (const wanted of [
      { kind: 'upgrade', plan: 'quarterly_usd' },
      { kind: 'pause', months: 2 },
    ] as const) {
      await scenario(gateway, 'monthly_usd', async (driven, id, fakes) => {
        await runAlarmsUntil(driven, start + dayMs);
        expect((await makeChange(driven, id, wanted)).state).toBe('done');
        const paid = expectAgreement(driven, fakes);
        await driven.run((object) => object.cancelSubscription(id));
        await driven.runDueAlarms();
        expect(ownedIn(driven)).toMatchObject({ ends: true, pausesUntil: null, status: 'active' });
        await runAlarmsUntil(driven, Date.UTC(2027, 6, 1));
        expect(expectAgreement(driven, fakes)).toEqual(paid);
        expect(ownedIn(driven)).toMatchObject({ status: 'ended', isUsable: false });
      });
    }
  },
);

testAt(['stripe'], 'monthly_7d_usd', {
  async 'a quote is refused where the change is impossible, replaced by the next quote, and expires after 15 minutes'(
    driven,
    id,
  ) {
    const change = (change: Parameters<typeof changeRequest>[0]) =>
      driven.run((object) => object.quoteChange(id, changeRequest(change)));
    const no = { kind: 'refused', refusal: 'change_not_possible' };
    // Its paid intro is still running.
    expect(await change({ kind: 'upgrade', plan: 'quarterly_usd' })).toEqual(no);
    await runAlarmsUntil(driven, start + 10 * dayMs);
    for (const wanted of [
      { kind: 'upgrade', plan: 'quarterly_eur' },
      { kind: 'upgrade', plan: 'monthly_usd' },
      { kind: 'switch', plan: 'quarterly_usd' },
      { kind: 'pause', months: 4 },
      { kind: 'pause', months: 1.5 },
      { kind: 'resume' },
      { kind: 'continue' },
    ] as const)
      expect([wanted, await change(wanted)]).toEqual([wanted, no]);
    const first = await getQuote(driven, id, { kind: 'pause', months: 1 });
    const second = await getQuote(driven, id, { kind: 'upgrade', plan: 'quarterly_usd' });
    const confirm = (change: string) => driven.run((object) => object.confirmChange(id, change));
    const expired = { kind: 'refused', refusal: 'quote_expired' };
    expect(await confirm(first.id)).toEqual(expired);
    vi.setSystemTime(Date.now() + 16 * 60_000);
    expect(await confirm(second.id)).toEqual(expired);
    const third = await getQuote(driven, id, { kind: 'upgrade', plan: 'quarterly_usd' });
    expect((await confirm(third.id)).kind).toBe('accepted');
    expect(await change({ kind: 'pause' })).toEqual({
      kind: 'refused',
      refusal: 'change_in_progress',
    });
  },
});
