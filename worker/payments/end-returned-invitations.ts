import type { Env } from '../env.ts';
import { withBindingTimeouts } from '../http/binding-timeouts.ts';
import { endInvitations } from '../invitations/end-invitations.ts';
import { logger } from '../log.ts';
import type { PurchaseStorage } from './purchase-storage.ts';

const log = logger();

/** Ends the invitations of a plan that was withdrawn from. @returns false while one could not be ended */
export async function endReturnedInvitations(ledger: PurchaseStorage, env: Env): Promise<boolean> {
  const until = ledger.invitationsEndAt;
  const account = ledger.profile?.account;
  if (until === null || !account) return true;
  try {
    await endInvitations(withBindingTimeouts(env), account, until);
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'thrown';
    log('warn', 'invitation_cleanup_failed', { key: account, reason });
    return false;
  }
  // Another withdrawal may have set a later time meanwhile.
  if (ledger.invitationsEndAt === until) ledger.setInvitationsEnd(null);
  return true;
}
