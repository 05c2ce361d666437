import type { InvitationRight } from '../payments/purchase/invitation-right.ts';
import type { Env } from '../platform/env.ts';
import type { AccountId } from '../platform/types.ts';
import { requesterLimiter } from './sms/sms-limiter-object.ts';

export async function isSuspended(
  env: Env,
  account: AccountId,
  identities: readonly string[],
): Promise<boolean> {
  const requesters = [...new Set([account, ...identities])];
  const all = requesters.map((each) => requesterLimiter(env, each).isSuspended(each));
  return (await Promise.all(all)).includes(true);
}

/**
 * Asked at the moment of each action, so it holds even if no notice of an end arrived.
 * @param identities hashes of the requester's mailbox and browsers, which a report suspends with the account
 * @throws when an object is down
 */
export async function requesterRight(
  env: Env,
  account: AccountId,
  identities: readonly string[],
): Promise<InvitationRight> {
  const [right, isPaused] = await Promise.all([
    env.PURCHASES.getByName(account).invitationRight(),
    isSuspended(env, account, identities),
  ]);
  return isPaused ? { ...right, refusal: 'invitations_paused' } : right;
}
