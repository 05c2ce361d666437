import { accountById } from '../accounts/account-table.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import { withBindingTimeouts } from '../platform/binding-timeouts.ts';
import type { Env } from '../platform/env.ts';
import { logger, reasonOf } from '../platform/log.ts';
import { confirmAsked } from './confirm-asked.ts';
import type { Report } from './invitee-blocks.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { browserIdentity } from './requester-right.ts';
import { suspendBrowser, suspensionsOf } from './sms/sms-limiter-object.ts';

const log = logger();

/** Whether another browser had proven the mailbox when it was reported: its owner may not be whoever asked. */
async function hasOtherOwner({ account, unconfirmedBrowser, at }: Report, env: Env) {
  if (unconfirmedBrowser === undefined) return false;
  const owner = await accountById(accountDatabase(env, account), account);
  const isProven = owner?.verifiedAt != null && owner.verifiedAt <= at;
  return isProven && owner.userUuid !== unconfirmedBrowser;
}

async function suspend(invitee: InviteeStorage, report: Report, env: Env): Promise<void> {
  const { account, unconfirmedBrowser = '' } = report;
  if (await hasOtherOwner(report, env))
    return suspendBrowser(env, account, await browserIdentity(env, unconfirmedBrowser));
  const identities = invitee.identities.of(account);
  for (const each of identities) await suspensionsOf(env, each).suspend(each, [account]);
  await suspensionsOf(env, account).suspend(account, identities);
}

/** Suspends whom the invitee reported. Never throws: while the limiter is down, the alarm retries. */
export async function suspendReported(invitee: InviteeStorage, bare: Env): Promise<void> {
  for (const [key, report] of invitee.blocks.reports()) {
    const { account } = report;
    try {
      const env = withBindingTimeouts(bare);
      await suspend(invitee, report, env);
      // The mailbox may be proven by now.
      await confirmAsked(invitee, account, env);
      invitee.blocks.deleteReport(key);
    } catch (error) {
      log('warn', 'suspension_delayed', { account, reason: reasonOf(error) });
    }
  }
}
