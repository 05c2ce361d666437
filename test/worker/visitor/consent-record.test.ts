import { env } from 'cloudflare:test';
import type { D1PreparedStatement } from '@cloudflare/workers-types';
import { expect, test } from 'vitest';
import { recordConsent } from '../../../worker/visitor/consent-record.ts';
import { withdrawnChoices } from '../../../worker/visitor/consent-table.ts';

/** D1 that does nothing so many times, or does it and loses the answer. */
function troubled(times: number, lost = false) {
  let left = times;
  const batch = async (statements: D1PreparedStatement[]) => {
    left -= 1;
    if (left < 0) return env.DB.batch(statements);
    if (lost) await env.DB.batch(statements);
    throw new RangeError('down');
  };
  return { prepare: (sql: string) => env.DB.prepare(sql), batch } as typeof env.DB;
}

const refusal = () => ({
  visitor: crypto.randomUUID(),
  choice: 'no' as const,
  country: 'DE',
  language: 'de',
});
const rowsAt = (at: number) =>
  env.DB.prepare('SELECT count(*) AS rows FROM consents WHERE at = ?').bind(at).first('rows');

test.each([
  ['is down', false, 11],
  ['loses its answers', true, 12],
])('a no is kept, once, where D1 %s for a while', async (_, lost, at) => {
  const consent = refusal();
  const waited: number[] = [];
  const wait = async (ms: number) => void waited.push(ms);
  await recordConsent(troubled(3, lost), consent, at, wait);
  expect(waited).toEqual([500, 2000, 6000]);
  expect(await withdrawnChoices(env.DB, [consent.visitor])).toEqual(new Set([consent.visitor]));
  expect(await rowsAt(at)).toBe(1);
});

test('where D1 stays down, it says so', async () => {
  const kept = recordConsent(troubled(4), refusal(), 13, async () => {});
  await expect(kept).rejects.toThrow('down');
  expect(await rowsAt(13)).toBe(0);
});
