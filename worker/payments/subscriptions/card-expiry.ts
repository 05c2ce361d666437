import { dayMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import { logAmbiguousResponse } from '../attempts/gateway-call.ts';
import { gateways } from '../gateways/index.ts';
import { cardExpiryNotice, isExpiring, nextCardCheck } from '../notices/card-notices.ts';
import { stateOf } from '../purchase/subscription.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { cardTarget } from './card-view.ts';

const cardRetryDelayMs = dayMs;

/** Regularly reads when the card for the renewals expires, and notifies its owner in the month before. */
export async function checkCardExpiry(storage: PurchaseStorage, env: Env): Promise<void> {
  const target = cardTarget(storage);
  const attempt = target && storage.attempt(target.first.attempt);
  const checkAt = storage.profile?.cardCheckAt ?? null;
  if (!target || !attempt) {
    if (checkAt !== null) storage.updateProfile({ cardCheckAt: null });
    return;
  }
  const now = Date.now();
  const timeZone = attempt.terms?.timeZone ?? 'UTC';
  const checkNext = (at: number) => storage.updateProfile({ cardCheckAt: at });
  if (checkAt === null) return checkNext(nextCardCheck(undefined, now, timeZone));
  if (checkAt > now) return;
  try {
    const cards = await gateways[target.gateway].cards(env);
    const { card } = await cards.billing(target.ids);
    if (card && isExpiring(card, now) && stateOf(target.first) === 'active') {
      const about = { ...attempt, plan: target.first.plan };
      storage.notify(attempt.id, cardExpiryNotice(about, card, now));
    }
    checkNext(nextCardCheck(card ?? { month: null, year: null }, now, timeZone));
  } catch (error) {
    logAmbiguousResponse(error, { vendor: target.gateway, attempt: attempt.id });
    checkNext(now + cardRetryDelayMs);
  }
}
