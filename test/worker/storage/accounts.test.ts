import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  accountByEmail,
  accountById,
  insertAccount,
  isVerified,
  noteVerified,
} from '../../../worker/storage/accounts.ts';

const account = (email: string) => ({
  id: crypto.randomUUID(),
  email,
  name: email,
  userUuid: crypto.randomUUID(),
  landingType: 'split_fullPrice',
  country: 'US',
  language: 'en',
  experiment: null,
  arm: 'fullPrice',
});

test('an e-mail has one account, in whatever case it is typed', async () => {
  const ada = account('Ada@Example.com');
  expect(await insertAccount(env.DB, ada, 1)).toBe(true);
  expect(await insertAccount(env.DB, account('ada@example.COM'), 2)).toBe(false);
  const { id, email, userUuid, language } = ada;
  expect(await accountByEmail(env.DB, 'ADA@example.com')).toEqual({
    id,
    email,
    userUuid,
    language,
  });
  expect(await accountById(env.DB, id)).toEqual({ id, email, userUuid, language });
});

test('the e-mail is kept as it was typed', async () => {
  await insertAccount(env.DB, account('Grace@Example.com'), 1);
  const kept = await env.DB.prepare(
    'SELECT email, created_at AS at FROM accounts WHERE email_key = ?',
  )
    .bind('grace@example.com')
    .first();
  expect(kept).toEqual({ email: 'Grace@Example.com', at: 1 });
});

test('of many sign-ups at the same moment one wins', async () => {
  const tries = Array.from({ length: 8 }, () => insertAccount(env.DB, account('r@example.com'), 1));
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
});

test('an unknown e-mail has no account', async () => {
  expect(await accountByEmail(env.DB, 'nobody@example.com')).toBeNull();
  expect(await accountById(env.DB, crypto.randomUUID())).toBeNull();
});

test('a mailbox is confirmed once, by the first who shows it', async () => {
  const ada = account('confirmed@example.com');
  await insertAccount(env.DB, ada, 1);
  expect(await isVerified(env.DB, ada.id)).toBe(false);
  await noteVerified(env.DB, ada.id, 5);
  await noteVerified(env.DB, ada.id, 9);
  const at = env.DB.prepare('SELECT verified_at FROM accounts WHERE id = ?').bind(ada.id);
  expect([await isVerified(env.DB, ada.id), await at.first('verified_at')]).toEqual([true, 5]);
  expect(await isVerified(env.DB, 'nobody')).toBe(false);
});
