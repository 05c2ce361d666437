import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { buyPlan, harness, numbers, refusal } from './harness.ts';
import { type WebhookOptions, webhooks } from './webhooks.ts';

const secret = 'whsec_contract';

/** A month of one subscription, sent to an endpoint that verifies with the official client. */
async function openDispute(more: Partial<WebhookOptions> = {}) {
  const events: Stripe.Event[] = [];
  const clock = { now: () => 0 };
  const line = webhooks({
    secret,
    url: 'https://funnel.example/api/v1/webhooks/stripe',
    now: () => clock.now(),
    random: numbers(0.9),
    handle: async (request) => {
      const signature = request.headers.get('stripe-signature') ?? '';
      const body = await request.text();
      const provider = Stripe.createSubtleCryptoProvider();
      const event = await Stripe.webhooks.constructEventAsync(
        body,
        signature,
        secret,
        undefined,
        provider,
        clock.now(),
      );
      events.push(event);
      return new Response(null, { status: 200 });
    },
    ...more,
  });
  const on = await harness({ onEvent: line.onEvent });
  clock.now = on.clock.now;
  await buyPlan(on, builtInCatalog.planOf('monthly', 'USD'));
  on.clock.until(on.clock.now() + 32 * 86_400_000);
  return { ...on, line, events };
}

const ids = (events: { id: string }[]) => events.map(({ id }) => id);
test('Stripe fake: the official client verifies every event, in order', async () => {
  const { line, events, fake } = await openDispute();
  expect(await line.flush()).toBe(0);
  expect(ids(events)).toEqual(ids(Object.values(fake.state.events)));
  expect(events.filter(({ type }) => type === 'invoice.paid')).toHaveLength(2);
  expect(await line.flush()).toBe(0);
  expect(events).toHaveLength(Object.keys(fake.state.events).length);
});

test('Stripe fake: a refused event is retried', async () => {
  const accepted: string[] = [];
  let attempts = 0;
  const { line, fake } = await openDispute({
    handle: async (request) => {
      attempts += 1;
      if (attempts % 3 === 0) throw new Error('down');
      if (attempts % 3 === 1) return new Response(null, { status: 503 });
      accepted.push((await request.json()).id);
      return new Response(null, { status: 204 });
    },
  });
  expect(await line.flush()).toBeGreaterThan(5);
  while ((await line.flush()) > 0);
  expect(accepted.sort()).toEqual(ids(Object.values(fake.state.events)).sort());
});

test('Stripe fake: events are duplicated, reordered or dropped as configured', async () => {
  const twice = await openDispute({ duplicate: 1 });
  await twice.line.flush();
  expect(twice.events).toHaveLength(2 * new Set(ids(twice.events)).size);
  const mixed = await openDispute({ shuffle: true });
  await mixed.line.flush();
  const all = ids(Object.values(mixed.fake.state.events));
  expect(ids(mixed.events)).not.toEqual(all);
  expect(ids(mixed.events).sort()).toEqual(all.sort());
  const never = await openDispute({ drop: 1 });
  expect(await never.line.flush()).toBe(0);
  expect(never.events).toEqual([]);
});

async function buyMonthly() {
  const on = await harness();
  return { ...on, ...(await buyPlan(on, builtInCatalog.planOf('monthly', 'USD'))) };
}

const disputeEvents = ({ fake }: Awaited<ReturnType<typeof buyMonthly>>) =>
  Object.values(fake.state.events)
    .map(({ type }) => type)
    .filter((type) => type.startsWith('charge.dispute'));
describe('Stripe fake: a dispute', () => {
  test.each([
    ['won', 'winning_evidence', ['charge.dispute.funds_reinstated']],
    ['lost', 'losing_evidence', []],
  ])('is %s by %s', async (status, uncategorized_text, more) => {
    const on = await buyMonthly();
    const { stripe, intent } = on;
    await stripe.refunds.create({ payment_intent: intent, amount: 1000 });
    const id = on.fake.dispute(intent, 'product_not_received');
    const open = await stripe.disputes.list({ payment_intent: intent });
    expect(open.data).toMatchObject([
      { id, amount: 2999, status: 'needs_response', reason: 'product_not_received' },
    ]);
    const charges = await stripe.charges.list({ payment_intent: intent });
    expect(charges.data).toMatchObject([{ disputed: true }]);
    const refused = await refusal(stripe.refunds.create({ payment_intent: intent }));
    expect(refused.code).toBe('charge_disputed');
    const closed = await stripe.disputes.update(id, { evidence: { uncategorized_text } });
    expect(closed.status).toBe(status);
    expect(disputeEvents(on)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      ...more,
      'charge.dispute.closed',
    ]);
    expect((await refusal(stripe.disputes.close(id))).statusCode).toBe(400);
  });

  test('a closed dispute is lost; a charge can be disputed once', async () => {
    const on = await buyMonthly();
    const id = on.fake.dispute(on.intent);
    expect(() => on.fake.dispute(on.intent)).toThrow('cannot be disputed');
    expect((await on.stripe.disputes.close(id)).status).toBe('lost');
  });

  test('is opened by the test cards for disputes', async () => {
    const on = await harness();
    await on.stripe.paymentIntents.create({
      amount: 1799,
      currency: 'eur',
      customer: on.customer,
      payment_method: 'pm_card_createDispute',
      confirm: true,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    });
    const { data } = await on.stripe.disputes.list();
    expect(data).toMatchObject([{ amount: 1799, reason: 'fraudulent' }]);
    const [{ created = 0, evidence_details: details } = {}] = data;
    expect(details).toMatchObject({ due_by: created + 9 * 86_400, submission_count: 0 });
  });
});

test('Stripe fake: a fraud warning is actionable until the payment is refunded', async () => {
  const { stripe, intent, fake } = await buyMonthly();
  fake.warnOfFraud(intent);
  const warnings = () => stripe.radar.earlyFraudWarnings.list({ payment_intent: intent });
  expect((await warnings()).data).toMatchObject([{ actionable: true, payment_intent: intent }]);
  await stripe.refunds.create({ payment_intent: intent });
  expect((await warnings()).data).toMatchObject([{ actionable: false }]);
});

test('Stripe fake: an inquiry withdraws no money, and the charge can be refunded', async () => {
  const on = await harness();
  const { id } = await on.stripe.paymentIntents.create({
    amount: 1799,
    currency: 'eur',
    payment_method: 'pm_card_createDisputeInquiry',
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
  const [dispute] = (await on.stripe.disputes.list({ payment_intent: id })).data;
  expect(dispute).toMatchObject({ status: 'warning_needs_response', is_charge_refundable: true });
  await on.stripe.refunds.create({ payment_intent: id, amount: 799 });
  expect((await on.stripe.disputes.close(dispute?.id ?? '')).status).toBe('warning_closed');
});

test('Stripe fake: a refund returned by the bank has failed, and the money is back in the balance', async () => {
  const on = await buyMonthly();
  const { stripe, intent } = on;
  const { id } = await stripe.refunds.create({ payment_intent: intent, amount: 3999 });
  on.fake.failRefund(id);
  const charges = { customer: on.customer, expand: ['data.refunds'] };
  expect((await stripe.charges.list(charges)).data).toMatchObject([
    { amount_refunded: 0, refunded: false, refunds: { data: [{ id, status: 'failed' }] } },
  ]);
});

test('Stripe fake: a charge includes its ten newest refunds, and `has_more`', async () => {
  const { stripe, intent, customer } = await buyMonthly();
  for (let i = 1; i <= 11; i++) await stripe.refunds.create({ payment_intent: intent, amount: i });
  const { data } = await stripe.charges.list({ customer, expand: ['data.refunds'] });
  expect(data[0]?.refunds?.data.map(({ amount }) => amount)).toEqual([
    11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
  ]);
  expect(data[0]?.refunds?.has_more).toBe(true);
});
