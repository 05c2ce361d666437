import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { SmsLimits, SmsRequest } from '../../../../worker/invitations/rules/sms-limits.ts';
import {
  cancelSms,
  endSuspension,
  reserveSms,
  type SmsLimiter,
  suspensionsOf,
} from '../../../../worker/invitations/sms/sms-limiter-object.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import type { AccountId } from '../../../../worker/platform/types.ts';
import { scaled } from '../../payments/payments-fixture.ts';

const daily = env.SMS_LIMITER.getByName('all');

/** A new day begins with these limits. */
async function limiterWith(limits: Partial<SmsLimits>) {
  days += 1;
  vi.useFakeTimers({
    toFake: ['Date'],
    now: Date.parse('2026-11-20T12:00:00Z') + days * 86_400_000,
  });
  const more = { ...env, SMS_LIMITS: JSON.stringify(limits) } as unknown as Env;
  await runInDurableObject(daily, (object: SmsLimiter) => {
    Object.defineProperty(object, 'env', { value: more, configurable: true });
  });
}

let days = 0;

const smsRequest = (index: number, more: object = {}) => ({
  account: `a${index}` as AccountId,
  number: `n${index}`,
  prefix: `p${index}`,
  country: `c${index}`,
  cents: 8,
  ...more,
});

const reserve = async (request: SmsRequest) => (await reserveSms(env, request))?.refusal ?? null;

const reserveMany = (count: number, more: object = {}) =>
  Promise.all(Array.from({ length: count }, (_, index) => reserve(smsRequest(index, more))));

test.each<[string, Partial<SmsLimits>, object, number, string]>([
  ['numbers of one prefix', {}, { prefix: '+491512345' }, 20, 'daily_invitation_limit'],
  ['invitations of an account', {}, { account: 'one' }, 5, 'daily_invitation_limit'],
  ['invitations to a number', {}, { number: 'one', prefix: 'one' }, 2, 'number_unavailable'],
  ['numbers of a country', { country: 7 }, { country: 'DE' }, 7, 'daily_invitation_limit'],
  ['invitations in a day', { day: 9 }, {}, 9, 'daily_invitation_limit'],
  ['SMS of 8 cents within one euro', { cents: 100 }, {}, 12, 'invitations_disabled'],
])(
  'SMS limiter: of many concurrent %s exactly the limit passes',
  async (_what, limits, same, passes, why) => {
    await limiterWith(limits);
    const answers = await reserveMany(scaled(1000), same);
    expect(answers.filter((answer) => answer === null)).toHaveLength(passes);
    expect(new Set(answers)).toEqual(new Set([null, why]));
  },
);

test('SMS limiter: a refused invitation is counted nowhere', async () => {
  await limiterWith({ account: 1, day: 2 });
  expect(await reserve(smsRequest(1))).toBeNull();
  for (const _ of [1, 2, 3]) await reserve(smsRequest(1));
  expect(await reserve(smsRequest(2))).toBeNull();
  expect(await reserve(smsRequest(3))).toBe('daily_invitation_limit');
  await cancelSms(env, smsRequest(1));
  expect(await reserve(smsRequest(3))).toBeNull();
});

test('SMS limiter: cancelling a reservation also returns its price to the object', async () => {
  await limiterWith({ account: 1, cents: 8 });
  const other = { prefix: 'p1' };
  expect(await reserve(smsRequest(1))).toBeNull();
  expect(await reserve(smsRequest(1))).toBe('daily_invitation_limit');
  await cancelSms(env, smsRequest(1));
  await cancelSms(env, smsRequest(2));
  expect([await reserve(smsRequest(1)), await reserve(smsRequest(3, other))]).toEqual([
    null,
    'invitations_disabled',
  ]);
});

test('SMS limiter: a link costs nothing and passes when the budget is spent', async () => {
  await limiterWith({ cents: 0 });
  expect(await reserve(smsRequest(1))).toBe('invitations_disabled');
  expect(await reserve(smsRequest(1, { cents: 0 }))).toBeNull();
});

test('SMS limiter: a new day starts at zero and deletes the old counters', async () => {
  await limiterWith({ day: 1 });
  expect([await reserve(smsRequest(1)), await reserve(smsRequest(2))]).toEqual([
    null,
    'daily_invitation_limit',
  ]);
  vi.setSystemTime(Date.now() + 12 * 60 * 60_000);
  expect(await reserve(smsRequest(3, { prefix: 'p1' }))).toBeNull();
  await runInDurableObject(daily, (_object: SmsLimiter, { storage }) => {
    expect(JSON.stringify([...storage.kv.list()])).not.toContain('n1');
  });
});

test('SMS limiter: a hash that two suspended accounts share stays suspended until both are released', async () => {
  const identity = crypto.randomUUID();
  const accounts = [1, 2].map(() => crypto.randomUUID() as AccountId);
  const isSuspended = () => suspensionsOf(env, identity).isSuspended(identity);
  for (const account of accounts) {
    await suspensionsOf(env, identity).suspend(identity, [account]);
    await suspensionsOf(env, account).suspend(account, [identity]);
  }
  const states: boolean[] = [];
  for (const account of accounts) {
    expect(await endSuspension(env, account)).toBe(true);
    states.push(await isSuspended());
  }
  expect(states).toEqual([true, false]);
});

test('SMS limiter: a release that failed halfway can be repeated', async () => {
  const identity = crypto.randomUUID();
  const account = crypto.randomUUID() as AccountId;
  await suspensionsOf(env, identity).suspend(identity, [account]);
  await suspensionsOf(env, account).suspend(account, [identity]);
  const failing = (name: string) => ({
    suspendedWith: (requester: string) => env.SMS_LIMITER.getByName(name).suspendedWith(requester),
    releaseIdentity: () => Promise.reject(new Error('down')),
  });
  const down = { ...env, SMS_LIMITER: { getByName: failing } } as unknown as Env;
  await expect(endSuspension(down, account)).rejects.toThrow('down');
  expect(await endSuspension(env, account)).toBe(true);
  expect(await suspensionsOf(env, identity).isSuspended(identity)).toBe(false);
});

test('SMS limiter: a suspended account is refused until the suspension ends', async () => {
  await limiterWith({});
  const account = crypto.randomUUID() as AccountId;
  const stub = suspensionsOf(env, account);
  expect(await endSuspension(env, account)).toBe(false);
  await stub.suspend(account);
  expect(await reserve(smsRequest(1, { account }))).toBe('invitations_paused');
  expect([await stub.isSuspended(account), await endSuspension(env, account)]).toEqual([
    true,
    true,
  ]);
  expect(await reserve(smsRequest(1, { account }))).toBeNull();
});
