import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { isMailed, noteMailed } from '../../../worker/email/email-table.ts';

const minute = 60_000;

test('a mail that is done is known, however often it is noted', async () => {
  expect(await isMailed(env.DB, 'm1')).toBe(false);
  await noteMailed(env.DB, 'm1', 5);
  await noteMailed(env.DB, 'm1', 6);
  expect(await isMailed(env.DB, 'm1')).toBe(true);
});

test('after 90 days it is forgotten', async () => {
  await noteMailed(env.DB, 'old', 0);
  await noteMailed(env.DB, 'new', 91 * 24 * 60 * minute);
  expect([await isMailed(env.DB, 'old'), await isMailed(env.DB, 'new')]).toEqual([false, true]);
});
