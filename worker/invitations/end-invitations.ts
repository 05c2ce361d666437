import type { Env } from '../env.ts';
import { askedBy } from './invitation-index.ts';

/**
 * Ends all that an account asked, because it has no plan any more.
 *
 * @param account its id
 * @param until ms since 1970; what it asked later belongs to another purchase
 * @throws when something could not be ended; the rest was
 */
export async function endInvitations(env: Env, account: string, until: number): Promise<void> {
  const people = await askedBy(env.DB, account);
  const ends = await Promise.allSettled(
    people.map((one) => env.INVITATIONS.getByName(one).cancelAll(account, until)),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
