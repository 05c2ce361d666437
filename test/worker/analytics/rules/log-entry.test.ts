import { expect, test } from 'vitest';
import type { Count } from '../../../../worker/analytics/rules/count.ts';
import {
  countsIn,
  entryId,
  entryTime,
  eventsIn,
  keysOf,
  laterShowKeys,
  visitKeysOf,
} from '../../../../worker/analytics/rules/log-entry.ts';
import type { StoredEvent } from '../../../../worker/analytics/rules/stored-event.ts';

const hourMs = 60 * 60_000;

const event = (change: Partial<StoredEvent> = {}): StoredEvent => ({
  id: 'e1',
  name: 'screen__load',
  at: 10 * hourMs,
  visitor: 'v1' as StoredEvent['visitor'],
  session: 's1',
  screen: 'signup',
  flow: 'default',
  experiment: '',
  arm: '',
  arms: '',
  country: 'US',
  language: 'en',
  device: '',
  source: '',
  landing: '',
  version: '',
  consent: 'measuring',
  properties: {},
  ...change,
});
const count = (change: Partial<Count> = {}): Count => ({
  id: 'c1',
  at: 10 * hourMs,
  step: 'signup',
  screen: '',
  bucket: 0,
  slice: {} as Count['slice'],
  version: '',
  provider: '',
  ...change,
});

/** Whether one of the later shows of `first` is the key that `second` stores. */
function isFollowedBy(first: StoredEvent, second: StoredEvent): boolean {
  const [, shown] = keysOf({ event: second });
  return [...laterShowKeys(first, 1000)].some((key) => String(key) === String(shown));
}

test('entry: a screen that is shown again within the time is found, and no other', () => {
  const first = event();
  const after = (ms: number, change: Partial<StoredEvent> = {}) =>
    isFollowedBy(first, event({ at: first.at + ms, ...change }));
  expect([0, 99, 100, 1000, 1099, 1100].map((ms) => after(ms))).toEqual([
    ...[false, false],
    ...[true, true, true],
    false,
  ]);
  expect(after(500, { session: 's2' })).toBe(false);
  expect(after(500, { screen: 'checkout' })).toBe(false);
});

test('entry: a screen that is shown again in the next hour is stored in that hour', () => {
  const first = event({ at: 11 * hourMs - 50 });
  expect(isFollowedBy(first, event({ at: 11 * hourMs + 50 }))).toBe(true);
  expect([...laterShowKeys(first, 100)].map(([hour]) => hour)).toEqual([11 * hourMs]);
});

test('entry: only events that show a screen have a second key', () => {
  const keys = (name: string) => keysOf({ event: event({ name }) }).length;
  expect(['screen__load', 'subs_purchase_started', 'web_vitals'].map(keys)).toEqual([2, 2, 1]);
  expect(keysOf({ count: count() })).toHaveLength(1);
});

test('entry: a count that is reported again has the time of its first report', () => {
  expect(entryTime({ count: count() })).toBe(10 * hourMs);
  expect(entryTime({ count: count({ reportedAt: 5 }) })).toBe(5);
  expect(entryTime({ event: event({ at: 7 }) })).toBe(7);
  expect([entryId({ count: count() }), entryId({ event: event() })]).toEqual(['c1', 'e1']);
});

test('entry: a count is counted as it is, and only events are kept as events', () => {
  expect(eventsIn([{ count: count() }, { event: event() }]).map(({ id }) => id)).toEqual(['e1']);
  expect(countsIn({ count: count() })).toEqual([count()]);
  expect(countsIn({ event: event({ name: 'cookie_consent' }) })).toEqual([]);
});

test.each(['island_failed', 'chunk_failed'])(
  'entry: %s counts as a crash for each variant of the visitor, once an hour on however many screens',
  (name) => {
    const failed = { name, experiment: 'prices', arm: 'intro/7d', arms: 'headline:b' };
    const on = (screen: string) => countsIn({ event: event({ ...failed, screen }) });
    expect(on('signup').map(({ step, screen }) => [step, screen])).toEqual([
      [name, 'signup'],
      ['test:crash', ''],
      ['test:crash', ''],
    ]);
    const variants = on('signup').map(({ slice }) => `${slice.experiment} ${slice.variant}`);
    expect(variants).toEqual(['prices intro/7d', 'prices intro/7d', 'headline b']);
    const keys = (screen: string) => visitKeysOf({ event: event({ ...failed, screen }) });
    expect(keys('upsell_guide').slice(1)).toEqual(keys('signup').slice(1));
  },
);

test('entry: a crash outside experiments is only the step', () =>
  expect(countsIn({ event: event({ name: 'island_failed' }) }).map(({ step }) => step)).toEqual([
    'island_failed',
  ]));

test('entry: a visit has a key in the hour of its count', () => {
  expect(visitKeysOf({ count: count() })).toEqual([]);
  const keys = visitKeysOf({ count: count({ visit: 'v', at: 10 * hourMs + 5 }) });
  expect(keys.map(([hour]) => hour)).toEqual([10 * hourMs]);
});
