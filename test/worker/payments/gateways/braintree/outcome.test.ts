import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../../worker/catalog/rules/catalog.ts';
import {
  minorUnits,
  type Sale,
  verdictOf,
} from '../../../../../worker/payments/gateways/braintree/outcome.ts';
import type { ChargeRequest } from '../../../../../worker/payments/purchase/gateway.ts';
import { paymentIdOf } from '../../../../../worker/platform/types.ts';

const plan = builtInCatalog.planOf('monthly_7d', 'EUR');
const request = { customerId: 'c', attempt: { id: 'a', amount: 699 } } as ChargeRequest;

const verdict = (change: Partial<Sale>) =>
  verdictOf(
    {
      id: 't',
      legacyId: paymentIdOf('l'),
      orderId: 'a',
      status: 'SUBMITTED_FOR_SETTLEMENT',
      amount: { value: '6.99', currencyCode: 'EUR' },
      customer: { id: 'c' },
      paymentMethod: null,
      processorResponse: null,
      statusHistory: [],
      refunds: [],
      ...change,
    },
    request,
    plan,
  );
const response = (legacyCode: string, message = 'text') => ({
  status: 'PROCESSOR_DECLINED',
  processorResponse: { legacyCode, message },
});

test.each([
  ['6.99', 699],
  ['0.07', 7],
  ['17.99', 1799],
  ['4', 400],
])('Braintree amounts: %s is %i in minor units', (text, sum) => {
  expect(minorUnits(text, 'USD')).toBe(sum);
});

test.each([
  'SUBMITTED_FOR_SETTLEMENT',
  'SETTLING',
  'SETTLEMENT_CONFIRMED',
  'SETTLEMENT_PENDING',
  'SETTLED',
])('Braintree verdict: %s is paid', (status) => {
  expect(verdict({ status })).toEqual({ kind: 'paid' });
});

test.each(['AUTHORIZING', 'AUTHORIZED', 'AUTHORIZATION_EXPIRED', 'a status of next year'])(
  'Braintree verdict: %s is not definite',
  (status) => expect(verdict({ status })).toEqual({ kind: 'unknown' }),
);

test('Braintree verdict: a fully refunded or voided sale is reversed', () => {
  const refunds = [{ orderId: null, status: 'SETTLED', amount: { value: '6.99' } }];
  expect(verdict({ refunds })).toEqual({ kind: 'reversed', reason: 'refunded' });
  const failed = [{ orderId: null, status: 'PROCESSOR_DECLINED', amount: { value: '6.99' } }];
  expect(verdict({ refunds: failed })).toEqual({ kind: 'paid' });
  const part = [{ orderId: null, status: 'SETTLED', amount: { value: '2.00' } }];
  expect(verdict({ refunds: part })).toEqual({ kind: 'paid' });
  expect(verdict({ status: 'VOIDED' })).toEqual({ kind: 'reversed', reason: 'voided' });
});

test.each([
  ['2001', 'insufficient_funds'],
  ['2004', 'expired_card'],
  ['2005', 'incorrect_number'],
  ['2010', 'incorrect_cvc'],
  ['2000', 'generic_decline'],
  ['2999', 'generic_decline'],
])(
  'Braintree verdict: the processor code %s is shown as %s, with the processor’s message',
  (code, declineCode) => {
    expect(verdict(response(code))).toEqual({
      kind: 'declined',
      declineCode,
      processorResponse: 'text',
    });
  },
);

test.each(['2012', '2013', '2014', '2047', '2053'])(
  'Braintree verdict: the meaning of %s is not disclosed',
  (code) => {
    expect(verdict(response(code, 'Possible Stolen Card'))).toEqual({
      kind: 'declined',
      declineCode: 'generic_decline',
      processorResponse: 'Declined',
    });
  },
);

test('Braintree verdict: a soft decline and a 3-D Secure rejection ask for verification', () => {
  expect(verdict(response('2099'))).toEqual({ kind: 'needs_verification' });
  const statusHistory = [{}, { gatewayRejectionReason: 'THREE_D_SECURE' }];
  expect(verdict({ status: 'GATEWAY_REJECTED', statusHistory })).toEqual({
    kind: 'needs_verification',
  });
});

test.each([
  ['FRAUD', 'generic_decline'],
  ['RISK_THRESHOLD', 'generic_decline'],
  ['CVV', 'incorrect_cvc'],
  ['AVS', 'generic_decline'],
])(
  'Braintree verdict: a gateway rejection for %s is a decline',
  (gatewayRejectionReason, declineCode) => {
    const statusHistory = [{ gatewayRejectionReason }];
    expect(verdict({ status: 'GATEWAY_REJECTED', statusHistory })).toMatchObject({
      kind: 'declined',
      declineCode,
    });
  },
);

test('Braintree verdict: a failure at the processor or at settlement is a decline', () => {
  for (const status of ['FAILED', 'SETTLEMENT_DECLINED'])
    expect(verdict({ status })).toMatchObject({ kind: 'declined' });
});

test.each([
  ['order', { orderId: 'b' }],
  ['order, none', { orderId: null }],
  ['customer', { customer: { id: 'd' } }],
  ['customer, none', { customer: null }],
  ['amount', { amount: { value: '6.98', currencyCode: 'EUR' } }],
  ['currency', { amount: { value: '6.99', currencyCode: 'USD' } }],
])('Braintree verdict: a transaction of another %s is rejected', (_, change) => {
  const foreign = { kind: 'rejected', reason: 'foreign transaction' };
  // Money that was captured is reported.
  const keptCapture = { paymentId: expect.any(String), amount: expect.any(Number) };
  expect(verdict(change)).toEqual({ ...foreign, keptCapture });
  expect(verdict({ ...change, status: 'VOIDED' })).toEqual(foreign);
});
