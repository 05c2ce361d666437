import { expect, test } from 'vitest';
import { decimal, minorDigits } from '../../../locales/format/currency.ts';
import { money, pricePieces } from '../../../locales/format/money.ts';
import { currencies } from '../../../worker/catalog/rules/markets.ts';

test.each([
  [3999, 'USD', '39.99'],
  [5900, 'EUR', '59.00'],
  [5, 'CHF', '0.05'],
  [0, 'USD', '0.00'],
  [-500, 'SEK', '-5.00'],
  [100_000, 'MXN', '1000.00'],
  [5980, 'JPY', '5980'],
  [-5, 'JPY', '-5'],
])('currencies: %i minor units of %s are %s', (minor, currency, text) =>
  expect(decimal(minor, currency)).toBe(text),
);

test('currencies: minor units are those of ISO 4217', () => {
  for (const currency of currencies) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    expect([currency, minorDigits(currency)]).toEqual([
      currency,
      format.resolvedOptions().maximumFractionDigits,
    ]);
  }
});

test.each([
  [5980, 'JPY', 'ja', '￥5,980'],
  [5980, 'JPY', 'en', '¥5,980'],
  [5499, 'CAD', 'en', 'CA$54.99'],
  [5999, 'AUD', 'en', 'A$59.99'],
  [66_900, 'MXN', 'es', 'MXN'],
  [19_990, 'BRL', 'pt', 'R$'],
  [15_999, 'PLN', 'pl', 'zł'],
  [38_900, 'SEK', 'en', 'kr'],
  [3990, 'CHF', 'de', 'CHF'],
  [3499, 'GBP', 'en', '£34.99'],
])('currencies: %i %s in %s has %s', (minor, currency, language, text) =>
  expect(money(minor, currency, language).replace(/[\u2066-\u2069]/g, '')).toContain(text),
);

test('currencies: yen have no cents on the page', () => {
  expect(pricePieces(5980, 'JPY', 'en').map(({ kind }) => kind)).toEqual(['sign', 'whole']);
});
