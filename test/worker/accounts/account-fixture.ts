import { env } from 'cloudflare:test';
import { expect, vi } from 'vitest';
import { accessToken } from '../../../worker/accounts/access-token.ts';
import { insertAccount } from '../../../worker/accounts/account-table.ts';
import type { SignedUp } from '../../../worker/accounts/signup-api.ts';
import type { AccountId, VisitorId } from '../../../worker/platform/types.ts';

/** The facts of an account created without a visit. */
export const accountFacts = (email: string) => ({
  ...{ id: crypto.randomUUID() as AccountId, userUuid: crypto.randomUUID() as VisitorId },
  ...{ email, name: email, landingType: 'split_fullPrice', country: 'US', language: 'en' },
  ...{ experiment: null, arm: 'fullPrice', arms: '', googleSub: null, isVerified: false },
});

/** An account created without a visit, and its authorization header. */
export async function newAccount(email = `${crypto.randomUUID()}@example.com`) {
  const facts = accountFacts(email);
  const { id, userUuid } = facts;
  await insertAccount(env.DB, facts, 0);
  const headers = { authorization: `Bearer ${await accessToken(env, { account: id, epoch: 0 })}` };
  return { id, email, userUuid, headers };
}

/** Marks the mailbox of an account as verified, without the move caused by an e-mailed link. */
export async function verify(id: string, db = env.DB): Promise<void> {
  const verified = 'UPDATE accounts SET verified_at = 1, entered_without_mailbox = 0 WHERE id = ?';
  await db.prepare(verified).bind(id).run();
}

/** The data of a successful sign-up. */
export async function signedUp(response: Response): Promise<SignedUp> {
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: SignedUp }).data;
}

export const accountRow = (id: string) =>
  env.DB.prepare('SELECT * FROM accounts WHERE id = ?').bind(id).first();

/** Moves the clock forward. */
export const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
