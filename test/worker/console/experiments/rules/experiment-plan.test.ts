import { expect, test } from 'vitest';
import { plannedTest } from '../../../../../worker/console/experiments/rules/experiment-plan.ts';

const now = Date.UTC(2026, 11, 10);
const variants = [
  { key: 'control', weight: 50 },
  { key: 'b', weight: 50, changes: { flow: 'short' } },
];
const textOf = (more: object) =>
  JSON.stringify({ experiments: [{ id: 'headline', metric: 'revenue', variants, ...more }] });

test('experiment plan: the first variant, the shares and the metrics come from the document', () => {
  const found = plannedTest(textOf({ secondary: ['purchases'] }), 'headline', now);
  expect(found?.plan).toEqual({ metric: 'revenue', secondary: ['purchases'], isOver: false });
  expect(found?.variants.map(({ key, weight }) => [key, weight])).toEqual([
    ['control', 50],
    ['b', 50],
  ]);
});

test.each([
  [{}, false],
  [{ ends: '2026-12-20T00:00:00Z' }, false],
  [{ ends: '2026-12-10T00:00:00Z' }, true],
  [{ winner: 'b' }, true],
])('experiment plan: with %j it is over: %s', (more, isOver) =>
  expect(plannedTest(textOf(more), 'headline', now)?.plan.isOver).toBe(isOver),
);

test.each([
  null,
  undefined,
  '',
  '{',
  '[]',
  '{"experiments":[{"id":"headline"}]}',
  textOf({ id: 'x' }),
])('experiment plan: there is none in %j', (text) =>
  expect(plannedTest(text, 'headline', now)).toBeNull(),
);
