import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillPlaceholders, placeholders } from '../../../worker/content/page-placeholders.ts';
import { CachedPage, PageCache } from '../../../worker/rendering/page-cache.ts';
import { valuesOf } from '../content/placeholder-values.ts';

const page = (size: number) => ({ size });

test('page cache: a page is stored by key and can be replaced', () => {
  const cache = new PageCache(100);
  cache.set('a', page(10));
  cache.set('a', page(30));
  expect([cache.get('a')?.size, cache.size, cache.get('b')]).toEqual([30, 30, undefined]);
});

test('page cache: an empty page is stored', () => {
  const cache = new PageCache(100);
  cache.set('a', page(0));
  expect(cache.get('a')).toEqual(page(0));
});

test('page cache: evicts the least recently used page', () => {
  const cache = new PageCache(30);
  for (const key of ['a', 'b', 'c']) cache.set(key, page(10));
  cache.get('a');
  cache.set('d', page(10));
  const kept = ['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined);
  expect(kept).toEqual(['a', 'c', 'd']);
});

test('page cache: a page above the limit is not stored and removes the old one', () => {
  const cache = new PageCache(30);
  cache.set('a', page(10));
  cache.set('b', page(10));
  cache.set('a', page(31));
  expect([cache.get('a'), cache.get('b')?.size, cache.size]).toEqual([undefined, 10, 10]);
});

test('page cache: never exceeds its limit and counts its size correctly', () => {
  const writes = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(120)));
  fc.assert(
    fc.property(writes, (all) => {
      const cache = new PageCache(100);
      for (const [key, length] of all) {
        cache.set(key, page(length));
        const kept = ['a', 'b', 'c', 'd', 'e'].map((one) => cache.get(one)?.size ?? 0);
        expect(cache.size).toBe(kept.reduce((sum, size) => sum + size, 0));
        expect(cache.size).toBeLessThanOrEqual(100);
        expect(cache.get(key)?.size).toBe(length <= 100 ? length : undefined);
      }
    }),
  );
});

const values = valuesOf({ 'country.code': 'CI', 'country.name': 'Côte d’Ivoire & <b>' });
const text = (page: CachedPage) =>
  new TextDecoder().decode(page.fill({ env: {}, key: '' }, () => values));

test('cached page: is filled in like its HTML', () => {
  const { code, name, calling } = placeholders.country;
  const piece = fc.oneof(fc.constantFrom(code, name, calling, '\uE000', 'é'), fc.string());
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const html = pieces.join('').toWellFormed();
      expect(text(new CachedPage(html))).toBe(fillPlaceholders(html, values));
    }),
  );
});

test('cached page: each visitor gets their own values', () => {
  const page = new CachedPage(`<p>${placeholders.country.code}</p>`);
  const shown = ['US', 'US', 'DE', 'US'].map((country) =>
    page.fill({ env: {}, key: '' }, () => valuesOf({ 'country.code': country })),
  );
  expect(shown.map((bytes) => new TextDecoder().decode(bytes))).toEqual(
    ['US', 'US', 'DE', 'US'].map((country) => `<p>${country}</p>`),
  );
});

test('cached page: for the same reader the values are not computed again', () => {
  const page = new CachedPage(`<p>${placeholders.country.code}</p>`);
  const env = {};
  const countries = ['US', 'DE', 'FR', 'IT'];
  const read = () => valuesOf({ 'country.code': countries.shift() ?? '' });
  const readers = [
    { env, key: 'a' },
    { env, key: 'a' },
    { env, key: 'b' },
    { env: {}, key: 'b' },
  ];
  const shown = readers.map((reader) => new TextDecoder().decode(page.fill(reader, read)));
  expect(shown).toEqual(['US', 'US', 'DE', 'FR'].map((country) => `<p>${country}</p>`));
});

test('cached page: the size in bytes includes the filled page', () => {
  expect(new CachedPage('').size).toBe(0);
  expect(new CachedPage('é1').size).toBe(6);
});
