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

test('SMS limits: numbers of one range share a prefix', () => {
  expect(prefixOf('+4915123450000')).toBe(prefixOf('+4915123459999'));
  expect(prefixOf('+4915123460000')).not.toBe(prefixOf('+4915123450000'));
});
