/** Dollars a million beyond what the Workers Paid plan includes a month, in millions; `worker/costs.md` cites them. */
const prices = {
  'Worker requests': { price: 0.3, included: 10 },
  'Worker CPU, ms': { price: 0.02, included: 30 },
  'KV reads': { price: 0.5, included: 10 },
  'D1 rows written': { price: 1, included: 50 },
  'D1 rows read': { price: 0.001, included: 25_000 },
  'Durable Object requests': { price: 0.15, included: 1 },
  'Durable Object GB-s': { price: 12.5, included: 0.4 },
  'Durable Object rows written': { price: 1, included: 50 },
  'Queue operations': { price: 0.4, included: 1 },
  'Log lines': { price: 0.6, included: 20 },
} as const;

type Part = keyof typeof prices;
type Use = Record<Exclude<Part, 'KV reads'>, number>;

/**
 * Rows that D1 writes, indexes included, when a table's row comes, and when it changes or goes again.
 * Accounts, codes, attempts, subscriptions and the ledger are kept.
 */
export const rowsOf = {
  event: [4, 1],
  told: [3, 1],
  exposure: [4, 1],
  account: [4, 0],
  rate: [3, 1],
  code: [3, 0],
  handCode: [2, 0],
  purchase: [4, 1],
  holding: [5, 0],
  money: [5, 0],
  mail: [3, 1],
} as const;

const rows = (kind: keyof typeof rowsOf, count = 1) => count * (rowsOf[kind][0] + rowsOf[kind][1]);
const events = (count: number) => rows('exposure') + rows('event', count) + rows('told', count);
const account = rows('account') + rows('rate') + rows('code', 2);
const sold = rows('purchase', 2) + rows('holding', 2) + rows('money', 2) + rows('mail', 2);
const bought = rows('code') + rows('handCode') + sold;

/** A message is written, read and deleted. */
const message = 3;

/** What a visit does: requests, events, posts of events and lines of log were counted once, by hand. */
const visits: Record<'leaves' | 'signs up' | 'buys', Use> = {
  leaves: {
    'Worker requests': 4,
    'Worker CPU, ms': 9,
    'D1 rows written': events(7),
    'D1 rows read': 50,
    'Durable Object requests': 0,
    'Durable Object GB-s': 0,
    'Durable Object rows written': 0,
    'Queue operations': message * (1 + 2 * 2),
    'Log lines': 2 * 4,
  },
  'signs up': {
    'Worker requests': 17,
    'Worker CPU, ms': 48,
    'D1 rows written': account + events(30),
    'D1 rows read': 200,
    'Durable Object requests': 0,
    'Durable Object GB-s': 0,
    'Durable Object rows written': 0,
    'Queue operations': message * (1 + 2 * 4),
    'Log lines': 2 * 17,
  },
  buys: {
    'Worker requests': 30,
    'Worker CPU, ms': 110,
    'D1 rows written': account + bought + events(46),
    'D1 rows read': 400,
    'Durable Object requests': 13,
    'Durable Object GB-s': 0.8,
    'Durable Object rows written': 60,
    'Queue operations': message * (1 + 2 * 7 + 2),
    'Log lines': 2 * 30 + 4,
  },
};

/** Of a hundred visits: an assumption, to be replaced by your own figures. */
const shares = { leaves: 0.8, 'signs up': 0.17, buys: 0.03 };

/** An isolate reads two documents and a manifest for two languages every 30 s, as long as it lives. */
const readsOfIsolate = 4 * 2 * 60 * 24 * 30;

/** Dollars a month of each part, at so many million visits. */
function month(millions: number, isolates: number): Record<Part | 'plan' | 'all', number> {
  const used = (part: Part) =>
    part === 'KV reads'
      ? (isolates * readsOfIsolate) / 1e6
      : millions *
        Object.entries(shares).reduce(
          (sum, [kind, share]) => sum + share * visits[kind as keyof typeof visits][part],
          0,
        );
  const parts = Object.entries(prices).map(([part, { price, included }]) => {
    const dollars = Math.max(0, used(part as Part) - included) * price;
    return [part, Math.round(dollars)] as const;
  });
  const all = parts.reduce((sum, [, dollars]) => sum + dollars, 5);
  return Object.fromEntries([...parts, ['plan', 5], ['all', all]]) as ReturnType<typeof month>;
}

/** What the platform costs a month by `worker/costs.md`, from operations a visit. */
export async function benchCosts() {
  const [million, hundred] = [month(1, 20), month(100, 500)];
  const parts = Object.keys(million) as (keyof typeof million)[];
  const table = Object.fromEntries(
    parts.map((part) => [part, { '1 million': million[part], '100 million': hundred[part] }]),
  );
  console.table(table);
  return table;
}
