import * as v from 'valibot';
import { expect, test } from 'vitest';
import { histogramBucket } from '../../../../worker/analytics/rules/buckets.ts';
import {
  type Count,
  countOf,
  countSchema,
  withCountDefaults,
} from '../../../../worker/analytics/rules/count.ts';
import type { StoredEvent } from '../../../../worker/analytics/rules/stored-event.ts';
import { tallyOf } from '../../../../worker/analytics/rules/tally.ts';

const hour = 3_600_000;

const event = (change: Partial<StoredEvent> = {}) =>
  ({
    ...{ id: 'e1', name: 'screen__load', at: 10 * hour, visitor: 'v1', session: 's1' },
    ...{ screen: 'signup', flow: 'default', experiment: '', arm: 'trial', country: 'US' },
    ...{ language: 'en', device: 'ios', source: '', version: 'b1', properties: {} },
    ...change,
  }) as StoredEvent;

test('count: only steps of the funnel are counted, with their visit', () => {
  expect(countOf(event({ name: 'click' }))).toBeNull();
  expect(countOf(event())).toMatchObject({
    step: 'screen__load',
    screen: 'signup',
    bucket: 0,
    provider: '',
    visit: 's1',
    slice: { variant: 'trial', device: 'ios' },
  });
  expect(countOf(event({ session: '', screen: 'elsewhere' }))).toMatchObject({
    visit: 'v1',
    screen: '',
  });
});

test('count: the seconds on a screen count when it is continued, and only numbers', () => {
  const bucketAt = (name: string, seconds: unknown) =>
    countOf(event({ name, properties: { seconds } as StoredEvent['properties'] }))?.bucket;
  expect(bucketAt('button__continue', 60)).toBe(histogramBucket('seconds', 60));
  expect(histogramBucket('seconds', 60)).toBeGreaterThan(0);
  expect([bucketAt('button__continue', '60'), bucketAt('screen__load', 60)]).toEqual([0, 0]);
});

test('count: a known provider is counted, and vitals are those that are numbers', () => {
  const providerOf = (gateway: string) => countOf(event({ properties: { gateway } }))?.provider;
  expect([providerOf('stripe'), providerOf('other')]).toEqual(['stripe', '']);
  const properties = { lcp: 1200, cls: 'x', other: 5 } as StoredEvent['properties'];
  expect(countOf(event({ name: 'web_vitals', properties }))?.vitals).toEqual({ lcp: 1200 });
  expect(countOf(event({ properties }))).not.toHaveProperty('vitals');
});

test('count: what a report leaves out is empty or 0', () => {
  const payment = { slot: 'main', plan: 'p', currency: 'USD', reason: '', amount: 5 };
  const slice = { country: 'DE' };
  const input = { id: 'c', at: 1, step: 'capture', slice, payment };
  expect(withCountDefaults(input)).toMatchObject({
    ...{ screen: '', bucket: 0, version: '', provider: '' },
    slice: { country: 'DE', flow: '', variant: '' },
    payment: { amount: 5, squares: 0 },
  });
  expect(v.parse(countSchema, input)).toMatchObject({ bucket: 0, payment: { squares: 0 } });
  expect(withCountDefaults({ id: 'c', at: 1, step: 's', slice })).not.toHaveProperty('payment');
});

const rowsOf = (...counts: Parameters<typeof withCountDefaults>[0][]) => {
  const seen = new Set<string>();
  const isNew = (key: string) => !seen.has(key) && Boolean(seen.add(key));
  return tallyOf(counts.map(withCountDefaults), isNew);
};
const base = { at: 10 * hour + 7 * 60_000, slice: { country: 'DE', device: 'ios' } };

test('tally: a visit counts once an hour, and events without a visit each time', () => {
  const shown = { ...base, id: 'a', step: 'screen__load', visit: 'v' };
  const twice = rowsOf(shown, { ...shown, id: 'b' });
  expect([...twice.segments.values()]).toMatchObject([{ country: 'DE', device: 'ios' }]);
  expect(twice.hours).toEqual([[10 * hour, 'screen__load', '', 0, expect.any(String), 2, 1]]);
  const five = 10 * hour + 5 * 60_000;
  expect(twice.fiveMinutes).toEqual([[five, 'screen__load', '', '', '', 2]]);
  const { visit: _, ...without } = shown;
  expect(rowsOf(without, without).hours[0]?.slice(-2)).toEqual([2, 2]);
});

test('tally: a count that an older build stored has an empty landing', () => {
  const shown = { ...base, id: 'a', step: 'exposure' };
  const { landing: _, ...older } = withCountDefaults(shown).slice;
  const stored = { ...withCountDefaults(shown), slice: older } as Count;
  expect([...tallyOf([stored], () => true).segments.keys()]).toEqual([
    ...rowsOf(shown).segments.keys(),
  ]);
});

test('tally: money is added up by plan, and only its recent count has a country', () => {
  const payment = { slot: 'main', plan: 'p', currency: 'USD', reason: '', amount: 5, squares: 25 };
  const paid = { ...base, id: 'a', step: 'capture', provider: 'stripe', payment };
  const { payments, fiveMinutes, hours } = rowsOf(paid, paid);
  const key = [10 * hour, 'capture', 'stripe', 'main', 'p', 'USD', '', expect.any(String)];
  expect(payments).toEqual([[...key, 2, 10, 50]]);
  expect(fiveMinutes[0]?.slice(1)).toEqual(['capture', 'stripe', 'DE', '', 2]);
  expect(hours).toEqual([]);
});

test('tally: each vital adds one to its bucket', () => {
  const { vitals, hours } = rowsOf({ ...base, id: 'a', step: 'web_vitals', vitals: { lcp: 1200 } });
  const [[metric, at, , device, , ...buckets] = []] = vitals;
  expect([metric, at, device]).toEqual(['lcp', 10 * hour, 'ios']);
  expect(buckets.indexOf(1)).toBe(histogramBucket('lcp', 1200));
  expect(buckets.reduce<number>((sum, one) => sum + Number(one), 0)).toBe(1);
  expect(hours).toEqual([]);
});
