import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  accountByEmail,
  accountById,
  insertAccount,
} from '../../../worker/accounts/account-table.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { accountFacts } from './account-fixture.ts';

test('accounts table: an e-mail has one account, ignoring case', async () => {
  const ada = accountFacts('Ada@Example.com');
  expect(await insertAccount(env.DB, ada, 1)).toBe(true);
  expect(await insertAccount(env.DB, accountFacts('ada@example.COM'), 2)).toBe(false);
  const { id, email, userUuid, language, country } = ada;
  const fresh = { arms: '', googleSub: null, epoch: 0, verifiedAt: null, offerStartedAt: null };
  const known = { id, email, userUuid, language, country, ...fresh, signedUpAt: 1 };
  expect(await accountByEmail(env.DB, 'ADA@example.com')).toEqual(known);
  expect(await accountById(env.DB, id as AccountId)).toEqual(known);
});

test('accounts table: of parallel inserts one wins', async () => {
  const tries = Array.from({ length: 8 }, () =>
    insertAccount(env.DB, accountFacts('r@example.com'), 1),
  );
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
});

test('accounts table: an unknown e-mail has no account', async () => {
  expect(await accountByEmail(env.DB, 'nobody@example.com')).toBeNull();
  expect(await accountById(env.DB, crypto.randomUUID() as AccountId)).toBeNull();
});
