import { expect, test } from 'vitest';
import { decimal, minorDigits } from '../../../locales/format/currency.ts';
import { money, pricePieces } from '../../../locales/format/money.ts';
import { currencies } from '../../../worker/catalog/rules/currencies.ts';

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

/** Unicode writes these without decimals, because nobody uses the coins; the providers count hundredths. */
const written = ['COP', 'HUF', 'IDR', 'PKR'];

test('currencies: minor units are those of ISO 4217', () => {
  for (const currency of currencies) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    const { maximumFractionDigits: digits } = format.resolvedOptions();
    const expected = written.includes(currency) && digits === 0 ? 2 : digits;
    expect([currency, minorDigits(currency)]).toEqual([currency, expected]);
  }
});

test('currencies: each is told apart from the others by its sign', () => {
  const signs = currencies.map((currency) => pricePieces(100_000, currency, 'en')[0]?.text);
  const shared = signs.filter((sign, at) => signs.indexOf(sign) !== at);
  // Crowns of three countries, each shown in its own.
  expect(shared).toEqual(['kr', 'kr']);
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
  [11_900, 'KWD', 'en', '11.900'],
  [64_900_000, 'IDR', 'en', '649,000.00'],
  [34_990, 'CLP', 'es', 'CLP'],
  [2995, 'DKK', 'da', '29,95'],
])('currencies: %i %s in %s has %s', (minor, currency, language, text) =>
  expect(money(minor, currency, language).replace(/[\u2066-\u2069]/g, '')).toContain(text),
);

test('currencies: yen have no cents on the page', () => {
  expect(pricePieces(5980, 'JPY', 'en').map(({ kind }) => kind)).toEqual(['sign', 'whole']);
});
