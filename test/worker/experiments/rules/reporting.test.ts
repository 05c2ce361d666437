import { expect, test } from 'vitest';
import {
  commonCurrency,
  rateText,
  reportingIn,
} from '../../../../worker/experiments/rules/reporting.ts';

const reporting = (rates: object) => ({ currency: 'USD', date: '2026-11-20', rates });
const read = (rates: object) => reportingIn(JSON.stringify({ reporting: reporting(rates) }));

test('reporting currency: rates are above 0, and those of a configuration without them are unknown', () => {
  expect(read({ JPY: 0.0065, EUR: 1 })).toEqual(reporting({ JPY: 0.0065, EUR: 1 }));
  expect([read({ EUR: 0 }), reportingIn('{}'), reportingIn(null), reportingIn('{')]).toEqual([
    ...[null, null, null, null],
  ]);
});

test('reporting currency: amounts in several currencies need a rate for each', () => {
  const known = read({ JPY: 0.0065 });
  expect(commonCurrency(['USD', 'JPY'], known)).toEqual({
    currency: 'USD',
    // Yen have no minor units.
    factors: { USD: 1, JPY: 0.65 },
  });
  expect(commonCurrency(['USD', 'EUR'], known)).toBeNull();
  expect(commonCurrency(['EUR'], null)).toEqual({ currency: 'EUR', factors: { EUR: 1 } });
  expect(commonCurrency(['EUR', 'USD'], null)).toBeNull();
  expect(commonCurrency([], known)).toBeNull();
});

test('reporting currency: the rates and their date are named where amounts were converted', () => {
  const known = read({ JPY: 0.0065, EUR: 1.08 });
  expect(rateText(['USD', 'JPY', 'EUR'], known)).toBe(
    'at 1 JPY = 0.0065 USD, 1 EUR = 1.08 USD of 2026-11-20',
  );
  expect([rateText(['EUR'], known), rateText(['USD', 'EUR'], null)]).toEqual(['', '']);
});
