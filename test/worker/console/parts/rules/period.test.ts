import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  daysIn,
  previousOf,
  reportPeriodOf,
  timeLabel,
  wholeDays,
} from '../../../../../worker/console/parts/rules/period.ts';
import {
  localTime,
  timeIn,
  timeZoneOf,
  timeZones,
  zonedTime,
} from '../../../../../worker/console/parts/rules/time-zone.ts';

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
  [{ from: '2026-11-03', to: '2026-11-01' }, 'custom', '2026-11-01T00:00', '2026-11-04T00:00', 3],
  [{ from: '2026-11-10', to: '2026-11-10' }, 'custom', '2026-11-10T00:00', '2026-11-11T00:00', 24],
  // The hours of this day are deleted.
  [{ from: '2026-10-01', to: '2026-10-01' }, 'custom', '2026-10-01T00:00', '2026-10-02T00:00', 1],
])('period: %j is %s from %s to %s in %d steps', (query, name, from, to, steps) => {
  const period = reportPeriodOf(query, now);
  expect(period).toMatchObject({ name, from: at(from), to: at(to) });
  expect(period.times).toHaveLength(steps);
});

test.each([
  { from: '2020-01-01', to: '2026-11-01' },
  { from: '2026-11-31', to: 'x' },
  { from: '2026-11-01' },
  { period: '31d' },
  { period: 'toString' },
])('period: %j falls back to the last 30 days', (query) => {
  expect(reportPeriodOf(query, now).name).toBe('30d');
});

test('period: at most 400 days may be chosen', () => {
  const to = '2026-11-01';
  const from = (days: number) => new Date(at(`${to}T00:00`) - (days - 1) * day).toISOString();
  const chosen = (days: number) => reportPeriodOf({ from: from(days).slice(0, 10), to }, now).name;
  expect([chosen(400), chosen(401)]).toEqual(['custom', '30d']);
});

test('period: the previous period ends where it begins and has the same length', () => {
  const period = reportPeriodOf({ period: '7d' }, now);
  expect(previousOf(period)).toMatchObject({
    from: period.from - 7 * day,
    to: period.from,
    step: 'day',
  });
});

test('period: in every zone, the last step contains now, and days start at local midnight', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) }),
      fc.constantFrom('24h', '7d', '90d'),
      fc.constantFrom(...timeZones),
      (time, name, zone) => {
        const period = reportPeriodOf({ period: name }, time, zone);
        expect(period.to).toBeGreaterThan(time);
        expect(period.times.at(-1)).toBeLessThanOrEqual(time);
        expect(period.zone).toBe(name === '90d' ? 'UTC' : zone);
        if (period.step === 'hour') return;
        for (const start of period.times)
          expect(localTime(start, period.zone)).toMatch(/T0[01]:00:00$/);
      },
    ),
  );
});

test('period: a day on which clocks change has 23 or 25 hours', () => {
  const hoursOf = (day: string, at: number) =>
    reportPeriodOf({ from: day, to: day }, at, 'Europe/Berlin').times.length;
  expect(hoursOf('2026-03-29', Date.UTC(2026, 2, 30))).toBe(23);
  expect(hoursOf('2026-10-25', Date.UTC(2026, 9, 26))).toBe(25);
});

test('period: its days are those of its zone, clipped to the period', () => {
  const at = Date.UTC(2026, 10, 22, 10, 30);
  expect(daysIn(reportPeriodOf({ period: '24h' }, at, 'Asia/Tokyo'))).toEqual([
    { day: '2026-11-21', from: at - 23.5 * hour, to: Date.UTC(2026, 10, 21, 15) },
    { day: '2026-11-22', from: Date.UTC(2026, 10, 21, 15), to: at + hour / 2 },
  ]);
  const month = daysIn(
    reportPeriodOf({ period: '90d' }, at, 'Asia/Tokyo', Number.POSITIVE_INFINITY),
  );
  expect(month).toHaveLength(90);
  expect(month.at(-1)).toMatchObject({ day: '2026-11-22', from: Date.UTC(2026, 10, 21, 15) });
});

test('time zone: a local time converts back to the same moment, also around clock changes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) }),
      fc.constantFrom(...timeZones),
      (time, zone) => {
        const second = time - (time % 1000);
        expect(Date.parse(zonedTime(time, zone))).toBe(second);
        const clock = localTime(second, zone);
        expect(localTime(timeIn(clock, zone), zone)).toBe(clock);
      },
    ),
  );
  expect(timeIn('2026-12-01T09:00', 'Europe/Berlin')).toBe(Date.UTC(2026, 11, 1, 8));
  expect(timeIn('2026-13-01T09:00', 'Europe/Berlin')).toBeNaN();
});

test('time zone: an unlisted zone becomes UTC', () => {
  expect(timeZoneOf('Europe/Berlin')).toBe('Europe/Berlin');
  expect([timeZoneOf('Mars/Base'), timeZoneOf(undefined)]).toEqual(['UTC', 'UTC']);
});

test.each(['2026-11-23T23:44', '2026-11-23T00:03'])(
  'period: at %s only complete days count, so that an estimate does not jump at midnight',
  (time) => {
    const { from, to, unit } = wholeDays(7, at(time));
    expect([from, to, unit]).toEqual([at('2026-11-16T00:00'), at('2026-11-23T00:00'), 'day']);
  },
);

test('period: a point is labelled with its day or its time, in the zone of the period', () => {
  const time = at('2026-11-21T23:30');
  expect(timeLabel(time, { step: 'day', zone: 'UTC' })).toBe('11-21');
  expect(timeLabel(time, { step: 'day', zone: 'Europe/Berlin' })).toBe('11-22');
  expect(timeLabel(time, { step: 'hour', zone: 'Europe/Berlin' })).toBe('00:30');
});

test('period: hours are counted while they reach back to the period before', () => {
  const unitFrom = (from: string) =>
    reportPeriodOf({ from, to: '2026-11-22' }, now, 'Europe/Berlin').unit;
  expect([unitFrom('2026-11-13'), unitFrom('2026-11-12')]).toEqual(['hour', 'day']);
  // 11 days before the 12th in Berlin are 21 days before this moment.
  const moment = at('2026-11-21T23:00');
  const unitAt = (time: number) =>
    reportPeriodOf({ from: '2026-11-12', to: '2026-11-22' }, time, 'Europe/Berlin').unit;
  expect([unitAt(moment), unitAt(moment + 1)]).toEqual(['hour', 'day']);
});

test('period: a time in UTC is written with a positive offset', () =>
  expect(zonedTime(0, 'UTC')).toBe('1970-01-01T00:00:00+00:00'));
