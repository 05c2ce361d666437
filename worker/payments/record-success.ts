import { conversionOf } from '../analytics/rules/conversion.ts';
import type { PurchaseStorage } from './purchase-storage.ts';
import type { Attempt } from './rules/attempt.ts';
import { purchaseNotice } from './rules/email-notices.ts';
import { startSubscription } from './rules/subscription.ts';

/**
 * Books what an attempt bought: the subscription, its money, the customer at the gateway, the
 * confirmation e-mail, and the conversion where the buyer allowed ads. In one write with the attempt's
 * own change, so that no crash comes between.
 */
export function recordSuccess(ledger: PurchaseStorage, attempt: Attempt, now: number): void {
  const { subscription, movements } = startSubscription(attempt, now);
  ledger.saveSubscription(subscription, movements);
  ledger.queueEmail(purchaseNotice(attempt, subscription, now));
  const adClickData = ledger.adClickData(attempt.id);
  if (adClickData) ledger.queueConversion(conversionOf(attempt, adClickData, now));
  const { profile } = ledger;
  if (!attempt.charge || !profile) return;
  const { customerId, methodId } = attempt.charge;
  const customers = { ...profile.customers, [attempt.gateway]: { customerId, methodId } };
  ledger.setProfile({ ...profile, customers });
}
