import { expect, test } from 'vitest';
import { addTo, median, pastOf } from '../../../../worker/monitoring/rules/counts.ts';

test('counts: the expected level changes smoothly between hours, and is unknown without history', () => {
  const hourOf = (hour: number) => ({ a: hour % 2 === 0 ? 60 : 120 });
  const minute = 1000 * 168 * 60;
  // Of an hour with one case a minute more than the hour before it, in its middle.
  expect(pastOf('a', 168 * 60 + 30, (hour) => ({ a: 60 * hour }))[0]).toBe(0);
  expect(pastOf('a', 168 * 60 + 45, (hour) => ({ a: 60 * hour }))[0]).toBe(0.25);
  const before = pastOf('a', minute - 1, hourOf);
  const after = pastOf('a', minute, hourOf);
  expect(after).toHaveLength(4);
  expect(Math.abs((before[0] ?? 0) - (after[0] ?? 0))).toBeLessThan(0.05);
  expect(pastOf('a', minute, () => undefined)).toEqual([]);
  expect(pastOf('b', minute, hourOf)).toEqual([0, 0, 0, 0]);
  expect([median([]), median([3, 1, 2]), median([4, 1])]).toEqual([0, 2, 2.5]);
});

test('counts: the expected level is that of the same hour in each of the last four weeks', () => {
  const now = 100_000;
  const weekHours = 168;
  const requestedHours = new Set<number>();
  /** 60 cases an hour, of which only the same weekday’s hour counts. */
  const hourOf = (hour: number) => {
    requestedHours.add(hour);
    return { a: (now - hour) % weekHours === 0 ? 60 : 0 };
  };
  // Half an hour after the hour began, it has half the weight.
  expect(pastOf('a', now * 60 + 30, hourOf)).toEqual([0.5, 0.5, 0.5, 0.5]);
  const weeks = [1, 2, 3, 4].flatMap((week) => [-1, 0, 1].map((at) => now + at - week * weekHours));
  expect([...requestedHours]).toEqual(weeks);
});

test('counts: a tally is added to another one', () => {
  const tally = { a: 1 };
  addTo(tally, { a: 2, b: 3 });
  expect(tally).toEqual({ a: 3, b: 3 });
});
