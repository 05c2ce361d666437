import { beforeEach, expect, it, vi } from 'vitest';
import { requestOf } from '../../../../islands/vendors/braintree/apple-pay.ts';
import { transactionOf } from '../../../../islands/vendors/braintree/google-pay.ts';
import { agreementOf } from '../../../../islands/vendors/braintree/paypal.ts';
import { sum } from '../wallet-sum.ts';

beforeEach(() => void vi.stubGlobal('location', new URL('https://funnel.test/checkout')));

const renews = (after = 0) => new Date(Date.UTC(2026, 10 + after, 27));
const lowered = { ...sum, renewal: 2999, later: { amount: 3999, times: 2 }, renews };
const [first, last, full] = [renews(), renews(1), renews(2)];

it('braintree sheets: Apple’s names the renewals that a coupon lowers, and the price after them', () => {
  const { trialBilling, regularBilling } = requestOf(lowered).recurringPaymentRequest;
  expect(trialBilling).toMatchObject({
    ...{ amount: '29.99', recurringPaymentStartDate: first, recurringPaymentEndDate: full },
  });
  expect(regularBilling).toMatchObject({ amount: '39.99', recurringPaymentStartDate: full });
  const plain = requestOf(sum).recurringPaymentRequest;
  expect(plain).not.toHaveProperty('trialBilling');
  expect(plain.regularBilling).toMatchObject({ amount: '39.99', recurringPaymentStartDate: first });
  const { trialBilling: free } = requestOf({ ...sum, today: 0 }).recurringPaymentRequest;
  expect(free).toMatchObject({ amount: '0.00', recurringPaymentEndDate: first });
});

it('braintree sheets: Google’s names each price with its first and last day', () => {
  const item = { priceStatus: 'FINAL', recurrencePeriod: 'MONTH', recurrencePeriodCount: 1 };
  const day = (at: Date | undefined) => at?.toISOString();
  expect(transactionOf(lowered, 'DE').recurrenceItems).toMatchObject([
    {
      ...item,
      ...{ price: '29.99', billingInitialDateTime: day(first), billingFinalDateTime: day(last) },
    },
    { ...item, price: '39.99', billingInitialDateTime: day(full) },
  ]);
  expect(transactionOf(sum, 'DE').recurrenceItems).toMatchObject([{ ...item, price: '39.99' }]);
});

it('braintree sheets: PayPal’s has a cycle for each price', () => {
  const cyclesOf = (one: typeof lowered | typeof sum) =>
    agreementOf(one).planMetadata.billingCycles.map((cycle) => [
      ...[cycle.sequence, cycle.trial, cycle.pricingScheme.price],
      'numberOfExecutions' in cycle ? cycle.numberOfExecutions : null,
    ]);
  expect(cyclesOf(lowered)).toEqual([
    [1, true, '6.99', 1],
    [2, true, '29.99', 2],
    [3, false, '39.99', null],
  ]);
  expect(cyclesOf(sum)).toEqual([
    [1, true, '6.99', 1],
    [2, false, '39.99', null],
  ]);
});
