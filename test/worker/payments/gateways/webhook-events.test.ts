import { expect, test } from 'vitest';
import { webhookEvents } from '../../../../worker/payments/gateways/webhook-events.ts';
import readme from '../../../../worker/README.md?raw';
import { deliveries } from '../../../fakes/deliveries.ts';

/** The events that the table of endpoints names. */
function registered(address: string): string[] {
  const row = readme.split('\n').find((line) => line.includes(`| \`${address}\``)) ?? '';
  const [, , , events = ''] = row.split('|');
  return [...events.matchAll(/`([\w.]+)`/g)].map(([, event = '']) => event);
}

test('the endpoints are registered for exactly the events that are handled', () => {
  expect(registered('/webhooks/stripe')).toEqual(webhookEvents.stripe);
  expect(registered('/webhooks/braintree')).toEqual(webhookEvents.braintree);
});

test('the stand-ins deliver these events and no other', async () => {
  const posted: string[] = [];
  const post = async (address: string) => {
    posted.push(address);
    return new Response();
  };
  const carrier = deliveries();
  carrier.to({ origin: 'http://funnel.test', secret: 'whsec', post });
  const event = (type: string) => ({ id: 'evt', object: 'event', type, data: { object: {} } });
  for (const type of [...webhookEvents.stripe, 'payment_intent.created', 'charge.succeeded']) {
    await carrier.onEvent(event(type) as never);
  }
  for (const kind of [...webhookEvents.braintree, 'check', 'disbursement']) {
    await carrier.onWebhook({ kind, bt_signature: 's', bt_payload: 'p' });
  }
  const count = (gateway: string) => posted.filter((one) => one.endsWith(gateway)).length;
  expect([count('stripe'), count('braintree')]).toEqual([
    webhookEvents.stripe.length,
    webhookEvents.braintree.length,
  ]);
});
