import type { Env } from './env.ts';
import type { Ledger } from './ledger.ts';
import { logger } from './log.ts';
import { bounded } from './storage/bounded.ts';
import { askedBy } from './storage/invitations.ts';

const log = logger();

/**
 * Ends all that an account asked, because it has no plan any more.
 *
 * @param account its id
 * @param until ms since 1970; what it asked later belongs to another purchase
 * @throws when something could not be ended; the rest was
 */
export async function takeBackAsked(env: Env, account: string, until: number): Promise<void> {
  const people = await askedBy(env.DB, account);
  const ends = await Promise.allSettled(
    people.map((one) => env.INVITATIONS.getByName(one).cancelAll(account, until)),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Ends the invitations of a plan that was given back. @returns false while one could not be ended */
export async function endInvitations(ledger: Ledger, env: Env): Promise<boolean> {
  const until = ledger.invitationsEndAt;
  const account = ledger.profile?.account;
  if (until === null || !account) return true;
  try {
    await takeBackAsked(bounded(env), account, until);
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'thrown';
    log('warn', 'invitations_go_on', { key: account, reason });
    return false;
  }
  // Another plan may have been given back meanwhile.
  if (ledger.invitationsEndAt === until) ledger.setInvitationsEnd(null);
  return true;
}
