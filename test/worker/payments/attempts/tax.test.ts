import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import { receiptViews } from '../../../../worker/payments/notices/receipt.ts';
import { includedTax } from '../../../../worker/payments/purchase/tax.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { receivedPurchase } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { type Minor, minor } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { bankPurchase } from '../bank-fixture.ts';
import {
  buy,
  buyer,
  captureLogEvents,
  dayMs,
  type Fetch,
  gateways,
  recordEmails,
  runAlarm,
  type Stub,
  stubGateways,
} from '../payments-fixture.ts';

const variables = { STRIPE_TAX: 'true', BRAINTREE_TAX_RATES: '{"DE":1900,"us":0}' };

/** The variables of every object in this file; an object keeps its first environment. */
const changed: Env[] = [];
afterEach(() => {
  for (const one of changed.splice(0)) {
    for (const name of Object.keys(variables)) delete one[name as keyof typeof variables];
  }
});

const calculateTax = (stub: Stub) =>
  runInDurableObject(stub, (object: Purchases) => {
    const { env: objectEnv } = object as unknown as { env: Env };
    changed.push(Object.assign(objectEnv, variables));
  });

const inGermany = { country: 'DE', market: 'euro', ip: '203.0.113.7' } as const;
const nowhere = { country: 'DE', market: 'euro', ip: '192.0.2.1' } as const;

/** An account that buys with tax; its clock and both gateways stand still. */
async function taxedBuyer(change: Partial<Purchase> = {}, wrap?: (next: Fetch) => Fetch) {
  vi.useFakeTimers({ toFake: ['Date'] });
  const fakes = stubGateways({ ...(wrap && { wrap }) });
  const nonce = approved[change.gateway ?? 'stripe'];
  const { stub, purchase } = buyer({ nonce, taxLocation: inGermany, ...change });
  await calculateTax(stub);
  return { fakes, stub, purchase, attempt: await buy(stub, purchase) };
}

const rowsOf = (stub: Stub) =>
  runInDurableObject(stub, (_, state) =>
    new PurchaseStorage(state.storage.kv as never)
      .rows()
      .map(({ kind, amount, tax }) => [kind, amount, tax]),
  );

const copiesOf = async (account: string) => {
  const { results } = await env.DB.prepare(
    'SELECT kind, amount, tax FROM ledger WHERE account_id = ? ORDER BY occurred_at, kind',
  )
    .bind(account)
    .all();
  return results.map((row) => Object.values(row));
};

const at19 = (gross: number) => includedTax(minor(gross), 1900);

test.each(gateways)(
  'tax at %s: the first payment, a renewal and a partial refund have their tax in the ledger, D1 and receipts',
  async (gateway) => {
    const { fakes, stub, purchase, attempt } = await taxedBuyer({
      gateway,
      plan: 'monthly_7d_eur',
    });
    expect(attempt.state).toBe('active');
    expect(attempt.taxLocation).toEqual({ ...inGermany, ip: null });
    expect(await rowsOf(stub)).toEqual([['capture', 699, at19(699)]]);
    vi.setSystemTime(Date.now() + 9 * dayMs);
    fakes.stripe.passTime();
    await stub.sync();
    await runAlarm(stub);
    const renewal = ['capture', 3999, at19(3999)];
    expect(await rowsOf(stub)).toEqual([['capture', 699, at19(699)], renewal]);
    const [one] = await stub.ownedSubscriptions();
    if (!one) throw new Error('nothing bought');
    const paid = one.rows.find(({ amount }) => amount === 3999);
    vi.setSystemTime(Date.now() + 2 * dayMs);
    await stub.refund(paid?.paymentId as never, 1000 as Minor, 'refund-1');
    vi.setSystemTime(Date.now() + dayMs);
    await runAlarm(stub);
    const back = ['refund', 1000, 160];
    expect(await rowsOf(stub)).toEqual([['capture', 699, at19(699)], renewal, back]);
    expect(await copiesOf(purchase.account)).toEqual(await rowsOf(stub));
    const [after] = await stub.ownedSubscriptions();
    const [newest, first] = after ? receiptViews(receivedPurchase(after)) : [];
    expect([newest?.tax, newest?.refunds.map(({ tax }) => tax)]).toEqual([at19(3999), [160]]);
    expect([first?.tax, first?.refunds]).toEqual([at19(699), []]);
  },
);

test.each(gateways)(
  'tax at %s: an upgrade has its tax in the ledger, the receipt and the e-mail',
  async (gateway) => {
    const { stub, attempt } = await taxedBuyer({ gateway, plan: 'monthly_eur' });
    const emails = await recordEmails(stub);
    const request = { kind: 'upgrade', plan: 'quarterly_eur', months: 1 } as const;
    const quote = await stub.quoteChange(attempt.id, request);
    if (quote.kind !== 'quoted') throw new Error(quote.refusal);
    await stub.confirmChange(attempt.id, quote.change.id);
    for (let run = 0; run < 3; run++) await runAlarm(stub);
    const { amount: paid, credit } = quote.change;
    // Stripe calculates the tax of each line of the invoice.
    const tax = gateway === 'stripe' ? at19(paid + credit) - at19(credit) : at19(paid);
    expect(tax).toBeGreaterThan(0);
    expect(await rowsOf(stub)).toContainEqual(['capture', paid, tax]);
    const [one] = await stub.ownedSubscriptions();
    const receipt =
      one && receiptViews(receivedPurchase(one)).find(({ amount }) => amount === paid);
    expect(receipt?.tax).toBe(tax);
    expect(emails.ofTemplate('plan_change')).toMatchObject([{ data: { paid, tax } }]);
  },
);

test('tax at Stripe: subscriptions calculate it, from prices that include it, by the customer’s IP address', async () => {
  const { fakes, attempt } = await taxedBuyer({ plan: 'monthly_eur' });
  const subscription = fakes.stripe.state.subscriptions[attempt.subscriptionId ?? ''];
  expect(subscription?.automatic_tax.enabled).toBe(true);
  expect(subscription?.items.data[0]?.price.tax_behavior).toBe('inclusive');
  expect(Object.values(fakes.stripe.state.customer_ips)).toEqual([inGermany.ip]);
  expect(fakes.captured()).toMatchObject([{ amount: 3999 }]);
});

test('tax at Stripe: a debit has its tax in the ledger once the bank has paid', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const fakes = stubGateways();
  const paid = await bankPurchase(fakes.stripe, 'sepa_debit');
  const { stub, purchase } = buyer({ ...paid, taxLocation: inGermany });
  await calculateTax(stub);
  expect((await buy(stub, purchase)).state).toBe('processing');
  expect(await rowsOf(stub)).toEqual([]);
  vi.setSystemTime(Date.now() + 5 * dayMs);
  fakes.stripe.passTime();
  await stub.sync();
  await runAlarm(stub);
  expect(await rowsOf(stub)).toEqual([['capture', 3999, at19(3999)]]);
  expect(await copiesOf(purchase.account)).toEqual(await rowsOf(stub));
  const [one] = await stub.ownedSubscriptions();
  expect(
    one && receiptViews(receivedPurchase(one)).map(({ amount, tax }) => [amount, tax]),
  ).toEqual([[3999, at19(3999)]]);
});

test('tax at Stripe: a single payment names its calculation', async () => {
  const { fakes, stub, purchase } = await taxedBuyer({ plan: 'monthly_eur' });
  const guide = await buy(stub, { ...purchase, plan: 'guide_1799_eur', nonce: null });
  expect(guide.charge).toMatchObject({ amount: 1799, tax: at19(1799) });
  const intent = fakes.stripe.state.payment_intents[guide.charge?.paymentId ?? ''];
  const calculation = intent?.hooks?.inputs?.tax?.calculation ?? '';
  expect(fakes.stripe.state.tax_calculations[calculation]).toMatchObject({
    amount_total: 1799,
    tax_amount_inclusive: at19(1799),
  });
  await stub.sync();
  expect(await rowsOf(stub)).toContainEqual(['capture', 1799, at19(1799)]);
});

test.each([
  ['monthly_eur', 'monthly_eur'],
  ['a single payment', 'guide_1799_eur'],
])('tax at Stripe, %s: an unrecognized place stops no purchase', async (_, plan) => {
  const { fakes, stub, purchase, attempt } = await taxedBuyer({
    plan: 'monthly_eur',
    taxLocation: nowhere,
  });
  const logged = captureLogEvents();
  const bought =
    plan === 'monthly_eur' ? attempt : await buy(stub, { ...purchase, plan, nonce: null });
  expect([bought.state, bought.isUntaxed]).toEqual(['active', true]);
  if (plan !== 'monthly_eur') expect(logged()).toContain('tax_not_calculated');
  expect(Object.values(fakes.stripe.state.subscriptions)).toHaveLength(1);
  await stub.sync();
  for (const [, , tax] of await rowsOf(stub)) expect(tax).toBeUndefined();
  const [one] = await stub.ownedSubscriptions();
  expect(one && receiptViews(receivedPurchase(one)).map(({ tax }) => tax)).toEqual([null]);
});

test('tax at Stripe: replies lost around a refused place make one subscription, without tax', async () => {
  let calls = 0;
  const losing =
    (next: Fetch): Fetch =>
    async (input, init) => {
      const request = new Request(input, init);
      const isCreation = request.method === 'POST' && request.url.endsWith('/v1/subscriptions');
      const response = await next(request);
      if (isCreation) calls += 1;
      // The refusal arrives, the reply to the second creation does not.
      if (isCreation && calls === 2) throw new TypeError('lost');
      return response;
    };
  const { fakes, stub, attempt } = await taxedBuyer(
    { plan: 'monthly_eur', taxLocation: nowhere },
    losing,
  );
  expect([attempt.state, attempt.isUntaxed]).toEqual(['active', true]);
  expect(Object.values(fakes.stripe.state.subscriptions)).toHaveLength(1);
  expect(await rowsOf(stub)).toEqual([['capture', 3999, undefined]]);
});

test('tax at Stripe: a renewal whose place is no longer recognized is charged without tax', async () => {
  const { fakes, stub } = await taxedBuyer({ plan: 'monthly_eur' });
  fakes.stripe.state.customer_ips = {};
  vi.setSystemTime(Date.now() + 32 * dayMs);
  fakes.stripe.passTime();
  await stub.sync();
  expect(await rowsOf(stub)).toEqual([
    ['capture', 3999, at19(3999)],
    ['capture', 3999, undefined],
  ]);
});

test('tax at Braintree: the sale contains its tax amount, and none in a market without a rate', async () => {
  const { fakes, attempt } = await taxedBuyer({ gateway: 'braintree', plan: 'monthly_eur' });
  const sale = () => fakes.braintree.state.transactions[attempt.charge?.paymentId ?? ''];
  expect(sale()).toMatchObject({ amount: 3999, tax: at19(3999) });
  const { fakes: others, attempt: untaxed } = await taxedBuyer({
    gateway: 'braintree',
    plan: 'monthly_eur',
    taxLocation: { ...inGermany, country: 'FR' },
  });
  const other = others.braintree.state.transactions[untaxed.charge?.paymentId ?? ''];
  expect([other?.tax, untaxed.charge?.tax]).toEqual([null, undefined]);
});

test('tax: off by default, nothing is sent, stored or shown', async () => {
  const fakes = stubGateways();
  const { stub, purchase } = buyer({ plan: 'monthly_eur' });
  const attempt = await buy(stub, purchase);
  expect([attempt.taxLocation, attempt.isUntaxed]).toEqual([null, false]);
  const subscription = fakes.stripe.state.subscriptions[attempt.subscriptionId ?? ''];
  expect(subscription?.automatic_tax.enabled).toBe(false);
  expect(subscription?.items.data[0]?.price.tax_behavior).toBe('unspecified');
  expect(await rowsOf(stub)).toEqual([['capture', 3999, undefined]]);
});
