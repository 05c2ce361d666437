import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { verifyWebhook } from '../../../../../worker/payments/gateways/braintree/webhook.ts';
import type { Webhook } from '../../../../fakes/braintree/notifications.ts';
import { scaled } from '../../purchases/fake-gateway.ts';
import { mutated } from '../mutations.ts';
import { gateway, openBraintree, orderOf } from './bank.ts';

afterEach(() => void vi.unstubAllGlobals());

const month = 31 * 24 * 3_600_000;

/** A subscription of its own whose webhooks are heard. */
async function subscribed() {
  let now = Date.UTC(2026, 0, 1, 12);
  const heard: Webhook[] = [];
  const { bank } = openBraintree({ now: () => now, onWebhook: (one) => heard.push(one) });
  const order = await orderOf('monthly_usd', 'fake-valid-nonce');
  await gateway.charge(order);
  const told = async () => {
    await bank.pass();
    const notifications = heard
      .splice(0)
      .map(({ bt_signature, bt_payload }) => verifyWebhook(env, bt_signature, bt_payload));
    return Promise.all(notifications);
  };
  const wait = () => {
    now += month;
  };
  return { bank, order, told, wait, heard };
}

test('a renewal is told with its sum and its subscription', async () => {
  const { order, told, wait } = await subscribed();
  wait();
  const [ended, charged] = await told();
  expect(ended?.kind).toBe('subscription_trial_ended');
  expect(charged).toMatchObject({
    kind: 'subscription_charged_successfully',
    at: Date.UTC(2026, 1, 1, 12),
    subscription: { id: order.attempt.id, status: 'Active', nextBillingDate: '2026-03-01' },
    transaction: null,
    dispute: null,
  });
  expect(charged?.subscription?.charges).toMatchObject([
    { amount: 3999, status: 'submitted_for_settlement' },
  ]);
});

test('a renewal that fails is told, and that it is past due', async () => {
  const { bank, told, wait } = await subscribed();
  bank.decline(Object.keys(bank.state.methods)[0] ?? '', '2001');
  wait();
  expect(await told()).toMatchObject([
    {
      kind: 'subscription_charged_unsuccessfully',
      subscription: { status: 'Past Due', failureCount: 1 },
    },
    { kind: 'subscription_went_past_due' },
  ]);
});

test('a dispute names the transaction and its sum', async () => {
  const { bank, told } = await subscribed();
  const [{ transaction } = { transaction: '' }] = bank.captures();
  bank.dispute(transaction);
  expect(await told()).toMatchObject([
    {
      kind: 'dispute_opened',
      subscription: null,
      dispute: { status: 'open', amount: 3999, transactionId: transaction },
    },
  ]);
});

async function one(): Promise<Webhook> {
  const { bank, heard } = await subscribed();
  bank.dispute(bank.captures()[0]?.transaction ?? '');
  await bank.pass();
  return heard[0] as Webhook;
}

test('the line end that a form may lose does not matter', async () => {
  const { bt_signature, bt_payload } = await one();
  expect(await verifyWebhook(env, bt_signature, bt_payload.trim())).not.toBeNull();
  expect(
    await verifyWebhook(env, `other|${'a'.repeat(40)}&${bt_signature}`, bt_payload),
  ).not.toBeNull();
});

test.each<[string, (webhook: Webhook) => [string, string]]>([
  ['another payload', ({ bt_signature, bt_payload }) => [bt_signature, `A${bt_payload.slice(1)}`]],
  [
    'another signature',
    ({ bt_signature, bt_payload }) => [
      bt_signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      bt_payload,
    ],
  ],
  ['another key', (one) => [one.bt_signature.replace('fake_public', 'other'), one.bt_payload]],
  ['half a signature', (one) => [one.bt_signature.slice(0, -2), one.bt_payload]],
  ['no signature', (one) => ['', one.bt_payload]],
  ['strange characters', (one) => [one.bt_signature, `${one.bt_payload}<`]],
])('%s is not believed', async (_, change) => {
  expect(await verifyWebhook(env, ...change(await one()))).toBeNull();
});

test('nor is what another private key signed', async () => {
  const { bt_signature, bt_payload } = await one();
  const other = { ...env, BRAINTREE_PRIVATE_KEY: 'other' };
  expect(await verifyWebhook(other, bt_signature, bt_payload)).toBeNull();
});

/** Mutations but the one that means the same: a form may lose the last line's end. */
const changed = (text: string) =>
  mutated(text, '0123456789abcdefABCDEF+/=|&_ \n').filter((made) => made !== text.trimEnd());

test('no changed payload and no changed signature is taken', { timeout: 600_000 }, async () => {
  const { bt_signature, bt_payload } = await one();
  const forged = fc.oneof(
    changed(bt_payload).map((payload) => [bt_signature, payload] as const),
    changed(bt_signature).map((signature) => [signature, bt_payload] as const),
    fc.string().map((signature) => [signature, bt_payload] as const),
  );
  await fc.assert(
    fc.asyncProperty(forged, async ([signature, payload]) => {
      expect(await verifyWebhook(env, signature, payload).catch(() => null)).toBeNull();
    }),
    { numRuns: scaled(1000) },
  );
});
