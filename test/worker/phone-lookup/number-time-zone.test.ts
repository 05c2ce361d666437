import { expect, test } from 'vitest';
import { timeZoneOf } from '../../../worker/phone-lookup/numbering-data.ts';

const british = ['Europe/Guernsey', 'Europe/Isle_of_Man', 'Europe/Jersey', 'Europe/London'];

test.each([
  ['the only one', ['Europe/Berlin'], 'DE', 'Europe/Berlin'],
  ['that of the country', british, 'GB', 'Europe/London'],
  ['that of the island', british, 'JE', 'Europe/Jersey'],
  [
    'one of several that show the same time',
    ['America/Detroit', 'America/New_York'],
    'US',
    'America/Detroit',
  ],
  ['none of several that do not', ['America/Chicago', 'America/New_York'], 'US', null],
  ['none of none', [], 'US', null],
  ['the only one of no country', ['Europe/Berlin'], null, 'Europe/Berlin'],
])('number time zone: %s', (_which, zones, country, zone) => {
  expect(timeZoneOf(zones, country)).toBe(zone);
});
