import fc from 'fast-check';
import { expect, test } from 'vitest';
import { periodOf, previousOf, timesOf } from '../../../../worker/console/rules/period.ts';

const now = Date.UTC(2026, 10, 22, 10, 30);
const hour = 60 * 60_000;
const day = 24 * hour;
const at = (text: string) => Date.parse(`${text}Z`);

test.each([
  [{ period: '24h' }, '24h', '2026-11-21T11:00', '2026-11-22T11:00', 24],
  [{ period: '7d' }, '7d', '2026-11-16T00:00', '2026-11-23T00:00', 7],
  [{}, '30d', '2026-10-24T00:00', '2026-11-23T00:00', 30],
  [{ period: '90d' }, '90d', '2026-08-25T00:00', '2026-11-23T00:00', 90],
  [{ from: '2026-11-01', to: '2026-11-03' }, 'custom', '2026-11-01T00:00', '2026-11-04T00:00', 3],
  [{ from: '2026-11-01', to: '2026-11-01' }, 'custom', '2026-11-01T00:00', '2026-11-02T00:00', 24],
])('period: %j is %s from %s to %s in %d steps', (query, name, from, to, steps) => {
  const period = periodOf(query, now);
  expect(period).toMatchObject({ name, from: at(from), to: at(to) });
  expect(timesOf(period)).toHaveLength(steps);
});

test.each([
  { from: '2026-11-03', to: '2026-11-01' },
  { from: '2020-01-01', to: '2026-11-01' },
  { from: '2026-11-31', to: 'x' },
  { from: '2026-11-01' },
  { period: '31d' },
  { period: 'toString' },
])('period: %j is the last 30 days', (query) => {
  expect(periodOf(query, now).name).toBe('30d');
});

test('period: the one before ends where it begins and is as long', () => {
  const period = periodOf({ period: '7d' }, now);
  expect(previousOf(period)).toMatchObject({
    from: period.from - 7 * day,
    to: period.from,
    stepMs: day,
  });
});

test('period: now is in the last step of every named period', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.constantFrom('24h', '7d', '90d'),
      (time, period) => {
        const found = periodOf({ period }, time);
        expect(found.to).toBeGreaterThan(time);
        expect(found.to - found.stepMs).toBeLessThanOrEqual(time);
        expect(timesOf(found).at(-1)).toBe(found.to - found.stepMs);
      },
    ),
  );
});
