import { expect, test } from 'vitest';
import { chiSquaredTail } from '../../../../worker/experiments/rules/distributions.ts';
import { variantsFor } from '../../../../worker/experiments/rules/experiment-arms.ts';
import { bucketOf } from '../../../../worker/experiments/rules/split.ts';
import { seeded } from '../../../seeded-random.ts';
import { experimentsOf, written } from '../experiment-of.ts';

const count = 1_000_000;
const random = seeded(11);
const digits = Array.from({ length: 65_536 }, (_, at) => at.toString(16).padStart(4, '0'));
const four = () => digits[Math.floor(random() * 65_536)] ?? '';
const uuid = () =>
  `${four()}${four()}-${four()}-4${four().slice(1)}-8${four().slice(1)}-${four()}${four()}${four()}`;

/** Names as people choose them: alike, short, and of other lengths. */
const names = [
  'a',
  'b',
  'ab',
  'headline_de',
  'headline_en',
  'price-1',
  'price-2',
  'x',
  '2026-12-paywall',
  '2026-11-paywall',
];

/** Of visitors sorted into these cells, against independence of row and column. @returns the share of chance that is as far off */
function chanceOf(cells: readonly number[], columns: number): number {
  const rows = cells.length / columns;
  const total = cells.reduce((sum, cell) => sum + cell, 0);
  const rowSums = Array.from({ length: rows }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns).reduce((sum, cell) => sum + cell, 0),
  );
  const columnSums = Array.from({ length: columns }, (_, column) =>
    cells.filter((_cell, at) => at % columns === column).reduce((sum, cell) => sum + cell, 0),
  );
  const chi = cells.reduce((sum, cell, at) => {
    const expected =
      ((rowSums[Math.floor(at / columns)] ?? 0) * (columnSums[at % columns] ?? 0)) / total;
    return sum + (cell - expected) ** 2 / expected;
  }, 0);
  return chiSquaredTail(chi, (rows - 1) * (columns - 1));
}

test('experiments: over a million visitors every pair of ten is independent, and each of the split', () => {
  const all = experimentsOf(
    ...names.map((id, at) =>
      written(id, { share: at < 5 ? 100 : 60, ...(at > 7 && { layer: 'l', share: 40 }) }),
    ),
  );
  // Of each experiment: outside, control, b; the split last.
  const states = all.map(() => new Uint8Array(count));
  const split = new Uint8Array(count);
  const visitor = {
    country: 'US',
    language: 'en',
    platform: 'ios',
    source: '',
    placement: '',
    campaign: '',
    isNew: true,
  };
  for (let at = 0; at < count; at += 1) {
    const id = uuid();
    for (const { experiment, variant } of variantsFor(all, { ...visitor, id }, [], 0)) {
      const state = states[all.indexOf(experiment)];
      if (state) state[at] = variant.key === 'b' ? 2 : 1;
    }
    split[at] = bucketOf('2026-10-split', id) < 50 ? 1 : 2;
  }
  const named = [
    ...names.map((name, at) => [name, states[at] ?? split] as const),
    ['split', split] as const,
  ];
  const chances = named.flatMap(([one, first], at) =>
    named.slice(at + 1).flatMap(([other, second]) => {
      // A layer's experiments exclude each other.
      if (one === '2026-12-paywall' && other === '2026-11-paywall') return [];
      const cells = Array.from({ length: 9 }, () => 0);
      for (let i = 0; i < count; i += 1) {
        const cell = (first[i] ?? 0) * 3 + (second[i] ?? 0);
        cells[cell] = (cells[cell] ?? 0) + 1;
      }
      const [rows, columns] = [first, second].map((state) => (state.includes(0) ? 3 : 2));
      const used = cells.filter(
        (_, cell) => (rows === 3 || cell >= 3) && (columns === 3 || cell % 3 > 0),
      );
      return [{ pair: `${one} × ${other}`, chance: chanceOf(used, columns ?? 3) }];
    }),
  );
  const sorted = chances.toSorted((one, other) => one.chance - other.chance);
  console.info(
    `${chances.length} pairs of ${count} visitors; smallest chances: ${sorted
      .slice(0, 3)
      .map(({ pair, chance }) => `${pair} ${chance.toPrecision(2)}`)
      .join(', ')}`,
  );
  expect(chances).toHaveLength(54);
  // The smallest of 54 independent pairs is below this once in 1,850 sets of names.
  expect(sorted[0]?.chance).toBeGreaterThan(1e-5);
  // Half of them are above a half, as chance wants it.
  const above = chances.filter(({ chance }) => chance > 0.5).length;
  expect(above).toBeGreaterThan(12);
  expect(above).toBeLessThan(42);
});
