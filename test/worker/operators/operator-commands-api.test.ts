import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { smsLimiter } from '../../../worker/invitations/sms/sms-limiter-object.ts';
import type { AccountId } from '../../../worker/types.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { listen } from '../payments/payments-fixture.ts';
import { buyOne, openLine } from '../payments/webhook-fixture.ts';
import { auditOf, operate } from '../payments/webhooks/admin-client.ts';

beforeEach(() => void listen());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('end subscription: the renewals end at the gateway, the paid period runs on, and the audit names the operator', async () => {
  const { bank } = openLine();
  const { attempt, stub } = await buyOne();
  const { status, data } = await operate(`/subscriptions/${attempt}/end`, {
    reason: 'asked by mail',
  });
  expect([status, data]).toMatchObject([200, { attempt, plan: 'monthly_usd', status: 'active' }]);
  await vi.waitFor(
    async () => expect((await stub.ownedSubscriptions())[0]?.subscription.ends).toBe(true),
    pollTimeout,
  );
  const [subscription] = Object.values(bank.state.subscriptions);
  expect(subscription).toMatchObject({ status: 'active', cancel_at_period_end: true });
  expect(await auditOf(attempt)).toMatchObject([
    { operator: 'ann', action: 'end', reason: 'asked by mail', result: 'asked to end' },
  ]);
});

test('end subscription: an attempt that sold nothing is not found', async () => {
  expect((await operate('/subscriptions/nothing/end', { reason: 'r' })).status).toBe(404);
  expect(await auditOf('nothing')).toMatchObject([{ result: 'not_found' }]);
});

test('release requester: the suspension ends, and the audit has the reason', async () => {
  const account = crypto.randomUUID() as AccountId;
  await smsLimiter(env).suspend(account);
  const { status } = await operate(`/requesters/${account}/release`, { reason: 'a mistake' });
  expect([status, await smsLimiter(env).isSuspended(account)]).toEqual([200, false]);
  expect(await auditOf(account)).toMatchObject([
    { action: 'release', reason: 'a mistake', result: 'released' },
  ]);
  expect((await operate(`/requesters/${account}/release`, { reason: 'r' })).status).toBe(404);
});
