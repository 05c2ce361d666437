import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bucketOf,
  landingTypeOf,
  pickVariant,
  typeOf,
  type Variant,
} from '../../../../worker/experiments/rules/split.ts';
import { seeded } from '../../../seeded-random.ts';

const count = process.env.FULL === '1' ? 200_000 : 4000;

/** Uuids of version 4, the same in every run. */
function uuids(seed: number): string[] {
  const random = seeded(seed);
  const nibble = () => Math.floor(random() * 16);
  const digit = (sign: string) => (sign === 'y' ? 8 | (nibble() & 3) : nibble()).toString(16);
  const shape = 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx';
  return Array.from({ length: count }, () => shape.replace(/[xy]/g, digit));
}

const variant = (key: string, weight: number): Variant => ({ key, weight, flow: 'default' });
const keyAt = (variants: Variant[], at: number) => pickVariant(variants, at)?.key;

/** Chi-squared of draws sorted into this many equal boxes. */
function chiSquared(draws: number[], boxes: number): number {
  const counts = Array.from({ length: boxes }, () => 0);
  for (const at of draws) {
    const box = Math.floor((at / 100) * boxes);
    counts[box] = (counts[box] ?? 0) + 1;
  }
  const expected = draws.length / boxes;
  return counts.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
}

function correlation(a: number[], b: number[]): number {
  const mean = (all: number[]) => all.reduce((sum, x) => sum + x, 0) / all.length;
  const [ma, mb] = [mean(a), mean(b)];
  const covariance = mean(a.map((x, i) => (x - ma) * ((b[i] ?? 0) - mb)));
  const spread = (all: number[], m: number) => Math.sqrt(mean(all.map((x) => (x - m) ** 2)));
  return covariance / (spread(a, ma) * spread(b, mb));
}

test('split: a visitor’s bucket in an experiment never changes', () => {
  const uuid = '5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f';
  expect(bucketOf('2026-11-paywall', uuid)).toBe(bucketOf('2026-11-paywall', uuid));
  // The values themselves must not change either, because a visitor without a cookie would change arms.
  expect([bucketOf('a', uuid), bucketOf('b', uuid), bucketOf('', '')]).toEqual([
    17.84, 51.47, 74.3,
  ]);
});

test('split: buckets are in [0, 100) with two decimals', () => {
  for (const uuid of uuids(1)) {
    const at = bucketOf('e', uuid);
    expect(at >= 0 && at < 100 && Number(at.toFixed(2)) === at).toBe(true);
  }
});

test('split: buckets are uniform', () => {
  const draws = uuids(2).map((uuid) => bucketOf('2026-11-paywall', uuid));
  // 149.4 is exceeded by chance once in 1000 with 99 degrees of freedom.
  expect(chiSquared(draws, 100)).toBeLessThan(149.4);
});

test('split: buckets of two experiments are independent', () => {
  const all = uuids(3);
  for (const [one, other] of [
    ['a', 'b'],
    ['2026-11-paywall', '2026-11-paywalm'],
    ['2026-11-paywall', '2026-12-paywall'],
  ] as const) {
    const first = all.map((uuid) => bucketOf(one, uuid));
    const second = all.map((uuid) => bucketOf(other, uuid));
    expect(Math.abs(correlation(first, second))).toBeLessThan(4 / Math.sqrt(count));
    // The visitors of one arm of the first are split equally between the arms of the second (3 degrees of freedom).
    const cells = first.map((at, i) => (at < 50 ? 0 : 50) + ((second[i] ?? 0) < 50 ? 0 : 25));
    expect(chiSquared(cells, 4)).toBeLessThan(16.3);
  }
});

test('split: each arm gets its share', () => {
  const arms = [variant('a', 33.33), variant('b', 66.67)];
  const countOfA = uuids(4).filter((uuid) => keyAt(arms, bucketOf('e', uuid)) === 'a').length;
  const sigma = Math.sqrt(count * 0.3333 * 0.6667);
  expect(Math.abs(countOfA - count * 0.3333)).toBeLessThan(4 * sigma);
});

test('split: ranges are cumulative and include their lower bound', () => {
  const arms = [variant('fullPrice', 50), variant('intro/7d', 30), variant('intro/5d', 20)];
  const at = [0, 49.99, 50, 79.99, 80, 99.99].map((where) => keyAt(arms, where));
  expect(at).toEqual(['fullPrice', 'fullPrice', 'intro/7d', 'intro/7d', 'intro/5d', 'intro/5d']);
  expect(pickVariant(arms, 100)).toBeNull();
});

test('split: bounds of two decimals are exact', () => {
  const arms = [variant('a', 0.1), variant('b', 0.2), variant('c', 99.7)];
  expect([0.09, 0.1, 0.29, 0.3].map((at) => keyAt(arms, at))).toEqual(['a', 'b', 'b', 'c']);
});

test('split: an arm of weight 0 is never drawn', () => {
  const arms = [
    variant('x', 0),
    variant('a', 50),
    variant('y', 0),
    variant('b', 50),
    variant('z', 0),
  ];
  for (let at = 0; at < 10_000; at++) expect(['a', 'b']).toContain(keyAt(arms, at / 100));
});

/** Weights with two decimals that add up to 100: the distances between random cuts, in hundredths. */
const weights = fc
  .array(fc.nat(10_000), { maxLength: 12 })
  .map((cuts) => [0, ...cuts.sort((a, b) => a - b), 10_000])
  .map((cuts) => cuts.slice(1).map((cut, i) => (cut - (cuts[i] ?? 0)) / 100));

test('split: any weights that add up to 100 assign every bucket in exact proportion', () => {
  fc.assert(
    fc.property(weights, (all) => {
      const arms = all.map((weight, i) => variant(String(i), weight));
      const seen = arms.map(() => 0);
      for (let at = 0; at < 10_000; at++) {
        const index = Number(keyAt(arms, at / 100));
        seen[index] = (seen[index] ?? 0) + 1;
      }
      expect(seen).toEqual(all.map((weight) => Math.round(weight * 100)));
    }),
    { numRuns: 20 },
  );
});

test.each([
  ['fullPrice', 'fullPrice', 'split_fullPrice'],
  ['intro/7d', 'intro', 'split_intro_7d'],
])('split: the arm %s has the type %s and the landing type %s', (key, type, landing) => {
  expect([typeOf(key), landingTypeOf(key)]).toEqual([type, landing]);
});
