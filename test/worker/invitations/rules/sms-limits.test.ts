import { expect, test } from 'vitest';
import {
  countersFor,
  defaultLimits,
  prefixOf,
} from '../../../../worker/invitations/rules/sms-limits.ts';
import type { AccountId } from '../../../../worker/types.ts';

const wanted = { account: 'a' as AccountId, number: 'n', prefix: '+4915', country: 'DE', cents: 8 };

test('SMS limits: account, number, prefix, country and day count by one, the budget by price', () => {
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

test('SMS limits: of a day and the whole service', () => {
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
    [20_000, 'invitations_off'],
  ]);
});

test('SMS limits: an opt-out code has no account, and a number may be unknown', () => {
  const names = (change: Partial<typeof wanted> | { account: null } | { number: null }) =>
    countersFor({ ...wanted, ...change }, defaultLimits).map(({ name }) => name.split(':')[0]);
  const shared = ['prefix', 'country', 'day', 'cents'];
  expect(names({ account: null })).toEqual(['number', ...shared]);
  expect(names({ number: null })).toEqual(['account', ...shared]);
});

test('SMS limits: numbers of one range share a prefix', () => {
  expect(prefixOf('+4915123450000')).toBe(prefixOf('+4915123459999'));
  expect(prefixOf('+4915123460000')).not.toBe(prefixOf('+4915123450000'));
});
