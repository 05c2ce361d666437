import { env } from 'cloudflare:test';
import type { Stripe } from 'stripe';
import { expect, test, vi } from 'vitest';
import { stripeClient } from '../../../../../worker/payments/gateways/stripe/client.ts';
import { RefundRefused, refund } from '../../../../../worker/payments/gateways/stripe/refund.ts';
import {
  chargeOf,
  listAll,
  pageSize,
  statement,
} from '../../../../../worker/payments/gateways/stripe/statement.ts';
import { minor, paymentIdOf } from '../../../../../worker/platform/types.ts';
import { withFaults } from '../../../../fakes/faults.ts';
import { buyPlan, harness, subscribe } from '../../../../fakes/stripe/harness.ts';
import {
  type Bought,
  boughtAt,
  buy,
  dayMs,
  failOneCall,
  hourMs,
  renewalAt,
} from './stripe-fixture.ts';

const at = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date);

test('Stripe statement: a new subscription has one capture and is paid for a month, by two calls', async () => {
  const on = await buy('monthly_usd');
  expect(await statement(on.stripe, on.order)).toEqual({
    status: 'active',
    paidUntil: renewalAt,
    pausesUntil: null,
    endedAt: null,
    giftUntil: null,
    givenUpAt: null,
    isDebited: false,
    ends: false,
    unpaid: 0,
    isDisputed: false,
    captures: [{ id: on.intent, paymentId: on.intent, amount: 3999, at: boughtAt }],
    refunds: [],
    disputes: [],
  });
  expect(on.calls.sort()).toEqual(['GET /charges', 'GET /invoices']);
});

test('Stripe statement: an intro is paid until its trial ends, then for a month', async () => {
  const on = await buy('monthly_7d_eur');
  expect(await statement(on.stripe, on.order)).toMatchObject({
    status: 'active',
    paidUntil: at(2026, 1, 22),
  });
  on.clock.until(at(2026, 3, 1));
  const later = await statement(on.stripe, on.order);
  expect(later).toMatchObject({ status: 'active', paidUntil: at(2026, 3, 22) });
  expect(later.captures.map(({ amount, at: when }) => [amount, when])).toEqual([
    [699, boughtAt],
    [3999, at(2026, 1, 22) + hourMs],
    [3999, at(2026, 2, 22) + hourMs],
  ]);
});

test('Stripe statement: other purchases of the customer are left out', async () => {
  const on = await buy('monthly_usd');
  await buyPlan({ ...on, stripe: on.direct }, { ...on.plan, price: minor(799), today: minor(799) });
  on.clock.until(renewalAt + 2 * hourMs);
  const { captures } = await statement(on.stripe, on.order);
  expect(captures.map(({ amount }) => amount)).toEqual([3999, 3999]);
});

test('Stripe statement: a failed renewal is past due, then ended', async () => {
  const on = await buy('monthly_usd');
  on.replaceCard();
  on.clock.until(renewalAt + 2 * hourMs);
  const late = await statement(on.stripe, on.order);
  expect(late).toMatchObject({
    status: 'past_due',
    paidUntil: renewalAt,
    ends: false,
    unpaid: 3999,
  });
  expect(late.captures).toHaveLength(1);
  on.clock.until(renewalAt + 20 * dayMs);
  const ended = { status: 'ended', paidUntil: renewalAt, ends: true };
  expect(await statement(on.stripe, on.order)).toMatchObject(ended);
});

test('Stripe statement: failed refunds, open and won disputes do not count', async () => {
  const on = await buy('monthly_usd');
  const { direct, fake, clock } = on;
  const refund = (payment_intent: string, amount: number) =>
    direct.refunds.create({ payment_intent, amount });
  const made = await refund(on.intent, 1000);
  fake.failRefund((await refund(on.intent, 500)).id);
  clock.until(renewalAt + 2 * hourMs);
  const second = (await statement(on.stripe, on.order)).captures[1]?.id ?? '';
  const id = fake.dispute(second);
  const open = await statement(on.stripe, on.order);
  expect(open.refunds).toEqual([{ id: made.id, paymentId: on.intent, amount: 1000, at: boughtAt }]);
  expect([open.disputes, open.isDisputed]).toEqual([[], true]);
  await direct.disputes.close(id);
  const lost = await statement(on.stripe, on.order);
  const capture = { id, paymentId: second, amount: 3999, at: renewalAt + 2 * hourMs };
  expect([lost.disputes, lost.isDisputed]).toEqual([[capture], false]);
  const won = fake.dispute(on.intent);
  await direct.disputes.update(won, { evidence: { uncategorized_text: 'winning_evidence' } });
  expect((await statement(on.stripe, on.order)).disputes).toEqual([capture]);
});

test('Stripe statement: refunds beyond the ten of a charge are included', async () => {
  const on = await buy('monthly_usd');
  for (let i = 1; i <= 12; i++)
    await on.direct.refunds.create({ payment_intent: on.intent, amount: i });
  const { refunds } = await statement(on.stripe, on.order);
  expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(78);
  expect(on.calls.filter((call) => call === 'GET /refunds')).toHaveLength(1);
});

test('Stripe statement: a one-time plan takes one call, and ends when it is fully refunded', async () => {
  const on = await buy('guide_1799_eur');
  const whole = { status: 'active', paidUntil: null, ends: false };
  expect(await statement(on.stripe, on.order)).toMatchObject({
    ...whole,
    captures: [{ id: on.intent, amount: 1799 }],
  });
  expect(on.calls).toEqual(['GET /charges']);
  await on.direct.refunds.create({ payment_intent: on.intent, amount: 1000 });
  expect(await statement(on.stripe, on.order)).toMatchObject(whole);
  await on.direct.refunds.create({ payment_intent: on.intent });
  expect(await statement(on.stripe, on.order)).toMatchObject({ ...whole, status: 'ended' });
});

/** The Worker's client, for an account with this many subscriptions. */
async function withSubscriptions(count: number) {
  const on = await harness();
  const { fake } = on;
  const { subscription } = await subscribe(on, on.customer);
  const one = fake.state.subscriptions[subscription.id] as Stripe.Subscription;
  for (let i = 1; i < count; i++) fake.state.subscriptions[`s${i}`] = { ...one, id: `s${i}` };
  vi.stubGlobal('fetch', fake.fetch);
  return stripeClient(env);
}

test('Stripe lists: all pages are read', async () => {
  const stripe = await withSubscriptions(250);
  const found = await listAll(stripe.subscriptions.list({ limit: pageSize }));
  expect(new Set(found.map(({ id }) => id)).size).toBe(250);
});

test('Stripe lists: a list of 1000 objects or more throws', async () => {
  const stripe = await withSubscriptions(1100);
  await expect(listAll(stripe.subscriptions.list({ limit: pageSize }))).rejects.toThrow(RangeError);
});

test('Stripe: an attempt without a charge throws', async () => {
  const { order: request } = await buy('monthly_usd');
  const open = { ...request, attempt: { ...request.attempt, charge: null } };
  expect(() => chargeOf(open)).toThrow(TypeError);
});

const refundOf = (on: Bought, amount: number, key: string, payment = on.intent) =>
  refund(on.stripe, on.order, { paymentId: paymentIdOf(payment), amount: minor(amount), key });

const refunded = ({ fake }: Bought) => fake.captures()[0]?.refunded;

const reason = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error) => (error instanceof RefundRefused ? error.reason : error),
  );

test('Stripe refund: partial refunds, once per key, never exceed the remainder', async () => {
  const on = await buy('monthly_usd');
  const first = await refundOf(on, 1000, 'a');
  expect(first).toEqual({ id: first.id, paymentId: on.intent, amount: 1000, at: boughtAt });
  expect(await refundOf(on, 1000, 'a')).toEqual(first);
  expect(await reason(refundOf(on, 3000, 'b'))).toBe('too_much');
  await refundOf(on, 2999, 'c');
  expect(await reason(refundOf(on, 1, 'd'))).toBe('too_much');
  expect(refunded(on)).toBe(3999);
});

test('Stripe refund: a retry finds its refund after a day, and behind ten other refunds', async () => {
  const on = await buy('monthly_usd');
  const first = await refundOf(on, 100, 'a');
  on.clock.advance(2 * dayMs);
  for (let i = 0; i < 11; i++) await refundOf(on, 1, `n${i}`);
  expect(await refundOf(on, 100, 'a')).toEqual(first);
  expect(refunded(on)).toBe(111);
});

test('Stripe refund: twenty concurrent calls with one key refund once', async () => {
  const on = await buy('monthly_usd');
  const tries = Array.from({ length: 20 }, () => refundOf(on, 1500, 'a').catch(() => null));
  const ids = (await Promise.all(tries)).flatMap((made) => (made ? [made.id] : []));
  expect(new Set(ids).size).toBe(1);
  expect(refunded(on)).toBe(1500);
});

test('Stripe refund: two concurrent keys never refund more than was paid', async () => {
  const on = await buy('guide_1799_usd');
  const both = await Promise.all(['a', 'b'].map((key) => reason(refundOf(on, 1000, key))));
  expect(both.sort()).toEqual(['done', 'too_much']);
  expect(refunded(on)).toBe(1000);
});

test.each([0.1, 0.5, 0.9])(
  'Stripe refund: with lost calls (%d) a retry refunds once',
  async (kind) => {
    for (let good = 0; good < 2; good++) {
      const on = await buy('monthly_usd', {
        wrap: (next) => withFaults(next, { rate: 0.5, random: failOneCall(good, kind) }),
      });
      await refundOf(on, 500, 'a').catch(() => refundOf(on, 500, 'a'));
      expect(refunded(on)).toBe(500);
    }
  },
);

test('Stripe refund: a disputed or foreign payment and a failed refund are refused with their reason', async () => {
  const on = await buy('monthly_usd');
  const { id: foreign } = await on.direct.paymentIntents.create({
    amount: 900,
    currency: 'usd',
    customer: (await on.direct.customers.create()).id,
    payment_method: 'pm_card_visa',
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
  expect(await reason(refundOf(on, 100, 'a', foreign))).toBe('foreign_payment');
  on.fake.failRefund((await refundOf(on, 100, 'b')).id);
  expect(await reason(refundOf(on, 100, 'b'))).toBe('failed');
  on.fake.dispute(on.intent);
  expect(await reason(refundOf(on, 100, 'c'))).toBe('disputed');
});
