import { env } from 'cloudflare:test';
import { expect, vi } from 'vitest';
import { accessToken } from '../../../worker/accounts/access-token.ts';
import { insertAccount } from '../../../worker/accounts/account-table.ts';
import type { SignedUp } from '../../../worker/accounts/signup-api.ts';
import type { AccountId, VisitorId } from '../../../worker/platform/types.ts';

/** An account created without a visit, and its authorization header. */
export async function newAccount(email = `${crypto.randomUUID()}@example.com`) {
  const id = crypto.randomUUID() as AccountId;
  const facts = { landingType: 'split_fullPrice', country: 'US', language: 'en' };
  const arm = { experiment: null, arm: 'fullPrice' };
  const userUuid = crypto.randomUUID() as VisitorId;
  await insertAccount(
    env.DB,
    { id, email, name: email, userUuid, ...facts, ...arm, googleSub: null, isVerified: false },
    0,
  );
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
