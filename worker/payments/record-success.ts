import { conversionOf } from '../analytics/rules/conversion.ts';
import type { PurchaseStorage } from './purchase-storage.ts';
import type { Attempt } from './rules/attempt.ts';
import { purchaseNotice } from './rules/email-notices.ts';
import { startSubscription } from './rules/subscription.ts';

/**
 * Keeps what an attempt bought, its money, what its gateway knows the account by, and owes the buyer
 * a confirmation, and the ad networks the purchase where the buyer allowed that: in one go with the attempt's own change, so that no crash comes between.
 */
export function keep(
  ledger: PurchaseStorage,
  attempt: Attempt,
  account: string,
  now: number,
): void {
  const { bought, movements } = startSubscription(attempt, now);
  ledger.hold(bought, movements, account, now);
  ledger.post(purchaseNotice(attempt, bought, now), now);
  const trace = ledger.trace(attempt.id);
  if (trace) ledger.advertise(conversionOf(attempt, trace, now), now);
  const { profile } = ledger;
  if (!attempt.charge || !profile) return;
  const { customerId, methodId } = attempt.charge;
  const known = { ...profile.known, [attempt.gateway]: { customerId, methodId } };
  ledger.setProfile({ ...profile, known });
}
