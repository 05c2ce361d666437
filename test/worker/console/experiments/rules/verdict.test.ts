import { expect, test } from 'vitest';
import { resultsOf } from '../../../../../worker/console/experiments/rules/results.ts';
import { verdictOf } from '../../../../../worker/console/experiments/rules/verdict.ts';
import { arm } from '../../../../scripts/config/command-context.ts';

/** Each buyer of a variant pays the same. @param sold visitors, purchases and revenue by variant */
function verdict(sold: Record<string, readonly [number, number, number?]>): string {
  const facts = Object.entries(sold).map(([name, [visitors, purchases, revenue = purchases]]) => ({
    ...{ arm: name, visitors, purchases, signUps: purchases, attempts: purchases },
    ...{ declined: 0, returned: 0, revenue: { USD: revenue } },
    squares: { USD: purchases > 0 ? revenue ** 2 / purchases : 0 },
  }));
  const weight = 100 / facts.length;
  return verdictOf(
    resultsOf(
      facts.map(({ arm: name }) => arm(name, weight)),
      facts,
    ),
  );
}

test('verdict: one sentence says which variant sells better', () => {
  expect(verdict({ a: [3000, 300], b: [3000, 900] })).toMatch(
    /^'b' sells better than 'a': [\d.,]+% to [\d.,]+% more purchases per visitor\.$/,
  );
  expect(verdict({ a: [3000, 900], b: [3000, 300] })).toMatch(
    /^'b' sells worse than 'a': [\d.]+% to [\d.]+% fewer purchases per visitor\.$/,
  );
  expect(verdict({ a: [3000, 300], b: [3000, 500], c: [3000, 900] })).toContain("'c' sells better");
  expect(verdict({ a: [3000, 900], b: [3000, 300], c: [3000, 300] })).toBe(
    "'a' sells better than every other variant.",
  );
});

test('verdict: more purchases that bring in less money are named as such', () =>
  expect(verdict({ a: [3000, 300, 300_000], b: [3000, 900, 9000] })).toContain(
    ', but less revenue.',
  ));

test('verdict: where purchases decide nothing, revenue does', () => {
  expect(verdict({ a: [3000, 300, 300_000], b: [3000, 310, 31_000] })).toMatch(
    /^'b' earns less than 'a': [\d.]+% to [\d.]+% less new revenue per visitor\.$/,
  );
  expect(verdict({ a: [3000, 300, 31_000], b: [3000, 310, 310_000] })).toContain(
    "'b' earns more than 'a'",
  );
});

test('verdict: without a difference there is no winner, and few purchases are too early', () => {
  expect(verdict({ a: [3000, 300], b: [3000, 310] })).toMatch(
    /^No winner so far: 'b' has between -[\d.]+% and \+[\d.]+% purchases per visitor/,
  );
  expect(verdict({ a: [3000, 300], b: [3000, 310], c: [3000, 305] })).toBe(
    "No winner so far: no variant differs from 'a' by more than chance.",
  );
  expect(verdict({ a: [100, 40], b: [100, 12] })).toBe(
    "Too early to say: 'b' has 12 of the 30 purchases that a comparison needs.",
  );
});

test('verdict: a test whose visitors do not match the shares is not to be trusted', () => {
  expect(verdict({ a: [9000, 900], b: [3000, 900] })).toContain('Do not trust this test');
  expect(verdict({ a: [9000, 900] })).toBe('');
});
