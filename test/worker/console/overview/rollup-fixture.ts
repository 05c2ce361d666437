import { env } from 'cloudflare:test';
import type { D1PreparedStatement } from '@cloudflare/workers-types';
import { vi } from 'vitest';
import { text } from '../page-text.ts';

export const db = env.ANALYTICS;
export const hour = 60 * 60_000;
export const day = 24 * hour;
export const now = Date.UTC(2026, 10, 22, 10, 30);
export const today = now - (now % day);

export const germany = { id: 1, country: 'DE', variant: 'a' };
export const france = { id: 2, country: 'FR', variant: 'b' };

export const step = (
  table: 'hours' | 'days',
  time: number,
  name: string,
  visits: number,
  more = {},
) => {
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

export const paid = (
  time: number,
  name: string,
  count: number,
  amount: number,
  currency = 'USD',
  slot = 'main',
) =>
  db
    .prepare(`INSERT INTO payments VALUES (?, ?, 'stripe', ?, 'monthly_usd', ?, '', 1, ?, ?, 0)`)
    .bind(time, name, slot, currency, count, amount);

/** For `beforeEach`. */
export async function emptyRollups(): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const slice = db.prepare(
    "INSERT INTO slices VALUES (?, 'default', 'e', ?, ?, 'en', 'ios', '', 'one_pager')",
  );
  await db.batch([
    ...['hours', 'days', 'totals', 'payments', 'slices', 'vitals'].map((table) =>
      db.prepare(`DELETE FROM ${table}`),
    ),
    db.prepare('UPDATE compiled SET until = ?').bind(today + 9 * hour),
    ...[germany, france].map(({ id, variant, country }) => slice.bind(id, variant, country)),
  ]);
}
const dimensions = ['variant', 'country', 'language', 'device', 'source', 'landing'];

/** Inserts rows, and the totals for those of `days`. */
export async function insert(rows: D1PreparedStatement[]): Promise<void> {
  await db.batch(rows);
  for (const name of dimensions) {
    await db
      .prepare(
        `INSERT INTO totals SELECT day, '${name}', step, screen, bucket, ${name}, sum(visits)
         FROM days JOIN slices ON slices.id = slice_id GROUP BY day, step, screen, bucket, ${name}`,
      )
      .run();
  }
}

/** The text of a figure's card. */
export function textAfter(html: string, heading: string): string {
  const from = html.indexOf(`>${heading}</`);
  return text(html.slice(from, html.indexOf('</dd>', from)));
}

/** The text of a table's row, from its name on. */
export const tableRow = (html: string, name: string) =>
  text(html.slice(html.indexOf(`>${name}</`) + 1).split('</tr>')[0] ?? '');
