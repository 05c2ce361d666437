import { withBindingTimeouts } from '../platform/binding-timeouts.ts';
import type { Env } from '../platform/env.ts';
import { logger, reasonOf } from '../platform/log.ts';
import { confirmAsked } from './confirm-asked.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { suspensionsOf } from './sms/sms-limiter-object.ts';

const log = logger();

/** Suspends the accounts that the invitee reported. Never throws: while the limiter is down, the alarm retries. */
export async function suspendReported(invitee: InviteeStorage, bare: Env): Promise<void> {
  for (const account of invitee.reported()) {
    try {
      const env = withBindingTimeouts(bare);
      const identities = invitee.identities.of(account);
      for (const each of identities) await suspensionsOf(env, each).suspend(each, [account]);
      await suspensionsOf(env, account).suspend(account, identities);
      // The mailbox may be proven by now, also by another than whoever asked.
      await confirmAsked(invitee, account, env);
      invitee.deleteReport(account);
    } catch (error) {
      log('warn', 'suspension_delayed', { account, reason: reasonOf(error) });
    }
  }
}
