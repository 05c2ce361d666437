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

/** Rows that a table's row is written as, with its indexes, when it comes and when it goes. */
const event = 4 + 4;
const told = 3 + 3;
const exposure = 4 + 3;
/** Accounts, codes, purchases, holdings, ledger and mails are kept. */
const account = 4 + 2 * 3;
const bought = 3 + 2 + 2 * (4 + 1) + 2 * 5 + 2 * 6 + 2 * 6;

/** A message is written, read and deleted. */
const message = 3;

/** What a visit does: requests, events, posts of events and lines of log were counted in a browser. */
const visits: Record<'leaves' | 'signs up' | 'buys', Use> = {
  leaves: {
    'Worker requests': 4,
    'Worker CPU, ms': 9,
    'D1 rows written': exposure + 7 * (event + told),
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
    'D1 rows written': exposure + account + 30 * (event + told),
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
    'D1 rows written': exposure + account + bought + 46 * (event + told),
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
  const rows = Object.keys(million) as (keyof typeof million)[];
  const table = Object.fromEntries(
    rows.map((part) => [part, { '1 million': million[part], '100 million': hundred[part] }]),
  );
  console.table(table);
  return table;
}
