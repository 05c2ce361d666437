import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  accountByEmail,
  accountById,
  insertAccount,
  linkGoogle,
  verifyByGoogle,
} from '../../../worker/accounts/account-table.ts';
import type { AccountId, VisitorId } from '../../../worker/types.ts';

const account = (email: string) => ({
  id: crypto.randomUUID() as AccountId,
  email,
  name: email,
  userUuid: crypto.randomUUID() as VisitorId,
  landingType: 'split_fullPrice',
  country: 'US',
  language: 'en',
  experiment: null,
  arm: 'fullPrice',
  googleSub: null,
});

test('accounts table: an e-mail has one account, ignoring case', async () => {
  const ada = account('Ada@Example.com');
  expect(await insertAccount(env.DB, ada, 1)).toBe(true);
  expect(await insertAccount(env.DB, account('ada@example.COM'), 2)).toBe(false);
  const { id, email, userUuid, language } = ada;
  const fresh = { googleSub: null, epoch: 0, verifiedAt: null };
  const known = { id, email, userUuid, language, ...fresh };
  expect(await accountByEmail(env.DB, 'ADA@example.com')).toEqual(known);
  expect(await accountById(env.DB, id as AccountId)).toEqual(known);
});

test('accounts table: of parallel inserts one wins', async () => {
  const tries = Array.from({ length: 8 }, () => insertAccount(env.DB, account('r@example.com'), 1));
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
});

test('accounts table: an unknown e-mail has no account', async () => {
  expect(await accountByEmail(env.DB, 'nobody@example.com')).toBeNull();
  expect(await accountById(env.DB, crypto.randomUUID() as AccountId)).toBeNull();
});

test('accounts table: Google verifies a mailbox once and ends earlier sessions', async () => {
  const ada = account('confirmed@example.com');
  await insertAccount(env.DB, { ...ada, name: 'planted' }, 1);
  const google = { googleSub: 'g1', name: 'Ada', userUuid: crypto.randomUUID() as VisitorId };
  await linkGoogle(env.DB, { account: ada.id, epoch: 0 }, 'too early');
  expect(await verifyByGoogle(env.DB, ada.id, google, 5)).toBe(1);
  expect(await verifyByGoogle(env.DB, ada.id, { ...google, googleSub: 'g2' }, 9)).toBeNull();
  const row = env.DB.prepare('SELECT * FROM accounts WHERE id = ?').bind(ada.id);
  expect(await row.first()).toMatchObject({
    epoch: 1,
    verified_at: 5,
    google_sub: 'g1',
    name: 'Ada',
    visitor_id: google.userUuid,
  });
  await linkGoogle(env.DB, { account: ada.id, epoch: 0 }, 'of a session that has ended');
  expect(await accountById(env.DB, ada.id)).toMatchObject({ googleSub: 'g1' });
  await linkGoogle(env.DB, { account: ada.id, epoch: 1 }, 'g3');
  expect(await accountById(env.DB, ada.id)).toMatchObject({ googleSub: 'g3', epoch: 1 });
});
