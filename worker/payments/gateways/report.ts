import type { Env } from '../../env.ts';
import type { GatewayName } from '../rules/attempt.ts';
import { braintreeCredentials } from './braintree/credentials.ts';
import { checkPlans } from './braintree/plan-check.ts';
import { gatewayNames, isConfigured } from './index.ts';
import type { PriceCheck } from './price-check.ts';
import { stripeClient } from './stripe/client.ts';
import { checkPrices, pricesOf } from './stripe/prices.ts';
import { checkOffers, offersOf } from './stripe/trial-offers.ts';

/** What an operator should know of a payment provider. */
export interface GatewayReport {
  gateway: GatewayName;
  /** Whether it can be paid through: its secrets are set. */
  open: boolean;
  /** Whether its messages can be verified. */
  webhooks: boolean;
  /** Its prices or plans beside the catalogue; empty where the charge itself says the sum. */
  prices: PriceCheck[];
  /** Why the prices could not be read; null when they could. */
  unread: string | null;
}

const hearsOf: Record<GatewayName, (env: Env) => boolean> = {
  stripe: (env) => !!env.STRIPE_WEBHOOK_SECRET,
  braintree: (env) => isConfigured('braintree', env),
};

/**
 * At Stripe the prices that the variable names: a plan that it leaves out is charged by its own sum.
 * At Braintree the plan of everything that renews.
 */
async function pricesAt(gateway: GatewayName, env: Env): Promise<PriceCheck[]> {
  if (!isConfigured(gateway, env)) return [];
  if (gateway === 'braintree') return checkPlans(braintreeCredentials(env));
  const stripe = stripeClient(env);
  const map = pricesOf(env.STRIPE_PRICES);
  const offers = await checkOffers(stripe, offersOf(env.STRIPE_TRIAL_OFFERS));
  if (Object.keys(map).length === 0) return offers;
  return [...(await checkPrices(stripe, map)), ...offers];
}

async function reportOf(gateway: GatewayName, env: Env): Promise<GatewayReport> {
  const told = { gateway, open: isConfigured(gateway, env), webhooks: hearsOf[gateway](env) };
  try {
    return { ...told, prices: await pricesAt(gateway, env), unread: null };
  } catch (error) {
    const known = error instanceof RangeError;
    return { ...told, prices: [], unread: known ? error.message : 'it did not answer' };
  }
}

/** Every payment provider as it stands. Never throws. */
export function reportGateways(env: Env): Promise<GatewayReport[]> {
  return Promise.all(gatewayNames.map((gateway) => reportOf(gateway, env)));
}
