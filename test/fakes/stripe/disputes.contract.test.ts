import { describe, expect, test } from 'vitest';
import { planOf } from '../../../worker/catalog/plans.ts';
import { buyPlan, harness, refusal } from './harness.ts';

async function bought() {
  const on = await harness();
  return { ...on, ...(await buyPlan(on, planOf('monthly', 'USD'))) };
}

const disputeEvents = ({ fake }: Awaited<ReturnType<typeof bought>>) =>
  Object.values(fake.state.events)
    .map(({ type }) => type)
    .filter((type) => type.startsWith('charge.dispute'));

describe('Stripe fake: a dispute', () => {
  test.each([
    ['won', 'winning_evidence', ['charge.dispute.funds_reinstated']],
    ['lost', 'losing_evidence', []],
  ])('is %s by %s', async (status, uncategorized_text, more) => {
    const on = await bought();
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

  test('that is closed is lost; a charge is disputed once', async () => {
    const on = await bought();
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
  });
});

test('Stripe fake: an inquiry withdraws nothing, and the charge can be refunded', async () => {
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

test('Stripe fake: a refund that the bank returns has failed, and the money is back', async () => {
  const on = await bought();
  const { stripe, intent } = on;
  const { id } = await stripe.refunds.create({ payment_intent: intent, amount: 3999 });
  on.fake.failRefund(id);
  const charges = { customer: on.customer, expand: ['data.refunds'] };
  expect((await stripe.charges.list(charges)).data).toMatchObject([
    { amount_refunded: 0, refunded: false, refunds: { data: [{ id, status: 'failed' }] } },
  ]);
});

test('Stripe fake: a charge includes its ten newest refunds, and `has_more`', async () => {
  const { stripe, intent, customer } = await bought();
  for (let i = 1; i <= 11; i++) await stripe.refunds.create({ payment_intent: intent, amount: i });
  const { data } = await stripe.charges.list({ customer, expand: ['data.refunds'] });
  expect(data[0]?.refunds?.data.map(({ amount }) => amount)).toEqual([
    11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
  ]);
  expect(data[0]?.refunds?.has_more).toBe(true);
});
