import { expect, test } from 'vitest';
import { resultsOf } from '../../../../../worker/console/experiments/rules/results.ts';
import {
  experimentVerdict,
  renewalNote,
} from '../../../../../worker/console/experiments/rules/verdict.ts';
import { arm } from '../../../../scripts/config/command-context.ts';

interface Sold {
  visitors: number;
  purchases: number;
  /** Minor units of first payments, and of renewals. */
  first?: number;
  renewed?: number;
}

const amount = (minor: number) => `$${(minor / 100).toFixed(2)}`;

const inDollars = (sum: number): Record<string, number> => (sum > 0 ? { USD: sum } : {});

/** Each buyer of a variant pays the same. */
function resultsFor(sold: Record<string, Sold>) {
  const facts = Object.entries(sold).map(
    ([name, { visitors, purchases, first = 0, renewed = 0 }]) => {
      const squares = (sum: number) => ({ USD: purchases > 0 ? sum ** 2 / purchases : 0 });
      return {
        ...{ arm: name, visitors, purchases, signUps: purchases, attempts: purchases },
        ...{ declined: 0, returned: 0, revenue: inDollars(first) },
        ...{ squares: squares(first), ...(renewed > 0 && { renewals: inDollars(renewed) }) },
        renewalSquares: squares(renewed),
      };
    },
  );
  const weight = 100 / facts.length;
  const variants = facts.map(({ arm: name }) => arm(name, weight));
  return resultsOf(variants, facts);
}

function verdict(sold: Record<string, Sold>, isOver = false): string {
  const found = experimentVerdict(resultsFor(sold), amount, isOver);
  return found ? `${found.state}: ${found.text}` : '';
}

const few = { visitors: 3000, purchases: 300 };
const many = { visitors: 3000, purchases: 900 };

test('verdict: without revenue one sentence says which variant sells more often', () => {
  expect(verdict({ a: few, b: many })).toMatch(
    /^Running: “b” sells more often than “a”: [\d.,]+% to [\d.,]+% more purchases per visitor\.$/,
  );
  expect(verdict({ a: many, b: few })).toMatch(
    /^Running: “b” sells less often than “a”: [\d.]+% to [\d.]+% fewer purchases per visitor\.$/,
  );
  expect(verdict({ a: few, b: { ...few, purchases: 500 }, c: many })).toContain(
    '“c” sells more often',
  );
  expect(verdict({ a: many, b: few, c: few })).toBe(
    'Running: “a” sells more often than every other variant.',
  );
  expect(verdict({ a: few, b: few })).toBe(
    'Running, no winner yet: No variant sells more or less often than “a”.',
  );
});

test('verdict: revenue decides, whatever the number of purchases', () => {
  expect(verdict({ a: { ...few, first: 300_000 }, b: { ...many, first: 9000 } })).toMatch(
    /^Running: “b” earns less than “a”: \$0\.03 against \$1\.00 per visitor, [\d.]+% to [\d.]+% less\.$/,
  );
  expect(verdict({ a: { ...few, first: 31_000 }, b: { ...few, first: 310_000 } })).toContain(
    '“b” earns more than “a”: $1.03 against $0.10 per visitor',
  );
});

test('verdict: a variant with a cheap start is not a loser, because its renewals count', () => {
  const fullPrice = { ...few, first: 300_000 };
  const intro = { ...few, first: 60_000, renewed: 250_000 };
  expect(verdict({ fullPrice, intro: { ...intro, renewed: 0 } })).toContain('earns less');
  expect(verdict({ fullPrice, intro })).toMatch(
    /^Running, no winner yet: “intro” \$1\.03, “fullPrice” \$1\.00 per visitor: no clear difference \(95% interval −[\d.]+% to \+[\d.]+%\)\.$/,
  );
  expect(verdict({ fullPrice, intro: { ...intro, renewed: 2_500_000 } })).toContain('earns more');
});

test('verdict: with undecided revenue the sentence names what purchases say', () =>
  expect(verdict({ a: { ...few, first: 90_000 }, b: { ...many, first: 90_000 } })).toMatch(
    /^Running, no winner yet: .* “b” sells more often than “a”/,
  ));

test('verdict: few purchases are too few', () =>
  expect(
    verdict({ a: { visitors: 100, purchases: 40 }, b: { visitors: 100, purchases: 12 } }),
  ).toBe(
    'Running, no winner yet: Too few purchases: “b” has 12 of the 30 that a comparison needs.',
  ));

test('verdict: a test whose visitors do not match the shares is not to be trusted', () => {
  expect(verdict({ a: { ...many, visitors: 9000 }, b: many })).toContain('Do not trust this test');
  expect(verdict({ a: many })).toBe('');
});

test('verdict: after its end a test says so', () => {
  expect(verdict({ a: few, b: few }, true)).toMatch(/^Ended, no winner: /);
  expect(verdict({ a: few, b: many }, true)).toMatch(/^Ended: “b” sells/);
});

test('verdict: a variant without renewals is named if another one has some', () => {
  const [paid, renewed] = [
    { ...few, first: 300_000 },
    { ...few, first: 60_000, renewed: 9000 },
  ];
  expect(renewalNote(resultsFor({ a: paid, b: renewed }))).toContain(
    'No payment of “a” has renewed',
  );
  expect(renewalNote(resultsFor({ a: paid, b: paid }))).toBe('');
  expect(renewalNote(resultsFor({ a: renewed, b: renewed }))).toBe('');
});
