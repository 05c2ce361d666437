import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { isEmailDone, markEmailDone } from '../../../worker/email/email-table.ts';

const minute = 60_000;

test('e-mail table: marking an e-mail as done is idempotent', async () => {
  expect(await isEmailDone(env.DB, 'm1')).toBe(false);
  await markEmailDone(env.DB, 'm1', 5);
  await markEmailDone(env.DB, 'm1', 6);
  expect(await isEmailDone(env.DB, 'm1')).toBe(true);
});

test('e-mail table: an id is deleted after 90 days', async () => {
  await markEmailDone(env.DB, 'old', 0);
  await markEmailDone(env.DB, 'new', 91 * 24 * 60 * minute);
  expect([await isEmailDone(env.DB, 'old'), await isEmailDone(env.DB, 'new')]).toEqual([
    false,
    true,
  ]);
});
