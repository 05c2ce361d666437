import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  braintreeStates,
  isGatewayEvent,
  providerState,
  stripeStates,
} from '../../../../worker/payments/purchase/gateway.ts';

const sdk = (file: string) => readFileSync(`node_modules/${file}`, 'utf8');

test('provider status: each status of Stripe has a state', () => {
  const types = sdk('stripe/esm/resources/Subscriptions.d.ts');
  const [line = ''] = /Possible values are `incomplete`.*/.exec(types) ?? [];
  const statuses = [...line.matchAll(/`(\w+)`/g)].map(([, status]) => status);
  expect(statuses.sort()).toEqual(Object.keys(stripeStates).sort());
});

test('provider status: each status of Braintree has a state', () => {
  const source = sdk('braintree/lib/braintree/subscription.js');
  const [, list = ''] = /\.Status = \{([^}]*)\}/.exec(source) ?? [];
  const statuses = [...list.matchAll(/: "([\w ]+)"/g)].map(([, status]) => status);
  expect(statuses.sort()).toEqual(Object.keys(braintreeStates).sort());
});

test.each([
  ['trialing', 'active'],
  ['active', 'active'],
  ['incomplete', 'past_due'],
  ['past_due', 'past_due'],
  ['unpaid', 'lapsed'],
  ['paused', 'past_due'],
  ['incomplete_expired', 'ended'],
  ['canceled', 'ended'],
  ['a word of next year', 'past_due'],
  ['constructor', 'past_due'],
])('provider status: Stripe’s %s is %s', (word, state) => {
  expect(providerState(stripeStates, word)).toBe(state);
});

test.each([
  ['Pending', 'active'],
  ['Active', 'active'],
  ['Past Due', 'past_due'],
  ['Canceled', 'ended'],
  ['Expired', 'ended'],
])('provider status: Braintree’s %s is %s', (word, state) => {
  expect(providerState(braintreeStates, word)).toBe(state);
});

const event = {
  gateway: 'stripe',
  id: 'evt',
  type: 'invoice.paid',
  account: null,
  attempt: null,
  customerId: 'cus',
  subscriptionId: null,
  paymentId: null,
};

test('gateway event: incomplete messages are refused', () => {
  expect(isGatewayEvent(event)).toBe(true);
  for (const name of Object.keys(event)) {
    const { [name as keyof typeof event]: _, ...rest } = event;
    expect([name, isGatewayEvent(rest)]).toEqual([name, false]);
    expect([name, isGatewayEvent({ ...event, [name]: 5 })]).toEqual([name, false]);
  }
  expect(isGatewayEvent(null)).toBe(false);
});
