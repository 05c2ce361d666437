import { afterAll, expect, test } from 'vitest';
import { fakeTarget } from './harness.ts';

const target = await fakeTarget();
afterAll(() => target.close());

async function subscribe(change: object) {
  const { sdk } = target;
  const made = await sdk.customer.create({ paymentMethodNonce: 'fake-valid-nonce' });
  const sale = await sdk.transaction.sale({
    amount: '6.99',
    paymentMethodNonce: 'fake-valid-nonce',
    customerId: made.customer.id,
    // Otherwise the next test's sale is a duplicate of this one.
    orderId: crypto.randomUUID(),
    options: { storeInVaultOnSuccess: true },
  });
  return sdk.subscription.create({
    paymentMethodToken: sale.transaction.creditCard?.token ?? '',
    planId: 'upsell_monthly_999_usd',
    price: '9.99',
    trialPeriod: true,
    trialDuration: 1,
    trialDurationUnit: 'month',
    ...change,
  });
}

test('Braintree fake: the official client lists the discounts of the control panel', async () => {
  const { discounts } = (await target.sdk.discount.all()) as unknown as {
    discounts: { id: string; amount: string }[];
  };
  expect(discounts.map(({ id, amount }) => [id, amount])).toEqual([['UPSELL30', '1.00']]);
});

test.each([
  [{ inheritedFromId: 'UPSELL30', amount: '3.00', neverExpires: true }, '6.99'],
  [{ inheritedFromId: 'UPSELL30' }, '8.99'],
])('a discount that the official client adds as %j makes the next bill %s', async (add, next) => {
  const { subscription } = await subscribe({ discounts: { add: [add] } });
  expect(subscription).toMatchObject({ price: '9.99', nextBillingPeriodAmount: next });
  expect(subscription.discounts).toMatchObject([{ id: 'UPSELL30' }]);
});

test('Braintree fake: a discount that the control panel does not have is refused', async () => {
  const refused = await subscribe({ discounts: { add: [{ inheritedFromId: 'NONE' }] } });
  expect(refused.success).toBe(false);
  expect(refused.errors.deepErrors().map(({ code }) => code)).toEqual(['92013']);
});
