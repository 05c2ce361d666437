import { expect, test } from 'vitest';
import { shownDecline, shownResponse } from '../../../../worker/payments/rules/decline-codes.ts';

test.each(['fraudulent', 'lost_card', 'stolen_card', 'pickup_card', 'merchant_blacklist'])(
  'decline codes: %s is shown as a generic decline',
  (code) => {
    expect(shownDecline(code)).toBe('generic_decline');
    expect(shownResponse(code, 'Your card was reported stolen.')).toBe('');
  },
);

test('decline codes: a generic decline has no text, so that fraud does not stand out', () => {
  expect(shownResponse('generic_decline', 'Do Not Honor')).toBe('');
});

test('decline codes: other codes are shown with their text', () => {
  expect(shownDecline('insufficient_funds')).toBe('insufficient_funds');
  expect(shownResponse('insufficient_funds', 'Not enough.')).toBe('Not enough.');
  expect([shownDecline(null), shownResponse(null, 'x')]).toEqual(['generic_decline', '']);
});
