import { expect, test } from 'vitest';
import { falseAlarms, simulateTests } from './aa.ts';

const metrics = ['purchases', 'revenue', 'sign_ups'] as const;
const wanted = { tests: 300, arms: 2, metrics, days: 28, visitorsPerDay: 300 };

test('A/A bench: equal variants that are looked at daily give false alarms in at most one of twenty tests', () => {
  const alarms = falseAlarms(wanted, 5);
  expect(alarms.low).toBeLessThanOrEqual(0.05);
  expect(alarms.high).toBeLessThan(0.15);
  expect(alarms.rate).toBeGreaterThanOrEqual(alarms.low);
});

test('A/A bench: a large difference is found, a larger one earlier, and its metric is the first one', () => {
  const daysOf = (lift: number) =>
    simulateTests({ ...wanted, tests: 20, visitorsPerDay: 2000, lift }, 5).map(
      ({ primary }) => primary,
    );
  const [half, double] = [daysOf(0.5), daysOf(1)];
  expect(Math.max(...half)).toBeLessThanOrEqual(28);
  for (const [at, days] of double.entries()) expect(days).toBeLessThanOrEqual(half[at] ?? 0);
});
