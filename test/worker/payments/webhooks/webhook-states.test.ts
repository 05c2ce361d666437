import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { OwnedSubscription } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { deliverToQueue, recordingQueue } from '../../queue.ts';
import { dispute, refund } from '../attempts/provider-side.ts';
import { stubBraintree } from '../gateways/braintree/braintree-fixture.ts';
import { buy, buyer, dayMs, gateways, stubGateways } from '../payments-fixture.ts';
import {
  bodyOf,
  buyAndProject,
  postStripe,
  signed,
  stubUnreliableStripe,
} from './webhook-fixture.ts';

const subscriptionState = (attempt: string) =>
  env.DB.prepare('SELECT status FROM subscriptions WHERE attempt_id = ?')
    .bind(attempt)
    .first('status');

/** Posts a signed event about a subscription, and consumes it. */
async function sendWebhookOf(subscription: { metadata: object }) {
  const { sent, queue } = recordingQueue();
  const body = bodyOf(subscription);
  expect((await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue })).status).toBe(200);
  expect((await deliverToQueue('funnel-webhooks', sent)).again).toEqual([]);
}

type Status = 'active' | 'past_due' | 'ended';

test.each<[status: string, now: Status, access: boolean, atStripe: string]>([
  ['past_due', 'past_due', true, 'past_due'],
  ['unpaid', 'ended', false, 'canceled'],
  ['incomplete_expired', 'ended', false, 'incomplete_expired'],
])('webhooks: Stripe’s %s is %s here', async (status, now, access, atStripe) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { fake } = stubUnreliableStripe();
  const { stub, attempt } = await buyAndProject();
  const [subscription] = Object.values(fake.state.subscriptions);
  if (!subscription) throw new Error('no subscription');
  subscription.status = status;
  await sendWebhookOf(subscription);
  await vi.waitFor(async () => expect(await subscriptionState(attempt)).toBe(now), pollTimeout);
  expect((await stub.activePlan('main')) !== null).toBe(access);
  // A subscription without access must not be charged later.
  vi.setSystemTime(Date.now() + 120_000);
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(stub);
    expect(subscription.status).toBe(atStripe);
  }, pollTimeout);
});

test('webhooks: an unpaid renewal gives access for seven days, also without events', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { fake, line } = stubUnreliableStripe();
  const { stub } = await buyAndProject();
  const [subscription] = Object.values(fake.state.subscriptions);
  const end = (subscription?.items.data[0]?.current_period_end ?? 0) * 1000;
  line.dead = true;
  vi.setSystemTime(end + 6 * dayMs);
  expect(await stub.activePlan('main')).toBe('monthly_usd');
  vi.setSystemTime(end + 7 * dayMs + 1000);
  expect(await stub.activePlan('main')).toBeNull();
  // The slot stays occupied, because the outcome is unknown.
  expect(await stub.hasActiveMainPlan()).toBe(true);
});

test.each<[status: string, now: Status]>([
  ['Past Due', 'past_due'],
  // The paid period continues after Braintree's end.
  ['Canceled', 'active'],
])('webhooks: Braintree’s %s is %s here', async (status, now) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { fake } = stubBraintree();
  const { stub, attempt } = await buyAndProject({
    gateway: 'braintree',
    nonce: 'fake-valid-nonce',
  });
  const [subscription] = Object.values(fake.state.subscriptions);
  if (!subscription) throw new Error('no subscription');
  Object.assign(subscription, { status });
  expect(await stub.sync()).toBe(true);
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(stub);
    expect(await subscriptionState(attempt)).toBe(now);
  }, pollTimeout);
  expect((await stub.ownedSubscriptions())[0]?.subscription.ends).toBe(status === 'Canceled');
  vi.setSystemTime(Date.now() + 40 * dayMs);
  expect(await stub.activePlan('main')).toBeNull();
});

/** An account that bought at a gateway whose webhooks are all lost. */
async function buyPlanAndGuide(gateway: GatewayName) {
  vi.useFakeTimers({ toFake: ['Date'] });
  const fakes = stubGateways();
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
  const main = await buy(stub, purchase);
  const later = async (days: number) => {
    vi.setSystemTime(Date.now() + days * dayMs);
    await runDurableObjectAlarm(stub);
  };
  const alarm = () => runInDurableObject(stub, (_, state) => state.storage.getAlarm());
  const kinds = async (attempt: string) => {
    const { results } = await env.DB.prepare(
      'SELECT kind FROM ledger WHERE attempt_id = ? ORDER BY kind',
    )
      .bind(attempt)
      .all<{ kind: string }>();
    return results.map((row: { kind: string }) => row.kind);
  };
  return { fakes, stub, purchase, main, later, alarm, kinds };
}

test.each(gateways)('sync: %s: a dispute without a webhook is found', async (gateway) => {
  const { fakes, stub, purchase, later, kinds } = await buyPlanAndGuide(gateway);
  const guide = await buy(stub, { ...purchase, plan: 'guide_1799_usd', nonce: null });
  for (let months = 0; months < 4; months += 1) await later(31);
  await dispute(fakes, gateway, guide.charge?.paymentId ?? '');
  expect(await kinds(guide.id)).toEqual(['capture']);
  await later(31);
  expect(await kinds(guide.id)).toEqual(['capture', 'dispute']);
  const all: OwnedSubscription[] = await stub.ownedSubscriptions();
  const subscription = all.find(({ subscription: { attempt } }) => attempt === guide.id);
  expect(subscription?.subscription.status).toBe('ended');
});

test.each(gateways)(
  'sync: %s: a refund after the end is found; reads stop after 180 days',
  async (gateway) => {
    const { fakes, stub, main, later, alarm, kinds } = await buyPlanAndGuide(gateway);
    await stub.cancelSubscription(main.id);
    await runDurableObjectAlarm(stub);
    await later(32);
    expect((await stub.ownedSubscriptions())[0]?.subscription.status).toBe('ended');
    await refund(fakes, gateway, main.charge?.paymentId ?? '');
    await later(31);
    expect(await kinds(main.id)).toEqual(['capture', 'refund']);
    for (let months = 0; months < 5 && (await alarm()) !== null; months += 1) await later(31);
    expect(await alarm()).toBeNull();
  },
);
