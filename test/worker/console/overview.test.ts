import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countsOf } from '../../../worker/console/overview-table.ts';
import { periodOf } from '../../../worker/console/rules/period.ts';
import { listen } from '../payments/payments-fixture.ts';
import { open, signIn } from './console-client.ts';

const db = env.ANALYTICS;
const hour = 60 * 60_000;
const day = 24 * hour;
const now = Date.UTC(2026, 10, 22, 10, 30);
const today = now - (now % day);

const germany = { id: 1, country: 'DE', variant: 'a' };
const france = { id: 2, country: 'FR', variant: 'b' };

const step = (table: 'hours' | 'days', time: number, name: string, visits: number, more = {}) => {
  const {
    screen = '',
    bucket = 0,
    slice = germany,
  } = more as {
    screen?: string;
    bucket?: number;
    slice?: typeof germany;
  };
  return db
    .prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?, ?, ?, ?)`)
    .bind(time, name, screen, bucket, slice.id, visits, visits);
};

const paid = (
  time: number,
  name: string,
  count: number,
  amount: number,
  currency = 'USD',
  slot = 'main',
) =>
  db
    .prepare(`INSERT INTO payments VALUES (?, ?, 'stripe', ?, 'monthly_usd', ?, '', 1, ?, ?)`)
    .bind(time, name, slot, currency, count, amount);

beforeEach(async () => {
  listen();
  vi.useFakeTimers({ toFake: ['Date'], now });
  const slice = db.prepare("INSERT INTO slices VALUES (?, 'default', 'e', ?, ?, 'en', 'ios', '')");
  await db.batch([
    ...['hours', 'days', 'payments', 'slices'].map((table) => db.prepare(`DELETE FROM ${table}`)),
    db.prepare('UPDATE compiled SET until = ?').bind(today + 9 * hour),
    ...[germany, france].map(({ id, variant, country }) => slice.bind(id, variant, country)),
  ]);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The text of a figure's card, or of a table's row. */
function textAfter(html: string, heading: string): string {
  const from = html.indexOf(`>${heading}</`);
  const end = html.indexOf(heading === 'checkout_v3_tr' ? '</tr>' : '</dd>', from);
  return html
    .slice(from, end)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

test('console overview: figures add compiled days and the hours after them, each once', async () => {
  await db.batch([
    // In `days` and in `hours`: counted once.
    step('days', today, 'exposure', 40),
    step('hours', today + 8 * hour, 'exposure', 40),
    // Not in `days` yet.
    step('hours', today + 9 * hour, 'exposure', 2),
    step('days', today - 3 * day, 'exposure', 100),
    step('days', today - 40 * day, 'exposure', 71),
    step('days', today - 3 * day, 'sign_up', 10),
    paid(today - 3 * day + 5 * hour, 'purchase', 4, 0),
    paid(today - 3 * day + 5 * hour, 'purchase', 3, 0, 'USD', 'upsell'),
    paid(today - 3 * day + 5 * hour, 'capture', 7, 12_345),
    paid(today + 2 * hour, 'refund', 1, 345),
    paid(today + 2 * hour, 'capture', 1, 999, 'EUR'),
  ]);
  const html = await (await open('/console?period=30d', { headers: await signIn() })).text();
  expect(textAfter(html, 'Visitors')).toContain('142 +100% to the period before');
  expect(textAfter(html, 'Sign-ups')).toContain('10 nothing before');
  expect(textAfter(html, 'Purchases')).toContain(' 4 ');
  expect(textAfter(html, 'Revenue, USD')).toContain('$120.00');
  expect(textAfter(html, 'Revenue, EUR')).toContain('€9.99');
  expect(textAfter(html, 'Refunds')).toContain(' 1 ');
});

test('console overview: a day by hours reads hours only', async () => {
  await db.batch([
    step('hours', today + 8 * hour, 'exposure', 40),
    step('hours', today - 9 * hour, 'exposure', 5),
    step('days', today, 'exposure', 400),
  ]);
  const html = await (await open('/console?period=24h', { headers: await signIn() })).text();
  expect(textAfter(html, 'Visitors')).toContain(' 45 ');
});

test('console overview: screens show arrivals, those who continued and the median time', async () => {
  await db.batch([
    step('days', today, 'screen__load', 200, { screen: 'checkout_v3_tr' }),
    step('days', today, 'button__continue', 30, { screen: 'checkout_v3_tr', bucket: 4 }),
    step('days', today, 'button__continue', 20, { screen: 'checkout_v3_tr', bucket: 10 }),
  ]);
  const html = await (await open('/console', { headers: await signIn() })).text();
  expect(textAfter(html, 'checkout_v3_tr')).toContain('200 50 25% 1.2 s');
});

test('console overview: filters keep one country or variant', async () => {
  await db.batch([
    step('days', today, 'exposure', 3),
    step('days', today, 'exposure', 4, { slice: france }),
  ]);
  const headers = await signIn();
  for (const [query, visitors] of [
    ['', 7],
    ['country=FR', 4],
    ['variant=a', 3],
    ['country=FR&variant=a', 0],
    ["country=' OR 1=1 --", 0],
  ] as const) {
    const html = await (await open(`/console?${new URLSearchParams(query)}`, { headers })).text();
    expect([query, textAfter(html, 'Visitors')]).toEqual([
      query,
      expect.stringContaining(` ${visitors} `),
    ]);
  }
});

test('console overview: the CSV has the figures by time', async () => {
  await db.batch([step('days', today - day, 'exposure', 3), step('days', today, 'exposure', 4)]);
  const response = await open('/console/overview.csv?period=7d', { headers: await signIn() });
  const rows = (await response.text()).trim().split('\r\n');
  expect(rows[0]).toBe('"time","Visitors","Sign-ups","Purchases","Refunds","Declines"');
  expect(rows.slice(-2)).toEqual([
    '"2026-11-21T00:00:00.000Z","3","0","0","0","0"',
    '"2026-11-22T00:00:00.000Z","4","0","0","0","0"',
  ]);
});

test('console overview: without any visit it says so', async () => {
  const html = await (await open('/console', { headers: await signIn() })).text();
  expect(html).toContain('Nobody in this period.');
});

test('console overview: a custom period counts its days only', async () => {
  await db.batch([
    step('days', today - 3 * day, 'exposure', 1),
    step('days', today - 2 * day, 'exposure', 2),
    step('days', today - day, 'exposure', 4),
  ]);
  const iso = (time: number) => new Date(time).toISOString().slice(0, 10);
  const query = { from: iso(today - 3 * day), to: iso(today - 2 * day) };
  const { steps } = await countsOf(db, periodOf(query, now), {});
  expect(steps.map(({ visits }) => visits)).toEqual([1, 2]);
});
