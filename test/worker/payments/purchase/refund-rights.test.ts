import { expect, test } from 'vitest';
import type { Terms } from '../../../../worker/catalog/accepted-terms.ts';
import type { InvitationOutcome } from '../../../../worker/invitations/rules/invitation-outcome.ts';
import {
  guaranteedAmount,
  lateRenewals,
  mayClaim,
  mayWithdraw,
  planAt,
  refundableAttempts,
  withdrawalDay,
} from '../../../../worker/payments/purchase/refund-rights.ts';
import { epochMs, minor, paymentIdOf } from '../../../../worker/platform/types.ts';
import { attemptId, germanTerms } from '../attempts/attempt-fixture.ts';

const day = 24 * 60 * 60_000;

test.each([
  [0, 0, true],
  [0, 44 * day - 1, true],
  [0, 44 * day, false],
  [null, 0, false],
])('guarantee: paid at %s, claimed at %d: allowed: %s', (paid, now, may) =>
  expect(mayClaim(paid, now)).toBe(may),
);

test('cancellation: only renewals charged over a minute after it are late', () => {
  const paid = (id: string, at: number) => ({ paymentId: paymentIdOf(id), at });
  const captures = [
    paid('first', 9),
    paid('before', 5),
    paid('soon', 60_010),
    paid('late', 60_011),
  ];
  const earlier = { subscriptionIds: [], paymentIds: [paymentIdOf('upgrade')] };
  const all = [...captures, paid('upgrade', 70_000)];
  const late = (cancelRequestedAt: number | null) =>
    lateRenewals({ cancelRequestedAt, earlier, trialUntil: null }, all).map(
      ({ paymentId }) => paymentId,
    );
  expect(late(10)).toEqual(['late']);
  expect(late(null)).toEqual([]);
  // The first debit may be paid days after a cancellation, and buys the period that was cancelled.
  const bought = { cancelRequestedAt: 10, earlier, trialUntil: null };
  expect(lateRenewals(bought, [paid('first', 1e9)])).toEqual([]);
  // A trial's first payment is a renewal.
  const trial = { ...bought, trialUntil: epochMs(1e9) };
  expect(lateRenewals(trial, [paid('first', 1e9)])).toHaveLength(1);
});

test('guarantee: everything that remains is refunded in time, once', () => {
  const capture = { kind: 'capture', amount: minor(699), at: 0 } as const;
  const refund = { kind: 'refund', amount: minor(200), at: 1 } as const;
  const held = { withdrawnAt: null };
  expect(guaranteedAmount(held, [capture, refund], 2)).toBe(499);
  expect(guaranteedAmount(held, [capture], 44 * day)).toBe(0);
  expect(guaranteedAmount({ withdrawnAt: 1 }, [capture], 2)).toBe(0);
  expect(guaranteedAmount(held, [], 2)).toBe(0);
  expect(guaranteedAmount(held, [refund, capture], 2)).toBe(499);
  expect(guaranteedAmount(held, [capture, { ...refund, amount: minor(700) }], 2)).toBe(0);
  const renewal = { ...capture, at: 30 * day };
  expect(guaranteedAmount(held, [capture, renewal], 44 * day - 1)).toBe(1398);
  expect(guaranteedAmount(held, [capture, renewal], 44 * day)).toBe(0);
});

const refusal = (requestedAt: number): InvitationOutcome => ({ requestedAt, answer: 'refused' });

const [first, extra] = [
  { attempt: attemptId('first'), slot: 'main', at: 10, back: minor(100) },
  { attempt: attemptId('extra'), slot: 'upsell', at: 11, back: minor(100) },
] as const;

const [second, guide] = [
  { attempt: attemptId('second'), slot: 'main', at: 50, back: minor(100) },
  { attempt: attemptId('guide'), slot: 'guide', at: 55, back: minor(100) },
] as const;

const both = [first, extra, second, guide];

test.each<[string, InvitationOutcome[], string[]]>([
  ['nobody was asked', [], []],
  ['a refusal with the first plan', [refusal(20)], ['first', 'extra']],
  ['a refusal with the second plan', [refusal(50)], ['second', 'guide']],
  ['a refusal with each', [refusal(60), refusal(10)], ['first', 'extra', 'second', 'guide']],
  ['a refusal before any plan', [refusal(9)], []],
  ['an open question', [{ requestedAt: 60, answer: 'open' }], []],
  ['a yes beside a refusal', [refusal(60), { requestedAt: 60, answer: 'agreed' }], []],
])('guarantee: refundable attempts after %s', (_what, outcomes, attempts) =>
  expect(refundableAttempts(both, outcomes)).toEqual(attempts),
);

test('guarantee: a plan without a refund has no refund of extras, the smallest refund is one', () => {
  const least = { ...first, back: minor(1) };
  expect(refundableAttempts([least, extra], [refusal(20)])).toEqual(['first', 'extra']);
  expect(refundableAttempts([{ ...first, back: minor(0) }, extra], [refusal(20)])).toEqual([]);
});

test('guarantee: an invitation belongs to the newest plan that was bought before it', () => {
  const plans = [{ at: 10 }, { at: 50 }, { at: 30 }];
  const at = [9, 10, 29, 30, 49, 50, 99].map((time) => planAt(plans, time)?.at);
  expect(at).toEqual([undefined, 10, 10, 30, 30, 50, 50]);
});

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
  expect([in_('ca'), in_('jp'), in_('consent')]).toEqual([false, false, false]);
  expect([mayWithdraw(null, at), mayWithdraw(undefined, at)]).toEqual([false, false]);
});
