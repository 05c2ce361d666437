import { accountById } from '../accounts/account-table.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import type { Env } from '../platform/env.ts';
import type { AccountId } from '../platform/types.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { mailboxIdentity } from './requester-right.ts';
import { isOver } from './rules/invitation.ts';

/**
 * What an account's browser asked by link before the mailbox was proven. If another browser proved it, the address may
 * be another person's, who must not see an answer that was meant for whoever sent the link: then it ends.
 */
export async function confirmAsked(
  invitee: InviteeStorage,
  account: AccountId,
  env: Env,
): Promise<void> {
  const asked = invitee
    .invitationsOf(account, Date.now())
    .filter((one) => one.unconfirmedBrowser !== undefined && !isOver(one));
  if (asked.length === 0) return;
  const owner = await accountById(accountDatabase(env, account), account);
  if (owner?.verifiedAt == null) return;
  const mailbox = await mailboxIdentity(env, owner.email);
  for (const invitation of asked) {
    if (owner.userUuid !== invitation.unconfirmedBrowser) {
      invitee.cancel(invitation.id, Date.now());
      continue;
    }
    invitee.markConfirmed(invitation, Date.now());
    invitee.identities.add(account, [mailbox]);
  }
}
