import { env } from 'cloudflare:test';
import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { accessUntil, stateOf } from '../../../../worker/payments/purchase/subscription.ts';
import { receivedPurchase } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import { takeUnannounced } from '../announced-audit.ts';
import { dayMs, hourMs, owner, runAlarm } from '../payments-fixture.ts';

type Owner = Awaited<ReturnType<typeof owner>>;

/** The operator's client of the fake. */
const dashboard = ({ fakes }: Owner) =>
  new Stripe(env.STRIPE_SECRET_KEY ?? '', {
    httpClient: Stripe.createFetchHttpClient(fakes.stripe.fetch),
    maxNetworkRetries: 0,
    telemetry: false,
  });

const newestInvoice = ({ fakes }: Owner) => {
  const invoice = Object.values(fakes.stripe.state.invoices).at(-1);
  if (!invoice) throw new Error('no invoice');
  return invoice;
};

const useCard = ({ fakes }: Owner, card: string) => {
  const { cards } = fakes.stripe.state;
  for (const method of Object.keys(cards)) cards[method] = card;
};

const declineCards = (on: Owner) => useCard(on, 'pm_card_chargeCustomerFail');

const read = async (on: Owner) => {
  await on.stub.sync();
  await runAlarm(on.stub);
  const { subscription, rows } = receivedPurchase(await on.owned());
  return { subscription, rows, state: stateOf(subscription), until: accessUntil(subscription) };
};

/** A plan whose renewal was declined. */
async function unpaidOwner() {
  const on = await owner();
  declineCards(on);
  on.later(32);
  expect((await read(on)).state).toBe('past_due');
  return on;
}

describe('voided renewals', () => {
  test('a voided renewal is a gift: access to its period’s end, without a ledger row or an alarm', async () => {
    const on = await unpaidOwner();
    const invoice = newestInvoice(on);
    await dashboard(on).invoices.voidInvoice(invoice.id);
    const { subscription, rows, state } = await read(on);
    const end = (invoice.lines.data[0]?.period.end ?? 0) * 1000;
    expect([state, subscription.paidUntil, rows.length]).toEqual(['active', end, 1]);
    expect(subscription.failure?.outcome).toBe('waived');
    expect((await on.stub.entitlements()).active).toMatchObject([{ slot: 'main', reason: 'gift' }]);
    on.later(20);
    expect((await read(on)).state).toBe('active');
  });

  test.each([
    ['paid', 'pm_card_visa', 'active', 2],
    ['declined', 'pm_card_chargeCustomerFail', 'past_due', 1],
  ])('after a gift the next renewal is charged: %s', async (_, card, state, payments) => {
    const on = await unpaidOwner();
    await dashboard(on).invoices.voidInvoice(newestInvoice(on).id);
    const { until } = await read(on);
    useCard(on, card);
    on.later(32);
    const now = await read(on);
    expect([now.state, now.rows.length]).toEqual([state, payments]);
    expect(now.until >= until).toBe(true);
  });

  test('an uncollectible renewal ends the subscription with an e-mail, and its invoice is voided', async () => {
    const on = await unpaidOwner();
    const { id } = newestInvoice(on);
    await dashboard(on).invoices.markUncollectible(id);
    const { state, until } = await read(on);
    expect([state, until]).toEqual(['ended', 0]);
    on.wait(2 * 60_000);
    await runAlarm(on.stub);
    const { subscriptions, invoices } = on.fakes.stripe.state;
    expect(Object.values(subscriptions).map(({ status }) => status)).toEqual(['canceled']);
    expect(invoices[id]?.status).toBe('void');
    expect(on.emails.ofTemplate('cancellation')).toHaveLength(1);
    on.later(40);
    expect((await read(on)).rows).toHaveLength(1);
  });

  test.each([
    ['before we noticed', false],
    ['after we noticed', true],
  ])('a late payment of an uncollectible renewal is refunded: %s', async (_, noticed) => {
    const on = await unpaidOwner();
    const { id, customer } = newestInvoice(on);
    await dashboard(on).invoices.markUncollectible(id);
    if (noticed) await on.stub.sync();
    on.wait(hourMs);
    const method = await dashboard(on).paymentMethods.attach('pm_card_visa', {
      customer: String(customer),
    });
    await dashboard(on).invoices.pay(id, { payment_method: method.id });
    await read(on);
    on.wait(2 * 60_000);
    await runAlarm(on.stub);
    const { state, rows } = await read(on);
    expect([state, rows.map(({ kind }) => kind)]).toEqual([
      'ended',
      ['capture', 'capture', 'refund'],
    ]);
    // The buyer paid by hand after the e-mail about the end: operators are told.
    expect(takeUnannounced()).toHaveLength(noticed ? 1 : 0);
  });
});

describe('pause after a failed payment', () => {
  test('is read like past due: access for the days of grace, and a payment resumes', async () => {
    const on = await owner();
    on.fakes.stripe.settings.afterFailure = 'paused';
    declineCards(on);
    on.later(32);
    const late = await read(on);
    expect([late.state, late.until - (late.subscription.paidUntil ?? 0)]).toEqual([
      'past_due',
      7 * dayMs,
    ]);
    useCard(on, 'pm_card_visa');
    await dashboard(on).invoices.pay(newestInvoice(on).id);
    expect((await read(on)).state).toBe('active');
  });
});
