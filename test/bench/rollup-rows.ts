import { countOf } from '../../worker/analytics/rules/count.ts';
import type { StoredEvent } from '../../worker/analytics/rules/stored-event.ts';
import { tallyOf } from '../../worker/analytics/rules/tally.ts';
import type { VisitorId } from '../../worker/platform/types.ts';

const shards = 4;
const minutesAMonth = 60 * 24 * 30;
const secondsAMonth = 60 * minutesAMonth;

/** Deterministic numbers in [0, 1). */
function numbers(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Draws one of `count`, the n-th with a weight of 1/n, which is typical of countries and networks. */
function zipf(count: number): (drawn: number) => number {
  const weights = Array.from({ length: count }, (_, at) => 1 / (at + 1));
  const total = weights.reduce((a, b) => a + b);
  let sum = 0;
  const limits = weights.map((weight) => {
    sum += weight / total;
    return sum;
  });
  return (drawn) => limits.findIndex((limit) => drawn <= limit);
}

const country = zipf(30);
const source = zipf(8);
const device = zipf(3);

const funnel: readonly (readonly [share: number, names: readonly string[], screen: string])[] = [
  [1, ['session_start', 'onboarding_start', 'screen__load', 'web_vitals'], 'one_pager'],
  [0.35, ['button__continue', 'screen__load', 'web_vitals'], 'searching'],
  [0.25, ['button__continue', 'screen__load', 'web_vitals'], 'signup'],
  [0.2, ['lead', 'screen__load', 'checkout_screen_load', 'subs_purchase_show'], 'checkout_v3_tr'],
  [0.2, ['subs_purchase_screen_close', 'web_vitals'], 'checkout_v3_tr'],
  [0.03, ['subs_purchase_started', 'subs_purchase_completed', 'screen__load'], 'upsell_an_private'],
];

function propertiesOf(name: string, speed: number): StoredEvent['properties'] {
  if (name === 'button__continue') return { seconds: 9 * speed };
  if (name !== 'web_vitals') return {};
  return { lcp: 900 * speed, fcp: 700 * speed, inp: 60 * speed, ttfb: 200 * speed, cls: 0.01 };
}

/** The steps of a visit to a large site: 30 countries, three arms, three kinds of device, 8 sources. */
function visit(random: () => number, at: number): StoredEvent[] {
  const depth = random();
  const visitor = `v${random()}` as VisitorId;
  const home = country(random());
  const common = {
    visitor,
    session: visitor,
    flow: 'default',
    experiment: 'e',
    arm: `arm${Math.floor(random() * 3)}`,
    arms: '',
    country: `c${home}`,
    // The country's language; one of twenty visitors has English instead.
    language: `l${random() < 0.95 ? home % 14 : 0}`,
    device: ['android', 'ios', 'desktop'][device(random())] ?? '',
    source: `s${source(random())}`,
    landing: 'one_pager',
    version: 'v1',
    consent: 'ads' as const,
  };
  const speed = Math.exp(2 * random() - 1);
  const own = funnel.filter(([share]) => depth < share);
  return own.flatMap(([, names, screen]) =>
    names.map((name) => ({
      ...common,
      id: `${random()}`,
      name,
      screen,
      at,
      properties: propertiesOf(name, speed),
    })),
  );
}

const rowsIn = (events: readonly StoredEvent[]) => {
  const { hours, fiveMinutes, vitals } = tallyOf(
    events.flatMap((event) => countOf(event) ?? []),
    () => true,
  );
  return { hours: hours.length, others: fiveMinutes.length + vitals.length };
};

const visitsOf = (count: number, seed: number): StoredEvent[] => {
  const random = numbers(seed);
  return Array.from({ length: Math.round(count) }, () => visit(random, 0)).flat();
};

/** The events of this many visits at one time. */
export const generateEvents = (visits: number): StoredEvent[] => visitsOf(visits, 1);

/** Rows of `hours` for an hour with this many visits. */
const hourRows = (visitsAnHour: number) => rowsIn(visitsOf(visitsAnHour, 7)).hours;

/** Resources for counting and storing a month's events, at this many million visits. */
export function growthOf(millions: number) {
  const visitsAMinute = (millions * 1e6) / minutesAMonth;
  // A shard writes once a minute; a rare visit is a write of its own.
  const visitsAWrite = Math.max(1, visitsAMinute / shards);
  const writes = Math.min(shards * minutesAMonth, millions * 1e6);
  const samples = [1, 2, 3].map((seed) => rowsIn(visitsOf(visitsAWrite, seed)));
  const written = samples.reduce((sum, { hours, others }) => sum + hours + others, 0) / 3;
  const kept = hourRows(Math.min(visitsAMinute * 60, 140_000)) * 24 * 30;
  // An exposure and the visit's posts of events; up to a hundred messages make a batch.
  const messages = millions * 1e6 * 3.5;
  const batches = Math.max(messages / 100, Math.min(messages, secondsAMonth / 5));
  const appends = Math.min(messages, batches * shards);
  return {
    // Added, compiled into days once and deleted once.
    rollupRows: writes * written + 2 * kept,
    hourRowsAMonth: kept,
    appends,
    shardRows: appends + 6 * writes,
    gigabyteSeconds: (shards + 1) * 0.125 * secondsAMonth,
    objects: writes * 1.1,
  };
}
