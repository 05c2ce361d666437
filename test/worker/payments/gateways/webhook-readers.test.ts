import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { webhookReaders } from '../../../../worker/payments/gateways/webhook-readers.ts';
import { webhookOf } from '../../../fakes/braintree/notifications.ts';
import { bodyOf, signed } from '../webhooks/signed-webhook.ts';

const at = Date.UTC(2026, 0, 1);
const hour = 3_600_000;
const merchant = { publicKey: 'fake_public', privateKey: 'fake_private' };
const names = {
  account: null,
  attempt: null,
  customerId: null,
  subscriptionId: null,
  paymentId: null,
};

/** A webhook of Braintree's about a subject, read so long after it was signed. */
async function braintree(subject: object, later = 0, more = {}) {
  const { bt_signature, bt_payload } = await webhookOf(merchant, 'kind', subject, at);
  const body = new URLSearchParams({ bt_signature, bt_payload, ...more }).toString();
  return webhookReaders.braintree(env, { body, headers: new Headers() }, at + later);
}

const stripe = async (object: object) => {
  const body = bodyOf(object, 'evt');
  const headers = new Headers({ 'stripe-signature': await signed(body) });
  return webhookReaders.stripe(env, { body, headers }, Date.now());
};

test.each<[string, object, object]>([
  ['an invoice', { object: 'invoice', customer: 'cus' }, { customerId: 'cus' }],
  ['a dispute', { object: 'dispute', payment_intent: 'pi' }, { paymentId: 'pi' }],
  ['our own', { object: 'subscription', metadata: { account: 'a' } }, { account: 'a' }],
])('Stripe: %s', async (_what, object, found) => {
  const event = { gateway: 'stripe', id: 'evt', type: 'invoice.paid', ...names, ...found };
  expect(await stripe(object)).toEqual(event);
});

test.each<[string, object, object]>([
  ['a dispute', { dispute: { transaction: { id: 'tx' } } }, { paymentId: 'tx' }],
  ['a sale', { transaction: { id: 'tx', 'order-id': 'a' } }, { paymentId: 'tx', attempt: 'a' }],
])('Braintree: %s', async (_what, subject, found) => {
  const event = await braintree(subject);
  expect(event).toEqual({
    gateway: 'braintree',
    id: expect.stringMatching(/^[\da-f]{64}$/),
    type: 'kind',
    ...names,
    ...found,
  });
  expect((await braintree(subject, hour))?.id).toBe(event?.id);
});

test('Braintree sends for a day what it signed once, not longer, and not before', async () => {
  const subject = { transaction: { id: 'tx' } };
  const taken = async (later: number) => (await braintree(subject, later)) !== null;
  expect(await taken(24 * hour + 300_000)).toBe(true);
  expect(await taken(24 * hour + 300_001)).toBe(false);
  expect([await taken(-300_000), await taken(-300_001)]).toEqual([true, false]);
});

test('Braintree: what is not signed with our key, or can not be read, is nothing', async () => {
  const subject = { transaction: { id: 'tx' } };
  expect(await braintree(subject, 0, { bt_signature: 'fake_public|00' })).toBeNull();
  expect(await braintree(subject, 0, { bt_signature: '' })).toBeNull();
  const other = await webhookOf(merchant, 'kind', { transaction: { id: 'other' } }, at);
  expect(await braintree(subject, 0, { bt_payload: other.bt_payload })).toBeNull();
  const bare = { ...env, BRAINTREE_PRIVATE_KEY: undefined };
  const posted = { body: 'bt_signature=a&bt_payload=b', headers: new Headers() };
  expect(await webhookReaders.braintree(bare, posted, at)).toBeNull();
});
