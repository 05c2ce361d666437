import { expect, test } from 'vitest';
import {
  applyChangeOutcome,
  type PlanChange,
} from '../../../../worker/payments/rules/plan-change.ts';

const openedAt = Date.UTC(2026, 10, 22);
const minuteMs = 60_000;

/** A change that was sent and has no result yet. */
const sent = (tries: number) =>
  ({ state: 'sent', openedAt, tries, caseAt: null, dueAt: openedAt }) as unknown as PlanChange;

test.each([
  ['at first after 250 ms', 0, 0, 250],
  ['then after twice as long', 1000, 3, 2000],
  ['after 8 s at most', minuteMs, 9, 8000],
  ['within ten minutes as often', 10 * minuteMs, 60, 8000],
  ['later every five minutes', 10 * minuteMs + 1, 60, 5 * minuteMs],
  ['after a day every hour', 24 * 60 * minuteMs, 400, 60 * minuteMs],
])('plan change: a change without a result is asked about again %s', (_, age, tries, delay) => {
  const now = openedAt + age;
  const again = applyChangeOutcome(sent(tries), { kind: 'unknown' }, now);
  expect(again).toMatchObject({ state: 'sent', tries: tries + 1, dueAt: now + delay });
});

test('plan change: an operator is told daily of a change without a result', () => {
  const dayMs = 24 * 60 * minuteMs;
  const later = (caseAt: number | null, age: number) =>
    applyChangeOutcome({ ...sent(1), caseAt }, { kind: 'unknown' }, openedAt + age).caseAt;
  expect(later(null, dayMs - 1)).toBeNull();
  expect(later(null, dayMs)).toBe(openedAt + dayMs);
  expect(later(openedAt + dayMs, 2 * dayMs - 1)).toBe(openedAt + dayMs);
  expect(later(openedAt + dayMs, 2 * dayMs)).toBe(openedAt + 2 * dayMs);
});
