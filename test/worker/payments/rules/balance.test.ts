import { expect, test } from 'vitest';
import { balance } from '../../../../worker/payments/rules/balance.ts';

test('what came less all that went back, by a refund or by a bank', () => {
  expect(balance([])).toBe(0);
  expect(
    balance([
      { kind: 'capture', amount: 699 },
      { kind: 'capture', amount: 3999 },
      { kind: 'refund', amount: 500 },
      { kind: 'dispute', amount: 699 },
    ]),
  ).toBe(3499);
});
