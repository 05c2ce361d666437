import { expect, test } from 'vitest';
import { webhookEvents } from '../../../../worker/payments/gateways/index.ts';
import readme from '../../../../worker/payments/gateways/README.md?raw';
import { deliveries } from '../../../fakes/deliveries.ts';

/** The events in the README's table of endpoints. */
function registered(path: string): string[] {
  const row = readme.split('\n').find((line) => line.includes(`| \`${path}\``)) ?? '';
  const [, , , events = ''] = row.split('|');
  return [...events.matchAll(/`([\w.]+)`/g)].map(([, event = '']) => event);
}

test('webhooks: the README lists exactly the events that are handled', () => {
  expect(registered('/webhooks/stripe')).toEqual(webhookEvents.stripe);
  expect(registered('/webhooks/braintree')).toEqual(webhookEvents.braintree);
});

test('webhooks: the fakes deliver these events and no other', async () => {
  const posted: string[] = [];
  const post = async (url: string) => {
    posted.push(url);
    return new Response();
  };
  const delivery = deliveries();
  delivery.to({ origin: 'http://funnel.test', secret: 'whsec', post });
  const event = (type: string) => ({ id: 'evt', object: 'event', type, data: { object: {} } });
  for (const type of [...webhookEvents.stripe, 'payment_intent.created', 'charge.succeeded']) {
    await delivery.onEvent(event(type) as never);
  }
  for (const kind of [...webhookEvents.braintree, 'check', 'disbursement']) {
    await delivery.onWebhook({ kind, bt_signature: 's', bt_payload: 'p' });
  }
  const count = (gateway: string) => posted.filter((url) => url.endsWith(gateway)).length;
  expect([count('stripe'), count('braintree')]).toEqual([
    webhookEvents.stripe.length,
    webhookEvents.braintree.length,
  ]);
});
