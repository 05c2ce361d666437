import { env, runDurableObjectAlarm } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { lastSequence } from '../../../worker/analytics/rollup-table.ts';
import { shardOf } from '../../../worker/analytics/rules/shards.ts';
import { suspensionsOf } from '../../../worker/invitations/sms/sms-limiter-object.ts';
import type { AccountId, VisitorId } from '../../../worker/platform/types.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { storedEvent } from '../analytics/event-fixture.ts';
import { shortenTimers } from '../faults/faulty-binding.ts';
import { auditOf, operate } from '../payments/webhooks/admin-client.ts';
import { buyAndProject, stubUnreliableStripe } from '../payments/webhooks/webhook-fixture.ts';

beforeEach(() => {
  // Ten times longer timeouts, so that a busy machine does not look like an outage, which the audit would record as
  // another result.
  shortenTimers(0.1);
});
test('end subscription: the gateway ends the renewals, the paid period continues, and the audit names the operator', async () => {
  const { fake } = stubUnreliableStripe();
  const { attempt, stub } = await buyAndProject();
  const { status, data } = await operate(`/subscriptions/${attempt}/end`, {
    reason: 'asked by mail',
  });
  expect([status, data]).toMatchObject([200, { attempt, plan: 'monthly_usd', status: 'active' }]);
  await vi.waitFor(
    async () => expect((await stub.ownedSubscriptions())[0]?.subscription.ends).toBe(true),
    pollTimeout,
  );
  const [subscription] = Object.values(fake.state.subscriptions);
  expect(subscription).toMatchObject({ status: 'active', cancel_at_period_end: true });
  expect(await auditOf(attempt)).toMatchObject([
    {
      operator: 'ADMIN_TOKEN (ann)',
      action: 'end',
      reason: 'asked by mail',
      result: 'cancellation requested',
    },
  ]);
});

test('end subscription: an attempt that sold nothing is not found', async () => {
  expect((await operate('/subscriptions/nothing/end', { reason: 'r' })).status).toBe(404);
  expect(await auditOf('nothing')).toMatchObject([{ result: 'not_found' }]);
});

/** An object of an earlier file may have recorded its progress after the storage was emptied. */
async function visitorOfFreshShard(): Promise<VisitorId> {
  const visitor = crypto.randomUUID() as VisitorId;
  const progress = await lastSequence(env.ANALYTICS, shardOf(visitor));
  return progress === 0 ? visitor : visitorOfFreshShard();
}

test('erase events: a visitor without an account is erased from the objects, and the audit has the reason', async () => {
  const visitor = await visitorOfFreshShard();
  const shard = env.EVENT_SHARDS.getByName(shardOf(visitor));
  const event = storedEvent({ id: crypto.randomUUID(), visitor, at: Date.now() });
  await shard.append([event], []);
  await runDurableObjectAlarm(shard);
  expect(await shard.eventsOf(visitor)).toHaveLength(1);
  const { status } = await operate(`/visitors/${visitor}/erase`, { reason: 'asked by mail' });
  expect(status).toBe(200);
  // An alarm may already be running, and then cannot be started.
  const kept = async () => {
    await runDurableObjectAlarm(shard);
    return shard.eventsOf(visitor);
  };
  await expect.poll(kept, pollTimeout).toEqual([]);
  await shard.append([{ ...event, id: crypto.randomUUID() }], []);
  expect(await shard.eventsOf(visitor)).toEqual([]);
  expect(await auditOf(visitor)).toMatchObject([
    { action: 'erase-events', reason: 'asked by mail', result: 'requested' },
  ]);
  expect((await operate('/visitors/nobody/erase', { reason: 'r' })).status).toBe(404);
});

test('release requester: the suspension ends, and the audit has the reason', async () => {
  const account = crypto.randomUUID() as AccountId;
  await suspensionsOf(env, account).suspend(account);
  const { status } = await operate(`/requesters/${account}/release`, { reason: 'a mistake' });
  expect([status, await suspensionsOf(env, account).isSuspended(account)]).toEqual([200, false]);
  expect(await auditOf(account)).toMatchObject([
    { action: 'release', reason: 'a mistake', result: 'released' },
  ]);
  expect((await operate(`/requesters/${account}/release`, { reason: 'r' })).status).toBe(404);
});
