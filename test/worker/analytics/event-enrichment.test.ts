import fc from 'fast-check';
import { expect, test } from 'vitest';
import { occurredAt } from '../../../worker/analytics/events-api.ts';

const now = 1_700_000_000_000;
const day = 24 * 60 * 60 * 1000;

const minute = 60_000;

test.each([
  ['a right clock', 0],
  ['a clock 10 seconds ahead', 10_000],
  ['a clock half a minute behind', -30_000],
  ['a clock an hour ahead', 60 * minute],
  ['a clock an hour behind', -60 * minute],
  ['a clock a year behind', -365 * day],
])('event time: %s moves an event by at most a minute', (_, off) => {
  const told = occurredAt(now - 2 * minute + off, now + off, now);
  expect(Math.abs(told - (now - 2 * minute))).toBeLessThan(minute);
});

test('event time: slow requests keep the order of events', () => {
  const way = fc.nat(40_000);
  const off = fc.integer({ min: -3_600_000, max: 3_600_000 }).map((ms) => Math.round(ms / minute));
  fc.assert(
    fc.property(
      way,
      way,
      off,
      fc.integer({ min: 1, max: 5000 }),
      (slow, quick, minutes, between) => {
        const clock = now + minutes * minute;
        const first = occurredAt(clock, clock, now + slow);
        const second = occurredAt(clock + between, clock + between, now + between + quick);
        return first < second;
      },
    ),
  );
});

test('event time: an implausible time becomes the current time', () => {
  for (const [at, sent] of [
    [undefined, now],
    [now, undefined],
    [now + 1, now],
    [now - 7 * day, now],
  ]) {
    expect(occurredAt(at, sent, now)).toBe(now);
  }
});

test('event time: never in the future or over a week ago', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (at, sent) => {
      const when = occurredAt(at, sent, now);
      return when <= now && when > now - 7 * day - minute;
    }),
  );
});
