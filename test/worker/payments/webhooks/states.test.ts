import { env, runDurableObjectAlarm } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { pollTimeout } from '../../../poll-timeout.ts';
import { openBraintree } from '../gateways/braintree/braintree-fixture.ts';
import { quietly } from '../payments-fixture.ts';
import {
  bodyOf,
  buyOne,
  deliver,
  keepingQueue,
  openLine,
  postStripe,
  signed,
} from '../webhook-fixture.ts';

quietly();

const day = 86_400_000;

const holding = (attempt: string) =>
  env.DB.prepare('SELECT status FROM subscriptions WHERE attempt_id = ?')
    .bind(attempt)
    .first('status');

/** Posts a signed event about a subscription, and hands it on. */
async function tellOf(subscription: { metadata: object }) {
  const { sent, queue } = keepingQueue();
  const body = bodyOf(subscription);
  expect((await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue })).status).toBe(200);
  expect((await deliver('funnel-webhooks', sent)).again).toEqual([]);
}

type Now = 'active' | 'past_due' | 'ended';

test.each<[status: string, now: Now, access: boolean, atStripe: string]>([
  ['trialing', 'active', true, 'trialing'],
  ['active', 'active', true, 'active'],
  ['past_due', 'past_due', true, 'past_due'],
  ['incomplete', 'past_due', true, 'incomplete'],
  ['unpaid', 'ended', false, 'canceled'],
  ['paused', 'ended', false, 'canceled'],
  ['incomplete_expired', 'ended', false, 'incomplete_expired'],
  ['canceled', 'ended', false, 'canceled'],
])('webhooks: Stripe’s %s is %s here', async (status, now, access, atStripe) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { bank } = openLine();
  const { stub, attempt } = await buyOne();
  const [subscription] = Object.values(bank.state.subscriptions);
  if (!subscription) throw new Error('no subscription');
  subscription.status = status;
  await tellOf(subscription);
  await vi.waitFor(async () => expect(await holding(attempt)).toBe(now), pollTimeout);
  expect((await stub.activePlan('main')) !== null).toBe(access);
  // What gives no access must not be charged later.
  vi.setSystemTime(Date.now() + 120_000);
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(stub);
    expect(subscription.status).toBe(atStripe);
  }, pollTimeout);
});

test('webhooks: an unpaid renewal gives access for seven days, also without events', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { bank, line } = openLine();
  const { stub } = await buyOne();
  const [subscription] = Object.values(bank.state.subscriptions);
  const end = (subscription?.items.data[0]?.current_period_end ?? 0) * 1000;
  line.dead = true;
  vi.setSystemTime(end + 6 * day);
  expect(await stub.activePlan('main')).toBe('monthly_usd');
  vi.setSystemTime(end + 7 * day + 1000);
  expect(await stub.activePlan('main')).toBeNull();
  // The slot stays closed: nobody knows whether it was paid.
  expect(await stub.hasActiveMainPlan()).toBe(true);
});

test.each<[status: string, now: Now]>([
  ['Active', 'active'],
  ['Pending', 'active'],
  ['Past Due', 'past_due'],
  // What is paid runs on after Braintree's end.
  ['Canceled', 'active'],
  ['Expired', 'active'],
])('webhooks: Braintree’s %s is %s here', async (status, now) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { bank } = openBraintree({ now: () => Date.now() });
  const { stub, attempt } = await buyOne({ gateway: 'braintree', nonce: 'fake-valid-nonce' });
  const [subscription] = Object.values(bank.state.subscriptions);
  if (!subscription) throw new Error('no subscription');
  Object.assign(subscription, { status });
  expect(await stub.sync()).toBe(true);
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(stub);
    expect(await holding(attempt)).toBe(now);
  }, pollTimeout);
  expect((await stub.ownedSubscriptions())[0]?.subscription.ends).toBe(
    status === 'Canceled' || status === 'Expired',
  );
  vi.setSystemTime(Date.now() + 40 * day);
  expect(await stub.activePlan('main')).toBeNull();
});
