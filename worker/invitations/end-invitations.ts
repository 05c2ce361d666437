import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { askedBy } from './invitation-index.ts';

/**
 * Takes back all that an account asked, because it has no plan any more. Never throws: its money is
 * on its way whatever comes of this, and what could not be ended is logged.
 *
 * @param account its id
 */
export async function endInvitations(env: Env, account: string, log: Log): Promise<void> {
  const failed = (error: unknown) => {
    const reason = error instanceof Error ? error.name : 'thrown';
    log('warn', 'invitation_cleanup_failed', { key: account, reason });
  };
  const people = await askedBy(env.DB, account).catch(failed);
  const ends = people?.map((one) => env.INVITATIONS.getByName(one).cancelAll(account));
  await Promise.all(ends?.map((end) => end.catch(failed)) ?? []);
}
