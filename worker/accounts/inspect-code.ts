import type { Context } from 'hono';
import type { App } from '../env.ts';
import { accountOfToken } from './access-token.ts';
import { accountById } from './account-table.ts';
import { maskEmail } from './mask-email.ts';
import { findCode, type Purpose } from './one-time-codes.ts';

/** How a code stands, for the page that asks before it signs anybody in. Nothing is used up. */
export interface CodeInspection {
  state: 'ready' | 'used' | 'expired' | 'unknown';
  /** The account that the code opens, masked; null unless it is ready. */
  email: string | null;
  /** Whether this browser is signed in to that account; null when it is signed in to none. */
  mine: boolean | null;
  /** The other account that this browser is signed in to, masked. */
  signed_in_as: string | null;
}

/** Looks at a code of one of these purposes, and at who asks. */
export async function inspectCode(
  c: Context<App>,
  code: string,
  purposes: readonly Purpose[],
): Promise<CodeInspection> {
  const { state, account: id } = await findCode(c.env.DB, code, purposes, Date.now());
  const asking = await accountOfToken(c);
  const account = state === 'ready' ? await accountById(c.env.DB, id ?? '') : null;
  const mine = asking === null || id === undefined ? null : asking.id === id;
  return {
    state,
    email: account && maskEmail(account.email),
    mine,
    signed_in_as: asking && mine === false ? maskEmail(asking.email) : null,
  };
}
