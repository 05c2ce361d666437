import { expect, test } from 'vitest';
import { differs } from '../../../../worker/payments/gateways/settings.ts';

test.each([
  [3999, 3999, []],
  ['usd', 'eur', ['x is usd, not eur']],
  [undefined, 1, ['x is none, not 1']],
  [12, null, ['x is 12, not none']],
  [null, null, []],
])('price check: %j where %j is expected', (found, wanted, problems) => {
  expect(differs('x', found, wanted)).toEqual(problems);
});
