import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { chiSquaredTail } from '../../../../worker/experiments/rules/distributions.ts';
import { bucketOf, pickVariant, type Variant } from '../../../../worker/experiments/rules/split.ts';

const visitors = process.env.FULL ? 1_000_000 : 50_000;
const uuids = Array.from({ length: visitors }, () => randomUUID());
/** Seeds differ between runs; a correct split fails once in a million runs. */
const chance = 1e-6;

const p = (chi: number, freedom: number) => chiSquaredTail(chi, freedom);

const arms = (...weights: number[]): Variant[] =>
  weights.map((weight, index) => ({ key: `arm${index}`, weight, flow: 'default' }));

function count(experiment: string, variants: Variant[]): number[] {
  const counts = new Map(variants.map(({ key }) => [key, 0]));
  for (const uuid of uuids) {
    const key = pickVariant(variants, bucketOf(experiment, uuid))?.key ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return variants.map(({ key }) => counts.get(key) ?? 0);
}

test.each([
  ['halves', arms(50, 50)],
  ['the sample pair', arms(50, 30, 20)],
  ['a crumb', arms(0.01, 99.99)],
  ['two decimals', arms(12.34, 27.66, 33.33, 26.67)],
  ['many', arms(...Array.from({ length: 20 }, () => 5))],
])('split: visitors are assigned in proportion: %s', (name, variants) => {
  const counts = count(`${name} ${randomUUID()}`, variants);
  const expected = variants.map(({ weight }) => (weight / 100) * visitors);
  expect(counts.reduce((sum, each) => sum + each)).toBe(visitors);
  const chi = counts.reduce(
    (sum, n, i) => sum + (n - (expected[i] ?? 0)) ** 2 / (expected[i] ?? 1),
    0,
  );
  expect(p(chi, variants.length - 1)).toBeGreaterThan(chance);
});

test('split: two experiments are independent', () => {
  const [one, two] = [randomUUID(), randomUUID()];
  const halves = arms(50, 50);
  const table = new Map<string, number>();
  for (const uuid of uuids) {
    const both = [one, two]
      .map((experiment) => pickVariant(halves, bucketOf(experiment, uuid))?.key)
      .join();
    table.set(both, (table.get(both) ?? 0) + 1);
  }
  expect(table.size).toBe(4);
  const chi = [...table.values()].reduce(
    (sum, n) => sum + (n - visitors / 4) ** 2 / (visitors / 4),
    0,
  );
  expect(p(chi, 3)).toBeGreaterThan(chance);
});
