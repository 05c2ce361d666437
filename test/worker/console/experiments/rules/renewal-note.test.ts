import { expect, test } from 'vitest';
import { resultsOf } from '../../../../../worker/console/experiments/rules/results.ts';
import { renewalNote } from '../../../../../worker/console/experiments/rules/verdict.ts';
import { arm } from '../../../../scripts/config/command-context.ts';

interface Sold {
  visitors: number;
  purchases: number;
  /** Minor units of first payments, and of renewals. */
  first?: number;
  renewed?: number;
}

const inDollars = (sum: number): Record<string, number> => (sum > 0 ? { USD: sum } : {});

/** Each buyer of a variant pays the same. */
function resultsFor(sold: Record<string, Sold>) {
  const facts = Object.entries(sold).map(
    ([name, { visitors, purchases, first = 0, renewed = 0 }]) => {
      const squares = (sum: number) => ({ USD: purchases > 0 ? sum ** 2 / purchases : 0 });
      return {
        ...{ arm: name, visitors, purchases, signUps: purchases, attempts: purchases },
        ...{ declined: 0, failed: 0, returned: 0, crashed: 0, revenue: inDollars(first) },
        ...{ squares: squares(first), ...(renewed > 0 && { renewals: inDollars(renewed) }) },
        renewalSquares: squares(renewed),
      };
    },
  );
  const weight = 100 / facts.length;
  const variants = facts.map(({ arm: name }) => arm(name, weight));
  return resultsOf(variants, facts);
}

const few = { visitors: 3000, purchases: 300 };

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
