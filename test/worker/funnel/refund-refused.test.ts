import { expect, test } from 'vitest';
import { RefundRefused } from '../../../worker/funnel/refund-refused.ts';

test('a refused refund says why', () => {
  const refused = new RefundRefused('disputed', 'charge_disputed');
  expect([refused.reason, refused.message]).toEqual(['disputed', 'disputed: charge_disputed']);
  expect(new RefundRefused('failed').message).toBe('failed');
});
