import type { Context } from 'hono';
import { accountDatabase, codeDatabase } from '../platform/account-databases.ts';
import type { App } from '../platform/env.ts';
import { accountOfToken } from './access-token.ts';
import { accountById } from './account-table.ts';
import { findCode, type Purpose } from './one-time-codes.ts';

export interface CodeCheck {
  state: 'ready' | 'used' | 'expired' | 'unknown';
  email: string | null;
  /** Whether this browser is signed in to that account; null when it is signed out. */
  mine: boolean | null;
  signed_in_as: string | null;
  /** Whether the caller knows the account's address, because it was typed in this browser. */
  known_here: boolean;
  /** Whether opening the link confirms the e-mail. */
  confirms: boolean;
}

export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email][0] ?? ''}…${email.slice(at)}`;
}

export async function checkCode(
  c: Context<App>,
  code: string,
  purposes: readonly Purpose[],
  typedEmail?: string,
): Promise<CodeCheck> {
  const { kind: state, account: id } = await findCode(
    codeDatabase(c.env, code),
    code,
    purposes,
    Date.now(),
  );
  const caller = await accountOfToken(c);
  const account = state === 'ready' ? await accountById(accountDatabase(c.env, id), id) : null;
  const mine = caller === null || id === undefined ? null : caller.id === id;
  return {
    state,
    email: account && maskEmail(account.email),
    mine,
    known_here: !!account && account.email.toLowerCase() === typedEmail?.toLowerCase(),
    confirms: account?.verifiedAt === null && purposes.includes('sign_in'),
    signed_in_as: caller && mine === false ? maskEmail(caller.email) : null,
  };
}
