import { expect, test } from 'vitest';
import {
  budgetCounters,
  defaultLimits,
  numberCounters,
  prefixOf,
  requesterCounters,
  type SmsLimits,
  type SmsRequest,
} from '../../../../worker/invitations/rules/sms-limits.ts';
import type { AccountId } from '../../../../worker/platform/types.ts';

const countersFor = (request: SmsRequest, limits: SmsLimits) =>
  [requesterCounters, numberCounters, budgetCounters].flatMap((of) => of(request, limits));

const wanted = { account: 'a' as AccountId, number: 'n', prefix: '+4915', country: 'DE', cents: 8 };

test('SMS limits: account, number, prefix, country and day count one each, the budget counts the price', () => {
  const counts = countersFor(wanted, { ...defaultLimits, cents: 100 });
  expect(counts.map(({ name, by }) => [name, by])).toEqual([
    ['account:a', 1],
    ['number:n', 1],
    ['prefix:+4915', 1],
    ['country:DE', 1],
    ['day', 1],
    ['cents', 8],
  ]);
  expect(counts.at(-1)?.limit).toBe(100);
});

test('SMS limits: the limits of a day and of the whole service', () => {
  expect(defaultLimits).toEqual({
    account: 5,
    number: 2,
    prefix: 20,
    country: 1000,
    day: 3000,
    cents: 20_000,
  });
  const refusals = countersFor(wanted, defaultLimits).map(({ limit, refusal }) => [limit, refusal]);
  expect(refusals).toEqual([
    [5, 'daily_invitation_limit'],
    [2, 'number_unavailable'],
    [20, 'daily_invitation_limit'],
    [1000, 'daily_invitation_limit'],
    [3000, 'daily_invitation_limit'],
    [20_000, 'invitations_disabled'],
  ]);
});

test('SMS limits: an opt-out code has no account, and a number may be unknown', () => {
  const names = (change: Partial<typeof wanted> | { account: null } | { number: null }) =>
    countersFor({ ...wanted, ...change }, defaultLimits).map(({ name }) => name.split(':')[0]);
  const shared = ['country', 'day', 'cents'];
  const ofCodes = shared.map(() => 'codes');
  expect(names({ account: null })).toEqual(['number', 'code-prefix', ...shared, ...ofCodes]);
  expect(names({ number: null })).toEqual(['account', 'prefix', ...shared]);
});

test('SMS limits: a reminder counts everywhere, and only the budget holds it back', () => {
  const counts = countersFor({ ...wanted, isFollowUp: true }, defaultLimits);
  expect(counts.map(({ name, by }) => [name, by])).toEqual(
    countersFor(wanted, defaultLimits).map(({ name, by }) => [name, by]),
  );
  const never = Number.POSITIVE_INFINITY;
  expect(counts.map(({ limit }) => limit)).toEqual([never, never, never, 1000, 3000, 20_000]);
});

test('SMS limits: opt-out codes take at most a tenth of the day, and at least one', () => {
  const limitsOf = (limits: SmsLimits) =>
    budgetCounters({ ...wanted, account: null }, limits)
      .filter(({ name }) => name.startsWith('codes:'))
      .map(({ name, by, limit }) => [name, by, limit]);
  expect(limitsOf(defaultLimits)).toEqual([
    ['codes:country:DE', 1, 100],
    ['codes:day', 1, 300],
    ['codes:cents', 8, 2000],
  ]);
  expect(limitsOf({ ...defaultLimits, country: 5, day: 0 }).map(([, , limit]) => limit)).toEqual([
    1, 0, 2000,
  ]);
});

test('SMS limits: numbers of one range share a prefix', () => {
  expect(prefixOf('+4915123450000')).toBe(prefixOf('+4915123459999'));
  expect(prefixOf('+4915123460000')).not.toBe(prefixOf('+4915123450000'));
});
