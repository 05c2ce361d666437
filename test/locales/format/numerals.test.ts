import { expect, it } from 'vitest';
import { isolated, percentOf } from '../../../locales/format/numerals.ts';

it.each([
  ['en', '50%'],
  ['de', '50\u00a0%'],
  ['ar', '50%'],
])('numerals: writes a percentage in %s', (language, text) => {
  expect(percentOf(50, language).replace(/[\u2066\u2069]/g, '')).toBe(text);
});

it('numerals: isolates only text with direction marks', () => {
  expect(isolated('$6.99')).toBe('$6.99');
  expect(isolated('\u200f6.99 $')).toBe('\u20676.99 $\u2069');
  expect(isolated('50\u200e%\u200e')).toBe('\u206650%\u2069');
});
