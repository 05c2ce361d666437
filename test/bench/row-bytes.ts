import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const hash = () => randomBytes(32).toString('base64url');
const providerId = (prefix: string) => prefix + randomBytes(12).toString('hex');
const at = 1_800_000_000_000;
const plan = ['main', 'monthly_7d_usd', 'stripe'];
const arm = ['2026-11-paywall', 'fullPrice'];

/** A typical row of each table that grows with accounts, with random ids as in production. */
const rows = {
  account: (n: number) => {
    const email = `visitor.${n}@example.com`;
    const facts = [email, email, email, randomUUID(), 'split_fullPrice', 'US', 'en', ...arm];
    return ['accounts', randomUUID(), ...facts, 0, null, at + n, null];
  },
  code: (n: number) => ['one_time_codes', hash(), randomUUID(), 'app', 0, at + n, at + n, null],
  attempt: () => {
    const bought = ['active', null, providerId('sub_')];
    // The terms beside the button, in English.
    const terms = 'x'.repeat(450);
    return [
      'attempts',
      randomUUID(),
      randomUUID(),
      ...plan,
      699,
      null,
      ...arm,
      ...bought,
      at,
      terms,
      5,
    ];
  },
  subscription: () => {
    const ids = [providerId('cus_'), providerId('sub_')];
    return ['subscriptions', randomUUID(), randomUUID(), ...plan, ...ids, 'active', at, 0, 5];
  },
  money: (n: number) => {
    const amount = ['capture', 699, null, 'USD', providerId('pi_'), 'stripe'];
    return [
      'ledger',
      providerId('capture:pi_'),
      randomUUID(),
      randomUUID(),
      ...amount,
      ...arm,
      at + n,
      null,
    ];
  },
  entitlements: (n: number) => ['entitlements', randomUUID(), 3, 'x'.repeat(150), at + n],
  payer: () => ['payers', providerId('pi_'), randomUUID()],
  intro: (n: number) => ['intros', hash(), randomUUID(), at + n],
  consent: () => ['consents', randomUUID(), randomUUID(), 'yes', 1, 'DE', 'de', at, null],
} satisfies Record<string, (n: number) => (string | number | null)[]>;

const rowsEach = 20_000;

function bytesOf(make: (n: number) => (string | number | null)[]): number {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
  db.exec(readFileSync('worker/migrations/0001_tables.sql', 'utf8'));
  const size = () => {
    const page = db.prepare(
      'SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size',
    );
    return Number(page.get()?.n);
  };
  const before = size();
  db.exec('BEGIN');
  for (let n = 0; n < rowsEach; n += 1) {
    const [table, ...values] = make(n);
    db.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`).run(...values);
  }
  db.exec('COMMIT');
  return Math.round((size() - before) / rowsEach);
}

/** Bytes of a row with its indexes, measured with SQLite. */
export const rowBytes = () =>
  Object.fromEntries(Object.entries(rows).map(([name, make]) => [name, bytesOf(make)])) as Record<
    keyof typeof rows,
    number
  >;
