import { resend } from '../../email/resend.ts';
import type { Env } from '../../platform/env.ts';
import { logger } from '../../platform/log.ts';
import { afterCheck, afterSending, type SentNotice } from '../purchase/required-notice.ts';
import type { Subscription } from '../purchase/state.ts';
import { endSubscription } from './cancel-resume.ts';
import type { Stores } from './change-quotes.ts';

const log = logger();

/** Without an e-mail: its mailbox takes none. */
function stopCharge({ storage, changes }: Stores, { attempt, gateway }: Subscription): void {
  const account = storage.profile?.account;
  if (!account) return;
  log('warn', 'renewal_stopped', { attempt, vendor: gateway, reason: 'unnotified' });
  endSubscription(storage, attempt, { receipt: false, pending: changes.pendingOf(attempt) });
  const now = Date.now();
  const about = { attempt, account, gateway, since: now, isOpen: true, at: now };
  const reason = 'renewal notice not delivered';
  storage.queue({ kind: 'operator_case', operatorCase: { ...about, reason } });
}

function take(stores: Stores, found: Subscription, step: ReturnType<typeof afterCheck>): void {
  const noticeMail = typeof step === 'object' ? step : null;
  stores.storage.saveSubscription({ ...found, noticeMail, version: found.version + 1 });
  if (step === 'stop') stopCharge(stores, found);
}

/** Idempotent; an e-mail about another renewal changes nothing. */
export function recordNotice(stores: Stores, notice: SentNotice): void {
  for (const found of stores.storage.subscriptions()) {
    const step = afterSending(found, notice, Date.now());
    if (step) take(stores, found, step);
  }
}

export async function checkNotices(stores: Stores, env: Env): Promise<void> {
  for (const { attempt, noticeMail } of stores.storage.subscriptions()) {
    if (!noticeMail || noticeMail.checkAt > Date.now()) continue;
    const hasBounced = await resend(env).hasBounced(noticeMail.mailId);
    // Read again: its owner may have cancelled while the vendor was asked.
    const found = stores.storage.subscription(attempt);
    if (found?.noticeMail)
      take(stores, found, afterCheck({ ...found, noticeMail }, hasBounced, Date.now()));
  }
}
