import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBraintreeWebhook } from '../../../../../worker/payments/gateways/braintree/webhook.ts';
import { type Webhook, webhookOf } from '../../../../fakes/braintree/clock.ts';
import { scaled } from '../../payments-fixture.ts';
import { mutated } from '../gateway-fixture.ts';
import { chargeRequest, gateway, stubBraintree } from './braintree-fixture.ts';

const hourMs = 3_600_000;
const signedAt = Date.UTC(2026, 0, 1);
const merchant = { publicKey: 'fake_public', privateKey: 'fake_private' };
const noIds = {
  account: null,
  attempt: null,
  customerId: null,
  subscriptionId: null,
  paymentId: null,
};

const read = (
  { bt_signature, bt_payload }: Omit<Webhook, 'kind'>,
  now = signedAt,
  bindings = env,
) =>
  readBraintreeWebhook(
    bindings,
    { body: new URLSearchParams({ bt_signature, bt_payload }).toString() },
    now,
  );
const notification = (subject: object = { dispute: { transaction: { id: 'tx' } } }) =>
  webhookOf(merchant, 'kind', subject, signedAt);

test.each<[string, object, object]>([
  ['dispute', { dispute: { transaction: { id: 'tx' } } }, { paymentId: 'tx' }],
  ['sale', { transaction: { id: 'tx', 'order-id': 'a' } }, { paymentId: 'tx', attempt: 'a' }],
])('Braintree webhook: the ids of a %s', async (_, subject, ids) => {
  const webhook = await notification(subject);
  const event = await read(webhook);
  const id = expect.stringMatching(/^[\da-f]{64}$/);
  const createdAt = signedAt;
  expect(event).toEqual({ gateway: 'braintree', id, type: 'kind', createdAt, ...noIds, ...ids });
  expect((await read(webhook, signedAt + hourMs))?.id).toBe(event?.id);
});

/** A subscription, and the webhooks that it causes. */
async function subscribed() {
  let now = Date.UTC(2026, 0, 1, 12);
  const webhooks: Webhook[] = [];
  const { fake } = stubBraintree({ now: () => now, onWebhook: (one) => webhooks.push(one) });
  const request = await chargeRequest('monthly_usd', 'fake-valid-nonce');
  await gateway.charge(request);
  const events = async () => {
    await fake.passTime();
    return Promise.all(webhooks.splice(0).map((one) => read(one, now)));
  };
  const nextMonth = () => {
    now += 31 * 24 * hourMs;
  };
  return { fake, subscriptionId: request.attempt.id, events, nextMonth };
}

test('Braintree webhook: a renewal has the id of its subscription', async () => {
  const { subscriptionId, events, nextMonth } = await subscribed();
  nextMonth();
  expect(await events()).toMatchObject([
    { type: 'subscription_trial_ended', subscriptionId },
    { type: 'subscription_charged_successfully', subscriptionId, paymentId: null },
  ]);
});

test('Braintree webhook: a failed renewal is followed by the past due status', async () => {
  const { fake, subscriptionId, events, nextMonth } = await subscribed();
  fake.decline(Object.keys(fake.state.methods)[0] ?? '', '2001');
  nextMonth();
  expect(await events()).toMatchObject([
    { type: 'subscription_charged_unsuccessfully', subscriptionId },
    { type: 'subscription_went_past_due', subscriptionId },
  ]);
});

test('Braintree webhook: a dispute has the id of its transaction', async () => {
  const { fake, events } = await subscribed();
  const [{ transaction } = { transaction: '' }] = fake.captures();
  fake.dispute(transaction);
  expect(await events()).toMatchObject([
    { type: 'dispute_opened', subscriptionId: null, paymentId: transaction },
  ]);
});

test('Braintree webhook: accepted for a day, and five minutes either way', async () => {
  const webhook = await notification();
  const accepted = async (ageMs: number) => (await read(webhook, signedAt + ageMs)) !== null;
  expect(await accepted(24 * hourMs + 300_000)).toBe(true);
  expect(await accepted(24 * hourMs + 300_001)).toBe(false);
  expect([await accepted(-300_000), await accepted(-300_001)]).toEqual([true, false]);
});

test('Braintree webhook: a lost trailing newline and signatures of other keys are accepted', async () => {
  const webhook = await notification();
  expect(await read({ ...webhook, bt_payload: webhook.bt_payload.trim() })).not.toBeNull();
  const bt_signature = `other|${'a'.repeat(40)}&${webhook.bt_signature}`;
  expect(await read({ ...webhook, bt_signature })).not.toBeNull();
});

test.each<[string, (webhook: Webhook) => Partial<Webhook>]>([
  ['another payload', ({ bt_payload }) => ({ bt_payload: `A${bt_payload.slice(1)}` })],
  [
    'another signature',
    ({ bt_signature }) => ({
      bt_signature: bt_signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    }),
  ],
  [
    'another public key',
    ({ bt_signature }) => ({ bt_signature: bt_signature.replace('fake_public', 'other') }),
  ],
  ['half a signature', ({ bt_signature }) => ({ bt_signature: bt_signature.slice(0, -2) })],
  ['no signature', () => ({ bt_signature: '' })],
  ['characters outside base64', ({ bt_payload }) => ({ bt_payload: `${bt_payload}<` })],
])('Braintree webhook: %s is refused', async (_, change) => {
  const webhook = await notification();
  expect(await read({ ...webhook, ...change(webhook) })).toBeNull();
});

test('Braintree webhook: another private key, or none, is refused', async () => {
  const webhook = await notification();
  for (const BRAINTREE_PRIVATE_KEY of ['other', undefined])
    expect(await read(webhook, signedAt, { ...env, BRAINTREE_PRIVATE_KEY })).toBeNull();
});

/** Mutations, except the lost trailing newline, which is accepted. */
const changed = (text: string) =>
  mutated(text, '0123456789abcdefABCDEF+/=|&_ \n').filter((made) => made !== text.trimEnd());

test('Braintree webhook: no changed payload or signature is accepted', {
  timeout: 600_000,
}, async () => {
  const webhook = await notification();
  const forged = fc.oneof(
    changed(webhook.bt_payload).map((bt_payload) => ({ ...webhook, bt_payload })),
    changed(webhook.bt_signature).map((bt_signature) => ({ ...webhook, bt_signature })),
    fc.string().map((bt_signature) => ({ ...webhook, bt_signature })),
  );
  await fc.assert(
    fc.asyncProperty(forged, async (webhook) => {
      expect(await read(webhook)).toBeNull();
    }),
    { numRuns: scaled(1000) },
  );
});
