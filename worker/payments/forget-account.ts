import type { Env } from '../env.ts';
import { logAmbiguousResponse } from './gateway-call.ts';
import { gatewayOf } from './gateways/index.ts';
import { fullPriceHash } from './intro-limit.ts';
import { paysInFull } from './purchase-request.ts';
import type { PurchaseStorage } from './purchase-storage.ts';
import type { GatewayName } from './rules/attempt.ts';

/** How soon a gateway that gave no answer is asked again, in ms. */
const pause = 60 * 60_000;

/** Forgets whose an account was: nothing is sold to it any more, and its gateways are to be told. */
export function forgetAccount(ledger: PurchaseStorage, env: Env): void {
  // Also where nothing was bought: a purchase that is on its way comes after this.
  const { profile = { account: '', email: '', customers: {} } } = ledger;
  if (profile.isDeleted) return;
  const unforgotten = Object.keys(profile.customers) as GatewayName[];
  const fullPrice = paysInFull(ledger) ? { fullPrice: fullPriceHash(profile.email, env) } : {};
  ledger.setProfile({
    ...profile,
    ...fullPrice,
    email: '',
    isDeleted: true,
    gatewaysToErase: unforgotten,
  });
}

/**
 * Has the gateways forget the e-mail of an account that was deleted. Never throws.
 *
 * @returns when to try again, ms since 1970; null when nothing is left
 */
export async function forgetAtGateways(ledger: PurchaseStorage, env: Env): Promise<number | null> {
  for (const name of ledger.profile?.gatewaysToErase ?? []) {
    const { account, customers: known } = ledger.profile ?? { account: '', customers: {} };
    try {
      await gatewayOf(name, env).forget(account, known[name]?.customerId ?? '');
    } catch (error) {
      logAmbiguousResponse(error, { vendor: name });
      continue;
    }
    const { profile } = ledger;
    const unforgotten = profile?.gatewaysToErase?.filter((other) => other !== name);
    if (profile) ledger.setProfile({ ...profile, gatewaysToErase: unforgotten });
  }
  return ledger.profile?.gatewaysToErase?.length ? Date.now() + pause : null;
}
