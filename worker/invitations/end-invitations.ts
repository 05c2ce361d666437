import type { Env } from '../env.ts';
import type { AccountId } from '../types.ts';
import { inviteesOf } from './invitation-index.ts';

/**
 * Ends the invitations of an account that has no plan any more.
 *
 * @param until ms since 1970; later invitations belong to another purchase
 * @throws when some could not be ended; the others were
 */
export async function endInvitations(env: Env, account: AccountId, until: number): Promise<void> {
  const invitees = await inviteesOf(env.DB, account);
  const results = await Promise.allSettled(
    invitees.map((key) => env.INVITATIONS.getByName(key).cancelAll(account, until)),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
