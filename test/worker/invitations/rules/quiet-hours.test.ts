import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDay, nextDaytime } from '../../../../worker/invitations/rules/quiet-hours.ts';

const at = (text: string) => Date.parse(text);

test.each([
  ['2026-11-21T08:00:00Z', 'Europe/Berlin', '2026-11-21T08:00:00Z'],
  ['2026-11-21T07:59:00Z', 'Europe/Berlin', '2026-11-21T08:00:00Z'],
  ['2026-11-21T18:59:59Z', 'Europe/Berlin', '2026-11-21T18:59:59Z'],
  ['2026-11-21T19:00:00Z', 'Europe/Berlin', '2026-11-22T08:00:00Z'],
  ['2026-11-21T03:00:00Z', 'Asia/Kolkata', '2026-11-21T03:30:00Z'],
  ['2026-11-21T03:00:00Z', 'Asia/Kathmandu', '2026-11-21T03:15:00Z'],
  ['2026-10-24T20:00:00Z', 'Europe/Berlin', '2026-10-25T08:00:00Z'],
])('quiet hours: at %s an SMS to %s is sent at %s', (now, zone, then) => {
  expect(new Date(nextDaytime([zone], at(now)))).toEqual(new Date(at(then)));
});

test('quiet hours: with several possible zones it must be daytime in all', () => {
  const goes = nextDaytime(['America/New_York', 'America/Los_Angeles'], at('2026-11-21T14:30:00Z'));
  expect(new Date(goes).toISOString()).toBe('2026-11-21T17:00:00.000Z');
});

test('quiet hours: zones without common daytime use the first', () => {
  const zones = ['Europe/Berlin', 'Pacific/Auckland'];
  expect(nextDaytime(zones, at('2026-11-21T10:00:00Z'))).toBe(at('2026-11-21T10:00:00Z'));
});

test('quiet hours: the next time is always daytime, within two days', () => {
  const zones = ['Asia/Kathmandu', 'Pacific/Chatham', 'America/St_Johns', 'Europe/London'];
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 4e12 }), (zone, now) => {
      const goes = nextDaytime([zone], now);
      expect([isDay([zone], goes), goes >= now, goes - now < 2 * 86_400_000]).toEqual([
        true,
        true,
        true,
      ]);
    }),
  );
});
