import fc from 'fast-check';
import { expect, it } from 'vitest';
import { money, pricePieces } from '../../../locales/format/money.ts';

const kinds = (minor: number, currency: string, language: string) =>
  pricePieces(minor, currency, language).map(({ kind, text }) => [kind, text]);

it.each([
  [699, 'USD', 'en', '$6.99'],
  [699, 'EUR', 'en', '€6.99'],
  [699, 'EUR', 'de', '6,99\u00a0€'],
  [4000, 'USD', 'en', '$40.00'],
  [699, 'EUR', 'ar', '\u20676.99\u00a0€\u2069'],
  [123456, 'USD', 'ar', '\u20671,234.56\u00a0\u2066US$\u2069\u2069'],
])('money: writes %d %s in %s as %s', (minor, currency, language, text) =>
  expect(money(minor, currency, language)).toBe(text),
);

it('money: splits a price in the order of the language', () => {
  expect(kinds(123456, 'USD', 'en')).toEqual([
    ['sign', '$'],
    ['whole', '1,234'],
    ['cents', '56'],
  ]);
  expect(kinds(699, 'EUR', 'de')).toEqual([
    ['whole', '6'],
    ['cents', '99'],
    ['sign', '€'],
  ]);
});

it('money: in Arabic the sign follows the digits, without direction marks', () => {
  expect(kinds(699, 'EUR', 'ar')).toEqual([
    ['whole', '6'],
    ['cents', '99'],
    ['sign', '€'],
  ]);
});

it('money: loses no digit of any amount', () => {
  fc.assert(
    fc.property(fc.nat(99_999_999), (minor) => {
      const figures = pricePieces(minor, 'USD', 'en').filter(({ kind }) => kind !== 'sign');
      const read = figures.map(({ text }) => text.replaceAll(',', '')).join('');
      expect(Number(read)).toBe(minor);
    }),
  );
});
