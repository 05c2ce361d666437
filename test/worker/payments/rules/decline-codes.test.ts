import { expect, test } from 'vitest';
import { shownDecline, shownResponse } from '../../../../worker/payments/rules/decline-codes.ts';

test.each(['fraudulent', 'lost_card', 'stolen_card', 'pickup_card', 'merchant_blacklist'])(
  '%s is shown as any decline',
  (code) => {
    expect(shownDecline(code)).toBe('generic_decline');
    expect(shownResponse(code, 'Your card was reported stolen.')).toBe('');
  },
);

test('a plain decline has no words either, or one that looks like fraud would stand out', () => {
  expect(shownResponse('generic_decline', 'Do Not Honor')).toBe('');
});

test('any other code is shown as it is, with the words that came with it', () => {
  expect(shownDecline('insufficient_funds')).toBe('insufficient_funds');
  expect(shownResponse('insufficient_funds', 'Not enough.')).toBe('Not enough.');
  expect([shownDecline(null), shownResponse(null, 'x')]).toEqual(['generic_decline', '']);
});
