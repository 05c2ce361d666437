import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { buyPlan, harness } from './harness.ts';
import { failRefund, openDispute } from './refunds-and-disputes.ts';
import { webhooks } from './webhooks.ts';

const day = 86_400;

/** Two payments on one day, one refunded in part and the other disputed. */
async function payAndRefund() {
  const on = await harness();
  const { intent } = await buyPlan(on, builtInCatalog.planOf('monthly', 'USD'));
  const once = await on.stripe.paymentIntents.create({
    amount: 1799,
    currency: 'usd',
    customer: on.customer,
    payment_method: on.method,
    confirm: true,
    metadata: { attempt_id: 'ours' },
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
  on.clock.advance(60_000);
  const refund = await on.stripe.refunds.create({ payment_intent: intent, amount: 100 });
  const start = Math.floor(on.clock.now() / 1000 / day) * day;
  return {
    ...on,
    intent,
    once: once.id,
    refund: refund.id,
    created: { gte: start, lt: start + day },
  };
}

const charged = (rows: Stripe.BalanceTransaction[]) =>
  rows.map(({ reporting_category, amount }) => `${reporting_category} ${amount}`);

test('Stripe fake: balance transactions list money movements, newest first, with their sources', async () => {
  const { stripe, created, refund, once } = await payAndRefund();
  const { data } = await stripe.balanceTransactions.list({ created, expand: ['data.source'] });
  expect(charged(data)).toEqual(['refund -100', 'charge 1799', 'charge 3999']);
  expect(data[0]?.source).toMatchObject({ object: 'refund', id: refund });
  expect(data[1]?.source).toMatchObject({
    object: 'charge',
    payment_intent: once,
    metadata: { attempt_id: 'ours' },
  });
  expect(data[0]?.net).toBe(-100);
  const before = { gte: created.gte - day, lt: created.gte };
  expect((await stripe.balanceTransactions.list({ created: before })).data).toEqual([]);
});

test('Stripe fake: balance transactions are paginated', async () => {
  const { stripe, created } = await payAndRefund();
  const first = await stripe.balanceTransactions.list({ created, limit: 2 });
  expect([first.data.length, first.has_more]).toEqual([2, true]);
  const rest = await stripe.balanceTransactions.list({
    created,
    limit: 2,
    starting_after: first.data[1]?.id ?? '',
  });
  expect([rest.data.length, rest.has_more]).toEqual([1, false]);
});

test('Stripe fake: a refund that failed, and a dispute, have transactions of their own', async () => {
  const { stripe, fake, refund, once, clock } = await payAndRefund();
  const now = Math.floor(clock.now() / 1000);
  const context = { state: fake.state, now, emit: () => undefined } as never;
  const failed = fake.state.refunds[refund];
  const charge = Object.values(fake.state.charges).find((one) => one.payment_intent === once);
  if (!failed || !charge) throw new Error('nothing traded');
  failRefund(failed, context);
  openDispute(charge, 'fraudulent', context);
  const { data } = await stripe.balanceTransactions.list({ limit: 100 });
  expect(charged(data).sort()).toEqual(
    ['charge 1799', 'charge 3999', 'dispute -1799', 'refund -100', 'refund_failure 100'].sort(),
  );
});

test('Stripe fake: a payout is the sum of its transactions, two days later', async () => {
  const { stripe, clock } = await payAndRefund();
  expect((await stripe.payouts.list()).data).toEqual([]);
  clock.advance(3 * day * 1000);
  const [payout] = (await stripe.payouts.list()).data;
  expect(payout).toMatchObject({ automatic: true, status: 'paid', amount: 3853 + 1717 - 100 });
  const paid = await stripe.balanceTransactions.list({ payout: payout?.id ?? '' });
  expect(paid.data.reduce((sum, { net }) => sum + net, 0)).toBe(payout?.amount);
});

test('Stripe fake: lists the events that no webhook delivered', async () => {
  let isUp = false;
  const line = webhooks({
    secret: 'whsec_contract',
    url: 'https://funnel.example/webhooks/stripe',
    handle: () => new Response(null, { status: isUp ? 200 : 503 }),
  });
  const on = await harness({ onEvent: line.onEvent });
  await buyPlan(on, builtInCatalog.planOf('monthly', 'USD'));
  await line.flush();
  const missed = { delivery_success: false, types: ['invoice.paid'], limit: 100 };
  const before = await on.stripe.events.list(missed);
  expect(before.data.map(({ type }) => type)).toEqual(['invoice.paid']);
  isUp = true;
  await line.flush();
  expect((await on.stripe.events.list(missed)).data).toEqual([]);
  expect((await on.stripe.events.list({ types: ['invoice.paid'] })).data).toHaveLength(1);
});
