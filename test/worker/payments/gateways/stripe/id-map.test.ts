import { expect, test } from 'vitest';
import { parseIdMap } from '../../../../../worker/payments/gateways/stripe/id-map.ts';

test('plans and what Stripe calls them; nothing when nothing is set', () => {
  expect(parseIdMap('{"monthly_usd":"price_1"}', 'PRICES', 'price')).toEqual({
    monthly_usd: 'price_1',
  });
  expect(parseIdMap(undefined, 'PRICES', 'price')).toEqual({});
});

test.each([
  ['{', 'PRICES is not JSON'],
  ['[]', 'PRICES is not an object'],
  ['{"weekly":"price_1"}', 'PRICES names no plan of ours: weekly'],
  ['{"monthly_usd":"to_1"}', 'PRICES names no price for monthly_usd'],
  ['{"monthly_usd":1}', 'PRICES names no price for monthly_usd'],
])('%s is refused', (variable, reason) => {
  expect(() => parseIdMap(variable, 'PRICES', 'price')).toThrow(reason);
});
