import { expect, test } from 'vitest';
import {
  guaranteedAmount,
  type InvitationOutcome,
  mayClaim,
  planAt,
  refundableAttempts,
} from '../../../../worker/payments/rules/refund-rights.ts';
import { minor } from '../../../../worker/types.ts';
import { attemptId } from '../attempt-fixture.ts';

const day = 24 * 60 * 60_000;

test.each([
  [0, 0, true],
  [0, 44 * day - 1, true],
  [0, 44 * day, false],
  [null, 0, false],
])('guarantee: paid at %s, claimed at %d: allowed: %s', (paid, now, may) =>
  expect(mayClaim(paid, now)).toBe(may),
);

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

const refusal = (askedAt: number): InvitationOutcome => ({ askedAt, answer: 'refused' });

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
  ['an open question', [{ askedAt: 60, answer: 'open' }], []],
  ['a yes beside a refusal', [refusal(60), { askedAt: 60, answer: 'agreed' }], []],
])('guarantee: refundable attempts after %s', (_what, asked, attempts) =>
  expect(refundableAttempts(both, asked)).toEqual(attempts),
);

test('guarantee: a plan without a refund has no refund of extras', () => {
  expect(refundableAttempts([{ ...first, back: minor(0) }, extra], [refusal(20)])).toEqual([]);
});

test('guarantee: an invitation belongs to the newest plan that was bought before it', () => {
  const plans = [{ at: 10 }, { at: 50 }, { at: 30 }];
  const at = [9, 10, 29, 30, 49, 50, 99].map((time) => planAt(plans, time)?.at);
  expect(at).toEqual([undefined, 10, 10, 30, 30, 50, 50]);
});
