import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { smsLimiterOf } from '../../../worker/invitations/sms/sms-limiter-object.ts';
import { auditOf, operate } from '../payments/webhooks/admin-client.ts';
import { listen } from '../payments/webhooks/captured-log.ts';

beforeEach(() => void listen());
afterEach(() => void vi.restoreAllMocks());

test('an operator ends a hold, and the audit says why', async () => {
  const account = crypto.randomUUID();
  await smsLimiterOf(env).hold(account);
  const { status } = await operate(`/requesters/${account}/release`, { reason: 'a mistake' });
  expect([status, await smsLimiterOf(env).isHeld(account)]).toEqual([200, false]);
  expect(await auditOf(account)).toMatchObject([
    { what: 'release', reason: 'a mistake', result: 'released' },
  ]);
  expect((await operate(`/requesters/${account}/release`, { reason: 'r' })).status).toBe(404);
});
