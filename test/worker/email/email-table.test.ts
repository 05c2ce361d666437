import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { isSent, markSent } from '../../../worker/email/email-table.ts';

const minute = 60_000;

test('a mail that is done is known, however often it is noted', async () => {
  expect(await isSent(env.DB, 'm1')).toBe(false);
  await markSent(env.DB, 'm1', 5);
  await markSent(env.DB, 'm1', 6);
  expect(await isSent(env.DB, 'm1')).toBe(true);
});

test('after 90 days it is forgotten', async () => {
  await markSent(env.DB, 'old', 0);
  await markSent(env.DB, 'new', 91 * 24 * 60 * minute);
  expect([await isSent(env.DB, 'old'), await isSent(env.DB, 'new')]).toEqual([false, true]);
});
