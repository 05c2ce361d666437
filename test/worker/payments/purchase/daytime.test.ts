import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atDaytime } from '../../../../worker/payments/purchase/daytime.ts';

const hour = 60 * 60_000;
const zones = [
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Pacific/Kiritimati',
];

const hourIn = (at: number, timeZone: string) =>
  Number(new Date(at).toLocaleString('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }));

test('daytime: a time by day stays, one at night moves to 9:00 local time', () => {
  const noon = Date.UTC(2027, 0, 10, 12, 34);
  expect(atDaytime(noon, 'UTC')).toBe(noon);
  expect(atDaytime(noon, 'America/Los_Angeles')).toBe(Date.UTC(2027, 0, 10, 17));
  expect(atDaytime(noon, 'Asia/Tokyo')).toBe(Date.UTC(2027, 0, 11, 0));
  expect(atDaytime(noon, 'Asia/Kathmandu')).toBe(noon);
});

test('daytime: the result is always from 9 to 20 local time, never earlier than the input, and at most 13 hours later except around clock changes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }),
      fc.constantFrom(...zones),
      (at, zone) => {
        const moved = atDaytime(at, zone);
        expect(hourIn(moved, zone)).toBeGreaterThanOrEqual(9);
        expect(hourIn(moved, zone)).toBeLessThan(20);
        expect(moved).toBeGreaterThanOrEqual(at);
        expect(moved - at).toBeLessThanOrEqual(14 * hour);
      },
    ),
  );
});
