import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { likelyTimeZone, numberFacts } from '../../../worker/phone-lookup/numbering-data.ts';
import { resetState } from '../reset-state.ts';

const facts = (number: string) => numberFacts(env, number, vi.fn());

test.each<[string, string | null, string | null, string | null]>([
  ['+12125550100', 'New York, NY', null, 'America/New_York'],
  ['+13125550100', 'Chicago, IL', null, 'America/Chicago'],
  ['+14155550100', 'San Francisco, CA', null, 'America/Los_Angeles'],
  ['+12015550100', 'New Jersey', null, 'America/New_York'],
  ['+14165550100', 'Ontario', null, 'America/Toronto'],
  ['+16045550100', 'British Columbia', null, 'America/Vancouver'],
  ['+18085550100', 'Hawaii', null, 'Pacific/Honolulu'],
  ['+442079460958', 'London', null, 'Europe/London'],
  ['+441414960000', 'Glasgow', null, 'Europe/London'],
  ['+493012345678', 'Berlin', null, 'Europe/Berlin'],
  ['+498912345678', 'Munich', null, 'Europe/Berlin'],
  ['+4915123456789', null, 'T-Mobile', 'Europe/Berlin'],
  ['+33142685300', null, null, 'Europe/Paris'],
  ['+390612345678', 'Rome', null, 'Europe/Rome'],
  ['+919312345678', null, 'Reliance Jio', 'Asia/Calcutta'],
  ['+911123456789', 'New Delhi', null, 'Asia/Calcutta'],
  ['+81312345678', 'Tokyo', null, 'Asia/Tokyo'],
  ['+551123456789', 'São Paulo', null, 'America/Sao_Paulo'],
  ['+61212345678', 'New South Wales', null, 'Australia/Sydney'],
  ['+972501234567', null, 'Pelephone', 'Asia/Jerusalem'],
])(
  'numbering data: %s has area %s, carrier %s, time zone %s',
  async (number, area, carrier, zone) =>
    expect(await facts(number)).toEqual({ area, carrier, zones: zone && [zone] }),
);

test('numbering data: an international service number has none', async () =>
  expect(await facts('+80012345678')).toEqual({ area: null, carrier: null, zones: null }));

test('numbering data: the longest known prefix decides', async () => {
  const files: Record<string, unknown> = {
    '/edge/numbers/index.json': { 99: 1, 991: 1 },
    '/edge/numbers/991.json': {
      words: ['all', 'north', 'east'],
      place: { '': 0, 2: 1, 234: 2 },
      carrier: {},
      zone: {},
    },
  };
  resetState('phone-lookup/data-shards');
  const { numberFacts: fresh } = await import('../../../worker/phone-lookup/numbering-data.ts');
  const ASSETS = { fetch: async ({ url }: Request) => Response.json(files[new URL(url).pathname]) };
  const areaOf = async (number: string) =>
    (await fresh({ ...env, ASSETS } as typeof env, number, vi.fn())).area;
  expect(await areaOf('+9911')).toBe('all');
  expect(await areaOf('+99123')).toBe('north');
  expect(await areaOf('+9912345')).toBe('east');
});

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
  expect(likelyTimeZone(zones, country)).toBe(zone);
});
