import type { Env } from '../env.ts';
import { cardTarget } from './card-view.ts';
import { logAmbiguousResponse } from './gateway-call.ts';
import { cardGatewayOf } from './gateways/index.ts';
import type { PurchaseStorage } from './purchase-storage.ts';
import { isExpiring, nextCardCheck } from './rules/card-expiry.ts';
import { cardExpiryNotice } from './rules/card-notices.ts';
import { stateOf } from './rules/subscription.ts';

const retryDelayMs = 24 * 60 * 60_000;

/** Reads now and then when the card that pays the renewals expires, and tells its owner in the month before. */
export async function checkCardExpiry(ledger: PurchaseStorage, env: Env): Promise<void> {
  const target = cardTarget(ledger);
  const attempt = target && ledger.attempt(target.first.attempt);
  const checkAt = ledger.profile?.cardCheckAt ?? null;
  if (!target || !attempt) {
    if (checkAt !== null) ledger.updateProfile({ cardCheckAt: null });
    return;
  }
  const now = Date.now();
  const timeZone = attempt.terms?.timeZone ?? 'UTC';
  const checkNext = (at: number) => ledger.updateProfile({ cardCheckAt: at });
  if (checkAt === null) return checkNext(nextCardCheck(undefined, now, timeZone));
  if (checkAt > now) return;
  try {
    const cards = await cardGatewayOf(target.gateway, env);
    const { card } = await cards.billing(target.ids);
    if (card && isExpiring(card, now) && stateOf(target.first) === 'active') {
      ledger.queue({
        kind: 'email',
        notice: cardExpiryNotice({ ...attempt, plan: target.first.plan }, card, now),
      });
    }
    checkNext(nextCardCheck(card ?? { month: null, year: null }, now, timeZone));
  } catch (error) {
    logAmbiguousResponse(error, { vendor: target.gateway, attempt: attempt.id });
    checkNext(now + retryDelayMs);
  }
}
