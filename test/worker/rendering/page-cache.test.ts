import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PageCache } from '../../../worker/rendering/page-cache.ts';

const page = (size: number) => ({ size });

test('a page is kept under its key, and another one replaces it', () => {
  const cache = new PageCache(100);
  cache.set('a', page(10));
  cache.set('a', page(30));
  expect([cache.get('a')?.size, cache.size, cache.get('b')]).toEqual([30, 30, undefined]);
});

test('an empty page is a page', () => {
  const cache = new PageCache(100);
  cache.set('a', page(0));
  expect(cache.get('a')).toEqual(page(0));
});

test('when it is full the least recently used goes', () => {
  const cache = new PageCache(30);
  for (const key of ['a', 'b', 'c']) cache.set(key, page(10));
  cache.get('a');
  cache.set('d', page(10));
  const kept = ['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined);
  expect(kept).toEqual(['a', 'c', 'd']);
});

test('a page that is larger than all is not kept, and takes the old one with it', () => {
  const cache = new PageCache(30);
  cache.set('a', page(10));
  cache.set('b', page(10));
  cache.set('a', page(31));
  expect([cache.get('a'), cache.get('b')?.size, cache.size]).toEqual([undefined, 10, 10]);
});

test('whatever is kept, it is never larger than its limit, and counts right', () => {
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
