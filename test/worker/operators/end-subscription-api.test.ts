import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { patience } from '../../poll-timeout.ts';
import { auditOf, operate } from '../payments/webhooks/admin-client.ts';
import { listen } from '../payments/webhooks/captured-log.ts';
import { buyOne, openLine } from '../payments/webhooks/stripe-fixture.ts';

beforeEach(() => void listen());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('renewals end at the gateway, what is paid runs on, and the audit says who', async () => {
  const { bank } = openLine();
  const { attempt, stub } = await buyOne();
  const { status, data } = await operate(`/holdings/${attempt}/end`, { reason: 'asked by mail' });
  expect([status, data]).toMatchObject([200, { attempt, plan: 'monthly_usd', status: 'active' }]);
  await vi.waitFor(async () => expect((await stub.held())[0]?.bought.ends).toBe(true), patience);
  const [subscription] = Object.values(bank.state.subscriptions);
  expect(subscription).toMatchObject({ status: 'active', cancel_at_period_end: true });
  expect(await auditOf(attempt)).toMatchObject([
    { who: 'ann', what: 'end', reason: 'asked by mail', result: 'asked to end' },
  ]);
});

test('an attempt that bought nothing has nothing to end', async () => {
  expect((await operate('/holdings/nothing/end', { reason: 'r' })).status).toBe(404);
  expect(await auditOf('nothing')).toMatchObject([{ result: 'not_found' }]);
});
