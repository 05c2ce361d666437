import type { PurchaseStorage } from './purchase-storage.ts';
import type { Attempt } from './rules/attempt.ts';
import { debitFailedNotice, debitNotice } from './rules/debit-notices.ts';
import { startSubscription } from './rules/start-subscription.ts';
import { changed } from './rules/subscription.ts';

/** Gives access while the bank still has the debit. In one write with the attempt's own change. */
export function startProvisionally(ledger: PurchaseStorage, attempt: Attempt, now: number): void {
  const { subscription } = startSubscription(attempt, now);
  const provisional = { ...subscription, isProvisional: true, remindAt: null, dueAt: null };
  ledger.saveSubscription(provisional);
  ledger.queue({ kind: 'email', notice: debitNotice(attempt, now) });
}

/** Ends the access that a debit gave which was not paid. In one write with the attempt's own change. */
export function endProvisional(ledger: PurchaseStorage, attempt: Attempt, now: number): void {
  const found = ledger.subscription(attempt.id);
  if (!found?.isProvisional || found.status === 'ended') return;
  ledger.saveSubscription(changed(found, { status: 'ended', ends: true, dueAt: null }, now));
  if (found.withdrawnAt || ledger.profile?.isDeleted) return;
  ledger.queue({ kind: 'email', notice: debitFailedNotice(attempt, now) });
}
