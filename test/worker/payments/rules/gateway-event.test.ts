import { expect, test } from 'vitest';
import { isGatewayEvent } from '../../../../worker/payments/rules/gateway-event.ts';

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
