import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillPlaceholders, placeholders } from '../../../worker/content/page-placeholders.ts';
import { CachedPage } from '../../../worker/rendering/cached-page.ts';

const values = (letter: string) => ({ c: 'CI', n: 'Côte d’Ivoire & <b>' })[letter] ?? '';
const text = (page: CachedPage) => new TextDecoder().decode(page.fill(values));

test('a kept page is filled as its HTML is', () => {
  const { code, name, calling } = placeholders.country;
  const piece = fc.oneof(fc.constantFrom(code, name, calling, '\uE000', 'é'), fc.string());
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const html = pieces.join('').toWellFormed();
      expect(text(new CachedPage(html))).toBe(fillPlaceholders(html, values));
    }),
  );
});

test('who comes after another gets their own values', () => {
  const page = new CachedPage(`<p>${placeholders.country.code}</p>`);
  const shown = ['US', 'US', 'DE', 'US'].map((country) => page.fill(() => country));
  expect(shown.map((bytes) => new TextDecoder().decode(bytes))).toEqual(
    ['US', 'US', 'DE', 'US'].map((country) => `<p>${country}</p>`),
  );
});

test('its size is in bytes, with those of the filled page', () => {
  expect(new CachedPage('').size).toBe(0);
  expect(new CachedPage('é1').size).toBe(6);
});
