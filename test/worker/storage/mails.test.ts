import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { isMailed, mayMail, noteMailed } from '../../../worker/storage/mails.ts';
import { newAccount } from '../accounts.ts';

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

test('an account may ask for three mails in 15 minutes, even all at once', async () => {
  const [{ id }, other] = [await newAccount(), await newAccount()];
  const asked = await Promise.all(Array.from({ length: 10 }, () => mayMail(env.DB, id, 0)));
  expect(asked.filter(Boolean)).toHaveLength(3);
  expect(await mayMail(env.DB, id, 15 * minute - 1)).toBe(false);
  expect(await mayMail(env.DB, other.id, 0)).toBe(true);
  expect(await mayMail(env.DB, id, 15 * minute)).toBe(true);
});
