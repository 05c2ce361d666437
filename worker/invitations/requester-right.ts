import type { Env } from '../env.ts';
import type { InvitationRight } from '../payments/rules/invitation-right.ts';
import type { AccountId } from '../types.ts';
import { requesterLimiter } from './sms/sms-limiter-object.ts';

/** Asked at the moment of each action, so it holds even if no notice of an end arrived. @throws when an object is down */
export async function requesterRight(
  env: Env,
  account: AccountId,
  identities: readonly string[] = [],
): Promise<InvitationRight> {
  const [right, ...suspensions] = await Promise.all([
    env.PURCHASES.getByName(account).invitationRight(),
    ...[account, ...identities].map((each) => requesterLimiter(env, each).isSuspended(each)),
  ]);
  return suspensions.includes(true) ? { ...right, refusal: 'invitations_paused' } : right;
}
