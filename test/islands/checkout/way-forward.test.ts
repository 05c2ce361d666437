import { expect, it } from 'vitest';
import { isFinalDecline, wayForward } from '../../../islands/checkout/way-forward.ts';

it.each([
  ['', 'lost'],
  ['payment_failed', 'retry'],
  ['already_active', 'manage'],
  ['too_many_declines', 'support'],
  ['terms_changed', 'reload'],
  ['coupon_expired', 'none'],
])('way forward: after %j it is %s', (code, way) => {
  expect(wayForward(code)).toBe(way);
});

it('way forward: a card that its bank refuses for good is not tried again', () => {
  expect([isFinalDecline('expired_card'), isFinalDecline('insufficient_funds')]).toEqual([
    true,
    false,
  ]);
});
