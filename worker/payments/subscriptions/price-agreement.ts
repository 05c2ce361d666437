import type { AttemptId, EpochMs } from '../../platform/types.ts';
import { raiseNotice } from '../notices/price-notices.ts';
import { netRows } from '../purchase/money-movements.ts';
import { agreeableAt, agreed } from '../purchase/price-raise.ts';
import type { Raise } from '../purchase/renewal-state.ts';
import type { Subscription } from '../purchase/state.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';

export const saveRaise = (storage: PurchaseStorage, found: Subscription, raise: Raise): void =>
  storage.saveSubscription({ ...found, raise, version: found.version + 1 });

/** The yes of the owner, who saw from which renewal on it counts. @returns false if that is another one by now */
export function agree(storage: PurchaseStorage, attempt: AttemptId, shownAt: EpochMs): boolean {
  const found = storage.subscription(attempt);
  const owned = storage.attempt(attempt);
  if (!found?.raise || !owned) return false;
  const now = Date.now();
  const at = agreeableAt(found, netRows(storage.rowsOf(attempt)), now);
  if (at === null || at !== shownAt) return false;
  const raise = agreed(found.raise, at);
  saveRaise(storage, found, raise);
  storage.notify(attempt, raiseNotice(owned, found, raise, at, now));
  return true;
}
