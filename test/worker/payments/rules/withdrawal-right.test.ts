import { expect, test } from 'vitest';
import type { Terms } from '../../../../worker/payments/rules/new-attempt.ts';
import { mayWithdraw, withdrawalDay } from '../../../../worker/payments/rules/refund-rights.ts';
import { germanTerms } from '../attempt-fixture.ts';

const terms = (at: string, change: Partial<Terms> = {}) =>
  germanTerms({ at: Date.parse(at), ...change });

const dayOf = (given: Terms) =>
  new Date(withdrawalDay(given) ?? Number.NaN).toISOString().slice(0, 10);

test.each([
  ['a Friday', '2026-11-20T10:00Z', '2026-12-04'],
  ['late in the evening, already the next day there', '2026-11-19T23:30Z', '2026-12-04'],
  ['ending on a Saturday', '2026-11-21T10:00Z', '2026-12-07'],
  ['ending on a Sunday', '2026-11-22T10:00Z', '2026-12-07'],
  ['a Monday', '2026-11-23T10:00Z', '2026-12-07'],
  ['a leap day', '2028-02-29T10:00Z', '2028-03-14'],
  ['over the end of a year', '2026-12-22T10:00Z', '2027-01-05'],
])('right to withdraw: the last day for a purchase on %s', (_name, at, last) => {
  expect(dayOf(terms(at))).toBe(last);
});

test('right to withdraw: lasts to the end of the last day', () => {
  const given = terms('2026-11-20T10:00Z');
  expect(mayWithdraw(given, Date.parse('2026-12-04T22:59Z'))).toBe(true);
  expect(mayWithdraw(given, Date.parse('2026-12-04T23:00Z'))).toBe(false);
});

test('right to withdraw: in Europe only', () => {
  const at = Date.parse('2026-11-21T00:00Z');
  const in_ = (market: Terms['market']) => mayWithdraw(terms('2026-11-20T10:00Z', { market }), at);
  expect([in_('euro'), in_('europe'), in_('us'), in_('other')]).toEqual([true, true, false, false]);
  for (const market of ['gb', 'pl', 'se', 'ch'] as const)
    expect([market, in_(market)]).toEqual([market, true]);
  expect([in_('ca'), in_('jp'), in_('asking')]).toEqual([false, false, false]);
  expect([mayWithdraw(null, at), mayWithdraw(undefined, at)]).toEqual([false, false]);
});
