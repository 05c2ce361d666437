import { expect, test } from 'vitest';
import { guaranteed, mayClaim } from '../../../../worker/payments/rules/money-back-guarantee.ts';

const day = 24 * 60 * 60_000;

test.each([
  [0, 0, true],
  [0, 44 * day - 1, true],
  [0, 44 * day, false],
  [null, 0, false],
])('paid at %s, asked at %d: %s', (paid, now, may) => expect(mayClaim(paid, now)).toBe(may));

test('all that is left goes back in time, once', () => {
  const capture = { kind: 'capture', amount: 699, at: 0 } as const;
  const refund = { kind: 'refund', amount: 200, at: 1 } as const;
  const held = { withdrawnAt: null };
  expect(guaranteed(held, [capture, refund], 2)).toBe(499);
  expect(guaranteed(held, [capture], 44 * day)).toBe(0);
  expect(guaranteed({ withdrawnAt: 1 }, [capture], 2)).toBe(0);
});
