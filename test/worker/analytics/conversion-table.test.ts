import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { isReported, noteConversion } from '../../../worker/analytics/conversion-table.ts';

const day = 24 * 60 * 60 * 1000;
const note = (network: string, event: string, at: number) =>
  noteConversion(env.DB, { network, event, state: 'taken' }, at);

test('conversion table: each network’s report is stored once', async () => {
  await note('meta', 'e1', 5);
  await note('meta', 'e1', 6);
  const told = [
    ['meta', 'e1'],
    ['tiktok', 'e1'],
    ['meta', 'e2'],
  ].map(([network = '', event = '']) => isReported(env.DB, network, event));
  expect(await Promise.all(told)).toEqual([true, false, false]);
});

test('conversion table: rows are deleted after 90 days', async () => {
  await note('meta', 'old', 0);
  await note('meta', 'new', 91 * day);
  expect([
    await isReported(env.DB, 'meta', 'old'),
    await isReported(env.DB, 'meta', 'new'),
  ]).toEqual([false, true]);
});
