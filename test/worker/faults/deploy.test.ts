import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { readManifest, readMap } from '../../../worker/funnel/content.ts';
import { readDocuments } from '../../../worker/funnel/documents.ts';

test('documents in KV of an older or a newer shape count', () => {
  const config = {
    experiment: 'e',
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  };
  const newer = { ...config, since: 'next year', offers: {}, coupons: {} };
  for (const one of [config, newer]) {
    for (const flows of [{ flows: {} }, { flows: {}, aliases: {}, since: 'next year' }]) {
      const read = readDocuments(JSON.stringify(one), JSON.stringify(flows), true);
      expect(read.variants).toHaveLength(1);
    }
  }
  expect(readManifest('{"timestamp":1,"since":2}', 2).timestamp).toBe(1);
  expect(readMap('{"since":[]}')).toEqual({ claims: [], reviews: [] });
});

interface Migration {
  name: string;
  queries: string[];
}

test('a migration takes nothing from the build that still runs', () => {
  const taking = (sql: string) =>
    /^\s*(drop|delete|update|alter table \w+ (drop|rename))\b/i.test(sql) ||
    /add column[^;]*not null(?![^;]*default)/i.test(sql);
  const found = (env.MIGRATIONS as Migration[]).flatMap(({ name, queries }) =>
    queries.some(taking) ? [name] : [],
  );
  // It makes the ledger anew under its name, with every column that it had.
  expect(found).toEqual(['0010_holdings.sql']);
});
