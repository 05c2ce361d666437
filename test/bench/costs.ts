import { growthOf } from './rollup-rows.ts';
import { rowBytes } from './row-bytes.ts';
import { rowsOf } from './written-rows.ts';

/**
 * Dollars per million beyond the monthly allowance of the Workers Paid plan, and the allowance in millions;
 * `worker/operators/costs.md` cites them.
 */
const prices = {
  'Worker requests': { price: 0.3, included: 10 },
  'Worker CPU, ms': { price: 0.02, included: 30 },
  'KV reads': { price: 0.5, included: 10 },
  'D1 rows written: accounts, money': { price: 1, included: 50 },
  'D1 rows written: rollups': { price: 1, included: 0 },
  'Durable Object requests': { price: 0.15, included: 1 },
  'Durable Object GB-s': { price: 12.5, included: 0.4 },
  'Durable Object rows written': { price: 1, included: 50 },
  'Queue operations': { price: 0.4, included: 1 },
  'R2 objects written': { price: 4.5, included: 1 },
  'R2 storage, KB': { price: 0.015, included: 10 },
  'Log lines': { price: 0.6, included: 20 },
} as const;

type Part = keyof typeof prices;

const rows = (kind: keyof typeof rowsOf, count = 1) => count * (rowsOf[kind][0] + rowsOf[kind][1]);
const account = rows('account') + rows('rate') + rows('code', 2);
const purchaseRows =
  rows('purchase', 2) + rows('subscription', 2) + rows('money', 2) + rows('mail', 2);
const bought = rows('code') + rows('manualCode') + purchaseRows;

/** A message is written, read and deleted. */
const message = 3;

/** Bytes of an event in an object, measured with 28,000 events; stored for three months. */
const eventBytes = 28;
const months = 3;

/** Numbers per visit: requests, events, posts of events and log lines, counted once by hand. */
const visits = {
  leaves: { requests: 4, cpuMs: 9, rows: 0, objects: [0, 0, 0], posts: 2, messages: 0, events: 7 },
  'signs up': {
    requests: 17,
    cpuMs: 48,
    rows: account,
    objects: [0, 0, 0],
    posts: 4,
    messages: 1,
    events: 30,
  },
  buys: {
    requests: 30,
    cpuMs: 110,
    rows: account + bought,
    objects: [18, 0.8, 62],
    posts: 7,
    messages: 9,
    events: 46,
  },
} as const;

/** Shares of visits: an assumption, to be replaced by your own figures. */
const shares = { leaves: 0.8, 'signs up': 0.17, buys: 0.03 };

/**
 * An isolate reads the manifest and the two documents that may be written by hand, and for two languages the manifest and
 * the one that may be written by hand, every 30 s while it lives.
 */
const readsOfIsolate = 7 * 2 * 60 * 24 * 30;

type Visit = (typeof visits)[keyof typeof visits];
const average = (of: (visit: Visit) => number) =>
  Object.entries(shares).reduce(
    (sum, [kind, share]) => sum + share * of(visits[kind as keyof typeof visits]),
    0,
  );

/** One report per isolate every 30 s, which the monitor writes, adds up and deletes; see `worker/platform/log-counts.ts`. */
const reportsOfIsolate = (30 * 24 * 3600) / 30;
/** Four of a purchase's steps are reported at once. */
const reportsOfPurchase = 4;
const minutes = 30 * 24 * 60;

/** The part of it for monitoring, in millions: reports of isolates and purchases, and a walk per minute. */
function monitoring(millions: number, isolates: number): Partial<Record<Part, number>> {
  const reports = (isolates * reportsOfIsolate) / 1e6 + millions * shares.buys * reportsOfPurchase;
  return {
    // About 60 requests of the synthetic visitor, through the Worker's own routes.
    'Worker CPU, ms': (minutes * 1000) / 1e6,
    'Log lines': (minutes * 60) / 1e6,
    'Durable Object requests': reports + (minutes * 8) / 1e6,
    'Durable Object GB-s': (0.125 * minutes * 60) / 1e6,
    'Durable Object rows written': 2 * reports + (minutes * 40) / 1e6,
  };
}

/** Monthly use at this many million visits, in millions. */
function use(millions: number, isolates: number): Record<Part, number> {
  const pipeline = growthOf(millions);
  const perVisit = (of: (visit: Visit) => number) => millions * average(of);
  return {
    'Worker requests': perVisit(({ requests }) => requests),
    // Receiving, deduplicating, counting and packing an event takes at most 0.1 ms.
    'Worker CPU, ms': perVisit(({ cpuMs, events }) => cpuMs + events / 10),
    'KV reads': (isolates * readsOfIsolate) / 1e6,
    'D1 rows written: accounts, money': perVisit(({ rows }) => rows),
    'D1 rows written: rollups': pipeline.rollupRows / 1e6,
    'Durable Object requests': perVisit(({ objects }) => objects[0]) + pipeline.appends / 1e6,
    'Durable Object GB-s': perVisit(({ objects }) => objects[1]) + pipeline.gigabyteSeconds / 1e6,
    'Durable Object rows written': perVisit(({ objects }) => objects[2]) + pipeline.shardRows / 1e6,
    // The exposure is a message, too.
    'Queue operations': perVisit(({ posts, messages }) => message * (1 + posts + messages)),
    'R2 objects written': pipeline.objects / 1e6,
    // Priced per GB and month, which is a million KB.
    'R2 storage, KB': perVisit(({ events }) => (events * eventBytes * months) / 1000),
    'Log lines': perVisit(({ requests }) => requests),
  };
}

/** Dollars per month for each part, at this many million visits. */
function month(
  millions: number,
  isolates: number,
): Record<Part | 'plan' | 'monitoring' | 'all', number> {
  const [used, watched] = [use(millions, isolates), monitoring(millions, isolates)];
  const dollars = (part: Part, amount: number) =>
    Math.max(0, amount - prices[part].included) * prices[part].price;
  const names = Object.keys(prices) as Part[];
  const before = names.map((part) => [part, Math.round(dollars(part, used[part]))] as const);
  // Beyond the allowance and the rest's use.
  const added = names.map(
    (part) => dollars(part, used[part] + (watched[part] ?? 0)) - dollars(part, used[part]),
  );
  const parts = [
    ...before,
    ['monitoring', Math.round(added.reduce((sum, more) => sum + more, 0))] as const,
  ];
  const all = parts.reduce((sum, [, dollars]) => sum + dollars, 5);
  return Object.fromEntries([...parts, ['plan', 5], ['all', all]]) as ReturnType<typeof month>;
}

const databaseGigabytes = 10;

/** Months until this many account databases are full, at this many million visits a month. */
function monthsUntilFull(bytes: ReturnType<typeof rowBytes>) {
  const account = bytes.account + bytes.code;
  const { attempt, subscription, money, entitlements, payer, intro } = bytes;
  const buyer = attempt + subscription + money + entitlements + 3 * payer + 2 * intro;
  const signUps = shares['signs up'] + shares.buys;
  const gigabytesOf = (millions: number) =>
    (millions * (signUps * account + shares.buys * buyer)) / 1000;
  const months = (millions: number, databases: number) =>
    Math.round((10 * databases * databaseGigabytes) / gigabytesOf(millions)) / 10;
  return {
    bytes: { account, buyer, renewal: money + payer, consent: bytes.consent },
    'GB a month': { '100 million': gigabytesOf(100), '1 billion': gigabytesOf(1000) },
    '100 million': { DB: months(100, 1), 16: months(100, 16), 64: months(100, 64) },
    '1 billion': { 16: months(1000, 16), 64: months(1000, 64), 256: months(1000, 256) },
  };
}

/** The platform's monthly costs according to `worker/operators/costs.md`, from operations per visit. */
export async function benchCosts() {
  const [million, hundred] = [month(1, 20), month(100, 500)];
  const parts = Object.keys(million) as (keyof typeof million)[];
  const table = Object.fromEntries(
    parts.map((part) => [part, { '1 million': million[part], '100 million': hundred[part] }]),
  );
  console.table(table);
  const storage = monthsUntilFull(rowBytes());
  console.table(storage);
  return { ...table, storage, target: '$2,500 at 100 million', met: hundred.all <= 2500 };
}
