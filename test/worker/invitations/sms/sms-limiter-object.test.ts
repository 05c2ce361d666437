import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import type { SmsLimits } from '../../../../worker/invitations/rules/sms-limits.ts';
import {
  type SmsLimiter,
  smsLimiter,
} from '../../../../worker/invitations/sms/sms-limiter-object.ts';
import type { AccountId } from '../../../../worker/types.ts';
import { scaled } from '../../payments/payments-fixture.ts';

afterEach(() => void vi.useRealTimers());

async function limiterWith(limits: Partial<SmsLimits>) {
  const stub = env.SMS_LIMITER.getByName(crypto.randomUUID());
  await runInDurableObject(stub, (object: SmsLimiter) => {
    const more = { ...env, SMS_LIMITS: JSON.stringify(limits) } as unknown as Env;
    Object.defineProperty(object, 'env', { value: more, configurable: true });
  });
  return stub;
}

const smsRequest = (index: number, more: object = {}) => ({
  account: `a${index}` as AccountId,
  number: `n${index}`,
  prefix: `p${index}`,
  country: `c${index}`,
  cents: 8,
  ...more,
});

test.each<[string, Partial<SmsLimits>, object, number, string]>([
  ['numbers of one prefix', {}, { prefix: '+491512345' }, 20, 'daily_invitation_limit'],
  ['invitations of an account', {}, { account: 'one' }, 5, 'daily_invitation_limit'],
  ['invitations to a number', {}, { number: 'one' }, 2, 'number_unavailable'],
  ['numbers of a country', { country: 7 }, { country: 'DE' }, 7, 'daily_invitation_limit'],
  ['invitations in a day', { day: 9 }, {}, 9, 'daily_invitation_limit'],
  ['SMS of 8 cents within one euro', { cents: 100 }, {}, 12, 'invitations_off'],
])(
  'SMS limiter: of many concurrent %s exactly the limit passes',
  async (_what, limits, same, passes, why) => {
    const stub = await limiterWith(limits);
    const all = Array.from(
      { length: scaled(1000) },
      (_, index): Promise<string | null> => stub.reserve(smsRequest(index, same)),
    );
    const answers = await Promise.all(all);
    expect(answers.filter((answer) => answer === null)).toHaveLength(passes);
    expect(new Set(answers)).toEqual(new Set([null, why]));
  },
);

test('SMS limiter: a refused invitation is not counted', async () => {
  const stub = await limiterWith({ account: 1, day: 2 });
  expect(await stub.reserve(smsRequest(1))).toBeNull();
  for (const _ of [1, 2, 3]) await stub.reserve(smsRequest(1));
  expect(await stub.reserve(smsRequest(2))).toBeNull();
});

test('SMS limiter: cancelling a reservation also returns its price', async () => {
  const stub = await limiterWith({ account: 1, cents: 8 });
  expect(await stub.reserve(smsRequest(1))).toBeNull();
  expect(await stub.reserve(smsRequest(1))).toBe('daily_invitation_limit');
  await stub.cancelReservation(smsRequest(1));
  await stub.cancelReservation(smsRequest(2));
  expect([await stub.reserve(smsRequest(1)), await stub.reserve(smsRequest(3))]).toEqual([
    null,
    'invitations_off',
  ]);
});

test('SMS limiter: a link costs nothing and passes when the budget is spent', async () => {
  const stub = await limiterWith({ cents: 0 });
  expect(await stub.reserve(smsRequest(1))).toBe('invitations_off');
  expect(await stub.reserve(smsRequest(1, { cents: 0 }))).toBeNull();
});

test('SMS limiter: a new day starts at zero and deletes the old counters', async () => {
  const stub = await limiterWith({ day: 1 });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T23:59:59Z') });
  expect([await stub.reserve(smsRequest(1)), await stub.reserve(smsRequest(2))]).toEqual([
    null,
    'daily_invitation_limit',
  ]);
  vi.setSystemTime(Date.parse('2026-11-21T00:00:00Z'));
  expect(await stub.reserve(smsRequest(3))).toBeNull();
  await runInDurableObject(stub, (_object: SmsLimiter, { storage }) => {
    expect(JSON.stringify([...storage.kv.list()])).not.toContain('n1');
  });
});

test('SMS limiter: a suspended account is refused until the suspension ends', async () => {
  const stub = smsLimiter(env);
  const account = crypto.randomUUID() as AccountId;
  expect(await stub.endSuspension(account)).toBe(false);
  await stub.suspend(account);
  expect(await stub.reserve(smsRequest(1, { account }))).toBe('invitations_paused');
  expect([await stub.isSuspended(account), await stub.endSuspension(account)]).toEqual([
    true,
    true,
  ]);
  expect(await stub.reserve(smsRequest(1, { account }))).toBeNull();
});
