import { expect, test } from 'vitest';
import { armCounts } from '../../../../worker/analytics/rules/arm-counts.ts';
import { withCountDefaults } from '../../../../worker/analytics/rules/count.ts';
import { tallyOf } from '../../../../worker/analytics/rules/tally.ts';

const payment = { slot: 'main', plan: 'p', currency: 'USD', reason: '', amount: 999, squares: 5 };
const count = {
  id: 'a1:purchase',
  at: 1_790_000_000_000,
  step: 'purchase',
  provider: 'stripe',
  slice: { flow: 'f', experiment: 'prices', variant: 'x', country: 'DE', landing: 'one_pager' },
  payment,
};
const arms = [
  { experiment: 'headline', variant: 'b' },
  { experiment: 'theme', variant: 'control' },
];

test('experiments: a count has one more for each variant, with an id and a step of its own', () => {
  const [headline, theme, ...others] = armCounts(count, arms, [7]);
  expect(others).toEqual([]);
  expect(headline).toEqual({
    ...count,
    id: 'a1:purchase:headline',
    step: 'test:purchase',
    slice: { flow: '', landing: '', experiment: 'headline', variant: 'b', country: 'DE' },
    payment: { ...payment, squares: 7 },
  });
  expect(theme?.payment?.squares).toBe(5);
  expect(armCounts(count, [])).toEqual([]);
});

test('experiments: no alarm counts an order once more for its experiments', () => {
  const tally = (counts: (typeof count)[]) => tallyOf(counts.map(withCountDefaults), () => true);
  const all = tally([count, ...(armCounts(count, arms) as (typeof count)[])]);
  expect(all.fiveMinutes).toEqual(tally([count]).fiveMinutes);
  expect(all.payments.map(([, step]) => step)).toEqual([
    'purchase',
    'test:purchase',
    'test:purchase',
  ]);
});
