import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Hash, hashOf, IdSet, packed } from '../../../../worker/analytics/rules/id-set.ts';
import { shardOf } from '../../../../worker/analytics/rules/shards.ts';
import type { VisitorId } from '../../../../worker/platform/types.ts';

/** Few values, so that hashes collide in their first slot and in one half. */
const few = fc.integer({ min: 0, max: 40 });
const hash = fc.tuple(
  few,
  few.map((low) => (low % 8) * 1024 + 1),
);

test('id set: contains exactly the hashes that were added, also those that share a slot', () => {
  fc.assert(
    fc.property(fc.array(hash), fc.array(hash), (added, others) => {
      const set = new IdSet();
      const known = new Set<string>();
      for (const one of added) {
        expect(set.add(one)).toBe(!known.has(String(one)));
        known.add(String(one));
      }
      for (const one of [...added, ...others]) expect(set.has(one)).toBe(known.has(String(one)));
    }),
  );
});

test('id set: keeps its hashes when it grows', () => {
  const hashes = Array.from({ length: 5000 }, (_, at) => hashOf(`event ${at}`));
  const set = new IdSet();
  for (const one of hashes) expect(set.add(one)).toBe(true);
  for (const one of hashes) expect(set.add(one)).toBe(false);
  expect(hashes.every((one) => set.has(one))).toBe(true);
  expect(set.has(hashOf('another event'))).toBe(false);
});

test('id set: packed hashes are those that were packed', () => {
  const hashes: Hash[] = [
    [0, 1],
    [0xffff_ffff, 0xffff_fffe],
  ];
  expect([...packed(hashes)]).toEqual([0, 1, 0xffff_ffff, 0xffff_fffe]);
  const set = new IdSet();
  set.addPacked(packed(hashes));
  expect(hashes.map((one) => set.has(one))).toEqual([true, true]);
  expect(set.has([1, 1])).toBe(false);
});

test('id set: the halves of a hash are independent, and the same in every release', () => {
  const hashes = ['a', 'event 1', 'event 2'].map(hashOf);
  expect(new Set(hashes.flat()).size).toBe(6);
  // A visitor's events stay in their shard.
  expect(['v1', 'v2', 'v3', 'v4'].map((id) => shardOf(id as VisitorId))).toEqual([
    '1',
    '1',
    '2',
    '3',
  ]);
});
