import type { Env } from './env.ts';
import type { GatewayName } from './funnel/purchase.ts';
import { fullPriceName } from './intro-limit.ts';
import type { Ledger } from './ledger.ts';
import { paysInFull } from './opening.ts';
import { unclear } from './unclear.ts';
import { gatewayOf } from './vendors/gateways.ts';

/** How soon a gateway that gave no answer is asked again, in ms. */
const pause = 60 * 60_000;

/** Forgets whose an account was: nothing is sold to it any more, and its gateways are to be told. */
export function forgetOwner(ledger: Ledger, env: Env): void {
  // Also where nothing was bought: a purchase that is on its way comes after this.
  const { profile = { account: '', email: '', known: {} } } = ledger;
  if (profile.left) return;
  const unforgotten = Object.keys(profile.known) as GatewayName[];
  const fullPrice = paysInFull(ledger) ? { fullPrice: fullPriceName(profile.email, env) } : {};
  ledger.setProfile({ ...profile, ...fullPrice, email: '', left: true, unforgotten });
}

/**
 * Has the gateways forget the e-mail of an account that was deleted. Never throws.
 *
 * @returns when to try again, ms since 1970; null when nothing is left
 */
export async function forgetAtGateways(ledger: Ledger, env: Env): Promise<number | null> {
  for (const name of ledger.profile?.unforgotten ?? []) {
    const { account, known } = ledger.profile ?? { account: '', known: {} };
    try {
      await gatewayOf(name, env).forget(account, known[name]?.customerId ?? '');
    } catch (error) {
      unclear(error, { vendor: name });
      continue;
    }
    const { profile } = ledger;
    const unforgotten = profile?.unforgotten?.filter((other) => other !== name);
    if (profile) ledger.setProfile({ ...profile, unforgotten });
  }
  return ledger.profile?.unforgotten?.length ? Date.now() + pause : null;
}
