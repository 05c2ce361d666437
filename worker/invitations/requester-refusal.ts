import { withBindingTimeouts } from '../platform/binding-timeouts.ts';
import type { Env } from '../platform/env.ts';
import type { ErrorCode } from '../platform/errors.ts';
import { logger, reasonOf } from '../platform/log.ts';
import type { AccountId } from '../platform/types.ts';
import { confirmAsked } from './confirm-asked.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { requesterRight } from './requester-right.ts';

const log = logger();

/** Why a person may neither invite nor see a location now. Also ends what the account's earlier plan allowed. */
export async function requesterRefusal(
  invitee: InviteeStorage,
  account: AccountId,
  identities: readonly string[],
  bare: Env,
): Promise<ErrorCode | null> {
  try {
    const env = withBindingTimeouts(bare);
    const others = await confirmAsked(invitee, account, env);
    const known = invitee.identities.of(account).filter((each) => !others.includes(each));
    const person = [...known, ...identities];
    const right = await requesterRight(env, account, person);
    invitee.endWithPlan(account, right.endedUntil, Date.now());
    return right.refusal;
  } catch (error) {
    log('warn', 'requester_right_unknown', { account, reason: reasonOf(error) });
    return 'unavailable';
  }
}
