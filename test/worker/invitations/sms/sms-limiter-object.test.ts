import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import type { SmsLimits } from '../../../../worker/invitations/rules/sms-limits.ts';
import {
  type SmsLimiter,
  smsLimiterOf,
} from '../../../../worker/invitations/sms/sms-limiter-object.ts';

afterEach(() => void vi.useRealTimers());

/** A counter of its own, with some limits. */
async function counter(limits: Partial<SmsLimits>) {
  const stub = env.SMS_LIMITER.getByName(crypto.randomUUID());
  await runInDurableObject(stub, (object: SmsLimiter) => {
    const more = { ...env, TEXT_LIMITS: JSON.stringify(limits) } as unknown as Env;
    Object.defineProperty(object, 'env', { value: more, configurable: true });
  });
  return stub;
}

const wanted = (index: number, more: object = {}) => ({
  account: `a${index}`,
  number: `n${index}`,
  prefix: `p${index}`,
  country: `c${index}`,
  cents: 8,
  ...more,
});

test.each<[string, Partial<SmsLimits>, object, number, string]>([
  ['numbers of one prefix', {}, { prefix: '+491512345' }, 20, 'daily_invitation_limit'],
  ['questions of an account', {}, { account: 'one' }, 5, 'daily_invitation_limit'],
  ['questions to a number', {}, { number: 'one' }, 2, 'number_unavailable'],
  ['numbers of a country', { country: 7 }, { country: 'DE' }, 7, 'daily_invitation_limit'],
  ['questions in a day', { day: 9 }, {}, 9, 'daily_invitation_limit'],
  ['texts of 8 cents for a euro', { cents: 100 }, {}, 12, 'invitations_off'],
])(
  'of a thousand %s at once exactly the limit passes',
  async (_what, limits, same, passes, why) => {
    const stub = await counter(limits);
    const all = Array.from(
      { length: 1000 },
      (_, index): Promise<string | null> => stub.take(wanted(index, same)),
    );
    const answers = await Promise.all(all);
    expect(answers.filter((answer) => answer === null)).toHaveLength(passes);
    expect(new Set(answers)).toEqual(new Set([null, why]));
  },
);

test('what is refused counts nowhere', async () => {
  const stub = await counter({ account: 1, day: 2 });
  expect(await stub.take(wanted(1))).toBeNull();
  for (const _ of [1, 2, 3]) await stub.take(wanted(1));
  expect(await stub.take(wanted(2))).toBeNull();
});

test('what came to nothing is given back, also what it costs', async () => {
  const stub = await counter({ account: 1, cents: 8 });
  expect(await stub.take(wanted(1))).toBeNull();
  expect(await stub.take(wanted(1))).toBe('daily_invitation_limit');
  await stub.giveBack(wanted(1));
  await stub.giveBack(wanted(2));
  expect([await stub.take(wanted(1)), await stub.take(wanted(3))]).toEqual([
    null,
    'invitations_off',
  ]);
});

test('a link costs nothing, and passes when the money is spent', async () => {
  const stub = await counter({ cents: 0 });
  expect(await stub.take(wanted(1))).toBe('invitations_off');
  expect(await stub.take(wanted(1, { cents: 0 }))).toBeNull();
});

test('the next day begins at nothing, and keeps no name of the day before', async () => {
  const stub = await counter({ day: 1 });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T23:59:59Z') });
  expect([await stub.take(wanted(1)), await stub.take(wanted(2))]).toEqual([
    null,
    'daily_invitation_limit',
  ]);
  vi.setSystemTime(Date.parse('2026-11-21T00:00:00Z'));
  expect(await stub.take(wanted(3))).toBeNull();
  await runInDurableObject(stub, (_object: SmsLimiter, { storage }) => {
    expect(JSON.stringify([...storage.kv.list()])).not.toContain('n1');
  });
});

test('a hold takes nothing of an account until it is released', async () => {
  const stub = smsLimiterOf(env);
  const account = crypto.randomUUID();
  expect(await stub.release(account)).toBe(false);
  await stub.hold(account);
  expect(await stub.take(wanted(1, { account }))).toBe('invitations_paused');
  expect([await stub.isHeld(account), await stub.release(account)]).toEqual([true, true]);
  expect(await stub.take(wanted(1, { account }))).toBeNull();
});
